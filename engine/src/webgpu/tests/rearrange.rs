//! Repetitions and orders of views, whose strides the kernels take as they are.

use super::harness::*;
use crate::graph::{Arg, Call, Value};
use crate::tensor::{DType, HostTensor};

/// A transposed, an expanded, a cut view, and one of rank 6.
fn views() -> Vec<Strided> {
    let base = || floats(1, &[6, 35]);
    vec![
        Strided::view(base(), &[35, 6], &[1, 35], 0),
        Strided::view(base(), &[4, 3, 5], &[0, 7, 1], 3),
        Strided::view(base(), &[5, 4], &[37, 2], 11),
        Strided::view(base(), &[2, 1, 3, 2, 2, 3], &[5, 9, 1, 35, 70, 11], 2),
        Strided::view(typed(DType::F16, 2, &[7, 9]), &[9, 7], &[1, 9], 0),
        Strided::view(
            HostTensor::from_i64(&[12], &[5, -1, 7, 8, 0, 3, 9, -4, 2, 6, 1, 4]).unwrap(),
            &[3, 4],
            &[1, 3],
            0,
        ),
    ]
}

fn exact(op: &str, input: &Strided, args: &[(&str, Arg)]) {
    assert_ulps(&call(op, &[("input", input.clone())], args), 0.0);
}

/// A call of every operator here for one dtype.
pub(super) fn variants(dtype: DType) -> Vec<Call<Strided>> {
    let ints = |values: &[i64]| Arg::Ints(values.to_vec());
    let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
    let mut calls = Vec::new();
    for input in [of(&[2, 3, 4]), Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0)] {
        for (op, args) in [
            ("reshape", vec![("shape", ints(&[-1]))]),
            ("flatten", vec![("start_dim", Arg::Int(1))]),
            ("contiguous", vec![]),
            ("repeat", vec![("repeats", ints(&[2, 3, 2]))]),
            ("tile", vec![("dims", ints(&[2, 2]))]),
            ("repeat_interleave", vec![("repeats", Arg::Int(2)), ("dim", Arg::Int(1))]),
            ("flip", vec![("dims", ints(&[0, 2]))]),
            ("roll", vec![("shifts", ints(&[1])), ("dims", ints(&[1]))]),
            ("pad", vec![("pad", ints(&[1, 1])), ("value", Arg::Int(1))]),
            ("pad", vec![("pad", ints(&[1, 1])), ("mode", Arg::Str("reflect".to_owned()))]),
            ("constant_pad_nd", vec![("pad", ints(&[0, 1, 1, 0]))]),
            ("diff", vec![("n", Arg::Int(2)), ("dim", Arg::Int(1))]),
        ] {
            calls.push(call(op, &[("input", input.clone())], &args));
        }
        let end = [("dim", Arg::Int(2)), ("end", Arg::Int(2))];
        calls.push(call("slice_scatter", &[("input", input.clone()), ("src", of(&[2, 3, 2]))], &end));
        let index = [("dim", Arg::Int(1)), ("index", Arg::Int(2))];
        calls.push(call("select_scatter", &[("input", input.clone()), ("src", of(&[2, 4]))], &index));
        calls.push(Call::new("stack").with("tensors", Value::Tensors(vec![input.clone(), input])));
    }
    calls
}

#[test]
fn every_order_of_views() {
    for view in views() {
        let rank = view.layout.rank() as i64;
        for dims in [vec![0], vec![rank - 1], (0..rank).collect()] {
            exact("flip", &view, &[("dims", Arg::Ints(dims.clone()))]);
            let shifts = dims.iter().map(|dim| 2 * dim - 3).collect();
            exact("roll", &view, &[("shifts", Arg::Ints(shifts)), ("dims", Arg::Ints(dims))]);
        }
        exact("roll", &view, &[("shifts", Arg::Int(13))]);
    }
}

#[test]
fn repetitions_of_views() {
    for view in views() {
        let rank = view.layout.rank();
        exact("repeat", &view, &[("repeats", Arg::Ints((0..rank as i64).map(|dim| 1 + dim % 3).collect()))]);
        exact("tile", &view, &[("dims", Arg::Int(3))]);
        exact("repeat_interleave", &view, &[("repeats", Arg::Int(2))]);
        for dim in [0, -1] {
            exact("repeat_interleave", &view, &[("repeats", Arg::Int(3)), ("dim", Arg::Int(dim))]);
        }
        let stacked = Value::Tensors(vec![view.clone(), view.clone()]);
        for dim in [0, 1, -1] {
            assert_ulps(&Call::new("stack").with("tensors", stacked.clone()).arg("dim", Arg::Int(dim)), 0.0);
        }
    }
    // Each of the eight dimensions repeated: sixteen to walk over.
    let rank_8 = Strided::from(floats(3, &[2, 1, 3, 1, 2, 1, 2, 2]));
    exact("repeat", &rank_8, &[("repeats", Arg::Ints(vec![2, 3, 1, 2, 2, 1, 2, 3]))]);
    exact("flip", &rank_8, &[("dims", Arg::Ints(vec![0, 2, 4, 7]))]);
}

#[test]
fn other_shapes_of_views() {
    for view in views() {
        exact("reshape", &view, &[("shape", Arg::Int(-1))]);
        exact("flatten", &view, &[("start_dim", Arg::Int(1))]);
        exact("contiguous", &view, &[]);
    }
}

#[test]
fn padding_and_parts_of_views() {
    for view in views() {
        let rank = view.layout.rank();
        let shape = &view.layout.shape;
        exact("pad", &view, &[("pad", Arg::Ints(vec![2, 1, 0, 3])), ("value", Arg::Int(7))]);
        exact("pad", &view, &[("pad", Arg::Ints(vec![-1, 2])), ("value", Arg::Float(-0.5))]);
        for mode in ["reflect", "replicate", "circular"] {
            if rank == 2 || rank == 3 {
                exact("pad", &view, &[("pad", Arg::Ints(vec![2, 1])), ("mode", Arg::Str(mode.to_owned()))]);
            }
        }
        for dim in 0..rank {
            let args = [("dim", Arg::Int(dim as i64))];
            assert_ulps(&call("diff", &[("input", view.clone())], &args), 0.5);
            let mut selected = shape.clone();
            selected.remove(dim);
            let dtype = view.base.dtype();
            let src = typed(dtype, 9, &selected);
            let args = [("dim", Arg::Int(dim as i64)), ("index", Arg::Int(-1))];
            assert_ulps(&call("select_scatter", &[("input", view.clone()), ("src", src.into())], &args), 0.0);
            let mut sliced = shape.clone();
            sliced[dim] = sliced[dim].div_ceil(2);
            let args = [("dim", Arg::Int(dim as i64)), ("step", Arg::Int(2))];
            let src = typed(dtype, 9, &sliced);
            assert_ulps(&call("slice_scatter", &[("input", view.clone()), ("src", src.into())], &args), 0.0);
        }
    }
    // All modes of the last three dimensions of a transposed tensor.
    let view = Strided::view(floats(5, &[6, 5, 4, 3]), &[3, 4, 5, 6], &[1, 3, 12, 60], 0);
    for mode in ["reflect", "replicate", "circular"] {
        let args = [("pad", Arg::Ints(vec![1, 2, 3, 0, 2, 2])), ("mode", Arg::Str(mode.to_owned()))];
        exact("pad", &view, &args);
    }
}

#[test]
fn sizes_around_workgroups() {
    for size in [1, 3, 255, 256, 257, 1023, 1025] {
        let row = Strided::from(floats(4, &[3, size]));
        exact("flip", &row, &[("dims", Arg::Int(1))]);
        exact("roll", &row, &[("shifts", Arg::Int(1)), ("dims", Arg::Int(1))]);
        exact("repeat", &row, &[("repeats", Arg::Ints(vec![1, 2]))]);
        exact("repeat_interleave", &row, &[("repeats", Arg::Int(2)), ("dim", Arg::Int(1))]);
    }
}
