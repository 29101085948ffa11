//! The sources that a page shows: those its results name, and no other file.

use std::path::Path;

use hardbop_report::Record;
use serde_json::Value;

use crate::voice::tell;

/// A longer file is not put on a page.
const LONGEST: u64 = 4 << 20;

/// As [`named_in`], of a result whose names are as seen from a folder: what lies below it may be shown.
pub fn below(record: &Value, folder: &Path) -> Vec<(String, String)> {
    let Ok(folder) = folder.canonicalize() else { return Vec::new() };
    let Ok(record) = Record::of(record) else { return Vec::new() };
    let text = |name: &&str| {
        let path = folder.join(name).canonicalize().ok().filter(|it| it.starts_with(&folder))?;
        let there = std::fs::metadata(&path).ok().filter(|it| it.is_file() && it.len() <= LONGEST);
        let bytes = there.and_then(|_| std::fs::read(&path).ok())?;
        Some((name.to_string(), String::from_utf8_lossy(&bytes).into_owned()))
    };
    record.files().iter().filter_map(text).collect()
}

/// Names and texts of the files a result speaks of that may be shown.
pub fn named_in(record: &Value, may_be_shown: impl Fn(&Path) -> bool) -> Vec<(String, String)> {
    let Ok(record) = Record::of(record) else { return Vec::new() };
    let mut sources = Vec::new();
    for name in record.files() {
        let path = Path::new(name);
        // Several C files make one name, and standard input none; the page says that a text is missing.
        let Ok(there) = std::fs::metadata(path) else { continue };
        if !there.is_file() {
            continue;
        }
        if there.len() > LONGEST || !may_be_shown(path) {
            tell!(
                "hardbop: {name} is not put on the page: it is too long, or outside of the folder"
            );
            continue;
        }
        match std::fs::read(path) {
            Ok(bytes) => sources.push((name.into(), String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) => tell!("hardbop: {name}: {error}"),
        }
    }
    sources
}
