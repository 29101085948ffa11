//! Plans of every kind, in a folder of their own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Extra, read};
use crate::task::{Expected, Model, Task};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("hardbop-plan-{}-{name}", std::process::id()));
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        Folder(path)
    }

    fn tasks(&self, plan: &str, extra: &Extra) -> Vec<Task> {
        read(&self.0.join(plan), extra).unwrap().tasks
    }

    fn names(&self, plan: &str) -> Vec<String> {
        self.tasks(plan, &Extra::default()).into_iter().map(|it| it.name).collect()
    }

    fn wrong(&self, plan: &str) -> String {
        let told = read(&self.0.join(plan), &Extra::default()).unwrap_err().to_string();
        told.replace(&format!("{}/", self.0.display()), "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind in the temporary folder harms no one.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const DEFINITION: &str = "format_version: '2.0'\ninput_files: 'list.i'\nproperties:\n  \
    - property_file: ../p/unreach-call.prp\n    expected_verdict: true\n  \
    - property_file: ../p/no-overflow.prp\n    expected_verdict: false\noptions:\n  language: C\n  data_model: ILP32\n";

#[test]
fn a_folder_is_its_programs() {
    let folder = Folder::new(
        "folder",
        &[("a.bp", ""), ("sub/b.c", ""), ("sub/b.h", ""), (".hidden/c.c", ""), ("n.tts", "")],
    );
    assert_eq!(folder.names(""), ["a.bp", "n.tts", "sub/b.c"]);
    let beside = [("s.init", ""), ("s.pds", ""), ("s.spec", ""), ("t.spec", "")];
    assert_eq!(Folder::new("beside", &beside).names(""), ["s.pds", "t.spec"]);
}

#[test]
fn what_a_definition_names_is_no_task_of_its_own() {
    let folder =
        Folder::new("defined", &[("c/list.yml", DEFINITION), ("c/list.i", ""), ("c/other.c", "")]);
    let names = folder.names("");
    assert_eq!(names, ["c/list.yml [unreach-call]", "c/list.yml [no-overflow]", "c/other.c"]);
}

#[test]
fn a_set_is_the_definitions_it_means() {
    let folder = Folder::new(
        "set",
        &[("x.set", "# all\nc/*.yml\n"), ("c/list.yml", DEFINITION), ("bad.set", "\nc/*.yaml\n")],
    );
    let tasks = folder.tasks("x.set", &Extra::default());
    assert_eq!(tasks[0].files, [Path::new("c/list.i")]);
    assert_eq!(tasks[0].asked.property.as_deref(), Some("c/../p/unreach-call.prp"));
    assert_eq!(
        (tasks[0].expected, tasks[1].expected),
        (Some(Expected::True), Some(Expected::False))
    );
    assert_eq!(tasks[0].asked.data_model, Some(Model::Ilp32));
    let mut extra = Extra::default();
    extra.asked.property = Some("no-overflow.prp".into());
    assert_eq!(folder.tasks("x.set", &extra).len(), 1);
    assert_eq!(folder.wrong("bad.set"), "bad.set:2: no file is as `c/*.yaml` says");
}

#[test]
fn a_manifest_has_columns_that_are_known() {
    let folder = Folder::new(
        "csv",
        &[
            (
                "m.csv",
                "file,property,expected,lines\na.c,unreach-call,true,61\na.c,no-overflow,false,61\n",
            ),
            ("odd.csv", "file,colour\na.c,red\n"),
            ("short.csv", "file,property\na.c\n"),
            ("perhaps.csv", "file,expected\na.c,perhaps\n"),
        ],
    );
    assert_eq!(folder.names("m.csv"), ["a.c [unreach-call]", "a.c [no-overflow]"]);
    assert_eq!(folder.wrong("odd.csv"), "odd.csv:1: the column `colour` is not known");
    assert_eq!(folder.wrong("short.csv"), "short.csv:2: 1 cells where there are 2 columns");
    assert_eq!(folder.wrong("perhaps.csv"), "perhaps.csv:2: `perhaps` is no verdict to expect");
}

#[test]
fn our_plans_have_groups_with_defaults() {
    let plan = "time-limit = \"10s\"\noptions = [\"--unwind\", \"3\"]\n\n\
        [[task]]\nfiles = [\"src/*.c\"]\nlink = true\nname = \"all\"\nentries = [\"f\", \"g\"]\n\n\
        [[task]]\nfiles = [\"b.bp\"]\ntime-limit = \"1s\"\nexpected = \"safe\"\n";
    let folder = Folder::new(
        "toml",
        &[
            ("p.toml", plan),
            ("src/x.c", ""),
            ("src/y.c", ""),
            ("odd.toml", "[[task]]\nfiles = [\"a\"]\ncolour = 1\n"),
            ("time.toml", "\n\ntime-limit = \"soon\"\n"),
            ("ours.toml", "[[task]]\nfiles = [\"b.bp\"]\noptions = [\"--format\", \"json\"]\n"),
            ("empty.toml", ""),
        ],
    );
    let tasks = folder.tasks("p.toml", &Extra::default());
    let names: Vec<_> = tasks.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["all:f", "all:g", "b.bp"]);
    assert_eq!(tasks[0].files.len(), 2);
    assert_eq!(tasks[0].limits.wall, Some(Duration::from_secs(10)));
    assert_eq!(tasks[2].limits.wall, Some(Duration::from_secs(1)));
    assert_eq!(tasks[2].asked.options, ["--unwind", "3"]);
    assert!(folder.wrong("odd.toml").starts_with("odd.toml:3: unknown field `colour`"));
    assert!(folder.wrong("time.toml").starts_with("time.toml:3: expected a time"));
    assert_eq!(folder.wrong("ours.toml"), "ours.toml: `--format` is decided by the batch");
    assert_eq!(folder.wrong("empty.toml"), "empty.toml: there is nothing to check in it");
}

#[test]
fn our_plans_may_be_yaml() {
    let plan = "time-limit: 10s\ntask:\n- files: [src/*.c]\n  link: true\n  name: all\n  entries:\n  - f\n  - g\n\
        - files:\n    - b.bp\n  expected: safe\n  options: ['--threads', '3']\n";
    let folder = Folder::new(
        "yaml",
        &[
            ("p.yml", plan),
            ("src/x.c", ""),
            ("src/y.c", ""),
            ("odd.yaml", "time-limit: 1s\ntask:\n- files: [a]\n  colour: 1\n"),
            ("time.yml", "time-limit: soon\n"),
            ("broken.yml", "task:\n- files: [a\n"),
        ],
    );
    let tasks = folder.tasks("p.yml", &Extra::default());
    let names: Vec<_> = tasks.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["all:f", "all:g", "b.bp"]);
    assert_eq!((tasks[0].files.len(), tasks[2].expected), (2, Some(Expected::True)));
    assert_eq!(tasks[0].limits.wall, Some(Duration::from_secs(10)));
    assert_eq!(tasks[2].asked.options, ["--threads", "3"]);
    assert!(folder.wrong("odd.yaml").starts_with("odd.yaml:4: unknown field `colour`"));
    assert!(folder.wrong("time.yml").starts_with("time.yml:1: expected a time"));
    assert_eq!(folder.wrong("broken.yml"), "broken.yml:2: the list is not closed in its line");
}

#[test]
fn a_database_is_one_program_with_entries() {
    let text = r#"[{"directory": ".", "file": "a.c", "command": "cc -c a.c"}]"#;
    let folder = Folder::new("db", &[("compile_commands.json", text), ("bad.json", "{}")]);
    let extra = Extra { entries: vec!["f".into(), "g".into()], ..Extra::default() };
    let tasks = folder.tasks("compile_commands.json", &extra);
    assert_eq!(tasks[1].name, "compile_commands.json:g");
    assert_eq!(tasks[1].asked.entry.as_deref(), Some("g"));
    assert_eq!(folder.wrong("bad.json"), "bad.json: a compilation database is a list");
}
