//! Why a C program is safe, in words: what the proof says of each loop.

use hardbop_base::Span;
use hardbop_c::CProgram;
use hardbop_cegar_threads::Cover;
use hardbop_cfg::LocRef;
use hardbop_cir::{BlockId, FuncId, Program, Term};
use hardbop_kind::Proof;
use hardbop_kind::print::{c_expr, for_every_call, for_every_index, is_of_source};

use crate::cover::in_words;
use crate::explain::Invariant;

/// Of a program with threads: what the predicates are, and the states of the Boolean program with the number of threads at each place.
pub(crate) fn of_threads(loaded: &CProgram, cover: &Cover) -> Vec<Invariant> {
    let told =
        |at: &str, holds| Invariant { file: None, line: None, proc: None, at: at.into(), holds };
    let predicates = cover.predicates.iter();
    let mut list: Vec<_> =
        predicates.map(|(name, it)| told("predicate", format!("{name} is {it}"))).collect();
    let place = |at: LocRef| match cover.program.procs[at.proc].locs[at.loc].span {
        Some(span) => format!("line {}", loaded.sources.position(span).line),
        None => "the end".into(),
    };
    list.extend(in_words(&cover.program, &cover.proof, &place));
    list
}

/// The invariants of the loops, and those about all elements of arrays and about all calls.
pub(crate) fn invariants(loaded: &CProgram, proof: &Proof) -> Vec<Invariant> {
    let mut list = Vec::new();
    for (&(func, head), exprs) in &proof.invariants {
        let exprs = exprs.iter().filter(|it| is_of_source(proof, **it));
        let exprs: Vec<String> = exprs.map(|&it| c_expr(&proof.program, it)).collect();
        if exprs.is_empty() {
            continue;
        }
        let at = loaded.sources.position(loop_span(&proof.program, func, head));
        list.push(Invariant {
            file: Some(at.file.to_string()),
            line: Some(at.line),
            proc: Some(proof.program.funcs[func].name.clone()),
            at: "each time the loop begins".into(),
            holds: exprs.join(" && "),
        });
    }
    list.extend(for_every_index(proof).into_iter().map(|holds| Invariant {
        file: None,
        line: None,
        proc: None,
        at: "arrays".into(),
        holds,
    }));
    list.extend(for_every_call(proof).into_iter().map(|holds| Invariant {
        file: None,
        line: None,
        proc: None,
        at: "calls".into(),
        holds,
    }));
    list
}

/// The statement of a loop: that of the jump into it, where there is one.
pub fn loop_span(program: &Program, func: FuncId, head: BlockId) -> Span {
    let blocks = &program.funcs[func].blocks;
    let first = blocks[head].insts.first().map_or(blocks[head].span, |inst| inst.span);
    let entering = blocks.iter_enumerated().find(|(id, block)| {
        *id < head
            && matches!(block.term, Term::Goto(to) if to == head)
            && block.span.start <= first.start
    });
    entering.map_or(first, |(_, block)| block.span)
}
