//! A violation told in the source: the run that shows it, cut to what the violated property
//! depends on (FS section VI-B; the cone is that of the slicer).

use std::collections::VecDeque;

use hardbop_base::Span;
use hardbop_c::CProgram;
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::interp::{Environment, Event, Step, Turn, Watch};
use hardbop_cir::pass::outside::OUTSIDE;
use hardbop_cir::pass::{self, Keep};
use hardbop_cir::{
    Ahead, BlockId, Callee, CheckId, Class, Expr, ExprId, FuncId, ObjId, ObjKind, Op, Program,
    Scan, Shape, Source, Stream, Term, Ty, VarId, VarKind,
};
use hardbop_engine_c::Counterexample;
use rustc_hash::{FxHashMap, FxHashSet};

use super::confirm::Shown;

/// Steps kept from the beginning and from the end of a long run.
const KEPT: usize = 2_000;
/// Arguments and bytes of a text that are told.
const SHOWN_ARGUMENTS: usize = 8;
const SHOWN_BYTES: usize = 60;

/// A run of a C program up to its violation.
#[derive(Clone, Debug)]
pub struct Run {
    /// What happens; of a long run the beginning and the end.
    pub steps: Vec<RunStep>,
    /// Steps left out in between.
    pub n_left_out: usize,
    /// What functions without a body did that the violation rests on, each once.
    pub depends_on: Vec<String>,
    /// Those of them that returned null.
    pub null_results: Vec<String>,
    /// Which thread runs when; empty if there is one.
    pub turns: Vec<Turn>,
}

/// One thing that happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// Which thread does it; `main` is 0.
    pub thread: u32,
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
    /// What sort of thing it is.
    pub kind: Happening,
    /// What was assigned: name and value.
    pub value: Option<(String, String)>,
    /// The object in memory that was written or given back.
    pub object: Option<String>,
}

/// What can happen in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// What the program is started with.
    Given,
    /// A function is called.
    Call,
    /// A function returns a value.
    Return,
    /// A variable or an object gets a value.
    Assign,
    /// A condition is true or false.
    Branch,
    /// Something comes from outside.
    Input,
    /// An object is given back.
    Free,
    /// The end of the run.
    Violation,
}

impl Happening {
    /// The word of `hardbop.result/1`.
    pub fn word(self) -> &'static str {
        match self {
            Happening::Given => "given",
            Happening::Call => "call",
            Happening::Return => "return",
            Happening::Assign => "assign",
            Happening::Branch => "branch",
            Happening::Input => "input",
            Happening::Free => "free",
            Happening::Violation => "violation",
        }
    }
}

impl RunStep {
    /// The object that the value points to.
    pub fn points_to(&self) -> Option<&str> {
        self.value.as_ref()?.1.strip_prefix('&').map(object_of)
    }
}

/// The object of a place such as `list[3].next` or `(malloc at line 8)#2.next`.
fn object_of(place: &str) -> &str {
    let named = place.find(')').filter(|_| place.starts_with('(')).map_or(0, |it| it + 1);
    let end = place[named..].find(['.', '[', '@']).map_or(place.len(), |it| named + it);
    &place[..end]
}

/// The places and registers of the program the check depends on.
struct Cone {
    /// What may go wrong anywhere depends on everything.
    is_all: bool,
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
        let is_all = matches!(program.checks[check].class, Class::Deadlock | Class::Race);
        Cone { is_all, places, vars }
    }
}

/// Keeps the first and the last steps inside the cone.
struct Recorder {
    cone: Cone,
    /// Where the arguments of `main` are put into memory: [`given`] says what they are.
    arguments: Option<(FuncId, Span)>,
    first: Vec<Step>,
    last: VecDeque<Step>,
    n_dropped: usize,
}

impl Watch for Recorder {
    fn wants(&self, func: FuncId, span: Span) -> bool {
        self.cone.is_all || self.cone.places.contains(&(func, span))
    }

    fn step(&mut self, step: Step) {
        let is_inner = matches!(step.event, Event::Branch { .. } | Event::Store { .. });
        if is_inner && self.arguments == Some((step.func, step.span)) {
            return;
        }
        if let Event::Set { var, .. } = step.event
            && !(self.cone.is_all || self.cone.vars.contains(&var))
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
    pub(super) fn of(loaded: &CProgram, shown: &Shown) -> Run {
        let Shown { check, counterexample, place, .. } = shown;
        let mut program = counterexample.program(&loaded.program).into_owned();
        name_objects(loaded, &mut program);
        let mut recorder = Recorder {
            cone: Cone::of(&program, *check),
            arguments: arguments(&program),
            first: Vec::new(),
            last: VecDeque::new(),
            n_dropped: 0,
        };
        let config = counterexample.up_to(&program, *check);
        let result = hardbop_cir::interp::run_watched(&program, &config, &mut recorder);
        let mut teller = Teller::new(loaded, &program);
        let steps = recorder.first.iter().chain(&recorder.last);
        let mut lines = given(loaded, &Environment::of(&result.inputs));
        lines.extend(steps.filter_map(|step| teller.line(step)));
        let info = &loaded.program.checks[*check];
        let at = loaded.sources.position(*place);
        let told = shown.told.as_deref().unwrap_or(&info.message);
        lines.push(RunStep {
            thread: result.turns.last().map_or(0, |it| it.thread),
            depth: lines.last().map_or(0, |it| it.depth),
            func: String::new(),
            file: at.file.to_string(),
            line: at.line,
            text: format!("{}: {told}", info.class),
            kind: Happening::Violation,
            value: None,
            object: None,
        });
        let Teller { mut depends_on, null_results, .. } = teller;
        depends_on.extend(placed(&program, counterexample));
        let (n_left_out, turns) = (recorder.n_dropped, result.turns);
        Run { steps: lines, n_left_out, depends_on, null_results, turns }
    }
}

/// Where objects lie, if the violation rests on that.
fn placed(program: &Program, counterexample: &Counterexample) -> Option<String> {
    let names = counterexample.placed.keys().map(|&it| format!("`{}`", program.objects[it].name));
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| format!("where {} lie in memory", names.join(", ")))
}

/// The function that calls `main`, and where its code stands: at the head of `main`.
fn arguments(program: &Program) -> Option<(FuncId, Span)> {
    let main = program.func_named("main")?;
    let start = FuncId::from_u32(0);
    let mut calls = program.funcs[start].blocks.iter().flat_map(|it| &it.insts);
    calls
        .any(|it| matches!(it.op, Op::Call { callee: Callee::Func(it), .. } if it == main))
        .then_some(())?;
    Some((start, program.funcs[main].span?))
}

/// What the program is started with.
fn given(loaded: &CProgram, environment: &Environment) -> Vec<RunStep> {
    let quoted = |text: &[u8]| {
        let more = if text.len() > SHOWN_BYTES { "…" } else { "" };
        format!("\"{}\"{more}", text[..text.len().min(SHOWN_BYTES)].escape_ascii())
    };
    let mut texts = Vec::new();
    let args = environment.args.iter().take(SHOWN_ARGUMENTS).enumerate().skip(1);
    texts.extend(args.map(|(at, text)| format!("argument {at} is {}", quoted(text))));
    if environment.reads_stdin {
        texts.push(format!("standard input is {}", quoted(&environment.stdin)));
    }
    let main = loaded.program.func_named("main").and_then(|it| loaded.program.funcs[it].span);
    let at = loaded.sources.position(main.unwrap_or_default());
    let step = |text| RunStep {
        thread: 0,
        depth: 0,
        func: String::new(),
        file: at.file.to_string(),
        line: at.line,
        text,
        kind: Happening::Given,
        value: None,
        object: None,
    };
    texts.into_iter().map(step).collect()
}

/// Heap objects are known by their allocation and read as the source reads them; streams of the library by their names, and not
/// by what is inside.
fn name_objects(loaded: &CProgram, program: &mut Program) {
    for (id, object) in program.objects.as_mut_slice().iter_mut().enumerate() {
        if let Some(stream @ ("stdin" | "stdout" | "stderr")) =
            object.name.strip_prefix("__hardbop_")
        {
            (object.name, object.shape) = (stream.into(), Shape::Bytes);
        }
        let (ObjKind::Heap(func), Some(span)) = (object.kind, object.span) else { continue };
        object.name = match loaded.sources.is_ours(span) {
            true => format!("({})", loaded.program.funcs[func].name).into(),
            false => {
                let call = loaded.sources.snippet(span);
                let name = call.split('(').next().unwrap_or_default().trim();
                let line = loaded.sources.position(span).line;
                format!("({name} at line {line})").into()
            }
        };
        if let Some(shape) = loaded.heap_shapes.get(&ObjId::from_u32(id as u32)) {
            object.shape = shape.clone();
        }
    }
}

/// What the library was given from outside; `None` if the next input says so.
fn told_input(source: &Source, value: &str) -> Option<String> {
    let read = |stream: Stream, byte: Option<u8>| match byte {
        Some(byte) => {
            format!("{}: the next byte is {byte} {:?}", stream.name(), char::from(byte))
        }
        None => format!("{}: there is no further byte", stream.name()),
    };
    match (source, value.parse()) {
        (Source::Byte(stream) | Source::Scanned(stream, Scan::Solid), Ok(byte)) => {
            Some(read(*stream, Stream::byte(byte)))
        }
        (Source::Scanned(stream, Scan::Ahead(_)), Ok(byte)) => match Ahead::of(byte) {
            Ahead::End => Some(read(*stream, None)),
            _ => None,
        },
        (Source::Scanned(stream, Scan::Number(_)), _) => {
            Some(format!("{}: the next number is {value}", stream.name()))
        }
        (other, _) => Some(format!("{}: the system decides {value}", other.input()?)),
    }
}

/// Puts steps into words, one after the other.
struct Teller<'a> {
    loaded: &'a CProgram,
    program: &'a Program,
    n_steps: usize,
    /// Where, and at which step, each register of the front end was set: by an operand of `&&` or `||`.
    operands: FxHashMap<VarId, (Span, usize)>,
    /// The same of the last branch.
    branched: Option<(Span, usize)>,
    /// Calls of our library from the user's text: how deep, and where.
    calls: FxHashMap<u32, Vec<(usize, Span)>>,
    depends_on: Vec<String>,
    null_results: Vec<String>,
}

impl<'a> Teller<'a> {
    fn new(loaded: &'a CProgram, program: &'a Program) -> Self {
        let (operands, calls) = (FxHashMap::default(), FxHashMap::default());
        let (depends_on, null_results) = (Vec::new(), Vec::new());
        let branched = None;
        Teller { loaded, program, n_steps: 0, operands, branched, calls, depends_on, null_results }
    }

    /// `None` for what the front end or our library did for itself.
    fn line(&mut self, step: &Step) -> Option<RunStep> {
        let (program, sources) = (self.program, &self.loaded.sources);
        let is_outside = &*program.funcs[step.func].name == OUTSIDE;
        let is_ours = sources.is_ours(step.span) || is_outside;
        self.n_steps += 1;
        let calls = self.calls.entry(step.thread).or_default();
        calls.retain(|it| it.0 < step.depth);
        if let Event::Call { .. } = step.event
            && !is_ours
        {
            calls.push((step.depth, step.span));
        }
        // What the library writes is told where the user calls it.
        let (depth, span) = match (is_ours, &step.event, calls.last()) {
            (false, ..) => (step.depth, step.span),
            (true, Event::Store { .. } | Event::Input { .. } | Event::Free { .. }, Some(&call)) => {
                call
            }
            (true, Event::Set { .. }, Some(&call)) if is_outside => call,
            (true, ..) => return None,
        };
        let (text, value) = match &step.event {
            Event::Free { object } => (format!("free({object})"), None),
            // The assignment that follows says the same.
            Event::Input { .. } if step.depth == 0 => return None,
            Event::Input { source: Source::External(name), .. } if &**name == OUTSIDE => {
                return None;
            }
            Event::Input { source, value } if is_ours => (told_input(source, value)?, None),
            Event::Input { source: Source::Input(name) | Source::External(name), value } => {
                if self.has_no_body(name) {
                    self.rests_on(format!("{name}() returned {value}"));
                }
                (format!("{name}() returns {value}"), None)
            }
            Event::Input { source, value } => {
                (format!("{} is read as {value}", source.input()?), None)
            }
            Event::Set { var, value } => {
                let info = &program.vars[*var];
                if matches!(info.kind, VarKind::Temp | VarKind::Ghost) || info.name.starts_with('(')
                {
                    self.operands.insert(*var, (step.span, self.n_steps));
                    return None;
                }
                if let Some(name) = info.name.strip_suffix("()") {
                    let result = format!("{name}() returned {value}");
                    if value == "NULL" && !self.null_results.contains(&result) {
                        self.null_results.push(result.clone());
                    }
                    self.rests_on(result);
                    (format!("{name}() returns {value}"), None)
                } else {
                    if is_outside {
                        let call = sources.snippet(span);
                        self.rests_on(format!("{call} changed {}", info.name));
                    }
                    let pair = (info.name.to_string(), value.clone());
                    (format!("{} = {value}", info.name), Some(pair))
                }
            }
            Event::Store { object, place, value } => {
                // Objects of the front end have names that no variable has, those of the library stand
                // in its text.
                let is_inner = |it: ObjId| {
                    let info = &self.loaded.program.objects[it];
                    info.name.starts_with('(') || info.span.is_some_and(|it| sources.is_ours(it))
                };
                if object.is_none_or(is_inner) {
                    return None;
                }
                if is_outside {
                    let call = sources.snippet(span);
                    self.rests_on(format!("{call} changed {place}"));
                }
                (format!("{place} = {value}"), Some((place.clone(), value.clone())))
            }
            Event::Branch { block, to } => (self.branch(step, *block, *to)?, None),
            Event::Call { func, .. } if &*program.funcs[*func].name == OUTSIDE => return None,
            Event::Call { func, args } => {
                let it = &program.funcs[*func];
                // What the front end hands over besides is nobody's argument.
                let is_written = |at: usize| {
                    let param = it.params.get(at);
                    param.is_none_or(|&it| !program.vars[it].name.starts_with('('))
                };
                let args = args.iter().enumerate().filter(|it| is_written(it.0));
                let args: Vec<&str> = args.map(|it| it.1.as_str()).collect();
                (format!("{}({})", it.name, args.join(", ")), None)
            }
            Event::Return { value: None } => return None,
            Event::Return { value: Some(value) } => (format!("return {value}"), None),
        };
        let at = sources.position(span);
        let func = program.funcs[step.func].name.to_string();
        // The function that calls `main` is ours.
        let depth = depth.saturating_sub(1);
        let kind = match &step.event {
            Event::Input { .. } => Happening::Input,
            Event::Set { .. } | Event::Store { .. } if value.is_some() => Happening::Assign,
            Event::Set { .. } | Event::Store { .. } => Happening::Input,
            Event::Free { .. } => Happening::Free,
            Event::Branch { .. } => Happening::Branch,
            Event::Call { .. } => Happening::Call,
            Event::Return { .. } => Happening::Return,
        };
        let object = match &step.event {
            Event::Store { place, .. } => Some(object_of(place).to_string()),
            Event::Free { object } => Some(object_of(object.trim_start_matches('&')).to_string()),
            _ => None,
        };
        let (file, line) = (at.file.to_string(), at.line);
        let thread = step.thread;
        Some(RunStep { thread, depth, func, file, line, text, kind, value, object })
    }

    fn has_no_body(&self, name: &str) -> bool {
        self.loaded.program.assumptions.iter().any(|it| it.without_body() == Some(name))
    }

    fn rests_on(&mut self, what: String) {
        if !self.depends_on.contains(&what) {
            self.depends_on.push(what);
        }
    }

    /// Which way a branch went. Of `a && b` the operand that decided is told, once.
    fn branch(&mut self, step: &Step, block: BlockId, to: BlockId) -> Option<String> {
        let snippet = |span| self.loaded.sources.snippet(span);
        let before = self.branched.replace((step.span, self.n_steps));
        Some(match &self.program.funcs[step.func].blocks[block].term {
            Term::Branch { cond, yes, .. } => match self.operand(*cond) {
                // It was set, and then its operand told.
                Some((span, set, _)) if before.is_some_and(|it| it.0 == span && set < it.1) => {
                    return None;
                }
                Some((span, _, is_plain)) => {
                    format!("{} is {}", snippet(span), (*yes == to) == is_plain)
                }
                None => format!("{} is {}", snippet(step.span), *yes == to),
            },
            Term::Switch { cases, .. } => {
                let taken = match cases.iter().find(|it| it.1 == to) {
                    Some((value, _)) => format!("case {}", *value as i64),
                    None => "default".to_string(),
                };
                format!("{} is {taken}", snippet(step.span))
            }
            Term::Goto(_) | Term::Return(_) | Term::Stop(_) => return None,
        })
    }

    /// The operand that gave the condition its value: where, at which step, and whether the condition is that
    /// value or its negation. `None` if the condition asks for more.
    fn operand(&self, cond: ExprId) -> Option<(Span, usize, bool)> {
        let mut vars = Vec::new();
        self.program.exprs.for_each_var(cond, &mut |var| vars.push(var));
        let [var] = vars[..] else { return None };
        let is_plain = matches!(self.program.exprs.get(cond), Expr::Var(_));
        let (span, set) = *self.operands.get(&var)?;
        (self.program.vars[var].ty == Ty::BOOL).then_some((span, set, is_plain))
    }
}

#[cfg(test)]
mod tests {
    use super::object_of;

    #[test]
    fn a_place_is_inside_an_object() {
        assert_eq!(object_of("list[3].next"), "list");
        assert_eq!(object_of("(malloc at line 8)#2.next"), "(malloc at line 8)#2");
        assert_eq!(object_of("(a.b at line 8)"), "(a.b at line 8)");
        assert_eq!(object_of("x"), "x");
        assert_eq!(object_of("buffer@12"), "buffer");
    }
}
