//! Boolean programs as a system: rules come into being when a thread state is first met.
//!
//! The control state is the shared variables and the thread that holds the atomic flag, if one does;
//! or a goal that was reached, which is a control state of its own: a failing assertion, or a thread at
//! the label asked for, takes the thread there. So what is to be covered is a control state. Moves of
//! threads come from `hardbop_conc`, where calls are inlined and values that cannot matter forgotten.

use std::rc::Rc;

use crate::counted::counters::{self, Counters, SharedId, multisets};
use crate::counted::explore::{BroadcastId, Explorer, KnownEffect};
use crate::counted::identify::identify;
use crate::counted::inline::Local;
use crate::counted::intern::Interner;
use crate::counted::lift::lift;
use crate::counted::moves::ThreadProgram;
use hardbop_base::budget::Meter;
use hardbop_base::{Exhausted, Idx};
use hardbop_cfg::{EdgeRef, LocRef};
use hardbop_engine::{GoalSite, InitialThreads, Task, goals};
use hardbop_evidence::Trace;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::cover::board::Word;
use crate::cover::counts::{Counts, LocalId, OMEGA};
use crate::cover::run::Run;
use crate::cover::system::{ControlId, Rule, State, System, TransferId};

/// See the module.
pub struct ProgramSystem<'a> {
    pub explorer: Explorer<'a>,
    initial_threads: InitialThreads,
    /// The places asked for; control state `n` is the `n`th of them reached.
    pub sites: Vec<GoalSite>,
    asserts: FxHashMap<EdgeRef, ControlId>,
    labels: FxHashMap<LocRef, Vec<ControlId>>,
    /// Control states from the number of sites on.
    controls: Interner<Place, Control>,
    rules: FxHashMap<(ControlId, Option<LocalId>), Rc<[Rule]>>,
}

hardbop_base::define_id!(
    /// A control state that is no goal.
    Place, "p"
);

/// Shared values and the holder of the flag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Control {
    pub shared: SharedId,
    pub holder: Option<counters::LocalId>,
}

/// The two tables of local states have the same numbers.
pub fn to_local(local: counters::LocalId) -> LocalId {
    LocalId::from_u32(local.as_u32())
}

pub fn from_local(local: LocalId) -> counters::LocalId {
    counters::LocalId::from_u32(local.as_u32())
}

impl<'a> ProgramSystem<'a> {
    /// For a task that asks for no bound on threads.
    pub fn new(task: &Task<'a>) -> Self {
        let mut sites = goals::sites(task.program);
        sites.retain(|site| task.exhaustive || site.is_of(&task.goal));
        let mut asserts = FxHashMap::default();
        let mut labels: FxHashMap<LocRef, Vec<ControlId>> = FxHashMap::default();
        for (number, site) in sites.iter().enumerate() {
            match site {
                GoalSite::Assert(edge) => _ = asserts.insert(*edge, ControlId::new(number)),
                GoalSite::Label(at, _) => {
                    labels.entry(*at).or_default().push(ControlId::new(number))
                }
            }
        }
        ProgramSystem {
            explorer: Explorer::new(ThreadProgram::new(task.program), u32::MAX),
            initial_threads: task.initial_threads,
            sites,
            asserts,
            labels,
            controls: Interner::default(),
            rules: FxHashMap::default(),
        }
    }

    /// `None` for a goal.
    pub fn control(&self, id: ControlId) -> Option<Control> {
        let place = id.index().checked_sub(self.sites.len())?;
        Some(*self.controls.get(Place::new(place)))
    }

    /// A state that is no goal, by the numbers of the explorer.
    pub fn state(
        &mut self,
        shared: SharedId,
        holder: Option<counters::LocalId>,
        counts: Counts,
    ) -> State {
        State { control: self.control_id(shared, holder), counts }
    }

    fn control_id(&mut self, shared: SharedId, holder: Option<counters::LocalId>) -> ControlId {
        let place = self.controls.id(Control { shared, holder });
        ControlId::new(self.sites.len() + place.index())
    }

    /// The trace of a run whose last step reaches a goal; `None` if it cannot be found again in the
    /// program, which is a mistake of ours.
    pub fn trace(
        &mut self,
        run: &Run,
        meter: &mut Meter<'_>,
    ) -> Result<Option<(GoalSite, Trace)>, Exhausted> {
        let Some((last, steps)) = run.steps.split_last() else { return Ok(None) };
        let Some(site) = self.sites.get(last.after.control.index()).cloned() else {
            return Ok(None);
        };
        let mut counted = Vec::with_capacity(run.steps.len());
        let mut distance = 0;
        let weighed = steps.iter().map(|step| (&step.after, step.rule.tag));
        for (state, weight) in std::iter::once((&run.initial, 0)).chain(weighed) {
            distance += weight;
            let Some(Control { shared, holder }) = self.control(state.control) else {
                return Ok(None);
            };
            let counts = state.counts.iter().map(|(local, n)| (from_local(local), n)).collect();
            counted.push((Counters { shared, holder, counts }, distance));
        }
        let run = identify(&mut self.explorer, &counted, &site, meter)?;
        Ok(run.map(|run| (site, lift(&self.explorer.threads.contexts, &run))))
    }

    fn compute(
        &mut self,
        control: ControlId,
        anchor: Option<LocalId>,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Rule>, Exhausted> {
        let mut rules = Vec::new();
        let Some(Control { shared, holder }) = self.control(control) else { return Ok(rules) };
        let (mover, take) = match (anchor, holder) {
            (Some(local), _) => (from_local(local), Counts::one(local)),
            (None, Some(holder)) => (holder, Counts::new()),
            (None, None) => return Ok(rules),
        };
        let at = self.explorer.threads.contexts.place(&self.explorer.local(mover));
        for &goal in self.labels.get(&at).into_iter().flatten() {
            rules.push(rule(&take, goal, Counts::new(), 0));
        }
        // Only the holder of the flag runs while it is held.
        if anchor.is_some() && holder.is_some() {
            return Ok(rules);
        }
        let known = self.explorer.moves_of(shared, mover, meter)?;
        for edge in &known.failures {
            if let Some(&goal) = self.asserts.get(edge) {
                rules.push(rule(&take, goal, Counts::new(), 1));
            }
        }
        for it in &known.moves {
            let holds =
                if let KnownEffect::Flag(_, holds) = it.effect { holds } else { anchor.is_none() };
            let to = match it.effect {
                KnownEffect::End => None,
                KnownEffect::Go(to)
                | KnownEffect::Flag(to, _)
                | KnownEffect::Start(to, _)
                | KnownEffect::Broadcast(to, _) => Some(to),
            };
            let target = self.control_id(it.shared, to.filter(|_| holds));
            let stays = to.filter(|_| !holds).map(to_local);
            let put = stays.map_or_else(Counts::new, Counts::one);
            match &it.effect {
                KnownEffect::Start(_, started) => {
                    for &new in started {
                        let mut put = put.clone();
                        put.add(to_local(new), 1);
                        rules.push(rule(&take, target, put, it.weight));
                    }
                }
                KnownEffect::Broadcast(_, broadcast) => {
                    let transfer = Some(TransferId::from_u32(broadcast.as_u32()));
                    rules.push(Rule { transfer, ..rule(&take, target, put, it.weight) });
                }
                _ => rules.push(rule(&take, target, put, it.weight)),
            }
        }
        // A step that changes nothing is none.
        rules.retain(|it| it.to != control || it.put != it.take || it.transfer.is_some());
        Ok(rules)
    }
}

fn rule(take: &Counts, to: ControlId, put: Counts, weight: u32) -> Rule {
    Rule { take: take.clone(), to, put, transfer: None, tag: weight }
}

impl System for ProgramSystem<'_> {
    fn initial(&mut self, meter: &mut Meter<'_>) -> Result<Vec<State>, Exhausted> {
        let mut states = Vec::new();
        for (shared, locals) in self.explorer.threads.initial(meter)? {
            let shared = self.explorer.shared_id(&shared);
            let control = self.control_id(shared, None);
            let mut options: Vec<_> =
                locals.iter().map(|local| self.explorer.local_id(local)).collect();
            options.sort_unstable();
            options.dedup();
            match self.initial_threads {
                InitialThreads::Unbounded => {
                    let counts = options.iter().map(|&local| (to_local(local), OMEGA)).collect();
                    states.push(State { control, counts });
                }
                InitialThreads::Count(n) => multisets(&options, n, &mut |counts| {
                    meter.tick()?;
                    let counts = counts.iter().map(|&(local, n)| (to_local(local), n)).collect();
                    states.push(State { control, counts });
                    Ok::<(), Exhausted>(())
                })?,
            }
        }
        states.sort_unstable();
        states.dedup();
        Ok(states)
    }

    fn rules(
        &mut self,
        control: ControlId,
        anchor: Option<LocalId>,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[Rule]>, Exhausted> {
        if let Some(known) = self.rules.get(&(control, anchor)) {
            return Ok(known.clone());
        }
        let rules: Rc<[Rule]> = self.compute(control, anchor, meter)?.into();
        self.rules.insert((control, anchor), rules.clone());
        Ok(rules)
    }

    fn react(
        &mut self,
        transfer: TransferId,
        local: LocalId,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[LocalId]>, Exhausted> {
        let broadcast = BroadcastId::from_u32(transfer.as_u32());
        let all = self.explorer.reactions_of(broadcast, from_local(local), meter)?;
        Ok(all.iter().map(|&local| to_local(local)).collect())
    }

    /// A goal by its number; else the shared values, and the holder's words.
    fn control_word(&self, control: ControlId) -> Word {
        let Some(Control { shared, holder }) = self.control(control) else {
            return Word { numbers: [control.as_u32()].into_iter().collect(), ..Word::default() };
        };
        let mut word = holder.map_or_else(Word::default, |it| self.local_word(to_local(it)));
        word.values.push((*self.explorer.shared(shared)).clone());
        word
    }

    /// The place, the calls that wait, and the values.
    fn local_word(&self, local: LocalId) -> Word {
        let Local { context, loc, values } = &*self.explorer.local(from_local(local));
        let contexts = &self.explorer.threads.contexts;
        let mut numbers = SmallVec::from_slice(&[loc.as_u32(), contexts.proc(*context).as_u32()]);
        let calls = |&(context, _): &_| contexts.caller(context);
        for (caller, edge) in std::iter::successors(contexts.caller(*context), calls) {
            numbers.extend([edge.as_u32(), contexts.proc(caller).as_u32()]);
        }
        Word { numbers, values: [values.clone()].into_iter().collect() }
    }

    fn n_threads_in(&self, control: ControlId) -> u64 {
        let holder = self.control(control).and_then(|control| control.holder);
        u64::from(holder.is_some())
    }

    fn targets(&self) -> Vec<State> {
        let goal = |number| State { control: ControlId::new(number), counts: Counts::new() };
        (0..self.sites.len()).map(goal).collect()
    }
}
