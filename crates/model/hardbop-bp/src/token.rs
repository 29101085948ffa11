//! The words of the language.

use hardbop_base::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok {
    /// A name; `choose`, `call`, `dfs`, `print`, `dead` and `sync` are names that a statement or
    /// expression may begin with.
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

macro_rules! keywords {
    ($($kw:ident = $text:literal)*) => {
        /// Words that cannot be names.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Kw { $($kw),* }

        impl Kw {
            pub fn of(text: &str) -> Option<Kw> {
                match text {
                    $($text => Some(Kw::$kw),)*
                    // BOOM's listings write it this way round.
                    "thread_end" => Some(Kw::EndThread),
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
