//! What can be folded: procedures, `if … fi`, `while … od`, comments of several lines.

use hardbop_base::{Budget, SourceFile, Span};
use hardbop_bp::words::{Kind, Word, words};
use lsp_types::{FoldingRange, FoldingRangeKind};

use super::Syntax;

/// In the order of the text; lines are counted from 0.
pub fn folds(syntax: &Syntax, file: &SourceFile, budget: &Budget) -> Vec<FoldingRange> {
    let mut folds = Vec::new();
    let mut add = |span: Span, kind: Option<FoldingRangeKind>| {
        let (start_line, end_line) = (file.line(span.start) - 1, file.line(span.end) - 1);
        if start_line < end_line {
            folds.push(FoldingRange { start_line, end_line, kind, ..FoldingRange::default() });
        }
    };
    for proc in &syntax.program.procs {
        add(proc.span.to(proc.end), None);
    }
    let words = words(&file.text, budget);
    blocks(file, &words).into_iter().for_each(|it| add(it, None));
    comments(file, &words).into_iter().for_each(|it| add(it, Some(FoldingRangeKind::Comment)));
    folds.sort_by_key(|it| (it.start_line, it.end_line));
    folds
}

/// From each `if` and `while` to the word that ends it.
fn blocks(file: &SourceFile, words: &[Word]) -> Vec<Span> {
    let (mut open, mut found): (Vec<(&str, Span)>, Vec<Span>) = Default::default();
    for word in words.iter().filter(|it| it.kind == Kind::Keyword) {
        let text = file.snippet(word.span);
        let opener = match text {
            "if" | "while" => {
                open.push((text, word.span));
                continue;
            }
            "fi" => "if",
            "od" => "while",
            // What is open at the end of a procedure was never closed.
            "end" | "void" => {
                open.clear();
                continue;
            }
            _ => continue,
        };
        if let Some(at) = open.iter().rposition(|it| it.0 == opener) {
            found.push(open[at].1.to(word.span));
            open.truncate(at);
        }
    }
    found
}

/// Comments of several lines, and comments that follow each other line by line.
fn comments(file: &SourceFile, words: &[Word]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut last: Option<usize> = None;
    for (at, word) in words.iter().enumerate().filter(|it| it.1.kind == Kind::Comment) {
        let goes_on = last.is_some_and(|it| it + 1 == at)
            && found.last().is_some_and(|it| file.line(it.end) + 1 == file.line(word.span.start));
        match found.last_mut() {
            Some(run) if goes_on => *run = run.to(word.span),
            _ => found.push(word.span),
        }
        last = Some(at);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::folds;
    use crate::bp::tests::at;
    use hardbop_base::Budget;

    #[test]
    fn blocks_fold_from_their_first_word_to_their_last() {
        let text = "// a\n// b\n\nvoid main()\nbegin\n  if (*) then\n    while (*) do skip;\n    od\n  fi\n  if (T) then\nend\n@/*\n*/";
        let (file, syntax, _) = at(text);
        let told: Vec<_> = folds(&syntax, &file, &Budget::unlimited())
            .iter()
            .map(|it| (it.start_line, it.end_line))
            .collect();
        assert_eq!(told, [(0, 1), (3, 10), (5, 8), (6, 7), (11, 12)]);
    }
}
