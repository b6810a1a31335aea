//! Understands a question: finds its names, weighs its readings, and fills in the plan.
//!
//! The words propose readings (`forms`), and the index says which facts hold. No language model takes part.

mod facts;
mod own_work;
mod quoted_lines;
mod rephrase;
mod reverse;
mod settle;
mod spoken;
mod whole;

use self::{
    facts::{exceptions, facts, handling, implied_literals, revision, settled},
    own_work::names_a_word,
    quoted_lines::{files_with_line, quoted_lines},
    rephrase::rephrased,
    settle::{
        choose_files, correct_oneself, correct_types, drop_destination, forget_namesakes, forget_topics, name_the_new,
        own_constructor, own_member, own_subject, resolve_instances,
    },
};
use crate::{
    ask::reading::{
        filters::{
            Filters, Noun, find_base, find_kind_of_class, find_limits, find_parameter, find_place_as_kind,
            find_place_of_uses, find_tests, find_types, note_on_argument, note_on_denial,
        },
        follow_up::{
            full_question, is_about_list,
            turns::{GoingOn, Operation},
        },
        forms::{
            self, Facts, QuestionIntent, UsageDirection,
            degrees::Degree,
            details,
            own_change::{AddedSubject, OwnQuestion},
            patterns::{Phrase, is_negation},
            readings,
        },
        languages::translate,
        likeliest::{
            choose_twin, name_by_parts, name_the_family, name_the_module, name_the_thing, pass_over_constants_of_tests,
        },
        literals::{Literal, foreign_frame, frames, literals},
        names::NameMatch,
        plan::{Hints, SELECTED, Understood, assemble, finish, subject},
        relations::{RelationSet, RelationVerb, is_of_relation, noun_of, relations},
        subjects::{
            QuestionNames, absorb_containers,
            decorators::find_decorator,
            members::absorb_place,
            name_parts::{find_metaclass, find_name_part},
            named,
            parameters::name_the_accepted,
            slots::AskedArgument,
            unknown::{names_of_libraries, unknown_beside},
            untested::{AskedSet, name_the_undocumented, name_the_untested},
        },
        words::{
            ParsedQuestion, QuestionWord, Shape, is_in, is_stop_word, members::restore_names,
            misspelled::correct_words, relevant, requests::TaskRequest, spelling::divide_alternatives, with_apostrophe,
        },
    },
    model::EntityKind,
    query::{
        source::Sources,
        target::{Target, filter::is_exception_name},
    },
    store::{Store, error::StoreError},
};

/// Longer texts are stories, not two questions.
const LONGEST_PAIR: usize = 240;
/// Questions for calls that pass something, or whether some do.
const OF_CALLS: &str = "^ who/where/list/show/find/all/is/are/do/does/did/has & !safe/possible/ok/okay/allowed/necessary | \
     ^ which/what .. call/calls/caller/callers/places/code/functions/methods/classes/modules/files/tests/value/values/sites | \
     ^ which/what pass/passes/sets/gives/supplies/specifies | ^ what is/are/gets/get .. passed/given/supplied | ^ how many";
/// Words by which the callers of a definition use its parameter.
const USED_BY_CALLS: &str = "given/needed/provided/set/specified/used by .. call/calls/caller/callers/anybody/anyone/anything | \
     ^ is/are ... passed $ | ^ is/are ... ever given/passed/specified/supplied | \
     ^ is/are the/a/an .. argument/arg/parameter/param/keyword ... used";
/// Words of which a question about the places of an exception has one; others ask for its class.
const OF_FAILURES: &str = "rais*|throw*|thrown|catch*|caught|except|handl*|swallow*|suppress*|translat*|cause*|causing|emit*|generat*|\
     produc*|trigger*|creat*|originat*|occur*|happen*|come/comes/came/coming from|bubbl*|propagat*|why|when|where|if|get/gets/got/hit/see";
/// Words that refer to the subject of the previous question.
const PRONOUNS: &str = "it its this that they them their these those";

/// Understands `text`, with its misspelled words put right, and both halves of it where it has two.
pub fn understand(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    let Some((corrected, notes)) = correct_words(store, text)? else {
        return understand_corrected(store, sources, text, hints);
    };
    let mut understood = understand_corrected(store, sources, &corrected, hints)?;
    understood.plan.notes.splice(..0, notes);
    Ok(understood)
}

fn understand_corrected(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    let whole = text;
    let full = full_question(store, hints, text)?;
    let hints = &match &full {
        // `these` stands for the list, and for no subject from before.
        Some(full) if !full.among.is_empty() => {
            Hints { listed: full.among.clone(), about: Vec::new(), ..hints.clone() }
        }
        Some(_) => hints.clone(),
        None => Hints { listed: hints.conversation.listed(store)?, ..hints.clone() },
    };
    let text = full.as_ref().map_or(text, |full| &full.text);
    let (other, reverse) = rephrased(store, text)?;
    let asked = text;
    let text = &*relevant(other.as_deref().unwrap_or(text));
    let mut understood = understand_part(store, sources, text, hints)?;
    if reverse.is_some() {
        asked.clone_into(&mut understood.plan.question);
        understood.reverse = reverse;
    }
    let may_be_own = !hints.is_selected && !names_a_word(text);
    if let Some(own) = OwnQuestion::of(text).filter(|own| may_be_own && !is_namesake(&understood, own)) {
        // The name that such a question has may be no part of the change.
        if own.revision.is_none() && own.within.is_none() && own.against.is_none() {
            understood = understood.of_own_change(&own);
        }
        understood.own = Some(own);
    }
    understood.added = if may_be_own { AddedSubject::of(asked) } else { None };
    let read_as = if understood.reverse.is_some() { None } else { other.as_ref() };
    let read_as = read_as.or(full.as_ref().map(|full| &full.text));
    let words = |text: &str| text.replace('`', "");
    let is_other = |text: &&String| words(text) != words(whole.trim());
    understood.plan.notes.extend(read_as.filter(is_other).map(|text| format!("read as `{}`", words(text))));
    if let Some(full) = &full {
        understood.plan.topic.clone_from(&full.topic);
        understood.plan.goes_on = Some(full.goes_on);
        if let Some(said) = &full.said {
            understood.plan.subjects.clear();
            understood.uncounted = None;
            understood.said = Some((said.clone(), full.among.clone()));
        }
    }
    let is_open = |set: &RelationSet| set.conditions.is_empty() && !set.among.is_empty();
    let filters = &understood.plan.filters;
    // The noun of the list is no condition on it.
    let is_limited = Filters { noun: None, ..filters.clone() }.is_any();
    let narrows = understood.set.as_ref().is_some_and(|set| set.narrows(filters));
    let says_nothing = !is_limited && !narrows && filters.in_tests().is_none() && understood.plan.files.is_empty();
    let lacks_condition = understood.set.as_ref().is_none_or(|set| is_open(set) && says_nothing);
    let is_unread = understood.set.as_ref().is_some_and(|set| leaves_unread(&understood, set));
    if is_of_list(text) && !hints.listed.is_empty() && (is_unread || lacks_condition) {
        understood.lost_list = Some(hints.listed.len());
    }
    // Not about the whole repository: `what do they raise?`.
    let is_named = understood.plan.subjects.iter().any(|subject| whole.contains(&subject.mention));
    let is_open = full.is_none() && understood.own.is_none() && !is_named && understood.plan.files.is_empty();
    if is_open && is_about_list(hints, whole) && understood.set.as_ref().is_none_or(|set| set.among.is_empty()) {
        understood.lost_list = Some(hints.listed.len());
    }
    if understood.lost_list.is_some() && understood.said.is_none() && !hints.conversation.turns.is_empty() {
        understood.plan.goes_on = Some(GoingOn { operation: Operation::Lost, list: 0 });
    }
    understood.is_subject_lost = full.is_none() && speaks_of_it(text) && !understood.plan.subjects.is_empty() && {
        let mut subjects = understood.plan.subjects.iter();
        subjects.all(|subject| subject.mention != SELECTED && !subject.mention.starts_with('('))
    };
    if read_as.is_none() && understood.reverse.is_none() && text.len() < whole.len() {
        understood.plan.notes.push(format!("the text is long: {} of its {} bytes were read", text.len(), whole.len()));
    }
    Ok(understood)
}

/// Whether a condition on the list before has words that nothing read.
fn leaves_unread(understood: &Understood, set: &RelationSet) -> bool {
    const SAID: &str = "all also any both just most not of ones only them themselves those";
    let is_tested = set.conditions.iter().any(|one| one.verb == RelationVerb::Tested);
    let is_object = |word: &str| {
        let mut names = set.conditions.iter().flat_map(|one| one.of.split('.'));
        names.any(|name| name.eq_ignore_ascii_case(word))
    };
    let is_related = |word: &str| !set.conditions.is_empty() && (is_of_relation(word) || is_object(word));
    let is_read = |word: &String| is_in(SAID, word) || is_stop_word(word) || is_related(word);
    let mut words = understood.described.iter().chain(&understood.further);
    !set.among.is_empty() && !is_tested && words.any(|word| !is_read(word))
}

/// Whether the noun that speaks of a change names a definition here: `the diff`.
fn is_namesake(understood: &Understood, own: &OwnQuestion) -> bool {
    let is_named = |noun: &str| {
        let mut subjects = understood.plan.subjects.iter();
        subjects.any(|subject| subject.mention == noun && subject.matched == NameMatch::Exact)
    };
    own.doubtful.is_some_and(is_named)
}

/// Whether `it` is the subject of a question beside another name: `is it called by f`.
fn speaks_of_it(text: &str) -> bool {
    const DEEDS: &str = "called covered created derived imported inherited instantiated needed overridden raised referenced \
         tested used call create depend derive extend import inherit need override raise reach reference return use";
    const KINDS: &str = "attribute base child instance member method parent part property subclass subtype superclass";
    let words = ParsedQuestion::parse(text).lower_words();
    let words: Vec<&str> = words.iter().map(String::as_str).skip_while(|word| is_in("and but so", word)).collect();
    let [verb, "it", rest @ ..] = words.as_slice() else { return false };
    let deed = rest.iter().find(|word| !is_in("a an also directly ever still the", word));
    is_in("is was does did has can could", verb)
        && deed.is_some_and(|word| is_in(DEEDS, word) || is_in(KINDS, word) && rest.len() > 1)
}

/// Whether a question chooses among what the answer before lists: `which of them`.
fn is_of_list(text: &str) -> bool {
    let words: Vec<String> = ParsedQuestion::parse(text).lower_words();
    words.windows(3).any(|three| {
        matches!(three, [which, of, them] if matches!(which.as_str(), "which" | "many" | "any" | "all" | "some" | "none" | "one")
            && of == "of" && matches!(them.as_str(), "them" | "those" | "these"))
    })
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
                first.set_question(text);
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
    // `tell me about X and how I could improve it` is one request.
    let told: Vec<&str> = second.split_whitespace().collect();
    if TaskRequest::of(&told, &|_| false).is_some_and(|request| request.about.is_empty()) {
        return None;
    }
    // `show X and its callers`
    let is_own = second.trim_start_matches("and ").starts_with("its ");
    let least = if is_own { 2 } else { 3 };
    let words = |text: &str| text.split_whitespace().count();
    (words(first) >= least && words(second) >= least).then_some((first, second))
}

fn read(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    let mut question = ParsedQuestion::parse(text);
    let is_foreign = translate(&mut question);
    if question.words.first().is_some_and(|word| matches!(word.lower().as_str(), "who" | "where")) {
        // `who decorates with @f` is about `f`; other questions take it for a condition.
        for word in question.words.iter_mut().filter(|word| word.text.len() > 1 && word.text.starts_with('@')) {
            word.text = word.text.trim_start_matches('@').to_owned();
            word.shape = Shape::Code;
        }
    }
    divide_alternatives(store, &mut question)?;
    restore_names(store, &mut question)?;
    let mut corrections = Vec::new();
    let mut named = named(store, &question, &hints.folder)?;
    if is_foreign {
        // An untranslated word behind `function` is hardly a name.
        named
            .mentions
            .retain(|mention| !mention.meanings.targets.is_empty() || question.words[mention.at].shape != Shape::Plain);
    } else {
        unknown_beside(store, sources, &question, &mut named)?;
    }
    names_of_libraries(store, sources, &mut named)?;
    // `which tests check this`: the word between is what the tests do.
    let is_test_verb = |at: usize| {
        let word = |at: usize| question.words.get(at).map(QuestionWord::lower).unwrap_or_default();
        at > 0
            && matches!(word(at - 1).as_str(), "test" | "tests" | "testcases")
            && PRONOUNS.split(' ').any(|pronoun| pronoun == word(at + 1))
    };
    named.mentions.retain(|mention| question.words[mention.at].shape != Shape::Plain || !is_test_verb(mention.at));
    if let Some(value) = named.argument.as_ref().and_then(|argument| argument.value.as_deref()) {
        // A value is no line of code.
        question.quotes.retain(|(_, quote)| value.trim_matches('"') != quote);
    }
    let lines = quoted_lines(store, sources, &mut question, &mut named)?;
    files_with_line(sources, text, &mut named);
    corrections.extend(resolve_instances(store, sources, &question, &mut named)?);
    forget_namesakes(&question, &mut named);
    forget_topics(&question, &mut named);
    pass_over_constants_of_tests(store, sources, &mut named)?;
    let outside = find_limits(store, &question, &mut named)?;
    // Read before other steps take a name for their own: `from A but not from B` needs both.
    let is_passed = named.argument.as_ref().is_some_and(|argument| argument.is_passed)
        || phrase(&question, &named, false).has(USED_BY_CALLS);
    let mut argument = named.argument.take();
    let mut set = relations(store, &question, &phrase(&question, &named, false), &named, &hints.listed)?;
    // No filter knows `untested`: whether tests reach a definition is a question of its own.
    // Later steps read `tests in` as a place.
    let lacks_tests = phrase(&question, &named, false).has(
        "untested/uncovered | without test/tests | without any/a/unit test/tests | have/has/having no/zero test/tests | \
         have/has/having no unit test/tests | lack/lacks/lacking test/tests | don't/doesn't have any/a/unit test/tests | \
         don't/doesn't have test/tests | not/never/aren't/isn't tested | not/never/aren't/isn't .. covered by .. test/tests",
    );
    let asks_of_all = phrase(&question, &named, false).has(
        "^ are/is all/every/each ... tested/covered/exercised/reached | ^ do/does/have/has all/every/each ... test/tests $",
    );
    let mut untested = AskedSet::default();
    if lacks_tests || asks_of_all {
        let filters = Filters::of(&phrase(&question, &named, false));
        untested = name_the_untested(store, &question, &filters, &mut named)?;
    }
    name_by_parts(store, &question, &mut named)?;
    name_the_thing(store, &question, &mut named)?;
    name_the_module(store, &question, &mut named)?;
    let family = name_the_family(store, &question, &mut named)?;
    let mut phrase = phrase(&question, &named, false);
    let mut filters = Filters::of(&phrase);
    corrections.extend(untested.note);
    corrections.extend(name_the_undocumented(store, &question, &mut filters, &mut named)?);
    phrase = self::phrase(&question, &named, false);
    let unused_in = find_place_of_uses(&question, &filters, &mut named);
    find_name_part(text, &question, &phrase, &mut filters, &mut named);
    find_metaclass(&question, &phrase, &mut filters, &mut named);
    find_decorator(&question, &phrase, &mut filters, &mut named);
    if filters.decorator.is_some() && filters.decorator_argument.is_none() {
        // `decorated with hookimpl(tryfirst=True)`
        let given = argument.take_if(|argument| argument.value.is_some() && phrase.has("decorated | wrapped | marked"));
        filters.decorator_argument = given.map(|argument| argument.worded());
    }
    find_types(&question, &phrase, &mut filters, &mut named);
    corrections.extend(correct_types(store, sources, &mut filters)?);
    let is_derived = find_base(store, &question, &phrase, &mut filters, &mut named)?;
    // Who overrides something is asked of all heirs of its class.
    let is_set = set.as_ref().is_some_and(|set| set.is_asked(&filters, !named.files.is_empty()));
    let divides = !is_set && phrase.has("overrid* | implement* | defin* | redefin* | inherit* | deriv*");
    let above = if divides { None } else { find_kind_of_class(store, &question, &filters, &mut named)? };
    filters.base = filters.base.or_else(|| above.as_ref().map(|base| base.record.name.clone()));
    if filters.noun.is_some_and(Noun::is_callable) && filters.takes.is_none() {
        name_the_accepted(store, &question, &mut named)?;
    }
    find_parameter(&phrase, &mut filters, &mut named);
    let counts_tests = find_tests(store, &phrase, &mut filters, &mut named)?;
    let has_kind = filters.noun.is_some();
    corrections.extend(find_place_as_kind(store, &question, &phrase, &mut filters, &mut named)?);
    let counts_place = counts_tests || !has_kind && filters.noun.is_some() && filters.has("count");
    set = set.filter(|_| !is_passed || settled(&named) > 1);
    set = set.filter(|set| filters.metaclass.is_none() && set.is_asked(&filters, !named.files.is_empty()));
    if let Some(set) = &mut set {
        set.take_over(&mut filters);
        set.add_base(above);
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
    own_constructor(store, &question, &mut named)?;
    phrase = self::phrase(&question, &named, !about.is_empty());
    let words = words_with_kinds(&question, &named, &phrase);
    // The model knows whole questions in English: of other languages only some words are translated.
    let evidence = if is_foreign || !about.is_empty() { &[][..] } else { &words };
    let degree = Degree::of(&phrase, &filters);
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
        facts.extend(has(phrase.has(OF_FAILURES), "failing"));
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
        let is_argument = |literal: &Literal| !literal.is_message && literal.text.contains('=');
        facts.extend(has(literals.iter().any(is_argument), "passed"));
        facts.extend(has(is_derived, "derived"));
        facts.extend(has(degree.is_some_and(|degree| degree.asks_for_list(has_subject)), "degree"));
        facts.extend(has(filters.is_any() || !has_further_words(&phrase), "whole"));
        facts.extend(has(!frames.is_empty(), "frames"));
        facts.extend(has(frames.is_empty() && foreign_frame(text).is_some(), "alien"));
        facts.extend(filters.facts());
        Ok(facts)
    };
    absorb_place(&question, &mut named);
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
    restore_names(store, &mut understood.question)?;
    // Selected and earlier subjects stand before the named ones.
    for (at, target) in about.iter().enumerate() {
        let mention = if hints.is_selected { SELECTED } else { "(asked about before)" };
        understood.plan.subjects.insert(at, subject(mention, target, NameMatch::Exact, None));
        understood.targets.insert(at, target.clone());
    }
    let intent = weighed.first().map_or(QuestionIntent::Explain, |reading| reading.intent);
    // `show C and Gadget`: a name that nothing has is no instruction to write it.
    let is_shown = intent == QuestionIntent::Edit && !understood.targets.is_empty() && phrase.has("^ show");
    let intent = if is_shown { QuestionIntent::Show } else { intent };
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
    let is_list = matches!(intent, QuestionIntent::Select | QuestionIntent::Members | QuestionIntent::Files);
    let intent = if is_list && lacks_tests { QuestionIntent::Coverage } else { intent };
    // Whether something exists, and where, is asked of every file with the name.
    let is_of_places = match intent {
        QuestionIntent::Text => true,
        QuestionIntent::Usage | QuestionIntent::Handled | QuestionIntent::Raised => !understood.targets.is_empty(),
        _ => false,
    };
    if intent != QuestionIntent::Files && !is_of_places && !phrase.has("^ is/are there") {
        corrections.extend(choose_files(store, &mut understood)?);
    }
    let intent = if set.is_some() || counts_place { QuestionIntent::Select } else { intent };
    let is_called = |target: &Target| is_callable(target) || target.main().record.kind == EntityKind::Class;
    // A variable may give a callable another name.
    let is_variable = |target: &Target| target.main().record.kind == EntityKind::Variable && is_passed;
    let is_list = matches!(intent, QuestionIntent::Usage | QuestionIntent::Examples | QuestionIntent::Select);
    let speaks_of_calls =
        phrase.has("call* | invok* | creat* | construct* | instantiat* | who/where/what/which .. use/uses/used/using");
    // Nothing but a list of calls answers `which calls pass x to f`.
    let is_other = matches!(intent, QuestionIntent::Impact | QuestionIntent::Edit | QuestionIntent::History);
    let is_of_passing = is_passed && (!is_other && phrase.has(OF_CALLS) || phrase.has("^ calls/callers"));
    let has_called = understood.targets.iter().any(|target| is_called(target) || is_variable(target));
    let lists_calls = set.is_none() && (is_of_passing || is_list && speaks_of_calls) && has_called;
    let intent = if argument.is_some() && lists_calls { QuestionIntent::Usage } else { intent };
    let is_condition = |argument: &AskedArgument| argument.is_passed || argument.value.is_some();
    let left_out = argument.take_if(|_| !lists_calls).filter(is_condition);
    corrections.extend(left_out.and_then(|argument| note_on_argument(&argument, intent)));
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
    understood.test_kind = forms::test_kind(&phrase);
    understood.is_move = is_move;
    understood.plan.outside = outside;
    understood.unused_in = unused_in;
    understood.degree = degree;
    understood.uncounted.clone_from(&named.uncounted);
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
        (understood.described, understood.further) = further(&phrase, &understood.plan.filters, degree);
    }
    understood.words = phrase.words;
    understood.is_of_family = untested.fact == Some("family");
    // The names limit what is asked about; they make the question no one for a list of names.
    if untested.name.is_some() {
        understood.plan.filters.name = untested.name;
    }
    understood.is_of_world = holding.contains("world");
    // A message is looked up by its words, and a line as it stands.
    if intent != QuestionIntent::Text || lines.iter().any(|line| line.is_called_line) {
        understood.plan.lines = lines;
    }
    understood.plan.notes.extend(corrections);
    finish(store, &mut understood)?;
    Ok(understood.read_as(intent))
}

/// Words that a question for definitions of a kind has around the kind and its conditions.
const OF_LISTS: &str = "a all also an and any anybody anyone anything anywhere app application are at \
     available be by can code codebase constant constants contain contained contains could count currently declare \
     declared define defined defines definition definitions do does each endpoint endpoints enums every exception \
     exceptions exist existing exists file files find fixture fixtures for found from get give got has have helper \
     helpers here how i in inner inside is it its itself level library list located main many me module my name named names \
     nested number of on one or our out outer outside package packages plain please program project provide provided \
     provides rank ranked repo repository routes see show source src tell test tests that the their there these this those to top \
     total us was we were what whats where which whose with within you";

fn is_of_lists(word: &str) -> bool {
    OF_LISTS.split_whitespace().any(|known| known == word)
}

/// Whether a question for all definitions of a kind has words that say more: `which functions import json` is not for
/// all functions.
fn has_further_words(phrase: &Phrase) -> bool {
    let says_nothing = |word: &String| is_stop_word(word) || is_of_lists(word);
    phrase.words.iter().zip(&phrase.is_name).any(|(word, is_name)| !is_name && !says_nothing(word))
}

/// The words of a question for definitions of a kind that neither belong to such a question nor state a condition:
/// those before the kind, and those behind it.
fn further(phrase: &Phrase, filters: &Filters, degree: Option<Degree>) -> (Vec<String>, Vec<String>) {
    let mut understood = forms::places_of_filters(phrase);
    understood.extend(degree.into_iter().flat_map(|_| Degree::places(phrase)));
    understood.extend(filters.places_of_names(phrase));
    // `incl. warnings` adds a remark.
    let remark = phrase.place("incl/including/included").map_or(phrase.words.len(), |(start, _)| start);
    let kind = (0..remark).find(|at| noun_of(&phrase.words[*at]).is_some()).unwrap_or_default();
    // `take a proxies parameter`
    let is_of_parameter = |word: &str| {
        const WORDS: [&str; 8] = ["accept", "arg", "argument", "kwarg", "keyword", "param", "parameter", "tak"];
        let counts = filters.least_parameters.or(filters.most_parameters).is_some();
        let is_denial = is_negation(word) && !filters.denied.is_empty()
            || word == "called" && filters.denied.contains(&"parameter");
        let speaks_of_some = filters.parameter.is_some() || filters.takes.is_some() || counts;
        let speaks_of_some = speaks_of_some || filters.has_mark_of_parameters();
        is_denial || speaks_of_some && WORDS.iter().any(|known| word.starts_with(known))
    };
    let is_further = |at: &usize| {
        let word = &phrase.words[*at];
        let is_read_denial = !filters.denied.is_empty() && (is_negation(word) || word == "but");
        if is_of_parameter(word) || is_read_denial {
            return false;
        }
        // `abstract base classes`
        let is_of_kind = word == "base" && filters.marks.contains(&"abstract");
        !is_of_kind && !phrase.is_name[*at] && !understood.contains(at) && !is_of_lists(word) && noun_of(word).is_none()
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

#[cfg(test)]
mod tests {
    use proptest::{prelude::Strategy, proptest, sample::select};

    use super::*;
    use crate::{
        ask::reading::words::{name_parts, stem},
        model::EntityKind::*,
        query::fixture::Fixture,
    };

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
                    crate::ask::answer::AnswerInputs { store: &store, sources: &sources, search, limits: &limits, git: &|_| None, changed: &|_| None, reviewed: &|_| Err(crate::ask::answer::changes::own::NotReviewed::default()), privacy: &Default::default, part: Some(1) };
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
