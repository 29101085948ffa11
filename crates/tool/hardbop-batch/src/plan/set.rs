//! SV-COMP's sets: a file of patterns, each line one, of task definitions.

use std::path::{Path, PathBuf};

use super::{definition, glob};
use crate::error::{Trouble, read};
use crate::task::Task;

pub fn tasks(path: &Path, folder: &Path, wanted: Option<&str>) -> Result<Vec<Task>, Trouble> {
    let mut tasks = Vec::new();
    for (line, number) in read(path)?.lines().zip(1..) {
        let pattern = line.split('#').next().unwrap_or_default().trim();
        if pattern.is_empty() {
            continue;
        }
        let found =
            glob::files(folder, pattern).map_err(|error| Trouble::at(path, number, error))?;
        if found.is_empty() {
            return Err(Trouble::at(path, number, format!("no file is as `{pattern}` says")));
        }
        for file in found {
            match file.extension().is_some_and(|it| it == "yml" || it == "yaml") {
                true => tasks.extend(of_definition(folder, &file, wanted)?),
                false => tasks.push(Task::of(vec![file])),
            }
        }
    }
    Ok(tasks)
}

/// The tasks of a definition at `file`, as seen from `folder`: one for each property, or the one that is wanted by
/// the name of its file, with or without the folder and the end.
pub fn of_definition(
    folder: &Path,
    file: &Path,
    wanted: Option<&str>,
) -> Result<Vec<Task>, Trouble> {
    let path = folder.join(file);
    let found = definition::read(&read(&path)?)
        .map_err(|(line, why)| Trouble::at(&path, line as usize, why))?;
    let beside = file.parent().unwrap_or(Path::new(""));
    let files: Vec<PathBuf> = found.files.iter().map(|it| beside.join(it)).collect();
    let task = |property: Option<&definition::Property>| {
        let mut task = Task::of(files.clone());
        task.name = file.display().to_string();
        task.asked.data_model = found.data_model;
        task.asked.property = property.map(|it| beside.join(&it.file).display().to_string());
        task.expected = property.and_then(|it| it.expected);
        task
    };
    if found.properties.is_empty() {
        return Ok(vec![task(None)]);
    }
    let stem = |name: &str| Path::new(name).file_stem().map(|it| it.to_os_string());
    let is_wanted =
        |it: &&definition::Property| wanted.is_none_or(|name| stem(name) == stem(&it.file));
    Ok(found.properties.iter().filter(is_wanted).map(|it| task(Some(it))).collect())
}
