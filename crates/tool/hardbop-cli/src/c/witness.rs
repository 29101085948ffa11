//! `--witness FILE`: SV-COMP's YAML format 2.0. A safe program gets an invariant for each loop, a
//! violated one the results of the input functions and the place of the violation.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use hardbop_base::Span;
use hardbop_base::sha256;
use hardbop_c::{CProgram, Position, Sources};
use hardbop_check::c::loop_span;
use hardbop_cir::interp::{Event, Step, Watch, run_watched};
use hardbop_cir::pass::outside::OUTSIDE;
use hardbop_cir::{CheckId, Class, FuncId, Op, Source};
use hardbop_engine_c::Counterexample;
use hardbop_kind::Proof;
use hardbop_kind::print::{c_expr, is_of_source};

use super::CArgs;
use crate::output::named;

pub struct Task<'a> {
    pub files: &'a [PathBuf],
    pub loaded: &'a CProgram,
    pub classes: &'a [Class],
    pub args: &'a CArgs,
}

impl Task<'_> {
    /// Of a proof; one without loops to speak of is an empty list, as the format has it.
    pub fn correctness(&self, proof: Option<&Proof>) -> io::Result<String> {
        let mut text = self.head("invariant_set")?;
        let mut n_written = 0;
        for (&(func, head), exprs) in proof.iter().flat_map(|it| &it.invariants) {
            let Some(proof) = proof else { continue };
            // A fact about every index cannot be said in C without quantifiers.
            let exprs = exprs.iter().filter(|it| is_of_source(proof, **it));
            let exprs: Vec<String> = exprs.map(|&it| c_expr(&proof.program, it)).collect();
            if exprs.is_empty() {
                continue;
            }
            let span = loop_span(&proof.program, func, head);
            let _ = write!(text, "    - invariant:\n        type: loop_invariant\n");
            self.location(&mut text, "        ", span, &proof.program.funcs[func].name);
            let _ = write!(
                text,
                "        value: {}\n        format: c_expression\n",
                quoted(&exprs.join(" && "))
            );
            n_written += 1;
        }
        if n_written == 0 {
            text = text.replace("  content:\n", "  content: []\n");
        }
        Ok(text)
    }

    pub fn violation(&self, check: CheckId, counterexample: &Counterexample) -> io::Result<String> {
        let mut text = self.head("violation_sequence")?;
        let program = counterexample.program(&self.loaded.program);
        let mut inputs = Inputs { results: Vec::new(), sources: &self.loaded.sources };
        run_watched(&program, &counterexample.up_to(&program, check), &mut inputs);
        for (func, span, value) in &inputs.results {
            let _ = write!(
                text,
                "    - segment:\n        - waypoint:\n            type: function_return\n            \
                 action: follow\n            constraint:\n              value: {}\n              \
                 format: ext_c_expression\n",
                quoted(&format!("\\result == {value}"))
            );
            // The place of a call is its closing parenthesis.
            let end = Span { start: span.end.saturating_sub(1), end: span.end };
            self.location(&mut text, "            ", end, &program.funcs[*func].name);
        }
        let span = self.loaded.program.checks[check].span;
        let _ = write!(
            text,
            "    - segment:\n        - waypoint:\n            type: target\n            \
             action: follow\n"
        );
        let func = self.loaded.program.insts().find_map(|(func, _, inst)| match inst.op {
            Op::Check { check: it, .. } if it == check => Some(func),
            _ => None,
        });
        let name = func.map(|it| self.loaded.program.funcs[it].name.clone()).unwrap_or("".into());
        self.location(&mut text, "            ", span, &name);
        Ok(text)
    }

    fn location(&self, text: &mut String, indent: &str, span: Span, func: &str) {
        let Position { file, line, col } = self.loaded.sources.position(span);
        let _ = write!(
            text,
            "{indent}location:\n{indent}  file_name: {}\n{indent}  line: {line}\n{indent}  \
             column: {col}\n{indent}  function: {}\n",
            quoted(&file),
            quoted(func)
        );
    }

    fn head(&self, entry_type: &str) -> io::Result<String> {
        let (mut files, mut hashes) = (String::new(), String::new());
        let mut all = String::new();
        for file in self.files {
            let name = quoted(&file.display().to_string());
            let bytes = std::fs::read(file).map_err(|error| named(file, &error))?;
            let hash = sha256::hex(&bytes);
            let _ = writeln!(files, "        - {name}");
            let _ = writeln!(hashes, "        {name}: \"{hash}\"");
            all += &hash;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
        let id = sha256::hex(format!("{entry_type}{now}{all}").as_bytes());
        Ok(format!(
            "- entry_type: {entry_type}\n  metadata:\n    format_version: \"2.0\"\n    \
             uuid: \"{}-{}-4{}-8{}-{}\"\n    creation_time: \"{}\"\n    producer:\n      \
             name: \"Hardbop\"\n      version: \"{}\"\n    task:\n      input_files:\n{files}      \
             input_file_hashes:\n{hashes}      specification: {}\n      data_model: {}\n      \
             language: C\n  content:\n",
            &id[..8],
            &id[8..12],
            &id[13..16],
            &id[17..20],
            &id[20..32],
            utc(now),
            env!("CARGO_PKG_VERSION"),
            quoted(&self.specification()),
            if self.args.is_32_bit() { "ILP32" } else { "LP64" },
        ))
    }

    fn specification(&self) -> String {
        let goals = self.args.goals();
        let mut formulas: Vec<String> = Vec::new();
        for class in self.classes {
            match class {
                Class::Assert => {
                    formulas.extend(goals.calls.iter().map(|it| format!("G ! call({it}())")));
                    formulas.extend(goals.labels.iter().map(|it| format!("G ! label({it})")));
                    if goals.assertions {
                        formulas.push("G ! call(reach_error())".into());
                    }
                }
                Class::Overflow => formulas.push("G ! overflow".into()),
                Class::Race => formulas.push("G ! data-race".into()),
                Class::Free => formulas.push("G valid-free".into()),
                Class::Leak => formulas.push("G valid-memtrack".into()),
                Class::Cleanup => formulas.push("G valid-memcleanup".into()),
                Class::Bounds | Class::Null | Class::Dangling => {
                    formulas.push("G valid-deref".into());
                }
                other => formulas.push(other.name().into()),
            }
        }
        formulas.dedup();
        let entry = self.args.entry();
        let lines = formulas.iter().map(|it| format!("CHECK( init({entry}()), LTL({it}) )"));
        lines.collect::<Vec<_>>().join(" ")
    }
}

/// The results of input functions, in order, with the call.
struct Inputs<'a> {
    results: Vec<(FuncId, Span, String)>,
    sources: &'a Sources,
}

impl Watch for Inputs<'_> {
    fn wants(&self, _: FuncId, _: Span) -> bool {
        true
    }

    fn step(&mut self, step: Step) {
        // What the system or the outside chooses is no call, nor is anything before `main` or inside our
        // library.
        if let Event::Input { source: Source::Input(name) | Source::External(name), value } =
            step.event
            && step.depth > 0
            && &*name != OUTSIDE
            && !self.sources.is_ours(step.span)
        {
            self.results.push((step.func, step.span, value));
        }
    }
}

/// In double quotes, as YAML reads them.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// Seconds since 1970 as `2026-11-16T04:05:06Z` (Howard Hinnant's days-to-civil).
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn days_become_dates() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_794_802_506), "2026-11-16T04:15:06Z");
    }
}
