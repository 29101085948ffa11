//! The testbench of a violation that needs threads to take turns: the program is run again and again, and `threads.c` lets
//! threads give way between accesses to memory, which the compiler tells it of as it does for its sanitizers. A race is for
//! the compiler's own thread sanitizer.

use hardbop_cir::{Class, Op, ThreadOp};

use super::{Bench, sanitizer};

pub(super) const FILE: &str = "threads.c";
pub(super) const TEXT: &str = include_str!("threads.c");

/// How it is linked: calls of these functions come to ours.
pub(super) const LIBRARIES: &str = " -pthread -Wl,--wrap=pthread_cond_wait,--wrap=cnd_wait,--wrap=pthread_mutex_lock,--wrap=pthread_mutex_unlock,--wrap=pthread_create,--wrap=free";

/// Stands for the program with its arguments in what starts it.
pub(super) const COMMAND: &str = "@PROGRAM@";

/// What the compiler tells of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turns {
    Accesses,
    /// Where a sanitizer is at work that does not go together with the one for threads.
    Branches,
}

impl Turns {
    /// Of the compilation only, so that the sanitizer's own library is not there.
    pub fn hooks(self) -> &'static str {
        match self {
            Turns::Accesses => "-fsanitize=thread",
            Turns::Branches => "-fsanitize-coverage=trace-pc",
        }
    }
}

impl Bench<'_> {
    pub(super) fn has_threads(&self) -> bool {
        let mut all = self.loaded.program.insts();
        all.any(|(_, _, inst)| matches!(inst.op, Op::Thread(ThreadOp::Spawn { .. })))
    }

    /// `None` if `threads.c` has no part in it.
    pub(super) fn turns(&self) -> Option<Turns> {
        if !self.has_threads() || self.class() == Class::Race {
            return None;
        }
        let is_of_memory = sanitizer(self.class()).is_some_and(|it| it.contains("address"));
        Some(if is_of_memory { Turns::Branches } else { Turns::Accesses })
    }

    /// How the program is started: until it fails by a signal, by a sanitizer or, where threads wait for each other, by not
    /// coming to an end.
    pub(super) fn starter(&self) -> String {
        if !self.has_threads() {
            return "exec".into();
        }
        let hangs = if self.class() == Class::Deadlock { " || [ $status -eq 124 ]" } else { "" };
        format!(
            "export ASAN_OPTIONS=exitcode=66:detect_stack_use_after_return=1 LSAN_OPTIONS=exitcode=66 TSAN_OPTIONS=exitcode=66 UBSAN_OPTIONS=exitcode=66\n\
             HARDBOP_SEED=1\nwhile [ $HARDBOP_SEED -le 500 ]; do\n    export HARDBOP_SEED\n    \
             timeout 2 {COMMAND}\n    status=$?\n    \
             if [ $status -eq 66 ] || [ $status -gt 128 ]{hangs}; then\n        \
             echo \"hardbop: failed in run $HARDBOP_SEED\"\n        exit $status\n    fi\n    \
             HARDBOP_SEED=$((HARDBOP_SEED + 1))\ndone\necho 'hardbop: not seen in 500 runs'\n"
        )
    }
}
