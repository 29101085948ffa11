//! Memory of a running program: instances of objects, bytes, and the pointers stored in them.
//!
//! Each instance has an address, so that pointers can become numbers and come back; who runs the program may
//! say which, as far as C allows it: aligned, apart from what is alive, not null. A pointer that
//! is stored keeps its instance beside its bytes: read back whole, it is the same pointer even if
//! it points outside of its instance.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::run::Config;
use crate::program::{FuncId, ObjId, ObjKind, Program};

/// An instance of an object, or what else a pointer can be based on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// Null is offset 0; other offsets are plain numbers.
    None,
    Instance(u32),
    Func(FuncId),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pointer {
    pub base: Base,
    /// Modulo the width of a pointer.
    pub offset: u64,
}

impl Pointer {
    pub const NULL: Pointer = Pointer { base: Base::None, offset: 0 };

    /// Null, or a number so small that it points nowhere, wherever objects lie.
    pub(super) fn is_number(self) -> bool {
        self.base == Base::None && self.offset < LEAST_ADDRESS
    }
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub object: ObjId,
    pub address: u64,
    pub size: u64,
    pub bytes: Vec<u8>,
    /// Which bytes have been written.
    pub(super) written: Vec<bool>,
    pub is_alive: bool,
    pub is_heap: bool,
    pub is_const: bool,
    /// Whole pointers in the bytes, by offset.
    pub pointers: BTreeMap<u64, Pointer>,
    /// Whether a part of a pointer may be left somewhere.
    pub(super) is_torn: bool,
}

/// An access that has no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    Null,
    Dead,
    Outside,
    /// More memory than the interpreter gives out.
    TooLarge,
}

const FUNC_ADDRESS: u64 = 0x4000_0000;
/// No object lies below: a smaller number, as a pointer, points nowhere.
pub(super) const LEAST_ADDRESS: u64 = 0x1000;

/// The addresses of the instances of objects, in the order they are made; 0 where it does not matter.
pub type Placed = BTreeMap<ObjId, Vec<u64>>;

/// Where a new object lies: C does not say, so what shows with one choice only is in doubt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addresses {
    /// After those before it.
    Rise,
    /// Before them.
    Fall,
}

#[derive(Clone, Debug)]
pub struct Memory {
    /// Shared by the copies of a memory until one of them writes.
    pub instances: Vec<Rc<Instance>>,
    max_instances: usize,
    max_bytes: u64,
    /// Start addresses of instances, for the way back from numbers.
    by_address: Rc<BTreeMap<u64, u32>>,
    addresses: Addresses,
    /// Where the next object begins, or ends.
    next_address: u64,
    /// Addresses that are asked for; what was made takes its own away.
    placed: BTreeMap<ObjId, VecDeque<u64>>,
    used: u64,
    ptr_bytes: u64,
    /// What a byte holds that was never written, times the number of its instance.
    fresh: u8,
}

impl Memory {
    pub fn new(ptr_bits: u8, config: &Config) -> Self {
        let addresses = config.addresses;
        Memory {
            fresh: config.fresh_byte,
            addresses,
            instances: Vec::new(),
            max_instances: config.max_instances,
            max_bytes: config.max_bytes,
            by_address: Rc::default(),
            next_address: match addresses {
                Addresses::Rise => 0x10_0000,
                Addresses::Fall => 0xf100_0000,
            },
            placed: config
                .placed
                .iter()
                .map(|(&it, all)| (it, all.iter().copied().collect()))
                .collect(),
            used: 0,
            ptr_bytes: u64::from(ptr_bits / 8),
        }
    }

    fn ptr_mask(&self) -> u64 {
        if self.ptr_bytes == 8 { u64::MAX } else { u64::from(u32::MAX) }
    }

    pub fn create(
        &mut self,
        program: &Program,
        object: ObjId,
        size: u64,
    ) -> Result<Pointer, Fault> {
        let is_full = self.instances.len() >= self.max_instances;
        if is_full || size > self.max_bytes || self.used + size > self.max_bytes {
            return Err(Fault::TooLarge);
        }
        self.used += size;
        let info = &program.objects[object];
        let asked = self.placed.get_mut(&object).and_then(VecDeque::pop_front);
        let address = match asked.filter(|&it| self.is_free(program, it, size, info.align)) {
            Some(address) => address,
            None => self.next_place(program, size, info.align)?,
        };
        // What lay there before is dead: a number stands for the new one.
        let covered = self.by_address.range(address..address + size.max(1));
        for start in covered.map(|it| *it.0).collect::<Vec<u64>>() {
            Rc::make_mut(&mut self.by_address).remove(&start);
        }
        let id = self.instances.len() as u32;
        let is_global = matches!(info.kind, ObjKind::Global | ObjKind::Thread);
        let fresh = self.fresh.wrapping_mul((id as u8).wrapping_add(1));
        self.instances.push(Rc::new(Instance {
            object,
            address,
            size,
            bytes: vec![if is_global { 0 } else { fresh }; size as usize],
            written: vec![is_global; size as usize],
            is_alive: true,
            is_heap: matches!(info.kind, ObjKind::Heap(_)),
            is_const: info.is_const,
            pointers: BTreeMap::new(),
            is_torn: false,
        }));
        Rc::make_mut(&mut self.by_address).insert(address, id);
        Ok(Pointer { base: Base::Instance(id), offset: 0 })
    }

    /// Whether an object may lie at an address.
    fn is_free(&self, program: &Program, address: u64, size: u64, align: u64) -> bool {
        let end = address.saturating_add(size.max(1));
        let overlaps = |start: u64, length: u64| address < start + length.max(1) && start < end;
        address >= LEAST_ADDRESS
            && end <= self.ptr_mask()
            && address.is_multiple_of(align)
            && !overlaps(FUNC_ADDRESS, 16 * program.funcs.len() as u64)
            && !self.instances.iter().any(|it| it.is_alive && overlaps(it.address, it.size))
    }

    /// The next address of those nobody asked for.
    fn next_place(&mut self, program: &Program, size: u64, align: u64) -> Result<u64, Fault> {
        let align = align.max(16);
        // A gap between instances: one past the end is never another's first byte.
        let room = (size + 32).next_multiple_of(16);
        loop {
            let address = match self.addresses {
                Addresses::Rise => self.next_address.checked_next_multiple_of(align),
                Addresses::Fall => self.next_address.checked_sub(room).map(|it| it & !(align - 1)),
            };
            let address = address.ok_or(Fault::TooLarge)?;
            self.next_address = match self.addresses {
                Addresses::Rise => address.checked_add(room).ok_or(Fault::TooLarge)?,
                Addresses::Fall => address,
            };
            // Without addresses that were asked for, nothing is in the way.
            if self.placed.is_empty() || self.is_free(program, address, size, align) {
                return Ok(address);
            }
        }
    }

    pub fn kill(&mut self, id: u32) {
        if self.instances[id as usize].is_alive {
            let instance = self.instance_mut(id);
            instance.is_alive = false;
            // The bytes of the dead are never read again.
            let bytes = std::mem::take(&mut instance.bytes);
            instance.written = Vec::new();
            instance.pointers.clear();
            self.used -= bytes.len() as u64;
        }
    }

    fn instance_mut(&mut self, id: u32) -> &mut Instance {
        Rc::make_mut(&mut self.instances[id as usize])
    }

    pub fn address(&self, pointer: Pointer) -> u64 {
        let base = match pointer.base {
            Base::None => 0,
            Base::Instance(id) => self.instances[id as usize].address,
            Base::Func(func) => FUNC_ADDRESS + 16 * u64::from(func.as_u32()),
        };
        base.wrapping_add(pointer.offset) & self.ptr_mask()
    }

    /// The pointer a number stands for.
    pub fn at_address(&self, program: &Program, address: u64) -> Pointer {
        let funcs = FUNC_ADDRESS..FUNC_ADDRESS + 16 * program.funcs.len() as u64;
        if funcs.contains(&address) && (address - FUNC_ADDRESS).is_multiple_of(16) {
            let func = FuncId::from_u32(((address - FUNC_ADDRESS) / 16) as u32);
            return Pointer { base: Base::Func(func), offset: 0 };
        }
        if let Some((&start, &id)) = self.by_address.range(..=address).next_back()
            && address - start <= self.instances[id as usize].size
        {
            return Pointer { base: Base::Instance(id), offset: address - start };
        }
        Pointer { base: Base::None, offset: address }
    }

    /// The live instance that holds `size` bytes from the pointer on, and where.
    fn place(&self, pointer: Pointer, size: u64) -> Result<(u32, usize), Fault> {
        let Base::Instance(id) = pointer.base else { return Err(Fault::Null) };
        let instance = &self.instances[id as usize];
        if !instance.is_alive {
            return Err(Fault::Dead);
        }
        match pointer.offset.checked_add(size) {
            Some(end) if end <= instance.bytes.len() as u64 => Ok((id, pointer.offset as usize)),
            _ => Err(Fault::Outside),
        }
    }

    /// Bytes of the live instance pointed into; 0 where there is none.
    pub fn size_of(&self, pointer: Pointer) -> u64 {
        match pointer.base {
            Base::Instance(id) => self.instances[id as usize].bytes.len() as u64,
            Base::None | Base::Func(_) => 0,
        }
    }

    pub fn read(&self, pointer: Pointer, size: u64) -> Result<&[u8], Fault> {
        let (id, at) = self.place(pointer, size)?;
        Ok(&self.instances[id as usize].bytes[at..at + size as usize])
    }

    pub fn read_pointer(&self, program: &Program, pointer: Pointer) -> Result<Pointer, Fault> {
        let (id, at) = self.place(pointer, self.ptr_bytes)?;
        let instance = &self.instances[id as usize];
        if let Some(&stored) = instance.pointers.get(&(at as u64)) {
            return Ok(stored);
        }
        let mut address = [0; 8];
        let n = self.ptr_bytes as usize;
        address[..n].copy_from_slice(&instance.bytes[at..at + n]);
        Ok(self.at_address(program, u64::from_le_bytes(address)))
    }

    /// Whether a pointer was stored whole at this place.
    pub fn is_pointer(&self, at: Pointer) -> bool {
        match at.base {
            Base::Instance(id) => self.instances[id as usize].pointers.contains_key(&at.offset),
            Base::None | Base::Func(_) => false,
        }
    }

    /// Whether some of these bytes are, or were, bytes of a stored pointer.
    pub fn has_pointers(&self, at: Pointer, size: u64) -> bool {
        let Base::Instance(id) = at.base else { return false };
        self.instances[id as usize].is_torn || self.n_pointers(id, at.offset, size) > 0
    }

    /// How many stored pointers have a byte there.
    fn n_pointers(&self, id: u32, at: u64, size: u64) -> usize {
        let pointers = &self.instances[id as usize].pointers;
        if pointers.is_empty() {
            return 0;
        }
        let first = at.saturating_sub(self.ptr_bytes - 1);
        pointers.range(first..at + size).count()
    }

    /// Whether comparing two pointers depends on where their objects lie. Those to bytes of different
    /// living objects are different.
    pub fn is_open(&self, a: Pointer, b: Pointer, is_equality: bool) -> bool {
        let is_inside = |it: Pointer| it.is_number() || self.place(it, 1).is_ok();
        let is_func = |it: Pointer| matches!(it, Pointer { base: Base::Func(_), offset: 0 });
        let is_certain = |it| is_inside(it) || is_func(it);
        a.base != b.base && !(is_equality && is_certain(a) && is_certain(b))
    }

    pub fn is_written(&self, pointer: Pointer, size: u64) -> Result<bool, Fault> {
        let (id, at) = self.place(pointer, size)?;
        Ok(self.instances[id as usize].written[at..at + size as usize].iter().all(|&it| it))
    }

    /// All bytes of the instance pointed into count as written.
    pub fn mark_written(&mut self, pointer: Pointer) {
        if let Base::Instance(id) = pointer.base {
            self.instance_mut(id).written.fill(true);
        }
    }

    pub fn write(&mut self, pointer: Pointer, bytes: &[u8]) -> Result<(), Fault> {
        let (id, at) = self.place(pointer, bytes.len() as u64)?;
        self.forget_pointers(id, at, bytes.len());
        let instance = self.instance_mut(id);
        instance.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        instance.written[at..at + bytes.len()].fill(true);
        Ok(())
    }

    pub fn write_pointer(&mut self, pointer: Pointer, value: Pointer) -> Result<(), Fault> {
        let address = self.address(value).to_le_bytes();
        self.write(pointer, &address[..self.ptr_bytes as usize])?;
        if let Base::Instance(id) = pointer.base
            && value.base != Base::None
        {
            self.instance_mut(id).pointers.insert(pointer.offset, value);
        }
        Ok(())
    }

    pub fn copy(&mut self, dst: Pointer, src: Pointer, size: u64) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        let (from, from_at) = self.place(src, size)?;
        let (to, to_at) = self.place(dst, size)?;
        let source = &self.instances[from as usize];
        let range = from_at..from_at + size as usize;
        let (bytes, written) =
            (source.bytes[range.clone()].to_vec(), source.written[range].to_vec());
        let last = (from_at as u64 + size).saturating_sub(self.ptr_bytes);
        let whole: Vec<(u64, Pointer)> = match size >= self.ptr_bytes {
            true => {
                source.pointers.range(from_at as u64..=last).map(|(&at, &it)| (at, it)).collect()
            }
            false => Vec::new(),
        };
        let is_torn = source.is_torn || whole.len() != self.n_pointers(from, src.offset, size);
        self.forget_pointers(to, to_at, bytes.len());
        let target = self.instance_mut(to);
        target.is_torn |= is_torn;
        target.bytes[to_at..to_at + bytes.len()].copy_from_slice(&bytes);
        target.written[to_at..to_at + bytes.len()].copy_from_slice(&written);
        for (at, pointer) in whole {
            target.pointers.insert(at - from_at as u64 + to_at as u64, pointer);
        }
        Ok(())
    }

    pub fn fill(&mut self, dst: Pointer, byte: u8, size: u64) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        self.place(dst, size)?;
        self.write(dst, &vec![byte; size as usize])
    }

    pub fn repeat(&mut self, dst: Pointer, value: Pointer, size: u64) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        let address = self.address(value).to_le_bytes();
        let n = size / self.ptr_bytes;
        self.write(dst, &address[..self.ptr_bytes as usize].repeat(n as usize))?;
        if let Base::Instance(id) = dst.base
            && value.base != Base::None
        {
            let ptr_bytes = self.ptr_bytes;
            let places = (0..n).map(|at| (dst.offset + at * ptr_bytes, value));
            self.instance_mut(id).pointers.extend(places);
        }
        Ok(())
    }

    fn forget_pointers(&mut self, id: u32, at: usize, len: usize) {
        if self.instances[id as usize].pointers.is_empty() {
            return;
        }
        let (start, end, ptr_bytes) = (at as u64, (at + len) as u64, self.ptr_bytes);
        let first = start.saturating_sub(ptr_bytes - 1);
        let instance = self.instance_mut(id);
        let hit: Vec<u64> = instance.pointers.range(first..end).map(|(&at, _)| at).collect();
        for at in hit {
            instance.pointers.remove(&at);
            instance.is_torn |= at < start || at + ptr_bytes > end;
        }
    }
}
