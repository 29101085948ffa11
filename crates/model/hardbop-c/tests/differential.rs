//! Generated programs print on the interpreter what they print when compiled.

mod generate;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use hardbop_base::Span;
use hardbop_c::{Options, load_text};
use hardbop_cir::analysis::{PointsTo, Ranges};
use hardbop_cir::interp::{Config, Ending, run};
use hardbop_cir::pass::{self, Keep, Passes};
use hardbop_cir::{BinOp, Check, Class, Cond, ExprId, Inst, Op, Program, Ty, VarId};

/// What `cc` and the processor make of a program; `None` if it does not end well.
fn compiled(folder: &Path, seed: u64, text: &str) -> Option<(Vec<u8>, i32)> {
    let (source, binary) = (folder.join(format!("{seed}.c")), folder.join(format!("{seed}.out")));
    std::fs::write(&source, text).ok()?;
    let flags = ["-w", "-O0", "-fwrapv", "-fno-strict-aliasing"];
    let status = Command::new("cc")
        .args(flags)
        .arg(&source)
        .args(["-lm", "-o"])
        .arg(&binary)
        .status()
        .ok()?;
    assert!(status.success(), "the generated program does not compile:\n{text}");
    let output = Command::new(&binary).output().ok()?;
    let _ = std::fs::remove_file(&binary);
    Some((output.stdout, output.status.code()?))
}

fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|it| it.status.success());
    if !found {
        eprintln!("SKIPPED: there is no C compiler `cc` to compare with");
    }
    found
}

/// The program as it is, read back from its text, and after each pass and all of them.
fn variants(program: &Program) -> Vec<(&'static str, Program)> {
    let mut resolved = program.clone();
    pass::resolve_calls(&mut resolved, &PointsTo::of(program));
    let mut propagated = program.clone();
    pass::propagate(&mut propagated);
    let mut tidied = propagated.clone();
    pass::drop_dead(&mut tidied);
    let mut sliced = program.clone();
    pass::slice(&mut sliced, &PointsTo::of(program), Keep::ChecksAndOutput);
    let mut inlined = resolved.clone();
    pass::inline(&mut inlined);
    let mut promoted = program.clone();
    pass::promote(&mut promoted);
    // Constants that come in from the calls make more objects fit.
    let mut promoted_late = inlined.clone();
    pass::propagate(&mut promoted_late);
    pass::drop_dead(&mut promoted_late);
    pass::promote(&mut promoted_late);
    // With no question about memory the slice has more to drop.
    let mut all = program.clone();
    pass::keep_classes(&mut all, &[Class::Assert, Class::Div]);
    pass::shrink(&mut all, Keep::ChecksAndOutput, Passes::ALL);
    let text = hardbop_cir::text::print(program);
    let read = hardbop_cir::text::read(&text).unwrap_or_else(|it| panic!("{it}\n{text}"));
    assert_eq!(hardbop_cir::text::print(&read), text);
    vec![
        ("as lowered", program.clone()),
        ("read back", read),
        ("calls resolved", resolved),
        ("constants propagated", propagated),
        ("dead assignments dropped", tidied),
        ("sliced", sliced),
        ("inlined", inlined),
        ("promoted", promoted),
        ("promoted after inlining", promoted_late),
        ("ranges asserted", with_ranges(&all)),
        ("all passes", all),
    ]
}

/// The program with its ranges asserted after every write, and the differences of registers at the
/// start of every block.
fn with_ranges(program: &Program) -> Program {
    let ranges = Ranges::of(program);
    let mut checked = program.clone();
    for func in program.funcs.ids() {
        for block in program.funcs[func].blocks.ids() {
            let it = &program.funcs[func].blocks[block];
            let mut insts = Vec::new();
            let (mut n_differences, span) = (0, it.span);
            for (x, y, bound) in ranges.differences[func][block].iter() {
                let cond = at_most(&mut checked, x, y, bound);
                let (x, y) = (&program.vars[x].name, &program.vars[y].name);
                insts.push(assertion(&mut checked, cond, format!("{x} - {y} > {bound}"), span));
                n_differences += 1;
            }
            N_DIFFERENCES.fetch_add(n_differences, Ordering::Relaxed);
            for inst in &it.insts {
                insts.push(inst.clone());
                let Some(dst) = inst.op.dst() else { continue };
                let (Ty::Int(width @ 2..=64), Some(range)) =
                    (program.vars[dst].ty, ranges.vars[dst])
                else {
                    continue;
                };
                let pool = &mut checked.exprs;
                let value = pool.var(dst, Ty::Int(width));
                let (low, high) =
                    (pool.int(width, range.low as u128), pool.int(width, range.high as u128));
                let (above, below) =
                    (pool.binary(BinOp::Sle, low, value), pool.binary(BinOp::Sle, value, high));
                let cond = pool.binary(BinOp::And, above, below);
                let message = format!("{} is not in {range:?}", program.vars[dst].name);
                insts.push(assertion(&mut checked, cond, message, inst.span));
            }
            checked.funcs[func].blocks[block].insts = insts;
        }
    }
    checked
}

/// How many differences were asserted: none at all would test nothing.
static N_DIFFERENCES: AtomicUsize = AtomicUsize::new(0);

fn at_most(program: &mut Program, x: VarId, y: VarId, bound: i128) -> ExprId {
    let [x, y] = [x, y].map(|var| {
        let value = program.exprs.var(var, program.vars[var].ty);
        program.exprs.resize(value, 100, true)
    });
    let difference = program.exprs.binary(BinOp::Sub, x, y);
    let bound = program.exprs.int(100, bound as u128);
    program.exprs.binary(BinOp::Sle, difference, bound)
}

fn assertion(program: &mut Program, cond: ExprId, message: String, span: Span) -> Inst {
    let check = Check { class: Class::Assert, message: message.into(), span };
    let check = program.checks.push(check);
    Inst { op: Op::Check { check, cond: Cond::Holds(cond) }, span }
}

/// Constructs that compilers get wrong, written out: see `tests/torture`.
#[test]
fn torture_programs_run_as_compiled() {
    if !has_compiler() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("hardbop-c-torture-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    for (seed, (name, text)) in (0..).zip(generate::torture()) {
        let (output, code) = compiled(&folder, seed, &text).expect("the program ends well");
        compare(&name, &text, &output, code);
    }
    let _ = std::fs::remove_dir_all(&folder);
}

/// Runs a program and all its variants and compares what they print.
fn compare(name: &str, text: &str, output: &[u8], code: i32) {
    // Overflow is what it is on the machine: the generator avoids the rest.
    let classes: Vec<Class> = Class::ALL.into_iter().filter(|it| *it != Class::Uninit).collect();
    let options = Options { classes: classes.clone(), ..Options::default() };
    let loaded = match load_text(vec![("generated.c".into(), text.into())], &options) {
        Ok(loaded) => loaded,
        Err(rejected) => panic!("{name}: {:?}\n{text}", rejected.diagnostics),
    };
    for (variant, program) in variants(&loaded.program) {
        hardbop_cir::verify(&program)
            .unwrap_or_else(|it| panic!("{name}, {variant}: {it}\n{text}"));
        let config =
            Config { classes: classes.clone(), max_steps: 50_000_000, ..Config::default() };
        let result = run(&program, &config);
        let failed = match &result.ending {
            Ending::Violation(check) => {
                let check = &program.checks[*check];
                format!("line {}: {}", loaded.sources.position(check.span).line, check.message)
            }
            other => format!("{other:?}"),
        };
        let printed = String::from_utf8_lossy(&result.output).into_owned();
        let expected = String::from_utf8_lossy(output);
        assert_eq!(printed, expected, "{name}, {variant}: {failed}\n{text}");
        assert_eq!(result.ending, Ending::Exit(code as u8), "{name}, {variant}: {failed}\n{text}");
    }
}

#[test]
fn generated_programs_run_as_compiled() {
    if !has_compiler() {
        return;
    }
    let n: u64 = std::env::var("HARDBOP_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(40);
    let folder = std::env::temp_dir().join(format!("hardbop-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let mut n_compared = 0;
    for seed in 0..n {
        let text = generate::program(seed);
        let Some((output, code)) = compiled(&folder, seed, &text) else { continue };
        compare(&format!("seed {seed}"), &text, &output, code);
        n_compared += 1;
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(N_DIFFERENCES.load(Ordering::Relaxed) > 0, "no difference of registers was known");
    assert!(n_compared * 10 >= n * 9, "only {n_compared} of {n} programs were compared");
}

/// Each function of `math.h` that has a body here, on numbers of every kind.
#[test]
fn mathematics_is_that_of_the_system() {
    if !has_compiler() {
        return;
    }
    let one = ["fabs", "trunc", "floor", "ceil", "round", "rint", "nearbyint"];
    let two = ["copysign", "fmax", "fmin"];
    let tests = ["isnan", "isinf_sign", "isfinite", "signbit"];
    let orders = ["isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater"];
    let mut text = String::from("int printf(const char *, ...);\n");
    let mut body = String::new();
    for name in one {
        text += &format!("double {name}(double);\n");
        body += &format!("show({name}(x));");
        if !["rint", "nearbyint"].contains(&name) {
            text += &format!("float {name}f(float);\n");
            body += &format!("show({name}f((float)x));");
        }
    }
    for name in two {
        text += &format!("double {name}(double, double); float {name}f(float, float);\n");
        body += &format!("show({name}(x, y)); show({name}f((float)x, (float)y));");
    }
    for name in tests {
        body += &format!("printf(\"%d \", __builtin_{name}(x) != 0);");
    }
    for name in orders.into_iter().chain(["isunordered"]) {
        body += &format!("printf(\"%d \", __builtin_{name}(x, y));");
    }
    text += "void show(double x) { union { double d; unsigned long long n; } u; u.d = x;
            if (x != x) printf(\"nan \"); else if (x == 0) printf(\"0 \");
            else printf(\"%llx \", u.n); }
        double values[] = { 0.0, -0.0, 0.25, -0.5, 0.5, 1.5, -2.5, 2.5, 3.75, -7.999, 1e9, -1e15,
            4503599627370495.5, 4503599627370497.0, 1e300, 5e-324, -1e-310, 0.49999999999999994,
            1e308, -1e308, 0.0, 0.0 };
        int main() { values[18] *= 10; values[19] *= 10; values[20] = values[18] - values[18];
            for (int i = 0; i < 22; i++) for (int j = 0; j < 22; j++) {
                double x = values[i], y = values[j];";
    text += &body;
    text += "printf(\"\\n\"); } return 0; }";
    let folder = std::env::temp_dir().join(format!("hardbop-c-math-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let (theirs, _) = compiled(&folder, 0, &text).expect("the program ends well");
    let _ = std::fs::remove_dir_all(&folder);
    let loaded = load_text(vec![("t.c".into(), text.clone())], &Options::default())
        .unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    let ours = run(&loaded.program, &Config::default());
    assert_eq!(ours.ending, Ending::Exit(0));
    for (at, (ours, theirs)) in
        ours.output.split(|&it| it == b'\n').zip(theirs.split(|&it| it == b'\n')).enumerate()
    {
        let [ours, theirs] = [ours, theirs].map(String::from_utf8_lossy);
        assert_eq!(ours, theirs, "pair {at} of\n{text}");
    }
}

#[test]
fn layouts_are_those_of_the_compiler() {
    if !has_compiler() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("hardbop-layouts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    for seed in 0..40 {
        let text = generate::layouts::program(seed, 64);
        let (output, _) = compiled(&folder, seed, &text).expect("the program ends");
        let classes = vec![Class::Bounds];
        let options = Options { classes: classes.clone(), ..Options::default() };
        let loaded = load_text(vec![("layouts.c".into(), text.clone())], &options)
            .unwrap_or_else(|it| panic!("{:?}\n{text}", it.diagnostics));
        let result = run(&loaded.program, &Config { classes, ..Config::default() });
        let printed = String::from_utf8_lossy(&result.output).into_owned();
        assert_eq!(printed, String::from_utf8_lossy(&output), "seed {seed}\n{text}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
