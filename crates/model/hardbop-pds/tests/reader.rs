//! What is read, and what is told about mistakes.

use hardbop_base::SourceFile;
use hardbop_pds::{Rule, State, parse, parse_state};

const GOOD: &str = "4 # shared states 0..3\nPDA 1 2 # thread 1\n0 1 -> 1 2\n3 2 -> 0 1\n\
                    PDA 4 6\n0 4 -> 0 - # a pop\n1 4 -> 2 5\n2 5 -> 3 4 6 # a push\n0 - -> 0 4";

fn file(text: &str) -> SourceFile {
    SourceFile::new("t.pds", text)
}

#[test]
fn rules_of_all_kinds() {
    let system = parse(&file(GOOD)).expect("it is right");
    assert_eq!((system.n_shared, system.threads.len()), (4, 2));
    assert!(system.warnings.is_empty(), "{:?}", system.warnings);
    let rules: Vec<_> = system.threads[1]
        .rules
        .iter()
        .map(|Rule { from, top, to, word, .. }| (*from, *top, *to, word.as_slice()))
        .collect();
    let expected: [(u32, Option<u32>, u32, &[u32]); 4] =
        [(0, Some(4), 0, &[]), (1, Some(4), 2, &[5]), (2, Some(5), 3, &[4, 6]), (0, None, 0, &[4])];
    assert_eq!(rules, expected);
    let state = parse_state("# the end\n 2|1 2,- # here\n", &system).expect("it is right");
    assert_eq!(state, State { shared: 2, stacks: vec![vec![1, 2], vec![]] });
}

#[test]
fn undeclared_local_states_are_told_once() {
    let system = parse(&file("2\nPDA 1 2\n0 1 -> 0 3\n0 3 -> 1 -\n")).expect("it is right");
    let [warning] = &system.warnings[..] else { panic!("{:?}", system.warnings) };
    assert!(!warning.is_error() && warning.message.contains("local state 3"), "{warning:?}");
}

#[test]
fn mistakes_are_told_where_they_are() {
    let cases = [
        ("", "expected the number of shared states", ""),
        ("x", "the number of shared states, not `x`", "x"),
        ("0", "at least one", "0"),
        ("99999999999", "the number of shared states", "99999999999"),
        ("2 3", "the end of the line, not `3`", "3"),
        ("2", "expected a thread", ""),
        ("2\n0 1 -> 0 1", "`PDA`, with which a thread begins", "0"),
        ("2\nPDA 1", "the first and the last", "PDA"),
        ("2\nPDA 1 2\n0 1 => 0 1", "expected `->`, not `=>`", "=>"),
        ("2\nPDA 1 2\n0 1 ->", "the end of the line", ""),
        ("2\nPDA 1 2\n0 1 -> 1", "one or two local states", ""),
        ("2\nPDA 1 2\n0 1 -> 2 1", "there are 2 shared states, no 2", "2"),
        ("2\nPDA 1 2\n0 1 -> 1 1 2 3", "the end of the line, not `3`", "3"),
        ("2\nPDA 1 2\n0 +1 -> 1 1", "a local state, not `+1`", "+1"),
    ];
    for (text, why, at) in cases {
        let wrong = parse(&file(text)).expect_err(text);
        let first = &wrong[0];
        let span = first.primary.span;
        let place = &text[span.start as usize..span.end as usize];
        assert!(first.message.contains(why) && place == at, "{text:?}: {first:?}");
    }
    let many = format!("2\nPDA 1 2\n{}", "0 1 1 1\n".repeat(1000));
    assert_eq!(parse(&file(&many)).expect_err("it is wrong").len(), 20);
}

#[test]
fn wrong_states_are_told_where_they_are() {
    let system = parse(&file(GOOD)).expect("it is right");
    let cases = [
        ("", "expected a state", ""),
        ("0,1", "expected a state", "0,1"),
        ("x|1,4", "expected a number, not `x`", "x"),
        ("9|1,4", "there are 4 shared states, no 9", "9"),
        ("0|1", "there are 2 threads, not 1", "0|1"),
        ("0|1,", "expected a local state", ""),
        ("0|1,4x", "expected a number, not `4x`", "4x"),
        ("0|1,4\n1|1,4", "the end of the file", "1|1,4"),
    ];
    for (text, why, at) in cases {
        let wrong = parse_state(text, &system).expect_err(text);
        let span = wrong.primary.span;
        let place = &text[span.start as usize..span.end as usize];
        assert!(wrong.message.contains(why) && place == at, "{text:?}: {wrong:?}");
    }
}
