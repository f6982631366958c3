"""The modules that commands work with: `lazy.store` is imported when it is first used (PEP 562).

So neither `--help` nor another command waits for it.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

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
    from grader.core.reader import files, language, locate, spec
    from grader.core.report import json, plain
    from grader.core.yaml import value
    from grader.decisions import adjustments, late_days, lateness, post_grading
    from grader.exports import findings, gradescope_zip, kattis, request, single
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
    "grader.core.reader": "files language locate spec",
    "grader.core.report": "json plain",
    "grader.core.yaml": "value",
    "grader.decisions": "adjustments late_days lateness post_grading",
    "grader.exports": "findings gradescope_zip kattis request single",
    "grader.grading_class": "grading merging",
    "grader.imports": "kattis_package",
    "grader.people": "entries names people",
    "grader.results": "adjusting class_files course_overview diff explain store terminal unmatched view",
    "grader.review": "pages reviewed server",
}
_HOMES = {name: package for package, names in _PACKAGES.items() for name in names.split()}


def __getattr__(name: str) -> ModuleType:
    """Import the module of this name."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{_HOMES[name]}.{name}")
