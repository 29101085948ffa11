//! Which predicates refinement may choose from.
//!
//! First those that the text has: comparisons of the program in terms of the registers at some cut,
//! what registers are set to, results as sums of parameters. They are finitely many, so a refinement that gets along
//! with them ends (Jhala and McMillan, TACAS 2006, restrict the language for the same reason). Then
//! what the path at hand asks, what engine `kind` guesses, orders of two registers, and the constants
//! on the path.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hardbop_base::{Bits, Budget, Idx, IndexVec};
use hardbop_cir::analysis::Ranges;
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::{BinOp, BlockId, Expr, ExprId, FuncId, Op, Ty, VarId, VarKind};
use hardbop_kind::candidates::{Guesses, Stage, guess};
use hardbop_kind::loops::Loops;
use hardbop_kind::points::Seen;
use hardbop_kind::sample::sampled;
use hardbop_symbolic::region::At;

use crate::atoms::atoms;
use crate::cuts::{Cut, CutPoints, Place};
use crate::normal::Normal;
use crate::predicates::{Predicates, Scope};
use crate::regions::Region;
use crate::spread::{Texts, spread};
use crate::steps::walks;

/// Registers of a place that are compared with each other.
const MAX_PAIRED: usize = 14;
/// Nodes of a value that a predicate repeats.
const MAX_SIZE: usize = 6;

pub struct Candidates {
    live: BTreeMap<FuncId, IndexVec<BlockId, Bits>>,
    /// What the text says, by function.
    texts: Texts,
    /// What can be said of it at a place.
    text_at: BTreeMap<Place, Rc<BTreeSet<ExprId>>>,
    /// What engine `kind` guesses at the heads of loops, once somebody asks.
    guessed: Option<Guesses>,
}

impl Candidates {
    pub fn of(normal: &Normal, predicates: &mut Predicates) -> Candidates {
        let mut candidates = Candidates {
            live: BTreeMap::new(),
            texts: BTreeMap::new(),
            text_at: BTreeMap::new(),
            guessed: None,
        };
        let program = &normal.program;
        for (func, body) in program.funcs.iter_enumerated() {
            candidates.live.insert(func, live_in(program, body));
        }
        for (func, _, inst) in program.insts() {
            if let Op::Set { dst, value } = inst.op
                && candidates.is_said(normal, func, dst, value)
            {
                let read = predicates.pool.var(dst, program.vars[dst].ty);
                let is_set = predicates.pool.binary(BinOp::Eq, read, value);
                candidates.texts.entry(func).or_default().insert(is_set);
            }
        }
        walks(program, &mut predicates.pool, &mut candidates.texts);
        candidates
    }

    /// Whether an assignment is worth a predicate, which it makes true: constants, and what registers
    /// of the source, arguments and results are set to.
    fn is_said(&self, normal: &Normal, func: FuncId, dst: VarId, value: ExprId) -> bool {
        let program = &normal.program;
        let Ty::Int(_) = program.vars[dst].ty else { return false };
        let (mut size, mut is_own) = (0, false);
        program.exprs.visit(value, &mut |_, node| {
            size += 1;
            is_own |= node == Expr::Var(dst);
        });
        let is_constant = matches!(program.exprs.get(value), Expr::Int { .. });
        let is_passed = || normal.sites.values().any(|site| site.args.contains(&dst));
        let is_named = program.vars[dst].kind != VarKind::Temp || normal.results[func] == Some(dst);
        is_constant || (!is_own && size <= MAX_SIZE && (is_named || is_passed()))
    }

    /// Adds the comparisons of a stretch.
    pub fn add_region(
        &mut self,
        normal: &Normal,
        predicates: &mut Predicates,
        region: &mut Region,
    ) {
        let place = region.place;
        if place.cut == Cut::Start {
            return;
        }
        let vars: Vec<VarId> = self.readable(normal, place).into_iter().collect();
        let registers = region.registers(&vars, &mut predicates.pool);
        let mut roots = Vec::new();
        for exit in region.exits() {
            roots.push(region.guard(exit));
        }
        let terms = &mut region.executor.terms;
        let found = atoms(terms, &roots, &registers, &mut predicates.pool);
        self.texts.entry(place.func).or_default().extend(found);
    }

    /// Carries what was added over calls.
    pub fn spread(&mut self, normal: &Normal, cuts: &CutPoints, predicates: &mut Predicates) {
        spread(normal, cuts, predicates, &mut self.texts);
    }

    /// The registers a predicate at a place may speak of: what is still read, and what relates the
    /// function to its callers.
    pub fn readable(&self, normal: &Normal, place: Place) -> BTreeSet<VarId> {
        let program = &normal.program;
        let body = &program.funcs[place.func];
        let mut vars: BTreeSet<VarId> = program
            .vars
            .iter_enumerated()
            .filter(|it| it.1.owner.is_none())
            .map(|it| it.0)
            .collect();
        vars.extend(&body.params);
        let live = |block: BlockId| self.live[&place.func][block].iter().map(VarId::new);
        match place.cut {
            Cut::Start => {}
            Cut::Block(block) => vars.extend(live(block)),
            Cut::Call(at) | Cut::After(at) => {
                vars.extend(self.live_behind(normal, place.func, at));
                let site = &normal.sites[&(place.func, at)];
                vars.extend(&site.args);
                if matches!(place.cut, Cut::After(_)) {
                    vars.extend(site.result);
                }
            }
            Cut::Exit => vars.extend(normal.results[place.func]),
        }
        vars.retain(|&var| matches!(program.vars[var].ty, Ty::Int(_) | Ty::Ptr));
        vars
    }

    /// What is read behind an instruction before it is written.
    fn live_behind(&self, normal: &Normal, func: FuncId, at: At) -> BTreeSet<VarId> {
        let program = &normal.program;
        let block = &program.funcs[func].blocks[at.block];
        let mut live: BTreeSet<VarId> = BTreeSet::new();
        for to in block.term.successors() {
            live.extend(self.live[&func][to].iter().map(VarId::new));
        }
        let read = |live: &mut BTreeSet<VarId>, operand| {
            program.exprs.for_each_var(operand, &mut |var| {
                live.insert(var);
            });
        };
        block.term.operands().into_iter().for_each(|it| read(&mut live, it));
        for inst in block.insts[at.inst + 1..].iter().rev() {
            if let Some(dst) = inst.op.dst() {
                live.remove(&dst);
            }
            inst.op.operands().into_iter().for_each(|it| read(&mut live, it));
        }
        live.retain(|&var| program.vars[var].owner == Some(func));
        live
    }

    /// Candidates of the text that can be said at a place; to be asked after all stretches were added.
    pub fn text(
        &mut self,
        scope: &Scope,
        predicates: &mut Predicates,
        place: Place,
    ) -> Rc<BTreeSet<ExprId>> {
        if let Some(known) = self.text_at.get(&place) {
            return Rc::clone(known);
        }
        let readable = self.readable(scope.normal, place);
        let mut result = BTreeSet::new();
        for (&func, list) in &self.texts {
            let here = list.iter().copied().filter(|&it| {
                let is_here = func == place.func || predicates.is_global(scope.normal, it);
                is_here && predicates.vars(it).is_subset(&readable)
            });
            result.extend(here);
        }
        if let (Cut::Exit, Some(value)) = (place.cut, scope.normal.results[place.func]) {
            self.sums(scope, predicates, place.func, value, &mut result);
        }
        let result = Rc::new(result);
        self.text_at.insert(place, Rc::clone(&result));
        result
    }

    /// [`Candidates::text`], if it was asked for before.
    pub fn known_text(&self, place: Place) -> Option<Rc<BTreeSet<ExprId>>> {
        self.text_at.get(&place).cloned()
    }

    /// What engine `kind` would try as an invariant there: bounds, comparisons and the equations that
    /// all runs satisfied.
    pub fn guesses(
        &mut self,
        scope: &Scope,
        predicates: &mut Predicates,
        place: Place,
        budget: &Budget,
    ) -> Vec<ExprId> {
        let Cut::Block(block) = place.cut else { return Vec::new() };
        let guessed = self.guessed.get_or_insert_with(|| {
            let mut program = scope.normal.program.clone();
            program.exprs = predicates.pool.clone();
            let loops = Loops::of(&program);
            let seen = Seen::of(&program, &loops, budget);
            let mut all = sampled(&mut program, &loops, &seen);
            let ranges = Ranges::of(&program);
            for (head, list) in guess(&mut program, &loops, &ranges, &seen, Stage::Single) {
                all.entry(head).or_default().extend(list);
            }
            predicates.pool = program.exprs;
            all
        });
        let list = guessed.get(&(place.func, block)).cloned().unwrap_or_default();
        let readable = self.readable(scope.normal, place);
        list.into_iter().filter(|&it| predicates.vars(it).is_subset(&readable)).collect()
    }

    /// Orders of registers that can be read at a place.
    pub fn pairs(
        &self,
        scope: &Scope,
        predicates: &mut Predicates,
        place: Place,
    ) -> BTreeSet<ExprId> {
        let program = &scope.normal.program;
        let is_named = |var: &VarId| {
            let is_number = matches!(program.vars[*var].ty, Ty::Int(_));
            is_number
                && (program.vars[*var].kind != VarKind::Temp
                    || Some(*var) == scope.normal.results[place.func])
        };
        let readable = self.readable(scope.normal, place);
        let vars: Vec<VarId> = readable.into_iter().filter(is_named).take(MAX_PAIRED).collect();
        let mut result = BTreeSet::new();
        let pool = &mut predicates.pool;
        for (at, &a) in vars.iter().enumerate() {
            for &b in &vars[at + 1..] {
                if program.vars[a].ty != program.vars[b].ty {
                    continue;
                }
                let (x, y) = (pool.var(a, program.vars[a].ty), pool.var(b, program.vars[b].ty));
                result.insert(pool.binary(BinOp::Eq, x, y));
                let is_signed = program.vars[a].is_signed && program.vars[b].is_signed;
                let less = if is_signed { BinOp::Slt } else { BinOp::Ult };
                result.insert(pool.binary(less, x, y));
                result.insert(pool.binary(less, y, x));
            }
        }
        result
    }

    /// The result of a function as a parameter, or a sum, difference or product of two.
    fn sums(
        &self,
        scope: &Scope,
        predicates: &mut Predicates,
        func: FuncId,
        result: VarId,
        into: &mut BTreeSet<ExprId>,
    ) {
        let program = &scope.normal.program;
        let ty = program.vars[result].ty;
        let pool = &mut predicates.pool;
        let value = pool.var(result, ty);
        let params = &program.funcs[func].params;
        let params: Vec<ExprId> = params
            .iter()
            .filter(|&&it| program.vars[it].ty == ty)
            .map(|&it| pool.var(it, ty))
            .collect();
        for &a in &params {
            into.insert(pool.binary(BinOp::Eq, value, a));
            for &b in &params {
                if a != b {
                    for op in [BinOp::Add, BinOp::Sub, BinOp::Mul] {
                        let sum = pool.binary(op, a, b);
                        into.insert(pool.binary(BinOp::Eq, value, sum));
                    }
                }
            }
        }
    }
}
