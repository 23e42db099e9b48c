//! The traces that come with the app.

use super::address;
use serde::Deserialize;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;

/// A bundled trace.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Sample {
    /// Name of its folder under `samples/`, and in links.
    pub id: String,
    /// A name for people.
    pub title: String,
    /// One sentence about it.
    #[serde(default)]
    pub about: String,
}

#[derive(Deserialize)]
struct Index {
    samples: Vec<Sample>,
}

impl Sample {
    /// Address of its folder.
    pub fn url(&self) -> Option<String> {
        address::absolute(&format!("samples/{}/", self.id))
    }
}

/// Fetches the list of samples.
///
/// # Errors
/// One sentence.
pub async fn fetch() -> Result<Vec<Sample>, String> {
    const FILE: &str = "samples/index.json";
    let failed = |reason: String| format!("the list of bundled samples ({FILE}) cannot be read: {reason}");
    let describe = |error: wasm_bindgen::JsValue| failed(format!("{error:?}"));
    let response = JsFuture::from(leptos::prelude::window().fetch_with_str(FILE)).await.map_err(describe)?;
    let response: web_sys::Response = response.dyn_into().map_err(describe)?;
    if !response.ok() {
        return Err(failed(format!("HTTP {}", response.status())));
    }
    let text = JsFuture::from(response.text().map_err(describe)?).await.map_err(describe)?;
    let index: Index =
        serde_json::from_str(&text.as_string().unwrap_or_default()).map_err(|error| failed(error.to_string()))?;
    Ok(index.samples)
}
