//! Programs that print where the members of random structures and unions lie, what bits a bit-field
//! has, and of what type its value is: with `packed`, `aligned`, `#pragma pack`, modes, enumerations.

use std::fmt::Write;

use hardbop_gen::rng::Rng;

/// Types of bit-fields and members, with their widths: 0 is that of `long`.
const INTEGERS: [(&str, usize); 19] = [
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 0),
    ("unsigned long", 0),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum plain", 32),
    ("enum tight", 8),
    ("wide", 32),
    ("narrow", 32),
    ("halved", 64),
    ("quarter", 8),
    ("eight", 64),
];

const OTHERS: [(&str, &str); 12] = [
    ("float", ""),
    ("double", ""),
    ("long double", ""),
    ("void *", ""),
    ("char", "[3]"),
    ("int", "[2]"),
    ("struct inner", ""),
    ("union either", ""),
    ("struct packed", ""),
    ("double", "[2]"),
    ("long long", "[1]"),
    ("eighth", ""),
];

const HEAD: &str = "\
int printf(const char *, ...);
enum plain { E0, E1 = 5 };
enum __attribute__((packed)) tight { P0, P1 = 200 };
typedef int wide __attribute__((aligned(16)));
typedef int narrow __attribute__((aligned(1)));
typedef long long halved __attribute__((aligned(2)));
typedef int quarter __attribute__((mode(QI)));
typedef unsigned eight __attribute__((mode(DI)));
typedef struct { char c; } eighth __attribute__((aligned(8)));
struct inner { char a; double b; };
union either { short s; long long l; char t[9]; };
struct __attribute__((packed)) packed { char a; int b; long c; };
static void put(unsigned long value) { printf(\"%u \", (unsigned)value); }
";

/// A program for a model whose `long` has so many bits.
pub fn program(seed: u64, long: usize) -> String {
    let mut rng = Rng::new(seed);
    let (mut types, mut body) = (String::from(HEAD), String::new());
    for at in 0..12 {
        record(&mut rng, at, long, &mut types, &mut body);
    }
    format!("{types}int main(void) {{\n{body}  return 0;\n}}\n")
}

fn record(rng: &mut Rng, at: usize, long: usize, types: &mut String, body: &mut String) {
    let keyword = ["struct", "struct", "struct", "union"][rng.below(4)];
    let name = format!("{keyword} s{at}");
    let packs = rng.below(3) == 0;
    if packs {
        let _ = writeln!(types, "#pragma pack(push, {})", 1 << rng.below(5));
    }
    let mut attributes = Vec::new();
    if rng.below(4) == 0 {
        attributes.push("packed".to_string());
    }
    if rng.below(5) == 0 {
        attributes.push(format!("aligned({})", 1 << rng.below(6)));
    }
    let attributes = format!("__attribute__(({}))", attributes.join(", "));
    let (before, after) =
        if rng.below(2) == 0 { (attributes.as_str(), "") } else { ("", attributes.as_str()) };
    let _ = writeln!(types, "{keyword} {before} s{at} {{");
    let _ =
        writeln!(body, "  put(sizeof({name})); put(_Alignof({name})); put(__alignof__({name}));");
    let _ = writeln!(body, "  {{ {name} v; unsigned char *p = (unsigned char *)&v; int i;");
    for field in 0..rng.within((1, 7)) {
        member(rng, &format!("f{field}"), &name, long, types, body);
    }
    let _ = writeln!(types, "  char last;\n}} {after};");
    let _ = writeln!(body, "    put(__builtin_offsetof({name}, last)); printf(\"\\n\"); }}");
    if packs {
        let _ = writeln!(types, "#pragma pack(pop)");
    }
}

fn member(
    rng: &mut Rng,
    field: &str,
    record: &str,
    long: usize,
    types: &mut String,
    body: &mut String,
) {
    let mut asked = String::new();
    if rng.below(7) == 0 {
        asked += " __attribute__((packed))";
    }
    if rng.below(7) == 0 {
        let _ = write!(asked, " __attribute__((aligned({})))", 1 << rng.below(5));
    }
    let (base, width) = INTEGERS[rng.below(INTEGERS.len())];
    let width = 1 + rng.below(if width == 0 { long } else { width });
    let _ = match rng.below(20) {
        0 => writeln!(types, "  {base} : 0;"),
        1 => writeln!(types, "  {base} : {width};"),
        2..10 => {
            let ones = if base == "_Bool" { 1 } else { -1 };
            let _ = writeln!(types, "  {base} {field} : {width}{asked};");
            writeln!(
                body,
                "    for (i = 0; i < (int)sizeof v; i++) p[i] = 0;\n    \
                 v.{field} = {ones}; for (i = 0; i < (int)sizeof v; i++) put(p[i]);\n    \
                 put(v.{field} > 0); put(v.{field} - 2 < 0); put(sizeof(v.{field} + 0));\n    \
                 put((unsigned long)(v.{field} * 3u)); put((v.{field} ? -1 : v.{field}) < 0);\n    \
                 put((v.{field} = 0) - 1 < 0);"
            )
        }
        kind => {
            let (base, suffix) = match kind {
                10..15 => (base, ""),
                _ => OTHERS[rng.below(OTHERS.len())],
            };
            let _ = writeln!(types, "  {base} {field}{suffix}{asked};");
            writeln!(
                body,
                "    put(__builtin_offsetof({record}, {field})); put(__alignof__(v.{field}));"
            )
        }
    };
}
