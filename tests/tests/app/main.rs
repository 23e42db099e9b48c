//! The built app in real browsers: what a person does, step by step, and what the page shows then.

mod appearance;
mod bad_input;
mod case;
mod links;
mod no_webgpu;
mod opening;
mod replay;
mod slider;
mod vocabulary;
mod wrong_kernel;
