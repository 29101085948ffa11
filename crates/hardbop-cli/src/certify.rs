//! `hardbop certify`: the proof of an earlier run, checked again.

use std::io;
use std::path::Path;

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::Rejected;
use hardbop_cfg::{LocRef, Program};
use hardbop_evidence::{Certificate, ThreadSet};

use crate::exit::Exit;
use crate::input;

/// Safe if the certificate is a proof, input rejected if it is not.
pub fn certify(path: &Path, certificate: &Path) -> io::Result<Exit> {
    let Some((source, program)) = input::load(path)? else { return Ok(Exit::Rejected) };
    let name = certificate.display();
    let text = String::from_utf8(input::read(certificate)?);
    let read = text.map_err(|_| "not a text file".to_string());
    let certificate = match read.and_then(|text| Certificate::read(&text)) {
        Ok(certificate) => certificate,
        Err(why) => {
            anstream::eprintln!("hardbop: {name}: {why}");
            return Ok(Exit::Rejected);
        }
    };
    match hardbop_certify::certify(&program, &certificate, &Budget::unlimited()) {
        Ok(accepted) => {
            anstream::println!(
                "ACCEPTED  {name} proves {}: {} obligations, goal {}{}",
                source.name,
                accepted.n_obligations,
                certificate.goal(),
                threads(&certificate)
            );
            Ok(Exit::Safe)
        }
        Err(Rejected::At(at, why)) => {
            anstream::println!("REJECTED  {name}: {}: {why}", place(&source, &program, at));
            Ok(Exit::Rejected)
        }
        Err(rejected) => {
            anstream::println!("REJECTED  {name}: {rejected}");
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
