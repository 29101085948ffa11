//! Calls of library functions with one argument that breaks a rule: each is reported at the call, and the same call with
//! nothing broken is not.
//!
//! `HARDBOP_LIBRARY_VIOLATIONS=50` makes as many calls of each function instead of 4.

use std::fmt::Write;
use std::path::Path;

use hardbop_base::rng::Rng;
use hardbop_c::{Options, SystemLoader, load};
use hardbop_cir::Class;
use hardbop_cir::interp::{Config, Ending, run};

const BEFORE: &str = r#"
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
extern int __VERIFIER_nondet_int(void);
#define X "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
static char room[256];
static wchar_t wide_room[64];
static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static void *gone(void) { char here[16] = "xxx"; char *volatile p = here; return p; }
static FILE *closed(void) { FILE *f = fopen("f", "r"); if (!f) exit(0); fclose(f); return f; }
"#;

/// A call of each function. `{s}` is a text, `{w}` a wide one, `{d:N}` and `{r:N}` are N bytes that are written and
/// read, `{q}` is a pointer to a pointer, `{f}` a stream, `{g}` one or null, `{e}` other memory or null, `{h}` allocated memory, `{n}` a number and `{o}` a mode as texts, `{c}` a character, `{b}` a base, `{z}` a divisor. A text without an end is made of
/// `x`: the other arguments do not stop the function before.
const CALLS: &[&str] = &[
    "isalpha({c})",
    "isdigit({c})",
    "isalnum({c})",
    "isupper({c})",
    "islower({c})",
    "isspace({c})",
    "isblank({c})",
    "isprint({c})",
    "isgraph({c})",
    "iscntrl({c})",
    "ispunct({c})",
    "isxdigit({c})",
    "toupper({c})",
    "tolower({c})",
    "strlen({s})",
    "strnlen({r:9}, 9)",
    "strcmp({s}, X)",
    "strcmp(X, {s})",
    "strncmp({r:9}, X, 9)",
    "strcasecmp({s}, X)",
    "strncasecmp(X, {r:8}, 8)",
    "strcoll({s}, X)",
    "memcmp({r:7}, X, 7)",
    "memcmp(X, {r:5}, 5)",
    "bcmp({r:6}, X, 6)",
    "strchr({s}, 'y')",
    "strrchr({s}, 'x')",
    "strchrnul({s}, 'y')",
    "rawmemchr({r:4}, 'y')",
    "strstr({s}, \"y\")",
    "strstr(X, {s})",
    "strcasestr({s}, \"y\")",
    "strpbrk({s}, \"yz\")",
    "strpbrk(\"y\", {s})",
    "strspn({s}, \"x\")",
    "strspn(\"y\", {s})",
    "strcspn({s}, \"y\")",
    "strcspn(\"y\", {s})",
    "memchr({r:9}, 'y', 9)",
    "memrchr({r:9}, 'y', 9)",
    "memmem({r:9}, 9, \"y\", 1)",
    "memmem(X, 9, {r:3}, 3)",
    "index({s}, 'y')",
    "rindex({s}, 'y')",
    "memcpy({d:9}, X, 9)",
    "memcpy(room, {r:9}, 9)",
    "memmove({d:9}, X, 9)",
    "memmove(room, {r:9}, 9)",
    "memset({d:7}, 1, 7)",
    "mempcpy({d:5}, X, 5)",
    "mempcpy(room, {r:5}, 5)",
    "memccpy({d:6}, X, 'y', 6)",
    "memccpy(room, {r:6}, 'y', 6)",
    "bcopy({r:6}, room, 6)",
    "bcopy(X, {d:6}, 6)",
    "bzero({d:6}, 6)",
    "strcpy({d:6}, \"xxxxx\")",
    "strcpy(room, {s})",
    "stpcpy({d:6}, \"xxxxx\")",
    "stpcpy(room, {s})",
    "strncpy({d:8}, \"xx\", 8)",
    "strncpy(room, {r:8}, 8)",
    "stpncpy({d:8}, \"xx\", 8)",
    "strcat({s}, X)",
    "strcat(room, {s})",
    "strncat(room, {r:8}, 8)",
    "strncat({s}, X, 20)",
    "strxfrm({d:9}, \"xxxxxxxx\", 9)",
    "strxfrm(room, {s}, 200)",
    "strdup({s})",
    "strndup({r:9}, 9)",
    "strtok({s}, \",\")",
    "strtok(strcpy(room, \"y\"), {s})",
    "strtok_r({s}, \",\", (char **)room)",
    "strtok_r(strcpy(room, \"x\"), \",\", (char **){d:8})",
    "strsep({q}, \",\")",
    "atoi({n})",
    "atol({n})",
    "atoll({n})",
    "atof({n})",
    "strtol({s}, 0, 36)",
    "strtol(\"1\", {e}, 10)",
    "strtol(\"1\", 0, {b})",
    "strtoll({s}, 0, 36)",
    "strtoul({s}, 0, 36)",
    "strtoul(\"1\", 0, {b})",
    "strtoull({s}, 0, 36)",
    "strtod(\"1\", {e})",
    "strtod({n}, 0)",
    "div(7, {z})",
    "ldiv(7, {z})",
    "lldiv(7, {z})",
    "free({h})",
    "realloc({h}, 30)",
    "reallocarray({h}, 3, 4)",
    "qsort({d:9}, 9, 1, order)",
    "bsearch(\"y\", {r:9}, 9, 1, order)",
    "getenv({s})",
    "setenv({e}, \"x\", 1)",
    "setenv(\"x\", {s}, 1)",
    "unsetenv({s})",
    "system({e})",
    "sprintf({d:6}, \"%d\", 12345)",
    "sprintf(room, \"%s\", {s})",
    "snprintf({d:9}, 9, \"%s\", X)",
    "snprintf(room, 200, \"%s\", {s})",
    "sprintf(room, {s})",
    "printf(\"%s\", {s})",
    "printf(\"%.9s\", {r:9})",
    "fprintf({f}, \"x\")",
    "fprintf(stdout, \"%s\", {s})",
    "puts({s})",
    "fputs({s}, stdout)",
    "fputs(\"x\", {f})",
    "fputc('x', {f})",
    "putc('x', {f})",
    "fwrite({r:9}, 3, 3, stdout)",
    "fwrite(X, 1, 3, {f})",
    "fgets({d:8}, 8, stdin)",
    "fgets(room, 8, {f})",
    "fread({d:8}, 2, 4, stdin)",
    "fread(room, 1, 3, {f})",
    "fgetc({f})",
    "getc({f})",
    "ungetc('x', {f})",
    "fclose({f})",
    "feof({f})",
    "ferror({f})",
    "clearerr({f})",
    "rewind({f})",
    "fflush({g})",
    "fseek({f}, 0, SEEK_SET)",
    "ftell({f})",
    "fopen({s}, \"r\")",
    "fopen(\"x\", {o})",
    "remove({s})",
    "rename({s}, \"x\")",
    "rename(\"x\", {s})",
    "perror({g})",
    "sscanf({s}, \"%s\", room)",
    "sscanf(\"12\", \"%d\", (int *){d:4})",
    "sscanf(X, \"%5s\", {d:6})",
    "scanf(\"%5s\", {d:6})",
    "getline({q}, (size_t *)room, stdin)",
    "fileno({f})",
    "read(0, {d:9}, 9)",
    "write(1, {r:9}, 9)",
    "open({s}, O_RDONLY)",
    "access({s}, 0)",
    "unlink({s})",
    "mkdir({s}, 0)",
    "chdir({s})",
    "stat({s}, (struct stat *)room)",
    "send(3, {r:9}, 9, 0)",
    "connect(3, (struct sockaddr *){r:16}, 16)",
    "bind(3, (struct sockaddr *){r:16}, 16)",
    "opendir({s})",
    "localtime((time_t *){r:8})",
    "gmtime((time_t *){r:8})",
    "ctime((time_t *){r:8})",
    "gmtime_r((time_t *){r:8}, (struct tm *)room)",
    "strftime({d:11}, 11, \"xxxxxxxxxx\", gmtime((time_t *)room))",
    "wcslen({w})",
    "wcscpy(wide_room, {w})",
    "wcscpy((wchar_t *){d:12}, L\"xx\")",
    "wcscat(wide_room, {w})",
    "wcsncpy((wchar_t *){d:24}, L\"x\", 6)",
    "wmemset((wchar_t *){d:16}, L'x', 4)",
    "wmemcpy(wide_room, (wchar_t *){r:16}, 4)",
    "wmemcpy((wchar_t *){d:16}, L\"xxxx\", 4)",
    "wcschr({w}, L'y')",
    "wcsrchr({w}, L'y')",
    "wcsstr({w}, L\"y\")",
    "mbstowcs(wide_room, {s}, 60)",
    "frexp(1.0, (int *){d:4})",
    "modf(1.5, (double *){d:8})",
];

/// What stands before a call, and the argument.
struct Argument {
    before: String,
    text: String,
}

impl Argument {
    fn of(text: impl Into<String>) -> Argument {
        Argument { before: String::new(), text: text.into() }
    }
}

/// Memory of so many bytes, all `x`.
fn memory(rng: &mut Rng, size: usize) -> Argument {
    let (before, text) = match rng.below(5) {
        0 => (format!("char m[{size}];"), "m"),
        1 => (format!("static char m[{size}];"), "m"),
        2 => (format!("char *m = malloc({size});"), "m"),
        3 => (format!("struct {{ int n; char m[{size}]; }} __attribute__((packed)) s;"), "s.m"),
        _ => (
            format!(
                "struct {{ int n; char m[{size}]; }} __attribute__((packed)) *s = malloc(sizeof *s);"
            ),
            "s->m",
        ),
    };
    Argument { before: format!("{before} memset({text}, 'x', {size});"), text: text.into() }
}

/// What points to no byte at all.
fn nowhere(rng: &mut Rng) -> Argument {
    let size = 1 + rng.below(16);
    match rng.below(6) {
        0 => Argument::of("(void *)0"),
        1 => Argument::of(format!("(void *){}", 1 + rng.below(4000))),
        2 => Argument::of("gone()"),
        3 => {
            let before = format!("char *m = malloc({size}); memset(m, 0, {size}); free(m);");
            Argument { before, text: "m".into() }
        }
        _ => {
            let mut argument = memory(rng, size);
            let (sign, by) = if rng.chance(50) { ('+', size) } else { ('-', 40 + size) };
            argument.text = format!("((char *){} {sign} {by})", argument.text);
            argument
        }
    }
}

/// What a place in a call gets; with `breaks`, something that breaks its rule.
fn argument(rng: &mut Rng, kind: &str, breaks: bool) -> Argument {
    let (kind, size) = match kind.split_once(':') {
        Some((kind, size)) => (kind, size.parse::<usize>().expect("a size")),
        None => (kind, 0),
    };
    if !breaks {
        return match kind {
            "s" => Argument { before: "char m[100] = \"xxx\";".into(), text: "m".into() },
            "n" => Argument::of("\"1.5\""),
            "e" => Argument { before: "char *m[2] = {0};".into(), text: "(void *)m".into() },
            "o" => Argument::of("\"r\""),
            "q" => Argument { before: "char *m = 0;".into(), text: "&m".into() },
            "w" => Argument::of("L\"xxx\""),
            "d" => memory(rng, size),
            "r" if size == 4 => Argument::of("\"xxxxy\""),
            "r" => Argument { before: "long long m[8] = {0};".into(), text: "m".into() },
            "f" | "g" => Argument::of("stdout"),
            "h" => Argument { before: "char *m = malloc(9);".into(), text: "m".into() },
            "c" => Argument::of((rng.below(257) as i64 - 1).to_string()),
            "b" => Argument::of("16"),
            "z" => Argument::of("3"),
            _ => panic!("{kind}"),
        };
    }
    let is_nowhere = rng.chance(40);
    match kind {
        "s" | "n" | "w" | "d" | "r" if is_nowhere => nowhere(rng),
        "s" => {
            let size = 1 + rng.below(12);
            memory(rng, size)
        }
        // `x` is no number and no mode: the text is looked at, and not to its end.
        "n" | "o" | "q" => nowhere(rng),
        "w" => {
            let size = 4 * (1 + rng.below(4));
            memory(rng, size)
        }
        "d" if size > 9 && rng.chance(20) => Argument::of("(char *)X"),
        "d" | "r" if size > 1 => {
            let size = 1 + rng.below(size - 1);
            memory(rng, size)
        }
        "d" | "r" => nowhere(rng),
        "e" => loop {
            let argument = nowhere(rng);
            if argument.text != "(void *)0" {
                break argument;
            }
        },
        "f" => Argument::of(*rng.pick(&["(FILE *)0", "(FILE *)8", "closed()", "gone()"]).unwrap()),
        "g" => Argument::of(*rng.pick(&["(void *)8", "gone()", "(void *)100"]).unwrap()),
        "h" => {
            let all = ["&room", "(char *)malloc(9) + 1", "X", "(void *)8", "gone()", "m"];
            let before = "char *m = malloc(3); free(m);".into();
            Argument { before, text: rng.pick(&all).unwrap().to_string() }
        }
        "c" => {
            let far = rng.next_u64() as i32 >> rng.below(20);
            Argument::of(if (-128..=255).contains(&far) { 256 } else { far }.to_string())
        }
        "b" => Argument::of(rng.pick(&["1", "37", "-1", "-16", "100"]).unwrap().to_string()),
        "z" => Argument::of("0"),
        _ => panic!("{kind}"),
    }
}

/// A call in braces, with one of its places broken, or none.
fn call(rng: &mut Rng, template: &str, breaks: bool) -> String {
    let n_places = template.matches('{').count();
    let broken = breaks.then(|| rng.below(n_places));
    let (mut before, mut call) = (String::new(), String::new());
    let mut rest = template;
    for at in 0.. {
        let Some((text, place)) = rest.split_once('{') else { break };
        let Some((kind, behind)) = place.split_once('}') else { break };
        let Argument { before: first, text: it } = argument(rng, kind, broken == Some(at));
        before += &first;
        let _ = write!(call, "{text}{it}");
        rest = behind;
    }
    format!("{{\n#line 1\n{before}\n#line 1000\n{call}{rest};\n#line 1\n}}")
}

/// The calls that were not reported, or that were though nothing is wrong.
fn mistaken(template: &str, n: usize) -> Vec<String> {
    let seed = template.bytes().fold(7u64, |all, it| all.wrapping_mul(31) + u64::from(it));
    let mut rng = Rng::new(seed);
    let mut text = format!("{BEFORE}int main(void) {{ switch (__VERIFIER_nondet_int()) {{\n");
    let mut calls = Vec::new();
    for at in 0..2 * n {
        let breaks = at < n;
        calls.push((call(&mut rng, template, breaks), breaks));
        let _ = writeln!(text, "case {at}: {}\nbreak;", calls[at].0);
    }
    text += "}\nreturn 0; }\n";
    let name: String = template.chars().filter(|it| it.is_alphanumeric()).collect();
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("breaks-{name}.c"));
    std::fs::write(&source, text).unwrap();
    let others = [Class::Uninit, Class::Leak, Class::Cleanup, Class::Pointer, Class::Align];
    let classes: Vec<Class> = Class::ALL.into_iter().filter(|it| !others.contains(it)).collect();
    let options = Options { classes, ..Options::default() };
    let loaded = load(&[source.as_path()], &SystemLoader::default(), &options)
        .unwrap_or_else(|it| panic!("{template}: {:?}", it.diagnostics));
    let mut wrong = Vec::new();
    for (at, (call, breaks)) in calls.iter().enumerate() {
        let stdin = Some(b"abcdefghijklmnop\n".to_vec());
        let classes = options.classes.clone();
        let max_steps = 1 << 20;
        let config =
            Config { stdin, classes, max_steps, inputs: vec![at as u128], ..Config::default() };
        let result = run(&loaded.program, &config);
        let fatal = match result.ending {
            Ending::Violation(check) => Some(check),
            _ => None,
        };
        let checks = result.violations.iter().copied().chain(fatal);
        let places = checks.map(|it| loaded.sources.position(loaded.program.checks[it].span).line);
        let found: Vec<u32> = places.collect();
        if found.contains(&1000) != *breaks {
            wrong.push(format!(
                "{call} breaks a rule: {breaks}, reported: {found:?}, {:?}",
                result.ending
            ));
        }
    }
    wrong
}

#[test]
fn broken_calls_are_reported_and_others_are_not() {
    let n = std::env::var("HARDBOP_LIBRARY_VIOLATIONS").ok().and_then(|it| it.parse().ok());
    let n: usize = n.unwrap_or(4);
    let wrong: Vec<String> = CALLS.iter().flat_map(|it| mistaken(it, n)).collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), 2 * n * CALLS.len());
}
