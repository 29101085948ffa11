//! Certificates that are forged, of random programs: bounds, claims taken from anywhere, k. Of a program that goes wrong for
//! some input none is accepted.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_certify_c::{Certificate, Rejected, certify, formula, loops_of};
use hardbop_cir::interp::all_runs::violated;
use hardbop_cir::{Class, Expr, Program, Ty};

/// Conditions of the program, as they are and negated, and what is true or false of everything.
fn claims(program: &Program) -> Vec<String> {
    let mut list = vec!["i1:1".to_string(), "i1:0".to_string()];
    let mut add = |text: String| {
        list.push(format!("(Not {text})"));
        list.push(text);
    };
    for inst in program.insts().map(|it| it.2) {
        for operand in inst.op.operands() {
            program.exprs.visit(operand, &mut |id, node| {
                if program.exprs.ty(id) == Ty::BOOL && matches!(node, Expr::Binary(..)) {
                    add(formula::print(&program.exprs, id));
                }
            });
        }
    }
    for (id, var) in program.vars.iter_enumerated() {
        if let Ty::Int(width) = var.ty {
            add(format!("(Ult {id} i{width}:{})", 4u128.min((1 << width.min(100)) - 1)));
        }
    }
    list
}

fn forge(program: &Program, classes: &[Class], claims: &[String], chance: &mut Rng) -> Certificate {
    let mut it =
        Certificate::new(program, classes, chance.below(12) as u32, chance.below(4) as u32);
    it.k = 1 + chance.below(3) as u32;
    for (func, body) in program.funcs.iter_enumerated() {
        for head in loops_of(body).into_keys() {
            if chance.chance(70) {
                let list = (0..chance.below(4)).filter_map(|_| chance.pick(claims).cloned());
                it.cuts.insert((func, head), list.collect());
            }
        }
    }
    it
}

#[test]
fn no_forged_certificate_of_a_wrong_program_is_accepted() {
    let mut chance = Rng::new(18);
    let (mut n_forged, mut n_named, mut n_accepted) = (0, 0, 0);
    for seed in 1000..1100 {
        let text = hardbop_gen::c::program(seed);
        let options = hardbop_c::Options { classes: Class::ALL.to_vec(), ..Default::default() };
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options);
        let program = loaded.expect("it is C").program;
        let classes: Vec<Class> = Class::ALL
            .into_iter()
            .filter(|it| !(it.is_of_heap() || *it == Class::Uninit))
            .collect();
        let Some(violated) = violated(&program, &classes) else { continue };
        let claims = claims(&program);
        for _ in 0..8 {
            let forged = forge(&program, &classes, &claims, &mut chance);
            let budget = Budget::unlimited().with_time(Duration::from_secs(2));
            let told = certify(&program, &forged, &budget);
            match told {
                Ok(_) if violated.is_empty() => n_accepted += 1,
                Ok(_) => panic!("seed {seed}: {violated:?}\n{}\n{text}", forged.print()),
                Err(Rejected::At(..)) => n_named += 1,
                Err(_) => {}
            }
            n_forged += usize::from(!violated.is_empty());
        }
    }
    println!("{n_forged} forged, {n_named} places named, {n_accepted} of safe programs accepted");
    assert!(n_forged > 300, "{n_forged}");
    assert!(n_named > 200, "{n_named}");
}
