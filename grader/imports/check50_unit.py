"""Checks of check50 that no spec can say, run as they are: methods of a unit test that call them.

The file of the test is that of the checks. What it imports as `check50` is written anew, in `check50_stand_in.py`.
"""

import ast
import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from grader.imports.check50_checks import ImportedCheck
from grader.imports.draft import Data
from grader.imports.folder import Folder
from grader.imports.python_source import imported_names, required_packages

_BARE = re.compile(r"^@check\(", re.MULTILINE)
_LEFT_OUT = re.compile(r"(?:^|/)\.|[^A-Za-z0-9_.+/-]")
_HEAD = "from check50 import check, hidden, exists, include, import_checks, run, EOF, Failure, Mismatch, Missing\n"
_CLASS = "\n\n\nimport unittest\n\nfrom check50 import problem_of\n\n\nclass Checks(unittest.TestCase):\n"
_METHOD = """\
    def test_{check}(self):
        problem = problem_of({check})
        if problem:
            self.fail(problem)

"""
_NOT_HERE = ("check50.internal", "check50.flask", "append_code")
_SECONDS = 60
"""of a check that states no time, as there"""


@dataclass(frozen=True, kw_only=True)
class CheckUnit:
    """The unit test of a problem."""

    id: str
    folder: Folder
    file: str
    """that has the checks"""
    text: str
    others: Mapping[str, str]
    """texts of other problems of which it takes checks, by their names"""
    checks: Sequence[ImportedCheck]
    """all of the problem"""

    @cached_property
    def problem(self) -> str:
        """Return why the checks cannot be run as they are; empty where they can."""
        imported = {name for text in self._texts for name in imported_names(text)}
        used = [one for one in _NOT_HERE if one in imported or any(one in text for text in self._texts)]
        if used:
            return f"it uses {used[0]}"
        unknown = [one for one in sorted(imported) if one.startswith("check50_") or f"{one}.py" in self.folder.files]
        if unknown:
            return f"it imports {unknown[0]}, which is not known here"
        files = {place for one in self._beside() for place in (one, *map(str, PurePosixPath(one).parents))}
        missing = sorted({one for text in self._texts for one in _included(text)} - files)
        return f"it includes {missing[0]}, which the problem does not have" if missing else ""

    @property
    def as_they_are(self) -> Sequence[ImportedCheck]:
        """The checks that are run as they are."""
        return [] if self.problem else [check for check in self.checks if check.unread]

    def packages(self, required: Sequence[str]) -> list[str]:
        """Return the packages that the checks import which are run as they are; `required` are students' files."""
        if not self.as_they_are:
            return []
        own = {one.removesuffix(".py") for one in required} | self.others.keys()
        return required_packages(self._texts, {*own, "check50", "pexpect"})

    def keys(self, check: ImportedCheck) -> dict[str, Data]:
        """Return the keys of a check that is run as it is."""
        folders = [name for name, files in (("files", self._beside()), ("others", self.others)) if files]
        unit = {
            "unittest": self._place(is_hidden=bool(check.hidden)),
            "only": [f"Checks.test_{check.name}"],
            "with": [f"tests/{self.id}/{one}" for one in ("check50.py", *folders)],
        }
        return {"limits": {"time": f"{check.seconds or _SECONDS:g} s"}, "unit": unit}

    def files(self) -> dict[str, bytes]:
        """Return the files of the test, below the course root; hidden checks have one of their own."""
        if not (checks := self.as_they_are):
            return {}
        secret = {one.name for one in checks if one.hidden} - {one.needs for one in checks}
        files = {"check50.py": Path(__file__).with_name("check50_stand_in.py").read_bytes()}
        files |= {f"files/{one}": content for one, content in self._beside().items()}
        files |= {f"others/{one}.py": other.encode() for one, other in self.others.items()}
        placed = {f"tests/{self.id}/{one}": content for one, content in files.items()}
        for is_hidden, text in ((False, _without(self.text, secret)), (True, self.text)):
            names = [one.name for one in checks if bool(one.hidden) == is_hidden]
            methods = "".join(_METHOD.format(check=name) for name in names)
            head = _HEAD if _BARE.search(text) else ""
            placed |= {self._place(is_hidden=is_hidden): f"{head}{text}{_CLASS}{methods}".encode()} if names else {}
        return placed

    def _place(self, *, is_hidden: bool) -> str:
        return f"tests/{self.id}/test_{self.id.replace('-', '_')}{'_hidden' if is_hidden else ''}.py"

    @property
    def _texts(self) -> Sequence[str]:
        return [self.text, *self.others.values()]

    def _beside(self) -> Mapping[str, bytes]:
        """Return the files of the problem that its checks may include."""
        files = self.folder.files
        return {one: files[one] for one in files if one != self.file and not _LEFT_OUT.search(one)}


def _without(text: str, functions: Collection[str]) -> str:
    """Return the checks with these functions taken out; all others stay on their lines."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
    return "\n".join(lines)


def _included(text: str) -> set[str]:
    """Return the files that the checks copy from the problem, where these are named."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    named = [one for call in calls if ast.unparse(call.func) in ("include", "check50.include") for one in call.args]
    return {posixpath.normpath(str(one.value)) for one in named if isinstance(one, ast.Constant)}
