//! Ill-formed text from well-formed text: what a parser must survive.

use crate::rng::Rng;

/// The text after a few random accidents: words lost, doubled, swapped or replaced, bytes changed,
/// the end cut off.
pub fn mangle(text: &str, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut words = words(text);
    for _ in 0..1 + rng.below(4) {
        accident(&mut rng, &mut words);
    }
    let mut text = words.concat();
    if rng.chance(20) {
        text = noise(&mut rng, text);
    }
    text
}

/// Splits into words, symbols and blanks, keeping everything.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    for c in text.chars() {
        match words.last_mut() {
            Some(word) if word.chars().last().map(class) == Some(class(c)) && class(c) != 2 => {
                word.push(c);
            }
            _ => words.push(c.to_string()),
        }
    }
    words
}

/// Words of the language and a few that are in no program.
const WORDS: &[&str] = &[
    "decl",
    "begin",
    "end",
    "void",
    "bool",
    "<2>",
    "if",
    "then",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "goto",
    "return",
    "assert",
    "assume",
    "skip",
    ":=",
    ":",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "'",
    "$",
    "_",
    "*",
    "?",
    "!",
    "&",
    "|",
    "^",
    "=",
    "!=",
    "=>",
    "schoose",
    "constrain",
    "enforce",
    "abortif",
    "dead",
    "print",
    "start_thread",
    "end_thread",
    "atomic_begin",
    "atomic_end",
    "T",
    "F",
    "0",
    "1",
    "99999999999999999999",
    "/*",
    "*/",
    "//",
    "\u{0}",
    "é",
    "\"",
    "{x y}",
    "#",
    "-",
];

fn accident(rng: &mut Rng, words: &mut Vec<String>) {
    if words.is_empty() {
        return;
    }
    let (at, other) = (rng.below(words.len()), rng.below(words.len()));
    match rng.below(7) {
        0 => {
            words.remove(at);
        }
        1 => words.insert(at, words[other].clone()),
        2 => words.swap(at, other),
        3 => words[at] = WORDS[rng.below(WORDS.len())].to_string(),
        4 => words.insert(at, format!(" {} ", WORDS[rng.below(WORDS.len())])),
        5 => {
            let (from, to) = (at.min(other), at.max(other));
            words.drain(from..to.min(from + 12));
        }
        _ => words.truncate(at),
    }
}

/// Changes a few bytes; what is no longer text becomes replacement characters.
fn noise(rng: &mut Rng, text: String) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..1 + rng.below(6) {
        if !bytes.is_empty() {
            let at = rng.below(bytes.len());
            bytes[at] = rng.next_u64() as u8;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{mangle, words};

    #[test]
    fn splitting_into_words_loses_nothing() {
        let text = "decl a,b:=*;\n\tvoid main() begin end // é";
        assert_eq!(words(text).concat(), text);
    }

    #[test]
    fn mangling_is_deterministic_and_changes_the_text() {
        let text = "decl a;\nvoid main() begin a := !a; assert(a); end\n";
        assert_eq!(mangle(text, 3), mangle(text, 3));
        let changed = (0..100).filter(|&seed| mangle(text, seed) != text).count();
        assert!(changed > 80, "{changed}");
    }
}
