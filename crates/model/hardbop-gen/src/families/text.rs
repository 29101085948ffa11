//! Small helpers for writing program text.

use super::args::{Threads, Variant};

/// The leading comment: what it is, the expected verdict, why, further lines of the test notation, and how
/// to ask for it.
pub struct Header<'a> {
    pub title: String,
    pub expect: Variant,
    pub why: &'a str,
    /// Such as `goal: label:reach`.
    pub settings: &'a [String],
}

impl std::fmt::Display for Header<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "// {}", self.title)?;
        writeln!(f, "// expect: {}", self.expect)?;
        for setting in self.settings {
            writeln!(f, "// {setting}")?;
        }
        self.why.lines().try_for_each(|line| writeln!(f, "// {line}"))?;
        // The options have the names of the settings.
        let options = self.settings.iter().filter_map(|setting| setting.split_once(": "));
        let options: String = options.map(|(name, value)| format!("--{name} {value} ")).collect();
        writeln!(f, "// To check it: hardbop check {options}FILE\n")
    }
}

/// `x0, x1, …` or with any other form per index.
pub fn list(n: usize, item: impl Fn(usize) -> String) -> String {
    joined(n, ", ", item)
}

/// `item(0) & item(1) & …`; true if there are none.
pub fn all_of(n: usize, item: impl Fn(usize) -> String) -> String {
    if n == 0 { "1".to_string() } else { joined(n, " & ", item) }
}

/// `item(0) | item(1) | …`; false if there are none.
pub fn any_of(n: usize, item: impl Fn(usize) -> String) -> String {
    if n == 0 { "0".to_string() } else { joined(n, " | ", item) }
}

pub fn joined(n: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..n).map(item).collect::<Vec<_>>().join(separator)
}

/// `x0, x1, …, xn-1`
pub fn names(prefix: &str, n: usize) -> String {
    list(n, |i| format!("{prefix}{i}"))
}

/// Says that the numbers in bits `a…` and `b…` are equal.
pub fn equal(a: &str, b: &str, n: usize) -> String {
    all_of(n, |i| format!("({a}{i} = {b}{i})"))
}

/// The bits of number `x…` plus one, wrapping around, lowest bit first.
pub fn plus_one(x: &str, n: usize) -> String {
    list(n, |i| match i {
        0 => format!("!{x}0"),
        _ => format!("{x}{i} ^ ({})", all_of(i, |j| format!("{x}{j}"))),
    })
}

/// The bits of number `x…` minus one, wrapping around, lowest bit first.
pub fn minus_one(x: &str, n: usize) -> String {
    list(n, |i| match i {
        0 => format!("!{x}0"),
        _ => format!("{x}{i} ^ !({})", any_of(i, |j| format!("{x}{j}"))),
    })
}

/// Says that the number in bits `x…` is `value`.
pub fn is_number(x: &str, n: usize, value: usize) -> String {
    all_of(n, |i| format!("{}{x}{i}", if value >> i & 1 == 1 { "" } else { "!" }))
}

/// `main`, which starts the workers: the calls in turn, or any of them any number of times.
pub fn main_that_starts(calls: &[&str], threads: Threads) -> String {
    let mut main = String::from("void main() begin\n");
    match threads {
        Threads::Count(n) => {
            for call in calls.iter().cycle().take(n) {
                main += &format!("  start_thread {call};\n");
            }
        }
        Threads::Unbounded => {
            main += "  while * do\n";
            match calls {
                [call] => main += &format!("    start_thread {call};\n"),
                _ => {
                    for (i, call) in calls.iter().enumerate() {
                        let word = if i == 0 { "if" } else { "elsif" };
                        main += &format!("    {word} * then\n      start_thread {call};\n");
                    }
                    main += "    fi\n";
                }
            }
            main += "  od\n";
        }
    }
    main + "end\n"
}

/// The line that tells how many threads may be alive at once: the workers and `main`.
pub fn threads_line(threads: Threads) -> String {
    match threads {
        Threads::Count(n) => format!("threads: {}", n + 1),
        Threads::Unbounded => "threads: inf".to_string(),
    }
}
