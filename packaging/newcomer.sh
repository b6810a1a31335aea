#!/bin/sh
# Plays a newcomer: the commands of the README, in repositories of different kinds, with a home of its own.
#
#     packaging/newcomer.sh [PROGRAM]
#
# It prints all that the newcomer would see, for a person to read, and stops where a command ends otherwise than it should, a
# line is too wide, or something stays behind. PROGRAM is the repoidx in PATH otherwise.
set -eu

program=$(command -v "${1:-repoidx}") || { echo "error: there is no ${1:-repoidx}" >&2; exit 1; }
case $program in /*) ;; *) program=$(pwd)/$program ;; esac
sample=$(cd "$(dirname "$0")/../fixtures/sample" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# Widest line of an answer that is not a source line, as src/render/sheet has it, and room for a path of a test.
widest=140

mkdir "$work/home" "$work/bin"
ln -s "$program" "$work/bin/repoidx"
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME
export HOME="$work/home" PATH="$work/bin:$PATH" GIT_CONFIG_NOSYSTEM=1
git config --global user.name Ann
git config --global user.email ann@example.com
git config --global init.defaultBranch main

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# try CODE COMMAND...: runs a command of the newcomer, shows it, and checks how it ended.
try() {
    wanted=$1
    shift
    printf '\n$ %s\n' "$*"
    code=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
    cat "$work/err" "$work/out" | sed "s|$work|…|g"
    [ "$code" -eq "$wanted" ] || fail "it ended with $code, not with $wanted"
    ! grep -q "panicked" "$work/err" || fail "it panicked"
    # Characters, not bytes: lines of trees and names with umlauts are longer in bytes.
    sed "s|$work||g" "$work/out" "$work/err" | LC_ALL=C.UTF-8 awk -v most="$widest" 'length($0) > most { print; bad = 1 } END { exit bad }' ||
        fail "this line is too wide"
}

begin() {
    printf '\n######## %s\n' "$1"
    mkdir "$work/$1"
    cd "$work/$1"
    git init -q
}

save() { git add -A && git commit -q -m "$1"; }

# The whole tour, on a repository whose definition $1 has users, in file $2.
tour() {
    try 0 repoidx
    try 0 repoidx init --hooks --pre-push
    try 0 repoidx
    try 0 repoidx impact "$1"
    try 0 repoidx impact "$1" --tests
    try 0 repoidx review --worktree
    try 0 repoidx ask "who uses $1?"
    try 0 repoidx search "$1" -k 3
    printf '\n\ndef newcomer():\n    return %s\n' "${1##*.}" >>"$2"
    try 0 repoidx review --worktree
    save "an edit"
    try 0 repoidx status
    try 0 repoidx doctor
    try 0 repoidx init --undo
    for left in .git/repoidx .git/hooks/post-commit; do
        [ ! -e "$left" ] || fail "$left stays behind"
    done
    [ -z "$(git status --porcelain)" ] || fail "the working tree is not clean"
}

begin flat
cat >app.py <<'PYTHON'
from store import Store


def main():
    store = Store()
    store.put("a", 1)
    return store.get("a")
PYTHON
printf 'class Store:\n    def __init__(self):\n        self.items = {}\n\n    def put(self, key, value):\n        self.items[key] = value\n\n    def get(self, key):\n        return self.items[key]\n' >store.py
printf 'from app import main\n\n\ndef test_main():\n    assert main() == 1\n' >test_app.py
save first
tour Store.put app.py

begin src-layout
cp -R "$sample/src" "$sample/tests" "$sample/pyproject.toml" .
save first
tour round_price src/shop/pricing.py

begin monorepo
for name in billing catalog; do
    mkdir -p "packages/$name"
    cp -R "$sample/src" "$sample/tests" "packages/$name"
    mv "packages/$name/src/shop" "packages/$name/src/$name"
    sed -i.bak "s/shop/$name/g" "packages/$name"/tests/*.py && rm "packages/$name"/tests/*.bak
    printf '[project]\nname = "%s"\nversion = "1"\n' "$name" >"packages/$name/pyproject.toml"
done
save first
tour billing.pricing.round_price packages/billing/src/billing/pricing.py
try 0 repoidx impact round_price

begin "no Python, ä and blanks"
printf 'int main(void) { return 0; }\n' >main.c
save first
try 0 repoidx
try 3 repoidx init
try 2 repoidx impact main
try 0 repoidx review --worktree
try 0 repoidx search main
[ ! -e .git/hooks/post-commit ] || fail "a hook was installed for nothing"

begin no-commits
printf 'def f():\n    return 1\n\n\ndef g():\n    return f()\n' >a.py
try 0 repoidx
try 0 repoidx init
try 0 repoidx impact f
try 2 repoidx review
try 2 repoidx review --worktree
git add a.py
try 0 repoidx impact f

begin "Größe und ä"
printf 'def größe():\r\n    return 1\r\n\r\n\r\ndef g():\r\n    return größe()\r\n' >"ä b.py"
save "line ends of Windows"
try 0 repoidx impact größe
try 0 repoidx impact "ä b.py:1"
sed -i.bak 's/größe()/größe(x)/' "ä b.py" && rm "ä b.py.bak"
try 0 repoidx review --worktree

printf '\n######## strange surroundings\n'
cd "$work/src-layout"
try 0 env -u TERM repoidx impact Cart.grant
try 0 env -u HOME repoidx impact Cart.grant
chmod a-w "$HOME"
try 0 repoidx impact Cart.grant
chmod u+w "$HOME"
try 0 env HTTPS_PROXY=http://127.0.0.1:9 HTTP_PROXY=http://127.0.0.1:9 repoidx impact Cart.grant
try 2 repoidx impact no_such_name
try 2 repoidx impact
try 2 repoidx imapct Cart.grant
try 2 repoidx review nothing...here
cd "$work"
try 3 repoidx impact f
try 3 repoidx init
try 0 repoidx
left=$(cd "$HOME" && find . -type f ! -name .gitconfig)
[ -z "$left" ] || fail "files in the home: $left"
printf '\nthe newcomer is content\n'
