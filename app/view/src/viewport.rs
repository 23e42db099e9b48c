//! Which part of a plane a heatmap shows, and how large an element is.
//!
//! An element is at least as large as it takes to fill the picture and grows with the zoom until its value can be printed in it.
//! Each axis stops growing there, so that a plane of a few long rows opens up along the rows and keeps their height.

use crate::view_state::Window;
use std::ops::Range;

/// Width and height, in CSS pixels, at which an element's value can be printed in it.
pub const PRINTED: (f64, f64) = (64.0, 22.0);

/// A plane seen through a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Rows and columns of the plane; both at least 1.
    pub plane: (usize, usize),
    /// Width and height of the picture in CSS pixels.
    pub size: (f64, f64),
    /// Zoom and centre.
    pub window: Window,
}

/// One axis of a viewport.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    elements: f64,
    pixels: f64,
    /// Pixels per element.
    scale: f64,
    /// Element position, possibly between two, at pixel 0.
    start: f64,
}

impl Axis {
    fn new(elements: usize, pixels: f64, zoom: f64, printed: f64, centre: Option<f64>) -> Self {
        let elements = elements.max(1) as f64;
        let pixels = pixels.max(1.0);
        let fit = pixels / elements;
        let scale = (fit * zoom).clamp(fit, fit.max(printed));
        let visible = pixels / scale;
        let centre = centre.unwrap_or(elements / 2.0);
        Axis { elements, pixels, scale, start: (centre - visible / 2.0).clamp(0.0, (elements - visible).max(0.0)) }
    }

    fn visible(&self) -> Range<usize> {
        let end = (self.start + self.pixels / self.scale).min(self.elements);
        self.start.floor() as usize..end.ceil() as usize
    }

    fn element(&self, pixel: f64) -> Option<usize> {
        let at = self.start + pixel / self.scale;
        (at >= 0.0 && at < self.elements && (0.0..self.pixels).contains(&pixel)).then_some(at as usize)
    }

    fn centre(&self) -> f64 {
        self.start + self.pixels / self.scale / 2.0
    }

    /// The centre that puts element position `at` on `pixel` once the scale is `scale`.
    fn centre_keeping(&self, at: f64, pixel: f64, scale: f64) -> f64 {
        at + (self.pixels / 2.0 - pixel) / scale
    }
}

impl Viewport {
    /// Rows that are seen at least in part.
    pub fn rows(&self) -> Range<usize> {
        self.vertical().visible()
    }

    /// Columns that are seen at least in part.
    pub fn columns(&self) -> Range<usize> {
        self.horizontal().visible()
    }

    /// Width and height of an element in CSS pixels.
    pub fn element_size(&self) -> (f64, f64) {
        (self.horizontal().scale, self.vertical().scale)
    }

    /// Whether elements are large enough for their values.
    pub fn prints_values(&self) -> bool {
        let (width, height) = self.element_size();
        width >= PRINTED.0 * 0.75 && height >= PRINTED.1 * 0.6
    }

    /// Position of an element's left upper corner in CSS pixels, possibly outside the picture.
    pub fn corner(&self, row: usize, column: usize) -> (f64, f64) {
        let (x, y) = (self.horizontal(), self.vertical());
        ((column as f64 - x.start) * x.scale, (row as f64 - y.start) * y.scale)
    }

    /// Row and column under a point.
    pub fn element(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        Some((self.vertical().element(y)?, self.horizontal().element(x)?))
    }

    /// The window after zooming by `factor` with the element at the point staying where it is.
    pub fn zoomed(&self, factor: f64, x: f64, y: f64) -> Window {
        // Rounded before the centre is found, so that rounding does not move what is under the pointer.
        let zoom = round(self.window.zoom * factor, 100.0).clamp(1.0, self.max_zoom());
        let next = Viewport { window: Window { zoom, centre: None }, ..*self };
        let (across, down) = (self.horizontal(), self.vertical());
        let column = across.centre_keeping(across.start + x / across.scale, x, next.horizontal().scale);
        let row = down.centre_keeping(down.start + y / down.scale, y, next.vertical().scale);
        next.tidy(row, column)
    }

    /// The window after moving the picture by CSS pixels.
    pub fn panned(&self, dx: f64, dy: f64) -> Window {
        let (across, down) = (self.horizontal(), self.vertical());
        self.tidy(down.centre() - dy / down.scale, across.centre() - dx / across.scale)
    }

    /// The window moved as little as it takes to see an element whole.
    pub fn showing(&self, row: usize, column: usize) -> Window {
        let move_into = |axis: Axis, element: usize| {
            let visible = axis.pixels / axis.scale;
            let start = axis.start.min(element as f64).max(element as f64 + 1.0 - visible);
            start + visible / 2.0
        };
        self.tidy(move_into(self.vertical(), row), move_into(self.horizontal(), column))
    }

    /// The zoom from which on no axis grows further.
    pub fn max_zoom(&self) -> f64 {
        let axis = |elements: usize, pixels: f64, printed: f64| printed * elements.max(1) as f64 / pixels.max(1.0);
        let enough =
            axis(self.plane.1, self.size.0, PRINTED.0).max(axis(self.plane.0, self.size.1, PRINTED.1)).max(1.0);
        // Up, so that the last step reaches it; rounded, because it stands in links.
        (enough * 100.0).ceil() / 100.0
    }

    /// A window as it stands in links: kept inside the plane and rounded, so that links stay short.
    fn tidy(&self, row: f64, column: f64) -> Window {
        let zoom = self.window.zoom.clamp(1.0, self.max_zoom());
        if zoom <= 1.0 {
            return Window::default();
        }
        let at = Viewport { window: Window { zoom, centre: Some((row, column)) }, ..*self };
        let centre = (round(at.vertical().centre(), 10.0), round(at.horizontal().centre(), 10.0));
        Window { zoom, centre: Some(centre) }
    }

    fn horizontal(&self) -> Axis {
        let centre = self.window.centre.map(|(_, column)| column);
        Axis::new(self.plane.1, self.size.0, self.window.zoom, PRINTED.0, centre)
    }

    fn vertical(&self) -> Axis {
        let centre = self.window.centre.map(|(row, _)| row);
        Axis::new(self.plane.0, self.size.1, self.window.zoom, PRINTED.1, centre)
    }
}

fn round(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn viewport(plane: (usize, usize), window: Window) -> Viewport {
        Viewport { plane, size: (600.0, 400.0), window }
    }

    #[test]
    fn all_is_seen_at_first() {
        let all = viewport((10, 384), Window::default());
        assert_eq!((all.rows(), all.columns()), (0..10, 0..384));
        assert_eq!(all.element(599.9, 0.0), Some((0, 383)));
        assert_eq!(all.element(600.0, 0.0), None);
        assert!(!all.prints_values());
    }

    #[test]
    fn few_long_rows_keep_their_height() {
        let all = viewport((10, 384), Window::default());
        let near = viewport((10, 384), Window { zoom: all.max_zoom(), centre: None });
        assert_eq!(near.element_size(), (64.0, 40.0));
        assert!(near.prints_values());
        assert_eq!(near.rows(), 0..10);
    }

    #[test]
    fn a_small_plane_prints_at_once() {
        assert!(viewport((2, 3), Window::default()).prints_values());
        assert_eq!(viewport((2, 3), Window::default()).max_zoom(), 1.0);
    }

    #[test]
    fn zooming_out_ends_at_the_whole_plane() {
        let near = viewport((100, 100), Window { zoom: 4.0, centre: Some((20.0, 30.0)) });
        assert_eq!(near.zoomed(0.01, 5.0, 5.0), Window::default());
    }

    proptest! {
        #[test]
        fn zooming_keeps_what_is_under_the_pointer(
            rows in 30usize..3000, columns in 30usize..3000, x in 50f64..550.0, y in 50f64..350.0, factor in 1.1f64..4.0
        ) {
            let before = viewport((rows, columns), Window { zoom: 1.0, centre: None });
            let after = Viewport { window: before.zoomed(factor, x, y), ..before };
            let (a, b) = (before.element(x, y), after.element(x, y));
            prop_assert!(a.is_some() && b.is_some());
            let ((r0, c0), (r1, c1)) = (a.unwrap_or_default(), b.unwrap_or_default());
            // The centre is rounded to a tenth of an element.
            prop_assert!(r0.abs_diff(r1) <= 1 && c0.abs_diff(c1) <= 1, "{a:?} {b:?}");
        }

        #[test]
        fn an_element_can_always_be_shown(
            rows in 1usize..3000, columns in 1usize..3000, zoom in 1f64..400.0, at in (0f64..1.0, 0f64..1.0)
        ) {
            let start = viewport((rows, columns), Window { zoom, centre: None });
            let (row, column) = ((at.0 * rows as f64) as usize, (at.1 * columns as f64) as usize);
            let there = Viewport { window: start.showing(row, column), ..start };
            prop_assert!(there.rows().contains(&row) && there.columns().contains(&column));
        }

        #[test]
        fn what_is_seen_lies_inside(rows in 1usize..3000, columns in 1usize..3000, zoom in 0f64..1e6, centre in (-1e4f64..1e4, -1e4f64..1e4)) {
            let view = viewport((rows, columns), Window { zoom, centre: Some(centre) });
            prop_assert!(view.rows().end <= rows && view.columns().end <= columns);
            prop_assert!(!view.rows().is_empty() && !view.columns().is_empty());
        }
    }
}
