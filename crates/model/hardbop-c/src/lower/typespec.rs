//! Specifiers and declarators to types.

use std::rc::Rc;

use hardbop_base::{Name, Span};
use hardbop_cir::FloatTy;
use hardbop_diag::codes;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowered;
use super::scope::{Entity, Tag};
use super::state::Lower;
use crate::syntax::ast::{
    ArrayLen, Attributes, BaseSpec, Declarator, Deriv, Expr, Field, Specs, TypeName, Word,
};
use crate::types::{CType, FieldSpec, FuncType, Len, RecordId, RecordInfo, RecordSpec, TypeKind};

impl Lower<'_> {
    pub fn type_name(&mut self, name: &TypeName) -> Lowered<CType> {
        let base = self.base_type(&name.specs)?;
        self.derived(base, &name.declarator)
    }

    pub fn base_type(&mut self, specs: &Specs) -> Lowered<CType> {
        self.is_thread_local = specs.is_thread_local;
        if specs.is_thread_local && !self.has_threads {
            self.assume_said("there is one thread: thread-local variables are global");
        }
        let mut ctype = match &specs.base {
            BaseSpec::Builtin { word, is_signed, longs, is_short, is_complex } => {
                if *is_complex {
                    return self.error(
                        codes::c::UNSUPPORTED,
                        specs.span,
                        "complex numbers are not supported",
                    );
                }
                self.builtin(*word, *is_signed, *longs, *is_short)
            }
            BaseSpec::Typedef(name) => match self.lookup(name) {
                Some(Entity::Typedef(ctype)) => ctype.clone(),
                _ => {
                    return self.undeclared(name, specs.span, format!("there is no type `{name}`"));
                }
            },
            BaseSpec::Record { is_union, tag, fields, attributes } => {
                self.record(*is_union, tag.as_ref(), fields.as_deref(), attributes, specs)?
            }
            BaseSpec::Enum { tag, items, attributes } => {
                self.enumeration(tag.as_ref(), items.as_deref(), attributes, specs.span)?
            }
            BaseSpec::TypeofExpr(expr) => self.type_of(expr)?,
            BaseSpec::TypeofType(name) => self.type_name(name)?,
            BaseSpec::VaList => self.va_list(),
            BaseSpec::Auto => CType::INT,
            BaseSpec::Unsupported(name) => {
                return self.error(
                    codes::c::UNSUPPORTED,
                    specs.span,
                    format!("the type `{name}` is not supported"),
                );
            }
        };
        if let Some(mode) = &specs.attributes.mode {
            ctype = self.mode(&ctype, mode, specs.span)?;
        }
        ctype = ctype.with_qualifiers(specs.is_const, specs.is_volatile);
        ctype.is_atomic |= specs.is_atomic && self.has_threads;
        Ok(ctype)
    }

    pub fn mode(&self, ctype: &CType, mode: &str, span: Span) -> Lowered<CType> {
        let is_signed = ctype.is_signed();
        let long = self.options.model.ptr_bits();
        Ok(match mode {
            "QI" | "byte" => CType::int(8, is_signed, 1),
            "HI" => CType::int(16, is_signed, 2),
            "SI" => CType::int(32, is_signed, 3),
            "DI" if long == 64 => CType::int(64, is_signed, 4),
            "DI" => CType::int(64, is_signed, 5),
            "TI" => CType::int(128, is_signed, 6),
            "word" | "pointer" => CType::int(long, is_signed, 4),
            "SF" => CType::new(TypeKind::Float(FloatTy::F32)),
            "DF" => CType::DOUBLE,
            "XF" => CType::new(TypeKind::Float(FloatTy::F80)),
            "TF" => CType::new(TypeKind::Float(FloatTy::F128)),
            _ => {
                return self.error(
                    codes::c::UNSUPPORTED,
                    span,
                    format!("the mode `{mode}` is not supported"),
                );
            }
        })
    }

    fn builtin(&self, word: Word, is_signed: Option<bool>, longs: u8, is_short: bool) -> CType {
        let signed = is_signed.unwrap_or(true);
        let long = self.options.model.ptr_bits();
        match word {
            Word::Void => CType::VOID,
            Word::Bool => CType::BOOL,
            Word::Char if is_signed.is_none() => CType::CHAR,
            Word::Char => CType::int(8, signed, 1),
            Word::Int128 => CType::int(128, signed, 6),
            Word::Float => CType::new(TypeKind::Float(FloatTy::F32)),
            Word::Double if longs > 0 => CType::new(TypeKind::Float(FloatTy::F80)),
            Word::Double => CType::DOUBLE,
            Word::Float128 => CType::new(TypeKind::Float(FloatTy::F128)),
            Word::Int if is_short => CType::int(16, signed, 2),
            Word::Int => match longs {
                0 => CType::int(32, signed, 3),
                1 => CType::int(long, signed, 4),
                _ => CType::int(64, signed, 5),
            },
        }
    }

    /// An array of one record, as on x86-64: passed by reference.
    fn va_list(&mut self) -> CType {
        let tag: Name = "__va_list_tag".into();
        let id = match self.scopes.tags.get_outermost(&tag) {
            Some(Tag::Record(id)) => *id,
            _ => {
                let id = self.new_record(Some(tag.clone()), false);
                let field = |name: &str| FieldSpec::plain(name, CType::VOID.ptr_to());
                let fields = vec![field("next"), field("a"), field("b")];
                self.types.define(id, fields, RecordSpec::default());
                self.scopes.tags.declare_outermost(&tag, Tag::Record(id));
                id
            }
        };
        CType::new(TypeKind::Record(id)).array(Len::Fixed(1))
    }

    fn new_record(&mut self, tag: Option<Name>, is_union: bool) -> RecordId {
        let (size, align, is_transparent) = (0, 1, false);
        let (by_name, members) = (FxHashMap::default(), Vec::new());
        let fields = None;
        let info =
            RecordInfo { tag, is_union, fields, by_name, members, size, align, is_transparent };
        self.types.records.push(info)
    }

    fn record(
        &mut self,
        is_union: bool,
        tag: Option<&Name>,
        fields: Option<&[Field]>,
        attributes: &Attributes,
        specs: &Specs,
    ) -> Lowered<CType> {
        // A definition makes a new type unless this scope has only announced one.
        let known = tag.and_then(|tag| match fields {
            None => self.lookup_tag(tag).cloned(),
            Some(_) => self.scopes.tags.get_here(tag).cloned(),
        });
        let id = match known {
            Some(Tag::Record(id)) => id,
            _ => {
                let id = self.new_record(tag.cloned(), is_union);
                if let Some(tag) = tag {
                    self.bind_tag(tag.clone(), Tag::Record(id));
                }
                id
            }
        };
        if let Some(fields) = fields {
            if self.types.records[id].fields.is_some() {
                return self.error(codes::c::REDEFINED, specs.span, "this type is defined twice");
            }
            let (mut list, mut names) = (Vec::new(), FxHashSet::default());
            for field in fields {
                let mark = self.mark();
                let done = self.field(field, &mut list, &mut names);
                if self.settled(&mark, done)?.is_none() {
                    self.poisoned.extend(field_names(field));
                }
            }
            let record = RecordSpec {
                is_packed: attributes.is_packed,
                align: self.alignment(attributes)?,
                pack: attributes.pack,
                is_transparent: attributes.is_transparent || specs.attributes.is_transparent,
            };
            if !self.types.define(id, list, record) {
                return self.error(codes::c::TYPE, specs.span, "this type is larger than memory");
            }
        }
        Ok(CType::new(TypeKind::Record(id)))
    }

    fn field(
        &mut self,
        field: &Field,
        list: &mut Vec<FieldSpec>,
        names: &mut FxHashSet<Name>,
    ) -> Lowered<()> {
        let (specs, declarators) = match field {
            Field::Decl { specs, declarators } => (specs, declarators),
            Field::StaticAssert(cond) => return self.static_assert(cond),
        };
        let base = self.base_type(specs)?;
        if declarators.is_empty() {
            // An unnamed record; an enumeration or a plain type declares nothing.
            if matches!(base.kind, TypeKind::Record(_)) {
                let align = self.alignment(&specs.attributes)?;
                let is_packed = specs.attributes.is_packed;
                list.push(FieldSpec { name: None, ctype: base, width: None, align, is_packed });
            }
            return Ok(());
        }
        for it in declarators {
            let (name, ctype) = match &it.declarator {
                Some(declarator) => {
                    (declarator.name.clone(), self.derived(base.clone(), declarator)?)
                }
                None => (None, base.clone()),
            };
            if let Some(name) = name.as_ref().filter(|it| names.contains(*it)) {
                let message = format!("the member `{name}` stands twice");
                return self.error(codes::c::REDEFINED, it.span, message);
            }
            let incomplete = self.types.size(&ctype).is_none()
                && !matches!(ctype.kind, TypeKind::Array(_, Len::Unknown));
            if incomplete || matches!(ctype.kind, TypeKind::Func(_)) {
                return self.error(
                    codes::c::TYPE,
                    it.span,
                    "a field needs a type of known size: one of variable length is not supported",
                );
            }
            let width = match &it.width {
                Some(expr) => {
                    let width = self.const_int(expr)?;
                    let most = self.types.size(&ctype).unwrap_or(0) * 8;
                    match u8::try_from(width) {
                        Ok(width) if ctype.is_integer() && u64::from(width) <= most => Some(width),
                        _ => {
                            return self.error(
                                codes::c::TYPE,
                                expr.span,
                                "a bit-field cannot be this wide",
                            );
                        }
                    }
                }
                None => None,
            };
            let mut attributes = specs.attributes.joined(&it.attributes);
            if let Some(declarator) = &it.declarator {
                attributes.merge(declarator.attributes.clone());
            }
            let (align, is_packed) = (self.alignment(&attributes)?, attributes.is_packed);
            names.extend(name.clone());
            list.push(FieldSpec { name, ctype, width, align, is_packed });
        }
        Ok(())
    }

    fn enumeration(
        &mut self,
        tag: Option<&Name>,
        items: Option<&[(Name, Option<Expr>, Span)]>,
        attributes: &Attributes,
        span: Span,
    ) -> Lowered<CType> {
        let Some(items) = items else {
            return Ok(match tag.and_then(|tag| self.lookup_tag(tag)) {
                Some(Tag::Enum(ctype)) => ctype.clone(),
                _ => CType::UINT,
            });
        };
        let (mut next, mut least, mut most) = (0i128, 0i128, 0i128);
        let mut values = Vec::new();
        for (name, value, _) in items {
            if let Some(expr) = value {
                next = self.const_int(expr)?;
            }
            (least, most) = (least.min(next), most.max(next));
            // Until the end of the list a large one has the least type that holds it.
            let ctype = self.enum_type(next.min(0), next.max(0), false).unwrap_or(CType::INT);
            self.bind(name.clone(), Entity::Enumerator { value: next, ctype });
            values.push((name, next));
            next += 1;
        }
        let Some(ctype) = self.enum_type(least, most, attributes.is_packed) else {
            return self.error(codes::c::TYPE, span, "no type holds all these values");
        };
        // Those that fit `int` have that type, the others that of the enumeration.
        for (name, value) in values {
            let fits = i32::try_from(value).is_ok();
            let ctype = if fits { CType::INT } else { ctype.clone() };
            self.bind(name.clone(), Entity::Enumerator { value, ctype });
        }
        if let Some(tag) = tag {
            self.bind_tag(tag.clone(), Tag::Enum(ctype.clone()));
        }
        Ok(ctype)
    }

    /// The type of an enumeration with these values: as narrow as they allow if it is packed, at
    /// least an `int` otherwise, and signed only if one is negative.
    fn enum_type(&self, least: i128, most: i128, is_packed: bool) -> Option<CType> {
        let is_signed = least < 0;
        let long = if self.options.model.ptr_bits() == 64 { 4 } else { 5 };
        let all = [(8u8, 1u8), (16, 2), (32, 3), (64, long)];
        let wide_enough = |bits: u8| match is_signed {
            true => least >= -(1i128 << (bits - 1)) && most < 1i128 << (bits - 1),
            false => most < 1i128 << bits,
        };
        let mut fitting =
            all.into_iter().filter(|it| (is_packed || it.0 >= 32) && wide_enough(it.0));
        fitting.next().map(|(bits, rank)| CType::int(bits, is_signed, rank))
    }

    /// Applies a declarator to a base type, from the outside in.
    pub fn derived(&mut self, base: CType, declarator: &Declarator) -> Lowered<CType> {
        let mut ctype = base;
        if let Some(mode) = &declarator.attributes.mode {
            ctype = self.mode(&ctype, mode, declarator.span)?;
        }
        // The size of what there is so far, once it has been asked for: to ask again for each dimension
        // of an array would take a time that grows with the square of their number.
        let mut size = None;
        for deriv in declarator.derivs.iter().rev() {
            ctype = match deriv {
                Deriv::Ptr { is_const, is_atomic } => {
                    size = None;
                    let pointer = CType::new(TypeKind::Ptr(Rc::new(ctype)));
                    let is_atomic = *is_atomic && self.has_threads;
                    CType { is_const: *is_const, is_atomic, ..pointer }
                }
                Deriv::Array(len) => {
                    let of = *size.get_or_insert_with(|| self.types.size(&ctype));
                    let len = self.array_len(&ctype, of, len, declarator.span)?;
                    size = match len {
                        Len::Fixed(n) => Some(of.and_then(|of| of.checked_mul(n))),
                        _ => None,
                    };
                    ctype.array(len)
                }
                Deriv::Func { params, is_variadic, has_prototype } => {
                    size = None;
                    self.scopes.open();
                    let mut types = Vec::new();
                    let outer = std::mem::replace(&mut self.in_params, true);
                    for param in params {
                        let base = self.base_type(&param.specs)?;
                        let mut it = self.derived(base, &param.declarator)?;
                        it = match it.kind {
                            TypeKind::Array(..) | TypeKind::Func(_) => it.decayed(),
                            _ => it,
                        };
                        types.push(it);
                    }
                    self.scopes.close();
                    self.in_params = outer;
                    if types.len() == 1 && types[0].is_void() {
                        types.clear();
                    }
                    let func = FuncType {
                        result: ctype.unqualified(),
                        params: types,
                        is_variadic: *is_variadic,
                        has_prototype: *has_prototype,
                    };
                    CType::new(TypeKind::Func(Rc::new(func)))
                }
            };
        }
        Ok(ctype)
    }

    /// `size` is that of an element, if it is known.
    fn array_len(
        &mut self,
        of: &CType,
        size: Option<u64>,
        len: &ArrayLen,
        span: Span,
    ) -> Lowered<Len> {
        let expr = match len {
            ArrayLen::Unknown | ArrayLen::Star => return Ok(Len::Unknown),
            ArrayLen::Expr(expr) => expr,
        };
        if self.in_params {
            // The length of a parameter is never asked for; it may mention other parameters.
            let known = self.try_const_int(expr).ok().flatten();
            return Ok(known.and_then(|n| u64::try_from(n).ok()).map_or(Len::Unknown, Len::Fixed));
        }
        if !of.is_variable()
            && let Some(n) = self.try_const_int(expr)?
        {
            let total = u64::try_from(n)
                .ok()
                .filter(|&n| size.is_some_and(|size| size.checked_mul(n).is_some()));
            return match total {
                Some(n) => Ok(Len::Fixed(n)),
                None => self.error(codes::c::TYPE, span, "this is no length for an array"),
            };
        }
        if self.is_global_scope() {
            return self.error(codes::c::NOT_CONSTANT, expr.span, "the length must be constant");
        }
        self.variable_len(of, expr)
    }
}

fn field_names(field: &Field) -> impl Iterator<Item = Name> {
    let declarators = match field {
        Field::Decl { declarators, .. } => &declarators[..],
        Field::StaticAssert(_) => &[],
    };
    declarators.iter().filter_map(|it| it.declarator.as_ref()?.name.clone())
}
