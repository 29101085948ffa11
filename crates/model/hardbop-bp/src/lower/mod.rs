//! Syntax tree to IR: names are resolved, counts checked, control flow becomes edges.
//!
//! Every statement gets one location; the IR's documentation says what each edge means. Reading
//! order: this file (files and declarations), `proc` (locations and edges), `stmt` (what a
//! statement does), `expr`, `getafix` (files without `main`).

mod expr;
mod getafix;
mod proc;
mod stmt;

use hardbop_base::{IndexVec, Span};
use hardbop_cfg::{ExprId, ExprPool, Proc, ProcId, Program, VarId, VarInfo};
use hardbop_diag::codes::bp as codes;
use hardbop_diag::{Code, Diagnostic, Sink, did_you_mean, nearest};
use rustc_hash::FxHashSet;

use crate::ast;
use crate::parser::Parsed;
use crate::scope::{Procs, Vars};
use crate::token::Kw;

/// The program, if the file has no mistake. The statements of a procedure are freed when it is lowered: the syntax tree
/// of a large file is larger than the program.
pub(crate) fn lower(mut parsed: Parsed, sink: &mut Sink) -> Option<Program> {
    let procs = parsed.program.procs.iter_mut();
    let bodies = procs.map(|proc| std::mem::take(&mut proc.body)).collect();
    let mut lower = Lower {
        ast: &parsed.program,
        names_missing: parsed.names_missing,
        sink,
        exprs: ExprPool::default(),
        globals: Vars::default(),
        shared: Vec::new(),
        procs: Procs::default(),
        called: FxHashSet::default(),
    };
    lower.run(bodies)
}

struct Lower<'a> {
    /// Without bodies.
    ast: &'a ast::Program,
    /// Unknown names may come from a declaration that could not be read, and are not reported.
    names_missing: bool,
    sink: &'a mut Sink,
    exprs: ExprPool,
    globals: Vars,
    shared: Vec<VarInfo>,
    procs: Procs,
    /// Procedures that some other procedure calls or starts.
    called: FxHashSet<ProcId>,
}

impl Lower<'_> {
    fn run(&mut self, bodies: Vec<Vec<ast::Stmt>>) -> Option<Program> {
        self.declare_procs();
        let init = self.declare_globals();
        let mut procs: IndexVec<ProcId, Proc> = IndexVec::new();
        for (index, (proc, body)) in self.ast.procs.iter().zip(bodies).enumerate() {
            if !self.sink.goes_on() {
                return None;
            }
            let lowered = proc::lower_proc(self, proc, &body, ProcId::from_u32(index as u32));
            procs.push(lowered);
        }
        let main = self.main(&mut procs);
        if self.sink.has_errors() {
            return None;
        }
        Some(Program {
            shared: std::mem::take(&mut self.shared),
            init,
            procs,
            main: main?,
            exprs: std::mem::take(&mut self.exprs),
        })
    }

    fn declare_procs(&mut self) {
        for (index, proc) in self.ast.procs.iter().enumerate() {
            let (name, span) = (&proc.name.name, proc.name.span);
            let declared = self.procs.declare(name, ProcId::from_u32(index as u32), span);
            // A head that could not be read has the empty name.
            if let (Err(first), false) = (declared, name.is_empty()) {
                self.twice(codes::DUPLICATE_PROCEDURE, "procedure", &proc.name, first);
            }
        }
    }

    fn declare_globals(&mut self) -> Vec<(VarId, ExprId)> {
        let ast = self.ast;
        for (name, _) in ast.globals.iter().flat_map(|decl| &decl.vars) {
            let id = VarId::from_u32(self.shared.len() as u32);
            self.shared.push(VarInfo { name: name.name.clone(), span: Some(name.span) });
            if let Err(first) = self.globals.declare(&name.name, id, name.span) {
                self.twice(codes::DUPLICATE_VARIABLE, "global variable", name, first);
            }
        }
        let mut init = Vec::new();
        for (index, (_, value)) in ast.globals.iter().flat_map(|decl| &decl.vars).enumerate() {
            if let Some(value) = value {
                let var = VarId::from_u32(index as u32);
                init.push((var, self.initial_value(value, var)));
            }
        }
        init
    }

    /// The procedure the first thread runs.
    fn main(&mut self, procs: &mut IndexVec<ProcId, Proc>) -> Option<ProcId> {
        if let Some(main) = self.procs.get("main") {
            return Some(main);
        }
        if let Some(init) = self.procs.get("init") {
            return Some(getafix::add_main(procs, &mut self.exprs, init, &self.called));
        }
        // A file that could not be read may have had one.
        if self.sink.has_errors() {
            return None;
        }
        let diagnostic = match self.ast.procs.first() {
            Some(first) => {
                let help = nearest("main", self.procs.names())
                    .map(|near| format!("is `{near}` the one where execution begins?"));
                let it =
                    Diagnostic::error(codes::NO_MAIN, first.span, "there is no procedure `main`");
                it.help(help.unwrap_or("call the procedure `main` where execution begins".into()))
            }
            None => {
                let span = self.ast.globals.first().map_or(Span::default(), |decl| decl.span);
                Diagnostic::error(codes::EMPTY, span, "there is no procedure in this file")
                    .help("the smallest program is `void main() begin end`")
            }
        };
        self.sink.push(diagnostic);
        None
    }

    fn error(&mut self, code: Code, span: Span, message: String) {
        self.sink.push(Diagnostic::error(code, span, message));
    }

    fn twice(&mut self, code: Code, kind: &str, name: &ast::Ident, first: Span) {
        let message = format!("the {kind} `{}` is declared twice", name.name);
        let it = Diagnostic::error(code, name.span, message);
        self.sink.push(it.label("second time").also(first, "first time"));
    }

    /// Whether an unknown name is a mistake of its own: a keyword was reported by the parser, and
    /// the declaration of any other may be among what could not be read.
    fn is_news(&self, name: &str) -> bool {
        !self.names_missing && Kw::of(name).is_none()
    }

    fn proc_named(&mut self, callee: &ast::Ident) -> Option<ProcId> {
        let found = self.procs.get(&callee.name);
        if found.is_none() && self.is_news(&callee.name) && self.procs.report(&callee.name) {
            let message = format!("there is no procedure `{}`", callee.name);
            let it = Diagnostic::error(codes::UNKNOWN_PROCEDURE, callee.span, message);
            let procs = &self.procs;
            self.sink.push_with(it, |it| did_you_mean(it, nearest(&callee.name, procs.names())));
        }
        found
    }
}

/// `no values`, `1 value`, `2 values`.
fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}
