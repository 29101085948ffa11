//! Operands whose order of evaluation C leaves open (C11 6.5, 3; 6.5.2.2, 10).
//!
//! Where it cannot matter they are evaluated from left to right. Where calls could see each other's
//! effects, or an effect meets a read of the same thing, an arbitrary value decides between left to
//! right and right to left, so that both are explored. Where two operands clash without a call in
//! between, C gives no meaning; this and what we do not explore is listed as an assumption.

use hardbop_base::{Name, Span};
use hardbop_cir::{ExprId, Op, Source, Ty, VarId};

use super::Lowered;
use super::effects::Effects;
use super::place::{Val, ValKind};
use super::scope::{Entity, Global, Home};
use super::state::Lower;
use crate::syntax::ast::Expr;
use crate::types::{CType, TypeKind};

/// Open orders explored in one function, and inside of each other: each doubles some code.
const MAX_OPEN: u32 = 40;
const MAX_NESTED: u32 = 3;
/// Arguments of a call, or initialisers, whose order is looked at.
const MAX_OPERANDS: usize = 20;

/// What the order of two operands can change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Order {
    Irrelevant,
    /// Explored.
    Open,
    /// It matters, and left to right is assumed.
    Assumed,
}

/// A register for the value of an operand that is evaluated at one of two places.
#[derive(Clone)]
pub(super) struct Kept {
    ctype: CType,
    register: Option<VarId>,
    is_record: bool,
}

impl Lower<'_> {
    /// Both operands, each as it was when it was evaluated.
    pub fn operands(&mut self, a: &Expr, b: &Expr) -> Lowered<(Val, Val)> {
        if self.order(a, b, Effects::of) == Order::Open {
            let values = self.in_any_order(&[a, b], &mut |lower, it| lower.rvalue(it))?;
            if let [a, b] = &values[..] {
                return Ok((a.clone(), b.clone()));
            }
        }
        let left = self.operand_before(a, b)?;
        Ok((left, self.rvalue(b)?))
    }

    /// The order of some operands: the worst of all pairs.
    pub fn order_of_all(&mut self, operands: &[&Expr]) -> Order {
        let mut worst = Order::Irrelevant;
        if operands.len() < 2 || !operands.iter().any(|it| it.has_effect) {
            return worst;
        }
        if operands.len() > MAX_OPERANDS {
            // Soundness: what is not looked at is assumed, and said.
            let (first, last) = (operands[0].span, operands[operands.len() - 1].span);
            self.assume_order(Span { start: first.start, end: last.end });
            return Order::Assumed;
        }
        for (at, b) in operands.iter().enumerate() {
            for a in &operands[..at] {
                worst = worst.max(self.order(a, b, Effects::of));
            }
        }
        worst
    }

    /// `first` looks at the left operand: its value, or only its place.
    pub fn order(
        &mut self,
        a: &Expr,
        b: &Expr,
        first: impl Fn(&Expr, &dyn Fn(&Name) -> bool) -> Effects,
    ) -> Order {
        if self.is_unevaluated() || self.is_global_scope() || !(a.has_effect || b.has_effect) {
            return Order::Irrelevant;
        }
        let is_array = |name: &Name| self.is_array(name);
        let (x, y) = (first(a, &is_array), Effects::of(b, &is_array));
        let order = self.judge(&x, &y, a.span.to(b.span));
        match order {
            Order::Open if self.n_open >= MAX_OPEN || self.open_depth >= MAX_NESTED => {
                self.assume_order(a.span.to(b.span));
                Order::Assumed
            }
            other => other,
        }
    }

    fn judge(&mut self, x: &Effects, y: &Effects, span: Span) -> Order {
        if x.is_large || y.is_large {
            let calls = |it: &Effects| !it.calls.is_empty() || it.calls_unknown;
            if calls(x) && calls(y) {
                self.assume_order(span);
            }
            return Order::Assumed;
        }
        let undefined = x.writes.iter().any(|it| y.reads.contains(it) || y.writes.contains(it))
            || y.writes.iter().any(|it| x.reads.contains(it));
        if undefined {
            let text = self.text(span);
            let line = self.sources.position(span).line;
            self.assume_said(format!(
                "line {line}: `{text}` changes and uses a variable in no order: left to right is taken"
            ));
            return Order::Assumed;
        }
        let (Some(calls_x), Some(calls_y)) = (self.called(x), self.called(y)) else {
            self.assume_order(span);
            return Order::Assumed;
        };
        let clash = self.touches(&calls_x, y) || self.touches(&calls_y, x);
        if !clash && !meet(&calls_x, &calls_y) {
            return Order::Irrelevant;
        }
        let here = self.program.funcs[self.func.id].name.clone();
        let is_recursive = calls_x.calls.contains(&here) || calls_y.calls.contains(&here);
        if is_recursive || x.has_statements || y.has_statements {
            self.assume_order(span);
            return Order::Assumed;
        }
        Order::Open
    }

    pub fn assume_order(&mut self, span: Span) {
        let line = self.sources.position(span).line;
        let text = self.text(span);
        self.assume_said(format!("line {line}: `{text}` is evaluated from left to right"));
    }

    /// What all functions called do; `None` if that is too much to look at.
    fn called(&mut self, of: &Effects) -> Option<Effects> {
        let mut all = Effects::default();
        if of.calls_unknown {
            (all.reads_memory, all.writes_memory) = (true, true);
        }
        for name in &of.calls {
            let one = self.summaries.call(name)?;
            all.join(&one);
        }
        Some(all)
    }

    /// Whether functions change what an operand uses by itself, or use what it changes. A variable
    /// is reached by its name if it is global, and through pointers if its address is taken.
    fn touches(&self, calls: &Effects, by_itself: &Effects) -> bool {
        let sees = |name: &Name, names: &rustc_hash::FxHashSet<Name>, memory: bool| match self
            .lookup(name)
        {
            Some(Entity::Global { link }) => {
                names.contains(name)
                    || memory
                        && matches!(
                            self.globals.get(link),
                            Some(Global::Var { home: Home::Object(_) | Home::Own(_), .. })
                        )
            }
            Some(Entity::Var { home: Home::Object(_), .. }) => memory,
            _ => false,
        };
        let changed = |name: &Name| sees(name, &calls.writes, calls.writes_memory);
        let used = |name: &Name| sees(name, &calls.reads, calls.reads_memory) || changed(name);
        by_itself.reads.iter().any(changed)
            || by_itself.writes.iter().any(used)
            || by_itself.reads_memory && calls.writes_memory
            || by_itself.writes_memory && (calls.reads_memory || calls.writes_memory)
    }

    fn is_array(&self, name: &Name) -> bool {
        let ctype = match self.lookup(name) {
            Some(Entity::Var { ctype, .. }) => Some(ctype),
            Some(Entity::Global { link }) => match self.globals.get(link) {
                Some(Global::Var { ctype, .. }) => Some(ctype),
                _ => None,
            },
            _ => None,
        };
        ctype.is_some_and(|it| matches!(it.kind, TypeKind::Array(..)))
    }

    /// Evaluates operands from left to right or from right to left, whichever an arbitrary value
    /// says.
    pub fn in_any_order<'e>(
        &mut self,
        operands: &[&'e Expr],
        evaluate: &mut dyn FnMut(&mut Self, &'e Expr) -> Lowered<Val>,
    ) -> Lowered<Vec<Val>> {
        let span = operands.iter().fold(operands[0].span, |all, it| all.to(it.span));
        self.n_open += 1;
        self.open_depth += 1;
        let choice = self.nondet(Ty::BOOL, false, Source::Order, span);
        let (backwards, forwards, join) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(choice, backwards, forwards, span);
        let mut kept: Vec<Option<Kept>> = vec![None; operands.len()];
        let n = operands.len();
        let ways: [Vec<usize>; 2] = [(0..n).rev().collect(), (0..n).collect()];
        for (block, way) in [backwards, forwards].into_iter().zip(ways) {
            self.begin(block);
            for at in way {
                let value = evaluate(self, operands[at])?;
                let it = match &kept[at] {
                    Some(it) => it.clone(),
                    None => self.keep_for(&value),
                };
                self.keep(&it, &value, operands[at].span);
                kept[at] = Some(it);
            }
            self.goto(join, span);
        }
        self.begin(join);
        self.open_depth -= 1;
        Ok(kept.into_iter().flatten().map(|it| self.kept_value(&it)).collect())
    }

    fn keep_for(&mut self, value: &Val) -> Kept {
        let (ty, is_record) = match value.kind {
            ValKind::Scalar(id) => (Some(self.program.exprs.ty(id)), false),
            ValKind::Record(_) => (Some(Ty::Ptr), true),
            ValKind::Void => (None, false),
        };
        let register = ty.map(|ty| self.temp(ty, value.ctype.is_signed()));
        Kept { ctype: value.ctype.clone(), register, is_record }
    }

    fn keep(&mut self, kept: &Kept, value: &Val, span: Span) {
        if let (Some(dst), ValKind::Scalar(value) | ValKind::Record(value)) =
            (kept.register, value.kind)
        {
            self.emit(Op::Set { dst, value }, span);
        }
    }

    fn kept_value(&mut self, kept: &Kept) -> Val {
        let Some(register) = kept.register else { return Val::VOID };
        let id: ExprId = self.var_expr(register);
        let kind = if kept.is_record { ValKind::Record(id) } else { ValKind::Scalar(id) };
        Val { ctype: kept.ctype.clone(), kind }
    }
}

/// Whether functions on the two sides see each other's effects.
fn meet(x: &Effects, y: &Effects) -> bool {
    let clash = |x: &Effects, y: &Effects| {
        x.writes.iter().any(|it| y.reads.contains(it) || y.writes.contains(it))
            || x.writes_memory && (y.reads_memory || y.writes_memory)
    };
    clash(x, y) || clash(y, x)
}
