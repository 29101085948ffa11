//! What all kinds of certificate text have in common: numbered lines up to `end`, the goal, numbers.

use hardbop_cfg::Goal;

/// The lines of a certificate below its version line, with their numbers.
pub(crate) struct Lines<'a>(pub std::iter::Enumerate<std::str::Lines<'a>>);

impl<'a> Lines<'a> {
    /// Calls `read` for each line up to `end`, after which nothing follows; an error gets the number of its line.
    pub fn each(
        mut self,
        mut read: impl FnMut(&'a str) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut n_read = 1;
        for (index, line) in self.0.by_ref() {
            n_read = index + 1;
            if line == "end" {
                // Soundness: what stands there may be meant, and nobody would read it.
                return match self.0.find(|(_, line)| !line.trim().is_empty()) {
                    None => Ok(()),
                    Some((index, _)) => {
                        Err(format!("line {}: there is text after `end`", index + 1))
                    }
                };
            }
            read(line).map_err(|why| format!("line {n_read}: {why}"))?;
        }
        Err(format!("line {n_read}: the file ends here without `end`"))
    }
}

/// More of one kind than any program has; keeps a forged file from asking for all memory.
pub(crate) const MOST: usize = 1 << 28;

pub(crate) fn number(text: &str, below: usize) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n < below).ok_or_else(|| format!("bad number `{text}`"))
}

/// A line `goal assert` or `goal label:NAME`.
pub(crate) fn goal(line: &str) -> Result<Goal, String> {
    let what = line.strip_prefix("goal ").unwrap_or("");
    match what.strip_prefix("label:") {
        Some(name) => Ok(Goal::Label(name.into())),
        None if what == "assert" => Ok(Goal::Assert),
        None => Err("expected `goal assert` or `goal label:NAME`".into()),
    }
}
