"""An assignment of otter -> a spec for notebooks: what `otter assign` made, or an autograder of `otter generate`.

Each question becomes a test with a method for each case, and a second, hidden test where some of its cases are hidden.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.build.staging import read_submission
from grader.core.build.tree import MIB, Refused, StagingLimits
from grader.core.errors import UsageError
from grader.core.notebook.linear import module_name
from grader.core.notebook.reading import NotebookError, read_cells
from grader.core.text import count, joined, one_line
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, check_name, first_keys, identifier, text_or_word
from grader.imports.otter_tests import (
    OtterCase,
    Question,
    read_function_test,
    read_ok_test,
    to_unittest,
    whole_weights,
)
from grader.imports.to_do import ToDo

_LIMITS = StagingLimits(files=5_000, size=64 * MIB)
_MAX_COURSE_FILES = 100
_MACHINERY = re.compile(
    r"(?:setup\.sh|run_autograder|run_otter\.py|requirements\.[rtx]+|environment\.yml|otter_config\.json|.*\.(?:zip|pdf|otter|md|log))"
)
_SOLUTION_TAG = "otter_assign_solution_cell"
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
_PACKAGES = {
    "sklearn": "scikit-learn",
    "PIL": "pillow",
    "cv2": "opencv-python",
    "bs4": "beautifulsoup4",
    "yaml": "PyYAML",
}
"""modules whose package has another name"""
_WITHOUT_MEANING = (
    "seed",
    "score_threshold",
    "plugins",
    "pdf",
    "submission_subdirectory",
    "filtering",
    "seed_variable",
)


@dataclass(slots=True, kw_only=True)
class _Otter:
    """What was read of an assignment, and what is carried over."""

    id: str
    files: Mapping[str, bytes]
    notebook: str
    """the name of the file that students hand in"""
    is_solved: bool
    config: Mapping[str, Any]
    questions: list[Question] = field(default_factory=list)
    carried: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def import_otter(path: Path, name: str | None = None) -> Imported:
    """Convert an assignment: its notebook, its folder, or the zip of an autograder; UsageError for what is none."""
    files = _read_files(path)
    book = _find_notebook(files, path)
    made = _Otter(
        id=identifier(name, PurePosixPath(book).stem if book else path.resolve().stem),
        files=files,
        notebook=book or f"{identifier(name, path.resolve().stem)}.ipynb",
        is_solved=bool(book) and _is_solved(files[book]),
        config=_config(files),
    )
    check_name(made.notebook)
    _refuse_others(made, path)
    made.questions += _read_questions(made)
    if not made.questions:
        raise UsageError(
            f"{path} has no tests of otter, in tests/*.py or in its notebook; of a notebook with # BEGIN QUESTION, "
            "`otter assign` makes an assignment with tests: import its folder autograder"
        )
    to_do = ToDo(file=f"data/{made.id}/to_do.py")
    nodes = [node for question in made.questions for node in _question_nodes(made, question, to_do)]
    keys = _head_keys(made)
    _carry_solution(made)
    course = _course_files(made)
    made.carried |= to_do.files()
    made.notes += [*_notes(made), *to_do.notes()]
    return Imported(
        id=made.id,
        spec={**keys, "defaults": table({"files": table(course)}), "tests": listing(nodes)},
        files=made.carried,
        origin="an assignment of otter",
        notes=made.notes,
    )


# ---------------------------------------------------------------- reading


def _read_files(path: Path) -> dict[str, bytes]:
    """Return the files of the assignment, below the folder that has its tests."""
    if not path.exists():
        raise UsageError(f"{path}: No such file; name a notebook, the folder that otter assign made, or an autograder")
    if path.suffix == ".ipynb" and path.is_file():
        return {path.name: path.read_bytes()}
    try:
        tree = read_submission(path.resolve(), _LIMITS)
    except Refused as refused:
        raise UsageError(f"{path}: {refused.fact.replace('submission', 'assignment')}") from refused
    files = {name: tree.files[name].content for name in sorted(tree.files)}
    for start in ("autograder/", "dist/autograder/"):
        if any(name.startswith(start) for name in files):
            return {name.removeprefix(start): files[name] for name in files if name.startswith(start)}
    return files


def _find_notebook(files: Mapping[str, bytes], path: Path) -> str:
    books = [name for name in files if name.endswith(".ipynb") and "/" not in name]
    if len(books) > 1:
        raise UsageError(f"{path} has several notebooks, {joined(books)}: name the one with the tests")
    return books[0] if books else ""


def _notebook(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _metadata(found: Mapping[str, Any]) -> dict[str, Any]:
    inside = found.get("metadata")
    return inside if isinstance(inside, dict) else {}


def _cells(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    cells = found.get("cells")
    return [one for one in cells if isinstance(one, dict)] if isinstance(cells, list) else []


def _source(cell: Mapping[str, Any]) -> str:
    source = cell.get("source")
    return source if isinstance(source, str) else "".join(map(str, source)) if isinstance(source, list) else ""


def _is_solved(data: bytes) -> bool:
    tags = (_metadata(cell).get("tags") for cell in _cells(_notebook(data)))
    return any(isinstance(one, list) and _SOLUTION_TAG in one for one in tags)


def _config(files: Mapping[str, bytes]) -> dict[str, Any]:
    return _notebook(files.get("otter_config.json", b"{}"))


def _refuse_others(made: _Otter, path: Path) -> None:
    """Raise UsageError for what is in another language, and for a notebook that cannot be read."""
    if made.config.get("lang") == "r" or any(name.startswith("tests/") and name.endswith(".R") for name in made.files):
        raise UsageError(f"{path} is an assignment in R; notebooks are graded in Python alone")
    if made.notebook in made.files:
        try:
            read_cells(made.files[made.notebook])
        except NotebookError as error:
            raise UsageError(f"{path}: {made.notebook}: {error}") from error


def _read_questions(made: _Otter) -> Iterator[Question]:
    """Yield the questions: of the files in `tests`, else of those in the notebook."""
    sources: dict[str, Any] = {
        PurePosixPath(name).stem: data.decode("utf-8", "replace")
        for name, data in made.files.items()
        if PurePosixPath(name).parent.as_posix() == "tests"
        and name.endswith(".py")
        and not name.endswith("__init__.py")
    }
    inside = _metadata(_notebook(made.files.get(made.notebook, b"{}"))).get("otter")
    embedded = inside.get("tests") if isinstance(inside, dict) else None
    if not sources and isinstance(embedded, dict):
        sources = embedded
    for name in sorted(sources, key=lambda one: [int(part) if part.isdigit() else part for part in _parts(one)]):
        try:
            yield _read_question(name, sources[name])
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            made.notes.append(f"The test {one_line(name)} is left out: {one_line(str(error))}.")


def _parts(name: str) -> list[str]:
    """Return letters and numbers of a name by turns, so that q10 comes behind q2."""
    return re.split(r"(\d+)", name)


def _read_question(name: str, source: Any) -> Question:
    if isinstance(source, dict):
        return read_ok_test(name, source)
    if not isinstance(source, str):
        raise ValueError("it is neither a mapping nor a text")  # noqa: TRY004 - told as a mistake of the file
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "test":
            found = ast.literal_eval(node.value)
            return read_ok_test(name, found if isinstance(found, dict) else {})
    return read_function_test(name, source)


# ---------------------------------------------------------------- the spec


def _head_keys(made: _Otter) -> dict[str, Node]:
    module = module_name(made.notebook)
    keys = first_keys(made.id, "notebook")
    keys["notebook"] = table({"after-error": plain("go-on")})
    if packages := _required_packages(made):
        keys["requires"] = listing(map(text_or_word, packages))
        made.notes.append(f"Run `grader packages {made.id}` on each machine that grades: {', '.join(packages)}.")
    keys |= {
        "files": table({"required": listing([text_or_word(made.notebook)]), "optional": listing([quoted("*.ipynb")])}),
        "program": listing(map(text_or_word, ("python3", module))),
    }
    if made.is_solved:
        keys["reference"] = text_or_word(f"reference/{made.id}/{made.notebook}")
    repair = {
        "name": plain("broken-cell"),
        "about": text_or_word("A cell that Python cannot read was left out"),
        "when": plain("build-failed"),
        "leave-out": plain("broken-cells"),
    }
    renamed = {
        "name": plain("other-name"),
        "about": text_or_word(f"The notebook was taken for {made.notebook}"),
        "when": table({"missing": listing([text_or_word(made.notebook)])}),
        "rename": table({"*.ipynb": text_or_word(made.notebook)}),
    }
    keys["repairs"] = listing([table(renamed), table(repair)])
    return keys


def _question_nodes(made: _Otter, question: Question, to_do: ToDo) -> Iterator[Node]:
    """Yield the tests of a question: for its visible cases, for hidden ones, and for what remains to be written."""
    made.notes += question.notes
    worth = question.worth
    numbered = list(enumerate(question.cases, 1))
    groups = [[one for one in numbered if not one[1].is_hidden], [one for one in numbered if one[1].is_hidden]]
    if question.is_all_or_nothing and all(groups):
        groups = [[], numbered]
        made.notes.append(f"{question.name}: all or nothing, so that its visible cases are hidden with the others.")
    for group, is_hidden in zip(groups, (False, True), strict=True):
        carried = [one for one in group if not one[1].problem]
        if carried:
            is_named_hidden = is_hidden and any(not case.is_hidden for case in question.cases)
            suffix = " hidden" if is_named_hidden and not question.is_all_or_nothing else ""
            yield _test_node(made, question, carried, (suffix, is_hidden))
        for number, case in group:
            if case.problem:
                keys = {"name": text_or_word(f"{question.name} case {number}"), "points": _points(worth[number - 1])}
                keys |= {"visibility": plain("hidden")} if is_hidden else {}
                keys["expect"] = to_do.expect(f"{question.name}_{number}", case.problem, case.source)
                yield table(keys)


def _test_node(
    made: _Otter, question: Question, cases: Sequence[tuple[int, OtterCase]], shown: tuple[str, bool]
) -> Node:
    suffix, is_hidden = shown
    worth = [question.worth[number - 1] for number, _ in cases]
    stem = re.sub(r"[^A-Za-z0-9_]", "_", f"{question.name}{suffix}")
    path = f"tests/{made.id}/test_{stem}.py"
    content, methods = to_unittest(question, cases, PurePosixPath(made.notebook).stem)
    made.carried[path] = content
    keys: dict[str, Node] = {
        "name": text_or_word(f"{question.name}{suffix}"),
        "points": _points(sum(worth, Fraction(0))),
    }
    if is_hidden:
        keys["visibility"] = plain("hidden")
    if question.is_all_or_nothing:
        keys["all_or_nothing"] = plain("true")
    unit: dict[str, Node] = {"unittest": text_or_word(path)}
    weights = whole_weights(worth)
    if len(set(weights)) > 1:
        unit["weights"] = table({name: plain(str(one)) for name, one in zip(methods, weights, strict=True)})
    if len(cases) > 1:  # otter runs all cases with the objects of one notebook
        unit["together"] = plain("true")
    keys["unit"] = table(unit)
    return table(keys)


def _points(value: Fraction) -> Node:
    return plain(f"{round(float(value), 6):g}")


def _required_packages(made: _Otter) -> list[str]:
    """Return the packages that the notebook and the tests import, with their versions in `requirements.txt`."""
    sources = [data.decode("utf-8", "replace") for name, data in made.files.items() if name.endswith(".py")]
    if made.notebook in made.files:
        sources += [cell.source for cell in read_cells(made.files[made.notebook])]
    local = {PurePosixPath(name).stem for name in made.files if name.endswith(".py")}
    known = {*sys.stdlib_module_names, *local, "otter", "IPython", PurePosixPath(made.notebook).stem}
    imported = {name for source in sources for name in _imports(source)} - known
    return sorted(_PACKAGES.get(name, name) for name in imported)


def _imports(source: str) -> Iterator[str]:
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (one.name.split(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


# ---------------------------------------------------------------- files


def _carry_solution(made: _Otter) -> None:
    """Carry over the notebook with solutions, as reference and as a sample with full marks."""
    if not made.is_solved:
        made.notes.append(
            "There are no solutions: add a notebook to sample_submissions, so that grader verify can run."
        )
        return
    found = _notebook(made.files[made.notebook])
    for cell in _cells(found):
        if cell.get("cell_type") == "code" and _is_about_otter(_source(cell)):
            inside = cell.setdefault("metadata", {})
            inside["tags"] = [*(inside.get("tags") or []), "otter_ignore"]
    solved = json.dumps(found, indent=1).encode()
    place = f"sample_submissions/{made.id}"
    most = sum((sum(question.worth, Fraction(0)) for question in made.questions), Fraction(0))
    stated = table({"score": _points(most), "about": text_or_word("the course's solutions")})
    made.carried |= {
        f"reference/{made.id}/{made.notebook}": solved,
        f"{place}/solutions/{made.notebook}": made.files[made.notebook],
        f"{place}/expected.yaml": dump(table({"solutions": stated}), open_levels=1).encode(),
    }


def _is_about_otter(source: str) -> bool:
    """Whether a cell only prepares otter, or checks and exports by it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    texts = [ast.unparse(node) for node in tree.body]
    return bool(texts) and all(
        re.match(r"import otter|from otter|grader = otter\.|grader\.\w+\(", one) for one in texts
    )


def _course_files(made: _Otter) -> dict[str, Node]:
    """Carry over what notebooks read and import; return it as `files` of every case."""
    places = {"otter.py": f"data/{made.id}/otter.py"}
    made.carried[places["otter.py"]] = _STAND_IN.encode()
    for name, data in made.files.items():
        own = name.removeprefix("files/")
        is_machinery = _MACHINERY.fullmatch(name) or name == made.notebook or name.startswith(("tests/", "."))
        if is_machinery or own.endswith(".ipynb"):
            continue
        if len(places) > _MAX_COURSE_FILES:
            made.notes.append(f"Only {_MAX_COURSE_FILES} files are carried over; {one_line(name)} and others are not.")
            break
        try:
            check_name(own)
        except UsageError as error:
            made.notes.append(f"Left out: {one_line(str(error))}")
            continue
        places[own] = f"data/{made.id}/{own}"
        made.carried[places[own]] = data
    return {name: table({"file": text_or_word(path)}) for name, path in places.items()}


# ---------------------------------------------------------------- notes


def _notes(made: _Otter) -> Iterator[str]:
    if made.notebook not in made.files:
        yield f"There is no notebook: {made.notebook} is a guess at what students hand in; see files, program, tests."
    for key in _WITHOUT_MEANING:
        if made.config.get(key) not in (None, False, {}, []):
            yield f"{key} of otter_config.json is not carried over."
    stated = made.config.get("points_possible")
    most = sum((sum(question.worth, Fraction(0)) for question in made.questions), Fraction(0))
    if isinstance(stated, int | float) and stated != most:
        yield f"points_possible is {stated:g} there; the questions come to {float(most):g}, which is the maximum here."
    written = sum(
        "BEGIN QUESTION" in _source(cell)
        for cell in _cells(_notebook(made.files.get(made.notebook, b"{}")))
        if cell.get("cell_type") == "markdown"
    )
    if written:
        yield f"{count(written, 'question')} of the notebook may be written ones: points for them are given by hand."
    if any(b"success_message" in data for data in made.files.values()):
        yield "Messages for cases that pass are not shown here."
