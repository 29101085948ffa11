//! What the names of a file stand for.

use hardbop_base::{Name, Span};
use hardbop_cfg::{ProcId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A table of names of one kind, with the place of each declaration.
pub(crate) struct Names<T> {
    table: FxHashMap<Name, (T, Span)>,
    /// Names reported as unknown, each once.
    reported: FxHashSet<Name>,
}

pub(crate) type Vars = Names<VarId>;
pub(crate) type Procs = Names<ProcId>;

impl<T> Default for Names<T> {
    fn default() -> Self {
        Names { table: FxHashMap::default(), reported: FxHashSet::default() }
    }
}

impl<T: Copy> Names<T> {
    /// Declares a name; where it is taken, the place of its first declaration.
    pub fn declare(&mut self, name: &Name, it: T, span: Span) -> Result<(), Span> {
        match self.table.get(name) {
            Some(&(_, first)) => Err(first),
            None => {
                self.table.insert(name.clone(), (it, span));
                Ok(())
            }
        }
    }

    pub fn get(&self, name: &str) -> Option<T> {
        self.table.get(name).map(|&(it, _)| it)
    }

    pub fn place(&self, name: &str) -> Option<Span> {
        self.table.get(name).map(|&(_, span)| span)
    }

    /// Whether this is the first time the name is found to be unknown.
    pub fn report(&mut self, name: &Name) -> bool {
        self.reported.insert(name.clone())
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(|name| &**name)
    }
}

/// The candidate nearest to a misspelt name, if one is near. Ties go to the alphabet, so that the
/// order of the candidates does not matter.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let longest_edit = name.chars().count().div_ceil(3).min(3);
    let near = candidates.filter(|other| other.len().abs_diff(name.len()) <= 3 * longest_edit);
    near.map(|other| (edits(name, other), other))
        .filter(|&(edits, _)| edits <= longest_edit)
        .min()
        .map(|(_, other)| other)
}

/// Insertions, deletions, replacements and exchanges of neighbours between two names; upper and
/// lower case count as near.
fn edits(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return 1;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_near_names_are_suggested() {
        let near = |name| nearest(name, ["counter", "lock", "x", "b0"].into_iter());
        assert_eq!(near("conuter"), Some("counter"));
        assert_eq!(near("Lock"), Some("lock"));
        assert_eq!(near("unlocked"), None);
        assert_eq!(near("b1"), Some("b0"));
        assert_eq!(near("stop"), None);
    }
}
