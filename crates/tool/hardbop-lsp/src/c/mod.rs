//! C: reading a text as it is in the editor, and finding names by their spelling.
//!
//! The front end sees text after the preprocessor, so places come back by line and by word. Names of functions,
//! of variables outside of them and of types are known; for what is inside there are language servers of C.

mod symbols;
mod words;

use std::path::Path;

use hardbop_base::{Budget, Exhausted};
use hardbop_c::load::Rejected;
use hardbop_c::{CProgram, DataModel, Options, SystemLoader, compile_commands};
use hardbop_cir::Class;

use crate::diagnostics::{note, of_c};
use crate::documents::Snapshot;
use crate::positions::Encoding;
use crate::reading::Reading;
use crate::settings::Settings;

pub use symbols::{Symbol, outline};
pub use words::{occurrences, word_at};

/// Why there is no program.
pub enum Unread {
    Rejected(Box<Rejected>),
    /// The database of commands.
    Database(String),
}

/// The program of a text, with the checks of some classes, begun with `main` or another function.
pub fn load(
    at: &Snapshot,
    settings: &Settings,
    classes: Vec<Class>,
    entry: Option<&str>,
    budget: &Budget,
) -> Result<CProgram, Unread> {
    let model = if settings.is_32_bit { DataModel::Ilp32 } else { DataModel::Lp64 };
    let mut options = Options { model, classes, budget: budget.clone(), ..Options::default() };
    if let Some(entry) = entry {
        options.entry = entry.into();
    }
    let loader = SystemLoader {
        include_paths: settings.include_paths.clone(),
        defines: settings.defines.clone(),
        is_32_bit: settings.is_32_bit,
        commands: commands(&at.path).map_err(Unread::Database)?,
        budget: budget.clone(),
        unsaved: [(at.path.clone(), at.file.text.clone())].into(),
        ..SystemLoader::default()
    };
    hardbop_c::load(&[&at.path], &loader, &options).map_err(Unread::Rejected)
}

/// What the nearest `compile_commands.json` above a file says.
fn commands(path: &Path) -> Result<Vec<compile_commands::CompileCommand>, String> {
    for folder in path.ancestors().skip(1) {
        let database = folder.join("compile_commands.json");
        if let Ok(text) = std::fs::read_to_string(&database) {
            let read = compile_commands::read(&text, folder);
            return read.map_err(|why| format!("{}: {why}", database.display()));
        }
    }
    Ok(Vec::new())
}

/// All that is wrong with a text, and what it declares.
pub fn read(
    at: &Snapshot,
    settings: &Settings,
    encoding: Encoding,
    budget: &Budget,
) -> Result<Reading, Exhausted> {
    let classes = settings.request(hardbop_check::Kind::C).c.classes;
    let loaded = load(at, settings, classes, None, budget);
    budget.check()?;
    let (sources, found) = match loaded {
        Ok(program) => (program.sources, program.warnings),
        Err(Unread::Rejected(rejected)) => match rejected.limit {
            Some(limit) => return Err(limit),
            None => (rejected.sources, rejected.diagnostics),
        },
        Err(Unread::Database(why)) => {
            let diagnostics = vec![note(encoding, &at.file, why)];
            return Ok(Reading { diagnostics, symbols: Vec::new() });
        }
    };
    let diagnostics = found.iter().map(|it| of_c(it, &sources, at, encoding)).collect();
    Ok(Reading { diagnostics, symbols: symbols::symbols(&sources, budget) })
}
