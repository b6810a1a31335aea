//! Uses that code outside the repository makes of it, and values that leave it.

pub(crate) mod escaping_values;
pub(crate) mod library_callers;
