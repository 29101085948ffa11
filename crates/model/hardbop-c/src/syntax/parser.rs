//! The parser's state: tokens, the scopes of typedef names, the depth.

use hardbop_base::{Name, Span};
use hardbop_diag::{Diagnostic, Sink, codes};
use rustc_hash::FxHashSet;

use super::ast::{External, FuncDef, NodeId, Storage};
use super::later;
use super::lexer::{Tok, Token, lex};
use super::pragma::Pragmas;
use super::recover::Level;
use super::words::{Kw, Punct};
use crate::scoped::Scoped;

/// A translation unit.
#[derive(Debug)]
pub struct Unit {
    pub items: Vec<External>,
    /// Every name that is used in an expression.
    pub uses: FxHashSet<Name>,
    pub pragmas: Pragmas,
    /// Names that stand in text that could not be read: what they mean is not known.
    pub unread: FxHashSet<Name>,
}

/// Nesting beyond this is refused: recursion needs about 2 KiB of stack for a level, and the front
/// end gives itself a stack for it (see `load`). A pair of parentheses is two levels.
pub const MAX_DEPTH: u32 = 50_000;

/// Reads a unit; its positions begin at `base`. After a mistake reading goes on (`recover`): the unit
/// holds what could be read.
pub fn parse(text: &str, base: u32, sink: &mut Sink) -> Unit {
    let (mut tokens, lines) = lex(text, base, sink);
    later::read(&mut tokens);
    let mut parser = Parser {
        pragmas: Pragmas::read(lines, sink),
        tokens,
        at: 0,
        names: Scoped::default(),
        depth: 0,
        next_id: NodeId { unit: base, node: 0 },
        uses: FxHashSet::default(),
        sink,
        unread: FxHashSet::default(),
        mistaken_at: None,
        is_over: false,
    };
    let mut items = Vec::new();
    while *parser.peek() != Tok::End {
        if !parser.eat(Punct::Semi) {
            items.extend(parser.recovering(Level::External, Parser::external));
        }
    }
    Unit { items, uses: parser.uses, pragmas: parser.pragmas, unread: parser.unread }
}

pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

pub(super) struct Parser<'a> {
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    /// Whether a name is a typedef.
    pub(super) names: Scoped<bool>,
    depth: u32,
    next_id: NodeId,
    pub(super) uses: FxHashSet<Name>,
    pragmas: Pragmas,
    pub(super) sink: &'a mut Sink,
    pub(super) unread: FxHashSet<Name>,
    /// The token at which the last mistake was found.
    pub(super) mistaken_at: Option<usize>,
    /// Nothing more is read, and nothing found is a mistake.
    pub(super) is_over: bool,
}

impl Parser<'_> {
    /// A name no other node has.
    pub fn fresh_id(&mut self) -> NodeId {
        let id = self.next_id;
        self.next_id.node += 1;
        id
    }

    /// What `#pragma pack` allows a record that ends here.
    pub fn pack_here(&self) -> Option<u64> {
        self.pragmas.pack_at(self.at)
    }

    /// A sentence for the list of assumptions.
    pub fn assume(&mut self, sentence: String) {
        if !self.pragmas.assumptions.contains(&sentence) {
            self.pragmas.assumptions.push(sentence);
        }
    }

    /// Whether, behind attributes, `test` holds; nothing is taken.
    pub fn behind_attributes(&mut self, test: impl FnOnce(&Self) -> bool) -> Parsed<bool> {
        let at = self.at;
        self.attributes(&mut super::ast::Attributes::default())?;
        let holds = test(self);
        self.at = at;
        Ok(holds)
    }

    pub fn peek(&self) -> &Tok {
        &self.tokens[self.at].tok
    }

    pub fn peek_ahead(&self, n: usize) -> &Tok {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + n).min(last)].tok
    }

    pub fn here(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The end of the last token.
    pub fn since(&self, start: Span) -> Span {
        let last = self.tokens[self.at.saturating_sub(1)].span;
        Span { start: start.start, end: last.end.max(start.start) }
    }

    pub fn next(&mut self) -> Tok {
        let tok = self.tokens[self.at].tok.clone();
        if tok != Tok::End {
            self.at += 1;
        }
        tok
    }

    pub fn skip(&mut self) {
        if *self.peek() != Tok::End {
            self.at += 1;
        }
    }

    pub fn is(&self, punct: Punct) -> bool {
        *self.peek() == Tok::Punct(punct)
    }

    pub fn eat(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        if found {
            self.at += 1;
        }
        found
    }

    pub fn is_word(&self, word: Kw) -> bool {
        *self.peek() == Tok::Kw(word)
    }

    pub fn eat_word(&mut self, word: Kw) -> bool {
        let found = self.is_word(word);
        if found {
            self.at += 1;
        }
        found
    }

    pub fn need(&mut self, punct: Punct) -> Parsed<()> {
        if self.eat(punct) {
            return Ok(());
        }
        self.fail(format!("`{}` is expected here, not {}", punct.text(), self.describe()))
    }

    pub fn ident(&mut self) -> Parsed<Name> {
        match self.peek() {
            Tok::Ident(name) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => self.fail(format!("a name is expected here, not {}", self.describe())),
        }
    }

    pub fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new(Diagnostic::error(codes::c::SYNTAX, self.here(), message)))
    }

    pub fn unsupported<T>(&self, span: Span, what: &str) -> Parsed<T> {
        Err(Box::new(Diagnostic::error(
            codes::c::UNSUPPORTED,
            span,
            format!("{what} is not supported"),
        )))
    }

    pub(super) fn describe(&self) -> String {
        match self.peek() {
            Tok::Ident(name) => format!("`{name}`"),
            Tok::Kw(word) => format!("`{}`", word.text()),
            Tok::Punct(punct) => format!("`{}`", punct.text()),
            Tok::Int { .. } | Tok::Float { .. } => "a number".into(),
            Tok::Char { .. } => "a character".into(),
            Tok::Str { .. } => "a string".into(),
            Tok::End => "the end of the file".into(),
        }
    }

    /// Runs `parse` one level deeper.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            self.sink.push(Diagnostic::error(codes::c::TOO_DEEP, self.here(), message));
            self.end();
        } else if !self.sink.goes_on() {
            self.end();
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    pub fn is_typedef(&self, name: &str) -> bool {
        self.names.get(name) == Some(&true)
    }

    pub fn declare(&mut self, name: &Name, is_typedef: bool) {
        self.names.declare(name, is_typedef);
    }

    pub fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.names.open();
        let result = parse(self);
        self.names.close();
        result
    }

    /// Skips a balanced `( … )`.
    pub fn skip_parens(&mut self) -> Parsed<()> {
        self.need(Punct::LParen)?;
        let mut open = 1;
        while open > 0 {
            match self.next() {
                Tok::Punct(Punct::LParen) => open += 1,
                Tok::Punct(Punct::RParen) => open -= 1,
                Tok::End => return self.fail("`)` is missing"),
                _ => {}
            }
        }
        Ok(())
    }

    fn external(&mut self) -> Parsed<External> {
        let start = self.here();
        while self.eat_word(Kw::Extension) {}
        if self.eat_word(Kw::Asm) {
            self.skip_parens()?;
            self.need(Punct::Semi)?;
            return Ok(External::Asm(start));
        }
        if self.is_word(Kw::StaticAssert) {
            return Ok(External::StaticAssert(self.static_assert()?));
        }
        let specs = self.specs()?;
        if self.is(Punct::Semi) {
            return Ok(External::Decl(self.finish_decl(specs, start)?));
        }
        let mut first = self.declarator()?;
        let attributes = self.after_declarator()?;
        let is_func = matches!(first.derivs.first(), Some(super::ast::Deriv::Func { .. }));
        let is_body = self.is(Punct::LBrace) || is_func && self.starts_declaration();
        if !is_func || !is_body {
            return Ok(External::Decl(self.decl_from(specs, first, attributes, start)?));
        }
        first.attributes.merge(attributes);
        if let Some(name) = &first.name {
            self.declare(name, specs.storage == Storage::Typedef);
        }
        self.scoped(|parser| {
            parser.declare_params(&first);
            let mut old_params = Vec::new();
            while !parser.is(Punct::LBrace) {
                if !parser.starts_declaration() {
                    return parser.fail("the body of the function is expected here");
                }
                old_params.push(parser.decl()?);
            }
            let head = parser.since(start);
            let body = parser.block()?;
            let declarator = first;
            let def = FuncDef { specs, declarator, old_params, body, span: head };
            Ok(External::Func(Box::new(def)))
        })
    }
}
