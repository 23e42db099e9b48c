//! What a trace says of the program and the machine that made it.

use super::CarveError;
use chrono::{DateTime, SecondsFormat, Utc};
use taproot_engine::tensor::DType;
use taproot_engine::trace::Producer;

/// The date is the one of `SOURCE_DATE_EPOCH` where that is set, so that the same run can be carved to the same bytes.
pub(super) fn describe() -> Result<Producer, CarveError> {
    Ok(Producer {
        tool: "taproot".to_owned(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        framework: "taproot cpu f32".to_owned(),
        device: device(),
        driver: None,
        dtype: DType::F32,
        date: date()?.to_rfc3339_opts(SecondsFormat::Secs, true),
    })
}

fn date() -> Result<DateTime<Utc>, CarveError> {
    let Ok(epoch) = std::env::var("SOURCE_DATE_EPOCH") else { return Ok(Utc::now()) };
    let seconds = epoch.parse().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    seconds.ok_or(CarveError::SourceDate(epoch))
}

/// The processor's name where the system tells it, and its architecture.
fn device() -> String {
    let architecture = std::env::consts::ARCH;
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    match model {
        Some((_, name)) => format!("{} ({architecture})", name.trim()),
        None => format!("CPU ({architecture})"),
    }
}
