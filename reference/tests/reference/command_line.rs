//! The program itself: exit codes, and one message where something is wrong.

use crate::tiny::bert;
use std::path::Path;
use std::process::{Command, Output};
use taproot::carve::SAMPLES;
use tempfile::TempDir;

fn taproot(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_taproot")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// stderr without what the Vulkan loader says there.
fn message(output: &Output) -> String {
    text(&output.stderr).lines().filter(|line| line.starts_with("taproot: ")).collect::<Vec<_>>().join("\n")
}

fn carved() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    bert::write(folder.path());
    let trace = folder.path().join("trace").to_str().unwrap().to_owned();
    let model = folder.path().to_str().unwrap();
    let output = taproot(&["carve", "--model", model, "--prompt", "roots grow", "-o", &trace, "--layers", "1"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("first 1 of 2 layers"), "{}", text(&output.stdout));
    (folder, trace)
}

#[test]
fn a_trace_is_described_and_replayed() {
    let (folder, trace) = carved();
    let info = text(&taproot(&["info", &trace]).stdout);
    assert!(info.contains("(BertModel)") && info.contains("0 embeddings, 1 encoder.layer.0, 2 head"), "{info}");
    let (json, junit) = (folder.path().join("report.json"), folder.path().join("report.xml"));
    let replay = taproot(&[
        "replay",
        &trace,
        "--layer",
        "encoder.layer.0",
        "--op",
        "{linear,softmax}",
        "--json",
        json.to_str().unwrap(),
        "--junit",
        junit.to_str().unwrap(),
    ]);
    let table = text(&replay.stdout);
    assert_eq!(replay.status.code(), Some(0), "{table}{}", text(&replay.stderr));
    assert_eq!(table.lines().last(), Some("7 cases: 7 passes, 0 warnings, 0 fails, 0 gaps"));
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
    assert_eq!((report["totals"]["pass"].as_u64(), report["cases"].as_array().unwrap().len()), (Some(7), 7));
    assert!(std::fs::read_to_string(junit).unwrap().contains("tests=\"7\""));
}

#[test]
fn a_replaced_kernel_that_is_wrong_gives_exit_code_1() {
    let (folder, trace) = carved();
    let kernel = folder.path().join("softmax.wgsl");
    let right = taproot_engine::webgpu::shader_text("softmax").unwrap();
    std::fs::write(&kernel, right.replace("largest) / sum", "largest) / (1.001 * sum)")).unwrap();
    let argument = format!("softmax={}", kernel.display());
    let replay = taproot(&["replay", &trace, "--op", "softmax", "--override", &argument]);
    assert_eq!(replay.status.code(), Some(1), "{}", text(&replay.stderr));
    assert_eq!(text(&replay.stdout).lines().last(), Some("1 case: 0 passes, 0 warnings, 1 fail, 0 gaps"));
}

#[test]
fn what_cannot_be_done_is_one_message_and_exit_code_2() {
    let (folder, trace) = carved();
    let nowhere = folder.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    let cuda = ["carve", "--model", nowhere, "--prompt", "x", "-o", nowhere, "--device", "cuda"];
    let cases: [(&[&str], &str); 7] = [
        (&["info", nowhere], "'trace.json' was not found in the folder"),
        (&["carve", "--model", nowhere, "--prompt", "x", "-o", nowhere], "there is nothing at this path"),
        (&cuda, "carving on CUDA is not in this version of taproot; use --device cpu"),
        (&["replay", &trace, "--op", "no_such_operator"], "no case matches"),
        (&["replay", &trace, "--op", "[a"], "--op '[a' is no glob"),
        (&["replay", &trace, "--layer", "9"], "there is no layer '9'"),
        (&["replay", &trace, "--override", "no_such_kernel=Cargo.toml"], "no_such_kernel"),
    ];
    for (arguments, expected) in cases {
        let output = taproot(arguments);
        let message = message(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected) && message.lines().count() == 1, "{arguments:?}: {message}");
    }
}

#[test]
fn a_damaged_trace_is_named_with_its_place() {
    let (_folder, trace) = carved();
    let weights = Path::new(&trace).join("weights.safetensors");
    let mut bytes = std::fs::read(&weights).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&weights, &bytes).unwrap();
    let replay = taproot(&["replay", &trace]);
    assert_eq!(replay.status.code(), Some(1));
    assert!(text(&replay.stdout).contains("weights.safetensors"), "{}", text(&replay.stdout));
    std::fs::write(&weights, &bytes[..last]).unwrap();
    let info = taproot(&["info", &trace]);
    assert_eq!(info.status.code(), Some(2));
    assert!(message(&info).contains("truncated"), "{}", message(&info));
}

/// The samples are listed here and made by `cargo xtask samples`: both must say the same.
#[test]
fn the_samples_listed_are_those_that_xtask_makes() {
    let made = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../xtask/src/samples.rs")).unwrap();
    let listed = text(&taproot(&["carve", "--list-samples"]).stdout);
    for sample in SAMPLES {
        let (package, version) = sample.wheel.split_once(' ').unwrap();
        let arguments = sample.arguments.iter().copied();
        for part in [sample.trace, sample.path, package, version].into_iter().chain(arguments) {
            assert!(made.contains(&format!("\"{part}\"")), "xtask does not have '{part}'");
            assert!(listed.contains(part), "'{part}' is not listed");
        }
    }
}
