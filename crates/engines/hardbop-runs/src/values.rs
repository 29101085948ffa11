//! Values for inputs. Most that matter are small, at the ends of their type, or close to a number
//! the program itself writes down; so each register has a habit for the length of a run, and the
//! habits differ from run to run.

use std::collections::BTreeSet;

use hardbop_base::rng::Rng;
use hardbop_cir::eval::{mask, signed};
use hardbop_cir::{Expr, FloatTy, Program, Term, Ty};

/// Constants beyond this many are left out, those of the largest magnitude first.
const MAX_CONSTANTS: usize = 400;

/// How a register gets its values in one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Habit {
    Always(i128),
    /// The end of the type above, for signed numbers.
    Largest,
    /// The one below.
    Smallest,
    /// 0 once in so many times, else 1: how long loops go on that ask whether they should.
    Coin(u32),
    /// From 0 to this.
    Small(u32),
    /// A number of the program, or one beside it.
    Constant,
    /// The ends of the type and what is next to 0.
    Extreme,
    /// Any bits.
    Uniform,
    /// Each time another of these.
    Mixed,
}

impl Habit {
    /// The first runs: every register has the same habit, and the plainest come first.
    pub const FIRST: [Habit; 9] = [
        Habit::Always(0),
        Habit::Always(1),
        Habit::Largest,
        Habit::Smallest,
        Habit::Constant,
        Habit::Small(10),
        Habit::Extreme,
        Habit::Uniform,
        Habit::Mixed,
    ];

    pub fn random(rng: &mut Rng, constants: &Constants) -> Habit {
        match rng.below(10) {
            0 => Habit::Always(0),
            1 => Habit::Always(1),
            2 => Habit::Always(constants.pick(rng)),
            3 => Habit::Coin([2, 4, 16, 100][rng.below(4)]),
            4 => Habit::Small([1, 2, 3, 10, 50, 1000][rng.below(6)]),
            5 | 6 => Habit::Constant,
            7 => Habit::Extreme,
            8 => Habit::Uniform,
            _ => Habit::Mixed,
        }
    }

    /// The bits of a value of the type.
    pub fn draw(self, ty: Ty, rng: &mut Rng, constants: &Constants) -> u128 {
        let number = match self {
            Habit::Always(it) => it,
            Habit::Coin(n) => i128::from(rng.below(n as usize) != 0),
            Habit::Small(most) => rng.within((0, most as usize)) as i128,
            Habit::Constant => constants.pick(rng),
            Habit::Largest => largest(ty),
            Habit::Smallest => -largest(ty) - 1,
            Habit::Extreme => match rng.below(6) {
                0 => largest(ty),
                1 => -largest(ty) - 1,
                2 => -1,
                3 => largest(ty) - 1,
                4 => 1,
                _ => 0,
            },
            Habit::Uniform => {
                return (u128::from(rng.next_u64()) << 64) | u128::from(rng.next_u64());
            }
            Habit::Mixed => {
                let one = match Habit::random(rng, constants) {
                    Habit::Mixed => Habit::Small(10),
                    other => other,
                };
                return one.draw(ty, rng, constants);
            }
        };
        bits(number, ty)
    }
}

fn bits(number: i128, ty: Ty) -> u128 {
    match ty {
        Ty::Int(width) => number as u128 & mask(width),
        Ty::Float(FloatTy::F32) => u128::from((number as f32).to_bits()),
        Ty::Float(_) => u128::from((number as f64).to_bits()),
        // Any number is a pointer that leads nowhere.
        Ty::Ptr => 0,
    }
}

fn largest(ty: Ty) -> i128 {
    match ty {
        Ty::Int(width) => (mask(width) >> 1) as i128,
        Ty::Float(_) | Ty::Ptr => i128::from(i32::MAX),
    }
}

/// The numbers of a program, each with its neighbours.
#[derive(Clone, Debug)]
pub struct Constants(Vec<i128>);

impl Constants {
    pub fn of(program: &Program) -> Constants {
        let mut seen = BTreeSet::from([0]);
        let mut note = |value: u128, width: u8| {
            let value = signed(value, width);
            seen.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        };
        for block in program.funcs.iter().flat_map(|func| func.blocks.iter()) {
            let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
            for root in operands.chain(block.term.operands()) {
                program.exprs.visit(root, &mut |_, expr| match expr {
                    Expr::Int { width, value } if width > 1 => note(value, width),
                    Expr::Float { bits, .. } => note(f64::from_bits(bits) as i128 as u128, 128),
                    _ => {}
                });
            }
            if let Term::Switch { value, cases, .. } = &block.term
                && let Ty::Int(width) = program.exprs.ty(*value)
            {
                cases.iter().for_each(|&(case, _)| note(case, width));
            }
        }
        let mut sorted: Vec<i128> = seen.into_iter().collect();
        sorted.sort_by_key(|it| (it.unsigned_abs(), *it));
        sorted.truncate(MAX_CONSTANTS);
        Constants(sorted)
    }

    fn pick(&self, rng: &mut Rng) -> i128 {
        rng.pick(&self.0).copied().unwrap_or(0)
    }
}
