//! Witnesses of other tools: the program they are woven into ([`hardbop_witness`]) is checked like any other, and the
//! verdicts on its checks are what is to be said of the witness.

use hardbop_c::CProgram;
use hardbop_cir::{
    BinOp, Block, BlockId, Check, CheckId, Expr, FuncId, Inst, Op, Program, Term, VarId, VarInfo,
    VarKind,
};
use hardbop_engine::{RunCtx, Verdict};
use hardbop_witness::{BROKEN, SEGMENT};

use super::property::Property;
use crate::outcome::Outcome;
use crate::run::Request;

/// What is to be said of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// What it says is so.
    Accepted,
    /// It is not.
    Refuted(Blame),
    /// Nobody knows, and why.
    Unknown(String),
}

/// What in a witness is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blame {
    /// This invariant, counted from 1, does not hold.
    Invariant(u32),
    /// The program violates the property.
    Violated(String),
    /// The program has nothing that could go wrong in the line of the target.
    NoTarget,
    /// No execution passes this segment, counted from 1, and those before it.
    Segment(u32),
    /// Executions pass all segments, and none goes wrong at the target.
    Target,
}

/// Judges the invariants that are in a program: calls of the functions [`BROKEN`] are checks of it, the others are the
/// property. `alone` is the program without them.
pub fn judge_correctness(
    woven: &CProgram,
    alone: &CProgram,
    request: &Request,
    ctx: &RunCtx,
) -> Judgement {
    let outcome = asked(woven, request, ctx);
    let wrong = outcome.properties.iter().filter(|it| it.verdict.is_unsafe());
    if let Some(number) = wrong.filter_map(|it| number_in(&it.message, BROKEN)).min() {
        return Judgement::Refuted(Blame::Invariant(number));
    }
    match &outcome.verdict {
        Verdict::Safe => Judgement::Accepted,
        Verdict::Unknown(_) => Judgement::Unknown(doubt(&outcome)),
        // It may be the invariant that goes wrong, as by an overflow.
        Verdict::Unsafe(_) => match &asked(alone, request, ctx).verdict {
            Verdict::Unsafe(violation) => {
                Judgement::Refuted(Blame::Violated(violation.to_string()))
            }
            _ => Judgement::Unknown("looking at an invariant goes wrong".into()),
        },
    }
}

/// Judges the waypoints that are in a program. The target is a line of the file. `step` is the same program with a check
/// that fails when the segment, counted from 1, is passed, and no other.
pub fn judge_violation(
    woven: &CProgram,
    n_segments: u32,
    target: (&str, u32),
    request: &Request,
    ctx: &RunCtx,
    mut step: impl FnMut(u32) -> Option<CProgram>,
) -> Judgement {
    let is_target = |it: &Check| {
        let at = woven.sources.position(it.span);
        (&*at.file, at.line) == target
    };
    if !woven.program.checks.iter().any(is_target) {
        return Judgement::Refuted(Blame::NoTarget);
    }
    let plain = CProgram { trusting: None, brief: None, ..woven.clone() };
    let goal = match n_segments {
        0 => plain,
        _ => only_after(plain, n_segments, is_target),
    };
    let outcome = asked(&goal, request, ctx);
    let at_target = |it: &&Property| (&*it.file, it.line) == target;
    if outcome.properties.iter().filter(at_target).any(|it| it.verdict.is_unsafe()) {
        return Judgement::Accepted;
    }
    let is_settled =
        outcome.properties.iter().filter(at_target).all(|it| it.verdict == Verdict::Safe);
    // Soundness: a check that is gone was not looked at.
    if !is_settled || !outcome.properties.iter().any(|it| at_target(&it)) {
        return Judgement::Unknown(doubt(&outcome));
    }
    let is_passed = |segment: u32| {
        step(segment).is_none_or(|it| asked(&it, request, ctx).verdict != Verdict::Safe)
    };
    let mut passed = (1..=n_segments).map(is_passed);
    match passed.position(|it| !it) {
        Some(at) => Judgement::Refuted(Blame::Segment(at as u32 + 1)),
        None => Judgement::Refuted(Blame::Target),
    }
}

fn asked(program: &CProgram, request: &Request, ctx: &RunCtx) -> Outcome {
    super::check(program, request, ctx)
}

fn doubt(outcome: &Outcome) -> String {
    let of_check = outcome.properties.iter().find_map(|it| it.detail.clone());
    outcome.detail.clone().or(of_check).unwrap_or_else(|| "not all was decided".into())
}

/// The number behind the name of a function of ours in the message of a check.
fn number_in(message: &str, prefix: &str) -> Option<u32> {
    let rest = message.split_once(prefix)?.1;
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}

/// The program whose checks of this kind are made only when so many segments have been passed.
fn only_after(mut loaded: CProgram, n_segments: u32, is_it: impl Fn(&Check) -> bool) -> CProgram {
    let program = &mut loaded.program;
    let checks: Vec<CheckId> =
        program.checks.iter_enumerated().filter(|it| is_it(it.1)).map(|it| it.0).collect();
    let is_asked = |it: &Inst| matches!(it.op, Op::Check { check, .. } if checks.contains(&check));
    for func in program.funcs.ids() {
        let mut todo: Vec<BlockId> = program.funcs[func].blocks.ids().collect();
        while let Some(block) = todo.pop() {
            let insts = &program.funcs[func].blocks[block].insts;
            let Some(at) = insts.iter().position(&is_asked) else { continue };
            // before; passed? yes: the check, then the rest; no: the rest
            let (load, cond) = passed(program, func, n_segments);
            let blocks = &mut program.funcs[func].blocks;
            let mut rest = blocks[block].insts.split_off(at);
            let check = rest.remove(0);
            let span = check.span;
            let term = blocks[block].term.clone();
            let rest = blocks.push(Block { insts: rest, term, span: blocks[block].span });
            let asked = blocks.push(Block { insts: vec![check], term: Term::Goto(rest), span });
            blocks[block].insts.extend(load.map(|op| Inst { op, span }));
            blocks[block].term = Term::Branch { cond, yes: asked, no: rest };
            blocks[block].span = span;
            todo.push(rest);
        }
    }
    hardbop_cir::expect_verified(program, "waypoints");
    loaded
}

/// Whether so many segments have been passed, and what has to be done to know.
fn passed(
    program: &mut Program,
    func: FuncId,
    n_segments: u32,
) -> (Option<Op>, hardbop_cir::ExprId) {
    let ty = hardbop_cir::Ty::Int(32);
    let global =
        program.vars.iter_enumerated().find(|it| &*it.1.name == SEGMENT && it.1.owner.is_none());
    let (load, counter): (_, VarId) = match global.map(|it| it.0) {
        Some(var) => (None, var),
        None => {
            let object = program.objects.iter_enumerated().find(|it| &*it.1.name == SEGMENT);
            let ptr = match object.map(|it| it.0) {
                Some(object) => program.exprs.add(Expr::Addr(object)),
                None => program.exprs.add(Expr::Null),
            };
            let dst = program.vars.push(VarInfo {
                name: SEGMENT.into(),
                ty,
                is_signed: false,
                kind: VarKind::Temp,
                owner: Some(func),
                init: None,
                span: None,
            });
            (Some(Op::Load { dst, ptr }), dst)
        }
    };
    let counter = program.exprs.var(counter, ty);
    let wanted = program.exprs.int(32, u128::from(n_segments));
    (load, program.exprs.add(Expr::Binary(BinOp::Eq, counter, wanted)))
}
