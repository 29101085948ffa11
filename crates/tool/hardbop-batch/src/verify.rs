//! Stored proofs, checked again by the command's certifier, which no engine uses.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::Trouble;
use crate::key::key;
use crate::row::{Answer, is_safe_part};
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
    /// The answer is safe, and no certificate is kept or could be checked: some engines have none, and those of linked
    /// programs are checked only by the check itself.
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
    let Some(result) = &listed.result else { return Ok(None) };
    let is_safe = match result.answer {
        Answer::Safe => true,
        Answer::Unknown => {
            let record = store.record_of(result.id)?.and_then(|it| serde_json::from_str(&it).ok());
            is_safe_part(record.as_ref())
        }
        _ => false,
    };
    if !is_safe {
        return Ok(None);
    }
    // A certificate about C is about one file.
    let task = &listed.task;
    let is_checked = !task.is_c() || task.files.len() == 1;
    let evidence = store.evidence_of(result.id)?;
    let Some(certificate) = evidence.filter(|_| is_checked) else {
        return Ok(Some(Verified::Without));
    };
    // The key of then with the tool of then: the certifier may be newer.
    if key(&listed.task, &run.folder, &run.tool) != listed.key {
        return Ok(Some(Verified::Changed));
    }
    let path = scratch.join("certificate");
    std::fs::write(&path, certificate).map_err(|error| Trouble::io(&path, &error))?;
    let mut command = Command::new(&tool.path);
    command.current_dir(&run.folder).arg("certify").args(shared(&task.asked.words()));
    command.arg("--").args(&listed.task.files).arg(&path).stdin(Stdio::null());
    let output = command.output().map_err(|error| Trouble::io(&tool.path, &error))?;
    if output.status.success() {
        return Ok(Some(Verified::Accepted));
    }
    let said = [output.stdout, output.stderr].concat();
    Ok(Some(Verified::Refused(String::from_utf8_lossy(&said).trim().to_string())))
}

/// Options that the certifier takes as the check does: those with a value, and those alone.
const WITH_VALUE: [&str; 11] = [
    "--init",
    "--target",
    "--cube",
    "--property",
    "--entry",
    "--data-model",
    "-I",
    "-D",
    "--lock",
    "--assume-returns",
    "--entry-depth",
];
const ALONE: [&str; 2] = ["--flexible-last-member", "--malloc-may-fail"];

/// Those of a check's words that the certifier takes, too.
fn shared(words: &[String]) -> Vec<&String> {
    let (mut kept, mut words) = (Vec::new(), words.iter());
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word.as_str(), |it| it.0);
        if WITH_VALUE.contains(&name) {
            kept.push(word);
            kept.extend((name == word).then(|| words.next()).flatten());
        } else if ALONE.contains(&name) {
            kept.push(word);
        }
    }
    kept
}
