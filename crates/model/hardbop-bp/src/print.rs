//! The formatter: a syntax tree in its canonical form.
//!
//! Printing keeps meaning and comments: parsing the text gives the same tree but for places, and
//! printing that tree the same text. A blank line between statements or declarations is kept, one of
//! several; procedures are set off by one.

mod expr;
mod flow;

use crate::ast::{
    Block, Comment, Decl, Enforce, Ident, Notes, Proc, Program, Stmt, StmtKind, Target, ThreadStart,
};
use expr::{expr, list};
use flow::fill;

/// A word that no program declares: a tree with mistakes prints as text that is rejected.
const UNREADABLE: &str = "{?}";

/// The program in canonical form, with a newline at the end.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { out: String::new(), indent: 0, opened: false };
    for decl in &program.globals {
        printer.decl(decl);
    }
    for proc in &program.procs {
        printer.blank_line();
        printer.proc(proc);
    }
    if !program.trailing.is_empty() {
        printer.blank_line();
        printer.comments(&program.trailing);
    }
    printer.out
}

struct Printer {
    out: String,
    /// In steps of two blanks.
    indent: usize,
    /// Whether the last line begins a block.
    opened: bool,
}

impl Printer {
    /// Not at the beginning of the text or of a block, and never two.
    fn blank_line(&mut self) {
        if !self.out.is_empty() && !self.opened && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// No blank line before what ends a block.
    fn end_block(&mut self) {
        if self.out.ends_with("\n\n") {
            self.out.pop();
        }
    }

    fn close(&mut self, text: &str) {
        self.end_block();
        self.line(text);
    }

    fn line(&mut self, text: &str) {
        flow::blanks(&mut self.out, self.indent);
        self.out.push_str(text);
        self.out.push('\n');
        self.opened = false;
    }

    fn comments(&mut self, comments: &[Comment]) {
        for comment in comments {
            match &*comment.text {
                "" => self.blank_line(),
                text => self.line(text),
            }
        }
    }

    /// One item: its comments and its text, in which newlines are places where it may be broken.
    fn item(&mut self, notes: &Notes, text: &str) {
        self.comments(&notes.before);
        self.lines(&[text]);
        self.after(notes);
    }

    /// Parts of one item: on one line if they fit, else each on a line of its own.
    fn lines(&mut self, parts: &[&str]) {
        let width: usize = parts.iter().map(|part| part.chars().count() + 1).sum();
        let joined;
        let parts = if width + 2 * self.indent <= flow::WIDTH + 1 {
            joined = [parts.join("\n")];
            &[joined[0].as_str()]
        } else {
            parts
        };
        for (at, part) in parts.iter().enumerate() {
            fill(&mut self.out, self.indent + if at == 0 { 0 } else { 2 }, part);
        }
        self.opened = false;
    }

    /// The comment behind what was just printed.
    fn after(&mut self, notes: &Notes) {
        if let Some(comment) = &notes.after {
            self.out.pop();
            self.out.push(' ');
            self.out.push_str(&comment.text);
            self.out.push('\n');
        }
    }

    fn decl(&mut self, decl: &Decl) {
        let vars: Vec<String> = decl
            .vars
            .iter()
            .map(|(name, init)| match init {
                Some(init) => format!("{} := {}", name.name, expr(init)),
                None => name.name.to_string(),
            })
            .collect();
        self.item(&decl.notes, &format!("decl {};", vars.join(",\n")));
    }

    fn enforce(&mut self, enforce: &Enforce) {
        let word = if enforce.negated { "abortif" } else { "enforce" };
        self.item(&enforce.notes, &format!("{word} {};", expr(&enforce.expr)));
    }

    fn proc(&mut self, proc: &Proc) {
        self.comments(&proc.notes.before);
        let kind = match proc.n_returns {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            n => format!("bool<{n}>"),
        };
        let formals = names(&proc.formals);
        self.lines(&[&format!("{kind} {}({formals}) begin", proc.name.name)]);
        self.indent += 1;
        self.opened = true;
        for decl in &proc.locals {
            self.decl(decl);
        }
        for enforce in &proc.enforce {
            self.enforce(enforce);
        }
        self.stmts(&proc.body);
        self.comments(&proc.trailing);
        self.indent -= 1;
        self.close("end");
        self.after(&proc.notes);
    }

    fn block(&mut self, block: &Block) {
        self.indent += 1;
        self.opened = true;
        self.stmts(&block.stmts);
        self.comments(&block.trailing);
        self.indent -= 1;
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.comments(&stmt.notes.before);
        let labels: String = stmt.labels.iter().map(|label| format!("{}:\n", label.name)).collect();
        match &stmt.kind {
            StmtKind::If { branches, otherwise } => {
                for (at, branch) in branches.iter().enumerate() {
                    let (labels, word) = if at == 0 { (&*labels, "if") } else { ("", "elsif") };
                    if at > 0 {
                        self.end_block();
                    }
                    self.lines(&[&format!("{labels}{word} {}\nthen", expr(&branch.guard))]);
                    self.block(&branch.body);
                }
                if let Some(otherwise) = otherwise {
                    self.close("else");
                    self.block(otherwise);
                }
                self.close("fi");
            }
            StmtKind::While { guard, body } => {
                self.lines(&[&format!("{labels}while {}\ndo", expr(guard))]);
                self.block(body);
                self.close("od");
            }
            StmtKind::Assign { targets, values, constrain } => {
                self.assign(&labels, targets, values, constrain.as_ref());
            }
            _ => self.lines(&[&format!("{labels}{};", simple(stmt))]),
        }
        self.after(&stmt.notes);
    }

    /// Where an assignment does not fit on a line, each value gets its own.
    fn assign(
        &mut self,
        labels: &str,
        targets: &[Target],
        values: &[crate::ast::Expr],
        constrain: Option<&crate::ast::Expr>,
    ) {
        let mut parts = vec![format!("{labels}{} :=", target_list(targets))];
        let last = values.len().saturating_sub(1);
        for (at, value) in values.iter().enumerate() {
            parts.push(format!("{}{}", expr(value), if at < last { "," } else { "" }));
        }
        parts.extend(constrain.map(|constrain| format!("constrain {}", expr(constrain))));
        if let Some(last) = parts.last_mut() {
            last.push(';');
        }
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        self.lines(&parts);
    }
}

fn names(names: &[Ident]) -> String {
    names.iter().map(|name| &*name.name).collect::<Vec<_>>().join(",\n")
}

fn target_list(targets: &[Target]) -> String {
    let name = |target: &Target| match target {
        Target::Var(name) => name.name.to_string(),
        Target::Drop(_) => "_".to_owned(),
    };
    targets.iter().map(name).collect::<Vec<_>>().join(",\n")
}

/// A statement without labels and `;`.
fn simple(stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Skip => "skip".into(),
        StmtKind::Print(values) => format!("print({})", list(values)),
        StmtKind::Goto(labels) => format!("goto {}", names(labels)),
        StmtKind::Return(values) if values.is_empty() => "return".into(),
        StmtKind::Return(values) => format!("return {}", list(values)),
        StmtKind::Call { targets, callee, args } => {
            let call = format!("{}({})", callee.name, list(args));
            if targets.is_empty() { call } else { format!("{} :=\n{call}", target_list(targets)) }
        }
        StmtKind::Assert(it) => format!("assert({})", expr(it)),
        StmtKind::Assume(it) => format!("assume({})", expr(it)),
        StmtKind::Dead(vars) => format!("dead {}", names(vars)),
        StmtKind::StartThread(ThreadStart::Goto(label)) => {
            format!("start_thread goto {}", label.name)
        }
        StmtKind::StartThread(ThreadStart::Call { callee, args }) => {
            format!("start_thread {}({})", callee.name, list(args))
        }
        StmtKind::EndThread => "end_thread".into(),
        StmtKind::AtomicBegin => "atomic_begin".into(),
        StmtKind::AtomicEnd => "atomic_end".into(),
        StmtKind::Error => format!("{UNREADABLE}()"),
        StmtKind::Assign { .. } | StmtKind::If { .. } | StmtKind::While { .. } => {
            unreachable!("printed by `stmt`")
        }
    }
}
