//! Expressions in the text form: operators by binding strength, fewest parentheses.
//!
//! Loosest first: `c ? a : b` (to the right), `|`, `^`, `&` (to the left), `!`. Both directions keep
//! their own stack, because abstraction tools write operands by the thousand.

use super::lex::{Cursor, Token};
use super::names::Scope;
use crate::expr::{Expr, ExprId, ExprPool};
use crate::program::VarId;

/// How strongly an operator holds its operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    Ite,
    Or,
    Xor,
    And,
    Not,
    Atom,
}

enum Piece {
    Text(&'static str),
    Var(VarId),
    /// An operand that needs parentheses if weaker than this.
    Operand(ExprId, Strength),
}

pub(super) fn write_expr(out: &mut String, pool: &ExprPool, scope: &Scope<'_>, expr: ExprId) {
    use Piece::{Operand, Text};
    let mut todo = vec![Operand(expr, Strength::Ite)];
    let mut pieces = Vec::new();
    while let Some(piece) = todo.pop() {
        let (id, least) = match piece {
            Piece::Text(text) => {
                out.push_str(text);
                continue;
            }
            Piece::Var(var) => {
                scope.write(out, var);
                continue;
            }
            Piece::Operand(id, least) => (id, least),
        };
        let binary = |op, a, strength, tighter, b| {
            (strength, vec![Operand(a, strength), Text(op), Operand(b, tighter)])
        };
        let (strength, written) = match pool.get(id) {
            Expr::Const(true) => (Strength::Atom, vec![Text("true")]),
            Expr::Const(false) => (Strength::Atom, vec![Text("false")]),
            Expr::Choice => (Strength::Atom, vec![Text("*")]),
            Expr::Var(var) => (Strength::Atom, vec![Piece::Var(var)]),
            Expr::Next(var) => (Strength::Atom, vec![Piece::Var(var), Text("'")]),
            Expr::Not(a) => (Strength::Not, vec![Text("!"), Operand(a, Strength::Not)]),
            Expr::And(a, b) => binary(" & ", a, Strength::And, Strength::Not, b),
            Expr::Or(a, b) => binary(" | ", a, Strength::Or, Strength::Xor, b),
            Expr::Xor(a, b) => binary(" ^ ", a, Strength::Xor, Strength::And, b),
            Expr::Schoose(p, n) => {
                let (p, n) = (Operand(p, Strength::Ite), Operand(n, Strength::Ite));
                (Strength::Atom, vec![Text("schoose["), p, Text(", "), n, Text("]")])
            }
            Expr::Ite(c, a, b) => {
                let (a, b) = (Operand(a, Strength::Ite), Operand(b, Strength::Ite));
                let c = Operand(c, Strength::Or);
                (Strength::Ite, vec![c, Text(" ? "), a, Text(" : "), b])
            }
        };
        pieces.extend(written);
        if strength < least {
            pieces.insert(0, Text("("));
            pieces.push(Text(")"));
        }
        todo.extend(pieces.drain(..).rev());
    }
}

/// An operator that waits for its last operand, or a bracket that waits for its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
    Paren,
    /// Before the comma, after it.
    SchooseFirst,
    SchooseSecond,
    /// Between `?` and `:`, after `:`.
    IteThen,
    IteElse,
    Not,
    Binary(Strength),
}

impl Open {
    /// What must come before this is complete; nothing for operators.
    fn awaits(self) -> Option<&'static str> {
        match self {
            Open::Paren => Some("`)`"),
            Open::SchooseFirst => Some("`,`"),
            Open::SchooseSecond => Some("`]`"),
            Open::IteThen => Some("`:`"),
            Open::IteElse | Open::Not | Open::Binary(_) => None,
        }
    }

    /// Of an operator.
    fn strength(self) -> Strength {
        match self {
            Open::Not => Strength::Not,
            Open::Binary(strength) => strength,
            _ => Strength::Ite,
        }
    }
}

/// Reads the longest expression at the cursor.
pub(super) fn read_expr(
    cursor: &mut Cursor<'_>,
    pool: &mut ExprPool,
    scope: &Scope<'_>,
) -> Result<ExprId, String> {
    let mut reader = Reader { pool, open: Vec::new(), operands: Vec::new() };
    loop {
        reader.operand(cursor, scope)?;
        if !reader.operator(cursor)? {
            break;
        }
    }
    reader.close(Strength::Ite);
    match reader.open.last().and_then(|open| open.awaits()) {
        Some(awaited) => Err(cursor.expected(awaited)),
        None => Ok(reader.pop()),
    }
}

struct Reader<'a> {
    pool: &'a mut ExprPool,
    open: Vec<Open>,
    operands: Vec<ExprId>,
}

impl Reader<'_> {
    /// Reads prefixes and one operand.
    fn operand(&mut self, cursor: &mut Cursor<'_>, scope: &Scope<'_>) -> Result<(), String> {
        loop {
            if cursor.eat("!") {
                self.open.push(Open::Not);
            } else if cursor.eat("(") {
                self.open.push(Open::Paren);
            } else if cursor.eat_word("schoose") {
                cursor.expect("[")?;
                self.open.push(Open::SchooseFirst);
            } else {
                break;
            }
        }
        let node = if cursor.eat("*") {
            Expr::Choice
        } else if cursor.eat_word("true") {
            Expr::Const(true)
        } else if cursor.eat_word("false") {
            Expr::Const(false)
        } else if let Some(Token::Word(_) | Token::Quoted(_)) = cursor.peek() {
            let var = read_var(cursor, scope)?;
            if cursor.eat("'") { Expr::Next(var) } else { Expr::Var(var) }
        } else {
            return Err(cursor.expected("an expression"));
        };
        let node = self.pool.add(node);
        self.operands.push(node);
        Ok(())
    }

    /// Reads closing brackets and one infix operator; false where the expression ends.
    fn operator(&mut self, cursor: &mut Cursor<'_>) -> Result<bool, String> {
        loop {
            let Some(Token::Punct(punct)) = cursor.peek() else { return Ok(false) };
            match *punct {
                "|" => return Ok(self.infix(cursor, Strength::Or)),
                "^" => return Ok(self.infix(cursor, Strength::Xor)),
                "&" => return Ok(self.infix(cursor, Strength::And)),
                "?" => {
                    self.close(Strength::Or);
                    self.open.push(Open::IteThen);
                    cursor.advance();
                    return Ok(true);
                }
                ":" => return Ok(self.turn(cursor, Open::IteThen, Open::IteElse)),
                "," => return Ok(self.turn(cursor, Open::SchooseFirst, Open::SchooseSecond)),
                ")" => {
                    self.close(Strength::Ite);
                    if self.open.last() != Some(&Open::Paren) {
                        return Ok(false);
                    }
                }
                "]" => {
                    self.close(Strength::Ite);
                    if self.open.last() != Some(&Open::SchooseSecond) {
                        return Ok(false);
                    }
                    let (n, p) = (self.pop(), self.pop());
                    let node = self.pool.add(Expr::Schoose(p, n));
                    self.operands.push(node);
                }
                _ => return Ok(false),
            }
            self.open.pop();
            cursor.advance();
        }
    }

    fn infix(&mut self, cursor: &mut Cursor<'_>, strength: Strength) -> bool {
        self.close(strength);
        self.open.push(Open::Binary(strength));
        cursor.advance();
        true
    }

    /// At the word between two operands of one bracket; false if no such bracket is open.
    fn turn(&mut self, cursor: &mut Cursor<'_>, from: Open, to: Open) -> bool {
        self.close(Strength::Ite);
        match self.open.last_mut() {
            Some(open) if *open == from => *open = to,
            _ => return false,
        }
        cursor.advance();
        true
    }

    /// Completes the operators on top that hold at least as strongly.
    fn close(&mut self, strength: Strength) {
        while let Some(&open) = self.open.last() {
            if open.awaits().is_some() || open.strength() < strength {
                break;
            }
            self.open.pop();
            let b = self.pop();
            let node = match open {
                Open::Not => Expr::Not(b),
                Open::Binary(Strength::And) => Expr::And(self.pop(), b),
                Open::Binary(Strength::Xor) => Expr::Xor(self.pop(), b),
                Open::Binary(_) => Expr::Or(self.pop(), b),
                _ => {
                    let (a, c) = (self.pop(), self.pop());
                    Expr::Ite(c, a, b)
                }
            };
            let node = self.pool.add(node);
            self.operands.push(node);
        }
    }

    fn pop(&mut self) -> ExprId {
        self.operands.pop().expect("every open operator has read its operands")
    }
}

/// Reads `name` or `name#n`.
pub(super) fn read_reference<'a>(
    cursor: &mut Cursor<'a>,
    wanted: &str,
) -> Result<(&'a str, Option<u32>), String> {
    let name = match cursor.peek() {
        Some(Token::Word(name)) => *name,
        Some(Token::Quoted(name)) => name,
        _ => return Err(cursor.expected(wanted)),
    };
    cursor.advance();
    let index = if cursor.eat("#") { Some(cursor.number()?) } else { None };
    Ok((name, index))
}

pub(super) fn read_var(cursor: &mut Cursor<'_>, scope: &Scope<'_>) -> Result<VarId, String> {
    let (name, index) = read_reference(cursor, "a variable")?;
    let number = index.map(|index| format!("#{index}")).unwrap_or_default();
    scope.find(name, index).ok_or_else(|| format!("unknown variable `{name}{number}`"))
}
