//! Models of the BERT family, run in this process. The only user of candle in this module.
//!
//! Goes in: a folder of a model. Comes out: an embedder, or why there is none; without the feature `candle` always the
//! latter.

#[cfg(feature = "candle")]
mod bert;
#[cfg(not(feature = "candle"))]
mod disabled;
#[cfg(feature = "candle")]
mod enabled;

#[cfg(not(feature = "candle"))]
pub use disabled::{Local, open};
#[cfg(feature = "candle")]
pub use enabled::{Local, open};
