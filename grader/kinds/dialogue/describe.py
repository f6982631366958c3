"""Dialogues in a handout: the typed input and the program's output."""

from grader.author.handout import describe_start
from grader.core.model.spec import Case, Spec
from grader.core.report.feedback import code
from grader.kinds.dialogue.model import dialogue_of

_DONE_IN_STEP = {
    "expect": "it says",
    "regex": "it says what matches",
    "send": "you type",
    "key": "you press",
    "eof": "it ends",
}


def describe_case(case: Case, spec: Spec) -> str:
    """Describe the command of a dialogue, and its steps."""
    text = describe_start(case, spec)
    for number, step in enumerate(dialogue_of(case)):
        text += f"{'; ' if number else ': '}{_DONE_IN_STEP[step.do]}"
        text += f" {code(step.text)}" if step.text else ""
        text += f" within {step.within:g} s" if step.within else ""
    return text
