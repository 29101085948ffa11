//! Codes of the readers of nets (`.tts`, `.prop`, `.spec`).

use super::define_codes;

define_codes! {
    SYNTAX = "net0001", "the text is no net",
"The text does not follow the format of its kind of file: `.tts` gives the numbers of shared and local states and then one
transition a line, `.prop` one state, `.spec` the sections vars, rules, init and target.

Wrong: `0 0 => 1 1`
Right: `0 0 -> 1 1`";

    RANGE = "net0002", "a number out of range",
"The first line of a `.tts` file says how many shared and local states there are; they are counted from 0. Numbers of tokens are
below 2^28.

Wrong: `2 2` followed by `0 2 -> 1 1`
Right: `2 3` followed by `0 2 -> 1 1`";

    UNSUPPORTED = "net0003", "a rule that is no step of a Petri net with transfers",
"A rule moves each token to one place, so a place cannot be copied into another; a target asks for *at least* so many tokens.

Wrong: `x >= 1 -> y' = y + x;`
Right: `x >= 1 -> y' = y + x, x' = 0;`";

    UNDECLARED = "net0004", "a place that is not declared, or twice",
"Every place of a `.spec` file is declared once in its section `vars`.

Wrong: `vars x rules y >= 1 -> x' = x + 1;`
Right: `vars x y rules y >= 1 -> x' = x + 1;`";
}
