//! The codes of marks, sites and slots, as they stand in indexes that were built before.

use crate::{
    facts::names::mix,
    model::EntityId,
    resolve::values::{
        TextRole, Value,
        condition::Condition,
        mark::{ClassParameter, Given, Mark, PassedIn, Way},
        site::{Site, SitePart},
        slot::{Slot, Unnamed},
    },
};

/// The code of a mark: the number in the lambda's place, then ten bits.
fn mark_code(mark: Mark) -> u32 {
    let (lambda, index) = mark.encode();
    lambda << 10 | index
}

fn condition(condition: Condition) -> Mark {
    Mark::Condition { lambda: 5, condition }
}

/// Only functions have conditions on keywords.
fn of_keyword(condition: Condition) -> Mark {
    Mark::Condition { lambda: 0, condition }
}

const ELEMENT_OF_THIRD: PassedIn = PassedIn { way: Way::Element, parameter: 2 };

#[test]
fn marks_have_the_codes_that_they_always_had() {
    let argument = ClassParameter { position: 2, given: Given::Class, is_whole: false };
    let codes = [
        (condition(Condition::IsNone(3)), 5 << 10 | 3),
        (condition(Condition::IsTrue(3)), 5 << 10 | 0x200 | 3),
        (of_keyword(Condition::KeywordIsGiven(0x1234)), 0x1234 << 10 | 0x3f9),
        (of_keyword(Condition::KeywordIsTrue(0x1234)), 0x1234 << 10 | 0x3fa),
        (Mark::Passed { lambda: 5, from: ELEMENT_OF_THIRD, is_listed: false }, 5 << 10 | 0x300 | 1 << 3 | 2),
        (Mark::Passed { lambda: 5, from: ELEMENT_OF_THIRD, is_listed: true }, 5 << 10 | 0x340 | 1 << 3 | 2),
        (Mark::ClassParameter(argument), 0x380 | 3 << 2 | 2),
        (Mark::ClassParameter(ClassParameter { is_whole: true, ..argument }), 0x380 | 0x10 | 3 << 2 | 2),
        (Mark::Made { from: ELEMENT_OF_THIRD, position: 3 }, (1 << 5 | 2 << 2 | 3) << 10 | 0x3a0),
        (Mark::OwnArguments, 0x3a1),
        (Mark::Wrapped { from: ELEMENT_OF_THIRD, position: 3 }, (1 << 5 | 2 << 2 | 3) << 10 | 0x3a2),
        (Mark::OnlyPassed { lambda: 5 }, 5 << 10 | 0x3a3),
        (Mark::ByReceiver, 0x3fb),
        (Mark::Property { lambda: 5 }, 5 << 10 | 0x3fd),
        (Mark::Generic, 0x3fe),
        (Mark::HandsOn { lambda: 5 }, 5 << 10 | 0x3ff),
    ];
    for (mark, code) in codes {
        assert_eq!(mark_code(mark), code, "{mark:?}");
        let value = Value::DependsOnCall(EntityId(7), mark);
        assert_eq!(value.encode(), u64::from(code) << 36 | 8 << 4);
        assert_eq!(Value::decode(value.encode()), value);
    }
}

/// The kind of a mark without its contents. Each kind has its own range of codes.
fn kind_of_mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Condition { condition, .. } => match condition {
            Condition::IsNone(_) => "none",
            Condition::IsTrue(_) => "true",
            Condition::KeywordIsTrue(_) => "keyword",
            Condition::KeywordIsGiven(_) => "keyword given",
        },
        Mark::Passed { .. } => "passed",
        Mark::ClassParameter(_) => "argument",
        Mark::Made { .. } => "made",
        Mark::OwnArguments => "own",
        Mark::Wrapped { .. } => "wrapped",
        Mark::OnlyPassed { .. } => "only passed",
        Mark::ByReceiver => "by receiver",
        Mark::Property { .. } => "property",
        Mark::Generic => "generic",
        Mark::HandsOn { .. } => "hands on",
    }
}

/// Runs of equal names over all codes, each with where it begins.
fn ranges(codes: impl Iterator<Item = (u32, &'static str)>) -> Vec<(u32, &'static str)> {
    let mut ranges: Vec<(u32, &'static str)> = codes.collect();
    ranges.dedup_by_key(|(_, kind)| *kind);
    ranges
}

#[test]
fn every_code_is_of_one_mark_at_most_and_the_ranges_are_disjoint() {
    for lambda in [0, 1, 5, 0x37, 0x3fff] {
        for index in 0..0x400 {
            let Some(mark) = Mark::decode(lambda, index) else { continue };
            let (number, code) = mark.encode();
            assert_eq!(code, index);
            // Some marks have no lambda; they always have 0 in its place.
            assert!(number == lambda || Mark::decode(number, code) == Some(mark), "{mark:?}");
        }
    }
    let kinds = (0..0x400).map(|index| (index, Mark::decode(0, index).map_or("free", kind_of_mark)));
    assert_eq!(
        ranges(kinds),
        [
            (0, "none"),
            (0x100, "free"),
            (0x200, "true"),
            (0x300, "passed"),
            (0x338, "free"),
            (0x340, "passed"),
            (0x378, "free"),
            (0x380, "argument"),
            (0x3a0, "made"),
            (0x3a1, "own"),
            (0x3a2, "wrapped"),
            (0x3a3, "only passed"),
            (0x3a4, "free"),
            (0x3f9, "keyword given"),
            (0x3fa, "keyword"),
            (0x3fb, "by receiver"),
            (0x3fc, "free"),
            (0x3fd, "property"),
            (0x3fe, "generic"),
            (0x3ff, "hands on"),
        ]
    );
}

#[test]
fn texts_that_are_passed_stand_beside_instances_of_what_is_passed() {
    for (role, lambda) in [(TextRole::Itself, 0x3ffe), (TextRole::Referent, 0x3fff)] {
        let text = Value::OfPassedText(EntityId(7), role, 2);
        assert_eq!(text.encode(), Value::InstanceOfParameter(EntityId(7), lambda, 2).encode());
        assert_eq!(Value::decode(text.encode()), text);
    }
    for lambda in 0..0x3ffe {
        let instance = Value::InstanceOfParameter(EntityId(7), lambda, 2);
        assert_eq!(Value::decode(instance.encode()), instance);
    }
}

#[test]
fn sites_have_the_codes_that_they_always_had() {
    let codes = [
        (Site::Written { number: 3, is_dict: false }, 3 << 1),
        (Site::Written { number: 3, is_dict: true }, 3 << 1 | 1),
        (Site::OfInstances { is_dict: false }, 0x0f_fffe),
        (Site::OfInstances { is_dict: true }, 0x0f_ffff),
        (Site::Request, 0x1f_fffe),
        (Site::Tests, 0x1f_fffc),
        (Site::Starred { line: 0xffff }, 0x20_0000 | 0xffff << 1),
        (Site::Written { number: 3, is_dict: true }.view(), 0x40_0000 | 3 << 1),
        (Site::Starred { line: 3 }.view(), 0x60_0000 | 3 << 1),
        (Site::Made { hash: 0xf_ffff, is_dict: true }, 0x80_0000 | 0xf_ffff << 1 | 1),
        (Site::Made { hash: 3, is_dict: true }.view(), 0xc0_0000 | 3 << 1),
        (Site::Giver { hash: 3, is_entered: false }, 0x80_0000 | 0x20_0000 | 3 << 1),
        (Site::Giver { hash: 3, is_entered: true }, 0x80_0000 | 0x20_0000 | 3 << 1 | 1),
        (Site::Gathered { index: 3, is_dict: true }, (0x70_0000 | 3) << 1 | 1),
        (Site::Gathered { index: 3, is_dict: true }.view(), (0x70_0000 | 3) << 1),
        (Site::Passed { index: 3 }, 0xf0_0000 | 3 << 1),
        (Site::Declared { nesting: 1, is_dict: true }, 0xff_0000 | 1 << 1 | 1),
        (Site::Declared { nesting: 0x7f, is_dict: false }, 0xff_0000 | 0x7f << 1),
        (Site::DeclaredKeys, 0xff_0000 | 0x100 | 1 << 1 | 1),
    ];
    for (site, code) in codes {
        assert_eq!(site.encode(), code, "{site:?}");
        let value = Value::Container(EntityId(7), site);
        assert_eq!(value.encode(), u64::from(code) << 36 | 7 << 4 | 0xb);
        assert_eq!(Value::decode(value.encode()), value);
    }
}

#[test]
fn every_code_is_of_one_site_and_the_ranges_are_disjoint() {
    let kind = |site: Site| match site {
        Site::Written { .. } => "written",
        Site::OfInstances { .. } => "of instances",
        Site::Request => "request",
        Site::Tests => "tests",
        Site::Starred { .. } => "starred",
        Site::View(_) => "view",
        Site::Made { .. } => "made",
        Site::ViewOfMade { .. } => "view of made",
        Site::Giver { .. } => "giver",
        Site::Gathered { .. } => "gathered",
        Site::Passed { .. } => "passed",
        Site::Declared { .. } => "declared",
        Site::DeclaredKeys => "declared keys",
    };
    let codes = 0..0x100_0000;
    for code in codes.clone() {
        let site = Site::decode(code);
        assert_eq!(Site::decode(site.encode()), site);
        // Old indexes hold the answers that these bits gave.
        assert_eq!(site.is_declared(), code & 0xff_0000 == 0xff_0000);
        assert_eq!(site.is_in_order(), code < 0x20_0000 || code & 0xe0_0000 == 0x80_0000);
        let is_made = code & 0xc0_0000 == 0x80_0000;
        assert_eq!(matches!(site, Site::Made { .. } | Site::Giver { .. }), is_made);
        let is_giver = matches!(site, Site::Giver { .. });
        if site.encode() == code {
            assert_eq!(site.is_dict(), code & 1 == 1 && !is_giver);
        }
        if is_giver {
            assert_eq!(site.view(), site);
        }
    }
    let kinds = codes.map(|code| (code, kind(Site::decode(code))));
    let declared = ranges(kinds.clone().skip_while(|&(code, _)| code < 0xff_0000));
    assert_eq!(declared[..3], [(0xff_0000, "declared"), (0xff_0100, "declared keys"), (0xff_0200, "declared")]);
    assert_eq!(
        ranges(kinds.take_while(|&(code, _)| code < 0xff_0000)),
        [
            (0, "written"),
            (0x0f_fffe, "of instances"),
            (0x10_0000, "written"),
            (0x1f_fffc, "tests"),
            (0x1f_fffd, "written"),
            (0x1f_fffe, "request"),
            (0x1f_ffff, "written"),
            (0x20_0000, "starred"),
            (0x40_0000, "view"),
            (0x80_0000, "made"),
            (0xa0_0000, "giver"),
            (0xc0_0000, "view of made"),
            (0xe0_0000, "gathered"),
            (0xf0_0000, "passed"),
        ]
    );
}

#[test]
fn parts_have_the_numbers_that_they_always_had() {
    let parts =
        [SitePart::Whole, SitePart::Inner, SitePart::Other, SitePart::Tuple, SitePart::Pair, SitePart::Declared];
    assert_eq!(parts.map(SitePart::encode), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn slots_have_the_codes_that_they_always_had() {
    let slots = [Slot::Any, Slot::All, Slot::Last, Slot::Keys, Slot::Known(77)];
    assert_eq!(slots.map(Slot::encode), [1, 2, 3, 4, 77]);
    assert_eq!(Slot::index(-2).encode(), mix(0x5107 ^ (-2i64).cast_unsigned()));
    let unnamed = [Unnamed::AnyName, Unnamed::HandedOn];
    assert_eq!(unnamed.map(Unnamed::encode), [1, 3]);
}

#[test]
fn a_value_takes_two_words() {
    assert_eq!(size_of::<Value>(), 16);
}
