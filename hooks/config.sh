f() { if [ -x @BINARY@ ]; then @BINARY@ hook @EVENT@ "$@"; else repoidx hook @EVENT@ "$@"; fi </dev/null >/dev/null 2>&1 || :; }; f
