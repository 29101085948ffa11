//! Functions with a meaning of their own: the verifiers' intrinsics, the compiler's builtins, the
//! part of the library that touches memory or ends the program. The rest of the library is C text
//! (see `library`).

use hardbop_base::{Name, Span};
use hardbop_cir::{
    BinOp, Class, Cond, Expr as Node, FloatTy, Op, PrintKind, Source, Stop, Term, Ty,
};
use hardbop_diag::codes;

use super::Lowered;
use super::place::{Val, ValKind};
use super::state::Lower;
use crate::syntax::ast::{Expr, ExprKind};
use crate::types::{CType, TypeKind};

/// What runs code of the program elsewhere, later or in another order, or leaves the function at hand
/// otherwise than by returning. None of it may be taken for a function that only returns something.
const NOT_MODELLED: &[&str] = &[
    // Called at the end of the program.
    "atexit",
    "on_exit",
    "at_quick_exit",
    // Jumps.
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "setcontext",
    "makecontext",
    "swapcontext",
    "return_address",
    "frame_address",
    // Processes and threads.
    "fork",
    "vfork",
    "clone",
    "pthread_create",
    "pthread_exit",
    "pthread_join",
    "pthread_cancel",
    "pthread_once",
    "pthread_atfork",
    "pthread_key_create",
    "thrd_create",
    "thrd_exit",
    "thrd_join",
    "call_once",
    "tss_create",
    // Signals.
    "signal",
    "bsd_signal",
    "sysv_signal",
    "__sysv_signal",
    "sigset",
    "sigaction",
    "raise",
    "pthread_kill",
];

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
        if matches!(&**name, "__VERIFIER_error" | "reach_error") {
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
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            return self.nondet_call(name, kind, result, args, span).map(Some);
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let plain = plain.strip_suffix("_unlocked").unwrap_or(plain);
        if let Some(act) = self.options.locks.find(plain) {
            return self.lock_call(act, name, result, args, span).map(Some);
        }
        let value = match plain {
            "__VERIFIER_assert" | "assert" | "__CPROVER_assert" | "__ESBMC_assert" => {
                self.assertion(name, args, span)?
            }
            "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "assume" => {
                let Some(arg) = args.first() else { return self.missing(span) };
                let cond = self.condition(arg)?;
                self.emit(Op::Assume { cond }, span);
                Val::VOID
            }
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" | "_assert" => {
                let text = args.first().map(string_text).unwrap_or_default();
                self.check(
                    Class::Assert,
                    Cond::Fails,
                    format!("assertion `{text}` may fail"),
                    span,
                );
                self.finish(Term::Stop(Stop::Abort), span);
                Val::VOID
            }
            "abort" | "trap" => {
                self.finish(Term::Stop(Stop::Abort), span);
                Val::VOID
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let Some(arg) = args.first() else { return self.missing(span) };
                let code = self.rvalue(arg)?;
                let code = self.convert(&code, &CType::INT, span)?;
                let code = self.scalar(&code, span)?;
                self.finish(Term::Stop(Stop::Exit(code)), span);
                Val::VOID
            }
            "unreachable" => {
                self.check(
                    Class::Unreachable,
                    Cond::Fails,
                    "code marked as unreachable may be reached",
                    span,
                );
                self.finish(Term::Stop(Stop::Unreachable), span);
                Val::VOID
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" | "prefetch" => {
                self.plain_args(args)?;
                Val::VOID
            }
            "malloc" | "__kmalloc" | "kmalloc" | "vmalloc" if !args.is_empty() => {
                self.malloc(name, args, false, span)?
            }
            "kzalloc" if !args.is_empty() => self.malloc(name, args, true, span)?,
            "calloc" if args.len() == 2 => self.calloc(args, span)?,
            "realloc" if args.len() == 2 => self.realloc(args, span)?,
            "alloca" if args.len() == 1 => self.alloca(args, span)?,
            "free" | "kfree" | "vfree" | "cfree" if args.len() == 1 => self.free(args, span)?,
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" if args.len() >= 3 => {
                self.memcpy(args, span)?
            }
            "memset" | "__memset_chk" if args.len() >= 3 => self.memset(args, span)?,
            "printf" | "__printf_chk" | "puts" | "putchar" | "fprintf" | "vprintf" | "vfprintf"
            | "fputs" | "putc" | "fputc" | "perror" | "fflush" | "fwrite" | "printk" => {
                self.print(plain, args, span)?
            }
            "va_start" | "va_end" | "va_copy" => self.va_call(plain, args, span)?,
            "expect" | "expect_with_probability" if !args.is_empty() => {
                let value = self.rvalue(&args[0])?;
                for arg in &args[1..] {
                    self.rvalue(arg)?;
                }
                let long = self.types.long(true);
                self.convert(&value, &long, span)?
            }
            "assume_aligned" if !args.is_empty() => self.rvalue(&args[0])?,
            "constant_p" => {
                let known = match args.first() {
                    Some(arg) => self.unevaluated(|lower| lower.rvalue(arg))?,
                    None => return self.missing(span),
                };
                let known = match known.kind {
                    ValKind::Scalar(id) => self.program.exprs.as_int(id).is_some(),
                    _ => false,
                };
                self.int_const(i128::from(known), CType::INT)
            }
            "object_size" | "dynamic_object_size" => {
                let ctype = self.types.size_type();
                let kind = match args.get(1) {
                    Some(kind) => self.const_int(kind)?,
                    None => 0,
                };
                self.int_const(if kind < 2 { -1 } else { 0 }, ctype)
            }
            "huge_val" | "inf" | "huge_valf" | "inff" | "nan" | "nanf" => {
                let value = if plain.starts_with("nan") { f64::NAN } else { f64::INFINITY };
                let ty = if plain.ends_with('f') && plain != "inf" {
                    FloatTy::F32
                } else {
                    FloatTy::F64
                };
                let node = self.program.exprs.add(Node::Float { ty, bits: value.to_bits() });
                Val::scalar(CType::new(TypeKind::Float(ty)), node)
            }
            _ if args.len() == 3
                && let Some((op, operand)) = self.overflow_name(plain) =>
            {
                self.overflow_builtin(op, operand, args, span)?
            }
            _ if NOT_MODELLED.contains(&plain) => {
                self.unsupported(span, format!("`{name}`"));
                self.dead_value(result, span)?
            }
            // Other verifiers' words are no functions without a body: they have a meaning we lack.
            _ if ["__sync_", "__atomic_", "__CPROVER_", "__ESBMC_"]
                .iter()
                .any(|prefix| plain.starts_with(prefix)) =>
            {
                self.unsupported(span, format!("`{name}`"));
                self.dead_value(result, span)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
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

    fn assertion(&mut self, name: &str, args: &[Expr], span: Span) -> Lowered<Val> {
        let Some(arg) = args.first() else { return self.missing(span) };
        let cond = self.condition(arg)?;
        let text = match args.get(1) {
            Some(said) if name.ends_with("PROVER_assert") || name.ends_with("BMC_assert") => {
                string_text(said)
            }
            _ => self.text(arg.span),
        };
        self.check(Class::Assert, Cond::Holds(cond), format!("assertion `{text}` may fail"), span);
        Ok(Val::VOID)
    }

    fn nondet_call(
        &mut self,
        name: &Name,
        kind: &str,
        declared: &CType,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        let long = self.options.model.ptr_bits();
        // Undeclared functions return int: the name says more.
        let by_name = match kind {
            "bool" | "_Bool" => Some(CType::BOOL),
            "char" => Some(CType::CHAR),
            "uchar" | "u8" => Some(CType::int(8, false, 1)),
            "short" => Some(CType::int(16, true, 2)),
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
        };
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

    fn print(&mut self, name: &str, args: &[Expr], span: Span) -> Lowered<Val> {
        let values = self.plain_args(args)?;
        let kind = match name {
            "printf" => PrintKind::Printf,
            "puts" => PrintKind::Puts,
            "putchar" => PrintKind::Putchar,
            _ => PrintKind::Other,
        };
        let mut operands = Vec::new();
        for value in &values {
            if let ValKind::Scalar(id) = value.kind {
                operands.push(id);
            }
        }
        self.assume_said("output succeeds and its format fits its arguments");
        let dst = self.temp(Ty::Int(32), true);
        self.emit(Op::Print { dst: Some(dst), kind, args: operands }, span);
        Ok(Val::scalar(CType::INT, self.var_expr(dst)))
    }

    /// `add_overflow` on operands as they are, `saddl_overflow` on two `long`, and so on.
    fn overflow_name(&self, name: &str) -> Option<(BinOp, Option<CType>)> {
        let name = name.strip_suffix("_overflow")?;
        let split = |name: &'_ str| match name.get(..3)? {
            "add" => Some((BinOp::Add, name.len() - 3)),
            "sub" => Some((BinOp::Sub, name.len() - 3)),
            "mul" => Some((BinOp::Mul, name.len() - 3)),
            _ => None,
        };
        if let Some((op, 0)) = split(name) {
            return Some((op, None));
        }
        let is_signed = name.starts_with('s');
        let (op, _) = split(name.strip_prefix(['s', 'u'])?)?;
        let operand = match &name[4..] {
            "" => CType::int(32, is_signed, 3),
            "l" => self.types.long(is_signed),
            "ll" => CType::int(64, is_signed, 5),
            _ => return None,
        };
        Some((op, Some(operand)))
    }

    fn overflow_builtin(
        &mut self,
        op: BinOp,
        operand: Option<CType>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        let (mut a, mut b) = (self.rvalue(&args[0])?, self.rvalue(&args[1])?);
        if let Some(operand) = operand {
            a = self.convert(&a, &operand, span)?;
            b = self.convert(&b, &operand, span)?;
        }
        let to = self.rvalue(&args[2])?;
        let Some(ctype) = to.ctype.pointee().cloned() else { return self.missing(span) };
        let (Some(Ty::Int(width)), true) =
            (self.types.ty(&ctype), a.ctype.is_integer() && b.ctype.is_integer())
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
        let ptr = self.scalar(&to, span)?;
        let text = self.text(args[2].span);
        let size = self.size_expr(u64::from(width / 8));
        self.guard_pointer(ptr, size, &text, true, span);
        self.emit(Op::Store { ptr, value: cut }, span);
        let value = self.program.exprs.resize(overflows, 8, false);
        Ok(Val::scalar(CType::BOOL, value))
    }
}

fn string_text(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Str { units, .. } => units.iter().filter_map(|&it| char::from_u32(it)).collect(),
        ExprKind::Cast(_, of) => string_text(of),
        _ => "…".into(),
    }
}
