//! What is known of bytes at places that are not known: an instance that is too large to be cut into cells, or of
//! which the size is not known, has a list of places and what each holds.
//!
//! A note says: where its condition holds, these bytes at this distance from the start are this number. It
//! comes of a write, or of a read, which gives a value to bytes of which nothing was known. Soundness: each write
//! takes from the conditions of all notes the executions in which it may have touched their bytes. So all notes whose conditions
//! hold are true together, and which of them is asked first does not matter.

use hardbop_smt::{TermId, Terms};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// From the start of the instance.
    pub offset: TermId,
    /// Bytes.
    pub size: u64,
    /// As wide as the bytes, little-endian.
    pub bits: TermId,
    pub holds: TermId,
}

#[derive(Clone, Default, Debug)]
pub struct Notes(Vec<Note>);

/// More are not kept; the oldest go first.
const MAX_NOTES: usize = 32;

impl Notes {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.0.iter()
    }

    pub fn add(&mut self, terms: &mut Terms, offset: TermId, size: u64, bits: TermId) {
        let holds = terms.bool(true);
        let note = Note { offset, size, bits, holds };
        if self.0.contains(&note) {
            return;
        }
        if self.0.len() == MAX_NOTES {
            self.0.remove(0);
        }
        self.0.push(note);
    }

    /// Bytes from a place on have been written.
    pub fn overwrite(&mut self, terms: &mut Terms, offset: TermId, size: u64) {
        for note in &mut self.0 {
            let apart = apart(terms, (note.offset, note.size), (offset, size));
            note.holds = terms.and(note.holds, apart);
        }
        self.0.retain(|note| terms.as_const(note.holds) != Some(0));
    }

    /// The same of so many bytes as a term says, all of which lie inside.
    pub fn overwrite_range(&mut self, terms: &mut Terms, offset: TermId, size: TermId) {
        let end = terms.add(offset, size);
        for note in &mut self.0 {
            let length = terms.constant(terms.width(note.offset), u128::from(note.size));
            let note_end = terms.add(note.offset, length);
            let (before, behind) = (terms.ule(note_end, offset), terms.ule(end, note.offset));
            let apart = terms.or(before, behind);
            note.holds = terms.and(note.holds, apart);
        }
        self.0.retain(|note| terms.as_const(note.holds) != Some(0));
    }

    /// Those of so many bytes from a place on, as they are when these have been moved to another place.
    pub fn moved(&self, terms: &mut Terms, from: TermId, to: TermId, size: TermId) -> Notes {
        let mut moved = Vec::new();
        for note in &self.0 {
            let distance = terms.sub(note.offset, from);
            let length = terms.constant(terms.width(from), u128::from(note.size));
            let (fits, last) = (terms.ule(length, size), terms.sub(size, length));
            let (is_behind, is_within) = (terms.ule(from, note.offset), terms.ule(distance, last));
            let holds = terms.and_all(&[note.holds, is_behind, fits, is_within]);
            moved.push(Note { offset: terms.add(to, distance), holds, ..*note });
        }
        moved.retain(|note| terms.as_const(note.holds) != Some(0));
        Notes(moved)
    }

    /// Adds what is true besides.
    pub fn join(&mut self, others: Notes) {
        self.0.extend(others.0);
        let too_many = self.0.len().saturating_sub(MAX_NOTES);
        self.0.drain(..too_many);
    }

    /// The same of a place that is known.
    pub fn overwrite_at(&mut self, terms: &mut Terms, at: u64, size: u64) {
        let Some(first) = self.0.first() else { return };
        let offset = terms.constant(terms.width(first.offset), u128::from(at));
        self.overwrite(terms, offset, size);
    }

    /// What is read at a place of which the cells say `otherwise`.
    pub fn read(&self, terms: &mut Terms, offset: TermId, size: u64, otherwise: TermId) -> TermId {
        self.0.iter().filter(|it| it.size == size).fold(otherwise, |before, note| {
            let is_there = terms.eq(note.offset, offset);
            let is_noted = terms.and(is_there, note.holds);
            terms.ite(is_noted, note.bits, before)
        })
    }

    /// `a` where `cond` holds, else `b`.
    pub fn choose(terms: &mut Terms, cond: TermId, a: &Notes, b: &Notes) -> Notes {
        if a.0 == b.0 {
            return a.clone();
        }
        let is_same = |x: &Note, y: &Note| (x.offset, x.size, x.bits) == (y.offset, y.size, y.bits);
        let not = terms.not(cond);
        let never = terms.bool(false);
        let mut notes = Vec::new();
        for x in &a.0 {
            let other = b.0.iter().find(|y| is_same(x, y)).map_or(never, |y| y.holds);
            let holds = terms.ite(cond, x.holds, other);
            notes.push(Note { holds, ..*x });
        }
        for y in b.0.iter().filter(|y| !a.0.iter().any(|x| is_same(x, y))) {
            let holds = terms.and(not, y.holds);
            notes.push(Note { holds, ..*y });
        }
        notes.retain(|note| terms.as_const(note.holds) != Some(0));
        let too_many = notes.len().saturating_sub(MAX_NOTES);
        notes.drain(..too_many);
        Notes(notes)
    }
}

/// Whether two pieces of one instance, each of which ends before the end of the address space, have no byte in common.
fn apart(terms: &mut Terms, (a, n): (TermId, u64), (b, m): (TermId, u64)) -> TermId {
    if n == 1 && m == 1 {
        let same = terms.eq(a, b);
        return terms.not(same);
    }
    let width = terms.width(a);
    let (n, m) = (terms.constant(width, u128::from(n)), terms.constant(width, u128::from(m)));
    let (a_end, b_end) = (terms.add(a, n), terms.add(b, m));
    let (before, behind) = (terms.ule(a_end, b), terms.ule(b_end, a));
    terms.or(before, behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again_where_nothing_else_was_written() {
        let mut terms = Terms::new();
        let at = |terms: &mut Terms, value: u128| terms.constant(64, value);
        let (i, seven, nine) = (terms.var("i", 64), terms.constant(8, 7), terms.constant(8, 9));
        let mut notes = Notes::default();
        notes.add(&mut terms, i, 1, seven);
        let other = terms.var("other", 8);
        assert_eq!(notes.read(&mut terms, i, 1, other), seven);
        // Two bytes are not the one that is known.
        let wide = terms.var("wide", 16);
        assert_eq!(notes.read(&mut terms, i, 2, wide), wide);
        // A write at the same place ends the note, one next to it does not.
        let five = at(&mut terms, 5);
        let mut known = Notes::default();
        known.add(&mut terms, five, 4, other);
        let mut near = known.clone();
        near.overwrite_at(&mut terms, 9, 3);
        near.overwrite_at(&mut terms, 1, 4);
        assert!(!near.is_empty());
        for (place, size) in [(8, 1), (2, 4), (5, 4), (0, 100)] {
            let mut hit = known.clone();
            hit.overwrite_at(&mut terms, place, size);
            assert!(hit.is_empty(), "{size} bytes at {place}");
        }
        let j = terms.var("j", 64);
        notes.overwrite(&mut terms, j, 1);
        notes.add(&mut terms, j, 1, nine);
        let read = notes.read(&mut terms, j, 1, other);
        assert_eq!(read, nine);
        assert_ne!(notes.read(&mut terms, i, 1, other), seven, "it may be the same place");
    }

    #[test]
    fn what_is_moved_is_known_where_it_went() {
        let mut terms = Terms::new();
        let at = |terms: &mut Terms, value: u128| terms.constant(64, value);
        let byte = terms.var("byte", 8);
        let places: Vec<TermId> = [3, 5, 8, 9].into_iter().map(|it| at(&mut terms, it)).collect();
        let mut notes = Notes::default();
        places.iter().for_each(|&it| notes.add(&mut terms, it, 1, byte));
        // Five bytes from 4 on, to 100.
        let (from, to, size) = (at(&mut terms, 4), at(&mut terms, 100), at(&mut terms, 5));
        let moved = notes.moved(&mut terms, from, to, size);
        let wanted: Vec<TermId> = [101, 104].into_iter().map(|it| at(&mut terms, it)).collect();
        assert_eq!(moved.iter().map(|it| it.offset).collect::<Vec<_>>(), wanted);
        notes.overwrite_range(&mut terms, from, size);
        assert_eq!(notes.iter().map(|it| it.offset).collect::<Vec<_>>(), [places[0], places[3]]);
        // A length that is not known: only where it reaches so far.
        let n = terms.var("n", 64);
        let moved = notes.moved(&mut terms, from, to, n);
        let six = at(&mut terms, 6);
        let reaches = terms.ule(six, n);
        let holds = moved.iter().next().map(|it| it.holds);
        let mut solver = hardbop_smt::Solver::default();
        for (cond, expected) in [(reaches, false), (terms.not(reaches), true)] {
            let not = terms.not(holds.expect("one is left"));
            let asked = if expected { holds } else { Some(not) };
            let asked = [cond, asked.expect("it is there")];
            let answer = solver.check(&mut terms, &asked, &hardbop_base::Budget::unlimited());
            assert!(matches!(answer, hardbop_smt::Answer::Unsat(_)));
        }
    }

    #[test]
    fn one_of_two_histories_is_believed_only_where_it_is_the_one() {
        let mut terms = Terms::new();
        let (cond, i) = (terms.var("cond", 1), terms.var("i", 64));
        let (seven, other) = (terms.constant(8, 7), terms.var("other", 8));
        let mut written = Notes::default();
        written.add(&mut terms, i, 1, seven);
        let joined = Notes::choose(&mut terms, cond, &written, &Notes::default());
        let read = joined.read(&mut terms, i, 1, other);
        assert_eq!(read, terms.ite(cond, seven, other));
        let both = Notes::choose(&mut terms, cond, &written, &written);
        assert_eq!(both.read(&mut terms, i, 1, other), seven);
    }
}
