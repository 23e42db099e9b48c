//! Proof that a replay finds bugs: one mistake at a time is put into a kernel, and exactly the operators whose results it
//! makes wrong must fail, in models small enough to carve here.

mod accumulator;
mod epsilon;
mod models;
mod nan;
mod plan;
mod rope;
mod softmax;
mod tiles;

use models::Model;
use std::path::PathBuf;
use std::rc::Rc;
use taproot::carve::{CarveOptions, carve};
use taproot::open::open_trace;
use taproot_engine::compare::Verdict;
use taproot_engine::replay::{CaseResult, Filter, Replayer};
use taproot_engine::tensor::HostTensor;
use taproot_engine::trace::{Operator, Trace};
use taproot_engine::webgpu::{Gpu, KernelOverride, shader_text};
use tempfile::TempDir;

/// A trace carved from a tiny model.
struct Carved {
    _folder: TempDir,
    output: PathBuf,
}

impl Carved {
    /// `decode` is the number of steps after the prefill.
    fn of(model: &Model, decode: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = folder.path().join("model");
        std::fs::create_dir(&checkpoint).unwrap();
        model.write(&checkpoint);
        let output = folder.path().join("trace");
        let options = CarveOptions {
            model: checkpoint,
            prompt: models::prompt(),
            output: output.clone(),
            decode,
            layers: None,
            weights: None,
            name: None,
        };
        carve(&options, &mut |_| {}).unwrap();
        Carved { _folder: folder, output }
    }

    fn open(&self) -> Trace {
        pollster::block_on(open_trace(self.output.to_str().unwrap())).unwrap()
    }

    /// Ids of the operators that `chosen` picks.
    fn ids(&self, chosen: impl Fn(&Operator) -> bool) -> Vec<String> {
        self.open().manifest().operators.iter().filter(|operator| chosen(operator)).map(|o| o.id.clone()).collect()
    }

    /// The recorded argument `input` of an operator.
    fn input_of(&self, id: &str) -> HostTensor {
        let trace = self.open();
        let found = trace.manifest().operators.iter().find(|operator| operator.id == id);
        let operator = found.unwrap_or_else(|| panic!("the trace has no operator '{id}'"));
        let input = operator.args["input"].tensors()[0];
        pollster::block_on(trace.tensor(input)).unwrap()
    }

    /// A replayer on a device of its own, with these kernels replaced.
    fn replayer(&self, overrides: Vec<KernelOverride>) -> Replayer {
        let mut gpu = pollster::block_on(Gpu::new()).unwrap();
        gpu.set_overrides(overrides).unwrap();
        Replayer::new(Rc::new(self.open()), Some(Rc::new(gpu)))
    }

    fn replay(&self, overrides: Vec<KernelOverride>) -> Vec<CaseResult> {
        let replayer = self.replayer(overrides);
        let cases = replayer.cases(&Filter::default()).unwrap();
        cases.into_iter().map(|at| pollster::block_on(replayer.case(at)).unwrap()).collect()
    }

    /// Asserts that every case passes as long as the kernels are right, and that with the mistake the operators in
    /// `expected` fail and all others still pass. Gives the failed cases.
    fn assert_fails_exactly(&self, mistake: KernelOverride, expected: &[String]) -> Vec<CaseResult> {
        assert_eq!(not_passed(&self.replay(vec![])), Vec::<String>::new(), "without the mistake");
        let cases = self.replay(vec![mistake]);
        let failed = |case: &CaseResult| case.verdict == Verdict::Fail;
        let found: Vec<&str> = cases.iter().filter(|case| failed(case)).map(|case| case.id.as_str()).collect();
        assert!(!expected.is_empty());
        assert_eq!(found, expected, "{:#?}", not_passed(&cases));
        let in_doubt: Vec<CaseResult> = cases.iter().filter(|case| !failed(case)).cloned().collect();
        assert_eq!(not_passed(&in_doubt), Vec::<String>::new(), "beside the operators that fail");
        cases.into_iter().filter(failed).collect()
    }
}

/// A line for each case that did not pass.
fn not_passed(cases: &[CaseResult]) -> Vec<String> {
    let odd = cases.iter().filter(|case| case.verdict != Verdict::Pass);
    odd.map(|case| format!("{}: {}, {}", case.id, case.verdict, case.reason.as_deref().unwrap_or_default())).collect()
}

/// The kernel with one passage of its text replaced, in operators whose id matches `only`.
fn kernel_with(kernel: &str, passage: &str, by: &str, only: Option<&str>) -> KernelOverride {
    let text = shader_text(kernel).unwrap();
    assert_eq!(text.matches(passage).count(), 1, "the kernel {kernel} has changed: adapt the mistake to it\n{text}");
    KernelOverride { kernel: kernel.to_owned(), wgsl: text.replace(passage, by), only: only.map(str::to_owned) }
}

/// Another text for a kernel, in operators whose id matches `only`.
fn kernel_of(kernel: &str, wgsl: &str, only: Option<&str>) -> KernelOverride {
    KernelOverride { kernel: kernel.to_owned(), wgsl: wgsl.to_owned(), only: only.map(str::to_owned) }
}
