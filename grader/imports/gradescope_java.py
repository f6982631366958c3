"""An autograder for Gradescope in Java (JUnit with the annotation `@GradedTest` of jh61b) -> a draft.

Each method with `@GradedTest` is a test of its own there, with a title, points and a visibility; so it is here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from grader.core.errors import UsageError
from grader.core.text import joined, one_line
from grader.imports.draft import CourseFile, Data, Draft
from grader.imports.gradescope_parts import Autograder, GradedMethod
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.junit_jars import archive_entries
from grader.kinds.unit_tests.language import case_label

_ANNOTATION = re.compile(r"@\s*(?:\w+\s*\.\s*)*GradedTest\b")
_STATED = re.compile(
    r'\b(name|number|visibility)\s*=\s*"((?:[^"\\]|\\.)*)"|\b(max_score)\s*=\s*(\d{1,6}(?:\.\d{1,6})?)'
)
_IMPORT = re.compile(r"(?:^|;)\s*import\s+(?:static\s+)?([\w.]+)\s*;", re.MULTILINE)
_PACKAGE = re.compile(r"(?:^|;)\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_RUNNER = re.compile(r"\bGradedTestListener\w*|@\s*(?:Suite\s*\.\s*)?SuiteClasses\b")
_SUBMITTED = re.compile(r"(?:/autograder/)?submission/([\w+-][\w.+/-]*\.java)\b")
_OWN_JARS = re.compile(r"(?:junit|hamcrest|apiguardian|opentest4j)[\w.-]*\.jar", re.IGNORECASE)
_OF_TESTS = re.compile(r"\b(?:org\.junit|junit\.|org\.hamcrest|jh61b)")
_SOLVED = re.compile(r"(?:.*/)?(?:Ref|Solution|Staff|Correct)[A-Z\w]*\.java$")
_MACHINERY = (".java", ".jar", ".class", ".sh", ".xml", ".md", ".gradle", ".zip")
_DECLARATION = Path(__file__).with_name("GradedTest.java")


def read_java_autograder(made: Autograder, path: Path) -> Draft:
    """Read an autograder in Java. Raises UsageError where it has no tests."""
    sources = {name: data.decode("utf-8", "replace") for name, data in made.files.items() if name.endswith(".java")}
    code = {name: masked_java(text) for name, text in sources.items()}
    methods = [method for file in _test_files(sources, code, made) for method in _methods_of(file, sources[file], made)]
    if not methods:
        raise UsageError(f"{path} has no tests for JUnit, methods with @Test; nothing else can be carried over")
    tests = list(dict.fromkeys(method.file for method in methods))
    handed_in = _handed_in(tests, sources, made)
    names = {PurePosixPath(name).name for name in handed_in}
    own = {
        name: text
        for name, text in code.items()
        if not made.is_of_solution(name) and PurePosixPath(name).name not in names
    }
    needed = _needed({name: text for name, text in own.items() if not _RUNNER.search(text)}, tests, tests)
    helpers = [made.file(name, "tests") for name in needed if name not in tests]
    jars = [
        one for one in sorted(made.files) if one.endswith(".jar") and not _OWN_JARS.fullmatch(PurePosixPath(one).name)
    ]
    helpers += _declaration(made, code, jars, needed)
    units: dict[str, dict[str, Data]] = {
        file: {
            "junit": made.file(file, "tests"),
            "with": helpers or None,
            "jars": [made.file(one) for one in jars] or None,
        }
        for file in tests
    }
    text = "".join(sources[name] for name in needed)
    read = [one for one in made.files if PurePosixPath(one).suffix and not one.endswith(_MACHINERY)]
    read = [one for one in read if PurePosixPath(one).name in text and PurePosixPath(one).name not in names]
    folder = PurePosixPath(handed_in[0]).parent
    given = _given(own, code, tests, names)
    if given:
        made.lose("compiled-with", joined(given, "and"))
    stem = PurePosixPath(handed_in[0]).stem
    imported = (one for text in code.values() for one in _IMPORT.findall(text))
    program = next((one for one in imported if one.rpartition(".")[2] == stem), stem)
    made.lose("java-program", program)
    solution = _solution(handed_in, [name for name in sources if name not in tests], made)
    made.lose_scripts(())
    with_files = {str(folder / PurePosixPath(one).name): {"file": made.file(one)} for one in given}
    lines = [["sh", "-c", f"javac -d . {folder / '*.java'}"]]
    return Draft(
        id=made.id,
        format="gradescope",
        origin="an autograder of Gradescope",
        language="java",
        required=handed_in,
        program=["java", program],
        keys={
            "build": {"run": lines, "produces": ["*.class"], "with": with_files or None},
            "reference": {"files": f"reference/{made.id}"} if solution else None,
            "defaults": {"files": {name: {"file": made.file(name)} for name in read}} if read else None,
        },
        tests=list(made.tests(methods, units)),
        files={f"reference/{made.id}/{name}": content for name, content in solution.items()},
        losses=made.losses,
    )


# ---------------------------------------------------------------- the methods


def _test_files(sources: Mapping[str, str], code: Mapping[str, str], made: Autograder) -> list[str]:
    """Return the files with tests: those with `@GradedTest`, of these what a suite names; without it, all tests."""
    found = [name for name, text in sources.items() if find_java_methods(text) and not made.is_of_solution(name)]
    chosen = [name for name in found if _ANNOTATION.search(code[name])] or found
    runners = "".join(text for text in code.values() if _RUNNER.search(text))
    suites = set(re.findall(r"\b(\w+)\s*\.\s*class\b", runners))
    run = [name for name in chosen if PurePosixPath(name).stem in suites]
    for name in chosen if run else ():
        if name not in run:
            made.lose("no-suite", where=name)
    return run or chosen


def _methods_of(file: str, text: str, made: Autograder) -> Iterator[GradedMethod]:
    uncommented = masked_java(text, texts=False)
    is_graded = bool(_ANNOTATION.search(masked_java(text)))
    for method in find_java_methods(text):
        heading = uncommented[method.start : method.place] if method.place >= 0 else ""
        marked = _ANNOTATION.search(heading)
        if method.idle or (is_graded and not marked):
            made.lose(
                "idle", method.idle or "has no @GradedTest, and no points there", where=f"{method.name} of {file}"
            )
            continue
        stated = {
            one[1] or one[3]: one[2] or one[4] for one in _STATED.finditer(heading, marked.end() if marked else 0)
        }
        said: dict[str, object] = {key: stated[key] for key in ("number", "visibility") if stated.get(key)}
        if marked:
            said["weight"] = float(stated.get("max_score") or 1)
        title = one_line(re.sub(r"\\(.)", r"\1", stated.get("name") or ""))
        yield GradedMethod(
            file=file,
            label=case_label(method.name, file),
            name=method.name,
            title=title or method.name.rpartition(".")[2],
            said=said,
        )


# ---------------------------------------------------------------- the files


def _handed_in(tests: Sequence[str], sources: Mapping[str, str], made: Autograder) -> list[str]:
    """Return what students hand in: what a script copies, else the solution, else what tests are named for."""
    scripts = [name for name in made.files if name.endswith((".sh", ".py", "run_autograder"))]
    text = "".join(made.files[name].decode("utf-8", "replace") for name in scripts)
    copied = [name for name in _SUBMITTED.findall(text) if ".." not in name.split("/")]
    if not copied:
        copied = [PurePosixPath(name).name for name in sources if made.is_of_solution(name)]
        copied = copied or [f"{re.sub(r'^Test|Tests?$', '', PurePosixPath(name).stem)}.java" for name in tests]
        made.lose("java-guess", joined(copied, "and"))
    return list(dict.fromkeys(copied))


def _needed(code: Mapping[str, str], first: Sequence[str], excluded: Sequence[str]) -> list[str]:
    """Return sources with all others whose classes they name."""
    found, pending = list(first), list(first)
    while pending:
        words = set(re.findall(r"\b[A-Z]\w*", code.get(pending.pop(), "")))
        more = [one for one in code if one not in (*found, *excluded) and PurePosixPath(one).stem in words]
        found += more
        pending += more
    return found


def _declaration(
    made: Autograder, code: Mapping[str, str], jars: Sequence[str], needed: Sequence[str]
) -> list[CourseFile]:
    """Return the annotation, where the tests have it and no archive or file of the course."""
    used = [text for text in code.values() if _ANNOTATION.search(text)]
    is_there = any(one.endswith("/GradedTest.class") for jar in jars for one in archive_entries(made.files[jar]))
    if not used or is_there or any(PurePosixPath(name).stem == "GradedTest" for name in needed):
        return []
    full = next((one for one in _IMPORT.findall(used[0]) if one.endswith(".GradedTest")), "")
    package = full.rpartition(".")[0]
    content = (f"package {package};\n\n" if package else "").encode() + _DECLARATION.read_bytes()
    return [CourseFile(name="GradedTest.java", content=content, folder="tests")]


def _given(own: Mapping[str, str], code: Mapping[str, str], tests: Sequence[str], names: set[str]) -> list[str]:
    """Return the course's sources that what is handed in may need: what a solution names, else all of its package."""
    others = {name: text for name, text in own.items() if name not in tests and not _OF_TESTS.search(text)}
    solved = {name: text for name, text in code.items() if PurePosixPath(name).name in names}
    first: list[str] = []
    if not solved:
        imported = {one for name in tests for one in _IMPORT.findall(code[name])}
        packages = {one.rpartition(".")[0] for one in imported if f"{one.rpartition('.')[2]}.java" in names}
        first = [
            name
            for name, text in others.items()
            if (found := _PACKAGE.search(text)) and found[1] in packages and not _SOLVED.match(name)
        ]
    return [name for name in _needed({**solved, **others}, first or list(solved), ()) if name in others]


def _solution(handed_in: Sequence[str], sources: Sequence[str], made: Autograder) -> dict[str, bytes]:
    """Return the files of a solution that lies in the autograder; nothing unless all that are handed in are there."""
    found: dict[str, str] = {}
    for name in handed_in:
        same = [one for one in sources if PurePosixPath(one).name == PurePosixPath(name).name]
        found |= {name: min(same, key=lambda one: not made.is_of_solution(one))} if same else {}
    if len(found) < len(handed_in):
        made.lose("no-java-solution")
        return {}
    made.lose("java-solution", joined(list(found.values()), "and"))
    return {name: made.files[one] for name, one in found.items()}
