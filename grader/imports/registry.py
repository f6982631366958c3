"""The formats that can be imported: each has an entry in `IMPORTERS`, a function and what it takes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader.core.errors import UsageError
from grader.core.lazy import lazy_call
from grader.core.plugins import IMPORTS_GROUP, load_plugin, unknown_format
from grader.core.text import one_line

if TYPE_CHECKING:
    from grader.imports import Imported, Tell
    from grader.imports.kattis_package import KattisOptions


class Importer(NamedTuple):
    """A format of another grader."""

    about: str  # which path it takes
    # of a path, and of the id, which is else made of the folder's name; raises UsageError
    read: "Callable[[Path, str | None], Imported]"


def _ours(module: str, about: str) -> Importer:
    """Return a format whose module, with the function `import_MODULE`, is imported when it is used."""
    return Importer(about, lazy_call(f"grader.imports.{module}", f"import_{module}"))


# name of a format -> the format, in the order of the help
IMPORTERS = {
    "kattis": _ours(
        "kattis", "a problem package (Kattis, DOMjudge, ICPC), folder, zip or tar, or a folder or archive of several"
    ),
    "io-tests": _ours("io_tests", "a tests.json of Classroom 50"),
    "check50": _ours("check50", "the folder of a problem of check50, with .cs50.yml"),
    "submitty": _ours("submitty", "the config folder of an assignment of Submitty, with config.json"),
    "exercism": _ours("exercism", "folders of exercises of Exercism, in C, Go, Java, JavaScript, Python or Rust"),
    "prairielearn": _ours("prairielearn", "the folder of a question of PrairieLearn that its Python autograder grades"),
    "github-classroom": _ours("github_classroom", "a repository, or its autograding.json or classroom.yml"),
    "gradescope": _ours("gradescope", "the zip or folder of an autograder for Gradescope, with unittest or JUnit"),
    "otter": _ours("otter", "the folder or notebook that otter assign made, or the zip of otter generate"),
    "vpl": _ours("vpl", "the folder or vpl_evaluate.cases of an activity of Moodle's Virtual Programming Lab"),
}


def kattis_options(name: str, most: str | None, *, measure: bool, link: bool, tell: "Tell") -> "KattisOptions | None":
    """Return the options of problem packages; None for another format, and UsageError where that has none of these."""
    if name != "kattis":
        if most is not None or measure or link:
            raise UsageError("--max-size, --measure and --link are for kattis: leave them out")
        return None
    given = {"measure": measure, "tell": tell}
    if most is not None:
        given["max_bytes"] = lazy_call("grader.core.yaml.value", "parse_size")(most)
        if not given["max_bytes"]:
            raise UsageError(f"--max-size {one_line(most)}: give a size, such as 500 MiB or 2 GiB")
    options: KattisOptions = lazy_call("grader.imports.kattis_package", "KattisOptions")(**given)
    return options


def find_importer(name: str, options: "KattisOptions | None" = None) -> "Callable[[Path, str | None], Imported]":
    """Return the importer of this name, ours or an installed package's; UsageError with a list of all when unknown."""
    if name in IMPORTERS:
        read: Callable[..., Imported] = IMPORTERS[name].read
        return partial(read, options=options) if options else read
    if plugin := load_plugin(IMPORTS_GROUP, name, Callable):
        importer: Callable[[Path, str | None], Imported] = plugin.value
        return importer
    raise unknown_format(name, {name: known.about for name, known in IMPORTERS.items()}, IMPORTS_GROUP)
