//! Many short lists in two vectors.

/// A list of items for each of `0..n`.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// List `i` is `items[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    pub(crate) fn new() -> Self {
        Lists { starts: vec![0], items: Vec::new() }
    }

    /// Groups pairs by their key below `n`, keeping the order within each group.
    pub(crate) fn group(n: usize, pairs: &[(u32, T)]) -> Self {
        let mut starts = vec![0u32; n + 1];
        for &(key, _) in pairs {
            starts[key as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items: Vec<T> = pairs.iter().map(|&(_, item)| item).collect();
        for &(key, item) in pairs {
            let at = &mut next[key as usize];
            items[*at as usize] = item;
            *at += 1;
        }
        Lists { starts, items }
    }

    /// Adds a list at the end.
    pub(crate) fn push(&mut self, items: &[T]) {
        self.items.extend_from_slice(items);
        self.starts.push(self.items.len() as u32);
    }

    pub(crate) fn of(&self, i: usize) -> &[T] {
        &self.items[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }
}
