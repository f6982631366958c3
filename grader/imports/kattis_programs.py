"""The submissions of a problem package -> the reference and the sample submissions, in one language.

A package takes every language and any file name; an assignment has one language and says what the file is called. So
the main file of each submission gets that name. Of a wrong submission it is known that it is wrong, but not in which
way: what is stated of it is what such a one usually gets, and `grader verify` tells where that is not so.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.imports.imported import text_or_word
from grader.imports.kattis_groups import Group
from grader.imports.kattis_package import Package, mapping
from grader.text import points
from grader.yaml.nodes import Node
from grader.yaml.writing import dump, listing, plain, table

Files = Mapping[str, bytes]

_EXPECTED = {
    "wrong_answer": ("failed", ("wrong",)),
    "run_time_error": ("crashed", ()),
    "time_limit_exceeded": ("timeout", ()),
}
"""folder of submissions -> the verdict of such a one, and its deviations"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How the programs of a language are called, built and started."""

    name: str
    endings: tuple[str, ...]
    main: str
    program: str
    build: str = ""
    produces: tuple[str, ...] = ()


LANGUAGES = (
    Language(name="python", endings=(".py", ".py3"), main="main.py", program="python3 main.py"),
    Language(
        name="java",
        endings=(".java",),
        main="Main.java",
        build="javac -encoding UTF-8 Main.java",
        produces=("*.class",),
        program="java Main",
    ),
    Language(
        name="cpp",
        endings=(".cpp", ".cc", ".cxx", ".c++"),
        main="main.cpp",
        build="g++ -O2 -std=gnu++20 -o main main.cpp",
        produces=("main",),
        program="./main",
    ),
    Language(
        name="c",
        endings=(".c",),
        main="main.c",
        build="gcc -O2 -std=gnu11 -o main main.c -lm",
        produces=("main",),
        program="./main",
    ),
)
"""the first with an accepted submission is taken"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """The submissions in the language of the assignment."""

    language: Language
    found: Mapping[tuple[str, str], Files]
    """verdict and name -> the files, the main one under the name that the assignment asks for"""

    @property
    def reference(self) -> Files | None:
        """The first accepted program, if it is in Python: a reference is run without being built."""
        accepted = [files for (verdict, _), files in self.found.items() if verdict == "accepted"]
        return accepted[0] if accepted and self.language.name == "python" else None


def read_programs(package: Package, notes: list[str]) -> Programs:
    """Read the submissions; adds to `notes` which are left out, and why."""
    all_files = _submissions(package)
    accepted = [files for (verdict, _), files in all_files.items() if verdict == "accepted"]
    language = next((one for one in LANGUAGES if any(_main(files, one) for files in accepted)), LANGUAGES[0])
    found: dict[tuple[str, str], Files] = {}
    others: list[str] = []
    for (verdict, name), files in all_files.items():
        main = _main(files, language)
        if main is None:
            others.append(f"{verdict}/{name}")
        else:
            found[verdict, name] = {language.main: files[main], **{n: c for n, c in files.items() if n != main}}
    notes.append(f"Language: the problem takes any; this takes {language.name}, in a file {language.main}.")
    if others:
        notes.append(f"Submissions in another language, or without one main file, are left out: {_listed(others)}.")
    return Programs(language=language, found=found)


def _submissions(package: Package) -> Mapping[tuple[str, str], Files]:
    """Return verdict and name -> the files of each submission, a single file or a folder."""
    constants = {f"{{{{{key}}}}}": str(value) for key, value in mapping(package.problem.get("constants")).items()}
    found: dict[tuple[str, str], dict[str, bytes]] = {}
    for path, content in package.below("submissions/").items():
        verdict, _, rest = path.partition("/")
        if not rest:
            continue  # submissions.yaml
        name, _, inner = rest.partition("/")
        found.setdefault((verdict, name), {})[inner or name] = _with_constants(content, constants)
    return found


def _with_constants(content: bytes, constants: Mapping[str, str]) -> bytes:
    for constant, value in constants.items():
        content = content.replace(constant.encode(), value.encode())
    return content


def _main(files: Files, language: Language) -> str | None:
    """Return the name of a submission's main file, if it is in this language."""
    own = [name for name in files if name.endswith(language.endings)]
    if language.name == "python":
        own = [name for name in own if not re.match(rb"#!.*python2", files[name])]
    if language.name == "java":
        # Renaming a file does not rename the class in it.
        return next((name for name in own if re.search(rb"\bclass\s+Main\b", files[name])), None)
    usual = [name for name in own if name in {language.main, "__main__.py"}]
    return usual[0] if usual else own[0] if len(own) == 1 else None


# ---------------------------------------------------------------- the samples


def samples(programs: Programs, groups: Sequence[Group], name: str, notes: list[str], *, has_points: bool) -> Files:
    """Return the sample submissions of the assignment `name`, with `expected.yaml`; none when there are none."""
    stated: dict[str, Node] = {}
    files: dict[str, bytes] = {}
    left: list[str] = []
    for (verdict, own), content in programs.found.items():
        sample = _unique(f"{verdict}-{own.rpartition('.')[0] or own}".replace("_", "-"), stated)
        expected = _expected(verdict, groups, has_points=has_points)
        if expected is None:
            left.append(f"{verdict}/{own}")
            continue
        stated[sample] = expected
        files.update({f"sample_submissions/{name}/{sample}/{inner}": text for inner, text in content.items()})
    if left:
        notes.append(f"Submissions whose score the package does not tell are left out: {_listed(left)}.")
    if not stated:
        return {}
    if len(stated) > sum(verdict == "accepted" for verdict, _ in programs.found):
        notes.append("expected.yaml: of the wrong samples it says what such ones usually get; see grader verify.")
    files[f"sample_submissions/{name}/expected.yaml"] = dump(table(stated), open_levels=1).encode()
    return files


def _expected(verdict: str, groups: Sequence[Group], *, has_points: bool) -> Node | None:
    """Return what a submission of this kind must get; None when nobody knows."""
    if verdict == "accepted":
        most = sum((group.points for group in groups), Fraction(0))
        return table({"score": plain(points(most)), "about": text_or_word("accepted in the package")})
    if has_points or verdict not in _EXPECTED:
        return None
    told, kinds = _EXPECTED[verdict]
    test: dict[str, Node] = {"score": plain("0"), "verdicts": listing([plain(told)])}
    if kinds:
        test["deviations"] = listing(map(plain, kinds))
    about = text_or_word(f"{verdict.replace('_', ' ')} in the package")
    return table({"score": plain("0"), "about": about, "tests": table({groups[-1].name: table(test)})})


def _unique(name: str, taken: Iterable[str]) -> str:
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name}-{number}", number + 1
    return unique


def _listed(names: Sequence[str]) -> str:
    most = 5
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
