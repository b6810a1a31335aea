f() { if [ -x @BINARY@ ]; then @BINARY@ hook pre-push "$@"; elif command -v repoidx >/dev/null 2>&1; then repoidx hook pre-push "$@"; fi; [ $? -ne 1 ]; }; f
