//! All calls inlined: one function is left, whose blocks are the blocks of the transition system.
//!
//! FS section III-B moves each function into `main` once and returns through a variable that holds
//! the call site; we copy a function for each call, which the section names as the alternative: the
//! pc alone then says where control is, and a register belongs to one call. A function inside
//! itself is copied up to a depth; what goes deeper is not understood and said so.
//!
//! The pass of the same name inlines some calls, where it pays and registers need no new names; here
//! none may be left, and what each new register stands for is kept for counterexamples.
//!
//! Invariant kept: a run of the flat program is a run of the original, block for block, as long as
//! it does not come to a place that is marked as not understood.

use hardbop_base::{Idx, IndexVec, Name, Span};
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::pass::unreachable::{drop_unreachable, join_lines};
use hardbop_cir::pass::{drop_uncalled, propagate};
use hardbop_cir::{
    Block, BlockId, Callee, Expr, ExprId, Func, FuncId, Inst, ObjId, ObjInfo, ObjKind, Op,
    PrintKind, Program, Stop, Term, VarId, VarInfo, VarKind,
};
use rustc_hash::FxHashMap;

/// More blocks than this are not made.
const MAX_BLOCKS: usize = 20_000;

pub struct Flat {
    pub program: Program,
    /// The register of the original program that a register stands for.
    pub origin: FxHashMap<VarId, VarId>,
}

/// `Err` says why the program has no flat form.
pub fn inline(program: &Program, recursion: u32) -> Result<Flat, Name> {
    let mut flattener = Flattener {
        source: program,
        out: program.clone(),
        blocks: IndexVec::new(),
        origin: FxHashMap::default(),
        chain: Vec::new(),
        recursion,
    };
    let main = program.main;
    flattener.call(main, None)?;
    let mut func =
        Func { blocks: flattener.blocks, params: Vec::new(), ..program.funcs[main].clone() };
    drop_unreachable(&mut func);
    join_lines(&mut func);
    let mut out = flattener.out;
    out.funcs[main] = func;
    drop_uncalled(&mut out);
    propagate(&mut out);
    fix_sizes(&mut out);
    Ok(Flat { program: out, origin: flattener.origin })
}

struct Flattener<'a> {
    source: &'a Program,
    /// The pools grow; the bodies are still those of the source.
    out: Program,
    blocks: IndexVec<BlockId, Block>,
    origin: FxHashMap<VarId, VarId>,
    /// The calls around.
    chain: Vec<FuncId>,
    recursion: u32,
}

/// Where the copy of a function goes on, and where its result goes.
#[derive(Clone, Copy)]
struct Return {
    to: BlockId,
    dst: Option<VarId>,
}

/// The names of one call.
struct Names {
    vars: FxHashMap<VarId, VarId>,
    objects: FxHashMap<ObjId, ObjId>,
}

impl Flattener<'_> {
    /// Copies a function; gives the parameters' registers and the first block.
    fn call(&mut self, func: FuncId, back: Option<Return>) -> Result<(BlockId, Vec<VarId>), Name> {
        let source = self.source;
        let it = &source.funcs[func];
        let names = self.names(func);
        self.chain.push(func);
        let first = BlockId::new(self.blocks.len());
        let place = Block {
            insts: Vec::new(),
            term: Term::Stop(Stop::Unreachable),
            span: it.blocks[BlockId::new(0)].span,
        };
        // The entry is a block of its own: the function's first block may be the head of a loop.
        let entry = self.blocks.push(place.clone());
        for _ in &it.blocks {
            self.blocks.push(place.clone());
        }
        if self.blocks.len() > MAX_BLOCKS {
            return Err(format!("more than {MAX_BLOCKS} blocks after inlining calls").into());
        }
        let at = |block: BlockId| BlockId::new(first.index() + 1 + block.index());
        self.blocks[entry] = Block {
            insts: self.any_values(func, &names, back.is_none()),
            term: Term::Goto(at(BlockId::new(0))),
            span: place.span,
        };
        for (id, block) in it.blocks.iter_enumerated() {
            self.block(block, at(id), &at, &names, back)?;
        }
        self.chain.pop();
        Ok((entry, it.params.iter().map(|it| names.vars[it]).collect()))
    }

    fn names(&mut self, func: FuncId) -> Names {
        let (source, main) = (self.source, self.source.main);
        let is_first = self.chain.is_empty();
        let mut names = Names { vars: FxHashMap::default(), objects: FxHashMap::default() };
        for (id, var) in source.vars.iter_enumerated() {
            let new = match var.owner {
                Some(owner) if owner == func && !is_first => {
                    // A parameter is written once, by the call, before it is read: as a temporary
                    // is, whose constants are put in.
                    let kind = match var.kind {
                        VarKind::Param => VarKind::Temp,
                        other => other,
                    };
                    self.out.vars.push(VarInfo { owner: Some(main), kind, ..var.clone() })
                }
                None => id,
                Some(owner) if owner == func => id,
                Some(_) => continue,
            };
            self.origin.insert(new, id);
            names.vars.insert(id, new);
        }
        // A function owns the objects it makes.
        let insts = source.funcs[func].blocks.iter().flat_map(|block| &block.insts);
        for inst in insts {
            let (Op::Enter { object, .. } | Op::Leave { object } | Op::Alloc { object, .. }) =
                inst.op
            else {
                continue;
            };
            if names.objects.contains_key(&object) {
                continue;
            }
            let kind = match source.objects[object].kind {
                ObjKind::Heap(_) => ObjKind::Heap(main),
                _ => ObjKind::Local(main),
            };
            let info = ObjInfo { kind, ..source.objects[object].clone() };
            let new = match is_first {
                true => object,
                false => self.out.objects.push(info.clone()),
            };
            self.out.objects[new] = info;
            names.objects.insert(object, new);
        }
        names
    }

    /// A call starts with registers of any value. Where that can be seen it is said, by an
    /// instruction that is no input: those of the call before would be there otherwise.
    fn any_values(&self, func: FuncId, names: &Names, is_main: bool) -> Vec<Inst> {
        let it = &self.source.funcs[func];
        let live = &live_in(self.source, it)[BlockId::new(0)];
        let span = it.blocks[BlockId::new(0)].span;
        let mut insts = Vec::new();
        for index in live.iter() {
            let var = VarId::new(index);
            if is_main || !it.params.contains(&var) {
                let dst = Some(names.vars[&var]);
                let op = Op::Print { dst, kind: PrintKind::Other, args: Vec::new() };
                insts.push(Inst { op, span });
            }
        }
        insts
    }

    fn rename(&mut self, names: &Names, id: ExprId) -> ExprId {
        let (vars, out) = (&self.source.vars, &mut self.out.exprs);
        // Renamed leaves are made first: the pool is busy while it rewrites.
        let mut leaves = FxHashMap::default();
        let mut wanted = Vec::new();
        out.visit(id, &mut |_, node| {
            if matches!(node, Expr::Var(_) | Expr::Addr(_)) {
                wanted.push(node);
            }
        });
        for node in wanted {
            let new = match node {
                Expr::Var(var) => out.var(names.vars[&var], vars[var].ty),
                Expr::Addr(object) => {
                    out.add(Expr::Addr(names.objects.get(&object).copied().unwrap_or(object)))
                }
                _ => continue,
            };
            leaves.insert(node, new);
        }
        out.rewrite(id, &mut |leaf| leaves.get(&leaf).copied())
    }

    fn block(
        &mut self,
        block: &Block,
        at: BlockId,
        of: &dyn Fn(BlockId) -> BlockId,
        names: &Names,
        back: Option<Return>,
    ) -> Result<(), Name> {
        let mut current = at;
        let mut insts = Vec::new();
        for inst in &block.insts {
            let mut op = inst.op.clone();
            op.map_operands(|id| self.rename(names, id));
            rename_targets(&mut op, names);
            let Op::Call { dst, callee: Callee::Func(callee), args } = op else {
                insts.push(Inst { op, span: inst.span });
                continue;
            };
            let depth = self.chain.iter().filter(|&&it| it == callee).count();
            if depth > self.recursion as usize {
                let what = format!("`{}` calls itself deeper than inlined", self.name(callee));
                let term = Term::Stop(Stop::Unsupported(what.into()));
                self.blocks[current] = Block { insts, term, span: inst.span };
                return Ok(());
            }
            let after = self.blocks.push(Block {
                insts: Vec::new(),
                term: Term::Stop(Stop::Unreachable),
                span: block.span,
            });
            let back = Return { to: after, dst };
            let (entry, params) = hardbop_base::stack::maybe_grow(128 << 10, 4 << 20, || {
                self.call(callee, Some(back))
            })?;
            let sets = params.iter().zip(args);
            insts.extend(
                sets.map(|(&dst, value)| Inst { op: Op::Set { dst, value }, span: inst.span }),
            );
            let insts = std::mem::take(&mut insts);
            self.blocks[current] = Block { insts, term: Term::Goto(entry), span: inst.span };
            current = after;
        }
        let mut term = block.term.clone();
        term.map_operands(|id| self.rename(names, id));
        term.map_targets(of);
        if let (Term::Return(value), Some(back)) = (&term, back) {
            self.end(names, &mut insts, *value, back, block.span);
            term = Term::Goto(back.to);
        }
        self.blocks[current] = Block { insts, term, span: block.span };
        Ok(())
    }

    /// What a return does: the result goes to the caller, the objects of the call end.
    fn end(
        &self,
        names: &Names,
        insts: &mut Vec<Inst>,
        value: Option<ExprId>,
        back: Return,
        span: Span,
    ) {
        let op = match (back.dst, value) {
            (Some(dst), Some(value)) => Some(Op::Set { dst, value }),
            (dst @ Some(_), None) => {
                Some(Op::Print { dst, kind: PrintKind::Other, args: Vec::new() })
            }
            (None, _) => None,
        };
        insts.extend(op.map(|op| Inst { op, span }));
        let local = |it: &ObjId| matches!(self.out.objects[*it].kind, ObjKind::Local(_));
        let mut objects: Vec<ObjId> = names.objects.values().copied().filter(local).collect();
        objects.sort_unstable();
        insts.extend(objects.into_iter().map(|object| Inst { op: Op::Leave { object }, span }));
    }

    fn name(&self, func: FuncId) -> &Name {
        &self.source.funcs[func].name
    }
}

fn rename_targets(op: &mut Op, names: &Names) {
    let var = |var: &mut VarId| *var = names.vars[var];
    match op {
        Op::Set { dst, .. }
        | Op::Nondet { dst, .. }
        | Op::Load { dst, .. }
        | Op::Size { dst, .. } => var(dst),
        Op::Alloc { dst, object, .. } => {
            var(dst);
            *object = names.objects[object];
        }
        Op::Call { dst: Some(dst), .. } | Op::Print { dst: Some(dst), .. } => var(dst),
        Op::Enter { object, .. } | Op::Leave { object } => *object = names.objects[object],
        _ => {}
    }
}

/// Gives each object that is made at run time the size it is made with. Where that is not one
/// constant, the path is not understood.
fn fix_sizes(program: &mut Program) {
    let Program { objects, funcs, exprs, main, .. } = program;
    for block in funcs[*main].blocks.as_mut_slice() {
        let unfixed = block.insts.iter().position(|inst| {
            let (object, size) = match inst.op {
                Op::Enter { object, size: Some(size) } | Op::Alloc { object, size, .. } => {
                    (object, size)
                }
                _ => return false,
            };
            match (exprs.as_int(size).and_then(|it| u64::try_from(it).ok()), objects[object].size) {
                (Some(size), None) => {
                    objects[object].size = Some(size);
                    false
                }
                (size, known) => size.is_none() || size != known,
            }
        });
        if let Some(at) = unfixed {
            block.span = block.insts[at].span;
            block.insts.truncate(at);
            let what = "memory of a size that is not fixed";
            block.term = Term::Stop(Stop::Unsupported(what.into()));
        }
    }
}
