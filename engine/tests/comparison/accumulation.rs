//! Orders of summation: f32 in any order is honest, f16 is not.

use crate::random::Random;
use crate::{array, judge_call};
use half::{bf16, f16};
use taproot_engine::compare::Verdict;
use taproot_engine::graph::{Arg, Call};
use taproot_engine::oracle::Array;
use taproot_engine::tensor::DType;

/// The rows of a linear layer and how its numbers are distributed.
struct Problem {
    rows: usize,
    outputs: usize,
    k: usize,
    input: Vec<f32>,
    weight: Vec<f32>,
}

impl Problem {
    fn normal(seed: u64, rows: usize, outputs: usize, k: usize) -> Self {
        let mut random = Random::new(seed);
        let (input, weight) = (random.normals(rows * k), random.normals(outputs * k));
        Problem { rows, outputs, k, input, weight }
    }

    /// All products positive, so that partial sums only grow.
    fn positive(seed: u64, rows: usize, outputs: usize, k: usize) -> Self {
        let mut problem = Problem::normal(seed, rows, outputs, k);
        problem.input.iter_mut().chain(&mut problem.weight).for_each(|v| *v = v.abs());
        problem
    }

    /// One element a thousand times as large as the others, and first: the worst order.
    fn outlier(seed: u64, rows: usize, outputs: usize, k: usize) -> Self {
        let mut problem = Problem::normal(seed, rows, outputs, k);
        problem.input.iter_mut().step_by(k).for_each(|v| *v *= 1000.0);
        problem
    }

    fn call(&self) -> Call<Array> {
        Call::new("linear")
            .tensor_arg("input", array(&[self.rows, self.k], &self.input))
            .tensor_arg("weight", array(&[self.outputs, self.k], &self.weight))
    }

    fn target(&self, dot: impl Fn(&[f32], &[f32]) -> f32) -> Vec<f32> {
        let rows = self.input.chunks(self.k);
        rows.flat_map(|x| self.weight.chunks(self.k).map(|w| dot(x, w)).collect::<Vec<_>>()).collect()
    }

    fn verdict(&self, dot: impl Fn(&[f32], &[f32]) -> f32) -> (Verdict, f64) {
        let comparison = judge_call(&self.call(), &self.target(dot));
        (comparison.verdict, comparison.metrics.ratio.unwrap())
    }
}

fn in_order(x: &[f32], w: &[f32]) -> f32 {
    x.iter().zip(w).fold(0.0, |sum, (a, b)| sum + a * b)
}

fn fused(x: &[f32], w: &[f32]) -> f32 {
    x.iter().zip(w).fold(0.0, |sum, (&a, &b)| a.mul_add(b, sum))
}

fn in_pairs(x: &[f32], w: &[f32]) -> f32 {
    if let ([a], [b]) = (x, w) {
        return a * b;
    }
    let half = x.len() / 2;
    in_pairs(&x[..half], &w[..half]) + in_pairs(&x[half..], &w[half..])
}

fn in_f16(x: &[f32], w: &[f32]) -> f32 {
    let sum = x.iter().zip(w).fold(f16::ZERO, |sum, (a, b)| f16::from_f32(sum.to_f32() + a * b));
    sum.to_f32()
}

fn in_bf16(x: &[f32], w: &[f32]) -> f32 {
    let sum = x.iter().zip(w).fold(bf16::ZERO, |sum, (a, b)| bf16::from_f32(sum.to_f32() + a * b));
    sum.to_f32()
}

type Make = fn(u64, usize, usize, usize) -> Problem;
const KINDS: [(&str, Make); 3] =
    [("normal", Problem::normal), ("positive", Problem::positive), ("outlier", Problem::outlier)];

/// Even beside a source that is perfect.
#[test]
fn any_order_in_f32_passes() {
    for k in [1, 8, 64, 384, 1536, 4096] {
        for (kind, make) in KINDS {
            let problem = make(k as u64, 4, 24, k);
            for (order, dot) in
                [("in order", in_order as fn(&[f32], &[f32]) -> f32), ("fused", fused), ("pairs", in_pairs)]
            {
                let (verdict, ratio) = problem.verdict(dot);
                assert_eq!(verdict, Verdict::Pass, "{kind} K = {k} {order}: {ratio}");
            }
        }
    }
}

/// With a single result chance decides more than the order does.
#[test]
fn any_order_in_f32_passes_with_few_results() {
    for seed in 0..300 {
        for (rows, outputs) in [(1, 1), (1, 2), (1, 4)] {
            for (kind, make) in KINDS {
                let (verdict, ratio) = make(seed, rows, outputs, 384).verdict(in_order);
                assert_eq!(verdict, Verdict::Pass, "{kind} seed {seed}, {outputs} results: {ratio}");
            }
        }
    }
}

/// The model of the deviation is no empty excuse: the plainest order uses up a good part of it.
#[test]
fn deviation_is_of_the_right_size() {
    for k in [64, 384, 1536, 4096] {
        for (kind, make) in [KINDS[0], KINDS[1]] {
            let (_, ratio) = make(k as u64, 8, 64, k).verdict(in_order);
            assert!((0.2..1.2).contains(&ratio), "{kind} K = {k}: {ratio}");
        }
    }
}

#[test]
fn f16_accumulator_fails() {
    for k in [64, 384, 1536] {
        for (kind, make) in [KINDS[0], KINDS[1]] {
            for (name, dot) in [("f16", in_f16 as fn(&[f32], &[f32]) -> f32), ("bf16", in_bf16)] {
                let (verdict, ratio) = make(7, 4, 24, k).verdict(dot);
                assert_eq!(verdict, Verdict::Fail, "{kind} K = {k} {name}: {ratio}");
                assert!(ratio > 100.0, "{kind} K = {k} {name}: {ratio}");
            }
        }
    }
}

/// Where the result is f16 itself, rounding it hides a good part of what an f16 accumulator loses, but not all.
#[test]
fn f16_results_pass_from_f32_sums_alone() {
    for (k, at_least) in [(384, Verdict::Warn), (1536, Verdict::Fail)] {
        let mut problem = Problem::normal(5, 8, 64, k);
        problem.input.iter_mut().chain(&mut problem.weight).for_each(|v| *v = f16::from_f32(*v).to_f32());
        let halves = |shape: &[usize], values: &[f32]| Array { dtype: DType::F16, ..array(shape, values) };
        let call = Call::new("linear")
            .tensor_arg("input", halves(&[8, k], &problem.input))
            .tensor_arg("weight", halves(&[64, k], &problem.weight));
        assert_eq!(judge_call(&call, &problem.target(in_order)).verdict, Verdict::Pass);
        let comparison = judge_call(&call, &problem.target(in_f16));
        assert!(comparison.verdict >= at_least, "K = {k}: {:?}", comparison.metrics.ratio);
    }
}

#[test]
fn one_element_left_out_fails() {
    let problem = Problem::normal(3, 4, 24, 384);
    let (verdict, _) = problem.verdict(|x, w| in_order(&x[1..], &w[1..]));
    assert_eq!(verdict, Verdict::Fail);
}

#[test]
fn sums_and_means_in_order_pass() {
    for (kind, make) in KINDS {
        for k in [16, 384, 4096] {
            let problem = make(k as u64, 16, 1, k);
            for op in ["sum", "mean"] {
                let input = array(&[problem.rows, k], &problem.input);
                let call = Call::new(op).tensor_arg("input", input).arg("dim", Arg::Ints(vec![1]));
                let rows = problem.input.chunks(k);
                let target: Vec<f32> = rows
                    .map(|row| row.iter().fold(0.0f32, |sum, x| sum + x))
                    .map(|sum| if op == "mean" { sum / k as f32 } else { sum })
                    .collect();
                let comparison = judge_call(&call, &target);
                assert_eq!(comparison.verdict, Verdict::Pass, "{op} {kind} K = {k}: {comparison:?}");
            }
        }
    }
}

#[test]
fn matmul_in_order_passes_and_in_f16_fails() {
    let problem = Problem::normal(11, 6, 20, 384);
    let transposed: Vec<f32> = (0..problem.k)
        .flat_map(|k| (0..problem.outputs).map(move |n| (n, k)))
        .map(|(n, k)| problem.weight[n * problem.k + k])
        .collect();
    let call = Call::new("matmul")
        .tensor_arg("input", array(&[6, 384], &problem.input))
        .tensor_arg("other", array(&[384, 20], &transposed));
    assert_eq!(judge_call(&call, &problem.target(in_order)).verdict, Verdict::Pass);
    assert_eq!(judge_call(&call, &problem.target(in_f16)).verdict, Verdict::Fail);
}
