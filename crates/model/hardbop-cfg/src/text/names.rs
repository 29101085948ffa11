//! How names are written, and how written names find their things again.
//!
//! A name stands for itself where it is the only one of its kind in scope; `name#n` adds the index
//! where it is not (a local that hides a shared variable, two procedures of one name).

use std::fmt::Write;

use hardbop_base::{Idx, Name};
use rustc_hash::FxHashMap;

use super::lex::{is_word, is_word_start};
use crate::program::VarId;

/// Words with a meaning of their own: as names they are quoted.
const KEYWORDS: [&str; 16] = [
    "_",
    "true",
    "false",
    "schoose",
    "skip",
    "assume",
    "assert",
    "assign",
    "broadcast",
    "constrain",
    "call",
    "start_thread",
    "end_thread",
    "goto",
    "atomic_begin",
    "atomic_end",
];

/// Writes a name plainly if it is a word, quoted if not.
pub(super) fn write_name(out: &mut String, name: &str) {
    let plain =
        name.starts_with(is_word_start) && name.chars().all(is_word) && !KEYWORDS.contains(&name);
    if plain {
        return out.push_str(name);
    }
    out.push('"');
    for c in name.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' | '\\' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// Things of one kind by name.
#[derive(Clone, Debug)]
pub(super) struct Names<I> {
    names: Vec<Name>,
    by_name: FxHashMap<Name, Found<I>>,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found<I> {
    Nothing,
    One(I),
    Several,
}

impl<I: Idx> Names<I> {
    pub(super) fn new<'a>(names: impl IntoIterator<Item = &'a Name>) -> Self {
        let mut all = Names { names: Vec::new(), by_name: FxHashMap::default() };
        names.into_iter().for_each(|name| all.push(name));
        all
    }

    pub(super) fn push(&mut self, name: &Name) {
        let id = I::new(self.names.len());
        self.names.push(name.clone());
        self.by_name
            .entry(name.clone())
            .and_modify(|found| *found = Found::Several)
            .or_insert(Found::One(id));
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    fn lookup(&self, name: &str) -> Found<I> {
        self.by_name.get(name).copied().unwrap_or(Found::Nothing)
    }

    pub(super) fn write(&self, out: &mut String, id: I) {
        let name = &self.names[id.index()];
        write_numbered(out, name, id, self.lookup(name));
    }

    /// The thing called `name`, or the one with this index if it is called so.
    pub(super) fn find(&self, name: &str, index: Option<u32>) -> Option<I> {
        match index {
            None => match self.lookup(name) {
                Found::One(id) => Some(id),
                Found::Nothing | Found::Several => None,
            },
            Some(index) => {
                let index = index as usize;
                self.names.get(index).is_some_and(|it| &**it == name).then(|| I::new(index))
            }
        }
    }
}

fn write_numbered<I: Idx>(out: &mut String, name: &str, id: I, found: Found<I>) {
    write_name(out, name);
    if found == Found::Several {
        // Writing to a string cannot fail.
        let _ = write!(out, "#{}", id.index());
    }
}

/// The variables of a procedure: the shared ones, then its locals.
#[derive(Debug)]
pub(super) struct Scope<'a> {
    pub(super) shared: &'a Names<VarId>,
    /// Counted from 0; as variables they follow the shared ones.
    locals: Names<VarId>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(shared: &'a Names<VarId>) -> Self {
        Scope { shared, locals: Names::new([]) }
    }

    pub(super) fn push(&mut self, name: &Name) {
        self.locals.push(name);
    }

    fn lookup(&self, name: &str) -> Found<VarId> {
        match (self.shared.lookup(name), self.locals.lookup(name)) {
            (shared, Found::Nothing) => shared,
            (Found::Nothing, Found::One(local)) => Found::One(self.global(local)),
            _ => Found::Several,
        }
    }

    fn global(&self, local: VarId) -> VarId {
        VarId::new(self.shared.len() + local.index())
    }

    pub(super) fn write(&self, out: &mut String, var: VarId) {
        let name = match var.index().checked_sub(self.shared.len()) {
            None => &self.shared.names[var.index()],
            Some(local) => &self.locals.names[local],
        };
        write_numbered(out, name, var, self.lookup(name));
    }

    pub(super) fn find(&self, name: &str, index: Option<u32>) -> Option<VarId> {
        match (index, index.and_then(|index| index.checked_sub(self.shared.len() as u32))) {
            (None, _) => match self.lookup(name) {
                Found::One(var) => Some(var),
                Found::Nothing | Found::Several => None,
            },
            (Some(_), None) => self.shared.find(name, index),
            (Some(_), local) => self.locals.find(name, local).map(|local| self.global(local)),
        }
    }
}
