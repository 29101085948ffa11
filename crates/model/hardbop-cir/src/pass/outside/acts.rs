//! What the outside does at a call: the body of `(outside)`.
//!
//! For everything it knows there is a choice whether it is changed. Small objects are written value by
//! value, so that a violation can be shown with the values it needs; of larger ones all that is said is
//! that they are arbitrary. Pointers in what it knows are followed [`MAX_DEPTH`] times.

use hardbop_base::{Idx, IndexVec, Name, Span};
use rustc_hash::FxHashSet;

use super::Closing;
use super::handles::Handle;
use crate::analysis::pointsto::Targets;
use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::program::{
    Block, BlockId, Callee, FuncId, Inst, ObjId, ObjKind, Op, Shape, Source, Stop, Term, VarId,
};
use crate::ty::Ty;

/// Values of an object that are written one by one.
const MAX_LEAVES: usize = 64;
/// Pointers of an object that are followed.
const MAX_POINTERS: usize = 16;
const MAX_DEPTH: usize = 2;
/// Objects a pointer is compared with.
const MAX_TARGETS: usize = 6;
/// Handles a callback's argument is chosen from.
const MAX_ARGUMENTS: usize = 8;

pub(super) fn body(closing: &mut Closing<'_>, world: FuncId) -> IndexVec<BlockId, Block> {
    let span =
        closing.program.funcs[world].blocks.iter().next().map_or(Span::default(), |it| it.span);
    let mut acts = Acts {
        closing,
        world,
        span,
        blocks: IndexVec::new(),
        current: BlockId::new(0),
        is_inside: None,
    };
    acts.current = acts.new_block();
    acts.variables();
    acts.objects();
    acts.handles();
    acts.callbacks();
    acts.what_was_lost();
    acts.blocks
}

struct Acts<'a, 'b> {
    closing: &'a mut Closing<'b>,
    world: FuncId,
    span: Span,
    blocks: IndexVec<BlockId, Block>,
    current: BlockId,
    /// A callback of the outside is running.
    is_inside: Option<VarId>,
}

impl Acts<'_, '_> {
    // ---- building ----

    fn new_block(&mut self) -> BlockId {
        let term = Term::Return(None);
        self.blocks.push(Block { insts: Vec::new(), term, span: self.span })
    }

    fn emit(&mut self, op: Op) {
        self.blocks[self.current].insts.push(Inst { op, span: self.span });
    }

    /// Does something where a condition holds.
    fn when(&mut self, cond: ExprId, act: impl FnOnce(&mut Self)) {
        let yes = self.new_block();
        let before = std::mem::replace(&mut self.current, yes);
        act(self);
        let after = self.new_block();
        self.blocks[self.current].term = Term::Goto(after);
        self.blocks[before].term = Term::Branch { cond, yes, no: after };
        self.current = after;
    }

    fn any(&mut self, ty: Ty) -> ExprId {
        let dst = self.closing.register(self.world, "any", ty);
        self.emit(Op::Nondet { dst, source: Source::External(OUTSIDE.into()) });
        self.closing.var(dst)
    }

    fn load(&mut self, ty: Ty, ptr: ExprId) -> ExprId {
        let dst = self.closing.register(self.world, "known", ty);
        self.emit(Op::Load { dst, ptr });
        self.closing.var(dst)
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.closing.program.exprs.binary(op, a, b)
    }

    fn is_alive(&mut self, ptr: ExprId) -> ExprId {
        let bits = self.closing.program.ptr_bits;
        let dst = self.closing.register(self.world, "size", Ty::Int(bits));
        self.emit(Op::Size { dst, ptr });
        let (size, zero) = (self.closing.var(dst), self.closing.program.exprs.int(bits, 0));
        self.binary(BinOp::Ne, size, zero)
    }

    fn at(&mut self, start: ExprId, offset: u64) -> ExprId {
        let offset = self.closing.program.exprs.int(self.closing.program.ptr_bits, offset.into());
        self.binary(BinOp::PtrAdd, start, offset)
    }

    // ---- what is known ----

    fn variables(&mut self) {
        for at in 0..self.closing.outside.vars.len() {
            let var = self.closing.outside.vars[at];
            let ty = self.closing.program.vars[var].ty;
            if ty == Ty::Ptr {
                let targets = self.closing.points_to.of_var(var);
                let value = self.closing.var(var);
                self.follow(value, &targets, 1);
            }
            let changes = self.any(Ty::BOOL);
            self.when(changes, |acts| {
                let value = acts.value(ty);
                acts.emit(Op::Set { dst: var, value });
            });
        }
    }

    fn objects(&mut self) {
        let named = self.closing.outside.objects.clone();
        let made: Vec<ObjId> = self.closing.made.keys().copied().collect();
        for object in named.into_iter().chain(made) {
            let start = self.closing.program.exprs.add(Expr::Addr(object));
            self.look_into(start, object, 1);
            if !self.closing.is_const(object) {
                let changes = self.any(Ty::BOOL);
                self.when(changes, |acts| acts.write(start, object));
            }
        }
    }

    fn handles(&mut self) {
        let handles: Vec<Handle> = self.closing.handles.by_key.values().cloned().collect();
        for handle in handles {
            let start = self.closing.var(handle.register);
            if handle.is_exact && handle.objects.len() == 1 {
                self.act_on(start, start, handle.objects[0], handle.is_written, 1);
            } else {
                self.act_on_one_of(start, &handle.objects, handle.is_written, 1);
            }
        }
    }

    fn leads_on(&self, object: ObjId) -> bool {
        let content = self.closing.points_to.of_content(object);
        let writes = content.objects.iter().any(|it| self.matters(*it));
        writes || content.funcs.iter().any(|it| !self.closing.outside.funcs.contains_key(it))
    }

    /// Whether the outside could do something with an object that it does not know anyway.
    fn matters(&self, object: ObjId) -> bool {
        let is_known = self.closing.outside.objects.contains(&object)
            || self.closing.made.contains_key(&object);
        !is_known && (!self.closing.is_const(object) || !self.content_is_plain(object))
    }

    fn content_is_plain(&self, object: ObjId) -> bool {
        let content = self.closing.points_to.of_content(object);
        content.objects.is_empty() && content.funcs.is_empty()
    }

    /// Follows the pointers in an object that is alive.
    fn look_into(&mut self, start: ExprId, object: ObjId, depth: usize) {
        if !self.leads_on(object) {
            return;
        }
        let info = &self.closing.program.objects[object];
        let mut leaves = Vec::new();
        let is_whole = collect_leaves(&info.shape, 0, &mut leaves);
        leaves.retain(|it| it.1 == Ty::Ptr);
        // Numbers may be pointers, too; where nothing says so, they are not followed.
        if !is_whole || leaves.is_empty() || leaves.len() > MAX_POINTERS {
            self.reaches_more();
        }
        let targets = self.closing.points_to.of_content(object);
        for (offset, ty) in leaves.into_iter().take(MAX_POINTERS) {
            let ptr = self.at(start, offset);
            let pointer = self.load(ty, ptr);
            self.follow(pointer, &targets, depth + 1);
        }
    }

    /// A pointer the outside knows: it may write there, go on, or call it.
    fn follow(&mut self, pointer: ExprId, targets: &Targets, depth: usize) {
        for &func in targets.funcs.iter() {
            if !self.closing.outside.funcs.contains_key(&func) {
                let address = self.closing.program.exprs.add(Expr::FuncAddr(func));
                let is_it = self.binary(BinOp::Eq, pointer, address);
                self.call_back(func, is_it);
            }
        }
        let objects: Vec<ObjId> =
            targets.objects.iter().copied().filter(|it| self.matters(*it)).collect();
        if !objects.is_empty() {
            let start = self.closing.program.exprs.unary(UnOp::Start, pointer);
            self.act_on_one_of(start, &objects, true, depth);
        }
    }

    /// Does what can be done with the object a pointer points to, which is one of these or none.
    fn act_on_one_of(&mut self, start: ExprId, objects: &[ObjId], writes: bool, depth: usize) {
        if depth > MAX_DEPTH || objects.len() > MAX_TARGETS {
            self.reaches_more();
            return;
        }
        for &object in objects {
            let instance = self.closing.instance(object);
            self.act_on(start, instance, object, writes, depth);
            let is_one = matches!(self.closing.program.objects[object].kind, ObjKind::Global);
            if !is_one && writes {
                // An instance made earlier: all that is said is that it changes.
                let (changes, other) =
                    (self.any(Ty::BOOL), self.binary(BinOp::Ne, start, instance));
                let changes = self.binary(BinOp::And, changes, other);
                self.when(changes, |acts| acts.emit(Op::Havoc { ptr: start }));
            }
        }
    }

    /// Where a pointer points to this instance of an object, and that is alive: follows the pointers in
    /// it and writes it, or not.
    fn act_on(
        &mut self,
        pointer: ExprId,
        instance: ExprId,
        object: ObjId,
        writes: bool,
        depth: usize,
    ) {
        let (acts, is_it) = (self.any(Ty::BOOL), self.binary(BinOp::Eq, pointer, instance));
        let is_alive = self.is_alive(instance);
        let acts = self.binary(BinOp::And, acts, is_it);
        let acts = self.binary(BinOp::And, acts, is_alive);
        self.when(acts, |acts| {
            acts.look_into(instance, object, depth);
            if writes && !acts.closing.is_const(object) {
                let changes = acts.any(Ty::BOOL);
                acts.when(changes, |acts| acts.write(instance, object));
            }
        });
    }

    // ---- writing ----

    /// Any value the outside may store.
    fn value(&mut self, ty: Ty) -> ExprId {
        let value = self.any(ty);
        if ty != Ty::Ptr {
            return value;
        }
        let (is_null, null) = (self.any(Ty::BOOL), self.closing.null());
        self.closing.program.exprs.ite(is_null, null, value)
    }

    /// Writes an object that is alive, from its first byte on.
    fn write(&mut self, start: ExprId, object: ObjId) {
        let mut leaves = Vec::new();
        let info = &self.closing.program.objects[object];
        let is_whole = collect_leaves(&info.shape, 0, &mut leaves) && leaves.len() <= MAX_LEAVES;
        if !is_whole {
            leaves.clear();
        }
        let Some(size) = self.constant_size(object) else {
            return self.emit(Op::Havoc { ptr: start });
        };
        // Soundness: bit-fields and what lies between members is no part of the shape.
        self.cover(size, &mut leaves);
        if leaves.len() > MAX_LEAVES {
            return self.emit(Op::Havoc { ptr: start });
        }
        for (offset, ty) in leaves {
            let value = self.value(ty);
            let ptr = self.at(start, offset);
            self.emit(Op::Store { ptr, value });
        }
    }

    /// Adds the bytes that no leaf covers, up to one too many.
    fn cover(&self, size: u64, leaves: &mut Vec<(u64, Ty)>) {
        let ptr_bits = self.closing.program.ptr_bits;
        let ends: Vec<(u64, u64)> =
            leaves.iter().map(|&(at, ty)| (at, at + ty.bytes(ptr_bits))).collect();
        let bare = (0..size).filter(|at| !ends.iter().any(|it| it.0 <= *at && *at < it.1));
        leaves.extend(bare.take(MAX_LEAVES + 1).map(|at| (at, Ty::Int(8))));
    }

    /// The size of every instance of an object, if that is one number.
    fn constant_size(&self, object: ObjId) -> Option<u64> {
        let program = &self.closing.program;
        let mut sizes = FxHashSet::default();
        sizes.extend(program.objects[object].size.map(Some));
        for (_, _, inst) in program.insts() {
            match inst.op {
                Op::Alloc { object: it, size, .. } if it == object => {
                    sizes.insert(program.exprs.as_int(size).and_then(|it| u64::try_from(it).ok()));
                }
                Op::Enter { object: it, size: Some(size) } if it == object => {
                    sizes.insert(program.exprs.as_int(size).and_then(|it| u64::try_from(it).ok()));
                }
                _ => {}
            }
        }
        let mut sizes = sizes.into_iter();
        sizes.next().flatten().filter(|_| sizes.next().is_none())
    }

    // ---- calling back ----

    fn callbacks(&mut self) {
        let known: Vec<(FuncId, VarId)> =
            self.closing.handles.callbacks.iter().map(|(&func, &var)| (func, var)).collect();
        for (func, register) in known {
            let is_known = self.closing.var(register);
            self.call_back(func, is_known);
        }
    }

    /// Calls a function of the program once, where a condition holds; what more calls would do is not
    /// known.
    fn call_back(&mut self, func: FuncId, cond: ExprId) {
        let inside = match self.is_inside {
            Some(inside) => inside,
            None => {
                let inside = self.closing.global("(outside).calls".into(), Ty::BOOL);
                *self.is_inside.insert(inside)
            }
        };
        let calls = self.any(Ty::BOOL);
        let calls = self.binary(BinOp::And, cond, calls);
        self.when(calls, |acts| {
            let name = acts.closing.program.funcs[func].name.clone();
            let what = |how: &str| -> Name { format!("a call of `{name}` {how}").into() };
            let is_nested = acts.closing.var(inside);
            acts.give_up_if(is_nested, what("by code that is not there, inside another such call"));
            let (yes, no) =
                (acts.closing.program.exprs.bool(true), acts.closing.program.exprs.bool(false));
            acts.emit(Op::Set { dst: inside, value: yes });
            let args = acts.arguments(func);
            let dst = acts.closing.program.funcs[func].result;
            let dst = dst.map(|ty| acts.closing.register(acts.world, "result", ty));
            acts.emit(Op::Call { dst, callee: Callee::Func(func), args });
            acts.emit(Op::Set { dst: inside, value: no });
            let again = acts.any(Ty::BOOL);
            acts.give_up_if(again, what("by code that is not there, more than once"));
        });
    }

    /// Numbers are any; pointers are those handed over, or nothing is known of them.
    fn arguments(&mut self, func: FuncId) -> Vec<ExprId> {
        let params = self.closing.program.funcs[func].params.clone();
        let handles: Vec<VarId> = self
            .closing
            .handles
            .by_key
            .values()
            .map(|it| it.register)
            .take(MAX_ARGUMENTS)
            .collect();
        let mut args = Vec::new();
        for param in params {
            let ty = self.closing.program.vars[param].ty;
            let mut value = self.any(ty);
            if ty == Ty::Ptr {
                let choice = self.any(Ty::Int(8));
                for (at, &handle) in handles.iter().enumerate() {
                    let at = self.closing.program.exprs.int(8, at as u128);
                    let is_it = self.binary(BinOp::Eq, choice, at);
                    let pointer = self.closing.var(handle);
                    value = self.closing.program.exprs.ite(is_it, pointer, value);
                }
                // Nobody is blamed for a null pointer that was never handed over.
                let null = self.closing.null();
                let cond = self.binary(BinOp::Ne, value, null);
                self.emit(Op::Assume { cond });
            }
            args.push(value);
        }
        args
    }

    // ---- what is not known ----

    fn give_up_if(&mut self, cond: ExprId, what: Name) {
        self.when(cond, |acts| {
            acts.blocks[acts.current].term = Term::Stop(Stop::Unsupported(what));
            // What follows has no way in.
            acts.current = acts.new_block();
        });
    }

    /// There is more the outside can come to than is followed.
    fn reaches_more(&mut self) {
        let acts = self.any(Ty::BOOL);
        let what = "memory that code without a body reaches through several pointers";
        self.give_up_if(acts, what.into());
    }

    fn what_was_lost(&mut self) {
        let Some(lost) = self.closing.handles.lost else { return };
        let acts = self.any(Ty::BOOL);
        let lost = self.closing.var(lost);
        let acts = self.binary(BinOp::And, acts, lost);
        let what = "memory handed to code without a body by an earlier round of a loop or call";
        self.give_up_if(acts, what.into());
    }
}

/// Whose choices they are.
pub const OUTSIDE: &str = "(outside)";

/// The scalars of a shape with their offsets; `false` if there is more to it.
fn collect_leaves(shape: &Shape, at: u64, leaves: &mut Vec<(u64, Ty)>) -> bool {
    if leaves.len() > MAX_LEAVES {
        return false;
    }
    match shape {
        Shape::Bytes => false,
        Shape::Scalar { ty, .. } => {
            leaves.push((at, *ty));
            true
        }
        Shape::Array { element, stride, len } => {
            (0..*len).take(MAX_LEAVES + 1).all(|i| collect_leaves(element, at + i * stride, leaves))
        }
        Shape::Record(fields) => {
            fields.iter().all(|(_, offset, shape)| collect_leaves(shape, at + offset, leaves))
        }
    }
}
