//! Declaration specifiers: storage, qualifiers and the base type.

use std::rc::Rc;

use hardbop_base::Name;

use super::ast::{Attributes, BaseSpec, Field, FieldDeclarator, Specs, Storage, Word};
use super::lexer::Tok;
use super::parser::{Parsed, Parser};
use super::recover::Level;

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
}

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn starts_declaration(&self) -> bool {
        let Tok::Ident(name) = self.peek() else { return false };
        // `name :` is a label even if the name is a typedef.
        is_specifier(name) || self.is_typedef(name) && *self.peek_ahead(1) != Tok::Punct(":")
    }

    pub(super) fn starts_type(&self) -> bool {
        matches!(self.peek(), Tok::Ident(name) if is_specifier(name) || self.is_typedef(name))
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
            attributes: Attributes::default(),
            span: start,
        };
        let mut words = Words::default();
        let mut base = None;
        if self.is_standard_attribute() {
            self.attributes(&mut specs.attributes)?;
        }
        while let Tok::Ident(name) = self.peek() {
            let name = name.clone();
            match &*name {
                "typedef" => specs.storage = Storage::Typedef,
                "extern" => specs.storage = Storage::Extern,
                "static" => specs.storage = Storage::Static,
                "register" => specs.storage = Storage::Register,
                "auto" | "__extension__" | "restrict" | "__restrict" | "__restrict__" => {}
                "const" | "__const" | "__const__" => specs.is_const = true,
                "volatile" | "__volatile__" | "__volatile" => specs.is_volatile = true,
                "inline" | "__inline" | "__inline__" => specs.is_inline = true,
                "_Noreturn" => specs.is_noreturn = true,
                "__thread" | "_Thread_local" => specs.is_thread_local = true,
                "__attribute__" | "__attribute" => {
                    self.attributes(&mut specs.attributes)?;
                    continue;
                }
                "_Alignas" => {
                    self.skip();
                    self.need("(")?;
                    let alignment = self.alignment()?;
                    specs.attributes.aligned.push(alignment);
                    self.need(")")?;
                    continue;
                }
                "_Atomic" => {
                    self.skip();
                    if self.eat("(") {
                        base = Some(BaseSpec::TypeofType(self.type_name()?));
                        self.need(")")?;
                    }
                    continue;
                }
                "struct" | "union" if words.is_empty() && base.is_none() => {
                    base = Some(self.record()?);
                    continue;
                }
                "enum" if words.is_empty() && base.is_none() => {
                    base = Some(self.enumeration()?);
                    continue;
                }
                "typeof" | "__typeof__" | "__typeof" if base.is_none() => {
                    self.skip();
                    self.need("(")?;
                    base = Some(match self.starts_type() {
                        true => BaseSpec::TypeofType(self.type_name()?),
                        false => BaseSpec::TypeofExpr(Box::new(self.expression()?)),
                    });
                    self.need(")")?;
                    continue;
                }
                "__builtin_va_list" if base.is_none() => base = Some(BaseSpec::VaList),
                "__auto_type" if base.is_none() => base = Some(BaseSpec::Auto),
                "_Decimal32" | "_Decimal64" | "_Decimal128" | "__fp16" | "_Float16" | "_BitInt" => {
                    base = Some(BaseSpec::Unsupported(name.clone()));
                }
                _ if self.builtin_word(&name, &mut words) => {}
                _ if words.is_empty() && base.is_none() && self.is_typedef(&name) => {
                    base = Some(BaseSpec::Typedef(name.clone()));
                }
                _ if words.is_empty()
                    && base.is_none()
                    && self.note_unknown_type(Self::declares_with_unknown) =>
                {
                    continue;
                }
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

    fn builtin_word(&self, name: &str, words: &mut Words) -> bool {
        match name {
            "void" => words.word = Some(Word::Void),
            "_Bool" => words.word = Some(Word::Bool),
            "char" => words.word = Some(Word::Char),
            "int" => words.word = words.word.or(Some(Word::Int)),
            "float" | "_Float32" => words.word = Some(Word::Float),
            "double" | "_Float64" | "_Float32x" => words.word = Some(Word::Double),
            "_Float64x" => (words.word, words.longs) = (Some(Word::Double), 1),
            "_Float128" | "__float128" => words.word = Some(Word::Float128),
            "__int128" | "__int128_t" => words.word = Some(Word::Int128),
            "__uint128_t" => (words.word, words.is_signed) = (Some(Word::Int128), Some(false)),
            "signed" | "__signed__" | "__signed" => words.is_signed = Some(true),
            "unsigned" => words.is_signed = Some(false),
            "long" => words.longs += 1,
            "short" => words.is_short = true,
            "_Complex" | "__complex__" => words.is_complex = true,
            _ => return false,
        }
        true
    }

    fn record(&mut self) -> Parsed<BaseSpec> {
        let is_union = self.is_word("union");
        self.skip();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if self.is_ident() { Some(self.ident()?) } else { None };
        if !self.is("{") {
            if tag.is_none() {
                return self.fail("a struct needs a name or fields");
            }
            return Ok(BaseSpec::Record { is_union, tag, fields: None, attributes });
        }
        self.skip();
        let mut fields = Vec::new();
        while !self.is("}") {
            if !self.eat(";") {
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
        let start = self.here();
        if self.is_word("_Static_assert") {
            self.static_assert(start)?;
            return Ok(Field::StaticAssert);
        }
        let is_type = self.starts_type() || self.note_unknown_type(Self::declares_with_unknown);
        if !is_type && !self.is_attribute() {
            return self.fail("a field is expected here");
        }
        let specs = self.specs()?;
        let mut declarators = Vec::new();
        while !self.is(";") {
            let start = self.here();
            let declarator = if self.is(":") { None } else { Some(self.declarator()?) };
            let width = if self.eat(":") { Some(self.conditional()?) } else { None };
            if width.is_none() && declarator.as_ref().is_none_or(|it| it.name.is_none()) {
                return self.fail(format!("a name is expected here, not {}", self.describe()));
            }
            let attributes = self.after_declarator()?;
            let span = self.since(start);
            declarators.push(FieldDeclarator { declarator, width, attributes, span });
            if !self.eat(",") {
                break;
            }
        }
        // The last semicolon may be missing before the brace, as compilers allow.
        if !self.is("}") {
            self.need_end()?;
        }
        Ok(Field::Decl { specs, declarators })
    }

    fn enumeration(&mut self) -> Parsed<BaseSpec> {
        self.skip();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag: Option<Name> = if self.is_ident() { Some(self.ident()?) } else { None };
        if !self.eat("{") {
            return Ok(BaseSpec::Enum { tag, items: None, attributes });
        }
        let mut items = Vec::new();
        while !self.eat("}") {
            let span = self.here();
            let name = self.ident()?;
            self.attributes(&mut Attributes::default())?;
            let value = if self.eat("=") { Some(self.conditional()?) } else { None };
            self.declare(&name, false);
            items.push((name, value, span));
            if !self.eat(",") && !self.is("}") {
                return self.fail("`,` or `}` is expected here");
            }
        }
        self.attributes(&mut attributes)?;
        Ok(BaseSpec::Enum { tag, items: Some(items), attributes })
    }
}

pub(super) fn is_specifier(name: &str) -> bool {
    matches!(
        name,
        "typedef"
            | "extern"
            | "static"
            | "register"
            | "auto"
            | "const"
            | "__const"
            | "__const__"
            | "volatile"
            | "__volatile__"
            | "__volatile"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "inline"
            | "__inline"
            | "__inline__"
            | "_Noreturn"
            | "__thread"
            | "_Thread_local"
            | "__attribute__"
            | "__attribute"
            | "_Alignas"
            | "_Atomic"
            | "struct"
            | "union"
            | "enum"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "__builtin_va_list"
            | "__auto_type"
            | "void"
            | "_Bool"
            | "char"
            | "int"
            | "float"
            | "double"
            | "__int128"
            | "__int128_t"
            | "__uint128_t"
            | "signed"
            | "__signed__"
            | "__signed"
            | "unsigned"
            | "long"
            | "short"
            | "_Complex"
            | "__complex__"
            | "_Float128"
            | "__float128"
            | "_Float64x"
            | "_Float32"
            | "_Float64"
            | "_Float32x"
            | "_Decimal32"
            | "_Decimal64"
            | "_Decimal128"
            | "__fp16"
            | "_Float16"
            | "_BitInt"
            | "__extension__"
    )
}
