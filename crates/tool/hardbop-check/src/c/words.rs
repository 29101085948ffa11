//! The invariants of a proof in words about the whole program.
//!
//! A proof speaks of what is left of the program when what does not matter is cut away, functions are gone into, and cells of arrays or
//! walking pointers have registers of their own. What cannot be said is left out: a certificate with too little is not accepted.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_certify_c::{self as certify_c, Certificate, Place, formula, loops_of};
use hardbop_cir::{BinOp, BlockId, Expr, ExprId, Func, FuncId, ObjKind, Program, Shape, Ty, VarId};
use hardbop_kind::Proof;
use hardbop_kind::cells::{Element, Index, Walk};
use hardbop_kind::facts::Fact;

pub(super) type LoopId = (FuncId, BlockId);

/// Elements of an array, and fields, that formulas may speak of.
const MAX_FIELDS: usize = 64;

/// By loop of what is left: the same loop of the whole program. It is the smallest one of the function its head comes
/// from that has all places in the source that are of that function.
pub(super) fn same_loops(whole: &Program, left: &Program) -> BTreeMap<LoopId, LoopId> {
    let all: Vec<(FuncId, Places, Vec<LoopPlaces>)> = whole
        .funcs
        .iter_enumerated()
        .map(|(id, func)| (id, places(func, &func.blocks.ids().collect()), loops_in(func)))
        .collect();
    let mut found = BTreeMap::new();
    for (func, it) in left.funcs.iter_enumerated() {
        for mine in loops_in(it) {
            let mut fitting = Vec::new();
            for (id, of_func, loops) in &all {
                let here: Places = mine.body.intersection(of_func).copied().collect();
                for theirs in loops.iter().filter(|it| here.is_subset(&it.body)) {
                    let is_whole = *id == func && here == mine.body;
                    if is_whole || !theirs.head.is_disjoint(&mine.head) {
                        fitting.push((theirs.body.len(), (*id, theirs.id)));
                    }
                }
            }
            if let Some((_, same)) = fitting.into_iter().min() {
                found.insert((func, mine.id), same);
            }
        }
    }
    found
}

/// Places in the source.
type Places = BTreeSet<(u32, u32)>;

struct LoopPlaces {
    id: BlockId,
    head: Places,
    body: Places,
}

fn loops_in(func: &Func) -> Vec<LoopPlaces> {
    let loops = loops_of(func).into_iter();
    loops
        .map(|(id, body)| LoopPlaces {
            id,
            head: places(func, &BTreeSet::from([id])),
            body: places(func, &body),
        })
        .collect()
}

fn places(func: &Func, blocks: &BTreeSet<BlockId>) -> Places {
    let blocks = blocks.iter().map(|&it| &func.blocks[it]);
    let spans = blocks.flat_map(|it| it.insts.iter().map(|inst| inst.span).chain([it.span]));
    spans.map(|it| (it.start, it.end)).collect()
}

/// What a register of what is left is called in the whole program.
#[derive(Clone)]
struct Name {
    text: String,
    /// The function that has it.
    owner: Option<FuncId>,
    /// Arbitrary indices that it depends on.
    indices: BTreeSet<VarId>,
}

pub(super) struct Words<'a> {
    certificate: &'a mut Certificate,
    program: &'a Program,
    proof: &'a Proof,
    /// Where that can be said.
    names: BTreeMap<VarId, Option<Name>>,
}

impl<'a> Words<'a> {
    pub fn new(
        certificate: &'a mut Certificate,
        program: &'a Program,
        proof: &'a Proof,
    ) -> Words<'a> {
        Words { certificate, program, proof, names: BTreeMap::new() }
    }

    /// Adds what holds at loops, and before and after calls.
    pub fn say_all(mut self) {
        for (head, whole) in same_loops(self.program, &self.proof.program) {
            let claims = self.claims(head, whole.0);
            self.certificate.cuts.entry(whole).or_default().extend(claims);
        }
        // Also those of which nothing is claimed: it is by induction that they are left.
        for (id, func) in self.program.funcs.iter_enumerated() {
            for head in loops_of(func).into_keys() {
                self.certificate.cuts.entry((id, head)).or_default();
            }
        }
        self.contracts();
    }

    fn claims(&mut self, head: LoopId, func: FuncId) -> Vec<String> {
        let proof = self.proof;
        let exprs = proof.invariants.get(&head).into_iter().flatten();
        let mut claims: Vec<String> = exprs.filter_map(|&it| self.in_whole(it, func)).collect();
        let facts = proof.memory.as_ref().and_then(|it| it.get(&head));
        claims.extend(facts.into_iter().flatten().filter_map(|&it| self.of_memory(it, func)));
        claims
    }

    /// That a pointer is that of a text; others follow from what the certifier finds a loop to change.
    fn of_memory(&mut self, fact: Fact, func: FuncId) -> Option<String> {
        let (ptr, or_null) = match fact {
            Fact::Text(ptr) => (ptr, false),
            Fact::NullOrText(ptr) => (ptr, true),
            Fact::Holds(_) | Fact::Known(_) | Fact::Freed => return None,
        };
        let ptr = self.text_pointer(ptr, func)?;
        let text = self.add(Place::Text { ptr: ptr.clone() });
        Some(if or_null { format!("(Or (Eq {ptr} null) {text})") } else { text })
    }

    /// A pointer of which start and distance are one.
    fn text_pointer(&mut self, ptr: ExprId, func: FuncId) -> Option<String> {
        let proof = self.proof;
        let pool = &proof.program.exprs;
        let walks = proof.cells.as_ref().map_or(&[][..], |it| &it.walks);
        let whole = |id: ExprId| {
            let Expr::Binary(BinOp::PtrAdd, start, distance) = pool.get(id) else { return None };
            let (Expr::Var(start), Expr::Var(distance)) = (pool.get(start), pool.get(distance))
            else {
                return None;
            };
            let is_it = |it: &&Walk| it.start == start && it.distance == distance;
            walks.iter().find(is_it).map(|it| it.start)
        };
        formula::print_as(pool, ptr, &mut |id| {
            if let Some(start) = whole(id) {
                return Some(Some(self.pointer(start, Some(func))?));
            }
            let Expr::Var(var) = pool.get(id) else { return Some(None) };
            let name = self.name(var)?;
            (name.owner.is_none() || name.owner == Some(func)).then_some(Some(name.text))
        })
    }

    /// Adds what holds before and after the calls of recursive functions.
    fn contracts(&mut self) {
        let proof = self.proof;
        for (&func, it) in &proof.contracts.contracts {
            let facts = |place| proof.contracts.facts.get(&place).into_iter().flatten();
            let before = facts(it.begins).filter_map(|&it| self.in_whole(it, func)).collect();
            // When the function has returned, its parameters are what was passed.
            let mut there = self.names.clone();
            let name = |text: String| Some(Name { text, owner: None, indices: BTreeSet::new() });
            there.extend(it.old.iter().map(|&(param, kept)| (kept, name(param.to_string()))));
            there.extend(it.result.map(|it| (it, name("result".into()))));
            let outside = std::mem::replace(&mut self.names, there);
            let after = facts(it.returns).filter_map(|&it| self.in_whole(it, func)).collect();
            self.names = outside;
            let words = certify_c::Words { before, after };
            self.certificate.contracts.insert(func, words);
        }
    }

    /// A formula about what is left, about the whole program, in a function. None if it speaks of what that does not have.
    fn in_whole(&mut self, expr: ExprId, func: FuncId) -> Option<String> {
        let (text, indices) = self.renamed(expr, Some(func))?;
        // Of arbitrary indices it is known that they are those of elements.
        let mut text = text;
        for index in self.indices() {
            if let Some(below) = index.below.filter(|_| indices.contains(&index.var)) {
                let (name, ty) =
                    (self.name(index.var)?.text, self.proof.program.vars[index.var].ty);
                text = format!("(Or (Not (Ult {name} {ty}:{below})) {text})");
            }
        }
        Some(text)
    }

    /// In the words of the whole program, with the arbitrary indices it depends on.
    fn renamed(&mut self, expr: ExprId, func: Option<FuncId>) -> Option<(String, BTreeSet<VarId>)> {
        let proof = self.proof;
        let pool = &proof.program.exprs;
        let mut indices = BTreeSet::new();
        let text = formula::print_as(pool, expr, &mut |id| {
            if let Some(said) = self.of_walk(id, func) {
                return Some(Some(said));
            }
            let Expr::Var(var) = pool.get(id) else { return Some(None) };
            let name = self.name(var)?;
            if name.owner.is_some() && name.owner != func {
                return None;
            }
            indices.extend(name.indices);
            Some(Some(name.text))
        })?;
        Some((text, indices))
    }

    /// What is left of a walk, and that something is left of it, for which the whole program has no registers.
    fn of_walk(&mut self, id: ExprId, func: Option<FuncId>) -> Option<String> {
        let pool = &self.proof.program.exprs;
        let Expr::Binary(op, a, b) = pool.get(id) else { return None };
        let (Expr::Var(a), Expr::Var(b)) = (pool.get(a), pool.get(b)) else { return None };
        let is_it = |it: &&Walk, distance, room| it.distance == distance && it.room == room;
        let walks = &self.proof.cells.as_ref()?.walks;
        let (walk, is_left) = match op {
            BinOp::Sub => (walks.iter().find(|it| is_it(it, b, a))?, true),
            BinOp::Ult | BinOp::Ule => (walks.iter().find(|it| is_it(it, a, b))?, false),
            _ => return None,
        };
        let ptr = self.pointer(walk.start, func)?;
        let offset = format!("(PtrDiff {ptr} (Start {ptr}))");
        let size = self.size(ptr);
        Some(match is_left {
            true => format!("(Sub {size} {offset})"),
            false => format!("({op:?} {offset} {size})"),
        })
    }

    /// A walking pointer.
    fn pointer(&mut self, start: VarId, func: Option<FuncId>) -> Option<String> {
        let name = self.find_name(start)?;
        (name.owner.is_none() || name.owner == func).then_some(name.text)
    }

    /// The size of what a pointer points into.
    fn size(&mut self, ptr: String) -> String {
        let place = Place::Size { ptr };
        let known = self.certificate.places.iter().position(|it| *it == place);
        match known {
            Some(at) => self.number(at),
            None => self.add(place),
        }
    }

    fn name(&mut self, var: VarId) -> Option<Name> {
        if let Some(known) = self.names.get(&var) {
            return known.clone();
        }
        // Its register is where the walk began, which the whole program does not know.
        let walks = self.proof.cells.as_ref().map_or(&[][..], |it| &it.walks);
        let is_walk = walks.iter().any(|it| it.start == var);
        let name = if is_walk { None } else { self.find_name(var) };
        self.names.insert(var, name.clone());
        name
    }

    fn find_name(&mut self, var: VarId) -> Option<Name> {
        if let Some(info) = self.program.vars.get(var) {
            return Some(Name {
                text: var.to_string(),
                owner: info.owner,
                indices: BTreeSet::new(),
            });
        }
        let info = &self.proof.program.vars[var];
        if self.indices().iter().any(|it| it.var == var) {
            let indices = BTreeSet::from([var]);
            let text = self.add(Place::Any(info.ty));
            return Some(Name { text, owner: None, indices });
        }
        if let Some(element) = self.elements().iter().find(|it| it.value == var).copied() {
            return self.element(element);
        }
        if self.proof.cells.as_ref().is_some_and(|it| var >= it.first) {
            return None;
        }
        if let Some(place) = place_of(self.program, &self.proof.program, var) {
            let text = self.add(place);
            return Some(Name { text, owner: None, indices: BTreeSet::new() });
        }
        // A register of a function that was gone into.
        let mut copies = self.program.vars.iter_enumerated().filter(|(_, it)| {
            it.span.is_some() && it.span == info.span && it.name == info.name && it.ty == info.ty
        });
        match (copies.next(), copies.next()) {
            (Some((copied, it)), None) => {
                let text = copied.to_string();
                Some(Name { text, owner: it.owner, indices: BTreeSet::new() })
            }
            _ => None,
        }
    }

    fn element(&mut self, element: Element) -> Option<Name> {
        let (index, indices) = self.renamed(element.index, None)?;
        let info = &self.proof.program.objects[element.object];
        let object = info.copy_of.unwrap_or(element.object);
        self.program.objects.get(object)?;
        let text = self.add(Place::Element { object, ty: Ty::Int(element.width), index });
        Some(Name { text, owner: None, indices })
    }

    /// The register of the certificate for a place.
    fn add(&mut self, place: Place) -> String {
        self.certificate.places.push(place);
        self.number(self.certificate.places.len() - 1)
    }

    fn number(&self, place: usize) -> String {
        VarId::from_u32((self.program.vars.len() + place) as u32).to_string()
    }

    fn indices(&self) -> &'a [Index] {
        self.proof.cells.as_ref().map_or(&[], |it| &it.indices)
    }

    fn elements(&self) -> &'a [Element] {
        self.proof.cells.as_ref().map_or(&[], |it| &it.elements)
    }
}

/// The bytes that a register stands for which a pass has made of a field of an object.
fn place_of(program: &Program, left: &Program, var: VarId) -> Option<Place> {
    let info = &left.vars[var];
    let is_it = |object: &hardbop_cir::ObjInfo| match object.kind {
        ObjKind::Global => info.owner.is_none(),
        ObjKind::Local(func) => info.owner == Some(func),
        ObjKind::Heap(_) | ObjKind::Thread => false,
    };
    program.objects.iter_enumerated().filter(|(_, it)| it.span == info.span && is_it(it)).find_map(
        |(object, it)| {
            let mut fields = Vec::new();
            list_fields(&it.shape, it.name.to_string(), 0, &mut fields);
            let found =
                fields.into_iter().find(|(name, _, ty)| **name == *info.name && *ty == info.ty);
            found.map(|(_, offset, ty)| Place::Bytes { object, offset, ty })
        },
    )
}

fn list_fields(shape: &Shape, name: String, at: u64, fields: &mut Vec<(String, u64, Ty)>) {
    if fields.len() >= MAX_FIELDS {
        return;
    }
    match shape {
        Shape::Bytes => {}
        Shape::Scalar { ty, .. } => fields.push((name, at, *ty)),
        Shape::Array { element, stride, len } => {
            for index in 0..(*len).min(MAX_FIELDS as u64) {
                list_fields(element, format!("{name}[{index}]"), at + index * stride, fields);
            }
        }
        Shape::Record(list) => {
            for (field, offset, shape) in list {
                list_fields(shape, format!("{name}.{field}"), at + offset, fields);
            }
        }
    }
}
