//! Which objects a thread may still read and write from a place on, calls and threads it starts included.
//!
//! By points-to and reachability of control flow: what lies before the place, and cannot be come to
//! again, does not count. So what others may do to an object is known better the further they are.

use hardbop_base::{Bits, Idx, IndexVec};

use super::PointsTo;
use crate::check::Cond;
use crate::expr::{Expr, ExprId};
use crate::program::{BlockId, Callee, Func, FuncId, ObjId, ObjKind, Op, Program};
use crate::thread::ThreadOp;
use crate::ty::Ty;

/// Objects read and written.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Footprint {
    reads: Bits,
    writes: Bits,
    /// Whose life may end.
    ends: Bits,
    /// It may touch what nothing is known of.
    all: bool,
}

impl Footprint {
    /// Whether what is done to the object and what is done here depend on their order.
    pub fn conflicts(&self, object: ObjId, act: Act) -> bool {
        let at = object.index();
        let touches = || self.writes.contains(at) || self.ends.contains(at);
        self.all
            || match act {
                Act::AskLife => self.ends.contains(at),
                Act::Read => touches(),
                Act::Write | Act::End => touches() || self.reads.contains(at),
            }
    }

    fn union_with(&mut self, other: &Footprint) -> bool {
        let mut grew = self.reads.union_with(&other.reads);
        grew |= self.writes.union_with(&other.writes);
        grew |= self.ends.union_with(&other.ends);
        grew | (other.all && !std::mem::replace(&mut self.all, true))
    }
}

/// What is done to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Whether it is there is asked.
    AskLife,
    Read,
    Write,
    /// Its life ends.
    End,
}

/// Of each place of the program.
#[derive(Debug)]
pub struct Footprints {
    /// By function, block and instruction; the last is that of the end of the block.
    places: IndexVec<FuncId, IndexVec<BlockId, Vec<Footprint>>>,
}

impl Footprints {
    pub fn of(program: &Program) -> Footprints {
        let points_to = PointsTo::of(program);
        let n = program.funcs.len();
        let mut whole: IndexVec<FuncId, Footprint> = IndexVec::from_elem(Footprint::default(), n);
        let here = Walk { program, points_to: &points_to, whole: &mut whole };
        // What functions do, until nothing is new.
        loop {
            let mut grew = false;
            for (id, func) in program.funcs.iter_enumerated() {
                let mut all = here.end(id);
                for inst in func.blocks.iter().flat_map(|it| &it.insts) {
                    all.union_with(&here.op(&inst.op));
                }
                grew |= here.whole[id].union_with(&all);
            }
            if !grew {
                break;
            }
        }
        let places = program.funcs.iter_enumerated().map(|(id, func)| here.places(id, func));
        Footprints { places: places.collect() }
    }

    /// From this instruction on, to the end of the call.
    pub fn from(&self, func: FuncId, block: BlockId, at: usize) -> &Footprint {
        let block = &self.places[func][block];
        &block[at.min(block.len() - 1)]
    }
}

struct Walk<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    whole: &'a mut IndexVec<FuncId, Footprint>,
}

impl Walk<'_> {
    /// The end of a call takes its objects away.
    fn end(&self, func: FuncId) -> Footprint {
        let mut it = Footprint::default();
        for (id, object) in self.program.objects.iter_enumerated() {
            if object.kind == ObjKind::Local(func) {
                it.ends.insert(id.index());
            }
        }
        it
    }

    fn places(&self, id: FuncId, func: &Func) -> IndexVec<BlockId, Vec<Footprint>> {
        let mut starts: IndexVec<BlockId, Footprint> =
            IndexVec::from_elem(Footprint::default(), func.blocks.len());
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for block in func.blocks.ids().collect::<Vec<_>>().into_iter().rev() {
                let suffix = self.suffixes(id, func, block, &starts);
                grows |= starts[block].union_with(&suffix[0]);
            }
        }
        func.blocks.ids().map(|block| self.suffixes(id, func, block, &starts)).collect()
    }

    fn suffixes(
        &self,
        id: FuncId,
        func: &Func,
        block: BlockId,
        starts: &IndexVec<BlockId, Footprint>,
    ) -> Vec<Footprint> {
        let block = &func.blocks[block];
        let mut rest = self.end(id);
        for to in block.term.successors() {
            rest.union_with(&starts[to]);
        }
        let mut all = vec![rest.clone()];
        for inst in block.insts.iter().rev() {
            rest.union_with(&self.op(&inst.op));
            all.push(rest.clone());
        }
        all.reverse();
        all
    }

    fn targets(&self, it: &mut Footprint, ptr: ExprId, act: Act) {
        let targets = self.points_to.targets(self.program, ptr);
        it.all |= targets.is_unknown;
        let set = match act {
            Act::AskLife | Act::Read => &mut it.reads,
            Act::Write => &mut it.writes,
            Act::End => &mut it.ends,
        };
        set.extend(targets.objects.iter().map(|it| it.index()));
    }

    fn calls(&self, it: &mut Footprint, ptr: ExprId) {
        if let Expr::FuncAddr(func) = self.program.exprs.get(ptr) {
            it.union_with(&self.whole[func]);
            return;
        }
        let targets = self.points_to.targets(self.program, ptr);
        it.all |= targets.is_unknown;
        for func in targets.funcs {
            it.union_with(&self.whole[func]);
        }
    }

    fn op(&self, op: &Op) -> Footprint {
        let mut it = Footprint::default();
        match op {
            Op::Load { ptr, .. } | Op::Size { ptr, .. } => self.targets(&mut it, *ptr, Act::Read),
            Op::Store { ptr, .. } | Op::Havoc { ptr } => self.targets(&mut it, *ptr, Act::Write),
            Op::Free { ptr } => self.targets(&mut it, *ptr, Act::End),
            Op::Fill { dst, .. } | Op::Repeat { dst, .. } => {
                self.targets(&mut it, *dst, Act::Write)
            }
            Op::Copy { dst, src, .. } => {
                self.targets(&mut it, *dst, Act::Write);
                self.targets(&mut it, *src, Act::Read);
            }
            Op::Enter { object, .. } | Op::Leave { object } => drop(it.ends.insert(object.index())),
            Op::Call { callee: Callee::Func(func), .. } => drop(it.union_with(&self.whole[*func])),
            Op::Call { callee: Callee::Ptr(ptr), .. } => self.calls(&mut it, *ptr),
            Op::Thread(ThreadOp::Spawn { func, .. }) => self.calls(&mut it, *func),
            Op::Print { args, .. } => {
                for &arg in args.iter().filter(|&&arg| self.program.exprs.ty(arg) == Ty::Ptr) {
                    self.targets(&mut it, arg, Act::Read);
                }
            }
            Op::Check { cond: Cond::NoLeak(_), .. } => it.all = true,
            Op::Check { cond, .. } => {
                if let Some(ptr) = cond.pointer() {
                    self.targets(&mut it, ptr, Act::AskLife);
                }
            }
            Op::Set { .. }
            | Op::Nondet { .. }
            | Op::Alloc { .. }
            | Op::Assume { .. }
            | Op::Thread(_) => {}
        }
        it
    }
}
