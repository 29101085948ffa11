use hardbop_base::{Budget, SourceFile};
use hardbop_cover::{
    backward::Backward,
    km::{Forward, Until},
    modular::Modular,
    nets::*,
    run::Run,
    system::System,
    unroll::unroll,
};
use hardbop_engine::RunCtx;
use hardbop_net::*;
use std::time::{Duration, Instant};
fn trace(net: &Net, q: &Question, run: Option<Run>) -> String {
    let Some(run) = run else { return "NORUN".into() };
    let t = NetTrace {
        initial: to_marking(&run.initial),
        steps: run
            .steps
            .iter()
            .map(|s| NetStep {
                rule: s.rule.tag as usize,
                moved: s.moved.iter().map(|&(a, b, n)| (a.as_u32(), b.as_u32(), n)).collect(),
            })
            .collect(),
    };
    match replay(net, q, &t) {
        Ok(_) => format!("ok {} steps {} threads", t.steps.len(), run.n_threads()),
        Err(e) => format!("BAD {e}"),
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let engine = &args[1];
    let secs: u64 = args[2].parse().unwrap();
    let path = &args[3];
    let file = SourceFile::new(path.as_str(), std::fs::read_to_string(path).unwrap());
    let (net, q) = if path.ends_with(".spec") {
        spec::parse(&file).unwrap_or_else(|e| {
            println!("{path} reject {}", e[0].message);
            std::process::exit(2)
        })
    } else {
        let net = tts::parse(&file).unwrap_or_else(|e| {
            println!("{path} reject {}", e[0].message);
            std::process::exit(2)
        });
        let prop = path.replace(".tts", ".prop");
        let t = std::fs::read_to_string(&prop).unwrap();
        (
            net,
            Question {
                initial: query::initial(args.get(4).map_or("0/0", |s| s)).unwrap(),
                targets: vec![query::target(t.trim()).unwrap()],
            },
        )
    };
    let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(secs)));
    let mut meter = ctx.budget.meter(256);
    let start = Instant::now();
    let mut sys = NetSystem::new(&net, &q);
    let out = if engine == "km" {
        let targets = sys.targets();
        let mut f = Forward::new(targets.clone());
        let r = f.explore(&mut sys, Until::FirstTarget, &ctx);
        let time = start.elapsed();
        let what = match (r, f.covered.iter().position(|c| c.is_some())) {
            (_, Some(t)) => format!(
                "unsafe {}",
                trace(
                    &net,
                    &q,
                    unroll(
                        &f,
                        &mut sys,
                        f.covered[t].unwrap(),
                        &targets[t].counts.clone(),
                        &mut meter
                    )
                    .unwrap()
                )
            ),
            (Err(e), _) => format!("unknown {e}"),
            (Ok(()), None) => "safe".into(),
        };
        format!(
            "{what} nodes {} max {} accels {} {:.3}s",
            f.n_nodes(),
            f.cover().len(),
            f.n_accels(),
            time.as_secs_f64()
        )
    } else {
        let m = Modular::new(&mut sys, &mut meter).unwrap();
        let mut b = Backward::new(&mut sys, &m, &mut meter).unwrap();
        let t = sys.targets();
        let r = b.search(&mut sys, &t, &ctx);
        let time = start.elapsed();
        let what = match r {
            Ok(Some(_)) => {
                format!("unsafe {}", trace(&net, &q, b.run(&mut sys, &mut meter).unwrap()))
            }
            Ok(None) => "safe".into(),
            Err(e) => format!("unknown {e}"),
        };
        format!(
            "{what} pairs {} rules {} elements {} basis {} {:.3}s",
            m.n_pairs(),
            m.rules.len(),
            b.n_elements(),
            b.basis().len(),
            time.as_secs_f64()
        )
    };
    println!("{path} {engine} {out}");
}
