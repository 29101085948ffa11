//! Slicing by the cone of influence of the checks (Weiser 1984; FS section III).
//!
//! Keeps what can decide whether a check is reached and fails: by data through registers and, with
//! the points-to analysis, through memory (byte by byte where the place is constant, object by object
//! elsewhere); by control through control dependence. A branch of a
//! loop after which something relevant can come is kept, so that a loop that does not end still
//! hides what follows; ends of the program are always kept. So an execution of the slice reaches a
//! check exactly if one of the program does, up to accesses without meaning that have no check.
//!
//! Invariant of the fixpoint: relevance only grows.

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Bits, Idx, IndexVec};
use rustc_hash::FxHashMap;

use super::promote::place;
use crate::analysis::PointsTo;
use crate::analysis::holding::held_by_calls;
use crate::analysis::postdom::PostDominators;
use crate::check::Cond;
use crate::expr::{CastOp, Expr, ExprId};
use crate::program::{BlockId, Callee, FuncId, ObjId, Op, Program, Term};

/// What else to keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    Checks,
    /// Also what is printed.
    ChecksAndOutput,
}

/// Returns how many instructions were dropped. Calls through pointers should be resolved before:
/// those left are kept with all they can touch.
pub fn slice(program: &mut Program, points_to: &PointsTo, keep: Keep) -> usize {
    let mut slicer = Slicer::new(program, points_to, keep);
    slicer.fixpoint();
    let Slicer { insts, branches, result_needed, postdoms, .. } = slicer;
    let mut n_dropped = 0;
    for func in program.funcs.ids() {
        for block in program.funcs[func].blocks.ids() {
            let marks = &insts[func][block];
            let it = &mut program.funcs[func].blocks[block];
            let before = it.insts.len();
            let mut at = 0;
            it.insts.retain(|_| {
                at += 1;
                marks[at - 1]
            });
            n_dropped += before - it.insts.len();
            let is_branch = matches!(it.term, Term::Branch { .. } | Term::Switch { .. });
            if is_branch && (!branches[func][block] || is_on(Fault::SliceLosesBranches)) {
                it.term = match postdoms[func].immediate[block] {
                    Some(to) => Term::Goto(to),
                    None => Term::Return(None),
                };
            }
        }
        let result = program.funcs[func].result;
        for block in program.funcs[func].blocks.ids() {
            let is_return = matches!(program.funcs[func].blocks[block].term, Term::Return(_));
            if is_return && !result_needed[func] {
                let value = result.map(|ty| super::promote::zero(program, ty));
                program.funcs[func].blocks[block].term = Term::Return(value);
            }
        }
        super::unreachable::join_lines(&mut program.funcs[func]);
    }
    n_dropped
}

struct Slicer<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    keep: Keep,
    vars: Bits,
    /// Objects whose contents count.
    objects: Bits,
    /// Of other objects: the bytes that count, from and up to.
    parts: FxHashMap<ObjId, Vec<(u64, u64)>>,
    /// Local objects that must exist: something kept may access or name them.
    entered: Bits,
    /// Some pointer that may point anywhere is read or written: all objects count.
    all_objects: bool,
    /// Objects whose end of life is asked for.
    lives: Bits,
    /// Every object's is.
    all_lives: bool,
    insts: IndexVec<FuncId, IndexVec<BlockId, Vec<bool>>>,
    branches: IndexVec<FuncId, IndexVec<BlockId, bool>>,
    /// Functions with something relevant in them or in what they call.
    funcs: IndexVec<FuncId, bool>,
    result_needed: IndexVec<FuncId, bool>,
    postdoms: IndexVec<FuncId, PostDominators>,
    changed: bool,
}

impl<'a> Slicer<'a> {
    fn new(program: &'a Program, points_to: &'a PointsTo, keep: Keep) -> Self {
        let mut result_needed = IndexVec::from_elem(false, program.funcs.len());
        // The exit code is what the program tells its caller.
        result_needed[program.main] = keep == Keep::ChecksAndOutput;
        Slicer {
            program,
            points_to,
            keep,
            vars: Bits::new(),
            objects: Bits::new(),
            parts: FxHashMap::default(),
            entered: Bits::new(),
            all_objects: false,
            lives: Bits::new(),
            all_lives: false,
            insts: program
                .funcs
                .iter()
                .map(|func| {
                    func.blocks.iter().map(|block| vec![false; block.insts.len()]).collect()
                })
                .collect(),
            branches: program
                .funcs
                .iter()
                .map(|func| IndexVec::from_elem(false, func.blocks.len()))
                .collect(),
            funcs: IndexVec::from_elem(false, program.funcs.len()),
            result_needed,
            postdoms: program.funcs.iter().map(PostDominators::of).collect(),
            changed: true,
        }
    }

    fn fixpoint(&mut self) {
        while std::mem::take(&mut self.changed) {
            for func in self.program.funcs.ids() {
                self.func(func);
            }
        }
    }

    fn func(&mut self, id: FuncId) {
        let func = &self.program.funcs[id];
        let mut relevant: IndexVec<BlockId, bool> = IndexVec::from_elem(false, func.blocks.len());
        for (block, it) in func.blocks.iter_enumerated() {
            let mut any = matches!(it.term, Term::Stop(_));
            if let Term::Return(Some(value)) = it.term
                && self.result_needed[id]
            {
                self.need(value);
                any = true;
            }
            if let Term::Stop(_) = it.term
                && let Some(code) = it.term.operands()
                && self.keep == Keep::ChecksAndOutput
            {
                self.need(code);
            }
            for (at, inst) in it.insts.iter().enumerate() {
                if !self.insts[id][block][at] && self.is_relevant(&inst.op) {
                    self.insts[id][block][at] = true;
                    self.changed = true;
                }
                if self.insts[id][block][at] {
                    any = true;
                    self.need_op(&inst.op);
                }
            }
            relevant[block] = any || self.branches[id][block];
        }
        if !self.funcs[id] && relevant.iter().any(|&it| it) {
            self.funcs[id] = true;
            self.changed = true;
        }
        self.control(id, relevant);
    }

    fn control(&mut self, id: FuncId, mut relevant: IndexVec<BlockId, bool>) {
        // Branches of loops: leaving may never happen. A caller may go on to something relevant
        // whatever this function does, so every loop counts.
        for (block, it) in self.program.funcs[id].blocks.iter_enumerated() {
            let is_branch = matches!(it.term, Term::Branch { .. } | Term::Switch { .. });
            if is_branch && self.postdoms[id].in_cycle[block] && !self.branches[id][block] {
                self.branches[id][block] = true;
                self.changed = true;
                relevant[block] = true;
            }
        }
        let branches = &mut self.branches[id];
        self.changed |= self.postdoms[id].mark_controlling(&mut relevant, branches);
        for (block, it) in self.program.funcs[id].blocks.iter_enumerated() {
            if self.branches[id][block]
                && let Some(cond) = it.term.operands()
            {
                self.need(cond);
            }
        }
    }

    fn need(&mut self, expr: ExprId) {
        let Slicer { program, vars, entered, .. } = self;
        let mut grew = false;
        let mut numbered = Vec::new();
        program.exprs.visit(expr, &mut |_, node| match node {
            Expr::Var(var) => grew |= vars.insert(var.index()),
            Expr::Addr(object) => grew |= entered.insert(object.index()),
            Expr::Cast(CastOp::PtrToInt, _, ptr) => numbered.push(ptr),
            _ => {}
        });
        self.changed |= grew;
        // Of two addresses as numbers it counts whether what lies there is alive at the same time.
        numbered.into_iter().for_each(|ptr| self.need_ends(ptr));
    }

    /// What a kept access may touch has to be there.
    fn need_lives(&mut self, ptr: ExprId) {
        for object in self.points_to.accessed(self.program, ptr).objects {
            self.changed |= self.entered.insert(object.index());
        }
    }

    /// Whether what a pointer may point to still lives is asked for.
    fn need_ends(&mut self, ptr: ExprId) {
        let targets = self.points_to.accessed(self.program, ptr);
        for object in targets.objects {
            self.changed |= self.lives.insert(object.index());
            self.changed |= self.entered.insert(object.index());
        }
        if targets.is_unknown && !self.all_lives {
            (self.all_lives, self.changed) = (true, true);
        }
    }

    fn need_all_objects(&mut self) {
        if !self.all_objects || !self.all_lives {
            (self.all_objects, self.all_lives, self.changed) = (true, true, true);
        }
    }

    /// The contents of what a pointer may point to are read: `size` bytes, or any.
    fn need_contents(&mut self, ptr: ExprId, size: Option<u64>) {
        if let (Some((object, from)), Some(size)) = (place(self.program, ptr), size) {
            let part = (from, from.saturating_add(size));
            let parts = self.parts.entry(object).or_default();
            if !parts.contains(&part) {
                parts.push(part);
                self.changed = true;
            }
            return;
        }
        let targets = self.points_to.accessed(self.program, ptr);
        for object in targets.objects {
            self.changed |= self.objects.insert(object.index());
        }
        if targets.is_unknown && !self.all_objects {
            self.all_objects = true;
            self.changed = true;
        }
    }

    /// Whether `size` bytes written there, or any number, may count.
    fn may_write_relevant(&self, ptr: ExprId, size: Option<u64>) -> bool {
        if let (Some((object, from)), Some(size)) = (place(self.program, ptr), size) {
            let end = from.saturating_add(size);
            let parts = self.parts.get(&object).map_or(&[][..], |it| it);
            return self.all_objects
                || self.objects.contains(object.index())
                || parts.iter().any(|part| part.0 < end && from < part.1);
        }
        if is_on(Fault::SliceLosesStores) {
            return false;
        }
        let targets = self.points_to.accessed(self.program, ptr);
        targets.is_unknown
            || self.all_objects && !targets.objects.is_empty()
            || targets.objects.iter().any(|it| self.counts(*it))
    }

    /// Whether some byte of an object counts.
    fn counts(&self, object: ObjId) -> bool {
        self.objects.contains(object.index()) || self.parts.contains_key(&object)
    }

    /// The bytes of a value, and of a block copied or filled if that is constant.
    fn bytes(&self, ty: crate::ty::Ty) -> Option<u64> {
        Some(ty.bytes(self.program.ptr_bits))
    }

    fn constant(&self, size: ExprId) -> Option<u64> {
        self.program.exprs.as_int(size).and_then(|it| u64::try_from(it).ok())
    }

    fn may_end_relevant(&self, ptr: ExprId) -> bool {
        let targets = self.points_to.accessed(self.program, ptr);
        self.all_lives
            || targets.is_unknown && !self.lives.is_empty()
            || targets.objects.iter().any(|it| self.lives.contains(it.index()))
    }

    fn is_relevant(&self, op: &Op) -> bool {
        if op.dst().is_some_and(|dst| self.vars.contains(dst.index())) {
            return true;
        }
        match op {
            Op::Check { .. } | Op::Assume { .. } | Op::Thread(_) => true,
            Op::Print { .. } => self.keep == Keep::ChecksAndOutput,
            Op::Store { ptr, value } => {
                self.may_write_relevant(*ptr, self.bytes(self.program.exprs.ty(*value)))
            }
            Op::Havoc { ptr } => self.may_write_relevant(*ptr, None),
            Op::Copy { dst, size, .. }
            | Op::Fill { dst, size, .. }
            | Op::Repeat { dst, size, .. } => self.may_write_relevant(*dst, self.constant(*size)),
            Op::Enter { object, .. } | Op::Leave { object } => {
                self.all_lives || self.all_objects || self.entered.contains(object.index())
            }
            Op::Free { ptr } => self.may_end_relevant(*ptr),
            Op::Alloc { .. } => self.all_lives,
            Op::Call { callee: Callee::Func(func), .. } => self.funcs[*func],
            Op::Call { callee: Callee::Ptr(_), .. } => true,
            Op::Set { .. } | Op::Nondet { .. } | Op::Load { .. } | Op::Size { .. } => false,
        }
    }

    fn need_op(&mut self, op: &Op) {
        match op {
            Op::Call { dst, callee: Callee::Func(func), args } => {
                // An argument counts if its parameter does.
                for (&param, &arg) in self.program.funcs[*func].params.iter().zip(args) {
                    if self.vars.contains(param.index()) {
                        self.need(arg);
                    }
                }
                let needed = dst.is_some_and(|dst| self.vars.contains(dst.index()));
                if needed && !self.result_needed[*func] {
                    self.result_needed[*func] = true;
                    self.changed = true;
                }
                return;
            }
            Op::Call { .. } => {
                self.need_all_objects();
                for func in self.program.funcs.ids() {
                    let params = self.program.funcs[func].params.clone();
                    for param in params {
                        self.changed |= self.vars.insert(param.index());
                    }
                    if !self.result_needed[func] {
                        (self.result_needed[func], self.changed) = (true, true);
                    }
                }
            }
            Op::Load { dst, ptr } => {
                self.need_contents(*ptr, self.bytes(self.program.vars[*dst].ty));
                self.need_lives(*ptr);
            }
            Op::Store { ptr, .. } | Op::Havoc { ptr } => self.need_lives(*ptr),
            // What is dead has no size.
            Op::Size { ptr, .. } => self.need_ends(*ptr),
            Op::Fill { dst, .. } | Op::Repeat { dst, .. } => self.need_lives(*dst),
            Op::Copy { dst, src, size } => {
                self.need_contents(*src, self.constant(*size));
                self.need_lives(*src);
                self.need_lives(*dst);
            }
            Op::Print { args, .. } => {
                // Strings are read through their pointers.
                for &arg in args {
                    if self.program.exprs.ty(arg) == crate::ty::Ty::Ptr {
                        self.need_contents(arg, None);
                        self.need_lives(arg);
                    }
                }
            }
            Op::Check { cond: Cond::NoLeak(_), .. } => {
                // What is reachable depends on every pointer in memory and in registers that hold.
                self.need_all_objects();
                for var in held_by_calls(self.program).iter() {
                    self.changed |= self.vars.insert(var);
                }
                for (var, info) in self.program.vars.iter_enumerated() {
                    if info.owner.is_none() {
                        self.changed |= self.vars.insert(var.index());
                    }
                }
            }
            Op::Check { cond: Cond::Alive(ptr) | Cond::Freeable(ptr), .. } => self.need_ends(*ptr),
            Op::Check { cond: Cond::InBounds { ptr, .. }, .. } => self.need_lives(*ptr),
            Op::Check { cond: Cond::Written { ptr, .. }, .. } => {
                self.need_contents(*ptr, None);
                self.need_lives(*ptr);
            }
            _ => {}
        }
        op.operands().into_iter().for_each(|operand| self.need(operand));
    }
}
