//! What is shown where there is no WebGPU: that, why, and what to do.

use crate::protocol::{GpuStatus, NoGpu};
use crate::state::Store;
use leptos::prelude::*;

/// The panel; nothing where there is a device.
#[component]
pub(super) fn NoWebGpu() -> impl IntoView {
    let store = Store::get();
    let missing = Memo::new(move |_| {
        store.gpu.with(|gpu| match gpu {
            Some(GpuStatus::Missing { reason }) => Some(reason.clone()),
            _ => None,
        })
    });
    view! {
        {move || missing.get().map(|reason| view! {
            <section class="no-webgpu" role="alert" data-testid="no-webgpu">
                <h2>"This page has no WebGPU, so nothing can be replayed"</h2>
                <p data-testid="no-webgpu-reason">{why(&reason)}</p>
                <details>
                    <summary>"What to do"</summary>
                    <ul>{advice(&reason).iter().map(|line| view! { <li>{*line}</li> }).collect_view()}</ul>
                    {words(&reason).map(|words| view! { <p class="hint">"In its own words: "{words}</p> })}
                </details>
                <p>"The trace can still be browsed: layers, operators, arguments, and the recorded values in the heatmap."</p>
            </section>
        })}
    }
}

fn why(reason: &NoGpu) -> String {
    match reason {
        NoGpu::InsecureContext => {
            "Browsers offer WebGPU only to pages that come over https or from this machine (http://localhost), and this one does not."
                .to_owned()
        }
        NoGpu::NoApi => "This browser does not offer WebGPU to workers (navigator.gpu is missing).".to_owned(),
        NoGpu::Lost(reason) => {
            let reason = reason.trim_end_matches('.');
            format!("The GPU was lost while this page used it ({reason}). Verdicts that were known stay.")
        }
        NoGpu::NoDevice(_) => "The browser has WebGPU but offers no GPU for it.".to_owned(),
    }
}

/// What the browser said.
fn words(reason: &NoGpu) -> Option<String> {
    match reason {
        NoGpu::NoDevice(error) => Some(error.clone()),
        _ => None,
    }
}

fn advice(reason: &NoGpu) -> &'static [&'static str] {
    match reason {
        NoGpu::InsecureContext => {
            &["Open the same page over https, or serve it on this machine and open http://localhost."]
        }
        NoGpu::Lost(_) => &[
            "Reload the page to get the GPU back.",
            "If it happens again at the same operator, its kernel runs too long or uses too much memory for this GPU.",
        ],
        NoGpu::NoApi => &[
            "Chrome and Edge: version 113 or newer on Windows and macOS, 144 or newer on Linux.",
            "Safari: version 26 or newer.",
            "Firefox: version 141 or newer on Windows, 145 or newer on macOS; elsewhere set dom.webgpu.enabled and dom.webgpu.workers.enabled in about:config.",
        ],
        NoGpu::NoDevice(_) => &[
            "Chrome and Edge: chrome://gpu says whether WebGPU is on and why not; update the graphics driver, turn on hardware acceleration in the settings, and on Linux try chrome://flags/#enable-unsafe-webgpu.",
            "Firefox: about:support says it under Graphics; gfx.webgpu.ignore-blocklist in about:config overrides the list of blocked drivers.",
            "Safari: WebGPU needs a Mac, iPhone or iPad that Safari 26 supports; in a virtual machine there may be none.",
        ],
    }
}
