//! Calls of functions without a body become what such a function may do, in plain instructions.
//!
//! Outside of the program is code we do not have. It knows the variables with external linkage and
//! what it was handed: pointers that were arguments, whatever these lead to, functions whose address
//! it got. From then on, at each call of a function without a body, it may change what it knows, call
//! back, and return or store pointers to it. The pass gives the outside a memory of its own, one global register
//! for each pointer handed over (a *handle*), and one function `(outside)` in which it acts: each act
//! happens or not, by a choice that is an arbitrary value like any other.
//!
//! Invariants: what is done is something the outside can do, so a violation shown is a real one; what
//! it can do beyond that ends as [`Stop::Unsupported`], so a program is safe only if that is never
//! reached. Which object a pointer leads to is decided when the program runs: the points-to analysis
//! only says where to look.
//!
//! What is assumed of each function is [`crate::Assumption::NoBody`].

mod acts;
mod handles;
mod result;

use std::collections::BTreeMap;

use hardbop_base::{Name, Span};
use rustc_hash::FxHashSet;

use crate::analysis::PointsTo;
use crate::expr::{Expr, ExprId};
use crate::program::{
    Block, BlockId, Callee, Func, FuncId, Inst, ObjId, ObjKind, Op, Program, Shape, Source, Stop,
    Term, VarId, VarInfo, VarKind,
};
use crate::ty::Ty;

pub use acts::OUTSIDE;
use handles::Handles;

/// What the front end knows of the code that is not there.
#[derive(Clone, Default, Debug)]
pub struct Outside {
    /// The functions without a body, each with a body that is to be replaced.
    pub funcs: BTreeMap<FuncId, Unknown>,
    /// Global registers with external linkage that are not constant.
    pub vars: Vec<VarId>,
    /// Global objects with external linkage.
    pub objects: Vec<ObjId>,
}

/// A function without a body.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// What its result points to, where that is an object of a type.
    pub pointee: Option<Pointee>,
    /// By parameter: it is a pointer to constants, which are not changed through it.
    pub keeps: Vec<bool>,
    /// Its result is at most this.
    pub most: Option<u128>,
    /// By an annotation, its result is at least this and at most that, as signed numbers.
    pub range: Option<(i128, i128)>,
    /// By an annotation, its result is not null.
    pub is_nonnull: bool,
    /// By an annotation, its result points to an object of its type that is alive.
    pub is_object: bool,
    /// By an annotation, null is one of its results: who does not ask is to blame.
    pub may_be_null: bool,
    /// By an annotation, no other pointer leads to what its result points to.
    pub is_fresh: bool,
    /// By an annotation, the parameters whose product is the size of what its result points to.
    pub size_of_result: Vec<usize>,
    /// By an annotation, it changes nothing.
    pub is_pure: bool,
    /// By an annotation, it does not return.
    pub is_noreturn: bool,
}

impl Outside {
    /// The same, if every function that promises nothing returned an object; `None` if none would do
    /// otherwise.
    pub fn trusted(&self, program: &Program) -> Option<Outside> {
        let mut trusted = self.clone();
        for (&func, it) in &mut trusted.funcs {
            if program.funcs[func].result == Some(Ty::Ptr) {
                it.is_nonnull |= !it.may_be_null;
                it.is_object |= it.pointee.is_some();
            }
        }
        (trusted.funcs != self.funcs).then_some(trusted)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointee {
    pub shape: Shape,
    pub size: u64,
}

/// Replaces all calls of functions without a body. What it returns are the objects made for their
/// results whose length nothing says.
pub fn close(program: &mut Program, outside: &Outside) -> Made {
    if outside.funcs.is_empty() {
        return Made::new();
    }
    let without = PointsTo::of(program);
    let mut first = program.clone();
    let made = Closing::new(&mut first, outside, &without, FxHashSet::default()).run();
    // What the outside returns and stores makes more pointers lead to more places. Memory of the
    // outside that the program frees was allocated in a way we know nothing of.
    let with = PointsTo::of(&first);
    let freed = result::freed(&first, &with, &made);
    let mut made = Closing::new(program, outside, &with, freed).run();
    made.retain(|&object, _| matches!(program.objects[object].kind, ObjKind::Global));
    made
}

/// The function without a body each object of the outside was made for.
pub type Made = BTreeMap<ObjId, FuncId>;

struct Closing<'a> {
    program: &'a mut Program,
    outside: &'a Outside,
    points_to: &'a PointsTo,
    /// Functions whose result is freed.
    freed: FxHashSet<FuncId>,
    handles: Handles,
    /// The function in which the outside acts, if there is anything to act on.
    world: Option<FuncId>,
    made: Made,
    /// Memory that the outside allocates anew at each call.
    allocated: Made,
    /// All of that which the program never frees, so that it counts as kept.
    kept: Option<VarId>,
    /// Memory of the outside, by the call that may return it.
    own: BTreeMap<(FuncId, BlockId, usize), ObjId>,
    /// The instance of an object made last.
    instances: BTreeMap<ObjId, VarId>,
}

impl<'a> Closing<'a> {
    fn new(
        program: &'a mut Program,
        outside: &'a Outside,
        points_to: &'a PointsTo,
        freed: FxHashSet<FuncId>,
    ) -> Self {
        Closing {
            program,
            outside,
            points_to,
            freed,
            handles: Handles::default(),
            world: None,
            made: Made::new(),
            allocated: Made::new(),
            kept: None,
            own: BTreeMap::new(),
            instances: BTreeMap::new(),
        }
    }

    fn run(mut self) -> Made {
        let sites = self.sites();
        for site in &sites {
            self.make_own_object(site);
            if !self.outside.funcs[&site.callee].is_pure {
                self.find_handles(site);
            }
        }
        if self.has_something_to_act_on() {
            let span = sites.first().map_or(Span::default(), |it| it.span);
            self.world = Some(self.program.funcs.push(Func {
                name: OUTSIDE.into(),
                params: Vec::new(),
                result: None,
                blocks: vec![Block { insts: Vec::new(), term: Term::Return(None), span }].into(),
                span: None,
            }));
        }
        // From the last on, so that the places of those before stay right.
        for site in sites.iter().rev() {
            self.replace(site);
        }
        if let Some(world) = self.world {
            let body = acts::body(&mut self, world);
            self.program.funcs[world].blocks = body;
            self.note_instances();
        }
        self.made.append(&mut self.allocated);
        self.made
    }

    fn has_something_to_act_on(&self) -> bool {
        let Outside { funcs, vars, objects } = self.outside;
        let has_own = funcs.values().any(|it| it.pointee.is_some());
        let Handles { by_key, callbacks, .. } = &self.handles;
        has_own
            || !(vars.is_empty() && objects.is_empty() && by_key.is_empty() && callbacks.is_empty())
    }

    /// Every call of a function without a body, and the body of each: a call through a pointer.
    fn sites(&mut self) -> Vec<Site> {
        let mut sites = Vec::new();
        for &stub in self.outside.funcs.keys() {
            let args = self.program.funcs[stub].params.clone();
            let args: Vec<ExprId> = args.into_iter().map(|it| self.var(it)).collect();
            let span = self.program.funcs[stub].span.unwrap_or_default();
            let dst = self.program.funcs[stub].result.map(|ty| self.register(stub, "result", ty));
            let term = Term::Return(dst.map(|dst| self.var(dst)));
            let call = Op::Call { dst, callee: Callee::Func(stub), args };
            let insts = vec![Inst { op: call, span }];
            self.program.funcs[stub].blocks = vec![Block { insts, term, span }].into();
        }
        for (func, it) in self.program.funcs.iter_enumerated() {
            for (block, it) in it.blocks.iter_enumerated() {
                for (at, inst) in it.insts.iter().enumerate() {
                    if let Op::Call { dst, callee: Callee::Func(callee), args } = &inst.op
                        && self.outside.funcs.contains_key(callee)
                    {
                        let (dst, args) = (*dst, args.clone());
                        sites.push(Site {
                            func,
                            block,
                            at,
                            callee: *callee,
                            dst,
                            args,
                            span: inst.span,
                        });
                    }
                }
            }
        }
        sites
    }

    /// Puts the act of the outside in the place of a call.
    fn replace(&mut self, site: &Site) {
        let is_pure = self.outside.funcs[&site.callee].is_pure;
        let mut ops = if is_pure { Vec::new() } else { self.hand_over(site) };
        if let Some(world) = self.world.filter(|_| !is_pure) {
            ops.push(Op::Call { dst: None, callee: Callee::Func(world), args: Vec::new() });
        }
        self.result(site, &mut ops);
        let insts = ops.into_iter().map(|op| Inst { op, span: site.span });
        let block = &mut self.program.funcs[site.func].blocks[site.block];
        if self.outside.funcs[&site.callee].is_noreturn {
            block.insts.truncate(site.at + 1);
            block.term = Term::Stop(Stop::Abort);
        }
        block.insts.splice(site.at..=site.at, insts);
    }

    /// Remembers instances where they are made.
    fn note_instances(&mut self) {
        if self.instances.is_empty() {
            return;
        }
        for func in self.program.funcs.ids() {
            for block in self.program.funcs[func].blocks.ids() {
                let insts = std::mem::take(&mut self.program.funcs[func].blocks[block].insts);
                let mut noted = Vec::with_capacity(insts.len());
                for inst in insts {
                    let span = inst.span;
                    let made = match inst.op {
                        Op::Enter { object, .. } => Some((object, Expr::Addr(object))),
                        Op::Alloc { object, dst, .. } => Some((object, Expr::Var(dst))),
                        _ => None,
                    };
                    noted.push(inst);
                    let Some((object, value)) = made else { continue };
                    let Some(&dst) = self.instances.get(&object) else { continue };
                    let value = match value {
                        Expr::Var(var) => self.var(var),
                        other => self.program.exprs.add(other),
                    };
                    noted.push(Inst { op: Op::Set { dst, value }, span });
                }
                self.program.funcs[func].blocks[block].insts = noted;
            }
        }
    }

    fn instance(&mut self, object: ObjId) -> ExprId {
        if self.program.objects[object].kind == ObjKind::Global {
            return self.program.exprs.add(Expr::Addr(object));
        }
        let register = match self.instances.get(&object) {
            Some(&register) => register,
            None => {
                let name = format!("(outside).{object}").into();
                let register = self.ghost(name, Ty::Ptr);
                self.instances.insert(object, register);
                register
            }
        };
        self.var(register)
    }

    // ---- registers and expressions ----

    fn var(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].ty;
        self.program.exprs.var(var, ty)
    }

    fn register(&mut self, func: FuncId, name: &str, ty: Ty) -> VarId {
        self.new_var(name.into(), ty, VarKind::Temp, Some(func))
    }

    fn global(&mut self, name: Name, ty: Ty) -> VarId {
        self.new_var(name, ty, VarKind::Global, None)
    }

    /// A global register that keeps nothing alive.
    fn ghost(&mut self, name: Name, ty: Ty) -> VarId {
        self.new_var(name, ty, VarKind::Ghost, None)
    }

    fn new_var(&mut self, name: Name, ty: Ty, kind: VarKind, owner: Option<FuncId>) -> VarId {
        self.program.vars.push(VarInfo {
            name,
            ty,
            is_signed: false,
            kind,
            owner,
            init: None,
            span: None,
        })
    }

    /// A choice of the outside.
    fn any(&mut self, func: FuncId, ty: Ty, ops: &mut Vec<Op>) -> ExprId {
        let dst = self.register(func, "any", ty);
        ops.push(Op::Nondet { dst, source: Source::External(OUTSIDE.into()) });
        self.var(dst)
    }

    fn is_const(&self, object: ObjId) -> bool {
        self.program.objects[object].is_const
    }

    fn null(&mut self) -> ExprId {
        self.program.exprs.add(Expr::Null)
    }
}

/// A call of a function without a body.
#[derive(Clone, Debug)]
struct Site {
    func: FuncId,
    block: BlockId,
    at: usize,
    callee: FuncId,
    dst: Option<VarId>,
    args: Vec<ExprId>,
    span: Span,
}
