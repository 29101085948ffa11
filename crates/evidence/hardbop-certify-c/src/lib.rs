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
//! Reading order: [`certificate`](Certificate), `value`, `memory`, `guard`, `state`, `expr`, `access`, `ops`, `loops`,
//! `exec`, `cut`, `contract`, `prove`, `audit`.

mod access;
mod audit;
mod certificate;
mod contract;
mod cut;
mod exec;
mod expr;
pub mod formula;
mod guard;
mod loops;
mod lost;
mod memory;
mod ops;
mod prove;
mod state;
mod value;

use std::collections::BTreeMap;
use std::fmt;

use hardbop_base::{Budget, Exhausted, Span};
use hardbop_cir::{BlockId, ExprId, FuncId, Program, Ty, VarId, VarInfo, VarKind};

pub use certificate::{Certificate, Place, Words, hash};

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
        match executor.prover.possible(&bad, budget)? {
            None => {
                executor.prover.audit(budget)?;
                Ok(Accepted {
                    n_obligations: bad.len(),
                    n_steps: executor.prover.n_steps(),
                    unroll: executor.most_rounds,
                    recursion: executor.most_calls,
                })
            }
            Some(holds) => {
                let mut broken = executor.obligations.iter().zip(holds).filter(|it| it.1);
                let (span, what) = broken
                    .next()
                    .map_or((Span::default(), "a condition fails"), |(it, _)| (it.span, &it.what));
                Err(Rejected::At(span, what.into()))
            }
        }
    })
}

/// More rounds before a cut than any proof has.
const MAX_K: u32 = 64;

/// What a certificate claims, typed.
#[derive(Default)]
pub(crate) struct Said {
    /// Of each loop that is cut.
    claims: BTreeMap<(FuncId, BlockId), Vec<ExprId>>,
    /// Of functions.
    contracts: BTreeMap<FuncId, contract::Contract>,
}

/// The program with the formulas of a certificate among its expressions, typed.
fn with_formulas(program: &Program, certificate: &Certificate) -> Result<(Program, Said), String> {
    if certificate.k > MAX_K {
        return Err(format!("k is {}, more than {MAX_K}", certificate.k));
    }
    let mut program = program.clone();
    for place in &certificate.places {
        let Some(object) = program.objects.get(place.object) else {
            return Err(format!("there is no object {}", place.object));
        };
        let (name, ty) = (object.name.clone(), place.ty);
        program.vars.push(VarInfo {
            name,
            ty,
            is_signed: true,
            kind: VarKind::Ghost,
            owner: None,
            init: None,
            span: None,
        });
    }
    let mut said = Said::default();
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
    // Soundness: a formula that is not typed has no meaning.
    hardbop_cir::verify(&program).map_err(|why| why.to_string())?;
    Ok((program, said))
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
