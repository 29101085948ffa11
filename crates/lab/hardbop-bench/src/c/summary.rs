//! What a campaign adds up to: for each set and engine, and how often each reason of unknown.

use std::collections::BTreeMap;

use super::measure::Measured;
use super::{Done, Row};

#[derive(Default)]
struct Sum {
    n: usize,
    decided: usize,
    /// Of those, not what the label says.
    against: usize,
    seconds: f64,
    /// Of the rows that are decided.
    decided_seconds: f64,
    megabytes: f64,
}

impl Sum {
    fn add(&mut self, row: &Row, it: &Measured) {
        self.n += 1;
        self.seconds += it.seconds;
        self.megabytes = self.megabytes.max(it.megabytes);
        if it.is_decided() {
            self.decided += 1;
            self.decided_seconds += it.seconds;
            self.against += usize::from(it.got != row.expected);
        }
    }
}

const ALL: &str = "**all**";

pub fn tables(rows: &[Row], engines: &[String], done: &Done) -> String {
    let mut text = String::from("\n| set | rows |");
    for engine in engines {
        text += &format!(" {engine}: decided | against label | CPU s decided | CPU s | MB |");
    }
    text += &format!("\n|---|---|{}\n", "---|---|---|---|---|".repeat(engines.len()));
    let mut sets: Vec<&str> = rows.iter().map(Row::set).collect();
    sets.dedup();
    for set in sets.into_iter().chain([ALL]) {
        let of_set: Vec<&Row> = rows.iter().filter(|it| set == ALL || it.set() == set).collect();
        text += &format!("| {set} | {} |", of_set.len());
        for engine in engines {
            let mut sum = Sum::default();
            for row in &of_set {
                if let Some(it) = done.get(&((*row).clone(), engine.clone())) {
                    sum.add(row, it);
                }
            }
            let percent = 100.0 * sum.decided as f64 / sum.n.max(1) as f64;
            let missing = of_set.len() - sum.n;
            let missing =
                if missing == 0 { String::new() } else { format!(", {missing} not measured") };
            text += &format!(
                " {} ({percent:.0} %{missing}) | {} | {:.1} | {:.0} | {:.0} |",
                sum.decided, sum.against, sum.decided_seconds, sum.seconds, sum.megabytes
            );
        }
        text.push('\n');
    }
    text + &reasons(rows, engines, done) + &against(rows, engines, done)
}

/// Word of the reason, and the detail where it is not a number.
fn kind(reason: &str) -> String {
    match reason.split_once(": ") {
        Some((word @ ("unsupported" | "not-shown" | "internal"), detail)) => {
            // The place is another in each row.
            let detail = detail.split(", at ").next().unwrap_or(detail);
            format!("{word}: {detail}")
        }
        Some((word, _)) => word.into(),
        None => reason.into(),
    }
}

fn reasons(rows: &[Row], engines: &[String], done: &Done) -> String {
    let mut counts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for row in rows {
        for (at, engine) in engines.iter().enumerate() {
            if let Some(it) = done.get(&(row.clone(), engine.clone()))
                && !it.is_decided()
            {
                let list = counts.entry(kind(&it.reason)).or_insert_with(|| vec![0; engines.len()]);
                list[at] += 1;
            }
        }
    }
    let mut text = format!(
        "\n| reason of unknown | {} |\n|---|{}\n",
        engines.join(" | "),
        "---|".repeat(engines.len())
    );
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|it| std::cmp::Reverse(it.1.iter().sum::<usize>()));
    for (reason, list) in counts {
        let list: Vec<String> = list.iter().map(usize::to_string).collect();
        text += &format!("| {reason} | {} |\n", list.join(" | "));
    }
    text
}

/// Each verdict that is not what the label says: it is wrong, or the label is.
fn against(rows: &[Row], engines: &[String], done: &Done) -> String {
    let mut text = String::from(
        "\n| against its label | property | engine | label | ours |\n|---|---|---|---|---|\n",
    );
    for row in rows {
        for engine in engines {
            if let Some(it) = done.get(&(row.clone(), engine.clone()))
                && it.is_decided()
                && it.got != row.expected
            {
                text += &format!(
                    "| `{}` | {} | {engine} | {} | {} |\n",
                    row.file, row.property, row.expected, it.got
                );
            }
        }
    }
    text
}
