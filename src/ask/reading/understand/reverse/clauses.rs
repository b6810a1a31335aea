//! The words of a question for dependents, read one after the other: head, subject, relation, object, conditions.

use crate::{
    ask::reading::{
        forms::patterns::number,
        relations::{DependentKind, Distance, ReverseWish},
        understand::reverse::{
            CHANGES, STEPS,
            names::{family_of, is_name, looks_like_code, spelled},
        },
        words::is_in,
    },
    store::{Store, error::StoreError},
};

/// Words without a meaning of their own in such a question.
const FILLERS: &str = "actually also all any anywhere are at be been can could currently do does else ever exactly get gets \
     getting has have here i is just likely may might me must my of only our out over possibly potentially really somehow still that \
     the then there thereby these those to too which will would";
/// Nouns before or behind a name, which say its kind.
const KINDS: &str = "attribute class constant decorator definition exception file fixture function helper method module package \
     property variable";
const USES: &str = "call calling calls import importing imports invoke invokes need needing needs reach reaches reaching \
     reference references use uses using";
const AFFECTED: &str = "affected broken concerned disturbed hit impacted influenced touched";
const AFFECT: &str =
    "affect affects break breaks concern disturb hit hits impact impacts influence influences reach touch touches";
const BREAKS: &str = "break breaking breaks crash crashes fail failing fails suffer suffers";
const DEPENDS: &str = "depend dependent depending depends reliant relies rely relying";
const PARAMETERS: &str = "arg argument default defaults keyword kwarg option param parameter";
/// Nouns that other readings know.
const KNOWN_NOUNS: &str = "callers callees decorators dependencies documents entry enums examples fixture fixtures imports \
     libraries lines packages parameters paths properties subclasses uses variables";
const COVERS: &str = "cover covers exercise exercises hit hits touch touches";
const DEPENDENTS: &str = "callers consumers dependants dependents users";

/// The one who depends: a kind of definitions, or a definition by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AskedSubject {
    Kind(DependentKind),
    Name(String),
}

/// A question for dependents, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub wanted: ReverseWish,
    pub subject: AskedSubject,
    pub is_public: bool,
    pub is_async: bool,
    /// The class of which the dependents are heirs.
    pub family: Option<String>,
    /// A word for the dependents that nothing here explains.
    pub untold: Option<String>,
    pub in_tests: Option<bool>,
    /// Places by name, and whether the dependents stand outside of it.
    pub places: Vec<(String, bool)>,
    pub is_direct: bool,
    pub is_indirect: bool,
    /// `directly or indirectly`
    pub is_either: bool,
    /// Over any number of steps: `is affected by`, `depends on`.
    pub is_closure: bool,
    /// `reaches`, `calls`
    pub is_of_use: bool,
    /// `depends on`
    pub is_of_dependence: bool,
    /// `dependents of`
    pub is_relation_a_noun: bool,
    /// `upstream of`
    pub is_upstream: bool,
    pub distance: Option<Distance>,
    /// The verb of the change, as it stands there.
    pub change: String,
    pub object: String,
    /// The place right behind the object, which may be its own.
    pub object_in: Option<String>,
    pub is_object_unknown: bool,
    /// The object is called a class, a module or the like.
    pub has_kind_of_object: bool,
    pub is_object_a_module: bool,
}

impl Clause {
    /// Reads all words; `None` where one of them is none of such a question.
    pub(super) fn read(store: &Store, words: &[&str]) -> Result<Option<Self>, StoreError> {
        let lower = words.iter().map(|word| word.trim_matches('`').to_lowercase()).collect();
        ReverseWords { store, words, lower, at: 0, clause: Self::new(), has_subject: false, is_counted: false }.clause()
    }

    fn new() -> Self {
        Self {
            wanted: ReverseWish::Which,
            subject: AskedSubject::Kind(DependentKind::Any),
            is_public: false,
            is_async: false,
            family: None,
            untold: None,
            in_tests: None,
            places: Vec::new(),
            is_direct: false,
            is_indirect: false,
            is_either: false,
            is_closure: false,
            is_of_use: false,
            is_of_dependence: false,
            is_relation_a_noun: false,
            is_upstream: false,
            distance: None,
            change: String::new(),
            object: String::new(),
            object_in: None,
            is_object_unknown: false,
            has_kind_of_object: false,
            is_object_a_module: false,
        }
    }
}

struct ReverseWords<'q> {
    store: &'q Store,
    words: &'q [&'q str],
    lower: Vec<String>,
    at: usize,
    clause: Clause,
    has_subject: bool,
    is_counted: bool,
}

type Read = Result<Option<Clause>, StoreError>;

impl ReverseWords<'_> {
    fn word(&self, ahead: usize) -> &str {
        self.lower.get(self.at + ahead).map_or("", String::as_str)
    }

    fn is(&self, list: &str) -> bool {
        is_in(list, self.word(0))
    }

    fn eat(&mut self, list: &str) -> bool {
        let is_said = self.is(list);
        self.at += usize::from(is_said);
        is_said
    }

    fn skip(&mut self, list: &str) {
        while self.eat(list) {}
    }

    /// Reads several words, one of each list.
    fn eat_all(&mut self, lists: &[&str]) -> bool {
        let is_said = lists.iter().enumerate().all(|(ahead, list)| is_in(list, self.word(ahead)));
        self.at += if is_said { lists.len() } else { 0 };
        is_said
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.words.len()
    }

    fn clause(mut self) -> Read {
        self.skip("please");
        if self.eat_all(&["how", "deep far long"]) {
            return self.farthest();
        }
        let is_list = self.eat("display find give list name print show tell");
        if is_list {
            self.skip("me us");
        }
        self.is_counted = self.eat_all(&["how", "many"])
            || self.eat_all(&["the number count", "of"])
            || self.eat_all(&["number count", "of"]);
        let is_asked = self.eat("which what who what's who's who'd what'd");
        if !self.is_counted && !is_asked && !is_list && self.eat("are can could did do does is might will would") {
            self.clause.wanted = ReverseWish::Whether;
            // `does changing f affect g`
            if self.change_of_object()? {
                return self.affecting();
            }
        }
        // `anything in a.py affected by f?`
        let is_any = !is_list
            && !self.is_counted
            && !is_asked
            && self.is("any anybody anyone anything somebody someone something");
        if is_any {
            self.clause.wanted = ReverseWish::Whether;
        }
        self.has_subject |= is_asked || self.is_counted;
        if !self.subject()? || !self.has_subject && !self.is(DEPENDENTS) && !self.is(AFFECTED) {
            return Ok(None);
        }
        // `which functions does changing f affect`
        if is_asked
            && is_in("does do will would could can", self.lower.get(self.at.wrapping_sub(1)).map_or("", String::as_str))
            && self.change_of_object()?
        {
            if !self.eat(AFFECT) {
                return Ok(None);
            }
            self.clause.is_closure = true;
            return self.conditions();
        }
        if !self.relation() || !self.has_subject || !self.object()? {
            return Ok(None);
        }
        self.conditions()
    }

    /// Reads the words before the relation.
    fn subject(&mut self) -> Result<bool, StoreError> {
        loop {
            if self.is_at_end() {
                return Ok(false);
            }
            if self.is_at_relation() {
                return Ok(true);
            }
            if self.condition()? || self.noun() || self.is(AFFECTED) && self.word(1) == "within" && self.eat(AFFECTED) {
                continue;
            }
            // `is Cart affected by ..`
            let is_first = self.clause.wanted == ReverseWish::Whether && !self.has_subject;
            if is_first && !self.is(FILLERS) {
                self.skip(KINDS);
                let word = self.words[self.at.min(self.words.len() - 1)];
                // `does define depend on f`: a common word is a name right before the verb.
                let is_before_verb = is_in(DEPENDS, self.word(1)) || is_in(AFFECTED, self.word(1));
                let quoted = format!("`{}`", spelled(word));
                let is_pronoun =
                    is_in("he it she that there they this we", &self.lower[self.at.min(self.lower.len() - 1)]);
                let word = if is_before_verb && !is_pronoun { &quoted } else { word };
                if !is_name(self.store, word)? {
                    return Ok(false);
                }
                self.clause.subject = AskedSubject::Name(self.words[self.at].to_owned());
                self.has_subject = true;
                self.at += 1;
                self.skip("class function method module file");
                continue;
            }
            // `which functions does changing f affect` has its verb behind the object.
            let is_verb = self.is("does do will would could can");
            if !self.eat(FILLERS) && !self.other_noun()? {
                return Ok(false);
            }
            if is_verb && (self.is(CHANGES) || self.is("a") && is_in(CHANGES, self.word(1))) {
                return Ok(true);
            }
        }
    }

    /// Reads a noun of the project: `which fields depend on f`, `which client methods ..`.
    fn other_noun(&mut self) -> Result<bool, StoreError> {
        let word = self.word(0).to_owned();
        let is_open = self.clause.subject == AskedSubject::Kind(DependentKind::Any)
            && self.clause.family.is_none()
            && self.clause.untold.is_none();
        let is_behind_head = self.at > 0 && is_in("which what many", &self.lower[self.at - 1]);
        let is_word = word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase());
        if !is_open || !is_behind_head || !is_word || is_in(CHANGES, &word) || is_in(KNOWN_NOUNS, &word) {
            return Ok(false);
        }
        let is_plain = is_in("class classes function functions method methods module modules", self.word(1));
        match family_of(self.store, &word)? {
            Some(family) => {
                self.clause.family = Some(family);
                self.clause.subject = AskedSubject::Kind(DependentKind::Class);
                self.eat_ahead("class classes");
            }
            None if is_plain || word.ends_with('s') => self.clause.untold = Some(word),
            None => return Ok(false),
        }
        self.at += 1;
        Ok(true)
    }

    /// Passes over the next word but one.
    fn eat_ahead(&mut self, list: &str) {
        self.at += usize::from(is_in(list, self.word(1)));
    }

    fn noun(&mut self) -> bool {
        let kind = match self.word(0) {
            // `is the function f affected`
            "function" | "method" | "class" | "module" | "file" | "exception" if self.names_next() => return false,
            "function" | "functions" | "callables" | "helpers" | "helper" => DependentKind::Function,
            "method" | "methods" => DependentKind::Method,
            "class" | "classes" => DependentKind::Class,
            "exception" | "exceptions" => DependentKind::Exception,
            "module" | "modules" => DependentKind::Module,
            "file" | "files" => DependentKind::File,
            "test" | "tests" | "testcases" => DependentKind::Test,
            "api" | "apis" | "interface" => DependentKind::Function,
            "anybody" | "anyone" | "anything" | "code" | "definition" | "definitions" | "everything" | "part"
            | "parts" | "something" | "stuff" | "thing" | "things" | "place" | "places" | "everyone" | "somebody"
            | "someone" => DependentKind::Any,
            _ => return false,
        };
        // `test functions`, `functions and methods`
        let is_known = matches!(self.clause.subject, AskedSubject::Kind(known) if known != DependentKind::Any);
        if is_known || matches!(self.clause.subject, AskedSubject::Name(_)) {
            return false;
        }
        self.clause.subject = AskedSubject::Kind(kind);
        self.has_subject = true;
        self.at += 1;
        if kind == DependentKind::Test {
            self.eat("functions cases");
        } else if kind == DependentKind::Function && self.eat_all(&["and or", "methods"])
            || kind == DependentKind::Method && self.eat_all(&["and or", "functions"])
        {
            self.clause.subject = AskedSubject::Kind(DependentKind::Function);
        }
        true
    }

    /// Whether the question asks whether, and the next word is a name.
    fn names_next(&self) -> bool {
        let next = self.words.get(self.at + 1);
        self.clause.wanted == ReverseWish::Whether
            && next.is_some_and(|next| is_name(self.store, next).is_ok_and(|is_name| is_name))
    }

    fn is_at_relation(&self) -> bool {
        self.is(AFFECTED) && is_in("by if when from once for in to after because", self.word(1))
            || self.is(BREAKS) && is_in("if when once after by because from on", self.word(1))
            || self.is(DEPENDS)
            || self.is(USES)
            || self.clause.subject == AskedSubject::Kind(DependentKind::Test) && self.is(COVERS)
            || self.is("end ends lead leads") && is_in("up to", self.word(1))
            || self.is(DEPENDENTS) && is_in("of for does do has have", self.word(1))
            || self.is("away upstream") && is_in("from of", self.word(1))
            || self.is("within")
                && number(self.word(1)).is_some()
                && is_in(STEPS, self.word(2))
                && is_in("of from", self.word(3))
            || self.has_subject
                && number(self.word(0)).is_some()
                && is_in(STEPS, self.word(1))
                && is_in("away from of", self.word(2))
            || (self.is(AFFECTED) || self.is(BREAKS))
                && self.lower[self.at + 1..].iter().any(|word| is_in("if when by", word))
    }

    fn relation(&mut self) -> bool {
        let word = self.word(0).to_owned();
        let clause = &mut self.clause;
        clause.is_closure = true;
        if number(&word).is_some() || word == "within" {
            let is_most = word == "within";
            self.at += usize::from(is_most);
            let Some(steps) = number(self.word(0)).filter(|steps| *steps > 0) else { return false };
            self.at += 2;
            let is_exact = self.eat("away") && !is_most;
            self.clause.distance =
                Some(if is_exact || !is_most { Distance::Exactly(steps) } else { Distance::AtMost(steps) });
            return self.eat("of from");
        }
        self.at += 1;
        if is_in(DEPENDS, &word) {
            self.clause.is_of_dependence = true;
            while !self.is("on upon") {
                if !matches!(self.condition(), Ok(true)) {
                    return false;
                }
            }
            return self.eat("on upon");
        }
        if is_in(DEPENDENTS, &word) {
            self.clause.is_relation_a_noun = true;
            self.has_subject = true;
            self.clause.is_closure = !is_in("callers users", &word) || self.clause.is_indirect;
            return self.eat("of for does do has have");
        }
        if is_in("end ends lead leads", &word) {
            self.skip("up");
            return self.eat("calling using in at to into");
        }
        if word == "upstream" {
            self.clause.is_upstream = true;
            return self.eat("of from");
        }
        if is_in(USES, &word) || is_in(COVERS, &word) && !self.is("by if when") {
            let is_reach = word.starts_with("reach");
            self.clause.is_of_use = true;
            self.clause.is_closure = is_reach || self.clause.is_indirect || self.clause.distance.is_some();
            // `calls, directly or not, f`
            while self.directness() {}
            self.clause.is_closure |= self.clause.is_indirect;
            return true;
        }
        if !is_in(AFFECTED, &word) && !is_in(BREAKS, &word) {
            return false;
        }
        // `affected functions in a.py if f changes`
        while !self.is_at_end() && !self.is("by if when from once for to after because on") {
            match self.condition() {
                Ok(true) => {}
                _ if self.noun() => {}
                _ if self.eat(FILLERS) => {}
                _ => return false,
            }
        }
        self.eat("by if when from once for to after because on") && {
            self.skip("of");
            true
        }
    }

    /// Reads `changing f`, `a change to f`: whether it is there.
    fn change_of_object(&mut self) -> Result<bool, StoreError> {
        let start = self.at;
        self.skip("a an the any my");
        let change = self.word(0).to_owned();
        if !self.eat(CHANGES) {
            self.at = start;
            return Ok(false);
        }
        self.skip("to of in on");
        self.clause.change = change;
        self.object()
    }

    /// Reads `affect any public function`, behind `does changing f`.
    fn affecting(mut self) -> Read {
        if !self.eat(AFFECT) {
            return Ok(None);
        }
        self.clause.is_closure = true;
        while !self.is_at_end() {
            if self.condition()? || self.noun() {
                continue;
            }
            let is_open = !self.has_subject && !self.is(FILLERS);
            if is_open && is_name(self.store, self.words[self.at])? {
                self.clause.subject = AskedSubject::Name(self.words[self.at].to_owned());
                self.has_subject = true;
                self.at += 1;
                continue;
            }
            if !self.eat(FILLERS) {
                return Ok(None);
            }
        }
        Ok(Some(self.clause).filter(|_| self.has_subject))
    }

    /// Reads the object with the words of a change before and its kind around it.
    fn object(&mut self) -> Result<bool, StoreError> {
        self.skip("i we you one someone somebody they");
        self.skip("directly indirectly transitively");
        let start = self.at;
        self.skip("a an the any my our your");
        let change = self.word(0).to_owned();
        if self.eat("breaking") || self.eat(CHANGES) {
            self.clause.change = change;
            self.skip("to of in on");
        } else {
            self.at = start;
        }
        self.skip("a an the my our your this");
        if self.eat_all(&["behavior behaviour body code implementation name result signature value", "of"])
            || self.eat_all(&["return", "value type", "of"])
        {
            self.skip("the");
        }
        let has_kind = self.is(KINDS) && self.at + 1 < self.words.len() && {
            let next = self.words[self.at + 1];
            is_name(self.store, next)?
        };
        // `the timeout parameter of f` is no definition.
        if is_in(PARAMETERS, self.word(0)) || is_in(PARAMETERS, self.word(1)) {
            return Ok(false);
        }
        let is_module = |word: &str| is_in("file module package", word);
        self.clause.is_object_a_module = has_kind && is_module(self.word(0));
        self.at += usize::from(has_kind);
        if self.is_at_end() {
            return Ok(false);
        }
        let name = spelled(self.words[self.at]);
        self.clause.object = if is_name(self.store, self.words[self.at])? {
            name
        } else if !looks_like_code(&name) {
            return Ok(false);
        } else if is_name(self.store, &format!("_{name}"))? {
            format!("_{name}")
        } else {
            self.clause.is_object_unknown = true;
            name
        };
        self.at += 1;
        self.clause.is_object_a_module |= is_module(self.word(0));
        let has_kind_behind = self.eat(KINDS);
        self.clause.has_kind_of_object = has_kind || has_kind_behind;
        let is_placed = self.is("in of from") || self.is("inside") && !self.is_at_end();
        let ahead = 1 + usize::from(is_in("the", self.word(1)));
        let ahead = ahead + usize::from(is_in("class file module package", self.word(ahead)));
        if is_placed
            && self.clause.object_in.is_none()
            && self.at + ahead < self.words.len()
            && !is_in("test tests", self.word(ahead))
            && is_name(self.store, self.words[self.at + ahead])?
        {
            self.clause.object_in = Some(self.words[self.at + ahead].to_owned());
            self.at += ahead + 1;
            self.skip("class file module package");
        }
        Ok(true)
    }

    /// Reads the words behind the object.
    fn conditions(mut self) -> Read {
        while !self.is_at_end() {
            if self.change_behind() || self.condition()? {
                continue;
            }
            if !self.eat(FILLERS) && !self.eat("and but either exclusively or too") {
                return Ok(None);
            }
        }
        Ok(Some(self.clause))
    }

    /// `changes its signature`, `is removed`, `would change`
    fn change_behind(&mut self) -> bool {
        let start = self.at;
        self.skip("is was are were gets get got would will be being");
        if self.is(CHANGES) {
            self.clause.change = self.word(0).to_owned();
        }
        if self.eat(CHANGES) || self.eat("breaks broken break gone behaves fails") {
            if self.eat("its the") {
                self.eat("return");
                self.eat("behavior behaviour body implementation name result signature value type");
            }
            self.eat("differently slightly");
            return true;
        }
        self.at = start;
        self.eat_all(&["i we you", "change changed touch edit modify", "it"])
            || self.eat_all(&["if when", "i we you", "change changed touch edit modify", "it"])
            || self.eat_all(&["if when", "it", "changes changed breaks"])
    }

    /// Reads how direct a dependence is.
    fn directness(&mut self) -> bool {
        if self.eat_all(&["directly", "or and/or and", "not"]) || self.eat_all(&["direct", "or and", "not"]) {
            (self.clause.is_indirect, self.clause.is_either) = (true, true);
            return true;
        }
        if self.eat_all(&["directly direct", "or and/or and", "indirectly indirect transitively transitive otherwise"])
            || self.eat("both")
        {
            (self.clause.is_indirect, self.clause.is_either) = (true, true);
            return true;
        }
        if self.eat("directly direct immediate immediately") {
            self.clause.is_direct = true;
            return true;
        }
        if self.eat("indirect indirectly transitive transitively eventually ultimately recursively recursive finally") {
            self.clause.is_indirect = true;
            self.clause.is_either |= self.eat("or and") && self.eat("directly direct");
            return true;
        }
        let is_end = self.eat_all(&["in", "the", "end"]);
        self.clause.is_indirect |= is_end;
        is_end
    }

    /// Reads one condition: directness, a place, tests, visibility, a distance.
    fn condition(&mut self) -> Result<bool, StoreError> {
        if self.directness() || self.steps() || self.of_tests() {
            return Ok(true);
        }
        if self.eat("async asynchronous") {
            self.clause.is_async = true;
            return Ok(true);
        }
        if self.eat("public exported") {
            self.clause.is_public = true;
            return Ok(true);
        }
        if self.is("most") && self.clause.wanted == ReverseWish::Which || self.is("the") && self.word(1) == "most" {
            self.skip("the");
            self.skip("most");
            self.eat("often frequently heavily much strongly");
            self.clause.wanted = ReverseWish::Most;
            return Ok(true);
        }
        let start = self.at;
        self.skip("and but just only");
        let is_denied = self.eat("not");
        let is_outside = self.eat_all(&["outside out", "of"]) || self.eat("outside except beyond");
        let is_inside = !is_outside && self.eat("in inside within of from");
        if is_outside || is_inside {
            self.skip("of in the our all");
            self.skip("module modules file files class package folder directory");
            let is_place =
                self.at < self.words.len() && (self.is("test tests") || is_name(self.store, self.words[self.at])?);
            if is_place {
                let name = self.words[self.at].to_owned();
                self.clause.places.push((name, is_outside != is_denied));
                self.at += 1;
                self.skip("module file class package folder directory only suite");
                return Ok(true);
            }
        }
        self.at = start;
        Ok(false)
    }

    /// `tests only`, `non-test`, `without tests`
    fn of_tests(&mut self) -> bool {
        let start = self.at;
        if self.eat("non-test nontest production") || self.eat_all(&["non", "test"]) {
            self.clause.in_tests = Some(false);
            return true;
        }
        let is_without = self.eat("without excluding ignoring except besides")
            || self.eat_all(&["not", "counting in including"])
            || self.eat_all(&["other", "than"]);
        self.skip("in the our any");
        if is_without && self.eat("test tests") {
            self.eat("code suite files");
            self.clause.in_tests = Some(false);
            return true;
        }
        self.at = start;
        // The subject may be the tests themselves.
        if self.has_subject && self.eat_all(&["tests test", "only"]) {
            self.clause.in_tests = Some(true);
            return true;
        }
        false
    }

    /// `within two hops`, `up to depth 3`, `at most 2 steps away`, `two levels deep`
    fn steps(&mut self) -> bool {
        let start = self.at;
        let is_limit = self.eat("within max maximum up at over in with to");
        self.skip("to most a max maximum");
        if self.eat("depth distance") {
            self.skip("of to");
            if let Some(steps) = number(self.word(0)).filter(|steps| *steps > 0) {
                self.at += 1;
                self.clause.distance = Some(Distance::AtMost(steps));
                return true;
            }
            self.at = start;
            return false;
        }
        let steps = number(self.word(0)).filter(|steps| *steps > 0);
        if let Some(steps) = steps.filter(|_| is_in(STEPS, self.word(1))) {
            let behind = self.word(2).to_owned();
            // `two calls away from f` is a relation.
            let is_relation =
                is_in("away of from", &behind) && is_in("from of", self.word(if behind == "away" { 3 } else { 2 }));
            if !is_relation && (is_limit || is_in("deep away up back", &behind)) {
                self.at += 2;
                self.eat("away deep up back");
                self.clause.distance = Some(Distance::AtMost(steps));
                return true;
            }
        }
        self.at = start;
        false
    }

    /// `how deep does the chain of callers of f go`, `how far up does the impact of changing f reach`
    fn farthest(mut self) -> Read {
        self.skip("up back down");
        if self.lower[1] == "far" {
            self.skip("is does do would will reaches goes spreads the impact effect of ripple");
            let is_read = self.object()?;
            self.skip("go reach spread propagate get extend up");
            (self.clause.is_closure, self.clause.is_relation_a_noun) = (true, true);
            return Ok(Some(self.clause).filter(|_| is_read && self.at >= self.words.len()));
        }
        self.skip("is does do would will");
        self.skip("the a");
        let is_chain = self.eat("longest") || self.is("chain chains call tree");
        self.skip("longest call caller callers chain chains tree closure hierarchy of direct indirect the transitive");
        let is_impact = self.eat("impact effect ripple closure dependents influence");
        self.skip("of effect the a");
        if !(is_chain || is_impact) || !self.object()? {
            return Ok(None);
        }
        self.skip("go reach get extend goes");
        self.clause.wanted = ReverseWish::Farthest;
        self.clause.is_closure = true;
        Ok(Some(self.clause).filter(|_| self.at >= self.words.len()))
    }
}
