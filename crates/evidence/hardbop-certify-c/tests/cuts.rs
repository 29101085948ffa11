//! Loops that are cut by claims: what is no proof is not accepted, and the place is named.

use hardbop_base::Budget;
use hardbop_c::CProgram;
use hardbop_certify_c::{Certificate, Place, Rejected, certify, formula, loops_of};
use hardbop_cir::{BinOp, BlockId, Class, Expr, FuncId, ObjId, Program, Ty, VarId};

fn load(text: &str) -> CProgram {
    let options = hardbop_c::Options { classes: vec![Class::Assert], ..Default::default() };
    hardbop_c::load_text(vec![("t.c".into(), text.into())], &options).expect("it is C")
}

/// The loops of `main`, in order.
fn heads(program: &Program) -> Vec<(FuncId, BlockId)> {
    let main = program.func_named("main").expect("there is a main");
    loops_of(&program.funcs[main]).into_keys().map(|it| (main, it)).collect()
}

fn register(program: &Program, name: &str) -> VarId {
    let mut found = program.vars.iter_enumerated().filter(|it| &*it.1.name == name);
    found.next_back().unwrap_or_else(|| panic!("{name} is a register")).0
}

fn certificate(loaded: &CProgram, claims: &[&[String]], k: u32) -> Certificate {
    let mut it = Certificate::new(&loaded.program, &[Class::Assert], 4, 0);
    it.k = k;
    for (head, claim) in heads(&loaded.program).into_iter().zip(claims) {
        it.cuts.insert(head, claim.to_vec());
    }
    it
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

const EVEN: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
  unsigned x = 0;
  while (__VERIFIER_nondet_int())
    x += 2;
  if (x % 2) reach_error();
  return 0;
}";

#[test]
fn a_claim_is_a_proof_if_it_holds_on_entry_is_kept_and_is_enough() {
    let loaded = load(EVEN);
    let x = register(&loaded.program, "x");
    let even = format!("(Eq (URem {x} i32:2) i32:0)");
    let said = |claim: &[String]| check(&loaded, &certificate(&loaded, &[claim], 1));
    assert_eq!(said(std::slice::from_ref(&even)), Ok(()));
    assert_eq!(said(&[even.clone(), "i1:1".into()]), Ok(()));
    // Too weak, too strong, not kept, false, of another type, of what is not there.
    let claimed = "what the certificate claims of the loop may not hold";
    assert!(said(&[]).unwrap_err().starts_with("6: "), "{:?}", said(&[]));
    for (wrong, why) in [
        (format!("(Eq {x} i32:0)"), claimed),
        (format!("(Ult {x} i32:100)"), claimed),
        (format!("(Eq (URem {x} i32:4) i32:0)"), claimed),
        ("i1:0".to_string(), claimed),
        (format!("(Eq (URem {x} i32:2) i32:1)"), claimed),
        (format!("(Ult {x} i32:4294967294)"), claimed),
        (format!("(Ult {x} i64:5)"), "ill-typed"),
        (format!("(Add {x} i32:1)"), "not true or false"),
        ("(Eq v9999 i32:0)".to_string(), "no v9999"),
        (format!("(Eq {x} i32:0"), "ends early"),
    ] {
        let told = said(&[even.clone(), wrong.clone()]);
        assert!(told.as_ref().is_err_and(|it| it.contains(why)), "{wrong}: {told:?}");
    }
    // At another place, or of another program.
    let mut moved = certificate(&loaded, &[&[even]], 1);
    let other = load(&EVEN.replace("x += 2", "x += 3"));
    assert!(certify(&other.program, &moved, &Budget::unlimited()).is_err());
    moved.program = hardbop_certify_c::hash(&other.program);
    assert!(certify(&other.program, &moved, &Budget::unlimited()).is_err());
    let mut moved = certificate(&loaded, &[], 1);
    moved.cuts.insert((heads(&loaded.program)[0].0, BlockId::from_u32(0)), Vec::new());
    assert!(check(&loaded, &moved).unwrap_err().contains("no loop"));
}

/// Without a claim: three visits before say that all three are different.
const TURNS: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
  int a = 1, b = 2, c = 3, t;
  while (__VERIFIER_nondet_int()) {
    if (a == b) reach_error();
    t = a; a = b; b = c; c = t;
  }
  return 0;
}";

#[test]
fn more_rounds_prove_more() {
    let loaded = load(TURNS);
    let said = |k| check(&loaded, &certificate(&loaded, &[&[]], k));
    assert!(said(1).unwrap_err().starts_with("5: "), "{:?}", said(1));
    assert!(said(2).is_err() && said(3).is_err());
    assert_eq!(said(4), Ok(()));
    assert!(said(1000).is_err());
}

/// What is different in the first round only: the visits that are assumed may be the first ones.
#[test]
fn the_first_rounds_are_not_forgotten() {
    let loaded = load(
        "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
  int first = 1, x = 0, n = 0;
  while (__VERIFIER_nondet_int()) {
    if (first) { x = 7; first = 0; }
    n++;
    if (n == 2) break;
  }
  if (n == 2 && x == 7) reach_error();
  return 0;
}",
    );
    for k in 1..6 {
        let told = check(&loaded, &certificate(&loaded, &[&[]], k));
        assert!(told.is_err(), "k = {k}");
    }
}

/// Memory that a loop writes is not what it was.
#[test]
fn what_a_loop_writes_is_forgotten() {
    let text = "int __VERIFIER_nondet_int(void); void reach_error(void);
int a[4]; int *p = &a[1];
void set(int *q, int v) { *q = v; }
int main(void) {
  while (__VERIFIER_nondet_int())
    set(p, 5);
  if (a[1] == 5) reach_error();
  if (a[2] == 5) reach_error();
  return 0;
}";
    let loaded = load(text);
    let told = check(&loaded, &certificate(&loaded, &[&[]], 1));
    assert!(told.unwrap_err().starts_with("7: "));
    let right = load(&text.replace("if (a[1] == 5) reach_error();", ""));
    assert_eq!(check(&right, &certificate(&right, &[&[]], 1)), Ok(()));
    // A claim about a byte of memory.
    let wrong = load(&text.replace("a[1] == 5", "a[1] == 6"));
    assert!(check(&wrong, &certificate(&wrong, &[&[]], 1)).is_err());
    let object = wrong.program.objects.iter_enumerated().find(|it| &*it.1.name == "a");
    let object: ObjId = object.expect("a is an object").0;
    let mut it = certificate(&wrong, &[&[]], 1);
    it.places.push(Place::Bytes { object, offset: 4, ty: Ty::Int(32) });
    let cell = format!("v{}", wrong.program.vars.len());
    let claim = format!("(Or (Eq {cell} i32:0) (Eq {cell} i32:5))");
    it.cuts.insert(heads(&wrong.program)[0], vec![claim]);
    assert_eq!(check(&wrong, &it), Ok(()));
    it.places[0] = Place::Bytes { object, offset: 8, ty: Ty::Int(32) };
    assert!(check(&wrong, &it).is_err());
}

/// Objects that a loop makes and keeps are more than one.
#[test]
fn objects_that_outlive_a_round_are_not_cut() {
    let loaded = load(
        "int __VERIFIER_nondet_int(void); void reach_error(void); void *malloc(unsigned long);
int main(void) {
  int *p = 0, *q = 0;
  while (__VERIFIER_nondet_int()) { q = p; p = malloc(4); }
  if (p && p == q) reach_error();
  return 0;
}",
    );
    let told = check(&loaded, &certificate(&loaded, &[&[]], 1)).unwrap_err();
    assert!(told.contains("may outlive its round"), "{told}");
}

#[test]
fn formulas_are_read_as_they_are_printed() {
    let mut program = load(EVEN).program;
    let x = register(&program, "x");
    let ty = program.vars[x].ty;
    let x = program.exprs.var(x, ty);
    let two = program.exprs.int(32, 2);
    let sum = program.exprs.add(Expr::Binary(BinOp::Add, x, two));
    let less = program.exprs.add(Expr::Binary(BinOp::Ult, x, sum));
    let either = program.exprs.add(Expr::Ite(less, x, sum));
    let text = formula::print(&program.exprs, either);
    assert_eq!(formula::read(&mut program, &text, None), Ok(either), "{text}");
}
