//! Deliberate mistakes, one at a time, to see whether those who check the engines would notice them (mutation testing: DeMillo,
//! Lipton and Sayward 1978). `hardbop-fuzz faults` makes them all; nothing a user can say switches one on.
//!
//! The places where they are made ask [`is_on`]. It is the constant `false` in a build without debug assertions and without
//! the feature `faults`, so that a release build has none of them.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

/// Declares the faults with the layer each is in and what is wrong under it.
macro_rules! faults {
    ($($layer:ident { $($name:ident: $what:literal,)* })*) => {
        /// What can be made wrong.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Fault { $($(#[doc = $what] $name,)*)* }

        impl Fault {
            pub const ALL: &[Fault] = &[$($(Fault::$name,)*)*];

            pub fn layer(self) -> Layer {
                match self { $($(Fault::$name)|* => Layer::$layer,)* }
            }

            pub fn what(self) -> &'static str {
                match self { $($(Fault::$name => $what,)*)* }
            }
        }
    };
}

/// Where a fault is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// `hardbop-cir`: the passes and analyses that shrink programs.
    Passes,
    /// `hardbop-symbolic`, which most engines execute programs with.
    Executor,
    Bmc,
    Kind,
    Cegar,
    Shape,
    Runs,
    /// `hardbop-smt`: the rules that simplify terms, and operators that are made of others. The certifier uses them, too.
    Terms,
    /// `hardbop-smt` and `hardbop-sat`: words as circuits, circuits as clauses. The certifier uses them, too.
    Circuits,
    /// How SAT solvers are asked and what they answer.
    Solvers,
}

faults! {
    Passes {
        SliceLosesStores: "the slicer drops what is stored through pointers",
        SliceLosesBranches: "the slicer does not see what branches decide",
        TailsTooLong: "what comes after a call counts no more",
        FirstValueStays: "a global register that is written is taken for constant",
        CopyOutlivesSource: "a register is replaced by one that has changed since",
        BranchesTaken: "a branch on a constant goes the other way",
        DeadArguments: "an argument is dropped that is read",
        AddressTaken: "a variable becomes a register while its address is in use",
        InlineForgetsArgument: "inlining forgets the first argument",
        PointsToForgetsStores: "pointers that are stored in memory point nowhere",
        CalleeForgotten: "a call through a pointer forgets the last of its functions",
    }
    Executor {
        ChecksDropped: "only the first check is asked",
        JoinKeepsFirst: "where paths meet, registers keep the values of the first",
        JoinForgetsPath: "where paths meet, only the first goes on",
        MemoryJoinKeepsFirst: "where paths meet, memory keeps the contents of the first",
        BranchOneWay: "a branch that is not decided is taken one way only",
        StoreLost: "what is stored at an unknown place is lost",
        LoadFirst: "what is read at an unknown place is what the first place holds",
        ResultForgotten: "a call returns 0",
        ForgetsNoRegisters: "registers that a loop changes keep their values",
        ForgetsNoMemory: "memory that a loop changes keeps its contents",
    }
    Bmc {
        BoundIsProof: "a bound of an unrolling is taken for the end of the loop",
        PathsNeverGoOn: "no path goes on after a loop's second round",
    }
    Kind {
        CandidatesStay: "candidates stay that are not inductive",
        NoBase: "invariants need not hold when a loop is entered",
        ContractsUnchecked: "what a function is said to leave need not be so",
        CellKept: "a cell of an array keeps its value when it is written",
    }
    Cegar {
        TracesInfeasible: "what an execution can do is called impossible",
        ImageTooSmall: "a predicate has after a stretch the value it had before",
    }
    Shape {
        CoveredTooSoon: "a state is covered by any at the same place",
    }
    Runs {
        InputsUncounted: "one execution of a program with inputs is taken for all",
    }
    Terms {
        FoldedShift: "a negative constant is shifted right without its sign",
        SumMoved: "x + 3 = 5 becomes x = 8",
        NeverNegative: "nothing is below zero",
        OrderWithoutSign: "extended numbers are compared without sign",
        BelowOne: "x < 1 becomes x = 1",
        PowerOfTwo: "a product with 2^n is shifted by n - 1",
        ChoiceShared: "of two conditions of a choice one is dropped",
        SliceOffset: "bits of bits are the lowest ones",
        ExtensionWithoutSign: "sign extension brings in zeros",
        Absorbed: "a & ~(a & b) becomes a",
        ZeroExtensionWithSign: "zero extension brings in the sign",
        QuotientWithoutSign: "quotients are never negative",
        RemainderWithoutSign: "remainders are never negative",
        NoOverflow: "sums never overflow",
        ProductsFit: "products never overflow",
        AtMostIsBelow: "x <= y becomes x < y",
    }
    Circuits {
        NoCarry: "sums have no carry",
        SignIgnored: "numbers with sign are compared without",
        AmountTruncated: "only the low bits of a shift's amount count",
        DivisionByZero: "a quotient by zero is zero",
        SignBitLost: "sign extension brings in zeros",
        RowsLost: "products count only the low eight bits of one factor",
        ChoiceSwapped: "choices are swapped",
        EqualButTop: "equality does not look at the highest bit",
        GateAbsorbed: "a & !(a & b) becomes a & b",
        GateOneSided: "a conjunction holds if its first part does",
        GateChoice: "a choice holds if its second branch does",
    }
    Solvers {
        ExtraAssumption: "a query assumes that its first input is false",
        GivesUpNo: "a query that is hard is answered with no",
        AssumptionsStay: "what one query assumes holds for the next",
        CoreTooSmall: "what a contradiction rests on lacks its last part",
        RefutedUnasked: "the certifier's solver says no without a refutation",
    }
}

/// The fault that is on, counted from 1.
static ACTIVE: AtomicU8 = AtomicU8::new(0);
/// One fault at a time.
static TURN: Mutex<()> = Mutex::new(());

/// Whether this build can make faults.
pub const BUILT: bool = cfg!(any(debug_assertions, feature = "faults"));

/// Whether this fault is to be made.
#[inline(always)]
pub fn is_on(fault: Fault) -> bool {
    BUILT && ACTIVE.load(Ordering::Relaxed) == fault as u8 + 1
}

/// Does something in a process in which the fault is made, by all threads.
pub fn under<T>(fault: Fault, work: impl FnOnce() -> T) -> T {
    /// Ends with the work, whether it returns or panics.
    struct Off;
    impl Drop for Off {
        fn drop(&mut self) {
            ACTIVE.store(0, Ordering::Relaxed);
        }
    }
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    ACTIVE.store(fault as u8 + 1, Ordering::Relaxed);
    let _off = Off;
    work()
}

#[cfg(test)]
mod tests {
    use super::{Fault, is_on, under};

    #[test]
    fn a_fault_ends_with_the_work_that_is_done_under_it() {
        assert!(!is_on(Fault::NoCarry));
        assert!(under(Fault::NoCarry, || is_on(Fault::NoCarry) && !is_on(Fault::SignIgnored)));
        let failed = std::panic::catch_unwind(|| under(Fault::NoCarry, || panic!("it fails")));
        assert!(failed.is_err() && !is_on(Fault::NoCarry));
    }
}
