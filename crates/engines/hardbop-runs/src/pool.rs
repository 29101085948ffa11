//! Inputs worth keeping: of runs that came to something new, and of the longest that an assumption
//! ended. The next plans are variations of them.

use std::sync::Arc;

use hardbop_base::rng::Rng;

/// Runs kept; the older half goes when there are more.
const MAX_RUNS: usize = 128;
/// Inputs of a run that is kept.
const MAX_INPUTS: usize = 4_000;
/// Inputs before a failed assumption that it is likely to be about.
const LAST: usize = 3;

/// After so many variations that get no further, another takes its place.
const MAX_REPAIRS: u32 = 100;

/// Inputs of a run.
#[derive(Clone, Debug)]
struct Kept {
    inputs: Arc<[u128]>,
    fixes_all: bool,
}

/// A start for a plan: inputs to repeat, and which of them to draw again.
pub struct Start {
    pub prefix: Arc<[u128]>,
    pub redrawn: Vec<usize>,
    pub fixes_all: bool,
}

#[derive(Clone, Default, Debug)]
pub struct Pool {
    news: Vec<Kept>,
    refused: Option<Refused>,
}

/// What an assumption ended.
#[derive(Clone, Debug)]
struct Refused {
    kept: Kept,
    n_steps: u64,
    n_used: u32,
}

impl Pool {
    pub fn keep_new(&mut self, inputs: impl ExactSizeIterator<Item = u128>, fixes_all: bool) {
        if inputs.len() == 0 || inputs.len() > MAX_INPUTS {
            return;
        }
        if self.news.len() == MAX_RUNS {
            self.news.drain(..MAX_RUNS / 2);
        }
        self.news.push(Kept { inputs: inputs.collect(), fixes_all });
    }

    /// Those of a run that failed an assumption after so many steps.
    pub fn keep_refused(
        &mut self,
        inputs: impl ExactSizeIterator<Item = u128>,
        fixes_all: bool,
        n_steps: u64,
    ) {
        let is_further = |known: &Refused| n_steps >= known.n_steps || known.n_used > MAX_REPAIRS;
        if (1..=MAX_INPUTS).contains(&inputs.len()) && self.refused.as_ref().is_none_or(is_further)
        {
            let kept = Kept { inputs: inputs.collect(), fixes_all };
            self.refused = Some(Refused { kept, n_steps, n_used: 0 });
        }
    }

    /// A run of so many steps failed none.
    pub fn forget_refused(&mut self, n_steps: u64) {
        self.refused.take_if(|it| n_steps > it.n_steps);
    }

    /// `None` says to begin anew.
    pub fn start(&mut self, rng: &mut Rng) -> Option<Start> {
        if let Some(refused) = &mut self.refused
            && rng.chance(60)
        {
            refused.n_used += 1;
            let n = refused.kept.inputs.len();
            return Some(refused.kept.cut(n.saturating_sub(rng.within((1, LAST)))));
        }
        if rng.chance(30) {
            return None;
        }
        // The newer of two: what was hard to come to was found late.
        let at = rng.below(self.news.len()).max(rng.below(self.news.len()));
        let kept = self.news.get(at)?;
        let n = kept.inputs.len();
        Some(match rng.below(10) {
            0..=3 => kept.cut(rng.below(n)),
            // A loop that asks whether to go on has fewer rounds.
            4..=5 => kept.without(rng.below(n), rng.within((1, n))),
            _ => {
                let redrawn = (0..rng.within((1, 3))).map(|_| rng.below(n)).collect();
                Start { redrawn, ..kept.cut(n) }
            }
        })
    }
}

impl Kept {
    fn cut(&self, n: usize) -> Start {
        let prefix = self.inputs[..n].into();
        Start { prefix, redrawn: Vec::new(), fixes_all: self.fixes_all }
    }

    /// All but up to `n` from there on.
    fn without(&self, at: usize, n: usize) -> Start {
        let end = (at + n).min(self.inputs.len());
        let prefix = [&self.inputs[..at], &self.inputs[end..]].concat().into();
        Start { prefix, redrawn: Vec::new(), fixes_all: self.fixes_all }
    }
}
