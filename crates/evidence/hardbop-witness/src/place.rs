//! Where in the text something is put: which statement, loop, branch or call a witness means.
//!
//! Nothing is parsed. What stands before a place has to say what the place is; where it does not, the place is refused.
//! What gets by and is no such place makes the program one that cannot be read.

use crate::tokens::{Token, closing, opening, tokens};
use crate::witness::Location;

/// A place, by offsets in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Hook {
    /// Before a statement; with an end, it stands alone behind `if`, `else` or a loop and gets braces.
    Statement { start: usize, end: Option<usize> },
    /// Before a condition, which may be left out.
    Condition { start: usize, is_empty: bool },
    /// Around a condition.
    Branch { start: usize, end: usize },
    /// Around a call, before it.
    Call { start: usize, end: usize },
    /// Around a call, behind it.
    Return { start: usize, end: usize },
}

/// Why something cannot be put in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The program has no such place, or the witness says nothing that could be true or false there.
    Wrong(String),
    /// There may be such a place, and we cannot tell.
    Limit(String),
}

impl From<String> for Refused {
    fn from(why: String) -> Self {
        Refused::Wrong(why)
    }
}

impl From<&str> for Refused {
    fn from(why: &str) -> Self {
        Refused::Wrong(why.into())
    }
}

pub struct Places<'a> {
    name: &'a str,
    pub text: &'a str,
    tokens: Vec<Token<'a>>,
    /// Offsets at which lines begin.
    lines: Vec<usize>,
}

const LOOPS: [&str; 3] = ["while", "for", "do"];
const CONTROL: [&str; 6] = ["while", "for", "do", "if", "switch", "else"];

impl<'a> Places<'a> {
    pub fn of(name: &'a str, text: &'a str) -> Self {
        let ends = text.bytes().enumerate().filter(|it| it.1 == b'\n').map(|it| it.0 + 1);
        Places { name, text, tokens: tokens(text), lines: std::iter::once(0).chain(ends).collect() }
    }

    /// Whether a place is in this file.
    pub fn is_of_file(&self, at: &Location) -> Result<(), Refused> {
        let last = |path: &str| path.rsplit('/').next().unwrap_or("").to_string();
        if last(&at.file) != last(self.name) {
            return Err(format!("it is about file `{}`", at.file).into());
        }
        match at.line as usize {
            1.. if (at.line as usize) <= self.lines.len() => Ok(()),
            line => Err(format!("the file has no line {line}").into()),
        }
    }

    /// The first token of the line that fits, or the one in the column.
    fn find(
        &self,
        at: &Location,
        what: &str,
        fits: impl Fn(usize) -> bool,
    ) -> Result<usize, Refused> {
        self.is_of_file(at)?;
        let start = self.lines[at.line as usize - 1];
        let end = self.lines.get(at.line as usize).copied().unwrap_or(self.text.len());
        let column = |token: &Token| self.text[start..token.start].chars().count() as u32 + 1;
        let in_line =
            self.tokens.iter().enumerate().filter(|it| (start..end).contains(&it.1.start));
        let mut fitting =
            in_line.filter(|it| at.column.is_none_or(|wanted| wanted == column(it.1)));
        fitting.find(|it| fits(it.0)).map(|it| it.0).ok_or_else(|| match at.column {
            Some(column) => format!("no {what} begins at {}:{column}", at.line).into(),
            None => format!("no {what} is in line {}", at.line).into(),
        })
    }

    fn is(&self, at: usize, texts: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|it| texts.contains(&it.text))
    }

    pub fn statement_at(&self, at: &Location) -> Result<Hook, Refused> {
        let mut here = self.find(at, "statement", |_| true)?;
        // Jumps to a label come behind it.
        while let Some(behind) = self.behind_label(here) {
            here = behind;
        }
        let Some(token) = self.tokens.get(here) else { return Err("nothing stands there".into()) };
        if self.is(here, &["else", ")", "]", "}", ",", ";", "="]) || self.is_in_parentheses(here) {
            return Err(format!("`{}` is no statement", token.text).into());
        }
        let stands_free = here > 0
            && (self.is(here - 1, &[";", "{", "}"])
                || self.is(here - 1, &[":"]) && self.is_label_before(here - 1));
        if self.is(here, &["{"]) {
            return Ok(Hook::Statement { start: token.end(), end: None });
        }
        if stands_free {
            return Ok(Hook::Statement { start: token.start, end: None });
        }
        if !self.stands_alone(here) || self.is(here, &CONTROL) {
            let why =
                format!("what stands before `{}` does not say that it is a statement", token.text);
            return Err(Refused::Limit(why));
        }
        let end = (here..self.tokens.len()).find(|&it| self.is(it, &[";"]));
        let end = end.ok_or("the statement has no end")?;
        Ok(Hook::Statement { start: token.start, end: Some(self.tokens[end].end()) })
    }

    /// Behind `name:`, `case x:` and `default:`.
    fn behind_label(&self, here: usize) -> Option<usize> {
        if self.is(here, &["case"]) {
            let colon = (here..self.tokens.len()).find(|&it| self.is(it, &[":", ";", "?"]))?;
            return self.is(colon, &[":"]).then_some(colon + 1);
        }
        let is_name = self.tokens.get(here)?.is_name() && self.is(here + 1, &[":"]);
        (is_name && here > 0 && self.is(here - 1, &[";", "{", "}", ":"])).then_some(here + 2)
    }

    /// Whether a colon is that of a label.
    fn is_label_before(&self, colon: usize) -> bool {
        let first =
            (0..colon).rev().find(|&it| self.is(it, &[";", "{", "}"])).map_or(0, |it| it + 1);
        !(first..colon).any(|it| self.is(it, &["?"]))
    }

    /// Whether it is what `if`, `else` or a loop governs, without braces.
    fn stands_alone(&self, here: usize) -> bool {
        if here > 0 && self.is(here - 1, &["else", "do"]) {
            return true;
        }
        let open = here
            .checked_sub(1)
            .filter(|&it| self.is(it, &[")"]))
            .and_then(|it| opening(&self.tokens, it));
        open.is_some_and(|it| it > 0 && self.is(it - 1, &["if", "while", "for"]))
    }

    fn is_in_parentheses(&self, here: usize) -> bool {
        let mut depth = 0i64;
        for token in self.tokens[..here].iter().rev() {
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "{" | "}" if depth == 0 => return false,
                _ => {}
            }
            if depth > 0 {
                return true;
            }
        }
        false
    }

    pub fn loop_at(&self, at: &Location) -> Result<Hook, Refused> {
        let here = self.find(at, "loop", |it| self.is(it, &LOOPS))?;
        if self.is(here, &["do"]) {
            return match self.is(here + 1, &["{"]) {
                true => Ok(Hook::Statement { start: self.tokens[here + 1].end(), end: None }),
                false => Err(Refused::Limit("the body of the loop has no braces".into())),
            };
        }
        if self.is_end_of_do(here) {
            return Err("this is the end of a loop that begins with `do`".into());
        }
        let (start, end) = self.condition(here)?;
        Ok(Hook::Condition { start, is_empty: start == end })
    }

    pub fn branch_at(&self, at: &Location) -> Result<Hook, Refused> {
        let here = self.find(at, "branch", |it| self.is(it, &["if", "while", "for", "do"]))?;
        let here = match self.is(here, &["do"]) {
            false => here,
            true if self.is(here + 1, &["{"]) => {
                let close =
                    closing(&self.tokens, here + 1).ok_or("the body of the loop does not end")?;
                close + 1
            }
            true => return Err(Refused::Limit("the body of the loop has no braces".into())),
        };
        let (start, end) = self.condition(here)?;
        Ok(Hook::Branch { start, end })
    }

    /// Whether a `while` belongs to a `do`.
    fn is_end_of_do(&self, here: usize) -> bool {
        let open = here
            .checked_sub(1)
            .filter(|&it| self.is(it, &["}"]))
            .and_then(|it| opening(&self.tokens, it));
        self.is(here, &["while"]) && open.is_some_and(|it| it > 0 && self.is(it - 1, &["do"]))
    }

    /// From where to where the condition of `if`, `while` or `for` goes.
    fn condition(&self, keyword: usize) -> Result<(usize, usize), Refused> {
        let broken = || Refused::from("it has no condition that could be found");
        let open = keyword + 1;
        if !self.is(open, &["("]) {
            return Err(broken());
        }
        let close = closing(&self.tokens, open).ok_or_else(broken)?;
        if !self.is(keyword, &["for"]) {
            return Ok((self.tokens[open].end(), self.tokens[close].start));
        }
        let mut at = open + 1;
        let mut semicolons = Vec::new();
        while at < close {
            match self.tokens[at].text {
                "(" | "[" | "{" => at = closing(&self.tokens, at).ok_or_else(broken)?,
                ";" => semicolons.push(at),
                _ => {}
            }
            at += 1;
        }
        match semicolons[..] {
            [first, second] if second == first + 1 => {
                Ok((self.tokens[first].end(), self.tokens[first].end()))
            }
            [first, second] => Ok((self.tokens[first].end(), self.tokens[second].start)),
            _ => Err(broken()),
        }
    }

    /// A call by its closing parenthesis: from its name to there.
    fn call(&self, at: &Location) -> Result<(usize, usize), Refused> {
        let name_of = |close: usize| -> Option<usize> {
            let name = opening(&self.tokens, close)?.checked_sub(1)?;
            let is_call = self.tokens[name].is_name()
                && !self.is(name, &CONTROL)
                && !self.is(name, &["sizeof", "return"]);
            // Behind a member's name there is an object, and behind a type's a declaration.
            let is_first = name == 0
                || !self.tokens[name - 1].is_name()
                || self.is(name - 1, &["return", "else", "do"]);
            (is_call && is_first && !(name > 0 && self.is(name - 1, &[".", "->"]))).then_some(name)
        };
        let close = self.find(at, "call", |it| self.is(it, &[")"]) && name_of(it).is_some())?;
        let name = name_of(close).ok_or("this is no call")?;
        Ok((self.tokens[name].start, self.tokens[close].end()))
    }

    pub fn call_at(&self, at: &Location) -> Result<Hook, Refused> {
        self.call(at).map(|(start, end)| Hook::Call { start, end })
    }

    pub fn return_at(&self, at: &Location) -> Result<Hook, Refused> {
        let (start, end) = self.call(at)?;
        // The call is written down twice, and lines must stay lines.
        match self.text[start..end].contains(['\n', '#']) || self.text[start..end].contains("//") {
            true => Err(Refused::Limit("the call is longer than a line".into())),
            false => Ok(Hook::Return { start, end }),
        }
    }
}
