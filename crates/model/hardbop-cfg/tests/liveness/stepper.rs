//! Explores a program as design section 2 says, with no thought of speed.

use std::collections::{BTreeSet, HashSet};

use hardbop_base::{Bits, Idx};
use hardbop_cfg::analysis::Live;
use hardbop_cfg::may::Possible;
use hardbop_cfg::{Action, Assign, EdgeRef, ExprId, Loc, LocRef, ProcId, Program, Spawn, VarId};

/// Runs beyond these are not followed, the same in every exploration.
pub struct Limits {
    pub initial_threads: usize,
    /// At most two.
    pub threads: usize,
    pub stack: usize,
    /// With more configurations the exploration is given up.
    pub configs: usize,
}

/// What becomes of a variable that is dead where a thread arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dead {
    Kept,
    /// Goes on with both values.
    Forgotten,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Site {
    /// With the values of what `enforce` reads there.
    Visited(LocRef, Bits),
    /// An edge tried, with the values it reads.
    Read(EdgeRef, Bits),
    /// A call that returned, with the values it stores.
    Stored(EdgeRef, Bits),
    Failed(EdgeRef),
}

pub struct Explored {
    pub reached: BTreeSet<Site>,
    /// How often a dead variable was set to both values.
    pub n_forgotten: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    proc: ProcId,
    loc: Loc,
    /// Bits from `n_shared` on.
    locals: Bits,
    /// The call this frame waits for.
    calling: Option<EdgeRef>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Config {
    shared: Bits,
    /// Stacks, bottom first; empty once ended.
    threads: Vec<Vec<Frame>>,
    atomic: Option<usize>,
}

pub struct Stepper<'a> {
    program: &'a Program,
    limits: &'a Limits,
    live: &'a Live,
    dead: Dead,
    explored: Explored,
}

impl<'a> Stepper<'a> {
    pub fn new(program: &'a Program, limits: &'a Limits, live: &'a Live, dead: Dead) -> Self {
        let explored = Explored { reached: BTreeSet::new(), n_forgotten: 0 };
        Stepper { program, limits, live, dead, explored }
    }

    /// Nothing if there are too many configurations.
    pub fn explore(mut self) -> Option<Explored> {
        let (mut seen, mut todo) = (HashSet::new(), self.initial());
        while let Some(config) = todo.pop() {
            if !seen.insert(config.clone()) {
                continue;
            }
            if seen.len() > self.limits.configs {
                return None;
            }
            for thread in 0..config.threads.len() {
                if config.atomic.is_none_or(|holder| holder == thread) {
                    self.steps(&config, thread, &mut todo);
                }
            }
        }
        Some(self.explored)
    }

    fn initial(&mut self) -> Vec<Config> {
        let program = self.program;
        let main = &program.procs[program.main];
        let with_init: Vec<VarId> = program.init.iter().map(|&(var, _)| var).collect();
        let free = program.shared_vars().filter(|var| !with_init.contains(var));
        let mut values = any_values(vec![Bits::new()], free);
        for &(var, expr) in &program.init {
            values = values
                .into_iter()
                .flat_map(|now| with_value(&now, var, program.exprs.eval(expr, &now, &now)))
                .collect();
        }
        let empty = |shared| Config { shared, threads: Vec::new(), atomic: None };
        let mut configs: Vec<Config> = values.into_iter().map(empty).collect();
        for thread in 0..self.limits.initial_threads {
            let mut more = Vec::new();
            for config in configs {
                for locals in any_values(vec![Bits::new()], program.locals(program.main)) {
                    let mut config = config.clone();
                    let (proc, loc) = (program.main, main.entry);
                    config.threads.push(vec![Frame { proc, loc, locals, calling: None }]);
                    self.arrive(config, thread, &mut more);
                }
            }
            configs = more;
        }
        configs
    }

    fn scope(&self, config: &Config, thread: usize) -> Bits {
        let mut scope = config.shared.clone();
        if let Some(frame) = config.threads[thread].last() {
            scope.union_with(&frame.locals);
        }
        scope
    }

    fn store(&self, config: &mut Config, thread: usize, scope: &Bits) {
        let n = self.program.n_shared();
        config.shared = scope.below(n);
        if let Some(frame) = config.threads[thread].last_mut() {
            frame.locals = scope.from(n);
        }
    }

    fn enforced(&self, config: &Config, thread: usize) -> bool {
        let Some(frame) = config.threads[thread].last() else { return true };
        let scope = self.scope(config, thread);
        let enforce = self.program.procs[frame.proc].enforce;
        enforce.is_none_or(|expr| self.program.exprs.eval(expr, &scope, &scope).be_true)
    }

    /// The thread is at a new location, or at its first.
    fn arrive(&mut self, config: Config, thread: usize, out: &mut Vec<Config>) {
        if !self.enforced(&config, thread) {
            return;
        }
        let Some(frame) = config.threads[thread].last() else { return out.push(config) };
        let at = LocRef { proc: frame.proc, loc: frame.loc };
        let scope = self.scope(&config, thread);
        let enforce = self.program.procs[at.proc].enforce;
        let asked = enforce.map(|expr| self.program.exprs.support(expr)).unwrap_or_default();
        self.explored.reached.insert(Site::Visited(at, both(&scope, &asked)));
        if self.dead == Dead::Kept {
            return out.push(config);
        }
        let in_scope = self.program.scope(at.proc);
        let dead: Vec<VarId> =
            in_scope.filter(|var| !self.live.at(at).contains(var.index())).collect();
        self.explored.n_forgotten += dead.len();
        for scope in any_values(vec![scope], dead.into_iter()) {
            let mut config = config.clone();
            self.store(&mut config, thread, &scope);
            out.push(config);
        }
    }

    fn steps(&mut self, config: &Config, thread: usize, out: &mut Vec<Config>) {
        let Some(frame) = config.threads[thread].last() else { return };
        if !self.enforced(config, thread) {
            return;
        }
        let (proc, loc) = (frame.proc, frame.loc);
        let program = self.program;
        if loc == program.procs[proc].exit {
            return self.leave(config, thread, out);
        }
        let scope = self.scope(config, thread);
        for (edge, it) in program.procs[proc].out_edges(loc) {
            let read = both(&scope, &reads(program, &it.action));
            self.explored.reached.insert(Site::Read(EdgeRef { proc, edge }, read));
            let mut after = config.clone();
            let top = after.threads[thread].last_mut().expect("a thread that moves has a frame");
            top.loc = it.to;
            self.step(EdgeRef { proc, edge }, &it.action, after, thread, out);
        }
    }

    /// `config` is the one before the step, but for the location.
    fn step(
        &mut self,
        at: EdgeRef,
        action: &Action,
        mut config: Config,
        thread: usize,
        out: &mut Vec<Config>,
    ) {
        let program = self.program;
        let scope = self.scope(&config, thread);
        let eval = |expr: ExprId| program.exprs.eval(expr, &scope, &scope);
        match action {
            Action::Skip => {}
            Action::Assume(expr) if !eval(*expr).be_true => return,
            Action::Assume(_) => {}
            Action::Assert(expr) => {
                if eval(*expr).be_false {
                    self.explored.reached.insert(Site::Failed(at));
                }
                if !eval(*expr).be_true {
                    return;
                }
            }
            Action::AtomicBegin => config.atomic = Some(thread),
            Action::AtomicEnd => config.atomic = None,
            Action::EndThread => {
                config.threads[thread].clear();
                config.atomic = None;
                return out.push(config);
            }
            Action::Assign(assign) => return self.assign(at.proc, assign, config, thread, out),
            Action::Call(call) => {
                if config.threads[thread].len() >= self.limits.stack {
                    return;
                }
                let args: Vec<Possible> = call.args.iter().map(|&arg| eval(arg)).collect();
                for frame in self.entries(call.callee, &args) {
                    let mut config = config.clone();
                    let caller = config.threads[thread].last_mut();
                    caller.expect("a caller has a frame").calling = Some(at);
                    config.threads[thread].push(frame);
                    self.arrive(config, thread, out);
                }
                return;
            }
            Action::StartThread(spawn) => {
                let alive = config.threads.iter().filter(|stack| !stack.is_empty()).count();
                if alive < self.limits.threads {
                    let frames = match &**spawn {
                        Spawn::Goto(loc) => {
                            let (proc, locals) = (at.proc, scope.from(program.n_shared()));
                            vec![Frame { proc, loc: *loc, locals, calling: None }]
                        }
                        Spawn::Call { callee, args } => {
                            let args: Vec<Possible> = args.iter().map(|&arg| eval(arg)).collect();
                            self.entries(*callee, &args)
                        }
                    };
                    for frame in frames {
                        let mut config = config.clone();
                        // Below the limit of two the mover is alone, hence now the first.
                        config.threads = vec![config.threads.swap_remove(thread), vec![frame]];
                        config.atomic = config.atomic.map(|_| 0);
                        let mut started = Vec::new();
                        self.arrive(config, 1, &mut started);
                        started.into_iter().for_each(|config| self.arrive(config, 0, out));
                    }
                    return;
                }
            }
        }
        self.arrive(config, thread, out);
    }

    fn entries(&self, callee: ProcId, args: &[Possible]) -> Vec<Frame> {
        let program = self.program;
        let mut locals = vec![Bits::new()];
        for (formal, &arg) in program.formals(callee).zip(args) {
            locals = locals.iter().flat_map(|now| with_value(now, formal, arg)).collect();
        }
        let loc = program.procs[callee].entry;
        let locals = any_values(locals, program.locals(callee).skip(args.len()));
        locals
            .into_iter()
            .map(|locals| Frame { proc: callee, loc, locals, calling: None })
            .collect()
    }

    fn leave(&mut self, config: &Config, thread: usize, out: &mut Vec<Config>) {
        let program = self.program;
        let mut config = config.clone();
        let Some(done) = config.threads[thread].pop() else { return };
        let Some(caller) = config.threads[thread].last_mut() else {
            config.atomic = config.atomic.filter(|&holder| holder != thread);
            return out.push(config);
        };
        let at = caller.calling.take().expect("a caller waits for a call");
        let edge = program.edge(at);
        caller.loc = edge.to;
        let Action::Call(call) = &edge.action else { panic!("a frame waits for a call") };
        let mut scope = self.scope(&config, thread);
        let mut taken = Bits::new();
        for (from, to) in program.returns(done.proc).zip(&call.results) {
            if let Some(to) = to {
                scope.set(to.index(), done.locals.contains(from.index()));
                taken.insert(from.index());
            }
        }
        self.explored.reached.insert(Site::Stored(at, both(&done.locals, &taken)));
        self.store(&mut config, thread, &scope);
        self.arrive(config, thread, out);
    }

    fn assign(
        &mut self,
        proc: ProcId,
        assign: &Assign,
        config: Config,
        thread: usize,
        out: &mut Vec<Config>,
    ) {
        let exprs = &self.program.exprs;
        let now = self.scope(&config, thread);
        let mut afters = vec![now.clone()];
        for &(var, expr) in &assign.targets {
            let value = exprs.eval(expr, &now, &now);
            afters = afters.iter().flat_map(|after| with_value(after, var, value)).collect();
        }
        let allowed = |after: &Bits| {
            assign.constrain.is_none_or(|expr| exprs.eval(expr, &now, after).be_true)
        };
        afters.retain(allowed);
        let mut configs: Vec<Config> = Vec::new();
        for after in afters {
            let mut config = config.clone();
            self.store(&mut config, thread, &after);
            configs.push(config);
        }
        for &(var, expr) in &assign.broadcast {
            let value = exprs.eval(expr, &now, &now);
            for (other, stack) in config.threads.iter().enumerate() {
                for (depth, frame) in stack.iter().enumerate() {
                    if other == thread || frame.proc != proc {
                        continue;
                    }
                    let with = |config: Config| {
                        let locals = config.threads[other][depth].locals.clone();
                        with_value(&locals, var, value).into_iter().map(move |locals| {
                            let mut config = config.clone();
                            config.threads[other][depth].locals = locals;
                            config
                        })
                    };
                    configs = configs.into_iter().flat_map(with).collect();
                }
            }
        }
        for config in configs {
            self.arrive(config, thread, out);
        }
    }
}

fn both(values: &Bits, of: &Bits) -> Bits {
    let mut both = values.clone();
    both.intersect_with(of);
    both
}

/// The variables whose values before the action matter to it.
fn reads(program: &Program, action: &Action) -> Bits {
    let (mut now, mut next) = (Bits::new(), Bits::new());
    let mut read = |expr: ExprId| program.exprs.mentions(expr, &mut now, &mut next);
    match action {
        Action::Skip | Action::EndThread | Action::AtomicBegin | Action::AtomicEnd => {}
        Action::Assume(expr) | Action::Assert(expr) => read(*expr),
        Action::Assign(assign) => {
            let values = assign.targets.iter().chain(&assign.broadcast);
            values.map(|&(_, value)| value).chain(assign.constrain).for_each(read);
            assign.targets.iter().for_each(|(var, _)| _ = next.remove(var.index()));
        }
        Action::Call(call) => call.args.iter().copied().for_each(read),
        Action::StartThread(spawn) => match &**spawn {
            Spawn::Goto(_) => {}
            Spawn::Call { args, .. } => args.iter().copied().for_each(read),
        },
    }
    now.union_with(&next);
    now
}

fn with_value(now: &Bits, var: VarId, value: Possible) -> Vec<Bits> {
    let set = |value| {
        let mut after = now.clone();
        after.set(var.index(), value);
        after
    };
    value.values().map(set).collect()
}

fn any_values(mut all: Vec<Bits>, vars: impl Iterator<Item = VarId>) -> Vec<Bits> {
    for var in vars {
        all = all.iter().flat_map(|now| with_value(now, var, Possible::EITHER)).collect();
    }
    all
}
