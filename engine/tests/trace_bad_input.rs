//! A trace is untrusted input: each way to break one gives one clear error, and never a panic.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::Write as _;
use taproot_engine::graph::Arg;
use taproot_engine::tensor::{DType, HostTensor, Layout};
use taproot_engine::trace::{
    FolderSource, Head, Layer, MemorySource, Model, NamedOutput, Operator, Producer, Role, Step, Trace, TraceError,
    TraceWriter, archive,
};

type Files = BTreeMap<String, Vec<u8>>;

fn head() -> Head {
    Head {
        model: Model { name: "two adds".into(), architecture: "test".into(), config: serde_json::Value::Null },
        producer: Producer {
            tool: "test".into(),
            tool_version: "1".into(),
            framework: "none".into(),
            device: "cpu".into(),
            driver: None,
            dtype: DType::F32,
            date: "2026-12-01T00:00:00Z".into(),
        },
        prompt: None,
        steps: vec![Step { name: "prefill".into(), token_ids: vec![] }],
        layers: vec![Layer { name: "block".into() }],
        outputs: vec![NamedOutput { name: "out".into(), tensor: 3, step: 0 }],
    }
}

fn operator(id: &str, op: &str, args: &[(&str, Arg)], output: u32) -> Operator {
    Operator {
        id: id.into(),
        op: op.into(),
        args: args.iter().map(|(name, arg)| ((*name).to_owned(), arg.clone())).collect(),
        outputs: vec![output],
        module: String::new(),
        layer: 0,
        step: 0,
        source: None,
        noise: vec![],
        nondeterministic: None,
    }
}

/// a `[2, 3]`, b `[3]`, c = a + b, d = cᵀ (a view).
fn good() -> Files {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = TraceWriter::create(folder.path()).unwrap();
    let a = HostTensor::from_f32(&[2, 3], &[1., 2., 3., 4., 5., 6.]).unwrap();
    let b = HostTensor::from_f32(&[3], &[10., 20., 30.]).unwrap();
    let c = HostTensor::from_f32(&[2, 3], &[11., 22., 33., 14., 25., 36.]).unwrap();
    let a = writer.add_stored("a", Role::Input, &a, None).unwrap();
    let b = writer.add_stored("b", Role::Weight, &b, None).unwrap();
    let c = writer.add_stored("c", Role::Activation, &c, None).unwrap();
    let layout = Layout { shape: vec![3, 2], strides: vec![1, 3], offset: 0 };
    let d = writer.add_view("d", Role::Activation, c, &layout).unwrap();
    writer.add_operator(operator("add", "add", &[("input", Arg::Tensor(a)), ("other", Arg::Tensor(b))], c));
    let transposed = [("input", Arg::Tensor(c)), ("dim0", Arg::Int(0)), ("dim1", Arg::Int(1))];
    writer.add_operator(operator("transpose", "transpose", &transposed, d));
    writer.finish(head()).unwrap();
    let mut files = Files::new();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        files.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap());
    }
    files
}

fn open(files: Files) -> Result<Trace, TraceError> {
    pollster::block_on(Trace::open(Box::new(MemorySource::new("memory", files))))
}

/// The good trace with its manifest edited as JSON.
fn edited(edit: impl FnOnce(&mut serde_json::Value)) -> Result<Trace, TraceError> {
    let mut files = good();
    let mut json = serde_json::from_slice(&files["trace.json"]).unwrap();
    edit(&mut json);
    files.insert("trace.json".into(), serde_json::to_vec(&json).unwrap());
    open(files)
}

fn message(result: Result<Trace, TraceError>) -> String {
    result.map(|_| "opened").unwrap_err().to_string()
}

#[test]
fn a_good_trace_opens_and_views_are_resolved() {
    let files = good();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["activations.safetensors", "trace.json", "weights.safetensors"]);
    let trace = open(files).unwrap();
    let d = pollster::block_on(trace.tensor(3)).unwrap();
    assert_eq!((d.shape(), d.to_f32()), ([3, 2].as_slice(), vec![11., 14., 22., 25., 33., 36.]));
    assert_eq!(trace.hash().len(), 64);
}

#[test]
fn other_readers_accept_the_shards() {
    let files = good();
    let shard = safetensors::SafeTensors::deserialize(&files["activations.safetensors"]).unwrap();
    assert_eq!(shard.tensor("c").unwrap().shape(), [2, 3]);
}

#[test]
fn missing_manifest() {
    let mut files = good();
    files.remove("trace.json");
    assert_eq!(message(open(files)), "'trace.json' was not found in memory");
}

#[test]
fn not_json_and_another_format() {
    let mut files = good();
    files.insert("trace.json".into(), b"<!doctype html>".to_vec());
    assert!(message(open(files)).starts_with("trace.json is not a trace: "));
    assert_eq!(
        message(edited(|json| json["format"] = "onnx".into())),
        "trace.json says format 'onnx', not 'taproot-trace'"
    );
}

#[test]
fn unknown_version_is_told_even_when_the_rest_changed() {
    let found = message(edited(|json| {
        json["version"] = 2.into();
        json["tensors"] = "elsewhere".into();
    }));
    assert!(found.contains("format version 2") && found.contains("update Taproot"), "{found}");
}

#[test]
fn truncated_shard() {
    let mut files = good();
    let shard = files.get_mut("activations.safetensors").unwrap();
    shard.truncate(shard.len() - 4);
    let found = message(open(files));
    assert!(found.contains("activations.safetensors") && found.contains("truncated"), "{found}");
}

#[test]
fn truncated_shard_that_the_manifest_agrees_with() {
    let mut files = good();
    let shard = files.get_mut("activations.safetensors").unwrap();
    shard.truncate(shard.len() - 4);
    let length = shard.len();
    let mut json: serde_json::Value = serde_json::from_slice(&files["trace.json"]).unwrap();
    for shard in json["shards"].as_array_mut().unwrap() {
        if shard["path"] == "activations.safetensors" {
            shard["bytes"] = length.into();
        }
    }
    files.insert("trace.json".into(), serde_json::to_vec(&json).unwrap());
    let found = message(open(files));
    assert!(found.contains("past the end of the file"), "{found}");
}

#[test]
fn shard_header_that_lies_about_its_length() {
    for length in [u64::MAX, 1 << 40, 99_999_999] {
        let mut files = good();
        files.get_mut("weights.safetensors").unwrap()[..8].copy_from_slice(&length.to_le_bytes());
        let found = message(open(files));
        assert!(found.contains("weights.safetensors") && found.contains("header"), "{found}");
    }
}

#[test]
fn wrong_shapes() {
    let found = message(edited(|json| json["tensors"][0]["shape"] = serde_json::json!([3, 2])));
    assert!(found.contains("operator 'add'") && found.contains("broadcast"), "{found}");
    let found = message(edited(|json| json["tensors"][1]["shape"] = serde_json::json!([1])));
    assert!(found.contains("tensor 'b' has 12 bytes there"), "{found}");
    let found = message(edited(|json| json["tensors"][0]["shape"] = serde_json::json!([u64::MAX, u64::MAX])));
    assert!(found.contains("cannot be stored"), "{found}");
    let found = message(edited(|json| json["tensors"][3]["shape"] = serde_json::json!([2, 3])));
    assert!(found.contains("tensor 'd' does not fit 'c'") || found.contains("operator 'transpose'"), "{found}");
}

#[test]
fn result_of_another_shape_than_the_operator_gives() {
    let found = message(edited(|json| json["operators"][1]["args"]["dim1"] = 0.into()));
    assert!(found.contains("transpose gives f32[2, 3] for these arguments, but f32[3, 2] is recorded"), "{found}");
}

#[test]
fn view_past_the_end() {
    let found = message(edited(|json| json["tensors"][3]["data"]["view"]["offset"] = 1.into()));
    assert!(found.contains("the view reaches element 7, but its base has 6"), "{found}");
    let found =
        message(edited(|json| json["tensors"][3]["data"]["view"]["strides"] = serde_json::json!([u64::MAX / 2, 3])));
    assert!(found.contains("tensor 'd'"), "{found}");
}

#[test]
fn references_outside_the_trace() {
    let found = message(edited(|json| json["operators"][0]["args"]["other"] = serde_json::json!({"tensor": 99})));
    assert!(found.contains("takes tensor 99"), "{found}");
    let found = message(edited(|json| json["operators"][0]["outputs"] = serde_json::json!([99])));
    assert!(found.contains("computes tensor 99"), "{found}");
    let found = message(edited(|json| json["operators"][0]["layer"] = 7.into()));
    assert!(found.contains("layer 7"), "{found}");
    let found = message(edited(|json| json["operators"][0]["args"]["input"] = serde_json::json!({"tensor": 2})));
    assert!(found.contains("takes 'c' before it is computed"), "{found}");
}

#[test]
fn unknown_argument_names_the_rule() {
    let found = message(edited(|json| json["operators"][0]["args"]["beta"] = 2.into()));
    assert!(found.contains("argument 'beta' is unknown; the operator takes input, other, alpha"), "{found}");
}

#[test]
fn unknown_operator_is_a_gap_and_no_error() {
    assert!(edited(|json| json["operators"][0]["op"] = "flux_capacitor".into()).is_ok());
}

#[test]
fn shard_paths_stay_inside() {
    for path in ["../secret", "/etc/passwd", "a/../../b", "C:\\x", "", "a//b", "x?y"] {
        let found = message(edited(|json| json["shards"][0]["path"] = path.into()));
        assert!(found.contains("the shard path"), "{path}: {found}");
    }
}

#[test]
fn a_changed_byte_is_found_when_the_tensor_is_read() {
    let mut files = good();
    let shard = files.get_mut("activations.safetensors").unwrap();
    *shard.last_mut().unwrap() ^= 1;
    let trace = open(files).unwrap();
    let found = pollster::block_on(trace.tensor(2)).unwrap_err().to_string();
    assert!(found.contains("tensor 'c'") && found.contains("does not match its hash"), "{found}");
}

#[test]
fn folder_that_is_not_there() {
    let found =
        pollster::block_on(Trace::open(Box::new(FolderSource::new("/nowhere/at/all")))).unwrap_err().to_string();
    assert!(found.contains("'trace.json' was not found in the folder"), "{found}");
}

fn zipped(files: &Files, folder: &str) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(format!("{folder}{name}"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn zip_with_and_without_a_folder_around() {
    for folder in ["", "my-trace/"] {
        let source = archive::unpack("t.zip", &zipped(&good(), folder)).unwrap();
        assert!(pollster::block_on(Trace::open(Box::new(source))).is_ok());
    }
}

#[test]
fn zip_bombs_and_broken_zips() {
    let mut files = good();
    files.insert("bomb.bin".into(), vec![0; 64 << 20]);
    let found = archive::unpack("bomb.zip", &zipped(&files, "")).unwrap_err().to_string();
    assert!(found.contains("bomb.zip") && found.contains("zip bomb"), "{found}");
    let mut cut = zipped(&good(), "");
    cut.truncate(cut.len() / 2);
    assert!(archive::unpack("cut.zip", &cut).is_err());
    let found = archive::unpack("none.zip", &zipped(&Files::new(), "")).unwrap_err().to_string();
    assert!(found.contains("no trace.json"), "{found}");
}
