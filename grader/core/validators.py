"""Programs of the course that judge a text, `validator input answer feedback < text`, each in a sandbox of its own.

They start and answer like interactors: Kattis' problem package format treats both alike.
"""

from fractions import Fraction

from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.course_programs import FEEDBACK, launch_interactor, program_maker
from grader.core.errors import HostError, Wrong
from grader.core.lazy import lazy_regex
from grader.core.model import execution as ran
from grader.core.model.execution import INTERACTOR_ACCEPTS, INTERACTOR_REFUSES, Interaction, Launch, Runner
from grader.core.model.layout import LazyBytes, unread
from grader.core.model.limits import limit_sentence
from grader.core.model.spec import CheckOptions, Interactor
from grader.core.model.values import Check, Checks, Facts, PartlyRight
from grader.core.run.start import opinion_of
from grader.core.text import one_line, points, quote

MESSAGE_OF_TEAM, MESSAGE_OF_JUDGE, _NEXT_PASS = "teammessage.txt", "judgemessage.txt", "nextpass.in"
_SCORES = ("score.txt", "score_multiplier.txt")
_MAX_SENTENCE_LENGTH = 400  # characters of an interactor's message
_MAX_SCORE_LENGTH = 40
_SCORE = lazy_regex(rb"[0-9]{1,12}(?:\.[0-9]{0,20})?")


def with_validators(functions: Checks, cache: Cache, run: Runner) -> Checks:
    """Return the checks of a course, of which some are `functions`, and others are programs."""
    ready = program_maker(cache, run)

    def check(asked: CheckOptions, facts: Facts) -> Check:
        if asked.validator is None:
            return functions(asked, facts)
        validator = ready(asked.validator)
        answer = facts.expected if "expected" in asked.takes else unread(validator, "answer")
        launch = launch_validator(validator, facts.input, answer)
        return lambda text: read_validator_result(opinion_of(run(replace(launch, stdin=text))), validator.program, text)

    return check


def launch_validator(validator: Interactor, given: LazyBytes, answer: LazyBytes) -> Launch:
    """Return what is started to judge what a program wrote that was `given` an input."""
    words = ("input", "answer", FEEDBACK, *validator.args)
    return launch_interactor(replace(validator, args=words, input=given, answer=answer))


def read_validator_result(interaction: Interaction, program: str, text: bytes) -> None:
    """Return when the validator, whose file is `program`, accepted a text; raise Wrong when it did not.

    The student reads its message for the team, that for the judge, or its standard error. Raises HostError for a fault
    of its own.
    """
    if interaction.limit and len(text) > ran.LARGE_OUTPUT_BYTES:
        raise Wrong(f"The text is too long to check ({len(text):,} bytes); far less is expected.")
    if fault := fault_of_judge(interaction):
        raise HostError(f"a fault of the validator {program}: {fault}")
    messages = [interaction.feedback.get(name, b"") for name in (MESSAGE_OF_TEAM, MESSAGE_OF_JUDGE)]
    sentence = next(filter(None, map(opening_sentence, [*messages, interaction.stderr])), "")
    share = Fraction(0) if interaction.status == INTERACTOR_REFUSES else share_of_judge(interaction) or Fraction(0)
    if share < 1:
        raise PartlyRight(sentence, share) if share else Wrong(sentence)


def fault_of_judge(interaction: Interaction) -> str:
    """Describe the interactor's fault: a wrong end or invalid files; empty when there is none."""
    errors = f": {quote(last_line(error), most=_MAX_SENTENCE_LENGTH)}" if (error := interaction.stderr.strip()) else ""
    if interaction.limit:
        return f"it {limit_sentence(interaction.limit)}"
    if interaction.status not in (INTERACTOR_ACCEPTS, INTERACTOR_REFUSES):
        known = f"{INTERACTOR_ACCEPTS} for right or {INTERACTOR_REFUSES} for wrong"
        ended = f"it ended with status {interaction.status} instead of {known}"
        return f"{'a signal ended it' if interaction.status is None else ended}{errors}"
    if interaction.status == INTERACTOR_ACCEPTS and _NEXT_PASS in interaction.feedback:
        return f"it left {_NEXT_PASS} for another pass, but `passes` in the spec allows only {interaction.passes}"
    if interaction.status == INTERACTOR_REFUSES or share_of_judge(interaction) is not None:
        return ""
    if not (name := _score_of(interaction)):
        return f"it accepted, and left no {_SCORES[0]}, which `max_score` in the spec requires"
    score = quote(interaction.feedback[name], most=_MAX_SCORE_LENGTH)
    most = "1" if interaction.max_score is None else points(interaction.max_score)
    return f"its {name} says {score}, which is not a number between 0 and {most}"


def _score_of(interaction: Interaction) -> str:
    names = _SCORES if interaction.max_score is None else _SCORES[:1]
    return next((name for name in names if name in interaction.feedback), "")


def share_of_judge(interaction: Interaction) -> Fraction | None:
    """Return the share of the credit that an interactor gives; None when its score is invalid."""
    otherwise = b"1" if interaction.max_score is None else b""
    written = interaction.feedback.get(_score_of(interaction), otherwise).strip()
    share = Fraction(written.decode()) / (interaction.max_score or 1) if _SCORE.fullmatch(written) else None
    return share if share is None or share <= 1 else None


def opening_sentence(text: bytes) -> str:
    """Return the first line that is not blank, as a sentence; empty when there is none."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), b"")
    sentence = one_line(line, _MAX_SENTENCE_LENGTH)
    return sentence if not sentence or sentence.endswith((".", "!", "?")) else f"{sentence}."


def last_line(text: bytes) -> bytes:
    """Return the last line that has text."""
    return text.strip().rpartition(b"\n")[2]
