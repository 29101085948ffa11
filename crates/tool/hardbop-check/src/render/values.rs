//! The values beside a statement, as many as a person reads.

use crate::shown::{ShownStep, ShownValue};

/// More than this many and the rest is only counted; JSON has them all.
const MOST: usize = 16;

/// Those that matter, or all; the ones the statement names come first where not all fit.
pub fn values(step: &ShownStep, all: bool) -> String {
    let mut shown: Vec<&ShownValue> =
        step.values.iter().filter(|value| value.matters || all).collect();
    let left_out = shown.len().saturating_sub(MOST);
    if left_out > 0 {
        let words: Vec<&str> =
            step.text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        // Stable: each part stays in the order of declaration.
        shown.sort_by_key(|value| !words.contains(&&*value.name));
        shown.truncate(MOST);
    }
    let mut parts: Vec<String> = shown
        .into_iter()
        .map(|value| format!("{}={}", value.name, u8::from(value.value)))
        .collect();
    if left_out > 0 {
        parts.push(format!("… {left_out} more"));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::values;
    use crate::shown::{ShownStep, ShownValue};

    #[test]
    fn a_wide_program_fits_on_a_line() {
        let value = |n: usize| ShownValue {
            name: format!("v{n}").as_str().into(),
            value: n % 2 == 1,
            is_shared: true,
            matters: n != 1,
        };
        let mut step = ShownStep {
            thread: 0,
            depth: 0,
            proc: "main".into(),
            line: Some(1),
            text: "v30 := !v29;".into(),
            values: (0..3).map(value).collect(),
            counts: Vec::new(),
            over: None,
        };
        assert_eq!(values(&step, false), "v0=0 v2=0");
        assert_eq!(values(&step, true), "v0=0 v1=1 v2=0");
        step.values = (0..40).map(value).collect();
        let text = values(&step, false);
        assert!(text.starts_with("v29=1 v30=0 v0=0 v2=0 "), "{text}");
        assert!(text.ends_with(" … 23 more"), "{text}");
    }
}
