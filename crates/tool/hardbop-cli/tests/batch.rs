//! `hardbop batch` as processes: results by key, kills, two at once, stores that cannot be written, parts, proofs.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of one test with its files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("hardbop-cli-batch-{}-{name}", std::process::id()));
        std::fs::create_dir_all(path.join("p")).unwrap();
        Folder(path)
    }

    /// With `n` small programs, every third of them unsafe.
    fn with_programs(name: &str, n: usize) -> Folder {
        let folder = Folder::new(name);
        for i in 0..n {
            let asserted = if i % 3 == 2 { "g" } else { "g | !g" };
            let text = format!(
                "decl g;\nvoid main() begin // {i}\n  g := *;\n  assert({asserted});\nend\n"
            );
            folder.write(&format!("p/{i:03}.bp"), &text);
        }
        folder
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.0.join(file), text).unwrap();
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        command.arg("batch").args(words.split_whitespace()).current_dir(&self.0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    fn start(&self, words: &str) -> Child {
        self.command(words).spawn().unwrap()
    }

    /// Names and answers of the last run.
    fn answers(&self, store: &str) -> Vec<String> {
        let table = out(&self.run(&format!("export --store {store}")));
        table
            .lines()
            .skip(1)
            .map(|it| it.split(',').take(2).collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// In a shell, where `$0` is the command.
    fn shell(&self, script: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_hardbop")]).current_dir(&self.0);
        shell.output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind in the temporary folder harms no one.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn ends_with(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", out(output), err(output));
    assert!(!err(output).contains("panicked"), "{}", err(output));
}

#[test]
fn asking_again_costs_nothing_and_an_edit_reruns_what_it_touches() {
    let folder = Folder::with_programs("again", 6);
    let first = folder.run("p --store s.db");
    ends_with(&first, 10);
    assert!(out(&first).ends_with("s of the processor\n"), "{}", out(&first));
    assert!(out(&first).contains("6 tasks: 4 safe, 2 unsafe, 0 unknown"), "{}", out(&first));
    let second = folder.run("p --store s.db");
    assert!(err(&second).contains("6 of 6 tasks have a result already"), "{}", err(&second));
    folder.write("p/002.bp", "void main() begin assert(T); end\n");
    let third = folder.run("p --store s.db");
    assert!(err(&third).contains("5 of 6 tasks have a result already"), "{}", err(&third));
    assert!(out(&third).contains("6 tasks: 5 safe, 1 unsafe"), "{}", out(&third));
    let diff = folder.run("diff 2 3 --store s.db");
    assert!(out(&diff).starts_with("002.bp: unsafe -> safe\n1 tasks differ"), "{}", out(&diff));
    let changed = folder.run("p --store s.db --only-changed");
    ends_with(&changed, 0);
    assert!(out(&changed).starts_with("0 tasks:"), "{}", out(&changed));
    let gc = folder.run("gc --keep 1 --store s.db");
    assert!(out(&gc).starts_with("3 runs and"), "{}", out(&gc));
}

#[test]
fn killed_at_random_moments_and_resumed_is_as_if_it_had_not_been() {
    let folder = Folder::with_programs("killed", 24);
    ends_with(&folder.run("p --store whole.db"), 10);
    // A fixed sequence: moments differ from machine to machine anyway.
    let mut chance: u64 = 12345;
    for _ in 0..20 {
        chance = chance.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut child = folder.start("p --store s.db --jobs 2");
        std::thread::sleep(Duration::from_millis(20 + (chance >> 33) % 400));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    ends_with(&folder.run("p --store s.db"), 10);
    assert_eq!(folder.answers("s.db"), folder.answers("whole.db"));
    assert_eq!(folder.answers("s.db").len(), 24);
}

#[test]
fn two_batches_on_one_store_do_each_task_once() {
    let folder = Folder::with_programs("two", 24);
    let (one, two) =
        (folder.start("p --store s.db --jobs 2"), folder.start("p --store s.db --jobs 2"));
    let (one, two) = (one.wait_with_output().unwrap(), two.wait_with_output().unwrap());
    ends_with(&one, 10);
    ends_with(&two, 10);
    for output in [one, two] {
        assert!(
            out(&output).contains("24 tasks: 16 safe, 8 unsafe, 0 unknown;"),
            "{}",
            out(&output)
        );
    }
    // Both runs have all results, and there are no more of them than tasks.
    let gc = folder.run("gc --keep 0 --store s.db");
    assert_eq!(out(&gc), "2 runs and 24 results forgotten\n");
}

#[test]
fn an_interrupt_keeps_what_is_done() {
    let folder = Folder::with_programs("interrupt", 60);
    let child = folder.start("p --store s.db --jobs 1");
    let start = Instant::now();
    while folder.answers("s.db").iter().filter(|it| it.ends_with("safe")).count() < 2 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was done");
        std::thread::sleep(Duration::from_millis(50));
    }
    // SAFETY: a signal to a child of ours that was not waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let output = child.wait_with_output().unwrap();
    assert!(
        err(&output).contains("interrupted; the same command goes on from here"),
        "{}",
        err(&output)
    );
    assert!(out(&output).contains("without a result"), "{}", out(&output));
    let resumed = folder.run("p --store s.db");
    assert!(
        out(&resumed).contains("60 tasks: 40 safe, 20 unsafe, 0 unknown;"),
        "{}",
        out(&resumed)
    );
}

#[test]
fn a_store_that_cannot_be_written_is_told_and_loses_nothing() {
    let folder = Folder::with_programs("full", 12);
    folder.write("text.db", "this is no database, but it is long enough to be looked at as one");
    let wrong = folder.run("p --store text.db");
    ends_with(&wrong, 3);
    assert!(err(&wrong).contains("text.db: this is no store of results"), "{}", err(&wrong));
    let nowhere = folder.run("p --store no/where.db");
    ends_with(&nowhere, 3);
    assert!(err(&nowhere).contains("cannot be opened or made here"), "{}", err(&nowhere));
    // Files of at most 64 KiB: the store cannot grow.
    let full = folder.shell("ulimit -f 128; exec \"$0\" batch p --store s.db");
    ends_with(&full, 3);
    assert!(err(&full).contains("the same command goes on from there"), "{}", err(&full));
    ends_with(&folder.run("p --store s.db"), 10);
    assert_eq!(folder.answers("s.db").len(), 12);
}

/// A file system of its own, where the test may make one.
#[test]
fn a_full_disk_and_a_read_only_one_are_told() {
    let folder = Folder::with_programs("disk", 30);
    let mount = |options: &str| format!("mkdir -p disk && mount -t tmpfs -o {options} none disk");
    let can = folder.shell(&format!("unshare -m sh -c '{}'", mount("size=1m")));
    if !can.status.success() {
        println!("skipped: no file system can be mounted here: {}", err(&can));
        return;
    }
    let script = format!(
        "unshare -m sh -c '{} && \"$0\" batch p --store disk/s.db; echo $?; cp disk/s.db* .' \"$0\"",
        mount("size=240k")
    );
    let full = folder.shell(&script);
    assert!(
        err(&full).contains("disk/s.db: the disk is full; what was recorded is kept"),
        "{}",
        err(&full)
    );
    assert!(out(&full).ends_with("3\n"), "{}", out(&full));
    // What was recorded before is in the copy.
    let resumed = folder.run("p --store s.db");
    assert!(err(&resumed).contains(" of 30 tasks have a result already"), "{}", err(&resumed));
    ends_with(&resumed, 10);
    let script = format!(
        "unshare -m sh -c '{} && cp s.db disk && mount -o remount,ro disk && \"$0\" batch p --store disk/s.db; echo $?; \
         \"$0\" batch status --store disk/s.db' \"$0\"",
        mount("size=8m")
    );
    let still = folder.shell(&script);
    assert!(
        err(&still)
            .contains("disk/s.db: the store cannot be written: it is read-only, or its folder is"),
        "{}",
        err(&still)
    );
    assert!(out(&still).starts_with("3\nrun 1 of p: 30 tasks"), "{}{}", out(&still), err(&still));
}

#[test]
fn parts_put_together_are_the_whole() {
    let folder = Folder::with_programs("parts", 10);
    folder.run("p --store whole.db");
    for nth in 1..=3 {
        folder.run(&format!("p --shard {nth}/3 --store part{nth}.db"));
    }
    ends_with(&folder.run("merge part1.db part2.db part3.db --store all.db"), 0);
    let again = folder.run("merge part1.db --store all.db");
    assert_eq!(out(&again), "part1.db: 0 results, for 0 tasks\n");
    let joined = folder.run("p --store all.db");
    assert!(err(&joined).contains("10 of 10 tasks have a result already"), "{}", err(&joined));
    assert_eq!(folder.answers("all.db"), folder.answers("whole.db"));
}

/// `assert` of the system's header names the file, which is the same name from wherever the preprocessor is begun.
#[test]
fn stored_proofs_of_programs_that_name_their_file_are_checked_again() {
    let folder = Folder::with_programs("named", 0);
    let text = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); return 0; }\n";
    folder.write("a.c", text);
    folder.write("plan.csv", "file\na.c\n");
    folder.run("plan.csv --store s.db");
    let verified = folder.run("verify --store s.db");
    assert!(out(&verified).starts_with("1 proofs accepted, 0 refused"), "{}", out(&verified));
}

#[test]
fn stored_proofs_are_checked_again() {
    let folder = Folder::with_programs("proofs", 3);
    folder.run("p --store s.db");
    let verified = folder.run("verify --store s.db");
    ends_with(&verified, 0);
    assert!(out(&verified).starts_with("2 proofs accepted, 0 refused"), "{}", out(&verified));
    folder.write("p/000.bp", "void main() begin assert(F); end\n");
    let verified = folder.run("verify --store s.db");
    assert!(
        out(&verified).starts_with("1 proofs accepted, 0 refused, 1 of programs"),
        "{}",
        out(&verified)
    );
}

#[test]
fn what_is_expected_decides_the_exit_code_and_the_score() {
    let folder = Folder::with_programs("expected", 3);
    folder.write("good.csv", "file,expected\np/000.bp,safe\np/002.bp,unsafe\n");
    folder.write("bad.csv", "file,expected\np/000.bp,unsafe\np/002.bp,true\n");
    let good = folder.run("good.csv --store s.db");
    ends_with(&good, 0);
    assert!(out(&good).contains("score 3 of 3"), "{}", out(&good));
    let bad = folder.run("bad.csv --store s.db");
    ends_with(&bad, 10);
    assert!(out(&bad).contains("2 not as expected; score -48 of 3"), "{}", out(&bad));
}

#[test]
fn a_plan_that_is_not_understood_is_refused_at_its_place() {
    let folder = Folder::with_programs("refused", 1);
    folder.write("plan.toml", "[[task]]\nfiles = [\"p/000.bp\"]\ncolor = \"red\"\n");
    let wrong = folder.run("plan.toml");
    ends_with(&wrong, 2);
    assert!(err(&wrong).contains("plan.toml:3: unknown field `color`"), "{}", err(&wrong));
    ends_with(&folder.run("no-plan.toml"), 3);
    let ours = folder.run("p -- --html page.html");
    ends_with(&ours, 1);
    assert!(err(&ours).contains("`--html` is decided by the batch"), "{}", err(&ours));
    let nothing = folder.run("p -- --frobnicate");
    ends_with(&nothing, 3);
    assert!(out(&nothing).contains("error"), "{}", out(&nothing));
}

#[test]
fn a_report_shows_every_task_and_runs_no_script() {
    let folder = Folder::with_programs("report", 3);
    folder.write("p/<b>.bp", "void main() begin assert(F); end\n");
    folder.run("p --store s.db");
    folder.run("p --store s.db");
    ends_with(&folder.run("report --html pages --store s.db"), 0);
    let read = |name: &str| std::fs::read_to_string(folder.0.join("pages").join(name)).unwrap();
    let overview = read("index.html");
    assert!(overview.contains("&lt;b&gt;.bp") && !overview.contains("<b>"), "{overview}");
    assert!(!overview.contains("<script") && overview.contains("explorer.html#result=2"));
    assert!(
        overview.contains("Every task has the same answer")
            && overview.matches("<svg").count() == 2
    );
    assert!(read("explorer.html").contains("hardbop.page/1"));
    let log = out(&folder.run("export --format sarif --store s.db"));
    let log: serde_json::Value = serde_json::from_str(&log).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 2);
}

#[test]
fn parts_of_executions_and_of_properties_are_joined() {
    let folder = Folder::with_programs("split", 6);
    folder.run("p --store whole.db");
    let cubes = folder.run("p --cube 4 --store cubes.db");
    ends_with(&cubes, 10);
    assert_eq!(folder.answers("cubes.db"), folder.answers("whole.db"));
    // Each part that is safe and not empty has a certificate of its own: one global variable makes two of them.
    let verified = folder.run("verify --run 1 --store cubes.db");
    ends_with(&verified, 0);
    assert!(out(&verified).starts_with("8 proofs accepted, 0 refused, 0 of"), "{}", out(&verified));
    let shown = folder.run("show 000.bp --store cubes.db");
    assert!(out(&shown).contains("4 parts are safe, and cover 000.bp"), "{}", out(&shown));
    let c = Folder::new("classes");
    c.write("p/a.c", "int main(void) { int a[2] = {1, 2}; int i = 1; return a[i] / i; }\n");
    c.write("p/b.c", "int __VERIFIER_nondet_int(void); int main(void) { int i = __VERIFIER_nondet_int(); return 7 / i; }\n");
    c.run("p --store whole.db --time-limit 20s");
    let split = c.run("p --per-property --store split.db --time-limit 20s");
    ends_with(&split, 10);
    assert_eq!(c.answers("split.db"), ["a.c safe", "b.c unsafe"]);
    assert_eq!(c.answers("split.db"), c.answers("whole.db"));
}
