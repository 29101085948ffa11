//! Places: where a value can be read and written, and the checks before that.

use hardbop_base::Span;
use hardbop_cir::{
    BinOp, Class, Cond, Expr, ExprId, ObjKind, Op, Source, ThreadOp, Ty, VarId, VarKind,
};
use hardbop_diag::codes;

use super::Lowered;
use super::state::Lower;
use crate::types::{CType, TypeKind};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct Val {
    pub ctype: CType,
    pub kind: ValKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ValKind {
    Scalar(ExprId),
    /// A record, at an address.
    Record(ExprId),
    Void,
}

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub ctype: CType,
    pub at: At,
}

#[derive(Clone, Debug)]
pub(super) enum At {
    /// With the register that says whether it has a value.
    Register(VarId, Option<VarId>),
    Memory {
        ptr: ExprId,
        guard: Guard,
    },
    Bits {
        ptr: ExprId,
        guard: Guard,
        first: u8,
        width: u8,
    },
}

/// What must hold for an access.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    pub object: ObjectGuard,
    /// Of the indices on the way, outermost first.
    pub indices: Vec<IndexGuard>,
}

#[derive(Clone, Debug)]
pub(super) enum ObjectGuard {
    /// The place is part of a declared variable.
    Safe,
    /// An index into a declared array: the condition, and what to say.
    Index(ExprId, String),
    /// Through a pointer; the text of the pointer.
    Pointer(String),
}

#[derive(Clone, Debug)]
pub(super) struct IndexGuard {
    pub class: Class,
    pub cond: ExprId,
    pub message: String,
}

impl Guard {
    pub const SAFE: Guard = Guard { object: ObjectGuard::Safe, indices: Vec::new() };

    pub fn pointer(text: String) -> Guard {
        Guard { object: ObjectGuard::Pointer(text), indices: Vec::new() }
    }

    /// Every condition that is known already.
    pub fn conditions(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let object = match &mut self.object {
            ObjectGuard::Index(cond, _) => Some(cond),
            ObjectGuard::Safe | ObjectGuard::Pointer(_) => None,
        };
        self.indices.iter_mut().map(|it| &mut it.cond).chain(object)
    }
}

impl Val {
    pub fn scalar(ctype: CType, value: ExprId) -> Val {
        Val { ctype: ctype.unqualified(), kind: ValKind::Scalar(value) }
    }

    pub const VOID: Val = Val { ctype: CType::VOID, kind: ValKind::Void };
}

impl Lower<'_> {
    pub fn size_expr(&mut self, bytes: u64) -> ExprId {
        let bits = self.options.model.ptr_bits();
        self.program.exprs.int(bits, u128::from(bytes))
    }

    pub fn ptr_add(&mut self, ptr: ExprId, bytes: ExprId, span: Span) -> ExprId {
        self.node(Expr::Binary(BinOp::PtrAdd, ptr, bytes), span)
    }

    /// The checks before an access to `size` bytes.
    pub fn guard(&mut self, ptr: ExprId, guard: &Guard, size: u64, is_write: bool, span: Span) {
        for it in &guard.indices {
            self.check(it.class, Cond::Holds(it.cond), it.message.clone(), span);
        }
        match &guard.object {
            ObjectGuard::Safe => {}
            ObjectGuard::Index(cond, message) => {
                self.check(Class::Bounds, Cond::Holds(*cond), message.clone(), span);
                if is_write && self.is_part_of_const(ptr) {
                    let message = "constant memory may be written";
                    self.check(Class::Bounds, Cond::Writable(ptr), message, span);
                }
            }
            ObjectGuard::Pointer(text) => {
                let size_expr = self.size_expr(size);
                self.guard_pointer(ptr, size_expr, text, is_write, span);
            }
        }
    }

    pub fn guard_pointer(
        &mut self,
        ptr: ExprId,
        size: ExprId,
        text: &str,
        is_write: bool,
        span: Span,
    ) {
        if self.is_inside(ptr, size, is_write) {
            return;
        }
        let act = if is_write { "written" } else { "read" };
        let null = format!("`{text}` may be null or no address where it is {act} through");
        self.check(Class::Null, Cond::NotNull(ptr), null, span);
        let dead = format!("what `{text}` points to may no longer exist where it is {act}");
        self.check(Class::Dangling, Cond::Alive(ptr), dead, span);
        let bytes = match self.program.exprs.as_int(size) {
            Some(1) => "1 byte".to_string(),
            Some(n) => format!("{n} bytes"),
            None => "the bytes".to_string(),
        };
        let outside = format!("{bytes} {act} through `{text}` may lie outside of its object");
        self.check(Class::Bounds, Cond::InBounds { ptr, size }, outside, span);
        if is_write {
            let message = format!("`{text}` may point to constant memory where it is written");
            self.check(Class::Bounds, Cond::Writable(ptr), message, span);
        }
    }

    /// Whether a pointer is made of the address of something constant: what it says by its type may be cast away.
    fn is_part_of_const(&self, ptr: ExprId) -> bool {
        match self.program.exprs.get(ptr) {
            Expr::Addr(object) => self.program.objects[object].is_const,
            Expr::Binary(BinOp::PtrAdd, base, _) => self.is_part_of_const(base),
            _ => false,
        }
    }

    /// Whether an access is inside a variable of known size, whatever happens.
    fn is_inside(&self, ptr: ExprId, size: ExprId, is_write: bool) -> bool {
        let pool = &self.program.exprs;
        let (base, offset) = match pool.get(ptr) {
            Expr::Binary(BinOp::PtrAdd, base, offset) => match pool.as_int(offset) {
                Some(offset) => (pool.get(base), offset),
                None => return false,
            },
            base => (base, 0),
        };
        let (Expr::Addr(object), Some(size)) = (base, pool.as_int(size)) else { return false };
        let info = &self.program.objects[object];
        let fits = info.size.is_some_and(|all| offset.saturating_add(size) <= u128::from(all));
        fits && !(is_write && info.is_const)
            && matches!(info.kind, ObjKind::Global | ObjKind::Local(_))
    }

    /// What hardware or a signal may have put there.
    fn read_volatile(&mut self, place: &Place, ctype: CType, span: Span) -> Lowered<Val> {
        let source = Source::System(format!("volatile `{}`", self.text(span)).into());
        let Some(ty) = self.types.ty(&ctype) else {
            return self.error(codes::c::TYPE, span, "this has no value");
        };
        match &place.at {
            At::Bits { ptr, guard, first, width } => {
                self.read_unit(*ptr, guard, *first, *width, span);
                let value = self.nondet(Ty::Int(*width), ctype.is_signed(), source, span);
                return Ok(self.bit_field_value(&ctype, value, *width));
            }
            At::Memory { ptr, guard } => {
                let size = self.size_of(&ctype, span)?;
                self.guard(*ptr, guard, size, false, span);
            }
            At::Register(..) => {}
        }
        let value = match (&ctype.kind, ty) {
            (TypeKind::Bool, Ty::Int(bits)) => {
                let bit = self.nondet(Ty::BOOL, false, source, span);
                self.program.exprs.resize(bit, bits, false)
            }
            _ => self.nondet(ty, ctype.is_signed(), source, span),
        };
        Ok(Val::scalar(ctype, value))
    }

    pub fn read(&mut self, place: &Place, span: Span) -> Lowered<Val> {
        let ctype = place.ctype.unqualified();
        let is_input = self.options.volatile_inputs && place.ctype.is_volatile && !self.in_library;
        if is_input
            && matches!(ctype.kind, TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float(_))
        {
            return self.read_volatile(place, ctype, span);
        }
        match (&place.at, &ctype.kind) {
            (At::Memory { ptr, .. }, TypeKind::Array(..) | TypeKind::Func(_)) => {
                Ok(Val::scalar(ctype.decayed(), *ptr))
            }
            (At::Memory { .. }, TypeKind::Record(_)) if place.ctype.is_atomic => {
                self.unsupported(span, "an atomic structure in a program with threads");
                self.dead_value(&ctype, span)
            }
            (At::Memory { ptr, guard }, TypeKind::Record(_)) => {
                let size = self.size_of(&ctype, span)?;
                self.guard(*ptr, guard, size, false, span);
                Ok(Val { ctype, kind: ValKind::Record(*ptr) })
            }
            (At::Memory { .. }, TypeKind::Void) => Ok(Val::VOID),
            (At::Register(var, known), _) => {
                if let Some(known) = known {
                    let known = self.var_expr(*known);
                    let message =
                        format!("`{}` may be read before it has a value", self.text(span));
                    self.check(Class::Uninit, Cond::Holds(known), message, span);
                }
                let mut value = self.var_expr(*var);
                // Functions without a body may change it.
                if self.program.vars[*var].kind == VarKind::Global {
                    value = self.loaded(&ctype, value);
                }
                Ok(Val::scalar(ctype, value))
            }
            (At::Memory { ptr, guard }, _) => {
                let Some(ty) = self.types.ty(&ctype) else {
                    return self.error(codes::c::TYPE, span, "this has no value");
                };
                let size = self.size_of(&ctype, span)?;
                self.guard(*ptr, guard, size, false, span);
                self.check_written(*ptr, size, span);
                let dst = self.temp(ty, ctype.is_signed());
                self.atomic_section(place, ThreadOp::Begin, span);
                self.emit(Op::Load { dst, ptr: *ptr }, span);
                self.atomic_section(place, ThreadOp::End, span);
                let value = self.var_expr(dst);
                Ok(Val::scalar(ctype.clone(), self.loaded(&ctype, value)))
            }
            (At::Bits { ptr, guard, first, width }, _) => {
                let (ptr, first, width) = (*ptr, *first, *width);
                let unit = self.read_unit(ptr, guard, first, width, span);
                if let Some(known) = self.bit_flag(ptr, first) {
                    let known = self.var_expr(known);
                    let message =
                        format!("`{}` may be read before it has a value", self.text(span));
                    self.check(Class::Uninit, Cond::Holds(known), message, span);
                } else if self.checks(Class::Uninit) {
                    // The bytes of the field alone: what is read may begin before them.
                    let before = self.size_expr(u64::from(first / 8));
                    let own = self.ptr_add(ptr, before, span);
                    self.check_written(own, bytes_of_unit(first % 8, width), span);
                    self.assume_said(
                        "a bit-field has a value where another in the same byte has one",
                    );
                }
                let Ty::Int(unit_bits) = self.program.exprs.ty(unit) else {
                    return self.error(codes::c::TYPE, span, "a bit-field is no number");
                };
                let amount = self.program.exprs.int(unit_bits, u128::from(first));
                let low = self.program.exprs.binary(BinOp::LShr, unit, amount);
                Ok(self.bit_field_value(&ctype, low, width))
            }
        }
    }

    /// What was read from memory. A `_Bool` there is 0 or 1, wherever its byte came from: functions without a body,
    /// an entry's arguments and `malloc` leave any.
    fn loaded(&mut self, ctype: &CType, value: ExprId) -> ExprId {
        if ctype.kind != TypeKind::Bool {
            return value;
        }
        let bits = self.int_bits(ctype);
        let zero = self.program.exprs.int(bits, 0);
        let is_set = self.program.exprs.binary(BinOp::Ne, value, zero);
        self.program.exprs.resize(is_set, bits, false)
    }

    /// The value of a bit-field that is in the lowest bits of `value`.
    pub fn bit_field_value(&mut self, ctype: &CType, value: ExprId, width: u8) -> Val {
        let cut = self.program.exprs.resize(value, width, false);
        let ctype_of_value = self.bit_field_type(ctype, width);
        let to = self.int_bits(&ctype_of_value);
        Val::scalar(ctype_of_value, self.program.exprs.resize(cut, to, ctype.is_signed()))
    }

    /// The type a bit-field's value has. Promotion looks at the width alone: what `int` holds is an
    /// `int`, whatever type was declared, and more has a type of just that width, as GCC has it.
    pub fn bit_field_type(&self, ctype: &CType, width: u8) -> CType {
        let TypeKind::Int { bits, is_signed, .. } = ctype.kind else { return ctype.clone() };
        match width {
            ..32 => CType::INT,
            32 if is_signed => CType::INT,
            32 => CType::UINT,
            _ if width == bits => ctype.clone(),
            _ => CType::int(width, is_signed, 3),
        }
    }

    fn check_written(&mut self, ptr: ExprId, size: u64, span: Span) {
        if self.checks(Class::Uninit) {
            let size = self.size_expr(size);
            let message = format!("`{}` may be read before it has a value", self.text(span));
            self.check(Class::Uninit, Cond::Written { ptr, size }, message, span);
        }
    }

    /// The bytes a bit-field lies in.
    fn read_unit(
        &mut self,
        ptr: ExprId,
        guard: &Guard,
        first: u8,
        width: u8,
        span: Span,
    ) -> ExprId {
        let bytes = bytes_of_unit(first, width);
        self.guard(ptr, guard, bytes, false, span);
        let dst = self.temp(Ty::Int((bytes * 8) as u8), false);
        self.emit(Op::Load { dst, ptr }, span);
        self.var_expr(dst)
    }

    pub fn int_bits(&self, ctype: &CType) -> u8 {
        match self.types.ty(ctype) {
            Some(Ty::Int(bits)) => bits,
            _ => self.options.model.ptr_bits(),
        }
    }

    /// Writes a value of the place's type.
    pub fn write(&mut self, place: &Place, value: &Val, span: Span) -> Lowered<()> {
        match (&place.at, value.kind) {
            (At::Register(var, known), ValKind::Scalar(value)) => {
                self.emit(Op::Set { dst: *var, value }, span);
                if let Some(known) = *known {
                    let yes = self.program.exprs.bool(true);
                    self.emit(Op::Set { dst: known, value: yes }, span);
                }
            }
            (At::Memory { ptr, guard }, ValKind::Scalar(value)) => {
                let size = self.size_of(&place.ctype, span)?;
                self.guard(*ptr, guard, size, true, span);
                self.atomic_section(place, ThreadOp::Begin, span);
                self.emit(Op::Store { ptr: *ptr, value }, span);
                self.atomic_section(place, ThreadOp::End, span);
            }
            (At::Memory { .. }, ValKind::Record(_)) if place.ctype.is_atomic => {
                self.unsupported(span, "an atomic structure in a program with threads");
            }
            (At::Memory { ptr, guard }, ValKind::Record(src)) => {
                let bytes = self.size_of(&place.ctype, span)?;
                self.guard(*ptr, guard, bytes, true, span);
                let size = self.size_expr(bytes);
                self.same_or_apart(*ptr, src, size, span);
                self.emit(Op::Copy { dst: *ptr, src, size }, span);
            }
            (At::Bits { ptr, guard, first, width }, ValKind::Scalar(value)) => {
                let (ptr, first, width) = (*ptr, *first, *width);
                let unit = self.read_unit(ptr, guard, first, width, span);
                let value = self.insert_bits(unit, value, first, width);
                let known = self.bit_flag(ptr, first);
                self.emit_bits(ptr, value, known, span);
            }
            _ => return self.error(codes::c::TYPE, span, "this cannot be assigned"),
        }
        Ok(())
    }

    /// What is assigned to an object is the object itself or lies apart from it (6.5.16.1).
    fn same_or_apart(&mut self, dst: ExprId, src: ExprId, size: ExprId, span: Span) {
        let object = |ptr: ExprId| match self.program.exprs.get(ptr) {
            Expr::Addr(object) => Some(object),
            Expr::Binary(BinOp::PtrAdd, base, _) => match self.program.exprs.get(base) {
                Expr::Addr(object) => Some(object),
                _ => None,
            },
            _ => None,
        };
        if dst == src || object(dst).zip(object(src)).is_some_and(|(to, from)| to != from) {
            return;
        }
        let zero = self.size_expr(0);
        let same = self.program.exprs.binary(BinOp::Eq, dst, src);
        let size = self.program.exprs.ite(same, zero, size);
        let message = format!("`{}` may overlap what is assigned to it", self.text(span));
        self.check(Class::Library, Cond::Apart { a: dst, b: src, size }, message, span);
    }

    /// `unit` with `width` bits from `first` on replaced.
    pub fn insert_bits(&mut self, unit: ExprId, value: ExprId, first: u8, width: u8) -> ExprId {
        let pool = &mut self.program.exprs;
        let Ty::Int(bits) = pool.ty(unit) else { return unit };
        let mask = hardbop_cir::eval::mask(width) << first;
        let field = pool.int(bits, mask);
        let rest = pool.int(bits, !mask);
        let value = pool.resize(value, bits, false);
        let amount = pool.int(bits, u128::from(first));
        let shifted = pool.binary(BinOp::Shl, value, amount);
        let new = pool.binary(BinOp::And, shifted, field);
        let old = pool.binary(BinOp::And, unit, rest);
        pool.binary(BinOp::Or, old, new)
    }

    /// The address of a place.
    pub fn address(&mut self, place: &Place, span: Span) -> Lowered<ExprId> {
        match &place.at {
            At::Memory { ptr, .. } => Ok(*ptr),
            At::Bits { .. } => self.error(codes::c::TYPE, span, "a bit-field has no address"),
            At::Register(..) => self.error(codes::c::TYPE, span, "this has no address"),
        }
    }

    pub fn size_of(&self, ctype: &CType, span: Span) -> Lowered<u64> {
        match self.types.size(ctype) {
            Some(size) => Ok(size),
            None => {
                let name = self.types.describe(ctype);
                self.error(codes::c::TYPE, span, format!("the size of `{name}` is not known here"))
            }
        }
    }

    /// The size as a value: also that of arrays of variable length.
    pub fn size_value(&mut self, ctype: &CType, span: Span) -> Lowered<ExprId> {
        if let TypeKind::Array(_, crate::types::Len::Variable(var)) = ctype.kind {
            return Ok(self.var_expr(var));
        }
        let size = self.size_of(ctype, span)?;
        Ok(self.size_expr(size))
    }
}

/// How many bytes a bit-field lies in.
fn bytes_of_unit(first: u8, width: u8) -> u64 {
    u64::from((first + width).div_ceil(8))
}
