//! One measurement in a process of its own.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use hardbop_base::{Budget, memory};
use hardbop_cfg::Goal;
use hardbop_check::{Outcome, Request, Subject, Verdict, check};
use hardbop_engine::{InitialThreads, RunCtx, Threads};
use serde::{Deserialize, Serialize};

use crate::nets::{Loaded, NetCase};
use crate::suites::Case;

/// What a child is to measure.
#[derive(Serialize, Deserialize)]
pub struct Job {
    name: String,
    text: String,
    engine: String,
    /// A label, or none for asserts.
    label: Option<String>,
    threads: Option<u32>,
    initial_threads: Option<u32>,
    seconds: f64,
    all: bool,
    net: Option<NetCase>,
}

/// What came out.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Measured {
    /// safe, unsafe, or unknown with its reason.
    pub verdict: String,
    /// The engine that was first.
    pub by: String,
    /// Of processor time, parsing not counted: the machine may have other work.
    pub seconds: f64,
    /// By the clock: what a race of engines saves.
    pub wall: f64,
    pub bytes: u64,
    pub certified: bool,
    pub stats: Vec<(String, u64)>,
}

impl Measured {
    /// Whether it says safe or unsafe.
    pub fn is_decided(&self) -> bool {
        matches!(&*self.verdict, "safe" | "unsafe")
    }

    /// A number of the engine's own.
    pub fn stat(&self, name: &str) -> Option<u64> {
        self.stats.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }
}

impl Job {
    pub fn new(case: &Case, engine: &str, limit: Duration, all: bool) -> Self {
        Job {
            name: case.name.clone(),
            text: case.text.clone(),
            engine: engine.into(),
            label: case.label.clone(),
            threads: case.threads,
            initial_threads: case.initial_threads,
            seconds: limit.as_secs_f64(),
            all,
            net: case.net.clone(),
        }
    }
}

/// Runs the job in a child; a child that dies is a row, too.
pub fn measure(job: &Job) -> Measured {
    let failed = |what: String| Measured {
        verdict: what,
        by: String::new(),
        seconds: f64::NAN,
        wall: f64::NAN,
        bytes: 0,
        certified: false,
        stats: Vec::new(),
    };
    let child = std::env::current_exe().and_then(|me| {
        Command::new(me).arg("measure").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
    });
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return failed(error.to_string()),
    };
    let text = serde_json::to_string(job).expect("a job is plain data");
    let mut input = child.stdin.take().expect("it was piped");
    // A child that died before reading everything shows in its status.
    let _ = input.write_all(text.as_bytes());
    drop(input);
    match child.wait_with_output() {
        Ok(output) if output.status.success() => serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| failed(format!("unreadable: {error}"))),
        Ok(output) => failed(format!("died: {}", output.status)),
        Err(error) => failed(error.to_string()),
    }
}

/// The child's side.
pub fn child() -> Result<(), String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let job: Job = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    // Engines may recurse as deep as a program nests; main's stack is the system's.
    let run = std::thread::Builder::new().stack_size(512 << 20).spawn(move || run(&job));
    let measured = run.map_err(|error| error.to_string())?.join();
    let measured = measured.map_err(|_| "the engine failed".to_string())??;
    println!("{}", serde_json::to_string(&measured).expect("a result is plain data"));
    Ok(())
}

fn run(job: &Job) -> Result<Measured, String> {
    let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs_f64(job.seconds)));
    if let Some(case) = &job.net {
        let loaded = Loaded::new(&job.name, &job.text, case, &job.engine)?;
        return Ok(timed(|| loaded.check(job.all, &ctx)));
    }
    let (file, program, diagnostics) = hardbop_bp::load_bytes(&job.name, job.text.clone().into());
    let program = program.ok_or_else(|| format!("{}: {:?}", job.name, diagnostics.first()))?;
    let (engine, reduction) = crate::engines::named(&job.engine).ok_or("no such engine")?;
    let request = Request {
        goal: job.label.as_ref().map(|label| Goal::Label(label.as_str().into())),
        engine: engine.map(Into::into),
        threads: job.threads.map(Threads::AtMost),
        initial_threads: job.initial_threads.map(InitialThreads::Count),
        reduction,
        exhaustive: job.all,
        no_trace: job.all,
        no_certificate: job.all,
        ..Request::default()
    };
    let program = program.into();
    let subject = Subject::Program { program: &program, source: Some(&file) };
    Ok(timed(|| check(subject, &request, &ctx)))
}

fn timed(check: impl FnOnce() -> Outcome) -> Measured {
    let (start, clock) = (ProcessTime::now(), Instant::now());
    let outcome = check();
    let (seconds, wall) = (start.elapsed().as_secs_f64(), clock.elapsed().as_secs_f64());
    let verdict = match &outcome.verdict {
        Verdict::Safe => "safe".into(),
        Verdict::Unsafe(_) => "unsafe".into(),
        Verdict::Unknown(why) => format!("unknown({})", why.word()),
    };
    Measured {
        verdict,
        by: outcome.engine.into(),
        seconds,
        wall,
        bytes: memory::peak_bytes().unwrap_or(0),
        certified: outcome.certified,
        stats: outcome.stats.iter().map(|(name, value)| (name.into(), value)).collect(),
    }
}
