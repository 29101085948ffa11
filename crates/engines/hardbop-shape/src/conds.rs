//! Conditions: what is known where a branch is taken, and whether a check holds.

use hardbop_base::Idx;
use hardbop_cir::analysis::holding::held_by_calls;
use hardbop_cir::{BinOp, CastOp, Cond, Expr, ExprId, Holder, ObjKind, Program, Ty, UnOp, VarKind};

use std::collections::BTreeSet;

use crate::eval::Need;
use crate::state::State;
use crate::value::{End, NodeId, Value, width_of};

impl State {
    /// Goes on where an `i1` has this value; `false` if it cannot.
    pub fn assume(&mut self, program: &Program, id: ExprId, wanted: bool) -> Result<bool, Need> {
        let pool = &program.exprs;
        match self.eval(program, id)? {
            Value::Int(it) => return Ok((it != 0) == wanted),
            Value::Sym(sym) if matches!(pool.get(id), Expr::Var(_)) => {
                self.fix(sym, u128::from(wanted));
                return Ok(true);
            }
            _ => {}
        }
        match pool.get(id) {
            Expr::Unary(UnOp::Not, a) => self.assume(program, a, !wanted),
            Expr::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                if (op == BinOp::And) == wanted {
                    return Ok(self.assume(program, a, wanted)? && self.assume(program, b, wanted)?);
                }
                // One of the two decides; if it cannot be this one, it is the other.
                for (x, y) in [(a, b), (b, a)] {
                    if self.eval(program, x)? == Value::truth(!wanted) {
                        return self.assume(program, y, wanted);
                    }
                }
                Ok(true)
            }
            Expr::Binary(op, a, b) => match (op, wanted) {
                (BinOp::Eq, _) => self.equal(program, a, b, wanted),
                (BinOp::Ne, _) => self.equal(program, a, b, !wanted),
                (BinOp::Slt | BinOp::Ult, true) => self.ordered(program, a, b, 1, op),
                (BinOp::Sle | BinOp::Ule, true) => self.ordered(program, a, b, 0, op),
                (BinOp::Slt | BinOp::Ult, false) => self.ordered(program, b, a, 0, op),
                (BinOp::Sle | BinOp::Ule, false) => self.ordered(program, b, a, 1, op),
                _ => Ok(true),
            },
            _ => Ok(true),
        }
    }

    fn equal(
        &mut self,
        program: &Program,
        a: ExprId,
        b: ExprId,
        wanted: bool,
    ) -> Result<bool, Need> {
        let pool = &program.exprs;
        for (x, y) in [(a, b), (b, a)] {
            // A truth value that was widened.
            if let (Expr::Cast(CastOp::Zext, _, inner), Some(number @ (0 | 1))) =
                (pool.get(x), pool.as_int(y))
                && pool.ty(inner) == Ty::BOOL
            {
                return self.assume(program, inner, (number == 1) == wanted);
            }
            if pool.ty(x) == Ty::BOOL
                && let Some(number) = pool.as_int(y)
            {
                return self.assume(program, x, (number == 1) == wanted);
            }
            let (Value::Sym(sym), Value::Int(number)) =
                (self.eval(program, x)?, self.eval(program, y)?)
            else {
                continue;
            };
            let Some(bounds) = self.bounds.get_mut(&sym) else { return Ok(true) };
            if wanted {
                let is_allowed = bounds.allows(number);
                self.fix(sym, number);
                return Ok(is_allowed);
            }
            bounds.exclude(number);
            return Ok(!self.settle(sym));
        }
        Ok(true)
    }

    /// `a + gap <= b`; of numbers that may be negative only if the comparison is signed.
    fn ordered(
        &mut self,
        program: &Program,
        a: ExprId,
        b: ExprId,
        gap: i128,
        op: BinOp,
    ) -> Result<bool, Need> {
        let Some(width) = width_of(program.exprs.ty(a)) else { return Ok(true) };
        let (x, y) = (self.eval(program, a)?, self.eval(program, b)?);
        let (low, high) = (self.bounds_of(x, width), self.bounds_of(y, width));
        let is_signed = matches!(op, BinOp::Slt | BinOp::Sle);
        if !is_signed && (low.low < 0 || high.low < 0) {
            return Ok(true);
        }
        for (value, is_low) in [(x, true), (y, false)] {
            let Value::Sym(sym) = value else { continue };
            let Some(bounds) = self.bounds.get_mut(&sym) else { continue };
            match is_low {
                true => bounds.high = bounds.high.min(high.high - gap),
                false => bounds.low = bounds.low.max(low.low + gap),
            }
            if self.settle(sym) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What became a constant is one; whether nothing is left.
    fn settle(&mut self, sym: u32) -> bool {
        let bounds = &self.bounds[&sym];
        if bounds.is_empty() {
            return true;
        }
        if let Some(only) = bounds.only() {
            let is_allowed = bounds.allows(only);
            self.fix(sym, only);
            return !is_allowed;
        }
        false
    }

    /// Whether a check holds in every state that this one stands for.
    pub fn holds(&mut self, program: &Program, cond: Cond) -> Result<bool, Need> {
        Ok(match cond {
            Cond::Holds(e) => matches!(self.eval(program, e)?, Value::Int(it) if it != 0),
            Cond::Fails => false,
            // With one thread nothing that is watched for can happen.
            Cond::Watched => true,
            Cond::NotNull(ptr) => matches!(self.eval(program, ptr)?, Value::Ptr(_)),
            Cond::Alive(ptr) => match self.eval(program, ptr)? {
                Value::Ptr(ptr) => self.nodes[&ptr.node].is_alive,
                Value::Int(_) | Value::Func(_) => true,
                Value::Sym(_) | Value::Any => false,
            },
            Cond::InBounds { ptr, size } => {
                match (self.eval(program, ptr)?, self.eval(program, size)?) {
                    (Value::Ptr(ptr), Value::Int(size)) => {
                        let node = &self.nodes[&ptr.node];
                        let size = u64::try_from(size).unwrap_or(u64::MAX);
                        !node.is_alive || node.has(ptr.offset, size)
                    }
                    (Value::Int(_) | Value::Func(_), _) => true,
                    _ => false,
                }
            }
            Cond::Writable(ptr) => match self.eval(program, ptr)? {
                Value::Ptr(ptr) => !self.nodes[&ptr.node].is_const,
                Value::Int(_) | Value::Func(_) => true,
                Value::Sym(_) | Value::Any => false,
            },
            Cond::Freeable(ptr) => {
                let value = self.eval(program, ptr)?;
                self.is_freeable(value)
            }
            Cond::Apart { a, b, .. } => match (self.eval(program, a)?, self.eval(program, b)?) {
                (Value::Ptr(a), Value::Ptr(b)) => a.node != b.node,
                _ => false,
            },
            // Soundness: what the library keeps for itself counts as the program's here.
            Cond::NoLeak(Holder::System) => {
                !self.has_lost && self.nodes.values().all(|it| !(it.is_heap && it.is_alive))
            }
            Cond::NoLeak(holder) => self.has_no_leak(program, holder),
            Cond::Written { .. } => false,
        })
    }

    pub fn is_freeable(&self, value: Value) -> bool {
        match value {
            Value::Int(number) => number == 0,
            Value::Ptr(ptr) => {
                let node = &self.nodes[&ptr.node];
                node.is_heap && node.is_alive && ptr.offset == 0
            }
            _ => false,
        }
    }

    /// Whether pointers lead to all live memory of the heap from what is global, or is declared in a running call.
    fn has_no_leak(&mut self, program: &Program, holder: Holder) -> bool {
        self.collect();
        let mut todo: Vec<(NodeId, End)> = Vec::new();
        for (var, value) in &self.globals {
            let info = &program.vars[*var];
            if info.kind != VarKind::Ghost && info.ty == Ty::Ptr {
                todo.extend(value.pointer().map(|it| (it.node, it.end)));
            }
        }
        let is_static = |it: &&_| matches!(program.objects[**it].kind, ObjKind::Global);
        let statics = self.statics.keys().filter(is_static).map(|it| self.statics[it]);
        todo.extend(statics.map(|it| (it, End::First)));
        if holder == Holder::Calls {
            let held = held_by_calls(program);
            for frame in &self.frames {
                let registers = frame.registers.iter().filter(|it| held.contains(it.0.index()));
                let pointers = registers.filter_map(|it| it.1.pointer());
                todo.extend(pointers.map(|it| (it.node, it.end)));
                todo.extend(frame.objects.values().map(|&it| (it, End::First)));
            }
        }
        let mut reached: BTreeSet<NodeId> = BTreeSet::new();
        while let Some((id, end)) = todo.pop() {
            let Some(node) = self.nodes.get(&id).filter(|it| it.is_alive) else { continue };
            // Soundness: from the last element one comes to the others only where links lead back.
            if end == End::Last && node.segment.as_ref().is_some_and(|it| it.prev.is_none()) {
                continue;
            }
            if reached.insert(id) {
                // Soundness: an address that is a number holds nothing. A segment's links are pointers.
                let fields = node.fields.values().filter(|it| it.0 == Ty::Ptr);
                todo.extend(fields.filter_map(|it| it.1.pointer()).map(|it| (it.node, it.end)));
                let owns =
                    |it: &crate::state::Segment| it.colours.iter().any(|c| !c.inner.is_empty());
                if node.segment.as_ref().is_some_and(|it| owns(it)) {
                    return false;
                }
            }
        }
        !self.has_lost
            && self
                .nodes
                .iter()
                .all(|(id, it)| !(it.is_heap && it.is_alive) || reached.contains(id))
    }
}
