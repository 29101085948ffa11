//! The canonical form, as the smallest change of whole lines.

use hardbop_base::{SourceFile, Span};

use super::Syntax;

/// What to replace by what; `None` if the text is in canonical form. A text that could not be read whole is left
/// alone: what is missing in its tree would be lost.
pub fn format(syntax: &Syntax, file: &SourceFile) -> Result<Option<(Span, String)>, String> {
    if syntax.has_mistakes {
        return Err("a program with mistakes has no canonical form".into());
    }
    let new = hardbop_bp::print(&syntax.program);
    if new == file.text {
        return Ok(None);
    }
    let (old_lines, new_lines) = (lines(&file.text), lines(&new));
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let n_first = old_lines.iter().zip(&new_lines).take_while(same).count();
    let (old_rest, new_rest) = (&old_lines[n_first..], &new_lines[n_first..]);
    let n_last = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let length = |lines: &[&str]| lines.iter().map(|it| it.len()).sum::<usize>();
    let start = length(&old_lines[..n_first]);
    let changed = length(&old_rest[..old_rest.len() - n_last]);
    let text = new_rest[..new_rest.len() - n_last].concat();
    Ok(Some((Span::new(start, start + changed), text)))
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::format;
    use crate::bp::tests::at;

    #[test]
    fn only_lines_that_differ_are_replaced() {
        let (file, syntax, _) = at("decl x;\n\nvoid main() begin\n x:=T;@\nend\n");
        let (span, text) = format(&syntax, &file).unwrap().unwrap();
        assert_eq!((file.snippet(span), text.as_str()), (" x:=T;\n", "  x := 1;\n"));
        let mut whole = file.text.clone();
        whole.replace_range(span.range(), &text);
        let (file, syntax, _) = at(&format!("{whole}@"));
        assert_eq!(format(&syntax, &file), Ok(None));
    }

    #[test]
    fn a_text_without_an_end_of_line_gets_one() {
        let (file, syntax, _) = at("decl x;@");
        let (span, text) = format(&syntax, &file).unwrap().unwrap();
        assert_eq!((file.snippet(span), text.as_str()), ("decl x;", "decl x;\n"));
    }

    #[test]
    fn a_text_with_mistakes_is_left_alone() {
        let (file, syntax, _) = at("void main() begin x := ; end@");
        assert!(format(&syntax, &file).is_err());
    }
}
