//! The formatter keeps meaning and comments, and changes nothing the second time.

use hardbop_base::SourceFile;

fn format(text: &str) -> String {
    let (tree, diagnostics) = hardbop_bp::parse(&SourceFile::new("f", text));
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{text}");
    let printed = hardbop_bp::print(&tree);
    let (again, diagnostics) = hardbop_bp::parse(&SourceFile::new("f", printed.clone()));
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{printed}");
    assert_eq!(hardbop_bp::print(&again), printed);
    printed
}

fn format_expr(text: &str) -> String {
    let printed = format(&format!("void main() begin x := {text}; end"));
    let line = printed.lines().nth(1).expect("a statement");
    line.trim().trim_start_matches("x := ").trim_end_matches(';').to_owned()
}

#[test]
fn a_program_in_canonical_form() {
    let text = "\
// first
decl a,b:=T; // shared
/* about
   main */
bool<2>   main( p ,q )begin // body
decl l; enforce(a); abortif !b;
  1:L: /* why */ if(a)then // yes
 a,_:=f(b);elsif * then else
 // nothing
 fi; // end of if
 while (?) do skip od
 start_thread L; goto 1,L ; return /* inside */ a,b ; // bye
 // last words
end // of main
bool<2> f(x) begin end
// the end";
    let expected = "\
// first
decl a, b := 1; // shared

/* about
   main */
bool<2> main(p, q) begin
  // body
  decl l;
  enforce a;
  abortif !b;
  /* why */
  1: L: if a then
    // yes
    a, _ := f(b);
  elsif * then
  else
    // nothing
  fi // end of if
  while * do
    skip;
  od
  start_thread goto L;
  goto 1, L;
  /* inside */
  return a, b; // bye
  // last words
end // of main

bool<2> f(x) begin
end

// the end
";
    assert_eq!(format(text), expected);
}

#[test]
fn only_parentheses_that_say_something_stay() {
    for (text, expected) in [
        ("((a)&(b&c))|(d)", "a & b & c | d"),
        ("(a|b)&c", "(a | b) & c"),
        ("!(a=b)", "!(a = b)"),
        ("(!a)=b", "!a = b"),
        ("a=(b=c)", "a = (b = c)"),
        ("(a=b)=c", "a = b = c"),
        ("a|b=>c", "(a | b) => c"),
        ("a=>b|c", "(a => b) | c"),
        ("a=>b=>c", "(a => b) => c"),
        ("(a&b)=>(c^d)", "a & b => c ^ d"),
        ("a?(b?c:d):(e?f:g)", "a ? b ? c : d : e ? f : g"),
        ("(a?b:c)?d:e", "(a ? b : c) ? d : e"),
        ("!(!(a))&schoose[(a|b),(T)]", "!!a & schoose[a | b, 1]"),
        ("(*)", "*"),
    ] {
        assert_eq!(format_expr(text), expected, "{text}");
    }
}

#[test]
fn long_lines_are_broken() {
    let sum: Vec<String> = (0..20).map(|n| format!("variable_{n}")).collect();
    let text = format!(
        "void main() begin L: a, b := {}, c & {} constrain 'a; assume({}); end",
        sum.join("|"),
        sum[..2].join("&"),
        sum.join("^")
    );
    let expected = "\
void main() begin
  L: a, b :=
      variable_0 | variable_1 | variable_2 | variable_3 | variable_4 | variable_5 | variable_6
          | variable_7 | variable_8 | variable_9 | variable_10 | variable_11 | variable_12
          | variable_13 | variable_14 | variable_15 | variable_16 | variable_17 | variable_18
          | variable_19,
      c & variable_0 & variable_1
      constrain 'a;
  assume(variable_0 ^ variable_1 ^ variable_2 ^ variable_3 ^ variable_4 ^ variable_5 ^ variable_6
      ^ variable_7 ^ variable_8 ^ variable_9 ^ variable_10 ^ variable_11 ^ variable_12 ^ variable_13
      ^ variable_14 ^ variable_15 ^ variable_16 ^ variable_17 ^ variable_18 ^ variable_19);
end
";
    assert_eq!(format(&text), expected);
}

#[test]
fn no_comment_is_lost_wherever_it_stands() {
    let words = "decl a , b := a ; void f ( p ) begin decl l ; enforce a ; L : M : if a then \
        a , b := l , * constrain 'a ; elsif b then f ( p ) ; else while a do skip ; od fi ; goto L ; \
        N : end decl c ;";
    let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    for at in 0..=words.len() {
        for comment in ["// note\n", "/* note */", "\n// note\n", "\n/* no\n te */\n"] {
            let text = format!("{} {comment} {}", words[..at].join(" "), words[at..].join(" "));
            let printed = format(&text);
            assert_eq!(printed.matches(comment.trim()).count(), 1, "{text}\n{printed}");
        }
    }
}

#[test]
fn a_blank_line_is_kept_where_a_writer_puts_one() {
    let text = "// head


decl a;
decl b;

// about c
decl c;
void main() begin

  a := 1;


  b := 0; // b

  // then c
  if a then

    skip;

  elsif b then
    skip;

  else

    c :=

      1;
    // done

  fi

end

// over
";
    let expected = "// head

decl a;
decl b;

// about c
decl c;

void main() begin
  a := 1;

  b := 0; // b

  // then c
  if a then
    skip;
  elsif b then
    skip;
  else
    c := 1;
    // done
  fi
end

// over
";
    assert_eq!(format(text), expected);
}

#[test]
fn a_tree_with_mistakes_prints_as_text_that_is_refused() {
    let (tree, _) = hardbop_bp::parse(&SourceFile::new("f", "void main() begin x := ; end"));
    let printed = hardbop_bp::print(&tree);
    assert!(hardbop_bp::load(&SourceFile::new("f", printed)).0.is_none());
}
