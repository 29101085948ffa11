//! Switches of the engine. None changes a verdict: they are for measurements, tests and for reading.

use hardbop_cir::pass::Passes;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What is done to the program before.
    pub passes: Passes,
    /// Every function that is still called is a procedure of the Boolean program, also one without loops.
    pub keeps_calls: bool,
}

impl Settings {
    pub const DEFAULT: Settings = Settings { passes: Passes::ALL, keeps_calls: false };
    /// All procedures of the C program, as in SLAM.
    pub const PROCEDURES: Settings =
        Settings { passes: Passes { inline: false, ..Passes::ALL }, keeps_calls: true };
}
