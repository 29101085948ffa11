//! Proofs about C, checked by code that no engine uses ([`hardbop_certify_c`]).
//!
//! Engines work on what is left of the program when all that does not matter is cut away; the certificate is about the whole
//! program. Loops that are left are unrolled, or cut by the invariants of the proof; those that are gone are cut
//! without any claim. A certificate that is not accepted does not take the verdict back: the certifier knows less of
//! memory than the engines do, and says where it stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

use cpu_time::ProcessTime;
use hardbop_base::{Budget, CancelToken, Exhausted, memory};
use hardbop_c::CProgram;
use hardbop_certify_c::{
    Accepted, Certificate, Place, Rejected, Words, certify, formula, loops_of,
};
use hardbop_cir::pass::Passes;
use hardbop_cir::{BlockId, Class, ExprId, Func, ObjKind, Program, Shape, Ty, VarId};
use hardbop_engine_c::{Options, prepare};
use hardbop_kind::Proof;

use super::engine::CEngine;
use crate::processor;

/// At least so long is given to a certificate, and as long as finding the proof took.
const LEAST: Duration = Duration::from_secs(2);
/// How much longer than its share of the processor a certificate may take by the clock.
const PATIENCE: u32 = 8;
/// How often it is looked how much was used.
const NAP: Duration = Duration::from_millis(10);

/// Rounds of loops, and calls inside each other, that are looked at: time is the limit. What was enough becomes the bound.
const ROUNDS: u32 = 1 << 24;
const CALLS: u32 = 10_000;

/// Elements of an array, and fields, that formulas may speak of.
const MAX_FIELDS: usize = 64;

/// What separate code says of a safe verdict: the certificate it accepted, or why there is none. Where loops do not end
/// and the engine has no invariants, `kind` is asked for some: who finds a proof does not matter to the certifier.
pub(super) fn certified(
    loaded: &CProgram,
    classes: &[Class],
    proof: Option<&Proof>,
    took: Duration,
    budget: &Budget,
) -> Result<(Certificate, Accepted), String> {
    let program = &loaded.program;
    // Nor may the verdict be lost to the end of the processor time.
    let share = processor::left().map_or(LEAST + took, |left| (LEAST + took).min(left * 3 / 4));
    let budget = with_half_the_memory(budget.clone());
    if proof.is_some_and(|it| it.is_brief) {
        return Err("not certified: the proof is about another program".into());
    }
    if let Some(proof) = proof {
        // A walk through memory of any length has no last round: to unroll it takes all the memory there is.
        let is_walk = is_walk(proof);
        return within(share, &budget, |budget| {
            let cut = first_accepted(loaded, vec![cut_by(program, classes, proof)], budget);
            // Where the words of the proof are not enough for the whole program, its loops may end all the same.
            cut.or_else(|why| match is_walk {
                true => Err(why),
                false => {
                    first_accepted(loaded, unrollings(program, classes), budget).map_err(|_| why)
                }
            })
        });
    }
    let unrolled = within(share / 2, &budget, |budget| {
        first_accepted(loaded, unrollings(program, classes), budget)
    });
    let Err(why) = unrolled else { return unrolled };
    within(share / 2, &budget, |budget| {
        let options = Options { classes: classes.to_vec(), ..Options::default() };
        match hardbop_kind::check(program, &options, budget).1 {
            Some(proof) => first_accepted(loaded, vec![cut_by(program, classes, &proof)], budget),
            None => Err(why),
        }
    })
}

/// Works for at most so much time of the processor: on a machine that is busy with other things a share of the clock's
/// would be next to nothing. The clock may show [`PATIENCE`] times as much.
fn within<T>(share: Duration, budget: &Budget, work: impl FnOnce(&Budget) -> T) -> T {
    let stop = CancelToken::default();
    let own = budget.clone().at_most(share * PATIENCE).with_cancel(stop.clone());
    std::thread::scope(|scope| {
        // Dropped when the work ends, by a panic too.
        let (working, ended) = mpsc::channel::<()>();
        let watch = move || {
            let start = ProcessTime::now();
            while ended.recv_timeout(NAP) == Err(mpsc::RecvTimeoutError::Timeout) {
                if start.elapsed() >= share || budget.check().is_err() {
                    stop.cancel();
                }
            }
        };
        let is_watched = std::thread::Builder::new().spawn_scoped(scope, watch).is_ok();
        let result = match is_watched {
            true => work(&own),
            false => work(&budget.clone().at_most(share)),
        };
        drop(working);
        result
    })
}

/// A verdict that is known must not be lost to its certificate.
fn with_half_the_memory(budget: Budget) -> Budget {
    match (budget.memory_limit(), memory::recent_resident_bytes()) {
        (Some(limit), Some(used)) => budget.with_memory(used + limit.saturating_sub(used) / 2),
        _ => budget,
    }
}

fn first_accepted(
    loaded: &CProgram,
    candidates: Vec<Certificate>,
    budget: &Budget,
) -> Result<(Certificate, Accepted), String> {
    let mut why = String::new();
    for mut certificate in candidates {
        let checked =
            catch_unwind(AssertUnwindSafe(|| certify(&loaded.program, &certificate, budget)));
        match checked {
            Ok(Ok(accepted)) => {
                (certificate.unroll, certificate.recursion) = (accepted.unroll, accepted.recursion);
                return Ok((certificate, accepted));
            }
            Ok(Err(rejected)) => why = told(loaded, &rejected),
            Err(_) => why = "not certified: the certifier failed".into(),
        }
    }
    Err(why)
}

/// A proof about pointers that walk to an end nobody knows.
fn is_walk(proof: &Proof) -> bool {
    let is_of_pointers = proof.cells.as_ref().is_some_and(|it| it.indices.is_empty());
    is_of_pointers && proof.contracts.contracts.is_empty()
}

/// What a proof is made of that certificates have no words for: then it does not matter where unrolling has ended.
pub(super) fn wordless(program: &Program, engine: &str, proof: Option<&Proof>) -> Option<String> {
    let cells = proof.and_then(|it| it.cells.as_ref());
    let what = match cells {
        _ if program.has_threads() => "threads",
        _ if proof.is_some_and(|it| !it.contracts.contracts.is_empty()) => return None,
        _ if proof.is_some_and(|it| it.is_brief) => "what functions of the library do with texts",
        _ if proof.is_some_and(|it| it.memory.is_some()) => "where texts end",
        Some(_) if proof.is_some_and(is_walk) => "how far a pointer is from the end of its object",
        Some(_) => "all elements of an array",
        None if engine == CEngine::Shape.name() => "lists of any length",
        None if engine == CEngine::Cegar.name() && proof.is_none() => {
            "what a function does in any call"
        }
        None => return None,
    };
    Some(format!("not certified: certificates have no words for {what}"))
}

/// Why a certificate is not accepted, with the place in the source.
pub fn told(loaded: &CProgram, why: &Rejected) -> String {
    match why {
        Rejected::At(span, what) => {
            let at = loaded.sources.position(*span);
            format!("not certified: {what} at {}:{}", at.file, at.line)
        }
        Rejected::Unfit(_) | Rejected::Mistaken(_) => format!("not certified: {why}"),
        Rejected::Exhausted(Exhausted::Cancelled) => {
            "not certified: its share of the time was over before all was checked".into()
        }
        Rejected::Exhausted(limit) => format!("not certified: {limit} before all was checked"),
    }
}

/// All loops to their ends, those first without which nothing is left out.
fn unrollings(program: &Program, classes: &[Class]) -> Vec<Certificate> {
    let unrolled = Certificate::new(program, classes, ROUNDS, CALLS);
    let left = prepare(program, classes, Passes { inline: false, ..Passes::ALL });
    let cut = without_lost(unrolled.clone(), program, &left);
    match cut.cuts.is_empty() {
        true => vec![unrolled],
        false => vec![cut, unrolled],
    }
}

/// Loops cut by the invariants of a proof.
fn cut_by(program: &Program, classes: &[Class], proof: &Proof) -> Certificate {
    let unrolled = Certificate::new(program, classes, ROUNDS, CALLS);
    let mut cut = without_lost(unrolled, program, &proof.program);
    cut.k = proof.k;
    let mut names = Names::default();
    claim(&mut cut, program, proof, &mut names);
    contract(&mut cut, program, proof, &mut names);
    cut
}

/// Cuts the loops of which nothing is left.
fn without_lost(mut certificate: Certificate, program: &Program, left: &Program) -> Certificate {
    for (id, func) in program.funcs.iter_enumerated() {
        let found: BTreeSet<BlockId> = same_loops(func, &left.funcs[id]).into_values().collect();
        for head in loops_of(func).into_keys().filter(|head| !found.contains(head)) {
            certificate.cuts.insert((id, head), Vec::new());
        }
    }
    certificate
}

/// By head of a loop of what is left: the head of the same loop in the whole function. It is the smallest one that
/// has all the places in the source.
fn same_loops(whole: &Func, left: &Func) -> BTreeMap<BlockId, BlockId> {
    let spans = |func: &Func, body: &BTreeSet<BlockId>| -> BTreeSet<(u32, u32)> {
        let blocks = body.iter().map(|&it| &func.blocks[it]);
        let of_block = |it: &hardbop_cir::Block| {
            let insts: Vec<_> = it.insts.iter().map(|inst| inst.span).chain([it.span]).collect();
            insts.into_iter().map(|it| (it.start, it.end))
        };
        blocks.flat_map(of_block).collect()
    };
    let all: Vec<_> =
        loops_of(whole).into_iter().map(|(head, body)| (head, spans(whole, &body))).collect();
    let mut found = BTreeMap::new();
    for (head, body) in loops_of(left) {
        let mine = spans(left, &body);
        let fits = all.iter().filter(|(_, theirs)| mine.is_subset(theirs));
        if let Some((whole_head, _)) = fits.min_by_key(|(_, theirs)| theirs.len()) {
            found.insert(head, *whole_head);
        }
    }
    found
}

/// What registers of what is left are called in the whole program, where that can be said.
type Names = BTreeMap<VarId, Option<String>>;

/// Adds the invariants of a proof, in words about the whole program.
fn claim(certificate: &mut Certificate, program: &Program, proof: &Proof, names: &mut Names) {
    for (&(func, head), exprs) in &proof.invariants {
        let loops = same_loops(&program.funcs[func], &proof.program.funcs[func]);
        let Some(&whole_head) = loops.get(&head) else { continue };
        let said = exprs.iter().filter_map(|&it| in_whole(certificate, program, proof, it, names));
        let claims = said.collect();
        certificate.cuts.insert((func, whole_head), claims);
    }
    // Also those of which nothing is claimed: it is by induction that they are left.
    for (id, func) in program.funcs.iter_enumerated() {
        for head in loops_of(func).into_keys() {
            certificate.cuts.entry((id, head)).or_default();
        }
    }
}

/// Adds what holds before and after the calls of recursive functions.
fn contract(certificate: &mut Certificate, program: &Program, proof: &Proof, names: &mut Names) {
    for (&func, it) in &proof.contracts.contracts {
        let mut said = |place, names: &mut Names| -> Vec<String> {
            let exprs = proof.contracts.facts.get(&place).into_iter().flatten();
            exprs.filter_map(|&it| in_whole(certificate, program, proof, it, names)).collect()
        };
        let before = said(it.begins, names);
        // When the function has returned, its parameters are what was passed.
        let mut there = names.clone();
        for &(param, kept) in &it.old {
            there.insert(kept, Some(param.to_string()));
        }
        there.extend(it.result.map(|it| (it, Some("result".into()))));
        let after = said(it.returns, &mut there);
        certificate.contracts.insert(func, Words { before, after });
    }
}

/// A formula about what is left, about the whole program: registers that were made of bytes of objects are these
/// bytes. None if it speaks of what the whole program does not have.
fn in_whole(
    certificate: &mut Certificate,
    program: &Program,
    proof: &Proof,
    expr: ExprId,
    names: &mut Names,
) -> Option<String> {
    let pool = &proof.program.exprs;
    let mut mentioned = BTreeSet::new();
    pool.for_each_var(expr, &mut |var| {
        mentioned.insert(var);
    });
    let mut renamed = BTreeMap::new();
    for var in mentioned.into_iter().filter(|it| it.as_u32() as usize >= program.vars.len()) {
        let name = names.entry(var).or_insert_with(|| {
            let place = place_of(program, &proof.program, var)?;
            certificate.places.push(place);
            let number = program.vars.len() + certificate.places.len() - 1;
            Some(VarId::from_u32(number as u32).to_string())
        });
        renamed.insert(var.to_string(), name.clone()?);
    }
    let text = formula::print(pool, expr);
    let words = text.split_inclusive([' ', '(', ')']);
    let rename = |word: &str| {
        let end = word.find([' ', '(', ')']).unwrap_or(word.len());
        match renamed.get(&word[..end]) {
            Some(new) => format!("{new}{}", &word[end..]),
            None => word.to_string(),
        }
    };
    Some(words.map(rename).collect())
}

/// The bytes that a register stands for which a pass has made of a field of an object.
fn place_of(program: &Program, left: &Program, var: VarId) -> Option<Place> {
    let info = &left.vars[var];
    let is_it = |object: &hardbop_cir::ObjInfo| match object.kind {
        ObjKind::Global => info.owner.is_none(),
        ObjKind::Local(func) => info.owner == Some(func),
        ObjKind::Heap(_) | ObjKind::Thread => false,
    };
    program.objects.iter_enumerated().filter(|(_, it)| it.span == info.span && is_it(it)).find_map(
        |(object, it)| {
            let mut fields = Vec::new();
            list_fields(&it.shape, it.name.to_string(), 0, &mut fields);
            let found =
                fields.into_iter().find(|(name, _, ty)| **name == *info.name && *ty == info.ty);
            found.map(|(_, offset, ty)| Place { object, offset, ty })
        },
    )
}

fn list_fields(shape: &Shape, name: String, at: u64, fields: &mut Vec<(String, u64, Ty)>) {
    if fields.len() >= MAX_FIELDS {
        return;
    }
    match shape {
        Shape::Bytes => {}
        Shape::Scalar { ty, .. } => fields.push((name, at, *ty)),
        Shape::Array { element, stride, len } => {
            for index in 0..(*len).min(MAX_FIELDS as u64) {
                list_fields(element, format!("{name}[{index}]"), at + index * stride, fields);
            }
        }
        Shape::Record(list) => {
            for (field, offset, shape) in list {
                list_fields(shape, format!("{name}.{field}"), at + offset, fields);
            }
        }
    }
}
