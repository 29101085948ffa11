//! A state of a program with threads as bytes: equal bytes, equal futures.
//!
//! Instances are numbered in the order they are met, from objects with a name over the calls of each thread
//! along stored pointers, so that it does not matter when or where they were made. Registers that are
//! never read again, and memory that nothing leads to, are left out. Where objects lie is left out, too: who
//! uses this must look at [`World::took_something`].

use hardbop_base::IndexVec;
use rustc_hash::FxHashMap;

use super::follow::{Follow, Slot};
use super::layout::{Layout, Place};
use super::machine::Frame;
use super::memory::{Base, Pointer};
use super::value::Value;
use super::world::World;
use crate::analysis::{holding::held_by_calls, liveness};
use crate::program::{BlockId, FuncId, Program, VarId};
use hardbop_base::{Bits, Idx};

/// The slots of registers that may still be read, of each place of the program.
pub struct Live {
    places: IndexVec<FuncId, IndexVec<BlockId, Vec<Vec<u32>>>>,
    slots: IndexVec<VarId, Option<u32>>,
}

impl Live {
    /// Where it is asked what running calls hold, all that they hold is read where the program ends.
    pub fn of(program: &Program, layout: &Layout) -> Live {
        let held = held_by_calls(program);
        let places = program.funcs.iter_enumerated().map(|(id, func)| {
            let is_own = |it: &usize| program.vars[VarId::new(*it)].owner == Some(id);
            let own: Vec<usize> = held.iter().filter(is_own).collect();
            let starts = liveness::live_in(program, func);
            let blocks = func.blocks.iter().map(|block| {
                let mut live = Bits::new();
                for to in block.term.successors() {
                    live.union_with(&starts[to]);
                }
                let read = |live: &mut Bits, operand| {
                    program.exprs.for_each_var(operand, &mut |var| {
                        if program.vars[var].owner.is_some() {
                            live.insert(var.index());
                        }
                    });
                };
                block.term.operands().into_iter().for_each(|it| read(&mut live, it));
                let slots = |live: &Bits| -> Vec<u32> {
                    let mut live = live.clone();
                    live.extend(own.iter().copied());
                    let slot = |at| match layout.place(VarId::new(at)) {
                        Place::Local(slot) => Some(slot),
                        Place::Global(_) => None,
                    };
                    live.iter().filter_map(slot).collect()
                };
                let mut all = vec![slots(&live)];
                for inst in block.insts.iter().rev() {
                    if let Some(dst) = inst.op.dst() {
                        live.remove(dst.index());
                    }
                    inst.op.operands().into_iter().for_each(|it| read(&mut live, it));
                    all.push(slots(&live));
                }
                all.reverse();
                all
            });
            blocks.collect()
        });
        let slot = |var| match layout.place(var) {
            Place::Local(slot) => Some(slot),
            Place::Global(_) => None,
        };
        Live { places: places.collect(), slots: program.vars.ids().map(slot).collect() }
    }

    /// Whether the register that the next instruction of a call sets may be read afterwards.
    pub(super) fn is_read_after(&self, frame: &Frame, var: VarId) -> bool {
        let after = &self.places[frame.func][frame.block][frame.at + 1];
        self.slots[var].is_none_or(|slot| after.contains(&slot))
    }

    fn at(&self, frame: &Frame) -> &[u32] {
        let block = &self.places[frame.func][frame.block];
        &block[frame.at.min(block.len() - 1)]
    }
}

#[derive(Default)]
struct Encoder {
    bytes: Vec<u8>,
    /// The number of each instance that was met.
    numbers: FxHashMap<u32, u32>,
    met: Vec<u32>,
    /// Where something stands that a follower knows more about.
    marks: Vec<(usize, u32)>,
}

impl Encoder {
    fn number(&mut self, it: u64) {
        // Most numbers are small.
        let mut it = it;
        while it >= 0x80 {
            self.bytes.push(it as u8 | 0x80);
            it >>= 7;
        }
        self.bytes.push(it as u8);
    }

    fn instance(&mut self, id: u32) {
        let next = self.met.len() as u32;
        let number = *self.numbers.entry(id).or_insert(next);
        if number == next {
            self.met.push(id);
        }
        self.number(u64::from(number));
    }

    fn pointer(&mut self, it: Pointer) {
        match it.base {
            Base::None => self.bytes.push(0),
            Base::Instance(id) => {
                self.bytes.push(1);
                self.instance(id);
            }
            Base::Func(func) => {
                self.bytes.push(2);
                self.number(u64::from(func.as_u32()));
            }
        }
        self.number(it.offset);
    }

    fn value(&mut self, it: Value) {
        match it {
            Value::Int(it) => {
                self.number(it as u64);
                self.number((it >> 64) as u64);
            }
            Value::Float(it) => self.number(it.to_bits()),
            Value::Ptr(it) => self.pointer(it),
        }
    }

    /// A register, or what a follower says it stands for.
    fn register(&mut self, it: Value, known: Option<u32>) {
        match known {
            Some(known) => {
                self.marks.push((self.bytes.len(), known));
                self.value(Value::Int(0));
            }
            None => self.value(it),
        }
    }
}

impl World<'_> {
    /// The state; `thread` says which one must go on, and how.
    pub fn encode(&mut self, thread: Option<u32>, live: &Live, follow: &dyn Follow) -> Box<[u8]> {
        self.machine.switch_to(0);
        let World { machine, is_stuck, .. } = self;
        let mut it = Encoder::default();
        it.number(thread.map_or(0, |it| u64::from(it) + 1));
        match machine.atomic {
            None => it.bytes.push(0),
            Some(atomic) => {
                it.number(u64::from(atomic.depth));
                it.number(atomic.n_frames as u64);
                it.number(u64::from(atomic.block.as_u32()));
                it.number(atomic.at as u64);
            }
        }
        // Objects with a name come first, in their order.
        for pointer in machine.statics.iter() {
            if let Base::Instance(id) = pointer.base {
                it.instance(id);
            }
        }
        for (number, thread) in machine.threads.all.iter().enumerate() {
            let (frames, globals) = match number {
                0 => (&machine.frames, &machine.globals),
                _ => (&thread.frames, &thread.globals),
            };
            it.bytes.push(u8::from(is_stuck[number]) | u8::from(thread.is_forgotten) << 1);
            match thread.end {
                Some(Some(value)) => {
                    it.bytes.push(2);
                    it.value(value);
                    continue;
                }
                Some(None) => {
                    it.bytes.push(1);
                    continue;
                }
                None => it.bytes.push(0),
            }
            it.number(thread.own.len() as u64);
            for &(object, id) in &thread.own {
                it.number(u64::from(object.as_u32()));
                it.instance(id);
            }
            let known = |slot| follow.register(number as u32, slot);
            for (slot, &value) in globals.iter().enumerate() {
                it.register(value, known(Slot::Global(slot as u32)));
            }
            it.number(frames.len() as u64);
            for (call, frame) in frames.iter().enumerate() {
                it.number(u64::from(frame.func.as_u32()));
                it.number(u64::from(frame.block.as_u32()));
                it.number(frame.at as u64);
                for &slot in live.at(frame) {
                    let value = frame.vars[slot as usize];
                    it.register(value, known(Slot::Local(call as u32, slot)));
                }
                it.number(frame.objects.len() as u64);
                frame.objects.iter().for_each(|&(_, id)| it.instance(id));
            }
        }
        let mut at = 0;
        while let Some(&id) = it.met.get(at) {
            at += 1;
            let instance = &machine.memory.instances[id as usize];
            it.number(u64::from(instance.object.as_u32()));
            it.bytes.push(u8::from(instance.is_alive) | u8::from(instance.is_torn) << 1);
            it.number(instance.size);
            let from = it.bytes.len();
            it.bytes.extend_from_slice(&instance.bytes);
            // Soundness: the bytes of the dead are gone.
            for (offset, size, known) in follow.cells(id).into_iter().filter(|_| instance.is_alive)
            {
                let place = from + offset as usize;
                it.bytes[place..place + size as usize].fill(0);
                it.marks.push((place, known));
            }
            it.number(instance.pointers.len() as u64);
            for (&offset, &pointer) in &instance.pointers {
                // Its bytes are an address.
                let place = from + offset as usize;
                let size = usize::from(machine.program.ptr_bits / 8);
                it.bytes[place..place + size].fill(0);
                it.number(offset);
                it.pointer(pointer);
            }
            it.bytes.push(u8::from(instance.written.contains(&false)));
            if instance.written.contains(&false) {
                let written = instance.written.chunks(8);
                it.bytes.extend(written.map(|all| {
                    all.iter().enumerate().map(|(at, &it)| u8::from(it) << at).sum::<u8>()
                }));
            }
        }
        // Memory that is lost for ever.
        let instances = machine.memory.instances.iter().enumerate();
        let mut alive = instances.filter(|(_, it)| it.is_alive && it.is_heap);
        let has_lost = alive.any(|(id, _)| !it.numbers.contains_key(&(id as u32)));
        it.bytes.push(u8::from(has_lost));
        if let Some(order) = &machine.order {
            let lives = |at: usize| {
                machine.threads.all.get(at).is_some_and(|it| it.end.is_none()) && !is_stuck[at]
            };
            order.describe(machine.threads.all.len(), lives, &it.numbers, &mut it.bytes);
        }
        follow.describe(&it.marks, &mut it.bytes);
        it.bytes.into_boxed_slice()
    }
}
