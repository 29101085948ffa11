//! Terms as bytes, the same for states that differ in the names of their inputs only. Conditions that are not
//! connected with anything that is still there are left out: the path is possible, so they are.

use hardbop_smt::{Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::path::Path;

struct Writer<'a> {
    terms: &'a Terms,
    numbers: FxHashMap<TermId, u64>,
    vars: Vec<VarId>,
    bytes: &'a mut Vec<u8>,
}

impl Writer<'_> {
    fn number(&mut self, mut it: u64) {
        while it >= 0x80 {
            self.bytes.push(it as u8 | 0x80);
            it >>= 7;
        }
        self.bytes.push(it as u8);
    }

    /// Nodes that were not met yet, operands first, then the number of the term.
    fn term(&mut self, root: TermId) {
        let mut todo = vec![root];
        while let Some(&term) = todo.last() {
            if self.numbers.contains_key(&term) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            let operands = self.terms.node(term).operands();
            todo.extend(operands.filter(|it| !self.numbers.contains_key(it)));
            if todo.len() == before {
                todo.pop();
                self.node(term);
                let next = self.numbers.len() as u64;
                self.numbers.insert(term, next);
            }
        }
        self.bytes.push(0);
        self.number(self.numbers[&root]);
    }

    fn node(&mut self, term: TermId) {
        let node = self.terms.node(term);
        let kind = match node {
            Term::Const { .. } => 1,
            Term::Var(_) => 2,
            Term::Unary(op, _) => 10 + op as u8,
            Term::Binary(op, ..) => 20 + op as u8,
            Term::Ite(..) => 3,
            Term::Extract { .. } => 4,
            Term::SignExtend { .. } => 5,
            Term::Select { .. } | Term::Store { .. } | Term::ConstArray { .. } => {
                unreachable!("inputs are numbers")
            }
        };
        self.bytes.push(kind);
        match node {
            Term::Const { width, value } => {
                self.number(u64::from(width));
                self.number(value as u64);
                self.number((value >> 64) as u64);
            }
            Term::Var(var) => {
                self.vars.push(var);
                self.number(u64::from(self.terms.width(term)));
            }
            Term::Extract { high, low, .. } => {
                self.number(u64::from(high));
                self.number(u64::from(low));
            }
            Term::SignExtend { width, .. } => self.number(u64::from(width)),
            _ => {}
        }
        for operand in node.operands() {
            self.number(self.numbers[&operand]);
        }
    }
}

pub(super) fn describe(
    terms: &Terms,
    path: &Path,
    marks: impl ExactSizeIterator<Item = (usize, TermId)>,
    bytes: &mut Vec<u8>,
) {
    let mut writer = Writer { terms, numbers: FxHashMap::default(), vars: Vec::new(), bytes };
    writer.number(marks.len() as u64);
    for (at, term) in marks {
        writer.number(at as u64);
        writer.term(term);
    }
    let (connected, _) = path.connected(&writer.vars);
    for at in connected {
        writer.term(path.conditions()[at].term);
    }
}
