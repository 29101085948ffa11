//! The notation of single states: `shared|local,local/local,local`, as bfc reads it.
//!
//! Behind `|` each local state stands for one thread; behind `/` for any number of threads. Either
//! part may be missing: `0/0` is any number of threads in local state 0. Where a shell or the name of a file
//! minds these two, bfc writes `B` (bounded) and `U` (unbounded) for them.

use hardbop_base::Span;
use hardbop_diag::Diagnostic;
use hardbop_diag::codes::net::{RANGE, SYNTAX};

use crate::net::{Initial, MOST, Marking, Range, merged};

/// An initial state.
pub fn initial(text: &str) -> Result<Initial, Box<Diagnostic>> {
    let state = parse(text)?;
    let mut ranges: Vec<Range> = merged(state.single.iter().map(|&place| (place, 1)))
        .into_iter()
        .map(|(place, n)| Range { place, low: n, high: Some(n) })
        .collect();
    for &place in &state.any {
        match ranges.iter_mut().find(|range| range.place == place) {
            Some(range) => range.high = None,
            None => ranges.push(Range { place, low: 0, high: None }),
        }
    }
    ranges.sort_by_key(|range| range.place);
    Ok(Initial { control: state.control, ranges })
}

/// A state to be covered: any number of threads makes no sense in it.
pub fn target(text: &str) -> Result<Marking, Box<Diagnostic>> {
    let state = parse(text)?;
    if !state.any.is_empty() {
        let at = text.find(ANY).unwrap_or(0);
        let why = "a target names each of its threads; `/` is for initial states";
        return Err(Box::new(Diagnostic::error(SYNTAX, Span::new(at, at + 1), why)));
    }
    Ok(Marking::new(state.control, state.single.iter().map(|&place| (place, 1))))
}

/// The states of a `.prop` file, one a line; `#` begins a comment.
pub fn targets(text: &str) -> Result<Vec<Marking>, Box<Diagnostic>> {
    let mut all = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let state = line.split('#').next().unwrap_or("");
        if !state.trim().is_empty() {
            let moved = |mut wrong: Box<Diagnostic>| {
                let span = wrong.primary.span;
                wrong.primary.span =
                    Span::new(start + span.start as usize, start + span.end as usize);
                wrong
            };
            all.push(target(state).map_err(moved)?);
        }
        start += line.len() + 1;
    }
    if all.is_empty() {
        let at = Span::new(text.len(), text.len());
        return Err(Box::new(Diagnostic::error(SYNTAX, at, "expected a state such as `4|5,5`")));
    }
    Ok(all)
}

/// Whether a text is meant to be a state rather than the name of a file.
pub fn looks_like_state(text: &str) -> bool {
    (text.contains(SINGLE) || text.contains(ANY))
        && text.chars().all(|c| c.is_ascii_digit() || "|/BU, ".contains(c))
}

/// What the threads that are there once stand behind.
const SINGLE: [char; 2] = ['|', 'B'];

/// What those of which there are any number stand behind.
const ANY: [char; 2] = ['/', 'U'];

struct Parsed {
    control: u32,
    single: Vec<u32>,
    any: Vec<u32>,
}

fn parse(text: &str) -> Result<Parsed, Box<Diagnostic>> {
    let head = text.find(SINGLE).into_iter().chain(text.find(ANY)).min().unwrap_or(text.len());
    let control = number(text, 0, head)?;
    let slash = text[head..].find(ANY).map(|at| head + at);
    let mut parsed = Parsed { control, single: Vec::new(), any: Vec::new() };
    if text[head..].starts_with(SINGLE) {
        parsed.single = list(text, head + 1, slash.unwrap_or(text.len()))?;
    }
    if let Some(slash) = slash {
        parsed.any = list(text, slash + 1, text.len())?;
    }
    Ok(parsed)
}

fn list(text: &str, start: usize, end: usize) -> Result<Vec<u32>, Box<Diagnostic>> {
    let mut numbers = Vec::new();
    if text[start..end].trim().is_empty() {
        return Ok(numbers);
    }
    let mut at = start;
    for part in text[start..end].split(',') {
        numbers.push(number(text, at, at + part.len())?);
        at += part.len() + 1;
    }
    Ok(numbers)
}

fn number(text: &str, start: usize, end: usize) -> Result<u32, Box<Diagnostic>> {
    let word = text[start..end].trim();
    let lead = text[start..end].len() - text[start..end].trim_start().len();
    let span = Span::new(start + lead, start + lead + word.len());
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        let why = "expected `shared|local,local/local`, in numbers";
        return Err(Box::new(Diagnostic::error(SYNTAX, span, why)));
    }
    let in_range = word.parse().ok().filter(|&n: &u32| n < MOST);
    in_range.ok_or_else(|| Box::new(Diagnostic::error(RANGE, span, "the number is too large")))
}

#[cfg(test)]
mod tests {
    use super::{initial, target};
    use crate::net::{Marking, Range};

    #[test]
    fn states_are_read_as_bfc_writes_them() {
        let it = initial("2|0,5,0/7").unwrap();
        assert_eq!(it.control, 2);
        let range = |place, low, high| Range { place, low, high };
        let expected = [range(0, 2, Some(2)), range(5, 1, Some(1)), range(7, 0, None)];
        assert_eq!(it.ranges, expected);
        assert_eq!(initial("0/0").unwrap().ranges, [range(0, 0, None)]);
        assert_eq!(initial("0|0/0").unwrap().ranges, [range(0, 1, None)]);
        assert_eq!(target(" 4|3,3, 5\n").unwrap(), Marking::new(4, [(3, 2), (5, 1)]));
        assert_eq!(target("4|").unwrap(), Marking::new(4, []));
        assert_eq!(initial("2B0,5,0U7").unwrap(), it);
        assert_eq!(initial("0U0").unwrap(), initial("0/0").unwrap());
        assert!(super::looks_like_state("4B3,3") && !super::looks_like_state("B/target.prop"));
        assert_eq!(target("0B0U1").unwrap_err().primary.span.start, 3);
    }

    #[test]
    fn odd_states_are_refused_at_their_place() {
        for (text, at) in [("", 0), ("x|0", 0), ("0|a", 2), ("0|1,,2", 4), ("0|99999999999", 2)] {
            let refused = initial(text).unwrap_err();
            assert_eq!(refused.primary.span.start, at, "{text}");
        }
        assert!(target("0|0/1").is_err());
        assert_eq!(super::targets("# no\n1|2 # yes\n\n1|3").unwrap().len(), 2);
        assert_eq!(super::targets("1|2\n1|x").unwrap_err().primary.span.start, 6);
        assert!(super::targets(" \n").is_err());
    }
}
