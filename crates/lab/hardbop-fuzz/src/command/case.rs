//! A command line with what happens around it.

use std::time::Duration;

use hardbop_base::rng::Rng;

use crate::command::world::World;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stdin {
    Nothing,
    /// A program.
    Program,
    /// Open, and nothing comes.
    HeldOpen,
}

/// What happens to the process from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disturbance {
    None,
    /// A signal, after a while.
    Signal(i32, Duration),
    /// Nobody reads what is printed.
    ClosedPipe,
    FullDisk,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Human,
    Json,
}

#[derive(Debug)]
pub struct Case {
    pub command: &'static str,
    pub args: Vec<String>,
    /// As on the command line, for `check`.
    pub files: Vec<String>,
    pub format: Format,
    pub stdin: Stdin,
    pub time_limit: Option<Duration>,
    /// `ulimit -v`, in kilobytes.
    pub address_space: Option<u64>,
    pub disturbance: Disturbance,
    /// Files or folders that may be made.
    pub outputs: Vec<String>,
}

/// Options of `check` with values that may fit or not.
const OPTIONS: &[&[&str]] = &[
    &["--goal", "assert"],
    &["--goal", "label:L1"],
    &["--goal", "label:"],
    &["--engine", "bdd"],
    &["--engine", "explicit"],
    &["--engine", "pdr"],
    &["--engine", "qbf"],
    &["--engine", "lazy"],
    &["--engine", "universal"],
    &["--engine", "counter"],
    &["--engine", "counter-explicit"],
    &["--engine", "karp-miller"],
    &["--engine", "backward"],
    &["--engine", "cutoff"],
    &["--engine", "contexts"],
    &["--engine", "bmc"],
    &["--engine", "kind"],
    &["--engine", "runs"],
    &["--engine", "fsoft"],
    &["--engine", "nosuch"],
    &["--threads", "2"],
    &["--threads", "inf"],
    &["--threads", "0"],
    &["--initial-threads", "3"],
    &["--contexts", "2"],
    &["--por", "ample"],
    &["--all"],
    &["--unwind", "3"],
    &["--property", "bounds,null"],
    &["--property", "no-overflow"],
    &["--property", "some.prp"],
    &["--property", "nosuch"],
    &["--data-model", "ilp32"],
    &["--entry", "nosuch"],
    &["--list-properties"],
    &["--no-trace"],
    &["--no-certificate"],
    &["--explain"],
    &["--init", "0|0/1"],
    &["--target", "1|1"],
    &["--target", "nosuch.prop"],
    &["-D", "X=1"],
    &["-I", "."],
    &["--fsoft-depth", "5"],
    &["--color", "always"],
    &["--nosuch"],
];

const OUTPUTS: [&str; 4] = ["--trace", "--certificate", "--witness", "--testbench"];
const TARGETS: [&str; 7] =
    ["out", "made", "out/made", "no/such/made", "p0.bp", "c1.c", "/dev/null"];

impl Case {
    pub fn random(rng: &mut Rng, world: &World) -> Case {
        let mut case = Case {
            command: "check",
            args: Vec::new(),
            files: Vec::new(),
            format: Format::Human,
            stdin: Stdin::Nothing,
            time_limit: None,
            address_space: None,
            disturbance: Disturbance::None,
            outputs: Vec::new(),
        };
        case.stdin = [Stdin::Nothing, Stdin::Program, Stdin::HeldOpen][rng.below(3)];
        if rng.chance(88) {
            case.check(rng, world);
        } else {
            case.other(rng, world);
        }
        if rng.chance(15) {
            let space = [40_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000];
            case.address_space = Some(space[rng.below(space.len())]);
        }
        case.disturb(rng);
        case
    }

    fn check(&mut self, rng: &mut Rng, world: &World) {
        let kinds = [".bp", ".bp", ".c", ".c", ".tts", ".spec"];
        let n_files = rng.weighted(&[(12, 1), (3, 2), (1, 3), (1, 5)]).unwrap_or(1);
        let kind = kinds[rng.below(kinds.len())];
        for _ in 0..n_files {
            let kind = if rng.chance(85) { kind } else { kinds[rng.below(kinds.len())] };
            let names = world.names(kind);
            let odd = ["-", ".", "/dev/null", "commands.json", "/dev/zero"];
            let file = match rng.below(100) {
                0..8 => odd[rng.below(odd.len())].to_string(),
                _ => names[rng.below(names.len())].clone(),
            };
            self.files.push(file);
        }
        for _ in 0..rng.weighted(&[(4, 0), (4, 1), (2, 2), (1, 3)]).unwrap_or(0) {
            let option = OPTIONS[rng.below(OPTIONS.len())];
            self.args.extend(option.iter().map(|it| it.to_string()));
        }
        if rng.chance(20) {
            let target = TARGETS[rng.below(TARGETS.len())];
            self.args.extend([OUTPUTS[rng.below(OUTPUTS.len())].to_string(), target.to_string()]);
            self.outputs.push(target.to_string());
        }
        if rng.chance(60) {
            self.format = Format::Json;
            self.args.extend(["--format".into(), "json".into()]);
        }
        let millis =
            rng.weighted(&[(1, 10), (2, 100), (4, 500), (2, 1000), (1, 3000)]).unwrap_or(500);
        self.limit(Duration::from_millis(millis));
        if rng.chance(15) {
            let sizes = ["1MB", "20MB", "100MB", "1GB"];
            self.args.extend(["--memory-limit".into(), sizes[rng.below(sizes.len())].into()]);
        }
        let at = rng.below(self.args.len() + 1);
        let is_value = at > 0 && self.args[at - 1].starts_with('-');
        let at = if is_value { self.args.len() } else { at };
        self.args.splice(at..at, self.files.clone());
    }

    fn limit(&mut self, limit: Duration) {
        self.time_limit = Some(limit);
        self.args.extend(["--time-limit".into(), format!("{}ms", limit.as_millis())]);
    }

    /// Commands without a report.
    fn other(&mut self, rng: &mut Rng, world: &World) {
        let bp = world.names(".bp");
        let c = world.names(".c");
        let file = |rng: &mut Rng| match rng.below(10) {
            0 => "-".to_string(),
            1..4 => c[rng.below(c.len())].clone(),
            _ => bp[rng.below(bp.len())].clone(),
        };
        let (command, args): (&str, Vec<String>) = match rng.below(8) {
            0 => ("fmt", vec![file(rng)]),
            1 => ("fmt", vec!["--check".into(), file(rng)]),
            2 => ("graph", vec![file(rng)]),
            3 => ("certify", vec![file(rng), "not.cert".into()]),
            4 => ("explain", vec!["bp0001".into()]),
            5 => ("gen", vec!["counter".into(), rng.below(30).to_string()]),
            _ => ("run", vec![c[rng.below(c.len())].clone()]),
        };
        (self.command, self.args) = (command, args);
        if command == "run" {
            self.limit(Duration::from_millis(500));
        }
    }

    fn disturb(&mut self, rng: &mut Rng) {
        self.disturbance = match rng.below(10) {
            0 => Disturbance::ClosedPipe,
            1 => Disturbance::FullDisk,
            2 | 3 => {
                let signal = if rng.chance(50) { libc::SIGINT } else { libc::SIGTERM };
                Disturbance::Signal(signal, Duration::from_millis(rng.below(600) as u64))
            }
            _ => Disturbance::None,
        };
        // What may wait for ever is ended by something.
        let waits = |it: &String| it == "-" || it.starts_with("pipe");
        if self.time_limit.is_none() && self.args.iter().any(waits) {
            let delay = Duration::from_millis(300);
            self.disturbance = Disturbance::Signal(libc::SIGINT, delay);
        }
    }

    /// How many objects a complete report has.
    pub fn n_subjects(&self) -> usize {
        let is_c = |it: &&String| [".c", ".i", ".json"].iter().any(|end| it.ends_with(end));
        let n_c = self.files.iter().filter(is_c).count();
        self.files.len() - n_c + n_c.min(1)
    }

    /// For a person who wants to see it again.
    pub fn shown(&self) -> String {
        let words: Vec<String> = self.args.iter().map(|it| format!("'{it}'")).collect();
        format!(
            "hardbop {} {}\nstdin {:?}, ulimit -v {:?}, {:?}",
            self.command,
            words.join(" "),
            self.stdin,
            self.address_space,
            self.disturbance
        )
    }
}
