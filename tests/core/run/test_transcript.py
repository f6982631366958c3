from grader.core.model.execution import TranscriptEntry
from grader.core.run.process import Transcript


def test_turns_are_made_of_what_came_between_the_marks() -> None:
    transcript = Transcript()
    transcript.heard(0.1, "stdout", 0)
    transcript.heard(0.2, "stdout", 2)
    transcript.heard(0.3, "stderr", 0)
    transcript.sent(0.4, b"4\n")
    transcript.heard(0.5, "stdout", 5)
    transcript.sent(0.6, b"")
    assert transcript.turns(b"hello there", b"oh") == (
        TranscriptEntry(time=0.1, stream="stdout", text=b"hello"),
        TranscriptEntry(time=0.3, stream="stderr", text=b"oh"),
        TranscriptEntry(time=0.4, stream="stdin", text=b"4\n"),
        TranscriptEntry(time=0.5, stream="stdout", text=b" there"),
        TranscriptEntry(time=0.6, stream="stdin", text=b""),
    )


def test_a_long_turn_is_cut_in_the_middle_and_says_so() -> None:
    transcript = Transcript()
    transcript.heard(0, "stdout", 0)
    (turn,) = transcript.turns(b"a" * 10**6 + b"b", b"")
    assert len(turn.text) < 70_000
    assert turn.text.startswith(b"aaa")
    assert b"\n[934465 bytes left out]\n" in turn.text
    assert turn.text.endswith(b"ab")


def test_however_many_turns_there_are_the_transcript_is_bounded() -> None:
    transcript = Transcript()
    for number in range(20_000):
        transcript.heard(number, "stderr" if number % 2 else "stdout", number // 2 * 100)
    turns = transcript.turns(b"o" * 10**6, b"e" * 10**6)
    assert len(turns) <= 1000
    assert sum(len(turn.text) for turn in turns) < 300_000


def test_nothing_was_said() -> None:
    assert Transcript().turns(b"", b"") == ()
