# >>> repoidx pre-push: @KIND@ 1 >>>
# Added by `repoidx install-hooks --pre-push`; `repoidx uninstall-hooks` takes it out again.
# Runs @BINARY@, else the repoidx in PATH. Only its status 1 stops a push, and only if you asked for that.
pushed=$(cat)
tell() { [ -z "$pushed" ] || printf '%s\n' "$pushed" 2>/dev/null; }
binary=@BINARY@
[ -x "$binary" ] || binary=$(command -v repoidx) || binary=
status=0
[ -n "$binary" ] || (umask 077 && dir=$(git rev-parse --git-path repoidx) && cd "$dir" && rm -f last.log &&
    printf '0.000 error: the repoidx of the hooks is gone: %s\n' @BINARY@ >last.log) >/dev/null 2>&1 || :
[ -z "$binary" ] || tell | "$binary" hook pre-push "$@" || status=$?
[ "$status" -ne 1 ] || exit 1
# The hook that was here before gets the same input, and its status counts.
if [ -x "${0%/*}/repoidx-orig/pre-push" ]; then
    tell | "${0%/*}/repoidx-orig/pre-push" "$@" || exit $?
fi
# <<< repoidx pre-push <<<
