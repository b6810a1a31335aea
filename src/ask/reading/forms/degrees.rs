//! Conditions on the number of relationships of a definition, as questions state them: `only one caller`, `only called
//! from tests`, `no subclasses`, `modules that import nothing`, `functions that call themselves`.

use crate::{
    ask::reading::{
        filters::Filters,
        forms::patterns::{Phrase, number as read_number},
    },
    model::EntityKind,
    query::words::count,
};

/// A condition of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// Functions and classes that call it: the least number and the most.
    Callers(usize, usize),
    /// Places that call it.
    Calls(usize, usize),
    /// All its calls stand in tests, and there are some.
    CalledOnlyInTests,
    /// The same of all its uses, besides imports.
    UsedOnlyInTests,
    /// No class derives from it.
    NoSubclasses,
    /// A class that defines no method or property itself.
    NoMethods,
    /// A module without any import.
    NoImports,
    /// A test that requests no fixture.
    NoFixtures,
    /// It calls itself at once.
    Recursive,
    /// An exception that tests raise, and the program does not.
    RaisedOnlyInTests,
    /// An exception that nothing raises, or that tests alone or the program alone do not raise.
    NeverRaised(Option<bool>),
}

/// Words of these conditions. `#` is a number.
const CALLERS: &str =
    "# .. caller/callers | single caller | called by/from .. # function/functions/place/method/methods";
const CALLS: &str = "called .. # time/times | called .. once | once called | # call/calls";
const CALLED_ONLY_IN_TESTS: &str = "only/exclusively/solely .. called by/from/in .. test/tests | \
     called only/exclusively/solely by/from/in .. test/tests | called by/from/in .. test/tests only/alone/exclusively | \
     only .. test/tests .. call";
const USED_ONLY_IN_TESTS: &str = "only/exclusively/solely .. used/needed/referenced by/for/from/in .. test/tests | \
     used/needed/referenced only/exclusively/solely by/for/from/in .. test/tests | \
     used/needed/referenced by/for/from/in .. test/tests only/alone/exclusively | only .. test/tests .. use/need/reference";
const NO_SUBCLASSES: &str = "no/without/lack/lacks/zero .. subclass/subclasses/heirs/children/descendants | \
     not/never/nobody/nothing/don't/doesn't/isn't/aren't .. subclassed | nobody/nothing subclasses | not/don't/never have .. subclasses | \
     no .. class/classes derive/derives/inherit/inherits/extend/extends | nobody/nothing derives/inherits/extends | \
     leaf class/classes";
const NO_METHODS: &str = "have/has/having/with/define/defines/declare/declares no/zero methods | without methods | \
     without any/own methods | lack/lacks methods | not/don't/doesn't have/define/declare methods | \
     not/don't/doesn't have/define/declare any/own methods";
const NO_FIXTURES: &str =
    "no/without fixture/fixtures | not/don't/doesn't/never use/request/need/take/have .. fixture/fixtures";
const RECURSIVE: &str = "call/calls/calling themselves/themself/itself | recursive/recursively/recursion";
const RAISED_ONLY_IN_TESTS: &str = "raised/thrown only/exclusively/solely by/in/from .. test/tests | \
     only/exclusively/solely .. raised/thrown by/in/from .. test/tests | \
     raised/thrown by/in/from .. test/tests only/alone/exclusively/solely";
const NEVER_RAISED: &str =
    "not/never/nowhere/isn't/aren't .. raised/thrown | nobody/nothing .. raises/throws | unraised";
const NO_IMPORTS: &str = "import/imports/importing nothing | no/without .. import/imports/dependencies | \
     not/don't/doesn't/never import any/anything";

const LISTS: [(&str, Degree); 9] = [
    (CALLED_ONLY_IN_TESTS, Degree::CalledOnlyInTests),
    (USED_ONLY_IN_TESTS, Degree::UsedOnlyInTests),
    (RAISED_ONLY_IN_TESTS, Degree::RaisedOnlyInTests),
    (NO_SUBCLASSES, Degree::NoSubclasses),
    (NO_METHODS, Degree::NoMethods),
    (NO_IMPORTS, Degree::NoImports),
    (NO_FIXTURES, Degree::NoFixtures),
    (RECURSIVE, Degree::Recursive),
    (NEVER_RAISED, Degree::NeverRaised(None)),
];

impl Degree {
    /// The condition that a question states about definitions of the kind that it asks for.
    pub fn of(phrase: &Phrase, filters: &Filters) -> Option<Self> {
        let (kinds, _) = filters.noun?.meaning();
        Self::stated(phrase, filters.in_tests()).filter(|degree| kinds.iter().any(|kind| degree.fits(*kind)))
    }

    fn stated(phrase: &Phrase, in_tests: Option<bool>) -> Option<Self> {
        let stated = LISTS.iter().find(|(list, _)| phrase.place(list).is_some());
        if let Some((_, degree)) = stated {
            return Some(if let Self::NeverRaised(_) = degree { Self::NeverRaised(in_tests) } else { *degree });
        }
        let callers = phrase.place(CALLERS);
        let place = callers.or_else(|| phrase.place(CALLS))?;
        let number = phrase.words[place.0..place.1].iter().find_map(|word| read_number(word));
        let number = number.unwrap_or(1) as usize;
        // `more than`, `at least` and the like stand before the number, or between it and the verb.
        let before = phrase.words[place.0.saturating_sub(3)..place.1].join(" ");
        let has = |list: &[&str]| list.iter().any(|words| before.contains(words));
        let (least, most) = if has(&["more than", "over "]) {
            (number + 1, usize::MAX)
        } else if has(&["at least"]) {
            (number, usize::MAX)
        } else if has(&["at most", "no more than"]) {
            (0, number)
        } else if has(&["fewer than", "less than"]) {
            (0, number.saturating_sub(1))
        } else {
            (number, number)
        };
        Some(if callers.is_some() { Self::Callers(least, most) } else { Self::Calls(least, most) })
    }

    /// The words of a question that state such conditions.
    pub fn places(phrase: &Phrase) -> Vec<usize> {
        LISTS.iter().flat_map(|(list, _)| phrase.places(list)).collect()
    }

    /// Whether a question that states it is for a list: who counts callers may ask about the definition that the
    /// question names.
    pub fn asks_for_list(self, has_subject: bool) -> bool {
        match self {
            Self::Callers(..) | Self::Calls(..) => false,
            Self::CalledOnlyInTests | Self::UsedOnlyInTests => !has_subject,
            _ => true,
        }
    }

    /// Whether it says something of definitions of this kind.
    fn fits(self, kind: EntityKind) -> bool {
        match self {
            Self::Callers(..) | Self::Calls(..) | Self::CalledOnlyInTests | Self::UsedOnlyInTests => {
                kind != EntityKind::Module
            }
            Self::Recursive | Self::NoFixtures => kind.is_callable(),
            Self::NoSubclasses | Self::NoMethods | Self::RaisedOnlyInTests | Self::NeverRaised(_) => {
                kind == EntityKind::Class
            }
            Self::NoImports => kind == EntityKind::Module,
        }
    }

    /// The condition in words.
    pub fn worded(self) -> String {
        let range = |least: usize, most: usize, unit: &str| match (least, most) {
            (least, most) if least == most => format!("exactly {}", count(least, unit)),
            (least, usize::MAX) => format!("at least {}", count(least, unit)),
            (_, most) => format!("at most {}", count(most, unit)),
        };
        match self {
            Self::Callers(least, most) => range(least, most, "caller"),
            Self::Calls(least, most) => range(least, most, "call"),
            Self::CalledOnlyInTests => "called, and only in tests".to_owned(),
            Self::UsedOnlyInTests => "used, and only in tests".to_owned(),
            Self::NoSubclasses => "without subclasses".to_owned(),
            Self::NoMethods => "without methods of their own".to_owned(),
            Self::NoImports => "without imports".to_owned(),
            Self::NoFixtures => "that request no fixture".to_owned(),
            Self::Recursive => "that call themselves".to_owned(),
            Self::RaisedOnlyInTests => "raised in tests alone".to_owned(),
            Self::NeverRaised(None) => "never raised by name".to_owned(),
            Self::NeverRaised(Some(true)) => "never raised by name in tests".to_owned(),
            Self::NeverRaised(Some(false)) => "never raised by name outside of tests".to_owned(),
        }
    }

    /// A remark on what the condition does not look at.
    pub fn limit(self) -> Option<&'static str> {
        Some(match self {
            Self::NoFixtures => "fixtures with `autouse` are not counted",
            Self::Recursive => "chains over other functions are not followed",
            Self::UsedOnlyInTests => "imports do not count as uses, nor do names in texts",
            Self::RaisedOnlyInTests | Self::NeverRaised(_) => "only a `raise` that names the class counts",
            _ => return None,
        })
    }

    /// Whether `in tests` says where it holds, and not which definitions are meant.
    pub fn takes_place(self) -> bool {
        matches!(self, Self::CalledOnlyInTests | Self::UsedOnlyInTests | Self::RaisedOnlyInTests | Self::NeverRaised(_))
    }

    /// Whether calls that are not resolved could change the answer.
    pub fn depends_on_calls(self) -> bool {
        matches!(self, Self::Callers(..) | Self::Calls(..) | Self::CalledOnlyInTests | Self::Recursive)
    }
}
