//! Random C programs that end, have no undefined behaviour and print what they compute.
//!
//! Loops count to a constant, calls go to functions generated before, indices are masked,
//! divisors are made odd and positive, shifts are masked, signed arithmetic is done in unsigned
//! types or guarded.

pub mod layouts;

use std::fmt::Write;

use hardbop_gen::rng::Rng;

const TYPES: [&str; 9] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
];

pub fn program(seed: u64) -> String {
    let mut generator =
        Generator { rng: Rng::new(seed), out: String::new(), n_funcs: 0, labels: 0, loops: 0 };
    generator.program();
    generator.out
}

struct Generator {
    rng: Rng,
    out: String,
    n_funcs: usize,
    labels: usize,
    loops: usize,
}

impl Generator {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(indent));
    }

    fn ty(&mut self) -> &'static str {
        TYPES[self.rng.below(TYPES.len())]
    }

    fn program(&mut self) {
        self.line(0, "int printf(const char *, ...);");
        self.line(0, "struct inner { short a; unsigned b : 5; int c : 7; unsigned long d; };");
        self.line(0, "struct pair { int x; struct inner in; unsigned char tail[3]; };");
        self.line(0, "union mix { unsigned int u; unsigned char bytes[4]; short s[2]; };");
        for at in 0..4 {
            let (ty, value) = (self.ty(), self.rng.below(200));
            self.line(0, &format!("{ty} g{at} = {value};"));
        }
        self.line(0, "int ga[8] = { 3, [4] = 7, 9 };");
        self.line(0, "struct pair gs = { 5, { 1, 2, -3, 4 }, { 6, 7 } };");
        self.line(0, "union mix gu;");
        self.line(0, "int *gp = &ga[2];");
        for _ in 0..self.rng.within((1, 4)) {
            self.function();
        }
        self.line(0, "typedef int (*step)(int, unsigned);");
        self.line(0, "int up(int x, unsigned y) { return (int)((unsigned)x + y); }");
        self.line(0, "int down(int x, unsigned y) { return (int)((unsigned)x - y); }");
        self.line(0, "step steps[2] = { up, down };");
        self.line(0, "int sum(int n, ...) { __builtin_va_list l; long long r = 0; __builtin_va_start(l, n); while (n--) r += __builtin_va_arg(l, int); __builtin_va_end(l); return (int)r; }");
        self.line(0, "struct pair turn(struct pair v) { v.x ^= v.in.a; return v; }");
        self.line(0, "int main(void) {");
        self.locals();
        let which = self.rng.below(100);
        self.line(1, &format!("gs.x = steps[(a ^ {which}) & 1](gs.x, {which}); s = turn(s);"));
        self.line(1, "printf(\"%d %d\\n\", sum(3, gs.x & 255, s.x & 255, -7), turn(t).x);");
        for _ in 0..self.rng.within((4, 12)) {
            self.stmt(1, 3);
        }
        self.line(1, "printf(\"%lld %lld %lld %lld\\n\", (long long)g0, (long long)g1, (long long)g2, (long long)g3);");
        self.line(1, "for (int i = 0; i < 8; i++) printf(\"%d \", ga[i]);");
        self.line(1, "printf(\"%d %d %u %d %lu %u %u\\n\", gs.x, gs.in.a, gs.in.b, gs.in.c, gs.in.d, gs.tail[1], gu.u);");
        self.line(1, "printf(\"%lld %lld %lld %lld %d\\n\", (long long)a, (long long)b, (long long)c, (long long)d, *p);");
        self.line(1, "return (int)((unsigned)a & 127);");
        self.line(0, "}");
    }

    fn locals(&mut self) {
        for name in ["a", "b", "c", "d"] {
            let (ty, value) = (self.ty(), self.rng.below(1000));
            self.line(1, &format!("{ty} {name} = ({ty}){value};"));
        }
        self.line(1, "int arr[8] = { 1, 2, 3 };");
        self.line(1, "struct pair s = gs, t;");
        self.line(1, "int *p = &arr[3];");
        self.line(1, "t = s; t.x++;");
        self.line(1, "(void)a; (void)b; (void)c; (void)d; (void)p; (void)arr; (void)t;");
    }

    fn function(&mut self) {
        let (result, first, second) = (self.ty(), self.ty(), self.ty());
        let name = self.n_funcs;
        self.line(0, &format!("{result} f{name}({first} m, {second} n, int *q) {{"));
        self.line(1, "if (q == 0) return 1;");
        self.locals();
        self.line(1, "a = m; b = n; p = q;");
        for _ in 0..self.rng.within((1, 5)) {
            self.stmt(1, 2);
        }
        let value = self.expr(2);
        self.line(1, &format!("return ({result}){value};"));
        self.line(0, "}");
        self.n_funcs += 1;
    }

    fn place(&mut self) -> String {
        match self.rng.below(13) {
            0..=3 => ["a", "b", "c", "d"][self.rng.below(4)].into(),
            4 | 5 => format!("g{}", self.rng.below(4)),
            6 => format!("arr[(unsigned)({}) & 7]", self.expr(1)),
            7 => format!("ga[(unsigned)({}) % 8u]", self.expr(1)),
            8 => ["s.x", "t.in.a", "gs.in.b", "s.in.c", "gs.in.d", "t.tail[2]"][self.rng.below(6)]
                .into(),
            9 => "*p".into(),
            10 => ["gu.u", "gu.bytes[1]", "gu.s[0]"][self.rng.below(3)].into(),
            11 => "*gp".into(),
            _ => "(&s)->in.d".into(),
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.below(5) {
            0 => format!("{}", self.rng.below(300)),
            1 => ["0x80000000u", "-1", "'A'", "1ul", "2147483647", "-128", "65535", "(_Bool)5"]
                [self.rng.below(8)]
            .into(),
            2 => ["sizeof(struct pair)", "sizeof(long)", "(p - p)", "(int)sizeof arr"]
                [self.rng.below(4)]
            .into(),
            _ => self.place(),
        }
    }

    /// Arithmetic is unsigned where it could overflow.
    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        let word =
            ["unsigned", "unsigned long", "unsigned char", "unsigned short"][self.rng.below(4)];
        match self.rng.below(16) {
            0 => self.leaf(),
            1..=3 => {
                let op = ["+", "-", "*"][self.rng.below(3)];
                format!(
                    "(({})({a}) {op} (unsigned long)({b}))",
                    if word.len() > 13 { word } else { "unsigned" }
                )
            }
            4 => format!("(({a}) {} ({b}))", ["&", "|", "^"][self.rng.below(3)]),
            5 => format!("(({a}) {} ({b}))", ["<", ">", "<=", ">=", "==", "!="][self.rng.below(6)]),
            6 => format!("(({a}) {} ({b}))", ["&&", "||"][self.rng.below(2)]),
            7 => format!("(({a}) ? ({b}) : ({}))", self.expr(depth - 1)),
            8 => format!(
                "((unsigned long)({a}) {} ((unsigned)({b}) & 31))",
                ["<<", ">>"][self.rng.below(2)]
            ),
            9 => format!("((int)({a}) >> ((unsigned)({b}) & 15))"),
            10 => format!(
                "((unsigned)({a}) {} (((unsigned)({b}) & 255) | 1))",
                ["/", "%"][self.rng.below(2)]
            ),
            11 => format!(
                "((int)(short)({a}) {} (((int)({b}) & 255) | 1))",
                ["/", "%"][self.rng.below(2)]
            ),
            12 => format!("(({})({a}))", TYPES[self.rng.below(TYPES.len())]),
            13 => format!("({}({a}))", ["~", "!", "-(unsigned long)", "+"][self.rng.below(4)]),
            14 => format!("(({word})({a}) + ({b} , 1u))"),
            _ => format!("({{ int w = (short)({a}); w += 2; w; }})"),
        }
    }

    fn stmt(&mut self, indent: usize, depth: usize) {
        let value = self.expr(2);
        let place = self.place();
        match self.rng.below(if depth == 0 { 6 } else { 13 }) {
            0 | 1 => self.line(indent, &format!("{place} = {value};")),
            // A call stands alone: C leaves open in which order operands are evaluated.
            2 if self.n_funcs > 0 => {
                let func = self.rng.below(self.n_funcs);
                let pointer = ["p", "&ga[1]", "arr", "gp", "0"][self.rng.below(5)];
                let (first, to) = (self.expr(1), ["a", "b", "c", "d"][self.rng.below(4)]);
                self.line(indent, &format!("{to} = f{func}({first}, {value}, {pointer});"));
            }
            2 => self.line(indent, &format!("{place} = {value};")),
            3 => {
                let op = ["^=", "|=", "&="][self.rng.below(3)];
                self.line(indent, &format!("{place} {op} {value};"));
            }
            4 => self.line(
                indent,
                &format!("printf(\"%lld %x\\n\", (long long)({value}), (unsigned)({place}));"),
            ),
            5 => {
                let unsigned = ["g1 = (unsigned char)(g1 + 1u);", "b = (unsigned short)(b + 3u);"];
                let at = self.rng.below(2);
                self.line(indent, unsigned[at]);
                self.line(indent, "p = &arr[(unsigned)a & 7]; gu.bytes[(unsigned)b & 3]++; gs.tail[2]--; gs.in.b++;");
            }
            6 => {
                self.line(indent, &format!("if ({value}) {{"));
                self.stmt(indent + 1, depth - 1);
                self.line(indent, "} else {");
                self.stmt(indent + 1, depth - 1);
                self.line(indent, "}");
            }
            7 | 8 => {
                self.loops += 1;
                let (name, n) = (self.loops, self.rng.within((1, 5)));
                self.line(indent, &format!("for (int i{name} = 0; i{name} < {n}; i{name}++) {{"));
                if self.rng.chance(30) {
                    self.line(
                        indent + 1,
                        &format!("if ({value}) {};", ["continue", "break"][depth % 2]),
                    );
                }
                self.stmt(indent + 1, depth - 1);
                self.line(indent, "}");
            }
            9 => {
                self.loops += 1;
                let name = self.loops;
                self.line(indent, &format!("{{ unsigned k{name} = 3; do {{"));
                self.stmt(indent + 1, depth - 1);
                self.line(indent, &format!("}} while (k{name}-- && ({value})); }}"));
            }
            10 => {
                self.line(indent, &format!("switch ((unsigned char)({value}) % 6) {{"));
                for case in 0..4 {
                    self.line(indent, &format!("case {case}:"));
                    self.stmt(indent + 1, depth - 1);
                    if self.rng.chance(60) {
                        self.line(indent + 1, "break;");
                    }
                }
                self.line(indent, "default:");
                self.stmt(indent + 1, depth - 1);
                self.line(indent, "}");
            }
            11 => {
                self.labels += 1;
                let label = self.labels;
                self.line(indent, &format!("{{ int n{label} = 0; again{label}: n{label}++;"));
                self.stmt(indent + 1, 0);
                self.line(indent, &format!("if (n{label} < 3 && ({value})) goto again{label}; }}"));
            }
            _ => {
                self.line(indent, &format!("{{ struct pair z = {{ .in = {{ .a = (short)({value}) }} }}; t = z; s.in = t.in; }}"));
            }
        }
    }
}

/// The programs of `tests/torture`, with their names.
pub fn torture() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|it| it.expect("it can be read").path())
        .collect();
    files.sort();
    assert!(files.len() >= 7, "programs are missing");
    let name =
        |path: &std::path::Path| path.file_stem().unwrap_or_default().to_string_lossy().into();
    let text = |path| std::fs::read_to_string(path).expect("it is text");
    files.iter().map(|path| (name(path), text(path))).collect()
}
