//! Another name for something.
//!
//! Whether the new name is free is not argued but tried: the changed text is read again, and every name in it must
//! stand for what it stood for before.

use hardbop_base::{Budget, SourceFile, Span};
use hardbop_bp::words::is_name;

use super::Syntax;
use super::names::{Kind, Names};

/// The name at a place, if it can have another.
pub fn prepare(syntax: &Syntax, offset: u32) -> Option<Span> {
    syntax.names.at(offset).map(|it| it.span)
}

/// The places to change; the message says why the name cannot be this.
pub fn rename(
    syntax: &Syntax,
    file: &SourceFile,
    offset: u32,
    name: &str,
    budget: &Budget,
) -> Result<Vec<Span>, String> {
    let here = syntax.names.at(offset).ok_or("there is no name here")?;
    let symbol = &syntax.names.symbols[here.symbol];
    let is_number = !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit());
    if !(is_name(name) || symbol.kind == Kind::Label && is_number) {
        return Err(format!("`{name}` is no name"));
    }
    let places: Vec<Span> = syntax.names.of_symbol(here.symbol).map(|it| it.span).collect();
    let mut text = file.text.clone();
    for place in places.iter().rev() {
        text.replace_range(place.range(), name);
    }
    let changed = SourceFile::new(&file.name, text);
    let after = Syntax::of(&changed, budget).map_err(|limit| limit.to_string())?;
    if after.has_mistakes != syntax.has_mistakes || shape(&after.names) != shape(&syntax.names) {
        return Err(format!("`{name}` means something else here already"));
    }
    Ok(places)
}

/// Which names stand for the same, whatever they are called.
fn shape(names: &Names) -> (Vec<(usize, super::names::Role)>, usize) {
    let uses = names.uses.iter().map(|it| (it.symbol, it.role)).collect();
    (uses, names.unknown.len())
}

#[cfg(test)]
mod tests {
    use super::rename;
    use crate::bp::tests::at;
    use hardbop_base::Budget;

    fn renamed(marked: &str, name: &str) -> Result<String, String> {
        let (file, syntax, offset) = at(marked);
        let places = rename(&syntax, &file, offset, name, &Budget::unlimited())?;
        let mut text = file.text.clone();
        places.iter().rev().for_each(|it| text.replace_range(it.range(), name));
        Ok(text)
    }

    #[test]
    fn all_places_with_the_same_meaning_change() {
        let text = "decl x; void f(x) begin x$ := x@; end void main() begin f(x); end";
        let wanted = "decl x; void f(y) begin y$ := y; end void main() begin f(x); end";
        assert_eq!(renamed(text, "y").as_deref(), Ok(wanted));
        let label = "void main() begin L@: skip; goto L; end";
        assert_eq!(renamed(label, "7").as_deref(), Ok("void main() begin 7: skip; goto 7; end"));
    }

    #[test]
    fn a_name_that_would_change_a_meaning_is_refused() {
        let hidden = "decl x@; void main() begin decl y; x := y; end";
        assert!(renamed(hidden, "y").is_err(), "the local would hide it");
        assert!(renamed("decl x@, y; void main() begin x := y; end", "y").is_err());
        for word in ["goto", "a b", "", "7", "x;"] {
            assert!(renamed("decl x@; void main() begin end", word).is_err(), "{word}");
        }
        assert!(renamed("void main() begin@ end", "y").is_err());
    }
}
