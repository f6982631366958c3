"""Every kind of sentence that a student reads, as kept in `tests/golden/`; GRADER_GOLDEN=write keeps it anew.

The file is for reading aloud: each sentence has to be one that somebody in the first year can act on.
"""

import os
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from grader.core.deviations.table import DEVIATIONS
from grader.core.diagnosis import describe_failure
from grader.core.judge.case import judge
from grader.core.judge.totals import hint_across_cases, judge_test
from grader.core.model.execution import Execution, FailedStep, Measurement
from grader.core.model.limits import LimitName
from grader.core.model.report import CaseResult
from grader.core.model.spec import Case, Expectation, Expected, ExpectedFiles, Leaf, Step, Test, Toolchain
from grader.kinds.dialogue.run import Dialogue
from grader.kinds.functions.compare_values import UNDEFINED
from grader.kinds.functions.model import Calls, ExpectedValue, FunctionCase, Missing, Raised
from grader.kinds.memory_clean.model import CodePlace, MemoryFault, MemoryRule, Sighting, Watched
from tests.support.functions import call, expecting, function
from tests.support.languages import TOOLCHAINS
from tests.support.rows import from_data, read_data

GOLDEN = Path(__file__).parents[2] / "golden" / "sentences.txt"
LONGEST = 200
OURS = re.compile(r"(?i)\b(?:(?<!letter )(?<!test )case|stream|token|deviation|oracle|verdict|comparator)s?\b")
C, JAVA, PYTHON = (TOOLCHAINS[name] for name in ("c", "java", "python"))

USAGE = "Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions\n"
ONE, TWO = USAGE.splitlines(keepends=True)
HALF = dict.fromkeys(DEVIATIONS, Fraction(1, 2))
SOURCES = {
    ("Queens.java", 7): "        int n = Integer.parseInt(args[0]);",
    ("queens.py", 3): "board[n] = row",
    ("queens.py", 2): "def f(:",
    ("list.c", 3): "    list->next->word[i] = argv[i][0];",
}


def read_line(name: str, number: int) -> str:
    return SOURCES.get((name, number), "")


def told(
    case: Case, execution: Execution, expected: Execution | None = None, *, language: Toolchain = PYTHON
) -> CaseResult:
    return judge(case, execution, expected, toolchain=language, command="./queens 4", read_line=read_line)


RIGHT = Expectation(stdout=Leaf(how="text", want=("4\n",)))
ON_STDERR = Expectation(stdout=Leaf(how="text", want=("",)), stderr=Leaf(how="text", want=(USAGE,)))
DATA = read_data(__file__)
TEXTS = from_data(DATA["TEXTS"], dict[str, tuple[str, str]])
STREAMS = from_data(DATA["STREAMS"], dict[str, tuple[str, str]])
FAULTS = from_data(DATA["FAULTS"], dict[str, MemoryFault])
CRASHES = from_data(DATA["CRASHES"], dict[str, tuple[str, Execution]])
OTHERS: dict[str, tuple[Expected, str]] = from_data(DATA["OTHERS"], dict[str, tuple[Expected, str]])
LIMITS: dict[LimitName, Execution] = from_data(DATA["LIMITS"], dict[LimitName, Execution])


def at(text: str, line: int = 3, function: str = "fill") -> Sighting:
    """What valgrind says, of a line of a file."""
    return Sighting(text=text, calls=(CodePlace(function=function, file="list.c", line=line),))


RUNS = Measurement(time=31.2, cpu=1.4, waited=29.9, limit="time")
IN_PYTHON = 'Traceback (most recent call last):\n  File "/w/queens.py", line 3, in <module>\n'
INDEX = Raised(type="IndexError", kinds=("IndexError",), message="list index out of range", place="queens.py:3")
UNREADABLE = Raised(type="SyntaxError", message="invalid syntax (queens.py, line 2)", place="queens.py:2")
F = function("def f(n)", 4)
CALLS: dict[str, tuple[FunctionCase, Calls]] = {
    "missing": (F, Calls(loaded=True, missing=Missing(call=0, found=("def main()", "def g(a)")))),
    "missing, with other parameters": (
        F,
        Calls(loaded=True, missing=Missing(call=0, found=("def f()",), same_name=True)),
    ),
    "no module": (F, Calls(missing=Missing(found=("q.py",)))),
    "raised": (F, Calls(loaded=True, raised=INDEX)),
    "raised, for want of main": (F, Calls(loaded=True, raised=replace(INDEX, type="NameError", message="no n"))),
    "unreadable": (F, Calls(loaded=True, load_error=UNREADABLE, missing=Missing(call=0))),
    "ended": (F, Calls(loaded=True)),
    "broke the code that calls it": (F, Calls(loaded=True, fault="TypeError: 'NoneType' object is not callable")),
    "removed what tells it": (F, Calls(is_recorded=False)),
    "returned": (expecting(F, returns=ExpectedValue(want=10)), Calls(loaded=True, returned=(11,), args=(4,))),
    "returned undefined": (
        expecting(F, returns=ExpectedValue(want=10)),
        Calls(loaded=True, returned=(UNDEFINED,), args=(4,)),
    ),
    "returned a list": (
        expecting(F, returns=ExpectedValue(want=((1, 2), (3, 4)))),
        Calls(loaded=True, returned=(((1, 2), (3, 5)),), args=(4,)),
    ),
    "left an argument": (
        expecting(F, args={0: ExpectedValue(want=5)}, then=(call("def g()"),)),
        Calls(loaded=True, returned=(None, None), args=(4,)),
    ),
    "raised nothing": (expecting(F, raises="ValueError"), Calls(loaded=True, returned=(1,), args=(4,))),
}
STOP = FailedStep(step=Step(do="expect", text="n = "), number=1, ended=False, waited=5)
BUILDS = from_data(DATA["BUILDS"], dict[str, tuple[tuple[str, ...], int, bytes]])


ACROSS = {"the same": "7", "the same, right once": "5"}
ANSWERS = {4: 3, 5: 5, 6: 8, 7: 13}


def across_cases() -> Iterator[tuple[str, CaseResult]]:
    """The sentence of the last of four cases that show something together."""
    for name, answer in ACROSS.items():
        cases, results = [], []
        for n in (4, 5, 6, 7):
            cases.append(Case(id=f"a[n={n}]", args=(str(n),), expect=Expectation(stdout=Leaf(how="text"))))
            actual, right = answer, str(ANSWERS[n])
            results.append(
                told(cases[-1], *(Execution(stdout=f"{one}\n".encode(), status=0) for one in (actual, right)))
            )
        test = judge_test(Test(name="a", points=Fraction(1), cases=tuple(cases)), tuple(results))
        yield f"in all cases: {name}", hint_across_cases([test])[0].cases[-1]


def every_sentence() -> Iterator[tuple[str, CaseResult | str]]:
    for name, (actual, expected) in TEXTS.items():
        strict = "missing-lines" if "missing before" in name else ""  # else something else is blamed
        tolerate = {kind: share for kind, share in HALF.items() if kind != strict}
        case = Case(id="a", args=("4",), expect=Expectation(stdout=Leaf(how="text")), tolerate=tolerate)
        yield name, told(case, Execution(stdout=actual.encode(), status=0), Execution(stdout=expected.encode()))
    for name, (stdout, stderr) in STREAMS.items():
        tolerate = {"wrong-stream": Fraction(1, 2), "split-streams": Fraction(1, 2), "inner-space": Fraction(1)}
        case = Case(id="a", expect=ON_STDERR, tolerate=tolerate)
        yield name, told(case, Execution(stdout=stdout.encode(), stderr=stderr.encode(), status=1))
    for name, (asked, output) in OTHERS.items():
        case = Case(id="a", args=("4",), expect=Expectation(stdout=asked))
        yield name, told(case, Execution(stdout=output.encode(), status=0))
    yield "keyboard, with a prompt", told(Case(id="a", args=("4",), expect=ON_STDERR), Execution(stdout=b"Enter n: "))
    ended = Execution(status=0, stdout=b"Enter n: Enter a text: ")
    yield "end of input, with a prompt", told(Case(id="a", stdin=b"4\n", expect=RIGHT), ended)
    beyond = replace(ended, status=1, stderr=f"{IN_PYTHON}EOFError: EOF when reading a line".encode())
    yield "crash: end of input", told(Case(id="a", stdin=b"4\n", expect=RIGHT), beyond)
    yield "exit-status", told(Case(id="a", expect=Expectation(exit=(1,))), Execution(status=0))
    files = ExpectedFiles(present=("Queens.class",), absent=("*.o",))
    yield "files", told(Case(id="a", expect=Expectation(files=files)), Execution(status=0, names=("a.o",)))
    for limit, execution in LIMITS.items():
        yield f"limit: {limit}", told(Case(id="a"), replace(execution, limit=limit))
    asking = Execution(signal=9, limit="output", stdout=b"Enter a number: " * 99)
    yield "limit: output, asking", told(Case(id="a", stdin=b"x\n"), asking)
    cpu_starved = Execution(
        signal=9, limit="time", doubts=frozenset({"cpu_starved"}), measured=(RUNS, RUNS), time=31.2, cpu=1.4
    )
    yield "limit: a busy machine", told(Case(id="a"), cpu_starved)
    yield "limit: a busy machine, in a dialogue", told(Case(id="a"), replace(cpu_starved, limit=None, stop=STOP))
    yield (
        "a machine without memory",
        told(Case(id="a"), Execution(signal=9, doubts=frozenset({"killed_by_host"}), memory=90 * 2**20)),
    )
    for name, (language, execution) in CRASHES.items():
        yield f"crash: {name}", told(Case(id="a", args=("4",)), execution, language=TOOLCHAINS[language])
    for name, (asked_calls, calls) in CALLS.items():
        yield (
            f"call: {name}",
            told(Case(id="a", kind="functions", payload=asked_calls), Execution(status=0, facts=calls)),
        )
    dialogue = Case(id="a", kind="dialogue", payload=Dialogue(steps=(STOP.step,)), tolerate=HALF)
    for stop in (STOP, replace(STOP, ended=True, before=b"Bye\n"), replace(STOP, late=True)):
        yield "dialogue", told(dialogue, Execution(status=0, stop=stop, stdout=stop.before, asked=not stop.ended))
    for name, fault in FAULTS.items():
        watched = Watched(faults=(fault,))
        yield (
            f"memory: {name}",
            told(
                Case(id="a", also={"memory-clean": MemoryRule()}), Execution(status=0, also={"memory-clean": watched})
            ),
        )
    crash = Execution(signal=11, also={"memory-clean": Watched(faults=(FAULTS["null"],))})
    yield "memory: a crash", told(Case(id="a", also={"memory-clean": MemoryRule()}), crash)
    many = tuple(replace(FAULTS["behind"], what=at("Invalid write of size 4", line)) for line in (3, 9, 12, 15, 18))
    yield (
        "memory: in many places",
        told(
            Case(id="a", also={"memory-clean": MemoryRule()}, tolerate=HALF),
            Execution(also={"memory-clean": Watched(faults=many)}),
        ),
    )
    failed = Execution(status=1, stderr=b"rm: cannot remove 'Queens': No such file or directory\n")
    yield "command", told(Case(id="a", command=("make", "clean"), expect=Expectation(exit="success")), failed)
    yield from across_cases()
    for name, (argv, status, log) in BUILDS.items():
        recipe = lambda file, _line: "\trm Queens.class" if file == "Makefile" else ""  # noqa: E731
        yield f"build: {name}", describe_failure(argv, status, log, recipe)


@cache
def sentences() -> Sequence[tuple[str, CaseResult | str]]:
    """Return them all, which are judged once, and not while tests are collected."""
    return list(every_sentence())


def test_every_sentence_is_as_it_is_kept() -> None:
    texts = [f"{name}\n    {one if isinstance(one, str) else one.message.text}\n" for name, one in sentences()]
    if os.environ.get("GRADER_GOLDEN") == "write":
        GOLDEN.write_text("\n".join(texts), encoding="utf-8")
    assert "\n".join(texts) == GOLDEN.read_text(encoding="utf-8")


def test_every_kind_of_deviation_has_a_sentence() -> None:
    named = {deviation.kind for _, one in sentences() if isinstance(one, CaseResult) for deviation in one.deviations}
    assert named == set(DEVIATIONS)


def test_a_sentence_is_short_and_in_no_words_of_ours() -> None:
    for name, one in sentences():
        whole = one if isinstance(one, str) else one.message.text
        parts = [deviation.message for deviation in one.deviations] if isinstance(one, CaseResult) else []
        assert [text for text in parts or [whole] if len(text) > LONGEST] == [], name
        assert not OURS.search(re.sub(r"`[^`]*`", "", whole)), f"{name}: {whole}"
