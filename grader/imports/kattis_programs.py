"""The submissions of a problem package by language: their files and their expected results.

The package states results in the name of the folder, in the source (`@EXPECTED_RESULTS@`, `@EXPECTED_SCORE@`) and in
`submissions.yaml`; points also in the name of a file.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from grader.core.text import listed
from grader.imports.kattis_package import Files, Package, as_mapping, as_number, as_words

_CPP_ENDINGS = (".cpp", ".cc", ".cxx", ".c++", ".C")


class ProgramForm(NamedTuple):
    """The file names, start commands and build commands for programs in a language."""

    language: str
    endings: tuple[str, ...]
    main: str
    program: str
    build: str = ""
    build_all: str = ""
    """of several source files"""
    produces: tuple[str, ...] = ()
    suffix: str = ""
    """what the id of its spec ends in, where that is not the language"""


_SCRIPTS = ProgramForm(
    "bash",
    (),
    "build",
    "./run",
    "sh -c 'chmod +x build && ./build && chmod +x run'",
    produces=("*",),
    suffix="scripts",
)
"""of a program with a script `build`, that makes `run`, or has it beside it; its sources are in any language"""
_PYPY = ProgramForm("python", (".py", ".py3"), "main.py", "pypy3 main.py", suffix="pypy")
"""of a program that asks for PyPy: in its first line, or in submissions.yaml"""
_PYPY_LINE = re.compile(rb"#![^\n]*\bpypy3?\b")
_NOTHING_TO_BUILD = b"#!/bin/sh\n"
_PROGRAM_FORMS = (
    ProgramForm("python", (".py", ".py3"), "main.py", "python3 main.py"),
    ProgramForm(
        "java",
        (".java",),
        "Main.java",
        "java Main",
        "javac -encoding UTF-8 Main.java",
        # Wherever a file lies, its class goes where its package line says.
        """sh -c 'javac -encoding UTF-8 -d . $(find . -name "*.java")'""",
        ("*.class",),
    ),
    ProgramForm(
        "cpp",
        _CPP_ENDINGS,
        "main.cpp",
        "./main",
        "g++ -O2 -std=gnu++20 -o main main.cpp",
        "sh -c 'g++ -O2 -std=gnu++20 -o main *.cpp'",
        ("main",),
    ),
    ProgramForm(
        "c",
        (".c",),
        "main.c",
        "./main",
        "gcc -O2 -std=gnu11 -o main main.c -lm",
        "sh -c 'gcc -O2 -std=gnu11 -o main *.c -lm'",
        ("main",),
    ),
    ProgramForm("javascript", (".js",), "main.js", "node main.js"),
    ProgramForm("ruby", (".rb",), "main.rb", "ruby main.rb"),
    ProgramForm("lua", (".lua",), "main.lua", "lua5.4 main.lua"),
    ProgramForm("bash", (".sh", ".bash"), "main.sh", "bash ./main.sh"),
    ProgramForm("pascal", (".pas",), "main.pas", "./main", "fpc -O2 -omain main.pas", produces=("main",)),
    ProgramForm("go", (".go",), "main.go", "./main", "go build -o main main.go", produces=("main",)),
    ProgramForm("rust", (".rs",), "main.rs", "./main", "rustc -O --edition=2021 -o main main.rs", produces=("main",)),
    ProgramForm("haskell", (".hs",), "main.hs", "./main", "ghc -O2 -o main main.hs", produces=("main",)),
    ProgramForm(
        "ocaml",
        (".ml",),
        "main.ml",
        "./main",
        "ocamlopt -g -I +str -I +unix -o main unix.cmxa str.cmxa main.ml",  # which judges link
        produces=("main",),
    ),
    ProgramForm("fortran", (".f90", ".f95"), "main.f90", "./main", "gfortran -O2 -o main main.f90", produces=("main",)),
    ProgramForm(
        "csharp",
        (".cs",),
        "main.cs",
        "mono main.exe",
        "mcs -debug -r:System.Numerics -out:main.exe main.cs",
        produces=("main.exe", "main.exe.mdb"),
    ),
    ProgramForm(
        "kotlin",
        (".kt",),
        "main.kt",
        "java -jar main.jar",
        "kotlinc main.kt -include-runtime -d main.jar",
        produces=("main.jar",),
    ),
)
"""the first with an accepted submission comes first; no `.pl`, which is Perl to some judges and Prolog to others"""
_INCLUDE_FOLDERS = {"python": ("python3", "python")}
_RESULTS = {
    "CORRECT": "accepted",
    "ACCEPTED": "accepted",
    "AC": "accepted",
    "WRONG-ANSWER": "wrong answer",
    "WA": "wrong answer",
    "NO-OUTPUT": "wrong answer",
    "TIMELIMIT": "time limit exceeded",
    "TIME-LIMIT-EXCEEDED": "time limit exceeded",
    "TLE": "time limit exceeded",
    "RUN-ERROR": "run time error",
    "RUN-TIME-ERROR": "run time error",
    "RTE": "run time error",
    "MEMORY-LIMIT": "run time error",
    "OUTPUT-LIMIT": "output limit exceeded",
    "PARTIALLY-ACCEPTED": "partially accepted",
    "PAC": "partially accepted",
    "COMPILER-ERROR": "compiler error",
    "REJECTED": "rejected",
}
"""in sources and `submissions.yaml`"""
_EVERY_RESULT = frozenset({"accepted", "wrong answer", "time limit exceeded", "run time error"})
_OF_FOLDERS = {
    "brute_force": frozenset({"time limit exceeded", "run time error"}),
    "runtime_exception": frozenset({"run time error"}),
    "no_output": frozenset({"wrong answer"}),
}
"""what the names of folders say that are none of a result"""
_ENTRIES = "submissions/submissions.yaml"
_FOLDERS = frozenset({"rejected", "output_limit_exceeded", "compiler_error", "compile_error", "memory_limit_exceeded"})
_TAG = re.compile(rb"@EXPECTED_(RESULTS|SCORE)@:[ \t]*([^\n\r*]*)")
_NAMED_POINTS = re.compile(r"(?:^|[-_.])(?:([0-9]{1,5})(?:p|pts?|points)|(?:score|points)[-_]?([0-9]{1,5}))(?=[-_.]|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The expected result of a submission in a package; empty where the package contradicts itself."""

    results: frozenset[str] = frozenset()
    """any of these is right: `accepted`, `wrong answer`, ..."""
    score: Fraction | None = None

    @property
    def description(self) -> str:
        """The expected results in words, for `about`."""
        return " or ".join(sorted(self.results)) or "judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledProgram:
    """A submission of the package, with the files that the assignment asks for."""

    name: str
    """`accepted/ann.py`"""
    files: Files
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """The submissions in one language."""

    form: ProgramForm
    found: Sequence[LabelledProgram]
    include: Files
    """files that are added to each of them"""
    has_several: bool
    """whether one has several source files, or include has one"""

    @property
    def reference(self) -> Files | None:
        """The first accepted program, if it is in Python: a reference is run without being built."""
        accepted = [one.files for one in self.found if one.label.results == {"accepted"}]
        is_python = self.form.program.startswith("python3")
        return {**accepted[0], **self.include} if accepted and is_python else None


def read_programs(package: Package, notes: list[str]) -> Sequence[Programs]:
    """Read the submissions, first those in the language of the first accepted one; add the omitted ones to `notes`.

    A package accepts any language and file name; an assignment fixes both.
    So the main file of each submission gets that name. In Java, where a class has the name of its file, a `Main` is
    added that calls it.
    """
    every = read_labelled(package, notes)
    submissions = {one.name: one.files for one in every}
    labels = {one.name: one.label for one in every}
    made: list[Programs] = []
    scripts = _with_scripts(submissions, labels)
    left = set(submissions) - {one.name for programs in scripts for one in programs.found}
    for_pypy = {name for name, files in submissions.items() if _asks_for_pypy(package, name, files)}
    for form in (_PYPY, *_PROGRAM_FORMS):
        asked = left & for_pypy if form is _PYPY else left
        own = {name: files for name, files in submissions.items() if name in asked and _sources_in(files, form)}
        include = _include_of(package, form)
        if any(_is_main(name, content, form) for name, content in include.items()):
            notes.append(f"Programs in {form.language}, whose main file is in include/, are left out.")
            left -= set(own)
            continue
        prepared = {
            name: files
            for name, given in own.items()
            if (files := _prepared(given, form, _entry_point(package, name))) is not None
        }
        left -= set(prepared)
        found = [LabelledProgram(name=name, files=files, label=labels[name]) for name, files in prepared.items()]
        several = any(len(_sources_in({**one.files, **include}, form)) > 1 for one in found)
        if found:
            made.append(Programs(form=form, found=found, include=include, has_several=several))
    made += scripts
    if left:
        names = listed(sorted(left), most=5)
        notes.append(f"Submissions in another language, or without one main file, are left out: {names}.")
    # A spec for PyPy or for scripts is the first only where there is no other with an accepted program.
    made.sort(key=lambda programs: (not _is_accepted(programs), bool(programs.form.suffix)))
    return made or [Programs(form=_PROGRAM_FORMS[0], found=(), include={}, has_several=False)]


def read_labelled(package: Package, notes: list[str]) -> Sequence[LabelledProgram]:
    """Return the submissions as they are; adds to `notes` where the package contradicts itself."""
    return [
        LabelledProgram(name=name, files=files, label=_label_of(package, name, files, notes))
        for name, files in _read_submissions(package).items()
    ]


def _is_accepted(programs: Programs) -> bool:
    return any("accepted" in one.label.results for one in programs.found)


def _with_scripts(submissions: Mapping[str, Files], labels: Mapping[str, Label]) -> Sequence[Programs]:
    """Return the submissions with a script `build` or `run`, as one kind of programs; none where there are none."""
    found = [
        LabelledProgram(name=name, files={"build": _NOTHING_TO_BUILD, **files}, label=labels[name])
        for name, files in submissions.items()
        if not {"build", "run"}.isdisjoint(files)
    ]
    return [Programs(form=_SCRIPTS, found=found, include={}, has_several=False)] if found else []


def _asks_for_pypy(package: Package, name: str, files: Files) -> bool:
    stated = [str(entry.get("language", "")) for entry in _entries_for(package, name)]
    return any(one.startswith("pypy") for one in stated) or any(map(_PYPY_LINE.match, files.values()))


def _read_submissions(package: Package) -> Mapping[str, Files]:
    submissions: dict[str, dict[str, bytes]] = {}
    for path, content in package.below("submissions/").items():
        verdict, _, rest = path.partition("/")
        if not rest:
            continue  # submissions.yaml
        name, _, inner = rest.partition("/")
        submissions.setdefault(f"{verdict}/{name}", {})[inner or name] = content
    return submissions


def _include_of(package: Package, form: ProgramForm) -> Files:
    folders = [f"include/{name}/" for name in _INCLUDE_FOLDERS.get(form.language, (form.language,))]
    found = next((files for folder in folders if (files := package.below(folder))), None)
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


def _entry_point(package: Package, name: str) -> str:
    return next((str(entry["entrypoint"]) for entry in _entries_for(package, name) if "entrypoint" in entry), "")


def _prepared(files: Files, form: ProgramForm, entry: str) -> Files | None:
    """Return the files with the main one, `entry` where the package says it, under the name that is asked for.

    None when it is not known which it is.
    """
    sources = _sources_in(files, form)
    if form.language == "java":
        return _with_java_main({name: files[name] for name in sources}, files)
    mains = [name for name in sources if _is_main(name, files[name], form)] or sources
    mains = [entry] if entry in sources else mains
    if len(mains) > 1 and form.main not in mains and form.language != "python":
        return None
    main = form.main if form.main in mains else mains[0]
    renamed = {}
    for name, content in files.items():
        ending = next((ending for ending in _CPP_ENDINGS if name.endswith(ending)), "")
        inner = name.removesuffix(ending) + ".cpp" if ending and form.language == "cpp" else name
        if name != main or (len(sources) > 1 and form.language == "python"):  # which the others may import
            renamed[inner] = content
    return {**renamed, form.main: files[main]}


_NO_CODE = re.compile(rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_JAVA_WORDS = re.compile(rb"(?P<type>\b(?:class|enum|interface|record)\s+(?P<name>\w+))|\bvoid\s+main\s*\(|[{}]")


def _with_java_main(sources: Files, files: Files) -> Files | None:
    """Return the files with a `Main.java`: their own, or one that calls the class with the main method."""
    mains: dict[str, str] = {}
    for file, content in sources.items():
        code = _NO_CODE.sub(b" ", content)
        if name := _class_with_main(code):
            mains[file] = ".".join(filter(None, (_package(code), name)))
    if not mains:
        mains = {file: "Main" for file, text in sources.items() if re.search(rb"\bclass\s+Main\b", text)}
    if "Main" in mains.values():
        main = next(file for file, name in mains.items() if name == "Main")
        return {"Main.java": files[main], **{name: text for name, text in files.items() if name != main}}
    if len(mains) != 1 or any(re.search(rb"\bclass\s+Main\b", text) for text in sources.values() if not _package(text)):
        return None
    (file, name) = next(iter(mains.items()))
    placed = {**{other: text for other, text in files.items() if other != file}}
    placed[f"{name.replace('.', '/')}.java"] = files[file]
    # The parameter's name hides a package of that name.
    caller = (
        f"class Main {{ public static void main(String[] given__) throws Exception {{ {name}.main(given__); }} }}\n"
    )
    return {"Main.java": caller.encode(), **placed}


def _package(code: bytes) -> str:
    found = re.search(rb"^\s*package\s+([\w.]+)\s*;", code, re.MULTILINE)
    return found[1].decode() if found else ""


def _class_with_main(code: bytes) -> str:
    """Return the top-level class with a main method; empty when there is none."""
    depth, name = 0, ""
    for match in _JAVA_WORDS.finditer(code):
        if match["type"]:
            name = match["name"].decode() if depth == 0 else name
        elif match[0] in b"{}":
            depth += 1 if match[0] == b"{" else -1
        elif depth == 1:
            return name
    return ""


# ---------------------------------------------------------------- what the package says of a submission


def _label_of(package: Package, name: str, files: Files, notes: list[str]) -> Label:
    folder, _, own = name.partition("/")
    stated = list(_stated_by_folder(package, folder))
    scores: list[Fraction] = []
    for content in files.values():
        for kind, text in _TAG.findall(content):
            words = text.decode(errors="replace")
            number = as_number(words.strip().split(" ")[0])
            if kind == b"SCORE" and number is not None:
                scores.append(number)
            if kind == b"RESULTS":
                stated.append(_results_of(words.split(",")))
    for entry in _entries_for(package, name):
        stated += _stated_by(entry)
        if (number := as_number(entry.get("score"))) is not None:
            scores.append(number)
    named = _NAMED_POINTS.search(own.rpartition(".")[0] or own)
    if named and package.is_scoring and not scores:
        scores.append(Fraction(named[1] or named[2]))
    if len({*scores}) > 1 or (stated and not _common(stated)):
        notes.append(f"{name}: its folder, its source and submissions.yaml say different things; it is left out.")
        return Label()
    return Label(results=_common(stated), score=scores[0] if scores else None)


def _stated_by_folder(package: Package, folder: str) -> Iterator[frozenset[str]]:
    """Yield the results stated by a folder's name, unless `submissions.yaml` redefines it."""
    anew = as_mapping(package.data(_ENTRIES).get(folder)).keys() & {"permitted", "required"}
    known = folder.replace("_", " ")
    if folder in _OF_FOLDERS or folder in _FOLDERS or known in _RESULTS.values():
        of_name = _OF_FOLDERS.get(folder, frozenset({known}))
        if not anew:
            yield of_name
        elif anew == {"permitted"} and "accepted" not in of_name:  # it still has to fail
            yield frozenset({"rejected"})


def _common(stated: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the results that all statements allow; `rejected` is every result except accepted."""
    found: frozenset[str] = stated[0] if stated else frozenset()
    for one in stated[1:]:
        if "rejected" in found:
            found = one - {"accepted"}
        elif "rejected" in one:
            found -= {"accepted"}
        else:
            found &= one
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
    parts = re.split(r"(\*|\{[^{}]*\})", written)
    either = {
        part: "|".join(map(_pattern_of, part[1:-1].split(",")))
        for part in parts
        if part.startswith("{") and part.endswith("}")
    }
    return "".join(
        f"(?:{either[part]})" if part in either else "[^/]*" if part == "*" else re.escape(part) for part in parts
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
