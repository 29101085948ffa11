//! The switches of engine `cegar`.

use clap::{Args, ValueEnum};
use hardbop_cegar::{Checker, Cutting, Following, Settings};

#[derive(Args, Debug)]
pub struct CegarArgs {
    /// Where predicates are followed, and in which variables of the Boolean program [default: needed]
    #[arg(long, value_enum, value_name = "WHERE")]
    cegar_follow: Option<FollowArg>,

    /// What a transition of the Boolean program is [default: loops]
    #[arg(long, value_enum, value_name = "WHERE")]
    cegar_cut: Option<CutArg>,

    /// The engine that checks the Boolean programs [default: bdd]
    #[arg(long, value_enum, value_name = "ENGINE")]
    cegar_checker: Option<CheckerArg>,

    /// Check each Boolean program anew: keep no lemmas and no variable order of the one before
    #[arg(long)]
    cegar_anew: bool,

    /// Make every function a procedure; by default functions without loops are inlined
    #[arg(long = "cegar-keep-calls", visible_alias = "keep-calls")]
    keep_calls: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum FollowArg {
    /// At all places where they mean something
    Everywhere,
    /// Where refinement needs them, each in a variable of its own
    Needed,
    /// Where refinement needs them, several in one variable
    Sharing,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum CutArg {
    /// All that happens between two loop heads, calls or returns
    Loops,
    /// One statement, as in SLAM
    Statements,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum CheckerArg {
    /// Decision diagrams
    Bdd,
    /// Property-directed reachability
    Pdr,
}

impl CegarArgs {
    /// Whether any of them was given.
    pub fn is_given(&self) -> bool {
        self.cegar_follow.is_some()
            || self.cegar_cut.is_some()
            || self.cegar_checker.is_some()
            || self.cegar_anew
            || self.keep_calls
    }

    pub fn settings(&self) -> Settings {
        let usual = if self.keep_calls { Settings::PROCEDURES } else { Settings::DEFAULT };
        let following = match self.cegar_follow {
            None => usual.following,
            Some(FollowArg::Everywhere) => Following::Everywhere,
            Some(FollowArg::Needed) => Following::Needed,
            Some(FollowArg::Sharing) => Following::Sharing,
        };
        let cutting = match self.cegar_cut {
            None => usual.cutting,
            Some(CutArg::Loops) => Cutting::Loops,
            Some(CutArg::Statements) => Cutting::Statements,
        };
        let checker = match self.cegar_checker {
            None => usual.checker,
            Some(CheckerArg::Bdd) => Checker::Bdd,
            Some(CheckerArg::Pdr) => Checker::Pdr,
        };
        Settings { following, cutting, checker, keeps: !self.cegar_anew, ..usual }
    }
}
