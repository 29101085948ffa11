//! What is said when the process cannot go on: memory or stack was refused in the middle of a library,
//! or a mistake of ours ended it by a signal. Nothing can be allocated then, so the words are prepared
//! before the work begins.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, Ordering};

use hardbop_base::address_space;

use crate::exit::Exit;

/// The end of a run that cannot go on.
pub struct Words {
    /// For standard output.
    pub text: String,
    pub exit: Exit,
}

/// What to say for which cause.
pub struct Prepared {
    /// Addresses are limited, and one was refused.
    pub out_of_memory: Words,
    /// Our mistake.
    pub failed: Words,
}

static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(null_mut());
/// Whether someone says the end of the current piece of work.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Who does so.
static SPEAKER: AtomicI64 = AtomicI64::new(0);

/// From now on these are the last words, and nobody has said them.
pub fn prepare(words: Prepared) {
    // A handler may be reading the old ones: they stay.
    PREPARED.store(Box::into_raw(Box::new(words)), Ordering::Release);
    SPEAKER.store(0, Ordering::Release);
    IS_TAKEN.store(false, Ordering::Release);
}

/// One speaks, the others keep still: what a thread that was left behind has to say comes too late.
/// Returns if no last words are being said, and keeps them from being said until the next work begins.
pub fn take_the_floor() {
    let me = this_thread();
    while IS_TAKEN.swap(true, Ordering::AcqRel) && SPEAKER.load(Ordering::Acquire) != me {
        // SAFETY: it only waits.
        unsafe { libc::usleep(1000) };
    }
    SPEAKER.store(me, Ordering::Release);
}

fn this_thread() -> i64 {
    // SAFETY: a call of the system without arguments, allowed in a handler.
    unsafe { libc::syscall(libc::SYS_gettid) }
}

/// Hears the signals by which a process is ended from inside.
pub fn install() {
    for signal in [libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS] {
        // SAFETY: the handler does only what is allowed in one: it reads memory that is never freed,
        // writes and ends the process. It runs on the stack that the runtime keeps for signals.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = last_words as extern "C" fn(libc::c_int) as libc::sighandler_t;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, null_mut());
        }
    }
    // Reading the limit allocates: not in the handler.
    let _ = address_space::limit();
}

extern "C" fn last_words(_signal: libc::c_int) {
    take_the_floor();
    let is_memory = address_space::limit().is_some();
    // SAFETY: what was prepared once is never freed.
    let prepared = unsafe { PREPARED.load(Ordering::Acquire).as_ref() };
    let words = prepared.map(|it| if is_memory { &it.out_of_memory } else { &it.failed });
    if is_memory {
        write(libc::STDERR_FILENO, "hardbop: the system refuses memory\n");
    } else {
        write(libc::STDERR_FILENO, "hardbop: internal error: stopped by a signal\n");
    }
    let exit = match words {
        Some(words) => {
            write(libc::STDOUT_FILENO, &words.text);
            words.exit
        }
        None if is_memory => Exit::Unknown,
        None => Exit::Internal,
    };
    // SAFETY: ends the process without running anything else.
    unsafe { libc::_exit(exit.code()) };
}

/// All of a text, or as much as can be written.
fn write(file: libc::c_int, text: &str) {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        // SAFETY: the pointer and the length are those of a slice.
        let n = unsafe { libc::write(file, rest.as_ptr().cast(), rest.len()) };
        let Ok(n @ 1..) = usize::try_from(n) else { return };
        rest = &rest[n..];
    }
}

/// Ends the process at once. Threads that were left behind are still at work: nothing they use may be
/// taken down under them.
pub fn leave(exit: Exit) -> ! {
    // SAFETY: ends the process without running anything else.
    unsafe { libc::_exit(exit.code()) }
}
