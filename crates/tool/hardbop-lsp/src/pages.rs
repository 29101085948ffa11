//! The explorer's page of a result, as a file that a browser opens.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};

use hardbop_explorer::{Item, page};
use hardbop_report::Record;
use lsp_types::Uri;

use crate::documents::Snapshot;

/// A longer file is not put on a page.
const LONGEST: u64 = 4 << 20;

/// Writes the page and says where it is. It stays after the server has gone: somebody may be looking at it.
pub fn write(item: &Item, number: u64) -> io::Result<Uri> {
    let name = format!("hardbop-page-{}-{number}.html", std::process::id());
    let path = std::env::temp_dir().join(name);
    // A file that is there already is somebody else's.
    let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
    file.write_all(page(std::slice::from_ref(item)).as_bytes())?;
    let address = path.to_str().map(hardbop_report::uri).and_then(|it| it.parse().ok());
    address.ok_or_else(|| io::ErrorKind::InvalidFilename.into())
}

/// Names and texts of the files a result speaks of; of the document the text that was checked.
pub fn sources(record: &Record, at: &Snapshot) -> Vec<(String, String)> {
    let text = |name: &str| {
        if name == at.file.name {
            return Some(at.file.text.clone());
        }
        let there = fs::metadata(name).ok();
        there.filter(|it| it.is_file() && it.len() <= LONGEST)?;
        let bytes = fs::read(name).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    record.files().into_iter().filter_map(|it| Some((it.to_string(), text(it)?))).collect()
}
