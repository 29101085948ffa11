//! The text of a thread certificate, see `docs/formats/certificate.md`.

use std::fmt::Write;

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{EdgeId, Goal, Loc, ProcId};

use super::states::{FrameAt, FrameShape, SharedValues, StackShape, ThreadState, ThreadStates};
use super::{Count, Counted, Flag, ThreadProof, ThreadSet, View};
use crate::lines::{Lines, MOST, goal, number};

impl ThreadProof {
    /// Everything below the version line.
    pub(crate) fn print(&self, out: &mut String) {
        self.write(out).expect("writing to a string");
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "goal {}", self.goal)?;
        writeln!(out, "initial {}", self.initial)?;
        if let ThreadSet::Bounded { bound, .. } = self.set {
            writeln!(out, "threads {bound}")?;
        }
        let fixed = self.states.fixed_shared();
        writeln!(out, "shared{}", fixed.iter().map(|var| format!(" {var}")).collect::<String>())?;
        for (id, values) in self.states.shared_values() {
            writeln!(out, "{id} ={}", digits(fixed.iter().map(|var| values.contains(var))))?;
        }
        for (id, frames) in self.states.stacks() {
            write!(out, "{id} =")?;
            for frame in frames {
                let fixed: Vec<_> = frame.fixed.iter().map(|var| var.to_string()).collect();
                let at = match frame.at {
                    FrameAt::Loc(loc) => loc.to_string(),
                    FrameAt::Call(edge) => edge.to_string(),
                };
                write!(out, " {}.{at}[{}]", frame.proc, fixed.join(","))?;
            }
            out.push('\n');
        }
        for (id, (stack, values)) in self.states.threads() {
            let n_fixed = self.states.n_fixed(*stack);
            writeln!(out, "{id} = {stack}{}", digits((0..n_fixed).map(|n| values.contains(n))))?;
        }
        match &self.set {
            ThreadSet::Bounded { states, .. } | ThreadSet::Cover { states } => {
                states.iter().try_for_each(|state| writeln!(out, "state {state}"))?;
            }
            ThreadSet::Views { views, never } => {
                for View { shared, flag, thread } in views {
                    match flag {
                        Flag::Free => writeln!(out, "view {shared} {thread}")?,
                        Flag::Mine => writeln!(out, "view {shared} holder:{thread}")?,
                        Flag::Others => writeln!(out, "view {shared} held {thread}")?,
                    }
                }
                never.iter().try_for_each(|state| writeln!(out, "never {state}"))?;
            }
        }
        out.push_str("end\n");
        Ok(())
    }

    /// Reads what follows the version line.
    pub(crate) fn read(kind: &str, lines: Lines<'_>) -> Result<ThreadProof, String> {
        let set = match kind {
            "bounded" => ThreadSet::Bounded { bound: 0, states: Vec::new() },
            "cover" => ThreadSet::Cover { states: Vec::new() },
            "views" => ThreadSet::Views { views: Vec::new(), never: Vec::new() },
            _ => return Err(format!("line 1: there is no certificate of kind `{kind}`")),
        };
        let states = ThreadStates::default();
        let (mut proof, mut seen) =
            (ThreadProof { goal: Goal::Assert, initial: Count::ONE, states, set }, Seen::default());
        lines.each(|line| proof.read_line(line, &mut seen))?;
        let is_bounded = matches!(proof.set, ThreadSet::Bounded { .. });
        let missing = [
            ("goal", !seen.goal),
            ("initial", !seen.initial),
            ("shared", !seen.shared),
            ("threads", is_bounded && !seen.threads),
        ];
        match missing.into_iter().find(|&(_, is_missing)| is_missing) {
            Some((word, _)) => Err(format!("no line begins with `{word}`")),
            None => Ok(proof),
        }
    }

    fn read_line(&mut self, line: &str, seen: &mut Seen) -> Result<(), String> {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or("");
        match (first, &mut self.set) {
            ("goal", _) => {
                once(&mut seen.goal)?;
                self.goal = goal(line)?;
                return Ok(());
            }
            ("initial", _) => {
                once(&mut seen.initial)?;
                self.initial = Count::read(words.next().unwrap_or(""))?;
            }
            ("threads", ThreadSet::Bounded { bound, .. }) => {
                once(&mut seen.threads)?;
                *bound = number(words.next().unwrap_or(""), MOST)? as u32;
            }
            ("shared", _) => {
                once(&mut seen.shared)?;
                let fixed = words.by_ref().map(|var| number(var, MOST));
                self.states = ThreadStates::new(fixed.collect::<Result<_, _>>()?);
            }
            ("state", ThreadSet::Bounded { states, .. } | ThreadSet::Cover { states })
            | ("never", ThreadSet::Views { never: states, .. }) => {
                states.push(counted(&self.states, &mut words)?);
            }
            ("view", ThreadSet::Views { views, .. }) => {
                views.push(view(&self.states, &mut words)?);
            }
            _ if words.next() == Some("=") && seen.shared => self.define(first, &mut words)?,
            _ => return Err(format!("cannot read `{}`", clip(line))),
        }
        match words.next() {
            Some(word) => Err(format!("`{}` is too much", clip(word))),
            None => Ok(()),
        }
    }

    /// A new entry of the table; its number must be the next one, and it must be new.
    fn define<'w>(
        &mut self,
        id: &str,
        words: &mut impl Iterator<Item = &'w str>,
    ) -> Result<(), String> {
        let states = &mut self.states;
        let (expected, got) = match id.as_bytes().first() {
            Some(b'v') => {
                let next = SharedValues::new(states.shared_values().len());
                let fixed: Vec<_> = states.fixed_shared().iter().collect();
                let values = read_digits(words.next(), fixed.len())?;
                let values: Bits = values.iter().map(|n| fixed[n]).collect();
                (next.to_string(), states.add_shared(&values).to_string())
            }
            Some(b'k') => {
                let next = StackShape::new(states.stacks().len());
                let frames = words.map(frame).collect::<Result<Vec<_>, _>>()?;
                (next.to_string(), states.add_stack(frames).to_string())
            }
            Some(b'q') => {
                let next = ThreadState::new(states.threads().len());
                let stack = id_in(words.next().unwrap_or(""), 'k', states.stacks().len())?;
                let stack = StackShape::new(stack);
                let values = read_digits(words.next(), states.n_fixed(stack))?;
                (next.to_string(), states.add_packed(stack, values).to_string())
            }
            _ => return Err(format!("`{}` is no name of a table", clip(id))),
        };
        if id != expected {
            return Err(format!("expected {expected}, not {}", clip(id)));
        }
        if got != expected {
            return Err(format!("{id} is {got} again"));
        }
        Ok(())
    }
}

/// Which lines there were.
#[derive(Default)]
struct Seen {
    goal: bool,
    initial: bool,
    shared: bool,
    threads: bool,
}

fn once(seen: &mut bool) -> Result<(), String> {
    match std::mem::replace(seen, true) {
        true => Err("this was said before".into()),
        false => Ok(()),
    }
}

/// A word for a message: a forged file may have long ones.
fn clip(word: &str) -> String {
    word.chars().take(40).collect()
}

/// The values as a word, with a space before it.
fn digits(values: impl Iterator<Item = bool>) -> String {
    let digits: String = values.map(|value| if value { '1' } else { '0' }).collect();
    if digits.is_empty() { digits } else { format!(" {digits}") }
}

/// Exactly `n` digits; none at all is no word.
fn read_digits(word: Option<&str>, n: usize) -> Result<Bits, String> {
    let word = word.unwrap_or("");
    if word.len() != n {
        return Err(format!("{} values, not {n}", word.len()));
    }
    let mut values = Bits::new();
    for (at, digit) in word.bytes().enumerate() {
        match digit {
            b'0' => {}
            b'1' => _ = values.insert(at),
            _ => return Err(format!("`{}` is no list of 0 and 1", clip(word))),
        }
    }
    Ok(values)
}

fn id_in(word: &str, prefix: char, below: usize) -> Result<usize, String> {
    let index = word.strip_prefix(prefix).and_then(|index| index.parse().ok());
    index
        .filter(|&index| index < below)
        .ok_or_else(|| format!("`{}` is no {prefix} of the table", clip(word)))
}

fn shared(states: &ThreadStates, word: Option<&str>) -> Result<SharedValues, String> {
    id_in(word.unwrap_or(""), 'v', states.shared_values().len()).map(SharedValues::new)
}

fn thread(states: &ThreadStates, word: &str) -> Result<ThreadState, String> {
    id_in(word, 'q', states.threads().len()).map(ThreadState::new)
}

/// `p0.l3[4,5]` or `p0.t2[]`.
fn frame(word: &str) -> Result<FrameShape, String> {
    let parts = || {
        let (proc, rest) = word.strip_prefix('p')?.split_once('.')?;
        let (at, fixed) = rest.strip_suffix(']')?.split_once('[')?;
        let below = |text: &str| number(text, MOST).ok();
        let at = match at.strip_prefix('l') {
            Some(loc) => FrameAt::Loc(Loc::new(below(loc)?)),
            None => FrameAt::Call(EdgeId::new(below(at.strip_prefix('t')?)?)),
        };
        let fixed = fixed.split(',').filter(|var| !var.is_empty()).map(below);
        let fixed = fixed.collect::<Option<Bits>>()?;
        Some(FrameShape { proc: ProcId::new(below(proc)?), at, fixed })
    };
    parts().ok_or_else(|| format!("`{}` is no frame such as p0.l3[4,5]", clip(word)))
}

impl Count {
    /// A number, or `inf`.
    pub(crate) fn read(word: &str) -> Result<Count, String> {
        match word {
            "inf" => Ok(Count::OMEGA),
            _ => Ok(Count::finite(number(word, MOST)? as u32)),
        }
    }
}

fn counted<'w>(
    states: &ThreadStates,
    words: &mut impl Iterator<Item = &'w str>,
) -> Result<Counted, String> {
    let mut state =
        Counted { shared: shared(states, words.next())?, holder: None, counts: Vec::new() };
    for (at, word) in words.enumerate() {
        if let Some(holder) = word.strip_prefix("holder:")
            && at == 0
        {
            state.holder = Some(thread(states, holder)?);
            continue;
        }
        let (local, n) = word.split_once('*').unwrap_or((word, "1"));
        let (local, n) = (thread(states, local)?, Count::read(n)?);
        if n.is_zero() || state.counts.last().is_some_and(|&(last, _)| last >= local) {
            return Err("threads in increasing order, each once, no count 0".into());
        }
        state.counts.push((local, n));
    }
    Ok(state)
}

fn view<'w>(
    states: &ThreadStates,
    words: &mut impl Iterator<Item = &'w str>,
) -> Result<View, String> {
    let shared = shared(states, words.next())?;
    let word = words.next().unwrap_or("");
    let (flag, word) = match word.strip_prefix("holder:") {
        Some(thread) => (Flag::Mine, thread),
        None if word == "held" => (Flag::Others, words.next().unwrap_or("")),
        None => (Flag::Free, word),
    };
    Ok(View { shared, flag, thread: thread(states, word)? })
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_finite() {
            Some(n) => write!(f, "{n}"),
            None => f.write_str("inf"),
        }
    }
}

impl std::fmt::Display for Counted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.shared)?;
        if let Some(holder) = self.holder {
            write!(f, " holder:{holder}")?;
        }
        for &(thread, count) in &self.counts {
            match count {
                Count::ONE => write!(f, " {thread}")?,
                _ => write!(f, " {thread}*{count}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Certificate;

    /// Two shared variables, of which the second is fixed; a thread in main, one in a callee.
    fn table() -> (ThreadStates, [SharedValues; 2], [ThreadState; 3]) {
        let mut states = ThreadStates::new([1].into_iter().collect());
        let shared = [states.add_shared(&Bits::new()), states.add_shared(&Bits::full(2))];
        let frame = |proc, at, fixed: &[usize]| FrameShape {
            proc: ProcId::new(proc),
            at,
            fixed: fixed.iter().copied().collect(),
        };
        let main = states.add_stack(vec![frame(0, FrameAt::Loc(Loc::new(3)), &[])]);
        let inner = states.add_stack(vec![
            frame(0, FrameAt::Call(EdgeId::new(2)), &[3]),
            frame(1, FrameAt::Loc(Loc::new(0)), &[2, 4]),
        ]);
        let locals = |frame| if frame == 0 { Bits::full(3) } else { Bits::full(5) };
        let threads = [
            states.add_thread(main, |_| Bits::full(9)),
            states.add_thread(inner, locals),
            states.add_thread(inner, |_| Bits::new()),
        ];
        assert_eq!(states.locals(threads[1]), [Bits::new(), [2, 4].into_iter().collect()]);
        (states, shared, threads)
    }

    fn samples() -> Vec<Certificate> {
        let (states, [v0, v1], [q0, q1, q2]) = table();
        let (one, two) = (Count::ONE, Count::finite(2));
        let free = Counted { shared: v0, holder: None, counts: vec![(q0, one), (q2, two)] };
        let held = Counted { shared: v1, holder: Some(q1), counts: vec![] };
        let any = Counted { shared: v1, holder: None, counts: vec![(q1, Count::OMEGA)] };
        let view = |shared, flag, thread| View { shared, flag, thread };
        let views =
            vec![view(v0, Flag::Free, q0), view(v1, Flag::Mine, q1), view(v1, Flag::Others, q2)];
        let sets = [
            ThreadSet::Bounded { bound: 3, states: vec![free.clone(), held.clone()] },
            ThreadSet::Cover { states: vec![held, any] },
            ThreadSet::Views { views, never: vec![free] },
        ];
        let proof = |set| ThreadProof {
            goal: Goal::Label("L".into()),
            initial: Count::OMEGA,
            states: states.clone(),
            set,
        };
        sets.into_iter().map(|set| proof(set).into()).collect()
    }

    #[test]
    fn printing_and_reading_are_inverse() {
        for sample in samples() {
            let text = sample.print();
            let read = Certificate::read(&text).unwrap();
            assert_eq!(read.print(), text);
        }
        let bounded = samples()[0].print();
        let expected = "hardbop-certificate 1 bounded\ngoal label:L\ninitial inf\nthreads 3\n\
                        shared 1\nv0 = 0\nv1 = 1\nk0 = p0.l3[]\nk1 = p0.t2[3] p1.l0[2,4]\n\
                        q0 = k0\nq1 = k1 011\nq2 = k1 000\nstate v0 q0 q2*2\n\
                        state v1 holder:q1\nend\n";
        assert_eq!(bounded, expected);
    }

    #[test]
    fn every_truncation_and_every_odd_line_is_an_error() {
        for sample in samples() {
            let text = sample.print();
            let lines: Vec<_> = text.lines().collect();
            for n in 0..lines.len() {
                assert!(Certificate::read(&lines[..n].join("\n")).is_err(), "{n} lines");
                // Without a line in the middle: a name is used or defined too late, or a line that
                // must be there is not. Only a fact of the set itself can be missing.
                let without = [&lines[..n], &lines[n + 1..]].concat().join("\n");
                let is_fact = ["state", "view", "never"].iter().any(|it| lines[n].starts_with(it));
                let is_unused = lines[n].starts_with("q2") || lines[n].starts_with("v1");
                if !is_fact && !is_unused {
                    assert!(Certificate::read(&without).is_err(), "without {}", lines[n]);
                }
            }
            for odd in [
                "v2 = 1",
                "v3 = 0",
                "v2 = 01",
                "v2 =",
                "k2 = p0",
                "k2 = p0.x1[]",
                "k3 = p0.l0[]",
                "k2 = p0.l3[]",
                "q3 = k9",
                "q3 = k1 01",
                "q3 = k1 0121",
                "q3 = k1 000",
                "x0 = 1",
                "state v0 q9",
                "state v9",
                "state v0 q0*0",
                "state v0 q2 q0",
                "state v0 q0 q0",
                "state v0 q0 holder:q0",
                "view v0 held",
                "view v0",
                "never v0 q0*x",
                "goal assert",
                "shared 1",
                "initial 1",
                "threads 2",
                "?",
                "",
            ] {
                let forged = text.replace("end\n", &format!("{odd}\nend\n"));
                let error = Certificate::read(&forged).expect_err(odd);
                assert!(error.starts_with("line "), "{odd}: {error}");
            }
        }
    }
}
