//! Names in nested scopes. To ask what a name means takes the same time however deep the scope is.

use hardbop_base::Name;
use rustc_hash::FxHashMap;

#[derive(Debug)]
pub(crate) struct Scoped<T> {
    /// By name, the innermost last: the depth of the scope, and the meaning there.
    meanings: FxHashMap<Name, Vec<(usize, T)>>,
    /// What each scope declares, the outermost first.
    scopes: Vec<Vec<Name>>,
}

/// With the outermost scope open.
impl<T> Default for Scoped<T> {
    fn default() -> Self {
        Scoped { meanings: FxHashMap::default(), scopes: vec![Vec::new()] }
    }
}

impl<T> Scoped<T> {
    pub fn open(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        for name in self.scopes.pop().unwrap_or_default() {
            if let Some(meanings) = self.meanings.get_mut(&name) {
                meanings.pop();
            }
        }
    }

    /// Declares in the innermost scope.
    pub fn declare(&mut self, name: &Name, meaning: T) {
        let depth = self.depth();
        let meanings = self.meanings.entry(name.clone()).or_default();
        match meanings.last_mut() {
            Some(last) if last.0 == depth => last.1 = meaning,
            _ => {
                meanings.push((depth, meaning));
                self.scopes[depth - 1].push(name.clone());
            }
        }
    }

    /// Declares in the outermost scope.
    pub fn declare_outermost(&mut self, name: &Name, meaning: T) {
        let meanings = self.meanings.entry(name.clone()).or_default();
        match meanings.first_mut() {
            Some(first) if first.0 == 1 => first.1 = meaning,
            _ => {
                meanings.insert(0, (1, meaning));
                self.scopes[0].push(name.clone());
            }
        }
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        Some(&self.meanings.get(name)?.last()?.1)
    }

    /// If the innermost scope declares it.
    pub fn get_here(&self, name: &str) -> Option<&T> {
        let (depth, meaning) = self.meanings.get(name)?.last()?;
        (*depth == self.depth()).then_some(meaning)
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        Some(&mut self.meanings.get_mut(name)?.last_mut()?.1)
    }

    /// If the outermost scope declares it.
    pub fn get_outermost(&self, name: &str) -> Option<&T> {
        let (depth, meaning) = self.meanings.get(name)?.first()?;
        (*depth == 1).then_some(meaning)
    }

    /// All names with their innermost meanings.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.meanings.iter().filter_map(|(name, it)| Some((&**name, &it.last()?.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::Scoped;
    use hardbop_base::Name;

    #[test]
    fn inner_meanings_hide_outer_ones_until_their_scope_ends() {
        let (x, y): (Name, Name) = ("x".into(), "y".into());
        let mut names = Scoped::default();
        names.declare(&x, 1);
        names.open();
        assert_eq!((names.get("x"), names.get_here("x")), (Some(&1), None));
        names.declare(&x, 2);
        names.declare(&x, 3);
        names.declare_outermost(&x, 4);
        names.declare_outermost(&y, 5);
        assert_eq!((names.get("x"), names.get_outermost("x")), (Some(&3), Some(&4)));
        assert_eq!(names.iter().count(), 2);
        names.close();
        assert_eq!((names.get("x"), names.get("y"), names.get("z")), (Some(&4), Some(&5), None));
        assert_eq!(names.depth(), 1);
    }
}
