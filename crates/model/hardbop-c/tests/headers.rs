//! The headers of the system are read, all of them that a program of ISO C or POSIX includes.

use std::process::Command;

use hardbop_c::{DataModel, Options, SystemLoader, load};

/// Without `complex.h` and `tgmath.h`: complex numbers are refused.
const HEADERS: &[&str] = &[
    "assert",
    "ctype",
    "errno",
    "fenv",
    "float",
    "inttypes",
    "iso646",
    "limits",
    "locale",
    "math",
    "setjmp",
    "signal",
    "stdalign",
    "stdarg",
    "stdatomic",
    "stdbool",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "stdnoreturn",
    "string",
    "threads",
    "time",
    "uchar",
    "wchar",
    "wctype",
    "unistd",
    "pthread",
    "fcntl",
    "poll",
    "semaphore",
    "strings",
    "sys/types",
    "sys/stat",
    "sys/socket",
    "aio",
    "arpa/inet",
    "cpio",
    "dirent",
    "dlfcn",
    "err",
    "fmtmsg",
    "fnmatch",
    "ftw",
    "getopt",
    "glob",
    "grp",
    "iconv",
    "langinfo",
    "libgen",
    "monetary",
    "mqueue",
    "net/if",
    "netdb",
    "netinet/in",
    "netinet/tcp",
    "nl_types",
    "pwd",
    "regex",
    "sched",
    "search",
    "spawn",
    "sys/ipc",
    "sys/mman",
    "sys/msg",
    "sys/resource",
    "sys/select",
    "sys/sem",
    "sys/shm",
    "sys/statvfs",
    "sys/time",
    "sys/times",
    "sys/uio",
    "sys/un",
    "sys/utsname",
    "sys/wait",
    "syslog",
    "tar",
    "termios",
    "ulimit",
    "utime",
    "utmpx",
    "wordexp",
];

fn has_compiler() -> bool {
    let is_there = Command::new("cc").arg("--version").output().is_ok_and(|it| it.status.success());
    if !is_there {
        eprintln!("SKIPPED: there is no C compiler `cc` that preprocesses");
    }
    is_there
}

fn is_there(header: &str) -> bool {
    Command::new("cc")
        .args([
            "-fsyntax-only",
            "-D_GNU_SOURCE",
            "-include",
            &format!("{header}.h"),
            "-xc",
            "/dev/null",
        ])
        .output()
        .is_ok_and(|it| it.status.success())
}

/// A program with all headers that uses two functions is, once read, hardly larger than one with their two headers, and asks the same.
#[test]
fn headers_that_are_not_used_cost_nothing() {
    if !has_compiler() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("hardbop-all-headers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let size = |name: &str, headers: &[&str]| {
        let mut text = String::from("#define _GNU_SOURCE\n");
        headers.iter().for_each(|it| text += &format!("#include <{it}.h>\n"));
        text += "int main(void) { char b[8]; return fgets(b, 8, stdin) ? (int)strlen(b) : 0; }\n";
        let file = folder.join(name);
        std::fs::write(&file, text).expect("the folder can be written");
        let loaded = load(&[&file], &SystemLoader::default(), &Options::default());
        let program = loaded.unwrap_or_else(|it| panic!("{}", it.message())).program;
        (program.checks.len(), program.insts().count())
    };
    let all: Vec<&str> = HEADERS.iter().copied().filter(|it| is_there(it)).collect();
    assert!(all.len() > 10, "only {} headers were found", all.len());
    let ((n_checks, n_insts), few) = (size("all.c", &all), size("few.c", &["stdio", "string"]));
    assert_eq!(n_checks, few.0);
    // Headers may define a function or a variable of their own.
    assert!(n_insts <= few.1 + 20, "{n_insts} instructions instead of {}", few.1);
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn every_header_is_read() {
    if !has_compiler() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("hardbop-headers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let file = folder.join("t.c");
    let mut n_read = 0;
    for header in HEADERS {
        if !is_there(header) {
            eprintln!("SKIPPED: there is no <{header}.h> here");
            continue;
        }
        let text =
            format!("#define _GNU_SOURCE\n#include <{header}.h>\nint main(void) {{ return 0; }}\n");
        std::fs::write(&file, text).expect("the folder can be written");
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let options = Options { model, ..Options::default() };
            let is_32_bit = model == DataModel::Ilp32;
            let loader = SystemLoader { is_32_bit, ..SystemLoader::default() };
            if let Err(it) = load(&[&file], &loader, &options) {
                panic!("<{header}.h> for {model:?}: {}", it.message());
            }
        }
        n_read += 1;
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(n_read > 10, "only {n_read} headers were found");
}
