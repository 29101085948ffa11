//! Threads that share a structure without a lock around it.

use super::text::{
    Header, all_of, any_of, equal, joined, list, main_that_starts, names, threads_line,
};
use super::{Args, Family, Param, Variant};

pub const WORK_QUEUE: Family = Family {
    name: "work-queue",
    usage: "SLOTS [safe|unsafe] [WORKERS|inf]",
    about: "Producers fill SLOTS slots, consumers claim and empty them. 3^SLOTS shared states, \
            O(SLOTS) local ones; two consumers and a producer show the error.",
    generate: |args| {
        let slots = Param::Number { name: "SLOTS", min: 1, max: 1000 };
        work_queue(&Args::parse(&[slots, Param::Variant, Param::Threads { min: 3 }], args)?)
    },
};

pub const CAS_STACK: Family = Family {
    name: "cas-stack",
    usage: "NODES [safe|unsafe] [WORKERS|inf]",
    about: "A stack of NODES nodes changed by compare-and-swap of its top; the order below the top is \
            abstracted away. 2^NODES shared states; three workers show the ABA error.",
    generate: |args| {
        let nodes = Param::Number { name: "NODES", min: 2, max: 100 };
        cas_stack(&Args::parse(&[nodes, Param::Variant, Param::Threads { min: 3 }], args)?)
    },
};

fn work_queue(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("A work queue of {n} slots."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "A consumer claims a slot in the step that finds it full.",
            Variant::Unsafe => "Two consumers may both find a slot full; one empties it too early.",
        },
        settings: &[threads_line(args.threads)],
    };
    let (begin, end) = match args.variant {
        Variant::Safe => ("  atomic_begin;\n", "  atomic_end;\n"),
        Variant::Unsafe => ("", ""),
    };
    let produce = joined(n, "", |i| {
        format!("P{i}:\n  assume(!full{i} & !claimed{i});\n  full{i} := 1;\n  goto done;\n")
    });
    let consume = joined(n, "", |i| {
        format!(
            "C{i}:\n{begin}  assume(full{i} & !claimed{i});\n  claimed{i} := 1;\n{end}  \
             assert(full{i});\n  full{i}, claimed{i} := 0, 0;\n  goto done;\n"
        )
    });
    Ok(format!(
        "{header}decl {full};
decl {claimed};

{main}
void producer() begin
  goto {producers};
{produce}done: skip;
end

void consumer() begin
  goto {consumers};
{consume}done: skip;
end
",
        full = list(n, |i| format!("full{i} := 0")),
        claimed = list(n, |i| format!("claimed{i} := 0")),
        producers = names("P", n),
        consumers = names("C", n),
        main = main_that_starts(&["consumer()", "producer()"], args.threads),
    ))
}

/// Nodes are bits: `in` says which are in the stack, `top` which one is on top (none: empty). A pop
/// reads the top (`old`) and the node below it (`next`, any other node of the stack), then swaps the
/// top if it still is `old`. That `next` still is in the stack is what ABA breaks.
fn cas_stack(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("A stack of {n} nodes by compare-and-swap; order abstracted away."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "The node below the top is read in the same step as the swap.",
            Variant::Unsafe => {
                "ABA: between reading the node below the top and the swap, both are popped and the\n\
                 top is pushed again; the swap then makes a popped node the top."
            }
        },
        settings: &[threads_line(args.threads)],
    };
    let below = |i: usize| format!("(in{i} & !old{i})");
    let read_next = format!(
        "{next} := {any} constrain\n      ({only_one}) & ({in_stack}) & (({some_below}) => ({some}));",
        next = names("next", n),
        any = list(n, |_| "*".to_string()),
        only_one = all_of(n, |i| {
            let others: Vec<String> =
                (0..n).filter(|&j| j != i).map(|j| format!("!'next{j}")).collect();
            format!("('next{i} => {})", others.join(" & "))
        }),
        in_stack = all_of(n, |i| format!("('next{i} => {})", below(i))),
        some_below = any_of(n, below),
        some = any_of(n, |i| format!("'next{i}")),
    );
    let (early, late) = match args.variant {
        Variant::Safe => (String::new(), format!("      {read_next}\n")),
        Variant::Unsafe => (format!("    {read_next}\n"), String::new()),
    };
    Ok(format!(
        "{header}decl {in_init};
decl {top_init};

{main}
void worker() begin
  decl {old}, {next};
  while * do
    {old} := {top};
{early}    atomic_begin;
    if (({unchanged}) & ({some_old})) then
{late}      assert({next_is_in});
      {top} := {next};
      {ins} := {popped};
      atomic_end;
      // The node is ours; now push it again.
      atomic_begin;
      assert({ours});
      {ins} := {pushed};
      {top} := {old};
    fi
    atomic_end;
  od
end
",
        in_init = list(n, |i| format!("in{i} := 1")),
        top_init = list(n, |i| format!("top{i} := {}", u8::from(i == 0))),
        ins = names("in", n),
        top = names("top", n),
        old = names("old", n),
        next = names("next", n),
        unchanged = equal("top", "old", n),
        some_old = any_of(n, |i| format!("old{i}")),
        next_is_in = all_of(n, |i| format!("(next{i} => in{i})")),
        popped = list(n, |i| format!("in{i} & !old{i}")),
        ours = all_of(n, |i| format!("!(old{i} & in{i})")),
        pushed = list(n, |i| format!("in{i} | old{i}")),
        main = main_that_starts(&["worker()"], args.threads),
    ))
}
