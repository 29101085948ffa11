//! Random programs, well-formed by construction, and mangled text for the parser.
//!
//! [`program`] draws a program of a [`Profile`] from a seed. Scopes are small, so that the explicit
//! engine enumerates them quickly; what is large is the variety of constructs.

mod expr;
mod labels;
mod make;
mod mangle;
mod profile;
mod stmt;

use hardbop_bp::ast::{Ident, Proc, Program, StmtKind};

use crate::rng::Rng;
use expr::{ExprGen, Scope};
use stmt::{BodyGen, Signature};

pub use mangle::mangle;
pub use profile::{Profile, Weights};

/// The program of a seed.
pub fn program(seed: u64, profile: &Profile) -> Program {
    let mut rng = Rng::new(seed);
    let rng = &mut rng;
    let globals: Vec<Ident> = numbered("g", rng.within(profile.globals));
    let signatures = signatures(rng, profile);
    let mut declared = Vec::new();
    let mut known = Scope::default();
    for name in &globals {
        let init = rng
            .chance(profile.initial_value)
            .then(|| ExprGen { rng, profile, scope: &known }.draw(profile.expr_depth));
        declared.push((name.clone(), init));
        known.vars.push(name.clone());
    }
    let mut procs: Vec<Proc> =
        (0..signatures.len()).map(|at| proc(rng, profile, &globals, &signatures, at)).collect();
    labels::place(rng, profile, &mut procs);
    // `main` need not come first.
    if rng.chance(30) {
        procs.rotate_left(1);
    }
    Program { globals: make::decls(rng, declared), procs, trailing: Vec::new() }
}

/// What each procedure takes and returns; the first is `main`.
fn signatures(rng: &mut Rng, profile: &Profile) -> Vec<Signature> {
    let main = Signature { name: make::ident("main"), n_formals: 0, n_returns: 0 };
    let others = rng.within(profile.procs);
    std::iter::once(main)
        .chain(numbered("p", others).into_iter().map(|name| Signature {
            name,
            n_formals: rng.within(profile.formals),
            n_returns: rng.within(profile.returns),
        }))
        .collect()
}

fn proc(
    rng: &mut Rng,
    profile: &Profile,
    globals: &[Ident],
    signatures: &[Signature],
    at: usize,
) -> Proc {
    let signature = &signatures[at];
    let formals = numbered("f", signature.n_formals);
    let mut known = Scope { vars: [globals, &formals].concat(), ..Scope::default() };
    known.locals = formals.clone();
    let mut declared = Vec::new();
    for name in numbered("l", rng.within(profile.locals)) {
        let init = rng
            .chance(profile.initial_value)
            .then(|| ExprGen { rng, profile, scope: &known }.draw(profile.expr_depth));
        declared.push((name.clone(), init));
        known.vars.push(name.clone());
        known.locals.push(name);
    }
    let mut enforce = Vec::new();
    while rng.chance(profile.enforce) {
        let expr = ExprGen { rng, profile, scope: &known }.draw(2);
        enforce.push(make::enforce(rng.chance(40), expr));
    }
    let n_stmts = rng.within(profile.stmts);
    let mut body =
        BodyGen { rng, profile, scope: &known, signatures, at, n_async: 0 }.block(n_stmts, 0);
    // Without this up to half of the programs would have nothing to violate.
    if at == 0 && rng.chance(profile.last_assert) {
        let expr = ExprGen { rng, profile, scope: &known }.draw(profile.expr_depth);
        body.push(make::stmt(StmtKind::Assert(expr)));
    }
    let locals = make::decls(rng, declared);
    make::proc(signature, formals, locals, enforce, body)
}

fn numbered(prefix: &str, n: usize) -> Vec<Ident> {
    (0..n).map(|i| make::ident(&format!("{prefix}{i}"))).collect()
}
