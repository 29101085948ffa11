//! Why a request has no result.

use std::fmt;

use lsp_server::{ErrorCode, RequestId, Response};

/// An error of JSON-RPC.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    code: i32,
    message: String,
}

impl Failure {
    fn new(code: ErrorCode, message: impl Into<String>) -> Failure {
        Failure { code: code as i32, message: message.into() }
    }

    /// There is no such method.
    pub fn no_method(name: &str) -> Failure {
        Failure::new(ErrorCode::MethodNotFound, format!("there is no method {name}"))
    }

    /// What was sent along does not fit the method.
    pub fn params(why: impl ToString) -> Failure {
        Failure::new(ErrorCode::InvalidParams, why.to_string())
    }

    /// Not at this time.
    pub fn out_of_order(why: &str) -> Failure {
        Failure::new(ErrorCode::InvalidRequest, why)
    }

    /// Understood, and there is a reason why it cannot be done.
    pub fn refused(why: impl ToString) -> Failure {
        Failure::new(ErrorCode::RequestFailed, why.to_string())
    }

    /// The client, or a newer text, wants no answer any more.
    pub fn cancelled(why: &str) -> Failure {
        Failure::new(ErrorCode::RequestCanceled, why)
    }

    /// Our mistake.
    pub fn internal(why: &str) -> Failure {
        Failure::new(ErrorCode::InternalError, why)
    }

    pub fn response(self, id: RequestId) -> Response {
        Response::new_err(id, self.code, self.message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
