//! Random programs are well-formed, use the whole language, and print as themselves.

use hardbop_base::SourceFile;
use hardbop_gen::random::{self, Profile};

const N_SEEDS: u64 = 2000;

#[test]
fn random_programs_load_and_print_as_themselves() {
    for profile in Profile::all() {
        for seed in 0..N_SEEDS {
            let program = random::program(seed, &profile);
            let file = SourceFile::new("random.bp", hardbop_bp::print(&program));
            let (lowered, diagnostics) = hardbop_bp::load(&file);
            let Some(lowered) = lowered else {
                panic!("{} {seed}: {diagnostics:#?}\n{}", profile.name, file.text)
            };
            let verified = hardbop_cfg::verify::verify(&lowered);
            assert!(verified.is_ok(), "{} {seed}: {verified:?}", profile.name);
            let (mut read, _) = hardbop_bp::parse(&file);
            assert_eq!(hardbop_bp::print(&read), file.text, "{} {seed}", profile.name);
            hardbop_gen::erase_spans(&mut read);
            assert_eq!(read, program, "{} {seed}\n{}", profile.name, file.text);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let profile = Profile::threads();
    assert_eq!(random::program(42, &profile), random::program(42, &profile));
    assert_ne!(random::program(42, &profile), random::program(43, &profile));
}

#[test]
fn every_construct_of_the_language_occurs() {
    let programs = Profile::all().into_iter().flat_map(|profile| {
        (0..200).map(move |seed| hardbop_bp::print(&random::program(seed, &profile)))
    });
    let text: String = programs.collect();
    for construct in [
        " & ",
        " | ",
        " ^ ",
        " = ",
        " != ",
        " => ",
        "!",
        "*",
        " ? ",
        "schoose[",
        "'g0",
        "0",
        "1",
        "decl g0 := ",
        "decl l0 := ",
        "bool<2> p0(",
        "bool p0(",
        "void p0(f0",
        "enforce ",
        "abortif ",
        "skip;",
        "print(",
        "goto ",
        "return;",
        "return ",
        "_ := p",
        ", _",
        " constrain ",
        "if ",
        "elsif ",
        "else\n",
        "while ",
        "assert",
        "assume",
        "dead ",
        "start_thread goto ",
        "start_thread p",
        "ASYNC_0: ",
        "end_thread;",
        "atomic_begin;",
        "atomic_end;",
        "l0$",
        "\n1: ",
        "L0: L1: ",
    ] {
        // Labels stand at any depth.
        let is_label = construct.starts_with('\n');
        let occurs = if is_label {
            text.lines().any(|line| line.trim_start().starts_with(construct.trim_start()))
        } else {
            text.contains(construct)
        };
        assert!(occurs, "no program has `{construct}`");
    }
}
