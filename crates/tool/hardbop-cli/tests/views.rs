//! Results as others want them: formats, the page, the server, tasks of SV-COMP, pictures and the manual.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const UNSAFE: &str = "decl g;\nvoid main() begin\n  g := *;\n  assert(g);\nend\n";
const SAFE: &str = "decl g;\nvoid main() begin\n  g := T;\n  assert(g);\nend\n";

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("hardbop-views-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_hardbop"))
            .args(words)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// What is printed, with the exit code expected.
    fn says(&self, words: &[&str], code: i32) -> String {
        let output = self.run(words);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words:?}: {told}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_format_tells_of_every_file() {
    let folder = Folder::new("formats");
    folder.write("a.bp", UNSAFE);
    folder.write("b.bp", SAFE);
    folder.write("c.bp", "decl");
    let files = ["a.bp", "b.bp", "c.bp", "d.bp"];
    let says = |format: &str| {
        let words: Vec<&str> = ["check", "--format", format].into_iter().chain(files).collect();
        folder.says(&words, 3)
    };
    let sarif: Value = serde_json::from_str(&says("sarif")).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 1);
    assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
    assert_eq!(run["properties"]["verdicts"].as_array().unwrap().len(), 4);
    let junit = says("junit");
    assert!(junit.contains("tests=\"4\" failures=\"1\" errors=\"2\""), "{junit}");
    assert_eq!(says("svcomp"), "false(unreach-call)\ntrue\nerror(rejected: input)\nerror(io)\n");
    let github = says("github");
    assert!(
        github.starts_with("::error file=a.bp,line=4,title=Hardbop%3A assertion::"),
        "{github}"
    );
    assert_eq!(github.lines().count(), 4);
    assert_eq!(says("mermaid").matches("sequenceDiagram").count(), 4);
    assert_eq!(says("csv").lines().count(), 5, "and the names of the columns");
    assert_eq!(says("markdown").matches("\n## ").count(), 3, "and the first at the beginning");
}

#[test]
fn kept_results_are_converted_without_checking_again() {
    let folder = Folder::new("convert");
    folder.write("a.bp", UNSAFE);
    // Which engine is the first in a race is not fixed.
    let check = ["check", "a.bp", "--engine", "bdd", "--format"];
    let kept = folder.says(&[&check[..], &["json"]].concat(), 10);
    folder.write("kept.json", &kept);
    folder.write("bad.json", "{\"schema\":\"hardbop.result/1\"}");
    for format in ["sarif", "svcomp", "github", "markdown", "mermaid"] {
        let direct = folder.says(&[&check[..], &[format]].concat(), 10);
        let converted = folder.says(&["convert", "--format", format, "kept.json"], 0);
        assert_eq!(direct, converted, "{format}");
    }
    assert_eq!(folder.says(&["convert", "--format", "json", "kept.json"], 0), kept);
    folder.says(&["convert", "--format", "human", "kept.json"], 1);
    folder.says(&["convert", "--format", "sarif", "bad.json"], 2);
    folder.says(&["convert", "--format", "sarif", "no.json"], 3);
}

#[test]
fn reasons_are_data_too() {
    let folder = Folder::new("reasons");
    folder.write("b.bp", SAFE);
    let text =
        folder.says(&["check", "--engine", "bdd", "--explain", "--format", "json", "b.bp"], 0);
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(record["invariants"][0]["line"], 4);
    assert_eq!(record["invariants"][0]["holds"], "g");
    let plain = folder.says(&["check", "--format", "json", "b.bp"], 0);
    let plain: Value = serde_json::from_str(&plain).unwrap();
    assert_eq!(plain["invariants"], serde_json::json!([]));
}

#[test]
fn the_page_holds_results_sources_and_graphs() {
    let folder = Folder::new("page");
    folder.write("a.bp", UNSAFE);
    folder.write("b.bp", SAFE);
    folder.says(&["check", "--html", "page.html", "a.bp", "b.bp"], 10);
    let page = folder.read("page.html");
    let data =
        page.split("id=\"data\">").nth(1).and_then(|it| it.split("</script>").next()).unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["results"][0]["record"]["verdict"], "unsafe");
    assert_eq!(data["results"][0]["graphs"][0]["name"], "main");
    assert_eq!(data["results"][1]["record"]["invariants"][0]["at"], "before `g := T;`");
    assert_eq!(data["sources"]["a.bp"], UNSAFE);
    let told = folder.run(&["check", "--html", "a.bp", "b.bp"]);
    assert_eq!(told.status.code(), Some(1), "an input is not overwritten");
    assert_eq!(folder.read("a.bp"), UNSAFE);
    assert_eq!(
        folder.run(&["check", "--html", "no/such/page.html", "b.bp"]).status.code(),
        Some(3)
    );
}

#[test]
fn the_server_shows_files_beside_the_results_and_no_others() {
    let folder = Folder::new("server");
    let outside = Folder::new("outside");
    outside.write("secret.bp", "// secret");
    folder.write("a.bp", UNSAFE);
    let mut record: Value =
        serde_json::from_str(&folder.says(&["check", "--format", "json", "a.bp"], 10)).unwrap();
    record["violation"]["file"] = outside.0.join("secret.bp").display().to_string().into();
    folder.write("kept.json", &record.to_string());
    let mut server = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(["explore", "--no-browser", "kept.json"])
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let (host, path) = address.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    assert!(page.contains("g := *;"), "the source beside the results is shown");
    assert!(!page.contains("// secret"), "a file outside of the folder is not");
}

#[test]
fn a_task_of_svcomp_stands_for_its_files_model_and_property() {
    let folder = Folder::new("task");
    let program = "void reach_error(void); int main(void) { if (sizeof(long) == 4) reach_error(); return 0; }";
    folder.write("p.c", program);
    folder.write("u.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.write("o.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    let task = |properties: &str, model: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n{properties}options:\n  language: C\n  data_model: {model}\n"
        )
    };
    let one = "  - property_file: u.prp\n    expected_verdict: false\n";
    let two = "  - property_file: u.prp\n  - property_file: o.prp\n";
    folder.write("t32.yml", &task(one, "ILP32"));
    folder.write("t64.yml", &task(one, "LP64"));
    folder.write("two.yml", &task(two, "ILP32"));
    folder.write("bad.yml", "format_version: '2.0'\ninput_files: {p.c}\n");
    let check = |words: &[&str], code| {
        let words: Vec<&str> =
            ["check", "--format", "svcomp"].iter().chain(words).copied().collect();
        folder.says(&words, code)
    };
    assert_eq!(check(&["t32.yml"], 10), "false(unreach-call)\n");
    assert_eq!(check(&["t64.yml"], 0), "true\n");
    assert_eq!(check(&["two.yml", "--property", "u.prp"], 10), "false(unreach-call)\n");
    check(&["two.yml"], 1);
    check(&["t32.yml", "p.c"], 1);
    check(&["t32.yml", "--data-model", "lp64"], 1);
    check(&["no.yml"], 3);
    let told = folder.run(&["check", "bad.yml"]);
    assert_eq!(told.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&told.stderr).contains("bad.yml:2: `{p.c}`"), "{told:?}");
}

#[test]
fn pictures_and_the_manual_are_written() {
    let folder = Folder::new("pictures");
    folder.write("a.bp", UNSAFE);
    let svg = folder.says(&["graph", "--format", "svg", "a.bp"], 0);
    assert!(svg.starts_with("<svg ") && svg.contains("4: assert(g);"), "{svg}");
    folder.says(&["man", "."], 0);
    assert!(folder.read("hardbop-check.1").contains("threads"));
    assert!(Path::new(&folder.0).join("hardbop-explore.1").exists());
    folder.says(&["man", "no/such/folder"], 3);
}

/// Two rounds of predicate abstraction: the first knows no predicate.
const LOCK: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void)\n{\n  int locked = 0, got = 0, old;\n  \
    do {\n    if (locked) reach_error();\n    locked = 1;\n    old = got;\n    if (__VERIFIER_nondet_int()) { locked = 0; got++; }\n  \
    } while (got != old);\n  return 0;\n}\n";

#[test]
fn a_result_says_who_did_what_and_how_the_abstraction_came_about() {
    let folder = Folder::new("rounds");
    folder.write("lock.c", LOCK);
    let ask = |more: &[&str]| -> Value {
        let words = ["check", "--property", "unreach-call", "--format", "json", "lock.c"];
        serde_json::from_str(&folder.says(&[&words, more].concat(), 0)).unwrap()
    };
    let plain = ask(&["--engine", "cegar"]);
    assert_eq!(plain["engines"][0]["engine"], "cegar");
    assert_eq!(plain["engines"][0]["said"], "safe");
    assert_eq!(plain["engines"][0]["numbers"]["round"], 2);
    assert!(plain.get("abstraction").is_none(), "nobody has asked");
    let told = ask(&["--engine", "cegar", "--explain"]);
    let rounds = told["abstraction"]["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2, "{told:#}");
    assert!(rounds[0]["path"].as_array().is_some_and(|it| !it.is_empty()), "{told:#}");
    assert!(rounds[0]["learned"].as_str().unwrap().contains("no execution takes"));
    let followed = &rounds[1]["predicates"][0];
    assert_eq!((&followed["file"], &followed["line"]), (&"lock.c".into(), &7.into()));
    assert!(followed["predicates"][0].as_str().unwrap().contains("locked"), "{followed}");
    // The last Boolean program is one, and safe.
    folder.write("round.bp", rounds[1]["program"].as_str().unwrap());
    assert!(folder.says(&["check", "round.bp"], 0).starts_with("SAFE"));
    let race = ask(&[]);
    let engines = race["engines"].as_array().unwrap();
    let has = |key: &str, value: &str| engines.iter().any(|it| it[key] == value);
    for rival in ["bmc", "kind", "cegar", "runs"] {
        assert!(has("engine", rival), "{rival}: {race:#}");
    }
    assert!(has("said", "safe"), "{race:#}");
}
