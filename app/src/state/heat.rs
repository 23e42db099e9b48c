//! What the heatmap shows: the plane, the part of it that has come, the element under the cursor.

use crate::protocol::{ElementRequest, Grid, GridRequest, PlaneRef};
use leptos::prelude::*;
use std::sync::Arc;
use taproot_engine::compare::heatmap::{self, Element, Region, unravel};
use taproot_view::scale::Quantity;
use taproot_view::view_state::Window;
use taproot_view::viewport::Viewport;

/// Values asked for per CSS pixel: one is enough, since an element is never drawn smaller than that.
const VALUES_PER_PIXEL: f64 = 1.0;

/// State of the heatmap.
#[derive(Clone, Copy)]
pub struct Heat {
    /// Width and height of the picture in CSS pixels.
    pub size: RwSignal<(f64, f64)>,
    /// The newest part that has come; it may be of another window than the one shown.
    pub grid: RwSignal<Option<Arc<Grid>>, LocalStorage>,
    /// Whether another part has been asked for and has not come.
    pub is_awaited: RwSignal<bool>,
    /// Why there is none: one sentence.
    pub error: RwSignal<Option<String>>,
    /// Row and column under the pointer or the keyboard's cursor.
    pub cursor: RwSignal<Option<(usize, usize)>>,
    /// What is known of the element under the cursor.
    pub element: RwSignal<Option<Element>>,
}

impl Heat {
    /// Nothing yet.
    pub fn new() -> Self {
        Heat {
            size: RwSignal::new((0.0, 0.0)),
            grid: RwSignal::new_local(None),
            is_awaited: RwSignal::new(false),
            error: RwSignal::default(),
            cursor: RwSignal::default(),
            element: RwSignal::default(),
        }
    }

    /// Forgets the case before.
    pub fn clear(&self) {
        self.grid.set(None);
        self.error.set(None);
        self.cursor.set(None);
        self.element.set(None);
    }
}

impl Default for Heat {
    fn default() -> Self {
        Self::new()
    }
}

/// A tensor's plane that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Which one.
    pub of: PlaneRef,
    /// Shape of the whole tensor.
    pub shape: Vec<usize>,
}

impl Plane {
    /// The plane of a result that a link names. What does not fit the tensor is cut to what does.
    pub fn new(operator: usize, output: usize, shape: &[usize], dims: Option<(usize, usize)>, slice: &[usize]) -> Self {
        let last = |size: usize| size.saturating_sub(1);
        let index = shape.iter().enumerate().map(|(dim, &size)| slice.get(dim).copied().unwrap_or(0).min(last(size)));
        let mut plane = heatmap::Plane::through(index.collect());
        if let Some((down, across)) = dims.filter(|(down, across)| *down < shape.len() && *across < shape.len()) {
            (plane.rows_dim, plane.cols_dim) = (Some(down), Some(across));
        }
        Plane { of: PlaneRef { operator, output, plane }, shape: shape.to_vec() }
    }

    /// Rows and columns. A vector is one row, a scalar one element.
    pub fn size(&self) -> (usize, usize) {
        let size = |dim: Option<usize>| dim.and_then(|dim| self.shape.get(dim).copied()).unwrap_or(1);
        (size(self.of.plane.rows_dim), size(self.of.plane.cols_dim))
    }

    /// Index, row and column of an element by its position in row-major order.
    pub fn place(&self, element: usize) -> Option<(Vec<usize>, usize, usize)> {
        let index = unravel(element, &self.shape)?;
        let along = |dim: Option<usize>| dim.and_then(|dim| index.get(dim).copied()).unwrap_or(0);
        let (row, column) = (along(self.of.plane.rows_dim), along(self.of.plane.cols_dim));
        Some((index, row, column))
    }

    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The part that a window of a picture of `size` shows.
    pub fn viewport(&self, size: (f64, f64), window: Window) -> Viewport {
        Viewport { plane: self.size(), size, window }
    }

    /// What to ask for to fill that picture.
    pub fn request(&self, viewport: &Viewport, quantity: Quantity) -> GridRequest {
        let most = |pixels: f64| (pixels * VALUES_PER_PIXEL).ceil().max(1.0) as usize;
        let (rows, columns) = (viewport.rows(), viewport.columns());
        GridRequest {
            of: self.of.clone(),
            quantity: engine_quantity(quantity),
            region: Region { row: rows.start, col: columns.start, rows: rows.len(), cols: columns.len() },
            max_width: most(viewport.size.0),
            max_height: most(viewport.size.1),
        }
    }

    /// What to ask for to know an element.
    pub fn element(&self, row: usize, column: usize) -> ElementRequest {
        ElementRequest { of: self.of.clone(), row, column }
    }
}

/// The engine's word for a quantity.
pub fn engine_quantity(quantity: Quantity) -> heatmap::Quantity {
    match quantity {
        Quantity::Expected => heatmap::Quantity::Expected,
        Quantity::Actual => heatmap::Quantity::Actual,
        Quantity::Difference => heatmap::Quantity::Difference,
        Quantity::Relative => heatmap::Quantity::Relative,
        Quantity::Ulp => heatmap::Quantity::Ulp,
    }
}
