//! Runs a C file on the interpreter of the IR: `run FILE.c [--ir]`.

use std::io::Write;
use std::path::Path;

use hardbop_c::{Options, SystemLoader, load};
use hardbop_cir::Class;
use hardbop_cir::interp::{Config, Ending, run};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = args.first() else {
        eprintln!("usage: run FILE.c");
        std::process::exit(1);
    };
    let options = Options { classes: vec![Class::Assert], ..Options::default() };
    let loaded = match load(&[Path::new(path)], &SystemLoader::default(), &options) {
        Ok(loaded) => loaded,
        Err(rejected) => {
            let at = rejected.sources.position(rejected.diagnostics[0].primary.span);
            eprintln!("{}:{}: {}", at.file, at.line, rejected.message());
            std::process::exit(2);
        }
    };
    let result = run(&loaded.program, &Config { classes: options.classes, ..Config::default() });
    let _ = std::io::stdout().write_all(&result.output);
    match result.ending {
        Ending::Exit(code) => std::process::exit(i32::from(code)),
        other => {
            eprintln!("{other:?}");
            std::process::exit(99);
        }
    }
}
