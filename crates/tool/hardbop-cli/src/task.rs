//! SV-COMP's task definitions (`.yml`, format 2.0) as input: a task stands for its files, its data model and its
//! property.

use std::path::Path;

use hardbop_batch::plan::definition;
use hardbop_batch::task;

use crate::args::CheckArgs;
use crate::c::{Model, asked};
use crate::refusal::Refusal;

pub fn is_task(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "yml" || it == "yaml")
}

/// Puts what a task says in the place of the task. A property of the command line is one of the task's.
pub fn expand(args: &mut CheckArgs) -> Result<(), Refusal> {
    let Some(path) = args.files.iter().find(|it| is_task(it)).cloned() else { return Ok(()) };
    let name = path.display().to_string();
    if args.files.len() > 1 {
        let why =
            format!("{name}: a task is checked alone: its property and data model are its own");
        return Err(Refusal::Misfit(why));
    }
    let text =
        std::fs::read_to_string(&path).map_err(|error| crate::output::named(&path, &error))?;
    let task =
        definition::read(&text).map_err(|(line, why)| Refusal::of_place(&name, (line, 1), why))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    args.files = task.files.iter().map(|it| folder.join(it)).collect();
    let own = task.data_model.map(|it| match it {
        task::Model::Ilp32 => Model::Ilp32,
        task::Model::Lp64 => Model::Lp64,
    });
    match (args.c.data_model, own) {
        (Some(given), Some(own)) if given != own => {
            return Err(Refusal::Misfit(format!("{name}: the task has another --data-model")));
        }
        (None, own) => args.c.data_model = own,
        _ => {}
    }
    if !args.c.properties.is_empty() {
        return Ok(());
    }
    let [property] = &task.properties[..] else {
        let why = match task.properties.len() {
            0 => "the task names no property; choose one by --property".into(),
            n => format!("the task names {n} properties; choose one by --property FILE.prp"),
        };
        return Err(Refusal::Misfit(format!("{name}: {why}")));
    };
    let property = folder.join(&property.file).display().to_string();
    args.c.properties = vec![
        asked(&property).map_err(|why| Refusal::of_file(&name, format!("{property}: {why}")))?,
    ];
    Ok(())
}
