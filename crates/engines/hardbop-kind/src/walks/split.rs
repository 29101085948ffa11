//! Walking pointers as a start and a distance.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Idx, Name, Span};
use hardbop_cir::{
    BinOp, BlockId, Expr, ExprId, FuncId, Inst, Op, Program, Ty, UnOp, VarId, VarInfo, VarKind,
};

use crate::cells::{Meaning, Walk};

/// A register that was split. It keeps where the walk began.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    /// Bytes from there.
    pub distance: VarId,
    /// Bytes from there to the end of the object.
    pub room: VarId,
}

pub struct Walks {
    pub walkers: BTreeMap<VarId, Walker>,
    /// What each function adds to pointers, where that is no constant.
    pub indices: BTreeMap<FuncId, BTreeSet<ExprId>>,
}

impl Walks {
    /// Splits the walking pointers of the program.
    pub fn split(program: &mut Program) -> Walks {
        let mut walks = Walks { walkers: BTreeMap::new(), indices: BTreeMap::new() };
        for func in program.funcs.ids() {
            walks.note_indices(program, func);
            let vars = walking(program, func);
            if vars.is_empty() {
                continue;
            }
            let mut splitter = Splitter {
                distance: register(program, func, "bytes added", VarKind::Temp),
                size: register(program, func, "size", VarKind::Temp),
                walkers: BTreeMap::new(),
                program,
                out: Vec::new(),
            };
            for var in vars {
                let name = splitter.program.vars[var].name.clone();
                let distance = format!("distance of {name}");
                let room = format!("room of {name}");
                let walker = Walker {
                    distance: register(splitter.program, func, &distance, VarKind::Local),
                    room: register(splitter.program, func, &room, VarKind::Local),
                };
                splitter.walkers.insert(var, walker);
            }
            splitter.func(func);
            walks.walkers.append(&mut splitter.walkers);
        }
        walks
    }

    /// What its registers stand for, those from the first one on.
    pub fn meaning(&self, first: VarId) -> Meaning {
        let walk = |(&start, &Walker { distance, room }): (&VarId, &Walker)| Walk {
            start,
            distance,
            room,
        };
        let walks = self.walkers.iter().map(walk).collect();
        Meaning { walks, ..Meaning::without_cells(first, true) }
    }

    fn note_indices(&mut self, program: &Program, func: FuncId) {
        let indices = self.indices.entry(func).or_default();
        for inst in program.funcs[func].blocks.iter().flat_map(|it| &it.insts) {
            for operand in inst.op.operands() {
                program.exprs.visit(operand, &mut |_, node| {
                    let Expr::Binary(BinOp::PtrAdd, _, index) = node else { return };
                    if program.exprs.as_int(index).is_none() && is_named(program, index) {
                        indices.insert(index);
                    }
                });
            }
        }
    }
}

fn is_named(program: &Program, expr: ExprId) -> bool {
    let mut is_named = true;
    program.exprs.for_each_var(expr, &mut |var| {
        is_named &= program.vars[var].kind != VarKind::Temp;
    });
    is_named
}

/// The pointers of a function to which a loop adds something.
fn walking(program: &Program, func: FuncId) -> BTreeSet<VarId> {
    let body = &program.funcs[func];
    // A register that is split needs a place where a call begins.
    let begins_again = |it: &hardbop_cir::Block| it.term.successors().contains(&BlockId::new(0));
    if body.blocks.iter().any(begins_again) {
        return BTreeSet::new();
    }
    let mut found = BTreeSet::new();
    for inst in body.blocks.iter().flat_map(|it| &it.insts) {
        let Op::Set { dst, value } = inst.op else { continue };
        let info = &program.vars[dst];
        if info.ty == Ty::Ptr && info.owner == Some(func) && walks_from(program, value, dst) {
            found.insert(dst);
        }
    }
    found
}

/// Whether the pointer is this register and something added to it.
fn walks_from(program: &Program, mut value: ExprId, from: VarId) -> bool {
    let mut is_moved = false;
    while let Expr::Binary(BinOp::PtrAdd, start, _) = program.exprs.get(value) {
        (value, is_moved) = (start, true);
    }
    is_moved && program.exprs.get(value) == Expr::Var(from)
}

fn register(program: &mut Program, func: FuncId, name: &str, kind: VarKind) -> VarId {
    program.vars.push(register_info(program, func, name, kind))
}

pub fn register_info(program: &Program, func: FuncId, name: &str, kind: VarKind) -> VarInfo {
    VarInfo {
        name: Name::from(name),
        ty: Ty::Int(program.ptr_bits),
        is_signed: false,
        kind,
        owner: Some(func),
        init: None,
        span: None,
    }
}

/// Where a walk begins.
enum Start {
    /// Where that one began.
    Of(VarId),
    At(ExprId),
}

struct Splitter<'a> {
    program: &'a mut Program,
    walkers: BTreeMap<VarId, Walker>,
    /// Of the function: a distance, and a size, between two instructions.
    distance: VarId,
    size: VarId,
    out: Vec<Inst>,
}

impl Splitter<'_> {
    fn func(&mut self, func: FuncId) {
        let n_blocks = self.program.funcs[func].blocks.len();
        for block in (0..n_blocks).map(BlockId::new) {
            let insts = std::mem::take(&mut self.program.funcs[func].blocks[block].insts);
            if block == BlockId::new(0) {
                let span = self.program.funcs[func].blocks[block].span;
                for param in self.program.funcs[func].params.clone() {
                    if self.walkers.contains_key(&param) {
                        self.begins(param, span);
                    }
                }
            }
            for inst in insts {
                self.inst(inst);
            }
            let mut term = self.program.funcs[func].blocks[block].term.clone();
            term.map_operands(|it| self.read(it));
            let body = &mut self.program.funcs[func].blocks[block];
            (body.insts, body.term) = (std::mem::take(&mut self.out), term);
        }
    }

    fn inst(&mut self, mut inst: Inst) {
        let walker = inst.op.dst().and_then(|it| Some((it, *self.walkers.get(&it)?)));
        match (walker, &inst.op) {
            (Some((dst, walker)), &Op::Set { value, .. }) => {
                self.set(dst, walker, value, inst.span);
            }
            (walker, _) => {
                inst.op.map_operands(|it| self.read(it));
                let span = inst.span;
                self.out.push(inst);
                if let Some((dst, _)) = walker {
                    self.begins(dst, span);
                }
            }
        }
    }

    fn emit(&mut self, op: Op, span: Span) {
        self.out.push(Inst { op, span });
    }

    fn number(&mut self, var: VarId) -> ExprId {
        self.program.exprs.var(var, Ty::Int(self.program.ptr_bits))
    }

    fn set(&mut self, dst: VarId, walker: Walker, value: ExprId, span: Span) {
        let (start, distance) = self.parts(value);
        if let Start::Of(from) = start
            && from == dst
        {
            return self.emit(Op::Set { dst: walker.distance, value: distance }, span);
        }
        // All is read before anything is set.
        self.emit(Op::Set { dst: self.distance, value: distance }, span);
        match start {
            Start::Of(from) => {
                let room = self.number(self.walkers[&from].room);
                let from = self.program.exprs.var(from, Ty::Ptr);
                self.emit(Op::Set { dst, value: from }, span);
                self.emit(Op::Set { dst: walker.room, value: room }, span);
            }
            Start::At(value) => {
                self.emit(Op::Set { dst, value }, span);
                self.begins(dst, span);
            }
        }
        let distance = self.number(self.distance);
        self.emit(Op::Set { dst: walker.distance, value: distance }, span);
    }

    /// The register holds where a walk begins.
    fn begins(&mut self, var: VarId, span: Span) {
        let walker = self.walkers[&var];
        let ptr = self.program.exprs.var(var, Ty::Ptr);
        self.emit(Op::Size { dst: self.size, ptr }, span);
        let size = self.number(self.size);
        let start = self.program.exprs.unary(UnOp::Start, ptr);
        let before = self.program.exprs.binary(BinOp::PtrDiff, ptr, start);
        let room = self.program.exprs.binary(BinOp::Sub, size, before);
        self.emit(Op::Set { dst: walker.room, value: room }, span);
        let zero = self.program.exprs.int(self.program.ptr_bits, 0);
        self.emit(Op::Set { dst: walker.distance, value: zero }, span);
    }

    /// Where a pointer begins and how far from there it is.
    fn parts(&mut self, value: ExprId) -> (Start, ExprId) {
        match self.program.exprs.get(value) {
            Expr::Var(var) if self.walkers.contains_key(&var) => {
                let distance = self.number(self.walkers[&var].distance);
                (Start::Of(var), distance)
            }
            Expr::Binary(BinOp::PtrAdd, inner, added) => {
                let (start, distance) = self.parts(inner);
                let added = self.read(added);
                (start, self.program.exprs.binary(BinOp::Add, distance, added))
            }
            _ => {
                let zero = self.program.exprs.int(self.program.ptr_bits, 0);
                (Start::At(self.read(value)), zero)
            }
        }
    }

    /// An expression in which walking pointers are start and distance.
    fn read(&mut self, expr: ExprId) -> ExprId {
        let mut used: BTreeSet<VarId> = BTreeSet::new();
        self.program.exprs.for_each_var(expr, &mut |var| {
            used.insert(var);
        });
        let mut found: BTreeMap<VarId, ExprId> = BTreeMap::new();
        for var in used {
            let Some(&walker) = self.walkers.get(&var) else { continue };
            let start = self.program.exprs.var(var, Ty::Ptr);
            let distance = self.number(walker.distance);
            found.insert(var, self.program.exprs.binary(BinOp::PtrAdd, start, distance));
        }
        if found.is_empty() {
            return expr;
        }
        self.program.exprs.rewrite(expr, &mut |leaf| match leaf {
            Expr::Var(var) => found.get(&var).copied(),
            _ => None,
        })
    }
}
