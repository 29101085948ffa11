//! `hardbop explore`: results in a browser, from a server that only this machine can reach.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;
use hardbop_explorer::{Item, Server, page};
use hardbop_report::read;

use crate::args::CheckArgs;
use crate::check::{Checked, check_all, expanded};
use crate::exit::Exit;
use crate::output::named;
use crate::signals;
use crate::sources;
use crate::voice::{self, tell};

/// Look through results in a browser: what `check` finds, or a file with results
#[derive(Args, Debug)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub check: CheckArgs,

    /// Print the address, and do not start a browser
    #[arg(long)]
    pub no_browser: bool,
}

pub fn explore(args: Box<ExploreArgs>) -> io::Result<Exit> {
    let ExploreArgs { mut check, no_browser } = *args;
    check.is_explored = true;
    let items = match kept(&check.files)? {
        Some(Ok(items)) => items,
        Some(Err(why)) => {
            tell!("hardbop: {why}");
            return Ok(Exit::Rejected);
        }
        None => {
            if let Err(exit) = expanded(&mut check) {
                return Ok(exit);
            }
            let Checked { exit, items } = check_all(&Arc::new(check))?;
            if items.is_empty() {
                return Ok(exit);
            }
            items
        }
    };
    let server = Server::start(page(&items))?;
    let address = server.address();
    voice::result(&format!("{address}\n"))?;
    tell!("hardbop: Ctrl-C ends the server");
    if !no_browser {
        open(&address);
    }
    std::thread::Builder::new().name("server".into()).spawn(move || server.serve())?;
    while !signals::interrupt().is_cancelled() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Ok(Exit::Safe)
}

/// The results of a file; `None` if it is something to check.
fn kept(files: &[PathBuf]) -> io::Result<Option<Result<Vec<Item>, String>>> {
    let [file] = files else { return Ok(None) };
    if file.extension().is_none_or(|it| it != "json") {
        return Ok(None);
    }
    let text = std::fs::read_to_string(file).map_err(|error| named(file, &error))?;
    if text.trim_start().starts_with('[') {
        // A compilation database.
        return Ok(None);
    }
    let folder = file.canonicalize()?.parent().map(Path::to_path_buf).unwrap_or_default();
    let here = std::env::current_dir()?;
    // A file of results may name any path: only what lies beside it, or below the
    // folder the user stands in, is shown.
    let may_be_shown = |path: &Path| {
        path.canonicalize().is_ok_and(|it| it.starts_with(&folder) || it.starts_with(&here))
    };
    let items = |record| {
        let sources = sources::named_in(&record, may_be_shown);
        Item { record, sources, ..Item::default() }
    };
    let results = read(&text).map_err(|why| format!("{}:{why}", file.display()));
    Ok(Some(results.map(|list| list.into_iter().map(items).collect())))
}

/// Asks the system for a browser; without one the address on standard output does.
fn open(address: &str) {
    let command = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut browser = Command::new(command);
    browser.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if browser.spawn().is_err() {
        tell!("hardbop: no browser could be started; the address is above");
    }
}
