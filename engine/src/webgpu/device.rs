//! The device: opening it, waiting for it, and losing it.

use super::info::GpuInfo;
use super::memory::{Allocation, Memory};
use super::pipeline::Pipelines;
use super::{GpuError, KernelOverride};
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
