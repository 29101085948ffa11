//! Going on after a mistake.
//!
//! A mistake is an `Err` up to the nearest statement, member, head of a loop or external declaration,
//! which takes it down and skips to where the text makes sense again: behind the `;` or before the
//! `}` that ends what was begun. Names in what was skipped are `unread`: whoever misses them later
//! has found no mistake of its own. A mistake found without a token read since the last one is
//! a consequence of it.

use hardbop_diag::{Diagnostic, codes};

use super::lexer::Tok;
use super::parser::{Parsed, Parser};
use super::words::{Kw, Punct};

/// What is being read, and so where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    External,
    /// A statement or a member.
    Inner,
    /// `( … )` behind `if`, `while`, `for`, `switch`.
    Head,
}

impl Parser<'_> {
    /// What `parse` reads; `None` if there is a mistake, which is taken down.
    pub fn recovering<T>(
        &mut self,
        level: Level,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Option<T> {
        let start = self.at;
        match parse(self) {
            Ok(it) if self.at > start => Some(it),
            // A declaration of nothing, whose `;` is missing: what stands here is left out.
            Ok(_) => {
                self.skip();
                None
            }
            Err(wrong) => {
                self.take_down(*wrong);
                match level {
                    Level::Head => self.skip_head(start),
                    Level::External | Level::Inner => self.skip_to_end(start, level),
                }
                for token in &self.tokens[start..self.at] {
                    if let Tok::Ident(name) = &token.tok {
                        self.unread.insert(name.clone());
                    }
                }
                None
            }
        }
    }

    pub fn take_down(&mut self, wrong: Diagnostic) {
        if !self.is_over && self.mistaken_at != Some(self.at) {
            self.mistaken_at = Some(self.at);
            self.sink.push(wrong);
        }
    }

    /// Reads nothing more, as if the text ended here.
    pub fn end(&mut self) {
        self.is_over = true;
        self.at = self.tokens.len() - 1;
    }

    /// Takes down that something is missing here, and goes on as if it were not.
    pub fn missing(&mut self, punct: Punct) {
        if self.at > 0 && self.tokens[self.at - 1].is_broken {
            return;
        }
        let message = format!("`{}` is expected here, not {}", punct.text(), self.describe());
        self.take_down(Diagnostic::error(codes::c::SYNTAX, self.here(), message));
    }

    /// The `;` of a statement or declaration. Where a new line or `}` follows only that is missing.
    pub fn need_end(&mut self) -> Parsed<()> {
        let is_forgotten = self.tokens[self.at].is_first || self.is(Punct::RBrace);
        if !self.is(Punct::Semi) && is_forgotten {
            self.missing(Punct::Semi);
            return Ok(());
        }
        self.need(Punct::Semi)
    }

    /// Goes behind the `)` of a head, or before what cannot be in it.
    fn skip_head(&mut self, start: usize) {
        let mut open = 0i64;
        for token in &self.tokens[start..self.at] {
            match token.tok {
                Tok::Punct(Punct::LParen) => open += 1,
                Tok::Punct(Punct::RParen) => open -= 1,
                _ => {}
            }
        }
        while open > 0 {
            match self.peek() {
                Tok::Punct(Punct::LParen) => open += 1,
                Tok::Punct(Punct::RParen) => open -= 1,
                Tok::Punct(Punct::LBrace | Punct::RBrace) | Tok::End => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn skip_to_end(&mut self, start: usize, level: Level) {
        let mut open = 0i64;
        for token in &self.tokens[start..self.at] {
            match token.tok {
                Tok::Punct(Punct::LBrace) => open += 1,
                Tok::Punct(Punct::RBrace) => open -= 1,
                _ => {}
            }
        }
        loop {
            let token = &self.tokens[self.at];
            match &token.tok {
                Tok::End => return,
                Tok::Punct(Punct::LBrace) => open += 1,
                Tok::Punct(Punct::RBrace) if open <= 0 => {
                    if level == Level::External {
                        self.at += 1;
                    }
                    return;
                }
                Tok::Punct(Punct::RBrace) => {
                    open -= 1;
                    let goes_on = matches!(
                        self.peek_ahead(1),
                        Tok::Punct(Punct::Comma | Punct::RParen | Punct::Semi)
                    );
                    if open == 0 && !goes_on {
                        self.at += 1;
                        return;
                    }
                }
                Tok::Punct(Punct::Semi) if open <= 0 => {
                    self.at += 1;
                    return;
                }
                Tok::Kw(word)
                    if open <= 0 && token.is_first && self.at > start && begins_line(*word) =>
                {
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

/// Whether a word begins a statement or a declaration and stands nowhere else at the start of a line.
fn begins_line(word: Kw) -> bool {
    word.is_specifier() || word.begins_statement()
}
