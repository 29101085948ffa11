//! Stored proofs, checked again by the command's certifier, which no engine uses.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::Trouble;
use crate::key::key;
use crate::row::Answer;
use crate::store::{Listed, Run, Store};
use crate::tool::Tool;

/// What became of one proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verified {
    /// It is a proof.
    Accepted,
    /// It is none; what the certifier said.
    Refused(String),
    /// The program or the command is no longer what it was.
    Changed,
    /// The answer is safe, and no certificate is kept: C has none, nor have some engines.
    Without,
}

/// Checks the proof of a task; `None` if it is not safe and there is nothing to prove.
pub fn verify(
    store: &Store,
    run: &Run,
    listed: &Listed,
    tool: &Tool,
    scratch: &Path,
) -> Result<Option<Verified>, Trouble> {
    let Some(result) = listed.result.as_ref().filter(|it| it.answer == Answer::Safe) else {
        return Ok(None);
    };
    let evidence = store.evidence_of(result.id)?;
    let Some(certificate) = evidence.filter(|_| !listed.task.is_c()) else {
        return Ok(Some(Verified::Without));
    };
    // The key of then with the tool of then: the certifier may be newer.
    if key(&listed.task, &run.folder, &run.tool) != listed.key {
        return Ok(Some(Verified::Changed));
    }
    let path = scratch.join("certificate");
    std::fs::write(&path, certificate).map_err(|error| Trouble::io(&path, &error))?;
    let mut command = Command::new(&tool.path);
    command.current_dir(&run.folder).arg("certify").args(about_nets(&listed.task.asked.options));
    command.arg("--").args(&listed.task.files).arg(&path).stdin(Stdio::null());
    let output = command.output().map_err(|error| Trouble::io(&tool.path, &error))?;
    if output.status.success() {
        return Ok(Some(Verified::Accepted));
    }
    let said = [output.stdout, output.stderr].concat();
    Ok(Some(Verified::Refused(String::from_utf8_lossy(&said).trim().to_string())))
}

/// Those of a check's options that the certifier takes, too.
fn about_nets(options: &[String]) -> Vec<&String> {
    let is_one = |it: &str| ["--init", "--target"].contains(&it);
    let (mut kept, mut words) = (Vec::new(), options.iter());
    while let Some(word) = words.next() {
        if is_one(word) {
            kept.push(word);
            kept.extend(words.next());
        } else if word.split_once('=').is_some_and(|it| is_one(it.0)) {
            kept.push(word);
        }
    }
    kept
}
