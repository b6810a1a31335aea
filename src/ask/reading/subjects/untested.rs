//! The definitions of which a question asks whether tests reach them: `are all field classes tested`, `which of the
//! validators has no test`, `do all cookie functions have tests`.
//!
//! The words before the noun limit the set, so none of them is left out. They are looked for among the families of
//! classes first, then among the modules, then in the names. Where nothing has them, the answer says so.

use std::cmp::Reverse;

use crate::{
    ask::reading::{
        filters::{Filters, Noun},
        likeliest::{UNCOUNTABLE, family_called, title},
        names::{Meanings, NameMatch, meanings},
        relations::noun_of,
        subjects::{NameMention, QuestionNames},
        words::{ParsedQuestion, Shape, is_in, name_parts, stem},
    },
    model::EntityKind,
    query::target::{
        Target,
        filter::{Filter, FilterReader, ListOrder},
        is_below,
        likeliest::is_aside,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The meaning of the words before the noun.
#[derive(Debug, Default)]
pub struct AskedSet {
    /// `family` for a class whose heirs are meant, `collection` for a module.
    pub fact: Option<&'static str>,
    /// The pattern of the names, as [`Filters::name`] has it.
    pub name: Option<String>,
    /// For what the words are taken, where the answer does not show it.
    pub note: Option<String>,
}

/// Nouns before which words say which ones are meant; those of the second list mean classes.
const NOUNS: &str =
    "class classes decorators definitions exceptions function functions kinds method methods properties types";
const OF_CLASSES: &str = "class classes exceptions kinds types";
/// A shorter word is no beginning of another one: `param` for `parameter`.
const SHORTEST_BEGINNING: usize = 4;
/// Classes below a base that are a family.
const LEAST_HEIRS: usize = 2;

/// Words around the ones of which a question asks what lacks a docstring.
const OF_DOCSTRINGS: &str = "count docstring docstrings documentation documented how many missing need needs number private public undocumented \
     write written";

/// Names the family or the module of which a question asks what lacks tests: `which field classes have no tests`,
/// `which of the validators has no test`, `are all validators tested`. Gives the fact as [`name_the_family`] does.
/// Where nothing fits, the words are a name that nothing has: the whole repository is not what is asked about.
pub fn name_the_untested(
    store: &Store,
    question: &ParsedQuestion,
    filters: &Filters,
    named: &mut QuestionNames,
) -> Result<AskedSet, StoreError> {
    const AROUND: &str = "which what list show find give me all any each every the a an of our my are is was were have has having do does \
         with without no not never yet lack lacks lacking any unit test tests tested untested uncovered covered exercised \
         reached by don't doesn't isn't aren't zero at some still that there here defined declared existing own";
    /// Words for code of no family.
    const OF_ANY: &str = "api apis area areas branch branches bit bits case cases class code codebase definition definitions endpoint \
         endpoints everything feature features file files function functionality functions library line lines logic method \
         methods module modules name names package packages part parts path paths place places program project property \
         properties repo repository route routes stuff symbol symbols thing things ones";
    const OF_VARIABLES: &str = "attributes fields globals variables";
    let is_known = |mention: &NameMention| !mention.meanings.targets.is_empty();
    let is_word = |mention: &NameMention| question.words[mention.at].shape == Shape::Plain;
    if named.mentions.iter().any(|one| is_known(one) && !is_word(one)) || !named.files.is_empty() {
        return Ok(AskedSet::default());
    }
    // A plain word that is a name as well may still be a part of the noun: `every field class`.
    let is_named = named.mentions.iter().any(is_known);
    let left: Vec<usize> =
        (0..question.words.len()).filter(|at| !is_in(AROUND, &question.words[*at].lower())).collect();
    let [before @ .., last] = left.as_slice() else { return Ok(AskedSet::default()) };
    let mut words: Vec<String> = left.iter().map(|at| question.words[*at].lower()).collect();
    let is_single = words.last().is_some_and(|word| !word.ends_with('s'));
    let is_each = question.words.iter().any(|word| is_in("each every any", &word.lower()));
    let noun = words.last().filter(|noun| words.len() > 1 && is_in(NOUNS, noun)).cloned();
    let limits: Vec<String> = words[..words.len() - 1].to_vec();
    if words.len() == 2 && matches!(words[1].as_str(), "class" | "classes") {
        words.truncate(1);
        words[0] += "s";
    } else if let Some(word) = words.last_mut().filter(|_| is_single && is_each) {
        *word = match word.strip_suffix('y') {
            Some(head) => format!("{head}ies"),
            None => format!("{word}s"),
        };
    } else if is_single && words.last().is_none_or(|word| word != UNCOUNTABLE) {
        return Ok(AskedSet::default());
    }
    // `JSON tags`: an abbreviation is a word in capitals.
    let is_abbreviation = |text: &str| text.len() > 1 && text.chars().all(|c| c.is_ascii_uppercase());
    let is_plain = left.iter().all(|at| {
        let word = &question.words[*at];
        !word.is_quoted && (word.shape == Shape::Plain || is_abbreviation(&word.text))
    });
    // `all blueprint methods`: those of the class.
    if let ([class, "methods"], true) = (words.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), is_plain) {
        let mut found = meanings(store, &title(class), Some(EntityKind::Class), false, "")?;
        found.targets.retain(|target| !is_aside(&target.main().path));
        if !found.targets.is_empty() && found.how.is_some_and(|how| how != NameMatch::Slip) {
            let at = left[0];
            named.mentions = vec![NameMention::new(at, question.words[at].text.clone(), None, found)];
            return Ok(AskedSet::default());
        }
    }
    let is_any = |word: &String| noun_of(word).is_some() || is_in(OF_ANY, word);
    let is_limited = noun.is_some() && !limits.is_empty() && !limits.iter().any(is_any);
    let is_of_any = words.iter().any(is_any);
    // `private functions`: a condition that is read elsewhere.
    let is_read = filters.is_any() && filters.marks != ["decorator"] || filters.noun == Some(Noun::Helper);
    if !is_plain || is_of_any && !is_limited || is_limited && is_read {
        return Ok(AskedSet::default());
    }
    let mut found = if is_of_any || words.len() > 2 { None } else { family_called(store, &words)? };
    if let ([place, noun], None) = (words.as_slice(), &found) {
        found = family_within(store, place, noun)?;
    }
    let says = |list: &str| noun.as_ref().is_some_and(|noun| is_in(list, noun));
    let mut bases: Vec<&[String]> = Vec::new();
    if !is_limited && words.len() > 1 || says("kinds types") {
        bases.push(&words);
    }
    // `HTTP exceptions`: the heirs of `HTTPException`.
    if is_limited && says("exceptions") {
        bases.push(&words);
    }
    if is_limited && says(OF_CLASSES) {
        bases.push(&limits);
    }
    let are_exceptions = filters.noun == Some(Noun::Exception);
    // `warning classes` are the heirs of a class rather than what the module `warnings` defines.
    if is_limited
        && says(OF_CLASSES)
        && found.as_ref().is_some_and(|(_, fact)| *fact == "collection")
        && let Some(family) = family_with(store, &limits, are_exceptions)?
    {
        found = Some((family, "family"));
    }
    for base in bases {
        // `field types`: the heirs of `Field`.
        if let (None, [one], true) = (&found, base, says("kinds types")) {
            found = family_called(store, &[format!("{one}s")])?;
        }
        if found.is_none() {
            found = family_with(store, base, are_exceptions)?.map(|target| (target, "family"));
        }
    }
    let text =
        |places: &[usize]| places.iter().map(|at| question.words[*at].text.as_str()).collect::<Vec<_>>().join(" ");
    let exactly =
        |target: Target| Meanings { targets: vec![target], how: Some(NameMatch::Exact), proposals: Vec::new() };
    if let Some((target, fact)) = found {
        named.mentions = vec![NameMention::new(*last, text(&left), None, exactly(target))];
        named.blank.extend(&left);
        return Ok(AskedSet { fact: Some(fact), ..AskedSet::default() });
    }
    let says_kind = !is_limited && (filters.is_any() || filters.noun.is_some_and(|noun| noun != Noun::Function));
    if is_named || says_kind || words.last().is_some_and(|word| is_in(OF_VARIABLES, word)) {
        return Ok(AskedSet::default());
    }
    let (places, wanted) = if is_limited { (before, &limits) } else { (left.as_slice(), &words) };
    let said = text(&left);
    if !is_limited && wanted.len() < 2 {
        named.mentions = vec![NameMention::new(*last, said, None, Meanings::default())];
        named.blank.extend(&left);
        return Ok(AskedSet::default());
    }
    if let Some(module) = module_called(store, wanted)? {
        let note = Some(format!("`{said}` is taken for those of `{}`", module.main().full_name()));
        named.mentions = vec![NameMention::new(places[places.len() - 1], text(places), None, exactly(module))];
        named.blank.extend(places);
        return Ok(AskedSet { note, ..AskedSet::default() });
    }
    // `CLI commands`: those of a module, by the noun in their names.
    let module = if is_limited || wanted.len() < 2 { None } else { module_called(store, &wanted[..1])? };
    let names = if module.is_some() { &wanted[1..] } else { wanted.as_slice() };
    let pattern = names_with(names);
    let inside = module.as_ref().map(|module| module.main().full_name());
    if has_any(store, filters, &pattern, inside.as_deref())? {
        named.mentions.clear();
        let mut place = String::new();
        if let Some(module) = module {
            place = format!(" in `{}`", module.main().full_name());
            named.mentions = vec![NameMention::new(places[0], text(&places[..1]), None, exactly(module))];
        }
        named.blank.extend(places);
        let note = Some(format!("`{said}` is taken for those{place} with `{}` in their names", names.join("` and `")));
        return Ok(AskedSet { name: Some(pattern), note, fact: None });
    }
    named.mentions = vec![NameMention::new(places[places.len() - 1], text(places), None, Meanings::default())];
    named.blank.extend(places);
    Ok(AskedSet::default())
}

/// Names the family or module of which a question asks what lacks a docstring, `which validators have no docstring`, as
/// [`name_the_untested`] does. The heirs of a class are a condition, and so is a name.
pub fn name_the_undocumented(
    store: &Store,
    question: &ParsedQuestion,
    filters: &mut Filters,
    named: &mut QuestionNames,
) -> Result<Option<String>, StoreError> {
    const HEADS: &str = "all are do every how list show what which";
    let lower = question.lower_words();
    let is_asked = filters.has("undocumented") || filters.has("documented");
    let is_listed = lower.first().is_some_and(|first| is_in(HEADS, first)) && is_asked;
    let is_known =
        matches!(filters.noun, None | Some(Noun::Function | Noun::Definition)) && filters.decorator.is_none();
    if !is_listed || !is_known || lower.iter().any(|word| noun_of(word).is_some()) {
        return Ok(None);
    }
    // Without the condition the words around it say which definitions are meant.
    let mut open = filters.clone();
    open.is.retain(|word| !is_in("documented undocumented", word));
    let mut asked = question.clone();
    // A file only says where they are.
    let files = std::mem::take(&mut named.files);
    let is_place = |word: &str| files.iter().any(|file| file.text == word);
    for word in asked.words.iter_mut().filter(|word| is_in(OF_DOCSTRINGS, &word.lower()) || is_place(&word.text)) {
        "no".clone_into(&mut word.text);
        word.shape = Shape::Plain;
    }
    let set = name_the_untested(store, &asked, &open, named);
    named.files = files;
    let set = set?;
    if set.fact == Some("family") {
        let class = named.mentions.pop().and_then(|mut family| family.meanings.targets.pop());
        filters.noun = Some(Noun::Class);
        filters.base = class.map(|class| class.main().record.name.clone());
    }
    let unknown = named.mentions.first().filter(|mention| mention.meanings.targets.is_empty());
    if set.fact.is_some() || set.name.is_some() || unknown.is_some() {
        filters.noun = filters.noun.or(Some(Noun::Definition));
    }
    filters.name = filters.name.take().or(set.name);
    let Some(text) = unknown.map(|mention| mention.text.clone()) else { return Ok(set.note) };
    if filters.has("documented") && !named.files.is_empty() {
        return Ok(set.note);
    }
    let words: Vec<String> = text.to_lowercase().split(' ').map(str::to_owned).collect();
    let pattern = names_with(&words);
    if !has_any(store, &open, &pattern, None)? {
        return Ok(set.note);
    }
    named.mentions.clear();
    filters.name = Some(pattern);
    Ok(Some(format!("`{text}` is taken for those with `{}` in their names", singular(&words.join("` and `")))))
}

/// The base whose name has all of the words, in any order and perhaps cut short, `ParamType` for `parameter types`; of
/// several the one with the most heirs.
fn family_with(store: &Store, words: &[String], are_exceptions: bool) -> Result<Option<Target>, StoreError> {
    let filter = Filter { kinds: vec![EntityKind::Class], is_in_tests: Some(false), ..Filter::default() };
    let reader = FilterReader::new(store)?;
    let mut found = reader.sorted(&filter, ListOrder::Subclasses)?;
    let joined = words.concat();
    let is_it = |class: &Entity| {
        let name = &class.record.name;
        let package = class.module.split('.').next().unwrap_or_default().trim_matches('_').to_lowercase();
        // `JSONTag` has no visible parts.
        if words.len() > 1 && name.to_lowercase() == singular(&joined) {
            return true;
        }
        // `PytestWarning` is the warning of pytest.
        let says_nothing = |part: &str| is_in("base abstract abc", part) || part == package;
        let parts: Vec<String> = name_parts(name).filter(|part| !says_nothing(part)).collect();
        // A name with further words is one of the family, and not its base.
        parts.len() <= words.len() + usize::from(are_exceptions)
            && words.iter().all(|word| parts.iter().any(|part| is_form_of(part, word)))
    };
    found.retain(|(heirs, class)| *heirs >= LEAST_HEIRS && !is_aside(&class.path) && is_it(class));
    found.sort_by_key(|(heirs, _)| Reverse(*heirs));
    for (_, class) in found {
        if !are_exceptions || reader.is_exception(&class)? {
            return Ok(Some(Target::of(vec![class])));
        }
    }
    Ok(None)
}

/// A word without the ending of the plural.
fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// Whether a part of a name is the word in another form, or its beginning.
fn is_form_of(part: &str, word: &str) -> bool {
    let (part, word) = (stem(part), stem(word));
    part == word || part.len() >= SHORTEST_BEGINNING && word.starts_with(&part)
}

/// The module or package whose name is the words, in the singular or plural: `shell_completion`, `cookies`. Of several
/// the largest.
fn module_called(store: &Store, words: &[String]) -> Result<Option<Target>, StoreError> {
    let joined: String = words.iter().map(|word| singular(word)).collect();
    let mut found = Vec::new();
    for (_, name) in store.modules()? {
        let last = name.rsplit('.').next().unwrap_or(&name);
        let parts: String = name_parts(last).map(|part| singular(&part).to_owned()).collect();
        if parts == joined {
            found.extend(meanings(store, &name, Some(EntityKind::Module), true, "")?.targets);
        }
    }
    found.retain(|target| target.main().record.kind == EntityKind::Module && !is_aside(&target.main().path));
    let mut sized = Vec::new();
    for target in found {
        let is_package = target.main().path.ends_with("__init__.py");
        let members = store.children(target.main().id)?.len();
        sized.push(((is_package, members), target));
    }
    sized.sort_by_key(|(size, _)| Reverse(*size));
    Ok(sized.into_iter().next().map(|(_, target)| target))
}

/// The pattern of names that have all of the words, in any case.
fn names_with(words: &[String]) -> String {
    let one = |word: &String| {
        let word = singular(word);
        format!("*{word}*|*{}*|*{}*", title(word), word.to_uppercase())
    };
    words.iter().map(one).collect::<Vec<_>>().join("&")
}

/// Whether some definition of the program has such a name, in a module if that is given.
fn has_any(store: &Store, filters: &Filters, pattern: &str, module: Option<&str>) -> Result<bool, StoreError> {
    let named = Filters { name: Some(pattern.to_owned()), noun: filters.noun, ..Filters::default() };
    let (kinds, _) = filters.noun.unwrap_or(Noun::Definition).meaning();
    let filter = Filter { kinds: kinds.to_vec(), is_in_tests: Some(false), ..named.conditions() };
    let is_inside = |name: &str| module.is_none_or(|module| is_below(name, module));
    Ok(FilterReader::new(store)?
        .fitting(&filter)?
        .iter()
        .any(|one| !is_aside(&one.path) && is_inside(&one.full_name())))
}

/// The family of which a package has the name in front: `media handlers` are the heirs of `pkg.media.BaseHandler`.
fn family_within(store: &Store, place: &str, noun: &str) -> Result<Option<(Target, &'static str)>, StoreError> {
    let found = family_called(store, &[noun.to_owned()])?;
    let is_inside = |target: &Target| target.main().module.split('.').any(|part| stem(part) == stem(place));
    Ok(found.filter(|(target, _)| is_inside(target)))
}
