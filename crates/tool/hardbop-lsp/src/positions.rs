//! Places as clients count them: lines from 0, and within a line the units of the encoding that was agreed on.

use hardbop_base::{SourceFile, Span};
use lsp_types::{Position, PositionEncodingKind, Range};

/// Where a line is, without its end, counted from 1; `None` behind the last.
pub fn line_span(file: &SourceFile, line: u32) -> Option<Span> {
    if line == 0 || line as usize > file.n_lines() {
        return None;
    }
    let text = file.line_text(line);
    // Both lie in one allocation: the distance is the line's offset.
    let start = text.as_ptr() as usize - file.text.as_ptr() as usize;
    Some(Span::new(start, start + text.len()))
}

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    Utf8,
    /// What a client means that says nothing.
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// Ours are bytes, so those are preferred. Whoever offers nothing that we know gets the default.
    pub fn negotiate(offered: &[PositionEncodingKind]) -> Encoding {
        let ours = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
        ours.into_iter().find(|it| offered.contains(&it.kind())).unwrap_or_default()
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// How many units a text has.
    pub fn length(self, text: &str) -> u32 {
        text.chars().map(|c| self.width(c)).sum::<usize>() as u32
    }

    /// The byte a position is before. Behind the end of a line is its end, behind the last line the end of the
    /// text, and inside of a character its beginning.
    pub fn offset(self, file: &SourceFile, at: Position) -> usize {
        let Some(line) = at.line.checked_add(1).and_then(|it| line_span(file, it)) else {
            return file.text.len();
        };
        let mut units = 0;
        for (offset, c) in file.snippet(line).char_indices() {
            units += self.width(c);
            if units > at.character as usize {
                return line.start as usize + offset;
            }
        }
        line.end as usize
    }

    pub fn position(self, file: &SourceFile, offset: u32) -> Position {
        let offset = offset.min(file.text.len() as u32);
        let line = file.line(offset);
        let start = line_span(file, line).map_or(0, |it| it.start as usize);
        let before = file.text.get(start..offset as usize).unwrap_or("");
        Position { line: line - 1, character: self.length(before) }
    }

    pub fn range(self, file: &SourceFile, span: Span) -> Range {
        Range { start: self.position(file, span.start), end: self.position(file, span.end) }
    }

    /// What stands on a line, counted from 1, without the blanks around it; of a line that is not there the first.
    pub fn line(self, file: &SourceFile, line: u32) -> Range {
        let span = line_span(file, line).or_else(|| line_span(file, 1)).unwrap_or_default();
        let text = file.snippet(span);
        let blanks = text.len() - text.trim_start().len();
        let start = span.start as usize + blanks;
        self.range(file, Span::new(start, start + text.trim().len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Encoding;
    use hardbop_base::SourceFile;
    use lsp_types::{Position, PositionEncodingKind};

    const TEXT: &str = "a\u{10348}é;\r\n\nx";

    #[test]
    fn columns_are_counted_in_the_units_agreed_on() {
        let file = SourceFile::new("f", TEXT);
        let semicolon = TEXT.find(';').unwrap();
        for (encoding, column) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)]
        {
            let at = encoding.position(&file, semicolon as u32);
            assert_eq!(at, Position::new(0, column));
            assert_eq!(encoding.offset(&file, at), semicolon);
        }
    }

    #[test]
    fn what_is_outside_of_the_text_is_at_its_edge() {
        let file = SourceFile::new("f", TEXT);
        let offset = |line, character| Encoding::Utf16.offset(&file, Position { line, character });
        assert_eq!(offset(0, 99), 8);
        assert_eq!(offset(0, 2), 1, "between the halves of one character");
        assert_eq!(offset(u32::MAX, 0), TEXT.len());
        assert_eq!(Encoding::Utf16.position(&file, 999), Position::new(2, 1));
    }

    #[test]
    fn bytes_are_preferred_and_utf_16_is_the_default() {
        use PositionEncodingKind as Kind;
        assert_eq!(Encoding::negotiate(&[Kind::UTF16, Kind::UTF8]), Encoding::Utf8);
        assert_eq!(Encoding::negotiate(&[Kind::UTF32]), Encoding::Utf32);
        assert_eq!(Encoding::negotiate(&[]), Encoding::Utf16);
        assert_eq!(Encoding::negotiate(&[Kind::new("ebcdic")]), Encoding::Utf16);
    }
}
