//! Which definition a name means when units are linked: `static`, `alias`, `weak`, `asm("name")` and
//! the pragmas for these. What runs before the entry and at the end is in `hooks`.

use std::rc::Rc;

use hardbop_base::{Name, Span};
use hardbop_diag::codes;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowered;
use super::contract::Promises;
use super::scope::{Global, Home};
use super::state::Lower;
use crate::syntax::Unit;
use crate::syntax::ast::{Attributes, Decl, Declarator, Deriv, External, FuncDef, Specs, Storage};
use crate::syntax::walk::{Visit, walk_decl};

/// Longest chain of names that stand for names.
const MAX_ALIASES: usize = 100;

/// What the units say about names, before any is lowered. Pairs are a unit and a name in it.
#[derive(Default)]
pub(super) struct Linkage {
    statics: FxHashSet<(usize, Name)>,
    labels: FxHashMap<(usize, Name), Name>,
    /// From link name to link name.
    aliases: FxHashMap<Name, Name>,
    weak: FxHashSet<(usize, Name)>,
    /// Link names of functions with a body and of variables.
    defined: FxHashSet<Name>,
    /// Link names of variables with a definition that is not weak.
    strong_variables: FxHashSet<Name>,
    /// The unit and the place of the body of each function that counts.
    bodies: FxHashMap<Name, (usize, u32)>,
    /// Functions that do not return.
    pub noreturn: FxHashSet<Name>,
    /// Functions like `setjmp`.
    pub returning_twice: FxHashSet<Name>,
    /// Where functions without a body were declared first.
    pub declared: FxHashMap<Name, Span>,
    /// What functions promise.
    pub promises: FxHashMap<Name, Promises>,
}

/// A declarator of something with linkage, with what is said about it.
struct Declared {
    name: Name,
    specs: Rc<Specs>,
    attributes: Attributes,
    is_function: bool,
    /// A body, or a variable that is not merely announced.
    is_definition: bool,
}

impl Declared {
    fn new(specs: &Rc<Specs>, declarator: &Declarator, is_announced: bool) -> Option<Self> {
        let is_function = matches!(declarator.derivs.first(), Some(Deriv::Func { .. }));
        Some(Declared {
            name: declarator.name.clone()?,
            specs: specs.clone(),
            attributes: specs.attributes.joined(&declarator.attributes),
            is_function,
            is_definition: !is_announced,
        })
    }
}

/// Declarations inside of functions of what is defined outside.
#[derive(Default)]
struct Announced(Vec<Declared>);

impl Visit for Announced {
    fn decl(&mut self, decl: &Decl) {
        for it in &decl.items {
            let found = Declared::new(&decl.specs, &it.declarator, true);
            let is_extern = decl.specs.storage == Storage::Extern;
            let is_typedef = decl.specs.storage == Storage::Typedef;
            let is_outside = |it: &Declared| is_extern || it.is_function && !is_typedef;
            self.0.extend(found.filter(is_outside));
        }
        walk_decl(self, decl);
    }
}

fn declared(unit: &Unit) -> Vec<Declared> {
    let mut all = Vec::new();
    for item in &unit.items {
        match item {
            External::Func(def) => {
                all.extend(Declared::new(&def.specs, &def.declarator, false));
                let mut inside = Announced::default();
                inside.block(&def.body);
                all.extend(inside.0);
            }
            External::Decl(decl) if decl.specs.storage != Storage::Typedef => {
                for it in &decl.items {
                    let is_extern = decl.specs.storage == Storage::Extern && it.init.is_none();
                    let mut found = Declared::new(&decl.specs, &it.declarator, is_extern);
                    found.iter_mut().for_each(|it| it.is_definition &= !it.is_function);
                    all.extend(found);
                }
            }
            External::Decl(_) | External::Asm(_) | External::StaticAssert(_) => {}
        }
    }
    all
}

impl Lower<'_> {
    /// Reads what the units say about their names.
    pub fn link(&mut self, units: &[&Unit]) -> Lowered<()> {
        for (at, unit) in units.iter().enumerate() {
            for sentence in &unit.pragmas.assumptions {
                self.assume_said(sentence.clone());
            }
            self.link_labels(at, unit);
        }
        for (at, unit) in units.iter().enumerate() {
            self.unit = at;
            for it in declared(unit).into_iter().filter(|it| it.is_definition) {
                let link = self.own_link(&it.name);
                if !it.is_function && !it.attributes.is_weak {
                    self.linkage.strong_variables.insert(link.clone());
                }
                self.linkage.defined.insert(link);
            }
        }
        for (at, unit) in units.iter().enumerate() {
            self.unit = at;
            self.link_aliases(unit)?;
        }
        Ok(())
    }

    fn link_labels(&mut self, at: usize, unit: &Unit) {
        for it in declared(unit) {
            let key = (at, it.name.clone());
            if it.specs.storage == Storage::Static {
                self.linkage.statics.insert(key.clone());
            }
            if let Some(label) = &it.attributes.asm_label {
                self.linkage.labels.insert(key.clone(), label.clone());
                // Two names of one variable: neither is a register.
                if !it.is_function {
                    self.addressed.extend([it.name.clone(), label.clone()]);
                }
            }
            if it.attributes.is_weak {
                self.linkage.weak.insert(key);
            }
        }
        for (name, _) in &unit.pragmas.weak {
            self.linkage.weak.insert((at, name.clone()));
        }
        for (name, label) in &unit.pragmas.extnames {
            self.linkage.labels.insert((at, name.clone()), label.clone());
        }
    }

    fn link_aliases(&mut self, unit: &Unit) -> Lowered<()> {
        let pragmas = unit.pragmas.weak.iter().filter_map(|(name, target)| {
            Some((name.clone(), target.clone()?, Span::default(), true))
        });
        let attributes = declared(unit).into_iter().filter_map(|it| {
            let (target, span) = it.attributes.alias?;
            Some((it.name.clone(), target, span, it.attributes.is_weak))
        });
        for (name, target, span, is_weak) in attributes.chain(pragmas) {
            self.addressed.extend([name.clone(), target.clone()]);
            let (from, to) = (self.own_link(&name), self.own_link(&target));
            if !is_weak && !self.linkage.defined.contains(&to) {
                let message = format!("`{name}` stands for `{target}`, which is defined nowhere");
                return self.undeclared(&target, span, message);
            }
            // A weak name gives way to a definition of its own.
            if from != to && !self.linkage.defined.contains(&from) {
                self.linkage.aliases.insert(from, to);
            }
            if is_weak {
                self.linkage.weak.insert((self.unit, target));
            }
        }
        Ok(())
    }

    /// The name a definition in the unit at hand is linked by, aliases aside.
    fn own_link(&self, name: &Name) -> Name {
        let key = (self.unit, name.clone());
        if self.linkage.statics.contains(&key) {
            return format!("{name}@{}", self.unit).into();
        }
        self.linkage.labels.get(&key).unwrap_or(name).clone()
    }

    /// The name a declaration is linked by: `static` ones stay in their unit. Headers give functions
    /// labels, too; one counts where the program defines what it names.
    pub fn link_name(&self, name: &Name, is_static: bool) -> Name {
        let key = (self.unit, name.clone());
        let mut link: Name = match self.linkage.labels.get(&key) {
            _ if is_static || self.linkage.statics.contains(&key) => {
                format!("{name}@{}", self.unit).into()
            }
            Some(label)
                if self.linkage.defined.contains(label) || self.addressed.contains(label) =>
            {
                label.clone()
            }
            _ => name.clone(),
        };
        for _ in 0..MAX_ALIASES {
            let Some(target) = self.linkage.aliases.get(&link) else { break };
            link = target.clone();
        }
        link
    }

    /// Whether a name is weak in the unit at hand and its link name has no body.
    pub fn is_weak(&self, name: &Name) -> bool {
        self.linkage.weak.contains(&(self.unit, name.clone()))
    }

    /// Refuses weak variables that are used and defined nowhere: their address is null.
    pub fn refuse_weak_variables(&self) -> Lowered<()> {
        let mut places = Vec::new();
        for (link, global) in &self.globals {
            let Global::Var { home, is_defined: false, .. } = global else { continue };
            let is_weak = self.linkage.weak.iter().any(|it| it.1 == *link);
            if is_weak && self.used.contains(link) {
                places.extend(match *home {
                    Home::Object(object) | Home::Own(object) => self.program.objects[object].span,
                    Home::Register(var, _) | Home::At(var) => self.program.vars[var].span,
                });
            }
        }
        match places.into_iter().min_by_key(|it| it.start) {
            Some(span) => {
                let message = "a weak variable that is defined nowhere is not supported";
                self.error(codes::c::UNSUPPORTED, span, message)
            }
            None => Ok(()),
        }
    }

    /// Whether a weak variable gives way to a definition elsewhere.
    pub fn gives_way(&self, name: &Name, link: &Name) -> bool {
        let is_done =
            matches!(self.globals.get(link), Some(Global::Var { is_initialised: true, .. }));
        self.is_weak(name) && (is_done || self.linkage.strong_variables.contains(link))
    }

    /// Whether a body takes the place of the one that is known for its name. Of two that are not
    /// weak, one that is `inline` is a copy.
    pub fn takes_body(&mut self, link: &Name, def: &FuncDef) -> Lowered<bool> {
        let Some(name) = &def.declarator.name else { return Ok(false) };
        let here = (self.unit, def.span.start);
        let Some(&(unit, _)) = self.linkage.bodies.get(link) else {
            self.linkage.bodies.insert(link.clone(), here);
            return Ok(true);
        };
        let was_weak = self.linkage.weak.contains(&(unit, name.clone()));
        if self.is_weak(name) || def.specs.is_inline && !was_weak {
            return Ok(false);
        }
        if !was_weak {
            return self.error(codes::c::REDEFINED, def.span, format!("`{name}` is defined twice"));
        }
        self.linkage.bodies.insert(link.clone(), here);
        Ok(true)
    }

    /// Whether this is the body that counts.
    pub fn is_body(&self, link: &Name, def: &FuncDef) -> bool {
        self.linkage.bodies.get(link) == Some(&(self.unit, def.span.start))
    }
}
