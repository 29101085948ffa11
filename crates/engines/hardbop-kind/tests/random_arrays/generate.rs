//! Small random programs with loops over short arrays, many of them right, many almost.

use std::fmt::Write;

use hardbop_gen::rng::Rng;

pub fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let lens = [rng.within((3, 5)), rng.within((3, 5))];
    let mut it = Generator { rng, out: String::new(), lens };
    it.out += "int __VERIFIER_nondet_int(void); void reach_error(void);
void *malloc(unsigned long); void *memset(void *, int, unsigned long);
static int in(void) { return __VERIFIER_nondet_int() & 3; }
static void check(int c) { if (!c) reach_error(); }
";
    it.functions();
    let (before, inside) = it.declarations();
    let _ = writeln!(it.out, "{before}int main(void) {{\n{inside}  int i, j, m = 0, x = in();");
    let n = it.rng.within((1, 3));
    for _ in 0..n {
        it.stmt();
    }
    it.checks();
    it.out += "  return 0;\n}\n";
    it.out
}

struct Generator {
    rng: Rng,
    out: String,
    lens: [usize; 2],
}

impl Generator {
    fn pick(&mut self, from: &[&str]) -> String {
        from[self.rng.below(from.len())].to_string()
    }

    /// What comes before `main` and at its beginning.
    fn declarations(&mut self) -> (String, String) {
        let (mut before, mut inside) = (String::new(), String::new());
        for (name, len) in ["a", "b"].into_iter().zip(self.lens) {
            match self.rng.below(7) {
                0 => writeln!(before, "int {name}[{len}] = {{ 1, 2 }};"),
                1 => writeln!(before, "unsigned char {name}[{len}];"),
                2 => writeln!(inside, "  int {name}[{len}] = {{ 0 }};"),
                3 => writeln!(inside, "  int *{name} = malloc({len} * sizeof(int));"),
                4 => writeln!(inside, "  int n{name} = {len}; int {name}[n{name}];"),
                5 => writeln!(inside, "  short {name}[{len}]; memset({name}, 1, sizeof {name});"),
                _ => writeln!(inside, "  int {name}[{len}];"),
            }
            .unwrap_or_default();
        }
        (before, inside)
    }

    fn functions(&mut self) {
        let body = self.pick(&[
            "for (int k = 0; k < n; k++) p[k] = v;",
            "for (int k = n - 1; k >= 0; k--) p[k] = p[k] + v;",
            "if (n > 1) p[n - 1] = v;",
            "for (int k = 1; k < n; k++) p[k] = p[k - 1];",
        ]);
        let _ = writeln!(self.out, "static void f(int *p, int n, int v) {{ {body} }}");
    }

    fn array(&mut self) -> (&'static str, usize) {
        let at = self.rng.below(2);
        (["a", "b"][at], self.lens[at])
    }

    /// The end of a loop: the array's, seldom another.
    fn bound(&mut self, len: usize) -> String {
        match self.rng.below(12) {
            0 => format!("{}", len + 1),
            1 => format!("{}", len - 1),
            2 => "x".into(),
            _ => len.to_string(),
        }
    }

    fn index(&mut self, len: usize) -> String {
        match self.rng.below(8) {
            0 => format!("{} - i", len - 1),
            1 => format!("(i + 1) % {len}"),
            2 => "i / 2".into(),
            _ => "i".into(),
        }
    }

    fn value(&mut self) -> String {
        let (name, len) = self.array();
        match self.rng.below(9) {
            0..=2 => self.pick(&["0", "1", "7", "-1"]),
            3 => "i".into(),
            4 => "x".into(),
            5 => format!("i + {}", self.rng.below(3)),
            6 => format!("{name}[i % {len}] + 1"),
            _ => format!("{name}[i < {len} ? i : 0]"),
        }
    }

    fn stmt(&mut self) {
        let (name, len) = self.array();
        let (other, other_len) = self.array();
        let end = self.bound(len.min(other_len));
        let (index, value) = (self.index(len), self.value());
        let line = match self.rng.below(12) {
            0..=2 => format!("for (i = 0; i < {end}; i++) {name}[{index}] = {value};"),
            3 => format!("for (i = 0; i < {end}; i++) {name}[i] = {other}[i];"),
            4 => format!("for (i = 0; i < {end}; i++) if ({name}[i] > m) m = {name}[i];"),
            5 => format!("for (i = 0; i < {len}; i++) if (i < 3) {name}[i] = in();"),
            6 => format!("{name}[x % {len}] = {};", self.pick(&["5", "m", "x"])),
            7 => format!("f((int *){name}, {end}, {});", self.pick(&["1", "x", "m"])),
            8 => format!("for (i = {len} - 1; i >= 0; i -= 1) {name}[i] = {value};"),
            9 => format!(
                "for (i = 0, j = 0; i < {end}; i++) if ({other}[i] > 0) {name}[j++] = {other}[i];"
            ),
            10 => format!(
                "for (i = 0; i < {end}; i++) if ({other}[i] < 2) {name}[i] = 2; else {name}[i] = 1;"
            ),
            _ => format!("memset({name}, 0, sizeof(int) * {});", self.rng.within((1, len))),
        };
        let _ = writeln!(self.out, "  {line}");
    }

    fn checks(&mut self) {
        let (name, len) = self.array();
        let (other, other_len) = self.array();
        let end = self.bound(len.min(other_len));
        let cond = match self.rng.below(8) {
            0 => format!("{name}[i] == {other}[i]"),
            1 => format!("{name}[i] <= m"),
            2 => format!("{name}[i] == i"),
            3 => format!("{name}[i] >= 0"),
            4 => format!("i == 0 || {name}[i] >= {name}[i - 1]"),
            5 => format!("{name}[i] != 1 || {other}[i] != 1"),
            _ => format!(
                "{name}[i] {} {}",
                self.pick(&["==", "<=", "!="]),
                self.pick(&["0", "1", "7"])
            ),
        };
        let _ = writeln!(self.out, "  for (i = 0; i < {end}; i++) check({cond});");
    }
}
