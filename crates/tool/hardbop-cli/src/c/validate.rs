//! `hardbop certify FILE.c WITNESS.yml`: a witness of SV-COMP, from whatever tool, is accepted, refuted, or nobody knows.

use std::path::Path;

use hardbop_base::sha256;
use hardbop_c::{CProgram, DataModel, Options, SystemLoader, prp};
use hardbop_check::c::{Blame, Judgement, judge_correctness, judge_violation};
use hardbop_check::{CRequest, Request};
use hardbop_cir::Class;
use hardbop_engine::RunCtx;
use hardbop_witness::{BROKEN, Content, Misplaced, PASSED, Refused, Witness, Woven, weave};

use super::CArgs;
use crate::exit::Exit;
use crate::input::{self, Limits};
use crate::output;
use crate::refusal::{Complaint, Refusal};
use crate::voice;

/// Whether a file is a witness by its name.
pub fn is_witness(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "yml" || it == "yaml")
}

/// Safe or unsafe if what the witness says is so, input rejected if it is not, otherwise unknown.
pub fn validate(path: &Path, file: &Path, args: &CArgs, limits: &Limits) -> Result<Exit, Refusal> {
    let shown = file.display().to_string();
    let tell = |word: &str, text: &str, exit: Exit| {
        voice::result(&format!("{word}  {shown}: {text}\n"))?;
        Ok(exit)
    };
    let text =
        String::from_utf8(input::read(file, limits)?).map_err(|_| "not a text file".to_string());
    let witness =
        text.and_then(|text| Witness::read(&text)).map_err(|why| Refusal::of_file(&shown, why))?;
    let bytes = input::read(path, limits)?;
    if let Some(why) = misfit(&witness, path, &bytes, args) {
        return tell("REJECTED", &why, Exit::Rejected);
    }
    let asked = match asked(&witness, args) {
        Ok(asked) => asked,
        Err(why) => return tell("REJECTED", &why, Exit::Rejected),
    };
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let name = path.display().to_string();
    let woven = match weave(&witness, &name, &source) {
        Ok(woven) => woven,
        Err(Misplaced { what, why: Refused::Wrong(why) }) => {
            return tell("REJECTED", &format!("{what}: {why}"), Exit::Rejected);
        }
        Err(Misplaced { what, why: Refused::Limit(why) }) => {
            return tell("UNKNOWN", &format!("{what}: {why}"), Exit::Unknown);
        }
    };
    let job = Job { path, args, limits, witness: &witness, asked };
    // A program that cannot be read is rejected for its own sake.
    let alone = job.load(None, &[])?;
    let with = match job.load(Some(&woven), &job.goals()) {
        Ok(with) => with,
        Err(Refusal::Rejected(complaints)) => {
            let first = complaints.first().map_or("", |it| it.message());
            let why = format!("what it says means nothing in the program: {first}");
            return tell("REJECTED", &why, Exit::Rejected);
        }
        Err(other) => return Err(other),
    };
    match job.judge(&with, &alone, &woven) {
        Judgement::Accepted => match witness.content {
            Content::Correctness(_) => tell("ACCEPTED", &job.accepted(), Exit::Safe),
            Content::Violation(_) => tell("ACCEPTED", &job.accepted(), Exit::Unsafe),
        },
        Judgement::Refuted(blame) => tell("REFUTED", &job.blamed(&blame), Exit::Rejected),
        Judgement::Unknown(why) => tell("UNKNOWN", &why, Exit::Unknown),
    }
}

/// Why the witness is about something else.
fn misfit(witness: &Witness, path: &Path, bytes: &[u8], args: &CArgs) -> Option<String> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or("").to_string();
    let name = last(&path.display().to_string());
    let hash = sha256::hex(bytes);
    let is_known = witness.hashes.is_empty() || witness.hashes.iter().any(|it| it.1 == hash);
    if let (false, Some((file, _))) = (is_known, witness.hashes.first()) {
        return Some(match last(file) == name {
            true => format!("it is about another version of `{file}`: the hash differs"),
            false => format!("it is about `{file}`"),
        });
    }
    let differs =
        witness.is_32_bit.is_some_and(|it| args.data_model.is_some() && it != args.is_32_bit());
    differs.then(|| "it is about the other data model".into())
}

/// What is asked: what the command line says, or else what the witness does.
struct Asked {
    classes: Vec<Class>,
    options: Options,
}

fn asked(witness: &Witness, args: &CArgs) -> Result<Asked, String> {
    let said = prp::read(&witness.specification);
    let (classes, options) = match (args.properties.is_empty(), said) {
        (true, Err(why)) => {
            return Err(format!("its specification is not understood ({why}): say --property"));
        }
        (true, Ok(said)) => {
            let mut options = args.options(said.classes.clone());
            options.goals.assertions = false;
            options.goals.calls = said.calls.iter().map(|it| it.as_str().into()).collect();
            options.goals.labels = said.labels.iter().map(|it| it.as_str().into()).collect();
            if args.entry.is_none() {
                options.entry = said.entry.unwrap_or(options.entry);
            }
            (said.classes, options)
        }
        (false, said) => {
            let classes = args.classes(&[]);
            // Soundness: who asks for properties gets no witness of others.
            if let Some(class) = said
                .ok()
                .and_then(|it| classes.iter().find(|class| !it.classes.contains(class)).copied())
            {
                return Err(format!("it says nothing of property {class}"));
            }
            (classes.clone(), args.options(classes))
        }
    };
    let mut options = options;
    if let Some(is_32_bit) = witness.is_32_bit {
        options.model = if is_32_bit { DataModel::Ilp32 } else { DataModel::Lp64 };
    }
    // Without the class, no assertion of the program is one of the property.
    if !classes.contains(&Class::Assert) {
        (options.goals.assertions, options.goals.calls) = (false, Vec::new());
        options.goals.labels.clear();
    }
    Ok(Asked { classes, options })
}

struct Job<'a> {
    path: &'a Path,
    args: &'a CArgs,
    limits: &'a Limits,
    witness: &'a Witness,
    asked: Asked,
}

impl Job<'_> {
    /// The program, or the one with the witness in it, where calls of these functions are to be checked besides.
    fn load(&self, woven: Option<&Woven>, goals: &[String]) -> Result<CProgram, Refusal> {
        let Some(woven) = woven else {
            return super::load(&[self.path.into()], self.args, &self.asked.options, self.limits)
                .map(|it| it.0);
        };
        let mut options = self.asked.options.clone();
        options.classes = self.classes();
        options.goals.calls.extend(goals.iter().map(|it| it.as_str().into()));
        options.budget = self.limits.budget.clone();
        let folder = Scratch::new()?;
        let extension = self.path.extension().unwrap_or_default();
        let copy = folder.0.join("woven").with_extension(extension);
        std::fs::write(&copy, &woven.text).map_err(|error| output::named(&copy, &error))?;
        // Headers are looked for beside the file.
        let beside =
            self.path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let loader = SystemLoader {
            include_paths: std::iter::once(beside.into())
                .chain(self.args.include_paths.clone())
                .collect(),
            defines: self.args.defines.clone(),
            is_32_bit: options.model == DataModel::Ilp32,
            budget: self.limits.budget.clone(),
            ..SystemLoader::default()
        };
        hardbop_c::load(&[&copy], &loader, &options).map_err(|rejected| match rejected.limit {
            Some(limit) => Refusal::Limit(limit),
            None => Refusal::Rejected(vec![Complaint::of_file(
                &self.path.display().to_string(),
                rejected.message(),
            )]),
        })
    }

    /// The functions that are called where an invariant does not hold.
    fn goals(&self) -> Vec<String> {
        match &self.witness.content {
            Content::Correctness(all) => {
                (1..=all.len()).map(|it| format!("{BROKEN}{it}")).collect()
            }
            Content::Violation(_) => Vec::new(),
        }
    }

    fn classes(&self) -> Vec<Class> {
        let wanted = |it: &Class| *it == Class::Assert || self.asked.classes.contains(it);
        Class::ALL.into_iter().filter(wanted).collect()
    }

    fn judge(&self, with: &CProgram, alone: &CProgram, woven: &Woven) -> Judgement {
        let request = Request {
            c: CRequest { classes: self.classes(), ..CRequest::default() },
            exhaustive: true,
            no_trace: true,
            ..Request::default()
        };
        let ctx = RunCtx::new(self.limits.budget.clone());
        match (&self.witness.content, woven.target) {
            (Content::Violation(_), Some(line)) => {
                let name = self.path.display().to_string();
                let step = |segment| {
                    // Without the property's own: only whether the segment is passed is asked.
                    let goals = [format!("{PASSED}{segment}")];
                    self.alone(|job| job.load(Some(woven), &goals))
                };
                judge_violation(with, woven.n_segments, (&name, line), &request, &ctx, step)
            }
            _ => judge_correctness(with, alone, &request, &ctx),
        }
    }

    /// What is made while nothing but the calls named is asked about.
    fn alone(&self, made: impl FnOnce(&Job) -> Result<CProgram, Refusal>) -> Option<CProgram> {
        let mut options = self.asked.options.clone();
        options.goals.assertions = false;
        options.goals.calls.clear();
        options.goals.labels.clear();
        let asked = Asked { classes: Vec::new(), options };
        made(&Job {
            asked,
            path: self.path,
            args: self.args,
            limits: self.limits,
            witness: self.witness,
        })
        .ok()
    }

    fn accepted(&self) -> String {
        let names: Vec<_> = self.asked.classes.iter().map(|it| it.name()).collect();
        let path = self.path.display();
        match &self.witness.content {
            Content::Correctness(all) => {
                format!(
                    "{path} is safe and {} invariants hold, properties {}",
                    all.len(),
                    names.join(",")
                )
            }
            Content::Violation(all) => {
                format!(
                    "an execution of {path} passes {} segments and goes wrong at the target",
                    all.len() - 1
                )
            }
        }
    }

    fn blamed(&self, blame: &Blame) -> String {
        match (blame, &self.witness.content) {
            (Blame::Invariant(number), Content::Correctness(all)) => {
                let it = &all[*number as usize - 1];
                format!(
                    "invariant {number} does not hold: `{}` at {}:{}",
                    it.value, it.at.file, it.at.line
                )
            }
            (Blame::Segment(number), Content::Violation(all)) => {
                let at = all[*number as usize - 1].last().map_or(0, |it| it.at.line);
                let file = self.path.display();
                format!("no execution passes segment {number}, the waypoint at {file}:{at}")
            }
            (Blame::Violated(what), _) => format!("the program violates the property: {what}"),
            (Blame::NoTarget, _) => "nothing can go wrong in the line of the target".into(),
            _ => "no execution that passes all segments goes wrong at the target".into(),
        }
    }
}

/// A folder that is gone afterwards.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, Refusal> {
        let folder = std::env::temp_dir().join(format!("hardbop-witness-{}", std::process::id()));
        std::fs::create_dir(&folder).map_err(|error| output::named(&folder, &error))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
