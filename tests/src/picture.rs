//! What a canvas shows, pixel by pixel.

use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::Browser;

/// Longer than the values of any case of the sample take to compute on a GPU in software.
const PAINTED: Duration = Duration::from_secs(60);

/// The pixels of the heatmap at one moment. Two are equal when every pixel is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u64,
    /// Pixels down.
    pub height: u64,
    /// How many different colours there are.
    pub colours: u64,
    /// Pixels of the most common colour.
    pub commonest: u64,
    /// SHA-256 of all pixels.
    digest: String,
}

impl Picture {
    /// Whether it shows values and not one ground: several colours, none of which covers nearly everything.
    #[must_use]
    pub fn shows_values(&self) -> bool {
        self.colours > 16 && self.commonest < self.width * self.height * 9 / 10
    }
}

impl Browser {
    /// Waits until the heatmap shows what was asked for last, and reads its pixels.
    ///
    /// # Errors
    /// If it does not in time, or shows a message instead of values.
    pub async fn heatmap(&self) -> Result<Picture> {
        self.wait_for("#heatmap[data-quantity][aria-busy=false]", PAINTED).await?;
        // What the page was told is painted with the next frame at the latest.
        let pixels = "await (async () => { \
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); \
            const canvas = document.querySelector('#heatmap'); \
            const { width, height } = canvas; \
            const { data } = canvas.getContext('2d').getImageData(0, 0, width, height); \
            const counts = new Map(); \
            for (const colour of new Uint32Array(data.buffer)) counts.set(colour, (counts.get(colour) ?? 0) + 1); \
            const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data)); \
            const digest = [...hash].map(byte => byte.toString(16).padStart(2, '0')).join(''); \
            return [width, height, counts.size, Math.max(...counts.values()), digest]; \
        })()";
        let answer = self.eval(pixels).await?;
        let number = |at: usize| answer.get(at).and_then(Value::as_u64).context("the heatmap gave no pixels");
        let digest = answer.get(4).and_then(Value::as_str).context("the heatmap gave no digest")?.to_owned();
        Ok(Picture { width: number(0)?, height: number(1)?, colours: number(2)?, commonest: number(3)?, digest })
    }
}
