//! Exit codes: one number, one meaning (design section 3; `docs/formats/exit-codes.md`).

/// How the command ended. For several files the largest in this order counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Safe, or a command without a verdict that did what it was asked.
    Safe,
    Unknown,
    Unsafe,
    /// The words of the command line are off.
    Usage,
    /// The input is not a program.
    Rejected,
    /// A file cannot be read or written.
    Io,
    /// Our mistake.
    Internal,
}

impl Exit {
    pub fn code(self) -> i32 {
        match self {
            Exit::Safe => 0,
            Exit::Usage => 1,
            Exit::Rejected => 2,
            Exit::Io => 3,
            Exit::Unknown => 5,
            Exit::Unsafe => 10,
            Exit::Internal => 70,
        }
    }
}
