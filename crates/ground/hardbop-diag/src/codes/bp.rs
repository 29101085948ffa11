//! The codes of the Boolean program language.

super::define_codes! {
    NOT_TEXT = "bp0001", "the file is not text",
"A Boolean program is a text file in UTF-8. This file has a byte that cannot occur in one, so it
is probably compiled, compressed or in another encoding.

Wrong: a file of zeros, or `// caf\\xe9` in Latin-1
Right: `// café` in UTF-8";

    TOO_LARGE = "bp0002", "the file is too large",
"Positions in a file are 32-bit numbers; a file has fewer than 4 GiB.

Wrong: one file of 5 GiB
Right: a slice of the program that matters for the property";

    STRAY_CHARACTER = "bp0003", "a character has no meaning here",
"Names have the letters A to Z and a to z, digits, `_`, `$`, `#` and `-`; text of any other kind can be a
name when it stands in braces.

Wrong: `x := a @ b;`
Right: `x := a & b;`

Wrong: `decl größe;`
Right: `decl {größe};`";

    OPEN_COMMENT = "bp0004", "a comment has no end",
"`/*` begins a comment that ends at the next `*/`. Comments are not nested.

Wrong: `/* to do`
Right: `/* to do */`";

    OPEN_NAME = "bp0005", "a name in braces has no end",
"`{` begins a name of any characters that ends with `}` on the same line and is not empty. Braces do not group
statements: that is `begin … end`, `then … fi` and `do … od`.

Wrong: `void main() { skip; ...`
Right: `void main() begin skip; end`

Right: `{*p==*q} := 1;`";

    SYNTAX = "bp0006", "something else is expected here",
"The text does not follow the grammar at this place. The message says what could stand here.

Wrong: `x = 1;`
Right: `x := 1;`";

    MISSING_SEMICOLON = "bp0007", "a `;` is missing",
"Every declaration and statement ends with `;`. It may be left out after `fi` and `od`, and after the last statement of a block.

Wrong: `x := 1 y := 0;`
Right: `x := 1; y := 0;`";

    NOT_CLOSED = "bp0008", "a block is not closed",
"`begin` is closed by `end`, `if` by `fi`, `while … do` by `od`.

Wrong: `if (x) then skip; end`
Right: `if (x) then skip; fi end`";

    MISSING_KEYWORD = "bp0009", "`then`, `do` or `begin` is missing",
"A guard is followed by `then` (after `if` and `elsif`) or `do` (after `while`); a procedure's head is followed by `begin`.

Wrong: `if (x) skip; fi`
Right: `if (x) then skip; fi`";

    STRAY_CLOSER = "bp0010", "nothing is open that this word could close",
"`fi`, `else` and `elsif` belong to an `if`, `od` to a `while`, `end` to a procedure; an `if` has one `else`, the last of its branches.

Wrong: `skip; fi end`
Right: `skip; end`";

    KEYWORD_AS_NAME = "bp0011", "a keyword cannot be a name",
"The words of the language cannot name variables, procedures or labels. `T` and `F` are the constants.

Wrong: `decl skip;`
Right: `decl skip1;` or `decl {skip};`";

    TOO_DEEP = "bp0012", "nested too deeply",
"Statements and expressions are nested at most 500 deep. Chains of `&`, `|` and `^` and of `elsif` are flat and may have any length;
chains of `=`, `!=` and `=>` and of `else if` nest.

Wrong: `x := !!!!…!y;` with 501 signs
Right: `x := !y;`";

    NOT_A_CONSTANT = "bp0013", "a number that is neither 0 nor 1",
"A Boolean program has the constants `0` and `1`, also written `F` and `T`. Other numbers can only be labels and the number of
results in `bool<n>`.

Wrong: `x := 2;`
Right: `x := 1;`";

    LATE_DECLARATION = "bp0014", "a declaration after the first statement",
"The declarations, `enforce` and `abortif` of a procedure stand before its first statement.

Wrong: `skip; decl x;`
Right: `decl x; skip;`";

    UNSUPPORTED = "bp0015", "a statement that Hardbop does not support",
"`sync` is a word of an old tool with no agreed meaning. A program that uses it is not checked, because leaving
the statement out could change the answer.

Wrong: `sync l;`
Right: `atomic_begin; … atomic_end;`";

    TOO_MANY_RESULTS = "bp0016", "too many results",
"A procedure returns at most 65536 values.

Wrong: `bool<70000> f() begin … end`
Right: `bool<2> f() begin … end`";

    CALL_IN_EXPRESSION = "bp0017", "a call inside an expression",
"A call is a statement of its own, or stands alone on the right of `:=`. Assign its result to a variable first.

Wrong: `x := a & f(b);`
Right: `t := f(b); x := a & t;`";

    UNKNOWN_VARIABLE = "bp0020", "an unknown variable",
"The name is neither declared in the procedure nor a global variable. Only the first use in a procedure is reported.

Wrong: `void main() begin x := 1; end`
Right: `void main() begin decl x; x := 1; end`";

    UNKNOWN_PROCEDURE = "bp0021", "an unknown procedure",
"No procedure of the file has this name. Procedures may be called before they are defined.

Wrong: `void main() begin init(); end`
Right: `void init() begin end void main() begin init(); end`";

    UNKNOWN_LABEL = "bp0022", "an unknown label",
"`goto` and `start_thread goto` lead to a label of the same procedure.

Wrong: `goto L; M: skip;`
Right: `goto M; M: skip;`";

    DUPLICATE_VARIABLE = "bp0023", "a variable is declared twice",
"Global variables have different names, and so have the formals and locals of a procedure. A local may have
the name of a global variable; inside the procedure the name then means the local.

Wrong: `decl a, a;`
Right: `decl a, b;`";

    DUPLICATE_PROCEDURE = "bp0024", "a procedure is defined twice",
"Procedures have different names.

Wrong: `void f() begin end void f() begin end`
Right: `void f() begin end void g() begin end`";

    DUPLICATE_LABEL = "bp0025", "a label occurs twice",
"The labels of a procedure are different. Two procedures may have the same labels, and a statement may have several.

Wrong: `L: skip; L: skip;`
Right: `L: skip; M: skip;`";

    ASSIGNED_TWICE = "bp0026", "a target is assigned twice",
"All targets of an assignment get their values at once, so each variable occurs once.

Wrong: `x, x := 0, 1;`
Right: `x, y := 0, 1;`";

    WRONG_ARGUMENTS = "bp0027", "the wrong number of arguments",
"A call gives one value for each formal of the procedure.

Wrong: `void f(a, b) begin end … f(1);`
Right: `void f(a, b) begin end … f(1, 0);`";

    WRONG_RESULTS = "bp0028", "the wrong number of results",
"A call has as many targets as the procedure returns values, or none at all; `_` drops one value.

Wrong: `bool<2> f() begin … end … x := f();`
Right: `bool<2> f() begin … end … x, _ := f();`";

    WRONG_VALUES = "bp0029", "the wrong number of values in an assignment",
"An assignment has one value for each target.

Wrong: `x, y := 0;`
Right: `x, y := 0, 0;`";

    WRONG_RETURN = "bp0030", "the wrong number of returned values",
"`return` gives as many values as the head of the procedure says: none for `void`, one for `bool`, n for `bool<n>`.

Wrong: `void f() begin return 1; end`
Right: `bool f() begin return 1; end`";

    MISPLACED_NEXT = "bp0031", "a next value outside `constrain`",
"`'x` (or `x'`) is the value of x after the assignment, so it can occur only in the `constrain` of an assignment.

Wrong: `assume('x);`
Right: `x := * constrain 'x | y;`";

    EARLY_USE = "bp0032", "a global variable is used before its declaration",
"The initial values of global variables are computed in the order of the declarations, so each may only
mention the variables declared before it.

Wrong: `decl a := b; decl b;`
Right: `decl b; decl a := b;`";

    MISUSED_BROADCAST = "bp0033", "`x$` is not the target of a broadcast",
"`x$ := e` assigns the local variable x of all other threads. It has no value of its own, and there is
no copy of a global variable or in this thread to assign.

Wrong: `y := x$;` or `decl g; … g$ := 1;`
Right: `void main() begin decl x; x$ := 1; end`";

    ASYNC_RESULTS = "bp0034", "a call that starts a thread cannot give results",
"A label that begins with `ASYNC_` makes a call run in a thread of its own. Its results would arrive at no
definite time, so there can be no targets.

Wrong: `ASYNC_1: x := f();`
Right: `ASYNC_1: f();`";

    NO_MAIN = "bp0035", "there is no `main`",
"Execution begins in the procedure `main`. A file without `main` but with a procedure `init` is also accepted: `init`
runs first, then each procedure that no other calls runs as a thread.

Wrong: `void start() begin skip; end`
Right: `void main() begin skip; end`";

    EMPTY = "bp0036", "there is no procedure",
"The file has nothing to execute.

Wrong: `decl g;`
Right: `decl g; void main() begin g := 1; end`";

    ASYNC_WITHOUT_CALL = "bp0037", "an `ASYNC_` label on a statement that is no call",
"A label that begins with `ASYNC_` starts a thread only where it stands on a call. Here it is a label like any other.

Wrong: `ASYNC_1: x := 1;`
Right: `ASYNC_1: f();`";

    RETURN_WITHOUT_VALUES = "bp0038", "`return` without values",
"The procedure returns values, but this `return` does not say which: the caller gets any. Write `*` if that is meant.

Wrong: `bool f() begin return; end`
Right: `bool f() begin return *; end`";

    TOO_MANY = "bp0099", "more mistakes than are shown",
"Only the first hundred mistakes of a file are shown. Mend these and run again.

Wrong: a file that is no Boolean program
Right: a Boolean program";
}
