//! Reading files within their limits and telling what is wrong with them.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anstream::ColorChoice;
use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::Program;
use hardbop_diag::{Diagnostic, render};

use crate::output::named;
use crate::pds;
use crate::refusal::{Complaint, Refusal};
use crate::supervisor::Waiting;
use crate::voice::tell;

/// Longer inputs are rejected: no program is so long, and a device has no end.
pub const MOST_BYTES: usize = 256 << 20;

const CHUNK: usize = 1 << 20;

/// What reading is bounded by.
#[derive(Clone, Default)]
pub struct Limits {
    pub budget: Budget,
    /// Told while a read may block.
    pub waiting: Waiting,
}

/// A program with its source, and what was told about it.
pub struct Loaded {
    pub source: SourceFile,
    pub program: Program,
    pub warnings: Vec<Complaint>,
}

/// A file's bytes; `-` is standard input.
pub fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, Refusal> {
    let bytes = if path == Path::new("-") {
        read_all(&mut io::stdin().lock(), limits)
    } else {
        let file = limits.waiting.during(|| File::open(path));
        file.map_err(Refusal::Io).and_then(|mut file| read_all(&mut file, limits))
    };
    let bytes = bytes.map_err(|refusal| match refusal {
        Refusal::Io(error) => Refusal::Io(unreadable(path, &error)),
        other => other,
    })?;
    if bytes.len() > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        let name = path.display().to_string();
        return Err(Refusal::of_file(&name, format!("the file is longer than {most} MiB")));
    }
    Ok(bytes)
}

/// The same error with the name of the program that cannot be read, and with what to do about a folder.
pub fn unreadable(path: &Path, error: &io::Error) -> io::Error {
    let name = path.display();
    match error.kind() {
        kind @ io::ErrorKind::IsADirectory => {
            let message =
                format!("{name}: is a folder; `hardbop batch {name}` checks what is in it");
            io::Error::new(kind, message)
        }
        _ => named(path, error),
    }
}

/// Stops soon after [`MOST_BYTES`].
fn read_all(from: &mut dyn Read, limits: &Limits) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    while bytes.len() <= MOST_BYTES {
        limits.budget.check()?;
        let mut chunk = from.take(CHUNK as u64);
        let n = limits.waiting.during(|| chunk.read_to_end(&mut bytes))?;
        if n == 0 {
            break;
        }
    }
    Ok(bytes)
}

/// A program, or why there is none.
pub fn load(path: &Path, limits: &Limits) -> Result<Loaded, Refusal> {
    if pds::is_pds(path) {
        return pds::load(path, limits);
    }
    let name = path.display().to_string();
    let bytes = read(path, limits)?;
    if is_cpp(path) {
        return Err(Refusal::of_file(
            &name,
            "C++ is not read; C is (`.c`, or `.i` after preprocessing)",
        ));
    }
    let (source, program, diagnostics) = hardbop_bp::load_within(&name, bytes, &limits.budget)?;
    let complaints = complain(&source, &diagnostics);
    match program {
        Some(program) => Ok(Loaded { source, program, warnings: complaints }),
        None => Err(Refusal::Rejected(complaints)),
    }
}

/// Every other name may be that of a Boolean program, but its messages about C++ would help nobody.
fn is_cpp(path: &Path) -> bool {
    let endings = ["cpp", "cc", "cxx", "C", "hpp", "hh", "hxx", "ii"];
    path.extension().and_then(|it| it.to_str()).is_some_and(|it| endings.contains(&it))
}

/// Prints diagnostics and, for several errors, their number.
pub fn complain(file: &SourceFile, diagnostics: &[Diagnostic]) -> Vec<Complaint> {
    complain_in_files(&diagnostics.iter().map(|it| (file, it)).collect::<Vec<_>>())
}

/// The same, each in its file.
pub fn complain_in_files(diagnostics: &[(&SourceFile, &Diagnostic)]) -> Vec<Complaint> {
    let color = anstream::AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    for (file, diagnostic) in diagnostics {
        // That nobody can read it is no reason to stop.
        let text = render::render_terminal(file, diagnostic, color);
        let _ = writeln!(anstream::stderr().lock(), "{text}");
    }
    let errors: Vec<_> = diagnostics.iter().filter(|it| it.1.is_error()).collect();
    if let (Some((file, _)), Some(code)) =
        (errors.first(), errors.iter().map(|it| it.1.code.0).min())
    {
        let (n, s) = (errors.len(), if errors.len() == 1 { "" } else { "s" });
        tell!("{}: {n} error{s}; for more, try `hardbop explain {code}`", file.name);
    }
    diagnostics.iter().map(|(file, it)| Complaint::new(file, it)).collect()
}
