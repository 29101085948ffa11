//! What the outside was handed: one global register for each pointer.
//!
//! A handle belongs to one object, or, where an argument may point to several, to one argument of one
//! call. It holds the pointer handed over last. Where another one was handed over before that is still
//! alive, the outside knows more than we remember: [`Handles::lost`] says so from then on.

use std::collections::{BTreeMap, BTreeSet};

use super::{Closing, Site};
use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::program::{FuncId, ObjId, ObjKind, Op, VarId};
use crate::ty::Ty;

/// Which pointers share a handle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    /// All to this object.
    Object(ObjId),
    /// This argument of this call: function, block, instruction, argument.
    Argument(usize, usize, usize, usize),
}

#[derive(Clone, Debug)]
pub(super) struct Handle {
    pub register: VarId,
    /// What it may point to.
    pub objects: Vec<ObjId>,
    /// Whether the outside may write there.
    pub is_written: bool,
    /// Whether it points to nothing else.
    pub is_exact: bool,
}

#[derive(Default, Debug)]
pub(super) struct Handles {
    pub by_key: BTreeMap<Key, Handle>,
    /// Functions whose address is an argument, with the register that says that it has been.
    pub callbacks: BTreeMap<FuncId, VarId>,
    /// Whether a handle has been overwritten.
    pub lost: Option<VarId>,
}

impl Closing<'_> {
    pub(super) fn find_handles(&mut self, site: &Site) {
        for at in 0..site.args.len() {
            let Some((key, objects, is_written)) = self.handed(site, at) else { continue };
            let is_exact = !self.points_to.targets(self.program, site.args[at]).is_unknown;
            for object in &objects {
                if let ObjKind::Local(_) | ObjKind::Heap(_) = self.program.objects[*object].kind
                    && self.handles.lost.is_none()
                {
                    self.handles.lost = Some(self.global("(outside).lost".into(), Ty::BOOL));
                }
            }
            if let Key::Argument(..) = key
                && self.handles.lost.is_none()
            {
                self.handles.lost = Some(self.global("(outside).lost".into(), Ty::BOOL));
            }
            match self.handles.by_key.get_mut(&key) {
                Some(known) => {
                    known.is_written |= is_written;
                    known.is_exact &= is_exact;
                }
                None => {
                    let name = format!("(outside).{}", self.handles.by_key.len()).into();
                    let register = self.global(name, Ty::Ptr);
                    let handle = Handle { register, objects, is_written, is_exact };
                    self.handles.by_key.insert(key, handle);
                }
            }
        }
        for func in self.callbacks_at(site) {
            if !self.handles.callbacks.contains_key(&func) {
                let name = format!("(outside).knows.{}", self.program.funcs[func].name).into();
                let register = self.global(name, Ty::BOOL);
                self.handles.callbacks.insert(func, register);
            }
        }
    }

    /// The objects an argument hands over that the outside does not know by name; `None` if there are
    /// none it could do something with.
    fn handed(&self, site: &Site, at: usize) -> Option<(Key, Vec<ObjId>, bool)> {
        let arg = site.args[at];
        if self.program.exprs.ty(arg) != Ty::Ptr {
            return None;
        }
        let keeps = self.outside.funcs[&site.callee].keeps.get(at).copied().unwrap_or(false);
        let mut objects = self.points_to.targets(self.program, arg).objects;
        objects.retain(|it| {
            let leads_on = {
                let content = self.points_to.of_content(*it);
                !content.objects.is_empty() || !content.funcs.is_empty()
            };
            !self.outside.objects.contains(it) && (!keeps && !self.is_const(*it) || leads_on)
        });
        let is_written = !keeps && objects.iter().any(|it| !self.is_const(*it));
        let key = match objects[..] {
            [] => return None,
            [object] => Key::Object(object),
            _ => {
                let (func, block) = (site.func.as_u32() as usize, site.block.as_u32() as usize);
                Key::Argument(func, block, site.at, at)
            }
        };
        Some((key, objects, is_written))
    }

    fn callbacks_at(&self, site: &Site) -> BTreeSet<FuncId> {
        let targets = site.args.iter().map(|&arg| self.points_to.targets(self.program, arg));
        targets.flat_map(|it| it.funcs).filter(|it| !self.outside.funcs.contains_key(it)).collect()
    }

    /// Remembers what a call hands over.
    pub(super) fn hand_over(&mut self, site: &Site) -> Vec<Op> {
        let mut ops = Vec::new();
        for at in 0..site.args.len() {
            let Some((key, ..)) = self.handed(site, at) else { continue };
            let Some(register) = self.handles.by_key.get(&key).map(|it| it.register) else {
                continue;
            };
            let start = self.program.exprs.unary(UnOp::Start, site.args[at]);
            self.note_lost(site, register, start, &mut ops);
            // A null pointer hands over nothing, and takes nothing back.
            let (null, old) = (self.null(), self.var(register));
            let is_null = self.program.exprs.binary(BinOp::Eq, start, null);
            let value = self.program.exprs.ite(is_null, old, start);
            ops.push(Op::Set { dst: register, value });
        }
        for func in self.callbacks_at(site) {
            let Some(&register) = self.handles.callbacks.get(&func) else { continue };
            let address = self.program.exprs.add(Expr::FuncAddr(func));
            let mut value = self.var(register);
            for &arg in &site.args {
                if self.program.exprs.ty(arg) == Ty::Ptr {
                    let is_it = self.program.exprs.binary(BinOp::Eq, arg, address);
                    value = self.program.exprs.binary(BinOp::Or, value, is_it);
                }
            }
            ops.push(Op::Set { dst: register, value });
        }
        ops
    }

    /// Another pointer than the one handed over before, and that one is alive.
    fn note_lost(&mut self, site: &Site, register: VarId, start: ExprId, ops: &mut Vec<Op>) {
        let Some(lost) = self.handles.lost else { return };
        let size = Ty::Int(self.program.ptr_bits);
        let n = self.register(site.func, "size", size);
        let old = self.var(register);
        ops.push(Op::Size { dst: n, ptr: old });
        let (n, null) = (self.var(n), self.null());
        let zero = self.program.exprs.int(self.program.ptr_bits, 0);
        let exprs = &mut self.program.exprs;
        let is_alive = exprs.binary(BinOp::Ne, n, zero);
        let is_other = exprs.binary(BinOp::Ne, old, start);
        let is_given = exprs.binary(BinOp::Ne, start, null);
        let drops = exprs.binary(BinOp::And, is_alive, is_other);
        let drops = exprs.binary(BinOp::And, drops, is_given);
        let before = self.var(lost);
        let value = self.program.exprs.binary(BinOp::Or, before, drops);
        ops.push(Op::Set { dst: lost, value });
    }
}
