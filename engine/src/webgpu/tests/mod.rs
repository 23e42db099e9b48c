//! Kernels on a real device with the limits that every device has, against the f64 oracle on the same inputs.

mod activation;
mod attention;
mod convolution;
mod creation;
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
mod normalization;
mod pooling;
mod products;
mod range;
mod rearrange;
mod reduction;
mod remainder;
mod run;
mod scan;
mod variance;
mod variants;

mod functions;
