//! What every well-formed [`Program`] keeps to, checked.
//!
//! Front ends, transformations and the reader of the text form run it on their result in every build, so that
//! no engine ever meets a malformed program.

use std::fmt;

use hardbop_base::{Bits, Idx, IndexVec};

use crate::expr::{Expr, ExprId, ExprPool};
use crate::program::{Action, Assign, Call, Edge, Loc, Proc, ProcId, Program, Spawn, VarId};

/// The first rule found broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Where, if inside a procedure.
    pub proc: Option<ProcId>,
    /// At which location, if at one.
    pub loc: Option<Loc>,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(proc) = self.proc {
            write!(f, "{proc}")?;
            if let Some(loc) = self.loc {
                write!(f, " {loc}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifyError {}

/// A program that is not well formed after one of our own steps is our mistake, in every build: an engine could
/// make a wrong verdict of it. The panic becomes `unknown` with exit code 70.
pub fn expect_verified(program: &Program, after: &str) {
    if let Err(error) = verify(program) {
        panic!("the program is malformed after {after}: {error}");
    }
}

/// Checks ids, scopes, arities and the order of edges and initial values.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    let error = |message: String| VerifyError { proc: None, loc: None, message };
    let shapes = shapes(&program.exprs).map_err(error)?;
    let checker = Checker { program, shapes };
    checker.init().map_err(error)?;
    if program.procs.get(program.main).is_none() {
        return Err(error(format!("the first procedure {} does not exist", program.main)));
    }
    for (id, proc) in program.procs.iter_enumerated() {
        let at = |loc| move |message| VerifyError { proc: Some(id), loc, message };
        checker.proc(id, proc).map_err(at(None))?;
        for edge in &proc.edges {
            checker.edge(id, proc, edge).map_err(at(Some(edge.from)))?;
        }
    }
    Ok(())
}

type Rule = Result<(), String>;

/// What an expression needs of its surroundings.
#[derive(Clone, Copy)]
struct Shape {
    /// Variables below this index are in it.
    width: usize,
    has_next: bool,
}

/// Whether an expression may mention next values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Now,
    NowAndNext,
}

/// Children come before their parents, so one sweep over the pool is enough.
fn shapes(pool: &ExprPool) -> Result<IndexVec<ExprId, Shape>, String> {
    let mut shapes: IndexVec<ExprId, Shape> = IndexVec::new();
    for id in pool.ids() {
        let node = pool.get(id);
        let mut shape = match node {
            Expr::Var(var) => Shape { width: var.index() + 1, has_next: false },
            Expr::Next(var) => Shape { width: var.index() + 1, has_next: true },
            _ => Shape { width: 0, has_next: false },
        };
        for operand in node.operands() {
            let Some(inner) = shapes.get(operand) else {
                return Err(format!("expression {id} comes before its operand {operand}"));
            };
            shape.width = shape.width.max(inner.width);
            shape.has_next |= inner.has_next;
        }
        shapes.push(shape);
    }
    Ok(shapes)
}

struct Checker<'a> {
    program: &'a Program,
    shapes: IndexVec<ExprId, Shape>,
}

impl Checker<'_> {
    fn init(&self) -> Rule {
        let mut declared = 0;
        for &(var, expr) in &self.program.init {
            if !self.program.is_shared(var) {
                return Err(format!("initial value for {var}, which is not shared"));
            }
            if var.index() < declared {
                return Err(format!("initial value of {var} out of order"));
            }
            declared = var.index() + 1;
            self.expr(expr, var.index(), Moment::Now)?;
        }
        Ok(())
    }

    fn proc(&self, id: ProcId, proc: &Proc) -> Rule {
        if proc.n_formals + proc.n_returns > proc.locals.len() {
            return Err("more formals and return values than locals".into());
        }
        self.loc(proc, proc.entry)?;
        self.loc(proc, proc.exit)?;
        if let Some(enforce) = proc.enforce {
            self.expr(enforce, self.program.scope_width(id), Moment::Now)?;
        }
        let mut at = 0;
        for (loc, info) in proc.locs.iter_enumerated() {
            let (start, end) = (info.out.0 as usize, info.out.1 as usize);
            let edges = proc.edges.as_slice().get(start..end);
            if start != at || edges.is_none_or(|edges| edges.iter().any(|edge| edge.from != loc)) {
                return Err(format!("edges out of {loc} are not sorted by source"));
            }
            at = end;
        }
        if at != proc.edges.len() {
            return Err("an edge leaves no location".into());
        }
        if proc.out_edges(proc.exit).next().is_some() {
            return Err("the exit has edges".into());
        }
        Ok(())
    }

    fn edge(&self, id: ProcId, proc: &Proc, edge: &Edge) -> Rule {
        self.loc(proc, edge.to)?;
        let width = self.program.scope_width(id);
        match &edge.action {
            Action::Skip | Action::AtomicBegin | Action::AtomicEnd => Ok(()),
            Action::Assume(expr) | Action::Assert(expr) => self.expr(*expr, width, Moment::Now),
            Action::Assign(assign) => self.assign(assign, width),
            Action::Call(call) => self.call(call, width),
            Action::StartThread(spawn) => match &**spawn {
                Spawn::Goto(target) => self.loc(proc, *target),
                Spawn::Call { callee, args } => self.args(*callee, args, width).map(drop),
            },
            Action::EndThread if edge.to != proc.exit => {
                Err("the end of a thread leads elsewhere than to the exit".into())
            }
            Action::EndThread => Ok(()),
        }
    }

    fn assign(&self, assign: &Assign, width: usize) -> Rule {
        self.targets(assign.targets.iter().map(|&(var, _)| var), width)?;
        self.targets(assign.broadcast.iter().map(|&(var, _)| var), width)?;
        if let Some((var, _)) =
            assign.broadcast.iter().find(|(var, _)| self.program.is_shared(*var))
        {
            return Err(format!("broadcast to {var}, which is shared"));
        }
        for &(_, expr) in assign.targets.iter().chain(&assign.broadcast) {
            self.expr(expr, width, Moment::Now)?;
        }
        match assign.constrain {
            Some(constrain) => self.expr(constrain, width, Moment::NowAndNext),
            None => Ok(()),
        }
    }

    fn call(&self, call: &Call, width: usize) -> Rule {
        let callee = self.args(call.callee, &call.args, width)?;
        if !call.results.is_empty() && call.results.len() != callee.n_returns {
            let (given, due) = (call.results.len(), callee.n_returns);
            return Err(format!("{given} results taken of {}, which returns {due}", call.callee));
        }
        self.targets(call.results.iter().flatten().copied(), width)
    }

    fn args(&self, callee: ProcId, args: &[ExprId], width: usize) -> Result<&Proc, String> {
        let Some(proc) = self.program.procs.get(callee) else {
            return Err(format!("procedure {callee} does not exist"));
        };
        if args.len() != proc.n_formals {
            let (given, due) = (args.len(), proc.n_formals);
            return Err(format!("{given} arguments for {callee}, which takes {due}"));
        }
        args.iter().try_for_each(|&arg| self.expr(arg, width, Moment::Now))?;
        Ok(proc)
    }

    fn targets(&self, targets: impl Iterator<Item = VarId>, width: usize) -> Rule {
        let mut seen = Bits::new();
        for var in targets {
            if var.index() >= width {
                return Err(format!("{var} is assigned and not in scope"));
            }
            if !seen.insert(var.index()) {
                return Err(format!("{var} is assigned twice"));
            }
        }
        Ok(())
    }

    fn expr(&self, expr: ExprId, width: usize, moment: Moment) -> Rule {
        let Some(shape) = self.shapes.get(expr) else {
            return Err(format!("expression {expr} does not exist"));
        };
        if shape.width > width {
            return Err(format!("expression {expr} mentions v{}, not in scope", shape.width - 1));
        }
        if shape.has_next && moment == Moment::Now {
            return Err(format!("expression {expr} mentions a next value outside constrain"));
        }
        Ok(())
    }

    fn loc(&self, proc: &Proc, loc: Loc) -> Rule {
        match proc.locs.get(loc) {
            Some(_) => Ok(()),
            None => Err(format!("location {loc} does not exist")),
        }
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::IndexVec;

    use super::verify;
    use crate::program::{Action, Assign, Edge, Loc, Program, VarId};
    use crate::text::read;

    const GOOD: &str = "hardbop-cfg 1
shared g
shared h := !g
main main
proc main(a) returns (r)
  local x
  entry l1
  exit l0
  loc l0
  loc l1
    l1 -> l2: x, g := a, * constrain x' | g
  loc l2
    l2 -> l0: x := call main(g)
    l2 -> l0: end_thread
end
";

    /// Breaks the good program in one way and expects one complaint.
    fn broken(expect: &str, edit: impl FnOnce(&mut Program)) {
        let mut program = read(GOOD).unwrap();
        assert_eq!(verify(&program), Ok(()));
        edit(&mut program);
        let message = verify(&program).unwrap_err().to_string();
        assert!(message.contains(expect), "{message:?} should say {expect:?}");
    }

    fn edges(program: &mut Program) -> &mut [Edge] {
        program.procs.as_mut_slice()[0].edges.as_mut_slice()
    }

    fn assign(program: &mut Program) -> &mut Assign {
        match &mut edges(program)[0].action {
            Action::Assign(assign) => assign,
            other => panic!("the first edge assigns, not {other:?}"),
        }
    }

    #[test]
    fn each_rule_is_checked() {
        let far = Loc::from_u32(9);
        broken("l9 does not exist", |p| p.procs.as_mut_slice()[0].entry = far);
        broken("l9 does not exist", |p| edges(p)[0].to = far);
        broken("not sorted", |p| edges(p).swap(0, 1));
        broken("not sorted", |p| p.procs.as_mut_slice()[0].edges = IndexVec::new());
        broken("the exit has edges", |p| p.procs.as_mut_slice()[0].exit = Loc::from_u32(1));
        broken("elsewhere", |p| edges(p)[2].to = Loc::from_u32(1));
        broken("twice", |p| assign(p).targets[0].0 = VarId::from_u32(0));
        broken("not in scope", |p| assign(p).targets[0].0 = VarId::from_u32(40));
        broken("outside constrain", |p| {
            let next = assign(p).constrain.unwrap();
            assign(p).targets[0].1 = next;
        });
        broken("out of order", |p| {
            let g = VarId::from_u32(0);
            let init = p.init[0];
            p.init.push((g, init.1));
        });
        broken("not in scope", |p| p.init[0].0 = VarId::from_u32(0));
        broken("is shared", |p| {
            let one = assign(p).targets[1];
            assign(p).broadcast.push(one);
        });
        broken("arguments", |p| p.procs.as_mut_slice()[0].n_formals = 0);
        broken("results taken", |p| p.procs.as_mut_slice()[0].n_returns = 2);
        broken("more formals", |p| p.procs.as_mut_slice()[0].n_formals = 3);
        broken("does not exist", |p| p.procs = IndexVec::new());
    }
}
