//! The picture and what can be done with it: point, drag, wheel, keys.

use super::image::Image;
use super::paint;
use super::toolbar::ZOOM_STEP;
use crate::state::Store;
use crate::state::address::History;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use std::rc::Rc;
use taproot_engine::compare::Verdict;
use taproot_view::scale::{Quantity, Ramp};
use taproot_view::view_state::Window;
use taproot_view::viewport::Viewport;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, ResizeObserver};

const NO_KERNEL: &str =
    "WebGPU has no kernel for this operator, so there is nothing to compare. What was recorded is under Expected.";
/// Wheel movement, in CSS pixels, that doubles the zoom.
const WHEEL_OCTAVE: f64 = 300.0;
/// How far the cursor jumps with Shift.
const LEAP: usize = 10;

/// The canvas.
#[component]
pub(super) fn Canvas(ramp: Memo<Option<Ramp>>) -> impl IntoView {
    let store = Store::get();
    let heat = store.heat;
    let frame = NodeRef::<html::Div>::new();
    let canvas = NodeRef::<html::Canvas>::new();
    follow_size(store, frame);

    let image = RwSignal::new_local(None::<Rc<Image>>);
    Effect::new(move |_| {
        let ground = store.themes.ground();
        let made = heat.grid.get().zip(ramp.get()).and_then(|(grid, ramp)| Image::new(&grid, ramp, ground));
        image.set(made.map(Rc::new));
    });
    // Painted only when something that is seen changes, not at each change of the view.
    let seen = Memo::new(move |_| viewport(store));
    Effect::new(move |_| {
        let Some(canvas) = canvas.get() else { return };
        let (width, height) = heat.size.get();
        let Some(context) = prepare(&canvas, width, height) else { return };
        let Some(viewport) = seen.get() else { return };
        if let Some((grid, image)) = heat.grid.get().zip(image.get())
            && store.plane().is_some_and(|plane| plane.of == grid.request.of)
        {
            paint::grid(&context, &viewport, &grid, &image);
        }
        if let Some((row, column)) = heat.cursor.get() {
            paint::cursor(&context, &viewport, row, column);
        }
    });

    let pan = RwSignal::new(None::<(f64, f64)>);
    let on_down = move |event: ev::PointerEvent| {
        if let Some(canvas) = canvas.get_untracked() {
            // Without capture a drag ends at the picture's edge.
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
        pan.set(Some((event.client_x().into(), event.client_y().into())));
    };
    let on_move = move |event: ev::PointerEvent| {
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        match pan.get_untracked() {
            Some((from_x, from_y)) if (x, y) != (from_x, from_y) => {
                pan.set(Some((x, y)));
                change_window(store, |viewport| viewport.panned(x - from_x, y - from_y));
            }
            _ => {
                let at = viewport(store)
                    .and_then(|viewport| viewport.element(event.offset_x().into(), event.offset_y().into()));
                if heat.cursor.get_untracked() != at {
                    heat.cursor.set(at);
                }
            }
        }
    };
    let on_wheel = move |event: ev::WheelEvent| {
        event.prevent_default();
        let lines = if event.delta_mode() == web_sys::WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
        let factor = 2f64.powf(-event.delta_y() * lines / WHEEL_OCTAVE);
        change_window(store, |viewport| viewport.zoomed(factor, event.offset_x().into(), event.offset_y().into()));
    };
    let message = move || {
        if let Some(error) = heat.error.get() {
            let is_compared = store.quantity() != Quantity::Expected;
            return Some(if is_compared && verdict(store) == Some(Verdict::Gap) {
                NO_KERNEL.to_owned()
            } else {
                error
            });
        }
        if store.plane().is_some_and(|plane| plane.is_empty()) {
            return Some("The tensor has no elements.".to_owned());
        }
        heat.grid.with(Option::is_none).then(|| "Computing…".to_owned())
    };
    view! {
        <div class="canvas-frame" node_ref=frame>
            <canvas
                node_ref=canvas
                id="heatmap"
                data-testid="heatmap-canvas"
                data-quantity=move || heat.grid.with(|grid| grid.as_ref().map(|grid| format!("{:?}", grid.request.quantity).to_lowercase()))
                aria-busy=move || heat.is_awaited.get().to_string()
                class:zoomed=move || store.view.with(|view| view.window.zoom > 1.0)
                tabindex="0"
                role="application"
                aria-roledescription="heatmap"
                aria-label="Values of the selected result. Arrow keys move a cursor, plus and minus zoom, 0 shows the whole plane."
                on:pointerdown=on_down
                on:pointermove=on_move
                on:pointerup=move |_| pan.set(None)
                on:pointercancel=move |_| pan.set(None)
                on:pointerleave=move |_| if pan.get_untracked().is_none() { heat.cursor.set(None) }
                on:wheel=on_wheel
                on:keydown=move |event| on_key(store, &event)
            ></canvas>
            {move || message().map(|text| view! { <p class="canvas-message" data-testid="heatmap-message">{text}</p> })}
        </div>
    }
}

fn verdict(store: Store) -> Option<Verdict> {
    let result = store.trace.get()?.result(store.selected()?)?;
    result.with(|known| known.as_ref().map(|known| known.verdict))
}

fn on_key(store: Store, event: &ev::KeyboardEvent) {
    let Some(viewport) = viewport(store) else { return };
    let (rows, columns) = viewport.plane;
    let cursor = store.heat.cursor.get_untracked();
    let leap = if event.shift_key() { LEAP } else { 1 };
    // The first key only shows the cursor.
    let (row, column) = cursor.unwrap_or((viewport.rows().start, viewport.columns().start));
    let moved = |row: usize, column: usize| {
        if cursor.is_none() { (viewport.rows().start, viewport.columns().start) } else { (row, column) }
    };
    let next = match event.key().as_str() {
        "ArrowUp" => moved(row.saturating_sub(leap), column),
        "ArrowDown" => moved((row + leap).min(rows - 1), column),
        "ArrowLeft" => moved(row, column.saturating_sub(leap)),
        "ArrowRight" => moved(row, (column + leap).min(columns - 1)),
        key @ ("+" | "=" | "-" | "_") => {
            event.prevent_default();
            let factor = if matches!(key, "+" | "=") { ZOOM_STEP } else { 1.0 / ZOOM_STEP };
            let (x, y) = match cursor {
                Some((row, column)) => {
                    let ((x, y), (width, height)) = (viewport.corner(row, column), viewport.element_size());
                    (x + width / 2.0, y + height / 2.0)
                }
                None => (viewport.size.0 / 2.0, viewport.size.1 / 2.0),
            };
            return change_window(store, |viewport| viewport.zoomed(factor, x, y));
        }
        "0" => return change_window(store, |_| Window::default()),
        "Escape" => return store.heat.cursor.set(None),
        _ => return,
    };
    event.prevent_default();
    store.heat.cursor.set(Some(next));
    change_window(
        store,
        |viewport| if viewport.window.zoom > 1.0 { viewport.showing(next.0, next.1) } else { viewport.window },
    );
}

fn viewport(store: Store) -> Option<Viewport> {
    let plane = store.plane().filter(|plane| !plane.is_empty())?;
    Some(plane.viewport(store.heat.size.get(), store.view.with(|view| view.window)))
}

fn change_window(store: Store, change: impl FnOnce(&Viewport) -> Window) {
    let Some(viewport) = untrack(|| viewport(store)) else { return };
    store.go(History::Replace, |view| view.window = change(&viewport));
}

/// Clears the canvas and makes its units CSS pixels, whatever the screen's resolution.
fn prepare(canvas: &web_sys::HtmlCanvasElement, width: f64, height: f64) -> Option<CanvasRenderingContext2d> {
    let density = window().device_pixel_ratio().max(1.0);
    canvas.set_width((width * density).round() as u32);
    canvas.set_height((height * density).round() as u32);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.unchecked_into();
    context.scale(density, density).ok()?;
    Some(context)
}

/// Keeps the store's picture size that of the frame.
fn follow_size(store: Store, frame: NodeRef<html::Div>) {
    Effect::new(move |_| {
        let Some(frame) = frame.get() else { return };
        let on_resize = {
            let frame = frame.clone();
            Closure::<dyn FnMut()>::new(move || {
                let size = (f64::from(frame.client_width()), f64::from(frame.client_height()));
                if store.heat.size.get_untracked() != size {
                    store.heat.size.set(size);
                }
            })
        };
        if let Ok(observer) = ResizeObserver::new(on_resize.as_ref().unchecked_ref()) {
            observer.observe(&frame);
        }
        // Lives as long as the frame, which lives as long as the page shows a trace.
        on_resize.forget();
    });
}
