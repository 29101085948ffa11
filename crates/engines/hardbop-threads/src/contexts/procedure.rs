//! One procedure of the program: each statement once for each context that it can be executed in.

use hardbop_base::Idx;
use hardbop_cfg::{
    Action, Assign, Call, Edge, EdgeRef, ExprId, Goal, Loc, LocRef, ProcBuilder, ProcId, Spawn,
    VarId, VarInfo,
};

use crate::contexts::body::{Body, Origin, Started};
use crate::contexts::control::stop;
use crate::contexts::sites::{Site, Start, local_index};
use crate::contexts::translate::Translation;

/// The translation of a procedure; `from`: a thread starts there, with values for all locals.
pub fn translate(it: &mut Translation<'_>, proc: ProcId, from: Option<Loc>) -> Body {
    let old = &it.old.procs[proc];
    let mut builder = ProcBuilder::new(old.name.clone(), old.span);
    let locals = with_temporaries(it, proc);
    match from {
        Some(_) => builder.locals(locals, old.locals.len(), 0),
        None => builder.locals(locals, old.n_formals, old.n_returns),
    }
    let mut body = Body::new(builder);
    // Where a thread arrives, and where it goes on once `enforce` holds; the old exit is a place
    // like any other, from which the new exit is reached.
    let at: Vec<Loc> = old.locs.iter().map(|info| body.loc(info.span)).collect();
    let arrive: Vec<Loc> = match old.enforce {
        None => at.clone(),
        Some(_) => old.locs.iter().map(|info| body.loc(info.span)).collect(),
    };
    let gone = body.loc(None);
    let first = from.unwrap_or(old.entry);
    body.builder().entry(arrive[first.index()]);
    let mut writer = Writer { it, proc, body, at, arrive, gone };
    for loc in old.locs.ids() {
        writer.location(loc);
    }
    let Writer { it, mut body, gone, .. } = writer;
    stop(it, &mut body, gone);
    body
}

/// The locals, and behind them places for results that go to shared variables, and for the values of a
/// thread that never runs.
fn with_temporaries(it: &Translation<'_>, proc: ProcId) -> Vec<VarInfo> {
    let old = &it.old.procs[proc];
    let mut locals = old.locals.clone();
    let n_results = old.edges.iter().map(|edge| match &edge.action {
        Action::Call(call) => call.results.len(),
        Action::StartThread(spawn) if is_enforced(it, spawn) => {
            Site::of(it.old, proc, spawn).n_values(it.old)
        }
        _ => 0,
    });
    let n = n_results.max().unwrap_or(0);
    locals.extend((0..n).map(|n| VarInfo { name: format!("tmp{n}").as_str().into(), span: None }));
    locals
}

fn is_enforced(it: &Translation<'_>, spawn: &Spawn) -> bool {
    matches!(spawn, Spawn::Call { callee, .. } if it.old.procs[*callee].enforce.is_some())
}

struct Writer<'t, 'a> {
    it: &'t mut Translation<'a>,
    proc: ProcId,
    body: Body,
    at: Vec<Loc>,
    arrive: Vec<Loc>,
    gone: Loc,
}

impl Writer<'_, '_> {
    fn location(&mut self, loc: Loc) {
        let old = &self.it.old.procs[self.proc];
        let (at, arrive) = (self.at[loc.index()], self.arrive[loc.index()]);
        if let Some(enforce) = old.enforce {
            for (guard, context) in self.contexts(self.it.exprs.is_shared(enforce)) {
                let holds = self.it.exprs.within(enforce, context);
                let condition = self.it.exprs.all(guard.into_iter().chain([holds]));
                self.body.edge(arrive, Action::Assume(condition), at, Origin::Silent);
            }
        }
        self.body.edge(at, Action::Skip, self.gone, Origin::Silent);
        if self.it.layout.last >= 2 && self.concerns_others(loc) {
            let switch = Call { callee: self.it.switch(), args: vec![], results: vec![] };
            self.body.edge(at, Action::Call(Box::new(switch)), arrive, Origin::Silent);
        }
        if self.is_goal(LocRef { proc: self.proc, loc }) {
            let here = LocRef { proc: self.proc, loc };
            self.reach_goal(at, Vec::new(), Vec::new(), Origin::Reach(here));
        }
        if loc == old.exit {
            let exit = self.body.exit();
            self.body.edge(at, Action::Skip, exit, Origin::Silent);
        }
        for (id, edge) in old.out_edges(loc) {
            self.edge(at, EdgeRef { proc: self.proc, edge: id }, edge);
        }
    }

    fn is_goal(&self, at: LocRef) -> bool {
        match self.it.goal {
            Goal::Label(name) => self.it.old.procs[at.proc].locs[at.loc].has_label(name),
            Goal::Assert => false,
        }
    }

    /// The goal counts in the last context: in an earlier one it was found with fewer switches.
    fn reach_goal(
        &mut self,
        from: Loc,
        conditions: Vec<ExprId>,
        mut targets: Vec<(VarId, ExprId)>,
        origin: Origin,
    ) {
        let layout = self.it.layout;
        let here = self.it.exprs.var(layout.at(layout.last));
        let condition = self.it.exprs.all([here].into_iter().chain(conditions));
        targets.push((layout.error(), self.it.exprs.truth(true)));
        self.body.assign(from, condition, targets, self.gone, origin);
    }

    /// The contexts to write a statement down for, each with its condition; one without a condition is
    /// enough for a statement that does not depend on them.
    fn contexts(&mut self, depends: bool) -> Vec<(Option<ExprId>, usize)> {
        if !depends {
            return vec![(None, 0)];
        }
        let layout = self.it.layout;
        (0..layout.n_contexts())
            .map(|context| (Some(self.it.exprs.var(layout.at(context))), context))
            .collect()
    }

    fn edge(&mut self, from: Loc, at: EdgeRef, edge: &Edge) {
        let layout = self.it.layout;
        let to = self.arrive[edge.to.index()];
        let depends = self.is_shared(&edge.action);
        let take = Origin::Take(at);
        match &edge.action {
            Action::Skip => self.body.edge(from, Action::Skip, to, take),
            Action::Assume(guard) | Action::Assert(guard) => {
                for (here, context) in self.contexts(depends) {
                    let holds = self.it.exprs.within(*guard, context);
                    let condition = self.it.exprs.all(here.into_iter().chain([holds]));
                    self.body.edge(from, Action::Assume(condition), to, take);
                }
                if matches!(edge.action, Action::Assert(_)) && *self.it.goal == Goal::Assert {
                    let holds = self.it.exprs.within(*guard, layout.last);
                    let fails = self.it.exprs.pool.not(holds);
                    self.reach_goal(from, vec![fails], Vec::new(), Origin::Violate(at));
                }
            }
            Action::Assign(assign) => self.assign(from, assign, depends, to, take),
            Action::Call(call) => self.call(from, at, call, depends, to),
            Action::AtomicBegin | Action::AtomicEnd => {
                let holds = self.it.exprs.truth(edge.action == Action::AtomicBegin);
                let always = self.it.exprs.truth(true);
                self.body.assign(from, always, vec![(layout.atomic(), holds)], to, take);
            }
            Action::EndThread => {
                let ended = end_thread(self.it, &mut self.body, from, take);
                self.body.edge(ended, Action::Skip, self.gone, Origin::Silent);
            }
            Action::StartThread(spawn) => self.start(from, at, spawn, to),
        }
    }

    fn assign(&mut self, from: Loc, assign: &Assign, depends: bool, to: Loc, take: Origin) {
        for (here, context) in self.contexts(depends) {
            let it = &mut *self.it;
            let place = |var: VarId| match local_index(it.old, var) {
                None => it.layout.now(context, var.index()),
                Some(_) => it.layout.local(var),
            };
            let targets = assign
                .targets
                .iter()
                .map(|&(var, value)| (place(var), it.exprs.within(value, context)))
                .collect();
            let constrain = assign.constrain.map(|expr| it.exprs.within(expr, context));
            let condition = it.exprs.all(here.into_iter().chain(constrain));
            self.body.assign(from, condition, targets, to, take);
        }
    }

    fn call(&mut self, from: Loc, at: EdgeRef, call: &Call, depends: bool, to: Loc) {
        let layout = self.it.layout;
        let old = self.it.old;
        let n_locals = old.procs[self.proc].locals.len();
        let temporary = |n: usize| VarId::new(layout.n_shared() + n_locals + n);
        let is_shared = |var: &VarId| local_index(old, *var).is_none();
        let stores: Vec<(usize, VarId)> = call
            .results
            .iter()
            .enumerate()
            .filter_map(|(n, var)| var.filter(is_shared).map(|var| (n, var)))
            .collect();
        let result = |(n, var): (usize, &Option<VarId>)| {
            var.map(|var| if is_shared(&var) { temporary(n) } else { layout.local(var) })
        };
        let results: Vec<_> = call.results.iter().enumerate().map(result).collect();
        let (after, origin) = match stores.is_empty() {
            true => (to, Origin::Take(at)),
            false => (self.body.loc(None), Origin::CallAndStore(at)),
        };
        for (here, context) in self.contexts(depends) {
            let args = call.args.iter().map(|&arg| self.it.exprs.within(arg, context)).collect();
            let action = Call { callee: call.callee, args, results: results.clone() };
            let mut from = from;
            if let Some(here) = here {
                let there = self.body.loc(None);
                self.body.edge(from, Action::Assume(here), there, Origin::Silent);
                from = there;
            }
            self.body.edge(from, Action::Call(Box::new(action)), after, origin);
        }
        if !stores.is_empty() {
            for (here, context) in self.contexts(true) {
                let targets = stores
                    .iter()
                    .map(|&(n, var)| {
                        (layout.now(context, var.index()), self.it.exprs.var(temporary(n)))
                    })
                    .collect();
                let condition = self.it.exprs.all(here);
                self.body.assign(after, condition, targets, to, Origin::Stored);
            }
        }
    }

    fn start(&mut self, from: Loc, at: EdgeRef, spawn: &Spawn, to: Loc) {
        let layout = self.it.layout;
        let site = Site::of(self.it.old, self.proc, spawn);
        let is_goal = self.is_goal(LocRef { proc: site.proc, loc: site.loc });
        let n_locals = self.it.old.procs[self.proc].locals.len();
        for context in 0..layout.n_contexts() {
            let here = self.it.exprs.var(layout.at(context));
            let mut conditions = vec![here];
            let mut counted = Vec::new();
            if let Some(bound) = self.it.limits.bound {
                let is_full = self.it.exprs.alive_is(context, bound as usize);
                let skipped = self.it.exprs.all([here, is_full]);
                let origin = Origin::Start(at, Started::None);
                self.body.edge(from, Action::Assume(skipped), to, origin);
                conditions.push(self.it.exprs.pool.not(is_full));
                counted = self.it.exprs.count(context, true);
            }
            let values = start_values(self.it, site, self.proc, spawn, context);
            for first in context + 1..layout.n_contexts() {
                let (condition, mut targets) = begin_thread(self.it, site, &values, context, first);
                targets.extend(counted.iter().copied());
                let condition = self.it.exprs.all(conditions.iter().copied().chain([condition]));
                let origin = Origin::Start(at, Started::In(first));
                self.body.assign(from, condition, targets, to, origin);
            }
            // One that never runs: its values matter only if they must fulfil something.
            let mut targets = counted;
            if is_enforced(self.it, spawn) {
                let temporary = |n: usize| VarId::new(layout.n_shared() + n_locals + n);
                conditions.extend(entry_condition(self.it, site, context, temporary));
                targets.extend(values.iter().enumerate().map(|(n, &value)| (temporary(n), value)));
            }
            let origin = Origin::Start(at, Started::Idle);
            if is_goal && context == layout.last {
                self.reach_goal(from, conditions.clone(), targets.clone(), origin);
            }
            let condition = self.it.exprs.all(conditions);
            self.body.assign(from, condition, targets, to, origin);
        }
    }

    /// Whether the action reads or writes a shared variable.
    fn is_shared(&self, action: &Action) -> bool {
        let exprs = &self.it.exprs;
        match action {
            Action::Assume(guard) | Action::Assert(guard) => exprs.is_shared(*guard),
            Action::Assign(assign) => {
                let is_shared = |&(var, value): &(VarId, ExprId)| {
                    local_index(self.it.old, var).is_none() || exprs.is_shared(value)
                };
                assign.targets.iter().any(is_shared)
                    || assign.constrain.is_some_and(|expr| exprs.is_shared(expr))
            }
            Action::Call(call) => call.args.iter().any(|&arg| exprs.is_shared(arg)),
            _ => false,
        }
    }

    /// Whether a thread may have to switch here.
    fn concerns_others(&self, loc: Loc) -> bool {
        let old = self.it.old;
        let body = &old.procs[self.proc];
        if loc == body.exit {
            // The end of a thread counts, a return may store results, and callers may enforce.
            let any_enforce = old.procs.iter().any(|proc| proc.enforce.is_some());
            return self.it.limits.bound.is_some() || body.n_returns > 0 || any_enforce;
        }
        body.enforce.is_some()
            || body.out_edges(loc).any(|(_, edge)| match &edge.action {
                Action::StartThread(_) | Action::EndThread | Action::AtomicBegin => true,
                Action::Call(call) if old.procs[call.callee].enforce.is_some() => true,
                action => self.is_shared(action),
            })
    }
}

/// The thread is no longer alive and gives the atomic flag back. Returns where that has happened.
pub fn end_thread(it: &mut Translation<'_>, body: &mut Body, from: Loc, origin: Origin) -> Loc {
    let layout = it.layout;
    let gone = body.loc(None);
    let free = (layout.atomic(), it.exprs.truth(false));
    if it.limits.bound.is_none() {
        let always = it.exprs.truth(true);
        body.assign(from, always, vec![free], gone, origin);
        return gone;
    }
    for context in 0..layout.n_contexts() {
        let here = it.exprs.var(layout.at(context));
        let mut targets = it.exprs.count(context, false);
        targets.push(free);
        body.assign(from, here, targets, gone, origin);
    }
    gone
}

/// What a new thread is given, computed by its creator.
fn start_values(
    it: &mut Translation<'_>,
    site: Site,
    creator: ProcId,
    spawn: &Spawn,
    context: usize,
) -> Vec<ExprId> {
    match spawn {
        Spawn::Goto(_) => {
            let locals = it.old.locals(creator);
            locals.map(|var| it.exprs.var(it.layout.local(var))).collect()
        }
        Spawn::Call { args, .. } => {
            let mut values: Vec<_> =
                args.iter().map(|&arg| it.exprs.within(arg, context)).collect();
            values.resize_with(site.n_values(it.old), || it.exprs.any());
            values
        }
    }
}

/// `enforce` at the entry of a new thread, whose locals are about to be where `local` says.
fn entry_condition(
    it: &mut Translation<'_>,
    site: Site,
    context: usize,
    local: impl Fn(usize) -> VarId,
) -> Option<ExprId> {
    let body = &it.old.procs[site.proc];
    // In the middle of a procedure it holds already: the creator is there.
    let enforce = body.enforce.filter(|_| site.loc == body.entry)?;
    Some(it.exprs.entering(enforce, context, local))
}

/// Condition and assignments for a new thread, created in `context`, with this first context.
/// Values that are not given are any.
pub fn begin_thread(
    it: &mut Translation<'_>,
    site: Site,
    values: &[ExprId],
    context: usize,
    first: usize,
) -> (ExprId, Vec<(VarId, ExprId)>) {
    let layout = it.layout;
    let number = it.sites.number(site);
    let mut targets = vec![(layout.taken(first), it.exprs.truth(true))];
    for (bit, var) in it.site_bits(first).into_iter().enumerate() {
        targets.push((var, it.exprs.truth(number >> bit & 1 == 1)));
    }
    for index in 0..site.n_values(it.old) {
        let value = values.get(index).copied().unwrap_or_else(|| it.exprs.any());
        targets.push((layout.store(first, index), value));
    }
    let mut conditions = vec![it.exprs.not(layout.taken(first))];
    if site.start == Start::AllLocals {
        conditions.extend(entry_condition(it, site, context, |index| layout.store(first, index)));
    }
    (it.exprs.all(conditions), targets)
}
