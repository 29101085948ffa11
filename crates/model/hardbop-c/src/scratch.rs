//! Folders for files that only the preprocessor reads.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that nobody else has; it goes when this goes.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub fn create(what: &str) -> io::Result<Folder> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hardbop-{what}-{}-{n}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Not `create_dir_all`: a folder that is there already is somebody else's.
        std::fs::create_dir(&path)?;
        Ok(Folder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
