//! The unrolling of a program up to a bound: one symbolic state per instance of a block, merged
//! where paths meet (FS section III; the merging is that of Kuznetsov et al., PLDI 2012, at every
//! join). Calls are unrolled in place.
//!
//! What it collects says everything about the executions within the bound: where checks fail, where
//! a path was given up because something is not modelled, and where the bound cut it. If the last
//! two cannot be reached, nothing was left out.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::{Bits, Budget, Exhausted, Idx, IndexVec, Name};
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::{BlockId, CheckId, Class, FuncId, ObjId, ObjKind, Program, VarId};
use hardbop_smt::{Answer, Solver, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::chunks::Chunks;
use crate::induct::{Entries, Induction, Obligation, Phase};
use crate::layout::Content;
use crate::objects::initial_of;
use crate::order::{Key, Order};
use crate::state::{Guard, State, merge};
use crate::value::{Base, Pointer, Value, pointer};

/// A loop or a recursion, where a bound may cut a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cut {
    pub func: FuncId,
    /// The head of the loop; `None` for recursion.
    pub head: Option<BlockId>,
}

/// How often each loop goes round and each function calls itself.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub least: u32,
    pub more: BTreeMap<Cut, u32>,
}

impl Bounds {
    pub fn of(&self, cut: Cut) -> u32 {
        self.more.get(&cut).copied().unwrap_or(self.least)
    }

    pub fn largest(&self) -> u32 {
        self.more.values().copied().max().unwrap_or(self.least).max(self.least)
    }
}

pub(crate) struct Instance {
    pub object: ObjId,
    /// Bytes, as wide as a pointer.
    pub size: TermId,
    pub is_heap: bool,
    pub is_const: bool,
}

/// An arbitrary value an execution asks for, in the order of execution on each path.
pub(crate) struct Input {
    pub guard: TermId,
    /// The register it goes to.
    pub var: VarId,
    /// `None` for pointers.
    pub term: Option<TermId>,
    pub is_input: bool,
}

pub(crate) struct Frame {
    pub func: FuncId,
    pub initial: FxHashMap<usize, Value>,
}

/// How often a loop was entered since it was reached from outside. A round in which no path leaves
/// the loop is decided: it goes on by itself and costs only a part of the bound. One without any
/// open branch is a run like the interpreter's and costs almost nothing.
#[derive(Default)]
struct Rounds {
    guard: Option<TermId>,
    n_splits: u64,
    is_left: bool,
    /// In parts of a round of the bound.
    spent: u64,
}

/// Parts of a round that each kind of round costs.
const OPEN: u64 = 1 << 16;
const DECIDED: u64 = OPEN / 16;
const PLAIN: u64 = 1;
/// Rounds of these kinds that are always allowed.
const FREE: u64 = 64 * DECIDED;

pub struct Unroller<'a> {
    pub(crate) program: &'a Program,
    pub(crate) classes: &'a [Class],
    pub(crate) budget: &'a Budget,
    bounds: &'a Bounds,
    pub terms: Terms,
    pub solver: Solver,
    pub(crate) slots: IndexVec<VarId, usize>,
    pub(crate) registers: IndexVec<FuncId, Vec<VarId>>,
    orders: FxHashMap<FuncId, Rc<Order>>,
    /// What may still be read at each block, for functions where paths met.
    live: FxHashMap<FuncId, IndexVec<BlockId, Bits>>,
    pub(crate) frames: Vec<Frame>,
    depth: IndexVec<FuncId, u32>,
    pub(crate) instances: Vec<Instance>,
    pub(crate) statics: FxHashMap<ObjId, u32>,
    pub(crate) addresses: FxHashMap<Base, TermId>,
    /// Instances with an address among them, in the order they were asked for.
    pub(crate) addressed: Vec<u32>,
    pub(crate) pointer_of: FxHashMap<TermId, Pointer>,
    /// Numbers of `f32` with the same value as `f64`, both ways.
    pub(crate) wide: FxHashMap<TermId, TermId>,
    pub(crate) slim: FxHashMap<TermId, TermId>,
    /// Branches that went both ways.
    pub(crate) n_splits: u64,
    pub(crate) inputs: Vec<Input>,
    /// Where checks fail.
    pub fails: Vec<(CheckId, TermId)>,
    /// Checks that are not modelled, where they are reached.
    pub unasked: Vec<(CheckId, TermId)>,
    /// Where checks are reached, if that is asked for.
    pub visits: Option<Vec<(CheckId, TermId)>>,
    pub given_up: Vec<(Name, TermId)>,
    pub cuts: Vec<(Cut, TermId)>,
    pub(crate) induction: Option<Induction<'a>>,
    /// States may have forgotten where a pointer points.
    pub(crate) forgets: bool,
    /// What goes wrong is taken not to.
    pub(crate) assuming: bool,
    pub obligations: Vec<Obligation>,
}

impl<'a> Unroller<'a> {
    pub fn new(
        program: &'a Program,
        classes: &'a [Class],
        bounds: &'a Bounds,
        budget: &'a Budget,
    ) -> Self {
        let mut registers: IndexVec<FuncId, Vec<VarId>> =
            IndexVec::from_elem(Vec::new(), program.funcs.len());
        let mut slots = IndexVec::from_elem(0, program.vars.len());
        for (id, var) in program.vars.iter_enumerated() {
            if let Some(owner) = var.owner {
                slots[id] = registers[owner].len();
                registers[owner].push(id);
            }
        }
        Unroller {
            program,
            classes,
            budget,
            bounds,
            terms: Terms::new(),
            solver: Solver::default(),
            slots,
            registers,
            orders: FxHashMap::default(),
            live: FxHashMap::default(),
            frames: Vec::new(),
            depth: IndexVec::from_elem(0, program.funcs.len()),
            instances: Vec::new(),
            statics: FxHashMap::default(),
            addresses: FxHashMap::default(),
            addressed: Vec::new(),
            pointer_of: FxHashMap::default(),
            wide: FxHashMap::default(),
            slim: FxHashMap::default(),
            n_splits: 0,
            inputs: Vec::new(),
            fails: Vec::new(),
            unasked: Vec::new(),
            visits: None,
            given_up: Vec::new(),
            cuts: Vec::new(),
            induction: None,
            forgets: false,
            assuming: false,
            obligations: Vec::new(),
        }
    }

    pub fn run(&mut self) -> Result<(), Exhausted> {
        let program = self.program;
        let state = self.first_state();
        let params = &program.funcs[program.main].params;
        // The interpreter gives 0: a violation that needs other arguments is not confirmed.
        let args = params.iter().map(|&it| self.unknown(program.vars[it].ty)).collect();
        self.call(program.main, args, state)?;
        Ok(())
    }

    /// Global objects and registers with their first values.
    pub(crate) fn first_state(&mut self) -> State {
        let program = self.program;
        let n_vars = program.vars.len();
        let mut state = State {
            guard: Guard::default(),
            globals: Chunks::from_elem(None, n_vars),
            locals: Chunks::default(),
            objects: Rc::default(),
            memory: Chunks::default(),
        };
        for (id, object) in program.objects.iter_enumerated() {
            if object.kind == ObjKind::Global {
                let size = self.bytes(object.size.unwrap_or(0));
                let instance = self.create(&mut state, id, size, Content::Zero);
                self.statics.insert(id, instance);
            }
        }
        for (id, object) in program.objects.iter_enumerated() {
            for init in &object.init {
                let value = self.eval(&state, init.value);
                let offset = self.bytes(init.offset);
                let to = pointer(&mut self.terms, Base::Instance(self.statics[&id]), offset);
                self.store(&mut state, &to, &value, program.exprs.ty(init.value));
            }
        }
        for (id, var) in program.vars.iter_enumerated() {
            if var.owner.is_none() {
                let value = match var.init {
                    Some(init) => self.eval(&state, init),
                    None => self.zero(var.ty),
                };
                state.globals[id.index()] = Some(value);
            }
        }
        state
    }

    /// Runs a function to its return; `None` if it does not return.
    pub(crate) fn call(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        mut state: State,
    ) -> Result<Option<(State, Option<Value>)>, Exhausted> {
        let cut = Cut { func, head: None };
        let depth = self.depth[func];
        if depth > 0 && !self.may_go_on(&state, depth >= self.bounds.of(cut), cut)? {
            return Ok(None);
        }
        self.depth[func] += 1;
        let n = self.registers[func].len();
        let mut locals = Chunks::from_elem(None, n + 1);
        for (&param, arg) in self.program.funcs[func].params.iter().zip(args) {
            locals[self.slots[param]] = Some(arg);
        }
        let saved =
            (std::mem::replace(&mut state.locals, locals), std::mem::take(&mut state.objects));
        self.frames.push(Frame { func, initial: FxHashMap::default() });
        let result = hardbop_base::stack::maybe_grow(256 << 10, 8 << 20, || self.body(func, state));
        self.frames.pop();
        self.depth[func] -= 1;
        let Some(mut state) = result? else { return Ok(None) };
        let objects: Vec<Pointer> = state.objects.values().cloned().collect();
        objects.iter().for_each(|it| self.kill(&mut state, it));
        let value = state.locals[n].take();
        (state.locals, state.objects) = saved;
        Ok(Some((state, value)))
    }

    pub(crate) fn order(&mut self, func: FuncId) -> Rc<Order> {
        let program = self.program;
        let order = self.orders.entry(func);
        order.or_insert_with(|| Rc::new(Order::of(&program.funcs[func]))).clone()
    }

    fn body(&mut self, func: FuncId, state: State) -> Result<Option<State>, Exhausted> {
        let order = self.order(func);
        let mut pending: BTreeMap<Key, (BlockId, State)> = BTreeMap::new();
        pending.insert(order.entry(), (BlockId::new(0), state));
        let mut rounds: FxHashMap<BlockId, Rounds> = FxHashMap::default();
        let mut entries = Entries::default();
        let mut exit: Option<State> = None;
        let is_assumed_call = self.assuming;
        while let Some((key, (block, mut state))) = pending.pop_first() {
            self.budget.check()?;
            let heads = &order.places[block].heads;
            if heads.last() == Some(&block) {
                let visit = key[key.len() - 2];
                let entered = rounds.entry(block).or_default();
                if visit == 0 {
                    *entered = Rounds::default();
                }
                entered.guard = Some(state.guard.term(&mut self.terms));
                entered.n_splits = self.n_splits;
                entered.is_left = false;
                if self.induction.is_some() {
                    let outer = visits(&key).take(heads.len() - 1);
                    self.assuming = is_assumed_call || self.is_assumed(outer);
                    entries.note(block, visit, &state);
                    state = self.visit_head((func, block), visit, state, entries.get(block));
                }
            }
            self.assuming = is_assumed_call || self.is_assumed(visits(&key));
            let Some(state) = self.insts(func, block, state)? else { continue };
            for (to, state) in self.leave(func, block, state) {
                let left: Vec<BlockId> = match to {
                    Some(to) => order.left(block, to).collect(),
                    None => heads.clone(),
                };
                left.iter().for_each(|head| rounds.entry(*head).or_default().is_left = true);
                // The loops left are the innermost ones.
                if self.is_assumed(visits(&key).skip(heads.len() - left.len())) {
                    continue;
                }
                let Some(to) = to else {
                    exit = Some(match exit.take() {
                        None => state,
                        Some(before) => self.join(before, state, None),
                    });
                    continue;
                };
                let (next, is_back) = order.follow(block, &key, to);
                if is_back && self.induction.is_some() {
                    let visit = next[next.len() - 2] - 1;
                    if self.phase(visit) == Some(Phase::Last) {
                        let depth = order.places[to].heads.len();
                        let outer = visits(&key).take(depth - 1);
                        self.assuming = is_assumed_call || self.is_assumed(outer);
                        self.end_loop((func, to), state);
                        continue;
                    }
                } else if is_back && !pending.contains_key(&next) {
                    let round = rounds.entry(to).or_default();
                    if !self.goes_round(&order, func, to, round, &state)? {
                        continue;
                    }
                }
                let state = match pending.remove(&next) {
                    None => state,
                    Some((_, before)) => self.join(before, state, Some((func, to))),
                };
                pending.insert(next, (to, state));
            }
        }
        self.assuming = is_assumed_call;
        Ok(exit)
    }

    fn phase(&self, visit: u32) -> Option<Phase> {
        self.induction.as_ref().map(|it| it.phase(visit))
    }

    /// Whether a path may come to the head once more, by the bound and, where that is open, at all.
    fn goes_round(
        &mut self,
        order: &Order,
        func: FuncId,
        head: BlockId,
        round: &mut Rounds,
        state: &State,
    ) -> Result<bool, Exhausted> {
        let guard = state.guard.term(&mut self.terms);
        let cut = Cut { func, head: Some(head) };
        let is_decided = round.guard == Some(guard) || (order.has_exit[head] && !round.is_left);
        let is_plain = is_decided && round.n_splits == self.n_splits;
        round.spent += match (is_plain, is_decided) {
            (true, _) => PLAIN,
            (_, true) => DECIDED,
            _ => OPEN,
        };
        let allowed = u64::from(self.bounds.of(cut)) * OPEN;
        let is_last = match is_decided {
            true => round.spent > allowed.max(FREE),
            false => round.spent >= allowed,
        };
        if is_decided && !is_last {
            return Ok(true);
        }
        self.may_go_on(state, is_last, cut)
    }

    /// Asks whether the path exists at all, then whether the bound lets it go on.
    fn may_go_on(&mut self, state: &State, is_last: bool, cut: Cut) -> Result<bool, Exhausted> {
        let guard = state.guard.term(&mut self.terms);
        if self.terms.as_const(guard) != Some(1) {
            let short = self.budget.clone().with_time(self.short());
            match self.solver.check(&mut self.terms, &[guard], &short) {
                Answer::Unsat(_) => return Ok(false),
                Answer::Sat => {}
                Answer::Unknown(_) => self.budget.check()?,
            }
        }
        if is_last {
            self.cuts.push((cut, guard));
            return Ok(false);
        }
        Ok(true)
    }

    /// The time for a question whose answer only saves work.
    fn short(&self) -> std::time::Duration {
        let most = std::time::Duration::from_millis(500);
        self.budget.time_left().map_or(most, |left| (left / 10).min(most))
    }

    /// At a block, or where the function returns.
    fn join(&mut self, a: State, b: State, at: Option<(FuncId, BlockId)>) -> State {
        let (program, ptr_bits) = (self.program, self.program.ptr_bits);
        if let Some((func, _)) = at {
            let live = self.live.entry(func);
            live.or_insert_with(|| live_in(program, &program.funcs[func]));
        }
        let live = at.map(|(func, block)| &self.live[&func][block]);
        let (terms, registers) = (&mut self.terms, &self.registers);
        let Some(frame) = self.frames.last_mut() else { unreachable!("a call is running") };
        let registers_here = &registers[frame.func];
        let is_live = |slot: usize| match registers_here.get(slot) {
            Some(var) => live.is_some_and(|it| it.contains(var.index())),
            // The value the function returns.
            None => true,
        };
        merge(terms, ptr_bits, a, b, &is_live, &mut |terms, slot| {
            initial_of(terms, program, registers, frame, slot, ptr_bits)
        })
    }
}

/// How often the loops around an instance have been visited before, outermost first.
fn visits(key: &[u32]) -> impl Iterator<Item = u32> + '_ {
    key.chunks_exact(2).map(|it| it[1])
}
