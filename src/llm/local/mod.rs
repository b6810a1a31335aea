//! Language models of one file (GGUF), run in this process. Nothing leaves the machine, nothing is downloaded.
//!
//! Goes in: a prompt. Comes out: events, as a server would send them. Without the feature `candle` there is no answer, and
//! the reason is said.

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
