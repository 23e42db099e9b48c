//! A device that uses up all that WGSL allows its built-ins passes, beside a perfect source; one that errs much more does not.

use crate::device::Device;
use crate::random::Random;
use crate::{array, judge_call};
use taproot_engine::compare::Verdict;
use taproot_engine::graph::{Arg, Call};
use taproot_engine::oracle::Array;

fn passes(call: &Call<Array>, what: &str, target: impl Fn(&mut Device) -> Vec<f32>) {
    for bias in Device::BIASES {
        let comparison = judge_call(call, &target(&mut Device::new(bias)));
        assert_eq!(comparison.verdict, Verdict::Pass, "{} {what} {bias:?}: {:?}", call.op(), comparison.reason);
    }
}

fn fails(call: &Call<Array>, what: &str, target: &[f32]) {
    let comparison = judge_call(call, target);
    assert_eq!(comparison.verdict, Verdict::Fail, "{} {what}: ratio {:?}", call.op(), comparison.metrics.ratio);
}

fn spread(low: f32, high: f32, count: usize) -> Vec<f32> {
    (0..count).map(|i| low + (high - low) * (i as f32 + 0.37) / count as f32).collect()
}

fn unary(op: &str, input: &[f32]) -> Call<Array> {
    Call::new(op).tensor_arg("input", array(&[input.len()], input))
}

#[test]
fn built_ins() {
    let positive = spread(0.01, 90.0, 101);
    let real = spread(-30.0, 30.0, 101);
    type BuiltIn = fn(&mut Device, f32) -> f32;
    let cases: [(&str, &[f32], BuiltIn); 5] = [
        ("rsqrt", &positive, |device, x| device.inverse_sqrt(x)),
        ("sqrt", &positive, |device, x| device.sqrt(x)),
        ("exp", &real, |device, x| device.exp(x)),
        ("tanh", &real, |device, x| device.tanh(x)),
        ("cos", &real, |device, x| device.cos(x)),
    ];
    for (op, input, built_in) in cases {
        let call = unary(op, input);
        passes(&call, "built-in", |device| input.iter().map(|&x| built_in(device, x)).collect());
    }
}

#[test]
fn division_and_power() {
    let (a, b) = (spread(0.1, 20.0, 57), spread(0.3, 3.0, 57));
    let operands = |op: &str, other: &str| unary(op, &a).tensor_arg(other, array(&[57], &b));
    let pairs = || a.iter().zip(&b);
    passes(&operands("div", "other"), "", |device| pairs().map(|(&x, &y)| device.divide(x, y)).collect());
    passes(&operands("pow", "exponent"), "", |device| pairs().map(|(&x, &y)| device.pow(x, y)).collect());
}

#[test]
fn activations() {
    let input = spread(-20.0, 20.0, 161);
    let sigmoid = |device: &mut Device, x: f32| {
        let e = device.exp(-x);
        device.divide(1.0, 1.0 + e)
    };
    passes(&unary("sigmoid", &input), "", |device| input.iter().map(|&x| sigmoid(device, x)).collect());
    passes(&unary("silu", &input), "x·sigmoid", |device| input.iter().map(|&x| x * sigmoid(device, x)).collect());
    passes(&unary("silu", &input), "x/(1 + e)", |device| {
        let quotient = |device: &mut Device, x: f32| {
            let e = device.exp(-x);
            device.divide(x, 1.0 + e)
        };
        input.iter().map(|&x| quotient(device, x)).collect()
    });
    let tanh = unary("gelu", &input).arg("approximate", Arg::Str("tanh".to_owned()));
    passes(&tanh, "tanh", |device| {
        let inner = |x: f32| 0.797_884_6 * (x + 0.044_715 * x * x * x);
        input.iter().map(|&x| 0.5 * x * (1.0 + device.tanh(inner(x)))).collect()
    });
}

/// erf by Abramowitz and Stegun 7.1.26, whose own error of 1.5e-7 is less than what WGSL's built-ins may add.
#[test]
fn gelu_by_a_rational_erf() {
    let input = spread(-6.0, 6.0, 241);
    passes(&unary("gelu", &input), "7.1.26", |device| {
        input
            .iter()
            .map(|&x| {
                let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
                let t = device.divide(1.0, 1.0 + 0.327_591_1 * z);
                let polynomial =
                    ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74) * t + 0.254_829_6) * t;
                let erf = (1.0 - polynomial * device.exp(-z * z)).copysign(x);
                0.5 * x * (1.0 + erf)
            })
            .collect()
    });
}

#[test]
fn softmax() {
    let (rows, width) = (6, 77);
    let input: Vec<f32> = Random::new(5).normals(rows * width).iter().map(|x| 8.0 * x + 300.0).collect();
    let call = Call::new("softmax").tensor_arg("input", array(&[rows, width], &input)).arg("dim", Arg::Int(-1));
    passes(&call, "", |device| input.chunks(width).flat_map(|row| softmax_row(device, row)).collect());
    let sharper: Vec<f32> = input.iter().map(|x| x * 1.001).collect();
    let device = &mut Device::new(Device::BIASES[0]);
    fails(&call, "0.1 % sharper", &sharper.chunks(width).flat_map(|row| softmax_row(device, row)).collect::<Vec<_>>());
}

/// The off-by-one of a tile's edge, on scores that are not sharp.
#[test]
fn softmax_without_its_last_column() {
    let (rows, width) = (6, 77);
    let input = Random::new(6).normals(rows * width);
    let call = Call::new("softmax").tensor_arg("input", array(&[rows, width], &input)).arg("dim", Arg::Int(-1));
    let mut short = input.clone();
    short.iter_mut().skip(width - 1).step_by(width).for_each(|x| *x -= 100.0);
    let device = &mut Device::new(Device::BIASES[2]);
    fails(&call, "", &short.chunks(width).flat_map(|row| softmax_row(device, row)).collect::<Vec<_>>());
}

fn softmax_row(device: &mut Device, row: &[f32]) -> Vec<f32> {
    let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exponentials: Vec<f32> = row.iter().map(|x| device.exp(x - max)).collect();
    let sum = exponentials.iter().fold(0.0, |sum, e| sum + e);
    exponentials.into_iter().map(|e| device.divide(e, sum)).collect()
}

#[test]
fn norms() {
    let (rows, width, eps) = (5, 384, 1e-5f32);
    let mut random = Random::new(9);
    for (offset, scale) in [(0.0, 1.0), (3.0, 0.7), (0.0, 0.02)] {
        let input: Vec<f32> = random.normals(rows * width).iter().map(|x| scale * x + offset).collect();
        let (weight, bias) = (random.normals(width), random.normals(width));
        let norm = |op: &str| {
            Call::new(op)
                .tensor_arg("input", array(&[rows, width], &input))
                .arg("normalized_shape", Arg::Ints(vec![width as i64]))
                .tensor_arg("weight", array(&[width], &weight))
                .arg("eps", Arg::Float(f64::from(eps)))
        };
        let rms = |device: &mut Device, eps: f32| -> Vec<f32> {
            let row = |row: &[f32]| {
                let sum = row.iter().fold(0.0, |sum, x| sum + x * x);
                let scale = device.divide(sum, width as f32) + eps;
                let scale = device.inverse_sqrt(scale);
                row.iter().zip(&weight).map(|(x, w)| x * scale * w).collect::<Vec<_>>()
            };
            input.chunks(width).flat_map(row).collect()
        };
        let call = norm("rms_norm");
        passes(&call, &format!("scale {scale}"), |device| rms(device, eps));
        if scale < 0.1 {
            fails(&call, "epsilon left out", &rms(&mut Device::new(Device::BIASES[2]), 0.0));
        }
        let call = norm("layer_norm").tensor_arg("bias", array(&[width], &bias));
        passes(&call, &format!("scale {scale}"), |device| {
            let row = |row: &[f32]| {
                let mean = device.divide(row.iter().fold(0.0, |sum, x| sum + x), width as f32);
                let squares = row.iter().fold(0.0, |sum, x| sum + (x - mean) * (x - mean));
                let scale = device.divide(squares, width as f32) + eps;
                let scale = device.inverse_sqrt(scale);
                let elements = row.iter().zip(weight.iter().zip(&bias));
                elements.map(|(x, (w, b))| (x - mean) * scale * w + b).collect::<Vec<_>>()
            };
            input.chunks(width).flat_map(row).collect()
        });
    }
}

#[test]
fn attention() {
    let (heads, target, source, width) = (3, 9, 40, 64);
    let mut random = Random::new(21);
    let query: Vec<f32> = random.normals(heads * target * width).iter().map(|x| 2.0 * x).collect();
    let (key, value) = (random.normals(heads * source * width), random.normals(heads * source * width));
    let call = Call::new("scaled_dot_product_attention")
        .tensor_arg("query", array(&[1, heads, target, width], &query))
        .tensor_arg("key", array(&[1, heads, source, width], &key))
        .tensor_arg("value", array(&[1, heads, source, width], &value));
    let attend = |device: &mut Device, scale: f32| -> Vec<f32> {
        let rows = query.chunks(width).enumerate();
        rows.flat_map(|(row, q)| {
            let head = row / target * source * width..(row / target + 1) * source * width;
            let dot = |k: &[f32]| q.iter().zip(k).fold(0.0, |sum: f32, (a, b)| sum + a * b);
            let scores: Vec<f32> = key[head.clone()].chunks(width).map(|k| dot(k) * scale).collect();
            let weights = softmax_row(device, &scores);
            let values = value[head].chunks(width).zip(weights);
            values.fold(vec![0.0f32; width], |sums, (v, p)| sums.iter().zip(v).map(|(sum, v)| sum + p * v).collect())
        })
        .collect()
    };
    passes(&call, "", |device| attend(device, 0.125));
    fails(&call, "scale off by 0.1 %", &attend(&mut Device::new(Device::BIASES[2]), 0.125_125));
}
