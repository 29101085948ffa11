//! A ∀∃ query as QDIMACS, so that any other QBF solver can answer it too.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::aig::{Aig, Node, Term};
use crate::qbf::ForallExists;

/// The text of a query: x universal, y and the nodes of the graph existential, in clauses that say
/// premise → matrix.
pub fn qdimacs(aig: &Aig, query: &ForallExists) -> String {
    let exists: FxHashSet<u32> = query.exists.iter().map(|y| y.node()).collect();
    let cone = aig.cone(&[query.premise, query.matrix]);
    // Numbered from 1 in the order of the cone.
    let number = |node: u32| cone.binary_search(&node).expect("operands are in the cone") + 1;
    let literal = |term: Term| {
        let number = number(term.node()) as i64;
        if term.is_negated() { -number } else { number }
    };
    let (mut forall, mut inner, mut clauses) = (String::new(), String::new(), String::new());
    let mut n_clauses = 1;
    for &node in &cone {
        let quantified = match aig.node(node) {
            Node::Input if !exists.contains(&node) => &mut forall,
            _ => &mut inner,
        };
        write!(quantified, "{} ", number(node)).expect("writing to a string");
        let n = number(node) as i64;
        match aig.node(node) {
            Node::Input => {}
            Node::False => {
                writeln!(clauses, "-{n} 0").expect("writing to a string");
                n_clauses += 1;
            }
            Node::And(a, b) => {
                let (a, b) = (literal(a), literal(b));
                writeln!(clauses, "-{n} {a} 0\n-{n} {b} 0\n{n} {} {} 0", -a, -b)
                    .expect("writing to a string");
                n_clauses += 3;
            }
        }
    }
    let prefix = |letter: char, list: &str| {
        if list.is_empty() { String::new() } else { format!("{letter} {list}0\n") }
    };
    format!(
        "p cnf {} {n_clauses}\n{}{}{clauses}{} {} 0\n",
        cone.len(),
        prefix('a', &forall),
        prefix('e', &inner),
        -literal(query.premise),
        literal(query.matrix)
    )
}
