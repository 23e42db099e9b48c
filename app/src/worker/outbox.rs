//! Sending answers to the page.

use crate::protocol::{Answered, RequestId, Response, encode};
use web_sys::DedicatedWorkerGlobalScope;

/// The way back to the page.
#[derive(Clone)]
pub(super) struct Outbox {
    scope: DedicatedWorkerGlobalScope,
}

impl Outbox {
    pub(super) fn new(scope: DedicatedWorkerGlobalScope) -> Self {
        Outbox { scope }
    }

    pub(super) fn post(&self, id: RequestId, response: Response) {
        let answered = Answered { id, response };
        let posted = encode(&answered)
            .map_err(Into::into)
            .and_then(|message| self.scope.post_message_with_transfer(&message, &answered.transferables()));
        if let Err(error) = posted {
            web_sys::console::error_2(&"an answer could not be sent:".into(), &error);
        }
    }
}
