//! A points-to set is the same in whatever order its values are added.

use crate::resolve::values::{site::Site, *};

#[test]
fn classes_count_half() {
    let mut sets = Sets::default();
    let parts: Vec<SetId> = (0..66).map(|index| sets.single(Value::Class(EntityId(index)), Basis::Stored)).collect();
    assert_ne!(joined(&mut sets, parts[..64].iter().copied()), SetId::TOP);
    assert_eq!(joined(&mut sets, parts.into_iter()), SetId::TOP);
}

/// Instances, containers and values from outside, a set each.
fn singles(sets: &mut Sets, instances: u32, containers: u32, externals: u64) -> Vec<SetId> {
    let instances = (0..instances).map(|index| Value::Instance(EntityId(index)));
    let containers =
        (0..containers).map(|site| Value::Container(EntityId(1), Site::Written { number: site, is_dict: false }));
    let externals = (2..2 + externals).map(Value::ExternalInstance);
    let values: Vec<Value> = instances.chain(containers).chain(externals).collect();
    values.into_iter().map(|value| sets.single(value, Basis::Stored)).collect()
}

fn joined(sets: &mut Sets, parts: impl Iterator<Item = SetId>) -> SetId {
    parts.fold(SetId::EMPTY, |all, part| sets.union(all, part))
}

#[test]
fn sets_are_the_same_in_whatever_order_they_are_joined() {
    for (instances, containers, externals, is_top) in
        [(28, 4, 0, false), (28, 5, 0, true), (26, 9, 0, false), (20, 9, 9, false), (21, 9, 9, true)]
    {
        let mut sets = Sets::default();
        let parts = singles(&mut sets, instances, containers, externals);
        let forwards = joined(&mut sets, parts.iter().copied());
        let backwards = joined(&mut sets, parts.iter().rev().copied());
        let halves = parts.split_at(parts.len() / 2);
        let halves = [halves.0, halves.1].map(|half| joined(&mut sets, half.iter().copied()));
        let of_halves = joined(&mut sets, halves.into_iter());
        let at_once: Vec<Entry> = parts.iter().flat_map(|&part| sets.entries(part).to_vec()).collect();
        let at_once = sets.of(at_once);
        assert_eq!([forwards, backwards, of_halves], [at_once; 3], "{instances} {containers} {externals}");
        assert_eq!(at_once == SetId::TOP, is_top, "{instances} {containers} {externals}");
    }
}
