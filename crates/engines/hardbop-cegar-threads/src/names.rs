//! Who is who: variables, frames, roles and objects by what they stand for. They keep their ids from one pass over the program to
//! the next, so that what a pass has found out can be used by the next one.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::IndexVec;
use hardbop_cir::{FuncId, ObjId, ObjKind, Program, VarId as Register};
use hardbop_smt::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::model::{Cell, Frame, FrameId, Instance, Meaning, Role, RoleId, Start, Var, Variable};
use crate::terms::{OBJECT_BITS, width};

pub struct Naming<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    pub vars: IndexVec<Var, Variable>,
    pub roles: IndexVec<RoleId, Role>,
    pub frames: IndexVec<FrameId, Frame>,
    pub instances: Vec<Instance>,
    by_meaning: FxHashMap<Meaning, Var>,
    by_start: FxHashMap<Start, RoleId>,
    by_frame: FxHashMap<Frame, FrameId>,
    /// Of each object that is accessed.
    pub cells: BTreeMap<Instance, BTreeSet<Cell>>,
}

impl<'a> Naming<'a> {
    pub fn of(program: &'a Program) -> Self {
        Naming {
            program,
            terms: Terms::new(),
            vars: IndexVec::new(),
            roles: IndexVec::new(),
            frames: IndexVec::new(),
            instances: Vec::new(),
            by_meaning: FxHashMap::default(),
            by_start: FxHashMap::default(),
            by_frame: FxHashMap::default(),
            cells: BTreeMap::new(),
        }
    }

    pub fn role(&mut self, start: Start, func: FuncId) -> RoleId {
        if let Some(&role) = self.by_start.get(&start) {
            return role;
        }
        let id = self.roles.next_id();
        let frame = self.frame(Frame { role: id, func, parent: None });
        let name = self.program.funcs[func].name.to_string();
        self.by_start.insert(start, id);
        self.roles.push(Role { start, func, frame, name })
    }

    pub fn frame(&mut self, frame: Frame) -> FrameId {
        if let Some(&id) = self.by_frame.get(&frame) {
            return id;
        }
        let id = self.frames.push(frame);
        self.by_frame.insert(frame, id);
        id
    }

    /// The number of an object, from 1 on.
    pub fn number(&mut self, instance: Instance) -> u128 {
        let at = self.instances.iter().position(|it| *it == instance).unwrap_or_else(|| {
            self.instances.push(instance);
            self.instances.len() - 1
        });
        at as u128 + 1
    }

    pub fn instance(&self, number: u128) -> Option<Instance> {
        self.instances.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
    }

    pub fn size(&self, instance: Instance) -> Option<u64> {
        let (Instance::Global(object) | Instance::Local(_, object)) = instance;
        self.program.objects[object].size
    }

    pub fn register(&mut self, frame: FrameId, register: Register) -> Var {
        let info = &self.program.vars[register];
        let role = self.frames[frame].role;
        let meaning = match info.owner {
            Some(_) => Meaning::Register(frame, register),
            None => Meaning::Own(role, register),
        };
        self.var(meaning)
    }

    pub fn cell(&mut self, cell: Cell) -> Var {
        self.cells.entry(cell.instance).or_default().insert(cell);
        self.var(Meaning::Cell(cell))
    }

    pub fn var(&mut self, meaning: Meaning) -> Var {
        if let Some(&var) = self.by_meaning.get(&meaning) {
            return var;
        }
        let bits = self.program.ptr_bits;
        let name = |register: Register| self.program.vars[register].name.to_string();
        let ty = |register: Register| width(self.program.vars[register].ty, bits);
        let (name, width, role) = match meaning {
            Meaning::Register(frame, register) => {
                (name(register), ty(register), Some(self.frames[frame].role))
            }
            Meaning::Own(role, register) => (name(register), ty(register), Some(role)),
            Meaning::Cell(cell) => {
                let (object, role) = match cell.instance {
                    Instance::Global(object) => (object, None),
                    Instance::Local(frame, object) => (object, Some(self.frames[frame].role)),
                };
                let info = &self.program.objects[object];
                let is_whole = info.size == Some(cell.size);
                let name = match is_whole {
                    true => info.name.to_string(),
                    false => format!("{}[{}]", info.name, cell.offset / cell.size),
                };
                let width = match cell.is_pointer {
                    true => u32::from(bits) + OBJECT_BITS,
                    false => (cell.size * 8) as u32,
                };
                (name, width, role)
            }
            Meaning::Count => ("threads".into(), u32::from(bits), None),
            Meaning::Number(role) => (format!("number of {}", self.of_role(role)), 64, None),
            Meaning::Started(role) => (format!("started {}", self.of_role(role)), 1, None),
            Meaning::Forgotten(role) => (format!("forgotten {}", self.of_role(role)), 1, None),
            Meaning::Ended(role) => (format!("ended {}", self.of_role(role)), 1, None),
            Meaning::Watched => ("watched".into(), 1, None),
            Meaning::Inside(role) => (format!("inside {}", self.of_role(role)), 1, None),
        };
        let term = self.terms.var(&name, width);
        let var = self.vars.push(Variable { meaning, name, term, width, role });
        self.by_meaning.insert(meaning, var);
        var
    }

    fn of_role(&self, role: RoleId) -> String {
        self.roles.get(role).map_or_else(|| "main".into(), |it| it.name.clone())
    }

    /// Objects of which some bytes are accessed in several ways: what that does to the others is not followed.
    pub fn overlaps(&self, accessed: impl Iterator<Item = Var>) -> BTreeSet<ObjId> {
        let cells = accessed.filter_map(|var| match self.vars[var].meaning {
            Meaning::Cell(cell) => Some(cell),
            _ => None,
        });
        let cells: BTreeSet<Cell> = cells.collect();
        let mut overlaps = BTreeSet::new();
        for (one, next) in cells.iter().zip(cells.iter().skip(1)) {
            let (Instance::Global(object) | Instance::Local(_, object)) = one.instance;
            // In order of their first bytes: if any two overlap, two neighbours do.
            if one.instance == next.instance && one.offset + one.size > next.offset {
                overlaps.insert(object);
            }
        }
        overlaps
    }

    /// What a cell of a global object holds in the beginning.
    pub fn first_value(&mut self, cell: Cell) -> Option<TermId> {
        let Instance::Global(object) = cell.instance else { return None };
        let program = self.program;
        let info = &program.objects[object];
        debug_assert_eq!(info.kind, ObjKind::Global);
        let end = cell.offset + cell.size;
        let bytes_of = |value| program.exprs.ty(value).bytes(program.ptr_bits);
        let mut number = 0u128;
        for init in &info.init {
            let size = bytes_of(init.value);
            if init.offset + size <= cell.offset || init.offset >= end {
                continue;
            }
            if cell.is_pointer || program.exprs.as_int(init.value).is_none() {
                let is_whole = init.offset == cell.offset && size == cell.size;
                return is_whole.then(|| self.constant(init.value, cell.is_pointer)).flatten();
            }
            let value = program.exprs.as_int(init.value).unwrap_or(0);
            for at in 0..size {
                let place = init.offset + at;
                if place >= cell.offset && place < end {
                    number |= (value >> (8 * at) & 0xff) << (8 * (place - cell.offset));
                }
            }
        }
        match cell.is_pointer {
            true => Some(crate::terms::address(&mut self.terms, program.ptr_bits, 0, 0)),
            false => Some(self.terms.constant((cell.size * 8) as u32, number)),
        }
    }

    /// The pointer that a constant is; anything else is not known.
    fn constant(&mut self, value: hardbop_cir::ExprId, is_pointer: bool) -> Option<TermId> {
        use hardbop_cir::Expr;
        let bits = self.program.ptr_bits;
        match self.program.exprs.get(value) {
            Expr::Null if is_pointer => Some(crate::terms::address(&mut self.terms, bits, 0, 0)),
            Expr::Addr(object) if is_pointer => {
                let number = self.number(Instance::Global(object));
                Some(crate::terms::address(&mut self.terms, bits, number, 0))
            }
            Expr::FuncAddr(func) if is_pointer => {
                Some(crate::terms::of_func(&mut self.terms, bits, func))
            }
            _ => None,
        }
    }
}
