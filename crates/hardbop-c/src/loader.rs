//! How text comes in: files, and the system's preprocessor for those with directives.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::compile_commands::CompileCommand;

/// Reads and preprocesses files for the front end.
pub trait Loader {
    /// The text of a file.
    fn read(&self, path: &Path) -> Result<String, String>;
    /// The text of a file after preprocessing, with line markers.
    fn preprocess(&self, path: &Path) -> Result<String, String>;
}

/// The file system and `cc -E`.
#[derive(Clone, Debug, Default)]
pub struct SystemLoader {
    pub include_paths: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Pointers of 32 bits.
    pub is_32_bit: bool,
    /// What a compilation database says about files.
    pub commands: Vec<CompileCommand>,
}

impl Loader for SystemLoader {
    fn read(&self, path: &Path) -> Result<String, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        if bytes.len() > u32::MAX as usize / 8 {
            return Err("the file is larger than 512 MB".into());
        }
        // Strings and comments of old files are in other encodings.
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
            error.into_bytes().iter().map(|&byte| char::from(byte)).collect()
        }))
    }

    fn preprocess(&self, path: &Path) -> Result<String, String> {
        let width = if self.is_32_bit { "-m32" } else { "-m64" };
        let mut output = self.run(path, Some(width))?;
        if !output.status.success() && self.is_32_bit {
            // Without 32-bit headers the 64-bit ones serve: types come from the text.
            output = self.run(path, None)?;
        }
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let first =
                errors.lines().find(|line| line.contains("error")).or(errors.lines().next());
            return Err(first.unwrap_or("the preprocessor failed").to_string());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl SystemLoader {
    fn run(&self, path: &Path, width: Option<&str>) -> Result<Output, String> {
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(&compiler);
        command.args(["-E", "-std=gnu11", "-D__HARDBOP__=1", "-U_FORTIFY_SOURCE"]);
        let known = self.commands.iter().find(|it| it.path() == path);
        command.args(known.into_iter().flat_map(|it| &it.flags));
        for path in &self.include_paths {
            command.arg("-I").arg(path);
        }
        command.args(self.defines.iter().map(|it| format!("-D{it}")));
        command.args(width).args(["-x", "c"]);
        // A name that looks like an option or a response file is still a name.
        match path.to_string_lossy().starts_with(['-', '@']) {
            true => command.arg(Path::new(".").join(path)),
            false => command.arg(path),
        };
        command.output().map_err(|error| {
            format!("cannot run the C compiler `{}`: {error}", compiler.to_string_lossy())
        })
    }
}
