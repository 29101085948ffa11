//! Which variables have their address taken. By name: a name under `&` anywhere in a function
//! makes every variable of that name there an object, which costs precision and nothing else.

use hardbop_base::Name;
use rustc_hash::FxHashSet;

use crate::syntax::ast::{Block, Expr, ExprKind, Initializer, Unary};
use crate::syntax::walk::{Visit, walk_expr, walk_initializer};

pub(super) fn block(it: &Block, names: &mut FxHashSet<Name>) {
    Addressed { names }.block(it);
}

pub(super) fn initializer(it: &Initializer, names: &mut FxHashSet<Name>) {
    walk_initializer(&mut Addressed { names }, it);
}

struct Addressed<'a> {
    names: &'a mut FxHashSet<Name>,
}

impl Visit for Addressed<'_> {
    fn expr(&mut self, it: &Expr) {
        if let ExprKind::Unary(Unary::Addr, of) = &it.kind {
            self.base(of);
        }
        walk_expr(self, it);
    }
}

impl Addressed<'_> {
    /// The variable at the bottom of `&x`, `&x.f`, `&x[i]`, `&(c ? x : y)`.
    fn base(&mut self, it: &Expr) {
        match &it.kind {
            ExprKind::Ident(name) => {
                self.names.insert(name.clone());
            }
            ExprKind::Member { of, is_arrow: false, .. } | ExprKind::Index(of, _) => self.base(of),
            ExprKind::Generic(_, cases) => cases.iter().for_each(|it| self.base(&it.1)),
            ExprKind::ChooseExpr(_, a, b) | ExprKind::Comma(a, b) => {
                self.base(a);
                self.base(b);
            }
            _ => {}
        }
    }
}
