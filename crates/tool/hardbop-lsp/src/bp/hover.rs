//! What is shown at the cursor: the declaration of a name with the comment above it.

use hardbop_base::{SourceFile, Span};
use hardbop_bp::ast::Notes;

use super::Syntax;
use super::names::Kind;

/// The name's place, and Markdown.
pub fn hover(syntax: &Syntax, file: &SourceFile, offset: u32) -> Option<(Span, String)> {
    let here = syntax.names.at(offset)?;
    let symbol = &syntax.names.symbols[here.symbol];
    let proc = symbol.proc.and_then(|it| syntax.program.procs.get(it));
    let of = proc.map(|it| format!(" of `{}`", it.name.name)).unwrap_or_default();
    let notes = |decls: &[hardbop_bp::ast::Decl]| {
        let holds = |it: &&hardbop_bp::ast::Decl| it.vars.iter().any(|it| it.0.span == symbol.span);
        decls.iter().find(holds).map(|it| comments(&it.notes)).unwrap_or_default()
    };
    let (head, comment) = match symbol.kind {
        Kind::Procedure => {
            let proc = proc?;
            let head = file.snippet(proc.span).split_whitespace().collect::<Vec<_>>().join(" ");
            (format!("```boolean-program\n{head}\n```"), comments(&proc.notes))
        }
        Kind::Global => {
            (format!("global variable `{}`", symbol.name), notes(&syntax.program.globals))
        }
        Kind::Local => (format!("local variable `{}`{of}", symbol.name), notes(&proc?.locals)),
        Kind::Formal => (format!("formal `{}`{of}", symbol.name), String::new()),
        Kind::Label => (format!("label `{}`{of}", symbol.name), String::new()),
    };
    let text = if comment.is_empty() { head } else { format!("{head}\n\n{comment}") };
    Some((here.span, text))
}

/// The text of comments directly above, and behind.
fn comments(notes: &Notes) -> String {
    let above = notes.before.iter().rev().take_while(|it| !it.text.is_empty());
    let above: Vec<_> = above.collect();
    let all = above.into_iter().rev().chain(&notes.after);
    let bare = |text: &str| {
        let text = text.trim_start_matches("//").trim_start_matches("/*");
        text.trim_end_matches("*/").trim().to_string()
    };
    all.map(|it| bare(&it.text)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::hover;
    use crate::bp::tests::at;

    fn shown(marked: &str) -> Option<String> {
        let (file, syntax, offset) = at(marked);
        hover(&syntax, &file, offset).map(|it| it.1)
    }

    #[test]
    fn a_declaration_is_shown_with_its_comment() {
        let program = "// not this\n\n// takes it\nvoid  f(a)\nbegin decl x; // mine\n x := a; end\nvoid main() begin L: f(T); end";
        let of = |name: &str| shown(&program.replacen(name, &format!("{name}@"), 1));
        assert_eq!(of("L: f").as_deref(), Some("```boolean-program\nvoid f(a)\n```\n\ntakes it"));
        assert_eq!(of(" x").as_deref(), Some("local variable `x` of `f`\n\nmine"));
        assert_eq!(of("(a").as_deref(), Some("formal `a` of `f`"));
        assert_eq!(of("L").as_deref(), Some("label `L` of `main`"));
        assert_eq!(of("begin"), None);
    }
}
