//! What a declaration promises about a function: GCC's attributes and those that `hardbop.h` makes of
//! its macros. `lower::contract` says what each is good for.

use std::rc::Rc;

use super::ast::Expr;
use super::parser::{Parsed, Parser};
use super::words::Punct;

/// The promises of one declaration; those of several add up.
#[derive(Clone, Default, Debug)]
pub struct Contract {
    pub nonnull: Nonnull,
    pub returns_nonnull: bool,
    /// It returns a live object of the type its result points to.
    pub returns_object: bool,
    /// Null is one of its results.
    pub may_return_null: bool,
    /// The least and the largest number it returns.
    pub range: Option<(Rc<Expr>, Rc<Expr>)>,
    /// No other pointer leads to what it returns.
    pub is_fresh: bool,
    /// Parameters, counted from 1, whose product is the size of what it returns.
    pub alloc_size: Vec<Rc<Expr>>,
    /// The position of a format like that of `printf`, and that of its first argument or 0.
    pub format: Option<(Rc<Expr>, Rc<Expr>)>,
    /// It changes nothing.
    pub is_pure: bool,
}

/// Parameters that must not be null.
#[derive(Clone, Default, Debug)]
pub enum Nonnull {
    #[default]
    None,
    /// All pointers.
    All,
    /// Counted from 1.
    Some(Vec<Rc<Expr>>),
}

/// The attributes that are promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    Nonnull,
    ReturnsNonnull,
    ReturnsObject,
    MayReturnNull,
    ReturnsRange,
    Malloc,
    AllocSize,
    Format,
    Pure,
}

impl Promise {
    pub fn says(self) -> &'static str {
        match self {
            Promise::Nonnull => "checked (`null`): at each call by name; of the entry assumed",
            Promise::ReturnsNonnull => {
                "relied on of a function without a body; checked (`null`) where there is one"
            }
            Promise::ReturnsObject => {
                "relied on of a function without a body: a live object of its type"
            }
            Promise::MayReturnNull => "a violation by a null result is the caller's fault",
            Promise::ReturnsRange => "relied on of a function without a body",
            Promise::Malloc => {
                "relied on of a function without a body: no other pointer leads there"
            }
            Promise::AllocSize => {
                "relied on of a function without a body that is `malloc`, too: fresh memory of that size"
            }
            Promise::Format => {
                "`printf`: checked (`library`) at a call without a body; others: none"
            }
            Promise::Pure => "relied on of a function without a body: it changes nothing",
        }
    }
}

impl Parser<'_> {
    /// What stands behind the name of a promise.
    pub(super) fn promise(&mut self, promise: Promise, into: &mut Contract) -> Parsed<()> {
        match promise {
            Promise::Nonnull if !self.is(Punct::LParen) => into.nonnull = Nonnull::All,
            Promise::Nonnull => {
                let which = self.numbers()?;
                into.nonnull.add(which);
                return Ok(());
            }
            Promise::ReturnsNonnull => into.returns_nonnull = true,
            Promise::ReturnsObject => into.returns_object = true,
            Promise::MayReturnNull => into.may_return_null = true,
            Promise::ReturnsRange => {
                let [least, most] = &self.numbers()?[..] else {
                    return self.fail("a range has two ends");
                };
                into.range = Some((least.clone(), most.clone()));
                return Ok(());
            }
            Promise::Malloc => into.is_fresh = true,
            Promise::AllocSize => {
                into.alloc_size = self.numbers()?;
                return Ok(());
            }
            Promise::Format => return self.format_promise(into),
            Promise::Pure => into.is_pure = true,
        }
        self.skip_arguments()
    }

    /// `(printf, 1, 2)`; other formats promise nothing here.
    fn format_promise(&mut self, into: &mut Contract) -> Parsed<()> {
        self.need(Punct::LParen)?;
        let kind = self.ident()?;
        self.need(Punct::Comma)?;
        let format = Rc::new(self.conditional()?);
        self.need(Punct::Comma)?;
        let first = Rc::new(self.conditional()?);
        if kind.trim_matches('_').trim_start_matches("gnu_") == "printf" {
            into.format = Some((format, first));
        }
        self.need(Punct::RParen)
    }

    /// `(1, 2)`
    fn numbers(&mut self) -> Parsed<Vec<Rc<Expr>>> {
        self.need(Punct::LParen)?;
        let mut numbers = Vec::new();
        while !self.eat(Punct::RParen) {
            if !numbers.is_empty() {
                self.need(Punct::Comma)?;
            }
            numbers.push(Rc::new(self.conditional()?));
        }
        Ok(numbers)
    }
}

impl Nonnull {
    fn add(&mut self, which: Vec<Rc<Expr>>) {
        match self {
            // `nonnull()` is `nonnull`.
            _ if which.is_empty() => *self = Nonnull::All,
            Nonnull::All => {}
            Nonnull::None => *self = Nonnull::Some(which),
            Nonnull::Some(known) => known.extend(which),
        }
    }
}

impl Contract {
    /// Whether it says anything.
    pub fn is_given(&self) -> bool {
        let Contract {
            returns_nonnull, returns_object, may_return_null, is_fresh, is_pure, ..
        } = self;
        let is_said = returns_nonnull | returns_object | may_return_null | is_fresh | is_pure;
        let has_numbers = self.range.is_some() || self.format.is_some();
        is_said
            || has_numbers
            || !self.alloc_size.is_empty()
            || !matches!(self.nonnull, Nonnull::None)
    }

    pub fn merge(&mut self, other: Contract) {
        match other.nonnull {
            Nonnull::None => {}
            Nonnull::All => self.nonnull = Nonnull::All,
            Nonnull::Some(which) => self.nonnull.add(which),
        }
        self.returns_nonnull |= other.returns_nonnull;
        self.returns_object |= other.returns_object;
        self.may_return_null |= other.may_return_null;
        self.range = other.range.or(self.range.take());
        self.is_fresh |= other.is_fresh;
        if !other.alloc_size.is_empty() {
            self.alloc_size = other.alloc_size;
        }
        self.format = other.format.or(self.format.take());
        self.is_pure |= other.is_pure;
    }
}
