//! Which values of a trace are worth showing.
//!
//! BEB prints a variable only where the path forces its value. Here the same is approximated along
//! the one run at hand. Each value is *born* somewhere: by the initial state, a fresh local, an
//! assignment, an argument, a result. It is
//!
//! * *used* if a later condition of the run (guard, assertion, `enforce`, `constrain`) reads it, or
//!   an expression whose own value is used;
//! * *settled* if it is used, or if it was computed without a choice from settled values.
//!
//! A value that is neither came about by choice and nobody on this run asked for it: the same
//! statements can be executed with the other value. The approximation is that a used value counts
//! as forced even where the condition would also hold otherwise (`x | !x`).
//!
//! Where a run goes over calls, what happens to a value inside is not followed: all count as settled.

mod values;

use hardbop_base::{Bits, Idx};
use hardbop_cfg::Program;
use hardbop_evidence::Trace;
use rustc_hash::FxHashMap;

use crate::replay::{Replayed, Shown};
use values::Values;

/// What to show of the scope before one statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Relevant {
    /// The path forces the value.
    pub settled: Bits,
    /// This statement or a later one uses the value.
    pub live: Bits,
    /// News to a reader: another value than at the statement shown before in the same activation,
    /// or one that was not settled there; in a new activation the formals, and shared variables
    /// that changed since the thread's last line.
    pub changed: Bits,
}

/// One for each line of `replayed`, which is the replay of `trace`.
pub fn relevance(program: &Program, trace: &Trace, replayed: &Replayed) -> Vec<Relevant> {
    if !trace.passages.is_empty() {
        return news_only(program, &replayed.shown);
    }
    let values = Values::of(program, trace, replayed);
    let mut lines = Lines { program, last: FxHashMap::default() };
    let shown = replayed.shown.iter().enumerate();
    shown
        .map(|(line, shown)| {
            let settled = values.settled(line);
            let changed = lines.changed(shown, &settled);
            Relevant { settled, live: values.live(line), changed }
        })
        .collect()
}

/// The same for lines of which only the values are known, such as those of a passage: all in the first, then what
/// changes.
pub fn news_only(program: &Program, shown: &[Shown]) -> Vec<Relevant> {
    let mut lines = Lines { program, last: FxHashMap::default() };
    let of_line = |(line, shown): (usize, &Shown)| {
        let settled = Bits::full(program.scope_width(shown.at.proc));
        let changed = lines.changed(shown, &settled);
        let live = if line == 0 { settled.clone() } else { Bits::new() };
        Relevant { settled, live, changed }
    };
    shown.iter().enumerate().map(of_line).collect()
}

/// What was shown before.
struct Lines<'a> {
    program: &'a Program,
    /// Per thread the last lines of its open activations, bottom first, and its last line of all.
    last: FxHashMap<usize, (Vec<Option<Line>>, Line)>,
}

#[derive(Clone)]
struct Line {
    scope: Bits,
    settled: Bits,
}

impl Lines<'_> {
    fn changed(&mut self, shown: &Shown, settled: &Bits) -> Bits {
        let thread = shown.thread.index();
        let now = Line { scope: shown.before.clone(), settled: settled.clone() };
        let last = self.last.remove(&thread);
        let (mut open, before) = last.unwrap_or_else(|| (Vec::new(), now.clone()));
        // A line of an activation that has returned says nothing about a new one at its depth. The
        // call of the new one was shown in between, at the depth below.
        open.truncate(shown.depth + 1);
        open.resize(shown.depth + 1, None);
        let changed = match &open[shown.depth] {
            Some(same) => news(same, &now),
            None => {
                let mut changed = news(&before, &now).below(self.program.n_shared());
                changed.extend(self.program.formals(shown.at.proc).map(Idx::index));
                changed
            }
        };
        open[shown.depth] = Some(now.clone());
        self.last.insert(thread, (open, now));
        changed
    }
}

/// The variables with another value, or with one that has become settled.
fn news(before: &Line, now: &Line) -> Bits {
    let mut news = difference(&before.scope, &now.scope);
    let mut settled = now.settled.clone();
    settled.subtract(&before.settled);
    news.union_with(&settled);
    news
}

fn difference(a: &Bits, b: &Bits) -> Bits {
    let (mut only_a, mut only_b) = (a.clone(), b.clone());
    only_a.subtract(b);
    only_b.subtract(a);
    only_a.union_with(&only_b);
    only_a
}
