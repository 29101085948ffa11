//! Reading and writing memory, case by case of the pointer.

use std::rc::Rc;

use hardbop_base::fault::{Fault, is_on};
use hardbop_cir::{FloatTy, Ty};
use hardbop_smt::{BinaryOp, Term, TermId};

use crate::executor::{Executor, Knowledge};
use crate::going_on::Said;
use crate::layout::{Cell, Content, Each, Kind, Layout, choose_content, choose_layout, kind_of};
use crate::state::State;
use crate::value::{Base, Pointer, Value, choose};

/// Positions an access at an unknown place may choose from.
pub(crate) const MAX_CHOICES: usize = 4096;

/// One instance an access may go to.
pub(crate) struct Target {
    pub cond: TermId,
    pub instance: u32,
    pub offset: TermId,
}

/// The instances an access may go to.
pub(crate) struct Targets {
    pub known: Vec<Target>,
    /// The condition that it goes to a place that is not known; `None` if it does not.
    pub elsewhere: Option<TermId>,
}

/// What an access at an unknown place may hit.
struct Choices {
    /// The places of cells.
    hits: Vec<u64>,
    /// What all other places hold.
    each: Option<Rc<Each>>,
    /// Whether cells of other sizes lie there, too, as in an array of unions.
    is_mixed: bool,
}

/// Places among cells of several sizes an access may choose from.
const MAX_MIXED: u64 = 64;

impl Executor<'_> {
    /// `size` bytes from `offset` on lie inside the instance.
    pub(crate) fn inside(&mut self, instance: u32, offset: TermId, size: TermId) -> TermId {
        let whole = self.instances[instance as usize].size;
        let fits = self.terms.ule(size, whole);
        let last = self.terms.sub(whole, size);
        let below = self.terms.ule(offset, last);
        self.terms.and(fits, below)
    }

    pub(crate) fn alive(&mut self, state: &State, instance: u32) -> TermId {
        match state.memory.get(instance as usize).and_then(Option::as_ref) {
            Some(slot) => slot.alive,
            None => self.terms.bool(false),
        }
    }

    /// Where an access can go. The state goes on where the access is valid. Where it is not, or may
    /// be without our knowing, the path is given up, not dropped: where a check came before, no path
    /// is left to give up; where none did, what follows is anything.
    pub(crate) fn targets(&mut self, state: &mut State, ptr: &Pointer, size: TermId) -> Targets {
        let needed = [Said::NotNull, Said::Alive, Said::Inside(size)];
        let elsewhere = self.end_unchecked(state, ptr, &needed);
        let mut targets = Vec::new();
        let mut valid: Vec<TermId> = elsewhere.into_iter().collect();
        for case in ptr.iter() {
            match case.base {
                Base::Instance(instance) => {
                    let (alive, inside) =
                        (self.alive(state, instance), self.inside(instance, case.offset, size));
                    let here = self.terms.and_all(&[case.cond, alive, inside]);
                    if self.terms.as_const(here) != Some(0) {
                        valid.push(here);
                        targets.push(Target { cond: case.cond, instance, offset: case.offset });
                    }
                }
                Base::Wild | Base::None | Base::Func(_) => {}
            }
        }
        let valid = self.terms.or_all(&valid);
        let invalid = self.terms.not(valid);
        let mut guard = state.guard.clone();
        guard.add(&mut self.terms, invalid);
        self.has_no_meaning(&guard, "an access may be invalid, which was not asked for");
        state.guard.add(&mut self.terms, valid);
        // Soundness: a path that goes on has come to one of them.
        if let ([only], None) = (&mut targets[..], elsewhere) {
            only.cond = self.terms.bool(true);
        }
        Targets { known: targets, elsewhere }
    }

    /// Gives up the paths on which nothing is known of where the pointer points.
    pub(crate) fn end_wild(&mut self, state: &mut State, ptr: &Pointer) {
        for case in ptr.iter().filter(|it| it.base == Base::Wild) {
            let mut guard = state.guard.clone();
            guard.add(&mut self.terms, case.cond);
            self.give_up(&guard, "a pointer whose value is not known is used");
            let elsewhere = self.terms.not(case.cond);
            state.guard.add(&mut self.terms, elsewhere);
        }
    }

    pub(crate) fn load(&mut self, state: &mut State, ptr: &Pointer, ty: Ty) -> Value {
        let bytes = ty.bytes(self.program.ptr_bits);
        let size = self.bytes(bytes);
        let targets = self.targets(state, ptr, size);
        let mut result: Option<Content> = targets.elsewhere.map(|_| Content::Raw);
        for target in targets.known {
            let content = self.read_at(state, &target, bytes, kind_of(ty));
            result = Some(match result {
                None => content,
                Some(before) => {
                    let cell = Cell { size: bytes, content };
                    choose_content(
                        &mut self.terms,
                        target.cond,
                        &cell,
                        &before,
                        self.program.ptr_bits,
                    )
                }
            });
        }
        let content = result.unwrap_or(Content::Zero);
        let content = content.as_kind(&mut self.terms, bytes, kind_of(ty), self.program.ptr_bits);
        self.value_of(state, content, ty)
    }

    pub(crate) fn store(&mut self, state: &mut State, ptr: &Pointer, value: &Value, ty: Ty) {
        let bytes = ty.bytes(self.program.ptr_bits);
        let size = self.bytes(bytes);
        let content = self.content_of(value, ty, bytes);
        let Targets { known, elsewhere } = self.targets(state, ptr, size);
        let shadows = self.shadows(&known);
        let written = Content::Bits(self.all_set(bytes));
        for (targets, content) in [(known, content), (shadows, written)] {
            for target in targets {
                let cell = Cell { size: bytes, content: content.clone() };
                self.update(state, &target, |executor, state, target| {
                    executor.write_at(state, target, cell);
                });
            }
        }
        if let Some(cond) = elsewhere {
            self.write_anywhere(state, cond);
        }
    }

    /// Changes an instance where the target's condition holds.
    pub(crate) fn update(
        &mut self,
        state: &mut State,
        target: &Target,
        change: impl FnOnce(&mut Self, &mut State, &Target),
    ) {
        let before = self.layout(state, target.instance).clone();
        let is_certain = self.terms.as_const(target.cond) == Some(1);
        if is_certain {
            drop(before);
            return change(self, state, target);
        }
        change(self, state, target);
        let after = self.layout(state, target.instance).clone();
        let merged =
            choose_layout(&mut self.terms, target.cond, &after, &before, self.program.ptr_bits);
        *self.layout(state, target.instance) = merged;
    }

    pub(crate) fn layout<'s>(&self, state: &'s mut State, instance: u32) -> &'s mut Rc<Layout> {
        match &mut state.memory[instance as usize] {
            Some(slot) => &mut slot.layout,
            None => unreachable!("a target is alive somewhere, so it was made"),
        }
    }

    pub(crate) fn read_at(
        &mut self,
        state: &mut State,
        target: &Target,
        size: u64,
        kind: Kind,
    ) -> Content {
        let (is_cell, content) = self.read_cells(state, target, size, kind);
        if kind != Kind::Bits || (is_cell && self.layout(state, target.instance).notes.is_empty()) {
            return content;
        }
        let content = content.as_kind(&mut self.terms, size, kind, self.program.ptr_bits);
        let content = content.as_number(&mut self.terms, size);
        let Content::Bits(otherwise) = content else { return content };
        let layout = Rc::make_mut(self.layout(state, target.instance));
        let bits = layout.notes.read(&mut self.terms, target.offset, size, otherwise);
        if !is_cell {
            layout.notes.add(&mut self.terms, target.offset, size, bits);
        }
        Content::Bits(bits)
    }

    /// What the cells hold, and whether there are any of that size: if not, it may be anything.
    fn read_cells(
        &mut self,
        state: &mut State,
        target: &Target,
        size: u64,
        kind: Kind,
    ) -> (bool, Content) {
        let ptr_bits = self.program.ptr_bits;
        if let Some(at) = self.terms.as_const(target.offset) {
            self.expose_read(state, target.instance, at as u64, size);
            let layout = Rc::make_mut(self.layout(state, target.instance));
            return (true, layout.read(&mut self.terms, at as u64, size, kind, ptr_bits));
        }
        let Some(choices) = self.choices(state, target, size, kind) else {
            return (false, Content::Raw);
        };
        let mut result: Option<Content> = None;
        if let Some(each) = choices.each {
            result = Some(Content::Ptr(each.at(&mut self.terms, target.offset)));
        }
        for at in choices.hits {
            let position = self.bytes(at);
            let here = self.terms.eq(target.offset, position);
            let layout = self.layout(state, target.instance);
            let content = match choices.is_mixed {
                // What is read as something else stays whole: it may be another one that is read.
                true => Layout::clone(layout).read(&mut self.terms, at, size, kind, ptr_bits),
                false => Rc::make_mut(layout).read(&mut self.terms, at, size, kind, ptr_bits),
            };
            result = Some(match result {
                None => content,
                Some(before) if is_on(Fault::LoadFirst) => before,
                Some(before) => {
                    let cell = Cell { size, content };
                    choose_content(&mut self.terms, here, &cell, &before, ptr_bits)
                }
            });
        }
        (true, result.unwrap_or(Content::Raw))
    }

    fn write_at(&mut self, state: &mut State, target: &Target, cell: Cell) {
        let ptr_bits = self.program.ptr_bits;
        if let Some(at) = self.terms.as_const(target.offset) {
            self.expose_cut(state, target.instance, at as u64, cell.size);
            let layout = Rc::make_mut(self.layout(state, target.instance));
            return layout.write(&mut self.terms, at as u64, cell);
        }
        if is_on(Fault::StoreLost) {
            return;
        }
        let kind = if matches!(cell.content, Content::Ptr(_)) { Kind::Ptr } else { Kind::Bits };
        let mut notes =
            std::mem::take(&mut Rc::make_mut(self.layout(state, target.instance)).notes);
        let Some(choices) = self.choices(state, target, cell.size, kind) else {
            self.forget_instance(state, target.instance);
            notes.overwrite(&mut self.terms, target.offset, cell.size);
            if let Content::Bits(bits) = cell.content {
                notes.add(&mut self.terms, target.offset, cell.size, bits);
            }
            Rc::make_mut(self.layout(state, target.instance)).notes = notes;
            return;
        };
        if let Some(each) = choices.each {
            let Content::Ptr(pointer) = &cell.content else {
                return self.forget_instance(state, target.instance);
            };
            let mut changed = Each::clone(&each);
            changed.but.push((target.offset, pointer.clone()));
            Rc::make_mut(self.layout(state, target.instance)).set_each(&Rc::new(changed));
        }
        for at in choices.hits {
            let position = self.bytes(at);
            let here = self.terms.eq(target.offset, position);
            if choices.is_mixed {
                let before = self.layout(state, target.instance).clone();
                let mut after = Layout::clone(&before);
                after.write(&mut self.terms, at, cell.clone());
                let both = choose_layout(&mut self.terms, here, &Rc::new(after), &before, ptr_bits);
                *self.layout(state, target.instance) = both;
                continue;
            }
            let layout = Rc::make_mut(self.layout(state, target.instance));
            let before = layout.read(&mut self.terms, at, cell.size, kind, ptr_bits);
            let content = choose_content(&mut self.terms, here, &cell, &before, ptr_bits);
            layout.write(&mut self.terms, at, Cell { size: cell.size, content });
        }
    }

    /// The places of cells an access at an unknown offset may hit. Paths where it hits none of
    /// them whole are given up. `None` if there are too many: then what is read is any value, and
    /// what is written to may hold anything afterwards.
    fn choices(
        &mut self,
        state: &mut State,
        target: &Target,
        size: u64,
        kind: Kind,
    ) -> Option<Choices> {
        if kind == Kind::Bits && self.has_notes(state, target.instance, size) {
            return None;
        }
        if let Some(choices) = self.few_choices(state, target, size, kind) {
            return Some(choices);
        }
        let layout = Rc::make_mut(self.layout(state, target.instance));
        let each = layout.each();
        if each.is_some() && size != u64::from(self.program.ptr_bits / 8) {
            return None;
        }
        let large: Vec<(u64, u64)> = layout
            .cells
            .iter()
            .filter(|(_, cell)| matches!(cell.content, Content::Raw | Content::Zero))
            .filter(|(_, cell)| cell.size > size)
            .map(|(&at, cell)| (at, cell.size))
            .collect();
        let n_made: u64 = large.iter().map(|it| it.1 / size).sum();
        if n_made > MAX_CHOICES as u64 {
            return None;
        }
        for (at, length) in large {
            (1..=length / size).for_each(|i| layout.cut(&mut self.terms, at + i * size));
        }
        let hits: Vec<u64> = layout
            .cells
            .iter()
            .filter(|(_, cell)| cell.size == size && !matches!(cell.content, Content::Each(_)))
            .filter(|(_, cell)| {
                kind == Kind::Bits
                    || !matches!(cell.content, Content::Bits(_))
                    || size == u64::from(self.program.ptr_bits / 8)
            })
            .map(|(&at, _)| at)
            .collect();
        if hits.len() > MAX_CHOICES {
            return None;
        }
        let is_each = |cell: &&Cell| matches!(cell.content, Content::Each(_));
        let n_each = layout.cells.values().filter(is_each).count();
        let is_even = hits.len() + n_each == layout.cells.len() && size.is_power_of_two();
        let is_aligned = size == 1 || {
            let low = self.terms.extract(target.offset, size.ilog2().max(1) - 1, 0);
            self.terms.as_const(low) == Some(0)
        };
        if !(is_even && is_aligned) && each.is_some() {
            return None;
        }
        if !(is_even && is_aligned) {
            let end = layout.end();
            if let Some(places) = self.elements(target.offset, size, end)
                && !places.iter().all(|it| hits.contains(it))
            {
                self.end_elsewhere(state, target, &places);
                return Some(Choices { hits: places, each, is_mixed: true });
            }
            self.end_elsewhere(state, target, &hits);
        }
        Some(Choices { hits, each, is_mixed: false })
    }

    /// The choices of an access that has few places.
    fn few_choices(
        &mut self,
        state: &mut State,
        target: &Target,
        size: u64,
        kind: Kind,
    ) -> Option<Choices> {
        let hits = self.few_places(target, size)?;
        let layout = Rc::make_mut(self.layout(state, target.instance));
        if layout.each().is_some() {
            return None;
        }
        layout.cut_untouched(&mut self.terms, &hits, size);
        let is_whole = |at: &u64| {
            layout.cells.get(at).is_some_and(|cell| {
                let is_kind = kind == Kind::Bits || !matches!(cell.content, Content::Bits(_));
                let is_pointer_size = size == u64::from(self.program.ptr_bits / 8);
                cell.size == size && (is_kind || is_pointer_size)
            })
        };
        let is_mixed = !hits.iter().all(is_whole);
        Some(Choices { hits, each: None, is_mixed })
    }

    /// The places of an access that has few, by the form of its offset: those inside of the instance.
    fn few_places(&mut self, target: &Target, size: u64) -> Option<Vec<u64>> {
        let places = self.few_values.of(&self.terms, target.offset)?;
        let end = self.terms.as_const(self.instances[target.instance as usize].size)?;
        let is_inside = |at: &&u128| at.checked_add(size.into()).is_some_and(|it| it <= end);
        Some(places.iter().filter(is_inside).map(|&at| at as u64).collect())
    }

    /// Whether places that are not known are noted, not chosen from: in memory without a bound, and in arrays that are not
    /// short where the executor was told so.
    pub(crate) fn has_notes(&self, state: &mut State, instance: u32, size: u64) -> bool {
        let layout = self.layout(state, instance);
        let mut n = 0u64;
        for cell in layout.cells.values() {
            n += match cell.content {
                Content::Raw | Content::Zero => cell.size / size,
                Content::Bits(_) if cell.size == size => 1,
                _ => return false,
            };
        }
        n > self.max_choices
    }

    /// The same place in each element of an array, as far as the offset tells: `None` if these are many, or
    /// accesses to two of them could overlap.
    fn elements(&mut self, offset: TermId, size: u64, end: u64) -> Option<Vec<u64>> {
        let (first, stride) = self.progression(offset);
        let first = first % stride;
        if stride < size || end.saturating_sub(first) / stride > MAX_MIXED {
            return None;
        }
        let places = (0..).map(|i| first + i * stride);
        Some(places.take_while(|at| at + size <= end).collect())
    }

    /// Gives up the paths on which the target lies at none of these places.
    fn end_elsewhere(&mut self, state: &mut State, target: &Target, places: &[u64]) {
        let mut any = Vec::new();
        for &at in places {
            let position = self.bytes(at);
            any.push(self.terms.eq(target.offset, position));
        }
        let any = self.terms.or_all(&any);
        let none = self.terms.not(any);
        let mut guard = state.guard.clone();
        guard.add(&mut self.terms, target.cond);
        guard.add(&mut self.terms, none);
        self.give_up(&guard, "an access across the members of an object");
        let allowed = self.terms.implies(target.cond, any);
        state.guard.add(&mut self.terms, allowed);
    }

    /// A first number and a distance: what a term is seen to be, `first` and a multiple of `stride`.
    fn progression(&mut self, offset: TermId) -> (u64, u64) {
        let (first, rest) = match self.terms.node(offset) {
            Term::Binary(BinaryOp::Add, a, b) => {
                match (self.terms.as_const(a), self.terms.as_const(b)) {
                    (Some(first), _) => (first as u64, b),
                    (_, Some(first)) => (first as u64, a),
                    _ => (0, offset),
                }
            }
            _ => (0, offset),
        };
        if let Term::Binary(BinaryOp::Mul, a, b) = self.terms.node(rest)
            && let Some(stride) = self.terms.as_const(a).or(self.terms.as_const(b))
            && (1..=u128::from(u32::MAX)).contains(&stride)
        {
            return (first, stride as u64);
        }
        let zeros = (1..=6u32).take_while(|&n| {
            let low = self.terms.extract(rest, n - 1, 0);
            self.terms.as_const(low) == Some(0)
        });
        (first, 1 << zeros.last().unwrap_or(0))
    }

    /// The places where so many bytes are whole cells and the target may lie: an element of an array, of which
    /// the index is not known. Paths where it lies elsewhere are given up. `None` if there are too many.
    pub(crate) fn whole_places(
        &mut self,
        state: &mut State,
        target: &Target,
        size: u64,
    ) -> Option<Vec<u64>> {
        if let Some(places) = self.few_places(target, size) {
            let layout = Rc::make_mut(self.layout(state, target.instance));
            layout.cut_untouched(&mut self.terms, &places, size);
            let end = layout.end();
            let is_border = |at: u64| at == end || layout.cells.contains_key(&at);
            if places.iter().all(|&at| is_border(at) && is_border(at + size)) {
                return Some(places);
            }
        }
        let (first, stride) = self.progression(target.offset);
        let layout = Rc::make_mut(self.layout(state, target.instance));
        let large: Vec<(u64, u64)> = layout
            .cells
            .iter()
            .filter(|(_, cell)| matches!(cell.content, Content::Raw | Content::Zero))
            .filter(|(_, cell)| cell.size > size)
            .map(|(&at, cell)| (at, cell.size))
            .collect();
        if large.iter().map(|it| it.1 / size).sum::<u64>() > MAX_CHOICES as u64 {
            return None;
        }
        for (at, length) in large {
            (1..=length / size).for_each(|i| layout.cut(&mut self.terms, at + i * size));
        }
        let end = layout.cells.last_key_value().map_or(0, |(at, cell)| at + cell.size);
        let is_border = |at: u64| at == end || layout.cells.contains_key(&at);
        let starts = layout.cells.keys().copied().filter(|at| at % stride == first % stride);
        let places: Vec<u64> = starts.filter(|at| is_border(at + size)).collect();
        if places.len() * layout.cells.len().max(1) > MAX_CHOICES * 16 || places.len() > MAX_CHOICES
        {
            return None;
        }
        self.end_elsewhere(state, target, &places);
        Some(places)
    }

    /// The contents become arbitrary: more behaviours, not less.
    pub(crate) fn forget_instance(&mut self, state: &mut State, instance: u32) {
        self.knowledge = Knowledge::Partial;
        for id in [Some(instance), self.shadow_of(instance)].into_iter().flatten() {
            let layout = Rc::make_mut(self.layout(state, id));
            layout.forget();
        }
    }

    fn value_of(&mut self, state: &State, content: Content, ty: Ty) -> Value {
        match (content, ty) {
            (Content::Ptr(it), Ty::Ptr) => Value::Ptr(it),
            (Content::Bits(term), Ty::Ptr) => Value::Ptr(self.pointer_at(state, term)),
            (Content::Ptr(it), _) => {
                let address = self.expose(state, &it);
                self.value_of(state, Content::Bits(address), ty)
            }
            (Content::Bits(term), Ty::Int(width)) => {
                Value::Bits(self.terms.truncate(term, u32::from(width)))
            }
            (Content::Bits(term), Ty::Float(FloatTy::F32)) => Value::Bits(self.widen(term)),
            (Content::Bits(term), Ty::Float(_)) => Value::Bits(self.terms.truncate(term, 64)),
            (Content::Either(it), _) => {
                let a = self.value_of(state, Content::Ptr(it.pointer.clone()), ty);
                let b = self.value_of(state, Content::Bits(it.bits), ty);
                choose(&mut self.terms, it.is_pointer, &a, &b)
            }
            (Content::Raw | Content::Zero | Content::Each(_), _) => {
                unreachable!("the content was given a kind")
            }
        }
    }

    fn content_of(&mut self, value: &Value, ty: Ty, bytes: u64) -> Content {
        match value {
            Value::Ptr(it) => Content::Ptr(it.clone()),
            Value::Bits(term) if ty == Ty::Float(FloatTy::F32) => Content::Bits(self.narrow(*term)),
            Value::Bits(term) => Content::Bits(self.terms.zero_extend(*term, 8 * bytes as u32)),
        }
    }
}
