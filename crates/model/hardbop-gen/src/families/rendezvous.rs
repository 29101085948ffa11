//! Threads that wait for each other.

use super::text::{Header, is_number, joined, list, main_that_starts, names, plus_one};
use super::{Args, Family, Param, Threads, Variant};

pub const BARRIER: Family = Family {
    name: "barrier",
    usage: "WORKERS [safe|unsafe]",
    about: "A sense-reversing barrier for WORKERS threads. With counters the states are polynomial \
            in WORKERS, without exponential.",
    generate: |args| {
        let workers = Param::Number { name: "WORKERS", min: 2, max: 10_000 };
        barrier(&Args::parse(&[workers, Param::Variant], args)?)
    },
};

pub const TOKEN_RING: Family = Family {
    name: "token-ring",
    usage: "NODES [safe|unsafe]",
    about: "A token goes round NODES threads, each with code of its own: no symmetry to use. The \
            reachable states are linear in NODES once all threads run, exponential while they \
            are started.",
    generate: |args| {
        let nodes = Param::Number { name: "NODES", min: 2, max: 10_000 };
        token_ring(&Args::parse(&[nodes, Param::Variant], args)?)
    },
};

fn barrier(args: &Args) -> Result<String, String> {
    let workers = args.numbers[0];
    let last = match args.variant {
        Variant::Safe => workers,
        Variant::Unsafe => workers - 1,
    };
    let n_bits = (usize::BITS - workers.leading_zeros()) as usize;
    let header = Header {
        title: format!("A barrier for {workers} threads."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => {
                "The sense turns only when all have arrived, so no one is at work then."
            }
            Variant::Unsafe => "The barrier opens one thread too early: the last is still at work.",
        },
        settings: &[super::text::threads_line(Threads::Count(workers))],
    };
    Ok(format!(
        "{header}decl sense := 0;
decl {count0};

{main}
void worker() begin
  decl mine := 0;
  while * do
    assert(mine = sense); // at work
    atomic_begin;
    {count} := {next};
    if ({is_last}) then
      {count} := {zeros};
      sense := !sense;
    fi
    atomic_end;
    mine := !mine;
    assume(mine = sense);
  od
end
",
        count0 = list(n_bits, |i| format!("count{i} := 0")),
        count = names("count", n_bits),
        next = plus_one("count", n_bits),
        is_last = is_number("count", n_bits, last),
        zeros = list(n_bits, |_| "0".to_string()),
        main = main_that_starts(&["worker()"], Threads::Count(workers)),
    ))
}

fn token_ring(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("A token ring of {n} threads."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "The token is passed on after the critical section; there is one.",
            Variant::Unsafe => "The last thread passes the token on before it leaves.",
        },
        settings: &[super::text::threads_line(Threads::Count(n))],
    };
    let node = |i: usize| {
        let pass = format!("    token{i}, token{} := 0, 1;\n", (i + 1) % n);
        let too_early = i + 1 == n && args.variant == Variant::Unsafe;
        let leave = "    busy := 0;\n";
        let end = if too_early { pass + leave } else { leave.to_string() + &pass };
        format!(
            "\nvoid node{i}() begin\n  while * do\n    assume(token{i});\n    assert(!busy);\n    \
             busy := 1;\n{end}  od\nend\n"
        )
    };
    Ok(format!(
        "{header}decl {tokens};\ndecl busy := 0;\n\nvoid main() begin\n{starts}end\n{nodes}",
        tokens = list(n, |i| format!("token{i} := {}", u8::from(i == 0))),
        starts = joined(n, "", |i| format!("  start_thread node{i}();\n")),
        nodes = joined(n, "", node),
    ))
}
