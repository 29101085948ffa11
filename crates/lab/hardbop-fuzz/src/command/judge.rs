//! What must hold however the command was called (`docs/formats/exit-codes.md`, `result-json.md`).

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::command::Setup;
use crate::command::case::{Case, Disturbance, Format};
use crate::command::process::{End, Ended};
use crate::command::schema;

/// Codes in the order in which they count for several programs.
const ORDER: [i32; 7] = [0, 5, 10, 1, 2, 3, 70];

/// Words of our mistakes.
const NEVER: [&str; 3] = ["panicked", "internal error", "overflowed its stack"];

/// Words to count, or what is wrong.
pub fn judge(setup: &Setup, case: &Case, ended: &Ended) -> Result<Vec<String>, String> {
    let code = match ended.end {
        End::Code(code) => code,
        // Before the command has begun to listen a signal ends it as any other.
        End::Signal(signal) if is_early(setup, case, ended, signal) => {
            return Ok(vec!["signalled before it began".into()]);
        }
        End::Signal(signal) => return Err(format!("ended by signal {signal}")),
        End::Hung => return Err("it does not end".into()),
    };
    if !ORDER.contains(&code) || code == 70 {
        return Err(format!("exit code {code}"));
    }
    let told = String::from_utf8_lossy(&ended.stderr);
    if let Some(word) = NEVER.iter().find(|word| told.contains(**word)) {
        return Err(format!("it says `{word}`"));
    }
    in_time(setup, case, ended)?;
    if case.command == "check" {
        report(case, ended, code)?;
    }
    Ok(vec![format!("{}: exit code {code}", case.command)])
}

fn is_early(setup: &Setup, case: &Case, ended: &Ended, signal: i32) -> bool {
    let is_ours = matches!(case.disturbance, Disturbance::Signal(sent, _) if sent == signal);
    is_ours && ended.stdout.is_empty() && ended.time < Duration::from_secs(1).mul_f64(setup.slack)
}

/// Never over a limit by more than a second and a tenth, for each program.
fn in_time(setup: &Setup, case: &Case, ended: &Ended) -> Result<(), String> {
    let second = Duration::from_secs(1).mul_f64(setup.slack);
    if let Some(time) = ended.after_signal
        && time > second
    {
        return Err(format!("it ended {:.2} s after the signal", time.as_secs_f64()));
    }
    let Some(limit) = case.time_limit else { return Ok(()) };
    let each = limit.mul_f64(1.0 + 0.1 * setup.slack) + second;
    let most = each * u32::try_from(case.n_subjects().max(1)).unwrap_or(u32::MAX);
    if ended.time > most {
        return Err(format!("it took {:.2} s", ended.time.as_secs_f64()));
    }
    Ok(())
}

fn report(case: &Case, ended: &Ended, code: i32) -> Result<(), String> {
    let is_lost = matches!(case.disturbance, Disturbance::ClosedPipe | Disturbance::FullDisk);
    if is_lost || case.args.iter().any(|it| it == "--list-properties") {
        return Ok(());
    }
    let said = std::str::from_utf8(&ended.stdout).map_err(|_| "the report is no text")?;
    if code == 1 && said.is_empty() || code == 3 && said.is_empty() && !case.outputs.is_empty() {
        return Ok(());
    }
    match case.format {
        Format::Json => objects(case, said, code),
        Format::Human => headline(case, said, code),
    }
}

fn objects(case: &Case, said: &str, code: i32) -> Result<(), String> {
    let mut codes = Vec::new();
    for line in said.lines() {
        let object: Value = serde_json::from_str(line).map_err(|error| format!("JSON: {error}"))?;
        schema::validate(&object)?;
        codes.push(code_of(&object)?);
    }
    if codes.len() != case.n_subjects() {
        return Err(format!("{} objects for {} programs", codes.len(), case.n_subjects()));
    }
    let rank = |code: &i32| ORDER.iter().position(|it| it == code);
    let worst = codes.into_iter().max_by_key(rank).unwrap_or(0);
    // A file of evidence that could not be written.
    let is_unwritten = code == 3 && !case.outputs.is_empty();
    if worst != code && !is_unwritten {
        return Err(format!("the objects mean exit code {worst}, it is {code}"));
    }
    Ok(())
}

/// The exit code an object means.
fn code_of(object: &Value) -> Result<i32, String> {
    let word = |field: &str| object[field].as_str().unwrap_or_default();
    Ok(match (word("verdict"), word("reason")) {
        ("safe", "") => 0,
        ("unsafe", "") => 10,
        ("unknown", "internal" | "not-confirmed") => 70,
        ("unknown", reason) if !reason.is_empty() => 5,
        ("rejected", "option") => 1,
        ("rejected", "input") => 2,
        ("error", "io") => 3,
        (verdict, reason) => return Err(format!("verdict {verdict} with reason `{reason}`")),
    })
}

/// For one program the first word is the verdict.
fn headline(case: &Case, said: &str, code: i32) -> Result<(), String> {
    if case.n_subjects() != 1 {
        return Ok(());
    }
    let is_unwritten = code == 3 && !case.outputs.is_empty();
    let plain = without_colours(said);
    let meant: &[i32] = match plain.split_whitespace().next() {
        Some("SAFE") => &[0],
        Some("UNSAFE") => &[10],
        Some("UNKNOWN") => &[5],
        None => &[1, 2, 3],
        Some(other) => return Err(format!("the report begins with `{other}`")),
    };
    match meant.contains(&code) || is_unwritten {
        true => Ok(()),
        false => Err(format!("the report means exit code {meant:?}, it is {code}")),
    }
}

/// The text without the terminal's sequences `ESC [ … m`.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = String::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        plain.push_str(piece.split_once('m').map_or(piece, |(_, rest)| rest));
    }
    plain
}

type Files = BTreeMap<String, Vec<u8>>;

/// Inputs are as they were, and nothing was made but what was named, and that whole.
pub fn files(case: &Case, before: &Files, after: &Files) -> Result<(), String> {
    for (name, bytes) in before {
        if after.get(name) != Some(bytes) {
            return Err(format!("{name} was changed"));
        }
    }
    for (name, bytes) in after.iter().filter(|it| !before.contains_key(it.0)) {
        let is_named =
            case.outputs.iter().any(|it| name == it || name.starts_with(&format!("{it}/")));
        if !is_named || name.ends_with(".tmp") {
            return Err(format!("{name} was made"));
        }
        whole(name, bytes)?;
    }
    Ok(())
}

fn whole(name: &str, bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|_| format!("{name} is no text"))?;
    let is_cut = match text.chars().next() {
        None => true,
        Some('{') => serde_json::from_str::<Value>(text).is_err(),
        Some(_) => !text.ends_with('\n'),
    };
    if is_cut { Err(format!("{name} is cut off")) } else { Ok(()) }
}
