//! What a store tells: runs, tasks, differences, proofs.

use std::path::{Path, PathBuf};

use hardbop_batch::Trouble;
use hardbop_batch::report::{self, Against, Diff, Summary};
use hardbop_batch::slurm;
use hardbop_batch::store::{Listed, Run, RunId, Store};
use hardbop_batch::tool::Tool;
use hardbop_batch::verify::{Verified, verify};

use super::run::line;
use super::{Kept, OfRun, exit_of};
use crate::exit::Exit;
use crate::format::Format;
use crate::output;
use crate::sources;
use crate::voice::{self, tell};

pub fn answer(command: Kept) -> Result<Exit, Trouble> {
    match command {
        Kept::Status { store } => status(&Store::existing(&store.store)?),
        Kept::Show { task, of } => {
            let (store, run) = of.open()?;
            show(&store, run.id, &task)
        }
        Kept::Diff { first, second, store } => {
            let store = Store::existing(&store.store)?;
            let (first, second) = (known(&store, first)?, known(&store, second)?);
            diff(&store.tasks(first.id)?, &store.tasks(second.id)?)
        }
        Kept::Export { of, format } => {
            let (store, run) = of.open()?;
            let tasks = store.tasks(run.id)?;
            say(&match format {
                None | Some(Format::Human) => report::table(&tasks),
                Some(format) => rendered(&store, &tasks, format)?,
            })?;
            Ok(exit_of(Summary::of(&tasks).worst))
        }
        Kept::Report { of, html, against } => pages(&of, &html, against),
        Kept::Gc { store, keep } => {
            let store = Store::open(&store.store)?;
            let n_runs = store.keep_last(keep)?;
            let n_results = store.collect_garbage()?;
            say(&format!("{n_runs} runs and {n_results} results forgotten\n"))?;
            Ok(Exit::Safe)
        }
        Kept::Verify { of } => proofs(&of),
        Kept::Merge { others, store } => merge(&others, &store.store),
        Kept::Collect { folder, store } => merge(&slurm::parts(&folder)?, &store.store),
    }
}

impl OfRun {
    fn open(&self) -> Result<(Store, Run), Trouble> {
        let store = Store::existing(&self.store.store)?;
        let run = match self.run {
            Some(nth) => known(&store, nth)?,
            None => {
                let last = store.runs()?.pop();
                last.ok_or_else(|| Trouble::Usage("nothing was run with this store".into()))?
            }
        };
        Ok((store, run))
    }
}

fn known(store: &Store, nth: i64) -> Result<Run, Trouble> {
    let run = store.runs()?.into_iter().find(|it| it.id == RunId(nth));
    run.ok_or_else(|| Trouble::Usage(format!("there is no run {nth}; see `hardbop batch status`")))
}

fn say(text: &str) -> Result<(), Trouble> {
    voice::result(text).map_err(|error| Trouble::Io(error.to_string()))
}

fn merge(others: &[PathBuf], store: &Path) -> Result<Exit, Trouble> {
    let store = Store::open(store)?;
    for other in others {
        let merged = store.merge(other)?;
        let (n, tasks) = (merged.n_results, merged.n_tasks);
        say(&format!("{}: {n} results, for {tasks} tasks\n", other.display()))?;
    }
    Ok(Exit::Safe)
}

fn status(store: &Store) -> Result<Exit, Trouble> {
    let mut text = String::new();
    for run in store.runs()? {
        let summary = Summary::of(&store.tasks(run.id)?);
        text += &format!("run {} of {}: {}\n", run.id.0, run.plan, summary.line());
    }
    if text.is_empty() {
        text = "nothing was run with this store\n".into();
    }
    say(&text)?;
    Ok(Exit::Safe)
}

fn show(store: &Store, run: RunId, name: &str) -> Result<Exit, Trouble> {
    let tasks = store.tasks(run)?;
    let exact = tasks.iter().find(|it| it.task.name == name);
    let mut ending = tasks.iter().filter(|it| it.task.name.ends_with(name));
    let found = match (exact, ending.next(), ending.next()) {
        (Some(it), _, _) | (None, Some(it), None) => it,
        (None, Some(_), Some(_)) => {
            return Err(Trouble::Usage(format!("several tasks end in `{name}`: say more of it")));
        }
        (None, None, _) => return Err(Trouble::Usage(format!("there is no task `{name}`"))),
    };
    let mut text = line(found);
    text += &format!("hardbop check {}", found.task.asked.words().join(" "));
    for file in &found.task.files {
        text += &format!(" {}", file.display());
    }
    text += &format!("\nkey {}\n", found.key);
    if let Some(result) = &found.result {
        if let Some(log) = store.log_of(result.id)?.filter(|it| !it.is_empty()) {
            text += &format!("{}\n", log.trim_end());
        }
        if let Some(record) = store.record_of(result.id)? {
            text += &format!("{record}\n");
        }
    }
    say(&text)?;
    Ok(exit_of(Summary::of(std::slice::from_ref(found)).worst))
}

fn diff(first: &[Listed], second: &[Listed]) -> Result<Exit, Trouble> {
    let diff = Diff::of(first, second);
    let mut text: String =
        diff.changes.iter().map(|(name, change)| format!("{name}: {change}\n")).collect();
    let (before, after) =
        diff.times.iter().fold((0.0, 0.0), |sum, it| (sum.0 + it.1, sum.1 + it.2));
    text += &format!(
        "{} tasks differ; {} that both decide took {before:.1} s and {after:.1} s\n",
        diff.changes.len(),
        diff.times.len()
    );
    say(&text)?;
    Ok(Exit::Safe)
}

/// All results in a format of `check`.
pub fn rendered(store: &Store, tasks: &[Listed], format: Format) -> Result<String, Trouble> {
    let mut records = Vec::new();
    for listed in tasks {
        records.extend(report::record(store, listed)?);
    }
    let pieces: String = records.iter().map(|it| format.piece(it)).collect();
    Ok(pieces + &format.document(records.iter()))
}

fn pages(of: &OfRun, folder: &Path, against: Option<i64>) -> Result<Exit, Trouble> {
    let (store, run) = of.open()?;
    let tasks = store.tasks(run.id)?;
    let other = match against {
        Some(nth) => Some(known(&store, nth)?),
        None => store.runs()?.into_iter().rfind(|it| it.id < run.id),
    };
    let against = match other {
        Some(other) => {
            let name = format!("run {} of {}", other.id.0, other.plan);
            Some(Against { name, tasks: store.tasks(other.id)? })
        }
        None => None,
    };
    let title = format!("Hardbop: run {} of {}", run.id.0, run.plan);
    // Names are as seen from the folder of the plan, and only what lies there is shown.
    let sources = |record: &serde_json::Value| sources::below(record, &run.folder);
    let pages = report::pages(&store, &title, &tasks, against.as_ref(), sources)?;
    std::fs::create_dir_all(folder).map_err(|error| Trouble::io(folder, &error))?;
    for (name, text) in [("index.html", &pages.overview), ("explorer.html", &pages.explorer)] {
        output::write(&folder.join(name), text).map_err(|it| Trouble::Io(it.to_string()))?;
    }
    say(&format!("{}\n", folder.join("index.html").display()))?;
    Ok(Exit::Safe)
}

fn proofs(of: &OfRun) -> Result<Exit, Trouble> {
    let (store, run) = of.open()?;
    let me = std::env::current_exe().map_err(|error| Trouble::Io(error.to_string()))?;
    let tool = Tool { path: me, id: run.tool.clone() };
    let scratch = std::env::temp_dir().join(format!("hardbop-verify-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| Trouble::io(&scratch, &error))?;
    let (mut n_accepted, mut n_changed, mut n_without, mut n_refused) = (0, 0, 0, 0);
    for listed in store.tasks(run.id)? {
        match verify(&store, &run, &listed, &tool, &scratch)? {
            None => {}
            Some(Verified::Accepted) => n_accepted += 1,
            Some(Verified::Without) => n_without += 1,
            Some(Verified::Changed) => {
                tell!("hardbop: {}: it has changed since", listed.task.name);
                n_changed += 1;
            }
            Some(Verified::Refused(why)) => {
                tell!("hardbop: {}: {why}", listed.task.name);
                n_refused += 1;
            }
        }
    }
    // What stays behind in the temporary folder harms no one.
    let _ = std::fs::remove_dir_all(&scratch);
    say(&format!(
        "{n_accepted} proofs accepted, {n_refused} refused, {n_changed} of programs that have changed, {n_without} safe answers without a certificate\n"
    ))?;
    Ok(if n_refused > 0 { Exit::Rejected } else { Exit::Safe })
}
