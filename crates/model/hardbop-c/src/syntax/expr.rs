//! Expressions, by precedence.

use super::ast::{Binary, Designator, Expr, ExprKind, Unary};
use super::lexer::Tok;
use super::literal::Encoding;
use super::parser::{Parsed, Parser};
use super::words::{Kw, Punct};
use hardbop_base::Span;

/// Operators of each level, loosest first.
const LEVELS: [&[(Punct, Binary)]; 10] = [
    &[(Punct::OrOr, Binary::Or)],
    &[(Punct::AndAnd, Binary::And)],
    &[(Punct::Or, Binary::BitOr)],
    &[(Punct::Xor, Binary::BitXor)],
    &[(Punct::And, Binary::BitAnd)],
    &[(Punct::EqEq, Binary::Eq), (Punct::Ne, Binary::Ne)],
    &[
        (Punct::Le, Binary::Le),
        (Punct::Ge, Binary::Ge),
        (Punct::Lt, Binary::Lt),
        (Punct::Gt, Binary::Gt),
    ],
    &[(Punct::Shl, Binary::Shl), (Punct::Shr, Binary::Shr)],
    &[(Punct::Plus, Binary::Add), (Punct::Minus, Binary::Sub)],
    &[(Punct::Star, Binary::Mul), (Punct::Slash, Binary::Div), (Punct::Percent, Binary::Rem)],
];

const ASSIGNS: [(Punct, Option<Binary>); 11] = [
    (Punct::Assign, None),
    (Punct::PlusAssign, Some(Binary::Add)),
    (Punct::MinusAssign, Some(Binary::Sub)),
    (Punct::StarAssign, Some(Binary::Mul)),
    (Punct::SlashAssign, Some(Binary::Div)),
    (Punct::PercentAssign, Some(Binary::Rem)),
    (Punct::AndAssign, Some(Binary::BitAnd)),
    (Punct::OrAssign, Some(Binary::BitOr)),
    (Punct::XorAssign, Some(Binary::BitXor)),
    (Punct::ShlAssign, Some(Binary::Shl)),
    (Punct::ShrAssign, Some(Binary::Shr)),
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        while self.eat(Punct::Comma) {
            let right = self.assignment()?;
            left = self.join(left, right, ExprKind::Comma);
        }
        Ok(left)
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let left = parser.conditional()?;
            for (punct, op) in ASSIGNS {
                if parser.eat(punct) {
                    let right = parser.assignment()?;
                    return Ok(parser.join(left, right, |a, b| ExprKind::Assign(op, a, b)));
                }
            }
            Ok(left)
        })
    }

    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let cond = self.binary(0)?;
        if !self.eat(Punct::Question) {
            return Ok(cond);
        }
        let middle = if self.is(Punct::Colon) { None } else { Some(Box::new(self.expression()?)) };
        self.need(Punct::Colon)?;
        let last = self.nested(Self::conditional)?;
        let span = cond.span.to(last.span);
        let kind = ExprKind::Cond(Box::new(cond), middle, Box::new(last));
        Ok(Expr::new(kind, span, self.fresh_id()))
    }

    /// Precedence climbing: one call for a plain operand, whatever the number of levels.
    fn binary(&mut self, lowest: usize) -> Parsed<Expr> {
        let mut left = self.unary()?;
        let mut chain = 0;
        while let Some((level, op)) = self.operator().filter(|it| it.0 >= lowest) {
            chain += 1;
            // A chain is a tree as deep as it is long.
            if chain > super::parser::MAX_DEPTH {
                return self.fail("this expression has too many operands");
            }
            self.skip();
            let right = self.nested(|parser| parser.binary(level + 1))?;
            left = self.join(left, right, |a, b| ExprKind::Binary(op, a, b));
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(usize, Binary)> {
        let Tok::Punct(punct) = self.peek() else { return None };
        LEVELS.iter().enumerate().find_map(|(level, ops)| {
            ops.iter().find(|it| it.0 == *punct).map(|&(_, op)| (level, op))
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        self.nested(Self::unary_here)
    }

    fn unary_here(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let op = match self.peek() {
            Tok::Punct(Punct::Plus) => Unary::Plus,
            Tok::Punct(Punct::Minus) => Unary::Minus,
            Tok::Punct(Punct::Tilde) => Unary::BitNot,
            Tok::Punct(Punct::Bang) => Unary::Not,
            Tok::Punct(Punct::Star) => Unary::Deref,
            Tok::Punct(Punct::And) => Unary::Addr,
            Tok::Punct(Punct::AndAnd) => {
                self.skip();
                let name = self.ident()?;
                return Ok(self.made(start, ExprKind::LabelAddr(name)));
            }
            Tok::Punct(Punct::PlusPlus | Punct::MinusMinus) => {
                let is_inc = self.is(Punct::PlusPlus);
                self.skip();
                let of = Box::new(self.unary()?);
                return Ok(self.made(start, ExprKind::IncDec { is_inc, is_prefix: true, of }));
            }
            Tok::Kw(Kw::Sizeof) => return self.sizeof(start),
            Tok::Kw(Kw::Alignof | Kw::PreferredAlignof) => return self.alignof(start),
            Tok::Kw(Kw::Extension) => {
                self.skip();
                return self.unary();
            }
            Tok::Kw(Kw::Real) => Unary::Real,
            Tok::Kw(Kw::Imag) => Unary::Imag,
            Tok::Punct(Punct::LParen) => {
                return match self.is_cast_at(1) || self.note_unknown_cast() {
                    true => self.cast(start),
                    false => self.postfix(),
                };
            }
            _ => return self.postfix(),
        };
        self.skip();
        let of = Box::new(self.unary()?);
        Ok(self.made(start, ExprKind::Unary(op, of)))
    }

    /// Whether the name of a type begins there: `__extension__` begins an operand.
    fn is_cast_at(&self, ahead: usize) -> bool {
        self.is_type_at(ahead) && *self.peek_ahead(ahead) != Tok::Kw(Kw::Extension)
    }

    /// Some value, where one could not be read.
    pub(super) fn in_place_of_value(&mut self) -> Expr {
        let kind = ExprKind::Int { value: 0, is_decimal: true, is_unsigned: false, longs: 0 };
        self.made(self.here(), kind)
    }

    fn made(&mut self, start: Span, kind: ExprKind) -> Expr {
        Expr::new(kind, self.since(start), self.fresh_id())
    }

    fn join(
        &mut self,
        left: Expr,
        right: Expr,
        make: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
    ) -> Expr {
        let span = left.span.to(right.span);
        Expr::new(make(Box::new(left), Box::new(right)), span, self.fresh_id())
    }

    fn sizeof(&mut self, start: Span) -> Parsed<Expr> {
        self.skip();
        if self.is(Punct::LParen) && (self.is_cast_at(1) || self.note_unknown_cast()) {
            self.skip();
            let ty = self.type_name()?;
            self.need(Punct::RParen)?;
            if self.is(Punct::LBrace) {
                let literal = self.compound(start, ty)?;
                return Ok(self.made(start, ExprKind::SizeofExpr(Box::new(literal))));
            }
            return Ok(self.made(start, ExprKind::SizeofType(ty)));
        }
        let of = Box::new(self.unary()?);
        Ok(self.made(start, ExprKind::SizeofExpr(of)))
    }

    fn alignof(&mut self, start: Span) -> Parsed<Expr> {
        let is_least = self.is_word(Kw::Alignof);
        self.skip();
        if self.is(Punct::LParen) && self.is_cast_at(1) {
            self.skip();
            let ty = self.type_name()?;
            self.need(Punct::RParen)?;
            return Ok(self.made(
                start,
                match is_least {
                    true => ExprKind::MinAlignofType(ty),
                    false => ExprKind::AlignofType(ty),
                },
            ));
        }
        let of = Box::new(self.unary()?);
        Ok(self.made(start, ExprKind::AlignofExpr(of)))
    }

    fn cast(&mut self, start: Span) -> Parsed<Expr> {
        self.skip();
        let ty = self.type_name()?;
        self.need(Punct::RParen)?;
        if self.is(Punct::LBrace) {
            let literal = self.compound(start, ty)?;
            return self.suffixes(literal);
        }
        let of = Box::new(self.unary()?);
        Ok(self.made(start, ExprKind::Cast(ty, of)))
    }

    fn compound(&mut self, start: Span, ty: Box<super::ast::TypeName>) -> Parsed<Expr> {
        let init = self.initializer()?;
        Ok(self.made(start, ExprKind::CompoundLit(ty, Box::new(init))))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let first = self.primary()?;
        self.suffixes(first)
    }

    fn suffixes(&mut self, mut it: Expr) -> Parsed<Expr> {
        loop {
            let start = it.span;
            let of = |it| Box::new(it);
            it = if self.eat(Punct::LBracket) {
                let index = Box::new(self.expression()?);
                self.need(Punct::RBracket)?;
                self.made(start, ExprKind::Index(of(it), index))
            } else if self.eat(Punct::LParen) {
                let mut args = Vec::new();
                while !self.eat(Punct::RParen) {
                    args.push(self.assignment()?);
                    if !self.eat(Punct::Comma) && !self.is(Punct::RParen) {
                        return self.fail("`,` or `)` is expected here");
                    }
                }
                self.made(start, ExprKind::Call(of(it), args))
            } else if self.is(Punct::Dot) || self.is(Punct::Arrow) {
                let is_arrow = self.is(Punct::Arrow);
                self.skip();
                let field = self.ident()?;
                self.made(start, ExprKind::Member { of: of(it), field, is_arrow })
            } else if self.is(Punct::PlusPlus) || self.is(Punct::MinusMinus) {
                let is_inc = self.is(Punct::PlusPlus);
                self.skip();
                self.made(start, ExprKind::IncDec { is_inc, is_prefix: false, of: of(it) })
            } else {
                return Ok(it);
            };
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        match self.peek() {
            Tok::Int { value, is_decimal, is_unsigned, longs } => {
                let (value, is_decimal) = (*value, *is_decimal);
                let (is_unsigned, longs) = (*is_unsigned, *longs);
                self.skip();
                Ok(self.made(start, ExprKind::Int { value, is_decimal, is_unsigned, longs }))
            }
            &Tok::Float { value, suffix, is_exact } => {
                self.skip();
                Ok(self.made(start, ExprKind::Float { value, suffix, is_exact }))
            }
            &Tok::Char { value, encoding } => {
                self.skip();
                Ok(self.made(start, ExprKind::Char { value, encoding }))
            }
            Tok::Str { .. } => {
                let (mut all, mut encoding) = (Vec::new(), Encoding::Plain);
                while let Tok::Str { text, encoding: next } = self.peek() {
                    all.extend_from_slice(text);
                    encoding = encoding.joined(*next);
                    self.skip();
                }
                Ok(self.made(start, ExprKind::Str { units: encoding.units(&all), encoding }))
            }
            Tok::Punct(Punct::LParen) => {
                self.skip();
                if self.is(Punct::LBrace) {
                    let block = Box::new(self.nested(Self::block)?);
                    self.need(Punct::RParen)?;
                    return Ok(self.made(start, ExprKind::StmtExpr(block)));
                }
                let mut inner = self.expression()?;
                self.need(Punct::RParen)?;
                inner.span = self.since(start);
                Ok(inner)
            }
            Tok::Ident(_) => {
                let name = self.ident()?;
                self.uses.insert(name.clone());
                Ok(self.made(start, ExprKind::Ident(name)))
            }
            &Tok::Kw(word) => {
                let kind = self.special(word)?;
                Ok(self.made(start, kind))
            }
            _ => self.fail(format!("an expression is expected here, not {}", self.describe())),
        }
    }

    /// What looks like a call and is none: `word(…)`.
    fn special(&mut self, word: Kw) -> Parsed<ExprKind> {
        let inside = match word {
            Kw::Generic => Self::generic,
            Kw::VaArg => Self::va_arg,
            Kw::Offsetof => Self::offsetof,
            Kw::TypesCompatible => Self::types_compatible,
            Kw::ChooseExpr => Self::choose_expr,
            _ => {
                return self
                    .fail(format!("an expression is expected here, not {}", self.describe()));
            }
        };
        self.skip();
        self.need(Punct::LParen)?;
        let kind = inside(self)?;
        self.need(Punct::RParen)?;
        Ok(kind)
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        let control = Box::new(self.assignment()?);
        let mut cases = Vec::new();
        while self.eat(Punct::Comma) {
            let ty = match self.eat_word(Kw::Default) {
                true => None,
                false => Some(self.type_name()?),
            };
            self.need(Punct::Colon)?;
            cases.push((ty, self.assignment()?));
        }
        Ok(ExprKind::Generic(control, cases))
    }

    fn va_arg(&mut self) -> Parsed<ExprKind> {
        let list = Box::new(self.assignment()?);
        self.need(Punct::Comma)?;
        Ok(ExprKind::VaArg(list, self.type_name()?))
    }

    fn offsetof(&mut self) -> Parsed<ExprKind> {
        let ty = self.type_name()?;
        self.need(Punct::Comma)?;
        let mut path = vec![self.field_designator()?];
        loop {
            if self.eat(Punct::Dot) {
                path.push(self.field_designator()?);
            } else if self.eat(Punct::LBracket) {
                path.push(Designator::Index(self.expression()?));
                self.need(Punct::RBracket)?;
            } else {
                return Ok(ExprKind::Offsetof(ty, path));
            }
        }
    }

    fn types_compatible(&mut self) -> Parsed<ExprKind> {
        let a = self.type_name()?;
        self.need(Punct::Comma)?;
        Ok(ExprKind::TypesCompatible(a, self.type_name()?))
    }

    fn choose_expr(&mut self) -> Parsed<ExprKind> {
        let cond = Box::new(self.assignment()?);
        self.need(Punct::Comma)?;
        let yes = Box::new(self.assignment()?);
        self.need(Punct::Comma)?;
        Ok(ExprKind::ChooseExpr(cond, yes, Box::new(self.assignment()?)))
    }
}
