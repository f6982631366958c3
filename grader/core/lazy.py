"""Lazy regexes and imports (PEP 562): made at their first use, which may never come or while a program runs."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, AnyStr, cast


class _LazyPattern:
    """Has the attributes of a compiled pattern, and compiles it at the first access to one of them."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Look the attribute up in the compiled pattern, and store it here: later accesses do not come here again."""
        value = getattr(re.compile(self.pattern, self._flags), name)  # `re` caches compiled patterns
        setattr(self, name, value)
        return value


def lazy_regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a lazy pattern: its methods and attributes work, but functions of `re` do not accept it."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))


def lazy_modules(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package that imports its modules when they are first used."""

    def find(name: str) -> Any:
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from error

    return find


def lazy_call(module: str, name: str) -> Callable[..., Any]:
    """Return a function that calls the one of that name in a module, which is imported at the first call."""
    return lambda *args, **options: getattr(import_module(module), name)(*args, **options)  # noqa: PLW0108 - not yet
