//! Which GPU, driver, features and limits results were computed with.

use serde::{Deserialize, Serialize};

/// The adapter behind a device, as far as the platform tells: browsers leave most of it empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GpuInfo {
    /// Name of the GPU.
    pub name: String,
    /// Vendor: a name in browsers ("nvidia"), a PCI id natively ("0x10de").
    pub vendor: String,
    /// Architecture ("hopper"), only told by browsers.
    pub architecture: String,
    /// `vulkan`, `metal`, `dx12`, `webgpu` …
    pub backend: String,
    /// `discrete`, `integrated`, `virtual`, `cpu` or `other`.
    pub device_type: String,
    /// Driver's name and version.
    pub driver: String,
    /// Features of the adapter by their WebGPU names, sorted.
    pub features: Vec<String>,
    /// Limits of the device.
    pub limits: GpuLimits,
}

/// The limits that decide what fits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GpuLimits {
    /// Bytes in one buffer.
    pub max_buffer_size: u64,
    /// Bytes that one binding of a kernel can see.
    pub max_storage_buffer_binding_size: u64,
    /// Storage buffers of one kernel.
    pub max_storage_buffers_per_shader_stage: u32,
    /// Bytes that a workgroup shares.
    pub max_compute_workgroup_storage_size: u32,
    /// Invocations in a workgroup.
    pub max_compute_invocations_per_workgroup: u32,
    /// Workgroups along one dimension of a dispatch.
    pub max_compute_workgroups_per_dimension: u32,
}

impl GpuInfo {
    /// Gathers what `adapter` and, in a browser, `navigator.gpu` tell.
    pub(super) async fn gather(adapter: &wgpu::Adapter, limits: &wgpu::Limits) -> Self {
        let native = adapter.get_info();
        let mut info = GpuInfo {
            name: native.name,
            vendor: if native.vendor == 0 { String::new() } else { format!("{:#06x}", native.vendor) },
            architecture: String::new(),
            backend: native.backend.to_string(),
            device_type: device_type(native.device_type).to_owned(),
            driver: [native.driver, native.driver_info].join(" ").trim().to_owned(),
            features: feature_names(adapter.features()),
            limits: GpuLimits::from(limits),
        };
        add_browser_info(&mut info).await;
        info.features.sort();
        info.features.dedup();
        info
    }
}

impl From<&wgpu::Limits> for GpuLimits {
    fn from(limits: &wgpu::Limits) -> Self {
        GpuLimits {
            max_buffer_size: limits.max_buffer_size,
            max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
            max_storage_buffers_per_shader_stage: limits.max_storage_buffers_per_shader_stage,
            max_compute_workgroup_storage_size: limits.max_compute_workgroup_storage_size,
            max_compute_invocations_per_workgroup: limits.max_compute_invocations_per_workgroup,
            max_compute_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
        }
    }
}

fn device_type(kind: wgpu::DeviceType) -> &'static str {
    match kind {
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        wgpu::DeviceType::Cpu => "cpu",
        wgpu::DeviceType::Other => "other",
    }
}

fn feature_names(features: wgpu::Features) -> Vec<String> {
    [
        (wgpu::Features::SHADER_F16, "shader-f16"),
        (wgpu::Features::SUBGROUP, "subgroups"),
        (wgpu::Features::TIMESTAMP_QUERY, "timestamp-query"),
    ]
    .into_iter()
    .filter(|(feature, _)| features.contains(*feature))
    .map(|(_, name)| name.to_owned())
    .collect()
}

#[cfg(not(target_arch = "wasm32"))]
async fn add_browser_info(_: &mut GpuInfo) {}

/// wgpu passes on neither vendor nor architecture nor the features that it has no flag for, so `navigator.gpu` is asked
/// directly; whatever it does not tell stays as it is.
#[cfg(target_arch = "wasm32")]
async fn add_browser_info(info: &mut GpuInfo) {
    use js_sys::{Array, Function, Promise, Reflect};
    use wasm_bindgen::{JsCast as _, JsValue};

    async fn adapter() -> Option<JsValue> {
        let get = |object: &JsValue, name: &str| Reflect::get(object, &JsValue::from_str(name)).ok();
        let gpu = get(&get(&js_sys::global(), "navigator")?, "gpu")?;
        let request: Function = get(&gpu, "requestAdapter")?.dyn_into().ok()?;
        let promise: Promise = request.call0(&gpu).ok()?.dyn_into().ok()?;
        wasm_bindgen_futures::JsFuture::from(promise).await.ok()
    }
    let Some(adapter) = adapter().await else { return };
    let text = |name: &str| {
        let details = Reflect::get(&adapter, &JsValue::from_str("info")).ok()?;
        Reflect::get(&details, &JsValue::from_str(name)).ok()?.as_string().filter(|text| !text.is_empty())
    };
    info.vendor = text("vendor").unwrap_or_default();
    info.architecture = text("architecture").unwrap_or_default();
    if info.name.is_empty() {
        info.name =
            text("device").unwrap_or_else(|| format!("{} {}", info.vendor, info.architecture).trim().to_owned());
    }
    if let Ok(features) = Reflect::get(&adapter, &JsValue::from_str("features")) {
        info.features.extend(Array::from(&features).iter().filter_map(|name| name.as_string()));
    }
}
