//! `docs/operators.md`.

use super::graphs::{Place, Used, place, used};
use super::results::{Count, Results};
use super::rows;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use taproot_engine::graph::signatures::Family;
use taproot_engine::operators::{KERNELS, VIEWS};

/// The whole document, with a column for each of `results`.
pub fn document(results: &[Results]) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = head(&mut text, results);
    let _ = operators(&mut text, results);
    let _ = graphs(&mut text);
    text
}

fn head(text: &mut String, results: &[Results]) -> std::fmt::Result {
    writeln!(text, "# Operators\n")?;
    writeln!(
        text,
        "This file is written by `cargo run -p taproot -- operators --markdown docs/operators`; a test fails when it is \
         stale. A trace spells operators as below: PyTorch's ATen names without overload, with PyTorch's argument names \
         and defaults. {} operators compute, each with an f64 oracle and a WebGPU kernel; {} more are views, which only \
         change strides.\n",
        KERNELS.len(),
        VIEWS.len()
    )?;
    writeln!(
        text,
        "A cell has the dtypes that were tried on a platform (of the operator's first tensor, or of its result), and \
         the number of cases of `tests/vectors` that pass: their expected values are PyTorch's in f64, and the rule is \
         the verdict's. `16/20` means that the other 4 are refused with a reason, never computed wrong; ✕ marks cases \
         that fail. The oracle is held to the same cases, to 1e-12 relative, before any column is made.\n"
    )?;
    if results.is_empty() {
        writeln!(text, "No results were given.\n")?;
    }
    Ok(())
}

fn operators(text: &mut String, results: &[Results]) -> std::fmt::Result {
    for family in rows().chunk_by(|a, b| a.family == b.family) {
        let Some(first) = family.first() else { continue };
        // Views compute nothing that a platform could get wrong.
        let columns = if first.family == Family::View { &[] } else { results };
        writeln!(text, "## {}\n", title(first.family))?;
        write!(text, "| operator | arguments |")?;
        columns.iter().try_for_each(|column| write!(text, " {} |", column.platform))?;
        writeln!(text, "\n|---|---|{}", "---|".repeat(columns.len()))?;
        for row in family {
            write!(text, "| `{}` | {} |", row.name, row.params.join(", "))?;
            for column in columns {
                write!(text, " {} |", column.operators.get(row.name).map_or_else(|| "not tried".to_owned(), cell))?;
            }
            writeln!(text)?;
        }
        writeln!(text)?;
    }
    Ok(())
}

fn title(family: Family) -> &'static str {
    match family {
        Family::Elementwise => "Elementwise",
        Family::View => "Views",
        Family::Creation => "Creation",
        Family::Movement => "Movement",
        Family::Gather => "Look-ups by index",
        Family::Reduction => "Reductions",
        Family::Matmul => "Matrix products",
        Family::Norm => "Softmax and norms",
        Family::Attention => "Attention",
        Family::Convolution => "Convolutions",
        Family::Pooling => "Pooling",
        Family::Resampling => "Resampling",
    }
}

/// `f32 12, f16 3/4`.
fn cell(counts: &BTreeMap<String, Count>) -> String {
    let parts = counts.iter().map(|(dtype, count)| {
        let total = count.passed + count.refused + count.failed;
        let of = if total == count.passed { String::new() } else { format!("/{total}") };
        let failed = if count.failed > 0 { format!(" ({} ✕)", count.failed) } else { String::new() };
        format!("{dtype} {}{of}{failed}", count.passed)
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn graphs(text: &mut String) -> std::fmt::Result {
    let all: Vec<(Used, Place)> = used().map(|used| (place(used.name), used)).map(|(at, used)| (used, at)).collect();
    let of = |test: fn(&Place) -> bool| all.iter().filter(move |(_, place)| test(place));
    let missing = of(|place| *place == Place::Missing).count();
    let removed = of(|place| matches!(place, Place::Removed(_))).count();
    writeln!(text, "## In exported graphs\n")?;
    writeln!(
        text,
        "The graphs of 48 architectures (transformers 5.17, torch 2.11, a tiny instance of each exported with \
         `torch.export`) hold {} operators, overloads and in-place forms counted apart, as exported or decomposed to \
         core ATen. {} of them are in this vocabulary, {removed} are in no trace, and {missing} are missing.\n",
        all.len(),
        all.len() - removed - missing,
    )?;
    writeln!(text, "| operator | architectures, exported | decomposed | in a trace |\n|---|--:|--:|---|")?;
    for (used, place) in &all {
        let spelled = match place {
            Place::Recorded(name) => format!("`{name}`"),
            Place::Removed(reason) => format!("nothing: {reason}"),
            Place::Missing => "**missing**".to_owned(),
        };
        writeln!(text, "| `{}` | {} | {} | {spelled} |", used.name, used.whole, used.core)?;
    }
    Ok(())
}
