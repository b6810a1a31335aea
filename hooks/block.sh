# >>> repoidx @EVENT@: @KIND@ 1 >>>
# Added by `repoidx install-hooks`; `repoidx uninstall-hooks` takes it out again.
# Runs @BINARY@, else the repoidx in PATH. Never prints, waits or fails.
if [ -x @BINARY@ ]; then @BINARY@ hook @EVENT@ "$@"; else repoidx hook @EVENT@ "$@"; fi </dev/null >/dev/null 2>&1 || :
# <<< repoidx @EVENT@ <<<
