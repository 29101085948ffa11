//! A violation as a run of the interpreter.

use std::borrow::Cow;

use hardbop_base::Budget;
use hardbop_cir::interp::{Config, Ending, EndsAt, Placed, Schedule, Turn, run};
use hardbop_cir::{CheckId, Class, Op, Program, Source, TextPart, Ty, VarId};
use rustc_hash::FxHashMap;

/// Values for a run that shows the violation.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counterexample {
    /// In the order the program asks for them.
    pub inputs: Vec<u128>,
    /// Whether `inputs` also fixes, in order of execution, the results of functions without a body
    /// and variables without a value, because the violation depends on them.
    pub fixes_all: bool,
    /// What memory holds that has no value yet, as [`Config::fresh_byte`].
    pub fresh_byte: u8,
    /// Where objects lie, if the violation rests on that: C leaves it open.
    pub placed: Placed,
    /// Which thread runs when.
    pub turns: Vec<Turn>,
}

/// What an engine's model says of a run that it takes for a violation.
#[derive(Clone, Default, Debug)]
pub struct Values {
    /// For each register its arbitrary values, in order.
    pub by_register: FxHashMap<VarId, Vec<u128>>,
    /// As [`Counterexample::fixes_all`].
    pub fixes_all: bool,
    /// The addresses it rests on, if any.
    pub placed: Placed,
}

impl Counterexample {
    /// The program in which the inputs fix what they are meant to.
    pub fn program<'a>(&self, original: &'a Program) -> Cow<'a, Program> {
        match self.fixes_all {
            false => Cow::Borrowed(original),
            true => Cow::Owned(all_inputs(original)),
        }
    }

    /// How to run it, looking at these classes.
    pub fn config(&self, classes: Vec<Class>) -> Config {
        let (inputs, placed) = (self.inputs.clone(), self.placed.clone());
        let schedule = Schedule::Turns(self.turns.clone());
        let fresh_byte = self.fresh_byte;
        Config { inputs, placed, fresh_byte, classes, schedule, ..Config::default() }
    }

    /// How to run it up to the violation: what follows may never end.
    pub fn up_to(&self, program: &Program, check: CheckId) -> Config {
        let class = program.checks[check].class;
        Config { ends_at: EndsAt::Check(check), ..self.config(vec![class]) }
    }
}

/// Steps of the interpreter to confirm a violation.
const MAX_STEPS: u64 = 50_000_000;

/// What memory without a value is tried to hold: nothing, what ends no string, and what is large.
const FRESH_BYTES: &[u8] = &[0, 1, 0xff];

/// How many arguments, and how many bytes of one, are tried instead of more.
const LESS: [u128; 11] = [0, 1, 2, 3, 4, 8, 16, 32, 64, 256, 1024];

/// How a violation of a program is confirmed.
pub struct Replay<'a> {
    /// As it was before anything was cut away.
    pub original: &'a Program,
    /// The properties asked about.
    pub classes: &'a [Class],
    /// Where it is enough that the run comes there.
    pub ends_at: EndsAt,
}

impl Replay<'_> {
    /// Runs the values found; the first of the open checks that fails. What was searched may ask for
    /// less than the original, but for each register in the same order; the run on the original
    /// says what it asks for. A violation that shows wherever objects lie says nothing of that.
    pub fn confirm(
        &self,
        values: &Values,
        is_open: impl Fn(CheckId) -> bool,
        budget: &Budget,
    ) -> Option<(CheckId, Counterexample)> {
        let fixes_all = values.fixes_all;
        let fresh_bytes = if fixes_all { FRESH_BYTES } else { &FRESH_BYTES[..1] };
        let placements = [Placed::new(), values.placed.clone()];
        let placements = &placements[..1 + usize::from(!values.placed.is_empty())];
        let tries =
            placements.iter().flat_map(|it| fresh_bytes.iter().map(move |&byte| (it, byte)));
        tries.into_iter().find_map(|(placed, fresh_byte)| {
            let (inputs, placed) = (Vec::new(), placed.clone());
            let mut counterexample =
                Counterexample { inputs, fixes_all, fresh_byte, placed, turns: Vec::new() };
            let mut config = counterexample.config(self.classes.to_vec());
            config.inputs_of = Some(values.by_register.clone());
            config.ends_at = self.ends_at;
            config.max_steps = MAX_STEPS;
            config.budget = budget.clone();
            let result = run(&counterexample.program(self.original), &config);
            let fatal = match result.ending {
                Ending::Violation(check) => Some(check),
                _ => None,
            };
            let mut failed = result.violations.iter().copied().chain(fatal);
            let check = failed.find(|&it| is_open(it))?;
            counterexample.inputs = result.inputs.iter().map(|it| it.1).collect();
            self.lessen(&mut counterexample, &result.inputs, check, budget);
            Some((check, counterexample))
        })
    }

    /// Fewer and shorter arguments, where the violation is the same.
    fn lessen(
        &self,
        counterexample: &mut Counterexample,
        inputs: &[(Source, u128)],
        check: CheckId,
        budget: &Budget,
    ) {
        let is_amount =
            |it: &Source| matches!(it, Source::ArgCount | Source::Argument(_, TextPart::Length));
        for at in (0..inputs.len()).filter(|&at| is_amount(&inputs[at].0)) {
            let found = counterexample.inputs[at];
            for less in LESS.iter().copied().take_while(|&it| it < found) {
                counterexample.inputs[at] = less;
                if self.shows(counterexample, check, budget) {
                    break;
                }
                counterexample.inputs[at] = found;
            }
        }
    }

    fn shows(&self, counterexample: &Counterexample, check: CheckId, budget: &Budget) -> bool {
        let mut config = counterexample.config(self.classes.to_vec());
        (config.ends_at, config.max_steps) = (EndsAt::Check(check), MAX_STEPS);
        config.budget = budget.clone();
        let result = run(&counterexample.program(self.original), &config);
        result.ending == Ending::Violation(check) || result.violations.contains(&check)
    }
}

/// Every arbitrary value is an input; but a pointer that a function without a body makes is null where
/// it is none that we know: nobody is blamed for one that we invent.
fn all_inputs(program: &Program) -> Program {
    let mut program = program.clone();
    let vars = &program.vars;
    for func in program.funcs.as_mut_slice() {
        for inst in func.blocks.as_mut_slice().iter_mut().flat_map(|block| &mut block.insts) {
            if let Op::Nondet { source, dst } = &mut inst.op {
                let name = match source {
                    Source::Input(_)
                    | Source::System(_)
                    | Source::Byte(_)
                    | Source::Scanned(..)
                    | Source::ArgCount
                    | Source::Argument(..) => continue,
                    Source::External(_) if vars[*dst].ty == Ty::Ptr => continue,
                    Source::External(name) => name.clone(),
                    Source::Uninit => "(no value)".into(),
                    Source::Order => "(right to left)".into(),
                };
                *source = Source::Input(name);
            }
        }
    }
    program
}
