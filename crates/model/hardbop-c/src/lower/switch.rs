//! `switch`, its cases and where it jumps to.

use hardbop_base::Span;
use hardbop_cir::{BinOp, BlockId, ExprId, ObjId, Op, Term};
use hardbop_diag::codes;
use rustc_hash::FxHashSet;

use super::Lowered;
use super::state::{Lower, Switch};
use crate::syntax::ast::{Expr, Stmt};

/// Cases of a range that are written out; longer ranges become comparisons.
const RANGE_CASES: u128 = 64;

impl Lower<'_> {
    pub fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) -> Lowered<()> {
        let value_span = value.span;
        let value = self.rvalue(value)?;
        if !value.ctype.is_integer() {
            return self.error(codes::c::TYPE, value_span, "a switch is on an integer");
        }
        let ctype = self.types.promoted(&value.ctype);
        let value = self.convert(&value, &ctype, value_span)?;
        let value = self.scalar(&value, value_span)?;
        let (dispatch, after) = (self.new_block(), self.new_block());
        // Finished now, so that what is read in the dispatch is what was there before the body.
        self.finish(Term::Goto(dispatch), span);
        let mark = self.func.live.len();
        self.func.breaks.push((after, mark));
        self.func.switches.push(Switch {
            ctype,
            cases: Vec::new(),
            taken: FxHashSet::default(),
            ranges: Vec::new(),
            default: None,
            mark,
            n_registers: self.func.registers.len(),
        });
        let result = self.substatement(body);
        self.func.breaks.pop();
        let switch = self.func.switches.pop();
        result?;
        self.goto(after, span);
        let Some(switch) = switch else { return Ok(()) };
        self.begin(dispatch);
        self.dispatch(value, switch, after, value_span);
        self.begin(after);
        Ok(())
    }

    fn dispatch(&mut self, value: ExprId, switch: Switch, after: BlockId, span: Span) {
        let is_signed = switch.ctype.is_signed();
        for (low, high, block) in switch.ranges {
            let width = self.int_bits(&switch.ctype);
            let op = if is_signed { BinOp::Sle } else { BinOp::Ule };
            let (low, high) =
                (self.program.exprs.int(width, low), self.program.exprs.int(width, high));
            let above = self.program.exprs.binary(op, low, value);
            let below = self.program.exprs.binary(op, value, high);
            let inside = self.program.exprs.binary(BinOp::And, above, below);
            let next = self.new_block();
            self.branch(inside, block, next, span);
            self.begin(next);
        }
        let default = switch.default.unwrap_or(after);
        if let Some(known) = self.program.exprs.as_int(value) {
            let to = switch.cases.iter().find(|it| it.0 == known).map_or(default, |it| it.1);
            return self.finish(Term::Goto(to), span);
        }
        let term = match switch.cases.is_empty() {
            true => Term::Goto(default),
            false => Term::Switch { value, cases: switch.cases, default },
        };
        self.finish(term, span);
    }

    /// Begins the block of a `case` and returns where the switch jumps to: past the declarations
    /// of objects that are in scope here, whose life begins with the scope (C11 6.2.4).
    pub fn switch_target(&mut self, span: Span) -> Lowered<BlockId> {
        let block = self.new_block();
        let (mark, n_registers) =
            self.func.switches.last().map_or((0, 0), |it| (it.mark, it.n_registers));
        let skipped: Vec<ObjId> = self.func.live[mark..].to_vec();
        let passed = self.func.registers[n_registers..].to_vec();
        if skipped.is_empty() && passed.is_empty() {
            self.goto(block, span);
            return Ok(block);
        }
        self.no_variable_length(&skipped, span)?;
        let way_in = self.new_block();
        self.finish(Term::Goto(block), span);
        self.begin(way_in);
        for object in skipped {
            self.emit(Op::Enter { object, size: None }, span);
        }
        for inst in self.without_values(passed, span) {
            self.emit(inst.op, span);
        }
        self.goto(block, span);
        Ok(way_in)
    }

    pub fn case(&mut self, low: &Expr, high: Option<&Expr>, span: Span) -> Lowered<()> {
        let block = self.switch_target(span)?;
        let Some(switch) = self.func.switches.last() else {
            return self.error(codes::c::SYNTAX, span, "`case` belongs into a switch");
        };
        let (width, is_signed) = (self.int_bits(&switch.ctype), switch.ctype.is_signed());
        let from = self.const_int(low)?;
        let to = high.map_or(Ok(from), |high| self.const_int(high))?;
        let cut = |value: i128| value as u128 & hardbop_cir::eval::mask(width);
        let in_order = match is_signed {
            true => {
                hardbop_cir::eval::signed(cut(from), width)
                    <= hardbop_cir::eval::signed(cut(to), width)
            }
            false => cut(from) <= cut(to),
        };
        let mut repeated = false;
        if let Some(switch) = self.func.switches.last_mut().filter(|_| in_order) {
            let n = to.wrapping_sub(from) as u128;
            if n < RANGE_CASES {
                for value in (0..=n).map(|at| cut(from.wrapping_add(at as i128))) {
                    repeated |= !switch.taken.insert(value);
                    switch.cases.push((value, block));
                }
            } else {
                switch.ranges.push((cut(from), cut(to), block));
            }
        }
        match repeated {
            true => {
                self.error(codes::c::REDEFINED, low.span, "this case stands twice in the switch")
            }
            false => Ok(()),
        }
    }
}
