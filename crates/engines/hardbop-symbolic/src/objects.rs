//! Registers and instances: where they are, what they hold before anything is written.

use std::rc::Rc;

use hardbop_base::{Idx, IndexVec};
use hardbop_cir::{FloatTy, FuncId, ObjId, ObjKind, Program, Shape, Ty, VarId};
use hardbop_smt::float::{self, DOUBLE, SINGLE};
use hardbop_smt::{TermId, Terms};

use crate::executor::{Executor, Frame, Instance, Role, Stance};
use crate::layout::{Content, Layout};
use crate::state::{Guard, Slot, State};
use crate::value::{Base, Pointer, Value, null, pointer, width_of};

/// Bytes an instance of unknown size has cells for.
const UNKNOWN_EXTENT: u64 = 1 << 40;

impl Executor<'_> {
    pub(crate) fn bytes(&mut self, n: u64) -> TermId {
        self.terms.constant(u32::from(self.program.ptr_bits), u128::from(n))
    }

    pub(crate) fn null(&mut self) -> Pointer {
        null(&mut self.terms, self.program.ptr_bits)
    }

    pub(crate) fn zero(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Ptr => Value::Ptr(self.null()),
            _ => Value::Bits(self.terms.constant(width_of(ty), 0)),
        }
    }

    /// The path cannot be followed, for a reason of ours. Soundness: that counts wherever it
    /// happens, also in visits of loops that are only assumed, because another visit of the same
    /// place may be followed.
    pub(crate) fn give_up(&mut self, guard: &Guard, why: &str) {
        let term = guard.term(&mut self.terms);
        if self.terms.as_const(term) != Some(0) {
            self.facts.given_up.push((why.into(), term));
        }
    }

    /// An execution of the program comes to something without a meaning. Where that is assumed not
    /// to have happened, it is not looked at.
    pub(crate) fn has_no_meaning(&mut self, guard: &Guard, why: &str) {
        if self.stance == Stance::Ask {
            self.give_up(guard, why);
        }
    }

    pub(crate) fn register(&mut self, state: &State, var: VarId) -> Value {
        if self.program.vars[var].owner.is_none() {
            return match &state.globals[var.index()] {
                Some(value) => value.clone(),
                None => self.zero(self.program.vars[var].ty),
            };
        }
        let slot = self.code.slots[var];
        match state.locals.get(slot) {
            Some(Some(value)) => value.clone(),
            _ => self.initial(slot),
        }
    }

    /// The value a register of the running call has before its first assignment.
    pub(crate) fn initial(&mut self, slot: usize) -> Value {
        let (program, ptr_bits) = (self.program, self.program.ptr_bits);
        let Some(frame) = self.frames.last_mut() else {
            unreachable!("constants mention no local register");
        };
        initial_of(&mut self.terms, program, &self.code.registers, frame, slot, ptr_bits)
    }

    pub(crate) fn object(&mut self, state: &State, object: ObjId) -> Pointer {
        if let Some(&instance) = self.statics.get(&object) {
            let zero = self.bytes(0);
            return pointer(&mut self.terms, Base::Instance(instance), zero);
        }
        match state.objects.get(&object) {
            Some(it) => it.clone(),
            None => self.null(),
        }
    }

    pub(crate) fn create(
        &mut self,
        state: &mut State,
        object: ObjId,
        size: TermId,
        content: Content,
    ) -> u32 {
        let is_written = content == Content::Zero;
        let id = self.create_instance(state, object, size, content, Role::Object { shadow: None });
        if self.has_shadows {
            let shadow = self.create_instance(state, object, size, Content::Zero, Role::Shadow);
            self.instances[id as usize].role = Role::Object { shadow: Some(shadow) };
            if is_written {
                self.set_written(state, shadow);
            }
        }
        id
    }

    fn create_instance(
        &mut self,
        state: &mut State,
        object: ObjId,
        size: TermId,
        content: Content,
        role: Role,
    ) -> u32 {
        let info = &self.program.objects[object];
        let known = self.terms.as_const(size).map(|it| it as u64).or(match info.shape {
            Shape::Array { stride, len, .. } => stride.checked_mul(len),
            _ => None,
        });
        let extent = known.unwrap_or(UNKNOWN_EXTENT);
        let mut layout = Layout::new(extent, content);
        layout.cut_by_shape(&mut self.terms, &info.shape, 0, self.program.ptr_bits);
        let id = self.instances.len();
        let made = state.guard.term(&mut self.terms);
        self.instances.push(Instance {
            object,
            size,
            is_heap: matches!(info.kind, ObjKind::Heap(_)) && role != Role::Shadow,
            is_const: info.is_const,
            made,
            role,
        });
        let alive = self.terms.bool(true);
        state.memory.resize(id, None);
        state.memory.push(Some(Slot { layout: Rc::new(layout), alive }));
        id as u32
    }

    /// Ends the life of what a pointer points to.
    pub(crate) fn kill(&mut self, state: &mut State, ptr: &Pointer) {
        self.passed.clear();
        for case in ptr.iter() {
            let Base::Instance(id) = case.base else { continue };
            if let Some(Some(slot)) = state.memory.get_mut(id as usize) {
                let other = self.terms.not(case.cond);
                slot.alive = self.terms.and(slot.alive, other);
            }
        }
    }

    /// The size of the live instance a pointer points into, 0 if there is none.
    pub(crate) fn size_pointed_into(&mut self, state: &State, ptr: &Pointer) -> TermId {
        let mut size = self.bytes(0);
        for case in ptr.iter() {
            let here = match case.base {
                Base::Instance(id) => {
                    let (alive, all) = (self.alive(state, id), self.instances[id as usize].size);
                    let none = self.bytes(0);
                    self.terms.ite(alive, all, none)
                }
                // Soundness: what is not known has any size.
                Base::Wild => self.terms.var("any", u32::from(self.program.ptr_bits)),
                Base::None | Base::Func(_) => continue,
            };
            size = self.terms.ite(case.cond, here, size);
        }
        size
    }

    pub(crate) fn unknown(&mut self, ty: Ty) -> Value {
        unknown_of(&mut self.terms, ty, self.program.ptr_bits)
    }
}

fn unknown_of(terms: &mut Terms, ty: Ty, ptr_bits: u8) -> Value {
    match ty {
        Ty::Ptr => {
            let offset = terms.var("wild", u32::from(ptr_bits));
            Value::Ptr(pointer(terms, Base::Wild, offset))
        }
        Ty::Float(FloatTy::F32) => {
            let bits = terms.var("any", 32);
            Value::Bits(float::convert(terms, SINGLE, DOUBLE, bits))
        }
        _ => Value::Bits(terms.var("any", width_of(ty))),
    }
}

/// The slot after the registers is that of the result.
pub(crate) fn initial_of(
    terms: &mut Terms,
    program: &Program,
    registers: &IndexVec<FuncId, Vec<VarId>>,
    frame: &mut Frame,
    slot: usize,
    ptr_bits: u8,
) -> Value {
    let ty = match registers[frame.func].get(slot) {
        Some(&var) => program.vars[var].ty,
        None => program.funcs[frame.func].result.unwrap_or(Ty::BOOL),
    };
    frame.initial.entry(slot).or_insert_with(|| unknown_of(terms, ty, ptr_bits)).clone()
}
