//! What the page shows, as far as it can be said without a browser: the address, the matrix of layers and operators, the
//! heatmap's viewport, scales and colours, and how numbers are printed. Everything here is a pure function and tested natively.

pub mod axis;
pub mod colour;
pub mod matrix;
pub mod number;
pub mod query;
pub mod scale;
pub mod view_state;
pub mod viewport;

pub use view_state::ViewState;
