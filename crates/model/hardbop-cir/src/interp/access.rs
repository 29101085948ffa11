//! Which bytes an instruction accesses: what data races are about.

use super::machine::Machine;
use super::memory::{Base, Pointer};
use super::value::{Env, evaluate};
use crate::expr::ExprId;
use crate::program::{ObjId, ObjKind, Op, Program};

/// Some bytes of an instance, read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub instance: u32,
    pub from: u64,
    pub size: u64,
    pub is_write: bool,
}

impl Access {
    /// Whether both touch the same byte and one of them writes.
    pub fn conflicts(&self, other: &Access) -> bool {
        self.instance == other.instance
            && (self.is_write || other.is_write)
            && self.from < other.from.saturating_add(other.size)
            && other.from < self.from.saturating_add(self.size)
    }
}

/// What the library keeps for itself: its functions may be called by several threads at once, and their models
/// have no locks.
fn is_librarys(program: &Program, object: ObjId) -> bool {
    let info = &program.objects[object];
    let name = match info.kind {
        ObjKind::Heap(func) => &program.funcs[func].name,
        _ => &info.name,
    };
    name.starts_with("__hardbop_")
}

impl Machine<'_> {
    /// What the instruction would access now. That an object is given back is a write to all of it. What is
    /// printed is not here, see [`Op::Print`].
    pub(super) fn accesses(&self, op: &Op) -> Vec<Access> {
        let bytes = |ty: crate::ty::Ty| ty.bytes(self.program.ptr_bits);
        let size = |it: ExprId| evaluate(self, it).int() as u64;
        let (ptr, size, is_write) = match *op {
            Op::Load { dst, ptr } => (ptr, bytes(self.program.vars[dst].ty), false),
            Op::Store { ptr, value } => (ptr, bytes(self.program.exprs.ty(value)), true),
            Op::Fill { dst, size: n, .. } | Op::Repeat { dst, size: n, .. } => (dst, size(n), true),
            Op::Copy { dst, src, size: n } => {
                let (read, written) = (self.access_at(src, size(n), false), size(n));
                let written = self.access_at(dst, written, true);
                return read.into_iter().chain(written).collect();
            }
            Op::Free { ptr } | Op::Havoc { ptr } => (ptr, u64::MAX, true),
            _ => return Vec::new(),
        };
        self.access_at(ptr, size, is_write).into_iter().collect()
    }

    fn access_at(&self, ptr: ExprId, size: u64, is_write: bool) -> Option<Access> {
        let Pointer { base: Base::Instance(id), offset } = evaluate(self, ptr).pointer() else {
            return None;
        };
        let instance = &self.memory().instances[id as usize];
        if size == 0 || is_librarys(self.program, instance.object) {
            return None;
        }
        let (from, size) = match size {
            u64::MAX => (0, instance.size),
            _ => (offset, size),
        };
        Some(Access { instance: id, from, size, is_write })
    }
}
