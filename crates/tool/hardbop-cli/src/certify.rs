//! `hardbop certify`: the proof of an earlier run, or the witness of another tool, checked again.

use std::path::Path;

use hardbop_base::SourceFile;
use hardbop_certify::{Accepted, Rejected, certify_net};
use hardbop_cfg::{LocRef, Program};
use hardbop_check::Cube;
use hardbop_evidence::{Certificate, ThreadSet};

use crate::args::NetArgs;
use crate::c::{self, CArgs};
use crate::exit::Exit;
use crate::input::{self, Limits, Loaded};
use crate::nets;
use crate::refusal::Refusal;
use crate::subject::Kind;
use crate::voice;

/// Safe if the certificate is a proof, input rejected if it is not.
pub fn certify(
    path: &Path,
    certificate: &Path,
    cube: Option<Cube>,
    net: &NetArgs,
    c: &CArgs,
    limits: &Limits,
) -> Result<Exit, Refusal> {
    let kind = Kind::of(path);
    if matches!(kind, Kind::Tts | Kind::Spec) && cube.is_some() {
        return Err(Refusal::Misfit(format!("--cube means nothing for {}", kind.name())));
    }
    if kind != Kind::Tts && (net.init.is_some() || net.target.is_some()) {
        return Err(Refusal::Misfit(format!(
            "--init and --target mean nothing for {}",
            kind.name()
        )));
    }
    if kind != Kind::C && c.is_given() {
        return Err(Refusal::Misfit(format!("options about C mean nothing for {}", kind.name())));
    }
    match kind {
        Kind::Boolean => of_program(path, certificate, cube, limits),
        Kind::Tts | Kind::Spec => of_net(path, kind, certificate, net, limits),
        Kind::C if c::is_witness(certificate) => match cube {
            None => c::validate(path, certificate, c, limits),
            Some(_) => Err(Refusal::Misfit("--cube means nothing for a witness".into())),
        },
        Kind::C => c::certify(path, certificate, c, cube, limits),
    }
}

fn of_program(
    path: &Path,
    file: &Path,
    cube: Option<Cube>,
    limits: &Limits,
) -> Result<Exit, Refusal> {
    let Loaded { source, mut program, .. } = input::load(path, limits)?;
    if let Some(cube) = cube {
        let part = cube.of_program(&program);
        let empty = || Refusal::Misfit(format!("part {cube} is empty: there is nothing to prove"));
        program = part.ok_or_else(empty)?.0;
    }
    let certificate = load(file, limits)?;
    let checked = hardbop_certify::certify(&program, &certificate, &limits.budget);
    let goal = certificate.goal().map_or(String::new(), |goal| format!(", goal {goal}"));
    let what = format!("{goal}{}", threads(&certificate));
    tell(&source, file, checked, &what, |rejected| match rejected {
        Rejected::At(at, why) => format!("{}: {why}", place(&source, &program, *at)),
        other => other.to_string(),
    })
}

fn of_net(
    path: &Path,
    kind: Kind,
    file: &Path,
    args: &NetArgs,
    limits: &Limits,
) -> Result<Exit, Refusal> {
    let (source, net, question) = nets::load(path, kind, args, limits)?;
    let certificate = load(file, limits)?;
    let checked = match &certificate {
        Certificate::Net(proof) => certify_net(&net, &question, proof, &limits.budget),
        _ => Err(Rejected::Unfit("it is about a program, not a net".into())),
    };
    let targets: Vec<_> = question.targets.iter().map(|target| net.show(target)).collect();
    let what = format!(", no state covers {}", targets.join(" or "));
    tell(&source, file, checked, &what, |rejected| match rejected {
        Rejected::AtRule(rule, why) => {
            format!("{}:{}: {why}", source.name, source.line(net.rules[*rule].span.start))
        }
        other => other.to_string(),
    })
}

/// The certificate.
fn load(file: &Path, limits: &Limits) -> Result<Certificate, Refusal> {
    let text = String::from_utf8(input::read(file, limits)?);
    let read = text.map_err(|_| "not a text file".to_string());
    let read = read.and_then(|text| Certificate::read(&text));
    read.map_err(|why| Refusal::of_file(&file.display().to_string(), why))
}

fn tell(
    source: &SourceFile,
    file: &Path,
    checked: Result<Accepted, Rejected>,
    what: &str,
    why: impl Fn(&Rejected) -> String,
) -> Result<Exit, Refusal> {
    let (name, file) = (&source.name, file.display());
    let (text, exit) = match checked {
        Ok(Accepted { n_obligations }) => (
            format!("ACCEPTED  {file} proves {name}: {n_obligations} obligations{what}"),
            Exit::Safe,
        ),
        Err(Rejected::Exhausted(limit)) => return Err(Refusal::Limit(limit)),
        Err(rejected) => (format!("REJECTED  {file}: {}", why(&rejected)), Exit::Rejected),
    };
    voice::result(&format!("{text}\n"))?;
    Ok(exit)
}

/// How many threads the proof is about.
fn threads(certificate: &Certificate) -> String {
    let Certificate::Threads(proof) = certificate else { return String::new() };
    let alive = match proof.set {
        ThreadSet::Bounded { bound, .. } => format!("at most {bound} threads"),
        ThreadSet::Cover { .. } | ThreadSet::Views { .. } => "any number of threads".into(),
    };
    let first = match proof.initial.as_finite() {
        Some(1) => String::new(),
        Some(n) => format!(", {n} of them from the beginning"),
        None => ", any number from the beginning".into(),
    };
    format!(", {alive}{first}")
}

fn place(source: &SourceFile, program: &Program, at: LocRef) -> String {
    let body = &program.procs[at.proc];
    match body.locs[at.loc].span {
        Some(span) => format!("{}:{} in {}", source.name, source.line(span.start), body.name),
        None => format!("{} of {}", at.loc, body.name),
    }
}
