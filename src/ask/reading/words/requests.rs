//! Requests of a task: `refactor Cart`, `walk me through a.py`, `review a.py and tell me what is missing`.
//!
//! The words that state the task are told apart from those that say what it is about. No answer has to repeat them.

use crate::ask::reading::{forms::Task, relations::is_of_relation, words::is_in};

/// Words that ask for improvements wherever they stand, and those that do so at the beginning.
const IMPROVING: &str = "better bug bugs critique criticize cleaner cleanup faster feedback flaw flaws improve improved improvement \
     improvements improving nicer optimise optimised optimization optimizations optimize optimized problem problems readable \
     refactor refactored refactoring refactorings shortcoming shortcomings simplified simplify simplification smell smells \
     suggestion suggestions tidy vulnerabilities vulnerability weakness weaknesses wrong";
const IMPROVING_FIRST: &str = "clean modernise modernize polish reduce rework speed split";
const REVIEWING: &str = "audit review reviewed reviewer reviewing";
const EXPLAINING: &str = "describe description explain explanation guide introduce introduction overview purpose summaries summarise summarize \
     summary tour understand walk walkthrough";
/// Words for what a writer of documentation writes, and for the writing.
const WRITINGS: &str = "doc docs docstring docstrings documentation";
const WRITING: &str =
    "add complete create draft extend fix generate improve make missing need propose provide suggest update want write";
/// Sides of code that a request may name.
const SIDES: &str = "clarity complexity design maintainability maintainable performance quality readability robustness security speed \
     structure style";
/// Words that stand beside a request and say no more than it.
const AROUND: &str = "a about all also an and any anything are as at be beginner beginners brief briefly by can child code could deeply \
     detail detailed details developer developers do does each english every everything done expert file find five folder for from \
     function functions get give good happen happens have help how i i'm ideas idea if in into is it it's its itself junior just kind let let's lets \
     like line lines list look make me method methods might missing module modules more my need new newbie newcomer newcomers novice \
     of on one or our package perform perhaps person place please pls possible potential proper propose quick recommend say sentence sentences \
     short should show simple some somebody someone something source start step steps suggest tell terms that the there this \
     thorough thoroughly through to two up us want we what whole why with within words work works would write you your class classes definition \
     detail end full first complete api part parts pieces smaller into three few";
/// Words before the request.
const POLITE: &str = "can could help i just let's lets like me need now please pls to want we would you";
/// Beginnings of questions for yes or no about something that is named behind them.
const WHETHER: &str = "are did do does had has have is was were will";
const ANYTHING: &str = "a an any anything i ideas some something there we you";
/// Words of other questions: with one of them, no task is asked for.
const OTHER: &str = "before break breaks change changed changes commit diff if it's safe since test tested tests when where which who whose \
     without";

/// A request of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRequest<'q> {
    pub task: Task,
    /// The words that say what it is about, in order.
    pub about: Vec<&'q str>,
    /// It begins with the task: words that are left over belong to it.
    pub is_ordered: bool,
    /// It asks whether anything is wrong, which nothing here judges.
    pub is_of_faults: bool,
}

impl<'q> TaskRequest<'q> {
    /// The request that these words make, where they make one. `is_name` tells words that name something here.
    pub fn of(words: &[&'q str], is_name: &dyn Fn(&str) -> bool) -> Option<Self> {
        let bare = |word: &str| word.trim_matches(['`', ',', '.', '?', '!', ':', ';']).to_lowercase();
        let start = words.iter().take_while(|word| is_in(POLITE, &bare(word)) && !is_name(word)).count();
        let lower: Vec<String> = words.iter().filter(|word| !is_name(word)).map(|word| bare(word)).collect();
        let has = |list: &str| lower.iter().any(|word| is_in(list, word));
        let first = words.get(start).filter(|word| !is_name(word)).map(|word| bare(word)).unwrap_or_default();
        let whole: Vec<String> = words.iter().take(2).map(|word| bare(word)).collect();
        // `is f simple enough` wants a verdict; `are there any problems in f` a list.
        let asks_whether = whole.first().is_some_and(|word| is_in(WHETHER, word))
            && whole.get(1).is_none_or(|word| !is_in(ANYTHING, word));
        let is_written = has(WRITINGS) && lower.iter().any(|word| is_in(WRITING, word));
        let task = match () {
            () if asks_whether || has(OTHER) => return None,
            () if first == "document" || is_written => Task::Doc,
            () if has(REVIEWING) => Task::Review,
            () if has(IMPROVING) || is_in(IMPROVING_FIRST, &first) => Task::Smell,
            () if has(EXPLAINING)
                || lower.windows(2).any(|two| two[0] == "tell" && matches!(two[1].as_str(), "me" | "us")) =>
            {
                Task::Explain
            }
            // `what does a.py do` describes it.
            () if matches!(
                &lower.iter().map(String::as_str).collect::<Vec<_>>()[..],
                ["what", "does", "do"] | ["what", "is", "about" | "for"]
            ) =>
            {
                Task::Explain
            }
            () => return None,
        };
        let states = |word: &str| {
            is_in(AROUND, word)
                || [IMPROVING, REVIEWING, EXPLAINING, SIDES].iter().any(|list| is_in(list, word))
                || is_in(IMPROVING_FIRST, word) && word == first
                || task == Task::Doc && (word == "document" || is_in(WRITINGS, word) || is_in(WRITING, word))
                || word.chars().all(|c| !c.is_alphanumeric())
        };
        let is_read = |word: &&'q str| !is_name(word) && states(&bare(word));
        let about: Vec<&str> = words.iter().filter(|word| !is_read(word)).copied().collect();
        let tasks = [IMPROVING, IMPROVING_FIRST, REVIEWING];
        let is_ordered = words.get(start).is_some_and(|word| !is_name(word))
            && (tasks.iter().any(|list| is_in(list, &first))
                || is_in("document give suggest propose write add", &first));
        // `improve f that is called by g`
        let says_more = about.iter().any(|word| !is_name(word) && is_of_relation(&bare(word)));
        let is_of_faults = has("bug bugs flaw flaws problem problems security vulnerabilities vulnerability wrong");
        (!about.is_empty() || task != Task::Explain).then_some(Self {
            task,
            about,
            is_ordered: is_ordered && !says_more,
            is_of_faults,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(Task, String)> {
        let words: Vec<&str> = text.split(' ').collect();
        TaskRequest::of(&words, &|word| word == "Cart" || word == "a.py").map(|one| (one.task, one.about.join(" ")))
    }

    #[test]
    fn a_request_is_about_what_its_task_does_not_say() {
        let smell = Some((Task::Smell, "Cart".to_owned()));
        for text in [
            "refactor Cart",
            "how could I improve Cart",
            "give me refactoring ideas for Cart",
            "what is wrong with Cart",
            "make Cart more readable",
            "improve the readability of Cart",
            "are there any code smells in Cart",
            "tell me about Cart and how I could improve it",
            "could Cart be simplified",
            "split up Cart into smaller pieces",
            "what does Cart do and how could it be better",
        ] {
            assert_eq!(read(text), smell, "{text}");
        }
        for text in
            ["review a.py and tell me what is missing", "please review a.py for bugs", "a security review of a.py"]
        {
            assert_eq!(read(text), Some((Task::Review, "a.py".to_owned())), "{text}");
        }
        for text in [
            "summarize a.py for a new developer",
            "walk me through a.py",
            "explain a.py step by step",
            "describe what a.py does",
        ] {
            assert_eq!(read(text), Some((Task::Explain, "a.py".to_owned())), "{text}");
        }
        for text in
            ["document a.py", "write docstrings for all functions in a.py", "what docstrings are missing in a.py"]
        {
            assert_eq!(read(text), Some((Task::Doc, "a.py".to_owned())), "{text}");
        }
    }

    #[test]
    fn a_question_is_no_request() {
        for text in [
            "who calls Cart",
            "is Cart better documented",
            "which functions in a.py have no docstring",
            "what breaks if I refactor Cart",
            "is it safe to simplify Cart",
            "write tests for Cart",
            "review my changes since yesterday",
            "where is Cart",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        let words = ["improve", "the", "error", "handling", "in", "Cart"];
        let found = TaskRequest::of(&words, &|word| word == "Cart").expect("a request");
        assert_eq!((found.is_ordered, found.about.join(" ").as_str()), (true, "error handling Cart"));
    }
}
