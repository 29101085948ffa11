//! Initialisers: lists with designators flattened to values at offsets, then either constants of a
//! global object or stores.

use hardbop_base::Span;
use hardbop_cir::{Expr as Node, ExprId, Init, ObjId, ObjKind, Op, Source, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::order::Order;
use super::place::{At, Guard, Place, ValKind};
use super::state::Lower;
use crate::syntax::ast::{Designator, Expr, ExprKind, Initializer};
use crate::types::{CType, FieldInfo, Len, RecordId, TypeKind};

/// A value for a part of an object.
struct Part<'e> {
    offset: u64,
    ctype: CType,
    bits: Option<(u8, u8)>,
    value: PartValue<'e>,
}

enum PartValue<'e> {
    Expr(&'e Expr),
    Text(&'e [u32]),
    /// Bytes of a union beside the member that gets a value (C11 6.2.6.1, 7).
    Unspecified,
}

impl<'e> Part<'e> {
    fn expr(&self) -> Option<&'e Expr> {
        match self.value {
            PartValue::Expr(expr) => Some(expr),
            PartValue::Text(_) | PartValue::Unspecified => None,
        }
    }
}

/// In the order of evaluation.
#[derive(Default)]
struct Parts<'e> {
    list: Vec<Part<'e>>,
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

    fn flatten<'e>(
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
                _ => self.error(codes::c::TYPE, Span::default(), "a number has no fields"),
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
                let named = |field: &&FieldInfo| field.name.is_some() || field.bits.is_none();
                let mut fields = info.fields.iter().flatten().filter(named);
                let found = if info.is_union && n > 0 { None } else { fields.nth(n as usize) };
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
                return self.error(
                    codes::c::TYPE,
                    Span::default(),
                    "this designator fits no part of the type",
                );
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

    /// Initialises memory at `ptr`, whose bytes are arbitrary before.
    pub fn init_memory(
        &mut self,
        ptr: ExprId,
        ctype: &CType,
        init: &Initializer,
        span: Span,
    ) -> Lowered<()> {
        let mut parts = Parts::default();
        self.flatten(ctype, 0, init, &mut parts)?;
        let values: Vec<&Expr> = parts.list.iter().filter_map(Part::expr).collect();
        if self.order_of_all(&values) == Order::Open {
            self.assume_order(span);
        }
        let bytes = self.size_of(ctype, span)?;
        let whole = matches!(parts.list.as_slice(), [Part { offset: 0, value: PartValue::Expr(_), bits: None, ctype: it }] if self.types.size(it) == Some(bytes));
        if !whole {
            let size = self.size_expr(bytes);
            let byte = self.program.exprs.int(8, 0);
            self.emit(Op::Fill { dst: ptr, byte, size }, span);
        }
        for part in parts.list {
            let offset = self.size_expr(part.offset);
            let at = self.ptr_add(ptr, offset, span);
            match part.value {
                PartValue::Expr(expr) => {
                    let value = self.rvalue(expr)?;
                    let value = self.convert(&value, &part.ctype, expr.span)?;
                    let at = match part.bits {
                        Some((first, width)) => {
                            At::Bits { ptr: at, guard: Guard::SAFE, first, width }
                        }
                        None => At::Memory { ptr: at, guard: Guard::SAFE },
                    };
                    self.write(&Place { ctype: part.ctype, at }, &value, expr.span)?;
                }
                PartValue::Text(units) => {
                    for (offset, value) in self.text_inits(&part.ctype, units) {
                        let offset = self.size_expr(offset);
                        let ptr = self.ptr_add(at, offset, span);
                        self.emit(Op::Store { ptr, value }, span);
                    }
                }
                PartValue::Unspecified => {
                    let size = self.size_of(&part.ctype, span)?;
                    self.make_arbitrary(at, size, span);
                }
            }
        }
        Ok(())
    }

    /// Any bytes, in words of at most eight.
    fn make_arbitrary(&mut self, ptr: ExprId, size: u64, span: Span) {
        let mut done = 0;
        while done < size {
            let word = (size - done).min(8);
            let value = self.nondet(Ty::Int((word * 8) as u8), false, Source::Uninit, span);
            let offset = self.size_expr(done);
            let at = self.ptr_add(ptr, offset, span);
            self.emit(Op::Store { ptr: at, value }, span);
            done += word;
        }
    }

    /// The characters that fit, without zeros.
    fn text_inits(&mut self, ctype: &CType, units: &[u32]) -> Vec<(u64, ExprId)> {
        let TypeKind::Array(of, Len::Fixed(n)) = &ctype.kind else { return Vec::new() };
        let width = self.int_bits(of);
        let stride = u64::from(width / 8);
        let fits = units.iter().take(*n as usize).enumerate().filter(|it| *it.1 != 0);
        fits.map(|(at, &unit)| {
            (at as u64 * stride, self.program.exprs.int(width, u128::from(unit)))
        })
        .collect()
    }

    /// Initialises a global object by constants.
    pub fn init_static(&mut self, object: ObjId, ctype: &CType, init: &Initializer) -> Lowered<()> {
        let mut parts = Parts::default();
        self.flatten(ctype, 0, init, &mut parts)?;
        let mut inits: std::collections::BTreeMap<u64, ExprId> = std::collections::BTreeMap::new();
        // A flexible array member has room for what initialises it.
        let ends = parts.list.iter().map(|it| it.offset + self.types.size(&it.ctype).unwrap_or(0));
        let end = ends.max().unwrap_or(0).max(self.types.size(ctype).unwrap_or(0));
        self.program.objects[object].size = Some(end);
        for part in parts.list {
            match part.value {
                PartValue::Unspecified => self.assume_said(
                    "bytes of a static union beside the member that is given a value are 0",
                ),
                PartValue::Text(units) => {
                    for (at, value) in self.text_inits(&part.ctype, units) {
                        inits.insert(part.offset + at, value);
                    }
                }
                PartValue::Expr(expr) => {
                    if matches!(part.ctype.kind, TypeKind::Record(_))
                        && let ExprKind::CompoundLit(_, inner) = &expr.kind
                    {
                        self.init_static_at(part.offset, &part.ctype, inner, &mut inits)?;
                        continue;
                    }
                    let value = self.constant(expr, &part.ctype)?;
                    match part.bits {
                        None => drop(inits.insert(part.offset, value)),
                        Some((first, width)) => {
                            // Fields that share bytes are joined as if they were stored; the other
                            // bytes of the unit may be those of a plain member.
                            for byte in first / 8..(first + width).div_ceil(8) {
                                let at = part.offset + u64::from(byte);
                                let old = inits.get(&at).copied();
                                let old = old.unwrap_or_else(|| self.program.exprs.int(8, 0));
                                let wide = self.program.exprs.resize(old, 128, false);
                                let unit = self.shifted(wide, byte * 8);
                                let unit = self.insert_bits(unit, value, first, width);
                                let back = self.unshifted(unit, byte * 8);
                                inits.insert(at, back);
                            }
                        }
                    }
                }
            }
        }
        self.program.objects[object].init =
            inits.into_iter().map(|(offset, value)| Init { offset, value }).collect();
        Ok(())
    }

    fn shifted(&mut self, value: ExprId, by: u8) -> ExprId {
        let amount = self.program.exprs.int(128, u128::from(by));
        self.program.exprs.binary(hardbop_cir::BinOp::Shl, value, amount)
    }

    fn unshifted(&mut self, value: ExprId, by: u8) -> ExprId {
        let amount = self.program.exprs.int(128, u128::from(by));
        let low = self.program.exprs.binary(hardbop_cir::BinOp::LShr, value, amount);
        self.program.exprs.resize(low, 8, false)
    }

    fn init_static_at(
        &mut self,
        base: u64,
        ctype: &CType,
        init: &Initializer,
        inits: &mut std::collections::BTreeMap<u64, ExprId>,
    ) -> Lowered<()> {
        let size = self.types.size(ctype);
        let shape = self.types.shape(ctype);
        let scratch = self.new_object("(literal)".into(), ObjKind::Global, size, shape, None);
        self.init_static(scratch, ctype, init)?;
        for init in std::mem::take(&mut self.program.objects[scratch].init) {
            inits.insert(base + init.offset, init.value);
        }
        Ok(())
    }

    /// A constant of the type: a number or an address.
    pub fn constant(&mut self, expr: &Expr, ctype: &CType) -> Lowered<ExprId> {
        let value = self.unevaluated(|lower| {
            let value = lower.rvalue(expr)?;
            lower.convert(&value, ctype, expr.span)
        })?;
        let id = match value.kind {
            ValKind::Scalar(id) => id,
            _ => return self.error(codes::c::NOT_CONSTANT, expr.span, "a constant is needed here"),
        };
        let mut constant = true;
        let objects = &self.program.objects;
        self.program.exprs.visit(id, &mut |_, node| match node {
            Node::Var(_) => constant = false,
            Node::Addr(object) => constant &= objects[object].kind == ObjKind::Global,
            _ => {}
        });
        match constant {
            true => Ok(id),
            false => self.error(codes::c::NOT_CONSTANT, expr.span, "a constant is needed here"),
        }
    }

    pub fn compound_literal(
        &mut self,
        ctype: CType,
        init: &Initializer,
        span: Span,
    ) -> Lowered<Place> {
        let ctype = self.complete(&ctype, init)?;
        if self.is_global_scope() {
            let size = self.size_of(&ctype, span)?;
            let shape = self.types.shape(&ctype);
            let object =
                self.new_object("(literal)".into(), ObjKind::Global, Some(size), shape, Some(span));
            self.init_static(object, &ctype, init)?;
            let ptr = self.program.exprs.add(Node::Addr(object));
            return Ok(Place { ctype, at: At::Memory { ptr, guard: Guard::SAFE } });
        }
        let ptr = self.literal_object(&ctype, span)?;
        self.init_memory(ptr, &ctype, init, span)?;
        Ok(Place { ctype, at: At::Memory { ptr, guard: Guard::SAFE } })
    }
}
