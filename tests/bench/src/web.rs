//! What the page calls.

use crate::{Cost, Workload, measure, workloads};
use js_sys::{Array, Error, Object, Reflect};
use taproot_engine::webgpu::Gpu;
use wasm_bindgen::prelude::*;

/// The engine on a device of its own.
#[wasm_bindgen]
pub struct Bench {
    gpu: Gpu,
    workloads: Vec<Workload>,
}

#[wasm_bindgen]
impl Bench {
    /// Opens the device.
    ///
    /// # Errors
    /// When there is none.
    pub async fn open() -> Result<Bench, JsValue> {
        console_error_panic_hook::set_once();
        let gpu = Gpu::new().await.map_err(|error| Error::new(&error.to_string()))?;
        Ok(Bench { gpu, workloads: workloads() })
    }

    /// What the device says of itself.
    pub fn adapter(&self) -> String {
        let info = self.gpu.info();
        [info.vendor.as_str(), &info.architecture, &info.name].join(" ").trim().to_owned()
    }

    /// Every workload as `{name, op, dtype, shapes, operations or bytes}`.
    pub fn workloads(&self) -> Result<Array, JsValue> {
        self.workloads.iter().map(described).collect()
    }

    /// Seconds per run of the workload at `index`.
    ///
    /// # Errors
    /// When there is no such workload, or it cannot be run.
    pub async fn seconds(&self, index: usize) -> Result<f64, JsValue> {
        let workload = self.workloads.get(index).ok_or_else(|| Error::new("no such workload"))?;
        let clock = web_sys::window().and_then(|window| window.performance()).ok_or_else(|| Error::new("no clock"))?;
        let measured = measure(&self.gpu, workload, || clock.now() / 1e3).await;
        Ok(measured.map_err(|error| Error::new(&error.to_string()))?.seconds)
    }
}

fn described(workload: &Workload) -> Result<JsValue, JsValue> {
    let object = Object::new();
    let set = |key: &str, value: JsValue| Reflect::set(&object, &key.into(), &value);
    set("name", workload.name.as_str().into())?;
    set("op", workload.op.into())?;
    set("dtype", workload.dtype.name().into())?;
    let shape =
        |shape: &Vec<usize>| JsValue::from(shape.iter().map(|&size| JsValue::from(size as f64)).collect::<Array>());
    set("shapes", workload.tensors.iter().map(|(_, sizes)| shape(sizes)).collect::<Array>().into())?;
    match workload.cost {
        Cost::Operations(count) => set("operations", count.into())?,
        Cost::Bytes(count) => set("bytes", count.into())?,
    };
    Ok(object.into())
}
