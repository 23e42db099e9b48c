//! The engine's side of the heatmap.
