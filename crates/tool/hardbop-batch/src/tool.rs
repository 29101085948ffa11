//! The command that is run, and its identity: the hash of its file. A version number would be the same before and
//! after a repair.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use hardbop_base::sha256;

use crate::error::Trouble;
use crate::store::Store;

/// The command.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its file.
    pub path: PathBuf,
    /// Its hash.
    pub id: String,
}

impl Tool {
    /// Hashing takes a second where the file is large: the store remembers it for as long as the file is the same.
    pub fn at(path: &Path, store: &Store) -> Result<Tool, Trouble> {
        let io = |error| Trouble::io(path, &error);
        let there = std::fs::metadata(path).map_err(io)?;
        let name = path.display();
        let (dev, ino, size) = (there.dev(), there.ino(), there.size());
        let identity =
            format!("{name} {dev}:{ino} {size} {}.{}", there.mtime(), there.mtime_nsec());
        if let Some(id) = store.tool(&identity)? {
            return Ok(Tool { path: path.into(), id });
        }
        let id = sha256::hex(&std::fs::read(path).map_err(io)?);
        store.remember_tool(&identity, &id)?;
        Ok(Tool { path: path.into(), id })
    }
}
