//! Language models in a GGUF file, run in this process.
//!
//! Nothing leaves the machine, and nothing is downloaded. Without the feature `candle` every call fails with a reason.

#[cfg(not(feature = "candle"))]
mod disabled;
#[cfg(feature = "candle")]
mod enabled;
#[cfg(feature = "candle")]
mod llama;

#[cfg(not(feature = "candle"))]
pub(super) use disabled::{counter, counter_of_file, run};
#[cfg(feature = "candle")]
pub(super) use enabled::{counter, counter_of_file, run};
