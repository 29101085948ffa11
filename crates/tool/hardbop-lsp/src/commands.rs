//! What a client can ask for by name: `hardbop.check`, `hardbop.explore`, `hardbop.explain`.

use lsp_server::RequestId;
use lsp_types::{ExecuteCommandParams, MessageType, Uri};
use serde_json::{Value, json};

use crate::checking::{Checked, Wanted, Wish};
use crate::failure::Failure;
use crate::pages;
use crate::server::Server;
use crate::verdict::sentence;

/// Arguments: the address of a document, and `{"entry": FUNCTION}` for C. The result has `verdict`, `message` and
/// `result`, which is `hardbop.result/1`; it comes when the check is over.
pub const CHECK: &str = "hardbop.check";
/// The same arguments. The result is the address of a page; a client that can is asked to open it.
pub const EXPLORE: &str = "hardbop.explore";
/// The argument is a code such as `bp0003`. The result is its page, which is shown, too.
pub const EXPLAIN: &str = "hardbop.explain";

pub const ALL: [&str; 3] = [CHECK, EXPLORE, EXPLAIN];

impl Server {
    /// Carries out a command; `None` if the answer comes later.
    pub fn command(
        &mut self,
        id: &RequestId,
        params: ExecuteCommandParams,
    ) -> Option<Result<Value, Failure>> {
        let first = params.arguments.first().and_then(Value::as_str);
        let Some(first) = first else {
            return Some(Err(Failure::params("the first argument is a text")));
        };
        match params.command.as_str() {
            EXPLAIN => Some(self.explain(first)),
            CHECK => self.ask(id, Wanted::Result, first, &params).err().map(Err),
            EXPLORE => match self.known(first) {
                Some(checked) => Some(self.page(&checked)),
                None => self.ask(id, Wanted::Page, first, &params).err().map(Err),
            },
            other => Some(Err(Failure::params(format!("there is no command {other}")))),
        }
    }

    fn explain(&self, code: &str) -> Result<Value, Failure> {
        let entry = hardbop_diag::codes::lookup(code)
            .ok_or_else(|| Failure::refused(format!("there is no code {code}")))?;
        let page = format!("{}: {}\n\n{}", entry.id, entry.title, entry.page.trim_end());
        self.client.show(MessageType::INFO, page.clone());
        Ok(json!(page))
    }

    /// A check whose end answers a request.
    fn ask(
        &mut self,
        id: &RequestId,
        wanted: Wanted,
        uri: &str,
        params: &ExecuteCommandParams,
    ) -> Result<(), Failure> {
        let uri: Uri = uri.parse().map_err(|_| Failure::params(format!("{uri} is no address")))?;
        let at = self.documents.get(&uri)?.now().clone();
        let entry = params.arguments.get(1).and_then(|it| it.get("entry")).and_then(Value::as_str);
        let token = params.work_done_progress_params.work_done_token.clone();
        let request = Some((id.clone(), wanted));
        self.check(Wish { at, entry: entry.map(String::from), request, token });
        Ok(())
    }

    /// What is known about the text as it is.
    fn known(&self, uri: &str) -> Option<Checked> {
        self.documents.get(&uri.parse().ok()?).ok()?.checked.clone()
    }

    /// What a request gets from a check.
    pub fn answer(&mut self, wanted: Wanted, checked: &Checked) -> Result<Value, Failure> {
        match wanted {
            Wanted::Page => self.page(checked),
            Wanted::Result => Ok(json!({
                "verdict": checked.record.verdict.to_string(),
                "message": sentence(&checked.record),
                "result": checked.item.record,
            })),
        }
    }

    fn page(&mut self, checked: &Checked) -> Result<Value, Failure> {
        self.n_pages += 1;
        let address = pages::write(&checked.item, self.n_pages);
        let address = address.map_err(|error| Failure::refused(format!("no page: {error}")))?;
        self.client.open(&address);
        Ok(json!(address))
    }
}
