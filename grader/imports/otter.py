"""An assignment of otter -> a spec for notebooks: what `otter assign` made, or an autograder of `otter generate`.

Each question becomes a test with a method for each case, and a second, hidden test where some of its cases are hidden.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.notebook import NotebookError, module_name, read_cells
from grader.core.text import count, joined
from grader.imports import Imported, check_name, identifier
from grader.imports.draft import CourseFile, Data, Draft, DraftSample, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import read_tree
from grader.imports.otter_tests import OtterCase, Question, points_in, read_question, to_unittest
from grader.imports.python_source import parse_python, required_packages
from grader.imports.writer import to_imported

_MACHINERY = re.compile(
    r"(?:setup\.sh|run_autograder|run_otter\.py|requirements\.[rtx]+|environment\.yml|otter_config\.json"
    r"|.*\.(?:zip|pdf|otter|md|log|ipynb)|(?:tests/|\.).*)"
)
_STAND_IN = '''\
"""Stands in for the package of otter in notebooks that are graded: whatever is asked of it does nothing."""


class Notebook:
    """The object that notebooks call `grader`."""

    def __init__(self, *args, **options):
        pass

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **options: None
'''
_IGNORED = ("seed", "score_threshold", "plugins", "pdf", "submission_subdirectory", "filtering", "seed_variable")
"""keys of the configuration that have no meaning here"""


def import_otter(path: Path, name: str | None = None) -> Imported:
    """Convert an assignment: its notebook, its folder, or the zip of an autograder; UsageError for what is none."""
    files = _read_files(path)
    books = [one for one in files if one.endswith(".ipynb") and "/" not in one]
    if len(books) > 1:
        raise UsageError(f"{path} has several notebooks, {joined(books)}: name the one with the tests")
    made = identifier(name, PurePosixPath(books[0]).stem if books else path.resolve().stem)
    notebook = books[0] if books else f"{made}.ipynb"
    check_name(notebook)
    try:
        cells = [cell.source for cell in read_cells(files[notebook])] if books else []
    except NotebookError as error:
        raise UsageError(f"{path}: {notebook}: {error}") from error
    questions = dict(_questions(files, _object(files.get(notebook))))
    if all(isinstance(one, str) or one.problem for one in questions.values()):
        raise UsageError(
            f"{path} has no tests of otter in Python, in tests/*.py or in its notebook; of one with # BEGIN QUESTION, "
            "`otter assign` makes an assignment with tests: import its folder autograder"
        )
    modules = {PurePosixPath(one).stem: data for one, data in files.items() if one.endswith(".py")}
    own = {*modules, "otter", "IPython", PurePosixPath(notebook).stem}
    return to_imported(_draft(made, notebook, files, questions, required_packages([*modules.values(), *cells], own)))


def _draft(
    made: str,
    notebook: str,
    files: Mapping[str, bytes],
    questions: Mapping[str, Question | str],
    packages: Sequence[str],
) -> Draft:
    book, config = _object(files.get(notebook)), _object(files.get("otter_config.json"))
    tests = [test for one, question in questions.items() for test in _tests(one, question, notebook)]
    most = sum((Fraction(test.points or 0) for test in tests), Fraction(0))
    stated = points_in(config.get("points_possible"))
    points = most if stated is None else stated
    is_solved = any("otter_assign_solution_cell" in _tags(cell) for cell in _cells(book))
    told = {
        "no-notebook": "" if notebook in files else notebook,
        "packages": f"`grader packages {made}` on each machine that grades: {', '.join(packages)}" * bool(packages),
        "written": _written_questions(book),
        "success": any(b"success_message" in data for data in files.values()),
        "no-solution": not is_solved,
    }
    losses = [Loss(rule="config", detail=key) for key in _IGNORED if config.get(key) not in (None, False, {}, [])]
    detail = f"{float(points):g} there; the questions come to {float(most):g}"
    losses += [Loss(rule="points", detail=detail, points=points - most)] if points != most else []
    reference, keys = f"reference/{made}/{notebook}", _keys(notebook, packages, files)
    sample = DraftSample(files={notebook: files.get(notebook, b"")}, score=most, about="the course's solutions")
    return Draft(
        id=made,
        format="otter",
        origin="an assignment of otter",
        language="notebook",
        required=[notebook],
        program=["python3", module_name(notebook)],
        keys={**keys, "reference": reference if is_solved else None},
        tests=tests,
        points=points,
        losses=[*losses_where(told), *losses],
        files={reference: _solved(book)} if is_solved else {},
        samples={"solutions": sample} if is_solved else {},
    )


def _keys(notebook: str, packages: Sequence[str], files: Mapping[str, bytes]) -> dict[str, Data]:
    renamed = {"name": "other-name", "about": f"The notebook was taken for {notebook}", "when": {"missing": [notebook]}}
    about = "A cell that Python cannot read was left out"
    broken = {"name": "broken-cell", "about": about, "when": "build-failed", "leave-out": "broken-cells"}
    # What notebooks read and import is there for every case.
    given = {name.removeprefix("files/"): data for name, data in files.items() if not _MACHINERY.fullmatch(name)}
    given["otter.py"] = _STAND_IN.encode()
    given.pop(module_name(notebook), None)  # which is made of the notebook that is handed in
    return {
        "notebook": {"after-error": "go-on"},
        "requires": packages or None,
        "files": {"optional": ["*.ipynb"]},
        "repairs": [{**renamed, "rename": {"*.ipynb": notebook}}, broken],
        "defaults": {"files": {name: CourseFile(name=name, content=data) for name, data in given.items()}},
    }


# ---------------------------------------------------------------- reading


def _read_files(path: Path) -> Mapping[str, bytes]:
    """Return the files of the assignment, below the folder that has its tests."""
    if not path.exists():
        raise UsageError(f"{path}: No such file; name a notebook, the folder that otter assign made, or an autograder")
    if path.suffix == ".ipynb" and path.is_file():
        return {path.name: path.read_bytes()}
    files = read_tree(path)
    for start in ("autograder/", "dist/autograder/"):
        if any(name.startswith(start) for name in files):
            return {name.removeprefix(start): files[name] for name in files if name.startswith(start)}
    return files


def _object(data: bytes | None) -> dict[str, Any]:
    try:
        found = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _inside(found: object, *keys: str) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _cells(book: Mapping[str, Any]) -> list[dict[str, Any]]:
    cells = book.get("cells")
    return [one for one in cells if isinstance(one, dict)] if isinstance(cells, list) else []


def _tags(cell: Mapping[str, Any]) -> list[Any]:
    tags = _inside(cell, "metadata", "tags")
    return tags if isinstance(tags, list) else []


def _source(cell: Mapping[str, Any]) -> str:
    source = cell.get("source")
    return source if isinstance(source, str) else "".join(map(str, source)) if isinstance(source, list) else ""


def _questions(files: Mapping[str, bytes], book: Mapping[str, Any]) -> Iterator[tuple[str, Question | str]]:
    """Yield the questions of the files in `tests`, else of those in the notebook; or why one cannot be read."""
    sources: Any = {
        PurePosixPath(name).stem: data.decode("utf-8", "replace")
        for name, data in files.items()
        if re.fullmatch(r"tests/[^/]*\.py", name) and not name.endswith("__init__.py")
    }
    embedded = _inside(book, "metadata", "otter", "tests")
    sources = sources or (embedded if isinstance(embedded, dict) else {})
    # Letters and numbers of a name by turns, so that q10 comes behind q2.
    for name in sorted(sources, key=lambda one: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", one)]):
        try:
            yield name, read_question(name, sources[name])
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            yield name, str(error)


# ---------------------------------------------------------------- the draft


def _tests(name: str, question: Question | str, notebook: str) -> Iterator[DraftTest]:
    """Yield the tests of a question: for its visible cases, for hidden ones, and for what remains to be written."""
    if isinstance(question, str):
        yield DraftTest(name=name, cases=OpenCheck(name=name, reason=question))
        return
    if question.problem:
        stated = sum(question.worth, Fraction(0)) if question.cases else question.points
        is_hidden = any(case.is_hidden for case in question.cases)
        check = OpenCheck(name=name, reason=question.problem)
        yield DraftTest(name=name, points=1 if stated is None else stated, hidden=is_hidden, cases=check)
        return
    is_whole = question.is_all_or_nothing and any(case.is_hidden for case in question.cases)
    groups: dict[bool, list[tuple[int, OtterCase, Fraction]]] = {False: [], True: []}
    for number, (case, points) in enumerate(zip(question.cases, question.worth, strict=True), 1):
        hidden = is_whole or case.is_hidden  # a hidden case decides on the points of all
        if case.problem:
            left = OpenCheck(name=f"{name}_{number}", reason=case.problem, source=case.source)
            yield DraftTest(name=f"{name} case {number}", points=points, hidden=hidden, cases=left)
        else:
            groups[hidden].append((number, case, points))
    for hidden, group in groups.items():
        if group:
            suffix = " hidden" if hidden and groups[False] else ""
            yield _unit_test(question, f"{name}{suffix}", group, notebook, hidden=hidden)


def _unit_test(
    question: Question, name: str, group: list[tuple[int, OtterCase, Fraction]], notebook: str, *, hidden: bool
) -> DraftTest:
    cases, worth = [(number, case) for number, case, _ in group], [points for _, _, points in group]
    content, methods = to_unittest(question, cases, PurePosixPath(notebook).stem)
    scale = lcm(*(one.denominator for one in worth))  # weights are whole numbers
    weights = {method: int(one * scale) for method, one in zip(methods, worth, strict=True)}
    unit: dict[str, Data] = {
        "unittest": CourseFile(name=f"test_{re.sub(r'[^A-Za-z0-9_]', '_', name)}.py", content=content, folder="tests"),
        "weights": weights if len(set(worth)) > 1 else None,
        "together": True if len(group) > 1 else None,  # otter runs all cases with the objects of one notebook
    }
    keys = {"all_or_nothing": True if question.is_all_or_nothing else None, "unit": unit}
    return DraftTest(name=name, points=sum(worth, Fraction(0)), hidden=hidden, keys=keys)


def _solved(book: dict[str, Any]) -> bytes:
    """Return the notebook with solutions, in which cells that only ask otter for something are left out."""
    for cell in _cells(book):
        source = _source(cell)
        texts = [ast.get_source_segment(source, node) or "" for node in parse_python(source).body]
        own = [re.match(r"import otter|from otter|grader = otter\.|grader\.\w+\(", one) for one in texts]
        if cell.get("cell_type") == "code" and own and all(own):
            cell["metadata"] = {**(cell.get("metadata") or {}), "tags": [*_tags(cell), "otter_ignore"]}
    return json.dumps(book, indent=1).encode()


def _written_questions(book: Mapping[str, Any]) -> str:
    cells = [cell for cell in _cells(book) if cell.get("cell_type") == "markdown"]
    written = sum("BEGIN QUESTION" in _source(cell) for cell in cells)
    return count(written, "question") if written else ""
