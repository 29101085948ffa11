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
];

#[test]
fn every_header_is_read() {
    if !Command::new("cc").arg("--version").output().is_ok_and(|it| it.status.success()) {
        eprintln!("SKIPPED: there is no C compiler `cc` that preprocesses");
        return;
    }
    let folder = std::env::temp_dir().join(format!("hardbop-headers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let file = folder.join("t.c");
    let mut n_read = 0;
    for header in HEADERS {
        let is_there = Command::new("cc")
            .args(["-fsyntax-only", "-include", &format!("{header}.h"), "-xc", "/dev/null"])
            .output()
            .is_ok_and(|it| it.status.success());
        if !is_there {
            eprintln!("SKIPPED: there is no <{header}.h> here");
            continue;
        }
        let text = format!("#include <{header}.h>\nint main(void) {{ return 0; }}\n");
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
