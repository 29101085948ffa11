//! Which objects a pointer may point to: inclusion-based (Andersen 1994), flow- and
//! context-insensitive, one node per register and one per object's contents.
//!
//! Every value counts, whatever its type: a pointer may travel as a number, or byte by byte.
//! Functions are targets too, so that calls through pointers can be resolved; they are resolved
//! while the solution grows. A number that becomes a pointer may also be the address of any object whose
//! address has become a number: it may have been found out by comparing. A constant that does is
//! [`PointsTo::unknown`]: it may point to anything whose address is taken.
//!
//! Solved by difference propagation (Pearce, Kelly, Hankin 2003): a node hands on only what is new
//! since it was visited last. Invariant: sets only grow; a node that is not queued has handed on
//! all of its set.

use std::collections::VecDeque;

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Bits, Idx, IndexVec};

use crate::expr::{CastOp, Expr, ExprId};
use crate::program::{Callee, FuncId, ObjId, Op, Program, Source, Stop, Term, VarId};
use crate::thread::ThreadOp;
use crate::ty::Ty;

/// The solution. Indices of a set: objects first, then functions.
#[derive(Clone, Debug)]
pub struct PointsTo {
    n_objects: usize,
    n_vars: usize,
    /// By node: registers first, then contents of objects, then one for all addresses that become numbers.
    sets: Vec<Bits>,
    /// Whether a node may hold a pointer from nowhere: an input, or made from a number.
    unknown: Vec<bool>,
}

/// What a pointer may point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Targets {
    pub objects: Vec<ObjId>,
    pub funcs: Vec<FuncId>,
    /// Whether it may point to something not listed.
    pub is_unknown: bool,
}

impl PointsTo {
    pub fn of(program: &Program) -> PointsTo {
        let mut solver = Solver::new(program);
        solver.collect();
        solver.solve();
        solver.result
    }

    /// What an expression may point to.
    pub fn targets(&self, program: &Program, expr: ExprId) -> Targets {
        let mut set = Bits::new();
        let mut is_unknown = false;
        leaves(program, expr, &mut |leaf| match leaf {
            Leaf::Var(var) => {
                set.union_with(&self.sets[var.index()]);
                is_unknown |= self.unknown[var.index()];
            }
            Leaf::Target(target) => drop(set.insert(target)),
            Leaf::Exposed => {
                let exposed = self.n_vars + self.n_objects;
                set.union_with(&self.sets[exposed]);
                is_unknown |= self.unknown[exposed];
            }
            Leaf::Unknown => is_unknown = true,
        });
        self.as_targets(&set, is_unknown)
    }

    /// What an access by this pointer may touch. One that nobody gave an address to, and that is accessed all
    /// the same, may hold a number from a union or a copy that happens to be an address.
    pub fn accessed(&self, program: &Program, ptr: ExprId) -> Targets {
        let mut targets = self.targets(program, ptr);
        if targets.objects.is_empty() && targets.funcs.is_empty() {
            program.exprs.for_each_var(ptr, &mut |_| targets.is_unknown = true);
        }
        targets
    }

    /// What a register may point to.
    pub fn of_var(&self, var: VarId) -> Targets {
        self.as_targets(&self.sets[var.index()], self.unknown[var.index()])
    }

    fn as_targets(&self, set: &Bits, is_unknown: bool) -> Targets {
        let objects = set.below(self.n_objects).iter().map(ObjId::new).collect();
        let funcs =
            set.from(self.n_objects).iter().map(|at| FuncId::new(at - self.n_objects)).collect();
        Targets { objects, funcs, is_unknown }
    }

    /// What the pointers in an object may point to.
    pub fn of_content(&self, object: ObjId) -> Targets {
        // Of an object made later nothing is known.
        if object.index() >= self.n_objects {
            return self.as_targets(&Bits::new(), false);
        }
        let node = self.n_vars + object.index();
        self.as_targets(&self.sets[node], self.unknown[node])
    }

    /// Whether the contents of an object may hold a pointer from nowhere.
    pub fn content_is_unknown(&self, object: ObjId) -> bool {
        self.unknown[self.n_vars + object.index()]
    }
}

enum Leaf {
    Var(VarId),
    Target(usize),
    /// Whatever has an address that has become a number.
    Exposed,
    Unknown,
}

fn leaves(program: &Program, expr: ExprId, visit: &mut impl FnMut(Leaf)) {
    let n_objects = program.objects.len();
    program.exprs.visit(expr, &mut |_, node| match node {
        Expr::Var(var) => visit(Leaf::Var(var)),
        Expr::Addr(object) => visit(Leaf::Target(object.index())),
        Expr::FuncAddr(func) => visit(Leaf::Target(n_objects + func.index())),
        // A constant that becomes an address points to nothing we know.
        Expr::Cast(CastOp::IntToPtr, _, of) => {
            let mut from_pointer = false;
            program.exprs.visit(of, &mut |_, node| {
                from_pointer |= matches!(node, Expr::Cast(CastOp::PtrToInt, ..) | Expr::Var(_));
            });
            visit(if from_pointer { Leaf::Exposed } else { Leaf::Unknown });
        }
        _ => {}
    });
}

/// Where the set of a node goes.
#[derive(Clone, Default)]
struct Node {
    /// Nodes that include it.
    supersets: Vec<usize>,
    /// Nodes that include the contents of what it points to.
    loads: Vec<usize>,
    /// Nodes that the contents of what it points to include.
    stores: Vec<usize>,
    /// What has been handed on.
    done: Bits,
    is_unknown_done: bool,
    is_queued: bool,
}

struct Solver<'a> {
    program: &'a Program,
    result: PointsTo,
    nodes: Vec<Node>,
    /// Calls through a pointer in this node.
    calls: Vec<(usize, Vec<ExprId>, Option<VarId>)>,
    /// Registers that hold what some thread left.
    results: Vec<usize>,
    returns: IndexVec<FuncId, Vec<ExprId>>,
    todo: VecDeque<usize>,
    linked: rustc_hash::FxHashSet<(usize, FuncId)>,
    edges: rustc_hash::FxHashSet<(usize, usize)>,
}

impl<'a> Solver<'a> {
    fn new(program: &'a Program) -> Self {
        let n_nodes = program.vars.len() + program.objects.len() + 1;
        Solver {
            program,
            result: PointsTo {
                n_objects: program.objects.len(),
                n_vars: program.vars.len(),
                sets: vec![Bits::new(); n_nodes],
                unknown: vec![false; n_nodes],
            },
            nodes: vec![Node::default(); n_nodes],
            calls: Vec::new(),
            results: Vec::new(),
            returns: IndexVec::from_elem(Vec::new(), program.funcs.len()),
            todo: VecDeque::new(),
            linked: Default::default(),
            edges: Default::default(),
        }
    }

    fn node(&mut self) -> usize {
        self.result.sets.push(Bits::new());
        self.result.unknown.push(false);
        self.nodes.push(Node::default());
        self.result.sets.len() - 1
    }

    fn content(&self, object: usize) -> usize {
        self.program.vars.len() + object
    }

    fn exposed(&self) -> usize {
        self.program.vars.len() + self.program.objects.len()
    }

    fn queue(&mut self, node: usize) {
        if !std::mem::replace(&mut self.nodes[node].is_queued, true) {
            self.todo.push_back(node);
        }
    }

    fn point_to(&mut self, node: usize, target: usize) {
        if self.result.sets[node].insert(target) {
            self.queue(node);
        }
    }

    fn make_unknown(&mut self, node: usize) {
        if !std::mem::replace(&mut self.result.unknown[node], true) {
            self.queue(node);
        }
    }

    /// `dst ⊇ src`
    fn subset(&mut self, src: usize, dst: usize) {
        if src == dst || !self.edges.insert((src, dst)) {
            return;
        }
        self.nodes[src].supersets.push(dst);
        let set = std::mem::take(&mut self.result.sets[src]);
        let grew = self.result.sets[dst].union_with(&set);
        self.result.sets[src] = set;
        if grew {
            self.queue(dst);
        }
        if self.result.unknown[src] {
            self.make_unknown(dst);
        }
    }

    /// `dst ⊇ *src`; before [`Solver::solve`].
    fn load(&mut self, src: usize, dst: usize) {
        self.nodes[src].loads.push(dst);
        self.queue(src);
    }

    /// `*dst ⊇ src`; before [`Solver::solve`].
    fn store(&mut self, src: usize, dst: usize) {
        if is_on(Fault::PointsToForgetsStores) {
            return;
        }
        self.nodes[dst].stores.push(src);
        self.queue(dst);
    }

    /// `dst ⊇` the value of an expression.
    fn flow(&mut self, expr: ExprId, dst: usize) {
        let mut found = Vec::new();
        leaves(self.program, expr, &mut |leaf| found.push(leaf));
        for leaf in found {
            match leaf {
                Leaf::Var(var) => self.subset(var.index(), dst),
                Leaf::Target(target) => self.point_to(dst, target),
                Leaf::Exposed => self.subset(self.exposed(), dst),
                Leaf::Unknown => self.make_unknown(dst),
            }
        }
    }

    /// A node with the value of an expression; registers are their own.
    fn of_expr(&mut self, expr: ExprId) -> usize {
        if let Expr::Var(var) = self.program.exprs.get(expr) {
            return var.index();
        }
        let node = self.node();
        self.flow(expr, node);
        node
    }

    fn collect(&mut self) {
        let program = self.program;
        for expr in (0..program.exprs.len()).map(ExprId::new) {
            if let Expr::Cast(CastOp::PtrToInt, _, pointer) = program.exprs.get(expr) {
                self.flow(pointer, self.exposed());
            }
        }
        for (id, var) in program.vars.iter_enumerated() {
            var.init.into_iter().for_each(|init| self.flow(init, id.index()));
        }
        for (id, object) in program.objects.iter_enumerated() {
            for init in &object.init {
                self.flow(init.value, self.content(id.index()));
            }
        }
        for (id, func) in program.funcs.iter_enumerated() {
            for block in &func.blocks {
                if let Term::Return(Some(value)) = block.term {
                    self.returns[id].push(value);
                }
            }
        }
        for (_, _, inst) in program.insts() {
            self.inst(&inst.op);
        }
        self.left_by_threads();
    }

    /// What functions return or threads end with, to where the result of some thread is asked for.
    fn left_by_threads(&mut self) {
        if self.results.is_empty() {
            return;
        }
        let blocks = self.program.funcs.iter().flat_map(|func| func.blocks.iter());
        let left = blocks.filter_map(|block| match block.term {
            Term::Return(Some(value)) | Term::Stop(Stop::Thread(value)) => Some(value),
            _ => None,
        });
        let all = self.node();
        left.collect::<Vec<ExprId>>().into_iter().for_each(|value| self.flow(value, all));
        for dst in std::mem::take(&mut self.results) {
            self.subset(all, dst);
        }
    }

    fn inst(&mut self, op: &Op) {
        match op {
            Op::Set { dst, value } => self.flow(*value, dst.index()),
            Op::Nondet { dst, source } => {
                let is_pointer = self.program.vars[*dst].ty == Ty::Ptr;
                if is_pointer && *source != Source::Uninit {
                    self.make_unknown(dst.index());
                }
            }
            Op::Load { dst, ptr } => {
                let src = self.of_expr(*ptr);
                self.load(src, dst.index());
            }
            Op::Store { ptr, value } | Op::Repeat { dst: ptr, value, .. } => {
                let (dst, src) = (self.of_expr(*ptr), self.of_expr(*value));
                self.store(src, dst);
            }
            Op::Copy { dst, src, .. } => {
                let (dst, src) = (self.of_expr(*dst), self.of_expr(*src));
                let between = self.node();
                self.load(src, between);
                self.store(between, dst);
            }
            Op::Havoc { ptr } => {
                // What the environment writes may be any pointer it was given: unknown.
                let (dst, src) = (self.of_expr(*ptr), self.node());
                self.make_unknown(src);
                self.store(src, dst);
            }
            Op::Alloc { dst, object, .. } => self.point_to(dst.index(), object.index()),
            Op::Call { dst, callee: Callee::Func(func), args } => self.link(*func, args, *dst),
            Op::Call { dst, callee: Callee::Ptr(ptr), args } => {
                let node = self.of_expr(*ptr);
                self.calls.push((node, args.clone(), *dst));
            }
            Op::Thread(ThreadOp::Spawn { func, arg, .. }) => {
                let node = self.of_expr(*func);
                self.calls.push((node, vec![*arg], None));
            }
            Op::Thread(ThreadOp::Own { dst, object }) => {
                self.point_to(dst.index(), object.index());
            }
            // What any thread leaves may be what is asked for.
            Op::Thread(ThreadOp::Result { dst, .. }) => self.results.push(dst.index()),
            _ => {}
        }
    }

    fn link(&mut self, func: FuncId, args: &[ExprId], dst: Option<VarId>) {
        let params = self.program.funcs[func].params.clone();
        for (param, &arg) in params.iter().zip(args) {
            self.flow(arg, param.index());
        }
        if let Some(dst) = dst {
            for value in self.returns[func].clone() {
                self.flow(value, dst.index());
            }
        }
    }

    fn solve(&mut self) {
        loop {
            while let Some(node) = self.todo.pop_front() {
                self.visit(node);
            }
            let n_objects = self.result.n_objects;
            for at in 0..self.calls.len() {
                let (node, args, dst) = self.calls[at].clone();
                for target in self.result.sets[node].from(n_objects).iter().collect::<Vec<_>>() {
                    let func = FuncId::new(target - n_objects);
                    if self.linked.insert((at, func)) {
                        self.link(func, &args, dst);
                    }
                }
            }
            if self.todo.is_empty() {
                return;
            }
        }
    }

    fn visit(&mut self, node: usize) {
        let set = &self.result.sets[node];
        let it = &mut self.nodes[node];
        it.is_queued = false;
        let mut new = set.clone();
        new.subtract(&it.done);
        it.done = set.clone();
        let is_unknown = self.result.unknown[node] && !it.is_unknown_done;
        it.is_unknown_done |= is_unknown;
        // Edges added meanwhile hand on the whole set themselves.
        for at in 0..self.nodes[node].supersets.len() {
            let dst = self.nodes[node].supersets[at];
            if self.result.sets[dst].union_with(&new) {
                self.queue(dst);
            }
            if is_unknown {
                self.make_unknown(dst);
            }
        }
        let (loads, stores) = (self.nodes[node].loads.clone(), self.nodes[node].stores.clone());
        for object in new.below(self.result.n_objects).iter() {
            let content = self.content(object);
            loads.iter().for_each(|&dst| self.subset(content, dst));
            stores.iter().for_each(|&src| self.subset(src, content));
        }
        if is_unknown {
            loads.iter().for_each(|&dst| self.make_unknown(dst));
        }
    }
}
