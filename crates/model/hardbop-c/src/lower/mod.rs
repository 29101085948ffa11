//! Trees to the C program IR.
//!
//! Side effects become instructions in the order of evaluation (left to right where C leaves the
//! order open), what is left of an expression is pure. Scalars whose address is not taken live in
//! registers, everything else in objects. A construct we do not model ends the block with
//! [`hardbop_cir::program::Stop::Unsupported`]: an execution that comes there is not understood, all others are.
//!
//! Reading order: [`state`], [`scope`], [`mistake`], [`typespec`], [`place`], [`convert`], [`ranges`], [`expr`], [`effects`], [`order`], [`access`],
//! [`index`], [`assign`], [`ops`], [`extended`], [`call`], [`varargs`], [`contract`], [`builtin`], [`intrinsic`], [`output`], [`memory`], [`lock`], [`parts`], [`init`],
//! [`lifetime`], [`jump`], [`nonlocal`], [`noval`], [`stmt`], [`global`], [`function`], [`entry`], [`harness`], [`mod@unit`], [`instantiate`].

mod access;
mod addressed;
mod align;
mod arguments;
mod assign;
mod atomic;
mod bits;
mod builtin;
mod call;
mod cleanup;
mod contract;
mod convert;
mod declared;
mod effects;
mod entry;
mod expr;
mod extended;
mod fixup;
mod format;
mod function;
mod global;
mod harness;
mod hooks;
mod index;
mod init;
mod input;
mod instantiate;
mod intrinsic;
mod jump;
mod lifetime;
mod linkage;
mod local;
mod lock;
mod logic;
mod memory;
mod mistake;
mod nonlocal;
mod noval;
mod ops;
mod order;
mod output;
mod parts;
mod place;
mod ranges;
mod scope;
mod state;
mod stmt;
mod switch;
mod thread;
mod typespec;
mod unit;
mod unknown;
mod varargs;
mod vla;

use hardbop_base::Budget;
use hardbop_cir::Class;

use crate::types::DataModel;

pub use unit::{Unified, lower_units};

/// What to lower for.
#[derive(Clone, Debug)]
pub struct Options {
    pub model: DataModel,
    /// The function execution begins in.
    pub entry: String,
    /// Checks of other classes are not put in.
    pub classes: Vec<Class>,
    /// Whether `malloc` may return null.
    pub malloc_may_fail: bool,
    /// Whether what is read of a `volatile` number is an input.
    pub volatile_inputs: bool,
    pub locks: crate::locks::LockTable,
    /// What class `assert` asks.
    pub goals: crate::goals::Goals,
    /// Whether the last member of a structure may be longer than its declaration says.
    pub flexible_last_member: bool,
    /// What reading may use.
    pub budget: Budget,
    /// What is taken for granted of functions without a body that promise nothing.
    pub returns: Returns,
    /// How many pointers lead from an argument of an entry other than `main` to objects; 0 is none.
    pub entry_depth: u32,
}

/// What a pointer may be that a function without a body returns.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Returns {
    /// Null, too.
    #[default]
    Any,
    /// An object that is alive.
    Valid,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            model: DataModel::Lp64,
            entry: "main".into(),
            classes: Class::ALL.to_vec(),
            malloc_may_fail: false,
            volatile_inputs: false,
            locks: crate::locks::LockTable::default(),
            goals: crate::goals::Goals::default(),
            flexible_last_member: false,
            budget: Budget::unlimited(),
            returns: Returns::Any,
            entry_depth: 0,
        }
    }
}

type Lowered<T> = Result<T, mistake::Wrong>;
