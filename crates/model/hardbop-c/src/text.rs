//! Bytes of source files as text. Source files are in any encoding, strings keep their bytes: a byte
//! that is no UTF-8 is carried through as one character of the last private plane of Unicode.

/// The character that stands for byte 0; the others follow it.
const FIRST: u32 = 0x10_ff00;

/// A file's bytes as text, without a byte order mark. [`byte_of`] finds the odd bytes again.
pub fn decode(bytes: Vec<u8>) -> String {
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => rest.to_vec(),
        None => bytes,
    };
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains(is_carrier) => text,
        Ok(text) => carried(text.as_bytes()),
        Err(error) => carried(error.as_bytes()),
    }
}

fn carried(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let carry = |text: &mut String, bytes: &[u8]| {
        text.extend(bytes.iter().filter_map(|&it| char::from_u32(FIRST + u32::from(it))));
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            // Such a character in the text itself is four odd bytes, so that none is mistaken.
            match is_carrier(c) {
                true => carry(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                false => text.push(c),
            }
        }
        carry(&mut text, chunk.invalid());
    }
    text
}

fn is_carrier(c: char) -> bool {
    byte_of(c).is_some()
}

/// The byte that is no UTF-8 and that a character of a decoded text stands for.
pub fn byte_of(c: char) -> Option<u8> {
    (c as u32).checked_sub(FIRST).and_then(|it| u8::try_from(it).ok())
}

/// The bytes a character of a decoded text had in the file.
pub fn bytes_of(c: char, into: &mut impl FnMut(u8)) {
    match byte_of(c) {
        Some(byte) => into(byte),
        None => c.encode_utf8(&mut [0; 4]).bytes().for_each(into),
    }
}

/// For people: odd bytes are shown as the replacement character.
pub fn shown(c: char) -> char {
    if is_carrier(c) { char::REPLACEMENT_CHARACTER } else { c }
}

#[cfg(test)]
mod tests {
    use super::{bytes_of, decode};

    fn back(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        text.chars().for_each(|c| bytes_of(c, &mut |byte| bytes.push(byte)));
        bytes
    }

    #[test]
    fn every_byte_comes_back() {
        let carrier = "\u{10ffe9}".as_bytes();
        for bytes in [&b"plain"[..], b"caf\xe9", b"\xc3\xa9 \xff\xfe\x80", carrier] {
            assert_eq!(back(&decode(bytes.to_vec())), bytes);
        }
        assert_eq!(decode(b"\xef\xbb\xbfint x;".to_vec()), "int x;");
    }
}
