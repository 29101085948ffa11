//! Plans: what is to be checked, as a file of ours or as others write it down.
//!
//! Each kind of plan is a file of this folder that makes tasks of a text; here is what they share. A plan is read
//! whole or refused at its place: a key or a column that nobody knows might have changed the question.

mod database;
pub mod definition;
mod folder;
mod glob;
mod manifest;
mod ours;
mod set;
mod yaml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::Trouble;
use crate::limits::Limits;
use crate::task::{Asked, Task};

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// As the user named it.
    pub name: String,
    /// Where the processes run: all paths are as seen from here.
    pub folder: PathBuf,
    /// In order, no two of one name.
    pub tasks: Vec<Task>,
}

/// What the command line says of all tasks.
#[derive(Clone, Default, Debug)]
pub struct Extra {
    /// Options of `hardbop check`; what a task says itself goes first.
    pub asked: Asked,
    /// Where a task has none of its own.
    pub limits: Limits,
    /// Functions to start with, a task each.
    pub entries: Vec<String>,
}

/// Reads a plan of any kind.
pub fn read(path: &Path, extra: &Extra) -> Result<Plan, Trouble> {
    let there = std::fs::metadata(path).map_err(|error| Trouble::io(path, &error))?;
    let folder = match there.is_dir() {
        true => path,
        false => path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new(".")),
    };
    let wanted = extra.asked.property.as_deref();
    let tasks = match path.extension().and_then(|it| it.to_str()) {
        _ if there.is_dir() => folder::tasks(path, wanted)?,
        Some("toml") => ours::tasks(path, folder)?,
        Some("csv") => manifest::tasks(path)?,
        Some("set") => set::tasks(path, folder, wanted)?,
        Some("yml" | "yaml") if !is_definition(path)? => {
            let lines = yaml::lines(&crate::error::read(path)?)
                .map_err(|(line, why)| Trouble::at(path, line as usize, &why))?;
            ours::tasks_of_yaml(path, folder, &lines)?
        }
        Some("yml" | "yaml") => {
            let name = path.file_name().map(PathBuf::from).unwrap_or_default();
            set::of_definition(folder, &name, wanted)?
        }
        Some("json") => database::tasks(path)?,
        _ => {
            return Err(Trouble::of(
                path,
                "a plan is a folder, .toml, .yml, .csv, .set or compile_commands.json",
            ));
        }
    };
    let tasks: Vec<Task> = tasks.into_iter().flat_map(|it| with(it, extra)).collect();
    if tasks.is_empty() {
        return Err(Trouble::of(path, "there is nothing to check in it"));
    }
    Ok(Plan { name: path.display().to_string(), folder: folder.into(), tasks: told_apart(tasks) })
}

/// Whether YAML is a task definition of SV-COMP: a plan of ours has no such key.
fn is_definition(path: &Path) -> Result<bool, Trouble> {
    Ok(crate::error::read(path)?.lines().any(|it| it.starts_with("format_version")))
}

/// The task with what the command line says, once for each entry.
fn with(mut task: Task, extra: &Extra) -> Vec<Task> {
    let (own, more) = (&mut task.asked, &extra.asked);
    own.property = own.property.take().or_else(|| more.property.clone());
    own.entry = own.entry.take().or_else(|| more.entry.clone());
    own.data_model = own.data_model.or(more.data_model);
    own.include.extend(more.include.iter().cloned());
    own.define.extend(more.define.iter().cloned());
    own.options.extend(more.options.iter().cloned());
    task.limits = task.limits.or(extra.limits);
    if extra.entries.is_empty() || task.asked.entry.is_some() {
        return vec![task];
    }
    let of = |entry: &String| {
        let mut task = task.clone();
        task.name = format!("{}:{entry}", task.name);
        task.asked.entry = Some(entry.clone());
        task
    };
    extra.entries.iter().map(of).collect()
}

/// Names of several tasks get what tells them apart: the property, or a number.
fn told_apart(mut tasks: Vec<Task>) -> Vec<Task> {
    let count = |tasks: &[Task]| {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        tasks.iter().for_each(|it| *seen.entry(it.name.clone()).or_default() += 1);
        seen
    };
    let seen = count(&tasks);
    for task in tasks.iter_mut().filter(|it| seen[&it.name] > 1) {
        if let Some(property) = &task.asked.property {
            let stem = Path::new(property).file_stem().unwrap_or_default().to_string_lossy();
            task.name = format!("{} [{stem}]", task.name);
        }
    }
    let (seen, mut nth) = (count(&tasks), BTreeMap::<String, usize>::new());
    for task in tasks.iter_mut().filter(|it| seen[&it.name] > 1) {
        let n = nth.entry(task.name.clone()).or_default();
        *n += 1;
        task.name = format!("{} #{n}", task.name);
    }
    tasks
}

#[cfg(test)]
mod tests;
