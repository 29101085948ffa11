//! What is followed where, as text: kept after each round, so that a run that is interrupted, or one of a changed
//! program, need not find the predicates again.
//!
//! ```text
//! hardbop precision 1
//! at main loop 1: ( Sle i32:0 x@main ) # (0 <= x)
//! ```
//! Places and registers are named, not numbered: entry, exit, loops and calls of a function in the order of the text; registers
//! by name and function, with `~2` behind the second of a name. A line that fits nothing in the program is passed over.
//! Soundness: predicates are only what is asked about. Those of a file may be the wrong ones, which costs time,
//! and no answer depends on them: clauses are shown by the solver, and the proof is checked again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use hardbop_cir::ty::parse_ty;
use hardbop_cir::{BinOp, CastOp, Expr, ExprId, ExprPool, FuncId, Program, Ty, UnOp, VarId};
use hardbop_kind::print::c_expr;

use crate::cuts::{Cut, Place};
use crate::normal::Normal;
use crate::predicates::Precision;

const TITLE: &str = "hardbop precision 1";

const BINARY: [BinOp; 22] = {
    use BinOp::*;
    [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule,
        Slt, Sle, SAddOvf, SSubOvf, SMulOvf,
    ]
};
const UNARY: [UnOp; 2] = [UnOp::Not, UnOp::Neg];
const CASTS: [CastOp; 3] = [CastOp::Zext, CastOp::Sext, CastOp::Trunc];

/// Predicates nest no deeper.
const MAX_DEPTH: usize = 100;

/// What a file says, not yet of any program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Saved {
    /// Places, and the words of predicates.
    lines: Vec<(String, Vec<String>)>,
}

impl Saved {
    /// The number of lines that name a predicate.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Reads the text, or says which line is none of its.
    pub fn read(text: &str) -> Result<Saved, String> {
        let mut lines = text.lines();
        if lines.next().map(str::trim) != Some(TITLE) {
            return Err(format!("line 1: it does not begin with `{TITLE}`"));
        }
        let mut saved = Saved::default();
        for (at, line) in lines.enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let parts = line.strip_prefix("at ").and_then(|it| it.split_once(": "));
            let Some((place, predicate)) = parts else {
                return Err(format!("line {}: it is not `at PLACE: PREDICATE`", at + 2));
            };
            let words = predicate.split_whitespace().map(str::to_string).collect();
            saved.lines.push((place.trim().to_string(), words));
        }
        Ok(saved)
    }

    /// The predicates that have a meaning in this program, and where.
    pub fn found(
        &self,
        normal: &Normal,
        places: &BTreeSet<Place>,
        pool: &mut ExprPool,
    ) -> Vec<(Place, ExprId)> {
        let names = Names::of(&normal.program);
        let by_label: BTreeMap<String, Place> =
            labels(normal, places).into_iter().map(|(place, label)| (label, place)).collect();
        let mut found = Vec::new();
        for (label, words) in &self.lines {
            let Some(&place) = by_label.get(label) else { continue };
            let mut reader =
                Reader { words, at: 0, names: &names, program: &normal.program, pool: &mut *pool };
            let Some(predicate) = reader.expr(0) else { continue };
            if reader.at == words.len()
                && pool.ty(predicate) == Ty::BOOL
                && pool.as_int(predicate).is_none()
                && is_in_scope(normal, place, pool, predicate)
            {
                found.push((place, predicate));
            }
        }
        found
    }
}

/// What is followed where.
pub fn text(
    normal: &Normal,
    places: &BTreeSet<Place>,
    precision: &Precision,
    pool: &ExprPool,
) -> String {
    let names = Names::of(&normal.program);
    let labels = labels(normal, places);
    let mut named = normal.program.clone();
    named.exprs = pool.clone();
    let mut out = format!("{TITLE}\n");
    for (place, predicates) in precision.places() {
        let Some(label) = labels.get(place) else { continue };
        for &predicate in predicates {
            let words = names.expr(pool, predicate);
            let _ = writeln!(out, "at {label}: {words} # {}", c_expr(&named, predicate));
        }
    }
    out
}

/// Each place by its function and what it is there.
fn labels(normal: &Normal, places: &BTreeSet<Place>) -> BTreeMap<Place, String> {
    let mut seen: BTreeMap<(FuncId, &str), u32> = BTreeMap::new();
    let mut labels = BTreeMap::new();
    for &place in places {
        let func = &normal.program.funcs[place.func].name;
        let mut counted = |what: &'static str| {
            let n = seen.entry((place.func, what)).or_default();
            *n += 1;
            format!("{func} {what} {n}")
        };
        let label = match place.cut {
            _ if place == Place::entry(place.func) => format!("{func} entry"),
            Cut::Exit => format!("{func} exit"),
            Cut::Block(_) => counted("loop"),
            Cut::Call(_) => counted("call"),
            // Nothing is chosen there.
            Cut::Start | Cut::After(_) => continue,
        };
        labels.insert(place, label);
    }
    labels
}

/// Whether all its registers have a meaning at the place. Soundness: what is said at entry and exit is said of the
/// caller's registers, so nothing else of the callee may be in it.
pub(crate) fn is_in_scope(
    normal: &Normal,
    place: Place,
    pool: &ExprPool,
    predicate: ExprId,
) -> bool {
    let func = place.func;
    let is_border = place == Place::entry(func) || place.cut == Cut::Exit;
    let mut is_in_scope = true;
    pool.for_each_var(predicate, &mut |var| {
        let owner = normal.program.vars[var].owner;
        let is_known = normal.program.funcs[func].params.contains(&var)
            || (place.cut == Cut::Exit && normal.results[func] == Some(var));
        is_in_scope &= owner.is_none() || (owner == Some(func) && (is_known || !is_border));
    });
    is_in_scope
}

/// Names of registers, one for each.
struct Names {
    of: BTreeMap<VarId, String>,
    var: BTreeMap<String, VarId>,
}

impl Names {
    fn of(program: &Program) -> Names {
        let mut names = Names { of: BTreeMap::new(), var: BTreeMap::new() };
        for (id, info) in program.vars.iter_enumerated() {
            let is_plain = |it: char| !it.is_whitespace() && it != '#' && it != ':';
            let mut plain: String = info.name.chars().filter(|&it| is_plain(it)).collect();
            if let Some(func) = info.owner {
                plain = format!("{plain}@{}", program.funcs[func].name);
            }
            let mut name = plain.clone();
            let mut n = 1;
            while names.var.contains_key(&name) {
                n += 1;
                name = format!("{plain}~{n}");
            }
            names.of.insert(id, name.clone());
            names.var.insert(name, id);
        }
        names
    }

    fn expr(&self, pool: &ExprPool, id: ExprId) -> String {
        let node = pool.get(id);
        let head = match node {
            Expr::Int { width, value } => return format!("i{width}:{value}"),
            Expr::Var(var) => return self.of[&var].clone(),
            Expr::Unary(op, _) => format!("{op:?}"),
            Expr::Binary(op, ..) => format!("{op:?}"),
            Expr::Cast(op, ty, _) => format!("{op:?} {ty}"),
            Expr::Ite(..) => "Ite".into(),
            // No predicate has any.
            Expr::Float { .. } | Expr::Null | Expr::Addr(_) | Expr::FuncAddr(_) => "none".into(),
        };
        let operands: Vec<String> = node.operands().map(|it| self.expr(pool, it)).collect();
        format!("( {head} {} )", operands.join(" "))
    }
}

struct Reader<'a> {
    words: &'a [String],
    at: usize,
    names: &'a Names,
    program: &'a Program,
    pool: &'a mut ExprPool,
}

impl Reader<'_> {
    fn word(&mut self) -> Option<String> {
        self.at += 1;
        self.words.get(self.at - 1).cloned()
    }

    /// A typed expression over numbers; `None` if it is something else.
    fn expr(&mut self, depth: usize) -> Option<ExprId> {
        if depth > MAX_DEPTH {
            return None;
        }
        let word = self.word()?;
        if word == "(" {
            let expr = self.compound(depth + 1)?;
            return (self.word()? == ")").then_some(expr);
        }
        if let Some(&var) = self.names.var.get(&word) {
            let ty = self.program.vars[var].ty;
            return matches!(ty, Ty::Int(_)).then(|| self.pool.var(var, ty));
        }
        let (ty, value) = word.split_once(':')?;
        match parse_ty(ty)? {
            Ty::Int(width) => Some(self.pool.int(width, value.parse().ok()?)),
            _ => None,
        }
    }

    fn width(&self, id: ExprId) -> Option<u8> {
        match self.pool.ty(id) {
            Ty::Int(width) => Some(width),
            _ => None,
        }
    }

    fn compound(&mut self, depth: usize) -> Option<ExprId> {
        let name = self.word()?;
        if let Some(op) = UNARY.into_iter().find(|it| format!("{it:?}") == name) {
            let a = self.expr(depth)?;
            return Some(self.pool.add(Expr::Unary(op, a)));
        }
        if let Some(op) = CASTS.into_iter().find(|it| format!("{it:?}") == name) {
            let to @ Ty::Int(width) = parse_ty(&self.word()?)? else { return None };
            let a = self.expr(depth)?;
            let is_wider = width > self.width(a)?;
            let is_typed = if op == CastOp::Trunc { width < self.width(a)? } else { is_wider };
            return is_typed.then(|| self.pool.add(Expr::Cast(op, to, a)));
        }
        if let Some(op) = BINARY.into_iter().find(|it| format!("{it:?}") == name) {
            let (a, b) = (self.expr(depth)?, self.expr(depth)?);
            let is_typed = self.width(a)? == self.width(b)?;
            return is_typed.then(|| self.pool.add(Expr::Binary(op, a, b)));
        }
        if name != "Ite" {
            return None;
        }
        let (c, a, b) = (self.expr(depth)?, self.expr(depth)?, self.expr(depth)?);
        let is_typed = self.width(c)? == 1 && self.width(a)? == self.width(b)?;
        is_typed.then(|| self.pool.add(Expr::Ite(c, a, b)))
    }
}
