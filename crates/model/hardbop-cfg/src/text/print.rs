//! A verified program as text.

use std::fmt::Write;

use hardbop_base::{Name, Span};

use super::HEADER;
use super::expr::write_expr;
use super::names::{Names, Scope, write_name};
use crate::expr::{ExprId, ExprPool};
use crate::program::{Action, Assign, LocInfo, Proc, ProcId, Program, Spawn, VarId, VarInfo};

/// The text form of a program that `verify` accepts.
pub fn print(program: &Program) -> String {
    let shared = Names::new(program.shared.iter().map(|var| &var.name));
    let procs = Names::new(program.procs.iter().map(|proc| &proc.name));
    let mut printer = Printer {
        out: format!("{HEADER}\n"),
        pool: &program.exprs,
        procs: &procs,
        scope: Scope::new(&shared),
    };
    printer.shared(program);
    printer.text("\nmain ");
    procs.write(&mut printer.out, program.main);
    printer.text("\n");
    for proc in &program.procs {
        printer.scope = Scope::new(&shared);
        proc.locals.iter().for_each(|var| printer.scope.push(&var.name));
        printer.proc(proc);
    }
    printer.out
}

/// One action as it stands after the colon of its edge, for messages and drawings.
pub(crate) struct ActionText<'a> {
    program: &'a Program,
    shared: Names<VarId>,
    procs: Names<ProcId>,
}

impl<'a> ActionText<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        ActionText {
            program,
            shared: Names::new(program.shared.iter().map(|var| &var.name)),
            procs: Names::new(program.procs.iter().map(|proc| &proc.name)),
        }
    }

    pub(crate) fn of<'b>(
        &self,
        proc: ProcId,
        actions: impl Iterator<Item = &'b Action>,
    ) -> Vec<String> {
        let mut scope = Scope::new(&self.shared);
        self.program.procs[proc].locals.iter().for_each(|var| scope.push(&var.name));
        let (pool, procs) = (&self.program.exprs, &self.procs);
        let mut printer = Printer { out: String::new(), pool, procs, scope };
        actions
            .map(|action| {
                printer.action(action);
                std::mem::take(&mut printer.out)
            })
            .collect()
    }
}

struct Printer<'a> {
    out: String,
    pool: &'a ExprPool,
    procs: &'a Names<ProcId>,
    scope: Scope<'a>,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    fn expr(&mut self, expr: ExprId) {
        write_expr(&mut self.out, self.pool, &self.scope, expr);
    }

    fn var(&mut self, var: VarId) {
        self.scope.write(&mut self.out, var);
    }

    fn declare(&mut self, var: &VarInfo) {
        write_name(&mut self.out, &var.name);
        self.span(var.span);
    }

    fn span(&mut self, span: Option<Span>) {
        if let Some(span) = span {
            self.write(format_args!(" @{}..{}", span.start, span.end));
        }
    }

    /// Items with commas between.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        for (i, it) in items.into_iter().enumerate() {
            self.text(if i == 0 { "" } else { ", " });
            item(self, it);
        }
    }

    fn shared(&mut self, program: &Program) {
        let mut init = program.init.iter().peekable();
        for (id, var) in program.shared_vars().zip(&program.shared) {
            self.text("shared ");
            self.declare(var);
            if let Some((_, value)) = init.next_if(|(it, _)| *it == id) {
                self.text(" := ");
                self.expr(*value);
            }
            self.text("\n");
        }
    }

    fn proc(&mut self, proc: &Proc) {
        let (formals, others) = proc.locals.split_at(proc.n_formals);
        let (returns, declared) = others.split_at(proc.n_returns);
        self.text("\nproc ");
        write_name(&mut self.out, &proc.name);
        self.text("(");
        self.list(formals, Self::declare);
        self.text(")");
        if !returns.is_empty() {
            self.text(" returns (");
            self.list(returns, Self::declare);
            self.text(")");
        }
        self.span(proc.span);
        self.text("\n");
        for var in declared {
            self.text("  local ");
            self.declare(var);
            self.text("\n");
        }
        if let Some(enforce) = proc.enforce {
            self.text("  enforce ");
            self.expr(enforce);
            self.text("\n");
        }
        self.write(format_args!("  entry {}\n  exit {}\n", proc.entry, proc.exit));
        for (loc, info) in proc.locs.iter_enumerated() {
            self.write(format_args!("  loc {loc}"));
            self.loc(info);
            for (_, edge) in proc.out_edges(loc) {
                self.write(format_args!("    {} -> {}: ", edge.from, edge.to));
                self.action(&edge.action);
                self.text("\n");
            }
        }
        self.text("end\n");
    }

    fn loc(&mut self, info: &LocInfo) {
        for label in &info.labels {
            let label: &Name = label;
            self.text(" ");
            write_name(&mut self.out, label);
        }
        self.span(info.span);
        self.text("\n");
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Skip => self.text("skip"),
            Action::Assume(expr) => {
                self.text("assume ");
                self.expr(*expr);
            }
            Action::Assert(expr) => {
                self.text("assert ");
                self.expr(*expr);
            }
            Action::Assign(assign) => self.assign(assign),
            Action::Call(call) => {
                self.list(&call.results, |this, result| match result {
                    Some(var) => this.var(*var),
                    None => this.text("_"),
                });
                self.text(if call.results.is_empty() { "" } else { " := " });
                self.call(call.callee, &call.args);
            }
            Action::StartThread(spawn) => match &**spawn {
                Spawn::Goto(target) => self.write(format_args!("start_thread goto {target}")),
                Spawn::Call { callee, args } => {
                    self.text("start_thread ");
                    self.call(*callee, args);
                }
            },
            Action::EndThread => self.text("end_thread"),
            Action::AtomicBegin => self.text("atomic_begin"),
            Action::AtomicEnd => self.text("atomic_end"),
        }
    }

    fn call(&mut self, callee: ProcId, args: &[ExprId]) {
        self.text("call ");
        self.procs.write(&mut self.out, callee);
        self.text("(");
        self.list(args, |this, arg| this.expr(*arg));
        self.text(")");
    }

    fn assign(&mut self, assign: &Assign) {
        if assign.targets.is_empty() {
            self.text("assign");
        } else {
            self.targets(&assign.targets);
        }
        if !assign.broadcast.is_empty() {
            self.text(" broadcast ");
            self.targets(&assign.broadcast);
        }
        if let Some(constrain) = assign.constrain {
            self.text(" constrain ");
            self.expr(constrain);
        }
    }

    fn targets(&mut self, targets: &[(VarId, ExprId)]) {
        self.list(targets, |this, (var, _)| this.var(*var));
        self.text(" := ");
        self.list(targets, |this, (_, value)| this.expr(*value));
    }
}
