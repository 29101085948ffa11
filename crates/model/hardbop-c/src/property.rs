//! The list of checks of a program, for `--list-properties`.

use hardbop_cir::{CheckId, Class};

use crate::load::CProgram;
use crate::source::Position;

/// One check of a program.
#[derive(Clone, Debug)]
pub struct CheckLine {
    pub id: CheckId,
    pub class: Class,
    pub position: Position,
    pub message: String,
}

/// Every check that is in the program, in order of position.
pub fn list_checks(program: &CProgram) -> Vec<CheckLine> {
    let mut lines: Vec<CheckLine> = program
        .program
        .checks
        .iter_enumerated()
        .map(|(id, check)| CheckLine {
            id,
            class: check.class,
            position: program.sources.position(check.span),
            message: check.message.to_string(),
        })
        .collect();
    lines.sort_by(|a, b| {
        (&a.position.file, a.position.line, a.position.col, a.class, a.id).cmp(&(
            &b.position.file,
            b.position.line,
            b.position.col,
            b.class,
            b.id,
        ))
    });
    lines
}
