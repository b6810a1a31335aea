#!/usr/bin/env python3
"""What speaks for a candidate of an unresolved occurrence: the fit behind `FACTORS` and `OUTSIDE` in src/query/candidates/evidence.rs.

  candidates.py [--unseen] REPO=OBSERVED ...

REPO and OBSERVED are those of calibration.py. A pair of an occurrence and a definition that it can mean (`repoidx export
candidates`) counts when both ends were run and no relationship of the index leads from one to the other; it is true when
the call was seen, or the read of a property. A definition's probability is its weight, the product of the factors of its
traits, in the sum of the weights of all definitions of the occurrence and of what is none of them. The factors are those
that make the pairs likeliest (a logistic model, by Fisher's scoring), where each project counts by the square root of its
pairs; each is drawn towards 1 as if PRIOR were its precision, so that what was seldom seen says little. BY_HAND has those
that no trace shows.

Prints the two tables as the source has them, with the number of pairs that have each trait and the share of true ones, then
the loss and the calibration over all pairs. --unseen fits on all projects but one and measures on that one, each in turn.
"""
import math, os, re, sys
from collections import Counter, defaultdict

from calibration import calibration_error, edges, keys, lines, observed, scopes, through_wrappers

BY_HAND = {"method_read": 0.6, "variable_called": 0.5, "property_called": 0.6}
PRIOR = 1.0
ROUNDS = 12
HIGHEST = 0.85                                  # as in candidates.rs
MANY = 10                                       # with more definitions of a name, candidates.rs does not weigh them all
SOURCE = os.path.join(os.path.dirname(__file__), "../src/query/candidates/evidence.rs")


def occurrences(argument):
    """Of each occurrence what it has, ("outside", trait, ...), and of each definition what it has and whether it is true; None
    where that does not count."""
    repo, _, file = argument.partition("=")
    seen, ran = observed(file)
    found, inner, classes = edges(repo)
    seen |= through_wrappers(seen, inner)
    entities = lines(repo, "entities")
    key, kind = keys(entities), {e["name"]: e["kind"] for e in entities}
    definitions = (e for e in entities if e["kind"] != "module" and "@" not in e["name"])
    named = Counter((e["identifier"], "." in key[e["name"]][1]) for e in definitions)
    groups = defaultdict(list)
    for row in lines(repo, "candidates"):
        caller, callee = key[row["from"]], key[row["to"]]
        is_member, word = "." in callee[1], callee[1].rpartition(".")[2]
        if "@" in row["to"] or named[word, is_member] > MANY:
            continue
        is_call = row["kind"] == "calls"
        is_traced = kind[row["to"]] in (("function", "method") if is_call else ("property",)) and row["kind"] != "writes"
        counts = is_traced and caller in ran and callee in ran and (caller, callee) not in found
        true = any((scope, callee) in seen for scope in scopes(caller, classes)) if counts else None
        place = (row["path"], row["line"], row["column"], row["kind"], is_member, ("outside", *row["occurrence"]))
        groups[place].append((tuple(row["definition"]), true))
    counted = (group for group in groups.items() if any(true is not None for _, true in group[1]))
    return [(place[-1], definitions) for place, definitions in counted]


def shares(occurrence, definitions, log):
    """The probability of each definition, and of what is none of them."""
    weights = [math.exp(sum(log[trait] for trait in traits)) for traits in (*(d[0] for d in definitions), occurrence)]
    return [weight / sum(weights) for weight in weights]


def pairs(groups):
    return sum(true is not None for _, definitions in groups for _, true in definitions)


def solved(matrix, vector):
    """Gauss: matrix · x = vector, of a positive definite matrix."""
    rows = [row + [value] for row, value in zip(matrix, vector)]
    for at, row in enumerate(rows):
        for other in rows[at + 1:]:
            factor = other[at] / row[at]
            if factor:
                other[at:] = [b - factor * a for a, b in zip(row[at:], other[at:])]
    result = [0.0] * len(rows)
    for at in reversed(range(len(rows))):
        known = sum(rows[at][k] * result[k] for k in range(at + 1, len(rows)))
        result[at] = (rows[at][-1] - known) / rows[at][at]
    return result


def fitted(projects, start=None):
    """The logarithm of each factor."""
    has = (has for groups in projects for occurrence, definitions in groups for has in (occurrence, *(d[0] for d in definitions)))
    traits = {trait for traits in has for trait in traits}
    log = dict.fromkeys(traits, 0.0) | (start or {}) | {trait: math.log(factor) for trait, factor in BY_HAND.items()}
    free = {trait: at for at, trait in enumerate(sorted(traits - BY_HAND.keys()))}
    for _ in range(ROUNDS):
        gradient = [-PRIOR * log[trait] for trait in free]
        information = [[PRIOR * (row == column) for column in range(len(free))] for row in range(len(free))]
        for groups in projects:
            weight = 1 / math.sqrt(max(1, pairs(groups)))
            for occurrence, definitions in groups:
                share = shares(occurrence, definitions, log)
                mean = defaultdict(float)
                for probability, has in zip(share, (*(d[0] for d in definitions), occurrence)):
                    for trait in has:
                        mean[trait] += probability
                for probability, (has, true) in zip(share, definitions):
                    if true is None:
                        continue
                    beyond = [(free[trait], (trait in has) - mean[trait]) for trait in mean if trait in free]
                    for row, a in beyond:
                        gradient[row] += weight * (true - probability) / (1 - probability) * a
                        for column, b in beyond:
                            information[row][column] += weight * probability / (1 - probability) * a * b
        for trait, step in zip(free, solved(information, gradient)):
            log[trait] += max(-1.0, min(1.0, step))
    return log


def measured(groups, log):
    """(pairs, true, claimed) rows, and the loss of each pair."""
    rows, losses = [], []
    for occurrence, definitions in groups:
        for probability, (_, true) in zip(shares(occurrence, definitions, log), definitions):
            if true is not None:
                claimed = min(probability, HIGHEST)
                rows.append((1, true, claimed))
                losses.append(-math.log(claimed if true else 1 - claimed))
    return rows, losses


def show(name, rows, losses):
    error, total = calibration_error(rows)
    print(f"| {name} | {total:,} | {sum(true for _, true, _ in rows):,} | {sum(losses) / max(total, 1):.3f} | {error:.3f} |")


def print_tables(projects, log):
    counts = defaultdict(lambda: [0, 0])
    for groups in projects:
        for occurrence, definitions in groups:
            for has, true in definitions:
                for trait in (*occurrence, *has) if true is not None else ():
                    counts[trait][0] += 1
                    counts[trait][1] += true
    with open(SOURCE) as f:
        for word, factor in re.findall(r"^    \(Trait::(\w+), ([\d.]+)\)", f.read(), re.M):
            trait = re.sub(r"(?<!^)(?=[A-Z])", "_", word).lower()
            n, true = counts[trait]
            factor = f"{math.exp(log[trait]):.2g}" if trait in log else factor
            seen = "by hand" if trait in BY_HAND else f"{n:,} pairs, {true / max(n, 1):.2f} of them true"
            print(f"    (Trait::{word}, {factor + '.0' * ('.' not in factor)}),".ljust(33) + f" // {seen}")
    print(f"const OUTSIDE: f64 = {math.exp(log['outside']):.2g};")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--unseen"]
    if not arguments or any("=" not in a for a in arguments):
        sys.exit(__doc__)
    by_project = {os.path.basename(a.partition("=")[0]): occurrences(a) for a in arguments}
    log = fitted(by_project.values())
    print_tables(by_project.values(), log)
    print("| project | pairs | true | loss | calibration error |\n|---|---|---|---|---|")
    all_rows, all_losses = [], []
    for name, groups in by_project.items():
        others = [other for key, other in by_project.items() if key != name]
        rows, losses = measured(groups, fitted(others, log) if "--unseen" in sys.argv else log)
        show(name, rows, losses)
        all_rows, all_losses = all_rows + rows, all_losses + losses
    show("all", all_rows, all_losses)


if __name__ == "__main__":
    main()
