//! Matrix products of fixed ranks, with and without something added.

use super::harness::*;
use super::matmul::assert_product;
use crate::graph::{Arg, Call};
use crate::tensor::DType;

/// Calls that together make the kernels of these operators in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    for dtype in [DType::F32, DType::F16, DType::BF16, DType::I64, DType::I16] {
        let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
        for rows in [1, 5, 20] {
            calls.push(call("mm", &[("input", of(&[rows, 6])), ("mat2", of(&[6, 5]))], &[]));
            calls.push(call("bmm", &[("input", of(&[2, rows, 6])), ("mat2", of(&[2, 6, 5]))], &[]));
            calls.push(call("mv", &[("input", of(&[rows, 6])), ("vec", of(&[6]))], &[]));
            for added in [of(&[]), of(&[5]), of(&[rows, 5])] {
                let tensors = [("input", added.clone()), ("mat1", of(&[rows, 6])), ("mat2", of(&[6, 5]))];
                calls.push(call("addmm", &tensors, &[]));
                let tensors = [("input", added), ("batch1", of(&[2, rows, 6])), ("batch2", of(&[2, 6, 5]))];
                calls.push(call("baddbmm", &tensors, &[("beta", Arg::Int(0))]));
                calls.push(call("addbmm", &tensors, &[("beta", Arg::Int(2))]));
            }
            let tensors = [("input", of(&[rows])), ("mat", of(&[rows, 6])), ("vec", of(&[6]))];
            calls.push(call("addmv", &tensors, &[]));
        }
        calls.push(call("dot", &[("input", of(&[6])), ("tensor", of(&[6]))], &[]));
        for batch in [1, 70, 130] {
            let [input, other] = super::matmul::batches(dtype, batch, [65, 3, 65], false);
            calls.push(call("matmul", &[("input", input), ("other", other)], &[]));
        }
    }
    calls
}

fn product(op: &str, names: [&str; 2], left: Strided, right: Strided, depth: usize) {
    assert_product(&call(op, &[(names[0], left), (names[1], right)], &[]), depth);
}

#[test]
fn mm_around_tile_edges() {
    for rows in [1, 4, 5, 8, 9, 16, 17, 64, 65] {
        for (columns, depth) in [(1, 1), (7, 15), (8, 16), (9, 17), (63, 33), (64, 32), (65, 31), (130, 129)] {
            product(
                "mm",
                ["input", "mat2"],
                floats(1, &[rows, depth]).into(),
                floats(2, &[depth, columns]).into(),
                depth,
            );
        }
    }
}

#[test]
fn products_of_strided_factors() {
    for rows in [1, 6, 20] {
        let left = Strided::view(floats(1, &[3, 40, 24]), &[3, rows, 12], &[960, 1, 40], 7);
        let right = Strided::view(floats(2, &[12, 9, 6]), &[3, 12, 5], &[1, 54, 6], 3);
        product("bmm", ["input", "mat2"], left, right, 12);
        // Expanded: one matrix for the whole batch, and one column for all.
        let one = Strided::view(floats(3, &[rows, 12]), &[3, rows, 12], &[0, 12, 1], 0);
        product("bmm", ["input", "mat2"], one, Strided::view(floats(4, &[12]), &[3, 12, 5], &[0, 1, 0], 0), 12);
    }
    let transposed = Strided::view(floats(5, &[33, 70]), &[70, 33], &[1, 70], 0);
    product("mv", ["input", "vec"], transposed, Strided::view(floats(6, &[70]), &[33], &[2], 3), 33);
    product("dot", ["input", "tensor"], Strided::view(floats(7, &[9]), &[9], &[0], 8), floats(8, &[9]).into(), 9);
}

#[test]
fn added_tensors_broadcast_in_every_layout() {
    let scalars = [("beta", Arg::Float(-0.5)), ("alpha", Arg::Float(2.0))];
    for (rows, columns) in [(1, 70), (9, 1), (5, 9), (20, 66)] {
        let added = [
            floats(3, &[rows, columns]).into(),
            Strided::view(floats(4, &[columns, rows]), &[rows, columns], &[1, rows], 0),
            Strided::view(floats(5, &[rows + 2]), &[rows, columns], &[1, 0], 2),
            floats(6, &[columns]).into(),
            floats(7, &[]).into(),
        ];
        for input in added {
            let (left, right) = (floats(1, &[rows, 19]), floats(2, &[19, columns]));
            let tensors = [("input", input.clone()), ("mat1", left.into()), ("mat2", right.into())];
            close(&call("addmm", &tensors, &scalars));
            let (left, right) = (floats(1, &[4, rows, 19]), floats(2, &[4, 19, columns]));
            let tensors = [("input", input), ("batch1", left.into()), ("batch2", right.into())];
            close(&call("baddbmm", &tensors, &scalars));
            close(&call("addbmm", &tensors, &scalars));
        }
        let input = Strided::view(floats(4, &[2 * rows]), &[rows], &[2], 0);
        let tensors = [("input", input), ("mat", floats(1, &[rows, 19]).into()), ("vec", floats(2, &[19]).into())];
        close(&call("addmv", &tensors, &scalars));
    }
}

/// 2⁻²⁴ · some 30 roundings of numbers that reach 20.
fn close(call: &Call<Strided>) {
    assert_close(call, |_, _| 4e-5);
}

#[test]
fn addbmm_of_strided_batches_and_halves() {
    for dtype in [DType::F32, DType::F16] {
        let left = Strided::view(typed(dtype, 1, &[5, 7, 3]), &[3, 5, 7], &[1, 21, 3], 0);
        let right = Strided::view(typed(dtype, 2, &[7, 3, 9]), &[3, 7, 9], &[9, 27, 1], 0);
        let tensors = [("input", typed(dtype, 3, &[5, 9]).into()), ("batch1", left), ("batch2", right)];
        assert_close(&call("addbmm", &tensors, &[]), |dtype, _| if dtype == DType::F32 { 1e-5 } else { 8e-3 });
    }
}
