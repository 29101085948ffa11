//! Lenses: "check" above where execution begins, and what is known about the text.

use lsp_types::{CodeLens, Command};
use serde_json::json;

use crate::commands::{CHECK, EXPLORE};
use crate::documents::{Document, Kind};
use crate::positions::Encoding;
use crate::verdict::brief;

/// The lenses of a document. `is_checked` says whether it is being checked.
pub fn lenses(document: &Document, is_checked: bool, encoding: Encoding) -> Vec<CodeLens> {
    let uri = json!(document.now().uri);
    let lens = |line, title: String, command: &str, arguments| CodeLens {
        range: encoding.line(document.file(), line),
        command: Some(Command { title, command: command.into(), arguments: Some(arguments) }),
        data: None,
    };
    let (beginnings, mut lenses) = (beginnings(document), Vec::new());
    for (line, entry) in &beginnings {
        let (title, arguments) = match entry {
            None => ("check".into(), vec![uri.clone()]),
            Some(entry) => (format!("check {entry}"), vec![uri.clone(), json!({ "entry": entry })]),
        };
        lenses.push(lens(*line, title, CHECK, arguments));
    }
    let checked = document.checked.as_ref();
    let at = checked.and_then(|it| beginnings.iter().find(|at| at.1 == it.entry));
    let Some((line, _)) = at.or(beginnings.first()) else { return lenses };
    match checked {
        // A title without a command cannot be clicked.
        _ if is_checked => lenses.push(lens(*line, "checking …".into(), "", Vec::new())),
        Some(it) => {
            let title = format!("{}: explore", brief(&it.record));
            lenses.push(lens(*line, title, EXPLORE, vec![uri]));
        }
        None => {}
    }
    lenses
}

/// The lines where a check can begin. Without a `main`, any function of C is one; a Boolean program is whole or
/// none, so that the first line does.
fn beginnings(document: &Document) -> Vec<(u32, Option<String>)> {
    match document.kind() {
        Kind::Other => Vec::new(),
        Kind::Bp => {
            let Ok(syntax) = document.syntax() else { return Vec::new() };
            let procs = || syntax.program.procs.iter();
            let named = |name| procs().find(|it| &*it.name.name == name);
            let main = named("main").or_else(|| named("init"));
            vec![(main.map_or(1, |it| document.file().line(it.span.start)), None)]
        }
        Kind::C => {
            let is_here = |it: &&crate::c::Symbol| it.file == document.file().name;
            let functions = document.symbols.iter().filter(is_here).filter(|it| it.is_function());
            let functions: Vec<_> = functions.collect();
            match functions.iter().find(|it| it.name == "main") {
                Some(main) => vec![(main.lines.0, None)],
                None => functions.iter().map(|it| (it.lines.0, Some(it.name.clone()))).collect(),
            }
        }
    }
}
