//! Words of German, French and Spanish questions, in English: the intent is read where its words are plain.

use crate::ask::reading::{
    forms::english,
    words::{ParsedQuestion, QuestionWord},
};

/// A question is translated if it has this many of the words.
const LEAST: usize = 2;

/// Puts the words of a foreign question into English; whether there were any. Names stay as they are.
pub fn translate(question: &mut ParsedQuestion) -> bool {
    let known: Vec<String> =
        question.words.iter().map(QuestionWord::lower).filter(|word| english(word).is_some()).collect();
    let is_english = question.words.iter().any(|word| {
        let common = ["the", "where", "which", "what", "does", "is", "who", "how", "are", "this", "to", "my", "for"];
        common.contains(&word.lower().as_str())
    });
    if known.len() < LEAST || is_english && !known.iter().any(|word| !word.is_ascii()) {
        return false;
    }
    for word in &mut question.words {
        if let Some(english) = english(&word.lower()).filter(|_| !word.is_quoted) {
            word.text = english;
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
