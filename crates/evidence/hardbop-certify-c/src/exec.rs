//! The executor: blocks in an order in which paths that join have all arrived, loops round by round, calls entered.
//!
//! What must never happen is collected as obligations and asked together at the end: a check that fails, an access
//! without a meaning, a construct that is not modelled, a loop or a recursion that goes on for longer than the
//! certificate says.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::{Budget, IndexVec, Span};
use hardbop_cir::{BlockId, Class, FuncId, ObjId, ObjKind, Program, Stop, Term, Ty, VarId};
use hardbop_smt::TermId;
use rustc_hash::FxHashMap;

use crate::certificate::{Certificate, Claim};
use crate::cut::Changes;
use crate::guard::Guard;
use crate::layers::Reads;
use crate::loops::Loops;
use crate::memory::{Address, Cell, Cells, Instance, Rest, Slot};
use crate::prove::Prover;
use crate::state::{Registers, State};
use crate::value::{BASE_BITS, Pointer, Value, constants, fresh};
use crate::{Rejected, Said};

pub(crate) type Go<T = ()> = Result<T, Rejected>;

pub(crate) struct Executor<'a> {
    /// With the formulas of the certificate.
    pub program: &'a Program,
    /// Registers behind these are places the certificate speaks of.
    pub n_registers: usize,
    /// What is claimed of loops and functions.
    pub said: &'a Said,
    /// What `any` registers of the certificate are, where a claim is looked at.
    pub bound: Vec<(VarId, TermId)>,
    /// Places where texts may end.
    pub ends: Vec<TermId>,
    /// What functions with contracts may change.
    pub effects: BTreeMap<FuncId, Changes>,
    /// Whether nothing goes wrong here, by assumption.
    pub is_assuming: bool,
    pub plan: &'a Certificate,
    pub prover: Prover,
    pub budget: &'a Budget,
    pub instances: Vec<Instance>,
    /// The instance of each global object.
    pub statics: BTreeMap<ObjId, usize>,
    /// Bytes that were read, by content or layer, and place.
    pub read: FxHashMap<(u32, Address), Cell>,
    /// What was read, one after the other.
    pub journal: Vec<(u32, Address)>,
    /// Where the elements lie whose indices were made of their places.
    pub scaled: FxHashMap<(TermId, u32), TermId>,
    /// Where each content of which nothing is known was read.
    pub reads: FxHashMap<u32, Reads>,
    pub n_unknown: u32,
    addresses: FxHashMap<u128, TermId>,
    pub obligations: Vec<Obligation>,
    /// The claim that is looked at.
    pub asked: Option<Claim>,
    loops: IndexVec<FuncId, Option<Rc<Loops>>>,
    /// Running calls of each function.
    n_running: IndexVec<FuncId, u32>,
    /// The states at the returns of each running call.
    returns: Vec<Vec<State>>,
    /// The registers of the calls that wait for the one that runs.
    pub callers: Vec<Registers>,
    /// The most rounds of a loop, and the most calls of a function inside each other, that were looked at.
    pub most_rounds: u32,
    pub most_calls: u32,
}

/// A condition that must not hold in any execution.
pub(crate) struct Obligation {
    pub bad: TermId,
    pub span: Span,
    pub what: String,
    /// The claim that would not hold.
    pub claim: Option<Claim>,
}

/// Where paths go that leave a loop or a function's blocks.
#[derive(Default)]
pub(crate) struct Ways {
    pub back: Vec<State>,
    pub out: Vec<(BlockId, State)>,
}

/// The register that holds the result of the call that returns.
const RESULT: VarId = VarId::from_u32(u32::MAX - 1);

impl<'a> Executor<'a> {
    pub fn new(
        program: &'a Program,
        n_registers: usize,
        plan: &'a Certificate,
        said: &'a Said,
        budget: &'a Budget,
    ) -> Self {
        Executor {
            program,
            n_registers,
            said,
            bound: Vec::new(),
            ends: Vec::new(),
            effects: BTreeMap::new(),
            is_assuming: false,
            plan,
            prover: Prover::new(),
            budget,
            instances: Vec::new(),
            statics: BTreeMap::new(),
            read: FxHashMap::default(),
            reads: FxHashMap::default(),
            journal: Vec::new(),
            scaled: FxHashMap::default(),
            n_unknown: 0,
            addresses: FxHashMap::default(),
            obligations: Vec::new(),
            asked: None,
            loops: IndexVec::from_elem(None, program.funcs.len()),
            n_running: IndexVec::from_elem(0, program.funcs.len()),
            returns: Vec::new(),
            callers: Vec::new(),
            most_rounds: 0,
            most_calls: 0,
        }
    }

    /// Executes the program from its beginning to all its ends.
    pub fn run(&mut self) -> Go {
        let state = self.start();
        self.contracts(&state)?;
        let program = self.program;
        let params = &program.funcs[program.main].params;
        // Soundness: `main` may be given anything.
        let args = params.iter().map(|&it| self.any(program.vars[it].ty)).collect();
        self.call(program.main, args, state, Span::default())?;
        Ok(())
    }

    fn start(&mut self) -> State {
        let program = self.program;
        let mut state = State {
            guard: Guard::default(),
            globals: Rc::default(),
            locals: Rc::default(),
            objects: Rc::default(),
            slots: Rc::default(),
            assumed: Rc::default(),
            indices: Rc::default(),
        };
        for (id, object) in program.objects.iter_enumerated() {
            if object.kind == ObjKind::Global {
                let size = self.bytes(object.size.unwrap_or(0));
                let made = self.create(&mut state, id, size, Rest::Zero);
                self.statics.insert(id, made);
            }
        }
        for (id, init) in program.first_values() {
            let value = self.eval(&state, init.value);
            let offset = self.bytes(init.offset);
            let place = Pointer { base: self.base_of(self.statics[&id]), offset };
            let n = program.exprs.ty(init.value).bytes(program.ptr_bits);
            let cells = self.cells_of(value, n);
            self.write(&mut state, place, &cells);
        }
        for (id, var) in program.vars.iter_enumerated().take(self.n_registers) {
            if var.owner.is_none() {
                let value = match var.init {
                    Some(init) => self.eval(&state, init),
                    None => self.zero(var.ty),
                };
                self.set(&mut state, id, value);
            }
        }
        state
    }

    /// Runs a call to its returns; none if no execution comes back. The result is in the register [`RESULT`].
    pub fn call(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        state: State,
        span: Span,
    ) -> Go<Option<(State, Option<Value>)>> {
        let program = self.program;
        if self.n_running[func] > self.plan.recursion {
            let what = format!(
                "`{}` may call itself more often than the certificate says ({})",
                program.funcs[func].name, self.plan.recursion
            );
            self.never(&state, span, what);
            return Ok(None);
        }
        // Now and then, as of loops: else nothing but the limit ends a recursion that depends on inputs.
        if self.n_running[func].is_power_of_two() && !self.is_possible(&state)? {
            return Ok(None);
        }
        self.most_calls = self.most_calls.max(self.n_running[func]);
        let loops = self.loops_of(func)?;
        let params = program.funcs[func].params.iter().copied();
        let caller = (state.locals, state.objects);
        let inside = State {
            locals: Rc::new(params.zip(args).collect()),
            objects: Rc::default(),
            ..State { locals: Rc::default(), objects: Rc::default(), ..state }
        };
        self.n_running[func] += 1;
        // Soundness: what calls a function that is looked at by itself is not known.
        let is_called = !self.returns.is_empty();
        if is_called {
            self.callers.push(Rc::clone(&caller.0));
        }
        self.returns.push(Vec::new());
        let ways = self.blocks(func, &loops, None, inside);
        let returned = self.returns.pop().unwrap_or_default();
        self.n_running[func] -= 1;
        if is_called {
            self.callers.pop();
        }
        ways?;
        let Some(mut state) = self.join_all(returned) else { return Ok(None) };
        let result = state.locals.get(&RESULT).copied();
        (state.locals, state.objects) = caller;
        Ok(Some((state, result)))
    }

    fn loops_of(&mut self, func: FuncId) -> Go<Rc<Loops>> {
        if let Some(known) = &self.loops[func] {
            return Ok(Rc::clone(known));
        }
        let it = &self.program.funcs[func];
        let loops = Rc::new(Loops::of(it));
        if let Some(block) = loops.irreducible {
            let why = format!("a loop of `{}` is entered in the middle", it.name);
            return Err(Rejected::At(it.blocks[block].span, why));
        }
        self.loops[func] = Some(Rc::clone(&loops));
        Ok(loops)
    }

    /// Executes the blocks of a loop once, from its head, or those of the whole function.
    pub fn blocks(
        &mut self,
        func: FuncId,
        loops: &Loops,
        head: Option<BlockId>,
        state: State,
    ) -> Go<Ways> {
        let entry = head.unwrap_or(BlockId::from_u32(0));
        let body = head.map(|head| &loops.bodies[&head]);
        let mut ways = Ways::default();
        let mut pending: BTreeMap<(usize, BlockId), Vec<State>> = BTreeMap::new();
        pending.insert((loops.order[&entry], entry), vec![state]);
        while let Some(((_, block), states)) = pending.pop_first() {
            let Some(state) = self.join_all(states) else { continue };
            self.budget.check()?;
            let after = match loops.bodies.contains_key(&block) && Some(block) != head {
                true => self.rounds(func, loops, block, state)?,
                false => self.block(func, block, state)?,
            };
            for (to, state) in after {
                if Some(to) == head {
                    ways.back.push(state);
                } else if body.is_some_and(|it| !it.contains(&to)) {
                    ways.out.push((to, state));
                } else {
                    pending.entry((loops.order[&to], to)).or_default().push(state);
                }
            }
        }
        Ok(ways)
    }

    /// A loop, round by round: the states that leave it.
    fn rounds(
        &mut self,
        func: FuncId,
        loops: &Loops,
        head: BlockId,
        state: State,
    ) -> Go<Vec<(BlockId, State)>> {
        if let Some(claim) = self.said.claims.get(&(func, head)) {
            return self.cut(func, loops, head, state, claim);
        }
        let mut out = Vec::new();
        let mut current = state;
        for round in 1u32.. {
            self.most_rounds = self.most_rounds.max(round);
            let ways = self.blocks(func, loops, Some(head), current)?;
            out.extend(ways.out);
            let Some(next) = self.join_all(ways.back) else { break };
            if round >= self.plan.unroll {
                let what = format!(
                    "the loop may go on for more than the {} rounds the certificate says",
                    self.plan.unroll
                );
                self.never(&next, self.program.funcs[func].blocks[head].span, what);
                break;
            }
            // Asked now and then only: a round too many proves the same.
            if round.is_power_of_two() && !self.is_possible(&next)? {
                break;
            }
            current = next;
        }
        Ok(out)
    }

    fn is_possible(&mut self, state: &State) -> Go<bool> {
        let guard = state.guard.term(&mut self.prover.terms);
        Ok(self.prover.possible(&[guard], self.budget)?.is_some())
    }

    fn block(
        &mut self,
        func: FuncId,
        block: BlockId,
        mut state: State,
    ) -> Go<Vec<(BlockId, State)>> {
        let program = self.program;
        let block = &program.funcs[func].blocks[block];
        for inst in &block.insts {
            state = match self.op(&inst.op, state, inst.span)? {
                Some(state) => state,
                None => return Ok(Vec::new()),
            };
            if state.guard.is_false(&mut self.prover.terms) {
                return Ok(Vec::new());
            }
        }
        Ok(match &block.term {
            Term::Goto(to) => vec![(*to, state)],
            Term::Branch { cond, yes, no } => {
                let cond = self.eval_bits(&state, *cond);
                let not = self.prover.terms.not(cond);
                let ways = [(*yes, cond), (*no, not)];
                ways.into_iter()
                    .filter_map(|(to, cond)| Some((to, self.assuming(&state, cond)?)))
                    .collect()
            }
            Term::Switch { value, cases, default } => {
                let value = self.eval_bits(&state, *value);
                let (mut after, mut rest) = (Vec::new(), Some(state));
                for &(constant, to) in cases {
                    let Some(state) = rest else { break };
                    let terms = &mut self.prover.terms;
                    let constant = terms.constant(terms.width(value), constant);
                    let is_it = terms.eq(value, constant);
                    let not = terms.not(is_it);
                    after.extend(self.assuming(&state, is_it).map(|state| (to, state)));
                    rest = self.assuming(&state, not);
                }
                after.extend(rest.map(|state| (*default, state)));
                after
            }
            Term::Return(value) => {
                let result = match (value, program.funcs[func].result) {
                    (Some(value), _) => Some(self.eval(&state, *value)),
                    (None, Some(ty)) => Some(self.any(ty)),
                    (None, None) => None,
                };
                let bases: Vec<TermId> = state.objects.values().copied().collect();
                bases.into_iter().for_each(|base| self.kill(&mut state, base));
                state.locals = Rc::new(result.map(|it| (RESULT, it)).into_iter().collect());
                state.objects = Rc::default();
                self.returns.last_mut().expect("a call is running").push(state);
                Vec::new()
            }
            // Soundness: what is not understood must not be reached.
            Term::Stop(Stop::Unsupported(what)) => {
                let never = self.prover.terms.bool(false);
                self.require(&mut state, never, block.span, what);
                Vec::new()
            }
            Term::Stop(Stop::Thread(_)) => {
                let never = self.prover.terms.bool(false);
                self.require(&mut state, never, block.span, "the end of a thread");
                Vec::new()
            }
            Term::Stop(Stop::Exit(_) | Stop::Abort | Stop::Unreachable) => Vec::new(),
        })
    }

    /// The state on the path where a condition holds, if there is such a path.
    pub fn assuming(&mut self, state: &State, cond: TermId) -> Option<State> {
        let mut state = state.clone();
        state.guard.add(&mut self.prover.terms, cond);
        (!state.guard.is_false(&mut self.prover.terms)).then_some(state)
    }

    /// No execution may come here, also where nothing goes wrong by assumption: beyond it we do not follow.
    pub fn never(&mut self, state: &State, span: Span, what: String) {
        let bad = state.guard.term(&mut self.prover.terms);
        self.oblige(bad, span, what);
    }

    /// The condition holds in each execution that comes here, or is assumed where nothing goes wrong by assumption.
    pub fn require(&mut self, state: &mut State, cond: TermId, span: Span, what: &str) {
        if self.prover.terms.as_const(cond) == Some(1) {
            return;
        }
        if self.is_assuming {
            return state.guard.add(&mut self.prover.terms, cond);
        }
        let guard = state.guard.term(&mut self.prover.terms);
        let not = self.prover.terms.not(cond);
        let bad = self.prover.terms.and(guard, not);
        self.oblige(bad, span, what.into());
    }

    fn oblige(&mut self, bad: TermId, span: Span, what: String) {
        if self.prover.terms.as_const(bad) != Some(0) {
            self.obligations.push(Obligation { bad, span, what, claim: self.asked });
        }
    }

    pub fn is_asked(&self, class: Class) -> bool {
        self.plan.classes.contains(&class)
    }

    pub fn register(&mut self, state: &State, var: VarId) -> Value {
        if let Some(value) = self.place_named(state, var) {
            return value;
        }
        let info = &self.program.vars[var];
        let list = if info.owner.is_none() { &state.globals } else { &state.locals };
        match list.get(&var) {
            Some(&value) => value,
            // It may hold anything, something else each time it is read.
            None => self.any(info.ty),
        }
    }

    pub fn set(&mut self, state: &mut State, var: VarId, value: Value) {
        let is_global = self.program.vars[var].owner.is_none();
        let list = if is_global { &mut state.globals } else { &mut state.locals };
        Rc::make_mut(list).insert(var, value);
    }

    pub fn any(&mut self, ty: Ty) -> Value {
        fresh(&mut self.prover.terms, ty, self.program.ptr_bits)
    }

    fn zero(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Ptr => Value::Ptr(self.null()),
            _ => Value::Bits(self.prover.terms.constant(crate::value::width(ty), 0)),
        }
    }

    /// A number of bytes, as wide as a pointer.
    pub fn bytes(&mut self, n: u64) -> TermId {
        self.prover.terms.constant(u32::from(self.program.ptr_bits), u128::from(n))
    }

    pub fn no_base(&mut self) -> TermId {
        self.prover.terms.constant(BASE_BITS, 0)
    }

    pub fn null(&mut self) -> Pointer {
        let base = self.no_base();
        self.at_start(base)
    }

    pub fn at_start(&mut self, base: TermId) -> Pointer {
        Pointer { base, offset: self.bytes(0) }
    }

    /// Bases below are none and functions.
    fn first_base(&self) -> u128 {
        1 + self.program.funcs.len() as u128
    }

    pub fn base_of(&mut self, instance: usize) -> TermId {
        let number = self.first_base() + instance as u128;
        self.prover.terms.constant(BASE_BITS, number)
    }

    pub fn instance_at(&self, base: u128) -> Option<usize> {
        base.checked_sub(self.first_base()).map(|it| it as usize)
    }

    pub fn is_base(&mut self, base: TermId, instance: usize) -> TermId {
        let it = self.base_of(instance);
        self.prover.terms.eq(base, it)
    }

    pub fn is_instance(&mut self, base: TermId) -> TermId {
        let first = self.first_base();
        let first = self.prover.terms.constant(BASE_BITS, first);
        self.prover.terms.ule(first, base)
    }

    /// Where a pointer points to, as a number.
    pub fn address(&mut self, ptr: Pointer) -> TermId {
        let width = u32::from(self.program.ptr_bits);
        let Some(bases) = constants(&self.prover.terms, ptr.base) else {
            return self.prover.terms.var("address", width);
        };
        let mut found = self.prover.terms.constant(width, 0);
        for base in bases.into_iter().filter(|&it| it != 0) {
            let start = match self.instance_at(base).and_then(|it| self.instances.get(it)) {
                Some(instance) => instance.address,
                None => {
                    let terms = &mut self.prover.terms;
                    *self.addresses.entry(base).or_insert_with(|| terms.var("address", width))
                }
            };
            let terms = &mut self.prover.terms;
            let base = terms.constant(BASE_BITS, base);
            let is_it = terms.eq(ptr.base, base);
            found = terms.ite(is_it, start, found);
        }
        self.prover.terms.add(found, ptr.offset)
    }

    pub fn create(&mut self, state: &mut State, object: ObjId, size: TermId, rest: Rest) -> usize {
        let info = &self.program.objects[object];
        let (width, zeros) = (u32::from(self.program.ptr_bits), info.align.max(1).trailing_zeros());
        let terms = &mut self.prover.terms;
        let alive = terms.bool(true);
        let high = terms.var("address", width - zeros);
        let address = match zeros {
            0 => high,
            _ => {
                let low = terms.constant(zeros, 0);
                terms.concat(high, low)
            }
        };
        let id = self.instances.len();
        self.instances.push(Instance {
            object,
            size,
            address,
            is_heap: matches!(info.kind, ObjKind::Heap(_)),
            is_const: info.is_const,
        });
        let slots = Rc::make_mut(&mut state.slots);
        slots.resize(id + 1, None);
        slots[id] = Some(Slot { alive, cells: Rc::new(Cells { rest, known: BTreeMap::new() }) });
        id
    }

    /// Ends the life of the instance with this base.
    pub fn kill(&mut self, state: &mut State, base: TermId) {
        for id in self.candidates(state, base) {
            let is_it = self.is_base(base, id);
            let terms = &mut self.prover.terms;
            let is_not = terms.not(is_it);
            let Some(slot) = state.slot_mut(id) else { continue };
            slot.alive = terms.and(slot.alive, is_not);
            if terms.as_const(slot.alive) == Some(0) {
                Rc::make_mut(&mut state.slots)[id] = None;
            }
        }
    }
}
