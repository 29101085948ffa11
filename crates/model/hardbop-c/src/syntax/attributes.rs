//! `__attribute__((…))`, `[[…]]` and what stands beside declarators. The table `known` says what is
//! done about each; one that changes meaning and is not modelled is refused here, at its place, and
//! one that nobody knows becomes an assumption.

use std::rc::Rc;

use hardbop_base::Name;

use super::ast::{Alignment, Attributes, Priority};
use super::known::{self, Attribute};
use super::lexer::Tok;
use super::parser::{Parsed, Parser};
use super::words::{Kw, Punct};

impl Parser<'_> {
    /// Any number of attribute lists.
    pub(super) fn attributes(&mut self, into: &mut Attributes) -> Parsed<()> {
        loop {
            if self.is_standard_attribute() {
                self.standard_attributes(into)?;
            } else if self.eat_word(Kw::Attribute) {
                self.need(Punct::LParen)?;
                self.need(Punct::LParen)?;
                while !self.eat(Punct::RParen) {
                    if !self.eat(Punct::Comma) {
                        self.attribute(into)?;
                        self.need_comma_before(Punct::RParen)?;
                    }
                }
                self.need(Punct::RParen)?;
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn is_attribute(&self) -> bool {
        self.is_word(Kw::Attribute) || self.is_standard_attribute()
    }

    /// Whether `[[` stands here.
    pub(super) fn is_standard_attribute(&self) -> bool {
        self.is(Punct::LBracket) && *self.peek_ahead(1) == Tok::Punct(Punct::LBracket)
    }

    fn standard_attributes(&mut self, into: &mut Attributes) -> Parsed<()> {
        self.skip();
        self.skip();
        while !self.is(Punct::RBracket) {
            if self.eat(Punct::Comma) {
                continue;
            }
            // `gnu::packed`: the compilers' names are one space to us.
            if *self.peek_ahead(1) == Tok::Punct(Punct::Colon)
                && *self.peek_ahead(2) == Tok::Punct(Punct::Colon)
            {
                self.ident()?;
                self.skip();
                self.skip();
            }
            self.attribute(into)?;
            self.need_comma_before(Punct::RBracket)?;
        }
        self.need(Punct::RBracket)?;
        self.need(Punct::RBracket)
    }

    /// Behind an element of a list that ends with this.
    fn need_comma_before(&mut self, end: Punct) -> Parsed<()> {
        if self.is(end) { Ok(()) } else { self.need(Punct::Comma) }
    }

    fn attribute(&mut self, into: &mut Attributes) -> Parsed<()> {
        let span = self.here();
        let name = self.attribute_name()?;
        let Some(attribute) = known::attribute(&name) else {
            self.assume(format!("the attribute `{name}` has no effect"));
            return self.skip_arguments();
        };
        match attribute {
            Attribute::Packed => into.is_packed = true,
            Attribute::Noreturn => into.is_noreturn = true,
            Attribute::Weak => into.is_weak = true,
            Attribute::TransparentUnion => into.is_transparent = true,
            Attribute::ReturnsTwice => into.returns_twice = true,
            Attribute::Aligned if !self.is(Punct::LParen) => into.aligned.push(Alignment::Largest),
            Attribute::Aligned => {
                self.need(Punct::LParen)?;
                into.aligned.push(self.alignment()?);
                return self.need(Punct::RParen);
            }
            Attribute::Mode => {
                self.need(Punct::LParen)?;
                into.mode = Some(self.ident()?.trim_matches('_').into());
                return self.need(Punct::RParen);
            }
            Attribute::Cleanup => {
                self.need(Punct::LParen)?;
                let function = self.ident()?;
                self.uses.insert(function.clone());
                into.cleanup = Some((function, span));
                return self.need(Punct::RParen);
            }
            Attribute::Alias | Attribute::Weakref => {
                into.is_weak |= attribute == Attribute::Weakref;
                if self.is(Punct::LParen) {
                    into.alias = Some((self.quoted_name()?.into(), span));
                    return Ok(());
                }
            }
            Attribute::Constructor => {
                into.constructor = Some(self.priority()?);
                return Ok(());
            }
            Attribute::Destructor => {
                into.destructor = Some(self.priority()?);
                return Ok(());
            }
            Attribute::Promise(promise) => return self.promise(promise, &mut into.contract),
            Attribute::Refused => {
                return self.unsupported(span, &format!("the attribute `{name}`"));
            }
            Attribute::Nothing(_) => {}
        }
        self.skip_arguments()
    }

    /// Attributes may be called as words of the language are: `const`.
    fn attribute_name(&mut self) -> Parsed<Name> {
        let &Tok::Kw(word) = self.peek() else { return self.ident() };
        self.skip();
        Ok(word.text().into())
    }

    pub(super) fn skip_arguments(&mut self) -> Parsed<()> {
        if self.is(Punct::LParen) { self.skip_parens() } else { Ok(()) }
    }

    /// What stands in the parentheses of `aligned` and `_Alignas`.
    pub(super) fn alignment(&mut self) -> Parsed<Alignment> {
        Ok(match self.starts_type() {
            true => Alignment::OfType(Rc::from(self.type_name()?)),
            false => Alignment::Bytes(Rc::new(self.conditional()?)),
        })
    }

    fn priority(&mut self) -> Parsed<Priority> {
        if !self.eat(Punct::LParen) {
            return Ok(Priority(None));
        }
        let priority = Priority(Some(Rc::new(self.conditional()?)));
        self.need(Punct::RParen)?;
        Ok(priority)
    }

    /// `("name")`
    fn quoted_name(&mut self) -> Parsed<String> {
        self.need(Punct::LParen)?;
        let mut name = String::new();
        while let Tok::Str { text, encoding } = self.peek() {
            name.extend(encoding.units(text).into_iter().filter_map(char::from_u32));
            self.skip();
        }
        if name.is_empty() {
            return self.fail("a name in quotes is expected here");
        }
        self.need(Punct::RParen)?;
        Ok(name)
    }

    /// `asm("name")` and attributes after a declarator.
    pub(super) fn after_declarator(&mut self) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            if self.eat_word(Kw::Asm) {
                attributes.asm_label = Some(self.quoted_name()?.into());
            } else if self.is_attribute() {
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
        self.is_weak |= other.is_weak;
        self.is_transparent |= other.is_transparent;
        self.returns_twice |= other.returns_twice;
        self.aligned.extend(other.aligned);
        self.mode = other.mode.or(self.mode.take());
        self.cleanup = other.cleanup.or(self.cleanup.take());
        self.alias = other.alias.or(self.alias.take());
        self.asm_label = other.asm_label.or(self.asm_label.take());
        self.constructor = other.constructor.or(self.constructor.take());
        self.destructor = other.destructor.or(self.destructor.take());
        self.pack = other.pack.or(self.pack);
        self.contract.merge(other.contract);
    }

    /// Those of a declaration's specifiers with those of one declarator.
    pub fn joined(&self, other: &Attributes) -> Attributes {
        let mut all = self.clone();
        all.merge(other.clone());
        all
    }
}
