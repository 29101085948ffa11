//! Our own plans: a small TOML or YAML file, limits and options of all tasks at its head, then groups of tasks.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::glob;
use super::yaml::{self, Said};
use crate::error::{Trouble, read};
use crate::limits::Limits;
use crate::task::{Asked, Expected, Model, Task};
use crate::units;

/// Tasks that are alike. The file itself is one: what its head says holds for each `[[task]]` that says nothing else.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Group {
    name: Option<String>,
    /// Names and patterns.
    files: Vec<String>,
    /// Whether they are one program.
    link: bool,
    /// A task for each.
    entries: Vec<String>,
    /// A task for each.
    properties: Vec<String>,
    expected: Option<Verdict>,
    time_limit: Option<Duration>,
    cpu_limit: Option<Duration>,
    memory_limit: Option<Bytes>,
    data_model: Option<Model>,
    include: Vec<PathBuf>,
    define: Vec<String>,
    options: Vec<String>,
    /// Of the head only.
    task: Vec<Group>,
}

/// As people write them.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Duration(std::time::Duration);

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Bytes(u64);

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Verdict(Expected);

impl TryFrom<String> for Duration {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        units::duration(&text).map(Duration)
    }
}

impl TryFrom<String> for Bytes {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        units::bytes(&text).map(Bytes)
    }
}

impl TryFrom<String> for Verdict {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        Expected::named(&text).map(Verdict).ok_or_else(|| "expected `safe` or `unsafe`".into())
    }
}

pub fn tasks(path: &Path, folder: &Path) -> Result<Vec<Task>, Trouble> {
    let text = read(path)?;
    let head: Group = toml::from_str(&text).map_err(|error| {
        let start = error.span().map_or(0, |it| it.start).min(text.len());
        let line = text.as_bytes()[..start].iter().filter(|it| **it == b'\n').count() + 1;
        Trouble::at(path, line, error.message())
    })?;
    of_groups(&head, path, folder)
}

/// The same written as YAML.
pub fn tasks_of_yaml(path: &Path, folder: &Path, lines: &[Said]) -> Result<Vec<Task>, Trouble> {
    let value = yaml::value(lines).map_err(|(line, why)| Trouble::at(path, line as usize, &why))?;
    let head = Group::deserialize(&value).map_err(|error| {
        // The message names the key in quotes; the first line that has it is where it stands.
        let error = error.to_string();
        let key = error.split('`').nth(1);
        let at = lines.iter().find(|it| it.key.as_deref() == key);
        Trouble::at(path, at.map_or(1, |it| it.number as usize), &error)
    })?;
    of_groups(&head, path, folder)
}

fn of_groups(head: &Group, path: &Path, folder: &Path) -> Result<Vec<Task>, Trouble> {
    let mut tasks = head.tasks(folder, &Group::default()).map_err(|why| Trouble::of(path, why))?;
    for group in &head.task {
        if !group.task.is_empty() {
            return Err(Trouble::of(path, "a task has no tasks of its own"));
        }
        if group.files.is_empty() {
            return Err(Trouble::of(path, "a task names no `files`"));
        }
        tasks.extend(group.tasks(folder, head).map_err(|why| Trouble::of(path, why))?);
    }
    Ok(tasks)
}

impl Group {
    fn limits(&self) -> Limits {
        Limits {
            cpu: self.cpu_limit.map(|it| it.0),
            wall: self.time_limit.map(|it| it.0),
            memory: self.memory_limit.map(|it| it.0),
        }
    }

    fn add_to(&self, asked: &mut Asked) -> Result<(), String> {
        asked.take(&self.options)?;
        asked.data_model = asked.data_model.or(self.data_model);
        asked.include.extend(self.include.iter().cloned());
        asked.define.extend(self.define.iter().cloned());
        Ok(())
    }

    fn tasks(&self, folder: &Path, head: &Group) -> Result<Vec<Task>, String> {
        let mut files = Vec::new();
        for pattern in &self.files {
            let found = glob::files(folder, pattern).map_err(|it| format!("{pattern}: {it}"))?;
            if found.is_empty() {
                return Err(format!("no file is as `{pattern}` says"));
            }
            files.extend(found);
        }
        let subjects: Vec<Vec<PathBuf>> = match self.link && !files.is_empty() {
            true => vec![files],
            false => files.into_iter().map(|it| vec![it]).collect(),
        };
        let (n_subjects, mut tasks) = (subjects.len(), Vec::new());
        for files in subjects {
            let mut task = Task::of(files);
            if let Some(name) = &self.name {
                let of_many = || format!("{name}/{}", task.name);
                task.name = if n_subjects == 1 { name.clone() } else { of_many() };
            }
            self.add_to(&mut task.asked)?;
            head.add_to(&mut task.asked)?;
            task.limits = self.limits().or(head.limits());
            task.expected = self.expected.or(head.expected).map(|it| it.0);
            tasks.extend(self.each(task));
        }
        Ok(tasks)
    }

    /// The task for each entry and each property.
    fn each(&self, task: Task) -> Vec<Task> {
        let or_none = |list: &[String]| match list.is_empty() {
            true => vec![None],
            false => list.iter().cloned().map(Some).collect(),
        };
        let mut tasks = Vec::new();
        for entry in or_none(&self.entries) {
            for property in or_none(&self.properties) {
                let mut task = task.clone();
                if let Some(entry) = &entry {
                    task.name = format!("{}:{entry}", task.name);
                }
                task.asked.entry = entry.clone().or(task.asked.entry);
                task.asked.property = property.or(task.asked.property);
                tasks.push(task);
            }
        }
        tasks
    }
}
