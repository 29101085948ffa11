//! Files that are written beside the report: planned before the work begins, written whole or not at all,
//! never over an input.
//!
//! A path names a file, or a folder that is there, in which the file is named after the program; several
//! programs need a folder. What cannot be written is told before hours are spent on it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::subject::{Kind, Subject};

/// Something that is written beside the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    Trace,
    Certificate,
    Witness,
    Schedule,
    Testbench,
    /// One page for all subjects.
    Page,
}

impl Evidence {
    const ALL: [Evidence; 6] = [
        Evidence::Trace,
        Evidence::Certificate,
        Evidence::Witness,
        Evidence::Schedule,
        Evidence::Testbench,
        Evidence::Page,
    ];

    pub fn option(self) -> &'static str {
        match self {
            Evidence::Trace => "--trace",
            Evidence::Certificate => "--certificate",
            Evidence::Witness => "--witness",
            Evidence::Schedule => "--schedule",
            Evidence::Testbench => "--testbench",
            Evidence::Page => "--html",
        }
    }

    /// The end of the name in a folder.
    fn suffix(self) -> &'static str {
        match self {
            Evidence::Trace => "trace.json",
            Evidence::Certificate => "cert",
            Evidence::Witness => "witness.yml",
            Evidence::Schedule => "schedule",
            Evidence::Testbench => "testbench",
            Evidence::Page => "html",
        }
    }

    fn is_about(self, kind: Kind) -> bool {
        match self {
            Evidence::Trace | Evidence::Page | Evidence::Certificate => true,
            Evidence::Witness | Evidence::Schedule | Evidence::Testbench => kind == Kind::C,
        }
    }

    fn asked(self, args: &CheckArgs) -> Option<&Path> {
        match self {
            Evidence::Trace => args.trace.as_deref(),
            Evidence::Certificate => args.certificate.as_deref(),
            Evidence::Witness => args.c_output.witness.as_deref(),
            Evidence::Schedule => args.c_output.schedule.as_deref(),
            Evidence::Testbench => args.c_output.testbench.as_deref(),
            Evidence::Page => args.html.as_deref(),
        }
    }
}

/// What is written for one subject, and where.
#[derive(Clone, Default, Debug)]
pub struct Plan(Vec<(Evidence, PathBuf)>);

impl Plan {
    pub fn path(&self, evidence: Evidence) -> Option<&Path> {
        self.0.iter().find(|it| it.0 == evidence).map(|it| it.1.as_path())
    }
}

/// Why something cannot be written.
#[derive(Debug)]
pub struct Unwritable {
    pub message: String,
    pub exit: Exit,
}

impl Unwritable {
    fn usage(message: String) -> Self {
        Unwritable { message, exit: Exit::Usage }
    }

    fn io(message: String) -> Self {
        Unwritable { message, exit: Exit::Io }
    }
}

/// One plan for each subject.
pub fn plan(args: &CheckArgs, subjects: &[Subject]) -> Result<Vec<Plan>, Unwritable> {
    let inputs: Vec<PathBuf> = args.inputs().iter().filter_map(|it| identity(it)).collect();
    let mut plans = vec![Plan::default(); subjects.len()];
    let mut taken: Vec<(Evidence, PathBuf)> = Vec::new();
    for evidence in Evidence::ALL {
        let Some(asked) = evidence.asked(args) else { continue };
        // All subjects share a page: the first stands for them.
        let n_subjects = if evidence == Evidence::Page { 1 } else { subjects.len() };
        let subjects = &subjects[..n_subjects];
        let about = || subjects.iter().zip(0..).filter(|(it, _)| evidence.is_about(it.kind));
        let is_folder = asked.is_dir() && !matches!(evidence, Evidence::Testbench | Evidence::Page);
        if about().count() > 1 && !is_folder {
            return Err(Unwritable::usage(format!(
                "{} {}: for several programs this must be a folder that exists",
                evidence.option(),
                asked.display()
            )));
        }
        for (subject, at) in about() {
            let path =
                if is_folder { asked.join(file_name(subject, evidence)) } else { asked.into() };
            match evidence {
                Evidence::Testbench => check_folder(&path, &inputs)?,
                _ => check_file(evidence, &path, &inputs)?,
            }
            let real = identity(&path).unwrap_or_else(|| path.clone());
            if let Some((other, _)) = taken.iter().find(|it| it.1 == real) {
                return Err(Unwritable::usage(format!(
                    "{} and {} would both write {}",
                    other.option(),
                    evidence.option(),
                    path.display()
                )));
            }
            taken.push((evidence, real));
            plans[at].0.push((evidence, path));
        }
    }
    Ok(plans)
}

/// `driver.bp` has its trace in `driver.bp.trace.json`.
fn file_name(subject: &Subject, evidence: Evidence) -> String {
    let file = subject.files.first().and_then(|it| it.file_name());
    let name = file.map_or("stdin".into(), |it| it.to_string_lossy());
    let name = if name == "-" { "stdin".into() } else { name };
    format!("{name}.{}", evidence.suffix())
}

/// The file behind a name: links are followed, and a file that is not there yet is told from others by
/// its folder and its name.
fn identity(path: &Path) -> Option<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Some(path);
    }
    Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Two names of one file, also by a hard link.
fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    if one == other {
        return true;
    }
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => {
            one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino())
        }
        _ => false,
    }
}

fn check_file(evidence: Evidence, path: &Path, inputs: &[PathBuf]) -> Result<(), Unwritable> {
    let what = format!("{} {}", evidence.option(), path.display());
    let real = identity(path);
    if let Some(real) = &real
        && (inputs.iter().any(|input| is_same(input, real)) || is_source(real))
    {
        return Err(Unwritable::usage(format!(
            "{what}: this is an input, which is not overwritten"
        )));
    }
    if path.is_dir() {
        return Err(Unwritable::io(format!("{what}: this is a folder")));
    }
    match fs::metadata(path) {
        // A device or a pipe is written to as it is.
        Ok(there) if !there.is_file() => can(path, libc::W_OK),
        Ok(_) => can(path, libc::W_OK).and_then(|()| can(folder_of(path), libc::W_OK)),
        Err(_) => can(folder_of(path), libc::W_OK | libc::X_OK),
    }
    .map_err(|error| Unwritable::io(format!("{what}: {error}")))
}

/// Whether a file that is there can only be an input: programs are not written.
fn is_source(path: &Path) -> bool {
    let sources = ["bp", "pds", "init", "tts", "prop", "prp", "spec", "c", "h", "i"];
    path.extension().and_then(|it| it.to_str()).is_some_and(|it| sources.contains(&it))
        && fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() > 0)
}

/// The files of a testbench; an earlier one has all of them.
pub const BENCH: [&str; 5] = ["inputs.c", "Makefile", "commands.gdb", "run", "run-debug"];

fn check_folder(path: &Path, inputs: &[PathBuf]) -> Result<(), Unwritable> {
    let what = format!("--testbench {}", path.display());
    if fs::metadata(path).is_ok_and(|it| !it.is_dir()) {
        return Err(Unwritable::io(format!("{what}: this is not a folder")));
    }
    let there = BENCH.map(|name| path.join(name));
    for file in there.iter().filter_map(|it| identity(it)) {
        if inputs.iter().any(|input| is_same(input, &file)) {
            return Err(Unwritable::usage(format!(
                "{what}: {} is an input, which is not overwritten",
                file.display()
            )));
        }
    }
    let n_there = there.iter().filter(|it| it.exists()).count();
    if n_there > 0 && n_there < there.len() {
        return Err(Unwritable::usage(format!(
            "{what}: the folder is not an earlier testbench, and has files of the same name"
        )));
    }
    // The first folder above that exists is where it will be made.
    let base = path.ancestors().map(|it| if it == Path::new("") { Path::new(".") } else { it });
    let base = base.into_iter().find(|it| it.exists()).unwrap_or(Path::new("."));
    can(base, libc::W_OK | libc::X_OK).map_err(|error| Unwritable::io(format!("{what}: {error}")))
}

/// Asks the system.
fn can(path: &Path, mode: libc::c_int) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the name ends with a zero byte and outlives the call.
    match unsafe { libc::access(name.as_ptr(), mode) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Writes a file whole or not at all, naming it if that fails.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    write_whole(path, text).map_err(|error| named(path, &error))
}

fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let there = fs::metadata(path);
    if there.as_ref().is_ok_and(|it| !it.is_file()) {
        return File::options().write(true).open(path)?.write_all(text.as_bytes());
    }
    // Behind a link, the file it leads to is replaced.
    let path = identity(path).ok_or(io::ErrorKind::NotFound)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = write_new(&beside, text).and_then(|()| {
        if let Ok(there) = there {
            fs::set_permissions(&beside, there.permissions())?;
        }
        fs::rename(&beside, &path)
    });
    if written.is_err() {
        // What could not be finished is not left lying about; that it was never made is no error.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// An error with the name of the file it is about.
pub fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::write;
    use std::fs;
    use std::path::PathBuf;

    fn folder(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("hardbop-output-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_file_is_replaced_behind_its_links() {
        let folder = folder("links");
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left lying about");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = folder("folder");
        let error = write(&folder, "text").unwrap_err();
        assert!(error.to_string().contains("hardbop-output"), "{error}");
        assert!(write(&folder.join("no/such/folder"), "text").is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
