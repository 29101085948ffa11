//! Threads that take turns by a lock.

use super::text::{
    Header, equal, is_number, list, main_that_starts, minus_one, names, plus_one, threads_line,
};
use super::{Args, Family, Param, Threads, Variant};

pub const SPIN_LOCK: Family = Family {
    name: "spin-lock",
    usage: "BITS [safe|unsafe] [WORKERS|inf]",
    about: "A test-and-set lock around BITS bits of data. Shared states grow as 2^BITS, local \
            states too; two workers show the error, so the cutoff is 2.",
    generate: |args| spin_lock(&Args::parse(&params("BITS", 16), args)?),
};

pub const TICKET_LOCK: Family = Family {
    name: "ticket-lock",
    usage: "BITS [safe|unsafe] [WORKERS|inf]",
    about: "A ticket lock with tickets of BITS bits. 4^BITS shared states. Unsafe only with more \
            than 2^BITS workers: the cutoff grows exponentially in BITS.",
    generate: |args| ticket_lock(&Args::parse(&params("BITS", 16), args)?),
};

pub const READERS_WRITERS: Family = Family {
    name: "readers-writers",
    usage: "BITS [safe|unsafe] [WORKERS|inf]",
    about: "Up to three readers or one writer of BITS bits of data. Local and shared states grow as \
            2^BITS; a reader and a writer show the error.",
    generate: |args| readers_writers(&Args::parse(&params("BITS", 16), args)?),
};

fn params(name: &'static str, max: usize) -> [Param; 3] {
    [Param::Number { name, min: 1, max }, Param::Variant, Param::Threads { min: 2 }]
}

fn spin_lock(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("A test-and-set lock around {n} bits."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => {
                "Test and set are one step: one thread at a time writes and reads back."
            }
            Variant::Unsafe => "Two threads may both find the lock free before either sets it.",
        },
        settings: &[threads_line(args.threads)],
    };
    let acquire = match args.variant {
        Variant::Safe => "atomic_begin;\n    was_locked := lock;\n    lock := 1;\n    atomic_end;",
        Variant::Unsafe => "was_locked := lock;\n    lock := 1;",
    };
    Ok(format!(
        "{header}decl lock := 0;
decl {data};

{main}
void worker() begin
  decl was_locked := 1;
  decl {mine};
  while (was_locked) do
    {acquire}
  od
  {data} := {mine};
  assert({same});
  lock := 0;
end
",
        data = names("data", n),
        mine = names("mine", n),
        main = main_that_starts(&["worker()"], args.threads),
        same = equal("data", "mine", n),
    ))
}

fn ticket_lock(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    if let (Variant::Unsafe, Threads::Count(workers)) = (args.variant, args.threads)
        && workers <= 1 << n
    {
        return Err(format!("with {n} bits the error needs {} workers", (1 << n) + 1));
    }
    let header = Header {
        title: format!("A ticket lock with tickets of {n} bits."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => {
                "No ticket is drawn while all numbers but one are out: tickets differ."
            }
            Variant::Unsafe => "One more thread than there are numbers: two hold the same ticket.",
        },
        settings: &[threads_line(args.threads)],
    };
    let wait_for_number = match args.variant {
        Variant::Safe => format!(
            "  {after} := {next};\n  assume(!({full}));\n",
            after = names("after", n),
            next = plus_one("next", n),
            full = equal("after", "serving", n)
        ),
        Variant::Unsafe => String::new(),
    };
    let after = if args.variant == Variant::Safe {
        format!("  decl {};\n", names("after", n))
    } else {
        String::new()
    };
    Ok(format!(
        "{header}decl {next0};
decl {serving0};
decl busy := 0;

{main}
void worker() begin
  decl {ticket};
{after}  atomic_begin;
{wait_for_number}  {ticket} := {next};
  {next} := {next_plus};
  atomic_end;
  assume({turn});
  assert(!busy);
  busy := 1;
  busy := 0;
  {serving} := {serving_plus};
end
",
        next0 = list(n, |i| format!("next{i} := 0")),
        serving0 = list(n, |i| format!("serving{i} := 0")),
        ticket = names("ticket", n),
        next = names("next", n),
        next_plus = plus_one("next", n),
        serving = names("serving", n),
        serving_plus = plus_one("serving", n),
        turn = equal("ticket", "serving", n),
        main = main_that_starts(&["worker()"], args.threads),
    ))
}

/// Bits of the number of readers.
const READERS: usize = 2;

fn readers_writers(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("Readers and writers of {n} bits."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => {
                "A writer waits until no one reads or writes, a reader until no one writes."
            }
            Variant::Unsafe => "A writer waits for writers only: what a reader saw may change.",
        },
        settings: &[threads_line(args.threads)],
    };
    let may_write = match args.variant {
        Variant::Safe => format!("!writing & {}", is_number("readers", READERS, 0)),
        Variant::Unsafe => "!writing".to_string(),
    };
    Ok(format!(
        "{header}decl {data};
decl {readers0};
decl writing := 0;

{main}
void reader() begin
  decl {seen};
  atomic_begin;
  assume(!writing & !({full}));
  {readers} := {more};
  atomic_end;
  {seen} := {data};
  assert({same});
  {readers} := {fewer};
end

void writer() begin
  atomic_begin;
  assume({may_write});
  writing := 1;
  atomic_end;
  {data} := {any};
  writing := 0;
end
",
        data = names("data", n),
        readers0 = list(READERS, |i| format!("readers{i} := 0")),
        readers = names("readers", READERS),
        full = is_number("readers", READERS, (1 << READERS) - 1),
        more = plus_one("readers", READERS),
        fewer = minus_one("readers", READERS),
        seen = names("seen", n),
        same = equal("seen", "data", n),
        any = list(n, |_| "*".to_string()),
        main = main_that_starts(&["reader()", "writer()"], args.threads),
    ))
}
