//! `hardbop certify`: the proof of an earlier run, checked again.

use std::io::{self, Write};
use std::path::Path;

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::{Accepted, Rejected, certify_net};
use hardbop_cfg::{LocRef, Program};
use hardbop_evidence::{Certificate, ThreadSet};

use crate::args::NetArgs;
use crate::exit::Exit;
use crate::input;
use crate::nets;

/// Safe if the certificate is a proof, input rejected if it is not.
pub fn certify(path: &Path, certificate: &Path, net: &NetArgs) -> io::Result<Exit> {
    match nets::Kind::of(path) {
        Some(kind) => of_net(path, kind, certificate, net),
        None => of_program(path, certificate),
    }
}

fn of_program(path: &Path, file: &Path) -> io::Result<Exit> {
    let Some((source, program)) = input::load(path)? else { return Ok(Exit::Rejected) };
    let Some(certificate) = load(file)? else { return Ok(Exit::Rejected) };
    let checked = hardbop_certify::certify(&program, &certificate, &Budget::unlimited());
    let goal = certificate.goal().map_or(String::new(), |goal| format!(", goal {goal}"));
    let what = format!("{goal}{}", threads(&certificate));
    tell(&source, file, checked, &what, |rejected| match rejected {
        Rejected::At(at, why) => format!("{}: {why}", place(&source, &program, *at)),
        other => other.to_string(),
    })
}

fn of_net(path: &Path, kind: nets::Kind, file: &Path, args: &NetArgs) -> io::Result<Exit> {
    let Some((source, net, question)) = nets::load(path, kind, args)? else {
        return Ok(Exit::Rejected);
    };
    let Some(certificate) = load(file)? else { return Ok(Exit::Rejected) };
    let checked = match &certificate {
        Certificate::Net(proof) => certify_net(&net, &question, proof, &Budget::unlimited()),
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

/// The certificate, or `None` after telling that it is none.
fn load(file: &Path) -> io::Result<Option<Certificate>> {
    let text = String::from_utf8(input::read(file)?);
    let read = text.map_err(|_| "not a text file".to_string());
    match read.and_then(|text| Certificate::read(&text)) {
        Ok(certificate) => Ok(Some(certificate)),
        Err(why) => {
            anstream::eprintln!("hardbop: {}: {why}", file.display());
            Ok(None)
        }
    }
}

fn tell(
    source: &SourceFile,
    file: &Path,
    checked: Result<Accepted, Rejected>,
    what: &str,
    why: impl Fn(&Rejected) -> String,
) -> io::Result<Exit> {
    let mut out = anstream::stdout().lock();
    let (name, file) = (&source.name, file.display());
    match checked {
        Ok(Accepted { n_obligations }) => {
            writeln!(out, "ACCEPTED  {file} proves {name}: {n_obligations} obligations{what}")?;
            Ok(Exit::Safe)
        }
        Err(rejected) => {
            writeln!(out, "REJECTED  {file}: {}", why(&rejected))?;
            Ok(Exit::Rejected)
        }
    }
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
