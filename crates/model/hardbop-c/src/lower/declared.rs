//! What the library does through an array that is part of an object stays inside that array.
//!
//! `strcpy(u.name, s)` hands over a pointer into `u`, and by memory alone it may write all of `u`. As with `u.name[i]`, the array that
//! was named counts (class `index`). The copy of the library's function that belongs to the call (see [`instantiate`](super::instantiate)) asks for
//! it: every access by a register that comes from the parameter, and from nothing else, lies within so many bytes of where the
//! array begins. That place is one more parameter, which is handed on where the pointer is. A pointer that goes
//! through memory is not followed; of what `sprintf` writes into the array its result tells.

use hardbop_base::{Name, Span};
use hardbop_cir::{
    BinOp, Callee, Check, Class, Cond, Expr as Node, ExprId, FuncId, Inst, Op, Program, Ty, VarId,
    VarInfo, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::place::{Val, ValKind};
use super::state::Lower;
use crate::syntax::ast::{Binary, Expr, ExprKind, Unary};
use crate::types::{Len, TypeKind};

/// An argument that points into an array inside an object.
#[derive(Clone, Debug)]
pub struct Room {
    pub operand: usize,
    /// Where the array begins, if not where the operand points.
    pub base: Option<ExprId>,
    pub bytes: u64,
    /// The array as it is written.
    pub text: String,
}

/// The same of a text that is about to be written.
pub struct TextRoom {
    ptr: ExprId,
    base: ExprId,
    /// At most so many bytes.
    most: Option<ExprId>,
    bytes: u64,
    text: String,
}

/// Those of each call of a library function.
pub type Rooms = FxHashMap<(Span, FuncId), Vec<Room>>;

impl Lower<'_> {
    /// The array that an argument was written for, `x.name` of `x.name`, `x.name + i` and `&x.name[i]`, and its bytes. Left alone are
    /// a last member of one element, which is how one without an end was written before C99, and rows of a matrix where not
    /// texts are kept in them: to fill all rows from the first one on is usual.
    fn room<'e>(&mut self, arg: &'e Expr, may_be_row: bool) -> Option<(&'e Expr, u64)> {
        if self.in_library || !self.checks(Class::Index) || arg.has_effect {
            return None;
        }
        let array = match &arg.kind {
            ExprKind::Binary(Binary::Add, array, _) => array,
            ExprKind::Unary(Unary::Addr, of) => match &of.kind {
                ExprKind::Index(array, _) => array,
                _ => return None,
            },
            _ => arg,
        };
        let is_part = match array.kind {
            ExprKind::Member { .. } => true,
            ExprKind::Index(..) => may_be_row,
            _ => false,
        };
        if !is_part {
            return None;
        }
        let TypeKind::Array(element, Len::Fixed(n @ 1..)) = self.type_of(array).ok()?.kind else {
            return None;
        };
        let may_be_longer = n == 1 || self.options.flexible_last_member;
        if may_be_longer && self.is_last_member(array) {
            return None;
        }
        let bytes = self.types.size(&element)?.checked_mul(n).filter(|&it| it > 0)?;
        Some((array, bytes))
    }

    /// Where the array of an argument begins; `None` where the argument points.
    fn base(&mut self, array: &Expr, arg: &Expr) -> Option<ExprId> {
        if std::ptr::eq(array, arg) {
            return None;
        }
        let value = self.rvalue(array).ok()?;
        let ptr = self.scalar(&value, array.span).ok()?;
        Some(self.snapshot(ptr, array.span))
    }

    /// Remembers the arrays among the arguments of a library function; `first` is the operand of the first of them.
    pub fn note_rooms(&mut self, callee: FuncId, args: &[Expr], first: usize, span: Span) {
        let may_be_row = is_about_texts(&self.program.funcs[callee].name);
        // What an argument does may change where an array is that is evaluated once more.
        let is_still = !args.iter().any(|it| it.has_effect);
        let mut rooms = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            if let Some((array, bytes)) = self.room(arg, may_be_row)
                && (is_still || std::ptr::eq(array, arg))
            {
                let (base, text) = (self.base(array, arg), self.text(array.span));
                rooms.push(Room { operand: first + at, base, bytes, text });
            }
        }
        if !rooms.is_empty() {
            self.rooms.insert((span, callee), rooms);
        }
    }

    /// A copy or a fill of so many bytes.
    pub fn keep_bulk_inside(
        &mut self,
        args: &[Expr],
        at: usize,
        ptr: ExprId,
        size: ExprId,
        span: Span,
    ) {
        let arg = &args[at];
        let Some((array, bytes)) = self.room(arg, false) else { return };
        if !std::ptr::eq(array, arg) && args.iter().any(|it| it.has_effect) {
            return;
        }
        let base = self.base(array, arg).unwrap_or(ptr);
        let fits = inside(&mut self.program, ptr, size, base, bytes);
        let message = beyond(bytes, &self.text(array.span));
        self.check(Class::Index, Cond::Holds(fits), message, span);
    }

    /// The array that `sprintf` and its like are to write to: they keep the pointer in memory, where it is not followed.
    pub fn text_room(
        &mut self,
        link: &Name,
        args: &[Expr],
        values: &[Val],
        span: Span,
    ) -> Option<TextRoom> {
        let has_size = match crate::library::names::canonical(link) {
            "sprintf" | "vsprintf" => false,
            "snprintf" | "vsnprintf" => true,
            _ => return None,
        };
        let arg = args.first()?;
        let ValKind::Scalar(ptr) = values.first()?.kind else { return None };
        let (array, bytes) = self.room(arg, true)?;
        if !std::ptr::eq(array, arg) && args.iter().any(|it| it.has_effect) {
            return None;
        }
        let ptr = self.snapshot(ptr, span);
        let most = match values.get(1) {
            Some(&Val { kind: ValKind::Scalar(most), .. }) if has_size => {
                Some(self.snapshot(most, span))
            }
            _ => None,
        };
        let base = self.base(array, arg).unwrap_or(ptr);
        Some(TextRoom { ptr, base, most, bytes, text: self.text(array.span) })
    }

    /// What the call says it has written, with its end, fits the array.
    pub fn keep_text_inside(&mut self, link: &Name, room: &TextRoom, n: VarId, span: Span) {
        let &TextRoom { ptr, base, most, bytes, ref text } = room;
        let bits = self.options.model.ptr_bits();
        let written = self.var_expr(n);
        let pool = &mut self.program.exprs;
        let (zero, one) = (pool.int(32, 0), pool.int(bits, 1));
        let has_failed = pool.binary(BinOp::Slt, written, zero);
        let length = pool.resize(written, bits, false);
        let mut size = pool.binary(BinOp::Add, length, one);
        if let Some(most) = most {
            let is_cut = pool.binary(BinOp::Ult, most, size);
            size = pool.ite(is_cut, most, size);
        }
        let none = pool.int(bits, 0);
        let is_nothing = pool.binary(BinOp::Eq, size, none);
        let fits = inside(&mut self.program, ptr, size, base, bytes);
        let pool = &mut self.program.exprs;
        let is_fine = pool.binary(BinOp::Or, is_nothing, fits);
        let is_fine = pool.binary(BinOp::Or, has_failed, is_fine);
        let message = format!("`{link}`: {}", beyond(bytes, text));
        self.check(Class::Index, Cond::Holds(is_fine), message, span);
    }
}

/// Whether a function of the library is one for texts.
fn is_about_texts(name: &str) -> bool {
    let begins = ["str", "stp", "wcs", "fgets", "gets"];
    begins.iter().any(|it| name.starts_with(it)) || name.ends_with("printf")
}

fn beyond(bytes: u64, text: &str) -> String {
    format!("an access may go beyond the {bytes} bytes of `{text}`")
}

/// A function that is given a pointer into the array.
struct Guarded {
    /// Registers that come from that pointer.
    derived: FxHashSet<VarId>,
    /// The register that says where the array begins.
    base: VarId,
}

/// Puts the checks into the copies of a call: `order` has callers before their callees, the called function first.
/// The call itself is given the address of the array as its last operand by the caller.
pub fn keep_inside(program: &mut Program, order: &[FuncId], room: &Room, called: &str, span: Span) {
    let message: Name = format!("`{called}`: {}", beyond(room.bytes, &room.text)).into();
    let check = Check { class: Class::Index, message, span };
    let mut guarded: FxHashMap<FuncId, Guarded> = FxHashMap::default();
    for (at, &func) in order.iter().enumerate() {
        let param = match at {
            0 => program.funcs[func].params.get(room.operand).copied(),
            _ => handed_on(program, order, &guarded, func),
        };
        let derived = param.map(|it| derived_from(program, func, it)).unwrap_or_default();
        // The call has the operand in any case.
        if at > 0 && derived.is_empty() {
            continue;
        }
        let base = program.vars.push(VarInfo {
            // No name of C: a trace leaves it out.
            name: "(array)".into(),
            ty: Ty::Ptr,
            is_signed: false,
            kind: VarKind::Param,
            owner: Some(func),
            init: None,
            span: None,
        });
        program.funcs[func].params.push(base);
        hand_base_on(program, &guarded, func);
        let it = Guarded { derived, base };
        check_accesses(program, func, &it, room.bytes, &check);
        guarded.insert(func, it);
    }
}

/// The parameter that each call of the function among the copies fills from the array.
fn handed_on(
    program: &Program,
    order: &[FuncId],
    guarded: &FxHashMap<FuncId, Guarded>,
    func: FuncId,
) -> Option<VarId> {
    let mut common: Option<Vec<usize>> = None;
    for caller in order {
        for inst in program.funcs[*caller].blocks.iter().flat_map(|it| &it.insts) {
            let Op::Call { callee: Callee::Func(callee), args, .. } = &inst.op else { continue };
            if *callee != func {
                continue;
            }
            let derived = &guarded.get(caller)?.derived;
            let is_handed = |at: &usize| is_derived(program, args[*at], derived);
            let handed: Vec<usize> = match common {
                None => (0..args.len()).filter(is_handed).collect(),
                Some(known) => known.into_iter().filter(is_handed).collect(),
            };
            common = Some(handed);
        }
    }
    let first = *common?.first()?;
    program.funcs[func].params.get(first).copied()
}

/// Each call of the function says where the array begins.
fn hand_base_on(program: &mut Program, guarded: &FxHashMap<FuncId, Guarded>, func: FuncId) {
    for (&caller, it) in guarded {
        let base = program.exprs.var(it.base, Ty::Ptr);
        let blocks = program.funcs[caller].blocks.as_mut_slice().iter_mut();
        for inst in blocks.flat_map(|it| &mut it.insts) {
            if let Op::Call { callee: Callee::Func(callee), args, .. } = &mut inst.op
                && *callee == func
            {
                args.push(base);
            }
        }
    }
}

/// The registers that hold nothing but the parameter, moved; none if the parameter is given something else.
fn derived_from(program: &Program, func: FuncId, param: VarId) -> FxHashSet<VarId> {
    let mut values: FxHashMap<VarId, Vec<Option<ExprId>>> = FxHashMap::default();
    for inst in program.funcs[func].blocks.iter().flat_map(|it| &it.insts) {
        let Some(dst) = inst.op.dst() else { continue };
        let value = match inst.op {
            Op::Set { value, .. } => Some(value),
            _ => None,
        };
        values.entry(dst).or_default().push(value);
    }
    let is_own = |it: &VarId| {
        program.vars[*it].owner == Some(func) && !program.funcs[func].params.contains(it)
    };
    let mut derived: FxHashSet<VarId> = values.keys().copied().filter(is_own).collect();
    derived.insert(param);
    loop {
        let is_kept = |var: &VarId| {
            let mut all = values.get(var).into_iter().flatten();
            all.all(|it| it.is_some_and(|it| is_derived(program, it, &derived)))
        };
        let kept: FxHashSet<VarId> = derived.iter().copied().filter(is_kept).collect();
        if !kept.contains(&param) {
            return FxHashSet::default();
        }
        if kept.len() == derived.len() {
            return kept;
        }
        derived = kept;
    }
}

fn is_derived(program: &Program, expr: ExprId, derived: &FxHashSet<VarId>) -> bool {
    match program.exprs.get(expr) {
        Node::Var(var) => derived.contains(&var),
        Node::Binary(BinOp::PtrAdd, ptr, _) => is_derived(program, ptr, derived),
        Node::Ite(_, a, b) => is_derived(program, a, derived) && is_derived(program, b, derived),
        _ => false,
    }
}

/// A check before each access by a register that comes from the array.
fn check_accesses(program: &mut Program, func: FuncId, it: &Guarded, bytes: u64, check: &Check) {
    for block in program.funcs[func].blocks.ids().collect::<Vec<_>>() {
        let old = std::mem::take(&mut program.funcs[func].blocks[block].insts);
        let mut insts: Vec<Inst> = Vec::with_capacity(old.len());
        // What was asked last, with nothing assigned since.
        let mut asked = None;
        for inst in old {
            for (ptr, size) in accesses(program, &inst.op) {
                if !is_derived(program, ptr, &it.derived) {
                    continue;
                }
                let base = program.exprs.var(it.base, Ty::Ptr);
                let cond = inside(program, ptr, size, base, bytes);
                if asked != Some(cond) && program.exprs.as_int(cond) != Some(1) {
                    let check = program.checks.push(check.clone());
                    let op = Op::Check { check, cond: Cond::Holds(cond) };
                    insts.push(Inst { op, span: inst.span });
                }
                asked = Some(cond);
            }
            if inst.op.dst().is_some() {
                asked = None;
            }
            insts.push(inst);
        }
        program.funcs[func].blocks[block].insts = insts;
    }
}

/// The memory that an instruction reads, writes or asks for.
fn accesses(program: &mut Program, op: &Op) -> Vec<(ExprId, ExprId)> {
    let bits = program.ptr_bits;
    let mut size_of = |ty: Ty| program.exprs.int(bits, u128::from(ty.bytes(bits)));
    match *op {
        Op::Load { dst, ptr } => {
            let ty = program.vars[dst].ty;
            vec![(ptr, size_of(ty))]
        }
        Op::Store { ptr, value } => {
            let ty = program.exprs.ty(value);
            let size = program.exprs.int(bits, u128::from(ty.bytes(bits)));
            vec![(ptr, size)]
        }
        Op::Copy { dst, src, size } => vec![(dst, size), (src, size)],
        Op::Fill { dst, size, .. } => vec![(dst, size)],
        Op::Check { cond: Cond::InBounds { ptr, size }, .. } => vec![(ptr, size)],
        _ => Vec::new(),
    }
}

/// `size` bytes from `ptr` on are among those of the array.
fn inside(program: &mut Program, ptr: ExprId, size: ExprId, base: ExprId, bytes: u64) -> ExprId {
    let pool = &mut program.exprs;
    let all = pool.int(program.ptr_bits, u128::from(bytes));
    let fits = pool.binary(BinOp::Ule, size, all);
    if ptr == base {
        return fits;
    }
    let distance = pool.binary(BinOp::PtrDiff, ptr, base);
    let left = pool.binary(BinOp::Sub, all, size);
    let begins = pool.binary(BinOp::Ule, distance, left);
    pool.binary(BinOp::And, fits, begins)
}
