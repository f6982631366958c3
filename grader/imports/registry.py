"""The formats that can be imported: each has a function and an entry in `IMPORTERS`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.plugins import IMPORTS_GROUP, load_plugin, plugin_names
from grader.core.text import one_line
from grader.core.yaml.value import parse_size
from grader.imports import Imported, Tell
from grader.imports.check50 import import_check50
from grader.imports.exercism import import_exercism
from grader.imports.github_classroom import import_github_classroom
from grader.imports.gradescope import import_gradescope
from grader.imports.io_tests import import_io_tests
from grader.imports.kattis import import_kattis
from grader.imports.kattis_package import DEFAULT_OPTIONS, KattisOptions
from grader.imports.otter import import_otter
from grader.imports.prairielearn import import_prairielearn
from grader.imports.submitty import import_submitty
from grader.imports.vpl import import_vpl

Importer = Callable[[Path, str | None], Imported]
"""Reads what is at a path; the name is the id of the assignment, where one was asked for"""
IMPORTERS: dict[str, Importer] = {
    "kattis": import_kattis,
    "io-tests": import_io_tests,
    "check50": import_check50,
    "submitty": import_submitty,
    "exercism": import_exercism,
    "prairielearn": import_prairielearn,
    "github-classroom": import_github_classroom,
    "gradescope": import_gradescope,
    "otter": import_otter,
    "vpl": import_vpl,
}


def kattis_options(name: str, max_size: str | None, *, measure: bool, link: bool, tell: Tell) -> KattisOptions | None:
    """Return the options of problem packages; None for another format, and UsageError where that has none of these."""
    if name != "kattis":
        if max_size is not None or measure or link:
            raise UsageError("--max-size, --measure and --link are for kattis: leave them out")
        return None
    found = parse_size(max_size) if max_size else DEFAULT_OPTIONS.max_bytes
    if not found:
        raise UsageError(f"--max-size {one_line(max_size or '')}: give a size, such as 500 MiB or 2 GiB")
    return KattisOptions(max_bytes=found, measure=measure, tell=tell)


def find_importer(name: str, options: KattisOptions | None = None) -> Importer:
    """Return the importer of this name, ours or an installed package's; UsageError with a list of all when unknown."""
    if options:
        return partial(import_kattis, options=options)
    if name in IMPORTERS:
        return IMPORTERS[name]
    if found := load_plugin(IMPORTS_GROUP, name, Callable):
        importer: Importer = found.value
        return importer
    installed = (f"\n  {name}  of {package}" for name, package in plugin_names(IMPORTS_GROUP).items())
    names = "".join((*(f"\n  {name}" for name in IMPORTERS), *installed))
    raise UsageError(f"there is no format '{one_line(name)}'; there are{names}")
