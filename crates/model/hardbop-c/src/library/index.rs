//! Where each name of the library is defined, found by a scan that looks at braces and words alone.
//!
//! The files keep to a form that makes this exact, and a test compares it with the parser: what is
//! defined at the outermost level begins in the first column of a line.

use std::ops::Range;
use std::sync::OnceLock;

use crate::locks::LockTable;
use rustc_hash::{FxHashMap, FxHashSet};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// The files with their texts.
        pub(super) const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../library/", $name)))),*];
    };
}

files![
    "brief.c",
    "builtins.c",
    "ctype.c",
    "err.c",
    "errno.c",
    "format.c",
    "getopt.c",
    "inttypes.c",
    "locale.c",
    "math.c",
    "pthread.c",
    "scan.c",
    "search.c",
    "signal.c",
    "stdio.c",
    "stdlib.c",
    "string.c",
    "strings.c",
    "threads.c",
    "time.c",
    "unistd.c",
    "wchar.c",
];

/// What programs that start threads get. In others nothing interrupts, and a wait that is not over is one for ever.
pub(super) const OF_THREADS: &str = "pthread.c";

/// What proofs about loops get in the place of functions that go along texts.
pub(super) const IN_BRIEF: &str = "brief.c";

/// How much is said of what the library does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Detail {
    Full,
    /// All that the functions may do, and perhaps more, in fewer words.
    Brief,
}

/// Of these, what has a meaning only where a thread is started.
const STARTS_AND_ENDS: [&str; 6] =
    ["pthread_create", "pthread_join", "pthread_exit", "thrd_create", "thrd_join", "thrd_exit"];

/// What is said about locks and what else waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Locks {
    /// One thread, and mutexes that are not told their kind.
    Plain,
    /// One thread; some mutexes may be taken again by their holder.
    OfKinds,
    OfThreads,
}

/// Something defined at the outermost level.
pub(super) struct Item {
    pub file: usize,
    pub range: Range<usize>,
    /// Of its first character, counted from 1.
    pub line: usize,
}

pub(super) struct Index {
    pub items: Vec<Item>,
    by_name: FxHashMap<&'static str, usize>,
    of_threads: FxHashMap<&'static str, usize>,
    in_brief: FxHashMap<&'static str, usize>,
}

/// The text of all that these names need, each after what it needs; `None` if that is nothing.
pub(super) fn closure(
    wanted: impl Iterator<Item = String>,
    is_defined: impl Fn(&str) -> bool,
    locks: Locks,
    detail: Detail,
) -> Option<String> {
    let index = Index::get();
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    let mut text = String::new();
    let find = |name: &str| {
        let brief = index.in_brief.get(name).copied().filter(|_| detail == Detail::Brief);
        brief.or_else(|| index.find(name, locks)).filter(|_| !is_defined(name))
    };
    for name in wanted {
        let Some(first) = find(&name).filter(|&it| taken.insert(it)) else { continue };
        // Depth first with a stack of its own: an item is written when all it needs has been.
        let mut open = vec![(first, index.words(first))];
        while let Some((item, words)) = open.last_mut() {
            let item = *item;
            match words.find_map(|it| find(it).filter(|&it| taken.insert(it))) {
                Some(next) => open.push((next, index.words(next))),
                None => {
                    index.write(item, &mut text);
                    open.pop();
                }
            }
        }
    }
    (!text.is_empty()).then_some(text)
}

impl Index {
    pub fn get() -> &'static Index {
        static INDEX: OnceLock<Index> = OnceLock::new();
        INDEX.get_or_init(|| {
            let mut index = Index {
                items: Vec::new(),
                by_name: FxHashMap::default(),
                of_threads: FxHashMap::default(),
                in_brief: FxHashMap::default(),
            };
            for file in 0..FILES.len() {
                index.scan(file);
            }
            index
        })
    }

    fn scan(&mut self, file: usize) {
        let text = FILES[file].1;
        let (mut at, mut line) = (0, 1);
        while at < text.len() {
            let rest = &text[at..];
            let begins = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let length = match (begins, rest.starts_with("/*")) {
                (true, _) => item_length(rest),
                (_, true) => rest.find("*/").map_or(rest.len(), |it| it + 2),
                _ => rest.find('\n').map_or(rest.len(), |it| it + 1),
            };
            let range = at..at + length;
            if begins {
                for name in names(&text[range.clone()]) {
                    let names = match FILES[file].0 {
                        OF_THREADS => &mut self.of_threads,
                        IN_BRIEF => &mut self.in_brief,
                        _ => &mut self.by_name,
                    };
                    names.insert(name, self.items.len());
                }
                self.items.push(Item { file, range: range.clone(), line });
            }
            line += text[range].matches('\n').count();
            at += length;
        }
    }

    fn find(&self, name: &str, locks: Locks) -> Option<usize> {
        let is_threads = match locks {
            Locks::OfThreads => true,
            _ if STARTS_AND_ENDS.contains(&name) => false,
            // Where the table of locks is enough it is what engines know best.
            Locks::Plain => LockTable::default().find(name).is_none(),
            Locks::OfKinds => true,
        };
        let (of_threads, by_name) = (self.of_threads.get(name), self.by_name.get(name));
        let of_threads = of_threads.filter(|_| is_threads);
        match locks {
            Locks::OfThreads => of_threads.or(by_name),
            Locks::Plain | Locks::OfKinds => by_name.or(of_threads),
        }
        .copied()
    }

    /// The text of what defines a name.
    pub fn text(&self, name: &str) -> Option<&'static str> {
        let it = &self.items
            [self.find(name, Locks::Plain).or_else(|| self.find(name, Locks::OfThreads))?];
        Some(&FILES[it.file].1[it.range.clone()])
    }

    fn words(&self, item: usize) -> impl Iterator<Item = &'static str> + use<> {
        let it = &self.items[item];
        words(&FILES[it.file].1[it.range.clone()])
    }

    /// The item with its place, in a form the preprocessor uses.
    fn write(&self, item: usize, out: &mut String) {
        let it = &self.items[item];
        let (name, text) = FILES[it.file];
        *out += &format!("# {} \"<library>/{name}\"\n{}\n", it.line, &text[it.range.clone()]);
    }
}

/// Up to the semicolon or the brace that ends it. Characters and strings hold no braces unless they
/// are skipped, and comments might.
fn item_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at, mut is_value) = (0usize, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'/' if text[at..].starts_with("/*") => {
                at += text[at..].find("*/").map_or(0, |it| it);
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'(' => depth += 1,
            b'}' | b')' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 => is_value = true,
            b';' if depth == 0 => return at + 1,
            _ => {}
        }
        let is_body = bytes.get(at) == Some(&b'}') && depth == 0 && !is_value;
        // A record or a value goes on up to its semicolon.
        if is_body && !text[at + 1..].trim_start().starts_with(';') {
            return at + 1;
        }
        at += 1;
    }
    text.len()
}

const NO_NAMES: &[&str] = &["static", "const", "extern", "struct", "union", "enum"];

/// The names an item defines, by its head.
pub(super) fn names(item: &'static str) -> Vec<&'static str> {
    let head_end = item.find(['{', '=', ';', '[']).unwrap_or(item.len());
    let head = &item[..head_end];
    if let Some(at) = head.find('(') {
        // A pointer to functions has its name behind the star.
        return match head[at..].starts_with("(*") {
            true => words(&head[at..]).take(1).collect(),
            false => words(&head[..at]).last().into_iter().collect(),
        };
    }
    let is_list = item[head_end..].starts_with('{');
    let last = words(head).filter(|it| !NO_NAMES.contains(it)).last();
    match is_list && head.starts_with("enum") {
        true => words(&item[head_end..]).filter(|it| it.starts_with(char::is_uppercase)).collect(),
        false => last.into_iter().collect(),
    }
}

/// The words of a text that are not inside of comments, strings or numbers.
fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if first.is_ascii_alphabetic() || first == '_' {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let word = &rest[..end];
                rest = &rest[end..];
                return Some(word);
            }
            let skipped = match first {
                '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |it| it + 2),
                '"' | '\'' => quoted_length(rest),
                '0'..='9' => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            rest = &rest[skipped.min(rest.len())..];
        }
    })
}

fn quoted_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}
