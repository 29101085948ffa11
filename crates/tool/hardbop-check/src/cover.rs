//! A proof about threads or a net in words: the states it consists of, with how many threads are where.

use std::fmt::Write;

use hardbop_base::{Bits, SourceFile};
use hardbop_cfg::{LocRef, ProcId, Program};
use hardbop_evidence::threads::{Count, Counted, FrameAt, SharedValues, ThreadState};
use hardbop_evidence::{NetProof, NetSet, ThreadProof, ThreadSet};

use crate::explain::Invariant;
use crate::shown::Shown;

/// So many states are told, and the rest is counted.
const MOST: usize = 500;

/// The states of a proof about threads.
pub(crate) fn of_threads(
    program: &Program,
    source: Option<&SourceFile>,
    proof: &ThreadProof,
) -> Vec<Invariant> {
    let shown = Shown { program, source };
    let place = |at: LocRef| {
        let body = &program.procs[at.proc];
        let line = shown.line(body.locs[at.loc].span);
        format!("{}:{}", body.name, line.map_or_else(|| shown.text(at), |it| it.to_string()))
    };
    in_words(program, proof, &place)
}

/// The same with other words for places.
pub(crate) fn in_words(
    program: &Program,
    proof: &ThreadProof,
    place: &dyn Fn(LocRef) -> String,
) -> Vec<Invariant> {
    let teller = Teller { program, proof, place };
    match &proof.set {
        ThreadSet::Bounded { states, .. } => told("state", states, |it| teller.state(it)),
        ThreadSet::Cover { states } => told("cover", states, |it| teller.state(it)),
        ThreadSet::Views { views, never } => {
            let mut list = told("view", views, |it| {
                format!("{} · {}", teller.shared(it.shared), teller.thread(it.thread))
            });
            list.extend(told("never", never, |it| teller.state(it)));
            list
        }
    }
}

/// The states of a proof about a net, by the numbers of the file.
pub(crate) fn of_net(proof: &NetProof) -> Vec<Invariant> {
    let places = |places: &[(u32, Count)]| {
        let each = places.iter().map(|&(place, count)| format!("{} × {place}", number(count)));
        each.collect::<Vec<_>>().join(", ")
    };
    match &proof.set {
        NetSet::Cover(states) => {
            told("cover", states, |it| format!("{} | {}", it.control, places(&it.counts)))
        }
        NetSet::Views { occurs, never, bounds } => {
            let mut list = told("occurs", occurs, |(control, places)| {
                let places: Vec<_> = places.iter().map(u32::to_string).collect();
                format!("{control} | {}", places.join(", "))
            });
            list.extend(told("never", never, |it| {
                format!("{} | {}", it.control, places(&it.counts))
            }));
            list.extend(told("bound", bounds, |it| {
                let each = it.weights.iter().map(|(place, n)| format!("{n} × {place}"));
                format!("{} ≤ {}", each.collect::<Vec<_>>().join(" + "), it.most)
            }));
            list
        }
    }
}

fn told<T>(at: &str, all: &[T], words: impl Fn(&T) -> String) -> Vec<Invariant> {
    let one = |holds| Invariant { file: None, line: None, proc: None, at: at.into(), holds };
    let mut list: Vec<_> = all.iter().take(MOST).map(|it| one(words(it))).collect();
    if all.len() > MOST {
        list.push(one(format!("and {} more", all.len() - MOST)));
    }
    list
}

fn number(count: Count) -> String {
    count.as_finite().map_or("any number of".into(), |n| n.to_string())
}

struct Teller<'a> {
    program: &'a Program,
    proof: &'a ThreadProof,
    place: &'a dyn Fn(LocRef) -> String,
}

impl Teller<'_> {
    fn state(&self, state: &Counted) -> String {
        let mut parts = vec![self.shared(state.shared)];
        if let Some(holder) = state.holder {
            parts.push(format!("atomic: {}", self.thread(holder)));
        }
        let counts = state.counts.iter();
        parts.extend(counts.map(|&(it, n)| format!("{} × {}", number(n), self.thread(it))));
        parts.join(" · ")
    }

    fn shared(&self, id: SharedValues) -> String {
        let (program, states) = (self.program, &self.proof.states);
        let (fixed, values) = (states.fixed_shared(), states.shared(id));
        let each = fixed
            .iter()
            .map(|var| format!("{}={}", program.shared[var].name, u8::from(values.contains(var))));
        each.collect::<Vec<_>>().join(" ")
    }

    /// The top of the stack with its fixed locals, and how many calls are below.
    fn thread(&self, id: ThreadState) -> String {
        let states = &self.proof.states;
        let (stack, _) = states.thread(id);
        let (frames, locals) = (states.stack(stack), states.locals(id));
        let (Some(top), Some(values)) = (frames.last(), locals.last()) else {
            return "ended".into();
        };
        let mut words = match top.at {
            FrameAt::Loc(loc) => (self.place)(LocRef { proc: top.proc, loc }),
            _ => self.program.procs[top.proc].name.to_string(),
        };
        let locals = self.locals(top.proc, &top.fixed, values);
        if !locals.is_empty() {
            write!(words, " ({locals})").expect("a string");
        }
        if frames.len() > 1 {
            write!(words, " in {} calls", frames.len() - 1).expect("a string");
        }
        words
    }

    fn locals(&self, proc: ProcId, fixed: &Bits, values: &Bits) -> String {
        let program = self.program;
        let scope = program.scope(proc).filter(|it| fixed.contains(it.as_u32() as usize));
        let each = scope.map(|var| {
            let value = values.contains(var.as_u32() as usize);
            format!("{}={}", program.var_info(proc, var).name, u8::from(value))
        });
        each.collect::<Vec<_>>().join(" ")
    }
}
