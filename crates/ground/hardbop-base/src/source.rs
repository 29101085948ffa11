//! Positions in the text a user wrote.

/// A half-open range of bytes of one source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A position as people count: both numbers begin at 1, columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LineCol {
    pub line: u32,
    pub col: u32,
}

/// A file's name and text, with its line starts.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As the user wrote it.
    pub name: String,
    pub text: String,
    /// Byte offset of each line's first byte.
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// `text` is shorter than 4 GiB: the loader refuses longer files.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        SourceFile { name: name.into(), text, line_starts }
    }

    /// The line a byte offset lies on, beginning at 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset) as u32
    }

    pub fn line_col(&self, offset: u32) -> LineCol {
        let line = self.line(offset);
        let start = self.line_starts[line as usize - 1] as usize;
        let before = self.text.get(start..offset as usize).unwrap_or("");
        LineCol { line, col: before.chars().count() as u32 + 1 }
    }

    /// The text of a line without its end, counted from 1.
    pub fn line_text(&self, line: u32) -> &str {
        let start = self.line_starts[line as usize - 1] as usize;
        let end =
            self.line_starts.get(line as usize).map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    pub fn n_lines(&self) -> usize {
        self.line_starts.len()
    }

    /// The text of a span; empty where the span does not lie on character bounds.
    pub fn snippet(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::{LineCol, SourceFile};

    #[test]
    fn lines_and_columns_count_from_one() {
        let file = SourceFile::new("f", "ab\nçd\r\n\nx");
        assert_eq!(file.line_col(0), LineCol { line: 1, col: 1 });
        assert_eq!(file.line_col(5), LineCol { line: 2, col: 2 });
        assert_eq!(file.line_text(2), "çd");
        assert_eq!(file.line_text(3), "");
        assert_eq!(file.line_text(4), "x");
        assert_eq!(file.n_lines(), 4);
    }
}
