//! The parts of the sequential program that steer: the beginning, changing the context, and going on
//! to the next thread.

use hardbop_cfg::{Action, Call, ExprId, Loc, ProcBuilder, VarId};

use crate::contexts::body::{Body, Origin};
use crate::contexts::procedure::{begin_thread, end_thread};
use crate::contexts::sites::{Site, Start};
use crate::contexts::translate::Translation;

/// The initial values: those of the program in context 0, guesses elsewhere, the first thread in the
/// first context.
pub fn init(it: &mut Translation<'_>) -> Vec<(VarId, ExprId)> {
    let layout = it.layout;
    let mut init = Vec::new();
    for &(var, expr) in &it.old.init {
        let var = var.as_u32() as usize;
        init.push((layout.now(0, var), it.exprs.within(expr, 0)));
    }
    let n_initial = it.limits.initial.unwrap_or(1) as usize;
    for bit in 0..layout.n_alive {
        let value = it.exprs.truth(n_initial >> bit & 1 == 1);
        init.push((layout.now(0, layout.alive(bit)), value));
    }
    for context in 1..layout.n_contexts() {
        for var in 0..layout.n_copied() {
            init.push((layout.now(context, var), it.exprs.var(layout.guess(context, var))));
        }
    }
    for context in 0..layout.n_contexts() {
        let is_first = it.exprs.truth(context == 0);
        let no = it.exprs.truth(false);
        let steering = [layout.at(context), layout.taken(context), layout.first(context)];
        init.extend(steering.map(|var| (var, is_first)));
        if context > 0 {
            init.extend((0..layout.n_site).map(|bit| (layout.site(context, bit), no)));
            init.extend((0..layout.n_store).map(|index| (layout.store(context, index), no)));
        }
    }
    let no = it.exprs.truth(false);
    init.extend([(layout.atomic(), no), (layout.error(), no)]);
    init.sort_unstable();
    init
}

fn call(callee: hardbop_cfg::ProcId, args: Vec<ExprId>) -> Action {
    Action::Call(Box::new(Call { callee, args, results: Vec::new() }))
}

/// Other initial threads get their first contexts, then the first thread runs.
pub fn main(it: &mut Translation<'_>) -> Body {
    let layout = it.layout;
    let mut body = Body::new(ProcBuilder::new("main".into(), None));
    let entry = body.loc(None);
    body.builder().entry(entry);
    let most = it.limits.initial.map_or(layout.last, |n| layout.last.min(n as usize - 1));
    let site = Site::of_main(it.old);
    // By how many of them have got one.
    let mut rows = vec![entry];
    for context in 1..layout.n_contexts() {
        let next: Vec<Loc> = (0..=rows.len().min(most)).map(|_| body.loc(None)).collect();
        for (n, &from) in rows.iter().enumerate() {
            body.edge(from, Action::Skip, next[n], Origin::Silent);
            if n < most {
                let (condition, targets) = begin_thread(it, site, &[], 0, context);
                body.assign(from, condition, targets, next[n + 1], Origin::AlsoInitial(context));
            }
        }
        rows = next;
    }
    let start = body.loc(None);
    for from in rows {
        body.edge(from, Action::Skip, start, Origin::Silent);
    }
    let ended = body.loc(None);
    let n_formals = it.old.procs[it.old.main].n_formals;
    let args = vec![it.exprs.any(); n_formals];
    body.edge(start, call(it.old.main, args), ended, Origin::Begin(0));
    let gone = end_thread(it, &mut body, ended, Origin::Silent);
    stop(it, &mut body, gone);
    body
}

/// The running thread never moves again: the next one is called.
pub fn stop(it: &Translation<'_>, body: &mut Body, gone: Loc) {
    let never = body.loc(None);
    body.edge(gone, call(it.advance(), Vec::new()), never, Origin::Silent);
}

/// From a context that has become what the next one was guessed to begin with, to a free one that is
/// not the very next, which would be no switch.
pub fn switch(it: &mut Translation<'_>) -> Body {
    let layout = it.layout;
    let mut body = Body::new(ProcBuilder::new("switch".into(), None));
    let entry = body.loc(None);
    body.builder().entry(entry);
    let (yes, no) = (it.exprs.truth(true), it.exprs.truth(false));
    for from in 0..layout.n_contexts() {
        for to in from + 2..layout.n_contexts() {
            let condition = [
                it.exprs.var(layout.at(from)),
                it.exprs.not(layout.taken(to)),
                it.exprs.not(layout.atomic()),
                it.exprs.agrees(from),
            ];
            let condition = it.exprs.all(condition);
            let targets =
                vec![(layout.at(from), no), (layout.at(to), yes), (layout.taken(to), yes)];
            let exit = body.exit();
            body.assign(entry, condition, targets, exit, Origin::Silent);
        }
    }
    body
}

/// The thread with the next first context runs; after the last one the run is complete.
pub fn advance(it: &mut Translation<'_>) -> Body {
    let layout = it.layout;
    let mut body = Body::new(ProcBuilder::new("advance".into(), None));
    let (entry, left, ended) = (body.loc(None), body.loc(None), body.loc(None));
    body.builder().entry(entry);
    // A thread stops for good where it has reached the goal, or in a context before the last.
    let error = it.exprs.var(layout.error());
    let in_last = it.exprs.var(layout.at(layout.last));
    let reached = it.exprs.all([error, in_last]);
    body.edge(entry, Action::Assume(reached), left, Origin::Silent);
    for context in 0..layout.last {
        let condition = [
            it.exprs.var(layout.at(context)),
            it.exprs.not(layout.atomic()),
            it.exprs.agrees(context),
        ];
        let condition = it.exprs.all(condition);
        body.edge(entry, Action::Assume(condition), left, Origin::Silent);
    }
    let (yes, no) = (it.exprs.truth(true), it.exprs.truth(false));
    let complete = body.loc(None);
    let starts: Vec<(usize, Loc)> = (1..layout.n_contexts())
        .map(|context| (context, thread(it, &mut body, context, ended)))
        .collect();
    for now in 0..layout.n_contexts() {
        let mut none_between = it.exprs.var(layout.first(now));
        for &(next, start) in &starts[now..] {
            let bits = it.site_bits(next);
            let is_none = it.exprs.is_number(&bits, 0);
            let is_some = it.exprs.pool.not(is_none);
            let condition = it.exprs.all([none_between, is_some]);
            let mut targets = vec![(layout.first(now), no), (layout.first(next), yes)];
            targets.extend(
                (0..layout.n_contexts())
                    .map(|context| (layout.at(context), if context == next { yes } else { no })),
            );
            targets.push((layout.atomic(), no));
            body.assign(left, condition, targets, start, Origin::Silent);
            none_between = it.exprs.all([none_between, is_none]);
        }
        body.edge(left, Action::Assume(none_between), complete, Origin::Silent);
    }
    let mut all = vec![error];
    all.extend((0..layout.n_contexts()).map(|context| it.exprs.var(layout.taken(context))));
    let reached = body.loc(None);
    let all = it.exprs.all(all);
    body.edge(complete, Action::Assume(all), reached, Origin::Silent);
    let exit = body.exit();
    body.edge(reached, Action::Assert(no), exit, Origin::Silent);
    let gone = end_thread(it, &mut body, ended, Origin::Silent);
    stop(it, &mut body, gone);
    body
}

/// Where the thread with this first context begins, by the place it starts at.
fn thread(it: &mut Translation<'_>, body: &mut Body, context: usize, ended: Loc) -> Loc {
    let from = body.loc(None);
    let bits = it.site_bits(context);
    for (at, site) in it.sites.0.clone().into_iter().enumerate() {
        let here = body.loc(None);
        let is_here = it.exprs.is_number(&bits, at + 1);
        body.edge(from, Action::Assume(is_here), here, Origin::Silent);
        let n_values = site.n_values(it.old);
        let mut args: Vec<_> =
            (0..n_values).map(|index| it.exprs.var(it.layout.store(context, index))).collect();
        if site.start == Start::Nothing {
            args = vec![it.exprs.any(); it.old.procs[site.proc].n_formals];
        }
        body.edge(here, call(it.entry_of(site), args), ended, Origin::Begin(context));
    }
    from
}
