//! Words to syntax tree, by recursive descent.
//!
//! Every mistake is reported once. A function that cannot go on has reported why and returns
//! [`Failed`]; the nearest statement, guard, declaration or head skips to a place where reading can
//! begin again. All nesting is counted, so that no input exhausts the stack.

mod comments;
mod decl;
mod expr;
mod stmt;

use hardbop_base::{Name, SourceFile, Span};
use hardbop_diag::codes::bp as codes;
use hardbop_diag::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use crate::ast;
use crate::lexer::{self, RawComment};
use crate::token::{Kw, Tok, Token};
use hardbop_diag::Sink;

/// How deep statements and expressions may be nested, taken together.
pub(crate) const MAX_DEPTH: usize = 500;

/// What a file says, and how far the names in it can be trusted.
pub(crate) struct Parsed {
    pub program: ast::Program,
    /// A declaration or head could not be read: an unknown name may be no second mistake.
    pub names_missing: bool,
}

pub(crate) fn parse(file: &SourceFile, sink: &mut Sink) -> Parsed {
    let lexed = lexer::lex(&file.text, sink);
    let mut parser = Parser {
        text: &file.text,
        tokens: &lexed.tokens,
        at: 0,
        comments: &lexed.comments,
        names: FxHashMap::default(),
        sink,
        depth: 0,
        open_ifs: 0,
        open_whiles: 0,
        too_deep_reported: false,
        late_decls: Vec::new(),
        cut_short: lexed.cut_short,
        names_missing: lexed.cut_short,
    };
    let program = parser.program();
    Parsed { program, names_missing: parser.names_missing }
}

/// The mistake has been reported.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Index of the word to be read next; the last word is never passed.
    at: usize,
    /// The comments not yet given to a node.
    comments: &'a [RawComment],
    names: FxHashMap<&'a str, Name>,
    sink: &'a mut Sink,
    /// Open statements and expressions around the word at hand.
    depth: usize,
    /// Open `if`s and `while`s of the procedure at hand.
    open_ifs: usize,
    open_whiles: usize,
    /// What is too deep is so in many places: it is reported once in a procedure.
    too_deep_reported: bool,
    /// Declarations found among the statements of the procedure at hand.
    late_decls: Vec<ast::Decl>,
    /// See [`lexer::Lexed::cut_short`].
    cut_short: bool,
    names_missing: bool,
}

impl<'a> Parser<'a> {
    fn tok(&self) -> Tok {
        self.tokens[self.at].tok
    }

    fn peek(&self, ahead: usize) -> Tok {
        self.tokens.get(self.at + ahead).map_or(Tok::End, |token| token.tok)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Where the word just read is.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn word(&self) -> &'a str {
        &self.text[self.span().range()]
    }

    fn is_kw(&self, kw: Kw) -> bool {
        self.tok() == Tok::Kw(kw)
    }

    fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.sink.goes_on() {
            self.at = self.tokens.len() - 1;
        } else if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        span
    }

    fn eat(&mut self, tok: Tok) -> bool {
        let is_here = self.tok() == tok;
        if is_here {
            self.bump();
        }
        is_here
    }

    fn expect(&mut self, tok: Tok, what: &str) -> Parse<Span> {
        if self.tok() == tok { Ok(self.bump()) } else { Err(self.unexpected(what)) }
    }

    /// The name at hand, shared with its other uses.
    fn name(&mut self) -> Name {
        let word = self.word();
        self.names.entry(word).or_insert_with(|| word.into()).clone()
    }

    /// Reads the word at hand as a name, whatever it is.
    fn take_ident(&mut self) -> ast::Ident {
        let name = self.name();
        ast::Ident { name, span: self.bump() }
    }

    fn ident(&mut self, what: &str) -> Parse<ast::Ident> {
        match self.tok() {
            Tok::Ident => Ok(self.take_ident()),
            // A word that goes on with the sentence is not meant as a name.
            Tok::Kw(kw) if !matches!(kw, Kw::Begin | Kw::Then | Kw::Do) => {
                self.keyword_as_name();
                Ok(self.take_ident())
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn keyword_as_name(&mut self) {
        let word = self.word();
        self.error(
            codes::KEYWORD_AS_NAME,
            self.span(),
            format!("`{word}` is a keyword, not a name"),
            |it| it.help(format!("take another name, or put it in braces: `{{{word}}}`")),
        );
    }

    fn error(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        self.sink.push(more(Diagnostic::error(code, span, message)));
    }

    /// Reports that `what` is expected at the word at hand, unless that word was reported already
    /// or the text was cut short before it.
    fn unexpected(&mut self, what: &str) -> Failed {
        self.unexpected_with(what, |it| it)
    }

    fn unexpected_with(
        &mut self,
        what: &str,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) -> Failed {
        let found = match self.tok() {
            Tok::Unknown => return Failed,
            Tok::End if self.cut_short => return Failed,
            Tok::End => "the end of the file".to_owned(),
            Tok::Kw(kw) => format!("the keyword `{}`", kw.text()),
            _ => {
                let word = self.word();
                let short: String = word.chars().take(40).collect();
                let dots = if short.len() < word.len() { "…" } else { "" };
                format!("`{short}{dots}`")
            }
        };
        let message = format!("expected {what}, found {found}");
        self.error(codes::SYNTAX, self.span(), message, |it| {
            more(it.label(format!("expected {what}")))
        });
        Failed
    }

    /// One level further in. Each success is followed by [`Parser::leave`].
    fn enter(&mut self) -> Parse<()> {
        if self.depth == MAX_DEPTH {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn too_deep(&mut self, span: Span) -> Failed {
        if !self.too_deep_reported {
            self.too_deep_reported = true;
            let message = format!("this is nested more than {MAX_DEPTH} deep");
            self.error(codes::TOO_DEEP, span, message, |it| it);
        }
        Failed
    }

    /// Reads what ends a declaration or simple statement; skips to it if need be. The last
    /// statement of a block needs none (boppo).
    fn semicolon(&mut self) {
        let closers = [Kw::End, Kw::Fi, Kw::Od, Kw::Else, Kw::Elsif];
        if self.eat(Tok::Semi) || closers.iter().any(|&kw| self.is_kw(kw)) {
            return;
        }
        let last = self.last_span();
        let on_next_line = self.text[last.end as usize..self.span().start as usize].contains('\n');
        let goes_on = match self.tok() {
            Tok::Kw(kw) => kw.begins_statement() || kw.ends_block() || kw == Kw::Decl,
            Tok::Ident | Tok::Number => {
                on_next_line || matches!(self.peek(1), Tok::Colon | Tok::Assign | Tok::LParen)
            }
            Tok::End => true,
            _ => false,
        };
        if goes_on && !(self.tok() == Tok::End && self.cut_short) {
            let place = Span { start: last.end, end: last.end };
            self.error(codes::MISSING_SEMICOLON, place, "a `;` is missing", |it| {
                it.label("`;` here")
            });
        } else {
            self.unexpected("`;`");
            self.skip_statement();
        }
    }

    /// Skips to behind the next `;` or to a word that begins or ends something.
    fn skip_statement(&mut self) {
        loop {
            match self.tok() {
                Tok::Semi => {
                    self.bump();
                    return;
                }
                Tok::End => return,
                Tok::Kw(kw) if kw.begins_statement() || kw.ends_block() || kw == Kw::Decl => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// `item, item, …`
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Tok::Comma) {
            items.push(item(self)?);
        }
        items.shrink_to_fit();
        Ok(items)
    }
}
