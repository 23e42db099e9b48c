//! The documentation of the vocabulary.

use std::path::Path;
use taproot::vocabulary::{Results, document};

#[test]
fn operators_document_is_what_the_code_and_results_give() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let results = Results::load(&docs.join("operators")).unwrap();
    let kept = std::fs::read_to_string(docs.join("operators.md")).unwrap();
    assert!(
        kept == document(&results),
        "docs/operators.md is stale; run\n  cargo run -p taproot -- operators --markdown docs/operators > docs/operators.md"
    );
}

#[test]
fn results_that_are_not_results_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.json"), "{\"order\": 0}").unwrap();
    let error = Results::load(folder.path()).unwrap_err().to_string();
    assert!(error.contains("x.json is not a file of results"), "{error}");
}
