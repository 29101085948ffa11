//! Statements and blocks.

use hardbop_base::Span;
use hardbop_diag::codes::bp as codes;

use super::{Failed, Parse, Parser};
use crate::ast::{
    Block, Branch, Comment, Expr, ExprKind, Ident, Notes, Stmt, StmtKind, Target, ThreadStart,
};
use crate::token::{Kw, Tok};

impl Parser<'_> {
    /// Statements up to a word that can end them.
    pub(super) fn block(&mut self) -> Block {
        let mut stmts = Vec::new();
        while !self.at_end_of_block() {
            let before = self.at;
            stmts.extend(self.stmt());
            // Whatever went wrong, a word is not read twice.
            if self.at == before {
                self.bump();
            }
        }
        // Most blocks have one or two statements, and a vector that grows has room for four.
        stmts.shrink_to_fit();
        Block { stmts, trailing: self.comments_here() }
    }

    /// Reports and passes words that close what is not open.
    fn at_end_of_block(&mut self) -> bool {
        loop {
            let is_stray = match self.tok() {
                Tok::End | Tok::Kw(Kw::End | Kw::Void | Kw::Bool) => return true,
                Tok::Kw(Kw::Fi | Kw::Else | Kw::Elsif) => self.open_ifs == 0,
                Tok::Kw(Kw::Od) => self.open_whiles == 0,
                Tok::Ident => return self.at_procedure(),
                _ => return false,
            };
            if !is_stray {
                return true;
            }
            self.stray_closer();
        }
    }

    pub(super) fn stray_closer(&mut self) {
        let word = self.word();
        let message = format!("`{word}` closes nothing that is open");
        self.error(codes::STRAY_CLOSER, self.span(), message, |it| it);
        self.bump();
        self.eat(Tok::Semi);
    }

    fn stmt(&mut self) -> Option<Stmt> {
        if let Tok::Kw(Kw::Decl | Kw::Enforce | Kw::Abortif) = self.tok() {
            self.late_declaration();
            return None;
        }
        let before = self.comments_here();
        let labels = self.labels();
        if let (Some(first), Some(last)) = (labels.first(), labels.last())
            && self.at_end_of_block()
        {
            let span = first.span.to(last.span);
            let notes = Notes { before, after: None };
            return Some(Stmt { labels, kind: StmtKind::Skip, notes, span });
        }
        let start = self.span();
        if self.enter().is_err() {
            self.skip_nested();
            let notes = self.notes(before);
            return Some(Stmt { labels, kind: StmtKind::Error, notes, span: start });
        }
        let stmt = match self.tok() {
            Tok::Kw(Kw::If) => self.if_stmt(labels, before),
            Tok::Kw(Kw::While) => self.while_stmt(labels, before),
            _ => self.simple_stmt(labels, before),
        };
        self.leave();
        Some(stmt)
    }

    fn labels(&mut self) -> Vec<Ident> {
        let mut labels = Vec::new();
        while self.peek(1) == Tok::Colon {
            match self.tok() {
                Tok::Ident | Tok::Number => {}
                Tok::Kw(kw) if !kw.ends_block() => self.keyword_as_name(),
                _ => break,
            }
            labels.push(self.take_ident());
            self.bump();
        }
        labels
    }

    fn simple_stmt(&mut self, labels: Vec<Ident>, before: Vec<Comment>) -> Stmt {
        let start = self.span();
        let kind = match self.simple() {
            Ok(kind) => {
                let end = self.last_span();
                self.semicolon();
                return self.finish(labels, kind, before, start.to(end));
            }
            Err(Failed) => StmtKind::Error,
        };
        self.skip_statement();
        self.finish(labels, kind, before, start)
    }

    fn finish(
        &mut self,
        labels: Vec<Ident>,
        kind: StmtKind,
        before: Vec<Comment>,
        span: Span,
    ) -> Stmt {
        Stmt { labels, kind, notes: self.notes(before), span }
    }

    fn simple(&mut self) -> Parse<StmtKind> {
        let Tok::Kw(kw) = self.tok() else { return self.named_stmt() };
        if matches!(self.peek(1), Tok::Assign) {
            self.keyword_as_name();
            self.bump();
            return Err(Failed);
        }
        if !kw.begins_statement() {
            return Err(self.unexpected("a statement"));
        }
        self.bump();
        Ok(match kw {
            Kw::Goto => StmtKind::Goto(self.list(Self::label)?),
            Kw::Return if self.at_end_of_return() => StmtKind::Return(Vec::new()),
            Kw::Return => StmtKind::Return(self.exprs()?),
            Kw::Assert => StmtKind::Assert(self.expr()?),
            Kw::Assume => StmtKind::Assume(self.expr()?),
            Kw::StartThread => StmtKind::StartThread(self.thread_start()?),
            Kw::EndThread => StmtKind::EndThread,
            Kw::AtomicBegin => StmtKind::AtomicBegin,
            Kw::AtomicEnd => StmtKind::AtomicEnd,
            _ => StmtKind::Skip,
        })
    }

    /// A `return` whose `;` is missing returns nothing.
    fn at_end_of_return(&self) -> bool {
        match self.tok() {
            Tok::Semi | Tok::End => true,
            Tok::Kw(kw) => kw.begins_statement() || kw.ends_block(),
            _ => false,
        }
    }

    fn label(&mut self) -> Parse<Ident> {
        match self.tok() {
            Tok::Number => Ok(self.take_ident()),
            _ => self.ident("a label"),
        }
    }

    fn thread_start(&mut self) -> Parse<ThreadStart> {
        if self.eat(Tok::Kw(Kw::Goto)) {
            return Ok(ThreadStart::Goto(self.label()?));
        }
        if self.word() == "call" && self.peek(1) == Tok::Ident {
            self.bump();
        }
        let name = self.label()?;
        if self.tok() != Tok::LParen {
            return Ok(ThreadStart::Goto(name));
        }
        Ok(ThreadStart::Call { callee: name, args: self.arguments()? })
    }

    /// A statement that begins with a name: a call, an assignment, or one of the words that are
    /// keywords only here.
    fn named_stmt(&mut self) -> Parse<StmtKind> {
        if self.tok() != Tok::Ident {
            return Err(self.unexpected("a statement"));
        }
        match (self.word(), self.peek(1)) {
            (_, Tok::Assign | Tok::Comma) => return self.assignment(),
            ("print", Tok::LParen) => {
                self.bump();
                return Ok(StmtKind::Print(self.arguments()?));
            }
            ("call", Tok::Ident) => {
                self.bump();
            }
            ("dead", Tok::Ident) => {
                self.bump();
                return Ok(StmtKind::Dead(self.list(|it| it.ident("a variable"))?));
            }
            ("sync", Tok::Ident) => {
                let span = self.bump();
                let message = "`sync` is not supported";
                self.error(codes::UNSUPPORTED, span, message, |it| {
                    it.help("it has no agreed meaning; say what is meant with `atomic_begin` and `assume`")
                });
                return Err(Failed);
            }
            _ => {}
        }
        if self.peek(1) == Tok::LParen {
            let callee = self.take_ident();
            let args = self.arguments()?;
            return Ok(StmtKind::Call { targets: Vec::new(), callee, args });
        }
        if self.tok() == Tok::Ident && matches!(self.peek(1), Tok::Assign | Tok::Comma) {
            return self.assignment();
        }
        self.take_ident();
        let is_eq = self.tok() == Tok::Eq;
        Err(self.unexpected_with("`:=`, `:` or `(` after a name", |it| {
            if is_eq { it.help("an assignment is written `:=`") } else { it }
        }))
    }

    fn assignment(&mut self) -> Parse<StmtKind> {
        let targets = self.list(Self::target)?;
        self.expect(Tok::Assign, "`,` or `:=`")?;
        if self.word() == "call" && self.peek(1) == Tok::Ident {
            self.bump();
        }
        if self.tok() == Tok::Ident && self.peek(1) == Tok::LParen {
            let callee = self.take_ident();
            let args = self.arguments()?;
            return Ok(StmtKind::Call { targets, callee, args });
        }
        let values = self.exprs()?;
        let constrain = if self.eat(Tok::Kw(Kw::Constrain)) { Some(self.expr()?) } else { None };
        Ok(StmtKind::Assign { targets, values, constrain })
    }

    fn target(&mut self) -> Parse<Target> {
        if self.word() == "_" {
            return Ok(Target::Drop(self.bump()));
        }
        Ok(Target::Var(self.ident("a variable")?))
    }

    fn if_stmt(&mut self, labels: Vec<Ident>, mut before: Vec<Comment>) -> Stmt {
        let start = self.span();
        self.open_ifs += 1;
        let mut branches = Vec::new();
        let mut otherwise: Option<Block> = None;
        loop {
            let opener = self.bump();
            if let Some(last) = &mut otherwise {
                // A branch behind `else` was reported; its statements are read for their mistakes.
                if self.tokens[self.at - 1].tok == Tok::Kw(Kw::Elsif) {
                    self.guard(Kw::Then);
                }
                last.stmts.extend(self.block().stmts);
            } else if self.tokens[self.at - 1].tok == Tok::Kw(Kw::Else) {
                otherwise = Some(self.block());
            } else {
                let guard = self.guard(Kw::Then);
                if branches.is_empty() {
                    before.extend(self.comments_inside());
                }
                let span = opener.to(self.last_span());
                branches.push(Branch { guard, body: self.block(), span });
            }
            match self.tok() {
                Tok::Kw(Kw::Else | Kw::Elsif) if otherwise.is_none() => {}
                Tok::Kw(Kw::Else | Kw::Elsif) => {
                    let message = format!("`{}` after the `else` of this `if`", self.word());
                    self.error(codes::STRAY_CLOSER, self.span(), message, |it| {
                        it.also(start, "this `if`")
                    });
                }
                _ => break,
            }
        }
        self.open_ifs -= 1;
        self.close(Kw::Fi, start);
        branches.shrink_to_fit();
        let span = branches.first().map_or(start, |first| first.span);
        self.finish(labels, StmtKind::If { branches, otherwise }, before, span)
    }

    fn while_stmt(&mut self, labels: Vec<Ident>, mut before: Vec<Comment>) -> Stmt {
        let start = self.bump();
        self.open_whiles += 1;
        let guard = self.guard(Kw::Do);
        before.extend(self.comments_inside());
        let span = start.to(self.last_span());
        let body = self.block();
        self.open_whiles -= 1;
        self.close(Kw::Od, start);
        self.finish(labels, StmtKind::While { guard, body }, before, span)
    }

    /// An expression and the keyword behind it.
    fn guard(&mut self, closer: Kw) -> Expr {
        let start = self.span();
        match self.expr() {
            Ok(guard) => {
                if !self.eat(Tok::Kw(closer)) {
                    self.missing_keyword(closer);
                }
                guard
            }
            Err(Failed) => {
                self.skip_guard(closer);
                self.eat(Tok::Kw(closer));
                Expr { kind: ExprKind::Error, span: start }
            }
        }
    }

    fn skip_guard(&mut self, closer: Kw) {
        loop {
            match self.tok() {
                Tok::End | Tok::Semi => return,
                Tok::Kw(kw) if kw == closer || kw.begins_statement() || kw.ends_block() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    pub(super) fn missing_keyword(&mut self, kw: Kw) {
        if matches!(self.tok(), Tok::Unknown) || self.tok() == Tok::End && self.cut_short {
            return;
        }
        let last = self.last_span();
        let place = Span { start: last.end, end: last.end };
        let message = format!("`{}` is missing", kw.text());
        self.error(codes::MISSING_KEYWORD, place, message, |it| {
            it.label(format!("`{}` here", kw.text()))
        });
    }

    /// `fi` or `od` with its optional `;`.
    fn close(&mut self, closer: Kw, opener: Span) {
        if self.eat(Tok::Kw(closer)) {
            self.eat(Tok::Semi);
            return;
        }
        self.not_closed(closer, opener);
    }

    pub(super) fn not_closed(&mut self, closer: Kw, opener: Span) {
        if self.tok() == Tok::End && self.cut_short {
            return;
        }
        let opened = &self.text[opener.range()];
        let closer = closer.text();
        let message = format!("`{closer}` is missing");
        self.error(codes::NOT_CLOSED, self.span(), message, |it| {
            it.label(format!("expected `{closer}` before this"))
                .also(opener, format!("this `{opened}` is not closed"))
        });
    }

    /// Passes a statement that is nested too deeply, without recursion.
    fn skip_nested(&mut self) {
        let mut open = 0usize;
        loop {
            match self.tok() {
                Tok::Kw(Kw::If | Kw::While) => open += 1,
                Tok::Kw(Kw::Fi | Kw::Od) => open = open.saturating_sub(1),
                Tok::Kw(Kw::End) | Tok::End => return,
                Tok::Semi if open == 0 => {}
                _ if open == 0 => {
                    self.bump();
                    return self.skip_statement();
                }
                _ => {}
            }
            self.bump();
            if open == 0 {
                self.eat(Tok::Semi);
                return;
            }
        }
    }

    fn late_declaration(&mut self) {
        let message = format!("`{}` after the first statement", self.word());
        self.error(codes::LATE_DECLARATION, self.span(), message, |it| {
            it.help("move it to the beginning of the procedure")
        });
        if self.is_kw(Kw::Decl) {
            let decl = self.decl();
            self.late_decls.push(decl);
        } else {
            self.enforce();
        }
    }
}
