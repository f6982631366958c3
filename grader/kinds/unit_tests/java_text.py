"""The text of a test in Java: its classes, and which methods of them JUnit runs, and where they are."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

_ANNOTATIONS = {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory"}
_RETURN_NOTHING = _ANNOTATIONS - {"TestFactory"}
_DISABLED = {"Disabled", "Ignore"}
_NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_JAVA_WORD = re.compile(
    r"@\s*(?P<annotation>(?!interface\b)[\w.]+)|\b(?P<kind>class|record|enum|interface)\s+(?P<type>\w+)"
    r"|(?P<method>[\w$]+)\s*\(|[{}();]"
)
_PARENTS = re.compile(r"\b(?:extends|implements)\s+([\w.$,\s]+?)(?=\b(?:extends|implements|permits)\b|$)")
_JUNIT_4 = re.compile(r"\borg\s*\.\s*junit\s*\.\s*(?!jupiter\b|platform\b|vintage\b)[\w*]|\bjunit\s*\.\s*framework\b")
_GRADED = re.compile(r"@\s*(?:\w+\s*\.\s*)*GradedTest\s*\([^()]*\bmax_score\s*=\s*(\d{1,9}(?:\.\d{1,9})?)")
_MOST_PARENTS = 20


class JavaMethod(NamedTuple):
    """A method that JUnit runs, or would run if it were not for something."""

    name: str
    """with the class that it is run in, which may inherit it: `bank.BankTest$Inner.deposits`"""
    start: int
    """where its declaration begins, with what is annotated"""
    place: int
    """where its parameters end"""
    idle: str = ""
    """why JUnit does not run it, as a predicate; empty when it does"""
    arity: int = 0
    """how many parameters it has"""


class JavaClass(NamedTuple):
    """A class, record, enumeration or interface of a file."""

    name: str
    """as the machine has it: `bank.BankTest$Inner`"""
    parents: tuple[str, ...]
    """the last parts of the names of what it extends and implements"""
    annotations: frozenset[str]
    is_abstract: bool
    is_inner: bool
    """whether it is within another and needs an object of that"""
    methods: list[JavaMethod]
    """those that are declared as tests; `name` is without the class"""
    test_named: list[JavaMethod]
    """those that a `TestCase` of JUnit 3 runs for their names"""
    plain: list[JavaMethod]
    """those that are declared as no tests, and may override one"""
    place: int


def masked_java(code: str, *, texts: bool = True) -> str:
    """Return Java with blanks for its comments and, if so wanted, for the texts in quotes: every place stays."""

    def masked(found: re.Match[str]) -> str:
        is_text = found[0][0] in "\"'"
        return found[0] if is_text and not texts else re.sub(r"[^\n]", " ", found[0])

    return _NO_CODE.sub(masked, code)


def uses_junit_4(code: str) -> bool:
    """Whether a test is written for JUnit 4 or 3, which the vintage engine of JUnit 5 runs. As `masked_java` has it."""
    return bool(_JUNIT_4.search(code))


def find_java_methods(code: str, others: Sequence[str] = ()) -> Iterator[JavaMethod]:
    """Yield the methods that JUnit runs, or would run, in the order of the file; what a class inherits is behind it.

    `code` is what `masked_java` returns, and `others` are the files in which classes may be that it inherits from. What
    is declared there has no place.
    """
    found = sorted(_find_in_classes(code, others), key=lambda one: one[0])
    yield from (method for _, method in found)


def _find_in_classes(code: str, others: Sequence[str]) -> Iterator[tuple[int, JavaMethod]]:
    """Yield the methods of each class, each with the place in the file at which it is listed."""
    annotations = _test_annotations((code, *others))
    classes = find_java_classes(code, annotations)
    beside = [one for text in others for one in find_java_classes(text, annotations)]
    known = {one.name.rpartition(".")[2].rpartition("$")[2]: one for one in beside}
    own = {id(one) for one in classes}
    known |= {one.name.rpartition(".")[2].rpartition("$")[2]: one for one in classes}
    is_old = uses_junit_4(code) or any(map(uses_junit_4, others))
    for one in classes:
        lineage = list(_lineage(one, known))
        is_case = any("TestCase" in other.parents for other in lineage) and is_old
        if one.is_abstract or (one.is_inner and (is_old or "Nested" not in one.annotations)):
            continue
        disabled = _DISABLED & one.annotations
        seen: set[str] = set()
        overriding: set[tuple[str, int]] = set()
        last = one.place
        for other in lineage:
            methods = other.test_named if is_case else other.methods
            for method in methods:
                if other is one or method.name not in seen:
                    idle = f"has @{min(disabled)} at its class" if disabled else method.idle
                    is_overridden = (method.name, method.arity) in overriding and not is_case
                    idle = "is overridden without @Test" if is_overridden else idle
                    is_here = id(other) in own and not is_overridden
                    placed = method if is_here else method._replace(start=-1, place=-1)
                    last = method.place if other is one and method.place >= 0 else last
                    yield last, placed._replace(name=f"{one.name}.{method.name}", idle=idle)
            seen |= {method.name for method in methods}
            overriding |= {(method.name, method.arity) for method in other.plain}


def _lineage(one: JavaClass, known: Mapping[str, JavaClass], most: int = _MOST_PARENTS) -> Iterator[JavaClass]:
    yield one
    for parent in one.parents:
        if parent in known and most and known[parent] is not one:
            yield from _lineage(known[parent], known, most - 1)


def find_java_classes(code: str, annotations: Collection[str] = _ANNOTATIONS) -> list[JavaClass]:
    """Return the classes of a file, in their order. `code` is what `masked_java` returns.

    Methods with one of the `annotations` are tests.
    """
    package = _PACKAGE.search(code)
    scanned = _Scan(f"{package[1]}." if package else "", annotations)
    while found := _JAVA_WORD.search(code, scanned.place):
        scanned.read(code, found)
    return scanned.classes


def _test_annotations(texts: Iterable[str]) -> frozenset[str]:
    """Return the annotations of JUnit that make a method a test, and those declared in some files that have one."""
    found = set(_ANNOTATIONS)
    for text in texts:
        if "@interface" in text:
            declared = [one for one in find_java_classes(text) if one.annotations & _ANNOTATIONS]
            found |= {one.name.rpartition(".")[2].rpartition("$")[2] for one in declared}
    return frozenset(found)


def _why_not_junit_3(heading: str, arity: int) -> str:
    """Return why JUnit 3 does not run a method whose name begins with `test`, as a predicate."""
    if arity:
        return "has parameters"
    if not re.search(r"\bpublic\b", heading):
        return "is not public"
    return "" if re.search(r"\bvoid\s*$", heading) else "returns a value"


def _count_parameters(code: str) -> int:
    while code != (plain := re.sub(r"<[^<>]*>|\([^()]*\)", " ", code)):
        code = plain
    return code.count(",") + 1 if code.strip() else 0


class _Scan:
    """How far a file is read: the classes around a place, and what the declaration there has in front of it."""

    def __init__(self, before: str, annotations: Collection[str]) -> None:
        self.before = before
        self.test_annotations = annotations
        self.classes: list[JavaClass] = []
        self.place = 0
        self.around: list[JavaClass | None] = []
        self.declared: JavaClass | None = None
        self._begin_anew(0)

    def _begin_anew(self, place: int) -> None:
        self.start = place
        self.annotations: set[str] = set()

    def read(self, code: str, found: re.Match[str]) -> None:
        """Read the next word, or the next sign."""
        self.place = found.end()
        if found["annotation"]:
            self.annotations.add(found["annotation"].rpartition(".")[2])
            if argument := re.compile(r"\s*\(").match(code, self.place):
                self.place = behind_parentheses(code, argument.end())
        elif found["type"]:
            self._declare(code, found)
        elif found["method"]:
            self.place = behind_parentheses(code, self.place)
            self._add_method(code, found)
            self.annotations = set()
        elif found[0] == "{":
            self.around.append(self.declared)
            self.declared = None
            self._begin_anew(self.place)
        elif found[0] == "}":
            del self.around[-1:]
            self._begin_anew(self.place)
        elif found[0] == ";":
            self._begin_anew(self.place)

    def _declare(self, code: str, found: re.Match[str]) -> None:
        if self.around and self.around[-1] is None:  # within a method
            return
        end = code.find("{", found.end())
        heading = code[found.end() : end if end >= 0 else len(code)]
        while heading != (plain := re.sub(r"<[^<>]*>|@\s*[\w.]+|\([^()]*\)", " ", heading)):
            heading = plain
        parents = [word.strip() for part in _PARENTS.findall(heading.strip()) for word in part.split(",")]
        outer = self.around[-1] if self.around else None
        before = code[self.start : found.start()]
        is_static = re.search(r"\bstatic\b", before) or found["kind"] != "class"
        self.declared = JavaClass(
            name=f"{outer.name}${found['type']}" if outer else f"{self.before}{found['type']}",
            parents=tuple(parent.rpartition(".")[2] for parent in parents),
            annotations=frozenset(self.annotations),
            is_abstract=found["kind"] == "interface" or bool(re.search(r"\babstract\b", before)),
            is_inner=outer is not None and not is_static,
            methods=[],
            test_named=[],
            plain=[],
            place=found.start(),
        )
        self.classes.append(self.declared)
        self.annotations = set()

    def _add_method(self, code: str, found: re.Match[str]) -> None:
        owner = self.around[-1] if self.around else None
        if owner is None:
            return
        heading = code[self.start : found.start()]
        parameters = code[found.end() : self.place - 1]
        method = JavaMethod(
            found["method"],
            self.start + len(heading) - len(heading.lstrip()),
            self.place,
            arity=_count_parameters(parameters),
        )
        has_body = re.match(r"[\s\w.,@]*\{", code[self.place :])
        if not self.annotations.isdisjoint(self.test_annotations) and has_body:
            owner.methods.append(method._replace(idle=self._why_idle(heading)))
        elif has_body and not re.search(r"\bprivate\b", heading):
            owner.plain.append(method)
        if has_body and method.name.startswith("test"):
            why = _why_not_junit_3(heading, method.arity)
            # One that is not run is as good as any other method: it stays where it is.
            owner.test_named.append(method._replace(idle=why, start=-1, place=-1) if why else method)

    def _why_idle(self, heading: str) -> str:
        if disabled := _DISABLED & self.annotations:
            return f"has @{min(disabled)}"
        if hindering := re.search(r"\b(private|static)\s+(?:[\w.<>\[\],?]+\s+)*$", heading):
            return f"is {hindering[1]}"
        if self.annotations & _RETURN_NOTHING and not re.search(r"\bvoid\s*$", heading):
            return "returns a value"
        return ""


def graded_weights(code: str) -> dict[str, str]:
    """Return method -> the `max_score` of its `@GradedTest`, of Gradescope's library for JUnit; without the others."""
    marked = ((one.name, _GRADED.search(code, one.start, one.place)) for one in find_java_methods(code))
    return {name: found[1] for name, found in marked if found}


def behind_parentheses(code: str, place: int) -> int:
    """Return the place behind the closing parenthesis of one that was opened before `place`."""
    depth = 1
    while depth and place < len(code):
        depth += (code[place] == "(") - (code[place] == ")")
        place += 1
    return place
