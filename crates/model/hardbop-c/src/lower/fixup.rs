//! Calls whose arguments do not fit the definition, as old declarations without prototypes allow.
//!
//! Numbers of another width are converted as the machine does; what C gives no meaning becomes
//! unsupported.

use hardbop_cir::{Callee, Op, Program, Source, Stop, Term, Ty};

pub(super) fn fix_calls(program: &mut Program) {
    for func in program.funcs.ids() {
        for block in program.funcs[func].blocks.ids() {
            fix_block(program, func, block);
        }
        hardbop_cir::pass::unreachable::drop_unreachable(&mut program.funcs[func]);
    }
}

fn fix_block(program: &mut Program, func: hardbop_cir::FuncId, block: hardbop_cir::BlockId) {
    let mut insts = std::mem::take(&mut program.funcs[func].blocks[block].insts);
    let mut at = 0;
    while at < insts.len() {
        let span = insts[at].span;
        if let Op::Call { dst, callee: Callee::Func(callee), args } = &mut insts[at].op {
            let params: Vec<Ty> =
                program.funcs[*callee].params.iter().map(|&it| program.vars[it].ty).collect();
            // More arguments than parameters are ignored, as the machine does.
            if args.len() > params.len() {
                args.truncate(params.len());
            }
            let mut fits = args.len() == params.len();
            for (arg, ty) in args.iter_mut().zip(params) {
                *arg = match (program.exprs.ty(*arg), ty) {
                    (Ty::Int(_), Ty::Int(width)) => program.exprs.resize(*arg, width, true),
                    _ => *arg,
                };
                fits &= program.exprs.ty(*arg) == ty;
            }
            if !fits {
                let name = &program.funcs[*callee].name;
                let what = format!("a call of `{name}` with other arguments than it takes");
                let it = &mut program.funcs[func].blocks[block];
                (it.term, it.span) = (Term::Stop(Stop::Unsupported(what.into())), span);
                insts.truncate(at);
                break;
            }
            let result = program.funcs[*callee].result;
            if let Some(wanted) = *dst
                && Some(program.vars[wanted].ty) != result
            {
                let op = match (result, program.vars[wanted].ty) {
                    // A declaration that says less than the definition has: the machine cuts the rest.
                    (Some(Ty::Int(has)), Ty::Int(width)) if has > width => {
                        let mut info = program.vars[wanted].clone();
                        info.ty = Ty::Int(has);
                        let whole = program.vars.push(info);
                        *dst = Some(whole);
                        let value = program.exprs.var(whole, Ty::Int(has));
                        Op::Set { dst: wanted, value: program.exprs.resize(value, width, false) }
                    }
                    // The value must not be used; it is arbitrary if it is.
                    _ => {
                        *dst = None;
                        Op::Nondet { dst: wanted, source: Source::Uninit }
                    }
                };
                insts.insert(at + 1, hardbop_cir::Inst { op, span });
            }
        }
        at += 1;
    }
    program.funcs[func].blocks[block].insts = insts;
}
