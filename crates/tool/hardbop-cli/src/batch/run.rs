//! Running a plan.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use hardbop_batch::Trouble;
use hardbop_batch::batch::{self, Batch};
use hardbop_batch::limits::Limits;
use hardbop_batch::plan::{self, Extra, Plan};
use hardbop_batch::pool;
use hardbop_batch::report::{Judgement, Summary};
use hardbop_batch::slurm::Job;
use hardbop_batch::split::Split;
use hardbop_batch::store::{Listed, Store};
use hardbop_batch::task::Asked;
use hardbop_batch::tool::Tool;

use super::live::Live;
use super::{RunArgs, exit_of, kept};
use crate::exit::Exit;
use crate::format::Format;
use crate::signals;
use crate::voice::{self, tell};

pub fn run(path: &Path, args: &RunArgs) -> Result<Exit, Trouble> {
    let plan = planned(path, args)?;
    let me = std::env::current_exe().map_err(|error| Trouble::Io(error.to_string()))?;
    if let Some(folder) = &args.slurm {
        return submit(folder, path, &plan, me, args);
    }
    let store = Store::open(&args.store.store)?;
    let tool = Tool::at(&me, &store)?;
    let split = match (args.per_property, args.cube) {
        (true, _) => Some(Split::Properties),
        (false, cube) => cube.map(Split::Cubes),
    };
    let (store, tasks) = match split {
        None => worked(plan, &tool, store, args)?,
        Some(split) => {
            let (store, parts) = worked(split.apply(&plan).0, &tool, store, args)?;
            let run = batch::join(&store, &tool, &plan, split, &parts)?;
            let tasks = store.tasks(run)?;
            (store, tasks)
        }
    };
    tell_of(&store, &tasks, args.format)?;
    if signals::interrupt().is_cancelled() {
        tell!("hardbop: interrupted; the same command goes on from here");
    }
    Ok(exit_of(Summary::of(&tasks).worst))
}

/// Works on a plan; its tasks with what came of them.
fn worked(
    plan: Plan,
    tool: &Tool,
    store: Store,
    args: &RunArgs,
) -> Result<(Store, Vec<Listed>), Trouble> {
    let jobs = args.jobs.map_or_else(|| pool::jobs(plan.tasks.iter()), |it| it as usize);
    let batch = Batch::begin(plan, tool, &store, jobs, args.only_changed)?;
    let (run, n_tasks, n_todo) = (batch.run_id(), batch.n_tasks(), batch.n_todo());
    if n_todo < n_tasks {
        tell!("hardbop: {} of {n_tasks} tasks have a result already", n_tasks - n_todo);
    }
    let live = Live::start(n_todo, jobs);
    let store = Mutex::new(store);
    let worked = batch.work(&store, jobs, signals::interrupt(), &live);
    live.finish();
    let store = store.into_inner().map_err(|_| Trouble::Io("a worker failed".into()))?;
    worked?;
    let tasks = store.tasks(run)?;
    Ok((store, tasks))
}

/// Hands the plan to Slurm.
fn submit(
    folder: &Path,
    path: &Path,
    plan: &Plan,
    tool: PathBuf,
    args: &RunArgs,
) -> Result<Exit, Trouble> {
    let whole = |path: &Path| std::path::absolute(path).map_err(|error| Trouble::io(path, &error));
    let n_parts = (args.parts as usize).min(plan.tasks.len());
    let time = Job::time_of(plan, n_parts).ok_or_else(|| {
        Trouble::Usage("each task needs a limit of time, so that Slurm can be told one".into())
    })?;
    let mut words = vec![whole(path)?.display().to_string()];
    let mut put = |name: &str, value: Option<String>| {
        words.extend(value.into_iter().flat_map(|value| [name.to_string(), value]));
    };
    let millis = |it: Duration| format!("{}ms", it.as_millis());
    put("--time-limit", args.time_limit.map(millis));
    put("--cpu-limit", args.cpu_limit.map(millis));
    put("--memory-limit", args.memory_limit.map(|it| it.to_string()));
    args.entries.iter().for_each(|it| put("--entry", Some(it.clone())));
    let memory = plan.tasks.iter().map(|it| it.limits.memory).max().flatten();
    let (folder, options) = (whole(folder)?, args.options.clone());
    let partition = args.partition.clone();
    let job = Job { folder, tool, words, options, n_parts, partition, time, memory };
    let number = job.submit()?;
    let text = format!(
        "job {number}: {n_parts} parts; `hardbop batch collect {}` takes what they have found\n",
        job.folder.display()
    );
    voice::result(&text).map_err(|error| Trouble::Io(error.to_string()))?;
    Ok(Exit::Safe)
}

fn planned(plan: &Path, args: &RunArgs) -> Result<Plan, Trouble> {
    let mut asked = Asked::default();
    asked.take(&args.options).map_err(Trouble::Usage)?;
    let (cpu, wall, memory) = (args.cpu_limit, args.time_limit, args.memory_limit);
    let limits = Limits { cpu, wall, memory };
    let extra = Extra { asked, limits, entries: args.entries.clone() };
    let plan = plan::read(plan, &extra)?;
    Ok(match args.shard {
        Some(shard) => shard.of(plan),
        None => plan,
    })
}

/// Results go to standard output: for a person what needs a look and a summary.
fn tell_of(store: &Store, tasks: &[Listed], format: Format) -> Result<(), Trouble> {
    let text = match format {
        Format::Human => {
            let needs_a_look = tasks.iter().filter(|it| Judgement::of(it) > Judgement::Missing);
            let mut text: String = needs_a_look.map(line).collect();
            text += &format!("{}\n", Summary::of(tasks).line());
            text
        }
        format => kept::rendered(store, tasks, format)?,
    };
    voice::result(&text).map_err(|error| Trouble::Io(error.to_string()))
}

/// One task.
pub fn line(listed: &Listed) -> String {
    let Some(result) = &listed.result else {
        return format!("{:>9}  {}\n", "no result", listed.task.name);
    };
    let mut line = format!(
        "{:>9} {:>7.2} s  {}",
        result.answer.name(),
        result.wall.as_secs_f64(),
        listed.task.name
    );
    if Judgement::of(listed) == Judgement::Wrong {
        line += "  NOT AS EXPECTED";
    }
    if let Some(reason) = &result.reason {
        line += &format!("  ({})", reason.lines().next().unwrap_or_default());
    }
    line + "\n"
}
