fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let secs: u64 = args.next().map_or(60, |it| it.parse().unwrap());
    let text = std::fs::read_to_string(&file).unwrap();
    let classes = vec![hardbop_cir::Class::Assert];
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![(file.clone().into(), text)], &options).expect("C");
    if args.next().is_some() {
        println!("{}", hardbop_cir::text::print(&loaded.program));
    }
    let options = hardbop_engine_c::Options { classes, unwind: None, stop_at_first: true };
    let budget = hardbop_base::Budget::unlimited().with_time(std::time::Duration::from_secs(secs));
    let mut last = String::new();
    let said = hardbop_cegar_threads::check(&loaded.program, &options, &budget, &mut |round| {
        last = round.text(&|span| format!("{}", loaded.sources.position(span).line));
        if std::env::var("V").is_ok() {
            eprintln!("== round {} {}", round.number, last);
        }
    });
    if std::env::var("P").is_ok() {
        println!("{last}");
    }
    println!("{file} {:?} {:?}", said.report.overall().bare(), said.stats);
    if let hardbop_engine::Verdict::Unknown(r) = said.report.overall() {
        println!("  {}", r.told(|s| format!("line {}", loaded.sources.position(s).line)));
    }
}
