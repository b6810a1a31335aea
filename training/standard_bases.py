"""Makes src/model/conventions/standard_bases.txt from the Python that runs it (3.11 for the committed one): the public
classes of the standard library, each in a line with the names of all classes above it but `object`.

`repoidx ask "is InvalidJSONError a ValueError"` follows the bases of a class into the library by it. A class is named as it
is imported: builtin ones have no module before their name.

    python3 standard_bases.py > ../src/model/conventions/standard_bases.txt
"""

import builtins
import importlib
import inspect
import sys
import typing
import warnings

# Modules inside of packages that people import classes from.
INNER = """
    collections.abc concurrent.futures email.errors email.message email.policy html.parser http.client http.cookiejar
    http.cookies http.server importlib.abc importlib.metadata json.decoder json.encoder logging.handlers multiprocessing.managers
    unittest.mock urllib.error urllib.parse urllib.request urllib.response wsgiref.handlers wsgiref.simple_server xml.dom
    xml.etree.ElementTree xml.parsers.expat xml.sax xml.sax.handler xmlrpc.client xmlrpc.server
""".split()
# Programs, and what only some machines have.
LEFT_OUT = {"antigravity", "builtins", "idlelib", "lib2to3", "msilib", "this", "turtle", "turtledemo"}


def modules():
    names = {name for name in sys.stdlib_module_names if not name.startswith("_")} - LEFT_OUT
    for name in sorted(names | set(INNER)):
        try:
            yield name, importlib.import_module(name)
        except ImportError:
            continue


def made_class(value):
    """The class that a value is, or stands for in annotations and bases: `dict` for `typing.Dict`."""
    made = {typing.NamedTuple: tuple, typing.TypedDict: dict}
    origin = made.get(value) if inspect.isfunction(value) else typing.get_origin(value) or getattr(value, "__origin__", value)
    return origin if inspect.isclass(origin) else None


def main():
    warnings.simplefilter("ignore")
    lines = {}
    for module, found in [("", builtins), *modules()]:
        exported = getattr(found, "__all__", ())
        for name in sorted({*vars(found), *exported}):
            value = made_class(getattr(found, name, None))
            if value is None or name.startswith("_"):
                continue
            # A class that a module only imports is named by its own module.
            home = value.__module__.lstrip("_")
            if module and name not in exported and not f"{home}.".startswith(f"{module}."):
                continue
            # An alias has the class itself above it.
            above = {other.__name__ for other in value.__mro__ if not other.__name__.startswith("_")}
            lines[f"{module}.{name}" if module else name] = " ".join(sorted(above - {"object", name}))
    for name in sorted(lines):
        print(f"{name} {lines[name]}".rstrip())


if __name__ == "__main__":
    main()
