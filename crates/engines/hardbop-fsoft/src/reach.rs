//! Reachability by decision diagrams with a disjunctively partitioned image (FS section IV-B).
//!
//! The set of reachable states is kept for each block: the program counter is no variable, and the
//! image is the union over the edges between blocks, each of which touches the words its block
//! writes and leaves the rest alone. What no later block reads is quantified away on the edge.
//! Search is breadth first, so a violation is found at its least depth.
//!
//! Invariant kept: `reached[b]` has all states in which control comes to `b` within the steps taken,
//! with dead words arbitrary, and `frontier[b]` those that came last.

use hardbop_base::{Budget, Exhausted, Idx, IndexVec, Name};
use hardbop_cir::{BlockId, CheckId};
use hardbop_dd::{Cube, Dd, Level, Limits, Manager, Renaming};
use hardbop_sat::Term;
use hardbop_sat::aig::Node;
use hardbop_smt::TermId;
use rustc_hash::FxHashMap;

use crate::circuit::Circuit;

/// What the search found.
pub struct Found {
    /// The checks that fail, with the least number of steps before.
    pub fails: Vec<(CheckId, u32)>,
    /// Something we could not follow is reached, in this block.
    pub given_up: Option<(Name, BlockId)>,
    /// Steps until nothing new came.
    pub depth: u32,
    pub n_nodes: usize,
}

/// Explores all states, or up to the first depth where a check fails if that is enough.
pub fn reach(
    circuit: &Circuit,
    stop_at_first: bool,
    limits: Limits,
    budget: &Budget,
) -> Result<Found, Exhausted> {
    let mut search = Search::new(circuit, limits)?;
    let mut found = Found { fails: Vec::new(), given_up: None, depth: 0, n_nodes: 0 };
    budget.progress().count("diagram nodes", "depth");
    while !search.frontier.is_empty() {
        budget.check()?;
        search.look(&mut found)?;
        if stop_at_first && !found.fails.is_empty() {
            break;
        }
        search.step(budget)?;
        found.depth += 1;
        budget.progress().set_round(found.depth as u64);
        budget.progress().set_found(search.manager.n_nodes() as u64);
        search.manager.maybe_gc();
    }
    found.n_nodes = search.manager.n_nodes();
    Ok(found)
}

struct Search<'a> {
    circuit: &'a Circuit,
    manager: Manager,
    /// Of the bits of words and inputs, by node of the graph.
    levels: FxHashMap<u32, Level>,
    /// By word: the levels of the present and of the next values.
    present: Vec<Vec<Level>>,
    next: Vec<Vec<Level>>,
    to_present: Renaming,
    /// By level: whether it is the present value of a bit of state.
    is_word: Vec<bool>,
    reached: IndexVec<BlockId, Dd>,
    frontier: Vec<(BlockId, Dd)>,
    edges: FxHashMap<(BlockId, BlockId), Edge>,
    fails: FxHashMap<BlockId, Vec<(CheckId, Dd)>>,
    given_up: FxHashMap<BlockId, Vec<(Name, Dd)>>,
}

/// The part of the transition relation that belongs to one edge between blocks.
struct Edge {
    /// Condition and new values.
    relation: Dd,
    /// Present values that are written over or no longer needed, and inputs.
    gone: Cube,
}

impl<'a> Search<'a> {
    fn new(circuit: &'a Circuit, limits: Limits) -> Result<Search<'a>, Exhausted> {
        let order = Order::of(circuit);
        let manager = Manager::new(order.n_levels, limits);
        let pairs = order.present.iter().flatten().zip(order.next.iter().flatten());
        let to_present = Renaming::new(pairs.map(|(&present, &next)| (next, present)));
        let mut is_word = vec![false; order.n_levels];
        order.present.iter().flatten().for_each(|it| is_word[it.index()] = true);
        let mut first = manager.one().clone();
        for (word, levels) in circuit.words.iter().zip(&order.present) {
            if let Some(value) = word.first {
                let bits = (0..).zip(levels).map(|(at, &level)| (level, value >> at & 1 == 1));
                let here = manager.product(&bits.collect::<Vec<_>>())?;
                first = manager.and(&first, &here)?;
            }
        }
        let mut reached = IndexVec::from_elem(manager.zero().clone(), circuit.blocks.len());
        let entry = BlockId::new(0);
        reached[entry] = first.clone();
        Ok(Search {
            circuit,
            levels: order.levels,
            present: order.present,
            next: order.next,
            to_present,
            is_word,
            reached,
            frontier: vec![(entry, first)],
            edges: FxHashMap::default(),
            fails: FxHashMap::default(),
            given_up: FxHashMap::default(),
            manager,
        })
    }

    /// What goes wrong in the states that came last.
    fn look(&mut self, found: &mut Found) -> Result<(), Exhausted> {
        for at in 0..self.frontier.len() {
            let (block, states) = self.frontier[at].clone();
            self.prepare(block)?;
            for (check, cond) in &self.fails[&block] {
                let is_new = found.fails.iter().all(|it| it.0 != *check);
                if is_new && !self.manager.is_false(&self.manager.and(&states, cond)?) {
                    found.fails.push((*check, found.depth));
                }
            }
            for (why, cond) in &self.given_up[&block] {
                if found.given_up.is_none()
                    && !self.manager.is_false(&self.manager.and(&states, cond)?)
                {
                    found.given_up = Some((why.clone(), block));
                }
            }
        }
        Ok(())
    }

    /// The image of the frontier, edge by edge.
    fn step(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let frontier = std::mem::take(&mut self.frontier);
        let zero = self.manager.zero().clone();
        let mut new: IndexVec<BlockId, Dd> = IndexVec::from_elem(zero, self.reached.len());
        for (block, states) in frontier {
            for at in 0..self.circuit.blocks[block].edges.len() {
                budget.check()?;
                let (to, guard) = self.circuit.blocks[block].edges[at];
                // Two edges may lead to one block: their number tells them apart.
                let key = (block, BlockId::new(at));
                if !self.edges.contains_key(&key) {
                    let edge = self.edge(block, to, guard)?;
                    self.edges.insert(key, edge);
                }
                let edge = &self.edges[&key];
                let manager = &self.manager;
                let image = manager.and_exists(&states, &edge.relation, &edge.gone)?;
                let image = manager.rename(&image, &self.to_present)?;
                let image = manager.minus(&image, &self.reached[to])?;
                new[to] = manager.or(&new[to], &image)?;
            }
        }
        for (block, states) in new.iter_enumerated() {
            if !self.manager.is_false(states) {
                self.reached[block] = self.manager.or(&self.reached[block], states)?;
                self.frontier.push((block, states.clone()));
            }
        }
        Ok(())
    }

    /// The conditions of a block, built when control first comes there.
    fn prepare(&mut self, id: BlockId) -> Result<(), Exhausted> {
        if self.fails.contains_key(&id) {
            return Ok(());
        }
        let block = &self.circuit.blocks[id];
        let mut diagrams = self.diagrams();
        let mut fails = Vec::new();
        for (check, cond) in &block.fails {
            fails.push((*check, diagrams.of(*cond)?));
        }
        let mut given_up = Vec::new();
        for (why, cond) in &block.given_up {
            given_up.push((why.clone(), diagrams.of(*cond)?));
        }
        self.fails.insert(id, fails);
        self.given_up.insert(id, given_up);
        Ok(())
    }

    fn diagrams(&self) -> Diagrams<'_> {
        let done = FxHashMap::default();
        Diagrams { circuit: self.circuit, manager: &self.manager, levels: &self.levels, done }
    }

    fn edge(&self, from: BlockId, to: BlockId, guard: Term) -> Result<Edge, Exhausted> {
        let (manager, block) = (&self.manager, &self.circuit.blocks[from]);
        let mut diagrams = self.diagrams();
        let mut relation = diagrams.of(guard)?;
        let live = &self.circuit.blocks[to].live;
        let is_live = |word: usize| {
            self.circuit.words[word].register.is_none_or(|it| live.contains(it.index()))
        };
        let mut gone: Vec<Level> = Vec::new();
        for (word, bits) in &block.updates {
            gone.extend(&self.present[*word]);
            if is_live(*word) {
                for (&bit, &level) in bits.iter().zip(&self.next[*word]) {
                    let new = diagrams.of(bit)?;
                    let same = manager.iff(&manager.var(level)?, &new)?;
                    relation = manager.and(&relation, &same)?;
                }
            }
        }
        for word in (0..self.circuit.words.len()).filter(|&it| !is_live(it)) {
            gone.extend(&self.present[word]);
        }
        gone.extend(diagrams.inputs().filter(|it| !self.is_word[it.index()]));
        Ok(Edge { relation, gone: manager.cube(gone)? })
    }
}

/// Diagrams of the nodes of the graph.
struct Diagrams<'a> {
    circuit: &'a Circuit,
    manager: &'a Manager,
    levels: &'a FxHashMap<u32, Level>,
    done: FxHashMap<u32, Dd>,
}

impl Diagrams<'_> {
    fn of(&mut self, term: Term) -> Result<Dd, Exhausted> {
        let mut todo = vec![term.node()];
        while let Some(&node) = todo.last() {
            if self.done.contains_key(&node) {
                todo.pop();
                continue;
            }
            let result = match self.circuit.aig.node(node) {
                Node::False => self.manager.zero().clone(),
                Node::Input => self.manager.var(self.levels[&node])?,
                Node::And(a, b) => match (self.known(a), self.known(b)) {
                    (Some(a), Some(b)) => self.manager.and(&a, &b)?,
                    (known, _) => {
                        todo.push(if known.is_none() { a.node() } else { b.node() });
                        continue;
                    }
                },
            };
            self.done.insert(node, result);
            todo.pop();
        }
        // Soundness: an empty set in its place would hide states.
        Ok(self.known(term).expect("the diagram of a node is built before it is asked for"))
    }

    /// The levels of the variables that occurred.
    fn inputs(&self) -> impl Iterator<Item = Level> + '_ {
        self.done.keys().filter_map(|node| self.levels.get(node).copied())
    }

    fn known(&self, term: Term) -> Option<Dd> {
        let it = self.done.get(&term.node())?;
        Some(if term.is_negated() { self.manager.not(it) } else { it.clone() })
    }
}

/// The order of variables: words that meet bit by bit form a group, in which bits of the same weight
/// lie together, so that sums and comparisons stay small; present and next value of a bit are
/// neighbours.
struct Order {
    n_levels: usize,
    levels: FxHashMap<u32, Level>,
    present: Vec<Vec<Level>>,
    next: Vec<Vec<Level>>,
}

impl Order {
    fn of(circuit: &Circuit) -> Order {
        let words: FxHashMap<u32, usize> = circuit
            .words
            .iter()
            .enumerate()
            .flat_map(|(at, word)| word.bits.iter().map(move |bit| (bit.node(), at)))
            .collect();
        // Group, bit, words before inputs, and then by node so that runs are the same.
        let mut nodes: Vec<(TermId, u32, bool, u32)> = circuit
            .owner
            .iter()
            .map(|(&node, &(var, bit))| {
                let group = circuit.group.get(&var).copied().unwrap_or(var);
                (group, bit, !words.contains_key(&node), node)
            })
            .collect();
        nodes.sort_unstable();
        let empty = || vec![Vec::new(); circuit.words.len()];
        let mut order =
            Order { n_levels: 0, levels: FxHashMap::default(), present: empty(), next: empty() };
        for (_, _, _, node) in nodes {
            let level = Level::new(order.n_levels);
            order.levels.insert(node, level);
            order.n_levels += 1;
            if let Some(&word) = words.get(&node) {
                order.present[word].push(level);
                order.next[word].push(Level::new(order.n_levels));
                order.n_levels += 1;
            }
        }
        order
    }
}
