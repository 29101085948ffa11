//! A folder as a plan: every program below it, a task each. Where there are task definitions of SV-COMP, those are
//! the tasks, and what they name is no task of its own.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::{glob, set};
use crate::error::Trouble;
use crate::task::Task;

/// What is checked by the end of its name. A text of C without `main` is rejected by the check, not here.
const ENDS: [&str; 6] = ["bp", "c", "i", "pds", "spec", "tts"];

pub fn tasks(folder: &Path, wanted: Option<&str>) -> Result<Vec<Task>, Trouble> {
    let all = glob::files(folder, "**/*").map_err(|error| Trouble::io(folder, &error))?;
    let ends = |path: &Path, ends: &[&str]| {
        path.extension().and_then(|it| it.to_str()).is_some_and(|it| ends.contains(&it))
    };
    let mut tasks = Vec::new();
    for path in all.iter().filter(|it| ends(it, &["yml"])) {
        tasks.extend(set::of_definition(folder, path, wanted)?);
    }
    let named: BTreeSet<PathBuf> =
        tasks.iter().flat_map(|it| &it.files).map(|it| plain(it)).collect();
    // The `.spec` of a pushdown system is part of it, and no net.
    let is_part = |it: &Path| ends(it, &["spec"]) && all.contains(&it.with_extension("pds"));
    let alone = all.iter().filter(|it| ends(it, &ENDS) && !named.contains(*it) && !is_part(it));
    tasks.extend(alone.map(|it| Task::of(vec![it.clone()])));
    Ok(tasks)
}

/// Without `.` and `..`, as far as names tell.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
