//! Questions for the parts and the size of docstrings: `which functions document :raises`, `which docstrings are longer
//! than 20 lines`, `which parameters does the docstring of f describe`, `is f documented`.

use std::collections::BTreeSet;

use super::{
    Docstring, docstring, documented, owner_of,
    parts::{self, DocPart, PARAMETERS, RAISES, RETURNS},
};
use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow, Snippet, examples, in_words,
            select::choice::worded,
            select::{is_configuration, place, within},
        },
        reading::{filters::Noun, forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::{EntityKind, signature::Signature},
    query::{
        target::{
            Target,
            filter::{Filter, FilterReader},
        },
        words::{count, plural, shell_word},
    },
    store::{error::StoreError, read::Entity},
};

/// Docstrings that are listed when the longest are asked for.
const MAX_LONGEST: usize = 10;
/// Characters of a line that a headline or a row shows.
const LONGEST_LINE: usize = 120;

/// A question with its words in small letters.
struct DocstringQuestion<'a> {
    reading: AnswerInputs<'a>,
    understood: &'a Understood,
    words: Vec<String>,
}

/// Answers them; `None` for other questions.
pub(in crate::ask::answer) fn of_parts(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let question = DocstringQuestion { reading, understood, words };
    for answering in [
        DocstringQuestion::size,
        DocstringQuestion::of_described,
        DocstringQuestion::with_part,
        DocstringQuestion::whether_documented,
    ] {
        if let Some(answer) = answering(&question)? {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

impl DocstringQuestion<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    fn has(&self, list: &str) -> bool {
        self.words.iter().any(|word| is_in(list, word))
    }

    fn begins(&self, list: &str) -> bool {
        is_in(list, self.word(0))
    }

    fn docstring_at(&self) -> Option<usize> {
        self.words.iter().position(|word| is_in(super::DOCSTRINGS, word))
    }

    /// The definitions whose docstring is asked about.
    fn owners(&self) -> Result<Vec<Target>, StoreError> {
        let owner = self.docstring_at().and_then(|at| owner_of(&self.understood.question.words, at));
        let owner = owner.map(|at| self.understood.question.words[at].text.as_str());
        match owner {
            Some(text) if !is_in("functions methods classes modules docstrings", text) => {
                documented(self.reading, self.understood, text)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The definitions outside of tests among which a question looks, with their docstrings; the noun and the place.
    fn all(&self) -> Result<(Vec<(Entity, Docstring)>, &'static str, String), StoreError> {
        let mut asked = self.understood.clone().read_as(QuestionIntent::Select);
        let filters = &mut asked.plan.filters;
        filters.is.retain(|condition| !is_in("count documented undocumented biggest", condition));
        filters.marks.retain(|mark| *mark != "deprecated");
        (filters.least_lines, filters.most_lines, filters.raises, filters.returns) = (None, None, None, None);
        let is_open = matches!(filters.noun, None | Some(Noun::Definition));
        let noun = if is_open { "definition" } else { worded(filters).0 };
        let is_owner = |target: &Target| matches!(target.main().record.kind, EntityKind::Class | EntityKind::Module);
        asked.targets.retain(is_owner);
        let mut filter = asked.filter();
        if is_open {
            filter.kinds.push(EntityKind::Module);
        }
        // A property or a function inside another one has a docstring all the same.
        filter.marks.retain(|mark| mark.as_str() != "outer");
        let is_within = within(&asked);
        let mut all = Vec::new();
        for entity in FilterReader::new(self.reading.store)?.fitting(&filter)? {
            if is_configuration(&entity) || !is_within(&entity) || entity.path.ends_with(".pyi") {
                continue;
            }
            if let Some(docstring) = docstring(self.reading, &entity) {
                all.push((entity, docstring));
            }
        }
        Ok((all, noun, place(&asked, &filter)))
    }

    fn begun(&self, intent: QuestionIntent, headline: String) -> Answer {
        let mut answer = Answer::new(self.understood.clone().read_as(intent).plan, headline);
        answer.plan.notes.retain(|note| !note.contains("leaves out") && !note.contains("is read as `docstring`"));
        answer.plan.unknown.clear();
        answer.command = self.understood.plan.ask_command();
        answer
    }

    /// `which docstrings are longer than 20 lines`, `what is the longest docstring`, `how long is the docstring of f`.
    fn size(&self) -> Result<Option<Answer>, StoreError> {
        let Some(at) = self.docstring_at() else { return Ok(None) };
        let filters = &self.understood.plan.filters;
        let ranks = self.has("longest biggest largest shortest");
        let is_single =
            self.words.windows(2).any(|pair| is_in("one single", &pair[0]) && is_in("line lines", &pair[1]))
                || self.has("one-line single-line one-liner one-liners");
        let least = filters.least_lines.unwrap_or(1);
        let most = filters.most_lines.unwrap_or(if is_single { 1 } else { u32::MAX });
        let is_limited = filters.least_lines.is_some() || filters.most_lines.is_some() || is_single;
        let owners = self.owners()?;
        let is_long = self.word(0) == "how" && is_in("long big", self.word(1));
        let is_count = self.word(0) == "how" && self.word(1) == "many" && is_in("lines", self.word(2));
        if (is_long || is_count) && !owners.is_empty() {
            return Ok(Some(self.length(&owners)));
        }
        // `functions longer than 20 lines with a docstring` are not docstrings of this length.
        let is_subject = self.word(at) == "docstrings"
            || self.has("with whose have has")
                && self.words[..at].iter().any(|word| is_in("whose longest shortest longer shorter", word));
        let is_subject = is_subject
            || at < 3 && self.words[..at].iter().all(|word| is_in("what which is the whose longest shortest", word));
        if !(ranks && self.begins("what which show list whose") || is_limited && is_subject) || !owners.is_empty() {
            return Ok(None);
        }
        if is_limited && self.word(at) == "docstring" && at > 3 {
            return Ok(None);
        }
        let (all, noun, place) = self.all()?;
        let lines = |docstring: &Docstring| docstring.end_line - docstring.start_line + 1;
        let total = all.len();
        let mut found: Vec<(Entity, u32)> = all.iter().map(|(entity, one)| (entity.clone(), lines(one))).collect();
        found.retain(|(_, lines)| (least..=most).contains(lines));
        let is_shortest = self.has("shortest");
        found.sort_by_key(|(_, lines)| if is_shortest { i64::from(*lines) } else { -i64::from(*lines) });
        let first = found.first().map(|(entity, lines)| {
            format!(
                "`{}`: {} ({}:{})",
                entity.full_name(),
                count(*lines as usize, "line"),
                entity.path,
                entity.record.start_line
            )
        });
        let headline = match (&first, ranks) {
            (None, _) => format!("none: not one of {} {place} has so many lines", count(total, "docstring")),
            (Some(first), true) => {
                let word = if is_shortest { "shortest" } else { "longest" };
                let of = if noun == "definition" { String::new() } else { format!(" of a {noun}") };
                format!("the {word} docstring{of} {place} is that of {first}")
            }
            (Some(first), false) => {
                let limit = match (filters.least_lines, filters.most_lines) {
                    (Some(least), Some(most)) if least == most => format!("{} long", count(least as usize, "line")),
                    (Some(least), Some(most)) => format!("{least} to {most} lines long"),
                    (Some(least), None) => format!("at least {} long", count(least as usize, "line")),
                    (None, Some(most)) => format!("at most {} long", count(most as usize, "line")),
                    (None, None) => "one line long".to_owned(),
                };
                let are = if found.len() == 1 { "is" } else { "are" };
                let of = if noun == "definition" { String::new() } else { format!(" of {}", plural(noun)) };
                format!("{} of {}{of} {place} {are} {limit}, first {first}", found.len(), count(total, "docstring"))
            }
        };
        if ranks {
            found.truncate(MAX_LONGEST);
        }
        let mut answer = self.begun(QuestionIntent::Select, headline);
        for (entity, _) in found.iter().take(super::super::MAX_WANTED) {
            answer.want(entity, "it fits", true);
        }
        let rows: Vec<ListRow> =
            found.iter().map(|(entity, lines)| ListRow::of(entity).with(count(*lines as usize, "line"))).collect();
        answer.list(format!("docstrings, by their length ({})", rows.len()), rows);
        Ok(Some(answer))
    }

    /// The number of lines of the docstrings of these.
    fn length(&self, owners: &[Target]) -> Answer {
        let mut said = Vec::new();
        let mut answer = self.begun(QuestionIntent::Show, String::new());
        for entity in owners.iter().flat_map(|target| &target.entities) {
            let name = entity.full_name();
            answer.want(entity, "asked about", false);
            said.push(match docstring(self.reading, entity) {
                Some(Docstring { start_line, end_line, .. }) => {
                    let lines = count((end_line - start_line + 1) as usize, "line");
                    format!("the docstring of `{name}` has {lines} ({}:{start_line}-{end_line})", entity.path)
                }
                None => format!("`{name}` has no docstring ({}:{})", entity.path, entity.record.start_line),
            });
        }
        answer.headline = said.join("; ");
        answer
    }

    /// `which parameters does the docstring of f describe`, `which parameters of f are not documented`, `which
    /// exceptions does the docstring of f name`, `the first line of the docstring of f`.
    fn of_described(&self) -> Result<Option<Answer>, StoreError> {
        const VERBS: &str = "describe describes described document documents documented mention mentions mentioned list lists \
             listed explain explains explained undocumented cover covers covered name names say says";
        let of_parameters = self.words.iter().position(|word| is_in("params parameters args arguments", word));
        let of_exceptions = self.words.iter().position(|word| is_in("exceptions errors", word));
        let of_result = self.has("return returns returned");
        let is_asked = |at: &usize| *at < 4;
        let in_docstring = self.docstring_at().is_some();
        let mut owners = self.owners()?;
        if owners.is_empty() && (in_docstring || self.has("documented undocumented")) {
            owners.clone_from(&self.understood.targets);
        }
        let is_variable = |target: &Target| target.main().record.kind == EntityKind::Variable;
        if owners.iter().any(is_variable) {
            // `request` is an attribute too.
            for subject in &self.understood.plan.subjects {
                owners.extend(documented(self.reading, self.understood, &subject.mention)?);
            }
            owners.retain(|target| !is_variable(target));
        }
        let is_callable =
            |target: &Target| target.main().record.kind.is_callable() || target.main().record.kind == EntityKind::Class;
        if owners.is_empty() || !owners.iter().all(is_callable) || self.has("write add fix generate improve") {
            return Ok(None);
        }
        let is_line = |pair: &[String]| is_in("first summary", &pair[0]) && is_in("line sentence", &pair[1]);
        if in_docstring && (self.words.windows(2).any(is_line) || self.begins("summary")) {
            return Ok(Some(self.first_lines(&owners)));
        }
        let speaks = self.has(VERBS);
        let asks_for = |at: Option<usize>| {
            at.as_ref().is_some_and(is_asked) && speaks && self.begins("what which list show are how undocumented")
        };
        if asks_for(of_parameters) && (in_docstring || self.has("documented undocumented")) {
            return Ok(Some(self.described_parameters(&owners)));
        }
        if asks_for(of_exceptions) && in_docstring {
            return Ok(Some(self.lines_of(&owners, RAISES, "exceptions")));
        }
        if of_result && in_docstring && self.begins("what") && (self.has("value according") || self.has("say says")) {
            return Ok(Some(self.lines_of(&owners, RETURNS, "the result")));
        }
        Ok(None)
    }

    fn first_lines(&self, owners: &[Target]) -> Answer {
        let mut answer = self.begun(QuestionIntent::Show, String::new());
        let mut said = Vec::new();
        for entity in owners.iter().flat_map(|target| &target.entities) {
            let Some(found) = docstring(self.reading, entity) else { continue };
            let first = found.text.lines().map(|line| line.trim().trim_matches('"')).find(|line| !line.is_empty());
            let first: String = first.unwrap_or_default().chars().take(LONGEST_LINE).collect();
            answer.want(entity, "asked about", false);
            said.push(format!(
                "the docstring of `{}` begins: {first} ({}:{})",
                entity.full_name(),
                entity.path,
                found.start_line
            ));
        }
        if said.is_empty() {
            said.push(format!("`{}` has no docstring", owners[0].main().full_name()));
        }
        answer.headline = said.join("; ");
        answer
    }

    /// The parameters that docstrings describe, beside those of the signature.
    fn described_parameters(&self, owners: &[Target]) -> Answer {
        let asks_for_rest = self.has("not undocumented aren't isn't missing");
        let mut answer = self.begun(QuestionIntent::Show, String::new());
        let (mut said, mut rows) = (Vec::new(), Vec::new());
        for target in owners {
            let entity = target.implementation();
            let name = entity.full_name();
            let at = format!("{}:{}", entity.path, entity.record.start_line);
            answer.want(entity, "asked about", false);
            let Some(found) = docstring(self.reading, entity) else {
                said.push(format!("`{name}` has no docstring ({at})"));
                continue;
            };
            let described = parts::parameters(&found.text);
            let signature = Signature::parse(&entity.record.signature).unwrap_or_default();
            let own: Vec<String> = signature
                .parameters
                .into_iter()
                .map(|parameter| parameter.name.trim_start_matches('*').to_owned())
                .filter(|name| !is_in("self cls / *", name) && !name.is_empty())
                .collect();
            let known: BTreeSet<&String> = described.iter().collect();
            let left: Vec<String> =
                own.iter().filter(|one| !known.contains(one)).map(|one| format!("`{one}`")).collect();
            let strange: Vec<String> = described
                .iter()
                .filter(|one| !own.is_empty() && !own.contains(one))
                .map(|one| format!("`{one}`"))
                .collect();
            let names: Vec<String> = described.iter().map(|one| format!("`{one}`")).collect();
            let rest = match left.as_slice() {
                [] => String::new(),
                left => format!("; of its signature it does not describe {}", in_words(left)),
            };
            let more = match strange.as_slice() {
                [] => String::new(),
                strange => format!(
                    "; {} not in the signature",
                    if strange.len() == 1 {
                        format!("{} is", strange[0])
                    } else {
                        format!("{} are", in_words(strange))
                    }
                ),
            };
            let all = count(own.len(), "parameter");
            said.push(match (asks_for_rest, described.len(), left.len()) {
                (true, _, 0) => format!("none: the docstring of `{name}` describes each of its {all} ({at})"),
                (true, _, lacks) => {
                    format!(
                        "{lacks} of {all} of `{name}` {} not described in its docstring: {} ({at})",
                        if lacks == 1 { "is" } else { "are" },
                        in_words(&left)
                    )
                }
                (false, 0, _) => {
                    format!("the docstring of `{name}` describes no parameters, its signature has {} ({at})", own.len())
                }
                (false, number, _) => {
                    format!(
                        "the docstring of `{name}` describes {}: {} ({at}){rest}{more}",
                        count(number, "parameter"),
                        in_words(&names)
                    )
                }
            });
            let line = |(at, text): (usize, &str)| {
                let line = found.start_line + u32::try_from(at).unwrap_or_default();
                let row = ListRow { line, end_line: 0, ..ListRow::of(entity) };
                row.with(text.trim().chars().take(LONGEST_LINE).collect::<String>())
            };
            rows.extend(PARAMETERS.lines(&found.text).map(line));
        }
        answer.headline = said.join("; ");
        answer.list(format!("lines of the docstring ({})", rows.len()), rows);
        answer
    }

    /// The lines of docstrings on the exceptions or on the result.
    fn lines_of(&self, owners: &[Target], part: DocPart, things: &str) -> Answer {
        let mut answer = self.begun(QuestionIntent::Show, String::new());
        let mut said = Vec::new();
        for target in owners {
            let entity = target.implementation();
            let (name, at) = (entity.full_name(), format!("{}:{}", entity.path, entity.record.start_line));
            answer.want(entity, "asked about", false);
            let Some(found) = docstring(self.reading, entity) else {
                said.push(format!("`{name}` has no docstring ({at})"));
                continue;
            };
            let names: Vec<String> = parts::exceptions(&found.text).iter().map(|name| format!("`{name}`")).collect();
            let lines: Vec<(usize, &str)> = part.lines(&found.text).collect();
            said.push(match (lines.first(), part == RAISES && !names.is_empty()) {
                (None, _) => format!("none: the docstring of `{name}` has no part for {things} ({at})"),
                (Some(_), true) => format!("the docstring of `{name}` names {} ({at})", in_words(&names)),
                (Some((_, line)), false) => {
                    let line: String = line.trim().chars().take(LONGEST_LINE).collect();
                    format!("the docstring of `{name}` says of {things}: {line} ({at})")
                }
            });
            let (path, kind) = (entity.path.clone(), entity.record.kind);
            let (start_line, end_line) = (found.start_line, found.end_line);
            let text = self.reading.sources.lines(&path, start_line, end_line);
            answer.blocks.push(AnswerBlock::Source(Snippet { name, kind, path, start_line, end_line, text }));
        }
        answer.headline = said.join("; ");
        answer
    }

    /// `which functions document :raises`, `which docstrings have an Args section`.
    fn with_part(&self) -> Result<Option<Answer>, StoreError> {
        const NOUNS: &str = "functions methods classes docstrings docstring properties modules definitions";
        const VERBS: &str = "document documents documenting have has having with contain contains containing list lists describe \
             describes use uses without lack lacks include includes mention mentions";
        const GLUE: &str = "a all an and any are as block directive do does docstring docstrings field fields for how in is it its \
             list many me of or part parts section sections show tag tags that the their there what which whose don't doesn't \
             not no never functions function methods method classes class modules definitions public private python";
        if !self.begins("which what list show how do are") || !self.has(NOUNS) {
            return Ok(None);
        }
        let verb = self.words.iter().position(|word| is_in(VERBS, word));
        let Some(verb) = verb else { return Ok(None) };
        let part_at = (verb + 1..self.words.len()).find(|at| DocPart::of(&self.words[*at]).is_some());
        let Some((part, at)) = part_at.and_then(|at| Some((DocPart::of(&self.words[at])?, at))) else {
            return Ok(None);
        };
        let raw = self.understood.plan.question.to_lowercase();
        let name = self.words[at].trim_matches(':').to_owned();
        let is_marked = raw.contains(&format!(":{name}")) || raw.contains(&format!("{name}:"));
        let is_technical = is_in("args rtype versionadded versionchanged param seealso ivar cvar", &name);
        let says_part = self.has("section sections field fields block directive tag tags part parts");
        let is_documenting = is_in("document documents documenting", self.word(verb));
        let in_docstring = self.docstring_at().is_some();
        let is_part = in_docstring && (is_marked || is_technical || says_part);
        if !is_part && !is_documenting {
            return Ok(None);
        }
        let understood = self.understood;
        let is_place = |word: &str| {
            let mut files = understood.plan.files.iter().map(|file| &file.mention);
            let mut subjects = understood.plan.subjects.iter().map(|subject| &subject.mention);
            files.any(|mention| mention.to_lowercase() == word)
                || subjects.any(|mention| mention.to_lowercase() == word)
        };
        let is_said = |(place, word): (usize, &String)| {
            place == at || place == verb || is_in(GLUE, word) || is_in(VERBS, word) || is_place(word)
        };
        if !self.words.iter().enumerate().all(is_said) {
            return Ok(None);
        }
        let is_denied = self.has("without lack lacks no not never don't doesn't");
        let (all, noun, place) = self.all()?;
        let total = all.len();
        let found: Vec<&(Entity, Docstring)> =
            all.iter().filter(|(_, one)| part.is_in(&one.text) != is_denied).collect();
        let named: Vec<String> =
            found.iter().take(3).map(|(entity, _)| format!("`{}`", entity.record.qualified)).collect();
        let have = match (found.len() == 1, is_denied) {
            (true, false) => "has",
            (false, false) => "have",
            (true, true) => "has no",
            (false, true) => "have no",
        };
        let of = if noun == "definition" {
            count(total, "docstring")
        } else {
            format!("{} of {}", count(total, "docstring"), plural(noun))
        };
        let headline = match found.len() {
            0 => format!("none: not one of {of} {place} {} {}", if is_denied { "lacks" } else { "has" }, part.shown),
            some => format!("{some} of {of} {place} {have} {}, first {}", part.shown, in_words(&named[..1])),
        };
        let mut answer = self.begun(QuestionIntent::Select, headline);
        for (entity, _) in found.iter().take(super::super::MAX_WANTED) {
            answer.want(entity, "it fits", true);
        }
        let row = |(entity, one): &&(Entity, Docstring)| {
            let line = part.lines(&one.text).next().map_or("", |(_, line)| line.trim());
            ListRow::of(entity).with(line.chars().take(LONGEST_LINE).collect::<String>())
        };
        let rows: Vec<ListRow> = found.iter().map(row).collect();
        answer.list(format!("definitions that fit ({})", rows.len()), rows);
        Ok(Some(answer))
    }

    /// `is f documented`: by its docstring, and by the documents that name it.
    fn whether_documented(&self) -> Result<Option<Answer>, StoreError> {
        const AROUND: &str = "a already class function fully is method module package property properly the well";
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let ["is" | "are", middle @ .., "documented" | "undocumented"] = words.as_slice() else { return Ok(None) };
        let understood = self.understood;
        let is_named =
            |word: &&str| understood.plan.subjects.iter().any(|subject| subject.mention.to_lowercase() == **word);
        let has_docstrings =
            |target: &Target| !matches!(target.main().record.kind, EntityKind::Variable | EntityKind::Document);
        if understood.targets.is_empty()
            || !understood.plan.unknown.is_empty()
            || !understood.targets.iter().all(has_docstrings)
            || !middle.iter().all(|word| is_named(word) || is_in(AROUND, word))
        {
            return Ok(None);
        }
        let asks_contrary = words.last() == Some(&"undocumented");
        let mut answer = self.begun(QuestionIntent::Show, String::new());
        answer.command = format!("repoidx show {}", shell_word(&understood.targets[0].main().full_name()));
        let mut said = Vec::new();
        for target in &understood.targets {
            let entity = target.implementation();
            let name = entity.full_name();
            answer.want(entity, "asked about", false);
            let at = format!("{}:{}", entity.path, entity.record.start_line);
            let found = docstring(self.reading, entity);
            let yes = if found.is_some() == asks_contrary { "no" } else { "yes" };
            let mut one = match &found {
                Some(found) => format!("{yes}: `{name}` has a docstring ({}:{})", entity.path, found.start_line),
                None => format!("{yes}: `{name}` has no docstring ({at})"),
            };
            if matches!(entity.record.kind, EntityKind::Module | EntityKind::Class) {
                one += &self.documented_members(target)?;
            }
            // A plain word in a document may be no name.
            let known = &entity.record.qualified;
            let wanted =
                if known.contains(['.', '_']) || known.chars().skip(1).any(char::is_uppercase) { known } else { &name };
            let documents = examples::sections(self.reading, wanted)?;
            if let Some(first) = documents.first() {
                one += &format!(
                    "; {} of documents {} `{wanted}`, first {}:{}",
                    count(documents.len(), "section"),
                    if documents.len() == 1 { "names" } else { "name" },
                    first.path,
                    first.line
                );
            }
            said.push(one);
            answer.list(format!("sections of documents that name `{wanted}` ({})", documents.len()), documents);
        }
        answer.headline = said.join("; ");
        Ok(Some(answer))
    }

    /// How many of the public definitions inside have a docstring.
    fn documented_members(&self, target: &Target) -> Result<String, StoreError> {
        let main = target.main();
        let kinds = vec![EntityKind::Class, EntityKind::Function, EntityKind::Method, EntityKind::Property];
        let marks = vec![
            crate::query::target::filter::DefinitionMark::Public,
            crate::query::target::filter::DefinitionMark::Outer,
        ];
        let filter = Filter { kinds, marks, paths: vec![main.path.clone()], ..Filter::default() };
        let mut inside = FilterReader::new(self.reading.store)?.fitting(&filter)?;
        inside.retain(|one| one.id != main.id && super::super::holds(main, one));
        let with = inside.iter().filter(|one| !one.record.doc.is_empty()).count();
        Ok(match inside.len() {
            0 => String::new(),
            all => format!(
                "; {with} of its {} {} one",
                count(all, "public definition"),
                if with == 1 { "has" } else { "have" }
            ),
        })
    }
}
