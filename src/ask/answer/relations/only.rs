//! Yes or no to `is X only used in FILE`, `only called by F` and `used by anything other than F`.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, relations::users},
        reading::{
            forms::{Polarity, UsageDirection},
            plan::Understood,
        },
    },
    query::{impact::completeness::Completeness, target::Target, words::count},
    store::error::StoreError,
};

/// Whether a question asks if all uses lie in the place that it names.
pub(in crate::ask::answer) fn asks_for_only(understood: &Understood) -> bool {
    let is_only = |word: &String| matches!(word.as_str(), "only" | "solely" | "exclusively" | "just");
    let is_whether = matches!(understood.words.first().map(String::as_str), Some("is" | "are"));
    (is_whether || understood.plan.polarity == Polarity::Used) && understood.words.iter().any(is_only)
}

/// The verdict on a place: `inside` places lie in it and `elsewhere` do not, and of `open` ones nobody knows.
pub(in crate::ask::answer) fn verdict(
    name: &str,
    verb: &str,
    place: &str,
    inside: usize,
    elsewhere: usize,
    open: usize,
) -> String {
    let all = inside + elsewhere;
    let places = count(all, "place");
    match (elsewhere, open) {
        _ if all == 0 && open > 0 => {
            format!("perhaps: no place is known where `{name}` is {verb}, and {open} unresolved could be one")
        }
        _ if all == 0 => format!("no: no place was found where `{name}` is {verb} at all"),
        (0, 0) => format!("yes: `{name}` is {verb} only{place}, at {places}"),
        (0, open) => format!(
            "perhaps: `{name}` is {verb} only{place}, as far as is known, at {places}; {} elsewhere could be more",
            count(open, "unresolved occurrence")
        ),
        (one, _) => {
            let are = if one == 1 { "is" } else { "are" };
            format!("no: {one} of {places} where `{name}` is {verb} {are} not{place}")
        }
    }
}

/// Answers whether other definitions than the last named ones use the first; `None` for other questions.
pub(super) fn only(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let [target, users_named @ ..] = understood.targets.as_slice() else { return Ok(None) };
    let mention = |at: usize| understood.plan.subjects.get(at).map(|subject| subject.mention.to_lowercase());
    let (Some(first), Some(last)) = (mention(0), mention(understood.targets.len() - 1)) else { return Ok(None) };
    let is_incoming = understood.direction == UsageDirection::Incoming;
    let is_whether = understood.plan.polarity == Polarity::Used || asks_for_only(understood);
    if !is_whether || users_named.is_empty() || first == last || !is_incoming {
        return Ok(None);
    }
    let Some(at) = understood.words.iter().rposition(|word| *word == last) else { return Ok(None) };
    let before: Vec<&str> = understood.words[..at].iter().map(String::as_str).collect();
    let is_other = ["other than", "besides", "except", "except by", "apart from", "but", "anything but"]
        .iter()
        .any(|words| before.ends_with(&words.split(' ').collect::<Vec<_>>()));
    let is_only = asks_for_only(understood) && before.last() == Some(&"by");
    if !is_other && !is_only {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let name = target.main().full_name();
    let is_named = |row: &ListRow| {
        let holds = |user: &Target| {
            let user = user.main().full_name();
            row.name == user || row.name.strip_prefix(&user).is_some_and(|rest| rest.starts_with('.'))
        };
        users_named.iter().any(holds)
    };
    let found = users(reading, target)?;
    // An import alone shows no use.
    let rows: Vec<ListRow> = found.rows.into_iter().filter(|row| row.kind != "imports").collect();
    let (inside, elsewhere): (Vec<ListRow>, Vec<ListRow>) = rows.into_iter().partition(is_named);
    let users: Vec<String> = users_named.iter().map(|user| format!("`{}`", user.main().full_name())).collect();
    let users = users.join(" and ");
    let places = count(inside.len() + elsewhere.len(), "place");
    let all = if inside.len() == 1 { "the 1 place".to_owned() } else { format!("all {places}") };
    let (is, are) = (|one: usize| if one == 1 { "is" } else { "are" }, if inside.len() == 1 { "is" } else { "are" });
    let open = found.limited.is_some();
    let (all_inside, rest) = (elsewhere.is_empty(), elsewhere.len());
    let more = if open { "; unresolved occurrences could be more" } else { "" };
    let yes = match (all_inside == is_only, open && all_inside) {
        (_, true) => "perhaps",
        (true, _) => "yes",
        (false, _) => "no",
    };
    answer.headline = if inside.is_empty() && elsewhere.is_empty() {
        format!("{}: no place was found where `{name}` is used{more}", if open { "perhaps" } else { "no" })
    } else if all_inside {
        format!("{yes}: {all} where `{name}` is used {are} in {users}{more}")
    } else {
        format!("{yes}: {rest} of {places} where `{name}` is used {} not in {users}{more}", is(rest))
    };
    answer.want(target.main(), "asked about", false);
    answer.list(format!("uses of `{name}` elsewhere ({})", elsewhere.len()), elsewhere);
    answer.list(format!("uses of `{name}` in {users} ({})", inside.len()), inside);
    answer.bound(found.limited.unwrap_or(Completeness::Exact), found.boundaries);
    Ok(Some(answer))
}
