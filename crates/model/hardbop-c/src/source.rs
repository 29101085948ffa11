//! The text of all units one after the other, and the way back to files and lines.
//!
//! A [`Span`] is a range of the concatenation; `# line` markers of the preprocessor say which file
//! and line a line of a unit came from.

use hardbop_base::{Name, SourceFile, Span};
use hardbop_diag::Diagnostic;

/// A place in a file the user wrote, counted from 1. The column is that of the preprocessed line,
/// which differs where a macro stands before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub file: Name,
    pub line: u32,
    pub col: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Sources {
    units: Vec<Unit>,
}

#[derive(Clone, Debug)]
struct Unit {
    file: SourceFile,
    start: u32,
    /// From which line of the unit on, which file and line.
    markers: Vec<(u32, Name, u32)>,
}

impl Sources {
    /// Adds the (preprocessed) text of a unit; its first offset.
    pub fn add(&mut self, name: &str, text: String) -> u32 {
        let start =
            self.units.last().map_or(0, |unit| unit.start + unit.file.text.len() as u32 + 1);
        let mut markers = vec![(1, Name::from(name), 1)];
        for (at, line) in text.lines().enumerate() {
            if let Some((number, file)) = marker(line) {
                let file = if file.is_empty() {
                    markers[markers.len() - 1].1.clone()
                } else {
                    file.into()
                };
                markers.push((at as u32 + 2, file, number));
            }
        }
        self.units.push(Unit { file: SourceFile::new(name, text), start, markers });
        start
    }

    fn unit(&self, offset: u32) -> Option<&Unit> {
        let after = self.units.partition_point(|unit| unit.start <= offset);
        self.units.get(after.checked_sub(1)?)
    }

    /// The text of the unit that begins at `start`.
    pub fn unit_text(&self, start: u32) -> &str {
        self.unit(start).map_or("", |unit| &unit.file.text)
    }

    /// Whether a file of this name was included somewhere.
    pub fn includes(&self, name: &str) -> bool {
        let mut files = self.units.iter().flat_map(|it| &it.markers);
        files.any(|it| std::path::Path::new(&*it.1).file_name().is_some_and(|it| it == name))
    }

    pub fn position(&self, span: Span) -> Position {
        let Some(unit) = self.unit(span.start) else {
            return Position { file: "".into(), line: 1, col: 1 };
        };
        let at = unit.file.line_col((span.start - unit.start).min(unit.file.text.len() as u32));
        let marker = unit.markers.partition_point(|it| it.0 <= at.line).saturating_sub(1);
        let (first, file, number) = &unit.markers[marker];
        Position { file: file.clone(), line: number + at.line.saturating_sub(*first), col: at.col }
    }

    /// Whether the place is in text of ours, not of the user.
    pub fn is_ours(&self, span: Span) -> bool {
        self.position(span).file.starts_with('<')
    }

    /// The text of a span on one line, without what the preprocessor noted in between, cut where it is
    /// long.
    pub fn snippet(&self, span: Span) -> String {
        let Some(unit) = self.unit(span.start) else { return String::new() };
        let range =
            Span { start: span.start - unit.start, end: span.end.saturating_sub(unit.start) };
        let text = unit.file.text.get(range.range()).unwrap_or("");
        let mut short = String::new();
        let lines = text.lines().filter(|line| marker(line).is_none());
        for word in lines.flat_map(str::split_ascii_whitespace) {
            if !short.is_empty() {
                short.push(' ');
            }
            short.push_str(word);
            if short.len() > 60 {
                let cut = (0..=60).rev().find(|&at| short.is_char_boundary(at)).unwrap_or(0);
                short.truncate(cut);
                short.push('…');
                break;
            }
        }
        short.chars().map(crate::text::shown).collect()
    }

    /// A diagnostic of these sources with a text the renderer can underline: the line as the
    /// preprocessor left it, under the number and the file it came from.
    pub fn shown(&self, diagnostic: &Diagnostic) -> (SourceFile, Diagnostic) {
        let mut moved = diagnostic.clone();
        // Places of a C diagnostic may lie in several files; the renderer underlines in one.
        moved.secondary.clear();
        let span = diagnostic.primary.span;
        let Some(unit) = self.unit(span.start) else {
            moved.primary.span = Span::default();
            return (SourceFile::new("", ""), moved);
        };
        let at = self.position(span);
        let length = unit.file.text.len() as u32;
        let start = (span.start - unit.start).min(length);
        let line = unit.file.line_text(unit.file.line(start));
        // Both lie in one allocation: the distance is the line's offset.
        let line_start = (line.as_ptr() as usize - unit.file.text.as_ptr() as usize) as u32;
        let above = at.line.saturating_sub(1);
        let shown: String = line.chars().map(crate::text::shown).collect();
        let text = "\n".repeat(above as usize) + &shown;
        let inside = |offset: u32| {
            let before = offset.saturating_sub(unit.start + line_start) as usize;
            let before = line.char_indices().take_while(|it| it.0 < before);
            above + before.map(|it| crate::text::shown(it.1).len_utf8() as u32).sum::<u32>()
        };
        moved.primary.span = Span { start: inside(span.start), end: inside(span.end) };
        (SourceFile::new(&*at.file, text), moved)
    }
}

/// `# 12 "file.c" 1 3` or `#line 12 "file.c"`.
fn marker(line: &str) -> Option<(u32, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let file = rest[digits..].trim_start().strip_prefix('"').and_then(|it| it.split('"').next());
    Some((number, file.unwrap_or("")))
}

#[cfg(test)]
mod tests {
    use super::Sources;
    use hardbop_base::Span;
    use hardbop_diag::{Diagnostic, codes, render};

    #[test]
    fn a_place_is_shown_under_the_line_it_came_from() {
        let mut sources = Sources::default();
        sources.add("a.c", "int a;\n".into());
        let text = "# 1 \"b.c\"\n# 40 \"b.h\" 1\n  int  x = ;\n";
        let start = sources.add("b.c", text.into());
        let at = start + text.find(';').unwrap() as u32;
        let span = Span { start: at, end: at + 1 };
        let (file, moved) = sources.shown(&Diagnostic::error(codes::c::SYNTAX, span, "no"));
        assert_eq!(
            render::render_terminal(&file, &moved, false),
            "error[c0001]: no\n  --> b.h:40:12\n   |\n40 |   int  x = ;\n   |            ^"
        );
    }
}
