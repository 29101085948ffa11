//! C on the command line: reading files as one program, `check` and `run`.

mod check;
mod fsoft;
mod inputs;
mod run;
mod sha256;
mod testbench;
mod witness;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hardbop_c::locks::LockEntry;
use hardbop_c::prp::{self, Prp};
use hardbop_c::{
    CProgram, DataModel, Goals, Options, Sources, SystemLoader, compile_commands, property,
};
use hardbop_cir::Class;
use hardbop_diag::Diagnostic;
use serde_json::json;

use crate::args::Format;
use crate::input;

pub use check::check;
pub use fsoft::FsoftArgs;
pub use run::{RunArgs, run};

/// How C is read.
#[derive(Args, Debug)]
pub struct CArgs {
    /// C: what to check, by class or SV-COMP name, such as `bounds,null` or
    /// `valid-memsafety`, or a .prp file [default: all but uninit; `run`: all but leak]
    #[arg(long = "property", value_name = "NAME", value_delimiter = ',', value_parser = asked)]
    properties: Vec<Asked>,

    /// C: sizes of types
    #[arg(long, value_enum, default_value_t = Model::Lp64)]
    data_model: Model,

    /// C: the function to start with [default: `main`, or that of the .prp file]
    #[arg(long, value_name = "FUNC")]
    entry: Option<String>,

    /// C: where included files are looked for
    #[arg(short = 'I', value_name = "DIR")]
    include_paths: Vec<PathBuf>,

    /// C: a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,

    /// C: what a function does to the lock its first argument points to, besides those of pthreads
    /// and the kernel that are known: init, acquire, release, try (returns 1) or try0 (returns 0)
    #[arg(long = "lock", value_name = "FUNCTION=ACT")]
    locks: Vec<LockEntry>,
}

/// What `check` writes beside its report.
#[derive(Args, Debug)]
pub struct OutputArgs {
    /// C: write a witness, of a proof or of a violation, in the YAML format 2.0 of SV-COMP
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,

    /// C: write a program that shows the violation: inputs as C, a makefile, commands for gdb
    #[arg(long, value_name = "DIR")]
    testbench: Option<PathBuf>,
}

impl OutputArgs {
    pub fn is_given(&self) -> bool {
        self.witness.is_some() || self.testbench.is_some()
    }
}

/// What one name asks for.
#[derive(Clone, Debug)]
enum Asked {
    Classes(Vec<Class>),
    File(Prp),
}

fn asked(name: &str) -> Result<Asked, String> {
    if name.ends_with(".prp") {
        let text = std::fs::read_to_string(name).map_err(|error| error.to_string())?;
        return prp::read(&text).map(Asked::File).map_err(|what| format!("{name}:{what}"));
    }
    Class::select(name).map(Asked::Classes).ok_or_else(|| {
        let names: Vec<_> = Class::ALL.iter().map(|class| class.name()).collect();
        format!(
            "there is no such property; there are all, {}, unreach-call, valid-deref, valid-free, \
             valid-memtrack, valid-memsafety, no-overflow",
            names.join(", ")
        )
    })
}

impl Asked {
    fn classes(&self) -> &[Class] {
        match self {
            Asked::Classes(classes) => classes,
            Asked::File(prp) => &prp.classes,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Model {
    /// `int`, `long` and pointers have 32 bits
    Ilp32,
    /// `long` and pointers have 64 bits
    Lp64,
}

impl CArgs {
    /// Whether something was given that has no default.
    pub fn is_given(&self) -> bool {
        let (properties, locks) = (!self.properties.is_empty(), !self.locks.is_empty());
        properties || locks || !self.include_paths.is_empty() || !self.defines.is_empty()
    }

    /// The classes asked for, or the default.
    fn classes(&self, default: &[Class]) -> Vec<Class> {
        if self.properties.is_empty() {
            return default.to_vec();
        }
        let wanted = |class: &Class| self.properties.iter().any(|it| it.classes().contains(class));
        Class::ALL.into_iter().filter(wanted).collect()
    }

    fn files(&self) -> impl Iterator<Item = &Prp> {
        self.properties.iter().filter_map(|it| match it {
            Asked::File(prp) => Some(prp),
            Asked::Classes(_) => None,
        })
    }

    /// The function to start with: that of `--entry`, of the property files, or `main`.
    fn entry(&self) -> &str {
        let in_file = self.files().find_map(|it| it.entry.as_deref());
        self.entry.as_deref().or(in_file).unwrap_or("main")
    }

    /// A message if property files start elsewhere than `--entry` or one another.
    fn misfit(&self) -> Option<String> {
        let entry = self.entry();
        let other = self.files().filter_map(|it| it.entry.as_deref()).find(|it| *it != entry)?;
        Some(format!("a property file says `init({other}())`, the entry is `{entry}`"))
    }

    /// What class `assert` asks: what property files name, and nothing else if they alone ask.
    fn goals(&self) -> Goals {
        let asks =
            |it: &Asked| matches!(it, Asked::Classes(classes) if classes.contains(&Class::Assert));
        let names = |of: fn(&Prp) -> &Vec<String>| {
            self.files().flat_map(of).map(|it| it.as_str().into()).collect()
        };
        Goals {
            assertions: self.properties.is_empty() || self.properties.iter().any(asks),
            calls: names(|it| &it.calls),
            labels: names(|it| &it.labels),
        }
    }

    fn is_32_bit(&self) -> bool {
        self.data_model == Model::Ilp32
    }

    fn options(&self, classes: Vec<Class>) -> Options {
        let model = match self.data_model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        };
        let (entry, goals) = (self.entry().to_string(), self.goals());
        let mut options = Options { model, entry, classes, goals, ..Options::default() };
        for entry in &self.locks {
            options.locks.add(entry.function.clone(), entry.act);
        }
        options
    }
}

/// Whether a file is read as C.
pub fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "c" || it == "i" || it == "json")
}

/// The program of all files, or `None` after what is wrong was told on standard error.
fn load(files: &[&Path], args: &CArgs, options: &Options) -> io::Result<Option<CProgram>> {
    let mut loader = SystemLoader {
        include_paths: args.include_paths.clone(),
        defines: args.defines.clone(),
        is_32_bit: options.model == DataModel::Ilp32,
        commands: Vec::new(),
    };
    let mut paths = Vec::new();
    for &file in files {
        // What cannot be read at all is another exit code than what is no program.
        let bytes = input::read(file)?;
        if file.extension().is_none_or(|it| it != "json") {
            paths.push(file.to_path_buf());
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        match compile_commands::read(&text, file.parent().unwrap_or(Path::new(""))) {
            Ok(commands) => {
                paths.extend(commands.iter().map(|it| it.path().to_path_buf()));
                loader.commands.extend(commands);
            }
            Err(why) => {
                anstream::eprintln!("hardbop: {}: {why}", file.display());
                return Ok(None);
            }
        }
    }
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    match hardbop_c::load(&paths, &loader, options) {
        Ok(loaded) => {
            loaded.warnings.iter().try_for_each(|it| tell(&loaded.sources, it))?;
            Ok(Some(loaded))
        }
        Err(rejected) => {
            tell(&rejected.sources, &rejected.diagnostic)?;
            Ok(None)
        }
    }
}

/// Prints a diagnostic with its place underlined.
fn tell(sources: &Sources, diagnostic: &Diagnostic) -> io::Result<()> {
    let (file, shown) = sources.shown(diagnostic);
    input::tell(&file, &[shown])
}

fn list(loaded: &CProgram, format: Format) -> io::Result<()> {
    let checks = property::list_checks(loaded);
    let mut out = io::stdout().lock();
    match format {
        Format::Human => {
            for it in &checks {
                let at = &it.position;
                writeln!(out, "{}:{}: {}: {}", at.file, at.line, it.class, it.message)?;
            }
        }
        Format::Json => {
            let properties: Vec<_> = checks
                .iter()
                .map(|it| {
                    json!({
                        "file": &*it.position.file,
                        "line": it.position.line,
                        "class": it.class.name(),
                        "message": it.message,
                    })
                })
                .collect();
            let assumptions: Vec<_> =
                loaded.program.assumptions.iter().map(ToString::to_string).collect();
            let object = json!({
                "schema": "hardbop.properties/1",
                "properties": properties,
                "assumptions": assumptions,
            });
            writeln!(out, "{object}")?;
        }
    }
    out.flush()
}
