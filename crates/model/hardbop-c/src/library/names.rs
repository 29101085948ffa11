//! Other names of library functions: what headers make of them, and what compilers call them.

use hardbop_base::Name;
use rustc_hash::FxHashSet;

use crate::syntax::ast::{Decl, Deriv, InitDeclarator};

/// Names behind macros and redirections of glibc, with the function they stand for.
const ALIASES: &[(&str, &str)] = &[
    ("_IO_getc", "getc"),
    ("_IO_putc", "putc"),
    ("__isoc99_fscanf", "fscanf"),
    ("__isoc99_scanf", "scanf"),
    ("__isoc99_sscanf", "sscanf"),
    ("__isoc99_vfscanf", "vfscanf"),
    ("__isoc99_vscanf", "vscanf"),
    ("__isoc99_vsscanf", "vsscanf"),
    ("__isoc23_fscanf", "fscanf"),
    ("__isoc23_scanf", "scanf"),
    ("__isoc23_sscanf", "sscanf"),
    ("__isoc23_strtol", "strtol"),
    ("__isoc23_strtoll", "strtoll"),
    ("__isoc23_strtoul", "strtoul"),
    ("__isoc23_strtoull", "strtoull"),
    ("__isoc23_strtoimax", "strtoimax"),
    ("__isoc23_strtoumax", "strtoumax"),
    ("strtoq", "strtoll"),
    ("strtouq", "strtoull"),
    ("__strdup", "strdup"),
    ("__strtok_r", "strtok_r"),
    ("__xpg_strerror_r", "strerror_r"),
    ("bsd_signal", "signal"),
    ("ssignal", "signal"),
    ("gsignal", "raise"),
    ("__isoc23_wcstol", "wcstol"),
    ("__isoc23_wcstoll", "wcstoll"),
    ("__isoc23_wcstoul", "wcstoul"),
    ("__isoc23_wcstoull", "wcstoull"),
    ("__getdelim", "getdelim"),
    ("__errno", "__errno_location"),
    ("___errno_location", "__errno_location"),
];

/// What begins a wrapper that gives a function without a C body an address.
pub(crate) const ADDRESS: &str = "__hardbop_address_of_";

/// The name a function goes by here.
pub(crate) fn canonical(name: &str) -> &str {
    if let Some((_, to)) = ALIASES.iter().find(|(from, _)| *from == name) {
        return to;
    }
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    plain.strip_suffix("_unlocked").unwrap_or(plain)
}

/// The names in the library that the mention of a name may need.
pub(super) fn meanings(name: &str) -> impl Iterator<Item = String> {
    let plain = canonical(name);
    let more: &[&str] = match plain {
        "__errno_location" => &["__hardbop_errno"],
        "atexit" => &["__hardbop_at_end"],
        "at_quick_exit" => &["__hardbop_at_quick_end"],
        "signal" => &["__hardbop_at_abort"],
        "printf" | "puts" | "printk" => &[
            "__hardbop_text",
            "__hardbop_text_up_to",
            "__hardbop_wide_text",
            "__hardbop_store_whole",
        ],
        "fprintf" => &[
            "__hardbop_text",
            "__hardbop_text_up_to",
            "__hardbop_wide_text",
            "__hardbop_store_whole",
            "__hardbop_is_stdout",
        ],
        _ => &[],
    };
    let more = more.iter().map(|it| it.to_string());
    [name.to_string(), plain.to_string(), format!("{ADDRESS}{plain}")].into_iter().chain(more)
}

/// Whether something that is used is declared to take a format, which our library then looks at.
pub(super) fn has_format(decl: &Decl, item: &InitDeclarator, uses: &FxHashSet<Name>) -> bool {
    let contracts = [&decl.specs.attributes.contract, &item.declarator.attributes.contract];
    let is_used = || item.declarator.name.as_ref().is_some_and(|it| uses.contains(it));
    contracts.iter().any(|it| it.format.is_some()) && is_used()
}

/// Whether a declaration is that of a function.
pub(super) fn is_function(item: &InitDeclarator) -> bool {
    matches!(item.declarator.derivs.first(), Some(Deriv::Func { .. }))
}
