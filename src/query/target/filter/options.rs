//! A filter as the options of a command.

use super::Filter;

impl Filter {
    /// The options of `search`, `refs` and `tree` that state the conditions, each with its value. `None` where no
    /// options do.
    pub fn options(&self) -> Option<Vec<(&'static str, String)>> {
        let has_no_option = !self.names.is_empty()
            || self.has_result.is_some()
            || self.metaclass.is_some()
            || self.most_lines.is_some()
            || self.most_parameters.is_some();
        if !self.excluded.is_empty() || has_no_option {
            return None;
        }
        let mut options = Vec::new();
        options.extend(self.kinds.iter().map(|kind| ("kind", kind.as_str().to_owned())));
        options.extend(self.paths.iter().map(|path| ("in", path.clone())));
        options.extend(self.is_in_tests.map(|is| ("tests", if is { "only" } else { "none" }.to_owned())));
        options.extend(self.marks.iter().map(|mark| ("is", mark.as_str().to_owned())));
        let parts = [
            ("docstring", self.has_docstring),
            ("annotations", self.has_annotations),
            ("tests", self.has_tests),
            ("uses", self.has_uses),
        ];
        for wanted in [true, false] {
            let asked = parts.iter().filter(|(_, has)| *has == Some(wanted));
            options.extend(asked.map(|(part, _)| (if wanted { "with" } else { "without" }, (*part).to_owned())));
        }
        options.extend(self.derives_from.iter().map(|names| ("derives-from", names.join("|"))));
        options.extend(self.decorators.iter().map(|names| ("decorated-by", names.join("|"))));
        for (name, values) in self.lists_of_names() {
            options.extend(values.iter().map(|value| (name, value.clone())));
        }
        // The options name the largest number that does not fit.
        for (name, least) in [
            ("longer-than", self.least_lines),
            ("parameters-over", self.least_parameters),
            ("branches-over", self.least_branches),
        ] {
            options.extend(least.filter(|least| *least > 0).map(|least| (name, (least - 1).to_string())));
        }
        Some(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind, query::target::filter::DefinitionMark};

    #[test]
    fn a_filter_is_written_as_the_options_that_make_it() {
        let filter = Filter {
            kinds: vec![EntityKind::Function, EntityKind::Method],
            is_in_tests: Some(false),
            marks: vec![DefinitionMark::ClassMethod],
            has_docstring: Some(false),
            decorators: vec![vec!["get".to_owned(), "post".to_owned()]],
            least_lines: Some(11),
            ..Filter::default()
        };
        let options: Vec<String> =
            filter.options().unwrap_or_default().iter().map(|(name, value)| format!("--{name} {value}")).collect();
        let expected = "--kind function --kind method --tests none --is classmethod --without docstring --decorated-by get|post --longer-than 10";
        assert_eq!(options.join(" "), expected);
    }
}
