//! The executor: a program, the terms its states are made of, and what was found out on the way.

use std::rc::Rc;
use std::time::Duration;

use hardbop_base::{Bits, Budget, Exhausted, Idx, IndexVec, Name};
use hardbop_cir::analysis::holding::held_by_calls;
use hardbop_cir::{BlockId, CheckId, Class, FuncId, ObjId, ObjKind, Program, VarId};
use hardbop_engine_c::Values;
use hardbop_smt::{Answer, Solver, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::access::MAX_CHOICES;
use crate::addresses::Addresses;
use crate::chunks::Chunks;
use crate::going_on::Passed;
use crate::layout::Content;
use crate::order::Order;
use crate::places::FewValues;
use crate::state::{Guard, State};
use crate::value::{Base, Value, pointer};

/// Of an array with more elements it is noted what is where, see [`Executor::with_notes`].
const FEW_CHOICES: u64 = 16;

/// How much the states that are executed know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// Those of real executions from the start on: a pointer of unknown base never had a value, so it
    /// points to nothing of the program's.
    Whole,
    /// States may have forgotten where a pointer points: from the start on, or since contents were forgotten.
    Partial,
}

/// What is done about things that go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stance {
    /// They are collected.
    Ask,
    /// They are taken not to happen.
    Assume,
}

impl Stance {
    /// Inside something that is assumed, all is.
    pub fn within(self, outer: Stance) -> Stance {
        match outer {
            Stance::Assume => Stance::Assume,
            Stance::Ask => self,
        }
    }
}

/// What was found out; conditions are over the terms of the states execution began with.
#[derive(Default)]
pub struct Facts {
    /// Where checks fail.
    pub fails: Vec<(CheckId, TermId)>,
    /// Checks that are not modelled, where they are reached.
    pub unasked: Vec<(CheckId, TermId)>,
    /// Where checks are reached, if that is asked for.
    pub visits: Option<Vec<(CheckId, TermId)>>,
    /// Where a path could not be followed, with the reason.
    pub given_up: Vec<(Name, TermId)>,
    /// That a text from outside is short: what a longer one holds behind its first bytes no run is told.
    pub short_texts: Vec<TermId>,
}

/// Where checks fail, and where a path could not be followed.
type Wrong = (Vec<(CheckId, TermId)>, Vec<(Name, TermId)>);

impl Facts {
    /// The facts of a part of the program: a check that is not modelled is a path given up.
    pub(crate) fn take_part(&mut self) -> Wrong {
        let not_modelled = Name::from("the condition of a check is not modelled");
        let unasked = std::mem::take(&mut self.unasked).into_iter();
        let mut given_up = std::mem::take(&mut self.given_up);
        given_up.extend(unasked.map(|(_, guard)| (not_modelled.clone(), guard)));
        (std::mem::take(&mut self.fails), given_up)
    }
}

/// An arbitrary value an execution asks for, in the order of execution on each path.
pub struct Input {
    pub guard: TermId,
    /// The register it goes to.
    pub var: VarId,
    /// `None` for pointers.
    pub term: Option<TermId>,
    /// An input of the program, not a variable or result without a value.
    pub is_input: bool,
}

/// Where the registers of a function are, and what was found out about its blocks.
pub(crate) struct Code {
    /// The place of a register among those of its function.
    pub slots: IndexVec<VarId, usize>,
    pub registers: IndexVec<FuncId, Vec<VarId>>,
    orders: FxHashMap<FuncId, Rc<Order>>,
    /// What may still be read at each block, for functions where paths met.
    pub live: FxHashMap<FuncId, IndexVec<BlockId, Bits>>,
}

impl Code {
    fn of(program: &Program) -> Code {
        let mut registers = IndexVec::from_elem(Vec::new(), program.funcs.len());
        let mut slots = IndexVec::from_elem(0, program.vars.len());
        for (id, var) in program.vars.iter_enumerated() {
            if let Some(owner) = var.owner {
                let here: &mut Vec<VarId> = &mut registers[owner];
                slots[id] = here.len();
                here.push(id);
            }
        }
        Code { slots, registers, orders: FxHashMap::default(), live: FxHashMap::default() }
    }
}

/// A running call.
pub(crate) struct Frame {
    pub func: FuncId,
    /// The values registers have before their first assignment, as far as they were asked for.
    pub initial: FxHashMap<usize, Value>,
    /// Its registers while it waits for a call.
    pub waiting: Chunks<Option<Value>>,
}

impl Frame {
    pub fn of(func: FuncId) -> Frame {
        Frame { func, initial: FxHashMap::default(), waiting: Chunks::default() }
    }
}

/// What an object is on one path: a local one for each time its block is entered, a heap one for each
/// allocation.
pub(crate) struct Instance {
    pub object: ObjId,
    /// Bytes, as wide as a pointer.
    pub size: TermId,
    pub is_heap: bool,
    pub is_const: bool,
    /// Where it was made.
    pub made: TermId,
    pub role: Role,
}

/// What the bytes of an instance are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// They are the program's. In the bytes of the shadow, if there is one, all bits are set where a byte
    /// has been written.
    Object {
        shadow: Option<u32>,
    },
    Shadow,
}

/// Numbers of `f32` with the same value as `f64`, both ways.
#[derive(Default)]
pub(crate) struct Floats {
    pub wide: FxHashMap<TermId, TermId>,
    pub slim: FxHashMap<TermId, TermId>,
}

pub struct Executor<'a> {
    pub program: &'a Program,
    pub classes: &'a [Class],
    pub budget: &'a Budget,
    pub terms: Terms,
    pub solver: Solver,
    pub facts: Facts,
    /// Of what is executed next.
    pub stance: Stance,
    /// Branches that went both ways.
    pub n_splits: u64,
    pub(crate) knowledge: Knowledge,
    /// Whether paths go on where it is not known whether a check holds.
    pub(crate) goes_on: bool,
    /// Checks of pointers of unknown base that such paths have come past.
    pub(crate) passed: Vec<Passed>,
    /// Whether instances have shadows.
    pub(crate) has_shadows: bool,
    /// Whether all registers of running calls are known.
    pub(crate) follows_calls: bool,
    /// The registers that memory may be held by where the program ends inside a call.
    pub(crate) held: Bits,
    /// Places that an access at an unknown place of an array chooses from; of a longer one it is noted what is where.
    pub(crate) max_choices: u64,
    pub(crate) code: Code,
    pub(crate) frames: Vec<Frame>,
    pub(crate) instances: Vec<Instance>,
    /// The instances of global objects.
    pub(crate) statics: FxHashMap<ObjId, u32>,
    pub(crate) addresses: Addresses,
    pub(crate) few_values: FewValues,
    pub(crate) floats: Floats,
    pub(crate) inputs: Vec<Input>,
}

impl<'a> Executor<'a> {
    pub fn new(
        program: &'a Program,
        classes: &'a [Class],
        knowledge: Knowledge,
        budget: &'a Budget,
    ) -> Self {
        Executor {
            program,
            classes,
            budget,
            terms: Terms::new(),
            solver: Solver::default(),
            facts: Facts::default(),
            stance: Stance::Ask,
            n_splits: 0,
            knowledge,
            goes_on: false,
            passed: Vec::new(),
            has_shadows: classes.contains(&Class::Uninit),
            follows_calls: false,
            held: match classes.contains(&Class::Leak) {
                true => held_by_calls(program),
                false => Bits::new(),
            },
            max_choices: MAX_CHOICES as u64,
            code: Code::of(program),
            frames: Vec::new(),
            instances: Vec::new(),
            statics: FxHashMap::default(),
            addresses: Addresses::default(),
            few_values: FewValues::default(),
            floats: Floats::default(),
            inputs: Vec::new(),
        }
    }

    /// The same for those who cannot carry what has been written from state to state: checks that ask for
    /// it are not modelled.
    pub fn without_shadows(self) -> Self {
        Executor { has_shadows: false, ..self }
    }

    /// The same that chooses from few places only: for induction, where more than a few bytes of an array are seldom known.
    pub fn with_notes(self) -> Self {
        Executor { max_choices: FEW_CHOICES, ..self }
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
        for (id, init) in program.first_values() {
            let value = self.eval(&state, init.value);
            let offset = self.bytes(init.offset);
            let to = pointer(&mut self.terms, Base::Instance(self.statics[&id]), offset);
            self.store(&mut state, &to, &value, program.exprs.ty(init.value));
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

    pub(crate) fn order(&mut self, func: FuncId) -> Rc<Order> {
        let program = self.program;
        let order = self.code.orders.entry(func);
        order.or_insert_with(|| Rc::new(Order::of(&program.funcs[func]))).clone()
    }

    /// The condition under which a state is there.
    pub fn guard(&mut self, state: &State) -> TermId {
        state.guard.term(&mut self.terms)
    }

    /// Whether some execution may be in this state, as far as a short question tells: the answer only
    /// saves work.
    pub fn may_exist(&mut self, state: &State) -> Result<bool, Exhausted> {
        let guard = self.guard(state);
        if self.terms.as_const(guard) == Some(1) {
            return Ok(true);
        }
        let most = Duration::from_millis(500);
        let short = self.budget.time_left().map_or(most, |left| (left / 10).min(most));
        let short = self.budget.clone().with_time(short);
        match self.solver.check(&mut self.terms, &[guard], &short) {
            Answer::Unsat(_) => return Ok(false),
            Answer::Sat => {}
            Answer::Unknown(_) => self.budget.check()?,
        }
        Ok(true)
    }

    /// The values the last model gives to what the executions ask for: the inputs of the program, or
    /// all arbitrary values; and to addresses.
    pub fn values_of_model(&self, fixes_all: bool) -> Values {
        let mut evaluator = self.solver.evaluator(&self.terms);
        let mut values = Values { fixes_all, placed: self.placed_of_model(), ..Values::default() };
        for input in self.inputs.iter().filter(|it| it.is_input || fixes_all) {
            if evaluator.value(input.guard) == 1 {
                let value = input.term.map_or(0, |it| evaluator.value(it));
                values.by_register.entry(input.var).or_default().push(value);
            }
        }
        values
    }
}
