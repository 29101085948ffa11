//! The switches of engine `fsoft`.

use clap::{Args, ValueEnum};
use hardbop_fsoft::{Encoding, Method, Options};

#[derive(Args, Debug)]
pub struct FsoftArgs {
    /// How the states are searched
    #[arg(long, value_enum, value_name = "METHOD")]
    fsoft_method: Option<MethodArg>,

    /// What the search by depth does about the program counter; several with commas
    /// [default: one-hot,reachability]
    #[arg(long, value_enum, value_name = "SWITCH", value_delimiter = ',')]
    fsoft_pc: Option<Vec<Switch>>,

    /// Blocks an execution may have [default: no end]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    fsoft_depth: Option<u32>,

    /// How often a function is copied into itself [default: 4]
    #[arg(long, value_name = "N")]
    fsoft_recursion: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum MethodArg {
    /// Diagrams as long as they stay small, then depth by depth
    Both,
    /// SAT, depth by depth
    Bmc,
    /// Decision diagrams, one part of the image for each edge
    Bdd,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Switch {
    /// None of the others, and the counter as a number
    Plain,
    /// A bit for each block instead of the number
    OneHot,
    /// Decided before the data
    First,
    /// Clauses that name the blocks before each block
    Predecessors,
    /// Only blocks that a path of the length leads to
    Reachability,
}

impl FsoftArgs {
    /// Whether any of them was given.
    pub fn is_given(&self) -> bool {
        self.fsoft_method.is_some()
            || self.fsoft_pc.is_some()
            || self.fsoft_depth.is_some()
            || self.fsoft_recursion.is_some()
    }

    pub fn options(&self) -> Options {
        let mut options = Options { depth: self.fsoft_depth, ..Options::default() };
        if let Some(method) = self.fsoft_method {
            options.method = match method {
                MethodArg::Both => Method::Both,
                MethodArg::Bmc => Method::Bmc,
                MethodArg::Bdd => Method::Bdd,
            };
        }
        if let Some(switches) = &self.fsoft_pc {
            let has = |switch| switches.contains(&switch);
            options.encoding =
                if has(Switch::OneHot) { Encoding::OneHot } else { Encoding::Binary };
            options.pc_first = has(Switch::First);
            options.predecessors = has(Switch::Predecessors);
            options.reachability = has(Switch::Reachability);
        }
        if let Some(recursion) = self.fsoft_recursion {
            options.recursion = recursion;
        }
        options
    }
}
