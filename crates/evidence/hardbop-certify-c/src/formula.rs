//! Expressions of the IR as text: `v3`, `i32:7`, `f64:BITS`, `null`, `&o1`, `&f0`, `(Add a b)`, `(Not a)`,
//! `(Zext i64 a)`, `(Ite c a b)`.

use hardbop_cir::ty::parse_ty;
use hardbop_cir::{BinOp, CastOp, Expr, ExprId, ExprPool, FuncId, ObjId, Program, Ty, UnOp, VarId};

const UNARY: [UnOp; 4] = [UnOp::Not, UnOp::Neg, UnOp::FNeg, UnOp::Start];

const BINARY: [BinOp; 34] = {
    use BinOp::*;
    [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule,
        Slt, Sle, SAddOvf, SSubOvf, SMulOvf, PtrAdd, PtrDiff, PtrLt, PtrLe, FAdd, FSub, FMul, FDiv,
        FEq, FNe, FLt, FLe,
    ]
};

const CASTS: [CastOp; 10] = {
    use CastOp::*;
    [Zext, Sext, Trunc, PtrToInt, IntToPtr, SIntToF, UIntToF, FToSInt, FToUInt, FToF]
};

/// Expressions of a text nest no deeper.
const MAX_DEPTH: usize = 500;

pub fn print(pool: &ExprPool, id: ExprId) -> String {
    print_as(pool, id, &mut |_| Some(None)).unwrap_or_default()
}

/// The same, with other words for some parts; none if there are no words for one of them.
pub fn print_as(
    pool: &ExprPool,
    id: ExprId,
    words: &mut dyn FnMut(ExprId) -> Option<Option<String>>,
) -> Option<String> {
    if let Some(said) = words(id)? {
        return Some(said);
    }
    Some(match pool.get(id) {
        Expr::Int { width, value } => format!("i{width}:{value}"),
        Expr::Float { ty, bits } => format!("{}:{bits}", Ty::Float(ty)),
        Expr::Null => "null".into(),
        Expr::Var(var) => var.to_string(),
        Expr::Addr(object) => format!("&{object}"),
        Expr::FuncAddr(func) => format!("&{func}"),
        node => {
            let head = match node {
                Expr::Unary(op, _) => format!("{op:?}"),
                Expr::Binary(op, ..) => format!("{op:?}"),
                Expr::Cast(op, ty, _) => format!("{op:?} {ty}"),
                _ => "Ite".into(),
            };
            let operands: Option<Vec<String>> =
                node.operands().map(|it| print_as(pool, it, words)).collect();
            format!("({head} {})", operands?.join(" "))
        }
    })
}

/// Reads what [`print`](fn@print) writes into the pool of a program; what it says is typed when the program is verified. The word
/// `result` stands for a register, if one is given.
pub fn read(program: &mut Program, text: &str, result: Option<VarId>) -> Result<ExprId, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, at: 0, result };
    let id = reader.expr(program, 0)?;
    match reader.words.get(reader.at) {
        None => Ok(id),
        Some(more) => Err(format!("`{more}` stands behind the expression")),
    }
}

struct Reader<'a> {
    words: &'a [&'a str],
    at: usize,
    result: Option<VarId>,
}

impl<'a> Reader<'a> {
    fn word(&mut self) -> Result<&'a str, String> {
        self.at += 1;
        self.words.get(self.at - 1).copied().ok_or_else(|| "the expression ends early".into())
    }

    fn expr(&mut self, program: &mut Program, depth: usize) -> Result<ExprId, String> {
        if depth > MAX_DEPTH {
            return Err("the expression is nested too deeply".into());
        }
        let word = self.word()?;
        if word == "(" {
            let node = self.compound(program, depth)?;
            return match self.word()? {
                ")" => Ok(program.exprs.add(node)),
                other => Err(format!("`{other}` stands where `)` should")),
            };
        }
        let no_expression = || format!("`{word}` is no expression");
        let index = |prefix: &str| word.strip_prefix(prefix).and_then(|it| it.parse::<u32>().ok());
        let result = self.result.filter(|_| word == "result");
        if let Some(var) = result.or(index("v").map(VarId::from_u32)) {
            let info = program.vars.get(var).ok_or_else(|| format!("there is no {var}"))?;
            return Ok(program.exprs.var(var, info.ty));
        }
        let node = match word.split_once(':').and_then(|(ty, it)| Some((parse_ty(ty)?, it))) {
            Some((Ty::Int(width), value)) => {
                let value = value.parse().map_err(|_| no_expression())?;
                return Ok(program.exprs.int(width, value));
            }
            Some((Ty::Float(ty), bits)) => {
                Expr::Float { ty, bits: bits.parse().map_err(|_| no_expression())? }
            }
            Some((Ty::Ptr, _)) => return Err(no_expression()),
            None if word == "null" => Expr::Null,
            None => match (index("&o"), index("&f")) {
                (Some(object), _) => Expr::Addr(ObjId::from_u32(object)),
                (_, Some(func)) => Expr::FuncAddr(FuncId::from_u32(func)),
                _ => return Err(no_expression()),
            },
        };
        Ok(program.exprs.add(node))
    }

    fn compound(&mut self, program: &mut Program, depth: usize) -> Result<Expr, String> {
        let name = self.word()?;
        if let Some(op) = UNARY.into_iter().find(|op| format!("{op:?}") == name) {
            return Ok(Expr::Unary(op, self.expr(program, depth + 1)?));
        }
        if let Some(op) = CASTS.into_iter().find(|op| format!("{op:?}") == name) {
            let ty = self.word()?;
            let ty = parse_ty(ty).ok_or_else(|| format!("`{ty}` is no type"))?;
            return Ok(Expr::Cast(op, ty, self.expr(program, depth + 1)?));
        }
        if let Some(op) = BINARY.into_iter().find(|op| format!("{op:?}") == name) {
            let a = self.expr(program, depth + 1)?;
            return Ok(Expr::Binary(op, a, self.expr(program, depth + 1)?));
        }
        if name != "Ite" {
            return Err(format!("`{name}` is no operator"));
        }
        let (c, a) = (self.expr(program, depth + 1)?, self.expr(program, depth + 1)?);
        Ok(Expr::Ite(c, a, self.expr(program, depth + 1)?))
    }
}
