//! The command `hardbop`: words in, files read, results printed, an exit code out.
//!
//! Only this crate touches files and terminals; everything else is a library.

mod args;
mod batch;
mod c;
mod certify;
mod check;
mod convert;
mod done;
mod examples;
mod exit;
mod explore;
mod format;
mod input;
mod last_words;
mod lsp;
mod misfit;
mod nets;
mod output;
mod pds;
mod progress;
mod refusal;
mod signals;
mod sources;
mod subject;
mod supervisor;
mod task;
mod tools;
mod voice;

use std::io;

use anstream::ColorChoice;
use clap::Parser;
use clap::error::ErrorKind;
use hardbop_base::{Budget, address_space};

use args::{Cli, Color, Command};
use exit::Exit;
use input::Limits;
use refusal::Refusal;
use supervisor::{Stopped, supervise};
use voice::tell;

fn main() {
    // SAFETY: no other thread exists yet. The diagram library starts a worker it does not use;
    // the stack it would reserve for it makes it fail where address space is limited.
    unsafe { std::env::set_var("OXIDD_STACK_SIZE", "65536") };
    if address_space::limit().is_some() {
        // SAFETY: as above. Each thread would reserve addresses for an arena of its own, and the runtime
        // takes memory to say where memory was refused.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            std::env::set_var("RUST_BACKTRACE", "0");
        }
    }
    last_words::install();
    blame_scarcity();
    let exit = run();
    // What a thread that was left behind does from now on is not heard.
    last_words::take_the_floor();
    last_words::leave(exit)
}

/// A library that panics where addresses are scarce was refused some: that is no mistake of ours, and it
/// is not told as one.
fn blame_scarcity() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if address_space::is_scarce() {
            address_space::note_refusal();
        } else {
            usual(panic);
        }
    }));
}

fn run() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // Nobody is left to tell if this cannot be printed.
            let _ = error.print();
            return if asked { Exit::Safe } else { Exit::Usage };
        }
    };
    match cli.color {
        Color::Auto => {}
        Color::Always => ColorChoice::Always.write_global(),
        Color::Never => ColorChoice::Never.write_global(),
    }
    signals::install();
    let done = match cli.command {
        Command::Check(args) => check::check(args),
        Command::Explore(args) => explore::explore(args),
        Command::Batch(args) => Ok(batch::batch(*args)),
        Command::Convert(args) => convert::convert(&args),
        Command::Run(args) => {
            let budget = args.budget(signals::interrupt());
            Ok(within(budget, move |limits| c::run(&args, limits)))
        }
        Command::Abstract(args) => {
            let budget = args.budget(signals::interrupt());
            Ok(within(budget, move |limits| c::abstract_c(&args, limits)))
        }
        Command::Certify { program, certificate, cube, net, c, time_limit } => {
            let budget = args::budget(time_limit, None, signals::interrupt());
            Ok(within(budget, move |limits| {
                certify::certify(&program, &certificate, cube, &net, &c, limits)
            }))
        }
        Command::Fmt(args) => Ok(until_interrupted(move |limits| tools::fmt(&args, limits))),
        Command::Graph(args) => Ok(until_interrupted(move |limits| tools::graph(&args, limits))),
        Command::Gen(args) => Ok(until_interrupted(move |_| Ok(tools::generate(&args)?))),
        Command::Explain { code } => tools::explain(code.as_deref()),
        Command::Engines => tools::engines(),
        Command::Lsp { stdio: _ } => lsp::lsp(),
        Command::Man { folder } => tools::man(&folder),
        Command::Completions { shell } => tools::completions(shell),
    };
    done.unwrap_or_else(unwritten)
}

fn unwritten(error: io::Error) -> Exit {
    tell!("hardbop: {error}");
    Exit::Io
}

fn until_interrupted(
    command: impl FnOnce(&Limits) -> Result<Exit, Refusal> + Send + 'static,
) -> Exit {
    within(Budget::unlimited().with_cancel(signals::interrupt().clone()), command)
}

/// A command without a report: what is wrong is told on standard error.
fn within(
    budget: Budget,
    command: impl FnOnce(&Limits) -> Result<Exit, Refusal> + Send + 'static,
) -> Exit {
    let limits = Limits { budget: budget.clone(), ..Limits::default() };
    let done = supervise(&budget, move |desk| {
        command(&Limits { waiting: desk.waiting.clone(), ..limits })
    });
    match done {
        Ok(Ok(exit)) => exit,
        Ok(Err(Refusal::Rejected(_))) => Exit::Rejected,
        Ok(Err(Refusal::Misfit(why))) => {
            tell!("hardbop: {why}");
            Exit::Usage
        }
        Ok(Err(Refusal::Io(error))) => unwritten(error),
        Ok(Err(Refusal::Limit(limit))) | Err(Stopped::Limit(limit)) => {
            tell!("hardbop: {limit}");
            Exit::Unknown
        }
        // The panic message is on standard error already.
        Err(Stopped::Failed(_)) => Exit::Internal,
    }
}
