//! A grid of values as a picture, one pixel per value.

use crate::protocol::Grid;
use leptos::prelude::*;
use taproot_view::colour::{self, Ground, NON_FINITE, Rgb};
use taproot_view::scale::Ramp;
use wasm_bindgen::{Clamped, JsCast as _};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Entries of the table that stands between position and colour: more than a screen can show.
const COLOURS: usize = 1024;

/// Values and the picture of them.
pub(super) struct Image {
    /// The picture, one pixel per value.
    pub(super) canvas: HtmlCanvasElement,
    /// Values in the picture's order; NaN where NaN or an infinity is.
    pub(super) values: Vec<f32>,
    colours: Vec<Rgb>,
    ramp: Ramp,
}

impl Image {
    /// Paints a grid; `None` where the browser gives no canvas.
    pub(super) fn new(grid: &Grid, ramp: Ramp, ground: Ground) -> Option<Self> {
        let last = (COLOURS - 1) as f64;
        let colours = (0..COLOURS).map(|at| colour::at(ramp.map, ground, at as f64 / last)).collect();
        let (columns, rows) = (grid.width, grid.height);
        let mut values = grid.values.to_vec();
        for (value, flags) in values.iter_mut().zip(grid.non_finite.to_vec()) {
            if flags != 0 {
                *value = f32::NAN;
            }
        }
        let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.unchecked_into();
        let image = Image { canvas, values, colours, ramp };
        let mut pixels = Vec::with_capacity(image.values.len() * 4);
        for &value in &image.values {
            let [red, green, blue] = image.colour(value);
            pixels.extend([red, green, blue, 0xff]);
        }
        image.canvas.set_width(columns as u32);
        image.canvas.set_height(rows as u32);
        let context: CanvasRenderingContext2d = image.canvas.get_context("2d").ok()??.unchecked_into();
        let data = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&pixels), columns as u32, rows as u32).ok()?;
        context.put_image_data(&data, 0.0, 0.0).ok()?;
        Some(image)
    }

    /// The colour of a value.
    pub(super) fn colour(&self, value: f32) -> Rgb {
        if !value.is_finite() {
            return NON_FINITE;
        }
        let at = self.ramp.position(f64::from(value)) * (self.colours.len() - 1) as f64;
        self.colours.get(at.round() as usize).copied().unwrap_or(NON_FINITE)
    }
}
