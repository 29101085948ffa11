//! Memory of the heap that nothing leads to.

use std::rc::Rc;

use hardbop_base::{Bits, Idx};
use rustc_hash::FxHashSet;

use super::{Frame, Machine};
use crate::analysis::holding::is_system;
use crate::analysis::liveness::live_in;
use crate::check::Holder;
use crate::interp::layout::Place;
use crate::interp::memory::{Base, Instance, Pointer};
use crate::interp::value::{Env, Value};
use crate::program::{ObjKind, VarId, VarInfo, VarKind};
use crate::ty::Ty;

impl Machine<'_> {
    /// The first instance on the heap that lives and that no holder leads to.
    pub(super) fn lost(&self, holder: Holder) -> Option<u32> {
        match holder {
            Holder::System => self.not_reached(self.held_by_globals(is_system)),
            Holder::Globals => self.not_reached(self.held_by_globals(|_| true)),
            Holder::Calls => {
                let globals = self.held_by_globals(|_| true);
                let declared = self.held_by_calls(|frame| self.declared(frame));
                let todo: Vec<u32> = globals.into_iter().chain(declared).collect();
                self.not_reached(todo.clone())?;
                // What waits to be used, such as an argument while the next one is evaluated.
                let waiting = self.held_by_calls(|frame| self.live_at(frame));
                self.not_reached(todo.into_iter().chain(waiting).collect())
            }
        }
    }

    /// The first living instance on the heap that these do not lead to.
    fn not_reached(&self, mut todo: Vec<u32>) -> Option<u32> {
        let mut reached = FxHashSet::default();
        while let Some(id) = todo.pop() {
            let instance = &self.memory.instances[id as usize];
            if instance.is_alive && reached.insert(id) {
                todo.extend(instance.pointers.values().filter_map(|it| self.of_pointer(*it)));
                todo.extend(self.numbers_in(instance));
            }
        }
        let mut instances = self.memory.instances.iter().enumerate();
        let is_lost = |(id, it): &(usize, &Rc<Instance>)| {
            it.is_heap && it.is_alive && !reached.contains(&(*id as u32))
        };
        instances.find(is_lost).map(|(id, _)| id as u32)
    }

    /// By global registers, and objects that are global or those of a thread, with these names.
    fn held_by_globals(&self, is_holder: impl Fn(&str) -> bool) -> Vec<u32> {
        let vars = self.program.vars.iter_enumerated();
        let globals = vars.filter(|(_, it)| it.owner.is_none() && it.kind != VarKind::Ghost);
        let globals = globals.filter(|(_, it)| is_holder(&it.name));
        let globals = globals.filter_map(|(id, it)| self.of_value(self.var(id), it.ty));
        let objects = self.program.objects.iter_enumerated();
        let objects = objects.filter(|(_, it)| it.kind == ObjKind::Global && is_holder(&it.name));
        let objects = objects.filter_map(|(id, _)| self.of_pointer(self.statics[id]));
        let own = self.threads.all.iter().flat_map(|it| it.own.iter().copied());
        let own = own.filter(|it| is_holder(&self.program.objects[it.0].name)).map(|it| it.1);
        globals.chain(objects).chain(own).collect()
    }

    /// By these registers of each running call, and its local objects.
    fn held_by_calls(&self, registers: impl Fn(&Frame) -> Bits) -> Vec<u32> {
        let mut held = Vec::new();
        for frame in &self.frames {
            for id in registers(frame).iter().map(VarId::new) {
                if let Place::Local(at) = self.layout.place(id) {
                    let value = frame.vars[at as usize];
                    held.extend(self.of_value(value, self.program.vars[id].ty));
                }
            }
            held.extend(frame.objects.iter().map(|it| it.1));
        }
        held
    }

    /// The registers of a call that the source declares.
    fn declared(&self, frame: &Frame) -> Bits {
        let vars = self.program.vars.iter_enumerated();
        let is_declared = |it: &VarInfo| matches!(it.kind, VarKind::Local | VarKind::Param);
        let here = vars.filter(|(_, it)| it.owner == Some(frame.func) && is_declared(it));
        let mut declared = Bits::new();
        declared.extend(here.map(|(id, _)| id.index()));
        declared
    }

    /// The registers of a call that are read from where it stands on.
    fn live_at(&self, frame: &Frame) -> Bits {
        let program = self.program;
        let func = &program.funcs[frame.func];
        let (live, block) = (live_in(program, func), &func.blocks[frame.block]);
        let mut here = Bits::new();
        for to in block.term.successors() {
            here.union_with(&live[to]);
        }
        let read = |operand, here: &mut Bits| {
            program.exprs.for_each_var(operand, &mut |var| {
                if program.vars[var].owner == Some(frame.func) {
                    here.insert(var.index());
                }
            });
        };
        block.term.operands().into_iter().for_each(|it| read(it, &mut here));
        for inst in block.insts.iter().skip(frame.at).rev() {
            if let Some(dst) = inst.op.dst() {
                here.remove(dst.index());
            }
            inst.op.operands().into_iter().for_each(|it| read(it, &mut here));
        }
        here
    }

    fn of_value(&self, value: Value, ty: Ty) -> Option<u32> {
        match value {
            Value::Ptr(pointer) => self.of_pointer(pointer),
            Value::Int(number) if ty == Ty::Int(self.program.ptr_bits) => {
                self.of_number(number as u64)
            }
            Value::Int(_) | Value::Float(_) => None,
        }
    }

    fn of_pointer(&self, pointer: Pointer) -> Option<u32> {
        match pointer.base {
            Base::Instance(id) => Some(id),
            Base::None | Base::Func(_) => None,
        }
    }

    /// A number that is the address of a byte on the heap. Where no pointer has become a number, none is.
    fn of_number(&self, number: u64) -> Option<u32> {
        if !self.took.has_addresses() {
            return None;
        }
        let pointer = self.memory.at_address(self.program, number);
        let id = self.of_pointer(pointer)?;
        let instance = &self.memory.instances[id as usize];
        (instance.is_heap && pointer.offset < instance.size.max(1)).then_some(id)
    }

    fn numbers_in(&self, instance: &Instance) -> Vec<u32> {
        if !self.took.has_addresses() {
            return Vec::new();
        }
        let n = usize::from(self.program.ptr_bits / 8);
        let words = instance.bytes.chunks_exact(n).zip(0..);
        let words = words.filter(|(_, at)| !instance.pointers.contains_key(&(at * n as u64)));
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &it| sum << 8 | u64::from(it));
        words.filter_map(|(bytes, _)| self.of_number(number(bytes))).collect()
    }
}
