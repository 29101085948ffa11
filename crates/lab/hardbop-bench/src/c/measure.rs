//! One row by one engine, in a process of its own.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{BUSY, CArgs, CORPUS, Row, data_model};

#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// `safe`, `unsafe`, `unknown`, `rejected` or `failed`.
    pub got: String,
    /// The engine that had the last word.
    pub by: String,
    /// Of the processor.
    pub seconds: f64,
    pub megabytes: f64,
    /// Word and detail.
    pub reason: String,
}

impl Measured {
    pub fn is_decided(&self) -> bool {
        self.got == "safe" || self.got == "unsafe"
    }

    fn without(got: &str, reason: String) -> Measured {
        Measured { got: got.into(), by: String::new(), seconds: 0.0, megabytes: 0.0, reason }
    }
}

pub fn measure(hardbop: &Path, row: &Row, engine: &str, args: &CArgs) -> Measured {
    let file = Path::new(CORPUS).join(&row.file);
    let model = data_model(row);
    // The shell's limit is of processor time; the command's own, of wall-clock time, is for those who
    // wait without working.
    let wall = format!("{}s", args.cpu * BUSY);
    let output = Command::new("sh")
        .args(["-c", "ulimit -t \"$1\"; shift; exec \"$@\"", "sh", &args.cpu.to_string()])
        .arg(hardbop)
        .arg("check")
        .arg(&file)
        .args(["--property", &row.property, "--data-model", model, "--format", "json"])
        .args(["--engine", engine, "--time-limit", &wall, "--memory-limit", &args.memory])
        .args(&args.options)
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => return Measured::without("failed", format!("start: {error}")),
    };
    let Ok(json) = serde_json::from_slice::<Value>(&output.stdout) else {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default().to_string();
        return match output.status.code() {
            Some(2) => Measured::without("rejected", format!("rejected: {said}")),
            Some(code) => Measured::without("failed", format!("exit code {code}: {said}")),
            // The signal of the shell's limit leaves no report.
            None => Measured {
                seconds: args.cpu as f64,
                ..Measured::without("unknown", format!("cpu: {} s are over", args.cpu))
            },
        };
    };
    let text = |key: &str| json[key].as_str().unwrap_or_default().to_string();
    let number = |key: &str| json["stats"][key].as_f64().unwrap_or(0.0);
    let reason = match text("reason") {
        reason if reason.is_empty() => reason,
        reason => format!("{reason}: {}", text("detail")),
    };
    Measured {
        got: text("verdict"),
        by: text("engine"),
        seconds: number("cpu_ms") / 1e3,
        megabytes: number("peak_memory_bytes") / 1e6,
        reason,
    }
}
