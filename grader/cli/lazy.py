"""The modules that commands work with: `lazy.store` is imported when it is first used (PEP 562).

So neither `--help` nor another command waits for it, nor for what libraries import and hardly ever use.
"""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same for type checkers, and types that are only named
    from rich.console import Console

    from grader import doctor, imports
    from grader.author import handout, new, packages, public, record, watch
    from grader.check import expected_results, runner, samples, verification
    from grader.check.subject import Remark
    from grader.cli import screen
    from grader.core import pipeline
    from grader.core.build import staging
    from grader.core.model import report
    from grader.core.model.execution import Execution
    from grader.core.model.gradebook import Grade, Gradebook
    from grader.core.model.spec import Spec
    from grader.core.reader import files, language, locate, paths, spec
    from grader.core.report import json, plain
    from grader.decisions import adjustments, late_days, lateness, post_grading
    from grader.exports import gradescope_zip, kattis, request, single
    from grader.grading_class import grading, merging
    from grader.imports import kattis_package
    from grader.people import entries, names, people
    from grader.results import adjusting, class_files, course_overview, diff, explain, store, terminal, unmatched, view
    from grader.review import pages, reviewed, server

_PACKAGES = {
    "grader": "doctor imports",
    "grader.author": "handout new packages public record watch",
    "grader.check": "expected_results runner samples verification",
    "grader.cli": "screen",
    "grader.core": "pipeline",
    "grader.core.build": "staging",
    "grader.core.model": "report",
    "grader.core.reader": "files language locate paths spec",
    "grader.core.report": "json plain",
    "grader.decisions": "adjustments late_days lateness post_grading",
    "grader.exports": "gradescope_zip kattis request single",
    "grader.grading_class": "grading merging",
    "grader.imports": "kattis_package",
    "grader.people": "entries names people",
    "grader.results": "adjusting class_files course_overview diff explain store terminal unmatched view",
    "grader.review": "pages reviewed server",
}
_HOMES = {name: package for package, names in _PACKAGES.items() for name in names.split()}


_RARELY_USED = {  # a module -> what has to be there for it: a Python may be built without
    "bz2": "_bz2",
    "inspect": "inspect",
    "ipaddress": "ipaddress",
    "lzma": "_lzma",
    "msgspec.inspect": "msgspec.inspect",
    "string": "string",
    "textwrap": "textwrap",
    "xml.etree.ElementPath": "xml.etree.ElementPath",
    "zlib": "zlib",
}
_FIRST_USE = Lock()


class _LazyModule(ModuleType):
    """Stands in `sys.modules` for a module without submodules, which is imported when something of it is used."""

    def __getattr__(self, name: str) -> Any:
        with _FIRST_USE:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        self.__getattr__("__setattr__")(name, value)

    def __delattr__(self, name: str) -> None:
        self.__getattr__("__delattr__")(name)

    def cleandoc(self, doc: str) -> str:
        """Do what `inspect.cleandoc` does, for which click would import it: with a single line that is little."""
        return doc.expandtabs().lstrip() if "\n" not in doc else str(self.__getattr__("cleandoc")(doc))


def _find(name: str) -> ModuleSpec | None:
    """Find a module that is not built in, without importing the package that it is in."""
    package = name.rpartition(".")[0]
    return PathFinder.find_spec(name, getattr(_find(package), "submodule_search_locations", None) if package else None)


def postpone_imports() -> None:
    """Let libraries import modules that they hardly ever use without waiting for them."""
    for name, needed in _RARELY_USED.items():
        if name not in sys.modules and _find(needed):
            sys.modules[name] = _LazyModule(name)
            vars(sys.modules[name])["__spec__"] = _find(name)


def __getattr__(name: str) -> ModuleType:
    """Import the module of this name."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{_HOMES[name]}.{name}")
