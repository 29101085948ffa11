//! Units to one program: what they announce, then each declaration and definition, then the start.

use std::collections::BTreeMap;

use hardbop_base::{Idx, Name, Span};
use hardbop_cir::pass::outside;
use hardbop_cir::{Block, ExprPool, Func, FuncId, ObjId, Program, Shape, Stop, Term};
use hardbop_diag::{Diagnostic, Sink, codes};

use super::effects::Summaries;
use super::mistake::Wrong;
use super::scope::{Entity, Global, Scopes};
use super::state::Lower;
use super::{Lowered, Options, addressed};
use crate::source::Sources;
use crate::syntax::Unit;
use crate::syntax::ast::{Expr, External, FuncDef, Storage};

/// All units as one program.
pub struct Unified {
    pub program: Program,
    /// The same, if functions without a body that promise nothing returned objects; there if that
    /// makes a difference.
    pub trusting: Option<Program>,
    /// Objects that functions without a body return, whose length nothing says.
    pub lent: outside::Made,
    /// What is not modelled, where it stands.
    pub diagnostics: Vec<Diagnostic>,
    /// How the source reads heap objects.
    pub heap_shapes: BTreeMap<ObjId, Shape>,
    /// Whether a function of the library is given a part of an object, which it must not leave.
    pub has_rooms: bool,
}

/// Lowers units that are linked together; `library` is in front of them, as headers are, so that
/// builtins can be called without a declaration. The warnings name constructs that are not modelled.
/// `None` if and only if the sink has an error or was stopped.
pub fn lower_units(
    library: Option<&Unit>,
    units: &[Unit],
    sources: &Sources,
    options: &Options,
    sink: &mut Sink,
) -> Option<Unified> {
    let program = Program {
        ptr_bits: options.model.ptr_bits(),
        vars: Default::default(),
        objects: Default::default(),
        funcs: Default::default(),
        checks: Default::default(),
        exprs: ExprPool::new(options.model.ptr_bits()),
        main: FuncId::new(0),
        assumptions: Vec::new(),
    };
    let mut lower = Lower::new(options, program, sources, sink);
    let (mark, done) = (lower.mark(), lower.units(library, units));
    lower.settled(&mark, done).ok()??;
    super::fixup::fix_calls(&mut lower.program);
    super::noval::settle(&mut lower.program, &lower.without_value);
    super::thread::close_atomic(&mut lower.program, lower.has_threads);
    if lower.has_threads {
        let entry = lower.program.func_named("main").and_then(|it| lower.program.funcs[it].span);
        let span = entry.unwrap_or_default();
        super::thread::watch(&mut lower.program, &options.classes, span);
    }
    super::instantiate::instantiate(&mut lower.program, &lower.library, &lower.rooms, sources);
    lower.rely_on_promises();
    let has_rooms = lower.rooms.values().any(|it| !it.is_empty());
    let Lower { mut program, outside: known, diagnostics, heap_shapes, .. } = lower;
    let trusting = known.trusted(&program).map(|known| {
        let mut trusting = program.clone();
        outside::close(&mut trusting, &known);
        trusting
    });
    let lent = outside::close(&mut program, &known);
    Some(Unified { program, trusting, lent, diagnostics, heap_shapes, has_rooms })
}

pub(super) fn empty_func(name: Name, span: Option<Span>) -> Func {
    let term = Term::Stop(Stop::Unreachable);
    let block = Block { insts: Vec::new(), term, span: span.unwrap_or_default() };
    Func { name, params: Vec::new(), result: None, blocks: vec![block].into(), span }
}

impl Lower<'_> {
    fn units(&mut self, library: Option<&Unit>, units: &[Unit]) -> Lowered<()> {
        self.program.funcs.push(empty_func("(start)".into(), None));
        let all = || library.into_iter().chain(units).enumerate();
        self.poisoned = all().flat_map(|(_, unit)| unit.unread.iter().cloned()).collect();
        self.link(&all().map(|it| it.1).collect::<Vec<_>>())?;
        for (at, unit) in all() {
            self.unit = at;
            self.announce(unit)?;
            if at == 0 && library.is_some() {
                self.library = self.program.funcs.ids().skip(1).collect();
            }
        }
        self.announce_hooks(units);
        self.error_labels = self.options.goals.assertions && !crate::goals::has_goal_call(units);
        self.summaries = Summaries::of(all().map(|it| it.1));
        self.used = all().flat_map(|(_, unit)| unit.uses.iter().cloned()).collect();
        self.has_threads =
            crate::library::STARTS.iter().any(|name| match self.globals.get(*name) {
                Some(Global::Func { id: Some(id), .. }) => self.library.contains(id),
                _ => false,
            });
        self.announce_nonlocal();
        self.address_exported(units);
        for (at, unit) in all() {
            self.unit = at;
            self.in_library = at == 0 && library.is_some();
            self.scopes = Scopes::default();
            self.externals(&unit.items)?;
        }
        // That nothing can start is no news where something could not be read.
        if self.sink.has_errors() {
            return Err(Wrong::Told);
        }
        self.start()?;
        self.build_ends()
    }

    /// Ids for all functions with a body, and the names whose address is taken.
    fn announce(&mut self, unit: &Unit) -> Lowered<()> {
        for item in &unit.items {
            match item {
                External::Func(def) => {
                    addressed::block(&def.body, &mut self.addressed);
                    let Some(name) = &def.declarator.name else { continue };
                    let is_static = def.specs.storage == Storage::Static;
                    let link = self.link_name(name, is_static);
                    let known = match self.globals.get(&link) {
                        Some(Global::Func { id: Some(id), .. }) => Some(*id),
                        _ => None,
                    };
                    let (mark, takes) = (self.mark(), self.takes_body(&link, def));
                    if self.settled(&mark, takes)? != Some(true) {
                        continue;
                    }
                    if let Some(id) = known {
                        self.program.funcs[id] = empty_func(name.clone(), Some(def.span));
                        continue;
                    }
                    let id = self.program.funcs.push(empty_func(name.clone(), Some(def.span)));
                    self.globals.insert(link, Global::Func { id: Some(id), ctype: None });
                }
                External::Decl(decl) => {
                    for init in decl.items.iter().filter_map(|it| it.init.as_ref()) {
                        addressed::initializer(init, &mut self.addressed);
                    }
                }
                External::Asm(_) | External::StaticAssert(_) => {}
            }
        }
        Ok(())
    }

    /// One after the other, also behind one that is wrong.
    fn externals(&mut self, items: &[External]) -> Lowered<()> {
        for item in items {
            let (mark, done) = (self.mark(), self.external(item));
            if self.settled(&mark, done)?.is_some() {
                continue;
            }
            match item {
                External::Decl(decl) => self.poison(decl),
                External::Func(def) => self.poison_function(def),
                External::Asm(_) | External::StaticAssert(_) => {}
            }
        }
        Ok(())
    }

    fn poison_function(&mut self, def: &FuncDef) {
        if let Some(name) = &def.declarator.name
            && self.scopes.names.get_here(name).is_none()
        {
            self.bind(name.clone(), Entity::Poisoned);
        }
    }

    /// A condition that holds of every execution, or the program is none.
    pub(super) fn static_assert(&mut self, cond: &Expr) -> Lowered<()> {
        match self.try_const_int(cond)? {
            Some(0) => self.error(codes::c::STATIC_ASSERT, cond.span, "this does not hold"),
            Some(_) => Ok(()),
            None => {
                let sentence =
                    format!("`{}` holds, as a static assertion says", self.text(cond.span));
                self.assume_said(sentence);
                Ok(())
            }
        }
    }

    fn external(&mut self, item: &External) -> Lowered<()> {
        match item {
            External::Decl(decl) => self.global_decl(decl),
            External::Func(def) => self.function(def),
            External::StaticAssert(cond) => self.static_assert(cond),
            External::Asm(span) => self.error(
                codes::c::UNSUPPORTED,
                *span,
                "assembler outside of functions is not supported",
            ),
        }
    }
}
