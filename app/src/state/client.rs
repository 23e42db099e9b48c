//! The page's end of the line to the worker.

use crate::protocol::{Answered, Asked, Request, RequestId, Response, decode, encode};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// The script that loads the worker; Trunk makes it.
const WORKER: &str = "./taproot-worker_loader.js";

/// The worker, as the page sees it.
pub struct Client {
    worker: Worker,
    last: Cell<RequestId>,
    line: Rc<Line>,
}

/// Messages sent before the worker listens would be lost.
#[derive(Default)]
struct Line {
    is_ready: Cell<bool>,
    waiting: RefCell<Vec<JsValue>>,
}

impl Client {
    /// Starts the worker. `receive` gets every answer, `broke` the reason when the worker stopped for good.
    ///
    /// # Errors
    /// When the browser refuses to start a worker.
    pub fn start(receive: impl Fn(Answered) + 'static, broke: impl Fn(String) + 'static) -> Result<Self, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name("taproot engine");
        let worker = Worker::new_with_options(WORKER, &options)?;
        let line = Rc::new(Line::default());
        let broke = Rc::new(broke);
        let on_message = {
            let (worker, line, broke) = (worker.clone(), line.clone(), broke.clone());
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| match decode::<Answered>(event.data()) {
                Ok(Answered { response: Response::Ready, .. }) => line.open(&worker),
                Ok(answered) => receive(answered),
                Err(error) => {
                    broke(format!("the page and its worker are of different versions ({error}): reload the page"))
                }
            })
        };
        let on_error = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            let message = event.message();
            let about = if message.is_empty() { "its script could not be loaded".to_owned() } else { message };
            broke(format!("the engine stopped ({about}): reload the page to start it again"));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        // Both live as long as the page.
        on_message.forget();
        on_error.forget();
        Ok(Client { worker, last: Cell::new(0), line })
    }

    /// Asks, and gives the number that the answers will carry.
    pub fn ask(&self, request: Request) -> RequestId {
        let id = self.last.get() + 1;
        self.last.set(id);
        match encode(&Asked { id, request }) {
            Ok(message) => self.line.send(&self.worker, message),
            Err(error) => web_sys::console::error_2(&"a request could not be sent:".into(), &error.into()),
        }
        id
    }
}

impl Line {
    fn open(&self, worker: &Worker) {
        self.is_ready.set(true);
        for message in self.waiting.take() {
            post(worker, &message);
        }
    }

    fn send(&self, worker: &Worker, message: JsValue) {
        if self.is_ready.get() {
            post(worker, &message);
        } else {
            self.waiting.borrow_mut().push(message);
        }
    }
}

fn post(worker: &Worker, message: &JsValue) {
    if let Err(error) = worker.post_message(message) {
        web_sys::console::error_2(&"a request could not be sent:".into(), &error);
    }
}
