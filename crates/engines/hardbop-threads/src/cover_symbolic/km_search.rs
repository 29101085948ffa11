//! Forward coverability over product states: BOOM algorithms 8.1 to 8.3.
//!
//! **Computes** a finite set of product states with ω ([`omega`](crate::cover_symbolic::omega)) whose union is the set of
//! states that can be covered, any number of threads being allowed, up to values that cannot matter any
//! more. Threads are followed as the engine `counter` does ([`set_moves`](crate::symbolic::set_moves)): by leaps, if
//! there are no broadcasts.
//!
//! **Invariant.** For every node τ, every ancestor α of τ and every state of τ, there is a state of α
//! from which it, or a larger one, can be reached. For a plain successor this is so because products
//! stay exact: a successor holds nothing but images, and what was there before and can stay. So it is for
//! what is left of one, and for the normal form. It is *not* so for the union of two successors of different nodes:
//! they are not merged.
//!
//! **Why sets may be accelerated as a whole.** Let α = ⟨S, F⟩ be an ancestor of τ = ⟨S', F' + G⟩ with
//! S ⊆ S' and F ⊆ F'. Take a state of F' with threads g₁, …, gₖ of G, as many as one likes. By the
//! invariant it is reached, gₖ with it, from a state of α beside g₁, …, gₖ₋₁; that state of α is one of ⟨S', F'⟩,
//! so it is again reached, gₖ₋₁ with it, from a state of α beside g₁, …, gₖ₋₂; and so on, down to a state of α
//! alone. Hence any number of threads may be in G: nothing has to be split, and S = S', which BOOM asks
//! for, is not needed. The other direction, S' ⊊ S, would be wrong: the loop may not come back to where it
//! can be entered. It comes back smaller, and the next round is compared with this one.
//!
//! **Steps that leave the shared values as they are.** If a step from L to L' keeps every shared value, each of
//! the n threads of (L, n) can take it or not, whatever the others do, at the shared values that allow
//! it: the successor is ⟨S', …, (L ∪ L', n)⟩ instead of one with a single thread in L'. For Ω this is the early
//! ω of algorithm 8.2. For counted threads BOOM has nothing of the kind, and keeps one state for each way to
//! distribute n threads over the places between two writes; here that is one state.
//!
//! **It ends.** There are finitely many sets. On an infinite path infinitely many nodes would have the same S,
//! Ω and holder, and among them two with F ≤ F'; either the later one is dropped, or Ω grows, which
//! happens finitely often because no step makes it smaller. A broadcast does, and moves what was gained:
//! a loop with one is not accelerated, and the search need not end.
//!
//! **Departures.** A successor loses the shared values that single larger states have; BOOM drops it only as
//! a whole. Nothing else is removed from the tree but what has not been looked at.
//!
//! Read [`KmSearch::run`], `expand`, `add`, `accelerate`.

use std::collections::VecDeque;

use crate::counted::counters::{Counters, LocalId};
use crate::counted::explore::AtBound;
use hardbop_base::budget::Meter;
use hardbop_base::{Budget, Exhausted, Idx, define_id};
use hardbop_cfg::Goal;
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_engine::{GoalSite, InitialThreads, RunCtx};

use crate::cover_symbolic::maximal::Maximal;
use crate::cover_symbolic::omega::{OmegaState, Order};
use crate::symbolic::history::threads;
use crate::symbolic::set_moves::{Follow, Move, SetMoves, Standing};
use crate::symbolic::template::Template;

define_id!(
    /// A node of the tree.
    NodeId, "n"
);

/// A search: what was found.
#[derive(Debug)]
pub struct KmSearch<'a> {
    pub moves: SetMoves<'a>,
    pub maximal: Maximal,
    order: Order,
    nodes: Vec<Node>,
    work: VecDeque<NodeId>,
    /// stats
    pub n_accelerated: u64,
}

#[derive(Debug)]
struct Node {
    state: OmegaState,
    parent: Option<NodeId>,
    /// Broadcasts on the way from the root.
    n_broadcasts: u32,
    /// A larger node was found before this one was looked at.
    redundant: bool,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mover {
    /// The thread that holds the flag.
    Holder,
    /// One of a limited number.
    Counted,
    /// One of Ω.
    Any,
}

impl<'a> KmSearch<'a> {
    pub fn new(template: Template<'a>, budget: &Budget) -> Self {
        let follow = if template.program.has_broadcasts() { Follow::Steps } else { Follow::Leaps };
        KmSearch {
            // There is always room, so that it concerns nobody when a thread ends.
            moves: SetMoves::new(template, follow, AtBound::Cut, false, budget),
            maximal: Maximal::default(),
            order: Order::default(),
            nodes: Vec::new(),
            work: VecDeque::new(),
            n_accelerated: 0,
        }
    }

    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Explores up to the first goal, or everything.
    pub fn run(
        &mut self,
        initial: InitialThreads,
        goal: &Goal,
        exhaustive: bool,
        ctx: &RunCtx,
    ) -> Result<(), Exhausted> {
        let dd = self.moves.template.dd;
        self.start(initial, goal)?;
        let mut meter = ctx.budget.meter(64);
        while let Some(id) = self.next() {
            if self.moves.found.is_some() && !exhaustive {
                break;
            }
            if self.nodes[id.index()].redundant {
                continue;
            }
            meter.tick()?;
            ctx.progress.set_found(self.nodes.len() as u64);
            ctx.progress.set_waiting(self.work.len() as u64);
            self.expand(id, goal, &mut meter)?;
            dd.maybe_gc();
        }
        Ok(())
    }

    /// Deepest first, because there ω is found. Where a path need not end, each gets its turn, so that a
    /// goal is found at some time.
    fn next(&mut self) -> Option<NodeId> {
        match self.moves.follow {
            Follow::Leaps => self.work.pop_back(),
            Follow::Steps => self.work.pop_front(),
        }
    }

    fn start(&mut self, initial: InitialThreads, goal: &Goal) -> Result<(), Exhausted> {
        let nobody = self.moves.sets.id(self.moves.template.dd, Vec::new());
        for (shared, local) in self.moves.initial(goal)? {
            let mut first = threads(None, Vec::new());
            let omega = match initial {
                InitialThreads::Unbounded => local,
                InitialThreads::Count(n) => {
                    first.add(local, n);
                    nobody
                }
            };
            self.add(None, 0, &shared, &first, omega)?;
        }
        Ok(())
    }

    fn expand(&mut self, id: NodeId, goal: &Goal, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let OmegaState { threads: state, omega, .. } = self.nodes[id.index()].state.clone();
        let counted: Vec<LocalId> = state.counts.iter().map(|it| it.0).collect();
        for local in state.holder.into_iter().chain(counted.iter().copied()).chain([omega]) {
            for (pc, _) in self.moves.sets.get(local).iter() {
                if let Some(site) = self.moves.arrive(*pc, goal) {
                    self.moves.found.get_or_insert(site);
                }
            }
        }
        let mut others = threads(None, state.counts.clone());
        if let Some(holder) = state.holder {
            // Only the holder of the flag runs while it is held.
            return self.steps_of(id, Mover::Holder, holder, &others, goal, meter);
        }
        for mover in counted {
            others.counts.clone_from(&state.counts);
            others.take(mover);
            self.steps_of(id, Mover::Counted, mover, &others, goal, meter)?;
        }
        // Place by place: then what is known of a place serves every Ω that has it.
        for point in self.moves.sets.get(omega).iter() {
            let mover = self.moves.sets.id(self.moves.template.dd, vec![point.clone()]);
            self.steps_of(id, Mover::Any, mover, &state, goal, meter)?;
        }
        Ok(())
    }

    /// The steps of one thread of the set `local`, beside the others.
    fn steps_of(
        &mut self,
        id: NodeId,
        mover: Mover,
        local: LocalId,
        others: &Counters,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let held = mover == Mover::Holder;
        let shared = self.nodes[id.index()].state.shared.clone();
        let known = self.moves.moves_of(&shared, local, Standing { held, is_full: false }, goal)?;
        for &edge in &known.failures {
            if self.moves.reached.failed.insert(edge) && *goal == Goal::Assert {
                self.moves.found.get_or_insert(GoalSite::Assert(edge));
            }
        }
        for it in &known.moves {
            meter.tick()?;
            self.step(id, mover, local, others, it)?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        id: NodeId,
        mover: Mover,
        local: LocalId,
        others: &Counters,
        it: &Move,
    ) -> Result<(), Exhausted> {
        let mut next = others.clone();
        let OmegaState { mut omega, .. } = self.nodes[id.index()].state;
        let mut n_broadcasts = self.nodes[id.index()].n_broadcasts;
        if let Some(broadcast) = it.broadcast {
            next = self.moves.after_broadcast(others, broadcast)?;
            omega = self.moves.reaction(broadcast, omega)?;
            n_broadcasts += 1;
        }
        let holds = it.flag.unwrap_or(mover == Mover::Holder);
        if holds {
            next.holder = it.to;
        }
        for to in it.to.filter(|_| !holds).into_iter().chain(it.started) {
            match mover {
                Mover::Any if it.keeps_shared => omega = self.union(omega, to)?,
                Mover::Counted if it.keeps_shared && it.started.is_none() => {
                    let n = 1 + take_all(&mut next, local);
                    next.add(self.union(local, to)?, n);
                }
                _ => next.add(to, 1),
            }
        }
        self.add(Some(id), n_broadcasts, &it.shared, &next, omega)
    }

    fn union(&mut self, a: LocalId, b: LocalId) -> Result<LocalId, OutOfNodes> {
        self.order.union(self.moves.template.dd, &mut self.moves.sets, a, b)
    }

    /// Adds a node, unless larger ones are there.
    fn add(
        &mut self,
        parent: Option<NodeId>,
        n_broadcasts: u32,
        shared: &Dd,
        threads: &Counters,
        omega: LocalId,
    ) -> Result<(), Exhausted> {
        let dd = self.moves.template.dd;
        let sets = &mut self.moves.sets;
        let mut state = self.order.state(dd, sets, shared.clone(), threads, omega)?;
        let mut left = self.maximal.uncovered(dd, sets, &mut self.order, &state)?;
        if dd.is_false(&left) {
            return Ok(());
        }
        if self.accelerate(parent, n_broadcasts, &mut state)? {
            let sets = &mut self.moves.sets;
            left = self.maximal.uncovered(dd, sets, &mut self.order, &state)?;
            if dd.is_false(&left) {
                return Ok(());
            }
        }
        state.shared = left;
        let id = NodeId::new(self.nodes.len());
        let sets = &mut self.moves.sets;
        let redundant =
            self.maximal.insert(dd, sets, &mut self.order, state.clone(), id.as_u32())?;
        redundant.into_iter().for_each(|it| self.nodes[it as usize].redundant = true);
        self.nodes.push(Node { state, parent, n_broadcasts, redundant: false });
        self.work.push_back(id);
        Ok(())
    }

    /// Any number of threads where the state has more than one of the nodes it comes from; whether
    /// that is so anywhere.
    fn accelerate(
        &mut self,
        parent: Option<NodeId>,
        n_broadcasts: u32,
        state: &mut OmegaState,
    ) -> Result<bool, Exhausted> {
        let dd = self.moves.template.dd;
        let sets = &mut self.moves.sets;
        let mut changed = false;
        let mut at = parent;
        while let Some(id) = at
            && !state.threads.counts.is_empty()
        {
            let node = &self.nodes[id.index()];
            // Soundness: what a broadcast moves does not grow where it was gained.
            if node.n_broadcasts != n_broadcasts {
                break;
            }
            at = node.parent;
            if !state.may_include(&node.state) || !dd.leq(&node.state.shared, &state.shared) {
                continue;
            }
            let beyond = self.order.beyond(dd, sets, state, &node.state)?.unwrap_or_default();
            if beyond.is_empty() {
                continue;
            }
            let mut omega = state.omega;
            for (local, _) in beyond {
                omega = self.order.union(dd, sets, omega, local)?;
            }
            let shared = state.shared.clone();
            *state = self.order.state(dd, sets, shared, &state.threads, omega)?;
            self.n_accelerated += 1;
            changed = true;
            // What did not fit before may fit now.
            at = parent;
        }
        Ok(changed)
    }
}

/// Removes all threads of a set; returns how many.
fn take_all(threads: &mut Counters, local: LocalId) -> u32 {
    let mut n = 0;
    while threads.take(local) {
        n += 1;
    }
    n
}
