//! What a test asks of a page and does to it.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use thirtyfour::{By, Key, WebElement};
use tokio::time::sleep;

use crate::{Browser, BrowserKind};

/// How often a condition is looked at while waiting for it.
const POLL: Duration = Duration::from_millis(50);

/// The colour scheme that the system asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Going somewhere.
impl Browser {
    /// Opens `url` and waits for the page's `load` event.
    ///
    /// # Errors
    /// If it does not load.
    pub async fn open(&self, url: &str) -> Result<()> {
        self.driver.goto(url).await.with_context(|| format!("could not open {url}"))
    }

    /// The address that the address bar would show.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn url(&self) -> Result<String> {
        Ok(self.driver.current_url().await?.to_string())
    }

    /// Presses Back.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn back(&self) -> Result<()> {
        Ok(self.driver.back().await?)
    }

    /// Presses Forward.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn forward(&self) -> Result<()> {
        Ok(self.driver.forward().await?)
    }

    /// Loads the page again.
    ///
    /// # Errors
    /// If it does not load.
    pub async fn reload(&self) -> Result<()> {
        Ok(self.driver.refresh().await?)
    }
}

/// Waiting. Every error says what was waited for and what the page shows instead.
impl Browser {
    /// Waits until an element that `css` selects is there, and returns it.
    ///
    /// # Errors
    /// If there is none after `timeout`.
    pub async fn wait_for(&self, css: &str, timeout: Duration) -> Result<WebElement> {
        let began = Instant::now();
        loop {
            if let Some(element) = self.driver.find_all(By::Css(css)).await?.into_iter().next() {
                return Ok(element);
            }
            self.pause_or_give_up(began, timeout, || format!("no element `{css}`")).await?;
        }
    }

    /// Waits until no element that `css` selects is there.
    ///
    /// # Errors
    /// If there still is one after `timeout`.
    pub async fn wait_until_gone(&self, css: &str, timeout: Duration) -> Result<()> {
        let began = Instant::now();
        while self.count(css).await? > 0 {
            self.pause_or_give_up(began, timeout, || format!("element `{css}` is still there")).await?;
        }
        Ok(())
    }

    /// Waits until the JavaScript expression is truthy, and returns its value.
    ///
    /// # Errors
    /// If it is not after `timeout`.
    pub async fn wait_until(&self, expression: &str, timeout: Duration) -> Result<Value> {
        let began = Instant::now();
        let script = format!("const value = ({expression}); return value ? [value] : []");
        loop {
            if let Some(value) = self.driver.execute(script.as_str(), []).await?.json().get(0) {
                return Ok(value.clone());
            }
            self.pause_or_give_up(began, timeout, || format!("`{expression}` is not true")).await?;
        }
    }

    async fn pause_or_give_up(&self, began: Instant, timeout: Duration, what: impl FnOnce() -> String) -> Result<()> {
        if began.elapsed() > timeout {
            let shown = self.text("body").await.unwrap_or_default();
            let shown: String = shown.chars().take(600).collect();
            bail!("after {timeout:?} {}; the page shows: {}", what(), shown.replace('\n', " | "));
        }
        sleep(POLL).await;
        Ok(())
    }
}

/// Looking.
impl Browser {
    /// The visible text of the first element that `css` selects.
    ///
    /// # Errors
    /// If there is no such element.
    pub async fn text(&self, css: &str) -> Result<String> {
        Ok(self.find(css).await?.text().await?)
    }

    /// The visible texts of all elements that `css` selects.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn texts(&self, css: &str) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        for element in self.driver.find_all(By::Css(css)).await? {
            texts.push(element.text().await?);
        }
        Ok(texts)
    }

    /// An attribute of the first element that `css` selects.
    ///
    /// # Errors
    /// If there is no such element.
    pub async fn attribute(&self, css: &str, name: &str) -> Result<Option<String>> {
        Ok(self.find(css).await?.attr(name).await?)
    }

    /// How many elements `css` selects.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn count(&self, css: &str) -> Result<usize> {
        Ok(self.driver.find_all(By::Css(css)).await?.len())
    }

    /// The value of a JavaScript expression; a promise is waited for.
    ///
    /// # Errors
    /// If it throws or its promise is rejected.
    pub async fn eval(&self, expression: &str) -> Result<Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             (async () => ({expression}))().then(value => done([value ?? null]), error => done([null, String(error)]));"
        );
        let answer = self
            .driver
            .execute_async(script, [])
            .await
            .with_context(|| format!("could not evaluate `{expression}`"))?;
        if let Some(error) = answer.json().get(1) {
            bail!("`{expression}` threw {error}");
        }
        Ok(answer.json().get(0).cloned().unwrap_or(Value::Null))
    }

    pub(crate) async fn find(&self, css: &str) -> Result<WebElement> {
        self.driver.find(By::Css(css)).await.with_context(|| format!("no element `{css}`"))
    }
}

/// Keys, and what the system asks of the page.
impl Browser {
    /// Puts the keyboard focus on the first element that `css` selects.
    ///
    /// # Errors
    /// If there is no such element.
    pub async fn focus(&self, css: &str) -> Result<()> {
        Ok(self.find(css).await?.focus().await?)
    }

    /// Presses and releases a key, sent to the element that has the focus.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn press(&self, key: Key) -> Result<()> {
        let value = key.value();
        Ok(self.driver.action_chain().key_down(value).key_up(value).perform().await?)
    }

    /// Presses and releases a key while Shift is held.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn press_with_shift(&self, key: Key) -> Result<()> {
        let (shift, value) = (Key::Shift.value(), key.value());
        Ok(self.driver.action_chain().key_down(shift).key_down(value).key_up(value).key_up(shift).perform().await?)
    }

    /// Types text into the element that has the focus.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        Ok(self.driver.action_chain().send_keys(text).perform().await?)
    }

    /// Gives the page a viewport of this size in CSS pixels.
    ///
    /// # Errors
    /// In Firefox, whose window has a least width, if the viewport cannot become so small.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        if self.kind() == BrowserKind::Chromium {
            let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            self.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", size).await?;
            return Ok(());
        }
        let frame = self.eval("[outerWidth - innerWidth, outerHeight - innerHeight]").await?;
        let extra =
            |index: usize| frame.get(index).and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok()).unwrap_or(0);
        self.driver.set_window_rect(0, 0, width + extra(0), height + extra(1)).await?;
        let expected = json!([width, height]);
        let got = self.eval("[innerWidth, innerHeight]").await?;
        if got != expected {
            bail!("asked Firefox for a viewport of {expected} and got {got}");
        }
        Ok(())
    }

    /// Lets the page believe that the system prefers a colour scheme. Only in Chromium.
    ///
    /// # Errors
    /// In Firefox, and if the browser does not answer.
    pub async fn prefer_theme(&self, theme: Theme) -> Result<()> {
        let value = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        self.cdp(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] }),
        )
        .await?;
        Ok(())
    }

    /// Lets the page read and write the clipboard, as a person who is asked would. Only in Chromium.
    ///
    /// # Errors
    /// In Firefox.
    pub async fn allow_clipboard(&self) -> Result<()> {
        let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
        self.cdp("Browser.grantPermissions", permissions).await?;
        Ok(())
    }

    /// A command of Chromium's DevTools protocol.
    pub(crate) async fn cdp(&self, method: &str, params: Value) -> Result<Value> {
        if self.kind() != BrowserKind::Chromium {
            bail!("{method} is a command of Chromium's, this is {}", self.kind());
        }
        self.driver.cdp().send_raw(method, params).await.with_context(|| format!("{method} failed"))
    }
}
