//! The Boolean program of a concurrent pushdown system.
//!
//! The shared state is a number in shared variables; a local state is a location. A procedure is what can happen above a stack that stays
//! as it is: it begins with a symbol that some rule puts on top, has the symbols that replace it, calls where a rule puts
//! one on top, and returns where the top is taken away. `main` starts the threads in one atomic section and ends.
//!
//! **The state that must not be reached** is one of all threads at once. A thread whose top is the one in question may stop there
//! for ever and says so; when all have stopped and the shared state is the one in question an assertion fails. The last moves of all threads in a
//! run to the state come before they stop, and stopping changes nothing that others see: the assertion can fail exactly if the
//! state can be reached.
//!
//! Threads with equal rules and equal first stacks run the same procedures; which of them stops for which of their places does not
//! matter, as any of them could have taken the part of any other.

use hardbop_base::{Idx, IndexVec, Span};
use hardbop_cfg::{
    Action, Assign, Call, Expr, ExprId, ExprPool, Loc, ProcBuilder, ProcId, Program, Spawn, VarId,
    VarInfo,
};
use rustc_hash::FxHashMap;

use crate::read::{Rule, System};
use crate::state::State;

/// The program whose assertion can fail exactly if `target` can be reached from `init`.
pub fn lower(system: &System, init: &State, target: Option<&State>) -> Program {
    let mut it = Lowering::new(system, init, target);
    let main = it.reserve();
    let starts: Vec<ProcId> = (0..it.kinds.len()).map(|kind| it.start(kind)).collect();
    let starts: Vec<ProcId> = it.kind_of.iter().map(|&kind| starts[kind]).collect();
    while let Some((kind, symbol, proc)) = it.todo.pop() {
        it.procedure(kind, symbol, proc);
    }
    let builder = it.main(&starts);
    it.procs[main] = Some(builder);
    let procs = it.procs.into_iter().map(|it| it.expect("all are built").finish()).collect();
    let names = (0..it.n_bits).map(|bit| format!("q{bit}"));
    let stopped = (0..it.n_stopped).map(|thread| format!("stopped{}", thread + 1));
    let shared: Vec<VarInfo> =
        names.chain(stopped).map(|name| VarInfo { name: name.into(), span: None }).collect();
    let mut exprs = it.exprs;
    let init = (0..shared.len())
        .map(|var| {
            let value = var < it.n_bits && init.shared >> var & 1 == 1;
            (VarId::new(var), exprs.constant(value))
        })
        .collect();
    let program = Program { shared, init, procs, main, exprs };
    hardbop_cfg::expect_verified(&program, "pushdown system");
    program
}

struct Lowering<'a> {
    system: &'a System,
    init: &'a State,
    target: Option<&'a State>,
    /// The first thread of each kind, and the kind of each thread.
    kinds: Vec<usize>,
    kind_of: Vec<usize>,
    /// Of the shared state.
    n_bits: usize,
    /// Variables that say that a thread has stopped.
    n_stopped: usize,
    procs: IndexVec<ProcId, Option<ProcBuilder>>,
    above: FxHashMap<(usize, u32), ProcId>,
    todo: Vec<(usize, u32, ProcId)>,
    exprs: ExprPool,
}

/// A procedure under construction.
struct Body {
    kind: usize,
    builder: ProcBuilder,
    /// The location of each symbol.
    symbols: FxHashMap<u32, Loc>,
    todo: Vec<u32>,
}

impl<'a> Lowering<'a> {
    fn new(system: &'a System, init: &'a State, target: Option<&'a State>) -> Self {
        let (mut kinds, mut kind_of) = (Vec::new(), Vec::new());
        for (thread, rules) in system.threads.iter().enumerate() {
            let is_same = |&first: &usize| {
                let other: &[Rule] = &system.threads[first].rules;
                let same = |(a, b): (&Rule, &Rule)| {
                    (a.from, a.top, a.to, &a.word) == (b.from, b.top, b.to, &b.word)
                };
                init.stacks[first] == init.stacks[thread]
                    && other.len() == rules.rules.len()
                    && other.iter().zip(&rules.rules).all(same)
            };
            let kind = kinds.iter().position(is_same).unwrap_or_else(|| {
                kinds.push(thread);
                kinds.len() - 1
            });
            kind_of.push(kind);
        }
        let n_bits = (u32::BITS - (system.n_shared - 1).leading_zeros()) as usize;
        Lowering {
            system,
            init,
            target,
            kinds,
            kind_of,
            n_bits,
            n_stopped: if target.is_some() { system.threads.len() } else { 0 },
            procs: IndexVec::new(),
            above: FxHashMap::default(),
            todo: Vec::new(),
            exprs: ExprPool::default(),
        }
    }

    fn rules(&self, kind: usize) -> &'a [Rule] {
        &self.system.threads[self.kinds[kind]].rules
    }

    fn reserve(&mut self) -> ProcId {
        self.procs.push(None)
    }

    /// The procedure of what happens above, beginning with this symbol.
    fn above(&mut self, kind: usize, symbol: u32) -> ProcId {
        if let Some(&known) = self.above.get(&(kind, symbol)) {
            return known;
        }
        let proc = self.reserve();
        self.above.insert((kind, symbol), proc);
        self.todo.push((kind, symbol, proc));
        proc
    }

    /// The threads start, before any of them runs.
    fn main(&mut self, starts: &[ProcId]) -> ProcBuilder {
        let mut builder = ProcBuilder::new("main".into(), None);
        let mut at = builder.loc(None);
        builder.entry(at);
        let mut edge = |action: Action, span: Option<Span>| {
            let to = builder.loc(span);
            builder.edge(at, action, to);
            at = to;
        };
        edge(Action::AtomicBegin, None);
        for (&callee, thread) in starts.iter().zip(&self.system.threads) {
            let spawn = Spawn::Call { callee, args: Vec::new() };
            edge(Action::StartThread(Box::new(spawn)), Some(thread.span));
        }
        edge(Action::AtomicEnd, None);
        let exit = builder.exit();
        builder.edge(at, Action::Skip, exit);
        builder
    }

    /// The procedure a thread begins with: its first stack is put there, and what is under it is the empty stack.
    fn start(&mut self, kind: usize) -> ProcId {
        let first = self.kinds[kind];
        let span = Some(self.system.threads[first].span);
        let name = format!("thread{}", first + 1);
        let mut body = Body::new(kind, ProcBuilder::new(name.into(), span));
        let entry = body.builder.loc(span);
        body.builder.entry(entry);
        let empty = body.builder.loc(span);
        let mut at = entry;
        for &symbol in &self.init.stacks[first] {
            let below = body.builder.loc(span);
            let action = call(self.above(kind, symbol));
            body.builder.edge(at, action, below);
            at = below;
        }
        body.builder.edge(at, Action::Skip, empty);
        let here: Vec<&Rule> = self.rules(kind).iter().filter(|it| it.top.is_none()).collect();
        for &rule in &here {
            let mut at = body.builder.loc(Some(rule.span));
            let relation = self.relation(&[rule]);
            body.builder.edge(empty, relation, at);
            for &symbol in &rule.word {
                let below = body.builder.loc(Some(rule.span));
                let action = call(self.above(kind, symbol));
                body.builder.edge(at, action, below);
                at = below;
            }
            body.builder.edge(at, Action::Skip, empty);
        }
        let stops = self.stop(&mut body, empty, None, span);
        if here.is_empty() && !stops {
            let exit = body.builder.exit();
            body.builder.edge(empty, Action::Skip, exit);
        }
        self.procs.push(Some(body.builder))
    }

    fn procedure(&mut self, kind: usize, symbol: u32, proc: ProcId) {
        let name = format!("thread{}_{symbol}", self.kinds[kind] + 1);
        let mut body = Body::new(kind, ProcBuilder::new(name.into(), None));
        let entry = self.symbol(&mut body, symbol);
        body.builder.entry(entry);
        while let Some(symbol) = body.todo.pop() {
            self.tops(&mut body, symbol);
        }
        self.procs[proc] = Some(body.builder);
    }

    fn symbol(&self, body: &mut Body, symbol: u32) -> Loc {
        if let Some(&known) = body.symbols.get(&symbol) {
            return known;
        }
        let rule = self.rules(body.kind).iter().find(|it| it.top == Some(symbol));
        let loc = body.builder.loc(rule.map(|it| it.span));
        body.symbols.insert(symbol, loc);
        body.todo.push(symbol);
        loc
    }

    /// What can happen with this symbol on top. Rules that differ in shared states only are one edge.
    fn tops(&mut self, body: &mut Body, symbol: u32) {
        let from = self.symbol(body, symbol);
        let mut groups: Vec<(&[u32], Vec<&Rule>)> = Vec::new();
        for rule in self.rules(body.kind).iter().filter(|it| it.top == Some(symbol)) {
            match groups.iter_mut().find(|(word, _)| *word == rule.word) {
                Some((_, group)) => group.push(rule),
                None => groups.push((&rule.word, vec![rule])),
            }
        }
        for (word, group) in groups {
            let relation = self.relation(&group);
            let to = match *word {
                [] => body.builder.exit(),
                [top] => self.symbol(body, top),
                [top, below, ..] => {
                    let calling = body.builder.loc(Some(group[0].span));
                    let back = self.symbol(body, below);
                    let action = call(self.above(body.kind, top));
                    body.builder.edge(calling, action, back);
                    calling
                }
            };
            body.builder.edge(from, relation, to);
        }
        let span = self.rules(body.kind).iter().find(|it| it.top == Some(symbol));
        self.stop(body, from, Some(symbol), span.map(|it| it.span));
    }

    /// From one shared state to another, as one of the rules says.
    fn relation(&mut self, rules: &[&Rule]) -> Action {
        let mut any: Vec<ExprId> = Vec::with_capacity(rules.len());
        for rule in rules {
            let (from, to) = (self.is_shared(rule.from, false), self.is_shared(rule.to, true));
            any.push(self.exprs.and(from, to));
        }
        // Balanced: there may be any number of rules, and expressions are walked by recursion.
        while any.len() > 1 {
            any = any
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.exprs.or(a, b),
                    _ => pair[0],
                })
                .collect();
        }
        let choice = self.exprs.add(Expr::Choice);
        let targets = (0..self.n_bits).map(|bit| (VarId::new(bit), choice)).collect();
        Action::Assign(Box::new(Assign { targets, broadcast: Vec::new(), constrain: any.pop() }))
    }

    fn is_shared(&mut self, state: u32, after: bool) -> ExprId {
        let mut all = self.exprs.constant(true);
        for bit in 0..self.n_bits {
            let var = VarId::new(bit);
            let value = self.exprs.add(if after { Expr::Next(var) } else { Expr::Var(var) });
            let literal = if state >> bit & 1 == 1 { value } else { self.exprs.not(value) };
            all = self.exprs.and(all, literal);
        }
        all
    }

    /// Lets the thread stop where its top is the one in question. Returns whether it may.
    fn stop(&mut self, body: &mut Body, from: Loc, top: Option<u32>, span: Option<Span>) -> bool {
        let Some(target) = self.target else { return false };
        let threads: Vec<usize> = (0..self.kind_of.len())
            .filter(|&it| self.kind_of[it] == body.kind)
            .filter(|&it| target.stacks[it].first().copied() == top)
            .collect();
        for &thread in &threads {
            let stopped = |it: usize| VarId::new(self.n_bits + it);
            let var = self.exprs.var(stopped(thread));
            let (not_yet, yes) = (self.exprs.not(var), self.exprs.constant(true));
            let targets = vec![(stopped(thread), yes)];
            let assign = Assign { targets, broadcast: Vec::new(), constrain: Some(not_yet) };
            let for_ever = body.builder.loc(span);
            body.builder.edge(from, Action::Assign(Box::new(assign)), for_ever);
            let mut reached = self.is_shared(target.shared, false);
            for other in 0..self.n_stopped {
                let other = self.exprs.var(VarId::new(self.n_bits + other));
                reached = self.exprs.and(reached, other);
            }
            let never = self.exprs.not(reached);
            body.builder.edge(for_ever, Action::Assert(never), for_ever);
        }
        !threads.is_empty()
    }
}

impl Body {
    fn new(kind: usize, builder: ProcBuilder) -> Self {
        Body { kind, builder, symbols: FxHashMap::default(), todo: Vec::new() }
    }
}

fn call(callee: ProcId) -> Action {
    Action::Call(Box::new(Call { callee, args: Vec::new(), results: Vec::new() }))
}
