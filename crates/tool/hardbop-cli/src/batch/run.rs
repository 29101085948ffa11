//! Running a plan.

use std::path::Path;
use std::sync::Mutex;

use hardbop_batch::Trouble;
use hardbop_batch::batch::Batch;
use hardbop_batch::limits::Limits;
use hardbop_batch::plan::{self, Extra, Plan};
use hardbop_batch::pool;
use hardbop_batch::report::{Judgement, Summary};
use hardbop_batch::store::{Listed, Store};
use hardbop_batch::task::Asked;
use hardbop_batch::tool::Tool;

use super::live::Live;
use super::{RunArgs, exit_of, kept};
use crate::exit::Exit;
use crate::format::Format;
use crate::signals;
use crate::voice::{self, tell};

pub fn run(plan: &Path, args: &RunArgs) -> Result<Exit, Trouble> {
    let plan = planned(plan, args)?;
    let store = Store::open(&args.store.store)?;
    let me = std::env::current_exe().map_err(|error| Trouble::Io(error.to_string()))?;
    let tool = Tool::at(&me, &store)?;
    let jobs = args.jobs.map_or_else(|| pool::jobs(plan.tasks.iter()), |it| it as usize);
    let batch = Batch::begin(plan, &tool, &store, jobs, args.only_changed)?;
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
    tell_of(&store, &tasks, args.format)?;
    if signals::interrupt().is_cancelled() {
        tell!("hardbop: interrupted; the same command goes on from here");
    }
    Ok(exit_of(Summary::of(&tasks).worst))
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
