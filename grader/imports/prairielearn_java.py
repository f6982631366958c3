"""A question of PrairieLearn for its Java autograder -> a spec: its tests for JUnit as unit tests, as they are.

`points` come from `@Tag("points=2")` and `@AutograderInfo(points = 2)`, as there; each value of a method with
parameters counts as much.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePosixPath

from grader.core.errors import UsageError
from grader.core.text import listed, points
from grader.imports.draft import CourseFile, Data, Draft, DraftTest, Loss
from grader.imports.folder import Folder, safe_path
from grader.imports.java_projects import is_java_test
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.model import case_label

_JUNIT = "tests/junit/"
_POINTS = re.compile(r'@\s*Tag\s*\(\s*"points=(\d{1,6}(?:\.\d{1,6})?)"\s*\)')
_MAX_POINTS = re.compile(r'@\s*Tag\s*\(\s*"maxpoints=(\d{1,6}(?:\.\d{1,6})?)"\s*\)')
_INFO = re.compile(r"@\s*AutograderInfo\s*\(([^()]*(?:\"(?:[^\"\\]|\\.)*\"[^()]*)*)\)")
_INFO_POINTS = re.compile(r"\bpoints\s*=\s*(\d{1,6}(?:\.\d{1,6})?)")
_VALUES = re.compile(r"@\s*(?:ValueSource|CsvSource)\s*\((?:\s*\w+\s*=)?\s*\{(.*?)\}\s*\)", re.DOTALL)
_START = re.compile(r"""\bsource-file-name\s*=\s*["']([^"']{1,200})""")
_REPEATED = re.compile(r"@\s*RepeatedTest\s*\(\s*(?:value\s*=\s*)?(\d{1,4})")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_DECLARATION = Path(__file__).with_name("AutograderInfo.java")


def read_java_question(folder: Folder, found: str, title: str, student: Sequence[str]) -> Draft:
    """Read a question for the Java autograder; UsageError where it has no tests for JUnit."""
    sources = {name: data for name, data in folder.below(_JUNIT).items() if name.endswith(".java")}
    tests = [name for name in sources if is_java_test(name, sources)]
    if not tests:
        raise UsageError(f"{folder.path}: {_JUNIT} has no tests for JUnit, methods with @Test")
    placed = {name: CourseFile(name=name, content=data, folder="tests") for name, data in sources.items()}
    helpers = [placed[name] for name in sources if name not in tests]
    if any(b"prairielearn.autograder" in data for data in sources.values()):
        name = "org/prairielearn/autograder/AutograderInfo.java"
        helpers.append(CourseFile(name=name, content=_DECLARATION.read_bytes(), folder="tests"))
    jars = [CourseFile(name=f"tests/libs/{name}", content=data) for name, data in folder.below("tests/libs").items()]
    unit: dict[str, Data] = {
        "with": helpers or None,
        "jars": [one for one in jars if one.name.endswith(".jar")] or None,
    }
    solution = _solution(folder, student)
    known = {"libs", *(f"junit/{name}" for name in sources)}
    others = [name for name in folder.below("tests") if not {name, name.partition("/")[0]} & known]
    told = {"other-files": others, "drawn": "server.py" in folder.files, "libraries": True}
    told |= {"no-java-solution": not solution, "text": True}
    losses = [Loss(rule=rule, detail=listed(others, most=5)) for rule, holds in told.items() if holds]
    written = [_test(placed[name], unit, losses, share=bool(solution)) for name in tests]
    return Draft(
        id=found,
        format="prairielearn",
        origin=f"the question {folder.path.name} of PrairieLearn",
        language="java",
        title=title,
        required=student,
        program=["java", PurePosixPath(student[0]).stem],
        keys={
            "build": {"run": [f"javac -d . {shlex.join(student)}"], "produces": ["*.class"]},
            "reference": {"files": f"reference/{found}"} if solution else None,
        },
        tests=written,
        files={f"reference/{found}/{name}": data for name, data in solution.items()},
        losses=losses,
    )


def _solution(folder: Folder, student: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a solution that lies in the question; nothing unless all that are handed in are there."""
    text = folder.text("question.html") if "question.html" in folder.files else ""
    start = {safe_path(name.strip()) for name in _START.findall(text)}
    found = {
        wanted: data
        for wanted in student
        for name, data in folder.files.items()
        if PurePosixPath(name).name == PurePosixPath(wanted).name and name not in start and not name.startswith(_JUNIT)
    }
    return found if len(found) == len(student) else {}


def _test(file: CourseFile, unit: Mapping[str, Data], losses: list[Loss], *, share: bool) -> DraftTest:
    """Return the test of a file, with what its methods count."""
    text = bytes(file.content).decode("utf-8", "replace") if isinstance(file.content, bytes) else ""
    code, uncommented = masked_java(text), masked_java(text, texts=False)
    head = uncommented[: code.find("class ")]
    usual, limit = _POINTS.search(head), _MAX_POINTS.search(head)
    weights: dict[str, Fraction] = {}
    counts: dict[str, int] = {}
    for method in find_java_methods(text):
        if not method.idle and method.place >= 0:
            heading = uncommented[method.start : method.place]
            label = case_label(method.name, file.name)
            counts[label] = _count_values(heading)
            worth = _points_of(heading, Fraction(usual[1]) if usual else Fraction(1))
            weights[label] = worth * (counts[label] or 1)
    unknown = [label for label, count in counts.items() if not count]
    total, most = sum(weights.values()), Fraction(limit[1]) if limit else None
    name = PurePosixPath(file.name)
    if unknown and most is None:
        losses.append(Loss(rule="unknown-values", where=name.name, detail=listed(unknown, most=5)))
    if most is not None and total != most:
        losses.append(Loss(rule="maxpoints", where=name.name, detail=f"{points(most)} and {points(total)}"))
    keys = {
        "junit": file,
        **unit,
        "weights": weights if len(set(weights.values())) > 1 else None,
        "values": "share" if share and any(count != 1 for count in counts.values()) else None,
    }
    worth = most if most is not None and (unknown or total > most) else Fraction(total)
    return DraftTest(name=name.stem, points=worth, keys={"unit": keys})


def _points_of(heading: str, usual: Fraction) -> Fraction:
    """Return the points of a method for each of its values; the annotation of the autograder comes first, as there."""
    info = _INFO.search(heading)
    stated = _INFO_POINTS.search(_TEXT.sub('""', info[1])) if info else None
    if stated and float(stated[1]) > 0:
        return Fraction(stated[1])
    tag = _POINTS.search(heading)
    return Fraction(tag[1]) if tag else usual


def _count_values(heading: str) -> int:
    """Return how often a method is run; 0 where that is not known without running it."""
    if repeated := _REPEATED.search(heading):
        return int(repeated[1])
    if "ParameterizedTest" not in heading and "TestFactory" not in heading:
        return 1
    found = _VALUES.search(heading)
    return sum(bool(one.strip()) for one in _TEXT.sub("x", found[1]).split(",")) if found else 0
