//! The GPU: its name in the top bar, and all about it in a dialog.

use super::popup::{Popup, PopupDialog};
use crate::protocol::GpuStatus;
use crate::state::Store;
use leptos::prelude::*;
use taproot_engine::webgpu::GpuInfo;
use taproot_view::number;

/// The badge with its dialog.
#[component]
pub(super) fn GpuBadge() -> impl IntoView {
    let store = Store::get();
    let popup = Popup::new();
    let name = move || {
        store.gpu.with(|gpu| match gpu {
            None => "GPU…".to_owned(),
            Some(GpuStatus::Missing { .. }) => "no WebGPU".to_owned(),
            Some(GpuStatus::Device(info)) => short_name(info),
        })
    };
    let state = move || {
        store.gpu.with(|gpu| match gpu {
            None => "pending",
            Some(GpuStatus::Missing { .. }) => "missing",
            Some(GpuStatus::Device(_)) => "device",
        })
    };
    view! {
        <button
            class="button badge"
            data-testid="gpu-badge"
            data-gpu=state
            title="Adapter, features and limits"
            aria-haspopup="dialog"
            on:click=move |_| popup.open()
        >
            <span class="badge-light" aria-hidden="true"></span>
            <span class="badge-name">{name}</span>
        </button>
        <PopupDialog popup=popup title="GPU" testid="gpu-dialog">
            {move || store.gpu.with(|gpu| match gpu {
                Some(GpuStatus::Device(info)) => view! { <Details info=info.clone()/> }.into_any(),
                Some(GpuStatus::Missing { .. }) => view! { <p>"This page has no WebGPU device."</p> }.into_any(),
                None => view! { <p>"The browser has not answered yet."</p> }.into_any(),
            })}
        </PopupDialog>
    }
}

#[component]
fn Details(info: GpuInfo) -> impl IntoView {
    let limits = info.limits.clone();
    let rows = [
        ("name", info.name.clone()),
        ("vendor", info.vendor.clone()),
        ("architecture", info.architecture.clone()),
        ("type", info.device_type.clone()),
        ("backend", info.backend.clone()),
        ("driver", info.driver.clone()),
        ("buffer", number::bytes(limits.max_buffer_size)),
        ("storage binding", number::bytes(limits.max_storage_buffer_binding_size)),
        ("storage buffers per stage", limits.max_storage_buffers_per_shader_stage.to_string()),
        ("workgroup memory", number::bytes(limits.max_compute_workgroup_storage_size.into())),
        ("invocations per workgroup", limits.max_compute_invocations_per_workgroup.to_string()),
        ("workgroups per dimension", limits.max_compute_workgroups_per_dimension.to_string()),
    ];
    let known = rows.into_iter().filter(|(_, value)| !value.is_empty());
    view! {
        <table class="facts">
            <tbody>
                {known.map(|(name, value)| view! { <tr><th scope="row">{name}</th><td>{value}</td></tr> }).collect_view()}
            </tbody>
        </table>
        <h3>"Features"</h3>
        <ul class="chips" data-testid="gpu-features">
            {info.features.iter().map(|feature| view! { <li>{feature.clone()}</li> }).collect_view()}
        </ul>
    }
}

fn short_name(info: &GpuInfo) -> String {
    let candidates = [&info.name, &info.architecture, &info.vendor, &info.device_type];
    candidates.into_iter().find(|name| !name.is_empty()).cloned().unwrap_or_else(|| "WebGPU".to_owned())
}
