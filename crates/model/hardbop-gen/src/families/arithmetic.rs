//! Sequential programs that compute: counters, long straight-line code, adders, comparators.

use super::text::{Header, all_of, equal, joined, list, names, plus_one};
use super::{Args, Family, Param, Variant};

pub const COUNTER: Family = Family {
    name: "counter",
    usage: "BITS [safe|unsafe]",
    about: "A counter of BITS bits that runs from zero to all ones: 2^BITS - 1 rounds of a loop. \
            Exponential in BITS for every engine that goes step by step.",
    generate: |args| counter(&Args::parse(&bits(64), args)?),
};

pub const STRAIGHT: Family = Family {
    name: "straight",
    usage: "STATEMENTS [safe|unsafe]",
    about: "Straight-line code over eight variables that keeps their parity. Linear; an engine \
            that recurses along the code, or keeps a set per statement, is found out.",
    generate: |args| {
        let number = Param::Number { name: "STATEMENTS", min: 1, max: 10_000_000 };
        straight(&Args::parse(&[number, Param::Variant], args)?)
    },
};

pub const ADDER: Family = Family {
    name: "adder",
    usage: "BITS [safe|unsafe]",
    about: "Adds two numbers by calls of a full adder, in both orders of the operands, and \
            compares. The operands are declared one after the other: with diagrams in that order \
            exponential in BITS, interleaved linear.",
    generate: |args| adder(&Args::parse(&bits(10_000), args)?),
};

pub const COMPARATOR: Family = Family {
    name: "comparator",
    usage: "BITS [safe|unsafe]",
    about: "Compares two numbers bit by bit, a < b and b < a, which exclude each other. Diagrams: \
            exponential in BITS in the order of declaration, interleaved linear. SAT: linear.",
    generate: |args| comparator(&Args::parse(&bits(10_000), args)?),
};

fn bits(max: usize) -> [Param; 2] {
    [Param::Number { name: "BITS", min: 1, max }, Param::Variant]
}

fn counter(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let is_full = all_of(n, |i| format!("c{i}"));
    let header = Header {
        title: format!("A counter of {n} bits from zero to all ones."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "The loop ends only when all bits are set.",
            Variant::Unsafe => "The loop ends, after 2^BITS - 1 rounds, with all bits set.",
        },
        settings: &[],
    };
    let negation = if args.variant == Variant::Safe { "" } else { "!" };
    Ok(format!(
        "{header}void main() begin
  decl {cs};
  {cs} := {zeros};
  while !({is_full}) do
    {cs} := {next};
  od
  assert({negation}({is_full}));
end
",
        cs = names("c", n),
        zeros = list(n, |_| "0".to_string()),
        next = plus_one("c", n),
    ))
}

/// Variables of the straight-line code.
const WIDTH: usize = 8;

fn straight(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let parity = joined(WIDTH, " ^ ", |i| format!("x{i}"));
    let header = Header {
        title: format!("{n} statements in a row."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "Each statement keeps the parity of x0 to x7.",
            Variant::Unsafe => "Each statement keeps the parity of x0 to x7, but the middle one.",
        },
        settings: &[],
    };
    let mut text = format!("{header}decl {};\n\nvoid main() begin\n", names("x", WIDTH));
    text += &format!("  decl parity;\n  parity := {parity};\n");
    for step in 0..n {
        let (a, b) = (step % WIDTH, (step * 3 + 1 + step / WIDTH) % WIDTH);
        text += &match (a == b, step % 3) {
            _ if step == n / 2 && args.variant == Variant::Unsafe => format!("  x{a} := !x{a};\n"),
            (true, _) => "  skip;\n".to_string(),
            (_, 0) => format!("  x{a}, x{b} := x{b}, x{a};\n"),
            (_, 1) => format!("  x{a}, x{b} := !x{a}, !x{b};\n"),
            _ => format!("  x{a}, x{b} := x{a} & x{b}, x{a} | x{b};\n"),
        };
    }
    text += &format!("  assert(parity = ({parity}));\nend\n");
    Ok(text)
}

fn adder(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("a + b against b + a, {n} bits, by calls of a full adder."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "Addition is commutative.",
            Variant::Unsafe => "The last bit of the second sum forgets the carry.",
        },
        settings: &[],
    };
    let add = |sum: &str, a: &str, b: &str, forgets: bool| {
        joined(n, "", |i| {
            let carry = if i == 0 || (forgets && i + 1 == n) { "0" } else { "carry" };
            format!("  {sum}{i}, carry := full_adder({a}{i}, {b}{i}, {carry});\n")
        })
    };
    // One bit has no carry to forget: the wrong adder then starts with one.
    let last = match (args.variant, n) {
        (Variant::Unsafe, 1) => "  t0, carry := full_adder(b0, a0, 1);\n".to_string(),
        (variant, _) => add("t", "b", "a", variant == Variant::Unsafe),
    };
    Ok(format!(
        "{header}decl {a};
decl {b};

bool<2> full_adder(x, y, c) begin
  return x ^ y ^ c, (x & y) | (c & (x | y));
end

void main() begin
  decl {s};
  decl {t};
  decl carry;
{first}{last}  assert({same});
end
",
        a = names("a", n),
        b = names("b", n),
        s = names("s", n),
        t = names("t", n),
        first = add("s", "a", "b", false),
        same = equal("s", "t", n),
    ))
}

fn comparator(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("a < b and b < a of {n} bits exclude each other."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "The order of numbers is asymmetric.",
            Variant::Unsafe => {
                "At the lowest bit less becomes less or equal: equal numbers are both."
            }
        },
        settings: &[],
    };
    let compare = |result: &str, a: &str, b: &str| {
        let start = if args.variant == Variant::Safe { "0" } else { "1" };
        let steps = joined(n, "", |i| {
            format!("  {result} := (!{a}{i} & {b}{i}) | (({a}{i} = {b}{i}) & {result});\n")
        });
        format!("  {result} := {start};\n{steps}")
    };
    Ok(format!(
        "{header}decl {a};
decl {b};

void main() begin
  decl less, greater;
{first}{second}  assert(!(less & greater));
end
",
        a = names("a", n),
        b = names("b", n),
        first = compare("less", "a", "b"),
        second = compare("greater", "b", "a"),
    ))
}
