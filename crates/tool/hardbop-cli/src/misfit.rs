//! Options that say nothing about what is checked: a misunderstanding, which is told and not passed over.
//!
//! Three questions, each a table: is the option about such files, is it about the engine asked for, and,
//! once the program is read, is it about such a program.

use hardbop_engine::{InitialThreads, Reduction, Task, Threads};

use crate::args::CheckArgs;
use crate::format::Format;
use crate::subject::Kind::{self, Boolean, C, Spec, Tts};
use crate::subject::Subject;

/// An option, whether it was given, and what it is about.
type Row = (&'static str, bool, &'static [Kind]);

const ANY_PROGRAM: &[Kind] = &[Boolean, C];
const NOT_C: &[Kind] = &[Boolean, Tts, Spec];

fn by_kind(args: &CheckArgs) -> Vec<Row> {
    let is_bounded = !matches!(args.threads, None | Some(Threads::Unbounded));
    let c = &args.c;
    vec![
        ("--goal", args.goal.is_some(), &[Boolean]),
        ("--threads", is_bounded, &[Boolean]),
        ("--threads inf", args.threads == Some(Threads::Unbounded), NOT_C),
        ("--initial-threads", args.initial_threads.is_some(), &[Boolean]),
        ("--contexts", args.contexts.is_some(), &[Boolean]),
        ("--por", args.por != Reduction::None, &[Boolean]),
        ("--order", args.order.is_some(), &[Boolean]),
        ("--all", args.all, ANY_PROGRAM),
        ("--explain", args.explain.is_some(), &[Boolean, C, Tts, Spec]),
        ("--certificate", args.certificate.is_some(), &[Boolean, C, Tts, Spec]),
        ("--no-certificate", args.no_certificate, &[Boolean, C, Tts, Spec]),
        ("--init", args.net.init.is_some(), &[Tts]),
        ("--target", args.net.target.is_some(), &[Tts]),
        ("--property", !c.properties.is_empty(), &[C]),
        ("--data-model", c.data_model.is_some(), &[C]),
        ("--entry", c.entry.is_some(), &[C]),
        ("-I", !c.include_paths.is_empty(), &[C]),
        ("-D", !c.defines.is_empty(), &[C]),
        ("--lock", !c.locks.is_empty(), &[C]),
        ("--flexible-last-member", c.flexible_last_member, &[C]),
        ("--assume-returns", c.assume_returns.is_some(), &[C]),
        ("--entry-depth", c.entry_depth.is_some(), &[C]),
        ("--malloc-may-fail", c.malloc_may_fail, &[C]),
        ("--volatile-inputs", c.volatile_inputs, &[C]),
        ("--unwind", args.unwind.is_some(), &[C]),
        ("--list-properties", args.list_properties, &[C]),
        ("--coverage", args.coverage, &[C]),
        ("--fsoft-…", args.fsoft.is_given(), &[C]),
        ("--cegar-…", args.cegar.is_given(), &[C]),
        ("--witness", args.c_output.witness.is_some(), &[C]),
        ("--schedule", args.c_output.schedule.is_some(), &[C]),
        ("--testbench", args.c_output.testbench.is_some(), &[C]),
    ]
}

const OVER_DIAGRAMS: [&str; 6] =
    ["auto", "bdd", "symbolic", "symbolic-pc", "counter", "karp-miller"];

const SWITCHING: [&str; 4] = ["auto", "contexts", "contexts-pdr", "contexts-explicit"];

/// An option and the engines it is about; `auto` may choose one of them.
fn by_engine(args: &CheckArgs) -> Vec<(&'static str, bool, &'static [&'static str])> {
    vec![
        ("--unwind", args.unwind.is_some(), &["auto", "bmc"]),
        ("--fsoft-…", args.fsoft.is_given(), &["fsoft"]),
        ("--cegar-…", args.cegar.is_given(), &["auto", "cegar"]),
        ("--contexts", args.contexts.is_some(), &SWITCHING),
        ("--por", args.por != Reduction::None, &["auto", "counter", "counter-explicit"]),
        ("--order", args.order.is_some(), &OVER_DIAGRAMS),
    ]
}

/// What can be told from the command line alone.
pub fn before_reading(args: &CheckArgs, subjects: &[Subject]) -> Result<(), String> {
    numbers(args)?;
    let kinds: Vec<Kind> = subjects.iter().map(|it| it.kind).collect();
    let given = by_kind(args).into_iter().filter(|row| row.1);
    let unfit = given.filter(|row| !kinds.iter().any(|kind| row.2.contains(kind)));
    let unfit: Vec<_> = unfit.map(|row| row.0).collect();
    if !unfit.is_empty() {
        return Err(format!("{} means nothing for {}", unfit.join(", "), names(&kinds)));
    }
    let engine = args.engine.name();
    let given = by_engine(args).into_iter().filter(|row| row.1);
    if let Some((option, _, engines)) = given.into_iter().find(|row| !row.2.contains(&engine)) {
        let engines = engines.join(", ");
        return Err(format!("{option} means nothing for engine {engine}; it is for {engines}"));
    }
    for &kind in &kinds {
        args.engine.for_kind(kind.of_facade())?;
    }
    if let Some(why) = args.c.misfit() {
        return Err(why);
    }
    if args.list_properties && !matches!(args.format, Format::Human | Format::Json) {
        return Err("--list-properties is printed with --format human or json".into());
    }
    if args.list_properties && args.html.is_some() {
        return Err("--list-properties checks nothing: there is no page to write".into());
    }
    twice(args)
}

/// Numbers that contradict each other.
fn numbers(args: &CheckArgs) -> Result<(), String> {
    match (args.threads, args.initial_threads) {
        (Some(Threads::AtMost(most)), Some(InitialThreads::Count(first))) if first > most => Err(
            format!("--initial-threads {first} is more than the --threads {most} alive at once"),
        ),
        (Some(Threads::AtMost(most)), Some(InitialThreads::Unbounded)) => {
            Err(format!("--initial-threads inf is more than the --threads {most} alive at once"))
        }
        _ => Ok(()),
    }
}

/// A file that is read twice is checked twice for nothing; standard input has an end.
fn twice(args: &CheckArgs) -> Result<(), String> {
    let mut seen = std::collections::BTreeSet::new();
    match args.files.iter().find(|file| !seen.insert(*file)) {
        Some(file) => Err(format!("{} is named twice", file.display())),
        None => Ok(()),
    }
}

fn names(kinds: &[Kind]) -> String {
    let mut names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(" and ")
}

/// What the program tells, once it is read.
pub fn with_program(args: &CheckArgs, task: &Task<'_>) -> Result<(), String> {
    let is_sequential = task.threads == Threads::Sequential;
    let rows = [
        ("--por", args.por != Reduction::None && is_sequential, "the program starts no thread"),
        ("--contexts", args.contexts.is_some() && is_sequential, "the program starts no thread"),
        (
            "--por",
            args.por != Reduction::None && task.threads == Threads::Unbounded,
            "it is for a bounded number of threads: --threads N",
        ),
    ];
    match rows.into_iter().find(|row| row.1) {
        Some((option, _, why)) => Err(format!("{option} means nothing here: {why}")),
        None => Ok(()),
    }
}
