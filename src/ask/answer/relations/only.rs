//! Yes or no to `is X only used in FILE`, `only called by F` and `used by anything other than F`.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            relations::{polar::definition_of, users},
        },
        reading::{
            forms::{Polarity, UsageDirection},
            plan::Understood,
            words::is_stop_word,
        },
    },
    query::{
        impact::completeness::Completeness,
        target::{Target, is_below},
        words::{count, shell_word},
    },
    store::{Store, error::StoreError},
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

/// The subjects of a question that are left out, and the rest: `does anything besides A use B`, `who uses B except A`.
/// `None` where it leaves out none.
fn left_out(understood: &Understood, by_words: &[Target]) -> Option<(Vec<usize>, Vec<usize>)> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let start = behind_exception(&words)?;
    let is_left_out = |word: &str| by_words.iter().any(|target| target.main().record.name.to_lowercase() == word);
    let mut behind = Vec::new();
    for (at, word) in words.iter().enumerate().skip(start) {
        let is_name = understood.plan.subjects.iter().any(|subject| subject.mention.to_lowercase() == *word);
        match *word {
            _ if is_name => behind.push(at),
            "a" | "an" | "and" | "by" | "class" | "function" | "in" | "or" | "the" => {}
            word if is_left_out(word) => {}
            _ => break,
        }
    }
    let is_behind = |index: &usize| {
        let mention = understood.plan.subjects[*index].mention.to_lowercase();
        behind.iter().any(|at| words[*at] == mention)
    };
    let count = understood.targets.len().min(understood.plan.subjects.len());
    let (out, rest): (Vec<usize>, Vec<usize>) = (0..count).partition(is_behind);
    ((!out.is_empty() || !by_words.is_empty()) && !rest.is_empty()).then_some((out, rest))
}

/// The place behind words that leave something out.
fn behind_exception(words: &[&str]) -> Option<usize> {
    const EXCEPTING: [&str; 8] =
        ["other than", "besides", "except for", "except by", "except", "apart from", "aside from", "anything but"];
    let ends = |at: usize| {
        let before = &words[..at];
        EXCEPTING.iter().any(|phrase| before.ends_with(&phrase.split(' ').collect::<Vec<_>>()))
    };
    (1..words.len()).filter(|at| ends(*at)).max()
}

/// The definitions that everyday words behind such words mean: `who besides echo calls style`.
fn left_out_by_words(store: &Store, understood: &Understood) -> Result<Vec<Target>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    let Some(start) = behind_exception(&words) else { return Ok(found) };
    for word in &words[start..] {
        let is_around = matches!(*word, "a" | "an" | "and" | "by" | "class" | "function" | "in" | "or" | "the");
        let is_subject = understood.plan.subjects.iter().any(|subject| subject.mention.to_lowercase() == **word);
        if is_around || is_subject {
            continue;
        }
        let meant = if is_stop_word(word) { None } else { definition_of(store, understood, word)? };
        let Some(target) = meant else { break };
        found.push(target);
    }
    Ok(found)
}

/// The definition that an everyday word at the end means: `is f only called from draw`.
fn only_user_by_word(store: &Store, understood: &Understood) -> Result<Option<Target>, StoreError> {
    let plan = &understood.plan;
    let [.., before, last] = understood.words.as_slice() else { return Ok(None) };
    let is_user = matches!(before.as_str(), "by" | "from" | "in" | "inside" | "within") && !is_stop_word(last);
    let is_limited = !plan.files.is_empty() || !plan.outside.is_empty() || plan.filters.in_tests().is_some();
    let is_subject = plan.subjects.iter().any(|subject| subject.mention.to_lowercase() == *last);
    if !is_user || is_limited || is_subject || !asks_for_only(understood) {
        return Ok(None);
    }
    definition_of(store, understood, last)
}

/// Answers whether other definitions than the last named ones use the first, and which; `None` for other questions.
pub(super) fn only(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let mention = |at: usize| understood.plan.subjects.get(at).map(|subject| subject.mention.to_lowercase());
    let is_incoming = understood.direction == UsageDirection::Incoming;
    let asks_whether = understood.plan.polarity == Polarity::Used || asks_for_only(understood);
    if understood.targets.is_empty() || !is_incoming {
        return Ok(None);
    }
    let by_words = left_out_by_words(reading.store, understood)?;
    let only_user = only_user_by_word(reading.store, understood)?;
    if understood.targets.len() < 2 && by_words.is_empty() && only_user.is_none() {
        return Ok(None);
    }
    let pick =
        |indices: Vec<usize>| -> Vec<Target> { indices.into_iter().map(|at| understood.targets[at].clone()).collect() };
    let (targets, users_named, is_only): (Vec<Target>, Vec<Target>, bool) = match left_out(understood, &by_words) {
        Some((out, rest)) => (pick(rest), [pick(out), by_words].concat(), false),
        None if only_user.is_some() => (understood.targets.clone(), only_user.into_iter().collect(), true),
        None => {
            let (Some(first), Some(last)) = (mention(0), mention(understood.targets.len() - 1)) else {
                return Ok(None);
            };
            let Some(at) = understood.words.iter().rposition(|word| *word == last) else { return Ok(None) };
            let is_around = |word: &&str| matches!(*word, "the" | "function" | "method" | "class");
            let before = understood.words[..at].iter().rev().map(String::as_str).find(|word| !is_around(word));
            // `called only from f` and `called only in f` say the same.
            let is_place = matches!(before, Some("by" | "from" | "in" | "inside" | "within"));
            let is_only = asks_for_only(understood) && is_place;
            if !asks_whether || first == last || !(is_only || before == Some("but")) {
                return Ok(None);
            }
            (pick(vec![0]), pick((1..understood.targets.len()).collect()), is_only)
        }
    };
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut headlines = Vec::new();
    for target in &targets {
        headlines.push(one(reading, target, &users_named, (is_only, asks_whether), &mut answer)?);
    }
    answer.headline = headlines.join("; ");
    let names: Vec<String> = targets.iter().map(|target| shell_word(&target.main().full_name())).collect();
    answer.command = names.iter().map(|name| format!("repoidx refs {name}")).collect::<Vec<_>>().join("; ");
    Ok(Some(answer))
}

/// The sentence for one definition: whether others than the named ones use it. The flags say whether all uses have to
/// be theirs, and whether the question is for yes or no.
fn one(
    reading: AnswerInputs,
    target: &Target,
    users_named: &[Target],
    (is_only, asks_whether): (bool, bool),
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let name = target.main().full_name();
    let is_named = |row: &ListRow| {
        let holds = |user: &Target| {
            let user = user.main().full_name();
            row.name == user || is_below(&row.name, &user)
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
    let yes = if asks_whether { format!("{yes}: ") } else { String::new() };
    let headline = if inside.is_empty() && elsewhere.is_empty() {
        let no = if open { "perhaps: " } else { "no: " };
        format!("{}no place was found where `{name}` is used{more}", if asks_whether { no } else { "" })
    } else if all_inside {
        format!("{yes}{all} where `{name}` is used {are} in {users}{more}")
    } else {
        format!("{yes}{rest} of {places} where `{name}` is used {} not in {users}{more}", is(rest))
    };
    answer.want(target.main(), "asked about", false);
    answer.list(format!("uses of `{name}` elsewhere ({})", elsewhere.len()), elsewhere);
    answer.list(format!("uses of `{name}` in {users} ({})", inside.len()), inside);
    answer.bound(found.limited.unwrap_or(Completeness::Exact), found.boundaries);
    Ok(headline)
}
