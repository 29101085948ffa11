//! Sequential programs whose work is in their calls.

use std::fmt::Write;

use super::text::{Header, joined, list, names};
use super::{Args, Family, Param, Variant};

pub const CALL_CHAIN: Family = Family {
    name: "call-chain",
    usage: "PROCEDURES [safe|unsafe]",
    about: "Each procedure calls the next one with the negated argument and negates the result. \
            Stack and trace as deep as PROCEDURES; linear with summaries.",
    generate: |args| {
        let number = Param::Number { name: "PROCEDURES", min: 1, max: 1_000_000 };
        call_chain(&Args::parse(&[number, Param::Variant], args)?)
    },
};

pub const MUTUAL_RECURSION: Family = Family {
    name: "mutual-recursion",
    usage: "PROCEDURES [safe|unsafe]",
    about: "A ring of procedures that call on, or not, as deep as they like; each negates a global \
            before and after. Linear with summaries, endless without.",
    generate: |args| {
        let number = Param::Number { name: "PROCEDURES", min: 1, max: 1_000_000 };
        mutual_recursion(&Args::parse(&[number, Param::Variant], args)?)
    },
};

pub const FAN_IN: Family = Family {
    name: "fan-in",
    usage: "BITS SITES [safe|unsafe]",
    about: "One procedure with BITS formals is called from SITES places, each with another \
            argument. A summary per context costs SITES times its size; one symbolic summary \
            costs BITS.",
    generate: |args| {
        let bits = Param::Number { name: "BITS", min: 1, max: 20 };
        let sites = Param::Number { name: "SITES", min: 1, max: 1_000_000 };
        fan_in(&Args::parse(&[bits, sites, Param::Variant], args)?)
    },
};

pub const SHARED_CALLEES: Family = Family {
    name: "shared-callees",
    usage: "LAYERS WIDTH [safe|unsafe]",
    about: "Layers of WIDTH procedures; each calls all of the next layer. WIDTH^LAYERS paths, \
            LAYERS times WIDTH summaries, LAYERS times WIDTH^2 calls.",
    generate: |args| {
        let layers = Param::Number { name: "LAYERS", min: 1, max: 100_000 };
        let width = Param::Number { name: "WIDTH", min: 1, max: 1000 };
        shared_callees(&Args::parse(&[layers, width, Param::Variant], args)?)
    },
};

fn call_chain(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("A chain of {n} calls."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "Each procedure returns its argument: the negations cancel out.",
            Variant::Unsafe => "The last procedure returns the negation of its argument.",
        },
        settings: &[],
    };
    let mut text =
        format!("{header}void main() begin\n  decl x, y;\n  y := p1(x);\n  assert(x = y);\nend\n");
    for i in 1..n {
        write!(
            text,
            "\nbool p{i}(x) begin\n  decl r;\n  r := p{}(!x);\n  return !r;\nend\n",
            i + 1
        )
        .expect("writing to a string cannot fail");
    }
    let last = if args.variant == Variant::Safe { "x" } else { "!x" };
    Ok(text + &format!("\nbool p{n}(x) begin\n  return {last};\nend\n"))
}

fn mutual_recursion(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("A ring of {n} procedures."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "Each procedure leaves g as it found it.",
            Variant::Unsafe => "The last procedure negates g once only.",
        },
        settings: &[],
    };
    let mut text = format!(
        "{header}decl g;\n\nvoid main() begin\n  decl old;\n  old := g;\n  p0();\n  \
         assert(g = old);\nend\n"
    );
    for i in 0..n {
        let after = if i + 1 == n && args.variant == Variant::Unsafe { "skip" } else { "g := !g" };
        write!(
            text,
            "\nvoid p{i}() begin\n  g := !g;\n  if * then\n    p{}();\n  fi\n  {after};\nend\n",
            (i + 1) % n
        )
        .expect("writing to a string cannot fail");
    }
    Ok(text)
}

fn fan_in(args: &Args) -> Result<String, String> {
    let (bits, sites) = (args.numbers[0], args.numbers[1]);
    let header = Header {
        title: format!("{sites} calls of one procedure with {bits} formals."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => "Each call returns the parity of its arguments.",
            Variant::Unsafe => {
                "Each call returns the parity of its arguments; the last is tested wrongly."
            }
        },
        settings: &[],
    };
    let mut text = format!(
        "{header}bool parity({}) begin\n  return {};\nend\n\nvoid main() begin\n  decl r;\n",
        names("x", bits),
        joined(bits, " ^ ", |i| format!("x{i}")),
    );
    for site in 0..sites {
        let value = site % (1 << bits);
        let wrong = site + 1 == sites && args.variant == Variant::Unsafe;
        let is_odd = (value.count_ones() % 2 == 1) != wrong;
        let arguments = list(bits, |i| (value >> i & 1).to_string());
        let expected = if is_odd { "r" } else { "!r" };
        text += &format!("  r := parity({arguments});\n  assert({expected});\n");
    }
    Ok(text + "end\n")
}

fn shared_callees(args: &Args) -> Result<String, String> {
    let (layers, width) = (args.numbers[0], args.numbers[1]);
    let header = Header {
        title: format!("{layers} layers of {width} procedures, each calls all of the next layer."),
        expect: args.variant,
        why: match args.variant {
            Variant::Safe => {
                "A procedure negates g as often as its own and its callees' code says."
            }
            Variant::Unsafe => "The last procedure of the last layer may leave g as it is.",
        },
        settings: &[],
    };
    // Whether a procedure of the top layer negates g in the end.
    let negates = (1..layers).fold(true, |below, _| !(below && width % 2 == 1));
    let expected = if negates { "!old" } else { "old" };
    let mut text = format!(
        "{header}decl g;\n\nvoid main() begin\n  decl old;\n  old := g;\n  p1_0();\n  \
         assert(g = {expected});\nend\n"
    );
    for layer in 1..=layers {
        for i in 0..width {
            let lazy = args.variant == Variant::Unsafe && layer == layers && i + 1 == width;
            let own = if lazy { "g := *" } else { "g := !g" };
            let calls = if layer == layers { 0 } else { width };
            let calls = joined(calls, "", |j| format!("  p{}_{j}();\n", layer + 1));
            text += &format!("\nvoid p{layer}_{i}() begin\n  {own};\n{calls}end\n");
        }
    }
    // With one layer main calls only its first procedure, which must then be the lazy one.
    if layers == 1 && args.variant == Variant::Unsafe {
        text = text.replacen("p1_0();", &format!("p1_{}();", width - 1), 1);
    }
    Ok(text)
}
