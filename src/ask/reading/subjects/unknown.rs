//! Words that stand where only a name does, and that nothing here is called.
//!
//! An everyday word may stand there too: one that the repository has in its names or texts is taken for such a word.

use crate::{
    ask::reading::{
        forms::world::is_topic,
        names::{Meanings, NameMatch, is_mixed, meanings},
        relations::noun_of,
        subjects::{NameMention, QuestionNames, VERBS, comes_after, comes_before, is_one_of},
        words::{
            ParsedQuestion, Shape, is_in, is_in_names, is_stop_word,
            objects::{PRONOUNS, is_object},
            stem,
        },
    },
    model::{EntityKind, FileId, FileRecord, conventions::standard_library},
    query::{
        navigate::outside::is_library,
        search::stands_in,
        source::Sources,
        target::{
            Target,
            likeliest::{is_aside, likeliest},
            respelled,
        },
    },
    store::{Store, error::StoreError},
};

/// Letters of the shortest word that is taken for a private name without its underscores.
const SHORTEST_PRIVATE: usize = 6;
/// Words before a preposition and the one that has or gives them.
const OWNED: &str = "attributes base bases callers children derive derived derives fields inherit inherits members methods \
     properties subclasses usages uses";
/// Words behind the name of a definition that say what becomes of it.
const STATES: &str = "called covered dead imported needed overridden referenced still tested unused used";

/// Words of a change or a call before the name of a definition.
const CHANGES: &str = "call calling calls change changed changing delete deleted deleting drop dropped dropping edit editing \
     modify modified modifying move moved moving refactor refactoring remove removed removing rename renamed renaming \
     replace replacing rewrite rewriting";

/// Takes a plain word behind the verb of a change for an unknown name, where nothing else is named and no name here has
/// such a part: `will changing frobnicate break something`.
pub(super) fn unknown_object(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    if !named.mentions.is_empty() || !named.files.is_empty() || named.has_parameter {
        return Ok(());
    }
    let ends = |at: usize| question.words.get(at).is_none_or(|next| is_stop_word(&next.lower()));
    let is_word = |at: usize| {
        let word = &question.words[at];
        let is_word = word.shape == Shape::Plain && !word.is_quoted && word.text.chars().all(char::is_alphabetic);
        is_word && !is_stop_word(&word.lower())
    };
    // `who calls makeresponse`, `is makeresponse used`: the underscore was left out.
    let is_near_verb = |at: usize| {
        let is_state = comes_after(question, at, "is are") && comes_before(question, at, STATES);
        let is_last = at + 1 == question.words.len();
        let is_owner = is_last && comes_after(question, at, "of from") && at > 1 && is_one_of(question, at - 2, OWNED);
        let is_where = at == 2 && is_last && is_one_of(question, 0, "where") && is_one_of(question, 1, "is");
        let is_used = is_last && comes_after(question, at, "uses use");
        let is_named = comes_after(question, at, VERBS)
            || comes_after(question, at, "overrides of")
            || is_owner
            || is_where
            || is_used;
        is_named || is_state || is_object(question, at)
    };
    for at in (1..question.words.len()).filter(|at| is_word(*at) && is_near_verb(*at)) {
        let text = question.words[at].text.clone();
        let found = match respelled(store, &text)?.filter(|(name, _)| is_compound(name)) {
            Some((name, _)) => meanings(store, &name, None, true, "")?,
            None => match private(store, &text)?.or(misspelt(store, &text)?) {
                Some(found) => found,
                None => continue,
            },
        };
        named.blank.insert(at);
        let how = found.how.filter(|how| *how == NameMatch::Slip).or(Some(NameMatch::Underscores));
        let meanings = Meanings { how, ..found };
        named.mentions.push(NameMention::new(at, text, None, meanings));
        return Ok(());
    }
    let is_object = |at: &usize| is_word(*at) && comes_after(question, *at, CHANGES) && ends(at + 1);
    let Some(at) = (1..question.words.len()).find(is_object) else { return Ok(()) };
    if is_in_names(&store.names()?, &question.words[at].lower()) {
        return Ok(());
    }
    named.blank.insert(at);
    let (text, meanings) = (question.words[at].text.clone(), Meanings::default());
    named.mentions.push(NameMention::new(at, text, None, meanings));
    Ok(())
}

/// Takes a word that is written like the name of a class, and stands where a name does, for an unknown name: `tests of
/// Frobnicate`. So it does with an everyday word that no name here has. A library is known by its name.
pub(super) fn unknown_title(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    const OWNED: &str = "attributes callers children classes coverage fields functions members methods properties subclasses \
         test tests usages uses";
    const ABOUT: &str =
        "call called cover covered exercise exercised have need reach reached test tested untested use used";
    if !named.mentions.is_empty() || named.has_parameter {
        return Ok(());
    }
    let is_title = |at: usize| {
        let word = &question.words[at];
        let is_name = word.text.chars().all(char::is_alphanumeric) && word.text.contains(char::is_lowercase);
        let begins = question.words[at - 1].ends_clause;
        word.shape == Shape::Capitalized && is_name && !begins && !is_stop_word(&word.lower())
    };
    let is_placed = |at: usize| {
        let is_owner = comes_after(question, at, "for of") && at > 1 && comes_after(question, at - 1, OWNED);
        let is_subject = comes_after(question, at, "are do does has is") && comes_before(question, at, ABOUT);
        is_owner || is_subject || comes_after(question, at, VERBS) || is_object(question, at)
    };
    // `is frobnicate tested`: an everyday word may be a part of a name.
    let is_plain = |at: usize| {
        let word = &question.words[at];
        let is_asked = comes_before(question, at, "covered exercised tested untested")
            || comes_before(question, at, "have") && is_one_of(question, at + 2, "test tests");
        let is_whether = at == 1 && is_one_of(question, 0, "are do does has have is");
        word.shape == Shape::Plain && is_asked && is_whether && !is_stop_word(&word.lower())
    };
    let Some(at) = (1..question.words.len()).find(|at| is_title(*at) && is_placed(*at) || is_plain(*at)) else {
        return Ok(());
    };
    let word = &question.words[at];
    if is_plain(at) && is_in_names(&store.names()?, &word.lower()) {
        return Ok(());
    }
    // `who wrote Linux` asks for no author of this code.
    let is_of_world = comes_after(question, at, "created founded invented wrote") && is_topic(&word.lower());
    if is_of_world || is_library(store, &word.lower())? || standard_library::is_module(&word.lower()) {
        return Ok(());
    }
    named.blank.insert(at);
    let meanings = meanings(store, &word.text, None, false, "")?;
    // A slip of the pen is proposed, and not taken for the name.
    let proposals = meanings.targets.iter().map(|target| target.main().clone()).chain(meanings.proposals).collect();
    let meanings = Meanings { proposals, ..Meanings::default() };
    named.mentions.push(NameMention::new(at, word.text.clone(), None, meanings));
    Ok(())
}

/// Takes a plain word that `and` joins to a name for an unknown name, where no name here has such a part: `X and
/// frobnicate`.
pub(super) fn unknown_partner(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    // `who calls frobnicate or total`
    let heads: Vec<usize> = named.mentions.iter().filter_map(|mention| mention.at.checked_sub(2)).collect();
    for at in heads.into_iter().filter(|at| *at > 0) {
        let word = &question.words[at];
        let is_named = question.words[at + 2].shape == Shape::Code && is_one_of(question, at + 1, "and or");
        let is_free = word.shape == Shape::Plain && !named.blank.contains(&at) && !is_stop_word(&word.lower());
        let is_object = is_named && is_free && comes_after(question, at, VERBS);
        if is_object && !is_in_names(&store.names()?, &word.lower()) {
            named.blank.insert(at);
            named.mentions.push(NameMention::new(at, word.text.clone(), None, Meanings::default()));
            named.mentions.sort_by_key(|mention| mention.at);
        }
    }
    let last = question.words.len().saturating_sub(1);
    let Some(word) = question.words.last().filter(|_| last > 1 && comes_after(question, last, "and or")) else {
        return Ok(());
    };
    // Two everyday words that `and` joins may be anything.
    let is_name = |at: usize| question.words[at].shape == Shape::Code || word.shape == Shape::Capitalized;
    let is_joined = named
        .mentions
        .iter()
        .any(|mention| mention.at + 2 == last && is_name(mention.at) && !mention.meanings.targets.is_empty());
    let is_word = matches!(word.shape, Shape::Plain | Shape::Capitalized) && word.text.chars().all(char::is_alphabetic);
    let is_free = !named.blank.contains(&last) && !is_stop_word(&word.lower());
    if is_joined && is_word && is_free && !is_in_names(&store.names()?, &word.lower()) {
        named.blank.insert(last);
        named.mentions.push(NameMention::new(last, word.text.clone(), None, Meanings::default()));
    }
    Ok(())
}

/// Words behind which a name stands, and words behind one.
const BEFORE: &str = "and between by compare compared contrast do does explain from how or than to versus vs with";
const BEHIND: &str = "and anymore anywhere besides but compare compared cooperate cooperates depend depends differ directly do \
     does fit fits from in inside interact interacts or play plays relate relates to together used versus vs with without work works";
/// Words with which the question goes on behind a condition: `if I move Cart and gizmo what breaks`.
const ASKING: &str = "how what which who will would";
/// Verbs of a question that names two things to compare.
const COMPARING: [&str; 5] = ["compare", "contrast", "differ", "distinguish", "versus"];
/// The shortest word that is taken for an unknown name.
const SHORTEST: usize = 3;

/// Takes a word beside a known name for an unknown one, where it stands as a name does: `does Cart use Gadget`,
/// `compare Cart and gizmo`. A word that some name or text of the repository has is left alone.
pub fn unknown_beside(
    store: &Store,
    sources: &Sources,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    if named.has_parameter {
        return Ok(());
    }
    let is_known = |at: usize| {
        let mut mentions = named.mentions.iter();
        mentions.any(|mention| mention.at == at && !mention.meanings.targets.is_empty())
    };
    let compares = question.words.iter().any(|word| COMPARING.iter().any(|head| word.lower().starts_with(head)));
    // `how are Cart and Gadget related`: amid a sentence only a name has a capital letter, unless two words share it.
    let is_title = |at: usize| {
        let word = &question.words[at];
        let is_proper = |at: usize| {
            question.words.get(at).is_some_and(|word| word.shape == Shape::Capitalized) && !named.blank.contains(&at)
        };
        // `Cart, Gadget and Shelf`; another sentence may begin behind a name.
        let is_listed = at > 0 && is_known(at - 1) && (word.ends_clause || is_one_of(question, at + 1, "and or"));
        let is_inside = at > 0 && (!question.words[at - 1].ends_clause || is_listed);
        let is_alone = is_inside && !is_proper(at - 1) && (word.ends_clause || !is_proper(at + 1));
        word.shape == Shape::Capitalized
            && word.text.contains(char::is_lowercase)
            && is_alone
            && !comes_after(question, at, "by in")
    };
    let stands_for_name = |at: usize| {
        let ends = question.words[at].ends_clause
            || at + 1 == question.words.len()
            || is_one_of(question, at + 1, BEHIND)
            || is_one_of(question, at + 1, ASKING)
            || comes_before(question, at, VERBS);
        let is_second = at > 1
            && is_known(at - 2)
            && (comes_after(question, at, "and or versus vs")
                || compares && comes_after(question, at, "to with from than"));
        let is_first = is_known(at + 2)
            && comes_before(question, at, "and or versus vs")
            && (at == 0 || comes_after(question, at, BEFORE) || comes_after(question, at, VERBS));
        let has_subject = (0..question.words.len()).any(is_known);
        // `does gizmo call f`, `how does f depend on gizmo`
        let is_doer = comes_after(question, at, "did do does") && comes_before(question, at, VERBS);
        let is_base = ends
            && at > 1
            && comes_after(question, at, "on")
            && comes_after(question, at - 1, "depend depends rely relies");
        let is_beside = is_title(at) || is_doer || is_base || is_object(question, at);
        ends && is_second || is_first || has_subject && is_beside
    };
    let is_free = |at: usize| {
        let word = &question.words[at];
        let lower = word.lower();
        let is_word = matches!(word.shape, Shape::Plain | Shape::Capitalized)
            && !word.is_quoted
            && word.value.is_none()
            && word.text.chars().count() >= SHORTEST
            && word.text.chars().all(char::is_alphabetic);
        is_word
            && !named.blank.contains(&at)
            && !is_stop_word(&lower)
            && !is_in(PRONOUNS, &lower)
            && !is_topic(&lower)
            && noun_of(&lower).is_none()
            && !named.parameters.contains(&word.text)
    };
    let found: Vec<usize> = (0..question.words.len()).filter(|at| is_free(*at) && stands_for_name(*at)).collect();
    if found.is_empty() {
        return Ok(());
    }
    let names = store.names()?;
    for at in found {
        let text = &question.words[at].text;
        let lower = text.to_lowercase();
        let is_outside = is_library(store, &lower)? || standard_library::is_module(&lower);
        if is_outside || names_program(store, &names, &lower)? || stands_in_texts(store, sources, text)? {
            continue;
        }
        let meanings = meanings(store, text, None, false, "")?;
        let proposals = meanings.targets.iter().map(|target| target.main().clone()).chain(meanings.proposals).collect();
        named.blank.insert(at);
        let meanings = Meanings { proposals, ..Meanings::default() };
        named.mentions.push(NameMention::new(at, text.clone(), None, meanings));
    }
    named.mentions.sort_by_key(|mention| mention.at);
    Ok(())
}

/// Takes a misspelt name for an unknown one where the question has the name that it resembles, too: `show Cart and
/// Crat`.
pub(super) fn unknown_slips(named: &mut QuestionNames) {
    let said: Vec<Target> = named
        .mentions
        .iter()
        .filter(|mention| mention.meanings.how != Some(NameMatch::Slip))
        .flat_map(|mention| mention.meanings.targets.clone())
        .collect();
    for mention in &mut named.mentions {
        let meanings = &mut mention.meanings;
        let is_said = |target: &Target| said.iter().any(|one| one.main().id == target.main().id);
        if meanings.how == Some(NameMatch::Slip) && meanings.targets.iter().any(is_said) {
            let proposals = meanings.targets.iter().map(|target| target.main().clone()).collect();
            *meanings = Meanings { proposals, ..Meanings::default() };
        }
    }
}

/// Takes a name that code here writes just so for that of a library, and not for one that resembles it: `PoolManager`
/// is no `poolmanager`.
pub fn names_of_libraries(store: &Store, sources: &Sources, named: &mut QuestionNames) -> Result<(), StoreError> {
    for mention in &mut named.mentions {
        let is_class_name = mention.text.starts_with(char::is_uppercase) && is_mixed(&mention.text);
        let is_other = |target: &Target| target.main().record.name != mention.text;
        let is_respelled = !matches!(mention.meanings.how, None | Some(NameMatch::Exact | NameMatch::Parts));
        // `PreparedRequests` are objects of the class.
        let is_plural = |target: &Target| mention.text.strip_suffix('s') == Some(&target.main().record.name);
        let is_own = mention.meanings.targets.iter().any(is_plural);
        if !is_class_name || !is_respelled || is_own || !mention.meanings.targets.iter().all(is_other) {
            continue;
        }
        if stands_in_code(&store.files()?, sources, &mention.text) {
            let proposals = mention.meanings.targets.iter().map(|target| target.main().clone()).collect();
            mention.meanings = Meanings { proposals, ..Meanings::default() };
        }
    }
    Ok(())
}

/// Whether a Python file outside of tests has the word as it is written.
pub fn stands_in_code(files: &[(FileId, FileRecord)], sources: &Sources, word: &str) -> bool {
    let has_word = |path: &str| sources.text(path).is_some_and(|text| is_word_of(&text, word));
    files.iter().any(|(_, file)| !file.is_test && has_word(&file.path))
}

fn is_word_of(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|one| one == word)
}

/// Whether the word is a part of a name outside of tests and examples.
fn names_program(store: &Store, names: &[String], lower: &str) -> Result<bool, StoreError> {
    for name in names.iter().filter(|name| is_in_names(std::slice::from_ref(*name), lower)) {
        if store.entities_named(name, false)?.iter().any(|entity| !is_aside(&entity.path)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a file or a document of the repository has the word, whatever its ending; one with a capital letter as it is
/// written, outside of tests.
fn stands_in_texts(store: &Store, sources: &Sources, word: &str) -> Result<bool, StoreError> {
    let is_title = word.starts_with(char::is_uppercase);
    let stem = stem(&word.to_lowercase());
    let has_word = |path: &str| {
        let Some(text) = sources.text(path) else { return false };
        if is_title { is_word_of(&text, word) } else { text.to_lowercase().contains(&stem) }
    };
    let mut files = store.files()?;
    files.retain(|(_, file)| !is_title || !file.is_test);
    Ok(files.iter().any(|(_, file)| has_word(&file.path))
        || store.documents()?.iter().any(|(_, document)| has_word(&document.path)))
}

/// The definitions of the only private name that is this text without its underscores: `_make_response`.
fn private(store: &Store, text: &str) -> Result<Option<Meanings>, StoreError> {
    if text.chars().count() < SHORTEST_PRIVATE {
        return Ok(None);
    }
    let found = meanings(store, text, None, false, "")?;
    let mut names = found.targets.iter().map(|target| &target.main().record.name);
    let is_one = names.next().is_some_and(|first| is_compound(first) && names.all(|name| name == first));
    Ok((found.how == Some(NameMatch::Underscores) && is_one).then_some(found))
}

/// The only class or callable of the program of which a word is a slip, where nothing here has the word.
fn misspelt(store: &Store, text: &str) -> Result<Option<Meanings>, StoreError> {
    if text.chars().count() < SHORTEST_PRIVATE || stands_in(store, text, 1)? {
        return Ok(None);
    }
    let mut found = meanings(store, text, None, false, "")?;
    let is_of_program = |target: &Target| {
        let main = target.main();
        (main.record.kind == EntityKind::Class || main.record.kind.is_callable()) && !is_aside(&main.path)
    };
    found.targets.retain(is_of_program);
    let mut names = found.targets.iter().map(|target| &target.main().record.name);
    let is_one = names.next().is_some_and(|first| names.all(|name| name == first));
    if found.how != Some(NameMatch::Slip) || !is_one {
        return Ok(None);
    }
    found.targets = likeliest(store, text, found.targets)?.0;
    Ok(Some(found))
}

/// Whether a name has several words: `make_response`, `makeResponse`.
fn is_compound(name: &str) -> bool {
    let name = name.trim_matches('_');
    name.contains('_') || name.chars().skip(1).any(char::is_uppercase)
}
