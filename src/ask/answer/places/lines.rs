//! Answers about one line, given by its number or quoted: `line 367 of cart.py`, `cart.py:367`.
//!
//! A line is read as the statement that it belongs to. The index says what the statement refers to and which names it
//! binds; a change of it is answered by the impact of the definition around it.

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow, Snippet, by_intent,
            changes::{self, divided, impacts, polarity_word},
            history, in_words, short_name,
            survey::modules,
        },
        context::lines::{FoundLine, LinePlace},
        reading::{
            forms::{Polarity, QuestionIntent},
            names::{NameMatch, target_of},
            plan::{PlannedFile, QuestionPlan, Understood, subject},
            words::numbered::{from_start, is_from_end, numbered_lines, numbered_statements},
        },
    },
    model::{EntityFlags, EntityKind},
    query::{
        impact::{
            completeness::{Boundary, Completeness},
            walk::factors::Change,
        },
        navigate::lines::{BrokenBlock, LineContent, LineReference, NameBinding, StatementReport, statement_at},
        source::logical_lines::{LogicalLine, logical_lines},
        target::innermost,
        words::{count, shell_word},
    },
    store::{error::StoreError, read::Entity},
};

/// A longer text is a story that has a line in it.
const LONGEST_QUESTION: usize = 30;
/// Lines of source before and after the asked ones.
const AROUND: u32 = 3;
/// Characters of a statement, and names and lines, that a headline repeats.
const MAX_STATEMENT: usize = 80;
const MAX_NAMES: usize = 4;

const REMOVING: &str = "delete deleted deleting deletion drop dropped dropping erase remove removed removing removal";
const CHANGING: &str = "change changed changing edit edited editing modify modified modifying replace replaced rewrite";

/// The lines in question.
struct AskedLines {
    path: String,
    first: u32,
    last: u32,
}

impl AskedLines {
    /// `line 3 of a.py`, or `lines 3-5 of a.py`.
    fn name(&self) -> String {
        let Self { path, first, last } = self;
        if first == last { format!("line {first} of {path}") } else { format!("lines {first}-{last} of {path}") }
    }

    fn has(&self, line: u32) -> bool {
        (self.first..=self.last).contains(&line)
    }
}

/// Answers a question about a line; `None` for other questions. Other files of its name are named.
pub(in crate::ask::answer) fn of_line(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let mut found = about_line(reading, understood)?;
    let is_several = |file: &&PlannedFile| !file.is_folder && file.paths.len() > 1;
    if let (Some(answer), Some(file)) = (&mut found, understood.plan.files.iter().find(is_several)) {
        let (first, others) = (&file.paths[0], file.paths[1..].join(", "));
        answer.plan.notes.push(format!("`{}` is taken for {first}; also: {others}", file.mention));
    }
    Ok(found)
}

fn about_line(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    use QuestionIntent as I;
    let plan = &understood.plan;
    if let Some(quoted) = asked_quote(plan).filter(|quoted| quoted.places.len() != 1) {
        return of_quote(reading, understood, quoted);
    }
    let asked = match asked_lines(reading, understood)? {
        None => return Ok(None),
        Some(Err(why)) => return Ok(Some(Answer::new(plan.clone(), why))),
        Some(Ok(asked)) => asked,
    };
    let Some(text) = reading.sources.text(&asked.path) else { return Ok(None) };
    let all = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    if asked.first == 0 || asked.first > all {
        let AskedLines { first, path, .. } = &asked;
        let headline = format!("there is no line {first} in {path}, which has {}", count(all as usize, "line"));
        return Ok(Some(Answer::new(plan.clone(), headline)));
    }
    let asked = AskedLines { last: asked.last.min(all), ..asked };
    let is_past = plan.intent == I::Changes && has(&understood.words, CHANGING);
    if plan.intent == I::History || is_past {
        return Ok(Some(of_history(reading, understood, &asked)));
    }
    let found = match reading.store.file_id(&asked.path)? {
        Some(file) => statement_at(reading.store, reading.sources, (file, &asked.path), (asked.first, asked.last))?,
        None => None,
    };
    let Some(found) = found else {
        let shown = reading.sources.shown_line(&asked.path, asked.first).unwrap_or_default();
        let headline = format!("{} is {}, in a document: no code depends on it", asked.name(), quoted(&shown));
        let mut answer = Answer::new(plan.clone(), headline);
        answer.blocks.push(source(reading, &asked));
        return Ok(Some(answer));
    };
    match plan.intent {
        _ if is_change(understood) => of_change(reading, understood, &asked, &found).map(Some),
        _ if plan.lines.iter().any(|line| line.is_called_line) || has(&understood.words, "why") => {
            Ok(Some(of_meaning(reading, understood, &asked, &found)))
        }
        I::Tests | I::Coverage | I::Examples | I::Raised | I::Signature | I::Path => {
            let intent = if plan.intent == I::Coverage { I::Tests } else { plan.intent };
            let of_definition = understood.clone().read_as(intent);
            let mut answer = of_definitions(reading, of_definition, &asked, &[&found.within])?;
            let (word, said) = divided(&answer.headline);
            answer.headline = format!("{word}{}; {said}", stands(&asked, &found));
            Ok(Some(answer))
        }
        _ => Ok(Some(of_meaning(reading, understood, &asked, &found))),
    }
}

/// The quoted line that a question is about: one that it calls a line, or code that it quotes whole.
fn asked_quote(plan: &QuestionPlan) -> Option<&FoundLine> {
    use QuestionIntent as I;
    let is_of_code = matches!(plan.intent, I::Explain | I::Show | I::Members | I::Files | I::Search);
    let has_place = !plan.subjects.is_empty() || !plan.files.is_empty();
    let is_asked = |line: &&FoundLine| {
        let is_whole = line.places.iter().any(|place| place.is_whole);
        let is_there = !line.places.is_empty();
        match plan.intent {
            I::Impact => line.is_called_line || is_there,
            // A message that is called a line is looked for by its words.
            I::Text => line.is_called_line && is_whole,
            _ => line.is_called_line && (is_there || has_place || is_code(&line.text)) || is_of_code && is_whole,
        }
    };
    plan.lines.iter().find(is_asked)
}

/// Whether a quote has signs that sentences lack.
fn is_code(quote: &str) -> bool {
    quote.contains(['=', '(', '[', '{'])
}

/// Answers a question about a quoted line that stands at several places or at none.
fn of_quote(reading: AnswerInputs, understood: &Understood, quoted: &FoundLine) -> Result<Option<Answer>, StoreError> {
    let impact = understood.clone().read_as(QuestionIntent::Impact);
    if quoted.places.is_empty() {
        return impacts(reading, &impact).map(Some);
    }
    let yes = if has_yes_or_no(understood) { "yes: " } else { "" };
    let places: Vec<String> = quoted.places.iter().map(|place| format!("{}:{}", place.path, place.line)).collect();
    let all = count(places.len(), "place");
    let headline = format!("{yes}the line {} stands at {all}: {}", self::quoted(&quoted.text), some(places));
    if is_change(understood) {
        let mut answer = impacts(reading, &impact)?;
        let (word, effect) = divided(&answer.headline);
        answer.headline = format!("{word}{headline}; {effect}");
        return Ok(Some(answer));
    }
    let mut answer = Answer::new(understood.plan.clone(), headline);
    answer.command = format!("git grep -nF {}", shell_word(&quoted.text));
    changes::lines(reading, &impact, &mut answer);
    Ok(Some(answer))
}

/// Whether a question for a line asks whether it is there.
fn has_yes_or_no(understood: &Understood) -> bool {
    understood.words.first().is_some_and(|first| matches!(first.as_str(), "does" | "is"))
        && understood.words.iter().any(|word| matches!(word.as_str(), "contain" | "have" | "has" | "there"))
}

/// The lines that a question gives by number, or the only place of a quoted line that changes; otherwise why there are
/// none.
fn asked_lines(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Result<AskedLines, String>>, StoreError> {
    let plan = &understood.plan;
    if let Some([place]) = asked_quote(plan).map(|quoted| quoted.places.as_slice()) {
        return Ok(Some(Ok(AskedLines { path: place.path.clone(), first: place.line, last: place.line })));
    }
    // A message that names a line is looked for as it stands.
    let is_shown = !plan.frames.is_empty() || plan.literals.iter().any(|literal| literal.is_message);
    let is_story = is_shown || plan.question.split_whitespace().count() > LONGEST_QUESTION;
    if let Some(range) = numbered_statements(&plan.question).filter(|_| !is_story) {
        return asked_statements(reading, understood, range);
    }
    let Some((first, last)) = numbered_lines(&plan.question).filter(|_| !is_story) else { return Ok(None) };
    let asked = |path: &str, first: u32, last: u32| Some(Ok(AskedLines { path: path.to_owned(), first, last }));
    let is_file = |file: &&PlannedFile| !file.is_folder;
    if let Some(file) = plan.files.iter().find(is_file) {
        let documents = if file.paths.is_empty() { file.documents(reading.store)? } else { Vec::new() };
        return Ok(match file.paths.first().or(documents.first()) {
            Some(path) => {
                let lines = reading.sources.text(path).map_or(0, |text| text.lines().count());
                let all = u32::try_from(lines).unwrap_or(u32::MAX);
                asked(path, from_start(first, all), from_start(last, all))
            }
            None => Some(Err(format!("no indexed file is called `{}`: it has no line {first} here", file.mention))),
        });
    }
    Ok(match understood.targets.first() {
        Some(target) => {
            // An overload has no lines of its own to speak of, unless one of them is given.
            let has_line = |entity: &&Entity| (entity.record.start_line..=entity.record.end_line).contains(&first);
            let main = target.entities.iter().find(has_line).unwrap_or(target.implementation());
            let record = &main.record;
            if is_from_end(first) {
                let before = record.start_line.saturating_sub(1);
                let own = |number: u32| before + from_start(number, record.end_line - before).max(1);
                return Ok(asked(&main.path, own(first), own(last)));
            }
            // `line 3 of the function f` counts from its first line, unless the file has such a line in it.
            let is_inside = record.kind == EntityKind::Module || (record.start_line..=record.end_line).contains(&first);
            let before = if is_inside { 0 } else { record.start_line.saturating_sub(1) };
            if before + first > record.end_line && !is_inside {
                let lines = count((record.end_line - before) as usize, "line");
                Some(Err(format!(
                    "`{}` has no line {first}: it has {lines}, {}:{}",
                    short_name(main),
                    main.path,
                    record.start_line
                )))
            } else {
                asked(&main.path, before + first, before + last)
            }
        }
        None if plan.unknown.is_empty() => {
            Some(Err(format!("the question names no file that has a line {first}: ask for `line {first} of FILE`")))
        }
        None => {
            // A document is no file of the plan.
            let mention = plan.unknown.first().map(|unknown| unknown.mention.clone()).unwrap_or_default();
            let document = PlannedFile { mention, is_folder: false, paths: Vec::new(), others: Vec::new() }
                .documents(reading.store)?;
            document.first().and_then(|path| asked(path, first, last))
        }
    })
}

/// The lines of the statements that a question counts from one end of a definition or file.
fn asked_statements(
    reading: AnswerInputs,
    understood: &Understood,
    (first, last): (u32, u32),
) -> Result<Option<Result<AskedLines, String>>, StoreError> {
    let modules = modules(reading.store, &understood.plan)?;
    let Some(target) = understood.targets.first().or(modules.first()) else { return Ok(None) };
    let owner = target.implementation();
    let Some(text) = reading.sources.text(&owner.path) else { return Ok(None) };
    let own = own_statements(owner, &text);
    let all = u32::try_from(own.len()).unwrap_or(u32::MAX);
    let at = |number: u32| from_start(number, all).checked_sub(1).and_then(|at| own.get(at as usize));
    Ok(Some(match (at(first), at(last)) {
        (Some((start, _)), Some((_, end))) => Ok(AskedLines { path: owner.path.clone(), first: *start, last: *end }),
        _ => {
            let statements = count(own.len(), "statement");
            Err(format!("`{}` has not so many statements: its body has {statements}", short_name(owner)))
        }
    }))
}

/// The first and last lines of the statements in the body of a definition or file, blocks with all that is in them; a
/// docstring is none of them.
fn own_statements(owner: &Entity, text: &str) -> Vec<(u32, u32)> {
    let record = &owner.record;
    let is_module = record.kind == EntityKind::Module;
    let all = logical_lines(text);
    let head = all.iter().find(|line| !is_module && (line.start..=line.end).contains(&record.line));
    let behind = head.map_or(0, |head| head.end);
    let body: Vec<&LogicalLine> =
        all.iter().filter(|line| line.start > behind && (is_module || line.end <= record.end_line)).collect();
    let body = if body.first().is_some_and(|first| first.is_text) { &body[1..] } else { &body[..] };
    let lines: Vec<&str> = text.lines().collect();
    let is_clause = |line: &LogicalLine| {
        let written = lines.get(line.start as usize - 1).map_or("", |line| line.trim_start());
        ["elif", "else", "except", "finally"].iter().any(|keyword| written.starts_with(keyword))
    };
    let mut found: Vec<(u32, u32)> = Vec::new();
    for line in body {
        match found.last_mut() {
            Some(last) if line.indent > body[0].indent || is_clause(line) => last.1 = line.end,
            _ => found.push((line.start, line.end)),
        }
    }
    found
}

/// Whether the line changes or goes: `what does line 3 remove` asks for its meaning.
fn is_change(understood: &Understood) -> bool {
    let words = &understood.words;
    let is_line = |word: &String| matches!(word.as_str(), "line" | "lines" | "statement" | "statements");
    let line = words.iter().position(is_line).unwrap_or(words.len());
    let is_named = |words: &[String]| is_removal(words) || has(words, CHANGING);
    let is_passive = words.windows(2).any(|pair| pair[0] == "be" && is_named(&pair[1..]));
    // `what does line 3 call` asks for its meaning, too.
    let is_verb = |word: &String| ["call", "depend", "need", "refer", "use"].iter().any(|verb| word.starts_with(verb));
    let is_outgoing = words[line..].iter().any(is_verb);
    let is_use = understood.plan.intent == QuestionIntent::Usage && !is_outgoing;
    let depends =
        words[..line].iter().any(|word| ["depend", "relies", "rely"].iter().any(|verb| word.starts_with(verb)));
    (is_use || depends || understood.plan.intent == QuestionIntent::Impact) && !has(words, "why")
        || is_named(&words[..line])
        || is_passive
}

/// Whether words speak of a removal; a line that is commented out is gone too.
fn is_removal(words: &[String]) -> bool {
    let is_commented = |pair: &[String]| pair[0].starts_with("comment") && pair[1] == "out";
    has(words, REMOVING) || words.windows(2).any(is_commented)
}

fn has(words: &[String], known: &str) -> bool {
    words.iter().any(|word| known.split(' ').any(|known| known == word))
}

/// Answers who changed the lines last.
fn of_history(reading: AnswerInputs, understood: &Understood, asked: &AskedLines) -> Answer {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let AskedLines { path, first, last } = asked;
    let found = history::last_commits(reading, *first, *last, path);
    answer.headline = match found.first() {
        Some([id, date, author, subject]) => {
            format!("{} was last changed by {author} on {date}: {subject} ({id})", asked.name())
        }
        None => format!("no commit has {}: it is not committed, or git does not tell", asked.name()),
    };
    answer.command = format!("git log -L {first},{last}:{path}");
    answer.blocks.push(source(reading, asked));
    history::table(format!("commits of {}", asked.name()), found, &mut answer);
    answer
}

/// Answers what a line does: where it stands, what it refers to, which names it binds.
fn of_meaning(reading: AnswerInputs, understood: &Understood, asked: &AskedLines, found: &StatementReport) -> Answer {
    let yes = if has_yes_or_no(understood) { "yes: " } else { "" };
    let mut parts = vec![format!("{yes}{}", stands(asked, found))];
    if has_effect(found) {
        parts.push(refers(asked, found));
        parts.extend(bound(asked, found).map(read));
    }
    alone(reading, understood, asked, found, parts.join("; "))
}

/// An answer that shows the line and all that the index knows of it.
fn alone(
    reading: AnswerInputs,
    understood: &Understood,
    asked: &AskedLines,
    found: &StatementReport,
    headline: String,
) -> Answer {
    let mut answer = Answer::new(understood.plan.clone(), headline);
    answer.command = format!("repoidx show {}:{}", asked.path, asked.first);
    answer.blocks.push(source(reading, asked));
    lists(reading, asked, found, &mut answer);
    answer
}

/// Answers what a change of a line, or a file without it, affects.
fn of_change(
    reading: AnswerInputs,
    understood: &Understood,
    asked: &AskedLines,
    found: &StatementReport,
) -> Result<Answer, StoreError> {
    let polarity = understood.plan.polarity;
    let is_removal = is_removal(&understood.words);
    let mut parts = vec![stands(asked, found)];
    let broken = syntax_without(asked, found).filter(|_| is_removal);
    let is_idle = is_removal && is_last_return(reading, found);
    if (!has_effect(found) || is_idle) && broken.is_none() {
        parts.push(if is_idle {
            "without it the function returns `None` at its end all the same".to_owned()
        } else {
            "nothing that runs changes".to_owned()
        });
        let headline = format!("{}{}", polarity_word(polarity, false), parts.join("; "));
        return Ok(alone(reading, understood, asked, found, headline));
    }
    parts.push(refers(asked, found));
    let mut breaks = broken.is_some();
    let is_parsed = broken.is_none();
    parts.extend(broken);
    // Where nothing parses, no name matters.
    for name in bound(asked, found).filter(|_| is_parsed) {
        let is_lost = is_removal && asked.has(name.line) && !name.read.is_empty() && name.rebound.is_empty();
        breaks |= is_lost || polarity == Polarity::Used && !name.read.is_empty();
        parts.push(if is_lost {
            let verb = if name.read.len() == 1 { "reads" } else { "read" };
            format!("without it `{}` is not bound, and {} {verb} it", name.name, line_numbers(&name.read))
        } else {
            read(name)
        });
    }
    if is_parsed && is_removal && found.text.starts_with("return") {
        parts.push("without it the function runs on, and returns `None` at its end".to_owned());
    }
    let is_module = found.within.record.kind == EntityKind::Module;
    let readers = readers(reading, asked, found)?;
    let owners: Vec<&Entity> = match (found.variables.as_slice(), readers.as_slice()) {
        ([], readers) if is_module && readers.len() <= MAX_NAMES => readers.iter().collect(),
        ([], _) if is_module => Vec::new(),
        ([], _) => vec![&found.within],
        (variables, _) => variables.iter().collect(),
    };
    if owners.is_empty() {
        let names = some(readers.iter().map(|one| format!("`{}`", short_name(one))).collect());
        parts.push(match readers.len() {
            0 => format!("it runs when `{}` is imported", found.within.module),
            all => format!("{all} definitions depend on it: {names}"),
        });
        let word = if breaks { polarity_word(polarity, true) } else { "" };
        return Ok(alone(reading, understood, asked, found, format!("{word}{}", parts.join("; "))));
    }
    let mut of_owner = understood.clone();
    of_owner.change = match found.content {
        LineContent::Head if is_removal && asked.has(found.within.record.line) => Change::Remove,
        LineContent::Head if found.within.record.kind.is_callable() => Change::Signature,
        _ if is_removal && found.variables.iter().any(|one| asked.has(one.record.line)) => Change::Remove,
        _ => Change::Body,
    };
    if of_owner.plan.lines.is_empty() {
        let (path, text, within) = (asked.path.clone(), found.asked.clone(), found.within.full_name());
        let place = LinePlace { path, line: asked.first, within, text: text.clone(), is_whole: true };
        of_owner.plan.lines.push(FoundLine::new(text, vec![place], Vec::new(), true));
    }
    let mut answer = of_definitions(reading, of_owner.read_as(QuestionIntent::Impact), asked, &owners)?;
    let (word, effect) = divided(&answer.headline);
    // A test that lacks one of its steps is what breaks, not what depends on it.
    let is_step = is_removal && found.within.record.flags.has(EntityFlags::TEST) && found.content == LineContent::Code;
    let is_check = found.text.starts_with("assert ");
    let word = match polarity {
        _ if breaks => polarity_word(polarity, true),
        _ if !is_step || is_check => word,
        Polarity::Open => "",
        Polarity::Safe => "perhaps not: ",
        Polarity::Breaks | Polarity::Used => "perhaps: ",
    };
    if is_step {
        let name = short_name(&found.within);
        parts.push(if is_check {
            format!("without it `{name}` checks less")
        } else {
            format!("it is a step of the test `{name}`, which may fail without it")
        });
    }
    parts.push(effect.to_owned());
    answer.headline = format!("{word}{}", parts.join("; "));
    lists(reading, asked, found, &mut answer);
    Ok(answer)
}

/// Whether a statement returns `None` at the end of its function, where it does so without the statement too.
fn is_last_return(reading: AnswerInputs, found: &StatementReport) -> bool {
    let within = &found.within;
    if !matches!(found.text.as_str(), "return" | "return None") || !within.record.kind.is_callable() {
        return false;
    }
    let Some(text) = reading.sources.text(&within.path) else { return false };
    let all = logical_lines(&text);
    let Some(own) = all.iter().find(|line| line.start == found.start) else { return false };
    let is_inside = |line: &&LogicalLine| line.start >= within.record.line && line.end <= within.record.end_line;
    let body: Vec<&LogicalLine> = all.iter().filter(is_inside).collect();
    let indent = body.get(1).map(|line| line.indent);
    body.last().is_some_and(|last| last.start == own.start) && indent == Some(own.indent)
}

/// Why the file does not parse without the lines, if so.
fn syntax_without(asked: &AskedLines, found: &StatementReport) -> Option<String> {
    if matches!(found.content, LineContent::Blank | LineContent::Comment) {
        return None;
    }
    let reason = match (asked.has(found.start), asked.has(found.end)) {
        (true, true) => match found.broken_block? {
            BrokenBlock::WithoutHead(line) => format!("the block at line {line} loses its head"),
            BrokenBlock::Empty(line) => format!("the block of line {line} is empty"),
        },
        (false, false) => return None,
        // Brackets or quotes stay open.
        _ => format!("the rest of lines {}-{} is no statement", found.start, found.end),
    };
    Some(format!("without it the file does not parse: {reason}"))
}

/// Answers a question about a line for definitions: the line stands in them or sets them.
fn of_definitions(
    reading: AnswerInputs,
    mut understood: Understood,
    asked: &AskedLines,
    definitions: &[&Entity],
) -> Result<Answer, StoreError> {
    let plan = &mut understood.plan;
    (plan.subject_count, plan.complexity) = (1, "simple");
    (plan.files, plan.outside) = (Vec::new(), Vec::new());
    (plan.subjects, plan.unknown, plan.parameters) = (Vec::new(), Vec::new(), Vec::new());
    (understood.targets, understood.taken, understood.passed) = (Vec::new(), Vec::new(), Vec::new());
    for entity in definitions {
        let target = target_of(reading.store, entity)?;
        understood.plan.subjects.push(subject(&asked.name(), &target, NameMatch::Exact, None));
        understood.targets.push(target);
    }
    by_intent(reading, &understood)
}

fn has_effect(found: &StatementReport) -> bool {
    matches!(found.content, LineContent::Head | LineContent::Code)
}

/// Where a line stands and what it is.
fn stands(asked: &AskedLines, found: &StatementReport) -> String {
    let within = &found.within;
    let (name, place) = (short_name(within), format!("{}:{}", within.path, within.record.line));
    let is_one = asked.first == asked.last;
    let place = match (within.record.kind, found.content) {
        (EntityKind::Module, _) => format!("at the level of the module `{name}`"),
        (_, LineContent::Head) => format!("in the head of `{name}` ({place})"),
        _ => format!("in `{name}` ({place})"),
    };
    // The first of several lines may be blank.
    let text = quoted(if is_one || !found.asked.trim().is_empty() { &found.asked } else { &found.text });
    let is_part = has_effect(found) && is_one && !asked.has(found.start);
    if is_part {
        let (start, end) = (found.start, found.end);
        return format!(
            "{} is {text}, a part of the statement {} of lines {start}-{end} {place}",
            asked.name(),
            quoted(&found.text)
        );
    }
    let statement = match found.content {
        LineContent::Blank => "it is blank".to_owned(),
        LineContent::Comment => format!("it is a comment, {text}"),
        LineContent::Text if found.asked.trim().is_empty() && is_one => "it is a blank line of a string".to_owned(),
        LineContent::Text => format!("it is {text} in a docstring or another string that nothing reads"),
        _ if !is_one => format!("they begin with {text}"),
        _ if asked.has(found.start) && asked.has(found.end) => format!("it is {text}"),
        _ => format!("it is {text}, the first of a statement of lines {}-{}", found.start, found.end),
    };
    format!("{} {} {place}: {statement}", asked.name(), if is_one { "stands" } else { "stand" })
}

/// The definitions that the lines refer to, and those of the rest of their statement, in words.
fn refers(asked: &AskedLines, found: &StatementReport) -> String {
    let (own, rest): (Vec<&LineReference>, Vec<&LineReference>) =
        found.references.iter().partition(|one| asked.has(one.line));
    let mut said = Vec::new();
    if !found.variables.is_empty() {
        said.push(format!(
            "sets {}",
            some(found.variables.iter().map(|one| format!("`{}`", short_name(one))).collect())
        ));
    }
    said.extend(referred(&own));
    let own = if said.is_empty() { "refers to no definition here".to_owned() } else { in_words(&said) };
    if rest.is_empty() {
        return format!("it {own}");
    }
    format!("it {own}; the rest of the statement {}", referred(&rest).join(", "))
}

/// References by their kind: calls `f`, reads `x`.
fn referred(references: &[&LineReference]) -> Vec<String> {
    let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
    for one in references {
        let (verb, name) = (one.kind.as_str(), format!("`{}`", short_name(&one.entity)));
        match kinds.iter_mut().find(|(known, _)| *known == verb) {
            Some((_, names)) => names.push(name),
            None => kinds.push((verb, vec![name])),
        }
    }
    kinds.into_iter().map(|(verb, names)| format!("{verb} {}", some(names))).collect()
}

/// The first names, and the number of the others.
fn some(mut names: Vec<String>) -> String {
    if names.len() > MAX_NAMES + 1 {
        let more = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("{more} more"));
    }
    in_words(&names)
}

/// The names that the asked lines bind; of lines that bind none, those of their whole statement. The name of a
/// definition is none of its head.
fn bound<'f>(asked: &'f AskedLines, found: &'f StatementReport) -> impl Iterator<Item = &'f NameBinding> {
    let has_own = found.bound.iter().any(|name| asked.has(name.line));
    let is_head = |name: &NameBinding| found.content == LineContent::Head && name.name == found.within.record.name;
    found.bound.iter().filter(move |name| (!has_own || asked.has(name.line)) && !is_head(name))
}

/// The functions, methods and classes that read the names which the lines bind.
fn readers(reading: AnswerInputs, asked: &AskedLines, found: &StatementReport) -> Result<Vec<Entity>, StoreError> {
    let entities = reading.store.entities_of(found.within.file)?;
    let mut readers: Vec<Entity> = Vec::new();
    for line in bound(asked, found).flat_map(|name| &name.read) {
        let is_new = |reader: &&Entity| {
            let is_definition = !matches!(reader.record.kind, EntityKind::Module | EntityKind::Variable);
            is_definition && readers.iter().all(|known| known.id != reader.id)
        };
        let reader = innermost(&entities, *line).filter(is_new).cloned();
        readers.extend(reader);
    }
    Ok(readers)
}

/// A bound name with the lines that read it.
fn read(name: &NameBinding) -> String {
    let again = match name.rebound.as_slice() {
        [] => String::new(),
        lines => format!(" and bound again in {}", line_numbers(lines)),
    };
    match name.read.as_slice() {
        [] => format!("no other line of the file reads `{}`{again}", name.name),
        lines => format!("`{}` is read in {}{again}", name.name, line_numbers(lines)),
    }
}

fn line_numbers(lines: &[u32]) -> String {
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    format!("{noun} {}", some(lines.iter().map(u32::to_string).collect()))
}

/// A statement in quotes, cut where it is long.
fn quoted(text: &str) -> String {
    let text = text.replace('`', "'");
    match text.char_indices().nth(MAX_STATEMENT) {
        Some((at, _)) => format!("`{}…`", text[..at].trim_end()),
        None => format!("`{text}`"),
    }
}

/// Adds the definitions that a statement refers to, and the lines that read its names, before the impact of a change.
fn lists(reading: AnswerInputs, asked: &AskedLines, found: &StatementReport, answer: &mut Answer) {
    let is_impact = |block: &AnswerBlock| matches!(block, AnswerBlock::Impact(_));
    let end = answer.blocks.iter().position(is_impact).unwrap_or(answer.blocks.len());
    let behind = answer.blocks.split_off(end);
    let mut rows = Vec::new();
    for one in &found.references {
        answer.want(&one.entity, "used in the line", true);
        rows.push(ListRow::of(&one.entity).with(format!("{} in line {}", one.kind.as_str(), one.line)));
    }
    answer.want(&found.within, "the line stands in it", found.within.record.kind == EntityKind::Module);
    answer.list(format!("definitions that it refers to ({})", rows.len()), rows);
    for name in bound(asked, found) {
        let row = |line: &u32| {
            let text = reading.sources.shown_line(&asked.path, *line).unwrap_or_default();
            ListRow { name: name.name.clone(), ..ListRow::line(&asked.path, *line, text) }
        };
        let rows: Vec<ListRow> = name.read.iter().map(row).collect();
        answer.list(format!("lines that read `{}` ({})", name.name, rows.len()), rows);
    }
    answer.blocks.extend(behind);
    if found.unresolved > 0 {
        let message = format!("{} in the statement could not be resolved", count(found.unresolved, "occurrence"));
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", found.unresolved, message)]);
    }
}

/// The lines with those around them.
fn source(reading: AnswerInputs, asked: &AskedLines) -> AnswerBlock {
    let start_line = asked.first.saturating_sub(AROUND).max(1);
    let text = reading.sources.lines(&asked.path, start_line, asked.last.saturating_add(AROUND));
    let rows = text.as_deref().map_or(0, |text| u32::try_from(text.lines().count()).unwrap_or(u32::MAX));
    AnswerBlock::Source(Snippet {
        name: asked.name(),
        kind: EntityKind::Module,
        path: asked.path.clone(),
        start_line,
        end_line: start_line + rows.saturating_sub(1),
        text,
    })
}
