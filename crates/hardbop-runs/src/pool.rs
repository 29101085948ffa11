//! Inputs worth keeping: of runs that came to something new, and of the last one that an assumption
//! ended. The next plans are variations of them.

use std::sync::Arc;

use hardbop_base::rng::Rng;

/// Runs kept; the older half goes when there are more.
const MAX_RUNS: usize = 128;
/// Inputs of a run that is kept.
const MAX_INPUTS: usize = 4_000;
/// Inputs before a failed assumption that it is likely to be about.
const LAST: usize = 3;

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
    refused: Option<Kept>,
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

    /// Those of the last run that failed an assumption, if it did.
    pub fn keep_refused(&mut self, inputs: Option<Vec<u128>>, fixes_all: bool) {
        let inputs = inputs.filter(|it| !it.is_empty() && it.len() <= MAX_INPUTS);
        self.refused = inputs.map(|it| Kept { inputs: it.into(), fixes_all });
    }

    /// `None` says to begin anew.
    pub fn start(&self, rng: &mut Rng) -> Option<Start> {
        if let Some(kept) = &self.refused
            && rng.chance(60)
        {
            let n = kept.inputs.len();
            return Some(kept.cut(n.saturating_sub(rng.within((1, LAST)))));
        }
        if rng.chance(30) {
            return None;
        }
        // The newer of two: what was hard to come to was found late.
        let at = rng.below(self.news.len()).max(rng.below(self.news.len()));
        let kept = self.news.get(at)?;
        let n = kept.inputs.len();
        if rng.chance(40) {
            return Some(kept.cut(rng.below(n)));
        }
        let redrawn = (0..rng.within((1, 3))).map(|_| rng.below(n)).collect();
        Some(Start { redrawn, ..kept.cut(n) })
    }
}

impl Kept {
    fn cut(&self, n: usize) -> Start {
        let prefix = self.inputs[..n].into();
        Start { prefix, redrawn: Vec::new(), fixes_all: self.fixes_all }
    }
}
