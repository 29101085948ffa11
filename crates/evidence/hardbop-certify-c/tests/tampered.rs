//! Certificates that are forged, of random programs: bounds, claims taken from anywhere, also about all elements of arrays, sizes and texts,
//! k. Of a program that goes wrong for some input none is accepted.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_base::rng::Rng;
use hardbop_certify_c::{Certificate, Place, Rejected, certify, formula, loops_of};
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

/// A number, elements at it, at places around it and at constants, sizes and texts; and what may be claimed of these.
fn places(program: &Program, chance: &mut Rng) -> (Vec<Place>, Vec<String>) {
    let number = Ty::Int(program.ptr_bits);
    let first = program.vars.len();
    let (mut places, mut claims) = (vec![Place::Any(number)], Vec::new());
    let below = format!("(Ult v{first} {number}:{})", chance.below(5));
    for object in program.objects.ids() {
        let constant = chance.below(4);
        let indices = [
            format!("v{first}"),
            format!("(Add v{first} {number}:1)"),
            format!("{number}:{constant}"),
        ];
        let index = chance.pick(&indices).cloned().unwrap_or_default();
        let ty = Ty::Int(*chance.pick(&[8, 32]).unwrap_or(&32));
        let element = first + places.len();
        places.push(Place::Element { object, ty, index });
        for claim in [
            format!("(Eq v{element} {ty}:{})", chance.below(3)),
            format!("(Ule v{element} {ty}:{})", chance.below(9)),
        ] {
            claims.push(format!("(Or (Not {below}) {claim})"));
            claims.push(claim);
        }
    }
    for (var, _) in program.vars.iter_enumerated().filter(|it| it.1.ty == Ty::Ptr) {
        let at = first + places.len();
        places.push(Place::Size { ptr: var.to_string() });
        places.push(Place::Text { ptr: var.to_string() });
        claims.push(format!("(Ult (PtrDiff {var} (Start {var})) v{at})"));
        claims.push(format!("v{}", at + 1));
        claims.push(format!("(Not v{})", at + 1));
    }
    (places, claims)
}

fn forge(program: &Program, classes: &[Class], claims: &[String], chance: &mut Rng) -> Certificate {
    let mut it =
        Certificate::new(program, classes, chance.below(12) as u32, chance.below(4) as u32);
    it.k = 1 + chance.below(3) as u32;
    let mut claims = claims.to_vec();
    if chance.chance(50) {
        let (places, more) = places(program, chance);
        it.places = places;
        // As often as all others together.
        let n = claims.len();
        claims.extend(more.iter().cycle().take(if more.is_empty() { 0 } else { n }).cloned());
    }
    for (func, body) in program.funcs.iter_enumerated() {
        for head in loops_of(body).into_keys() {
            if chance.chance(70) {
                let list = (0..chance.below(4)).filter_map(|_| chance.pick(&claims).cloned());
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
