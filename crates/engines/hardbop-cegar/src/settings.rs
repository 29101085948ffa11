//! Switches of the engine. None changes a verdict: they are for measurements, tests and for reading.

use hardbop_cir::pass::Passes;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What is done to the program before.
    pub passes: Passes,
    /// Every function that is still called is a procedure of the Boolean program, also one without loops.
    pub keeps_calls: bool,
    pub following: Following,
    pub cutting: Cutting,
    pub checker: Checker,
    /// What a round learns of its Boolean program, lemmas and variable order, is tried in the next.
    pub keeps: bool,
}

/// Which engine checks the Boolean programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checker {
    Bdd,
    Pdr,
}

/// Where a predicate is followed, and in which variable (FS sections V-B and V-D).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Following {
    /// At all places where it means something.
    Everywhere,
    /// Where refinement needs it; each predicate has a variable of its own.
    Needed,
    /// Where refinement needs it; predicates that are followed at different places may share a variable.
    Sharing,
}

/// What a transition of the Boolean program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cutting {
    /// All that happens between two loop heads, calls or returns.
    Loops,
    /// One statement, as in SLAM.
    Statements,
}

impl Settings {
    pub const DEFAULT: Settings = Settings {
        passes: Passes::ALL,
        keeps_calls: false,
        following: Following::Needed,
        cutting: Cutting::Loops,
        checker: Checker::Bdd,
        keeps: true,
    };
    /// All procedures of the C program, as in SLAM.
    pub const PROCEDURES: Settings = Settings {
        passes: Passes { inline: false, ..Passes::ALL },
        keeps_calls: true,
        ..Settings::DEFAULT
    };
}
