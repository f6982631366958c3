import signal
import time
from collections.abc import Mapping, Sequence
from threading import Event

import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, TranscriptEntry
from grader.core.model.limits import Limits
from grader.core.model.spec import Step
from grader.core.run import process
from grader.core.run.measuring import WorkerSlots, measure_each
from grader.core.run.meter import asleep
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS, choose
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
ASK = DATA["ASK"]
UNFLUSHED = DATA["UNFLUSHED"]
LIMITS = Limits(time=5, cpu=5)
BOTH = pytest.mark.parametrize("terminal", [False, True], ids=["pipes", "terminal"])
END = Step(do="eof", within=3)

TALK = (
    Step(do="expect", text="Enter n: ", within=1),
    Step(do="send", text="4"),
    Step(do="regex", text=r"twice: (8|9)\b"),
    Step(do="expect", text="Again? "),
    Step(do="send", text="no"),
    Step(do="expect", text="bye\n"),
    END,
)


def expect(text: str, within: float | None = None) -> Step:
    return Step(do="expect", text=text, within=within)


def send(text: str) -> Step:
    return Step(do="send", text=text)


def key(text: str) -> Step:
    return Step(do="key", text=text)


def talk(
    argv: Sequence[str],
    steps: Sequence[Step],
    *,
    terminal: bool = True,
    level: str = "full",
    limits: Limits = LIMITS,
    files: Mapping[str, bytes] | None = None,
) -> Execution:
    request = Launch(argv=tuple(argv), dialogue=tuple(steps), terminal=terminal, limits=limits, files=files or {})
    return execute(choose(level, ["/etc/java-*"]), request, Event())


def python(script: str, steps: Sequence[Step], *, terminal: bool = True, limits: Limits = LIMITS) -> Execution:
    return talk(["python3", "-c", script], steps, terminal=terminal, limits=limits)


def said(execution: Execution) -> list[tuple[str, bytes]]:
    return [(turn.stream, turn.text) for turn in execution.transcript]


# ---------------------------------------------------------------- real programs


@BOTH
def test_python_asks_and_is_answered(terminal: bool) -> None:  # noqa: FBT001 - a parameter of the table
    execution = python(ASK, TALK, terminal=terminal)
    assert (execution.stop, execution.asked, execution.status) == (None, False, 0)
    # On a terminal Python writes its prompts to standard error.
    prompts, answers = b"Enter n: Again? ", b"twice: 8\nbye\n"
    assert (execution.stderr, execution.stdout) == ((prompts, answers) if terminal else (b"", execution.stdout))
    assert terminal or execution.stdout == b"Enter n: twice: 8\nAgain? bye\n"


@each_row
def test_what_is_said_on_a_terminal(
    argv: tuple[str, ...], steps: tuple[Step, ...], stdout: bytes, stderr: bytes
) -> None:
    execution = talk(argv, (*steps, END))
    assert (execution.stop, execution.stdout, execution.stderr) == (None, stdout, stderr)


def test_without_a_sandbox_it_is_the_same() -> None:
    execution = talk(["python3", "-c", ASK], TALK, level="none")
    assert (execution.stop, execution.status, execution.stdout) == (None, 0, b"twice: 8\nbye\n")


def test_java_reads_with_a_scanner() -> None:
    steps = [expect("Enter n: "), send("4"), expect("twice: 8\n"), END]
    limits = Limits(time=40, cpu=20)
    execution = talk(
        ["java", "-XX:TieredStopAtLevel=1", "Ask.java"], steps, files={"Ask.java": DATA["JAVA"].encode()}, limits=limits
    )
    assert (execution.stop, execution.stdout) == (None, b"Enter n: twice: 8\n")


def test_prolog_is_asked_for_one_answer_after_the_other() -> None:
    steps = [
        Step(do="regex", text=r"\?- $"),
        send("member(X, [1, 2])."),
        expect("X = 1 "),
        key(";"),
        expect("X = 2."),
        expect("?- "),
        send("member(X, [a, b, c])."),
        expect("X = a "),
        key("space"),
        expect("X = b "),
        key("enter"),
        expect("?- "),
        key("ctrl-d"),
        END,
    ]
    execution = talk(["swipl", "-q"], steps, limits=Limits(time=20, cpu=10))
    assert (execution.stop, execution.status) == (None, 0)
    assert execution.stdout.startswith(b"1 ?- X = 1 ;\nX = 2.\n\n2 ?- X = a ;\nX = b .\n\n")
    assert execution.stdout.isascii()
    assert b"\x1b" not in execution.stdout


# ---------------------------------------------------------------- terminals


@pytest.mark.parametrize("level", ["full", "none"])
def test_ctrl_c_is_a_signal(level: str) -> None:
    script = "try:\n    print('ready', flush=True)\n    while True: pass\nexcept KeyboardInterrupt: print('stopped')"
    steps = [expect("ready\n"), key("ctrl-c"), expect("stopped\n"), END]
    execution = talk(["python3", "-c", script], steps, level=level)
    assert (execution.stop, execution.status) == (None, 0)


def test_ctrl_c_is_a_signal_also_when_we_ignore_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        test_ctrl_c_is_a_signal("full")
    finally:
        signal.signal(signal.SIGINT, before)


@BOTH
def test_ctrl_d_ends_the_input(terminal: bool) -> None:  # noqa: FBT001 - a parameter of the table
    execution = talk(["cat"], [send("a"), expect("a\n"), key("ctrl-d"), END], terminal=terminal)
    assert (execution.stop, execution.status, execution.stdout) == (None, 0, b"a\n")


# ---------------------------------------------------------------- where it stops


def test_another_prompt_is_told() -> None:
    execution = python(ASK.replace("Enter n", "Number"), TALK)
    stop = execution.stop
    assert stop
    assert (stop.number, stop.step, stop.ended, stop.before) == (1, TALK[0], False, b"Number: ")
    assert 0.9 < stop.waited < 3
    assert (stop.late, execution.asked, execution.limit) == (False, True, None)


@BOTH
def test_output_that_was_kept_back_comes_when_the_input_is_closed(terminal: bool) -> None:  # noqa: FBT001 - a parameter of the table
    execution = python(UNFLUSHED, TALK, terminal=terminal)
    assert execution.stop
    assert (execution.stop.number, execution.stop.late, execution.asked) == (1, True, True)
    assert (execution.status, execution.stdout) == (0, b"Enter n: twice: 8; Again? bye\n")


def test_a_wrong_answer_is_not_late_only_because_the_rest_is_there() -> None:
    execution = python(UNFLUSHED.replace("2 * n", "3 * n"), TALK)
    assert execution.stop
    assert (execution.stop.number, execution.stop.late) == (1, False)


def test_an_end_before_the_text_is_told() -> None:
    execution = python("print('Hello')", TALK)
    assert execution.stop
    assert (execution.stop.number, execution.stop.ended, execution.stop.before) == (1, True, b"Hello\n")
    assert (execution.status, execution.limit, execution.stop.late) == (0, None, False)


def test_waiting_for_more_than_is_sent_is_told() -> None:
    more = ASK + "input('Name? ')\n"
    at_the_end = python(more, TALK[:-1])
    assert (at_the_end.stop, at_the_end.asked, at_the_end.status) == (None, True, 1)
    assert b"EOFError" in at_the_end.stderr
    should_have_ended = python(more, [*TALK[:-1], Step(do="eof", within=0.5)])
    assert should_have_ended.stop
    assert (should_have_ended.stop.step.do, should_have_ended.asked, should_have_ended.limit) == ("eof", True, None)
    assert not should_have_ended.stop.late


@BOTH
def test_what_it_answers_after_work_came_before_the_end_of_input_however_late_we_look(
    monkeypatch: pytest.MonkeyPatch,
    terminal: bool,  # noqa: FBT001 - a parameter of the table
) -> None:
    def look_late(proc: int, pids: Sequence[int]) -> bool:
        time.sleep(0.4)
        return asleep(proc, pids)

    monkeypatch.setattr(process, "asleep", look_late)
    work = "import time\nuntil = time.perf_counter() + 0.6\nwhile time.perf_counter() < until: pass"
    execution = python(f"input()\n{work}\nprint('done', flush=True)\ninput()", [send("4")], terminal=terminal)
    assert (execution.asked, execution.output_when_script_ended) == (True, (5, 0))


def test_one_that_reads_on_after_the_end_of_input_is_told_too() -> None:
    script = "while True:\n    try: input('? ')\n    except EOFError: print('no')"
    execution = python(script, [expect("? ")], limits=Limits(time=5, output=2**16))
    assert execution.asked
    assert execution.limit in ("time", "output")


def test_the_time_of_the_case_is_what_a_step_has() -> None:
    execution = talk(["sleep", "1000"], [expect("never")], limits=Limits(time=1))
    assert execution.stop
    # What the start took of that second, on a busy machine half of it, is not the step's.
    assert execution.stop.waited > 0.4
    assert (execution.stop.ended, execution.asked) == (False, False)


def test_a_busy_program_is_not_given_more_than_the_step() -> None:
    execution = talk(["sh", "-c", "while :; do :; done"], [expect("never", within=0.3)], limits=Limits(time=1000))
    assert execution.stop
    assert (execution.asked, execution.limit) == (False, None)


def test_one_that_speaks_all_the_time_waits_for_nothing() -> None:
    script = "while :; do echo x; echo y >&2; sleep 0.02; done"
    execution = talk(["sh", "-c", script], [expect("never", within=0.3)], limits=Limits(time=1000))
    assert execution.stop
    assert (execution.stop.late, execution.asked, execution.limit) == (False, False, None)


def test_the_text_may_come_in_parts_and_long_after_much_else() -> None:
    script = "import time\nprint('x' * 10**6 + 'En', end='', flush=True); time.sleep(0.1); print('ter n: ', end='')"
    execution = python(script, [expect("Enter n: "), END], terminal=False)
    assert (execution.stop, len(execution.stdout)) == (None, 10**6 + 9)


def test_texts_that_came_at_once_are_found_one_after_the_other() -> None:
    script = "print('a' * 9000, 'one', 'b' * 9000, 'two', 'c' * 9000)"
    steps = [expect("one"), Step(do="regex", text="two c"), expect("c\n"), END]
    assert python(script, steps).stop is None
    assert python(script, [expect("two"), expect("one", within=0.2)]).stop


@pytest.mark.parametrize("text", ["Grüße: ", "\u20ac", "日本"])
def test_texts_of_any_language_are_found(text: str) -> None:
    steps = [expect(text), send(text), Step(do="regex", text=f"<.{{{len(text)}}}>\n"), END]
    execution = python(f"print('<' + input({text!r}) + '>')", steps, terminal=False)
    assert (execution.stop, execution.stdout) == (None, f"{text}<{text}>\n".encode())


# ---------------------------------------------------------------- the transcript


def test_the_transcript_tells_who_said_what_and_when() -> None:
    execution = python("import time\n" + ASK.replace("print", "time.sleep(0.3); print", 1), TALK, terminal=False)
    assert said(execution) == [
        ("stdout", b"Enter n: "),
        ("stdin", b"4\n"),
        ("stdout", b"twice: 8\nAgain? "),
        ("stdin", b"no\n"),
        ("stdout", b"bye\n"),
    ]
    times = [turn.time for turn in execution.transcript]
    assert times == sorted(times)
    assert times[2] - times[1] > 0.25


def test_the_end_of_the_input_is_a_turn() -> None:
    assert said(talk(["cat"], [send("a"), expect("a\n")])) == [("stdin", b"a\n"), ("stdout", b"a\n"), ("stdin", b"")]


def test_no_dialogue_has_no_transcript() -> None:
    assert execute(LEVELS["full"], Launch(argv=("echo", "a")), Event()).transcript == ()


# ---------------------------------------------------------------- hostile programs


def size(turns: tuple[TranscriptEntry, ...]) -> int:
    return sum(len(turn.text) for turn in turns)


@BOTH
@pytest.mark.parametrize("do", ["expect", "regex"])
@pytest.mark.parametrize("stream", ["1", "2"])
def test_printing_for_ever_ends_at_the_limit(terminal: bool, do: str, stream: str) -> None:  # noqa: FBT001 - a parameter of the table
    step = Step(do="expect" if do == "expect" else "regex", text="never")
    limits = Limits(time=20, output=2**20)
    execution = talk(["sh", "-c", f"yes >&{stream}"], [step], terminal=terminal, limits=limits)
    assert execution.limit == "output"
    assert len(execution.stdout if stream == "1" else execution.stderr) == 2**20
    assert size(execution.transcript) < 70_000


def test_a_pattern_that_takes_for_ever_is_our_failure_and_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.5)
    with pytest.raises(HostError, match=r"took over 0\.5 s"):
        python("print('a' * 60); input()", [Step(do="regex", text="(a|a)*b")])


@each_row
def test_whatever_it_does_it_ends_in_time(script: str) -> None:
    steps = [send("a" * 5000), key("ctrl-d"), expect("never"), key("ctrl-c"), END]
    execution = talk(["sh", "-c", script], steps, limits=Limits(time=0.6, output=2**20))
    assert execution.stop
    assert (execution.stop.step, execution.stop.ended) == (steps[2], False)
    assert size(execution.transcript) < 70_000


def test_what_we_end_at_its_limit_did_not_end_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.run.dialogue._is_over", lambda *_: False)  # as where the kernel counts no time
    execution = talk(["sh", "-c", "while :; do echo x; sleep 0.01; done"], [expect("never")], limits=Limits(time=0.3))
    assert (execution.limit, execution.stop and execution.stop.ended) == ("time", False)


def test_what_nobody_reads_stops_nobody() -> None:
    steps = [send("x" * 1000)] * 200 + [expect("done\n"), END]
    execution = talk(["sh", "-c", "sleep 0.1; echo done"], steps)
    assert (execution.stop, execution.stdout) == (None, b"done\n")


def test_dialogues_and_others_run_one_after_the_other() -> None:
    asking = Launch(argv=("python3", "-c", ASK), dialogue=TALK, terminal=True, limits=LIMITS)
    stopping = Launch(argv=("cat",), dialogue=(expect("never", within=0.2),), terminal=True, limits=LIMITS)
    plain = Launch(argv=("cat",), stdin=b"x")
    found = list(measure_each(LEVELS["full"], [asking, plain, stopping, plain, asking], Event(), WorkerSlots(1)))
    outcomes = [(one.stdout, one.stop is None) for one in found if isinstance(one, Execution)]
    talked, silent = (b"twice: 8\nbye\n", True), (b"x", True)
    assert outcomes == [talked, silent, (b"", False), silent, talked]
