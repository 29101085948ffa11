//! The machine: frames, one instruction after the other.

mod data;
mod holds;
mod real;
mod tell;
mod threads;

use hardbop_base::{Budget, Exhausted, IndexVec, Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::{Layout, Place};
use super::memory::{Addresses, Base, Fault, Memory, Placed, Pointer};
use super::race::{Order, Race};
use super::schedule::{Schedule, Turn};
use super::show;
use super::took::Took;
use super::value::{Env, Value, evaluate};
use super::watch::{Event, Watch};
use crate::check::{CheckId, Class};
use crate::expr::ExprId;
use crate::program::{
    BlockId, Callee, FuncId, ObjId, ObjKind, Op, PrintKind, Program, Source, Stop, Term, VarId,
};
use crate::ty::Ty;
use threads::{Atomic, Threads};

/// How to run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The inputs in the order they are asked for; then 0.
    pub inputs: Vec<u128>,
    /// Instead of those: for each register its arbitrary values, in order; then 0.
    pub inputs_of: Option<FxHashMap<VarId, Vec<u128>>>,
    /// What standard input holds; without it, its bytes are inputs as others are.
    pub stdin: Option<Vec<u8>>,
    /// What bytes of memory hold that have no value yet, times the number of their object, counted from
    /// 1: unless it is 0, what was never written differs from object to object.
    pub fresh_byte: u8,
    /// Classes whose checks are looked at; others count as absent.
    pub classes: Vec<Class>,
    pub max_steps: u64,
    pub max_depth: usize,
    /// Instances of objects, dead ones included.
    pub max_instances: usize,
    /// Of one instance, and of all that are alive.
    pub max_bytes: u64,
    pub ends_at: EndsAt,
    /// Where objects lie.
    pub addresses: Addresses,
    /// Addresses to be taken instead, where they are possible.
    pub placed: Placed,
    /// Which thread runs when.
    pub schedule: Schedule,
    pub budget: Budget,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            inputs: Vec::new(),
            inputs_of: None,
            stdin: None,
            fresh_byte: 0,
            classes: Class::ALL.to_vec(),
            max_steps: u64::MAX,
            max_depth: 100_000,
            max_instances: usize::MAX,
            max_bytes: 1 << 30,
            ends_at: EndsAt::Fatal,
            addresses: Addresses::Rise,
            placed: Placed::new(),
            schedule: Schedule::default(),
            budget: Budget::unlimited(),
        }
    }
}

/// Which violations end a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndsAt {
    /// Those after which nothing sensible follows.
    Fatal,
    /// And this one.
    Check(CheckId),
    /// Each.
    Any,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// `main` returned, or `exit` was called.
    Exit(u8),
    Abort,
    /// The check failed.
    Violation(CheckId),
    /// An assumption does not hold on these inputs.
    AssumptionFailed(Span),
    /// An access without meaning, with no check that was looked at before it.
    Undefined(Fault, Span),
    Unsupported(Name, Span),
    /// Marked as impossible, but it was not.
    Unreachable(Span),
    /// Threads wait, and none of those left can move.
    Deadlock,
    /// Too many steps or calls.
    TooLong,
    Exhausted(Exhausted),
}

#[derive(Clone, Debug)]
pub struct Run {
    pub ending: Ending,
    /// What was written to standard output.
    pub output: Vec<u8>,
    pub n_steps: u64,
    /// Checks that failed and let the execution go on, each once.
    pub violations: Vec<CheckId>,
    /// The inputs asked for, with their source and value.
    pub inputs: Vec<(Source, u128)>,
    /// What it took that C does not determine.
    pub took: Took,
    /// Where each of the calls was when it ended, outermost first.
    pub stack: Vec<(FuncId, Span)>,
    /// Where it was lost: an object of which an instance was lost.
    pub leaked: Option<ObjId>,
    /// The object that the violated check is about, where it asks about one.
    pub faulty: Option<ObjId>,
    /// Which thread ran when, from the start of the first beside `main` on.
    pub turns: Vec<Turn>,
    /// The first two accesses that nothing orders.
    pub race: Option<Race>,
}

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
        Ending::Violation(check) if machine.program.checks[check].class == Class::Leak => {
            machine.lost().map(|id| machine.memory.instances[id as usize].object)
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
        for (id, object) in program.objects.iter_enumerated() {
            for init in &object.init {
                let value = evaluate(self, init.value);
                let pointer = Pointer { offset: init.offset, ..self.statics[id] };
                self.store(pointer, value, program.exprs.ty(init.value), Span::default())?;
            }
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

    fn op(&mut self, op: &Op, span: Span) -> Go {
        let program = self.program;
        match op {
            Op::Set { dst, value } => {
                let value = evaluate(self, *value);
                self.set(*dst, value);
            }
            Op::Nondet { dst, source } => {
                let ty = program.vars[*dst].ty;
                let value = self.arbitrary(*dst, source);
                if !matches!(source, Source::Uninit | Source::Order) {
                    self.tell(span, |it, _| Event::Input {
                        source: source.clone(),
                        value: it.shown(value, ty, program.vars[*dst].is_signed),
                    });
                }
                self.set(*dst, value);
            }
            Op::Load { dst, ptr } => {
                let value = self.load(self.pointer(*ptr), program.vars[*dst].ty, span)?;
                self.set(*dst, value);
            }
            Op::Size { dst, ptr } => {
                let size = self.memory.size_of(self.pointer(*ptr));
                self.set(*dst, Value::Int(u128::from(size)));
            }
            Op::Store { ptr, value } => {
                let stored = evaluate(self, *value);
                let (to, ty) = (self.pointer(*ptr), program.exprs.ty(*value));
                self.store(to, stored, ty, span)?;
                let object = self.object_at(to);
                self.tell(span, |it, _| Event::Store {
                    object,
                    place: show::place(program, &it.memory, to),
                    value: it.shown(stored, ty, true),
                });
            }
            Op::Copy { dst, src, size } => {
                let (dst, src, size) = (self.pointer(*dst), self.pointer(*src), self.size(*size));
                let copied = self.memory.copy(dst, src, size);
                self.access(copied, span)?;
            }
            Op::Fill { dst, byte, size } => {
                let (dst, size) = (self.pointer(*dst), self.size(*size));
                let filled = self.memory.fill(dst, evaluate(self, *byte).int() as u8, size);
                self.access(filled, span)?;
            }
            Op::Repeat { dst, value, size } => {
                let (dst, size) = (self.pointer(*dst), self.size(*size));
                let repeated = self.memory.repeat(dst, self.pointer(*value), size);
                self.access(repeated, span)?;
            }
            // Arbitrary bytes may be those that are there; but now they are written.
            Op::Havoc { ptr } => {
                self.took.value();
                self.memory.mark_written(self.pointer(*ptr));
            }
            Op::Enter { object, size } => self.enter(*object, *size, span)?,
            Op::Leave { object } => {
                if let Some(frame) = self.frames.last_mut()
                    && let Some(at) = frame.objects.iter().rposition(|(it, _)| it == object)
                {
                    let (_, id) = frame.objects.remove(at);
                    self.memory.kill(id);
                }
            }
            Op::Alloc { dst, object, size } => {
                let created = self.memory.create(program, *object, self.size(*size));
                let pointer = self.access(created, span)?;
                self.set(*dst, Value::Ptr(pointer));
            }
            Op::Free { ptr } => match self.pointer(*ptr).base {
                Base::Instance(id) if self.freeable(self.pointer(*ptr)) => {
                    let gone = self.pointer(*ptr);
                    self.tell(span, |it, _| Event::Free {
                        object: show::value(program, &it.memory, Value::Ptr(gone), Ty::Ptr, false),
                    });
                    self.memory.kill(id);
                }
                _ if self.pointer(*ptr) == Pointer::NULL => {}
                _ => return Err(Ending::Undefined(Fault::Dead, span)),
            },
            Op::Call { dst, callee, args } => {
                let args = args.iter().map(|&arg| evaluate(self, arg)).collect();
                let (func, args) = self.callee(*callee, args, *dst, span)?;
                self.tell(span, |it, _| {
                    let params = program.funcs[func].params.iter().map(|&id| &program.vars[id]);
                    let shown = params
                        .zip(&args)
                        .map(|(param, &arg)| it.shown(arg, param.ty, param.is_signed));
                    Event::Call { func, args: shown.collect() }
                });
                self.call(func, args, *dst)?;
            }
            Op::Print { dst, kind, args } => {
                let n = self.print(*kind, args);
                if let Some(dst) = dst {
                    self.took.value();
                    // What `putchar` returns is what it wrote.
                    let value = match (kind, args.as_slice()) {
                        (PrintKind::Putchar, [byte]) => evaluate(self, *byte).int() & 0xff,
                        _ => n as u128,
                    };
                    self.set(
                        *dst,
                        match program.vars[*dst].ty {
                            Ty::Int(width) => Value::Int(value & crate::eval::mask(width)),
                            ty => Value::zero(ty),
                        },
                    );
                }
            }
            Op::Assume { cond } => {
                if evaluate(self, *cond).int() == 0 {
                    return Err(Ending::AssumptionFailed(span));
                }
            }
            Op::Check { check, cond } => self.check(*check, *cond)?,
            Op::Thread(op) => self.thread(op, span)?,
        }
        if self.threads.are_many() {
            self.has_moved();
        }
        Ok(())
    }

    fn enter(&mut self, object: ObjId, size: Option<ExprId>, span: Span) -> Go {
        let size = match size {
            Some(size) => self.size(size),
            None => self.program.objects[object].size.unwrap_or(0),
        };
        // A jump back over the declaration ends the life of the one before.
        if let Some(frame) = self.frames.last_mut()
            && let Some(at) = frame.objects.iter().position(|(it, _)| *it == object)
        {
            let (_, old) = frame.objects.remove(at);
            self.memory.kill(old);
        }
        let created = self.memory.create(self.program, object, size);
        let pointer = self.access(created, span)?;
        if let (Base::Instance(id), Some(frame)) = (pointer.base, self.frames.last_mut()) {
            frame.objects.push((object, id));
        }
        Ok(())
    }

    /// A call through a pointer converts nothing: where argument types differ, C gives no meaning.
    fn callee(
        &self,
        callee: Callee,
        args: Vec<Value>,
        dst: Option<VarId>,
        span: Span,
    ) -> Go<(FuncId, Vec<Value>)> {
        let func = match callee {
            Callee::Func(func) => func,
            Callee::Ptr(ptr) => match self.pointer(ptr) {
                Pointer { base: Base::Func(func), offset: 0 } => func,
                _ => return Err(Ending::Undefined(Fault::Null, span)),
            },
        };
        let it = &self.program.funcs[func];
        let fits = it.params.len() == args.len()
            && it.params.iter().zip(&args).all(|(&param, arg)| {
                matches!(
                    (self.program.vars[param].ty, arg),
                    (Ty::Int(_), Value::Int(_))
                        | (Ty::Float(_), Value::Float(_))
                        | (Ty::Ptr, Value::Ptr(_))
                )
            })
            && dst.is_none_or(|dst| it.result == Some(self.program.vars[dst].ty));
        match fits {
            true => Ok((func, args)),
            false => Err(Ending::Unsupported("a call of a function of another type".into(), span)),
        }
    }
}
