//! Terms: replacing variables, and those of expressions of the IR. A pointer is the number of an object above an
//! offset; what has no exact term is a fresh variable: more behaviours, never less.

use hardbop_cir::{BinOp, CastOp, Expr, ExprId, ExprPool, FuncId, Ty, UnOp};
use hardbop_smt::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

/// Bits for the number of an object.
pub const OBJECT_BITS: u32 = 16;
/// Functions are numbered from here on.
pub const FIRST_FUNC: u128 = 1 << 15;
/// No object lies below this address.
const FIRST_ADDRESS: u128 = 4096;

/// The term with other terms for some of those in it.
pub fn replaced(
    terms: &mut Terms,
    root: TermId,
    with: &dyn Fn(TermId) -> Option<TermId>,
) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    // Operands come before what is made of them.
    for id in terms.cone(&[root]) {
        let of = |it: TermId| done[&it];
        if let Some(new) = with(id) {
            done.insert(id, new);
            continue;
        }
        let new = match terms.node(id) {
            Term::Const { .. } | Term::Var(_) => id,
            Term::Unary(op, a) => terms.unary(op, of(a)),
            Term::Binary(op, a, b) => terms.binary(op, of(a), of(b)),
            Term::Ite(a, b, c) => terms.ite(of(a), of(b), of(c)),
            Term::Extract { term, high, low } => terms.extract(of(term), high, low),
            Term::SignExtend { term, width } => terms.sign_extend(of(term), width),
            Term::ConstArray { .. } | Term::Store { .. } | Term::Select { .. } => {
                unreachable!("the model has no arrays")
            }
        };
        done.insert(id, new);
    }
    done[&root]
}

/// The bits of a value of the type.
pub fn width(ty: Ty, ptr_bits: u8) -> u32 {
    match ty {
        Ty::Int(width) => u32::from(width),
        Ty::Float(_) => 64,
        Ty::Ptr => u32::from(ptr_bits) + OBJECT_BITS,
    }
}

/// What an expression needs to know.
pub trait Names {
    fn terms(&mut self) -> &mut Terms;
    fn ptr_bits(&self) -> u8;
    fn var(&mut self, var: hardbop_cir::VarId) -> TermId;
    /// The number of an object of the frame at hand.
    fn object(&mut self, object: hardbop_cir::ObjId) -> u128;
    fn fresh(&mut self, width: u32) -> TermId;
}

pub fn address(terms: &mut Terms, ptr_bits: u8, object: u128, offset: u128) -> TermId {
    let object = terms.constant(OBJECT_BITS, object);
    let offset = terms.constant(u32::from(ptr_bits), offset);
    terms.concat(object, offset)
}

pub fn of_func(terms: &mut Terms, ptr_bits: u8, func: FuncId) -> TermId {
    address(terms, ptr_bits, FIRST_FUNC + u128::from(func.as_u32()), 0)
}

/// The number of the object, and the offset.
pub fn parts(terms: &mut Terms, ptr_bits: u8, pointer: TermId) -> (TermId, TermId) {
    let low = u32::from(ptr_bits);
    (terms.extract(pointer, low + OBJECT_BITS - 1, low), terms.extract(pointer, low - 1, 0))
}

/// Expressions nest as deep as the front end lets them, which is what this recursion needs.
pub fn term(names: &mut dyn Names, pool: &ExprPool, id: ExprId) -> TermId {
    let bits = names.ptr_bits();
    let wide = u32::from(bits);
    match pool.get(id) {
        Expr::Int { width, value } => names.terms().constant(u32::from(width), value),
        Expr::Float { bits, .. } => names.terms().constant(64, u128::from(bits)),
        Expr::Null => address(names.terms(), bits, 0, 0),
        Expr::Var(var) => names.var(var),
        Expr::Addr(object) => {
            let number = names.object(object);
            address(names.terms(), bits, number, 0)
        }
        Expr::FuncAddr(func) => of_func(names.terms(), bits, func),
        Expr::Unary(op, a) => {
            let a = term(names, pool, a);
            match op {
                UnOp::Not => names.terms().not(a),
                UnOp::Neg => names.terms().neg(a),
                UnOp::FNeg | UnOp::Start => names.fresh(width(pool.ty(id), bits)),
            }
        }
        Expr::Binary(op, x, y) => {
            let (a, b) = (term(names, pool, x), term(names, pool, y));
            match (pool.ty(x), op) {
                (Ty::Int(_), _) => hardbop_symbolic::binary(names.terms(), op, a, b),
                (Ty::Ptr, BinOp::PtrAdd) => moved(names.terms(), bits, a, b),
                (Ty::Ptr, BinOp::Eq) => names.terms().eq(a, b),
                (Ty::Ptr, BinOp::Ne) => names.terms().ne(a, b),
                _ => names.fresh(width(pool.ty(id), bits)),
            }
        }
        Expr::Cast(op, to, x) => {
            let a = term(names, pool, x);
            let to_width = width(to, bits);
            match op {
                CastOp::Zext => names.terms().zero_extend(a, to_width),
                CastOp::Sext => names.terms().sign_extend(a, to_width),
                CastOp::Trunc => names.terms().truncate(a, to_width),
                // A number that is no address of ours.
                CastOp::IntToPtr => {
                    let unknown = names.fresh(to_width);
                    let terms = names.terms();
                    let limit = terms.constant(wide, FIRST_ADDRESS);
                    let is_low = terms.ult(a, limit);
                    let none = terms.constant(OBJECT_BITS, 0);
                    let plain = terms.concat(none, a);
                    terms.ite(is_low, plain, unknown)
                }
                CastOp::PtrToInt => {
                    let unknown = names.fresh(wide);
                    let terms = names.terms();
                    let (object, offset) = parts(terms, bits, a);
                    let none = terms.constant(OBJECT_BITS, 0);
                    let is_number = terms.eq(object, none);
                    let number = terms.ite(is_number, offset, unknown);
                    match to_width {
                        it if it >= wide => terms.zero_extend(number, it),
                        it => terms.truncate(number, it),
                    }
                }
                _ => names.fresh(to_width),
            }
        }
        Expr::Ite(c, a, b) => {
            let (c, a, b) = (term(names, pool, c), term(names, pool, a), term(names, pool, b));
            names.terms().ite(c, a, b)
        }
    }
}

/// Cases of a pointer stay cases.
fn moved(terms: &mut Terms, bits: u8, pointer: TermId, by: TermId) -> TermId {
    if let Term::Ite(c, a, b) = terms.node(pointer) {
        let (a, b) = (moved(terms, bits, a, by), moved(terms, bits, b, by));
        return terms.ite(c, a, b);
    }
    let (object, offset) = parts(terms, bits, pointer);
    let offset = terms.add(offset, by);
    terms.concat(object, offset)
}
