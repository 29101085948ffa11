//! Loops that call functions of the C library are proved with the library in brief, and with one thing wrong they are not.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_engine_c::{Finding, Options};
use hardbop_kind::Proof;

const HEAD: &str = "typedef unsigned long size_t; typedef struct __hardbop_file FILE;
extern FILE *stdin; int puts(const char *);
size_t strlen(const char *); char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t); char *strchr(const char *, int);
size_t strcspn(const char *, const char *);
char *fgets(char *, int, FILE *); int fgetc(FILE *);
FILE *fopen(const char *, const char *); int fclose(FILE *);\n";

fn checked(text: &str, seconds: u64) -> (Finding, Option<Proof>) {
    let classes: Vec<Class> = Class::ALL.into_iter().filter(|it| it.is_default()).collect();
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    let brief = loaded.brief.as_deref().expect("it goes along texts");
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
    let options = Options { classes, unwind: None, stop_at_first: true };
    let (report, proof) = hardbop_kind::check_telling(
        &loaded.program,
        Some(brief),
        &options,
        &budget,
        &mut |_, _| {},
    );
    (report.overall(), proof)
}

/// The program is proved in brief; with any of these words replaced it goes wrong for some input, and is not.
#[track_caller]
fn proved_but_not(text: &str, faults: &[(&str, &str)]) {
    let (finding, proof) = checked(text, 300);
    assert_eq!(finding, Finding::Safe, "{text}");
    assert!(proof.is_some_and(|it| it.is_brief), "another proof was found: {text}");
    for (right, wrong) in faults {
        let broken = text.replacen(right, wrong, 1);
        assert_ne!(broken, text, "`{right}` is not in the text");
        let (finding, _) = checked(&broken, 6);
        assert!(matches!(finding, Finding::Unknown(_)), "`{wrong}` for `{right}`");
    }
}

#[test]
fn a_column_of_each_line() {
    proved_but_not(
        "int main(void) { char s[200];
           while (fgets(s, sizeof s, stdin)) {
             char *at = strchr(s, ','); if (!at) continue;
             at++; at[strcspn(at, \",\\n\")] = 0; puts(at);
           } return 0; }",
        &[("if (!at) continue;", ""), ("sizeof s", "sizeof s + 1"), ("at++;", "at += 2;")],
    );
}

#[test]
fn the_end_of_each_line() {
    proved_but_not(
        "int main(void) { char s[100], t[100] = \"\"; size_t most = 0;
           while (fgets(s, sizeof s, stdin)) {
             size_t n = strlen(s);
             if (n > 0 && s[n - 1] == 10) s[--n] = 0;
             if (n > most) { most = n; strcpy(t, s); }
           } puts(t); return 0; }",
        &[("n > 0 && ", ""), ("t[100]", "t[99]")],
    );
}

#[test]
fn a_part_of_each_line_needs_an_end() {
    proved_but_not(
        "int main(void) { char s[100], t[50];
           while (fgets(s, sizeof s, stdin)) {
             strncpy(t, s, sizeof t); t[sizeof t - 1] = 0; puts(t);
           } return 0; }",
        &[("t[sizeof t - 1] = 0;", "")],
    );
}

#[test]
fn all_arguments() {
    proved_but_not(
        "int main(int argc, char **argv) { char t[64];
           for (int i = 1; i < argc; i++) {
             size_t n = strlen(argv[i]);
             if (n >= sizeof t) continue;
             for (size_t k = 0; k < n; k++) t[k] = argv[i][k];
             t[n] = 0; puts(t);
           } return 0; }",
        &[("i < argc", "i <= argc"), (">= sizeof t", "> sizeof t")],
    );
}

#[test]
fn files_that_arguments_name() {
    proved_but_not(
        "int main(int argc, char **argv) { unsigned count[256] = {0};
           for (int i = 1; i < argc; i++) {
             FILE *f = fopen(argv[i], \"r\"); if (!f) continue;
             int c; while ((c = fgetc(f)) != -1) count[c]++;
             fclose(f);
           } return count[7] == 7; }",
        &[("if (!f) continue;", ""), ("!= -1", "!= 256"), ("fclose(f);", "fclose(f); fclose(f);")],
    );
}
