//! Marks: the ways in which a result depends on the call.
//!
//! A mark stands in the points-to set of a function, class or property ([`super::Value::DependsOnCall`]), beside the
//! values that it returns or holds. In the index a mark takes 24 bits: 14 of them mostly hold the number of a lambda,
//! the lower ten say which mark it is:
//!
//! | lower ten bits | mark |
//! |---|---|
//! | `000`–`2ff` | [`Mark::Condition`] on a parameter |
//! | `300`–`377` | [`Mark::Passed`]: `40` says "in a list", then three bits for the way, three for the parameter |
//! | `380`–`39f` | [`Mark::ClassParameter`]: `10` for "nothing else", two bits for the form, two for the position |
//! | `3a0`–`3a3` | [`Mark::Made`], [`Mark::OwnArguments`], [`Mark::Wrapped`], [`Mark::OnlyPassed`] |
//! | `3f9`, `3fa` | [`Mark::Condition`] on a keyword |
//! | `3fb`, `3fd`–`3ff` | [`Mark::ByReceiver`], [`Mark::Property`], [`Mark::Generic`], [`Mark::HandsOn`] |

use crate::resolve::values::condition::Condition;

/// A dependency of a result on the call, the object or the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// A function returns something only under this condition.
    Condition { lambda: u32, condition: Condition },
    /// A function returns the type argument that it infers from an argument: `def first(items: list[T]) -> T`.
    Passed { lambda: u32, from: PassedIn, is_listed: bool },
    /// A method returns, or an attribute holds, a type argument of the object: `-> T` in `class Box[T]`.
    ClassParameter(ClassParameter),
    /// In `__init__`: an argument determines the type argument of the object at this position.
    Made { from: PassedIn, position: u8 },
    /// All type arguments of the object: `-> Box[T]` in `class Box[T]`.
    OwnArguments,
    /// A function returns an object of a generic class; an argument determines its type argument: `def wrap(item: T) ->
    /// Box[T]`.
    Wrapped { from: PassedIn, position: u8 },
    /// The function returns nothing but the argument of its type variable.
    OnlyPassed { lambda: u32 },
    /// The values beside it depend on the class of the object.
    ByReceiver,
    /// The function is the getter of a property.
    Property { lambda: u32 },
    /// The function is generic (`functools.singledispatch`).
    Generic,
    /// A wrapper returns the result of the function that it wraps.
    HandsOn { lambda: u32 },
}

/// A type parameter of a class, as it stands in a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassParameter {
    pub(crate) position: u8,
    pub(crate) given: Given,
    /// Whether the declared type is this parameter alone: `-> T`, not `-> T | Item`.
    pub(crate) is_whole: bool,
}

/// The form in which a type argument stands in a declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Given {
    /// `T`
    One = 0,
    /// `list[T]`
    List = 1,
    /// `dict[str, T]`
    Dict = 2,
    /// `type[T]`
    Class = 3,
}

/// The parameter whose argument determines a type variable, and the way from the one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassedIn {
    pub(crate) way: Way,
    /// Below [`PassedIn::PARAMETERS`].
    pub(crate) parameter: u8,
}

/// The way from an argument to the type that a type variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// `x: T`
    Itself = 0,
    /// `items: Iterable[T]`
    Element = 1,
    /// `table: dict[str, T]`
    Held = 2,
    /// `cls: type[T]`
    Made = 3,
    /// `work: Callable[[], T]`
    Returned = 4,
    /// `box: Box[T]`
    Applied = 5,
    /// `pair: Pair[K, T]`
    AppliedSecond = 6,
}

const PASSED: u32 = 0x300;

const LISTED: u32 = 0x40;

const ARGUMENT: u32 = 0x380;

const WHOLE: u32 = 0x10;

const MADE: u32 = 0x3a0;

const OWN: u32 = 0x3a1;

const WRAPPED: u32 = 0x3a2;

const ONLY_PASSED: u32 = 0x3a3;

const BY_RECEIVER: u32 = 0x3fb;

const PROPERTY: u32 = 0x3fd;

const GENERIC: u32 = 0x3fe;

const HANDS_ON: u32 = 0x3ff;

impl Mark {
    /// The two numbers of the code: 14 bits in the place of a lambda's number, and the ten bits below them.
    pub(crate) fn encode(self) -> (u32, u32) {
        match self {
            Mark::Condition { lambda, condition } => condition.encode(lambda),
            Mark::Passed { lambda, from, is_listed } => {
                (lambda, PASSED | if is_listed { LISTED } else { 0 } | from.encode())
            }
            Mark::ClassParameter(argument) => (0, argument.encode()),
            Mark::Made { from, position } => (from.encode() << 2 | u32::from(position), MADE),
            Mark::OwnArguments => (0, OWN),
            Mark::Wrapped { from, position } => (from.encode() << 2 | u32::from(position), WRAPPED),
            Mark::OnlyPassed { lambda } => (lambda, ONLY_PASSED),
            Mark::ByReceiver => (0, BY_RECEIVER),
            Mark::Property { lambda } => (lambda, PROPERTY),
            Mark::Generic => (0, GENERIC),
            Mark::HandsOn { lambda } => (lambda, HANDS_ON),
        }
    }

    /// The mark that [`Mark::encode`] gave; none for other codes.
    pub(crate) fn decode(lambda: u32, index: u32) -> Option<Mark> {
        Some(match index {
            PASSED..ARGUMENT => {
                Mark::Passed { lambda, from: PassedIn::decode(index & PassedIn::MASK)?, is_listed: index & LISTED != 0 }
            }
            ARGUMENT..MADE => Mark::ClassParameter(ClassParameter::decode(index)),
            MADE => Mark::Made { from: PassedIn::decode(lambda >> 2)?, position: two_bits(lambda) },
            OWN => Mark::OwnArguments,
            WRAPPED => Mark::Wrapped { from: PassedIn::decode(lambda >> 2)?, position: two_bits(lambda) },
            ONLY_PASSED => Mark::OnlyPassed { lambda },
            BY_RECEIVER => Mark::ByReceiver,
            PROPERTY => Mark::Property { lambda },
            GENERIC => Mark::Generic,
            HANDS_ON => Mark::HandsOn { lambda },
            _ => {
                let (lambda, condition) = Condition::decode(lambda, index)?;
                Mark::Condition { lambda, condition }
            }
        })
    }
}

impl ClassParameter {
    fn encode(self) -> u32 {
        ARGUMENT | if self.is_whole { WHOLE } else { 0 } | (self.given as u32) << 2 | u32::from(self.position)
    }

    fn decode(index: u32) -> Self {
        let given = match index >> 2 & 3 {
            0 => Given::One,
            1 => Given::List,
            2 => Given::Dict,
            _ => Given::Class,
        };
        ClassParameter { position: two_bits(index), given, is_whole: index & WHOLE != 0 }
    }
}

impl PassedIn {
    /// Number of parameters of a function that are looked at.
    pub(crate) const PARAMETERS: u8 = 8;
    /// The bits that [`PassedIn::encode`] takes.
    const MASK: u32 = 0x3f;

    fn encode(self) -> u32 {
        (self.way as u32) << 3 | u32::from(self.parameter)
    }

    fn decode(code: u32) -> Option<Self> {
        let way = match code >> 3 {
            0 => Way::Itself,
            1 => Way::Element,
            2 => Way::Held,
            3 => Way::Made,
            4 => Way::Returned,
            5 => Way::Applied,
            6 => Way::AppliedSecond,
            _ => return None,
        };
        Some(PassedIn { way, parameter: (code & 7) as u8 })
    }
}

fn two_bits(code: u32) -> u8 {
    (code & 3) as u8
}
