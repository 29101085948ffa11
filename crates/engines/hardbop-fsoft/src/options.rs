//! What can be switched.

/// How the states are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Diagrams as long as they stay small, then depth by depth.
    Both,
    Bmc,
    Bdd,
}

/// How the program counter is written in bits, for SAT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// The number of the block.
    Binary,
    /// A bit for each block.
    OneHot,
}

/// Methods and the heuristics of FS section IV-A.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub method: Method,
    pub encoding: Encoding,
    /// The SAT solver decides the program counter before the data.
    pub pc_first: bool,
    /// Clauses that say which blocks come before a block.
    pub predecessors: bool,
    /// Blocks no path of a length leads to are left out at that depth.
    pub reachability: bool,
    /// Blocks an execution may have; `None` for no end.
    pub depth: Option<u32>,
    /// How often a function is copied into itself.
    pub recursion: u32,
    /// Nodes the diagrams may have.
    pub nodes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::Both,
            encoding: Encoding::OneHot,
            pc_first: false,
            predecessors: false,
            reachability: true,
            depth: None,
            recursion: 4,
            nodes: 1 << 24,
        }
    }
}
