//! A program from its text.
//!
//! Two passes over the lines: the first finds the procedures, so that calls may come before what
//! they call; the second reads. What the grammar cannot say (arities, scopes) `verify` says.

use std::fmt;

use hardbop_base::{Idx, Name, Span};

use super::HEADER;
use super::expr::{read_expr, read_reference, read_var};
use super::lex::{Cursor, Token, tokens};
use super::names::{Names, Scope};
use crate::build::ProcBuilder;
use crate::expr::{ExprId, ExprPool};
use crate::program::{Action, Assign, Call, Loc, Proc, ProcId, Program, Spawn, VarId, VarInfo};
use crate::verify::verify;

/// Why a text is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Counted from 1.
    pub line: u32,
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// The verified program a text stands for.
pub fn read(text: &str) -> Result<Program, ReadError> {
    if text.lines().next().map(str::trim_end) != Some(HEADER) {
        return Err(ReadError { line: 1, message: format!("expected `{HEADER}`") });
    }
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate().skip(1) {
        let line_no = i as u32 + 1;
        let tokens = tokens(line).map_err(|message| ReadError { line: line_no, message })?;
        if !tokens.is_empty() {
            lines.push(Line { line: line_no, tokens });
        }
    }
    let last = text.lines().count() as u32;
    FileReader { lines: &lines, at: 0, last, pool: ExprPool::default() }.file()
}

struct Line<'a> {
    line: u32,
    tokens: Vec<Token<'a>>,
}

impl Line<'_> {
    fn first_word(&self) -> &str {
        match self.tokens[0] {
            Token::Word(word) => word,
            _ => "",
        }
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&mut Cursor<'_>) -> Result<T, String>,
    ) -> Result<T, ReadError> {
        let mut cursor = Cursor::new(&self.tokens);
        let value = read(&mut cursor).and_then(|value| cursor.end().map(|()| value));
        value.map_err(|message| ReadError { line: self.line, message })
    }
}

struct FileReader<'a> {
    lines: &'a [Line<'a>],
    at: usize,
    /// The number of the text's last line, for what is missing there.
    last: u32,
    pool: ExprPool,
}

impl<'a> FileReader<'a> {
    fn next(&mut self) -> Option<&'a Line<'a>> {
        let line = self.lines.get(self.at);
        self.at += 1;
        line
    }

    fn file(mut self) -> Result<Program, ReadError> {
        let mut names: Names<ProcId> = Names::new([]);
        let mut proc_lines = Vec::new();
        for line in self.lines.iter().filter(|line| line.first_word() == "proc") {
            let mut cursor = Cursor::new(&line.tokens);
            cursor.advance();
            if let Ok(name) = name(&mut cursor, "a procedure name") {
                names.push(&name);
                proc_lines.push(line.line);
            }
        }
        let (mut shared, mut init) = (Vec::new(), Vec::new());
        let mut shared_names: Names<VarId> = Names::new([]);
        let mut main = None;
        let mut procs = Vec::new();
        while let Some(line) = self.next() {
            match line.first_word() {
                "shared" if procs.is_empty() => {
                    let pool = &mut self.pool;
                    let (var, value) =
                        line.read(|cursor| read_shared(cursor, pool, &shared_names))?;
                    if let Some(value) = value {
                        init.push((VarId::new(shared.len()), value));
                    }
                    shared_names.push(&var.name);
                    shared.push(var);
                }
                "main" if main.is_none() => {
                    main = Some(line.read(|cursor| {
                        cursor.advance();
                        read_proc_name(cursor, &names)
                    })?);
                }
                "proc" => procs.push(self.proc(line, &names, &shared_names)?),
                _ => return line.read(|c| Err(c.expected("`shared`, one `main` or `proc`"))),
            }
        }
        let Some(main) = main else {
            return Err(ReadError { line: self.last, message: "there is no `main`".into() });
        };
        let program = Program { shared, init, procs: procs.into(), main, exprs: self.pool };
        match verify(&program) {
            Ok(()) => Ok(program),
            Err(error) => {
                let line = error.proc.and_then(|proc| proc_lines.get(proc.index()).copied());
                Err(ReadError { line: line.unwrap_or(1), message: error.to_string() })
            }
        }
    }

    fn proc(
        &mut self,
        head: &Line<'_>,
        procs: &Names<ProcId>,
        shared: &Names<VarId>,
    ) -> Result<Proc, ReadError> {
        let head = head.read(read_head)?;
        let mut locals = head.vars;
        let mut scope = Scope::new(shared);
        locals.iter().for_each(|var: &VarInfo| scope.push(&var.name));
        let mut builder = ProcBuilder::empty(head.name, head.span);
        let (mut entry, mut exit) = (None, None);
        while let Some(line) = self.next() {
            let pool = &mut self.pool;
            match line.first_word() {
                "local" => {
                    let var = line.read(|cursor| {
                        cursor.advance();
                        read_declared(cursor)
                    })?;
                    scope.push(&var.name);
                    locals.push(var);
                }
                "enforce" => builder.enforce(Some(line.read(|cursor| {
                    cursor.advance();
                    read_expr(cursor, pool, &scope)
                })?)),
                "entry" => entry = Some(line.read(read_keyed_loc)?),
                "exit" => exit = Some(line.read(read_keyed_loc)?),
                "loc" => line.read(|cursor| read_loc_line(cursor, &mut builder))?,
                "end" => {
                    let (Some(entry), Some(exit)) = (entry, exit) else {
                        let message = "`entry` or `exit` is missing".into();
                        return Err(ReadError { line: line.line, message });
                    };
                    line.read(|cursor| {
                        cursor.advance();
                        Ok(())
                    })?;
                    builder.locals(locals, head.n_formals, head.n_returns);
                    return Ok(builder.finish_between(entry, exit));
                }
                "proc" => return line.read(|cursor| Err(cursor.expected("`end` first"))),
                _ => line.read(|cursor| {
                    let from = read_loc(cursor)?;
                    cursor.expect("->")?;
                    let to = read_loc(cursor)?;
                    cursor.expect(":")?;
                    let mut actions = ActionReader { cursor, pool, scope: &scope, procs };
                    let action = actions.action()?;
                    builder.edge(from, action, to);
                    Ok(())
                })?,
            }
        }
        Err(ReadError { line: self.last, message: "a procedure without `end`".into() })
    }
}

struct Head {
    name: Name,
    /// Formals and return values.
    vars: Vec<VarInfo>,
    n_formals: usize,
    n_returns: usize,
    span: Option<Span>,
}

/// `proc f(a, b) returns (r) @1..2`
fn read_head(cursor: &mut Cursor<'_>) -> Result<Head, String> {
    cursor.advance();
    let name = name(cursor, "a procedure name")?;
    let mut vars = read_var_list(cursor)?;
    let n_formals = vars.len();
    if cursor.eat_word("returns") {
        vars.extend(read_var_list(cursor)?);
    }
    let n_returns = vars.len() - n_formals;
    Ok(Head { name, vars, n_formals, n_returns, span: read_span(cursor)? })
}

fn read_var_list(cursor: &mut Cursor<'_>) -> Result<Vec<VarInfo>, String> {
    cursor.expect("(")?;
    let mut vars = Vec::new();
    while !cursor.eat(")") {
        if !vars.is_empty() {
            cursor.expect(",")?;
        }
        vars.push(read_declared(cursor)?);
    }
    Ok(vars)
}

/// `shared x @1..2 := e`, where `e` may mention what was declared before.
fn read_shared(
    cursor: &mut Cursor<'_>,
    pool: &mut ExprPool,
    before: &Names<VarId>,
) -> Result<(VarInfo, Option<ExprId>), String> {
    cursor.advance();
    let var = read_declared(cursor)?;
    let value = cursor.eat(":=").then(|| read_expr(cursor, pool, &Scope::new(before)));
    Ok((var, value.transpose()?))
}

/// `x @1..2`
fn read_declared(cursor: &mut Cursor<'_>) -> Result<VarInfo, String> {
    let name = name(cursor, "a variable name")?;
    Ok(VarInfo { name, span: read_span(cursor)? })
}

/// `loc l3 L1 "x y" @1..2`
fn read_loc_line(cursor: &mut Cursor<'_>, builder: &mut ProcBuilder) -> Result<(), String> {
    cursor.advance();
    let number = read_loc(cursor)?;
    let loc = builder.loc(None);
    if number != loc {
        return Err(format!("found {number} where {loc} comes next"));
    }
    while let Some(Token::Word(_) | Token::Quoted(_)) = cursor.peek() {
        builder.label(loc, name(cursor, "a label")?);
    }
    builder.span(loc, read_span(cursor)?);
    Ok(())
}

/// A keyword and a location.
fn read_keyed_loc(cursor: &mut Cursor<'_>) -> Result<Loc, String> {
    cursor.advance();
    read_loc(cursor)
}

fn read_loc(cursor: &mut Cursor<'_>) -> Result<Loc, String> {
    let number = match cursor.peek() {
        Some(Token::Word(word)) => word.strip_prefix('l').filter(|digits| !digits.is_empty()),
        _ => None,
    };
    match number {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            cursor.advance();
            digits.parse().map(Loc::from_u32).map_err(|_| "location number too large".into())
        }
        _ => Err(cursor.expected("a location such as `l3`")),
    }
}

fn read_span(cursor: &mut Cursor<'_>) -> Result<Option<Span>, String> {
    if !cursor.eat("@") {
        return Ok(None);
    }
    let start = cursor.number()?;
    cursor.expect("..")?;
    let end = cursor.number()?;
    if start > end {
        return Err("a span that ends before it begins".into());
    }
    Ok(Some(Span { start, end }))
}

fn name(cursor: &mut Cursor<'_>, wanted: &str) -> Result<Name, String> {
    let name = match cursor.peek() {
        Some(Token::Word(name)) => Name::from(*name),
        Some(Token::Quoted(name)) => Name::from(&**name),
        _ => return Err(cursor.expected(wanted)),
    };
    cursor.advance();
    Ok(name)
}

fn read_proc_name(cursor: &mut Cursor<'_>, procs: &Names<ProcId>) -> Result<ProcId, String> {
    let (name, index) = read_reference(cursor, "a procedure")?;
    procs.find(name, index).ok_or_else(|| format!("unknown procedure `{name}`"))
}

struct ActionReader<'r, 'a> {
    cursor: &'r mut Cursor<'a>,
    pool: &'r mut ExprPool,
    scope: &'r Scope<'r>,
    procs: &'r Names<ProcId>,
}

impl ActionReader<'_, '_> {
    fn action(&mut self) -> Result<Action, String> {
        let Some(Token::Word(word)) = self.cursor.peek() else { return self.assign_or_call() };
        let simple = match *word {
            "skip" => Action::Skip,
            "end_thread" => Action::EndThread,
            "atomic_begin" => Action::AtomicBegin,
            "atomic_end" => Action::AtomicEnd,
            "assume" => {
                self.cursor.advance();
                return Ok(Action::Assume(self.expr()?));
            }
            "assert" => {
                self.cursor.advance();
                return Ok(Action::Assert(self.expr()?));
            }
            "assign" => {
                self.cursor.advance();
                return self.rest_of_assign(Vec::new());
            }
            "start_thread" => {
                self.cursor.advance();
                return Ok(Action::StartThread(Box::new(self.spawn()?)));
            }
            "call" => return self.call(Vec::new()),
            _ => return self.assign_or_call(),
        };
        self.cursor.advance();
        Ok(simple)
    }

    fn expr(&mut self) -> Result<ExprId, String> {
        read_expr(self.cursor, self.pool, self.scope)
    }

    fn exprs(&mut self) -> Result<Vec<ExprId>, String> {
        let mut exprs = vec![self.expr()?];
        while self.cursor.eat(",") {
            exprs.push(self.expr()?);
        }
        Ok(exprs)
    }

    fn spawn(&mut self) -> Result<Spawn, String> {
        if self.cursor.eat_word("goto") {
            return Ok(Spawn::Goto(read_loc(self.cursor)?));
        }
        let (callee, args) = self.called()?;
        Ok(Spawn::Call { callee, args })
    }

    /// `call f(e, e)`
    fn called(&mut self) -> Result<(ProcId, Vec<ExprId>), String> {
        if !self.cursor.eat_word("call") {
            return Err(self.cursor.expected("`call`"));
        }
        let callee = read_proc_name(self.cursor, self.procs)?;
        self.cursor.expect("(")?;
        let args = if self.cursor.eat(")") {
            Vec::new()
        } else {
            let args = self.exprs()?;
            self.cursor.expect(")")?;
            args
        };
        Ok((callee, args))
    }

    fn call(&mut self, results: Vec<Option<VarId>>) -> Result<Action, String> {
        let (callee, args) = self.called()?;
        Ok(Action::Call(Box::new(Call { callee, args, results })))
    }

    fn assign_or_call(&mut self) -> Result<Action, String> {
        let mut targets = Vec::new();
        loop {
            let dropped = self.cursor.eat_word("_");
            targets.push(if dropped { None } else { Some(read_var(self.cursor, self.scope)?) });
            if !self.cursor.eat(",") {
                break;
            }
        }
        self.cursor.expect(":=")?;
        if matches!(self.cursor.peek(), Some(Token::Word("call"))) {
            return self.call(targets);
        }
        let targets: Option<Vec<VarId>> = targets.into_iter().collect();
        let targets = targets.ok_or("`_` can only drop the result of a call")?;
        let targets = self.values(targets)?;
        self.rest_of_assign(targets)
    }

    fn values(&mut self, targets: Vec<VarId>) -> Result<Vec<(VarId, ExprId)>, String> {
        let values = self.exprs()?;
        if targets.len() != values.len() {
            return Err(format!("{} targets and {} values", targets.len(), values.len()));
        }
        Ok(targets.into_iter().zip(values).collect())
    }

    fn rest_of_assign(&mut self, targets: Vec<(VarId, ExprId)>) -> Result<Action, String> {
        let mut broadcast = Vec::new();
        if self.cursor.eat_word("broadcast") {
            let mut vars = vec![read_var(self.cursor, self.scope)?];
            while self.cursor.eat(",") {
                vars.push(read_var(self.cursor, self.scope)?);
            }
            self.cursor.expect(":=")?;
            broadcast = self.values(vars)?;
        }
        let constrain = if self.cursor.eat_word("constrain") { Some(self.expr()?) } else { None };
        Ok(Action::Assign(Box::new(Assign { targets, broadcast, constrain })))
    }
}
