"""Validates what `repoidx review --format sarif` says about ranges of real repositories against the schema of SARIF 2.1.0.

Usage: sarif.py --repoidx BINARY --schema sarif-schema-2.1.0.json CLONE RANGE [RANGE...]

The schema is sarif-2.1/schema/sarif-schema-2.1.0.json of github.com/oasis-tcs/sarif-spec. Beyond the schema: each result names
a rule that is listed, and no fingerprint stands twice in a log. Needs the package jsonschema.
"""

import argparse
import json
import subprocess
import sys

import jsonschema


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repoidx", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("clone")
    parser.add_argument("ranges", nargs="+")
    options = parser.parse_args()
    with open(options.schema, encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(schema, format_checker=kind.FORMAT_CHECKER)
    results = problems = 0
    for range_ in options.ranges:
        command = [options.repoidx, "--repo", options.clone, "-q", "review", range_, "--format", "sarif"]
        log = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        for error in validator.iter_errors(log):
            problems += 1
            print(f"{range_}: {error.json_path}: {error.message[:200]}")
        for run in log["runs"]:
            rules = {rule["id"] for rule in run["tool"]["driver"].get("rules", [])}
            prints = set()
            for result in run.get("results", []):
                results += 1
                if result["ruleId"] not in rules:
                    problems += 1
                    print(f"{range_}: no rule {result['ruleId']}")
                fingerprint = json.dumps(result.get("partialFingerprints"), sort_keys=True)
                if fingerprint in prints:
                    problems += 1
                    print(f"{range_}: twice {fingerprint}")
                prints.add(fingerprint)
    print(f"{len(options.ranges)} logs, {results} results, {problems} problems")
    return problems > 0


if __name__ == "__main__":
    sys.exit(main())
