"""Takes copies of the measured projects out of mined pairs: apart.py PAIRS_DIR SOURCE...

A SOURCE is a bare git directory or a folder of a project that retrieval is measured on. Other projects copy from them. A
pair is removed if its question has the words of a first sentence of theirs, or if its function has the name and the
signature of theirs (names of one word apart). Nothing else of these projects is used."""

import glob
import os
import pickle
import sys
from collections import Counter

import mine
from words import words


def measured(sources):
    """The questions, and the functions by name and signature, of the projects that are measured."""
    mine.EVALUATED = set()
    questions, signatures = set(), set()
    for source in sources:
        is_git = os.path.exists(os.path.join(source, "HEAD"))
        for path, text in mine.Repository(source).files() if is_git else mine.folder_files(source):
            for function in mine.functions(path, text):
                if function["doc"]:
                    questions.add(frozenset(mine.question_words(mine.first_sentence(function["doc"]))))
                name = frozenset(words(function["name"]))
                if len(name) > 1:
                    signatures.add((name, frozenset(words(function["signature"]))))
    return questions, signatures


if __name__ == "__main__":
    folder, *sources = sys.argv[1:]
    questions, signatures = measured(sources)
    for file in sorted(glob.glob(os.path.join(folder, "*.pickle"))):
        ids, frequency, pairs = pickle.load(open(file, "rb"))
        own = []
        for pair in pairs:
            _, question, fields = pair
            text, name, signature = (frozenset(ids[w] for w in part) for part in (question, fields["name"], fields["signature"]))
            if text not in questions and (name, signature) not in signatures:
                own.append(pair)
        if len(own) < len(pairs):
            print(os.path.basename(file), "without", dict(Counter(kind for kind, *_ in pairs) - Counter(kind for kind, *_ in own)), flush=True)
            pickle.dump((ids, frequency, own), open(file, "wb"), protocol=5)
