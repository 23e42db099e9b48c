//! Kernels on a real device with the limits that every device has, against the f64 oracle on the same inputs.

mod attention;
mod device;
mod elementwise;
mod harness;
mod matmul;
mod movement;
mod norm;
mod reduction;
mod speed;
mod variants;
