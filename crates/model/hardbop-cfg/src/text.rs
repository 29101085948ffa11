//! The text form of a program: `docs/formats/cfg.md`.
//!
//! [`print()`] of what [`read()`] made of a printed program is that printed program again. Printing
//! spells expressions out as trees; neither direction recurses, so that no nesting is too deep.

mod expr;
mod lex;
mod names;
mod print;
mod read;

pub(crate) use print::ActionText;
pub use print::print;
pub use read::{ReadError, read};

/// First line of every text; the number changes when old texts change their meaning.
pub(crate) const HEADER: &str = "hardbop-cfg 1";

#[cfg(test)]
mod tests {
    use super::{print, read};

    /// Everything the form knows, as it is printed.
    const ALL: &str = r#"hardbop-cfg 1
shared g @5..6 := *
shared h
shared "{*p==*q}" := g & !(h ^ g)
shared "skip"
shared x

main "two words"

proc f(a @12..13, b) returns (r, "_") @10..20
  enforce !a | b
  entry l1
  exit l0
  loc l0 @10..20
  loc l1 L1 "12" "ASYNC_ \"q\"\n" @30..40
    l1 -> l2: assume schoose[a, !b]
    l1 -> l1: assume a ? b ? a : b : g ? a | b : (h ? a : b) ^ a
  loc l2
    l2 -> l0: a, g := !a, * constrain a' ^ b ^ (g' ^ "{*p==*q}")
    l2 -> l0: assign broadcast a, r := b, *
    l2 -> l0: a := b broadcast b := true constrain false
    l2 -> l0: assign
end

proc "two words"()
  local x @7..8
  entry l1
  exit l0
  loc l0
  loc l1
    l1 -> l2: x#5, x#4 := x#4, x#5 constrain x#5'
  loc l2
    l2 -> l3: x#5, _ := call f(g & (h & g) & h, (g | h) & !(g & h))
    l2 -> l3: call f(*, !!g)
  loc l3
    l3 -> l4: start_thread goto l2
    l3 -> l4: start_thread call "two words"()
    l3 -> l4: assert "skip"
  loc l4
    l4 -> l5: atomic_begin
  loc l5
    l5 -> l6: atomic_end
  loc l6
    l6 -> l7: skip
  loc l7
    l7 -> l0: end_thread
end
"#;

    #[test]
    fn what_is_printed_is_read_back() {
        let program = read(ALL).unwrap();
        assert_eq!(print(&program), ALL);
    }

    #[test]
    fn the_documented_example_is_a_printed_program() {
        let page = include_str!("../../../../docs/formats/cfg.md");
        let example = page.split("```\n").nth(1).unwrap();
        assert_eq!(print(&read(example).unwrap()), example);
    }

    #[test]
    fn comments_and_blanks_do_not_count() {
        let airy = ALL.replace("skip\n", "skip // why\r\n\n   // not\n");
        assert_eq!(print(&read(&airy).unwrap()), ALL);
    }

    /// Reads a program whose single edge carries `action`, and expects a message at its line.
    fn refused(action: &str, expect: &str) {
        let text = format!(
            "hardbop-cfg 1\nshared g\nmain m\nproc m()\nentry l1\nexit l0\nloc l0\nloc l1\n\
             l1 -> l0: {action}\nend\n"
        );
        let error = read(&text).unwrap_err();
        assert!(error.message.contains(expect), "{action}: {error}");
        assert_eq!(error.line, 9, "{action}: {error}");
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        refused("assume", "expected an expression");
        refused("assume g &", "expected an expression");
        refused("assume (g", "expected `)`");
        refused("assume g)", "expected the end of the line");
        refused("assume g ? g", "expected `:`");
        refused("assume (g ? g)", "expected `:`");
        refused("assume schoose[g]", "expected `,`");
        refused("assume schoose[g, g", "expected `]`");
        refused("assume k", "unknown variable `k`");
        refused("assume g#1", "unknown variable `g#1`");
        refused("assume \"g", "never ends");
        refused("assume g~", "unexpected character `~`");
        refused("g := g, g", "1 targets and 2 values");
        refused("g, := g", "expected a variable");
        refused("g := call q()", "unknown procedure `q`");
        refused("dance", "unknown variable `dance`");
        refused("g@5..3 := g", "expected");
        refused("start_thread goto l99999999999", "number");
    }

    #[test]
    fn whole_programs_are_checked_too() {
        for (text, line, expect) in [
            ("", 1, "hardbop-cfg 1"),
            ("hardbop-cfg 2\n", 1, "hardbop-cfg 1"),
            ("hardbop-cfg 1\nshared g\n", 2, "no `main`"),
            ("hardbop-cfg 1\nmain m\n", 2, "unknown procedure `m`"),
            ("hardbop-cfg 1\nmain m\nproc m()\nloc l0\n", 4, "`end`"),
            ("hardbop-cfg 1\nmain m\nproc m()\nloc l0\nend\n", 5, "`entry`"),
            ("hardbop-cfg 1\nmain m\nproc m()\nloc l1\nend\n", 4, "l0 comes next"),
            ("hardbop-cfg 1\nmain m\nproc m()\nentry l7\nexit l0\nloc l0\nend\n", 3, "l7"),
            ("hardbop-cfg 1\nmain m\nproc m()\nproc n()\nend\n", 4, "expected"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.message.contains(expect) && error.line == line, "{text:?}: {error}");
        }
    }

    /// Neither reading nor printing recurses.
    #[test]
    fn nesting_of_any_depth_is_read_and_printed() {
        let depth = 100_000;
        let nested = format!("{}g{}", "!(h & ".repeat(depth), ")".repeat(depth));
        let text = format!(
            "hardbop-cfg 1\nshared g\nshared h\n\nmain m\n\nproc m()\n  entry l1\n  exit l0\n  \
             loc l0\n  loc l1\n    l1 -> l0: assume {nested}\nend\n"
        );
        assert_eq!(print(&read(&text).unwrap()), text);
    }

    /// Cutting or changing a byte anywhere gives a program or a message, never a panic.
    #[test]
    fn damaged_text_never_panics() {
        let mut outcomes = [0, 0];
        for at in 0..ALL.len() {
            let cut = read(&ALL[..at]);
            outcomes[usize::from(cut.is_ok())] += 1;
            for byte in b"( )\"'!?:,#*@.0l\n" {
                let mut damaged = ALL.as_bytes().to_vec();
                damaged[at] = *byte;
                if let Ok(damaged) = String::from_utf8(damaged) {
                    outcomes[usize::from(read(&damaged).is_ok())] += 1;
                }
            }
        }
        assert!(outcomes.iter().all(|&n| n > 0), "{outcomes:?}");
    }
}
