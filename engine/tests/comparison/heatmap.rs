//! Planes, cells and single elements.

use taproot_engine::compare::heatmap::{
    Grid, HeatmapError, NAN, NEGATIVE_INFINITY, POSITIVE_INFINITY, Plane, Quantity, Region, Subject, element, grid,
    unravel,
};
use taproot_engine::oracle::Array;
use taproot_engine::tensor::{DType, HostTensor};

fn tensor(shape: &[usize], values: &[f32]) -> HostTensor {
    HostTensor::from_f32(shape, values).unwrap()
}

fn counting(shape: &[usize]) -> HostTensor {
    let count = shape.iter().product::<usize>();
    tensor(shape, &(0..count).map(|i| i as f32).collect::<Vec<_>>())
}

fn expected_only(tensor: &HostTensor) -> Subject<'_> {
    Subject { expected: tensor, actual: None, oracle: None }
}

fn show(tensor: &HostTensor, plane: &Plane) -> Grid {
    grid(&expected_only(tensor), Quantity::Expected, plane, None, 100, 100).unwrap()
}

#[test]
fn default_plane_is_the_last_two_dimensions() {
    let cube = counting(&[2, 3, 4]);
    let shown = show(&cube, &Plane::of(cube.shape()));
    assert_eq!((shown.height, shown.width, shown.plane_rows, shown.plane_cols), (3, 4, 3, 4));
    assert_eq!(shown.values, (0..12).map(|i| i as f32).collect::<Vec<_>>());
    assert_eq!((shown.min, shown.max, shown.max_abs), (0.0, 11.0, 11.0));
    let second = show(&cube, &Plane::through(vec![1, 0, 0]));
    assert_eq!(second.values[0], 12.0);
}

#[test]
fn any_two_dimensions_make_a_plane() {
    let cube = counting(&[2, 3, 4]);
    let plane = Plane { rows_dim: Some(2), cols_dim: Some(0), index: vec![9, 1, 9] };
    assert_eq!(show(&cube, &plane).values, [4.0, 16.0, 5.0, 17.0, 6.0, 18.0, 7.0, 19.0]);
    assert_eq!(plane.index_of(3, 1), [1, 1, 3]);
    let column = Plane { rows_dim: Some(1), cols_dim: None, index: vec![0, 0, 2] };
    let shown = show(&cube, &column);
    assert_eq!((shown.height, shown.width, shown.values), (3, 1, vec![2.0, 6.0, 10.0]));
}

#[test]
fn low_ranks_are_planes_too() {
    let vector = counting(&[5]);
    let shown = show(&vector, &Plane::of(&[5]));
    assert_eq!((shown.height, shown.width), (1, 5));
    let scalar = tensor(&[], &[7.0]);
    assert_eq!(show(&scalar, &Plane::of(&[])).values, [7.0]);
    let empty = counting(&[0, 4]);
    let shown = show(&empty, &Plane::of(&[0, 4]));
    assert_eq!((shown.height, shown.width, shown.values.len(), shown.max_abs), (0, 4, 0, 0.0));
}

#[test]
fn planes_that_do_not_fit_are_refused() {
    let cube = counting(&[2, 3, 4]);
    for plane in [
        Plane { rows_dim: Some(1), cols_dim: Some(1), index: vec![0, 0, 0] },
        Plane { rows_dim: Some(1), cols_dim: Some(3), index: vec![0, 0, 0] },
        Plane { rows_dim: Some(1), cols_dim: Some(2), index: vec![2, 0, 0] },
        Plane { rows_dim: Some(1), cols_dim: Some(2), index: vec![0, 0] },
    ] {
        let result = grid(&expected_only(&cube), Quantity::Expected, &plane, None, 8, 8);
        assert!(matches!(result, Err(HeatmapError::Outside { .. })), "{plane:?}");
    }
}

#[test]
fn an_outlier_stays_visible() {
    let mut values = vec![0.5f32; 1000 * 1000];
    values[777 * 1000 + 123] = -9.0;
    let image = tensor(&[1000, 1000], &values);
    let shown = grid(&expected_only(&image), Quantity::Expected, &Plane::of(&[1000, 1000]), None, 30, 20).unwrap();
    assert_eq!((shown.width, shown.height, shown.values.len()), (30, 20, 600));
    let found: Vec<usize> = (0..600).filter(|&cell| shown.values[cell] == -9.0).collect();
    assert_eq!(found.len(), 1);
    assert!(shown.rows_of(found[0] / 30).contains(&777) && shown.cols_of(found[0] % 30).contains(&123));
    assert_eq!((shown.min, shown.max, shown.max_abs), (-9.0, 0.5, 9.0));
    let covered: usize = (0..20).map(|row| shown.rows_of(row).len()).sum();
    assert_eq!((covered, shown.rows_of(0).start, shown.rows_of(19).end), (1000, 0, 1000));
}

#[test]
fn regions_are_cut_to_the_plane_and_keep_its_scale() {
    let image = counting(&[4, 6]);
    let region = Region { row: 2, col: 4, rows: 10, cols: 10 };
    let shown = grid(&expected_only(&image), Quantity::Expected, &Plane::of(&[4, 6]), Some(region), 100, 100).unwrap();
    assert_eq!(shown.region, Region { row: 2, col: 4, rows: 2, cols: 2 });
    assert_eq!(shown.values, [16.0, 17.0, 22.0, 23.0]);
    assert_eq!((shown.min, shown.max), (0.0, 23.0));
}

#[test]
fn quantities_compare_target_and_record() {
    let expected = tensor(&[4], &[1.0, -2.0, 0.0, 0.0]);
    let actual = tensor(&[4], &[1.0 + f32::EPSILON, -1.0, 0.0, 0.5]);
    let subject = Subject { expected: &expected, actual: Some(&actual), oracle: None };
    let of = |quantity| grid(&subject, quantity, &Plane::of(&[4]), None, 9, 9).unwrap();
    assert_eq!(of(Quantity::Actual).values, [1.0 + f32::EPSILON, -1.0, 0.0, 0.5]);
    assert_eq!(of(Quantity::Difference).values, [f32::EPSILON, 1.0, 0.0, 0.5]);
    assert_eq!(of(Quantity::AbsoluteDifference).values, [f32::EPSILON, 1.0, 0.0, 0.5]);
    assert_eq!(of(Quantity::Ulp).values[..3], [1.0, 8_388_608.0, 0.0]);
    let relative = of(Quantity::Relative);
    assert_eq!(relative.values[..3], [f32::EPSILON, 0.5, 0.0]);
    assert_eq!(relative.nonfinite, [0, 0, 0, POSITIVE_INFINITY]);
    let swapped = Subject { expected: &actual, actual: Some(&expected), oracle: None };
    let signed = grid(&swapped, Quantity::Difference, &Plane::of(&[4]), None, 9, 9).unwrap();
    assert_eq!(signed.values, [-f32::EPSILON, -1.0, 0.0, -0.5]);
    let missing = grid(&expected_only(&expected), Quantity::Ulp, &Plane::of(&[4]), None, 9, 9);
    assert_eq!(missing, Err(HeatmapError::NoActual));
}

#[test]
fn nan_and_infinities_are_flags_and_not_values() {
    let expected = tensor(&[6], &[1.0, f32::NAN, f32::INFINITY, 4.0, f32::NEG_INFINITY, 2.0]);
    let actual = tensor(&[6], &[1.0, 2.0, f32::INFINITY, f32::NAN, 0.0, 2.0]);
    let subject = Subject { expected: &expected, actual: Some(&actual), oracle: None };
    let of = |quantity, width| grid(&subject, quantity, &Plane::of(&[6]), None, width, 1).unwrap();
    assert_eq!(of(Quantity::Expected, 6).nonfinite, [0, NAN, POSITIVE_INFINITY, 0, NEGATIVE_INFINITY, 0]);
    assert_eq!(of(Quantity::Difference, 6).nonfinite, [0, NAN, POSITIVE_INFINITY, NAN, NEGATIVE_INFINITY, 0]);
    let coarse = of(Quantity::Expected, 2);
    assert_eq!(coarse.nonfinite, [NAN | POSITIVE_INFINITY, NEGATIVE_INFINITY]);
    assert_eq!(coarse.values, [1.0, 4.0]);
    assert_eq!((coarse.min, coarse.max), (1.0, 4.0));
}

#[test]
fn elements_show_value_bits_and_ulp() {
    let expected = tensor(&[2, 2], &[0.0, 1.0, 2.0, -3.0]);
    let actual = tensor(&[2, 2], &[0.0, 1.0, 2.0, f32::from_bits((-3.0f32).to_bits() + 2)]);
    let oracle = Array::float(DType::F32, &[2, 2], vec![0.0, 1.0, 2.0, -3.000_000_01]);
    let subject = Subject { expected: &expected, actual: Some(&actual), oracle: Some(&oracle) };
    let found = element(&subject, &[1, 1]).unwrap();
    assert_eq!(found.expected.bits.as_deref(), Some("0xc0400000"));
    assert_eq!(found.actual.as_ref().unwrap().bits.as_deref(), Some("0xc0400002"));
    let exact = found.oracle.as_ref().unwrap();
    assert_eq!((exact.value, exact.bits.as_deref()), (-3.000_000_01, Some("0xc0400000")));
    assert_eq!((found.ulp, found.ulp_of_target, found.ulp_of_source), (Some(2), Some(2), Some(0)));
    assert!(matches!(element(&subject, &[2, 0]), Err(HeatmapError::Outside { .. })));
    assert!(matches!(element(&subject, &[1]), Err(HeatmapError::Outside { .. })));
}

#[test]
fn elements_of_other_dtypes() {
    let half = HostTensor::from_f64(DType::F16, &[1], &[1.5]).unwrap();
    let found = element(&expected_only(&half), &[0]).unwrap();
    assert_eq!((found.expected.text.as_str(), found.expected.bits.as_deref()), ("1.5", Some("0x3e00")));
    let wide = HostTensor::from_i64(&[1], &[(1 << 53) + 1]).unwrap();
    let found = element(&expected_only(&wide), &[0]).unwrap();
    assert_eq!((found.expected.text.as_str(), found.ulp), ("9007199254740993", None));
    let nan = tensor(&[1], &[f32::from_bits(0x7fc0_0001)]);
    assert_eq!(element(&expected_only(&nan), &[0]).unwrap().expected.bits.as_deref(), Some("0x7fc00001"));
    let bytes: Vec<u8> = [0x00, 0x3c].into_iter().chain(std::iter::repeat_n(0x98, 16)).collect();
    let blocks = HostTensor::new(DType::Q4_0, &[1, 32], bytes).unwrap();
    let found = element(&expected_only(&blocks), &[0, 20]).unwrap();
    assert_eq!((found.expected.value, found.expected.bits), (1.0, None));
    let shown = show(&blocks, &Plane::of(&[1, 32]));
    assert_eq!(shown.values[..2], [0.0, 0.0]);
    assert_eq!(shown.values[16..18], [1.0, 1.0]);
}

#[test]
fn positions_become_indices() {
    assert_eq!(unravel(17, &[2, 3, 4]), Some(vec![1, 1, 1]));
    assert_eq!(unravel(24, &[2, 3, 4]), None);
    assert_eq!(unravel(0, &[]), Some(vec![]));
    assert_eq!(unravel(0, &[0]), None);
}
