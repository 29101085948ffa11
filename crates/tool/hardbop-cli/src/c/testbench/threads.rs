//! The testbench of a violation that needs threads to take turns: first under the schedule of the violation (`schedule.c`), then
//! again and again with threads that give way by chance (`threads.c`). The compiler tells of accesses to memory as it does for its
//! thread sanitizer. A race is for that sanitizer itself, to whose functions ours go on.

use std::fmt::Write;

use hardbop_cir::{Class, Op, ThreadOp};

use super::schedule::CALLS;
use super::{Bench, sanitizer};

/// Files that are the same for each program.
pub(super) const FILES: [(&str, &str); 3] = [
    ("threads.c", include_str!("threads.c")),
    ("schedule.c", include_str!("schedule.c")),
    ("schedule.h", include_str!("schedule.h")),
];

/// Stands for the program with its arguments in what starts it, and for the one in which threads give way by chance.
pub(super) const COMMAND: &str = "@PROGRAM@";
pub(super) const BY_CHANCE: &str = "@BY_CHANCE@";

/// Calls that come to ours and are in no schedule.
const OTHERS: [&str; 6] =
    ["pthread_exit", "thrd_exit", "sleep", "usleep", "nanosleep", "thrd_sleep"];

/// How the program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turns {
    /// Nobody else is told of accesses.
    Accesses,
    /// The sanitizer for addresses does not go together with the one for threads: the heap is looked at by ours; the rest in a second
    /// program, in which threads give way at branches.
    Memory,
    Race,
}

impl Turns {
    /// Of the compilation only, so that the sanitizer's own library is not there. Calls stay calls, which ours stand before.
    pub fn hooks(self) -> &'static str {
        match self {
            Turns::Accesses | Turns::Memory => " -fsanitize=thread -fno-builtin",
            Turns::Race => " -fno-builtin",
        }
    }

    /// Of the second program.
    pub fn by_chance(self) -> Option<&'static str> {
        (self == Turns::Memory).then_some(" -fsanitize-coverage=trace-pc")
    }

    /// Of `threads.c`.
    pub fn define(self) -> &'static str {
        if self == Turns::Race { " -DHARDBOP_RACE" } else { "" }
    }

    /// How it is linked: calls of these functions come to ours.
    pub fn libraries(self) -> String {
        let mut text = String::from(" -pthread");
        let told = if self == Turns::Race { told() } else { Vec::new() };
        let calls = CALLS.iter().chain(&OTHERS).map(|it| it.to_string());
        for name in calls.chain(told) {
            let _ = write!(text, " -Wl,--wrap={name}");
        }
        text
    }
}

/// What the compiler calls for the thread sanitizer.
fn told() -> Vec<String> {
    let (mut names, sizes) = (Vec::new(), [1, 2, 4, 8, 16]);
    for act in ["read", "write"] {
        names.push(format!("{act}_range"));
        names.extend(sizes.iter().map(|size| format!("{act}{size}")));
        names.extend(sizes[1..].iter().map(|size| format!("unaligned_{act}{size}")));
    }
    let does = [
        "load",
        "store",
        "exchange",
        "fetch_add",
        "fetch_sub",
        "fetch_and",
        "fetch_or",
        "fetch_xor",
        "fetch_nand",
        "compare_exchange_strong",
        "compare_exchange_weak",
        "compare_exchange_val",
    ];
    for bits in [8, 16, 32, 64] {
        names.extend(does.iter().map(|it| format!("atomic{bits}_{it}")));
    }
    names.into_iter().map(|it| format!("__tsan_{it}")).collect()
}

impl Bench<'_> {
    pub(super) fn has_threads(&self) -> bool {
        let mut all = self.loaded.program.insts();
        all.any(|(_, _, inst)| matches!(inst.op, Op::Thread(ThreadOp::Spawn { .. })))
    }

    /// `None` in a program that starts no threads.
    pub(super) fn turns(&self) -> Option<Turns> {
        let is_of_memory = sanitizer(self.class()).is_some_and(|it| it.contains("address"));
        self.has_threads().then_some(match self.class() {
            Class::Race => Turns::Race,
            _ if is_of_memory => Turns::Memory,
            _ => Turns::Accesses,
        })
    }

    /// How the program is started: until it fails by a signal, by a sanitizer or, where threads wait for each other, by not
    /// coming to an end.
    pub(super) fn starter(&self) -> String {
        if !self.has_threads() {
            return "exec".into();
        }
        let hangs = if self.class() == Class::Deadlock { " || [ $1 -eq 124 ]" } else { "" };
        format!(
            "export ASAN_OPTIONS=exitcode=66:detect_stack_use_after_return=1 LSAN_OPTIONS=exitcode=66 TSAN_OPTIONS=exitcode=66 UBSAN_OPTIONS=exitcode=66\n\
             fails() {{\n    [ $1 -eq 66 ] || {{ [ $1 -gt 128 ] && [ $1 -ne 137 ]; }}{hangs}\n}}\n\
             for try in 1 2 3; do\n    HARDBOP_SCHEDULE=1 timeout 10 {COMMAND}\n    status=$?\n    \
             if fails $status; then\n        echo \"hardbop: failed under the schedule, in run $try\"\n        exit $status\n    fi\ndone\n\
             HARDBOP_SEED=1\nwhile [ $HARDBOP_SEED -le 500 ]; do\n    export HARDBOP_SEED\n    \
             timeout 2 {BY_CHANCE}\n    status=$?\n    \
             if fails $status; then\n        \
             echo \"hardbop: failed by chance, in run $HARDBOP_SEED\"\n        exit $status\n    fi\n    \
             HARDBOP_SEED=$((HARDBOP_SEED + 1))\ndone\necho 'hardbop: not seen in 500 runs'\n"
        )
    }
}
