//! Puts the words of a question right where the repository does not have them as they are written.

use crate::{
    ask::reading::words::{
        ParsedQuestion, QuestionWord, Shape, is_dotted_name, is_in, is_stop_word, name_parts, objects::is_object,
        shape_of,
    },
    model::EntityKind,
    query::target::{has_source_suffix, known, likeliest::is_aside},
    store::{Store, error::StoreError, read::Entity},
};

/// Shorter words in lower case may be words of their own.
const SHORTEST_COMPOUND: usize = 6;

/// Reads `Response.json` as a name where the index knows it, unless a document has that name or the question calls it a
/// file.
pub fn name_members(store: &Store, question: &mut ParsedQuestion) -> Result<(), StoreError> {
    let is_called_file = |at: usize| {
        let mut around = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        around.any(|at| question.words.get(at).is_some_and(|word| is_in("document file", &word.lower())))
    };
    let may_be_member = |at: &usize| {
        let word = &question.words[*at];
        word.shape == Shape::Path
            && !has_source_suffix(&word.text)
            && is_dotted_name(&word.text)
            && !is_called_file(*at)
    };
    let found: Vec<usize> = (0..question.words.len()).filter(may_be_member).collect();
    for at in found {
        let text = &question.words[at].text;
        let ending = format!("/{text}");
        let is_file = store.documents()?.iter().any(|(_, document)| format!("/{}", document.path).ends_with(&ending));
        if !is_file && known(store, text, "")?.is_some() {
            question.words[at].shape = Shape::Code;
        }
    }
    Ok(())
}

/// Reads `formdataparser` as `FormDataParser`, the only class or callable that is called so but for its case. A name of
/// one word is left as it is typed: `group` and `session` are words of sentences too.
pub fn restore_case(store: &Store, question: &mut ParsedQuestion) -> Result<(), StoreError> {
    let mut names = Vec::new();
    for at in 0..question.words.len() {
        let is_named = is_named(question, at);
        let is_placed = at.checked_sub(1).is_some_and(|before| {
            is_in("from import imports in inside module of package", &question.words[before].lower())
        });
        let word = &mut question.words[at];
        let lower = word.lower();
        let is_compound = lower.chars().count() >= SHORTEST_COMPOUND && lower.chars().all(char::is_alphanumeric);
        if word.shape != Shape::Plain || !is_compound || is_stop_word(&lower) {
            continue;
        }
        let is_module = |(_, module): &(_, String)| module.rsplit('.').next() == Some(&lower);
        let mut alike = store.entities_named(&word.text, true)?;
        let is_itself = |entity: &Entity| entity.record.name == word.text && !is_aside(&entity.path);
        // `who calls testclient` means the class, whatever module is called so.
        let may_be_module = !is_named || is_placed;
        if alike.is_empty() || alike.iter().any(is_itself) || may_be_module && store.modules()?.iter().any(is_module) {
            continue;
        }
        alike.retain(|entity| entity.record.kind == EntityKind::Class || entity.record.kind.is_callable());
        if alike.iter().any(|entity| !is_aside(&entity.path)) {
            alike.retain(|entity| !is_aside(&entity.path));
        }
        alike.dedup_by(|a, b| a.record.name == b.record.name);
        let [entity] = alike.as_slice() else { continue };
        if shape_of(&entity.record.name) != Shape::Code {
            continue;
        }
        // Where the code has `filename`, it is a word, and no `FileName`.
        if names.is_empty() {
            names = store.names()?;
        }
        let is_part = |name: &String| name_parts(name).count() > 1 && name_parts(name).any(|part| part == lower);
        if is_named || !names.iter().filter(|name| !name.starts_with("test")).any(is_part) {
            word.text.clone_from(&entity.record.name);
            word.shape = Shape::Code;
        }
    }
    Ok(())
}

/// Whether a word stands where only a name does: `who raises it`, `who creates an it`, `where is it defined`.
pub(super) fn is_named(question: &ParsedQuestion, at: usize) -> bool {
    const MAKES: &str = "build builds construct constructs create creates instantiate instantiates raise raises subclass \
         subclasses use uses";
    let word =
        |at: Option<usize>| at.and_then(|at| question.words.get(at)).map(QuestionWord::lower).unwrap_or_default();
    let (before, earlier) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
    let is_last = at + 1 == question.words.len();
    let is_made = is_last && (is_in(MAKES, &before) || is_in("a an the", &before) && is_in(MAKES, &earlier));
    let is_compared = is_in("compare between", &before)
        || is_in("and with vs", &before)
            && is_last
            && question.words.iter().any(|word| is_in("compare between", &word.lower()));
    let is_where = at == 2 && earlier == "where" && before == "is" && (is_last || word(Some(at + 1)) == "defined");
    is_object(question, at) || is_made || is_where || is_compared
}

/// Reads `functions/methods` as two words, unless files lie in such a folder.
pub fn divide_alternatives(store: &Store, question: &mut ParsedQuestion) -> Result<(), StoreError> {
    for word in std::mem::take(&mut question.words) {
        let Some((first, second)) = alternatives(&word).filter(|_| !word.is_quoted) else {
            question.words.push(word);
            continue;
        };
        let (inside, module) = (format!("/{}/", word.text), format!("/{}.py", word.text));
        let is_here = |path: &str| {
            let path = format!("/{path}");
            path.contains(&inside) || path.ends_with(&module)
        };
        if store.files()?.iter().any(|(_, file)| is_here(&file.path)) {
            question.words.push(word);
            continue;
        }
        for (text, ends_clause) in [(first, false), ("or", false), (second, word.ends_clause)] {
            let text = text.to_owned();
            question.words.push(QuestionWord { ends_clause, ..QuestionWord::new(text, Shape::Plain) });
        }
    }
    Ok(())
}

/// The halves of `a/b`, if one of them is an ordinary word of questions.
fn alternatives(word: &QuestionWord) -> Option<(&str, &str)> {
    let (first, second) = word.text.split_once('/')?;
    let is_plain = |half: &str| half.chars().all(char::is_lowercase) && !half.is_empty();
    let is_ordinary = is_stop_word(first) || is_stop_word(second);
    (is_plain(first) && is_plain(second) && is_ordinary).then_some((first, second))
}
