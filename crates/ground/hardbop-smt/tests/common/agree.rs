//! Satisfiability against an outside SMT solver: z3 or cvc5, whichever is installed.

use std::io::Write;
use std::process::{Command, Stdio};

use hardbop_base::Budget;
use hardbop_gen::rng::Rng;
use hardbop_smt::random::RandomTerms;
use hardbop_smt::{Answer, Backend, Evaluator, Solver, TermId, Terms, smtlib};

use super::max_width;

/// How many queries were answered each way.
#[derive(Default, Debug, Clone, Copy)]
pub struct Tally {
    pub n_sat: usize,
    pub n_unsat: usize,
    /// The outside solver did not know.
    pub n_open: usize,
}

/// The command line of an installed solver that reads scripts from its input.
pub fn outside_solver() -> Option<Vec<&'static str>> {
    let candidates = [vec!["z3", "-in", "-T:600"], vec!["cvc5", "--incremental", "--lang=smt2"]];
    candidates.into_iter().find(|command| {
        let version = Command::new(command[0]).arg("--version").stdout(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

/// Random queries, some terms asserted and some assumed, as many as asked for.
pub fn agreement(seed: u64, n_queries: usize, backend: Backend, outside: &[&str]) -> Tally {
    let mut rng = Rng::new(seed);
    let (mut scripts, mut answers) = (String::new(), Vec::new());
    while answers.len() < n_queries {
        let widest = max_width(&mut rng).min(24);
        let arrays = rng.chance(30);
        let n_terms = rng.within((2, 6));
        let mut draws = Rng::new(rng.next_u64());
        let mut draw = || draws.next_u64();
        let mut random = RandomTerms::new(&mut draw, widest);
        random.arrays = arrays;
        let mut terms = Terms::new();
        let depth = rng.within((2, 4)) as u32;
        let mut all: Vec<TermId> =
            (0..n_terms).map(|_| random.term(&mut terms, 1, depth)).collect();
        let assumed = all.split_off(n_terms / 2);
        let answer = ask(&mut terms, &all, &assumed, backend);
        // Of an unsatisfiable query the core alone is put to the other solver.
        let (is_sat, needed) = match answer {
            Answer::Sat => (true, assumed),
            Answer::Unsat(core) => (false, core),
            Answer::Unknown(limit) => panic!("{limit} without limits"),
        };
        all.extend(needed);
        scripts.push_str(&smtlib::script(&terms, &all));
        scripts.push_str("(reset)\n");
        answers.push(is_sat);
    }
    compare(&answers, &run(outside, &scripts))
}

/// The answer; a model is checked here, by evaluation.
fn ask(terms: &mut Terms, asserted: &[TermId], assumed: &[TermId], backend: Backend) -> Answer {
    let mut solver = Solver::new(backend);
    for &term in asserted {
        solver.assert(term);
    }
    let answer = solver.check(terms, assumed, &Budget::unlimited());
    if answer == Answer::Sat {
        let mut evaluator = Evaluator::new(terms, solver.model());
        for &term in asserted.iter().chain(assumed) {
            assert_eq!(evaluator.value(term), 1, "{term} should hold in the model");
        }
    }
    answer
}

fn run(outside: &[&str], scripts: &str) -> String {
    let mut child = Command::new(outside[0])
        .args(&outside[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the solver told its version before");
    let mut input = child.stdin.take().expect("it was piped");
    let scripts = scripts.to_owned();
    // Written by another thread: the solver answers while it reads.
    let writer = std::thread::spawn(move || input.write_all(scripts.as_bytes()));
    let output = child.wait_with_output().expect("the solver runs to its end");
    writer.join().expect("writing does not panic").expect("the solver reads all");
    String::from_utf8(output.stdout).expect("answers are plain text")
}

fn compare(ours: &[bool], theirs: &str) -> Tally {
    let complaint = theirs.lines().find(|line| !["sat", "unsat", "unknown"].contains(line));
    assert_eq!(complaint, None, "the outside solver should read every script");
    let theirs: Vec<&str> = theirs.lines().collect();
    assert_eq!(theirs.len(), ours.len(), "each query should have an answer");
    let mut tally = Tally::default();
    for (at, (&is_sat, answer)) in ours.iter().zip(theirs).enumerate() {
        match answer {
            "unknown" => tally.n_open += 1,
            _ => assert_eq!(is_sat, answer == "sat", "query {at}"),
        }
        *if is_sat { &mut tally.n_sat } else { &mut tally.n_unsat } += 1;
    }
    tally
}
