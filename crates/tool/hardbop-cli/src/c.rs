//! C on the command line: reading files as one program, `check` and `run`.

mod abstraction;
mod cegar;
mod certify;
mod check;
mod fsoft;
mod inputs;
mod run;
mod schedule;
mod testbench;
mod validate;
mod witness;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hardbop_c::locks::LockEntry;
use hardbop_c::prp::{self, Prp};
use hardbop_c::{
    CProgram, DataModel, Goals, Options, Returns, Sources, SystemLoader, compile_commands, property,
};
use hardbop_cir::Class;
use hardbop_diag::Diagnostic;
use serde_json::json;

use crate::format::Format;
use crate::input::{self, Limits};
use crate::refusal::{Complaint, Refusal};

pub use abstraction::{AbstractArgs, run as abstract_c};
pub use cegar::CegarArgs;
pub use certify::certify;
pub use check::{check, goal};
pub use fsoft::FsoftArgs;
pub use run::{RunArgs, run};
pub use validate::{is_witness, validate};

/// How C is read.
#[derive(Args, Debug)]
pub struct CArgs {
    /// What to check: classes or names of SV-COMP, such as `bounds,null` or `valid-memsafety`, or a .prp file
    /// [default: all but uninit, pointer and align; for `run`, all but leak, pointer and align]
    #[arg(long = "property", value_name = "NAME", value_delimiter = ',', value_parser = asked)]
    pub properties: Vec<Asked>,

    /// Sizes of types [default: lp64]
    #[arg(long, value_enum)]
    pub data_model: Option<Model>,

    /// The function to start with [default: `main`, or that of the .prp file]
    #[arg(long, value_name = "FUNC")]
    pub entry: Option<String>,

    /// A folder to search for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include_paths: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,

    /// What a function does to the lock that its first argument points to: init, acquire, release, try
    /// (returns 1 on success) or try0 (returns 0 on success). Locks of pthreads and of the kernel are known
    #[arg(long = "lock", value_name = "FUNCTION=ACT")]
    pub locks: Vec<LockEntry>,

    /// The last member of a structure may be larger than its declared size, as in old programs
    #[arg(long)]
    pub flexible_last_member: bool,

    /// What is assumed of pointers that functions without a body return [default: any]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub assume_returns: Option<AssumeReturns>,

    /// Pointer arguments of the `--entry` function point to fresh objects, and so do pointers in these, N
    /// levels deep
    #[arg(long, value_name = "N", requires = "entry")]
    pub entry_depth: Option<u32>,

    /// `malloc` and similar functions may return null
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// Each read of a `volatile` number is an input: hardware or a signal may have changed it
    #[arg(long)]
    pub volatile_inputs: bool,
}

/// What `check` writes beside its report.
#[derive(Args, Debug)]
pub struct OutputArgs {
    /// Write a witness of the proof or of the violation, in SV-COMP's YAML format 2.0
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Write the inputs and which thread runs when; `hardbop run --schedule FILE` then shows the violation
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,

    /// Write a program that shows the violation: inputs as C, a makefile, commands for gdb
    #[arg(long, value_name = "DIR")]
    pub testbench: Option<PathBuf>,
}

/// What one name asks for.
#[derive(Clone, Debug)]
pub enum Asked {
    Classes(Vec<Class>),
    File(Prp),
}

pub fn asked(name: &str) -> Result<Asked, String> {
    if name.ends_with(".prp") {
        let text = std::fs::read_to_string(name).map_err(|error| error.to_string())?;
        return prp::read(&text).map(Asked::File).map_err(|what| format!("{name}:{what}"));
    }
    Class::select(name).map(Asked::Classes).ok_or_else(|| {
        let names: Vec<_> = Class::ALL.iter().map(|class| class.name()).collect();
        format!(
            "there is no such property; there are all, {}, unreach-call, valid-deref, valid-free, \
             valid-memtrack, valid-memcleanup, valid-memsafety, no-overflow, no-data-race",
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
pub enum Model {
    /// `int`, `long` and pointers have 32 bits
    Ilp32,
    /// `long` and pointers have 64 bits
    Lp64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum AssumeReturns {
    /// They may be null, point to an object, or point anywhere
    Any,
    /// They point to live objects, or are null where a contract allows it
    Valid,
}

impl CArgs {
    /// Whether anything is said about C.
    pub fn is_given(&self) -> bool {
        let CArgs {
            properties,
            data_model,
            entry,
            include_paths,
            defines,
            locks,
            flexible_last_member,
            assume_returns,
            entry_depth,
            malloc_may_fail,
            volatile_inputs,
        } = self;
        !(properties.is_empty()
            && include_paths.is_empty()
            && defines.is_empty()
            && locks.is_empty())
            || data_model.is_some()
            || entry.is_some()
            || *flexible_last_member
            || assume_returns.is_some()
            || entry_depth.is_some()
            || *malloc_may_fail
            || *volatile_inputs
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
    pub fn misfit(&self) -> Option<String> {
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
        self.data_model == Some(Model::Ilp32)
    }

    fn options(&self, classes: Vec<Class>) -> Options {
        let model = if self.is_32_bit() { DataModel::Ilp32 } else { DataModel::Lp64 };
        let (entry, goals) = (self.entry().to_string(), self.goals());
        let mut options = Options { model, entry, classes, goals, ..Options::default() };
        options.flexible_last_member = self.flexible_last_member;
        options.malloc_may_fail = self.malloc_may_fail;
        options.volatile_inputs = self.volatile_inputs;
        options.entry_depth = self.entry_depth.unwrap_or(0);
        if self.assume_returns == Some(AssumeReturns::Valid) {
            options.returns = Returns::Valid;
        }
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

/// The program of all files, and what was told about it.
fn load(
    files: &[PathBuf],
    args: &CArgs,
    options: &Options,
    limits: &Limits,
) -> Result<(CProgram, Vec<Complaint>), Refusal> {
    let mut loader = SystemLoader {
        include_paths: args.include_paths.clone(),
        defines: args.defines.clone(),
        is_32_bit: options.model == DataModel::Ilp32,
        budget: limits.budget.clone(),
        ..SystemLoader::default()
    };
    let mut paths = Vec::new();
    for file in files {
        if file.extension().is_none_or(|it| it != "json") {
            // What cannot be read at all is another exit code than what is no program.
            readable(file).map_err(|error| input::unreadable(file, &error))?;
            paths.push(file.clone());
            continue;
        }
        let bytes = input::read(file, limits)?;
        let text = String::from_utf8_lossy(&bytes);
        match compile_commands::read(&text, file.parent().unwrap_or(Path::new(""))) {
            Ok(commands) => {
                paths.extend(commands.iter().map(|it| it.path().to_path_buf()));
                loader.commands.extend(commands);
            }
            Err(why) => return Err(Refusal::of_file(&file.display().to_string(), why)),
        }
    }
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let options = Options { budget: limits.budget.clone(), ..options.clone() };
    let loaded = hardbop_c::load(&paths, &loader, &options);
    // What a limit has cut off is wrong for no other reason.
    limits.budget.check()?;
    match loaded {
        Ok(loaded) => {
            let told = tell(&loaded.sources, &loaded.warnings);
            Ok((loaded, told))
        }
        Err(rejected) => match rejected.limit {
            Some(limit) => Err(Refusal::Limit(limit)),
            None => Err(Refusal::Rejected(tell(&rejected.sources, &rejected.diagnostics))),
        },
    }
}

/// A pipe is opened once, by who reads it.
fn readable(path: &Path) -> io::Result<()> {
    let there = std::fs::metadata(path)?;
    if there.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if there.is_file() {
        std::fs::File::open(path)?;
    }
    Ok(())
}

/// Prints diagnostics with their places underlined.
fn tell(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<Complaint> {
    let shown: Vec<_> = diagnostics.iter().map(|it| sources.shown(it)).collect();
    input::complain_in_files(&shown.iter().map(|it| (&it.0, &it.1)).collect::<Vec<_>>())
}

/// What `--list-properties` prints.
fn list(loaded: &CProgram, format: Format) -> String {
    let checks = property::list_checks(loaded);
    match format {
        Format::Human => {
            let line = |it: &property::CheckLine| {
                let at = &it.position;
                format!("{}:{}: {}: {}\n", at.file, at.line, it.class, it.message)
            };
            checks.iter().map(line).collect()
        }
        _ => {
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
            format!("{object}\n")
        }
    }
}
