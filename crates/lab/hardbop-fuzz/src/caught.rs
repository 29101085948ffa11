//! Panics of the code under test, as text.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Message and place of this thread's last panic.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics off the terminal: they are noted for [`catch`] instead.
pub fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            LAST.with(|last| *last.borrow_mut() = info.to_string());
        }));
    });
}

/// The result of `run`, or what it panicked with.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    // The code under test shares no state with the caller beyond what `run` returns.
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| LAST.with(|last| last.borrow().clone()))
}
