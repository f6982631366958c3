"""A problem package as it lies in its folder: its files, its YAML as plain values, its programs; and where it lies.

It is read as a student's submission is: by descriptor and within limits. A link is followed only inside the package.
An archive is unpacked into a temporary folder while its packages are imported. As it may be anybody's, it is read
within limits in a process of its own, and refused when it has a name or a link that leads out of it.
"""

import math
import os
import re
import tempfile
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from grader.core.build.staging import read_submission, unpack_archive_file
from grader.core.build.tree import ARCHIVE_ENDINGS, MIB, Refused, StagingLimits
from grader.core.errors import UsageError
from grader.core.model.layout import ContentsByName, LazyBytes, size_of
from grader.core.model.spec import INTERACTOR_COMPILED, INTERACTOR_STARTS
from grader.core.reader.files import read_data
from grader.core.text import one_line
from grader.imports import Tell, default_grader
from grader.imports.folder import as_mapping
from grader.imports.writer import safe_inner_path

Files = Mapping[str, bytes]  # by their paths
VALIDATORS, _GRADERS = ("output_validator/", "output_validators/"), ("graders/",)
_SCORE_FILE = re.compile(rb"\bscore(?:_multiplier)?\.txt\b")
KATTIS: Mapping[str, Any] = read_data(Path(__file__).with_name("kattis.yaml"))
PROBLEM, JUDGE = "problem.yaml", "domjudge-problem.ini"
_JUDGE_LINE = re.compile(r"(?m)^[ \t]*([\w-]+)[ \t]*=[ \t]*['\"]?(.*?)['\"]?[ \t\r]*$")
_MAX_PACKAGE_FILES = 20_000
_UNPACKED_PER_SECOND = 8 * MIB  # by the slowest of the packers, on a busy machine
_MAX_HELD_BYTES = 2**10  # of a file that is in memory while a package is imported
_Contents = Mapping[str, LazyBytes]


@dataclass(frozen=True, kw_only=True)
class Package:
    """A problem package."""

    path: Path
    problem: Mapping[str, Any]  # its `problem.yaml`
    files: ContentsByName  # but for names with a dot in front, which do not belong to it
    links: Sequence[str]  # what is neither a file nor a folder, and does not lead to one inside the package
    odd_names: Sequence[str] = ()  # of files of submissions, which are left out

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
        return any(name.startswith(VALIDATORS) for name in self.files)

    @property
    def score_files(self) -> Sequence[str]:
        """The files in which the validator reports points: by `validation`, or by its source in the newer form."""
        if self.is_legacy:
            return ["score.txt"] if "score" in as_words(self.problem.get("validation")) else []
        sources = [self.files[name] for name in self.files if name.startswith(VALIDATORS)]
        return sorted({match.decode() for text in sources for match in _SCORE_FILE.findall(text)})

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

    def data(self, name: str) -> Mapping[str, Any]:
        """Return the content of a YAML file, empty when it does not exist. Raises SpecError for invalid YAML."""
        if not any(line.strip() and not line.startswith(b"#") for line in self.files.get(name, b"").splitlines()):
            return {}
        data = read_data(self.path / name)
        if not isinstance(data, dict):
            raise self.error(f"{name}: a mapping is wanted, key by key")
        return data

    def below(self, folder: str) -> ContentsByName:
        """Return the files in a folder, by their path in it, in the order of the names."""
        start, end = (bisect_left(self._names, bound) for bound in (folder, f"{folder}\U0010ffff"))
        return ContentsByName({name.removeprefix(folder): self.files.data[name] for name in self._names[start:end]})

    @cached_property
    def _names(self) -> Sequence[str]:
        return sorted(self.files.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class KattisOptions:
    """How packages are imported."""

    max_bytes: int = 1024 * MIB  # of all files of a package
    tell: Tell = lambda *_: None
    measure: bool = False  # whether a missing limit of time is derived by running the accepted programs


DEFAULT_OPTIONS = KattisOptions()


def read_package(path: Path, options: KattisOptions = DEFAULT_OPTIONS) -> Package:
    """Read the package in a folder; UsageError when it is invalid, too large, or has a refused file name."""
    path, max_bytes = path.resolve(), options.max_bytes
    if not path.exists():
        raise UsageError(f"{path} does not exist; name the folder or the archive of a problem package")
    if not (path / PROBLEM).is_file():
        wanted = "name a folder that has it, or an archive (zip, tar, tar.gz, tar.bz2, tar.xz) with such folders"
        raise UsageError(f"{path} is no problem package: there is no {PROBLEM} in it; {wanted}")
    try:
        limits = StagingLimits(files=_MAX_PACKAGE_FILES, size=max_bytes, held=_MAX_HELD_BYTES)
        tree = read_submission(path, limits, lambda size: options.tell("reading", size))
    except Refused as refused:
        raise UsageError(f"{path}: {refused.fact.replace('submission', 'package')}; see --max-size") from refused
    if PROBLEM not in tree.files:
        raise UsageError(f"{path}: {PROBLEM} is a link; put the file itself there")
    extra = re.compile(r"(?s)(?!\.timelimit\Z)(?:.*/)?[.-]")  # with a dot or a dash in front
    own = {name: file.stored or file.content for name, file in tree.files.items() if not extra.match(name)}
    resolved, links = _with_links(path, own, tree.left_out, max_bytes)
    odd = {name for name in resolved if name.startswith("submissions/") and safe_inner_path(name) != name}
    files = ContentsByName({name: content for name, content in resolved.items() if name not in odd})
    package = Package(path=path, problem={}, files=files, links=links, odd_names=sorted(odd))
    package = replace(package, problem=package.data(PROBLEM))
    if not package.has_validator and (asked := {"special_compare", "special_run"} & package.of_judge.keys()):
        missing = f"{min(asked)} in {JUDGE} names a program of the judge's own, which the package does not have"
        raise package.error(f"{missing}: put it into output_validators/")
    if used := next(_with_constants(package), ""):
        raise package.error(f"{used} has constants of the problem in it: write their values there")
    return package


def _with_constants(package: Package) -> Iterator[str]:
    """Yield the files that decide on points and have constants of `problem.yaml` in them, as `{{name}}`."""
    names = "|".join(re.escape(str(name)) for name in as_mapping(package.problem.get("constants")))
    pattern = re.compile(rb"\{\{(?:%s)(?:\.[\w.]+)?\}\}" % names.encode())
    for name in package.files if names else ():
        is_setting = name.startswith("data/") and name.endswith(".yaml")
        if (is_setting or name.startswith((*VALIDATORS, *_GRADERS))) and pattern.search(package.files[name]):
            yield name


def _with_links(path: Path, files: _Contents, links: Sequence[str], max_bytes: int) -> tuple[_Contents, Sequence[str]]:
    """Return the files with the targets of links inside the package, and the names of all other links."""
    resolved, others = dict(files), []
    size = sum(map(size_of, files.values()))
    for name in links:
        target = os.path.relpath(os.path.realpath(path / name), path)
        inner = {name: files[target]} if target in files else {}
        if not inner and not name.startswith(f"{target}/"):
            start = f"{target}/"
            inner = {f"{name}/{file.removeprefix(start)}": files[file] for file in files if file.startswith(start)}
        resolved.update(inner)
        size += sum(map(size_of, inner.values()))
        others += [] if inner else [name]
        if len(resolved) > _MAX_PACKAGE_FILES or size > max_bytes:
            problem = f"it has more than {_MAX_PACKAGE_FILES} files, or is larger than {max_bytes // MIB} MiB"
            raise UsageError(f"{path}: with what its links lead to, {problem}; see --max-size")
    return resolved, others


def as_number(value: Any) -> Fraction | None:
    """Return a finite number of points, 0 or more; None for anything else."""
    with suppress(TypeError, ValueError):
        number = float(value)
        return Fraction(str(number)) if math.isfinite(number) and number >= 0 else None
    return None


def as_words(value: Any) -> list[str]:
    """Return the words of a text or of a list; none of anything else."""
    words = value.split() if isinstance(value, str) else value
    return [str(word) for word in words] if isinstance(words, list) else []


# ---------------------------------------------------------------- its output validator and grader, as course programs

NO_PROGRAM = "is no single program in Python, a shell, Java, C or C++"
_OTHER_ENDINGS = {".cxx": ".cpp", ".c++": ".cpp", ".py3": ".py"}
_PROGRAM_ENDINGS = {*INTERACTOR_STARTS, *INTERACTOR_COMPILED}
_MAIN = re.compile(rb"\bmain\s*\(|__main__")


def find_program(package: Package, kind: tuple[str, ...], folder: str) -> tuple[str, Files] | None:
    """Return the main file of a validator or grader, and all its files by their course paths; None if unclear."""
    paths = {PurePosixPath(name): content for name, content in _files_in(package, kind).items()}
    placed = {str(path.with_suffix(_OTHER_ENDINGS.get(path.suffix, path.suffix))): paths[path] for path in paths}
    mains = [name for name in placed if PurePosixPath(name).suffix in _PROGRAM_ENDINGS and "/" not in name]
    mains = mains if len(mains) == 1 else [name for name in mains if _MAIN.search(placed[name])]
    if len(mains) != 1 or {"build", "run"} & placed.keys():
        return None
    return f"{folder}/{mains[0]}", {f"{folder}/{name}": content for name, content in placed.items()}


def find_grader(package: Package, grading: str, folder: str) -> tuple[str, Files]:
    """Return the main file and the files of the grader that `grading` names; UsageError when there is none."""
    if grading == "default":
        place = f"{folder}/default-grader/default_grader.py"
        return place, {place: Path(default_grader.__file__).read_bytes()}
    program = find_program(package, _GRADERS, f"{folder}/grader") if grading == "custom" else None
    if not program:
        raise package.error(f"grading: {grading}, and what is in graders/ {NO_PROGRAM}")
    return program


def _files_in(package: Package, folders: tuple[str, ...]) -> Files:
    """Return the files of a program of the package; it may be in a folder of its own below the one for its kind."""
    files: Files = next((inside for folder in folders if (inside := package.below(folder))), {})
    tops = {name.partition("/")[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files):
        return {name.partition("/")[2]: content for name, content in files.items()}
    return files


# ---------------------------------------------------------------- packages in folders and archives


class ProblemSource(NamedTuple):
    """A problem package, or an archive of packages."""

    path: Path
    shown: str  # its path for the user, who does not know where it is unpacked

    def describe(self, error: Exception) -> str:
        """Return the message of an error, with the path that the user knows."""
        return str(error).replace(os.path.realpath(self.path), self.shown).replace(str(self.path), self.shown)


def find_sources(path: Path) -> Sequence[ProblemSource]:
    """Return the package or archive at a path, or all in a folder; the path itself where there is none."""
    inside: set[Path] = set()
    # Folders around them are looked into, since archives often have one.
    for glob in () if (path / PROBLEM).exists() else ("*", "*/*", "*/*/*"):  # as `problems-main/contest/pairsums`
        for place in path.glob(glob):
            is_archive = glob == "*" and place.name.lower().endswith(ARCHIVE_ENDINGS) and place.is_file()
            is_hidden = any(part.startswith((".", "_")) for part in place.relative_to(path).parts)
            if not is_hidden and inside.isdisjoint(place.parents) and (is_archive or (place / PROBLEM).is_file()):
                inside.add(place)
    return [ProblemSource(place, str(place)) for place in sorted(inside) or [path]]


@contextmanager
def unpacked(source: ProblemSource, options: KattisOptions) -> Iterator[Sequence[ProblemSource]]:
    """Yield the packages in an archive while the context lasts, a folder as it is; UsageError for a refused archive."""
    if not source.path.is_file():
        yield [source]
        return
    name, shown = source.path.name, source.shown
    ending = next((suffix for suffix in ARCHIVE_ENDINGS if name.lower().endswith(suffix)), "")
    options.tell("unpacking", source.path.stat().st_size)
    seconds = 10 + options.max_bytes // _UNPACKED_PER_SECOND
    limits = StagingLimits(files=_MAX_PACKAGE_FILES, size=options.max_bytes, seconds=seconds)
    with tempfile.TemporaryDirectory(prefix="grader-import-") as temporary:
        # A package without a folder around it has the name of the archive.
        target = Path(temporary) / (name[: len(name) - len(ending)].strip(".") or "package")
        target.mkdir()
        try:
            unpack_archive_file(source.path, target, limits)
        except Refused as refused:
            problem = refused.fact.replace("the submission", "the archive")
            raise UsageError(f"{shown}: {problem}; see --max-size, or unpack it and name its folder") from refused
        paths = [source.path for source in find_sources(target)]
        inner = [f"{shown}/{one_line(path.relative_to(target).as_posix())}".removesuffix("/.") for path in paths]
        yield list(map(ProblemSource, paths, inner))
