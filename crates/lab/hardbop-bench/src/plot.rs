//! Plots of kept rows: `run … --csv FILE` writes them, this draws them. A row that is no answer is not decided.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hardbop_picture::plot::{Pair, Series, quantile, scatter};

/// Draw kept rows as SVG on standard output
#[derive(Args)]
pub struct PlotArgs {
    /// What `run --csv FILE` has written; several are put together
    #[arg(required = true)]
    rows: Vec<PathBuf>,
    /// How
    #[arg(long, value_enum, default_value_t = Kind::Quantile)]
    kind: Kind,
    /// The two engines of a scatter plot, separated by a comma
    #[arg(long, value_delimiter = ',', num_args = 1, required_if_eq("kind", "scatter"))]
    engines: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// How many tasks are decided within a time
    Quantile,
    /// Two engines against each other
    Scatter,
}

/// A measurement.
#[derive(Debug, PartialEq)]
struct Row {
    task: String,
    engine: String,
    /// `None` if it is not decided.
    seconds: Option<f64>,
}

pub fn run(args: &PlotArgs) -> Result<(), String> {
    let mut rows = Vec::new();
    for path in &args.rows {
        let named = |why: String| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
        rows.extend(read(&text).map_err(named)?);
    }
    let picture = match args.kind {
        Kind::Quantile => quantile(&series(&rows)),
        Kind::Scatter => match &args.engines[..] {
            [x, y] => scatter(x, y, &pairs(&rows, x, y)?),
            _ => return Err("a scatter plot compares two engines: --engines A,B".into()),
        },
    };
    print!("{picture}");
    Ok(())
}

/// By the names in the first line; `Err` names the line.
fn read(text: &str) -> Result<Vec<Row>, String> {
    let mut lines = text.lines().zip(1..);
    let head: Vec<&str> = lines.next().map_or("", |it| it.0).split(',').collect();
    let column = |name: &str| {
        head.iter()
            .position(|it| *it == name)
            .ok_or_else(|| format!("1: there is no column {name}"))
    };
    let (task, engine, verdict, time) =
        (column("program")?, column("engine")?, column("verdict")?, column("seconds")?);
    lines
        .filter(|it| !it.0.trim().is_empty())
        .map(|(line, number)| {
            let cells: Vec<&str> = line.split(',').collect();
            let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
            let is_decided = matches!(cell(verdict), "safe" | "unsafe");
            let seconds = match is_decided {
                true => Some(
                    cell(time).parse().map_err(|_| format!("{number}: no number of seconds"))?,
                ),
                false => None,
            };
            Ok(Row { task: cell(task).into(), engine: cell(engine).into(), seconds })
        })
        .collect()
}

fn series(rows: &[Row]) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for row in rows {
        let at = all.iter().position(|it| it.name == row.engine).unwrap_or_else(|| {
            all.push(Series { name: row.engine.clone(), seconds: Vec::new() });
            all.len() - 1
        });
        all[at].seconds.extend(row.seconds);
    }
    all
}

fn pairs(rows: &[Row], x: &str, y: &str) -> Result<Vec<Pair>, String> {
    for name in [x, y] {
        if !rows.iter().any(|it| it.engine == name) {
            return Err(format!("there is no row of engine {name}"));
        }
    }
    let of =
        |task: &str, engine: &str| rows.iter().find(|it| it.task == task && it.engine == engine);
    let tasks = rows.iter().filter(|it| it.engine == x);
    Ok(tasks
        .filter_map(|one| {
            let other = of(&one.task, y)?;
            Some(Pair { task: one.task.clone(), x: one.seconds, y: other.seconds })
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{pairs, read, series};

    const ROWS: &str = "program,engine,verdict,seconds\na,bdd,safe,0.5\na,pdr,time,20\nb,bdd,unsafe,2\nb,pdr,unsafe,1\n";

    #[test]
    fn what_is_not_decided_has_no_time() {
        let rows = read(ROWS).unwrap();
        let all = series(&rows);
        assert_eq!((all[0].seconds.len(), all[1].seconds.len()), (2, 1));
        let pairs = pairs(&rows, "bdd", "pdr").unwrap();
        assert_eq!((pairs[0].x, pairs[0].y), (Some(0.5), None));
        assert_eq!((pairs[1].x, pairs[1].y), (Some(2.0), Some(1.0)));
    }

    #[test]
    fn bad_rows_are_named() {
        assert_eq!(read("a,b\n").unwrap_err(), "1: there is no column program");
        let wrong = "program,engine,verdict,seconds\na,bdd,safe,fast\n";
        assert_eq!(read(wrong).unwrap_err(), "2: no number of seconds");
        assert!(pairs(&read(ROWS).unwrap(), "bdd", "qbf").unwrap_err().contains("qbf"));
    }
}
