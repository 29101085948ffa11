//! Declaration specifiers: storage, qualifiers and the base type.

use std::rc::Rc;

use hardbop_base::Name;

use super::ast::{Attributes, BaseSpec, Field, FieldDeclarator, Specs, Storage, Word};
use super::lexer::Tok;
use super::parser::{Parsed, Parser};
use super::recover::Level;
use super::words::{Kw, Punct};

/// The words of a builtin type, collected in any order.
#[derive(Default)]
struct Words {
    word: Option<Word>,
    is_signed: Option<bool>,
    longs: u8,
    is_short: bool,
    is_complex: bool,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.word.is_none()
            && self.is_signed.is_none()
            && self.longs == 0
            && !self.is_short
            && !self.is_complex
    }

    /// Whether `word` is one of them.
    fn take(&mut self, word: Kw) -> bool {
        match word {
            Kw::Void => self.word = Some(Word::Void),
            Kw::Bool => self.word = Some(Word::Bool),
            Kw::Char => self.word = Some(Word::Char),
            Kw::Int => self.word = self.word.or(Some(Word::Int)),
            Kw::Float => self.word = Some(Word::Float),
            Kw::Double => self.word = Some(Word::Double),
            Kw::Float64x => (self.word, self.longs) = (Some(Word::Double), 1),
            Kw::Float128 => self.word = Some(Word::Float128),
            Kw::Int128 => self.word = Some(Word::Int128),
            Kw::UInt128 => (self.word, self.is_signed) = (Some(Word::Int128), Some(false)),
            Kw::Signed => self.is_signed = Some(true),
            Kw::Unsigned => self.is_signed = Some(false),
            Kw::Long => self.longs += 1,
            Kw::Short => self.is_short = true,
            Kw::Complex => self.is_complex = true,
            _ => return false,
        }
        true
    }
}

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn starts_declaration(&self) -> bool {
        // `name :` is a label even if the name is a typedef.
        let is_label = self.is_ident() && *self.peek_ahead(1) == Tok::Punct(Punct::Colon);
        self.starts_type() && !is_label
    }

    pub(super) fn starts_type(&self) -> bool {
        self.is_type_at(0)
    }

    pub(super) fn is_type_at(&self, ahead: usize) -> bool {
        match self.peek_ahead(ahead) {
            Tok::Ident(name) => self.is_typedef(name),
            Tok::Kw(word) => word.is_specifier(),
            _ => false,
        }
    }

    pub(super) fn specs(&mut self) -> Parsed<Rc<Specs>> {
        let start = self.here();
        let mut specs = Specs {
            storage: Storage::None,
            base: BaseSpec::Auto,
            is_const: false,
            is_volatile: false,
            is_inline: false,
            is_noreturn: false,
            is_thread_local: false,
            is_atomic: false,
            attributes: Attributes::default(),
            span: start,
        };
        let mut words = Words::default();
        let mut base = None;
        if self.is_standard_attribute() {
            self.attributes(&mut specs.attributes)?;
        }
        loop {
            let is_first = words.is_empty() && base.is_none();
            match self.peek().clone() {
                Tok::Kw(Kw::Typedef) => specs.storage = Storage::Typedef,
                Tok::Kw(Kw::Extern) => specs.storage = Storage::Extern,
                Tok::Kw(Kw::Static) => specs.storage = Storage::Static,
                Tok::Kw(Kw::Register) => specs.storage = Storage::Register,
                Tok::Kw(Kw::Auto | Kw::Extension | Kw::Restrict) => {}
                Tok::Kw(Kw::Const) => specs.is_const = true,
                Tok::Kw(Kw::Volatile) => specs.is_volatile = true,
                Tok::Kw(Kw::Inline) => specs.is_inline = true,
                Tok::Kw(Kw::Noreturn) => specs.is_noreturn = true,
                Tok::Kw(Kw::ThreadLocal) => specs.is_thread_local = true,
                Tok::Kw(Kw::Attribute) => {
                    self.attributes(&mut specs.attributes)?;
                    continue;
                }
                Tok::Kw(Kw::Alignas) => {
                    self.skip();
                    self.need(Punct::LParen)?;
                    let alignment = self.alignment()?;
                    specs.attributes.aligned.push(alignment);
                    self.need(Punct::RParen)?;
                    continue;
                }
                Tok::Kw(Kw::Atomic) => {
                    self.skip();
                    specs.is_atomic = true;
                    if self.eat(Punct::LParen) {
                        base = Some(BaseSpec::TypeofType(self.type_name()?));
                        self.need(Punct::RParen)?;
                    }
                    continue;
                }
                Tok::Kw(Kw::Struct | Kw::Union) if is_first => {
                    base = Some(self.record()?);
                    continue;
                }
                Tok::Kw(Kw::Enum) if is_first => {
                    base = Some(self.enumeration()?);
                    continue;
                }
                Tok::Kw(Kw::Typeof) if base.is_none() => {
                    base = Some(self.type_of()?);
                    continue;
                }
                Tok::Kw(Kw::VaList) if base.is_none() => base = Some(BaseSpec::VaList),
                Tok::Kw(Kw::AutoType) if base.is_none() => base = Some(BaseSpec::Auto),
                Tok::Kw(word) if word.is_unsupported_type() => {
                    base = Some(BaseSpec::Unsupported(word.text().into()));
                }
                Tok::Kw(word) if words.take(word) => {}
                Tok::Ident(name) if is_first && self.is_typedef(&name) => {
                    base = Some(BaseSpec::Typedef(name));
                }
                _ if is_first && self.note_unknown_type(Self::declares_with_unknown) => continue,
                _ => break,
            }
            self.skip();
        }
        specs.base = match base {
            Some(base) => base,
            // No word at all is the implicit `int` of old C.
            None => BaseSpec::Builtin {
                word: words.word.unwrap_or_default(),
                is_signed: words.is_signed,
                longs: words.longs,
                is_short: words.is_short,
                is_complex: words.is_complex,
            },
        };
        specs.span = self.since(start);
        Ok(Rc::new(specs))
    }

    /// `typeof(type or expression)`
    fn type_of(&mut self) -> Parsed<BaseSpec> {
        self.skip();
        self.need(Punct::LParen)?;
        let base = match self.starts_type() {
            true => BaseSpec::TypeofType(self.type_name()?),
            false => BaseSpec::TypeofExpr(Box::new(self.expression()?)),
        };
        self.need(Punct::RParen)?;
        Ok(base)
    }

    fn record(&mut self) -> Parsed<BaseSpec> {
        let is_union = self.is_word(Kw::Union);
        self.skip();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if self.is_ident() { Some(self.ident()?) } else { None };
        if !self.is(Punct::LBrace) {
            if tag.is_none() {
                return self.fail("a struct needs a name or fields");
            }
            return Ok(BaseSpec::Record { is_union, tag, fields: None, attributes });
        }
        self.skip();
        let mut fields = Vec::new();
        while !self.is(Punct::RBrace) {
            if !self.eat(Punct::Semi) {
                fields.extend(self.recovering(Level::Inner, |it| it.nested(Self::field)));
            }
            if *self.peek() == Tok::End {
                return self.fail("`}` is missing");
            }
        }
        attributes.pack = self.pack_here();
        self.skip();
        self.attributes(&mut attributes)?;
        Ok(BaseSpec::Record { is_union, tag, fields: Some(fields), attributes })
    }

    fn field(&mut self) -> Parsed<Field> {
        if self.is_word(Kw::StaticAssert) {
            return Ok(Field::StaticAssert(self.static_assert()?));
        }
        let is_type = self.starts_type() || self.note_unknown_type(Self::declares_with_unknown);
        if !is_type && !self.is_attribute() {
            return self.fail("a field is expected here");
        }
        let specs = self.specs()?;
        let mut declarators = Vec::new();
        while !self.is(Punct::Semi) {
            let start = self.here();
            let declarator = if self.is(Punct::Colon) { None } else { Some(self.declarator()?) };
            let width = if self.eat(Punct::Colon) { Some(self.conditional()?) } else { None };
            if width.is_none() && declarator.as_ref().is_none_or(|it| it.name.is_none()) {
                return self.fail(format!("a name is expected here, not {}", self.describe()));
            }
            let attributes = self.after_declarator()?;
            let span = self.since(start);
            declarators.push(FieldDeclarator { declarator, width, attributes, span });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        // The last semicolon may be missing before the brace, as compilers allow.
        if !self.is(Punct::RBrace) {
            self.need_end()?;
        }
        Ok(Field::Decl { specs, declarators })
    }

    fn enumeration(&mut self) -> Parsed<BaseSpec> {
        self.skip();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag: Option<Name> = if self.is_ident() { Some(self.ident()?) } else { None };
        if !self.eat(Punct::LBrace) {
            return Ok(BaseSpec::Enum { tag, items: None, attributes });
        }
        let mut items = Vec::new();
        while !self.eat(Punct::RBrace) {
            let span = self.here();
            let name = self.ident()?;
            self.attributes(&mut Attributes::default())?;
            let value = if self.eat(Punct::Assign) { Some(self.conditional()?) } else { None };
            self.declare(&name, false);
            items.push((name, value, span));
            if !self.eat(Punct::Comma) && !self.is(Punct::RBrace) {
                return self.fail("`,` or `}` is expected here");
            }
        }
        self.attributes(&mut attributes)?;
        Ok(BaseSpec::Enum { tag, items: Some(items), attributes })
    }
}
