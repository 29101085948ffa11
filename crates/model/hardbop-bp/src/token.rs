//! The words of the language.

use hardbop_base::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok {
    /// A name; those of [`SOFT`] are names too.
    Ident,
    Number,
    Kw(Kw),
    Semi,
    Comma,
    Colon,
    Assign,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Less,
    Greater,
    Tick,
    Not,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Implies,
    Star,
    Question,
    /// Something that is no word; already reported.
    Unknown,
    End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub tok: Tok,
    pub span: Span,
}

/// BOOM's listings write `end_thread` this way round.
pub(crate) const THREAD_END: &str = "thread_end";

/// Names that a statement, an expression or a head may begin with as if they were keywords.
pub(crate) const SOFT: [&str; 6] = ["choose", "call", "dfs", "print", "dead", "sync"];

macro_rules! keywords {
    ($($kw:ident = $text:literal)*) => {
        /// Words that cannot be names.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Kw { $($kw),* }

        impl Kw {
            /// In the order of the table.
            pub const ALL: &[Kw] = &[$(Kw::$kw),*];

            pub fn of(text: &str) -> Option<Kw> {
                match text {
                    $($text => Some(Kw::$kw),)*
                    THREAD_END => Some(Kw::EndThread),
                    _ => None,
                }
            }

            pub fn text(self) -> &'static str {
                match self { $(Kw::$kw => $text),* }
            }
        }
    };
}

keywords! {
    Decl = "decl" Void = "void" Bool = "bool" Begin = "begin" End = "end"
    Enforce = "enforce" Abortif = "abortif"
    If = "if" Then = "then" Elsif = "elsif" Else = "else" Fi = "fi"
    While = "while" Do = "do" Od = "od"
    Skip = "skip" Goto = "goto" Return = "return" Constrain = "constrain"
    Assert = "assert" Assume = "assume"
    StartThread = "start_thread" EndThread = "end_thread"
    AtomicBegin = "atomic_begin" AtomicEnd = "atomic_end"
    Schoose = "schoose" True = "T" False = "F"
}

impl Kw {
    /// Whether a statement begins with the word.
    pub fn begins_statement(self) -> bool {
        use Kw::*;
        matches!(
            self,
            If | While
                | Skip
                | Goto
                | Return
                | Assert
                | Assume
                | StartThread
                | EndThread
                | AtomicBegin
                | AtomicEnd
        )
    }

    /// Whether the word ends a sequence of statements.
    pub fn ends_block(self) -> bool {
        matches!(self, Kw::Elsif | Kw::Else | Kw::Fi | Kw::Od | Kw::End | Kw::Void | Kw::Bool)
    }
}
