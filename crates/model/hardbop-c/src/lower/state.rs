//! What lowering keeps: the program so far, the scopes, the function at hand.

use std::collections::BTreeMap;

use hardbop_base::{Idx, IndexVec, Name, Span};
use hardbop_cir::pass::outside::Outside;
use hardbop_cir::{
    Assumption, Block, BlockId, Check, CheckId, Class, Cond, Expr, ExprId, FuncId, Inst, ObjId,
    ObjInfo, ObjKind, Op, Program, Shape, Source, Stop, Term, Ty, VarId, VarInfo, VarKind,
};
use hardbop_diag::{Diagnostic, Sink, codes};
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::Summaries;
use super::jump::{Jump, Label};
use super::lifetime::Lifetimes;
use super::scope::{Global, Scopes};
use super::{Lowered, Options};
use crate::types::{CType, Types};

/// Expressions deeper than this are cut by a register, so that everything that walks them can
/// recurse.
const MAX_EXPR_DEPTH: u32 = 150;

pub(super) struct Lower<'a> {
    pub options: &'a Options,
    pub types: Types,
    pub program: Program,
    pub scopes: Scopes,
    /// Functions and global variables by link name.
    pub globals: FxHashMap<Name, Global>,
    /// The unit at hand: part of the link name of what is `static`.
    pub unit: usize,
    pub func: FuncState,
    /// Names of globals whose address is taken somewhere.
    pub addressed: FxHashSet<Name>,
    /// Names of locals of the function at hand whose address is taken.
    pub addressed_here: FxHashSet<Name>,
    /// Warnings: constructs that are not modelled.
    pub diagnostics: Vec<Diagnostic>,
    /// Mistakes.
    pub sink: &'a mut Sink,
    /// Names whose declarations could not be read, and those told to be missing.
    pub poisoned: FxHashSet<Name>,
    pub assumed: FxHashSet<Assumption>,
    /// Objects of string literals.
    pub strings: FxHashMap<(Vec<u32>, u8), ObjId>,
    depths: FxHashMap<ExprId, u32>,
    checked: FxHashMap<(Class, Cond), BlockId>,
    pub known_types: FxHashMap<crate::syntax::ast::NodeId, CType>,
    /// How many expressions around this one are not evaluated.
    n_unevaluated: u32,
    /// How often something was not supported, evaluated or not.
    pub n_unsupported: u32,
    /// Whether a label `ERROR` is the goal: no call says so.
    pub error_labels: bool,
    /// Every name that is used in an expression.
    pub used: FxHashSet<Name>,
    /// Functions without a body.
    pub stubs: FxHashMap<super::unknown::StubKey, FuncId>,
    /// What code we do not have is made of and knows.
    pub outside: Outside,
    /// Whether the unit at hand is the library's: it may call what programs may not, and checks
    /// only what it says.
    pub in_library: bool,
    /// Whether the program starts threads: then what they share lies in memory.
    pub has_threads: bool,
    /// Whether the declaration at hand is one of thread-local variables.
    pub is_thread_local: bool,
    /// Functions of the library.
    pub library: FxHashSet<FuncId>,
    /// Arrays inside of objects that calls of these are given.
    pub rooms: super::declared::Rooms,
    /// Inside the parameters of a declarator.
    pub in_params: bool,
    /// Whether the lengths being computed are those of parameters, which become pointers.
    pub in_adjusted: bool,
    pub summaries: Summaries,
    /// Open orders of evaluation explored in the function at hand, and around this expression.
    pub n_open: u32,
    pub open_depth: u32,
    /// Checks at the ends of functions that should return something.
    pub without_value: Vec<(FuncId, CheckId)>,
    pub linkage: super::linkage::Linkage,
    pub hooks: super::hooks::Hooks,
    /// Where the program jumps out of functions.
    pub nonlocal: Option<super::nonlocal::Nonlocal>,
    /// Alignments that variables ask for.
    pub alignments: FxHashMap<super::scope::Home, u64>,
    /// Labels whose address is taken, of all functions.
    pub n_label_addresses: u64,
    /// How the source reads heap objects, for printing only.
    pub heap_shapes: BTreeMap<ObjId, Shape>,
    /// Text of a span, for messages.
    pub sources: &'a crate::source::Sources,
}

/// The function being built.
pub(super) struct FuncState {
    pub id: FuncId,
    pub blocks: IndexVec<BlockId, Option<Block>>,
    pub current: BlockId,
    insts: Vec<Inst>,
    pub result: CType,
    /// Where a record is returned to.
    pub result_ptr: Option<VarId>,
    /// The pointer to the variable arguments.
    pub varargs: Option<VarId>,
    pub breaks: Vec<(BlockId, usize)>,
    pub continues: Vec<(BlockId, usize)>,
    pub switches: Vec<Switch>,
    pub labels: FxHashMap<Name, Label>,
    pub jumps: Vec<Jump>,
    /// Labels whose address is taken, with that address.
    pub addressed_labels: Vec<(Name, u64, Span)>,
    /// Where `longjmp` may come back to, and the number of the call at hand.
    pub points: Vec<super::nonlocal::Point>,
    pub frame: Option<VarId>,
    pub lifetimes: Lifetimes,
    /// Objects that begin with their block, by the place of their declaration.
    pub early: FxHashMap<u32, ObjId>,
    /// The list of what `alloca` gave out.
    pub allocas: Option<VarId>,
    /// The register, the object and, if it is known, the size of the last allocation.
    pub allocated: Option<(VarId, ObjId, Option<u64>)>,
    /// Objects alive here, innermost last, of all scopes.
    pub live: Vec<ObjId>,
    /// Variables in scope that are registers, innermost last, with those that say whether they have a value.
    pub registers: Vec<(VarId, Option<VarId>)>,
    /// Which bit-fields have a value.
    pub bit_flags: super::bits::BitFlags,
    /// Results of calls that are structures, as long as the expression they are in.
    pub temporaries: Vec<ObjId>,
    /// What is called where an object's scope is left.
    pub cleanups: FxHashMap<ObjId, FuncId>,
    /// To return is a violation.
    pub is_noreturn: bool,
    pub returns_nonnull: bool,
    n_temps: u32,
}

pub(super) struct Switch {
    pub ctype: CType,
    pub cases: Vec<(u128, BlockId)>,
    /// The values of `cases`.
    pub taken: FxHashSet<u128>,
    pub ranges: Vec<(u128, u128, BlockId)>,
    pub default: Option<BlockId>,
    /// How many objects are alive before the body, and how many registers in scope.
    pub mark: usize,
    pub n_registers: usize,
}

impl FuncState {
    pub fn new(id: FuncId, result: CType) -> Self {
        let mut blocks = IndexVec::new();
        let current = blocks.push(None);
        FuncState {
            id,
            blocks,
            current,
            insts: Vec::new(),
            result,
            result_ptr: None,
            varargs: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            jumps: Vec::new(),
            addressed_labels: Vec::new(),
            points: Vec::new(),
            frame: None,
            lifetimes: Lifetimes::default(),
            early: FxHashMap::default(),
            allocas: None,
            allocated: None,
            live: Vec::new(),
            registers: Vec::new(),
            bit_flags: Default::default(),
            temporaries: Vec::new(),
            cleanups: FxHashMap::default(),
            is_noreturn: false,
            returns_nonnull: false,
            n_temps: 0,
        }
    }
}

impl<'a> Lower<'a> {
    pub fn new(
        options: &'a Options,
        program: Program,
        sources: &'a crate::source::Sources,
        sink: &'a mut Sink,
    ) -> Self {
        Lower {
            options,
            types: Types::new(options.model),
            program,
            scopes: Scopes::default(),
            globals: FxHashMap::default(),
            unit: 0,
            func: FuncState::new(FuncId::new(0), CType::VOID),
            addressed: FxHashSet::default(),
            addressed_here: FxHashSet::default(),
            diagnostics: Vec::new(),
            sink,
            poisoned: FxHashSet::default(),
            assumed: FxHashSet::default(),
            strings: FxHashMap::default(),
            depths: FxHashMap::default(),
            checked: FxHashMap::default(),
            known_types: FxHashMap::default(),
            n_unevaluated: 0,
            n_unsupported: 0,
            error_labels: false,
            used: FxHashSet::default(),
            stubs: FxHashMap::default(),
            outside: Outside::default(),
            in_library: false,
            has_threads: false,
            is_thread_local: false,
            library: FxHashSet::default(),
            rooms: Default::default(),
            in_params: false,
            in_adjusted: false,
            summaries: Summaries::default(),
            n_open: 0,
            open_depth: 0,
            without_value: Vec::new(),
            linkage: super::linkage::Linkage::default(),
            hooks: super::hooks::Hooks::default(),
            nonlocal: None,
            alignments: FxHashMap::default(),
            n_label_addresses: 0,
            heap_shapes: BTreeMap::new(),
            sources,
        }
    }

    /// Ends the execution here: the construct is not modelled.
    pub fn unsupported(&mut self, span: Span, what: impl Into<String>) {
        let what = what.into();
        self.n_unsupported += 1;
        let message = format!("{what} is not supported: what follows on this path is unknown");
        self.diagnostics.push(Diagnostic::warning(codes::c::UNSUPPORTED, span, message));
        self.finish(Term::Stop(Stop::Unsupported(what.into())), span);
    }

    pub fn assume_said(&mut self, assumption: impl Into<Assumption>) {
        let assumption = assumption.into();
        if self.assumed.insert(assumption.clone()) {
            self.program.assumptions.push(assumption);
        }
    }

    pub fn text(&self, span: Span) -> String {
        self.sources.snippet(span)
    }

    // ---- blocks ----

    pub fn new_block(&mut self) -> BlockId {
        self.func.blocks.push(None)
    }

    /// Ends the current block; what follows is unreachable until a block is begun.
    pub fn finish(&mut self, term: Term, span: Span) {
        let insts = std::mem::take(&mut self.func.insts);
        self.func.blocks[self.func.current] = Some(Block { insts, term, span });
        self.func.current = self.new_block();
        self.checked.clear();
    }

    pub fn begin(&mut self, block: BlockId) {
        self.func.current = block;
    }

    /// Goes on in `block`.
    pub fn goto(&mut self, block: BlockId, span: Span) {
        self.finish(Term::Goto(block), span);
        self.begin(block);
    }

    pub fn branch(&mut self, cond: ExprId, yes: BlockId, no: BlockId, span: Span) {
        let term = match self.program.exprs.as_int(cond) {
            Some(0) => Term::Goto(no),
            Some(_) => Term::Goto(yes),
            None if yes == no => Term::Goto(yes),
            None => Term::Branch { cond, yes, no },
        };
        self.finish(term, span);
    }

    pub fn emit(&mut self, op: Op, span: Span) {
        // A check is as good as its last evaluation: what it asks may change.
        match &op {
            Op::Check { .. } | Op::Assume { .. } | Op::Print { .. } => {}
            Op::Set { dst, .. } | Op::Nondet { dst, .. } | Op::Load { dst, .. } => {
                let is_temp = self.program.vars[*dst].kind == VarKind::Temp;
                if !is_temp {
                    self.checked.clear();
                }
            }
            _ => self.checked.clear(),
        }
        let given = self.bits_written(&op);
        self.func.insts.push(Inst { op, span });
        self.func.insts.extend(given.into_iter().map(|op| Inst { op, span }));
    }

    /// Stores a unit of bit-fields of which one gets a value.
    pub fn emit_bits(&mut self, ptr: ExprId, value: ExprId, known: Option<VarId>, span: Span) {
        self.checked.clear();
        self.func.insts.push(Inst { op: Op::Store { ptr, value }, span });
        if let Some(dst) = known {
            let value = self.program.exprs.bool(true);
            self.emit(Op::Set { dst, value }, span);
        }
    }

    /// Those of the current block.
    pub fn insts_mut(&mut self) -> &mut Vec<Inst> {
        &mut self.func.insts
    }

    pub fn n_insts(&self) -> usize {
        self.func.insts.len()
    }

    /// Takes back the instructions from `mark` on.
    pub fn take_insts(&mut self, mark: usize) -> Vec<Inst> {
        self.func.insts.split_off(mark)
    }

    /// Lowers something only to learn about it, as `sizeof` does.
    pub fn unevaluated<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let current = self.func.current;
        let insts = std::mem::take(&mut self.func.insts);
        let n_blocks = self.func.blocks.len();
        let n_diagnostics = self.diagnostics.len();
        let checked = std::mem::take(&mut self.checked);
        self.func.current = self.new_block();
        self.n_unevaluated += 1;
        let result = lower(self);
        self.n_unevaluated -= 1;
        self.func.blocks.truncate(n_blocks);
        self.func.current = current;
        self.func.insts = insts;
        self.checked = checked;
        self.diagnostics.truncate(n_diagnostics);
        result
    }

    /// While another function is built: what is inside is evaluated there.
    pub fn suspend_unevaluated(&mut self) -> u32 {
        self.checked.clear();
        std::mem::take(&mut self.n_unevaluated)
    }

    pub fn resume_unevaluated(&mut self, n: u32) {
        self.checked.clear();
        self.n_unevaluated = n;
    }

    pub fn is_unevaluated(&self) -> bool {
        self.n_unevaluated > 0
    }

    // ---- registers and objects ----

    pub fn temp(&mut self, ty: Ty, is_signed: bool) -> VarId {
        self.func.n_temps += 1;
        let name = format!("t{}", self.func.n_temps).into();
        self.new_var(name, ty, is_signed, VarKind::Temp, None)
    }

    pub fn new_var(
        &mut self,
        name: Name,
        ty: Ty,
        is_signed: bool,
        kind: VarKind,
        span: Option<Span>,
    ) -> VarId {
        let owner = (kind != VarKind::Global).then_some(self.func.id);
        self.program.vars.push(VarInfo { name, ty, is_signed, kind, owner, init: None, span })
    }

    pub fn new_object(
        &mut self,
        name: Name,
        kind: ObjKind,
        size: Option<u64>,
        shape: Shape,
        span: Option<Span>,
    ) -> ObjId {
        let init = Vec::new();
        let align = match kind {
            // What `malloc` gives is fit for any type.
            ObjKind::Heap(_) => u64::from(self.program.ptr_bits / 4),
            ObjKind::Global | ObjKind::Local(_) | ObjKind::Thread => 1,
        };
        let is_const = false;
        let info = ObjInfo { name, kind, size, init, is_const, shape, align, copy_of: None, span };
        self.program.objects.push(info)
    }

    pub fn var_expr(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].ty;
        self.program.exprs.var(var, ty)
    }

    /// A fresh register that holds the value.
    pub fn spill(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.program.exprs.ty(value);
        let dst = self.temp(ty, false);
        self.emit(Op::Set { dst, value }, span);
        self.var_expr(dst)
    }

    /// The value as it is now, whatever is assigned later.
    pub fn snapshot(&mut self, value: ExprId, span: Span) -> ExprId {
        let mut changes = false;
        let vars = &self.program.vars;
        self.program.exprs.for_each_var(value, &mut |var| {
            changes |= vars[var].kind != VarKind::Temp;
        });
        if changes { self.spill(value, span) } else { value }
    }

    pub fn nondet(&mut self, ty: Ty, is_signed: bool, source: Source, span: Span) -> ExprId {
        let dst = self.temp(ty, is_signed);
        self.emit(Op::Nondet { dst, source }, span);
        self.var_expr(dst)
    }

    /// Builds a node; a deep operand is put into a register first.
    pub fn node(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = self.program.exprs.fold(expr);
        let depth = self.depth(id);
        if depth > MAX_EXPR_DEPTH { self.spill(id, span) } else { id }
    }

    fn depth(&mut self, id: ExprId) -> u32 {
        if let Some(&depth) = self.depths.get(&id) {
            return depth;
        }
        // Operands were built by `node` before, so this recursion is a step or two deep.
        let operands: Vec<ExprId> = self.program.exprs.get(id).operands().collect();
        let depth = operands.into_iter().map(|it| self.depth(it) + 1).max().unwrap_or(0);
        self.depths.insert(id, depth);
        depth
    }

    // ---- checks ----

    pub fn checks(&self, class: Class) -> bool {
        self.options.classes.contains(&class)
    }

    pub fn check(&mut self, class: Class, cond: Cond, message: impl Into<String>, span: Span) {
        let is_ours = matches!(class, Class::Overflow | Class::Shift | Class::Div);
        if !(self.in_library && is_ours) {
            self.check_said(class, cond, message, span);
        }
    }

    /// The same, also where the library's own arithmetic is trusted.
    pub fn check_said(&mut self, class: Class, cond: Cond, message: impl Into<String>, span: Span) {
        if !self.checks(class) {
            return;
        }
        if let Cond::Holds(e) = cond
            && self.program.exprs.as_int(e) == Some(1)
        {
            return;
        }
        // The same question in the same block with nothing assigned between.
        if self.checked.get(&(class, cond)) == Some(&self.func.current) {
            return;
        }
        self.checked.insert((class, cond), self.func.current);
        let check: CheckId =
            self.program.checks.push(Check { class, message: message.into().into(), span });
        self.emit(Op::Check { check, cond }, span);
    }
}
