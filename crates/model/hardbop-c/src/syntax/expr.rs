//! Expressions, by precedence.

use super::ast::{Binary, Designator, Expr, ExprKind, Unary};
use super::lexer::Tok;
use super::literal::Encoding;
use super::parser::{Parsed, Parser};
use hardbop_base::Span;

/// Operators of each level, loosest first.
const LEVELS: [&[(&str, Binary)]; 10] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Eq), ("!=", Binary::Ne)],
    &[("<=", Binary::Le), (">=", Binary::Ge), ("<", Binary::Lt), (">", Binary::Gt)],
    &[("<<", Binary::Shl), (">>", Binary::Shr)],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];

const ASSIGNS: [(&str, Option<Binary>); 11] = [
    ("=", None),
    ("+=", Some(Binary::Add)),
    ("-=", Some(Binary::Sub)),
    ("*=", Some(Binary::Mul)),
    ("/=", Some(Binary::Div)),
    ("%=", Some(Binary::Rem)),
    ("&=", Some(Binary::BitAnd)),
    ("|=", Some(Binary::BitOr)),
    ("^=", Some(Binary::BitXor)),
    ("<<=", Some(Binary::Shl)),
    (">>=", Some(Binary::Shr)),
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        while self.eat(",") {
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
        if !self.eat("?") {
            return Ok(cond);
        }
        let middle = if self.is(":") { None } else { Some(Box::new(self.expression()?)) };
        self.need(":")?;
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
            Tok::Punct("+") => Unary::Plus,
            Tok::Punct("-") => Unary::Minus,
            Tok::Punct("~") => Unary::BitNot,
            Tok::Punct("!") => Unary::Not,
            Tok::Punct("*") => Unary::Deref,
            Tok::Punct("&") => Unary::Addr,
            Tok::Punct("&&") => {
                self.skip();
                let name = self.ident()?;
                return Ok(self.made(start, ExprKind::LabelAddr(name)));
            }
            Tok::Punct("++" | "--") => {
                let is_inc = self.is("++");
                self.skip();
                let of = Box::new(self.unary()?);
                return Ok(self.made(start, ExprKind::IncDec { is_inc, is_prefix: true, of }));
            }
            Tok::Ident(name) => match &**name {
                "sizeof" => return self.sizeof(start),
                "_Alignof" | "__alignof__" | "__alignof" => return self.alignof(start),
                "__extension__" => {
                    self.skip();
                    return self.unary();
                }
                "__real__" | "__real" => Unary::Real,
                "__imag__" | "__imag" => Unary::Imag,
                _ => return self.postfix(),
            },
            Tok::Punct("(") => {
                return match self.is_type_at(1) || self.note_unknown_cast() {
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

    fn is_type_at(&self, ahead: usize) -> bool {
        matches!(self.peek_ahead(ahead),
            Tok::Ident(name) if super::specs::is_specifier(name) && &**name != "__extension__"
                || self.is_typedef(name))
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
        if self.is("(") && (self.is_type_at(1) || self.note_unknown_cast()) {
            self.skip();
            let ty = self.type_name()?;
            self.need(")")?;
            if self.is("{") {
                let literal = self.compound(start, ty)?;
                return Ok(self.made(start, ExprKind::SizeofExpr(Box::new(literal))));
            }
            return Ok(self.made(start, ExprKind::SizeofType(ty)));
        }
        let of = Box::new(self.unary()?);
        Ok(self.made(start, ExprKind::SizeofExpr(of)))
    }

    fn alignof(&mut self, start: Span) -> Parsed<Expr> {
        let is_least = self.is_word("_Alignof");
        self.skip();
        if self.is("(") && self.is_type_at(1) {
            self.skip();
            let ty = self.type_name()?;
            self.need(")")?;
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
        self.need(")")?;
        if self.is("{") {
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
            it = if self.eat("[") {
                let index = Box::new(self.expression()?);
                self.need("]")?;
                self.made(start, ExprKind::Index(of(it), index))
            } else if self.eat("(") {
                let mut args = Vec::new();
                while !self.eat(")") {
                    args.push(self.assignment()?);
                    if !self.eat(",") && !self.is(")") {
                        return self.fail("`,` or `)` is expected here");
                    }
                }
                self.made(start, ExprKind::Call(of(it), args))
            } else if self.is(".") || self.is("->") {
                let is_arrow = self.is("->");
                self.skip();
                let field = self.ident()?;
                self.made(start, ExprKind::Member { of: of(it), field, is_arrow })
            } else if self.is("++") || self.is("--") {
                let is_inc = self.is("++");
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
            &Tok::Float { value, suffix } => {
                self.skip();
                Ok(self.made(start, ExprKind::Float { value, suffix }))
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
            Tok::Punct("(") => {
                self.skip();
                if self.is("{") {
                    let block = Box::new(self.nested(Self::block)?);
                    self.need(")")?;
                    return Ok(self.made(start, ExprKind::StmtExpr(block)));
                }
                let mut inner = self.expression()?;
                self.need(")")?;
                inner.span = self.since(start);
                Ok(inner)
            }
            Tok::Ident(_) => self.named(start),
            _ => self.fail(format!("an expression is expected here, not {}", self.describe())),
        }
    }

    fn named(&mut self, start: Span) -> Parsed<Expr> {
        let name = self.ident()?;
        let kind = match &*name {
            "_Generic" => {
                self.need("(")?;
                let control = Box::new(self.assignment()?);
                let mut cases = Vec::new();
                while self.eat(",") {
                    let ty = match self.eat_word("default") {
                        true => None,
                        false => Some(self.type_name()?),
                    };
                    self.need(":")?;
                    cases.push((ty, self.assignment()?));
                }
                self.need(")")?;
                ExprKind::Generic(control, cases)
            }
            "__builtin_va_arg" => {
                self.need("(")?;
                let list = Box::new(self.assignment()?);
                self.need(",")?;
                let ty = self.type_name()?;
                self.need(")")?;
                ExprKind::VaArg(list, ty)
            }
            "__builtin_offsetof" => {
                self.need("(")?;
                let ty = self.type_name()?;
                self.need(",")?;
                let mut path = vec![self.field_designator()?];
                loop {
                    if self.eat(".") {
                        path.push(self.field_designator()?);
                    } else if self.eat("[") {
                        path.push(Designator::Index(self.expression()?));
                        self.need("]")?;
                    } else {
                        break;
                    }
                }
                self.need(")")?;
                ExprKind::Offsetof(ty, path)
            }
            "__builtin_types_compatible_p" => {
                self.need("(")?;
                let a = self.type_name()?;
                self.need(",")?;
                let b = self.type_name()?;
                self.need(")")?;
                ExprKind::TypesCompatible(a, b)
            }
            "__builtin_choose_expr" => {
                self.need("(")?;
                let cond = Box::new(self.assignment()?);
                self.need(",")?;
                let yes = Box::new(self.assignment()?);
                self.need(",")?;
                let no = Box::new(self.assignment()?);
                self.need(")")?;
                ExprKind::ChooseExpr(cond, yes, no)
            }
            _ => {
                self.uses.insert(name.clone());
                ExprKind::Ident(name)
            }
        };
        Ok(self.made(start, kind))
    }
}
