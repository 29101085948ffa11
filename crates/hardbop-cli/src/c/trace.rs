//! A violation told in the source: the run that shows it, cut to what the violated property
//! depends on (FS section VI-B; the cone is that of the slicer).

use std::collections::VecDeque;
use std::fmt::Write;

use anstyle::Style;
use hardbop_base::Span;
use hardbop_bmc::Counterexample;
use hardbop_c::CProgram;
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::interp::{Event, Step, Watch};
use hardbop_cir::pass::{self, Keep};
use hardbop_cir::{CheckId, FuncId, Op, Program, Term, VarId, VarKind};
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

const DIM: Style = Style::new().dimmed();
/// Steps kept from the beginning and from the end of a long run.
const KEPT: usize = 2_000;
/// Lines of each of the two that a person gets to see.
const SHOWN: usize = 60;

pub struct Trace {
    steps: Vec<Line>,
    /// Left out after this many steps.
    gap: Option<(usize, usize)>,
}

struct Line {
    depth: usize,
    func: String,
    file: String,
    line: u32,
    text: String,
    /// What was assigned.
    value: Option<(String, String)>,
}

/// The places and registers of the program the check depends on.
struct Cone {
    places: FxHashSet<(FuncId, Span)>,
    vars: FxHashSet<VarId>,
}

impl Cone {
    fn of(program: &Program, check: CheckId) -> Cone {
        let mut sliced = program.clone();
        for func in sliced.funcs.as_mut_slice() {
            for block in func.blocks.as_mut_slice() {
                block.insts.retain(|inst| match inst.op {
                    Op::Check { check: it, .. } => it == check,
                    _ => true,
                });
            }
        }
        let points_to = PointsTo::of(&sliced);
        pass::resolve_calls(&mut sliced, &points_to);
        pass::slice(&mut sliced, &points_to, Keep::Checks);
        let (mut places, mut vars) = (FxHashSet::default(), FxHashSet::default());
        for (func, it) in sliced.funcs.iter_enumerated() {
            for block in it.blocks.iter() {
                places.extend(block.insts.iter().map(|inst| (func, inst.span)));
                vars.extend(block.insts.iter().filter_map(|inst| inst.op.dst()));
                if !matches!(block.term, Term::Goto(_)) {
                    places.insert((func, block.span));
                }
            }
        }
        Cone { places, vars }
    }
}

/// Keeps the first and the last steps inside the cone.
struct Recorder {
    cone: Cone,
    first: Vec<Step>,
    last: VecDeque<Step>,
    n_dropped: usize,
}

impl Watch for Recorder {
    fn wants(&self, func: FuncId, span: Span) -> bool {
        self.cone.places.contains(&(func, span))
    }

    fn step(&mut self, step: Step) {
        if let Event::Set { var, .. } = step.event
            && !self.cone.vars.contains(&var)
        {
            return;
        }
        if self.first.len() < KEPT {
            return self.first.push(step);
        }
        self.last.push_back(step);
        if self.last.len() > KEPT {
            self.last.pop_front();
            self.n_dropped += 1;
        }
    }
}

impl Trace {
    /// Runs the counterexample once more and writes down what matters for the check.
    pub fn of(loaded: &CProgram, check: CheckId, counterexample: &Counterexample) -> Trace {
        let program = counterexample.program(&loaded.program);
        let mut recorder = Recorder {
            cone: Cone::of(&program, check),
            first: Vec::new(),
            last: VecDeque::new(),
            n_dropped: 0,
        };
        let config = counterexample.up_to(&program, check);
        hardbop_cir::interp::run_watched(&program, &config, &mut recorder);
        let at = recorder.first.len();
        let gap = (recorder.n_dropped > 0).then_some((at, recorder.n_dropped));
        let steps = recorder.first.iter().chain(&recorder.last);
        let mut lines: Vec<Line> = steps.filter_map(|step| line(loaded, &program, step)).collect();
        let info = &loaded.program.checks[check];
        let at = loaded.sources.position(info.span);
        lines.push(Line {
            depth: recorder.last.back().or(recorder.first.last()).map_or(0, |it| it.depth),
            func: String::new(),
            file: at.file.to_string(),
            line: at.line,
            text: format!("{}: {}", info.class, info.message),
            value: None,
        });
        Trace { steps: lines, gap }
    }

    pub fn json(&self) -> Value {
        let steps: Vec<Value> = self
            .steps
            .iter()
            .map(|it| {
                let values: Map<String, Value> =
                    it.value.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
                json!({
                    "thread": 0,
                    "depth": it.depth,
                    "proc": it.func,
                    "file": it.file,
                    "line": it.line,
                    "text": it.text,
                    "values": values,
                })
            })
            .collect();
        json!({ "steps": steps, "left_out": self.gap.map_or(0, |it| it.1) })
    }

    pub fn human(&self, out: &mut String) {
        let _ = writeln!(out, "\n{DIM}   line  what happens{DIM:#}");
        let n = self.steps.len();
        let is_one_file = self.steps.iter().all(|it| it.file == self.steps[0].file);
        let mut told_gap = false;
        for (i, it) in self.steps.iter().enumerate() {
            if n > 2 * SHOWN && (SHOWN..n - SHOWN).contains(&i) {
                if !std::mem::replace(&mut told_gap, true) {
                    let left_out = n - 2 * SHOWN + self.gap.map_or(0, |it| it.1);
                    let _ = writeln!(out, "{DIM}      …  {left_out} steps not shown{DIM:#}");
                }
                continue;
            }
            let indent = "  ".repeat(it.depth.min(20));
            let name =
                if is_one_file { "" } else { it.file.rsplit('/').next().unwrap_or_default() };
            let at = format!("{name}{}{}", if is_one_file { "" } else { ":" }, it.line);
            let _ = writeln!(out, "{at:>7}  {indent}{}", it.text);
        }
    }
}

/// `None` for what the front end did for itself.
fn line(loaded: &CProgram, program: &Program, step: &Step) -> Option<Line> {
    let at = loaded.sources.position(step.span);
    if at.file.starts_with('<') {
        return None;
    }
    let (text, value) = match &step.event {
        // The assignment that follows says the same: before `main` is called, or of a variable
        // without a value, which is no function.
        Event::Input { name, .. } if step.depth == 0 || name.starts_with('(') => return None,
        Event::Input { name, value } => (format!("{name}() returns {value}"), None),
        Event::Set { var, value } => {
            let info = &program.vars[*var];
            if info.kind == VarKind::Temp {
                return None;
            }
            let pair = (info.name.to_string(), value.clone());
            (format!("{} = {value}", info.name), Some(pair))
        }
        Event::Store { place, value } => {
            if place.starts_with('(') {
                return None;
            }
            (format!("{place} = {value}"), Some((place.clone(), value.clone())))
        }
        Event::Branch { block, to } => {
            let taken = match &program.funcs[step.func].blocks[*block].term {
                Term::Branch { yes, .. } if yes == to => "true".to_string(),
                Term::Branch { .. } => "false".to_string(),
                Term::Switch { cases, .. } => match cases.iter().find(|it| it.1 == *to) {
                    Some((value, _)) => format!("case {}", *value as i64),
                    None => "default".to_string(),
                },
                _ => return None,
            };
            (format!("{} is {taken}", loaded.sources.snippet(step.span)), None)
        }
        Event::Call { func, args } => {
            (format!("{}({})", program.funcs[*func].name, args.join(", ")), None)
        }
        Event::Return { value: None } => return None,
        Event::Return { value: Some(value) } => (format!("return {value}"), None),
    };
    let func = program.funcs[step.func].name.to_string();
    // The function that calls `main` is ours.
    let depth = step.depth.saturating_sub(1);
    Some(Line { depth, func, file: at.file.to_string(), line: at.line, text, value })
}
