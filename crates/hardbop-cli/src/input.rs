//! Reading files and telling what is wrong with them.

use std::io::{self, Read, Write};
use std::path::Path;

use anstream::ColorChoice;
use hardbop_base::SourceFile;
use hardbop_cfg::Program;
use hardbop_diag::{Diagnostic, render};

/// A file's bytes; `-` is standard input.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(path).map_err(|error| named(path, &error))?;
    }
    Ok(bytes)
}

/// Writes a file, naming it if that fails.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    std::fs::write(path, text).map_err(|error| named(path, &error))
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// A program with its source, or `None` after its mistakes were told on standard error.
pub fn load(path: &Path) -> io::Result<Option<(SourceFile, Program)>> {
    let name = path.display().to_string();
    let (file, program, diagnostics) = hardbop_bp::load_bytes(&name, read(path)?);
    tell(&file, &diagnostics)?;
    Ok(program.map(|program| (file, program)))
}

/// Prints diagnostics and, for several errors, their number.
pub fn tell(file: &SourceFile, diagnostics: &[Diagnostic]) -> io::Result<()> {
    let mut out = anstream::stderr().lock();
    let color = anstream::AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    for diagnostic in diagnostics {
        writeln!(out, "{}", render::render_terminal(file, diagnostic, color))?;
    }
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    if errors > 0 {
        let codes: std::collections::BTreeSet<_> =
            diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code.0).collect();
        let first = codes.first().copied().unwrap_or_default();
        let s = if errors == 1 { "" } else { "s" };
        writeln!(out, "{}: {errors} error{s}; for more, try `hardbop explain {first}`", file.name)?;
    }
    Ok(())
}
