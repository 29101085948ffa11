//! Words that C23 added and that were names before: `bool`, `true`, `false`, `nullptr`, `alignas`, `alignof`,
//! `thread_local`.
//!
//! Which C a program is written in is not said in its text. Where such a word is not declared by the program, C11 has no
//! meaning for it, and it is taken as that of C23; where a program makes it a name of its own, as many do, it stays one in the
//! whole unit. `true` and `false` are 1 and 0 of type `int` as <stdbool.h> has them, `nullptr` is a 0.

use super::lexer::{Tok, Token};
use super::words::{Kw, Punct};

/// In this order: what may stand before a type comes before it.
const WORDS: [(&str, Meaning); 7] = [
    ("alignas", Meaning::Word(Kw::Alignas)),
    ("alignof", Meaning::Word(Kw::Alignof)),
    ("thread_local", Meaning::Word(Kw::ThreadLocal)),
    ("bool", Meaning::Type),
    ("true", Meaning::Value(1)),
    ("false", Meaning::Value(0)),
    ("nullptr", Meaning::Value(0)),
];

#[derive(Clone, Copy)]
enum Meaning {
    Type,
    Value(u128),
    Word(Kw),
}

/// Gives each of these words its meaning where no token makes it a name.
pub fn read(tokens: &mut [Token]) {
    for (word, meaning) in WORDS {
        let is_it = |token: &Token| matches!(&token.tok, Tok::Ident(name) if &**name == word);
        let places: Vec<usize> = (0..tokens.len()).filter(|&at| is_it(&tokens[at])).collect();
        if places.iter().any(|&at| is_name(tokens, at, meaning)) {
            continue;
        }
        for at in places {
            tokens[at].tok = match meaning {
                Meaning::Type => Tok::Kw(Kw::Bool),
                Meaning::Word(kw) => Tok::Kw(kw),
                Meaning::Value(value) => {
                    Tok::Int { value, is_decimal: true, is_unsigned: false, longs: 0 }
                }
            };
        }
    }
}

/// Whether the word can be nothing but a name of the program's where it stands.
fn is_name(tokens: &[Token], at: usize, meaning: Meaning) -> bool {
    let near = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|it| &it.tok);
    let (before, after) = (near(at.checked_sub(1)), near(Some(at + 1)));
    let (before, after) = (before.unwrap_or(&Tok::End), after.unwrap_or(&Tok::End));
    let is_member = matches!(before, Tok::Punct(Punct::Dot | Punct::Arrow));
    let is_tag = matches!(before, Tok::Kw(Kw::Struct | Kw::Union | Kw::Enum | Kw::Goto));
    let is_here = match meaning {
        // What ends a declarator cannot stand behind a type, nor a type behind another.
        Meaning::Type => {
            let ends = [Punct::Semi, Punct::Assign, Punct::LBracket, Punct::Colon];
            let is_declared = match before {
                Tok::Kw(word) => word.is_whole_type(),
                Tok::Ident(_) | Tok::Punct(Punct::Star) => true,
                _ => false,
            };
            is_declared || matches!(after, Tok::Punct(it) if ends.contains(it))
        }
        Meaning::Value(_) => {
            let is_star = |it: &&Token| it.tok == Tok::Punct(Punct::Star);
            let of = tokens[..at].iter().rev().find(|it| !is_star(it)).map(|it| &it.tok);
            let is_declared = match of {
                Some(Tok::Kw(word)) => word.is_specifier() && *word != Kw::Attribute,
                _ => matches!(before, Tok::Ident(_)),
            };
            is_declared || matches!(after, Tok::Punct(Punct::Assign | Punct::LParen))
        }
        Meaning::Word(Kw::ThreadLocal) => matches!(after, Tok::Punct(_)),
        Meaning::Word(_) => {
            let is_declared = matches!(before, Tok::Kw(word) if word.is_whole_type());
            is_declared || *after != Tok::Punct(Punct::LParen)
        }
    };
    is_member || is_tag || is_here || is_enumerator(tokens, at)
}

/// Whether the braces around a word are those of an `enum`.
fn is_enumerator(tokens: &[Token], at: usize) -> bool {
    let is_end = |token: &Token| {
        matches!(token.tok, Tok::Punct(Punct::LBrace | Punct::RBrace | Punct::Semi))
    };
    let Some(open) = tokens[..at].iter().rposition(is_end) else { return false };
    if tokens[open].tok != Tok::Punct(Punct::LBrace) {
        return false;
    }
    // `enum {`, `enum name {`, and with attributes in between.
    let begins = tokens[..open].iter().rposition(is_end).map_or(0, |it| it + 1);
    let head = &tokens[begins..open];
    head.iter().any(|it| it.tok == Tok::Kw(Kw::Enum))
        && !head.iter().any(|it| it.tok == Tok::Punct(Punct::Assign))
}

#[cfg(test)]
mod tests {
    use hardbop_diag::{Sink, codes};

    use super::super::lexer::{Tok, lex};
    use super::read;

    /// How many names are left.
    fn names(text: &str) -> usize {
        let (mut tokens, _) = lex(text, 0, &mut Sink::new(codes::c::TOO_MANY));
        read(&mut tokens);
        tokens.iter().filter(|it| matches!(it.tok, Tok::Ident(_))).count()
    }

    #[test]
    fn words_of_c23_have_their_meaning() {
        assert_eq!(names("bool f(bool, int *p) { return p == nullptr ? true : false; }"), 3);
        assert_eq!(names("alignas(16) static thread_local bool x = (bool)alignof(int);"), 1);
        assert_eq!(names("enum { A, B } e = true;"), 3);
        assert_eq!(names("bool t[] = { true, false };"), 1);
    }

    #[test]
    fn what_a_program_declares_is_its_own() {
        assert_eq!(names("typedef int bool; bool f(void);"), 3);
        assert_eq!(names("typedef enum { false, true } bool; bool x = true;"), 6);
        assert_eq!(names("enum b { false = 0, true = 1 };"), 3);
        assert_eq!(names("static const int true = 1; int x = true;"), 3);
        assert_eq!(names("struct s { int bool; } x; int f(void) { return x.bool; }"), 6);
        assert_eq!(names("int f(char *bool, int true) { return true; }"), 4);
        assert_eq!(names("void *nullptr; int alignof; int thread_local;"), 3);
    }
}
