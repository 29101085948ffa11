//! Names: what they stand for, in which scope.

use hardbop_base::Name;
use hardbop_cir::{FuncId, ObjId, VarId};
use rustc_hash::FxHashMap;

use super::state::Lower;
use crate::types::{CType, RecordId};

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Home {
    /// With the register that says whether it has a value yet, if that is checked.
    Register(VarId, Option<VarId>),
    Object(ObjId),
    /// At the address in a register.
    At(VarId),
}

#[derive(Clone, Debug)]
pub(super) enum Entity {
    Var {
        home: Home,
        ctype: CType,
    },
    /// By link name.
    Func {
        link: Name,
        ctype: CType,
    },
    /// A variable or function declared outside, by link name.
    Global {
        link: Name,
    },
    Enumerator {
        value: i128,
        ctype: CType,
    },
    Typedef(CType),
}

#[derive(Clone, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(CType),
}

#[derive(Default)]
pub(super) struct Scope {
    pub names: FxHashMap<Name, Entity>,
    pub tags: FxHashMap<Name, Tag>,
    /// Labels of this block, by `__label__`, with the name they have in the function.
    pub labels: FxHashMap<Name, Name>,
}

/// What the linker knows.
#[derive(Clone, Debug)]
pub(super) enum Global {
    Var { home: Home, ctype: CType, is_defined: bool, is_initialised: bool },
    Func { id: Option<FuncId>, ctype: Option<CType> },
}

impl Lower<'_> {
    pub fn lookup(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name))
    }

    pub fn bind(&mut self, name: Name, entity: Entity) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, entity);
        }
    }

    pub fn lookup_tag(&self, name: &str) -> Option<&Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name))
    }

    pub fn bind_tag(&mut self, name: Name, tag: Tag) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(name, tag);
        }
    }

    pub fn is_global_scope(&self) -> bool {
        self.scopes.len() == 1
    }
}
