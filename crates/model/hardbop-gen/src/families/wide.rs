//! Sequential programs with hundreds of variables, most of them without meaning at most places.

use std::fmt::Write;

use super::text::{Header, joined, names};
use super::{Args, Family, Param, Variant};

pub const MANY_GLOBALS: Family = Family {
    name: "many-globals",
    usage: "PAIRS [safe|unsafe]",
    about: "PAIRS pairs of globals; a pair is copied, compared and never read again. Linear if dead \
            variables are forgotten; if not, diagrams in the order of declaration are \
            exponential in PAIRS.",
    generate: |args| {
        let number = Param::Number { name: "PAIRS", min: 1, max: 100_000 };
        many_globals(&Args::parse(&[number, Param::Variant], args)?)
    },
};

pub const DRIVERS: Family = Family {
    name: "drivers",
    usage: "PROCEDURES FLAGS [safe|unsafe]",
    about: "A driver: FLAGS status flags, a lock, PROCEDURES entry points that take the lock, change \
            a few flags and release it. The error is shallow and the state space wide: finding \
            it should cost O(FLAGS + PROCEDURES), proving its absence needs the lock only.",
    generate: |args| {
        let procs = Param::Number { name: "PROCEDURES", min: 1, max: 10_000 };
        let flags = Param::Number { name: "FLAGS", min: 3, max: 10_000 };
        drivers(&Args::parse(&[procs, flags, Param::Variant], args)?)
    },
};

/// Pairs worked on by one procedure.
const PER_PROCEDURE: usize = 10;

fn many_globals(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("{n} pairs of globals, each used once."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "Each pair is equal when it is compared.",
            Variant::Unsafe => "The last pair may differ.",
        },
        settings: &[],
    };
    let n_procs = n.div_ceil(PER_PROCEDURE);
    let mut text = format!(
        "{header}decl {};\ndecl {};\ndecl ok := 1;\n\nvoid main() begin\n{}  assert(ok);\nend\n",
        names("a", n),
        names("b", n),
        joined(n_procs, "", |p| format!("  copy{p}();\n  compare{p}();\n")),
    );
    for p in 0..n_procs {
        let pairs = p * PER_PROCEDURE..n.min((p + 1) * PER_PROCEDURE);
        let copy: String = pairs
            .clone()
            .map(|i| {
                let slip = if i + 1 == n && args.variant == Variant::Unsafe { " | *" } else { "" };
                format!("  a{i} := *;\n  b{i} := a{i}{slip};\n")
            })
            .collect();
        let compare: String = pairs.map(|i| format!("  ok := ok & (a{i} = b{i});\n")).collect();
        write!(
            text,
            "\nvoid copy{p}() begin\n{copy}end\n\nvoid compare{p}() begin\n{compare}end\n"
        )
        .expect("writing to a string cannot fail");
    }
    Ok(text)
}

fn drivers(args: &Args) -> Result<String, String> {
    let (n_procs, n_flags) = (args.numbers[0], args.numbers[1]);
    let header = Header {
        title: format!("A driver of {n_procs} entry points and {n_flags} status flags."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "Every path of every entry point takes the lock once and releases it.",
            Variant::Unsafe => {
                "The last entry point keeps the lock on its error path; the next one to be called\n\
                 takes it again."
            }
        },
        settings: &[],
    };
    let mut text = format!(
        "{header}decl lock := 0;\ndecl {flags};

void acquire() begin
  assert(!lock);
  lock := 1;
end

void release() begin
  assert(lock);
  lock := 0;
end

void main() begin
  while * do
    goto {targets};
{calls}    done: skip;
  od
end
",
        flags = names("status", n_flags),
        targets = names("L", n_procs),
        calls = joined(n_procs, "", |p| format!("    L{p}: entry{p}();\n    goto done;\n")),
    );
    for p in 0..n_procs {
        // Three neighbours, another triple for each entry point.
        let flag = |k: usize| format!("status{}", (p * 7 + k) % n_flags);
        let (busy, error, mode) = (flag(0), flag(1), flag(2));
        let keeps = args.variant == Variant::Unsafe && p + 1 == n_procs;
        let leave = if keeps { "skip" } else { "release()" };
        write!(
            text,
            "
bool set{p}(value) begin
  {busy} := schoose[value, {mode}];
  return {busy} & !{error};
end

void entry{p}() begin
  decl ok;
  acquire();
  ok := set{p}({mode});
  if (ok) then
    {error} := {mode} & *;
    release();
  elsif ({error} & !{busy}) then
    {leave};
  else
    {mode} := !{mode};
    release();
  fi
end
"
        )
        .expect("writing to a string cannot fail");
    }
    Ok(text)
}
