//! Why nothing is known of a part of an expression: the values that it is assigned, passed or returned, and the reason
//! that they are not followed.

use crate::{
    index::explain::{Explainer, wording},
    model::{EntityFlags, FileId},
    resolve::{ANYTHING, Asked, How, Origin, Part, Question, Source, values::Value},
    store::error::StoreError,
};

/// How many assignments, calls and returns are gone back through.
const MAX_DEPTH: usize = 3;

impl Explainer<'_> {
    /// Why nothing, or nothing but `None`, is known of a part that stands behind `before`.
    pub(crate) fn cause(
        &mut self,
        file: FileId,
        part: &Part,
        before: Option<&Part>,
    ) -> Result<Option<String>, StoreError> {
        if !is_unknown(part) || part.is_written {
            return Ok(None);
        }
        self.cause_within(file, part, before, MAX_DEPTH)
    }

    /// `None` where `None` is the whole explanation.
    fn cause_within(
        &mut self,
        file: FileId,
        part: &Part,
        before: Option<&Part>,
        depth: usize,
    ) -> Result<Option<String>, StoreError> {
        if part.is_anything {
            return Ok(Some("more values than are distinguished".to_owned()));
        }
        let said = match part.origin {
            Origin::Unbound => Some("bound by no scope, import or builtin that is known".to_owned()),
            Origin::Other => Some("an expression whose value is not followed".to_owned()),
            Origin::Attribute | Origin::Element | Origin::Call => of_before(part.origin, before),
            Origin::Parameter | Origin::Annotated | Origin::Local | Origin::Outer => None,
        };
        if said.is_some() {
            return Ok(said);
        }
        if let Some(before) = before.filter(|before| part.origin == Origin::Attribute && is_of_builtins(before)) {
            let (sources, _) = self.unknown_sources(file, before, &[])?;
            let others = self.worded_sources(&sources, depth)?.map(|text| format!("; {text}")).unwrap_or_default();
            return Ok(Some(format!("no value that is known of `{}` has it{others}", before.text)));
        }
        let is_parameter = matches!(part.origin, Origin::Parameter | Origin::Annotated);
        let files = if is_parameter { self.callers(part)? } else { Vec::new() };
        let (sources, too_far) = self.unknown_sources(file, part, &files)?;
        let text = match (self.worded_sources(&sources, depth)?, part.origin) {
            (Some(text), _) => text,
            (None, _) if too_far.is_some() => {
                format!("{}, more files away than values are followed", too_far.unwrap_or_default())
            }
            (None, _) if is_parameter => self.not_passed(part)?,
            (None, _) if !part.values.is_empty() => return Ok(None),
            (None, Origin::Call) => "its result cannot be followed".to_owned(),
            (None, Origin::Element) => "nothing that is followed is put into it".to_owned(),
            (None, Origin::Attribute) => "nothing is known to be stored under this name".to_owned(),
            (None, _) => "the values assigned to it cannot be followed".to_owned(),
        };
        let annotated = match part.origin {
            Origin::Annotated if part.values.is_empty() => "its annotation names no class of the repository; ",
            _ => "",
        };
        Ok(Some(format!("{annotated}{text}")))
    }

    /// The files of the calls that could pass a parameter.
    fn callers(&self, part: &Part) -> Result<Vec<FileId>, StoreError> {
        match parameter(part) {
            Some((asked, _)) => Ok(self.calls_of(asked.owner)?.1),
            None => Ok(Vec::new()),
        }
    }

    /// Why the values of a parameter are unknown although calls pass some.
    fn not_passed(&self, part: &Part) -> Result<String, StoreError> {
        let Some((Asked { owner, .. }, lambda)) = parameter(part) else {
            return Ok("no known call passes a value that can be followed".to_owned());
        };
        let Some(function) = self.store.entity(owner)? else { return Ok(String::new()) };
        let (calls, _) = self.calls_of(owner)?;
        let name = function.full_name();
        let text = match calls {
            _ if lambda != 0 => format!("no call of the lambda in {name} is known"),
            0 if function.record.flags.has(EntityFlags::TEST) => "no fixture of this name is known".to_owned(),
            0 => format!("no call of {name} is known"),
            1 => format!("the one known call of {name} passes nothing that can be followed"),
            calls => format!("none of the {calls} known calls of {name} passes a value that can be followed"),
        };
        let is_decorated = lambda == 0 && !function.record.decorators.is_empty();
        Ok(if is_decorated { format!("{text}; a decorator may pass it") } else { text })
    }

    /// The expressions that give a part unknown values. Also the place of one whose values are known in another file
    /// alone.
    fn unknown_sources(
        &mut self,
        file: FileId,
        part: &Part,
        others: &[FileId],
    ) -> Result<(Vec<(FileId, Source)>, Option<String>), StoreError> {
        let mut sources = Vec::new();
        for &asked in &part.asked {
            let mut others = others.to_vec();
            if !matches!(asked.question, Question::Parameter(..)) {
                others.extend(self.file_of(asked.owner));
            }
            let found = self.sources(file, asked, &others)?;
            // An argument that is itself a parameter may be known by its default alone: then its own sources give the
            // reason.
            for (file, source) in &found {
                let is_none = source.values.iter().all(|(value, _)| wording::is_none(*value));
                for &further in source.asked.iter().filter(|_| is_none && !source.values.is_empty()) {
                    sources.extend(self.sources(*file, further, &others)?);
                }
            }
            sources.extend(found);
        }
        sources.retain(|(_, source)| source.how != How::Declared && source.is_told);
        let is_known = |source: &Source| source.values.iter().any(|(value, _)| !wording::is_none(*value));
        let far = sources.iter().find(|(other, source)| *other != file && is_known(source));
        let too_far = match far {
            Some((file, source)) => Some(self.place(*file, source)?),
            None => None,
        };
        let too_far =
            too_far.map(|place| format!("{} at {}:{}, `{}`", place.how, place.path, place.line, place.expression));
        sources.retain(|(_, source)| source.values.is_empty());
        Ok((sources, too_far))
    }

    /// The first source with its cause, and how many more there are.
    fn worded_sources(&mut self, sources: &[(FileId, Source)], depth: usize) -> Result<Option<String>, StoreError> {
        let Some((file, source)) = sources.first() else { return Ok(None) };
        let place = self.place(*file, source)?;
        let mut text = format!("{} at {}:{}, `{}`", place.how, place.path, place.line, place.expression);
        let cause = if depth == 0 { None } else { self.deeper(*file, source, depth - 1)? };
        if let Some(cause) = cause {
            text = format!("{text} ({cause})");
        }
        match sources.len() - 1 {
            0 => {}
            1 => text.push_str(", and at 1 more place"),
            more => text = format!("{text}, and at {more} more places"),
        }
        Ok(Some(text))
    }

    /// Why the expression of a source is not followed.
    fn deeper(&mut self, file: FileId, source: &Source, depth: usize) -> Result<Option<String>, StoreError> {
        let parts = self.parts_of(file, source);
        let Some(at) = parts.iter().position(is_unknown) else {
            let Some(last) = parts.last() else { return Ok(None) };
            if source.how != How::Taken && last.values.iter().all(|(value, _)| wording::is_outside(*value)) {
                return Ok(Some("from outside the repository".to_owned()));
            }
            // The container is known, so the cause lies with the values that were put into it.
            let mut sources = Vec::new();
            for &asked in source.asked.iter().filter(|asked| asked.how == How::Put) {
                sources.extend(self.sources(file, asked, &[])?);
            }
            let is_itself = |known: &Source| known.expression == source.expression;
            sources.retain(|(other, known)| known.values.is_empty() && (*other != file || !is_itself(known)));
            return match self.worded_sources(&sources, depth)? {
                None if source.how == How::Taken => Ok(Some("nothing that is followed is put into it".to_owned())),
                text => Ok(text),
            };
        };
        let part = &parts[at];
        if part.origin == Origin::Other {
            return Ok(None);
        }
        let before = at.checked_sub(1).map(|before| &parts[before]);
        let Some(cause) = self.cause_within(file, part, before, depth)? else {
            return Ok(Some(format!("only None is known of `{}`", part.text)));
        };
        Ok(Some(if part.text == source.text { cause } else { format!("`{}`: {cause}", part.text) }))
    }
}

/// Whether nothing is known of a part, nothing but `None`, or that it may be any object.
fn is_unknown(part: &Part) -> bool {
    part.values.iter().all(|(value, _)| wording::is_none(*value) || *value == ANYTHING)
}

/// Whether only objects of builtin classes are known of a part. All their attributes are known.
fn is_of_builtins(part: &Part) -> bool {
    let is_one = |value: Value| matches!(value, Value::ExternalInstance(_)) && !wording::is_outside(value);
    !part.values.is_empty() && part.values.iter().all(|(value, _)| is_one(*value))
}

/// The parameter that a part is, with its lambda.
fn parameter(part: &Part) -> Option<(Asked, u32)> {
    part.asked.iter().find_map(|&asked| match asked.question {
        Question::Parameter(lambda, _) => Some((asked, lambda)),
        _ => None,
    })
}

/// The cause that an attribute, an element or a result has from the part before it.
fn of_before(origin: Origin, before: Option<&Part>) -> Option<String> {
    let before = before.filter(|before| !before.values.is_empty());
    let Some(before) = before else {
        return Some(
            if origin == Origin::Call { "a call of something unknown" } else { "of something unknown" }.to_owned(),
        );
    };
    let all = |is_it: fn(Value) -> bool| before.values.iter().all(|(value, _)| is_it(*value));
    let base = &before.text;
    match origin {
        _ if all(wording::is_none) => Some(format!("only None is known of `{base}`")),
        Origin::Call if all(|value| wording::builtin(value) == Some("getattr")) => {
            Some("the name of the attribute is not known".to_owned())
        }
        Origin::Call if all(wording::is_outside) => {
            Some("the result of code outside the repository is not known".to_owned())
        }
        _ => None,
    }
}
