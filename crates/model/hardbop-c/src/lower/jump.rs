//! Labels, `goto`, and `goto *p`. Targets are put in at the end of a function, when all labels are
//! known; objects that a jump leaves end there, those whose declaration it jumps past begin.
//!
//! The address of a label is a number of its own that is the address of nothing else. A computed
//! jump is a switch over the labels of the function whose address is taken.

use hardbop_base::{Name, Span};
use hardbop_cir::{
    BlockId, CastOp, Class, Cond, Expr as Node, ExprId, Inst, ObjId, Op, Stop, Term, Ty, VarId,
};
use hardbop_diag::codes;

use super::Lowered;
use super::place::Val;
use super::state::Lower;
use crate::syntax::ast::Expr;
use crate::types::CType;

/// Addresses of labels are below those of anything else.
const MAX_LABELS: u64 = 4000;

pub(super) struct Label {
    block: BlockId,
    /// Objects alive there.
    live: Vec<ObjId>,
    registers: Vec<(VarId, Option<VarId>)>,
}

pub(super) struct Jump {
    /// The block that ends with it.
    pub block: BlockId,
    to: Target,
    live: Vec<ObjId>,
    registers: Vec<(VarId, Option<VarId>)>,
    span: Span,
}

enum Target {
    Label(Name),
    /// One of those whose address is taken.
    Address(ExprId),
    /// A frame and a point that registers say.
    Nonlocal,
}

impl Lower<'_> {
    /// The name a label has in the function: those of `__label__` belong to their block.
    fn label_name(&self, name: &Name) -> Name {
        self.scopes.labels.get(name).unwrap_or(name).clone()
    }

    pub fn local_labels(&mut self, names: &[Name], span: Span) {
        for name in names {
            let unique: Name = format!("{name}#{}", span.start).into();
            self.scopes.labels.declare(name, unique);
        }
    }

    pub fn label(&mut self, name: &Name, span: Span) -> Lowered<()> {
        let block = self.new_block();
        self.goto(block, span);
        // Lowered again where it is evaluated.
        if self.is_unevaluated() {
            return Ok(());
        }
        let (live, registers) = (self.func.live.clone(), self.func.registers.clone());
        let label = Label { block, live, registers };
        if self.func.labels.insert(self.label_name(name), label).is_some() {
            let message = format!("the label `{name}` stands twice");
            return self.error(codes::c::REDEFINED, span, message);
        }
        let is_goal = self.error_labels && &**name == "ERROR";
        if is_goal || self.options.goals.labels.contains(name) {
            let message = format!("the label `{name}` may be reached");
            self.check(Class::Assert, Cond::Fails, message, span);
        }
        Ok(())
    }

    pub fn goto_label(&mut self, name: &Name, span: Span) {
        let to = Target::Label(self.label_name(name));
        self.jump_to(to, span);
    }

    pub fn goto_address(&mut self, to: &Expr, span: Span) -> Lowered<()> {
        let value = self.rvalue(to)?;
        let value = self.convert(&value, &CType::VOID.ptr_to(), span)?;
        let ptr = self.scalar(&value, span)?;
        let ty = Ty::Int(self.options.model.ptr_bits());
        let number = self.node(Node::Cast(CastOp::PtrToInt, ty, ptr), span);
        self.jump_to(Target::Address(number), span);
        Ok(())
    }

    /// To the frame and the point on the way.
    pub fn jump_on(&mut self, span: Span) {
        self.jump_to(Target::Nonlocal, span);
    }

    fn jump_to(&mut self, to: Target, span: Span) {
        let block = self.func.current;
        // Not evaluated, the block goes away again, and another gets its number.
        if !self.is_unevaluated() {
            let (live, registers) = (self.func.live.clone(), self.func.registers.clone());
            self.func.jumps.push(Jump { block, to, live, registers, span });
        }
        // The target is put in when all labels are known.
        self.finish(Term::Goto(block), span);
    }

    /// `&&name`
    pub fn label_address(&mut self, name: &Name, span: Span) -> Lowered<Val> {
        if self.is_global_scope() {
            return self.error(codes::c::NOT_CONSTANT, span, "there are no labels here");
        }
        let name = self.label_name(name);
        let addressed = &mut self.func.addressed_labels;
        if !addressed.iter().any(|it| it.0 == name) {
            self.n_label_addresses += 1;
            addressed.push((name.clone(), self.n_label_addresses, span));
        }
        let number = addressed.iter().find(|it| it.0 == name).map_or(0, |it| it.1);
        if number > MAX_LABELS {
            self.unsupported(span, "the address of so many labels");
        }
        let number = self.size_expr(number);
        let ptr = self.program.exprs.fold(Node::Cast(CastOp::IntToPtr, Ty::Ptr, number));
        Ok(Val::scalar(CType::VOID.ptr_to(), ptr))
    }

    /// Gives every jump of the function its target.
    pub fn resolve_jumps(&mut self) -> Lowered<()> {
        for (name, _, span) in &self.func.addressed_labels {
            if !self.func.labels.contains_key(name) {
                return self.no_label(name, *span);
            }
        }
        for jump in std::mem::take(&mut self.func.jumps) {
            let mark = self.mark();
            let done = self.resolve_jump(&jump);
            self.settled(&mark, done)?;
        }
        Ok(())
    }

    fn resolve_jump(&mut self, jump: &Jump) -> Lowered<()> {
        match &jump.to {
            Target::Label(name) => {
                let (to, insts) = self.way_to(name, jump)?;
                if let Some(it) = &mut self.func.blocks[jump.block] {
                    it.insts.extend(insts);
                    it.term = Term::Goto(to);
                }
                Ok(())
            }
            Target::Address(value) => self.resolve_computed(*value, jump),
            Target::Nonlocal => self.resolve_nonlocal(jump, jump.span),
        }
    }

    fn no_label<T>(&self, name: &str, span: Span) -> Lowered<T> {
        let name = name.split('#').next().unwrap_or(name);
        self.undeclared(name, span, format!("there is no label `{name}`"))
    }

    /// The block of a label and what ends and begins on the way there.
    pub(super) fn way_to(&mut self, name: &Name, jump: &Jump) -> Lowered<(BlockId, Vec<Inst>)> {
        let span = jump.span;
        let Some(label) = self.func.labels.get(name) else {
            return self.no_label(name, span);
        };
        let block = label.block;
        let gone = jump.live.iter().filter(|it| !label.live.contains(it));
        let gone: Vec<ObjId> = gone.copied().collect();
        let skipped: Vec<ObjId> =
            label.live.iter().filter(|it| !jump.live.contains(it)).copied().collect();
        let passed = label.registers.iter().filter(|it| !jump.registers.contains(it));
        let passed: Vec<(VarId, Option<VarId>)> = passed.copied().collect();
        // A computed jump goes to one of the labels, and not to all.
        if matches!(jump.to, Target::Label(_)) {
            self.no_variable_length(&skipped, span)?;
        }
        let mut insts = self.ways_out(&gone, span);
        for object in skipped.into_iter().filter(|&it| self.is_sized(it)) {
            insts.push(Inst { op: Op::Enter { object, size: None }, span });
        }
        insts.extend(self.without_values(passed, span));
        Ok((block, insts))
    }

    fn resolve_computed(&mut self, value: ExprId, jump: &Jump) -> Lowered<()> {
        let span = jump.span;
        let mut cases = Vec::new();
        for (name, number, _) in self.func.addressed_labels.clone() {
            let (to, insts) = self.way_to(&name, jump)?;
            let way = hardbop_cir::Block { insts, term: Term::Goto(to), span };
            cases.push((u128::from(number), self.func.blocks.push(Some(way))));
        }
        let nowhere = self.new_block();
        self.begin(nowhere);
        let message = "what is jumped to may be no label of this function";
        self.check(Class::Null, Cond::Fails, message, span);
        let what = "a jump to what is no label of the function";
        self.finish(Term::Stop(Stop::Unsupported(what.into())), span);
        let term = match cases.is_empty() {
            true => Term::Goto(nowhere),
            false => Term::Switch { value, cases, default: nowhere },
        };
        if let Some(it) = &mut self.func.blocks[jump.block] {
            it.term = term;
        }
        Ok(())
    }

    /// A constraint of C (6.8.6.1, 6.8.4.2): nothing of variable length is jumped past.
    pub fn no_variable_length(&self, skipped: &[ObjId], span: Span) -> Lowered<()> {
        match skipped.iter().find(|&&it| !self.is_sized(it)) {
            None => Ok(()),
            Some(&object) => {
                let name = &self.program.objects[object].name;
                let message =
                    format!("this jumps past the declaration of `{name}`, whose length varies");
                self.error(codes::c::TYPE, span, message)
            }
        }
    }

    pub fn is_sized(&self, object: ObjId) -> bool {
        self.program.objects[object].size.is_some()
    }
}
