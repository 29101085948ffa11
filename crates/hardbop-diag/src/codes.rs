//! The table of diagnostic codes.

/// A stable code such as `bp0003`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code(pub &'static str);
