//! The app's page, in the words of who uses it.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use thirtyfour::Key;

use crate::Browser;

/// How long the page and a small trace may take to open.
const OPENED: Duration = Duration::from_secs(30);

/// How long the bundled sample may take to be replayed on a GPU in software, on a busy machine.
pub const REPLAYED: Duration = Duration::from_secs(90);

/// How long anything else may take.
const SOON: Duration = Duration::from_secs(15);

/// What a notice is about: something that could not be done, or something that was not done quite as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Banner {
    /// An error.
    Error,
    /// A warning.
    Warning,
}

impl Banner {
    fn css(self) -> &'static str {
        match self {
            Self::Error => "[data-testid=error-banner]",
            Self::Warning => "[data-testid=warning-banner]",
        }
    }
}

/// Opening and replaying.
impl Browser {
    /// Opens the app at `url` and waits until it shows a trace.
    ///
    /// # Errors
    /// If it shows none in time.
    pub async fn open_app(&self, url: &str) -> Result<()> {
        self.open(url).await?;
        self.wait_for("[data-testid=matrix] [data-case]", OPENED).await?;
        self.wait_until_opened().await
    }

    /// Waits until nothing is being opened any more.
    ///
    /// # Errors
    /// If something still is after a while.
    pub async fn wait_until_opened(&self) -> Result<()> {
        self.wait_for("#app:not([data-state=loading])", OPENED).await?;
        Ok(())
    }

    /// Waits until every case has a verdict and nothing is left to do.
    ///
    /// # Errors
    /// If that takes longer than [`REPLAYED`].
    pub async fn wait_until_replayed(&self) -> Result<()> {
        let all = "document.querySelector('#app')?.dataset.state === 'done' \
                   && document.querySelector('[data-case]') && !document.querySelector('[data-case][data-verdict=pending]')";
        self.wait_until(all, REPLAYED).await?;
        Ok(())
    }

    /// Opens a trace by its address, as a person does: the button with the trace's name, the address, Enter.
    ///
    /// # Errors
    /// If the dialog does not work.
    pub async fn open_address(&self, url: &str) -> Result<()> {
        self.click("[data-testid=trace-chooser]").await?;
        self.find("[data-testid=trace-url]").await?.clear().await?;
        self.click("[data-testid=trace-url]").await?;
        self.type_text(url).await?;
        self.press(Key::Enter).await?;
        self.wait_until("!document.querySelector('dialog[open]')", SOON).await?;
        Ok(())
    }

    /// How many cells have which verdict; `pending` for those without.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn verdicts(&self) -> Result<BTreeMap<String, usize>> {
        let words =
            self.eval("[...document.querySelectorAll('[data-case]')].map(cell => cell.dataset.verdict)").await?;
        let mut counts = BTreeMap::new();
        for word in words.as_array().into_iter().flatten().filter_map(Value::as_str) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
        Ok(counts)
    }

    /// Operator ids of the cells whose verdict is `verdict`, in the page's order.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn cases_with(&self, verdict: &str) -> Result<Vec<String>> {
        let ids = self
            .eval(&format!(
                "[...document.querySelectorAll('[data-case][data-verdict={verdict}]')].map(cell => cell.dataset.opId)"
            ))
            .await?;
        Ok(ids.as_array().into_iter().flatten().filter_map(Value::as_str).map(String::from).collect())
    }

    /// Checks that exactly `count` cases are there and that each one passed.
    ///
    /// # Errors
    /// With the verdicts and the cases that did not pass.
    pub async fn expect_all_pass(&self, count: usize) -> Result<()> {
        let verdicts = self.verdicts().await?;
        let expected = BTreeMap::from([("pass".to_owned(), count)]);
        if verdicts != expected {
            let mut others = Vec::new();
            for verdict in verdicts.keys().filter(|verdict| *verdict != "pass") {
                others.push(format!("{verdict}: {}", self.cases_with(verdict).await?.join(", ")));
            }
            ensure!(false, "expected {count} passes and nothing else, found {verdicts:?}; {}", others.join("; "));
        }
        Ok(())
    }
}

/// Where one is.
impl Browser {
    /// The keys and values in the address.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn link(&self) -> Result<BTreeMap<String, String>> {
        let pairs = self.eval("Object.fromEntries(new URLSearchParams(location.search))").await?;
        serde_json::from_value(pairs).context("the address holds no keys and values")
    }

    /// Waits until `key` in the address is `value`; `None` means that it is not there.
    ///
    /// # Errors
    /// If it is not after a while.
    pub async fn wait_for_link(&self, key: &str, value: Option<&str>) -> Result<()> {
        let expected = serde_json::to_string(&value)?;
        self.wait_until(&format!("new URLSearchParams(location.search).get('{key}') === {expected}"), SOON).await?;
        Ok(())
    }

    /// Waits until the text of the first element that `css` selects contains `part`.
    ///
    /// # Errors
    /// If it does not after a while.
    pub async fn wait_for_text(&self, css: &str, part: &str) -> Result<String> {
        let expression = format!(
            "(text => text.includes({}) && text)(document.querySelector({})?.innerText ?? '')",
            serde_json::to_string(part)?,
            serde_json::to_string(css)?
        );
        let text = self.wait_until(&expression, SOON).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Selects a case by clicking its cell.
    ///
    /// # Errors
    /// If there is no such cell, or it does not become the selected one.
    pub async fn select(&self, id: &str) -> Result<()> {
        self.click(&format!("[data-op-id='{id}']")).await?;
        self.wait_for_text("[data-testid=case-id]", id).await?;
        Ok(())
    }

    /// Shows another quantity in the heatmap, by its name in links.
    ///
    /// # Errors
    /// If there is no such tab.
    pub async fn show(&self, quantity: &str) -> Result<()> {
        self.click(&format!("[data-testid=tab-{quantity}]")).await?;
        self.wait_for(&format!("[data-testid=heatmap-canvas][data-quantity={quantity}]"), SOON).await?;
        Ok(())
    }
}

/// Notices.
impl Browser {
    /// Waits for a notice of this kind that contains `part`, and returns its text.
    ///
    /// # Errors
    /// If there is none after a while.
    pub async fn wait_for_banner(&self, banner: Banner, part: &str) -> Result<String> {
        let expression = format!(
            "[...document.querySelectorAll('{} p')].map(p => p.innerText).find(text => text.includes({}))",
            banner.css(),
            serde_json::to_string(part)?
        );
        let text = self.wait_until(&expression, SOON).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// The texts of all notices of this kind.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn banners(&self, banner: Banner) -> Result<Vec<String>> {
        self.texts(&format!("{} p", banner.css())).await
    }

    /// Dismisses all notices, one after the other.
    ///
    /// # Errors
    /// If one does not go.
    pub async fn dismiss_banners(&self) -> Result<()> {
        while self.count("[role=alert].notice").await? > 0 {
            let left = self.count("[role=alert].notice").await?;
            self.click("[role=alert].notice button").await?;
            self.wait_until(&format!("document.querySelectorAll('[role=alert].notice').length < {left}"), SOON).await?;
        }
        Ok(())
    }
}
