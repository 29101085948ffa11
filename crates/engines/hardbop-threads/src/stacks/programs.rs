//! Boolean programs as threads with stacks: frames are the symbols.
//!
//! Every step is one of the reference semantics, of a thread whose stack is its top frame alone: what stands below is a matter of
//! returns. The other threads are only counted, so assignments to the locals of others are not for this.

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx};
use hardbop_cfg::{Action, EdgeRef, Goal, LocRef, ProcId, Program, Spawn};
use hardbop_engine::GoalSite;
use hardbop_evidence::Event;
use hardbop_interp::goals::label_site;
use hardbop_interp::semantics::{At, Bound, Config, Frame, Semantics, Successor, Thread};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::counted::intern::Interner;
use crate::stacks::system::{Control, Initial, Shared, Step, Symbol, System, Value, Visible};

type Steps = Rc<[Step<GoalSite>]>;

/// A program and what of it has been met.
#[derive(Debug)]
pub struct Programs<'a> {
    semantics: Semantics<'a>,
    goal: &'a Goal,
    n_initial: u32,
    bound: Bound,
    shared: Interner<Shared, Bits>,
    frames: Interner<Symbol, Frame>,
    values: Interner<Value, Returned>,
    /// Procedures that threads begin with.
    starts: FxHashSet<ProcId>,
    steps: FxHashMap<(Control, Symbol, usize), Steps>,
}

/// What a procedure leaves behind: the values it returns, at their places in its scope.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Returned {
    proc: ProcId,
    values: Bits,
}

impl<'a> Programs<'a> {
    pub fn new(program: &'a Program, goal: &'a Goal, n_initial: u32, bound: Bound) -> Self {
        let mut starts = FxHashSet::from_iter([program.main]);
        for (at, edge) in program.all_edges() {
            match &edge.action {
                Action::StartThread(spawn) => match **spawn {
                    Spawn::Call { callee, .. } => starts.insert(callee),
                    Spawn::Goto(_) => starts.insert(at.proc),
                },
                _ => continue,
            };
        }
        Programs {
            semantics: Semantics::new(program),
            goal,
            n_initial,
            bound,
            shared: Interner::default(),
            frames: Interner::default(),
            values: Interner::default(),
            starts,
            steps: FxHashMap::default(),
        }
    }

    pub fn n_frames(&self) -> usize {
        self.frames.len()
    }

    /// The visible part of a configuration.
    pub fn see(&mut self, config: Config) -> Visible {
        let Config { shared, threads, holder } = config;
        let mut tops: Vec<_> =
            threads.iter().map(|thread| self.frames.id(thread.top().clone())).collect();
        let holder = holder.map(|holder| tops.remove(holder));
        Visible::new(self.shared.id(shared), holder, tops)
    }

    /// The step of the only thread that is more than its number.
    fn step(&mut self, at: Control, top: &Frame, step: Successor) -> Option<Step<GoalSite>> {
        if let Event::Violate(edge) = step.event {
            let is_goal = *self.goal == Goal::Assert;
            return is_goal.then_some(Step::Goal(GoalSite::Assert(edge)));
        }
        let Config { shared, mut threads, holder } = step.next;
        let control = Control { shared: self.shared.id(shared), held: holder == Some(0) };
        if step.ended {
            return Some(if step.event == Event::Return {
                let program = self.semantics.program;
                let mut values = Bits::new();
                for var in program.returns(top.proc) {
                    values.set(var.index(), top.locals.contains(var.index()));
                }
                let value = self.values.id(Returned { proc: top.proc, values });
                // Only a thread that ends gives the flag back, which this one need not do.
                Step::Return(Control { held: at.held, ..control }, value)
            } else {
                Step::End(control.shared)
            });
        }
        let started = step.started.then(|| threads.pop()).flatten();
        let mut stack = threads.swap_remove(0).stack;
        let below = (stack.len() == 2).then(|| stack.swap_remove(0));
        let top = self.frames.id(stack.swap_remove(0));
        Some(match (below, started) {
            (Some(below), _) => Step::Call { to: control, top, below: self.frames.id(below) },
            (None, Some(mut thread)) => {
                let started = self.frames.id(thread.stack.swap_remove(0));
                Step::Start { to: control, top, started }
            }
            (None, None) => Step::Go(control, top),
        })
    }
}

impl System for Programs<'_> {
    type Goal = GoalSite;

    fn initial(&mut self, meter: &mut Meter<'_>) -> Result<Vec<Initial>, Exhausted> {
        let configs = self.semantics.initial(self.n_initial, meter)?;
        let initial = configs.into_iter().map(|config| {
            let stacks = config.threads.into_iter().map(|thread| {
                thread.stack.into_iter().rev().map(|frame| self.frames.id(frame)).collect()
            });
            Initial { stacks: stacks.collect(), shared: self.shared.id(config.shared) }
        });
        Ok(initial.collect())
    }

    fn steps(
        &mut self,
        at: Control,
        top: Symbol,
        n_alive: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Steps, Exhausted> {
        if let Some(known) = self.steps.get(&(at, top, n_alive)) {
            return Ok(known.clone());
        }
        let frame = self.frames.get(top);
        let thread = Thread { stack: vec![(*frame).clone()] };
        let config = Config {
            shared: (*self.shared.get(at.shared)).clone(),
            // The others are there to be counted.
            threads: vec![thread; n_alive],
            holder: at.held.then_some(0),
        };
        let found = self.semantics.successors(&config, 0, self.bound, meter)?;
        let is_cut = found.hit_bound && matches!(self.bound, Bound::CutAt(_));
        let mut steps: Vec<_> = is_cut.then_some(Step::Cut).into_iter().collect();
        for step in found.successors {
            // A return counts for every stack, not only where nothing is below.
            steps.extend(self.step(at, &frame, step));
        }
        let steps: Steps = steps.into();
        self.steps.insert((at, top, n_alive), steps.clone());
        Ok(steps)
    }

    fn resume(&mut self, shared: Shared, value: Value, below: Symbol) -> Option<(Shared, Symbol)> {
        let program = self.semantics.program;
        let (frame, returned) = (self.frames.get(below), self.values.get(value));
        let At::Calling(edge) = frame.at else { return None };
        let edge = program.edge(EdgeRef { proc: frame.proc, edge });
        let Action::Call(call) = &edge.action else { return None };
        if call.callee != returned.proc {
            return None;
        }
        let mut exit = (*self.shared.get(shared)).clone();
        exit.union_with(&returned.values);
        let after = self.semantics.after_return(frame.proc, call, &frame.locals, &exit)?;
        let n_shared = program.n_shared();
        let (shared, locals) = (after.below(n_shared), after.from(n_shared));
        let top = Frame { proc: frame.proc, at: At::Loc(edge.to), locals };
        Some((self.shared.id(shared), self.frames.id(top)))
    }

    fn may_be_last(&self, value: Value) -> bool {
        self.starts.contains(&self.values.get(value).proc)
    }

    fn goal_at(&self, top: Symbol) -> Option<GoalSite> {
        let frame = self.frames.get(top);
        match frame.at {
            At::Loc(loc) => {
                let at = LocRef { proc: frame.proc, loc };
                label_site(self.semantics.program, self.goal, at)
            }
            At::Calling(_) => None,
        }
    }
}
