//! Products of groups of matrices.

use super::harness::*;
use super::matmul::assert_product;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};

fn ends(values: &[i32]) -> Strided {
    let values: Vec<f64> = values.iter().copied().map(f64::from).collect();
    HostTensor::from_f64(DType::I32, &[values.len()], &values).unwrap().into()
}

fn grouped(left: Strided, right: Strided, offs: Option<Strided>) -> Call<Strided> {
    let mut tensors = vec![("mat_a", left), ("mat_b", right)];
    tensors.extend(offs.map(|offs| ("offs", offs)));
    call("grouped_mm", &tensors, &[])
}

/// Calls that together make the kernel in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    for dtype in [DType::F32, DType::F16, DType::BF16] {
        let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
        for rows in [4, 40, 80, 200] {
            let offs = || ends(&[1, 4]);
            let transposed = Strided::view(typed(dtype, 2, &[2, 5, 6]), &[2, 6, 5], &[30, 1, 6], 0);
            for right in [of(&[2, 6, 5]), transposed] {
                calls.push(grouped(of(&[rows, 6]), right.clone(), Some(offs())));
                calls.push(grouped(of(&[2, rows, 6]), right, None));
            }
            calls.push(grouped(of(&[rows, 6]), of(&[6, 5]), Some(offs())));
            calls.push(grouped(of(&[2, rows, 6]), of(&[6, 5]), Some(offs())));
            let tensors = [("input", of(&[rows, 6])), ("mat2", of(&[2, 6, 5])), ("offs", offs())];
            calls.push(call("_grouped_mm", &tensors, &[]));
        }
    }
    calls
}

#[test]
fn rows_divided_around_tile_edges() {
    for ends_of in [vec![16, 16, 33], vec![0, 1, 1], vec![15, 32, 97], vec![40, 41, 130], vec![0, 0, 260]] {
        for (columns, depth) in [(1, 1), (64, 16), (65, 33), (7, 300)] {
            let rows = ends_of.last().copied().unwrap() as usize + 3;
            let input = floats(1, &[rows, depth]);
            let experts =
                Strided::view(floats(2, &[3, columns, depth]), &[3, depth, columns], &[columns * depth, 1, depth], 0);
            assert_product(&grouped(input.clone().into(), experts, Some(ends(&ends_of))), depth);
            let experts = floats(3, &[3, depth, columns]);
            assert_product(&grouped(input.into(), experts.into(), Some(ends(&ends_of))), depth);
        }
    }
}

#[test]
fn columns_and_depth_divided() {
    for (rows, columns) in [(1, 70), (17, 65), (70, 130)] {
        for depth in [5, 40] {
            let left = Strided::view(floats(1, &[2, depth, rows]), &[2, rows, depth], &[depth * rows, 1, rows], 0);
            let offs = ends(&[columns as i32 / 3, columns as i32 - 1]);
            assert_product(&grouped(left, floats(2, &[depth, columns]).into(), Some(offs)), depth);
        }
        let offs = Strided::view(ends(&[7, 0, 7, 0, 150, 0, 301, 0]).base, &[4], &[2], 0);
        let left = floats(3, &[rows, 305]);
        assert_product(&grouped(left.into(), floats(4, &[305, columns]).into(), Some(offs)), 305);
    }
}

#[test]
fn batches_need_no_ends() {
    for rows in [1, 20] {
        assert_product(&grouped(floats(1, &[3, rows, 19]).into(), floats(2, &[3, 19, 9]).into(), None), 19);
    }
}

#[test]
fn halves_may_give_f32() {
    for dtype in [DType::F16, DType::BF16] {
        let tensors = [
            ("mat_a", typed(dtype, 1, &[21, 40]).into()),
            ("mat_b", typed(dtype, 2, &[2, 40, 9]).into()),
            ("offs", ends(&[6, 20])),
        ];
        assert_product(&call("grouped_mm", &tensors, &[]), 40);
        assert_product(&call("grouped_mm", &tensors, &[("out_dtype", Arg::Str("f32".to_owned()))]), 40);
    }
}

#[test]
fn groups_of_nothing() {
    for (rows, depth, columns) in [(0, 4, 3), (5, 0, 3), (5, 4, 0)] {
        let (left, right) = (floats(1, &[rows, depth]), floats(2, &[2, depth, columns]));
        assert_product(&grouped(left.into(), right.into(), Some(ends(&[0, 0]))), depth);
    }
    assert_product(&grouped(floats(1, &[5, 4]).into(), floats(2, &[0, 4, 3]).into(), Some(ends(&[]))), 4);
    assert_product(&grouped(floats(1, &[5, 0]).into(), floats(2, &[0, 3]).into(), Some(ends(&[0, 0]))), 0);
}

/// Another group's NaN stays with it.
#[test]
fn groups_do_not_mix() {
    let mut values = floats(2, &[2, 9, 5]).to_f32();
    values[45..].fill(f32::NAN);
    let right = HostTensor::from_f32(&[2, 9, 5], &values).unwrap();
    assert_product(&grouped(floats(1, &[20, 9]).into(), right.into(), Some(ends(&[18, 19]))), 9);
}

#[test]
fn ends_that_do_not_rise_give_nan() {
    for offs in [[3, 2], [-1, 5], [2, 6]] {
        for right in [floats(2, &[2, 5, 3]), floats(2, &[5, 3])] {
            let call = grouped(floats(1, &[5, 5]).into(), right.into(), Some(ends(&offs)));
            assert!(run(&call).unwrap()[0].to_f32().iter().all(|value| value.is_nan()), "{offs:?}");
        }
    }
}
