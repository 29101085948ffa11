//! `hardbop check` of C files: all files are one program, each check of it gets a verdict.

use std::time::Duration;

use hardbop_base::Progress;
use hardbop_c::CProgram;
use hardbop_check::c::Evidence as Shown;
use hardbop_check::render;
use hardbop_check::{Asked, CRequest, Outcome, Request, Subject, Verdict};
use hardbop_cir::Class;
use hardbop_engine::RunCtx;
use hardbop_explorer::graphs;
use hardbop_kind::Proof;

use super::witness::Task;
use super::{list, load, schedule, testbench};
use crate::args::CheckArgs;
use crate::check::{Beside, Job, exit_of, rendered};
use crate::done::Done;
use crate::exit::Exit;
use crate::output::Evidence;
use crate::refusal::Refusal;
use crate::sources;
use crate::subject::Kind;
use crate::supervisor::Desk;
use crate::voice::tell;

/// What `--coverage` takes at most, besides what the verdict took.
const COVERAGE_TIME: Duration = Duration::from_secs(10);

pub fn check(job: &Job, desk: &Desk<Done>) -> Result<Done, Refusal> {
    let (args, files) = (&job.args, &job.subject.files);
    let classes = classes(args);
    let options = args.c.options(classes.clone());
    let (loaded, warnings) = load(files, &args.c, &options, &job.limits(desk))?;
    if args.list_properties {
        return Ok(Done::new(list(&loaded, args.format), Exit::Safe));
    }
    if loaded.program.has_threads() && args.cegar.is_given() {
        let why = "--cegar-… means nothing here: the program starts threads";
        return Err(Refusal::Misfit(why.into()));
    }
    let keeps_rounds = args.wants_page() || args.explain.is_some();
    let request = Request {
        engine: args.engine.for_kind(Kind::C.of_facade()).map_err(Refusal::Misfit)?,
        c: CRequest {
            classes,
            unwind: args.unwind,
            fsoft: args.fsoft.options(),
            cegar: args.cegar.settings(),
            keeps_rounds,
        },
        exhaustive: args.all,
        no_trace: args.no_trace,
        no_certificate: args.no_certificate,
        cube: args.cube,
        ..Request::default()
    };
    let mut outcome = hardbop_check::check(Subject::C(&loaded), &request, &job.ctx);
    if args.coverage {
        let classes = request.c.classes.iter().copied().chain([Class::Line]);
        let options = args.c.options(classes.collect());
        let (lines, _) = load(files, &args.c, &options, &job.limits(desk))?;
        let budget = job.ctx.budget.clone().at_most(COVERAGE_TIME);
        let ctx = RunCtx::new(budget.with_progress(Progress::default()));
        outcome.coverage = hardbop_check::coverage(&lines, &request, &ctx);
    }
    let name = job.subject.name();
    let (text, item) =
        rendered(args, Subject::C(&loaded), &name, &mut outcome, &warnings, |record| Beside {
            graphs: graphs::c::data(&loaded),
            sources: sources::named_in(record, |_| true),
        });
    let mut done = Done::new(text.clone(), exit_of(&outcome));
    let owed = [Evidence::Trace, Evidence::Certificate, Evidence::Witness];
    done.owed = owed
        .into_iter()
        .chain([Evidence::Schedule, Evidence::Testbench])
        .filter(|&it| job.plan.path(it).is_some())
        .map(Evidence::option)
        .collect();
    done.item = item.clone();
    desk.hand_in(done);
    let mut done = Done::new(text, exit_of(&outcome));
    done.item = item;
    let shown = outcome.program.as_deref().unwrap_or(&loaded);
    write_evidence(job, shown, &request.c.classes, &outcome, &mut done);
    Ok(done)
}

/// The files asked for; what cannot be made is an error beside the verdict, not instead of it.
fn write_evidence(
    job: &Job,
    loaded: &CProgram,
    classes: &[Class],
    outcome: &Outcome,
    done: &mut Done,
) {
    let (args, files) = (&job.args.c, &job.subject.files);
    if let (Some(path), Some(run)) = (job.plan.path(Evidence::Trace), &outcome.run) {
        done.files.push((path.into(), format!("{:#}\n", render::run(run))));
    }
    if let Some(path) = job.plan.path(Evidence::Certificate) {
        match &outcome.c_certificate {
            Some(certificate) => done.files.push((path.into(), certificate.print())),
            None if outcome.verdict == Verdict::Safe => {
                let why = outcome.lacks.as_deref().unwrap_or("not certified");
                tell!("hardbop: {}: {why}; no certificate was written", job.subject.name());
            }
            None => {}
        }
    }
    let evidence = outcome.evidence.as_ref();
    if let Some(path) = job.plan.path(Evidence::Witness) {
        let task = Task { files, loaded, classes, args };
        let text = match (evidence, &outcome.verdict) {
            (Some(Shown::Violation(check, it)), _) => Some(task.violation(*check, it)),
            (_, Verdict::Safe) => Some(task.correctness(proof(evidence))),
            _ => None,
        };
        match text.transpose() {
            Ok(text) => done.files.extend(text.map(|text| (path.into(), text))),
            Err(error) => done.errors.push(error),
        }
    }
    if let (Some(path), Some(Shown::Violation(_, it))) =
        (job.plan.path(Evidence::Schedule), evidence)
    {
        match loaded.program.has_threads() {
            true => done.files.push((path.into(), schedule::print(it, classes))),
            false => tell!("hardbop: the program starts no threads: no schedule was written"),
        }
    }
    if let (Some(dir), Some(Shown::Violation(check, it))) =
        (job.plan.path(Evidence::Testbench), evidence)
    {
        match testbench::write(dir, files, loaded, *check, it, args) {
            Ok(bench) => {
                done.folder = Some(dir.into());
                done.files.extend(bench.files);
                for doubt in bench.doubts {
                    tell!("hardbop: the testbench may not fail: {doubt}");
                }
            }
            Err(error) => done.errors.push(error),
        }
    }
}

fn proof(evidence: Option<&Shown>) -> Option<&Proof> {
    match evidence {
        Some(Shown::Proof(proof)) => Some(proof),
        _ => None,
    }
}

fn classes(args: &CheckArgs) -> Vec<Class> {
    let decided = match args.list_properties {
        true => Class::ALL.to_vec(),
        false => CRequest::default().classes,
    };
    args.c.classes(&decided)
}

/// The classes asked about, as the report names them.
pub fn goal(args: &CheckArgs) -> String {
    Asked::Properties(classes(args)).to_string()
}
