//! Diagnostics as text: underlined source for people, one line each for tools.
//!
//! The snippet library is a private detail. It is given only the lines at hand, cut to a readable
//! width around what is underlined and free of control characters, so that its work does not grow
//! with the file and odd bytes reach no terminal.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use hardbop_base::{LineCol, SourceFile, Span};

use crate::{Diagnostic, Severity};

/// Characters of a line shown on each side of what is underlined; longer lines are cut.
const MARGIN: usize = 60;
/// An underline is cut to this many characters.
const UNDERLINE: usize = 120;
/// Further places shown.
const SECONDARY: usize = 5;

/// Code, message, the underlined source and what would help, over several lines without a newline
/// at the end.
pub fn render_terminal(file: &SourceFile, diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&diagnostic.message);
    let mut groups = Group::with_title(level.primary_title(message).id(diagnostic.code.0));
    let primary = std::iter::once((&diagnostic.primary, AnnotationKind::Primary));
    let secondary = diagnostic.secondary.iter().map(|label| (label, AnnotationKind::Context));
    let name = printable(&file.name);
    let mut columns = Vec::new();
    for (label, kind) in primary.chain(secondary.take(SECONDARY)) {
        let excerpt = Excerpt::new(file, label.span);
        // The library counts columns in the excerpt.
        let (at, shown) = (position(file, label.span), excerpt.column());
        if at.col != shown {
            let place = format!("{name}:{}:", at.line);
            columns.push((format!("{place}{shown}"), format!("{place}{}", at.col)));
        }
        groups = groups.element(excerpt.snippet(&label.text, kind).path(name.clone()));
    }
    if let Some(help) = &diagnostic.help {
        groups = groups.element(Level::HELP.message(printable(help)));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(2 * MARGIN + UNDERLINE + 40);
    let text = renderer.render(&[groups]);
    columns.iter().fold(text, |text, (shown, right)| text.replacen(shown, right, 1))
}

/// `file:line:col: error[bp0003]: message`
pub fn render_concise(file: &SourceFile, diagnostic: &Diagnostic) -> String {
    let at = position(file, diagnostic.primary.span);
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let message = printable(&diagnostic.message);
    let (name, code) = (printable(&file.name), diagnostic.code);
    format!("{name}:{}:{}: {severity}[{code}]: {message}", at.line, at.col)
}

fn position(file: &SourceFile, span: Span) -> LineCol {
    file.line_col(span.start.min(file.text.len() as u32))
}

/// One line of the source, made fit to be shown.
struct Excerpt {
    text: String,
    line: usize,
    /// What is underlined, in bytes of `text`.
    mark: std::ops::Range<usize>,
}

impl Excerpt {
    /// The first line of a span; what is on further lines is left to the reader's eye.
    fn new(file: &SourceFile, span: Span) -> Self {
        let length = file.text.len() as u32;
        let line = file.line(span.start.min(length));
        let whole = file.line_text(line);
        // Both lie in one allocation: the distance is the line's offset.
        let line_start = whole.as_ptr() as usize - file.text.as_ptr() as usize;
        let inside = |offset: u32| {
            let mut at = (offset.min(length) as usize).saturating_sub(line_start).min(whole.len());
            while !whole.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (inside(span.start), inside(span.end));
        let (before, marked, after) = (&whole[..start], &whole[start..end], &whole[end..]);
        let mut text = String::new();
        let skipped = before.chars().count().saturating_sub(MARGIN);
        text.push_str(if skipped > 0 { "…" } else { "" });
        text.extend(before.chars().skip(skipped).map(visible));
        let mark_start = text.len();
        push_cut(&mut text, marked, UNDERLINE);
        let mark_end = text.len();
        push_cut(&mut text, after, MARGIN);
        Excerpt { text, line: line as usize, mark: mark_start..mark_end }
    }

    /// Where the mark begins, counted from 1.
    fn column(&self) -> u32 {
        self.text[..self.mark.start].chars().count() as u32 + 1
    }

    fn snippet(self, label: &str, kind: AnnotationKind) -> Snippet<'static, Annotation<'static>> {
        let mut annotation = kind.span(self.mark);
        if !label.is_empty() {
            annotation = annotation.label(printable(label));
        }
        Snippet::source(self.text).line_start(self.line).annotation(annotation)
    }
}

fn push_cut(out: &mut String, text: &str, n_chars: usize) {
    out.extend(text.chars().take(n_chars).map(visible));
    if text.chars().nth(n_chars).is_some() {
        out.push('…');
    }
}

/// Tabs become blanks and other control characters a sign that shows there is one; so do the
/// characters that turn the direction of writing.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::{render_concise, render_terminal};
    use crate::{Code, Diagnostic};
    use hardbop_base::{SourceFile, Span};

    fn sample() -> (SourceFile, Diagnostic) {
        let file = SourceFile::new(
            "lock.bp",
            "decl held;\nvoid main() begin\n\theld := 1;\n  hold := 0;\nend\n",
        );
        let it =
            Diagnostic::error(Code("bp0020"), Span::new(43, 47), "there is no variable `hold`");
        let it = it.label("used here").also(Span::new(5, 9), "declared here");
        (file, it.help("did you mean `held`?"))
    }

    #[test]
    fn a_diagnostic_shows_code_places_and_help() {
        let (file, it) = sample();
        let expected = "\
error[bp0020]: there is no variable `hold`
 --> lock.bp:4:3
  |
4 |   hold := 0;
  |   ^^^^ used here
  |
 ::: lock.bp:1:6
  |
1 | decl held;
  |      ---- declared here
  |
  = help: did you mean `held`?";
        assert_eq!(render_terminal(&file, &it, false), expected);
        assert_eq!(
            render_concise(&file, &it),
            "lock.bp:4:3: error[bp0020]: there is no variable `hold`"
        );
    }

    #[test]
    fn colour_changes_nothing_but_the_colour() {
        let (file, it) = sample();
        let styled = render_terminal(&file, &it, true);
        assert!(styled.contains("\u{1b}["));
        let mut plain = String::new();
        let mut parts = styled.split("\u{1b}[");
        plain.push_str(parts.next().unwrap_or(""));
        for part in parts {
            plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
        }
        assert_eq!(plain, render_terminal(&file, &it, false));
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}XY{}", "a&".repeat(500_000), "|b".repeat(500_000));
        let file = SourceFile::new("f", text);
        for span in [Span::new(1_000_000, 1_000_002), Span::new(0, 1_000_000), Span::new(0, 0)] {
            let shown =
                render_terminal(&file, &Diagnostic::error(Code("bp0006"), span, "m"), false);
            assert!(shown.lines().all(|line| line.chars().count() < 300), "{shown}");
            assert!(shown.contains('…') && shown.contains('^'), "{shown}");
            assert!(shown.contains(&format!("f:1:{}\n", span.start + 1)), "{shown}");
        }
    }

    #[test]
    fn no_span_and_no_byte_breaks_the_renderer() {
        for text in ["", "\n", "é\u{1b}[31m\0\u{202e}x\r\ny", "\u{feff}", "a\tb 漢字 🙂\n"] {
            let file = SourceFile::new("odd\u{7}name", text);
            for start in 0..text.len() as u32 + 2 {
                for end in start..text.len() as u32 + 3 {
                    let it = Diagnostic::error(Code("bp0003"), Span { start, end }, "m\u{1b}");
                    let it = it.also(Span { start: end, end: u32::MAX }, "\r");
                    let shown = render_terminal(&file, &it, false);
                    assert!(shown.contains("bp0003") && !shown.contains('\u{1b}'), "{shown:?}");
                    let line = render_concise(&file, &it);
                    assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
                }
            }
        }
    }
}
