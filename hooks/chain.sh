# >>> repoidx @EVENT@: chain 1 >>>
# Added by `repoidx install-hooks`; `repoidx uninstall-hooks` takes it out again.
# Runs @BINARY@, else the repoidx in PATH. Never prints, waits or fails.
if [ -x @BINARY@ ]; then @BINARY@ hook @EVENT@ "$@"; else repoidx hook @EVENT@ "$@"; fi </dev/null >/dev/null 2>&1 || :
# The hook that was here before; it runs as it always did, or not at all if it was not executable.
if [ -x "${0%/*}/repoidx-orig/@EVENT@" ]; then exec "${0%/*}/repoidx-orig/@EVENT@" "$@"; fi
# <<< repoidx @EVENT@ <<<
