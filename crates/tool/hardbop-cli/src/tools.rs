//! The small commands: fmt, graph, gen, explain, engines, completions.

use std::io;
use std::path::Path;

use clap::CommandFactory;
use hardbop_explorer::graphs;
use hardbop_gen::families;

use crate::args::{Cli, FmtArgs, GenArgs, GraphArgs, GraphFormat};
use crate::exit::Exit;
use crate::input::{self, Limits, Loaded};
use crate::output;
use crate::refusal::{Complaint, Refusal};
use crate::subject::Kind;
use crate::voice::{self, tell};

pub fn fmt(args: &FmtArgs, limits: &Limits) -> Result<Exit, Refusal> {
    of_boolean_programs("fmt", &args.file)?;
    let name = args.file.display().to_string();
    let bytes = input::read(&args.file, limits)?;
    let (file, program, diagnostics) = hardbop_bp::parse_bytes(&name, bytes);
    let complaints = input::complain(&file, &diagnostics);
    if complaints.iter().any(Complaint::is_error) {
        return Err(Refusal::Rejected(complaints));
    }
    let text = hardbop_bp::print(&program);
    if args.check {
        if text == file.text {
            return Ok(Exit::Safe);
        }
        tell!("{name}: not in canonical form; `hardbop fmt --write` makes it so");
        return Ok(Exit::Rejected);
    }
    if args.write {
        if args.file == Path::new("-") {
            return Err(Refusal::Misfit("--write needs a file, not standard input".into()));
        }
        output::write(&args.file, &text)?;
    } else {
        print(&text)?;
    }
    Ok(Exit::Safe)
}

pub fn graph(args: &GraphArgs, limits: &Limits) -> Result<Exit, Refusal> {
    of_boolean_programs("graph", &args.file)?;
    let Loaded { source, program, .. } = input::load(&args.file, limits)?;
    match args.format {
        GraphFormat::Svg => print(&graphs::picture(&program, &source))?,
        GraphFormat::Dot => print(&hardbop_cfg::dot::to_dot(&program, Some(&source)))?,
        GraphFormat::Cfg => print(&hardbop_cfg::text::print(&program))?,
    }
    Ok(Exit::Safe)
}

/// Other files would be read as Boolean programs, and every line of them be wrong.
fn of_boolean_programs(command: &str, file: &Path) -> Result<(), Refusal> {
    match Kind::of(file) {
        Kind::Boolean => Ok(()),
        other => Err(Refusal::Misfit(format!(
            "`hardbop {command}` is for Boolean programs; for {} there is `hardbop check`",
            other.name()
        ))),
    }
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
        tell!("hardbop: there is no family {name}; `hardbop gen` lists them");
        return Ok(Exit::Usage);
    };
    match (family.generate)(&args.args) {
        Ok(text) => {
            print(&text)?;
            Ok(Exit::Safe)
        }
        Err(why) => {
            tell!("hardbop: {why}\nusage: hardbop gen {name} {}", family.usage);
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
        tell!("hardbop: there is no code {code}; `hardbop explain` lists them");
        return Ok(Exit::Usage);
    };
    print(&format!("{}: {}\n\n{}\n", entry.id, entry.title, entry.page.trim_end()))?;
    Ok(Exit::Safe)
}

pub fn engines() -> io::Result<Exit> {
    let width = hardbop_check::entries().map(|it| it.name.len()).max().unwrap_or(0);
    let line = |it: hardbop_check::EngineEntry| format!("{:width$}  {}\n", it.name, it.about);
    print(&hardbop_check::entries().map(line).collect::<String>())?;
    Ok(Exit::Safe)
}

pub fn completions(shell: clap_complete::Shell) -> io::Result<Exit> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hardbop", &mut out);
    voice::raw(&out)?;
    Ok(Exit::Safe)
}

/// The pages come from the same table as the help.
pub fn man(folder: &Path) -> io::Result<Exit> {
    clap_mangen::generate_to(Cli::command(), folder)
        .map_err(|error| output::named(folder, &error))?;
    Ok(Exit::Safe)
}

fn print(text: &str) -> io::Result<()> {
    voice::raw(text.as_bytes())
}
