#!/bin/sh
# Builds the wheel and the source distribution, and tries them as a user would, without a network.
#
#     packaging/try_wheel.sh [WHEEL]
#
# A given wheel is tried and none is built. `maturin`, `uv` and `pipx` must be in PATH; what is missing is left out with a
# word. REPOIDX_WHEEL_PROFILE=dev builds faster, and then the size is not checked.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
profile=${REPOIDX_WHEEL_PROFILE:-dist}
largest=$((18 * 1024 * 1024))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1 || { say "$1 is not installed: not tried"; return 1; }; }

# Nothing of the user's own set-up takes part but the Rust toolchain.
export CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
export HOME="$work/home" XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data" XDG_BIN_HOME="$work/bin"
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 UV_OFFLINE=1 UV_NO_CONFIG=1 UV_PYTHON_DOWNLOADS=never
export GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1
mkdir -p "$HOME" "$work/repository"
git config --file "$GIT_CONFIG_GLOBAL" user.name "Ann"
git config --file "$GIT_CONFIG_GLOBAL" user.email "ann@example.com"

wheel=${1:-}
if [ -z "$wheel" ]; then
    has maturin || fail "maturin builds the wheel: pip install maturin"
    say "maturin sdist"
    (cd "$root" && maturin sdist --out "$work/dist" >"$work/log" 2>&1) || { cat "$work/log" >&2; fail "no sdist"; }
    tar -tzf "$work"/dist/*.tar.gz >"$work/files"
    for file in pyproject.toml Cargo.toml Cargo.lock src/main.rs src/embed/table.bin hooks/block.sh \
        templates/page/page.js python/repoidx/pytest_plugin.py LICENSE-MIT; do
        grep -q "^repoidx-[^/]*/$file\$" "$work/files" || fail "the source distribution lacks $file"
    done
    say "maturin build --profile $profile"
    (cd "$root" && maturin build --profile "$profile" --locked --out "$work/dist" >"$work/log" 2>&1) ||
        { cat "$work/log" >&2; fail "no wheel"; }
    wheel=$(ls "$work"/dist/*.whl)
    size=$(wc -c <"$wheel")
    say "$(basename "$wheel"): $((size / 1024)) KiB"
    [ "$profile" != dist ] || [ "$size" -le "$largest" ] || fail "the wheel is larger than 18 MiB"
fi
case $(basename "$wheel") in
repoidx-*-py3-none-*.whl) ;;
*) fail "the wheel's name names a version of Python: $wheel" ;;
esac

sample="$root/fixtures/sample"
cp -R "$sample/src" "$sample/tests" "$sample/pyproject.toml" "$work/repository"
cd "$work/repository"
git init -q
git add -A
git commit -q -m "A small shop"

say "pip install in a clean environment"
python3 -m venv "$work/clean"
start=$(date +%s)
"$work/clean/bin/pip" install -q "$wheel"
"$work/clean/bin/repoidx" impact round_price >"$work/answer"
say "from pip install to the first answer: $(($(date +%s) - start)) s"
grep -q 'affects at least' "$work/answer" || fail "no answer: $(cat "$work/answer")"
(cd src && "$work/clean/bin/python" -m repoidx refs Cart.grant) | grep -q 'cart.py' || fail "python -m repoidx does not run"
code=0
"$work/clean/bin/python" -m repoidx impact no_such_name 2>/dev/null || code=$?
[ "$code" -eq 2 ] || fail "python -m repoidx ended with $code where the binary ends with 2"
"$work/clean/bin/python" - <<'PYTHON' || fail "the entry point of the pytest plugin is missing"
import sys
from importlib.metadata import distribution
sys.exit(not any(point.group == "pytest11" for point in distribution("repoidx").entry_points))
PYTHON
code=0
"$work/clean/bin/repoidx" install-hooks 2>"$work/said" || code=$?
[ "$code" -eq 3 ] && grep -q 'virtual environment' "$work/said" ||
    fail "hooks were installed that call a virtual environment: $(cat "$work/said")"
"$work/clean/bin/pip" install -q --target "$work/target" "$wheel"
PYTHONPATH="$work/target" python3 -m repoidx --version >/dev/null || fail "pip install --target hides the binary"
"$work/clean/bin/pip" uninstall -q -y repoidx
[ ! -e "$work/clean/bin/repoidx" ] || fail "pip uninstall left the binary"

if has uv; then
    say "uvx"
    uvx -q --from "$wheel" repoidx impact round_price | grep -q 'affects at least' || fail "uvx does not run it"
    code=0
    uvx -q --from "$wheel" repoidx install-hooks 2>"$work/said" || code=$?
    [ "$code" -eq 3 ] && grep -q 'cache' "$work/said" || fail "hooks were installed that call a cache: $(cat "$work/said")"
    say "uv tool install"
    uv tool install -q "$wheel"
    PATH="$XDG_BIN_HOME:$PATH" uvx -q --from "$wheel" repoidx install-hooks 2>/dev/null ||
        fail "uvx does not find the installed tool"
    # The link of the tool, or the tool itself: both stay.
    grep -q -e "$XDG_BIN_HOME/repoidx" -e "$XDG_DATA_HOME/uv/tools/repoidx" .git/hooks/post-commit ||
        fail "the hook calls something else: $(cat .git/hooks/post-commit)"
    "$XDG_BIN_HOME/repoidx" uninstall-hooks 2>/dev/null
    uv tool uninstall -q repoidx
fi
if has pipx; then
    say "pipx"
    PIPX_HOME="$work/pipx" PIPX_BIN_DIR="$work/pipx-bin" pipx install -q "$wheel" >/dev/null 2>"$work/log" ||
        { cat "$work/log" >&2; fail "pipx does not install it"; }
    "$work/pipx-bin/repoidx" --version >/dev/null
fi
say "the wheel works"
