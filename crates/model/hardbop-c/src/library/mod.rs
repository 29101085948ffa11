//! The C library, in C: `library/*.c`, lowered like the program itself.
//!
//! Only what a program uses is taken, and what that uses in turn: [`index`] knows where each name is
//! defined without parsing anything. A function the program defines itself is left out.
//!
//! Of functions that go along texts there is a second body, without a loop (`library/brief.c`), which may do all that
//! the first does, and more. A program with these is another program: what is proved of it holds of the first.

mod index;
pub(crate) mod names;

use rustc_hash::FxHashSet;

use self::index::{Detail, Locks};
use crate::syntax::Unit;
use crate::syntax::ast::{External, Storage};

/// What units use of the library and do not define.
pub(crate) struct Needed {
    pub text: String,
    /// The same in brief, where that makes a difference.
    pub brief: Option<String>,
}

/// `None` if that is nothing.
pub(crate) fn needed(units: &[Unit]) -> Option<Needed> {
    let mut defined: FxHashSet<&str> = FxHashSet::default();
    let mut wanted: Vec<&str> = Vec::new();
    for unit in units {
        let mut own: FxHashSet<&str> = FxHashSet::default();
        for item in &unit.items {
            match item {
                External::Func(def) if def.specs.storage == Storage::Static => {
                    own.extend(def.declarator.name.as_deref());
                }
                External::Func(def) => defined.extend(def.declarator.name.as_deref()),
                External::Decl(decl) => {
                    if decl.items.iter().any(|it| names::has_format(decl, it, &unit.uses)) {
                        wanted.push("printf");
                    }
                    let names = decl.items.iter().filter(|it| !names::is_function(it));
                    let names = names.filter_map(|it| it.declarator.name.as_deref());
                    match decl.specs.storage {
                        Storage::Extern | Storage::Typedef => {}
                        Storage::Static => own.extend(names),
                        _ => defined.extend(names),
                    }
                }
                External::Asm(_) | External::StaticAssert(_) => {}
            }
        }
        wanted.extend(unit.uses.iter().map(|name| &**name).filter(|it| !own.contains(it)));
    }
    // The order of a hash set shows in nothing.
    wanted.sort_unstable();
    let uses = |names: &[&str]| wanted.iter().any(|it| names.contains(it) && !defined.contains(it));
    let locks = match (uses(&STARTS), uses(&KINDS)) {
        (true, _) => Locks::OfThreads,
        (false, true) => Locks::OfKinds,
        (false, false) => Locks::Plain,
    };
    let text = |detail| {
        let wanted = wanted.iter().copied().flat_map(names::meanings);
        index::closure(wanted, |name| defined.contains(name), locks, detail)
    };
    let full = text(Detail::Full)?;
    let brief = text(Detail::Brief).filter(|it| locks != Locks::OfThreads && *it != full);
    Some(Needed { text: full, brief })
}

/// The functions that start threads.
pub(crate) const STARTS: [&str; 2] = ["pthread_create", "thrd_create"];

/// The functions that give a mutex its kind.
const KINDS: [&str; 2] = ["pthread_mutexattr_settype", "mtx_init"];

/// The text that defines a function of the library, by any of its names.
pub fn definition(name: &str) -> Option<&'static str> {
    index::Index::get().text(names::canonical(name))
}

#[cfg(test)]
mod tests;
