//! The text of all units one after the other, and the way back to files and lines.
//!
//! A [`Span`] is a range of the concatenation; `# line` markers of the preprocessor say which file
//! and line a line of a unit came from.

use hardbop_base::{Name, SourceFile, Span};

/// A place in a file the user wrote, counted from 1. The column is that of the preprocessed line,
/// which differs where a macro stands before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub file: Name,
    pub line: u32,
    pub col: u32,
}

#[derive(Debug, Default)]
pub struct Sources {
    units: Vec<Unit>,
}

#[derive(Debug)]
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

    pub fn position(&self, span: Span) -> Position {
        let Some(unit) = self.unit(span.start) else {
            return Position { file: "".into(), line: 1, col: 1 };
        };
        let at = unit.file.line_col((span.start - unit.start).min(unit.file.text.len() as u32));
        let marker = unit.markers.partition_point(|it| it.0 <= at.line).saturating_sub(1);
        let (first, file, number) = &unit.markers[marker];
        Position { file: file.clone(), line: number + at.line.saturating_sub(*first), col: at.col }
    }

    /// The text of a span on one line, cut where it is long.
    pub fn snippet(&self, span: Span) -> String {
        let Some(unit) = self.unit(span.start) else { return String::new() };
        let range =
            Span { start: span.start - unit.start, end: span.end.saturating_sub(unit.start) };
        let text = unit.file.text.get(range.range()).unwrap_or("");
        let mut short = String::new();
        for word in text.split_ascii_whitespace() {
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
        short
    }

    /// The unit a span lies in, as text the renderer can underline, and the span within it.
    pub fn unit_of(&self, span: Span) -> Option<(&SourceFile, Span)> {
        let unit = self.unit(span.start)?;
        let end = span.end.saturating_sub(unit.start);
        Some((&unit.file, Span { start: span.start - unit.start, end }))
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
