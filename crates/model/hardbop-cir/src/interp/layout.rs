//! Where registers lie: worked out once for a program, used by each run of it.

use hardbop_base::IndexVec;

use super::value::Value;
use crate::program::{FuncId, Program, VarId};

/// The slot of a register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Global(u32),
    /// In the frame of its function.
    Local(u32),
}

#[derive(Clone, Debug)]
pub struct Layout {
    places: IndexVec<VarId, Place>,
    /// What global registers hold in the beginning, by slot.
    pub(super) globals: Vec<Value>,
    /// What the registers of a call hold in the beginning, by slot.
    pub(super) frames: IndexVec<FuncId, Vec<Value>>,
}

impl Layout {
    pub fn of(program: &Program) -> Layout {
        let mut globals = Vec::new();
        let mut frames = IndexVec::from_elem(Vec::new(), program.funcs.len());
        let place = |var: &crate::program::VarInfo| {
            let list: &mut Vec<Value> = match var.owner {
                None => &mut globals,
                Some(owner) => &mut frames[owner],
            };
            let at = list.len() as u32;
            list.push(Value::zero(var.ty));
            if var.owner.is_none() { Place::Global(at) } else { Place::Local(at) }
        };
        let places = program.vars.iter().map(place).collect();
        Layout { places, globals, frames }
    }

    pub(super) fn place(&self, var: VarId) -> Place {
        self.places[var]
    }
}
