//! Calls that the oracle must refuse in a sentence, and the forms in which it takes its tensors.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use taproot_engine::graph::{Arg, Call, Value};
use taproot_engine::oracle::{self, Array, Data};
use taproot_engine::tensor::{DType, HostTensor, dequantize};

fn floats(shape: &[usize]) -> Array {
    let count = shape.iter().product::<usize>();
    Array::float(DType::F32, shape, (0..count).map(|i| i as f64).collect())
}

fn ints(values: &[i64]) -> Array {
    Array::int(DType::I64, &[values.len()], values.to_vec())
}

#[test]
fn refusals_name_operator_and_argument() {
    let input = |op: &str| Call::new(op).tensor_arg("input", floats(&[2, 3]));
    let row = |op: &str| Call::new(op).tensor_arg("input", floats(&[3])).arg("dim", Arg::Int(0));
    let put = |list| input("index_put").with("indices", Value::SomeTensors(list));
    let truths = |shape: &[usize]| Array::int(DType::Bool, shape, vec![1; shape.iter().product()]);
    let cases = [
        (Call::new("conv9d"), "conv9d"),
        (Call::new("add").tensor_arg("input", floats(&[2])), "other"),
        (input("add").tensor_arg("other", floats(&[4])), "broadcast"),
        (input("exp").arg("base", Arg::Int(2)), "base"),
        (Call::new("embedding").tensor_arg("weight", floats(&[5, 2])).tensor_arg("indices", ints(&[0, 5])), "5 rows"),
        (Call::new("embedding").tensor_arg("weight", floats(&[5, 2])).tensor_arg("indices", ints(&[-1])), "hold -1"),
        (Call::new("pow").tensor_arg("input", ints(&[2])).arg("exponent", Arg::Int(-1)), "exponent"),
        (input("clamp"), "min"),
        (input("to").arg("dtype", Arg::Str("q4_1".to_owned())), "not supported by the oracle"),
        (input("argmax").arg("dim", Arg::Ints(vec![0, 1])), "dim"),
        (Call::new("argmax").tensor_arg("input", floats(&[0])), "without elements"),
        (input("softmax").arg("dim", Arg::Int(2)), "dim"),
        (input("batch_norm"), "running_mean"),
        (input("batch_norm").arg("training", Arg::Bool(true)).tensor_arg("weight", floats(&[2])), "shape [3]"),
        (input("batch_norm").arg("training", Arg::Bool(true)).arg("eps", Arg::Float(-1.0)), "negative"),
        (row("batch_norm").arg("training", Arg::Bool(true)), "dim"),
        (Call::new("batch_norm").tensor_arg("input", floats(&[3])).arg("training", Arg::Bool(true)), "channels"),
        (Call::new("instance_norm").tensor_arg("input", ints(&[3])), "floats"),
        (input("group_norm").arg("num_groups", Arg::Int(2)), "divide 3 channels"),
        (input("group_norm").arg("num_groups", Arg::Int(0)), "num_groups"),
        (input("group_norm").arg("num_groups", Arg::Int(-3)), "num_groups"),
        (input("native_group_norm").arg("group", Arg::Int(3)).arg("N", Arg::Int(3)), "'N'"),
        (input("native_layer_norm").arg("normalized_shape", Arg::Ints(vec![2])), "end of the input's shape"),
        (input("log_softmax").arg("dim", Arg::Int(-3)), "dim"),
        (input("softmin").arg("dim", Arg::Int(0)).arg("dtype", Arg::Str("i64".to_owned())), "float"),
        (input("_softmax").arg("dim", Arg::Int(0)).arg("half_to_float", Arg::Bool(true)), "half_to_float"),
        (input("logsumexp"), "dim"),
        (Call::new("_weight_norm").tensor_arg("v", floats(&[2, 3])).tensor_arg("g", floats(&[2])), "shape [2, 1]"),
        (Call::new("_weight_norm").tensor_arg("v", floats(&[])).tensor_arg("g", floats(&[])), "dim"),
        (Call::new("var").tensor_arg("input", ints(&[1, 2])), "floats"),
        (input("std").arg("unbiased", Arg::Bool(true)).arg("correction", Arg::Int(1)), "unbiased"),
        (input("var_mean").arg("dim", Arg::Ints(vec![1, -1])), "twice"),
        (input("norm").arg("p", Arg::Str("nuc".to_owned())), "not supported"),
        (input("norm").arg("p", Arg::Str("two".to_owned())), "'two'"),
        (input("linalg_norm").arg("ord", Arg::Int(1)), "not supported"),
        (row("linalg_norm").arg("ord", Arg::Str("fro".to_owned())), "2 dimensions"),
        (Call::new("linalg_norm").tensor_arg("input", floats(&[])).arg("ord", Arg::Int(1)), "ord"),
        (input("view").arg("size", Arg::Ints(vec![5])), "size"),
        (Call::new("cat").with("tensors", Value::Tensors(vec![])), "tensors"),
        (input("linear").tensor_arg("weight", floats(&[2, 4])), "input"),
        (Call::new("stack").with("tensors", Value::Tensors(vec![floats(&[2]), floats(&[3])])), "one shape"),
        (input("reshape").arg("shape", Arg::Ints(vec![4, -1])), "shape"),
        (input("flatten").arg("start_dim", Arg::Int(1)).arg("end_dim", Arg::Int(0)), "start_dim"),
        (input("repeat").arg("repeats", Arg::Ints(vec![2])), "repeats"),
        (input("repeat").arg("repeats", Arg::Ints(vec![1 << 40, 1 << 40])), "too large"),
        (input("repeat").arg("repeats", Arg::Ints(vec![-1, 2])), "negative"),
        (input("tile").arg("dims", Arg::Ints(vec![1; 9])), "dimensions"),
        (input("repeat_interleave").arg("repeats", Arg::Int(i64::MAX)), "too large"),
        (input("repeat_interleave").arg("repeats", Arg::Int(-1)), "repeats"),
        (input("repeat_interleave").tensor_arg("repeats", ints(&[1, 2])), "not supported"),
        (input("flip").arg("dims", Arg::Ints(vec![0, -2])), "twice"),
        (input("roll").arg("shifts", Arg::Ints(vec![1, 2])), "shifts"),
        (input("roll").arg("shifts", Arg::Ints(vec![1, 2])).arg("dims", Arg::Ints(vec![0])), "equally many"),
        (input("pad").arg("pad", Arg::Ints(vec![1])), "pairs"),
        (input("pad").arg("pad", Arg::Ints(vec![i64::MAX, i64::MAX])), "too large"),
        (input("pad").arg("pad", Arg::Ints(vec![i64::MIN, 1])), "pad"),
        (input("pad").arg("pad", Arg::Ints(vec![3, 0])).arg("mode", Arg::Str("reflect".to_owned())), "allow"),
        (input("pad").arg("pad", Arg::Ints(vec![1, 0])).arg("mode", Arg::Str("mirror".to_owned())), "mirror"),
        (input("diff").arg("n", Arg::Int(-1)), "'n'"),
        (input("diff").tensor_arg("append", floats(&[3, 1])), "append"),
        (input("slice_scatter").tensor_arg("src", floats(&[3, 3])), "src"),
        (input("slice_scatter").tensor_arg("src", ints(&[1, 2, 3])), "not supported"),
        (input("select_scatter").tensor_arg("src", floats(&[3])).arg("index", Arg::Int(2)), "index"),
        (input("chunk").arg("chunks", Arg::Int(0)), "chunks"),
        (Call::new("chunk").tensor_arg("input", floats(&[0])).arg("chunks", Arg::Int(i64::MAX)), "parts"),
        (input("unfold").arg("dimension", Arg::Int(0)).arg("size", Arg::Int(3)).arg("step", Arg::Int(1)), "size"),
        (input("as_strided").arg("size", Arg::Ints(vec![7])).arg("stride", Arg::Ints(vec![1])), "leaves"),
        (input("narrow").arg("dim", Arg::Int(0)).arg("start", Arg::Int(1)).arg("length", Arg::Int(i64::MAX)), "length"),
        (input("gather").arg("dim", Arg::Int(2)).tensor_arg("index", ints(&[0])), "dim"),
        (input("gather").arg("dim", Arg::Int(0)).tensor_arg("index", ints(&[0])), "larger"),
        (input("gather").arg("dim", Arg::Int(0)).tensor_arg("index", floats(&[1, 1])), "i64"),
        (input("index_select").arg("dim", Arg::Int(0)).tensor_arg("index", ints(&[0, 2])), "out of range"),
        (input("index_select").arg("dim", Arg::Int(0)).tensor_arg("index", ints(&[-1])), "out of range"),
        (input("index").with("indices", Value::SomeTensors(vec![None])), "at least one"),
        (input("index").with("indices", Value::Tensors(vec![ints(&[0]), ints(&[0]), ints(&[0])])), "2 dimensions"),
        (input("index").with("indices", Value::Tensors(vec![ints(&[0, 1]), ints(&[0, 1, 2])])), "broadcast"),
        (input("index").with("indices", Value::Tensors(vec![ints(&[0, -3])])), "hold -3"),
        (input("index").with("indices", Value::Tensors(vec![truths(&[2])])), "not supported"),
        (input("index").arg("indices", Arg::Int(1)), "list of tensors"),
        (
            Call::new("index").tensor_arg("input", floats(&[0])).with("indices", Value::Tensors(vec![ints(&[0])])),
            "without elements",
        ),
        (input("scatter").arg("dim", Arg::Int(0)).tensor_arg("index", ints(&[0])).arg("value", Arg::Int(1)), "larger"),
        (row("scatter").tensor_arg("index", ints(&[0])), "value"),
        (row("scatter").tensor_arg("index", ints(&[0])).tensor_arg("src", ints(&[1])), "f32"),
        (row("scatter").tensor_arg("index", ints(&[0, 1])).tensor_arg("src", floats(&[1])), "src"),
        (row("scatter").tensor_arg("index", ints(&[3])).arg("value", Arg::Float(1.0)), "out of range"),
        (
            row("scatter")
                .tensor_arg("index", ints(&[0]))
                .arg("value", Arg::Int(1))
                .arg("reduce", Arg::Str("mean".to_owned())),
            "mean",
        ),
        (row("scatter_add").tensor_arg("index", ints(&[-1])).tensor_arg("src", floats(&[1])), "out of range"),
        (row("scatter_add").tensor_arg("index", ints(&[0])), "src"),
        (put(vec![Some(ints(&[0]))]).tensor_arg("values", floats(&[2])), "broadcast"),
        (put(vec![Some(ints(&[0]))]).tensor_arg("values", ints(&[2])), "f32"),
        (put(vec![Some(ints(&[2]))]).tensor_arg("values", floats(&[])), "out of range"),
        (put(vec![Some(truths(&[3]))]).tensor_arg("values", floats(&[])), "mask"),
        (put(vec![Some(truths(&[2]))]).tensor_arg("values", floats(&[5, 3])), "broadcast"),
        (put(vec![None, Some(truths(&[3]))]).tensor_arg("values", floats(&[])), "not supported"),
    ];
    for (call, what) in cases {
        let error = oracle::run(&call).expect_err(call.op()).to_string();
        assert!(error.contains(call.op()) && error.contains(what), "{error}");
    }
}

#[test]
fn lists_of_tensors_may_hold_none() {
    for text in [r#"{"tensors":[3,null,5]}"#, r#"{"tensors":[null]}"#, r#"{"tensors":[3,4]}"#, r#"{"tensors":[]}"#] {
        let arg: Arg = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&arg).unwrap(), text);
    }
    let arg: Arg = serde_json::from_str(r#"{"tensors":[3,null,5]}"#).unwrap();
    assert_eq!(arg.tensors(), [3, 5]);
    assert!(serde_json::from_str::<Arg>(r#"{"tensors":[3,"a"]}"#).is_err());
}

#[test]
fn views_are_copied() {
    let call =
        Call::new("transpose").tensor_arg("input", floats(&[2, 3])).arg("dim0", Arg::Int(0)).arg("dim1", Arg::Int(1));
    assert_eq!(oracle::run(&call).unwrap(), [Array::float(DType::F32, &[3, 2], vec![0.0, 3.0, 1.0, 4.0, 2.0, 5.0])]);
    let call =
        Call::new("select").tensor_arg("input", ints(&[4, 5, 6])).arg("dim", Arg::Int(0)).arg("index", Arg::Int(-1));
    assert_eq!(oracle::run(&call).unwrap(), [Array::int(DType::I64, &[], vec![6])]);
}

#[test]
fn reductions_refuse_what_they_cannot_reduce() {
    let input = |op: &str| Call::new(op).tensor_arg("input", floats(&[2, 3]));
    let empty = |op: &str| Call::new(op).tensor_arg("input", floats(&[2, 0])).arg("dim", Arg::Int(1));
    let text = |text: &str| Arg::Str(text.to_owned());
    let cases = [
        (empty("amax"), "without elements"),
        (empty("max"), "without elements"),
        (empty("argmin"), "without elements"),
        (empty("linalg_vector_norm").arg("ord", Arg::Float(f64::INFINITY)), "without elements"),
        (input("amin").arg("dim", Arg::Ints(vec![0, -2])), "twice"),
        (input("min").arg("dim", Arg::Int(2)), "dim"),
        (input("max").arg("dim", Arg::Ints(vec![0, 1])), "dim"),
        (input("max").arg("dim", Arg::Int(0)).tensor_arg("other", floats(&[3])), "dim"),
        (input("max").arg("keepdim", Arg::Bool(true)), "keepdim"),
        (input("min").tensor_arg("other", floats(&[4])), "broadcast"),
        (input("min").arg("other", Arg::Float(1.0)), "other"),
        (input("prod").arg("dim", Arg::Ints(vec![0, 1])), "dim"),
        (input("prod").arg("dtype", text("q4_0")), "dtype"),
        (input("mean").arg("dtype", text("i64")), "dtype"),
        (input("sum").arg("dtype", text("f31")), "dtype"),
        (input("any").arg("dim", Arg::Int(i64::MIN)), "dim"),
        (input("count_nonzero").arg("keepdim", Arg::Bool(true)), "keepdim"),
    ];
    for (call, what) in cases {
        let error = oracle::run(&call).expect_err(call.op()).to_string();
        assert!(error.contains(call.op()) && error.contains(what), "{error}");
    }
}

#[test]
fn scans_and_sorts_refuse_bad_arguments() {
    let input = |op: &str| Call::new(op).tensor_arg("input", floats(&[2, 3]));
    let cases = [
        (input("cumsum"), "dim"),
        (input("cumprod").arg("dim", Arg::Int(2)), "dim"),
        (input("cumsum").arg("dim", Arg::Int(0)).arg("dtype", Arg::Str("bool".to_owned())), "dtype"),
        (input("cummax").arg("dim", Arg::Int(-3)), "dim"),
        (input("cummin").arg("dim", Arg::Int(0)).arg("dtype", Arg::Str("f32".to_owned())), "dtype"),
        (input("sort").arg("dim", Arg::Int(5)), "dim"),
        (input("argsort").arg("descending", Arg::Int(1)), "descending"),
        (input("topk"), "k"),
        (input("topk").arg("k", Arg::Int(4)), "k"),
        (input("topk").arg("k", Arg::Int(-1)), "k"),
        (input("topk").arg("k", Arg::Int(1)).arg("dim", Arg::Int(i64::MAX)), "dim"),
        (input("histc").arg("bins", Arg::Int(0)), "bins"),
        (input("histc").arg("bins", Arg::Int(i64::MAX)), "bins"),
        (input("histc").arg("min", Arg::Int(2)).arg("max", Arg::Int(1)), "max"),
        (input("histc").arg("min", Arg::Float(f64::NAN)), "min"),
        (Call::new("histc").tensor_arg("input", Array::float(DType::F32, &[1], vec![f64::INFINITY])), "finite"),
    ];
    for (call, what) in cases {
        let error = oracle::run(&call).expect_err(call.op()).to_string();
        assert!(error.contains(call.op()) && error.contains(what), "{error}");
    }
}

#[test]
fn activations_and_divisions_refuse_bad_arguments() {
    let input = |op: &str| Call::new(op).tensor_arg("input", floats(&[2, 3]));
    let whole = |op: &str| Call::new(op).tensor_arg("input", ints(&[1, 2]));
    let truth = |op: &str| Call::new(op).tensor_arg("input", Array::int(DType::Bool, &[2], vec![1, 0]));
    let image = |op: &str| Call::new(op).tensor_arg("input", floats(&[1, 4, 3]));
    let text = |text: &str| Arg::Str(text.to_owned());
    let bytes = Call::new("clamp").tensor_arg("input", Array::int(DType::U8, &[1], vec![3]));
    let cases = [
        (whole("softplus"), "floats"),
        (truth("hardtanh"), "bool"),
        (input("celu").arg("alpha", Arg::Float(0.0)), "alpha"),
        (input("softshrink").arg("lambd", Arg::Float(-1.0)), "lambd"),
        (input("hardtanh").arg("min_val", Arg::Int(2)), "min_val"),
        (input("threshold").arg("threshold", Arg::Int(2)), "value"),
        (whole("threshold").arg("threshold", Arg::Float(1e30)).arg("value", Arg::Int(1)), "threshold"),
        (input("glu"), "even"),
        (Call::new("glu").tensor_arg("input", floats(&[])), "dim"),
        (input("prelu").tensor_arg("weight", floats(&[2])), "per channel"),
        (input("prelu").tensor_arg("weight", floats(&[1, 1])), "weight"),
        (whole("logaddexp").tensor_arg("other", ints(&[1, 2])), "floats"),
        (input("logaddexp").arg("other", Arg::Float(1.0)), "other"),
        (input("lerp").tensor_arg("end", ints(&[1])).arg("weight", Arg::Float(0.5)), "end"),
        (input("lerp").tensor_arg("end", floats(&[3])), "weight"),
        (whole("addcdiv").tensor_arg("tensor1", ints(&[1])).tensor_arg("tensor2", ints(&[1])), "integers"),
        (input("addcmul").tensor_arg("tensor1", floats(&[3])), "tensor2"),
        (truth("sub").arg("other", Arg::Int(1)), "bool"),
        (input("rsub").arg("other", Arg::Bool(true)), "bool"),
        (whole("add").arg("other", Arg::Int(1)).arg("alpha", Arg::Float(0.5)), "alpha"),
        (whole("add").arg("other", Arg::Int(1)).arg("alpha", Arg::Bool(true)), "alpha"),
        (input("div").arg("other", Arg::Int(1)).arg("rounding_mode", text("round")), "rounding_mode"),
        (truth("remainder").arg("other", Arg::Bool(true)), "bool"),
        (whole("remainder").arg("other", Arg::Int(0)), "must not hold 0"),
        (whole("fmod").tensor_arg("other", ints(&[1, 0])), "must not hold 0"),
        (whole("floor_divide").tensor_arg("other", ints(&[0])), "must not hold 0"),
        (whole("div").arg("other", Arg::Int(0)).arg("rounding_mode", text("trunc")), "must not hold 0"),
        (input("clamp_min"), "min"),
        (input("clamp_max"), "max"),
        (input("clamp").tensor_arg("min", floats(&[2])), "broadcast"),
        (input("clamp").arg("min", text("low")), "min"),
        (bytes.arg("max", Arg::Int(-1)), "range of u8"),
        (input("pixel_shuffle").arg("upscale_factor", Arg::Int(2)), "3 dimensions"),
        (image("pixel_shuffle").arg("upscale_factor", Arg::Int(2)), "multiple"),
        (image("pixel_shuffle").arg("upscale_factor", Arg::Int(i64::MAX)), "multiple"),
        (image("pixel_unshuffle").arg("downscale_factor", Arg::Int(0)), "positive"),
        (image("channel_shuffle").arg("groups", Arg::Int(3)), "multiple"),
    ];
    for (call, what) in cases {
        let error = oracle::run(&call).expect_err(call.op()).to_string();
        assert!(error.contains(call.op()) && error.contains(what), "{error}");
    }
}

/// Large and quantised tensors stay as they are stored, and give the same rows.
#[test]
fn stored_tensors_are_read_row_by_row() {
    let (rows, columns) = (1030, 1024);
    let values: Vec<f32> = (0..rows * columns).map(|i| (i % 977) as f32 - 400.0).collect();
    let large = Array::from_host(&HostTensor::from_f32(&[rows, columns], &values).unwrap());
    assert!(matches!(large.data, Data::Stored(_)));
    assert_eq!(large.row(1029).unwrap()[5], f64::from(values[1029 * columns + 5]));
    assert_eq!(large.row(1030), None);
    let bytes: Vec<u8> = (0..2 * 40).map(|i| if i % 20 < 4 { 0x2c } else { i as u8 }).collect();
    let blocks = Array::from_host(&HostTensor::new(DType::Q4_1, &[2, 64], bytes.clone()).unwrap());
    assert!(matches!(blocks.data, Data::Stored(_)));
    let expected: Vec<f64> = dequantize(DType::Q4_1, &bytes).into_iter().map(f64::from).collect();
    assert_eq!(blocks.row(1).unwrap().as_ref(), &expected[64..]);
    assert_eq!(blocks.to_f64(), expected);
}
