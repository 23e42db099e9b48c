//! Kernels on a real device with the limits that every device has, against the f64 oracle on the same inputs.

mod attention;
mod convolution;
mod device;
mod eight_bit;
mod elementwise;
mod extremum;
mod grouped;
mod harness;
mod index;
mod matmul;
mod movement;
mod norm;
mod pooling;
mod products;
mod range;
mod rearrange;
mod reduction;
mod run;
mod scan;
mod speed;
mod variants;

mod functions;
