//! The choice of the definitions that a question asks for: what the filters find, less what only further reading of
//! the source or of relationships tells.

use std::{cmp::Reverse, collections::BTreeSet};

use super::{is_configuration, nesting::holds_tests, place, within};
use crate::{
    ask::{
        answer::{
            AnswerInputs, ListRow, first_in_words,
            relations::degree::{kept, open_recursion},
            select::remarks::deprecation::{judged_by_source, without_deprecation},
        },
        reading::{
            filters::{Filters, Noun, Ranking},
            forms::degrees::Degree,
            plan::{PlannedFile, Understood},
        },
    },
    model::{EntityKind, RelationshipKind},
    query::{
        impact::selection::reader_of,
        target::{
            filter::{DefinitionMark, Filter, FilterReader, ListOrder, lines, parameters},
            likeliest::is_aside,
        },
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Definitions that are listed when the biggest are asked for.
const MAX_BIGGEST: usize = 10;
/// Definitions with the same figure that a headline names.
const MAX_TIES: usize = 3;
/// Places of definitions with one name that a headline tells.
const MAX_PLACES: usize = 3;

/// Definitions with the figure by which they are ranked.
pub(super) type Ranked = Vec<(usize, Entity)>;

/// The definitions that fit, and what was left out of them.
pub(super) struct ChosenDefinitions<'a> {
    pub(super) reading: AnswerInputs<'a>,
    pub(super) understood: &'a Understood,
    pub(super) filter: Filter,
    pub(super) reader: FilterReader<'a>,
    pub(super) ranking: Option<Ranking>,
    pub(super) degree: Option<Degree>,
    /// The noun for one of them.
    pub(super) noun: &'static str,
    pub(super) found: Ranked,
    /// Their number, of which only the first may be kept.
    pub(super) all: usize,
    /// Definitions of stub files, which the headline counts apart.
    pub(super) stubs: usize,
    /// Recursive ones, if an unknown object has the function that they call by their name.
    pub(super) open: Vec<ListRow>,
    /// Perhaps unused ones: unresolved occurrences have their names.
    pub(super) named_elsewhere: Vec<ListRow>,
    /// Those that the source calls deprecated in part, where that is asked for.
    pub(super) in_part: Option<Vec<ListRow>>,
    /// Lists behind that of the definitions, with their titles.
    pub(super) further: Vec<(String, Vec<ListRow>)>,
}

impl<'a> ChosenDefinitions<'a> {
    /// Chooses the definitions.
    pub(super) fn of(reading: AnswerInputs<'a>, understood: &'a Understood) -> Result<Self, StoreError> {
        let filters = &understood.plan.filters;
        let (mut filter, ranking, degree) = (understood.filter(), filters.ranking(), understood.degree);
        let unused_in = understood.unused_in.as_ref().filter(|_| filter.has_uses == Some(false));
        if unused_in.is_some() {
            filter.has_uses = None;
        }
        if degree.is_some_and(Degree::takes_place) {
            filter.is_in_tests = filter.paths.is_empty().then_some(false);
        }
        let reader = reader_of(reading.store, &filter)?;
        let (deprecation, read) = without_deprecation(&filter);
        let mut found = reader.sorted(&read, ranking.map_or(ListOrder::Place, Ranking::order))?;
        if ranking == Some(Ranking::MostMethods) {
            by_methods(reading, &mut found)?;
        }
        let is_within = within(understood);
        found.retain(|(_, entity)| !is_configuration(entity) && is_within(entity));
        let stubs = leave_out_stubs(understood, &mut found);
        let in_part = deprecation.map(|wanted| judged_by_source(reading, &mut found, wanted));
        if let Some(place) = unused_in {
            found = unused(reading, found, place)?;
        }
        let mut named_elsewhere = Vec::new();
        if filter.has_uses == Some(false) && ranking.is_none() {
            (found, named_elsewhere) = without_open_names(reading, found)?;
        }
        let mut open = Vec::new();
        if let Some(degree) = degree {
            let asked: Vec<Entity> = found.iter().map(|(_, entity)| entity.clone()).collect();
            found = kept(degree, reading, found)?;
            if degree == Degree::Recursive {
                open = open_recursion(reading, &asked, &found)?;
            }
        }
        if let (Some(decorator), Some(argument)) = (&filters.decorator, &filters.decorator_argument) {
            found.retain(|(_, entity)| is_given(reading, entity, decorator, argument));
        }
        let is_of_test_classes = asks_for_test_classes(understood);
        if is_of_test_classes {
            let mut kept = Vec::new();
            for (figure, entity) in found {
                if holds_tests(reading, &entity)? {
                    kept.push((figure, entity));
                }
            }
            found = kept;
        }
        let all = found.len();
        let noun = match () {
            () if understood.lists_files() => "Python file",
            () if is_of_test_classes => "test class",
            () => worded(filters).0,
        };
        let further = Vec::new();
        Ok(Self {
            reading,
            understood,
            filter,
            reader,
            ranking,
            degree,
            noun,
            found,
            all,
            stubs,
            open,
            named_elsewhere,
            in_part,
            further,
        })
    }

    /// Whether nothing fits, not even perhaps.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty() && self.open.is_empty() && self.named_elsewhere.is_empty()
    }

    /// Keeps the first ones where they are ranked.
    pub(super) fn keep_first(&mut self) {
        if self.ranking.is_some() {
            self.found.truncate(MAX_BIGGEST);
        }
    }

    /// The number of the definitions, or the first of them where they are ranked.
    pub(super) fn headline(&self) -> String {
        let place = place(self.understood, &self.filter);
        let (_, words) = worded(&self.understood.plan.filters);
        let words = match &self.understood.unused_in {
            Some(place) => words.replace("without a use", &format!("without a use in {}", place.mention)),
            None => words,
        };
        let argument = self.understood.plan.filters.decorator_argument.as_ref();
        let argument = argument.map(|argument| format!("with `{argument}`"));
        let words: Vec<String> =
            [Some(words), argument, self.degree.map(Degree::worded)].into_iter().flatten().collect();
        let words = words.iter().filter(|words| !words.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ");
        let conditions = if words.is_empty() { String::new() } else { format!(" ({words})") };
        let is_whether = self.understood.asks_whether_any();
        match (self.found.first(), self.ranking) {
            (None, _) => {
                let no = if is_whether { "no" } else { "none" };
                format!("{no}: no {} {place} fits{conditions}", self.noun)
            }
            (Some((figure, _)), Some(ranking)) => {
                let ties = self.found.iter().take_while(|(other, _)| other == figure).take(MAX_TIES);
                let names: Vec<String> = ties.map(|(_, entity)| entity.full_name()).collect();
                ranking.headline(self.noun, &place, &names, *figure)
            }
            (Some(_), None) => {
                let yes = if is_whether { "yes: " } else { "" };
                format!("{yes}{} {place}{conditions}{}", count(self.all, self.noun), self.first_places())
            }
        }
    }

    /// The first places of definitions with one name, whose number alone says little.
    fn first_places(&self) -> String {
        let name = self.understood.plan.filters.name.as_ref();
        if !name.is_some_and(|name| is_name(name)) {
            return String::new();
        }
        // Those of the program first, and those of documents and examples last.
        let mut found: Vec<&Entity> = self.found.iter().map(|(_, entity)| entity).collect();
        found.sort_by_key(|entity| is_aside(&entity.path));
        let places = found.iter().map(|entity| format!("{}:{}", entity.path, entity.record.line));
        format!(": {}", first_in_words(places, MAX_PLACES))
    }

    /// The row of a definition, with the figure that the question speaks of.
    pub(super) fn row(&self, (figure, entity): &(usize, Entity)) -> ListRow {
        let filter = &self.filter;
        let note = match (route(self.reading, self.understood, entity), self.ranking) {
            (Some(route), _) => route,
            (None, Some(ranking)) => count(*figure, ranking.unit()),
            (None, None) if filter.least_lines.or(filter.most_lines).is_some() => count(lines(entity) as usize, "line"),
            (None, None) if filter.least_parameters.or(filter.most_parameters).is_some() => {
                count(parameters(entity) as usize, "parameter")
            }
            (None, None) => String::new(),
        };
        ListRow::of(entity).with(note)
    }

    /// The number of definitions with a property.
    pub(super) fn count_of(&self, has_it: impl Fn(&Entity) -> bool) -> usize {
        self.found.iter().filter(|(_, entity)| has_it(entity)).count()
    }
}

/// Orders classes by the methods that they define, each name once.
fn by_methods(reading: AnswerInputs, found: &mut Ranked) -> Result<(), StoreError> {
    for (figure, class) in found.iter_mut() {
        let methods =
            reading.store.children(class.id)?.into_iter().filter(|member| member.record.kind == EntityKind::Method);
        *figure = methods.map(|method| method.record.name).collect::<BTreeSet<_>>().len();
    }
    found.sort_by_key(|(figure, _)| Reverse(*figure));
    Ok(())
}

/// Whether a pattern of names is one plain name.
fn is_name(pattern: &str) -> bool {
    pattern.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Leaves out the definitions of stub files (`.pyi`), which declare what others define, and gives their number. Where a
/// question names such a file, or nothing else fits, they are meant.
fn leave_out_stubs(understood: &Understood, found: &mut Ranked) -> usize {
    let is_stub = |path: &str| path.ends_with(".pyi");
    let mut paths = understood.plan.files.iter().filter(|file| !file.is_folder).flat_map(|file| &file.paths);
    let names_stub = paths.any(|path| is_stub(path)) || understood.words.iter().any(|word| word.starts_with("stub"));
    if names_stub || found.iter().all(|(_, entity)| is_stub(&entity.path)) {
        return 0;
    }
    let all = found.len();
    found.retain(|(_, entity)| !is_stub(&entity.path));
    all - found.len()
}

/// The definitions that nothing in these files uses, but for imports.
fn unused(
    reading: AnswerInputs,
    found: Vec<(usize, Entity)>,
    place: &PlannedFile,
) -> Result<Vec<(usize, Entity)>, StoreError> {
    let mut kept = Vec::new();
    for (figure, entity) in found {
        let mut is_used = false;
        for relationship in reading.store.incoming(entity.id)? {
            let is_use = relationship.kind != RelationshipKind::Imports && !relationship.kind.is_of_members();
            let source = reading.store.entity(relationship.source)?.filter(|source| is_use && source.id != entity.id);
            is_used |= source.is_some_and(|source| place.paths.contains(&source.path));
        }
        if !is_used {
            kept.push((figure, entity));
        }
    }
    Ok(kept)
}

/// Divides definitions without a use: those whose names no unresolved occurrence has, and rows of the others.
fn without_open_names(
    reading: AnswerInputs,
    found: Vec<(usize, Entity)>,
) -> Result<(Vec<(usize, Entity)>, Vec<ListRow>), StoreError> {
    let (mut unused, mut rows) = (Vec::new(), Vec::new());
    for (figure, entity) in found {
        let mut open = reading.store.unresolved_named(&entity.record.name)?;
        open.retain(|occurrence| occurrence.source != entity.id);
        match open.len() {
            0 => unused.push((figure, entity)),
            all => rows.push(ListRow::of(&entity).with(count(all, "unresolved occurrence"))),
        }
    }
    Ok((unused, rows))
}

/// The decorator that registers a route, as written: `get("/items/{id}")`.
fn route(reading: AnswerInputs, understood: &Understood, entity: &Entity) -> Option<String> {
    let filters = &understood.plan.filters;
    let names = filters.decorator.as_deref().filter(|_| filters.is_route())?;
    let head = reading.sources.lines(&entity.path, entity.record.start_line, entity.record.line)?;
    head.lines().find_map(|line| {
        let call = line.trim().strip_prefix('@')?;
        let (name, _) = call.split_once('(')?;
        let method = name.rsplit('.').next().unwrap_or(name);
        names.split('|').any(|known| known == method).then(|| call[name.len() - method.len()..].to_owned())
    })
}

/// Whether classes of tests are asked for, not the helpers beside them.
fn asks_for_test_classes(understood: &Understood) -> bool {
    // The words of the plan are without `tests`, which only says where to look.
    let question = understood.plan.question.to_lowercase();
    let words: Vec<&str> = question.split(|c: char| !c.is_alphanumeric()).collect();
    let is_pair = |pair: &[&str]| pair[0] == "test" && matches!(pair[1], "class" | "classes");
    understood.plan.filters.noun == Some(Noun::Class) && words.windows(2).any(is_pair)
}

/// Whether a decorator of a definition has an argument, as written.
fn is_given(reading: AnswerInputs, entity: &Entity, decorator: &str, argument: &str) -> bool {
    let head = reading.sources.lines(&entity.path, entity.record.start_line, entity.record.line).unwrap_or_default();
    let mut calls = head.split('@').skip(1);
    calls.any(|call| {
        call.split_once('(').is_some_and(|(name, rest)| name.ends_with(decorator) && rest.contains(argument))
    })
}

/// The noun of the filters, and their other conditions in words.
pub(super) fn worded(filters: &Filters) -> (&'static str, String) {
    let noun = filters.noun.unwrap_or(Noun::Definition).worded();
    let conditions = Filter { is_in_tests: None, ..filters.conditions() };
    if filters.noun == Some(Noun::Function) && conditions.marks.contains(&DefinitionMark::Decorator) {
        let marks = conditions.marks.iter().copied().filter(|mark| *mark != DefinitionMark::Decorator).collect();
        return ("decorator", Filter { marks, ..conditions }.words());
    }
    if filters.is_route() {
        return ("route", Filter { decorators: Vec::new(), ..conditions }.words());
    }
    (noun, conditions.words())
}
