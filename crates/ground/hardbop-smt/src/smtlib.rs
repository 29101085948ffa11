//! A query as an SMT-LIB 2.6 script, for outside solvers and for people.
//!
//! Each term is a definition of its own, in topological order: scripts of deep terms stay flat, and
//! sharing is kept. A Boolean is `(_ BitVec 1)`, as in the terms.

use std::fmt::{self, Write};

use crate::pool::Terms;
use crate::term::{BinaryOp, Sort, Term, TermId, UnaryOp, VarId};

/// The script that asks whether all of `asserted` (Booleans) can hold at once.
pub fn script(terms: &Terms, asserted: &[TermId]) -> String {
    let mut text = String::new();
    write_query(&mut text, terms, asserted).expect("writing to a string does not fail");
    text
}

/// The name of a variable in a script.
pub fn symbol(terms: &Terms, var: VarId) -> String {
    // Quoted symbols hold anything but these two; the number keeps equal names apart.
    let name = terms.vars()[var].name.replace(['|', '\\'], "_");
    format!("|{name}!{}|", var.as_u32())
}

fn write_query(out: &mut String, terms: &Terms, asserted: &[TermId]) -> fmt::Result {
    let cone = terms.cone(asserted);
    // Constant arrays are an extension that solvers offer outside the standard's logics only.
    let is_constant_array = |&term: &TermId| matches!(terms.node(term), Term::ConstArray { .. });
    let logic = if cone.iter().any(is_constant_array) { "ALL" } else { "QF_ABV" };
    writeln!(out, "(set-logic {logic})")?;
    for &term in &cone {
        if let Term::Var(var) = terms.node(term) {
            writeln!(out, "(declare-const {} {})", symbol(terms, var), sort(terms.sort(term)))?;
        }
    }
    for &term in &cone {
        if !matches!(terms.node(term), Term::Var(_) | Term::Const { .. }) {
            let body = definition(terms, term);
            writeln!(out, "(define-fun {term} () {} {body})", sort(terms.sort(term)))?;
        }
    }
    for &term in asserted {
        writeln!(out, "(assert (= {} #b1))", reference(terms, term))?;
    }
    out.push_str("(check-sat)\n");
    Ok(())
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => {
            format!("(Array (_ BitVec {index}) (_ BitVec {element}))")
        }
    }
}

fn reference(terms: &Terms, term: TermId) -> String {
    match terms.node(term) {
        Term::Const { width, value } => format!("#b{value:0>width$b}", width = width as usize),
        Term::Var(var) => symbol(terms, var),
        _ => term.to_string(),
    }
}

fn definition(terms: &Terms, term: TermId) -> String {
    let at = |term| reference(terms, term);
    match terms.node(term) {
        Term::Const { .. } | Term::Var(_) => at(term),
        Term::Unary(UnaryOp::Not, a) => format!("(bvnot {})", at(a)),
        Term::Unary(UnaryOp::Neg, a) => format!("(bvneg {})", at(a)),
        Term::Binary(op @ (BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Slt), a, b) => {
            format!("(ite ({} {} {}) #b1 #b0)", operator(op), at(a), at(b))
        }
        Term::Binary(op, a, b) => format!("({} {} {})", operator(op), at(a), at(b)),
        Term::Ite(c, then, otherwise) => {
            format!("(ite (= {} #b1) {} {})", at(c), at(then), at(otherwise))
        }
        Term::Extract { term, high, low } => format!("((_ extract {high} {low}) {})", at(term)),
        Term::SignExtend { term, width } => {
            format!("((_ sign_extend {}) {})", width - terms.width(term), at(term))
        }
        Term::ConstArray { value, .. } => {
            format!("((as const {}) {})", sort(terms.sort(term)), at(value))
        }
        Term::Store { array, index, value } => {
            format!("(store {} {} {})", at(array), at(index), at(value))
        }
        Term::Select { array, index } => format!("(select {} {})", at(array), at(index)),
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::And => "bvand",
        BinaryOp::Xor => "bvxor",
        BinaryOp::Add => "bvadd",
        BinaryOp::Mul => "bvmul",
        BinaryOp::Udiv => "bvudiv",
        BinaryOp::Urem => "bvurem",
        BinaryOp::Shl => "bvshl",
        BinaryOp::Lshr => "bvlshr",
        BinaryOp::Ashr => "bvashr",
        BinaryOp::Eq => "=",
        BinaryOp::Ult => "bvult",
        BinaryOp::Slt => "bvslt",
        BinaryOp::Concat => "concat",
    }
}

#[cfg(test)]
mod tests {
    use super::script;
    use crate::pool::Terms;

    #[test]
    fn a_query_reads_as_the_standard_writes_it() {
        let mut terms = Terms::new();
        let (x, memory) = (terms.var("x|y", 4), terms.array_var("m", 4, 4));
        let read = terms.select(memory, x);
        let five = terms.constant(4, 5);
        let less = terms.slt(read, five);
        let expected = "\
(set-logic QF_ABV)
(declare-const |x_y!0| (_ BitVec 4))
(declare-const |m!1| (Array (_ BitVec 4) (_ BitVec 4)))
(define-fun t2 () (_ BitVec 4) (select |m!1| |x_y!0|))
(define-fun t4 () (_ BitVec 1) (ite (bvslt t2 #b0101) #b1 #b0))
(assert (= t4 #b1))
(check-sat)
";
        assert_eq!(script(&terms, &[less]), expected);
    }
}
