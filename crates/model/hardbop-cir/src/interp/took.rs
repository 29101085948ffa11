//! What a run took that C does not determine. A run that took nothing is the only one of its program.

use std::cell::Cell;

#[derive(Clone, Default, Debug)]
pub struct Took {
    values: Cell<bool>,
    addresses: Cell<bool>,
}

impl Took {
    /// Some value was arbitrary: an input, memory that was never written, a conversion that does not
    /// fit.
    pub fn has_values(&self) -> bool {
        self.values.get()
    }

    /// Something depended on where objects lie.
    pub fn has_addresses(&self) -> bool {
        self.addresses.get()
    }

    pub(super) fn value(&self) {
        self.values.set(true);
    }

    pub(super) fn address(&self) {
        self.addresses.set(true);
    }
}
