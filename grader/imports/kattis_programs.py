"""The submissions of a problem package by language: their files and their expected results.

The package states results in the name of the folder, in the source (`@EXPECTED_RESULTS@`, `@EXPECTED_SCORE@`) and in
`submissions.yaml`; points also in the name of a file.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import replace

from grader.core.text import listed
from grader.imports.draft import Loss
from grader.imports.kattis_package import KATTIS, Files, Package, as_mapping, as_number, as_words
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
    suffix: str = ""  # what the id of its spec ends in, where that is not the language

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of sources."""
        return (PurePosixPath(self.main).suffix, *self.others)


_FORMS = convert(KATTIS["forms"], tuple[ProgramForm, ...])
_SCRIPTS = ProgramForm(
    language="bash",
    main="build",
    program="./run",
    build="sh -c 'chmod +x build && ./build && chmod +x run'",
    produces=("*",),
    suffix="scripts",
)
"""of a program with a script `build`, that makes `run`, or has it beside it; its sources are in any language"""
_PYPY = replace(_FORMS[0], program="pypy3 main.py", suffix="pypy")
"""of a program that asks for PyPy: in its first line, or in submissions.yaml"""
_PYPY_LINE = re.compile(rb"#![^\n]*\bpypy3?\b")
_ANSWER_ENDINGS = (".out", ".ans", ".txt")
_RESULTS = {word: result for result, words in KATTIS["results"].items() for word in words}
_OF_FOLDERS = {**{result.replace(" ", "_"): [result] for result in KATTIS["results"]}, **KATTIS["folders"]}
_EVERY_RESULT = frozenset({"accepted", "wrong answer", "time limit exceeded", "run time error"})
_ENTRIES = "submissions/submissions.yaml"
_TAG = re.compile(rb"@EXPECTED_(RESULTS|SCORE)@:[ \t]*([^\n\r*]*)")
_NAMED_POINTS = re.compile(r"(?:^|[-_.])(?:([0-9]{1,5})(?:p|pts?|points)|(?:score|points)[-_]?([0-9]{1,5}))(?=[-_.]|$)")


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
    include: Files = {}  # files that are added to each of them

    @property
    def build(self) -> str:
        """The command that builds each of them, also where one has several source files, or include has one."""
        has_several = any(len(_sources_in({**one.files, **self.include}, self.form)) > 1 for one in self.found)
        return (has_several and self.form.build_all) or self.form.build

    @property
    def reference(self) -> Files | None:
        """The first accepted program, if it is in Python: a reference is run without being built."""
        accepted = [one.files for one in self.found if one.results == {"accepted"}]
        is_python = self.form.program.startswith("python3")
        return {**accepted[0], **self.include} if accepted and is_python else None


def read_programs(package: Package, every: Sequence[LabelledProgram], losses: list[Loss]) -> Sequence[Programs]:
    """Return the submissions by language, first that of the first accepted one; add the omitted ones to `losses`.

    An assignment fixes the name of the main file, so that of each submission gets it. In Java, where a class has the
    name of its file, a `Main` is added that calls it.
    """
    left = {one.name: one for one in every}
    made: list[Programs] = []
    for form in (_SCRIPTS, _PYPY, *_FORMS):
        include = {} if form is _SCRIPTS else _include_of(package, form)
        found: list[LabelledProgram] = []
        is_main_there = any(_is_main(name, content, form) for name, content in include.items())
        for one in list(left.values()):
            if form is _PYPY and not _asks_for_pypy(package, one):
                continue
            files: Files | None
            if form is _SCRIPTS:
                files = {"build": b"#!/bin/sh\n", **one.files} if {"build", "run"} & one.files.keys() else None
            else:
                entries = _entries_for(package, one.name)
                entry = next((str(stated["entrypoint"]) for stated in entries if "entrypoint" in stated), "")
                files = _prepared(one.files, form, entry)
            if files is not None:
                found.append(replace(left.pop(one.name), files=files))
        if found and is_main_there:
            losses.append(Loss(rule="main-in-include", detail=form.language))
        elif found:
            made.append(Programs(form=form, found=found, include=include))
    if left:
        losses.append(Loss(rule="no-form", detail=listed(sorted(left), most=5)))
    # A spec for PyPy or for scripts is the first only where no other has an accepted program.
    made.sort(key=lambda some: (not any("accepted" in one.results for one in some.found), bool(some.form.suffix)))
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


def answers_in(files: Files, names: Mapping[str, str]) -> Files:
    """Return those files that answer an input, under the name asked for; there they may lie in folders of inputs."""
    found: dict[str, bytes] = {}
    for name, wanted in names.items():
        stems = (name, name.rpartition("/")[2], wanted.removesuffix(".out"))
        of_stems = {str(PurePosixPath(one).with_suffix("")): one for one in files if one.endswith(_ANSWER_ENDINGS)}
        # An answer in the folder of its input is no answer for one of the same name in another.
        if own := next((of_stems[stem] for stem in stems if stem in of_stems), None):
            found[wanted] = files[own]
    return found


def _asks_for_pypy(package: Package, one: LabelledProgram) -> bool:
    stated = any(str(entry.get("language", "")).startswith("pypy") for entry in _entries_for(package, one.name))
    return stated or any(map(_PYPY_LINE.match, one.files.values()))


def _include_of(package: Package, form: ProgramForm) -> Files:
    names = ("python3", "python") if form.language == "python" else (form.language,)
    found = next((files for name in names if (files := package.below(f"include/{name}/"))), None)
    return package.below("include/default/") if found is None else found


# ---------------------------------------------------------------- files of a submission, as the assignment wants them


def _sources_in(files: Files, form: ProgramForm) -> list[str]:
    own = [name for name in files if name.endswith(form.endings)]
    if form.language == "python":
        own = [name for name in own if not re.match(rb"#!.*python2", files[name])]
    return own


def _is_main(name: str, content: bytes, form: ProgramForm) -> bool:
    if not name.endswith(form.endings):
        return False
    if form.language == "python":
        return name in {"main.py", "__main__.py"}
    wanted = rb"\bvoid\s+main\s*\(" if form.language == "java" else rb"\bmain\s*\("
    return name == form.main or re.search(wanted, content) is not None


def _prepared(files: Files, form: ProgramForm, entry: str) -> Files | None:
    """Return the files with the main one, `entry` where the package says it, under the name that is asked for.

    None when it has no source in the language, or it is not known which is the main one.
    """
    sources = _sources_in(files, form)
    if form.language == "java":
        return _with_java_main({name: files[name].decode(errors="replace") for name in sources}, files)
    mains = [name for name in sources if _is_main(name, files[name], form)] or sources
    mains = [entry] if entry in sources else mains
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


_JAVA_WORDS = re.compile(r"(?P<type>\b(?:class|enum|interface|record)\s+(?P<name>\w+))|\bvoid\s+main\s*\(|[{}]")


def _with_java_main(sources: Mapping[str, str], files: Files) -> Files | None:
    """Return the files with a `Main.java`: their own, or one that calls the class with the main method."""
    mains: dict[str, str] = {}
    packages: dict[str, str] = {}
    for file, text in sources.items():
        code = masked_java(text)
        package = re.search(r"^\s*package\s+([\w.]+)\s*;", code, re.MULTILINE)
        packages[file] = package[1] if package else ""
        if name := _class_with_main(code):
            mains[file] = ".".join(filter(None, (packages[file], name)))
    of_main = [file for file, text in sources.items() if re.search(r"\bclass\s+Main\b", text)]
    mains = mains or dict.fromkeys(of_main, "Main")
    own = next((file for file, name in mains.items() if name == "Main"), None)
    others = {name: text for name, text in files.items() if name not in mains or (name != own and own)}
    if own:
        return {"Main.java": files[own], **others}
    if len(mains) != 1 or any(not packages[file] for file in of_main):
        return None
    ((file, name),) = mains.items()
    # The parameter's name hides a package of that name.
    caller = (
        f"class Main {{ public static void main(String[] given__) throws Exception {{ {name}.main(given__); }} }}\n"
    )
    return {"Main.java": caller.encode(), **others, f"{name.replace('.', '/')}.java": files[file]}


def _class_with_main(code: str) -> str:
    """Return the top-level class with a main method; empty when there is none."""
    depth, name = 0, ""
    for match in _JAVA_WORDS.finditer(code):
        if match["type"]:
            name = match["name"] if depth == 0 else name
        elif match[0] in "{}":
            depth += 1 if match[0] == "{" else -1
        elif depth == 1:
            return name
    return ""


# ---------------------------------------------------------------- what the package says of a submission


def _labelled(package: Package, name: str, files: Files, losses: list[Loss]) -> LabelledProgram:
    folder, _, own = name.partition("/")
    stated = list(_stated_by_folder(package, folder))
    scores: list[Fraction | None] = []
    for kind, text in (found for content in files.values() for found in _TAG.findall(content)):
        words = text.decode(errors="replace")
        if kind == b"SCORE":
            scores.append(as_number(words.strip().split(" ")[0]))
        else:
            stated.append(_results_of(words.split(",")))
    for entry in _entries_for(package, name):
        stated += _stated_by(entry)
        scores.append(as_number(entry.get("score")))
    known = {score for score in scores if score is not None}
    named = _NAMED_POINTS.search(own.rpartition(".")[0] or own)
    if named and package.is_scoring and not known:
        known = {Fraction(named[1] or named[2])}
    if len(known) > 1 or (stated and not _common(stated)):
        losses.append(Loss(rule="contradiction", where=name))
        return LabelledProgram(name=name, files=files)
    return LabelledProgram(name=name, files=files, results=_common(stated), score=next(iter(known), None))


def _stated_by_folder(package: Package, folder: str) -> Iterator[frozenset[str]]:
    """Yield the results stated by a folder's name, unless `submissions.yaml` redefines it."""
    anew = as_mapping(package.data(_ENTRIES).get(folder)).keys() & {"permitted", "required"}
    of_name = frozenset(_OF_FOLDERS.get(folder, ()))
    if of_name and not anew:
        yield of_name
    elif of_name and anew == {"permitted"} and "accepted" not in of_name:  # it still has to fail
        yield frozenset({"rejected"})


def _common(stated: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the results that all statements allow; `rejected` is every result except accepted."""
    found: frozenset[str] = stated[0] if stated else frozenset()
    for one in stated[1:]:
        if "rejected" in one:
            found -= {"accepted"}
        else:
            found = one - {"accepted"} if "rejected" in found else found & one
    return found


def _results_of(words: Sequence[str]) -> frozenset[str]:
    known = (_RESULTS.get(word.strip().upper().replace("_", "-")) for word in words)
    return frozenset(result for result in known if result)


def _entries_for(package: Package, name: str) -> Sequence[Mapping[str, Any]]:
    """Return the entries of `submissions.yaml` for a submission or its folder, by patterns with `*` and `{}`."""
    return [
        as_mapping(entry)
        for pattern, entry in package.data(_ENTRIES).items()
        if any(re.fullmatch(_pattern_of(str(pattern).rstrip("/")), one) for one in (name, name.partition("/")[0]))
    ]


def _pattern_of(written: str) -> str:
    """Return a glob as a regular expression: `*` is within a name, and `{a,b}` is either."""
    special = {"*": "[^/]*", "{": "(?:", "}": ")", ",": "|"}
    parts = re.split(r"(\{[^{}]*\}|\*)", written)
    return "".join(
        re.sub(r"[*{},]|[^*{},]+", lambda found: special.get(found[0]) or re.escape(found[0]), part)
        if place % 2
        else re.escape(part)
        for place, part in enumerate(parts)
    )


def _stated_by(entry: Mapping[str, Any]) -> Iterator[frozenset[str]]:
    """Yield the results that an entry of `submissions.yaml` allows for all inputs, or requires of at least one.

    A statement on some inputs only shows that not all are accepted, if it does.
    """
    permitted = _results_of(as_words(entry.get("permitted"))) or _EVERY_RESULT
    if "permitted" in entry:
        yield permitted
    required = _results_of(as_words(entry.get("required")))
    if required and "accepted" not in required:
        yield permitted - {"accepted"}
    for key, inner in entry.items():
        is_of_some = str(key).startswith(("sample", "secret")) and isinstance(inner, dict)
        if is_of_some and any("accepted" not in one for one in _stated_by(inner)):
            yield frozenset({"rejected"})
