//! All combinations of independent choices, as long as they can be listed.

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted};
use hardbop_cfg::may::Possible;

/// How many outcomes of one step, or initial states, are listed at most.
pub const MAX_OUTCOMES: usize = 1 << 20;

/// The valuations that agree with `base` but at the listed indices, where each takes each of its
/// possible values independently. In a fixed order, without repetition.
pub fn product(
    base: Bits,
    choices: &[(usize, Possible)],
    meter: &mut Meter<'_>,
) -> Result<Vec<Bits>, Exhausted> {
    let mut valuations = vec![base];
    for &(index, possible) in choices {
        if possible == Possible::EITHER {
            allow(2 * valuations.len())?;
            for at in 0..valuations.len() {
                meter.tick()?;
                let mut with = valuations[at].clone();
                with.insert(index);
                valuations[at].remove(index);
                valuations.push(with);
            }
        } else {
            valuations.iter_mut().for_each(|it| it.set(index, possible.be_true));
        }
    }
    Ok(valuations)
}

/// Refuses to list more than [`MAX_OUTCOMES`].
pub fn allow(n_outcomes: usize) -> Result<(), Exhausted> {
    if n_outcomes > MAX_OUTCOMES {
        return Err(Exhausted::States(MAX_OUTCOMES as u64));
    }
    Ok(())
}

/// One of the possible values, for a variable whose value cannot matter.
pub fn any_one(possible: Possible) -> Possible {
    Possible::exactly(!possible.be_false)
}
