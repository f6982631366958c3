"""The submissions of a problem package as samples of a spec, each with what the package says that it gets."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.model.submission import Submission
from grader.core.reader.files import read_data
from grader.core.text import count_points, listed, points
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import plain, table
from grader.imports import text_or_word
from grader.imports.kattis_package import Group, Package
from grader.imports.kattis_programs import Label, Programs
from grader.imports.kattis_validator import score_files

_ACCEPTED, _PARTIAL, _SLOW = "accepted", "partially accepted", "time limit exceeded"


def sample_files(
    programs: Programs, groups: Sequence[Group], root: str, package: Package, notes: list[str], *, has_limit: bool
) -> dict[str, bytes]:
    """Return the samples below `root`, with `expected.yaml`; none when there are none.

    Without a limit of time, those that ought to run into it are left out. Adds to `notes` what is left out.
    """
    stated: dict[str, Node] = {}
    files: dict[str, bytes] = {}
    left: list[str] = []
    most = sum((group.points for group in groups), Fraction(0))
    is_scored = any(group.scoring for group in groups)
    for program in programs.found:
        is_known = has_limit or _SLOW not in program.label.results
        score = _stated_score(program.label, most, package, is_scored=is_scored) if is_known else None
        if score is None:
            left.append(program.name)
            continue
        folder, _, own = program.name.partition("/")
        usual = sample = f"{folder}-{own.rpartition('.')[0] or own}".replace("_", "-")
        number = 2  # `a.py` and `a.py3` would be one sample
        while sample in stated:
            sample, number = f"{usual}-{number}", number + 1
        about = text_or_word(f"{program.label.description} in the package")
        stated[sample] = table({"score": plain(score), "about": about})
        files.update({f"{root}/{sample}/{inner}": text for inner, text in program.files.items()})
        if (of_label := program.label.score) is not None and of_label > most:
            problem = f"{program.name} has {count_points(of_label)} there, and no program more than {points(most)} here"
            raise UsageError(f"{package.path}: {problem}")
    if left:
        notes.append(f"Submissions of which the package does not tell the score are left out: {listed(left, most=5)}.")
    if stated:
        files[f"{root}/expected.yaml"] = dump(table(stated), open_levels=1).encode()
    return files


def _stated_score(label: Label, most: Fraction, package: Package, *, is_scored: bool) -> str | None:
    """Return the score as `expected.yaml` has it; None when it is unknown. `is_scored`: programs give the points."""
    if package.is_scoring and label.score is not None:
        return points(label.score)
    if label.results == {_PARTIAL}:
        return "partial"
    if label.results == {_ACCEPTED}:
        return None if is_scored or (package.is_scoring and score_files(package)) else points(most)
    if (package.is_scoring and not is_scored) or not label.results or label.results & {_ACCEPTED, _PARTIAL}:
        return None
    return points(Fraction(0))


def accepted_samples(root: Path) -> list[Submission]:
    """Return the samples of an imported assignment that are accepted there."""
    stated = read_data(root / "expected.yaml") if (root / "expected.yaml").is_file() else {}
    about = f"{_ACCEPTED} in the package"
    return [Submission(id=name, path=root / name) for name, one in stated.items() if one.get("about") == about]
