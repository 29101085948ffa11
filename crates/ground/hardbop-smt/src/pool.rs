//! The pool of terms: hash-consing, and the constructors of the kernel.
//!
//! Invariants: a term's operands have smaller ids than the term, so that a traversal in id order is
//! topological; two live ids never name the same node. A constructor first looks up the *request*
//! (which remembers what the rules made of it last time), then asks the rules, then makes the node.
//!
//! The rules are a convenience: no other part of the crate relies on a normal form.

use hardbop_base::{IndexVec, Name};
use rustc_hash::FxHashMap;

use crate::rules;
use crate::term::{BinaryOp, MAX_WIDTH, Sort, Term, TermId, UnaryOp, VarId};
use crate::word;

/// A rule may call constructors, whose rules may call constructors. Beyond this depth nodes are
/// made as requested, which keeps long chains off the stack.
const MAX_DEPTH: u32 = 150;

/// A free variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// For people; need not be unique.
    pub name: Name,
    pub term: TermId,
}

/// Owns all terms.
#[derive(Default, Debug)]
pub struct Terms {
    nodes: IndexVec<TermId, Term>,
    sorts: IndexVec<TermId, Sort>,
    vars: IndexVec<VarId, Variable>,
    /// What each request became: for most, the node of exactly that form.
    answers: FxHashMap<Term, TermId>,
    /// How many constructors are active.
    depth: u32,
    /// Whether any term is an array.
    has_arrays: bool,
}

impl Terms {
    pub fn new() -> Self {
        Terms::default()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All terms, operands before what they are operands of.
    pub(crate) fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        self.nodes.ids()
    }

    /// The requests that rules have answered, in no order.
    pub(crate) fn rewritten(&self) -> impl Iterator<Item = (Term, TermId)> + '_ {
        let answers = self.answers.iter().map(|(&request, &answer)| (request, answer));
        answers.filter(|&(request, answer)| self.nodes[answer] != request)
    }

    pub fn node(&self, term: TermId) -> Term {
        self.nodes[term]
    }

    pub fn sort(&self, term: TermId) -> Sort {
        self.sorts[term]
    }

    /// The width of a bit-vector.
    pub fn width(&self, term: TermId) -> u32 {
        match self.sorts[term] {
            Sort::Bits(width) => width,
            Sort::Array { .. } => panic!("{term} should be a bit-vector, it is an array"),
        }
    }

    pub(crate) fn is_array(&self, term: TermId) -> bool {
        matches!(self.sorts[term], Sort::Array { .. })
    }

    pub(crate) fn element_width(&self, array: TermId) -> u32 {
        match self.sorts[array] {
            Sort::Array { element, .. } => element,
            Sort::Bits(_) => panic!("{array} should be an array, it is a bit-vector"),
        }
    }

    /// Whether any term is an array.
    pub(crate) fn has_arrays(&self) -> bool {
        self.has_arrays
    }

    pub fn vars(&self) -> &IndexVec<VarId, Variable> {
        &self.vars
    }

    /// The value, if the term is a constant.
    pub fn as_const(&self, term: TermId) -> Option<u128> {
        match self.nodes[term] {
            Term::Const { value, .. } => Some(value),
            _ => None,
        }
    }

    pub fn constant(&mut self, width: u32, value: u128) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "width {width} should be 1 to {MAX_WIDTH}");
        self.intern(Term::Const { width, value: value & word::ones(width) }, Sort::Bits(width))
    }

    pub fn bool(&mut self, value: bool) -> TermId {
        self.constant(1, u128::from(value))
    }

    /// A new variable, different from all others whatever their names.
    pub fn var(&mut self, name: &str, width: u32) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "width {width} should be 1 to {MAX_WIDTH}");
        self.fresh(name, Sort::Bits(width))
    }

    /// A new array of unknown content.
    pub fn array_var(&mut self, name: &str, index: u32, element: u32) -> TermId {
        for width in [index, element] {
            assert!((1..=MAX_WIDTH).contains(&width), "width {width} should be 1 to {MAX_WIDTH}");
        }
        self.fresh(name, Sort::Array { index, element })
    }

    fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        let var = self.vars.next_id();
        let term = self.intern(Term::Var(var), sort);
        self.vars.push(Variable { name: name.into(), term });
        term
    }

    pub fn unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        let width = self.width(a);
        self.build(Term::Unary(op, a), Sort::Bits(width), |terms| rules::unary(terms, op, a))
    }

    pub fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let (lhs, rhs) = (self.width(a), self.width(b));
        match op {
            BinaryOp::Concat => {
                assert!(lhs + rhs <= MAX_WIDTH, "{lhs} + {rhs} bits should be at most {MAX_WIDTH}");
            }
            _ => assert_eq!(lhs, rhs, "the operands of {op:?} should be of one width"),
        }
        let (a, b) = if op.is_commutative() { self.in_order(a, b) } else { (a, b) };
        let sort = Sort::Bits(op.width(lhs, rhs));
        self.build(Term::Binary(op, a, b), sort, |terms| rules::binary(terms, op, a, b))
    }

    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        assert_eq!(self.sort(condition), Sort::Bits(1), "a condition should have width 1");
        let sort = self.sort(then);
        assert_eq!(sort, self.sort(otherwise), "the branches of an ite should be of one sort");
        self.build(Term::Ite(condition, then, otherwise), sort, |terms| {
            rules::ite(terms, condition, then, otherwise)
        })
    }

    /// Bits `high` down to `low`, both included.
    pub fn extract(&mut self, term: TermId, high: u32, low: u32) -> TermId {
        let width = self.width(term);
        assert!(low <= high && high < width, "[{high}:{low}] should be inside {width} bits");
        let sort = Sort::Bits(high - low + 1);
        self.build(Term::Extract { term, high, low }, sort, |terms| {
            rules::extract(terms, term, high, low)
        })
    }

    /// To a width that is the same or greater.
    pub fn sign_extend(&mut self, term: TermId, width: u32) -> TermId {
        let from = self.width(term);
        assert!(from <= width && width <= MAX_WIDTH, "{from} bits should fit {width}");
        if from == width {
            return term;
        }
        self.build(Term::SignExtend { term, width }, Sort::Bits(width), |terms| {
            rules::sign_extend(terms, term, width)
        })
    }

    pub fn const_array(&mut self, index: u32, value: TermId) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&index), "width {index} should be 1 to {MAX_WIDTH}");
        let sort = Sort::Array { index, element: self.width(value) };
        self.intern(Term::ConstArray { index, value }, sort)
    }

    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let sort = self.sort(array);
        let given = Sort::Array { index: self.width(index), element: self.width(value) };
        assert_eq!(sort, given, "index and value should fit the array");
        self.build(Term::Store { array, index, value }, sort, |terms| {
            rules::store(terms, array, index, value)
        })
    }

    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let element = self.element_width(array);
        let given = Sort::Array { index: self.width(index), element };
        assert_eq!(self.sort(array), given, "the index should fit the array");
        self.build(Term::Select { array, index }, Sort::Bits(element), |terms| {
            rules::select(terms, array, index)
        })
    }

    /// Constants last, otherwise the older term first.
    fn in_order(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let key = |term: TermId| (self.as_const(term).is_some(), term);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    fn build(
        &mut self,
        request: Term,
        sort: Sort,
        rewrite: impl FnOnce(&mut Terms) -> Option<TermId>,
    ) -> TermId {
        if let Some(&answer) = self.answers.get(&request) {
            return answer;
        }
        if self.depth >= MAX_DEPTH {
            return self.intern(request, sort);
        }
        self.depth += 1;
        let rewritten = rewrite(self);
        self.depth -= 1;
        let Some(answer) = rewritten else { return self.intern(request, sort) };
        assert_eq!(self.sort(answer), sort, "a rule should keep the sort of {request:?}");
        // A rewriting that came back to the request at greater depth has made its node already.
        *self.answers.entry(request).or_insert(answer)
    }

    fn intern(&mut self, node: Term, sort: Sort) -> TermId {
        self.has_arrays |= matches!(sort, Sort::Array { .. });
        *self.answers.entry(node).or_insert_with(|| {
            self.sorts.push(sort);
            self.nodes.push(node)
        })
    }

    /// The terms `roots` consist of, operands first. Does not recurse: terms may be deep.
    pub fn cone(&self, roots: &[TermId]) -> Vec<TermId> {
        self.cone_except(roots, |_| false)
    }

    /// As [`cone`](Terms::cone), without the terms that are `known` and what is only below them.
    pub fn cone_except(&self, roots: &[TermId], known: impl Fn(TermId) -> bool) -> Vec<TermId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open: Vec<TermId> = roots.to_vec();
        let mut cone = Vec::new();
        while let Some(term) = open.pop() {
            if !known(term) && seen.insert(term) {
                cone.push(term);
                open.extend(self.node(term).operands());
            }
        }
        // Operands are older than the terms they are in.
        cone.sort_unstable();
        cone
    }
}
