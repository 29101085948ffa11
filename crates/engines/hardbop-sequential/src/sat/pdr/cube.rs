//! Partial valuations of a procedure's variables at entry and now.

use hardbop_sat::aig::Node;
use hardbop_sat::{Aig, Eval, Term};
use rustc_hash::FxHashSet;

/// A variable of a scope at one of two moments. What a procedure never assigns is the same at both
/// and goes by its entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Var {
    Now(usize),
    Entry(usize),
}

/// A conjunction of literals, sorted by variable.
pub type Cube = Vec<(Var, bool)>;

/// Whether all literals of `small` are in `large`.
pub fn is_within(small: &[(Var, bool)], large: &[(Var, bool)]) -> bool {
    small.iter().all(|literal| large.binary_search(literal).is_ok())
}

/// Variables of the graph whose values, under those of `eval`, are enough to make all `terms` true,
/// as they are now. (Justification: of a false conjunction one false operand is enough.)
pub fn justify(aig: &Aig, eval: &mut Eval, terms: &[Term]) -> FxHashSet<u32> {
    let mut needed = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut todo: Vec<u32> = terms.iter().map(|term| term.node()).collect();
    while let Some(node) = todo.pop() {
        if !seen.insert(node) {
            continue;
        }
        match aig.node(node) {
            Node::False => {}
            Node::Input => drop(needed.insert(node)),
            Node::And(a, b) => {
                if eval.value(aig, Term::of_node(node)) {
                    todo.extend([a.node(), b.node()]);
                } else {
                    let is_false = |term: Term, eval: &mut Eval| !eval.value(aig, term);
                    let (a_false, b_false) = (is_false(a, eval), is_false(b, eval));
                    // One that is needed anyway costs nothing.
                    let take_a = a_false && (!b_false || seen.contains(&a.node()) || a <= b);
                    let take_a = take_a && !(b_false && seen.contains(&b.node()));
                    todo.push(if take_a { a.node() } else { b.node() });
                }
            }
        }
    }
    needed
}
