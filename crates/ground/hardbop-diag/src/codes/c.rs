//! Codes of the C front end.

use super::define_codes;

define_codes! {
    SYNTAX = "c0001", "the text is no C",
"The text does not follow the grammar of C. The message says what was expected at the place underlined.

Wrong: `int x = ;`
Right: `int x = 0;`";

    TOO_DEEP = "c0002", "nested too deeply",
"Expressions, statements and declarations may be nested 50,000 levels deep; a pair of parentheses is two: deeper text is not written by people.

Wrong: one million opening parentheses
Right: `((x))`";

    UNSUPPORTED = "c0003", "a construct that is not supported",
"Hardbop does not model this construct. Where only executions that come here are affected, this is a warning and the
properties that depend on such an execution are unknown; where the meaning of the whole program depends on it, it is an error.

Wrong: `asm(\"mov %0, %1\" : \"=r\"(x) : \"r\"(y));`
Right: `x = y;`";

    TYPE = "c0004", "types that do not fit",
"The operands do not have types the operator takes.

Wrong: `struct s { int a; } v; int x = v + 1;`
Right: `struct s { int a; } v; int x = v.a + 1;`";

    UNDECLARED = "c0005", "a name that is not declared",
"There is no variable, function, type, field or label of this name here.

Wrong: `int main(void) { return x; }`
Right: `int main(void) { int x = 0; return x; }`";

    NOT_CONSTANT = "c0006", "a constant is needed",
"The size of a field, a case, an enumerator and the initialiser of a global variable must be known before the program runs.

Wrong: `int f(void); int x = f();`
Right: `int x = 1;`";

    NO_ENTRY = "c0007", "there is no function to start with",
"Execution begins in `main`, or in the function that `--entry` names. It must have a body.

Wrong: `int helper(void) { return 0; }`
Right: `int main(void) { return 0; }`";

    CANNOT_READ = "c0008", "the file cannot be read or preprocessed",
"Files other than `.i` are read through the system's C compiler (`cc -E`). Its message is shown.

Wrong: `#include \"missing.h\"`
Right: `#include <stdlib.h>`";

    REDEFINED = "c0009", "defined twice",
"Two definitions of one name in one scope, or in two files that are checked together.

Wrong: `int f(void) { return 0; } int f(void) { return 1; }`
Right: `int f(void) { return 0; } int g(void) { return 1; }`";

    VIOLATED = "c0010", "a property is violated by the run",
"`hardbop run` came to a place where a property does not hold for the inputs given. The message begins with the class of
the property; `--property` chooses the classes looked at.

Wrong: `int a[3]; int main(void) { return a[3]; }`
Right: `int a[3]; int main(void) { return a[2]; }`";

    NO_MEANING = "c0011", "the run came to a place without meaning",
"The execution does something C gives no meaning to, at a place where the properties asked for look at nothing, or uses a
construct that is not modelled. What would follow is not known.

Wrong: `hardbop run --property assert` of `int *p; int main(void) { return *p; }`
Right: `hardbop run --property assert,null` of the same program, which tells the violation";

    STATIC_ASSERT = "c0012", "a static assertion fails",
"`_Static_assert` speaks about the program before it runs: where its condition is zero the program is no program of C. Sizes
are those of `--data-model`.

Wrong: `_Static_assert(sizeof(long) == 4, \"32 bits\"); int main(void) { return 0; }` with 64 bits
Right: `_Static_assert(sizeof(long) >= 4, \"32 bits\"); int main(void) { return 0; }`";

    TOO_MANY = "c0099", "more mistakes than are shown",
"Only the first hundred mistakes are shown. Mend these and run again.

Wrong: a file that is no C
Right: `int main(void) { return 0; }`";
}
