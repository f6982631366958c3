"""The submissions of a problem package by language: their files and their expected results.

The package states results in the name of the folder, in the source (`@EXPECTED_RESULTS@`, `@EXPECTED_SCORE@`) and in
`submissions.yaml`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import translate
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import replace

from grader.core.text import listed
from grader.imports.draft import Loss
from grader.imports.kattis_package import KATTIS, Files, Package, as_mapping, as_number
from grader.kinds.unit_tests.java_text import masked_java


class ProgramForm(Struct, frozen=True, kw_only=True):
    """How programs in a language are called, built and started."""

    language: str
    main: str  # the name of the main file
    others: tuple[str, ...] = ()  # further endings of sources
    program: str = "./main"
    build: str = ""
    build_all: str = ""  # of several source files
    produces: tuple[str, ...] = ("main",)

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of sources."""
        return (PurePosixPath(self.main).suffix, *self.others)


_FORMS = convert(KATTIS["forms"], tuple[ProgramForm, ...])
_MAIN = re.compile(rb"\bmain\s*\(")
_OTHER_PYTHON = re.compile(rb"#!.*(?:python2|pypy)")
_RESULTS = {word: result for result, words in KATTIS["results"].items() for word in words}
REJECTED = frozenset(KATTIS["results"]) - {"accepted", "partially accepted"}
_OF_FOLDERS = {result.replace(" ", "_"): frozenset({result}) for result in KATTIS["results"]} | {
    "rejected": REJECTED,
    **{name: frozenset(results) for name, results in KATTIS["folders"].items()},
}
_OTHER_KEYS = {"score", "language", "entrypoint", "author", "authors", "message", "use_for_time_limit"}
"""of an entry of `submissions.yaml`, that do not say which results are right"""
_TAG = re.compile(rb"@EXPECTED_(RESULTS|SCORE)@:[ \t]*([^\n\r*]*)")


class LabelledProgram(Struct, frozen=True, kw_only=True):
    """A submission of the package, with the files that the assignment asks for, and what it has to get."""

    name: str  # `accepted/ann.py`
    files: Files
    results: frozenset[str] = frozenset()  # any of these is right; none where the package contradicts itself
    score: Fraction | None = None


class Programs(Struct, frozen=True, kw_only=True):
    """The submissions in one language."""

    form: ProgramForm
    found: Sequence[LabelledProgram] = ()

    @property
    def build(self) -> str:
        """The command that builds each of them, also where one has several source files."""
        has_several = any(len(_sources_in(one.files, self.form)) > 1 for one in self.found)
        return (has_several and self.form.build_all) or self.form.build

    @property
    def reference(self) -> Files | None:
        """The first accepted program, if it is in Python: a reference is run without being built."""
        accepted = [one.files for one in self.found if one.results == {"accepted"}]
        return accepted[0] if accepted and self.form.language == "python" else None


def read_programs(every: Sequence[LabelledProgram], losses: list[Loss]) -> Sequence[Programs]:
    """Return the submissions by language, first that of the first accepted one; add the omitted ones to `losses`.

    An assignment fixes the name of the main file, so that of each submission gets it. In Java, where a class has the
    name of its file, a `Main` is added that calls it.
    """
    left = {one.name: one for one in every}
    made: list[Programs] = []
    for form in _FORMS:
        prepared = {name: files for name, one in left.items() if (files := _prepared(one.files, form))}
        if found := [replace(left.pop(name), files=files) for name, files in prepared.items()]:
            made.append(Programs(form=form, found=found))
    if left:
        losses.append(Loss(rule="no-form", detail=listed(sorted(left), most=5)))
    made.sort(key=lambda some: not any("accepted" in one.results for one in some.found))
    return made or [Programs(form=_FORMS[0])]


def read_labelled(package: Package, losses: list[Loss]) -> Sequence[LabelledProgram]:
    """Return the submissions as they are; adds to `losses` where the package contradicts itself."""
    submissions: dict[str, dict[str, bytes]] = {}
    for path, content in package.below("submissions/").items():
        verdict, _, rest = path.partition("/")
        name, _, inner = rest.partition("/")
        if rest:  # which submissions.yaml has not
            submissions.setdefault(f"{verdict}/{name}", {})[inner or name] = content
    return [_labelled(package, name, files, losses) for name, files in submissions.items()]


# ---------------------------------------------------------------- files of a submission, as the assignment wants them


def _sources_in(files: Files, form: ProgramForm) -> list[str]:
    own = [name for name in files if name.endswith(form.endings)]
    return own if form.language != "python" else [one for one in own if not _OTHER_PYTHON.match(files[one])]


def _prepared(files: Files, form: ProgramForm) -> Files | None:
    """Return the files with the main one under the name that is asked for.

    None when it has no source in the language, or it is not known which is the main one.
    """
    sources = _sources_in(files, form)
    if form.language == "java":
        return _with_java_main({name: files[name].decode(errors="replace") for name in sources}, files)
    named = {form.main, "__main__.py"}
    mains = [
        one for one in sources if one in named or (form.language != "python" and _MAIN.search(files[one]))
    ] or sources
    if not mains or (len(mains) > 1 and form.main not in mains and form.language != "python"):
        return None
    main = form.main if form.main in mains else mains[0]
    renamed = {}
    for name, content in files.items():
        ending = PurePosixPath(name).suffix
        inner = name.removesuffix(ending) + ".cpp" if form.language == "cpp" and ending in form.others else name
        if name != main or (len(sources) > 1 and form.language == "python"):  # which the others may import
            renamed[inner] = content
    return {**renamed, form.main: files[main]}


_MAIN_METHOD = re.compile(r"\bvoid\s+main\s*\(")
_CLASS = re.compile(r"\b(?:class|enum|interface|record)\s+(\w+)")
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)


def _with_java_main(sources: Mapping[str, str], files: Files) -> Files | None:
    """Return the files with a `Main.java`: their own, or one that calls the class with the main method.

    That class has the name of its file, or is called Main, or is the first of its file.
    """
    mains: dict[str, str] = {}
    for file, text in sources.items():
        code = masked_java(text)
        classes, package = _CLASS.findall(code), _PACKAGE.search(code)
        if classes and _MAIN_METHOD.search(code):
            own = next((one for one in (PurePosixPath(file).stem, "Main") if one in classes), classes[0])
            mains[file] = f"{package[1]}.{own}" if package else own
    file = next((one for one, name in mains.items() if name == "Main"), next(iter(mains), ""))
    others = {name: content for name, content in files.items() if name != file}
    if mains.get(file) == "Main":
        return {**others, "Main.java": files[file]}
    if len(mains) != 1:
        return None
    # The parameter's name hides a package of that name.
    start = f"public static void main(String[] given__) throws Exception {{ {mains[file]}.main(given__); }}"
    caller = f"class Main {{ {start} }}\n".encode()
    return {**others, "Main.java": caller, f"{mains[file].replace('.', '/')}.java": files[file]}


# ---------------------------------------------------------------- what the package says of a submission


def _labelled(package: Package, name: str, files: Files, losses: list[Loss]) -> LabelledProgram:
    folder = name.partition("/")[0]
    stated = [_OF_FOLDERS[folder]] if folder in _OF_FOLDERS else []
    scores: list[Fraction | None] = []
    for kind, text in (found for content in files.values() for found in _TAG.findall(content)):
        words = text.decode(errors="replace")
        if kind == b"SCORE":
            scores.append(as_number(words.strip().split(" ")[0]))
        else:
            stated.append(_results_of(words.split(",")))
    for entry in _entries_for(package, name, folder):
        scores.append(as_number(entry.get("score")))
        if not entry.keys() <= _OTHER_KEYS:
            losses.append(Loss(rule="stated-otherwise", where=name))
            return LabelledProgram(name=name, files=files)
    known = {score for score in scores if score is not None}
    results = frozenset.intersection(*stated) if stated else frozenset()
    if len(known) > 1 or (stated and not results):
        losses.append(Loss(rule="contradiction", where=name))
        return LabelledProgram(name=name, files=files)
    return LabelledProgram(name=name, files=files, results=results, score=next(iter(known), None))


def _entries_for(package: Package, name: str, folder: str) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of `submissions.yaml` for a submission or its folder, by patterns with `*` and `{a,b}`."""
    for pattern, entry in package.data("submissions/submissions.yaml").items():
        glob = re.sub(
            r"\\\{([^{}]*)\\\}", lambda one: f"(?:{one[1].replace(',', '|')})", translate(str(pattern).rstrip("/"))
        )
        if re.fullmatch(glob, name) or re.fullmatch(glob, folder):
            yield as_mapping(entry)


def _results_of(words: Sequence[str]) -> frozenset[str]:
    known = (_RESULTS.get(word.strip().upper().replace("_", "-")) for word in words)
    found = frozenset(result for result in known if result)
    return REJECTED if "rejected" in found else found
