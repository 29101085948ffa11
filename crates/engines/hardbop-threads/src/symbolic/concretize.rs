//! From a way to the goal to a run with every value, those that do not matter included.
//!
//! Executed forward: what matters is told by the way, the rest is chosen so that each step is one
//! the program can take. There always is a choice, because what does not matter cannot keep a step
//! from being taken.

use crate::counted::identify::{Run, RunStep};
use crate::counted::inline::Local;
use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Action, EdgeRef, Spawn};
use hardbop_dd::{Level, OutOfNodes};
use hardbop_evidence::{Event, ThreadIx};

use crate::symbolic::backtrack::{Config, Hop, Thread};
use crate::symbolic::layout::Copy;
use crate::symbolic::step::{Effect, Initial, Step};
use crate::symbolic::template::Template;

/// The run along the hops; if an assertion fails at the end, in which slot.
pub fn concretize(
    template: &mut Template<'_>,
    initial: &Initial,
    first: &Config,
    hops: &[Hop],
    violation: Option<(usize, EdgeRef)>,
) -> Result<Run, OutOfNodes> {
    let shared = initial_shared(template, initial, first)?;
    let threads: Vec<Option<Local>> = first
        .threads
        .iter()
        .map(|thread| thread.as_ref().map(|it| local_at(template, it)))
        .collect();
    let locals: Vec<Local> = threads.iter().flatten().cloned().collect();
    let mut numbers = vec![None; threads.len()];
    let mut n_created = 0;
    for slot in (0..threads.len()).filter(|&slot| threads[slot].is_some()) {
        numbers[slot] = Some(ThreadIx::from_u32(n_created));
        n_created += 1;
    }
    let mut steps = Vec::with_capacity(hops.len() + 1);
    let mut walk = Walk { template, shared: shared.clone(), threads, numbers, n_created };
    for hop in hops {
        steps.push(walk.take(hop)?);
    }
    if let Some((slot, edge)) = violation {
        let (thread, local) = (walk.number(slot), walk.threads[slot].clone());
        let (event, shared) = (Event::Violate(edge), walk.shared.clone());
        steps.push(RunStep { thread, event, shared, local, others: Vec::new() });
    }
    Ok(Run { shared, locals, steps })
}

/// All shared variables as told, and the rest as the initial values allow.
fn initial_shared(
    template: &Template<'_>,
    initial: &Initial,
    first: &Config,
) -> Result<Bits, OutOfNodes> {
    let Template { dd, layout, program, .. } = *template;
    let level = |var| layout.level(var, Copy::Now);
    let told = template.live_shared();
    let told: Vec<_> = told.iter().map(|var| (level(var), first.shared.contains(var))).collect();
    let possible = dd.and(&initial.every_shared, &dd.product(&told)?)?;
    let levels: Vec<_> = (0..program.n_shared()).map(level).collect();
    let values = dd.pick_assignment(&possible, &levels).expect("the run starts somewhere");
    Ok((0..values.len()).filter(|&var| values[var]).collect())
}

fn local_at(template: &Template<'_>, thread: &Thread) -> Local {
    let (context, loc) = template.place(thread.pc);
    Local { context, loc, values: thread.values.clone() }
}

/// A state with all values, thread by slot.
struct Walk<'w, 'a> {
    template: &'w mut Template<'a>,
    shared: Bits,
    threads: Vec<Option<Local>>,
    /// The thread that has a slot now.
    numbers: Vec<Option<ThreadIx>>,
    n_created: u32,
}

impl Walk<'_, '_> {
    fn number(&self, slot: usize) -> ThreadIx {
        self.numbers[slot].expect("a slot of the way has its thread")
    }

    fn take(&mut self, hop: &Hop) -> Result<RunStep, OutOfNodes> {
        let steps = self.template.steps(hop.pc)?;
        let step = &steps[hop.step];
        let thread = self.number(hop.mover);
        let before = self.threads[hop.mover].clone().expect("a thread moves");
        let mut others = Vec::new();
        if let Some(slot) = hop.started {
            let number = ThreadIx::from_u32(self.n_created);
            self.n_created += 1;
            let new = self.born(&before, step, hop.after.threads[slot].as_ref());
            others.push((slot, number, new));
        }
        if let Effect::Broadcast { .. } = step.effect {
            for slot in (0..self.threads.len()).filter(|&slot| slot != hop.mover) {
                if let Some(changed) = self.changed(slot, &before, step, &hop.after) {
                    others.push((slot, self.number(slot), changed));
                }
            }
        }
        let after = match hop.after.threads.get(hop.mover).and_then(Option::as_ref) {
            Some(told) if !matches!(step.effect, Effect::End) => {
                Some(self.moved(&before, step, told, &hop.after.shared)?)
            }
            _ => None,
        };
        if let Some((shared, _)) = &after {
            self.shared = shared.clone();
        }
        let local = after.map(|(_, local)| local);
        self.threads[hop.mover] = local.clone();
        for (slot, number, local) in &others {
            if *slot >= self.threads.len() {
                self.threads.resize(slot + 1, None);
                self.numbers.resize(slot + 1, None);
            }
            self.threads[*slot] = Some(local.clone());
            self.numbers[*slot] = Some(*number);
        }
        let others = others.into_iter().map(|(_, number, local)| (number, local)).collect();
        Ok(RunStep { thread, event: step.event, shared: self.shared.clone(), local, others })
    }

    /// The shared variables and the mover after the step.
    fn moved(
        &self,
        before: &Local,
        step: &Step,
        told: &Thread,
        told_shared: &Bits,
    ) -> Result<(Bits, Local), OutOfNodes> {
        let Template { dd, layout, program, ref contexts, .. } = *self.template;
        let relation = &step.relation;
        let now = |position: usize| {
            let values = if layout.is_shared(position) { &self.shared } else { &before.values };
            values.contains(position)
        };
        // Every value now, and what is told of those after.
        let mut known: Vec<(Level, bool)> = self
            .frame_positions(before)
            .chain(0..program.n_shared())
            .map(|position| (layout.level(position, Copy::Now), now(position)))
            .collect();
        for position in relation.kept.iter() {
            let values = if layout.is_shared(position) { told_shared } else { &told.values };
            known.push((layout.level(position, Copy::Next), values.contains(position)));
        }
        let mut possible = dd.product(&[])?;
        for part in relation.parts() {
            possible = dd.and(&possible, &dd.cofactor(part, &known)?)?;
        }
        let rest: Vec<usize> =
            relation.writes.iter().filter(|&position| !relation.kept.contains(position)).collect();
        let levels: Vec<_> = rest.iter().map(|&p| layout.level(p, Copy::Next)).collect();
        let chosen = dd.pick_assignment(&possible, &levels).expect("the step can be taken");
        let (mut shared, mut values) = (self.shared.clone(), before.values.clone());
        let mut set = |position: usize, value: bool| {
            let list = if layout.is_shared(position) { &mut shared } else { &mut values };
            list.set(position, value);
        };
        for position in relation.kept.iter() {
            let told = if layout.is_shared(position) { told_shared } else { &told.values };
            set(position, told.contains(position));
        }
        rest.iter().zip(chosen).for_each(|(&position, value)| set(position, value));
        let (context, loc) = self.template.place(told.pc);
        let top = contexts.position(context, hardbop_cfg::VarId::new(program.n_shared()));
        let top = top + program.procs[contexts.proc(context)].locals.len();
        Ok((shared, Local { context, loc, values: values.below(top) }))
    }

    /// The positions of all frames of a thread.
    fn frame_positions(&self, local: &Local) -> impl Iterator<Item = usize> + use<> {
        let Template { program, ref contexts, .. } = *self.template;
        let first = program.n_shared();
        let top = contexts.position(local.context, hardbop_cfg::VarId::new(first));
        first..top + program.procs[contexts.proc(local.context)].locals.len()
    }

    /// A started thread: as told, and the rest as its arguments allow or copied.
    fn born(&mut self, before: &Local, step: &Step, told: Option<&Thread>) -> Local {
        let told = told.expect("a started thread is told");
        let (context, loc) = self.template.place(told.pc);
        let Event::Take(at) = step.event else { unreachable!("only statements start threads") };
        let program = self.template.program;
        let Action::StartThread(spawn) = &program.edge(at).action else {
            unreachable!("the step starts a thread")
        };
        let scope = self.template.contexts.scope(&self.shared, before);
        let values = match &**spawn {
            Spawn::Goto(_) => self.template.contexts.with_top(context, &Bits::new(), &scope),
            Spawn::Call { callee, args } => {
                let mut values = told.values.clone();
                let live = self.template.live(told.pc);
                for (formal, &arg) in program.formals(*callee).zip(args) {
                    let position = self.template.position(context, formal);
                    if !live.contains(position) {
                        let possible = program.exprs.eval(arg, &scope, &scope);
                        values.set(position, possible.be_true);
                    }
                }
                values
            }
        };
        Local { context, loc, values }
    }

    /// Another thread after a broadcast: as told, and the rest as the values allow.
    fn changed(&self, slot: usize, before: &Local, step: &Step, after: &Config) -> Option<Local> {
        let Effect::Broadcast { proc, values: waves, .. } = &step.effect else { return None };
        let told = after.threads.get(slot).and_then(Option::as_ref)?;
        let mut local = self.threads[slot].clone()?;
        let scope = self.template.contexts.scope(&self.shared, before);
        let live = self.template.live(told.pc);
        let mut is_reached = false;
        for (position, wave) in self.template.reached_by(told.pc, *proc, waves) {
            is_reached = true;
            let value = if live.contains(position) {
                told.values.contains(position)
            } else {
                self.template.program.exprs.eval(wave.value, &scope, &scope).be_true
            };
            local.values.set(position, value);
        }
        is_reached.then_some(local)
    }
}
