//! A folder of files to be given to the command: programs, broken ones, and what is no file at all.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hardbop_base::rng::Rng;
use hardbop_gen::random::{self, Profile};

pub struct World {
    pub folder: PathBuf,
}

const C_PROGRAMS: [&str; 10] = [
    "int main(void) { return 0; }\n",
    "int main(void) { int a[3]; int i = 3; a[i] = 0; return 0; }\n",
    "int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); \
     if (x == 77) __builtin_trap(); return 7 / (x - 5); }\n",
    "int main(void) { volatile int i = 0; for (;;) i = !i; }\n",
    "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { char *p = malloc(3); \
     puts(\"x\"); p[0] = 1; free(p); return 0; }\n",
    "#include \"nosuch.h\"\nint main(void) { return 0; }\n",
    "int main(void) { return x; }\n",
    "unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n\
     int main(void) { return f(25) == 75025 ? 0 : 1 / 0; }\n",
    "int a[1000]; int main(void) { int i, j; for (i = 0; i < 1000; i++) for (j = 0; j < 999; j++) \
     if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } return a[0]; }\n",
    "int main(void) { int x = ((((((((1)))))))) }\n",
];

const NETS: [(&str, &str); 5] = [
    ("good.tts", "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n"),
    ("good.prop", "1|1,1\n"),
    ("bad.tts", "2 2\n0 0 => 1 1\n"),
    (
        "good.spec",
        "vars x y\nrules\nx >= 1 -> x' = x - 1, y' = y + 1;\ninit x >= 1, y = 0\ntarget y >= 3\n",
    ),
    ("bad.spec", "vars x rules"),
];

impl World {
    pub fn new(seed: u64, rng: &mut Rng) -> io::Result<World> {
        let name = format!("hardbop-fuzz-{}-{seed}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(folder.join("out"))?;
        let world = World { folder };
        let profiles = Profile::all();
        for at in 0..3 {
            let profile = &profiles[rng.below(profiles.len())];
            let text = hardbop_bp::print(&random::program(rng.next_u64(), profile));
            world.write(&format!("p{at}.bp"), text.as_bytes())?;
            world.write(&format!("cut{at}.bp"), &text.as_bytes()[..rng.below(text.len() + 1)])?;
        }
        world.write("hard.bp", hard(rng).as_bytes())?;
        world.write("empty.bp", b"")?;
        world.write("binary.bp", &noise(rng))?;
        world.write("binary.c", &noise(rng))?;
        for (at, text) in C_PROGRAMS.iter().enumerate() {
            world.write(&format!("c{at}.c"), text.as_bytes())?;
        }
        for (name, text) in NETS {
            world.write(name, text.as_bytes())?;
        }
        world.write(
            "commands.json",
            b"[{\"directory\": \".\", \"file\": \"c0.c\", \"command\": \"cc -c c0.c\"}]",
        )?;
        world.write("some.prp", b"CHECK( init(main()), LTL(G ! call(reach_error())) )\n")?;
        world.write("not.cert", b"hardbop nothing\n")?;
        if rng.chance(3) {
            let many = "  x := !x;\n".repeat(1_000_000);
            world
                .write("huge.bp", format!("decl x;\nvoid main() begin\n{many}end\n").as_bytes())?;
        }
        for pipe in ["pipe.bp", "pipe.c"] {
            let path = CString::new(world.folder.join(pipe).as_os_str().as_bytes())?;
            // SAFETY: the name ends with a zero byte and outlives the call.
            if unsafe { libc::mkfifo(path.as_ptr(), 0o600) } != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(world)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        fs::write(self.folder.join(name), bytes)
    }

    /// The names of the files of a kind; not all of them are there.
    pub fn names(&self, end: &str) -> Vec<String> {
        let there = self.files().unwrap_or_default();
        let mut names: Vec<String> = there.into_keys().filter(|it| it.ends_with(end)).collect();
        names.push(format!("pipe{end}"));
        names.push(format!("nosuch{end}"));
        names
    }

    /// Regular files under the folder with their contents, by their names in it.
    pub fn files(&self) -> io::Result<BTreeMap<String, Vec<u8>>> {
        let mut found = BTreeMap::new();
        collect(&self.folder, &self.folder, &mut found)?;
        Ok(found)
    }
}

fn collect(base: &Path, at: &Path, found: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(at)? {
        let path = entry?.path();
        let kind = fs::symlink_metadata(&path)?;
        if kind.is_dir() {
            collect(base, &path, found)?;
        } else if kind.is_file() {
            let name = path.strip_prefix(base).unwrap_or(&path).to_string_lossy().into_owned();
            found.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}

impl Drop for World {
    fn drop(&mut self) {
        // What stays behind in the temporary folder harms no one.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A program that no engine decides in a few seconds.
fn hard(rng: &mut Rng) -> String {
    let (name, args): (&str, &[&str]) = match rng.below(4) {
        0 => ("counter", &["40", "safe"]),
        1 => ("adder", &["300", "safe"]),
        2 => ("ticket-lock", &["5", "safe", "inf"]),
        _ => ("shared-callees", &["25", "4", "unsafe"]),
    };
    let family = hardbop_gen::families::all().iter().find(|it| it.name == name);
    let args: Vec<String> = args.iter().map(|it| it.to_string()).collect();
    family.and_then(|family| (family.generate)(&args).ok()).unwrap_or_default()
}

fn noise(rng: &mut Rng) -> Vec<u8> {
    let n_words = rng.below(5_000);
    (0..n_words).flat_map(|_| rng.next_u64().to_le_bytes()).collect()
}
