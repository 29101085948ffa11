//! The command line (design section 3; scripts depend on it).

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use hardbop_base::{Budget, CancelToken, memory};
use hardbop_batch::units;
use hardbop_cfg::Goal;
use hardbop_check::{Cube, EngineEntry, Kind, Topic, entries, entry_named};
use hardbop_engine::{InitialThreads, Order, Reduction, Threads};

use crate::batch::BatchArgs;
use crate::c::{AbstractArgs, CArgs, CegarArgs, FsoftArgs, OutputArgs, RunArgs};
use crate::convert::ConvertArgs;
use crate::examples::*;
use crate::explore::ExploreArgs;
use crate::format::Format;

/// A model checker for Boolean programs, C and nets: right or unknown, with evidence.
///
/// Exit codes: 0 safe, 10 unsafe, 5 unknown, 1 usage, 2 input rejected, 3 cannot read or write,
/// 70 internal error.
#[derive(Parser, Debug)]
#[command(name = "hardbop", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// When to colour results and messages
    #[arg(long, value_enum, global = true, default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    #[command(after_help = CHECK)]
    Check(Box<CheckArgs>),
    #[command(after_help = EXPLORE)]
    Explore(Box<ExploreArgs>),
    #[command(after_help = BATCH)]
    Batch(Box<BatchArgs>),
    #[command(after_help = CONVERT)]
    Convert(ConvertArgs),
    #[command(after_help = RUN)]
    Run(RunArgs),
    #[command(after_help = ABSTRACT)]
    Abstract(AbstractArgs),
    /// Check a certificate again, with code that no engine uses
    #[command(after_help = CERTIFY)]
    Certify {
        /// The program, or the net
        program: PathBuf,
        /// What `hardbop check --certificate` has written; for C also a witness of SV-COMP (.yml), either of a proof
        /// or of a violation
        certificate: PathBuf,
        /// Programs: the part that the certificate is about, as given to `check --cube`
        #[arg(long, value_name = "I/N")]
        cube: Option<Cube>,
        #[command(flatten, next_help_heading = "Nets (.tts)")]
        net: NetArgs,
        #[command(flatten, next_help_heading = "C")]
        c: Box<CArgs>,
        /// Wall-clock limit, such as 30s or 5m
        #[arg(long, value_parser = units::duration)]
        time_limit: Option<Duration>,
    },
    /// Print a program in canonical form
    #[command(after_help = FMT)]
    Fmt(FmtArgs),
    /// Draw the control-flow graph, or print the IR
    #[command(after_help = GRAPH)]
    Graph(GraphArgs),
    #[command(after_help = GEN)]
    Gen(GenArgs),
    /// Explain a diagnostic code
    #[command(after_help = EXPLAIN)]
    Explain {
        /// As in `error[bp0003]`; without one, all codes are listed
        code: Option<String>,
    },
    /// List the engines and what each can do
    Engines,
    /// Serve an editor: mistakes while typing, checks on save, navigation
    ///
    /// Speaks the language server protocol on standard input and output; an editor starts it. `docs/editor.md` says
    /// how to set up VS Code, Neovim, Emacs and Helix, and which settings there are. Exit codes: 0 after `shutdown`
    /// and `exit`, 1 after `exit` alone, 3 if the client closes the connection without either.
    #[command(after_help = LSP)]
    Lsp {
        /// Accepted because some clients pass it; it is the only way to connect anyway
        #[arg(long)]
        stdio: bool,
    },
    /// Write the pages of the manual: hardbop.1 and one for each command
    #[command(after_help = MAN)]
    Man {
        /// An existing folder
        folder: PathBuf,
    },
    /// Print completions for a shell
    #[command(after_help = COMPLETIONS)]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

// Headings of the help: options stand in the order in which they are needed.
const QUESTION: &str = "The question";
const ANSWER: &str = "The answer";
const BOOLEAN_THREADS: &str = "Boolean programs with threads";

/// Decide whether an assertion can fail or a label can be reached
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Boolean programs (.bp; `-` reads one from standard input), pushdown systems (.pds), nets (.tts, .spec), and C files
    /// (.c, .i, or a compile_commands.json), which are linked into one program; or a task of SV-COMP (.yml)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,

    /// What must not happen: `assert`, or `label:NAME` [default: assert; the label SLIC_ERROR or
    /// ERROR in a file without assert]
    #[arg(long, value_parser = goal, help_heading = QUESTION)]
    pub goal: Option<Goal>,

    /// Engine to use, see `hardbop engines`
    #[arg(long, value_parser = engine, default_value = "auto", help_heading = QUESTION)]
    pub engine: EngineArg,

    /// Explore everything and report every assert and label
    #[arg(long, help_heading = QUESTION)]
    pub all: bool,

    /// Check only part I of N of the executions, N a power of two: parts differ in the initial values of shared
    /// variables, or in bits of the inputs of a C program. One part cannot show that a program is safe, so the
    /// answer is then unknown; `hardbop batch --cube N` checks all parts and joins the answers
    #[arg(long, value_name = "I/N", help_heading = QUESTION)]
    pub cube: Option<Cube>,

    /// Wall-clock limit for each file, such as 30s or 5m
    #[arg(long, value_parser = units::duration, help_heading = QUESTION)]
    pub time_limit: Option<Duration>,

    /// Memory limit, such as 512MB or 4GB [default: three quarters of the machine's]
    #[arg(long, value_parser = units::bytes, help_heading = QUESTION)]
    pub memory_limit: Option<u64>,

    /// How to print results
    #[arg(long, value_enum, default_value_t = Format::Human, help_heading = ANSWER)]
    pub format: Format,

    /// For a safe program, show what holds at a LINE or when a PROCEDURE returns; without a value, at
    /// every assert and for every procedure
    #[arg(long, value_name = "LINE|PROCEDURE", num_args = 0..=1, require_equals = true, help_heading = ANSWER,
          default_missing_value = "", value_parser = topic, conflicts_with = "no_certificate")]
    pub explain: Option<Topic>,

    /// Write all results to a file, as one page that works offline: source, trace, values, proofs
    #[arg(long, value_name = "FILE", help_heading = ANSWER)]
    pub html: Option<PathBuf>,

    /// Write the trace of an unsafe program to a file, as JSON; with several programs, to files in a folder
    #[arg(long, value_name = "FILE", help_heading = ANSWER)]
    pub trace: Option<PathBuf>,

    /// Write the proof of a safe program to a file, for `hardbop certify`; with several programs, to files
    /// in a folder
    #[arg(long, value_name = "FILE", help_heading = ANSWER)]
    pub certificate: Option<PathBuf>,

    /// Answer without computing a trace; an unsafe verdict is then not certified
    #[arg(long, conflicts_with = "trace", help_heading = ANSWER)]
    pub no_trace: bool,

    /// Answer without a certificate; a safe verdict is then not certified
    #[arg(long, conflicts_with = "certificate", help_heading = ANSWER)]
    pub no_certificate: bool,

    /// Threads alive at once: a number or `inf` [default: inf for a program that starts threads]
    #[arg(long, value_parser = threads, help_heading = BOOLEAN_THREADS)]
    pub threads: Option<Threads>,

    /// Threads that run `main` at the start: a number or `inf` [default: 1]
    #[arg(long, value_parser = initial_threads, help_heading = BOOLEAN_THREADS)]
    pub initial_threads: Option<InitialThreads>,

    /// How many switches from one thread to another the engines `contexts…` try at most [default: 4; with a
    /// time limit, as many as it allows]
    #[arg(long, value_name = "K", help_heading = BOOLEAN_THREADS)]
    pub contexts: Option<u32>,

    /// Partial-order reduction: none, ample, persistent, cartesian, ample+cartesian.
    /// It does not change the answer; traces may be longer
    #[arg(long, default_value_t = Reduction::None, help_heading = BOOLEAN_THREADS)]
    pub por: Reduction,

    /// Variable order that engines over diagrams begin with, for tests: force, declared, reversed, random:SEED
    #[arg(long, hide = true)]
    pub order: Option<Order>,

    #[command(flatten, next_help_heading = "Nets (.tts)")]
    pub net: NetArgs,

    #[command(flatten, next_help_heading = "C")]
    pub c: CArgs,

    /// Unroll each loop and each recursion K times [default: more and more often]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), help_heading = "C")]
    pub unwind: Option<u32>,

    /// Print each check that would be made, and stop
    #[arg(long, help_heading = "C",
          conflicts_with_all = ["unwind", "all", "no_trace", "trace", "witness", "schedule", "testbench"])]
    pub list_properties: bool,

    /// Also report which lines executions can reach, which they cannot, and which are not known; takes at most 10 s
    #[arg(long, conflicts_with = "list_properties", help_heading = "C")]
    pub coverage: bool,

    #[command(flatten, next_help_heading = "C")]
    pub c_output: OutputArgs,

    #[command(flatten, next_help_heading = "C, engine fsoft")]
    pub fsoft: FsoftArgs,

    #[command(flatten, next_help_heading = "C, engine cegar")]
    pub cegar: CegarArgs,

    /// Whether the results are looked at in the explorer.
    #[arg(skip)]
    pub is_explored: bool,
}

impl CheckArgs {
    /// Every file that is read.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let targets = self.net.target.iter().map(PathBuf::from);
        let beside = self.files.iter().map(|it| it.with_extension("prop"));
        let stdin = std::path::Path::new("-");
        let named = self.files.iter().filter(|it| it.as_path() != stdin).cloned();
        named.chain(targets).chain(beside).collect()
    }

    /// Whether a page will show the results.
    pub fn wants_page(&self) -> bool {
        self.html.is_some() || self.is_explored
    }

    /// The limits of one program; the clock starts now.
    pub fn budget(&self, interrupt: &CancelToken) -> Budget {
        budget(self.time_limit, self.memory_limit, interrupt)
    }
}

/// Limits as the user gave them; the clock starts now.
pub fn budget(time: Option<Duration>, bytes: Option<u64>, interrupt: &CancelToken) -> Budget {
    let mut budget = Budget::unlimited().with_cancel(interrupt.clone());
    if let Some(limit) = time {
        budget = budget.with_time(limit);
    }
    // Without a limit of the user's, one that ends with a report before the system ends us without.
    let three_quarters = || memory::total_bytes().map(|bytes| bytes / 4 * 3);
    if let Some(limit) = bytes.or_else(three_quarters) {
        budget = budget.with_memory(limit);
    }
    budget
}

/// What is asked of a thread-transition system.
#[derive(Args, Debug)]
pub struct NetArgs {
    /// Initial state `shared|local,local/local`: any number of threads starts in each state after the `/`
    /// [default: 0/0]
    #[arg(long, value_name = "STATE")]
    pub init: Option<String>,

    /// The state to be covered, or a file with it [default: the .prop file next to the net]
    #[arg(long, value_name = "STATE|FILE")]
    pub target: Option<String>,
}

#[derive(Args, Debug)]
pub struct FmtArgs {
    /// A Boolean program; `-` reads standard input
    pub file: PathBuf,
    /// Write the result back to the file
    #[arg(long, conflicts_with = "check")]
    pub write: bool,
    /// Print nothing; exit with code 2 if the file is not in canonical form
    #[arg(long)]
    pub check: bool,
}

#[derive(Args, Debug)]
pub struct GraphArgs {
    /// A Boolean program; `-` reads standard input
    pub file: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot)]
    pub format: GraphFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum GraphFormat {
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
    /// The IR as text, see docs/formats/cfg.md
    Cfg,
}

/// Generate a program of a family, such as `bebop-t 800`
///
/// Without a family, all are listed.
#[derive(Args, Debug)]
pub struct GenArgs {
    /// Its name
    pub family: Option<String>,
    /// Its parameters, usually sizes; the list of families says which
    pub args: Vec<String>,
}

/// A certain engine, or `auto`.
#[derive(Clone, Copy, Debug)]
pub struct EngineArg(Option<EngineEntry>);

impl EngineArg {
    /// `None` is `auto`; the message says which engines take such subjects.
    pub fn for_kind(self, kind: Kind) -> Result<Option<EngineEntry>, String> {
        match self.0 {
            Some(entry) if !entry.takes(kind) => Err(entry.refusal(kind)),
            entry => Ok(entry),
        }
    }

    pub fn name(self) -> &'static str {
        self.0.map_or("auto", |entry| entry.name)
    }
}

fn engine(name: &str) -> Result<EngineArg, String> {
    if name == "auto" {
        return Ok(EngineArg(None));
    }
    entry_named(name).map(|entry| EngineArg(Some(entry))).ok_or_else(|| {
        let names: Vec<_> = entries().map(|entry| entry.name).collect();
        format!("there is no such engine; there are auto, {}", names.join(", "))
    })
}

fn goal(text: &str) -> Result<Goal, String> {
    match text.split_once(':') {
        None if text == "assert" => Ok(Goal::Assert),
        Some(("label", name)) if !name.is_empty() => Ok(Goal::Label(name.into())),
        _ => Err("expected `assert` or `label:NAME`".into()),
    }
}

fn topic(text: &str) -> Result<Topic, String> {
    Ok(match text.parse() {
        Ok(line) => Topic::Line(line),
        Err(_) if text.is_empty() => Topic::Everything,
        Err(_) => Topic::Procedure(text.into()),
    })
}

fn count(text: &str) -> Result<Option<u32>, String> {
    match text.parse() {
        _ if text == "inf" => Ok(None),
        Ok(n) if n >= 1 => Ok(Some(n)),
        _ => Err("expected a number from 1 on, or `inf`".into()),
    }
}

fn threads(text: &str) -> Result<Threads, String> {
    Ok(count(text)?.map_or(Threads::Unbounded, Threads::AtMost))
}

fn initial_threads(text: &str) -> Result<InitialThreads, String> {
    Ok(count(text)?.map_or(InitialThreads::Unbounded, InitialThreads::Count))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }

    /// The command and all below it.
    fn with_subcommands(command: &clap::Command) -> Vec<clap::Command> {
        let below = command.get_subcommands().filter(|it| it.get_name() != "help");
        std::iter::once(command.clone()).chain(below.flat_map(with_subcommands)).collect()
    }

    fn all_commands() -> Vec<clap::Command> {
        let mut cli = super::Cli::command();
        cli.build();
        with_subcommands(&cli)
    }

    /// A line that ends inside a paragraph is broken again where the terminal ends.
    #[test]
    fn help_leaves_the_breaking_of_lines_to_the_terminal() {
        for command in all_commands() {
            let of_command = [command.get_about(), command.get_long_about()];
            let of_arguments =
                command.get_arguments().flat_map(|it| [it.get_help(), it.get_long_help()]);
            for text in of_command.into_iter().chain(of_arguments).flatten() {
                let is_broken =
                    text.to_string().split("\n\n").any(|paragraph| paragraph.contains('\n'));
                assert!(!is_broken, "{}: {text}", command.get_name());
            }
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.lines().all(|it| it.len() <= 100), "{examples}");
        }
    }

    #[test]
    fn every_argument_says_what_it_is() {
        for command in all_commands() {
            for argument in command.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{} {}",
                    command.get_name(),
                    argument.get_id()
                );
            }
        }
    }

    #[test]
    fn every_command_with_arguments_shows_how_it_is_called() {
        for command in all_commands() {
            let has_arguments = command.get_positionals().next().is_some();
            let shown = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(shown.starts_with("Examples:\n") || !has_arguments, "{}", command.get_name());
        }
    }
}
