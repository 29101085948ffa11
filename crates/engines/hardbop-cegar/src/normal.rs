//! The program in the form the abstraction wants: what a call passes and returns has a name.
//!
//! Arguments go through registers of their own in the caller, parameters keep their entry values
//! (they are the symbolic constants of Ball et al., PLDI 2001), and the result of a function is in a
//! register when it returns. So what a function does is a relation between its parameters, its
//! result and the global registers, and a caller says the same of its own registers by renaming.
//! New registers come after all others: those of the source keep their ids.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Idx, IndexVec, Name, Span};
use hardbop_cir::{
    Block, BlockId, Callee, FuncId, Inst, Op, Program, Term, Ty, VarId, VarInfo, VarKind,
};
use hardbop_symbolic::region::At;

/// A call, after [`normalise`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    pub callee: FuncId,
    /// A register for each parameter.
    pub args: Vec<VarId>,
    /// Where the result arrives, if the callee returns one.
    pub result: Option<VarId>,
}

#[derive(Clone, Debug)]
pub struct Normal {
    pub program: Program,
    pub sites: BTreeMap<(FuncId, At), Site>,
    /// Where each function leaves its result.
    pub results: IndexVec<FuncId, Option<VarId>>,
}

/// A block for each statement; a check stays with what it is about.
pub fn one_by_one(mut program: Program) -> Program {
    for func in program.funcs.iter_mut() {
        for block in func.blocks.ids().collect::<Vec<_>>() {
            let mut insts = std::mem::take(&mut func.blocks[block].insts).into_iter().peekable();
            let mut here = block;
            while let Some(inst) = insts.next() {
                let is_whole = !matches!(inst.op, Op::Check { .. });
                func.blocks[here].insts.push(inst);
                if is_whole && insts.peek().is_some() {
                    let (next, span) = (func.blocks.next_id(), func.blocks[here].span);
                    let term = std::mem::replace(&mut func.blocks[here].term, Term::Goto(next));
                    here = func.blocks.push(Block { insts: Vec::new(), term, span });
                }
            }
        }
    }
    program
}

pub fn normalise(program: Program) -> Normal {
    let n = program.funcs.len();
    let mut normal =
        Normal { program, sites: BTreeMap::new(), results: IndexVec::from_elem(None, n) };
    for func in normal.program.funcs.ids() {
        normal.name_result(func);
        normal.keep_parameters(func);
    }
    for func in normal.program.funcs.ids() {
        normal.name_calls(func);
    }
    normal
}

impl Normal {
    fn register(&mut self, func: FuncId, name: String, ty: Ty, is_signed: bool) -> VarId {
        self.program.vars.push(VarInfo {
            name: Name::from(name),
            ty,
            is_signed,
            kind: VarKind::Temp,
            owner: Some(func),
            init: None,
            span: None,
        })
    }

    fn set(&mut self, dst: VarId, from: VarId, span: Span) -> Inst {
        let ty = self.program.vars[from].ty;
        let value = self.program.exprs.var(from, ty);
        Inst { op: Op::Set { dst, value }, span }
    }

    fn name_result(&mut self, func: FuncId) {
        let Some(ty) = self.program.funcs[func].result else { return };
        let result = self.register(func, "result".into(), ty, true);
        self.results[func] = Some(result);
        let read = self.program.exprs.var(result, ty);
        for block in self.program.funcs[func].blocks.iter_mut() {
            if let Term::Return(Some(value)) = &mut block.term {
                let op = Op::Set { dst: result, value: *value };
                block.insts.push(Inst { op, span: block.span });
                *value = read;
            }
        }
    }

    /// A parameter that is assigned becomes a local register, set from a new parameter at the entry.
    fn keep_parameters(&mut self, func: FuncId) {
        let body = &self.program.funcs[func];
        let insts = body.blocks.iter().flat_map(|block| &block.insts);
        let written: BTreeSet<VarId> = insts.filter_map(|inst| inst.op.dst()).collect();
        let entry = BlockId::new(0);
        let span = body.blocks[entry].span;
        let mut sets = Vec::new();
        for at in 0..body.params.len() {
            let param = self.program.funcs[func].params[at];
            if written.contains(&param) {
                let info = self.program.vars[param].clone();
                let name = format!("entry_{}", info.name);
                let kept = self.register(func, name, info.ty, info.is_signed);
                self.program.vars[kept].kind = VarKind::Param;
                self.program.vars[param].kind = VarKind::Local;
                self.program.funcs[func].params[at] = kept;
                sets.push(self.set(param, kept, span));
            }
        }
        if !sets.is_empty() {
            self.before_entry(func, sets);
        }
    }

    /// Instructions that are executed once, also where a loop comes back to the entry.
    fn before_entry(&mut self, func: FuncId, insts: Vec<Inst>) {
        let body = &mut self.program.funcs[func];
        let entry = BlockId::new(0);
        let moved = body.blocks.next_id();
        let span = body.blocks[entry].span;
        let first = Block { insts, term: Term::Goto(moved), span };
        let old = std::mem::replace(&mut body.blocks[entry], first);
        body.blocks.push(old);
        for block in body.blocks.iter_mut().skip(1) {
            block.term.map_targets(|to| if to == entry { moved } else { to });
        }
    }

    fn name_calls(&mut self, func: FuncId) {
        for block in self.program.funcs[func].blocks.ids() {
            let insts = std::mem::take(&mut self.program.funcs[func].blocks[block].insts);
            let mut named = Vec::with_capacity(insts.len());
            for inst in insts {
                self.name_call(func, block, inst, &mut named);
            }
            self.program.funcs[func].blocks[block].insts = named;
        }
    }

    fn name_call(&mut self, func: FuncId, block: BlockId, inst: Inst, named: &mut Vec<Inst>) {
        let Op::Call { dst, callee: Callee::Func(callee), args } = inst.op else {
            return named.push(inst);
        };
        let (span, name) = (inst.span, self.program.funcs[callee].name.clone());
        let mut passed = Vec::new();
        let mut reads = Vec::new();
        for (at, &arg) in args.iter().enumerate() {
            let ty = self.program.exprs.ty(arg);
            let param = self.program.funcs[callee].params.get(at).map(|&it| &self.program.vars[it]);
            let (of, is_signed) = param.map_or(("", true), |it| (&*it.name, it.is_signed));
            let text = format!("{name}_{}", of.trim_start_matches("entry_"));
            let register = self.register(func, text, ty, is_signed);
            named.push(Inst { op: Op::Set { dst: register, value: arg }, span });
            reads.push(self.program.exprs.var(register, ty));
            passed.push(register);
        }
        let result_ty = self.program.funcs[callee].result;
        let result = result_ty.map(|ty| self.register(func, format!("{name}_result"), ty, true));
        let at = At { block, inst: named.len() };
        self.sites.insert((func, at), Site { callee, args: passed, result });
        let (call_dst, copy) = match (result, dst) {
            (Some(result), Some(dst)) => (Some(result), Some(self.set(dst, result, span))),
            (Some(result), None) => (Some(result), None),
            (None, dst) => (dst, None),
        };
        let op = Op::Call { dst: call_dst, callee: Callee::Func(callee), args: reads };
        named.push(Inst { op, span });
        named.extend(copy);
    }
}
