//! Mutation testing of the chain that proves C programs safe: mistakes are made on purpose, one at a time
//! ([`hardbop_base::fault`]), and every engine is asked about programs that are not safe.
//!
//! Whatever an engine then calls safe must not be certified.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::fault::{Fault, Layer, under};
use hardbop_c::CProgram;
use hardbop_certify_c::{Certificate, certify};
use hardbop_check::{
    CRequest, EngineEntry, Outcome, Request, Subject, Verdict, check, entry_named,
};
use hardbop_cir::Class;
use hardbop_cir::interp::all_runs::violated;
use hardbop_engine::RunCtx;

use crate::caught::{catch, quiet_panics};

pub struct Setup {
    pub faults: Vec<Fault>,
    /// If there are none, those that a fault is most likely to lead astray.
    pub engines: Vec<EngineEntry>,
    /// For one question to one engine.
    pub limit: Duration,
}

/// A program that is not safe.
pub struct Subjected {
    pub name: String,
    loaded: CProgram,
    classes: Vec<Class>,
}

/// What came of a fault.
#[derive(Default)]
pub struct Tally {
    n_asked: usize,
    /// Programs that the certifier was asked about without an engine.
    n_alone: usize,
    /// Programs that an engine called safe; which of these answers were certified.
    pub n_safe: usize,
    pub certified: Vec<String>,
    /// Why the others were not, by the first words.
    reasons: BTreeMap<&'static str, usize>,
}

/// Rounds and calls of an unrolling without an engine.
const ROUNDS: u32 = 40;
const CALLS: u32 = 12;

/// To be told unsafe without any fault.
const PATIENCE: Duration = Duration::from_secs(60);

impl Subjected {
    /// The programs of a folder. What is about memory or overflow in them says so by its name.
    pub fn of_folder(folder: &Path) -> Result<Vec<Subjected>, String> {
        let told = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .map_err(told)?
            .map(|entry| entry.map(|it| it.path()).map_err(told))
            .collect::<Result<_, _>>()?;
        paths.retain(|it| it.extension().is_some_and(|it| it == "c"));
        paths.sort();
        let read = |path: &std::path::PathBuf| {
            let name = path.file_stem().map(|it| it.to_string_lossy().into_owned());
            let text = std::fs::read_to_string(path).map_err(told)?;
            let name = name.unwrap_or_default();
            Subjected::of_text(name.clone(), text).ok_or(format!("{name}: it is no C"))
        };
        paths.iter().map(read).collect()
    }

    /// Random programs that go wrong for some input.
    pub fn random(count: u64) -> impl Iterator<Item = Subjected> {
        let programs = (0..).filter_map(|seed| {
            let text = hardbop_gen::c::program(seed);
            let it = Subjected::of_text(format!("random {seed}"), text)?;
            let fails = violated(&it.loaded.program, &it.classes)?;
            (!fails.is_empty()).then_some(it)
        });
        programs.take(count as usize)
    }

    fn of_text(name: String, text: String) -> Option<Subjected> {
        let is_more = name.starts_with("memory_") || name.starts_with("overflow_");
        let classes = if is_more { CRequest::default().classes } else { vec![Class::Assert] };
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text)], &options).ok()?;
        Some(Subjected { name, loaded, classes })
    }

    fn ask(&self, engine: Option<EngineEntry>, no_certificate: bool, limit: Duration) -> Outcome {
        let c = CRequest { classes: self.classes.clone(), ..CRequest::default() };
        let request = Request { engine, no_certificate, c, ..Request::default() };
        check(
            Subject::C(&self.loaded),
            &request,
            &RunCtx::new(Budget::unlimited().with_time(limit)),
        )
    }

    /// What the certifier says where no engine was asked: an unrolling that goes far enough for each of these programs.
    fn is_certified_alone(&self) -> bool {
        let certificate = Certificate::new(&self.loaded.program, &self.classes, ROUNDS, CALLS);
        let budget = Budget::unlimited().with_time(PATIENCE);
        certify(&self.loaded.program, &certificate, &budget).is_ok()
    }

    /// Whether a loop goes on for longer than is unrolled here.
    fn is_long(&self) -> bool {
        self.name.starts_with("long_")
    }

    /// Whether all is as it should be where no fault is made.
    pub fn is_unsafe(&self) -> bool {
        matches!(self.ask(None, true, PATIENCE).verdict, Verdict::Unsafe(_))
    }
}

impl Setup {
    /// All engines about all programs, under one fault.
    pub fn try_out(&self, fault: Fault, programs: &[Subjected]) -> Tally {
        quiet_panics();
        let mut tally = Tally::default();
        let own = of_layer(fault.layer());
        let engines = if self.engines.is_empty() { &own } else { &self.engines };
        // What the certifier works with it has to doubt whoever asks.
        if matches!(fault.layer(), Layer::Terms | Layer::Circuits | Layer::Solvers) {
            for program in programs.iter().filter(|it| !it.is_long()) {
                let accepted = under(fault, || catch(|| program.is_certified_alone()));
                if accepted == Ok(true) {
                    tally.certified.push(format!("{} without an engine", program.name));
                }
                tally.n_alone += 1;
            }
        }
        for (program, &engine) in
            programs.iter().flat_map(|it| engines.iter().map(move |engine| (it, engine)))
        {
            tally.n_asked += 1;
            let ask = |no_certificate, limit| {
                // The passes say with a panic that what they made is no program.
                let told =
                    under(fault, || catch(|| program.ask(Some(engine), no_certificate, limit)));
                told.ok().filter(|it| it.verdict == Verdict::Safe)
            };
            if ask(true, self.limit).is_none() {
                continue;
            }
            tally.n_safe += 1;
            // There is time enough for whoever is to refuse it.
            let Some(told) = ask(false, PATIENCE) else { continue };
            match told.certified {
                true => tally.certified.push(format!("{} by {}", program.name, told.engine)),
                false => {
                    *tally.reasons.entry(told_shortly(told.lacks.as_deref())).or_default() += 1
                }
            }
        }
        tally
    }

    /// The table of all faults; how many wrong answers were certified.
    pub fn run(&self, programs: &[Subjected]) -> usize {
        println!("| where | what is wrong | asked | safe | alone | certified | refused because |");
        println!("|---|---|---|---|---|---|---|");
        let (mut n_certified, mut n_safe, mut n_asked, mut n_alone) = (0, 0, 0, 0);
        for &fault in &self.faults {
            let tally = self.try_out(fault, programs);
            let reasons: Vec<String> =
                tally.reasons.iter().map(|(why, n)| format!("{why} {n}")).collect();
            println!(
                "| {:?} | {} | {} | {} | {} | {} | {} |",
                fault.layer(),
                fault.what(),
                tally.n_asked,
                tally.n_safe,
                tally.n_alone,
                tally.certified.len(),
                reasons.join(", ")
            );
            tally.certified.iter().for_each(|it| eprintln!("certified under {fault:?}: {it}"));
            (n_safe, n_asked) = (n_safe + tally.n_safe, n_asked + tally.n_asked);
            n_certified += tally.certified.len();
            n_alone += tally.n_alone;
        }
        println!("| | all | {n_asked} | {n_safe} | {n_alone} | {n_certified} | |");
        n_certified
    }
}

/// Engines that have a part of the chain in them.
fn of_layer(layer: Layer) -> Vec<EngineEntry> {
    let names: &[&str] = match layer {
        Layer::Bmc => &["bmc"],
        Layer::Executor => &["bmc", "kind"],
        Layer::Kind => &["kind"],
        Layer::Cegar => &["cegar"],
        Layer::Shape => &["shape"],
        Layer::Runs => &["runs"],
        Layer::Passes | Layer::Terms | Layer::Circuits | Layer::Solvers => &["bmc", "cegar"],
    };
    names.iter().filter_map(|name| entry_named(name)).collect()
}

/// The kind of reason why a proof was not certified.
fn told_shortly(lacks: Option<&str>) -> &'static str {
    let Some(why) = lacks else { return "nothing said" };
    let kinds = [
        ("the certifier is wrong", "samples"),
        ("the certifier failed", "a refutation that does not follow"),
        ("no words", "no words"),
        ("share of the time", "the time was over"),
        ("limit", "the time was over"),
    ];
    let kind = kinds.into_iter().find(|it| why.contains(it.0));
    kind.map_or("an obligation fails", |it| it.1)
}
