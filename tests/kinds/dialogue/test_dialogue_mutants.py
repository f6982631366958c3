"""Mutants in dialogues: each is what it says it is, and nothing else."""

from msgspec.structs import replace

from grader.check.mutants import Scope
from grader.core.model.execution import Execution, TranscriptEntry
from grader.core.model.spec import Step
from grader.kinds.dialogue.run import Dialogue
from tests.support.rows import from_data, read_data
from tests.support.scenes import case, changed, scope

DATA = read_data(__file__)
TALK = from_data(DATA["TALK"], tuple[Step, ...])


def talking() -> Scope:
    said = [b"? ", b"2\n", b"twice 4 ", b"3\n", b"twice 6 ", b"end\n", b"bye\n", b""]
    turns = tuple(
        TranscriptEntry(time=at, stream="stdin" if at % 2 else "stdout", text=text)
        for at, text in enumerate(said)
        if text
    )
    output = b"".join(turn.text for turn in turns if turn.stream == "stdout")
    return scope(
        (case(kind="dialogue", payload=Dialogue(steps=TALK)), Execution(stdout=output, status=0, transcript=turns))
    )


def test_a_dialogue_is_gone_through_again_with_what_a_mutant_says() -> None:
    where = talking()
    found = changed(where, "dialogue")
    stops = {name: one.stop and (one.stop.number, one.stop.ended) for name, (one,) in found.items() if one}
    assert stops["dialogue/missing-0"] == (1, False)
    assert stops["dialogue/missing-1"] == (3, False)
    assert stops["dialogue/wrong-1"] is None  # the pattern takes any number
    assert stops["dialogue/wrong-2"] == (5, False)
    assert stops["dialogue/swapped-1"] == (5, False)
    assert stops["dialogue/ends-1"] == (5, True)
    assert stops["dialogue/ends-2"] is None  # all that was asked for has come
    assert stops["dialogue/endless"] == (7, False)
    assert stops["dialogue/unflushed"] == (1, False)
    assert found["dialogue/unflushed"][0].stop.late  # type: ignore[union-attr]


def test_a_dialogue_that_cannot_be_told_apart_is_left_alone() -> None:
    where = talking()
    mixed = replace(where.scenes[0].right, stderr=b"prompt")
    again = scope((where.scenes[0].case, mixed))
    assert set(changed(again, "dialogue")) == {"dialogue/unflushed", "dialogue/endless"}
