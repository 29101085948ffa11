//! What all kinds of certificate text have in common: numbered lines up to `end`, the goal, numbers.

use hardbop_cfg::Goal;

/// The lines of a certificate below its version line, with their numbers.
pub(crate) struct Lines<'a>(pub std::iter::Enumerate<std::str::Lines<'a>>);

impl<'a> Lines<'a> {
    /// Calls `read` for each line up to `end`; an error gets the number of its line.
    pub fn each(self, mut read: impl FnMut(&'a str) -> Result<(), String>) -> Result<(), String> {
        for (index, line) in self.0 {
            if line == "end" {
                return Ok(());
            }
            read(line).map_err(|why| format!("line {}: {why}", index + 1))?;
        }
        Err("the file ends without `end`".into())
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
        None if what.trim() == "assert" => Ok(Goal::Assert),
        None => Err("expected `goal assert` or `goal label:NAME`".into()),
    }
}
