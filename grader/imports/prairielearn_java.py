"""A question of PrairieLearn for its Java autograder -> a spec: its tests for JUnit as unit tests, as they are.

`points` come from `@Tag("points=2")` and `@AutograderInfo(points = 2)`, as there; each value of a method with
parameters counts as much.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePosixPath

from grader.core.errors import UsageError
from grader.core.text import listed, points
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, first_keys, text_or_word
from grader.imports.folder import Folder, safe_path
from grader.imports.java_projects import is_java_test
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.language import case_label

_JUNIT = "tests/junit/"
_POINTS = re.compile(r'@\s*Tag\s*\(\s*"points=(\d{1,6}(?:\.\d{1,6})?)"\s*\)')
_MAX_POINTS = re.compile(r'@\s*Tag\s*\(\s*"maxpoints=(\d{1,6}(?:\.\d{1,6})?)"\s*\)')
_INFO = re.compile(r"@\s*AutograderInfo\s*\(([^()]*(?:\"(?:[^\"\\]|\\.)*\"[^()]*)*)\)")
_INFO_POINTS = re.compile(r"\bpoints\s*=\s*(\d{1,6}(?:\.\d{1,6})?)")
_VALUES = re.compile(r"@\s*(?:ValueSource|CsvSource)\s*\((?:\s*\w+\s*=)?\s*\{(.*?)\}\s*\)", re.DOTALL)
_START = re.compile(r"""\bsource-file-name\s*=\s*["']([^"']{1,200})""")
_REPEATED = re.compile(r"@\s*RepeatedTest\s*\(\s*(?:value\s*=\s*)?(\d{1,4})")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_DECLARATION = """\
package org.prairielearn.autograder;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What the tests say of themselves. */
@Retention(RetentionPolicy.RUNTIME)
public @interface AutograderInfo {
    String name() default "";

    String description() default "";

    double points() default 0;
}
"""


def read_java_question(folder: Folder, found: str, title: str, student: Sequence[str]) -> Imported:
    """Convert a question for the Java autograder; UsageError where it has no tests for JUnit."""
    sources = {name: data for name, data in folder.files.items() if name.startswith(_JUNIT) and name.endswith(".java")}
    tests = [name for name in sources if is_java_test(name, sources)]
    if not tests:
        raise UsageError(f"{folder.path}: {_JUNIT} has no tests for JUnit, methods with @Test")
    files = {f"tests/{found}/{safe_path(name.removeprefix(_JUNIT))}": sources[name] for name in sources}
    helpers = [f"tests/{found}/{name.removeprefix(_JUNIT)}" for name in sources if name not in tests]
    if any(b"prairielearn.autograder" in data for data in sources.values()):
        helpers.append(f"tests/{found}/org/prairielearn/autograder/AutograderInfo.java")
        files[helpers[-1]] = _DECLARATION.encode()
    jars = [name for name in folder.files if name.startswith("tests/libs/") and name.endswith(".jar")]
    files |= {f"data/{found}/{safe_path(name)}": folder.content(name) for name in jars}
    beside: dict[str, Node] = {"with": listing(list(map(text_or_word, helpers)))} if helpers else {}
    if jars:
        beside["jars"] = listing([text_or_word(f"data/{found}/{name}") for name in jars])
    solution = _solution(folder, student)
    files |= {f"reference/{found}/{name}": data for name, data in solution.items()}
    notes: list[str] = []
    written = [
        _test(name, sources[name].decode("utf-8", "replace"), f"tests/{found}", beside, notes, share=bool(solution))
        for name in tests
    ]
    keys = first_keys(found, "java", title=title, required=student)
    compiled = f"javac -d . {shlex.join(student)}"
    keys["build"] = table({"run": listing([text_or_word(compiled)]), "produces": listing([quoted("*.class")])})
    keys["program"] = listing([plain("java"), text_or_word(PurePosixPath(student[0]).stem)])
    if solution:
        keys["reference"] = table({"files": text_or_word(f"reference/{found}")})
    return Imported(
        id=found,
        spec={**keys, "tests": listing(written)},
        files=files,
        origin=f"the question {folder.path.name} of PrairieLearn",
        notes=[*notes, *_notes(folder, sources, has_solution=bool(solution))],
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


def _test(name: str, text: str, place: str, beside: Mapping[str, Node], notes: list[str], *, share: bool) -> Node:
    """Return the test of a file, with what its methods count."""
    code, uncommented = masked_java(text), masked_java(text, texts=False)
    head = uncommented[: code.find("class ")]
    usual = _POINTS.search(head)
    weights: dict[str, Fraction] = {}
    unknown: list[str] = []
    has_values = False
    for method in find_java_methods(text):
        if method.idle or method.place < 0:
            continue
        heading = uncommented[method.start : method.place]
        count = _count_values(heading)
        label = case_label(method.name, name)
        has_values |= count != 1
        if not count:
            unknown.append(label)
        weights[label] = _points_of(heading, Fraction(usual[1]) if usual else Fraction(1)) * (count or 1)
    limit = _MAX_POINTS.search(head)
    total, most = sum(weights.values()), Fraction(limit[1]) if limit else None
    if unknown and most is None:
        shown = listed(unknown, most=5)
        notes.append(f"{PurePosixPath(name).name}: how many values {shown} has is not known; set `weights`.")
    if most is not None and total != most:
        notes.append(
            f"{PurePosixPath(name).name}: maxpoints is {points(most)}, and its methods have {points(total)} together."
        )
    unit: dict[str, Node] = {"junit": text_or_word(f"{place}/{name.removeprefix(_JUNIT)}"), **beside}
    if len(set(weights.values())) > 1:
        unit["weights"] = table({label: plain(points(weight)) for label, weight in weights.items()})
    if has_values and share:
        unit["values"] = plain("share")
    worth = most if most is not None and (unknown or total > most) else total
    title = PurePosixPath(name).stem
    return table({"name": text_or_word(title), "points": plain(points(worth)), "unit": table(unit)})


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
    values = [one for one in _TEXT.sub("x", found[1]).split(",") if one.strip()] if found else []
    return len(values)


def _notes(folder: Folder, sources: Mapping[str, bytes], *, has_solution: bool) -> Iterator[str]:
    others = [name for name in folder.below("tests") if f"tests/{name}" not in sources and not name.startswith("libs/")]
    if others:
        yield f"Left out, of tests/: {listed(others, most=5)}; what a test reads belongs under `with` of its `unit`."
    if "server.py" in folder.files:
        yield "Left out: server.py: parameters of a question that are drawn have no counterpart."
    yield "Libraries of the course in serverFilesCourse/java/libs are not there: name them under `jars`."
    if not has_solution:
        yield "Reference: put a solution below reference/ and name it; `values: share` then gives parts of a method."
    yield "The text in question.html is left out: write what students need under `about`."
