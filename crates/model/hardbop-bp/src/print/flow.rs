//! Breaking long lines.

/// Lines are broken to stay within this many characters where they can.
pub(super) const WIDTH: usize = 100;

/// However deep the indentation, this many characters are used.
const NARROWEST: usize = 40;

pub(super) fn blanks(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n("  ", indent));
}

/// Writes a text as lines, each as full as fits; a newline in the text is a blank where it may be
/// broken. Lines after the first are indented by two steps more.
pub(super) fn fill(out: &mut String, indent: usize, text: &str) {
    blanks(out, indent);
    let mut column = 2 * indent;
    for (at, piece) in text.split('\n').enumerate() {
        let width = piece.chars().count();
        if at > 0 && column + 1 + width > WIDTH.max(2 * indent + NARROWEST) {
            out.push('\n');
            blanks(out, indent + 2);
            column = 2 * (indent + 2);
        } else if at > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(piece);
        column += width;
    }
    out.push('\n');
}
