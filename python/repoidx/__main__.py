"""`python -m repoidx`: runs the binary in place of this process."""

import os
import sys

from ._find import find_binary


def main() -> int:
    binary = find_binary()
    arguments = [binary, *sys.argv[1:]]
    if sys.platform == "win32":
        import subprocess

        try:
            return subprocess.call(arguments)
        except KeyboardInterrupt:
            return 130
    os.execv(binary, arguments)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (FileNotFoundError, PermissionError) as error:
        sys.exit(f"error: {error}")
