//! Expressions: operators by precedence on an explicit stack, recursion only for what is in
//! brackets.

use hardbop_base::Span;
use hardbop_diag::codes::bp as codes;

use super::{MAX_DEPTH, Parse, Parser};
use crate::ast::{BinaryOp, ChainOp, Expr, ExprKind};
use crate::token::{Kw, Tok};

/// An expression and the height of its tree: operators that group to the left nest without
/// recursion here, but everyone who walks the tree recurses.
struct Tree {
    expr: Expr,
    height: usize,
}

#[derive(Clone, Copy)]
enum Op {
    Chain(ChainOp),
    Binary(BinaryOp),
}

impl Op {
    /// Tighter operators have higher levels; all group to the left.
    fn level(self) -> u8 {
        match self {
            Op::Chain(ChainOp::Or) | Op::Binary(BinaryOp::Implies) => 1,
            Op::Chain(ChainOp::Xor) => 2,
            Op::Chain(ChainOp::And) => 3,
            Op::Binary(BinaryOp::Eq | BinaryOp::Ne) => 4,
        }
    }
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        Ok(self.tree()?.expr)
    }

    pub(super) fn exprs(&mut self) -> Parse<Vec<Expr>> {
        self.list(Self::expr)
    }

    /// `( e, … )`, possibly empty; the opening bracket is at hand.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr>> {
        self.expect(Tok::LParen, "`(`")?;
        if self.eat(Tok::RParen) {
            return Ok(Vec::new());
        }
        let args = self.exprs()?;
        self.expect(Tok::RParen, "`,` or `)`")?;
        Ok(args)
    }

    fn tree(&mut self) -> Parse<Tree> {
        self.enter()?;
        let tree = self.conditional();
        self.leave();
        tree
    }

    /// `c ? a : b`
    fn conditional(&mut self) -> Parse<Tree> {
        let condition = self.operators()?;
        if !self.eat(Tok::Question) {
            return Ok(condition);
        }
        let then = self.tree()?;
        self.expect(Tok::Colon, "`:`")?;
        let otherwise = self.tree()?;
        let span = condition.expr.span.to(otherwise.expr.span);
        let height = condition.height.max(then.height).max(otherwise.height) + 1;
        let [c, a, b] = [condition, then, otherwise].map(|tree| Box::new(tree.expr));
        self.node(ExprKind::Ite(c, a, b), span, height)
    }

    fn operators(&mut self) -> Parse<Tree> {
        let mut pending: Vec<(Tree, Op)> = Vec::new();
        loop {
            let mut operand = self.negation()?;
            let op = self.operator();
            let level = op.map_or(0, Op::level);
            while let Some((left, top)) = pending.pop_if(|(_, top)| top.level() >= level) {
                operand = self.combine(left, top, operand)?;
            }
            match op {
                None => return Ok(operand),
                Some(op) => {
                    self.bump();
                    pending.push((operand, op));
                }
            }
        }
    }

    fn operator(&self) -> Option<Op> {
        Some(match self.tok() {
            Tok::Or => Op::Chain(ChainOp::Or),
            Tok::Xor => Op::Chain(ChainOp::Xor),
            Tok::And => Op::Chain(ChainOp::And),
            Tok::Implies => Op::Binary(BinaryOp::Implies),
            Tok::Eq => Op::Binary(BinaryOp::Eq),
            Tok::Ne => Op::Binary(BinaryOp::Ne),
            _ => return None,
        })
    }

    /// Chains of one operator become flat, however they were bracketed: the operators are
    /// associative and each choice is made where it stands.
    fn combine(&mut self, left: Tree, op: Op, right: Tree) -> Parse<Tree> {
        let span = left.expr.span.to(right.expr.span);
        match op {
            Op::Binary(op) => {
                let height = left.height.max(right.height) + 1;
                let (left, right) = (Box::new(left.expr), Box::new(right.expr));
                self.node(ExprKind::Binary(op, left, right), span, height)
            }
            Op::Chain(op) => {
                let (mut operands, highest) = match left.expr.kind {
                    ExprKind::Chain(same, operands) if same == op => (operands, left.height - 1),
                    _ => (vec![left.expr], left.height),
                };
                let height = match right.expr.kind {
                    ExprKind::Chain(same, more) if same == op => {
                        operands.extend(more);
                        highest.max(right.height - 1) + 1
                    }
                    _ => {
                        operands.push(right.expr);
                        highest.max(right.height) + 1
                    }
                };
                self.node(ExprKind::Chain(op, operands), span, height)
            }
        }
    }

    fn negation(&mut self) -> Parse<Tree> {
        let first = self.at;
        while self.eat(Tok::Not) {}
        let n_signs = self.at - first;
        let mut tree = self.operand()?;
        for sign in (first..first + n_signs).rev() {
            let span = self.tokens[sign].span.to(tree.expr.span);
            let height = tree.height + 1;
            tree = self.node(ExprKind::Not(Box::new(tree.expr)), span, height)?;
        }
        Ok(tree)
    }

    fn node(&mut self, kind: ExprKind, span: Span, height: usize) -> Parse<Tree> {
        if height > MAX_DEPTH {
            return Err(self.too_deep(Span { start: span.start, end: span.start }));
        }
        Ok(Tree { expr: Expr { kind, span }, height })
    }

    fn operand(&mut self) -> Parse<Tree> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::LParen => return self.bracketed(),
            Tok::Kw(Kw::Schoose) => return self.schoose(),
            Tok::Ident if self.word() == "choose" && self.peek(1) == Tok::LBracket => {
                return self.schoose();
            }
            Tok::Ident if self.word() == "_" => {
                return Err(self.unexpected_with("an expression", |it| {
                    it.help("`_` only drops a value, left of `:=`")
                }));
            }
            Tok::Ident if self.peek(1) == Tok::LParen => return Err(self.call_in_expression()),
            Tok::Ident => {
                let ident = self.take_ident();
                if self.eat(Tok::Tick) { ExprKind::Next(ident) } else { ExprKind::Var(ident) }
            }
            Tok::Tick => {
                self.bump();
                ExprKind::Next(self.ident("a variable")?)
            }
            Tok::Number => self.constant(),
            Tok::Kw(Kw::True | Kw::False) => {
                let value = self.is_kw(Kw::True);
                self.bump();
                ExprKind::Const(value)
            }
            Tok::Star | Tok::Question => {
                self.bump();
                ExprKind::Choice
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Tree { expr: Expr { kind, span: start.to(self.last_span()) }, height: 1 })
    }

    fn bracketed(&mut self) -> Parse<Tree> {
        let start = self.bump();
        let mut tree = self.tree()?;
        let end = self.expect(Tok::RParen, "`)`")?;
        tree.expr.span = start.to(end);
        Ok(tree)
    }

    fn schoose(&mut self) -> Parse<Tree> {
        let start = self.bump();
        self.expect(Tok::LBracket, "`[`")?;
        let positive = self.tree()?;
        self.expect(Tok::Comma, "`,`")?;
        let negative = self.tree()?;
        let end = self.expect(Tok::RBracket, "`]`")?;
        let height = positive.height.max(negative.height) + 1;
        let kind = ExprKind::Schoose(Box::new(positive.expr), Box::new(negative.expr));
        self.node(kind, start.to(end), height)
    }

    fn constant(&mut self) -> ExprKind {
        let word = self.word();
        let span = self.bump();
        match word {
            "0" => ExprKind::Const(false),
            "1" => ExprKind::Const(true),
            _ => {
                self.error(codes::NOT_A_CONSTANT, span, "the constants are 0 and 1", |it| it);
                ExprKind::Error
            }
        }
    }

    fn call_in_expression(&mut self) -> super::Failed {
        let word = self.word();
        self.error(
            codes::CALL_IN_EXPRESSION,
            self.span(),
            format!("`{word}` is called inside an expression"),
            |it| it.help("a call stands alone on the right of `:=`; assign its result first"),
        );
        super::Failed
    }
}
