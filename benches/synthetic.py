#!/usr/bin/env python3
"""Writes a synthetic Python repository of about LINES lines: packages of classes and functions that import, derive from and
call each other across files, with tests. The same arguments give the same bytes.

usage: synthetic.py FOLDER [LINES]

Each package depends on the two before it, as layers of real projects do."""
import pathlib
import subprocess
import sys

FILES = 20  # a package
FUNCTIONS = 22  # a file; with its class about 500 lines


def module(package, file):
    """The text of one file."""
    other, base = (package * 7 + file * 3) % FILES, max(package - 1, 0)
    lower = f"layer{base}.part{other}"
    lines = [
        f'"""Part {file} of layer {package}."""',
        "import os",
        f"from {lower} import Node{other} as Lower, step_{other}_0",
        f"from layer{max(package - 2, 0)}.part{file} import LIMIT as lower_limit",
        "",
        f"LIMIT = {package * FILES + file}",
        "",
        "",
        f"class Node{file}({'Lower' if package else 'object'}):",
        '    """Keeps a value and hands it on."""',
        "",
        "    def __init__(self, value, parent=None):",
        "        self.value = value",
        "        self.parent = parent",
        "",
    ]
    for n in range(FUNCTIONS):
        call = f"self.method_{n - 1}(limit)" if n else "self.value"
        lines += [
            f"    def method_{n}(self, limit=LIMIT):",
            f'        """Method {n} of part {file}."""',
            f"        total = {call}",
            "        for item in range(limit):",
            "            if item % 3 == 0:",
            "                total += item",
            "            else:",
            f"                total -= step_{other}_0(item)",
            "        return total",
            "",
        ]
    for n in range(FUNCTIONS):
        lines += [
            "",
            f"def step_{file}_{n}(value, factor=2):",
            f'    """Step {n}: what follows from a value."""',
            f"    node = Node{file}(value)",
            f"    names = {{'first': node, 'path': os.path.join('a', str(value))}}",
            f"    result = names['first'].method_{n}(factor)",
            "    if result is None:",
            "        raise ValueError(value)",
            f"    return result + lower_limit{f' + step_{file}_{n - 1}(value)' if n else ''}",
            "",
        ]
    return "\n".join(lines) + "\n"


def test(package):
    """A test file for each package."""
    lines = [f"from layer{package}.part{file} import Node{file}, step_{file}_0" for file in range(FILES)]
    for file in range(FILES):
        lines += ["", "", f"def test_part_{file}():", f"    assert Node{file}(1).method_0() == step_{file}_0(1)"]
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    lines = package = 0
    while lines < wanted:
        place = folder / f"layer{package}"
        place.mkdir(parents=True)
        (place / "__init__.py").write_text("")
        texts = {place / f"part{file}.py": module(package, file) for file in range(FILES)}
        (folder / "tests").mkdir(exist_ok=True)
        texts[folder / "tests" / f"test_layer{package}.py"] = test(package)
        for path, text in texts.items():
            path.write_text(text)
            lines += text.count("\n")
        package += 1
    git = ["git", "-C", folder, "-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"]
    subprocess.run(["git", "init", "-q", folder], check=True)
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "-qm", "begin"], check=True)
    print(f"{lines} lines in {package * (FILES + 1)} files")


if __name__ == "__main__":
    main()
