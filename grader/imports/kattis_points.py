"""The points of a problem package: its nested groups of test data become a flat list of tests.

Every submission gets the same points as from the package's own judge; otherwise the package is refused. Where
`accept_score` is of each input, and where programs of the package give points, one test has all the data, and its
groups are scored by the package's graders, or as the format's default grader does.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from grader.core.errors import UsageError
from grader.core.text import joined, listed
from grader.imports.draft import Loss
from grader.imports.kattis_package import (
    JUDGE,
    KATTIS,
    DataGroup,
    Package,
    as_mapping,
    as_number,
    as_words,
    read_group,
    score_files,
)
from grader.imports.kattis_programs import LabelledProgram

_ALL_POINTS, _NONE = Fraction(100), Fraction(0)  # of a problem that knows no points
_POINTS_FILE, _SHARE_FILE = "score.txt", "score_multiplier.txt"
_ACCEPTING = frozenset({"accept_if_any_accepted", "always_accept"})


def read_groups(package: Package, programs: Sequence[LabelledProgram], losses: list[Loss]) -> Sequence[DataGroup]:
    """Read the test data, the samples first; adds to `losses` what cannot be carried over.

    A problem without points is accepted or rejected: all its secret data is one test, which needs the samples, and is
    all or nothing. Raises UsageError when there is no data, and where no tests can have the points of the package or of
    its programs.
    """
    root = read_group(package, "", {}, losses)
    _check_data(package, root, losses)
    _check_settings(package, list(_every(root)))
    if not package.is_scoring:
        losses.append(Loss(rule="pass-fail"))
        *before, last = root.parts
        return [*before, replace(last, points=_ALL_POINTS, needs=tuple(one.name for one in before))]
    given = score_files(package)
    older = {key for one in _every(root) for key, value in one.own.items() if not isinstance(value, dict)}
    is_newer = not package.is_legacy and older.isdisjoint(KATTIS["group_keys"]["older"])
    if package.is_legacy and (root.is_custom or _POINTS_FILE in given):
        groups = _scored_by_programs(package, root, gives_points=_POINTS_FILE in given)
    elif is_newer:
        groups = list(_of_format(package, root))
        _check_shares(package, given, groups)
    elif given:
        raise package.error(f"its validator gives points ({given[0]}), and nothing tells of how many")
    else:
        groups = _of_older_form(package, root, programs, losses)
    most = _total(groups)
    for one in programs:
        is_all = is_newer and not given and one.results == {"accepted"}
        if one.score is not None and (one.score > most or (is_all and one.score != most)):
            problem = f"a program has {_shown(one.score)} points there, and none has so many of {_shown(most)} here"
            raise package.error(problem)
    return groups


def _check_data(package: Package, root: DataGroup, losses: list[Loss]) -> None:
    """Raise UsageError where there is no data, or none that gives points; note where the samples are all."""
    how = _how_to_make(package)
    if not root.data:
        raise package.error(f"there is no input with an answer in data/sample and data/secret{how}")
    if root.parts[-1].name == "sample":
        problem = "data/secret has no input with an answer"
        if package.is_scoring and not {"accept_score", "max_score"} & root.parts[-1].own.keys():
            raise package.error(f"its tests have 0 points in all: {problem}{how}")
        losses.append(Loss(rule="no-secret-data", detail=f"{problem}{how}"))


def _check_settings(package: Package, every: Sequence[DataGroup]) -> None:
    """Raise UsageError for settings that tests cannot express."""
    known = {key for keys in KATTIS["group_keys"].values() for key in keys}
    if any(one.own.get(key) not in (None, False) for one in every for key in KATTIS["group_keys"]["static"]):
        raise package.error("a static validator judges the source (static_validation); no test says that")
    if not package.is_scoring:
        for name in (one.name for one in every if _ACCEPTING.intersection(one.flags)):
            raise package.error(f"{name} is accepted although inputs fail; no test without points is")
        return
    if unknown := sorted({key for one in every for key in one.own} - known):
        raise package.error(f"{unknown[0]!r} in the settings of a group may change points; no test says the same")
    for grader in (one.own.get("grading", "default") for one in every):
        if grader not in ("default", "custom") and not isinstance(grader, dict):
            raise package.error(f"grading: {grader!r} is neither default nor custom")
    if as_mapping(package.problem.get("grading")).get("objective") == "min":
        raise package.error("the fewest points are the best there, the most are here")


def _how_to_make(package: Package) -> str:
    """Say by which commands the data is made, as far as the package has them; empty when it has none."""
    found = [f"sh {name}" for name in package.files if re.fullmatch(r"(data|generators)/[^/]+\.(sh|bash)", name)]
    makefiles = [name for name in package.files if re.fullmatch(r"(?:(?:data|generators)/)?[Mm]akefile", name)]
    found += [f"make -C {name.rpartition('/')[0] or '.'}" for name in makefiles]
    found += ["bt generate"] if "generators/generators.yaml" in package.files else []
    if not found and (programs := sorted(package.below("generators/"))):
        found = [f"what is in generators/ ({listed(programs, most=3)})"]
    return f"; make it first: {joined(found, 'or')}" if found else ""


def _every(group: DataGroup) -> Iterator[DataGroup]:
    yield group
    for part in group.parts:
        yield from _every(part)


def _total(groups: Sequence[DataGroup]) -> Fraction:
    return sum((one.points for one in groups), _NONE)


def _shown(number: Fraction) -> str:
    return f"{float(number):g}"


def _end_of_range(settings: Mapping[str, Any]) -> Fraction | None:
    words = as_words(settings.get("range"))
    return as_number(words[1]) if len(words) == 2 else None  # noqa: PLR2004 - two ends


# ---------------------------------------------------------------- the older form


def _scored_by_programs(package: Package, root: DataGroup, *, gives_points: bool) -> Sequence[DataGroup]:
    """Return the tests where a program of the package gives points; the end of `range` is all of them."""
    if most := _end_of_range(root.settings):
        return _scored(package, _with_most(package, root) if gives_points else root, most)
    problem = "programs give its points, and nothing says how many: say range: 0 100 in data/testdata.yaml"
    raise package.error(f"{problem}, with the most that there are")


def _with_most(package: Package, group: DataGroup) -> DataGroup:
    """Return a group of which each input has the most points that the validator may write for it."""
    parts = tuple(_with_most(package, part) for part in group.parts)
    most = _end_of_range(group.settings)
    if not most and group.direct:
        problem = "its validator writes points, and range in testdata.yaml does not say how many there are"
        raise package.error(f"{group.name}: {problem}")
    direct = tuple(replace(datum, max_score=most) for datum in group.direct)
    return replace(group, parts=parts, direct=direct, data=(*direct, *(one for part in parts for one in part.data)))


def _scored(package: Package, root: DataGroup, most: Fraction) -> Sequence[DataGroup]:
    """Return the tests: the samples without points, and all data with the groups that graders score."""
    for one in _every(root):
        if one.direct and one.parts:
            raise package.error(f"{one.name} has inputs as well as groups: put the inputs into a group")
    samples = [one for one in root.parts if one.name == "sample"]
    return [*samples, replace(root, name="secret", points=most, all_or_nothing=False, is_scored=True)]


def _by_input(package: Package, root: DataGroup) -> Sequence[DataGroup]:
    """Return the tests as problemtools grades them, by the format's default grader: each input has accept_score."""
    if any(one.score("reject_score") > one.score("accept_score") for one in _every(root) if one.direct):
        raise UsageError("an input that fails has points there, more than one that does not (reject_score)")
    scored = root.parts
    if "ignore_sample" in root.flags:  # and what is behind a sample that fails is judged
        scored, root = root.parts[-1:], replace(root, settings={**root.settings, "on_reject": "continue"})
    return _scored(package, root, _joined_scores(root.how, list(map(_most, scored))))


def _most(group: DataGroup) -> Fraction:
    """Return the score of a fully accepted group, with accept_score for each input."""
    return _joined_scores(group.how, [*([group.score("accept_score")] * len(group.direct)), *map(_most, group.parts)])


def _joined_scores(how: str, scores: Sequence[Fraction]) -> Fraction:
    total = sum(scores, _NONE)
    return {"sum": total, "min": min(scores), "max": max(scores), "avg": total / len(scores)}[how]


def _by_group(_package: Package, root: DataGroup) -> Sequence[DataGroup]:
    """Return the tests as DOMjudge grades them: an accepted group without subgroups has its accept_score."""
    is_ignored = "ignore_sample" in root.flags
    if root.how != "sum" and len(root.parts) > 1 and not is_ignored:
        raise UsageError("the samples and the secret data are not added up (grader_flags of data/testdata.yaml)")
    tests: list[DataGroup] = []
    for part in map(_with_own_settings, root.parts):
        if part.name == "sample":
            is_worth = not is_ignored and "accept_score" in part.own
            tests.append(replace(part, points=part.score("accept_score") if is_worth else _NONE))
        else:
            tests += _in_group(part, Fraction(1))
    return tests


def _with_own_settings(part: DataGroup) -> DataGroup:
    return replace(part, settings=part.own, parts=tuple(map(_with_own_settings, part.parts)))


def _in_group(part: DataGroup, share: Fraction) -> Iterator[DataGroup]:
    if part.parts and part.direct:
        raise UsageError(f"{part.name}: it has inputs as well as groups")
    is_whole = not part.parts or part.how == "min"
    if is_whole and all(len(one.parts) <= 1 or one.how == "min" for one in _every(part)):
        yield replace(part, points=_group_most(part) * share)
        return
    if part.how in ("min", "max") and len(part.parts) > 1:
        raise UsageError(f"{part.name}: of its groups, which are no whole ones, one counts ({part.how})")
    for below in part.parts:
        yield from _in_group(below, share / len(part.parts) if part.how == "avg" else share)


def _group_most(part: DataGroup) -> Fraction:
    if not part.parts and "accept_score" not in part.own:
        raise UsageError(f"{part.name}: it has no accept_score of its own")
    return _joined_scores(part.how, list(map(_group_most, part.parts))) if part.parts else part.score("accept_score")


def _of_older_form(
    package: Package, root: DataGroup, programs: Sequence[LabelledProgram], losses: list[Loss]
) -> Sequence[DataGroup]:
    """Return the tests by what `accept_score` is: of each input (problemtools), or of a whole group (DOMjudge).

    The points of programs and `range` tell, and then the version or the file for DOMjudge.
    """
    found: dict[str, Sequence[DataGroup]] = {}
    reasons: dict[str, str] = {}
    for reading, read in (("input", _by_input), ("group", _by_group)):
        try:
            found[reading] = read(package, root)
        except UsageError as error:
            reasons[reading] = str(error)
    totals = {reading: _total(groups) for reading, groups in found.items()}
    stated = {one.score for one in programs if one.score is not None}
    best = {one.score for one in programs if one.score is not None and one.results == {"accepted"}}
    ends = {end for one in (root, root.parts[-1]) if (end := _end_of_range(one.own)) is not None}
    fitting = [
        one
        for one, total in totals.items()
        if all(score == total for score in (best if stated else ends))
        and all(score in (0, total) if one == "input" and _is_strict(root) else score <= total for score in stated)
    ]
    if stated and not fitting:
        most = ", ".join(sorted(map(_shown, {*totals.values()}))) or "none"
        problem = f"a program has {_shown(max(stated))} points there, and at most {most} here, or none has so many"
        raise package.error("; ".join([problem, *reasons.values()]))
    if len(fitting) > 1 and (stated or ends):
        fitting = [one for one in fitting if totals[one] in (ends or {max(stated)})] or fitting
    is_told = bool(stated or ends) and len(fitting) == 1
    reading = fitting[0] if is_told else _reading_unproven(package, root, found)
    if reading not in found:
        raise package.error(reasons[reading])
    _check_range(package, root, totals[reading], losses)
    return found[reading]


def _check_range(package: Package, root: DataGroup, total: Fraction, losses: list[Loss]) -> None:
    end = _end_of_range(root.own)
    if not total:
        raise package.error(f"its tests have 0 points in all: is data missing?{_how_to_make(package)}")
    if end is not None and total > end:
        raise package.error(f"range in data/testdata.yaml ends at {_shown(end)}, and its groups have {_shown(total)}")
    if end is not None and total < end:
        losses.append(Loss(rule="range", detail=f"{_shown(end)}, and the groups have {_shown(total)}"))


def _reading_unproven(package: Package, root: DataGroup, found: Mapping[str, Sequence[DataGroup]]) -> str:
    """Return the valid reading when no points decide it; UsageError when it is unclear."""
    version, is_of_domjudge = str(package.problem.get("problem_format_version", "")), JUDGE in package.files
    if len(found) > 1 and _is_same(root, *found.values()):
        return "group"
    if is_of_domjudge != version.startswith("legacy"):
        return "group" if is_of_domjudge else "input"
    raise package.error(
        "is accept_score of each input, or of its group? Say problem_format_version: legacy for the first, or write "
        "`@EXPECTED_SCORE@: ` with its points into an accepted program"
    )


def _is_strict(root: DataGroup) -> bool:
    """Whether one input that fails has all rejected, so that no part of the points is ever given."""
    is_alone = "ignore_sample" in root.flags and "always_accept" not in root.flags
    every = [*([] if is_alone else [root]), *_every(root.parts[-1])]
    return not any(_ACCEPTING.intersection(one.flags) for one in every)


def _is_same(root: DataGroup, by_input: Sequence[DataGroup], by_group: Sequence[DataGroup]) -> bool:
    """Whether both readings give the same points: each group is right or wrong, and adds its points or is alone."""
    every = list(_every(root.parts[-1]))
    if _total(by_input) != _total(by_group) or any(one.score("reject_score") for one in every):
        return False
    is_open = all(
        _ACCEPTING.intersection(one.flags) and one.settings.get("on_reject") == "continue" for one in every if one.parts
    )
    adds = is_open and (len(root.parts) == 1 or "ignore_sample" in root.flags)
    is_alone = sum(one.points > 0 for one in by_group) == 1
    is_whole = all(one.parts or one.how == "min" or len(one.data) == 1 for one in every)
    return (is_alone and _is_strict(root)) or (is_whole and (is_alone or adds))


# ---------------------------------------------------------------- the newer form: test_group.yaml


class _Scoring(NamedTuple):
    """The scoring of a group by its settings: separate keys, or one mapping in earlier drafts."""

    most: Fraction | None  # the highest score; None where it is not stated
    how: str
    needs: tuple[str, ...]
    is_mapping: bool

    @classmethod
    def of(cls, part: DataGroup) -> "_Scoring":
        inner = next((part.own[key] for key in ("scoring", "grading") if isinstance(part.own.get(key), dict)), None)
        names = ("score", "aggregation") if inner is not None else ("max_score", "score_aggregation")
        scoring, is_root = part.own if inner is None else inner, part.name == "secret"
        how = str(scoring.get(names[1], "sum" if is_root else "pass-fail"))
        most = as_number(scoring.get(names[0], 100 if is_root else None))
        return cls(most, how, tuple(as_words(scoring.get("require_pass"))), inner is not None)


def _of_format(package: Package, root: DataGroup) -> Iterator[DataGroup]:
    """Yield the tests of the format 2023-07-draft and later.

    In drafts with a mapping for the scoring, members without points of their own share the rest of a group's points.
    """
    shares = any(_Scoring.of(one).is_mapping for one in _every(root))
    before: list[str] = []
    for part in root.parts:
        found = [replace(part, points=as_number(part.own.get("max_score", 0)) or _NONE)]
        if part.name != "sample":
            found = list(_in_format(package, part, _Scoring.of(part).most, (), shares=shares))
        for group in found:
            if strange := [need for need in group.needs if need not in before]:
                raise package.error(f"{group.name} requires {strange[0]}, which is no test before it")
            yield group
            before.append(group.name)


def _in_format(
    package: Package, part: DataGroup, most: Fraction | None, around: tuple[str, ...], *, shares: bool
) -> Iterator[DataGroup]:
    """Yield the tests of a group with at most `most` points; `around` are the needs of the outer groups."""
    how, needs = _Scoring.of(part).how, tuple(dict.fromkeys((*around, *_Scoring.of(part).needs)))
    if most is None or how not in ("sum", "min", "pass-fail"):
        problem = "says no highest score" if most is None else f"adds up by {how!r}, which is not known"
        raise package.error(f"{part.name} {problem}: see max_score and score_aggregation in test_group.yaml")
    is_single = len(part.direct) == 1 and not part.parts and how == "min"
    if how != "sum" and not is_single:
        yield replace(part, points=_least(package, part, most), needs=needs, is_least=how == "min")
        return
    known = [_Scoring.of(inner).most for inner in part.parts]
    left = most - sum((one for one in known if one is not None), _NONE)
    takers = len(part.direct) + (known.count(None) if shares else 0)
    if left < 0:
        problem = f"its groups have more than the {_shown(most)} points of {part.name}"
        raise package.error(f"{problem}: see max_score in test_group.yaml")
    each = left / takers if takers else _NONE
    if part.direct:
        own = replace(part, data=part.direct, parts=(), all_or_nothing=False)
        yield replace(own, points=each * len(part.direct), needs=needs)
    for inner, own_most in zip(part.parts, known, strict=True):
        yield from _in_format(package, inner, each if own_most is None and shares else own_most, needs, shares=shares)


def _least(package: Package, part: DataGroup, most: Fraction) -> Fraction:
    """Return the points of a group that is all or nothing: their sum, or the minimum in it."""
    how = _Scoring.of(part).how
    worth = [most] if part.direct or not part.parts or how == "pass-fail" else []
    for inner in part.parts:
        own = _Scoring.of(inner)
        if own.needs or own.how == "sum" or (how == "pass-fail" and own.how != how):
            problem = f"{inner.name} in it is no whole group by itself"
            raise package.error(f"{part.name} is all or nothing ({how}), and {problem}")
        worth.append(_least(package, inner, most if own.most is None else own.most))
    return most if how == "pass-fail" else min(worth)


def _check_shares(package: Package, given: Sequence[str], groups: Sequence[DataGroup]) -> None:
    """Raise UsageError when a validator does not give shares of a case's points, or shares are not added up."""
    least = [group.name for group in groups if group.is_least and len(group.data) > 1]
    if _POINTS_FILE in given:
        problem = f"its validator gives points ({_POINTS_FILE}), where here it gives a share"
        raise package.error(f"{problem}: let it write {_SHARE_FILE}")
    if given and least:
        problem = f"of the shares that its validator gives in {least[0]} the least counts (min)"
        raise package.error(f"{problem}; here they are added up")
    if given and any("sample" in group.needs for group in groups):
        problem = "a group requires the samples, in which a share from its validator is enough there, and not here"
        raise package.error(problem)
