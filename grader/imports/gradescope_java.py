"""An autograder for Gradescope in Java (JUnit with the annotation `@GradedTest` of jh61b) -> a spec.

Each method with `@GradedTest` is a test of its own there, with a title, points and a visibility; so it is here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.core.errors import UsageError
from grader.core.text import joined, one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, first_keys, text_or_word
from grader.imports.gradescope_parts import (
    SOLUTION_FOLDERS,
    SUBMITTED_FILE,
    VISIBILITIES,
    Autograder,
    GradedMethod,
    notes_on_methods,
    notes_on_scripts,
    points_of,
    titled_methods,
)
from grader.kinds.unit_tests.java_text import find_java_classes, find_java_methods, masked_java
from grader.kinds.unit_tests.junit_jars import archive_entries
from grader.kinds.unit_tests.language import case_label

_ANNOTATION = re.compile(r"@\s*(?:\w+\s*\.\s*)*GradedTest\b")
_STATED = re.compile(
    r'\b(name|number|visibility)\s*=\s*"((?:[^"\\]|\\.)*)"|\b(max_score)\s*=\s*(\d{1,6}(?:\.\d{1,6})?)'
)
_IMPORT = re.compile(r"(?:^|;)\s*import\s+(?:static\s+)?([\w.]+)\s*;", re.MULTILINE)
_RUNNER = re.compile(r"\bGradedTestListener\w*|@\s*(?:Suite\s*\.\s*)?SuiteClasses\b")
_OWN_JARS = re.compile(r"(?:junit|hamcrest|apiguardian|opentest4j)[\w.-]*\.jar", re.IGNORECASE)
_USED_CLASS = re.compile(
    r"\bnew\s+([A-Z]\w*)|(?<![\w.])([A-Z]\w*)\s*\.\s*\w+\s*\("
    r"|(?<![\w.])([A-Z]\w*)(?:\s*<[^<>;]*>)?\s+\w+\s*[=;]"
)
_OF_LIBRARIES = (
    *("java.", "javax.", "org.junit", "junit.", "org.hamcrest"),
    *("com.gradescope.jh61b", "edu.berkeley.cs.jh61b"),
)
_OF_TESTS = re.compile(r"\b(?:org\.junit|junit\.|org\.hamcrest|jh61b)")
_SOLVED = re.compile(r"(?:.*/)?(?:Ref|Solution|Staff|Correct)[A-Z\w]*\.java$")
_OF_JAVA = re.compile(
    r"\w+(?:Exception|Error)|String(?:Builder|Buffer|Reader|Writer|Joiner|Tokenizer)?|Integer|Long|Double|Float|Boolean"
    r"|Character|Byte|Short|Number|Object|Class|Math|System|Thread|Runtime|Process(?:Builder)?|Arrays|Collections?"
    r"|Objects|Optional|Random|Scanner|Files?|Paths?|Iterator|Iterable|Comparator|Pattern|Matcher|Assert|Method|Field"
    r"|(?:Array|Linked)?List|(?:Linked)?(?:Hash|Tree)?(?:Map|Set)|(?:Array)?Deque|(?:Priority)?Queue|Stack|Vector|Stream"
    r"|(?:ByteArray|File|Buffered|Print|Data)?(?:Input|Output)?Stream|(?:Buffered|File|Print)?(?:Reader|Writer)"
)
_DECLARATION = """\
{package}import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What the tests say of themselves; `max_score` is the weight of a method. */
@Retention(RetentionPolicy.RUNTIME)
public @interface GradedTest {{
    String name() default "";

    String number() default "";

    double max_score() default 1;

    String visibility() default "visible";
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Course:
    """The files of the course in an autograder, by their use."""

    tests: Sequence[str]
    """those with methods that are tests"""
    helpers: Sequence[str]
    """sources that tests need"""
    jars: Sequence[str]
    """archives, below the course root"""
    data: Mapping[str, Node]
    """what the tests read: name -> the file of the course"""


def import_gradescope_java(made: Autograder, path: Path) -> Imported:
    """Convert an autograder in Java. Raises UsageError where it has no tests, or students hand in nothing known."""
    sources = {name: data.decode("utf-8", "replace") for name, data in made.files.items() if name.endswith(".java")}
    tests = _test_files(sources, made)
    methods = [method for file in tests for method in _methods_of(file, sources[file], made)]
    if not methods:
        raise UsageError(f"{path} has no tests for JUnit, methods with @Test; nothing else can be carried over")
    handed_in = _handed_in(sources, list(dict.fromkeys(method.file for method in methods)), made, path)
    course = _course_files(sources, list(dict.fromkeys(method.file for method in methods)), handed_in, made)
    reference = _reference(sources, tests, handed_in, made)
    nodes = [_test_node(method, title, course, made, methods) for method, title in titled_methods(methods)]
    made.notes += [*notes_on_scripts(made.files), *notes_on_methods(methods)]
    folder = PurePosixPath(handed_in[0]).parent
    build = listing([plain("sh"), quoted("-c"), quoted(f"javac -d . {folder / '*.java'}")])
    beside = {
        name: table({"file": text_or_word(made.place(name, "data"))}) for name in _given(sources, tests, handed_in)
    }
    given = {"with": table({str(folder / PurePosixPath(name).name): node for name, node in beside.items()})}
    if beside:
        made.notes.append(f"Compiled with what is handed in, as the course's: {joined(list(beside), 'and')}.")
    keys = {
        **first_keys(made.id, "java", required=handed_in),
        "build": table(
            {"run": listing([build]), "produces": listing([quoted("*.class")]), **(given if beside else {})}
        ),
        "program": listing([plain("java"), text_or_word(_class_name(handed_in[0], made, sources))]),
        **reference,
    }
    if course.data:
        keys["defaults"] = table({"files": table(course.data)})
    return Imported(
        id=made.id,
        spec={**keys, "tests": listing(nodes)},
        files=made.carried,
        origin="an autograder of Gradescope",
        notes=made.notes,
    )


# ---------------------------------------------------------------- the methods


def _test_files(sources: Mapping[str, str], made: Autograder) -> list[str]:
    """Return the files with tests: those with `@GradedTest`, of these what a suite names; without it, all tests."""
    found = [name for name, text in sources.items() if find_java_methods(text) and not _is_solution(name)]
    graded = [name for name in found if _ANNOTATION.search(masked_java(sources[name]))]
    runners = "".join(text for text in sources.values() if _RUNNER.search(masked_java(text)))
    suites = set(re.findall(r"\b(\w+)\s*\.\s*class\b", masked_java(runners)))
    chosen = graded or found
    run = [name for name in chosen if PurePosixPath(name).stem in suites]
    for name in chosen if run else ():
        if name not in run:
            made.notes.append(f"{name} is left out, for no suite of the autograder names it.")
    return run or chosen


def _is_solution(name: str) -> bool:
    return PurePosixPath(name).parts[0] in SOLUTION_FOLDERS


def _methods_of(file: str, text: str, made: Autograder) -> Iterator[GradedMethod]:
    code, uncommented = masked_java(text), masked_java(text, texts=False)
    is_graded = bool(_ANNOTATION.search(code))
    for method in find_java_methods(text):
        heading = uncommented[method.start : method.place] if method.place >= 0 else ""
        marked = _ANNOTATION.search(heading)
        if method.idle or (is_graded and not marked):
            why = method.idle or "has no @GradedTest, and no points there"
            made.notes.append(f"{method.name} of {file} is left out, for it {why}.")
            continue
        stated = {
            found[1] or found[3]: found[2] or found[4]
            for found in _STATED.finditer(heading, marked.end() if marked else 0)
        }
        said: dict[str, object] = {key: stated[key] for key in ("number", "visibility") if stated.get(key)}
        if marked:
            said["weight"] = float(stated.get("max_score") or 1)
        title = one_line(re.sub(r"\\(.)", r"\1", stated.get("name") or ""))
        yield GradedMethod(file=file, name=method.name, title=title or method.name.rpartition(".")[2], said=said)


def _test_node(
    method: GradedMethod, title: str, course: _Course, made: Autograder, methods: Sequence[GradedMethod]
) -> Node:
    keys: dict[str, Node] = {"name": text_or_word(title), "points": plain(f"{points_of(method, methods):g}")}
    visibility = VISIBILITIES.get(str(method.said.get("visibility") or ""), "hidden")
    if visibility != "visible":
        keys["visibility"] = plain(visibility)
    label = case_label(method.name, method.file)
    unit: dict[str, Node] = {
        "junit": text_or_word(made.place(method.file, "tests")),
        "only": listing([text_or_word(label)]),
    }
    if not method.points:  # by its annotation, it would count nothing in its own test
        unit["weights"] = table({label: plain("1")})
    if beside := [name for name in course.helpers if name != f"tests/{made.id}/{method.file}"]:
        unit["with"] = listing(map(text_or_word, beside))
    if course.jars:
        unit["jars"] = listing(map(text_or_word, course.jars))
    keys["unit"] = table(unit)
    return table(keys)


# ---------------------------------------------------------------- the files


def _handed_in(sources: Mapping[str, str], tests: Sequence[str], made: Autograder, path: Path) -> list[str]:
    """Return what students hand in: what `run_autograder` copies, else the classes of tests that nobody declares."""
    scripts = "".join(data.decode("utf-8", "replace") for name, data in made.files.items() if _is_script(name))
    copied = [
        name for name in SUBMITTED_FILE.findall(scripts) if name.endswith(".java") and ".." not in name.split("/")
    ]
    if copied:
        return list(dict.fromkeys(copied))
    used = dict.fromkeys(name for test in tests for name in _used_classes(sources[test]))
    others = {PurePosixPath(name).stem: name for name in sources if name not in tests}
    solved = [name for name in used if name in others and not _is_helper(others[name], tests)]
    unknown = [name for name in used if name not in others and not _OF_JAVA.fullmatch(name)]
    if not (found := solved or unknown):
        raise UsageError(f"{path}: run_autograder copies no file of the submission by its name, and tests use no class")
    made.notes.append(f"What students hand in is not said: {joined(found, 'and')} is a guess by what the tests use.")
    return [f"{name}.java" for name in found]


def _is_script(name: str) -> bool:
    return PurePosixPath(name).suffix in (".sh", ".py") or PurePosixPath(name).name == "run_autograder"


def _is_helper(name: str, tests: Sequence[str]) -> bool:
    """Whether a source lies beside a test, and in no folder of solutions."""
    return not _is_solution(name) and any(PurePosixPath(name).parent == PurePosixPath(test).parent for test in tests)


def _used_classes(text: str) -> Iterator[str]:
    code = masked_java(text)
    declared = {one.name.rpartition(".")[2].rpartition("$")[2] for one in find_java_classes(text)}
    for name in _IMPORT.findall(code):
        if name.startswith(_OF_LIBRARIES):
            declared.add(name.rpartition(".")[2])
    for found in _USED_CLASS.finditer(code):
        name = next(filter(None, found.groups()))
        if name not in declared:
            yield name


def _course_files(
    sources: Mapping[str, str], tests: Sequence[str], handed_in: Sequence[str], made: Autograder
) -> _Course:
    students = {PurePosixPath(name).name for name in handed_in}
    needed, pending = dict.fromkeys(tests), list(tests)
    while pending:
        words = set(re.findall(r"\b[A-Z]\w*", masked_java(sources[pending.pop()])))
        for name, text in sources.items():
            pure = PurePosixPath(name)
            is_course = not _is_solution(name) and pure.name not in students and not _RUNNER.search(masked_java(text))
            if is_course and name not in needed and pure.stem in words:
                needed[name] = None
                pending.append(name)
    jars = {name for name in made.files if name.endswith(".jar") and not _OWN_JARS.fullmatch(PurePosixPath(name).name)}
    helpers = [made.place(name, "tests") for name in needed if name not in tests]
    package = next((name.rpartition(".")[0] for text in sources.values() for name in _annotations_of(text)), None)
    is_there = any(one.endswith("/GradedTest.class") for jar in jars for one in archive_entries(made.files[jar]))
    is_there = is_there or any(PurePosixPath(name).stem == "GradedTest" for name in needed)
    if package is not None and not is_there:
        own = f"tests/{made.id}/GradedTest.java"
        made.carried[own] = _DECLARATION.format(package=f"package {package};\n\n" if package else "").encode()
        helpers.append(own)
    text = "".join(sources[name] for name in needed)
    endings = (".java", ".jar", ".class", ".sh", ".xml", ".md", ".gradle", ".zip")
    read = [one for one in made.files if PurePosixPath(one).suffix and not one.endswith(endings)]
    read = [one for one in read if f"{PurePosixPath(one).name}" in text and PurePosixPath(one).name not in students]
    data: dict[str, Node] = {name: table({"file": text_or_word(made.place(name, "data"))}) for name in read}
    placed = [made.place(name, "lib") for name in sorted(jars)]
    return _Course(tests=tests, helpers=helpers, jars=placed, data=data)


def _given(sources: Mapping[str, str], tests: Sequence[str], handed_in: Sequence[str]) -> list[str]:
    """Return the course's sources that what is handed in may need: what a solution names, else all of its package."""
    names = {PurePosixPath(name).name for name in handed_in}
    code = {name: masked_java(text) for name, text in sources.items()}
    others = {
        name: text
        for name, text in code.items()
        if not (_is_solution(name) or name in tests or PurePosixPath(name).name in names or _OF_TESTS.search(text))
    }
    pending = [text for name, text in code.items() if PurePosixPath(name).name in names]
    found: list[str] = []
    if not pending:
        imported = {one for name in tests for one in _IMPORT.findall(code[name])}
        packages = {one.rpartition(".")[0] for one in imported if f"{one.rpartition('.')[2]}.java" in names}
        found = [name for name, text in others.items() if _package_of(text) in packages and not _SOLVED.match(name)]
        pending = [others[name] for name in found]
    while pending:
        words = set(re.findall(r"\b[A-Z]\w*", pending.pop()))
        more = [name for name in others if name not in found and PurePosixPath(name).stem in words]
        found += more
        pending += [others[name] for name in more]
    return found


def _package_of(code: str) -> str:
    found = re.search(r"(?:^|;)\s*package\s+([\w.]+)\s*;", code, re.MULTILINE)
    return found[1] if found else ""


def _annotations_of(text: str) -> Iterator[str]:
    code = masked_java(text)
    if _ANNOTATION.search(code):
        yield next((name for name in _IMPORT.findall(code) if name.endswith(".GradedTest")), "GradedTest")


def _class_name(name: str, made: Autograder, sources: Mapping[str, str]) -> str:
    """Return the full name of the class of a file that is handed in, as far as the autograder says its package."""
    stem = PurePosixPath(name).stem
    imported = (one for text in sources.values() for one in _IMPORT.findall(masked_java(text)))
    full = next((one for one in imported if one.rpartition(".")[2] == stem), stem)
    made.notes.append(f"program: java {full} is a guess; only tests of the program itself start it.")
    return full


def _reference(
    sources: Mapping[str, str], tests: Sequence[str], handed_in: Sequence[str], made: Autograder
) -> dict[str, Node]:
    """Carry over a solution that lies in the autograder as the reference."""
    found: dict[str, str] = {}
    for name in handed_in:
        same = [one for one in sources if PurePosixPath(one).name == PurePosixPath(name).name and one not in tests]
        if same:
            found[name] = min(same, key=lambda one: not _is_solution(one))
    if len(found) < len(handed_in):
        made.notes.append("There is no solution: name one under reference, so that grader verify can try the tests.")
        return {}
    root = f"reference/{made.id}"
    made.carried |= {f"{root}/{name}": made.files[one] for name, one in found.items()}
    made.notes.append(f"Reference: {joined(list(found.values()), 'and')}; if that is a template, put a solution there.")
    return {"reference": table({"files": text_or_word(root)})}
