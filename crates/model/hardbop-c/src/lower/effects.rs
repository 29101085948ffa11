//! What evaluating an expression may read and write: variables by name, and memory through pointers.
//!
//! Functions are summarised once, by what their own text does; what their callees do is added on
//! demand. Everything is an over-approximation: too much costs a needless case, see [`super::order`].

use hardbop_base::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::Unit;
use crate::syntax::ast::{
    Block, Decl, Deriv, Expr, ExprKind, External, FuncDef, Stmt, Storage, Unary,
};
use crate::syntax::walk::{Visit, walk_decl, walk_expr, walk_stmt};

/// More functions than this behind a call are not looked at.
const MAX_REACHED: usize = 500;
/// Nor are expressions of more nodes.
const MAX_NODES: usize = 300;

#[derive(Clone, Default, Debug)]
pub(super) struct Effects {
    pub reads: FxHashSet<Name>,
    pub writes: FxHashSet<Name>,
    /// Through pointers.
    pub reads_memory: bool,
    pub writes_memory: bool,
    /// Functions called by name.
    pub calls: FxHashSet<Name>,
    /// Calls through a pointer.
    pub calls_unknown: bool,
    /// Statements inside: their labels must not be there twice.
    pub has_statements: bool,
    /// Too large to look at.
    pub is_large: bool,
}

/// The summaries of all functions.
#[derive(Default)]
pub(super) struct Summaries {
    funcs: FxHashMap<Name, Effects>,
    /// With what is called from there; `None` if that is too much.
    whole: FxHashMap<Name, Option<Effects>>,
    /// Functions that a pointer may lead to.
    pointed: FxHashSet<Name>,
}

/// Functions that change nothing anybody could see in the same expression.
fn is_harmless(name: &str) -> bool {
    const EXACT: [&str; 16] = [
        "malloc",
        "calloc",
        "alloca",
        "printf",
        "puts",
        "putchar",
        "fprintf",
        "abort",
        "exit",
        "assert",
        "expect",
        "constant_p",
        "offsetof",
        "object_size",
        "unreachable",
        "trap",
    ];
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    plain.starts_with("__VERIFIER_") || plain.starts_with("nondet") || EXACT.contains(&plain)
}

impl Summaries {
    pub fn of<'u>(units: impl Iterator<Item = &'u Unit> + Clone) -> Summaries {
        let mut all = Summaries::default();
        let arrays = global_arrays(units.clone());
        for unit in units {
            for item in &unit.items {
                let External::Func(def) = item else { continue };
                let Some(name) = &def.declarator.name else { continue };
                let effects = summary(def, &arrays);
                match all.funcs.get_mut(name) {
                    // `static` functions of one name in two files.
                    Some(other) => other.join(&effects),
                    None => drop(all.funcs.insert(name.clone(), effects)),
                }
            }
            let names = unit.uses.iter();
            all.pointed.extend(names.filter(|it| all.funcs.contains_key(*it)).cloned());
        }
        all
    }

    /// What a call by name may do; `None` if too much hangs on it.
    pub fn call(&mut self, name: &Name) -> Option<Effects> {
        if let Some(known) = self.whole.get(name) {
            return known.clone();
        }
        let whole = self.reached(name);
        self.whole.insert(name.clone(), whole.clone());
        whole
    }

    fn reached(&self, name: &Name) -> Option<Effects> {
        let mut whole = Effects::default();
        let mut todo = vec![name.clone()];
        let mut seen: FxHashSet<Name> = todo.iter().cloned().collect();
        while let Some(name) = todo.pop() {
            if seen.len() > MAX_REACHED {
                return None;
            }
            let Some(own) = self.funcs.get(&name) else {
                if !is_harmless(&name) {
                    (whole.reads_memory, whole.writes_memory) = (true, true);
                }
                continue;
            };
            whole.join(own);
            let pointed = own.calls_unknown.then_some(&self.pointed);
            let next = own.calls.iter().chain(pointed.into_iter().flatten());
            todo.extend(next.filter(|it| seen.insert((*it).clone())).cloned());
        }
        whole.calls = seen;
        Some(whole)
    }
}

impl Effects {
    pub fn join(&mut self, other: &Effects) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
        self.calls.extend(other.calls.iter().cloned());
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.calls_unknown |= other.calls_unknown;
        self.has_statements |= other.has_statements;
    }

    /// What the text of an expression does by itself, its calls left aside. `is_array` says
    /// which names are arrays rather than pointers.
    pub fn of(expr: &Expr, is_array: &dyn Fn(&Name) -> bool) -> Effects {
        let mut scan = Scan::new(is_array, MAX_NODES);
        scan.expr(expr);
        scan.effects
    }

    /// What finding the place does, without the access.
    pub fn of_place(place: &Expr, is_array: &dyn Fn(&Name) -> bool) -> Effects {
        let mut scan = Scan::new(is_array, MAX_NODES);
        scan.access(place, Access::None);
        scan.effects
    }
}

fn global_arrays<'u>(units: impl Iterator<Item = &'u Unit>) -> FxHashSet<Name> {
    let decls = units.flat_map(|unit| &unit.items).filter_map(|item| match item {
        External::Decl(decl) if decl.specs.storage != Storage::Typedef => Some(decl),
        _ => None,
    });
    let declared = decls.flat_map(|decl| &decl.items).map(|item| &item.declarator);
    let arrays = declared.filter(|it| matches!(it.derivs.first(), Some(Deriv::Array(_))));
    arrays.filter_map(|it| it.name.clone()).collect()
}

fn summary(def: &FuncDef, arrays: &FxHashSet<Name>) -> Effects {
    let is_array = |name: &Name| arrays.contains(name);
    let mut scan = Scan::new(&is_array, usize::MAX);
    if let Some(Deriv::Func { params, .. }) = def.declarator.derivs.first() {
        scan.locals.extend(params.iter().filter_map(|it| it.declarator.name.clone()));
    }
    scan.block(&def.body);
    let Scan { mut effects, locals, .. } = scan;
    effects.reads.retain(|it| !locals.contains(it));
    effects.writes.retain(|it| !locals.contains(it));
    effects.has_statements = false;
    effects
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Its address only.
    None,
    Read,
    Write,
    Both,
}

struct Scan<'a> {
    is_array: &'a dyn Fn(&Name) -> bool,
    effects: Effects,
    /// Declared inside.
    locals: FxHashSet<Name>,
    n_left: usize,
}

impl<'a> Scan<'a> {
    fn new(is_array: &'a dyn Fn(&Name) -> bool, n_left: usize) -> Self {
        Scan { is_array, effects: Effects::default(), locals: FxHashSet::default(), n_left }
    }

    fn name(&mut self, name: &Name, access: Access) {
        if matches!(access, Access::Read | Access::Both) {
            self.effects.reads.insert(name.clone());
        }
        if matches!(access, Access::Write | Access::Both) {
            self.effects.writes.insert(name.clone());
        }
    }

    fn memory(&mut self, access: Access) {
        self.effects.reads_memory |= matches!(access, Access::Read | Access::Both);
        self.effects.writes_memory |= matches!(access, Access::Write | Access::Both);
    }

    fn access(&mut self, place: &Expr, access: Access) {
        match &place.kind {
            ExprKind::Ident(name) => self.name(name, access),
            ExprKind::Member { of, is_arrow: false, .. } => self.access(of, access),
            ExprKind::Member { of, is_arrow: true, .. } | ExprKind::Unary(Unary::Deref, of) => {
                self.memory(access);
                self.expr(of);
            }
            ExprKind::Index(of, by) => {
                self.element(of, access);
                self.expr(by);
            }
            _ => {
                self.memory(access);
                self.expr(place);
            }
        }
    }

    /// An element of what may be an array or a pointer.
    fn element(&mut self, of: &Expr, access: Access) {
        match &of.kind {
            ExprKind::Ident(name) if (self.is_array)(name) => self.name(name, access),
            ExprKind::Member { .. } | ExprKind::Index(..) => {
                self.access(of, access);
                self.memory(access);
            }
            _ => {
                self.memory(access);
                self.expr(of);
            }
        }
    }
}

impl Visit for Scan<'_> {
    fn expr(&mut self, it: &Expr) {
        if self.n_left == 0 {
            self.effects.is_large = true;
            return;
        }
        self.n_left -= 1;
        match &it.kind {
            ExprKind::Ident(_)
            | ExprKind::Member { .. }
            | ExprKind::Index(..)
            | ExprKind::Unary(Unary::Deref, _) => self.access(it, Access::Read),
            ExprKind::Unary(Unary::Addr, of) => self.access(of, Access::None),
            ExprKind::Assign(op, to, value) => {
                let access = if op.is_some() { Access::Both } else { Access::Write };
                self.access(to, access);
                self.expr(value);
            }
            ExprKind::IncDec { of, .. } => self.access(of, Access::Both),
            ExprKind::VaArg(list, _) => self.access(list, Access::Both),
            ExprKind::Call(callee, args) => {
                match &callee.kind {
                    ExprKind::Ident(name) => drop(self.effects.calls.insert(name.clone())),
                    _ => {
                        self.effects.calls_unknown = true;
                        self.expr(callee);
                    }
                }
                args.iter().for_each(|it| self.expr(it));
            }
            ExprKind::SizeofExpr(_) | ExprKind::AlignofExpr(_) => {}
            _ => walk_expr(self, it),
        }
    }

    fn block(&mut self, it: &Block) {
        self.effects.has_statements = true;
        it.items.iter().for_each(|it| self.stmt(it));
    }

    fn stmt(&mut self, it: &Stmt) {
        walk_stmt(self, it);
    }

    fn decl(&mut self, it: &Decl) {
        self.locals.extend(it.items.iter().filter_map(|it| it.declarator.name.clone()));
        walk_decl(self, it);
    }
}
