//! Memory of threads that wait.
//!
//! An allocator keeps what a thread has freed for the next thing that this thread does. A server waits most of the
//! time, so that each of its threads gives this memory back when its work is done.

use std::sync::OnceLock;

static COLLECTOR: OnceLock<fn()> = OnceLock::new();

/// Sets the function by which a thread gives freed memory back to the system. The owner of the allocator calls it.
pub fn set_collector(collect: fn()) {
    COLLECTOR.set(collect).ok();
}

/// Gives the memory that this thread has freed back to the system.
pub(crate) fn give_back() {
    if let Some(collect) = COLLECTOR.get() {
        collect();
    }
}
