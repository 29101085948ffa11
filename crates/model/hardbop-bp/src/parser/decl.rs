//! Whole files, procedures and declarations.

use hardbop_base::Span;
use hardbop_diag::codes::bp as codes;

use super::{Failed, Parse, Parser};
use crate::ast::{Comment, Decl, Enforce, Expr, ExprKind, Ident, Proc, Program};
use crate::token::{Kw, Tok};

/// More results than any tool writes, few enough to allocate.
const MAX_RESULTS: usize = 65536;

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        loop {
            match self.tok() {
                Tok::End => break,
                Tok::Kw(Kw::Decl) => program.globals.push(self.decl()),
                Tok::Kw(Kw::Void | Kw::Bool) => program.procs.push(self.proc()),
                Tok::Ident if self.at_procedure() || self.peek(1) == Tok::LParen => {
                    program.procs.push(self.proc());
                }
                _ => self.skip_top_level(),
            }
        }
        program.trailing = self.comments_above();
        program
    }

    /// Reports what is neither declaration nor procedure and goes to the next that is.
    fn skip_top_level(&mut self) {
        match self.tok() {
            Tok::Kw(Kw::End | Kw::Fi | Kw::Od | Kw::Else | Kw::Elsif) => {
                return self.stray_closer();
            }
            _ => {
                self.unexpected("a declaration or a procedure");
                self.bump();
            }
        }
        self.skip_to_top_level();
    }

    fn skip_to_top_level(&mut self) {
        while !matches!(self.tok(), Tok::End | Tok::Kw(Kw::Decl | Kw::Void | Kw::Bool))
            && !self.at_procedure()
        {
            self.bump();
        }
    }

    /// Whether a procedure's head begins here: `dfs` before a head, or the typeless
    /// `name(a, b) begin`.
    pub(super) fn at_procedure(&self) -> bool {
        if self.tok() != Tok::Ident {
            return false;
        }
        let mut ahead = 1;
        if self.word() == "dfs" {
            match self.peek(1) {
                Tok::Kw(Kw::Void | Kw::Bool) => return true,
                Tok::Ident => ahead = 2,
                _ => {}
            }
        }
        if self.peek(ahead) != Tok::LParen {
            return false;
        }
        ahead += 1;
        while matches!(self.peek(ahead), Tok::Ident | Tok::Comma) {
            ahead += 1;
        }
        self.peek(ahead) == Tok::RParen && self.peek(ahead + 1) == Tok::Kw(Kw::Begin)
    }

    fn proc(&mut self) -> Proc {
        let mut before = self.comments_above();
        let start = self.span();
        (self.open_ifs, self.open_whiles) = (0, 0);
        self.too_deep_reported = false;
        let (name, n_returns, formals) = self.head().unwrap_or_else(|Failed| {
            self.names_missing = true;
            while !matches!(self.tok(), Tok::End | Tok::Kw(_)) {
                self.bump();
            }
            (Ident { name: "".into(), span: start }, 0, Vec::new())
        });
        let span = start.to(self.last_span());
        let begin = self.span();
        if self.word().starts_with('{') {
            return self.braced_proc(name, n_returns, formals, before, span);
        }
        if !self.eat(Tok::Kw(Kw::Begin)) && !name.name.is_empty() {
            self.missing_keyword(Kw::Begin);
        }
        before.extend(self.comments_inside());
        let (mut locals, mut enforce) = (Vec::new(), Vec::new());
        loop {
            match self.tok() {
                Tok::Kw(Kw::Decl) => locals.push(self.decl()),
                Tok::Kw(Kw::Enforce | Kw::Abortif) => enforce.push(self.enforce()),
                _ => break,
            }
        }
        let body = self.block();
        locals.append(&mut self.late_decls);
        let end = self.span();
        if !self.eat(Tok::Kw(Kw::End)) {
            self.not_closed(Kw::End, begin);
        }
        let notes = self.notes(before);
        let trailing = body.trailing;
        Proc {
            name,
            n_returns,
            formals,
            locals,
            enforce,
            body: body.stmts,
            notes,
            trailing,
            span,
            end,
        }
    }

    /// A procedure written as in C is one mistake; its body is passed over.
    fn braced_proc(
        &mut self,
        name: Ident,
        n_returns: usize,
        formals: Vec<Ident>,
        before: Vec<Comment>,
        span: Span,
    ) -> Proc {
        if self.tok() == Tok::Ident {
            self.unexpected_with("`begin`", |it| it.help("blocks are written `begin … end`"));
        }
        self.names_missing = true;
        self.skip_to_top_level();
        let (notes, end) = (self.notes(before), self.last_span());
        let (locals, enforce, body, trailing) = Default::default();
        Proc { name, n_returns, formals, locals, enforce, body, notes, trailing, span, end }
    }

    /// `void f(a, b)`, `bool<2> f()`, `f()`, each perhaps after `dfs`.
    fn head(&mut self) -> Parse<(Ident, usize, Vec<Ident>)> {
        if self.word() == "dfs" && self.peek(1) != Tok::LParen {
            self.bump();
        }
        let n_returns = match self.tok() {
            Tok::Kw(Kw::Void) => {
                self.bump();
                0
            }
            Tok::Kw(Kw::Bool) => {
                self.bump();
                self.n_results()?
            }
            _ => 0,
        };
        let name = self.ident("the name of a procedure")?;
        self.expect(Tok::LParen, "`(`")?;
        let formals = if self.tok() == Tok::RParen { Vec::new() } else { self.names()? };
        self.expect(Tok::RParen, "`,` or `)`")?;
        Ok((name, n_returns, formals))
    }

    fn n_results(&mut self) -> Parse<usize> {
        if !self.eat(Tok::Less) {
            return Ok(1);
        }
        let word = self.word();
        let span = self.expect(Tok::Number, "the number of results")?;
        self.expect(Tok::Greater, "`>`")?;
        let n = word.parse().unwrap_or(usize::MAX);
        if n > MAX_RESULTS {
            let message = format!("a procedure returns at most {MAX_RESULTS} values");
            self.error(codes::TOO_MANY_RESULTS, span, message, |it| it);
            self.names_missing = true;
            return Ok(0);
        }
        Ok(n)
    }

    /// Names with commas between; a forgotten comma is reported and supplied.
    fn names(&mut self) -> Parse<Vec<Ident>> {
        let mut names = vec![self.ident("a name")?];
        while self.comma_between_names() {
            names.push(self.ident("a name")?);
        }
        Ok(names)
    }

    fn comma_between_names(&mut self) -> bool {
        if self.tok() == Tok::Ident {
            self.unexpected("`,`");
            return true;
        }
        self.eat(Tok::Comma)
    }

    /// `decl a, b := e;`
    pub(super) fn decl(&mut self) -> Decl {
        let before = self.comments_here();
        let start = self.bump();
        let mut vars = Vec::new();
        let mut result;
        loop {
            result = self.declared(&mut vars);
            if result.is_err() || !self.comma_between_names() {
                break;
            }
        }
        let span = start.to(self.last_span());
        match result {
            Ok(()) => self.semicolon(),
            Err(Failed) => {
                self.names_missing = true;
                self.skip_statement();
            }
        }
        Decl { vars, notes: self.notes(before), span }
    }

    fn declared(&mut self, vars: &mut Vec<(Ident, Option<Expr>)>) -> Parse<()> {
        let name = self.ident("the name of a variable")?;
        if !self.eat(Tok::Assign) {
            vars.push((name, None));
            return Ok(());
        }
        let init = self.expr();
        let failed = init.is_err();
        let span: Span = name.span;
        vars.push((name, Some(init.unwrap_or(Expr { kind: ExprKind::Error, span }))));
        if failed { Err(Failed) } else { Ok(()) }
    }

    /// `enforce e;` or `abortif e;`
    pub(super) fn enforce(&mut self) -> Enforce {
        let before = self.comments_here();
        let negated = self.is_kw(Kw::Abortif);
        let start = self.bump();
        let (expr, span) = match self.expr() {
            Ok(expr) => {
                let span = start.to(self.last_span());
                self.semicolon();
                (expr, span)
            }
            Err(Failed) => {
                self.skip_statement();
                (Expr { kind: ExprKind::Error, span: start }, start)
            }
        };
        Enforce { negated, expr, notes: self.notes(before), span }
    }
}
