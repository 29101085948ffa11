//! What a verdict rests on beside the program: each kind with its words.

use std::fmt;

use hardbop_base::Name;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// A function without a body: what it does not do, whatever else it does.
    NoBody(Name),
    /// It is declared `const` or `pure`, or its name says that it is an input.
    NoEffect(Name),
    /// A variable that nobody defines.
    Undefined(Name),
    /// Threads take turns step by step: of a program with a data race, or with weak atomic accesses, C says
    /// less.
    SequentialConsistency,
    /// Something else, in the words of whoever assumed it.
    Other(Name),
}

impl Assumption {
    /// The function without a body it speaks of.
    pub fn without_body(&self) -> Option<&str> {
        match self {
            Assumption::NoBody(name) | Assumption::NoEffect(name) => Some(name),
            Assumption::Undefined(_) | Assumption::SequentialConsistency | Assumption::Other(_) => {
                None
            }
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::NoBody(name) => write!(
                f,
                "`{name}` has no body: it returns any value, may change what it can reach, calls only \
                 functions whose address it was given, frees nothing, keeps `const`, and ends"
            ),
            Assumption::NoEffect(name) => {
                write!(f, "`{name}` has no body: it returns any value, changes nothing, and ends")
            }
            Assumption::Undefined(name) => {
                write!(f, "`{name}` is defined nowhere: it starts with any value")
            }
            Assumption::SequentialConsistency => f.write_str(
                "threads take turns step by step (sequential consistency), although the program has, or may \
                 have, data races or weak atomic accesses",
            ),
            Assumption::Other(sentence) => f.write_str(sentence),
        }
    }
}

impl From<&str> for Assumption {
    fn from(sentence: &str) -> Self {
        Assumption::Other(sentence.into())
    }
}

impl From<String> for Assumption {
    fn from(sentence: String) -> Self {
        Assumption::Other(sentence.into())
    }
}
