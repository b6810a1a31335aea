"""The binary `repoidx` as a Python package: `find_binary` says where it lies."""

from ._find import find_binary

__all__ = ["find_binary"]
