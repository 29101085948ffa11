//! The words of a text, for those who show it: colours, folds, names to be typed.

use hardbop_base::{Budget, Span};
use hardbop_diag::Sink;
use hardbop_diag::codes::bp as codes;

use crate::lexer::lex;
use crate::token::{Kw, SOFT, THREAD_END, Tok};

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Keyword,
    Name,
    Number,
    /// Operators and what stands between words; also what is no word at all.
    Sign,
    Comment,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    pub kind: Kind,
    pub span: Span,
}

/// All words and comments in the order of the text; what the budget does not reach is left out.
pub fn words(text: &str, budget: &Budget) -> Vec<Word> {
    let lexed = lex(text, &mut Sink::within(budget, codes::TOO_MANY));
    let comments = lexed.comments.iter().filter(|it| it.span.start < it.span.end);
    let comments = comments.map(|it| Word { kind: Kind::Comment, span: it.span });
    let tokens = lexed.tokens.iter().filter(|it| it.tok != Tok::End);
    let mut all: Vec<Word> = tokens
        .map(|it| {
            let kind = match it.tok {
                Tok::Kw(_) => Kind::Keyword,
                Tok::Ident => Kind::Name,
                Tok::Number => Kind::Number,
                _ => Kind::Sign,
            };
            Word { kind, span: it.span }
        })
        .chain(comments)
        .collect();
    all.sort_by_key(|it| it.span);
    all
}

/// Every word that cannot be a name, in all its spellings.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    Kw::ALL.iter().map(|kw| kw.text()).chain([THREAD_END])
}

/// Names that mean something of their own where a statement, an expression or a head begins.
pub fn soft_keywords() -> impl Iterator<Item = &'static str> {
    SOFT.into_iter()
}

/// Whether a text is one name, and nothing else.
pub fn is_name(text: &str) -> bool {
    let mut sink = Sink::new(codes::TOO_MANY);
    let lexed = lex(text, &mut sink);
    let is_whole = |span: Span| span.range() == (0..text.len());
    !sink.has_errors()
        && lexed.comments.is_empty()
        && matches!(lexed.tokens[..], [first, _] if first.tok == Tok::Ident && is_whole(first.span))
}

#[cfg(test)]
mod tests {
    use super::{Kind, is_name, keywords, words};
    use hardbop_base::Budget;

    #[test]
    fn words_and_comments_come_in_the_order_of_the_text() {
        let text = "decl x; // one\n\n/* two */ L1: goto 3;";
        let found: Vec<_> = words(text, &Budget::unlimited())
            .iter()
            .filter(|it| it.kind != Kind::Sign)
            .map(|it| (it.kind, &text[it.span.range()]))
            .collect();
        let wanted = [
            (Kind::Keyword, "decl"),
            (Kind::Name, "x"),
            (Kind::Comment, "// one"),
            (Kind::Comment, "/* two */"),
            (Kind::Name, "L1"),
            (Kind::Keyword, "goto"),
            (Kind::Number, "3"),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_name_is_one_word_that_is_no_keyword() {
        for name in ["x", "{*p == *q}", "$a-b#1", "choose"] {
            assert!(is_name(name), "{name}");
        }
        for other in ["", "2x", "a b", "x ", "größe", "{}", "x;", "x//", "schoose"] {
            assert!(!is_name(other), "{other}");
        }
        assert!(keywords().all(|it| !is_name(it)));
    }
}
