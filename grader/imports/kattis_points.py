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
from grader.imports.kattis_package import DataGroup, Package, as_mapping, as_number, as_words, read_group
from grader.imports.kattis_programs import Label
from grader.imports.kattis_validator import score_files

_ALL_POINTS = Fraction(100)
"""of a problem that knows no points"""
_POINTS_FILE, _SHARE_FILE = "score.txt", "score_multiplier.txt"
_ACCEPTING = frozenset({"accept_if_any_accepted", "always_accept"})
_LEGACY_KEYS = ("accept_score", "grader_flags", "range", "on_reject", "reject_score", "grading")
_STATIC_KEYS = ("static_validation", "static_validation_score")
_KNOWN_KEYS = frozenset(
    (
        *(*_LEGACY_KEYS, "max_score", "score_aggregation", "require_pass", "scoring", *_STATIC_KEYS),
        # These change no points.
        *("args", "input_validator_args", "input_validator_flags", "output_validator_args", "output_validator_flags"),
        *("input_visualizer_args", "output_visualizer_args", "full_feedback", "hint", "description"),
    )
)


def read_groups(package: Package, labels: Sequence[Label], losses: list[Loss]) -> Sequence[DataGroup]:
    """Read the test data, the samples first; adds to `losses` what cannot be carried over.

    A problem without points is accepted or rejected: all its secret data is one test, which needs the samples, and is
    all or nothing. `labels` are what the package says of its programs. Raises UsageError when there is no data, and
    where no tests can have the points of the package.
    """
    root = read_group(package, "", {}, losses)
    _check_data(package, root, losses)
    every = list(_every(root))
    if any(one.own.get(key) not in (None, False) for one in every for key in _STATIC_KEYS):
        raise UsageError(f"{package.path}: a static validator judges the source (static_validation); no test says that")
    if not package.is_scoring:
        return _accepted_or_rejected(package, root, losses)
    _check_settings(package, every)
    given = score_files(package)
    has_older = any(key in one.own and not _is_mapping(one.own[key]) for one in every for key in _LEGACY_KEYS)
    is_newer = not (package.is_legacy or has_older)
    if package.is_legacy and (root.is_custom or _POINTS_FILE in given):
        groups = _scored_by_programs(package, root, gives_points=_POINTS_FILE in given)
    elif is_newer:
        groups = list(_of_format(package, root))
        _check_shares(package, given, groups)
    elif given:
        raise UsageError(f"{package.path}: its validator gives points ({given[0]}), and nothing tells of how many")
    else:
        groups = _of_older_form(package, root, labels, losses)
    most = sum((one.points for one in groups), Fraction(0))
    for score, is_all in ((one.score, one.results == {"accepted"}) for one in labels if one.score is not None):
        if score > most or (is_newer and not given and is_all and score != most):
            problem = f"a program has {_shown(score)} points there, and none has so many of {_shown(most)} here"
            raise UsageError(f"{package.path}: {problem}")
    return groups


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _check_data(package: Package, root: DataGroup, losses: list[Loss]) -> None:
    """Raise UsageError where there is no data, or none that gives points; note where the samples are all."""
    how = _how_to_make(package)
    if not root.parts:
        raise UsageError(f"{package.path}: there is no input with an answer in data/sample and data/secret{how}")
    if root.parts[-1].name == "sample":
        problem = "data/secret has no input with an answer"
        if package.is_scoring and not {"accept_score", "max_score"} & root.parts[-1].own.keys():
            raise UsageError(f"{package.path}: its tests have 0 points in all: {problem}{how}")
        losses.append(Loss(rule="no-secret-data", detail=f"{problem}{how}"))


def _how_to_make(package: Package) -> str:
    """Say by which commands the data is made, as far as the package has them; empty when it has none."""
    found = [f"sh {name}" for name in package.files if re.fullmatch(r"(data|generators)/[^/]+\.(sh|bash)", name)]
    makefiles = [name for name in package.files if re.fullmatch(r"(?:(?:data|generators)/)?[Mm]akefile", name)]
    found += [f"make -C {name.rpartition('/')[0] or '.'}" for name in makefiles]
    found += ["bt generate"] if "generators/generators.yaml" in package.files else []
    if not found and (programs := sorted(package.below("generators/"))):
        found = [f"what is in generators/ ({listed(programs, most=3)})"]
    return f"; make it first: {joined(found, 'or')}" if found else ""


def _check_settings(package: Package, every: Sequence[DataGroup]) -> None:
    """Raise UsageError for settings of a scoring problem that tests cannot express."""
    for key in {key for one in every for key in one.own} - _KNOWN_KEYS:
        raise UsageError(f"{package.path}: {key!r} in the settings of a group may change points; no test says the same")
    for grader in (one.own.get("grading", "default") for one in every):
        if grader not in ("default", "custom") and not _is_mapping(grader):
            raise UsageError(f"{package.path}: grading: {grader!r} is neither default nor custom")
    if as_mapping(package.problem.get("grading")).get("objective") == "min":
        raise UsageError(f"{package.path}: the fewest points are the best there, the most are here")


def _accepted_or_rejected(package: Package, root: DataGroup, losses: list[Loss]) -> Sequence[DataGroup]:
    for one in _every(root):
        if _ACCEPTING.intersection(one.flags):
            raise UsageError(f"{package.path}: {one.name} is accepted although inputs fail; no test without points is")
    losses.append(Loss(rule="pass-fail"))
    *before, last = root.parts
    needs = tuple(one.name for one in before)
    return [*before, replace(last, points=_ALL_POINTS, needs=needs)]


def _every(group: DataGroup) -> Iterator[DataGroup]:
    yield group
    for part in group.parts:
        yield from _every(part)


def _shown(number: Fraction | int) -> str:
    return f"{float(number):g}"


def _end_of_range(settings: Mapping[str, Any]) -> Fraction | None:
    words = as_words(settings.get("range"))
    return as_number(words[1]) if len(words) == 2 else None  # noqa: PLR2004 - two ends


# ---------------------------------------------------------------- the older form, as graders score it


def _scored_by_programs(package: Package, root: DataGroup, *, gives_points: bool) -> Sequence[DataGroup]:
    """Return the tests where a program of the package gives points; the end of `range` is all of them."""
    most = _end_of_range(root.settings)
    if not most:
        raise UsageError(
            f"{package.path}: programs give its points, and nothing says how many: say range: 0 100 in "
            "data/testdata.yaml, with the most that there are"
        )
    return _scored(package, _with_most(package, root) if gives_points else root, most)


def _with_most(package: Package, group: DataGroup) -> DataGroup:
    """Return a group of which each input has the most points that the validator may write for it."""
    parts = tuple(_with_most(package, part) for part in group.parts)
    most = _end_of_range(group.settings)
    if not most and group.direct:
        problem = "its validator writes points, and range in testdata.yaml does not say how many there are"
        raise UsageError(f"{package.path}: {group.name}: {problem}")
    own = (replace(datum, max_score=most) for datum in group.direct)
    return replace(group, parts=parts, data=(*own, *(datum for part in parts for datum in part.data)))


def _scored(package: Package, root: DataGroup, most: Fraction) -> Sequence[DataGroup]:
    """Return the tests: the samples without points, and all data with the groups that graders score."""
    for one in _every(root):
        if one.direct and one.parts:
            raise UsageError(f"{package.path}: {one.name} has inputs as well as groups: put the inputs into a group")
        for key in ("accept_score", "reject_score"):
            one.score(key)
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
    total = sum(scores, Fraction(0))
    return {"sum": total, "min": min(scores), "max": max(scores), "avg": total / len(scores)}[how]


def _of_older_form(
    package: Package, root: DataGroup, labels: Sequence[Label], losses: list[Loss]
) -> Sequence[DataGroup]:
    """Return the tests by the valid reading of `accept_score`; UsageError when it is unclear or unsupported.

    It is of each input (problemtools), or of a whole group without subgroups (DOMjudge). The points in labels and in
    `range` tell, and then the version or the file for DOMjudge.
    """
    found: dict[str, Sequence[DataGroup]] = {}
    reasons: dict[str, str] = {}
    for reading, read in (("input", _by_input), ("group", _by_group)):
        try:
            found[reading] = read(package, root)
        except UsageError as error:
            reasons[reading] = str(error)
    totals = {reading: sum((one.points for one in groups), Fraction(0)) for reading, groups in found.items()}
    # One input that fails, and all is rejected: then no part of the points is ever given.
    is_whole = not any(_ACCEPTING.intersection(one.flags) for one in (root, root.parts[-1]))
    stated = {label.score for label in labels if label.score is not None}
    ends = {end for one in (root, root.parts[-1]) if (end := _end_of_range(one.own)) is not None}
    best = {label.score for label in labels if label.score is not None and label.results == {"accepted"}}
    fitting = [
        one
        for one, total in totals.items()
        if all(score == total for score in (best if stated else ends))
        and all(score in (0, total) if is_whole and one == "input" else score <= total for score in stated)
    ]
    if stated and not fitting:
        most = ", ".join(sorted(map(_shown, {*totals.values()}))) or "none"
        why = "".join(f"; {reason}" for reason in reasons.values())
        problem = f"a program has {_shown(max(stated))} points there, and at most {most} here, or none has so many"
        raise UsageError(f"{package.path}: {problem}{why}")
    if len(fitting) > 1 and (stated or ends):
        fitting = [one for one in fitting if totals[one] in (ends or {max(stated)})] or fitting
    is_told = bool(stated or ends) and len(fitting) == 1
    reading = fitting[0] if is_told else _reading_unproven(package, root, found)
    if reading not in found:
        raise UsageError(f"{package.path}: {reasons[reading]}")
    _check_range(package, root, totals[reading], losses)
    return found[reading]


def _is_same(root: DataGroup, by_input: Sequence[DataGroup], by_group: Sequence[DataGroup]) -> bool:
    """Whether both readings give the same points: each group is right or wrong, and adds its points or is alone."""
    inner = [one for one in _every(root.parts[-1]) if one.parts]
    is_whole = all(one.parts or one.how == "min" or len(one.data) == 1 for one in _every(root.parts[-1]))
    is_open = all(_ACCEPTING.intersection(one.flags) and one.settings.get("on_reject") == "continue" for one in inner)
    adds = is_open and (len(root.parts) == 1 or "ignore_sample" in root.flags)
    worth = [sum(one.points for one in groups) for groups in (by_input, by_group)]
    return is_whole and worth[0] == worth[1] and (adds or sum(one.points > 0 for one in by_group) == 1)


def _reading_unproven(package: Package, root: DataGroup, found: Mapping[str, Sequence[DataGroup]]) -> str:
    """Return the valid reading when no points decide it; UsageError when it is unclear."""
    if len(found) > 1 and _is_same(root, *found.values()):
        return "group"
    version = str(package.problem.get("problem_format_version", ""))
    if package.is_of_domjudge != version.startswith("legacy"):
        return "group" if package.is_of_domjudge else "input"
    raise UsageError(
        f"{package.path}: is accept_score of each input, or of its group? Say problem_format_version: legacy for"
        " the first, or write `@EXPECTED_SCORE@: ` with its points into an accepted program"
    )


def _check_range(package: Package, root: DataGroup, total: Fraction, losses: list[Loss]) -> None:
    """Compare the points with `range`; raise UsageError for more, or for none at all."""
    end = _end_of_range(root.own)
    if not total:
        raise UsageError(f"{package.path}: its tests have 0 points in all: is data missing?{_how_to_make(package)}")
    if end is not None and total > end:
        raise UsageError(
            f"{package.path}: range in data/testdata.yaml ends at {_shown(end)}, and its groups have {_shown(total)}"
        )
    if end is not None and total < end:
        losses.append(Loss(rule="range", detail=f"{_shown(end)}, and the groups have {_shown(total)}"))


# ---------------------------------------------------------------- the older form, as DOMjudge grades it


def _by_group(_package: Package, root: DataGroup) -> Sequence[DataGroup]:
    """Return the tests as DOMjudge grades them: an accepted group without subgroups has its accept_score."""
    if root.how != "sum" and len(root.parts) > 1 and "ignore_sample" not in root.flags:
        raise UsageError("the samples and the secret data are not added up (grader_flags of data/testdata.yaml)")
    tests: list[DataGroup] = []
    for part in root.parts:
        if part.name == "sample":
            is_worth = "ignore_sample" not in root.flags and "accept_score" in part.own
            tests.append(replace(part, points=part.score("accept_score") if is_worth else Fraction(0)))
        else:
            tests += _in_group(part, Fraction(1))
    return tests


def _in_group(part: DataGroup, share: Fraction) -> Iterator[DataGroup]:
    if part.parts and part.direct:
        raise UsageError(f"{part.name}: it has inputs as well as groups")
    if _is_whole_group(part):
        yield replace(part, points=_group_most(part) * share)
        return
    if part.own_how in ("min", "max") and len(part.parts) > 1:
        raise UsageError(f"{part.name}: of its groups, which are no whole ones, one counts ({part.own_how})")
    for below in part.parts:
        yield from _in_group(below, share / len(part.parts) if part.own_how == "avg" else share)


def _is_whole_group(part: DataGroup) -> bool:
    """Whether a group is all or nothing, with accept_score for the whole group."""
    is_one = not part.parts or part.own_how == "min"
    return is_one and all(len(one.parts) < 2 or one.own_how == "min" for one in _every(part))  # noqa: PLR2004


def _group_most(part: DataGroup) -> Fraction:
    if part.parts:
        return _joined_scores(part.own_how, list(map(_group_most, part.parts)))
    if "accept_score" not in part.own:
        raise UsageError(f"{part.name}: it has no accept_score of its own")
    return part.score("accept_score")


# ---------------------------------------------------------------- the newer form: test_group.yaml


class _Scoring(NamedTuple):
    """The scoring of a group by its settings: separate keys, or one mapping in earlier drafts."""

    most: Any
    """the highest score, None where it is not stated"""
    how: str
    needs: tuple[str, ...]
    is_mapping: bool

    @classmethod
    def of(cls, part: DataGroup) -> "_Scoring":
        inner = next((part.own[key] for key in ("scoring", "grading") if _is_mapping(part.own.get(key))), None)
        names = ("score", "aggregation") if inner is not None else ("max_score", "score_aggregation")
        scoring = part.own if inner is None else inner
        is_root = part.name == "secret"
        how = str(scoring.get(names[1], "sum" if is_root else "pass-fail"))
        most = scoring.get(names[0], 100 if is_root else None)
        return cls(most, how, tuple(as_words(scoring.get("require_pass"))), inner is not None)


def _of_format(package: Package, root: DataGroup) -> Iterator[DataGroup]:
    """Yield the tests of the format 2023-07-draft and later.

    In drafts with a mapping for the scoring, members without points of their own share the rest of a group's points.
    """
    shares = any(_Scoring.of(one).is_mapping for one in _every(root))
    before: list[str] = []
    for part in root.parts:
        if part.name == "sample":
            found = [replace(part, points=as_number(part.own.get("max_score", 0)) or Fraction(0))]
        else:
            found = list(_in_format(package, part, as_number(_Scoring.of(part).most), (), shares=shares))
        for group in found:
            if strange := [need for need in group.needs if need not in before]:
                raise UsageError(f"{package.path}: {group.name} requires {strange[0]}, which is no test before it")
            yield group
            before.append(group.name)


def _in_format(
    package: Package, part: DataGroup, most: Fraction | None, around: tuple[str, ...], *, shares: bool
) -> Iterator[DataGroup]:
    """Yield the tests of a group with at most `most` points; `around` are the needs of the outer groups."""
    scoring = _Scoring.of(part)
    if most is None or scoring.how not in ("sum", "min", "pass-fail"):
        problem = "says no highest score" if most is None else f"adds up by {scoring.how!r}, which is not known"
        raise UsageError(
            f"{package.path}: {part.name} {problem}: see max_score and score_aggregation in test_group.yaml"
        )
    needs = tuple(dict.fromkeys((*around, *scoring.needs)))
    is_single = len(part.direct) == 1 and not part.parts and scoring.how != "pass-fail"
    if scoring.how != "sum" and not is_single:
        points = _least(package, part, most)
        yield replace(part, points=points, needs=needs, is_least=scoring.how == "min")
        return
    known = [as_number(_Scoring.of(inner).most) for inner in part.parts]
    left = most - sum((one for one in known if one is not None), Fraction(0))
    takers = len(part.direct) + (known.count(None) if shares else 0)
    if left < 0:
        problem = f"its groups have more than the {_shown(most)} points of {part.name}"
        raise UsageError(f"{package.path}: {problem}: see max_score in test_group.yaml")
    each = left / takers if takers else Fraction(0)
    if part.direct:
        own = replace(part, data=part.direct, parts=(), all_or_nothing=False)
        yield replace(own, points=each * len(part.direct), needs=needs)
    for inner, most_of_it in zip(part.parts, known, strict=True):
        yield from _in_format(
            package, inner, each if most_of_it is None and shares else most_of_it, needs, shares=shares
        )


def _least(package: Package, part: DataGroup, most: Fraction) -> Fraction:
    """Return the points of a group that is all or nothing: their sum, or the minimum in it."""
    how = _Scoring.of(part).how
    worth = [most] if part.direct or not part.parts or how == "pass-fail" else []
    for inner in part.parts:
        own = _Scoring.of(inner)
        if own.needs or own.how == "sum" or (how == "pass-fail" and own.how != how):
            problem = f"{inner.name} in it is no whole group by itself"
            raise UsageError(f"{package.path}: {part.name} is all or nothing ({how}), and {problem}")
        number = as_number(own.most)
        worth.append(_least(package, inner, most if number is None else number))
    return most if how == "pass-fail" else min(worth)


def _check_shares(package: Package, given: Sequence[str], groups: Sequence[DataGroup]) -> None:
    """Raise UsageError when a validator does not give shares of a case's points, or shares are not added up."""
    problem = ""
    if not given:
        return
    if _POINTS_FILE in given:
        problem = (
            f"its validator gives points ({_POINTS_FILE}), where here it gives a share: let it write {_SHARE_FILE}"
        )
    elif least := [group.name for group in groups if group.is_least and len(group.data) > 1]:
        problem = f"of the shares that its validator gives in {least[0]} the least counts (min); here they are added up"
    elif any("sample" in group.needs for group in groups):
        problem = "a group requires the samples, in which a share from its validator is enough there, and not here"
    if problem:
        raise UsageError(f"{package.path}: {problem}")
