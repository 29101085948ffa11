//! Fills and copies: many bytes at once.
//!
//! Where the number of bytes is a constant, cells are moved as they are. Where it is not, each piece that may be
//! within it holds the new content or keeps the old, up to a limit; beyond, what is written to may hold
//! anything. A copy of constant length from or to an unknown place chooses between the places where whole cells
//! lie.

use std::collections::BTreeSet;
use std::rc::Rc;

use hardbop_smt::TermId;

use crate::access::{Target, Targets};
use crate::executor::{Executor, Knowledge};
use crate::layout::{Cell, Content, Each, Kind, Layout, choose_content};
use crate::notes::Notes;
use crate::state::State;
use crate::value::{Base, Pointer};

/// Bytes a fill or copy moves at once.
const MAX_BLOCK: u64 = 1 << 20;
/// Pieces that a fill or copy of unknown length chooses from.
const MAX_PIECES: u64 = 256;

/// Cells by their distance from the first.
type Cells = Vec<(u64, Cell)>;

/// What a copy takes to a place, which may be unknown; `None` if what it takes is.
type Taken = Option<(Option<u64>, Cells, Length)>;

/// How many bytes a fill or copy touches.
#[derive(Clone, Copy)]
enum Length {
    Known(u64),
    /// A multiple of `piece`, at most `most`.
    UpTo {
        size: TermId,
        piece: u64,
        most: u64,
    },
}

impl Length {
    fn is_known(self) -> bool {
        matches!(self, Length::Known(_))
    }

    /// Bytes that may be touched.
    fn most(self) -> u64 {
        match self {
            Length::Known(n) => n,
            Length::UpTo { most, .. } => most,
        }
    }
}

impl Executor<'_> {
    /// The number of bytes, inside of places at known offsets; `None` if it may be too many.
    fn length(&mut self, size: TermId, places: &[&Target]) -> Option<Length> {
        if let Some(n) = self.terms.as_const(size) {
            return (n <= u128::from(MAX_BLOCK)).then_some(Length::Known(n as u64));
        }
        // Where the access is valid it ends inside of each instance.
        let mut most = u64::MAX;
        let mut piece = self.granule(size);
        for place in places {
            let at = self.terms.as_const(place.offset)? as u64;
            let whole = self.terms.as_const(self.instances[place.instance as usize].size)? as u64;
            most = most.min(whole.saturating_sub(at));
            piece = piece.min(1 << at.trailing_zeros().min(3));
        }
        (most / piece <= MAX_PIECES).then_some(Length::UpTo { size, piece, most })
    }

    /// The largest power of two up to 8 that a number is seen to be a multiple of.
    fn granule(&mut self, size: TermId) -> u64 {
        let bits = (1..=3u32).take_while(|&n| {
            let low = self.terms.extract(size, n - 1, 0);
            self.terms.as_const(low) == Some(0)
        });
        1 << bits.last().unwrap_or(0)
    }

    pub(crate) fn fill(&mut self, state: &mut State, ptr: &Pointer, byte: TermId, size: TermId) {
        if self.terms.as_const(size) == Some(0) {
            return;
        }
        let Targets { known, elsewhere } = self.targets(state, ptr, size);
        let shadows = self.shadows(&known);
        self.fill_targets(state, known, byte, size);
        let written = self.all_set(1);
        self.fill_targets(state, shadows, written, size);
        if let Some(cond) = elsewhere {
            self.write_anywhere(state, cond);
        }
    }

    fn fill_targets(
        &mut self,
        state: &mut State,
        targets: Vec<Target>,
        byte: TermId,
        size: TermId,
    ) {
        let content = match self.terms.as_const(byte) {
            Some(0) => Content::Zero,
            _ => Content::Bits(byte),
        };
        for target in targets {
            let at = self.terms.as_const(target.offset).map(|it| it as u64);
            let Some((at, length)) = at.zip(self.length(size, &[&target])) else {
                self.update(state, &target, |executor, state, target| {
                    executor.fill_somewhere(state, target, &content, size);
                });
                continue;
            };
            let content = content.clone();
            self.update(state, &target, |executor, state, target| match (length, content) {
                // The cells stay, for those who look for them at unknown places.
                (Length::Known(length), Content::Zero) => {
                    executor.expose_cut(state, target.instance, at, length);
                    let layout = Rc::make_mut(executor.layout(state, target.instance));
                    for (at, cell) in layout.range(&mut executor.terms, at, length) {
                        layout.cells.insert(at, Cell { content: Content::Zero, ..cell });
                    }
                    layout.notes.overwrite_at(&mut executor.terms, at, length);
                }
                (length, content) => {
                    let piece = match (length, &content) {
                        (Length::UpTo { piece, .. }, Content::Zero) => piece,
                        _ => 1,
                    };
                    let cell = Cell { size: piece, content };
                    let cells = (0..length.most() / piece).map(|i| (i * piece, cell.clone()));
                    executor.put(state, target.instance, at, &cells.collect::<Cells>(), length);
                }
            });
        }
    }

    /// All of an instance gets one pointer again and again; a part of one is forgotten.
    pub(crate) fn repeat(
        &mut self,
        state: &mut State,
        ptr: &Pointer,
        value: &Pointer,
        size: TermId,
    ) {
        let each = Rc::new(Each { all: value.clone(), but: Vec::new() });
        let Targets { known, elsewhere } = self.targets(state, ptr, size);
        for target in known {
            let is_all = self.terms.as_const(target.offset) == Some(0)
                && self.instances[target.instance as usize].size == size;
            self.update(state, &target, |executor, state, target| match is_all {
                true => {
                    let layout = Rc::make_mut(executor.layout(state, target.instance));
                    let end = layout.end();
                    *layout = Layout::new(end, Content::Each(each.clone()));
                }
                false => executor.forget_instance(state, target.instance),
            });
            for shadow in self.shadows(&[target]) {
                self.update(state, &shadow, |executor, state, shadow| {
                    executor.set_written(state, shadow.instance);
                });
            }
        }
        if let Some(cond) = elsewhere {
            self.write_anywhere(state, cond);
        }
    }

    pub(crate) fn copy(&mut self, state: &mut State, dst: &Pointer, src: &Pointer, size: TermId) {
        if self.terms.as_const(size) == Some(0) {
            return;
        }
        let sources = self.targets(state, src, size);
        let targets = self.targets(state, dst, size);
        let (written, writable) = (self.shadows(&sources.known), self.shadows(&targets.known));
        self.copy_targets(state, &targets.known, &sources.known, size);
        self.copy_targets(state, &writable, &written, size);
        if let Some(from) = sources.elsewhere {
            for target in &targets.known {
                let cond = self.terms.and(from, target.cond);
                let target = Target { cond, ..*target };
                self.update(state, &target, |executor, state, target| {
                    executor.forget_instance(state, target.instance);
                });
            }
        }
        if let Some(cond) = targets.elsewhere {
            self.write_anywhere(state, cond);
        }
    }

    fn copy_targets(
        &mut self,
        state: &mut State,
        targets: &[Target],
        sources: &[Target],
        size: TermId,
    ) {
        // Soundness: everything is read before anything is written.
        let mut moves: Vec<(Target, Taken, Notes)> = Vec::new();
        for source in sources {
            for target in targets {
                let cond = self.terms.and(source.cond, target.cond);
                let from = self.terms.as_const(source.offset).map(|it| it as u64);
                let to = self.terms.as_const(target.offset).map(|it| it as u64);
                let mut length = self.length(size, &[source, target]);
                let is_noted = !self.has_shadows
                    && [source, target].iter().any(|it| self.has_notes(state, it.instance, 1));
                if is_noted && matches!(length, Some(Length::UpTo { .. })) {
                    length = None;
                }
                let known = match (from, length) {
                    (Some(from), Some(length)) if to.is_some() || length.is_known() => {
                        Some((to, self.take(state, source.instance, from, length), length))
                    }
                    (None, Some(length @ Length::Known(n))) => {
                        let source = Target { cond, ..*source };
                        self.take_somewhere(state, &source, n).map(|cells| (to, cells, length))
                    }
                    _ => None,
                };
                let notes = self.layout(state, source.instance).notes.clone();
                let notes = notes.moved(&mut self.terms, source.offset, target.offset, size);
                moves.push((Target { cond, ..*target }, known, notes));
            }
        }
        for (target, known, moved) in moves {
            self.update(state, &target, |executor, state, target| match known {
                Some((Some(at), cells, length)) => {
                    executor.put(state, target.instance, at, &cells, length);
                }
                Some((None, cells, length)) => {
                    executor.put_somewhere(state, target, &cells, length.most());
                }
                None => {
                    let layout = Rc::make_mut(executor.layout(state, target.instance));
                    let mut notes = std::mem::take(&mut layout.notes);
                    notes.overwrite_range(&mut executor.terms, target.offset, size);
                    notes.join(moved);
                    executor.forget_instance(state, target.instance);
                    Rc::make_mut(executor.layout(state, target.instance)).notes = notes;
                }
            });
        }
    }

    /// What a copy takes with it, by the distance from the first byte.
    fn take(&mut self, state: &mut State, instance: u32, at: u64, length: Length) -> Cells {
        let ptr_bits = self.program.ptr_bits;
        match length {
            Length::Known(length) => {
                self.expose_cut(state, instance, at, length);
                let layout = Rc::make_mut(self.layout(state, instance));
                let cells = layout.range(&mut self.terms, at, length);
                cells.into_iter().map(|(it, cell)| (it - at, cell)).collect()
            }
            Length::UpTo { piece, most, .. } => {
                let mut cells = Cells::new();
                for i in 0..most / piece {
                    let from = at + i * piece;
                    self.expose_read(state, instance, from, piece);
                    let layout = Rc::make_mut(self.layout(state, instance));
                    let content = layout.read(&mut self.terms, from, piece, Kind::Bits, ptr_bits);
                    cells.push((i * piece, Cell { size: piece, content }));
                }
                cells
            }
        }
    }

    /// What a copy takes from an unknown place: each cell is one of those at the places it may be.
    fn take_somewhere(&mut self, state: &mut State, source: &Target, size: u64) -> Option<Cells> {
        let ptr_bits = self.program.ptr_bits;
        let places = self.whole_places(state, source, size)?;
        let layout = self.layout(state, source.instance);
        let cells_at = |at: u64| layout.cells.range(at..at + size).map(move |it| (it.0 - at, it.1));
        // Members of a union may have been cut in one place and not in another. A pointer in one place stays whole: what
        // lies there in another is put together.
        let cells: Vec<(u64, &Cell)> = places.iter().flat_map(|&at| cells_at(at)).collect();
        let is_kept = |it: &Content| matches!(it, Content::Ptr(_) | Content::Either(_));
        let cuts_pointer = |border: u64| {
            let mut kept = cells.iter().filter(|it| is_kept(&it.1.content));
            kept.any(|(at, cell)| *at < border && border < at + cell.size)
        };
        let borders: BTreeSet<u64> =
            cells.iter().map(|it| it.0).filter(|&it| !cuts_pointer(it)).collect();
        let mut chosen = Cells::new();
        for (i, &offset) in borders.iter().enumerate() {
            let length = borders.iter().nth(i + 1).unwrap_or(&size) - offset;
            let mut cell: Option<Cell> = None;
            for &at in &places {
                self.expose_read(state, source.instance, at + offset, length);
                let position = self.bytes(at);
                let here = self.terms.eq(source.offset, position);
                let layout = Rc::make_mut(self.layout(state, source.instance));
                let content = match layout.cells.get(&(at + offset)) {
                    Some(it) if it.size == length => it.content.clone(),
                    _ => layout.read(&mut self.terms, at + offset, length, Kind::Bits, ptr_bits),
                };
                let it = Cell { size: length, content };
                cell = Some(match cell {
                    None => it,
                    Some(before) => Cell {
                        content: choose_content(
                            &mut self.terms,
                            here,
                            &it,
                            &before.content,
                            ptr_bits,
                        ),
                        ..it
                    },
                });
            }
            chosen.extend(cell.map(|it| (offset, it)));
        }
        Some(chosen)
    }

    /// Writes cells at an unknown place: at each that it may be, if it is that one.
    fn put_somewhere(&mut self, state: &mut State, target: &Target, cells: &Cells, size: u64) {
        let Some(places) = self.whole_places(state, target, size) else {
            return self.forget_instance(state, target.instance);
        };
        for at in places {
            let position = self.bytes(at);
            let here = self.terms.eq(target.offset, position);
            self.expose_cut(state, target.instance, at, size);
            for (offset, cell) in cells {
                self.put_where(here, state, target.instance, at + offset, cell.clone());
            }
        }
    }

    /// Writes cells from a place on, each where it lies within the length.
    fn put(&mut self, state: &mut State, instance: u32, at: u64, cells: &Cells, length: Length) {
        self.expose_cut(state, instance, at, length.most());
        for (offset, cell) in cells {
            let here = at + offset;
            match length {
                Length::Known(_) => {
                    let layout: &mut Layout = Rc::make_mut(self.layout(state, instance));
                    layout.write(&mut self.terms, here, cell.clone());
                }
                Length::UpTo { size, .. } => {
                    let end = self.bytes(offset + cell.size);
                    let is_within = self.terms.ule(end, size);
                    self.put_where(is_within, state, instance, here, cell.clone());
                }
            }
        }
    }

    /// Writes a cell if a condition holds, else what was there stays.
    fn put_where(
        &mut self,
        cond: TermId,
        state: &mut State,
        instance: u32,
        at: u64,
        mut cell: Cell,
    ) {
        let ptr_bits = self.program.ptr_bits;
        self.expose_read(state, instance, at, cell.size);
        let layout = Rc::make_mut(self.layout(state, instance));
        let before = layout.read(&mut self.terms, at, cell.size, Kind::Bits, ptr_bits);
        cell.content = choose_content(&mut self.terms, cond, &cell, &before, ptr_bits);
        layout.write(&mut self.terms, at, cell);
    }

    /// Fills a part of an instance at an unknown place: each byte holds the new content where it lies within, or
    /// keeps the old. An instance that is too large, or of a size that is not known, is forgotten.
    fn fill_somewhere(
        &mut self,
        state: &mut State,
        target: &Target,
        content: &Content,
        size: TermId,
    ) {
        let instance = target.instance;
        let whole = self.terms.as_const(self.instances[instance as usize].size);
        let Some(whole) = whole.filter(|&it| it <= u128::from(MAX_PIECES)) else {
            return self.forget_instance(state, instance);
        };
        self.expose_cut(state, instance, 0, whole as u64);
        for at in 0..whole as u64 {
            let here = self.bytes(at);
            let is_behind = self.terms.ule(target.offset, here);
            let distance = self.terms.sub(here, target.offset);
            let is_before = self.terms.ult(distance, size);
            let is_within = self.terms.and(is_behind, is_before);
            if self.terms.as_const(is_within) != Some(0) {
                let cell = Cell { size: 1, content: content.clone() };
                self.put_where(is_within, state, instance, at, cell);
            }
        }
    }

    /// A pointer that the program never had a value for points to nothing of its; one that was
    /// forgotten at the head of a loop may.
    pub(crate) fn havoc(&mut self, state: &mut State, ptr: &Pointer) {
        if self.knowledge == Knowledge::Partial {
            self.end_wild(state, ptr);
        }
        for case in ptr.iter() {
            let Base::Instance(instance) = case.base else { continue };
            if state.memory.get(instance as usize).is_none_or(Option::is_none) {
                continue;
            }
            let target = Target { cond: case.cond, instance, offset: case.offset };
            self.update(state, &target, |executor, state, target| {
                let layout = Rc::make_mut(executor.layout(state, target.instance));
                layout.forget();
            });
            for target in self.shadows(&[target]) {
                self.update(state, &target, |executor, state, target| {
                    executor.set_written(state, target.instance);
                });
            }
        }
    }
}
