//! What the engines have found about a net, in the words of a certificate.

use hardbop_evidence::threads::Count;
use hardbop_evidence::{NetBound, NetProof, NetSet, NetState};
use hardbop_net::{Marking, Question};

use crate::cover::counts::{LocalId, OMEGA};
use crate::cover::system::{ControlId, State};

/// All states below these ones.
pub fn cover(question: &Question, states: &[&State]) -> NetProof {
    let mut states: Vec<_> = states.iter().map(|state| to_net_state(state)).collect();
    states.sort_unstable();
    proof(question, NetSet::Cover(states))
}

/// All states whose places are among `occurs`, that are above none of `never` and within the bounds.
pub fn views<'p>(
    question: &Question,
    occurs: impl Iterator<Item = (ControlId, &'p [LocalId])>,
    never: &[&State],
    bounds: Vec<NetBound>,
) -> NetProof {
    let mut occurs: Vec<_> = occurs
        .map(|(control, locals)| {
            let mut places: Vec<u32> = locals.iter().map(|local| local.as_u32()).collect();
            places.sort_unstable();
            (control.as_u32(), places)
        })
        .collect();
    occurs.sort_unstable();
    let mut never: Vec<_> = never.iter().map(|state| to_net_state(state)).collect();
    never.sort_unstable();
    proof(question, NetSet::Views { occurs, never, bounds })
}

/// The question as a certificate puts it.
pub fn proof(question: &Question, set: NetSet) -> NetProof {
    let most =
        |range: &hardbop_net::Range| (range.place, range.high.map_or(Count::OMEGA, Count::finite));
    let counts = question.initial.ranges.iter().map(most).filter(|(_, n)| !n.is_zero()).collect();
    let initial = NetState { control: question.initial.control, counts };
    let target = |marking: &Marking| NetState {
        control: marking.control,
        counts: marking.counts.iter().map(|&(place, n)| (place, Count::finite(n))).collect(),
    };
    NetProof { initial, targets: question.targets.iter().map(target).collect(), set }
}

fn to_net_state(state: &State) -> NetState {
    let count = |n| if n == OMEGA { Count::OMEGA } else { Count::finite(n) };
    let counts = state.counts.iter().map(|(local, n)| (local.as_u32(), count(n))).collect();
    NetState { control: state.control.as_u32(), counts }
}
