//! Statements.

use super::ast::{AsmOperand, Attributes, Block, Expr, Stmt, StmtKind};
use super::lexer::Tok;
use super::parser::{Parsed, Parser};
use super::recover::{Level, is_statement_word};

/// First statement, condition and step of a `for`.
type ForHead = (Option<Box<Stmt>>, Option<Expr>, Option<Expr>);

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let start = self.here();
        self.need("{")?;
        self.scoped(|parser| {
            let mut items = Vec::new();
            while !parser.eat("}") {
                if *parser.peek() == Tok::End {
                    parser.missing("}");
                    break;
                }
                items.extend(parser.recovering(Level::Inner, Self::item));
            }
            Ok(Block { items, span: parser.since(start) })
        })
    }

    fn item(&mut self) -> Parsed<Stmt> {
        let start = self.here();
        if self.eat_word("__label__") {
            let mut names = Vec::new();
            while !self.eat(";") {
                names.push(self.ident()?);
                self.eat(",");
            }
            return Ok(Stmt { kind: StmtKind::LocalLabels(names), span: self.since(start) });
        }
        // Attributes belong to the declaration they begin; those of statements change nothing.
        let in_front = self.is_attribute();
        if in_front && !self.behind_attributes(Self::starts_declaration)? {
            self.attributes(&mut Attributes::default())?;
        }
        self.note_unknown_type(Self::states_with_unknown);
        let is_declaration = self.is_attribute()
            || self.starts_declaration() && !self.is_word("__extension__")
            || self.is_word("_Static_assert")
            || self.is_word("__extension__") && self.is_declared_extension();
        if !is_declaration {
            // `[[fallthrough]];` stands alone, also before the end of a block.
            if in_front && self.is("}") {
                return Ok(Stmt { kind: StmtKind::Empty, span: self.since(start) });
            }
            return self.statement();
        }
        let decl = self.decl()?;
        Ok(Stmt { kind: StmtKind::Decl(decl), span: self.since(start) })
    }

    fn is_declared_extension(&self) -> bool {
        matches!(self.peek_ahead(1), Tok::Ident(name)
            if super::specs::is_specifier(name) || self.is_typedef(name))
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|parser| {
            let start = parser.here();
            let kind = parser.statement_kind()?;
            Ok(Stmt { kind, span: parser.since(start) })
        })
    }

    fn body(&mut self) -> Parsed<Box<Stmt>> {
        Ok(Box::new(self.statement()?))
    }

    fn in_parens(&mut self) -> Parsed<Expr> {
        self.need("(")?;
        let inner = self.expression()?;
        self.need(")")?;
        Ok(inner)
    }

    /// What an `if`, a loop or a `switch` looks at. After a mistake its body is still read.
    fn head(&mut self) -> Parsed<Expr> {
        match self.recovering(Level::Head, Self::in_parens) {
            Some(cond) => Ok(cond),
            None => Ok(self.in_place_of_value()),
        }
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if self.is("{") {
            return Ok(StmtKind::Block(self.block()?));
        }
        if self.eat(";") {
            return Ok(StmtKind::Empty);
        }
        let Tok::Ident(name) = self.peek() else { return self.expression_statement() };
        let name = name.clone();
        if *self.peek_ahead(1) == Tok::Punct(":") && !is_statement_word(&name) {
            self.skip();
            self.skip();
            let mut attributes = Attributes::default();
            self.attributes(&mut attributes)?;
            return Ok(StmtKind::Label(name, self.labelled()?));
        }
        match &*name {
            "if" => {
                self.skip();
                let cond = self.head()?;
                let yes = self.body()?;
                let no = if self.eat_word("else") { Some(self.body()?) } else { None };
                Ok(StmtKind::If(cond, yes, no))
            }
            "while" => {
                self.skip();
                let cond = self.head()?;
                Ok(StmtKind::While(cond, self.body()?))
            }
            "do" => {
                self.skip();
                let body = self.body()?;
                if !self.eat_word("while") {
                    return self.fail("`while` is expected here");
                }
                let cond = self.in_parens()?;
                self.need_end()?;
                Ok(StmtKind::DoWhile(body, cond))
            }
            "for" => {
                self.skip();
                self.scoped(Self::for_loop)
            }
            "switch" => {
                self.skip();
                let value = self.head()?;
                Ok(StmtKind::Switch(value, self.body()?))
            }
            "case" => {
                self.skip();
                let low = self.conditional()?;
                let high = if self.eat("...") { Some(self.conditional()?) } else { None };
                self.need(":")?;
                Ok(StmtKind::Case { low, high, body: self.labelled()? })
            }
            "default" => {
                self.skip();
                self.need(":")?;
                Ok(StmtKind::Default(self.labelled()?))
            }
            "goto" => {
                self.skip();
                let kind = match self.eat("*") {
                    true => StmtKind::GotoComputed(self.expression()?),
                    false => StmtKind::Goto(self.ident()?),
                };
                self.need_end()?;
                Ok(kind)
            }
            "break" | "continue" => {
                self.skip();
                self.need_end()?;
                Ok(if &*name == "break" { StmtKind::Break } else { StmtKind::Continue })
            }
            "return" => {
                self.skip();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.need_end()?;
                Ok(StmtKind::Return(value))
            }
            "asm" | "__asm__" | "__asm" => self.asm(),
            "else" => self.fail("`else` belongs behind an `if`"),
            _ => self.expression_statement(),
        }
    }

    /// What a label stands before: also the end of a block, or a declaration, as compilers allow.
    fn labelled(&mut self) -> Parsed<Box<Stmt>> {
        if self.is("}") {
            return Ok(Box::new(Stmt { kind: StmtKind::Empty, span: self.here() }));
        }
        self.nested(|parser| Ok(Box::new(parser.item()?)))
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let it = self.expression()?;
        self.need_end()?;
        Ok(StmtKind::Expr(it))
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        let (init, cond, step) = self.recovering(Level::Head, Self::for_head).unwrap_or_default();
        let body = self.body()?;
        Ok(StmtKind::For { init, cond, step, body })
    }

    fn for_head(&mut self) -> Parsed<ForHead> {
        self.need("(")?;
        let start = self.here();
        self.note_unknown_type(Self::states_with_unknown);
        let init = if self.eat(";") {
            None
        } else if self.starts_declaration() {
            let decl = self.decl()?;
            Some(Box::new(Stmt { kind: StmtKind::Decl(decl), span: self.since(start) }))
        } else {
            let it = self.expression()?;
            self.need(";")?;
            Some(Box::new(Stmt { kind: StmtKind::Expr(it), span: self.since(start) }))
        };
        let cond = if self.is(";") { None } else { Some(self.expression()?) };
        self.need(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.need(")")?;
        Ok((init, cond, step))
    }

    fn asm(&mut self) -> Parsed<StmtKind> {
        self.skip();
        let mut jumps = false;
        while let Tok::Ident(_) = self.peek() {
            jumps |= self.is_word("goto");
            self.skip();
        }
        let is_blank = match self.peek_ahead(1) {
            Tok::Str { text, encoding } => {
                encoding.units(text).iter().all(|&c| matches!(c, 32 | 9 | 10))
            }
            _ => false,
        };
        let is_whole = matches!(self.peek_ahead(2), Tok::Punct(")" | ":"));
        if is_blank && is_whole && !jumps {
            self.skip();
            self.skip();
            let operands = self.asm_operands()?;
            self.need(";")?;
            return Ok(StmtKind::Asm { is_empty: true, operands });
        }
        self.skip_parens()?;
        self.need(";")?;
        Ok(StmtKind::Asm { is_empty: false, operands: Vec::new() })
    }

    /// `: outputs : inputs : clobbers )`
    fn asm_operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        for section in 0.. {
            if !self.eat(":") {
                break;
            }
            while !self.is(":") && !self.is(")") {
                if self.eat("[") {
                    self.ident()?;
                    self.need("]")?;
                }
                let Tok::Str { text, encoding } = self.peek() else {
                    return self.fail("a constraint is expected here");
                };
                let units = encoding.units(text);
                let constraint: String = units.into_iter().filter_map(char::from_u32).collect();
                self.skip();
                if section < 2 {
                    let value = self.in_parens()?;
                    operands.push(AsmOperand { constraint, value, is_output: section == 0 });
                }
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.need(")")?;
        Ok(operands)
    }
}
