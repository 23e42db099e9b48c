//! Sums with a factor, functions of two numbers, and sums of products of three tensors.

use super::elementwise::{Arrays, arithmetic, array, floats, ints, is_int, round, wrap};
use super::{Array, Data, result};
use crate::graph::signatures::combination as signatures;
use crate::graph::{Arg, Call, OpError, Operand, Signature};
use crate::tensor::DType;

/// input + alpha · other.
pub fn add(call: &Call<Array>) -> Arrays {
    let Alpha { float, int } = Alpha::of(call, &signatures::ADD)?;
    arithmetic(call, &signatures::ADD, |a, b| a + float * b, |a, b| Ok(a.wrapping_add(int.wrapping_mul(b))))
}

/// input − alpha · other.
pub fn sub(call: &Call<Array>) -> Arrays {
    let Alpha { float, int } = Alpha::of(call, &signatures::SUB)?;
    arithmetic(call, &signatures::SUB, |a, b| a - float * b, |a, b| Ok(a.wrapping_sub(int.wrapping_mul(b))))
}

/// other − alpha · input.
pub fn rsub(call: &Call<Array>) -> Arrays {
    let Alpha { float, int } = Alpha::of(call, &signatures::RSUB)?;
    arithmetic(call, &signatures::RSUB, |a, b| b - float * a, |a, b| Ok(b.wrapping_sub(int.wrapping_mul(a))))
}

/// The factor of a sum's second part.
struct Alpha {
    float: f64,
    int: i64,
}

impl Alpha {
    /// Beside bool any factor but 0 is 1; beside floats it takes part as f32, as every number does.
    fn of(call: &Call<Array>, signature: &Signature) -> Result<Self, OpError> {
        let dtype = result(call, signature)?.dtype;
        let bool = dtype == DType::Bool;
        let kept = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
        let int = match call.plain("alpha") {
            Arg::Bool(flag) => i64::from(*flag),
            Arg::Int(value) => {
                if bool {
                    i64::from(*value != 0)
                } else {
                    *value
                }
            }
            // Only where the result is a float, which the signature has seen to.
            _ => return Ok(Alpha { float: round(call.float("alpha", 1.0)?, kept), int: 1 }),
        };
        Ok(Alpha { float: int as f64, int })
    }
}

/// ln(e^input + e^other).
pub fn logaddexp(call: &Call<Array>) -> Arrays {
    let function = |a, b| larger_and(a, b, |difference| (-difference).exp().ln_1p());
    of_two(call, &signatures::LOGADDEXP, function)
}

/// log2(2^input + 2^other).
pub fn logaddexp2(call: &Call<Array>) -> Arrays {
    let function = |a, b| larger_and(a, b, |difference| (-difference).exp2().ln_1p() / std::f64::consts::LN_2);
    of_two(call, &signatures::LOGADDEXP2, function)
}

/// The larger of two numbers and what their difference adds to it.
fn larger_and(a: f64, b: f64, more: impl Fn(f64) -> f64) -> f64 {
    // Infinities of one sign have no difference.
    if a == b && a.is_infinite() { a } else { (if a > b { a } else { b }) + more((a - b).abs()) }
}

/// input · ln(other), and 0 where input is 0 and other is not NaN.
pub fn xlogy(call: &Call<Array>) -> Arrays {
    let function = |x: f64, y: f64| if x == 0.0 && !y.is_nan() { 0.0 } else { x * y.ln() };
    of_two(call, &signatures::XLOGY, function)
}

/// The angle of the point (other, input), in (−π, π].
pub fn atan2(call: &Call<Array>) -> Arrays {
    of_two(call, &signatures::ATAN2, f64::atan2)
}

/// √(input² + other²).
pub fn hypot(call: &Call<Array>) -> Arrays {
    of_two(call, &signatures::HYPOT, f64::hypot)
}

fn of_two(call: &Call<Array>, signature: &Signature, function: impl Fn(f64, f64) -> f64) -> Arrays {
    // The signature never gives an integer result.
    arithmetic(call, signature, function, |a, _| Ok(a))
}

/// input + weight · (end − input), from the nearer end.
pub fn lerp(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::LERP)?;
    let operand = |name: &str| call.tensor_or_scalar(name).map(|operand| floats(operand, &meta.shape));
    let (start, end, weight) = (operand("input")?, operand("end")?, operand("weight")?);
    let between = |(&a, (&b, &w)): (&f64, (&f64, &f64))| {
        if w.abs() < 0.5 { a + w * (b - a) } else { b - (b - a) * (1.0 - w) }
    };
    let values = start.iter().zip(end.iter().zip(&weight)).map(between).collect();
    Ok(vec![array(meta, Data::Float(values))])
}

/// input + value · tensor1 · tensor2; beside integers value is cut off.
pub fn addcmul(call: &Call<Array>) -> Arrays {
    let integers = |value: i64, a: i64, b: i64| value.wrapping_mul(a).wrapping_mul(b);
    of_three(call, &signatures::ADDCMUL, |value, a, b| value * a * b, integers)
}

/// input + value · tensor1 / tensor2.
pub fn addcdiv(call: &Call<Array>) -> Arrays {
    // The signature never gives an integer result.
    of_three(call, &signatures::ADDCDIV, |value, a, b| value * a / b, |_, a, _| a)
}

fn of_three(
    call: &Call<Array>,
    signature: &Signature,
    float: impl Fn(f64, f64, f64) -> f64,
    int: impl Fn(i64, i64, i64) -> i64,
) -> Arrays {
    let meta = result(call, signature)?;
    let value = signatures::value(call)?;
    let names = ["input", "tensor1", "tensor2"];
    let data = if is_int(meta.dtype) {
        let operand = |name: &str| call.tensor(name).map(|tensor| ints(Operand::Tensor(tensor), &meta.shape));
        let [base, a, b] = names.map(operand);
        let (base, a, b) = (base?, a?, b?);
        let sum = |(&x, (&a, &b)): (&i64, (&i64, &i64))| x.wrapping_add(int(value as i64, a, b));
        Data::Int(base.iter().zip(a.iter().zip(&b)).map(sum).map(|sum| wrap(meta.dtype, sum)).collect())
    } else {
        let operand = |name: &str| call.tensor(name).map(|tensor| floats(Operand::Tensor(tensor), &meta.shape));
        let [base, a, b] = names.map(operand);
        let (base, a, b) = (base?, a?, b?);
        let sum = |(&x, (&a, &b)): (&f64, (&f64, &f64))| x + float(value, a, b);
        Data::Float(base.iter().zip(a.iter().zip(&b)).map(sum).collect())
    };
    Ok(vec![array(meta, data)])
}
