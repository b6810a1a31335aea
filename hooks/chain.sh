# >>> repoidx @EVENT@: chain 1 >>>
# Added by `repoidx install-hooks`; `repoidx uninstall-hooks` takes it out again.
# Runs @BINARY@, else the repoidx in PATH. Never prints, waits or fails; the log says if both are gone.
if [ -x @BINARY@ ]; then @BINARY@ hook @EVENT@ "$@"
elif command -v repoidx; then repoidx hook @EVENT@ "$@"
else (umask 077 && dir=$(git rev-parse --git-path repoidx) && cd "$dir" && rm -f last.log &&
    printf '0.000 error: the repoidx of the hooks is gone: %s\n' @BINARY@ >last.log)
fi </dev/null >/dev/null 2>&1 || :
# The hook that was here before; it runs as it always did, or not at all if it was not executable.
if [ -x "${0%/*}/repoidx-orig/@EVENT@" ]; then exec "${0%/*}/repoidx-orig/@EVENT@" "$@"; fi
# <<< repoidx @EVENT@ <<<
