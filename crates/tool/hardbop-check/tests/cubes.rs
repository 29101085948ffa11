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

/// The `seed`th question to `bmc`: two inputs, read once, go through a few operations, and an assertion says where they end.
fn random_c(seed: u64) -> String {
    let mut rng = hardbop_base::rng::Rng::new(seed);
    let mut pick = |list: &[&'static str]| list[rng.below(list.len())];
    let mut body = String::new();
    for _ in 0..4 {
        let (to, from) = (pick(&["x", "y"]), pick(&["x", "y"]));
        let (op, n) = (pick(&["+", "^", "&", "|", "*"]), pick(&["1u", "3u", "6u", "13u"]));
        body += &format!("  if ({from} & {n}) {to} = {to} {op} {n}; else {to} = {from} {op} x;\n");
    }
    let bad = pick(&[
        "(x & 7u) == 5u",
        "(x & 3u) == 1u && (y & 12u) == 4u",
        "x == y + 9u",
        "(x & 12u) == 5u",
    ]);
    format!(
        "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\nint main(void) {{\n  unsigned x = __VERIFIER_nondet_uint() & 15u;\n  \
         unsigned y = __VERIFIER_nondet_uint() & 15u;\n{body}  if ({bad}) reach_error();\n  return 0;\n}}\n"
    )
}

#[test]
fn parts_of_questions_to_bmc_say_what_the_whole_says_and_their_certificates_join() {
    let (mut n_safe, mut n_unsafe, mut n_certified) = (0, 0, 0);
    let engine = hardbop_check::entry_named("bmc");
    for seed in 0..60 {
        let text = random_c(seed);
        let options =
            hardbop_c::Options { classes: vec![hardbop_cir::Class::Assert], ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|_| panic!("{text}"));
        let mut request = Request { engine, ..Request::default() };
        request.c.classes = options.classes;
        let ask = |cube| {
            let request = Request { cube, ..request.clone() };
            check(Subject::C(&loaded), &request, &RunCtx::new(Budget::unlimited()))
        };
        let whole = ask(None);
        let n = 2 << (seed % 2);
        assert_eq!(
            joined(n, |cube| ask(Some(cube))),
            Some(whole.verdict == Verdict::Safe),
            "{text}"
        );
        if whole.verdict.is_unsafe() {
            n_unsafe += 1;
            continue;
        }
        n_safe += 1;
        // What proves the parts, by code that no engine uses, proves the whole: they cover it.
        for nth in 1..=n {
            let cube: Cube = format!("{nth}/{n}").parse().unwrap();
            let certificate = ask(Some(cube)).c_certificate.expect("bmc has unrolled everything");
            let (part, _) = cube.of_c(&loaded).expect("two inputs have enough bits");
            let budget = Budget::unlimited();
            let accepted = hardbop_certify_c::certify(&part.program, &certificate, &budget);
            assert!(accepted.is_ok(), "{text}");
            n_certified += 1;
        }
    }
    assert!(n_safe > 10 && n_unsafe > 10, "{n_safe} safe, {n_unsafe} unsafe");
    assert!(n_certified >= 2 * n_safe);
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
