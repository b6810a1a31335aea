//! How many definitions of each sort there are.

use serde::Serialize;

/// Definitions as they stand in the source, each `class` and `def` once: methods include properties and their setters,
/// and each overload counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DefinitionCounts {
    pub classes: u64,
    /// Classes that a call makes, such as a named tuple; not among the classes above, and with no other number.
    pub made_classes: u64,
    /// Of the classes, those inside a class or a function.
    pub nested_classes: u64,
    /// Functions of a module.
    pub functions: u64,
    /// Functions of a class.
    pub methods: u64,
    /// Of the methods, those that a decorator makes a property.
    pub properties: u64,
    /// Of the methods, those that set or delete a property.
    pub setters: u64,
    /// Functions inside a function.
    pub nested_functions: u64,
    /// Of all functions and methods, those of `async def`.
    pub async_functions: u64,
    /// Of all functions and methods, those with a decorator.
    pub decorated_functions: u64,
    pub decorated_classes: u64,
    /// Of all functions and methods, those that declare an overload.
    pub overloads: u64,
}
