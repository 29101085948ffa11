//! A table as text for people and as CSV for the rest.

use crate::measure::Measured;
use crate::suites::Case;
use crate::wins::Wins;

pub struct Table {
    suite: &'static str,
    baseline: String,
    widths: [usize; HEAD.len()],
    rows: Vec<(Case, String, Measured)>,
}

impl Case {
    /// What is known of it.
    fn known(&self) -> Option<&str> {
        self.expect.as_deref().filter(|it| matches!(*it, "safe" | "unsafe"))
    }
}

/// Seconds are processor time, wall is by the clock; the ratio is of the former.
const HEAD: [&str; 12] = [
    "suite",
    "program",
    "engine",
    "by",
    "verdict",
    "expected",
    "certified",
    "states",
    "seconds",
    "wall",
    "MB",
    "ratio",
];

impl Table {
    pub fn new(suite: &'static str, engines: &[String], cases: &[Case]) -> Self {
        let longest = |names: &mut dyn Iterator<Item = &String>| {
            names.map(|name| name.chars().count()).max().unwrap_or(0).max(8)
        };
        let program = longest(&mut cases.iter().map(|case| &case.name));
        let engine = longest(&mut engines.iter());
        let widths = [suite.len().max(5), program, engine, 20, 15, 8, 9, 9, 9, 9, 8, 7];
        let baseline = engines.first().cloned().unwrap_or_default();
        Table { suite, baseline, widths, rows: Vec::new() }
    }

    pub fn add(&mut self, case: &Case, engine: &str, measured: Measured) {
        self.rows.push((case.clone(), engine.into(), measured));
    }

    /// The names of the columns.
    pub fn head(&self) -> String {
        self.line(&HEAD.map(String::from))
    }

    /// The row that was added last.
    pub fn last(&self) -> String {
        self.cells().last().map(|cells| self.line(&cells)).unwrap_or_default()
    }

    fn line(&self, cells: &[String]) -> String {
        let mut line = String::new();
        for (column, (cell, &width)) in cells.iter().zip(&self.widths).enumerate() {
            // Words to the left, numbers to the right.
            line +=
                &if column < 7 { format!("{cell:width$}  ") } else { format!("{cell:>width$}  ") };
        }
        format!("{}\n", line.trim_end())
    }

    /// The engines in the order they were given.
    fn engines(&self) -> Vec<&String> {
        let mut names: Vec<&String> = Vec::new();
        for (_, engine, _) in &self.rows {
            if !names.contains(&engine) {
                names.push(engine);
            }
        }
        names
    }

    /// For each engine: how much it decided, its time in all, its largest memory.
    pub fn totals(&self) -> String {
        self.engines().into_iter().map(|name| self.total(name)).collect()
    }

    /// For each engine but the baseline: how often it is better, and by how much.
    pub fn wins(&self) -> String {
        let others = self.engines().into_iter().filter(|engine| **engine != self.baseline);
        let line = |name: &String| {
            let mut wins = Wins::default();
            for (case, _, measured) in self.rows.iter().filter(|(_, engine, _)| engine == name) {
                if let Some(base) = self.base(case) {
                    wins.add(base, measured);
                }
            }
            wins.line(name, &self.baseline)
        };
        others.map(line).collect()
    }

    fn base(&self, case: &Case) -> Option<&Measured> {
        let is_base = |(other, engine, _): &&(Case, String, Measured)| {
            other.name == case.name && *engine == self.baseline
        };
        self.rows.iter().find(is_base).map(|(_, _, measured)| measured)
    }

    /// Reachable and unreachable goals apart: that is where engines differ (BOOM section 4.5).
    fn total(&self, name: &str) -> String {
        let mut line = format!("{name}:");
        for (class, title) in
            [(Some("unsafe"), "unsafe"), (Some("safe"), "safe"), (None, "of unknown verdict")]
        {
            let rows: Vec<&Measured> = self
                .rows
                .iter()
                .filter(|(case, engine, _)| engine == name && case.known() == class)
                .map(|(_, _, measured)| measured)
                .collect();
            if rows.is_empty() {
                continue;
            }
            let decided = rows.iter().filter(|m| m.is_decided()).count();
            let sum = |number: fn(&Measured) -> f64| -> f64 {
                rows.iter().map(|m| number(m)).filter(|value| !value.is_nan()).sum()
            };
            let megabytes = rows.iter().map(|m| m.bytes).max().unwrap_or(0) as f64 / 1e6;
            line += &format!(
                " {decided} of {} {title} decided, {:.3} s ({:.3} s by the clock), {megabytes:.1} MB at most",
                rows.len(),
                sum(|m| m.seconds),
                sum(|m| m.wall),
            );
            for calls in ["sat_calls", "qbf_calls"] {
                let total: u64 = rows.iter().filter_map(|m| m.stat(calls)).sum();
                if total > 0 {
                    line += &format!(", {total} {calls}");
                }
            }
            line.push(';');
        }
        line.pop();
        line.push('\n');
        line
    }

    /// With the engines' own numbers in a last column.
    pub fn csv(&self) -> String {
        let mut out = format!("{},stats\n", HEAD.join(","));
        for (cells, (_, _, measured)) in self.cells().zip(&self.rows) {
            let stats: Vec<_> =
                measured.stats.iter().map(|(name, value)| format!("{name}={value}")).collect();
            out += &format!("{},{}\n", cells.join(","), stats.join(" "));
        }
        out
    }

    /// A verdict against what is known, or two engines against each other.
    pub fn wrong(&self) -> Option<String> {
        let wrong = self.rows.iter().find(|(case, _, measured)| {
            let mut others = self.rows.iter().filter(|(other, _, _)| other.name == case.name);
            measured.is_decided()
                && (case.known().is_some_and(|expect| expect != measured.verdict)
                    || others.any(|(_, _, other)| {
                        other.is_decided() && other.verdict != measured.verdict
                    }))
        });
        wrong.map(|(case, engine, measured)| {
            format!("WRONG VERDICT: {engine} says {} of {}", measured.verdict, case.name)
        })
    }

    fn cells(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        self.rows.iter().map(|(case, engine, measured)| {
            let ratio = self.base(case).map_or(f64::NAN, |base| measured.seconds / base.seconds);
            vec![
                self.suite.into(),
                case.name.clone(),
                engine.clone(),
                measured.by.clone(),
                measured.verdict.clone(),
                case.expect.clone().unwrap_or_default(),
                if measured.certified { "yes".into() } else { "no".into() },
                measured.stat("states").map(|it| it.to_string()).unwrap_or_default(),
                format!("{:.4}", measured.seconds),
                format!("{:.4}", measured.wall),
                format!("{:.1}", measured.bytes as f64 / 1e6),
                format!("{ratio:.2}"),
            ]
        })
    }
}
