//! A walk through all executions of a program: one symbolic state per instance of a block, merged where
//! paths meet (FS section III; the merging is that of Kuznetsov et al., PLDI 2012, at every join). Calls are
//! gone through in place.
//!
//! How loops and recursion are treated is the [`Policy`]'s: it sees each visit of the head of a loop, each
//! way back to one and each call of a function that is already running, and may change the state or
//! end the path there. It may also put what it knows of a function in the place of its calls; such a
//! function is looked at by itself, see [`Walk::run_with`].

use std::collections::BTreeMap;

use hardbop_base::{Exhausted, Idx, IndexVec};
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::{BlockId, Callee, FuncId, Op};

use crate::executor::{Executor, Stance};
use crate::forget::Changes;
use crate::objects::initial_of;
use crate::order::{Key, Order};
use crate::state::{State, merge};

/// A loop by its head.
pub type LoopId = (FuncId, BlockId);

/// The arrival of a path at the head of a loop.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    pub head: LoopId,
    /// How often the head was visited since the loop was reached from outside.
    pub number: u32,
    /// Whether the loop can be left at all.
    pub has_exit: bool,
}

/// What becomes of a call.
pub enum Called {
    /// It is gone through.
    Through(State),
    /// The state after it is already known.
    Over(State),
}

/// How loops and recursion are treated.
pub trait Policy {
    /// What is kept for one running call.
    type Memory: Default;

    /// Before each call of a function with a body.
    fn call(&mut self, _: &mut Executor, _: FuncId, _: &Op, state: State) -> Called {
        Called::Through(state)
    }

    /// A function that is looked at by itself begins, in any state.
    fn begins(&mut self, _: &mut Executor, _: FuncId, _: &mut State) {}

    /// It returns.
    fn returns(&mut self, _: &mut Executor, _: FuncId, _: &mut State) {}

    /// Whether a function may be called that is already running so many times.
    fn recurs(
        &mut self,
        executor: &mut Executor,
        func: FuncId,
        depth: u32,
        state: &State,
    ) -> Result<bool, Exhausted>;

    /// Whether what goes wrong in an instance of a block is asked for. `visits` are the numbers of the
    /// visits of loops around it, outermost first.
    fn stance(&self, visits: impl Iterator<Item = u32>) -> Stance;

    /// All paths of a visit, merged; the state to go on with. The executor's stance is that of the
    /// loops around.
    fn visit(
        &mut self,
        memory: &mut Self::Memory,
        executor: &mut Executor,
        visit: Visit,
        state: State,
    ) -> State;

    /// A path goes back to a head; the state of its next visit, `None` if it ends here. `is_first`
    /// says whether no other path came to that visit before.
    fn back(
        &mut self,
        memory: &mut Self::Memory,
        executor: &mut Executor,
        next: Visit,
        is_first: bool,
        state: State,
    ) -> Result<Option<State>, Exhausted>;

    /// A path leaves a loop.
    fn left(&mut self, memory: &mut Self::Memory, head: BlockId);
}

/// A walk of one executor by one policy.
pub struct Walk<'a, P> {
    pub executor: Executor<'a>,
    pub policy: P,
    /// How often each function is running.
    depth: IndexVec<FuncId, u32>,
}

impl<'a, P: Policy> Walk<'a, P> {
    pub fn new(executor: Executor<'a>, policy: P) -> Self {
        let depth = IndexVec::from_elem(0, executor.program.funcs.len());
        Walk { executor, policy, depth }
    }

    /// Goes through the whole program. The interpreter gives 0 for the parameters of `main`, which are
    /// arbitrary here: a violation that needs other arguments is not confirmed.
    pub fn run(&mut self) -> Result<(), Exhausted> {
        self.run_with(&[], &Changes::default())
    }

    /// Goes first through each of these functions by itself, from any state that the changes may lead to, which are
    /// those of the whole program.
    pub fn run_with(&mut self, alone: &[FuncId], changes: &Changes) -> Result<(), Exhausted> {
        let main = self.executor.program.main;
        self.executor.follows_calls = true;
        let state = self.executor.begin();
        for &func in alone {
            let mut any = self.executor.begin_anywhere(func, &state, changes);
            self.policy.begins(&mut self.executor, func, &mut any);
            self.depth[func] += 1;
            let ended = self.body(func, any)?;
            self.depth[func] -= 1;
            if let Some(mut ended) = ended {
                self.policy.returns(&mut self.executor, func, &mut ended);
            }
            self.executor.forget_frame();
        }
        self.depth[main] += 1;
        self.body(main, state)?;
        Ok(())
    }

    /// Goes through a call to its return; `None` if it does not return.
    fn call(&mut self, func: FuncId, call: &Op, state: State) -> Result<Option<State>, Exhausted> {
        let state = match self.policy.call(&mut self.executor, func, call, state) {
            Called::Through(state) => state,
            Called::Over(state) => return Ok(Some(state)),
        };
        let depth = self.depth[func];
        if depth > 0 && !self.policy.recurs(&mut self.executor, func, depth, &state)? {
            return Ok(None);
        }
        self.depth[func] += 1;
        let (state, suspended) = self.executor.call_begin(call, state);
        let ended = hardbop_base::stack::maybe_grow(256 << 10, 8 << 20, || self.body(func, state))?;
        self.depth[func] -= 1;
        Ok(match ended {
            Some(state) => Some(self.executor.call_end(suspended, state)),
            None => {
                self.executor.forget_frame();
                None
            }
        })
    }

    fn body(&mut self, func: FuncId, state: State) -> Result<Option<State>, Exhausted> {
        let order = self.executor.order(func);
        let around = self.executor.stance;
        let mut pending: BTreeMap<Key, (BlockId, State)> = BTreeMap::new();
        pending.insert(order.entry(), (BlockId::new(0), state));
        let mut memory = P::Memory::default();
        let mut exit: Option<State> = None;
        while let Some((key, (block, mut state))) = pending.pop_first() {
            self.executor.budget.check()?;
            let heads = &order.places[block].heads;
            if heads.last() == Some(&block) {
                self.set_stance(around, numbers(&key).take(heads.len() - 1));
                let visit = visit_of(&order, (func, block), &key);
                state = self.policy.visit(&mut memory, &mut self.executor, visit, state);
            }
            self.set_stance(around, numbers(&key));
            let Some(state) = self.insts(func, block, state)? else { continue };
            for (to, state) in self.executor.leave(func, block, state) {
                let left: Vec<BlockId> = match to {
                    Some(to) => order.left(block, to).collect(),
                    None => heads.clone(),
                };
                left.iter().for_each(|&head| self.policy.left(&mut memory, head));
                // The loops left are the innermost ones. What comes after them is looked at from their
                // other visits.
                let left_visits = numbers(&key).skip(heads.len() - left.len());
                if self.policy.stance(left_visits) == Stance::Assume {
                    continue;
                }
                let Some(to) = to else {
                    exit = Some(match exit.take() {
                        None => state,
                        Some(before) => self.executor.join(before, state, None),
                    });
                    continue;
                };
                let (next, is_back) = order.follow(block, &key, to);
                let mut state = state;
                if is_back {
                    let depth = order.places[to].heads.len();
                    self.set_stance(around, numbers(&key).take(depth - 1));
                    let visit = visit_of(&order, (func, to), &next);
                    let is_first = !pending.contains_key(&next);
                    let executor = &mut self.executor;
                    match self.policy.back(&mut memory, executor, visit, is_first, state)? {
                        Some(it) => state = it,
                        None => continue,
                    }
                }
                let state = match pending.remove(&next) {
                    None => state,
                    Some((_, before)) => self.executor.join(before, state, Some((func, to))),
                };
                pending.insert(next, (to, state));
            }
        }
        self.executor.stance = around;
        Ok(exit)
    }

    fn set_stance(&mut self, around: Stance, visits: impl Iterator<Item = u32>) {
        self.executor.stance = self.policy.stance(visits).within(around);
    }

    /// Runs the instructions of a block; `None` if no execution comes to its end.
    fn insts(
        &mut self,
        func: FuncId,
        block: BlockId,
        state: State,
    ) -> Result<Option<State>, Exhausted> {
        let program = self.executor.program;
        let mut state = state;
        for inst in &program.funcs[func].blocks[block].insts {
            let next = match inst.op {
                Op::Call { callee: Callee::Func(callee), .. } => {
                    self.call(callee, &inst.op, state)?
                }
                _ => self.executor.op(&inst.op, state),
            };
            match next {
                Some(next) if !next.guard.is_false(&mut self.executor.terms) => state = next,
                _ => return Ok(None),
            }
        }
        Ok(Some(state))
    }
}

impl Executor<'_> {
    /// Two paths as one, at a block or where the function returns: what nobody reads again is forgotten.
    fn join(&mut self, a: State, b: State, at: Option<LoopId>) -> State {
        let (program, ptr_bits) = (self.program, self.program.ptr_bits);
        if let Some((func, _)) = at {
            let (held, live) = (&self.held, self.code.live.entry(func));
            live.or_insert_with(|| {
                let mut live = live_in(program, &program.funcs[func]);
                for it in live.iter_mut() {
                    it.union_with(held);
                }
                live
            });
        }
        let live = at.map(|(func, block)| &self.code.live[&func][block]);
        let (terms, registers) = (&mut self.terms, &self.code.registers);
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

/// The numbers of the visits of loops around an instance, outermost first.
fn numbers(key: &[u32]) -> impl Iterator<Item = u32> + '_ {
    key.chunks_exact(2).map(|it| it[1])
}

/// The visit an instance of a head is.
fn visit_of(order: &Order, head: LoopId, key: &[u32]) -> Visit {
    Visit { head, number: key[key.len() - 2], has_exit: order.has_exit[head.1] }
}
