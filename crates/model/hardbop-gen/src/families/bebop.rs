//! The benchmark T(N) of BEB, figure 4.

use std::fmt::Write;

use super::text::Header;
use super::{Args, Family, Param, Variant};

const PARAMS: &[Param] = &[Param::Number { name: "N", min: 1, max: 1_000_000 }, Param::Variant];

pub const BEBOP_T: Family = Family {
    name: "bebop-t",
    usage: "N [safe|unsafe]",
    about: "T(N) of the Bebop paper, figure 4: N procedures, each calls the next one twice. Four \
            variables in any scope, O(N) path edges: time should be linear in N. The shortest \
            trace is linear too; without summaries the calls are not.",
    generate: |args| build(&Args::parse(PARAMS, args)?),
};

fn build(args: &Args) -> Result<String, String> {
    let n = args.numbers[0];
    let header = Header {
        title: format!("T({n}) of the Bebop paper (figure 4)."),
        expect: args.variant,
        why: match args.variant {
            Variant::Unsafe => {
                "Every level negates g (level N directly, by induction the two calls of a level\n\
                 cancel out), so main finds g as it was at the start: any value, false as well."
            }
            Variant::Safe => {
                "Every level negates g (level N directly, by induction the two calls of a level\n\
                 cancel out), so main finds g as it was at the start: true, by its initial value."
            }
        },
        settings: &["goal: label:reach".to_string()],
    };
    let init = if args.variant == Variant::Safe { " := 1" } else { "" };
    let mut text = header.to_string();
    write!(
        text,
        "decl g{init};

void main()
begin
  level1();
  level1();
  if (!g) then
    reach: skip;
  else
    skip;
  fi
end
"
    )
    .expect("writing to a string cannot fail");
    for i in 1..=n {
        let next = if i < n { format!("level{}()", i + 1) } else { "skip".to_string() };
        write!(
            text,
            "
void level{i}()
begin
  decl a, b, c;
  if (g) then
    a, b, c := 0, 0, 0;
    while (!a | !b | !c) do
      if (!a) then
        a := 1;
      elsif (!b) then
        a, b := 0, 1;
      elsif (!c) then
        a, b, c := 0, 0, 1;
      fi
    od
  else
    {next};
    {next};
  fi
  g := !g;
end
"
        )
        .expect("writing to a string cannot fail");
    }
    Ok(text)
}
