#!/usr/bin/env python3
"""Draws the first console examples of README.md as an animated terminal: docs/terminal.svg.

    packaging/terminal_svg.py [--check]

The examples are run by a test, so the picture shows what the program prints. `--check` compares the file with what would
be written. Readers who ask for less motion see the end at once.
"""

import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "terminal.svg"
COMMANDS = 3
ROWS, COLUMNS = 24, 108
LINE, CHARACTER, TOP, LEFT = 19, 8.1, 46, 18
TYPING, PRINTING, READING = 0.045, 0.06, 3.2


def scenes():
    """The commands with the lines that they print, without edits of files."""
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    found = []
    for block in blocks:
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
    return [(command, lines[: ROWS - 2]) for command, lines in found if lines][:COMMANDS]


def colored(line):
    """A line as spans: places, percents and titles have a color, as on a terminal."""
    text = html.escape(line[:COLUMNS], quote=False)
    if re.match(r"^\S.*(breaks?|affects|direct|further|changed|tests to run)\b", line):
        return f'<tspan class="h">{text}</tspan>'
    text = re.sub(r"(\S+\.py(?::\d+)?(?:::\S+)?)", r'<tspan class="p">\1</tspan>', text)
    return re.sub(r"(\d+%)", r'<tspan class="n">\1</tspan>', text)


def drawing():
    shown, start = [], 0.6
    parts = []
    for command, lines in scenes():
        typed = start + len(command) * TYPING
        end = typed + 0.4 + len(lines) * PRINTING + READING
        parts.append((start, typed, end, command, lines))
        start = end
    total = start
    percent = lambda at: f"{100 * at / total:.2f}%"
    styles, groups = [], []
    for number, (begin, typed, end, command, lines) in enumerate(parts):
        last = number == len(parts) - 1
        styles.append(
            f"@keyframes s{number}{{0%,{percent(begin)}{{opacity:0}}{percent(begin + 0.01)},{percent(end - 0.02)}{{opacity:1}}"
            f"{percent(end - 0.01)},100%{{opacity:0}}}}.s{number}{{animation:s{number} {total:.1f}s infinite}}"
        )
        rows = []
        width = len(command) * CHARACTER + 4
        styles.append(
            f"@keyframes t{number}{{0%,{percent(begin)}{{width:0}}{percent(typed)},100%{{width:{width:.0f}px}}}}"
            f".t{number}{{animation:t{number} {total:.1f}s infinite steps({len(command)})}}"
        )
        rows.append(f'<text x="{LEFT}" y="{TOP}" class="d">$</text>')
        rows.append(f'<clipPath id="c{number}"><rect class="t{number}" x="{LEFT + 16}" y="{TOP - 15}" width="{width:.0f}" height="20"/></clipPath>')
        rows.append(f'<text x="{LEFT + 16}" y="{TOP}" clip-path="url(#c{number})" class="c">{html.escape(command, quote=False)}</text>')
        for row, line in enumerate(lines):
            at = typed + 0.4 + row * PRINTING
            name = f"l{number}-{row}"
            styles.append(f"@keyframes {name}{{0%,{percent(at)}{{opacity:0}}{percent(at + 0.01)},100%{{opacity:1}}}}.{name}{{animation:{name} {total:.1f}s infinite}}")
            rows.append(f'<text x="{LEFT}" y="{TOP + (row + 1) * LINE}" class="{name}">{colored(line)}</text>')
        groups.append(f'<g class="s{number}{" last" if last else ""}">{"".join(rows)}</g>')
        shown.append(len(lines))
    width, height = LEFT * 2 + COLUMNS * CHARACTER, TOP + (max(shown) + 1) * LINE
    label = "; ".join(command for command, _ in scenes())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" role="img">\n'
        f"<title>A terminal: {html.escape(label)}</title>\n<style>\n"
        "text{font:13.5px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6dbe5;white-space:pre}\n"
        ".d{fill:#7f8a9c}.c{fill:#fff;font-weight:600}.h{font-weight:600;fill:#fff}.p{fill:#c39bf0}.n{fill:#8fd6a8}\n"
        + "\n".join(styles)
        + "\n@media (prefers-reduced-motion:reduce){*{animation:none!important}g{display:none}g.last{display:inline}}\n</style>\n"
        f'<rect width="{width:.0f}" height="{height}" rx="10" fill="#151a22"/>\n'
        '<circle cx="20" cy="17" r="5" fill="#f0655d"/><circle cx="37" cy="17" r="5" fill="#f2bd4b"/><circle cx="54" cy="17" r="5" fill="#5ec269"/>\n'
        + "\n".join(groups)
        + "\n</svg>\n"
    )


def main():
    drawn = drawing()
    if "--check" in sys.argv[1:]:
        if not OUT.exists() or OUT.read_text(encoding="utf-8") != drawn:
            sys.exit("docs/terminal.svg shows something else than README.md: run packaging/terminal_svg.py")
        return
    OUT.write_text(drawn, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
