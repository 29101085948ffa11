//! The program as the fixpoint sees it: few nodes, large steps.
//!
//! A node is a location where path edges are kept: entries, exits, joins, calls and what follows
//! them. Between nodes, straight-line code is one [`Arrow`] each way, as long as the composed
//! relation stays small; asserts and labels on the way become conditions on the node before them
//! (a *site*: the current values from which it is reached without passing another node).
//!
//! A procedure is built when it is first entered.

use std::rc::Rc;

use hardbop_base::{Bits, Idx, IndexVec, define_id};
use hardbop_cfg::analysis::Live;
use hardbop_cfg::{Action, Call, EdgeRef, Loc, LocRef, ProcId, Program};
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_engine::GoalSite;
use rustc_hash::FxHashMap;

use hardbop_encode::encode::Encoder;
use hardbop_encode::slots::Moment;
use hardbop_encode::transfer::{Arrow, Transfer, TransferId, Transfers};

define_id!(
    /// A node of the graph.
    NodeId, "n"
);

/// A location at which path edges are kept.
#[derive(Debug)]
pub struct Node<'a> {
    pub at: LocRef,
    pub arcs: Vec<Arc>,
    /// At most one for programs written in the language.
    pub calls: Vec<CallArc<'a>>,
    pub sites: Vec<Site>,
    /// Work at nodes of smaller rank is done first.
    pub rank: Rank,
}

/// Internal steps first, then calls, returns last, so that as many states as possible are joined
/// before they cross a procedure's bounds (BOOM section 10.6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// Reverse postorder: a loop is finished before what comes after it.
    Inside(u32),
    /// In the order procedures were met: callers first.
    Call(u32),
    /// The other way round: callees first.
    Return(std::cmp::Reverse<u32>),
}

/// Straight-line code to another node.
#[derive(Debug)]
pub struct Arc {
    pub to: NodeId,
    /// Shared with all others that do the same.
    pub arrow: Rc<Arrow>,
}

/// A call and the node after it.
#[derive(Debug)]
pub struct CallArc<'a> {
    pub call: &'a Call,
    pub to: NodeId,
    /// Its place among the callers of the callee, once it was reached.
    pub caller: Option<usize>,
}

/// A place of interest behind a node.
#[derive(Debug)]
pub struct Site {
    pub goal: GoalSite,
    /// The current values at the node from which it is reached, or from which it fails.
    pub from: Dd,
}

/// The nodes of one procedure.
#[derive(Clone, Debug)]
pub struct ProcNodes {
    pub entry: NodeId,
    pub exit: NodeId,
    /// When the procedure was met.
    pub met: u32,
}

/// What can be left out, to measure what it is worth.
#[derive(Clone, Copy, Debug)]
pub struct GraphOptions {
    /// Compose straight-line code.
    pub compress: bool,
    /// As long as the relation has no more nodes than this.
    pub block_nodes: usize,
}

/// All nodes built so far.
#[derive(Debug)]
pub struct Graph<'a> {
    pub nodes: IndexVec<NodeId, Node<'a>>,
    pub procs: FxHashMap<ProcId, ProcNodes>,
    pub transfers: Transfers,
    program: &'a Program,
    live: &'a Live,
    options: GraphOptions,
}

impl<'a> Graph<'a> {
    pub fn live(&self) -> &'a Live {
        self.live
    }

    pub fn new(program: &'a Program, live: &'a Live, options: GraphOptions) -> Self {
        Graph {
            nodes: IndexVec::new(),
            procs: FxHashMap::default(),
            transfers: Transfers::new(options.block_nodes),
            program,
            live,
            options,
        }
    }

    /// The nodes of a procedure, built if this is the first time.
    pub fn enter(&mut self, enc: &mut Encoder<'_>, proc: ProcId) -> Result<ProcNodes, OutOfNodes> {
        if let Some(nodes) = self.procs.get(&proc) {
            return Ok(nodes.clone());
        }
        let met = self.procs.len() as u32;
        let body = &self.program.procs[proc];
        let first = self.nodes.len();
        let mut building = Building { proc, met, node_of: FxHashMap::default(), todo: Vec::new() };
        let entry = building.node(self, body.entry);
        let exit = building.node(self, body.exit);
        let joins = if self.options.compress {
            joins(self.program, proc)
        } else {
            Bits::full(body.locs.len())
        };
        while let Some(node) = building.todo.pop() {
            self.expand(enc, &mut building, &joins, node)?;
        }
        self.rank(first, &building, entry);
        for node in &mut self.nodes.as_mut_slice()[first..] {
            node.arcs.shrink_to_fit();
            node.calls.shrink_to_fit();
            node.sites.shrink_to_fit();
        }
        let nodes = ProcNodes { entry, exit, met };
        self.procs.insert(proc, nodes.clone());
        Ok(nodes)
    }

    /// Follows straight-line code from a node to the next nodes.
    fn expand(
        &mut self,
        enc: &mut Encoder<'_>,
        building: &mut Building,
        joins: &Bits,
        node: NodeId,
    ) -> Result<(), OutOfNodes> {
        let at = self.nodes[node].at;
        let body = &self.program.procs[at.proc];
        let start = self.transfers.of_action(enc, &Action::Skip, None)?;
        let mut waiting = vec![(at.loc, start)];
        while let Some((loc, before)) = waiting.pop() {
            self.sites(enc, node, LocRef { proc: at.proc, loc }, before)?;
            for (_, edge) in body.out_edges(loc) {
                match &edge.action {
                    Action::EndThread => {}
                    Action::Call(call) => {
                        assert_eq!(loc, at.loc, "a call is a node");
                        let to = building.node(self, edge.to);
                        self.nodes[node].calls.push(CallArc { call, to, caller: None });
                    }
                    action => {
                        let step = self.transfers.of_action(enc, action, body.enforce)?;
                        // A step that is too large to be composed begins at a node of its own.
                        let Some(reached) = self.transfers.compose(enc, before, step)? else {
                            // Soundness: an arc to itself would lose what comes after.
                            assert_ne!(loc, at.loc, "behind nothing, everything is small");
                            self.arc(enc, building, node, loc, before)?;
                            break;
                        };
                        if joins.contains(edge.to.index()) {
                            self.arc(enc, building, node, edge.to, reached)?;
                        } else {
                            waiting.push((edge.to, reached));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn arc(
        &mut self,
        enc: &mut Encoder<'_>,
        building: &mut Building,
        from: NodeId,
        to: Loc,
        transfer: TransferId,
    ) -> Result<(), OutOfNodes> {
        let at = self.nodes[from].at;
        let carried = (self.live.at(at), self.live.at(LocRef { loc: to, ..at }));
        let arrow = self.transfers.arrow(enc, transfer, carried.0, carried.1)?;
        let to = building.node(self, to);
        self.nodes[from].arcs.push(Arc { to, arrow });
        Ok(())
    }

    /// The asserts and labels at a location that is reached by `before` from a node.
    fn sites(
        &mut self,
        enc: &mut Encoder<'_>,
        node: NodeId,
        at: LocRef,
        before: TransferId,
    ) -> Result<(), OutOfNodes> {
        let body = &self.program.procs[at.proc];
        let transfer = self.transfers.get(before).clone();
        for label in &body.locs[at.loc].labels {
            let from = before_site(enc, &transfer, None)?;
            self.nodes[node].sites.push(Site { goal: GoalSite::Label(at, label.clone()), from });
        }
        for (edge, it) in body.out_edges(at.loc) {
            if let Action::Assert(expr) = it.action {
                let fails = enc.may(expr)?.be_false;
                let from = before_site(enc, &transfer, Some(fails))?;
                let goal = GoalSite::Assert(EdgeRef { proc: at.proc, edge });
                self.nodes[node].sites.push(Site { goal, from });
            }
        }
        Ok(())
    }

    /// Gives the nodes of a procedure their ranks: reverse postorder from the entry.
    fn rank(&mut self, first: usize, building: &Building, entry: NodeId) {
        let mut order = Vec::new();
        let mut seen = Bits::new();
        let mut stack = vec![(entry, 0)];
        seen.insert(entry.index() - first);
        while let Some((node, next)) = stack.pop() {
            let successor = {
                let node = &self.nodes[node];
                let arcs = node.arcs.iter().map(|arc| arc.to);
                arcs.chain(node.calls.iter().map(|call| call.to)).nth(next)
            };
            match successor {
                None => order.push(node),
                Some(to) => {
                    stack.push((node, next + 1));
                    if seen.insert(to.index() - first) {
                        stack.push((to, 0));
                    }
                }
            }
        }
        let exit = self.program.procs[building.proc].exit;
        for (at, node) in order.into_iter().rev().enumerate() {
            let node = &mut self.nodes[node];
            node.rank = if node.at.loc == exit {
                Rank::Return(std::cmp::Reverse(building.met))
            } else if !node.calls.is_empty() {
                Rank::Call(building.met)
            } else {
                Rank::Inside(at as u32)
            };
        }
    }
}

/// A procedure under construction.
struct Building {
    proc: ProcId,
    met: u32,
    node_of: FxHashMap<Loc, NodeId>,
    todo: Vec<NodeId>,
}

impl Building {
    fn node(&mut self, graph: &mut Graph<'_>, loc: Loc) -> NodeId {
        let at = LocRef { proc: self.proc, loc };
        *self.node_of.entry(loc).or_insert_with(|| {
            let node = graph.nodes.push(Node {
                at,
                arcs: Vec::new(),
                calls: Vec::new(),
                sites: Vec::new(),
                rank: Rank::Inside(u32::MAX),
            });
            self.todo.push(node);
            node
        })
    }
}

/// The locations that must be nodes: entry, exit, joins, calls and where calls return to.
fn joins(program: &Program, proc: ProcId) -> Bits {
    let body = &program.procs[proc];
    let mut joins: Bits = [body.entry.index(), body.exit.index()].into_iter().collect();
    let mut entered = Bits::new();
    for edge in &body.edges {
        let is_call = matches!(edge.action, Action::Call(_));
        if is_call {
            joins.insert(edge.from.index());
        }
        if !entered.insert(edge.to.index()) || is_call {
            joins.insert(edge.to.index());
        }
    }
    joins
}

/// The current values from which a transfer leads to a state in `target`, or to any state.
fn before_site(
    enc: &mut Encoder<'_>,
    transfer: &Transfer,
    target: Option<Dd>,
) -> Result<Dd, OutOfNodes> {
    let target = target.unwrap_or_else(|| enc.dd.one().clone());
    let target = enc.shift(&target, &transfer.writes, Moment::Now, Moment::Next)?;
    let written = enc.cube(&transfer.writes, Moment::Next)?;
    enc.dd.and_exists(&transfer.relation, &target, &written)
}
