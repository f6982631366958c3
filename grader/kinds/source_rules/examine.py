"""The source of a submission, checked against rules: in another process, since a student decides what it reads."""

import json
from collections.abc import Collection, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.core.errors import HostError
from grader.core.helper_process import Helper, ask_once
from grader.core.model import Artifact, Examined, Spot, Test
from grader.core.text import joined, one_line
from grader.kinds.base import Requirement, RunnerShowing
from grader.kinds.source_rules.model import GRAMMARS, SourceRule, source_rule_of
from grader.kinds.source_rules.queries import ENDINGS
from grader.kinds.sources import describe_too_much, read_sources

if TYPE_CHECKING:
    from grader.core.course import Course


_READER = Helper(
    task="read sources",
    code="from grader.kinds.source_rules.syntax import serve_source\nserve_source()",
    packages=("grader", "grader.kinds", "grader.kinds.source_rules"),
    with_libraries=True,  # of which the grammars are some
    seconds=20,
    memory=2**30,
)


def require_grammars(course: "Course") -> None:
    """Raise HostError when the rules of a spec need a grammar that is not installed."""
    rules = (source_rule_of(case) for test in course.spec.tests for case in test.cases)
    languages = sorted({rule.language for rule in rules if rule})
    if absent_grammars(languages):
        raise HostError(f"`source` needs the grammar of {joined(languages)}: pip install 'fairgrader[source]'")


def find_grammars(_runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield whether the grammars of all languages are installed."""
    if absent := absent_grammars(GRAMMARS):
        found = f"there is no grammar of {joined(sorted(absent))}"
        yield Requirement(name="grammars", state="missing", found=found, remedy="pip install 'fairgrader[source]'")
    else:
        yield Requirement(name="grammars", state="ok", found=f"of {joined(GRAMMARS)}, for rules on the source")


def inspect(test: Test, artifact: Artifact, course: "Course") -> Iterator[Examined]:
    """Yield what each rule of a test finds in the source as it was handed in. Raises HostError."""
    rules = [rule for case in test.cases if (rule := source_rule_of(case))]
    folder, excluded = artifact.handed_in or artifact.folder, course.spec.build.files if course.spec.build else ()
    yield from examine_source(folder, rules, excluded)


def absent_grammars(languages: Collection[str]) -> list[str]:
    """Return those of the languages whose grammar, or what reads by it, is not installed."""
    if find_spec("tree_sitter") is None:
        return list(languages)
    return [one for one in languages if find_spec(f"tree_sitter_{one}") is None]


_ASKED = ("demand", "what", "name", "within", "most")
"""the fields of a rule that the reader of syntax trees gets, in addition to the files"""


def examine_source(folder: Path, rules: Sequence[SourceRule], excluded: Collection[str] = ()) -> list[Examined]:
    """Check the files in `folder`, all of one language, against each rule; skip the course's own files.

    Raises HostError when that cannot be done, and the student's files are no reason for it.
    """
    sources: dict[str, bytes] = {}
    chosen: list[list[str]] = []
    for rule in rules:
        own = read_sources(folder, rule.files, ENDINGS[rule.language], excluded)
        chosen.append(list(own))
        sources |= own
        if refusal := describe_too_much(sources):
            return [Examined(refused=refusal) for _ in rules]
    known = list(sources)
    request = {
        "language": rules[0].language,
        "files": {str(number): data.decode("latin-1") for number, data in enumerate(sources.values())},
        "names": {str(number): name for number, name in enumerate(known)},
        "rules": [
            {key: getattr(rule, key) for key in _ASKED} | {"files": [str(known.index(name)) for name in names]}
            for rule, names in zip(rules, chosen, strict=True)
        ],
    }
    return [
        Examined(
            spots=tuple(
                Spot(file=known[int(number)], line=line, what=what, source=source)
                for number, line, what, source in found["spots"]
            ),
            total=found["total"],
            files=tuple(names),
            defines=found["defines"],
        )
        for found, names in zip(_ask_reader(request), chosen, strict=True)
    ]


def _ask_reader(request: object) -> list[dict[str, Any]]:
    found = ask_once(_READER, json.dumps(request).encode())
    if found.is_out_of_time:
        raise HostError(f"a source takes more than {_READER.seconds} s to read")
    if found.status < 0:
        raise HostError("a source is nested too deeply, or too large, for its grammar; look at it by hand")
    if found.status:
        last = one_line(found.errors.strip().rpartition(b"\n")[2])
        raise HostError(f"a source could not be read: {last or f'status {found.status}'}")
    answer: list[dict[str, Any]] = json.loads(found.output)
    return answer
