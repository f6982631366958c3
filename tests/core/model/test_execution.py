"""What an execution was when all steps of its dialogue were done."""

from msgspec.structs import replace

from grader.core.model.execution import Execution, Interaction, TranscriptEntry

SAID = tuple(
    TranscriptEntry(time=0, stream=stream, text=text)  # type: ignore[arg-type]
    for stream, text in [("stdout", b"n?"), ("stdin", b"1"), ("stdin", b""), ("stdout", b""), ("stdin", b"")]
)
LEFT = Execution(
    stdout=b"n? bye", stderr=b"oh no", status=3, output_when_script_ended=(3, 2), transcript=(*SAID, SAID[0])
)


def test_what_was_not_left_is_what_it_was() -> None:
    there = replace(LEFT, output_when_script_ended=None)
    assert there.truncated_to_script_end is there


def test_it_has_what_was_written_until_then_and_no_failure() -> None:
    found = replace(
        LEFT, status=None, signal=11, limit="time", doubts=frozenset({"cpu_starved", "killed_by_host"})
    ).truncated_to_script_end
    assert (found.stdout, found.stderr) == (b"n? ", b"oh")
    assert (found.status, found.signal, found.limit, found.output_when_script_ended) == (0, None, None, None)
    assert found.doubts == frozenset()


def test_its_status_is_0_whatever_followed() -> None:
    assert LEFT.truncated_to_script_end.status == 0


def test_the_transcript_ends_where_its_input_was_last_ended() -> None:
    assert LEFT.truncated_to_script_end.transcript == SAID[:4]
    assert replace(LEFT, transcript=SAID[:2]).truncated_to_script_end.transcript == SAID[:2]
    assert replace(LEFT, transcript=SAID[3:4]).truncated_to_script_end.transcript == SAID[3:4]
    assert replace(LEFT, transcript=(SAID[2], SAID[0])).truncated_to_script_end.transcript == ()


def test_how_it_ended_is_stored_without_what_an_interactor_wrote() -> None:
    other = Interaction(status=43, first="program", stderr=b"x" * 9, feedback={"judgemessage.txt": b"y" * 9})
    found = replace(LEFT, interaction=other).bare
    assert (found.stdout, found.interaction) == (b"", Interaction(status=43, first="program"))
