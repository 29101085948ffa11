//! What is guessed of walks: distances against rooms, against other numbers, and against what is left of another walk.

use hardbop_cir::{BinOp, ExprId, Program, Ty, VarId, VarKind};

use crate::candidates::Guesses;
use crate::loops::Loops;
use crate::points::Seen;
use crate::walks::split::{Walker, Walks};

/// Registers, and expressions, that one distance is compared with.
const MAX_COMPARED: usize = 16;

impl Walks {
    /// Adds the expressions to the program's pool.
    pub fn guess(&self, program: &mut Program, loops: &Loops, seen: &Seen) -> Guesses {
        let mut guesses = Guesses::new();
        for (&head, changes) in &loops.changes {
            let is_here = |it: &VarId| program.vars[*it].owner == Some(head.0);
            let here: Vec<Walker> =
                self.walkers.iter().filter(|it| is_here(it.0)).map(|it| *it.1).collect();
            let is_changed = |it: &Walker| changes.vars.contains(&it.distance);
            let indices: Vec<ExprId> =
                self.indices.get(&head.0).into_iter().flatten().copied().collect();
            let numbers = &changes.vars;
            let mut list = Vec::new();
            for &var in numbers.iter().filter(|it| program.vars[**it].ty == Ty::Int(8)) {
                let (it, zero) = (program.exprs.var(var, Ty::Int(8)), program.exprs.int(8, 0));
                list.push(program.exprs.binary(BinOp::Eq, it, zero));
            }
            for walker in here.iter().copied().filter(is_changed) {
                let mut maker = Maker { program, list: &mut list };
                maker.alone(walker);
                for &index in indices.iter().take(MAX_COMPARED) {
                    maker.below(walker, index);
                }
                for &var in numbers.iter().take(MAX_COMPARED) {
                    maker.number(walker, var);
                }
                for other in here.iter().copied().filter(|it| it.distance != walker.distance) {
                    maker.two(walker, other);
                }
            }
            list.retain(|&it| !seen.at(head).is_some_and(|points| points.refute(program, it)));
            guesses.insert(head, list);
        }
        guesses
    }
}

struct Maker<'a> {
    program: &'a mut Program,
    list: &'a mut Vec<ExprId>,
}

impl Maker<'_> {
    fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) {
        let expr = self.program.exprs.binary(op, a, b);
        if self.program.exprs.as_int(expr).is_none() && !self.list.contains(&expr) {
            self.list.push(expr);
        }
    }

    fn var(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].ty;
        self.program.exprs.var(var, ty)
    }

    /// What is left of a walk.
    fn left(&mut self, walker: Walker) -> ExprId {
        let (distance, room) = (self.var(walker.distance), self.var(walker.room));
        self.program.exprs.binary(BinOp::Sub, room, distance)
    }

    fn alone(&mut self, walker: Walker) {
        let (distance, room) = (self.var(walker.distance), self.var(walker.room));
        self.compare(BinOp::Ult, distance, room);
        self.compare(BinOp::Ule, distance, room);
        let left = self.left(walker);
        for size in [2, 4, 8] {
            let size = self.program.exprs.int(self.program.ptr_bits, size);
            self.compare(BinOp::Ule, size, left);
        }
    }

    fn below(&mut self, walker: Walker, index: ExprId) {
        let distance = self.var(walker.distance);
        self.compare(BinOp::Ule, distance, index);
        self.compare(BinOp::Ult, distance, index);
        self.compare(BinOp::Eq, distance, index);
    }

    /// A counter of what is left, or of what was gone.
    fn number(&mut self, walker: Walker, var: VarId) {
        let info = &self.program.vars[var];
        let (is_signed, ptr_bits) = (info.is_signed, self.program.ptr_bits);
        let Ty::Int(width @ 32..) = info.ty else { return };
        if info.kind == VarKind::Temp || width > ptr_bits || var == walker.distance {
            return;
        }
        let it = self.var(var);
        let it = self.program.exprs.resize(it, ptr_bits, is_signed);
        let (left, distance) = (self.left(walker), self.var(walker.distance));
        let one = self.program.exprs.int(ptr_bits, 1);
        let (fewer, more) = (
            self.program.exprs.binary(BinOp::Sub, it, one),
            self.program.exprs.binary(BinOp::Add, it, one),
        );
        for it in [fewer, it, more] {
            self.compare(BinOp::Ule, it, left);
        }
        self.compare(BinOp::Ule, one, it);
        self.compare(BinOp::Ule, distance, it);
        self.compare(BinOp::Eq, distance, it);
    }

    /// Two walks: the one has no less left than the other, or they go together.
    fn two(&mut self, walker: Walker, other: Walker) {
        let (mine, theirs) = (self.left(walker), self.left(other));
        self.compare(BinOp::Ule, mine, theirs);
        self.compare(BinOp::Ule, theirs, mine);
        let (mine, theirs) = (self.var(walker.distance), self.var(other.distance));
        self.compare(BinOp::Ule, mine, theirs);
        self.compare(BinOp::Ule, theirs, mine);
        let room = self.var(other.room);
        self.compare(BinOp::Ule, mine, room);
    }
}
