//! Occurrences that could not be resolved, and why.

use serde::{Deserialize, Serialize};

use super::{CallShape, EntityId};

/// An occurrence that could not be resolved, with the known facts about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unresolved {
    /// The last part: the attribute or the name that could not be bound.
    pub name: String,
    /// Enclosing entity.
    pub source: EntityId,
    pub line: u32,
    pub column: u32,
    /// Number of positional arguments when it is called, without a starred one.
    pub call: Option<CallShape>,
    /// The receiver as written when it is a plain name (`request` in `request.get`), else empty.
    pub receiver: String,
    /// Why it could not be resolved.
    pub reason: UnresolvedReason,
    /// The result of the call is awaited.
    pub is_awaited: bool,
}

impl Unresolved {
    /// The name of a request, where it is not known which view it runs.
    pub const REQUEST: &str = "<request>";
}

/// Why an occurrence stays unresolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnresolvedReason {
    /// A plain name that no scope, import or builtin binds.
    UnboundName,
    /// An attribute of something whose type is not known.
    UnknownReceiver,
    /// The receiver's type is known, but has no such member.
    MissingMember,
    /// An import of the repository's own code that leads nowhere.
    MissingModule,
    /// `getattr(x, name)` and the like with a name that is not written out.
    DynamicName,
    /// An attribute of something that can be more than is told apart.
    TooManyValues,
    /// An attribute of a module that is loaded by a text which is not wholly known.
    UnknownModule,
}

impl UnresolvedReason {
    /// Whether the occurrence is an attribute of something.
    pub fn is_of_attribute(self) -> bool {
        matches!(self, Self::UnknownReceiver | Self::MissingMember | Self::TooManyValues | Self::UnknownModule)
    }
}
