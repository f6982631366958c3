"""The tests in a file in Java, by its syntax tree: its classes, and which methods of them JUnit runs, and where."""

import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from grader.core.lazy import lazy_regex

_TESTS = frozenset({"@Test", "@ParameterizedTest", "@RepeatedTest", "@TestFactory", "@TestTemplate", "@Theory"})
_DISABLED = frozenset({"@Disabled", "@Ignore"})
_NO_CODE = lazy_regex(r'(?s)//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'')
_JUNIT_4 = lazy_regex(r"\borg\s*\.\s*junit\s*\.\s*(?!jupiter\b|platform\b|vintage\b)[\w*]|\bjunit\s*\.\s*framework\b")
_GRADED = lazy_regex(r"@\s*(?:\w+\s*\.\s*)*GradedTest\s*\([^()]*\bmax_score\s*=\s*(\d{1,9}(?:\.\d{1,9})?)")
_TYPES = [f"{kind}_declaration" for kind in ("class", "record", "enum", "interface", "annotation_type")]
_PARENTS = ("superclass", "super_interfaces", "extends_interfaces")
_AROUND = ("enum_body_declarations", "ERROR")  # nodes that stand between a class, or the file, and its parts
_MOST_PARENTS = 20


class JavaMethod(NamedTuple):
    """A method with a body; `start` is before its annotations, `place` behind its parameters; -1 in other files."""

    name: str  # as declared; in a list of methods to run, with the class: `bank.BankTest$Inner.deposits`
    start: int
    place: int
    end: int
    marks: frozenset[str]  # its modifiers, the type of its result, and its annotations: `@Test`
    arity: int
    idle: str = ""  # why JUnit does not run it, as a predicate; empty when it does


class JavaClass(NamedTuple):
    """A class, record, enumeration, interface or annotation of a file."""

    name: str  # as the machine has it: `bank.BankTest$Inner`
    short: str
    parents: tuple[str, ...]  # the last parts of the names of the types that it extends and implements
    marks: frozenset[str]
    """its modifiers and annotations, the kind of its declaration, and `inner` where it needs an object of another"""
    methods: tuple[JavaMethod, ...]
    place: int


def masked_java(code: str, *, texts: bool = True) -> str:
    """Return Java with blanks for its comments and, if so wanted, for the texts in quotes: every place stays."""
    quotes = "" if texts else "\"'"
    return _NO_CODE.sub(lambda match: match[0] if match[0][0] in quotes else re.sub(r"[^\n]", " ", match[0]), code)


@lru_cache(maxsize=64)
def uses_junit_4(text: str) -> bool:
    """Whether a test is written for JUnit 4 or 3, which the vintage engine of JUnit 5 runs."""
    return bool(_JUNIT_4.search(masked_java(text)))


def find_java_methods(text: str, others: Sequence[str] = ()) -> list[JavaMethod]:
    """Return the methods that JUnit may run, in their order; `others` are files of classes that it inherits from."""
    classes = find_java_classes(text)
    known = [*(owner for file in others for owner in find_java_classes(file)), *classes]
    is_old = any(map(uses_junit_4, (text, *others)))
    placed = [pair for owner in classes for pair in _methods_run_in(owner, known, {*map(id, classes)}, is_old=is_old)]
    return [method for _, method in sorted(placed, key=lambda pair: pair[0])]


def _methods_run_in(
    owner: JavaClass, known: Sequence[JavaClass], own: set[int], *, is_old: bool
) -> Iterator[tuple[int, JavaMethod]]:
    """Yield the methods of a class, each with the place in the file at which it is listed."""
    is_alone = "inner" in owner.marks and (is_old or "@Nested" not in owner.marks)
    if is_alone or owner.marks & {"abstract", "interface_declaration"}:
        return
    tests = _TESTS.union(f"@{annotation.short}" for annotation in known if annotation.marks & _TESTS)
    lineage = _lineage(owner, {declared.short: declared for declared in known})
    is_case = is_old and any("TestCase" in ancestor.parents for ancestor in lineage)
    disabled = "".join(f"has {mark} at its class" for mark in sorted(_DISABLED & owner.marks)[:1])
    seen, overriding, last = set[str](), set[tuple[str, int]](), owner.place
    for ancestor in lineage:
        marked = [method for method in ancestor.methods if method.marks & tests]
        candidates = [method for method in ancestor.methods if method.name.startswith("test")] if is_case else marked
        for method in (method for method in candidates if ancestor is owner or method.name not in seen):
            is_hidden = (method.name, method.arity) in overriding and not is_case
            why = _why_idle(method, is_case=is_case)
            # One that JUnit 3 does not run is as good as any other method: it stays where it is.
            is_here = id(ancestor) in own and not is_hidden and not (is_case and why)
            last = method.place if ancestor is owner and is_here else last
            placed = method if is_here else method._replace(start=-1, place=-1, end=-1)
            idle = "is overridden without @Test" if is_hidden else disabled or why
            yield last, placed._replace(name=f"{owner.name}.{method.name}", idle=idle)
        seen |= {method.name for method in candidates}
        plain = (method for method in ancestor.methods if method not in marked and "private" not in method.marks)
        overriding |= {(method.name, method.arity) for method in plain}


def _why_idle(method: JavaMethod, *, is_case: bool) -> str:
    returns = "" if "void" in method.marks else "returns a value"
    if is_case:
        return "has parameters" if method.arity else returns if "public" in method.marks else "is not public"
    reasons = [f"has {mark}" for mark in sorted(_DISABLED & method.marks)]
    reasons += [f"is {word}" for word in ("private", "static") if word in method.marks]
    return next(iter(reasons), returns if method.marks & (_TESTS - {"@TestFactory"}) else "")


def _lineage(owner: JavaClass, known: Mapping[str, JavaClass], most: int = _MOST_PARENTS) -> list[JavaClass]:
    parents = (known[name] for name in owner.parents if name in known and most and known[name] is not owner)
    return [owner, *(ancestor for parent in parents for ancestor in _lineage(parent, known, most - 1))]


def graded_weights(text: str) -> dict[str, Fraction]:
    """Return method -> the `max_score` of its `@GradedTest`, of Gradescope's library for JUnit; without the others."""
    code = masked_java(text)
    marked = ((method.name, _GRADED.search(code, method.start, method.place)) for method in find_java_methods(text))
    return {name: Fraction(match[1]) for name, match in marked if match}


def parse_java(source: bytes) -> Any:
    """Return the root of the syntax tree of a file."""
    library = importlib.import_module("tree_sitter")
    grammar = library.Language(importlib.import_module("tree_sitter_java").language())
    return library.Parser(grammar).parse(source).root_node


@lru_cache(maxsize=64)
def find_java_classes(text: str) -> tuple[JavaClass, ...]:
    """Return the classes of a file, in their order, without those in methods."""
    root = parse_java(re.sub(r"[^\x00-\x7f]", "x", text).encode())  # so that its places are those of the text
    packages = (_text(text, node) for node in root.children if node.type == "package_declaration")
    package = "".join(next(packages, "").removeprefix("package").rstrip(";").split())
    return tuple(_classes_in(root, text, f"{package}." if package else "", is_inner=False))


def _classes_in(outer: Any, text: str, before: str, *, is_inner: bool = True) -> Iterator[JavaClass]:
    for node in (part for part in _members(outer) if part.type in _TYPES):
        name, body = _text(text, node.child_by_field_name("name")), node.child_by_field_name("body")
        parents = [parent for part in node.children if part.type in _PARENTS for parent in _type_names(text, part)]
        marks, declared = _marks(text, node), [part for part in _members(body) if part.type == "method_declaration"]
        needs_other = is_inner and "static" not in marks and node.type == "class_declaration"
        methods = [_method(text, method) for method in declared if method.child_by_field_name("body")]
        marks |= {node.type, *(["inner"] if needs_other else [])}
        yield JavaClass(f"{before}{name}", name, tuple(parents), marks, tuple(methods), node.start_byte)
        yield from _classes_in(body, text, f"{before}{name}$")


def _method(text: str, node: Any) -> JavaMethod:
    name, parameters = _text(text, node.child_by_field_name("name")), node.child_by_field_name("parameters")
    marks = _marks(text, node) | {_text(text, node.child_by_field_name("type"))}
    arity = sum(parameter.type in ("formal_parameter", "spread_parameter") for parameter in parameters.children)
    return JavaMethod(name, node.start_byte, parameters.end_byte, node.end_byte, marks, arity)


def _members(node: Any) -> Iterator[Any]:
    for child in node.children:
        yield from _members(child) if child.type in _AROUND else (child,)


def _text(text: str, node: Any) -> str:
    return text[node.start_byte : node.end_byte]


def _marks(text: str, node: Any) -> frozenset[str]:
    """Return the words in front of a declaration, and the last parts of the names of its annotations."""
    parts = [part for child in node.children if child.type == "modifiers" for part in child.children]
    names = (_text(text, name) for part in parts if (name := part.child_by_field_name("name")))
    return frozenset([*(part.type for part in parts), *(f"@{mark.rpartition('.')[2].strip()}" for mark in names)])


def _type_names(text: str, node: Any) -> list[str]:
    """Return the last part of each type in a node, without those between angle brackets."""
    if node.type in ("type_identifier", "scoped_type_identifier"):
        return [_text(text, node).rpartition(".")[2].strip()]
    return [name for child in node.children if child.type != "type_arguments" for name in _type_names(text, child)]
