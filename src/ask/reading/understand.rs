//! Understands a question: finds its names, weighs its readings, and fills in the plan.
//!
//! The words propose readings (`forms`), and the index says which facts hold. No language model takes part.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    ask::{
        context::lines::find_line,
        reading::{
            filters::{
                EVERY_VARIABLE, Filters, find_argument, find_base, find_decorator, find_limits, find_parameter,
                find_place_as_kind, find_tests, find_types, note_on_argument, note_on_denial,
            },
            follow_up::asked_again,
            forms::{self, Facts, QuestionIntent, UsageDirection, details, patterns::Phrase, readings},
            languages::translate,
            likeliest::{choose_twin, name_the_family, name_the_thing, of_instance, pass_over_constants_of_tests},
            literals::{Literal, foreign_frame, frames, literals},
            names::{Meanings, NameMatch, meanings},
            plan::{Hints, PlannedFile, Understood, assemble, finish, subject},
            relations::{noun_of, relations},
            subjects::{NameMention, QuestionNames, absorb_containers, named},
            words::{
                ParsedQuestion, QuestionWord, Shape, is_stop_word, name_parts, relevant,
                spelling::{correct_keywords, divide_alternatives},
                stem, with_apostrophe,
            },
        },
    },
    model::EntityKind,
    query::{
        navigate::outside::is_library,
        source::Sources,
        target::{
            Target, TargetMatch,
            filter::{FilterReader, is_exception_name},
            known,
            likeliest::{is_aside, likeliest},
        },
    },
    store::{Store, error::StoreError},
};

/// Longer texts are stories, not two questions.
const LONGEST_PAIR: usize = 240;
/// A longer question that says `the code` describes a part of it.
const SHORT: usize = 10;
/// A longer question tells a story, whose names are but a part of it.
const STORY: usize = 28;

/// Words that refer to the subject of the previous question.
const PRONOUNS: &str = "it its this that they them their these those";

/// Understands `text`, both halves of it where it has two.
pub fn understand(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    let whole = text;
    let again = asked_again(store, &hints.earlier, text)?;
    let text = again.as_deref().unwrap_or(text);
    let text = &*relevant(text);
    let mut understood = understand_part(store, sources, text, hints)?;
    understood.plan.notes.extend(again.as_ref().map(|again| format!("read as `{}`", again.replace('`', ""))));
    if again.is_none() && text.len() < whole.len() {
        understood.plan.notes.push(format!("the text is long: {} of its {} bytes were read", text.len(), whole.len()));
    }
    Ok(understood)
}

fn understand_part(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    if let Some((first, second)) = halves(text) {
        let mut first = read(store, sources, first, hints)?;
        if !first.targets.is_empty() {
            let (folder, about) = (hints.folder.clone(), first.targets.clone());
            let second = read(store, sources, second, &Hints { folder, about, ..Hints::default() })?;
            let is_answer = second.plan.intent != QuestionIntent::Explain
                || second
                    .words
                    .iter()
                    .any(|word| matches!(word.as_str(), "do" | "return" | "returns" | "mean" | "work"));
            let mut second = second;
            if second.plan.intent == QuestionIntent::Explain {
                // The uses are in the first half; the source says the rest.
                second = second.read_as(QuestionIntent::Show);
            }
            // Two halves of one kind are one question about the same names.
            let is_other = second.plan.intent != first.plan.intent || first.direction != second.direction;
            if !second.targets.is_empty() && is_answer && is_other {
                text.clone_into(&mut first.plan.question);
                first.second = Some(Box::new(second));
                return Ok(first);
            }
        }
    }
    read(store, sources, text, hints)
}

/// The two questions that `and` joins: the second begins like a question.
fn halves(text: &str) -> Option<(&str, &str)> {
    const HEADS: &str =
        "what which who where how why when does is are would will can could should what's where's who's from its";
    const JOINTS: [&str; 4] = [" and ", " plus ", "? ", "; "];
    if text.len() > LONGEST_PAIR || text.contains('\n') {
        return None;
    }
    // `and which of them` goes on with the first half.
    let lower = text.to_lowercase();
    if ["of them", "of these", "of those", "of its", "of their"].iter().any(|part| lower.contains(part)) {
        return None;
    }
    let is_head = |rest: &str| {
        let head = rest.trim_start_matches("and ").split_whitespace().next().unwrap_or_default().to_lowercase();
        HEADS.split(' ').any(|known| known == head)
    };
    let joints = JOINTS.iter().flat_map(|joint| text.match_indices(joint)).map(|(at, joint)| (at, at + joint.len()));
    let (end, start) = joints.filter(|(_, start)| is_head(&text[*start..])).min()?;
    let (first, second) = (&text[..end], &text[start..]);
    // `show X and its callers`
    let is_own = second.trim_start_matches("and ").starts_with("its ");
    let least = if is_own { 2 } else { 3 };
    let words = |text: &str| text.split_whitespace().count();
    (words(first) >= least && words(second) >= least).then_some((first, second))
}

fn read(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    let mut question = ParsedQuestion::parse(text);
    let is_foreign = translate(&mut question);
    divide_alternatives(store, &mut question)?;
    let mut corrections = correct_keywords(store, &mut question)?;
    let mut named = named(store, &question, &hints.folder)?;
    if is_foreign {
        // An untranslated word behind `function` is hardly a name.
        named
            .mentions
            .retain(|mention| !mention.meanings.targets.is_empty() || question.words[mention.at].shape != Shape::Plain);
    }
    corrections.extend(resolve_instances(store, sources, &question, &mut named)?);
    forget_namesakes(&mut named);
    pass_over_constants_of_tests(store, sources, &mut named)?;
    let outside = find_limits(store, &question, &mut named)?;
    // Read before other steps take a name for their own: `from A but not from B` needs both.
    let mut set = relations(store, &question, &phrase(&question, &named, false), &named, &hints.listed)?;
    name_the_thing(store, &question, &mut named)?;
    let family = name_the_family(store, &question, &mut named)?;
    let mut phrase = phrase(&question, &named, false);
    let mut filters = Filters::of(&phrase);
    find_decorator(&question, &phrase, &mut filters, &mut named);
    find_types(&question, &phrase, &mut filters, &mut named);
    let is_derived = find_base(store, &question, &phrase, &mut filters, &mut named)?;
    find_parameter(&phrase, &mut filters, &mut named);
    find_tests(store, &phrase, &mut filters, &mut named)?;
    corrections.extend(find_place_as_kind(store, &question, &phrase, &mut filters, &mut named)?);
    let mut argument = find_argument(store, text, &mut named)?;
    set = set.filter(|set| set.is_asked(&filters, !named.files.is_empty()));
    if let Some(set) = &set {
        set.take_over(&mut filters);
        named.mentions.retain(|mention| !set.outside.contains(&mention.at));
    }
    if name_the_new(&mut question, &named) {
        phrase = self::phrase(&question, &named, false);
    }
    let is_move =
        phrase.has("move/moves/moving/moved|live/lives in|put/putting/merge/merged/merging .. in/into/under|relocat*");
    if is_move {
        drop_destination(&question, &mut named, "to into in from becomes");
    } else if phrase.has("renam* | becomes") {
        drop_destination(&question, &mut named, "to becomes into");
    }
    correct_oneself(&phrase, &mut named);
    choose_twin(&phrase, &mut named);
    let is_follow_up = named.mentions.is_empty()
        && named.files.is_empty()
        && question.words.iter().any(|word| PRONOUNS.split(' ').any(|pronoun| pronoun == word.lower()));
    let about: &[Target] = if hints.is_selected || is_follow_up { &hints.about } else { &[] };
    let member = if is_follow_up { own_member(store, &question, about)? } else { None };
    let about = member.as_ref().map_or(about, std::slice::from_ref);
    own_subject(store, &question, &mut named)?;
    phrase = self::phrase(&question, &named, !about.is_empty());
    let words = words_with_kinds(&question, &named, &phrase);
    // The model knows whole questions in English: of other languages only some words are translated.
    let evidence = if is_foreign || !about.is_empty() { &[][..] } else { &words };
    let has_tests_too = phrase.has("include/including/with .. tests | tests included/too/as");
    if filters.in_tests().is_some() || filters.has("rest_asked") || has_tests_too {
        // `outside of tests` limits the places; it asks for no tests.
        let is_kept = |word: &String| !matches!(word.as_str(), "test" | "tests");
        phrase.is_name =
            phrase.words.iter().zip(&phrase.is_name).filter(|(w, _)| is_kept(w)).map(|(_, n)| *n).collect();
        phrase.words.retain(is_kept);
    }
    let unknown: Vec<String> = named
        .mentions
        .iter()
        .filter(|mention| mention.meanings.targets.is_empty())
        .map(|mention| mention.text.clone())
        .collect();
    let mut literals = literals(text, &question, &unknown);
    if settled(&named) + about.len() + named.files.len() == 0 && literals.is_empty() {
        literals = implied_literals(&question, &phrase);
    }
    let frames = frames(text);
    let facts = |named: &QuestionNames| -> Result<Facts, StoreError> {
        let mut facts = facts(store, &question, named, about, &phrase)?;
        let has = |is: bool, fact: &'static str| is.then_some(fact);
        facts.extend(family);
        let speaks_of_raising = phrase.has("raise*|throw*|catch*|caught|handle*|swallow*");
        if speaks_of_raising && !facts.contains("exception") && !exceptions(store, named)?.is_empty() {
            facts.remove("noexception");
            facts.insert("exception");
        }
        let is_message = literals.iter().any(|literal| literal.is_message) && !named.has_parameter;
        let has_subject = facts.contains("subject");
        let is_text = !has_subject || is_message || phrase.has("environment variable*|env var*|env");
        if is_foreign && facts.contains("noplace") {
            // Words of another language are in no name, and yet the question may be about the repository.
            facts.remove("foreign");
            facts.remove("free");
            facts.insert("local");
        }
        facts.extend(has(is_message, "message"));
        facts.insert(if !literals.is_empty() && is_text { "literal" } else { "noliteral" });
        let is_setting = |literal: &Literal| literal.text.contains('_') && !literal.text.contains(char::is_lowercase);
        facts.extend(has(literals.iter().any(is_setting), "setting"));
        facts.extend(has(is_derived, "derived"));
        facts.extend(has(filters.is_any() || !has_further_words(&phrase), "whole"));
        facts.extend(has(!frames.is_empty(), "frames"));
        facts.extend(has(frames.is_empty() && foreign_frame(text).is_some(), "alien"));
        facts.extend(filters.facts());
        Ok(facts)
    };
    let mut holding = facts(&named)?;
    let mut weighed = readings(&phrase, &holding, evidence);
    // `Compare A with A.b` names two subjects, although one contains the other; other questions name a place.
    // `who derives from C but lacks m`: both count.
    let first = weighed.first().map(|reading| reading.intent);
    let is_divided =
        first == Some(QuestionIntent::Hierarchy) && phrase.has("but|without|not|lack*|doesn't|don't|implement*");
    if !matches!(first, Some(QuestionIntent::Compare | QuestionIntent::Path)) && !is_divided {
        absorb_containers(&question, &mut named);
        holding = facts(&named)?;
        weighed = readings(&phrase, &holding, evidence);
    }
    let mut understood = assemble(text, &named);
    // Selected and earlier subjects stand before the named ones.
    for (at, target) in about.iter().enumerate() {
        let mention = if hints.is_selected { "(selected)" } else { "(asked about before)" };
        understood.plan.subjects.insert(at, subject(mention, target, NameMatch::Exact, None));
        understood.targets.insert(at, target.clone());
    }
    let intent = weighed.first().map_or(QuestionIntent::Explain, |reading| reading.intent);
    // A module runs nothing by itself: the way through it is its contents.
    let is_module = |target: &Target| target.main().record.kind == EntityKind::Module;
    let are_modules = !understood.targets.is_empty() && understood.targets.iter().all(is_module);
    let intent = if intent == QuestionIntent::Flow && are_modules { QuestionIntent::Members } else { intent };
    // `methods of f`: a function has none of its own, and no others are asked for.
    let is_callable = |target: &Target| target.main().record.kind.is_callable();
    let of_function = phrase.has("methods/functions/classes/members of/in/inside/within §")
        && named.files.is_empty()
        && !understood.targets.is_empty()
        && understood.targets.iter().all(is_callable);
    let intent = if intent == QuestionIntent::Select && of_function { QuestionIntent::Members } else { intent };
    if intent != QuestionIntent::Files {
        corrections.extend(choose_files(store, &mut understood)?);
    }
    let intent = if set.is_some() { QuestionIntent::Select } else { intent };
    let is_called = |target: &Target| is_callable(target) || target.main().record.kind == EntityKind::Class;
    let lists_calls = set.is_none()
        && matches!(intent, QuestionIntent::Usage | QuestionIntent::Examples | QuestionIntent::Select)
        && understood.targets.iter().any(is_called)
        && phrase.has("call* | pass/passes/passing | invok* | creat* | construct* | instantiat* | who/where/what/which .. use/uses/used/using");
    let intent = if argument.is_some() && lists_calls { QuestionIntent::Usage } else { intent };
    corrections.extend(argument.take_if(|_| !lists_calls).and_then(|argument| note_on_argument(&argument, intent)));
    understood.argument = argument;
    if set.is_none() && understood.argument.as_ref().is_none_or(|argument| !argument.is_denied) {
        corrections.extend(note_on_denial(&phrase, &filters, intent, &named));
    }
    understood.set = set;
    understood.plan.polarity = forms::polarity(&phrase);
    understood.plan.filters = filters;
    understood.plan.literals = literals;
    understood.plan.frames = frames;
    understood.plan.task = forms::task(&phrase, &holding, intent);
    understood.plan.readings = weighed;
    understood.plan.words = words;
    understood.change = forms::change(&phrase, &holding);
    understood.direction = match details(&phrase, &holding, "direction:").first() {
        Some(_) => UsageDirection::Outgoing,
        None => UsageDirection::Incoming,
    };
    understood.verb = forms::verb(&phrase, &holding);
    understood.unit_tests_only = phrase.has("unit test*|unittest*");
    understood.is_move = is_move;
    understood.plan.outside = outside;
    understood.exceptions = exceptions(store, &named)?;
    understood.handling = handling(&phrase);
    understood.revision = revision(&phrase, &question);
    if let Some((_, end)) = phrase.place("^ which/what file/files/module/modules") {
        // The files are asked for: the rest says which.
        let rest = question.words.iter().skip(end).map(|word| word.text.as_str());
        understood.search = rest.collect::<Vec<_>>().join(" ");
    }
    if is_foreign {
        understood.search = question.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    }
    if understood.plan.filters.noun.is_some() {
        (understood.described, understood.further) = further(&phrase);
    }
    understood.words = phrase.words;
    // A message is looked up by its words, and a line as it stands.
    if holding.contains("line") && intent != QuestionIntent::Text {
        let targets: Vec<&Target> = understood.targets.iter().collect();
        for (_, quote) in &question.quotes {
            let paths: Vec<&str> = named.files.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
            understood.plan.lines.push(find_line(store, sources, quote, &targets, &paths)?);
        }
    }
    understood.plan.notes.extend(corrections);
    finish(store, &mut understood)?;
    Ok(understood.read_as(intent))
}

/// Whether a question for all definitions of a kind has words that say more: `which functions import json` is not for
/// all functions.
fn has_further_words(phrase: &Phrase) -> bool {
    const OF_LISTS: &str = "app application available constant constants count currently endpoint endpoints enums exception \
         exceptions fixture fixtures helper helpers inner level library main nested number outer plain routes top total";
    let says_nothing =
        |word: &String| is_stop_word(word) || OF_LISTS.split_whitespace().any(|known| known == word.as_str());
    phrase.words.iter().zip(&phrase.is_name).any(|(word, is_name)| !is_name && !says_nothing(word))
}

/// The words of a question for definitions of a kind that neither belong to such a question nor state a condition:
/// those before the kind, and those behind it.
fn further(phrase: &Phrase) -> (Vec<String>, Vec<String>) {
    const OF_LISTS: &str = "a all also an and any anybody anyone anything anywhere app application are at \
         available be by can code codebase constant constants \
         contain contained contains could count currently declare declared define defined defines definition definitions do \
         does each enums every exist existing exists file files find for found from get give got has have helper here how i in \
         inner inside is it its level library list located main many me module my name named names nested number of on one or \
         our out outer outside package packages plain please program project provide provided provides repo repository see show \
         source src tell test tests that the their there these this those to top total us was we were what whats where which \
         with within you";
    let is_of_lists = |word: &str| OF_LISTS.split_whitespace().any(|known| known == word);
    let understood = forms::places_of_filters(phrase);
    // `incl. warnings` adds a remark.
    let remark = phrase.place("incl/including/included").map_or(phrase.words.len(), |(start, _)| start);
    let kind = (0..remark).find(|at| noun_of(&phrase.words[*at]).is_some()).unwrap_or_default();
    let is_further = |at: &usize| {
        let word = &phrase.words[*at];
        !phrase.is_name[*at] && !understood.contains(at) && !is_of_lists(word) && noun_of(word).is_none()
    };
    let (before, behind): (Vec<usize>, Vec<usize>) = (0..remark).filter(is_further).partition(|at| *at < kind);
    let words = |places: Vec<usize>| places.into_iter().map(|at| phrase.words[at].clone()).collect();
    (words(before), words(behind))
}

/// The words with their names blanked, and the words that stand for earlier subjects.
fn phrase(question: &ParsedQuestion, named: &QuestionNames, has_about: bool) -> Phrase {
    let is_name = |(at, word): (usize, &QuestionWord)| {
        let is_pronoun = has_about && PRONOUNS.split(' ').any(|pronoun| pronoun == word.lower());
        named.blank.contains(&at) || word.shape == Shape::Path || is_pronoun
    };
    Phrase {
        words: question.words.iter().map(|word| with_apostrophe(&word.lower())).collect(),
        is_name: question.words.iter().enumerate().map(is_name).collect(),
    }
}

/// The words in lower case, with the kind of each name in its place: `who calls <function>`.
fn words_with_kinds(question: &ParsedQuestion, named: &QuestionNames, phrase: &Phrase) -> Vec<String> {
    let mut words = Vec::new();
    for (at, word) in question.words.iter().enumerate() {
        let mention = named.mentions.iter().find(|mention| mention.at == at);
        let file = named.files.iter().find(|file| file.text == word.text);
        let kind = match (mention, file) {
            (Some(mention), _) if is_exception_name(&mention.text) => "<exception>",
            (Some(mention), _) => match mention.meanings.targets.first().map(|target| target.main().record.kind) {
                Some(EntityKind::Class) => "<class>",
                Some(EntityKind::Module) => "<module>",
                Some(kind) if kind.is_callable() => "<function>",
                Some(_) => "<variable>",
                None => "<unknown>",
            },
            (None, Some(file)) if file.is_folder => "<folder>",
            (None, Some(_)) => "<file>",
            (None, None) if named.parameters.contains(&word.text) => "<param>",
            (None, None) if phrase.is_name.get(at) == Some(&true) => "<unknown>",
            (None, None) => {
                let lower = word.lower();
                let parts = lower.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
                words.extend(parts.map(str::to_owned));
                continue;
            }
        };
        words.push(kind.to_owned());
    }
    words
}

/// Takes the file of the main package where several have the name that the question gives, and there the one nearest to
/// the root: tests and others come after.
fn choose_files(store: &Store, understood: &mut Understood) -> Result<Vec<String>, StoreError> {
    let mut notes = Vec::new();
    let is_open = |file: &&mut PlannedFile| !file.is_folder && file.paths.len() > 1;
    for file in understood.plan.files.iter_mut().filter(is_open) {
        let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
        for (_, known) in store.files()? {
            *sizes.entry(first_folder(&known.path).to_owned()).or_default() += 1;
        }
        let size = |path: &String| sizes.get(first_folder(path)).copied().unwrap_or_default();
        // A file outside of all folders stands by itself.
        let is_inside = |path: &String| path.contains('/');
        let rank =
            |path: &String| (is_aside(path), is_inside(path).then(|| Reverse(size(path))), path.matches('/').count());
        let best = file.paths.iter().map(rank).min();
        let (chosen, others): (Vec<String>, Vec<String>) =
            std::mem::take(&mut file.paths).into_iter().partition(|path| Some(rank(path)) == best);
        if !others.is_empty() {
            notes.push(format!(
                "`{}` is taken for {}; also: {}",
                file.mention,
                chosen.join(" and "),
                others.join(", ")
            ));
        }
        file.paths = chosen;
    }
    Ok(notes)
}

/// The folder at the root in which a file stands; empty for a file at the root.
fn first_folder(path: &str) -> &str {
    path.split_once('/').map_or("", |(folder, _)| folder)
}

/// Texts of a question that names nothing: `what uses click` may mean a module from outside.
fn implied_literals(question: &ParsedQuestion, phrase: &Phrase) -> Vec<Literal> {
    let literal = |text: &str| Literal { text: text.to_owned(), is_message: false };
    if phrase.has(EVERY_VARIABLE) {
        return ["os.environ", "getenv"].map(literal).to_vec();
    }
    let place = phrase.place(
        "who/what/which/where/anything/anyone/anybody/something/still .. use/uses/using/import/imports/imported/need/needs|\
         who/what/which .. depend/depends/rely/relies on",
    );
    let behind = place.map(|(_, at)| question.words[at..].iter());
    let mut behind =
        behind.into_iter().flatten().skip_while(|word| matches!(word.lower().as_str(), "the" | "a" | "an"));
    if let Some(word) = behind.next().filter(|word| !is_stop_word(&word.lower())) {
        return vec![literal(&word.text)];
    }
    // A word in capitals is an abbreviation, unless something reads it.
    let is_read = phrase.has("read/reads/set/sets/respect*/honor*/honour*/env*/variable*");
    let is_setting = |word: &&QuestionWord| word.text.len() > 3 && word.text.chars().all(|c| c.is_ascii_uppercase());
    question.words.iter().filter(|word| is_read && is_setting(word)).map(|word| literal(&word.text)).collect()
}

/// The facts that decide which forms apply, except those about texts and filters.
fn facts(
    store: &Store,
    question: &ParsedQuestion,
    named: &QuestionNames,
    about: &[Target],
    phrase: &Phrase,
) -> Result<Facts, StoreError> {
    let settled = settled(named);
    let (subjects, unknown, files) = (settled + about.len(), named.mentions.len() - settled, named.files.len());
    let is_only_capitalized =
        |mention: &NameMention| question.words[mention.at].shape == Shape::Capitalized && mention.hint.is_none();
    let is_code = |mention: &NameMention| {
        let is_known = !mention.meanings.targets.is_empty() || mention.text.contains('_');
        question.words[mention.at].shape == Shape::Code && is_known
    };
    let is_here = phrase.has("this/the/my/our repo/repository/code/codebase/project/package/library|here|we|our");
    let is_free =
        unknown + files == 0 && !is_here && about.is_empty() && named.mentions.iter().all(is_only_capitalized);
    let has_code = named.mentions.iter().any(is_code) || files > 0;
    let is_place = subjects + unknown + files > 0;
    let kind = about.first().or_else(|| named.mentions.iter().find_map(|mention| mention.meanings.targets.first()));
    let kind = kind.map(|target| target.main().record.kind);
    let (is_local, is_spelled) = if is_place { (false, false) } else { spoken(store, question)? };
    let is_exception = |mention: &NameMention| is_exception_name(&mention.text);
    let either = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
    let mut facts = Facts::from([
        either(subjects > 0, "subject", "nosubject"),
        either(subjects + unknown > 0, "name", "noname"),
        either(is_place, "place", "noplace"),
        either(subjects + unknown > 1, "two", "oneatmost"),
        either(subjects <= 1 && is_place, "onesubject", "several"),
        either(unknown > 0, "unknown", "allknown"),
        either(files > 0, "file", "nofile"),
        either(has_code, "code", "nocode"),
        either(is_free, "free", "bound"),
        either(is_local, "local", "foreign"),
        either(is_spelled, "spelled", "unspelled"),
        either(named.has_parameter, "parameter", "noparameter"),
        either(question.quotes.is_empty(), "noline", "line"),
        either(question.words.len() < SHORT, "short", "long"),
        either(question.words.len() > STORY, "story", "sentence"),
        either(named.mentions.iter().any(is_exception), "exception", "noexception"),
    ]);
    facts.extend(match kind {
        Some(EntityKind::Class) => Some("class"),
        Some(EntityKind::Module) => Some("module"),
        Some(kind) if kind.is_callable() => Some("callable"),
        Some(_) => Some("variable"),
        None => None,
    });
    Ok(facts)
}

fn settled(named: &QuestionNames) -> usize {
    named.mentions.iter().filter(|mention| !mention.meanings.targets.is_empty()).count()
}

/// Resolves what an instance is called here (`app.route`), or else the last part of a dotted name.
fn resolve_instances(
    store: &Store,
    sources: &Sources,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<Vec<String>, StoreError> {
    let mut notes = Vec::new();
    for mention in &mut named.mentions {
        let mut is_known = false;
        for target in &mention.meanings.targets {
            is_known |= store.file(target.main().file)?.is_some_and(|file| !file.is_test);
        }
        // `the setting pool.limit` is no `limit`.
        let before = mention.at.checked_sub(1).map(|at| question.words[at].lower()).unwrap_or_default();
        let is_key = matches!(before.as_str(), "key" | "option" | "setting" | "command" | "event" | "signal");
        if is_known || is_key || !mention.text.contains('.') || mention.text.contains(['/', ':']) {
            continue;
        }
        // `click.command` is one of the library, whatever is called `command` here.
        let first = mention.text.split('.').next().unwrap_or_default();
        if is_library(store, first)? {
            mention.meanings = Meanings::default();
            mention.passed.clear();
            notes.push(format!("`{first}` is a library here: its definitions are not in the index"));
            continue;
        }
        let found = match of_instance(store, sources, &mention.text)? {
            Some(target) => vec![target],
            None => {
                let (head, last) = mention.text.rsplit_once('.').unwrap_or(("", &mention.text));
                if let Some(target) = handed_on(store, head, last)? {
                    notes.push(format!("`{}` is taken for `{}`", mention.text, target.main().full_name()));
                    mention.meanings.targets = vec![target];
                    mention.meanings.how = Some(NameMatch::Exact);
                    continue;
                }
                // `Cart.total` is no `total` of another class where nothing is called `Cart`.
                let is_class = head.starts_with(char::is_uppercase);
                if is_class && meanings(store, head, None, true, "")?.targets.is_empty() {
                    continue;
                }
                // The class of `request` is known, or of a library: `request.json` is no `json` of another class.
                let is_value = |target: &Target| {
                    target.main().record.kind == EntityKind::Variable && !is_aside(&target.main().path)
                };
                if meanings(store, head, None, true, "")?.targets.iter().any(is_value) {
                    continue;
                }
                let targets = meanings(store, last, mention.hint, true, "")?.targets;
                let mut chosen = likeliest(store, last, targets)?.0;
                // A test's own helper is no `last` of something that is not known.
                chosen.retain(|target| !is_aside(&target.main().path));
                chosen
            }
        };
        if let Some(first) = found.first() {
            notes.push(format!("`{}` is taken for `{}`", mention.text, first.main().full_name()));
            mention.meanings.targets = found;
            mention.meanings.how = Some(NameMatch::Exact);
        }
    }
    Ok(notes)
}

/// The definition that a module called `head`, in some package, offers as `last`.
fn handed_on(store: &Store, head: &str, last: &str) -> Result<Option<Target>, StoreError> {
    let modules = meanings(store, head, Some(EntityKind::Module), true, "")?.targets;
    for module in modules.iter().filter(|module| module.main().record.kind == EntityKind::Module) {
        if let Some(target) = member_of(store, module, last)? {
            return Ok(Some(target));
        }
    }
    Ok(None)
}

/// The member of a class or module that has this name.
fn member_of(store: &Store, outer: &Target, name: &str) -> Result<Option<Target>, StoreError> {
    Ok(match known(store, &format!("{}.{name}", outer.main().full_name()), "")? {
        Some(TargetMatch::Found(member)) => Some(member),
        _ => None,
    })
}

/// Forgets definitions that only resemble the name of an exception or a setting, such as `key_error` for `KeyError`.
fn forget_namesakes(named: &mut QuestionNames) {
    // `the __init__s` are many, and the subject stands beside them.
    if named.mentions.len() > 1 {
        named.mentions.retain(|mention| !mention.text.ends_with("__s"));
    }
    for mention in &mut named.mentions {
        let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
        // `NO_COLOR` is a setting, though an attribute `no_color` may hold it.
        let is_setting = mention.text.contains('_') && !mention.text.contains(char::is_lowercase);
        if is_setting && mention.meanings.how.is_some_and(|how| how != NameMatch::Exact) {
            mention.meanings.targets.clear();
        }
        if is_exception_name(&mention.text) && !mention.meanings.targets.iter().any(is_class) {
            mention.meanings.targets.clear();
            mention.passed.clear();
        }
    }
}

/// Drops the names before `I mean`: the one behind it is meant.
fn correct_oneself(phrase: &Phrase, named: &mut QuestionNames) {
    let Some((at, _)) = phrase.place("i mean/meant|sorry|or rather|err") else { return };
    if named.mentions.iter().any(|mention| mention.at > at) {
        named.mentions.retain(|mention| mention.at > at);
    }
}

/// Reads `old_name to new_name` as a renaming where nothing has the new name, and says whether it did.
fn name_the_new(question: &mut ParsedQuestion, named: &QuestionNames) -> bool {
    let is_here = |at: usize| named.mentions.iter().any(|mention| mention.at == at && is_exact(mention));
    let is_new = |at: usize| {
        question.words.get(at).is_some_and(|word| word.shape == Shape::Code && word.text.contains('_')) && !is_here(at)
    };
    let found =
        (1..question.words.len()).find(|at| question.words[*at].lower() == "to" && is_here(at - 1) && is_new(at + 1));
    if let Some(at) = found {
        "becomes".clone_into(&mut question.words[at].text);
    }
    found.is_some()
}

/// Whether a definition has the name as it is written.
fn is_exact(mention: &NameMention) -> bool {
    mention.meanings.how == Some(NameMatch::Exact)
}

/// Drops the place to which something moves: `X from a to b` is about `X`.
fn drop_destination(question: &ParsedQuestion, named: &mut QuestionNames, heads: &str) {
    let is_behind = |at: usize| {
        let word = |back: usize| at.checked_sub(back).and_then(|at| question.words.get(at)).map(QuestionWord::lower);
        let is_to = |word: Option<String>| word.is_some_and(|word| heads.split(' ').any(|head| head == word));
        // `out of the package`: it comes from there.
        let is_out = word(1).as_deref() == Some("of") && word(2).as_deref() == Some("out");
        is_out || is_to(word(1)) || matches!(word(1).as_deref(), Some("the")) && is_to(word(2))
    };
    if named.mentions.iter().any(|mention| !is_behind(mention.at)) || !named.files.is_empty() {
        named.mentions.retain(|mention| !is_behind(mention.at));
    }
    let path_at = |text: &str| question.words.iter().position(|word| word.text == text);
    let has_other = named.files.len() > 1 || !named.mentions.is_empty();
    named.files.retain(|file| !has_other || path_at(&file.text).is_some_and(|at| !is_behind(at)));
}

/// The member of an earlier subject that the question names: `its show method`.
fn own_member(store: &Store, question: &ParsedQuestion, about: &[Target]) -> Result<Option<Target>, StoreError> {
    for pair in question.words.windows(2) {
        if !matches!(pair[1].lower().as_str(), "method" | "property" | "attribute" | "function") {
            continue;
        }
        for target in about {
            if let Some(member) = member_of(store, target, &pair[0].text)? {
                return Ok(Some(member));
            }
        }
    }
    Ok(None)
}

/// Puts the member in the place of the class that the question names: `Heap: which classes override its insert`.
fn own_subject(store: &Store, question: &ParsedQuestion, named: &mut QuestionNames) -> Result<(), StoreError> {
    let [mention] = named.mentions.as_mut_slice() else { return Ok(()) };
    let [class] = mention.meanings.targets.as_slice() else { return Ok(()) };
    for (at, pair) in question.words.windows(2).enumerate() {
        let is_own = matches!(pair[0].lower().as_str(), "its" | "their") && at > mention.at;
        if !is_own || class.main().record.kind != EntityKind::Class {
            continue;
        }
        if let Some(member) = member_of(store, class, &pair[1].text)? {
            mention.meanings.targets = vec![member];
            named.blank.insert(at + 1);
            return Ok(());
        }
    }
    Ok(())
}

/// The names in the question that are exceptions, here or in a library.
fn exceptions(store: &Store, named: &QuestionNames) -> Result<Vec<String>, StoreError> {
    // Most questions name no class, and the reader loads the list of files.
    let mut reader = None;
    let mut found: Vec<String> = Vec::new();
    for mention in &named.mentions {
        let name = mention.text.rsplit('.').next().unwrap_or(&mention.text).to_owned();
        let mut is_one = mention.meanings.targets.is_empty() && name.starts_with(char::is_uppercase);
        for target in mention.meanings.targets.iter().filter(|target| target.main().record.kind == EntityKind::Class) {
            let reader = match &mut reader {
                Some(reader) => reader,
                none => none.insert(FilterReader::new(store)?),
            };
            is_one |= reader.is_exception(target.main())?;
        }
        if is_one && !found.contains(&name) {
            found.push(name);
        }
    }
    Ok(found)
}

/// Whether the question asks who raises, and who catches.
fn handling(phrase: &Phrase) -> (bool, bool) {
    let raises = phrase.has("raise*|throw*");
    let catches = phrase.has("catch*|caught|except|handle*|translate*|swallow*");
    (raises || !catches, catches)
}

/// The revision behind `since`: it has a digit.
fn revision(phrase: &Phrase, question: &ParsedQuestion) -> Option<String> {
    let (_, at) = phrase.place("since/after/from/between")?;
    let words = question.words[at..].iter().take(3);
    let is_revision = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '-'))
            && !text.starts_with(['.', '/', '-'])
    };
    words.map(|word| word.text.clone()).find(|text| is_revision(text))
}

/// Whether some meaningful word of the question is part of a name here, and whether two of them are parts of one name.
fn spoken(store: &Store, question: &ParsedQuestion) -> Result<(bool, bool), StoreError> {
    let words: BTreeSet<String> =
        question.words.iter().map(|word| stem(&word.lower())).filter(|word| word.len() > 2).collect();
    let words: BTreeSet<&String> = words.iter().filter(|word| !is_stop_word(word)).collect();
    let mut most = 0;
    for name in store.names()? {
        let shared: BTreeSet<String> =
            name_parts(&name).map(|part| stem(&part)).filter(|part| words.contains(part)).collect();
        most = most.max(shared.len());
        if most > 1 {
            break;
        }
    }
    Ok((most > 0, most > 1))
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::Strategy, proptest, sample::select};

    use super::*;
    use crate::{model::EntityKind::*, query::fixture::Fixture};

    /// Pieces of questions, meaningful and meaningless ones.
    const PIECES: &[&str] = &[
        "who",
        "which",
        "functions",
        "classes",
        "outside",
        "inherit",
        "import",
        "where",
        "is",
        "defined",
        "calls",
        "what",
        "breaks",
        "if",
        "I",
        "change",
        "the",
        "class",
        "Cart",
        "Cart.add",
        "add",
        "of",
        "parameter",
        "x",
        "`y`",
        "'self.x = 1'",
        "\"",
        "'",
        "`",
        "a/b.py",
        "a/b.py:3",
        ":",
        "::",
        "()",
        "cart.add()",
        "tests",
        "not",
        "covered",
        "folder",
        "a/",
        "?",
        "\u{202e}",
        "名前",
        "Crat",
        "_add_",
        "and",
        "differences",
        "between",
        "depend",
        "on",
        "line",
        "it",
        "derived",
        "from",
        ".",
        "..",
        "@2",
        "Cart@9",
        "§",
        "\u{0}",
        "repository",
        "é'é",
        "```",
        "x.y.z",
        "-",
        "--",
    ];

    proptest! {
        #[test]
        fn any_words_are_understood_or_not_but_never_a_panic(
            words in proptest::collection::vec(select(PIECES), 0..14).prop_map(|words| words.join(" ")),
            glued in proptest::collection::vec(select(PIECES), 0..6).prop_map(|words| words.concat()),
        ) {
            let mut fixture = Fixture::default();
            fixture.file("a/b.py", "a.b").entity(Class, "Cart", 1, 30).entity(Method, "Cart.add", 5, 9);
            fixture.entity(Function, "add", 40, 50);
            let store = fixture.store();
            let sources = Sources::new(|_| Some(b"class Cart:\n    self.x = 1\n".to_vec()));
            let limits = crate::query::impact::walk::Limits::default();
            for question in [&words, &glued] {
                let understood = understand(&store, &sources, question, &Hints::default()).expect("a store in memory");
                let search: &crate::ask::answer::SearchFor = &|question, options| crate::query::search::Searcher::new(&store)?.search(question, options);
                let reading =
                    crate::ask::answer::AnswerInputs { store: &store, sources: &sources, search, limits: &limits, git: &|_| None, changed: &|_| None, part: 1 };
                crate::ask::answer::answer(reading, &understood).expect("a store in memory");
            }
        }
    }

    #[test]
    fn a_misspelled_keyword_is_understood_unless_the_repository_has_the_word() {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(Class, "Cart", 1, 30).entity(Method, "Cart.charge", 5, 9);
        let (store, sources) = (fixture.store(), Sources::new(|_| None));
        let plan = |text: &str| understand(&store, &sources, text, &Hints::default()).expect("a store in memory").plan;
        let found = plan("what is the herarchy of Cart?");
        assert_eq!(
            (found.intent, found.notes),
            (QuestionIntent::Hierarchy, vec!["`herarchy` is read as `hierarchy`".to_owned()])
        );
        assert_eq!(plan("what breaks if charging twice in Cart?").notes, Vec::<String>::new());
    }

    #[test]
    fn names_fall_into_words() {
        let parts = |name: &str| name_parts(name).collect::<Vec<_>>().join(" ");
        assert_eq!(parts("_getHTTPResponse_code2"), "get httpresponse code2");
        assert_eq!(parts("best_discountFor"), "best discount for");
        assert_eq!(
            [stem("discounts"), stem("pricing"), stem("prices"), stem("is")],
            ["discount", "pric", "pric", "is"]
        );
    }
}
