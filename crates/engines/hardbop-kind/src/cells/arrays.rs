//! The arrays that can be followed cell by cell: objects whose address goes nowhere but into accesses
//! of whole elements of one width.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Idx;
use hardbop_cir::analysis::{PointsTo, graph};
use hardbop_cir::{
    BinOp, BlockId, Callee, Cond, Expr, ExprId, ExprPool, FuncId, ObjId, ObjKind, Op, Program, Ty,
    UnOp, VarId,
};

use crate::cells::aliases::{Known, known_at_blocks};

/// An instruction: function, block, position.
pub type Site = (FuncId, BlockId, usize);

#[derive(Clone, Debug)]
pub struct Array {
    pub object: ObjId,
    /// Bits of an element: 8, 16, 32 or 64.
    pub width: u8,
    /// Elements; `None` if that depends on the run.
    pub len: Option<u64>,
}

/// An instruction that touches an array, or asks about an access to it.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// In [`Arrays::list`].
    pub array: usize,
    /// As wide as a pointer; times the bytes of an element it is the offset, modulo the width.
    pub index: ExprId,
}

#[derive(Clone, Default, Debug)]
pub struct Arrays {
    pub list: Vec<Array>,
    pub accesses: BTreeMap<Site, Access>,
}

impl Array {
    pub fn bytes(&self) -> u64 {
        u64::from(self.width / 8)
    }
}

impl Arrays {
    /// Arrays of at least `least` elements. Of a program with calls resolved; adds indices to its pool.
    pub fn of(program: &mut Program, least: u64) -> Arrays {
        let mut finder = Finder::new(program);
        for func in program.funcs.ids() {
            let known = known_at_blocks(program, &program.funcs[func]);
            for block in known.ids() {
                let Some(mut known) = known[block].clone() else { continue };
                for at in 0..program.funcs[func].blocks[block].insts.len() {
                    let op = program.funcs[func].blocks[block].insts[at].op.clone();
                    finder.op(program, &known, (func, block, at), &op);
                    known.step(program, &op);
                }
                if let Some(operand) = program.funcs[func].blocks[block].term.operands() {
                    finder.escapes(program, operand);
                }
            }
        }
        finder.arrays(program, least)
    }
}

struct Finder {
    /// What each register may point to, if anything.
    targets: BTreeMap<VarId, Vec<ObjId>>,
    /// Objects that cannot be followed.
    spoilt: BTreeSet<ObjId>,
    widths: BTreeMap<ObjId, u8>,
    /// Objects accessed at an index that is not a constant.
    indexed: BTreeSet<ObjId>,
    found: BTreeMap<Site, (ObjId, ExprId)>,
    /// Bytes of the instances of an object, where they are one constant.
    sizes: BTreeMap<ObjId, Option<u64>>,
    /// Objects filled from their first byte on, with the bytes.
    fills: Vec<(ObjId, u128)>,
}

impl Finder {
    fn new(program: &Program) -> Finder {
        let points_to = PointsTo::of(program);
        let targets = program.vars.ids().map(|var| (var, points_to.of_var(var).objects));
        let mut finder = Finder {
            targets: targets.filter(|it| !it.1.is_empty()).collect(),
            spoilt: BTreeSet::new(),
            widths: BTreeMap::new(),
            indexed: BTreeSet::new(),
            found: BTreeMap::new(),
            fills: Vec::new(),
            sizes: BTreeMap::new(),
        };
        // Soundness: of a function that calls itself several instances live at once.
        let recursive = recursive(program);
        for (id, object) in program.objects.iter_enumerated() {
            if let ObjKind::Local(owner) | ObjKind::Heap(owner) = object.kind
                && recursive[owner.index()]
            {
                finder.spoilt.insert(id);
            }
            object.init.iter().for_each(|it| finder.escapes(program, it.value));
        }
        for var in program.vars.iter() {
            var.init.iter().for_each(|&it| finder.escapes(program, it));
        }
        finder
    }

    /// Whatever the value may point to goes where we do not follow it.
    fn escapes(&mut self, program: &Program, value: ExprId) {
        program.exprs.visit(value, &mut |_, node| match node {
            Expr::Addr(object) => drop(self.spoilt.insert(object)),
            Expr::Var(var) => self.spoilt.extend(self.targets.get(&var).into_iter().flatten()),
            _ => {}
        });
    }

    fn op(&mut self, program: &mut Program, known: &Known, site: Site, op: &Op) {
        if let Op::Enter { object, size: Some(size) } | Op::Alloc { object, size, .. } = op {
            let size = program.exprs.as_int(*size).and_then(|it| u64::try_from(it).ok());
            if *self.sizes.entry(*object).or_insert(size) != size {
                self.sizes.insert(*object, None);
            }
        }
        let followed = match op {
            Op::Load { dst, ptr } => {
                let ty = program.vars[*dst].ty;
                self.access(program, known, site, *ptr, ty)
            }
            Op::Store { ptr, value } => {
                self.escapes(program, *value);
                let ty = program.exprs.ty(*value);
                self.access(program, known, site, *ptr, ty)
            }
            Op::Check { cond: Cond::InBounds { ptr, size }, .. } => {
                match program.exprs.as_int(*size) {
                    Some(bytes @ (1 | 2 | 4 | 8)) => {
                        self.access(program, known, site, *ptr, Ty::Int(8 * bytes as u8))
                    }
                    _ => false,
                }
            }
            Op::Check {
                cond: Cond::NotNull(ptr) | Cond::Alive(ptr) | Cond::Writable(ptr), ..
            }
            | Op::Havoc { ptr } => self.whole(program, known, site, *ptr),
            Op::Fill { .. } => self.fill(program, known, site, op),
            Op::Free { ptr } => {
                let object = known.first_byte(program, *ptr);
                object.is_some_and(|it| matches!(program.objects[it].kind, ObjKind::Heap(_)))
                    && self.whole(program, known, site, *ptr)
            }
            Op::Set { value, .. } => known.first_byte(program, *value).is_some(),
            // Soundness: an array that is followed is no object any more, so none that is lost.
            Op::Check { cond: Cond::NoLeak(_), .. } => {
                let objects = program.objects.iter_enumerated();
                let heap = objects.filter(|it| matches!(it.1.kind, ObjKind::Heap(_)));
                self.spoilt.extend(heap.map(|it| it.0));
                true
            }
            _ => false,
        };
        if !followed {
            op.operands().into_iter().for_each(|operand| self.escapes(program, operand));
        }
    }

    /// A load or store of one value.
    fn access(
        &mut self,
        program: &mut Program,
        known: &Known,
        site: Site,
        ptr: ExprId,
        ty: Ty,
    ) -> bool {
        let Some((object, offsets)) = known.base(program, ptr) else { return false };
        let Ty::Int(width @ (8 | 16 | 32 | 64)) = ty else { return false };
        if *self.widths.entry(object).or_insert(width) != width {
            return false;
        }
        offsets.iter().for_each(|&it| self.escapes(program, it));
        let Some(index) = index(program, &offsets, u128::from(width / 8)) else { return false };
        if program.exprs.as_int(index).is_none() {
            self.indexed.insert(object);
        }
        self.found.insert(site, (object, index));
        true
    }

    /// Something about the instance, not about one element.
    fn whole(&mut self, program: &mut Program, known: &Known, site: Site, ptr: ExprId) -> bool {
        let Some((object, offsets)) = known.base(program, ptr) else { return false };
        offsets.iter().for_each(|&it| self.escapes(program, it));
        let first = program.exprs.int(program.ptr_bits, 0);
        self.found.insert(site, (object, first));
        true
    }

    /// The first elements get one value.
    fn fill(&mut self, program: &mut Program, known: &Known, site: Site, op: &Op) -> bool {
        let Op::Fill { dst, byte, size } = op else { return false };
        let (object, size) = (known.first_byte(program, *dst), program.exprs.as_int(*size));
        let (Some(object), Some(size)) = (object, size) else { return false };
        self.escapes(program, *byte);
        self.fills.push((object, size));
        self.whole(program, known, site, *dst)
    }

    fn arrays(mut self, program: &Program, least: u64) -> Arrays {
        for &(object, size) in &self.fills {
            let whole = self.widths.get(&object).is_some_and(|it| size % u128::from(it / 8) == 0);
            if !whole {
                self.spoilt.insert(object);
            }
        }
        let mut arrays = Arrays::default();
        let mut numbers: BTreeMap<ObjId, usize> = BTreeMap::new();
        for &object in self.indexed.difference(&self.spoilt) {
            let width = self.widths[&object];
            let made = self.sizes.get(&object).copied().flatten();
            let size = program.objects[object].size.or(made);
            let len = size.map(|it| it / u64::from(width / 8));
            if len.is_none_or(|it| it >= least.max(1)) {
                numbers.insert(object, arrays.list.len());
                arrays.list.push(Array { object, width, len });
            }
        }
        for (site, (object, index)) in self.found {
            if let Some(&array) = numbers.get(&object) {
                arrays.accesses.insert(site, Access { array, index });
            }
        }
        arrays
    }
}

/// `x` with `scale * x` equal to the sum of the offsets, modulo the width of a pointer.
fn index(program: &mut Program, offsets: &[ExprId], scale: u128) -> Option<ExprId> {
    let mut sum = program.exprs.int(program.ptr_bits, 0);
    for &offset in offsets.iter().rev() {
        let part = divided(&mut program.exprs, offset, scale)?;
        sum = program.exprs.binary(BinOp::Add, sum, part);
    }
    Some(sum)
}

/// `x` with `scale * x` equal to the expression, modulo its width.
fn divided(pool: &mut ExprPool, id: ExprId, scale: u128) -> Option<ExprId> {
    if scale == 1 {
        return Some(id);
    }
    let Ty::Int(width) = pool.ty(id) else { return None };
    match pool.get(id) {
        Expr::Int { value, .. } if value % scale == 0 => Some(pool.int(width, value / scale)),
        Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
            let (a, b) = (divided(pool, a, scale)?, divided(pool, b, scale)?);
            Some(pool.binary(op, a, b))
        }
        Expr::Unary(UnOp::Neg, a) => {
            let a = divided(pool, a, scale)?;
            Some(pool.unary(UnOp::Neg, a))
        }
        Expr::Binary(BinOp::Mul, a, b) => {
            let factor = pool.as_int(b).filter(|it| it % scale == 0)?;
            let factor = pool.int(width, factor / scale);
            Some(pool.binary(BinOp::Mul, a, factor))
        }
        _ => None,
    }
}

/// Functions that may be running more than once at a time.
fn recursive(program: &Program) -> Vec<bool> {
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); program.funcs.len()];
    for (func, _, inst) in program.insts() {
        if let Op::Call { callee: Callee::Func(to), .. } = inst.op {
            calls[func.index()].push(to.index());
        }
    }
    graph::cycles(&calls, program.funcs.len())
}
