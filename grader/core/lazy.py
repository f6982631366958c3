"""What is made when it is first asked for: it may never be, or a program can run meanwhile."""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, AnyStr, cast


class _LazyPattern:
    """Has what the compiled pattern has, which is compiled by whoever asks for any of that first."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Fetch what is not here yet, and keep it here: nothing is between a pattern's users and its methods then."""
        value = getattr(re.compile(self.pattern, self._flags), name)  # `re` keeps what it compiled
        setattr(self, name, value)
        return value


def lazy_regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern of which the methods and attributes can be used, but which the functions of `re` do not take."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))


def lazy_imports(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package (PEP 562) that has these names of its modules, and imports none of them."""

    def find(name: str) -> object:
        for module, names in modules.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find


def lazy_call(module: str, name: str) -> Callable[..., Any]:
    """Return a function that calls the one of that name in a module, which is imported at the first call."""

    def call(*args: Any, **options: Any) -> Any:
        return getattr(import_module(module), name)(*args, **options)

    return call
