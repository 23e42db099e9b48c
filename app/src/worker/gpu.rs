//! The WebGPU device: asked for once, when the worker starts.

use super::outbox::Outbox;
use crate::protocol::{GpuStatus, NoGpu, Response};
use futures_util::FutureExt as _;
use futures_util::future::{LocalBoxFuture, Shared};
use js_sys::Reflect;
use std::rc::Rc;
use taproot_engine::webgpu::Gpu;
use wasm_bindgen::JsValue;

/// The device as soon as it is there, `None` if there is none.
pub(super) type SharedGpu = Shared<LocalBoxFuture<'static, Option<Rc<Gpu>>>>;

/// Asks for a device, and tells the page what came of it.
pub(super) fn acquire(outbox: Outbox) -> SharedGpu {
    let acquiring = async move {
        let found = request().await;
        let status = match &found {
            Ok(gpu) => GpuStatus::Device(gpu.info().clone()),
            Err(reason) => GpuStatus::Missing { reason: reason.clone() },
        };
        outbox.post(0, Response::Gpu(status));
        found.ok()
    };
    let shared = acquiring.boxed_local().shared();
    // Begins now, not only when a trace is open.
    wasm_bindgen_futures::spawn_local(shared.clone().map(|_| ()));
    shared
}

async fn request() -> Result<Rc<Gpu>, NoGpu> {
    if !has_api() {
        return Err(if is_secure() { NoGpu::NoApi } else { NoGpu::InsecureContext });
    }
    Gpu::new().await.map(Rc::new).map_err(|error| NoGpu::NoDevice(error.to_string()))
}

fn has_api() -> bool {
    let navigator = Reflect::get(&js_sys::global(), &JsValue::from_str("navigator"));
    navigator.and_then(|navigator| Reflect::get(&navigator, &JsValue::from_str("gpu"))).is_ok_and(|gpu| gpu.is_object())
}

fn is_secure() -> bool {
    let secure = Reflect::get(&js_sys::global(), &JsValue::from_str("isSecureContext"));
    secure.ok().and_then(|secure| secure.as_bool()).unwrap_or(false)
}
