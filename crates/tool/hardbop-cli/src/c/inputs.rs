//! The file of `--inputs`: numbers in the order the program asks for them.

/// Decimal or hexadecimal numbers, negative ones too, between blanks; `#` begins a comment.
pub fn parse(text: &str) -> Result<Vec<u128>, String> {
    let mut inputs = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        for word in line.split_whitespace() {
            let value = number(word)
                .ok_or_else(|| format!("line {}: `{word}` is not a whole number", at + 1))?;
            inputs.push(value);
        }
    }
    Ok(inputs)
}

/// Two's complement: the program takes as many of the lowest bits as it asks for.
fn number(word: &str) -> Option<u128> {
    let (is_negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if hex.starts_with('+') => return None,
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if is_negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_are_read_and_the_rest_is_told() {
        assert_eq!(parse("1 -2 # three\n\n0x1F\n"), Ok(vec![1, u128::MAX - 1, 31]));
        assert_eq!(parse("1\n2x"), Err("line 2: `2x` is not a whole number".into()));
        for word in ["+1", "-", "0x", "0x+1", "--1", "1.5"] {
            assert!(parse(word).is_err(), "{word}");
        }
    }
}
