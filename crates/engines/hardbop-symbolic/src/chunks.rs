//! A vector whose copies share what they have in common.
//!
//! A state is copied at every branch and changes little until the branches meet: elements lie in
//! chunks of fixed length, a copy takes the chunks as they are, a write copies the one it hits. Where
//! two copies meet, chunks they still share need not be looked at.

use std::ops::{Index, IndexMut};
use std::rc::Rc;

const CHUNK: usize = 32;

/// All chunks but the last are full.
#[derive(Clone, Debug)]
pub struct Chunks<T> {
    chunks: Vec<Rc<Vec<T>>>,
    len: usize,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Clone> Chunks<T> {
    pub fn from_elem(value: T, len: usize) -> Self {
        let mut all = Chunks::default();
        all.resize(len, value);
        all
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        Rc::make_mut(self.chunks.get_mut(at / CHUNK)?).get_mut(at % CHUNK)
    }

    pub fn last(&self) -> Option<&T> {
        self.chunks.last()?.last()
    }

    pub fn push(&mut self, value: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Rc::new(Vec::with_capacity(CHUNK)));
        }
        if let Some(last) = self.chunks.last_mut() {
            Rc::make_mut(last).push(value);
        }
        self.len += 1;
    }

    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.chunks.truncate(len.div_ceil(CHUNK));
        if let Some(last) = self.chunks.last_mut().filter(|_| !len.is_multiple_of(CHUNK)) {
            Rc::make_mut(last).truncate(len % CHUNK);
        }
        self.len = len;
    }

    pub fn resize(&mut self, len: usize, value: T) {
        self.truncate(len);
        while self.len < len && !self.len.is_multiple_of(CHUNK) {
            self.push(value.clone());
        }
        let full = Rc::new(vec![value.clone(); CHUNK]);
        while len - self.len >= CHUNK {
            self.chunks.push(full.clone());
            self.len += CHUNK;
        }
        while self.len < len {
            self.push(value.clone());
        }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.chunks.iter_mut().flat_map(|chunk| Rc::make_mut(chunk).iter_mut())
    }

    /// How many elements from the first on are the same for `same`, which holds of equal ones.
    pub fn common(&self, other: &Self, same: impl Fn(&T, &T) -> bool) -> usize {
        let pairs = self.chunks.iter().zip(&other.chunks);
        let n_shared = pairs.take_while(|(a, b)| Rc::ptr_eq(a, b)).count();
        let from = (n_shared * CHUNK).min(self.len);
        let rest = self.tail(from).zip(other.tail(from));
        from + rest.take_while(|(a, b)| same(a, b)).count()
    }

    /// The elements from a position on.
    pub fn tail(&self, from: usize) -> impl Iterator<Item = &T> {
        let chunks = self.chunks.iter().skip(from / CHUNK);
        chunks.flat_map(|chunk| chunk.iter()).skip(from % CHUNK)
    }

    /// Two of the same length as one. `join` of an element with itself is that element.
    pub fn zip_with(mut self, other: Self, mut join: impl FnMut(usize, T, T) -> T) -> Self {
        for (at, (mine, theirs)) in self.chunks.iter_mut().zip(other.chunks).enumerate() {
            if Rc::ptr_eq(mine, &theirs) {
                continue;
            }
            let pairs = mine.iter().cloned().zip(theirs.iter().cloned()).enumerate();
            let joined = pairs.map(|(n, (a, b))| join(at * CHUNK + n, a, b)).collect();
            *mine = Rc::new(joined);
        }
        self
    }
}

impl<T: Clone> Index<usize> for Chunks<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.chunks[at / CHUNK][at % CHUNK]
    }
}

impl<T: Clone> IndexMut<usize> for Chunks<T> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut Rc::make_mut(&mut self.chunks[at / CHUNK])[at % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_change_apart() {
        let mut a = Chunks::from_elem(0, 100);
        let mut b = a.clone();
        a[40] = 1;
        b[99] = 2;
        b.push(3);
        assert_eq!((a[40], a[99], a.len()), (1, 0, 100));
        assert_eq!((b[40], b[99], b[100], b.len()), (0, 2, 3, 101));
        b.truncate(64);
        b.resize(70, 5);
        assert_eq!(
            (b.get(63), b.get(64), b.get(69), b.get(70)),
            (Some(&0), Some(&5), Some(&5), None)
        );
        assert_eq!((b.iter().sum::<i32>(), b.last()), (30, Some(&5)));
        b.iter_mut().for_each(|it| *it += 1);
        assert_eq!(b.iter().sum::<i32>(), 100);
    }

    #[test]
    fn what_two_have_in_common_is_found_whether_shared_or_not() {
        let mut a: Chunks<usize> = Chunks::default();
        (0..100).for_each(|it| a.push(it));
        let mut b = a.clone();
        b[70] = 1;
        let mut c: Chunks<usize> = Chunks::default();
        (0..50).for_each(|it| c.push(it));
        let same = |a: &usize, b: &usize| a == b;
        assert_eq!((a.common(&b, same), a.common(&c, same), c.common(&a, same)), (70, 50, 50));
        assert_eq!(a.common(&a.clone(), same), 100);
        assert_eq!(a.tail(97).copied().collect::<Vec<_>>(), [97, 98, 99]);
        let mut asked = Vec::new();
        let sum = a.clone().zip_with(b, |at, x, y| {
            asked.push(at);
            if x == y { x } else { x + y }
        });
        assert_eq!((sum[70], sum[71], asked), (71, 71, (64..96).collect()));
    }
}
