//! From a program with threads to a sequential one that runs the threads one after the other.
//!
//! **Computes**, for a number of context switches k, a sequential program whose one assertion can
//! fail exactly if the goal is reached by a run with k switches and not by one with fewer (A. Lal,
//! T. Reps, "Reducing concurrent analysis under a context bound to sequential analysis", CAV 2008;
//! BOOM section 5.4; SURV section 6.3). A run has k+1 contexts, in each of which one thread moves. Every
//! thread runs through all its contexts before the next thread does; each context has its own copy of
//! the shared variables, whose values at its beginning are guessed; when a thread leaves a context,
//! what it has become must be the guess of the next.
//!
//! **Departures.** Threads are started at any time: a thread is known by its first context, which is
//! chosen when it is started (or it never runs), and threads run in that order, so the creator has
//! run before. So no schedule is fixed: a thread takes any contexts that are free. A thread that
//! stops for good needs no unwinding of its stack: the next thread is *called* from there and never
//! returns. Guesses are compared as early as possible, when a context is left.
//!
//! **Invariant.** Exactly one `at` and one `first` is true. Between two original statements the
//! values of the copies `now` of the current context are those of the program.
//!
//! **Where threads switch.** Only before a statement that has to do with shared variables or other
//! threads, and not inside atomic sections: a step that concerns its thread alone can as well be
//! executed before the switch.

use hardbop_base::{Idx, IndexVec};
use hardbop_cfg::{EdgeId, Goal, ProcId, Program, VarId};

use crate::contexts::body::{Body, Origin};
use crate::contexts::control;
use crate::contexts::exprs::Exprs;
use crate::contexts::layout::Layout;
use crate::contexts::procedure;
use crate::contexts::sites::{Site, Sites, Start, bits_for};

/// How the threads of the program are limited.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Threads alive at once, if that can be reached.
    pub bound: Option<u32>,
    /// Threads that run `main` in the beginning; `None`: any number.
    pub initial: Option<u32>,
}

/// The sequential program, and what its edges mean.
#[derive(Debug)]
pub struct Sequential {
    pub program: Program,
    pub layout: Layout,
    pub origins: IndexVec<ProcId, IndexVec<EdgeId, Origin>>,
    /// The procedure of the program that each is a translation of.
    pub original: IndexVec<ProcId, Option<ProcId>>,
}

/// What the parts of the translation share.
pub struct Translation<'a> {
    pub old: &'a Program,
    pub goal: &'a Goal,
    pub limits: Limits,
    pub layout: Layout,
    pub exprs: Exprs<'a>,
    pub sites: Sites,
}

/// Procedures of the sequential program: those of the program, in order, then one for each place where
/// threads start with all locals given, then three that steer.
impl Translation<'_> {
    fn needing_all(&self) -> impl Iterator<Item = Site> + '_ {
        self.sites.0.iter().copied().filter(|site| site.start == Start::AllLocals)
    }

    /// The procedure that a thread started there runs.
    pub fn entry_of(&self, site: Site) -> ProcId {
        match self.needing_all().position(|it| it == site) {
            Some(position) => ProcId::new(self.old.procs.len() + position),
            None => site.proc,
        }
    }

    fn steering(&self, position: usize) -> ProcId {
        ProcId::new(self.old.procs.len() + self.needing_all().count() + position)
    }

    pub fn advance(&self) -> ProcId {
        self.steering(0)
    }

    pub fn switch(&self) -> ProcId {
        self.steering(1)
    }

    pub fn main(&self) -> ProcId {
        self.steering(2)
    }

    pub fn site_bits(&self, context: usize) -> Vec<VarId> {
        (0..self.layout.n_site).map(|bit| self.layout.site(context, bit)).collect()
    }
}

/// The sequential program for so many switches.
pub fn translate(old: &Program, goal: &Goal, limits: Limits, n_switches: usize) -> Sequential {
    let sites = Sites::of(old);
    let layout = Layout {
        last: n_switches,
        n_program: old.n_shared(),
        n_alive: limits.bound.map_or(0, |bound| bits_for(bound as usize)),
        n_site: sites.n_bits(),
        n_store: sites.n_values(old),
    };
    let exprs = Exprs::new(&old.exprs, layout);
    let mut it = Translation { old, goal, limits, layout, exprs, sites };
    let (mut procs, mut origins) = (IndexVec::new(), IndexVec::new());
    let mut original = IndexVec::new();
    let mut push = |body: Body, of: Option<ProcId>| {
        let (proc, meaning) = body.finish();
        procs.push(proc);
        origins.push(meaning);
        original.push(of);
    };
    for proc in old.procs.ids() {
        push(procedure::translate(&mut it, proc, None), Some(proc));
    }
    for Site { proc, loc, .. } in it.needing_all().collect::<Vec<_>>() {
        push(procedure::translate(&mut it, proc, Some(loc)), Some(proc));
    }
    push(control::advance(&mut it), None);
    push(control::switch(&mut it), None);
    push(control::main(&mut it), None);
    let init = control::init(&mut it);
    let (main, shared) = (it.main(), layout.infos(old));
    let program = Program { shared, init, procs, main, exprs: it.exprs.pool };
    hardbop_cfg::expect_verified(&program, "sequentialization");
    Sequential { program, layout, origins, original }
}
