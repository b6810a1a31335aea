"""Replays commits that change a signature or remove a name, and counts what `repoidx review` says about them.

Usage: review_history.py --repoidx BINARY [--commits N] [--verbose] CLONE...

For each of the last N such commits of each clone, two reviews:

1. of the commit itself. Its author adapted the callers, so nothing should *break*: each commit with such a finding is a
   false alarm (or a bug of that commit; --verbose prints the findings, so that one can look).
2. of the same commit with the other changed files put back to what they were before. Now callers are broken, and
   which ones is known without repoidx: Python's own `ast` finds the imports of names that are gone, and the calls of
   imported functions and classes whose arguments `inspect.signature().bind` no longer takes. Each must be reported
   as *breaks* at that file and line.

Only the standard library is used. The clones are read, and get unreferenced objects; nothing is checked out.
"""

import argparse
import ast
import inspect
import json
import os
import subprocess
import sys
import tempfile


def git(repo, *args, env=None, data=None):
    command = ["git", "-C", repo, *args]
    run = subprocess.run(command, input=data, capture_output=True, check=True, env={**os.environ, **(env or {})})
    return run.stdout


def lines(output):
    return output.decode("utf-8", "replace").splitlines()


def changed_files(repo, old, new):
    """Path -> (old blob or None, new blob or None) of the Python files that differ."""
    found = {}
    for line in lines(git(repo, "diff-tree", "-r", "--no-renames", "--no-abbrev", old, new)):
        meta, path = line.split("\t", 1)
        _, _, old_id, new_id, _ = meta.split(" ")
        if path.endswith(".py"):
            found[path] = tuple(None if set(blob) == {"0"} else blob for blob in (old_id, new_id))
    return found


def parse(repo, blob):
    if blob is None:
        return ast.Module([], [])
    try:
        return ast.parse(git(repo, "cat-file", "blob", blob))
    except (SyntaxError, ValueError):
        return None


def bound(tree):
    """Names bound at module level, as far as they are written out; None when they cannot be known."""
    names, queue = set(), list(tree.body)
    while queue:
        node = queue.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if alias.name == "*":
                    return None
                names.add(alias.asname or alias.name.split(".")[0])
        else:
            for child in ast.walk(node):
                if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                    names.add(child.id)
                elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
                    if child is not node:
                        queue.append(child)
    return None if "__getattr__" in names else names


def signature(node, is_method):
    """The parameters of a function as `inspect` knows them; None when decorators may change them."""
    if node.decorator_list:
        return None
    kinds, parameters, arguments = inspect.Parameter, [], node.args
    positional = arguments.posonlyargs + arguments.args
    missing = len(positional) - len(arguments.defaults)
    for index, argument in enumerate(positional):
        if is_method and index == 0:
            continue
        kind = kinds.POSITIONAL_ONLY if index < len(arguments.posonlyargs) else kinds.POSITIONAL_OR_KEYWORD
        default = kinds.empty if index < missing else None
        parameters.append(kinds(argument.arg, kind, default=default))
    if arguments.vararg:
        parameters.append(kinds(arguments.vararg.arg, kinds.VAR_POSITIONAL))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        parameters.append(kinds(argument.arg, kinds.KEYWORD_ONLY, default=kinds.empty if default is None else None))
    if arguments.kwarg:
        parameters.append(kinds(arguments.kwarg.arg, kinds.VAR_KEYWORD))
    try:
        return inspect.Signature(parameters)
    except ValueError:
        return None


def definitions(tree):
    """Dotted name below the module -> dump of what callers see."""
    found = {}

    def visit(body, prefix):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found[prefix + node.name] = ast.dump(node.args)
            elif isinstance(node, ast.ClassDef):
                found[prefix + node.name] = ""
                visit(node.body, prefix + node.name + ".")
            elif isinstance(node, (ast.If, ast.Try)):
                visit(node.body, prefix)

    visit(tree.body, "")
    return found


def callables(tree):
    """Name at module level -> signature of the function, or of the class's own constructor."""
    found = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[node.name] = None if node.name in found else signature(node, False)
        elif isinstance(node, ast.ClassDef) and not node.decorator_list and not node.keywords:
            own = [child for child in node.body if isinstance(child, ast.FunctionDef)]
            makers = [child for child in own if child.name in ("__init__", "__new__")]
            if len(makers) == 1 and makers[0].name == "__init__":
                found[node.name] = signature(makers[0], True)
    return found


def module_of(path):
    parts = path[:-3].split("/")
    return parts[:-1] if parts[-1] == "__init__" else parts


def imports_of(tree, path, module, all_paths):
    """(line, name, alias) of each plain `from module import name` outside of `try` and TYPE_CHECKING."""
    own = module_of(path) if not path.endswith("__init__.py") else module_of(path) + ["__init__"]
    guarded = set()
    for node in ast.walk(tree):
        is_try = isinstance(node, ast.Try)
        is_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        if is_try or is_types:
            guarded.update(id(child) for child in ast.walk(node))
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or id(node) in guarded:
            continue
        parts = (node.module or "").split(".") if node.module else []
        if node.level:
            target = own[: len(own) - node.level] + parts
            is_it = target == module
        else:
            is_it = parts and (parts == module or module[-len(parts):] == parts and module[: -len(parts)] in (["src"], ["lib"]))
        if is_it:
            for alias in node.names:
                yield alias.lineno, alias.name, alias.asname or alias.name


def takes(signature_, call):
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(k.arg is None for k in call.keywords):
        return None
    try:
        signature_.bind(*call.args, **{keyword.arg: None for keyword in call.keywords})
    except TypeError:
        return False
    return True


def is_wanted(repo, files):
    """A definition is gone, or takes other arguments."""
    for old_blob, new_blob in files.values():
        if old_blob is None:
            continue
        old, new = parse(repo, old_blob), parse(repo, new_blob)
        if old is None or new is None:
            return False
    for path, (old_blob, new_blob) in files.items():
        if old_blob is None or "test" in path:
            continue
        old, new = definitions(parse(repo, old_blob)), definitions(parse(repo, new_blob))
        if any(name not in new or new[name] != dump for name, dump in old.items()):
            return True
    return False


def expected(repo, files, commit):
    """Files to put back, and the (path, line, what) that must be found then."""
    sources = {path: parse(repo, blobs[0]) for path, blobs in files.items() if blobs[0]}
    news = {path: parse(repo, blobs[1]) for path, blobs in files.items() if blobs[0]}
    definers, places = set(), set()
    for path, old in sources.items():
        new, names = news[path], None
        names, now = bound(old), bound(new)
        gone = names - now if names is not None and now is not None else set()
        before, after = callables(old), callables(new)
        other = {
            name: (before[name], after[name])
            for name in before
            if name in after and before[name] and after[name] and before[name] != after[name]
        }
        for user, tree in sources.items():
            if user == path or files[user][1] is None:
                continue
            for line, name, alias in imports_of(tree, user, module_of(path), files):
                if name in gone and files[path][1] is not None:
                    submodule = "/".join(module_of(path) + [name])
                    if not any(p.startswith(submodule) for p in files):
                        places.add((path, user, line, f"imports {name}"))
                if name in other:
                    was, is_ = other[name]
                    rebound = sum(
                        1 for node in ast.walk(tree)
                        if isinstance(node, (ast.Name, ast.arg)) and (getattr(node, "id", None) or getattr(node, "arg", None)) == alias
                        and not isinstance(getattr(node, "ctx", None), ast.Load)
                    )
                    for node in ast.walk(tree):
                        if rebound or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != alias:
                            continue
                        if takes(was, node) and takes(is_, node) is False:
                            places.add((path, user, node.func.lineno, f"calls {name}"))
    # A file that defines one thing and uses another cannot be put back without undoing the change.
    definers = {place[0] for place in places}
    places = {place for place in places if place[1] not in definers}
    return {place[1] for place in places}, {place[1:] for place in places}


def reverted(repo, parent, commit, paths):
    """A commit like `commit` with `paths` as they are in `parent`."""
    with tempfile.TemporaryDirectory() as folder:
        env = {"GIT_INDEX_FILE": os.path.join(folder, "index")}
        git(repo, "read-tree", commit, env=env)
        listing = git(repo, "ls-tree", "-r", "-z", parent, "--", *sorted(paths))
        entries = [entry for entry in listing.split(b"\0") if entry]
        data = b"".join(entry.replace(b" blob ", b" ", 1) + b"\0" for entry in entries)
        git(repo, "update-index", "-z", "--index-info", env=env, data=data)
        tree = lines(git(repo, "write-tree", env=env))[0]
    author = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
              (("NAME", "replay"), ("EMAIL", "replay@example.com"), ("DATE", "2026-01-01T00:00:00Z"))}
    return lines(git(repo, "commit-tree", tree, "-p", parent, "-m", "callers put back", env=author))[0]


def review(binary, repo, old, new):
    run = subprocess.run([binary, "--repo", repo, "-q", "review", f"{old}..{new}", "--format", "json"], capture_output=True)
    if run.returncode != 0:
        sys.exit(f"review of {old}..{new} in {repo} ended with {run.returncode}: {run.stderr.decode()}")
    return json.loads(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repoidx", required=True)
    parser.add_argument("--commits", type=int, default=300)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("clones", nargs="+")
    options = parser.parse_args()
    print("repository  commits  without *breaks*  places broken by hand  reported as *breaks*  as *may break*")
    for repo in options.clones:
        seen = quiet = places = found = maybe = 0
        for line in lines(git(repo, "log", "--no-merges", "--format=%H %P")):
            commit, *parents = line.split()
            if seen == options.commits or not parents:
                break
            files = changed_files(repo, parents[0], commit)
            if not files or not is_wanted(repo, files):
                continue
            seen += 1
            report = review(options.repoidx, repo, parents[0], commit)
            alarms = [finding for finding in report["findings"] if finding["verdict"] == "breaks"]
            quiet += not alarms
            if options.verbose:
                for finding in alarms:
                    print(f"  alarm {commit[:10]} {finding['path']}:{finding['line']} {finding['reason']}", flush=True)
            put_back, wanted = expected(repo, files, commit)
            if not wanted:
                continue
            broken = review(options.repoidx, repo, parents[0], reverted(repo, parents[0], commit, put_back))
            verdicts = {}
            for finding in broken["findings"]:
                place = (finding["path"], finding["line"])
                if finding["verdict"] == "breaks" or place not in verdicts:
                    verdicts[place] = finding["verdict"]
            for path, line_number, what in sorted(wanted):
                places += 1
                verdict = verdicts.get((path, line_number))
                found += verdict == "breaks"
                maybe += verdict == "may_break"
                if options.verbose and verdict != "breaks":
                    print(f"  missed {commit[:10]} {path}:{line_number} {what}: {verdict}", flush=True)
        name = os.path.basename(repo.rstrip("/"))
        print(f"{name}  {seen}  {quiet}  {places}  {found}  {maybe}", flush=True)


if __name__ == "__main__":
    main()
