//! Each metric on numbers that can be checked by hand.

use crate::judge;
use taproot_engine::compare::webnn::{self, Limit};
use taproot_engine::compare::{Comparands, Comparison, Metrics, Verdict, Worst, compare, floor, ulps_apart};
use taproot_engine::graph::{Arg, Call};
use taproot_engine::oracle::Array;
use taproot_engine::tensor::{DType, HostTensor};

fn tensor(dtype: DType, values: &[f64]) -> HostTensor {
    HostTensor::from_f64(dtype, &[values.len()], values).unwrap()
}

fn of(target: &[f64], source: &[f64]) -> Metrics {
    let oracle = Array::float(DType::F32, &[source.len()], source.to_vec());
    judge(&tensor(DType::F32, target), &tensor(DType::F32, source), &oracle).metrics
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() <= 1e-14 * expected.abs(), "{found} for {expected}");
}

#[test]
fn errors_of_four_numbers() {
    let metrics = of(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 2.0, 4.0]);
    assert_eq!((metrics.count, metrics.compared), (4, 4));
    assert_eq!((metrics.rms_target, metrics.rms_source, metrics.floor), (0.5, 0.0, 0.0));
    assert_eq!(metrics.max_abs, Some(Worst { value: 1.0, index: 2 }));
    assert_eq!(metrics.max_rel, Some(Worst { value: 0.5, index: 2 }));
    close(metrics.nmse, 1.0 / 25.0);
    close(metrics.sqnr_db, 10.0 * 25f64.log10());
    close(metrics.cosine, 27.0 / (25.0f64 * 30.0).sqrt());
    close(Some(metrics.head_room), 4.0 / 65504.0);
    assert_eq!((metrics.assert_close.mismatched, metrics.assert_close.of, metrics.assert_close.pass), (1, 4, false));
}

#[test]
fn nothing_is_made_up_where_a_metric_has_no_meaning() {
    let equal = of(&[1.0, 2.0], &[1.0, 2.0]);
    assert_eq!((equal.sqnr_db, equal.nmse, equal.ratio), (None, Some(0.0), Some(0.0)));
    let zero = of(&[0.0, 1.0], &[0.0, 0.0]);
    assert_eq!((zero.cosine, zero.nmse, zero.sqnr_db, zero.max_rel), (None, None, None, None));
}

#[test]
fn floor_is_rounding_and_allowance() {
    let third = 1.0 / 3.0;
    let ulp = f64::powi(2.0, -25);
    assert_eq!(floor::rounding(DType::F32, third), ulp / (2.0 * 3f64.sqrt()));
    assert_eq!(floor::rounding(DType::F16, third), f64::powi(2.0, -12) / (2.0 * 3f64.sqrt()));
    assert_eq!(floor::rounding(DType::BF16, third), f64::powi(2.0, -9) / (2.0 * 3f64.sqrt()));
    assert_eq!(floor::rounding(DType::F16, 0.25), 0.0);
    assert_eq!(floor::element(DType::F32, 0.25, 1e-3), 1e-3);
}

/// Rounding many numbers to nearest really costs what the floor says.
#[test]
fn floor_is_what_rounding_costs() {
    for dtype in [DType::F32, DType::F16, DType::BF16] {
        let values: Vec<f64> = (0..10_000).map(|i| 1.0 + f64::from(i) * 0.618_033_988_749_895 % 1.0).collect();
        let rounded = HostTensor::from_f64(dtype, &[values.len()], &values).unwrap().to_f64();
        let rms = |squares: f64| (squares / values.len() as f64).sqrt();
        let error = rms(rounded.iter().zip(&values).map(|(r, v)| (r - v).powi(2)).sum());
        let floor = rms(values.iter().map(|&v| floor::element(dtype, v, 0.0).powi(2)).sum());
        assert!((error / floor - 1.0).abs() < 0.02, "{dtype}: {error} for {floor}");
    }
}

#[test]
fn ulp_distribution() {
    let source: Vec<f64> = vec![1.0; 200];
    let mut target = source.clone();
    for (at, ulps) in [(0, 1.0), (1, 2.0), (2, 3.0), (3, 100.0)] {
        target[at] += ulps * f64::powi(2.0, -23);
    }
    let ulp = of(&target, &source).ulp.unwrap();
    assert_eq!((ulp.p50, ulp.p99, ulp.max), (0, 2, 100));
    assert_eq!(ulp.histogram, [196, 1, 2, 0, 0, 0, 0, 1]);
    assert_eq!(ulps_apart(DType::F32, 0.0, -0.0), Some(0));
    assert_eq!(ulps_apart(DType::F32, f64::from(f32::MAX), -f64::from(f32::MAX)), Some(0xfeff_fffe));
    assert_eq!(ulps_apart(DType::F64, 1.0, 1.0 + f64::EPSILON), Some(1));
    assert_eq!(ulps_apart(DType::F64, -1.0, 1.0), Some(u32::MAX));
    assert_eq!(ulps_apart(DType::F16, 1.0, 1.0 + f64::powi(2.0, -9)), Some(2));
}

#[test]
fn assert_close_uses_pytorchs_tolerances() {
    for (dtype, rtol, atol) in
        [(DType::F32, 1.3e-6, 1e-5), (DType::F16, 1e-3, 1e-5), (DType::BF16, 1.6e-2, 1e-5), (DType::F64, 1e-7, 1e-7)]
    {
        let oracle = Array::float(dtype, &[1], vec![1024.0]);
        let within = |target: f64| judge(&tensor(dtype, &[target]), &tensor(dtype, &[1024.0]), &oracle).metrics;
        let close = within(1024.0).assert_close;
        assert_eq!((close.rtol, close.atol, close.pass), (rtol, atol, true));
        assert!(within(1024.0 * (1.0 + rtol * 0.3)).assert_close.pass, "{dtype}");
        assert!(!within(1024.0 * (1.0 + rtol * 3.0)).assert_close.pass, "{dtype}");
    }
    let nan = of(&[f64::NAN, f64::INFINITY], &[f64::NAN, f64::INFINITY]);
    assert_eq!(nan.assert_close.mismatched, 1);
}

#[test]
fn webnn_counts_ulp_against_the_oracle() {
    let oracle = Array::float(DType::F32, &[1], vec![1.0]);
    let source = tensor(DType::F32, &[1.0]);
    let budget = webnn::Budget { limit: Limit::Ulp(4), rule: "4".to_owned() };
    let off = |ulps: f64| {
        let target = tensor(DType::F32, &[1.0 + ulps * f64::powi(2.0, -23)]);
        let comparison = compare(&Comparands {
            target: &target,
            source: &source,
            oracle: &oracle,
            allowance: &[],
            noise: None,
            op: "test",
            webnn: Some(&budget),
        });
        let webnn = comparison.metrics.webnn.unwrap();
        (webnn.worst, webnn.pass)
    };
    assert_eq!([off(0.0), off(4.0), off(5.0)], [(0.0, true), (4.0, true), (5.0, false)]);
}

#[test]
fn webnn_budgets_follow_their_sizes() {
    let zeros = |shape: &[usize]| Array::float(DType::F32, shape, vec![0.0; shape.iter().product()]);
    let limit = |call: Call<Array>| webnn::budget(&call).map(|budget| budget.limit);
    let linear = Call::new("linear").tensor_arg("input", zeros(&[2, 384])).tensor_arg("weight", zeros(&[8, 384]));
    assert_eq!(limit(linear.clone()), Some(Limit::Ulp(768)));
    assert_eq!(limit(linear.tensor_arg("bias", zeros(&[8]))), Some(Limit::Ulp(769)));
    let matmul = Call::new("matmul").tensor_arg("input", zeros(&[2, 3, 5])).tensor_arg("other", zeros(&[5, 4]));
    assert_eq!(limit(matmul), Some(Limit::Ulp(10)));
    let softmax = Call::new("softmax").tensor_arg("input", zeros(&[2, 7])).arg("dim", Arg::Int(-1));
    assert_eq!(limit(softmax), Some(Limit::Ulp(24)));
    let sum = |op: &str| Call::new(op).tensor_arg("input", zeros(&[2, 3, 5])).arg("dim", Arg::Ints(vec![0, 2]));
    assert_eq!(limit(sum("sum")), Some(Limit::Ulp(10)));
    assert_eq!(limit(sum("mean")), Some(Limit::Ulp(12)));
    assert_eq!(limit(sum("linalg_vector_norm")), Some(Limit::Ulp(22)));
    assert_eq!(limit(Call::new("rms_norm").tensor_arg("input", zeros(&[2]))), None);
    let clone = Call::new("clone").tensor_arg("input", Array::float(DType::BF16, &[1], vec![0.0]));
    assert_eq!(limit(clone), None);
}

#[test]
fn comparisons_survive_json() {
    let oracle = Array::float(DType::F32, &[2], vec![1.0, 0.1]);
    let source = tensor(DType::F32, &[1.0, 0.1]);
    let comparison = judge(&tensor(DType::F32, &[1.0, 0.2]), &source, &oracle);
    let text = serde_json::to_string(&comparison).unwrap();
    assert!(text.contains("\"verdict\":\"fail\""), "{text}");
    let read: Comparison = serde_json::from_str(&text).unwrap();
    assert_eq!((read.verdict, &read.reason), (comparison.verdict, &comparison.reason));
    assert_eq!((read.metrics.ulp, read.metrics.max_abs), (comparison.metrics.ulp, comparison.metrics.max_abs));
    assert!((read.metrics.ratio.unwrap() / comparison.metrics.ratio.unwrap() - 1.0).abs() < 1e-15);
    assert_eq!(format!("{:>6}", Verdict::Gap), "   gap");
}
