//! A violation told in the source: the run that shows it, cut to what the violated property
//! depends on (FS section VI-B; the cone is that of the slicer).

use std::collections::VecDeque;

use hardbop_base::Span;
use hardbop_bmc::Counterexample;
use hardbop_c::CProgram;
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::interp::{Event, Step, Watch};
use hardbop_cir::pass::{self, Keep};
use hardbop_cir::{CheckId, FuncId, Op, Program, Term, VarId, VarKind};
use rustc_hash::FxHashSet;

/// Steps kept from the beginning and from the end of a long run.
const KEPT: usize = 2_000;

/// A run of a C program up to its violation.
#[derive(Clone, Debug)]
pub struct Run {
    /// What happens; of a long run the beginning and the end.
    pub steps: Vec<RunStep>,
    /// Steps left out in between.
    pub n_left_out: usize,
}

/// One thing that happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// Height of the stack above the function the program starts with.
    pub depth: usize,
    /// Name of the function.
    pub func: String,
    /// Where.
    pub file: String,
    /// Where.
    pub line: u32,
    /// In words of C.
    pub text: String,
    /// What was assigned: name and value.
    pub value: Option<(String, String)>,
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

impl Run {
    /// Runs the counterexample once more and writes down what matters for the check.
    pub(super) fn of(loaded: &CProgram, check: CheckId, counterexample: &Counterexample) -> Run {
        let program = counterexample.program(&loaded.program);
        let mut recorder = Recorder {
            cone: Cone::of(&program, check),
            first: Vec::new(),
            last: VecDeque::new(),
            n_dropped: 0,
        };
        let config = counterexample.up_to(&program, check);
        hardbop_cir::interp::run_watched(&program, &config, &mut recorder);
        let steps = recorder.first.iter().chain(&recorder.last);
        let mut lines: Vec<RunStep> =
            steps.filter_map(|step| line(loaded, &program, step)).collect();
        let info = &loaded.program.checks[check];
        let at = loaded.sources.position(info.span);
        lines.push(RunStep {
            depth: recorder.last.back().or(recorder.first.last()).map_or(0, |it| it.depth),
            func: String::new(),
            file: at.file.to_string(),
            line: at.line,
            text: format!("{}: {}", info.class, info.message),
            value: None,
        });
        Run { steps: lines, n_left_out: recorder.n_dropped }
    }
}

/// `None` for what the front end did for itself.
fn line(loaded: &CProgram, program: &Program, step: &Step) -> Option<RunStep> {
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
    Some(RunStep { depth, func, file: at.file.to_string(), line: at.line, text, value })
}
