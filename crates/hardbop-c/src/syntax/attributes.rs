//! `__attribute__((…))` and what stands beside declarators. What changes the meaning of data is
//! kept; hints for compilers are dropped.

use std::rc::Rc;

use super::ast::Attributes;
use super::lexer::Tok;
use super::parser::{Parsed, Parser};

impl Parser {
    /// Any number of attribute lists.
    pub(super) fn attributes(&mut self, into: &mut Attributes) -> Parsed<()> {
        while self.eat_words(&["__attribute__", "__attribute"]) {
            self.need("(")?;
            self.need("(")?;
            while !self.eat(")") {
                if !self.eat(",") {
                    self.attribute(into)?;
                }
            }
            self.need(")")?;
        }
        Ok(())
    }

    fn attribute(&mut self, into: &mut Attributes) -> Parsed<()> {
        let span = self.here();
        let name = self.ident()?;
        match name.trim_matches('_') {
            "packed" => into.is_packed = true,
            "noreturn" => into.is_noreturn = true,
            "aligned" => {
                if self.eat("(") {
                    into.aligned = Some(Rc::new(self.conditional()?));
                    return self.need(")");
                }
                into.is_max_aligned = true;
            }
            "mode" => {
                self.need("(")?;
                into.mode = Some(self.ident()?.trim_matches('_').into());
                return self.need(")");
            }
            "vector_size"
            | "ms_struct"
            | "scalar_storage_order"
            | "cleanup"
            | "constructor"
            | "destructor"
            | "transparent_union" => {
                into.unsupported = Some((format!("the attribute `{name}`").into(), span));
            }
            _ => {}
        }
        if self.is("(") {
            self.skip_parens()?;
        }
        Ok(())
    }

    /// `asm("name")` and attributes after a declarator.
    pub(super) fn after_declarator(&mut self) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            if self.eat_words(&["asm", "__asm__", "__asm"]) {
                self.skip_parens()?;
            } else if self.is_word("__attribute__") || self.is_word("__attribute") {
                self.attributes(&mut attributes)?;
            } else {
                return Ok(attributes);
            }
        }
    }

    pub(super) fn is_ident(&self) -> bool {
        matches!(self.peek(), Tok::Ident(_))
    }
}

impl Attributes {
    pub fn merge(&mut self, other: Attributes) {
        self.is_packed |= other.is_packed;
        self.is_noreturn |= other.is_noreturn;
        self.is_max_aligned |= other.is_max_aligned;
        self.aligned = other.aligned.or(self.aligned.take());
        self.mode = other.mode.or(self.mode.take());
        self.unsupported = other.unsupported.or(self.unsupported.take());
    }
}
