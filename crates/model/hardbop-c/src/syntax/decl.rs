//! Declarations, declarators, initialisers.

use std::rc::Rc;

use hardbop_base::Span;
use hardbop_diag::{Diagnostic, codes};

use super::ast::{
    ArrayLen, Attributes, Decl, Declarator, Deriv, Designator, Expr, InitDeclarator, Initializer,
    Param, Specs, Storage, TypeName,
};
use super::lexer::Tok;
use super::parser::{Parsed, Parser};
use super::words::{Kw, Punct};

impl Parser<'_> {
    pub(super) fn decl(&mut self) -> Parsed<Decl> {
        let start = self.here();
        let specs = self.specs()?;
        if self.is(Punct::Semi) {
            return self.finish_decl(specs, start);
        }
        let first = self.declarator()?;
        let attributes = self.after_declarator()?;
        if self.is(Punct::LBrace) && matches!(first.derivs.first(), Some(Deriv::Func { .. })) {
            return self.nested_function(specs, first, start);
        }
        self.decl_from(specs, first, attributes, start)
    }

    /// Refused. Or the brace of the function around it is missing: then there is more to find in it.
    fn nested_function(
        &mut self,
        specs: Rc<Specs>,
        declarator: Declarator,
        start: Span,
    ) -> Parsed<Decl> {
        let what = "a function inside a function is not supported";
        let span = self.since(start);
        self.take_down(Diagnostic::error(codes::c::UNSUPPORTED, span, what));
        self.scoped(|parser| {
            parser.declare_params(&declarator);
            parser.block()
        })?;
        self.unread.extend(declarator.name);
        Ok(Decl { specs, items: Vec::new(), span })
    }

    /// `_Static_assert(condition, "message");`: the condition.
    pub(super) fn static_assert(&mut self) -> Parsed<Expr> {
        self.skip();
        self.need(Punct::LParen)?;
        let cond = self.conditional()?;
        if self.eat(Punct::Comma) {
            while let Tok::Str { .. } = self.peek() {
                self.skip();
            }
        }
        self.need(Punct::RParen)?;
        self.need(Punct::Semi)?;
        Ok(cond)
    }

    pub(super) fn finish_decl(&mut self, specs: Rc<Specs>, start: Span) -> Parsed<Decl> {
        self.need(Punct::Semi)?;
        Ok(Decl { specs, items: Vec::new(), span: self.since(start) })
    }

    /// The rest of a declaration whose first declarator has been read.
    pub(super) fn decl_from(
        &mut self,
        specs: Rc<Specs>,
        mut declarator: Declarator,
        attributes: Attributes,
        start: Span,
    ) -> Parsed<Decl> {
        declarator.attributes.merge(attributes);
        let mut items = Vec::new();
        loop {
            if let Some(name) = &declarator.name {
                self.declare(name, specs.storage == Storage::Typedef);
            }
            let init = if self.eat(Punct::Assign) { Some(self.initializer()?) } else { None };
            items.push(InitDeclarator { declarator, init });
            if !self.eat(Punct::Comma) {
                break;
            }
            let mut attributes = Attributes::default();
            self.attributes(&mut attributes)?;
            declarator = self.declarator()?;
            attributes.merge(self.after_declarator()?);
            declarator.attributes.merge(attributes);
        }
        self.need_end()?;
        Ok(Decl { specs, items, span: self.since(start) })
    }

    pub(super) fn declare_params(&mut self, declarator: &Declarator) {
        let Some(Deriv::Func { params, .. }) = declarator.derivs.first() else { return };
        for param in params {
            if let Some(name) = &param.declarator.name {
                self.declare(name, false);
            }
        }
    }

    pub(super) fn type_name(&mut self) -> Parsed<Box<TypeName>> {
        let start = self.here();
        if !self.starts_type() && !self.note_unknown_type(Self::is_undeclared) {
            return self.fail("a type is expected here");
        }
        let specs = self.specs()?;
        let declarator = self.declarator()?;
        Ok(Box::new(TypeName { specs, declarator, span: self.since(start) }))
    }

    /// With or without a name: an abstract declarator has none.
    pub(super) fn declarator(&mut self) -> Parsed<Declarator> {
        self.nested(|parser| {
            let start = parser.here();
            let mut attributes = Attributes::default();
            parser.attributes(&mut attributes)?;
            let mut pointers = Vec::new();
            while parser.eat(Punct::Star) {
                pointers.push(parser.pointer(&mut attributes)?);
            }
            let mut it = parser.direct_declarator()?;
            it.derivs.extend(pointers.into_iter().rev());
            it.attributes.merge(attributes);
            it.span = match &it.name {
                Some(_) => it.span,
                None => parser.since(start),
            };
            Ok(it)
        })
    }

    /// The qualifiers of a pointer.
    fn pointer(&mut self, attributes: &mut Attributes) -> Parsed<Deriv> {
        let (mut is_const, mut is_atomic) = (false, false);
        loop {
            match self.peek() {
                Tok::Kw(Kw::Const) => is_const = true,
                Tok::Kw(Kw::Atomic) => is_atomic = true,
                Tok::Kw(Kw::Volatile | Kw::Restrict) => {}
                _ if self.is_attribute() => {
                    self.attributes(attributes)?;
                    continue;
                }
                _ => return Ok(Deriv::Ptr { is_const, is_atomic }),
            }
            self.skip();
        }
    }

    fn direct_declarator(&mut self) -> Parsed<Declarator> {
        let span = self.here();
        let mut it =
            Declarator { name: None, derivs: Vec::new(), attributes: Attributes::default(), span };
        if self.is_ident() {
            it.name = Some(self.ident()?);
        } else if self.is(Punct::LParen) && self.is_nested_declarator() {
            self.skip();
            it = self.declarator()?;
            self.need(Punct::RParen)?;
        }
        loop {
            if self.is_standard_attribute() {
                self.attributes(&mut it.attributes)?;
            } else if self.eat(Punct::LBracket) {
                let deriv = self.array_len()?;
                it.derivs.push(Deriv::Array(deriv));
            } else if self.eat(Punct::LParen) {
                let deriv = self.scoped(Self::params)?;
                it.derivs.push(deriv);
            } else {
                return Ok(it);
            }
        }
    }

    /// `(` opens a declarator unless it opens parameters.
    fn is_nested_declarator(&self) -> bool {
        match self.peek_ahead(1) {
            Tok::Punct(Punct::Star | Punct::LParen | Punct::LBracket) => true,
            Tok::Ident(name) => !self.is_typedef(name),
            Tok::Kw(word) => *word == Kw::Attribute,
            _ => false,
        }
    }

    fn array_len(&mut self) -> Parsed<ArrayLen> {
        while let Tok::Kw(Kw::Static | Kw::Const | Kw::Volatile | Kw::Restrict) = self.peek() {
            self.skip();
        }
        if self.eat(Punct::RBracket) {
            return Ok(ArrayLen::Unknown);
        }
        if self.is(Punct::Star) && *self.peek_ahead(1) == Tok::Punct(Punct::RBracket) {
            self.skip();
            self.skip();
            return Ok(ArrayLen::Star);
        }
        let len = self.assignment()?;
        self.need(Punct::RBracket)?;
        Ok(ArrayLen::Expr(Box::new(len)))
    }

    fn params(&mut self) -> Parsed<Deriv> {
        let mut params = Vec::new();
        if self.eat(Punct::RParen) {
            return Ok(Deriv::Func { params, is_variadic: false, has_prototype: false });
        }
        self.note_unknown_type(Self::declares_with_unknown);
        // `f(a, b)` with declarations to follow.
        if self.is_ident() && !self.starts_type() {
            loop {
                let span = self.here();
                let name = self.ident()?;
                let specs = self.implicit_int(span);
                let declarator = Declarator {
                    name: Some(name),
                    derivs: Vec::new(),
                    attributes: Attributes::default(),
                    span,
                };
                params.push(Param { specs, declarator });
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
            self.need(Punct::RParen)?;
            return Ok(Deriv::Func { params, is_variadic: false, has_prototype: false });
        }
        loop {
            if self.eat(Punct::Ellipsis) {
                self.need(Punct::RParen)?;
                return Ok(Deriv::Func { params, is_variadic: true, has_prototype: true });
            }
            let is_type = self.starts_type() || self.note_unknown_type(Self::is_undeclared);
            if !is_type && !self.is_attribute() {
                return self.fail("the type of a parameter is expected here");
            }
            let specs = self.specs()?;
            let mut declarator = self.declarator()?;
            declarator.attributes.merge(self.after_declarator()?);
            if let Some(name) = &declarator.name {
                self.declare(name, false);
            }
            params.push(Param { specs, declarator });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.need(Punct::RParen)?;
        Ok(Deriv::Func { params, is_variadic: false, has_prototype: true })
    }

    fn implicit_int(&self, span: Span) -> Rc<Specs> {
        Rc::new(Specs {
            storage: Storage::None,
            base: super::ast::BaseSpec::Builtin {
                word: super::ast::Word::Int,
                is_signed: None,
                longs: 0,
                is_short: false,
                is_complex: false,
            },
            is_const: false,
            is_volatile: false,
            is_inline: false,
            is_noreturn: false,
            is_thread_local: false,
            is_atomic: false,
            attributes: Attributes::default(),
            span,
        })
    }

    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if !self.is(Punct::LBrace) {
            return Ok(Initializer::Expr(self.assignment()?));
        }
        let start = self.here();
        self.skip();
        let mut items = Vec::new();
        while !self.eat(Punct::RBrace) {
            let designators = self.designators()?;
            items.push((designators, self.nested(Self::initializer)?));
            if !self.eat(Punct::Comma) && !self.is(Punct::RBrace) {
                return self.fail("`,` or `}` is expected here");
            }
        }
        Ok(Initializer::List(items, self.since(start)))
    }

    pub(super) fn field_designator(&mut self) -> Parsed<Designator> {
        let span = self.here();
        Ok(Designator::Field(self.ident()?, span))
    }

    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        // The old form `field: value`.
        if self.is_ident() && *self.peek_ahead(1) == Tok::Punct(Punct::Colon) {
            designators.push(self.field_designator()?);
            self.skip();
            return Ok(designators);
        }
        loop {
            if self.eat(Punct::Dot) {
                designators.push(self.field_designator()?);
            } else if self.eat(Punct::LBracket) {
                let low = self.conditional()?;
                designators.push(match self.eat(Punct::Ellipsis) {
                    true => Designator::Range(low, self.conditional()?),
                    false => Designator::Index(low),
                });
                self.need(Punct::RBracket)?;
            } else {
                if !designators.is_empty() {
                    self.eat(Punct::Assign);
                }
                return Ok(designators);
            }
        }
    }
}
