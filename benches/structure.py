"""Counts how the Rust sources hang together, and how the prose reads: the same figures for an old and a new tree.

Usage: structure.py [--list] [--json] TREE...

TREE is a checkout of this repository (a folder that holds `src`). Several trees are shown beside each other. `--list`
prints the members behind each figure. Only the standard library is used. The sources are read as tokens, without types:
single figures can be off by one or two, but the same tree always gives the same figures.

Files that are declared under `#[cfg(test)]`, and `#[cfg(test)] mod ... { }` in other files, count nowhere.

The figures
  (a) circle        Files of `src/resolve` in the largest strongly connected component of calls between files.
  (b) largest type  Methods of the type of `src/resolve` that has most, and the files that its inherent impls lie in.
  (c) folders       Children (files and folders) of the widest folders in `src`.
  (d) type names    Names of structs, enums, traits and type aliases that two or more files of `src` define.
  (e) prose         The word "what" per 1,000 words of the documents, without code blocks, tables and inline code; doc
                    lines in `src` that begin with "What"; lines of comment longer than 120 columns.
  (f) lines         Lines of Rust in `src`.
  (g) documents     Lines of README, ARCHITECTURE, BENCHMARKS and CHANGELOG.
  (h) comments      Lines that are a plain comment (`//`), as a share of all lines; those inside of functions alone.

Rules of (a). A call is an edge from its file to the file of each function that it can mean:
  - `receiver.name(`: the type of the receiver is known for `self`, for parameters, and for fields of these, in so far
    as the structs of `src/resolve` say it. Such a call leads to the methods of that type only. Of other receivers
    nothing is known: the call counts when one file alone defines a method of that name, and no type of the standard
    library is likely to have one (`STANDARD`).
  - `name(`, `module::name(`, `Type::name(`: by the imports of the file.
  - A function that is named without being called (`.map(name)`, an entry of a table) counts as called.
  - A table is a constant, a static, or a function that returns a list, that names functions. Whoever names the table
    counts as calling each of its entries. So does whoever calls through a field that holds a function, `(rule.run)(x)`.
  - A call of a method that a trait of `src/resolve` declares leads to every implementation.
  - Imports alone are no edges; nor are calls out of `src/resolve`.

Rules of (b).
  - Methods are all functions in inherent impls, with or without `self`.
  - A free function, or a method of another type, whose first or later parameter is `&mut T` counts as a method of T.
  - Two types that hold each other by `&mut` count as one, and so does a type that derefs mutably to another. A field
    `&mut dyn Trait` holds each type that implements the trait.
  - Types that hold the largest one by `&mut`, without being held by it, are listed apart, with the number of their
    methods.

Today's figures and an earlier count (both on commit 9b11383)
  (a) 66 of 81; the earlier count gave 61 of 82. It counted calls of methods alone, and one file of tests. Calls of free
      functions bring five more files: lookup, imports and mro by `fixtures::is_test_path`, choices and trace with them.
  (b) 749 methods in 66 files, earlier 748: `member_heads` is a free function that takes the whole solver.
  (c) 83 children, as earlier.
  (d) 99 of 546 names, earlier 102 of 559 with those of tests.
  (e) "what" 22.5, 20.5 and 27.7 times, earlier 21.8, 20.0 and 26.1: words of inline code count as one here.
      684 doc lines and 539 long lines, earlier 687 and 627 with tests and code.
  (f) 71,448 lines, earlier about 71,000.
  (h) 0.66 % of the lines, earlier 0.7 %.
"""

import argparse
import bisect
import collections
import json
import os
import re

TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>//[^\n]*)
    |(?P<string>b?r(?P<hashes>\#*)"(?s:.*?)"(?P=hashes)|[bc]?"(?:\\(?s:.)|[^"\\])*"
      |b?'(?:\\(?:u\{[^}]*\}|x[0-9a-fA-F]{2}|.)|[^\\'\n])')
    |(?P<lifetime>'[A-Za-z_]\w*)
    |(?P<word>(?:r\#)?[A-Za-z_]\w*)
    |(?P<number>\d[\w.]*?(?=\.\.|\.[A-Za-z_]|[^\w.]|$))
    |(?P<mark>::|->|=>|.)""",
    re.VERBOSE,
)

# Methods that types of the standard library have too: a receiver of unknown type most likely is one of those.
STANDARD = set(
    """abs all and and_then any append as_bytes as_deref as_mut as_ref as_slice as_str binary_search by_ref bytes chain
    chars chunks clear clone cloned cmp collect concat contains contains_key copied count cycle dedup default deref drain
    ends_with entry enumerate eq err expect extend extend_from_slice filter filter_map find find_map finish first flat_map
    flatten flush fold for_each from get get_mut get_or_insert_with hash insert inspect into into_iter is_empty is_none
    is_none_or is_ok is_some is_some_and iter iter_mut join keys last len lines lock map map_err map_or map_or_else
    map_while max max_by max_by_key min min_by min_by_key ne next next_back not nth ok ok_or ok_or_else or or_default
    or_else or_insert or_insert_with parse partial_cmp partition peek peekable pop position product push push_str read
    remove replace resize resize_with retain rev reverse rsplit rsplit_once saturating_sub scan set skip skip_while sort
    sort_by sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key split split_at split_off split_once
    split_whitespace starts_with step_by strip_prefix strip_suffix sum swap take take_while then then_some to_owned
    to_string to_vec trim trim_end_matches trim_start trim_start_matches truncate try_from try_into union unwrap
    unwrap_or unwrap_or_default unwrap_or_else update values values_mut windows with_capacity wrapping_add write
    write_all write_str zip""".split()
)
# Wrappers through which a method call reaches what they hold.
TRANSPARENT = {"Box", "Rc", "Arc", "OnceCell", "Ref", "RefMut", "Cow"}
TYPE_WORDS = ("struct", "enum", "trait", "type")
ITEM_BEFORE = {None, "}", ";", "{", "]", "unsafe", "default", ")"}


class Function:
    def __init__(self, name, path, owner, trait, line):
        self.name, self.path, self.owner, self.trait, self.line = name, path, owner, trait, line
        # Names and types of its parameters, as lists of words and marks; the places of its body among the tokens.
        self.parameters, self.returned, self.body = [], [], None
        self.is_declared_by_trait = False

    def __str__(self):
        return f"{self.path}:{self.line} {self.owner + '::' if self.owner else ''}{self.name}"


class Source:
    """One file: its tokens without comments, and the items that it defines."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.line_starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.words, self.at, self.comments = [], [], []
        for match in TOKEN.finditer(text):
            kind = match.lastgroup if match.lastgroup != "hashes" else "string"
            if kind == "comment":
                self.comments.append((match.start(), match.group()))
            elif kind != "space":
                word = '""' if kind == "string" else match.group()
                self.words.append(word)
                self.at.append(match.start())
        self.pair = self.pairs()
        self.test_modules = []
        self.cut = self.test_ranges()
        self.functions, self.fields, self.types, self.imports = [], {}, [], {}
        self.impls, self.constants, self.derefs, self.trait_impls = [], [], [], []

    def line(self, token):
        return bisect.bisect_right(self.line_starts, self.at[token])

    def pairs(self):
        pair, stack = {}, []
        closing = {")": "(", "]": "[", "}": "{"}
        for index, word in enumerate(self.words):
            if word in "([{" and len(word) == 1:
                stack.append(index)
            elif word in closing and stack:
                pair[stack.pop()] = index
        return pair

    def test_ranges(self):
        """Ranges of tokens of `#[cfg(test)] mod x { }`; names of `#[cfg(test)] mod x;` are noted."""
        ranges = []
        words = self.words
        for index in range(len(words) - 7):
            if words[index : index + 7] != ["#", "[", "cfg", "(", "test", ")", "]"]:
                continue
            at = index + 7
            path = None
            while words[at] == "#":
                if words[at + 2] == "path":
                    start = self.at[at + 4]
                    path = self.text[start + 1 : self.text.index('"', start + 1)]
                at = self.pair[at + 1] + 1
            if words[at] == "pub":
                at += 1
                if words[at] == "(":
                    at = self.pair[at] + 1
            if words[at] != "mod":
                continue
            if words[at + 2] == "{":
                ranges.append((index, self.pair[at + 2]))
            else:
                self.test_modules.append(path or words[at + 1])
        return ranges

    def is_cut(self, token):
        return any(start <= token <= end for start, end in self.cut)

    def angle_end(self, at):
        """The token behind the generics that begin at `at`."""
        depth = 0
        while True:
            word = self.words[at]
            depth += (word == "<") - (word == ">")
            if word in "([{" and len(word) == 1:
                at = self.pair[at]
            at += 1
            if depth == 0:
                return at

    def parts(self, start, end):
        """The lists of words between two tokens that commas separate."""
        parts, part, depth, at = [], [], 0, start
        while at < end:
            word = self.words[at]
            depth += (word in "([{<" and len(word) == 1) - (word in ")]}>" and len(word) == 1)
            if word == "," and depth == 0:
                parts.append(part)
                part = []
            else:
                part.append(word)
            at += 1
        return [part for part in [*parts, part] if part]

    def read_items(self):
        words = self.words
        cut_ends = dict(self.cut)
        owners = []
        index = 0
        while index < len(words):
            if index in cut_ends:
                index = cut_ends[index] + 1
                continue
            while owners and owners[-1][0] < index:
                owners.pop()
            word, before = words[index], words[index - 1] if index else None
            following = words[index + 1] if index + 1 < len(words) else ""
            if word == "impl" and before in ITEM_BEFORE and before != ")":
                owners.append(self.read_impl(index))
            elif word in TYPE_WORDS and re.match(r"[A-Za-z_]\w*$", following) and before not in (".", "::", "'"):
                is_item = not owners and (word != "type" or before in ITEM_BEFORE) and before not in (":", "&", ",", "=")
                if is_item and before in ITEM_BEFORE | {"pub"}:
                    self.read_type(index, word, following)
                    if word == "trait":
                        opening = self.next_of(index, "{;")
                        if words[opening] == "{":
                            owners.append((self.pair[opening], None, following))
            elif word == "fn" and re.match(r"[A-Za-z_]\w*$", following):
                self.read_function(index, owners[-1] if owners else None)
            elif word in ("const", "static") and before not in ("*", "|", "(", "<", ",") and following != "fn":
                self.read_constant(index, following)
            elif word == "use" and before in ITEM_BEFORE | {"pub"}:
                self.read_use(index + 1, [])
            index += 1

    def next_of(self, at, marks):
        while self.words[at] not in marks or len(self.words[at]) != 1:
            at = self.pair[at] + 1 if self.words[at] in "([" and len(self.words[at]) == 1 else at + 1
        return at

    def read_impl(self, index):
        at = index + 1
        if self.words[at] == "<":
            at = self.angle_end(at)
        opening = self.next_of(at, "{")
        head = self.words[at:opening]
        if "where" in head:
            head = head[: head.index("where")]
        trait = None
        depth = 0
        for position, word in enumerate(head):
            depth += (word == "<") - (word == ">")
            if word == "for" and depth == 0 and head[position + 1 : position + 2] != ["<"]:
                trait, head = last_name(head[:position]), head[position + 1 :]
                break
        owner = last_name(head)
        if trait is None:
            self.impls.append(owner)
        else:
            self.trait_impls.append((trait, owner))
        if trait == "DerefMut" or trait == "Deref":
            body = self.words[opening : self.pair[opening]]
            if "Target" in body:
                self.derefs.append((owner, last_name(body[body.index("Target") + 2 : body.index(";")])))
        return (self.pair[opening], owner, trait)

    def read_type(self, index, word, name):
        self.types.append((name, self.line(index)))
        at = index + 2
        if self.words[at] == "<":
            at = self.angle_end(at)
        if word == "type":
            end = self.next_of(at, ";")
            self.fields.setdefault(name, {})["="] = self.words[at + 1 : end]
        if word != "struct":
            return
        opening = self.next_of(at, "{;") if self.words[at] != "(" else at
        fields = self.fields.setdefault(name, {})
        if self.words[opening] == ";":
            return
        for number, part in enumerate(self.parts(opening + 1, self.pair[opening])):
            part = without_attributes(part)
            if self.words[opening] == "(":
                fields[str(number)] = [word for word in part if word != "pub"]
            elif ":" in part:
                colon = part.index(":")
                fields[part[colon - 1]] = part[colon + 1 :]

    def read_function(self, index, owner):
        words = self.words
        # A function inside of a method is a free one.
        inside = owner and any(f.body and f.body[0] < index < f.body[1] for f in self.functions[-8:])
        owner = None if inside else owner
        function = Function(words[index + 1], self.path, owner and owner[1], owner and owner[2], self.line(index))
        function.is_declared_by_trait = bool(owner and owner[1] is None)
        at = index + 2
        if words[at] == "<":
            at = self.angle_end(at)
        end = self.pair[at]
        for part in self.parts(at + 1, end):
            part = without_attributes(part)
            if "self" in part[:4] and ":" not in part[:3]:
                function.parameters.append(("self", [*part[:-1], "Self"]))
            elif ":" in part:
                colon = part.index(":")
                function.parameters.append((part[colon - 1], part[colon + 1 :]))
        stop = self.next_of(end + 1, "{;")
        function.returned = words[end + 1 : stop]
        if words[stop] == "{":
            function.body = (stop, self.pair[stop])
        self.functions.append(function)

    def read_constant(self, index, name):
        at = index + 1
        if name == "mut":
            at, name = at + 1, self.words[at + 1]
        if not re.match(r"[A-Za-z_]\w*$", name) or self.words[at + 1] != ":":
            return
        end = self.next_of_deep(at, ";")
        if "=" in self.words[at:end]:
            start = at + self.words[at:end].index("=")
            self.constants.append((name, self.words[at + 2 : start], (start, end)))

    def next_of_deep(self, at, mark):
        while self.words[at] != mark:
            at = self.pair[at] + 1 if self.words[at] in "([{" and len(self.words[at]) == 1 else at + 1
        return at

    def read_use(self, at, before):
        """Notes the names that a `use` brings: local name -> path."""
        path = list(before)
        while at < len(self.words):
            word = self.words[at]
            if word == "{":
                for start in self.starts(at):
                    self.read_use(start, path)
                return
            if word in (";", ",", "}"):
                break
            if word == "as":
                self.imports[self.words[at + 1]] = path
                return
            if word != "::":
                path.append(word)
            at += 1
        if path:
            if path[-1] == "self":
                path = path[:-1]
            self.imports[path[-1]] = path

    def starts(self, opening):
        at, end = opening + 1, self.pair[opening]
        while at < end:
            yield at
            while at < end and self.words[at] != ",":
                at = self.pair[at] + 1 if self.words[at] == "{" else at + 1
            at += 1


def without_attributes(part):
    while part[:2] == ["#", "["]:
        depth = 0
        for position, word in enumerate(part):
            depth += (word == "[") - (word == "]")
            if word == "]" and depth == 0:
                part = part[position + 1 :]
                break
    return part


def last_name(words):
    """The type that a path with generics names: `Solver` for `&'a mut super::Solver<'_>`."""
    name, depth = None, 0
    for word in words:
        depth += (word == "<") - (word == ">")
        if depth == 0 and re.match(r"[A-Za-z_]\w*$", word) and word not in ("mut", "dyn", "impl", "const", "pub", "for"):
            name = word
    return name


def held_name(words):
    """As `last_name`, and through the wrappers that method calls see through."""
    words = [word for word in words if not word.startswith("'") and word not in ("&", "mut", "dyn", "impl")]
    name = last_name(words)
    while name in TRANSPARENT and "<" in words:
        words = words[words.index("<") + 1 : -1]
        words = [word for word in words if not word.startswith("'") and word not in ("&", "mut", "dyn", ",")]
        name = last_name(words)
    return name


def module_of(path):
    """The module that a file is, from the crate's root: `resolve`, `calls` for `src/resolve/calls.rs`."""
    parts = path[: -len(".rs")].split("/")[1:]
    return parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts


def place_of(each):
    return each.path if isinstance(each, Function) else each[0]


def path_before(words, at):
    """The parts of a path before its last word, without generics; empty for `<T as Trait>::name`."""
    parts, at = [], at - 1
    while at > 0 and words[at] == "::":
        at -= 1
        if words[at] == ">":
            depth = 0
            while at > 0:
                depth += (words[at] == ">") - (words[at] == "<")
                at -= 1
                if depth == 0:
                    break
            if words[at] == "::":
                at -= 1
        if not re.match(r"[A-Za-z_]\w*$", words[at]):
            return []
        parts.insert(0, words[at])
        at -= 1
    return parts


class Tree:
    """The sources of one checkout, without tests."""

    def __init__(self, root):
        self.root = root
        paths = []
        for folder, folders, files in os.walk(os.path.join(root, "src")):
            folders.sort()
            paths += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(files) if name.endswith(".rs")]
        sources = {}
        for path in paths:
            with open(os.path.join(root, path), encoding="utf-8", newline="") as file:
                sources[path] = Source(path, file.read())
        cut = set()
        for path, source in sources.items():
            stem = path[:-3]
            is_root = os.path.basename(path) in ("mod.rs", "lib.rs", "main.rs")
            folder = os.path.dirname(path) if is_root else stem
            for module in source.test_modules:
                if module.endswith(".rs"):
                    cut.add(os.path.normpath(os.path.join(os.path.dirname(path), module)))
                cut |= {f"{folder}/{module}.rs", f"{folder}/{module}/"}
        self.all_files = paths
        self.sources = {
            path: source
            for path, source in sources.items()
            if path not in cut and not any(path.startswith(folder) for folder in cut if folder.endswith("/"))
        }
        for source in self.sources.values():
            source.read_items()

    def of_resolve(self):
        return {path: source for path, source in self.sources.items() if path.startswith("src/resolve/")}


class Calls:
    """The calls between the files of `src/resolve`."""

    def __init__(self, sources):
        self.sources = sources
        self.edges = collections.defaultdict(lambda: collections.defaultdict(set))
        functions = [function for source in sources.values() for function in source.functions]
        self.methods = collections.defaultdict(list)
        self.by_owner = collections.defaultdict(list)
        self.free = collections.defaultdict(list)
        self.trait_methods = collections.defaultdict(list)
        declared = {function.name for function in functions if function.is_declared_by_trait}
        for function in functions:
            if function.is_declared_by_trait:
                if function.body:
                    self.trait_methods[function.name].append(function)
            elif function.owner:
                self.methods[function.name].append(function)
                self.by_owner[function.owner, function.name].append(function)
                if function.trait and function.name in declared:
                    self.trait_methods[function.name].append(function)
            else:
                self.free[function.name].append(function)
        self.declared = declared
        self.fields = collections.defaultdict(dict)
        self.types = collections.defaultdict(set)
        for path, source in sources.items():
            for name, fields in source.fields.items():
                self.fields[name].update(fields)
            for name, _ in source.types:
                self.types[name].add(path)
        self.derefs = collections.defaultdict(set)
        for source in sources.values():
            for owner, target in source.derefs:
                self.derefs[owner].add(target)
        self.by_module = {tuple(module_of(path)): source for path, source in sources.items()}
        self.tables = {}
        self.find_tables()
        for source in sources.values():
            self.read(source)

    def absolute(self, source, parts, depth=0):
        """The path from the crate's root that a path in a file means, as far as `use` and the file's place tell."""
        here = module_of(source.path)
        first = parts[0]
        if first == "crate":
            return parts[1:]
        if first in ("self", "super"):
            while parts and parts[0] in ("self", "super"):
                here = here[:-1] if parts[0] == "super" else here
                parts = parts[1:]
            return here + parts
        imported = source.imports.get(first)
        if imported and imported != [first] and depth < 5:
            return self.absolute(source, imported, depth + 1) + parts[1:]
        return here + parts

    def found_by_path(self, path, defined, depth=0):
        """Items of `defined` that a path means: in the file of the module that it names, or by its re-exports."""
        source = self.by_module.get(tuple(path[:-1]))
        if source is None:
            return []
        found = [each for each in defined.get(path[-1], ()) if place_of(each) == source.path]
        if not found and path[-1] in source.imports and depth < 5:
            return self.found_by_path(self.absolute(source, source.imports[path[-1]]), defined, depth + 1)
        return found

    def owned(self, owner, name):
        """Methods of a type, also of those that it derefs to."""
        found, waiting, seen = [], [owner], set()
        while waiting:
            owner = waiting.pop()
            if owner not in seen:
                seen.add(owner)
                found += self.by_owner[owner, name] if (owner, name) in self.by_owner else []
                waiting += self.derefs.get(owner, ())
        return found

    def free_named(self, source, path):
        """Free functions that a path can mean in a file."""
        return self.found_by_path(self.absolute(source, path), self.free)

    def named_in(self, source, start, end, with_plain):
        """Functions that are named between two tokens: token, functions."""
        words = source.words
        at = start
        while at < end:
            word = words[at]
            before = words[at - 1] if at else ""
            following = words[at + 1] if at + 1 < len(words) else ""
            if not re.match(r"[A-Za-z_]\w*$", word) or before in (".", "fn") or following == "!":
                at += 1
                continue
            if following == "::":
                at += 1
                continue
            is_call = following == "("
            found = []
            if before == "::":
                path = path_before(words, at)
                if path and path[-1][:1].isupper():
                    owner = self.self_type(source, at) if path[-1] == "Self" else path[-1]
                    imported = source.imports.get(owner)
                    found = self.owned(imported[-1] if imported else owner, word)
                elif path:
                    found = self.free_named(source, [*path, word])
            elif is_call or with_plain or (word in source.imports and following in (",", ")")):
                found = self.free_named(source, [word])
                if following in (":", "=") and not is_call:
                    found = []
            if found:
                yield at, found
            at += 1

    def self_type(self, source, token):
        function = self.function_at(source, token)
        return function and function.owner

    def function_at(self, source, token):
        best = None
        for function in source.functions:
            if function.body and function.body[0] <= token <= function.body[1]:
                if best is None or function.body[0] > best.body[0]:
                    best = function
        return best

    def find_tables(self):
        """Tables of functions: name -> (files that define it, entries, the words of its type)."""
        for source in self.sources.values():
            for name, declared, (start, end) in source.constants:
                entries = [f for _, found in self.named_in(source, start, end, True) for f in found]
                called = source.words[start:end]
                entries = [f for f in entries if not self.is_only_called(called, f.name)]
                if entries:
                    self.tables.setdefault(name, []).append((source.path, entries, declared))
            for function in source.functions:
                if function.body and not function.owner and {"[", "Vec"} & set(function.returned):
                    words = source.words[function.body[0] : function.body[1]]
                    entries = [f for _, found in self.named_in(source, *function.body, False) for f in found]
                    entries = [f for f in entries if f is not function and not self.is_only_called(words, f.name)]
                    if entries:
                        self.tables.setdefault(function.name, []).append((source.path, entries, function.returned))

    @staticmethod
    def is_only_called(words, name):
        """Whether a name is followed by parentheses wherever it stands: its result is meant."""
        places = [at for at, word in enumerate(words[:-1]) if word == name]
        return bool(places) and all(words[at + 1] == "(" for at in places)

    def add(self, source, functions, reason):
        for function in functions:
            if function.path != source.path:
                self.edges[source.path][function.path].add(reason)

    def read(self, source):
        words = source.words
        for start, end in self.code_of(source):
            for _, found in self.named_in(source, start, end, False):
                self.add(source, found, found[0].name)
            for at in range(start, end):
                word = words[at]
                before, following = words[at - 1], words[at + 1] if at + 1 < len(words) else ""
                if word in self.tables and before != ".":
                    path = [*(path_before(words, at) if before == "::" else []), word]
                    for place, entries, _ in self.found_by_path(self.absolute(source, path), self.tables):
                        self.add(source, entries, f"{word}[..]")
                        self.add_file(source, place, word)
                if word == "." and re.match(r"[A-Za-z_]\w*$", following):
                    behind = at + 2
                    if words[behind] == "::" and words[behind + 1] == "<":
                        behind = source.angle_end(behind + 1)
                    if words[behind] == "(":
                        self.add(source, self.methods_meant(source, at, following), following)
                    elif words[behind] == ")" and words[behind + 1 : behind + 2] == ["("]:
                        self.add(source, self.held_functions(following), f"(.{following})(..)")
        for name, _, (start, end) in source.constants:
            for _, found in self.named_in(source, start, end, True):
                self.add(source, found, f"{name}[..]")

    def add_file(self, source, path, reason):
        if path != source.path:
            self.edges[source.path][path].add(reason)

    def held_functions(self, field):
        """Entries of all tables whose rows hold functions in a field of this name."""
        rows = {name for name, fields in self.fields.items() if field in fields}
        found = []
        for places in self.tables.values():
            for _, entries, declared in places:
                if rows & set(declared) or "fn" in declared:
                    found += entries
        return found

    def code_of(self, source):
        """Bodies of functions, outermost ones."""
        last = -1
        for function in source.functions:
            if function.body and function.body[0] > last:
                last = function.body[1]
                yield function.body

    def methods_meant(self, source, dot, name):
        known, owner = self.receiver(source, dot)
        if known:
            found = self.owned(owner, name)
            if found:
                return found
            if owner not in self.types:
                return []
            if name in self.declared:
                return self.trait_methods[name]
            return []
        if name in self.declared:
            return self.trait_methods[name]
        found = self.methods.get(name, [])
        is_unique = len({function.path for function in found}) == 1
        return found if is_unique and name not in STANDARD else []

    def receiver(self, source, dot):
        """Whether the type of the expression before a dot is known, and the type."""
        chain, at = [], dot - 1
        words = source.words
        while True:
            if not re.match(r"[A-Za-z_]\w*$|\d+$", words[at]):
                return False, None
            chain.append(words[at])
            if words[at - 1] != ".":
                break
            at -= 2
        if words[at - 1] in ("::", "fn"):
            return False, None
        function = self.function_at(source, dot)
        chain.reverse()
        owner = None
        if chain[0] == "self":
            owner = function and function.owner
            if owner is None:
                return False, None
        else:
            for parameter, words_of_type in (function.parameters if function else []):
                if parameter == chain[0]:
                    owner = held_name(words_of_type)
                    is_shadowed = self.is_bound_again(source, function, chain[0], dot)
                    if is_shadowed or owner is None or len(owner) == 1:
                        return False, None
        if owner is None:
            return False, None
        for field in chain[1:]:
            declared = self.fields.get(owner, {}).get(field)
            if declared is None:
                for target in self.derefs.get(owner, ()):
                    declared = declared or self.fields.get(target, {}).get(field)
            if declared is None:
                return owner not in self.types, "?"
            owner = held_name(declared)
        while owner in self.fields and "=" in self.fields[owner]:
            owner = held_name(self.fields[owner]["="])
        if owner == "Self":
            owner = function.owner
        return True, owner

    @staticmethod
    def is_bound_again(source, function, name, dot):
        words = source.words
        for at in range(function.body[0], dot):
            if words[at] == name and words[at - 1] in ("let", "mut", "|", "Some", "(") and words[at - 2] != "fn":
                if words[at - 1] in ("let", "|") or (words[at - 1] == "mut" and words[at - 2] == "let"):
                    return True
        return False

    def circles(self):
        """Strongly connected components, largest first (Tarjan, without recursion)."""
        number, low, stack, on, found, counter = {}, {}, [], set(), [], 0
        for root in sorted(self.sources):
            if root in number:
                continue
            work = [(root, iter(sorted(self.edges.get(root, ()))))]
            number[root] = low[root] = counter
            counter += 1
            stack.append(root)
            on.add(root)
            while work:
                node, rest = work[-1]
                for target in rest:
                    if target not in number:
                        number[target] = low[target] = counter
                        counter += 1
                        stack.append(target)
                        on.add(target)
                        work.append((target, iter(sorted(self.edges.get(target, ())))))
                        break
                    if target in on:
                        low[node] = min(low[node], number[target])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[node])
                    if low[node] == number[node]:
                        part = []
                        while True:
                            part.append(stack.pop())
                            on.discard(part[-1])
                            if part[-1] == node:
                                break
                        found.append(sorted(part))
        return sorted(found, key=lambda part: (-len(part), part))


def mutable_target(words):
    """`T` for a type that begins with `&mut T`."""
    if words[:1] != ["&"]:
        return None
    words = words[1:]
    if words and words[0].startswith("'"):
        words = words[1:]
    return last_name(words[1:]) if words[:1] == ["mut"] else None


def largest_type(sources):
    """The type with most methods, those of types that it is one with included."""
    methods, files = collections.Counter(), collections.defaultdict(set)
    by_parameter = collections.defaultdict(list)
    for path, source in sources.items():
        for owner in source.impls:
            files[owner].add(path)
        for function in source.functions:
            if function.owner and not function.trait:
                methods[function.owner] += 1
            if function.is_declared_by_trait:
                continue
            for target in {mutable_target(words) for name, words in function.parameters if name != "self"}:
                if target and target not in ("Self", function.owner):
                    by_parameter[target].append(function)
    implementors = collections.defaultdict(set)
    for source in sources.values():
        for trait, owner in source.trait_impls:
            implementors[trait].add(owner)
    holds = collections.defaultdict(set)
    for source in sources.values():
        for name, fields in source.fields.items():
            for words in fields.values():
                target = mutable_target(words)
                if target:
                    holds[name] |= implementors.get(target) or {target}
    one_with = collections.defaultdict(set)
    for source in sources.values():
        for owner, target in source.derefs:
            one_with[owner].add(target)
            one_with[target].add(owner)
    for name, targets in holds.items():
        for target in targets:
            if name in holds.get(target, ()):
                one_with[name].add(target)
                one_with[target].add(name)
    best = None
    for name in sorted(methods):
        group, waiting = set(), [name]
        while waiting:
            member = waiting.pop()
            if member not in group:
                group.add(member)
                waiting += one_with[member]
        group &= set(methods)
        given = {id(f): f for member in group for f in by_parameter[member] if f.owner not in group}
        total = sum(methods[member] for member in group) + len(given)
        if best is None or total > best["methods"]:
            holders = {holder: methods[holder] for holder, targets in holds.items() if targets & group and holder not in group}
            best = {
                "type": " + ".join(sorted(group)),
                "methods": total,
                "files": len(set().union(*(files[member] for member in group))),
                "list": sorted(set().union(*(files[member] for member in group))),
                "as_parameter": sorted(map(str, given.values())),
                "holders": dict(sorted(holders.items())),
            }
    best["second"] = methods.most_common(5)
    return best


def folders(root):
    found = []
    for folder, names, files in os.walk(os.path.join(root, "src")):
        found.append((len(names) + len(files), os.path.relpath(folder, root)))
    return sorted(found, key=lambda row: (-row[0], row[1]))


def doubled_types(sources):
    places = collections.defaultdict(set)
    for path, source in sources.items():
        for name, _ in source.types:
            places[name].add(path)
    return len(places), {name: sorted(paths) for name, paths in sorted(places.items()) if len(paths) > 1}


def words_of(text):
    """Words of a document's prose, and the number of "what" among them."""
    text = re.sub(r"(?ms)^\s*(```|~~~).*?^\s*\1\s*$", "", text)
    lines = [line for line in text.split("\n") if not line.lstrip().startswith("|") and not line.startswith("    ")]
    text = re.sub(r"`[^`]*`", "code", "\n".join(lines))
    text = re.sub(r"\]\([^)]*\)", "]", text)
    words = re.findall(r"[A-Za-z][A-Za-z'’-]*", text)
    return len(words), sum(word.lower() == "what" for word in words)


def documents(root):
    paths = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"]
    for folder, names, files in os.walk(os.path.join(root, "docs")):
        names.sort()
        paths += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(files) if name.endswith(".md")]
    figures = {}
    for path in paths:
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                figures[path] = words_of(file.read())
        except FileNotFoundError:
            continue
    return figures


def lines_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            return sum(1 for _ in file)
    except FileNotFoundError:
        return None


def comments(sources):
    figures = collections.Counter()
    long_lines, begins_with_what = [], []
    for path, source in sources.items():
        cut = [(source.line(start), source.line(end)) for start, end in source.cut]
        kept = [
            (number, line)
            for number, line in enumerate(source.text.split("\n")[: source.text.count("\n")], 1)
            if not any(start <= number <= end for start, end in cut)
        ]
        figures["lines"] += len(kept)
        bodies = [(source.line(f.body[0]), source.line(f.body[1])) for f in source.functions if f.body]
        inside = set()
        for start, end in bodies:
            inside.update(range(start + 1, end))
        figures["lines inside functions"] += sum(number in inside for number, _ in kept)
        for number, line in kept:
            text = line.strip()
            if not text.startswith("//"):
                figures["long code"] += len(line) > 120
                continue
            if len(line) > 120:
                long_lines.append(f"{path}:{number}")
            if re.match(r"//[/!](?!/)", text):
                figures["docs"] += 1
                if re.match(r"//[/!]\s*What\b", text):
                    begins_with_what.append(f"{path}:{number}")
            else:
                figures["plain"] += 1
                figures["plain inside functions"] += number in inside
    return figures, long_lines, begins_with_what


def share(part, whole):
    return f"{100 * part / whole:.2f} %" if whole else "-"


def measure(root):
    """All figures of a tree: (name, figure, members)."""
    tree = Tree(root)
    resolve = tree.of_resolve()
    calls = Calls(resolve)
    circles = calls.circles()
    largest = circles[0] if circles else []
    edges = sum(len(targets) for targets in calls.edges.values())
    rows = [("(a) files of resolve in the largest circle", f"{len(largest)} of {len(resolve)}", largest)]
    others = [circle for circle in circles[1:] if len(circle) > 1]
    rows.append(("    edges between files; further circles", f"{edges}; {[len(circle) for circle in others]}", others))
    fan_out = sorted(((len(targets), path) for path, targets in calls.edges.items()), reverse=True)[:12]
    rows.append(("    calls most files", fan_out[0][0] if fan_out else 0, [f"{count} {path}" for count, path in fan_out]))
    fan_in = collections.Counter(target for targets in calls.edges.values() for target in targets).most_common(12)
    rows.append(("    is called by most files", fan_in[0][1] if fan_in else 0, [f"{count} {path}" for path, count in fan_in]))
    tables = sorted(f"{name}: {len(entries)} entries in {path}" for name, rows_ in calls.tables.items() for path, entries, _ in rows_)
    rows.append(("    tables of functions", len(tables), tables))
    if resolve:
        best = largest_type(resolve)
        rows.append((f"(b) methods of {best['type']}", best["methods"], best["as_parameter"]))
        rows.append(("    files of its inherent impls", best["files"], best["list"]))
        holders = [f"{name}: {count} methods" for name, count in best["holders"].items()]
        rows.append(("    types that hold it by &mut", len(holders), holders))
        rows.append(("    methods of the next type", best["second"][1][1], [f"{n} {name}" for name, n in best["second"]]))
    widest = folders(root)
    rows.append(("(c) children of the widest folder", widest[0][0], [f"{count} {path}" for count, path in widest[:15]]))
    rows.append(("    folders with more than 14; 12", f"{sum(c > 14 for c, _ in widest)}; {sum(c > 12 for c, _ in widest)}", []))
    count, doubled = doubled_types(tree.sources)
    members = [f"{name}: {', '.join(paths)}" for name, paths in doubled.items()]
    rows.append(("(d) type names in two or more files", f"{len(doubled)} of {count}", members))
    prose = documents(root)
    words, whats = sum(row[0] for row in prose.values()), sum(row[1] for row in prose.values())
    members = [f"{path}: {1000 * row[1] / max(row[0], 1):.1f} ({row[1]} of {row[0]} words)" for path, row in prose.items()]
    rows.append(('(e) "what" per 1,000 words of the documents', f"{1000 * whats / max(words, 1):.1f}", members))
    figures, long_lines, begins = comments(tree.sources)
    rows.append(('    doc lines of src that begin with "What"', len(begins), begins))
    rows.append(("    lines of comment longer than 120 columns", len(long_lines), long_lines))
    rows.append(("(f) lines of Rust in src", figures["lines"], []))
    rows.append(("    files of Rust in src", len(tree.sources), []))
    heights = []
    for name in ("README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md"):
        heights.append(str(lines_of(os.path.join(root, name))))
    rows.append(("(g) lines of README; ARCHITECTURE; BENCHMARKS; CHANGELOG", "; ".join(heights), []))
    rows.append(("(h) plain comments, share of lines", share(figures["plain"], figures["lines"]), [f"{figures['plain']} lines"]))
    inside, around = figures["plain inside functions"], figures["lines inside functions"]
    rows.append(("    plain comments inside functions, share of lines", share(inside, figures["lines"]), [f"{inside} lines"]))
    rows.append(("    the same, share of the lines inside functions", share(inside, around), []))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true", help="print the members behind each figure")
    parser.add_argument("--json", action="store_true", help="figures and members for programs")
    parser.add_argument("trees", nargs="+", metavar="TREE")
    args = parser.parse_args()
    measured = [measure(tree) for tree in args.trees]
    if args.json:
        rows = [[{"figure": n.strip(), "value": v, "members": m} for n, v, m in rows] for rows in measured]
        print(json.dumps(dict(zip(args.trees, rows)), indent=1))
        return
    for lines in zip(*measured):
        name = " / ".join(dict.fromkeys(line[0] for line in lines))
        print(f"{name:<60}" + "".join(f"{line[1]!s:>22}" for line in lines))
        if args.list:
            for tree, (_, _, members) in zip(args.trees, lines):
                if members:
                    print(f"      {tree}:")
                for member in members:
                    print(f"        {member if isinstance(member, str) else ' '.join(member)}")


if __name__ == "__main__":
    main()
