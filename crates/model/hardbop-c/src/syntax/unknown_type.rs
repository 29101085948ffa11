//! Names that stand where only a type can and that nobody declares as one: told once, at their place,
//! and taken as types from then on.

use hardbop_diag::{Diagnostic, codes, did_you_mean, nearest};

use super::lexer::Tok;
use super::parser::Parser;
use super::words::Punct;
use crate::standard::header_of;

/// Words of the language a misspelt type is compared with.
const TYPE_WORDS: [&str; 12] = [
    "int", "char", "short", "long", "unsigned", "signed", "float", "double", "void", "struct",
    "union", "_Bool",
];

impl Parser<'_> {
    /// If `is_unknown` says so of the name here, tells that there is no such type.
    pub fn note_unknown_type(&mut self, is_unknown: impl FnOnce(&Self, usize) -> bool) -> bool {
        let found = is_unknown(self, 0);
        if found {
            self.unknown_type(0);
        }
        found
    }

    /// The same of a name behind `(`, if this is a cast or the operand of `sizeof`.
    pub fn note_unknown_cast(&mut self) -> bool {
        let found = self.casts_to_unknown(1);
        if found {
            self.unknown_type(1);
        }
        found
    }

    fn unknown_type(&mut self, ahead: usize) {
        let Some(token) = self.tokens.get(self.at + ahead) else { return };
        let (Tok::Ident(name), span) = (token.tok.clone(), token.span) else { return };
        let message = format!("there is no type `{name}`");
        let mut wrong = Diagnostic::error(codes::c::UNDECLARED, span, message);
        if let Some(header) = header_of(&name) {
            wrong = wrong.help(format!("`{name}` is declared in <{header}>"));
        } else if self.sink.is_help_worth_it() {
            let types = self.names.iter().filter(|it| *it.1).map(|it| it.0);
            wrong = did_you_mean(wrong, nearest(&name, types.chain(TYPE_WORDS)));
        }
        self.take_down(wrong);
        // A type everywhere, whatever else hides it here.
        self.names.declare_outermost(&name, true);
        if let Some(is_typedef) = self.names.get_mut(&name) {
            *is_typedef = true;
        }
        self.unread.insert(name);
    }

    fn name_at(&self, ahead: usize) -> Option<&str> {
        match self.peek_ahead(ahead) {
            Tok::Ident(name) => Some(name),
            _ => None,
        }
    }

    fn is_punct_at(&self, ahead: usize, puncts: &[Punct]) -> bool {
        matches!(self.peek_ahead(ahead), Tok::Punct(it) if puncts.contains(it))
    }

    /// Where nothing but a type can stand.
    pub fn is_undeclared(&self, ahead: usize) -> bool {
        self.name_at(ahead).is_some_and(|name| self.names.get(name).is_none())
    }

    /// `name other` and `name *`, where a declaration is read.
    pub fn declares_with_unknown(&self, ahead: usize) -> bool {
        let is_name = self.name_at(ahead).is_some_and(|name| !self.is_typedef(name));
        is_name
            && (self.name_at(ahead + 1).is_some() || self.is_punct_at(ahead + 1, &[Punct::Star]))
    }

    /// `name other`, and `name *other;`, which is no product if nobody declares the name.
    pub fn states_with_unknown(&self, ahead: usize) -> bool {
        let Some(name) = self.name_at(ahead) else { return false };
        if self.name_at(ahead + 1).is_some() {
            return !self.is_typedef(name);
        }
        let mut at = ahead + 1;
        while self.is_punct_at(at, &[Punct::Star]) {
            at += 1;
        }
        at > ahead + 1
            && self.names.get(name).is_none()
            && self.name_at(at).is_some()
            && self.is_punct_at(at + 1, &[Punct::Semi, Punct::Assign, Punct::Comma])
    }

    /// `name *)` and `name) operand`.
    fn casts_to_unknown(&self, ahead: usize) -> bool {
        if !self.is_undeclared(ahead) {
            return false;
        }
        let mut at = ahead + 1;
        while self.is_punct_at(at, &[Punct::Star]) {
            at += 1;
        }
        let is_operand =
            !matches!(self.peek_ahead(at + 1), Tok::Punct(_) | Tok::End) || at > ahead + 1;
        self.is_punct_at(at, &[Punct::RParen]) && is_operand
    }
}
