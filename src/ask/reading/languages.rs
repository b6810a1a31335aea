//! Words of German, French and Spanish questions, in English: the intent is read where its words are plain.

use crate::ask::reading::words::{ParsedQuestion, QuestionWord};

/// A question is translated if it has this many of the words.
const LEAST: usize = 2;

/// Foreign words, each with the English one.
const WORDS: &[(&str, &str)] = &[
    ("wo", "where"),
    ("wird", "is"),
    ("werden", "are"),
    ("welche", "which"),
    ("welcher", "which"),
    ("welches", "which"),
    ("wer", "who"),
    ("warum", "why"),
    ("wie", "how"),
    ("funktion", "function"),
    ("funktionen", "functions"),
    ("klasse", "class"),
    ("klassen", "classes"),
    ("methode", "method"),
    ("methoden", "methods"),
    ("ruft", "calls"),
    ("aufgerufen", "called"),
    ("benutzt", "uses"),
    ("verwendet", "uses"),
    ("gelesen", "read"),
    ("geschrieben", "written"),
    ("gesetzt", "set"),
    ("erben", "inherit"),
    ("erbt", "inherits"),
    ("von", "from"),
    ("der", "the"),
    ("die", "the"),
    ("das", "the"),
    ("ein", "a"),
    ("eine", "a"),
    ("ob", "whether"),
    ("prüft", "checks"),
    ("geprüft", "checked"),
    ("signiert", "signed"),
    ("vertrauenswürdig", "trusted"),
    ("definiert", "defined"),
    ("testen", "test"),
    ("löschen", "delete"),
    ("ändern", "change"),
    ("umbenennen", "rename"),
    ("kaputt", "break"),
    ("geworfen", "raised"),
    ("gefangen", "caught"),
    ("fehler", "error"),
    ("umgebungsvariable", "environment"),
    ("où", "where"),
    ("quelle", "which"),
    ("quelles", "which"),
    ("quel", "which"),
    ("quels", "which"),
    ("qui", "who"),
    ("est", "is"),
    ("sont", "are"),
    ("fonction", "function"),
    ("fonctions", "functions"),
    ("classe", "class"),
    ("appelle", "calls"),
    ("appelée", "called"),
    ("appelé", "called"),
    ("utilise", "uses"),
    ("utilisée", "used"),
    ("utilisé", "used"),
    ("lue", "read"),
    ("définie", "defined"),
    ("défini", "defined"),
    ("hérite", "inherits"),
    ("héritent", "inherit"),
    ("dónde", "where"),
    ("donde", "where"),
    ("quién", "who"),
    ("qué", "which"),
    ("cuál", "which"),
    ("cómo", "how"),
    ("se", "is"),
    ("la", "the"),
    ("el", "the"),
    ("los", "the"),
    ("las", "the"),
    ("de", "of"),
    ("entorno", "environment"),
    ("función", "function"),
    ("funciones", "functions"),
    ("clase", "class"),
    ("clases", "classes"),
    ("llama", "calls"),
    ("usa", "uses"),
    ("lee", "read"),
    ("escribe", "writes"),
    ("hereda", "inherits"),
    ("heredan", "inherit"),
    ("define", "defines"),
    ("definida", "defined"),
    ("prueba", "test"),
    ("pruebas", "tests"),
];

/// Puts the words of a foreign question into English; whether there were any. Names stay as they are.
pub fn translate(question: &mut ParsedQuestion) -> bool {
    let english = |word: &str| WORDS.iter().find(|(foreign, _)| *foreign == word).map(|(_, english)| *english);
    let known: Vec<String> =
        question.words.iter().map(QuestionWord::lower).filter(|word| english(word).is_some()).collect();
    let is_english = question.words.iter().any(|word| {
        matches!(word.lower().as_str(), "the" | "where" | "which" | "what" | "does" | "is" | "who" | "how" | "are")
    });
    if known.len() < LEAST || is_english && !known.iter().any(|word| !word.is_ascii()) {
        return false;
    }
    for word in &mut question.words {
        if let Some(english) = english(&word.lower()).filter(|_| !word.is_quoted) {
            english.clone_into(&mut word.text);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> String {
        let mut question = ParsedQuestion::parse(text);
        translate(&mut question);
        question.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn plain_words_of_three_languages_are_understood() {
        assert_eq!(check("Wo wird der Cookie signiert?"), "where is the Cookie signed");
        assert_eq!(check("¿Dónde se lee la variable X_Y?"), "where is read the variable X_Y");
        assert_eq!(check("quelle fonction appelle Cart.add"), "which function calls Cart.add");
        assert_eq!(check("where is the die thrown"), "where is the die thrown");
    }
}
