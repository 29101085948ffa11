//! Colours by meaning: what only names know. Words and comments are coloured by the grammar of the client.

use hardbop_base::SourceFile;
use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
};

use super::Syntax;
use super::names::{Kind, Role};
use crate::positions::Encoding;

/// The numbers of types and modifiers are their places here.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::FUNCTION,
            SemanticTokenType::VARIABLE,
            SemanticTokenType::PARAMETER,
            SemanticTokenType::new("label"),
        ],
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::MODIFICATION,
            SemanticTokenModifier::new("global"),
        ],
    }
}

pub fn tokens(syntax: &Syntax, file: &SourceFile, encoding: Encoding) -> SemanticTokens {
    let mut data = Vec::with_capacity(syntax.names.uses.len());
    let mut last = lsp_types::Position::default();
    for it in &syntax.names.uses {
        let at = encoding.position(file, it.span.start);
        let delta_line = at.line - last.line;
        let delta_start =
            if delta_line == 0 { at.character - last.character } else { at.character };
        last = at;
        let kind = syntax.names.symbols[it.symbol].kind;
        let (token_type, global) = match kind {
            Kind::Procedure => (0, 0),
            Kind::Global => (1, 1 << 2),
            Kind::Local => (1, 0),
            Kind::Formal => (2, 0),
            Kind::Label => (3, 0),
        };
        let role = match it.role {
            Role::Declared => 1,
            Role::Written => 1 << 1,
            Role::Used => 0,
        };
        data.push(SemanticToken {
            delta_line,
            delta_start,
            length: encoding.length(file.snippet(it.span)),
            token_type,
            token_modifiers_bitset: role | global,
        });
    }
    SemanticTokens { result_id: None, data }
}

#[cfg(test)]
mod tests {
    use super::tokens;
    use crate::bp::tests::at;
    use crate::positions::Encoding;

    #[test]
    fn places_are_told_from_one_to_the_next() {
        let (file, syntax, _) = at("decl {ü};\nvoid f(a) begin {ü} := a; end@");
        let told: Vec<_> = tokens(&syntax, &file, Encoding::Utf16)
            .data
            .iter()
            .map(|it| {
                [it.delta_line, it.delta_start, it.length, it.token_type, it.token_modifiers_bitset]
            })
            .collect();
        let wanted =
            [[0, 5, 3, 1, 5], [1, 5, 1, 0, 1], [0, 2, 1, 2, 1], [0, 9, 3, 1, 6], [0, 7, 1, 2, 0]];
        assert_eq!(told, wanted);
    }
}
