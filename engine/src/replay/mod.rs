//! Replay: run a trace's cases on WebGPU and judge them; run a plan and see how errors are passed on.

mod case;
mod filter;
mod graph_walk;
mod plan;
mod replayer;

pub use case::{CaseResult, CaseTensors};
pub use filter::{Filter, FilterError};
pub use plan::{LayerError, OutputError, Plan, PlanError, PlanProgress, PlanResult};
pub use replayer::Replayer;
