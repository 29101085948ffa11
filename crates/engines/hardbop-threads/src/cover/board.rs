//! What engines that answer the same question side by side tell each other.
//!
//! Two kinds of facts, both independent of what is to be covered: thread states that *are* covered (found
//! by the forward search and by bounded runs), and states that are *never* covered (proved by the cutoff
//! test on the way). A backward search that meets a covered thread state has found a run; what it finds
//! above a state that is never covered it need not follow. Bounded runs learn that they miss something.
//!
//! Every engine numbers states as it meets them, so facts are told in words: see [`Word`].

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use hardbop_base::Bits;
use hardbop_engine::RunCtx;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::cover::counts::{Counts, LocalId};
use crate::cover::modular::Modular;
use crate::cover::system::{ControlId, State, System};

/// What all systems of the same question call a control state or a local state.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Word {
    pub numbers: SmallVec<[u32; 4]>,
    pub values: SmallVec<[Bits; 2]>,
}

/// A control state with a thread in a local state beside, or alone.
type Pair = (Word, Option<Word>);

/// Who writes never waits long: whatever needs time is done outside of the lock.
#[derive(Debug, Default)]
pub struct Board {
    facts: Mutex<Facts>,
    n_covered: AtomicUsize,
    n_never: AtomicUsize,
}

#[derive(Debug, Default)]
struct Facts {
    covered: FxHashSet<Pair>,
    never: Vec<(Word, Vec<(Word, u32)>)>,
}

impl Board {
    /// `None` for an engine that runs alone.
    pub fn of(ctx: &RunCtx) -> Option<Arc<Board>> {
        ctx.exchange.as_ref()?.board()
    }

    pub fn is_covered(&self, system: &dyn System, control: ControlId, local: LocalId) -> bool {
        let pair = (system.control_word(control), Some(system.local_word(local)));
        self.facts().covered.contains(&pair)
    }

    pub fn tell_never(&self, system: &dyn System, states: &[State]) {
        let in_words = states.iter().map(|State { control, counts }| {
            let counts = counts.iter().map(|(local, n)| (system.local_word(local), n));
            (system.control_word(*control), counts.collect())
        });
        let in_words: Vec<_> = in_words.collect();
        self.n_never.fetch_add(in_words.len(), Ordering::Release);
        self.facts().never.extend(in_words);
    }

    /// Facts are added one by one: what a thread that panicked has left is right.
    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Tells of covered thread states, each once.
#[derive(Debug)]
pub struct Reporter {
    board: Arc<Board>,
    said: FxHashSet<(ControlId, Option<LocalId>)>,
    pending: Vec<Pair>,
    n_notes: usize,
}

/// Facts are told when there are so many, or after so many states.
const BATCH: usize = 32;
const PATIENCE: usize = 256;

impl Reporter {
    pub fn of(ctx: &RunCtx) -> Option<Reporter> {
        let board = Board::of(ctx)?;
        Some(Reporter { board, said: FxHashSet::default(), pending: Vec::new(), n_notes: 0 })
    }

    /// All threads of a state that is covered.
    pub fn note(&mut self, system: &dyn System, state: &State) {
        for local in std::iter::once(None).chain(state.counts.locals().map(Some)) {
            self.note_pair(system, state.control, local);
        }
        self.n_notes += 1;
        if self.pending.len() >= BATCH || self.n_notes.is_multiple_of(PATIENCE) {
            self.flush();
        }
    }

    pub fn note_pair(&mut self, system: &dyn System, control: ControlId, local: Option<LocalId>) {
        if self.said.insert((control, local)) {
            let local = local.map(|local| system.local_word(local));
            self.pending.push((system.control_word(control), local));
        }
    }

    pub fn flush(&mut self) {
        if !self.pending.is_empty() {
            self.board.n_covered.fetch_add(self.pending.len(), Ordering::Release);
            self.board.facts().covered.extend(self.pending.drain(..));
        }
    }
}

/// An engine that gives up has still found what it found.
impl Drop for Reporter {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Hears of both kinds of facts.
#[derive(Debug)]
pub struct Listener {
    board: Arc<Board>,
    /// States with at most one thread that somebody wants to be covered, by the listener's numbers.
    wanted: Vec<(u32, Pair)>,
    n_wanted: usize,
    n_covered: usize,
    n_never: usize,
    names: Option<Names>,
}

#[derive(Debug)]
struct Names {
    controls: FxHashMap<Word, ControlId>,
    locals: FxHashMap<Word, LocalId>,
}

impl Listener {
    pub fn of(ctx: &RunCtx) -> Option<Listener> {
        let board = Board::of(ctx)?;
        let (wanted, names) = (Vec::new(), None);
        Some(Listener { board, wanted, n_wanted: 0, n_covered: 0, n_never: 0, names })
    }

    /// Asks to be told if a state is covered; states with several threads are never told of.
    pub fn want(&mut self, system: &dyn System, number: u32, state: &State) {
        let mut threads = state.counts.iter();
        let pair = match (threads.next(), threads.next()) {
            (None, _) => (system.control_word(state.control), None),
            (Some((local, 1)), None) => {
                (system.control_word(state.control), Some(system.local_word(local)))
            }
            _ => return,
        };
        self.wanted.push((number, pair));
    }

    /// A wanted state that is covered by now.
    pub fn covered(&mut self) -> Option<u32> {
        let n_covered = self.board.n_covered.load(Ordering::Acquire);
        // Nothing new on either side.
        if n_covered == self.n_covered && self.n_wanted == self.wanted.len() {
            return None;
        }
        (self.n_covered, self.n_wanted) = (n_covered, self.wanted.len());
        let facts = self.board.facts();
        self.wanted.iter().find(|(_, pair)| facts.covered.contains(pair)).map(|(number, _)| *number)
    }

    /// States that are never covered, as far as not told before. All that occurs is in `modular`: a
    /// state with a word for something else needs not be excluded.
    pub fn never(&mut self, system: &dyn System, modular: &Modular) -> Vec<State> {
        if self.board.n_never.load(Ordering::Acquire) == self.n_never {
            return Vec::new();
        }
        let told = self.board.facts().never[self.n_never..].to_vec();
        self.n_never += told.len();
        let names = self.names.get_or_insert_with(|| Names::of(system, modular));
        let translated = told.into_iter().filter_map(|(control, counts)| {
            let counts = counts.iter().map(|(local, n)| Some((*names.locals.get(local)?, *n)));
            let counts = counts.collect::<Option<Counts>>()?;
            Some(State { control: *names.controls.get(&control)?, counts })
        });
        translated.collect()
    }
}

impl Names {
    fn of(system: &dyn System, modular: &Modular) -> Self {
        let controls = modular.controls();
        let locals = controls.iter().flat_map(|&control| modular.locals(control));
        let locals: FxHashSet<LocalId> = locals.copied().collect();
        Names {
            controls: controls.iter().map(|&it| (system.control_word(it), it)).collect(),
            locals: locals.iter().map(|&it| (system.local_word(it), it)).collect(),
        }
    }
}
