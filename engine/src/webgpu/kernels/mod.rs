//! Kernels, a file per family; each records its dispatches into a [`Pass`].

pub mod attention;
pub mod convolution;
pub mod creation;
pub mod elementwise;
pub mod extremum;
pub mod gather;
pub mod grouped;
pub mod index;
pub mod logsumexp;
pub mod matmul;
mod matrix_product;
pub mod movement;
pub mod norm;
pub mod normalization;
pub mod pad;
pub mod pooling;
pub mod products;
pub mod rearrange;
pub mod reduction;
mod rows;
pub mod scan;
pub mod sort;
pub mod triangle;
pub mod variance;
pub mod weight_norm;

pub mod activation;
pub mod channels;
pub mod clamp;
pub mod combination;
pub mod functions;
pub mod logic;
pub mod remainder;
pub mod rounding;

use super::{GpuError, GpuTensor, Pass};
use crate::graph::views::View;
use crate::graph::{Call, Signature};
use crate::operators::{self, Definition};

/// An operator on GPU tensors. Signatures have been checked before it is called; it records work and returns the
/// results' tensors.
pub type KernelFn = fn(&mut Pass<'_>, &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError>;

/// How an operator runs.
pub(super) enum Runs {
    Kernel(&'static Signature, KernelFn),
    View(&'static View),
}

/// How the operator of this name runs, or `None`: a gap.
pub(super) fn lookup(op: &str) -> Option<Runs> {
    Some(match operators::lookup(op)? {
        Definition::Kernel(kernel) => Runs::Kernel(kernel.signature, kernel.webgpu),
        Definition::View(view) => Runs::View(view),
    })
}
