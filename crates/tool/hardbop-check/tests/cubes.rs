//! Parts of the executions: together they say what the whole says, and none of them says more.

use std::sync::Arc;

use hardbop_base::Budget;
use hardbop_check::{Cube, Outcome, Request, Subject, Verdict, check};
use hardbop_engine::RunCtx;
use hardbop_gen::random::{self, Profile};

fn ask(program: &Arc<hardbop_cfg::Program>, cube: Option<Cube>) -> Outcome {
    let request = Request { cube, ..Request::default() };
    let ctx = RunCtx::new(Budget::unlimited());
    check(Subject::Program { program, source: None }, &request, &ctx)
}

fn ask_c(loaded: &hardbop_c::CProgram, cube: Option<Cube>) -> Outcome {
    let request = Request { cube, ..Request::default() };
    check(Subject::C(loaded), &request, &RunCtx::new(Budget::unlimited()))
}

/// What the parts say together.
fn joined(n: u32, mut ask: impl FnMut(Cube) -> Outcome) -> Option<bool> {
    let parts: Vec<Outcome> =
        (1..=n).map(|nth| ask(format!("{nth}/{n}").parse().unwrap())).collect();
    assert!(parts.iter().all(|it| it.verdict != Verdict::Safe), "a part is never safe");
    if parts.iter().any(|it| it.verdict.is_unsafe()) {
        return Some(false);
    }
    parts.iter().all(|it| it.part.as_ref().is_some_and(|it| it.is_safe)).then_some(true)
}

fn program(text: &str) -> Arc<hardbop_cfg::Program> {
    let (_, program, _) = hardbop_bp::load_bytes("p.bp", text.as_bytes().to_vec());
    Arc::new(program.unwrap_or_else(|| panic!("{text}")))
}

#[test]
fn parts_of_random_boolean_programs_say_what_the_whole_says() {
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for seed in 0..200 {
        let text = hardbop_bp::print(&random::program(seed, &Profile::sequential()));
        let program = program(&text);
        let whole = match ask(&program, None).verdict {
            Verdict::Safe => Some(true),
            Verdict::Unsafe(_) => Some(false),
            Verdict::Unknown(_) => continue,
        };
        let n = 1 << (1 + seed % 3);
        assert_eq!(joined(n, |cube| ask(&program, Some(cube))), whole, "seed {seed}:\n{text}");
        *if whole == Some(true) { &mut n_safe } else { &mut n_unsafe } += 1;
    }
    assert!(n_safe > 20 && n_unsafe > 20, "{n_safe} safe, {n_unsafe} unsafe");
}

#[test]
fn parts_of_c_are_by_inputs_that_are_read_once() {
    let head = "int __VERIFIER_nondet_int(void); void reach_error(void);\n";
    let cases = [
        (
            "int main(void) { int x = __VERIFIER_nondet_int(); if (x * x == 49) reach_error(); return 0; }",
            false,
            2,
        ),
        (
            "int main(void) { int x = __VERIFIER_nondet_int(); int y = x & 1; if (y > 1) reach_error(); return 0; }",
            true,
            2,
        ),
        // What is called once reads once; what is called twice does not.
        (
            "int f(void) { return __VERIFIER_nondet_int(); } int main(void) { if (f() == 5) reach_error(); return 0; }",
            false,
            2,
        ),
        (
            "int f(void) { return __VERIFIER_nondet_int() & 1; }\
             int main(void) { int a = f(), b = f(); if (a != b) reach_error(); return 0; }",
            false,
            0,
        ),
        // A loop reads more than once: nothing is split, the first part is the whole.
        (
            "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x = __VERIFIER_nondet_int(); if (x == i) s++; }\
             if (s == 2) reach_error(); return 0; }",
            false,
            0,
        ),
    ];
    for (text, is_safe, n_fixed) in cases {
        let classes = vec![hardbop_cir::Class::Assert];
        let options = hardbop_c::Options { classes, ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{head}{text}"))], &options)
            .unwrap_or_else(|_| panic!("{text}"));
        let first = ask_c(&loaded, Some("1/4".parse().unwrap()));
        assert_eq!(first.part.unwrap().fixed.len(), n_fixed, "{text}");
        assert_eq!(joined(4, |cube| ask_c(&loaded, Some(cube))), Some(is_safe), "{text}");
    }
}
