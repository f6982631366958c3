"""The source of a submission, checked against rules: in another process, since a student decides what it reads."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.core.errors import HostError
from grader.core.helper_process import Helper, ask_once
from grader.core.model.judgement import Examined, Spot
from grader.core.model.spec import Test
from grader.core.model.submission import Artifact
from grader.core.notebook.linear import to_place
from grader.core.text import joined, one_line, quote
from grader.kinds.base import Requirement, RunnerShowing
from grader.kinds.encodings import TRIGRAPH_IN_TEXT, in_utf_8, refused_encoding
from grader.kinds.source_rules.model import GRAMMARS, SourceRule, source_rule_of
from grader.kinds.source_rules.queries import ENDINGS
from grader.kinds.source_rules.unread import Around, Further, find_further
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


def run_test(test: Test, artifact: Artifact, course: "Course") -> Iterator[Examined]:
    """Yield what each rule of a test finds in the source as it was handed in. Raises HostError."""
    rules = [rule for case in test.cases if (rule := source_rule_of(case))]
    folder, build = artifact.handed_in or artifact.folder, course.spec.build
    commands = [*(build.run if build else ()), course.spec.program]
    around = Around(
        files=[*build.files] if build else (),
        produced=build.produces if build else (),
        commands="\n".join(map(" ".join, commands)),
    )
    yield from examine_source(folder, rules, around)


def absent_grammars(languages: Collection[str]) -> list[str]:
    """Return those of the languages whose grammar, or what reads by it, is not installed."""
    if find_spec("tree_sitter") is None:
        return list(languages)
    return [one for one in languages if find_spec(f"tree_sitter_{one}") is None]


_ASKED = ("demand", "what", "name", "within", "forms", "depth", "least", "most")
"""the fields of a rule that the reader of syntax trees gets, in addition to the files"""


def examine_source(folder: Path, rules: Sequence[SourceRule], around: Around = Around()) -> list[Examined]:  # noqa: B008
    """Check the files in `folder`, all of one language, against each rule; skip the course's own files.

    What is too much for the grammar is refused. Raises HostError when no source could be checked.
    """
    language = rules[0].language
    sources: dict[str, bytes] = {}
    chosen: list[list[str]] = []
    for rule in rules:
        own = read_sources(folder, rule.files, ENDINGS[language], around.files)
        chosen.append(list(own))
        sources |= own
        if refusal := describe_too_much(sources):
            return [Examined(refused=refusal) for _ in rules]
    refused = {name: sentence for name, data in sources.items() if (sentence := _why_unread(language, name, data))}
    plain = {name: in_utf_8(language, data) for name, data in sources.items()}
    further = find_further(folder, language, plain, around) if any(map(_is_about_all, rules)) else Further()
    chosen = [
        [*names, *(further.texts if _is_about_all(rule) else ())] for rule, names in zip(rules, chosen, strict=True)
    ]
    found = _ask_reader(_request(rules, chosen, {**plain, **further.texts}, further.if_whole))
    if isinstance(found, str):
        _ask_for_nothing(rules)
        return [Examined(refused=f"{found}; write it more simply.", files=tuple(names)) for names in chosen]
    return [
        _with_refusal(
            one, rule, further.refused if _is_about_all(rule) else "", [refused.get(name, "") for name in names]
        )
        for one, rule, names in zip(_examined(found, chosen, {**plain, **further.texts}), rules, chosen, strict=True)
    ]


def _is_about_all(rule: SourceRule) -> bool:
    """Whether a rule forbids or limits something in whatever the program consists of, and not in single files alone."""
    is_limit = rule.demand == "forbid" or (rule.demand == "require" and rule.most > 0)
    return is_limit and (not rule.files or any("*" in glob for glob in rule.files))


def _why_unread(language: str, name: str, data: bytes) -> str:
    """Say why a source is not read; "" where it is."""
    if encoding := refused_encoding(language, data):
        return f"{quote(name)} is in {quote(encoding)}, which rules on the source cannot read; hand it in as UTF-8."
    if language in ("c", "cpp") and TRIGRAPH_IN_TEXT.search(data):
        return f"{quote(name)} has `??/` at the end of a text, which compilers read in two ways; take it out."
    return ""


def _with_refusal(found: Examined, rule: SourceRule, unread: str, encodings: Sequence[str]) -> Examined:
    """Return what was found; or why it is not known, unless a breach is known all the same."""
    why = next(filter(None, encodings), "") or unread
    is_known = found.total > rule.most if rule.demand == "require" and rule.most else found.total
    is_known = is_known and (rule.demand != "require" or rule.most > 0)
    return found if is_known or not why else Examined(refused=why, files=found.files)


def _request(
    rules: Sequence[SourceRule],
    chosen: Sequence[Sequence[str]],
    sources: Mapping[str, bytes],
    if_whole: Collection[str],
) -> object:
    known = list(sources)
    return {
        "language": rules[0].language,
        "files": {str(number): data.decode("latin-1") for number, data in enumerate(sources.values())},
        "names": {str(number): name for number, name in enumerate(known)},
        "if_whole": [str(known.index(name)) for name in if_whole],
        "rules": [
            {key: getattr(rule, key) for key in _ASKED} | {"files": [str(known.index(name)) for name in names]}
            for rule, names in zip(rules, chosen, strict=True)
        ],
    }


def _examined(
    answers: Sequence[Mapping[str, Any]], chosen: Sequence[Sequence[str]], sources: Mapping[str, bytes]
) -> list[Examined]:
    known = list(sources)
    return [
        Examined(
            spots=tuple(
                Spot(file=file, line=own, what=what, source=source)
                for number, line, what, source in found["spots"]
                for file, own in (to_place(known[int(number)], sources[known[int(number)]], line),)
            ),
            total=found["total"],
            files=tuple(names),
            defines=found["defines"],
        )
        for found, names in zip(answers, chosen, strict=True)
    ]


def _ask_reader(request: object) -> list[dict[str, Any]] | str:
    """Return what the reader found; or, as the beginning of a sentence, that the sources are too much for it."""
    found = ask_once(_READER, json.dumps(request).encode())
    if found.is_out_of_time:
        return f"Your source takes more than {_READER.seconds} s to read"
    last = one_line(found.errors.strip().rpartition(b"\n")[2])
    if found.status < 0 or last.startswith(("MemoryError", "RecursionError")):
        return "Your source is nested too deeply, or too large, to be read"
    if found.status:
        raise HostError(f"a source could not be read: {last or f'status {found.status}'}")
    answer: list[dict[str, Any]] = json.loads(found.output)
    return answer


def _ask_for_nothing(rules: Sequence[SourceRule]) -> None:
    """Raise HostError where the reader fails without anything that was handed in, too."""
    answer = _ask_reader(_request(rules, [() for _ in rules], {}, ()))
    if isinstance(answer, str):
        raise HostError(f"the grammar of {rules[0].language} does not work here: install 'fairgrader[source]' anew")
