//! Cartesian vectors: how far each thread may run before others get a turn (BOOM section 6.4, after
//! Gueta, Flanagan, Yahav and Sagiv).
//!
//! **Computes** for each thread a region: a set of locations at which it runs on. Its runs from where
//! it stands are its component of the vector; each has at least one step and ends with the first that
//! leads out of the region. *Inner* steps are those that are not the last of a run.
//!
//! **Invariant.** Every step of a component is independent of every inner step of each other
//! component.
//!
//! **Why it is right.** Take a run to a goal and the first thread in it that comes to the end of its
//! component. All that others did before are inner steps, so the component commutes to the front, and
//! what is left of the run is shorter. If none comes to its end, the thread that reaches the goal
//! does so inside its own component, and can do it alone. No step has to be always possible, and no
//! cycle needs a test.
//!
//! **Departure.** The thesis extends vectors statement by statement along the run; here regions are
//! sets of locations, so that a plan holds for all valuations. They are grown in turns, one location
//! at a time, as long as the invariant holds.

use hardbop_base::Bits;
use hardbop_cfg::analysis::Footprint;
use hardbop_cfg::{EdgeRef, LocRef};

use super::facts::Facts;

/// A thread's component.
struct Component {
    region: Bits,
    /// Where its steps begin.
    locs: Vec<LocRef>,
    /// Of all steps.
    steps: Footprint,
    /// Of the inner ones, if there are any.
    inner: Option<Footprint>,
    /// Locations at which some run ends now.
    ends: Vec<LocRef>,
}

/// A region for each thread, or nothing if each would be empty.
pub fn regions(facts: &Facts<'_>, threads: &[LocRef]) -> Option<Vec<Bits>> {
    let mut components: Vec<Component> =
        threads.iter().map(|&at| Component::one_step(facts, at)).collect();
    loop {
        let mut grew = false;
        for it in 0..components.len() {
            let ends = std::mem::take(&mut components[it].ends);
            for end in ends {
                let Some(grown) = components[it].grown(facts, end) else { continue };
                let others = components.iter().enumerate().filter(|&(other, _)| other != it);
                if others.into_iter().all(|(_, other)| grown.is_apart_from(other)) {
                    components[it] = grown;
                    grew = true;
                }
                // An end that does not fit now fits never: components only grow.
            }
        }
        if !grew {
            break;
        }
    }
    let is_some = components.iter().any(|component| !component.region.is_empty());
    is_some.then(|| components.into_iter().map(|component| component.region).collect())
}

impl Component {
    fn one_step(facts: &Facts<'_>, at: LocRef) -> Self {
        let mut component = Component {
            region: Bits::new(),
            locs: vec![at],
            steps: facts.step(at).clone(),
            inner: None,
            ends: Vec::new(),
        };
        component.add_ends(facts, at);
        component
    }

    /// With runs going on at `end`.
    fn grown(&self, facts: &Facts<'_>, end: LocRef) -> Option<Self> {
        if self.region.contains(facts.number(end)) {
            return None;
        }
        let mut inner = self.inner.clone().unwrap_or_default();
        let mut locs = self.locs.clone();
        let (mut region, mut steps) = (self.region.clone(), self.steps.clone());
        region.insert(facts.number(end));
        if !locs.contains(&end) {
            locs.push(end);
        }
        steps.union_with(facts.step(end));
        for &at in &locs {
            for (edge, to) in out(facts, at) {
                if region.contains(facts.number(to)) && (to == end || at == end) {
                    inner.union_with(&facts.edge(edge));
                }
            }
        }
        let ends = self.ends.clone();
        let mut grown = Component { region, locs, steps, inner: Some(inner), ends };
        grown.add_ends(facts, end);
        Some(grown)
    }

    fn add_ends(&mut self, facts: &Facts<'_>, at: LocRef) {
        self.ends.extend(out(facts, at).map(|(_, to)| to));
    }

    fn is_apart_from(&self, other: &Component) -> bool {
        let touches = |inner: &Option<Footprint>, steps| {
            inner.as_ref().is_some_and(|it| it.depends_on(steps))
        };
        !touches(&self.inner, &other.steps) && !touches(&other.inner, &self.steps)
    }
}

/// The edges after which a thread may run on. Never to an exit: what comes after it is another
/// procedure's.
fn out<'f>(facts: &'f Facts<'_>, at: LocRef) -> impl Iterator<Item = (EdgeRef, LocRef)> + use<'f> {
    let program = facts.program();
    let edges = program.procs[at.proc].out_edges(at.loc);
    let edges = edges.map(move |(edge, _)| EdgeRef { proc: at.proc, edge });
    edges.filter_map(|edge| {
        let to = facts.runs_on_to(edge)?;
        (to.loc != program.procs[to.proc].exit).then_some((edge, to))
    })
}
