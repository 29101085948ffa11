//! Small random C programs that ask for few small inputs, and go wrong now and then.

use std::fmt::Write;

use crate::rng::Rng;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut it = Generator { rng: Rng::new(seed), out: String::new(), n_loops: 0, is_inner: false };
    it.out += "int __VERIFIER_nondet_int(void); void reach_error(void);
void *malloc(unsigned long); void free(void *);
static unsigned in(void) { return __VERIFIER_nondet_int() & 3; }
struct pair { short s; int t; };
int g = 1; int a[4] = { 1, 2, 3 }; struct pair u = { 1, 2 }, v[2] = { { 3 }, { .t = 4 } };
struct bits { unsigned lo : 3; int hi : 4; } b = { 5, -2 };
union { int i; unsigned char k[4]; } m;
static void put(int *q, int v) { *q = v; if (v > 2) g++; }
static struct pair swap(struct pair p) { struct pair r = p; r.s = p.t; r.t = p.s; return r; }
";
    it.function();
    it.out +=
        "int main(void) {\n  int x = in(), y = 2, z = 0; unsigned char c = 250; int *p = &x;\n";
    it.out += "  unsigned w = 7; signed char d = -3;\n";
    it.out += "  struct pair *h = 0;\n";
    let n = it.rng.within((3, 7));
    for _ in 0..n {
        it.stmt(1, 2);
    }
    it.out += "  return 0;\n}\n";
    it.out
}

struct Generator {
    rng: Rng,
    out: String,
    n_loops: usize,
    /// Inside `f`, which has no pointers.
    is_inner: bool,
}

impl Generator {
    fn pick(&mut self, from: &[&str]) -> String {
        from[self.rng.below(from.len())].to_string()
    }

    fn function(&mut self) {
        self.is_inner = true;
        self.out += "static int f(int x, int y) {\n  int z = 1; unsigned char c = 3; unsigned w = 1; signed char d = 9;\n";
        let n = self.rng.within((1, 3));
        for _ in 0..n {
            self.stmt(1, 1);
        }
        if self.rng.below(3) == 0 {
            self.out += "  if (x > 0 && x < 4) z = f(x - 1, y);\n";
        }
        self.out += "  return z + y;\n}\n";
        self.is_inner = false;
    }

    fn place(&mut self) -> String {
        match self.is_inner {
            true => {
                self.pick(&["x", "y", "z", "c", "g", "a[z & 3]", "u.t", "w", "d", "b.hi", "m.i"])
            }
            false => self.pick(&[
                "x",
                "y",
                "z",
                "c",
                "g",
                "a[x & 3]",
                "a[1]",
                "*p",
                "u.t",
                "u.s",
                "a[y & 7]",
                "w",
                "d",
                "b.lo",
                "b.hi",
                "m.i",
                "m.k[y & 3]",
                "v[x & 1].t",
            ]),
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.below(4) {
            0 => self.pick(&["0", "1", "2", "3", "7", "-1", "100", "2147483647"]),
            _ => self.place(),
        }
    }

    fn expr(&mut self) -> String {
        let (a, b) = (self.leaf(), self.leaf());
        match self.rng.below(10) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} - {b}"),
            2 => format!("{a} * 3"),
            3 => format!("{a} / {b}"),
            4 => format!("({a} ^ {b}) & 15"),
            5 => format!("{a} << ({b} & 31)"),
            6 => format!("{a} >> 1"),
            7 => format!("{a} < {b} ? {b} : {a}"),
            8 => format!("(unsigned char){a} % 5"),
            _ => a,
        }
    }

    fn cond(&mut self) -> String {
        let (a, b) = (self.leaf(), self.leaf());
        let op = self.pick(&["<", "<=", "==", "!=", ">"]);
        format!("{a} {op} {b}")
    }

    fn stmt(&mut self, indent: usize, depth: usize) {
        let pad = "  ".repeat(indent);
        let kind = self.rng.below(if depth == 0 { 7 } else { 13 });
        match kind {
            0..=1 => {
                let (to, value) = (self.place(), self.expr());
                let _ = writeln!(self.out, "{pad}{to} = {value};");
            }
            2 => self.update(&pad),
            3 => {
                let cond = self.cond();
                let _ = writeln!(self.out, "{pad}if ({cond}) reach_error();");
            }
            4 if !self.is_inner => {
                let to = self.pick(&["&x", "&y", "&a[2]", "a", "&u.t", "0", "&a[3] + 1"]);
                let _ = writeln!(self.out, "{pad}p = {to};");
            }
            5 if !self.is_inner => {
                let (cond, value) = (self.cond(), self.leaf());
                let _ = writeln!(self.out, "{pad}z = {cond} ? f(x & 7, {value}) : z;");
            }
            6 if !self.is_inner => {
                let what = self.pick(&[
                    "h = malloc(sizeof *h); h->s = 1; h->t = x;",
                    "if (h) h->t++;",
                    "free(h);",
                    "free(h); h = 0;",
                    "p = &h->t; if (h) y = h->s;",
                ]);
                let _ = writeln!(self.out, "{pad}{what}");
            }
            4..=6 => {
                let value = self.leaf();
                let _ = writeln!(self.out, "{pad}z = {value};");
            }
            7..=8 => {
                let cond = self.cond();
                let _ = writeln!(self.out, "{pad}if ({cond}) {{");
                self.stmt(indent + 1, depth - 1);
                let _ = writeln!(self.out, "{pad}}} else {{");
                self.stmt(indent + 1, depth - 1);
                let _ = writeln!(self.out, "{pad}}}");
            }
            9 => {
                let value = self.leaf();
                let _ = writeln!(self.out, "{pad}switch ({value}) {{\n{pad}case 1:");
                self.stmt(indent + 1, depth - 1);
                let _ = writeln!(self.out, "{pad}case 2: y++; break;\n{pad}default:");
                self.stmt(indent + 1, depth - 1);
                let _ = writeln!(self.out, "{pad}}}");
            }
            _ => self.repeat(indent, depth),
        }
    }

    /// A place changed by what it held, through a pointer, or as part of a record.
    fn update(&mut self, pad: &str) {
        let (to, value) = (self.place(), self.leaf());
        let text = match self.rng.below(if self.is_inner { 4 } else { 7 }) {
            0 => format!("{to} += {value}"),
            1 => format!("{to} ^= {value}"),
            2 => format!("{to}--"),
            3 => format!("put(&z, {value})"),
            4 => {
                let at = self.pick(&["&x", "&a[y & 3]", "p", "&v[1].t", "&u.t", "&m.i"]);
                format!("put({at}, {value})")
            }
            5 => self.pick(&["u = swap(u)", "v[x & 1] = swap(v[0])", "u = v[1]"]),
            _ => format!("z = ({to}++, {value})"),
        };
        let _ = writeln!(self.out, "{pad}{text};");
    }

    fn repeat(&mut self, indent: usize, depth: usize) {
        let pad = "  ".repeat(indent);
        let i = format!("i{}", self.n_loops);
        self.n_loops += 1;
        // Of all loops, few ask for inputs: the runs are enumerated.
        let bound = match self.rng.below(4) {
            0 if self.n_loops < 3 && !self.is_inner => "in()".to_string(),
            1 => "(x & 3)".into(),
            _ => self.rng.within((1, 5)).to_string(),
        };
        let (head, jumps, end) = match self.rng.below(5) {
            0 => ("do {".to_string(), ["break", "continue"].map(String::from), "} while (I < nI);"),
            1 => (
                "L_I: if (I < nI) {".into(),
                ["goto E_I".into(), "goto L_I".into()],
                "goto L_I; } E_I:;",
            ),
            2 => (
                "goto M_I; while (I < nI) { y--; M_I:".into(),
                ["break", "continue"].map(String::from),
                "}",
            ),
            _ => ("while (I < nI) {".into(), ["break", "continue"].map(String::from), "}"),
        };
        let named = |text: &str| text.replace('I', &i);
        let _ = writeln!(self.out, "{pad}int {i} = 0, n{i} = {bound};\n{pad}{}", named(&head));
        let _ = writeln!(self.out, "{pad}  {i}++;");
        if self.rng.below(3) == 0 {
            let (cond, jump) = (self.cond(), named(&jumps[self.rng.below(2)]));
            let _ = writeln!(self.out, "{pad}  if ({cond}) {jump};");
        }
        self.stmt(indent + 1, depth - 1);
        self.stmt(indent + 1, depth - 1);
        let _ = writeln!(self.out, "{pad}{}", named(end));
    }
}
