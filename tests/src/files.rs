//! Handing files and folders to a page.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::{Browser, Point};

/// `DragOperationsMask` of the DevTools protocol: copy.
const COPY: u32 = 1;

impl Browser {
    /// Drops files or folders on the page at `point`, as from the system's file manager. Only in Chromium: WebDriver
    /// itself knows no such gesture.
    ///
    /// # Errors
    /// In Firefox, or if a path does not exist.
    pub async fn drop_files(&self, point: Point, paths: &[&Path]) -> Result<()> {
        let mut files = Vec::new();
        for path in paths {
            files.push(path.canonicalize().with_context(|| format!("nothing to drop at {}", path.display()))?);
        }
        for phase in ["dragEnter", "dragOver", "drop"] {
            let data = json!({ "items": [], "files": files, "dragOperationsMask": COPY });
            let event = json!({ "type": phase, "x": point.x, "y": point.y, "data": data });
            self.cdp("Input.dispatchDragEvent", event).await?;
        }
        Ok(())
    }

    /// Chooses files in the `<input type=file>` that `css` selects; a folder where the input has `webkitdirectory`, which
    /// Firefox's driver refuses.
    ///
    /// # Errors
    /// If there is no such input, or a path does not exist.
    pub async fn choose_files(&self, css: &str, paths: &[&Path]) -> Result<()> {
        let mut lines = Vec::new();
        for path in paths {
            let path = path.canonicalize().with_context(|| format!("nothing to choose at {}", path.display()))?;
            lines.push(path.to_string_lossy().into_owned());
        }
        // WebDriver takes several files as one text with a line for each.
        Ok(self.find(css).await?.send_keys(lines.join("\n")).await?)
    }
}
