//! How text comes in: files, and the system's preprocessor.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hardbop_base::Budget;

use crate::child;
use crate::compile_commands::{self, CompileCommand};
use crate::headers::{self, Stubs};
use crate::text;
use crate::unsaved::Copy;

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
    /// What reading and the preprocessor may use.
    pub budget: Budget,
    /// Texts that count instead of those of the files, as an editor has them. Of files that others include, the
    /// disk counts.
    pub unsaved: BTreeMap<PathBuf, String>,
    /// Where the preprocessor runs, from where it sees paths; without it, where we are.
    pub folder: Option<PathBuf>,
}

/// Predefined macros say what a compiler makes; what we model is this, whatever machine it is on.
/// Without glibc's `__NO_CTYPE` the functions of `<ctype.h>` would be look-ups in tables.
const ALWAYS: [&str; 6] =
    ["-E", "-std=gnu11", "-fsigned-char", "-D__HARDBOP__=1", "-U_FORTIFY_SOURCE", "-D__NO_CTYPE"];

impl Loader for SystemLoader {
    fn read(&self, path: &Path) -> Result<String, String> {
        if let Some(text) = self.unsaved.get(path) {
            return Ok(text::decode(text.clone().into_bytes()));
        }
        let bytes = self.bytes(path).map_err(|error| error.to_string())?;
        if bytes.len() > MOST_BYTES {
            return Err(format!("the file is longer than {} MiB", MOST_BYTES >> 20));
        }
        Ok(text::decode(bytes))
    }

    fn preprocess(&self, path: &Path) -> Result<String, String> {
        self.refuse_other_width(path)?;
        let width = if self.is_32_bit { "-m32" } else { "-m64" };
        let mut output = self.run(path, &[width.into()])?;
        if !output.status.success() && asks_for_ours(&output) {
            let ours = Stubs::write().map_err(cannot_write)?;
            let folder = ours.folder().as_os_str().to_os_string();
            output = self.run(path, &[width.into(), "-idirafter".into(), folder])?;
        }
        if !output.status.success() && self.is_32_bit {
            output = self.run_with_our_headers(path)?.unwrap_or(output);
        }
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let first =
                errors.lines().find(|line| line.contains("error")).or(errors.lines().next());
            return Err(first.unwrap_or("the preprocessor failed").to_string());
        }
        Ok(text::decode(output.stdout))
    }
}

/// Longer inputs are rejected: no program is so long, and a device has no end.
const MOST_BYTES: usize = 256 << 20;
const CHUNK: u64 = 1 << 20;

impl SystemLoader {
    /// Stops soon after [`MOST_BYTES`].
    fn bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let mut bytes = Vec::new();
        while bytes.len() <= MOST_BYTES {
            self.budget.check().map_err(io::Error::other)?;
            if Read::by_ref(&mut file).take(CHUNK).read_to_end(&mut bytes)? == 0 {
                break;
            }
        }
        Ok(bytes)
    }

    fn flags(&self, path: &Path) -> impl Iterator<Item = &String> {
        self.commands.iter().find(|it| it.path() == path).into_iter().flat_map(|it| &it.flags)
    }

    /// Soundness: a program for another width is another program.
    fn refuse_other_width(&self, path: &Path) -> Result<(), String> {
        let asked = self.flags(path).filter(|it| *it == "-m32" || *it == "-m64").last();
        match (asked.map(|it| it == "-m32"), self.is_32_bit) {
            (Some(true), false) => {
                Err("the compilation database says `-m32`: give `--data-model ilp32`".into())
            }
            (Some(false), true) => {
                Err("the compilation database says `-m64`: give `--data-model lp64`".into())
            }
            _ => Ok(()),
        }
    }

    /// For 32 bits with the headers the compiler has for its own width; `None` if it names none.
    fn run_with_our_headers(&self, path: &Path) -> Result<Option<Output>, String> {
        let (mut command, name) = compiler()?;
        command.env("LC_ALL", "C").args(["-E", "-v", "-x", "c", "/dev/null"]);
        let said = self.ran(&mut command, &name)?;
        let folders = headers::search_list(&String::from_utf8_lossy(&said.stderr));
        if folders.is_empty() {
            return Ok(None);
        }
        let stubs = Stubs::write().map_err(cannot_write)?;
        let mut options = vec!["-m32".into()];
        for folder in folders.iter().map(PathBuf::as_path).chain([stubs.folder()]) {
            options.extend(["-idirafter".into(), folder.to_path_buf().into_os_string()]);
        }
        self.run(path, &options).map(Some)
    }

    fn ran(&self, command: &mut Command, name: &str) -> Result<Output, String> {
        child::output(command, &self.budget)
            .map_err(|error| format!("cannot run the C compiler `{name}`: {error}"))
    }

    fn run(&self, path: &Path, options: &[std::ffi::OsString]) -> Result<Output, String> {
        let (mut command, name) = compiler()?;
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.args(ALWAYS).args(self.flags(path));
        for path in &self.include_paths {
            command.arg("-I").arg(path);
        }
        command.args(self.defines.iter().map(|it| format!("-D{it}")));
        command.args(options);
        let unsaved = self.unsaved.get(path).map(|text| Copy::write(path, text)).transpose();
        let unsaved = unsaved.map_err(|error| format!("the unsaved text: {error}"))?;
        if let Some(copy) = &unsaved {
            command.args(copy.options()).args(["-x", "c"]).arg(copy.path());
            return self.ran(&mut command, &name);
        }
        command.args(["-x", "c"]);
        // A name that looks like an option or a response file is still a name.
        match path.to_string_lossy().starts_with(['-', '@']) {
            true => command.arg(Path::new(".").join(path)),
            false => command.arg(path),
        };
        self.ran(&mut command, &name)
    }
}

/// Whether the preprocessor did not find `hardbop.h`.
fn asks_for_ours(output: &Output) -> bool {
    String::from_utf8_lossy(&output.stderr).contains("hardbop.h")
}

fn cannot_write(error: io::Error) -> String {
    format!("headers of ours cannot be written: {error}")
}

/// `cc`, or what `$CC` says: a command and its options, as a shell splits them.
fn compiler() -> Result<(Command, String), String> {
    let said = std::env::var("CC").unwrap_or_default();
    let words = compile_commands::split(&said).map_err(|_| format!("`CC={said}` is no command"))?;
    let Some((program, options)) = words.split_first() else {
        return Ok((Command::new("cc"), "cc".into()));
    };
    let mut command = Command::new(program);
    command.args(options);
    Ok((command, program.clone()))
}
