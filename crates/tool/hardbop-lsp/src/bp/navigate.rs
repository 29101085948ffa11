//! Where a name is declared, and where else it stands.

use hardbop_base::Span;

use super::Syntax;
use super::names::Role;

/// The declaration of what the name at a place stands for.
pub fn definition(syntax: &Syntax, offset: u32) -> Option<Span> {
    let here = syntax.names.at(offset)?;
    Some(syntax.names.symbols[here.symbol].span)
}

/// All places with the same meaning, in the order of the text.
pub fn references(syntax: &Syntax, offset: u32, with_declaration: bool) -> Vec<Span> {
    let all = highlights(syntax, offset).into_iter();
    all.filter(|it| with_declaration || it.1 != Role::Declared).map(|it| it.0).collect()
}

/// The same with what happens there.
pub fn highlights(syntax: &Syntax, offset: u32) -> Vec<(Span, Role)> {
    let Some(here) = syntax.names.at(offset) else { return Vec::new() };
    syntax.names.of_symbol(here.symbol).map(|it| (it.span, it.role)).collect()
}

#[cfg(test)]
mod tests {
    use super::{definition, references};
    use crate::bp::tests::at;

    const PROGRAM: &str = "decl x; void main() begin decl y; L: y := x; x := y; goto L; f(); end void f() begin x := T; end";

    /// The offset of what a name stands for, and how often it stands there.
    fn found(name: &str, nth: usize) -> Option<(u32, usize)> {
        let offset = PROGRAM.match_indices(name).nth(nth).unwrap().0;
        let mut marked = PROGRAM.to_string();
        marked.insert(offset + name.len(), '@');
        let (_, syntax, offset) = at(&marked);
        let n_uses = references(&syntax, offset, true).len();
        assert_eq!(references(&syntax, offset, false).len(), n_uses.saturating_sub(1));
        Some((definition(&syntax, offset)?.start, n_uses))
    }

    #[test]
    fn a_name_leads_to_its_declaration_and_its_uses() {
        assert_eq!(found("x", 2), Some((5, 4)));
        assert_eq!(found("y;", 1), None);
        assert_eq!(found("L", 1), Some((34, 2)));
        let procedure = PROGRAM.rfind("f()").unwrap() as u32;
        assert_eq!(found("f", 0), Some((procedure, 2)));
        assert_eq!(found("begin", 0), None);
    }
}
