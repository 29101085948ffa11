//! Every attribute and pragma we know, and what is done about it. `docs/c-names.md` holds the tables
//! for people; a test compares the two.

use super::contract::Promise;
use Effect::*;

/// What an attribute is to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    Packed,
    Aligned,
    Mode,
    Noreturn,
    Cleanup,
    Alias,
    Weak,
    Weakref,
    Constructor,
    Destructor,
    TransparentUnion,
    ReturnsTwice,
    /// Of a function: what may be relied on, or must be kept.
    Promise(Promise),
    /// Changes nothing a program can see, and why.
    Nothing(Effect),
    /// Changes meaning in a way that is not modelled.
    Refused,
}

/// Why an attribute or pragma has no effect on what a program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// For optimisers and code generators.
    Hint,
    /// What compilers warn about.
    Diagnostic,
    /// What the program promises, or a compiler may assume: more is allowed without it.
    Contract,
    /// Where code and data lie and who sees it, how arguments are passed.
    Placement,
    /// For tools: sanitizers, profilers, debuggers.
    Tool,
}

impl Effect {
    pub fn says(self) -> &'static str {
        match self {
            Hint => "none: a hint for optimisers",
            Diagnostic => "none: about warnings",
            Contract => "none: a promise, and not relied on",
            Placement => "none: about places in the binary and ways to call",
            Tool => "none: for other tools",
        }
    }
}

impl Attribute {
    pub fn says(self) -> &'static str {
        match self {
            Attribute::Packed => "modelled: of structures, unions, enumerations, members",
            Attribute::Aligned => "modelled: of types, typedefs, members, variables",
            Attribute::Mode => "modelled: integers and floating point by machine mode",
            Attribute::Noreturn => {
                "modelled: a call without a body ends the program; with one, to return is a violation (`unreachable`)"
            }
            Attribute::Cleanup => {
                "modelled: called where the variable's scope is left, the last one first"
            }
            Attribute::Alias => "modelled: another name of the function or variable",
            Attribute::Weak => {
                "modelled: gives way to another definition; without any the address is null"
            }
            Attribute::Weakref => "modelled: another name, null without a definition",
            Attribute::Constructor => "modelled: called before the entry, by priority",
            Attribute::Destructor => "modelled: called at the end, by priority",
            Attribute::TransparentUnion => "modelled: an argument may be of any member's type",
            Attribute::ReturnsTwice => "a call ends the path as unsupported",
            Attribute::Promise(promise) => promise.says(),
            Attribute::Nothing(effect) => effect.says(),
            Attribute::Refused => "refused at its place",
        }
    }
}

use Attribute::{Nothing, Refused};

pub const ATTRIBUTES: &[(&str, Attribute)] = &[
    ("packed", Attribute::Packed),
    ("aligned", Attribute::Aligned),
    ("mode", Attribute::Mode),
    ("noreturn", Attribute::Noreturn),
    ("_Noreturn", Attribute::Noreturn),
    ("cleanup", Attribute::Cleanup),
    ("alias", Attribute::Alias),
    ("weak", Attribute::Weak),
    ("weakref", Attribute::Weakref),
    ("constructor", Attribute::Constructor),
    ("destructor", Attribute::Destructor),
    ("transparent_union", Attribute::TransparentUnion),
    ("returns_twice", Attribute::ReturnsTwice),
    ("nonnull", Attribute::Promise(Promise::Nonnull)),
    ("returns_nonnull", Attribute::Promise(Promise::ReturnsNonnull)),
    ("malloc", Attribute::Promise(Promise::Malloc)),
    ("alloc_size", Attribute::Promise(Promise::AllocSize)),
    ("format", Attribute::Promise(Promise::Format)),
    ("pure", Attribute::Promise(Promise::Pure)),
    ("const", Attribute::Promise(Promise::Pure)),
    ("hardbop_returns_object", Attribute::Promise(Promise::ReturnsObject)),
    ("hardbop_may_return_null", Attribute::Promise(Promise::MayReturnNull)),
    ("hardbop_returns_range", Attribute::Promise(Promise::ReturnsRange)),
    ("vector_size", Refused),
    ("ext_vector_type", Refused),
    ("scalar_storage_order", Refused),
    ("ms_struct", Refused),
    ("ifunc", Refused),
    ("target_clones", Refused),
    ("naked", Refused),
    ("symver", Refused),
    ("copy", Refused),
    ("overloadable", Refused),
    ("interrupt", Refused),
    ("hardbool", Refused),
    ("strub", Refused),
    ("always_inline", Nothing(Hint)),
    ("artificial", Nothing(Hint)),
    ("cold", Nothing(Hint)),
    ("flatten", Nothing(Hint)),
    ("gnu_inline", Nothing(Hint)),
    ("hot", Nothing(Hint)),
    ("may_alias", Nothing(Hint)),
    ("noclone", Nothing(Hint)),
    ("noinline", Nothing(Hint)),
    ("noipa", Nothing(Hint)),
    ("no_icf", Nothing(Hint)),
    ("no_reorder", Nothing(Hint)),
    ("optimize", Nothing(Hint)),
    ("simd", Nothing(Hint)),
    ("target", Nothing(Hint)),
    ("unroll", Nothing(Hint)),
    ("access", Nothing(Contract)),
    ("alloc_align", Nothing(Contract)),
    ("assume_aligned", Nothing(Contract)),
    ("counted_by", Nothing(Contract)),
    ("fd_arg", Nothing(Contract)),
    ("fd_arg_read", Nothing(Contract)),
    ("fd_arg_write", Nothing(Contract)),
    ("leaf", Nothing(Contract)),
    ("nonstring", Nothing(Contract)),
    ("nothrow", Nothing(Contract)),
    ("reproducible", Nothing(Contract)),
    ("unsequenced", Nothing(Contract)),
    ("deprecated", Nothing(Diagnostic)),
    ("designated_init", Nothing(Diagnostic)),
    ("enum_extensibility", Nothing(Diagnostic)),
    ("error", Nothing(Diagnostic)),
    ("fallthrough", Nothing(Diagnostic)),
    ("flag_enum", Nothing(Diagnostic)),
    ("format_arg", Nothing(Diagnostic)),
    ("maybe_unused", Nothing(Diagnostic)),
    ("nodiscard", Nothing(Diagnostic)),
    ("sentinel", Nothing(Diagnostic)),
    ("unavailable", Nothing(Diagnostic)),
    ("unused", Nothing(Diagnostic)),
    ("warn_if_not_aligned", Nothing(Diagnostic)),
    ("warn_unused_result", Nothing(Diagnostic)),
    ("warning", Nothing(Diagnostic)),
    ("cdecl", Nothing(Placement)),
    ("common", Nothing(Placement)),
    ("dllexport", Nothing(Placement)),
    ("dllimport", Nothing(Placement)),
    ("externally_visible", Nothing(Placement)),
    ("fastcall", Nothing(Placement)),
    ("force_align_arg_pointer", Nothing(Placement)),
    ("gcc_struct", Nothing(Placement)),
    ("ms_abi", Nothing(Placement)),
    ("nocommon", Nothing(Placement)),
    ("noinit", Nothing(Placement)),
    ("noplt", Nothing(Placement)),
    ("regparm", Nothing(Placement)),
    ("retain", Nothing(Placement)),
    ("section", Nothing(Placement)),
    ("sseregparm", Nothing(Placement)),
    ("stdcall", Nothing(Placement)),
    ("sysv_abi", Nothing(Placement)),
    ("thiscall", Nothing(Placement)),
    ("tls_model", Nothing(Placement)),
    ("used", Nothing(Placement)),
    ("visibility", Nothing(Placement)),
    ("annotate", Nothing(Tool)),
    ("disable_sanitizer_instrumentation", Nothing(Tool)),
    ("nocf_check", Nothing(Tool)),
    ("no_address_safety_analysis", Nothing(Tool)),
    ("no_instrument_function", Nothing(Tool)),
    ("no_profile_instrument_function", Nothing(Tool)),
    ("no_sanitize", Nothing(Tool)),
    ("no_sanitize_address", Nothing(Tool)),
    ("no_sanitize_thread", Nothing(Tool)),
    ("no_sanitize_undefined", Nothing(Tool)),
    ("no_split_stack", Nothing(Tool)),
    ("no_stack_limit", Nothing(Tool)),
    ("no_stack_protector", Nothing(Tool)),
    ("patchable_function_entry", Nothing(Tool)),
    ("stack_protect", Nothing(Tool)),
    ("tainted_args", Nothing(Tool)),
    ("zero_call_used_regs", Nothing(Tool)),
];

/// An attribute by its name, with or without two underscores on each side.
pub fn attribute(name: &str) -> Option<Attribute> {
    let plain = name.strip_prefix("__").and_then(|it| it.strip_suffix("__")).unwrap_or(name);
    ATTRIBUTES.iter().find(|it| it.0 == plain).map(|it| it.1)
}

/// What a pragma is to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pragma {
    Pack,
    Weak,
    RedefineExtname,
    Nothing(Effect),
    /// As if it were not there, which an assumption says.
    Ignored(&'static str),
    Refused,
}

impl Pragma {
    pub fn says(self) -> &'static str {
        match self {
            Pragma::Pack => "modelled: also `push`, `pop` and no number",
            Pragma::Weak => "modelled: as the attribute `weak`, or `alias` and `weak`",
            Pragma::RedefineExtname => "modelled: as `asm(\"name\")` after a declarator",
            Pragma::Nothing(effect) => effect.says(),
            Pragma::Ignored(said) => said,
            Pragma::Refused => "refused at its place",
        }
    }
}

/// By the words they begin with, the longer ones first.
pub const PRAGMAS: &[(&str, Pragma)] = &[
    ("pack", Pragma::Pack),
    ("weak", Pragma::Weak),
    ("redefine_extname", Pragma::RedefineExtname),
    ("scalar_storage_order", Pragma::Refused),
    ("ms_struct", Pragma::Refused),
    ("align", Pragma::Refused),
    ("options", Pragma::Refused),
    ("clang attribute", Pragma::Refused),
    ("GCC diagnostic", Pragma::Nothing(Diagnostic)),
    ("GCC warning", Pragma::Nothing(Diagnostic)),
    ("GCC error", Pragma::Nothing(Diagnostic)),
    ("GCC system_header", Pragma::Nothing(Diagnostic)),
    ("GCC poison", Pragma::Nothing(Diagnostic)),
    ("GCC dependency", Pragma::Nothing(Diagnostic)),
    ("GCC ivdep", Pragma::Nothing(Hint)),
    ("GCC unroll", Pragma::Nothing(Hint)),
    ("GCC novector", Pragma::Nothing(Hint)),
    ("GCC optimize", Pragma::Nothing(Hint)),
    ("GCC target", Pragma::Nothing(Hint)),
    ("GCC push_options", Pragma::Nothing(Hint)),
    ("GCC pop_options", Pragma::Nothing(Hint)),
    ("GCC reset_options", Pragma::Nothing(Hint)),
    ("GCC visibility", Pragma::Nothing(Placement)),
    ("GCC pch_preprocess", Pragma::Nothing(Tool)),
    ("clang diagnostic", Pragma::Nothing(Diagnostic)),
    ("clang system_header", Pragma::Nothing(Diagnostic)),
    ("clang loop", Pragma::Nothing(Hint)),
    ("clang optimize", Pragma::Nothing(Hint)),
    ("clang assume_nonnull", Pragma::Nothing(Contract)),
    ("STDC CX_LIMITED_RANGE", Pragma::Nothing(Hint)),
    ("STDC FP_CONTRACT", Pragma::Ignored("listed: operations are not contracted")),
    ("STDC FENV_ACCESS", Pragma::Ignored("listed: the rounding mode is the usual one")),
    ("STDC FENV_ROUND", Pragma::Refused),
    ("omp", Pragma::Ignored("listed: without OpenMP, as compilers do unless they are asked")),
    ("acc", Pragma::Ignored("listed: without OpenACC, as compilers do unless they are asked")),
    ("message", Pragma::Nothing(Diagnostic)),
    ("warning", Pragma::Nothing(Diagnostic)),
    ("once", Pragma::Nothing(Tool)),
    ("mark", Pragma::Nothing(Tool)),
    ("region", Pragma::Nothing(Tool)),
    ("endregion", Pragma::Nothing(Tool)),
    ("push_macro", Pragma::Nothing(Tool)),
    ("pop_macro", Pragma::Nothing(Tool)),
    ("ident", Pragma::Nothing(Tool)),
    ("comment", Pragma::Nothing(Tool)),
    ("unroll", Pragma::Nothing(Hint)),
    ("nounroll", Pragma::Nothing(Hint)),
    ("ivdep", Pragma::Nothing(Hint)),
    ("simd", Pragma::Nothing(Hint)),
    ("intrinsic", Pragma::Nothing(Hint)),
    ("inline", Pragma::Nothing(Hint)),
];

/// A pragma by its text, and the rest of the text.
pub fn pragma(text: &str) -> Option<(Pragma, &str)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    PRAGMAS.iter().find_map(|&(name, pragma)| {
        let wanted: Vec<&str> = name.split(' ').collect();
        let (last, before) = wanted.split_last()?;
        let fits = words.len() >= wanted.len()
            && words[..before.len()] == *before
            && words[before.len()]
                .strip_prefix(last)
                .is_some_and(|it| !it.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        let rest = || Some((pragma, text[text.find(last)? + last.len()..].trim()));
        fits.then(rest).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::{ATTRIBUTES, Attribute, Pragma, attribute, pragma};

    #[test]
    fn names_are_found_in_both_spellings() {
        assert_eq!(attribute("packed"), Some(Attribute::Packed));
        assert_eq!(attribute("__packed__"), Some(Attribute::Packed));
        assert_eq!(attribute("_Noreturn"), Some(Attribute::Noreturn));
        assert_eq!(attribute("packe"), None);
        for (at, row) in ATTRIBUTES.iter().enumerate() {
            assert!(ATTRIBUTES[..at].iter().all(|it| it.0 != row.0), "{}", row.0);
        }
    }

    #[test]
    fn pragmas_are_found_by_their_first_words() {
        assert_eq!(pragma("pack(push, 1)"), Some((Pragma::Pack, "(push, 1)")));
        assert_eq!(pragma(" pack ( 2 )"), Some((Pragma::Pack, "( 2 )")));
        assert_eq!(pragma("packed"), None);
        assert_eq!(pragma("weak f = g").map(|it| it.1), Some("f = g"));
        assert!(matches!(pragma("GCC   diagnostic push"), Some((Pragma::Nothing(_), "push"))));
        assert!(matches!(pragma("omp parallel for"), Some((Pragma::Ignored(_), _))));
    }
}
