//! Functions of `<math.h>` of which our library knows the range alone. In a run their value is that of this machine, so
//! that no run rests on a value that no machine computes: a violation that needs another one is not shown.

use super::{Frame, Machine};
use crate::interp::layout::Place;
use crate::interp::value::Value;
use crate::program::Source;
use crate::ty::{FloatTy, Ty};

/// What the library calls the source of such a value.
const MATH: &str = "<math.h>";

impl Machine<'_> {
    /// The bits of the value, where the function that asks is known by its call.
    pub(super) fn real(&self, source: &Source, ty: Ty) -> Option<u128> {
        let is_real = matches!(source, Source::System(it) if it.as_ref() == MATH);
        if !is_real || ty != Ty::Float(FloatTy::F64) {
            return None;
        }
        let name_of = |frame: &Frame| &self.program.funcs[frame.func].name;
        let asks = |frame: &&Frame| !name_of(frame).starts_with("__hardbop_");
        let frame = self.frames.iter().rev().find(asks)?;
        let params = self.program.funcs[frame.func].params.iter();
        let args = params.map(|&it| match self.layout.place(it) {
            Place::Local(slot) => match frame.vars[slot as usize] {
                Value::Float(value) => Some(value),
                _ => None,
            },
            Place::Global(_) => None,
        });
        let args: Vec<f64> = args.collect::<Option<_>>()?;
        value(name_of(frame), &args).map(|it| u128::from(it.to_bits()))
    }
}

/// Of functions that are odd the library adds the sign itself.
fn value(name: &str, args: &[f64]) -> Option<f64> {
    Some(match (name, args) {
        ("sin", [x]) => x.sin(),
        ("cos", [x]) => x.cos(),
        ("tan", [x]) => x.tan(),
        ("asin", [x]) => x.asin(),
        ("acos", [x]) => x.acos(),
        ("atan", [x]) => x.atan().abs(),
        ("atan2", [y, x]) => y.atan2(*x).abs(),
        ("sinh", [x]) => x.sinh().abs(),
        ("cosh", [x]) => x.cosh(),
        ("tanh", [x]) => x.tanh().abs(),
        ("asinh", [x]) => x.asinh().abs(),
        ("acosh", [x]) => x.acosh(),
        ("atanh", [x]) => x.atanh().abs(),
        ("exp", [x]) => x.exp(),
        ("exp2", [x]) => x.exp2(),
        ("expm1", [x]) => x.exp_m1(),
        ("log", [x]) => x.ln(),
        ("log2", [x]) => x.log2(),
        ("log10", [x]) => x.log10(),
        ("pow", [x, y]) => x.powf(*y),
        ("cbrt", [x]) => x.cbrt().abs(),
        ("hypot", [x, y]) => x.hypot(*y),
        _ => return None,
    })
}
