//! Where executions are cut: the entry of a function, heads of loops, calls, returns. What lies
//! between two cuts has no loop and no call and is looked at as a whole (large-block encoding, Beyer
//! et al., FMCAD 2009).

use std::collections::BTreeSet;

use hardbop_base::{Bits, Idx, IndexVec};
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::analysis::graph::{cycles, post_order};
use hardbop_cir::{BlockId, Callee, ExprId, FuncId, ObjId, ObjKind, Op, Program, VarId};
use hardbop_symbolic::order::Order;
use hardbop_symbolic::region::{At, Cuts, End, Life, Oblivion, Pointees};

use crate::bases::Bases;
use crate::settings::Cutting;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    /// The first state of the program, at the entry of `main`.
    Start,
    /// Before a block: the entry of a function or the head of a loop.
    Block(BlockId),
    /// Before a call.
    Call(At),
    /// Behind a call.
    After(At),
    Exit,
}

/// A cut of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    pub func: FuncId,
    pub cut: Cut,
}

impl Place {
    pub fn entry(func: FuncId) -> Place {
        Place { func, cut: Cut::Block(BlockId::new(0)) }
    }

    pub fn exit(func: FuncId) -> Place {
        Place { func, cut: Cut::Exit }
    }

    /// Where a stretch that starts here begins; `None` where none does.
    pub fn start(self) -> Option<At> {
        match self.cut {
            Cut::Start => Some(At { block: BlockId::new(0), inst: 0 }),
            Cut::Block(block) => Some(At { block, inst: 0 }),
            Cut::After(at) => Some(At { inst: at.inst + 1, ..at }),
            Cut::Call(_) | Cut::Exit => None,
        }
    }

    /// The place where a stretch that begins here ends.
    pub fn of_end(self, end: End) -> Place {
        let cut = match end {
            End::Block(block) => Cut::Block(block),
            End::Call(at) => Cut::Call(at),
            End::Return => Cut::Exit,
        };
        Place { cut, ..self }
    }
}

/// The heads of the loops of a function; every cycle has one.
fn heads(program: &Program, func: FuncId) -> BTreeSet<BlockId> {
    let order = Order::of(&program.funcs[func]);
    order
        .places
        .iter_enumerated()
        .filter(|(id, it)| it.heads.last() == Some(id))
        .map(|it| it.0)
        .collect()
}

/// The cuts of a program.
#[derive(Debug)]
pub struct CutPoints {
    /// Blocks before which executions are cut: heads of loops, or all.
    heads: IndexVec<FuncId, BTreeSet<BlockId>>,
    /// Functions that a stretch goes through: without loops, of bounded size, not recursive.
    whole: IndexVec<FuncId, bool>,
}

/// Instructions of a function that is gone through, those of its callees included.
const MAX_WHOLE: usize = 4000;
/// And of everything that is executed because of such calls.
const MAX_ALL: usize = 40_000;

impl CutPoints {
    /// With `keeps_calls` every call is cut, as in the Boolean programs of SLAM.
    pub fn of(program: &Program, keeps_calls: bool, cutting: Cutting) -> CutPoints {
        let heads: IndexVec<FuncId, BTreeSet<BlockId>> = match cutting {
            Cutting::Loops => program.funcs.ids().map(|func| heads(program, func)).collect(),
            Cutting::Statements => {
                program.funcs.iter().map(|func| func.blocks.ids().collect()).collect()
            }
        };
        let n = program.funcs.len();
        let none = || IndexVec::from_elem(false, n);
        if keeps_calls || cutting == Cutting::Statements {
            return CutPoints { heads, whole: none() };
        }
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (func, _, inst) in program.insts() {
            if let Op::Call { callee: Callee::Func(callee), .. } = inst.op {
                callees[func.index()].push(callee.index());
            }
        }
        let recursive = cycles(&callees, n);
        let order = post_order(&callees, program.main.index());
        let mut limit = MAX_WHOLE;
        loop {
            let (mut whole, mut all) = (none(), 0_usize);
            let mut sizes = vec![0_usize; n];
            for &at in &order {
                let func = FuncId::new(at);
                let blocks = &program.funcs[func].blocks;
                let own: usize = blocks.iter().map(|it| it.insts.len() + 1).sum();
                let inner = callees[at].iter().filter(|&&it| whole[FuncId::new(it)]);
                sizes[at] = inner.map(|&it| sizes[it]).fold(own, usize::saturating_add);
                let is_cut = |it: &usize| !whole[FuncId::new(*it)];
                whole[func] = func != program.main
                    && heads[func].is_empty()
                    && !recursive[at]
                    && sizes[at] <= limit
                    && !callees[at].iter().any(is_cut);
                if !whole[func] {
                    all = all.saturating_add(sizes[at]);
                }
            }
            if all <= MAX_ALL || limit == 0 {
                return CutPoints { heads, whole };
            }
            limit /= 2;
        }
    }
}

impl Cuts for CutPoints {
    fn at_block(&self, func: FuncId, block: BlockId) -> bool {
        self.heads[func].contains(&block)
    }

    fn at_call(&self, callee: FuncId) -> bool {
        !self.whole[callee]
    }
}

/// What functions may do to what all of them share.
#[derive(Debug)]
pub struct Effects {
    /// Global registers that a call may change.
    pub modified: IndexVec<FuncId, BTreeSet<VarId>>,
    /// Objects that something writes to.
    written: Bits,
    /// Something writes through a pointer that may point anywhere.
    anywhere: bool,
}

impl Effects {
    pub fn of(program: &Program) -> Effects {
        let points_to = PointsTo::of(program);
        let mut effects = Effects {
            modified: IndexVec::from_elem(BTreeSet::new(), program.funcs.len()),
            written: Bits::new(),
            anywhere: false,
        };
        for (func, _, inst) in program.insts() {
            if let Some(dst) = inst.op.dst()
                && program.vars[dst].owner.is_none()
            {
                effects.modified[func].insert(dst);
            }
            match &inst.op {
                Op::Store { ptr, .. } | Op::Havoc { ptr } => {
                    effects.write(program, &points_to, *ptr)
                }
                Op::Copy { dst, .. } | Op::Fill { dst, .. } | Op::Repeat { dst, .. } => {
                    effects.write(program, &points_to, *dst);
                }
                Op::Call { callee: Callee::Ptr(_), .. } => effects.anywhere = true,
                _ => {}
            }
        }
        effects.close(program);
        effects
    }

    fn write(&mut self, program: &Program, points_to: &PointsTo, ptr: ExprId) {
        let targets = points_to.accessed(program, ptr);
        self.written.extend(targets.objects.iter().map(|it| it.index()));
        self.anywhere |= targets.is_unknown;
    }

    /// A caller changes what its callees change.
    fn close(&mut self, program: &Program) {
        let calls: Vec<(FuncId, FuncId)> = program
            .insts()
            .filter_map(|(func, _, inst)| match inst.op {
                Op::Call { callee: Callee::Func(callee), .. } => Some((func, callee)),
                _ => None,
            })
            .collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(caller, callee) in &calls {
                let more = self.modified[callee].clone();
                let before = self.modified[caller].len();
                self.modified[caller].extend(more);
                changed |= self.modified[caller].len() > before;
            }
        }
    }
}

/// What is known of memory at a place of every execution.
pub struct Known<'a> {
    program: &'a Program,
    effects: &'a Effects,
    bases: &'a Bases,
    func: FuncId,
    at: At,
    lives: IndexVec<ObjId, Life>,
}

impl<'a> Known<'a> {
    pub fn at(
        program: &'a Program,
        effects: &'a Effects,
        bases: &'a Bases,
        func: FuncId,
        at: At,
    ) -> Self {
        Known { program, effects, bases, func, at, lives: lives(program, func, at) }
    }
}

impl Oblivion for Known<'_> {
    // Soundness: an object that may be written holds anything; a constant one is written only
    // through a pointer that is known to point to it.
    fn is_written(&self, object: ObjId) -> bool {
        self.effects.written.contains(object.index())
            || (self.effects.anywhere && !self.program.objects[object].is_const)
    }

    fn life(&self, object: ObjId) -> Life {
        self.lives[object]
    }

    fn pointees(&self, var: VarId) -> Option<Pointees> {
        self.bases.pointees(self.program, self.func, self.at, var)
    }

    fn outer(&self) -> Vec<(ObjId, Life)> {
        self.bases.outer(self.func)
    }
}

/// Which local objects have an instance before an instruction: forward data flow over the sets that
/// are alive on all paths and on some.
pub fn lives(program: &Program, func: FuncId, at: At) -> IndexVec<ObjId, Life> {
    let body = &program.funcs[func];
    let mine: Vec<ObjId> = program
        .objects
        .iter_enumerated()
        .filter(|(_, it)| it.kind == ObjKind::Local(func))
        .map(|(id, _)| id)
        .collect();
    let mut result = IndexVec::from_elem(Life::Never, program.objects.len());
    if mine.is_empty() {
        return result;
    }
    let all = Bits::full(program.objects.len());
    let mut must: IndexVec<BlockId, Bits> = IndexVec::from_elem(all, body.blocks.len());
    let mut may: IndexVec<BlockId, Bits> = IndexVec::from_elem(Bits::new(), body.blocks.len());
    must[BlockId::new(0)] = Bits::new();
    let pass = |set: &mut Bits, block: BlockId, upto: usize| {
        for inst in body.blocks[block].insts.iter().take(upto) {
            match inst.op {
                Op::Enter { object, .. } => drop(set.insert(object.index())),
                Op::Leave { object } => drop(set.remove(object.index())),
                _ => {}
            }
        }
    };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for block in body.blocks.ids() {
            let (mut sure, mut possible) = (must[block].clone(), may[block].clone());
            pass(&mut sure, block, usize::MAX);
            pass(&mut possible, block, usize::MAX);
            for to in body.blocks[block].term.successors() {
                let before = must[to].clone();
                must[to].intersect_with(&sure);
                changed |= must[to] != before;
                changed |= may[to].union_with(&possible);
            }
        }
    }
    let (mut sure, mut possible) = (must[at.block].clone(), may[at.block].clone());
    pass(&mut sure, at.block, at.inst);
    pass(&mut possible, at.block, at.inst);
    for object in mine {
        result[object] = match (sure.contains(object.index()), possible.contains(object.index())) {
            (true, _) => Life::Always,
            (false, true) => Life::Sometimes,
            (false, false) => Life::Never,
        };
    }
    result
}
