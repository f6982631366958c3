"""Checks of check50 that no spec can say, run as they are: methods of a unit test that call them.

The file of the test is that of the checks. What it imports as `check50` is written anew, in `check50_stand_in.py`.
"""

import ast
import posixpath
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, table
from grader.imports import text_or_word
from grader.imports.check50_checks import ImportedCheck
from grader.imports.folder import Folder

_OURS = {"check50", "check50.c", "check50.py", "check50.flask", "check50.regex", "pexpect"}
_PACKAGES = {
    **{name: name for name in ("cs50", "flask", "matplotlib", "numpy", "pandas", "requests", "scipy", "sqlparse")},
    "bs4": "beautifulsoup4",
    "PIL": "pillow",
    "yaml": "pyyaml",
    "sklearn": "scikit-learn",
}
"""modules that checks import -> the packages that they are in"""
_LEAVES_FILES = re.compile(
    r"\b(?:compile|valgrind|run|include|append_code|write\w*|copy\w*|move|rename|remove|unlink|mkdir|makedirs|chdir)\("
)
_INCLUDE = re.compile(r"^(?:check50\.)?include$")
_BARE = re.compile(r"^@check\(", re.MULTILINE)
_NAMES = "check, hidden, exists, include, run, EOF, Failure, Mismatch, Missing"
_SECONDS = 60
"""of a check that states no time, as there"""


def unit_checks(checks: Sequence[ImportedCheck]) -> list[ImportedCheck]:
    """Return the checks that are run as they are: those that cannot be read, and those that need what these leave."""
    found: dict[str, ImportedCheck] = {}
    for check in checks:
        before = found.get(check.needs)
        if check.unread or (before and (not before.unread or _LEAVES_FILES.search(before.source))):
            found[check.name] = check
    return list(found.values())


def check_unit_problem(folder: Folder, name: str, students: Collection[str]) -> str:
    """Return why the checks of a file cannot be run as they are; empty where they can."""
    text = folder.text(name)
    if "import_checks" in text:
        return "the checks of another problem have a part in it"
    if re.search(r"\bcheck50\.internal\b|\bfrom check50 import internal\b", text):
        return "it uses check50.internal"
    unknown = sorted(_unknown_modules(text) - {one.removesuffix(".py") for one in students})
    if unknown:
        return f"it imports {unknown[0]}, which is not known here"
    files = {folder_of for one in folder.files for folder_of in (one, *map(str, PurePosixPath(one).parents))}
    missing = sorted(_included(text) - files)
    return f"it includes {missing[0]}, which the problem does not have" if missing else ""


def check_packages(folder: Folder, name: str) -> list[str]:
    """Return the packages that the checks of a file import."""
    text = folder.text(name)
    names = {one.partition(".")[0] for one in _imported(text)}
    found = [package for module, package in _PACKAGES.items() if module in names]
    return sorted({*found, *(("flask", "beautifulsoup4") if "check50.flask" in text else ())})


def check_unit_keys(check: ImportedCheck, found: str, folder: Folder, name: str) -> dict[str, Node]:
    """Return the keys of a check that is run as it is."""
    helpers = [f"tests/{found}/check50.py", *([f"tests/{found}/files"] if _files_beside(folder, name) else [])]
    unit: dict[str, Node] = {
        "unittest": text_or_word(_place(found, is_hidden=bool(check.hidden))),
        "only": listing([text_or_word(f"Checks.{_method(check.name)}")]),
        "with": listing(map(text_or_word, helpers)),
    }
    return {"limits": table({"time": plain(f"{check.seconds or _SECONDS:g} s")}), "unit": table(unit)}


def check_unit_files(checks: Sequence[ImportedCheck], found: str, folder: Folder, name: str) -> dict[str, bytes]:
    """Return the files of the unit test of a problem, below the course root."""
    stand_in = Path(__file__).with_name("check50_stand_in.py").read_bytes()
    beside = {f"tests/{found}/files/{one}": folder.content(one) for one in _files_beside(folder, name)}
    text = folder.text(name)
    secret = {one.name for one in checks if one.hidden} - {one.needs for one in checks}
    tests = {
        _place(found, is_hidden=False): _test_file(_without(text, secret), [one for one in checks if not one.hidden]),
        _place(found, is_hidden=True): _test_file(text, [one for one in checks if one.hidden]),
    }
    used = {_place(found, is_hidden=bool(one.hidden)) for one in checks}
    kept = {place: content for place, content in tests.items() if place in used}
    return {**kept, f"tests/{found}/check50.py": stand_in, **beside}


def _without(text: str, functions: Collection[str]) -> str:
    """Return the checks with these functions taken out; all others stay on their lines."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
    return "\n".join(lines)


def _test_file(text: str, checks: Sequence[ImportedCheck]) -> bytes:
    """Return the file of the checks with a method for each."""
    lines = [text.rstrip(), "", "", "import unittest", "", "from check50 import problem_of", ""]
    if _BARE.search(text):
        lines.insert(0, f"from check50 import {_NAMES}")
    lines += ["", "class Checks(unittest.TestCase):"]
    for check in checks:
        lines += [f"    def {_method(check.name)}(self):", f"        problem = problem_of({check.name})"]
        lines += ["        if problem:", "            self.fail(problem)", ""]
    return "\n".join(lines).encode()


def _method(name: str) -> str:
    return name if name.startswith("test") else f"test_{name}"


def _place(found: str, *, is_hidden: bool) -> str:
    return f"tests/{found}/test_{found.replace('-', '_')}{'_hidden' if is_hidden else ''}.py"


def _files_beside(folder: Folder, name: str) -> Mapping[str, bytes]:
    """Return the files of the problem that its checks may include."""
    own = {name, ".cs50.yml", ".cs50.yaml"}
    return {
        one: content
        for one, content in folder.files.items()
        if one not in own and not any(part.startswith(".") for part in one.split("/"))
    }


def _imported(text: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def _included(text: str) -> set[str]:
    """Return the files that the checks copy from the problem, where these are named."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    names = [
        word.value
        for call in calls
        if _INCLUDE.search(ast.unparse(call.func))
        for word in call.args
        if isinstance(word, ast.Constant)
    ]
    return {posixpath.normpath(str(name)) for name in names}


def _unknown_modules(text: str) -> set[str]:
    """Return the modules that are neither Python's nor known, nor part of check50."""
    every = {one for one in _imported(text) if one not in _OURS}
    tops = {one.partition(".")[0] if one.partition(".")[0] != "check50" else one for one in every}
    return {one for one in tops if one not in sys.stdlib_module_names and one not in _PACKAGES}
