#!/bin/sh
# The review of a pull request in GitHub Actions; `action.yml` calls it. Everything comes in by the environment:
#
#   REPOIDX                the program
#   INPUT_RANGE, INPUT_FAIL_ON, INPUT_COMMENT      the inputs of the action
#   EVENT_BASE, EVENT_HEAD, EVENT_HEAD_REPOSITORY, EVENT_NUMBER      the pull request, empty for a push
#   GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, GITHUB_REPOSITORY, RUNNER_TEMP      as the runner sets them
#
# A summary is always written. A comment is written if something breaks, and kept up to date; where the token may only
# read, annotations take its place. The gate is an output, so that the upload of SARIF runs before the job fails.
set -eu

mark='<!-- repoidx:review -->'
folder=${RUNNER_TEMP:-/tmp}/repoidx-review
rm -rf "$folder"
mkdir -p "$folder"

notice() { printf '::notice title=repoidx::%s\n' "$*"; }
fail() {
    printf '::error title=repoidx::%s\n' "$*"
    exit 1
}
has() { git cat-file -e "$1^{commit}" 2>/dev/null; }
is_shallow() { [ "$(git rev-parse --is-shallow-repository)" = true ]; }
fetch() { git fetch --quiet --no-tags --no-recurse-submodules "$@" 2>"$folder/fetch.log"; }

# The commits that `range` needs. A checkout of depth 1 lacks even the parents of HEAD.
advice='the clone lacks commits of this pull request, and they could not be fetched: give actions/checkout "fetch-depth: 0"'
merged_head() {
    git cat-file commit HEAD | sed -n 's/^parent //p' | sed -n 2p
}
range=${INPUT_RANGE:-}
if [ -z "$range" ] && [ -n "${EVENT_HEAD:-}" ] && [ "$(merged_head)" = "$EVENT_HEAD" ]; then
    # HEAD is the merge that the host made for the pull request: its first parent is the base as it is now.
    if is_shallow && ! has 'HEAD^1'; then
        fetch --deepen=1 origin "$(git rev-parse HEAD)" || fail "$advice"
    fi
    has 'HEAD^1' || fail "$advice"
    range='HEAD^1..HEAD'
elif [ -z "$range" ]; then
    base=${EVENT_BASE:-}
    case $base in
    '' | 0000000000000000000000000000000000000000)
        # A new branch, or an event without a base: the last commit.
        if is_shallow && ! has 'HEAD^1'; then fetch --deepen=1 origin "$(git rev-parse HEAD)" || fail "$advice"; fi
        has 'HEAD^1' || { notice "HEAD has no parent: there is nothing to compare with"; exit 0; }
        range='HEAD^1..HEAD'
        ;;
    *)
        has "$base" || fetch --depth=1 origin "$base" || fail "$advice"
        for more in 50 200 1000 0; do
            git merge-base "$base" HEAD >/dev/null 2>&1 && break
            is_shallow || break
            if [ "$more" -eq 0 ]; then fetch --unshallow origin; else fetch --deepen="$more" origin; fi || break
        done
        git merge-base "$base" HEAD >/dev/null 2>&1 || fail "$advice"
        range="$base...HEAD"
        ;;
    esac
fi

code=0
"$REPOIDX" -q review "$range" --format json ${INPUT_FAIL_ON:+--fail-on "$INPUT_FAIL_ON"} \
    --write "markdown=$folder/comment.md" --write "sarif=$folder/review.sarif" --write "github=$folder/annotations" \
    --write "tests=$folder/tests" >"$folder/review.json" 2>"$folder/said" || code=$?
if [ "$code" -gt 1 ]; then
    # The sentence of the program, and its advice.
    fail "$(tr '\n' ' ' <"$folder/said")"
fi
counts=$(sed -n 's/.*"counts":{"breaks":\([0-9]*\),"may_break":\([0-9]*\).*/\1 \2/p' "$folder/review.json" | head -n 1)
breaks=${counts% *}
may_break=${counts#* }
[ -n "$breaks" ] || fail "the answer of repoidx could not be read"

[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/comment.md" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
    # Ids of tests come from the pull request: the delimiter must not be one that somebody can guess.
    delimiter="end-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
    {
        printf 'breaks=%s\nmay-break=%s\n' "$breaks" "$may_break"
        printf 'report=%s\nsarif-file=%s\ntests-file=%s\n' "$folder/review.json" "$folder/review.sarif" "$folder/tests"
        printf 'tests<<%s\n' "$delimiter"
        cat "$folder/tests"
        printf '%s\n' "$delimiter"
        [ "$code" -eq 0 ] || printf 'gate=failed\n'
    } >>"$GITHUB_OUTPUT"
fi

# The number of the comment that an earlier run wrote.
earlier_comment() {
    gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$EVENT_NUMBER/comments" \
        --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id" | head -n 1
}
comment() {
    earlier=$(earlier_comment) || return 1
    if [ -n "$earlier" ]; then
        gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" -F "body=@$folder/comment.md" >/dev/null
    elif [ "$breaks" -gt 0 ]; then
        gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$EVENT_NUMBER/comments" -F "body=@$folder/comment.md" >/dev/null
    fi
}
is_told=no
if [ "${INPUT_COMMENT:-true}" = true ] && [ -n "${EVENT_NUMBER:-}" ]; then
    if [ "${EVENT_HEAD_REPOSITORY:-}" != "$GITHUB_REPOSITORY" ]; then
        [ "$breaks" -eq 0 ] || notice "the token of a pull request from a fork may only read: annotations and the summary have the findings"
    elif comment 2>"$folder/gh.log"; then
        is_told=yes
    else
        notice "no comment was written (the job needs the permission pull-requests: write): annotations and the summary have the findings"
    fi
fi
[ "$is_told" = yes ] || cat "$folder/annotations"
