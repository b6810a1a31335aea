//! Answers `which methods does C inherit` by the members of its bases that it does not define itself.

use super::{groups, inherited, is_method, named};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, in_words},
        reading::{forms::QuestionIntent, plan::Understood},
    },
    model::EntityKind,
    query::words::count,
    store::{error::StoreError, read::Entity},
};

/// The noun of such a question, one of its members, and the kinds that are meant.
type InheritedNoun = (&'static str, &'static str, fn(EntityKind) -> bool);

const NOUNS: [InheritedNoun; 5] = [
    ("methods", "method", is_method),
    ("functions", "method", is_method),
    ("properties", "property", |kind| kind == EntityKind::Property),
    ("attributes", "attribute", |kind| matches!(kind, EntityKind::Property | EntityKind::Variable)),
    ("members", "member", |_| true),
];

/// Lists them; `None` for other questions.
pub(in crate::ask::answer) fn inherited_members(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let ["what" | "which" | "list" | "show", ..] = words.as_slice() else { return Ok(None) };
    let noun = NOUNS.iter().find(|(plural, ..)| words.iter().take(4).any(|word| word == plural));
    let is_asked = match words.as_slice() {
        [.., "inherit" | "inherits"] => words.iter().any(|word| matches!(*word, "does" | "do" | "that")),
        // `which methods are inherited by C`
        [_, _, "are" | "is", "inherited", "by", _] => true,
        _ => false,
    };
    let (Some((_, noun, fits)), true, [target]) = (noun, is_asked, understood.targets.as_slice()) else {
        return Ok(None);
    };
    let class = target.main();
    if class.record.kind != EntityKind::Class {
        return Ok(None);
    }
    let own = reading.store.children(class.id)?;
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Members).plan, String::new());
    answer.want(class, "asked about", false);
    let (mut all, mut from) = (0, Vec::new());
    for (base, members) in inherited(reading.store, class, &own)? {
        let asked: Vec<Entity> = members.into_iter().filter(|member| fits(member.record.kind)).collect();
        if !asked.is_empty() {
            all += asked.len();
            from.push(format!("{} from `{}`", asked.len(), base.record.qualified));
            groups(&mut answer, &base, &asked);
            answer.want(&base, "a base of it", true);
        }
    }
    answer.headline = match all {
        0 => format!("none: {} inherits no {noun} of a class of the repository", named(class)),
        all => format!("{} inherits {}: {}", named(class), count(all, noun), in_words(&from)),
    };
    answer.command = understood.plan.ask_command();
    Ok(Some(answer))
}
