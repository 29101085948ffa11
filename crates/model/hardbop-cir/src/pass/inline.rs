//! Calls are replaced by the body of what they call.
//!
//! Policy: a function called from one place is moved there, whatever its size; a function of at
//! most [`SMALL_INSTS`] instructions is copied to each place as long as the program does not grow
//! beyond [`GROWTH`] times its size. Not inlined: `main`, [`Func::LENGTH`], recursive functions, those that read a
//! register before they write it (each call starts with arbitrary values, a body in a loop does not),
//! and, where it would be copied, one that asks for arbitrary values: a counterexample counts
//! them by register. A moved body keeps its registers, so counterexamples fit.
//!
//! Callees come first, so that a body is complete when it is inlined.

use std::collections::BTreeSet;

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Bits, Idx, IndexVec};
use rustc_hash::FxHashMap;

use crate::analysis::graph::{cycles, post_order};
use crate::analysis::holding::held_by_calls;
use crate::analysis::liveness::live_in;
use crate::expr::{Expr, ExprId};
#[cfg(doc)]
use crate::program::Func;
use crate::program::{
    Block, BlockId, Callee, FuncId, Inst, ObjId, ObjKind, Op, Program, Term, VarId, VarKind,
};

/// A body of at most so many instructions and blocks is copied to every call.
pub const SMALL_INSTS: usize = 12;
pub const SMALL_BLOCKS: usize = 8;
/// How many times its size, and [`GRACE`] instructions more, copying may make a program.
pub const GROWTH: usize = 3;
pub const GRACE: usize = 400;

/// Returns how many calls were replaced. Does nothing while there are calls through pointers.
pub fn inline(program: &mut Program) -> usize {
    let Some(calls) = Calls::of(program) else { return 0 };
    let mut left = program.insts().count() * (GROWTH - 1) + GRACE;
    let held = held_by_calls(program);
    let mut n_inlined = 0;
    for &caller in &calls.order {
        let mut block = BlockId::new(0);
        while block.index() < program.funcs[caller].blocks.len() {
            let sites = calls.sites(program, caller, block, &mut left);
            n_inlined += sites.len();
            // From the last on: what is split off is short, however many calls the block has.
            for &(at, callee, is_move) in sites.iter().rev() {
                splice(program, &held, caller, block, (at, callee, is_move));
            }
            block = BlockId::new(block.index() + 1);
        }
    }
    super::drop_uncalled(program);
    n_inlined
}

/// The graph of calls.
struct Calls {
    /// Callees before callers; those that `main` reaches.
    order: Vec<FuncId>,
    n_calls: IndexVec<FuncId, u32>,
    /// What may be inlined at all, and what may be copied.
    movable: IndexVec<FuncId, bool>,
    copyable: IndexVec<FuncId, bool>,
}

impl Calls {
    fn of(program: &Program) -> Option<Calls> {
        let n = program.funcs.len();
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut asks = vec![false; n];
        for (func, _, inst) in program.insts() {
            match inst.op {
                Op::Call { callee: Callee::Func(callee), .. } => {
                    callees[func.index()].push(callee.index());
                }
                Op::Call { callee: Callee::Ptr(_), .. } => return None,
                Op::Nondet { .. } => asks[func.index()] = true,
                _ => {}
            }
        }
        let recursive = cycles(&callees, n);
        let order = post_order(&callees, program.main.index());
        let order: Vec<FuncId> = order.into_iter().map(FuncId::new).collect();
        let mut n_calls: IndexVec<FuncId, u32> = IndexVec::from_elem(0, n);
        for &func in &order {
            callees[func.index()].iter().for_each(|&it| n_calls[FuncId::new(it)] += 1);
        }
        let movable: IndexVec<FuncId, bool> = program
            .funcs
            .iter_enumerated()
            .map(|(id, func)| {
                let starts_clean = || {
                    let mut live = live_in(program, func)[BlockId::new(0)].clone();
                    for param in &func.params {
                        live.remove(param.index());
                    }
                    live.is_empty()
                };
                let stays = id == program.main || func.is_length();
                !stays && !recursive[id.index()] && starts_clean()
            })
            .collect();
        let copyable = movable.iter_enumerated().map(|(id, &it)| it && !asks[id.index()]).collect();
        Some(Calls { order, n_calls, movable, copyable })
    }

    /// The calls of a block that are to be inlined, and whether each body can be moved.
    fn sites(
        &self,
        program: &Program,
        caller: FuncId,
        block: BlockId,
        left: &mut usize,
    ) -> Vec<(usize, FuncId, bool)> {
        let insts = &program.funcs[caller].blocks[block].insts;
        let sites = insts.iter().enumerate().filter_map(|(at, inst)| {
            let Op::Call { callee: Callee::Func(callee), .. } = inst.op else { return None };
            if self.movable[callee] && self.n_calls[callee] == 1 {
                return Some((at, callee, true));
            }
            let blocks = &program.funcs[callee].blocks;
            let size: usize = blocks.iter().map(|it| it.insts.len()).sum();
            let is_small = size <= SMALL_INSTS && blocks.len() <= SMALL_BLOCKS;
            if self.copyable[callee] && is_small && size <= *left && !asks_now(program, callee) {
                *left -= size;
                return Some((at, callee, false));
            }
            None
        });
        sites.collect()
    }
}

/// Whether a body that others were moved into asks for arbitrary values.
fn asks_now(program: &Program, func: FuncId) -> bool {
    let mut insts = program.funcs[func].blocks.iter().flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.op, Op::Nondet { .. }))
}

/// Puts the body of `callee` in the place of the call at `at` of `block`. What it declares and `held` names holds nothing
/// when it has returned.
fn splice(
    program: &mut Program,
    held: &Bits,
    caller: FuncId,
    block: BlockId,
    (at, callee, is_move): (usize, FuncId, bool),
) {
    let here = &mut program.funcs[caller].blocks[block];
    let rest = here.insts.split_off(at + 1);
    let Some(Inst { op: Op::Call { dst, mut args, .. }, span }) = here.insts.pop() else { return };
    let (term, term_span) = (here.term.clone(), here.span);
    let after = BlockId::new(program.funcs[caller].blocks.len());
    program.funcs[caller].blocks.push(Block { insts: rest, term, span: term_span });
    let first = after.index() + 1;
    let (mut vars, _) = mentioned(program, callee);
    vars.retain(|it| held.contains(it.index()));
    let names = match is_move {
        true => Names::moved(program, callee, caller),
        false => Names::copied(program, callee, caller),
    };
    let params = program.funcs[callee].params.clone();
    if is_on(Fault::InlineForgetsArgument) && !params.is_empty() {
        args[0] = super::promote::zero(program, program.vars[params[0]].ty);
    }
    let sets = params
        .into_iter()
        .zip(args)
        .map(|(param, value)| Inst { op: Op::Set { dst: names.var(param), value }, span });
    // The arguments mention no register of the callee, so one after the other is all at once.
    let here = &mut program.funcs[caller].blocks[block];
    here.insts.extend(sets);
    (here.term, here.span) = (Term::Goto(BlockId::new(first)), span);
    let mut ends: Vec<Op> = names.objects.iter().map(|&(_, object)| Op::Leave { object }).collect();
    for var in vars {
        let value = super::promote::zero(program, program.vars[var].ty);
        ends.push(Op::Set { dst: names.var(var), value });
    }
    for at in program.funcs[callee].blocks.ids().collect::<Vec<_>>() {
        let mut it = program.funcs[callee].blocks[at].clone();
        it.insts.iter_mut().for_each(|inst| names.rename_op(program, &mut inst.op));
        it.term.map_operands(|id| names.rename(program, id));
        it.term.map_targets(|to| BlockId::new(first + to.index()));
        if let Term::Return(value) = it.term {
            let span = it.span;
            if let (Some(dst), Some(value)) = (dst, value) {
                it.insts.push(Inst { op: Op::Set { dst, value }, span });
            }
            it.insts.extend(ends.iter().cloned().map(|op| Inst { op, span }));
            it.term = Term::Goto(after);
        }
        program.funcs[caller].blocks.push(it);
    }
    if is_move {
        // Its registers are the caller's now; nothing calls it any more.
        program.funcs[callee].params.clear();
    }
}

/// What the registers and objects of the callee are called in the caller.
pub(super) struct Names {
    vars: FxHashMap<VarId, VarId>,
    /// Local objects; the second is the one of the caller.
    objects: Vec<(ObjId, ObjId)>,
}

impl Names {
    /// They change their owner.
    fn moved(program: &mut Program, callee: FuncId, caller: FuncId) -> Names {
        let (vars, objects) = mentioned(program, callee);
        for id in vars {
            program.vars[id].owner = Some(caller);
            program.vars[id].kind = local(program.vars[id].kind);
        }
        for &id in &objects {
            program.objects[id].kind = ObjKind::Local(caller);
        }
        let objects = objects.into_iter().map(|id| (id, id)).collect();
        Names { vars: FxHashMap::default(), objects }
    }

    fn copied(program: &mut Program, callee: FuncId, caller: FuncId) -> Names {
        let (vars, objects) = mentioned(program, callee);
        let mut names = Names { vars: FxHashMap::default(), objects: Vec::new() };
        for id in vars {
            let mut info = program.vars[id].clone();
            (info.owner, info.kind) = (Some(caller), local(info.kind));
            names.vars.insert(id, program.vars.push(info));
        }
        for id in objects {
            let mut info = program.objects[id].clone();
            info.kind = ObjKind::Local(caller);
            info.copy_of = info.copy_of.or(Some(id));
            names.objects.push((id, program.objects.push(info)));
        }
        names
    }

    /// New ones for a function of their own.
    pub(super) fn fresh(
        program: &mut Program,
        vars: Vec<VarId>,
        objects: Vec<ObjId>,
        owner: FuncId,
    ) -> Names {
        let mut names = Names { vars: FxHashMap::default(), objects: Vec::new() };
        for id in vars {
            let mut info = program.vars[id].clone();
            info.owner = Some(owner);
            names.vars.insert(id, program.vars.push(info));
        }
        for id in objects {
            let mut info = program.objects[id].clone();
            info.copy_of = info.copy_of.or(Some(id));
            info.kind = match info.kind {
                ObjKind::Local(_) => ObjKind::Local(owner),
                ObjKind::Heap(_) => ObjKind::Heap(owner),
                ObjKind::Global => ObjKind::Global,
                ObjKind::Thread => ObjKind::Thread,
            };
            names.objects.push((id, program.objects.push(info)));
        }
        names
    }

    pub(super) fn var(&self, var: VarId) -> VarId {
        self.vars.get(&var).copied().unwrap_or(var)
    }

    fn object(&self, object: ObjId) -> ObjId {
        self.objects.iter().find(|it| it.0 == object).map_or(object, |it| it.1)
    }

    pub(super) fn rename(&self, program: &mut Program, expr: ExprId) -> ExprId {
        let Program { exprs, vars, .. } = program;
        let mut hit = false;
        exprs.visit(expr, &mut |_, node| hit |= matches!(node, Expr::Var(_) | Expr::Addr(_)));
        if !hit {
            return expr;
        }
        let mut new: FxHashMap<Expr, ExprId> = FxHashMap::default();
        let mut leaves = Vec::new();
        exprs.visit(expr, &mut |_, node| leaves.push(node));
        for leaf in leaves {
            match leaf {
                Expr::Var(var) if self.var(var) != var => {
                    new.insert(leaf, exprs.var(self.var(var), vars[var].ty));
                }
                Expr::Addr(object) if self.object(object) != object => {
                    new.insert(leaf, exprs.add(Expr::Addr(self.object(object))));
                }
                _ => {}
            }
        }
        match new.is_empty() {
            true => expr,
            false => exprs.rewrite(expr, &mut |leaf| new.get(&leaf).copied()),
        }
    }

    pub(super) fn rename_op(&self, program: &mut Program, op: &mut Op) {
        op.map_operands(|id| self.rename(program, id));
        match op {
            Op::Set { dst, .. }
            | Op::Nondet { dst, .. }
            | Op::Load { dst, .. }
            | Op::Size { dst, .. } => *dst = self.var(*dst),
            Op::Thread(op) => {
                if let Some(dst) = op.dst_mut() {
                    *dst = self.var(*dst);
                }
            }
            Op::Alloc { dst, object, .. } => {
                (*dst, *object) = (self.var(*dst), self.object(*object));
            }
            Op::Call { dst: Some(dst), .. } | Op::Print { dst: Some(dst), .. } => {
                *dst = self.var(*dst);
            }
            Op::Enter { object, .. } | Op::Leave { object } => *object = self.object(*object),
            _ => {}
        }
    }
}

/// A parameter of the callee is an ordinary variable of the caller.
fn local(kind: VarKind) -> VarKind {
    if kind == VarKind::Param { VarKind::Local } else { kind }
}

/// The registers and local objects of a function, by its body: the tables of the program are long.
pub(super) fn mentioned(program: &Program, func: FuncId) -> (Vec<VarId>, Vec<ObjId>) {
    let it = &program.funcs[func];
    let mut vars: BTreeSet<VarId> = it.params.iter().copied().collect();
    let mut objects: BTreeSet<ObjId> = BTreeSet::new();
    for block in &it.blocks {
        for inst in &block.insts {
            vars.extend(inst.op.dst());
            if let Op::Enter { object, .. } | Op::Leave { object } = inst.op {
                objects.insert(object);
            }
        }
        let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
        for operand in operands.chain(block.term.operands()) {
            program.exprs.visit(operand, &mut |_, node| match node {
                Expr::Var(var) => drop(vars.insert(var)),
                Expr::Addr(object) => drop(objects.insert(object)),
                _ => {}
            });
        }
    }
    vars.retain(|&var| program.vars[var].owner == Some(func));
    objects.retain(|&object| program.objects[object].kind == ObjKind::Local(func));
    (vars.into_iter().collect(), objects.into_iter().collect())
}
