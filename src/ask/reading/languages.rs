//! Words of questions in other languages, in English: the intent is read where its words are plain.

use crate::ask::reading::{
    forms::english,
    words::{ParsedQuestion, QuestionWord, Shape, is_unspaced},
};

/// A question is translated if it has this many of the words.
const LEAST: usize = 2;
/// Letters of the longest word in a script without blanks.
const LONGEST: usize = 6;

/// Puts the words of a foreign question into English; whether there were any. Names stay as they are.
pub fn translate(question: &mut ParsedQuestion) -> bool {
    divide(question);
    let known: Vec<String> =
        question.words.iter().map(QuestionWord::lower).filter(|word| english(word).is_some()).collect();
    let is_english = question.words.iter().any(|word| {
        let common = ["the", "where", "which", "what", "does", "is", "who", "how", "are", "this", "to", "my", "for"];
        common.contains(&word.lower().as_str())
    });
    if known.len() < LEAST || is_english && !known.iter().any(|word| !word.is_ascii()) {
        return false;
    }
    for word in std::mem::take(&mut question.words) {
        match english(&word.lower()).filter(|_| !word.is_quoted) {
            Some("nothing") => {}
            Some(english) => question
                .words
                .extend(english.split('_').map(|text| QuestionWord { text: text.to_owned(), ..word.clone() })),
            None => question.words.push(word),
        }
    }
    true
}

/// Divides the words of scripts without blanks at the words of the table, the longest first. The rest stays together.
fn divide(question: &mut ParsedQuestion) {
    let mut divided: Vec<QuestionWord> = Vec::new();
    for word in std::mem::take(&mut question.words) {
        if word.is_quoted || word.shape != Shape::Plain || !word.text.contains(is_unspaced) {
            divided.push(word);
            continue;
        }
        let letters: Vec<char> = word.text.chars().collect();
        let text = |from: usize, to: usize| letters[from..to].iter().collect::<String>();
        let (mut at, mut unknown) = (0, 0);
        let mut parts = Vec::new();
        while at < letters.len() {
            let most = (at + LONGEST).min(letters.len());
            let known = (at + 1..=most).rev().find(|end| english(&text(at, *end)).is_some());
            if known.is_some() && unknown < at {
                parts.push(text(unknown, at));
            }
            match known {
                Some(end) => {
                    parts.push(text(at, end));
                    (at, unknown) = (end, end);
                }
                None => at += 1,
            }
        }
        if unknown < letters.len() {
            parts.push(text(unknown, letters.len()));
        }
        let last = parts.len() - 1;
        let whole = |(index, text): (usize, String)| {
            let ends_clause = word.ends_clause && index == last;
            QuestionWord { ends_clause, ..QuestionWord::new(text, Shape::Plain) }
        };
        divided.extend(parts.into_iter().enumerate().map(whole));
    }
    question.words = divided;
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
    fn plain_words_of_other_languages_are_understood() {
        assert_eq!(check("Wo wird der Cookie signiert?"), "where is the Cookie signed");
        assert_eq!(check("¿Dónde se lee la variable X_Y?"), "where is read the variable X_Y");
        assert_eq!(check("quelle fonction appelle Cart.add"), "which function calls Cart.add");
        assert_eq!(check("哪些类直接继承BasePool？"), "which classes directly inherit BasePool");
        assert_eq!(check("Cart.add を呼び出すのは誰"), "Cart.add calls who");
        assert_eq!(check("кто вызывает Cart.add"), "who calls Cart.add");
        assert_eq!(check("where is the die thrown"), "where is the die thrown");
    }
}
