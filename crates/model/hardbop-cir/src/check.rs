//! Checks: what is asserted, under which property, in which words.

use std::fmt;

use hardbop_base::{Name, Span, define_id};

use crate::expr::ExprId;

define_id!(
    /// A check; one per place and class.
    CheckId, "c"
);

/// The property a check belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Class {
    /// `assert`, `__VERIFIER_assert`, a call of `reach_error`, a label `ERROR`.
    Assert,
    /// An access outside its object.
    Bounds,
    /// An index outside the array it was written for, which may be a part of the object.
    Index,
    /// A dereference of null or of a number that is no address.
    Null,
    /// An access to an object whose life has ended.
    Dangling,
    Div,
    /// Signed overflow.
    Overflow,
    Shift,
    /// A read of a variable that has no value yet.
    Uninit,
    /// `free` of what `malloc` did not return, or twice.
    Free,
    /// Memory lost at the end.
    Leak,
    /// Memory that is still allocated at the end, whoever leads to it. To be asked for by name.
    Cleanup,
    Lock,
    /// Threads are left, and none of them can move.
    Deadlock,
    /// Two threads access the same bytes, one of them writes, not both by atomic accesses, and nothing orders
    /// the two.
    Race,
    /// `__builtin_unreachable`, a missing return value.
    Unreachable,
    /// A rule of the C library that no other class speaks of: overlap, a value its argument may not
    /// have, a format that does not fit.
    Library,
    /// A floating-point number that becomes an integer it does not fit.
    Float,
    /// Arithmetic on pointers that leaves the object.
    Pointer,
    /// A pointer to a type that is aligned more strictly than where it points.
    Align,
    /// A statement that is reached: no property, but the question of coverage. It is none of [`Class::ALL`].
    Line,
}

impl Class {
    pub const ALL: [Class; 20] = [
        Class::Assert,
        Class::Bounds,
        Class::Index,
        Class::Null,
        Class::Dangling,
        Class::Div,
        Class::Overflow,
        Class::Shift,
        Class::Uninit,
        Class::Free,
        Class::Leak,
        Class::Cleanup,
        Class::Lock,
        Class::Deadlock,
        Class::Race,
        Class::Unreachable,
        Class::Library,
        Class::Float,
        Class::Pointer,
        Class::Align,
    ];

    /// How many there are, [`Class::Line`] included.
    pub const COUNT: usize = Class::ALL.len() + 1;

    pub fn name(self) -> &'static str {
        match self {
            Class::Assert => "assert",
            Class::Bounds => "bounds",
            Class::Index => "index",
            Class::Null => "null",
            Class::Dangling => "dangling",
            Class::Div => "div",
            Class::Overflow => "overflow",
            Class::Shift => "shift",
            Class::Uninit => "uninit",
            Class::Free => "free",
            Class::Leak => "leak",
            Class::Cleanup => "cleanup",
            Class::Lock => "lock",
            Class::Deadlock => "deadlock",
            Class::Race => "race",
            Class::Unreachable => "unreachable",
            Class::Library => "library",
            Class::Float => "float",
            Class::Pointer => "pointer",
            Class::Align => "align",
            Class::Line => "line",
        }
    }

    /// The classes a property name selects: a class, an SV-COMP name, or `all`.
    pub fn select(name: &str) -> Option<Vec<Class>> {
        Some(match name {
            // To leave memory to the system that something leads to is no mistake by itself.
            "all" => Class::ALL.into_iter().filter(|it| *it != Class::Cleanup).collect(),
            "unreach-call" | "assertions" => vec![Class::Assert],
            // SV-COMP's names ask about whole objects only.
            "bounds" => vec![Class::Bounds, Class::Index],
            "valid-deref" => vec![Class::Bounds, Class::Null, Class::Dangling],
            "valid-free" => vec![Class::Free],
            "valid-memtrack" => vec![Class::Leak],
            "valid-memcleanup" => vec![Class::Cleanup],
            "valid-memsafety" => {
                vec![Class::Bounds, Class::Null, Class::Dangling, Class::Free, Class::Leak]
            }
            "no-overflow" => vec![Class::Overflow],
            "no-data-race" => vec![Class::Race],
            _ => vec![Class::ALL.into_iter().find(|class| class.name() == name)?],
        })
    }

    /// Whether it is asked about where nothing else is said. A pointer that is not used and one that
    /// is not aligned do no harm on most machines, and old programs have them; so have they races, which
    /// a verdict about the rest is told to rest on.
    pub fn is_default(self) -> bool {
        let is_asked_for = matches!(self, Class::Uninit | Class::Race | Class::Cleanup);
        !(is_asked_for || matches!(self, Class::Pointer | Class::Align | Class::Line))
    }

    /// Whether it asks about memory that is still allocated at the end.
    pub fn is_of_heap(self) -> bool {
        matches!(self, Class::Leak | Class::Cleanup)
    }

    /// Whether nothing sensible follows a violation: an invalid access has no result, an
    /// overflow has one in practice.
    pub fn is_fatal(self) -> bool {
        let goes_on = [Class::Overflow, Class::Shift, Class::Uninit, Class::Leak, Class::Line];
        let of_values = [Class::Float, Class::Pointer, Class::Align, Class::Race, Class::Cleanup];
        !(goes_on.contains(&self) || of_values.contains(&self))
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    pub class: Class,
    /// What is wrong when it fails, in words that name the expression.
    pub message: Name,
    pub span: Span,
}

impl Check {
    /// Whether an execution ends where the check fails.
    pub fn is_fatal(&self) -> bool {
        self.class.is_fatal()
    }
}

/// What a check asks. All but [`Cond::Holds`] ask the memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cond {
    /// An `i1` is true.
    Holds(ExprId),
    /// The pointer points into (or past) some instance, alive or not: it is neither null nor a
    /// plain number.
    NotNull(ExprId),
    /// If it points into an instance, that is alive.
    Alive(ExprId),
    /// If it points into an instance, `size` bytes from there lie inside.
    InBounds { ptr: ExprId, size: ExprId },
    /// If it points into a live instance and `size` bytes lie inside, each has been written.
    Written { ptr: ExprId, size: ExprId },
    /// If it points into an instance, writing is allowed there.
    Writable(ExprId),
    /// Null, or the first byte of a live heap instance.
    Freeable(ExprId),
    /// `size` bytes from `a` on and `size` bytes from `b` on have none in common.
    Apart { a: ExprId, b: ExprId, size: ExprId },
    /// Every live heap instance is led to by something of this kind, directly or through others.
    NoLeak(Holder),
    /// Nothing here: what the class speaks of is watched from here on, in every step of every thread.
    Watched,
    /// Never.
    Fails,
}

/// What may lead to memory so that it is not lost. A number that is the address of a byte of it does as well
/// as a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// Nothing of the program's, so that it has freed all: only what the C library keeps for itself, such as open streams.
    System,
    /// Global objects and registers.
    Globals,
    /// These, and what the source declares in the calls that are running: the program ends inside of them.
    Calls,
}

impl Cond {
    /// The pointer it asks about, if that is one.
    pub fn pointer(self) -> Option<ExprId> {
        match self {
            Cond::NotNull(ptr)
            | Cond::Alive(ptr)
            | Cond::Writable(ptr)
            | Cond::Freeable(ptr)
            | Cond::InBounds { ptr, .. }
            | Cond::Written { ptr, .. } => Some(ptr),
            Cond::Holds(_) | Cond::Apart { .. } => None,
            Cond::NoLeak(_) | Cond::Watched | Cond::Fails => None,
        }
    }

    pub fn map_operands(&mut self, mut map: impl FnMut(ExprId) -> ExprId) {
        match self {
            Cond::Holds(e)
            | Cond::NotNull(e)
            | Cond::Alive(e)
            | Cond::Writable(e)
            | Cond::Freeable(e) => *e = map(*e),
            Cond::InBounds { ptr, size } | Cond::Written { ptr, size } => {
                (*ptr, *size) = (map(*ptr), map(*size));
            }
            Cond::Apart { a, b, size } => (*a, *b, *size) = (map(*a), map(*b), map(*size)),
            Cond::NoLeak(_) | Cond::Watched | Cond::Fails => {}
        }
    }
}
