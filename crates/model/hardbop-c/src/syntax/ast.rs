//! The syntax of C as we read it. Types are resolved later: the parser knows only which names are
//! typedefs.

use std::rc::Rc;

use hardbop_base::{Name, Span};

use super::contract::Contract;
use super::literal::Encoding;

/// Names a node among those of all units of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId {
    /// Where the text of the unit begins.
    pub unit: u32,
    pub node: u32,
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    pub id: NodeId,
    /// Whether evaluating it can change a variable.
    pub has_effect: bool,
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span, id: NodeId) -> Expr {
        let has_effect = kind.has_effect();
        Expr { kind, span, id, has_effect }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Plus,
    Minus,
    BitNot,
    Not,
    Deref,
    Addr,
    Real,
    Imag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

#[derive(Debug)]
pub enum ExprKind {
    Ident(Name),
    Int {
        value: u128,
        is_decimal: bool,
        is_unsigned: bool,
        longs: u8,
    },
    Float {
        value: f64,
        suffix: u8,
        /// Whether a `double` has exactly this value.
        is_exact: bool,
    },
    Char {
        value: i64,
        encoding: Encoding,
    },
    Str {
        units: Vec<u32>,
        encoding: Encoding,
    },
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a = b`, or `a op= b`.
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    IncDec {
        is_inc: bool,
        is_prefix: bool,
        of: Box<Expr>,
    },
    /// `c ? a : b`; `c ?: b` has no middle.
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member {
        of: Box<Expr>,
        field: Name,
        is_arrow: bool,
    },
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLit(Box<TypeName>, Box<Initializer>),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    /// `_Alignof`, which for some types differs from `__alignof__`.
    MinAlignofType(Box<TypeName>),
    AlignofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    StmtExpr(Box<Block>),
    Generic(Box<Expr>, Vec<(Option<Box<TypeName>>, Expr)>),
    VaArg(Box<Expr>, Box<TypeName>),
    Offsetof(Box<TypeName>, Vec<Designator>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
    LabelAddr(Name),
}

impl ExprKind {
    /// Looks one level deep: what is inside knows.
    fn has_effect(&self) -> bool {
        match self {
            ExprKind::Assign(..)
            | ExprKind::IncDec { .. }
            | ExprKind::Call(..)
            | ExprKind::StmtExpr(_)
            | ExprKind::CompoundLit(..)
            | ExprKind::VaArg(..) => true,
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Member { of: a, .. } => {
                a.has_effect
            }
            ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Index(a, b) => {
                a.has_effect || b.has_effect
            }
            ExprKind::Cond(a, b, c) => {
                a.has_effect || b.as_ref().is_some_and(|b| b.has_effect) || c.has_effect
            }
            ExprKind::Generic(a, cases) => a.has_effect || cases.iter().any(|it| it.1.has_effect),
            ExprKind::ChooseExpr(a, b, c) => a.has_effect || b.has_effect || c.has_effect,
            _ => false,
        }
    }
}

#[derive(Debug)]
pub enum Designator {
    Field(Name, Span),
    Index(Expr),
    Range(Expr, Expr),
}

impl Designator {
    pub fn span(&self) -> Span {
        match self {
            Designator::Field(_, span) => *span,
            Designator::Index(at) => at.span,
            Designator::Range(low, high) => low.span.to(high.span),
        }
    }
}

#[derive(Debug)]
pub enum Initializer {
    Expr(Expr),
    List(Vec<(Vec<Designator>, Initializer)>, Span),
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Register,
}

#[derive(Debug)]
pub struct Specs {
    pub storage: Storage,
    pub base: BaseSpec,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_inline: bool,
    pub is_noreturn: bool,
    pub is_thread_local: bool,
    pub is_atomic: bool,
    pub attributes: Attributes,
    pub span: Span,
}

/// What attributes say that is modelled; everything else was dropped or refused by the parser.
#[derive(Clone, Default, Debug)]
pub struct Attributes {
    pub is_packed: bool,
    pub is_noreturn: bool,
    pub is_weak: bool,
    pub is_transparent: bool,
    pub returns_twice: bool,
    /// The strictest counts.
    pub aligned: Vec<Alignment>,
    /// `mode(QI)` and its like.
    pub mode: Option<Name>,
    /// The function, and the place.
    pub cleanup: Option<(Name, Span)>,
    /// The name that this one stands for, and the place.
    pub alias: Option<(Name, Span)>,
    /// `asm("name")`: the name it is linked by.
    pub asm_label: Option<Name>,
    pub constructor: Option<Priority>,
    pub destructor: Option<Priority>,
    /// Of a record: the most a member is aligned to, by `#pragma pack`.
    pub pack: Option<u64>,
    /// Of a function.
    pub contract: Contract,
}

#[derive(Clone, Debug)]
pub enum Alignment {
    /// `aligned` without a number.
    Largest,
    Bytes(Rc<Expr>),
    OfType(Rc<TypeName>),
}

#[derive(Clone, Debug)]
pub struct Priority(pub Option<Rc<Expr>>);

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Word {
    #[default]
    Int,
    Void,
    Bool,
    Char,
    Float,
    Double,
    Float128,
    Int128,
}

#[derive(Debug)]
pub enum BaseSpec {
    Builtin {
        word: Word,
        is_signed: Option<bool>,
        longs: u8,
        is_short: bool,
        is_complex: bool,
    },
    Typedef(Name),
    Record {
        is_union: bool,
        tag: Option<Name>,
        fields: Option<Vec<Field>>,
        attributes: Attributes,
    },
    Enum {
        tag: Option<Name>,
        items: Option<Vec<(Name, Option<Expr>, Span)>>,
        attributes: Attributes,
    },
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    VaList,
    /// `__auto_type`: that of the initialiser.
    Auto,
    /// A type we can read and not model, such as `_Decimal64`.
    Unsupported(Name),
}

#[derive(Debug)]
pub enum Field {
    Decl { specs: Rc<Specs>, declarators: Vec<FieldDeclarator> },
    StaticAssert(Expr),
}

#[derive(Debug)]
pub struct FieldDeclarator {
    pub declarator: Option<Declarator>,
    pub width: Option<Expr>,
    pub attributes: Attributes,
    pub span: Span,
}

/// From the name outwards: `*a[3]` is an array, then a pointer.
#[derive(Debug)]
pub struct Declarator {
    pub name: Option<Name>,
    pub derivs: Vec<Deriv>,
    pub attributes: Attributes,
    pub span: Span,
}

#[derive(Debug)]
pub enum Deriv {
    Ptr { is_const: bool, is_atomic: bool },
    Array(ArrayLen),
    Func { params: Vec<Param>, is_variadic: bool, has_prototype: bool },
}

#[derive(Debug)]
pub enum ArrayLen {
    Unknown,
    /// `[*]`
    Star,
    Expr(Box<Expr>),
}

#[derive(Debug)]
pub struct Param {
    pub specs: Rc<Specs>,
    pub declarator: Declarator,
}

#[derive(Debug)]
pub struct TypeName {
    pub specs: Rc<Specs>,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Debug)]
pub struct Decl {
    pub specs: Rc<Specs>,
    pub items: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Initializer>,
}

#[derive(Debug)]
pub struct Block {
    pub items: Vec<Stmt>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StmtKind {
    Expr(Expr),
    Decl(Decl),
    Block(Block),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Option<Box<Stmt>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch(Expr, Box<Stmt>),
    Case {
        low: Expr,
        high: Option<Expr>,
        body: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Label(Name, Box<Stmt>),
    Goto(Name),
    GotoComputed(Expr),
    /// `__label__ a, b;`: labels of this block.
    LocalLabels(Vec<Name>),
    StaticAssert(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    /// Whether the template is empty: only then are the operands read.
    Asm {
        is_empty: bool,
        operands: Vec<AsmOperand>,
    },
    Empty,
}

#[derive(Debug)]
pub struct AsmOperand {
    pub constraint: String,
    pub value: Expr,
    pub is_output: bool,
}

#[derive(Debug)]
pub enum External {
    Decl(Decl),
    Func(Box<FuncDef>),
    Asm(Span),
    StaticAssert(Expr),
}

#[derive(Debug)]
pub struct FuncDef {
    pub specs: Rc<Specs>,
    pub declarator: Declarator,
    /// Declarations between head and body, in the old style.
    pub old_params: Vec<Decl>,
    pub body: Block,
    pub span: Span,
}
