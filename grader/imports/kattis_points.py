"""The points of a problem package: its nested groups of test data become a flat list of tests.

Every submission gets the same points as from the package's own judge; otherwise the package is refused, as it is when
`accept_score` may apply to each input or to the whole group. Where shares of tests cannot give these points (the best
of a group counts, or what came before a failure), a program scores the groups as the format's default grader does.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from grader.core.errors import UsageError
from grader.core.text import joined, listed
from grader.imports.kattis_graders import is_scored_by_programs, scored_groups
from grader.imports.kattis_package import (
    Datum,
    Group,
    Package,
    ScoredGroup,
    as_mapping,
    as_number,
    as_words,
    data_of,
)
from grader.imports.kattis_programs import Label
from grader.imports.kattis_validator import score_files

_ALL_POINTS = Fraction(100)
"""of a problem that knows no points"""
_MAX_SUMS = 100_000
_POINTS_FILE, _SHARE_FILE = "score.txt", "score_multiplier.txt"
_ACCEPTING = frozenset({"accept_if_any_accepted", "always_accept"})
_LEGACY_KEYS = ("accept_score", "grader_flags", "range", "on_reject", "reject_score", "grading")
_MAPPINGS = ("scoring", "grading")
_NEWER_KEYS = ("max_score", "score_aggregation", "require_pass", "scoring")
_STATIC_KEYS = ("static_validation", "static_validation_score")
_SILENT_KEYS = (
    *_STATIC_KEYS,
    *("args", "input_validator_args", "input_validator_flags", "output_validator_args", "output_validator_flags"),
    *("input_visualizer_args", "output_visualizer_args", "full_feedback", "hint", "description"),
)
"""that change no points"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A group of the test data, with those in it."""

    name: str
    own: Mapping[str, Any]
    settings: Mapping[str, Any]
    """with those of the groups around it"""
    data: tuple[Datum, ...]
    """that lie in it directly"""
    parts: tuple["_Part", ...]

    @property
    def flags(self) -> frozenset[str]:
        return frozenset(as_words(self.settings.get("grader_flags")))

    @property
    def how(self) -> str:
        """How the scores of its members are combined."""
        return next((how for how in ("min", "max", "avg") if how in self.flags), "sum")

    def all_data(self) -> tuple[Datum, ...]:
        return (*self.data, *(datum for part in self.parts for datum in part.all_data()))


def read_groups(package: Package, labels: Sequence[Label], notes: list[str]) -> Sequence[Group]:
    """Read the test data, the samples first; adds to `notes` what cannot be carried over.

    A problem without points is accepted or rejected: all its secret data is one test, which needs the samples, and is
    all or nothing. `labels` are what the package says of its programs. Raises UsageError when there is no data, and
    where no tests can have the points of the package.
    """
    root = package.settings("data")
    sample, secret = (_read_part(package, name, root, notes) for name in ("sample", "secret"))
    parts = [part for part in (sample, secret) if part.all_data()]
    _check_data(package, sample, secret, notes)
    everywhere = [root, *(part.own for part in _all_parts(parts))]
    if any(own.get(key) not in (None, False) for own in everywhere for key in _STATIC_KEYS):
        raise UsageError(f"{package.path}: a static validator judges the source (static_validation); no test says that")
    if not package.is_scoring:
        return _accepted_or_rejected(package, root, parts, notes)
    _check_settings(package, everywhere)
    has_older = any(key in own and not isinstance(own[key], dict) for own in everywhere for key in _LEGACY_KEYS)
    given = score_files(package)
    if is_scored_by_programs(package, everywhere):
        return scored_groups(package, _as_scored("data", root, parts))
    if has_older or package.is_legacy:
        if given:
            raise UsageError(f"{package.path}: its validator gives points ({given[0]}), and nothing tells of how many")
        return _of_older_form(package, root, parts, labels, notes)
    groups = list(_of_format(package, parts))
    if given:
        _check_shares(package, given, groups)
    total = _total(groups)
    reached = None if given else _attainable(groups)
    for label in labels:
        wrong = label.score is not None and (label.score > total if reached is None else label.score not in reached)
        if wrong or (label.results == {"accepted"} and label.score not in (None, total) and reached is not None):
            problem = f"a program has {_shown(label.score or Fraction(0))} points there"
            raise UsageError(f"{package.path}: {problem}, and none has so many of {_shown(total)} here")
    return groups


def _check_data(package: Package, sample: _Part, secret: _Part, notes: list[str]) -> None:
    """Raise UsageError where there is no data, or none that gives points; note where the samples are all."""
    how = _how_to_make(package)
    if not (sample.all_data() or secret.all_data()):
        raise UsageError(f"{package.path}: there is no input with an answer in data/sample and data/secret{how}")
    if not secret.all_data():
        problem = "data/secret has no input with an answer"
        if package.is_scoring and not {"accept_score", "max_score"} & sample.own.keys():
            raise UsageError(f"{package.path}: its tests have 0 points in all: {problem}{how}")
        notes.append(f"Secret data: {problem}{how}.")


def _how_to_make(package: Package) -> str:
    """Say by which commands the data is made, as far as the package has them; empty when it has none."""
    scripts = [f"sh {name}" for name in package.files if re.fullmatch(r"(data|generators)/[^/]+\.(sh|bash)", name)]
    makefiles = [name for name in package.files if re.fullmatch(r"(?:(?:data|generators)/)?[Mm]akefile", name)]
    made = [f"make -C {name.rpartition('/')[0] or '.'}" for name in makefiles]
    generated = ["bt generate"] if "generators/generators.yaml" in package.files else []
    programs = [f"what is in generators/ ({listed(sorted(package.below('generators/')), most=3)})"]
    found = [*scripts, *made, *generated] or (programs if package.below("generators/") else [])
    return f"; make it first: {joined(found, 'or')}" if found else ""


def _hold_against_range(package: Package, root: Mapping[str, Any], groups: Sequence[Group], notes: list[str]) -> None:
    """Compare the points with `range`; raise UsageError for more, or for none at all."""
    total, end = _total(groups), _end_of_range(root)
    if not total:
        raise UsageError(f"{package.path}: its tests have 0 points in all: is data missing?{_how_to_make(package)}")
    if end is not None and total > end:
        raise UsageError(
            f"{package.path}: range in data/testdata.yaml ends at {_shown(end)}, and its groups have {_shown(total)}"
        )
    if end is not None and total < end:
        notes.append(f"Points: range ends at {_shown(end)}, and the groups have {_shown(total)}: is data missing?")


def _check_settings(package: Package, everywhere: Sequence[Mapping[str, Any]]) -> None:
    """Raise UsageError for settings of a scoring problem that tests cannot express."""
    for key in {key for own in everywhere for key in own} - {*_LEGACY_KEYS, *_NEWER_KEYS, *_SILENT_KEYS}:
        raise UsageError(f"{package.path}: {key!r} in the settings of a group may change points; no test says the same")
    for grader in (own.get("grading", "default") for own in everywhere):
        if grader not in ("default", "custom") and not isinstance(grader, dict):
            raise UsageError(f"{package.path}: grading: {grader!r} is neither default nor custom")
    if as_mapping(package.problem.get("grading")).get("objective") == "min":
        raise UsageError(f"{package.path}: the fewest points are the best there, the most are here")


def _check_shares(package: Package, given: Sequence[str], groups: Sequence[Group]) -> None:
    """Raise UsageError when a validator does not give shares of a case's points, or shares are not added up."""
    if _POINTS_FILE in given:
        problem = (
            f"its validator gives points ({_POINTS_FILE}), where here it gives a share: let it write {_SHARE_FILE}"
        )
        raise UsageError(f"{package.path}: {problem}")
    if least := [group.name for group in groups if group.all_or_nothing and group.is_least and len(group.data) > 1]:
        problem = f"of the shares that its validator gives in {least[0]} the least counts (min); here they are added up"
        raise UsageError(f"{package.path}: {problem}")
    if any("sample" in group.needs for group in groups):
        problem = "a group requires the samples, in which a share from its validator is enough there, and not here"
        raise UsageError(f"{package.path}: {problem}")


def _accepted_or_rejected(
    package: Package, root: Mapping[str, Any], parts: Sequence[_Part], notes: list[str]
) -> Sequence[Group]:
    for part in _all_parts(parts):
        if _ACCEPTING & part.flags or _ACCEPTING & {*as_words(root.get("grader_flags"))}:
            raise UsageError(f"{package.path}: {part.name} is accepted although inputs fail; no test without points is")
    notes.append("Points: a problem that is accepted or rejected has none. All data has to pass for all points.")
    last = parts[-1]
    return [
        Group(
            name=part.name,
            data=part.all_data(),
            points=_ALL_POINTS if part is last else Fraction(0),
            all_or_nothing=True,
            needs=("sample",) if part is last and len(parts) > 1 else (),
        )
        for part in parts
    ]


def _read_part(package: Package, name: str, around: Mapping[str, Any], notes: list[str]) -> _Part:
    own = package.settings(f"data/{name}")
    settings = {**around, **own}
    return _Part(
        name=name,
        own=own,
        settings=settings,
        data=tuple(data_of(package, name, notes)),
        parts=tuple(
            part
            for folder in package.folders(f"data/{name}/")
            if (part := _read_part(package, f"{name}/{folder}", settings, notes)).all_data()
        ),
    )


def _all_parts(parts: Sequence[_Part]) -> Iterator[_Part]:
    for part in parts:
        yield part
        yield from _all_parts(part.parts)


def _whole(part: _Part, points: Fraction, needs: tuple[str, ...] = ()) -> Group:
    return Group(name=part.name, data=part.all_data(), points=points, all_or_nothing=True, needs=needs)


def _as_scored(
    name: str, settings: Mapping[str, Any], parts: Sequence[_Part], data: tuple[Datum, ...] = ()
) -> ScoredGroup:
    inner = tuple(_as_scored(part.name, part.settings, part.parts, part.data) for part in parts)
    return ScoredGroup(name=name, settings=settings, data=data, parts=inner)


def _total(groups: Sequence[Group]) -> Fraction:
    return sum((group.points for group in groups), Fraction(0))


# ---------------------------------------------------------------- the older form: grader_flags and accept_score


def _of_older_form(
    package: Package, root: Mapping[str, Any], parts: Sequence[_Part], labels: Sequence[Label], notes: list[str]
) -> Sequence[Group]:
    """Return the tests; a single one, scored by the default grader, where no shares of tests give the same points."""
    try:
        groups = _older(package, root, parts, labels)
    except UsageError:
        most = _most_by_grader(package, root, parts, labels)
        if most is None:
            raise
        groups = scored_groups(package, _as_scored("data", root, parts), most)
    _hold_against_range(package, root, groups, notes)
    return groups


def _older(
    package: Package, root: Mapping[str, Any], parts: Sequence[_Part], labels: Sequence[Label]
) -> Sequence[Group]:
    """Return the tests by the valid interpretation of `accept_score`; UsageError when it is unclear or unsupported.

    It applies to each input (problemtools), or to a whole group without subgroups (DOMjudge).
    """
    found: dict[str, Sequence[Group]] = {}
    reasons: dict[str, str] = {}
    for reading, read in (("input", _by_input), ("group", _by_group)):
        try:
            found[reading] = read(root, parts)
        except UsageError as error:
            reasons[reading] = str(error)
    stated = {label.score for label in labels if label.score is not None}
    best = {label.score for label in labels if label.score is not None and label.results == {"accepted"}}
    ends = {end for own in (root, parts[-1].own) if (end := _end_of_range(own)) is not None}
    best |= set() if stated else ends
    fitting = [
        one
        for one, groups in found.items()
        if (stated or best) and best <= {_total(groups)} and stated <= _attainable(groups)
    ]
    if len(fitting) > 1:
        fitting = [one for one in fitting if ends == {_total(found[one])}] or fitting
    if stated and not fitting:
        totals = ", ".join(sorted({_shown(_total(groups)) for groups in found.values()})) or "none"
        why = "".join(f"; {reason}" for reason in reasons.values())
        raise UsageError(
            f"{package.path}: a program has {_shown(max(stated))} points there, and at most {totals} here, or"
            f" none has so many{why}"
        )
    holds = fitting[0] if len(fitting) == 1 else _reading_unproven(package, found, reasons)
    if holds not in found:
        raise UsageError(f"{package.path}: {reasons[holds]}")
    return found[holds]


def _most_by_grader(
    package: Package, root: Mapping[str, Any], parts: Sequence[_Part], labels: Sequence[Label]
) -> Fraction | None:
    """Return the most points where the default grader of the format can give what no shares of tests can.

    None where that is not known: accept_score may be of a group (DOMjudge), a failure may be worth more than a success,
    or labels say otherwise.
    """
    is_of_inputs = str(package.problem.get("problem_format_version", "")).startswith("legacy")
    if not is_of_inputs or package.is_of_domjudge or as_mapping(package.problem.get("grading")):
        return None
    if any(_score(part, "reject_score", "0") > _score(part) for part in _all_parts(parts)):
        return None
    flags = as_words(root.get("grader_flags"))
    scored = parts[-1:] if "ignore_sample" in flags else parts
    how = next((how for how in ("min", "max", "avg") if how in flags), "sum")
    most = _joined_scores(how, [_most(part) for part in scored])
    stated = [label.score for label in labels if label.score is not None]
    best = [label.score for label in labels if label.score is not None and label.results == {"accepted"}]
    return most if all(one <= most for one in stated) and all(one == most for one in best) else None


def _reading_unproven(package: Package, found: Mapping[str, Sequence[Group]], reasons: Mapping[str, str]) -> str:
    """Return the valid interpretation when no stated points decide it; UsageError when it is unclear."""
    version = str(package.problem.get("problem_format_version", ""))
    if not reasons and _is_same_worth(list(found.values())):
        return "input"
    if package.is_of_domjudge != version.startswith("legacy"):
        return "group" if package.is_of_domjudge else "input"
    raise UsageError(
        f"{package.path}: is accept_score of each input, or of its group? Say problem_format_version: legacy for"
        " the first, or write `@EXPECTED_SCORE@: ` with its points into an accepted program"
    )


def _is_same_worth(readings: Sequence[Sequence[Group]]) -> bool:
    """Whether the points are the same in all readings. A test that has all of them may need the samples or not."""
    worth = [[group for group in groups if group.points] for groups in readings]
    if all(len(groups) == 1 for groups in worth):
        return len({_worth(replace(groups[0], needs=())) for groups in worth}) == 1
    return len({tuple(map(_worth, groups)) for groups in readings}) == 1


def _end_of_range(own: Mapping[str, Any]) -> Fraction | None:
    words = as_words(own.get("range"))
    return as_number(words[1]) if len(words) == 2 else None  # noqa: PLR2004 - two ends


def _attainable(groups: Sequence[Group]) -> frozenset[Fraction]:
    """Return all scores that a program can reach in these tests, without regard to `needs`."""
    found = {Fraction(0)}
    for group in groups:
        steps = 1 if group.all_or_nothing else len(group.data)
        found = {one + group.points * count / steps for one in found for count in range(steps + 1)}
        if len(found) > _MAX_SUMS:
            raise UsageError("its groups allow too many different sums of points to be held against its labels")
    return frozenset(found)


def _worth(group: Group) -> tuple[object, ...]:
    shares = group.all_or_nothing or len(group.data) == 1
    return (tuple(datum.name for datum in group.data), group.points, shares, group.needs)


def _shown(number: Fraction) -> str:
    return f"{float(number):g}"


def _score(part: _Part, key: str = "accept_score", default: str = "1") -> Fraction:
    number = as_number(part.settings.get(key, default))
    if number is None:
        raise UsageError(f"{part.name}: {key} is no number of points, 0 or more")
    return number


def _most(part: _Part) -> Fraction:
    """Return the score of a fully accepted group, with accept_score for each input."""
    scores = [*([_score(part)] * len(part.data)), *map(_most, part.parts)]
    return _joined_scores(part.how, scores)


def _joined_scores(how: str, scores: Sequence[Fraction]) -> Fraction:
    total = sum(scores, Fraction(0))
    return {"sum": total, "min": min(scores), "max": max(scores), "avg": total / len(scores)}[how]


def _by_input(root: Mapping[str, Any], parts: Sequence[_Part]) -> Sequence[Group]:
    """Return the tests as problemtools grades them: a group has the sum of its inputs' scores and the worst verdict."""
    flags = {*as_words(root.get("grader_flags"))}
    if any(_score(part, "reject_score", "0") for part in _all_parts(parts)):
        raise UsageError("an input that fails has points there (reject_score)")
    if {"min", "max", "avg"} & flags and len(parts) > 1:
        raise UsageError("the samples and the secret data are not added up (grader_flags of data/testdata.yaml)")
    is_ignored = "ignore_sample" in flags
    samples = [part for part in parts if part.name == "sample"]
    secrets = [part for part in parts if part.name != "sample"]
    if not secrets:
        return [_whole(part, _most(part)) for part in samples]
    worth = Fraction(0) if is_ignored else sum(map(_most, samples), Fraction(0))
    tests = [_whole(part, Fraction(0)) for part in samples]
    needs = ("sample",) if samples and not is_ignored else ()
    if needs and any(_ACCEPTING & {*flags, *part.flags} for part in samples):
        raise UsageError(
            "it may be accepted although samples fail: say grader_flags: ignore_sample in data/testdata.yaml"
        )
    if "always_accept" not in flags and not _ACCEPTING & secrets[0].flags:  # one that fails, and all is rejected
        if any(_ACCEPTING & part.flags for part in _all_parts(secrets)):
            raise UsageError("a group may be accepted although inputs fail, and all groups have to be accepted")
        return [*tests, _whole(secrets[0], worth + _most(secrets[0]), needs)]
    if worth:
        raise UsageError(
            f"the samples have {_shown(worth)} points if any secret data is accepted: say accept_score: 0 in"
            " data/sample/testdata.yaml, or grader_flags: ignore_sample in data/testdata.yaml"
        )
    is_always = "always_accept" in flags | secrets[0].flags
    return [*tests, *_added_up(secrets[0], Fraction(1), needs, is_accepted=is_always)]


def _is_whole(part: _Part) -> bool:
    """Whether a group is all or nothing, with accept_score for each input."""
    if len(part.data) + len(part.parts) > 1 and part.how != "min":
        return False
    return all(map(_is_whole, part.parts))


def _added_up(part: _Part, share: Fraction, needs: tuple[str, ...], *, is_accepted: bool) -> Iterator[Group]:
    """Yield the tests of a group that sums scores; `is_accepted`: its score counts even if something in it fails."""
    count = len(part.data) + len(part.parts)
    if _is_whole(part):
        yield _whole(part, _most(part) * share, needs)
        return
    if part.how == "min":
        raise UsageError(f"{part.name}: the least of scores counts that are no whole groups (min)")
    if count > 1 and not (is_accepted or _ACCEPTING & part.flags):
        raise UsageError(f"{part.name}: what it gets when a part fails counts only if another group is accepted")
    if part.how == "max" and count > 1:
        raise UsageError(f"{part.name}: only the best of its scores counts (max)")
    if part.settings.get("on_reject", "break") != "continue" and count > 1:
        raise UsageError(f"{part.name}: what came before the first failure counts (on_reject: break)")
    if part.data and part.parts:
        raise UsageError(f"{part.name}: it has inputs as well as groups")
    inner = share / count if part.how == "avg" else share
    for below in part.parts:
        yield from _added_up(below, inner, needs, is_accepted=is_accepted or "always_accept" in below.flags)
    if part.data:
        points = _most(part) * share
        yield Group(name=part.name, data=part.data, points=points, all_or_nothing=False, needs=needs)


def _by_group(root: Mapping[str, Any], parts: Sequence[_Part]) -> Sequence[Group]:
    """Return the tests as DOMjudge grades them: an accepted group without subgroups has its accept_score."""
    flags = {*as_words(root.get("grader_flags"))}
    if {"min", "max", "avg"} & flags and len(parts) > 1 and "ignore_sample" not in flags:
        raise UsageError("the samples and the secret data are not added up (grader_flags of data/testdata.yaml)")
    tests: list[Group] = []
    for part in parts:
        if part.name == "sample":
            is_worth = "ignore_sample" not in flags and "accept_score" in part.own
            tests.append(_whole(part, _score(part) if is_worth else Fraction(0)))
        else:
            tests += _in_group(part, Fraction(1))
    return tests


def _in_group(part: _Part, share: Fraction) -> Iterator[Group]:
    if not part.parts:
        yield _whole(part, _group_most(part) * share)
        return
    if part.data:
        raise UsageError(f"{part.name}: it has inputs as well as groups")
    how = _own_how(part)
    if how == "min" and all(map(_is_whole_group, part.parts)):
        yield _whole(part, _group_most(part) * share)
        return
    if how in ("min", "max") and len(part.parts) > 1:
        raise UsageError(f"{part.name}: of its groups, which are no whole ones, one counts ({how})")
    for below in part.parts:
        yield from _in_group(below, share / len(part.parts) if how == "avg" else share)


def _is_whole_group(part: _Part) -> bool:
    """Whether a group is all or nothing, with accept_score for the whole group."""
    return all(map(_is_whole_group, part.parts)) and (len(part.parts) < 2 or _own_how(part) == "min")  # noqa: PLR2004


def _own_how(part: _Part) -> str:
    return next((how for how in ("min", "max", "avg") if how in as_words(part.own.get("grader_flags"))), "sum")


def _group_most(part: _Part) -> Fraction:
    if part.parts:
        return _joined_scores(_own_how(part), list(map(_group_most, part.parts)))
    if "accept_score" not in part.own:
        raise UsageError(f"{part.name}: it has no accept_score of its own")
    return _score(part)


# ---------------------------------------------------------------- the newer form: test_group.yaml


class _Scoring(NamedTuple):
    """The scoring of a group by its settings: separate keys, or one mapping in earlier drafts."""

    most: Any
    """the highest score, None where it is not stated"""
    how: str
    needs: tuple[str, ...]
    is_mapping: bool

    @classmethod
    def of(cls, part: _Part) -> "_Scoring":
        own = part.own
        inner = next((own[key] for key in _MAPPINGS if isinstance(own.get(key), dict)), None)
        names = ("score", "aggregation") if inner is not None else ("max_score", "score_aggregation")
        scoring = own if inner is None else inner
        how = str(scoring.get(names[1], "sum" if part.name == "secret" else "pass-fail"))
        most = scoring.get(names[0], 100 if part.name == "secret" else None)
        return cls(most, how, tuple(as_words(scoring.get("require_pass"))), inner is not None)


def _of_format(package: Package, parts: Sequence[_Part]) -> Iterator[Group]:
    """Yield the tests of the format 2023-07-draft and later.

    In drafts with a mapping for the scoring, members without points of their own share the rest of a group's points.
    """
    shares = any(_Scoring.of(part).is_mapping for part in _all_parts(parts))
    before: list[str] = []
    for part in parts:
        if part.name == "sample":
            found = [_whole(part, as_number(part.own.get("max_score", 0)) or Fraction(0))]
        else:
            most = as_number(_Scoring.of(part).most)
            found = list(_scored(package, part, most, (), shares=shares))
        for group in found:
            if strange := [need for need in group.needs if need not in before]:
                raise UsageError(f"{package.path}: {group.name} requires {strange[0]}, which is no test before it")
            yield group
            before.append(group.name)


def _scored(
    package: Package, part: _Part, most: Fraction | None, around: tuple[str, ...], *, shares: bool
) -> Iterator[Group]:
    """Yield the tests of a group with at most `most` points; `around` are the needs of the outer groups."""
    scoring = _Scoring.of(part)
    if most is None or scoring.how not in ("sum", "min", "pass-fail"):
        problem = "says no highest score" if most is None else f"adds up by {scoring.how!r}, which is not known"
        raise UsageError(
            f"{package.path}: {part.name} {problem}: see max_score and score_aggregation in test_group.yaml"
        )
    needs = tuple(dict.fromkeys((*around, *scoring.needs)))
    if len(part.data) == 1 and not part.parts and scoring.how != "pass-fail":
        yield Group(name=part.name, data=part.data, points=most, all_or_nothing=False, needs=needs)
        return
    if scoring.how != "sum":
        yield replace(_whole(part, _least(package, part, most), needs), is_least=scoring.how == "min")
        return
    known = [as_number(_Scoring.of(inner).most) for inner in part.parts]
    left = most - sum((one for one in known if one is not None), Fraction(0))
    takers = len(part.data) + (known.count(None) if shares else 0)
    if left < 0:
        problem = f"its groups have more than the {_shown(most)} points of {part.name}"
        raise UsageError(f"{package.path}: {problem}: see max_score in test_group.yaml")
    each = left / takers if takers else Fraction(0)
    if part.data:
        points = each * len(part.data)
        yield Group(name=part.name, data=part.data, points=points, all_or_nothing=False, needs=needs)
    for inner, own in zip(part.parts, known, strict=True):
        yield from _scored(package, inner, each if own is None and shares else own, needs, shares=shares)


def _least(package: Package, part: _Part, most: Fraction) -> Fraction:
    """Return the points of a group that is all or nothing: their sum, or the minimum in it."""
    how = _Scoring.of(part).how
    worth = [most] if part.data or not part.parts or how == "pass-fail" else []
    for inner in part.parts:
        own = _Scoring.of(inner)
        if own.needs or own.how == "sum" or (how == "pass-fail" and own.how != how):
            problem = f"{inner.name} in it is no whole group by itself"
            raise UsageError(f"{package.path}: {part.name} is all or nothing ({how}), and {problem}")
        number = as_number(own.most)
        worth.append(_least(package, inner, most if number is None else number))
    return most if how == "pass-fail" else min(worth)
