//! Dark or light: the system's choice, unless the user made one.

use leptos::prelude::*;
use taproot_view::colour::Ground;
use wasm_bindgen::prelude::*;

const STORED: &str = "taproot-theme";

/// What the user chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// What the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The name shown, stored and used in the style sheet.
    pub fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The next one in turn.
    pub fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }

    fn stored() -> Self {
        let name = storage().and_then(|storage| storage.get_item(STORED).ok().flatten());
        match name.as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }
}

/// The theme in use.
#[derive(Clone, Copy)]
pub struct Themes {
    /// What the user chose.
    pub chosen: RwSignal<Theme>,
    system_is_dark: RwSignal<bool>,
}

impl Themes {
    /// The stored choice, applied to the page and kept up to date.
    pub fn start() -> Self {
        let themes = Themes { chosen: RwSignal::new(Theme::stored()), system_is_dark: RwSignal::new(true) };
        themes.follow_system();
        Effect::new(move |_| themes.apply());
        themes
    }

    /// What pictures are painted on.
    pub fn ground(&self) -> Ground {
        let is_dark = match self.chosen.get() {
            Theme::System => self.system_is_dark.get(),
            Theme::Light => false,
            Theme::Dark => true,
        };
        if is_dark { Ground::Dark } else { Ground::Light }
    }

    fn follow_system(&self) {
        let Ok(Some(query)) = window().match_media("(prefers-color-scheme: dark)") else { return };
        let system_is_dark = self.system_is_dark;
        system_is_dark.set(query.matches());
        let on_change = {
            let query = query.clone();
            Closure::<dyn FnMut()>::new(move || system_is_dark.set(query.matches()))
        };
        query.set_onchange(Some(on_change.as_ref().unchecked_ref()));
        // Lives as long as the page.
        on_change.forget();
    }

    fn apply(&self) {
        let theme = self.chosen.get();
        if let Some(root) = document().document_element() {
            // Setting an attribute with a valid name cannot fail.
            let _ = root.set_attribute("data-theme", theme.name());
        }
        if let Some(storage) = storage() {
            // Private windows may refuse to store; then the choice lasts as long as the page.
            let _ = storage.set_item(STORED, theme.name());
        }
    }
}

/// The browser's storage, where it may be used.
pub fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
