//! The methods of HTTP.

/// The methods of RFC 9110 and `patch` of RFC 5789, as Python frameworks spell them.
pub const METHODS: [&str; 9] = ["get", "post", "put", "patch", "delete", "head", "options", "trace", "connect"];
