//! Checks in a running machine.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{Go, Machine};
use crate::check::{CheckId, Class, Cond};
use crate::interp::memory::{Base, Fault, Instance, Pointer};
use crate::interp::run::{Ending, EndsAt};
use crate::interp::value::{Env, Value, evaluate};
use crate::program::VarKind;

impl Machine<'_> {
    pub(super) fn freeable(&self, pointer: Pointer) -> bool {
        match pointer.base {
            Base::Instance(id) => {
                let it = &self.memory.instances[id as usize];
                it.is_alive && it.is_heap && pointer.offset == 0
            }
            Base::None => pointer.offset == 0,
            Base::Func(_) => false,
        }
    }

    pub(super) fn check(&mut self, check: CheckId, cond: Cond) -> Go {
        let class = self.program.checks[check].class;
        if !self.is_asked[class as usize] || self.holds(cond) {
            match (cond, class) {
                (Cond::Watched, Class::Deadlock) => self.watched.deadlock = Some(check),
                (Cond::Watched, Class::Race) => self.watched.race = Some(check),
                _ => {}
            }
            return Ok(());
        }
        self.faulty = cond.pointer().and_then(|ptr| match self.pointer(ptr).base {
            Base::Instance(id) => Some(self.memory.instances[id as usize].object),
            Base::None | Base::Func(_) => None,
        });
        self.fails(check)
    }

    /// The check has failed.
    pub(super) fn fails(&mut self, check: CheckId) -> Go {
        let ends = match self.config.ends_at {
            EndsAt::Fatal => false,
            EndsAt::Check(it) => it == check,
            EndsAt::Any => true,
        };
        if ends || self.program.checks[check].is_fatal() {
            return Err(Ending::Violation(check));
        }
        if self.seen.insert(check) {
            self.violations.push(check);
        }
        Ok(())
    }

    pub(super) fn holds(&self, cond: Cond) -> bool {
        let fault = |ptr, size| self.memory.read(self.pointer(ptr), size).err();
        match cond {
            Cond::Holds(e) => evaluate(self, e).int() != 0,
            Cond::NotNull(ptr) => matches!(self.pointer(ptr).base, Base::Instance(_)),
            Cond::Alive(ptr) => fault(ptr, 0) != Some(Fault::Dead),
            Cond::InBounds { ptr, size } => fault(ptr, self.size(size)) != Some(Fault::Outside),
            Cond::Written { ptr, size } => {
                self.memory.is_written(self.pointer(ptr), self.size(size)) != Ok(false)
            }
            Cond::Writable(ptr) => match self.pointer(ptr).base {
                Base::Instance(id) => !self.memory.instances[id as usize].is_const,
                Base::None | Base::Func(_) => true,
            },
            Cond::Freeable(ptr) => self.freeable(self.pointer(ptr)),
            Cond::Apart { a, b, size } => {
                let (a, b, size) = (self.pointer(a), self.pointer(b), self.size(size));
                let mask = crate::eval::mask(self.program.ptr_bits) as u64;
                let is_before =
                    |x: Pointer, y: Pointer| y.offset.wrapping_sub(x.offset) & mask >= size;
                size == 0
                    || a.base != b.base
                    || a.base == Base::None
                    || is_before(a, b) && is_before(b, a)
            }
            Cond::NoLeak => self.no_leak(),
            Cond::Watched => true,
            Cond::Fails => false,
        }
    }

    pub(super) fn no_leak(&self) -> bool {
        self.lost().is_none()
    }

    /// The first instance on the heap that nothing global leads to.
    pub(super) fn lost(&self) -> Option<u32> {
        let of_value = |value: &Value| match value {
            Value::Ptr(Pointer { base: Base::Instance(id), .. }) => Some(*id),
            _ => None,
        };
        let vars = self.program.vars.iter_enumerated();
        let globals = vars.filter(|(_, it)| it.owner.is_none() && it.kind != VarKind::Ghost);
        let globals = globals.filter_map(|(id, _)| of_value(&self.var(id)));
        let of_base = |pointer: &Pointer| of_value(&Value::Ptr(*pointer));
        let own = self.threads.all.iter().flat_map(|it| it.own.iter().map(|it| it.1));
        let statics = self.statics.iter().filter_map(of_base);
        let mut todo: Vec<u32> = globals.chain(statics).chain(own).collect();
        let mut reached = FxHashSet::default();
        while let Some(id) = todo.pop() {
            let instance = &self.memory.instances[id as usize];
            if instance.is_alive && reached.insert(id) {
                todo.extend(instance.pointers.values().filter_map(of_base));
            }
        }
        let mut instances = self.memory.instances.iter().enumerate();
        let is_lost = |(id, it): &(usize, &Rc<Instance>)| {
            it.is_heap && it.is_alive && !reached.contains(&(*id as u32))
        };
        instances.find(is_lost).map(|(id, _)| id as u32)
    }
}
