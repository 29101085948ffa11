fn main() {
    let file = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let options =
        hardbop_c::Options { classes: vec![hardbop_cir::Class::Assert], ..Default::default() };
    let loaded = hardbop_c::load_text(vec![(file.into(), text)], &options).expect("C");
    println!("{}", hardbop_cir::text::print(&loaded.program));
}
