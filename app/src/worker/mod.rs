//! The worker: owns the open trace, the engine and the WebGPU device, and answers the page.
//!
//! Each request is a task of its own. Long ones (replay, plan) give way after every case or operator, so that a request for a
//! heatmap or a cancellation comes through while they run.

mod describe;
mod gpu;
mod heat;
mod open;
mod outbox;
mod plan;
mod replay;
mod session;
mod turns;

use crate::protocol::{Asked, GpuStatus, NoGpu, Request, RequestId, Response, decode};
use outbox::Outbox;
use session::Session;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Everything that lives as long as the worker.
pub(crate) struct Host {
    outbox: Outbox,
    gpu: gpu::SharedGpu,
    session: RefCell<Option<Rc<Session>>>,
    /// Numbers of the newest requests of their kind; what an older one still does is of no use any more.
    newest: Newest,
    /// Whether a plan is running: the replay waits for it.
    plan_runs: Cell<bool>,
    /// Whether the page knows that the device is lost.
    loss_is_told: Cell<bool>,
}

/// Numbers of the newest requests of their kind.
#[derive(Default)]
struct Newest {
    open: Cell<RequestId>,
    replay: Cell<RequestId>,
    plan: Cell<RequestId>,
    grid: Cell<RequestId>,
    element: Cell<RequestId>,
}

/// Begins to listen.
pub fn start() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let outbox = Outbox::new(scope.clone());
    let host = Rc::new(Host {
        outbox: outbox.clone(),
        gpu: gpu::acquire(outbox.clone()),
        session: RefCell::default(),
        newest: Newest::default(),
        plan_runs: Cell::new(false),
        loss_is_told: Cell::new(false),
    });
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| host.receive(event.data()));
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The worker listens until it ends.
    on_message.forget();
    outbox.post(0, Response::Ready);
}

impl Host {
    fn receive(self: &Rc<Self>, message: JsValue) {
        let Asked { id, request } = match decode(message) {
            Ok(asked) => asked,
            Err(error) => {
                let reason = format!("the page and its worker are of different versions ({error}): reload the page");
                return self.outbox.post(0, Response::Failed(reason));
            }
        };
        self.note(id, &request);
        let host = self.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let response = host.answer(id, request).await;
            host.tell_loss();
            if let Some(response) = response {
                host.outbox.post(id, response);
            }
        });
    }

    /// Tells the page, once, when the device is lost; gives whether it is.
    fn tell_loss(&self) -> bool {
        let gpu = self.session.borrow().as_ref().and_then(|session| session.replayer.gpu().cloned());
        let Some(reason) = gpu.and_then(|gpu| gpu.lost()) else { return false };
        if !self.loss_is_told.replace(true) {
            self.outbox.post(0, Response::Gpu(GpuStatus::Missing { reason: NoGpu::Lost(reason) }));
        }
        true
    }

    /// Supersedes older requests at once, before their tasks run on.
    fn note(&self, id: RequestId, request: &Request) {
        match request {
            Request::Open(_) => self.newest.open.set(id),
            Request::Replay { .. } | Request::CancelReplay => self.newest.replay.set(id),
            Request::RunPlan { .. } | Request::CancelPlan => self.newest.plan.set(id),
            Request::Grid(_) => self.newest.grid.set(id),
            Request::Element(_) => self.newest.element.set(id),
            Request::Describe { .. } => {}
        }
    }

    async fn answer(self: &Rc<Self>, id: RequestId, request: Request) -> Option<Response> {
        if let Request::Open(source) = request {
            return self.open(id, source).await;
        }
        let Some(session) = self.session.borrow().clone() else {
            return Some(Response::Failed("no trace is open".to_owned()));
        };
        match request {
            Request::Open(_) | Request::CancelReplay | Request::CancelPlan => None,
            Request::Replay { operators } => Some(self.replay(id, &session, &operators).await),
            Request::RunPlan { layers, step } => self.run_plan(id, &session, layers, step).await,
            Request::Describe { operator } => Some(describe::describe(&session, operator)),
            Request::Grid(request) => self.grid(id, &session, request).await,
            Request::Element(request) => self.element(id, &session, request).await,
        }
    }

    async fn open(&self, id: RequestId, source: crate::protocol::Source) -> Option<Response> {
        let opened = open::open(source).await;
        let gpu = self.gpu.clone().await;
        if self.newest.open.get() != id {
            return None;
        }
        Some(match opened {
            Ok(trace) => {
                let session = Rc::new(Session::new(trace, gpu));
                let summary = session.summary();
                // What still runs on the trace before is of no use any more.
                self.newest.replay.set(id);
                self.newest.plan.set(id);
                *self.session.borrow_mut() = Some(session);
                Response::Opened(Box::new(summary))
            }
            Err(error) => Response::Failed(error),
        })
    }
}
