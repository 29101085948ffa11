//! Reads states, `shared|stack,stack,…` (`.init`, `.spec`): a stack for each thread in the order of the rules. In a target a stack is
//! its top, `-` if it is empty; in the beginning it may have several local states, the top first, with blanks between.

use hardbop_base::Span;
use hardbop_diag::Diagnostic;
use hardbop_diag::codes::net::{RANGE, SYNTAX};

use crate::read::System;

/// A shared state and the stacks, the top of each first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub shared: u32,
    pub stacks: Vec<Vec<u32>>,
}

/// The one state of a text; `#` begins a comment.
pub fn parse(text: &str, system: &System) -> Result<State, Box<Diagnostic>> {
    let mut found = None;
    let mut start = 0;
    for line in text.split('\n') {
        let state = line.split('#').next().unwrap_or("");
        if !state.trim().is_empty() {
            let span = Span::new(start, start + state.len());
            if found.is_some() {
                return refused(span, "expected the end of the file: there is one state in it");
            }
            found = Some(read(state, start, span, system)?);
        }
        start += line.len() + 1;
    }
    let end = Span::new(text.len(), text.len());
    found.map_or_else(|| refused(end, "expected a state such as `0|1,4`"), Ok)
}

fn read(text: &str, start: usize, span: Span, system: &System) -> Result<State, Box<Diagnostic>> {
    let Some((shared, stacks)) = text.split_once('|') else {
        return refused(span, "expected a state such as `0|1,4`");
    };
    let at = Span::new(start, start + shared.len());
    let shared = number(shared.trim(), at)?;
    if shared >= system.n_shared {
        let why = format!("there are {} shared states, no {shared}", system.n_shared);
        return Err(Box::new(Diagnostic::error(RANGE, at, why)));
    }
    let mut from = at.end as usize + 1;
    let mut state = State { shared, stacks: Vec::new() };
    for stack in stacks.split(',') {
        let at = Span::new(from, from + stack.len());
        from += stack.len() + 1;
        let symbols = match stack.trim() {
            "" => return refused(at, "expected a local state, or `-` for an empty stack"),
            "-" => Vec::new(),
            word => {
                let symbols = word.split_ascii_whitespace().map(|symbol| number(symbol, at));
                symbols.collect::<Result<_, _>>()?
            }
        };
        state.stacks.push(symbols);
    }
    let (n_threads, n_stacks) = (system.threads.len(), state.stacks.len());
    if n_stacks != n_threads {
        return refused(span, &format!("there are {n_threads} threads, not {n_stacks}"));
    }
    Ok(state)
}

fn number(text: &str, span: Span) -> Result<u32, Box<Diagnostic>> {
    let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    number.map_or_else(|| refused(span, &format!("expected a number, not `{text}`")), Ok)
}

fn refused<T>(span: Span, why: &str) -> Result<T, Box<Diagnostic>> {
    Err(Box::new(Diagnostic::error(SYNTAX, span, why)))
}
