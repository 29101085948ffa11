//! Which registers surely hold the address of which object, and which objects surely live: a forward
//! must-analysis over the blocks of one function.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use hardbop_base::{Idx, IndexVec};
use hardbop_cir::{BinOp, BlockId, Expr, ExprId, Func, ObjId, ObjKind, Op, Program, VarId};

/// What holds on every path to a place of one call of a function.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Known {
    /// Local and heap objects with an instance; global ones always have theirs.
    alive: BTreeSet<ObjId>,
    /// Registers that hold the address of the first byte of an object's last instance.
    names: BTreeMap<VarId, ObjId>,
}

impl Known {
    /// The object a pointer surely points into, with the byte offsets that were added.
    pub fn base(&self, program: &Program, mut ptr: ExprId) -> Option<(ObjId, Vec<ExprId>)> {
        let mut offsets = Vec::new();
        loop {
            match program.exprs.get(ptr) {
                Expr::Binary(BinOp::PtrAdd, base, offset) => {
                    offsets.push(offset);
                    ptr = base;
                }
                Expr::Addr(object) => {
                    let lives = program.objects[object].kind == ObjKind::Global
                        || self.alive.contains(&object);
                    return lives.then_some((object, offsets));
                }
                Expr::Var(var) => return self.names.get(&var).map(|&it| (it, offsets)),
                _ => return None,
            }
        }
    }

    /// The object whose first byte a pointer surely points to.
    pub fn first_byte(&self, program: &Program, ptr: ExprId) -> Option<ObjId> {
        self.base(program, ptr).filter(|it| it.1.is_empty()).map(|it| it.0)
    }

    /// What holds after an instruction.
    pub fn step(&mut self, program: &Program, op: &Op) {
        let named = match op {
            Op::Set { value, .. } => self.first_byte(program, *value),
            Op::Alloc { object, .. } => Some(*object),
            _ => None,
        };
        match op {
            Op::Enter { object, .. } | Op::Alloc { object, .. } => {
                self.end(*object);
                self.alive.insert(*object);
            }
            Op::Leave { object } => self.end(*object),
            Op::Free { ptr } => {
                if let Some(object) = self.first_byte(program, *ptr) {
                    self.end(object);
                }
            }
            Op::Call { .. } => self.names.retain(|it, _| program.vars[*it].owner.is_some()),
            _ => {}
        }
        if let Some(dst) = op.dst() {
            match named {
                Some(object) => drop(self.names.insert(dst, object)),
                None => drop(self.names.remove(&dst)),
            }
        }
    }

    fn end(&mut self, object: ObjId) {
        self.alive.remove(&object);
        self.names.retain(|_, it| *it != object);
    }

    /// What holds here and there.
    fn meet(&mut self, other: &Known) {
        self.alive.retain(|it| other.alive.contains(it));
        self.names.retain(|var, object| other.names.get(var) == Some(object));
    }
}

/// What is known at the beginning of each block; `None` where control does not come.
pub fn known_at_blocks(program: &Program, func: &Func) -> IndexVec<BlockId, Option<Known>> {
    let mut known: IndexVec<BlockId, Option<Known>> = IndexVec::from_elem(None, func.blocks.len());
    let entry = BlockId::new(0);
    known[entry] = Some(Known::default());
    let mut queue: VecDeque<BlockId> = [entry].into();
    while let Some(block) = queue.pop_front() {
        let Some(mut after) = known[block].clone() else { continue };
        for inst in &func.blocks[block].insts {
            after.step(program, &inst.op);
        }
        for to in func.blocks[block].term.successors() {
            let before = known[to].clone();
            match &mut known[to] {
                Some(it) => it.meet(&after),
                None => known[to] = Some(after.clone()),
            }
            if known[to] != before {
                queue.push_back(to);
            }
        }
    }
    known
}
