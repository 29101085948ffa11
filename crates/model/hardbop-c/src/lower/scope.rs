//! Names: what they stand for, in which scope.

use super::state::Lower;
use crate::scoped::Scoped;
use crate::types::{CType, RecordId};
use hardbop_base::Name;
use hardbop_cir::{FuncId, ObjId, VarId};

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Home {
    /// With the register that says whether it has a value yet, if that is checked.
    Register(VarId, Option<VarId>),
    Object(ObjId),
    /// At the address in a register.
    At(VarId),
    /// Each thread has one of its own.
    Own(ObjId),
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
    /// Its declaration is wrong, which has been told.
    Poisoned,
}

#[derive(Clone, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(CType),
}

#[derive(Default)]
pub(super) struct Scopes {
    pub names: Scoped<Entity>,
    pub tags: Scoped<Tag>,
    /// Labels of blocks, by `__label__`, with the name they have in the function.
    pub labels: Scoped<Name>,
}

impl Scopes {
    pub fn open(&mut self) {
        self.names.open();
        self.tags.open();
        self.labels.open();
    }

    pub fn close(&mut self) {
        self.names.close();
        self.tags.close();
        self.labels.close();
    }

    /// How many are open.
    pub fn depth(&self) -> usize {
        self.names.depth()
    }
}

/// What the linker knows.
#[derive(Clone, Debug)]
pub(super) enum Global {
    Var { home: Home, ctype: CType, is_defined: bool, is_initialised: bool },
    Func { id: Option<FuncId>, ctype: Option<CType> },
}

impl Lower<'_> {
    pub fn lookup(&self, name: &str) -> Option<&Entity> {
        self.scopes.names.get(name)
    }

    pub fn bind(&mut self, name: Name, entity: Entity) {
        self.scopes.names.declare(&name, entity);
    }

    pub fn lookup_tag(&self, name: &str) -> Option<&Tag> {
        self.scopes.tags.get(name)
    }

    pub fn bind_tag(&mut self, name: Name, tag: Tag) {
        self.scopes.tags.declare(&name, tag);
    }

    pub fn is_global_scope(&self) -> bool {
        self.scopes.depth() == 1
    }
}
