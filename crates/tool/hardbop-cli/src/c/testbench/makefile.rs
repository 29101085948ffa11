//! The `Makefile` of a testbench: how the program is compiled, and where threads follow a schedule, what the schedule needs to know of it.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use super::threads::Turns;
use super::{Bench, CArgs, sanitizer};

/// One way to compile the program.
struct Compiled {
    name: &'static str,
    /// Of its objects.
    suffix: &'static str,
    compiler: String,
    linker: String,
}

/// Where functions are called, and where variables are.
const SITES: &str = r#"sites: program
	objdump -d --no-show-raw-insn program | awk '$$2 ~ /^(call|callq|bl|blr|jal|jalr)$$/ { sub(":", "", $$1); print "0x" $$1 }' > calls
	addr2line -e program < calls | sed 's/ (discriminator.*//' | paste calls - > sites

symbols: program
	nm -S program > symbols

"#;

impl Bench<'_> {
    pub(super) fn makefile(&self, files: &[PathBuf], args: &CArgs) -> io::Result<String> {
        // Bodies of inline functions are there for all units, as we read them.
        let mut flags: Vec<String> =
            ["-g", "-O0", "-w", "-fgnu89-inline"].iter().map(|it| it.to_string()).collect();
        let width = if args.is_32_bit() { " -m32" } else { "" };
        flags.extend(args.is_32_bit().then(|| "-m32".into()));
        if self.has_contracts() {
            flags.push("-idirafter .".into());
        }
        flags.extend(args.defines.iter().map(|it| format!("-D{}", in_recipe(it))));
        for path in &args.include_paths {
            flags.push(format!("-I{}", in_recipe(&absolute(path)?.display().to_string())));
        }
        let renamed = if args.entry() != "main" { " -Dmain=hardbop_main" } else { "" };
        let programs = self.programs();
        let names: Vec<&str> = programs.iter().map(|it| it.name).collect();
        let (more, objects) = match self.turns() {
            Some(_) => (" sites symbols", " threads.o schedule.o"),
            None => ("", ""),
        };
        let made = names.join(" ") + more;
        let mut text = format!(
            "# `make test` shows the violation, `make debug` stops before it.\n.PHONY: test debug clean\n\
             CC ?= cc\nCFLAGS = {}\n\ntest: {made}\n\tsh ./run\n\n\
             debug: {made}\n\tsh ./run-debug\n\n",
            flags.join(" ")
        );
        if let Some(turns) = self.turns() {
            for name in ["threads", "schedule"] {
                let define = turns.define();
                let _ = write!(
                    text,
                    "{name}.o: {name}.c schedule.h\n\t$(CC) -g -O2 -w -D_GNU_SOURCE{define}{width} -c {name}.c -o {name}.o\n\n"
                );
            }
            text += SITES;
        }
        for program in &programs {
            program.rules(&mut text, files, (renamed, objects))?;
        }
        let _ = write!(text, "clean:\n\trm -f *.o calls{more} {}\n", names.join(" "));
        Ok(text)
    }

    fn programs(&self) -> Vec<Compiled> {
        let all = match sanitizer(self.class()) {
            Some(it) => format!(" -fsanitize={it} -fno-sanitize-recover=all"),
            None => String::new(),
        };
        let (name, suffix) = ("program", "");
        let Some(turns) = self.turns() else {
            return vec![Compiled { name, suffix, compiler: all.clone(), linker: all }];
        };
        let calls = turns.libraries();
        // What the sanitizer for addresses does not do here is done by ours; it does not go together with hooks.
        let rest = all.replace("address,", "").replace("address", "undefined");
        let linker = match turns {
            Turns::Memory => " -fsanitize=address,undefined".into(),
            Turns::Accesses | Turns::Race => all.clone(),
        };
        let (compiler, linker) = (rest + turns.hooks(), linker + &calls);
        let mut programs = vec![Compiled { name, suffix, compiler, linker }];
        if let Some(hooks) = turns.by_chance() {
            let (name, suffix) = ("program-by-chance", "-by-chance");
            let (compiler, linker) = (all.clone() + hooks, all + &calls);
            programs.push(Compiled { name, suffix, compiler, linker });
        }
        programs
    }
}

impl Compiled {
    /// The rules of `make`; the pair is what is said of `main`, and objects of ours.
    fn rules(
        &self,
        text: &mut String,
        files: &[PathBuf],
        (renamed, ours): (&str, &str),
    ) -> io::Result<()> {
        let Compiled { name, suffix, compiler, linker } = self;
        let mut objects = format!("inputs{suffix}.o{ours}");
        let _ = write!(
            text,
            "inputs{suffix}.o: inputs.c\n\t$(CC) $(CFLAGS) -c inputs.c -o inputs{suffix}.o\n\n"
        );
        for (at, file) in files.iter().enumerate() {
            let object = format!("unit{at}{suffix}.o");
            let file = absolute(file)?.display().to_string();
            let _ = write!(
                text,
                "{object}: {}\n\t$(CC) $(CFLAGS){compiler}{renamed} -x c -c {} -o {object}\n\n",
                as_prerequisite(&file),
                in_recipe(&file)
            );
            let _ = write!(objects, " {object}");
        }
        let _ = write!(
            text,
            "{name}: {objects}\n\t$(CC) $(CFLAGS){linker} {objects} -o {name} -lm\n\n"
        );
        Ok(())
    }
}

/// One word of the shell in a line of `make`.
fn in_recipe(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''").replace('$', "$$"))
}

/// A file that `make` looks for.
fn as_prerequisite(path: &str) -> String {
    let mut text = String::new();
    for c in path.chars() {
        match c {
            '$' => text.push('$'),
            ' ' | '#' | '\\' | '%' => text.push('\\'),
            _ => {}
        }
        text.push(c);
    }
    text
}

/// The program is compiled in another folder.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path)
}
