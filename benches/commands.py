#!/usr/bin/env python3
"""Times whole commands beside the bare parse and beside peers, in turn, on a copy of a repository.

usage: commands.py REPO --repoidx BIN [--floor BIN] [--runs N] [--name SYMBOL ...] [--edit FILE]

Peers are run where they are on the PATH: `blast` (blastcode). Figures are medians of N runs taken in turn; processor time
is the user and system time of the process and its children. Compare ratios, not seconds: they depend on the machine."""
import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("repo")
parser.add_argument("--repoidx", required=True)
parser.add_argument("--floor", help="target/release/deps/floor-…, see README.md")
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--name", action="append", default=[], help="symbols whose impact is asked for")
parser.add_argument("--edit", help="the file that is committed with one function more")
options = parser.parse_args()
figures = {}


def run(what, command, folder, **environment):
    """Runs a command and notes its wall time, its processor time and its peak memory."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **environment}
    )
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        raise SystemExit(f"{command} failed: {error.decode()[-300:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    figures.setdefault(what, []).append((wall, cpu, usage.ru_maxrss / 1024))


def git(folder, *arguments):
    command = ["git", "-C", folder, "-c", "user.name=bench", "-c", "user.email=bench@example.com", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    lab = pathlib.Path(tempfile.mkdtemp(prefix="repoidx-bench-"))
    blast = shutil.which("blast")
    copies = {name: lab / name for name in ["repoidx"] + (["blast"] if blast else [])}
    for copy in copies.values():
        subprocess.run(["git", "clone", "-q", "--local", options.repo, copy], check=True)
    own, repoidx = copies["repoidx"], str(pathlib.Path(options.repoidx).resolve())
    for _ in range(options.runs):
        if options.floor:
            run("bare parse", [options.floor, str(own), str(os.cpu_count())], lab)
        run("full build", [repoidx, "index", "--full"], own)
        if blast:
            run("blast: full build", [blast, "index", "--full"], copies["blast"])
    for _ in range(options.runs):
        run("nothing to do", [repoidx, "index"], own)
        if blast:
            run("blast: nothing to do", [blast, "index"], copies["blast"])
    sources = git(own, "ls-files", "*.py").split("\n")[:-1]
    edited = options.edit or sources[len(sources) // 2]
    for number in range(options.runs):
        for name, copy in copies.items():
            with open(copy / edited, "a") as file:
                file.write(f"\n\ndef _speed_probe_{number}(value):\n    return value + {number}\n")
            git(copy, "commit", "-qam", f"probe {number}")
            if name == "repoidx":
                run("one-file commit", [repoidx, "hook", "post-commit"], copy, REPOIDX_FOREGROUND="1")
            else:
                run("blast: one-file commit", [blast, "index"], copy)
    for symbol in options.name:
        for _ in range(options.runs):
            run(f"impact {symbol}", [repoidx, "impact", symbol, "--format", "json"], own)
            if blast:
                last = symbol.split(".")[-1]
                run(f"blast: trace {last}", [blast, "trace", last, "--direction", "callers"], copies["blast"])
    medians = {}
    for what, rows in figures.items():
        wall, cpu, memory = (statistics.median(column) for column in zip(*rows))
        medians[what] = {"wall_ms": round(wall * 1e3, 1), "cpu_ms": round(cpu * 1e3, 1), "peak_mib": round(memory)}
        print(f"{what:44} wall {wall * 1e3:9.1f} ms   cpu {cpu * 1e3:9.1f} ms   peak {memory:6.0f} MiB")
    if "bare parse" in medians:
        medians["cpu_over_floor"] = round(medians["full build"]["cpu_ms"] / medians["bare parse"]["cpu_ms"], 2)
    [index] = (pathlib.Path(git(own, "rev-parse", "--absolute-git-dir").strip()) / "repoidx").glob("v*/index.db")
    sizes = [(own / path).stat().st_size for path in sources]
    medians["index_over_source"] = round(index.stat().st_size / sum(sizes), 2)
    print(json.dumps(medians))
    shutil.rmtree(lab)


if __name__ == "__main__":
    main()
