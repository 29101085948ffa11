//! The Boolean program of a round as text that `hardbop check` reads: each variable with its C
//! predicate, each location with its line.

use std::collections::BTreeSet;
use std::fmt::Write;

use hardbop_base::Span;
use hardbop_cfg::{Action, Assign, Call, Expr, ExprId, Loc, Proc, ProcId, Program, VarId};
use hardbop_cir::{self as cir, ExprPool};
use hardbop_kind::print::c_expr;

use crate::boolean::BooleanProgram;
use crate::cuts::Place;
use crate::normal::Normal;
use crate::predicates::Precision;
use crate::saved;

/// A round of the refinement, before its Boolean program is checked.
pub struct Iteration<'a> {
    /// From 1.
    pub number: u32,
    pub boolean: &'a BooleanProgram,
    pub normal: &'a Normal,
    pub pool: &'a ExprPool,
    pub(crate) places: &'a BTreeSet<Place>,
    pub(crate) precision: &'a Precision,
}

impl Iteration<'_> {
    /// What is followed where, for a later run.
    pub fn precision(&self) -> String {
        saved::text(self.normal, self.places, self.precision, self.pool)
    }

    pub fn n_predicates(&self) -> usize {
        self.precision.n_predicates()
    }
}

/// Words that cannot be names of procedures.
const KEYWORDS: &[&str] = &[
    "decl",
    "void",
    "bool",
    "begin",
    "end",
    "enforce",
    "abortif",
    "if",
    "then",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "skip",
    "goto",
    "return",
    "constrain",
    "assert",
    "assume",
    "start_thread",
    "end_thread",
    "thread_end",
    "atomic_begin",
    "atomic_end",
    "schoose",
    "T",
    "F",
    "choose",
    "call",
    "dfs",
    "print",
    "dead",
    "sync",
];

impl Iteration<'_> {
    /// `line` says where a span of the C program is.
    pub fn text(&self, line: &dyn Fn(Span) -> String) -> String {
        let predicates = self.printer();
        let printer = Printer { iteration: self, predicates: &predicates, line };
        printer.print().unwrap_or_default()
    }
}

struct Printer<'a> {
    iteration: &'a Iteration<'a>,
    predicates: &'a cir::Program,
    line: &'a dyn Fn(Span) -> String,
}

impl Printer<'_> {
    fn program(&self) -> &Program {
        &self.iteration.boolean.program
    }

    fn print(&self) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        writeln!(out, "// The Boolean program of round {}.", self.iteration.number)?;
        for (var, &predicate) in self.program().shared_vars().zip(&self.iteration.boolean.shared) {
            let name = &self.program().shared[var.as_u32() as usize].name;
            writeln!(out, "decl {name};  // {}", c_expr(self.predicates, predicate))?;
        }
        for (id, proc) in self.program().procs.iter_enumerated() {
            self.procedure(&mut out, id, proc)?;
        }
        Ok(out)
    }

    fn name(&self, id: ProcId) -> String {
        let name = &self.program().procs[id].name;
        let clean: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let is_twice = self.program().procs.iter().filter(|it| it.name == *name).count() > 1;
        match id == self.program().main {
            true => "main".into(),
            false if is_twice || clean == "main" || KEYWORDS.contains(&clean.as_str()) => {
                format!("{clean}_{}", id.as_u32())
            }
            false => clean,
        }
    }

    fn procedure(&self, out: &mut String, id: ProcId, proc: &Proc) -> std::fmt::Result {
        let predicates = &self.iteration.boolean.locals[id];
        let of = |at: usize| {
            let said: Vec<String> =
                predicates[at].iter().map(|&it| c_expr(self.predicates, it)).collect();
            said.join(", elsewhere ")
        };
        writeln!(out)?;
        let formals: Vec<&str> = proc.locals[..proc.n_formals].iter().map(|it| &*it.name).collect();
        for (at, name) in formals.iter().enumerate() {
            writeln!(out, "// {name}: {}", of(at))?;
        }
        let kind = match proc.n_returns {
            0 => "void".to_string(),
            n => format!("bool<{n}>"),
        };
        writeln!(out, "{kind} {}({})\nbegin", self.name(id), formals.join(", "))?;
        for (at, local) in proc.locals.iter().enumerate().skip(proc.n_formals) {
            let is_return = at < proc.n_formals + proc.n_returns;
            let note = if is_return { ", when it returns" } else { "" };
            writeln!(out, "  decl {};  // {}{note}", local.name, of(at))?;
        }
        let others = proc.locs.ids().filter(|&it| it != proc.entry && it != proc.exit);
        for loc in [proc.entry].into_iter().chain(others) {
            self.location(out, id, proc, loc)?;
        }
        let returns = proc.n_formals..proc.n_formals + proc.n_returns;
        let results: Vec<&str> = proc.locals[returns].iter().map(|it| &*it.name).collect();
        let list =
            if results.is_empty() { String::new() } else { format!(" {}", results.join(", ")) };
        writeln!(out, "{}:\n  return{list};\nend", proc.exit)
    }

    fn location(&self, out: &mut String, id: ProcId, proc: &Proc, loc: Loc) -> std::fmt::Result {
        if let Some(span) = proc.locs[loc].span {
            writeln!(out, "  // {}", (self.line)(span))?;
        }
        let edges: Vec<_> = proc.out_edges(loc).map(|it| it.1).collect();
        let label = |at: usize| format!("{loc}_{at}");
        if edges.len() > 1 {
            let labels: Vec<String> = (0..edges.len()).map(label).collect();
            writeln!(out, "{loc}:\n  goto {};", labels.join(", "))?;
        }
        for (at, edge) in edges.iter().enumerate() {
            let here = if edges.len() > 1 { label(at) } else { loc.to_string() };
            writeln!(out, "{here}:\n  {};", self.statement(id, &edge.action))?;
            writeln!(out, "  goto {};", edge.to)?;
        }
        Ok(())
    }

    fn statement(&self, id: ProcId, action: &Action) -> String {
        match action {
            Action::Assume(e) => format!("assume {}", self.expr(id, *e)),
            Action::Assert(e) => format!("assert {}", self.expr(id, *e)),
            Action::Assign(it) => self.assignment(id, it),
            Action::Call(it) => self.call(id, it),
            _ => "skip".into(),
        }
    }

    fn assignment(&self, id: ProcId, it: &Assign) -> String {
        let list = |part: &dyn Fn(&(VarId, ExprId)) -> String| {
            it.targets.iter().map(part).collect::<Vec<_>>().join(", ")
        };
        let (targets, values) = (list(&|it| self.var(id, it.0)), list(&|it| self.expr(id, it.1)));
        match it.constrain {
            None => format!("{targets} := {values}"),
            Some(c) => format!("{targets} := {values} constrain {}", self.expr(id, c)),
        }
    }

    fn call(&self, id: ProcId, it: &Call) -> String {
        let args: Vec<String> = it.args.iter().map(|&arg| self.expr(id, arg)).collect();
        let call = format!("{}({})", self.name(it.callee), args.join(", "));
        let result = |it: &Option<VarId>| it.map_or("_".into(), |var| self.var(id, var));
        let results: Vec<String> = it.results.iter().map(result).collect();
        if results.is_empty() { call } else { format!("{} := {call}", results.join(", ")) }
    }

    fn var(&self, id: ProcId, var: VarId) -> String {
        self.program().var_info(id, var).name.to_string()
    }

    /// With parentheses around everything; conjunctions and disjunctions are flat.
    fn expr(&self, id: ProcId, root: ExprId) -> String {
        let pool = &self.program().exprs;
        let of = |it| self.expr(id, it);
        match pool.get(root) {
            Expr::Const(value) => u8::from(value).to_string(),
            Expr::Var(var) => self.var(id, var),
            Expr::Next(var) => format!("'{}", self.var(id, var)),
            Expr::Choice => "*".into(),
            Expr::Not(a) => format!("!{}", of(a)),
            Expr::And(..) => format!("({})", self.chain(id, root, true).join(" & ")),
            Expr::Or(..) => format!("({})", self.chain(id, root, false).join(" | ")),
            Expr::Xor(a, b) => format!("({} != {})", of(a), of(b)),
            Expr::Schoose(p, n) => format!("schoose[{}, {}]", of(p), of(n)),
            Expr::Ite(c, a, b) => format!("({} ? {} : {})", of(c), of(a), of(b)),
        }
    }

    /// The operands of nested conjunctions or disjunctions, left to right.
    fn chain(&self, id: ProcId, root: ExprId, is_and: bool) -> Vec<String> {
        let pool = &self.program().exprs;
        let (mut parts, mut todo) = (Vec::new(), vec![root]);
        while let Some(it) = todo.pop() {
            match pool.get(it) {
                Expr::And(a, b) if is_and => todo.extend([b, a]),
                Expr::Or(a, b) if !is_and => todo.extend([b, a]),
                _ => parts.push(self.expr(id, it)),
            }
        }
        parts
    }
}
