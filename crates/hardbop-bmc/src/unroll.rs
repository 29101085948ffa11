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
use hardbop_cir::{
    BlockId, Callee, CheckId, Class, FuncId, ObjId, ObjKind, Op, Program, Source, Stop, Term, Ty,
    VarId,
};
use hardbop_smt::{Answer, Solver, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::layout::{Content, Layout};
use crate::order::{Key, Order};
use crate::state::{Guard, Slot, State, merge};
use crate::value::{Base, Pointer, Value, null, pointer, width_of};

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
    func: FuncId,
    initial: FxHashMap<usize, Value>,
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

/// Bytes an instance of unknown size has cells for.
const UNKNOWN_EXTENT: u64 = 1 << 40;
/// Rounds of a loop whose conditions are all decided, for each round of the bound.
const DECIDED_ROUNDS: u32 = 256;
const MIN_DECIDED: u32 = 4096;

pub struct Unroller<'a> {
    pub(crate) program: &'a Program,
    classes: &'a [Class],
    budget: &'a Budget,
    bound: u32,
    pub terms: Terms,
    pub solver: Solver,
    slots: IndexVec<VarId, usize>,
    registers: IndexVec<FuncId, Vec<VarId>>,
    orders: FxHashMap<FuncId, Rc<Order>>,
    frames: Vec<Frame>,
    depth: IndexVec<FuncId, u32>,
    pub(crate) instances: Vec<Instance>,
    statics: FxHashMap<ObjId, u32>,
    addresses: FxHashMap<Base, TermId>,
    pub(crate) pointer_of: FxHashMap<TermId, Pointer>,
    /// Numbers of `f32` with the same value as `f64`, both ways.
    wide: FxHashMap<TermId, TermId>,
    slim: FxHashMap<TermId, TermId>,
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

    pub(crate) fn bytes(&mut self, n: u64) -> TermId {
        self.terms.constant(u32::from(self.program.ptr_bits), u128::from(n))
    }

    pub(crate) fn null(&mut self) -> Pointer {
        null(&mut self.terms, self.program.ptr_bits)
    }

    fn zero(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Ptr => Value::Ptr(self.null()),
            _ => Value::Bits(self.terms.constant(width_of(ty), 0)),
        }
    }

    pub(crate) fn give_up(&mut self, guard: &Guard, why: &str) {
        let term = guard.term(&mut self.terms);
        if self.terms.as_const(term) != Some(0) {
            self.given_up.push((why.into(), term));
        }
    }

    pub(crate) fn register(&mut self, state: &State, var: VarId) -> Value {
        if self.program.vars[var].owner.is_none() {
            return match &state.globals[var.index()] {
                Some(value) => value.clone(),
                None => self.zero(self.program.vars[var].ty),
            };
        }
        let slot = self.slots[var];
        match state.locals.get(slot) {
            Some(Some(value)) => value.clone(),
            _ => self.initial(slot),
        }
    }

    /// The value a register of the running call has before its first assignment.
    fn initial(&mut self, slot: usize) -> Value {
        let (program, ptr_bits) = (self.program, self.program.ptr_bits);
        let Some(frame) = self.frames.last_mut() else {
            unreachable!("constants mention no local register");
        };
        initial_of(&mut self.terms, program, &self.registers, frame, slot, ptr_bits)
    }

    pub(crate) fn object(&mut self, state: &State, object: ObjId) -> Pointer {
        if let Some(&instance) = self.statics.get(&object) {
            let zero = self.bytes(0);
            return pointer(&mut self.terms, Base::Instance(instance), zero);
        }
        match state.objects.get(&object) {
            Some(it) => it.clone(),
            None => self.null(),
        }
    }

    /// A variable for where an instance or function begins: not at null, and it ends before the end
    /// of the address space.
    pub(crate) fn start_address(&mut self, base: Base) -> TermId {
        if let Some(&term) = self.addresses.get(&base) {
            return term;
        }
        let width = u32::from(self.program.ptr_bits);
        let term = self.terms.var("address", width);
        if let Base::Instance(id) = base {
            let size = self.instances[id as usize].size;
            let least = self.terms.constant(width, 0x1000);
            let above = self.terms.ule(least, term);
            let end = self.terms.add(term, size);
            let no_wrap = self.terms.ule(term, end);
            self.solver.assert(above);
            self.solver.assert(no_wrap);
        } else if base != Base::Wild {
            let set = self.terms.is_nonzero(term);
            self.solver.assert(set);
        }
        self.addresses.insert(base, term);
        term
    }

    /// A single-precision number of these bits, as `f64`.
    pub(crate) fn widen(&mut self, bits: TermId) -> TermId {
        if let Some(value) = self.terms.as_const(bits) {
            let value = f64::from(f32::from_bits(value as u32));
            return self.terms.constant(64, u128::from(value.to_bits()));
        }
        if let Some(&known) = self.wide.get(&bits) {
            return known;
        }
        let value = self.terms.var("float", 64);
        self.wide.insert(bits, value);
        self.slim.insert(value, bits);
        value
    }

    pub(crate) fn narrow(&mut self, value: TermId) -> TermId {
        if let Some(bits) = self.terms.as_const(value) {
            let value = f64::from_bits(bits as u64) as f32;
            return self.terms.constant(32, u128::from(value.to_bits()));
        }
        if let Some(&known) = self.slim.get(&value) {
            return known;
        }
        let bits = self.terms.var("float", 32);
        self.wide.insert(bits, value);
        self.slim.insert(value, bits);
        bits
    }

    fn create(&mut self, state: &mut State, object: ObjId, size: TermId, content: Content) -> u32 {
        let info = &self.program.objects[object];
        let extent = self.terms.as_const(size).map_or(UNKNOWN_EXTENT, |it| it as u64);
        let mut layout = Layout::new(extent, content);
        layout.cut_by_shape(&mut self.terms, &info.shape, 0, self.program.ptr_bits);
        let id = self.instances.len();
        self.instances.push(Instance {
            object,
            size,
            is_heap: matches!(info.kind, ObjKind::Heap(_)),
            is_const: info.is_const,
        });
        let alive = self.terms.bool(true);
        state.memory.resize(id, None);
        state.memory.push(Some(Slot { layout: Rc::new(layout), alive }));
        id as u32
    }

    /// Ends the life of what a pointer points to.
    fn kill(&mut self, state: &mut State, ptr: &Pointer) {
        for case in ptr.iter() {
            let Base::Instance(id) = case.base else { continue };
            if let Some(Some(slot)) = state.memory.get_mut(id as usize) {
                let other = self.terms.not(case.cond);
                slot.alive = self.terms.and(slot.alive, other);
            }
        }
    }

    /// Runs a function to its return; `None` if it does not return.
    fn call(
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

    /// Runs the instructions of a block; `None` if no execution comes to its end.
    fn insts(
        &mut self,
        func: FuncId,
        block: BlockId,
        state: State,
    ) -> Result<Option<State>, Exhausted> {
        let program = self.program;
        let mut state = state;
        for inst in &program.funcs[func].blocks[block].insts {
            state = match self.op(&inst.op, state)? {
                Some(state) => state,
                None => return Ok(None),
            };
            if state.guard.is_false(&mut self.terms) {
                return Ok(None);
            }
        }
        Ok(Some(state))
    }

    /// The states after a block, with where they go; `None` is the return.
    fn leave(
        &mut self,
        func: FuncId,
        block: BlockId,
        mut state: State,
    ) -> Vec<(Option<BlockId>, State)> {
        let program = self.program;
        let mut result = Vec::new();
        match &program.funcs[func].blocks[block].term {
            Term::Goto(to) => result.push((Some(*to), state)),
            Term::Branch { cond, yes, no } => {
                let cond = self.eval_bits(&state, *cond);
                let not = self.terms.not(cond);
                for (cond, to) in [(cond, *yes), (not, *no)] {
                    if let Some(state) = self.split(&state, cond) {
                        result.push((Some(to), state));
                    }
                }
            }
            Term::Switch { value, cases, default } => {
                let value = self.eval_bits(&state, *value);
                let width = self.terms.width(value);
                let mut others = Vec::new();
                for &(constant, to) in cases {
                    let constant = self.terms.constant(width, constant);
                    let here = self.terms.eq(value, constant);
                    others.push(self.terms.not(here));
                    if let Some(state) = self.split(&state, here) {
                        result.push((Some(to), state));
                    }
                }
                let none = self.terms.and_all(&others);
                if let Some(state) = self.split(&state, none) {
                    result.push((Some(*default), state));
                }
            }
            Term::Return(value) => {
                let n = self.registers[func].len();
                state.locals[n] = value.map(|value| self.eval(&state, value));
                result.push((None, state));
            }
            Term::Stop(Stop::Unsupported(what)) => self.give_up(&state.guard, what),
            Term::Stop(_) => {}
        }
        result
    }

    fn split(&mut self, state: &State, cond: TermId) -> Option<State> {
        if self.terms.as_const(cond) == Some(0) {
            return None;
        }
        let mut guard = state.guard.clone();
        guard.add(&mut self.terms, cond);
        if guard.is_false(&mut self.terms) {
            return None;
        }
        Some(State { guard, ..state.clone() })
    }

    fn set(&mut self, state: &mut State, var: VarId, value: Value) {
        if self.program.vars[var].owner.is_none() {
            state.globals[var.index()] = Some(value);
        } else {
            state.locals[self.slots[var]] = Some(value);
        }
    }

    fn op(&mut self, op: &Op, mut state: State) -> Result<Option<State>, Exhausted> {
        let program = self.program;
        match op {
            Op::Set { dst, value } => {
                let value = self.eval(&state, *value);
                self.set(&mut state, *dst, value);
            }
            Op::Nondet { dst, source } => {
                let value = self.arbitrary(&state, program.vars[*dst].ty, source);
                self.set(&mut state, *dst, value);
            }
            Op::Load { dst, ptr } => {
                let ptr = self.eval(&state, *ptr);
                let value = self.load(&mut state, ptr.pointer(), program.vars[*dst].ty);
                self.set(&mut state, *dst, value);
            }
            Op::Store { ptr, value } => {
                let (to, stored) = (self.eval(&state, *ptr), self.eval(&state, *value));
                self.store(&mut state, to.pointer(), &stored, program.exprs.ty(*value));
            }
            Op::Copy { dst, src, size } => {
                let (dst, src) = (self.eval(&state, *dst), self.eval(&state, *src));
                let size = self.eval_size(&state, *size);
                self.copy(&mut state, dst.pointer(), src.pointer(), size);
            }
            Op::Fill { dst, byte, size } => {
                let (dst, byte) = (self.eval(&state, *dst), self.eval_bits(&state, *byte));
                let size = self.eval_size(&state, *size);
                self.fill(&mut state, dst.pointer(), byte, size);
            }
            Op::Havoc { ptr } => {
                let ptr = self.eval(&state, *ptr);
                self.havoc(&mut state, ptr.pointer());
            }
            Op::Enter { object, size } => {
                let size = match size {
                    Some(size) => self.eval_size(&state, *size),
                    None => self.bytes(program.objects[*object].size.unwrap_or(0)),
                };
                if let Some(old) = state.objects.get(object).cloned() {
                    self.kill(&mut state, &old);
                }
                let made = self.fresh(&mut state, *object, size);
                state.objects.insert(*object, made);
            }
            Op::Leave { object } => {
                if let Some(old) = state.objects.remove(object) {
                    self.kill(&mut state, &old);
                }
            }
            Op::Alloc { dst, object, size } => {
                let size = self.eval_size(&state, *size);
                let made = self.fresh(&mut state, *object, size);
                self.set(&mut state, *dst, Value::Ptr(made));
            }
            Op::Free { ptr } => {
                let value = self.eval(&state, *ptr);
                if let Some(allowed) = self.cond(&state, hardbop_cir::Cond::Freeable(*ptr)) {
                    let mut guard = state.guard.clone();
                    let invalid = self.terms.not(allowed);
                    guard.add(&mut self.terms, invalid);
                    self.give_up(&guard, "a free may be invalid, which was not asked for");
                    state.guard.add(&mut self.terms, allowed);
                }
                self.kill(&mut state, value.pointer());
            }
            Op::Call { dst, callee, args } => {
                let Callee::Func(func) = *callee else {
                    self.give_up(&state.guard, "a call through a pointer");
                    return Ok(None);
                };
                let args = args.iter().map(|&arg| self.eval(&state, arg)).collect();
                let Some((mut after, value)) = self.call(func, args, state)? else {
                    return Ok(None);
                };
                if let Some(dst) = dst {
                    let value = match value {
                        Some(value) => value,
                        None => self.unknown(program.vars[*dst].ty),
                    };
                    self.set(&mut after, *dst, value);
                }
                return Ok(Some(after));
            }
            Op::Print { dst, .. } => {
                if let Some(dst) = dst {
                    let value = self.unknown(program.vars[*dst].ty);
                    self.set(&mut state, *dst, value);
                }
            }
            Op::Assume { cond } => {
                let cond = self.eval_bits(&state, *cond);
                state.guard.add(&mut self.terms, cond);
            }
            Op::Check { check, cond } => self.check(&mut state, *check, *cond),
        }
        Ok(Some(state))
    }

    fn check(&mut self, state: &mut State, check: CheckId, cond: hardbop_cir::Cond) {
        let info = &self.program.checks[check];
        if !self.classes.contains(&info.class) {
            return;
        }
        let guard = state.guard.term(&mut self.terms);
        let Some(cond) = self.cond(state, cond) else {
            self.unasked.push((check, guard));
            return;
        };
        let not = self.terms.not(cond);
        let fails = self.terms.and(guard, not);
        if self.terms.as_const(fails) != Some(0) {
            self.fails.push((check, fails));
            if info.is_fatal() {
                state.guard.add(&mut self.terms, cond);
            }
        }
    }

    fn fresh(&mut self, state: &mut State, object: ObjId, size: TermId) -> Pointer {
        let instance = self.create(state, object, size, Content::Raw);
        let zero = self.bytes(0);
        pointer(&mut self.terms, Base::Instance(instance), zero)
    }

    fn unknown(&mut self, ty: Ty) -> Value {
        unknown_of(&mut self.terms, ty, self.program.ptr_bits)
    }

    fn arbitrary(&mut self, state: &State, ty: Ty, source: &Source) -> Value {
        let (value, term) = match ty {
            Ty::Float(hardbop_cir::FloatTy::F32) => {
                let bits = self.terms.var("input", 32);
                (Value::Bits(self.widen(bits)), Some(bits))
            }
            Ty::Ptr => (self.unknown(ty), None),
            _ => {
                let term = self.terms.var("input", width_of(ty));
                (Value::Bits(term), Some(term))
            }
        };
        let guard = state.guard.term(&mut self.terms);
        let is_input = matches!(source, Source::Input(_));
        self.inputs.push(Input { guard, term, is_input });
        value
    }
}

fn unknown_of(terms: &mut Terms, ty: Ty, ptr_bits: u8) -> Value {
    match ty {
        Ty::Ptr => {
            let offset = terms.var("wild", u32::from(ptr_bits));
            Value::Ptr(pointer(terms, Base::Wild, offset))
        }
        _ => Value::Bits(terms.var("any", width_of(ty))),
    }
}

/// The slot after the registers is that of the result.
fn initial_of(
    terms: &mut Terms,
    program: &Program,
    registers: &IndexVec<FuncId, Vec<VarId>>,
    frame: &mut Frame,
    slot: usize,
    ptr_bits: u8,
) -> Value {
    let ty = match registers[frame.func].get(slot) {
        Some(&var) => program.vars[var].ty,
        None => program.funcs[frame.func].result.unwrap_or(Ty::BOOL),
    };
    frame.initial.entry(slot).or_insert_with(|| unknown_of(terms, ty, ptr_bits)).clone()
}
