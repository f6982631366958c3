"""An autograder for Gradescope in Java (JUnit with the annotation `@GradedTest` of jh61b) -> a draft.

Each method with `@GradedTest` is a test of its own there, with a title, points and a visibility; so it is here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from grader.core.errors import UsageError
from grader.core.text import joined, one_line
from grader.imports.draft import CourseFile, Data, Draft, Loss, losses_where
from grader.imports.gradescope import Autograder, GradedMethod
from grader.kinds.unit_tests.java_text import find_java_methods, graded_weights, masked_java
from grader.kinds.unit_tests.junit_jars import archive_entries

_ANNOTATION = re.compile(r"@\s*(?:\w+\s*\.\s*)*GradedTest\b")
_STATED = re.compile(r'\b(name|number|visibility)\s*=\s*"((?:[^"\\]|\\.)+)"')
_IMPORT = re.compile(r"(?:^|;)\s*import\s+(?:static\s+)?([\w.]+)\s*;", re.MULTILINE)
_PACKAGE = re.compile(r"(?:^|;)\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_RUNNER = re.compile(r"\bGradedTestListener\w*|@\s*(?:Suite\s*\.\s*)?SuiteClasses\b")
_SUBMITTED = re.compile(r"(?:/autograder/)?submission/([\w+-][\w.+/-]*\.java)\b")
_OWN_JARS = re.compile(r"(?:junit|hamcrest|apiguardian|opentest4j)[\w.-]*\.jar", re.IGNORECASE)
_OF_TESTS = re.compile(r"\b(?:org\.junit|junit\.|org\.hamcrest|jh61b)")
_SOLVED = re.compile(r"(?:.*/)?(?:Ref|Solution|Staff|Correct)[A-Z\w]*\.java$")
_MACHINERY = (".java", ".jar", ".class", ".sh", ".xml", ".md", ".gradle", ".zip")
_DECLARATION = Path(__file__).with_name("GradedTest.java")


def _base(name: str) -> str:
    return name.rpartition("/")[2]


def read_java_autograder(made: Autograder, path: Path) -> Draft:
    """Read an autograder in Java. Raises UsageError where it has no tests."""
    sources = {name: data.decode("utf-8", "replace") for name, data in made.files.items() if name.endswith(".java")}
    code = {name: masked_java(text) for name, text in sources.items()}
    methods = [method for file in _test_files(sources, code, made) for method in _methods_of(file, sources[file], made)]
    if not methods:
        raise UsageError(f"{path} has no tests for JUnit, methods with @Test; nothing else can be carried over")
    tests = list(dict.fromkeys(method.file for method in methods))
    handed_in = _handed_in(tests, sources, made)
    names = set(map(_base, handed_in))
    ours = {one: text for one, text in code.items() if not made.is_of_solution(one) and _base(one) not in names}
    needed = _needed({one: text for one, text in ours.items() if one in tests or not _RUNNER.search(text)}, tests)
    beside = _beside(made, code, needed, tests)
    others = {one: _base(one) for one in made.files if "." in _base(one) and not one.endswith(_MACHINERY)}
    read = [one for one, own in others.items() if own not in names and any(own in sources[test] for test in needed)]
    given = _given(ours, code, tests, names)
    stem, folder = PurePosixPath(handed_in[0]).stem, PurePosixPath(handed_in[0]).parent
    imported = (one for text in code.values() for one in _IMPORT.findall(text))
    program = next((one for one in imported if one.rpartition(".")[2] == stem), stem)
    line = ["sh", "-c", f"javac -d . {folder / '*.java'}"]
    built = {str(folder / _base(one)): made.file(one) for one in given}
    solution = _solution(handed_in, [one for one in sources if one not in tests], made)
    told = {"compiled-with": joined(given, "and"), "java-program": program, "no-java-solution": not solution}
    made.losses += losses_where({**told, "java-solution": joined([*solution.values()], "and")})
    made.lose_scripts(())
    return made.draft(
        language="java",
        required=handed_in,
        program=["java", program],
        keys={
            "build": {"run": [line], "produces": ["*.class"], "with": built or None},
            "reference": {"files": f"reference/{made.id}"} if solution else None,
            "defaults": {"files": {name: made.file(name) for name in read}} if read else None,
        },
        tests=list(made.tests(methods, {one: {"junit": made.file(one, "tests"), **beside} for one in tests})),
        files={f"reference/{made.id}/{name}": made.files[one] for name, one in solution.items()},
    )


# ---------------------------------------------------------------- the methods


def _test_files(sources: Mapping[str, str], code: Mapping[str, str], made: Autograder) -> list[str]:
    """Return the files with tests: those with `@GradedTest`, of these what a suite names; without it, all tests."""
    found = [name for name, text in sources.items() if find_java_methods(text) and not made.is_of_solution(name)]
    chosen = [name for name in found if _ANNOTATION.search(code[name])] or found
    runners = "".join(text for text in code.values() if _RUNNER.search(text))
    suites = set(re.findall(r"\b(\w+)\s*\.\s*class\b", runners))
    run = [name for name in chosen if PurePosixPath(name).stem in suites]
    made.losses += [Loss(rule="no-suite", where=name) for name in chosen if run and name not in run]
    return run or chosen


def _methods_of(file: str, text: str, made: Autograder) -> Iterator[GradedMethod]:
    uncommented, weights = masked_java(text, texts=False), graded_weights(text)
    is_graded = bool(_ANNOTATION.search(masked_java(text)))
    for method in find_java_methods(text):
        heading = uncommented[method.start : method.place] if method.place >= 0 else ""
        marked = _ANNOTATION.search(heading)
        if method.idle or (is_graded and not marked):
            why = method.idle or "has no @GradedTest, and no points there"
            made.losses.append(Loss(rule="idle", detail=why, where=f"{method.name} of {file}"))
            continue
        said: dict[str, object] = dict(_STATED.findall(heading, marked.end() if marked else 0))
        said |= {"weight": float(weights.get(method.name, 1))} if marked else {}
        title = one_line(re.sub(r"\\(.)", r"\1", str(said.pop("name", ""))))
        yield GradedMethod(file, method.name, title or method.name.rpartition(".")[2], said)


# ---------------------------------------------------------------- the files


def _handed_in(tests: Sequence[str], sources: Mapping[str, str], made: Autograder) -> list[str]:
    """Return what students hand in: what a script copies, else the solution, else what tests are named for."""
    scripts = [name for name in made.files if name.endswith((".sh", ".py", "run_autograder"))]
    text = "".join(made.files[name].decode("utf-8", "replace") for name in scripts)
    copied = [name for name in _SUBMITTED.findall(text) if ".." not in name.split("/")]
    if not copied:
        copied = [_base(name) for name in sources if made.is_of_solution(name)]
        copied = copied or [f"{re.sub(r'^Test|Tests?$', '', PurePosixPath(name).stem)}.java" for name in tests]
        made.losses.append(Loss(rule="java-guess", detail=joined(copied, "and")))
    return list(dict.fromkeys(copied))


def _needed(code: Mapping[str, str], first: Sequence[str]) -> list[str]:
    """Return sources with all others whose classes they name."""
    found, pending = list(first), list(first)
    while pending:
        words = set(re.findall(r"\b[A-Z]\w*", code.get(pending.pop(), "")))
        more = [one for one in code if one not in found and PurePosixPath(one).stem in words]
        found += more
        pending += more
    return found


def _beside(made: Autograder, code: Mapping[str, str], needed: Sequence[str], tests: Sequence[str]) -> dict[str, Data]:
    """Return what tests need beside them: sources, archives, and the annotation where none of these has it."""
    jars = [one for one in sorted(made.files) if one.endswith(".jar") and not _OWN_JARS.fullmatch(_base(one))]
    helpers = [made.file(one, "tests") for one in needed if one not in tests]
    used = [text for text in code.values() if _ANNOTATION.search(text)]
    is_there = any(one.endswith("/GradedTest.class") for jar in jars for one in archive_entries(made.files[jar]))
    if used and not is_there and "GradedTest.java" not in map(_base, needed):
        full = next((one for one in _IMPORT.findall(used[0]) if one.endswith(".GradedTest")), "")
        head = f"package {full.rpartition('.')[0]};\n\n" if full else ""
        content = head.encode() + _DECLARATION.read_bytes()
        helpers.append(CourseFile(name="GradedTest.java", content=content, folder="tests"))
    return {"with": helpers or None, "jars": [made.file(one) for one in jars] or None}


def _given(own: Mapping[str, str], code: Mapping[str, str], tests: Sequence[str], names: set[str]) -> list[str]:
    """Return the course's sources that what is handed in may need: what a solution names, else all of its package."""
    others = {name: text for name, text in own.items() if name not in tests and not _OF_TESTS.search(text)}
    solved = {name: text for name, text in code.items() if _base(name) in names}
    imported = [one.rpartition(".") for name in tests for one in _IMPORT.findall(code[name])]
    packages = {package for package, _, name in imported if f"{name}.java" in names}
    same = [one for one, text in others.items() if packages & {*_PACKAGE.findall(text)} and not _SOLVED.match(one)]
    return [name for name in _needed({**solved, **others}, list(solved) or same) if name in others]


def _solution(handed_in: Sequence[str], sources: Sequence[str], made: Autograder) -> Mapping[str, str]:
    """Return where the files of a solution lie, in its folder before others; nothing unless all of them are there."""
    found = {_base(one): one for one in sorted(sources, key=made.is_of_solution)}
    return {name: found[_base(name)] for name in handed_in} if found.keys() >= set(map(_base, handed_in)) else {}
