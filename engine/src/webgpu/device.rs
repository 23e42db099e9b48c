//! The device: opening it, running operators on it, and losing it.

use super::info::GpuInfo;
use super::memory::{Allocation, Memory};
use super::pass::Pass;
use super::pipeline::Pipelines;
use super::scopes::{Caught, Scopes};
use super::{GpuError, GpuTensor, KernelFailure, KernelOverride, kernels};
use crate::graph::{Call, Meta, OpError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A WebGPU device with its queue, compiled kernels and kernel overrides.
#[derive(Debug)]
pub struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) pipelines: Pipelines,
    pub(super) memory: Arc<Memory>,
    info: GpuInfo,
    lost: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Opens the fastest adapter with all its limits.
    ///
    /// In a browser whose GPU process is still starting the first answer can be "no adapter", so it asks three times.
    ///
    /// # Errors
    /// When there is no adapter or it opens no device.
    pub async fn new() -> Result<Self, GpuError> {
        Self::open(|adapter| adapter.limits()).await
    }

    /// Opens the fastest adapter with the limits that every WebGPU device has, and no more: what runs on it runs anywhere.
    ///
    /// # Errors
    /// When there is no adapter or it opens no device.
    pub async fn with_default_limits() -> Result<Self, GpuError> {
        Self::open(|_| wgpu::Limits::default()).await
    }

    async fn open(limits: impl Fn(&wgpu::Adapter) -> wgpu::Limits) -> Result<Self, GpuError> {
        let adapter = adapter().await?;
        let limits = limits(&adapter);
        let wanted = wgpu::Features::SHADER_F16 | wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SUBGROUP;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("taproot"),
            required_features: adapter.features() & wanted,
            required_limits: limits.clone(),
            ..Default::default()
        };
        let (device, queue) =
            adapter.request_device(&descriptor).await.map_err(|error| GpuError::RequestDevice(error.to_string()))?;
        let info = GpuInfo::gather(&adapter, &limits).await;
        let lost = Arc::new(Mutex::new(None));
        let reason = Arc::clone(&lost);
        device.set_device_lost_callback(move |kind, message| {
            let text = if message.is_empty() { format!("{kind:?}") } else { message };
            reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text);
        });
        // Only uploads happen outside error scopes; without a handler an error there would end a native process.
        let exhausted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&exhausted);
        device.on_uncaptured_error(Arc::new(move |error| {
            if matches!(error, wgpu::Error::OutOfMemory { .. }) {
                flag.store(true, Ordering::Relaxed);
            }
        }));
        let memory = Memory::new(&device, exhausted);
        Ok(Gpu { device, queue, pipelines: Pipelines::default(), memory, info, lost })
    }

    /// What results are computed on.
    pub fn info(&self) -> &GpuInfo {
        &self.info
    }

    /// Why the device was lost, if it was; everything after that fails with [`GpuError::Lost`].
    pub fn lost(&self) -> Option<String> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Bytes in all live tensors.
    pub fn bytes_in_use(&self) -> u64 {
        self.memory.in_use()
    }

    /// The most bytes ever in use.
    pub fn peak_bytes(&self) -> u64 {
        self.memory.peak()
    }

    /// Replaces the WGSL of kernels, for finding out what a bug in one would do. The list replaces the one before it;
    /// where several fit, the last wins.
    ///
    /// # Errors
    /// When an override names no kernel or its `only` is no glob. The overrides before stay then.
    pub fn set_overrides(&mut self, overrides: Vec<KernelOverride>) -> Result<(), GpuError> {
        self.pipelines.set_overrides(overrides)
    }

    /// Runs one operator, inside error scopes, and gives its results. `id` is the operator's id in the trace: it stands
    /// in errors, and overrides choose by it.
    ///
    /// # Errors
    /// When the call breaks a rule of the operator, a kernel fails, memory runs out, or the device is lost.
    pub async fn run(&self, id: &str, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
        match kernels::lookup(call.op()) {
            Some(kernels::Runs::Kernel(signature, kernel)) => {
                let results = signature.check(&metas(call))?;
                self.run_kernel(id, call, results, kernel).await
            }
            Some(kernels::Runs::View(view)) => {
                let input = call.tensor("input")?;
                let layouts = view.check(&call.map_tensors(|tensor| tensor.layout().clone()))?;
                layouts.into_iter().map(|layout| input.with_layout(layout)).collect()
            }
            None => Err(OpError::Unknown(call.op().to_owned()).into()),
        }
    }

    /// Waits until all work so far is done, for measuring time.
    ///
    /// # Errors
    /// When the device is lost.
    pub async fn finish(&self) -> Result<(), GpuError> {
        self.check_alive()?;
        let (sender, receiver) = futures_channel::oneshot::channel();
        self.queue.on_submitted_work_done(move || {
            // Nobody listens when this future was dropped.
            let _ = sender.send(());
        });
        self.wait();
        // A sender dropped unsent means that the device is gone.
        let _ = receiver.await;
        self.check_alive()
    }

    pub(super) async fn run_kernel(
        &self,
        id: &str,
        call: &Call<GpuTensor>,
        results: Vec<Meta>,
        kernel: kernels::KernelFn,
    ) -> Result<Vec<GpuTensor>, GpuError> {
        self.check_alive()?;
        let scopes = Scopes::push(&self.device);
        let mut pass = Pass::new(self, id, results);
        // A kernel that gives up has recorded nothing worth running.
        let outcome = kernel(&mut pass, call).and_then(|tensors| Ok((tensors, pass.submit()?)));
        let caught = scopes.pop().await;
        self.check_alive()?;
        let (tensors, trail) = outcome?;
        if caught.is_clean() {
            return Ok(tensors);
        }
        self.pipelines.forget(&trail.fresh);
        Err(self.explain(id, call.op(), caught, trail).await)
    }

    /// Turns what the scopes caught into the error that says most.
    async fn explain(&self, id: &str, op: &str, caught: Caught, trail: super::pass::Trail) -> GpuError {
        for fresh in &trail.fresh {
            if let Some(error) = fresh.compile_error().await {
                return error;
            }
        }
        if self.memory.take_exhausted() {
            let what = format!("the inputs of {op} ({id})");
            return GpuError::OutOfMemory { what, bytes: self.memory.in_use() };
        }
        let (op, id, kernel) = (op.to_owned(), id.to_owned(), trail.kernels.join(", "));
        if caught.out_of_memory {
            return GpuError::OutOfMemory { what: format!("{op} ({id})"), bytes: trail.bytes };
        }
        let failure = |message| Box::new(KernelFailure { op, id, kernel, message });
        match caught {
            Caught { validation: Some(message), .. } => GpuError::Validation(failure(message)),
            Caught { internal, .. } => GpuError::Internal(failure(internal.unwrap_or_default())),
        }
    }

    /// Fails when the device is lost.
    pub(super) fn check_alive(&self) -> Result<(), GpuError> {
        self.lost().map_or(Ok(()), |reason| Err(GpuError::Lost(reason)))
    }

    /// Natively drives the device until it is idle, so that callbacks are called; browsers do that themselves.
    pub(super) fn wait(&self) {
        // Failing to wait means a lost device, which the caller's check reports.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
    }

    /// Memory for a tensor.
    pub(super) fn allocate(&self, bytes: u64, what: &str) -> Result<Arc<Allocation>, GpuError> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        self.memory.allocate(bytes, usage, what).map(Arc::new)
    }
}

/// dtypes and shapes of a call's tensors.
pub(super) fn metas(call: &Call<GpuTensor>) -> Call<Meta> {
    call.map_tensors(|tensor| Meta::new(tensor.dtype(), tensor.shape()))
}

async fn adapter() -> Result<wgpu::Adapter, GpuError> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let options =
        wgpu::RequestAdapterOptions { power_preference: wgpu::PowerPreference::HighPerformance, ..Default::default() };
    let mut tries_left = ADAPTER_TRIES;
    loop {
        match instance.request_adapter(&options).await {
            Ok(adapter) => return Ok(adapter),
            Err(error) => {
                tries_left -= 1;
                if tries_left == 0 {
                    return Err(GpuError::NoAdapter(error.to_string()));
                }
                pause().await;
            }
        }
    }
}

/// Natively the answer does not change by asking again.
#[cfg(not(target_arch = "wasm32"))]
const ADAPTER_TRIES: u32 = 1;
#[cfg(target_arch = "wasm32")]
const ADAPTER_TRIES: u32 = 3;

#[cfg(not(target_arch = "wasm32"))]
async fn pause() {}

/// 1.5 seconds, about what a browser's GPU process needs to start.
#[cfg(target_arch = "wasm32")]
async fn pause() {
    use wasm_bindgen::{JsCast as _, JsValue};
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        // Works in pages and workers alike; without a timer there is nothing to wait for.
        let timer = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("setTimeout"));
        if let Some(timer) = timer.ok().and_then(|timer| timer.dyn_into::<js_sys::Function>().ok()) {
            let _ = timer.call2(&JsValue::UNDEFINED, &resolve, &JsValue::from_f64(1500.0));
        } else {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    });
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
}
