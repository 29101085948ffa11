//! Initialisers as lists of values at offsets: braces and designators are flattened (C11 6.7.9).

use hardbop_base::Span;
use hardbop_diag::codes;

use super::Lowered;
use super::state::Lower;
use crate::syntax::ast::{Designator, Expr, ExprKind, Initializer};
use crate::types::{CType, FieldInfo, Len, RecordId, TypeKind};

/// A value for a part of an object.
pub(super) struct Part<'e> {
    pub offset: u64,
    pub ctype: CType,
    pub bits: Option<(u8, u8)>,
    pub value: PartValue<'e>,
}

pub(super) enum PartValue<'e> {
    Expr(&'e Expr),
    Text(&'e [u32]),
    /// Bytes of a union beside the member that gets a value (C11 6.2.6.1, 7).
    Unspecified,
}

impl<'e> Part<'e> {
    pub fn expr(&self) -> Option<&'e Expr> {
        match self.value {
            PartValue::Expr(expr) => Some(expr),
            PartValue::Text(_) | PartValue::Unspecified => None,
        }
    }
}

/// In the order of evaluation.
#[derive(Default)]
pub(super) struct Parts<'e> {
    pub list: Vec<Part<'e>>,
    /// All of them lie before this offset or at it.
    last: u64,
}

impl<'e> Parts<'e> {
    fn push(&mut self, part: Part<'e>) {
        self.last = self.last.max(part.offset);
        self.list.push(part);
    }

    /// A value for a whole aggregate takes the place of those its parts had (C11 6.7.9, 19).
    fn forget(&mut self, offset: u64, size: u64) {
        if offset <= self.last {
            self.list.retain(|it| it.offset < offset || it.offset - offset >= size);
        }
    }
}

/// Where the parts of an aggregate lie.
enum Stride {
    Field(u64),
    Element(u64),
}

type Items<'e> = &'e [(Vec<Designator>, Initializer)];

/// An array that is initialised by a compound literal is initialised by what that is made of, as
/// compilers allow.
fn behind_literal<'e>(ctype: &CType, init: &'e Initializer) -> &'e Initializer {
    match init {
        Initializer::Expr(Expr { kind: ExprKind::CompoundLit(_, inner), .. })
            if matches!(ctype.kind, TypeKind::Array(..)) =>
        {
            inner
        }
        other => other,
    }
}

/// An array without a length has that of the text that initialises it.
fn with_length(ctype: &CType, units: &[u32]) -> CType {
    match &ctype.kind {
        TypeKind::Array(of, Len::Unknown) => {
            (**of).clone().array(Len::Fixed(units.len() as u64 + 1))
        }
        _ => ctype.clone(),
    }
}

impl Lower<'_> {
    /// The type with the length its initialiser gives it.
    pub fn complete(&mut self, ctype: &CType, init: &Initializer) -> Lowered<CType> {
        let init = behind_literal(ctype, init);
        let TypeKind::Array(of, Len::Unknown) = &ctype.kind else { return Ok(ctype.clone()) };
        let of = (**of).clone();
        let n = match init {
            Initializer::Expr(Expr { kind: ExprKind::Str { units, .. }, .. }) => {
                units.len() as u64 + 1
            }
            Initializer::List(items, _) => match &items[..] {
                [(_, Initializer::Expr(Expr { kind: ExprKind::Str { units, .. }, .. }))]
                    if of.is_integer() =>
                {
                    units.len() as u64 + 1
                }
                _ => {
                    let stride = self.size_of(&of, Span::default())?.max(1);
                    let mut parts = Parts::default();
                    let unbounded = of.clone().array(Len::Fixed(u64::MAX / stride / 8));
                    self.flatten_list(&unbounded, 0, items, &mut parts)?;
                    parts.list.iter().map(|part| part.offset / stride + 1).max().unwrap_or(0)
                }
            },
            Initializer::Expr(expr) => {
                let value = self.type_of(expr)?;
                return Ok(value);
            }
        };
        let mut complete = of.array(Len::Fixed(n));
        complete.is_const = ctype.is_const;
        Ok(complete)
    }

    pub fn flatten<'e>(
        &mut self,
        ctype: &CType,
        offset: u64,
        init: &'e Initializer,
        parts: &mut Parts<'e>,
    ) -> Lowered<()> {
        if matches!(ctype.kind, TypeKind::Array(..) | TypeKind::Record(_)) {
            parts.forget(offset, self.types.size(ctype).unwrap_or(0));
        }
        match behind_literal(ctype, init) {
            Initializer::List(items, _) => self.flatten_list(ctype, offset, items, parts),
            Initializer::Expr(expr) => {
                if let (ExprKind::Str { units, .. }, TypeKind::Array(of, _)) =
                    (&expr.kind, &ctype.kind)
                    && of.is_integer()
                {
                    parts.push(Part {
                        offset,
                        ctype: with_length(ctype, units),
                        bits: None,
                        value: PartValue::Text(units),
                    });
                    return Ok(());
                }
                parts.push(Part {
                    offset,
                    ctype: ctype.clone(),
                    bits: None,
                    value: PartValue::Expr(expr),
                });
                Ok(())
            }
        }
    }

    fn flatten_list<'e>(
        &mut self,
        ctype: &CType,
        offset: u64,
        items: Items<'e>,
        parts: &mut Parts<'e>,
    ) -> Lowered<()> {
        match &ctype.kind {
            TypeKind::Array(of, _) => {
                if let [
                    (
                        designators,
                        Initializer::Expr(Expr { kind: ExprKind::Str { units, .. }, .. }),
                    ),
                ] = items
                    && designators.is_empty()
                    && of.is_integer()
                {
                    parts.push(Part {
                        offset,
                        ctype: with_length(ctype, units),
                        bits: None,
                        value: PartValue::Text(units),
                    });
                    return Ok(());
                }
                self.flatten_braced(ctype, offset, items, parts)
            }
            TypeKind::Record(_) => self.flatten_braced(ctype, offset, items, parts),
            _ => match items {
                [] => Ok(()),
                [(designators, init), ..] if designators.is_empty() => {
                    self.flatten(ctype, offset, init, parts)
                }
                [(designators, _), ..] => {
                    let span = designators.first().map_or(Span::default(), Designator::span);
                    self.error(codes::c::TYPE, span, "a number has no parts")
                }
            },
        }
    }

    /// A list of its own for one aggregate.
    fn flatten_braced<'e>(
        &mut self,
        ctype: &CType,
        offset: u64,
        items: Items<'e>,
        parts: &mut Parts<'e>,
    ) -> Lowered<()> {
        let (mut at, mut member) = (0, 0);
        while at < items.len() {
            let (designators, init) = &items[at];
            if !designators.is_empty() {
                at += 1;
                member =
                    self.designated(ctype, offset, designators, init, items, &mut at, parts)? + 1;
                continue;
            }
            let before = at;
            member = self.flatten_run(ctype, offset, member, items, &mut at, parts)?;
            if at == before {
                // Excess items have no place; compilers warn and drop them.
                at += 1;
            }
        }
        Ok(())
    }

    /// Takes items without designators for the parts of one aggregate from the `member`-th on; the
    /// first part that got nothing.
    fn flatten_run<'e>(
        &mut self,
        ctype: &CType,
        offset: u64,
        mut member: u64,
        items: Items<'e>,
        at: &mut usize,
        parts: &mut Parts<'e>,
    ) -> Lowered<u64> {
        while *at < items.len() {
            let (designators, init) = &items[*at];
            if !designators.is_empty() {
                break;
            }
            let Some((sub, sub_offset, bits)) = self.member_at(ctype, member)? else { break };
            member += 1;
            let place = offset + sub_offset;
            self.rest_of_union(ctype, offset, &sub, parts);
            match (&sub.kind, init) {
                (TypeKind::Array(..) | TypeKind::Record(_), Initializer::Expr(expr)) => {
                    let is_text = matches!((&expr.kind, &sub.kind), (ExprKind::Str { .. }, TypeKind::Array(of, _)) if of.is_integer());
                    let is_whole = is_text
                        || matches!(sub.kind, TypeKind::Record(_)) && {
                            let value = self.type_of(expr)?;
                            value.kind == sub.kind
                        };
                    if is_whole {
                        *at += 1;
                        self.flatten(&sub, place, init, parts)?;
                    } else {
                        // Braces left out: the part takes as many items as it needs.
                        let before = *at;
                        self.flatten_run(&sub, place, 0, items, at, parts)?;
                        if *at == before {
                            *at += 1;
                        }
                    }
                }
                _ => {
                    *at += 1;
                    let first = parts.list.len();
                    self.flatten(&sub, place, init, parts)?;
                    if bits.is_some()
                        && let Some(part) = parts.list.get_mut(first)
                    {
                        part.bits = bits;
                    }
                }
            }
        }
        Ok(member)
    }

    /// The `n`-th part of an aggregate: type, offset, bits.
    #[allow(clippy::type_complexity)]
    fn member_at(&self, ctype: &CType, n: u64) -> Lowered<Option<(CType, u64, Option<(u8, u8)>)>> {
        Ok(match &ctype.kind {
            TypeKind::Array(of, len) => {
                let inside = match len {
                    Len::Fixed(len) => n < *len,
                    _ => true,
                };
                let size = self.types.size(of).unwrap_or(0);
                inside.then(|| ((**of).clone(), n * size, None))
            }
            TypeKind::Record(id) => {
                let info = &self.types.records[*id];
                let at = if info.is_union && n > 0 { None } else { info.members.get(n as usize) };
                let found = info.fields.as_ref().zip(at).and_then(|(fields, &at)| fields.get(at));
                found.map(|field| (field.ctype.clone(), field.offset, field.bits))
            }
            _ => (n == 0).then(|| (ctype.clone(), 0, None)),
        })
    }

    /// Follows designators; the position in the outermost aggregate. Items after it go on inside the
    /// part the designators name (C11 6.7.9, 17), so they are taken here.
    #[allow(clippy::too_many_arguments)]
    fn designated<'e>(
        &mut self,
        ctype: &CType,
        offset: u64,
        designators: &'e [Designator],
        init: &'e Initializer,
        items: Items<'e>,
        at: &mut usize,
        parts: &mut Parts<'e>,
    ) -> Lowered<u64> {
        let Some((first, mut rest)) = designators.split_first() else {
            self.flatten(ctype, offset, init, parts)?;
            return Ok(0);
        };
        let (range, of, stride, bits) = match (first, &ctype.kind) {
            (Designator::Field(name, span), TypeKind::Record(id)) => {
                let Some((position, field)) = self.named_member(*id, name) else {
                    let message = format!("there is no field `{name}`");
                    return self.undeclared(name, *span, message);
                };
                if field.name.is_none() {
                    // Inside a member without a name the designator is still to be followed.
                    rest = designators;
                }
                ((position, position), field.ctype, Stride::Field(field.offset), field.bits)
            }
            (Designator::Index(index), TypeKind::Array(of, _)) => {
                let n = self.const_int(index)?;
                let Ok(n) = u64::try_from(n) else {
                    return self.error(codes::c::TYPE, index.span, "an index is not negative");
                };
                let size = self.size_of(of, index.span)?;
                ((n, n), (**of).clone(), Stride::Element(size), None)
            }
            (Designator::Range(low, high), TypeKind::Array(of, _)) => {
                let (low_n, high_n) = (self.const_int(low)?, self.const_int(high)?);
                if low_n < 0 || high_n < low_n || high_n - low_n > 1 << 20 {
                    return self.error(codes::c::TYPE, low.span, "this range is not supported");
                }
                let size = self.size_of(of, low.span)?;
                ((low_n as u64, high_n as u64), (**of).clone(), Stride::Element(size), None)
            }
            _ => {
                let message = "this designator fits no part of the type";
                return self.error(codes::c::TYPE, first.span(), message);
            }
        };
        for n in range.0..=range.1 {
            let place = offset
                + match stride {
                    Stride::Field(at) => at,
                    Stride::Element(size) => n.saturating_mul(size),
                };
            self.rest_of_union(ctype, offset, &of, parts);
            let first = parts.list.len();
            if rest.is_empty() {
                self.flatten(&of, place, init, parts)?;
                if bits.is_some()
                    && let Some(part) = parts.list.get_mut(first)
                {
                    part.bits = bits;
                }
                continue;
            }
            let inner = self.designated(&of, place, rest, init, items, at, parts)?;
            if n == range.1 {
                self.flatten_run(&of, place, inner + 1, items, at, parts)?;
            }
        }
        Ok(range.1)
    }

    /// What a union has beyond a member that is given a value.
    fn rest_of_union(&self, ctype: &CType, offset: u64, member: &CType, parts: &mut Parts<'_>) {
        let TypeKind::Record(id) = ctype.kind else { return };
        let (size, used) = (self.types.records[id].size, self.types.size(member).unwrap_or(0));
        if self.types.records[id].is_union && used < size {
            let ctype = CType::CHAR.array(Len::Fixed(size - used));
            let value = PartValue::Unspecified;
            parts.push(Part { offset: offset + used, ctype, bits: None, value });
        }
    }

    /// The member that is called `name` or holds it without a name of its own, with its position.
    fn named_member(&self, record: RecordId, name: &str) -> Option<(u64, FieldInfo)> {
        let fields = self.types.records[record].fields.as_ref()?;
        let holds = |it: &FieldInfo| match (&it.name, &it.ctype.kind) {
            (Some(it), _) => **it == *name,
            (None, TypeKind::Record(inner)) => self.types.field(*inner, name).is_some(),
            _ => false,
        };
        let named = fields.iter().filter(|it| it.name.is_some() || it.bits.is_none());
        let (position, field) = named.enumerate().find(|it| holds(it.1))?;
        Some((position as u64, field.clone()))
    }
}
