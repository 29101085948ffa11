//! Reads the rules of concurrent pushdown systems (`.pds`).
//!
//! The first number says how many shared states there are. Each thread begins with `PDA a b`, its local states being those from
//! `a` to `b`, and has one rule a line: `q s -> q' s'` replaces the top, `q s -> q' s' s''` puts `s'` above `s''`, `q s -> q' -`
//! takes the top away; `q - -> q' s'` is for an empty stack. `#` begins a comment.

use hardbop_base::{SourceFile, Span};
use hardbop_diag::Diagnostic;
use hardbop_diag::codes::net::{RANGE, SYNTAX};

/// After so many mistakes the file is something else.
const MANY: usize = 20;

/// More shared states make no sense.
const MOST: u32 = 1 << 20;

/// The threads, each with its rules.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct System {
    pub n_shared: u32,
    pub threads: Vec<Rules>,
    /// Threads that use a local state they have not declared: CUBA lets them, and so do we.
    pub warnings: Vec<Diagnostic>,
}

/// The rules of one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    pub span: Span,
    pub declared: (u32, u32),
    pub rules: Vec<Rule>,
}

/// `None` is the top of an empty stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    pub span: Span,
    pub from: u32,
    pub top: Option<u32>,
    pub to: u32,
    /// What comes in the place of the top: at most two, the top first.
    pub word: Vec<u32>,
}

/// The system, or what is wrong with the file.
pub fn parse(file: &SourceFile) -> Result<System, Vec<Diagnostic>> {
    let (mut system, mut wrong) = (System::default(), Vec::new());
    let mut start = 0;
    for line in file.text.split('\n') {
        let text = line.split('#').next().unwrap_or("");
        let words = words(text, start);
        start += line.len() + 1;
        if let Err(diagnostic) = read_line(&mut system, &words) {
            wrong.push(*diagnostic);
            // What follows a wrong first line cannot be judged.
            if wrong.len() == MANY || system.n_shared == 0 {
                break;
            }
        }
    }
    if wrong.is_empty() && system.threads.is_empty() {
        let end = Span::new(file.text.len(), file.text.len());
        let why = match system.n_shared {
            0 => "expected the number of shared states",
            _ => "expected a thread, which begins with `PDA` and its local states",
        };
        wrong.push(Diagnostic::error(SYNTAX, end, why));
    }
    if wrong.is_empty() { Ok(system) } else { Err(wrong) }
}

fn read_line(system: &mut System, words: &[Word<'_>]) -> Result<(), Refused> {
    let Some(first) = words.first() else { return Ok(()) };
    if system.n_shared == 0 {
        let n = number(*first, "the number of shared states")?;
        end_of_line(&words[1..])?;
        if !(1..=MOST).contains(&n) {
            let why = format!("there must be at least one shared state, and at most {MOST}");
            return Err(Box::new(Diagnostic::error(RANGE, first.span, why)));
        }
        system.n_shared = n;
        return Ok(());
    }
    if first.text == "PDA" {
        let [_, low, high, rest @ ..] = words else {
            return Err(syntax(*first, "`PDA` with the first and the last local state"));
        };
        end_of_line(rest)?;
        let declared = (number(*low, "a local state")?, number(*high, "a local state")?);
        system.threads.push(Rules { span: first.span.to(high.span), declared, rules: vec![] });
        return Ok(());
    }
    let n_shared = system.n_shared;
    let Some(thread) = system.threads.last_mut() else {
        return Err(syntax(*first, "`PDA`, with which a thread begins"));
    };
    let rule = rule(n_shared, words)?;
    let (low, high) = thread.declared;
    let mut locals = rule.top.iter().chain(&rule.word);
    if let Some(other) = locals.find(|it| !(low..=high).contains(it))
        && !thread.rules.iter().any(|it| it.top == Some(*other) || it.word.contains(other))
    {
        let why = format!("local state {other} is not one of {low} to {high}, which are declared");
        system.warnings.push(Diagnostic::warning(RANGE, rule.span, why));
    }
    thread.rules.push(rule);
    Ok(())
}

fn rule(n_shared: u32, words: &[Word<'_>]) -> Result<Rule, Refused> {
    let [from, top, arrow, to, word @ ..] = words else {
        let last = words[words.len() - 1];
        let at = Span { start: last.span.end, ..last.span };
        let why = "expected a rule such as `0 1 -> 2 3`, not the end of the line";
        return Err(Box::new(Diagnostic::error(SYNTAX, at, why)));
    };
    if arrow.text != "->" {
        return Err(syntax(*arrow, "`->`"));
    }
    let shared = |word: Word<'_>| {
        let n = number(word, "a shared state")?;
        if n < n_shared {
            return Ok(n);
        }
        let why = format!("there are {n_shared} shared states, no {n}");
        Err(Box::new(Diagnostic::error(RANGE, word.span, why)))
    };
    let local = |word: Word<'_>| number(word, "a local state");
    let span = from.span.to(words[words.len() - 1].span);
    let top = if top.text == "-" { None } else { Some(local(*top)?) };
    let word = match *word {
        [] => {
            let at = Span { start: to.span.end, ..to.span };
            let why = "expected `-` or one or two local states, not the end of the line";
            return Err(Box::new(Diagnostic::error(SYNTAX, at, why)));
        }
        [none] if none.text == "-" => vec![],
        [one] => vec![local(one)?],
        [above, below] => vec![local(above)?, local(below)?],
        [_, _, more, ..] => return Err(syntax(more, "the end of the line")),
    };
    Ok(Rule { span, from: shared(*from)?, top, to: shared(*to)?, word })
}

fn end_of_line(rest: &[Word<'_>]) -> Result<(), Refused> {
    rest.first().map_or(Ok(()), |&more| Err(syntax(more, "the end of the line")))
}

type Refused = Box<Diagnostic>;

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

fn syntax(word: Word<'_>, expected: &str) -> Refused {
    let why = format!("expected {expected}, not `{}`", word.text);
    Box::new(Diagnostic::error(SYNTAX, word.span, why))
}

fn number(word: Word<'_>, expected: &str) -> Result<u32, Refused> {
    let is_number = word.text.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.text.parse().ok().filter(|_| is_number);
    number.ok_or_else(|| syntax(word, expected))
}
