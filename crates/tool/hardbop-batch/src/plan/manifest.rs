//! A CSV file as a plan: a row is a task, the first line names the columns.

use std::path::Path;

use crate::error::{Trouble, read};
use crate::task::{Expected, Model, Task};
use crate::units;

/// What a column says of its task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Name,
    File,
    Property,
    Expected,
    Entry,
    DataModel,
    Goal,
    Threads,
    Options,
    TimeLimit,
    CpuLimit,
    MemoryLimit,
    /// For readers.
    Remark,
}

impl Column {
    fn named(name: &str) -> Option<Column> {
        Some(match name.to_ascii_lowercase().replace('-', "_").as_str() {
            "name" => Column::Name,
            "file" => Column::File,
            "property" => Column::Property,
            "expected" => Column::Expected,
            "entry" => Column::Entry,
            "data_model" => Column::DataModel,
            "goal" => Column::Goal,
            "threads" => Column::Threads,
            "options" => Column::Options,
            "time_limit" => Column::TimeLimit,
            "cpu_limit" => Column::CpuLimit,
            "memory_limit" => Column::MemoryLimit,
            "lines" | "verdict_from" | "note" | "comment" => Column::Remark,
            _ => return None,
        })
    }
}

pub fn tasks(path: &Path) -> Result<Vec<Task>, Trouble> {
    let text = read(path)?;
    let rows = rows(&text).map_err(|(line, why)| Trouble::at(path, line, why))?;
    let Some(((_, head), rows)) = rows.split_first() else {
        return Err(Trouble::of(path, "the file is empty"));
    };
    let column = |name: &String| {
        let why = || format!("the column `{name}` is not known");
        Column::named(name.trim()).ok_or_else(|| Trouble::at(path, 1, why()))
    };
    let columns = head.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    if !columns.contains(&Column::File) {
        return Err(Trouble::at(path, 1, "there is no column `file`"));
    }
    let of =
        |(line, cells): &Cells| task(&columns, cells).map_err(|why| Trouble::at(path, *line, why));
    rows.iter().map(of).collect()
}

fn task(columns: &[Column], cells: &[String]) -> Result<Task, String> {
    if cells.len() != columns.len() {
        return Err(format!("{} cells where there are {} columns", cells.len(), columns.len()));
    }
    let mut task = Task::of(Vec::new());
    for (column, cell) in columns.iter().zip(cells).filter(|it| !it.1.is_empty()) {
        let mut option = |name: &str| task.asked.options.extend([name.to_string(), cell.clone()]);
        match column {
            Column::Name => task.name = cell.clone(),
            Column::File => task.files.push(cell.into()),
            Column::Property => task.asked.property = Some(cell.clone()),
            Column::Entry => task.asked.entry = Some(cell.clone()),
            Column::Goal => option("--goal"),
            Column::Threads => option("--threads"),
            Column::Options => {
                let words: Vec<String> = cell.split_whitespace().map(String::from).collect();
                task.asked.take(&words)?;
            }
            Column::Expected if cell == "unknown" => {}
            Column::Expected => {
                let expected = Expected::named(cell);
                task.expected =
                    Some(expected.ok_or_else(|| format!("`{cell}` is no verdict to expect"))?);
            }
            Column::DataModel => {
                let model = Model::named(cell);
                task.asked.data_model =
                    Some(model.ok_or_else(|| format!("`{cell}` is no data model"))?);
            }
            Column::TimeLimit => task.limits.wall = Some(units::duration(cell)?),
            Column::CpuLimit => task.limits.cpu = Some(units::duration(cell)?),
            Column::MemoryLimit => task.limits.memory = Some(units::bytes(cell)?),
            Column::Remark => {}
        }
    }
    if task.files.is_empty() {
        return Err("no file is named".into());
    }
    if task.name.is_empty() {
        task.name = task.files[0].display().to_string();
    }
    Ok(task)
}

/// The line a row begins on, and its cells.
type Cells = (usize, Vec<String>);

/// Rows with their lines (RFC 4180: quotes around cells, doubled inside); empty lines are none.
fn rows(text: &str) -> Result<Vec<Cells>, (usize, String)> {
    let mut rows = Vec::new();
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let (mut line, mut start, mut is_quoted) = (1, 1, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if is_quoted || cell.is_empty() => is_quoted = !is_quoted,
            c if is_quoted => cell.push(c),
            '"' => return Err((line, "a quote in the middle of a cell".into())),
            ',' => cells.push(std::mem::take(&mut cell)),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                cells.push(std::mem::take(&mut cell));
                rows.push((start, std::mem::take(&mut cells)));
                start = line;
            }
            c => cell.push(c),
        }
    }
    if is_quoted {
        return Err((start, "a quote is not closed".into()));
    }
    if !cell.is_empty() || !cells.is_empty() {
        cells.push(cell);
        rows.push((start, cells));
    }
    rows.retain(|(_, cells)| cells.iter().any(|it| !it.is_empty()));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn cells_may_be_quoted() {
        let text = "a,b\r\n\"x, \"\"y\"\"\",2\n\n,\nlast,\"two\nlines\"";
        let found = rows(text).unwrap();
        assert_eq!(found[1], (2, vec!["x, \"y\"".to_string(), "2".into()]));
        assert_eq!(found[2], (5, vec!["last".to_string(), "two\nlines".into()]));
        assert_eq!(rows("a\"b").unwrap_err(), (1, "a quote in the middle of a cell".into()));
        assert_eq!(rows("a\n\"b").unwrap_err(), (2, "a quote is not closed".into()));
    }
}
