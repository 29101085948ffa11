//! A run as pages: an overview without a script, and the explorer with every result, which it leads to.

use std::fmt::Write;

use hardbop_explorer::Item;
use hardbop_picture::plot::{Pair, Series, quantile, scatter};

use super::{Diff, Judgement, Summary, record};
use crate::error::Trouble;
use crate::store::{Listed, Store};

/// Another run to compare with.
pub struct Against {
    /// What it is called.
    pub name: String,
    /// Its tasks.
    pub tasks: Vec<Listed>,
}

/// Two files of one folder.
pub struct Pages {
    /// `index.html`
    pub overview: String,
    /// `explorer.html`
    pub explorer: String,
}

const STYLE: &str = include_str!("report.css");

/// Makes them; `sources` gives the text of a file that may be shown.
pub fn pages(
    store: &Store,
    title: &str,
    tasks: &[Listed],
    against: Option<&Against>,
    sources: impl Fn(&serde_json::Value) -> Vec<(String, String)>,
) -> Result<Pages, Trouble> {
    let mut items = Vec::new();
    // The place of each task in the explorer, counted from 1.
    let mut places = Vec::new();
    for listed in tasks {
        let object = record(store, listed)?;
        places.push(object.is_some().then_some(items.len() + 1));
        if let Some(record) = object {
            let sources = sources(&record);
            items.push(Item { record, sources, ..Item::default() });
        }
    }
    let overview = overview(title, tasks, &places, against);
    Ok(Pages { overview, explorer: hardbop_explorer::page(&items) })
}

fn overview(
    title: &str,
    tasks: &[Listed],
    places: &[Option<usize>],
    against: Option<&Against>,
) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{0}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>{0}</h1>\n<p>{1}</p>\n",
        escaped(title),
        escaped(&Summary::of(tasks).line()),
    );
    if let Some(against) = against {
        out += &changes(tasks, places, against);
    }
    let mut series = vec![decided("this run", tasks)];
    series.extend(against.map(|it| decided(&it.name, &it.tasks)));
    let _ = writeln!(out, "<h2>Time</h2>\n<div class=\"plots\">\n{}", quantile(&series));
    if let Some(against) = against {
        out += &scatter(&against.name, "this run", &pairs(tasks, &against.tasks));
    }
    let count = |class: &str| tasks.iter().filter(|it| class_of(it) == class).count();
    // Nested targets filter the table without a script.
    let _ = writeln!(
        out,
        "</div>\n<h2>Tasks</h2>\n<div id=\"all\"><div id=\"bad\"><div id=\"open\"><div id=\"good\">\n\
         <nav><a href=\"#all\">all {}</a><a href=\"#bad\">what is wrong {}</a><a href=\"#open\">what is open {}</a>\
         <a href=\"#good\">what is good {}</a><a href=\"explorer.html\">search and sort in the explorer</a></nav>\n\
         <div class=\"table\"><table>\n<tr><th>task</th><th>answer</th><th>expected</th>\
         <th class=\"n\">seconds</th><th class=\"n\">MB</th><th>why</th></tr>",
        tasks.len(),
        count("bad"),
        count("open"),
        count("good"),
    );
    for (listed, place) in tasks.iter().zip(places) {
        out += &row(listed, *place);
    }
    out + "</table></div>\n</div></div></div></div>\n</body>\n</html>\n"
}

/// What the row of a task is called.
fn class_of(listed: &Listed) -> &'static str {
    match Judgement::of(listed) {
        Judgement::Good => "good",
        Judgement::Missing | Judgement::Undecided => "open",
        Judgement::Violated
        | Judgement::Wrong
        | Judgement::Refused
        | Judgement::Unasked
        | Judgement::Crashed => "bad",
    }
}

/// A name that leads to the result, where there is one.
fn link(name: &str, place: Option<usize>) -> String {
    let name = escaped(name);
    match place {
        Some(nth) => format!("<a href=\"explorer.html#result={nth}\">{name}</a>"),
        None => name,
    }
}

fn row(listed: &Listed, place: Option<usize>) -> String {
    let (class, name) = (class_of(listed), link(&listed.task.name, place));
    let expected = listed.task.expected.map_or("", |it| match it {
        crate::task::Expected::True => "safe",
        crate::task::Expected::False => "unsafe",
    });
    let Some(result) = &listed.result else {
        return format!(
            "<tr class=\"{class}\"><td>{name}</td><td>no result</td><td>{expected}</td><td></td><td></td><td></td></tr>\n"
        );
    };
    format!(
        "<tr class=\"{class}\"><td>{name}</td><td class=\"{class}\">{}</td><td>{expected}</td><td class=\"n\">{:.2}</td>\
         <td class=\"n\">{:.0}</td><td class=\"why\">{}</td></tr>\n",
        result.answer,
        result.wall.as_secs_f64(),
        result.memory as f64 / 1e6,
        escaped(result.reason.as_deref().unwrap_or("")),
    )
}

fn changes(tasks: &[Listed], places: &[Option<usize>], against: &Against) -> String {
    let diff = Diff::of(&against.tasks, tasks);
    let mut out = format!("<h2>New since {}</h2>\n", escaped(&against.name));
    if diff.changes.is_empty() {
        return out + "<p>Every task has the same answer.</p>\n";
    }
    out += "<ul>\n";
    for (name, change) in &diff.changes {
        let at = tasks.iter().position(|it| it.task.name == *name).and_then(|at| places[at]);
        let _ = writeln!(out, "<li>{}: {}</li>", link(name, at), escaped(&change.to_string()));
    }
    out + "</ul>\n"
}

fn seconds(listed: &Listed) -> Option<f64> {
    listed.result.as_ref().filter(|it| it.answer.is_decided()).map(|it| it.wall.as_secs_f64())
}

fn decided(name: &str, tasks: &[Listed]) -> Series {
    Series { name: name.into(), seconds: tasks.iter().filter_map(seconds).collect() }
}

fn pairs(tasks: &[Listed], others: &[Listed]) -> Vec<Pair> {
    let before: std::collections::HashMap<&str, Option<f64>> =
        others.iter().map(|it| (it.task.name.as_str(), seconds(it))).collect();
    let pair = |it: &Listed| {
        let x = *before.get(it.task.name.as_str())?;
        Some(Pair { task: it.task.name.clone(), x, y: seconds(it) })
    };
    tasks.iter().filter_map(pair).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
