//! The obligations of a sequential program (design section 5).
//!
//! With `I(l)` the invariant of location l over the values at entry and now, and the summary of a
//! procedure the invariant of its exit:
//!
//! 1. *Start*: every initial state of the program satisfies I at the entry of `main`.
//! 2. *Step*: I is closed under every edge that is no call.
//! 3. *Call*: what a call passes satisfies I at the entry of the callee.
//! 4. *Return*: a call followed by the summary of the callee leads into I after the call.
//! 5. *Goal*: I admits no failing assertion, or no state at the label.
//!
//! By induction on the number of steps, every reachable state of the program satisfies I, whatever
//! the height of the stack.
//!
//! Procedures are often alike, and variables are numbered by their place in a scope, so obligations that read the
//! same are the same: each is put to the solver once.

use hardbop_base::{Bits, Budget};
use hardbop_cfg::{
    Action, Assign, Call, Edge, Expr, ExprId, Goal, Loc, LocRef, ProcId, Program, VarId,
};
use hardbop_evidence::{FormulaId, Invariants};
use rustc_hash::FxHashSet;

use crate::query::{Query, Values};
use crate::{Accepted, Rejected, frame};

pub fn check(
    program: &Program,
    certificate: &Invariants,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    frame::check(program, certificate)?;
    let shown = FxHashSet::default();
    let mut checker = Checker { program, certificate, budget, shown, n_obligations: 0 };
    checker.start()?;
    for (proc, body) in program.procs.iter_enumerated() {
        for loc in body.locs.ids() {
            // An unreached location has nothing to pass on.
            if certificate.procs[proc].at[loc].is_none() {
                continue;
            }
            let at = LocRef { proc, loc };
            checker.label(at)?;
            for (_, edge) in body.out_edges(loc) {
                checker.edge(at, edge)?;
            }
        }
    }
    Ok(Accepted { n_obligations: checker.n_obligations })
}

struct Checker<'a> {
    program: &'a Program,
    certificate: &'a Invariants,
    budget: &'a Budget,
    /// What the edges read whose obligations were shown.
    shown: FxHashSet<Reading<'a>>,
    n_obligations: usize,
}

/// All that the obligations of an edge depend on.
#[derive(PartialEq, Eq, Hash)]
struct Reading<'a> {
    scope: Frame<'a>,
    before: Option<FormulaId>,
    after: Option<FormulaId>,
    does: Does<'a>,
}

#[derive(PartialEq, Eq, Hash)]
enum Does<'a> {
    /// No call.
    Action(&'a Action),
    /// A call of whatever procedure is like this.
    Call { args: &'a [ExprId], results: &'a [Option<VarId>], callee: Callee<'a> },
}

/// A procedure without its code.
#[derive(PartialEq, Eq, Hash)]
struct Frame<'a> {
    width: usize,
    enforce: Option<ExprId>,
    frame: &'a Bits,
}

#[derive(PartialEq, Eq, Hash)]
struct Callee<'a> {
    scope: Frame<'a>,
    n_formals: usize,
    n_returns: usize,
    entry: Option<FormulaId>,
    exit: Option<FormulaId>,
}

/// A query in which the invariant of a location holds, with the values it is about.
struct Premise {
    query: Query,
    entry: Values,
    now: Values,
}

impl<'a> Checker<'a> {
    fn start(&mut self) -> Result<(), Rejected> {
        let main = self.program.main;
        let at = LocRef { proc: main, loc: self.program.procs[main].entry };
        let mut query = Query::new(self.budget);
        let now = query.fresh_values(self.program.scope_width(main));
        for &(var, expr) in &self.program.init {
            let may = query.may(&self.program.exprs, expr, &now, &now);
            query.assume_possible(now[var.as_u32() as usize], may);
        }
        self.implies(query, at, &now, &now, at, "an initial state of the program is missing")
    }

    fn edge(&mut self, at: LocRef, edge: &'a Edge) -> Result<(), Rejected> {
        let reading = self.reading(at, edge);
        if self.shown.contains(&reading) {
            return Ok(());
        }
        self.show(at, edge)?;
        self.shown.insert(reading);
        Ok(())
    }

    /// Soundness: whatever [`Self::show`] looks at must be here.
    fn reading(&self, at: LocRef, edge: &'a Edge) -> Reading<'a> {
        let invariant = |proc: ProcId, loc: Loc| self.certificate.procs[proc].at[loc];
        let does = match &edge.action {
            Action::Call(call) => {
                let body = &self.program.procs[call.callee];
                let callee = Callee {
                    scope: self.frame(call.callee),
                    n_formals: body.n_formals,
                    n_returns: body.n_returns,
                    entry: invariant(call.callee, body.entry),
                    exit: invariant(call.callee, body.exit),
                };
                Does::Call { args: &call.args, results: &call.results, callee }
            }
            action => Does::Action(action),
        };
        let (before, after) = (invariant(at.proc, at.loc), invariant(at.proc, edge.to));
        Reading { scope: self.frame(at.proc), before, after, does }
    }

    fn frame(&self, proc: ProcId) -> Frame<'a> {
        let width = self.program.scope_width(proc);
        let enforce = self.program.procs[proc].enforce;
        Frame { width, enforce, frame: &self.certificate.procs[proc].frame }
    }

    /// The obligations of an edge.
    fn show(&mut self, at: LocRef, edge: &Edge) -> Result<(), Rejected> {
        let to = LocRef { proc: at.proc, loc: edge.to };
        match &edge.action {
            Action::Skip | Action::AtomicBegin | Action::AtomicEnd => {
                let premise = self.premise(at);
                self.step(premise, at, to)
            }
            Action::Assume(expr) => {
                let mut premise = self.premise(at);
                premise.passes(self.program, *expr);
                self.step(premise, at, to)
            }
            Action::Assert(expr) => {
                if self.certificate.goal == Goal::Assert {
                    let mut premise = self.premise(at);
                    premise.fails(self.program, *expr);
                    self.refuted(premise.query, at, "the invariant admits a failing assertion")?;
                }
                let mut premise = self.premise(at);
                premise.passes(self.program, *expr);
                self.step(premise, at, to)
            }
            Action::Assign(assign) => {
                let mut premise = self.premise(at);
                premise.assign(self.program, assign);
                self.step(premise, at, to)
            }
            Action::Call(call) => {
                self.call(at, call)?;
                self.call_and_return(at, call, edge.to)
            }
            Action::EndThread => Ok(()),
            Action::StartThread(_) => {
                Err(Rejected::Unfit("a sequential certificate of a program with threads".into()))
            }
        }
    }

    fn label(&mut self, at: LocRef) -> Result<(), Rejected> {
        match &self.certificate.goal {
            Goal::Label(name) if self.program.procs[at.proc].locs[at.loc].has_label(name) => {
                let premise = self.premise(at);
                self.refuted(premise.query, at, "the invariant admits a state at the label")
            }
            _ => Ok(()),
        }
    }

    /// Obligation 3.
    fn call(&mut self, at: LocRef, call: &Call) -> Result<(), Rejected> {
        let callee = LocRef { proc: call.callee, loc: self.program.procs[call.callee].entry };
        let mut premise = self.premise(at);
        let passed = premise.pass(self.program, call);
        let why = "a state passed by this call is missing at the entry of the callee";
        self.implies(premise.query, callee, &passed, &passed, at, why)
    }

    /// Obligation 4.
    fn call_and_return(&mut self, at: LocRef, call: &Call, to: Loc) -> Result<(), Rejected> {
        let body = &self.program.procs[call.callee];
        let exit = LocRef { proc: call.callee, loc: body.exit };
        let Some(summary) = self.certificate.procs[exit.proc].at[exit.loc] else { return Ok(()) };
        let mut premise = self.premise(at);
        let passed = premise.pass(self.program, call);
        let query = &mut premise.query;
        let mut left = query.fresh_values(passed.len());
        self.keep_frame(call.callee, &passed, &mut left);
        let holds = query.formula(&self.certificate.formulas, summary, &passed, &left);
        query.assume(holds);
        self.enforce(query, exit.proc, &left);
        let n_shared = self.program.n_shared();
        premise.now[..n_shared].copy_from_slice(&left[..n_shared]);
        for (target, result) in call.results.iter().zip(self.program.returns(call.callee)) {
            if let Some(target) = target {
                premise.now[target.as_u32() as usize] = left[result.as_u32() as usize];
            }
        }
        let to = LocRef { proc: at.proc, loc: to };
        let why = "a state in which this call returns is missing after it";
        self.implies(premise.query, to, &premise.entry, &premise.now, at, why)
    }

    /// The invariant of a location holds, and so does the procedure's `enforce`.
    fn premise(&self, at: LocRef) -> Premise {
        let mut query = Query::new(self.budget);
        let entry = query.fresh_values(self.program.scope_width(at.proc));
        let mut now = query.fresh_values(entry.len());
        self.keep_frame(at.proc, &entry, &mut now);
        let holds = match self.certificate.procs[at.proc].at[at.loc] {
            Some(formula) => query.formula(&self.certificate.formulas, formula, &entry, &now),
            None => query.constant(false),
        };
        query.assume(holds);
        self.enforce(&mut query, at.proc, &now);
        Premise { query, entry, now }
    }

    fn keep_frame(&self, proc: ProcId, entry: &Values, now: &mut Values) {
        for var in self.certificate.procs[proc].frame.iter() {
            now[var] = entry[var];
        }
    }

    fn enforce(&self, query: &mut Query, proc: ProcId, now: &Values) {
        if let Some(expr) = self.program.procs[proc].enforce {
            let may = query.may(&self.program.exprs, expr, now, now);
            query.assume(may.be_true);
        }
    }

    fn step(&mut self, premise: Premise, at: LocRef, to: LocRef) -> Result<(), Rejected> {
        let why = "a successor of this statement is missing";
        self.implies(premise.query, to, &premise.entry, &premise.now, at, why)
    }

    /// What the query assumes implies the invariant at `to`; states against its `enforce` are no
    /// states.
    fn implies(
        &mut self,
        mut query: Query,
        to: LocRef,
        entry: &Values,
        now: &Values,
        blame: LocRef,
        why: &str,
    ) -> Result<(), Rejected> {
        self.enforce(&mut query, to.proc, now);
        if let Some(invariant) = self.certificate.procs[to.proc].at[to.loc] {
            let holds = query.formula(&self.certificate.formulas, invariant, entry, now);
            query.assume(!holds);
        }
        self.refuted(query, blame, why)
    }

    fn refuted(&mut self, query: Query, blame: LocRef, why: &str) -> Result<(), Rejected> {
        self.n_obligations += 1;
        match query.refute() {
            Some(true) => Ok(()),
            Some(false) => Err(Rejected::At(blame, why.into())),
            None => Err(match self.budget.check() {
                Err(limit) => Rejected::Exhausted(limit),
                Ok(()) => Rejected::Unfit("the solver gave up".into()),
            }),
        }
    }
}

impl Premise {
    fn passes(&mut self, program: &Program, expr: ExprId) {
        let may = self.query.may(&program.exprs, expr, &self.now, &self.now);
        self.query.assume(may.be_true);
    }

    fn fails(&mut self, program: &Program, expr: ExprId) {
        let may = self.query.may(&program.exprs, expr, &self.now, &self.now);
        self.query.assume(may.be_false);
    }

    fn assign(&mut self, program: &Program, assign: &Assign) {
        let mut next = self.now.clone();
        for &(target, value) in &assign.targets {
            let may = self.query.may(&program.exprs, value, &self.now, &self.now);
            let chosen = match program.exprs.get(value) {
                // A plain copy needs no new variable.
                Expr::Var(var) => self.now[var.as_u32() as usize],
                _ => self.query.fresh(),
            };
            self.query.assume_possible(chosen, may);
            next[target.as_u32() as usize] = chosen;
        }
        if let Some(expr) = assign.constrain {
            let may = self.query.may(&program.exprs, expr, &self.now, &next);
            self.query.assume(may.be_true);
        }
        self.now = next;
    }

    /// The scope of the callee when the call enters it: locals that are no formals have any value.
    fn pass(&mut self, program: &Program, call: &Call) -> Values {
        let mut passed = self.query.fresh_values(program.scope_width(call.callee));
        let n_shared = program.n_shared();
        passed[..n_shared].copy_from_slice(&self.now[..n_shared]);
        for (formal, &arg) in program.formals(call.callee).zip(&call.args) {
            let may = self.query.may(&program.exprs, arg, &self.now, &self.now);
            self.query.assume_possible(passed[formal.as_u32() as usize], may);
        }
        if let Some(expr) = program.procs[call.callee].enforce {
            let may = self.query.may(&program.exprs, expr, &passed, &passed);
            self.query.assume(may.be_true);
        }
        passed
    }
}
