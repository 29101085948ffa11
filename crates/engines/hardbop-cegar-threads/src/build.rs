//! The model of a program: walked until what one pass assumes is what it finds.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, IndexVec, Span};
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::{Class, ObjKind, Program};
use hardbop_smt::Solver;
use rustc_hash::FxHashMap;

use crate::facts::{Facts, Seen};
use crate::model::{Cut, CutId, Meaning, Model, RoleId, Start, Step, StepId, Target, Var};
use crate::names::Naming;
use crate::steps::Walker;

/// So many passes are enough for every chain of constants that programs have.
const MAX_PASSES: usize = 16;

/// What is not modelled, and where.
pub type Refused = (String, Span);

pub fn build(
    program: &Program,
    classes: &[Class],
    watches: bool,
    budget: &Budget,
) -> Result<Model, Refused> {
    let mut naming = Naming::of(program);
    let mut solver = Solver::default();
    let mut facts = Facts::default();
    let points_to = PointsTo::of(program);
    for _ in 0..MAX_PASSES {
        let n_vars = naming.vars.len();
        let mut walker = {
            let known = (&facts, &points_to);
            Walker::new(&mut naming, classes, known, watches, &mut solver, budget)
        };
        walker.walk();
        if let Some(refused) = walker.gave_up {
            return Err(refused);
        }
        let (seen, cuts, steps) = (walker.seen, walker.cuts, walker.steps);
        let entries = walker.entries;
        let found = facts_of(&naming, &facts, &seen, &cuts, &steps);
        // Soundness: what the pass assumed is what it saw of all that threads can do.
        let is_same = found == facts && naming.vars.len() == n_vars;
        if is_same && !facts.is_settled {
            facts.is_settled = true;
            continue;
        }
        if is_same {
            refuse(&naming, &seen, &points_to)?;
            let mut steps = steps;
            begin(&mut naming, &cuts, &mut steps);
            forget_dead(&naming, &cuts, &mut steps);
            if watches {
                steps.retain(|step| {
                    let is_wrong = matches!(step.to, Target::Error(_) | Target::Unsupported(..));
                    !(is_wrong && naming.roles[cuts[step.from].role].is_many())
                });
            }
            let by_term = naming.vars.iter_enumerated().map(|(var, it)| (it.term, var)).collect();
            let Naming { terms, vars, roles, .. } = naming;
            let steps: IndexVec<StepId, Step> = steps.into();
            return Ok(Model { terms, vars, roles, cuts, steps, entries, by_term });
        }
        facts = found;
    }
    Err(("constants of this program do not settle".into(), Span::default()))
}

fn facts_of(
    naming: &Naming<'_>,
    before: &Facts,
    seen: &Seen,
    cuts: &IndexVec<CutId, Cut>,
    steps: &[Step],
) -> Facts {
    let constants = seen.assigned.iter().filter_map(|(&var, value)| Some((var, (*value)?)));
    let mut again = before.again.clone();
    again.extend(started_again(naming, cuts, steps));
    let numbers = numbers(naming, seen, cuts, steps);
    let mut vague = BTreeSet::new();
    if before.is_settled {
        vague.extend(&seen.vague);
        vague.extend(naming.overlaps(seen.accesses.keys().copied()));
    }
    Facts {
        constants: constants.collect(),
        accesses: seen.accesses.clone(),
        again,
        numbers: numbers.unwrap_or_default(),
        roles: seen.roles.clone(),
        vague: before.vague.union(&vague).copied().collect(),
        is_settled: before.is_settled,
    }
}

type Spot = (crate::model::FrameId, hardbop_cir::BlockId, usize);

/// Instructions after which a thread may come to them again.
fn started_again(
    naming: &Naming<'_>,
    cuts: &IndexVec<CutId, Cut>,
    steps: &[Step],
) -> BTreeSet<Spot> {
    let mut next: IndexVec<CutId, Vec<CutId>> = IndexVec::from_elem(Vec::new(), cuts.len());
    let mut starts: BTreeMap<Spot, Vec<&Step>> = BTreeMap::new();
    for step in steps {
        if let Target::Cut(to) = step.to {
            next[step.from].push(to);
        }
        for &role in &step.starts {
            if let Start::Once(frame, block, at) = naming.roles[role].start {
                starts.entry((frame, block, at)).or_default().push(step);
            }
        }
    }
    let mut again = BTreeSet::new();
    for (spot, steps) in starts {
        let from: BTreeSet<CutId> = steps.iter().map(|it| it.from).collect();
        let mut reached = BTreeSet::new();
        let mut todo: Vec<CutId> = Vec::new();
        todo.extend(steps.iter().filter_map(|it| match it.to {
            Target::Cut(to) => Some(to),
            _ => None,
        }));
        while let Some(cut) = todo.pop() {
            if reached.insert(cut) {
                todo.extend(&next[cut]);
            }
        }
        if from.iter().any(|it| reached.contains(it)) {
            again.insert(spot);
        }
    }
    again
}

/// Where `main` starts all threads in one order, their numbers.
fn numbers(
    naming: &Naming<'_>,
    seen: &Seen,
    cuts: &IndexVec<CutId, Cut>,
    steps: &[Step],
) -> Option<BTreeMap<RoleId, u128>> {
    if seen.roles.iter().any(|&role| naming.roles[role].is_many()) {
        return None;
    }
    let is_main = |cut: CutId| naming.roles[cuts[cut].role].start == Start::Main;
    let mut numbers: BTreeMap<RoleId, u128> = BTreeMap::new();
    let mut n_before: FxHashMap<CutId, u128> = FxHashMap::default();
    let entry = cuts.iter_enumerated().find(|(id, it)| it.place.is_none() && is_main(*id))?.0;
    n_before.insert(entry, 0);
    let mut todo = vec![entry];
    while let Some(cut) = todo.pop() {
        for step in steps.iter().filter(|it| it.from == cut) {
            let mut n = n_before[&cut];
            for &role in &step.starts {
                n += 1;
                if *numbers.entry(role).or_insert(n) != n {
                    return None;
                }
            }
            if let Target::Cut(to) = step.to {
                match n_before.get(&to) {
                    None => {
                        n_before.insert(to, n);
                        todo.push(to);
                    }
                    Some(&known) if known == n => {}
                    Some(_) => return None,
                }
            }
        }
    }
    let by_main = |step: &Step| step.starts.is_empty() || is_main(step.from);
    steps.iter().all(by_main).then_some(numbers)
}

/// What the model as a whole cannot say.
fn refuse(naming: &Naming<'_>, seen: &Seen, points_to: &PointsTo) -> Result<(), Refused> {
    let program = naming.program;
    let is_used = |role: RoleId| seen.roles.contains(&role) && naming.roles[role].is_many();
    let funcs: BTreeSet<_> =
        naming.frames.iter().filter(|it| is_used(it.role)).map(|it| it.func).collect();
    if funcs.is_empty() {
        return Ok(());
    }
    for object in program.objects.ids() {
        for target in points_to.of_content(object).objects {
            let it = &program.objects[target];
            // Soundness: objects of many threads have one number, so pointers to them may not be kept where others read them.
            if matches!(it.kind, ObjKind::Local(func) if funcs.contains(&func)) {
                let why = "the address of a local variable of one of many threads in memory";
                return Err((why.into(), it.span.unwrap_or_default()));
            }
        }
    }
    Ok(())
}

/// First values of everything that the first steps do not speak of.
fn begin(naming: &mut Naming<'_>, cuts: &IndexVec<CutId, Cut>, steps: &mut [Step]) {
    for step in steps.iter_mut().filter(|it| cuts[it.from].place.is_none()) {
        let role = cuts[step.from].role;
        let is_main = naming.roles[role].start == Start::Main;
        let is_many = naming.roles[role].is_many();
        let known: BTreeSet<Var> = step.updates.iter().map(|it| it.0).collect();
        for var in naming.vars.ids().collect::<Vec<_>>() {
            let is_its = is_many && naming.vars[var].role == Some(role);
            if known.contains(&var) || !(is_main || is_its) {
                continue;
            }
            let width = naming.vars[var].width;
            let value = match naming.vars[var].meaning {
                Meaning::Cell(cell) => naming.first_value(cell),
                Meaning::Count => Some(naming.terms.constant(width, 1)),
                Meaning::Started(_)
                | Meaning::Ended(_)
                | Meaning::Forgotten(_)
                | Meaning::Watched
                | Meaning::Inside(_) => Some(naming.terms.bool(false)),
                Meaning::Register(..) | Meaning::Own(..) | Meaning::Number(_) => None,
            };
            let value = value.unwrap_or_else(|| naming.terms.var("any", width));
            step.updates.push((var, value));
        }
    }
}

/// Registers that are not read again need not be followed.
fn forget_dead(naming: &Naming<'_>, cuts: &IndexVec<CutId, Cut>, steps: &mut Vec<Step>) {
    let by_term: FxHashMap<_, Var> =
        naming.vars.iter_enumerated().map(|(var, it)| (it.term, var)).collect();
    let support = |term| -> Vec<Var> {
        naming.terms.cone(&[term]).iter().filter_map(|it| by_term.get(it).copied()).collect()
    };
    // A register of another role is one that the thread to be started has been given.
    let may_die = |cut: CutId, var: Var| {
        let it = &naming.vars[var];
        matches!(it.meaning, Meaning::Register(..) | Meaning::Own(..))
            && it.role == Some(cuts[cut].role)
    };
    let guards: Vec<Vec<Var>> = steps.iter().map(|it| support(it.guard)).collect();
    let values: Vec<Vec<Vec<Var>>> =
        steps.iter().map(|it| it.updates.iter().map(|it| support(it.1)).collect()).collect();
    let mut live: IndexVec<CutId, BTreeSet<Var>> = IndexVec::from_elem(BTreeSet::new(), cuts.len());
    let is_live = |live: &IndexVec<CutId, BTreeSet<Var>>, step: &Step, var: Var| {
        let after = match step.to {
            Target::Cut(to) => live[to].contains(&var),
            _ => false,
        };
        after || !may_die(step.from, var)
    };
    loop {
        let mut has_changed = false;
        for (at, step) in steps.iter().enumerate() {
            let mut here: BTreeSet<Var> = guards[at].iter().copied().collect();
            for (place, &(var, _)) in step.updates.iter().enumerate() {
                if is_live(&live, step, var) {
                    here.extend(&values[at][place]);
                }
            }
            if let Target::Cut(to) = step.to {
                let set: BTreeSet<Var> = step.updates.iter().map(|it| it.0).collect();
                here.extend(live[to].iter().filter(|it| !set.contains(it)));
            }
            let n = live[step.from].len();
            live[step.from].extend(here);
            has_changed |= live[step.from].len() > n;
        }
        if !has_changed {
            break;
        }
    }
    for step in steps.iter_mut() {
        let mut updates = std::mem::take(&mut step.updates);
        updates.retain(|&(var, value)| is_live(&live, step, var) && value != naming.vars[var].term);
        step.updates = updates;
    }
    steps.retain(|step| {
        let is_idle = step.to == Target::Cut(step.from) && step.updates.is_empty();
        !(is_idle && step.starts.is_empty())
    });
}
