//! Is a program well formed? Run after the front end, the reader and every pass.

use std::fmt;

use hardbop_base::Idx;

use crate::check::Cond;
use crate::expr::{BinOp, CastOp, Expr, ExprId, UnOp};
use crate::program::{BlockId, Callee, FuncId, ObjKind, Op, Program, Stop, Term, VarId};
use crate::thread::ThreadOp;
use crate::ty::Ty;

/// The first thing found wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    pub place: Option<(FuncId, BlockId)>,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((func, block)) = self.place {
            write!(f, "{func} {block}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// A program that is not well formed after one of our own steps is our mistake, in every build: an engine could
/// make a wrong verdict of it. The panic becomes `unknown` with exit code 70.
pub fn expect_verified(program: &Program, after: &str) {
    if let Err(error) = verify(program) {
        panic!("the program is malformed after {after}: {error}");
    }
}

/// Checks tables, operands, types and the targets of jumps.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    let mut verifier = Verifier { program, place: None };
    verifier.tables()?;
    for (id, func) in program.funcs.iter_enumerated() {
        if func.blocks.is_empty() {
            return verifier.fail(format!("{id} has no block"));
        }
        for (block, it) in func.blocks.iter_enumerated() {
            verifier.place = Some((id, block));
            for inst in &it.insts {
                verifier.op(&inst.op)?;
            }
            verifier.term(id, &it.term)?;
        }
        verifier.place = None;
    }
    Ok(())
}

struct Verifier<'a> {
    program: &'a Program,
    place: Option<(FuncId, BlockId)>,
}

type Checked = Result<(), VerifyError>;

impl Verifier<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, VerifyError> {
        Err(VerifyError { place: self.place, message: message.into() })
    }

    fn must(&self, holds: bool, message: impl FnOnce() -> String) -> Checked {
        if holds { Ok(()) } else { self.fail(message()) }
    }

    /// Each expression once, then registers, objects and functions.
    fn tables(&mut self) -> Checked {
        let program = self.program;
        self.must(matches!(program.ptr_bits, 32 | 64), || "pointers have 32 or 64 bits".into())?;
        for id in (0..program.exprs.len()).map(ExprId::new) {
            self.node(id)?;
        }
        for (id, var) in program.vars.iter_enumerated() {
            let known = var.owner.is_none_or(|owner| program.funcs.get(owner).is_some());
            self.must(known, || format!("{id} belongs to no function"))?;
            if let Some(init) = var.init {
                self.constant(init)?;
                self.must(var.owner.is_none(), || format!("{id} is local and has a first value"))?;
                self.typed(init, var.ty)?;
            }
        }
        for (id, object) in program.objects.iter_enumerated() {
            if let ObjKind::Local(owner) | ObjKind::Heap(owner) = object.kind {
                self.must(program.funcs.get(owner).is_some(), || format!("{id}: no owner"))?;
                self.must(object.init.is_empty(), || format!("{id} is not global"))?;
            } else {
                self.must(object.size.is_some(), || format!("{id} has no size"))?;
            }
            for init in &object.init {
                self.constant(init.value)?;
                let end = program.exprs.ty(init.value).bytes(program.ptr_bits);
                let end = init.offset.checked_add(end);
                let inside = end.is_some_and(|end| object.size.is_some_and(|size| end <= size));
                self.must(inside, || format!("{id} is initialised beyond its end"))?;
            }
        }
        self.must(program.funcs.get(program.main).is_some(), || "there is no main".into())?;
        for (id, func) in program.funcs.iter_enumerated() {
            for &param in &func.params {
                let owner = program.vars.get(param).and_then(|var| var.owner);
                self.must(owner == Some(id), || format!("{param} is no register of {id}"))?;
            }
        }
        Ok(())
    }

    fn node(&self, id: ExprId) -> Checked {
        let pool = &self.program.exprs;
        let node = pool.get(id);
        let before = node.operands().all(|operand| operand < id);
        self.must(before, || format!("{id} mentions a later expression"))?;
        let ptr = Ty::Int(self.program.ptr_bits);
        let ty = |id| pool.ty(id);
        let is_int = |id| matches!(pool.ty(id), Ty::Int(_));
        let is_float = |id| matches!(pool.ty(id), Ty::Float(_));
        let fits = match node {
            Expr::Int { width, value } => {
                (1..=crate::ty::MAX_WIDTH).contains(&width) && value <= crate::eval::mask(width)
            }
            Expr::Float { .. } | Expr::Null => true,
            Expr::Var(var) => self.program.vars.get(var).is_some_and(|info| info.ty == pool.ty(id)),
            Expr::Addr(object) => self.program.objects.get(object).is_some(),
            Expr::FuncAddr(func) => self.program.funcs.get(func).is_some(),
            Expr::Unary(UnOp::FNeg, a) => is_float(a),
            Expr::Unary(UnOp::Start, a) => ty(a) == Ty::Ptr,
            Expr::Unary(_, a) => is_int(a),
            Expr::Binary(op, a, b) => match op {
                BinOp::PtrAdd => ty(a) == Ty::Ptr && ty(b) == ptr,
                BinOp::PtrDiff | BinOp::PtrLt | BinOp::PtrLe => {
                    ty(a) == Ty::Ptr && ty(b) == Ty::Ptr
                }
                BinOp::Eq | BinOp::Ne => ty(a) == ty(b) && !is_float(a),
                BinOp::FAdd
                | BinOp::FSub
                | BinOp::FMul
                | BinOp::FDiv
                | BinOp::FEq
                | BinOp::FNe
                | BinOp::FLt
                | BinOp::FLe => ty(a) == ty(b) && is_float(a),
                _ => ty(a) == ty(b) && is_int(a),
            },
            Expr::Cast(op, to, a) => match (op, ty(a), to) {
                (CastOp::Zext | CastOp::Sext, Ty::Int(from), Ty::Int(to)) => from < to,
                (CastOp::Trunc, Ty::Int(from), Ty::Int(to)) => from > to,
                (CastOp::PtrToInt, Ty::Ptr, Ty::Int(_)) => true,
                (CastOp::IntToPtr, from, Ty::Ptr) => from == ptr,
                (CastOp::SIntToF | CastOp::UIntToF, Ty::Int(_), Ty::Float(_)) => true,
                (CastOp::FToSInt | CastOp::FToUInt, Ty::Float(_), Ty::Int(_)) => true,
                (CastOp::FToF, Ty::Float(_), Ty::Float(_)) => true,
                _ => false,
            },
            Expr::Ite(c, a, b) => ty(c) == Ty::BOOL && ty(a) == ty(b),
        };
        self.must(fits, || format!("{id} is ill-typed: {node:?}"))
    }

    fn constant(&self, id: ExprId) -> Checked {
        let mut constant = true;
        self.program.exprs.visit(id, &mut |_, node| match node {
            Expr::Var(_) => constant = false,
            Expr::Addr(object) => {
                constant &= self.program.objects[object].kind == ObjKind::Global;
            }
            _ => {}
        });
        self.must(constant, || format!("{id} should be constant"))
    }

    /// Registers and local objects belong to the function at hand.
    fn expr(&self, id: ExprId) -> Checked {
        self.must(self.program.exprs.contains(id), || format!("there is no {id}"))?;
        let here = self.place.map(|(func, _)| func);
        let mut foreign = None;
        self.program.exprs.visit(id, &mut |_, node| match node {
            Expr::Var(var) => {
                let owner = self.program.vars[var].owner;
                if owner.is_some() && owner != here {
                    foreign = Some(format!("{var}"));
                }
            }
            Expr::Addr(object) => match self.program.objects[object].kind {
                ObjKind::Local(owner) if Some(owner) != here => foreign = Some(format!("{object}")),
                ObjKind::Heap(_) | ObjKind::Thread => foreign = Some(format!("{object}")),
                _ => {}
            },
            _ => {}
        });
        match foreign {
            Some(it) => self.fail(format!("{it} does not belong to this function")),
            None => Ok(()),
        }
    }

    fn typed(&self, id: ExprId, ty: Ty) -> Checked {
        let found = self.program.exprs.ty(id);
        self.must(found == ty, || format!("{id} has type {found}, not {ty}"))
    }

    fn value(&self, id: ExprId, ty: Ty) -> Checked {
        self.expr(id)?;
        self.typed(id, ty)
    }

    fn size(&self, id: ExprId) -> Checked {
        self.value(id, Ty::Int(self.program.ptr_bits))
    }

    fn target(&self, var: VarId) -> Result<Ty, VerifyError> {
        match self.program.vars.get(var) {
            Some(info) if info.owner.is_none() || info.owner == self.place.map(|it| it.0) => {
                Ok(info.ty)
            }
            _ => self.fail(format!("{var} is no register of this function")),
        }
    }

    fn thread(&self, op: &ThreadOp) -> Checked {
        let number = Ty::Int(self.program.ptr_bits);
        let (dst, ty) = match op {
            ThreadOp::Spawn { dst, func, arg } => {
                self.value(*func, Ty::Ptr)?;
                self.value(*arg, Ty::Ptr)?;
                (*dst, number)
            }
            ThreadOp::Current { dst } => (*dst, number),
            ThreadOp::Exists { dst, thread } | ThreadOp::Ended { dst, thread } => {
                self.value(*thread, number)?;
                (*dst, Ty::BOOL)
            }
            ThreadOp::Result { dst, thread } => {
                self.value(*thread, number)?;
                return self.target(*dst).map(drop);
            }
            ThreadOp::Forget { thread } => return self.value(*thread, number),
            ThreadOp::Own { dst, object } => {
                let info = self.program.objects.get(*object);
                let is_own = info.is_some_and(|it| it.kind == ObjKind::Thread);
                self.must(is_own, || format!("{object} is not one of each thread"))?;
                (*dst, Ty::Ptr)
            }
            ThreadOp::Begin
            | ThreadOp::End
            | ThreadOp::Unordered
            | ThreadOp::Orders { .. }
            | ThreadOp::Fence { .. } => return Ok(()),
            ThreadOp::Wait { cond } => return self.value(*cond, Ty::BOOL),
        };
        let found = self.target(dst)?;
        self.must(found == ty, || format!("{dst} has type {found}, not {ty}"))
    }

    fn op(&self, op: &Op) -> Checked {
        let objects = &self.program.objects;
        match op {
            Op::Set { dst, value } => self.value(*value, self.target(*dst)?),
            Op::Nondet { dst, .. } => self.target(*dst).map(drop),
            Op::Load { dst, ptr } => {
                self.target(*dst)?;
                self.value(*ptr, Ty::Ptr)
            }
            Op::Store { ptr, value } => {
                self.value(*ptr, Ty::Ptr)?;
                self.expr(*value)
            }
            Op::Copy { dst, src, size } => {
                self.value(*dst, Ty::Ptr)?;
                self.value(*src, Ty::Ptr)?;
                self.size(*size)
            }
            Op::Fill { dst, byte, size } => {
                self.value(*dst, Ty::Ptr)?;
                self.value(*byte, Ty::Int(8))?;
                self.size(*size)
            }
            Op::Repeat { dst, value, size } => {
                self.value(*dst, Ty::Ptr)?;
                self.value(*value, Ty::Ptr)?;
                self.size(*size)
            }
            Op::Havoc { ptr } | Op::Free { ptr } => self.value(*ptr, Ty::Ptr),
            Op::Enter { object, size } => {
                let info = objects.get(*object);
                let here = self.place.map(|it| ObjKind::Local(it.0));
                let local = info.is_some_and(|it| Some(it.kind) == here);
                self.must(local, || format!("{object} is no object of this function"))?;
                let sized = info.is_some_and(|it| it.size.is_some() != size.is_some());
                self.must(sized, || format!("{object} needs one size"))?;
                size.map_or(Ok(()), |size| self.size(size))
            }
            Op::Leave { object } => {
                let here = self.place.map(|it| ObjKind::Local(it.0));
                let local = objects.get(*object).is_some_and(|it| Some(it.kind) == here);
                self.must(local, || format!("{object} is no object of this function"))
            }
            Op::Alloc { dst, object, size } => {
                let ty = self.target(*dst)?;
                self.must(ty == Ty::Ptr, || format!("{dst} is no pointer"))?;
                let heap =
                    objects.get(*object).is_some_and(|it| matches!(it.kind, ObjKind::Heap(_)));
                self.must(heap, || format!("{object} is no heap object"))?;
                self.size(*size)
            }
            Op::Size { dst, ptr } => {
                let (ty, ptr_bits) = (self.target(*dst)?, self.program.ptr_bits);
                self.must(ty == Ty::Int(ptr_bits), || format!("{dst} is no size"))?;
                self.value(*ptr, Ty::Ptr)
            }
            Op::Call { dst, callee, args } => self.call(*dst, *callee, args),
            Op::Print { dst, args, .. } => {
                dst.map_or(Ok(()), |dst| self.target(dst).map(drop))?;
                args.iter().try_for_each(|&arg| self.expr(arg))
            }
            Op::Assume { cond } => self.value(*cond, Ty::BOOL),
            Op::Thread(op) => self.thread(op),
            Op::Check { check, cond } => {
                let known = self.program.checks.get(*check).is_some();
                self.must(known, || format!("there is no {check}"))?;
                match *cond {
                    Cond::Holds(e) => self.value(e, Ty::BOOL),
                    Cond::NotNull(e) | Cond::Alive(e) | Cond::Writable(e) | Cond::Freeable(e) => {
                        self.value(e, Ty::Ptr)
                    }
                    Cond::InBounds { ptr, size } | Cond::Written { ptr, size } => {
                        self.value(ptr, Ty::Ptr)?;
                        self.size(size)
                    }
                    Cond::Apart { a, b, size } => {
                        self.value(a, Ty::Ptr)?;
                        self.value(b, Ty::Ptr)?;
                        self.size(size)
                    }
                    Cond::NoLeak(_) | Cond::Watched | Cond::Fails => Ok(()),
                }
            }
        }
    }

    fn call(&self, dst: Option<VarId>, callee: Callee, args: &[ExprId]) -> Checked {
        args.iter().try_for_each(|&arg| self.expr(arg))?;
        let dst = dst.map(|dst| self.target(dst)).transpose()?;
        match callee {
            Callee::Ptr(ptr) => self.value(ptr, Ty::Ptr),
            Callee::Func(func) => {
                let Some(func) = self.program.funcs.get(func) else {
                    return self.fail("call of no function");
                };
                let fits = func.params.len() == args.len();
                self.must(fits, || format!("{} takes {} values", func.name, func.params.len()))?;
                for (&param, &arg) in func.params.iter().zip(args) {
                    self.typed(arg, self.program.vars[param].ty)?;
                }
                self.must(dst.is_none() || dst == func.result, || {
                    format!("{} returns another type", func.name)
                })
            }
        }
    }

    fn term(&self, func: FuncId, term: &Term) -> Checked {
        let func = &self.program.funcs[func];
        for to in term.successors() {
            self.must(func.blocks.get(to).is_some(), || format!("there is no {to}"))?;
        }
        match term {
            Term::Goto(_) => Ok(()),
            Term::Branch { cond, .. } => self.value(*cond, Ty::BOOL),
            Term::Switch { value, cases, .. } => {
                self.expr(*value)?;
                let Ty::Int(width) = self.program.exprs.ty(*value) else {
                    return self.fail("switch on no number");
                };
                let mut seen = rustc_hash::FxHashSet::default();
                let once =
                    cases.iter().all(|&(it, _)| it <= crate::eval::mask(width) && seen.insert(it));
                self.must(once, || "a case is repeated or too wide".into())
            }
            Term::Return(value) => match (value, func.result) {
                (None, None) => Ok(()),
                (Some(value), Some(ty)) => self.value(*value, ty),
                _ => self.fail("return does not fit the function"),
            },
            Term::Stop(Stop::Thread(value)) => self.expr(*value),
            Term::Stop(Stop::Exit(code)) => self.value(*code, Ty::Int(32)),
            Term::Stop(_) => Ok(()),
        }
    }
}
