"""The source of a submission, checked against rules: in another process, since a student decides what it reads."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict, replace

from grader.core.errors import HostError
from grader.core.helper_process import Helper, ask_once
from grader.core.kind import RunnerShowing
from grader.core.model.layout import Artifact, Build
from grader.core.model.report import CaseResult, Examined, Spot
from grader.core.model.spec import Requirement, Test
from grader.core.notebook import to_place
from grader.core.text import joined, one_line, quote
from grader.kinds.encodings import in_utf_8, refused_encoding
from grader.kinds.source_rules.judge import judge_rule
from grader.kinds.source_rules.model import GRAMMARS, SourceRule
from grader.kinds.source_rules.queries import ENDINGS
from grader.kinds.source_rules.unread import find_further
from grader.kinds.sources import describe_too_much, read_sources

if TYPE_CHECKING:
    from grader.core.course import Course


_NO_BUILD, _REMEDY = Build(run=()), "pip install 'fairgrader[source]'"
_READER = Helper(
    task="read sources",
    code="from grader.kinds.source_rules.syntax import serve_source\nserve_source()",
    packages=("grader", "grader.kinds", "grader.kinds.source_rules"),
    with_libraries=True,  # the grammars are libraries
    seconds=20,
    memory=2**30,
)


def prepare(course: "Course") -> "Course":
    """Return the course; raises HostError when the rules of a spec need a grammar that is not installed."""
    rules = (SourceRule.of(case) for test in course.spec.tests for case in test.cases)
    languages = sorted({rule.language for rule in rules if rule})
    if _absent_grammars(languages):
        raise HostError(f"`source` needs the grammar of {joined(languages)}: {_REMEDY}")
    return course


def requirements(_runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield whether the grammars of all languages are installed."""
    ok = Requirement(name="grammars", state="ok", found=f"of {joined(GRAMMARS)}, for rules on the source")
    absent = sorted(_absent_grammars(GRAMMARS))
    lacking = replace(ok, state="missing", found=f"there is no grammar of {joined(absent)}", remedy=_REMEDY)
    yield lacking if absent else ok


def _absent_grammars(languages: Iterable[str]) -> list[str]:
    """Return the languages whose grammar, or the library that reads it, is not installed."""
    return [name for name in languages if not (find_spec("tree_sitter") and find_spec(f"tree_sitter_{name}"))]


def run_test(test: Test, artifact: Artifact, course: "Course") -> Iterator[CaseResult]:
    """Yield the result of each rule of a test, from the source as it was handed in. Raises HostError."""
    rules = [SourceRule.required(case) for case in test.cases]
    folder, spec = artifact.handed_in or artifact.folder, course.spec
    yield from map(judge_rule, test.cases, examine_source(folder, rules, spec.build or _NO_BUILD, spec.program))


def examine_source(
    folder: Path, rules: Sequence[SourceRule], build: Build = _NO_BUILD, program: Sequence[str] = ()
) -> list[Examined]:
    """Check the files in `folder`, but the course's own, against each rule. HostError where none can be checked."""
    language = rules[0].language
    read = [read_sources(folder, rule.files, ENDINGS[language], build.files) for rule in rules]
    sources = {name: data for own in read for name, data in own.items()}
    if refusal := describe_too_much(sources):
        return [Examined(refused=refusal) for _ in rules]
    encodings = {name: refused_encoding(language, data) for name, data in sources.items()}
    why = "which rules on the source cannot read; hand it in as UTF-8."
    unread = {name: f"{quote(name)} is in {quote(encoding)}, {why}" for name, encoding in encodings.items() if encoding}
    sources = {name: in_utf_8(language, data) for name, data in sources.items()}
    are_about_all = [_is_about_all(rule) for rule in rules]
    commands = "\n".join(map(" ".join, [*build.run, program])).encode("utf-8", "replace")
    further = find_further(folder, language, sources, build, commands) if any(are_about_all) else None
    texts, if_whole, refused = further or ({}, [], "")
    chosen = [[*own, *(texts if about_all else ())] for own, about_all in zip(read, are_about_all, strict=True)]
    sources |= texts
    asked = [asdict(rule) | {"files": names} for rule, names in zip(rules, chosen, strict=True)]
    answers = _ask_reader(language, sources, asked, if_whole)
    if isinstance(answers, str):
        if isinstance(_ask_reader(language, {"a": b""}, (), ()), str):  # without anything that was handed in, too
            raise HostError(f"the grammar of {language} does not work here: install 'fairgrader[source]' anew")
        return [Examined(refused=f"{answers}; write it more simply.", files=tuple(names)) for names in chosen]
    results = []
    for rule, names, answer, about_all in zip(rules, chosen, answers, are_about_all, strict=True):
        places = [(to_place(name, sources[name], line), *more) for name, line, *more in answer["spots"]]
        spots = tuple(Spot(file=file, line=line, what=what, source=text) for (file, line), what, text in places)
        total, why = answer["total"], next(filter(None, map(unread.get, names)), refused if about_all else "")
        if why and not (total > rule.most if rule.most else total and rule.demand != "require"):
            results.append(Examined(refused=why, files=tuple(names)))  # a breach that is known counts all the same
        else:
            results.append(Examined(spots=spots, total=total, files=tuple(names), defines=answer["defines"]))
    return results


def _is_about_all(rule: SourceRule) -> bool:
    """Whether a rule forbids or limits something in whatever the program consists of, and not in single files alone."""
    is_limit = rule.demand == "forbid" or (rule.demand == "require" and rule.most > 0)
    return is_limit and (not rule.files or any("*" in glob for glob in rule.files))


def _ask_reader(language: str, sources: Mapping[str, bytes], rules: Sequence[Any], if_whole: Sequence[str]) -> Any:
    """Return the answer for each rule; or, as the start of a sentence, why the files cannot be read."""
    files = {name: data.decode("latin-1") for name, data in sources.items()}
    request = {"language": language, "if_whole": if_whole, "files": files, "rules": rules}
    answer = ask_once(_READER, json.dumps(request).encode())
    if answer.is_out_of_time:
        return f"Your source takes more than {_READER.seconds} s to read"
    last = one_line(answer.errors.strip().rpartition(b"\n")[2])
    if answer.status < 0 or last.startswith(("MemoryError", "RecursionError")):
        return "Your source is nested too deeply, or too large, to be read"
    if answer.status:
        raise HostError(f"a source could not be read: {last or f'status {answer.status}'}")
    return json.loads(answer.output)
