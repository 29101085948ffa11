//! Statements.

use super::ast::{AsmOperand, Attributes, Block, Expr, Stmt, StmtKind};
use super::lexer::Tok;
use super::parser::{Parsed, Parser};
use super::recover::Level;
use super::words::{Kw, Punct};

/// First statement, condition and step of a `for`.
type ForHead = (Option<Box<Stmt>>, Option<Expr>, Option<Expr>);

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let start = self.here();
        self.need(Punct::LBrace)?;
        self.scoped(|parser| {
            let mut items = Vec::new();
            while !parser.eat(Punct::RBrace) {
                if *parser.peek() == Tok::End {
                    parser.missing(Punct::RBrace);
                    break;
                }
                items.extend(parser.recovering(Level::Inner, Self::item));
            }
            Ok(Block { items, span: parser.since(start) })
        })
    }

    fn item(&mut self) -> Parsed<Stmt> {
        let start = self.here();
        if self.eat_word(Kw::Label) {
            let mut names = Vec::new();
            while !self.eat(Punct::Semi) {
                names.push(self.ident()?);
                self.eat(Punct::Comma);
            }
            return Ok(Stmt { kind: StmtKind::LocalLabels(names), span: self.since(start) });
        }
        if self.is_word(Kw::StaticAssert) {
            let kind = StmtKind::StaticAssert(self.static_assert()?);
            return Ok(Stmt { kind, span: self.since(start) });
        }
        // Attributes belong to the declaration they begin; those of statements change nothing.
        let in_front = self.is_attribute();
        if in_front && !self.behind_attributes(Self::starts_declaration)? {
            self.attributes(&mut Attributes::default())?;
        }
        self.note_unknown_type(Self::states_with_unknown);
        let is_declaration = self.is_attribute()
            || self.starts_declaration() && !self.is_word(Kw::Extension)
            || self.is_word(Kw::Extension) && self.is_declared_extension();
        if !is_declaration {
            // `[[fallthrough]];` stands alone, also before the end of a block.
            if in_front && self.is(Punct::RBrace) {
                return Ok(Stmt { kind: StmtKind::Empty, span: self.since(start) });
            }
            return self.statement();
        }
        let decl = self.decl()?;
        Ok(Stmt { kind: StmtKind::Decl(decl), span: self.since(start) })
    }

    fn is_declared_extension(&self) -> bool {
        self.is_type_at(1)
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
        self.need(Punct::LParen)?;
        let inner = self.expression()?;
        self.need(Punct::RParen)?;
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
        if self.is(Punct::LBrace) {
            return Ok(StmtKind::Block(self.block()?));
        }
        if self.eat(Punct::Semi) {
            return Ok(StmtKind::Empty);
        }
        match self.peek().clone() {
            Tok::Ident(name) if *self.peek_ahead(1) == Tok::Punct(Punct::Colon) => {
                self.skip();
                self.skip();
                self.attributes(&mut Attributes::default())?;
                Ok(StmtKind::Label(name, self.labelled()?))
            }
            Tok::Kw(Kw::Asm) => self.asm(),
            Tok::Kw(Kw::Else) => self.fail("`else` belongs behind an `if`"),
            Tok::Kw(word) if word.begins_statement() => {
                self.skip();
                self.statement_after(word)
            }
            _ => self.expression_statement(),
        }
    }

    fn statement_after(&mut self, word: Kw) -> Parsed<StmtKind> {
        match word {
            Kw::If => {
                let cond = self.head()?;
                let yes = self.body()?;
                let no = if self.eat_word(Kw::Else) { Some(self.body()?) } else { None };
                Ok(StmtKind::If(cond, yes, no))
            }
            Kw::While => {
                let cond = self.head()?;
                Ok(StmtKind::While(cond, self.body()?))
            }
            Kw::Do => {
                let body = self.body()?;
                if !self.eat_word(Kw::While) {
                    return self.fail("`while` is expected here");
                }
                let cond = self.in_parens()?;
                self.need_end()?;
                Ok(StmtKind::DoWhile(body, cond))
            }
            Kw::For => self.scoped(Self::for_loop),
            Kw::Switch => {
                let value = self.head()?;
                Ok(StmtKind::Switch(value, self.body()?))
            }
            Kw::Case => {
                let low = self.conditional()?;
                let high = if self.eat(Punct::Ellipsis) { Some(self.conditional()?) } else { None };
                self.need(Punct::Colon)?;
                Ok(StmtKind::Case { low, high, body: self.labelled()? })
            }
            Kw::Default => {
                self.need(Punct::Colon)?;
                Ok(StmtKind::Default(self.labelled()?))
            }
            Kw::Goto => {
                let kind = match self.eat(Punct::Star) {
                    true => StmtKind::GotoComputed(self.expression()?),
                    false => StmtKind::Goto(self.ident()?),
                };
                self.need_end()?;
                Ok(kind)
            }
            Kw::Break => {
                self.need_end()?;
                Ok(StmtKind::Break)
            }
            Kw::Continue => {
                self.need_end()?;
                Ok(StmtKind::Continue)
            }
            Kw::Return => {
                let value = if self.is(Punct::Semi) { None } else { Some(self.expression()?) };
                self.need_end()?;
                Ok(StmtKind::Return(value))
            }
            _ => self.fail(format!("`{}` begins no statement", word.text())),
        }
    }

    /// What a label stands before: also the end of a block, or a declaration, as compilers allow.
    fn labelled(&mut self) -> Parsed<Box<Stmt>> {
        if self.is(Punct::RBrace) {
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
        self.need(Punct::LParen)?;
        let start = self.here();
        self.note_unknown_type(Self::states_with_unknown);
        let init = if self.eat(Punct::Semi) {
            None
        } else if self.starts_declaration() {
            let decl = self.decl()?;
            Some(Box::new(Stmt { kind: StmtKind::Decl(decl), span: self.since(start) }))
        } else {
            let it = self.expression()?;
            self.need(Punct::Semi)?;
            Some(Box::new(Stmt { kind: StmtKind::Expr(it), span: self.since(start) }))
        };
        let cond = if self.is(Punct::Semi) { None } else { Some(self.expression()?) };
        self.need(Punct::Semi)?;
        let step = if self.is(Punct::RParen) { None } else { Some(self.expression()?) };
        self.need(Punct::RParen)?;
        Ok((init, cond, step))
    }

    fn asm(&mut self) -> Parsed<StmtKind> {
        self.skip();
        let mut jumps = false;
        while let Tok::Ident(_) | Tok::Kw(_) = self.peek() {
            jumps |= self.is_word(Kw::Goto);
            self.skip();
        }
        let is_blank = match self.peek_ahead(1) {
            Tok::Str { text, encoding } => does_nothing(&encoding.units(text)),
            _ => false,
        };
        let is_whole = matches!(self.peek_ahead(2), Tok::Punct(Punct::RParen | Punct::Colon));
        if is_blank && is_whole && !jumps {
            self.skip();
            self.skip();
            let operands = self.asm_operands()?;
            self.need(Punct::Semi)?;
            return Ok(StmtKind::Asm { is_empty: true, operands });
        }
        self.skip_parens()?;
        self.need(Punct::Semi)?;
        Ok(StmtKind::Asm { is_empty: false, operands: Vec::new() })
    }

    /// `: outputs : inputs : clobbers )`
    fn asm_operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        for section in 0.. {
            if !self.eat(Punct::Colon) {
                break;
            }
            while !self.is(Punct::Colon) && !self.is(Punct::RParen) {
                if self.eat(Punct::LBracket) {
                    self.ident()?;
                    self.need(Punct::RBracket)?;
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
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.need(Punct::RParen)?;
        Ok(operands)
    }
}

/// Whether the text of assembler is empty or has only instructions that wait or put accesses in order, as they are here
/// anyway.
fn does_nothing(units: &[u32]) -> bool {
    const IDLE: [&str; 7] = ["", "nop", "pause", "rep nop", "mfence", "lfence", "sfence"];
    let text: String = units.iter().filter_map(|&it| char::from_u32(it)).collect();
    let text = text.replace("rep; nop", "pause").replace("rep;nop", "pause");
    text.split([';', '\n']).all(|it| IDLE.contains(&it.trim()))
}
