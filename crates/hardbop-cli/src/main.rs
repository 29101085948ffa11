//! The command `hardbop`: words in, files read, results printed, an exit code out.
//!
//! Only this crate touches files and terminals; everything else is a library.

mod args;
mod c;
mod certify;
mod check;
mod exit;
mod input;
mod misfit;
mod nets;
mod progress;
mod tools;
mod units;

use anstream::ColorChoice;
use clap::Parser;
use clap::error::ErrorKind;

use args::{Cli, Color, Command};
use exit::Exit;

/// Deep programs need deep stacks; the pages are touched only when used.
const STACK: usize = 512 << 20;

fn main() {
    // SAFETY: no other thread exists yet. The diagram library starts a worker it does not use;
    // the stack it would reserve for it makes it fail where address space is limited.
    unsafe { std::env::set_var("OXIDD_STACK_SIZE", "65536") };
    let worker = std::thread::Builder::new().name("hardbop".into()).stack_size(STACK);
    let exit = match worker.spawn(run).map(|worker| worker.join()) {
        Ok(Ok(exit)) => exit,
        // The panic message is on standard error already.
        Ok(Err(_)) => Exit::Internal,
        Err(error) => {
            eprintln!("hardbop: cannot start a thread: {error}");
            Exit::Internal
        }
    };
    std::process::exit(exit.code());
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
    let done = match cli.command {
        Command::Check(args) => check::check(&args),
        Command::Run(args) => c::run(&args),
        Command::Certify { program, certificate, net } => {
            certify::certify(&program, &certificate, &net)
        }
        Command::Fmt(args) => tools::fmt(&args),
        Command::Graph(args) => tools::graph(&args),
        Command::Gen(args) => tools::generate(&args),
        Command::Explain { code } => tools::explain(code.as_deref()),
        Command::Engines => tools::engines(),
        Command::Completions { shell } => tools::completions(shell),
    };
    match done {
        Ok(exit) => exit,
        // A reader that has seen enough (`hardbop … | head`) is no error.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Safe,
        Err(error) => {
            anstream::eprintln!("hardbop: {error}");
            Exit::Io
        }
    }
}
