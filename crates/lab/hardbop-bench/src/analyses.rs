//! Times of all analyses on large generated programs.
//!
//! `wide`: 10,000 procedures of 20 statements with branches, loops and two calls each. `deep`: a
//! chain of 100,000 procedures. `straight`: 200,000 statements in a row. `jumps`: 200,000 statements
//! that may all jump to one error location, from two branches. `knot`: 2,000 mutually recursive
//! procedures of 100 statements.

use std::sync::LazyLock;
use std::time::Instant;

use hardbop_base::{IndexVec, Name};
use hardbop_cfg::analysis::{
    AtomicFuture, CallGraph, Dominators, Effects, Follow, Future, Live, ModRef, Population, Preds,
    Reading, WeakOrder,
};
use hardbop_cfg::{
    Action, Assign, Call, ExprId, ExprPool, Loc, ProcBuilder, ProcId, Program, VarId, VarInfo,
    text, verify,
};

/// Milliseconds this thread has been on a processor; on the clock where the system does not tell.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_cpu = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    on_cpu.map_or_else(|| START.elapsed().as_secs_f64() * 1e3, |nanos| nanos / 1e6)
}

const N_SHARED: u32 = 40;
const N_LOCALS: u32 = 20;

fn names(prefix: &str, n: u32) -> Vec<VarInfo> {
    (0..n).map(|i| VarInfo { name: Name::from(format!("{prefix}{i}")), span: None }).collect()
}

struct Generator {
    exprs: ExprPool,
    state: u64,
}

impl Generator {
    fn below(&mut self, n: u32) -> u32 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) % u64::from(n)) as u32
    }

    fn var(&mut self) -> VarId {
        VarId::from_u32(self.below(N_SHARED + N_LOCALS))
    }

    fn expr(&mut self) -> ExprId {
        let (a, b, c) = (self.var(), self.var(), self.var());
        let (a, b, c) = (self.exprs.var(a), self.exprs.var(b), self.exprs.var(c));
        let not = self.exprs.not(b);
        let and = self.exprs.and(a, not);
        self.exprs.or(and, c)
    }

    fn assign(&mut self) -> Action {
        let targets = vec![(self.var(), self.expr())];
        Action::Assign(Box::new(Assign { targets, broadcast: Vec::new(), constrain: None }))
    }

    fn call(callee: u32) -> Action {
        let callee = ProcId::from_u32(callee);
        Action::Call(Box::new(Call { callee, args: Vec::new(), results: Vec::new() }))
    }

    /// A straight line of `n` statements; each may also jump to where `jump` says, by its index.
    fn proc(
        &mut self,
        id: u32,
        n: u32,
        calls: &[u32],
        jump: impl Fn(u32) -> Option<u32>,
    ) -> hardbop_cfg::Proc {
        let mut builder = ProcBuilder::new(Name::from(format!("p{id}")), None);
        builder.locals(names("x", N_LOCALS), 0, 0);
        let locs: Vec<Loc> = (0..n).map(|_| builder.loc(None)).collect();
        builder.entry(locs[0]);
        for (i, &from) in (0..).zip(&locs) {
            let to = locs.get(i as usize + 1).copied().unwrap_or(builder.exit());
            let action = match calls.get(i as usize) {
                Some(&callee) => Generator::call(callee),
                None => self.assign(),
            };
            builder.edge(from, action, to);
            if let Some(target) = jump(i) {
                let target = locs.get(target as usize).copied().unwrap_or(builder.exit());
                let guard = self.expr();
                builder.edge(from, Action::Assume(guard), target);
            }
        }
        builder.finish()
    }
}

fn program(make: impl FnOnce(&mut Generator) -> Vec<hardbop_cfg::Proc>) -> Program {
    let mut generator = Generator { exprs: ExprPool::default(), state: 1 };
    let procs: IndexVec<ProcId, hardbop_cfg::Proc> = make(&mut generator).into();
    let main = ProcId::from_u32(0);
    Program { shared: names("g", N_SHARED), init: Vec::new(), procs, main, exprs: generator.exprs }
}

/// A loop back now and then, a jump ahead now and then.
fn jumps(i: u32) -> Option<u32> {
    match i % 10 {
        4 => Some(i + 5),
        9 => Some(i - 4),
        _ => None,
    }
}

fn wide() -> Program {
    program(|generator| {
        let calls = |i: u32| if i < 4_999 { vec![2 * i + 1, 2 * i + 2] } else { Vec::new() };
        (0..10_000).map(|i| generator.proc(i, 20, &calls(i), jumps)).collect()
    })
}

fn deep() -> Program {
    program(|generator| {
        let calls = |i: u32| if i < 99_999 { vec![i + 1] } else { Vec::new() };
        (0..100_000).map(|i| generator.proc(i, 2, &calls(i), |_| None)).collect()
    })
}

fn straight() -> Program {
    program(|generator| vec![generator.proc(0, 200_000, &[], |_| None)])
}

fn error_label() -> Program {
    program(|generator| {
        // The first statement chooses between two long branches; all jump to the last one.
        let jump = |i: u32| Some(if i == 0 { 100_000 } else { 199_999 });
        vec![generator.proc(0, 200_000, &[], jump)]
    })
}

fn knot() -> Program {
    program(|generator| {
        let calls = |i: u32| [(i * 7 + 1) % 2_000, (i + 1) % 2_000];
        (0..2_000).map(|i| generator.proc(i, 100, &calls(i), jumps)).collect()
    })
}

/// Milliseconds of each part, in one line.
fn measure(name: &str, program: &Program) {
    let n_edges = program.all_edges().count();
    let mut line = format!("{name:9} {:6} procs {n_edges:7} edges |", program.procs.len());
    let mut total = 0.0;
    let mut time = |what: &str, counts: bool, start: f64| {
        let ms = now() - start;
        line += &format!(" {what} {ms:.0}");
        total += if counts { ms } else { 0.0 };
    };
    let start = now();
    verify(program).expect("the generated program is well-formed");
    time("verify", true, start);
    let start = now();
    let calls = CallGraph::of(program);
    time("calls", true, start);
    let start = now();
    let effects = Effects::of(program, Reading::DataFlow);
    time("effects", true, start);
    let start = now();
    let modref = ModRef::of(program, &effects, &calls, Follow::Calls);
    time("modref", true, start);
    let start = now();
    let live = Live::with(program, Population::One, &effects, &calls);
    time("live", true, start);
    let start = now();
    let dependence = Effects::of(program, Reading::Dependence);
    let future = Future::of(program, &dependence, &calls);
    let atomic = AtomicFuture::of(program, &dependence, &calls);
    time("futures", true, start);
    let start = now();
    let mut n = 0;
    for proc in &program.procs {
        n += Dominators::of(proc).loop_heads().len();
    }
    time("dominators", true, start);
    let start = now();
    for proc in &program.procs {
        let weak = WeakOrder::of(proc);
        n += weak.order().len() + weak.priorities(proc).len();
    }
    time("orders", true, start);
    let start = now();
    program.procs.iter().for_each(|proc| drop(Preds::of(proc)));
    time("preds", true, start);
    let start = now();
    let printed = text::print(program);
    time("| print", false, start);
    let start = now();
    text::read(&printed).expect("what is printed is read");
    time("read", false, start);
    println!("{line} | all analyses {total:.0} ms");
    drop((modref, live, future, atomic, n));
}

pub fn run() {
    for (name, make) in [
        ("wide", wide as fn() -> Program),
        ("deep", deep),
        ("straight", straight),
        ("jumps", error_label),
        ("knot", knot),
    ] {
        measure(name, &make());
    }
}
