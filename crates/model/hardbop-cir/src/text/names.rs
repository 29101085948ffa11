//! The words for operators and kinds, in one table for printer and reader.

use crate::expr::{BinOp, CastOp, UnOp};
use crate::program::{PrintKind, VarKind};

pub(super) const UNARY: [(&str, UnOp); 4] =
    [("not", UnOp::Not), ("neg", UnOp::Neg), ("fneg", UnOp::FNeg), ("start", UnOp::Start)];

pub(super) const BINARY: [(&str, BinOp); 34] = [
    ("add", BinOp::Add),
    ("sub", BinOp::Sub),
    ("mul", BinOp::Mul),
    ("udiv", BinOp::UDiv),
    ("sdiv", BinOp::SDiv),
    ("urem", BinOp::URem),
    ("srem", BinOp::SRem),
    ("and", BinOp::And),
    ("or", BinOp::Or),
    ("xor", BinOp::Xor),
    ("shl", BinOp::Shl),
    ("lshr", BinOp::LShr),
    ("ashr", BinOp::AShr),
    ("eq", BinOp::Eq),
    ("ne", BinOp::Ne),
    ("ult", BinOp::Ult),
    ("ule", BinOp::Ule),
    ("slt", BinOp::Slt),
    ("sle", BinOp::Sle),
    ("saddovf", BinOp::SAddOvf),
    ("ssubovf", BinOp::SSubOvf),
    ("smulovf", BinOp::SMulOvf),
    ("ptradd", BinOp::PtrAdd),
    ("ptrdiff", BinOp::PtrDiff),
    ("ptrlt", BinOp::PtrLt),
    ("ptrle", BinOp::PtrLe),
    ("fadd", BinOp::FAdd),
    ("fsub", BinOp::FSub),
    ("fmul", BinOp::FMul),
    ("fdiv", BinOp::FDiv),
    ("feq", BinOp::FEq),
    ("fne", BinOp::FNe),
    ("flt", BinOp::FLt),
    ("fle", BinOp::FLe),
];

pub(super) const CASTS: [(&str, CastOp); 10] = [
    ("zext", CastOp::Zext),
    ("sext", CastOp::Sext),
    ("trunc", CastOp::Trunc),
    ("ptrtoint", CastOp::PtrToInt),
    ("inttoptr", CastOp::IntToPtr),
    ("sitof", CastOp::SIntToF),
    ("uitof", CastOp::UIntToF),
    ("ftosi", CastOp::FToSInt),
    ("ftoui", CastOp::FToUInt),
    ("ftof", CastOp::FToF),
];

pub(super) const VAR_KINDS: [(&str, VarKind); 5] = [
    ("global", VarKind::Global),
    ("param", VarKind::Param),
    ("local", VarKind::Local),
    ("temp", VarKind::Temp),
    ("ghost", VarKind::Ghost),
];

pub(super) const PRINTS: [(&str, PrintKind); 5] = [
    ("printf", PrintKind::Printf),
    ("other", PrintKind::Other),
    ("puts", PrintKind::Puts),
    ("putchar", PrintKind::Putchar),
    ("bytes", PrintKind::Bytes),
];

pub(super) fn word<T: PartialEq>(table: &[(&'static str, T)], item: &T) -> &'static str {
    table.iter().find(|it| it.1 == *item).map_or("?", |it| it.0)
}

pub(super) fn find<T: Copy>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    table.iter().find(|it| it.0 == word).map(|it| it.1)
}
