//! The program in which of each array only some cells are known.
//!
//! Registers, all global and without a name in the source:
//! * for each watched site an *index* `g`, arbitrary and never changed, and *seen*, the index of the
//!   site's last execution (`g` before the first);
//! * for each cell of a plan its *value*;
//! * for each array the *recent* cell: the index read last and the value there, so that two reads of
//!   one place in a row agree.

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Idx, Name, Span};
use hardbop_cir::{
    BinOp, BlockId, Check, CheckId, Class, Cond, Expr, ExprId, Inst, ObjKind, Op, Program, Shape,
    Source, Ty, VarId, VarInfo, VarKind,
};

use crate::cells::arrays::{Access, Array, Arrays, Site};
use crate::print::c_expr;

/// First contents of more values than this are taken as arbitrary.
const MAX_INITS: usize = 64;

/// A cell that is followed.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub array: usize,
    /// Over the indices of the watched sites.
    pub index: ExprId,
    pub value: VarId,
}

/// A site whose last index is one of the arbitrary ones.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    pub site: Site,
    pub index: VarId,
    pub seen: VarId,
}

/// The cell read last.
#[derive(Clone, Copy, Debug)]
struct Recent {
    index: VarId,
    value: VarId,
    /// For a value that is not known.
    scratch: VarId,
    /// Bytes of the instance, where they depend on the run.
    size: VarId,
}

pub struct Rewriter<'a> {
    pub program: Program,
    arrays: &'a Arrays,
    pub watches: Vec<Watch>,
    pub cells: Vec<Cell>,
    recents: Vec<Recent>,
    /// Stands for "an access may be invalid, which was not asked for".
    invalid: CheckId,
    /// The instructions of the block that is rewritten.
    out: Vec<Inst>,
    span: Span,
}

impl<'a> Rewriter<'a> {
    /// The registers of the watched sites and of the arrays; cells are added by the caller.
    pub fn new(program: &Program, arrays: &'a Arrays, sites: &[Site], class: Class) -> Self {
        let mut program = program.clone();
        let span = Span::new(0, 0);
        let message = Name::from("an access may be invalid, which was not asked for");
        let invalid = program.checks.push(Check { class, message, span });
        let mut it = Rewriter {
            program,
            arrays,
            watches: Vec::new(),
            cells: Vec::new(),
            recents: Vec::new(),
            invalid,
            out: Vec::new(),
            span,
        };
        let number = Ty::Int(it.program.ptr_bits);
        for &site in sites {
            let name = it.letter();
            let seen = it.register(format!("last {name}"), number);
            let index = it.register(name, number);
            it.watches.push(Watch { site, index, seen });
        }
        for array in &arrays.list {
            let name = it.program.objects[array.object].name.clone();
            let recent = Recent {
                index: it.register(format!("recent index of {name}"), number),
                value: it.register(format!("recent value of {name}"), Ty::Int(array.width)),
                scratch: it.register(format!("some value of {name}"), Ty::Int(array.width)),
                size: it.register(format!("size of {name}"), number),
            };
            it.recents.push(recent);
        }
        it
    }

    pub fn add_cell(&mut self, array: usize, index: ExprId) {
        let width = self.arrays.list[array].width;
        let name = self.program.objects[self.arrays.list[array].object].name.clone();
        let place = c_expr(&self.program, index);
        let value = self.register(format!("{name}[{place}]"), Ty::Int(width));
        self.cells.push(Cell { array, index, value });
    }

    /// A name for an index that nothing in the program has.
    fn letter(&self) -> String {
        let is_free = |it: &String| self.program.vars.iter().all(|var| *var.name != **it);
        let letters = (0..).flat_map(|n| {
            ["j", "k", "l"].map(|it| if n == 0 { it.to_string() } else { format!("{it}{n}") })
        });
        letters.into_iter().find(is_free).unwrap_or_default()
    }

    fn register(&mut self, name: String, ty: Ty) -> VarId {
        self.program.vars.push(VarInfo {
            name: name.into(),
            ty,
            is_signed: true,
            kind: VarKind::Temp,
            owner: None,
            init: None,
            span: None,
        })
    }

    pub fn var(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].ty;
        self.program.exprs.var(var, ty)
    }

    /// Rewrites all instructions.
    pub fn run(&mut self) {
        for func in self.program.funcs.ids() {
            for block in self.program.funcs[func].blocks.ids() {
                let insts = std::mem::take(&mut self.program.funcs[func].blocks[block].insts);
                self.out = Vec::with_capacity(insts.len());
                if func == self.program.main && block == BlockId::new(0) {
                    self.begin();
                }
                for (at, inst) in insts.into_iter().enumerate() {
                    self.span = inst.span;
                    self.inst((func, block, at), inst);
                }
                self.program.funcs[func].blocks[block].insts = std::mem::take(&mut self.out);
            }
        }
        for array in &self.arrays.list {
            let object = &mut self.program.objects[array.object];
            object.init.clear();
            object.size = object.size.map(|_| 1);
            object.shape = Shape::Bytes;
        }
    }

    fn emit(&mut self, op: Op) {
        self.out.push(Inst { op, span: self.span });
    }

    fn set(&mut self, dst: VarId, value: ExprId) {
        self.emit(Op::Set { dst, value });
    }

    fn arbitrary(&mut self, dst: VarId) {
        self.emit(Op::Nondet { dst, source: Source::Uninit });
    }

    /// Before the first instruction of the program.
    fn begin(&mut self) {
        for watch in self.watches.clone() {
            self.arbitrary(watch.index);
            let index = self.var(watch.index);
            self.set(watch.seen, index);
            if let Some(access) = self.arrays.accesses.get(&watch.site)
                && let Some(len) = self.arrays.list[access.array].len
            {
                // The index of an execution of the site: it was checked there.
                let len = self.program.exprs.int(self.program.ptr_bits, u128::from(len));
                let cond = self.program.exprs.binary(BinOp::Ult, index, len);
                self.emit(Op::Assume { cond });
            }
        }
        for (number, array) in self.arrays.list.iter().enumerate() {
            self.forget(number);
            if self.program.objects[array.object].kind == ObjKind::Global {
                self.first_contents(number, array);
            }
        }
    }

    /// Every element is arbitrary.
    fn forget(&mut self, array: usize) {
        let cells: Vec<Cell> = self.cells.iter().filter(|it| it.array == array).copied().collect();
        cells.iter().for_each(|cell| self.arbitrary(cell.value));
        self.recall(array);
    }

    /// The recent cell is one of the plan's, or of a value that nobody knows.
    fn recall(&mut self, array: usize) {
        let recent = self.recents[array];
        match self.cells.iter().find(|it| it.array == array).copied() {
            Some(cell) => {
                let value = self.var(cell.value);
                self.set(recent.index, cell.index);
                self.set(recent.value, value);
            }
            None => self.arbitrary(recent.value),
        }
    }

    fn first_contents(&mut self, number: usize, array: &Array) {
        let inits = self.program.objects[array.object].init.clone();
        let fits = |it: &hardbop_cir::Init| {
            it.offset.is_multiple_of(array.bytes())
                && self.program.exprs.ty(it.value) == Ty::Int(array.width)
        };
        if inits.len() > MAX_INITS || !inits.iter().all(fits) {
            return;
        }
        for at in 0..self.cells.len() {
            let cell = self.cells[at];
            if cell.array != number {
                continue;
            }
            let mut value = self.program.exprs.int(array.width, 0);
            for init in &inits {
                let place = u128::from(init.offset / array.bytes());
                let place = self.program.exprs.int(self.program.ptr_bits, place);
                let here = self.program.exprs.binary(BinOp::Eq, cell.index, place);
                value = self.program.exprs.ite(here, init.value, value);
            }
            self.set(cell.value, value);
        }
        self.recall(number);
    }

    fn inst(&mut self, site: Site, inst: Inst) {
        let access = self.arrays.accesses.get(&site).copied();
        match (inst.op, access) {
            (Op::Check { check, cond }, access) => self.check(check, cond, access),
            (Op::Load { dst, .. }, Some(access)) => self.load(site, dst, access),
            (Op::Store { value, .. }, Some(access)) => self.store(site, value, access),
            (Op::Fill { byte, size, .. }, Some(access)) => self.fill(byte, size, access),
            (Op::Havoc { .. }, Some(access)) => self.forget(access.array),
            (Op::Free { .. }, Some(_)) => {}
            (Op::Enter { object, size }, _) if self.number(object).is_some() => {
                self.enter(object, size);
            }
            (Op::Alloc { dst, object, size }, _) if self.number(object).is_some() => {
                self.enter(object, Some(size));
                let null = self.program.exprs.add(Expr::Null);
                self.set(dst, null);
            }
            (Op::Leave { object }, _) if self.number(object).is_some() => {}
            (op, _) => self.out.push(Inst { op, span: inst.span }),
        }
    }

    fn number(&self, object: hardbop_cir::ObjId) -> Option<usize> {
        self.arrays.list.iter().position(|it| it.object == object)
    }

    fn enter(&mut self, object: hardbop_cir::ObjId, size: Option<ExprId>) {
        let Some(array) = self.number(object) else { return };
        if let Some(size) = size {
            self.set(self.recents[array].size, size);
        }
        self.forget(array);
    }

    /// Elements of an array.
    fn len(&mut self, array: usize) -> ExprId {
        let ptr_bits = self.program.ptr_bits;
        let info = &self.arrays.list[array];
        match info.len {
            Some(len) => self.program.exprs.int(ptr_bits, u128::from(len)),
            None => {
                let size = self.var(self.recents[array].size);
                let shift = self.program.exprs.int(ptr_bits, u128::from(info.bytes().ilog2()));
                self.program.exprs.binary(BinOp::LShr, size, shift)
            }
        }
    }

    /// The index is one of the array's.
    fn inside(&mut self, access: Access) -> ExprId {
        let len = self.len(access.array);
        self.program.exprs.binary(BinOp::Ult, access.index, len)
    }

    /// Some watched site was last executed at another index than the arbitrary one: this is not the
    /// run for which the indices were chosen.
    fn mismatch(&mut self) -> ExprId {
        let mut any = self.program.exprs.bool(false);
        for watch in self.watches.clone() {
            let (index, seen) = (self.var(watch.index), self.var(watch.seen));
            let differs = self.program.exprs.binary(BinOp::Ne, seen, index);
            any = self.program.exprs.binary(BinOp::Or, any, differs);
        }
        any
    }

    fn check(&mut self, check: CheckId, cond: Cond, access: Option<Access>) {
        let holds = match (cond, access) {
            (Cond::Holds(holds), _) => holds,
            (Cond::Fails, _) => self.program.exprs.bool(false),
            (Cond::InBounds { .. }, Some(access)) => self.inside(access),
            (Cond::Writable(_), Some(access)) => {
                let object = self.arrays.list[access.array].object;
                let is_const = self.program.objects[object].is_const;
                self.program.exprs.bool(!is_const)
            }
            // It lives and is an object's: that is why it is followed.
            (_, Some(_)) => self.program.exprs.bool(true),
            (cond, None) => return self.emit(Op::Check { check, cond }),
        };
        let is_fatal = self.program.checks[check].is_fatal();
        self.ask(check, holds, is_fatal);
    }

    fn ask(&mut self, check: CheckId, holds: ExprId, is_fatal: bool) {
        let mismatch = self.mismatch();
        let either = self.program.exprs.binary(BinOp::Or, holds, mismatch);
        self.emit(Op::Check { check, cond: Cond::Holds(either) });
        if is_fatal {
            self.emit(Op::Assume { cond: holds });
        }
    }

    /// Soundness: what an invalid access does is not known, so it must not happen unnoticed.
    fn must_hold(&mut self, cond: ExprId) {
        self.ask(self.invalid, cond, true);
    }

    fn note(&mut self, site: Site, index: ExprId) {
        for watch in self.watches.clone() {
            if watch.site == site {
                self.set(watch.seen, index);
            }
        }
    }

    fn load(&mut self, site: Site, dst: VarId, access: Access) {
        let inside = self.inside(access);
        self.must_hold(inside);
        self.note(site, access.index);
        let recent = self.recents[access.array];
        self.arbitrary(recent.scratch);
        let mut known = vec![(self.var(recent.index), self.var(recent.value))];
        for cell in self.cells.clone().iter().filter(|it| it.array == access.array) {
            known.push((cell.index, self.var(cell.value)));
        }
        let mut value = self.var(recent.scratch);
        for (index, there) in known {
            let here = self.program.exprs.binary(BinOp::Eq, access.index, index);
            value = self.program.exprs.ite(here, there, value);
        }
        self.set(recent.scratch, value);
        self.set(recent.index, access.index);
        let read = self.var(recent.scratch);
        self.set(recent.value, read);
        self.set(dst, read);
    }

    fn store(&mut self, site: Site, value: ExprId, access: Access) {
        let inside = self.inside(access);
        self.must_hold(inside);
        self.note(site, access.index);
        self.write(access.array, value, &mut |it, index| {
            it.program.exprs.binary(BinOp::Eq, index, access.index)
        });
    }

    /// The first bytes get the value of one.
    fn fill(&mut self, byte: ExprId, size: ExprId, access: Access) {
        let Array { width, .. } = self.arrays.list[access.array];
        let n_bytes = self.program.exprs.as_int(size).unwrap_or(0);
        let n = n_bytes / u128::from(width / 8);
        let n = self.program.exprs.int(self.program.ptr_bits, n);
        let len = self.len(access.array);
        let fits = self.program.exprs.binary(BinOp::Ule, n, len);
        self.must_hold(fits);
        let mut value = self.program.exprs.resize(byte, width, false);
        let mut done = 8;
        while done < width {
            let by = self.program.exprs.int(width, u128::from(done));
            let high = self.program.exprs.binary(BinOp::Shl, value, by);
            value = self.program.exprs.binary(BinOp::Or, value, high);
            done *= 2;
        }
        self.write(access.array, value, &mut |it, index| {
            it.program.exprs.binary(BinOp::Ult, index, n)
        });
    }

    /// The value goes to each cell for whose index the condition holds.
    fn write(
        &mut self,
        array: usize,
        value: ExprId,
        is_there: &mut dyn FnMut(&mut Self, ExprId) -> ExprId,
    ) {
        let recent = self.recents[array];
        let mut known = vec![(self.var(recent.index), recent.value)];
        let cells = self.cells.iter().filter(|it| it.array == array);
        known.extend(cells.map(|it| (it.index, it.value)));
        for (index, register) in known {
            let here = is_there(self, index);
            let before = self.var(register);
            let after = self.program.exprs.ite(here, value, before);
            let is_kept = is_on(Fault::CellKept);
            self.set(register, if is_kept { before } else { after });
        }
    }
}
