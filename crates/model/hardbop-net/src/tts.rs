//! Reads thread-transition systems (`.tts`).
//!
//! The first line gives the numbers of shared and of local states. Then one transition a line:
//! `s l -> s' l'` a thread moves, followed by any `m ~> m'`: every other thread in m moves to one of
//! its m'; `s l +> s' l'` a thread in l starts one in l'; `s l ~> s' l'` all threads in l move to l',
//! whether there are any or not. `#` begins a comment.

use hardbop_base::{SourceFile, Span};
use hardbop_diag::Diagnostic;
use hardbop_diag::codes::net::{RANGE, SYNTAX};

use crate::net::{MOST, Net, Rule, Transfer, merged};

/// The net, or what is wrong with the file.
pub fn parse(file: &SourceFile) -> Result<Net, Vec<Diagnostic>> {
    let mut net = Net::default();
    let mut has_sizes = false;
    let mut wrong = Vec::new();
    let mut start = 0;
    for line in file.text.split('\n') {
        let text = line.split('#').next().unwrap_or("");
        let words = words(text, start);
        start += line.len() + 1;
        let done = match (words.is_empty(), has_sizes) {
            (true, _) => Ok(()),
            (false, false) => {
                has_sizes = true;
                sizes(&words).map(|(n_controls, n_places)| {
                    (net.n_controls, net.n_places) = (n_controls, n_places);
                })
            }
            (false, true) => transition(&net, &words).map(|rule| net.rules.push(rule)),
        };
        if let Err(diagnostic) = done {
            wrong.push(*diagnostic);
            // What follows a wrong first line cannot be judged.
            if wrong.len() == MANY || net.n_places == 0 {
                break;
            }
        }
    }
    if !has_sizes && wrong.is_empty() {
        let why = "expected the numbers of shared and of local states";
        wrong.push(Diagnostic::error(SYNTAX, Span::new(file.text.len(), file.text.len()), why));
    }
    if wrong.is_empty() { Ok(net) } else { Err(wrong) }
}

/// After so many mistakes the file is something else.
const MANY: usize = 20;

/// Whether thread states of this net exist: for initial states and targets.
pub fn check_in_range(
    net: &Net,
    control: u32,
    places: impl IntoIterator<Item = u32>,
) -> Result<(), String> {
    if control >= net.n_controls {
        return Err(format!("there are {} shared states, no {control}", net.n_controls));
    }
    match places.into_iter().find(|&place| place >= net.n_places) {
        Some(place) => Err(format!("there are {} local states, no {place}", net.n_places)),
        None => Ok(()),
    }
}

#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    span: Span,
}

fn words(line: &str, start: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    for part in line.split(|c: char| c.is_ascii_whitespace()) {
        if !part.is_empty() {
            let span = Span::new(start + at, start + at + part.len());
            words.push(Word { text: part, span });
        }
        at += part.len() + 1;
    }
    words
}

type Refused = Box<Diagnostic>;

fn syntax(word: Word<'_>, expected: &str) -> Refused {
    let why = format!("expected {expected}, not `{}`", word.text);
    Box::new(Diagnostic::error(SYNTAX, word.span, why))
}

fn sizes(words: &[Word<'_>]) -> Result<(u32, u32), Refused> {
    let expected = "the numbers of shared and of local states";
    match *words {
        [shared, local] => Ok((size(shared, expected)?, size(local, expected)?)),
        [one] => Err(syntax(one, expected)),
        [_, _, more, ..] => Err(syntax(more, "the end of the line")),
        [] => unreachable!("empty lines are skipped"),
    }
}

fn size(word: Word<'_>, expected: &str) -> Result<u32, Refused> {
    let n = word.text.parse().map_err(|_| syntax(word, expected))?;
    if (1..MOST).contains(&n) {
        return Ok(n);
    }
    Err(Box::new(Diagnostic::error(RANGE, word.span, "there must be at least one, and not 2^28")))
}

fn number(word: Word<'_>, below: u32, what: &str) -> Result<u32, Refused> {
    if word.text.is_empty() || !word.text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(syntax(word, &format!("a {what} state")));
    }
    let in_range = word.text.parse().ok().filter(|&n: &u32| n < below);
    in_range.ok_or_else(|| {
        let why = format!("there are {below} {what} states, no {}", word.text);
        Box::new(Diagnostic::error(RANGE, word.span, why))
    })
}

fn transition(net: &Net, words: &[Word<'_>]) -> Result<Rule, Refused> {
    let [shared, local, arrow, to_shared, to_local, rest @ ..] = words else {
        let last = words[words.len() - 1];
        let at =
            Word { text: "the end of the line", span: Span { start: last.span.end, ..last.span } };
        let why = format!("expected a transition such as `0 0 -> 1 1`, not {}", at.text);
        return Err(Box::new(Diagnostic::error(SYNTAX, at.span, why)));
    };
    let from = number(*shared, net.n_controls, "shared")?;
    let local = number(*local, net.n_places, "local")?;
    let to = number(*to_shared, net.n_controls, "shared")?;
    let to_local = number(*to_local, net.n_places, "local")?;
    let span = shared.span.to(words[words.len() - 1].span);
    let mut rule =
        Rule { span, from, to, take: vec![], put: vec![], transfers: vec![], at_most: vec![] };
    match arrow.text {
        "->" => {
            (rule.take, rule.put) = (vec![(local, 1)], vec![(to_local, 1)]);
            rule.transfers = transfers(net, rest)?;
            return Ok(rule);
        }
        "+>" => {
            rule.take = vec![(local, 1)];
            rule.put = merged([(local, 1), (to_local, 1)]);
        }
        "~>" => rule.transfers = vec![Transfer { from: local, to: vec![to_local] }],
        _ => return Err(syntax(*arrow, "`->`, `+>` or `~>`")),
    }
    match rest.first() {
        Some(more) => Err(syntax(*more, "the end of the line: only `->` moves other threads too")),
        None => Ok(rule),
    }
}

fn transfers(net: &Net, words: &[Word<'_>]) -> Result<Vec<Transfer>, Refused> {
    let mut pairs = Vec::new();
    for chunk in words.chunks(3) {
        let [from, arrow, to] = chunk else {
            return Err(syntax(chunk[chunk.len() - 1], "`local ~> local`"));
        };
        if arrow.text != "~>" {
            return Err(syntax(*arrow, "`~>`"));
        }
        let from = number(*from, net.n_places, "local")?;
        pairs.push((from, number(*to, net.n_places, "local")?));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut all: Vec<Transfer> = Vec::new();
    for (from, to) in pairs {
        match all.last_mut() {
            Some(last) if last.from == from => last.to.push(to),
            _ => all.push(Transfer { from, to: vec![to] }),
        }
    }
    // Who may only stay where it is, stays.
    all.retain(|transfer| transfer.to != [transfer.from]);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use hardbop_base::SourceFile;

    use super::parse;
    use crate::net::Transfer;

    #[test]
    fn all_kinds_of_transitions_are_read() {
        let text = "# a comment\n3 4\n0 0 -> 1 1 # more\n\n1 1 +> 2 1\n2 0 ~> 0 3\r\n0 1 -> 0 2 0 ~> 3 1 ~> 1 0 ~> 0\n";
        let file = SourceFile::new("t.tts", text);
        let net = parse(&file).unwrap();
        assert_eq!((net.n_controls, net.n_places, net.rules.len()), (3, 4, 4));
        assert_eq!(net.rules[1].put, [(1, 2)]);
        assert!(net.rules[2].take.is_empty());
        assert_eq!(net.rules[3].transfers, [Transfer { from: 0, to: vec![0, 3] }]);
        assert_eq!(file.snippet(net.rules[3].span), "0 1 -> 0 2 0 ~> 3 1 ~> 1 0 ~> 0");
        assert_eq!(file.snippet(net.rules[2].span), "2 0 ~> 0 3");
    }

    #[test]
    fn mistakes_are_located() {
        for (text, at) in [
            ("", 0),
            ("# only\n", 7),
            ("0 2", 0),
            ("a 2", 0),
            ("2 2\n0 0 -> 1", 12),
            ("2 2\n0 0 => 1 1", 8),
            ("2 2\n0 2 -> 1 1", 6),
            ("2 2\n0 -1 -> 1 1", 6),
            ("2 2\n0 0 -> 1 1 0 ~>", 17),
            ("2 2\n0 0 +> 1 1 0 ~> 1", 15),
            ("99999999999 2", 0),
        ] {
            let wrong = parse(&SourceFile::new("t.tts", text)).unwrap_err();
            assert_eq!(wrong[0].primary.span.start, at, "{text}: {}", wrong[0].message);
        }
    }
}
