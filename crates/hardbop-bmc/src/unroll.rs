//! The unrolling of a program up to a bound: one symbolic state per instance of a block, merged
//! where paths meet (FS section III; the merging is that of Kuznetsov et al., PLDI 2012, at every
//! join). Calls are unrolled in place.
//!
//! What it collects says everything about the executions within the bound: where checks fail, where
//! a path was given up because something is not modelled, and where the bound cut it. If the last
//! two cannot be reached, nothing was left out.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::{Budget, Exhausted, Idx, IndexVec, Name};
use hardbop_cir::{BlockId, CheckId, Class, FuncId, ObjId, ObjKind, Program, VarId};
use hardbop_smt::{Answer, Solver, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::layout::Content;
use crate::objects::initial_of;
use crate::order::{Key, Order};
use crate::state::{Guard, State, merge};
use crate::value::{Base, Pointer, Value, pointer};

/// Where the bound cut a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cut {
    pub func: FuncId,
    /// The head of the loop; `None` for recursion.
    pub head: Option<BlockId>,
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
    /// `None` for pointers.
    pub term: Option<TermId>,
    pub is_input: bool,
}

pub(crate) struct Frame {
    pub func: FuncId,
    pub initial: FxHashMap<usize, Value>,
}

/// How often a loop was entered since it was reached from outside. A round in which no path leaves
/// the loop is decided: it will end by itself, and does not count against the bound.
#[derive(Default)]
struct Rounds {
    guard: Option<TermId>,
    is_left: bool,
    n_open: u32,
    n_decided: u32,
}

/// Rounds of a loop whose conditions are all decided, for each round of the bound.
const DECIDED_ROUNDS: u32 = 256;
const MIN_DECIDED: u32 = 4096;

pub struct Unroller<'a> {
    pub(crate) program: &'a Program,
    pub(crate) classes: &'a [Class],
    budget: &'a Budget,
    bound: u32,
    pub terms: Terms,
    pub solver: Solver,
    pub(crate) slots: IndexVec<VarId, usize>,
    pub(crate) registers: IndexVec<FuncId, Vec<VarId>>,
    orders: FxHashMap<FuncId, Rc<Order>>,
    pub(crate) frames: Vec<Frame>,
    depth: IndexVec<FuncId, u32>,
    pub(crate) instances: Vec<Instance>,
    pub(crate) statics: FxHashMap<ObjId, u32>,
    pub(crate) addresses: FxHashMap<Base, TermId>,
    pub(crate) pointer_of: FxHashMap<TermId, Pointer>,
    /// Numbers of `f32` with the same value as `f64`, both ways.
    pub(crate) wide: FxHashMap<TermId, TermId>,
    pub(crate) slim: FxHashMap<TermId, TermId>,
    pub(crate) inputs: Vec<Input>,
    /// Where checks fail.
    pub fails: Vec<(CheckId, TermId)>,
    /// Checks that are not modelled, where they are reached.
    pub unasked: Vec<(CheckId, TermId)>,
    pub given_up: Vec<(Name, TermId)>,
    pub cuts: Vec<(Cut, TermId)>,
}

impl<'a> Unroller<'a> {
    pub fn new(program: &'a Program, classes: &'a [Class], bound: u32, budget: &'a Budget) -> Self {
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
            bound,
            terms: Terms::new(),
            solver: Solver::default(),
            slots,
            registers,
            orders: FxHashMap::default(),
            frames: Vec::new(),
            depth: IndexVec::from_elem(0, program.funcs.len()),
            instances: Vec::new(),
            statics: FxHashMap::default(),
            addresses: FxHashMap::default(),
            pointer_of: FxHashMap::default(),
            wide: FxHashMap::default(),
            slim: FxHashMap::default(),
            inputs: Vec::new(),
            fails: Vec::new(),
            unasked: Vec::new(),
            given_up: Vec::new(),
            cuts: Vec::new(),
        }
    }

    pub fn run(&mut self) -> Result<(), Exhausted> {
        let program = self.program;
        let n_vars = program.vars.len();
        let mut state = State {
            guard: Guard::default(),
            globals: vec![None; n_vars],
            locals: Vec::new(),
            objects: BTreeMap::new(),
            memory: Vec::new(),
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
        let params = &program.funcs[program.main].params;
        // The interpreter gives 0: a violation that needs other arguments is not confirmed.
        let args = params.iter().map(|&it| self.unknown(program.vars[it].ty)).collect();
        self.call(program.main, args, state)?;
        Ok(())
    }

    /// Runs a function to its return; `None` if it does not return.
    pub(crate) fn call(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        mut state: State,
    ) -> Result<Option<(State, Option<Value>)>, Exhausted> {
        if self.depth[func] > 0
            && !self.may_go_on(&state, self.depth[func], Cut { func, head: None })?
        {
            return Ok(None);
        }
        self.depth[func] += 1;
        let n = self.registers[func].len();
        let mut locals = vec![None; n + 1];
        for (&param, arg) in self.program.funcs[func].params.iter().zip(args) {
            locals[self.slots[param]] = Some(arg);
        }
        let saved =
            (std::mem::replace(&mut state.locals, locals), std::mem::take(&mut state.objects));
        self.frames.push(Frame { func, initial: FxHashMap::default() });
        let result = stacker::maybe_grow(256 << 10, 8 << 20, || self.body(func, state));
        self.frames.pop();
        self.depth[func] -= 1;
        let Some(mut state) = result? else { return Ok(None) };
        let objects: Vec<Pointer> = state.objects.values().cloned().collect();
        objects.iter().for_each(|it| self.kill(&mut state, it));
        let value = state.locals[n].take();
        (state.locals, state.objects) = saved;
        Ok(Some((state, value)))
    }

    fn order(&mut self, func: FuncId) -> Rc<Order> {
        let program = self.program;
        let order = self.orders.entry(func);
        order.or_insert_with(|| Rc::new(Order::of(&program.funcs[func]))).clone()
    }

    fn body(&mut self, func: FuncId, state: State) -> Result<Option<State>, Exhausted> {
        let order = self.order(func);
        let mut pending: BTreeMap<Key, (BlockId, State)> = BTreeMap::new();
        pending.insert(order.entry(), (BlockId::new(0), state));
        let mut rounds: FxHashMap<BlockId, Rounds> = FxHashMap::default();
        let mut exit: Option<State> = None;
        while let Some((key, (block, state))) = pending.pop_first() {
            self.budget.check()?;
            if order.places[block].heads.last() == Some(&block) {
                let entered = rounds.entry(block).or_default();
                if key[key.len() - 2] == 0 {
                    *entered = Rounds::default();
                }
                entered.guard = Some(state.guard.term(&mut self.terms));
                entered.is_left = false;
            }
            let Some(state) = self.insts(func, block, state)? else { continue };
            for (to, state) in self.leave(func, block, state) {
                let Some(to) = to else {
                    for head in &order.places[block].heads {
                        rounds.entry(*head).or_default().is_left = true;
                    }
                    exit = Some(match exit.take() {
                        None => state,
                        Some(before) => self.join(before, state),
                    });
                    continue;
                };
                for head in order.left(block, to) {
                    rounds.entry(head).or_default().is_left = true;
                }
                let (next, is_back) = order.follow(block, &key, to);
                if is_back && !pending.contains_key(&next) {
                    let guard = state.guard.term(&mut self.terms);
                    let round = rounds.entry(to).or_default();
                    let is_decided =
                        round.guard == Some(guard) || (order.has_exit[to] && !round.is_left);
                    round.n_open += u32::from(!is_decided);
                    round.n_decided += u32::from(is_decided);
                    let (n_open, n_decided) = (round.n_open, round.n_decided);
                    let most = self.bound.saturating_mul(DECIDED_ROUNDS).max(MIN_DECIDED);
                    let cut = Cut { func, head: Some(to) };
                    if is_decided && n_decided > most {
                        self.cuts.push((cut, guard));
                        continue;
                    }
                    if !is_decided && !self.may_go_on(&state, n_open, cut)? {
                        continue;
                    }
                }
                let state = match pending.remove(&next) {
                    None => state,
                    Some((_, before)) => self.join(before, state),
                };
                pending.insert(next, (to, state));
            }
        }
        Ok(exit)
    }

    /// Asks whether the path exists at all, then whether the bound lets it go on.
    fn may_go_on(&mut self, state: &State, n: u32, cut: Cut) -> Result<bool, Exhausted> {
        let guard = state.guard.term(&mut self.terms);
        if self.terms.as_const(guard) != Some(1) {
            let short = self.budget.clone().with_time(self.short());
            match self.solver.check(&mut self.terms, &[guard], &short) {
                Answer::Unsat(_) => return Ok(false),
                Answer::Sat => {}
                Answer::Unknown(_) => self.budget.check()?,
            }
        }
        if n >= self.bound {
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

    fn join(&mut self, a: State, b: State) -> State {
        let (program, ptr_bits) = (self.program, self.program.ptr_bits);
        let (terms, registers) = (&mut self.terms, &self.registers);
        let Some(frame) = self.frames.last_mut() else { unreachable!("a call is running") };
        merge(terms, ptr_bits, a, b, &mut |terms, slot| {
            initial_of(terms, program, registers, frame, slot, ptr_bits)
        })
    }
}
