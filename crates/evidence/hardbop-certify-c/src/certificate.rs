//! Why a C program is safe, and the text of it (`docs/formats/certificate.md`).

use std::collections::BTreeMap;
use std::fmt::Write;

use hardbop_base::sha256;
use hardbop_cir::ty::parse_ty;
use hardbop_cir::{BlockId, Class, FuncId, ObjId, Program, Ty};

/// The first line of the text.
const VERSION: &str = "hardbop-certificate 1 c";

/// A proof that no check of the classes fails: how far loops and recursion go, and of loops that are cut, what holds
/// whenever an execution comes to the head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The hash of the program as it was read, which the proof is about.
    pub program: String,
    /// The properties.
    pub classes: Vec<Class>,
    /// No loop that is not cut comes back to its head more often, each time it is entered.
    pub unroll: u32,
    /// No function calls itself, through others or not, more often than this before it returns.
    pub recursion: u32,
    /// Rounds of the loops that are cut: invariants and checks follow from so many rounds before.
    pub k: u32,
    /// Bytes of objects that the formulas speak of, as registers that follow those of the program.
    pub places: Vec<Place>,
    /// The loops that are cut, by function and head.
    pub cuts: BTreeMap<(FuncId, BlockId), Vec<String>>,
    /// What functions do in any call.
    pub contracts: BTreeMap<FuncId, Words>,
}

/// What is true whenever a function is called, and whenever it returns.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Words {
    pub before: Vec<String>,
    /// Parameters are what was passed, `result` is what is returned.
    pub after: Vec<String>,
}

/// The value of a type at an offset of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub object: ObjId,
    pub offset: u64,
    pub ty: Ty,
}

impl Certificate {
    /// A complete unrolling.
    pub fn new(program: &Program, classes: &[Class], unroll: u32, recursion: u32) -> Self {
        Certificate {
            program: hash(program),
            classes: classes.to_vec(),
            unroll,
            recursion,
            k: 1,
            places: Vec::new(),
            cuts: BTreeMap::new(),
            contracts: BTreeMap::new(),
        }
    }

    /// The versioned text form.
    pub fn print(&self) -> String {
        let mut out = format!("{VERSION}\nprogram {}\nproperties", self.program);
        // Writing to a string does not fail.
        for class in &self.classes {
            let _ = write!(out, " {class}");
        }
        let _ =
            write!(out, "\nunroll {}\nrecursion {}\nk {}\n", self.unroll, self.recursion, self.k);
        for Place { object, offset, ty } in &self.places {
            let _ = writeln!(out, "place {object} {offset} {ty}");
        }
        for ((func, head), formulas) in &self.cuts {
            let _ = writeln!(out, "cut {func} {head}");
            for formula in formulas {
                let _ = writeln!(out, "holds {formula}");
            }
        }
        for (func, Words { before, after }) in &self.contracts {
            let _ = writeln!(out, "contract {func}");
            for (word, formulas) in [("before", before), ("after", after)] {
                for formula in formulas {
                    let _ = writeln!(out, "{word} {formula}");
                }
            }
        }
        out.push_str("end\n");
        out
    }

    /// Reads the text form; `Err` names the line.
    pub fn read(text: &str) -> Result<Certificate, String> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        if lines.next().map(|it| it.1) != Some(VERSION) {
            return Err(format!("line 1: expected `{VERSION}`"));
        }
        let mut next = |word: &str| match lines.next() {
            Some((at, line)) => match line.strip_prefix(word) {
                Some("") => Ok((at, "")),
                Some(rest) if rest.starts_with(' ') => Ok((at, &rest[1..])),
                _ => Err(format!("line {at}: expected `{word}`")),
            },
            None => Err(format!("the file ends without `{word}`")),
        };
        let program = next("program")?.1.to_string();
        let (at, names) = next("properties")?;
        let class = |name: &str| {
            let found = Class::ALL.into_iter().find(|it| it.name() == name);
            found.ok_or_else(|| format!("line {at}: no property is called `{name}`"))
        };
        let classes = names.split_whitespace().map(class).collect::<Result<_, _>>()?;
        let mut number = |word: &str| {
            let (at, text) = next(word)?;
            text.parse::<u32>().map_err(|_| format!("line {at}: `{text}` is no number"))
        };
        let (unroll, recursion, k) = (number("unroll")?, number("recursion")?, number("k")?);
        let mut it = Certificate {
            program,
            classes,
            unroll,
            recursion,
            k,
            places: Vec::new(),
            cuts: BTreeMap::new(),
            contracts: BTreeMap::new(),
        };
        let mut last = None;
        for (at, line) in lines.by_ref() {
            if line == "end" {
                // Soundness: what stands there may be meant, and nobody would read it.
                return match lines.find(|it| !it.1.trim().is_empty()) {
                    None => Ok(it),
                    Some((at, _)) => Err(format!("line {at}: there is text after `end`")),
                };
            }
            it.line(line, &mut last).ok_or_else(|| format!("line {at}: `{line}` says nothing"))?;
        }
        Err("the file ends without `end`".into())
    }

    /// `last` is what the lines above are about: a loop, or a function.
    fn line(&mut self, line: &str, last: &mut Option<(FuncId, Option<BlockId>)>) -> Option<()> {
        let (word, rest) = line.split_once(' ')?;
        let id = |text: &str, prefix: char| text.strip_prefix(prefix)?.parse::<u32>().ok();
        match word {
            "place" => {
                let [object, offset, ty] = rest.split(' ').collect::<Vec<_>>().try_into().ok()?;
                let object = ObjId::from_u32(id(object, 'o')?);
                let (offset, ty) = (offset.parse().ok()?, parse_ty(ty)?);
                self.places.push(Place { object, offset, ty });
            }
            "cut" => {
                let (func, head) = rest.split_once(' ')?;
                let at = (FuncId::from_u32(id(func, 'f')?), BlockId::from_u32(id(head, 'b')?));
                self.cuts.insert(at, Vec::new()).is_none().then_some(())?;
                *last = Some((at.0, Some(at.1)));
            }
            "holds" => {
                let (func, head) = (*last)?;
                self.cuts.get_mut(&(func, head?))?.push(rest.into());
            }
            "contract" => {
                let func = FuncId::from_u32(id(rest, 'f')?);
                self.contracts.insert(func, Words::default()).is_none().then_some(())?;
                *last = Some((func, None));
            }
            "before" | "after" => {
                let (func, None) = (*last)? else { return None };
                let words = self.contracts.get_mut(&func)?;
                let list = if word == "before" { &mut words.before } else { &mut words.after };
                list.push(rest.into());
            }
            _ => return None,
        }
        Some(())
    }
}

/// What a certificate calls a program: the hash of its text form, places in the source included.
pub fn hash(program: &Program) -> String {
    sha256::hex(hardbop_cir::text::print(program).as_bytes())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Certificate, Place, Words};
    use hardbop_cir::{BlockId, Class, FuncId, ObjId, Ty};

    #[test]
    fn text_comes_back_and_damage_is_noticed() {
        let at = (FuncId::from_u32(1), BlockId::from_u32(3));
        let it = Certificate {
            program: "ab12".into(),
            classes: vec![Class::Assert, Class::Overflow],
            unroll: 7,
            recursion: 2,
            k: 1,
            places: vec![Place { object: ObjId::from_u32(4), offset: 8, ty: Ty::Int(32) }],
            cuts: BTreeMap::from([(at, vec!["(Slt v1 i32:7)".into(), "v2".into()])]),
            contracts: BTreeMap::from([(
                at.0,
                Words { before: vec!["v1".into()], after: vec!["(Slt v1 result)".into()] },
            )]),
        };
        let text = it.print();
        assert_eq!(Certificate::read(&text), Ok(it));
        for (from, to) in [
            ("certificate 1", "certificate 2"),
            ("assert", "asser"),
            ("unroll 7", "unroll -7"),
            ("unroll 7\n", ""),
            ("cut f1 b3\n", ""),
            ("cut f1 b3\n", "cut f1 b3\ncut f1 b3\n"),
            ("place o4 8", "place o4"),
            ("contract f1\n", ""),
            ("contract f1\n", "contract f1\ncontract f1\n"),
            ("before", "between"),
            ("end\n", ""),
            ("end\n", "end\nunroll 9\n"),
        ] {
            let damaged = text.replace(from, to);
            assert!(Certificate::read(&damaged).is_err(), "{damaged}");
        }
    }
}
