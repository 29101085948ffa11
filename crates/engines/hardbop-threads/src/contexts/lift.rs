//! From a run of the sequential program to a run of the threads.
//!
//! The sequential run has the steps of each thread in a row, each in its context; sorted by context
//! they are the run of the program. What a thread starts with is seen when it begins to run, later
//! in the sequential run than it is started.

use std::collections::BTreeMap;

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Action, EdgeRef, ExprId, Goal, ProcId, Program, Spawn};
use hardbop_engine::GoalSite;
use hardbop_evidence::{Event, FrameUpdate, Initial, Step, ThreadIx, Trace};

use crate::contexts::body::{Origin, Started};
use crate::contexts::sites::Site;
use crate::contexts::translate::{Limits, Sequential};

/// The run of the program, and where it reaches the goal; `None` if the run makes no sense, which is
/// a mistake of ours.
pub fn lift(
    old: &Program,
    goal: &Goal,
    limits: Limits,
    sequential: &Sequential,
    trace: &Trace,
) -> Option<(GoalSite, Trace)> {
    let mut reader = Reader {
        old,
        goal,
        sequential,
        stack: vec![(None, Origin::Silent)],
        happened: vec![Vec::new(); sequential.layout.n_contexts()],
        begins: BTreeMap::new(),
        also_initial: Vec::new(),
        site: None,
    };
    for step in &trace.steps {
        reader.step(step)?;
    }
    let shared = reader.shared(&trace.initial.shared, 0);
    let (trace, site) = (reader.assemble(limits, shared)?, reader.site?);
    Some((site, trace))
}

/// A step of a thread, which is known by its first context.
#[derive(Clone)]
struct Happened {
    thread: usize,
    event: Event,
    after: Bits,
    started: Option<New>,
}

/// A thread that was started.
#[derive(Clone)]
enum New {
    /// It never runs and has these locals.
    Idle(Bits),
    In(usize),
}

struct Reader<'a> {
    old: &'a Program,
    goal: &'a Goal,
    sequential: &'a Sequential,
    /// The procedures, as they are in the program, and what each was called by.
    stack: Vec<(Option<ProcId>, Origin)>,
    /// By context.
    happened: Vec<Vec<Happened>>,
    /// The locals each thread begins with.
    begins: BTreeMap<usize, Bits>,
    also_initial: Vec<usize>,
    site: Option<GoalSite>,
}

impl Reader<'_> {
    fn step(&mut self, step: &Step) -> Option<()> {
        match step.event {
            // The assertion of the sequential program itself.
            Event::Violate(_) => {}
            Event::Over(..) => return None,
            Event::Return => {
                let (_, origin) = self.stack.pop()?;
                match origin {
                    Origin::Take(_) => {
                        let after = self.scope(&step.after)?;
                        self.push(&step.after, Event::Return, after, None)?;
                    }
                    Origin::Begin(_) => self.end(&step.after, Event::Return)?,
                    _ => {}
                }
            }
            Event::Take(edge) => self.take(edge, &step.after)?,
        }
        Some(())
    }

    fn take(&mut self, at: EdgeRef, after: &Bits) -> Option<()> {
        let origin = self.sequential.origins[at.proc][at.edge];
        if let Action::Call(call) = &self.sequential.program.edge(at).action {
            self.stack.push((self.sequential.original[call.callee], origin));
        }
        match origin {
            Origin::Silent => {}
            Origin::Take(edge) if self.old.edge(edge).action == Action::EndThread => {
                self.end(after, Event::Take(edge))?;
            }
            Origin::Take(edge) | Origin::CallAndStore(edge) => {
                let scope = self.scope(after)?;
                self.push(after, Event::Take(edge), scope, None)?;
            }
            Origin::Stored => {
                let scope = self.scope(after)?;
                self.push(after, Event::Return, scope, None)?;
            }
            Origin::Violate(edge) => {
                let scope = self.scope(after)?;
                self.push(after, Event::Violate(edge), scope, None)?;
                self.site = Some(GoalSite::Assert(edge));
            }
            Origin::Reach(at) => {
                if let Goal::Label(name) = self.goal {
                    self.site = Some(GoalSite::Label(at, name.clone()));
                }
            }
            Origin::Start(edge, started) => self.start(edge, started, after)?,
            Origin::Begin(thread) => {
                let locals = self.scope(after)?.from(self.old.n_shared());
                self.begins.insert(thread, locals);
            }
            Origin::AlsoInitial(thread) => self.also_initial.push(thread),
        }
        Some(())
    }

    fn start(&mut self, edge: EdgeRef, started: Started, after: &Bits) -> Option<()> {
        let scope = self.scope(after)?;
        let Action::StartThread(spawn) = &self.old.edge(edge).action else { return None };
        let new = match started {
            Started::None => None,
            Started::In(thread) => Some(New::In(thread)),
            Started::Idle => Some(New::Idle(self.idle(edge.proc, spawn, &scope, after))),
        };
        self.push(after, Event::Take(edge), scope, new)?;
        // A thread that begins at the label reaches it without a step of its own.
        let site = Site::of(self.old, edge.proc, spawn);
        if after.contains(self.sequential.layout.error().index())
            && let Goal::Label(name) = self.goal
            && self.site.is_none()
        {
            let at = hardbop_cfg::LocRef { proc: site.proc, loc: site.loc };
            self.site = Some(GoalSite::Label(at, name.clone()));
        }
        Some(())
    }

    /// The locals of a thread that never runs: any that it could begin with.
    fn idle(&self, creator: ProcId, spawn: &Spawn, scope: &Bits, after: &Bits) -> Bits {
        let n_shared = self.old.n_shared();
        let Spawn::Call { callee, args } = spawn else { return scope.from(n_shared) };
        let body = &self.old.procs[*callee];
        if body.enforce.is_some() {
            let layout = self.sequential.layout;
            let first = layout.n_shared() + self.old.procs[creator].locals.len();
            let given = (0..body.locals.len()).filter(|n| after.contains(first + n));
            return given.map(|n| n_shared + n).collect();
        }
        let may_be_true = |arg: &ExprId| self.old.exprs.eval(*arg, scope, scope).be_true;
        let formals = self.old.formals(*callee).zip(args);
        formals.filter(|(_, arg)| may_be_true(arg)).map(|(var, _)| var.index()).collect()
    }

    /// A thread ends.
    fn end(&mut self, after: &Bits, event: Event) -> Option<()> {
        let shared = self.shared(after, self.context(after)?);
        self.push(after, event, shared, None)
    }

    fn push(&mut self, now: &Bits, event: Event, after: Bits, new: Option<New>) -> Option<()> {
        let layout = self.sequential.layout;
        let is_first = |&context: &usize| now.contains(layout.first(context).index());
        let thread = (0..layout.n_contexts()).find(is_first)?;
        let context = self.context(now)?;
        self.happened[context].push(Happened { thread, event, after, started: new });
        Some(())
    }

    fn context(&self, now: &Bits) -> Option<usize> {
        let layout = self.sequential.layout;
        (0..layout.n_contexts()).find(|&context| now.contains(layout.at(context).index()))
    }

    /// The shared variables of the program in a context.
    fn shared(&self, now: &Bits, context: usize) -> Bits {
        let layout = self.sequential.layout;
        let is_true = |var: &usize| now.contains(layout.now(context, *var).index());
        (0..layout.n_program).filter(is_true).collect()
    }

    /// The scope of the running thread's top frame.
    fn scope(&self, now: &Bits) -> Option<Bits> {
        let proc = self.stack.last()?.0?;
        let mut scope = self.shared(now, self.context(now)?);
        let first = self.sequential.layout.n_shared();
        for local in 0..self.old.procs[proc].locals.len() {
            if now.contains(first + local) {
                scope.insert(self.old.n_shared() + local);
            }
        }
        Some(scope)
    }

    /// The steps in their order in time, the threads numbered in order of creation.
    fn assemble(&self, limits: Limits, shared: Bits) -> Option<Trace> {
        let mut number: BTreeMap<usize, ThreadIx> = BTreeMap::new();
        let mut locals = Vec::new();
        for &thread in [0].iter().chain(&self.also_initial) {
            number.insert(thread, ThreadIx::new(locals.len()));
            locals.push(self.begins.get(&thread)?.clone());
        }
        // Initial threads that never run begin as the first one does.
        let n_initial = limits.initial.map_or(locals.len(), |n| n as usize);
        locals.resize(n_initial, locals[0].clone());
        let mut n_threads = n_initial;
        let mut steps = Vec::new();
        for it in self.happened.iter().flatten() {
            let thread = *number.get(&it.thread)?;
            let mut others = Vec::new();
            if let Some(new) = &it.started {
                let new_thread = ThreadIx::new(n_threads);
                n_threads += 1;
                let locals = match new {
                    New::Idle(locals) => locals.clone(),
                    New::In(first) => {
                        number.insert(*first, new_thread);
                        self.begins.get(first)?.clone()
                    }
                };
                others.push(FrameUpdate { thread: new_thread, frame: 0, locals });
            }
            steps.push(Step { thread, event: it.event, after: it.after.clone(), others });
        }
        Some(Trace::flat(Initial { shared, locals }, steps))
    }
}
