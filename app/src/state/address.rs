//! The view in the address bar: read once, written at each change, followed when the user goes back.

use leptos::prelude::*;
use std::cell::RefCell;
use std::time::Duration;
use taproot_view::ViewState;
use taproot_view::view_state::{NewerVersion, Parsed};
use wasm_bindgen::JsValue;

/// How long a replacement waits for the next one.
const REPLACED_AFTER: Duration = Duration::from_millis(150);

thread_local! {
    static REPLACEMENT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Whether a change can be undone by Back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// A new entry: something was chosen.
    Push,
    /// The same entry: something is still moving.
    Replace,
}

/// Reads the view in the address.
///
/// # Errors
/// When a newer version made the link.
pub fn read() -> Result<Parsed, NewerVersion> {
    ViewState::parse(&window().location().search().unwrap_or_default())
}

/// Writes the view into the address.
///
/// Browsers allow only some hundred changes of an address in a few seconds, fewer than a drag makes: replacements wait a moment
/// and only the last one is written.
pub fn write(view: &ViewState, history: History) {
    let address = address_of(view);
    match history {
        History::Push => {
            flush();
            if let Ok(entries) = window().history() {
                // Refused only under the limit above; then the next change writes it.
                let _ = entries.push_state_with_url(&JsValue::NULL, "", Some(&address));
            }
        }
        History::Replace => {
            if REPLACEMENT.replace(Some(address)).is_none() {
                set_timeout(flush, REPLACED_AFTER);
            }
        }
    }
}

/// Forgets a replacement that waits: the entry that it was meant for is no longer the current one.
pub fn forget_replacement() {
    REPLACEMENT.take();
}

fn flush() {
    let Some(address) = REPLACEMENT.take() else { return };
    if let Ok(entries) = window().history() {
        // As above.
        let _ = entries.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
}

fn address_of(view: &ViewState) -> String {
    let query = view.print();
    let path = window().location().pathname().unwrap_or_else(|_| "/".to_owned());
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

/// The whole address of a view.
pub fn link(view: &ViewState) -> String {
    format!("{}{}", window().location().origin().unwrap_or_default(), address_of(view))
}

/// The absolute form of an address relative to the page.
pub fn absolute(relative: &str) -> Option<String> {
    let base = document().base_uri().ok().flatten()?;
    web_sys::Url::new_with_base(relative, &base).ok().map(|url| url.href())
}
