//! What functions do in any call: what is no proof is not accepted, and the place is named.

use hardbop_base::Budget;
use hardbop_c::CProgram;
use hardbop_certify_c::{Certificate, Rejected, Words, certify};
use hardbop_cir::{Class, FuncId, VarId};

fn load(text: &str) -> CProgram {
    let options = hardbop_c::Options { classes: vec![Class::Assert], ..Default::default() };
    let text = format!("int __VERIFIER_nondet_int(void); void reach_error(void);\n{text}");
    hardbop_c::load_text(vec![("t.c".into(), text)], &options).expect("it is C")
}

fn func(loaded: &CProgram, name: &str) -> FuncId {
    loaded.program.func_named(name).unwrap_or_else(|| panic!("there is no {name}"))
}

fn param(loaded: &CProgram, name: &str) -> VarId {
    loaded.program.funcs[func(loaded, name)].params[0]
}

fn check(loaded: &CProgram, certificate: &Certificate) -> Result<(), String> {
    // What is written down is what is checked.
    let certificate = Certificate::read(&certificate.print()).expect("it is read back");
    match certify(&loaded.program, &certificate, &Budget::unlimited()) {
        Ok(_) => Ok(()),
        Err(Rejected::At(span, why)) => {
            Err(format!("{}: {why}", loaded.sources.position(span).line))
        }
        Err(other) => Err(other.to_string()),
    }
}

/// The contract of one function, loops unrolled four times.
fn said(loaded: &CProgram, name: &str, before: &[&str], after: &[&str]) -> Result<(), String> {
    let mut it = Certificate::new(&loaded.program, &[Class::Assert], 4, 0);
    let list = |words: &[&str]| words.iter().map(|it| it.to_string()).collect();
    let words = Words { before: list(before), after: list(after) };
    it.contracts.insert(func(loaded, name), words);
    check(loaded, &it)
}

/// As deep as an input says.
const COUNT: &str = "static int count(int n) {
  if (n <= 0) return 0;
  return count(n - 1) + 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 5 && count(n) != n) reach_error();
  return 0;
}";

#[test]
fn a_contract_is_a_proof_if_the_body_keeps_it_and_it_is_enough() {
    let loaded = load(COUNT);
    let n = param(&loaded, "count");
    let exact = format!("(Eq result (Ite (Sle {n} i32:0) i32:0 {n}))");
    assert_eq!(said(&loaded, "count", &[], &[&exact]), Ok(()));
    let positive = format!("(Sle i32:0 {n})");
    assert_eq!(said(&loaded, "count", &[&positive], &[&exact]), Ok(()));
    // Too weak: the check may fail.
    let at_most = format!("(Sle result (Ite (Sle {n} i32:0) i32:0 {n}))");
    for weak in [&[][..], &["i1:1"], &[&*at_most]] {
        let told = said(&loaded, "count", &[], weak);
        assert!(told.as_ref().is_err_and(|it| it.starts_with("8: ")), "{weak:?}: {told:?}");
    }
    // Not kept by the body, which is in lines 2 to 5.
    let after = "what the certificate says holds after a call may not hold";
    for wrong in ["i1:0", "(Eq result i32:0)", "(Slt i32:0 result)", &format!("(Eq result {n})")] {
        let told = said(&loaded, "count", &[], &[&exact, wrong]);
        assert!(told.as_ref().is_err_and(|it| it.contains(after)), "{wrong}: {told:?}");
    }
    // Not so at a call: that of main, or the one inside.
    let before = "what the certificate says holds before a call may not hold";
    for wrong in ["i1:0", &format!("(Sle {n} i32:9)"), &format!("(Sle i32:6 {n})")] {
        let told = said(&loaded, "count", &[wrong], &[&exact]);
        assert!(told.as_ref().is_err_and(|it| it.contains(before)), "{wrong}: {told:?}");
    }
    // Ill-typed, not there, without a result, at another place.
    for (wrong, why) in [
        ("(Eq result i64:0)", "ill-typed"),
        ("result", "not true or false"),
        ("(Eq v9999 i32:0)", "no v9999"),
        ("(Eq result", "ends early"),
    ] {
        let told = said(&loaded, "count", &[], &[wrong]);
        assert!(told.as_ref().is_err_and(|it| it.contains(why)), "{wrong}: {told:?}");
    }
    assert!(said(&loaded, "count", &["(Eq result i32:0)"], &[]).is_err());
    assert!(said(&loaded, "main", &[], &[&exact]).is_err());
    let mut nowhere = Certificate::new(&loaded.program, &[Class::Assert], 4, 0);
    nowhere.contracts.insert(FuncId::from_u32(9999), Words::default());
    assert!(check(&loaded, &nowhere).unwrap_err().contains("no function"));
}

/// The same words for a program that does something else.
#[test]
fn a_contract_of_another_program_is_none() {
    let exact = |loaded: &CProgram| {
        let n = param(loaded, "count");
        format!("(Eq result (Ite (Sle {n} i32:0) i32:0 {n}))")
    };
    for (right, wrong) in [
        ("return 0;\n  return count", "return 1;\n  return count"),
        ("n - 1", "n - 2"),
        ("n <= 0", "n <= 1"),
        (") + 1", ") + n"),
    ] {
        let loaded = load(&COUNT.replace(right, wrong));
        let told = said(&loaded, "count", &[], &[&exact(&loaded)]);
        assert!(told.is_err(), "{wrong}: {told:?}");
    }
}

/// What a function may change is found in its body, whoever says nothing of it.
#[test]
fn what_a_call_changes_is_not_known_afterwards() {
    let body = |statement: &str| {
        let text = format!(
            "static int g, kept, a[4];
static void f(int n) {{
  {statement}
  if (n > 0) f(n - 1);
}}
int main(void) {{
  kept = 3; g = 1; a[2] = 1;
  f(__VERIFIER_nondet_int());
  if (kept != 3 || g != 1 || a[2] != 1) reach_error();
  return 0;
}}"
        );
        said(&load(&text), "f", &[], &[])
    };
    assert_eq!(body(";"), Ok(()));
    assert_eq!(body("int g = 2; (void)g;"), Ok(()));
    for wrong in
        ["g = 2;", "a[2] = n;", "if (n == 77) g = 5;", "a[n & 3] = 7;", "int *p = &g; *p = n;"]
    {
        let told = body(wrong);
        assert!(told.as_ref().is_err_and(|it| it.starts_with("10: ")), "{wrong}: {told:?}");
    }
}

/// Through pointers that are passed; the body knows global objects only.
#[test]
fn objects_that_the_body_does_not_know_are_not_written_unnoticed() {
    let text = |object: &str, check: &str| {
        format!(
            "void *malloc(unsigned long); void free(void *);
static int g;
static void f(int n, int *p) {{
  if (n > 0) f(n - 1, p);
  *p = n;
}}
int main(void) {{
  {object}
  f(__VERIFIER_nondet_int(), p);
  if ({check}) reach_error();
  return 0;
}}"
        )
    };
    for (object, check) in [
        ("int x = 1, *p = &x;", "x != 1"),
        ("int *p = malloc(4); if (!p) return 0; *p = 1;", "*p != 1"),
        ("int *p = &g;", "g != 0"),
        ("int x = 1, *p = &x;", "0"),
    ] {
        let told = said(&load(&text(object, check)), "f", &[], &[]);
        assert!(told.is_err(), "{object} {check}: {told:?}");
    }
}

/// Two that call each other, with loops and memory beside.
#[test]
fn functions_that_call_each_other_have_contracts_of_their_own() {
    let loaded = load(
        "static int odd(int n);
static int even(int n) { if (n == 0) return 1; return odd(n - 1); }
static int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  int r = even(n);
  if (r != 0 && r != 1) reach_error();
  if (r != (n % 2 == 0)) reach_error();
  return 0;
}",
    );
    let words = |name: &str, rest: u32| {
        let n = param(&loaded, name);
        let after = format!("(Eq result (Zext i32 (Eq (And {n} i32:1) i32:{rest})))");
        Words { before: vec![format!("(Sle i32:0 {n})")], after: vec![after] }
    };
    let mut it = Certificate::new(&loaded.program, &[Class::Assert], 4, 0);
    it.contracts.insert(func(&loaded, "even"), words("even", 0));
    it.contracts.insert(func(&loaded, "odd"), words("odd", 1));
    assert_eq!(check(&loaded, &it), Ok(()));
    for (name, wrong) in [("even", 1), ("odd", 0)] {
        let mut wrongly = it.clone();
        wrongly.contracts.insert(func(&loaded, name), words(name, wrong));
        assert!(check(&loaded, &wrongly).is_err(), "{name}");
    }
    // One without the other: that is entered, again and again.
    let mut alone = it.clone();
    alone.contracts.remove(&func(&loaded, "odd"));
    assert_eq!(check(&loaded, &alone), Ok(()));
    let mut unknown = it.clone();
    unknown.contracts.insert(func(&loaded, "odd"), Words::default());
    assert!(check(&loaded, &unknown).is_err());
}
