//! Replaying cases one by one.

use super::Host;
use super::session::Session;
use super::turns::give_way;
use crate::protocol::{RequestId, Response};
use gloo_timers::future::TimeoutFuture;

/// How often a waiting replay looks whether the plan is over.
const PLAN_POLL_MS: u32 = 20;

impl Host {
    /// Replays the cases in order and posts each as it is judged; gives the end of the replay.
    pub(super) async fn replay(&self, id: RequestId, session: &Session, operators: &[usize]) -> Response {
        for &operator in operators {
            // Someone is dragging the slider and waits for the plan; the replay can wait.
            while self.plan_runs.get() && self.newest.replay.get() == id {
                TimeoutFuture::new(PLAN_POLL_MS).await;
            }
            give_way().await;
            if self.newest.replay.get() != id {
                return Response::ReplayEnded { cancelled: true };
            }
            let result = session.replayer.case(operator).await;
            // What a lost device makes of a case says nothing about its kernel.
            if self.tell_loss() {
                return Response::ReplayEnded { cancelled: true };
            }
            if let Some(result) = result {
                self.outbox.post(id, Response::Case(Box::new(result)));
            }
        }
        Response::ReplayEnded { cancelled: false }
    }
}
