//! Pointers as numbers: where objects lie, and what a number points to.
//!
//! An object lies anywhere its type and what is alive with it leave it: its address is a variable,
//! aligned, not null, with room up to the end of the address space, apart from others. A number that was made of a
//! pointer in a way that is seen (sums, choices, bytes put together again) is that pointer. Any other
//! number is looked for among the objects whose address has become a number before (the exposed ones, as in
//! Memarian et al., *Exploring C semantics and pointer provenance*, POPL 2019): it points into the one it lies in.

use hardbop_cir::ObjKind;
use hardbop_cir::interp::Placed;
use hardbop_smt::{BinaryOp, Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::executor::{Executor, Knowledge, Role};
use crate::layout::Content;
use crate::state::State;
use crate::value::{Base, Case, Pointer, choose_pointer, pointer};

/// Operations between an address and the number that is used as one.
const MAX_DEPTH: u32 = 8;
/// Instances another one is said to be apart from: saying it of fewer is sound, too.
const MAX_APART: usize = 32;
/// Objects a number is looked for in; with more, where it points is not known.
const MAX_EXPOSED: usize = 32;
/// Nodes of a term that are looked at to see what it depends on.
const MAX_NODES: usize = 2000;
/// No object lies below.
const LEAST: u128 = 0x1000;

/// Where instances and functions are.
#[derive(Default)]
pub(crate) struct Addresses {
    /// A term for the first byte of each of which it was asked.
    start: FxHashMap<Base, TermId>,
    /// The variables in them.
    vars: FxHashSet<TermId>,
    /// Instances that are kept apart while they are alive, in the order this was asked for.
    apart: Vec<u32>,
    /// Instances whose address has become a number.
    exposed: Vec<u32>,
    /// The pointers that numbers were made of.
    pointer_of: FxHashMap<TermId, Pointer>,
}

impl Addresses {
    /// Whether the address of some instance has become a number.
    pub fn has_exposed(&self) -> bool {
        !self.exposed.is_empty()
    }

    /// Forgets the instances from a number on.
    pub fn drop_instances(&mut self, n: usize) {
        let stays = |base: Base| !matches!(base, Base::Instance(id) if id as usize >= n);
        self.start.retain(|&base, _| stays(base));
        self.pointer_of.retain(|_, it| it.iter().all(|case| stays(case.base)));
        self.apart.retain(|&id| (id as usize) < n);
        self.exposed.retain(|&id| (id as usize) < n);
    }
}

impl Executor<'_> {
    /// Where an instance or function begins: not at null, aligned, and it ends before the end of the
    /// address space.
    fn start_address(&mut self, base: Base) -> TermId {
        if let Some(&term) = self.addresses.start.get(&base) {
            return term;
        }
        let width = u32::from(self.program.ptr_bits);
        let align = match base {
            Base::Instance(id) => self.program.objects[self.instances[id as usize].object].align,
            Base::None | Base::Wild | Base::Func(_) => 1,
        };
        let n_zeros = align.ilog2().min(width - 1);
        let var = self.terms.var("address", width - n_zeros);
        self.addresses.vars.insert(var);
        let term = match n_zeros {
            0 => var,
            _ => {
                let zeros = self.terms.constant(n_zeros, 0);
                self.terms.concat(var, zeros)
            }
        };
        if let Base::Instance(id) = base {
            let size = self.instances[id as usize].size;
            let least = self.terms.constant(width, LEAST);
            let above = self.terms.ule(least, term);
            let end = self.terms.add(term, size);
            let no_wrap = self.terms.ule(term, end);
            self.solver.assert(above);
            self.solver.assert(no_wrap);
        } else if base != Base::Wild {
            let set = self.terms.is_nonzero(term);
            self.solver.assert(set);
        }
        self.addresses.start.insert(base, term);
        term
    }

    /// A pointer becomes a number by a cast: what it may point to and the instances of which that was
    /// said before do not overlap where both are alive. An instance stays where it is, so this holds
    /// also later. Soundness: slicing keeps the ends of life that count here, by the same casts. For
    /// those that have no end, see [`Executor::address_of`].
    pub(crate) fn keep_apart(&mut self, state: &State, pointer: &Pointer) {
        for case in pointer.iter() {
            match case.base {
                Base::Instance(id) if !self.is_static(id) => self.keep_instance_apart(state, id),
                _ => {}
            }
        }
    }

    fn is_static(&self, id: u32) -> bool {
        self.program.objects[self.instances[id as usize].object].kind == ObjKind::Global
    }

    fn keep_instance_apart(&mut self, state: &State, id: u32) {
        let guard = state.guard.term(&mut self.terms);
        let alive = self.alive(state, id);
        let (start, end) = self.extent(id);
        for at in (0..self.addresses.apart.len()).rev().take(MAX_APART) {
            let other = self.addresses.apart[at];
            let other_alive = self.alive(state, other);
            let both = self.terms.and_all(&[guard, alive, other_alive]);
            if other == id || self.terms.as_const(both) == Some(0) {
                continue;
            }
            let (other_start, other_end) = self.extent(other);
            let (before, after) =
                (self.terms.ule(end, other_start), self.terms.ule(other_end, start));
            let apart = self.terms.or(before, after);
            let apart = self.terms.implies(both, apart);
            self.solver.assert(apart);
        }
        if !self.addresses.apart.contains(&id) {
            self.addresses.apart.push(id);
        }
    }

    /// First address and the one behind the last, which differ.
    fn extent(&mut self, id: u32) -> (TermId, TermId) {
        let start = self.start_address(Base::Instance(id));
        let (size, one) = (self.instances[id as usize].size, self.bytes(1));
        let has_bytes = self.terms.is_nonzero(size);
        let length = self.terms.ite(has_bytes, size, one);
        (start, self.terms.add(start, length))
    }

    /// The address of a pointer as a number that the program may do anything with.
    pub(crate) fn expose(&mut self, state: &State, pointer: &Pointer) -> TermId {
        let mut result = None;
        for case in pointer.iter() {
            let address = self.address_of(state, case);
            result = Some(match result {
                None => address,
                Some(before) => self.terms.ite(case.cond, address, before),
            });
            if let Base::Instance(id) = case.base
                && !self.addresses.exposed.contains(&id)
            {
                self.addresses.exposed.push(id);
            }
        }
        let result = result.unwrap_or_else(|| self.bytes(0));
        if self.terms.as_const(result).is_none() {
            self.addresses.pointer_of.insert(result, pointer.clone());
        }
        result
    }

    /// The address of one case. Objects that live as long as the program are kept apart, whoever asks;
    /// of others slicing may have taken away the end.
    pub(crate) fn address_of(&mut self, state: &State, case: &Case) -> TermId {
        let start = match case.base {
            Base::None => return case.offset,
            base => self.start_address(base),
        };
        if let Base::Instance(id) = case.base
            && self.is_static(id)
        {
            self.keep_instance_apart(state, id);
        }
        self.terms.add(start, case.offset)
    }

    /// What an operation says of the addresses of two pointers; any value where one is not known, and
    /// where both have the same base nobody asks.
    pub(crate) fn by_address(
        &mut self,
        state: &State,
        a: &Pointer,
        b: &Pointer,
        op: impl Fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> TermId {
        let zero = self.bytes(0);
        let mut result = op(&mut self.terms, zero, zero);
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))) {
            let here = self.terms.and(x.cond, y.cond);
            if x.base == y.base && x.base != Base::Wild || self.terms.as_const(here) == Some(0) {
                continue;
            }
            let value = match x.base == Base::Wild || y.base == Base::Wild {
                true => {
                    let width = self.terms.width(result);
                    self.terms.var("unknown", width)
                }
                false => {
                    let (x, y) = (self.address_of(state, x), self.address_of(state, y));
                    op(&mut self.terms, x, y)
                }
            };
            result = self.terms.ite(here, value, result);
        }
        result
    }

    /// Pointers of which an access reads a part, or more than the whole, become numbers in memory.
    pub(crate) fn expose_read(&mut self, state: &mut State, instance: u32, at: u64, size: u64) {
        self.expose_cells(state, instance, at, size, |start, length| (start, length) != (at, size));
    }

    /// Pointers that the borders of an access cut become numbers in memory.
    pub(crate) fn expose_cut(&mut self, state: &mut State, instance: u32, at: u64, size: u64) {
        self.expose_cells(state, instance, at, size, |start, length| {
            start < at || start + length > at + size
        });
    }

    fn expose_cells(
        &mut self,
        state: &mut State,
        instance: u32,
        at: u64,
        size: u64,
        is_hit: impl Fn(u64, u64) -> bool,
    ) {
        let first = at.saturating_sub(u64::from(self.program.ptr_bits / 8) - 1);
        let layout = self.layout(state, instance).clone();
        for (&start, cell) in layout.cells.range(first..at.saturating_add(size)) {
            let Content::Ptr(pointer) = &cell.content else { continue };
            if start + cell.size <= at || !is_hit(start, cell.size) {
                continue;
            }
            let content = Content::Bits(self.expose(state, pointer));
            let layout = std::rc::Rc::make_mut(self.layout(state, instance));
            if let Some(cell) = layout.cells.get_mut(&start) {
                cell.content = content;
            }
        }
    }

    /// The pointer a number stands for.
    pub(crate) fn pointer_at(&mut self, state: &State, address: TermId) -> Pointer {
        if self.terms.as_const(address).is_some() {
            return pointer(&mut self.terms, Base::None, address);
        }
        match self.known_pointer(address, MAX_DEPTH) {
            Some(known) => known,
            None => self.pointer_into(state, address),
        }
    }

    /// Numbers are added to an address, and chosen between addresses and constants.
    fn known_pointer(&mut self, address: TermId, depth: u32) -> Option<Pointer> {
        if let Some(known) = self.addresses.pointer_of.get(&address) {
            return Some(known.clone());
        }
        let depth = depth.checked_sub(1)?;
        match self.terms.node(address) {
            Term::Const { .. } => Some(pointer(&mut self.terms, Base::None, address)),
            Term::Binary(BinaryOp::Add, a, b) => {
                for (base, by) in [(a, b), (b, a)] {
                    if self.terms.as_const(base).is_none()
                        && let Some(known) = self.known_pointer(base, depth)
                    {
                        return Some(self.advance(&known, by));
                    }
                }
                None
            }
            Term::Ite(cond, a, b) => {
                let (a, b) = (self.known_pointer(a, depth)?, self.known_pointer(b, depth)?);
                Some(choose_pointer(&mut self.terms, cond, &a, &b))
            }
            _ => None,
        }
    }

    /// The exposed object a number lies in: first those alive, then one that it is just behind of or
    /// that is dead. A number in none of them, made of nothing but addresses, is a plain one; any
    /// other may come from where we do not see, and then it is not known where it points.
    fn pointer_into(&mut self, state: &State, number: TermId) -> Pointer {
        let exposed = self.addresses.exposed.clone();
        if exposed.is_empty() || exposed.len() > MAX_EXPOSED {
            return pointer(&mut self.terms, Base::Wild, number);
        }
        let (mut inside, mut near) = (Vec::new(), Vec::new());
        for &id in &exposed {
            let start = self.start_address(Base::Instance(id));
            let (size, alive) = (self.instances[id as usize].size, self.alive(state, id));
            let offset = self.terms.sub(number, start);
            let is_inside = self.terms.ult(offset, size);
            inside.push(self.terms.and(alive, is_inside));
            let (made, is_near) = (self.instances[id as usize].made, self.terms.ule(offset, size));
            near.push((offset, self.terms.and(made, is_near)));
        }
        let any_inside = self.terms.or_all(&inside);
        let mut open = self.terms.not(any_inside);
        let mut free = self.terms.bool(true);
        let mut cases = Vec::new();
        for (at, &id) in exposed.iter().enumerate() {
            let (offset, is_near) = near[at];
            let first = self.terms.and(free, inside[at]);
            let second = self.terms.and(open, is_near);
            let (not_first, not_second) = (self.terms.not(inside[at]), self.terms.not(is_near));
            free = self.terms.and(free, not_first);
            open = self.terms.and(open, not_second);
            let cond = self.terms.or(first, second);
            if self.terms.as_const(cond) != Some(0) {
                cases.push(Case { cond, base: Base::Instance(id), offset });
            }
        }
        let base = match self.knowledge == Knowledge::Whole && self.is_made_of_addresses(number) {
            true => Base::None,
            false => Base::Wild,
        };
        cases.push(Case { cond: open, base, offset: number });
        cases.sort_by_key(|it| it.base);
        cases.into()
    }

    /// Whether no other variable occurs in a number, as far as it is looked at.
    fn is_made_of_addresses(&self, number: TermId) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![number];
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.terms.node(term);
            let is_foreign = matches!(node, Term::Var(_)) && !self.addresses.vars.contains(&term);
            if is_foreign || seen.len() > MAX_NODES {
                return false;
            }
            todo.extend(node.operands());
        }
        true
    }

    /// Where the objects lie of which the last model says so, for the interpreter.
    pub(crate) fn placed_of_model(&self) -> Placed {
        let mut placed = Placed::new();
        if self.addresses.start.is_empty() {
            return placed;
        }
        let mut evaluator = self.solver.evaluator(&self.terms);
        for (id, instance) in self.instances.iter().enumerate() {
            if instance.role == Role::Shadow || evaluator.value(instance.made) != 1 {
                continue;
            }
            let start = self.addresses.start.get(&Base::Instance(id as u32));
            let address = start.map_or(0, |&it| evaluator.value(it));
            let object = self.program.objects[instance.object].copy_of.unwrap_or(instance.object);
            placed.entry(object).or_default().push(address as u64);
        }
        placed.retain(|_, all| all.iter().any(|&it| it != 0));
        placed
    }
}
