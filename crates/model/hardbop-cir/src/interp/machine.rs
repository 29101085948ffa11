//! The machine: frames, one instruction after the other.

mod data;
mod holds;
mod lost;
mod op;
mod real;
mod tell;
mod threads;

use hardbop_base::{IndexVec, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::{Layout, Place};
use super::memory::{Base, Fault, Memory, Pointer};
use super::race::{Order, Race, Strength};
use super::run::{Config, Ending, Run};
use super::took::Took;
use super::value::{Env, Value, evaluate};
use super::watch::{Event, Watch};
use crate::check::{CheckId, Class};
use crate::expr::ExprId;
use crate::program::{BlockId, FuncId, ObjId, ObjKind, Op, Program, Source, Stop, Term, VarId};
use crate::ty::Ty;
use threads::{Atomic, Threads};

/// Runs a verified program from `main`, whose parameters are 0.
pub fn run(program: &Program, config: &Config) -> Run {
    execute(Machine::new(program, &Layout::of(program), config))
}

/// The same, telling what happens.
pub fn run_watched(program: &Program, config: &Config, watch: &mut dyn Watch) -> Run {
    run_laid_out(program, &Layout::of(program), config, watch)
}

/// The same with the layout of this program at hand, for many runs of it.
pub fn run_laid_out(
    program: &Program,
    layout: &Layout,
    config: &Config,
    watch: &mut dyn Watch,
) -> Run {
    execute(Machine { watch: Some(watch), ..Machine::new(program, layout, config) })
}

fn execute(mut machine: Machine<'_>) -> Run {
    let ending = machine.start().and_then(|()| machine.go()).unwrap_or_else(|ending| ending);
    let leaked = match ending {
        Ending::Violation(check) if machine.program.checks[check].class.is_of_heap() => {
            machine.leaked
        }
        _ => None,
    };
    Run {
        stack: machine.frames.iter().map(|frame| (frame.func, machine.place(frame))).collect(),
        leaked,
        faulty: machine.faulty,
        ending,
        turns: machine.threads.turns,
        race: machine.race,
        output: machine.output,
        n_steps: machine.n_steps,
        violations: machine.violations,
        inputs: machine.inputs,
        took: machine.took,
    }
}

#[derive(Clone)]
pub(super) struct Frame {
    pub(super) func: FuncId,
    pub(super) block: BlockId,
    /// The next instruction of the block.
    pub(super) at: usize,
    /// By slot.
    pub(super) vars: Vec<Value>,
    pub(super) objects: Vec<(ObjId, u32)>,
    pub(super) result: Option<VarId>,
}

pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    config: &'a Config,
    pub(super) layout: &'a Layout,
    /// Whether the checks of each class are looked at.
    is_asked: [bool; Class::COUNT],
    pub(super) memory: Memory,
    /// Values of global registers, by slot.
    pub(super) globals: Vec<Value>,
    /// The instance of each global object.
    pub(super) statics: IndexVec<ObjId, Pointer>,
    pub(super) frames: Vec<Frame>,
    /// The thread that keeps others out.
    pub(super) atomic: Option<Atomic>,
    /// What it orders there.
    strength: Strength,
    pub(super) threads: Threads,
    output: Vec<u8>,
    n_steps: u64,
    pub(super) violations: Vec<CheckId>,
    seen: FxHashSet<CheckId>,
    inputs: Vec<(Source, u128)>,
    /// How many of a register's values have been taken.
    n_taken: FxHashMap<VarId, usize>,
    /// How many bytes of standard input were asked for.
    n_read: usize,
    pub(super) took: Took,
    /// What the check that ended the run is about.
    faulty: Option<ObjId>,
    /// What was lost where a check asked for it last.
    leaked: Option<ObjId>,
    pub(super) watched: Watched,
    /// Whether accesses are ordered: not where somebody looks for races by all interleavings.
    pub(super) order: Option<Order>,
    race: Option<Race>,
    /// Whether something happened that orders nothing although it may look so.
    pub(super) is_unordered: bool,
    watch: Option<&'a mut dyn Watch>,
}

/// The checks of what may go wrong anywhere, once they are asked for.
#[derive(Clone, Copy, Default)]
pub(super) struct Watched {
    pub deadlock: Option<CheckId>,
    pub race: Option<CheckId>,
}

impl Clone for Machine<'_> {
    /// Nobody watches the copy.
    fn clone(&self) -> Self {
        Machine {
            program: self.program,
            config: self.config,
            layout: self.layout,
            is_asked: self.is_asked,
            memory: self.memory.clone(),
            globals: self.globals.clone(),
            statics: self.statics.clone(),
            frames: self.frames.clone(),
            atomic: self.atomic,
            strength: self.strength,
            threads: self.threads.clone(),
            output: Vec::new(),
            n_steps: self.n_steps,
            violations: self.violations.clone(),
            seen: self.seen.clone(),
            inputs: Vec::new(),
            n_taken: self.n_taken.clone(),
            n_read: self.n_read,
            took: self.took.clone(),
            faulty: self.faulty,
            leaked: self.leaked,
            watched: self.watched,
            order: self.order.clone(),
            race: None,
            is_unordered: self.is_unordered,
            watch: None,
        }
    }
}

impl Env for Machine<'_> {
    fn var(&self, var: VarId) -> Value {
        match (self.layout.place(var), self.frames.last()) {
            (Place::Global(at), _) => self.globals[at as usize],
            (Place::Local(at), Some(frame)) => frame.vars[at as usize],
            (Place::Local(_), None) => unreachable!("constants mention no local register"),
        }
    }

    fn object(&self, object: ObjId) -> Pointer {
        if self.program.objects[object].kind == ObjKind::Global {
            return self.statics[object];
        }
        // Before its `Enter`, as a `goto` into its scope can bring about, it is nowhere.
        let here = self.frames.last().and_then(|frame| {
            frame.objects.iter().rev().find(|(it, _)| *it == object).map(|&(_, id)| id)
        });
        here.map_or(Pointer::NULL, |id| Pointer { base: Base::Instance(id), offset: 0 })
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn took(&self) -> &Took {
        &self.took
    }
}

type Go<T = ()> = Result<T, Ending>;

impl<'a> Machine<'a> {
    pub(super) fn new(program: &'a Program, layout: &'a Layout, config: &'a Config) -> Self {
        let mut is_asked = [false; Class::COUNT];
        config.classes.iter().for_each(|&class| is_asked[class as usize] = true);
        Machine {
            program,
            config,
            layout,
            is_asked,
            memory: Memory::new(program.ptr_bits, config),
            globals: layout.globals.clone(),
            statics: IndexVec::from_elem(Pointer::NULL, program.objects.len()),
            frames: Vec::new(),
            atomic: None,
            strength: Strength::FULL,
            threads: Threads::new(&config.schedule),
            output: Vec::new(),
            n_steps: 0,
            violations: Vec::new(),
            seen: FxHashSet::default(),
            inputs: Vec::new(),
            n_taken: FxHashMap::default(),
            n_read: 0,
            took: Took::default(),
            faulty: None,
            leaked: None,
            watched: Watched::default(),
            order: Some(Order::default()),
            race: None,
            is_unordered: false,
            watch: None,
        }
    }

    pub(super) fn start(&mut self) -> Go {
        let program = self.program;
        for (id, object) in program.objects.iter_enumerated() {
            if object.kind == ObjKind::Global {
                let created = self.memory.create(program, id, object.size.unwrap_or(0));
                self.statics[id] = self.access(created, Span::default())?;
            }
        }
        for (id, init) in program.first_values() {
            let value = evaluate(self, init.value);
            let pointer = Pointer { offset: init.offset, ..self.statics[id] };
            self.store(pointer, value, program.exprs.ty(init.value), Span::default())?;
        }
        for (id, var) in program.vars.iter_enumerated() {
            if let Some(init) = var.init {
                let value = evaluate(self, init);
                self.set(id, value);
            }
        }
        let params = &program.funcs[program.main].params;
        let args = params.iter().map(|&it| Value::zero(program.vars[it].ty)).collect();
        self.call(program.main, args, None)
    }

    fn go(&mut self) -> Go<Ending> {
        let config = self.config;
        let mut meter = config.budget.meter(10_000);
        loop {
            self.n_steps += 1;
            if self.n_steps > config.max_steps {
                return Err(Ending::TooLong);
            }
            meter.tick().map_err(Ending::Exhausted)?;
            if self.threads.are_many() && !self.choose_thread() {
                return self.deadlock();
            }
            if let Some(ending) = self.step()? {
                return Ok(ending);
            }
        }
    }

    /// One instruction, or the end of a block; how the run ended, if it did.
    pub(super) fn step(&mut self) -> Go<Option<Ending>> {
        let program = self.program;
        {
            let Some(frame) = self.frames.last_mut() else {
                unreachable!("the run ends with the last frame");
            };
            let block = &program.funcs[frame.func].blocks[frame.block];
            if let Some(inst) = block.insts.get(frame.at) {
                frame.at += 1;
                self.tell_moment(&inst.op);
                self.note_accesses(&inst.op)?;
                self.op(&inst.op, inst.span)?;
                if let Some(var) = inst.op.dst()
                    && !matches!(inst.op, Op::Call { .. })
                {
                    self.tell_set(var, inst.span);
                }
                return Ok(None);
            }
            let to = match &block.term {
                Term::Goto(to) => *to,
                Term::Branch { cond, yes, no } => {
                    if evaluate(self, *cond).int() != 0 {
                        *yes
                    } else {
                        *no
                    }
                }
                Term::Switch { value, cases, default } => {
                    let value = evaluate(self, *value).int();
                    cases.iter().find(|it| it.0 == value).map_or(*default, |it| it.1)
                }
                Term::Return(value) => {
                    let value = value.map(|value| evaluate(self, value));
                    self.tell(block.span, |it, frame| {
                        let ty = it.program.funcs[frame.func].result.unwrap_or(Ty::BOOL);
                        Event::Return { value: value.map(|value| it.shown(value, ty, true)) }
                    });
                    return Ok(self.leave(value));
                }
                Term::Stop(Stop::Thread(value)) => {
                    let value = evaluate(self, *value);
                    return Ok(self.end_thread(Some(value)));
                }
                Term::Stop(stop) => return Ok(Some(self.stop(stop, block.span))),
            };
            if let Term::Branch { .. } | Term::Switch { .. } = block.term {
                self.tell(block.span, |_, frame| Event::Branch { block: frame.block, to });
            }
            if let Some(frame) = self.frames.last_mut() {
                (frame.block, frame.at) = (to, 0);
                let func = frame.func;
                if let Some(watch) = self.watch.take() {
                    watch.enters(func, to, &|var| self.var(var));
                    self.watch = Some(watch);
                }
            }
        }
        Ok(None)
    }

    /// Where a call is: at the instruction it has begun, or at the end of its block.
    fn place(&self, frame: &Frame) -> Span {
        let block = &self.program.funcs[frame.func].blocks[frame.block];
        let begun = frame.at.checked_sub(1).and_then(|at| block.insts.get(at));
        begun.map_or(block.span, |inst| inst.span)
    }

    fn stop(&self, stop: &Stop, span: Span) -> Ending {
        match stop {
            Stop::Exit(code) => Ending::Exit(evaluate(self, *code).int() as u8),
            Stop::Abort => Ending::Abort,
            Stop::Thread(_) => unreachable!("ends a thread only"),
            Stop::Unreachable => Ending::Unreachable(span),
            Stop::Unsupported(what) => Ending::Unsupported(what.clone(), span),
        }
    }

    fn call(&mut self, func: FuncId, args: Vec<Value>, result: Option<VarId>) -> Go {
        if self.frames.len() >= self.config.max_depth {
            return Err(Ending::TooLong);
        }
        let vars = self.layout.frames[func].clone();
        let block = BlockId::from_u32(0);
        self.frames.push(Frame { func, block, at: 0, vars, objects: Vec::new(), result });
        for (&param, arg) in self.program.funcs[func].params.iter().zip(args) {
            self.set(param, arg);
        }
        Ok(())
    }

    fn leave(&mut self, value: Option<Value>) -> Option<Ending> {
        let frame = self.frames.pop()?;
        frame.objects.iter().for_each(|&(_, id)| self.memory.kill(id));
        if self.frames.is_empty() && self.threads.current != 0 {
            return self.thread_ended(value);
        }
        if self.frames.is_empty() {
            let code = match value {
                Some(Value::Int(code)) => code as u8,
                _ => 0,
            };
            return Some(Ending::Exit(code));
        }
        if let (Some(dst), Some(value)) = (frame.result, value) {
            self.set(dst, value);
        }
        None
    }

    pub(super) fn set(&mut self, var: VarId, value: Value) {
        match (self.layout.place(var), self.frames.last_mut()) {
            (Place::Global(at), _) => self.globals[at as usize] = value,
            (Place::Local(at), Some(frame)) => frame.vars[at as usize] = value,
            (Place::Local(_), None) => unreachable!("only a running call sets its registers"),
        }
    }

    fn access<T>(&self, result: Result<T, Fault>, span: Span) -> Go<T> {
        result.map_err(|fault| Ending::Undefined(fault, span))
    }

    fn object_at(&self, pointer: Pointer) -> Option<ObjId> {
        match pointer.base {
            Base::Instance(id) => Some(self.memory.instances[id as usize].object),
            Base::None | Base::Func(_) => None,
        }
    }

    fn pointer(&self, id: ExprId) -> Pointer {
        evaluate(self, id).pointer()
    }

    fn size(&self, id: ExprId) -> u64 {
        evaluate(self, id).int() as u64
    }
}
