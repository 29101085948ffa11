//! `--testbench DIR`: a violation as a program to compile and to look at (FS section VI-B).
//!
//! `inputs.c` defines what the program asks its environment for, with the values of the
//! counterexample; `run` starts the program with its arguments and its standard input, so that the
//! system's own library reads what was predicted; `Makefile` compiles with the sanitizers that notice the violation;
//! `commands.gdb` stops at the entry and before the failing line. Of a program that starts threads see `threads`. Functions are defined in a file of
//! their own and without prototypes: the caller reads as much of the register as it declared.

mod makefile;
mod schedule;
mod threads;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use hardbop_base::Name;
use hardbop_c::CProgram;
use hardbop_c::headers::HARDBOP_H;
use hardbop_cir::interp::{Environment, run, run_watched};
use hardbop_cir::pass::outside::OUTSIDE;
use hardbop_cir::{CheckId, Class, FloatTy, Op, Program, Source, Ty};
use hardbop_engine_c::Counterexample;

use super::CArgs;
use crate::output::BENCH;
use schedule::Recorder;
use threads::Turns;

/// What a person should know about a testbench that was written.
pub struct Testbench {
    pub files: Vec<(PathBuf, String)>,
    /// Why it may not fail when it is run.
    pub doubts: Vec<&'static str>,
}

struct Bench<'a> {
    loaded: &'a CProgram,
    check: CheckId,
    /// The values of each function, in the order of its calls.
    values: BTreeMap<Name, Vec<u128>>,
    types: BTreeMap<Name, Ty>,
    /// What memory without a value holds.
    fresh_byte: u8,
    /// Whether the run rests on where objects lie.
    is_placed: bool,
    environment: Environment,
    /// Whether the run rests on what the system decided, such as whether a file opens.
    asks_system: bool,
    /// Whether another value of variables without one would do.
    depends_on_unset: bool,
}

const HEADER: &str = "hardbop.h";
/// Variables that the system's library defines.
const OF_THE_LIBRARY: [&str; 8] =
    ["stdin", "stdout", "stderr", "environ", "optarg", "optind", "opterr", "optopt"];
const NO_VALUE: &str = "(no value)";
/// What decides an order of evaluation.
const RIGHT_TO_LEFT: &str = "(right to left)";

pub fn write(
    dir: &Path,
    files: &[PathBuf],
    loaded: &CProgram,
    check: CheckId,
    counterexample: &Counterexample,
    args: &CArgs,
) -> io::Result<Testbench> {
    let program = counterexample.program(&loaded.program);
    let result = run(&program, &counterexample.up_to(&program, check));
    let mut values: BTreeMap<Name, Vec<u128>> = BTreeMap::new();
    let environment = Environment::of(&result.inputs);
    let mut asks_system = false;
    for (source, value) in result.inputs {
        match source {
            Source::Input(name) | Source::External(name) => {
                values.entry(name).or_default().push(value);
            }
            Source::System(_) => asks_system |= value != 0,
            Source::Byte(_)
            | Source::Scanned(..)
            | Source::ArgCount
            | Source::Argument(..)
            | Source::Uninit
            | Source::Order => {}
        }
    }
    let (types, fresh_byte) = (types(&loaded.program), counterexample.fresh_byte);
    let is_placed = !counterexample.placed.is_empty();
    let depends_on_unset = counterexample.depends_on_unset(&loaded.program, check);
    let bench = Bench {
        loaded,
        check,
        values,
        types,
        fresh_byte,
        is_placed,
        environment,
        asks_system,
        depends_on_unset,
    };
    let texts = [
        bench.inputs(args.entry()),
        bench.makefile(files, args)?,
        bench.gdb(args),
        bench.script(&bench.starter(), "./program", " < stdin"),
        bench.script("exec", "gdb -x commands.gdb --args ./program", ""),
    ];
    let mut files: Vec<_> = BENCH.iter().map(|name| dir.join(name)).zip(texts).collect();
    if bench.has_contracts() {
        files.push((dir.join(HEADER), HARDBOP_H.into()));
    }
    if bench.turns().is_some() {
        let mut recorder = Recorder::new(&program, &loaded.sources);
        run_watched(&program, &counterexample.up_to(&program, check), &mut recorder);
        files.push((dir.join(schedule::FILE), recorder.text()));
        files.extend(threads::FILES.iter().map(|it| (dir.join(it.0), it.1.into())));
    }
    let mut doubts = bench.doubts();
    if args.entry_depth.is_some() {
        doubts.push("the objects that the arguments of the entry point to are not made");
    }
    Ok(Testbench { files, doubts })
}

fn types(program: &Program) -> BTreeMap<Name, Ty> {
    let sources = program.insts().filter_map(|(_, _, inst)| match &inst.op {
        Op::Nondet { dst, source: Source::Input(name) | Source::External(name) } => {
            Some((name.clone(), program.vars[*dst].ty))
        }
        _ => None,
    });
    sources.collect()
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|it| it.is_ascii_alphabetic() || it == '_')
        && chars.all(|it| it.is_ascii_alphanumeric() || it == '_')
}

impl Bench<'_> {
    fn class(&self) -> Class {
        self.loaded.program.checks[self.check].class
    }

    /// Whether the program includes our header, which other compilers do not have.
    fn has_contracts(&self) -> bool {
        self.loaded.sources.includes(HEADER)
    }

    fn is_defined(&self, name: &str) -> bool {
        self.loaded.program.func_named(name).is_some() && !self.without_body().any(|it| it == name)
    }

    fn without_body(&self) -> impl Iterator<Item = &str> {
        self.loaded.program.assumptions.iter().filter_map(|it| it.without_body())
    }

    fn inputs(&self, entry: &str) -> String {
        let mut text = String::from(
            "/* The environment of the program, as in the counterexample. */\n\
             int puts(const char *);\nint fflush(void *);\nvoid abort(void);\nvoid exit(int);\n\n",
        );
        if self.turns().is_some() {
            text += "int hardbop_call(const char *, const void *);\n\n";
        }
        let program = &self.loaded.program;
        let inputs = program.insts().filter_map(|(_, _, inst)| match &inst.op {
            Op::Nondet { source: Source::Input(name), .. } => Some(&**name),
            _ => None,
        });
        let names: BTreeSet<&str> = inputs.chain(self.without_body()).collect();
        for name in names {
            if is_name(name) && !self.is_defined(name) {
                let values = self.values.get(name).map_or(&[][..], Vec::as_slice);
                let ty = self.types.get(name).copied();
                function(&mut text, name, ty, values, self.turns().is_some());
            }
        }
        self.variables(&mut text);
        let fails = "puts(\"hardbop: the violation is reached\");\n    fflush(0);\n    abort();";
        for name in ["__VERIFIER_error", "reach_error"] {
            if !self.is_defined(name) {
                let _ = writeln!(text, "void {name}(void) {{\n    {fails}\n}}\n");
            }
        }
        for name in ["__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert", "assert"] {
            if !self.is_defined(name) {
                let _ = writeln!(
                    text,
                    "void {name}(int holds) {{\n    if (!holds) {{ {fails} }}\n}}\n"
                );
            }
        }
        for name in ["__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume"] {
            if !self.is_defined(name) {
                let _ = writeln!(text, "void {name}(int holds) {{\n    if (!holds) exit(0);\n}}\n");
            }
        }
        for name in ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"] {
            if !self.is_defined(name) && self.turns().is_none() {
                let _ = writeln!(text, "void {name}(void) {{}}\n");
            }
        }
        text += &self.start(entry);
        text
    }

    /// Variables that are declared and defined nowhere, with their first values.
    fn variables(&self, text: &mut String) {
        let program = &self.loaded.program;
        for (_, _, inst) in program.insts() {
            let Op::Nondet { dst, source: Source::External(name) } = &inst.op else { continue };
            let info = &program.vars[*dst];
            let is_ours = info.owner.is_none() && info.name == *name && is_name(name);
            if !is_ours || OF_THE_LIBRARY.contains(&&**name) {
                continue;
            }
            let value = self.values.get(name).and_then(|it| it.first()).copied().unwrap_or(0);
            let ctype = match info.ty.bits(program.ptr_bits) {
                8 => "unsigned char",
                16 => "unsigned short",
                32 => "unsigned",
                64 => "unsigned long long",
                _ => continue,
            };
            let _ = writeln!(text, "{ctype} {name} = {value:#x};\n");
        }
    }

    /// A `main` of our own, where that of the program is not called.
    fn start(&self, entry: &str) -> String {
        if entry != "main" {
            let given = (0..).map_while(|at| {
                let name = format!("argument {at} of {entry}");
                Some(format!("{:#x}ULL", self.values.get(&*name)?.first()?))
            });
            let given: Vec<String> = given.collect();
            let args = given.join(", ");
            return format!("int {entry}();\n\nint main(void) {{\n    {entry}({args});\n}}\n");
        }
        String::new()
    }

    /// A shell script that starts the program as it was started in the run.
    fn script(&self, starter: &str, command: &str, reads: &str) -> String {
        let Environment { args, stdin, reads_stdin } = &self.environment;
        let mut script = String::from("#!/bin/sh\n");
        let (mut command, mut input) = (command.to_string(), "");
        for (at, arg) in args.iter().enumerate().skip(1) {
            // A shell drops line ends behind what is printed: a mark keeps them.
            let _ = write!(script, "a{at}=$(printf '{}_')\na{at}=${{a{at}%_}}\n", octal(arg));
            let _ = write!(command, " \"$a{at}\"");
        }
        if *reads_stdin {
            let _ = writeln!(script, "printf '{}' > stdin", octal(stdin));
            input = reads;
        }
        let command = format!("{command}{input}");
        match starter.contains(threads::COMMAND) {
            true => {
                let second = match self.turns().and_then(Turns::by_chance) {
                    Some(_) => command.replacen("./program", "./program-by-chance", 1),
                    None => command.clone(),
                };
                let starter = starter.replace(threads::BY_CHANCE, &second);
                script += &starter.replace(threads::COMMAND, &command);
            }
            false => {
                let _ = writeln!(script, "{starter} {command}");
            }
        }
        script
    }

    fn gdb(&self, args: &CArgs) -> String {
        let at = self.loaded.sources.position(self.loaded.program.checks[self.check].span);
        let file = Path::new(&*at.file)
            .file_name()
            .map_or_else(|| at.file.to_string(), |it| it.to_string_lossy().into_owned());
        let file = if file.contains(' ') { format!("'{file}'") } else { file };
        let entry = args.entry();
        format!(
            "# The entry, then the line of the violation: `continue` goes on.\n\
             set breakpoint pending on\nbreak {entry}\nbreak {file}:{}\nrun{}\n",
            at.line,
            if self.environment.reads_stdin { " < stdin" } else { "" }
        )
    }

    fn doubts(&self) -> Vec<&'static str> {
        let mut doubts = Vec::new();
        if self.asks_system {
            doubts.push("it depends on what the system decides in a call of its library");
        }
        if self.values.get(OUTSIDE).is_some_and(|it| it.iter().any(|&value| value != 0)) {
            doubts.push("it depends on what a function without a body changes or points to");
        }
        let has_unset = self.values.contains_key(NO_VALUE) || self.depends_on_unset;
        if has_unset || self.fresh_byte != 0 {
            doubts.push("it depends on variables without a value, which cannot be fixed");
        }
        if self.is_placed {
            doubts.push("it depends on where objects lie in memory, which the compiler chooses");
        }
        if self.values.contains_key(RIGHT_TO_LEFT) {
            doubts.push("it depends on an order of evaluation that the compiler chooses");
        }
        let unnoticed =
            [Class::Uninit, Class::Lock, Class::Deadlock, Class::Unreachable, Class::Pointer];
        let hangs = self.has_threads() && self.class() == Class::Deadlock;
        if unnoticed.contains(&self.class()) && !hangs {
            doubts.push("the compiler's sanitizers do not notice this property");
        }
        let at = &self.loaded.program.checks[self.check];
        if at.message.starts_with("the label") {
            doubts.push("reaching a label does nothing: look at it with `make debug`");
        }
        doubts
    }
}

/// Bytes as `printf` of a shell reads them.
fn octal(bytes: &[u8]) -> String {
    let shown = bytes.iter().map(|&byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' => char::from(byte).to_string(),
        byte => format!("\\{byte:03o}"),
    });
    shown.collect()
}

/// In the order of the calls, which threads keep.
fn function(text: &mut String, name: &str, ty: Option<Ty>, values: &[u128], has_turns: bool) {
    let (result, bits) = match ty {
        Some(Ty::Float(FloatTy::F32)) => ("float", "unsigned"),
        Some(Ty::Float(_)) => ("double", "unsigned long long"),
        _ => ("unsigned long long", "unsigned long long"),
    };
    let list: Vec<String> = values.iter().map(|it| format!("{:#x}ULL", *it as u64)).collect();
    let n = values.len();
    let turn = match has_turns {
        true => format!("hardbop_call(\"{name}\", __builtin_return_address(0));\n    "),
        false => String::new(),
    };
    let _ = writeln!(
        text,
        "{result} {name}() {{\n    static const {bits} values[] = {{{}}};\n    \
         static unsigned long at;\n    union {{ {bits} bits; {result} value; }} it;\n    {turn}\
         it.bits = at < {n} ? values[at++] : 0;\n    return it.value;\n}}\n",
        list.join(", ")
    );
}

fn sanitizer(class: Class) -> Option<&'static str> {
    Some(match class {
        Class::Bounds | Class::Index | Class::Null | Class::Dangling => "address,null,bounds",
        Class::Free | Class::Leak => "address",
        Class::Div => "integer-divide-by-zero",
        Class::Overflow => "signed-integer-overflow,integer-divide-by-zero,shift",
        Class::Shift => "shift",
        Class::Float => "float-cast-overflow",
        Class::Pointer => "pointer-overflow",
        Class::Align => "alignment",
        Class::Unreachable => "unreachable,return",
        Class::Race => "thread",
        Class::Assert | Class::Uninit | Class::Lock | Class::Deadlock => return None,
        Class::Library | Class::Line | Class::Cleanup => return None,
    })
}
