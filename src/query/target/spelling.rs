//! Corrects slips in names by their edit distance.

/// Shorter names never count as slips.
const SHORTEST_SLIP: usize = 5;

/// The names with the fewest wrong letters, if these are few; underscores and case do not count.
pub fn nearest<'n>(names: &'n [String], wanted: &str) -> Vec<&'n String> {
    let length = wanted.chars().count();
    let limit = match length {
        0..SHORTEST_SLIP => return Vec::new(),
        5..9 => 1,
        9..16 => 2,
        _ => 3,
    };
    let wanted = without_underscores(wanted);
    let mut best = limit + 1;
    let mut nearest = Vec::new();
    for name in names {
        let name_letters = without_underscores(name);
        if name_letters.len().abs_diff(wanted.len()) > limit {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &name_letters);
        if distance < best {
            best = distance;
            nearest.clear();
        }
        if distance == best && distance <= limit {
            nearest.push(name);
        }
    }
    nearest
}

/// The letters alone, in lower case.
pub fn without_underscores(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_wrong_letters_are_forgiven_in_long_names_only() {
        let names = ["Blueprint", "blueprints", "total", "full_dispatch_request"].map(str::to_owned);
        let check = |wanted: &str| nearest(&names, wanted).into_iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(check("Blueprnt"), ["Blueprint"]);
        assert_eq!(check("full_dipsatch_requets"), ["full_dispatch_request"]);
        assert_eq!(check("totla"), ["total"]);
        assert_eq!(check("tota"), Vec::<&str>::new());
        assert_eq!(check("unknown"), Vec::<&str>::new());
        assert_eq!(without_underscores("__Get_Item__"), "getitem");
    }
}
