//! Text back to a program. The result is verified before it is returned.

use std::fmt;

use hardbop_base::{Idx, Name, Span};
use rustc_hash::FxHashMap;

use super::names::{BINARY, CASTS, PRINTS, UNARY, VAR_KINDS, find};
use crate::assumption::Assumption;
use crate::check::{Check, Class, Cond, Holder};
use crate::expr::{Expr, ExprId, ExprPool};
use crate::program::{
    Block, BlockId, Callee, Func, FuncId, Init, Inst, ObjId, ObjInfo, ObjKind, Op, Program, Shape,
    Source, Stop, Stream, Term, TextPart, VarId, VarInfo,
};
use crate::scan::{Numeral, Scan};
use crate::thread::ThreadOp;
use crate::ty::{Ty, parse_ty};

/// What is wrong, and on which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    pub line: usize,
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Expressions nested deeper are refused.
const MAX_DEPTH: usize = 1000;

pub fn read(text: &str) -> Result<Program, ReadError> {
    let mut reader = Reader { words: Vec::new(), at: 0, line: 0, types: FxHashMap::default() };
    let mut program = None;
    for (at, line) in text.lines().enumerate() {
        reader.line = at + 1;
        reader.split(line)?;
        if reader.words.is_empty() {
            continue;
        }
        match &mut program {
            None => program = Some(reader.header()?),
            Some(program) => reader.declaration(program)?,
        }
    }
    let Some(program) = program else { return reader.fail("the header `cir 1` is missing") };
    reader.line = 0;
    // A register may be mentioned with the type it was declared with only.
    match crate::verify::verify(&program) {
        Ok(()) => Ok(program),
        Err(error) => reader.fail(error.to_string()),
    }
}

struct Reader {
    words: Vec<String>,
    at: usize,
    line: usize,
    types: FxHashMap<VarId, Ty>,
}

type Read<T> = Result<T, ReadError>;

impl Reader {
    fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(ReadError { line: self.line, message: message.into() })
    }

    /// Words between blanks; a quoted text is one word that keeps its first quote.
    fn split(&mut self, line: &str) -> Read<()> {
        (self.words, self.at) = (Vec::new(), 0);
        let mut rest = line.trim();
        while let Some(first) = rest.chars().next() {
            let end = if first == '"' {
                closing_quote(rest)
            } else {
                rest.find(' ').or(Some(rest.len()))
            };
            let Some(end) = end else { return self.fail("a text has no end") };
            self.words.push(match first {
                '"' => format!("\"{}", unescape(&rest[1..end - 1])),
                _ => rest[..end].to_string(),
            });
            rest = rest[end..].trim_start();
        }
        Ok(())
    }

    fn peek(&self) -> &str {
        self.words.get(self.at).map_or("", String::as_str)
    }

    fn word(&mut self) -> Read<String> {
        match self.words.get(self.at) {
            Some(word) => {
                self.at += 1;
                Ok(word.clone())
            }
            None => self.fail("the line ends too early"),
        }
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Read<()> {
        if self.eat(word) {
            Ok(())
        } else {
            self.fail(format!("`{word}` is expected, not `{}`", self.peek()))
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Read<T> {
        let word = self.word()?;
        word.parse().or_else(|_| self.fail(format!("`{word}` is no number")))
    }

    fn quoted(&mut self) -> Read<Name> {
        let word = self.word()?;
        match word.strip_prefix('"') {
            Some(text) => Ok(text.into()),
            None => self.fail(format!("a text is expected, not `{word}`")),
        }
    }

    fn id<I: Idx>(&mut self, prefix: &str) -> Read<I> {
        let word = self.word()?;
        let index = word.strip_prefix(prefix).and_then(|it| it.parse::<u32>().ok());
        match index {
            Some(index) => Ok(I::new(index as usize)),
            None => self.fail(format!("`{word}` is no name of the kind `{prefix}0`")),
        }
    }

    fn ty(&mut self) -> Read<Ty> {
        let word = self.word()?;
        parse_ty(&word).map_or_else(|| self.fail(format!("`{word}` is no type")), Ok)
    }

    fn span(&mut self) -> Read<Option<Span>> {
        let word = self.word()?;
        if word == "@-" {
            return Ok(None);
        }
        let ends = word.strip_prefix('@').and_then(|it| it.split_once(".."));
        let span = ends.and_then(|(start, end)| {
            Some(Span { start: start.parse().ok()?, end: end.parse().ok()? })
        });
        match span {
            Some(span) => Ok(Some(span)),
            None => self.fail(format!("`{word}` is no position")),
        }
    }

    fn header(&mut self) -> Read<Program> {
        self.expect("cir")?;
        self.expect("1")?;
        self.expect("ptr")?;
        let ptr_bits: u8 = self.number()?;
        self.expect("main")?;
        let main: FuncId = self.id("f")?;
        Ok(Program {
            ptr_bits,
            vars: Default::default(),
            objects: Default::default(),
            funcs: Default::default(),
            checks: Default::default(),
            exprs: ExprPool::new(ptr_bits),
            main,
            assumptions: Vec::new(),
        })
    }

    fn declaration(&mut self, program: &mut Program) -> Read<()> {
        let word = self.word()?;
        match word.as_str() {
            "var" => self.var(program),
            "object" => self.object(program),
            "check" if program.funcs.is_empty() => {
                self.word()?;
                let class = self.word()?;
                let Some(class) = Class::ALL.into_iter().find(|it| it.name() == class) else {
                    return self.fail(format!("there is no class `{class}`"));
                };
                let message = self.quoted()?;
                let span = self.span()?.unwrap_or_default();
                program.checks.push(Check { class, message, span });
                Ok(())
            }
            "assume" if program.funcs.is_empty() => {
                program.assumptions.push(Assumption::Other(self.quoted()?));
                Ok(())
            }
            "func" => self.func(program),
            "block" => {
                let span = self.span()?.unwrap_or_default();
                let term = Term::Stop(Stop::Unreachable);
                let Some(func) = program.funcs.as_mut_slice().last_mut() else {
                    return self.fail("a block belongs into a function");
                };
                func.blocks.push(Block { insts: Vec::new(), term, span });
                Ok(())
            }
            _ => self.inst(program, &word),
        }
    }

    fn var(&mut self, program: &mut Program) -> Read<()> {
        self.word()?;
        let ty = self.ty()?;
        let is_signed = self.word()? == "s";
        let kind = self.word()?;
        let Some(kind) = find(&VAR_KINDS, &kind) else {
            return self.fail(format!("`{kind}` is no kind"));
        };
        let owner = if self.peek().starts_with('f') { Some(self.id("f")?) } else { None };
        let name = self.quoted()?;
        let init = if self.eat("=") { Some(self.expr(program, 0)?) } else { None };
        let span = self.span()?;
        let id = program.vars.push(VarInfo { name, ty, is_signed, kind, owner, init, span });
        self.types.insert(id, ty);
        Ok(())
    }

    fn object(&mut self, program: &mut Program) -> Read<()> {
        self.word()?;
        let kind = match self.word()?.as_str() {
            "global" => ObjKind::Global,
            "local" => ObjKind::Local(self.id("f")?),
            "heap" => ObjKind::Heap(self.id("f")?),
            "thread" => ObjKind::Thread,
            other => return self.fail(format!("`{other}` is no kind of object")),
        };
        let size = if self.eat("?") { None } else { Some(self.number()?) };
        let align: u64 = if self.eat("align") { self.number()? } else { 1 };
        if !align.is_power_of_two() {
            return self.fail(format!("{align} is no alignment"));
        }
        let is_const = self.word()? == "const";
        let name = self.quoted()?;
        self.expect("{")?;
        let mut init = Vec::new();
        while !self.eat("}") {
            let offset = self.number()?;
            init.push(Init { offset, value: self.expr(program, 0)? });
        }
        let span = self.span()?;
        program.objects.push(ObjInfo {
            name,
            kind,
            size,
            init,
            is_const,
            shape: Shape::Bytes,
            align,
            copy_of: None,
            span,
        });
        Ok(())
    }

    fn func(&mut self, program: &mut Program) -> Read<()> {
        self.word()?;
        let result = if self.eat("void") { None } else { Some(self.ty()?) };
        let name = self.quoted()?;
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.eat(")") {
            params.push(self.id("v")?);
        }
        let span = self.span()?;
        program.funcs.push(Func { name, params, result, blocks: Default::default(), span });
        Ok(())
    }

    fn inst(&mut self, program: &mut Program, word: &str) -> Read<()> {
        if let Some(term) = self.term(program, word)? {
            return match program
                .funcs
                .as_mut_slice()
                .last_mut()
                .and_then(|it| it.blocks.as_mut_slice().last_mut())
            {
                Some(block) => {
                    block.term = term;
                    Ok(())
                }
                None => self.fail("an instruction belongs into a block"),
            };
        }
        let op = self.op(program, word)?;
        let span = self.span()?.unwrap_or_default();
        match program
            .funcs
            .as_mut_slice()
            .last_mut()
            .and_then(|it| it.blocks.as_mut_slice().last_mut())
        {
            Some(block) => {
                block.insts.push(Inst { op, span });
                Ok(())
            }
            None => self.fail("an instruction belongs into a block"),
        }
    }

    fn rest(&mut self, program: &mut Program) -> Read<Vec<ExprId>> {
        let mut list = Vec::new();
        while !self.peek().is_empty() && !self.peek().starts_with('@') {
            list.push(self.expr(program, 0)?);
        }
        Ok(list)
    }

    fn numeral(&mut self) -> Read<Numeral> {
        Ok(match self.word()?.as_str() {
            "signed" => Numeral::Signed(self.number()?),
            "unsigned" => Numeral::Unsigned(self.number()?),
            "real" => Numeral::Real(self.number()?),
            other => return self.fail(format!("`{other}` is no kind of number")),
        })
    }

    fn dst(&mut self) -> Read<Option<VarId>> {
        if self.eat("_") { Ok(None) } else { Ok(Some(self.id("v")?)) }
    }

    fn thread_op(&mut self, program: &mut Program, word: &str) -> Read<ThreadOp> {
        Ok(match word {
            "spawn" => ThreadOp::Spawn {
                dst: self.id("v")?,
                func: self.expr(program, 0)?,
                arg: self.expr(program, 0)?,
            },
            "current" => ThreadOp::Current { dst: self.id("v")? },
            "exists" => ThreadOp::Exists { dst: self.id("v")?, thread: self.expr(program, 0)? },
            "ended" => ThreadOp::Ended { dst: self.id("v")?, thread: self.expr(program, 0)? },
            "result" => ThreadOp::Result { dst: self.id("v")?, thread: self.expr(program, 0)? },
            "forget" => ThreadOp::Forget { thread: self.expr(program, 0)? },
            "own" => ThreadOp::Own { dst: self.id("v")?, object: self.id("o")? },
            "begin" => ThreadOp::Begin,
            "end" => ThreadOp::End,
            "unordered" => ThreadOp::Unordered,
            "orders" | "fence" => {
                let (acquires, releases) = match self.word()?.as_str() {
                    "nothing" => (false, false),
                    "acquire" => (true, false),
                    "release" => (false, true),
                    "both" => (true, true),
                    other => return self.fail(format!("`{other}` is no order")),
                };
                match word {
                    "orders" => ThreadOp::Orders { acquires, releases },
                    _ => ThreadOp::Fence { acquires, releases },
                }
            }
            "wait" => ThreadOp::Wait { cond: self.expr(program, 0)? },
            _ => return self.fail(format!("`{word}` is no instruction")),
        })
    }

    fn op(&mut self, program: &mut Program, word: &str) -> Read<Op> {
        Ok(match word {
            "set" => Op::Set { dst: self.id("v")?, value: self.expr(program, 0)? },
            "nondet" => {
                let dst = self.id("v")?;
                let source = match self.word()?.as_str() {
                    "input" => Source::Input(self.quoted()?),
                    "external" => Source::External(self.quoted()?),
                    "system" => Source::System(self.quoted()?),
                    "stdin" => Source::Byte(Stream::Stdin),
                    "file" => Source::Byte(Stream::Other),
                    "scanned" => {
                        let stream = match self.word()?.as_str() {
                            "stdin" => Stream::Stdin,
                            "file" => Stream::Other,
                            other => return self.fail(format!("`{other}` is no stream")),
                        };
                        let scan = match self.word()?.as_str() {
                            "ahead" => Scan::Ahead(self.numeral()?),
                            "solid" => Scan::Solid,
                            "number" => Scan::Number(self.numeral()?),
                            other => return self.fail(format!("`{other}` is not what is scanned")),
                        };
                        Source::Scanned(stream, scan)
                    }
                    "argc" => Source::ArgCount,
                    "argument" => {
                        let at = self.number()?;
                        let part = match self.word()?.as_str() {
                            "length" => TextPart::Length,
                            "rest" => TextPart::Rest,
                            "byte" => TextPart::Byte(self.number()?),
                            other => return self.fail(format!("`{other}` is no part of a text")),
                        };
                        Source::Argument(at, part)
                    }
                    "uninit" => Source::Uninit,
                    "order" => Source::Order,
                    other => return self.fail(format!("`{other}` is no source")),
                };
                Op::Nondet { dst, source }
            }
            "load" => Op::Load { dst: self.id("v")?, ptr: self.expr(program, 0)? },
            "size" => Op::Size { dst: self.id("v")?, ptr: self.expr(program, 0)? },
            "store" => Op::Store { ptr: self.expr(program, 0)?, value: self.expr(program, 0)? },
            "copy" => Op::Copy {
                dst: self.expr(program, 0)?,
                src: self.expr(program, 0)?,
                size: self.expr(program, 0)?,
            },
            "fill" => Op::Fill {
                dst: self.expr(program, 0)?,
                byte: self.expr(program, 0)?,
                size: self.expr(program, 0)?,
            },
            "repeat" => Op::Repeat {
                dst: self.expr(program, 0)?,
                value: self.expr(program, 0)?,
                size: self.expr(program, 0)?,
            },
            "havoc" => Op::Havoc { ptr: self.expr(program, 0)? },
            "enter" => {
                let object: ObjId = self.id("o")?;
                Op::Enter { object, size: self.rest(program)?.first().copied() }
            }
            "leave" => Op::Leave { object: self.id("o")? },
            "alloc" => Op::Alloc {
                dst: self.id("v")?,
                object: self.id("o")?,
                size: self.expr(program, 0)?,
            },
            "free" => Op::Free { ptr: self.expr(program, 0)? },
            "call" => {
                let dst = self.dst()?;
                let callee = match self.peek().starts_with('f') {
                    true => Callee::Func(self.id("f")?),
                    false => Callee::Ptr(self.expr(program, 0)?),
                };
                Op::Call { dst, callee, args: self.rest(program)? }
            }
            "print" => {
                let dst = self.dst()?;
                let kind = self.word()?;
                let Some(kind) = find(&PRINTS, &kind) else { return self.fail("no such output") };
                Op::Print { dst, kind, args: self.rest(program)? }
            }
            "assume" => Op::Assume { cond: self.expr(program, 0)? },
            "check" => {
                let check = self.id("c")?;
                let cond = match self.word()?.as_str() {
                    "holds" => Cond::Holds(self.expr(program, 0)?),
                    "notnull" => Cond::NotNull(self.expr(program, 0)?),
                    "alive" => Cond::Alive(self.expr(program, 0)?),
                    "inbounds" => {
                        Cond::InBounds { ptr: self.expr(program, 0)?, size: self.expr(program, 0)? }
                    }
                    "written" => {
                        Cond::Written { ptr: self.expr(program, 0)?, size: self.expr(program, 0)? }
                    }
                    "writable" => Cond::Writable(self.expr(program, 0)?),
                    "freeable" => Cond::Freeable(self.expr(program, 0)?),
                    "apart" => Cond::Apart {
                        a: self.expr(program, 0)?,
                        b: self.expr(program, 0)?,
                        size: self.expr(program, 0)?,
                    },
                    "freed" => Cond::NoLeak(Holder::System),
                    "noleak" => Cond::NoLeak(Holder::Globals),
                    "noleak_in_calls" => Cond::NoLeak(Holder::Calls),
                    "watched" => Cond::Watched,
                    "fails" => Cond::Fails,
                    other => return self.fail(format!("`{other}` is no condition")),
                };
                Op::Check { check, cond }
            }
            _ => Op::Thread(self.thread_op(program, word)?),
        })
    }

    fn term(&mut self, program: &mut Program, word: &str) -> Read<Option<Term>> {
        Ok(Some(match word {
            "goto" => Term::Goto(self.id("b")?),
            "branch" => {
                Term::Branch { cond: self.expr(program, 0)?, yes: self.id("b")?, no: self.id("b")? }
            }
            "switch" => {
                let value = self.expr(program, 0)?;
                let default: BlockId = self.id("b")?;
                let mut cases = Vec::new();
                while !self.peek().starts_with('@') && !self.peek().is_empty() {
                    cases.push((self.number()?, self.id("b")?));
                }
                Term::Switch { value, cases, default }
            }
            "return" => Term::Return(self.rest(program)?.first().copied()),
            "exit" => Term::Stop(Stop::Exit(self.expr(program, 0)?)),
            "endthread" => Term::Stop(Stop::Thread(self.expr(program, 0)?)),
            "abort" => Term::Stop(Stop::Abort),
            "unreachable" => Term::Stop(Stop::Unreachable),
            "unsupported" => Term::Stop(Stop::Unsupported(self.quoted()?)),
            _ => return Ok(None),
        }))
    }

    fn expr(&mut self, program: &mut Program, depth: usize) -> Read<ExprId> {
        if depth > MAX_DEPTH {
            return self.fail("the expression is nested too deeply");
        }
        let word = self.word()?;
        if word == "(" {
            return self.compound(program, depth);
        }
        let pool = &mut program.exprs;
        let index = |prefix: &str| word.strip_prefix(prefix).and_then(|it| it.parse::<u32>().ok());
        if word == "null" {
            return Ok(pool.add(Expr::Null));
        }
        if let Some(var) = index("v").map(VarId::from_u32) {
            return match self.types.get(&var) {
                Some(&ty) => Ok(pool.var(var, ty)),
                None => self.fail(format!("{var} is not declared")),
            };
        }
        if let Some(object) = index("&o") {
            return Ok(pool.add(Expr::Addr(ObjId::from_u32(object))));
        }
        if let Some(func) = index("&f") {
            return Ok(pool.add(Expr::FuncAddr(FuncId::from_u32(func))));
        }
        let constant = word.split_once(':').and_then(|(ty, value)| Some((parse_ty(ty)?, value)));
        match constant {
            Some((Ty::Int(width), value)) => match value.parse() {
                Ok(value) => Ok(pool.int(width, value)),
                Err(_) => self.fail(format!("`{word}` is no constant")),
            },
            Some((Ty::Float(ty), value)) => match value.parse() {
                Ok(bits) => Ok(pool.add(Expr::Float { ty, bits })),
                Err(_) => self.fail(format!("`{word}` is no constant")),
            },
            _ => self.fail(format!("`{word}` is no expression")),
        }
    }

    fn compound(&mut self, program: &mut Program, depth: usize) -> Read<ExprId> {
        let op = self.word()?;
        let cast = match find(&CASTS, &op) {
            Some(cast) => Some((cast, self.ty()?)),
            None => None,
        };
        let mut operands = Vec::new();
        while !self.eat(")") {
            operands.push(self.expr(program, depth + 1)?);
        }
        let node = match *operands.as_slice() {
            [a] => match cast {
                Some((cast, ty)) => Some(Expr::Cast(cast, ty, a)),
                None => find(&UNARY, &op).map(|op| Expr::Unary(op, a)),
            },
            [a, b] => find(&BINARY, &op).map(|op| Expr::Binary(op, a, b)),
            [a, b, c] if op == "ite" => Some(Expr::Ite(a, b, c)),
            _ => None,
        };
        match node {
            Some(node) => Ok(program.exprs.add(node)),
            None => self.fail(format!("`{op}` is no operator of {} operands", operands.len())),
        }
    }
}

/// One past the quote that ends a text that begins with one.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Undoes what `{:?}` does to a text.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('0') => out.push('\0'),
            Some('u') => {
                let code: String = chars.by_ref().skip(1).take_while(|&c| c != '}').collect();
                let code = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                out.push(code.unwrap_or('\u{fffd}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}
