//! A trace in words: what ran, on what, and what was recorded.

use crate::text::{bytes, count, float, grouped};
use comfy_table::{CellAlignment, Table, presets};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use taproot_engine::operators::{self, Definition};
use taproot_engine::tensor::DType;
use taproot_engine::trace::{Manifest, TensorData, Trace};

/// A summary of several lines.
pub fn describe(trace: &Trace) -> String {
    let manifest = trace.manifest();
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = head(&mut text, trace, manifest);
    let _ = write!(text, "\nOperators: {}\n{}\n", operator_counts(manifest), operator_table(manifest).trim_fmt());
    let _ = write!(text, "\nTensors: {}\n{}\n", tensor_counts(manifest), tensor_table(manifest).trim_fmt());
    let _ = write!(text, "\nOutputs\n{}\n", output_table(manifest).trim_fmt());
    text
}

fn head(text: &mut String, trace: &Trace, manifest: &Manifest) -> std::fmt::Result {
    let (model, producer) = (&manifest.model, &manifest.producer);
    writeln!(text, "{} ({})", model.name, model.architecture)?;
    writeln!(text, "  format     {} version {}", manifest.format, manifest.version)?;
    writeln!(text, "  source     {}", trace.source_name())?;
    writeln!(text, "  hash       {}", trace.hash())?;
    writeln!(text, "  made by    {} {} on {}", producer.tool, producer.tool_version, producer.date)?;
    let driver = producer.driver.as_ref().map_or_else(String::new, |driver| format!(", driver {driver}"));
    writeln!(
        text,
        "  ran on     {}, {}{driver}, activations in {}",
        producer.framework, producer.device, producer.dtype
    )?;
    if let Some(prompt) = &manifest.prompt {
        writeln!(text, "  prompt     {:?}, {}", prompt.text, count(prompt.token_ids.len(), "token"))?;
        if let Some(generated) = &prompt.generated {
            writeln!(text, "  generated  {generated:?}")?;
        }
    }
    let steps = manifest.steps.iter().map(|step| format!("{} ({})", step.name, count(step.token_ids.len(), "token")));
    writeln!(text, "  steps      {}", steps.collect::<Vec<_>>().join(", "))?;
    writeln!(text, "  layers     {}", layers(manifest))?;
    let size = manifest.shards.iter().map(|shard| shard.bytes).sum();
    let names: Vec<_> = manifest.shards.iter().map(|shard| shard.path.as_str()).collect();
    writeln!(text, "  files      {}: {}", bytes(size), names.join(", "))
}

/// Layers by position and name, the middle left out where there are many.
fn layers(manifest: &Manifest) -> String {
    const LISTED: usize = 4;
    let last = manifest.layers.len().saturating_sub(1);
    let names = manifest.layers.iter().enumerate().filter(|(at, _)| *at < LISTED || at + 2 > last);
    let mut names: Vec<String> = names.map(|(at, layer)| format!("{at} {}", layer.name)).collect();
    if names.len() < manifest.layers.len() {
        names.insert(LISTED, "…".to_owned());
    }
    names.join(", ")
}

fn operator_counts(manifest: &Manifest) -> String {
    let (mut views, mut gaps, mut nondeterministic) = (0, 0, 0);
    for operator in &manifest.operators {
        match operators::lookup(&operator.op) {
            Some(Definition::View(_)) => views += 1,
            Some(Definition::Kernel(_)) => {}
            None => gaps += 1,
        }
        nondeterministic += usize::from(operator.nondeterministic.is_some());
    }
    let cases = manifest.operators.len() - views;
    let mut counts = format!("{}, {}, {}", count(cases, "case"), count(views, "view"), count(gaps, "gap"));
    if nondeterministic > 0 {
        let _ = write!(counts, "; {} of the cases differed when the source ran twice", grouped(nondeterministic));
    }
    counts
}

#[derive(Default)]
struct OperatorRow {
    count: usize,
    /// The largest of the source's RMS errors against f64.
    noise: f64,
}

fn operator_table(manifest: &Manifest) -> Table {
    let mut rows: BTreeMap<&str, OperatorRow> = BTreeMap::new();
    for operator in &manifest.operators {
        let row = rows.entry(&operator.op).or_default();
        row.count += 1;
        row.noise = operator.noise.iter().map(|noise| noise.rms).fold(row.noise, f64::max);
    }
    let mut table = plain_table(&["operator", "count", "source's largest RMS error", ""], &[1, 2]);
    for (op, row) in rows {
        let (noise, remark) = match operators::lookup(op) {
            Some(Definition::Kernel(_)) => (float(row.noise), ""),
            Some(Definition::View(_)) => (String::new(), "view"),
            None => (String::new(), "gap: not in this version's vocabulary"),
        };
        table.add_row([op.to_owned(), grouped(row.count), noise, remark.to_owned()]);
    }
    table
}

fn tensor_counts(manifest: &Manifest) -> String {
    let views = manifest.tensors.iter().filter(|entry| matches!(entry.data, TensorData::View { .. })).count();
    let stored = manifest.tensors.len() - views;
    format!("{} stored, {}", grouped(stored), count(views, "view"))
}

/// Stored tensors by dtype and role; what is stored once for several is counted once in the bytes.
fn tensor_table(manifest: &Manifest) -> Table {
    let mut rows: BTreeMap<(String, DType), (usize, u64)> = BTreeMap::new();
    let mut seen = std::collections::HashSet::new();
    for entry in &manifest.tensors {
        let TensorData::Stored { shard, key, .. } = &entry.data else { continue };
        let row = rows.entry((format!("{:?}", entry.role).to_lowercase(), entry.dtype)).or_default();
        row.0 += 1;
        if seen.insert((shard, key)) {
            row.1 += entry.dtype.byte_len(&entry.shape).unwrap_or(0) as u64;
        }
    }
    let mut table = plain_table(&["role", "dtype", "count", "bytes"], &[2, 3]);
    for ((role, dtype), (number, size)) in rows {
        table.add_row([role, dtype.to_string(), grouped(number), bytes(size)]);
    }
    table
}

fn output_table(manifest: &Manifest) -> Table {
    let mut table = plain_table(&["name", "step", "tensor", "dtype", "shape"], &[]);
    for output in &manifest.outputs {
        let step = manifest.steps.get(output.step).map(|step| step.name.clone()).unwrap_or_default();
        let Some(entry) = manifest.tensors.get(output.tensor as usize) else { continue };
        table.add_row([
            output.name.clone(),
            step,
            entry.name.clone(),
            entry.dtype.to_string(),
            format!("{:?}", entry.shape),
        ]);
    }
    table
}

/// A table without lines, with the columns in `right` aligned to the right.
pub(crate) fn plain_table(header: &[&str], right: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.iter().copied());
    for &column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
