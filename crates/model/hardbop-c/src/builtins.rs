//! Functions with a meaning of their own, by their full names: the verifiers' intrinsics, the
//! compiler's builtins, the part of the C library that touches memory or ends the program, the
//! kernel's names for these. The rest of the library is C text (see `library`).
//!
//! A function of one of these names that the program defines is the program's. `docs/c-names.md`
//! holds the table for people; a test compares the two.

use hardbop_cir::{BinOp, FloatTy, PrintKind};

use Builtin::*;
use Space::{Compiler, Kernel, Library, Verifier};

/// What is done where such a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    Assert,
    /// The same, with a message as its second argument.
    AssertSaying,
    /// Called where an assertion has failed.
    AssertFail,
    Assume,
    /// Any value of the type the name or the declaration says.
    Nondet,
    Abort,
    /// After what `atexit` was told.
    Exit,
    ExitNow,
    Unreachable,
    /// The arguments are evaluated, nothing else.
    Nothing,
    /// Orders the atomic accesses of a thread.
    Fence,
    /// Begins, or ends, what no other thread interrupts.
    AtomicSection(bool),
    Malloc,
    MallocZeroed,
    Calloc,
    Alloca,
    Free,
    Memcpy,
    Memmove,
    Memset,
    Print(PrintKind),
    /// To the stream that is the first argument.
    PrintTo,
    VaStart,
    VaEnd,
    VaCopy,
    /// The first argument as a `long`.
    Expect,
    /// The first argument.
    First,
    ConstantP,
    ObjectSize,
    Infinity(FloatTy),
    Nan(FloatTy),
    /// With an operand the arguments are converted to its type before.
    Overflow(BinOp, Option<Operand>),
    /// Only whether it fits the type of the third argument.
    OverflowAsked(BinOp),
    Atomic(Atomic),
    /// The first byte of what the argument points to becomes this; the result is what it was.
    AtomicFlag(bool),
    SetJump,
    LongJump,
    /// A function of the library where the program starts threads; elsewhere the path ends as unsupported.
    OfThreads,
    /// The path ends as unsupported.
    Unsupported,
}

/// An access that no other thread sees half done; the memory is what the first argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomic {
    Load(Passing),
    Store(Passing),
    Exchange(Passing),
    /// With an expected value in memory, which is brought up to date.
    CompareExchange(Passing),
    /// With an expected value as an argument.
    CompareAndSwap(Yields),
    Modify(Combine, Yields),
    /// Writes 0.
    Release,
}

/// How values are handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    Value,
    Pointer,
}

/// Which value is the result; of a compare and swap the new one is whether it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Yields {
    Old,
    New,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    Int { is_signed: bool },
    Long { is_signed: bool },
    LongLong { is_signed: bool },
}

/// Whose name it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// The compiler's: the name is exactly this.
    Compiler,
    /// The C library's or POSIX's; with `__builtin_` before it, it is the same function.
    Library,
    Verifier,
    /// The Linux kernel's, which a program may use for something else: an assumption says so.
    Kernel,
}

const S: bool = true;
const U: bool = false;
const F32: FloatTy = FloatTy::F32;
const F64: FloatTy = FloatTy::F64;

/// Name, whose it is, the fewest arguments, what is done.
pub type Row = (&'static str, Space, usize, Builtin);

pub const TABLE: &[Row] = &[
    ("__VERIFIER_assert", Verifier, 1, Assert),
    ("__CPROVER_assert", Verifier, 1, AssertSaying),
    ("__ESBMC_assert", Verifier, 1, AssertSaying),
    ("__VERIFIER_assume", Verifier, 1, Assume),
    ("__CPROVER_assume", Verifier, 1, Assume),
    ("__ESBMC_assume", Verifier, 1, Assume),
    ("__VERIFIER_atomic_begin", Verifier, 0, AtomicSection(true)),
    ("__VERIFIER_atomic_end", Verifier, 0, AtomicSection(false)),
    ("assert", Library, 1, Assert),
    ("__assert_fail", Library, 0, AssertFail),
    ("__assert", Library, 0, AssertFail),
    ("__assert_rtn", Library, 0, AssertFail),
    ("__assert_perror_fail", Library, 0, AssertFail),
    ("_assert", Library, 0, AssertFail),
    ("abort", Library, 0, Abort),
    ("exit", Library, 1, Exit),
    ("_exit", Library, 1, ExitNow),
    ("_Exit", Library, 1, ExitNow),
    ("quick_exit", Library, 1, ExitNow),
    ("malloc", Library, 1, Malloc),
    ("calloc", Library, 2, Calloc),
    ("alloca", Library, 1, Alloca),
    ("free", Library, 1, Free),
    ("cfree", Library, 1, Free),
    ("memcpy", Library, 3, Memcpy),
    ("memmove", Library, 3, Memmove),
    ("memset", Library, 3, Memset),
    ("__memcpy_chk", Library, 3, Memcpy),
    ("__memmove_chk", Library, 3, Memmove),
    ("__memset_chk", Library, 3, Memset),
    ("printf", Library, 1, Print(PrintKind::Printf)),
    ("puts", Library, 1, Print(PrintKind::Puts)),
    ("putchar", Library, 1, Print(PrintKind::Putchar)),
    ("putchar_unlocked", Library, 1, Print(PrintKind::Putchar)),
    ("fprintf", Library, 2, PrintTo),
    ("va_start", Library, 1, VaStart),
    ("va_end", Library, 1, VaEnd),
    ("va_copy", Library, 2, VaCopy),
    // What runs code of the program elsewhere, later or in another order, or leaves the function at
    // hand otherwise than by returning: none of it only returns something. First, at the end.
    ("on_exit", Library, 0, Unsupported),
    // Jumps.
    ("setjmp", Library, 1, SetJump),
    ("_setjmp", Library, 1, SetJump),
    ("__sigsetjmp", Library, 1, SetJump),
    ("sigsetjmp", Library, 1, SetJump),
    ("longjmp", Library, 2, LongJump),
    ("_longjmp", Library, 2, LongJump),
    ("siglongjmp", Library, 2, LongJump),
    ("setcontext", Library, 0, Unsupported),
    ("makecontext", Library, 0, Unsupported),
    ("swapcontext", Library, 0, Unsupported),
    // Processes and threads.
    ("fork", Library, 0, Unsupported),
    ("vfork", Library, 0, Unsupported),
    ("clone", Library, 4, Unsupported),
    ("pthread_create", Library, 0, OfThreads),
    ("pthread_exit", Library, 0, OfThreads),
    ("pthread_join", Library, 0, OfThreads),
    ("pthread_cancel", Library, 0, Unsupported),
    ("pthread_atfork", Library, 0, Unsupported),
    ("thrd_create", Library, 0, OfThreads),
    ("thrd_exit", Library, 0, OfThreads),
    ("thrd_join", Library, 0, OfThreads),
    ("tss_create", Library, 0, Unsupported),
    // Signals.
    ("sysv_signal", Library, 0, Unsupported),
    ("__sysv_signal", Library, 0, Unsupported),
    ("sigset", Library, 0, Unsupported),
    ("sigaction", Library, 0, Unsupported),
    ("pthread_kill", Library, 0, Unsupported),
    // Functions whose result or effect is fixed, and not modelled: any result would be a wrong one.
    ("tmpnam", Library, 0, Unsupported),
    ("wcstold", Library, 0, Unsupported),
    ("wcstoimax", Library, 0, Unsupported),
    ("wcstoumax", Library, 0, Unsupported),
    ("fgetws", Library, 0, Unsupported),
    ("ungetwc", Library, 0, Unsupported),
    ("fwscanf", Library, 0, Unsupported),
    ("swprintf", Library, 0, Unsupported),
    ("swscanf", Library, 0, Unsupported),
    ("vfwprintf", Library, 0, Unsupported),
    ("vfwscanf", Library, 0, Unsupported),
    ("vswprintf", Library, 0, Unsupported),
    ("vswscanf", Library, 0, Unsupported),
    ("vwprintf", Library, 0, Unsupported),
    ("vwscanf", Library, 0, Unsupported),
    ("wscanf", Library, 0, Unsupported),
    ("wcsxfrm", Library, 0, Unsupported),
    ("wcsftime", Library, 0, Unsupported),
    ("mbsrtowcs", Library, 0, Unsupported),
    ("wcsrtombs", Library, 0, Unsupported),
    ("iswctype", Library, 0, Unsupported),
    ("wctype", Library, 0, Unsupported),
    ("towctrans", Library, 0, Unsupported),
    ("wctrans", Library, 0, Unsupported),
    ("mbrtoc16", Library, 0, Unsupported),
    ("c16rtomb", Library, 0, Unsupported),
    ("mbrtoc32", Library, 0, Unsupported),
    ("c32rtomb", Library, 0, Unsupported),
    ("feclearexcept", Library, 0, Unsupported),
    ("fegetexceptflag", Library, 0, Unsupported),
    ("feraiseexcept", Library, 0, Unsupported),
    ("fesetexceptflag", Library, 0, Unsupported),
    ("fetestexcept", Library, 0, Unsupported),
    ("fesetround", Library, 0, Unsupported),
    ("fegetenv", Library, 0, Unsupported),
    ("feholdexcept", Library, 0, Unsupported),
    ("fesetenv", Library, 0, Unsupported),
    ("feupdateenv", Library, 0, Unsupported),
    ("execve", Library, 0, Unsupported),
    ("execl", Library, 0, Unsupported),
    ("execlp", Library, 0, Unsupported),
    ("execle", Library, 0, Unsupported),
    ("kill", Library, 0, Unsupported),
    ("pause", Library, 0, Unsupported),
    ("strptime", Library, 0, Unsupported),
    ("strverscmp", Library, 0, Unsupported),
    ("fnmatch", Library, 0, Unsupported),
    ("regcomp", Library, 0, Unsupported),
    ("regexec", Library, 0, Unsupported),
    ("glob", Library, 0, Unsupported),
    ("dlopen", Library, 0, Unsupported),
    ("dlsym", Library, 0, Unsupported),
    ("hsearch", Library, 0, Unsupported),
    ("hcreate", Library, 0, Unsupported),
    ("erand48", Library, 0, Unsupported),
    ("clearenv", Library, 0, Unsupported),
    ("realpath", Library, 0, Unsupported),
    ("kmalloc", Kernel, 1, Malloc),
    ("__kmalloc", Kernel, 1, Malloc),
    ("vmalloc", Kernel, 1, Malloc),
    ("kzalloc", Kernel, 1, MallocZeroed),
    ("kfree", Kernel, 1, Free),
    ("vfree", Kernel, 1, Free),
    ("printk", Kernel, 1, Print(PrintKind::Other)),
    ("__builtin_trap", Compiler, 0, Abort),
    ("__builtin_unreachable", Compiler, 0, Unreachable),
    ("__builtin_prefetch", Compiler, 0, Nothing),
    ("__builtin_expect", Compiler, 1, Expect),
    ("__builtin_expect_with_probability", Compiler, 1, Expect),
    ("__builtin_assume_aligned", Compiler, 1, First),
    ("__builtin_constant_p", Compiler, 1, ConstantP),
    ("__builtin_object_size", Compiler, 1, ObjectSize),
    ("__builtin_dynamic_object_size", Compiler, 1, ObjectSize),
    ("__builtin_inf", Compiler, 0, Infinity(F64)),
    ("__builtin_inff", Compiler, 0, Infinity(F32)),
    ("__builtin_huge_val", Compiler, 0, Infinity(F64)),
    ("__builtin_huge_valf", Compiler, 0, Infinity(F32)),
    ("__builtin_nan", Compiler, 0, Nan(F64)),
    ("__builtin_nanf", Compiler, 0, Nan(F32)),
    ("__builtin_add_overflow", Compiler, 3, Overflow(BinOp::Add, None)),
    ("__builtin_sub_overflow", Compiler, 3, Overflow(BinOp::Sub, None)),
    ("__builtin_mul_overflow", Compiler, 3, Overflow(BinOp::Mul, None)),
    ("__builtin_add_overflow_p", Compiler, 3, OverflowAsked(BinOp::Add)),
    ("__builtin_sub_overflow_p", Compiler, 3, OverflowAsked(BinOp::Sub)),
    ("__builtin_mul_overflow_p", Compiler, 3, OverflowAsked(BinOp::Mul)),
    ("__builtin_sadd_overflow", Compiler, 3, Overflow(BinOp::Add, int(S))),
    ("__builtin_ssub_overflow", Compiler, 3, Overflow(BinOp::Sub, int(S))),
    ("__builtin_smul_overflow", Compiler, 3, Overflow(BinOp::Mul, int(S))),
    ("__builtin_uadd_overflow", Compiler, 3, Overflow(BinOp::Add, int(U))),
    ("__builtin_usub_overflow", Compiler, 3, Overflow(BinOp::Sub, int(U))),
    ("__builtin_umul_overflow", Compiler, 3, Overflow(BinOp::Mul, int(U))),
    ("__builtin_saddl_overflow", Compiler, 3, Overflow(BinOp::Add, long(S))),
    ("__builtin_ssubl_overflow", Compiler, 3, Overflow(BinOp::Sub, long(S))),
    ("__builtin_smull_overflow", Compiler, 3, Overflow(BinOp::Mul, long(S))),
    ("__builtin_uaddl_overflow", Compiler, 3, Overflow(BinOp::Add, long(U))),
    ("__builtin_usubl_overflow", Compiler, 3, Overflow(BinOp::Sub, long(U))),
    ("__builtin_umull_overflow", Compiler, 3, Overflow(BinOp::Mul, long(U))),
    ("__builtin_saddll_overflow", Compiler, 3, Overflow(BinOp::Add, long_long(S))),
    ("__builtin_ssubll_overflow", Compiler, 3, Overflow(BinOp::Sub, long_long(S))),
    ("__builtin_smulll_overflow", Compiler, 3, Overflow(BinOp::Mul, long_long(S))),
    ("__builtin_uaddll_overflow", Compiler, 3, Overflow(BinOp::Add, long_long(U))),
    ("__builtin_usubll_overflow", Compiler, 3, Overflow(BinOp::Sub, long_long(U))),
    ("__builtin_umulll_overflow", Compiler, 3, Overflow(BinOp::Mul, long_long(U))),
    ("__atomic_load_n", Compiler, 2, Atomic(Atomic::Load(Passing::Value))),
    ("__atomic_load", Compiler, 3, Atomic(Atomic::Load(Passing::Pointer))),
    ("__atomic_store_n", Compiler, 3, Atomic(Atomic::Store(Passing::Value))),
    ("__atomic_store", Compiler, 3, Atomic(Atomic::Store(Passing::Pointer))),
    ("__atomic_exchange_n", Compiler, 3, Atomic(Atomic::Exchange(Passing::Value))),
    ("__atomic_exchange", Compiler, 4, Atomic(Atomic::Exchange(Passing::Pointer))),
    ("__atomic_compare_exchange_n", Compiler, 6, Atomic(Atomic::CompareExchange(Passing::Value))),
    ("__atomic_compare_exchange", Compiler, 6, Atomic(Atomic::CompareExchange(Passing::Pointer))),
    ("__atomic_fetch_add", Compiler, 3, modify(Combine::Add, Yields::Old)),
    ("__atomic_add_fetch", Compiler, 3, modify(Combine::Add, Yields::New)),
    ("__sync_fetch_and_add", Compiler, 2, modify(Combine::Add, Yields::Old)),
    ("__sync_add_and_fetch", Compiler, 2, modify(Combine::Add, Yields::New)),
    ("__atomic_fetch_sub", Compiler, 3, modify(Combine::Sub, Yields::Old)),
    ("__atomic_sub_fetch", Compiler, 3, modify(Combine::Sub, Yields::New)),
    ("__sync_fetch_and_sub", Compiler, 2, modify(Combine::Sub, Yields::Old)),
    ("__sync_sub_and_fetch", Compiler, 2, modify(Combine::Sub, Yields::New)),
    ("__atomic_fetch_and", Compiler, 3, modify(Combine::And, Yields::Old)),
    ("__atomic_and_fetch", Compiler, 3, modify(Combine::And, Yields::New)),
    ("__sync_fetch_and_and", Compiler, 2, modify(Combine::And, Yields::Old)),
    ("__sync_and_and_fetch", Compiler, 2, modify(Combine::And, Yields::New)),
    ("__atomic_fetch_or", Compiler, 3, modify(Combine::Or, Yields::Old)),
    ("__atomic_or_fetch", Compiler, 3, modify(Combine::Or, Yields::New)),
    ("__sync_fetch_and_or", Compiler, 2, modify(Combine::Or, Yields::Old)),
    ("__sync_or_and_fetch", Compiler, 2, modify(Combine::Or, Yields::New)),
    ("__atomic_fetch_xor", Compiler, 3, modify(Combine::Xor, Yields::Old)),
    ("__atomic_xor_fetch", Compiler, 3, modify(Combine::Xor, Yields::New)),
    ("__sync_fetch_and_xor", Compiler, 2, modify(Combine::Xor, Yields::Old)),
    ("__sync_xor_and_fetch", Compiler, 2, modify(Combine::Xor, Yields::New)),
    ("__atomic_fetch_nand", Compiler, 3, modify(Combine::Nand, Yields::Old)),
    ("__atomic_nand_fetch", Compiler, 3, modify(Combine::Nand, Yields::New)),
    ("__sync_fetch_and_nand", Compiler, 2, modify(Combine::Nand, Yields::Old)),
    ("__sync_nand_and_fetch", Compiler, 2, modify(Combine::Nand, Yields::New)),
    ("__atomic_test_and_set", Compiler, 2, AtomicFlag(true)),
    ("__atomic_clear", Compiler, 2, AtomicFlag(false)),
    ("__atomic_thread_fence", Compiler, 1, Fence),
    ("__atomic_signal_fence", Compiler, 1, Nothing),
    ("__sync_bool_compare_and_swap", Compiler, 3, Atomic(Atomic::CompareAndSwap(Yields::New))),
    ("__sync_val_compare_and_swap", Compiler, 3, Atomic(Atomic::CompareAndSwap(Yields::Old))),
    ("__sync_lock_test_and_set", Compiler, 2, Atomic(Atomic::Exchange(Passing::Value))),
    ("__sync_lock_release", Compiler, 1, Atomic(Atomic::Release)),
    ("__sync_synchronize", Compiler, 0, Fence),
];

/// Names by what they begin with, looked at last: words of verifiers and compilers that are in no
/// other table have a meaning we lack, so they are no functions without a body.
pub const FAMILIES: &[(&str, Space, Builtin)] = &[
    ("__VERIFIER_nondet_", Verifier, Nondet),
    ("__CPROVER_", Verifier, Unsupported),
    ("__ESBMC_", Verifier, Unsupported),
    ("__sync_", Compiler, Unsupported),
    ("__atomic_", Compiler, Unsupported),
    ("__builtin___sync_", Compiler, Unsupported),
    ("__builtin___atomic_", Compiler, Unsupported),
];

const fn modify(combine: Combine, yields: Yields) -> Builtin {
    Builtin::Atomic(Atomic::Modify(combine, yields))
}

const fn int(is_signed: bool) -> Option<Operand> {
    Some(Operand::Int { is_signed })
}

const fn long(is_signed: bool) -> Option<Operand> {
    Some(Operand::Long { is_signed })
}

const fn long_long(is_signed: bool) -> Option<Operand> {
    Some(Operand::LongLong { is_signed })
}

/// What a call of a function by this name means, if it is none of the program's.
pub fn find(name: &str, n_args: usize) -> Option<(Space, Builtin)> {
    let plain = name.strip_prefix("__builtin_");
    let row = TABLE.iter().find(|&&(it, space, ..)| {
        it == name || space == Library && plain.is_some_and(|plain| plain == it)
    });
    match row {
        Some(&(_, space, fewest, builtin)) => (n_args >= fewest).then_some((space, builtin)),
        None => FAMILIES
            .iter()
            .find(|it| name.starts_with(it.0))
            .map(|&(_, space, builtin)| (space, builtin)),
    }
}

impl Builtin {
    /// What is done, for the table in the documentation.
    pub fn says(self) -> &'static str {
        match self {
            Assert => "violated where the argument is 0",
            AssertSaying => "violated where the first argument is 0; the second is the message",
            AssertFail => "violated where it is called",
            Assume => "executions where the argument is 0 are dropped",
            Nondet => "any value of the type it is declared with, or of the one its name says",
            Abort => "the program ends; no check of leaks",
            Exit => {
                "what `atexit` was told is called, then destructors, then the program ends with the code"
            }
            ExitNow => "the program ends with the code",
            Unreachable => "violated (`unreachable`) where it is reached",
            Nothing => "the arguments are evaluated",
            Fence => "the argument is evaluated; orders accesses of threads for `race`",
            Malloc => "fresh memory with any bytes; never null",
            MallocZeroed => "fresh memory with bytes 0; never null",
            Calloc => "fresh memory with bytes 0; null if the product is too large",
            Alloca => "fresh memory until the function ends",
            Free => "ends the life of allocated memory; checked (`free`)",
            Memcpy => {
                "copies bytes; both sides are checked, and that they do not overlap (`library`)"
            }
            Memmove => "copies bytes, as if by way of a third place; both sides are checked",
            Memset => "writes bytes; checked",
            Print(_) => {
                "output, which `run` prints; the format and every text are checked; any result"
            }
            PrintTo => "the same, to a stream that is open",
            VaStart | VaEnd | VaCopy => "variable arguments",
            Expect => "the first argument as a `long`",
            First => "the first argument",
            ConstantP => "1 if the argument is a constant to us",
            ObjectSize => "of a whole variable as without optimisation; else not known: -1 or 0",
            Infinity(_) => "infinity",
            Nan(_) => "a NaN",
            Overflow(..) => "exact, then cut to the type of the result; 1 if that changes it",
            OverflowAsked(_) => "1 if the exact value does not fit the type of the third argument",
            SetJump => {
                "0, and where `longjmp` comes back to; without any `longjmp` the path ends as unsupported"
            }
            LongJump => {
                "goes on behind the `setjmp`; where none waits the path ends as unsupported"
            }
            Atomic(Atomic::CompareExchange(_)) => {
                "an ordinary access; checked; a weak one may fail"
            }
            Atomic(_) | AtomicFlag(_) => "an ordinary access; checked; signed numbers wrap",
            AtomicSection(_) => "no other thread moves in between",
            OfThreads => {
                "a model where the program starts threads; elsewhere the path ends as unsupported"
            }
            Unsupported => "the path ends as unsupported",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Builtin, Space, TABLE, find};

    #[test]
    fn names_are_whole() {
        assert_eq!(find("__builtin_trap", 0), Some((Space::Compiler, Builtin::Abort)));
        assert_eq!(find("__builtin_abort", 0), Some((Space::Library, Builtin::Abort)));
        assert_eq!(find("__atomic_is_lock_free", 2).map(|it| it.1), Some(Builtin::Unsupported));
        assert_eq!(find("__VERIFIER_nondet_int", 0).map(|it| it.1), Some(Builtin::Nondet));
        let own = ["trap", "expect", "assume", "unreachable", "prefetch", "inf", "constant_p"];
        for name in own.into_iter().chain(["add_overflow", "__builtin_kfree", "malloc_unlocked"]) {
            assert_eq!(find(name, 3), None, "{name}");
        }
        assert_eq!(find("malloc", 0), None);
    }

    #[test]
    fn no_name_stands_twice() {
        for (at, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..at].iter().all(|it| it.0 != row.0), "{}", row.0);
        }
    }
}
