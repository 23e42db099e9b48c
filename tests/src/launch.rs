//! How each browser is started: flags and preferences with which it has WebGPU, with or without a GPU.

use std::{env, path::Path};

use anyhow::Result;
use serde_json::{Value, json};
use thirtyfour::Capabilities;

use crate::program;

/// Replaces [`SOFTWARE_GPU`] where there is a real GPU: flags separated by spaces.
const GPU_FLAGS_VARIABLE: &str = "TAPROOT_CHROMIUM_GPU_FLAGS";

/// Without a GPU this flag alone makes Chromium offer its adapter in software, SwiftShader.
const SOFTWARE_GPU: &str = "--enable-unsafe-webgpu";

/// With this flag, and without the one above, Chromium has `navigator.gpu` and no adapter, whatever the machine has.
const NO_GPU: &str = "--disable-gpu";

/// A size at which all of the app shows without scrolling.
const WINDOW: (u32, u32) = (1440, 900);

/// Chromium, headless, in a profile of its own, saying nothing to anybody.
pub(crate) fn chromium(profile: &Path) -> Result<Capabilities> {
    chromium_with(profile, &env::var(GPU_FLAGS_VARIABLE).unwrap_or_else(|_| SOFTWARE_GPU.into()))
}

/// The same without an adapter for WebGPU.
pub(crate) fn chromium_without_webgpu(profile: &Path) -> Result<Capabilities> {
    chromium_with(profile, NO_GPU)
}

fn chromium_with(profile: &Path, gpu_flags: &str) -> Result<Capabilities> {
    let binary = program::find("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"])?;
    let mut args: Vec<String> = [
        "--headless",
        // A test machine is often a container, where Chromium's own sandbox cannot start.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    .map(String::from)
    .to_vec();
    args.push(format!("--user-data-dir={}", profile.display()));
    args.push(format!("--window-size={},{}", WINDOW.0, WINDOW.1));
    args.extend(gpu_flags.split_whitespace().map(String::from));
    capabilities(json!({
        "browserName": "chrome",
        "goog:chromeOptions": { "binary": binary, "args": args },
        "goog:loggingPrefs": { "browser": "ALL" },
    }))
}

/// Firefox, headless, with WebGPU on whatever Vulkan finds (lavapipe where there is no GPU).
pub(crate) fn firefox() -> Result<Capabilities> {
    let binary = program::find("FIREFOX", &["firefox-esr", "firefox"])?;
    capabilities(json!({
        "browserName": "firefox",
        "moz:firefoxOptions": {
            "binary": binary,
            "args": ["-headless", format!("--width={}", WINDOW.0), format!("--height={}", WINDOW.1)],
            "prefs": {
                "dom.webgpu.enabled": true,
                "dom.webgpu.workers.enabled": true,
                "gfx.webgpu.force-enabled": true,
                "gfx.webgpu.ignore-blocklist": true,
                // geckodriver knows no command for the console, so it is read from the browser's output.
                "devtools.console.stdout.content": true,
                "devtools.console.stdout.chrome": false,
                "app.update.disabledForTesting": true,
                "datareporting.policy.dataSubmissionEnabled": false,
                "network.captive-portal-service.enabled": false,
                "network.connectivity-service.enabled": false,
            },
        },
    }))
}

fn capabilities(value: Value) -> Result<Capabilities> {
    let mut capabilities = Capabilities::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        capabilities.set(name.as_str(), value)?;
    }
    Ok(capabilities)
}
