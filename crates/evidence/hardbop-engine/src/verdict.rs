//! The three answers there are, for programs, nets and C, and for engines and the tool alike.

use crate::reason::Reason;

/// Whether something bad can happen. `V` is what comes with a violation: nothing, the place and the run an
/// engine has found, or the words a user reads.
///
/// ```
/// use hardbop_engine::{Reason, Verdict};
///
/// let claimed: Verdict<&str> = Verdict::Unsafe("line 3");
/// assert_eq!(claimed.violation(), Some(&"line 3"));
/// assert_eq!(claimed.clone().map(str::len), Verdict::Unsafe(6));
/// assert!(Verdict::<()>::Unknown(Reason::NotShown).is_unknown());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<V = ()> {
    /// It cannot, within the scope that was asked for.
    Safe,
    /// It can.
    Unsafe(V),
    /// Nothing is claimed.
    Unknown(Reason),
}

impl<V> Verdict<V> {
    /// Whether it is `Safe`.
    pub fn is_safe(&self) -> bool {
        matches!(self, Verdict::Safe)
    }

    /// Whether it is `Unsafe`.
    pub fn is_unsafe(&self) -> bool {
        matches!(self, Verdict::Unsafe(_))
    }

    /// Whether it is `Unknown`.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Verdict::Unknown(_))
    }

    /// What comes with a violation, if there is one.
    pub fn violation(&self) -> Option<&V> {
        match self {
            Verdict::Unsafe(violation) => Some(violation),
            Verdict::Safe | Verdict::Unknown(_) => None,
        }
    }

    /// Why nothing is claimed, if nothing is.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Safe | Verdict::Unsafe(_) => None,
        }
    }

    /// In a few words: `safe`, `unsafe`, or `unknown` and the word for why.
    pub fn words(&self) -> String {
        match self {
            Verdict::Safe => "safe".into(),
            Verdict::Unsafe(_) => "unsafe".into(),
            Verdict::Unknown(reason) => format!("unknown: {}", reason.word()),
        }
    }

    /// The same verdict with other words for the violation.
    pub fn map<W>(self, words: impl FnOnce(V) -> W) -> Verdict<W> {
        match self {
            Verdict::Safe => Verdict::Safe,
            Verdict::Unsafe(violation) => Verdict::Unsafe(words(violation)),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        }
    }

    /// The same verdict without what comes with it.
    pub fn bare(&self) -> Verdict {
        match self {
            Verdict::Safe => Verdict::Safe,
            Verdict::Unsafe(_) => Verdict::Unsafe(()),
            Verdict::Unknown(reason) => Verdict::Unknown(reason.clone()),
        }
    }

    /// Of two claims about the same thing the one that says safe, then the one that says unsafe.
    pub fn contradiction<'a, T>(
        one: (T, &'a Verdict<V>),
        other: (T, &'a Verdict<V>),
    ) -> Option<(T, T)> {
        match (one.1, other.1) {
            (Verdict::Safe, Verdict::Unsafe(_)) => Some((one.0, other.0)),
            (Verdict::Unsafe(_), Verdict::Safe) => Some((other.0, one.0)),
            _ => None,
        }
    }
}
