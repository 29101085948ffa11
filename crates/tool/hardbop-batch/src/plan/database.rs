//! A compilation database as a plan: all its C files are one program, and each function to start with is a task.

use std::path::{Path, PathBuf};

use hardbop_c::compile_commands;

use crate::error::{Trouble, read};
use crate::task::Task;

pub fn tasks(path: &Path) -> Result<Vec<Task>, Trouble> {
    // What is wrong with it is told now, not once for each entry.
    let commands = compile_commands::read(&read(path)?, Path::new(""))
        .map_err(|why| Trouble::of(path, why))?;
    if commands.is_empty() {
        return Err(Trouble::of(path, "it names no C file"));
    }
    Ok(vec![Task::of(vec![path.file_name().map(PathBuf::from).unwrap_or_default()])])
}
