//! The first exchange: what each side can do.

use lsp_server::{Connection, RequestId};
use lsp_types::{
    ClientCapabilities, CodeActionProviderCapability, CodeLensOptions, CompletionOptions,
    ExecuteCommandOptions, FoldingRangeProviderCapability, HoverProviderCapability,
    InitializeParams, InitializeResult, OneOf, RenameOptions, SaveOptions,
    SemanticTokensFullOptions, SemanticTokensOptions, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
};

use crate::bp;
use crate::client::Abilities;
use crate::commands;
use crate::failure::Failure;
use crate::positions::Encoding;
use crate::server::Ended;

/// Waits for a client that introduces itself. Whatever else comes before is refused.
pub fn wait(connection: &Connection) -> Result<(RequestId, InitializeParams), Ended> {
    loop {
        let (id, params) = connection.initialize_start().map_err(|error| {
            if error.channel_is_disconnected() { Ended::Lost } else { Ended::Abrupt }
        })?;
        match serde_json::from_value(params) {
            Ok(params) => return Ok((id, params)),
            Err(error) => {
                let response = Failure::params(error).response(id);
                connection.sender.send(response.into()).map_err(|_| Ended::Lost)?;
            }
        }
    }
}

/// What a client says it understands.
pub fn abilities(client: &ClientCapabilities) -> Abilities {
    let window = client.window.as_ref();
    let lenses = client.workspace.as_ref().and_then(|it| it.code_lens.as_ref());
    let published = client.text_document.as_ref().and_then(|it| it.publish_diagnostics.as_ref());
    Abilities {
        progress: window.and_then(|it| it.work_done_progress).unwrap_or(false),
        show_document: window.and_then(|it| it.show_document.as_ref()).is_some_and(|it| it.support),
        refresh_lenses: lenses.and_then(|it| it.refresh_support).unwrap_or(false),
        related: published.and_then(|it| it.related_information).unwrap_or(false),
    }
}

pub fn encoding(client: &ClientCapabilities) -> Encoding {
    let offered = client.general.as_ref().and_then(|it| it.position_encodings.as_deref());
    Encoding::negotiate(offered.unwrap_or_default())
}

/// What we say.
pub fn result(encoding: Encoding) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions::default())),
        ..TextDocumentSyncOptions::default()
    };
    let progress = WorkDoneProgressOptions { work_done_progress: Some(true) };
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions::default()),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: bp::legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::ALL.map(String::from).to_vec(),
            work_done_progress_options: progress,
        }),
        ..ServerCapabilities::default()
    };
    let version = Some(env!("CARGO_PKG_VERSION").into());
    InitializeResult {
        capabilities,
        server_info: Some(ServerInfo { name: "hardbop".into(), version }),
    }
}
