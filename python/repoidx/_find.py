"""Finds the binary that was installed together with this package, never another one by chance."""

import os
import sys
import sysconfig
from pathlib import Path


def find_binary() -> str:
    """The path of the binary. `FileNotFoundError` names the places that were looked at."""
    name = "repoidx" + (sysconfig.get_config_var("EXE") or "")
    folders = list(dict.fromkeys(_folders()))
    for folder in folders:
        file = os.path.join(folder, name)
        if os.path.isfile(file) and os.access(file, os.X_OK):
            return file
    looked_at = ", ".join(folders)
    raise FileNotFoundError(f"the binary of repoidx is in none of {looked_at}: install the package repoidx again")


def _folders():
    # Where pip puts scripts; a virtual environment that looks into another one has its own first.
    yield sysconfig.get_path("scripts")
    package = Path(__file__).resolve().parent
    # `pip install --target FOLDER` and `--prefix FOLDER`: beside the package, or beside its lib/pythonX.Y/site-packages.
    yield str(package.parent / "bin")
    if len(package.parents) > 3:
        yield str(package.parents[3] / ("Scripts" if sys.platform == "win32" else "bin"))
    # `pip install --user`.
    scheme = sysconfig.get_preferred_scheme("user") if sys.version_info >= (3, 10) else os.name + "_user"
    if scheme in sysconfig.get_scheme_names():
        yield sysconfig.get_path("scripts", scheme=scheme)
