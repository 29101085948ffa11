//! Claims about all elements of an array: what is a proof is accepted, and nothing that is weaker, stronger, or about others.

use hardbop_base::Budget;
use hardbop_c::CProgram;
use hardbop_certify_c::{Certificate, Place, Rejected, certify, loops_of};
use hardbop_cir::{BlockId, Class, FuncId, ObjId, Program, Ty, VarId};

fn load(text: &str) -> CProgram {
    let options = hardbop_c::Options { classes: vec![Class::Assert], ..Default::default() };
    hardbop_c::load_text(vec![("t.c".into(), text.into())], &options).expect("it is C")
}

fn heads(program: &Program) -> Vec<(FuncId, BlockId)> {
    let main = program.func_named("main").expect("there is a main");
    loops_of(&program.funcs[main]).into_keys().map(|it| (main, it)).collect()
}

fn register(program: &Program, name: &str) -> VarId {
    let mut found = program.vars.iter_enumerated().filter(|it| &*it.1.name == name);
    found.next_back().unwrap_or_else(|| panic!("{name} is a register")).0
}

fn object(program: &Program, name: &str) -> ObjId {
    let mut found = program.objects.iter_enumerated().filter(|it| &*it.1.name == name);
    found.next().unwrap_or_else(|| panic!("{name} is an object")).0
}

/// A number `j`, and for each name of an array the element at `j`; then what is claimed of the loops, in words where `$j` is the
/// number, `$a` the element of `a`, and `$x` the register `x`.
fn certificate(loaded: &CProgram, arrays: &[&str], claims: &[&[&str]]) -> Certificate {
    let program = &loaded.program;
    let mut it = Certificate::new(program, &[Class::Assert], 4, 0);
    let first = program.vars.len();
    it.places.push(Place::Any(Ty::Int(64)));
    for name in arrays {
        let index = format!("v{first}");
        it.places.push(Place::Element { object: object(program, name), ty: Ty::Int(32), index });
    }
    for (head, claim) in heads(program).into_iter().zip(claims) {
        let said = claim.iter().map(|text| {
            let words = text.split_inclusive([' ', '(', ')']).map(|word| {
                let end = word.find([' ', '(', ')']).unwrap_or(word.len());
                let Some(name) = word[..end].strip_prefix('$') else { return word.to_string() };
                let var = match arrays.iter().position(|it| *it == name) {
                    Some(at) => format!("v{}", first + 1 + at),
                    None if name == "j" => format!("v{first}"),
                    None => register(program, name).to_string(),
                };
                format!("{var}{}", &word[end..])
            });
            words.collect::<String>()
        });
        it.cuts.insert(head, said.collect());
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

const FILLED: &str = "void reach_error(void);
int main(void) {
  int a[100000], b[100000];
  int i, x;
  for (i = 0; i < 100000; i++)
    a[i] = 42;
  for (x = 0; x < 100000; x++)
    if (a[x] != 42) reach_error();
  return 0;
}";
const NOT_NEGATIVE: &str = "(Sle i32:0 $i)";
const BEHIND: &str = "(Or (Not (Slt $j (Sext i64 $i))) (Or (Slt $j i64:0) (Eq $a i32:42)))";
const ALL: &str = "(Or (Not (Ult $j i64:100000)) (Eq $a i32:42))";

#[test]
fn all_elements_are_what_is_claimed_of_them() {
    let loaded = load(FILLED);
    let said =
        |arrays: &[&str], claims: &[&[&str]]| check(&loaded, &certificate(&loaded, arrays, claims));
    let x = "(Sle i32:0 $x)";
    assert_eq!(said(&["a"], &[&[NOT_NEGATIVE, BEHIND], &[x, ALL]]), Ok(()));
    // The second loop writes nothing.
    assert_eq!(said(&["a"], &[&[NOT_NEGATIVE, BEHIND], &[x]]), Ok(()));
    let claimed = "what the certificate claims of the loop may not hold";
    type Wrong<'a> = (&'a [&'a str], [&'a [&'a str]; 2], &'a str);
    let wrong: [Wrong<'_>; 9] = [
        // Nothing, or too little, is claimed of the one or the other.
        (&["a"], [&[NOT_NEGATIVE], &[x, ALL]], claimed),
        (&["a"], [&[], &[x, ALL]], "invalid"),
        (&["a"], [&[BEHIND], &[x, ALL]], "invalid"),
        // Too much: of an element that was not written, of another value, of every number.
        (&["a"], [&[NOT_NEGATIVE, &BEHIND.replace("Slt $j", "Sle $j")], &[x, ALL]], claimed),
        (&["a"], [&[NOT_NEGATIVE, &BEHIND.replace("42", "41")], &[x, ALL]], claimed),
        (&["a"], [&[NOT_NEGATIVE, "(Eq $a i32:42)"], &[x, ALL]], claimed),
        (&["a"], [&[NOT_NEGATIVE, BEHIND], &[x, &ALL.replace("100000", "100001")]], claimed),
        // Of the other array.
        (
            &["b"],
            [&[NOT_NEGATIVE, &BEHIND.replace("$a", "$b")], &[x, &ALL.replace("$a", "$b")]],
            claimed,
        ),
        // What is false.
        (&["a"], [&["(Ne $j $j)"], &[x, "(Ne $j $j)"]], claimed),
    ];
    for (arrays, claims, why) in wrong {
        let told = said(arrays, &claims);
        assert!(told.as_ref().is_err_and(|it| it.contains(why)), "{claims:?}: {told:?}");
    }
}

/// Each of these has an error, which the claims of [`FILLED`] must not hide.
#[test]
fn programs_that_leave_an_element_out_are_not_certified() {
    let x = "(Sle i32:0 $x)";
    for (from, to) in [
        ("i = 0; i < 100000", "i = 1; i < 100000"),
        ("i = 0; i < 100000", "i = 0; i < 99999"),
        ("a[i] = 42", "a[i] = i == 77777 ? 41 : 42"),
        ("a[i] = 42", "if (i != 3) a[i] = 42"),
        ("a[i] = 42", "b[i] = 42"),
        ("a[i] = 42;", "a[i] = 42; a[5] = 7;"),
        ("if (a[x]", "a[99999] = 1; if (a[x]"),
        ("if (a[x]", "if (a[x / 2 * 2 + 1 - x % 2] == 41 || b[x]"),
    ] {
        let text = FILLED.replace(from, to);
        assert_ne!(text, FILLED);
        let loaded = load(&text);
        let told =
            check(&loaded, &certificate(&loaded, &["a"], &[&[NOT_NEGATIVE, BEHIND], &[x, ALL]]));
        assert!(told.is_err(), "{text}");
    }
}

/// What one claim says of an element outside of the array must not be used as what another, about another array, says.
#[test]
fn nothing_follows_from_elements_that_are_not_there() {
    let loaded = load(
        "void reach_error(void); int __VERIFIER_nondet_int(void);
int a[4] = {5, 5, 5, 5};
int main(void) {
  int big[100000];
  unsigned n = 0;
  while (__VERIFIER_nondet_int()) { big[n % 100000] = 1; n++; }
  if (big[100] == 7) reach_error();
  return 0;
}",
    );
    // Of the four elements there are it is true, and of the number 100 it says nothing.
    for claim in
        ["(Eq $a i32:5)", "(Or (Ult $j i64:4) (Eq $a i32:5))", "(Or (Ult $j i64:4) (Ne $a i32:0))"]
    {
        let told = check(&loaded, &certificate(&loaded, &["a", "big"], &[&[claim]]));
        assert!(told.is_err(), "{claim}");
    }
    let told = check(
        &loaded,
        &certificate(&loaded, &["a", "big"], &[&["(Or (Not (Ult $j i64:4)) (Eq $a i32:5))"]]),
    );
    assert!(told.unwrap_err().contains("reach_error"));
}

/// Elements that two numbers name, and memory that is copied from one array into the other.
#[test]
fn a_copy_holds_what_was_copied() {
    let text = "void reach_error(void);
int main(void) {
  int a[50000], b[50000];
  int i, x;
  for (i = 0; i < 50000; i++)
    b[i] = a[i];
  for (x = 0; x < 50000; x++)
    if (a[x] != b[x]) reach_error();
  return 0;
}";
    let behind = "(Or (Not (Slt $j (Sext i64 $i))) (Or (Slt $j i64:0) (Eq $a $b)))";
    let all = "(Or (Not (Ult $j i64:50000)) (Eq $a $b))";
    let claims: &[&[&str]] = &[&[NOT_NEGATIVE, behind], &["(Sle i32:0 $x)", all]];
    let said = |text: &str| {
        let loaded = load(text);
        check(&loaded, &certificate(&loaded, &["a", "b"], claims))
    };
    assert_eq!(said(text), Ok(()));
    for wrong in ["b[i] = a[i ^ 1]", "b[i] = a[0]", "b[i ^ 1] = a[i]", "b[i] = a[i]; a[i / 2] = 0"]
    {
        assert!(said(&text.replace("b[i] = a[i]", wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn the_largest_element_is_not_less_than_any() {
    let loaded = load(
        "void reach_error(void);
int main(void) {
  int a[100000];
  int max = 0, i, x;
  for (i = 0; i < 100000; i++)
    if (a[i] > max) max = a[i];
  for (x = 0; x < 100000; x++)
    if (a[x] > max) reach_error();
  return 0;
}",
    );
    let behind = "(Or (Not (Slt $j (Sext i64 $i))) (Or (Slt $j i64:0) (Sle $a $max)))";
    let all = "(Or (Not (Ult $j i64:100000)) (Sle $a $max))";
    let x = "(Sle i32:0 $x)";
    let said = |claims: &[&[&str]]| check(&loaded, &certificate(&loaded, &["a"], claims));
    assert_eq!(said(&[&[NOT_NEGATIVE, behind], &[x, all]]), Ok(()));
    assert!(said(&[&[NOT_NEGATIVE, &behind.replace("Sle $a", "Slt $a")], &[x, all]]).is_err());
}

/// Where a walk to a terminator ends: how far a pointer is from the end of its object, and that a 0 follows.
const WALK: &str =
    "void *malloc(unsigned long); int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1) n = 1;
  char *text = malloc(n);
  if (!text) return 0;
  text[n - 1] = 0;
  char *s = text;
  while (*s) s++;
  return 0;
}";

fn of_walk(text: &str, places: &[Place], claim: &str) -> Result<(), String> {
    let loaded = load(text);
    let program = &loaded.program;
    let mut it = Certificate::new(program, &[Class::Assert], 4, 0);
    let s = register(program, "s").to_string();
    it.places = places.to_vec();
    for place in &mut it.places {
        if let Place::Size { ptr } | Place::Text { ptr } = place {
            *ptr = s.clone();
        }
    }
    let claim = claim.replace("$s", &s).replace("$1", &format!("v{}", program.vars.len()));
    it.cuts.insert(heads(program)[0], vec![claim]);
    check(&loaded, &it)
}

#[test]
fn a_walk_stays_in_its_object() {
    let (size, text) = (Place::Size { ptr: String::new() }, Place::Text { ptr: String::new() });
    let before_the_end = "(Ult (PtrDiff $s (Start $s)) $1)";
    let of_size = |it: &str| of_walk(it, std::slice::from_ref(&size), before_the_end);
    let of_text = |it: &str| of_walk(it, std::slice::from_ref(&text), "$1");
    assert_eq!(of_size(WALK), Ok(()));
    assert_eq!(of_text(WALK), Ok(()));
    let short = WALK.replace("n = __VERIFIER_nondet_int()", "n = 8");
    assert_eq!(of_text(&short), Ok(()));
    for wrong in ["text[n - 2] = 1;", "text[n - 1] = 0; text[7] = 1;"] {
        let wrong = short.replace("text[n - 1] = 0;", wrong);
        assert!(of_text(&wrong).is_err(), "{wrong}");
    }
    for (from, to) in [
        ("text[n - 1] = 0;", ""),
        ("s = text", "s = text + 1"),
        ("s = text", "s = text + n"),
        ("s++", "s += 2"),
        ("while (*s)", "while (*s || n > 7)"),
    ] {
        let wrong = WALK.replacen(from, to, 1);
        assert_ne!(wrong, WALK);
        assert!(of_size(&wrong).is_err(), "{wrong}");
    }
    // Too much, too little, and nothing.
    assert!(of_walk(&short, std::slice::from_ref(&text), "(Not $1)").is_err());
    assert!(of_walk(WALK, &[], "i1:1").is_err());
    let too_little = before_the_end.replace("Ult", "Ule");
    assert!(of_walk(WALK, std::slice::from_ref(&size), &too_little).is_err());
}
