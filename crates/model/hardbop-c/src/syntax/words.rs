//! The words and signs of C, with the spellings that GNU's compilers add.

macro_rules! table {
    ($(#[$about:meta])* $name:ident: $($variant:ident = $text:literal $($other:literal)*,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($variant),* }

        impl $name {
            /// Every spelling, with what it means.
            const SPELLINGS: &[(&'static str, $name)] =
                &[$(($text, $name::$variant), $(($other, $name::$variant),)*)*];

            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }
    };
}

table! {
    /// Words that cannot be names.
    Kw:
    If = "if", Else = "else", While = "while", Do = "do", For = "for", Switch = "switch", Case = "case",
    Default = "default", Goto = "goto", Break = "break", Continue = "continue", Return = "return",
    Asm = "asm" "__asm__" "__asm", Label = "__label__", StaticAssert = "_Static_assert" "static_assert",

    Typedef = "typedef", Extern = "extern", Static = "static", Register = "register", Auto = "auto",
    Const = "const" "__const" "__const__", Volatile = "volatile" "__volatile__" "__volatile",
    Restrict = "restrict" "__restrict" "__restrict__", Inline = "inline" "__inline" "__inline__",
    Noreturn = "_Noreturn", ThreadLocal = "_Thread_local" "__thread", Alignas = "_Alignas", Atomic = "_Atomic",
    Attribute = "__attribute__" "__attribute", Extension = "__extension__",
    Struct = "struct", Union = "union", Enum = "enum", Typeof = "typeof" "__typeof__" "__typeof",
    VaList = "__builtin_va_list", AutoType = "__auto_type",

    Void = "void", Bool = "_Bool", Char = "char", Int = "int", Short = "short", Long = "long",
    Signed = "signed" "__signed__" "__signed", Unsigned = "unsigned", Complex = "_Complex" "__complex__",
    Float = "float" "_Float32", Double = "double" "_Float64" "_Float32x", Float64x = "_Float64x",
    Float128 = "_Float128" "__float128", Int128 = "__int128" "__int128_t", UInt128 = "__uint128_t",
    Decimal32 = "_Decimal32", Decimal64 = "_Decimal64", Decimal128 = "_Decimal128",
    Fp16 = "__fp16", Float16 = "_Float16", BitInt = "_BitInt",

    Sizeof = "sizeof", Alignof = "_Alignof", PreferredAlignof = "__alignof__" "__alignof",
    Real = "__real__" "__real", Imag = "__imag__" "__imag", Generic = "_Generic",
    VaArg = "__builtin_va_arg", Offsetof = "__builtin_offsetof",
    TypesCompatible = "__builtin_types_compatible_p", ChooseExpr = "__builtin_choose_expr",
}

impl Kw {
    pub fn of(text: &str) -> Option<Kw> {
        Kw::SPELLINGS.iter().find(|it| it.0 == text).map(|it| it.1)
    }

    /// Whether a statement begins with the word, and nothing else does.
    pub fn begins_statement(self) -> bool {
        use Kw::*;
        let loops = matches!(self, While | Do | For | Break | Continue);
        loops || matches!(self, If | Else | Switch | Case | Default | Goto | Return)
    }

    /// Whether the word may stand among the specifiers of a declaration.
    pub fn is_specifier(self) -> bool {
        use Kw::*;
        let is_storage = matches!(self, Typedef | Extern | Static | Register | Auto | ThreadLocal);
        let is_qualifier = matches!(self, Const | Volatile | Restrict | Atomic | Alignas);
        let is_other = matches!(self, Inline | Noreturn | Attribute | Extension);
        is_storage || is_qualifier || is_other || self.is_type()
    }

    fn is_type(self) -> bool {
        use Kw::*;
        let is_made = matches!(self, Struct | Union | Enum | Typeof | VaList | AutoType);
        is_made || self.is_arithmetic() || self.is_unsupported_type()
    }

    fn is_arithmetic(self) -> bool {
        use Kw::*;
        let is_word = matches!(self, Void | Bool | Char | Int | Short | Long | Signed | Unsigned);
        let is_wide = matches!(self, Int128 | UInt128 | Float64x | Float128);
        is_word || is_wide || matches!(self, Float | Double | Complex)
    }

    /// Whether the word is a type that no other word can follow but those of its kind.
    pub fn is_whole_type(self) -> bool {
        self.is_arithmetic() || self.is_unsupported_type()
    }

    pub fn is_unsupported_type(self) -> bool {
        use Kw::*;
        matches!(self, Decimal32 | Decimal64 | Decimal128 | Fp16 | Float16 | BitInt)
    }
}

table! {
    /// Signs. Among the spellings a longer one stands before those it begins with.
    Punct:
    Ellipsis = "...", ShlAssign = "<<=", ShrAssign = ">>=",
    Arrow = "->", PlusPlus = "++", MinusMinus = "--", Shl = "<<", Shr = ">>", Le = "<=", Ge = ">=",
    EqEq = "==", Ne = "!=", AndAnd = "&&", OrOr = "||", PlusAssign = "+=", MinusAssign = "-=",
    StarAssign = "*=", SlashAssign = "/=", PercentAssign = "%=", AndAssign = "&=", OrAssign = "|=",
    XorAssign = "^=", HashHash = "##",
    LBracket = "[" "<:", RBracket = "]" ":>", LBrace = "{" "<%", RBrace = "}" "%>", LParen = "(", RParen = ")",
    Semi = ";", Colon = ":", Comma = ",", Dot = ".", Plus = "+", Minus = "-", Star = "*", Slash = "/",
    Percent = "%", And = "&", Or = "|", Xor = "^", Tilde = "~", Bang = "!", Lt = "<", Gt = ">",
    Assign = "=", Question = "?",
}

impl Punct {
    /// The sign at the start of `text`, and how long it is.
    pub fn at_start(text: &[u8]) -> Option<(Punct, usize)> {
        let spelled = Punct::SPELLINGS.iter().find(|it| text.starts_with(it.0.as_bytes()))?;
        Some((spelled.1, spelled.0.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spelling_hides_another() {
        for (at, (text, _)) in Punct::SPELLINGS.iter().enumerate() {
            let hidden = Punct::SPELLINGS[at + 1..].iter().find(|it| it.0.starts_with(text));
            assert_eq!(hidden, None, "`{text}` is found first");
        }
        for (text, kw) in Kw::SPELLINGS {
            assert_eq!(Kw::of(text), Some(*kw), "`{text}` means two things");
        }
    }

    #[test]
    fn specifiers_and_statements_are_apart() {
        for (text, kw) in Kw::SPELLINGS {
            assert!(!kw.is_specifier() || !kw.begins_statement(), "`{text}`");
        }
    }
}
