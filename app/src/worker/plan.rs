//! Running a plan, one at a time.

use super::Host;
use super::session::Session;
use super::turns::give_way;
use crate::protocol::{RequestId, Response};
use gloo_timers::future::TimeoutFuture;
use std::ops::{ControlFlow, Range};
use taproot_engine::replay::{Plan, PlanProgress};

/// Operators between two reports of progress: the page need not hear of each.
const REPORTED: usize = 16;
/// How often a new plan looks whether the one before has stopped.
const PREDECESSOR_POLL_MS: u32 = 5;

impl Host {
    /// Runs a plan and posts each layer as it is known; `None` where a newer request took its place.
    pub(super) async fn run_plan(
        &self,
        id: RequestId,
        session: &Session,
        layers: Range<usize>,
        step: usize,
    ) -> Option<Response> {
        while self.plan_runs.get() {
            TimeoutFuture::new(PREDECESSOR_POLL_MS).await;
        }
        give_way().await;
        if self.newest.plan.get() != id {
            return None;
        }
        self.plan_runs.set(true);
        let mut progress = |progress: PlanProgress| {
            match progress {
                PlanProgress::Layer(error) => self.outbox.post(id, Response::PlanLayer(error)),
                PlanProgress::Operators { done, total } if done % REPORTED == 0 || done == total => {
                    self.outbox.post(id, Response::PlanProgress { done, total });
                }
                PlanProgress::Operators { .. } => {}
            }
            if self.newest.plan.get() == id { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let result = session.replayer.run_plan(&Plan { layers, step }, &mut progress).await;
        self.plan_runs.set(false);
        Some(match result {
            Ok(result) => Response::PlanEnded(Box::new(result)),
            Err(error) => Response::Failed(error.to_string()),
        })
    }
}
