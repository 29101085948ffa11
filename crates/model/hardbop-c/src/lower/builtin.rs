//! Calls of functions with a meaning of their own (see `builtins` for which these are).

use hardbop_base::{Name, Span};
use hardbop_cir::{
    BinOp, Callee, Class, Cond, Expr as Node, ExprId, FloatTy, Holder, Op, Source, Stop, Term,
    ThreadOp, Ty,
};
use hardbop_diag::codes;

use super::Lowered;
use super::atomic::Orders;
use super::place::{Val, ValKind};
use super::scope::Global;
use super::state::Lower;
use crate::builtins::{self, Builtin, Operand, Space};
use crate::syntax::ast::{Expr, ExprKind};
use crate::types::{CType, TypeKind};

impl Lower<'_> {
    /// `None` if the name has no meaning of its own.
    pub fn builtin_call(
        &mut self,
        name: &Name,
        result: &CType,
        args: &[Expr],
        is_defined: bool,
        span: Span,
    ) -> Lowered<Option<Val>> {
        // These are the goal even where the program gives them a body.
        if self.options.goals.is_call(name) {
            for arg in args {
                self.rvalue(arg)?;
            }
            self.check(Class::Assert, Cond::Fails, format!("`{name}` may be called"), span);
            self.finish(Term::Stop(Stop::Abort), span);
            return Ok(Some(Val::VOID));
        }
        if is_defined {
            return Ok(None);
        }
        if let Some(value) = self.intrinsic_call(name, args, span)? {
            return Ok(Some(value));
        }
        if let Some(act) = self.options.locks.find(name) {
            return self.lock_call(act, name, result, args, span).map(Some);
        }
        let Some((space, builtin)) = builtins::find(name, args.len()) else { return Ok(None) };
        if space == Space::Kernel {
            self.assume_said(format!("`{name}` is the function of that name of the Linux kernel"));
        }
        self.meaning(builtin, name, result, args, span).map(Some)
    }

    fn meaning(
        &mut self,
        builtin: Builtin,
        name: &Name,
        result: &CType,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        match builtin {
            Builtin::Nondet => self.nondet_call(name, result, args, span),
            Builtin::Assert => self.assertion(args, None, span),
            Builtin::AssertSaying => self.assertion(args, args.get(1), span),
            Builtin::Assume => {
                let cond = self.condition(&args[0])?;
                self.emit(Op::Assume { cond }, span);
                Ok(Val::VOID)
            }
            Builtin::AssertFail => {
                let text = args.first().map(string_text).unwrap_or_default();
                self.goal(Cond::Fails, format!("assertion `{text}` may fail"), span);
                self.finish(Term::Stop(Stop::Abort), span);
                Ok(Val::VOID)
            }
            Builtin::Abort => {
                self.library_call("__hardbop_at_abort", Vec::new(), span);
                self.let_no_jump_pass(span);
                let message = "memory may still be allocated at the end";
                self.check(Class::Cleanup, Cond::NoLeak(Holder::System), message, span);
                self.finish(Term::Stop(Stop::Abort), span);
                Ok(Val::VOID)
            }
            Builtin::Exit | Builtin::ExitNow => {
                let code = self.rvalue(&args[0])?;
                let code = self.convert(&code, &CType::INT, span)?;
                let mut code = self.scalar(&code, span)?;
                if builtin == Builtin::Exit {
                    code = self.snapshot(code, span);
                    self.run_exit_handlers(span);
                    self.run_ends(span);
                } else if &**name == "quick_exit" {
                    code = self.snapshot(code, span);
                    self.library_call("__hardbop_at_quick_end", Vec::new(), span);
                    self.let_no_jump_pass(span);
                }
                self.check_heap(Holder::Calls, span);
                self.finish(Term::Stop(Stop::Exit(code)), span);
                Ok(Val::VOID)
            }
            Builtin::Unreachable => {
                let message = "code marked as unreachable may be reached";
                self.check(Class::Unreachable, Cond::Fails, message, span);
                self.finish(Term::Stop(Stop::Unreachable), span);
                Ok(Val::VOID)
            }
            Builtin::AtomicSection(begins) => {
                if self.has_threads {
                    let op = if begins { ThreadOp::Begin } else { ThreadOp::End };
                    self.emit(Op::Thread(op), span);
                }
                Ok(Val::VOID)
            }
            Builtin::Atomic(_) | Builtin::AtomicFlag(_) if self.has_threads => {
                let orders = self.orders_of(builtin, name, args, span)?;
                match builtin {
                    Builtin::Atomic(act) => self.atomic(act, args, orders, span),
                    _ => {
                        let sets = builtin == Builtin::AtomicFlag(true);
                        self.atomic_flag(sets, &args[0], orders, span)
                    }
                }
            }
            Builtin::Atomic(act) => self.atomic(act, args, Orders::FULL, span),
            Builtin::AtomicFlag(sets) => self.atomic_flag(sets, &args[0], Orders::FULL, span),
            Builtin::Fence => {
                self.fence(args, span)?;
                Ok(Val::VOID)
            }
            Builtin::Nothing => {
                self.plain_args(args)?;
                Ok(Val::VOID)
            }
            Builtin::Malloc => self.malloc(name, args, false, span),
            Builtin::MallocZeroed => self.malloc(name, args, true, span),
            Builtin::Calloc => self.calloc(args, span),
            Builtin::Alloca => self.alloca(args, span),
            Builtin::Free => self.free(args, span),
            Builtin::Memcpy => self.memcpy(args, true, span),
            Builtin::Memmove => self.memcpy(args, false, span),
            Builtin::Memset => self.memset(args, span),
            Builtin::Print(kind) => self.output(kind, args, span),
            Builtin::PrintTo => self.output_to(args, span),
            Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy => {
                self.va_call(builtin, args, span)
            }
            Builtin::Expect => {
                let value = self.rvalue(&args[0])?;
                for arg in &args[1..] {
                    self.rvalue(arg)?;
                }
                let long = self.types.long(true);
                self.convert(&value, &long, span)
            }
            Builtin::First => self.rvalue(&args[0]),
            Builtin::ConstantP => {
                let value = self.unevaluated(|lower| lower.rvalue(&args[0]))?;
                let known = match (value.kind, &args[0].kind) {
                    (_, ExprKind::Str { .. }) => true,
                    (ValKind::Scalar(id), _) => {
                        matches!(
                            self.program.exprs.get(id),
                            Node::Int { .. } | Node::Float { .. } | Node::Null
                        )
                    }
                    _ => false,
                };
                Ok(self.int_const(i128::from(known), CType::INT))
            }
            Builtin::ObjectSize => {
                let kind = match args.get(1) {
                    Some(kind) => self.const_int(kind)?,
                    None => 0,
                };
                self.object_size(&args[0], kind)
            }
            Builtin::Infinity(ty) => Ok(self.float_const(f64::INFINITY, ty)),
            Builtin::Nan(ty) => Ok(self.float_const(f64::NAN, ty)),
            Builtin::Overflow(op, operand) => {
                let operand = operand.map(|it| self.operand_type(it));
                self.overflow_builtin(op, operand, args, span)
            }
            Builtin::OverflowAsked(op) => {
                let to = self.rvalue(&args[2])?;
                let (overflows, _) = self.overflow(op, None, args, &to.ctype, span)?;
                Ok(Val::scalar(CType::BOOL, overflows))
            }
            Builtin::SetJump => self.set_jump(name, args, span),
            Builtin::LongJump => self.long_jump(name, args, span),
            Builtin::Unsupported | Builtin::OfThreads => {
                self.unsupported(span, format!("`{name}`"));
                self.dead_value(result, span)
            }
        }
    }

    fn float_const(&mut self, value: f64, ty: FloatTy) -> Val {
        let node = self.program.exprs.add(Node::Float { ty, bits: value.to_bits() });
        Val::scalar(CType::new(TypeKind::Float(ty)), node)
    }

    fn operand_type(&self, operand: Operand) -> CType {
        match operand {
            Operand::Int { is_signed } => CType::int(32, is_signed, 3),
            Operand::Long { is_signed } => self.types.long(is_signed),
            Operand::LongLong { is_signed } => CType::int(64, is_signed, 5),
        }
    }

    /// A check of class `assert`, if assertions are what is asked for.
    fn goal(&mut self, cond: Cond, message: String, span: Span) {
        if self.options.goals.assertions {
            self.check(Class::Assert, cond, message, span);
        }
    }

    /// What `atexit` was told, if the program uses it.
    pub fn run_exit_handlers(&mut self, span: Span) {
        if let Some(Global::Func { id: Some(id), .. }) = self.globals.get("__hardbop_at_end") {
            let callee = Callee::Func(*id);
            self.emit(Op::Call { dst: None, callee, args: Vec::new() }, span);
            self.let_no_jump_pass(span);
        }
    }

    fn missing<T>(&self, span: Span) -> Lowered<T> {
        self.error(codes::c::TYPE, span, "an argument is missing")
    }

    /// Some value of a type, for code that is never executed.
    pub fn dead_value(&mut self, result: &CType, span: Span) -> Lowered<Val> {
        match self.types.ty(result) {
            Some(ty) => {
                let value = self.nondet(ty, result.is_signed(), Source::Uninit, span);
                Ok(Val::scalar(result.clone(), value))
            }
            None if result.is_void() => Ok(Val::VOID),
            None => {
                let ptr = self.temp_object(result, span)?;
                Ok(Val { ctype: result.clone(), kind: ValKind::Record(ptr) })
            }
        }
    }

    fn assertion(&mut self, args: &[Expr], said: Option<&Expr>, span: Span) -> Lowered<Val> {
        let cond = self.condition(&args[0])?;
        let text = match said {
            Some(said) => string_text(said),
            None => self.text(args[0].span),
        };
        match self.options.goals.assertions && self.checks(Class::Assert) {
            true => self.goal(Cond::Holds(cond), format!("assertion `{text}` may fail"), span),
            // Not asked about, the program ends there all the same.
            false => self.emit(Op::Assume { cond }, span),
        }
        Ok(Val::VOID)
    }

    fn nondet_call(
        &mut self,
        name: &Name,
        declared: &CType,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        let kind = name.strip_prefix("__VERIFIER_nondet_").unwrap_or(name);
        // Undeclared functions return int: the name says more.
        let by_name = self.named_type(kind);
        let is_declared = self.lookup(name).is_some();
        let ctype = match by_name {
            Some(ctype) if !is_declared => ctype,
            _ => declared.clone(),
        };
        if kind == "memory" {
            let values = self.plain_args(args)?;
            if let Some(Val { kind: ValKind::Scalar(ptr), .. }) = values.first() {
                self.emit(Op::Havoc { ptr: *ptr }, span);
            }
            return Ok(Val::VOID);
        }
        let Some(ty) = self.types.ty(&ctype) else {
            return self.external_result(name, &ctype, span);
        };
        if matches!(ty, Ty::Float(it) if it.is_wider_than_double()) {
            self.unsupported(span, format!("`{name}`"));
        }
        let value = self.nondet(ty, ctype.is_signed(), Source::Input(name.clone()), span);
        self.bool_range(&ctype, value, span);
        Ok(Val::scalar(ctype, value))
    }

    /// The type that the end of a name such as `__VERIFIER_nondet_uint` stands for.
    pub fn named_type(&self, kind: &str) -> Option<CType> {
        let long = self.options.model.ptr_bits();
        match kind {
            "bool" | "_Bool" => Some(CType::BOOL),
            "char" => Some(CType::CHAR),
            "uchar" | "u8" => Some(CType::int(8, false, 1)),
            "short" => Some(CType::int(16, true, 2)),
            "int" => Some(CType::INT),
            "ushort" | "u16" => Some(CType::int(16, false, 2)),
            "uint" | "unsigned" | "u32" => Some(CType::UINT),
            "long" | "loff_t" => Some(CType::int(long, true, 4)),
            "ulong" | "size_t" | "sector_t" => Some(CType::int(long, false, 4)),
            "longlong" => Some(CType::int(64, true, 5)),
            "ulonglong" => Some(CType::int(64, false, 5)),
            "float" => Some(CType::new(TypeKind::Float(FloatTy::F32))),
            "double" => Some(CType::DOUBLE),
            "pointer" | "pchar" => Some(CType::VOID.ptr_to()),
            _ => None,
        }
    }

    fn overflow_builtin(
        &mut self,
        op: BinOp,
        operand: Option<CType>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        let to = self.rvalue(&args[2])?;
        let Some(ctype) = to.ctype.pointee().cloned() else { return self.missing(span) };
        let (overflows, cut) = self.overflow(op, operand, args, &ctype, span)?;
        let ptr = self.scalar(&to, span)?;
        let text = self.text(args[2].span);
        let size = self.types.size(&ctype).unwrap_or(0);
        let size = self.size_expr(size);
        self.guard_pointer(ptr, size, &text, true, span);
        self.emit(Op::Store { ptr, value: cut }, span);
        Ok(Val::scalar(CType::BOOL, overflows))
    }

    /// Whether the first two arguments give what does not fit a type, as a `_Bool`, and what is left of it in the type.
    fn overflow(
        &mut self,
        op: BinOp,
        operand: Option<CType>,
        args: &[Expr],
        ctype: &CType,
        span: Span,
    ) -> Lowered<(ExprId, ExprId)> {
        let (mut a, mut b) = (self.rvalue(&args[0])?, self.rvalue(&args[1])?);
        if let Some(operand) = operand {
            a = self.convert(&a, &operand, span)?;
            b = self.convert(&b, &operand, span)?;
        }
        let (Some(Ty::Int(width)), true) =
            (self.types.ty(ctype), a.ctype.is_integer() && b.ctype.is_integer())
        else {
            return self.error(codes::c::TYPE, span, "these arguments are no integers");
        };
        let widest = self.int_bits(&a.ctype).max(self.int_bits(&b.ctype)).max(width);
        if widest > 64 {
            return self.error(
                codes::c::UNSUPPORTED,
                span,
                "this builtin on `__int128` is not supported",
            );
        }
        // 128 bits hold every sum and product of 64-bit numbers but the largest unsigned products,
        // which a signed reading takes for negative: still outside the range of the result.
        let exact = |lower: &mut Self, value: &Val| -> Lowered<hardbop_cir::ExprId> {
            let id = lower.scalar(value, span)?;
            Ok(lower.program.exprs.resize(id, 128, value.ctype.is_signed()))
        };
        let (x, y) = (exact(self, &a)?, exact(self, &b)?);
        let full = self.node(Node::Binary(op, x, y), span);
        let cut = self.program.exprs.resize(full, width, false);
        let back = self.program.exprs.resize(cut, 128, ctype.is_signed());
        let overflows = self.node(Node::Binary(BinOp::Ne, back, full), span);
        let overflows = self.snapshot(overflows, span);
        Ok((self.program.exprs.resize(overflows, 8, false), cut))
    }

    /// What compilers know without optimisation: of a variable that is named, all of it.
    fn object_size(&mut self, arg: &Expr, kind: i128) -> Lowered<Val> {
        let ctype = self.types.size_type();
        let mut whole = arg;
        while let ExprKind::Cast(_, of) = &whole.kind {
            whole = of;
        }
        // The member or element at hand, where that is another object than the whole.
        if kind % 2 == 1 && !matches!(whole.kind, ExprKind::Ident(_)) {
            self.unsupported(arg.span, "the size of a part of an object");
        }
        let ptr = self.unevaluated(|lower| lower.pointer_value(arg))?;
        let pool = &self.program.exprs;
        let (base, offset) = match pool.get(ptr) {
            Node::Binary(BinOp::PtrAdd, base, offset) => (pool.get(base), pool.as_int(offset)),
            base => (base, Some(0)),
        };
        let size = match (base, offset) {
            (Node::Addr(object), Some(offset)) => self.program.objects[object]
                .size
                .map(|size| u128::from(size).saturating_sub(offset) as u64),
            _ => None,
        };
        let size = size.map_or(if kind < 2 { -1 } else { 0 }, i128::from);
        Ok(self.int_const(size, ctype))
    }
}

fn string_text(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Str { units, .. } => units.iter().filter_map(|&it| char::from_u32(it)).collect(),
        ExprKind::Cast(_, of) => string_text(of),
        _ => "…".into(),
    }
}
