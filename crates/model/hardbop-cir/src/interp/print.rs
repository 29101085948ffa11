//! What `printf` writes: the conversions programs use; others are written as they stand.

use super::value::Value;
use crate::eval;
use crate::ty::Ty;

/// An argument with its type.
pub(super) struct Arg {
    pub value: Value,
    pub ty: Ty,
    /// The bytes up to the zero, if it points to a string.
    pub text: Option<Vec<u8>>,
}

pub(super) fn format(out: &mut Vec<u8>, format: &[u8], args: &[Arg]) {
    let mut args = args.iter();
    let mut at = 0;
    while at < format.len() {
        let byte = format[at];
        at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let spec = Spec::read(format, &mut at, &mut || match args.next() {
            Some(Arg { value: Value::Int(it), ty: Ty::Int(width), .. }) => {
                eval::signed(*it, *width) as i64
            }
            _ => 0,
        });
        if spec.conversion == b'%' {
            out.push(b'%');
        } else if let Some(arg) = args.next() {
            spec.write(out, arg);
        }
    }
}

#[derive(Default)]
struct Spec {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    /// Bits of the integer conversion.
    bits: u8,
    conversion: u8,
}

impl Spec {
    fn read(format: &[u8], at: &mut usize, star: &mut impl FnMut() -> i64) -> Spec {
        let mut spec = Spec { bits: 32, ..Spec::default() };
        while let Some(&flag) = format.get(*at) {
            match flag {
                b'-' => spec.left = true,
                b'0' => spec.zero = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                _ => break,
            }
            *at += 1;
        }
        let mut number = |at: &mut usize| {
            if format.get(*at) == Some(&b'*') {
                *at += 1;
                return star();
            }
            let mut n: i64 = 0;
            while let Some(digit) = format.get(*at).filter(|it| it.is_ascii_digit()) {
                n = (n * 10 + i64::from(digit - b'0')).min(100_000);
                *at += 1;
            }
            n
        };
        let width = number(at);
        spec.left |= width < 0;
        spec.width = width.unsigned_abs().min(100_000) as usize;
        if format.get(*at) == Some(&b'.') {
            *at += 1;
            spec.precision = usize::try_from(number(at)).ok();
        }
        while let Some(&length) = format.get(*at) {
            spec.bits = match length {
                b'h' if spec.bits == 16 => 8,
                b'h' => 16,
                b'l' | b'z' | b'j' | b't' | b'q' | b'L' => 64,
                _ => break,
            };
            *at += 1;
        }
        spec.conversion = format.get(*at).copied().unwrap_or(b'%');
        *at += 1;
        spec
    }

    fn write(&self, out: &mut Vec<u8>, arg: &Arg) {
        let body = match (self.conversion, arg.value) {
            (b'c', Value::Int(it)) => (Vec::new(), vec![it as u8]),
            (b's', _) => {
                let text = arg.text.clone().unwrap_or_else(|| b"(null)".to_vec());
                let cut = self.precision.unwrap_or(text.len()).min(text.len());
                (Vec::new(), text[..cut].to_vec())
            }
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', Value::Int(it)) => self.integer(it, arg.ty),
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G', Value::Float(it)) => self.float(it),
            (b'p', _) => (Vec::new(), b"(pointer)".to_vec()),
            _ => (Vec::new(), b"?".to_vec()),
        };
        let (sign, digits) = body;
        let pad = self.width.saturating_sub(sign.len() + digits.len());
        let is_integer = matches!(self.conversion, b'd' | b'i' | b'u' | b'x' | b'X' | b'o');
        let is_text = matches!(self.conversion, b's' | b'c');
        let is_exact = is_integer && self.precision.is_some();
        let zeros = self.zero && !self.left && !is_exact && !is_text;
        if !self.left && !zeros {
            out.extend(std::iter::repeat_n(b' ', pad));
        }
        out.extend_from_slice(&sign);
        if zeros {
            out.extend(std::iter::repeat_n(b'0', pad));
        }
        out.extend_from_slice(&digits);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', pad));
        }
    }

    fn sign(&self, is_negative: bool) -> Vec<u8> {
        match (is_negative, self.plus, self.space) {
            (true, ..) => b"-".to_vec(),
            (_, true, _) => b"+".to_vec(),
            (_, _, true) => b" ".to_vec(),
            _ => Vec::new(),
        }
    }

    fn integer(&self, value: u128, ty: Ty) -> (Vec<u8>, Vec<u8>) {
        let Ty::Int(have) = ty else { return (Vec::new(), Vec::new()) };
        let bits = self.bits.min(have);
        let value = value & eval::mask(bits);
        let (sign, mut digits) = match self.conversion {
            b'd' | b'i' => {
                let value = eval::signed(value, bits);
                (self.sign(value < 0), format!("{}", value.unsigned_abs()))
            }
            b'u' => (Vec::new(), format!("{value}")),
            b'o' => (Vec::new(), format!("{}{value:o}", if self.alternate { "0" } else { "" })),
            b'x' if self.alternate && value != 0 => (b"0x".to_vec(), format!("{value:x}")),
            b'X' if self.alternate && value != 0 => (b"0X".to_vec(), format!("{value:X}")),
            b'x' => (Vec::new(), format!("{value:x}")),
            _ => (Vec::new(), format!("{value:X}")),
        };
        if let Some(precision) = self.precision {
            if precision == 0 && value == 0 {
                digits.clear();
            }
            digits = format!("{}{digits}", "0".repeat(precision.saturating_sub(digits.len())));
        }
        (sign, digits.into_bytes())
    }

    fn float(&self, value: f64) -> (Vec<u8>, Vec<u8>) {
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        if !value.is_finite() {
            return (sign, if value.is_nan() { b"nan".to_vec() } else { b"inf".to_vec() });
        }
        let precision = self.precision.unwrap_or(6);
        let mut text = match self.conversion {
            b'f' | b'F' => format!("{magnitude:.precision$}"),
            b'e' | b'E' => exponent_form(magnitude, precision),
            _ => general_form(magnitude, precision.max(1), self.alternate),
        };
        if self.conversion.is_ascii_uppercase() {
            text.make_ascii_uppercase();
        }
        (sign, text.into_bytes())
    }
}

/// C writes at least two digits and the sign of the exponent.
fn exponent_form(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general_form(value: f64, precision: usize, keep_zeros: bool) -> String {
    let rounded = exponent_form(value, precision - 1);
    let exponent: i32 = rounded.split_once('e').map_or(0, |(_, it)| it.parse().unwrap_or(0));
    let trim = |text: &str| match text.contains('.') && !keep_zeros {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "+00"));
        return format!("{}e{exponent}", trim(digits));
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{value:.decimals$}"))
}
