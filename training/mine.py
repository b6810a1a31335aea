"""Mines training pairs (words of a question, words of a function's fields): mine.py OUT_DIR SOURCE...

A SOURCE is a bare git directory or a folder of Python files. Four kinds of pairs:
  doc      first sentence of a docstring -> the function without that sentence
  further  another sentence of a docstring -> the function without that sentence
  comment  a comment inside a function -> the function without that comment
  commit   subject of a commit that changes one to three functions -> those functions as they were before
Only counts of stems are written, one file a source; no source text. See README.md for what was read."""

import ast
import hashlib
import os
import pickle
import re
import subprocess
import sys
import warnings
from collections import Counter
from multiprocessing import Pool

from words import words

warnings.simplefilter("ignore")
FIELDS = ("name", "owner", "path", "signature", "doc", "body")
# The projects that retrieval is measured on, wherever a copy of them lies.
EVALUATED = {"flask", "requests", "httpx", "httpcore", "click", "rich", "networkx", "pytest", "_pytest", "scrapy", "sphinx", "langchain"}
SKIPPED = re.compile(
    r"(^|/)(tests?|testing|_vendor|vendored|vendor|_distutils|extern|examples?|samples?|docs?|benchmarks?|migrations|locale|site-packages|idlelib|lib2to3)(/|$)"
    r"|(^|/)(test_[^/]*|conftest)\.py$|_test\.py$|_pb2\.py$"
)
CHORE = re.compile(
    r"\b(merge|revert|bump|release|version|changelog|typo|typos|lint|flake8|mypy|typing|type hints?|annotations?|black|isort|pyupgrade|docs?|docstrings?|"
    r"documentation|readme|comment|comments|whitespace|formatting|pep8|pep 8|tests?|ci|travis|appveyor|coverage|refactor|cleanup|clean up|style|pre-commit|deprecat\w*)\b",
    re.I,
)
ISSUE = re.compile(r"\(?\b(?:fix(?:es|ed)?|close[sd]?|refs?|bug|issue|gh|ticket)?:?\s*#\d+\)?|\bgh-\d+\b|^\[[^\]]{1,20}\]\s*|\([^)]*#\d+[^)]*\)", re.I)
COMMENT = re.compile(r"^\s*#+\s?(.*)$")
CODE_LIKE = re.compile(r"[=(){}\[\]]|^(if|for|return|print|import|from|def|class|else|elif|try|pylint|noqa|type:|pragma|todo|xxx|fixme)\b", re.I)
FUNCTIONS = os.environ.get("FUNCTIONS", "1") != "0"  # with 0, a source gives its commits alone
COMMITS, COMMENTS, BYTES = int(os.environ.get("COMMITS", "700")), 3, 300_000  # commits a source, comments a function, size of a file


def kept(path):
    return path.endswith(".py") and not SKIPPED.search(path) and not EVALUATED.intersection(path.lower().split("/")[:2])


def docstring_node(node):
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def first_sentence(doc):
    paragraph = re.sub(r"\s+", " ", re.split(r"\n\s*\n", doc.strip())[0]).strip()
    match = re.match(r"(.+?[.!?])(\s+[A-Z:`*(\[]|$)", paragraph)
    return (match.group(1) if match else paragraph).strip()


def further_sentences(doc):
    """Up to two whole sentences after the first one, from its paragraph and the next."""
    prose = []
    for paragraph in re.split(r"\n\s*\n", doc.strip())[:3]:
        if re.match(r"\s*([:>.*\-=]|Args|Arguments|Param|Return|Raises|Example|Notes|See Also|\w+\n\s*-{3})", paragraph):
            break
        prose += re.split(r"(?<=[.!?])\s+(?=[A-Z`])", paragraph)
    found = [s for s in prose[1:] if 5 <= len(s.split()) <= 35 and s.rstrip().endswith(".") and "\n\n" not in s]
    return found[:2]


def functions(path, source):
    """The functions of a file: qualified name, lines and the texts of the fields."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines, found = source.splitlines(), []

    def visit(body, owners):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                doc_node = docstring_node(node)
                real = [s for s in node.body if s is not doc_node]
                trivial = not real or all(isinstance(s, (ast.Pass, ast.Raise)) or isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) for s in real)
                decorators = " ".join(lines[d.lineno - 1].strip() for d in node.decorator_list)
                signature = " ".join(lines[node.lineno - 1 : max(node.lineno, node.body[0].lineno - 1)])
                body_start = doc_node.end_lineno if doc_node else node.body[0].lineno - 1
                found.append(
                    dict(
                        name=node.name,
                        owner=" ".join(owners),
                        path=re.sub(r"^(src|lib)/", "", path[:-3]).replace("/", " "),
                        signature=f"{signature[:600]} {decorators[:300]}",
                        doc=ast.get_docstring(node) or "",
                        body=lines[body_start : node.end_lineno],
                        start=min([node.lineno] + [d.lineno for d in node.decorator_list]),
                        end=node.end_lineno,
                        trivial=trivial or "overload" in decorators,
                    )
                )
            elif isinstance(node, ast.ClassDef):
                visit(node.body, owners + [node.name])
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                for part in ("body", "orelse", "finalbody"):
                    visit(getattr(node, part, None) or [], owners)

    visit(module.body, [])
    return found


def question_words(text):
    return words(re.sub(r":\w+:`~?\.?([^`<]+)(<[^`]*>)?`", r"\1", text))


class Pairs:
    def __init__(self):
        self.ids, self.frequency, self.pairs, self.seen, self.per_function = {}, Counter(), [], set(), {}

    def id(self, word):
        return self.ids.setdefault(word, len(self.ids))

    def fields(self, function, doc, body):
        texts = {**function, "doc": doc, "body": body}
        return {f: {self.id(w): n for w, n in Counter(words(texts[f][:8000])).items()} for f in FIELDS}

    def add(self, kind, question, function, doc, body):
        question = question_words(question)
        if not 3 <= len(question) <= 60:
            return False
        key = hashlib.md5((" ".join(question) + "|" + function["name"]).encode()).digest()
        if key in self.seen:
            return False
        self.seen.add(key)
        fields = self.fields(function, doc, body)
        if kind in ("doc", "commit"):
            self.frequency.update({w for field in fields.values() for w in field})
        self.pairs.append((kind, [self.id(w) for w in question], fields))
        return True


def mine_functions(pairs, path, source):
    for function in functions(path, source):
        body = "\n".join(function["body"])
        if function["trivial"] or len(body) < 30:
            continue
        doc = function["doc"]
        if doc:
            sentence = first_sentence(doc)
            pairs.add("doc", sentence, function, doc[len(sentence) :][:1500], body)
            for further in further_sentences(doc):
                pairs.add("further", further, function, doc.replace(further, " ")[:1500], body)
        taken = 0
        for number, line in enumerate(function["body"]):
            comment = COMMENT.match(line)
            if not comment or taken == COMMENTS or number and COMMENT.match(function["body"][number - 1]):
                continue
            block = [comment.group(1)]
            for further in function["body"][number + 1 :]:
                match = COMMENT.match(further)
                if not match:
                    break
                block.append(match.group(1))
            text = first_sentence(" ".join(block))
            if not 4 <= len(text.split()) <= 30 or CODE_LIKE.search(text):
                continue
            rest = function["body"][:number] + function["body"][number + len(block) :]
            taken += pairs.add("comment", text, function, doc[:1500], "\n".join(rest))


class Repository:
    def __init__(self, directory):
        self.directory = directory
        self.cat = subprocess.Popen(["git", f"--git-dir={directory}", "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def git(self, *arguments):
        return subprocess.run(["git", f"--git-dir={self.directory}", *arguments], capture_output=True).stdout.decode("utf-8", "replace")

    def read(self, name):
        self.cat.stdin.write(name.encode() + b"\n")
        self.cat.stdin.flush()
        head = self.cat.stdout.readline().split()
        if len(head) != 3:
            return ""
        data = self.cat.stdout.read(int(head[2]))
        self.cat.stdout.read(1)
        return data.decode("utf-8", "replace") if head[1] == b"blob" else ""

    def files(self):
        for record in self.git("ls-tree", "-r", "-z", "HEAD").split("\0"):
            if record:
                meta, path = record.split("\t", 1)
                if kept(path) and not meta.startswith("120000"):
                    source = self.read(meta.split()[2])
                    if len(source) <= BYTES:
                        yield path, source


def subject_of(line):
    subject = ISSUE.sub("", line).strip(" .:-")
    return subject if 3 <= len(subject.split()) <= 20 and not CHORE.search(subject) else None


def mine_commits(pairs, repository):
    log = subprocess.Popen(
        ["git", f"--git-dir={repository.directory}", "log", "--no-merges", "-n", "12000", "-U0", "--no-renames", "--diff-filter=M", "-p", "--format=%x01%H %s", "--", "*.py"],
        stdout=subprocess.PIPE,
    )
    done, commit, subject, path, hunks = 0, None, None, None, {}

    def finish():
        if not subject or not 1 <= len(hunks) <= 3:
            return 0
        changed = []
        for file, ranges in hunks.items():
            source = repository.read(f"{commit}~1:{file}")
            if not source or len(source) > BYTES:
                return 0
            for function in functions(file, source):
                if any(a <= function["end"] and b >= function["start"] for a, b in ranges):
                    changed.append(function)
        if not 1 <= len(changed) <= 3:
            return 0
        return sum(pairs.add("commit", subject, f, f["doc"][:2000], "\n".join(f["body"])) for f in changed) > 0

    for raw in log.stdout:
        if raw.startswith(b"\x01"):
            done += finish()
            if done >= COMMITS:
                log.kill()
                return
            commit, _, rest = raw[1:].decode("utf-8", "replace").strip().partition(" ")
            subject, path, hunks = subject_of(rest), None, {}
        elif subject and raw.startswith(b"--- a/"):
            path = raw[6:].decode("utf-8", "replace").strip()
            path = path if kept(path) else None
        elif subject and path and raw.startswith(b"@@"):
            match = re.match(rb"@@ -(\d+)(?:,(\d+))?", raw)
            start, count = int(match.group(1)), int(match.group(2) or 1)
            hunks.setdefault(path, []).append((start, start + max(count, 1) - 1))
    finish()


def folder_files(folder):
    for base, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = os.path.relpath(os.path.join(base, file), folder)
            if kept(path):
                source = open(os.path.join(base, file), encoding="utf-8", errors="replace").read()
                if len(source) <= BYTES:
                    yield path, source


def mine(job):
    source, out = job
    pairs = Pairs()
    is_git = os.path.exists(os.path.join(source, "HEAD"))
    repository = Repository(source) if is_git else None
    if FUNCTIONS:
        for path, text in repository.files() if is_git else folder_files(source):
            mine_functions(pairs, path, text)
    if is_git and COMMITS:
        mine_commits(pairs, repository)
        repository.cat.kill()
    name = os.path.basename(os.path.dirname(source)) if is_git else os.path.basename(source.rstrip("/"))
    name += "" if FUNCTIONS else ".commits"
    with open(os.path.join(out, name + ".pickle"), "wb") as file:
        pickle.dump((list(pairs.ids), pairs.frequency, pairs.pairs), file, protocol=5)
    return name, Counter(kind for kind, _, _ in pairs.pairs)


if __name__ == "__main__":
    out, sources = sys.argv[1], sys.argv[2:]
    os.makedirs(out, exist_ok=True)
    with Pool(int(os.environ.get("JOBS", "1"))) as pool:
        for name, kinds in pool.imap_unordered(mine, [(source, out) for source in sources]):
            print(name, dict(kinds), flush=True)
