//! Tests as data for C: every program under `tests/c` says what must come out, and each engine is asked.
//!
//! ```text
//! // expect: unsafe               safe | unsafe | unknown(REASON) | rejected
//! // options: --property assert   further options of `hardbop check`
//! // models: lp64 ilp32           data models to try; without it, lp64
//! // says: leaks                  what `auto` prints must contain this; may be repeated
//! // says-bmc: never reached      the same of another engine, for what is its own
//! // hides: argv[0]               what `auto` prints must not contain this; may be repeated
//! int x = a[4];                   //~ violated
//! int y = foo;                    //~ c0005
//! ```
//! `auto` must give the verdict expected, any other engine that or `unknown`. An unsafe file marks the
//! line that is violated, a rejected one each line that has a message. An unknown directive fails.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// `auto`, then every engine that takes C.
fn engines() -> impl Iterator<Item = &'static str> {
    let all = hardbop_check::entries().filter(|it| it.takes(hardbop_check::Kind::C));
    std::iter::once("auto").chain(all.map(|it| it.name))
}

/// A file must be decided well within it; a hang becomes a failure.
const TIME_LIMIT: &str = "20s";

/// What an engine other than `auto` gets: it may say unknown. Of 489 questions that such an engine decides in a release
/// build, 485 take less than half a second of processor time; what takes longer is mostly `runs` on a program without a
/// violation.
const ENGINE_TIME_LIMIT: &str = "500ms";

#[derive(Clone, PartialEq, Eq, Debug)]
enum Expect {
    Safe,
    Unsafe,
    /// With this reason.
    Unknown(String),
    Rejected,
}

struct Directives {
    expect: Expect,
    options: Vec<String>,
    models: Vec<String>,
    /// Engine and words.
    says: Vec<(String, String)>,
    /// Words that `auto` must not print.
    hides: Vec<String>,
    /// What a line is marked with.
    marks: Vec<(u64, String)>,
}

impl Directives {
    fn read(text: &str) -> Result<Directives, String> {
        let (mut expect, mut options, mut models) = (None, Vec::new(), vec!["lp64".to_string()]);
        let (mut says, mut hides, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        for (line, text) in (1..).zip(text.lines()) {
            if let Some((_, codes)) = text.split_once("//~") {
                marks.extend(codes.split_whitespace().map(|code| (line, code.to_string())));
            }
            let Some((key, value)) = text.strip_prefix("// ").and_then(|it| it.split_once(": "))
            else {
                continue;
            };
            let words = || value.split_whitespace().map(String::from).collect();
            match key {
                "expect" => expect = Some(expectation(value)?),
                "options" => options = words(),
                "models" => models = words(),
                "says" => says.push(("auto".into(), value.trim().into())),
                "hides" => hides.push(value.trim().into()),
                _ if is_of_engine(key) => says.push((key[5..].into(), value.trim().into())),
                // A sentence with a colon is a comment; a single word is a misspelt directive.
                _ if key.contains(' ') => {}
                _ => return Err(format!("line {line}: no directive is called `{key}`")),
            }
        }
        let expect = expect.ok_or("the file has no `// expect: …`")?;
        if marks.is_empty() && matches!(expect, Expect::Unsafe | Expect::Rejected) {
            return Err("no line is marked with `//~`".into());
        }
        Ok(Directives { expect, options, models, says, hides, marks })
    }
}

fn is_of_engine(key: &str) -> bool {
    key.strip_prefix("says-").is_some_and(|it| engines().any(|engine| engine == it))
}

fn expectation(text: &str) -> Result<Expect, String> {
    Ok(match text.trim() {
        "safe" => Expect::Safe,
        "unsafe" => Expect::Unsafe,
        "rejected" => Expect::Rejected,
        other => match other.strip_prefix("unknown(").and_then(|it| it.strip_suffix(')')) {
            Some(reason) => Expect::Unknown(reason.into()),
            None => return Err(format!("expect: {other}?")),
        },
    })
}

fn hardbop(path: &Path, directives: &Directives, model: &str, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .current_dir(path.parent().expect("a file has a folder"))
        .arg("check")
        .arg(path.file_name().expect("a file has a name"))
        .args(["--data-model", model])
        .args(more)
        .args(&directives.options)
        .output()
        .expect("hardbop starts")
}

/// `Err` tells how the file differs from what it says about itself.
fn run_file(path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let directives = Directives::read(&String::from_utf8_lossy(&bytes))?;
    for model in &directives.models {
        told(path, &directives, model).map_err(|why| format!("{model}: {why}"))?;
        if directives.expect == Expect::Rejected {
            continue;
        }
        if directives.expect == Expect::Unsafe && path.to_string_lossy().contains("/c/threads/") {
            replayed(path, &directives, model).map_err(|why| format!("{model}: {why}"))?;
        }
        for engine in engines() {
            judged(path, &directives, model, engine)
                .map_err(|why| format!("{model}, {engine}: {why}"))?;
        }
    }
    Ok(())
}

/// What `check --schedule` writes, `run --schedule` shows.
fn replayed(path: &Path, directives: &Directives, model: &str) -> Result<(), String> {
    let name: String = path.to_string_lossy().replace(['/', '.'], "-");
    let file = std::env::temp_dir().join(format!("hardbop{}{name}-{model}", std::process::id()));
    let option = file.to_str().ok_or("the folder for temporary files has an odd name")?;
    hardbop(path, directives, model, &["--time-limit", TIME_LIMIT, "--schedule", option]);
    let shown = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(["run", "--data-model", model, "--schedule", option])
        .arg(path)
        .output()
        .expect("hardbop starts");
    let schedule = std::fs::read_to_string(&file);
    let _ = std::fs::remove_file(&file);
    match shown.status.code() {
        Some(10) => Ok(()),
        code => {
            let text = String::from_utf8_lossy(&shown.stderr);
            Err(format!("the schedule shows nothing: {code:?}\n{text}\n{schedule:?}"))
        }
    }
}

/// What a person reads.
fn told(path: &Path, directives: &Directives, model: &str) -> Result<(), String> {
    let is_quiet = directives.says.is_empty() && directives.hides.is_empty();
    if directives.expect != Expect::Rejected && is_quiet {
        return Ok(());
    }
    let by = |engine: &str| {
        let options = ["--engine", engine, "--time-limit", TIME_LIMIT];
        let output = hardbop(path, directives, model, &options);
        let text = [&output.stdout[..], &output.stderr[..]].concat();
        String::from_utf8_lossy(&text).into_owned()
    };
    let mut texts = BTreeMap::from([("auto", by("auto"))]);
    for (engine, said) in &directives.says {
        let text = texts.entry(engine).or_insert_with(|| by(engine));
        if !text.contains(said.as_str()) {
            return Err(format!("{engine} does not say `{said}`, but\n{text}"));
        }
    }
    if let Some(said) = directives.hides.iter().find(|it| texts["auto"].contains(it.as_str())) {
        return Err(format!("auto says `{said}`:\n{}", texts["auto"]));
    }
    match directives.expect {
        Expect::Rejected => refused(path, directives, model, &texts["auto"]),
        _ => Ok(()),
    }
}

/// Each line that is marked has its messages, and no other line has any.
fn refused(path: &Path, directives: &Directives, model: &str, text: &str) -> Result<(), String> {
    let output =
        hardbop(path, directives, model, &["--time-limit", TIME_LIMIT, "--format", "json"]);
    let code = output.status.code();
    if code != Some(2) {
        return Err(format!("exit code {code:?}, not rejected\n{text}"));
    }
    let result: Value = serde_json::from_slice(&output.stdout).map_err(|it| it.to_string())?;
    let diagnostics = result["diagnostics"].as_array().into_iter().flatten();
    let errors = diagnostics.filter(|it| it["severity"] == "error");
    let place = |it: &Value| Some((it["line"].as_u64()?, it["code"].as_str()?.to_string()));
    let mut found: Vec<(u64, String)> = errors.filter_map(place).collect();
    let mut marks = directives.marks.clone();
    found.sort();
    marks.sort();
    match found == marks {
        true => Ok(()),
        false => Err(format!("{marks:?} is marked, {found:?} is told\n{text}")),
    }
}

/// The verdict of one engine.
fn judged(path: &Path, directives: &Directives, model: &str, engine: &str) -> Result<(), String> {
    let limit = if engine == "auto" { TIME_LIMIT } else { ENGINE_TIME_LIMIT };
    let options = ["--engine", engine, "--format", "json", "--time-limit", limit];
    let output = hardbop(path, directives, model, &options);
    let result: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        format!("no JSON ({error}): {}", String::from_utf8_lossy(&output.stderr))
    })?;
    let (verdict, reason) = (result["verdict"].as_str(), result["reason"].as_str());
    let is_right = match &directives.expect {
        Expect::Safe => verdict == Some("safe"),
        Expect::Unsafe => verdict == Some("unsafe"),
        Expect::Unknown(wanted) => verdict == Some("unknown") && reason == Some(wanted),
        Expect::Rejected => false,
    };
    if !is_right && (engine == "auto" || verdict != Some("unknown")) {
        return Err(format!("{verdict:?}, {reason:?}, {}", result["detail"]));
    }
    if reason == Some("internal") || reason == Some("not-confirmed") {
        return Err(format!("{reason:?}: {}", result["detail"]));
    }
    if verdict == Some("unsafe") {
        let line = result["violation"]["line"].as_u64();
        let is_marked =
            directives.marks.iter().any(|(at, code)| code == "violated" && Some(*at) == line);
        if !is_marked {
            return Err(format!("the violation is at line {line:?}: {}", result["violation"]));
        }
    }
    Ok(())
}

/// All `.c` files below a folder, in a stable order.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("its entries too").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// `HARDBOP_ONLY=WORD` runs the files whose path contains the word.
#[test]
fn each_file_is_as_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/c");
    let root = root.canonicalize().expect("tests/c exists");
    let only = std::env::var("HARDBOP_ONLY").unwrap_or_default();
    let mut files = files_below(&root);
    files.retain(|it| it.to_string_lossy().contains(&only));
    assert!(!files.is_empty(), "no file below {} is called {only}", root.display());
    let failures = std::sync::Mutex::new(Vec::new());
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(file) =
                    files.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    if let Err(why) = run_file(file) {
                        let name = file.strip_prefix(&root).unwrap_or(file).display().to_string();
                        failures.lock().expect("no panic").push(format!("{name}: {why}"));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no panic");
    failures.sort();
    assert!(failures.is_empty(), "of {} files:\n{}", files.len(), failures.join("\n"));
}
