"""Where `prompt` is tolerated and cannot work: nothing is asked there, or a prompt looks like a part of the answer."""

import re
from collections.abc import Iterator

from grader.check.subject import Flaw, Subject, lint_rule
from grader.core.deviations.prompts import possible_prompt, without_questions
from grader.core.judge.case import reachable, reachable_in_text
from grader.core.kind import kind_of
from grader.core.model.spec import STREAMS, Case, Leaf
from grader.core.text import quote

_MAX_PROMPT = 60  # characters of a prompt in a message
_ADVICE = "if it is its prompt, have it ask with a word such as `Enter`"


@lint_rule("warning", "needless-prompt")
def needless_prompts(subject: Subject) -> Iterator[Flaw]:
    """A program that reads nothing asks nothing: what stands before its answer is a wrong label, and would pass."""
    cases = [(case.path, case) for _, test in subject.tests() for case in test.cases]
    for path in subject.nodes:
        if not re.fullmatch(r"(?:.*\.)?tolerate\.prompt", path):
            continue
        above = path.removesuffix("tolerate.prompt")
        below = [
            case
            for place, case in cases
            if f"{place}.".startswith(above) and _tolerates(case) and "prompt" in reachable(case)
        ]
        if below and not any(
            case.stdin or "stdin" in case.generated_inputs or kind_of(case).has_input for case in below
        ):
            yield path, "nothing is read from standard input here, so this only lets any label stand before the answer"


@lint_rule("warning", "written-prompt")
def written_prompts(subject: Subject) -> Iterator[Flaw]:
    """A prompt in the expected text is a part of the answer, and who asks with other words loses points."""
    for case in (case for _, test in subject.tests() for case in test.cases if _tolerates(case)):
        for key, asked in _compared(case):
            text = "\n".join(asked.want or ()).encode(errors="surrogatepass")
            if found := without_questions(text, case.stdin).prompts:
                shown = quote(found[0][0], most=_MAX_PROMPT)
                message = f"{shown} is a prompt, and every program has to write this one: leave it out of the text"
                yield subject.path(case, f"expect.{key}", "expect"), message


@lint_rule("warning", "unclear-prompt", asks="reference")
def unclear_prompts(subject: Subject) -> Iterator[Flaw]:
    """What is taken for the answer of the reference and is its prompt costs everybody points who asks otherwise."""
    seen = set()
    for answer in subject.answers:
        case = answer.case
        if answer.execution is None or not _tolerates(case):
            continue
        outputs = {"stdout": answer.execution.stdout, "stderr": answer.execution.stderr}
        for key, asked in _compared(case):
            found = possible_prompt(outputs[key], case.stdin, answer.execution.prompt) if asked.want is None else b""
            flaw = subject.path(case, f"expect.{key}", "expect"), quote(found, most=_MAX_PROMPT)
            if found and flaw not in seen:
                seen.add(flaw)
                yield flaw[0], f"{flaw[1]} counts as a part of the reference's answer: {_ADVICE}"


def _tolerates(case: Case) -> bool:
    return bool(case.tolerate.get("prompt"))


def _compared(case: Case) -> Iterator[tuple[str, Leaf]]:
    """Iterate over how each stream is compared in which prompts are told."""
    return ((key, one) for key, one in case.texts if key in STREAMS and "prompt" in reachable_in_text(one))
