//! What `scanf` reads of a stream at once: a number, or the first byte that is no blank.
//!
//! A program cannot tell how many blanks stood before a number, nor whether it had a sign or zeros in front: one
//! arbitrary value stands for all such texts. [`Numeral::write`] is the text of a value, for a real run;
//! [`Scan::read`] is the value of a text, where there is one.

use crate::eval::mask;
use crate::program::Stream;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scan {
    /// What stands behind blanks: see [`Ahead`].
    Ahead(Numeral),
    /// The next byte behind blanks, or the end: [`Stream::byte`] says which.
    Solid,
    /// The number that stands behind blanks.
    Number(Numeral),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numeral {
    Signed(u8),
    Unsigned(u8),
    /// Of 32 or 64 bits.
    Real(u8),
}

/// What a value of [`Scan::Ahead`] stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ahead {
    End,
    Number,
    Other,
}

impl Ahead {
    pub const BITS: u8 = 2;

    pub fn of(value: u128) -> Ahead {
        match value {
            0 => Ahead::End,
            1 => Ahead::Number,
            _ => Ahead::Other,
        }
    }
}

impl Scan {
    /// The value that a text has from a place on, which moves behind it.
    pub fn read(self, text: &[u8], at: &mut usize) -> u128 {
        let rest = text.get(*at..).unwrap_or_default();
        *at += rest.iter().take_while(|it| is_blank(**it)).count();
        let rest = text.get(*at..).unwrap_or_default();
        match self {
            Scan::Solid => {
                *at += 1;
                rest.first().map_or(0, |&byte| u128::from(byte) + 1)
            }
            Scan::Number(numeral) => {
                let (length, value) = numeral.read(rest).unwrap_or_default();
                *at += length;
                value
            }
            Scan::Ahead(_) if rest.is_empty() => Ahead::End as u128,
            Scan::Ahead(numeral) if numeral.read(rest).is_some() => Ahead::Number as u128,
            Scan::Ahead(_) => {
                // A sign that no number follows is taken, as `scanf` does it.
                *at += usize::from(matches!(rest[0], b'+' | b'-'));
                Ahead::Other as u128
            }
        }
    }
}

impl Numeral {
    /// The text of a value, which is read as that value.
    pub fn write(self, value: u128) -> String {
        match self {
            Numeral::Signed(bits) => {
                let unused = 128 - u32::from(bits);
                (((value << unused) as i128) >> unused).to_string()
            }
            Numeral::Unsigned(bits) => (value & mask(bits)).to_string(),
            Numeral::Real(32) => format!("{:?}", f32::from_bits(value as u32)),
            Numeral::Real(_) => format!("{:?}", f64::from_bits(value as u64)),
        }
    }

    /// How long the number at the start of a text is, and its value.
    fn read(self, text: &[u8]) -> Option<(usize, u128)> {
        let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
        let n_digits =
            |from: usize| text[from..].iter().take_while(|it| it.is_ascii_digit()).count();
        let whole = n_digits(sign);
        let (bits, is_signed) = match self {
            Numeral::Signed(bits) => (bits, true),
            Numeral::Unsigned(bits) => (bits, false),
            Numeral::Real(bits) => return read_real(text, bits),
        };
        if whole == 0 {
            return None;
        }
        // As `strtol` has it: what does not fit a long number becomes the nearest that does.
        let digits = text[sign..sign + whole].iter();
        let magnitude = digits.fold(0u128, |it, digit| {
            it.saturating_mul(10).saturating_add(u128::from(digit - b'0'))
        });
        let is_negative = text[0] == b'-';
        let most =
            if is_signed { (1 << 63) - u128::from(!is_negative) } else { u128::from(u64::MAX) };
        let is_wrapped = is_negative && (is_signed || magnitude <= most);
        let magnitude = magnitude.min(most);
        let value = if is_wrapped { magnitude.wrapping_neg() } else { magnitude };
        Some((sign + whole, value & mask(bits)))
    }
}

fn read_real(text: &[u8], bits: u8) -> Option<(usize, u128)> {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let is_word = |word: &str| {
        let end = sign + word.len();
        text.get(sign..end).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
    };
    let length = match ["infinity", "inf", "nan"].into_iter().find(|it| is_word(it)) {
        Some(word) => sign + word.len(),
        None => {
            let n_digits =
                |from: usize| text[from..].iter().take_while(|it| it.is_ascii_digit()).count();
            let mut end = sign + n_digits(sign);
            let mut n = end - sign;
            if text.get(end) == Some(&b'.') {
                let behind = n_digits(end + 1);
                (end, n) = (end + 1 + behind, n + behind);
            }
            if n == 0 {
                return None;
            }
            if matches!(text.get(end), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
                match n_digits((end + 1 + sign).min(text.len())) {
                    0 => return None,
                    digits => end += 1 + sign + digits,
                }
            }
            end
        }
    };
    let text = std::str::from_utf8(&text[..length]).ok()?;
    let value = match bits {
        32 => u128::from(text.parse::<f32>().ok()?.to_bits()),
        _ => u128::from(text.parse::<f64>().ok()?.to_bits()),
    };
    Some((length, value))
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

/// The text of a stream, put together from what was read of it.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Written {
    pub text: Vec<u8>,
    /// The last thing was a number, which goes on if a digit follows.
    is_in_number: bool,
}

impl Written {
    pub fn byte(&mut self, value: u128) {
        self.text.extend(Stream::byte(value));
        self.is_in_number = false;
    }

    pub fn scanned(&mut self, scan: Scan, value: u128) {
        if matches!(scan, Scan::Ahead(_)) {
            return;
        }
        if self.is_in_number {
            self.text.push(b' ');
        }
        match scan {
            Scan::Number(numeral) => self.text.extend(numeral.write(value).into_bytes()),
            _ => self.text.extend(Stream::byte(value)),
        }
        self.is_in_number = matches!(scan, Scan::Number(_));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let all = [
            (Numeral::Signed(32), 0xffff_fffe),
            (Numeral::Signed(64), 1 << 63),
            (Numeral::Unsigned(64), u128::from(u64::MAX)),
            (Numeral::Unsigned(8), 255),
            (Numeral::Real(64), u128::from(0.1f64.to_bits())),
            (Numeral::Real(64), u128::from(f64::NEG_INFINITY.to_bits())),
            (Numeral::Real(32), u128::from(1e30f32.to_bits())),
        ];
        for (numeral, value) in all {
            let text = format!("\n {} x", numeral.write(value)).into_bytes();
            let mut at = 0;
            assert_eq!(Scan::Ahead(numeral).read(&text, &mut at), Ahead::Number as u128);
            assert_eq!(Scan::Number(numeral).read(&text, &mut at), value, "{numeral:?}");
            assert_eq!(Scan::Solid.read(&text, &mut at), 1 + u128::from(b'x'));
            assert_eq!(Scan::Ahead(numeral).read(&text, &mut at), Ahead::End as u128);
        }
    }

    #[test]
    fn numbers_that_are_none_or_too_large() {
        let ahead = |text: &str| {
            let mut at = 0;
            (Ahead::of(Scan::Ahead(Numeral::Signed(32)).read(text.as_bytes(), &mut at)), at)
        };
        assert_eq!(ahead(" -x"), (Ahead::Other, 2));
        assert_eq!(ahead("+7"), (Ahead::Number, 0));
        assert_eq!(ahead("  "), (Ahead::End, 2));
        let value = |numeral: Numeral, text: &str| numeral.read(text.as_bytes()).map(|it| it.1);
        assert_eq!(value(Numeral::Signed(64), "99999999999999999999"), Some((1 << 63) - 1));
        assert_eq!(value(Numeral::Signed(64), "-99999999999999999999"), Some(1 << 63));
        assert_eq!(value(Numeral::Signed(32), "4294967297"), Some(1));
        assert_eq!(value(Numeral::Unsigned(32), "-1"), Some(0xffff_ffff));
        assert_eq!(value(Numeral::Real(64), "1.e"), None);
        assert_eq!(value(Numeral::Real(64), "."), None);
        assert_eq!(value(Numeral::Real(64), "1.5e1!"), Some(u128::from(15f64.to_bits())));
    }

    #[test]
    fn two_numbers_are_kept_apart() {
        let mut it = Written::default();
        let number = Scan::Number(Numeral::Signed(32));
        it.scanned(number, 12);
        it.scanned(Scan::Ahead(Numeral::Signed(32)), 1);
        it.scanned(number, 3);
        it.byte(1 + u128::from(b','));
        it.scanned(Scan::Solid, 1 + u128::from(b'x'));
        it.scanned(Scan::Solid, 0);
        assert_eq!(it.text, b"12 3,x");
    }
}
