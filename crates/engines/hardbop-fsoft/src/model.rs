//! The transition system of a flat program (FS section III): words of state bits, and for each block
//! what it does to them in one step, where it goes, and where it goes wrong.
//!
//! Each block is executed once from an arbitrary state by `hardbop-symbolic`. What it leaves
//! behind may need more room than the words have: more bits, more objects a pointer may point to,
//! finer cells. So the blocks are executed again until there is room for everything.
//!
//! An object has one instance. A local object that is entered again, or a heap object that is
//! allocated again, takes the place of the one before; what pointed to that points nowhere known
//! from then on, and using it is a path we cannot follow.
//!
//! Invariant kept: for each execution of the program there is one of the system through the same
//! blocks, unless it comes to a path that is given up.

use std::rc::Rc;

use hardbop_base::{Bits, Budget, Exhausted, Idx, IndexVec, Name};
use hardbop_cir::analysis::Ranges;
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::{BlockId, CheckId, Class, ObjId, ObjKind, Program, Ty, VarId};
use hardbop_smt::{TermId, Terms};
use hardbop_symbolic::layout::{Content, Layout};
use hardbop_symbolic::state::State;
use hardbop_symbolic::value::{Base, Case, Pointer, Value};
use hardbop_symbolic::{Executor, Input, Knowledge};
use rustc_hash::FxHashMap;

use crate::latch::{Cells, Latch, held};

/// State bits and cells of more than this are not modelled.
pub const MAX_BITS: u64 = 20_000;
const MAX_CELLS: usize = 20_000;

/// The transition system.
pub struct System {
    pub terms: Terms,
    pub words: Vec<WordInfo>,
    pub blocks: IndexVec<BlockId, BlockStep>,
}

pub struct WordInfo {
    /// The state bits, a variable.
    pub var: TermId,
    /// The first value, a constant; `None` if it is arbitrary.
    pub first: Option<u128>,
    /// The local register it belongs to, if any: it can be dead.
    pub register: Option<VarId>,
}

/// One step: what a block does. Conditions and values are over the words and arbitrary values that
/// are fresh in each step.
#[derive(Default)]
pub struct BlockStep {
    pub is_reached: bool,
    /// The words it changes, with their new values.
    pub updates: Vec<(usize, TermId)>,
    /// Where it goes, under conditions that exclude each other.
    pub edges: Vec<(BlockId, TermId)>,
    pub fails: Vec<(CheckId, TermId)>,
    pub given_up: Vec<(Name, TermId)>,
    pub inputs: Vec<Input>,
    /// Registers that may be read before they are written, from the start of the block on.
    pub live: Bits,
}

impl System {
    pub fn n_bits(&self) -> u64 {
        self.words.iter().map(|it| u64::from(self.terms.width(it.var))).sum()
    }
}

pub enum Built {
    System(Box<System>),
    Unsupported(Name),
}

pub fn build(program: &Program, classes: &[Class], budget: &Budget) -> Result<Built, Exhausted> {
    let executor = Executor::new(program, classes, Knowledge::Partial, budget);
    let mut executor = executor.without_shadows();
    match Builder::new(program, classes, &mut executor) {
        Ok(builder) => builder.run(budget),
        Err(why) => Ok(Built::Unsupported(why)),
    }
}

struct Builder<'a, 'u> {
    program: &'a Program,
    keeps_heap: bool,
    executor: &'u mut Executor<'a>,
    /// Before the first instruction.
    first: State,
    live: IndexVec<BlockId, Bits>,
    registers: Vec<(VarId, Latch)>,
    /// By instance.
    cells: Vec<Cells>,
    /// Arbitrary contents of each instance; `None` when the cells have changed since.
    layouts: Vec<Option<Rc<Layout>>>,
    alive: Vec<Latch>,
    /// The instance of each object.
    instance: FxHashMap<ObjId, u32>,
    reached: IndexVec<BlockId, bool>,
    /// Cells were cut or hold another kind: all starts again.
    is_recut: bool,
}

impl<'a, 'u> Builder<'a, 'u> {
    fn new(
        program: &'a Program,
        classes: &[Class],
        executor: &'u mut Executor<'a>,
    ) -> Result<Self, Name> {
        let func = &program.funcs[program.main];
        let ptr_bits = program.ptr_bits;
        let mut first = executor.begin();
        let mut instance = FxHashMap::default();
        for (id, object) in program.objects.iter_enumerated() {
            let here = match object.kind {
                ObjKind::Global => executor.instance_of(id),
                // Objects of functions that are not copied are never made.
                ObjKind::Local(owner) | ObjKind::Heap(owner) if owner != program.main => continue,
                _ => executor.reserve(&mut first, id),
            };
            if let Some(here) = here {
                instance.insert(id, here);
            }
        }
        let mut cells = Vec::new();
        for slot in first.memory.iter() {
            let layout = slot.as_ref().map(|it| Rc::clone(&it.layout)).unwrap_or_default();
            cells.push(Cells::of(&layout, ptr_bits));
        }
        if cells.iter().map(|it| it.latches.len()).sum::<usize>() > MAX_CELLS {
            return Err(format!("more than {MAX_CELLS} places in memory").into());
        }
        let live = live_in(program, func);
        let keeps_heap = classes.iter().any(|it| it.is_of_heap());
        let mut wanted = Bits::new();
        for it in &live {
            wanted.union_with(it);
        }
        let read = reads(program);
        // Global registers are not followed; what global pointers hold is no leak, though nobody
        // may read them.
        for (id, var) in program.vars.iter_enumerated().filter(|it| it.1.owner.is_none()) {
            if read.contains(id.index()) || keeps_heap && var.ty == Ty::Ptr {
                wanted.insert(id.index());
            }
        }
        let ranges = Ranges::of(program);
        let registers = wanted
            .iter()
            .map(VarId::new)
            .map(|id| (id, Latch::of_register(program.vars[id].ty, ranges.vars[id], ptr_bits)));
        Ok(Builder {
            program,
            keeps_heap,
            registers: registers.collect(),
            alive: cells.iter().map(|_| Latch::of_register(Ty::BOOL, None, ptr_bits)).collect(),
            executor,
            first,
            live,
            layouts: vec![None; cells.len()],
            cells,
            instance,
            reached: IndexVec::from_elem(false, func.blocks.len()),
            is_recut: false,
        })
    }

    fn run(mut self, budget: &Budget) -> Result<Built, Exhausted> {
        let n = self.executor.n_instances();
        self.begin();
        loop {
            budget.check()?;
            if self.round(n)? {
                continue;
            }
            if !std::mem::take(&mut self.is_recut) {
                return self.finish(n);
            }
            self.begin();
        }
    }

    /// Room for the first values alone.
    fn begin(&mut self) {
        self.registers.iter_mut().for_each(|it| it.1.reset());
        self.alive.iter_mut().for_each(Latch::reset);
        for cells in &mut self.cells {
            cells.latches.values_mut().for_each(|it| it.1.reset());
        }
        self.layouts.fill(None);
        self.reached = IndexVec::from_elem(false, self.reached.len());
        self.reached[BlockId::new(0)] = true;
        let first = self.first.clone();
        self.include(&first, true);
    }

    /// An arbitrary state.
    fn start(&mut self) -> State {
        let ptr_bits = self.program.ptr_bits;
        let mut state = self.executor.blank(&self.first);
        for at in 0..self.registers.len() {
            let (var, latch) = &mut self.registers[at];
            if let Some(value) = latch.value(&mut self.executor.terms, ptr_bits) {
                self.executor.set_register(&mut state, *var, value);
            }
        }
        for id in 0..self.cells.len() {
            let layout = match self.layouts[id].take() {
                Some(layout) => layout,
                None => Rc::new(self.cells[id].layout(&mut self.executor.terms, ptr_bits)),
            };
            self.layouts[id] = Some(Rc::clone(&layout));
            let alive = match self.alive[id].value(&mut self.executor.terms, ptr_bits) {
                Some(Value::Bits(alive)) => alive,
                _ => self.executor.terms.bool(false),
            };
            self.executor.set_slot(&mut state, id as u32, layout, alive);
            let object = self.executor.object_of(id as u32);
            self.executor.set_place(&mut state, object, id as u32, alive);
        }
        state
    }

    /// Executes all blocks once; whether there was not room for what they do.
    fn round(&mut self, n: usize) -> Result<bool, Exhausted> {
        let func = self.program.main;
        let mut is_new = false;
        let mut start = self.start();
        for block in self.reached.ids() {
            if !self.reached[block] {
                continue;
            }
            let step = self.executor.step(func, block, start.clone());
            let mut states = step.after.into_iter();
            let mut grew = false;
            for (to, state) in states.by_ref() {
                if let Some(to) = to {
                    grew |= !std::mem::replace(&mut self.reached[to], true);
                    let state = self.settle(state, n);
                    grew |= self.include(&state, false);
                }
            }
            self.executor.drop_instances(n);
            if grew {
                start = self.start();
                is_new = true;
            }
        }
        Ok(is_new)
    }

    /// Makes room for a state; whether there was none.
    fn include(&mut self, state: &State, is_first: bool) -> bool {
        let ptr_bits = self.program.ptr_bits;
        let mut is_new = false;
        for at in 0..self.registers.len() {
            let var = self.registers[at].0;
            // A local register has no first value; nobody reads it before it is written.
            if is_first && self.program.vars[var].owner.is_some() || !self.is_set(state, var) {
                continue;
            }
            let value = self.executor.register_of(state, var);
            is_new |= self.registers[at].1.include(&mut self.executor.terms, &value);
        }
        for (id, slot) in state.memory.iter().enumerate() {
            let (Some(slot), Some(cells)) = (slot, self.cells.get_mut(id)) else { continue };
            let terms = &mut self.executor.terms;
            is_new |= self.alive[id].include(terms, &Value::Bits(slot.alive));
            if self.layouts[id].as_ref().is_some_and(|it| Rc::ptr_eq(it, &slot.layout)) {
                continue;
            }
            let mut layout = (*slot.layout).clone();
            if cells.refine(terms, &mut layout, ptr_bits) {
                self.is_recut = true;
            }
            // Nobody reads the bytes of what was never alive.
            if is_first && terms.as_const(slot.alive) == Some(0) {
                continue;
            }
            let mut grew = false;
            for (at, cell) in &layout.cells {
                let Some((_, latch)) = cells.latches.get_mut(at) else { continue };
                let was_zero = matches!(latch, Latch::Untouched { is_zero: true });
                grew |= match held(terms, latch, cell, ptr_bits) {
                    Some(value) => latch.include(terms, &value),
                    None => was_zero && matches!(latch, Latch::Untouched { is_zero: false }),
                };
            }
            if grew {
                self.layouts[id] = None;
                is_new = true;
            }
        }
        is_new
    }

    fn is_set(&self, state: &State, var: VarId) -> bool {
        self.executor.holds_register(state, var)
    }

    /// The state after a step with the instances it made in the places of their objects.
    fn settle(&mut self, mut state: State, n: usize) -> State {
        if state.memory.len() <= n {
            return state;
        }
        // The last one made is the one that stays.
        let mut stays: FxHashMap<ObjId, u32> = FxHashMap::default();
        for id in n..state.memory.len() {
            stays.insert(self.executor.object_of(id as u32), id as u32);
        }
        let moved = |executor: &Executor, base: Base| match base {
            Base::Instance(id) => {
                let object = executor.object_of(id);
                match stays.get(&object) {
                    Some(&new) if new == id => Base::Instance(self.instance[&object]),
                    Some(_) => Base::Wild,
                    None => base,
                }
            }
            other => other,
        };
        let executor = &mut *self.executor;
        let mut places: Vec<(ObjId, u32)> =
            stays.iter().map(|(&object, &id)| (object, id)).collect();
        places.sort_unstable();
        for (object, id) in places {
            let made = state.memory[id as usize].take();
            state.memory[self.instance[&object] as usize] = made;
        }
        state.memory.truncate(n);
        for value in state.globals.iter_mut().chain(state.locals.iter_mut()).flatten() {
            if let Value::Ptr(it) = value {
                *it = rebase(executor, it, &moved);
            }
        }
        for slot in state.memory.iter_mut().flatten() {
            let is_touched = slot.layout.cells.values().any(|cell| match &cell.content {
                Content::Ptr(it) => it.iter().any(|case| moved(executor, case.base) != case.base),
                Content::Either(_) => true,
                _ => false,
            });
            if is_touched {
                for cell in Rc::make_mut(&mut slot.layout).cells.values_mut() {
                    match &mut cell.content {
                        Content::Ptr(it) => *it = rebase(executor, it, &moved),
                        // No latch holds a pointer or a number: it may be anything.
                        it @ Content::Either(_) => *it = Content::Raw,
                        _ => {}
                    }
                }
            }
        }
        state
    }

    /// The system, once there is room for everything.
    fn finish(mut self, n: usize) -> Result<Built, Exhausted> {
        let start = self.start();
        let words = self.words();
        let of_var: FxHashMap<TermId, usize> =
            words.iter().enumerate().map(|(at, it)| (it.var, at)).collect();
        let mut blocks = IndexVec::new();
        for block in self.reached.ids() {
            blocks.push(match self.reached[block] {
                true => self.block(block, &start, &of_var, n)?,
                false => BlockStep::default(),
            });
        }
        let terms = std::mem::take(&mut self.executor.terms);
        let system = System { terms, words, blocks };
        Ok(match system.n_bits() {
            bits if bits > MAX_BITS => {
                Built::Unsupported(format!("{bits} bits of state, more than {MAX_BITS}").into())
            }
            _ => Built::System(Box::new(system)),
        })
    }

    fn words(&mut self) -> Vec<WordInfo> {
        let mut words = Vec::new();
        let first = self.first.clone();
        for at in 0..self.registers.len() {
            let var = self.registers[at].0;
            let is_global = self.program.vars[var].owner.is_none();
            let value = is_global.then(|| self.executor.register_of(&first, var));
            let register = (!is_global).then_some(var);
            self.push_words(&mut words, register, &self.registers[at].1.clone(), value);
        }
        for id in 0..self.cells.len() {
            let Some(slot) = first.memory[id].clone() else { continue };
            let alive = Some(Value::Bits(slot.alive));
            self.push_words(&mut words, None, &self.alive[id].clone(), alive);
            let terms = &mut self.executor.terms;
            let mut layout = (*slot.layout).clone();
            let is_dead = terms.as_const(slot.alive) == Some(0);
            self.cells[id].latches.keys().for_each(|&at| layout.cut(terms, at));
            for (at, cell) in &layout.cells {
                let Some((_, latch)) = self.cells[id].latches.get(at).cloned() else { continue };
                let terms = &mut self.executor.terms;
                let value = held(terms, &mut latch.clone(), cell, self.program.ptr_bits);
                let value = value.filter(|_| !is_dead);
                self.push_words(&mut words, None, &latch, value);
            }
        }
        words
    }

    fn push_words(
        &mut self,
        words: &mut Vec<WordInfo>,
        register: Option<VarId>,
        latch: &Latch,
        first: Option<Value>,
    ) {
        let terms = &mut self.executor.terms;
        match first {
            Some(value) => {
                for (var, value) in latch.next(terms, &value) {
                    words.push(WordInfo { var, first: terms.as_const(value), register });
                }
            }
            None => {
                let vars = latch.words().into_iter();
                words.extend(vars.map(|var| WordInfo { var, first: None, register }));
            }
        }
    }

    fn block(
        &mut self,
        block: BlockId,
        start: &State,
        of_var: &FxHashMap<TermId, usize>,
        n: usize,
    ) -> Result<BlockStep, Exhausted> {
        let func = self.program.main;
        let ptr_bits = self.program.ptr_bits;
        let step = self.executor.step(func, block, start.clone());
        let mut result = BlockStep {
            is_reached: true,
            fails: step.fails,
            given_up: step.given_up,
            inputs: step.inputs,
            live: self.live[block].clone(),
            ..BlockStep::default()
        };
        let mut last = None;
        for (to, state) in step.after {
            let guard = state.guard.term(&mut self.executor.terms);
            if let Some(to) = to {
                result.edges.push((to, guard));
                self.lost(&state, &mut result, n);
                last = Some(state);
            }
        }
        let Some(state) = last else {
            self.executor.drop_instances(n);
            return Ok(result);
        };
        // All ways out leave with one state: they differ in their conditions alone.
        let state = self.settle(state, n);
        self.executor.drop_instances(n);
        let mut next: Vec<(TermId, TermId)> = Vec::new();
        for at in 0..self.registers.len() {
            let var = self.registers[at].0;
            if self.is_set(&state, var) {
                let value = self.executor.register_of(&state, var);
                next.extend(self.registers[at].1.next(&mut self.executor.terms, &value));
            }
        }
        for (id, slot) in state.memory.iter().enumerate() {
            let (Some(slot), Some(cells)) = (slot, self.cells.get_mut(id)) else { continue };
            let terms = &mut self.executor.terms;
            next.extend(self.alive[id].next(terms, &Value::Bits(slot.alive)));
            if self.layouts[id].as_ref().is_some_and(|it| Rc::ptr_eq(it, &slot.layout)) {
                continue;
            }
            let mut layout = (*slot.layout).clone();
            cells.latches.keys().for_each(|&at| layout.cut(terms, at));
            for (at, cell) in &layout.cells {
                let Some((_, latch)) = cells.latches.get_mut(at) else { continue };
                if let Some(value) = held(terms, latch, cell, ptr_bits) {
                    next.extend(latch.next(terms, &value));
                }
            }
        }
        next.retain(|(var, value)| var != value);
        result.updates = next.iter().map(|(var, value)| (of_var[var], *value)).collect();
        Ok(result)
    }

    /// Soundness: a heap instance that another takes the place of is no longer looked at, so it must
    /// not be one that could leak, on whichever way out of the block.
    fn lost(&mut self, state: &State, result: &mut BlockStep, n: usize) {
        if !self.keeps_heap {
            return;
        }
        let guard = state.guard.term(&mut self.executor.terms);
        for id in n..state.memory.len() {
            let object = self.executor.object_of(id as u32);
            let others = (0..id).filter(|&it| self.executor.object_of(it as u32) == object);
            for other in others.collect::<Vec<_>>() {
                let Some(slot) = &state.memory[other] else { continue };
                let alive = self.executor.terms.and(guard, slot.alive);
                if self.executor.terms.as_const(alive) != Some(0) {
                    let what = "memory is allocated at one place more than once";
                    result.given_up.push((what.into(), alive));
                }
            }
        }
    }
}

/// The registers that are read anywhere.
fn reads(program: &Program) -> Bits {
    let mut read = Bits::new();
    for block in &program.funcs[program.main].blocks {
        let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
        for operand in operands.chain(block.term.operands()) {
            program.exprs.for_each_var(operand, &mut |var| {
                read.insert(var.index());
            });
        }
    }
    read
}

fn rebase(
    executor: &mut Executor,
    pointer: &Pointer,
    moved: &dyn Fn(&Executor, Base) -> Base,
) -> Pointer {
    if pointer.iter().all(|case| moved(executor, case.base) == case.base) {
        return pointer.clone();
    }
    let mut cases: Vec<Case> = Vec::new();
    for case in pointer.iter() {
        let base = moved(executor, case.base);
        // Several may have become one.
        match cases.iter_mut().find(|it| it.base == base) {
            Some(known) => {
                let terms = &mut executor.terms;
                known.offset = terms.ite(case.cond, case.offset, known.offset);
                known.cond = terms.or(case.cond, known.cond);
            }
            None => cases.push(Case { base, ..*case }),
        }
    }
    cases.sort_by_key(|it| it.base);
    cases.into()
}
