//! Configurations: everything a running program is.

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted};
use hardbop_cfg::{EdgeId, Loc, LocRef, ProcId, Program};

use super::Semantics;
use super::product::allow;

/// The shared variables, the threads alive and who holds the atomic flag.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Config {
    /// Bits below `n_shared`.
    pub shared: Bits,
    pub threads: Vec<Thread>,
    /// Position in `threads` of the thread inside `atomic_begin … atomic_end`.
    pub holder: Option<usize>,
}

/// A thread is its stack, bottom first, never empty.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Thread {
    pub stack: Vec<Frame>,
}

/// An activation of a procedure.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Frame {
    pub proc: ProcId,
    pub at: At,
    /// Bits from `n_shared` on.
    pub locals: Bits,
}

/// Where a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum At {
    /// Before the statement of a location, or at the exit. Only the top of a stack.
    Loc(Loc),
    /// Waiting for the call on this edge to return. Never the top of a stack.
    Calling(EdgeId),
}

impl Thread {
    /// A thread with one frame, from a scope valuation.
    pub fn at(program: &Program, proc: ProcId, loc: Loc, scope: &Bits) -> Self {
        let locals = scope.from(program.n_shared());
        Thread { stack: vec![Frame { proc, at: At::Loc(loc), locals }] }
    }

    pub fn top(&self) -> &Frame {
        self.stack.last().expect("a thread without frames has ended and is not kept")
    }

    /// Where control is.
    pub fn loc(&self) -> LocRef {
        let top = self.top();
        match top.at {
            At::Loc(loc) => LocRef { proc: top.proc, loc },
            At::Calling(_) => unreachable!("a frame that waits has the callee above it"),
        }
    }
}

impl Config {
    /// The scope of a thread's top frame.
    pub fn scope(&self, thread: usize) -> Bits {
        let mut scope = self.shared.clone();
        scope.union_with(&self.threads[thread].top().locals);
        scope
    }

    /// The representative of all configurations that differ in the order of threads only.
    pub fn canonical(mut self) -> Config {
        let holder = self.holder;
        let mut marked: Vec<(Thread, bool)> =
            self.threads.drain(..).enumerate().map(|(i, it)| (it, holder == Some(i))).collect();
        marked.sort_unstable();
        self.holder = marked.iter().position(|&(_, holds)| holds);
        self.threads = marked.into_iter().map(|(thread, _)| thread).collect();
        self
    }
}

impl Semantics<'_> {
    /// All initial configurations with `n_threads` threads at the entry of `main` (design section
    /// 2, item 10), in canonical form and without repetition.
    pub fn initial(&self, n_threads: u32, meter: &mut Meter<'_>) -> Result<Vec<Config>, Exhausted> {
        let main = self.program.main;
        let entry = self.program.procs[main].entry;
        let mut configs = Vec::new();
        for shared in self.initial_shared(meter)? {
            let scopes = self.main_entries(&shared, meter)?;
            let mut starts: Vec<Thread> =
                scopes.iter().map(|scope| Thread::at(self.program, main, entry, scope)).collect();
            starts.sort_unstable();
            for threads in multisets(&starts, n_threads, meter)? {
                configs.push(Config { shared: shared.clone(), threads, holder: None });
            }
            allow(configs.len())?;
        }
        Ok(configs)
    }
}

/// All sorted lists of `n` of the given threads, which are sorted and distinct.
fn multisets(
    starts: &[Thread],
    n: u32,
    meter: &mut Meter<'_>,
) -> Result<Vec<Vec<Thread>>, Exhausted> {
    // Each list with the position its next element may have at least.
    let mut lists = vec![(Vec::new(), 0)];
    for _ in 0..n {
        let mut longer = Vec::new();
        for (list, from) in lists {
            for (at, start) in starts.iter().enumerate().skip(from) {
                meter.tick()?;
                let mut list: Vec<Thread> = list.clone();
                list.push(start.clone());
                longer.push((list, at));
            }
            allow(longer.len())?;
        }
        lists = longer;
    }
    Ok(lists.into_iter().map(|(list, _)| list).collect())
}
