//! The model of both formats.
//!
//! A thread-transition system has shared states (control) and local states (places, a token is a
//! thread). A Petri net is the case of one control state.

use hardbop_base::{Name, Span};

/// Rules over control states `0..n_controls` and places `0..n_places`. The numbers of a file may be
/// large and sparse: no table of this size is ever made.
#[derive(Clone, Default, Debug)]
pub struct Net {
    pub n_controls: u32,
    pub n_places: u32,
    /// Names of the places of a Petri net; empty for a thread-transition system.
    pub names: Vec<Name>,
    pub rules: Vec<Rule>,
    /// Sums of tokens, by place and weight, of which the file says that they never change. Hints: nobody has
    /// checked them.
    pub hints: Vec<Vec<(u32, u32)>>,
}

/// Taken first, then all remaining tokens move, then new ones are put.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// In the file.
    pub span: Span,
    pub from: u32,
    pub to: u32,
    /// Sorted by place; no count is 0.
    pub take: Vec<(u32, u32)>,
    /// Sorted by place; no count is 0.
    pub put: Vec<(u32, u32)>,
    /// Sorted by place. Tokens of other places stay.
    pub transfers: Vec<Transfer>,
    /// It fires only where these places have no more tokens than this. Such a rule is not monotone: without the
    /// test it can do more, so that what is safe then is safe.
    pub at_most: Vec<(u32, u32)>,
}

/// Every token of `from` that was not taken goes to one of the places, or vanishes if there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    pub from: u32,
    /// Sorted.
    pub to: Vec<u32>,
}

/// How many tokens of each place there are. Sorted by place; no count is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marking {
    pub control: u32,
    pub counts: Vec<(u32, u32)>,
}

/// The initial states: a control state and what each place may hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Initial {
    pub control: u32,
    /// Sorted by place; places not named are empty.
    pub ranges: Vec<Range>,
}

/// A number of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub place: u32,
    pub low: u32,
    /// `None`: any number.
    pub high: Option<u32>,
}

/// What is asked of a net: can one of the targets be covered?
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Question {
    pub initial: Initial,
    pub targets: Vec<Marking>,
}

/// More tokens than any file asks for; sums of two stay in range.
pub const MOST: u32 = 1 << 28;

impl Net {
    /// A place as its file calls it.
    pub fn place_name(&self, place: u32) -> String {
        self.names.get(place as usize).map_or_else(|| place.to_string(), |name| name.to_string())
    }

    /// Whether a rule tests for few tokens.
    pub fn has_tests(&self) -> bool {
        self.rules.iter().any(|rule| !rule.at_most.is_empty())
    }

    pub fn has_transfers(&self) -> bool {
        self.rules.iter().any(|rule| !rule.transfers.is_empty())
    }

    /// A state in the notation of its file.
    pub fn show(&self, marking: &Marking) -> String {
        if self.names.is_empty() {
            return marking.to_string();
        }
        let one = |&(place, count): &(u32, u32)| format!("{} = {count}", self.place_name(place));
        marking.counts.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

impl Rule {
    /// Where the rest of a place goes.
    pub fn targets_of(&self, place: u32) -> Vec<u32> {
        match self.transfers.binary_search_by_key(&place, |transfer| transfer.from) {
            Ok(at) => self.transfers[at].to.clone(),
            Err(_) => vec![place],
        }
    }
}

impl Marking {
    /// Sorts, adds up and drops zeros.
    pub fn new(control: u32, counts: impl IntoIterator<Item = (u32, u32)>) -> Self {
        Marking { control, counts: merged(counts) }
    }

    pub fn get(&self, place: u32) -> u32 {
        let at = self.counts.binary_search_by_key(&place, |&(place, _)| place);
        at.map_or(0, |at| self.counts[at].1)
    }

    /// Whether this has all that the other has.
    pub fn covers(&self, other: &Marking) -> bool {
        self.control == other.control
            && other.counts.iter().all(|&(place, count)| self.get(place) >= count)
    }
}

impl std::fmt::Display for Marking {
    /// `shared|local,local`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let copies = |&(place, n): &(u32, u32)| std::iter::repeat_n(place.to_string(), n as usize);
        let all: Vec<_> = self.counts.iter().flat_map(copies).collect();
        write!(f, "{}|{}", self.control, all.join(","))
    }
}

/// Counts by place: sorted, equal places added up, zeros dropped.
pub fn merged(counts: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, u32)> = counts.into_iter().collect();
    all.sort_unstable();
    all.dedup_by(|next, first| {
        let same = next.0 == first.0;
        if same {
            first.1 = first.1.saturating_add(next.1);
        }
        same
    });
    all.retain(|&(_, count)| count > 0);
    all
}
