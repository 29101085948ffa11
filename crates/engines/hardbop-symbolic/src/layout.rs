//! The contents of one instance: cells that follow each other without gaps.
//!
//! A cell has the size it was last accessed with; what nobody touched is one large cell. An access
//! that does not fit the cells cuts them, down to bytes if need be. A whole pointer stays a pointer;
//! one that is cut becomes bytes of which nothing is known, which has more behaviours, not less.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_cir::{Shape, Ty};
use hardbop_smt::{TermId, Terms};

use crate::notes::Notes;
use crate::value::{Base, Pointer, choose_pointer, null, pointer};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Arbitrary bytes.
    Raw,
    Zero,
    /// Little-endian, 8 bits for each byte of the cell.
    Bits(TermId),
    Ptr(Pointer),
    /// A pointer or a number, as the members of a union are: which, a condition says.
    Either(Rc<Either>),
    /// A pointer in each slot of the instance that the cell covers: one for all, but for those.
    Each(Rc<Each>),
}

/// What a cell holds that has the size of a pointer. Choices between two such stay one such.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Either {
    pub is_pointer: TermId,
    /// What it is where the condition holds.
    pub pointer: Pointer,
    /// What it is elsewhere.
    pub bits: TermId,
}

/// Pointers at unknown places of an instance of any size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Each {
    pub all: Pointer,
    /// By the distance from the start of the instance; of the same distance the last counts.
    pub but: Vec<(TermId, Pointer)>,
}

impl Each {
    /// What the slot at a distance from the start holds.
    pub fn at(&self, terms: &mut Terms, offset: TermId) -> Pointer {
        self.but.iter().fold(self.all.clone(), |before, (place, pointer)| {
            let is_there = terms.eq(offset, *place);
            choose_pointer(terms, is_there, pointer, &before)
        })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    pub size: u64,
    pub content: Content,
}

/// The cells by their first byte.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub cells: BTreeMap<u64, Cell>,
    /// Of places that are not known; where one says something, it counts, not the cell.
    pub notes: Notes,
}

/// What is read: a number of bytes, or a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Bits,
    Ptr,
}

/// More cells than this are not made in advance.
const MAX_CELLS: u64 = 1 << 14;

impl Layout {
    pub fn new(size: u64, content: Content) -> Layout {
        let mut layout = Layout::default();
        if size > 0 {
            layout.cells.insert(0, Cell { size, content });
        }
        layout
    }

    /// Cuts by the C view of the object, so that accesses at unknown places find cells.
    pub fn cut_by_shape(&mut self, terms: &mut Terms, shape: &Shape, at: u64, ptr_bits: u8) {
        match shape {
            Shape::Bytes => {}
            Shape::Scalar { ty, .. } => self.cut_out(terms, at, ty.bytes(ptr_bits)),
            Shape::Array { element, stride, len } => {
                if len.saturating_mul(leaves(element)) <= MAX_CELLS {
                    for i in 0..*len {
                        self.cut_by_shape(terms, element, at + i * stride, ptr_bits);
                    }
                }
            }
            Shape::Record(fields) => {
                for (_, offset, shape) in fields {
                    self.cut_by_shape(terms, shape, at + offset, ptr_bits);
                }
            }
        }
    }

    /// What the slots hold that nobody has touched one by one. All cells of this kind have the same: they
    /// were one.
    pub fn each(&self) -> Option<Rc<Each>> {
        self.cells.values().find_map(|cell| match &cell.content {
            Content::Each(it) => Some(it.clone()),
            _ => None,
        })
    }

    pub fn set_each(&mut self, each: &Rc<Each>) {
        for cell in self.cells.values_mut() {
            if let Content::Each(it) = &mut cell.content {
                *it = each.clone();
            }
        }
    }

    pub fn end(&self) -> u64 {
        self.cells.last_key_value().map_or(0, |(at, cell)| at + cell.size)
    }

    /// Makes `at` the border of a cell.
    pub fn cut(&mut self, terms: &mut Terms, at: u64) {
        let Some((&start, cell)) = self.cells.range(..at).next_back() else { return };
        if start + cell.size <= at {
            return;
        }
        let Some(cell) = self.cells.remove(&start) else { return };
        let (low, high) = (at - start, cell.size - (at - start));
        let (a, b) = match cell.content {
            Content::Raw => (Content::Raw, Content::Raw),
            Content::Zero => (Content::Zero, Content::Zero),
            Content::Ptr(_) => (Content::Raw, Content::Raw),
            Content::Each(each) => (Content::Each(each.clone()), Content::Each(each)),
            Content::Bits(term) => halves(terms, term, low),
            Content::Either(either) => {
                let term = either.bits(terms, 8 * cell.size as u32);
                halves(terms, term, low)
            }
        };
        self.cells.insert(start, Cell { size: low, content: a });
        self.cells.insert(at, Cell { size: high, content: b });
    }

    /// Makes so many bytes from each place on whole cells, where nobody has touched what lies there.
    pub fn cut_untouched(&mut self, terms: &mut Terms, places: &[u64], size: u64) {
        for border in places.iter().flat_map(|&at| [at, at + size]) {
            let around = self.cells.range(..border).next_back();
            if around.is_some_and(|it| matches!(it.1.content, Content::Raw | Content::Zero)) {
                self.cut(terms, border);
            }
        }
    }

    fn cut_out(&mut self, terms: &mut Terms, at: u64, size: u64) {
        if at + size <= self.end() {
            self.cut(terms, at);
            self.cut(terms, at + size);
        }
    }

    /// Writes one cell at a known place inside the instance.
    pub fn write(&mut self, terms: &mut Terms, at: u64, cell: Cell) {
        self.notes.overwrite_at(terms, at, cell.size);
        self.put(terms, at, cell);
    }

    /// The same of a cell that holds what was there before.
    fn put(&mut self, terms: &mut Terms, at: u64, cell: Cell) {
        self.cut(terms, at);
        self.cut(terms, at + cell.size);
        let covered: Vec<u64> = self.cells.range(at..at + cell.size).map(|(&it, _)| it).collect();
        covered.iter().for_each(|it| drop(self.cells.remove(it)));
        self.cells.insert(at, cell);
    }

    /// The cells that make up the bytes, cut to them.
    pub fn range(&mut self, terms: &mut Terms, at: u64, size: u64) -> Vec<(u64, Cell)> {
        self.cut(terms, at);
        self.cut(terms, at + size);
        self.cells.range(at..at + size).map(|(&at, cell)| (at, cell.clone())).collect()
    }

    /// Nothing is known of any byte.
    pub fn forget(&mut self) {
        self.cells.values_mut().for_each(|cell| cell.content = Content::Raw);
        self.notes.clear();
    }

    /// One cell of exactly these bytes, made of what the cells hold. Reading what has no value fixes it,
    /// so that a second read sees the same.
    pub fn read(
        &mut self,
        terms: &mut Terms,
        at: u64,
        size: u64,
        kind: Kind,
        ptr_bits: u8,
    ) -> Content {
        if let Some(cell) = self.cells.get(&at)
            && cell.size == size
            && matches!(cell.content, Content::Bits(_) | Content::Ptr(_) | Content::Either(_))
        {
            return cell.content.clone();
        }
        // A part of it is a number, and reading that leaves the pointer it may be whole.
        if let Some((&start, cell)) = self.cells.range(..=at).next_back()
            && let Content::Either(either) = &cell.content
            && at + size <= start + cell.size
        {
            let (low, bits) = (8 * (at - start) as u32, 8 * size as u32);
            let term = either.bits(terms, 8 * cell.size as u32);
            return Content::Bits(terms.extract(term, low + bits - 1, low));
        }
        let parts: Vec<Content> = {
            let covering = self.cells.range(..=at).next_back();
            match covering {
                // One untouched or whole pointer cell needs no cutting for the read.
                Some((&start, cell)) if start == at && cell.size == size => {
                    vec![cell.content.clone()]
                }
                _ => self.range(terms, at, size).into_iter().map(|it| it.1.content).collect(),
            }
        };
        if let [content @ (Content::Raw | Content::Zero)] = &parts[..] {
            let content = content.as_kind(terms, size, kind, ptr_bits);
            self.put(terms, at, Cell { size, content: content.clone() });
            return content;
        }
        if let [Content::Each(each)] = &parts[..]
            && size == u64::from(ptr_bits / 8)
            && at.is_multiple_of(size)
        {
            let offset = terms.constant(u32::from(ptr_bits), u128::from(at));
            return Content::Ptr(each.at(terms, offset));
        }
        let mut at_part = at;
        let mut whole: Option<TermId> = None;
        let sizes: Vec<u64> = self.cells.range(at..at + size).map(|(_, cell)| cell.size).collect();
        for (part, part_size) in parts.iter().zip(sizes) {
            let content = match part {
                Content::Ptr(_) | Content::Each(_) => Content::Raw,
                other => other.as_number(terms, part_size),
            };
            let content = content.as_kind(terms, part_size, Kind::Bits, ptr_bits);
            if matches!(part, Content::Raw) {
                self.put(terms, at_part, Cell { size: part_size, content: content.clone() });
            }
            at_part += part_size;
            let Content::Bits(term) = content else { unreachable!("asked for bits") };
            whole = Some(whole.map_or(term, |low| terms.concat(term, low)));
        }
        Content::Bits(whole.unwrap_or_else(|| terms.constant(8 * size as u32, 0)))
    }
}

/// The first bytes of a number, and the others.
fn halves(terms: &mut Terms, term: TermId, low: u64) -> (Content, Content) {
    let border = 8 * low as u32;
    let width = terms.width(term);
    let a = terms.extract(term, border - 1, 0);
    let b = terms.extract(term, width - 1, border);
    (Content::Bits(a), Content::Bits(b))
}

impl Either {
    /// `a` where the condition holds, else `b`; each is a pointer, a number or one of these two.
    fn choose(terms: &mut Terms, cond: TermId, a: &Content, b: &Content) -> Content {
        let parts = |terms: &mut Terms, it: &Content| match it {
            Content::Either(it) => (it.is_pointer, Some(it.pointer.clone()), Some(it.bits)),
            Content::Ptr(it) => (terms.bool(true), Some(it.clone()), None),
            Content::Bits(it) => (terms.bool(false), None, Some(*it)),
            Content::Raw | Content::Zero | Content::Each(_) => {
                unreachable!("the content was given a kind")
            }
        };
        let (x, y) = (parts(terms, a), parts(terms, b));
        let is_pointer = terms.ite(cond, x.0, y.0);
        // Where the one has none, the other's does no harm: it is not what the cell holds there.
        let pointer = match (x.1, y.1) {
            (Some(x), Some(y)) => choose_pointer(terms, cond, &x, &y),
            (Some(it), None) | (None, Some(it)) => it,
            (None, None) => unreachable!("one of them may be a pointer"),
        };
        let bits = match (x.2, y.2) {
            (Some(x), Some(y)) => terms.ite(cond, x, y),
            (Some(it), None) | (None, Some(it)) => it,
            (None, None) => unreachable!("one of them may be a number"),
        };
        match terms.as_const(is_pointer) {
            Some(0) => Content::Bits(bits),
            Some(_) => Content::Ptr(pointer),
            None => Content::Either(Rc::new(Either { is_pointer, pointer, bits })),
        }
    }

    /// As a number; of the bytes of a pointer nothing is known.
    fn bits(&self, terms: &mut Terms, width: u32) -> TermId {
        let any = terms.var("bytes", width);
        terms.ite(self.is_pointer, any, self.bits)
    }
}

fn leaves(shape: &Shape) -> u64 {
    match shape {
        Shape::Bytes | Shape::Scalar { .. } => 1,
        Shape::Array { element, len, .. } => len.saturating_mul(leaves(element)),
        Shape::Record(fields) => {
            fields.iter().fold(0u64, |sum, it| sum.saturating_add(leaves(&it.2)))
        }
    }
}

impl Content {
    /// Gives untouched bytes a value of the kind; anything else stays.
    pub fn as_kind(&self, terms: &mut Terms, size: u64, kind: Kind, ptr_bits: u8) -> Content {
        let width = u32::from(ptr_bits);
        match (self, kind) {
            (Content::Each(_), _) => Content::Raw.as_kind(terms, size, kind, ptr_bits),
            (Content::Raw, Kind::Bits) => Content::Bits(terms.var("bytes", 8 * size as u32)),
            (Content::Zero, Kind::Bits) => Content::Bits(terms.constant(8 * size as u32, 0)),
            (Content::Raw, Kind::Ptr) => {
                let offset = terms.var("wild", width);
                Content::Ptr(pointer(terms, Base::Wild, offset))
            }
            (Content::Zero, Kind::Ptr) => Content::Ptr(null(terms, ptr_bits)),
            (other, _) => other.clone(),
        }
    }

    /// What may be a pointer as a number.
    pub fn as_number(&self, terms: &mut Terms, size: u64) -> Content {
        match self {
            Content::Either(it) => Content::Bits(it.bits(terms, 8 * size as u32)),
            other => other.clone(),
        }
    }

    /// The pointer it holds, or null where it is something else.
    pub fn held_pointer(&self, terms: &mut Terms, ptr_bits: u8) -> Option<Pointer> {
        match self {
            Content::Ptr(it) => Some(it.clone()),
            Content::Either(it) => {
                let nowhere = null(terms, ptr_bits);
                Some(choose_pointer(terms, it.is_pointer, &it.pointer, &nowhere))
            }
            _ => None,
        }
    }

    /// The pointer a number stands for: only for constants.
    pub fn constant_pointer(&self, terms: &mut Terms, ptr_bits: u8) -> Option<Pointer> {
        match self {
            Content::Ptr(it) => Some(it.clone()),
            Content::Bits(term) if terms.width(*term) == u32::from(ptr_bits) => {
                terms.as_const(*term)?;
                Some(pointer(terms, Base::None, *term))
            }
            _ => None,
        }
    }
}

pub fn kind_of(ty: Ty) -> Kind {
    if ty == Ty::Ptr { Kind::Ptr } else { Kind::Bits }
}

/// `a` where `cond` holds, else `b`: two histories of one instance.
pub fn choose_layout(
    terms: &mut Terms,
    cond: TermId,
    a: &Rc<Layout>,
    b: &Rc<Layout>,
    ptr_bits: u8,
) -> Rc<Layout> {
    if Rc::ptr_eq(a, b) {
        return a.clone();
    }
    let (mut left, mut right) = (Layout::clone(a), Layout::clone(b));
    if !left.cells.keys().eq(right.cells.keys()) {
        join_for_pointers(terms, &left, &mut right, ptr_bits);
        join_for_pointers(terms, &right, &mut left, ptr_bits);
        let left_borders: Vec<u64> = left.cells.keys().copied().collect();
        let right_borders: Vec<u64> = right.cells.keys().copied().collect();
        right_borders.into_iter().for_each(|at| left.cut(terms, at));
        left_borders.into_iter().for_each(|at| right.cut(terms, at));
    }
    let notes = Notes::choose(terms, cond, &left.notes, &right.notes);
    let mut result = Layout { notes, ..Layout::default() };
    for ((at, x), (_, y)) in left.cells.into_iter().zip(right.cells) {
        let content = choose_content(terms, cond, &x, &y.content, ptr_bits);
        result.cells.insert(at, Cell { size: x.size, content });
    }
    Rc::new(result)
}

/// Where the one holds a pointer and the other shorter numbers, these become one number: to cut the pointer would be
/// to forget it.
fn join_for_pointers(terms: &mut Terms, has: &Layout, other: &mut Layout, ptr_bits: u8) {
    let is_kept = |it: &Content| matches!(it, Content::Ptr(_) | Content::Either(_));
    for (&at, cell) in has.cells.iter().filter(|(_, cell)| is_kept(&cell.content)) {
        let end = at + cell.size;
        let first = other.cells.range(..=at).next_back().map_or(at, |(&it, _)| it);
        let over: Vec<(u64, &Cell)> =
            other.cells.range(first..end).map(|(&at, cell)| (at, cell)).collect();
        let is_cut = over.len() > 1 || over.iter().any(|it| it.0 != at || it.1.size != cell.size);
        let is_number =
            |it: &Content| matches!(it, Content::Bits(_) | Content::Zero | Content::Raw);
        let has_value = over.iter().any(|it| it.1.content != Content::Raw);
        let all_numbers = over.iter().all(|it| is_number(&it.1.content));
        if !is_cut || !all_numbers || end > other.end() {
            continue;
        }
        let content = match has_value {
            true => other.read(terms, at, cell.size, Kind::Bits, ptr_bits),
            false => Content::Raw,
        };
        other.put(terms, at, Cell { size: cell.size, content });
    }
}

pub fn choose_content(
    terms: &mut Terms,
    cond: TermId,
    a: &Cell,
    b: &Content,
    ptr_bits: u8,
) -> Content {
    if a.content == *b && a.content != Content::Raw {
        return b.clone();
    }
    let size = a.size;
    let kind = match (&a.content, b) {
        (Content::Raw, Content::Raw) | (Content::Each(_), _) | (_, Content::Each(_)) => {
            return Content::Raw;
        }
        (Content::Ptr(_) | Content::Either(_), _) | (_, Content::Ptr(_) | Content::Either(_)) => {
            Kind::Ptr
        }
        _ if size > 16 => return Content::Raw,
        _ => Kind::Bits,
    };
    let x = a.content.as_kind(terms, size, kind, ptr_bits);
    let y = b.as_kind(terms, size, kind, ptr_bits);
    if let (Content::Either(_), _) | (_, Content::Either(_)) = (&x, &y) {
        return Either::choose(terms, cond, &x, &y);
    }
    match (&x, &y) {
        (Content::Bits(x), Content::Bits(y)) => Content::Bits(terms.ite(cond, *x, *y)),
        _ => match (x.constant_pointer(terms, ptr_bits), y.constant_pointer(terms, ptr_bits)) {
            (Some(x), Some(y)) => Content::Ptr(choose_pointer(terms, cond, &x, &y)),
            // A pointer here, an unknown number there.
            _ => Either::choose(terms, cond, &x, &y),
        },
    }
}
