//! Sites: the number of a container inside its entity. It follows from the place that makes the container, or from its
//! declared contents.
//!
//! In the index a site takes 24 bits, of which the lowest mostly says "is a dict". The upper ones say how it is known:
//!
//! | codes | site |
//! |---|---|
//! | `000000`–`1fffff` | [`Site::Written`] |
//! | `0ffffe`–`0fffff`; `1ffffc`, `1ffffe` of these | [`Site::OfInstances`]; [`Site::Tests`], [`Site::Request`] |
//! | `200000`–`3fffff` | [`Site::Starred`] |
//! | `400000`–`7fffff` | [`Site::View`] of one of these |
//! | `800000`–`9fffff` | [`Site::Made`] |
//! | `a00000`–`bfffff` | [`Site::Giver`] |
//! | `c00000`–`dfffff` | [`Site::ViewOfMade`] |
//! | `e00000`–`efffff` | [`Site::Gathered`] |
//! | `f00000`–`feffff` | [`Site::Passed`] |
//! | `ff0000`–`ffffff` | [`Site::Declared`]; with `100` [`Site::DeclaredKeys`] |

/// The origin of a container of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    /// A literal or comprehension, by its number.
    Written { number: u32, is_dict: bool },
    /// The contents of all instances of a class that derives from a container of the library.
    OfInstances { is_dict: bool },
    /// The `request` of a fixture.
    Request,
    /// The tests of a fixture.
    Tests,
    /// The list that a star takes, by its line.
    Starred { line: u16 },
    /// The elements of one of the above as a list, in an order that is not followed. Holds the code of that one.
    View(u32),
    /// Made by a call, or by an annotation; by 20 bits of a hash of the place.
    Made { hash: u32, is_dict: bool },
    /// The elements of such a container as a list.
    ViewOfMade { hash: u32 },
    /// Gives its contents when it is called (a weak reference, a declared callable) or entered (a declared manager).
    Giver { hash: u32, is_entered: bool },
    /// The arguments that a function gathers by `*args` or `**kwargs`, by the index of the parameter.
    Gathered { index: u32, is_dict: bool },
    /// Stands for all lists and tuples that callers pass for a parameter, by its index.
    Passed { index: u32 },
    /// Declared to hold instances of the class, or containers of them: `list[Item]` is nested once.
    Declared { nesting: u8, is_dict: bool },
    /// A dict whose keys are declared to be instances of the class: `dict[Item, int]`.
    DeclaredKeys,
}

/// Tells apart several containers that are made at one place. It is part of the hash of [`Site::Made`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SitePart {
    /// The result of the call.
    Whole = 0,
    /// The container inside it: the pairs of `zip`.
    Inner = 1,
    /// A slice, or a container around the inner one.
    Other = 2,
    /// A declared tuple.
    Tuple = 3,
    /// A key of a dict with its value.
    Pair = 4,
    /// Declared by an annotation, or a row of a query.
    Declared = 5,
}

impl SitePart {
    pub(crate) const fn encode(self) -> u32 {
        self as u32
    }
}

const OF_INSTANCES: u32 = 0x0f_fffe;

const TESTS: u32 = 0x1f_fffc;

const REQUEST: u32 = 0x1f_fffe;

const STARRED: u32 = 0x20_0000;

const VIEW: u32 = 0x40_0000;

const MADE: u32 = 0x80_0000;

const GIVER: u32 = 0xa0_0000;

const VIEW_OF_MADE: u32 = 0xc0_0000;

const GATHERED: u32 = 0xe0_0000;

const PASSED: u32 = 0xf0_0000;

const DECLARED: u32 = 0xff_0000;

const KEYED: u32 = 0x100;

/// The part of the code above [`DECLARED`] of a dict that is declared by its keys: nested once, and a dict.
const DECLARED_KEYS: u32 = DECLARED | KEYED | 1 << 1 | 1;

impl Site {
    /// The bits of [`Site::Made`]'s hash.
    pub(crate) const HASH_BITS: u32 = 20;
    /// The bits of [`Site::Declared`]'s nesting.
    pub(crate) const NESTING: u8 = 0x7f;

    /// The 24 bits that stand for the site in the index and in the keys of questions.
    pub(crate) const fn encode(self) -> u32 {
        match self {
            Site::Written { number, is_dict } => number << 1 | is_dict as u32,
            Site::OfInstances { is_dict } => OF_INSTANCES | is_dict as u32,
            Site::Request => REQUEST,
            Site::Tests => TESTS,
            Site::Starred { line } => STARRED | (line as u32) << 1,
            Site::View(code) => VIEW | code,
            Site::Made { hash, is_dict } => MADE | hash << 1 | is_dict as u32,
            Site::ViewOfMade { hash } => VIEW_OF_MADE | hash << 1,
            Site::Giver { hash, is_entered } => GIVER | hash << 1 | is_entered as u32,
            Site::Gathered { index, is_dict } => GATHERED | index << 1 | is_dict as u32,
            Site::Passed { index } => PASSED | index << 1,
            Site::Declared { nesting, is_dict } => DECLARED | (nesting as u32) << 1 | is_dict as u32,
            Site::DeclaredKeys => DECLARED_KEYS,
        }
    }

    /// The site that [`Site::encode`] gave.
    #[expect(clippy::cast_possible_truncation, reason = "takes the number apart")]
    pub(crate) const fn decode(code: u32) -> Site {
        let (number, is_odd) = ((code & 0x1f_ffff) >> 1, code & 1 == 1);
        match code >> 21 & 7 {
            0 => match code {
                REQUEST => Site::Request,
                TESTS => Site::Tests,
                _ if code & !1 == OF_INSTANCES => Site::OfInstances { is_dict: is_odd },
                _ => Site::Written { number, is_dict: is_odd },
            },
            1 => Site::Starred { line: number as u16 },
            2 | 3 => Site::View(code & (VIEW - 1) & !1),
            4 => Site::Made { hash: number, is_dict: is_odd },
            5 => Site::Giver { hash: number, is_entered: is_odd },
            6 => Site::ViewOfMade { hash: number },
            _ if code & PASSED != PASSED => Site::Gathered { index: number, is_dict: is_odd },
            _ if code & DECLARED != DECLARED => Site::Passed { index: (code & !PASSED) >> 1 },
            _ if code & KEYED != 0 => Site::DeclaredKeys,
            _ => Site::Declared { nesting: number as u8 & Self::NESTING, is_dict: is_odd },
        }
    }

    /// The same elements as a list, in an order that is not followed.
    ///
    /// A view has the code of its container with one more bit. A gathered container has that bit already and is its own
    /// view. So is a [`Site::Giver`], which has no elements; with the bit its code would be that of another site.
    pub(crate) const fn view(self) -> Site {
        match self {
            Site::Giver { .. } => self,
            _ => Site::decode(self.encode() & !1 | VIEW),
        }
    }

    /// Whether its elements, or keys, are known by their class alone.
    pub(crate) const fn is_declared(self) -> bool {
        matches!(self, Site::Declared { .. } | Site::DeclaredKeys)
    }

    /// Whether it has keys.
    pub(crate) const fn is_dict(self) -> bool {
        match self {
            Site::Written { is_dict, .. }
            | Site::OfInstances { is_dict }
            | Site::Made { is_dict, .. }
            | Site::Gathered { is_dict, .. }
            | Site::Declared { is_dict, .. } => is_dict,
            Site::DeclaredKeys => true,
            // The lowest bit of a giver's code says whether `with` opens it.
            Site::Giver { .. }
            | Site::Passed { .. }
            | Site::Request
            | Site::Tests
            | Site::Starred { .. }
            | Site::View(_)
            | Site::ViewOfMade { .. } => false,
        }
    }

    /// Whether its elements lie where they were written, or anywhere.
    pub(crate) const fn is_in_order(self) -> bool {
        match self {
            Site::Written { .. } | Site::OfInstances { .. } | Site::Request | Site::Tests | Site::Made { .. } => true,
            Site::Starred { .. }
            | Site::View(_)
            | Site::ViewOfMade { .. }
            | Site::Giver { .. }
            | Site::Gathered { .. }
            | Site::Passed { .. }
            | Site::Declared { .. }
            | Site::DeclaredKeys => false,
        }
    }
}
