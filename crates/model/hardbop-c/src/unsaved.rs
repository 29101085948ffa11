//! A text that an editor has and the disk has not, as a file for the preprocessor.
//!
//! It lies alone in a folder of its own, calls itself by the name of the file it stands for, and looks for
//! `#include "…"` where that file would.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::scratch::Folder;

pub(crate) struct Copy {
    folder: Folder,
    /// The name without its folders.
    name: OsString,
    /// Where the file it stands for lies.
    home: PathBuf,
}

impl Copy {
    pub fn write(path: &Path, text: &str) -> io::Result<Copy> {
        let folder = Folder::create("unsaved")?;
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_os_string();
        let shown = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        std::fs::write(folder.path().join(&name), format!("#line 1 \"{shown}\"\n{text}"))?;
        let home = path.parent().filter(|it| !it.as_os_str().is_empty());
        Ok(Copy { folder, name, home: home.unwrap_or(Path::new(".")).to_path_buf() })
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// What the preprocessor is told besides.
    pub fn options(&self) -> [OsString; 2] {
        ["-iquote".into(), self.home.clone().into_os_string()]
    }
}
