//! What one edge reads and writes.
//!
//! Two readings are offered. **Data flow** is that of a compiler (BOOM appendix C): a variable is
//! read if its value before the edge can matter, written if the edge surely gives it a new value.
//! **Dependence** is that of partial-order reduction (BOOM table 6.2): shared variables only, and
//! what restricts the state counts as a write too, because it may disable other threads (BOOM
//! example 6.1).
//!
//! Where we depart from table 6.2: a next value in `constrain` of a variable that is not assigned
//! is its current value, hence a read; `enforce` restricts like `assume`; a failing `assert`
//! restricts as well as soon as the run goes on past it, which the table, made for runs that end
//! with the first failure, does not say.

use hardbop_base::{Bits, Idx, IndexVec};

use super::lists::Lists;
use crate::expr::{Expr, ExprId};
use crate::program::{Action, Assign, EdgeRef, ProcId, Program, Spawn, VarId};

/// How to read an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Uses and definitions, over the whole scope. `enforce` is kept apart.
    DataFlow,
    /// Shared variables; restrictions are writes; the first failing `assert` ends the run.
    Dependence,
    /// The same for runs that go on where an `assert` fails: exhaustive ones, and those whose goal
    /// is a label.
    DependencePastAsserts,
}

/// What each edge reads and writes, as one step of one thread: a call reads its arguments and
/// writes its results, what the callee does is for `modref`.
#[derive(Clone, Debug)]
pub struct Effects {
    reading: Reading,
    /// The number of each procedure's edge 0.
    first: IndexVec<ProcId, u32>,
    reads: Lists<VarId>,
    writes: Lists<VarId>,
    enforce: IndexVec<ProcId, Vec<VarId>>,
}

impl Effects {
    pub fn of(program: &Program, reading: Reading) -> Self {
        let mut collector = Collector { program, reading, reads: Vec::new(), writes: Vec::new() };
        let mut enforce = IndexVec::new();
        for proc in &program.procs {
            if let Some(expr) = proc.enforce {
                collector.read(expr);
            }
            enforce.push(collector.sorted().0.to_vec());
            collector.clear();
        }
        let mut effects = Effects {
            reading,
            first: IndexVec::new(),
            reads: Lists::new(),
            writes: Lists::new(),
            enforce,
        };
        for (proc, body) in program.procs.iter_enumerated() {
            effects.first.push(effects.reads.len() as u32);
            for edge in &body.edges {
                collector.action(&edge.action);
                if reading != Reading::DataFlow {
                    collector.restrict(&effects.enforce[proc]);
                    if let Some(callee) = entered(&edge.action) {
                        collector.restrict(&effects.enforce[callee]);
                    }
                }
                let (reads, writes) = collector.sorted();
                effects.reads.push(reads);
                effects.writes.push(writes);
                collector.clear();
            }
        }
        effects
    }

    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// In increasing order.
    pub fn reads(&self, at: EdgeRef) -> &[VarId] {
        self.reads.of(self.flat(at))
    }

    /// In increasing order. A broadcast writes locals of other threads, never of its own: it is
    /// not among these.
    pub fn writes(&self, at: EdgeRef) -> &[VarId] {
        self.writes.of(self.flat(at))
    }

    /// What the procedure's `enforce` mentions: read whenever a thread leaves a location of the
    /// procedure or arrives at one.
    pub fn enforce(&self, proc: ProcId) -> &[VarId] {
        &self.enforce[proc]
    }

    fn flat(&self, at: EdgeRef) -> usize {
        (self.first[at.proc] + at.edge.as_u32()) as usize
    }
}

/// The procedure whose entry a thread reaches by the action: the mover, or the one it starts.
fn entered(action: &Action) -> Option<ProcId> {
    match action {
        Action::Call(call) => Some(call.callee),
        Action::StartThread(spawn) => match **spawn {
            Spawn::Call { callee, .. } => Some(callee),
            Spawn::Goto(_) => None,
        },
        _ => None,
    }
}

struct Collector<'a> {
    program: &'a Program,
    reading: Reading,
    reads: Vec<VarId>,
    writes: Vec<VarId>,
}

impl Collector<'_> {
    fn action(&mut self, action: &Action) {
        match action {
            Action::Skip | Action::EndThread | Action::AtomicBegin | Action::AtomicEnd => {}
            Action::Assume(expr) => {
                self.read(*expr);
                self.restricts();
            }
            Action::Assert(expr) => {
                self.read(*expr);
                if self.reading == Reading::DependencePastAsserts {
                    self.restricts();
                }
            }
            Action::Assign(assign) => self.assign(assign),
            Action::Call(call) => {
                call.args.iter().for_each(|&arg| self.read(arg));
                // In the reading of dependence a call only enters: results come with the return.
                if self.reading == Reading::DataFlow {
                    self.writes.extend(call.results.iter().flatten());
                }
            }
            Action::StartThread(spawn) => {
                if let Spawn::Call { args, .. } = &**spawn {
                    args.iter().for_each(|&arg| self.read(arg));
                }
            }
        }
    }

    fn assign(&mut self, assign: &Assign) {
        if let Some(constrain) = assign.constrain {
            let reads = &mut self.reads;
            let overwritten: Bits = match self.reading {
                Reading::DataFlow => assign.targets.iter().map(|(var, _)| var.index()).collect(),
                Reading::Dependence | Reading::DependencePastAsserts => Bits::new(),
            };
            self.program.exprs.visit(constrain, &mut |node| match node {
                Expr::Var(var) => reads.push(var),
                // The next value of what is not assigned is the current one.
                Expr::Next(var) if !overwritten.contains(var.index()) => reads.push(var),
                _ => {}
            });
            self.restricts();
        }
        for &(_, value) in assign.targets.iter().chain(&assign.broadcast) {
            self.read(value);
        }
        self.writes.extend(assign.targets.iter().map(|&(target, _)| target));
    }

    fn read(&mut self, expr: ExprId) {
        let reads = &mut self.reads;
        self.program.exprs.visit(expr, &mut |node| {
            if let Expr::Var(var) | Expr::Next(var) = node {
                reads.push(var);
            }
        });
    }

    /// All that was read so far restricts the state.
    fn restricts(&mut self) {
        if self.reading != Reading::DataFlow {
            self.writes.extend(&self.reads);
        }
    }

    fn restrict(&mut self, vars: &[VarId]) {
        self.reads.extend(vars);
        self.writes.extend(vars);
    }

    /// The variables read and written, each once.
    fn sorted(&mut self) -> (&[VarId], &[VarId]) {
        for vars in [&mut self.reads, &mut self.writes] {
            if self.reading != Reading::DataFlow {
                vars.retain(|&var| self.program.is_shared(var));
            }
            vars.sort_unstable();
            vars.dedup();
        }
        (&self.reads, &self.writes)
    }

    fn clear(&mut self) {
        self.reads.clear();
        self.writes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Effects, Reading};
    use crate::program::{EdgeId, EdgeRef};
    use crate::text::read;

    /// What an action of `main` reads and writes: "g l / h".
    fn check(action: &str, reading: Reading, expect: &str) {
        let text = format!(
            "hardbop-cfg 1\nshared g\nshared h\nmain m\nproc f(a) returns (r)\nenforce h\n\
             entry l0\nexit l0\nloc l0\nend\nproc m()\nlocal k\nlocal l\nentry l1\nexit l0\n\
             loc l0\nloc l1\nl1 -> l0: {action}\nend\n"
        );
        let program = read(&text).unwrap();
        let effects = Effects::of(&program, reading);
        let at = EdgeRef { proc: program.main, edge: EdgeId::from_u32(0) };
        let names = |vars: &[crate::VarId]| {
            let names = vars.iter().map(|&var| &*program.var_info(program.main, var).name);
            names.collect::<Vec<_>>().join(" ")
        };
        let found = format!("{} / {}", names(effects.reads(at)), names(effects.writes(at)));
        assert_eq!(found, expect, "{action} in {reading:?}");
    }

    #[test]
    fn the_two_readings_of_each_action() {
        use Reading::{DataFlow, Dependence, DependencePastAsserts};
        check("skip", DataFlow, " / ");
        check("assume g & l", DataFlow, "g l / ");
        check("assume g & l", Dependence, "g / g");
        check("assert g & l", Dependence, "g / ");
        check("assert g & l", DependencePastAsserts, "g / g");
        check("k, g := l, !g & l", DataFlow, "g l / g k");
        check("k, g := l, h", Dependence, "h / g");
        check("k := * constrain k' ^ l' ^ g", DataFlow, "g l / k");
        check("k := * constrain h'", Dependence, "h / h");
        check("assign broadcast k := l", DataFlow, "l / ");
        check("g := call f(k)", DataFlow, "k / g");
        check("g := call f(k)", Dependence, "h / h");
        check("start_thread call f(g)", Dependence, "g h / h");
    }
}
