"""Checks words.py against words.txt, as src/texts/words.rs does: python words_test.py"""

from words import words

for line in open("words.txt", encoding="utf-8"):
    text, expected = line.rstrip("\n").split("\t")
    assert " ".join(words(text)) == expected, text
print("equal")
