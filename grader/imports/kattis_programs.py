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

from grader.core.errors import UsageError
from grader.core.model.layout import ContentsByName, LazyBytes
from grader.core.text import listed
from grader.imports.draft import Loss
from grader.imports.folder import as_mapping
from grader.imports.kattis_package import JUDGE, KATTIS, Files, Package, as_number, as_words
from grader.kinds.unit_tests.java_text import masked_java


class ProgramForm(Struct, frozen=True, kw_only=True):
    """How programs in a language are called, built and started."""

    language: str
    main: str  # the name of the main file
    endings: tuple[str, ...]  # of sources
    program: str = "./main"
    build: str = ""
    build_all: str = ""  # of several source files
    produces: tuple[str, ...] = ("main",)


_FORMS = convert(KATTIS["forms"], tuple[ProgramForm, ...])
_MAIN = re.compile(rb"\bmain\s*\(")
_OTHER_PYTHON = re.compile(rb"#!.*(?:python2|pypy)")
_RESULTS = {word: result for result, words in KATTIS["results"].items() for word in words}
REJECTED = frozenset(KATTIS["results"]) - {"accepted", "partially accepted"}
_OF_FOLDERS = {result.replace(" ", "_"): frozenset({result}) for result in KATTIS["results"]} | {
    "rejected": REJECTED,
    **{name: frozenset(results) for name, results in KATTIS["folders"].items()},
}
# of an entry of `submissions.yaml`, that do not say which results are right
_OTHER_KEYS = {"score", "language", "entrypoint", "author", "authors", "message", "use_for_time_limit"}
_TAG = re.compile(rb"@EXPECTED_(RESULTS|SCORE)@:[ \t]*([^\n\r*]*)")


class LabelledProgram(Struct, frozen=True, kw_only=True):
    """A submission of the package, with the files that the assignment asks for, and what it has to get."""

    name: str  # `accepted/ann.py`
    files: Files
    results: frozenset[str] = frozenset()  # any of these is right; none where the package contradicts itself
    score: Fraction | None = None
    entry: str = ""  # the main file, or the main class in Java, where the package says it


class Programs(Struct, frozen=True, kw_only=True):
    """The submissions in one language."""

    form: ProgramForm
    found: Sequence[LabelledProgram] = ()

    @property
    def build(self) -> str:
        """The command that builds each of them, also where one has several source files."""
        has_several = any(len(_sources_in(program.files, self.form)) > 1 for program in self.found)
        return (has_several and self.form.build_all) or self.form.build


def read_programs(programs: Sequence[LabelledProgram], losses: list[Loss]) -> Sequence[Programs]:
    """Return the submissions by language, first that of the first accepted one; add the omitted ones to `losses`."""
    remaining = {program.name: program for program in programs}
    languages: list[Programs] = []
    for form in _FORMS:
        prepared = {name: _rename_main(program.files, form, program.entry) for name, program in remaining.items()}
        if read := [replace(remaining.pop(name), files=files) for name, files in prepared.items() if files]:
            languages.append(Programs(form=form, found=read))
    if remaining:
        losses.append(Loss(rule="no-form", detail=listed(sorted(remaining), most=5)))
    languages.sort(key=lambda language: not any("accepted" in program.results for program in language.found))
    return languages or [Programs(form=_FORMS[0])]


def read_labelled(package: Package, losses: list[Loss]) -> Sequence[LabelledProgram]:
    """Return the submissions as they are; adds to `losses` where the package contradicts itself."""
    submissions: dict[str, dict[str, bytes]] = {}
    for path, content in package.below("submissions/").items():
        verdict, _, rest = path.partition("/")
        name, _, inner = rest.partition("/")
        if rest:  # which submissions.yaml has not
            submissions.setdefault(f"{verdict}/{name}", {})[inner or name] = content
    return [_read_labels(package, name, files, losses) for name, files in submissions.items()]


# ---------------------------------------------------------------- files of a submission, as the assignment wants them
# It fixes the name of the main file, so that of each submission gets it. In Java, where a class has the name of its
# file, a `Main` is added that calls it.


def _sources_in(files: Files, form: ProgramForm) -> list[str]:
    own = [name for name in files if name.endswith(form.endings)]
    return own if form.language != "python" else [name for name in own if not _OTHER_PYTHON.match(files[name])]


def _rename_main(files: Files, form: ProgramForm, entry: str) -> Files | None:
    """Return the files with the main one renamed to the required name; None where no file is clearly the main one."""
    sources = _sources_in(files, form)
    if form.language == "java":
        return _with_java_main({name: files[name].decode(errors="replace") for name in sources}, files, entry)
    named, is_python = {form.main, "__main__.py"}, form.language == "python"
    mains = [name for name in sources if name in named or (not is_python and _MAIN.search(files[name]))] or sources
    mains = [name for name in sources if entry in (name, PurePosixPath(name).stem)] or mains
    if not mains or (len(mains) > 1 and form.main not in mains and not is_python):
        return None
    main = form.main if form.main in mains else mains[0]
    renamed = {}
    for name, content in files.items():
        ending = PurePosixPath(name).suffix
        inner = name.removesuffix(ending) + ".cpp" if form.language == "cpp" and ending in form.endings else name
        if name != main or (len(sources) > 1 and form.language == "python"):  # which the others may import
            renamed[inner] = content
    return {**renamed, form.main: files[main]}


_MAIN_METHOD = re.compile(r"\bvoid\s+main\s*\(")
_CLASS = re.compile(r"\b(?:class|enum|interface|record)\s+(\w+)")
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)


def _with_java_main(sources: Mapping[str, str], files: Files, entry: str) -> Files | None:
    """Return the files with a `Main.java`: their own, or one that calls the class with the main method."""
    mains: dict[str, str] = {}
    for file, text in sources.items():
        code = masked_java(text)
        classes, package = _CLASS.findall(code), _PACKAGE.search(code)
        if classes and _MAIN_METHOD.search(code):
            likely = (entry.rpartition(".")[2], PurePosixPath(file).stem, "Main")  # the stated one first
            own = next((name for name in likely if name in classes), classes[0])
            mains[file] = f"{package[1]}.{own}" if package else own
    mains = {file: name for file, name in mains.items() if entry == name} or mains
    file = next((path for path, name in mains.items() if name == "Main"), next(iter(mains), ""))
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


def _read_labels(package: Package, name: str, files: Files, losses: list[Loss]) -> LabelledProgram:
    folder = name.partition("/")[0]
    stated = [_OF_FOLDERS[folder]] if folder in _OF_FOLDERS else []
    scores: list[Fraction | None] = []
    entry = ""
    for kind, text in (tag for content in files.values() for tag in _TAG.findall(content)):
        words = text.decode(errors="replace")
        if kind == b"SCORE":
            scores.append(as_number(words.strip().split(" ")[0]))
        else:
            meant = (_RESULTS.get(word.strip().upper().replace("_", "-")) for word in words.split(","))
            right = frozenset(filter(None, meant))
            stated.append(REJECTED if "rejected" in right else right)
    for settings in _entries_for(package, name, folder):
        scores.append(as_number(settings.get("score")))
        entry = str(settings.get("entrypoint") or entry)
        if not settings.keys() <= _OTHER_KEYS:
            losses.append(Loss(rule="stated-otherwise", where=name))
            return LabelledProgram(name=name, files=files)
    known = {score for score in scores if score is not None}
    results = frozenset.intersection(*stated) if stated else frozenset()
    if len(known) > 1 or (stated and not results):
        losses.append(Loss(rule="contradiction", where=name))
        return LabelledProgram(name=name, files=files)
    return LabelledProgram(name=name, files=files, results=results, score=next(iter(known), None), entry=entry)


def _entries_for(package: Package, name: str, folder: str) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of `submissions.yaml` for a submission or its folder, by patterns with `*` and `{a,b}`."""
    for pattern, entry in package.data("submissions/submissions.yaml").items():
        glob = translate(str(pattern).rstrip("/"))
        glob = re.sub(r"\\\{([^{}]*)\\\}", lambda match: f"(?:{match[1].replace(',', '|')})", glob)
        if re.fullmatch(glob, name) or re.fullmatch(glob, folder):
            yield as_mapping(entry)


# ---------------------------------------------------------------- the test data in groups
# Every submission gets the same points as from the package's own judge; otherwise the package is refused. In the
# older form one test has all secret data, whose groups are scored by the format's default grader, or by programs of
# the package. In the newer form each group is a test.

_ON_REJECT = {"first_error": "break", "grade": "continue"}  # a word of `grading` in problem.yaml -> that of `on_reject`

_ALL_POINTS = Fraction(100)  # of a problem that knows no points
_ACCEPTING = frozenset({"accept_if_any_accepted", "always_accept"})


class Datum(Struct, frozen=True, kw_only=True):
    """One input with its answer."""

    name: str  # its path below `data/`, without an ending
    input: LazyBytes
    answer: LazyBytes
    flags: tuple[str, ...] = ()  # of the output validator
    args: tuple[str, ...] = ()
    files: ContentsByName  # put into the program's folder
    max_score: Fraction | None = None  # the most points that the validator may write for it; None where it writes none


class DataGroup(Struct, frozen=True, kw_only=True):
    """A group of inputs, with the groups in it, and with its points where it becomes a test."""

    name: str  # `sample`, `secret` or `secret/group1`; `data` for all of them
    data: Sequence[Datum]  # with that of the groups in it
    direct: Sequence[Datum] = ()  # that lies in none of them
    parts: tuple["DataGroup", ...] = ()
    own: Mapping[str, Any] = {}  # its settings
    settings: Mapping[str, Any] = {}  # with those of the groups around it
    points: Fraction = Fraction(0)
    all_or_nothing: bool = True
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


def _read_group(package: Package, name: str, around: Mapping[str, Any], losses: list[Loss]) -> DataGroup:
    """Read the data below `data/NAME` with the groups in it that have any; adds to `losses` what is left out."""
    folder = f"data/{name}".rstrip("/")
    own = {**package.data(f"{folder}/testdata.yaml"), **package.data(f"{folder}/test_group.yaml")}
    older = as_mapping(package.problem.get("grading"))
    over = {key: older[key] for key in ("accept_score", "reject_score", "range") if key in older}
    if older.get("on_reject") in _ON_REJECT:
        over["on_reject"] = _ON_REJECT[older["on_reject"]]
    settings = {**around, **own, **over}
    folders = {name.partition("/")[0] for name in package.below(f"{folder}/") if "/" in name}
    inner = [f"{name}/{one}" for one in sorted(folders) if not one.endswith(".files")] if name else ["sample", "secret"]
    parts = tuple(part for path in inner if (part := _read_group(package, path, settings, losses)).data)
    direct = tuple(_data_of(package, name, settings, losses)) if name else ()
    data = (*direct, *(datum for part in parts for datum in part.data))
    return DataGroup(name=name or "data", data=data, direct=direct, parts=parts, own=own, settings=settings)


def _data_of(package: Package, group: str, around: Mapping[str, Any], losses: list[Loss]) -> Iterator[Datum]:
    """Yield the inputs directly in a group; add the omitted ones to `losses`."""
    inside = package.below(f"data/{group}/")
    if alone := next((name for name in inside if re.fullmatch(r"[^/]*\.args", name)), ""):
        raise package.error(f"data/{group}/{alone} is not read: say args in {alone.removesuffix('.args')}.yaml")
    for base in dict.fromkeys(name.rpartition(".")[0] for name in inside if re.fullmatch(r"[^/]*\.(in|ans)", name)):
        full = f"{group}/{base}"
        files = package.below(f"data/{full}.files/")
        answer = inside.data.get(f"{base}.ans", b"" if package.interaction else None)
        if answer is None or not (f"{base}.in" in inside or files):
            losses.append(Loss(rule="no-answer" if answer is None else "no-input", detail=full))
            continue
        settings = {**around, **package.data(f"data/{full}.yaml")}
        flags = settings.get("output_validator_flags")
        always = package.problem.get("validator_flags", package.of_judge.get("special_compare_args"))
        yield Datum(
            name=full,
            answer=answer,
            flags=(  # of either form of the format
                *as_words(always),
                *as_words(as_mapping(flags).get("flags", flags)),
                *as_words(settings.get("output_validator_args")),
            ),
            input=inside.data.get(f"{base}.in", b""),
            args=tuple(as_words(settings.get("args"))),
            files=files,
        )


# ---------------------------------------------------------------- the points


def read_groups(package: Package, programs: Sequence[LabelledProgram], losses: list[Loss]) -> Sequence[DataGroup]:
    """Read the test data, samples first, with `losses`; UsageError for no data, or points that no tests can have."""
    root = _read_group(package, "", {}, losses)
    if not root.data:
        raise package.error("there is no input with an answer in data/sample and data/secret: make the data first")
    if root.parts[-1].name == "sample":
        problem = "data/secret has no input with an answer: make the data first"
        if package.is_scoring:
            raise package.error(f"its tests have 0 points in all: {problem}")
        losses.append(Loss(rule="no-secret-data", detail=problem))
    _check_settings(package, list(_walk_groups(root)))
    if not package.is_scoring:  # all its secret data is one test, which needs the samples, and is all or nothing
        losses.append(Loss(rule="pass-fail"))
        *before, last = root.parts
        return [*before, replace(last, points=_ALL_POINTS, needs=tuple(sample.name for sample in before))]
    if package.is_legacy:
        groups = _older_tests(package, root, losses)
    else:
        if given := package.score_files:
            raise package.error(f"its validator gives points ({given[0]}), which are read in the older form alone")
        groups = list(_newer_tests(package, root))
    most = sum(group.points for group in groups)
    for program in programs:
        score = program.score
        is_all = not package.score_files and not root.is_custom and program.results == {"accepted"}
        if score is not None and (score > most or (is_all and score != most)):
            problem = f"a program has {float(score):g} points there, and none has so many of {float(most):g} here"
            raise package.error(problem)
    return groups


def _check_settings(package: Package, groups: Sequence[DataGroup]) -> None:
    """Raise UsageError for settings that tests cannot express."""
    if any(group.own.get(key) not in (None, False) for group in groups for key in KATTIS["group_keys"]["static"]):
        raise package.error("a static validator judges the source (static_validation); no test says that")
    if not package.is_scoring:
        for name in (group.name for group in groups if _ACCEPTING.intersection(group.flags)):
            raise package.error(f"{name} is accepted although inputs fail; no test without points is")
        return
    forms = ("silent", "older" if package.is_legacy else "newer")
    known = {key for form in forms for key in KATTIS["group_keys"][form]}
    if unknown := sorted({key for group in groups for key in group.own} - known):
        raise package.error(f"{unknown[0]!r} in the settings of a group may change points; no test says the same")
    if as_mapping(package.problem.get("grading")).get("objective") == "min":
        raise package.error("the fewest points are the best there, the most are here")


def _walk_groups(group: DataGroup) -> Iterator[DataGroup]:
    yield group
    for part in group.parts:
        yield from _walk_groups(part)


# ---------------------------------------------------------------- the older form: graders score the groups


def _older_tests(package: Package, root: DataGroup, losses: list[Loss]) -> Sequence[DataGroup]:
    """Return the tests: the samples without points, and all data with the groups that graders score."""
    if mixed := [group.name for group in _walk_groups(root) if group.direct and group.parts]:
        raise package.error(f"{mixed[0]} has inputs as well as groups: put the inputs into a group")
    end = _end_of_range(root.settings)
    if package.score_files:
        root = _with_max_scores(package, root)
    if package.score_files or root.is_custom:
        if not end:
            problem = "programs give its points, and nothing says how many"
            raise package.error(f"{problem}: say range: 0 100 in data/testdata.yaml, with the most that there are")
        most = end
    else:  # each input has its `accept_score`, which the default grader joins
        _check_scores(package, root)
        scored = root.parts
        if "ignore_sample" in root.flags:  # and what is behind a sample that fails is judged
            scored, root = root.parts[-1:], replace(root, settings={**root.settings, "on_reject": "continue"})
        most = _join_scores(root.how, list(map(_max_score, scored)))
        _check_range(package, root, most, losses)
    samples = [part for part in root.parts if part.name == "sample"]
    return [*samples, replace(root, name="secret", points=most, all_or_nothing=False, is_scored=True)]


def _with_max_scores(package: Package, group: DataGroup) -> DataGroup:
    """Return a group of which each input has the most points that the validator may write for it."""
    parts = tuple(_with_max_scores(package, part) for part in group.parts)
    most = _end_of_range(group.settings)
    if not most and group.direct:
        problem = "its validator writes points, and range in testdata.yaml does not say how many there are"
        raise package.error(f"{group.name}: {problem}")
    direct = tuple(replace(datum, max_score=most) for datum in group.direct)
    return replace(group, parts=parts, direct=direct, data=(*direct, *(datum for part in parts for datum in part.data)))


def _check_scores(package: Package, root: DataGroup) -> None:
    leaves = [group for group in _walk_groups(root) if group.direct]
    if any(group.score("reject_score") > group.score("accept_score") for group in leaves):
        raise package.error("an input that fails has points there, more than one that does not (reject_score)")
    is_of_judge = JUDGE in package.files and "problem_format_version" not in package.problem
    if several := [group.name for group in leaves if is_of_judge and len(group.direct) > 1 and group.how != "min"]:
        problem = f"{several[0]}: is accept_score of each input, as for problemtools, or of all, as for DOMjudge?"
        raise package.error(f"{problem} Say problem_format_version: legacy for the first, grader_flags: min otherwise")


def _check_range(package: Package, root: DataGroup, most: Fraction, losses: list[Loss]) -> None:
    end = next(filter(None, (_end_of_range(group.own) for group in (root, root.parts[-1]))), most)
    amounts = f"{float(end):g}, and the groups have {float(most):g}"
    if not most:
        raise package.error("its tests have 0 points in all: is data missing?")
    if most > end:
        raise package.error(f"range in testdata.yaml ends at {amounts}")
    if most < end:
        losses.append(Loss(rule="range", detail=amounts))


def _end_of_range(settings: Mapping[str, Any]) -> Fraction | None:
    return as_number("".join(as_words(settings.get("range"))[1:2]))


def _max_score(group: DataGroup) -> Fraction:
    """Return the score of a fully accepted group, with accept_score for each input."""
    own = [group.score("accept_score")] * len(group.direct)
    return _join_scores(group.how, [*own, *map(_max_score, group.parts)])


def _join_scores(how: str, scores: Sequence[Fraction]) -> Fraction:
    total = sum(scores, Fraction(0))
    return {"sum": total, "min": min(scores), "max": max(scores), "avg": total / len(scores)}[how]


# ---------------------------------------------------------------- the newer form: each group is a test


def _newer_tests(package: Package, root: DataGroup) -> Iterator[DataGroup]:
    """Yield the tests of the format 2023-07-draft and later, where only the secret data has groups."""
    *samples, secret = root.parts
    yield from (replace(sample, points=as_number(sample.own.get("max_score", 0)) or Fraction(0)) for sample in samples)
    most, how, around = _scoring_of(package, secret)
    has_groups = bool(secret.parts) if how == "sum" else any(part.own for part in secret.parts)
    if how == "pass-fail":
        around = (*around, *(need for part in secret.parts for need in as_words(part.own.get("require_pass"))))
        around = [need for need in around if not need.startswith("secret/")]
    if has_groups and (secret.direct or how == "min"):
        problem = "has inputs as well as groups" if secret.direct else "has the least of its groups' points (min)"
        raise package.error(f"secret {problem}; no test says that")
    remaining, before = most, [sample.name for sample in samples]
    for part in secret.parts if has_groups and how == "sum" else [secret]:
        points, how, own = (most, how, ()) if part is secret else _scoring_of(package, part)
        needs, remaining = tuple(dict.fromkeys((*around, *own))), remaining - points
        inner = [group.name for child in part.parts for group in _walk_groups(child) if group.own]
        if part is not secret and inner:
            raise package.error(f"{inner[0]} is a group in a group, which the format does not have")
        if strange := [need for need in needs if need not in before]:
            raise package.error(f"{part.name} requires {strange[0]}, which is no test before it")
        if remaining < 0:
            raise package.error(f"its groups have more than the {float(most):g} points of secret: see max_score")
        before.append(part.name)
        yield replace(part, points=points, needs=needs, all_or_nothing=how != "sum")


def _scoring_of(package: Package, part: DataGroup) -> tuple[Fraction, str, Sequence[str]]:
    """Return the most points of a group, how they are joined, and what it needs; UsageError where that is unknown."""
    is_secret = part.name == "secret"
    most = as_number(part.own.get("max_score", 100 if is_secret else None))
    how = str(part.own.get("score_aggregation", "sum" if is_secret else "pass-fail"))
    if most is None or how not in ("sum", "min", "pass-fail"):
        problem = "says no highest score" if most is None else f"adds up by {how!r}, which is not known"
        raise package.error(f"{part.name} {problem}: see max_score and score_aggregation in test_group.yaml")
    return most, how, as_words(part.own.get("require_pass"))
