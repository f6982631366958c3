"""What is kept of an execution once it was judged: its texts as a report shows them, digests of the whole."""

import hashlib

from grader.core.model.execution import INTERACTOR_ACCEPTS, CaseFacts, Execution, Measurement, RunFacts
from grader.core.model.judgement import ExecutionSummary
from grader.core.text import show, to_bytes

_MAX_MARKED = 2**23  # bytes of a text that are hashed: longer ones have one cause


def summarise(run: Execution) -> ExecutionSummary:
    """Return what is kept of an execution."""
    facts = run.facts or CaseFacts()
    also = next((one.further_run for one in run.also.values() if one.further_run), None)
    printed = any(text and not text.isspace() for text in (run.stdout, run.stderr))
    return ExecutionSummary(
        **{name: getattr(run, name) for name in RunFacts.__struct_fields__},
        watched=also and Measurement(time=also.time, cpu=also.cpu, waited=also.waited, limit=also.limit),
        stdout=show(run.stdout),
        stderr=show(run.stderr),
        roles=run.interaction.roles if run.interaction else (),
        is_accepted=run.interaction is not None and run.interaction.status == INTERACTOR_ACCEPTS,
        lacking=facts.lacking,
        is_mute=not printed and facts.is_mute,
        stdout_mark=_mark(run.stdout),
        stderr_mark=_mark(run.stderr),
        facts_mark=b"" if facts.outcome is None else hashlib.sha256(to_bytes(repr(facts.outcome))).digest(),
    )


def _mark(text: bytes) -> bytes:
    return hashlib.sha256(text[:_MAX_MARKED].translate(None, b" \t\r\n\v\f")).digest()
