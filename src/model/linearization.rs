//! C3, the order in which Python looks through the bases of a class (Barrett et al. 1996).

/// A class and all classes above it in the order of C3. `sequences` holds the order of each direct base, and the direct
/// bases themselves last. Where the bases contradict each other Python fails; here the first one wins.
pub fn linearize<T: Clone + PartialEq>(class: T, mut sequences: Vec<Vec<T>>) -> Vec<T> {
    let mut result = vec![class];
    loop {
        sequences.retain(|sequence| !sequence.is_empty());
        let Some(first) = sequences.first() else { return result };
        // The first head that stands in no other sequence's tail.
        let head = sequences
            .iter()
            .map(|sequence| &sequence[0])
            .find(|head| !sequences.iter().any(|sequence| sequence[1..].contains(head)))
            .unwrap_or(&first[0])
            .clone();
        for sequence in &mut sequences {
            sequence.retain(|one| *one != head);
        }
        if !result.contains(&head) {
            result.push(head);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::linearize;

    fn order(class: char, sequences: &[&str]) -> String {
        linearize(class, sequences.iter().map(|sequence| sequence.chars().collect()).collect()).into_iter().collect()
    }

    #[test]
    fn a_base_comes_after_the_classes_that_derive_from_it() {
        assert_eq!(order('d', &["bao", "cao", "bc"]), "dbcao");
    }

    #[test]
    fn bases_that_contradict_each_other_still_give_an_order() {
        assert_eq!(order('z', &["xabo", "ybao", "xy"]), "zxyabo");
    }
}
