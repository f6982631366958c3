"""A problem package as it lies in its folder: its files, its YAML as plain values, its test data, its submissions.

It is read as a student's submission is: by descriptor and within limits. A link is followed only inside the package. A
file name that the format forbids is replaced by an allowed one, so that no name leads out of the folder when written.
"""

import math
import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.build.staging import read_submission
from grader.core.build.tree import MIB, Refused, StagingLimits
from grader.core.course_programs import BUILD_SCRIPT
from grader.core.errors import SpecError, UsageError
from grader.core.model.layout import ContentsByName, LazyBytes, content_of, size_of
from grader.core.model.spec import INTERACTOR_COMPILED, INTERACTOR_STARTS
from grader.core.reader.files import read_data, read_top, to_data
from grader.core.text import listed
from grader.imports import Tell, check_name, default_grader, tell_nobody
from grader.imports.draft import Loss

Files = Mapping[str, bytes]  # by their paths
KATTIS: Mapping[str, Any] = read_data(Path(__file__).with_name("kattis.yaml"))
PROBLEM, JUDGE = "problem.yaml", "domjudge-problem.ini"
_JUDGE_LINE = re.compile(r"(?m)^[ \t]*([\w-]+)[ \t]*=[ \t]*['\"]?(.*?)['\"]?[ \t\r]*$")
MAX_PACKAGE_FILES = 20_000
_MAX_HELD_BYTES = 2**10  # of a file that is in memory while a package is imported
_Contents = Mapping[str, LazyBytes]
_IMPORTED_FOLDERS = ("data/sample/", "data/secret/", "submissions/", "include/", "output_validator")
_PROGRAM_FOLDERS = ("submissions/", "include/", "output_validator")
_RUN_FLAG = re.compile(r"(?:.* )?grader-run=[0-9]+")  # which run it is of an input that `grader export kattis` repeats
_SETTINGS = ("testdata.yaml", "test_group.yaml")
_ON_REJECT = {"first_error": "break", "grade": "continue"}  # a word of `grading` in problem.yaml -> that of `on_reject`


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A problem package."""

    path: Path
    problem: Mapping[str, Any]  # its `problem.yaml`
    files: ContentsByName  # but for names with a dot in front, which do not belong to it
    links: Sequence[str]  # what is neither a file nor a folder, and does not lead to one inside the package
    renamed: Mapping[str, str] = field(default_factory=dict)  # new name -> the one that cannot be carried over
    twice: Sequence[str] = ()  # keys of `problem.yaml` that are there twice, and that nobody reads

    @property
    def is_legacy(self) -> bool:
        """Whether it is of the older form, with `testdata.yaml`."""
        return str(self.problem.get("problem_format_version", "legacy")).startswith("legacy")

    @property
    def is_scoring(self) -> bool:
        """Whether submissions get points, and are not accepted or rejected only."""
        return "scoring" in as_words(self.problem.get("type"))

    @property
    def has_validator(self) -> bool:
        """Whether it has an output validator of its own."""
        if self.is_legacy:
            return as_words(self.problem.get("validation"))[:1] == ["custom"]
        return any(name.startswith(("output_validator/", "output_validators/")) for name in self.files)

    @property
    def of_judge(self) -> Mapping[str, str]:
        """The settings for DOMjudge alone, by their keys; none of a package that is not for DOMjudge."""
        return dict(_JUDGE_LINE.findall(self.files.get(JUDGE, b"").decode(errors="replace")))

    @property
    def interaction(self) -> str:
        """`interactive`, `multi-pass`, both, or nothing."""
        kind = {*as_words(self.problem.get("type")), *as_words(self.problem.get("validation"))}
        return " and ".join(word for word in ("interactive", "multi-pass") if word in kind)

    def error(self, problem: str) -> UsageError:
        """Return the error that this cannot be imported."""
        return UsageError(f"{self.path}: {problem}")

    def settings(self, folder: str) -> Mapping[str, Any]:
        """Return the own settings of a group of test data."""
        return {**self.data(f"{folder}/testdata.yaml"), **self.data(f"{folder}/test_group.yaml")}

    def folders(self, folder: str) -> Sequence[str]:
        """Return the sorted names of the folders in a folder, without the `.files` of an input."""
        inner = {name.partition("/")[0] for name in self.below(folder) if "/" in name}
        return sorted(name for name in inner if not name.endswith(".files"))

    def data(self, name: str) -> Mapping[str, Any]:
        """Return the content of a YAML file, empty when it does not exist. Raises SpecError for invalid YAML."""
        if not any(line.strip() and not line.startswith(b"#") for line in self.files.get(name, b"").splitlines()):
            return {}
        return _read_mapping(self.path, self.renamed.get(name, name))

    def below(self, folder: str) -> ContentsByName:
        """Return the files in a folder, by their path in it, in the order of the names."""
        contents = self.files.data
        below = sorted(name for name in contents if name.startswith(folder))
        return ContentsByName({name.removeprefix(folder): contents[name] for name in below})


@dataclass(frozen=True, slots=True, kw_only=True)
class KattisOptions:
    """How packages are imported."""

    max_bytes: int = 1024 * MIB  # of all files of a package
    tell: Tell = tell_nobody
    measure: bool = False  # whether a missing limit of time is derived by running the accepted programs


DEFAULT_OPTIONS = KattisOptions()


def read_package(path: Path, options: KattisOptions = DEFAULT_OPTIONS) -> Package:
    """Read the package in a folder; UsageError when it is not one, is too large, or a file name is refused."""
    path, max_bytes = path.resolve(), options.max_bytes
    if not path.exists():
        raise UsageError(f"{path} does not exist; name the folder or the archive of a problem package")
    if not path.is_dir():
        raise UsageError(f"{path} is neither a folder nor an archive (zip, tar, tar.gz, tar.bz2, tar.xz)")
    if not (path / PROBLEM).is_file():
        raise UsageError(f"{path} is no problem package: it has no {PROBLEM}; name the folder that has it")
    try:
        limits = StagingLimits(files=MAX_PACKAGE_FILES, size=max_bytes, held=_MAX_HELD_BYTES)
        tree = read_submission(path, limits, lambda size: options.tell("reading", size))
    except Refused as refused:
        raise UsageError(f"{path}: {refused.fact.replace('submission', 'package')}; see --max-size") from refused
    if PROBLEM not in tree.files:
        raise UsageError(f"{path}: {PROBLEM} is a link; put the file itself there")
    extra = re.compile(r"(?s)(?!\.timelimit\Z)(?:.*/)?[.-]")  # with a dot or a dash in front
    own = {name: file.stored or file.content for name, file in tree.files.items() if not extra.match(name)}
    found, links = _with_links(path, own, tree.left_out, max_bytes)
    files, renamed = _with_plain_names(found)
    top = read_top(path / PROBLEM)
    problem, twice = _read_mapping(path, PROBLEM, lambda _: to_data(top)), top.context.problems.values()
    if wrong := [one for one in twice if re.split(r"[.\[]", one.path)[0] in KATTIS["problem_keys"]]:
        raise SpecError(tuple(wrong))
    package = Package(
        path=path,
        problem=problem,
        files=ContentsByName(_with_constants(path, files, as_mapping(problem.get("constants")))),
        links=links,
        renamed=renamed,
        twice=[one.path for one in twice],
    )
    for key in ("special_compare", "special_run"):
        if package.of_judge.get(key) and not package.has_validator:
            missing = f"{key} in {JUDGE} names a program of the judge's own, which the package does not have"
            raise UsageError(f"{path}: {missing}: put it into output_validators/")
    return package


def _with_constants(path: Path, files: _Contents, constants: Mapping[str, Any]) -> _Contents:
    """Return the files, with the constants of the problem replaced in programs."""
    values = {f"{{{{{name}}}}}".encode(): value.encode() for name, value in _constants(constants)}
    if not values:
        return files
    pattern = re.compile(b"|".join(map(re.escape, values)))
    found = dict(files)
    for name, content in files.items():
        if name.startswith(_PROGRAM_FOLDERS):
            found[name] = pattern.sub(lambda constant: values[constant[0]], content_of(content))
        elif name.startswith("data/") and name.endswith(_SETTINGS) and pattern.search(content_of(content)):
            raise UsageError(f"{path}: {name} has constants of the problem in it: write their values there")
    return found


def _constants(constants: Mapping[str, Any], around: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names of constants with their values; those within a constant as `FIVE.INT`."""
    for name, value in constants.items():
        if isinstance(value, dict):
            yield from _constants(value, f"{around}{name}.")
        else:
            yield f"{around}{name}", str(value)


def _with_links(path: Path, files: _Contents, links: Sequence[str], max_bytes: int) -> tuple[_Contents, Sequence[str]]:
    """Return the files with the targets of links inside the package, and the names of all other links."""
    found, others = dict(files), []
    size = sum(map(size_of, files.values()))
    for name in links:
        target = os.path.relpath(os.path.realpath(path / name), path)
        inner = {name: files[target]} if target in files else {}
        if not inner and not name.startswith(f"{target}/"):
            start = f"{target}/"
            inner = {f"{name}/{one.removeprefix(start)}": files[one] for one in files if one.startswith(start)}
        found.update(inner)
        size += sum(map(size_of, inner.values()))
        others += [] if inner else [name]
        if len(found) > MAX_PACKAGE_FILES or size > max_bytes:
            problem = f"it has more than {MAX_PACKAGE_FILES} files, or is larger than {max_bytes // MIB} MiB"
            raise UsageError(f"{path}: with what its links lead to, {problem}; see --max-size")
    return found, others


def _with_plain_names(files: _Contents) -> tuple[_Contents, Mapping[str, str]]:
    """Return the files with allowed names, and the renamed ones."""
    found: dict[str, LazyBytes] = {}
    renamed: dict[str, str] = {}
    for name, content in sorted(files.items(), key=lambda item: (not _is_plain(item[0]), item[0])):
        plain = name
        if name.startswith(_IMPORTED_FOLDERS) and not _is_plain(name):
            plain = "/".join(re.sub(r"[^A-Za-z0-9_.+-]", "_", part).rstrip(".") or "_" for part in name.split("/"))
            while plain in found:
                plain = re.sub(r"(\.[^./]*)?\Z", r"_\1", plain, count=1)
            renamed[plain] = name
        found[plain] = content
    return found, renamed


def _is_plain(name: str) -> bool:
    try:
        check_name(name)
    except UsageError:
        return False
    return True


def as_number(value: Any) -> Fraction | None:
    """Return a finite number of points, 0 or more; None for anything else."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return Fraction(str(number)) if math.isfinite(number) and number >= 0 else None


def as_words(value: Any) -> list[str]:
    """Return the words of a text or of a list; none of anything else."""
    words = value.split() if isinstance(value, str) else value
    return [str(word) for word in words] if isinstance(words, list) else []


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _read_mapping(path: Path, name: str, read: Callable[[Path], Any] = read_data) -> Mapping[str, Any]:
    data = read(path / name)
    if data is not None and not isinstance(data, dict):
        raise UsageError(f"{path / name}: a mapping is wanted, key by key")
    return data or {}


# ---------------------------------------------------------------- test data: inputs with their answers, in groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Datum:
    """One input with its answer."""

    name: str  # its path below `data/`, without an ending
    input: LazyBytes
    answer: LazyBytes
    flags: tuple[str, ...] = ()  # of the output validator
    args: tuple[str, ...] = ()
    files: ContentsByName  # put into the program's folder
    times: int = 1  # how often it is run, where the worst run counts
    max_score: Fraction | None = None  # the most points that the validator may write for it; None where it writes none


@dataclass(frozen=True, slots=True, kw_only=True)
class DataGroup:
    """A group of inputs, with the groups in it, and with its points where it becomes a test."""

    name: str  # `sample`, `secret` or `secret/group1`; `data` for all of them
    data: Sequence[Datum]  # with that of the groups in it
    direct: Sequence[Datum] = ()  # that lies in none of them
    parts: tuple["DataGroup", ...] = ()
    own: Mapping[str, Any] = field(default_factory=dict)  # its settings
    settings: Mapping[str, Any] = field(default_factory=dict)  # with those of the groups around it
    points: Fraction = Fraction(0)
    all_or_nothing: bool = True
    is_least: bool = False  # whether it is all or nothing since the least of its scores counts
    needs: tuple[str, ...] = ()
    is_scored: bool = False  # whether graders score the groups in it

    @property
    def flags(self) -> Sequence[str]:
        """The flags of the grader."""
        return as_words(self.settings.get("grader_flags"))

    @property
    def how(self) -> str:
        """How the scores of its members are combined."""
        return next((how for how in ("min", "max", "avg") if how in self.flags), "sum")

    @property
    def is_custom(self) -> bool:
        """Whether a grader of the package's own scores it, or a group in it."""
        return self.grading == "custom" or any(part.is_custom for part in self.parts)

    @property
    def grading(self) -> str:
        """The grader: `default` or `custom`."""
        return str(self.settings.get("grading", "default"))

    def score(self, key: str) -> Fraction:
        """Return `accept_score` or `reject_score`; UsageError when it is no number of points."""
        number = as_number(self.settings.get(key, int(key == "accept_score")))
        if number is None:
            raise UsageError(f"{self.name}: {key} is no number of points, 0 or more")
        return number


def read_group(package: Package, name: str, around: Mapping[str, Any], losses: list[Loss]) -> DataGroup:
    """Read the data below `data/NAME` with the groups in it that have any; adds to `losses` what is left out."""
    folder = f"data/{name}".rstrip("/")
    own = package.settings(folder)
    older = as_mapping(package.problem.get("grading"))
    over = {key: older[key] for key in ("accept_score", "reject_score", "range") if key in older}
    if older.get("on_reject") in _ON_REJECT:
        over["on_reject"] = _ON_REJECT[older["on_reject"]]
    settings = {**around, **own, **over}
    inner = [f"{name}/{one}" for one in package.folders(f"{folder}/")] if name else ["sample", "secret"]
    parts = tuple(part for one in inner if (part := read_group(package, one, settings, losses)).data)
    direct = tuple(_data_of(package, name, settings, losses)) if name else ()
    data = (*direct, *(datum for part in parts for datum in part.data))
    found = DataGroup(name=name or "data", data=data, direct=direct, parts=parts, own=own, settings=settings)
    is_whole = found.how == "min" or not package.is_scoring
    if parts and is_whole and all(_RUN_FLAG.fullmatch(" ".join(datum.flags)) for datum in data):
        runs = _joined_runs(data)
        return replace(parts[0], name=name, data=runs, direct=runs)
    return found


def _data_of(package: Package, group: str, around: Mapping[str, Any], losses: list[Loss]) -> Iterator[Datum]:
    """Yield the inputs directly in a group; add the omitted ones to `losses`."""
    inside = package.below(f"data/{group}/")
    folders = {name.partition("/")[0] for name in inside if "/" in name}
    for base in dict.fromkeys(name.rpartition(".")[0] for name in inside if name.endswith((".in", ".ans"))):
        if "/" in base:
            continue
        full = f"{group}/{base}"
        if not (f"{base}.in" in inside or f"{base}.args" in inside or f"{base}.files" in folders):
            losses.append(Loss(rule="no-input", detail=full))
            continue
        answer = package.files.data.get(f"data/{full}.ans", b"" if package.interaction else None)
        if answer is None:
            losses.append(Loss(rule="no-answer", detail=full))
            continue
        settings = {**around, **package.data(f"data/{full}.yaml")}
        flags = settings.get("output_validator_flags")
        always = package.problem.get("validator_flags", package.of_judge.get("special_compare_args"))
        alone = package.files.get(f"data/{full}.args", b"")
        try:
            args = shlex.split(alone.decode()) or as_words(settings.get("args"))
        except ValueError as error:
            raise UsageError(f"data/{full}.args: it cannot be split into arguments: {error}") from error
        yield Datum(
            name=full,
            answer=answer,
            flags=(  # of either form of the format
                *_quoted_words(always),
                *_quoted_words(as_mapping(flags).get("flags", flags)),
                *as_words(settings.get("output_validator_args")),
            ),
            input=inside.data.get(f"{base}.in", b""),
            args=tuple(args),
            files=package.below(f"data/{full}.files/"),
        )


def _joined_runs(data: Sequence[Datum]) -> tuple[Datum, ...]:
    """Return inputs once that are there for every time that they are run, as `grader export kattis` has them."""
    found: dict[object, Datum] = {}
    for datum in data:
        key = (content_of(datum.input), content_of(datum.answer), datum.flags[:-1])
        once = found.get(key, replace(datum, flags=datum.flags[:-1], times=0))
        found[key] = replace(once, times=once.times + 1)
    return tuple(found.values())


def _quoted_words(value: Any) -> Sequence[str]:
    """Return the words of a text as a shell splits it, or of a list; a text with torn quotes is split at blanks."""
    try:
        return shlex.split(value) if isinstance(value, str) else as_words(value)
    except ValueError:
        return as_words(value)


# ---------------------------------------------------------------- its output validator and grader, as course programs

_VALIDATORS, _GRADERS = ("output_validator/", "output_validators/"), ("graders/",)
_OTHER_ENDINGS = {".cxx": ".cpp", ".c++": ".cpp", ".py3": ".py"}
_MAIN = re.compile(rb"\bmain\s*\(|__main__")
_START = "start.sh"
_FIRST_LINE = re.compile(rb"#![ \t]*(?:/usr)?/bin/(?:env[ \t]+)?(sh|bash|python3)[ \t]*\r?\n")
_STOCK_HEADER = "validate.h"
_SCORE_FILE = re.compile(rb"\bscore(?:_multiplier)?\.txt\b")
_NOT_SINGLE = "is no single program in Python, a shell, Java, C or C++"
VALIDATION = {
    "validation_time": (("time", "cpu"), "s"),
    "validation_memory": (("memory",), "MiB"),
    "validation_output": (("output",), "MiB"),
    "validation_passes": ((), ""),
}
"""limits of the package that are the validator's -> what they are here, and their unit"""
_PASSES = 2
"""where the package does not say how many there may be"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseProgram:
    """A validator or a grader in the course's folder."""

    program: str
    files: Files  # by the path below the course root
    bounds: Mapping[str, Any] = field(default_factory=dict)  # `passes` and `limits`, as a spec says them


def find_validator(package: Package, folder: str) -> CourseProgram | None:
    """Return the package's own validator, as files for a folder of the course.

    None when it is more than one program; UsageError for that when it decides the input of programs.
    """
    files = _files_in(package, _VALIDATORS)
    found = _placed(files, f"{folder}/validator")
    if found is None:
        if package.interaction:
            raise UsageError(f"{package.path}: it is {package.interaction}, and its validator {_NOT_SINGLE}")
        return None
    asked = as_mapping(package.problem.get("limits"))
    passes = as_number(asked.get("validation_passes", _PASSES))
    limits = {
        ours: f"{asked[key]} {unit}" for key, (all_of, unit) in VALIDATION.items() if key in asked for ours in all_of
    }
    times = int(passes or _PASSES) if "multi-pass" in package.interaction else 1
    bounds = {"passes": times if times > 1 else None, "limits": limits or None}
    return CourseProgram(program=found[0], files=found[1], bounds=bounds)


def find_grader(package: Package, grading: str, folder: str) -> CourseProgram:
    """Return the program that `grading` names; UsageError when the package does not have it."""
    if grading == "default":
        place = f"{folder}/default-grader/default_grader.py"
        return CourseProgram(program=place, files={place: Path(default_grader.__file__).read_bytes()})
    files = _files_in(package, _GRADERS)
    if not files:
        raise UsageError(f"{package.path}: grading: custom needs a program in graders/, which is not there")
    found = _placed(files, f"{folder}/grader")
    if found is None:
        raise UsageError(f"{package.path}: its grader {_NOT_SINGLE}: {listed(sorted(files), most=3)}")
    return CourseProgram(program=found[0], files=found[1])


def _files_in(package: Package, folders: tuple[str, ...]) -> Files:
    """Return the files of a program of the package; it may be in a folder of its own below the one for its kind."""
    files: Files = next((found for folder in folders if (found := package.below(folder))), {})
    tops = {name.partition("/")[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files):
        return {name.partition("/")[2]: content for name, content in files.items()}
    return files


def _placed(files: Files, folder: str) -> tuple[str, Files] | None:
    """Return the main file of a program and its files in a folder; None where it is not known which it is."""
    placed: dict[str, bytes] = {}
    for name, content in files.items():
        ending = PurePosixPath(name).suffix
        placed[name.removesuffix(ending) + _OTHER_ENDINGS.get(ending, ending)] = content
    if not {"run", BUILD_SCRIPT}.isdisjoint(placed):
        # `start.sh` starts `run`, which is a script, or is made by the script `build`.
        script = _FIRST_LINE.match(placed.get("run", b""))
        is_built = placed.get(BUILD_SCRIPT, b"").startswith(b"#!")
        mains = [] if _START in placed or not (script or is_built) else [_START]
        by = b"" if is_built or not script else script[1] + b" "
        placed[_START] = b'exec %s"${0%%/*}/run" "$@"\n' % by
    else:
        known = {*INTERACTOR_STARTS, *INTERACTOR_COMPILED}
        mains = [name for name in placed if PurePosixPath(name).suffix in known and "/" not in name]
        mains = mains if len(mains) == 1 else [name for name in mains if _MAIN.search(placed[name])]
    return (f"{folder}/{mains[0]}", {f"{folder}/{name}": placed[name] for name in placed}) if len(mains) == 1 else None


def score_files(package: Package) -> list[str]:
    """Return the names of the files in which the validator reports points, as far as its source names them.

    In the older form it may report them only where `validation` says `score`. The header `validate.h` that comes with
    many packages names the file whether or not its function for it is called.
    """
    if not (package.has_validator or package.interaction):
        return []
    if package.is_legacy and "score" not in as_words(package.problem.get("validation")):
        return []
    header, others = b"", b""
    for name, content in _files_in(package, _VALIDATORS).items():
        if PurePosixPath(name).name == _STOCK_HEADER:
            header += content + b"\n"
        else:
            others += content + b"\n"
    functions = set(re.findall(rb"\b(\w*score\w*)\s*\(", header))
    is_called = any(re.search(rb"\b%s\s*\(" % one, others) for one in functions)
    return sorted({found.decode() for found in _SCORE_FILE.findall(others + (header if is_called else b""))})
