//! What checks ask of a state.

use hardbop_cir::Cond;
use hardbop_smt::TermId;

use crate::executor::{Executor, Stance};
use crate::state::State;
use crate::value::{Base, Case, Pointer};

impl Executor<'_> {
    /// The condition of a check; `None` if it is not modelled.
    pub(crate) fn cond(&mut self, state: &State, cond: Cond) -> Option<TermId> {
        let all = |it: &mut Self, ptr: &Pointer, of: &mut dyn FnMut(&mut Self, &Case) -> TermId| {
            let mut parts = Vec::new();
            for case in ptr.iter() {
                let holds = of(it, case);
                parts.push(it.terms.implies(case.cond, holds));
            }
            it.terms.and_all(&parts)
        };
        let yes = self.terms.bool(true);
        let no = self.terms.bool(false);
        let zero = self.bytes(0);
        // Soundness: what is not known fails where it is asked, and does not where it is assumed.
        let of_wild = self.terms.bool(self.stance == Stance::Assume);
        Some(match cond {
            Cond::Holds(e) => self.eval_bits(state, e),
            Cond::Fails => no,
            // With one thread nothing that is watched for can happen.
            Cond::Watched => yes,
            Cond::NotNull(ptr) => {
                let ptr = self.eval(state, ptr);
                all(self, ptr.pointer(), &mut |_, case| match case.base {
                    Base::Instance(_) => yes,
                    Base::Wild => of_wild,
                    _ => no,
                })
            }
            Cond::Alive(ptr) => {
                let ptr = self.eval(state, ptr);
                all(self, ptr.pointer(), &mut |it, case| match case.base {
                    Base::Instance(instance) => it.alive(state, instance),
                    Base::Wild => of_wild,
                    _ => yes,
                })
            }
            Cond::InBounds { ptr, size } => {
                let (ptr, size) = (self.eval(state, ptr), self.eval_size(state, size));
                all(self, ptr.pointer(), &mut |it, case| match case.base {
                    Base::Instance(instance) => {
                        let alive = it.alive(state, instance);
                        let inside = it.inside(instance, case.offset, size);
                        // Of the dead it is not asked.
                        it.terms.implies(alive, inside)
                    }
                    Base::Wild => of_wild,
                    _ => yes,
                })
            }
            Cond::Writable(ptr) => {
                let ptr = self.eval(state, ptr);
                all(self, ptr.pointer(), &mut |it, case| match case.base {
                    Base::Instance(id) if it.instances[id as usize].is_const => no,
                    Base::Wild => of_wild,
                    _ => yes,
                })
            }
            Cond::Freeable(ptr) => {
                let ptr = self.eval(state, ptr);
                all(self, ptr.pointer(), &mut |it, case| match case.base {
                    Base::Instance(id) if it.instances[id as usize].is_heap => {
                        let (alive, first) = (it.alive(state, id), it.terms.eq(case.offset, zero));
                        it.terms.and(alive, first)
                    }
                    Base::None => it.terms.eq(case.offset, zero),
                    Base::Wild => of_wild,
                    _ => no,
                })
            }
            Cond::Apart { a, b, size } => {
                let (a, b) = (self.eval(state, a), self.eval(state, b));
                let size = self.eval_size(state, size);
                self.apart(a.pointer(), b.pointer(), size)
            }
            Cond::NoLeak(_) if self.stance == Stance::Assume => yes,
            Cond::NoLeak(holder) => self.no_leak(state, holder)?,
            Cond::Written { ptr, size } => {
                let (ptr, size) = (self.eval(state, ptr), self.eval_size(state, size));
                self.is_written(state, ptr.pointer(), size)?
            }
        })
    }

    /// Whether `size` bytes from each of two pointers on have none in common.
    fn apart(&mut self, a: &Pointer, b: &Pointer, size: TermId) -> TermId {
        let mut parts = vec![self.terms.bool(true)];
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))) {
            let is_wild = x.base == Base::Wild || y.base == Base::Wild;
            if is_wild && self.stance == Stance::Ask {
                let here = self.terms.and(x.cond, y.cond);
                parts.push(self.terms.not(here));
            }
            if x.base != y.base || !matches!(x.base, Base::Instance(_)) {
                continue;
            }
            let (up, down) =
                (self.terms.sub(y.offset, x.offset), self.terms.sub(x.offset, y.offset));
            let (after, before) = (self.terms.ule(size, up), self.terms.ule(size, down));
            let is_empty = self.terms.is_nonzero(size);
            let is_empty = self.terms.not(is_empty);
            let both = self.terms.and(after, before);
            let fine = self.terms.or(both, is_empty);
            let here = self.terms.and(x.cond, y.cond);
            parts.push(self.terms.implies(here, fine));
        }
        self.terms.and_all(&parts)
    }
}
