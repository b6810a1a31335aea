//! Yes or no to `does X have Y`: users, tests, heirs, a member, a parameter, a docstring.
//!
//! The object of the sentence decides. Where the index does not tell such a thing, the answer says so: a `yes` that
//! only means that `X` exists would be false.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::testing,
            definitions::{setters::setter, signature},
            in_words,
            relations::{hierarchy::hierarchy, usage},
        },
        reading::{
            filters::Filters,
            forms::{Polarity, QuestionIntent, UsageDirection, patterns::Phrase},
            names::NameMatch,
            plan::Understood,
            subjects::slots::is_parameter_name,
            words::{ParsedQuestion, QuestionWord, Shape, is_in, is_stop_word},
        },
    },
    model::{EntityFlags, EntityKind, RelationshipKind, written_signature::WrittenSignature},
    query::{
        navigate::{outside::outside_bases, tree::TreeKind, tree::tree},
        target::{
            Target, TargetMatch,
            filter::{DefinitionMark, Filter, FilterReader, parameters},
            known, lineage,
        },
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Verbs behind which stands the thing that a definition may have.
const VERBS: &str = "accept contain declare define have has implement own provide take";
/// Words around the name of a definition, and before the thing.
const AROUND: &str = "a an any class function its method module own package some the";
const PARAMETERS: &str = "arg argument arguments args kwarg kwargs param parameter parameters params";
const MEMBERS: &str = "attribute field function member method property variable";

/// The thing that a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Thing {
    /// Places that use it, of this kind or of any.
    Uses(Option<RelationshipKind>),
    Tests,
    Heirs,
    Docstring,
    Annotations,
    Decorators,
    Overloads,
    ResultType,
    /// A parameter of this name, or any.
    Parameter(Option<String>),
    /// Parameters of a kind: keyword-only ones, with defaults.
    Parameters(DefinitionMark),
    /// Members of a kind.
    Members(&'static str, &'static [EntityKind]),
    /// Members of a kind under conditions: `abstract methods`.
    Marked(&'static str, &'static [EntityKind], Box<Filter>),
    /// A member of this name.
    Member(String),
    /// Something that the index does not tell.
    Other(String),
}

/// Answers whether a definition has something; `None` for other questions.
pub(in crate::ask::answer) fn having(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let question = &understood.question;
    let Some((owner, verb, object)) = sentence(question) else { return Ok(None) };
    let owners = owners(reading.store, understood, &owner.text)?;
    if owners.is_empty() {
        return Ok(nothing_called(understood, object));
    }
    let of_parameters = parameters_asked(understood, object);
    if of_parameters.is_none() && object.iter().any(|word| word.lower().starts_with("default")) {
        let answer = signature(reading, &understood.clone().read_as(QuestionIntent::Signature))?;
        let command = understood.clone().read_as(QuestionIntent::Signature).command();
        return Ok(Some(Answer { command, ..answer }));
    }
    if object.iter().any(|word| is_slip(understood, &word.text)) {
        return Ok(None);
    }
    let thing = match of_parameters {
        Some(mark) => Some(Thing::Parameters(mark)),
        None if is_accepting(verb) => accepted(reading.store, &owners, object)?,
        None => thing(understood, object, verb),
    };
    let Some(thing) = thing else { return Ok(None) };
    let mut asked = understood.clone();
    let is_owner = |name: &String| owners.iter().any(|owner| owner.main().full_name() == *name);
    asked.targets.clone_from(&owners);
    asked.plan.subjects.retain(|subject| is_owner(&subject.name));
    asked.plan.polarity = Polarity::Used;
    asked.direction = UsageDirection::Incoming;
    asked.set = None;
    let mut answer = match thing {
        Thing::Uses(kind) => {
            asked.verb = kind;
            asked = asked.read_as(QuestionIntent::Usage);
            usage(reading, &asked)?
        }
        Thing::Tests => {
            asked = asked.read_as(QuestionIntent::Tests);
            testing::tests(reading, &asked)?
        }
        Thing::Heirs => {
            // A class called `Base` would make it a question for bases.
            asked.words.clear();
            asked = asked.read_as(QuestionIntent::Hierarchy);
            let mut answer = hierarchy(reading, &asked)?;
            if let [owner] = owners.as_slice() {
                let is_class = owner.main().record.kind == EntityKind::Class;
                let has_some = is_class && !tree(reading.store, owner, TreeKind::Subclasses)?.branches.is_empty();
                answer.headline = format!("{}: {}", if has_some { "yes" } else { "no" }, answer.headline);
            }
            answer
        }
        thing => {
            asked = asked.read_as(QuestionIntent::Show);
            let mut answer = Answer::new(asked.plan.clone(), String::new());
            let mut headlines = Vec::new();
            for owner in &owners {
                answer.want(owner.main(), "asked about", false);
                headlines.push(match setter(reading, understood, owner)? {
                    Some(verdict) => verdict,
                    None => verdict(reading, owner, verb, &thing, &mut answer)?,
                });
            }
            answer.headline = headlines.join("; ");
            answer
        }
    };
    if answer.command.is_empty() {
        answer.command = asked.command();
    }
    Ok(Some(answer))
}

fn is_accepting(verb: &str) -> bool {
    matches!(verb, "accept" | "take")
}

/// The kind of parameters that the object of the sentence names: `keyword-only parameters`, `**kwargs`.
fn parameters_asked(understood: &Understood, object: &[QuestionWord]) -> Option<DefinitionMark> {
    let said: Vec<String> = object.iter().map(QuestionWord::lower).collect();
    // `does f take args` may ask for any argument.
    let is_any = said == ["args"] && !understood.plan.question.contains("*args");
    if is_any || object.iter().any(|word| understood.plan.parameters.contains(&word.text)) {
        return None;
    }
    let words: Vec<String> = ["functions", "with"].map(str::to_owned).into_iter().chain(said).collect();
    let marks = Filters::of(&Phrase::of_words(words)).conditions().marks;
    marks.into_iter().find(|mark| mark.is_of_parameters())
}

/// The parameter of `does f accept timeout`: some function has one of that name.
fn accepted(store: &Store, owners: &[Target], object: &[QuestionWord]) -> Result<Option<Thing>, StoreError> {
    let is_around = |word: &&QuestionWord| {
        let lower = word.lower();
        !is_in(PARAMETERS, &lower) && !is_in(AROUND, &lower) && !is_in("called named", &lower)
    };
    let names: Vec<&QuestionWord> = object.iter().filter(is_around).collect();
    let has_parameters = |owner: &Target| {
        let kind = owner.main().record.kind;
        kind == EntityKind::Class || kind.is_callable()
    };
    let [name] = names.as_slice() else { return Ok(None) };
    let is_name = !name.text.starts_with(char::is_uppercase) && (name.is_quoted || !name.text.contains('.'));
    if !is_name || !owners.iter().all(has_parameters) {
        return Ok(None);
    }
    let is_known = name.is_quoted || name.text.contains('_') || is_parameter_name(store, &name.text)?;
    Ok(is_known.then(|| Thing::Parameter(Some(name.text.clone()))))
}

/// The answer where the thing is a name that nothing has: `does the package have a function f`.
fn nothing_called(understood: &Understood, object: &[QuestionWord]) -> Option<Answer> {
    let is_kind = |word: &QuestionWord| MEMBERS.split(' ').chain(["class"]).any(|known| known == word.lower());
    let unknown = understood.plan.unknown.iter().find(|one| object.iter().any(|word| word.text == one.mention))?;
    let is_asked = understood.targets.is_empty() && object.iter().any(is_kind);
    let mut answer = Answer::new(understood.plan.clone(), format!("no: nothing here is called `{}`", unknown.mention));
    answer.is_guess = true;
    is_asked.then_some(answer)
}

/// The definition, the verb and the object of `does X have Y` and `has X a Y`.
fn sentence(question: &ParsedQuestion) -> Option<(&QuestionWord, &str, &[QuestionWord])> {
    let words = &question.words;
    let is_one = |word: &QuestionWord, known: &str| known.split(' ').any(|known| known == word.lower());
    // `do all methods of X have tests` asks for no thing of `X`.
    if words.get(1).is_some_and(|word| is_one(word, "all each every everything")) {
        return None;
    }
    let subject = (1..words.len()).find(|at| !is_one(&words[*at], AROUND))?;
    let (verb, object) = match words[0].lower().as_str() {
        "does" | "do" => {
            let known =
                VERBS.split(' ').find(|known| words.get(subject + 1).is_some_and(|word| word.lower() == *known));
            (known?, words.get(subject + 2..)?)
        }
        "has" | "have" => ("have", words.get(subject + 1..)?),
        _ => return None,
    };
    // `has X been changed` and `does X have to return` ask for no thing.
    let is_verb = object.first().is_none_or(|word| matches!(word.lower().as_str(), "to" | "been" | "ever" | "not"));
    let begins = object.first().is_some_and(|first| {
        verb != "have" || words[0].lower().starts_with("do") || is_one(first, AROUND) || noun(&first.lower()).is_some()
    });
    (!is_verb && begins).then_some((&words[subject], verb, object))
}

/// The definitions that the question calls so; a class or module also where its member is the subject.
pub(in crate::ask::answer) fn owners(
    store: &Store,
    understood: &Understood,
    text: &str,
) -> Result<Vec<Target>, StoreError> {
    let subjects = understood.plan.subjects.iter().zip(&understood.targets);
    let named: Vec<Target> =
        subjects.filter(|(subject, _)| subject.mention == text).map(|(_, target)| target.clone()).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let last = text.rsplit('.').next().unwrap_or(text);
    let mut found = Vec::new();
    for subject in &understood.plan.subjects {
        for place in [&subject.within, &subject.inherited_by].into_iter().flatten() {
            let is_it = place.rsplit('.').next().is_some_and(|name| name.eq_ignore_ascii_case(last));
            if let Some(TargetMatch::Found(owner)) = is_it.then(|| known(store, place, "")).transpose()?.flatten() {
                found.push(owner);
            }
        }
    }
    found.dedup();
    Ok(found)
}

/// Whether nothing is called so, and a similar name was taken.
fn is_slip(understood: &Understood, text: &str) -> bool {
    let mut subjects = understood.plan.subjects.iter();
    subjects.any(|subject| subject.mention == text && subject.matched == NameMatch::Slip)
}

/// The things that a word means by itself.
fn noun(lower: &str) -> Option<Thing> {
    use EntityKind::{Class, Function, Method, Property, Variable};
    Some(match lower {
        "caller" | "callers" | "calls" | "callsites" => Thing::Uses(Some(RelationshipKind::Calls)),
        "importers" | "imports" => Thing::Uses(Some(RelationshipKind::Imports)),
        "user" | "users" | "use" | "uses" | "usage" | "usages" | "reference" | "references" => Thing::Uses(None),
        "test" | "tests" | "testcase" | "testcases" => Thing::Tests,
        "subclass" | "subclasses" | "child" | "children" | "heirs" | "descendants" => Thing::Heirs,
        "docstring" | "docstrings" => Thing::Docstring,
        "annotations" | "hints" => Thing::Annotations,
        "decorator" | "decorators" => Thing::Decorators,
        "overload" | "overloads" => Thing::Overloads,
        "methods" => Thing::Members("method", &[Method, Property]),
        "properties" => Thing::Members("property", &[Property]),
        "attributes" | "fields" | "variables" => Thing::Members("variable", &[Variable, Property]),
        "classes" => Thing::Members("class", &[Class]),
        "functions" => Thing::Members("function", &[Function, Method]),
        "members" => Thing::Members("member", &[Class, Function, Method, Property, Variable]),
        _ => return None,
    })
}

/// The thing that the object of the sentence names; `None` where its words speak of something else.
fn thing(understood: &Understood, object: &[QuestionWord], verb: &str) -> Option<Thing> {
    let lower: Vec<String> = object.iter().map(QuestionWord::lower).collect();
    let is_of = |word: &str, known: &str| known.split(' ').any(|known| known == word);
    // `an attribute called params`, `a method tests`: the name is no kind.
    let kind = lower.iter().position(|word| is_of(word, "called named")).or_else(|| {
        let (last, before) = lower.split_last()?;
        before.last().filter(|word| is_of(word, MEMBERS) && !is_of(last, MEMBERS)).map(|_| before.len())
    });
    let is_said = |known: &str| lower[..kind.unwrap_or(lower.len())].iter().any(|word| is_of(word, known));
    let plan = &understood.plan;
    let is_named = |word: &&QuestionWord| {
        let is_mention =
            plan.subjects.iter().map(|one| &one.mention).chain(plan.unknown.iter().map(|one| &one.mention));
        word.shape == Shape::Code
            || word.is_quoted
            || plan.parameters.contains(&word.text)
            || is_mention.into_iter().any(|mention| *mention == word.text)
    };
    let is_plain = |word: &&QuestionWord| {
        let lower = word.lower();
        !is_of(&lower, PARAMETERS)
            && !is_of(&lower, MEMBERS)
            && !is_of(&lower, AROUND)
            && !is_of(&lower, "called named")
    };
    if is_said(PARAMETERS) {
        let name = object.iter().find(is_named).or_else(|| object.iter().find(is_plain));
        return Some(Thing::Parameter(name.map(|name| name.text.clone())));
    }
    if is_said("return result") && is_said("type annotation hint hints") {
        return Some(Thing::ResultType);
    }
    let first = lower.iter().position(|word| !is_of(word, AROUND) && !is_of(word, "type direct unit"));
    let thing = first.and_then(|at| noun(&lower[at]));
    if let Some(thing) = thing.filter(|_| kind.is_none() && !object.iter().any(|word| is_named(&word))) {
        return Some(thing);
    }
    // `any abstract methods`
    let stated = Filter { is_in_tests: None, ..plan.filters.conditions() };
    let marked = first.filter(|_| !stated.is_empty()).and_then(|at| noun(lower.get(at + 1)?));
    if let Some(Thing::Members(noun, kinds)) = marked {
        return Some(Thing::Marked(noun, kinds, Box::new(stated)));
    }
    let name = kind.and_then(|at| object[at..].iter().find(|word| !is_of(&word.lower(), "called named")));
    let member = name.or_else(|| object.iter().find(is_named)).or_else(|| {
        // `define total`, `a method total`: an everyday word is a name there.
        let mut plain = object.iter().filter(is_plain);
        let only = plain.next().filter(|_| plain.next().is_none() && (is_said(MEMBERS) || verb != "have"));
        only.filter(|word| !is_stop_word(&word.lower()) || is_said(MEMBERS))
    });
    // `does A implement B` asks for the bases of `A` where `B` is a class.
    let is_class =
        |name: &str| plan.subjects.iter().any(|subject| subject.mention == name && subject.kind == EntityKind::Class);
    match member {
        Some(word) if is_class(&word.text) && verb == "implement" => None,
        Some(word) => Some(Thing::Member(word.text.clone())),
        None => Some(Thing::Other(object.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))),
    }
}

/// Yes or no for one definition, with the places that say so.
fn verdict(
    reading: AnswerInputs,
    owner: &Target,
    verb: &str,
    thing: &Thing,
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let main = owner.main();
    let name = main.full_name();
    let at = format!("{} at {}:{}", main.record.kind, main.path, main.record.start_line);
    let either = |is: bool| if is { "yes" } else { "no" };
    let has = |is: bool| if is { "has" } else { "has no" };
    let one = |is: bool, noun: &str| {
        let article = if is { "a " } else { "" };
        format!("{}: `{name}` {} {article}{noun} ({at})", either(is), has(is))
    };
    if !matches!(thing, Thing::Member(_)) {
        answer.beside("asked about", vec![ListRow::of(main)]);
    }
    Ok(match thing {
        Thing::Docstring => one(owner.entities.iter().any(|entity| !entity.record.doc.is_empty()), "docstring"),
        Thing::Annotations => {
            let filter = Filter { has_annotations: Some(true), ..Filter::default() };
            let is_so = FilterReader::new(reading.store)?.accepts(&filter, main)?;
            let not = if is_so { "" } else { "not " };
            format!("{}: the parameters and the result of `{name}` are {not}all annotated ({at})", either(is_so))
        }
        Thing::Decorators => {
            let decorators: Vec<String> = main.record.decorators.iter().map(|one| format!("`@{one}`")).collect();
            if decorators.is_empty() {
                format!("no: `{name}` has no decorator ({at})")
            } else {
                format!("yes: `{name}` has {} ({at})", in_words(&decorators))
            }
        }
        Thing::ResultType => {
            let written = |entity: &Entity| Some(entity.record.signature.rsplit_once("->")?.1.trim().to_owned());
            match written(owner.implementation()).or_else(|| written(main)) {
                Some(result) => format!("yes: `{name}` is annotated to return `{result}` ({at})"),
                None => format!("no: the result of `{name}` is not annotated ({at})"),
            }
        }
        Thing::Overloads => {
            let overloads = owner.entities.iter().filter(|entity| entity.record.flags.has(EntityFlags::OVERLOAD));
            match overloads.count() {
                0 => format!("no: `{name}` is not overloaded ({at})"),
                all => format!("yes: `{name}` has {} ({at})", count(all, "overload")),
            }
        }
        Thing::Parameter(parameter) => takes(reading.store, owner, verb, parameter.as_deref(), &at)?,
        Thing::Parameters(mark) => {
            let signature = &signatures(reading.store, owner)?;
            let all: Vec<&str> = signature.iter().flat_map(|one| mark.parameters_of(&one.record.signature)).collect();
            let names: BTreeSet<String> = all.into_iter().map(|name| format!("`{name}`")).collect();
            match (names.is_empty(), mark.worded().trim_start_matches("with ")) {
                (true, words) => format!("no: `{name}` is not defined with {words} ({at})"),
                (false, words) => {
                    let names: Vec<String> = names.into_iter().collect();
                    format!("yes: `{name}` is defined with {words}: {} ({at})", in_words(&names))
                }
            }
        }
        Thing::Members(noun, kinds) => {
            let mut rows = Vec::new();
            for member in reading.store.children(main.id)? {
                rows.extend(kinds.contains(&member.record.kind).then(|| ListRow::of(&member)));
            }
            let headline = match rows.len() {
                0 => format!("no: `{name}` has no {noun} of its own ({at})"),
                all => format!("yes: `{name}` has {} of its own ({at})", count(all, noun)),
            };
            answer.list(format!("{} of `{name}` ({})", plural(noun), rows.len()), rows);
            headline
        }
        Thing::Marked(noun, kinds, stated) => {
            let reader = FilterReader::new(reading.store)?;
            let mut rows = Vec::new();
            for member in reading.store.children(main.id)? {
                if kinds.contains(&member.record.kind) && reader.accepts(stated, &member)? {
                    rows.push(ListRow::of(&member));
                }
            }
            let words = stated.words();
            let headline = match rows.len() {
                0 => format!("no: `{name}` has no {noun} of its own that is {words} ({at})"),
                all => format!("yes: `{name}` has {} of its own ({words}; {at})", count(all, noun)),
            };
            answer.list(format!("{} of `{name}` that fit ({})", plural(noun), rows.len()), rows);
            headline
        }
        Thing::Member(member) => member_of(reading.store, owner, verb, member, &at, answer)?,
        Thing::Uses(_) | Thing::Tests | Thing::Heirs => String::new(),
        Thing::Other(words) => {
            format!("whether `{name}` {} is not known: the index does not tell it ({at})", third(verb, words))
        }
    })
}

/// `has a limit`, `defines limits`.
fn third(verb: &str, words: &str) -> String {
    if matches!(verb, "have" | "has") { format!("has {words}") } else { format!("{verb}s {words}") }
}

/// The definitions with the signatures of a callable, or of the constructor of a class.
fn signatures(store: &Store, owner: &Target) -> Result<Vec<Entity>, StoreError> {
    let main = owner.main();
    if main.record.kind != EntityKind::Class {
        return Ok(owner.entities.clone());
    }
    for class in [vec![main.id], lineage(store, main.id)?].concat() {
        let members = store.children(class)?.into_iter();
        let makers: Vec<Entity> =
            members.filter(|one| matches!(one.record.name.as_str(), "__init__" | "__new__")).collect();
        if !makers.is_empty() {
            return Ok(makers);
        }
    }
    Ok(Vec::new())
}

/// Whether a callable, or the constructor of a class, takes a parameter.
fn takes(store: &Store, owner: &Target, verb: &str, parameter: Option<&str>, at: &str) -> Result<String, StoreError> {
    let name = owner.main().full_name();
    let signatures = signatures(store, owner)?;
    let written = |entity: &Entity| WrittenSignature::parse(&entity.record.signature).map(|one| one.parameters.len());
    if signatures.iter().all(|entity| written(entity).is_none()) {
        return Ok(format!("no signature of `{name}` is known here ({at})"));
    }
    let Some(parameter) = parameter else {
        let all = signatures.iter().map(parameters).max().unwrap_or_default() as usize;
        return Ok(match all {
            0 => format!("no: `{name}` takes no parameters ({at})"),
            all => format!("yes: `{name}` takes {} ({at})", count(all, "parameter")),
        });
    };
    let is_taken = |entity: &&Entity| {
        let written = WrittenSignature::parse(&entity.record.signature);
        written.is_some_and(|written| written.parameters.iter().any(|one| one.name == parameter))
    };
    // `**kwargs` takes any name, and hands it on.
    let takes_any = signatures.iter().any(|entity| entity.record.signature.contains("**"));
    Ok(match (signatures.iter().any(|entity| is_taken(&entity)), takes_any) {
        (true, _) => format!("yes: `{name}` has a parameter `{parameter}` ({at})"),
        (false, true) if is_accepting(verb) => {
            format!("yes: `{name}` takes `{parameter}` among its further keywords, by `**` ({at})")
        }
        (false, true) => {
            format!("no: `{name}` has no parameter `{parameter}`, but takes further ones by `**` ({at})")
        }
        (false, false) => format!("no: `{name}` has no parameter `{parameter}` ({at})"),
    })
}

/// The member of a class or module, of its own or from a base.
fn target_of_member(store: &Store, owner: &Entity, member: &str) -> Result<Option<Target>, StoreError> {
    Ok(match known(store, &format!("{}.{member}", owner.full_name()), "")? {
        Some(TargetMatch::Found(found)) => Some(found).filter(|found| found.main().record.name == member),
        _ => None,
    })
}

/// The definition of such a member.
pub(in crate::ask::answer) fn found_member(
    store: &Store,
    owner: &Entity,
    member: &str,
) -> Result<Option<Entity>, StoreError> {
    let last = member.rsplit('.').next().unwrap_or(member);
    Ok(target_of_member(store, owner, last)?.map(|found| found.main().clone()))
}

/// Whether a class or module has a member, of its own or from a base.
pub(in crate::ask::answer) fn member_of(
    store: &Store,
    owner: &Target,
    verb: &str,
    member: &str,
    at: &str,
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let main = owner.main();
    let name = main.full_name();
    // `C.m` is the member `m` of `C`.
    let member = member.rsplit('.').next().unwrap_or(member);
    let asks_for_own = !matches!(verb, "have" | "has");
    if let Some(found) = target_of_member(store, main, member)? {
        let defined = found.main();
        answer.list("the definition", vec![ListRow::of(defined)]);
        answer.want(defined, "asked about", false);
        let place = format!("{} at {}:{}", defined.record.kind, defined.path, defined.record.start_line);
        let owned = defined.full_name();
        let is_elsewhere = found.inherited_by.is_some() || defined.file != main.file;
        return Ok(match (is_elsewhere, asks_for_own) {
            (false, _) => format!("yes: `{owned}` is a {place}"),
            (true, true) => format!("no: `{name}` does not define `{member}` itself; it has the {place}, `{owned}`"),
            (true, false) => format!("yes: `{name}` has the {place}, `{owned}`"),
        });
    }
    answer.beside("asked about", vec![ListRow::of(main)]);
    let mut outside = Vec::new();
    if main.record.kind == EntityKind::Class {
        for class in [vec![main.id], lineage(store, main.id)?].concat() {
            if let Some(class) = store.entity(class)? {
                outside.extend(outside_bases(store, &class)?.into_iter().map(|base| format!("`{base}`")));
            }
        }
    }
    outside.dedup();
    Ok(match (asks_for_own, outside.is_empty()) {
        (true, true) => format!("no: `{name}` does not define `{member}`, nor does a base that is here ({at})"),
        (true, false) => {
            format!("no: `{name}` does not define `{member}`; its bases from outside are {} ({at})", in_words(&outside))
        }
        (false, true) => format!("no: `{name}` has no member `{member}` that is known here ({at})"),
        (false, false) => format!(
            "no: `{name}` has no member `{member}` that is known here, but may have it from {} ({at})",
            in_words(&outside)
        ),
    })
}
