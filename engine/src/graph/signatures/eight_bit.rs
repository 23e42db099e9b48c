//! Where 8-bit floats may stand.
//!
//! PyTorch stores them and moves them, but computes with hardly any of its operators on them, and promotes them with nothing. Beyond
//! what it does, they may be a weight in its stored form, like quantised blocks.

use crate::graph::{Call, Meta, OpError, Value};

/// Operators that move elements, or only look at them, and take 8-bit floats in PyTorch.
const MOVERS: [&str; 22] = [
    "to",
    "clone",
    "contiguous",
    "cat",
    "stack",
    "reshape",
    "flatten",
    "repeat",
    "tile",
    "repeat_interleave",
    "flip",
    "roll",
    "pad",
    "constant_pad_nd",
    "slice_scatter",
    "select_scatter",
    "index",
    "index_select",
    "embedding",
    "where",
    "eq",
    "isnan",
];

/// The arguments beside them that may be weights.
const WEIGHTS: [(&str, &str); 10] = [
    ("linear", "weight"),
    ("matmul", "other"),
    ("mm", "mat2"),
    ("bmm", "mat2"),
    ("mv", "vec"),
    ("dot", "tensor"),
    ("addmm", "mat2"),
    ("addmv", "vec"),
    ("baddbmm", "batch2"),
    ("addbmm", "batch2"),
];

/// Checks where a call has 8-bit floats.
///
/// # Errors
/// When an operator does not take them there, or would have to promote them.
pub(super) fn check(call: &Call<Meta>) -> Result<(), OpError> {
    let Some((name, dtype)) = tensors(call).find(|(_, meta)| meta.dtype.is_f8()).map(|(name, meta)| (name, meta.dtype))
    else {
        return Ok(());
    };
    if WEIGHTS.iter().any(|(op, _)| *op == call.op()) {
        let weight = |name: &str| WEIGHTS.contains(&(call.op(), name));
        return match tensors(call).find(|(name, meta)| meta.dtype.is_f8() && !weight(name)) {
            Some((name, meta)) => Err(call.error(name, format!("of dtype {} can only be the weight", meta.dtype))),
            None => Ok(()),
        };
    }
    if !MOVERS.contains(&call.op()) {
        return Err(call.error(name, format!("of dtype {dtype} is not computed with; cast it with 'to' first")));
    }
    let promoted = |(name, meta): &(&str, &Meta)| {
        !["condition", "index", "indices"].contains(name) && meta.dtype != dtype && meta.rank() > 0
    };
    match tensors(call).find(promoted) {
        Some((other, meta)) => {
            let rule = format!(
                "of dtype {} and {name} of dtype {dtype} have no common dtype: 8-bit floats are not promoted",
                meta.dtype
            );
            Err(call.error(other, rule))
        }
        None => Ok(()),
    }
}

/// Every tensor of a call with its argument's name.
fn tensors(call: &Call<Meta>) -> impl Iterator<Item = (&str, &Meta)> {
    call.args().flat_map(|(name, value)| {
        let metas: Vec<&Meta> = match value {
            Value::Tensor(meta) => vec![meta],
            Value::Tensors(metas) => metas.iter().collect(),
            Value::SomeTensors(metas) => metas.iter().flatten().collect(),
            Value::Plain(_) => Vec::new(),
        };
        metas.into_iter().map(move |meta| (name, meta))
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::operators;
    use crate::tensor::DType;

    fn call(op: &str, tensors: &[(&str, DType, &[usize])]) -> Call<Meta> {
        let add = |call: Call<Meta>, (name, dtype, shape): &(&str, DType, &[usize])| {
            call.tensor_arg(name, Meta::new(*dtype, shape))
        };
        tensors.iter().fold(Call::new(op), add)
    }

    const E4M3: DType = DType::F8E4M3;

    #[test]
    fn refusals_name_the_argument_and_both_dtypes() {
        let cases = [
            (
                call("add", &[("input", E4M3, &[2]), ("other", E4M3, &[2])]),
                "'input' of dtype f8_e4m3 is not computed with",
            ),
            (call("softmax", &[("input", DType::F8E5M2, &[2])]), "f8_e5m2 is not computed with"),
            (
                call("where", &[("condition", DType::Bool, &[2]), ("input", E4M3, &[2]), ("other", DType::F32, &[2])]),
                "'other' of dtype f32 and input of dtype f8_e4m3 have no common dtype",
            ),
            (
                call("eq", &[("input", E4M3, &[2]), ("other", DType::F8E5M2, &[2])]),
                "'other' of dtype f8_e5m2 and input of",
            ),
            (
                Call::new("cat")
                    .with("tensors", Value::Tensors(vec![Meta::new(E4M3, &[2]), Meta::new(DType::I64, &[2])])),
                "i64 and tensors of dtype f8_e4m3",
            ),
            (
                call("linear", &[("input", E4M3, &[1, 2]), ("weight", E4M3, &[3, 2])]),
                "'input' of dtype f8_e4m3 can only be",
            ),
            (
                call("addmm", &[("input", E4M3, &[2]), ("mat1", DType::F32, &[1, 2]), ("mat2", DType::F32, &[2, 2])]),
                "'input' of dtype f8_e4m3 can only be the weight",
            ),
        ];
        for (call, what) in cases {
            let error = operators::infer(&call).expect_err(what).to_string();
            assert!(error.contains(call.op()) && error.contains(what), "{error}: no '{what}'");
        }
    }

    #[test]
    fn what_they_meet_decides() {
        for dtype in [DType::F32, DType::F16, DType::BF16] {
            for weight in [E4M3, DType::F8E5M2, DType::Q4_0] {
                let of = |op, names: [&str; 2]| call(op, &[(names[0], dtype, &[2, 32]), (names[1], weight, &[32, 32])]);
                for call in
                    [of("linear", ["input", "weight"]), of("matmul", ["input", "other"]), of("mm", ["input", "mat2"])]
                {
                    assert_eq!(operators::infer(&call).unwrap(), [Meta::new(dtype, &[2, 32])], "{}", call.op());
                }
            }
        }
        let same =
            call("where", &[("condition", DType::Bool, &[2]), ("input", E4M3, &[2]), ("other", DType::F32, &[])]);
        assert_eq!(operators::infer(&same).unwrap(), [Meta::new(E4M3, &[2])]);
        let rows = call("embedding", &[("weight", E4M3, &[4, 3]), ("indices", DType::I64, &[2])]);
        assert_eq!(operators::infer(&rows).unwrap(), [Meta::new(E4M3, &[2, 3])]);
    }
}
