//! Models of the BERT family, run in this process; only this module uses candle for embeddings.
//!
//! Without the feature `candle` opening a model is always an error.

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
