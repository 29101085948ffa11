//! The arguments of a family: numbers, a number of threads, and the safe or the unsafe variant.

use std::fmt;

/// Which of the two programs of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    Safe,
    Unsafe,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Variant::Safe { "safe" } else { "unsafe" })
    }
}

/// How many worker threads `main` starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    Count(usize),
    Unbounded,
}

/// A parameter of a family.
#[derive(Clone, Copy, Debug)]
pub enum Param {
    /// A number of this range that must be given.
    Number { name: &'static str, min: usize, max: usize },
    /// A number of this range that may be left out.
    Optional { name: &'static str, min: usize, max: usize },
    /// `safe` or `unsafe`; left out, `unsafe`.
    Variant,
    /// A number of workers, at least `min`, or `inf`; left out, `inf`.
    Threads { min: usize },
}

/// More worker threads than this make no useful file.
const MAX_THREADS: usize = 10_000;

/// Arguments that fit the parameters.
#[derive(Clone, Debug)]
pub struct Args {
    /// The numbers given, in order.
    pub numbers: Vec<usize>,
    pub variant: Variant,
    pub threads: Threads,
}

impl Args {
    pub fn parse(params: &[Param], args: &[String]) -> Result<Self, String> {
        let mut parsed =
            Args { numbers: Vec::new(), variant: Variant::Unsafe, threads: Threads::Unbounded };
        let mut rest = args.iter();
        for param in params {
            let given = rest.next().map(String::as_str);
            match (*param, given) {
                (Param::Number { name, .. }, None) => return Err(format!("{name} is missing")),
                (
                    Param::Number { name, min, max } | Param::Optional { name, min, max },
                    Some(text),
                ) => {
                    parsed.numbers.push(number(name, text, min, max)?);
                }
                (Param::Variant, Some(text)) => parsed.variant = variant(text)?,
                (Param::Threads { .. }, Some("inf")) => parsed.threads = Threads::Unbounded,
                (Param::Threads { min }, Some(text)) => {
                    parsed.threads = Threads::Count(number("WORKERS", text, min, MAX_THREADS)?);
                }
                (_, None) => {}
            }
        }
        match rest.next() {
            Some(extra) => Err(format!("`{extra}` is one argument too many")),
            None => Ok(parsed),
        }
    }
}

fn number(name: &str, text: &str, min: usize, max: usize) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (min..=max).contains(n))
        .ok_or_else(|| format!("{name} must be a number from {min} to {max}, not `{text}`"))
}

fn variant(text: &str) -> Result<Variant, String> {
    match text {
        "safe" => Ok(Variant::Safe),
        "unsafe" => Ok(Variant::Unsafe),
        _ => Err(format!("the variant is `safe` or `unsafe`, not `{text}`")),
    }
}
