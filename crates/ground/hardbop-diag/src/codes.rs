//! The table of diagnostic codes: one page for each, printed by `hardbop explain CODE`.
//!
//! A code is never given a second meaning and never reused.

pub mod bp;
pub mod c;
pub mod net;

/// A stable code such as `bp0003`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// What there is to say about a code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub id: &'static str,
    /// A few words.
    pub title: &'static str,
    /// A few sentences, with an example that is wrong and one that is right.
    pub page: &'static str,
}

/// Every code, in order.
pub fn all() -> &'static [Entry] {
    static ALL: std::sync::LazyLock<Vec<Entry>> =
        std::sync::LazyLock::new(|| [bp::ENTRIES, c::ENTRIES, net::ENTRIES].concat());
    &ALL
}

pub fn lookup(code: &str) -> Option<&'static Entry> {
    all().iter().find(|entry| entry.id.eq_ignore_ascii_case(code))
}

/// Declares the codes of one front end and their table.
macro_rules! define_codes {
    ($($name:ident = $id:literal, $title:literal, $page:literal;)*) => {
        $(
            #[doc = $title]
            pub const $name: $crate::codes::Code = $crate::codes::Code($id);
        )*

        pub(super) static ENTRIES: &[$crate::codes::Entry] = &[
            $($crate::codes::Entry { id: $id, title: $title, page: $page }),*
        ];
    };
}
use define_codes;

#[cfg(test)]
mod tests {
    use super::{all, lookup};

    #[test]
    fn codes_are_in_order_and_each_page_shows_a_wrong_and_a_right_example() {
        let codes: Vec<_> = all().iter().map(|entry| entry.id).collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        for entry in all() {
            assert!(entry.page.contains("Wrong:"), "{}", entry.id);
            assert!(entry.page.contains("Right:"), "{}", entry.id);
        }
    }

    #[test]
    fn codes_are_found_whatever_their_case() {
        assert_eq!(lookup("BP0004").map(|entry| entry.id), Some("bp0004"));
        assert!(lookup("bp9999").is_none());
    }
}
