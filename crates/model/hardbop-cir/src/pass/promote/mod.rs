//! Objects that are only accessed at fixed places become registers, one for each field (scalar
//! replacement of aggregates; FS section III gives every field of a structure a variable of its own).
//!
//! An object is promoted if every mention of its address is the place of a load, a store, a copy,
//! a fill or a check with constant offset and size, inside the object, and its accesses fall into
//! fields of one type each that do not overlap and have a name in the source. Nothing else can reach such an object: its address
//! is nowhere. Registers are what slicing, ranges and guessed invariants work on.
//!
//! Invariant: a field's register holds what its bytes would, from each [`crate::program::Op::Enter`] of a local
//! object (arbitrary values) or the start (a global one's first contents) on.

mod find;
mod rewrite;

use hardbop_base::{Idx, IndexVec, Name};

use crate::analysis::holding::asks_calls;
use crate::check::Cond;
use crate::eval::signed;
use crate::expr::{BinOp, Expr, ExprId};
use crate::program::{ObjId, ObjKind, Program, Shape, VarId, VarInfo, VarKind};
use crate::ty::Ty;

use find::Finder;
use rewrite::Promoter;

/// A byte of an object.
pub(crate) type Place = (ObjId, u64);

/// Returns how many objects became registers.
pub fn promote(program: &mut Program) -> usize {
    let mut finder = Finder::new(program);
    finder.collect();
    finder.settle();
    let fields = finder.fields;
    let mut promoter = Promoter { registers: IndexVec::new(), asks_calls: asks_calls(program) };
    let mut n_promoted = 0;
    for (object, fields) in fields.into_iter().enumerate() {
        let object = ObjId::new(object);
        let registers = fields.map(|fields| {
            n_promoted += 1;
            let register = |(at, ty)| (at, new_register(program, object, at, ty));
            fields.into_iter().map(register).collect()
        });
        promoter.registers.push(registers);
    }
    if n_promoted > 0 {
        promoter.rewrite(program);
    }
    n_promoted
}

/// The object and the offset of a pointer with a constant place.
pub(crate) fn place(program: &Program, ptr: ExprId) -> Option<Place> {
    let (mut at, mut offset) = (ptr, 0i128);
    loop {
        match program.exprs.get(at) {
            Expr::Addr(object) => return Some((object, u64::try_from(offset).ok()?)),
            Expr::Binary(BinOp::PtrAdd, base, by) => {
                offset += signed(program.exprs.as_int(by)?, program.ptr_bits);
                at = base;
            }
            _ => return None,
        }
    }
}

/// Whether a check of a constant place holds always.
fn never_fails(program: &Program, cond: &Cond) -> bool {
    let at = |ptr: &ExprId| place(program, *ptr);
    match cond {
        Cond::NotNull(ptr) => at(ptr).is_some(),
        // The front end enters an object before anything can name it.
        Cond::Alive(ptr) => at(ptr).is_some(),
        Cond::Writable(ptr) => at(ptr).is_some_and(|it| !program.objects[it.0].is_const),
        Cond::InBounds { ptr, size } => match (at(ptr), program.exprs.as_int(*size)) {
            (Some((object, at)), Some(size)) => program.objects[object]
                .size
                .is_some_and(|all| u128::from(at).saturating_add(size) <= u128::from(all)),
            _ => false,
        },
        _ => false,
    }
}

fn new_register(program: &mut Program, object: ObjId, at: u64, ty: Ty) -> VarId {
    let info = &program.objects[object];
    let (path, is_signed) = path(&info.shape, at, ty).unwrap_or_default();
    let name: Name = format!("{}{path}", info.name).into();
    let (kind, owner) = match info.kind {
        ObjKind::Local(owner) => (VarKind::Local, Some(owner)),
        _ => (VarKind::Global, None),
    };
    let init = match owner {
        Some(_) => None,
        None => Some(match info.init.iter().rev().find(|it| it.offset == at) {
            Some(init) => init.value,
            None => zero(program, ty),
        }),
    };
    let span = program.objects[object].span;
    program.vars.push(VarInfo { name, ty, is_signed, kind, owner, init, span })
}

pub(crate) fn zero(program: &mut Program, ty: Ty) -> ExprId {
    match ty {
        Ty::Int(width) => program.exprs.int(width, 0),
        Ty::Float(ty) => program.exprs.add(Expr::Float { ty, bits: 0 }),
        Ty::Ptr => program.exprs.add(Expr::Null),
    }
}

/// How the source names the scalar of this type at an offset, and whether it has a sign. Bit-fields
/// have no place of their own, and no name.
fn path(shape: &Shape, at: u64, wanted: Ty) -> Option<(String, bool)> {
    match shape {
        Shape::Scalar { ty, is_signed } => {
            (at == 0 && *ty == wanted).then(|| (String::new(), *is_signed))
        }
        Shape::Bytes => None,
        Shape::Array { element, stride, len } => {
            let index = at.checked_div(*stride).filter(|it| it < len)?;
            let (rest, is_signed) = path(element, at % stride, wanted)?;
            Some((format!("[{index}]{rest}"), is_signed))
        }
        // Those of a union overlap: the first that fits.
        Shape::Record(fields) => fields.iter().find_map(|(name, start, shape)| {
            let (rest, is_signed) = path(shape, at.checked_sub(*start)?, wanted)?;
            // The fields of an anonymous structure are those of the one around it.
            let name = if name.is_empty() { rest } else { format!(".{name}{rest}") };
            Some((name, is_signed))
        }),
    }
}
