//! What is wrong with a program, and how lowering goes on after it.
//!
//! A mistake is an `Err` up to the nearest statement, member or external declaration, which tells it
//! and goes on with what follows: the program is refused in any case, and all that is wrong with it
//! is to be told. The names that a wrong declaration would have declared are poisoned: a use of them
//! is wrong, too, but no news.

use hardbop_base::{Name, Span};
use hardbop_diag::{Code, Diagnostic, codes, did_you_mean, nearest};

use super::Lowered;
use super::scope::Entity;
use super::state::Lower;
use crate::standard::header_of;
use crate::syntax::ast::{BaseSpec, Decl};

/// Why something could not be lowered.
#[derive(Debug)]
pub(super) enum Wrong {
    Mistake(Box<Diagnostic>),
    /// The name is not declared. It is told once.
    Undeclared(Box<Diagnostic>, Name),
    /// What is wrong has been told.
    Told,
    /// A limit was reached, which the sink knows.
    Limit,
}

/// What a statement leaves as it finds it, whether it is lowered to its end or not.
pub(super) struct Mark {
    depth: usize,
    in_params: bool,
    open_depth: u32,
}

impl Lower<'_> {
    pub fn error<T>(&self, code: Code, span: Span, message: impl Into<String>) -> Lowered<T> {
        Err(Wrong::Mistake(Box::new(Diagnostic::error(code, span, message))))
    }

    /// A name that should be declared and is not.
    pub fn undeclared<T>(&self, name: &str, span: Span, message: impl Into<String>) -> Lowered<T> {
        if self.poisoned.contains(name) || matches!(self.lookup(name), Some(Entity::Poisoned)) {
            return Err(Wrong::Told);
        }
        let wrong = Diagnostic::error(codes::c::UNDECLARED, span, message);
        Err(Wrong::Undeclared(Box::new(wrong), name.into()))
    }

    /// One step; a limit that is reached ends everything.
    pub fn tick(&mut self) -> Lowered<()> {
        if self.sink.goes_on() { Ok(()) } else { Err(Wrong::Limit) }
    }

    pub fn mark(&self) -> Mark {
        let (in_params, open_depth) = (self.in_params, self.open_depth);
        Mark { depth: self.scopes.depth(), in_params, open_depth }
    }

    /// The result, or `None` after a mistake that is told here; lowering goes on from the mark. Where
    /// something is only looked at, whoever looks decides whether there is a mistake.
    pub fn settled<T>(&mut self, mark: &Mark, result: Lowered<T>) -> Lowered<Option<T>> {
        let wrong = match result {
            Ok(it) => return Ok(Some(it)),
            Err(wrong @ Wrong::Limit) => return Err(wrong),
            Err(wrong) if self.is_unevaluated() => return Err(wrong),
            Err(wrong) => wrong,
        };
        while self.scopes.depth() > mark.depth {
            self.scopes.close();
        }
        (self.in_params, self.open_depth) = (mark.in_params, mark.open_depth);
        match wrong {
            Wrong::Mistake(wrong) => self.sink.push(*wrong),
            Wrong::Undeclared(wrong, name) => self.tell_undeclared(*wrong, name),
            Wrong::Told | Wrong::Limit => {}
        }
        Ok(None)
    }

    fn tell_undeclared(&mut self, wrong: Diagnostic, name: Name) {
        if !self.poisoned.insert(name.clone()) {
            return;
        }
        let names = &self.scopes.names;
        self.sink.push_with(wrong, |wrong| match header_of(&name) {
            Some(header) => wrong.help(format!("`{name}` is declared in <{header}>")),
            None => did_you_mean(wrong, nearest(&name, names.iter().map(|it| it.0))),
        });
    }

    /// Poisons what a wrong declaration would have declared here.
    pub fn poison(&mut self, decl: &Decl) {
        let declared = decl.items.iter().filter_map(|it| it.declarator.name.as_ref());
        for name in declared.chain(enumerators(decl)) {
            if self.scopes.names.get_here(name).is_none() {
                self.bind(name.clone(), Entity::Poisoned);
            }
        }
    }
}

fn enumerators(decl: &Decl) -> impl Iterator<Item = &Name> {
    let items = match &decl.specs.base {
        BaseSpec::Enum { items: Some(items), .. } => &items[..],
        _ => &[],
    };
    items.iter().map(|it| &it.0)
}
