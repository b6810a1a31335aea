"""The words of a text, exactly as src/texts/words.rs finds them: identifiers split, lower-cased, stemmed; the joined
form of a split identifier kept. Training and search must agree on this, so a test on both sides reads words.txt."""

import re
from functools import lru_cache

import snowballstemmer  # 2.2.0: later versions changed the English rules, the Rust crate follows the older ones

_stemmer = snowballstemmer.stemmer("english")
IDENTIFIER = re.compile(r"[^\W\d_][^\W_]*(?:_+[^\W_]+)*|\d+")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
STOP = frozenset(
    "a an the of to for in on and or is are was be been with from by if it its this that these those as at into not no "
    "any will would can could should we you i do does did when where which what who how why there then than so but also "
    "only such other some may must have has had".split()
)


@lru_cache(None)
def stem(word):
    return _stemmer.stemWord(word) if len(word) > 2 and word.isascii() and word.isalpha() else word


@lru_cache(1 << 20)
def parts(identifier):
    lower = [part.lower() for part in PART.findall(identifier)]
    stems = tuple(stem(part) for part in lower)
    return stems + ("".join(lower),) if len(stems) > 1 else stems


def words(text):
    return [word for identifier in IDENTIFIER.findall(text) for word in parts(identifier)]


def query_words(text):
    """Distinct words of a question without stop words (with them, if there are no others)."""
    found = words(text)
    return list(dict.fromkeys(word for word in found if word not in STOP)) or list(dict.fromkeys(found))
