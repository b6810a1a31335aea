"""Makes src/model/conventions/standard_classes.txt from the Python that runs it (3.11 for the committed one): the public
classes of the standard library. Each line holds a class, its metaclass, whether it decides that its instances can be
hashed (`+`), that they cannot (`-`) or neither (`.`), and the names of all classes above it but `object`, in the
order in which Python looks through them.

`repoidx ask "is InvalidJSONError a ValueError"` follows the bases of a class into the library by it. A class is named as
it is imported: builtin ones have no module before their name.

    python3 standard_classes.py > ../src/model/conventions/standard_classes.txt
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


def metaclass(value):
    """The first public class among the metaclass of a class and those above it. Python 3.11 has a second name for
    `EnumMeta`, which older versions lack."""
    public = next(made for made in type(value).__mro__ if not made.__name__.startswith("_"))
    module = "" if public.__module__ == "builtins" else f"{public.__module__}."
    return module + {"EnumType": "EnumMeta"}.get(public.__name__, public.__name__)


def hash_rule(value):
    """The first class that says something of the hash decides; `object` has one for all that say nothing."""
    for made in value.__mro__[:-1]:
        if "__hash__" in vars(made):
            return "-" if made.__hash__ is None else "+"
    return "."


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
            above = dict.fromkeys(other.__name__ for other in value.__mro__ if not other.__name__.startswith("_"))
            words = [metaclass(value), hash_rule(value), *(other for other in above if other not in {"object", name})]
            lines[f"{module}.{name}" if module else name] = " ".join(words)
    for name in sorted(lines):
        print(name, lines[name])


if __name__ == "__main__":
    main()
