//! Concurrent pushdown systems (`.pds`) as Boolean programs. Where they begin and what must not be reached stand in files
//! beside, `.init` and `.spec`.

use std::path::Path;

use hardbop_base::SourceFile;
use hardbop_diag::Diagnostic;

use crate::input::{self, Limits, Loaded};
use crate::nets::{accepted, text};
use crate::refusal::Refusal;

pub fn is_pds(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "pds")
}

/// The program whose assertion can fail exactly if the state of the `.spec` file can be reached. Without such a file it has no assertion.
pub fn load(path: &Path, limits: &Limits) -> Result<Loaded, Refusal> {
    let source = text(path, limits)?;
    let system = accepted(&source, hardbop_pds::parse(&source), limits)?;
    let state = |file: SourceFile| {
        let state = hardbop_pds::parse_state(&file.text, &system);
        accepted(&file, state.map_err(|it: Box<Diagnostic>| vec![*it]), limits)
    };
    let init = state(text(&path.with_extension("init"), limits)?)?;
    let spec = path.with_extension("spec");
    let target = if spec.exists() { Some(state(text(&spec, limits)?)?) } else { None };
    let program = hardbop_pds::lower(&system, &init, target.as_ref());
    let warnings = input::complain(&source, &system.warnings);
    Ok(Loaded { source, program, warnings })
}
