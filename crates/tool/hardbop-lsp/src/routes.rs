//! Which method does what.

use hardbop_base::{Budget, Span};
use hardbop_diag::codes;
use lsp_server::{Notification, RequestId};
use lsp_types::{
    CancelParams, CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams,
    CodeLensParams, Command, CompletionParams, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, DocumentFormattingParams, DocumentHighlight, DocumentHighlightKind,
    DocumentSymbolParams, FoldingRangeParams, Hover, HoverContents, HoverParams, Location,
    MarkupContent, MarkupKind, NumberOrString, Range, ReferenceParams, RenameParams,
    SemanticTokensParams, TextDocumentPositionParams, TextEdit, Uri, WorkDoneProgressCancelParams,
    WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

use crate::bp::{self, names::Role};
use crate::c;
use crate::checking::Wish;
use crate::commands::EXPLAIN;
use crate::documents::{Document, Kind};
use crate::failure::Failure;
use crate::lenses::lenses;
use crate::server::Server;
use crate::settings::When;

/// A request that reads a text once more has this long.
const TIME: Duration = Duration::from_secs(2);

fn budget() -> Budget {
    Budget::unlimited().with_time(TIME)
}

fn on<P: DeserializeOwned>(params: Value) -> Result<P, Failure> {
    serde_json::from_value(params).map_err(Failure::params)
}

fn value(it: impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(it).map_err(|error| Failure::internal(&error.to_string()))
}

impl Server {
    /// The answer to a request; `None` if it comes later.
    pub fn route(
        &mut self,
        id: &RequestId,
        method: &str,
        params: Value,
    ) -> Option<Result<Value, Failure>> {
        if method == "workspace/executeCommand" {
            return match on(params) {
                Ok(params) => self.command(id, params),
                Err(failure) => Some(Err(failure)),
            };
        }
        Some(self.answer_now(method, params))
    }

    fn answer_now(&self, method: &str, params: Value) -> Result<Value, Failure> {
        match method {
            "initialize" => Err(Failure::out_of_order("the server is initialized")),
            "textDocument/hover" => value(self.hover(&on(params)?)?),
            "textDocument/definition" => value(self.definition(&on(params)?)?),
            "textDocument/references" => value(self.references(&on(params)?)?),
            "textDocument/documentHighlight" => value(self.highlights(&on(params)?)?),
            "textDocument/documentSymbol" => self.symbols(&on(params)?),
            "textDocument/foldingRange" => self.folds(&on(params)?),
            "textDocument/formatting" => value(self.format(&on(params)?)?),
            "textDocument/prepareRename" => value(self.prepare_rename(&on(params)?)?),
            "textDocument/rename" => value(self.rename(&on(params)?)?),
            "textDocument/completion" => self.complete(&on(params)?),
            "textDocument/semanticTokens/full" => self.tokens(&on(params)?),
            "textDocument/codeLens" => value(self.lenses(&on(params)?)?),
            "textDocument/codeAction" => value(self.actions(&on(params)?)?),
            other => Err(Failure::no_method(other)),
        }
    }

    /// Takes note of a notification. Those that we do not know are passed over, as the protocol has it.
    pub fn notice(&mut self, it: Notification) -> Result<(), Failure> {
        match it.method.as_str() {
            "textDocument/didOpen" => {
                let params: DidOpenTextDocumentParams = on(it.params)?;
                let uri = params.text_document.uri.clone();
                self.checking.forget(&uri, "the document was opened again", &self.client);
                let now = self.documents.open(params.text_document);
                self.start_reading(now);
            }
            "textDocument/didChange" => {
                let params: DidChangeTextDocumentParams = on(it.params)?;
                let document = params.text_document;
                self.checking.forget(&document.uri, "the text has changed", &self.client);
                let changes = params.content_changes;
                let (uri, version) = (&document.uri, document.version);
                let now = self.documents.change(uri, version, changes, self.encoding);
                let missing = || Failure::params(format!("{} is not open", uri.as_str()));
                self.start_reading(now.ok_or_else(missing)?);
                self.next_check();
            }
            "textDocument/didSave" => {
                let params: DidSaveTextDocumentParams = on(it.params)?;
                self.saved(&params.text_document.uri)?;
            }
            "textDocument/didClose" => {
                let params: DidCloseTextDocumentParams = on(it.params)?;
                let uri = params.text_document.uri;
                self.checking.forget(&uri, "the document was closed", &self.client);
                self.documents.close(&uri);
                self.client.publish(&uri, None, Vec::new());
                self.next_check();
            }
            "workspace/didChangeConfiguration" => {
                let params: DidChangeConfigurationParams = on(it.params)?;
                self.set(&params.settings);
            }
            // One of them may be included.
            "workspace/didChangeWatchedFiles" => self.outdate(Kind::C, None),
            "window/workDoneProgress/cancel" => {
                let params: WorkDoneProgressCancelParams = on(it.params)?;
                self.checking.cancel_token(&params.token, &self.client);
                self.next_check();
            }
            "$/cancelRequest" => {
                let params: CancelParams = on(it.params)?;
                let id = match params.id {
                    NumberOrString::Number(id) => id.into(),
                    NumberOrString::String(id) => id.into(),
                };
                self.checking.cancel_request(&id, &self.client);
                self.next_check();
            }
            _ => {}
        }
        Ok(())
    }

    /// A saved text is checked, and what may include it is read again.
    fn saved(&mut self, uri: &Uri) -> Result<(), Failure> {
        let at = self.documents.get(uri)?.now().clone();
        if at.kind != Kind::Bp {
            self.outdate(Kind::C, Some(uri));
        }
        if self.settings.check == When::Save && at.kind != Kind::Other {
            self.check(Wish { at, entry: None, request: None, token: None });
        }
        Ok(())
    }

    /// The document, and the byte the cursor is before.
    fn here(&self, at: &TextDocumentPositionParams) -> Result<(&Document, u32), Failure> {
        let document = self.documents.get(&at.text_document.uri)?;
        Ok((document, self.encoding.offset(document.file(), at.position) as u32))
    }

    fn range(&self, document: &Document, span: Span) -> Range {
        self.encoding.range(document.file(), span)
    }

    fn location(&self, document: &Document, span: Span) -> Location {
        Location { uri: document.now().uri.clone(), range: self.range(document, span) }
    }

    /// The declaration; what a proof says of the line; the pages of the mistakes under the cursor.
    fn hover(&self, params: &HoverParams) -> Result<Option<Hover>, Failure> {
        let at = &params.text_document_position_params;
        let (document, offset) = self.here(at)?;
        let (mut parts, mut range) = (Vec::new(), None);
        for it in document.mistakes.iter().filter(|it| holds(it.range, at.position)) {
            if let Some(NumberOrString::String(code)) = &it.code
                && let Some(entry) = codes::lookup(code)
            {
                parts.push(format!("**{}: {}**\n\n{}", entry.id, entry.title, entry.page));
            }
        }
        if document.kind() == Kind::Bp
            && let Some((span, text)) = bp::hover(&*document.syntax()?, document.file(), offset)
        {
            range = Some(self.range(document, span));
            parts.push(text);
        }
        let line = u64::from(document.file().line(offset));
        let invariants = document.checked.iter().flat_map(|it| &it.record.invariants);
        let name = Some(document.file().name.as_str());
        for it in invariants.filter(|it| it.line == Some(line)) {
            if it.file.is_none() || it.file.as_deref() == name {
                parts.push(format!("{} holds\n\n    {}", it.at, it.holds));
            }
        }
        let text = parts.join("\n\n---\n\n");
        let contents =
            HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
        Ok((!parts.is_empty()).then_some(Hover { contents, range }))
    }

    fn definition(
        &self,
        params: &lsp_types::GotoDefinitionParams,
    ) -> Result<Vec<Location>, Failure> {
        let (document, offset) = self.here(&params.text_document_position_params)?;
        match document.kind() {
            Kind::Other => Ok(Vec::new()),
            Kind::Bp => {
                let found = bp::definition(&*document.syntax()?, offset);
                Ok(found.into_iter().map(|it| self.location(document, it)).collect())
            }
            Kind::C => {
                let text = &document.file().text;
                let Some(word) = c::word_at(text, offset) else { return Ok(Vec::new()) };
                let name = &text[word.range()];
                let found = || document.symbols.iter().filter(|it| it.name == name);
                let has_definition = found().any(|it| it.is_definition);
                let best = found().filter(|it| it.is_definition || !has_definition);
                Ok(best.filter_map(|it| self.declared(document, it)).collect())
            }
        }
    }

    /// Where a symbol of C is declared, in this file or in another.
    fn declared(&self, document: &Document, it: &c::Symbol) -> Option<Location> {
        if it.file == document.file().name {
            let range = it.range(document.file(), self.encoding);
            return Some(Location { uri: document.now().uri.clone(), range });
        }
        let start = lsp_types::Position::new(it.line.saturating_sub(1), 0);
        let uri = crate::diagnostics::address(&it.file)?;
        Some(Location { uri, range: Range::new(start, start) })
    }

    fn references(&self, params: &ReferenceParams) -> Result<Vec<Location>, Failure> {
        let (document, offset) = self.here(&params.text_document_position)?;
        let spans = match document.kind() {
            Kind::Other => Vec::new(),
            Kind::Bp => {
                let with_declaration = params.context.include_declaration;
                bp::references(&*document.syntax()?, offset, with_declaration)
            }
            Kind::C => by_name(document, offset),
        };
        Ok(spans.into_iter().map(|it| self.location(document, it)).collect())
    }

    fn highlights(
        &self,
        params: &lsp_types::DocumentHighlightParams,
    ) -> Result<Vec<DocumentHighlight>, Failure> {
        let (document, offset) = self.here(&params.text_document_position_params)?;
        let places = match document.kind() {
            Kind::Other => Vec::new(),
            Kind::Bp => bp::highlights(&*document.syntax()?, offset),
            Kind::C => by_name(document, offset).into_iter().map(|it| (it, Role::Used)).collect(),
        };
        let highlight = |(span, role)| DocumentHighlight {
            range: self.range(document, span),
            kind: Some(match role {
                Role::Declared => DocumentHighlightKind::TEXT,
                Role::Written => DocumentHighlightKind::WRITE,
                Role::Used => DocumentHighlightKind::READ,
            }),
        };
        Ok(places.into_iter().map(highlight).collect())
    }

    fn symbols(&self, params: &DocumentSymbolParams) -> Result<Value, Failure> {
        let document = self.documents.get(&params.text_document.uri)?;
        let file = document.file();
        value(match document.kind() {
            Kind::Other => Vec::new(),
            Kind::Bp => bp::symbols(&*document.syntax()?, file, self.encoding),
            Kind::C => c::outline(&document.symbols, file, self.encoding),
        })
    }

    /// `null` for a document that is no Boolean program: others know better.
    fn folds(&self, params: &FoldingRangeParams) -> Result<Value, Failure> {
        match self.program(&params.text_document.uri)? {
            Some(it) => value(bp::folds(&*it.syntax()?, it.file(), &budget())),
            None => Ok(Value::Null),
        }
    }

    fn tokens(&self, params: &SemanticTokensParams) -> Result<Value, Failure> {
        match self.program(&params.text_document.uri)? {
            Some(it) => value(bp::tokens(&*it.syntax()?, it.file(), self.encoding)),
            None => Ok(Value::Null),
        }
    }

    fn complete(&self, params: &CompletionParams) -> Result<Value, Failure> {
        let (document, offset) = self.here(&params.text_document_position)?;
        if document.kind() != Kind::Bp {
            return Ok(Value::Null);
        }
        value(bp::complete(&*document.syntax()?, document.file(), offset, &budget()))
    }

    /// A document if it is a Boolean program.
    fn program(&self, uri: &Uri) -> Result<Option<&Document>, Failure> {
        Ok(Some(self.documents.get(uri)?).filter(|it| it.kind() == Kind::Bp))
    }

    fn format(&self, params: &DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Failure> {
        let Some(document) = self.program(&params.text_document.uri)? else { return Ok(None) };
        let change = bp::format(&*document.syntax()?, document.file()).map_err(Failure::refused)?;
        let edit = |(span, new_text)| TextEdit { range: self.range(document, span), new_text };
        Ok(Some(change.into_iter().map(edit).collect()))
    }

    fn prepare_rename(&self, at: &TextDocumentPositionParams) -> Result<Option<Range>, Failure> {
        let (document, offset) = self.here(at)?;
        if document.kind() != Kind::Bp {
            return Ok(None);
        }
        Ok(bp::prepare(&*document.syntax()?, offset).map(|it| self.range(document, it)))
    }

    fn rename(&self, params: &RenameParams) -> Result<WorkspaceEdit, Failure> {
        let (document, offset) = self.here(&params.text_document_position)?;
        if document.kind() != Kind::Bp {
            return Err(Failure::refused("only names of Boolean programs can be changed"));
        }
        let (file, name) = (document.file(), &params.new_name);
        let places = bp::rename(&*document.syntax()?, file, offset, name, &budget());
        let edits = places
            .map_err(Failure::refused)?
            .into_iter()
            .map(|it| TextEdit { range: self.range(document, it), new_text: name.clone() });
        let uri = document.now().uri.clone();
        #[allow(clippy::mutable_key_type)] // It is the type of the protocol.
        let changes = [(uri, edits.collect())].into();
        Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }

    fn lenses(&self, params: &CodeLensParams) -> Result<Vec<lsp_types::CodeLens>, Failure> {
        let document = self.documents.get(&params.text_document.uri)?;
        if self.settings.check == When::Off {
            return Ok(Vec::new());
        }
        let is_checked = self.checking.is_about(&document.now().uri);
        Ok(lenses(document, is_checked, self.encoding))
    }

    /// For each mistake in a range, its page.
    fn actions(&self, params: &CodeActionParams) -> Result<Vec<CodeActionOrCommand>, Failure> {
        let document = self.documents.get(&params.text_document.uri)?;
        let touches = |it: Range| it.start <= params.range.end && params.range.start <= it.end;
        let mut actions: Vec<CodeActionOrCommand> = Vec::new();
        for it in document.mistakes.iter().filter(|it| touches(it.range)) {
            let Some(NumberOrString::String(code)) = &it.code else { continue };
            let title = format!("Explain {code}");
            let arguments = Some(vec![json!(code)]);
            let command = Command { title: title.clone(), command: EXPLAIN.into(), arguments };
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![it.clone()]),
                command: Some(command),
                ..CodeAction::default()
            }));
        }
        Ok(actions)
    }
}

/// All places of the name at a place of C, if it is one that is declared outside of functions.
fn by_name(document: &Document, offset: u32) -> Vec<Span> {
    let text = &document.file().text;
    let Some(word) = c::word_at(text, offset) else { return Vec::new() };
    let name = &text[word.range()];
    let is_known = document.symbols.iter().any(|it| it.name == name);
    if is_known { c::occurrences(text, name) } else { Vec::new() }
}

fn holds(range: Range, at: lsp_types::Position) -> bool {
    range.start <= at && at <= range.end
}
