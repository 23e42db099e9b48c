//! Painting the visible part of a plane: the picture, single values where there is room, the cursor.

use super::image::Image;
use crate::protocol::Grid;
use taproot_view::colour::wants_dark_text;
use taproot_view::number::significant;
use taproot_view::viewport::Viewport;
use web_sys::CanvasRenderingContext2d;

const FONT: &str = "11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
/// Pixels of a value's width per digit: fewer digits where elements are narrow.
const DIGIT_WIDTH: f64 = 8.0;

/// Paints a grid that has come into the window that is seen now, which may already be another.
pub(super) fn grid(context: &CanvasRenderingContext2d, viewport: &Viewport, grid: &Grid, image: &Image) {
    let region = grid.request.region;
    let (left, top) = viewport.corner(region.row, region.col);
    let (right, bottom) = viewport.corner(region.row + region.rows, region.col + region.cols);
    context.set_image_smoothing_enabled(false);
    // Fails only for pictures without pixels, and those have nothing to show.
    let _ =
        context.draw_image_with_html_canvas_element_and_dw_and_dh(&image.canvas, left, top, right - left, bottom - top);
    if viewport.prints_values() && (grid.height, grid.width) == (region.rows, region.cols) {
        values(context, viewport, grid, image);
    }
}

fn values(context: &CanvasRenderingContext2d, viewport: &Viewport, grid: &Grid, image: &Image) {
    let (width, height) = viewport.element_size();
    let digits = ((width / DIGIT_WIDTH) as usize).saturating_sub(3).clamp(2, 8);
    context.set_font(FONT);
    context.set_text_align("center");
    context.set_text_baseline("middle");
    let region = grid.request.region;
    let (rows, columns) = (region.row..region.row + region.rows, region.col..region.col + region.cols);
    for row in viewport.rows().filter(|row| rows.contains(row)) {
        for column in viewport.columns().filter(|column| columns.contains(column)) {
            let at = (row - region.row) * grid.width + (column - region.col);
            let Some(&value) = image.values.get(at) else { continue };
            let (x, y) = viewport.corner(row, column);
            context.set_fill_style_str(if wants_dark_text(image.colour(value)) { "#000" } else { "#fff" });
            // A context that cannot draw text still shows the colours.
            let _ = context.fill_text_with_max_width(
                &significant(f64::from(value), digits),
                x + width / 2.0,
                y + height / 2.0,
                width - 4.0,
            );
        }
    }
}

/// Paints a frame around the element under the cursor, seen on any colour.
pub(super) fn cursor(context: &CanvasRenderingContext2d, viewport: &Viewport, row: usize, column: usize) {
    let (x, y) = viewport.corner(row, column);
    let (width, height) = viewport.element_size();
    // Elements smaller than a few pixels get a frame that can be seen.
    let (frame_width, frame_height) = (width.max(5.0), height.max(5.0));
    let (left, top) = (x + (width - frame_width) / 2.0, y + (height - frame_height) / 2.0);
    for (colour, line, grow) in [("#000", 3.0, 0.5), ("#fff", 1.0, 0.5)] {
        context.set_stroke_style_str(colour);
        context.set_line_width(line);
        context.stroke_rect(left - grow, top - grow, frame_width + 2.0 * grow, frame_height + 2.0 * grow);
    }
}
