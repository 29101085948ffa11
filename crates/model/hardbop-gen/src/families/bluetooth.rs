//! The Bluetooth driver of BOOM, appendix A.2 and A.3: adders use the driver, stoppers halt it.
//!
//! The listings have slips, mended here. A.1: `(p2&!p0|!p1)` lacks parentheses, so the increment is
//! wrong. A.5, A.6: bit 3 of the decrement is that of bit 4; the zero test of A.6 looks at the value
//! before the decrement as if it were the one after it; `limit` is shared, though each thread means
//! its own. A.4: `assume(!g)` stops every thread that comes after the first has set g; initial
//! values in the declarations need no g. A.6 blocks an adder at the counter's top (`limit`); A.1
//! lets the counter stick there. We block in both: a counter that sticks loses requests, which
//! would make even a correct driver fail with 32 adders.

use super::text::{Header, joined};
use super::{Args, Family, Param, Variant};

/// Bits of the counter of pending requests.
const BITS: usize = 5;

pub const BLUETOOTH: Family = Family {
    name: "bluetooth",
    usage: "[ADDERS STOPPERS]",
    about: "The Bluetooth driver of the BOOM thesis. Without numbers the template A.3, where each \
            initial thread becomes an adder or a stopper: use --initial-threads (3 suffice for \
            the error). With numbers that many of each, by calls, as in A.2. States grow \
            exponentially in the threads, polynomially with counters.",
    generate: |args| build(args, Variant::Unsafe),
};

pub const BLUETOOTH_FIXED: Family = Family {
    name: "bluetooth-fixed",
    usage: "[ADDERS STOPPERS]",
    about: "The Bluetooth driver made correct: only the first stopper gives up the driver's own \
            reference, and a refused request is not counted down twice. Safe for any number of \
            threads. Growth as for bluetooth.",
    generate: |args| build(args, Variant::Safe),
};

fn build(args: &[String], driver: Variant) -> Result<String, String> {
    let count = |name| Param::Optional { name, min: 0, max: 1000 };
    let params = [count("ADDERS"), count("STOPPERS")];
    match Args::parse(&params, args)?.numbers[..] {
        [] => Ok(template(driver)),
        [adders, stoppers] => Ok(with_calls(adders, stoppers, driver)),
        _ => Err("STOPPERS is missing".to_string()),
    }
}

/// `p` plus one; all ones stay.
fn increment(i: usize) -> String {
    let lower = super::text::all_of(i, |j| format!("p{j}"));
    let full = super::text::all_of(BITS, |j| format!("p{j}"));
    let flipped = if i == 0 { "!p0".to_string() } else { format!("(p{i} ^ ({lower}))") };
    format!("{flipped} | ({full})")
}

/// `p` minus one; zero stays.
fn decrement(i: usize) -> String {
    let lower_zero = super::text::all_of(i, |j| format!("!p{j}"));
    let positive = super::text::any_of(BITS, |j| format!("p{j}"));
    let flipped = if i == 0 { "!p0".to_string() } else { format!("(p{i} ^ ({lower_zero}))") };
    format!("{flipped} & ({positive})")
}

/// Says that the counter is full.
fn full() -> String {
    super::text::all_of(BITS, |j| format!("p{j}"))
}

/// Says that the counter is zero after a decrement: it was zero or one.
fn zero_after() -> String {
    super::text::all_of(BITS - 1, |j| format!("!p{}", j + 1))
}

fn counter() -> String {
    super::text::names("p", BITS)
}

/// Lines of a statement sequence, indented as deep as asked.
fn indent(lines: &str, by: usize) -> String {
    lines.lines().map(|line| format!("{:by$}{line}\n", "")).collect()
}

fn io_dec() -> String {
    format!(
        "{}, zero :=\n  {},\n  {};\nif (zero) then\n  stoppingEvent := 1;\nfi\n",
        counter(),
        joined(BITS, ",\n  ", decrement),
        zero_after()
    )
}

fn io_inc() -> String {
    format!(
        "{}, full :=\n  {},\n  {};\nassume(!full);\n",
        counter(),
        joined(BITS, ",\n  ", increment),
        full()
    )
}

/// The start of a stopper; `drop` gives up a reference.
fn stopper(driver: Variant, drop: &str) -> String {
    let halt = match driver {
        Variant::Unsafe => format!("driverStoppingFlag := 1;\n{drop}"),
        Variant::Safe => format!(
            "first, driverStoppingFlag := !driverStoppingFlag, 1;\nif (first) then\n{}fi\n",
            indent(drop, 2)
        ),
    };
    format!("{halt}while (!stoppingEvent) do\n  skip;\nod\nOK: stopped := 1;\n")
}

/// An adder after its increment was allowed or refused (`status`).
fn adder_end(driver: Variant, drop: &str) -> String {
    let test = "  if (stopped) then\n    SLIC_ERROR: skip;\n  fi\n";
    match driver {
        Variant::Unsafe => format!("if (status) then\n{test}fi\n{drop}"),
        Variant::Safe => format!("if (status) then\n{test}{}fi\n", indent(drop, 2)),
    }
}

const SHARED: &str = "decl stopped := 0, driverStoppingFlag := 0, stoppingEvent := 0;
decl p0 := 1, p1 := 0, p2 := 0, p3 := 0, p4 := 0; // pending requests, and one for the driver
";

fn why(driver: Variant, is_unsafe: bool) -> &'static str {
    match (driver, is_unsafe) {
        (Variant::Safe, _) => {
            "While a request is under way the counter is positive: only the first stopper gives up\n\
             the driver's own reference, and a refused request is counted down once. Runs with\n\
             more than 31 references are cut off, so the counter never lies."
        }
        (Variant::Unsafe, true) => {
            "Two stoppers count down twice for the driver, or a refused adder counts down twice for\n\
             itself: the counter reaches zero and the driver stops while another adder runs."
        }
        (Variant::Unsafe, false) => {
            "The error needs an adder that runs, a stopper, and a third thread that counts down\n\
             once too often."
        }
    }
}

fn template(driver: Variant) -> String {
    let header = Header {
        title: "Bluetooth driver, parameterised (BOOM A.3): a thread adds or stops.".to_string(),
        expect: driver,
        why: why(driver, true),
        settings: &["goal: label:SLIC_ERROR".to_string(), "initial-threads: 3".to_string()],
    };
    let first = if driver == Variant::Safe { ", first" } else { "" };
    let mut adder = io_inc();
    adder += "if (driverStoppingFlag) then\n";
    adder += &indent(&io_dec(), 2);
    adder += "  status := 0;\nelse\n  status := 1;\nfi\n";
    adder += &adder_end(driver, &io_dec());
    let main = format!(
        "void main()\nbegin\n  decl status, zero, full{first};\n  \
         if (*) then goto adder; else goto stopper; fi\n\nstopper:\n{}  end_thread;\n\n\
         adder:\n{}end\n",
        indent(&stopper(driver, &io_dec()), 2),
        indent(&adder, 2)
    );
    format!("{header}{SHARED}\n{main}")
}

fn with_calls(adders: usize, stoppers: usize, driver: Variant) -> String {
    let is_unsafe =
        driver == Variant::Unsafe && adders > 0 && stoppers > 0 && adders + stoppers > 2;
    let header = Header {
        title: format!("Bluetooth driver (BOOM A.2), {adders} adders and {stoppers} stoppers."),
        expect: if is_unsafe { Variant::Unsafe } else { Variant::Safe },
        why: why(driver, is_unsafe),
        settings: &[
            "goal: label:SLIC_ERROR".to_string(),
            format!("threads: {}", adders + stoppers + 1),
        ],
    };
    let first = if driver == Variant::Safe { "  decl first;\n" } else { "" };
    let starts = "  start_thread adder();\n".repeat(adders)
        + &"  start_thread stopper();\n".repeat(stoppers);
    format!(
        "{header}{SHARED}
void main()
begin
{starts}  skip;
end

void IoDec()
begin
  decl zero;
{dec}end

bool IoInc()
begin
  decl full;
{inc}  if (driverStoppingFlag) then
    IoDec();
    return 0;
  fi
  return 1;
end

void adder()
begin
  decl status;
  status := IoInc();
{adder}end

void stopper()
begin
{first}{stopper}end
",
        dec = indent(&io_dec(), 2),
        inc = indent(&io_inc(), 2),
        adder = indent(&adder_end(driver, "IoDec();\n"), 2),
        stopper = indent(&stopper(driver, "IoDec();\n"), 2),
    )
}

#[cfg(test)]
mod tests {
    use hardbop_base::{Bits, SourceFile};
    use hardbop_cfg::Action;

    use super::{BITS, decrement, full, increment, zero_after};

    /// What the generated expression makes of a counter value.
    fn evaluate(expr: &str, value: usize) -> bool {
        let text = format!("decl {};\nvoid main() begin assert({expr}); end\n", super::counter());
        let (program, diagnostics) = hardbop_bp::load(&SourceFile::new("expr", text));
        let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let assert = program.asserts().next().expect("one was written");
        let Action::Assert(expr) = program.edge(assert).action else { unreachable!("an assert") };
        let now: Bits = (0..BITS).filter(|bit| value >> bit & 1 == 1).collect();
        let possible = program.exprs.eval(expr, &now, &now);
        assert_ne!(possible.be_true, possible.be_false, "no choice in it");
        possible.be_true
    }

    fn number(bit: fn(usize) -> String, value: usize) -> usize {
        (0..BITS).map(|i| usize::from(evaluate(&bit(i), value)) << i).sum()
    }

    #[test]
    fn the_counter_counts_and_sticks_at_both_ends() {
        for value in 0..1 << BITS {
            assert_eq!(number(increment, value), (value + 1).min(31), "increment {value}");
            assert_eq!(number(decrement, value), value.saturating_sub(1), "decrement {value}");
            assert_eq!(evaluate(&full(), value), value == 31, "full {value}");
            assert_eq!(evaluate(&zero_after(), value), value <= 1, "zero after {value}");
        }
    }
}
