//! What is known of the program before symbolic simulation begins.

use hardbop_base::{Bits, Idx, IndexVec};
use hardbop_cfg::analysis::{CallGraph, Effects, Follow, Live, ModRef, Reading, WeakOrder};
use hardbop_cfg::{Goal, LocRef, ProcId, Program, VarId};
use hardbop_engine::{GoalSite, Task, goals};
use rustc_hash::FxHashMap;

use crate::sat::unroll::Goals;

pub struct Facts<'a> {
    pub program: &'a Program,
    pub goal: Goal,
    pub calls: CallGraph,
    pub modref: ModRef,
    pub live: Live,
    pub order: IndexVec<ProcId, WeakOrder>,
    /// The places that are asked for: those of the goal, or in an exhaustive run all.
    pub sites: Vec<GoalSite>,
    site_ids: FxHashMap<GoalSite, usize>,
    /// Ways to places of one group are not told apart.
    exhaustive: bool,
    /// Procedures that contain such a place or lead to one by calls.
    leads_to_goal: Bits,
    /// The same for places of the goal alone: an exhaustive run asks for others, too.
    leads_to_violation: Bits,
}

impl<'a> Facts<'a> {
    pub fn of(task: &Task<'a>) -> Self {
        let program = task.program;
        let calls = CallGraph::of(program);
        let effects = Effects::of(program, Reading::DataFlow);
        let modref = ModRef::of(program, &effects, &calls, Follow::Calls);
        let live = Live::framed_through_calls(program, &effects, &calls, &modref);
        let mut sites = goals::sites(program);
        if !task.exhaustive {
            sites.retain(|site| site.is_of(&task.goal));
        }
        let site_ids = sites.iter().cloned().zip(0..).collect();
        let order = program.procs.iter().map(WeakOrder::of).collect();
        let goal = task.goal.clone();
        let leads_to_violation = leading_to(&calls, sites.iter().filter(|it| it.is_of(&goal)));
        let leads_to_goal = leading_to(&calls, &sites);
        Facts {
            program,
            goal,
            calls,
            modref,
            live,
            order,
            sites,
            site_ids,
            exhaustive: task.exhaustive,
            leads_to_goal,
            leads_to_violation,
        }
    }

    /// The number of a place, if it is asked for.
    pub fn site(&self, site: &GoalSite) -> Option<usize> {
        self.site_ids.get(site).copied()
    }

    /// In an exhaustive run each place is a group of its own.
    pub fn group(&self, site: usize) -> usize {
        if self.exhaustive { site } else { 0 }
    }

    /// How many groups there are places of.
    pub fn n_groups(&self) -> usize {
        if self.exhaustive { self.sites.len() } else { self.sites.len().min(1) }
    }

    /// What to do about goals met on the way.
    pub fn goals(&self) -> Goals {
        if self.exhaustive { Goals::Collect } else { Goals::Meet }
    }

    /// The place of a group, if it has only one by definition.
    pub fn only_site(&self, group: usize) -> Option<&GoalSite> {
        if self.exhaustive { self.sites.get(group) } else { None }
    }

    pub fn leads_to_goal(&self, proc: ProcId) -> bool {
        self.leads_to_goal.contains(proc.index())
    }

    /// Whether a place of the goal is in the procedure or below it.
    pub fn leads_to_violation(&self, proc: ProcId) -> bool {
        self.leads_to_violation.contains(proc.index())
    }

    /// The groups of places in a procedure or below it.
    pub fn groups_below(&self, proc: ProcId) -> Vec<usize> {
        if !self.leads_to_goal(proc) {
            return Vec::new();
        }
        if !self.exhaustive {
            return vec![0];
        }
        let mut below: Bits = [proc.index()].into_iter().collect();
        let mut todo = vec![proc];
        while let Some(proc) = todo.pop() {
            let callees = self.calls.callees(proc).iter();
            todo.extend(callees.filter(|callee| below.insert(callee.index())));
        }
        let is_below = |&site: &usize| below.contains(proc_of(&self.sites[site]).index());
        (0..self.sites.len()).filter(is_below).collect()
    }

    /// What of a call's state at entry can matter to the callee: shared variables and formals.
    pub fn entry_vars(&self, proc: ProcId) -> Vec<usize> {
        let body = &self.program.procs[proc];
        let known = self.program.n_shared() + body.n_formals;
        self.live_at(LocRef { proc, loc: body.entry }).filter(|&var| var < known).collect()
    }

    /// What of a callee's state at its exit can matter to callers.
    pub fn exit_vars(&self, proc: ProcId) -> Vec<usize> {
        let n_shared = self.program.n_shared();
        let exit = LocRef { proc, loc: self.program.procs[proc].exit };
        let modified = self.modref.modified(proc);
        let returns: Bits = self.program.returns(proc).map(VarId::index).collect();
        let is_visible = |var: &usize| match *var < n_shared {
            true => modified.contains(*var),
            false => returns.contains(*var),
        };
        self.live_at(exit).filter(is_visible).collect()
    }

    pub fn live_at(&self, at: LocRef) -> impl Iterator<Item = usize> + '_ {
        self.live.at(at).iter()
    }

    /// Where states are merged and compared: every cycle passes one of these.
    pub fn is_head(&self, at: LocRef) -> bool {
        self.order[at.proc].is_head(at.loc)
    }
}

fn leading_to<'s>(calls: &CallGraph, sites: impl IntoIterator<Item = &'s GoalSite>) -> Bits {
    let mut found = Bits::new();
    let mut todo = Vec::new();
    for site in sites {
        let proc = proc_of(site);
        if found.insert(proc.index()) {
            todo.push(proc);
        }
    }
    while let Some(proc) = todo.pop() {
        todo.extend(calls.callers(proc).into_iter().filter(|caller| found.insert(caller.index())));
    }
    found
}

fn proc_of(site: &GoalSite) -> ProcId {
    match site {
        GoalSite::Assert(edge) => edge.proc,
        GoalSite::Label(at, _) => at.proc,
    }
}
