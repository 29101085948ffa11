//! The engine: block after block until every state at the head of a loop is covered by one that was there.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Bits, Budget, Idx, IndexVec};
use hardbop_cir::analysis::holding::held_by_calls;
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::pass::Passes;
use hardbop_cir::{BlockId, Class, Expr, FuncId, ObjKind, Op, Program, Stop, Term, VarId};
use hardbop_engine::Reason;
use hardbop_engine_c::{Options, Report, prepare};

use crate::cover::{covers, united};
use crate::eval::Need;
use crate::state::{Frame, Node, State};
use crate::value::{Bounds, Value, width_of};

/// States at one place and at all, and nodes of one state.
const MAX_STATES: usize = 1500;
const MAX_ALL_STATES: usize = 20_000;
const MAX_NODES: usize = 60;
/// Constants that a register has had at one place before it is any number there.
const MAX_CONSTANTS: usize = 4;
/// States at one place from which on bounds of numbers are forgotten.
const FORGET_BOUNDS: usize = 24;
/// Those from which on it does not matter whether a segment has more than one element.
const RELAX: usize = 20;
/// And those from which on segments that differ in their colours become one.
const UNITE: usize = 40;

/// Tries to prove all checks of the classes asked for.
pub fn check(program: &Program, options: &Options, budget: &Budget) -> Report {
    if let Some(refusal) = Report::of_threads(program, &options.classes) {
        return refusal;
    }
    let (n_states, reason) = match prove(program, &options.classes, budget) {
        Ok(n_states) => (n_states as u32, None),
        Err(reason) => (0, Some(reason)),
    };
    Report::new(program, &options.classes, BTreeMap::new(), reason, n_states)
}

/// The number of states that were enough.
fn prove(original: &Program, classes: &[Class], budget: &Budget) -> Result<usize, Reason> {
    let program = prepare(original, classes, Passes::ALL);
    let is_alloc = |op: &Op| matches!(op, Op::Alloc { .. });
    if !program.insts().any(|(_, _, inst)| is_alloc(&inst.op)) {
        return Err(Reason::Unsupported("there is no memory on the heap to follow".into()));
    }
    let mut search = Search::new(&program);
    let mut todo = vec![start(&program)?];
    while let Some(mut state) = todo.pop() {
        budget.check()?;
        let frame = state.frame();
        let (func, block) = (frame.func, frame.block);
        if frame.at == 0 && search.flow[func].is_join[block] && !search.is_new(&mut state)? {
            continue;
        }
        search.steps(state, &mut todo)?;
    }
    Ok(search.n_states)
}

/// What the graph of a function says.
struct Flow {
    /// Blocks that more than one edge leads to, and those an edge goes back to.
    is_join: IndexVec<BlockId, bool>,
    is_head: IndexVec<BlockId, bool>,
    live: IndexVec<BlockId, Bits>,
}

impl Flow {
    fn of(program: &Program, func: FuncId) -> Flow {
        let body = &program.funcs[func];
        let n = body.blocks.len();
        let mut n_in: IndexVec<BlockId, usize> = IndexVec::from_elem(0, n);
        // Depth-first: an edge to a block that is still open goes back.
        let mut is_head = IndexVec::from_elem(false, n);
        let mut mark: IndexVec<BlockId, u8> = IndexVec::from_elem(0, n);
        let mut stack = vec![(BlockId::new(0), 0)];
        mark[BlockId::new(0)] = 1;
        while let Some(&mut (block, ref mut edge)) = stack.last_mut() {
            let successors = body.blocks[block].term.successors();
            match successors.get(*edge) {
                None => {
                    mark[block] = 2;
                    stack.pop();
                }
                Some(&to) => {
                    *edge += 1;
                    n_in[to] += 1;
                    match mark[to] {
                        0 => {
                            mark[to] = 1;
                            stack.push((to, 0));
                        }
                        1 => is_head[to] = true,
                        _ => {}
                    }
                }
            }
        }
        let is_join = body.blocks.ids().map(|it| n_in[it] > 1 || is_head[it]).collect();
        Flow { is_join, is_head, live: live_in(program, body) }
    }
}

/// Where a state stands: the running calls.
type Place = Vec<(FuncId, BlockId, usize)>;

struct Search<'a> {
    program: &'a Program,
    flow: IndexVec<FuncId, Flow>,
    /// Registers that count where the program ends, while they lead to what is alive.
    held: Bits,
    seen: BTreeMap<Place, Vec<State>>,
    n_states: usize,
    /// Constants that registers have had at heads of loops.
    constants: BTreeMap<(Place, VarId), BTreeSet<u128>>,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program) -> Self {
        let flow = program.funcs.ids().map(|func| Flow::of(program, func)).collect();
        let held = held_by_calls(program);
        let (seen, constants) = (BTreeMap::new(), BTreeMap::new());
        Search { program, flow, held, seen, n_states: 0, constants }
    }

    /// Whether the state, simplified, is not covered by one that was here.
    fn is_new(&mut self, state: &mut State) -> Result<bool, Reason> {
        let place: Place = state.frames.iter().map(|it| (it.func, it.block, it.at)).collect();
        let frame = state.frame_mut();
        let flow = &self.flow[frame.func];
        let (live, is_head) = (&flow.live[frame.block], flow.is_head[frame.block]);
        let mut registers = std::mem::take(&mut frame.registers);
        registers.retain(|var, value| {
            let is_held = self.held.contains(var.index());
            live.contains(var.index()) || is_held && state.is_alive(*value)
        });
        state.frame_mut().registers = registers;
        state.collect();
        let n_seen = self.seen.get(&place).map_or(0, Vec::len);
        if is_head {
            self.widen(&place, state, n_seen > FORGET_BOUNDS);
            state.fold();
            if n_seen > RELAX {
                state.nodes.values_mut().for_each(Node::relax);
            }
            state.collect();
        }
        let is_full = n_seen > MAX_STATES || self.n_states > MAX_ALL_STATES;
        if is_full || state.nodes.len() > MAX_NODES {
            return Err(Reason::Unsupported("lists have too many shapes".into()));
        }
        let seen = self.seen.entry(place).or_default();
        if seen.iter().rev().any(|it| covers(it, state) || is_on(Fault::CoveredTooSoon)) {
            return Ok(false);
        }
        if is_head && n_seen > UNITE {
            for old in seen.iter_mut().rev() {
                if let Some(both) = united(old, state) {
                    *old = both.clone();
                    *state = both;
                    return Ok(true);
                }
            }
        }
        seen.push(state.clone());
        self.n_states += 1;
        Ok(true)
    }

    /// Numbers that go on and on become any number, so that there are few states.
    fn widen(&mut self, place: &Place, state: &mut State, forgets_bounds: bool) {
        let mut held: BTreeSet<u32> = BTreeSet::new();
        let locals = state.frame().registers.iter();
        let all: Vec<(VarId, Value)> =
            state.globals.iter().chain(locals).map(|it| (*it.0, *it.1)).collect();
        for (var, value) in all {
            match (value, width_of(self.program.vars[var].ty)) {
                (Value::Int(bits), Some(width)) => {
                    let known = self.constants.entry((place.clone(), var)).or_default();
                    known.insert(bits);
                    if known.len() > MAX_CONSTANTS {
                        let number = state.number(Bounds::top(width));
                        state.set(self.program, var, number);
                    }
                }
                (Value::Sym(sym), _) => drop(held.insert(sym)),
                _ => {}
            }
        }
        if forgets_bounds {
            for bounds in state.bounds.values_mut() {
                *bounds = Bounds::top(bounds.width);
            }
        }
        // A number that only memory has is as good as any.
        for node in state.nodes.values_mut() {
            for (_, value) in node.fields.values_mut() {
                if matches!(value, Value::Sym(sym) if !held.contains(sym)) {
                    *value = Value::Any;
                }
            }
        }
    }

    /// Executes to the end of the block, or to a call, case by case.
    fn steps(&self, state: State, todo: &mut Vec<State>) -> Result<(), Reason> {
        let program = self.program;
        let mut cases = vec![state];
        while let Some(mut state) = cases.pop() {
            let depth = state.frames.len();
            let frame = state.frame();
            let block = &program.funcs[frame.func].blocks[frame.block];
            let at = frame.at;
            let done = match block.insts.get(at) {
                Some(inst) => {
                    let before = state.clone();
                    match state.run(program, &inst.op) {
                        Ok(goes_on) => {
                            if goes_on {
                                state.frames[depth - 1].at = at + 1;
                                match state.frames.len() > depth {
                                    true => todo.push(state),
                                    false => cases.push(state),
                                }
                            }
                            Ok(())
                        }
                        Err(need) => Err((before, need)),
                    }
                }
                None => self.end(&state, &block.term, todo).map_err(|need| (state, need)),
            };
            match done {
                Ok(()) => {}
                Err((before, Need::Unfold(node, end))) => cases.extend(before.unfold(node, end)),
                Err((_, Need::Stuck(what))) => return Err(Reason::Unsupported(what.to_string())),
            }
        }
        Ok(())
    }

    /// The end of a block.
    fn end(&self, state: &State, term: &Term, todo: &mut Vec<State>) -> Result<(), Need> {
        let program = self.program;
        let to = |mut state: State, block: BlockId| {
            let frame = state.frame_mut();
            (frame.block, frame.at) = (block, 0);
            state
        };
        let mut next = Vec::new();
        match term {
            Term::Goto(block) => next.push(to(state.clone(), *block)),
            Term::Branch { cond, yes, no } => {
                for (wanted, block) in [(true, *yes), (false, *no)] {
                    let mut state = state.clone();
                    if state.assume(program, *cond, wanted)? {
                        next.push(to(state, block));
                    }
                }
            }
            Term::Switch { value, cases, default } => {
                let mut state = state.clone();
                let chosen = state.eval(program, *value)?;
                let may_be = |number: u128| match chosen {
                    Value::Int(it) => it == number,
                    Value::Sym(sym) => state.bounds.get(&sym).is_none_or(|it| it.allows(number)),
                    _ => true,
                };
                for &(number, block) in cases.iter().filter(|it| may_be(it.0)) {
                    let mut case = state.clone();
                    if let (Value::Sym(sym), Expr::Var(_)) = (chosen, program.exprs.get(*value)) {
                        case.fix(sym, number);
                    }
                    next.push(to(case, block));
                }
                let is_listed =
                    matches!(chosen, Value::Int(it) if cases.iter().any(|case| case.0 == it));
                if !is_listed {
                    next.push(to(state, *default));
                }
            }
            Term::Return(value) => {
                let mut state = state.clone();
                let value = match value {
                    Some(value) => Some(state.eval(program, *value)?),
                    None => None,
                };
                state.leave(program, value);
                if !state.frames.is_empty() {
                    next.push(state);
                }
            }
            Term::Stop(Stop::Unsupported(what)) => return Err(Need::Stuck(what.clone())),
            Term::Stop(Stop::Thread(_)) => return Err(Need::Stuck("a thread".into())),
            Term::Stop(Stop::Exit(_) | Stop::Abort | Stop::Unreachable) => {}
        }
        todo.extend(next);
        Ok(())
    }
}

/// The state before the first instruction.
fn start(program: &Program) -> Result<State, Reason> {
    let mut state = State { ptr_bits: program.ptr_bits, ..State::default() };
    state.frames.push(Frame {
        func: program.main,
        block: BlockId::new(0),
        at: 0,
        registers: BTreeMap::new(),
        objects: BTreeMap::new(),
        result: None,
    });
    for (id, object) in program.objects.iter_enumerated() {
        if object.kind == ObjKind::Global {
            let node = state.add_node(Node {
                size: object.size.unwrap_or(0),
                is_heap: false,
                is_const: object.is_const,
                is_alive: true,
                is_zero: true,
                fields: BTreeMap::new(),
                segment: None,
            });
            state.statics.insert(id, node);
        }
    }
    let failed = |need: Need| match need {
        Need::Stuck(what) => Reason::Unsupported(what.to_string()),
        Need::Unfold(..) => Reason::Unsupported("a first value".into()),
    };
    for (id, object) in program.objects.iter_enumerated() {
        let Some(&node) = state.statics.get(&id) else { continue };
        for init in &object.init {
            let value = state.eval(program, init.value).map_err(failed)?;
            // As a store: a later one may have bytes of an earlier one.
            state.write(program, node, init.offset, program.exprs.ty(init.value), value);
        }
    }
    for (id, var) in program.vars.iter_enumerated().filter(|it| it.1.owner.is_none()) {
        let value = match var.init {
            Some(init) => state.eval(program, init).map_err(failed)?,
            None if matches!(var.ty, hardbop_cir::Ty::Float(_)) => Value::Any,
            None => Value::Int(0),
        };
        state.globals.insert(id, value);
    }
    Ok(state)
}
