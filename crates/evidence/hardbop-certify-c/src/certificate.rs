//! Why a C program is safe, and the text of it (`docs/formats/certificate.md`).

use std::collections::{BTreeMap, BTreeSet};
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
    /// What the formulas speak of besides registers of the program, as registers that follow those.
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

/// What a register of the certificate stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// The value of a type at an offset of an object.
    Bytes { object: ObjId, offset: u64, ty: Ty },
    /// Any number: what is claimed of it holds for all of them.
    Any(Ty),
    /// The element of an object, taken for an array, at an index: a formula over what stands above.
    Element { object: ObjId, ty: Ty, index: String },
    /// The bytes of the object that a pointer points into, 0 if there is none.
    Size { ptr: String },
    /// Whether a pointer is that of a text: in the object that it points into a byte is 0, there or further on.
    Text { ptr: String },
}

/// What claims are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClaimsOf {
    Loop(FuncId, BlockId),
    Before(FuncId),
    After(FuncId),
}

/// One of them, by its place in the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Claim {
    pub of: ClaimsOf,
    pub at: usize,
}

impl Certificate {
    /// Without these claims.
    pub fn without(mut self, claims: &BTreeSet<Claim>) -> Certificate {
        // The last ones first: others keep their places.
        for &Claim { of, at } in claims.iter().rev() {
            let list = match of {
                ClaimsOf::Loop(func, head) => self.cuts.get_mut(&(func, head)),
                ClaimsOf::Before(func) => self.contracts.get_mut(&func).map(|it| &mut it.before),
                ClaimsOf::After(func) => self.contracts.get_mut(&func).map(|it| &mut it.after),
            };
            if let Some(list) = list.filter(|it| at < it.len()) {
                list.remove(at);
            }
        }
        self
    }

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
        for place in &self.places {
            let _ = match place {
                Place::Bytes { object, offset, ty } => {
                    writeln!(out, "place {object} {offset} {ty}")
                }
                Place::Any(ty) => writeln!(out, "any {ty}"),
                Place::Element { object, ty, index } => {
                    writeln!(out, "element {object} {ty} {index}")
                }
                Place::Size { ptr } => writeln!(out, "size {ptr}"),
                Place::Text { ptr } => writeln!(out, "text {ptr}"),
            };
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
                self.places.push(Place::Bytes { object, offset, ty });
            }
            "any" => self.places.push(Place::Any(parse_ty(rest)?)),
            "size" => self.places.push(Place::Size { ptr: rest.into() }),
            "text" => self.places.push(Place::Text { ptr: rest.into() }),
            "element" => {
                let (object, rest) = rest.split_once(' ')?;
                let (ty, index) = rest.split_once(' ')?;
                let object = ObjId::from_u32(id(object, 'o')?);
                let (ty, index) = (parse_ty(ty)?, index.into());
                self.places.push(Place::Element { object, ty, index });
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
            places: vec![
                Place::Bytes { object: ObjId::from_u32(4), offset: 8, ty: Ty::Int(32) },
                Place::Any(Ty::Int(64)),
                Place::Element {
                    object: ObjId::from_u32(5),
                    ty: Ty::Int(16),
                    index: "(Add v9 i64:1)".into(),
                },
                Place::Size { ptr: "v3".into() },
                Place::Text { ptr: "v3".into() },
            ],
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
            ("any i64", "any 64"),
            ("any i64", "any"),
            ("size v3\n", "size\n"),
            ("element o5 i16", "element o5"),
            ("element o5 i16", "element 5 i16"),
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
