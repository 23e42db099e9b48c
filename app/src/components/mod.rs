//! The page, a file per panel. Components read the store and call it; none computes anything about tensors.

#![expect(unreachable_pub, reason = "leptos' `component` makes public what belongs to a component of any visibility")]

mod app;
mod board;
mod case;
mod copy_link;
mod drop_zone;
mod gpu_badge;
mod heatmap;
mod intro;
mod no_webgpu;
mod notices;
mod popup;
mod theme_switch;
mod top_bar;
mod trace_chooser;
mod verdict;

pub use app::App;
