//! Promises of functions (`nonnull`, `returns_nonnull`, `malloc`, `alloc_size`, `format`, `pure` and those
//! of `hardbop.h`): what a call must keep is checked, what a function without a body promises is
//! relied on and listed.

use hardbop_base::{Name, Span};
use hardbop_cir::{Assumption, BinOp, Class, Cond, Expr as Node, ExprId};
use hardbop_diag::codes;

use super::place::{Val, ValKind};
use super::state::Lower;
use super::{Lowered, Returns};
use crate::syntax::ast::Expr;
use crate::syntax::contract::{Contract, Nonnull};

/// A contract with its numbers; parameters are counted from 0.
#[derive(Clone, Default, Debug)]
pub(super) struct Promises {
    takes_no_null: bool,
    nonnull: Vec<usize>,
    pub returns_nonnull: bool,
    returns_object: bool,
    may_return_null: bool,
    range: Option<(i128, i128)>,
    is_fresh: bool,
    alloc_size: Vec<usize>,
    /// The format, and the first of its arguments if they are at hand.
    format: Option<(usize, Option<usize>)>,
    is_pure: bool,
}

impl Promises {
    /// Whether the pointer at this position must not be null.
    pub fn forbids_null(&self, at: usize) -> bool {
        self.takes_no_null || self.nonnull.contains(&at)
    }

    /// What is relied on of a function without a body, in words.
    fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        if self.returns_object {
            told.push("it returns a live object of its type".into());
        } else if self.returns_nonnull {
            told.push("it does not return null".into());
        }
        if let Some((least, most)) = self.range {
            told.push(format!("it returns a number from {least} to {most}"));
        }
        if self.is_fresh && !self.alloc_size.is_empty() {
            told.push("it returns fresh memory of the size its arguments say".into());
        } else if self.is_fresh {
            told.push("no other pointer leads to what it returns".into());
        }
        told
    }
}

impl Lower<'_> {
    /// Adds what a declaration promises about a function.
    pub fn note_contract(&mut self, link: &Name, contract: &Contract) -> Lowered<()> {
        let mut all = self.linkage.promises.get(link).cloned().unwrap_or_default();
        match &contract.nonnull {
            Nonnull::None => {}
            Nonnull::All => all.takes_no_null = true,
            Nonnull::Some(which) => {
                for it in which {
                    let at = self.position(it)?;
                    all.nonnull.extend(at);
                }
            }
        }
        all.returns_nonnull |= contract.returns_nonnull || contract.returns_object;
        all.returns_object |= contract.returns_object;
        all.may_return_null |= contract.may_return_null;
        all.is_fresh |= contract.is_fresh;
        all.is_pure |= contract.is_pure;
        if let Some((least, most)) = &contract.range {
            let ends = (self.const_int(least)?, self.const_int(most)?);
            if ends.0 > ends.1 {
                return self.error(codes::c::TYPE, least.span, "no number is in this range");
            }
            all.range = Some(ends);
        }
        if !contract.alloc_size.is_empty() {
            let sizes: Lowered<Vec<_>> =
                contract.alloc_size.iter().map(|it| self.position(it)).collect();
            all.alloc_size = sizes?.into_iter().flatten().collect();
        }
        if let Some((format, first)) = &contract.format
            && let Some(at) = self.position(format)?
        {
            all.format = Some((at, self.position(first)?));
        }
        self.linkage.promises.insert(link.clone(), all);
        Ok(())
    }

    /// A parameter counted from 1; `None` for 0.
    fn position(&mut self, expr: &Expr) -> Lowered<Option<usize>> {
        match usize::try_from(self.const_int(expr)?) {
            Ok(at) => Ok(at.checked_sub(1)),
            Err(_) => self.error(codes::c::TYPE, expr.span, "parameters are counted from 1"),
        }
    }

    /// Checks what a call must keep.
    pub fn keep_nonnull(&mut self, link: &Name, values: &[Val], span: Span) {
        let Some(promises) = self.linkage.promises.get(link) else { return };
        let wanted: Vec<usize> =
            (0..values.len()).filter(|&at| promises.forbids_null(at)).collect();
        for at in wanted {
            let ValKind::Scalar(value) = values[at].kind else { continue };
            if values[at].ctype.is_ptr() {
                let fine = self.is_not_null(value);
                let name = link.split('@').next().unwrap_or(link);
                let message = format!("argument {} of `{name}` may be null", at + 1);
                self.check(Class::Null, Cond::Holds(fine), message, span);
            }
        }
    }

    fn is_not_null(&mut self, value: ExprId) -> ExprId {
        let null = self.program.exprs.add(Node::Null);
        self.program.exprs.binary(BinOp::Ne, value, null)
    }

    /// Checks the format of a call of a function without a body.
    pub fn keep_format(
        &mut self,
        link: &Name,
        args: &[Expr],
        values: &[Val],
        operands: &[ExprId],
        span: Span,
    ) {
        let Some((at, first)) = self.linkage.promises.get(link).and_then(|it| it.format) else {
            return;
        };
        if at >= args.len() || !values[at].ctype.is_ptr() {
            return;
        }
        let rest = first.map_or(args.len(), |it| it.clamp(at + 1, args.len()));
        let values = [&values[at..=at], &values[rest..]].concat();
        let operands = [&operands[at..=at], &operands[rest..]].concat();
        match first {
            Some(_) => self.formatted(&args[at], &values, &operands, span),
            None => self.ends(operands[0], span),
        }
    }

    /// A function that promises not to return null, where it returns.
    pub fn keep_result(&mut self, value: Option<ExprId>, span: Span) {
        let Some(value) = value.filter(|_| self.func.returns_nonnull) else { return };
        if self.program.exprs.ty(value) == hardbop_cir::Ty::Ptr {
            let fine = self.is_not_null(value);
            let message = "a function that is declared not to return null may do so";
            self.check(Class::Null, Cond::Holds(fine), message, span);
        }
    }

    /// Tells the outside what its functions promise, and lists what is relied on.
    pub fn rely_on_promises(&mut self) {
        let is_valid = self.options.returns == Returns::Valid;
        let mut said: Vec<Assumption> = Vec::new();
        for (&id, unknown) in &mut self.outside.funcs {
            let name = &self.program.funcs[id].name;
            let mut promises = self.linkage.promises.get(name).cloned().unwrap_or_default();
            let n_params = self.program.funcs[id].params.len();
            promises.alloc_size.retain(|&at| at < n_params);
            unknown.is_nonnull = promises.returns_nonnull;
            unknown.is_object = promises.returns_object;
            unknown.may_be_null = promises.may_return_null;
            unknown.range = promises.range;
            unknown.is_fresh = promises.is_fresh;
            unknown.is_pure = promises.is_pure;
            unknown.size_of_result.clone_from(&promises.alloc_size);
            let link = name.split('@').next().unwrap_or(name);
            said.extend(
                promises.told().iter().map(|it| format!("`{link}` has no body: {it}").into()),
            );
            if promises.is_pure {
                let no_body = Assumption::NoBody(name.clone());
                self.program.assumptions.retain(|it| *it != no_body);
                said.push(Assumption::NoEffect(name.clone()));
            }
        }
        if is_valid && let Some(trusted) = self.outside.trusted(&self.program) {
            self.outside = trusted;
            said.push("functions without a body return pointers to live objects".into());
        }
        said.into_iter().for_each(|it| self.assume_said(it));
    }
}
