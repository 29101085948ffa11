//! What each name of a program stands for, by the rules of the lowering: a local hides a global, a label belongs to
//! its procedure, `x$` on the left of `:=` is the local `x` of the other threads.

use hardbop_base::{Name, Span};
use hardbop_bp::ast::{
    Block, Expr, ExprKind, Ident, Proc, Program, Stmt, StmtKind, Target, ThreadStart,
};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Procedure,
    Global,
    Formal,
    Local,
    Label,
}

/// Something that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub kind: Kind,
    pub name: Name,
    /// Its name where it is declared.
    pub span: Span,
    /// The procedure it belongs to, or is.
    pub proc: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Declared,
    Written,
    /// Read, called or jumped to.
    Used,
}

/// A name that stands for a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    pub span: Span,
    /// Its number.
    pub symbol: usize,
    pub role: Role,
}

#[derive(Debug, Default)]
pub struct Names {
    pub symbols: Vec<Symbol>,
    /// In the order of the text.
    pub uses: Vec<Use>,
    /// Names that stand for nothing.
    pub unknown: Vec<Span>,
}

impl Names {
    pub fn of(program: &Program) -> Names {
        let mut walk = Walk::default();
        for (number, proc) in program.procs.iter().enumerate() {
            walk.declare(Kind::Procedure, &proc.name, Some(number));
        }
        for (name, _) in program.globals.iter().flat_map(|it| &it.vars) {
            walk.declare(Kind::Global, name, None);
        }
        for (_, value) in program.globals.iter().flat_map(|it| &it.vars) {
            value.iter().for_each(|it| walk.expr(it));
        }
        for (number, proc) in program.procs.iter().enumerate() {
            walk.proc(number, proc);
        }
        let mut names = walk.names;
        names.uses.sort_by_key(|it| it.span);
        names
    }

    /// The name the cursor is in, or just behind.
    pub fn at(&self, offset: u32) -> Option<Use> {
        let before = self.uses.partition_point(|it| it.span.start <= offset);
        self.uses[..before].last().copied().filter(|it| offset <= it.span.end)
    }

    pub fn of_symbol(&self, symbol: usize) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |it| it.symbol == symbol)
    }

    /// What can be named in a procedure, or outside of all.
    pub fn visible(&self, proc: Option<usize>) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter().filter(move |it| match it.kind {
            Kind::Procedure | Kind::Global => true,
            Kind::Formal | Kind::Local | Kind::Label => it.proc == proc,
        })
    }
}

/// Names of one kind have a table of their own: a variable may be called like a label.
#[derive(Default)]
struct Walk {
    names: Names,
    procs: FxHashMap<Name, usize>,
    globals: FxHashMap<Name, usize>,
    locals: FxHashMap<Name, usize>,
    labels: FxHashMap<Name, usize>,
}

impl Walk {
    fn declare(&mut self, kind: Kind, ident: &Ident, proc: Option<usize>) {
        // A head that could not be read has the empty name.
        if ident.name.is_empty() {
            return;
        }
        let table = match kind {
            Kind::Procedure => &mut self.procs,
            Kind::Global => &mut self.globals,
            Kind::Formal | Kind::Local => &mut self.locals,
            Kind::Label => &mut self.labels,
        };
        // The first of two declarations counts, as in the lowering.
        let symbol = *table.entry(ident.name.clone()).or_insert_with(|| {
            let (name, span) = (ident.name.clone(), ident.span);
            self.names.symbols.push(Symbol { kind, name, span, proc });
            self.names.symbols.len() - 1
        });
        self.names.uses.push(Use { span: ident.span, symbol, role: Role::Declared });
    }

    fn note(&mut self, span: Span, symbol: Option<usize>, role: Role) {
        match symbol {
            Some(symbol) => self.names.uses.push(Use { span, symbol, role }),
            None => self.names.unknown.push(span),
        }
    }

    fn variable(&mut self, ident: &Ident, role: Role) {
        let found = self.locals.get(&ident.name).or_else(|| self.globals.get(&ident.name));
        self.note(ident.span, found.copied(), role);
    }

    fn proc(&mut self, number: usize, proc: &Proc) {
        self.locals.clear();
        self.labels.clear();
        proc.formals.iter().for_each(|it| self.declare(Kind::Formal, it, Some(number)));
        for (name, _) in proc.locals.iter().flat_map(|it| &it.vars) {
            self.declare(Kind::Local, name, Some(number));
        }
        for (_, value) in proc.locals.iter().flat_map(|it| &it.vars) {
            value.iter().for_each(|it| self.expr(it));
        }
        self.label_all(number, &proc.body);
        proc.enforce.iter().for_each(|it| self.expr(&it.expr));
        self.stmts(&proc.body);
    }

    /// A label may be used before it stands.
    fn label_all(&mut self, number: usize, stmts: &[Stmt]) {
        for stmt in stmts {
            stmt.labels.iter().for_each(|it| self.declare(Kind::Label, it, Some(number)));
            for block in blocks(stmt) {
                self.label_all(number, &block.stmts);
            }
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
            for block in blocks(stmt) {
                self.stmts(&block.stmts);
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Skip
            | StmtKind::EndThread
            | StmtKind::AtomicBegin
            | StmtKind::AtomicEnd
            | StmtKind::Error => {}
            StmtKind::Print(values) | StmtKind::Return(values) => self.exprs(values),
            StmtKind::Goto(labels) => labels.iter().for_each(|it| self.jump(it)),
            StmtKind::Assign { targets, values, constrain } => {
                self.targets(targets);
                self.exprs(values);
                constrain.iter().for_each(|it| self.expr(it));
            }
            StmtKind::Call { targets, callee, args } => {
                self.targets(targets);
                self.call(callee, args);
            }
            StmtKind::If { branches, .. } => branches.iter().for_each(|it| self.expr(&it.guard)),
            StmtKind::While { guard: it, .. } | StmtKind::Assert(it) | StmtKind::Assume(it) => {
                self.expr(it);
            }
            StmtKind::Dead(vars) => vars.iter().for_each(|it| self.variable(it, Role::Written)),
            StmtKind::StartThread(ThreadStart::Goto(label)) => self.jump(label),
            StmtKind::StartThread(ThreadStart::Call { callee, args }) => self.call(callee, args),
        }
    }

    fn jump(&mut self, label: &Ident) {
        self.note(label.span, self.labels.get(&label.name).copied(), Role::Used);
    }

    fn call(&mut self, callee: &Ident, args: &[Expr]) {
        self.note(callee.span, self.procs.get(&callee.name).copied(), Role::Used);
        self.exprs(args);
    }

    fn targets(&mut self, targets: &[Target]) {
        for target in targets {
            let Target::Var(ident) = target else { continue };
            let is_known =
                self.locals.contains_key(&ident.name) || self.globals.contains_key(&ident.name);
            let base = ident.name.strip_suffix('$').filter(|_| !is_known);
            match base.and_then(|it| self.locals.get(it)) {
                Some(&symbol) => {
                    let span = Span { end: ident.span.end - 1, ..ident.span };
                    self.note(span, Some(symbol), Role::Written);
                }
                None => self.variable(ident, Role::Written),
            }
        }
    }

    fn exprs(&mut self, list: &[Expr]) {
        list.iter().for_each(|it| self.expr(it));
    }

    /// The parser bounds the depth.
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Choice | ExprKind::Error => {}
            ExprKind::Var(name) | ExprKind::Next(name) => self.variable(name, Role::Used),
            ExprKind::Not(a) => self.expr(a),
            ExprKind::Chain(_, operands) => self.exprs(operands),
            ExprKind::Binary(_, a, b) | ExprKind::Schoose(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Ite(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
        }
    }
}

/// What is nested in a statement.
pub fn blocks(stmt: &Stmt) -> Vec<&Block> {
    match &stmt.kind {
        StmtKind::If { branches, otherwise } => {
            branches.iter().map(|it| &it.body).chain(otherwise).collect()
        }
        StmtKind::While { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Names, Role};
    use hardbop_base::SourceFile;
    use std::path::Path;

    fn names(text: &str) -> Names {
        Names::of(&hardbop_bp::parse(&SourceFile::new("f.bp", text)).0)
    }

    #[test]
    fn a_local_hides_a_global_and_kinds_have_tables_of_their_own() {
        let text = "decl x, y; void x(y) begin decl z; x: x, z$ := y, x; goto x; x(z); end";
        let names = names(text);
        assert!(names.unknown.is_empty());
        let told: Vec<_> = names
            .uses
            .iter()
            .map(|it| (&text[it.span.range()], names.symbols[it.symbol].kind, it.role))
            .collect();
        use Kind::*;
        use Role::*;
        let wanted = [
            ("x", Global, Declared),
            ("y", Global, Declared),
            ("x", Procedure, Declared),
            ("y", Formal, Declared),
            ("z", Local, Declared),
            ("x", Label, Declared),
            ("x", Global, Written),
            ("z", Local, Written),
            ("y", Formal, Used),
            ("x", Global, Used),
            ("x", Label, Used),
            ("x", Procedure, Used),
            ("z", Local, Used),
        ];
        assert_eq!(told, wanted);
    }

    /// The lowering knows whether a name stands for something: of a program without mistakes all do.
    #[test]
    fn every_name_of_every_program_of_ours_stands_for_something() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let mut folders = vec![root.join("tests/bp"), root.join("examples")];
        let mut n_programs = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "bp")
                    && let Ok(text) = std::fs::read_to_string(&path)
                {
                    let file = SourceFile::new(path.display().to_string(), text);
                    if hardbop_bp::load(&file).0.is_some() {
                        let found = Names::of(&hardbop_bp::parse(&file).0);
                        let unknown: Vec<_> =
                            found.unknown.iter().map(|it| file.snippet(*it)).collect();
                        assert!(unknown.is_empty(), "{}: {unknown:?}", file.name);
                        n_programs += 1;
                    }
                }
            }
        }
        assert!(n_programs > 50, "{n_programs}");
    }
}
