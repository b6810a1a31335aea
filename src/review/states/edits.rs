//! The kinds of edits of a definition, and their words.

use serde::Serialize;

/// One edit of a definition. The discriminants are part of the JSON contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Edit {
    Added,
    Removed,
    /// It has another name; `to` is the full one.
    Renamed {
        to: String,
    },
    /// It lies in another module or class.
    Moved {
        to: String,
    },
    ParameterAdded {
        name: String,
        is_required: bool,
    },
    ParameterRemoved {
        name: String,
    },
    ParameterRenamed {
        from: String,
        to: String,
    },
    /// The same parameters stand in another order.
    ParametersReordered,
    ParameterKeywordOnly {
        name: String,
    },
    ParameterPositionalOnly {
        name: String,
    },
    /// It has lost its default.
    ParameterRequired {
        name: String,
    },
    /// It has got a default.
    ParameterOptional {
        name: String,
    },
    DefaultChanged {
        name: String,
        from: String,
        to: String,
    },
    AnnotationChanged {
        name: String,
    },
    ReturnAnnotationChanged {
        from: String,
        to: String,
    },
    BecameAsync,
    BecameSync,
    BecameGenerator,
    StoppedGenerating,
    /// A method reads like an attribute now.
    BecameProperty,
    /// A property has to be called now.
    BecameMethod,
    /// Instance, class or static method: the kind of its first parameter.
    BindingChanged {
        from: &'static str,
        to: &'static str,
    },
    /// Another kind of thing: a function became a class, a class a variable.
    KindChanged {
        from: &'static str,
        to: &'static str,
    },
    BecameAbstract,
    BasesChanged {
        added: Vec<String>,
        removed: Vec<String>,
    },
    DecoratorsChanged {
        added: Vec<String>,
        removed: Vec<String>,
    },
    ValueChanged {
        from: String,
        to: String,
    },
    RaisesChanged {
        added: Vec<String>,
        removed: Vec<String>,
    },
    /// Every `return` gave a tuple of one length, and gives one of another.
    TupleLengthChanged {
        from: u32,
        to: u32,
    },
    BodyChanged,
    /// The module no longer imports the name, and somebody asks it for that.
    ImportRemoved,
    /// Nothing but the documentation.
    DocsChanged,
}

impl Edit {
    /// Whether every reference that fitted before fits after it, whatever it does.
    pub fn keeps_references(&self) -> bool {
        matches!(
            self,
            Self::BodyChanged
                | Self::DocsChanged
                | Self::RaisesChanged { .. }
                | Self::DefaultChanged { .. }
                | Self::ParameterOptional { .. }
                | Self::AnnotationChanged { .. }
                | Self::ReturnAnnotationChanged { .. }
        )
    }

    /// Whether parameters are others, or have another kind or default.
    pub fn is_of_parameters(&self) -> bool {
        match self {
            Self::ParameterOptional { .. } | Self::DefaultChanged { .. } => true,
            Self::BindingChanged { .. } => false,
            _ => self.is_signature(),
        }
    }

    /// The edit in a few words, for the line of the definition.
    pub fn words(&self) -> String {
        let list = |added: &[String], removed: &[String]| {
            let plus = added.iter().map(|name| format!("+{name}"));
            plus.chain(removed.iter().map(|name| format!("-{name}"))).collect::<Vec<_>>().join(" ")
        };
        match self {
            Self::Added => "added".to_owned(),
            Self::Removed => "removed".to_owned(),
            Self::Renamed { to } => format!("renamed to {to}"),
            Self::Moved { to } => format!("moved to {to}"),
            Self::ParameterAdded { name, is_required: true } => format!("takes `{name}` now, without a default"),
            Self::ParameterAdded { name, is_required: false } => format!("takes `{name}` now"),
            Self::ParameterRemoved { name } => format!("takes `{name}` no more"),
            Self::ParameterRenamed { from, to } => format!("`{from}` is called `{to}`"),
            Self::ParametersReordered => "parameters in another order".to_owned(),
            Self::ParameterKeywordOnly { name } => format!("`{name}` only by keyword"),
            Self::ParameterPositionalOnly { name } => format!("`{name}` only by position"),
            Self::ParameterRequired { name } => format!("`{name}` has no default any more"),
            Self::ParameterOptional { name } => format!("`{name}` has a default now"),
            Self::DefaultChanged { name, from, to } => format!("default of `{name}`: {from} → {to}"),
            Self::AnnotationChanged { name } => format!("annotation of `{name}`"),
            Self::ReturnAnnotationChanged { .. } => "annotation of the result".to_owned(),
            Self::BecameAsync => "async now".to_owned(),
            Self::BecameSync => "no longer async".to_owned(),
            Self::BecameGenerator => "a generator now".to_owned(),
            Self::StoppedGenerating => "no longer a generator".to_owned(),
            Self::BecameProperty => "a property now".to_owned(),
            Self::BecameMethod => "a method now, no property".to_owned(),
            Self::BindingChanged { from, to } => format!("{from} → {to}"),
            Self::KindChanged { from, to } => format!("{from} → {to}"),
            Self::BecameAbstract => "abstract now".to_owned(),
            Self::BasesChanged { added, removed } => format!("bases {}", list(added, removed)),
            Self::DecoratorsChanged { added, removed } => format!("decorators {}", list(added, removed)),
            Self::ValueChanged { from, to } => format!("value: {from} → {to}"),
            Self::RaisesChanged { added, removed } => format!("raises {}", list(added, removed)),
            Self::TupleLengthChanged { from, to } => format!("returns {to} values instead of {from}"),
            Self::BodyChanged => "body".to_owned(),
            Self::ImportRemoved => "no longer imported here".to_owned(),
            Self::DocsChanged => "docs only".to_owned(),
        }
    }

    /// Whether the definition no longer has its old name there.
    pub fn takes_the_name(&self) -> bool {
        matches!(self, Self::Removed | Self::Renamed { .. } | Self::Moved { .. })
    }

    /// Whether it takes other arguments, or binds them in another way.
    pub fn is_signature(&self) -> bool {
        matches!(
            self,
            Self::ParameterAdded { .. }
                | Self::ParameterRemoved { .. }
                | Self::ParameterRenamed { .. }
                | Self::ParametersReordered
                | Self::ParameterKeywordOnly { .. }
                | Self::ParameterPositionalOnly { .. }
                | Self::ParameterRequired { .. }
                | Self::BindingChanged { .. }
        )
    }

    /// Whether callers or readers can notice it, even if nothing breaks.
    pub fn is_behavior(&self) -> bool {
        !matches!(
            self,
            Self::Added
                | Self::AnnotationChanged { .. }
                | Self::ReturnAnnotationChanged { .. }
                | Self::ParameterOptional { .. }
                | Self::ParameterAdded { .. }
                | Self::ParameterRenamed { .. }
                | Self::ParameterKeywordOnly { .. }
                | Self::ParameterPositionalOnly { .. }
                | Self::ParameterRequired { .. }
                | Self::ParameterRemoved { .. }
                | Self::BindingChanged { .. }
                | Self::BecameAsync
                | Self::BecameSync
                | Self::BecameProperty
                | Self::BecameMethod
                | Self::BecameAbstract
                | Self::DocsChanged
        )
    }

    /// Whether a call returns another kind of result.
    pub fn is_outcome(&self) -> bool {
        matches!(self, Self::BecameGenerator | Self::StoppedGenerating | Self::TupleLengthChanged { .. })
    }

    /// Whether it must be used in another way, so that each use is judged.
    pub fn is_use(&self) -> bool {
        self.is_signature()
            || matches!(self, Self::BecameAsync | Self::BecameSync | Self::BecameProperty | Self::BecameMethod)
    }
}

/// Longest value that is shown, in characters.
const SHOWN: usize = 80;
/// Characters shown before the first difference of longer values.
const BEFORE: usize = 20;

/// Two values for people: long ones begin a little before their first difference.
pub(crate) fn around_difference(from: &str, to: &str) -> (String, String) {
    if from.chars().count() <= SHOWN && to.chars().count() <= SHOWN {
        return (from.to_owned(), to.to_owned());
    }
    let equal = from.chars().zip(to.chars()).take_while(|(a, b)| a == b).count();
    let shown = |text: &str| {
        let skipped = if equal > SHOWN / 2 { equal - BEFORE } else { 0 };
        let start = if skipped > 0 { "…" } else { "" };
        let end = if text.chars().count() > skipped + SHOWN { "…" } else { "" };
        format!("{start}{}{end}", text.chars().skip(skipped).take(SHOWN).collect::<String>())
    };
    (shown(from), shown(to))
}

/// A text for people: a long one without its end.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shown_where_they_differ() {
        assert_eq!(around_difference("[1, 2]", "[1, 3]"), ("[1, 2]".to_owned(), "[1, 3]".to_owned()));
        let list = |last: &str| format!("[{}'{last}']", "'another', ".repeat(12));
        let (from, to) = around_difference(&list("old"), &list("new"));
        assert_eq!(from, "…other', 'another', 'old']");
        assert_eq!(to, "…other', 'another', 'new']");
        let (from, _) = around_difference(&list("old"), "[]");
        assert_eq!(from.chars().count(), SHOWN + 1);
        assert!(from.starts_with("['another'") && from.ends_with('…'));
    }
}
