//! Mistakes of a text as the client shows them.

use hardbop_base::{SourceFile, Span};
use hardbop_c::Sources;
use hardbop_diag::{Label, Severity, codes};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
    Uri,
};

use crate::documents::Snapshot;
use crate::positions::{Encoding, line_span};

/// Who says it.
pub const SOURCE: &str = "hardbop";

/// An information about the whole text.
pub fn note(encoding: Encoding, file: &SourceFile, message: String) -> Diagnostic {
    let range = encoding.line(file, 1);
    Diagnostic { severity: Some(DiagnosticSeverity::INFORMATION), ..plain(range, message) }
}

pub fn plain(range: Range, message: String) -> Diagnostic {
    Diagnostic { range, message, source: Some(SOURCE.into()), ..Diagnostic::default() }
}

/// A mistake of a Boolean program.
pub fn of_program(it: &hardbop_diag::Diagnostic, at: &Snapshot, encoding: Encoding) -> Diagnostic {
    let range = |span| encoding.range(&at.file, span);
    let related = it.secondary.iter().map(|label| also(&at.uri, range(label.span), label));
    told(it, range(it.primary.span), related.collect())
}

/// A mistake of a C program. One in a file that the text includes is told at the top, with the place.
pub fn of_c(
    it: &hardbop_diag::Diagnostic,
    sources: &Sources,
    at: &Snapshot,
    encoding: Encoding,
) -> Diagnostic {
    let place = |span| Placed::of(span, sources, at, encoding);
    let related = it.secondary.iter().map(|label| {
        let place = place(label.span);
        also(&place.uri, place.range, label)
    });
    let mut related: Vec<_> = related.collect();
    let Placed { uri, range, words } = place(it.primary.span);
    if uri == at.uri {
        return told(it, range, related);
    }
    let here = Label { span: it.primary.span, text: "it is here".into() };
    related.insert(0, also(&uri, range, &here));
    let mut told = told(it, encoding.line(&at.file, 1), related);
    told.message = format!("{words}: {}", told.message);
    told
}

/// A place of preprocessed text in the file it came from.
struct Placed {
    uri: Uri,
    range: Range,
    /// `file:line`
    words: String,
}

impl Placed {
    fn of(span: Span, sources: &Sources, at: &Snapshot, encoding: Encoding) -> Placed {
        let position = sources.position(span);
        let words = format!("{}:{}", position.file, position.line);
        if *position.file != *at.file.name {
            let line = position.line.saturating_sub(1);
            let range =
                Range::new(lsp_types::Position::new(line, 0), lsp_types::Position::new(line, 0));
            let uri = address(&position.file).unwrap_or_else(|| at.uri.clone());
            return Placed { uri, range, words };
        }
        let any = hardbop_diag::Diagnostic::error(codes::c::SYNTAX, span, "");
        let (shown, moved) = sources.shown(&any);
        let word = shown.snippet(moved.primary.span);
        let range = in_line(&at.file, position.line, position.col, word, encoding);
        Placed { uri: at.uri.clone(), range, words }
    }
}

/// Where some text stands on a line, nearest to a column of the preprocessed line; the preprocessor takes blanks
/// away and replaces macros, and where it has, the whole line is meant.
pub fn in_line(file: &SourceFile, line: u32, col: u32, word: &str, encoding: Encoding) -> Range {
    let Some(span) = line_span(file, line).filter(|_| !word.trim().is_empty()) else {
        return encoding.line(file, line);
    };
    let text = file.snippet(span);
    let found = text.match_indices(word).map(|it| it.0);
    match found.min_by_key(|it| it.abs_diff(col.saturating_sub(1) as usize)) {
        Some(at) => {
            let start = span.start as usize + at;
            encoding.range(file, Span::new(start, start + word.len()))
        }
        None => encoding.line(file, line),
    }
}

/// The address of a file that has one.
pub fn address(file: &str) -> Option<Uri> {
    let path = std::path::absolute(file).ok().filter(|_| !file.starts_with('<'))?;
    hardbop_report::uri(path.to_str()?).parse().ok()
}

fn also(uri: &Uri, range: Range, label: &Label) -> DiagnosticRelatedInformation {
    let location = Location { uri: uri.clone(), range };
    DiagnosticRelatedInformation { location, message: label.text.clone() }
}

fn told(
    it: &hardbop_diag::Diagnostic,
    range: Range,
    related: Vec<DiagnosticRelatedInformation>,
) -> Diagnostic {
    let mut message = it.message.clone();
    if let Some(help) = &it.help {
        message += &format!("\nhelp: {help}");
    }
    let severity = match it.severity {
        // Of a file that others use there is much to say before there is a program.
        _ if it.code == codes::c::NO_ENTRY => DiagnosticSeverity::INFORMATION,
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    Diagnostic {
        severity: Some(severity),
        code: Some(NumberOrString::String(it.code.0.into())),
        related_information: Some(related).filter(|it| !it.is_empty()),
        ..plain(range, message)
    }
}

#[cfg(test)]
mod tests {
    use super::in_line;
    use crate::positions::Encoding;
    use hardbop_base::SourceFile;

    #[test]
    fn a_word_is_found_where_the_preprocessor_has_moved_it() {
        let file = SourceFile::new("f.c", "\n  x   =  y + y;  \n");
        let columns = |col, word| {
            let range = in_line(&file, 2, col, word, Encoding::Utf8);
            (range.start.character, range.end.character)
        };
        assert_eq!(columns(7, "y"), (9, 10));
        assert_eq!(columns(13, "y"), (13, 14));
        assert_eq!(columns(3, "MACRO"), (2, 15));
        assert_eq!(columns(3, ""), (2, 15));
    }
}
