"""Dialogues in a handout, and one recorded from typed lines: the reference runs anew for each, with all before it."""

from collections.abc import Callable

from msgspec.structs import replace

from grader.core.errors import CannotBeWrittenError, HostError
from grader.core.model.execution import Execution
from grader.core.model.spec import ANYTHING, Case, Expectation, Spec, Step
from grader.core.report.document import code
from grader.kinds.dialogue.run import Dialogue, dialogue_of

_DONE = {"expect": "it says", "regex": "it says what matches", "send": "you type", "key": "you press", "eof": "it ends"}


def describe_case(case: Case, _spec: Spec) -> str:
    """Describe the steps of a dialogue."""
    steps = []
    for step in dialogue_of(case):
        within = f"within {step.within:g} s" if step.within else ""
        steps.append(" ".join(filter(None, (_DONE[step.do], step.text and code(step.text), within))))
    return f": {'; '.join(steps)}"


_MAX_AWAITED = 1000  # characters of the output that are waited for


def _record(case: Case, typist: Callable[[str, bool], str | None], ask: Callable[[Case], Execution]) -> Dialogue | None:
    """Return the dialogue of the reference with a typist; None when nothing happens in it. HostError when it fails."""
    steps, seen = list[Step](), b""
    expect = Expectation(stdout=ANYTHING, screen=True)
    while True:
        payload = Dialogue(steps=tuple(steps) or (Step(do="key"),))  # a dialogue at first too, and not an empty input
        execution = ask(replace(case, kind="dialogue", payload=payload, expect=expect))
        screen, is_waiting = execution.truncated_to_script_end.stdout, execution.output_when_script_ended is not None
        if not screen.startswith(seen):
            raise HostError("the reference says something else each time: nobody can be graded by it")
        try:
            output, seen = screen[len(seen) :].decode(), screen
        except UnicodeDecodeError:
            raise CannotBeWrittenError("the screen is no UTF-8") from None
        line = typist(output, is_waiting)
        if not is_waiting:
            return Dialogue(steps=(*steps, Step(do="eof")))
        if awaited := _last_prompt(output):
            steps.append(Step(do="expect", text=awaited))
        if line is None:
            return Dialogue(steps=tuple(steps)) if steps else None
        steps.append(Step(do="send", text=line))


recording = (Dialogue(steps=(Step(do="send"), Step(do="eof"))), _record)


def _last_prompt(output: str) -> str:
    """Return the last line, with those before it when it was written before; empty when there is none."""
    text = output.rstrip("\n")[-_MAX_AWAITED:]
    lines = text.split("\n")
    tails = ("\n".join(lines[-number:]) for number in range(1, len(lines) + 1))
    prompt = next(tail for tail in tails if text.find(tail) == len(text) - len(tail))
    return prompt if prompt.strip() else ""
