//! The migration slider: two handles along the layers. WebGPU computes what lies between them, everything else is recorded.

use crate::state::Store;
use crate::state::address::{self, History};
use crate::state::trace::OpenTrace;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use taproot_view::ViewState;
use taproot_view::view_state::PlanRange;

/// One of the two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handle {
    First,
    Last,
}

impl Handle {
    fn name(self) -> &'static str {
        match self {
            Handle::First => "first",
            Handle::Last => "last",
        }
    }
}

/// Where the handles are, as borders between layers: 0 is above the first, `layers` below the last.
#[derive(Clone, Copy)]
struct Handles {
    store: Store,
    layers: usize,
    at: RwSignal<(usize, usize)>,
    /// The handle that is being moved, and the view before it was touched.
    before: StoredValue<Option<(Handle, ViewState)>>,
}

impl Handles {
    fn new(store: Store, layers: usize) -> Self {
        let handles = Handles { store, layers, at: RwSignal::new((0, layers)), before: StoredValue::new(None) };
        Effect::new(move |_| {
            let Some(plan) = store.wanted_plan() else { return };
            let (first, last) = handles.at.get_untracked();
            // An empty plan has no place of its own: the handles stay where they met.
            if !(plan.layers.is_empty() && first == last) {
                handles.at.set((plan.layers.start, plan.layers.end));
            }
        });
        handles
    }

    fn begin(&self, handle: Handle) {
        match self.before.with_value(|before| before.as_ref().map(|(moved, _)| *moved)) {
            Some(moved) if moved == handle => return,
            Some(moved) => self.end(moved),
            None => {}
        }
        self.before.set_value(Some((handle, self.store.view.get_untracked())));
    }

    /// Moves a handle; it pushes the other one along.
    fn set(&self, handle: Handle, border: usize) {
        let border = border.min(self.layers);
        let (first, last) = self.at.get_untracked();
        let (first, last) = match handle {
            Handle::First => (border, last.max(border)),
            Handle::Last => (first.min(border), border),
        };
        self.at.set((first, last));
        self.store.hurry_plan();
        let plan = PlanRange::from_positions(first..last, self.layers);
        self.store.go(History::Replace, |view| view.plan = plan);
    }

    /// The handle was let go: one step of Back leads to where it was before. Where another one is being moved nothing happens:
    /// the focus leaves a handle after the next one was touched.
    fn end(&self, handle: Handle) {
        let take = |before: &mut Option<(Handle, ViewState)>| before.take_if(|(moved, _)| *moved == handle);
        let Some((_, before)) = self.before.try_update_value(take).flatten() else { return };
        let now = self.store.view.get_untracked();
        if now.plan != before.plan {
            address::write(&ViewState { plan: before.plan, ..now.clone() }, History::Replace);
            address::write(&now, History::Push);
        }
    }

    fn border(&self, handle: Handle) -> usize {
        let (first, last) = self.at.get();
        match handle {
            Handle::First => first,
            Handle::Last => last,
        }
    }
}

/// The slider.
#[component]
pub(super) fn Slider(trace: Arc<OpenTrace>) -> impl IntoView {
    let store = Store::get();
    let layers = trace.summary.layers.len();
    let handles = Handles::new(store, layers);
    let track = NodeRef::<Div>::new();
    let border_at = move |y: i32| -> Option<usize> {
        let rect = track.get_untracked()?.get_bounding_client_rect();
        let part = (f64::from(y) - rect.top()) / rect.height().max(1.0);
        Some((part * layers as f64).round().clamp(0.0, layers as f64) as usize)
    };
    let on_track = move |event: ev::PointerEvent| {
        let Some(border) = border_at(event.client_y()) else { return };
        let (first, last) = handles.at.get_untracked();
        let nearest = if border.abs_diff(first) <= border.abs_diff(last) { Handle::First } else { Handle::Last };
        handles.begin(nearest);
        handles.set(nearest, border);
        handles.end(nearest);
    };
    let share = move |border: usize| format!("{}%", 100.0 * border as f64 / layers.max(1) as f64);
    view! {
        <div class="column slider-column">
            <div class="head-height column-title slider-title"><span>"WebGPU computes"</span></div>
            <div class="slider-track rows-height" node_ref=track data-testid="slider-track" on:pointerdown=on_track>
                <div
                    class="slider-range"
                    style:top=move || share(handles.at.get().0)
                    style:bottom=move || {
                        let (_, last) = handles.at.get();
                        share(layers.saturating_sub(last))
                    }
                ></div>
                {[Handle::First, Handle::Last].map(|handle| view! {
                    <HandleView handle=handle handles=handles names=trace.summary.layers.clone() share=share border_at=border_at/>
                }).collect_view()}
            </div>
        </div>
    }
}

#[component]
fn HandleView(
    handle: Handle,
    handles: Handles,
    names: Vec<String>,
    share: impl Fn(usize) -> String + Copy + Send + Sync + 'static,
    border_at: impl Fn(i32) -> Option<usize> + Copy + 'static,
) -> impl IntoView {
    let node = NodeRef::<Div>::new();
    let is_dragged = RwSignal::new(false);
    let layers = handles.layers;
    let value_text = move || {
        let border = handles.border(handle);
        let name = match handle {
            Handle::First => names.get(border),
            Handle::Last => border.checked_sub(1).and_then(|at| names.get(at)),
        };
        match (handle, name) {
            (Handle::First, Some(name)) => format!("WebGPU begins with {name}"),
            (Handle::First, None) => "WebGPU begins after the last layer".to_owned(),
            (Handle::Last, Some(name)) => format!("WebGPU ends with {name}"),
            (Handle::Last, None) => "WebGPU ends before the first layer".to_owned(),
        }
    };
    let on_down = move |event: ev::PointerEvent| {
        event.stop_propagation();
        if let Some(node) = node.get_untracked() {
            // Without capture the drag still works while the pointer stays on the handle.
            let _ = node.set_pointer_capture(event.pointer_id());
        }
        is_dragged.set(true);
        handles.begin(handle);
    };
    let on_move = move |event: ev::PointerEvent| {
        if is_dragged.get_untracked()
            && let Some(border) = border_at(event.client_y())
            && border != handles.border(handle)
        {
            handles.set(handle, border);
        }
    };
    let on_up = move |_: ev::PointerEvent| {
        if is_dragged.get_untracked() {
            is_dragged.set(false);
            handles.end(handle);
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        let now = untrack(move || handles.border(handle));
        let page = (layers / 8).max(2);
        let next = match event.key().as_str() {
            "ArrowDown" | "ArrowRight" => now + 1,
            "ArrowUp" | "ArrowLeft" => now.saturating_sub(1),
            "PageDown" => now + page,
            "PageUp" => now.saturating_sub(page),
            "Home" => 0,
            "End" => layers,
            _ => return,
        };
        event.prevent_default();
        handles.begin(handle);
        handles.set(handle, next);
    };
    view! {
        <div
            class="slider-handle"
            class:dragged=move || is_dragged.get()
            node_ref=node
            data-testid=format!("slider-{}", handle.name())
            data-handle=handle.name()
            role="slider"
            tabindex="0"
            aria-orientation="vertical"
            aria-label=match handle {
                Handle::First => "First layer that WebGPU computes",
                Handle::Last => "Last layer that WebGPU computes",
            }
            aria-valuemin="0"
            aria-valuemax=layers.to_string()
            aria-valuenow=move || handles.border(handle).to_string()
            aria-valuetext=value_text.clone()
            title=value_text
            style:top=move || share(handles.border(handle))
            on:pointerdown=on_down
            on:pointermove=on_move
            on:pointerup=on_up
            on:pointercancel=on_up
            on:keydown=on_key
            on:keyup=move |_| handles.end(handle)
            on:blur=move |_| handles.end(handle)
        ></div>
    }
}
