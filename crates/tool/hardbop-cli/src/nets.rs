//! `hardbop check` for nets: thread-transition systems (`.tts`) and Petri nets (`.spec`).

use std::path::Path;
use std::sync::Arc;

use hardbop_base::SourceFile;
use hardbop_check::{NetSubject, Request, Subject};
use hardbop_diag::Diagnostic;
use hardbop_net::{Initial, Marking, Net, Question, query, spec, tts};
use serde_json::Value;

use crate::args::NetArgs;
use crate::check::{Beside, Job, rendered, with_evidence};
use crate::done::Done;
use crate::input::{self, Limits};
use crate::refusal::Refusal;
use crate::subject::Kind;
use crate::supervisor::Desk;

pub fn check(job: &Job, desk: &Desk<Done>) -> Result<Done, Refusal> {
    let args = &job.args;
    let path = &job.subject.files[0];
    let (source, net, question) = load(path, job.subject.kind, &args.net, &job.limits(desk))?;
    let (net, question) = (&Arc::new(net), &Arc::new(question));
    let request = Request {
        engine: args.engine.for_kind(Kind::Tts.of_facade()).map_err(Refusal::Misfit)?,
        no_trace: args.no_trace,
        cube: args.cube,
        no_certificate: args.no_certificate,
        ..Request::default()
    };
    let subject = Subject::Net(NetSubject { net, question, source: &source });
    let mut outcome = hardbop_check::check(subject, &request, &job.ctx);
    let (text, item) = rendered(args, subject, &source.name, &mut outcome, &[], |_| Beside {
        graphs: Value::Null,
        sources: vec![(source.name.clone(), source.text.clone())],
    });
    Ok(with_evidence(job, desk, text, item, &outcome))
}

/// A net and the question asked of it.
pub fn load(
    path: &Path,
    kind: Kind,
    args: &NetArgs,
    limits: &Limits,
) -> Result<(SourceFile, Net, Question), Refusal> {
    let source = text(path, limits)?;
    let (net, question) = match kind {
        Kind::Tts => transition_system(path, &source, args, limits)?,
        _ => accepted(&source, spec::parse(&source), limits)?,
    };
    Ok((source, net, question))
}

/// The text of a file. Bytes of another encoding are read in comments, where they mean nothing.
pub fn text(path: &Path, limits: &Limits) -> Result<SourceFile, Refusal> {
    let name = path.display().to_string();
    let bytes = match String::from_utf8(input::read(path, limits)?) {
        Ok(text) => return Ok(SourceFile::new(name, text)),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    for (line, bytes) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if let Err(error) = std::str::from_utf8(bytes)
            && !bytes[..error.valid_up_to()].contains(&b'#')
        {
            let place = (line as u32 + 1, error.valid_up_to() as u32 + 1);
            return Err(Refusal::of_place(&name, place, "this byte is no text"));
        }
        text += &String::from_utf8_lossy(bytes);
    }
    Ok(SourceFile::new(name, text))
}

/// The result, or why there is none.
pub fn accepted<T>(
    source: &SourceFile,
    parsed: Result<T, Vec<Diagnostic>>,
    limits: &Limits,
) -> Result<T, Refusal> {
    limits.budget.check()?;
    parsed.map_err(|wrong| Refusal::Rejected(input::complain(source, &wrong)))
}

fn transition_system(
    path: &Path,
    source: &SourceFile,
    args: &NetArgs,
    limits: &Limits,
) -> Result<(Net, Question), Refusal> {
    let net = accepted(source, tts::parse(source), limits)?;
    let init = SourceFile::new("--init", args.init.as_deref().unwrap_or("0/0"));
    let initial = query::initial(&init.text).map_err(|it| vec![*it]);
    let initial = accepted(&init, initial, limits)?;
    let target = match &args.target {
        Some(state) if query::looks_like_state(state) => SourceFile::new("--target", state),
        Some(file) => text(Path::new(file), limits)?,
        None => text(&path.with_extension("prop"), limits)?,
    };
    let targets = query::targets(&target.text).map_err(|it| vec![*it]);
    let targets = accepted(&target, targets, limits)?;
    if let Err((name, why)) = in_range(&net, &init, &initial, &target, &targets) {
        return Err(Refusal::of_file(name, why));
    }
    Ok((net, Question { initial, targets }))
}

/// `Err` names the file and says which state is not of the net.
fn in_range<'n>(
    net: &Net,
    init: &'n SourceFile,
    initial: &Initial,
    target: &'n SourceFile,
    targets: &[Marking],
) -> Result<(), (&'n str, String)> {
    let places = initial.ranges.iter().map(|range| range.place);
    tts::check_in_range(net, initial.control, places).map_err(|why| (init.name.as_str(), why))?;
    for it in targets {
        let places = it.counts.iter().map(|&(place, _)| place);
        tts::check_in_range(net, it.control, places).map_err(|why| (target.name.as_str(), why))?;
    }
    Ok(())
}
