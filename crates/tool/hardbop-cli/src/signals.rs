//! Ctrl-C and its like: the first asks the work to stop and report, the second ends the process.

use std::sync::OnceLock;

use hardbop_base::CancelToken;

use crate::exit::Exit;
use crate::last_words;
use crate::voice::tell;

/// Set by the first signal.
pub fn interrupt() -> &'static CancelToken {
    static INTERRUPT: OnceLock<CancelToken> = OnceLock::new();
    INTERRUPT.get_or_init(CancelToken::default)
}

pub fn install() {
    let handler = || {
        if interrupt().is_cancelled() {
            last_words::leave(Exit::Unknown);
        }
        interrupt().cancel();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tell!("hardbop: Ctrl-C will end the run without a report: {error}");
    }
}
