//! Floating point against the machine's: the same bits for random operands, special ones among them,
//! and through the solver for a format small enough to try everything.
//!
//! `HARDBOP_FLOATS=N` sets the number of operands per operation.

use hardbop_base::Budget;
use hardbop_gen::rng::Rng;
use hardbop_smt::float::{self, DOUBLE, Format, SINGLE};
use hardbop_smt::{Answer, Backend, Evaluator, Model, Solver, TermId, Terms};

fn n_operands() -> usize {
    std::env::var("HARDBOP_FLOATS").ok().and_then(|it| it.parse().ok()).unwrap_or(2_000)
}

/// Bits of a number: any, a special one, or one whose exponent is close to `near`.
fn operand(rng: &mut Rng, format: Format, near: Option<u64>) -> u64 {
    let (e, f) = (format.exponent, format.fraction);
    let ones = |n: u32| (1u64 << n) - 1;
    let field = match (rng.below(8), near) {
        (0, _) => 0,
        (1, _) => ones(e),
        (2, _) => 1,
        (3, _) => ones(e) - 1,
        (4..=6, Some(near)) => {
            let distance = rng.below(2 * f as usize) as u64;
            ((near >> f) & ones(e)).wrapping_add(distance).wrapping_sub(u64::from(f)) & ones(e)
        }
        _ => rng.next_u64() & ones(e),
    };
    let fraction = match rng.below(6) {
        0 => 0,
        1 => 1,
        2 => ones(f),
        3 => (1 << (rng.next_u64() % u64::from(f))) & ones(f),
        _ => rng.next_u64() & ones(f),
    };
    (rng.next_u64() & 1) << (e + f) | field << f | fraction
}

/// A term over two variables, with what the machine computes.
struct Case<'a> {
    name: &'a str,
    term: TermId,
    expected: &'a dyn Fn(u64, u64) -> u64,
}

fn compare(format: Format, terms: &Terms, [x, y]: [TermId; 2], cases: &[Case<'_>], seed: u64) {
    let mut rng = Rng::new(seed);
    let is_nan = |bits: u64| {
        let inf = ((1u64 << format.exponent) - 1) << format.fraction;
        bits & ((1u64 << (format.width() - 1)) - 1) > inf
    };
    for _ in 0..n_operands() {
        let a = operand(&mut rng, format, None);
        let b = operand(&mut rng, format, Some(a));
        let mut model = Model::new();
        model.set_term(terms, x, u128::from(a));
        model.set_term(terms, y, u128::from(b));
        let mut evaluator = Evaluator::new(terms, &model);
        for case in cases {
            let ours = evaluator.value(case.term) as u64;
            let theirs = (case.expected)(a, b);
            let both_nan =
                terms.width(case.term) == format.width() && is_nan(ours) && is_nan(theirs);
            assert!(
                ours == theirs || both_nan,
                "{} {a:#x} {b:#x}: {ours:#x}, not {theirs:#x}",
                case.name
            );
        }
    }
}

macro_rules! agrees_with_the_machine {
    ($name:ident, $format:expr, $float:ty, $bits:ty) => {
        #[test]
        fn $name() {
            let format = $format;
            let mut terms = Terms::new();
            let [x, y] = ["x", "y"].map(|it| terms.var(it, format.width()));
            let on = |bits: u64| <$float>::from_bits(bits as $bits);
            let add = |a, b| u64::from((on(a) + on(b)).to_bits());
            let sub = |a, b| u64::from((on(a) - on(b)).to_bits());
            let mul = |a, b| u64::from((on(a) * on(b)).to_bits());
            let div = |a, b| u64::from((on(a) / on(b)).to_bits());
            let neg = |a, _| u64::from((-on(a)).to_bits());
            let eq = |a, b| u64::from(on(a) == on(b));
            let lt = |a, b| u64::from(on(a) < on(b));
            let le = |a, b| u64::from(on(a) <= on(b));
            let t = &mut terms;
            let cases = [
                Case { name: "+", term: float::add(t, format, x, y), expected: &add },
                Case { name: "-", term: float::subtract(t, format, x, y), expected: &sub },
                Case { name: "*", term: float::multiply(t, format, x, y), expected: &mul },
                Case { name: "/", term: float::divide(t, format, x, y), expected: &div },
                Case { name: "neg", term: float::negate(t, format, x), expected: &neg },
                Case { name: "==", term: float::equal(t, format, x, y), expected: &eq },
                Case { name: "<", term: float::less(t, format, x, y), expected: &lt },
                Case { name: "<=", term: float::less_or_equal(t, format, x, y), expected: &le },
            ];
            compare(format, &terms, [x, y], &cases, 21);
        }
    };
}

agrees_with_the_machine!(single_precision, SINGLE, f32, u32);
agrees_with_the_machine!(double_precision, DOUBLE, f64, u64);

#[test]
fn conversions_between_formats() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|it| terms.var(it, 32));
    let wide = float::convert(&mut terms, SINGLE, DOUBLE, x);
    let widened = |a, _| f64::from(f32::from_bits(a as u32)).to_bits();
    compare(SINGLE, &terms, [x, y], &[Case { name: "widen", term: wide, expected: &widened }], 22);
    let [x, y] = ["x", "y"].map(|it| terms.var(it, 64));
    let narrow = float::convert(&mut terms, DOUBLE, SINGLE, x);
    let narrowed = |a, _| u64::from((f64::from_bits(a) as f32).to_bits());
    compare(
        DOUBLE,
        &terms,
        [x, y],
        &[Case { name: "narrow", term: narrow, expected: &narrowed }],
        23,
    );
    // Where the result is below the normal numbers of single precision or close to its largest.
    let mut rng = Rng::new(24);
    for _ in 0..n_operands() {
        let field = [1023 - 126 - 30, 1023 + 100][rng.below(2)] + rng.next_u64() % 40;
        let a = (rng.next_u64() & 1) << 63 | field << 52 | rng.next_u64() >> 12;
        let mut model = Model::new();
        model.set_term(&terms, x, u128::from(a));
        assert_eq!(terms.eval(narrow, &model) as u64, narrowed(a, 0), "{a:#x}");
    }
}

#[test]
fn integers_to_floating_point() {
    let mut rng = Rng::new(25);
    for (width, n) in [(8, 50), (32, n_operands()), (64, n_operands())] {
        let mut terms = Terms::new();
        let x = terms.var("x", width);
        let signed = [SINGLE, DOUBLE].map(|it| float::from_signed(&mut terms, it, x));
        let unsigned = [SINGLE, DOUBLE].map(|it| float::from_unsigned(&mut terms, it, x));
        for _ in 0..n {
            let value = (rng.next_u64() >> (rng.next_u64() % 64)) & (u64::MAX >> (64 - width));
            let shift = 64 - width;
            let as_signed = (value << shift) as i64 >> shift;
            let mut model = Model::new();
            model.set_term(&terms, x, u128::from(value));
            let mut evaluator = Evaluator::new(&terms, &model);
            let mut of = |term| evaluator.value(term) as u64;
            assert_eq!(of(signed[0]), u64::from((as_signed as f32).to_bits()), "{value:#x}");
            assert_eq!(of(signed[1]), (as_signed as f64).to_bits(), "{value:#x}");
            assert_eq!(of(unsigned[0]), u64::from((value as f32).to_bits()), "{value:#x}");
            assert_eq!(of(unsigned[1]), (value as f64).to_bits(), "{value:#x}");
        }
    }
}

#[test]
fn floating_point_to_integers() {
    let mut rng = Rng::new(26);
    for (width, is_signed) in [(8, true), (8, false), (32, true), (64, true), (64, false)] {
        let mut terms = Terms::new();
        let x = terms.var("x", 64);
        let (value, fits) = float::to_integer(&mut terms, DOUBLE, x, width, is_signed);
        let (least, most) = match is_signed {
            true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            false => (0, (1i128 << width) - 1),
        };
        for _ in 0..n_operands() {
            let bits = match rng.chance(80) {
                true => ((rng.next_u64() as i64) >> (rng.next_u64() % 64)) as f64 / 4.0,
                false => f64::from_bits(operand(&mut rng, DOUBLE, None)),
            };
            let mut model = Model::new();
            model.set_term(&terms, x, u128::from(bits.to_bits()));
            let mut evaluator = Evaluator::new(&terms, &model);
            let whole = bits.trunc();
            let expected = whole.is_finite() && whole >= least as f64 && whole as i128 <= most;
            assert_eq!(evaluator.value(fits) == 1, expected, "{bits:e} in {width} bits");
            if expected {
                let mask = u128::MAX >> (128 - width);
                assert_eq!(evaluator.value(value), whole as i128 as u128 & mask, "{bits:e}");
            }
        }
    }
}

/// Laws that hold for all numbers of a small format, decided by the solver: the circuits agree with
/// the terms, and the terms with the theory.
#[test]
fn laws_of_a_small_format() {
    let tiny = Format { exponent: 3, fraction: 3 };
    let mut terms = Terms::new();
    let mut solver = Solver::new(Backend::Batsat);
    let [x, y] = ["x", "y"].map(|it| terms.var(it, tiny.width()));
    let t = &mut terms;
    let number = float::equal(t, tiny, x, x);
    let one = t.constant(tiny.width(), 0b0_011_000);
    let (xy, yx) = (float::add(t, tiny, x, y), float::add(t, tiny, y, x));
    let is_sum = float::equal(t, tiny, xy, xy);
    let commutes = float::equal(t, tiny, xy, yx);
    let commutes = t.implies(is_sum, commutes);
    let (times, over) = (float::multiply(t, tiny, x, one), float::divide(t, tiny, x, one));
    let [times, over] = [times, over].map(|it| t.eq(it, x));
    let neutral = t.and(times, over);
    let neutral = t.implies(number, neutral);
    let [less, greater] = [(x, y), (y, x)].map(|(a, b)| float::less(t, tiny, a, b));
    let both = t.and(less, greater);
    let asymmetric = t.not(both);
    // A difference is zero only of equal numbers: what the numbers below the normal ones are for.
    let difference = float::subtract(t, tiny, x, y);
    let zero = t.constant(tiny.width(), 0);
    let (vanishes, equal) = (float::equal(t, tiny, difference, zero), float::equal(t, tiny, x, y));
    let gradual = t.implies(vanishes, equal);
    for (name, law) in [("x+y", commutes), ("x*1", neutral), ("x<y", asymmetric), ("x-y", gradual)]
    {
        let broken = terms.not(law);
        let answer = solver.check(&mut terms, &[broken], &Budget::unlimited());
        assert!(matches!(answer, Answer::Unsat(_)), "{name}: {answer:?}");
    }
    // And one that does not hold: addition rounds.
    let back = float::subtract(&mut terms, tiny, xy, y);
    let same = float::equal(&mut terms, tiny, back, x);
    let broken = terms.not(same);
    let finite = terms.and(number, is_sum);
    assert_eq!(solver.check(&mut terms, &[broken, finite], &Budget::unlimited()), Answer::Sat);
}
