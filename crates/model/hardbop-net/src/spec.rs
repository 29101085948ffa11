//! Reads Petri nets and nets with transfers in mist's format (`.spec`).
//!
//! Sections `vars`, `rules`, `init`, `target`, and `invariants`: sums of weighted places that are said to stay as
//! they are, kept as hints. A rule
//! `x >= 1, y >= 2 -> x' = x - 1, z' = z + y + 1, y' = 0;` asks for tokens, then assigns all places at
//! once; places not assigned stay. Targets are alternatives, each a list joined by commas.
//!
//! [`lower()`] makes of a rule tokens to take, to move and to put. A sum that names another place is a
//! transfer; a place that no sum takes over is emptied. A rule may test for an exact number, which is not
//! monotone ([`crate::net::Rule::at_most`]); a target may not. What copies a place is refused. A place that `init` does not name may hold any number, as in
//! mist.

mod lex;
mod lower;

use hardbop_base::{Name, SourceFile, Span};
use hardbop_diag::Diagnostic;
use hardbop_diag::codes::net::{RANGE, SYNTAX, UNDECLARED, UNSUPPORTED};
use rustc_hash::FxHashMap;

use crate::net::{Initial, MOST, Marking, Net, Question, Range};
use lex::{Kind, Token, lex};
use lower::{Sum, lower};

/// The net and what its file asks, or what is wrong with it.
pub fn parse(file: &SourceFile) -> Result<(Net, Question), Vec<Diagnostic>> {
    let tokens = lex(&file.text).map_err(|wrong| vec![*wrong])?;
    let mut parser = Parser { tokens, at: 0, places: FxHashMap::default(), net: Net::default() };
    parser.file().map(|question| (parser.net, question)).map_err(|wrong| vec![*wrong])
}

type Refused = Box<Diagnostic>;

fn refuse(code: hardbop_diag::codes::Code, span: Span, why: impl Into<String>) -> Refused {
    Box::new(Diagnostic::error(code, span, why))
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    places: FxHashMap<&'a str, u32>,
    net: Net,
}

/// `x >= 1`, `x = 1`, `x in [1, 3]`.
struct Constraint {
    place: u32,
    low: u32,
    /// `None`: no upper bound.
    high: Option<u32>,
    span: Span,
}

const SECTIONS: [&str; 5] = ["vars", "rules", "init", "target", "invariants"];

impl<'a> Parser<'a> {
    fn file(&mut self) -> Result<Question, Refused> {
        self.word("vars")?;
        while let Some(name) = self.name() {
            let place = self.net.names.len() as u32;
            if self.places.insert(name.text, place).is_some() {
                return Err(refuse(
                    UNDECLARED,
                    name.span,
                    format!("{} is declared twice", name.text),
                ));
            }
            self.net.names.push(Name::from(name.text));
        }
        (self.net.n_controls, self.net.n_places) = (1, self.net.names.len() as u32);
        self.word("rules")?;
        while !self.peek_is("init") {
            let rule = self.rule()?;
            self.net.rules.push(rule);
        }
        self.word("init")?;
        let initial = self.initial()?;
        self.word("target")?;
        let mut targets = Vec::new();
        while targets.is_empty() || self.peek().kind == Kind::Word && !self.peek_is("invariants") {
            let all = self.constraints()?;
            if let Some(exact) = all.iter().find(|it| it.high.is_some()) {
                let why = "a target asks for at least so many tokens, not for an exact number";
                return Err(refuse(UNSUPPORTED, exact.span, why));
            }
            // Asking twice for a place asks for the larger number.
            let mut least = std::collections::BTreeMap::new();
            for it in &all {
                let known = least.entry(it.place).or_insert(0);
                *known = it.low.max(*known);
            }
            targets.push(Marking::new(0, least));
        }
        if self.peek_is("invariants") {
            self.at += 1;
            while self.peek().kind != Kind::End {
                let hint = self.hint()?;
                self.net.hints.push(hint);
            }
        }
        if self.peek().kind != Kind::End {
            return Err(self.expected("a target, or the end of the file"));
        }
        Ok(Question { initial, targets })
    }

    /// `x = 1, y = 2`: the tokens of x and twice those of y are always as many.
    fn hint(&mut self) -> Result<Vec<(u32, u32)>, Refused> {
        let mut weights = Vec::new();
        loop {
            let place = self.place()?;
            self.need(Kind::Equal, "`=`")?;
            weights.push((place, self.number()?));
            if !self.eat(Kind::Comma) {
                return Ok(crate::net::merged(weights));
            }
        }
    }

    fn initial(&mut self) -> Result<Initial, Refused> {
        let all = self.constraints()?;
        let mut ranges = Vec::new();
        for place in 0..self.net.n_places {
            let mut range = Range { place, low: 0, high: None };
            if let Some(it) = all.iter().rev().find(|it| it.place == place) {
                (range.low, range.high) = (it.low, it.high);
            }
            ranges.push(range);
        }
        Ok(Initial { control: 0, ranges })
    }

    fn rule(&mut self) -> Result<crate::net::Rule, Refused> {
        let start = self.peek().span;
        let (mut guards, mut at_most) = (Vec::new(), Vec::new());
        loop {
            if self.peek_is("true") {
                self.at += 1;
            } else {
                let it = self.constraint()?;
                guards.push((it.place, it.low));
                at_most.extend(it.high.map(|high| (it.place, high)));
            }
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.need(Kind::Arrow, "`->`")?;
        let mut sums: Vec<Sum> = Vec::new();
        if self.peek().kind == Kind::Word {
            loop {
                let sum = self.assignment()?;
                if sums.iter().any(|known| known.place == sum.place) {
                    return Err(refuse(SYNTAX, sum.span, "the place is assigned twice"));
                }
                sums.push(sum);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
        }
        let end = self.need(Kind::Semicolon, "`,` or `;`")?;
        lower(start.to(end), &guards, at_most, &sums)
    }

    /// `x' = y + z + 1`.
    fn assignment(&mut self) -> Result<Sum, Refused> {
        let start = self.peek().span;
        let place = self.place()?;
        self.need(Kind::Prime, "`'`")?;
        self.need(Kind::Equal, "`=`")?;
        let mut sum = Sum { place, sources: Vec::new(), constant: 0, span: start };
        let mut sign = 1;
        loop {
            if self.peek().kind == Kind::Number {
                sum.constant += sign * i64::from(self.number()?);
            } else if sign == 1 {
                sum.sources.push(self.place()?);
            } else {
                return Err(self.expected("a number"));
            }
            sign = match self.peek().kind {
                Kind::Plus => 1,
                Kind::Minus => -1,
                _ => break,
            };
            self.at += 1;
        }
        sum.span = start.to(self.tokens[self.at - 1].span);
        Ok(sum)
    }

    fn constraints(&mut self) -> Result<Vec<Constraint>, Refused> {
        let mut all = vec![self.constraint()?];
        while self.eat(Kind::Comma) {
            all.push(self.constraint()?);
        }
        Ok(all)
    }

    fn constraint(&mut self) -> Result<Constraint, Refused> {
        let start = self.peek().span;
        let place = self.place()?;
        let (low, high) = if self.eat(Kind::AtLeast) {
            (self.number()?, None)
        } else if self.eat(Kind::Equal) {
            let n = self.number()?;
            (n, Some(n))
        } else if self.peek_is("in") {
            self.at += 1;
            self.need(Kind::Open, "`[`")?;
            let low = self.number()?;
            self.need(Kind::Comma, "`,`")?;
            let high = self.number()?;
            self.need(Kind::Close, "`]`")?;
            (low, Some(high))
        } else {
            return Err(self.expected("`>=`, `=` or `in`"));
        };
        let span = start.to(self.tokens[self.at - 1].span);
        if high.is_some_and(|high| high < low) {
            return Err(refuse(RANGE, span, "no number is in this interval"));
        }
        Ok(Constraint { place, low, high, span })
    }

    fn place(&mut self) -> Result<u32, Refused> {
        let Some(name) = self.name() else { return Err(self.expected("a place")) };
        self.places.get(name.text).copied().ok_or_else(|| {
            refuse(UNDECLARED, name.span, format!("{} is not declared in `vars`", name.text))
        })
    }

    fn number(&mut self) -> Result<u32, Refused> {
        let token = *self.peek();
        if token.kind != Kind::Number {
            return Err(self.expected("a number"));
        }
        self.at += 1;
        let in_range = token.text.parse().ok().filter(|&n: &u32| n < MOST);
        in_range.ok_or_else(|| refuse(RANGE, token.span, "the number is too large"))
    }

    /// The next word, if it is the name of something.
    fn name(&mut self) -> Option<Token<'a>> {
        let token = *self.peek();
        if token.kind != Kind::Word || SECTIONS.contains(&token.text) {
            return None;
        }
        self.at += 1;
        Some(token)
    }

    fn word(&mut self, word: &str) -> Result<(), Refused> {
        if !self.peek_is(word) {
            return Err(self.expected(&format!("`{word}`")));
        }
        self.at += 1;
        Ok(())
    }

    /// The last token ends the file and is never passed.
    fn peek(&self) -> &Token<'a> {
        &self.tokens[self.at]
    }

    fn peek_is(&self, word: &str) -> bool {
        self.peek().kind == Kind::Word && self.peek().text == word
    }

    fn eat(&mut self, kind: Kind) -> bool {
        if self.peek().kind != kind {
            return false;
        }
        self.at += 1;
        true
    }

    fn need(&mut self, kind: Kind, what: &str) -> Result<Span, Refused> {
        let span = self.peek().span;
        if self.eat(kind) { Ok(span) } else { Err(self.expected(what)) }
    }

    fn expected(&self, what: &str) -> Refused {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the file".to_string(),
            _ => format!("`{}`", token.text),
        };
        refuse(SYNTAX, token.span, format!("expected {what}, not {found}"))
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::SourceFile;

    use super::parse;
    use crate::net::Transfer;

    const HEAD: &str = "vars x y z\nrules\n";
    const TAIL: &str = "\ninit x >= 1, y = 2, z in [0, 3]\ntarget x >= 1, y >= 1 z >= 2, z >= 1, z >= 2 invariants x = 1 y = 1";

    fn rule(text: &str) -> Result<crate::net::Rule, String> {
        let file = SourceFile::new("t.spec", format!("{HEAD}{text}{TAIL}"));
        match parse(&file) {
            Ok((net, _)) => Ok(net.rules[0].clone()),
            Err(wrong) => Err(wrong[0].code.to_string()),
        }
    }

    #[test]
    fn rules_take_move_and_put() {
        let it = rule("x >= 1, y >= 2 -> x' = x - 1, z' = z + 3;").unwrap();
        assert_eq!((it.take, it.put), (vec![(0, 1), (1, 2)], vec![(1, 2), (2, 3)]));
        let it = rule("x >= 1 -> z' = z + 1, y' = y + x - 1, x' = 0;").unwrap();
        assert_eq!((it.take, it.put), (vec![(0, 1)], vec![(2, 1)]));
        assert_eq!(it.transfers, [Transfer { from: 0, to: vec![1] }]);
        // The tokens asked for and not consumed move with the others.
        let it = rule("x >= 3 -> y' = y + x - 1, x' = 2;").unwrap();
        assert_eq!((it.take, it.put), (vec![(0, 3)], vec![(0, 2), (1, 2)]));
        // Nothing takes over what was in x: it is emptied.
        let it = rule("true -> x' = 1;").unwrap();
        assert_eq!((it.take, it.put), (vec![], vec![(0, 1)]));
        assert_eq!(it.transfers, [Transfer { from: 0, to: vec![] }]);
        // One cannot take what is not there.
        assert_eq!(rule("true -> x' = x - 1;").unwrap().take, [(0, 1)]);
    }

    #[test]
    fn a_rule_may_test_for_few_tokens() {
        let it = rule("x = 0, y = 2 -> y' = y - 1, x' = x + 1;").unwrap();
        assert_eq!((it.take, it.put), (vec![(1, 2)], vec![(0, 1), (1, 1)]));
        assert_eq!(it.at_most, [(0, 0), (1, 2)]);
        let it = rule("x in [1, 3] -> x' = x - 1;").unwrap();
        assert_eq!((it.take, it.at_most), (vec![(0, 1)], vec![(0, 3)]));
    }

    #[test]
    fn what_is_no_net_is_refused() {
        for (text, code) in [
            ("x = -> y' = y + 1;", "net0001"),
            ("x >= 1 -> y' = y + x;", "net0003"),
            ("x >= 1 -> y' = x + y + z - 1, x' = 0, z' = 0;", "ok"),
            ("true -> y' = x + z - 1, x' = 0, z' = 0;", "net0003"),
            ("true -> y' = 0 - 1;", "net0003"),
            ("w >= 1 -> x' = x;", "net0004"),
            ("x >= 1 -> x' = x + 1, x' = x;", "net0001"),
            ("x > 1 -> x' = x;", "net0001"),
            ("x >= 1 -> x' = x", "net0001"),
            ("x >= 999999999999 -> x' = x;", "net0002"),
        ] {
            let answer = rule(text).map_or_else(|code| code, |_| "ok".into());
            assert_eq!(answer, code, "{text}");
        }
    }

    #[test]
    fn sections_say_what_is_asked() {
        let file = SourceFile::new("t.spec", format!("{HEAD}x >= 1 -> x' = x - 1;{TAIL}"));
        let (net, question) = parse(&file).unwrap();
        assert_eq!(net.names.len(), 3);
        assert_eq!(net.hints, [vec![(0, 1)], vec![(1, 1)]]);
        assert_eq!(question.targets.len(), 2);
        assert_eq!(question.targets[1], crate::net::Marking::new(0, [(2, 2)]));
        let highs: Vec<_> = question.initial.ranges.iter().map(|range| range.high).collect();
        assert_eq!(highs, [None, Some(2), Some(3)]);
        for cut in 0..file.text.find("target").unwrap() + 7 {
            let broken = SourceFile::new("t.spec", &file.text[..cut]);
            assert!(parse(&broken).is_err(), "{:?}", &file.text[..cut]);
        }
    }
}
