//! From the Boolean program back to C: which place a location stands for, which variable a predicate has there, and a trace
//! as moves in the C program.

use hardbop_base::Bits;
use hardbop_cfg::{Loc, ProcId, VarId};
use hardbop_cir::{ExprId, FuncId};
use hardbop_evidence::{Event, Trace};

use crate::abstraction::Literal;
use crate::boolean::{BooleanProgram, Move, Shape};
use crate::cuts::Place;
use crate::regions::Exit;

/// A call with more statements than this is not followed into.
const MOST_STATEMENTS: u64 = 100_000;

impl BooleanProgram {
    /// The locations that stand for places of the C program.
    pub fn places(&self) -> impl Iterator<Item = (&(ProcId, Loc), &Place)> {
        self.places.iter()
    }

    /// The variable of a predicate that is followed at a place.
    pub fn var(&self, place: Place, predicate: ExprId) -> VarId {
        self.names.of(place, predicate)
    }

    pub fn proc(&self, func: FuncId) -> Option<ProcId> {
        self.names.procs.get(&func).copied()
    }

    /// The variable of a predicate that callers see: a shared one or a formal.
    pub fn var_at_entry(&self, func: FuncId, predicate: ExprId) -> Option<VarId> {
        if let Some(&var) = self.names.shared.get(&predicate) {
            return Some(var);
        }
        let at = self.names.locals.get(&func)?.formals().position(|it| it == predicate)?;
        Some(VarId::from_u32((self.shared.len() + at) as u32))
    }

    /// The predicate of a shared variable or a formal.
    pub fn at_entry(&self, func: FuncId, var: VarId) -> Option<ExprId> {
        let var = var.as_u32() as usize;
        let formal = || self.names.locals.get(&func)?.formals().nth(var - self.shared.len());
        self.shared.get(var).copied().or_else(formal)
    }

    /// A trace of the Boolean program as moves in the C program; `None` if it is too long to be written out.
    pub fn lift(&self, trace: &Trace, shape: &Shape) -> Option<Vec<Move>> {
        let trace = trace.clone().unfold(MOST_STATEMENTS);
        let mut now: Bits = trace.initial.shared.clone();
        if let Some(locals) = trace.initial.locals.first() {
            now.union_with(locals);
        }
        let mut moves = Vec::new();
        for step in &trace.steps {
            match step.event {
                Event::Return => moves.push(Move::Return),
                Event::Violate(_) => {}
                Event::Over(..) => return None,
                Event::Take(edge) => {
                    let it = self.program.edge(edge);
                    match self.arrows.get(&(edge.proc, it.from, it.to)) {
                        None => moves.push(Move::Call),
                        Some(&arrow) => {
                            let before = self.values(arrow.0, &now, shape);
                            let after = match arrow.1 {
                                Exit::Error => Vec::new(),
                                Exit::To(end) => {
                                    self.values(arrow.0.of_end(end), &step.after, shape)
                                }
                            };
                            moves.push(Move::Along { arrow, before, after });
                        }
                    }
                }
            }
            now = step.after.clone();
        }
        Some(moves)
    }

    fn values(&self, place: Place, values: &Bits, shape: &Shape) -> Vec<Literal> {
        let all = shape.tracked.get(&place).into_iter().flatten();
        all.map(|&it| (it, values.contains(self.names.of(place, it).as_u32() as usize))).collect()
    }
}
