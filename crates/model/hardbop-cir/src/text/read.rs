//! Text back to a program. The result is verified before it is returned.

mod inst;

use std::fmt;

use hardbop_base::{Idx, Name, Span};
use rustc_hash::FxHashMap;

use super::names::{BINARY, CASTS, UNARY, VAR_KINDS, find};
use crate::assumption::Assumption;
use crate::check::{Check, Class};
use crate::expr::{Expr, ExprId, ExprPool};
use crate::program::{
    Block, Func, FuncId, Init, ObjId, ObjInfo, ObjKind, Program, Shape, Stop, Term, VarId, VarInfo,
};
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
