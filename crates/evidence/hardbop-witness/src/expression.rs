//! Which expressions of a witness are put into a program: those that only look at it.

use std::collections::BTreeMap;

use crate::tokens::{Token, closing, opening, tokens};

/// Names that are followed by a parenthesis and are no call.
const NO_CALLS: [&str; 8] =
    ["sizeof", "_Alignof", "__alignof__", "int", "long", "char", "short", "unsigned"];

/// Refuses what changes the program, or is no single expression. Macros of the file are looked into.
pub fn looks_only(text: &str, macros: &BTreeMap<&str, &str>) -> Result<(), String> {
    looks(text, macros, 0)
}

fn looks(text: &str, macros: &BTreeMap<&str, &str>, depth: u32) -> Result<(), String> {
    // Soundness: a comment or a directive would hide from us what follows it.
    let hides = ["//", "/*", "\n", "\r", "#", "\\"].into_iter().find(|it| text.contains(*it));
    if let Some(what) = hides {
        return Err(format!("`{}` has no place in an expression", what.escape_debug()));
    }
    let all = tokens(text);
    if all.is_empty() {
        return Err("there is no expression".into());
    }
    let mut at = 0;
    let mut open = Vec::new();
    while let Some(token) = all.get(at) {
        match token.text {
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "^=" | "|=" | "<<=" | ">>=" | "++"
            | "--" | ";" | "{" | "}" => {
                return Err(format!("`{}` changes the program", token.text));
            }
            "(" if at > 0 && matches!(all[at - 1].text, ")" | "]") && !is_cast(&all, at - 1) => {
                return Err("something is called".into());
            }
            "(" | "[" => open.push(closing(&all, at)),
            ")" | "]" => {
                let opened = open.pop().flatten().filter(|&it| it == at);
                opened.ok_or_else(|| format!("`{}` closes nothing", token.text))?;
            }
            "," if open.is_empty() => return Err("a comma joins two expressions".into()),
            _ => {}
        }
        name(token, all.get(at + 1), macros, depth)?;
        at += 1;
    }
    if !open.is_empty() {
        return Err("a parenthesis is not closed".into());
    }
    Ok(())
}

/// Whether the parenthesis closed here holds a type: one that begins with a word of the language.
fn is_cast(all: &[Token], close: usize) -> bool {
    const TYPES: [&str; 12] = [
        "int", "long", "char", "short", "unsigned", "signed", "float", "double", "_Bool", "struct",
        "union", "const",
    ];
    let first = opening(all, close).and_then(|open| all.get(open + 1));
    all[close].text == ")" && first.is_some_and(|it| TYPES.contains(&it.text))
}

fn name(
    token: &Token,
    next: Option<&Token>,
    macros: &BTreeMap<&str, &str>,
    depth: u32,
) -> Result<(), String> {
    if !token.is_name() {
        return Ok(());
    }
    if token.text.starts_with("__hardbop") {
        return Err(format!("`{}` is a name of ours", token.text));
    }
    if next.is_some_and(|it| it.text == "(") && !NO_CALLS.contains(&token.text) {
        return Err(format!("`{}` is called", token.text));
    }
    match macros.get(token.text) {
        Some(_) if depth > 16 => Err(format!("`{}` is a macro of macros", token.text)),
        Some(body) => looks(body, macros, depth + 1),
        None => Ok(()),
    }
}

/// The macros without parameters that a text defines, with what stands for them.
pub fn macros(text: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
        let Some(rest) = rest.trim_start().strip_prefix("define ") else { continue };
        let rest = rest.trim();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        found.insert(&rest[..end], rest[end..].trim());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{looks_only, macros};

    #[test]
    fn what_changes_the_program_is_refused() {
        let all = macros("#define N 10\n#define INC (y++)\n#  define TWICE INC + N\n");
        for good in [
            "x <= 1",
            "(x == 0) || a[i] >= -1",
            "sizeof(x) > 1U",
            "(unsigned)(x) < N",
            "(x) * (y) > 1",
            "p->q.r != 'a'",
        ] {
            assert_eq!(looks_only(good, &all), Ok(()), "{good}");
        }
        for bad in [
            "x = 1",
            "x++",
            "f(x)",
            "x); f(",
            "(x",
            "x)",
            "",
            "x // y",
            "x <= INC",
            "TWICE > 1",
            "a, b",
            "x += 1",
            "1; abort()",
            "({ x; })",
            "__hardbop_segment == 1",
            "x \\",
            "(f)(x)",
            "a[1](x)",
        ] {
            assert!(looks_only(bad, &all).is_err(), "{bad}");
        }
    }
}
