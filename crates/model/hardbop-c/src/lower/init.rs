//! Initialisers written: the values of their parts as constants of a global object, or as stores.

use std::collections::BTreeMap;

use hardbop_base::Span;
use hardbop_cir::{Expr as Node, ExprId, Init, ObjId, ObjKind, Op, Source, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::order::Order;
use super::parts::{Part, PartValue, Parts};
use super::place::{At, Guard, Place, ValKind};
use super::state::Lower;
use crate::syntax::ast::{Expr, ExprKind, Initializer};
use crate::types::{CType, Len, TypeKind};

impl Lower<'_> {
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
        let mut inits: BTreeMap<u64, ExprId> = BTreeMap::new();
        // A flexible array member has room for what initialises it.
        let ends = parts.list.iter().map(|it| it.offset + self.types.size(&it.ctype).unwrap_or(0));
        let end = ends.max().unwrap_or(0).max(self.types.size(ctype).unwrap_or(0));
        self.program.objects[object].size = Some(end);
        for part in parts.list {
            match part.value {
                PartValue::Unspecified => {
                    self.assume_said(
                        "bytes of a static union beside the member that is given a value are 0",
                    );
                    // What another member was given before is gone.
                    let size = self.types.size(&part.ctype).unwrap_or(0);
                    inits.retain(|&at, _| at < part.offset || at - part.offset >= size);
                }
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
        inits: &mut BTreeMap<u64, ExprId>,
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
        let n_unsupported = self.n_unsupported;
        let value = self.unevaluated(|lower| {
            let value = lower.rvalue(expr)?;
            lower.convert(&value, ctype, expr.span)
        })?;
        // Soundness: no path leads here that could end here.
        if self.n_unsupported > n_unsupported {
            let message = "this first value needs what is not supported";
            return self.error(codes::c::UNSUPPORTED, expr.span, message);
        }
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
            self.program.objects[object].is_const = ctype.is_const_object();
            self.init_static(object, &ctype, init)?;
            let ptr = self.program.exprs.add(Node::Addr(object));
            return Ok(Place { ctype, at: At::Memory { ptr, guard: Guard::SAFE } });
        }
        let ptr = self.literal_object(&ctype, span)?;
        self.init_memory(ptr, &ctype, init, span)?;
        Ok(Place { ctype, at: At::Memory { ptr, guard: Guard::SAFE } })
    }
}
