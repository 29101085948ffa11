//! The documents that are open, with the text as it is in the editor.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use hardbop_base::{Budget, CancelToken, Exhausted, SourceFile};
use lsp_types::{Diagnostic, TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use crate::bp::Syntax;
use crate::c::Symbol;
use crate::checking::Checked;
use crate::failure::Failure;
use crate::positions::Encoding;

/// A request waits for the syntax of a text no longer than this.
const SYNTAX_TIME: Duration = Duration::from_secs(2);

/// What a document is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Bp,
    C,
    /// Nothing is said about it: a header means something only where it is included.
    Other,
}

impl Kind {
    /// By the end of the name; the client's word counts for names that say nothing.
    fn of(path: &Path, language: &str) -> Kind {
        match (path.extension().and_then(|it| it.to_str()), language) {
            (Some("bp"), _) => Kind::Bp,
            (Some("c" | "i"), _) => Kind::C,
            (Some("h"), _) => Kind::Other,
            (_, "bp" | "boolean-program") => Kind::Bp,
            (_, "c") => Kind::C,
            _ => Kind::Other,
        }
    }
}

/// A text at one moment, for a thread that works on it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub uri: Uri,
    pub kind: Kind,
    pub path: PathBuf,
    pub version: i32,
    pub file: Arc<SourceFile>,
}

#[derive(Debug)]
pub struct Document {
    now: Snapshot,
    /// Ends the thread that reads this text.
    pub reading: CancelToken,
    /// The mistakes of the text that was read last.
    pub mistakes: Vec<Diagnostic>,
    /// Of C, by the text that was read last.
    pub symbols: Rc<Vec<Symbol>>,
    /// What is known about exactly this text.
    pub checked: Option<Checked>,
    /// Or why it takes too long.
    syntax: OnceCell<Result<Rc<Syntax>, Exhausted>>,
}

impl Document {
    fn new(item: TextDocumentItem) -> Document {
        let TextDocumentItem { uri, language_id, version, text } = item;
        let path = match hardbop_report::path_of(uri.as_str()) {
            Some(path) => PathBuf::from(path),
            // Not saved yet: a name that the preprocessor takes.
            None => PathBuf::from(
                uri.path().segments().next_back().map_or("untitled", |it| it.as_str()),
            ),
        };
        let kind = Kind::of(&path, &language_id);
        let file = Arc::new(SourceFile::new(path.display().to_string(), text));
        Document {
            now: Snapshot { uri, kind, path, version, file },
            reading: CancelToken::default(),
            mistakes: Vec::new(),
            symbols: Rc::default(),
            checked: None,
            syntax: OnceCell::new(),
        }
    }

    pub fn now(&self) -> &Snapshot {
        &self.now
    }

    pub fn file(&self) -> &SourceFile {
        &self.now.file
    }

    pub fn kind(&self) -> Kind {
        self.now.kind
    }

    /// Replaces ranges, one after the other, or the whole.
    fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        for change in changes {
            let old = &*self.now.file;
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let start = encoding.offset(old, range.start);
                    let end = encoding.offset(old, range.end).max(start);
                    format!("{}{}{}", &old.text[..start], change.text, &old.text[end..])
                }
            };
            self.now.file = Arc::new(SourceFile::new(old.name.clone(), text));
        }
        self.now.version = version;
        self.syntax = OnceCell::new();
        self.outdate();
    }

    /// What was read and checked is not what it was: a verdict is about the text and the files it includes.
    fn outdate(&mut self) {
        self.reading.cancel();
        self.reading = CancelToken::default();
        self.checked = None;
    }

    /// The syntax of the text as it is now.
    pub fn syntax(&self) -> Result<Rc<Syntax>, Failure> {
        let read = || {
            let budget = Budget::unlimited().with_time(SYNTAX_TIME);
            Syntax::of(self.file(), &budget).map(Rc::new)
        };
        self.syntax.get_or_init(read).clone().map_err(Failure::refused)
    }
}

/// All that are open, by address.
#[derive(Debug, Default)]
pub struct Documents(BTreeMap<Uri, Document>);

impl Documents {
    pub fn open(&mut self, item: TextDocumentItem) -> Snapshot {
        let uri = item.uri.clone();
        let document = Document::new(item);
        let now = document.now.clone();
        if let Some(old) = self.0.insert(uri, document) {
            old.reading.cancel();
        }
        now
    }

    pub fn close(&mut self, uri: &Uri) {
        if let Some(old) = self.0.remove(uri) {
            old.reading.cancel();
        }
    }

    /// The new text; `None` if there is no such document.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Option<Snapshot> {
        let document = self.0.get_mut(uri)?;
        document.change(version, changes, encoding);
        Some(document.now.clone())
    }

    pub fn get(&self, uri: &Uri) -> Result<&Document, Failure> {
        self.0.get(uri).ok_or_else(|| Failure::params(format!("{} is not open", uri.as_str())))
    }

    /// The document, if its text is still the one a thread has worked on. Versions do not tell: a document that
    /// is closed and opened again has the same.
    pub fn current(&mut self, at: &Snapshot) -> Option<&mut Document> {
        self.0.get_mut(&at.uri).filter(|it| Arc::ptr_eq(&it.now.file, &at.file))
    }

    /// All documents of a kind but one, which are to be read again.
    pub fn outdate(&mut self, kind: Kind, but: Option<&Uri>) -> Vec<Snapshot> {
        let of_kind = self.0.values_mut().filter(|it| it.now.kind == kind);
        let those = of_kind.filter(|it| Some(&it.now.uri) != but);
        those
            .map(|it| {
                it.outdate();
                it.now.clone()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Documents, Kind};
    use crate::positions::Encoding;
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent, TextDocumentItem, Uri};

    fn open(uri: &str, language: &str, text: &str) -> (Documents, Uri) {
        let uri: Uri = uri.parse().unwrap();
        let mut documents = Documents::default();
        documents.open(TextDocumentItem::new(uri.clone(), language.into(), 1, text.into()));
        (documents, uri)
    }

    fn edit(range: Option<[u32; 4]>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range.map(|[a, b, c, d]| Range::new(Position::new(a, b), Position::new(c, d)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.into() }
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let (mut documents, uri) = open("file:///a.bp", "", "é1\nbc\n");
        let changes =
            [edit(Some([0, 1, 0, 2]), "XY\n"), edit(Some([2, 1, 9, 9]), "!"), edit(None, "")];
        let mut at =
            |n| documents.change(&uri, 2, changes[n..n + 1].to_vec(), Encoding::Utf16).unwrap();
        assert_eq!(at(0).file.text, "éXY\n\nbc\n");
        assert_eq!(at(1).file.text, "éXY\n\nb!");
        assert_eq!(at(2).file.text, "");
        // A range that is the wrong way round inserts.
        let backwards = vec![edit(None, "abc"), edit(Some([0, 2, 0, 1]), "-")];
        let now = documents.change(&uri, 3, backwards, Encoding::Utf8).unwrap();
        assert_eq!((now.file.text.as_str(), now.version), ("ab-c", 3));
        assert!(documents.current(&now).is_some());
        documents.open(TextDocumentItem::new(uri, String::new(), 3, "ab-c".into()));
        assert!(documents.current(&now).is_none(), "it was opened again");
    }

    #[test]
    fn kinds_go_by_the_name_and_then_by_the_language() {
        for (uri, language, kind) in [
            ("file:///a.bp", "plaintext", Kind::Bp),
            ("file:///a.i", "", Kind::C),
            ("file:///a.h", "c", Kind::Other),
            ("untitled:Untitled-1", "boolean-program", Kind::Bp),
            ("untitled:Untitled-1", "c", Kind::C),
            ("file:///a.rs", "rust", Kind::Other),
        ] {
            let (documents, uri) = open(uri, language, "");
            assert_eq!(documents.get(&uri).unwrap().kind(), kind, "{uri:?}");
        }
    }
}
