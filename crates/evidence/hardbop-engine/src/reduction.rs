//! Partial-order reductions by name.

use std::fmt;
use std::str::FromStr;

/// Which interleavings of threads an engine may leave out (BOOM chapter 6). A permission, not a
/// demand: the answer is the same with each, and an engine that cannot make use of one explores all.
/// Traces may be longer than without.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Reduction {
    /// All are explored.
    #[default]
    None,
    /// Ample sets, section 6.2.
    Ample,
    /// Persistent sets, section 6.3.
    Persistent,
    /// Cartesian vectors, section 6.4.
    Cartesian,
    /// Ample sets where there is one, Cartesian vectors elsewhere.
    AmpleCartesian,
}

impl Reduction {
    /// Every one, in the order of the command line.
    pub const ALL: [Reduction; 5] = [
        Reduction::None,
        Reduction::Ample,
        Reduction::Persistent,
        Reduction::Cartesian,
        Reduction::AmpleCartesian,
    ];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::None => "none",
            Reduction::Ample => "ample",
            Reduction::Persistent => "persistent",
            Reduction::Cartesian => "cartesian",
            Reduction::AmpleCartesian => "ample+cartesian",
        }
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Reduction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Reduction::ALL.into_iter().find(|reduction| reduction.name() == text);
        known.ok_or_else(|| {
            let names = Reduction::ALL.map(Reduction::name).join(", ");
            format!("there is no such reduction; there are {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Reduction;

    #[test]
    fn names_are_read_back() {
        for reduction in Reduction::ALL {
            assert_eq!(reduction.to_string().parse(), Ok(reduction));
        }
        let refusal = "sleep".parse::<Reduction>().unwrap_err();
        assert!(refusal.contains("ample+cartesian"), "{refusal}");
    }
}
