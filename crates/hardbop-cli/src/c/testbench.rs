//! `--testbench DIR`: a violation as a program to compile and to look at (FS section VI-B).
//!
//! `inputs.c` defines what the program asks its environment for, with the values of the
//! counterexample; `Makefile` compiles both with the sanitizers that notice the violation;
//! `commands.gdb` stops at the entry and before the failing line. Functions are defined in a file of
//! their own and without prototypes: the caller reads as much of the register as it declared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use hardbop_base::Name;
use hardbop_bmc::Counterexample;
use hardbop_c::CProgram;
use hardbop_cir::interp::run;
use hardbop_cir::{CheckId, Class, FloatTy, Op, Program, Source, Ty};

use super::CArgs;
use crate::output::BENCH;

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
}

const ARGC: &str = "argc";
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
    for (name, value) in result.inputs {
        values.entry(name).or_default().push(value);
    }
    let (types, fresh_byte) = (types(&loaded.program), counterexample.fresh_byte);
    let bench = Bench { loaded, check, values, types, fresh_byte };
    let texts = [bench.inputs(args.entry()), bench.makefile(files, args)?, bench.gdb(args)];
    let files = BENCH.iter().map(|name| dir.join(name)).zip(texts).collect();
    Ok(Testbench { files, doubts: bench.doubts() })
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
        let program = &self.loaded.program;
        let inputs = program.insts().filter_map(|(_, _, inst)| match &inst.op {
            Op::Nondet { source: Source::Input(name), .. } => Some(&**name),
            _ => None,
        });
        let names: BTreeSet<&str> = inputs.chain(self.without_body()).collect();
        for name in names {
            if is_name(name) && name != ARGC && !self.is_defined(name) {
                let values = self.values.get(name).map_or(&[][..], Vec::as_slice);
                function(&mut text, name, self.types.get(name).copied(), values);
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
            if !self.is_defined(name) {
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

    /// A `main` of our own, where that of the program is called with arguments or not at all.
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
        match self.argc() {
            Some(argc) => format!(
                "int hardbop_main();\n\nint main(void) {{\n    \
                 char *argv[] = {{\"program\", 0}};\n    return hardbop_main({argc}, argv);\n}}\n"
            ),
            None => String::new(),
        }
    }

    /// Where the violation needs more arguments than the program's name.
    fn argc(&self) -> Option<i64> {
        let more = *self.values.get(ARGC)?.first()? as i64;
        (more != 0).then_some(more + 1)
    }

    fn makefile(&self, files: &[PathBuf], args: &CArgs) -> io::Result<String> {
        // Bodies of inline functions are there for all units, as we read them.
        let mut flags: Vec<String> =
            ["-g", "-O0", "-w", "-fgnu89-inline"].iter().map(|it| it.to_string()).collect();
        if args.is_32_bit() {
            flags.push("-m32".into());
        }
        if let Some(sanitizer) = sanitizer(self.class()) {
            flags.push(format!("-fsanitize={sanitizer} -fno-sanitize-recover=all"));
        }
        flags.extend(args.defines.iter().map(|it| format!("-D'{it}'")));
        for path in &args.include_paths {
            flags.push(format!("-I'{}'", absolute(path)?.display()));
        }
        let is_renamed = args.entry() != "main" || self.argc().is_some();
        let renamed = if is_renamed { " -Dmain=hardbop_main" } else { "" };
        let mut text = format!(
            "# `make test` shows the violation, `make debug` stops before it.\n\
             CC ?= cc\nCFLAGS = {}\n\ntest: program\n\t./program\n\n\
             debug: program\n\tgdb -x commands.gdb ./program\n\n",
            flags.join(" ")
        );
        let mut objects = vec!["inputs.c".to_string()];
        for (at, file) in files.iter().enumerate() {
            let object = format!("unit{at}.o");
            let _ = write!(
                text,
                "{object}: {0}\n\t$(CC) $(CFLAGS){renamed} -x c -c '{0}' -o {object}\n\n",
                absolute(file)?.display()
            );
            objects.push(object);
        }
        let objects = objects.join(" ");
        let _ = write!(
            text,
            "program: {objects}\n\t$(CC) $(CFLAGS) {objects} -o program -lm\n\n\
             clean:\n\trm -f *.o program\n"
        );
        Ok(text)
    }

    fn gdb(&self, args: &CArgs) -> String {
        let at = self.loaded.sources.position(self.loaded.program.checks[self.check].span);
        let file = Path::new(&*at.file)
            .file_name()
            .map_or_else(|| at.file.to_string(), |it| it.to_string_lossy().into_owned());
        let entry = match args.entry() {
            "main" if self.argc().is_some() => "hardbop_main",
            entry => entry,
        };
        format!(
            "# The entry, then the line of the violation: `continue` goes on.\n\
             set breakpoint pending on\nbreak {entry}\nbreak {file}:{}\nrun\n",
            at.line
        )
    }

    fn doubts(&self) -> Vec<&'static str> {
        let mut doubts = Vec::new();
        if self.values.contains_key(NO_VALUE) || self.fresh_byte != 0 {
            doubts.push("it depends on variables without a value, which cannot be fixed");
        }
        if self.values.contains_key(RIGHT_TO_LEFT) {
            doubts.push("it depends on an order of evaluation that the compiler chooses");
        }
        if matches!(self.class(), Class::Uninit | Class::Lock | Class::Unreachable) {
            doubts.push("the compiler's sanitizers do not notice this property");
        }
        let at = &self.loaded.program.checks[self.check];
        if at.message.starts_with("the label") {
            doubts.push("reaching a label does nothing: look at it with `make debug`");
        }
        doubts
    }
}

fn function(text: &mut String, name: &str, ty: Option<Ty>, values: &[u128]) {
    let (result, bits) = match ty {
        Some(Ty::Float(FloatTy::F32)) => ("float", "unsigned"),
        Some(Ty::Float(_)) => ("double", "unsigned long long"),
        _ => ("unsigned long long", "unsigned long long"),
    };
    let list: Vec<String> = values.iter().map(|it| format!("{:#x}ULL", *it as u64)).collect();
    let n = values.len();
    let _ = writeln!(
        text,
        "{result} {name}() {{\n    static const {bits} values[] = {{{}}};\n    \
         static unsigned long at;\n    union {{ {bits} bits; {result} value; }} it;\n    \
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
        Class::Unreachable => "unreachable,return",
        Class::Assert | Class::Uninit | Class::Lock | Class::Library => return None,
    })
}

/// The program is compiled in another folder.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path)
}
