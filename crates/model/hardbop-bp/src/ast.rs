//! The syntax as written: names unresolved, every node with its place.
//!
//! Always used qualified (`ast::Stmt`), so that it is never mistaken for the IR. Chains of `&`, `|`
//! and `^` are flat lists, because abstraction tools write them thousands of operands long.

use hardbop_base::{Name, Span};

/// A whole file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    pub globals: Vec<Decl>,
    pub procs: Vec<Proc>,
    /// Comments after the last procedure.
    pub trailing: Vec<Comment>,
}

/// `// …` or `/* … */`, delimiters included, kept for the formatter; empty for a blank line.
#[derive(Clone, PartialEq, Debug)]
pub struct Comment {
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

/// `decl a, b := e;`
#[derive(Clone, PartialEq, Debug)]
pub struct Decl {
    pub vars: Vec<(Ident, Option<Expr>)>,
    pub notes: Notes,
    pub span: Span,
}

/// The comments that belong to a declaration, procedure or statement.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notes {
    /// On the lines before.
    pub before: Vec<Comment>,
    /// On the same line, after.
    pub after: Option<Comment>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Proc {
    pub name: Ident,
    pub n_returns: usize,
    pub formals: Vec<Ident>,
    pub locals: Vec<Decl>,
    pub enforce: Vec<Enforce>,
    pub body: Vec<Stmt>,
    pub notes: Notes,
    /// Comments before `end`.
    pub trailing: Vec<Comment>,
    /// The head: type, name and formals.
    pub span: Span,
    /// The word `end`.
    pub end: Span,
}

/// `enforce e;` or, negated, `abortif e;`
#[derive(Clone, PartialEq, Debug)]
pub struct Enforce {
    pub negated: bool,
    pub expr: Expr,
    pub notes: Notes,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// Names or numbers.
    pub labels: Vec<Ident>,
    pub kind: StmtKind,
    pub notes: Notes,
    /// The statement without its labels; for compound ones the head (`if e then`, `while e do`).
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    Skip,
    Print(Vec<Expr>),
    Goto(Vec<Ident>),
    Return(Vec<Expr>),
    /// `a, _, b$ := e1, e2, e3 constrain e`
    Assign {
        targets: Vec<Target>,
        values: Vec<Expr>,
        constrain: Option<Expr>,
    },
    /// `a, _ := f(e)`; no targets for a call that drops its results.
    Call {
        targets: Vec<Target>,
        callee: Ident,
        args: Vec<Expr>,
    },
    /// Guarded branches (`if`, then each `elsif`) and the `else` branch.
    If {
        branches: Vec<Branch>,
        otherwise: Option<Block>,
    },
    While {
        guard: Expr,
        body: Block,
    },
    Assert(Expr),
    Assume(Expr),
    Dead(Vec<Ident>),
    StartThread(ThreadStart),
    EndThread,
    AtomicBegin,
    AtomicEnd,
    /// A statement the parser could not read; a diagnostic was reported.
    Error,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    pub guard: Expr,
    pub body: Block,
    /// `if e then` or `elsif e then`
    pub span: Span,
}

/// Statements, and the comments before the keyword that ends them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub trailing: Vec<Comment>,
}

/// What stands left of `:=`.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// A variable; resolution finds out whether `x$` is a broadcast or an odd name.
    Var(Ident),
    /// `_`
    Drop(Span),
}

#[derive(Clone, PartialEq, Debug)]
pub enum ThreadStart {
    /// `start_thread goto L` or `start_thread L`
    Goto(Ident),
    /// `start_thread f(e, …)`
    Call { callee: Ident, args: Vec<Expr> },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Const(bool),
    Var(Ident),
    /// `'x` or `x'`
    Next(Ident),
    /// `*`, and `?` where a value is expected
    Choice,
    Not(Box<Expr>),
    /// Two or more operands.
    Chain(ChainOp, Vec<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Schoose(Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An expression the parser could not read; a diagnostic was reported.
    Error,
}

/// Associative operators, kept flat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainOp {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Eq,
    Ne,
    Implies,
}
