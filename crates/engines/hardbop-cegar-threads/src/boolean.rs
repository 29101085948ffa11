//! The concurrent Boolean program: one procedure with the cuts of all roles as locations, one variable for each
//! predicate, shared or local as that is, one parallel assignment for each step.
//!
//! A thread is started at the first location of its role, in a state that its first step gives it. Where
//! a step ends inside an atomic section the flag of the program is taken.

use std::collections::BTreeMap;

use hardbop_base::{Bits, IndexVec};
use hardbop_cfg::{
    Action, Assign, EdgeId, Expr, ExprId, ExprPool, Loc, ProcBuilder, ProcId, Program, Spawn,
    VarId, VarInfo,
};
use hardbop_evidence::{Event, Trace};

use crate::abstraction::{Abstraction, Clause, Cube, Effect, Literal, When};
use crate::model::{CutId, Model, RoleId, StepId, Target};
use crate::predicates::Predicates;

pub struct Boolean {
    pub program: Program,
    /// The step that an edge stands for.
    steps: BTreeMap<EdgeId, StepId>,
    /// The role that an edge starts a thread of.
    starts: BTreeMap<EdgeId, RoleId>,
    /// Of each predicate.
    vars: Vec<VarId>,
    n_shared: usize,
}

/// A step of a trace: who, which, and the predicates that the thread sees before and after.
#[derive(Clone, Debug)]
pub struct Move {
    pub thread: usize,
    pub step: StepId,
    pub before: Vec<Literal>,
    pub after: Vec<Literal>,
}

pub fn build(
    model: &Model,
    predicates: &Predicates,
    abstraction: &Abstraction,
    effects: &IndexVec<StepId, Effect>,
    names: &[String],
) -> Boolean {
    let (mut shared, mut locals) = (Vec::new(), Vec::new());
    let n_shared = predicates.all.iter().filter(|it| it.role.is_none()).count();
    let mut vars = Vec::new();
    for (predicate, name) in predicates.all.iter().zip(names) {
        let info = VarInfo { name: name.as_str().into(), span: None };
        let at = match predicate.role {
            None => {
                shared.push(info);
                shared.len() - 1
            }
            Some(_) => {
                locals.push(info);
                n_shared + locals.len() - 1
            }
        };
        vars.push(VarId::from_u32(at as u32));
    }
    let mut proc = ProcBuilder::new("main".into(), None);
    proc.locals(locals, 0, 0);
    let locs: IndexVec<CutId, Loc> = model.cuts.iter().map(|it| proc.loc(Some(it.span))).collect();
    let wrong = proc.loc(None);
    let mut exprs = ExprPool::default();
    let no = exprs.constant(false);
    let mut writer = Writer {
        proc,
        exprs,
        vars: &vars,
        n_out: BTreeMap::new(),
        steps: BTreeMap::new(),
        starts: BTreeMap::new(),
    };
    let exit = writer.proc.exit();
    writer.edge(wrong, Action::Assert(no), exit);
    for (id, step) in model.steps.iter_enumerated() {
        let effect = &effects[id];
        if effect.is_impossible {
            continue;
        }
        let action = writer.action(abstraction, effect, id);
        let mut from = locs[step.from];
        let is_inside = |cut: CutId| model.cuts[cut].place.is_some_and(|it| it.atomic.is_some());
        let to_inside = matches!(step.to, Target::Cut(to) if is_inside(to));
        if to_inside && !is_inside(step.from) {
            let begun = writer.proc.loc(Some(step.span));
            writer.edge(from, Action::AtomicBegin, begun);
            from = begun;
        }
        let to = match &step.to {
            Target::Cut(to) => locs[*to],
            Target::Error(_) | Target::Unsupported(..) => wrong,
            Target::Ended => exit,
        };
        // Assignment, threads, end of the section, end of the thread: a location between each two.
        let mut chain: Vec<(Action, Option<RoleId>)> = Vec::new();
        for &role in &step.starts {
            let entry = locs[model.entries[&role]];
            chain.push((Action::StartThread(Box::new(Spawn::Goto(entry))), Some(role)));
        }
        if is_inside(step.from) && !to_inside {
            chain.push((Action::AtomicEnd, None));
        }
        if step.to == Target::Ended {
            chain.push((Action::EndThread, None));
        }
        let mut at = match chain.is_empty() {
            true => to,
            false => writer.proc.loc(Some(step.span)),
        };
        let place = writer.edge(from, action, at);
        writer.steps.insert(place, id);
        let n = chain.len();
        for (number, (action, role)) in chain.into_iter().enumerate() {
            let next = if number + 1 == n { to } else { writer.proc.loc(Some(step.span)) };
            let place = writer.edge(at, action, next);
            if let Some(role) = role {
                writer.starts.insert(place, role);
            }
            at = next;
        }
    }
    let main = model.roles.iter_enumerated().find(|it| it.1.start == crate::model::Start::Main);
    let main = main.map(|(id, _)| id).and_then(|it| model.entries.get(&it)).map(|&it| locs[it]);
    writer.proc.entry(main.unwrap_or(exit));
    let Writer { proc, exprs, steps, starts, .. } = writer;
    let proc = proc.finish();
    // Edges are sorted by source, in the order they were added.
    let id = |(loc, nth): (Loc, usize)| {
        proc.out_edges(loc).nth(nth).map_or_else(|| EdgeId::from_u32(u32::MAX), |it| it.0)
    };
    let steps = steps.into_iter().map(|(place, step)| (id(place), step)).collect();
    let starts = starts.into_iter().map(|(place, role)| (id(place), role)).collect();
    let mut procs = IndexVec::new();
    let main = procs.push(proc);
    let program = Program { shared, init: Vec::new(), procs, main, exprs };
    Boolean { program, steps, starts, vars, n_shared }
}

struct Writer<'a> {
    proc: ProcBuilder,
    exprs: ExprPool,
    vars: &'a [VarId],
    n_out: BTreeMap<Loc, usize>,
    steps: BTreeMap<(Loc, usize), StepId>,
    starts: BTreeMap<(Loc, usize), RoleId>,
}

impl Writer<'_> {
    fn edge(&mut self, from: Loc, action: Action, to: Loc) -> (Loc, usize) {
        let n = self.n_out.entry(from).or_default();
        let place = (from, *n);
        *n += 1;
        self.proc.edge(from, action, to);
        place
    }

    fn action(&mut self, abstraction: &Abstraction, effect: &Effect, step: StepId) -> Action {
        let mut conditions = Vec::new();
        if !effect.never.is_empty() {
            let never = self.any_of(&effect.never);
            conditions.push(self.exprs.not(never));
        }
        let mut targets = Vec::new();
        for (&at, values) in &effect.changes {
            let (yes, no) = (self.any_of(&values.yes), self.any_of(&values.no));
            let value = match (self.exprs.get(yes), self.exprs.get(no)) {
                (Expr::Const(true), _) => self.exprs.constant(true),
                (_, Expr::Const(true)) => self.exprs.constant(false),
                (Expr::Const(false), Expr::Const(false)) => self.exprs.add(Expr::Choice),
                _ => self.exprs.add(Expr::Schoose(yes, no)),
            };
            targets.push((self.vars[at], value));
        }
        let is_changed = |at: usize| effect.changes.contains_key(&at);
        for clause in abstraction.learned.get(&step).into_iter().flatten() {
            conditions.push(self.clause(clause));
        }
        for state in &abstraction.contradictions {
            if state.iter().any(|&(at, _)| is_changed(at)) {
                let clause: Clause = state
                    .iter()
                    .map(|&(at, value)| {
                        (if is_changed(at) { When::After } else { When::Before }, at, value)
                    })
                    .collect();
                conditions.push(self.clause(&clause));
            }
        }
        let condition = conditions.into_iter().reduce(|a, b| self.exprs.and(a, b));
        match (targets.is_empty(), condition) {
            (true, None) => Action::Skip,
            (true, Some(condition)) => Action::Assume(condition),
            (false, constrain) => {
                Action::Assign(Box::new(Assign { targets, broadcast: Vec::new(), constrain }))
            }
        }
    }

    /// Not all of its literals hold.
    fn clause(&mut self, clause: &Clause) -> ExprId {
        let mut any = self.exprs.constant(false);
        for &(when, at, value) in clause {
            let var = match when {
                When::Before => self.exprs.var(self.vars[at]),
                When::After => self.exprs.add(Expr::Next(self.vars[at])),
            };
            let literal = if value { self.exprs.not(var) } else { var };
            any = self.or(any, literal);
        }
        any
    }

    fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match self.exprs.get(a) {
            Expr::Const(false) => b,
            _ => self.exprs.or(a, b),
        }
    }

    fn any_of(&mut self, cubes: &[Cube]) -> ExprId {
        let mut any = self.exprs.constant(false);
        for cube in cubes {
            let mut all = self.exprs.constant(true);
            for &(at, value) in cube {
                let var = self.exprs.var(self.vars[at]);
                let literal = if value { var } else { self.exprs.not(var) };
                all = match self.exprs.get(all) {
                    Expr::Const(true) => literal,
                    _ => self.exprs.and(all, literal),
                };
            }
            any = match self.exprs.get(all) {
                Expr::Const(true) => return all,
                _ => self.or(any, all),
            };
        }
        any
    }
}

impl Boolean {
    /// The steps of a trace, and for each thread its role and who started it in which of these.
    pub fn lift(&self, trace: &Trace, model: &Model, predicates: &Predicates) -> Vec<Move> {
        let main = ProcId::from_u32(0);
        let width = self.program.scope_width(main);
        let mut shared = trace.initial.shared.clone();
        let mut locals: Vec<Bits> = trace.initial.locals.clone();
        let mut moves = Vec::new();
        let holds = |shared: &Bits, own: &Bits, at: usize| {
            let var = self.vars[at].as_u32() as usize;
            if var < self.n_shared { shared.contains(var) } else { own.contains(var) }
        };
        for step in &trace.steps {
            let thread = step.thread.as_u32() as usize;
            locals.resize(locals.len().max(thread + 1), Bits::new());
            let taken = match step.event {
                Event::Take(edge) => self.steps.get(&edge.edge).copied(),
                _ => None,
            };
            let own = &locals[thread];
            if let Some(taken) = taken {
                let role = model.cuts[model.steps[taken].from].role;
                let seen: Vec<usize> = predicates.seen_by(role).map(|it| it.0).collect();
                let before = seen.iter().map(|&at| (at, holds(&shared, own, at))).collect();
                let after = seen.iter().map(|&at| (at, holds(&step.after, &step.after, at)));
                moves.push(Move { thread, step: taken, before, after: after.collect() });
            }
            shared = (0..self.n_shared).filter(|&at| step.after.contains(at)).collect();
            locals[thread] = (self.n_shared..width).filter(|&at| step.after.contains(at)).collect();
            for other in &step.others {
                let at = other.thread.as_u32() as usize;
                locals.resize(locals.len().max(at + 1), Bits::new());
                locals[at] = other.locals.clone();
            }
        }
        moves
    }

    /// The thread of the program that each thread of the trace is: they are numbered where the step begins that starts
    /// them.
    pub fn numbers(&self, trace: &Trace, model: &Model) -> Vec<u32> {
        let mut numbers = vec![0];
        let mut promised: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let mut n_threads = 1;
        for step in &trace.steps {
            let thread = step.thread.as_u32() as usize;
            let Event::Take(edge) = step.event else { continue };
            if let Some(&taken) = self.steps.get(&edge.edge) {
                for _ in &model.steps[taken].starts {
                    promised.entry(thread).or_default().push(n_threads);
                    n_threads += 1;
                }
            } else if self.starts.contains_key(&edge.edge) {
                let waiting = promised.entry(thread).or_default();
                numbers.push(if waiting.is_empty() { u32::MAX } else { waiting.remove(0) });
            }
        }
        numbers
    }
}
