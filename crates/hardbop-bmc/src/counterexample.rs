//! A violation as a run of the interpreter.

use std::borrow::Cow;

use hardbop_cir::interp::Config;
use hardbop_cir::{Class, Op, Program, Source};

/// Values for a run that shows the violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// In the order the program asks for them.
    pub inputs: Vec<u128>,
    /// Whether `inputs` also fixes, in order of execution, the results of functions without a body
    /// and variables without a value, because the violation rests on them.
    pub fixes_all: bool,
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
        Config { inputs: self.inputs.clone(), classes, ..Config::default() }
    }
}

/// Every arbitrary value is an input.
fn all_inputs(program: &Program) -> Program {
    let mut program = program.clone();
    for func in program.funcs.as_mut_slice() {
        for inst in func.blocks.as_mut_slice().iter_mut().flat_map(|block| &mut block.insts) {
            if let Op::Nondet { source, .. } = &mut inst.op {
                let name = match source {
                    Source::Input(name) | Source::External(name) => name.clone(),
                    Source::Uninit => "(no value)".into(),
                };
                *source = Source::Input(name);
            }
        }
    }
    program
}
