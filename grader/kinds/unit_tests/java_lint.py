"""Probable mistakes in tests for JUnit: what they need and no file of the course has."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from grader.core.model.spec import Case, Spec
from grader.core.text import joined, quote
from grader.kinds.unit_tests.java_text import find_java_classes, masked_java
from grader.kinds.unit_tests.junit_jars import archive_entries, course_archives, names_in_archive
from grader.kinds.unit_tests.model import UnitFramework, UnitMethod, unit_of
from grader.lint.subject import Flaw, Subject, lint_rule

_COMPANIONS: Mapping[str, tuple[str, ...]] = {
    "org/mockito/": ("net/bytebuddy/", "org/objenesis/"),
    "org/assertj/core/": ("net/bytebuddy/",),
    "com/google/common/truth/": ("com/google/common/collect/",),
}
"""package of a library -> the packages of others without which it does not work, where its classes name them"""
_INSTANTIATOR, _ITS_MODULE = "org/objenesis/", "jdk.unsupported"
_METHOD_SOURCE = re.compile(
    r"@\s*MethodSource\b\s*(?:\((?P<names>[^()]*)\))?(?=(?P<method>(?:\s*@\s*[\w.]+(?:\([^()]*\))?|\s*\w+)*?\s+\w+\s*\())"
)
_FILE_SOURCE = re.compile(r"@\s*CsvFileSource\s*\(([^()]*)\)")
_RESOURCES = re.compile(r'\bresources\s*=\s*(\{[^{}]*\}|"[^"]*")')
_QUOTED = re.compile(r'"([^"\\]*)"')


def files_of_tests(subject: Subject, *frameworks: UnitFramework) -> Iterator[tuple[str, UnitMethod, Case]]:
    """Iterate over the files of unit tests, each with the path of its first test and a case of that."""
    seen: set[str] = set()
    for path, test in subject.tests():
        unit = unit_of(test.cases[0])
        if unit and (not frameworks or unit.framework in frameworks) and unit.file not in seen:
            seen.add(unit.file)
            yield f"{path}.unit", unit, test.cases[0]


@lint_rule("warning", "unit-test-lacks")
def lacking_archives(subject: Subject) -> Iterator[Flaw]:
    """A library without the libraries that it needs ends tests with a class that is not found."""
    for path, unit, _ in files_of_tests(subject, "junit"):
        archives = course_archives(unit, subject.spec.build)
        entries = {name: archive_entries(content) for name, content in archives.items()}
        there = [entry for names in entries.values() for entry in names]
        for library, companions in _COMPANIONS.items():
            user = next((name for name, names in entries.items() if any(one.startswith(library) for one in names)), "")
            for companion in companions if user else ():
                if not any(one.startswith(companion) for one in there) and names_in_archive(archives[user], companion):
                    package = quote(companion.strip("/").replace("/", "."))
                    yield path, f"{user} needs {package}, which no archive has: name its archive under jars"
        if any(one.startswith(_INSTANTIATOR) for one in there) and _ITS_MODULE not in unit.modules:
            remedy = f"add modules: [{_ITS_MODULE}]"
            yield path, f"Objenesis, by which Mockito makes objects, needs a module that tests run without: {remedy}"


@lint_rule("error", "values-missing")
def lacking_sources(subject: Subject) -> Iterator[Flaw]:
    """A parametrized test without its values never runs, and nobody gets its points."""
    for path, unit, case in files_of_tests(subject, "junit"):
        helpers = [text.decode("utf-8", "replace") for name, text in unit.helpers.items() if name.endswith(".java")]
        text = masked_java(unit.source.decode("utf-8", "replace"), texts=False)
        for name in _missing_factories(text, helpers):
            yield path, f"{unit.file} takes values from {quote(name)}, and has no such method: its tests never run"
        if missing := sorted(_missing_resources(text, unit, case, subject.spec)):
            files = joined([quote(one) for one in missing], "and")
            yield path, f"{unit.file} takes values from {files}, which is not there: name it under with"


@lint_rule("error", "sources-not-compiled")
def uncompiled_sources(subject: Subject) -> Iterator[Flaw]:
    """A test for JUnit is compiled with the classes of the build, and a source that is handed in is none."""
    if subject.spec.build:
        return
    handed_in = [PurePosixPath(name) for name in subject.spec.files.required_names if name.endswith(".java")]
    for path, unit, _ in files_of_tests(subject, "junit"):
        text = masked_java(unit.source.decode("utf-8", "replace"))
        if used := [name for name in handed_in if re.search(rf"\b{re.escape(name.stem)}\b", text)]:
            remedy = f"add build: {{run: javac {' '.join(map(str, handed_in))}, produces: ['*.class']}}"
            what = f"nothing compiles {quote(str(used[0]))}, so that {unit.file} finds no class {used[0].stem}"
            yield path, f"{what} and nobody gets points: {remedy}"


def _missing_factories(text: str, helpers: list[str]) -> Iterator[str]:
    classes = [one for each in (text, *helpers) for one in find_java_classes(each)]
    if {parent for one in classes for parent in one.parents} - {one.short for one in classes}:
        return  # an archive may have it
    declared = [method.name for one in classes for method in one.methods]
    for found in _METHOD_SOURCE.finditer(text):
        names = _QUOTED.findall(found["names"] or "")
        own = re.search(r"(\w+)\s*\($", found["method"])
        for name in names or ([own[1]] if own else []):
            plain = name.partition("(")[0]
            if "#" not in name and plain and declared.count(plain) < (1 if names else 2):
                yield plain


def _missing_resources(text: str, unit: UnitMethod, case: Case, spec: Spec) -> Iterator[str]:
    there = {*unit.helpers, *case.files, *spec.files.required_names}
    there |= {one for content in course_archives(unit, spec.build).values() for one in archive_entries(content)}
    for found in _FILE_SOURCE.finditer(text):
        for resources in _RESOURCES.findall(found[1]):
            yield from (one for one in _QUOTED.findall(resources) if one.startswith("/") and one[1:] not in there)
