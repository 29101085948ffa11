//! ∀∃ queries against enumeration, and against an outside solver where one is installed.

use std::io::Write;
use std::process::{Command, Stdio};

use hardbop_base::Budget;
use hardbop_sat::{Aig, Eval, ForallExists, Qbf, Term, qdimacs::qdimacs};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn pick(&mut self, terms: &[Term]) -> Term {
        terms[self.below(terms.len())].negated_if(self.below(2) == 0)
    }
}

struct Case {
    aig: Aig,
    query: ForallExists,
    x: Vec<Term>,
    y: Vec<Term>,
}

fn grow(aig: &mut Aig, rng: &mut Rng, from: &[Term], n: usize) -> Vec<Term> {
    let mut terms = from.to_vec();
    for _ in 0..n {
        let (a, b, c) = (rng.pick(&terms), rng.pick(&terms), rng.pick(&terms));
        terms.push(match rng.below(4) {
            0 | 1 => aig.and(a, b),
            2 => aig.xor(a, b),
            _ => aig.ite(a, b, c),
        });
    }
    terms
}

/// Like our own queries: a vector over x equals one over y, under guards; or any matrix at all.
fn random(rng: &mut Rng) -> Case {
    let mut aig = Aig::default();
    let (x, y) = (aig.inputs(1 + rng.below(5)), aig.inputs(1 + rng.below(5)));
    let over_x = grow(&mut aig, rng, &x, 6);
    let premise = rng.pick(&over_x);
    let matrix = if rng.below(2) == 0 {
        let over_y = grow(&mut aig, rng, &y, 8);
        let mut all = vec![rng.pick(&over_y)];
        for _ in 0..1 + rng.below(3) {
            let (a, b) = (rng.pick(&over_x), rng.pick(&over_y));
            all.push(aig.iff(a, b));
        }
        aig.all(&all)
    } else {
        let both = grow(&mut aig, rng, &[x.clone(), y.clone()].concat(), 16);
        let (a, b) = (rng.pick(&both), both[both.len() - 1]);
        aig.or(a, b)
    };
    let control = y.iter().copied().filter(|_| rng.below(2) == 0).collect();
    let query = ForallExists { premise, matrix, exists: y.clone(), control };
    Case { aig, query, x, y }
}

fn brute(case: &Case) -> bool {
    let all = |inputs: &[Term], values: usize, eval: &mut Eval| {
        inputs.iter().enumerate().for_each(|(i, &it)| eval.set(it, values >> i & 1 == 1));
    };
    (0..1 << case.x.len()).all(|x| {
        let mut eval = Eval::new();
        all(&case.x, x, &mut eval);
        !eval.value(&case.aig, case.query.premise)
            || (0..1 << case.y.len()).any(|y| {
                let mut eval = Eval::new();
                all(&case.x, x, &mut eval);
                all(&case.y, y, &mut eval);
                eval.value(&case.aig, case.query.matrix)
            })
    })
}

#[test]
fn queries_are_answered_like_enumeration() {
    let rng = &mut Rng(1);
    let (mut n_true, mut n_false, mut n_rounds) = (0, 0, 0);
    for _ in 0..6000 {
        let case = random(rng);
        let mut qbf = Qbf::new(&Budget::unlimited());
        let holds = qbf.holds(&case.aig, &case.query).expect("no limit was set");
        assert_eq!(holds, brute(&case), "{case:?}", case = case.query);
        assert_eq!(qbf.holds(&case.aig, &case.query), Ok(holds), "asked again");
        *(if holds { &mut n_true } else { &mut n_false }) += 1;
        n_rounds += qbf.n_rounds();
    }
    assert!(n_true > 1000 && n_false > 1000 && n_rounds > 1000, "{n_true} {n_false} {n_rounds}");
}

/// n variables that keep their values: constants as strategies would need 2^n rounds.
#[test]
fn copies_of_vectors_are_included_at_once() {
    let mut aig = Aig::default();
    let (x, y) = (aig.inputs(60), aig.inputs(60));
    let pick = aig.input();
    let mut equal = Vec::new();
    for (i, (&x, &y)) in x.iter().zip(&y).enumerate() {
        // One path negates every third.
        let other = if i % 3 == 0 { !y } else { y };
        let given = aig.ite(pick, y, other);
        equal.push(aig.iff(x, given));
    }
    let matrix = aig.all(&equal);
    let exists = [y, vec![pick]].concat();
    let query = ForallExists { premise: Term::TRUE, matrix, exists, control: vec![pick] };
    let mut qbf = Qbf::new(&Budget::unlimited());
    assert_eq!(qbf.holds(&aig, &query), Ok(true));
    assert!(qbf.n_rounds() <= 2);
}

#[test]
fn an_outside_solver_agrees_on_the_exported_text() {
    let rng = &mut Rng(2);
    for _ in 0..200 {
        let case = random(rng);
        let text = qdimacs(&case.aig, &case.query);
        assert!(text.starts_with("p cnf "));
        let solver = Command::new("depqbf").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut solver) = solver else {
            eprintln!("depqbf is not installed: the exported text is not cross-checked");
            return;
        };
        let mut stdin = solver.stdin.take().expect("it was asked to be piped");
        stdin.write_all(text.as_bytes()).expect("depqbf reads its input");
        drop(stdin);
        let code = solver.wait_with_output().expect("depqbf ends").status.code();
        assert_eq!(code, Some(if brute(&case) { 10 } else { 20 }), "{text}");
    }
}
