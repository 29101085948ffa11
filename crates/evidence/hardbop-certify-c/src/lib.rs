//! The certifier of proofs about C: is this certificate a proof that no check of this program fails?
//!
//! ```text
//! Program, Certificate ─ exec: a symbolic executor of its own ─► obligations ─ prove: bits, clauses,
//!   unsliced             loops and recursion as far as the       what must not   a solver, and a checker
//!                        certificate says                        happen          of its refutations
//! ```
//! It knows no engine and shares no code with them. Trusted are: the front end and its IR, and the checker of refutations, a
//! page. Not trusted is the solver. The terms of `hardbop-smt` with the rules that simplify them, its bit-blaster, and the
//! clauses that `hardbop-sat` makes of circuits are tried on samples before a proof is accepted (`audit`).
//!
//! Where something cannot be told exactly it may be anything: what is read through pointers nobody knows, what is
//! written at places nobody knows. So the executions looked at are all that there are, and more. Where that is not
//! enough, the certificate is not accepted, and the place is named.
//!
//! Reading order: [`certificate`](Certificate), `value`, `memory`, `layers`, `guard`, `state`, `expr`, `access`, `ops`, `loops`,
//! `exec`, `cut`, `every`, `contract`, `prove`, `audit`.

mod access;
mod audit;
mod certificate;
mod contract;
mod cut;
mod every;
mod exec;
mod expr;
pub mod formula;
mod guard;
mod layers;
mod loops;
mod lost;
mod memory;
mod ops;
mod prove;
mod state;
mod texts;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use hardbop_base::{Budget, Exhausted, Span};
use hardbop_cir::{BlockId, ExprId, FuncId, ObjId, Program, Ty, VarId, VarInfo, VarKind};

pub use certificate::{Certificate, Claim, ClaimsOf, Place, Words, hash};

/// A certificate that was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// Conditions that cannot hold.
    pub n_obligations: usize,
    /// Steps of refutations that were followed.
    pub n_steps: usize,
    /// The least bounds that would have been accepted as well.
    pub unroll: u32,
    /// See [`Certificate::recursion`].
    pub recursion: u32,
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// Something may happen at this place of the source, or cannot be told.
    At(Span, String),
    /// It is about another program.
    Unfit(String),
    /// The terms, circuits or clauses it was checked with do not mean what they should: our mistake.
    Mistaken(String),
    /// A limit was reached first.
    Exhausted(Exhausted),
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::At(_, why) | Rejected::Unfit(why) => f.write_str(why),
            Rejected::Mistaken(what) => write!(f, "the certifier is wrong: {what}"),
            Rejected::Exhausted(limit) => limit.fmt(f),
        }
    }
}

impl From<Exhausted> for Rejected {
    fn from(limit: Exhausted) -> Self {
        Rejected::Exhausted(limit)
    }
}

/// The stack of the executor, which enters calls of calls.
const STACK: usize = 256 << 20;

/// Checks that the certificate proves its properties of the program.
pub fn certify(
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    certify_naming(program, certificate, budget, &mut |_| {})
}

/// The same; where claims may not hold, these are named: without them the certificate may be a proof.
pub fn certify_naming(
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
    broken: &mut dyn FnMut(BTreeSet<Claim>),
) -> Result<Accepted, Rejected> {
    // Soundness: bounds of another program say nothing of this one.
    if certificate.program != hash(program) {
        return Err(Rejected::Unfit(
            "it is about another program, or another version of it".into(),
        ));
    }
    let (extended, said) = with_formulas(program, certificate).map_err(Rejected::Unfit)?;
    hardbop_base::stack::grow(STACK, || {
        let n_registers = program.vars.len();
        let mut executor = exec::Executor::new(&extended, n_registers, certificate, &said, budget);
        executor.run()?;
        let bad: Vec<_> = executor.obligations.iter().map(|it| it.bad).collect();
        let prover = &mut executor.prover;
        // One after the other where there are claims: each has a reason of its own.
        let holds = match said.has_claims() && bad.len() <= MAX_ASKED_ALONE {
            true => prover.each_possible(&bad, budget)?,
            false => prover.possible(&bad, budget)?,
        };
        let Some(holds) = holds else {
            prover.audit(budget)?;
            return Ok(Accepted {
                n_obligations: bad.len(),
                n_steps: prover.n_steps(),
                unroll: executor.most_rounds,
                recursion: executor.most_calls,
            });
        };
        let failing: Vec<_> =
            executor.obligations.iter().zip(&holds).filter(|it| *it.1).map(|it| it.0).collect();
        broken(failing.iter().filter_map(|it| it.claim).collect());
        let first = failing.first();
        let (span, what) =
            first.map_or((Span::default(), "a condition fails"), |it| (it.span, &it.what));
        Err(Rejected::At(span, what.into()))
    })
}

/// More conditions than these are asked together.
const MAX_ASKED_ALONE: usize = 1000;

/// More rounds before a cut than any proof has.
const MAX_K: u32 = 64;

/// What a certificate claims, typed.
#[derive(Default)]
pub(crate) struct Said {
    /// Of each loop that is cut.
    claims: BTreeMap<(FuncId, BlockId), Vec<ExprId>>,
    /// Of functions.
    contracts: BTreeMap<FuncId, contract::Contract>,
    /// Claims that mention any numbers: which ones.
    every: BTreeMap<ExprId, BTreeSet<VarId>>,
    /// Of elements the index, of sizes the pointer.
    operands: BTreeMap<VarId, ExprId>,
    /// Objects of which elements are named.
    arrays: BTreeSet<ObjId>,
    /// Whether it is said of pointers that they are those of texts.
    has_texts: bool,
}

impl Said {
    fn has_claims(&self) -> bool {
        self.claims.values().any(|it| !it.is_empty()) || !self.contracts.is_empty()
    }

    /// Whether contents of arrays have to be told by indices that are terms.
    pub(crate) fn speaks_of_elements(&self) -> bool {
        !self.arrays.is_empty() || self.has_texts
    }
}

/// The program with the formulas of a certificate among its expressions, typed.
fn with_formulas(program: &Program, certificate: &Certificate) -> Result<(Program, Said), String> {
    if certificate.k > MAX_K {
        return Err(format!("k is {}, more than {MAX_K}", certificate.k));
    }
    let mut program = program.clone();
    let mut said = Said::default();
    // Which any numbers a register depends on.
    let mut depends: BTreeMap<VarId, BTreeSet<VarId>> = BTreeMap::new();
    for place in &certificate.places {
        let var = named(&mut program, place, &mut said)?;
        if let Place::Any(_) = place {
            depends.insert(var, BTreeSet::from([var]));
        }
        if let Some(&operand) = said.operands.get(&var) {
            let on = mentioned(&program, operand, &depends);
            depends.insert(var, on);
        }
    }
    for (&(func, head), formulas) in &certificate.cuts {
        let is_there = program.funcs.get(func).is_some_and(|it| it.blocks.get(head).is_some());
        if !is_there || !loops::Loops::of(&program.funcs[func]).bodies.contains_key(&head) {
            return Err(format!("there is no loop at {func} {head}"));
        }
        let what = format!("the loop at {func} {head}");
        let claim = read_all(&mut program, formulas, None, &what)?;
        said.claims.insert((func, head), claim);
    }
    for (&func, Words { before, after }) in &certificate.contracts {
        let Some(it) = program.funcs.get(func) else {
            return Err(format!("there is no function {func}"));
        };
        let result = it.result.map(|ty| {
            program.vars.push(VarInfo {
                name: "result".into(),
                ty,
                is_signed: true,
                kind: VarKind::Ghost,
                owner: Some(func),
                init: None,
                span: None,
            })
        });
        let what = format!("the function {func}");
        let before = read_all(&mut program, before, None, &what)?;
        let after = read_all(&mut program, after, result, &what)?;
        said.contracts.insert(func, contract::Contract { before, after, result });
    }
    let contracts = said.contracts.values().flat_map(|it| it.before.iter().chain(&it.after));
    for &claim in said.claims.values().flatten().chain(contracts) {
        let any = mentioned(&program, claim, &depends);
        if !any.is_empty() {
            said.every.insert(claim, any);
        }
    }
    // Soundness: a formula that is not typed has no meaning.
    hardbop_cir::verify(&program).map_err(|why| why.to_string())?;
    Ok((program, said))
}

/// A register for what the certificate names.
fn named(program: &mut Program, place: &Place, said: &mut Said) -> Result<VarId, String> {
    let number = Ty::Int(program.ptr_bits);
    let (name, ty) = match place {
        Place::Any(ty @ Ty::Int(_)) => ("any".into(), *ty),
        Place::Any(ty) => return Err(format!("any {ty} is no number")),
        Place::Size { .. } => ("size".into(), number),
        Place::Text { .. } => ("text".into(), Ty::BOOL),
        Place::Bytes { object, ty, .. } | Place::Element { object, ty, .. } => {
            let Some(object) = program.objects.get(*object) else {
                return Err(format!("there is no object {object}"));
            };
            (object.name.clone(), *ty)
        }
    };
    let operand = match place {
        Place::Element { object, index, .. } => {
            said.arrays.insert(*object);
            Some((index, number, format!("the index of an element of {object}")))
        }
        Place::Size { ptr } => Some((ptr, Ty::Ptr, "the pointer of a size".to_string())),
        Place::Text { ptr } => {
            said.has_texts = true;
            Some((ptr, Ty::Ptr, "the pointer of a text".to_string()))
        }
        _ => None,
    };
    let mut read = None;
    if let Some((text, ty, what)) = operand {
        let it = formula::read(program, text, None).map_err(|why| format!("{what}: {why}"))?;
        if program.exprs.ty(it) != ty {
            return Err(format!("{what}: `{text}` is no {ty}"));
        }
        read = Some(it);
    }
    let var = program.vars.push(VarInfo {
        name,
        ty,
        is_signed: true,
        kind: VarKind::Ghost,
        owner: None,
        init: None,
        span: None,
    });
    said.operands.extend(read.map(|it| (var, it)));
    Ok(var)
}

/// The any numbers that a formula depends on.
fn mentioned(
    program: &Program,
    formula: ExprId,
    depends: &BTreeMap<VarId, BTreeSet<VarId>>,
) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    program.exprs.for_each_var(formula, &mut |var| {
        found.extend(depends.get(&var).into_iter().flatten());
    });
    found
}

/// Formulas about something, among them the result of a function.
fn read_all(
    program: &mut Program,
    formulas: &[String],
    result: Option<VarId>,
    what: &str,
) -> Result<Vec<ExprId>, String> {
    let read = |text: &String| {
        let formula =
            formula::read(program, text, result).map_err(|why| format!("of {what}: {why}"))?;
        match program.exprs.ty(formula) == Ty::BOOL {
            true => Ok(formula),
            false => Err(format!("of {what}: `{text}` is not true or false")),
        }
    };
    formulas.iter().map(read).collect()
}

/// The loops of a function, by head: the blocks of each.
pub fn loops_of(
    func: &hardbop_cir::Func,
) -> BTreeMap<BlockId, std::collections::BTreeSet<BlockId>> {
    loops::Loops::of(func).bodies
}
