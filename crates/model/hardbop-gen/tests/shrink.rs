//! The shrinker finds small programs and keeps the failure.

use hardbop_base::SourceFile;
use hardbop_bp::ast::{Program, Stmt, StmtKind};
use hardbop_gen::random::{self, Profile};
use hardbop_gen::shrink;

fn has_assert(stmts: &[Stmt], inside_while: bool) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Assert(_) => inside_while,
        StmtKind::While { body, .. } => has_assert(&body.stmts, true),
        StmtKind::If { branches, otherwise } => branches
            .iter()
            .map(|branch| &branch.body)
            .chain(otherwise)
            .any(|block| has_assert(&block.stmts, inside_while)),
        _ => false,
    })
}

fn asserts_inside_while(program: &Program) -> bool {
    program.procs.iter().any(|proc| has_assert(&proc.body, false))
}

fn loads(program: &Program) -> bool {
    hardbop_bp::load(&SourceFile::new("shrunk.bp", hardbop_bp::print(program))).0.is_some()
}

#[test]
fn an_assert_inside_a_while_is_all_that_is_left() {
    let mut n = 0;
    for seed in 0..300 {
        let program = random::program(seed, &Profile::recursive());
        if !asserts_inside_while(&program) {
            continue;
        }
        n += 1;
        let small = shrink(&program, &mut |it| asserts_inside_while(it) && loads(it));
        let text = hardbop_bp::print(&small);
        assert!(asserts_inside_while(&small) && loads(&small), "{text}");
        assert!(small.globals.is_empty(), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.len() <= 16, "seed {seed}: {text}");
    }
    assert!(n >= 5, "only {n} programs have such an assert");
}

#[test]
fn a_program_that_cannot_be_smaller_stays() {
    let program = random::program(1, &Profile::threads());
    let same = shrink(&program, &mut |it| *it == program);
    assert_eq!(same, program);
}
