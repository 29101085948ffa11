//! The small commands: fmt, graph, gen, explain, engines, completions.

use std::io::{self, Write};

use clap::CommandFactory;
use hardbop_gen::families;

use crate::args::{Cli, FmtArgs, GenArgs, GraphArgs, GraphFormat};
use crate::exit::Exit;
use crate::input;

pub fn fmt(args: &FmtArgs) -> io::Result<Exit> {
    let name = args.file.display().to_string();
    let bytes = input::read(&args.file)?;
    let (file, program, diagnostics) = hardbop_bp::parse_bytes(&name, bytes);
    input::tell(&file, &diagnostics)?;
    if diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
        return Ok(Exit::Rejected);
    }
    let text = hardbop_bp::print(&program);
    if args.check {
        if text == file.text {
            return Ok(Exit::Safe);
        }
        anstream::eprintln!("{name}: not in canonical form; `hardbop fmt --write` makes it so");
        return Ok(Exit::Rejected);
    }
    if args.write {
        input::write(&args.file, &text)?;
    } else {
        print(&text)?;
    }
    Ok(Exit::Safe)
}

pub fn graph(args: &GraphArgs) -> io::Result<Exit> {
    let Some((source, program)) = input::load(&args.file)? else { return Ok(Exit::Rejected) };
    match args.format {
        GraphFormat::Dot => print(&hardbop_cfg::dot::to_dot(&program, Some(&source)))?,
        GraphFormat::Cfg => print(&hardbop_cfg::text::print(&program))?,
    }
    Ok(Exit::Safe)
}

pub fn generate(args: &GenArgs) -> io::Result<Exit> {
    let Some(name) = &args.family else {
        let mut list = String::new();
        for family in families::all() {
            list += &format!("{} {}\n    {}\n", family.name, family.usage, family.about);
        }
        print(&list)?;
        return Ok(Exit::Safe);
    };
    let Some(family) = families::all().iter().find(|family| family.name == name) else {
        anstream::eprintln!("hardbop: there is no family {name}; `hardbop gen` lists them");
        return Ok(Exit::Usage);
    };
    match (family.generate)(&args.args) {
        Ok(text) => {
            print(&text)?;
            Ok(Exit::Safe)
        }
        Err(why) => {
            anstream::eprintln!("hardbop: {why}\nusage: hardbop gen {name} {}", family.usage);
            Ok(Exit::Usage)
        }
    }
}

pub fn explain(code: Option<&str>) -> io::Result<Exit> {
    let Some(code) = code else {
        let list = hardbop_diag::codes::all().iter();
        print(&list.map(|entry| format!("{}  {}\n", entry.id, entry.title)).collect::<String>())?;
        return Ok(Exit::Safe);
    };
    let Some(entry) = hardbop_diag::codes::lookup(code) else {
        anstream::eprintln!("hardbop: there is no code {code}; `hardbop explain` lists them");
        return Ok(Exit::Usage);
    };
    print(&format!("{}: {}\n\n{}\n", entry.id, entry.title, entry.page.trim_end()))?;
    Ok(Exit::Safe)
}

pub fn engines() -> io::Result<Exit> {
    let mut list = String::new();
    for engine in hardbop_check::entries() {
        list += &format!("{:12} {}\n", engine.name, engine.about);
    }
    print(&list)?;
    Ok(Exit::Safe)
}

pub fn completions(shell: clap_complete::Shell) -> io::Result<Exit> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hardbop", &mut out);
    io::stdout().lock().write_all(&out)?;
    Ok(Exit::Safe)
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
