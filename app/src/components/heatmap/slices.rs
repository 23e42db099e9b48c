//! Which plane of a tensor: the dimensions that run down and across, and a position along each of the others.

use crate::state::Store;
use crate::state::address::History;
use leptos::prelude::*;

/// The choice, for tensors of at least three dimensions; for others what is seen.
#[component]
pub(super) fn Slices() -> impl IntoView {
    let store = Store::get();
    // What decides which controls there are; moving along a dimension must not make new ones.
    let layout = Memo::new(move |_| {
        let plane = store.plane()?;
        Some((plane.shape.clone(), plane.of.plane.rows_dim, plane.of.plane.cols_dim))
    });
    view! {
        <div class="slices" data-testid="slices">
            {move || match layout.get() {
                Some((shape, Some(down), Some(across))) if shape.len() > 2 => {
                    view! { <Dimensions shape=shape down=down across=across/> }.into_any()
                }
                Some((shape, _, _)) => view! { <span class="hint">{extent(&shape)}</span> }.into_any(),
                None => ().into_any(),
            }}
        </div>
    }
}

fn extent(shape: &[usize]) -> String {
    match shape {
        [] => "a single number".to_owned(),
        [columns] => format!("{columns} elements"),
        [rows, columns, ..] => format!("{rows} rows × {columns} columns"),
    }
}

#[component]
fn Dimensions(shape: Vec<usize>, down: usize, across: usize) -> impl IntoView {
    let store = Store::get();
    let rest = shape.iter().copied().enumerate().filter(move |(dim, _)| *dim != down && *dim != across);
    let rest: Vec<(usize, usize)> = rest.collect();
    let axis = move |dims: (usize, usize)| {
        store.go(History::Push, |view| {
            view.dims = Some(dims);
            view.window = Default::default();
        });
    };
    view! {
        <DimensionChoice
            label="rows" testid="rows-dim" shape=shape.clone() chosen=down
            choose=move |dim| axis(if dim == across { (across, down) } else { (dim, across) })
        />
        <DimensionChoice
            label="columns" testid="columns-dim" shape=shape chosen=across
            choose=move |dim| axis(if dim == down { (across, down) } else { (down, dim) })
        />
        {rest.into_iter().map(|(dim, size)| view! { <Position dim=dim size=size/> }).collect_view()}
    }
}

#[component]
fn DimensionChoice(
    label: &'static str,
    testid: &'static str,
    shape: Vec<usize>,
    chosen: usize,
    choose: impl Fn(usize) + 'static,
) -> impl IntoView {
    let options = shape.into_iter().enumerate().map(move |(dim, size)| {
        view! { <option value=dim.to_string() selected=dim == chosen>{format!("dim {dim} ({size})")}</option> }
    });
    view! {
        <label class="slice">
            {label}
            <select data-testid=testid on:change:target=move |event| {
                if let Ok(dim) = event.target().value().parse() {
                    choose(dim);
                }
            }>
                {options.collect_view()}
            </select>
        </label>
    }
}

#[component]
fn Position(dim: usize, size: usize) -> impl IntoView {
    let store = Store::get();
    let last = size.saturating_sub(1);
    let at = move || store.plane().and_then(|plane| plane.of.plane.index.get(dim).copied()).unwrap_or(0);
    let go = move |position: usize| {
        store.go(History::Replace, |view| {
            if view.slice.len() <= dim {
                view.slice.resize(dim + 1, 0);
            }
            if let Some(place) = view.slice.get_mut(dim) {
                *place = position;
            }
        });
    };
    view! {
        <label class="slice">
            {format!("dim {dim}")}
            <input
                type="number" min="0" max=last.to_string() data-testid="slice" data-dim=dim.to_string()
                disabled=last == 0
                prop:value=move || at().to_string()
                on:input:target=move |event| {
                    if let Ok(position) = event.target().value().parse::<usize>() {
                        go(position.min(last));
                    }
                }
            />
            <span class="hint">{format!("of {size}")}</span>
        </label>
    }
}
