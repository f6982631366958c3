"""What a judgement of long outputs takes of the processor and of memory: part of `make bench`.

Each row is one way for an output to differ from the reference's, judged in a process of its own: no program is started.
Memory is what the judge had at most beside the two texts. With sizes in MiB as arguments, only these are judged; with
names behind them, only rows that have one in theirs.
"""

import itertools
import operator
import random
import re
import resource
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from grader.core.comparators.lines import LineOptions
from grader.core.comparators.tokens import Closeness
from grader.core.judge.case import judge
from grader.core.model.execution import Execution
from grader.core.model.spec import AnyOf, Case, Expectation, Expected, Leaf, Toolchain

MIB = 2**20
MAX_SEARCH_SECONDS = {1: 1.0, 8: 1.0, 100: 3.0}
"""MiB of an output -> the processor time that a judgement may take"""
MAX_BESIDE = {1: 100, 8: 100, 100: 150}
"""MiB of an output -> the MiB of memory that a judgement may take beside the two texts"""

T = TypeVar("T")
Streams = tuple[bytes, bytes]
Change = Callable[[bytes], bytes | Streams]


def lines(form: bytes, many: int, *, first: int = 1) -> bytes:
    """Return so many lines with numbers."""
    numbers = form.count(b"%d")
    return b"".join([form % ((number,) * numbers) for number in range(first, first + many)])


def instead(form: bytes, *, first: int = 1) -> Callable[[bytes], bytes]:
    """Have as many other lines."""
    return lambda text: lines(form, text.count(b"\n"), first=first)


SENTENCES = b"Queen %d stands on square %d\n"
PAIRS = b"(%d, %d)\n"
FLOATS = b"%d.25 is the distance\n"


def middle(text: bytes) -> int:
    """Return where a line in the middle begins."""
    return text.index(b"\n", len(text) // 2) + 1


def stops_early(text: bytes) -> bytes:
    """Leave the second half out."""
    return text[: middle(text)]


def one_wrong(text: bytes) -> bytes:
    """Put another line in the middle."""
    at = middle(text)
    return text[:at] + b"hello\n" + text[text.index(b"\n", at) + 1 :]


def one_less(text: bytes) -> bytes:
    """Leave a line in the middle out."""
    at = middle(text)
    return text[:at] + text[text.index(b"\n", at) + 1 :]


def shuffled(text: bytes) -> bytes:
    """Move the lines."""
    every = text.splitlines(keepends=True)
    random.Random(4).shuffle(every)  # noqa: S311 - the same each time
    return b"".join(every)


def split(text: bytes) -> Streams:
    """Write every second line to standard error."""
    every = text.splitlines(keepends=True)
    return b"".join(every[::2]), b"".join(every[1::2])


def prompts_by_turns(text: bytes) -> bytes:
    """Put two prompts before the lines, one before every second."""
    prompts = itertools.cycle((b"Enter a row: ", b"Enter a column: "))
    return b"".join(map(operator.add, prompts, text.splitlines(keepends=True)))


def put(old: bytes, new: bytes) -> Change:
    """Replace something everywhere."""
    return lambda text: text.replace(old, new)


def both(*changes: Callable[[bytes], bytes]) -> Change:
    """Make one change after the other."""

    def change(text: bytes) -> bytes:
        for one in changes:
            text = one(text)
        return text

    return change


TEXT = Leaf(how="text")
LINES = Leaf(how="lines")
FREE = Leaf(how="lines", options=LineOptions(ordered=False))
TOKENS = Leaf(how="tokens")
NUMBERS = Leaf(how="numbers")
CLOSE = Leaf(how="numbers", options=Closeness(tolerance=0.1))

ROWS: dict[str, tuple[Expected, bytes, Change]] = {
    "equal": (TEXT, SENTENCES, bytes),
    "empty": (TEXT, SENTENCES, lambda _: b""),
    "first byte": (TEXT, SENTENCES, lambda text: b"q" + text[1:]),
    "first byte, and no letter": (TEXT, SENTENCES, lambda text: b"?" + text[1:]),
    "last byte": (TEXT, SENTENCES, lambda text: text[:-2] + b"x\n"),
    "last newline": (TEXT, SENTENCES, lambda text: text[:-1]),
    "one wrong line": (TEXT, SENTENCES, one_wrong),
    "one line less": (TEXT, SENTENCES, one_less),
    "one line more": (TEXT, SENTENCES, lambda text: text + b"hello\n"),
    "every line again": (TEXT, SENTENCES, lambda text: b"".join(2 * [text[: middle(text)]])),
    "every second line": (TEXT, SENTENCES, lambda text: split(text)[0]),
    "stops early": (TEXT, SENTENCES, stops_early),
    "shuffled": (TEXT, SENTENCES, shuffled),
    "shuffled, one line less": (TEXT, SENTENCES, both(shuffled, one_less)),
    "shuffled, one wrong line": (TEXT, SENTENCES, both(shuffled, one_wrong)),
    "shuffled, with blanks": (TEXT, SENTENCES, both(shuffled, lambda text: text.replace(b"\n", b" \n"))),
    "blanks behind lines": (TEXT, SENTENCES, put(b"\n", b" \n")),
    "blanks in lines": (TEXT, SENTENCES, put(b" ", b"  ")),
    "no blanks at all": (TEXT, SENTENCES, put(b" ", b"")),
    "blanks everywhere, one wrong line": (TEXT, SENTENCES, both(one_wrong, lambda text: text.replace(b" ", b"  "))),
    "empty lines": (TEXT, SENTENCES, put(b"\n", b"\n\n")),
    "capitals": (TEXT, SENTENCES, bytes.upper),
    "carriage returns": (TEXT, SENTENCES, put(b"\n", b"\r\n")),
    "on the other stream": (TEXT, SENTENCES, lambda text: (b"", text)),
    "on the other stream, one wrong": (TEXT, SENTENCES, lambda text: (b"", one_wrong(text))),
    "on both streams": (TEXT, SENTENCES, split),
    "on both streams, one wrong": (TEXT, SENTENCES, lambda text: split(one_wrong(text))),
    "misspelt everywhere": (TEXT, SENTENCES, put(b"stands", b"stnads")),
    "other words": (TEXT, SENTENCES, put(b"Queen", b"xyzzy")),
    "prompts everywhere": (TEXT, PAIRS, put(b"(", b"Enter a number: (")),
    "prompts before sentences": (TEXT, SENTENCES, put(b"Queen", b"Enter: Queen")),
    "two prompts by turns": (TEXT, PAIRS, prompts_by_turns),
    "one prompt": (TEXT, PAIRS, lambda text: b"Enter a number: " + text),
    "numbers one too small": (TEXT, PAIRS, instead(PAIRS, first=0)),
    "numbers one too small, stops early": (TEXT, PAIRS, both(instead(PAIRS, first=0), stops_early)),
    "numbers one too large": (TEXT, PAIRS, instead(PAIRS, first=2)),
    "numbers one too small, one wrong": (TEXT, PAIRS, both(instead(PAIRS, first=0), one_wrong)),
    "tuples backwards": (TEXT, b"(%d, 7%d)\n", lambda text: re.sub(rb"(\d+), (\d+)", rb"\2, \1", text)),
    "short lines, one wrong": (TEXT, b"7\n", one_wrong),
    "short lines, blanks": (TEXT, b"7\n", put(b"\n", b" \n")),
    "short lines, two joined": (TEXT, b"7\n", lambda text: text[: middle(text) - 1] + text[middle(text) :]),
    "all lines equal, one less": (TEXT, SENTENCES[:5] + b"\n", one_less),
    "one long line, last byte": (TEXT, b"1234567", lambda text: text[:-1] + b"x"),
    "one long line, a blank more": (TEXT, b"Ab, ", lambda text: text + b" "),
    "one long line, blanks doubled": (TEXT, b"%d ", put(b" ", b"  ")),
    "one long line of words, blanks": (TEXT, b"Ab cd of ", put(b" ", b"  ")),
    "one long line of words, one wrong": (TEXT, b"Ab cd of ", lambda text: text[:4000] + b"x" + text[4001:]),
    "one long line of words, capitals": (TEXT, b"Ab cd of ", bytes.upper),
    "one long line of prompts": (TEXT, b"n: ", lambda text: text[: len(text) // 2] + b"x" + text[len(text) // 2 :]),
    "one long line of prompts, blanks": (TEXT, b"n: ", put(b" ", b"  ")),
    "one long line of digits, one wrong": (
        TEXT,
        b"1 ",
        lambda text: text[: len(text) // 2] + b"x" + text[len(text) // 2 :],
    ),
    "another text": (TEXT, SENTENCES, instead(b"%d: %d?\n")),
    "bytes that are no text": (TEXT, SENTENCES, lambda text: b"\0\xff\xc3" * (len(text) // 3)),
    "blanks only": (TEXT, SENTENCES, lambda text: b" \n" * (len(text) // 2)),
    "lines: one wrong": (LINES, SENTENCES, one_wrong),
    "lines: last newline": (LINES, SENTENCES, lambda text: text[:-1]),
    "any order: shuffled": (FREE, SENTENCES, shuffled),
    "any order: one wrong": (FREE, SENTENCES, one_wrong),
    "any order: shuffled, one wrong": (FREE, SENTENCES, both(shuffled, one_wrong)),
    "any order: blanks": (FREE, SENTENCES, both(shuffled, lambda text: text.replace(b"\n", b" \n"))),
    "any order: another text": (FREE, SENTENCES, instead(b"%d: %d?\n")),
    "tokens: blanks": (TOKENS, SENTENCES, put(b" ", b"  ")),
    "tokens: last one": (TOKENS, SENTENCES, lambda text: text[:-2] + b"x\n"),
    "tokens: capitals": (TOKENS, SENTENCES, bytes.upper),
    "numbers: other words": (NUMBERS, SENTENCES, put(b"stands", b"is")),
    "numbers: all close": (CLOSE, FLOATS, put(b".25", b".26")),
    "contains: not there": (Leaf(how="contains", want=("nowhere",)), SENTENCES, bytes),
    "only: some lines, one wrong": (Leaf(how="text", only="7 stands"), SENTENCES, put(b"17 stands", b"18 stands")),
    "any of three texts": (
        AnyOf(parts=(TEXT, Leaf(how="text", want=("x\n",)), FREE)),
        SENTENCES,
        one_wrong,
    ),
}


def fresh(work: Callable[..., T], *arguments: object) -> T:
    """Return what `work` does in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        return executor.submit(work, *arguments).result()


def write(name: str, size: int, folder: Path) -> None:
    """Write what is expected, and the two streams."""
    _, form, change = ROWS[name]
    many = size // len(form.replace(b"%d", b"%d" % (size // 80)))
    expected = lines(form, many) if b"%d" in form else form * many
    changed = change(expected)
    streams = (changed, b"") if isinstance(changed, bytes) else changed
    for place, text in zip(("expected", "stdout", "stderr"), (expected, *streams), strict=True):
        (folder / place).write_bytes(text)


def resident(key: str) -> float:
    """Return MiB of memory that this process has, `VmRSS`, or had at most, `VmHWM`."""
    found = re.search(rf"(?m)^{key}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def take(name: str, folder: Path) -> tuple[float, float, str]:
    """Judge: return the seconds of the processor, the MiB beside the texts, and the deviations or the verdict."""
    expected, stdout, stderr = ((folder / place).read_bytes() for place in ("expected", "stdout", "stderr"))
    case = Case(id="case", tolerate={}, expect=Expectation(stdout=ROWS[name][0]))
    run, answer = Execution(stdout=stdout, stderr=stderr, status=0), Execution(stdout=expected, status=0)
    Path("/proc/self/clear_refs").write_text("5")  # forget what was resident at most
    held, before = resident("VmRSS"), seconds()
    result = judge(case, run, answer, toolchain=Toolchain(name="any"), command="x")
    told = ", ".join(dict.fromkeys(deviation.kind for deviation in result.deviations)) or str(result.verdict)
    return seconds() - before, resident("VmHWM") - held, told


def seconds() -> float:
    """Return the processor time of this process and of those that it has started."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(name: str, size: int) -> None:
    """Print one line of the table."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        fresh(write, name, size * MIB, folder)
        taken, beside, told = fresh(take, name, folder)
    most, room = (limits.get(size, limits[100]) for limits in (MAX_SEARCH_SECONDS, MAX_BESIDE))
    reached = "reached" if taken <= most and beside <= room else "MISSED"
    print(f"{name:36}{size:4} {taken:8.2f} {taken / most:7.2f} {beside:7.0f}   {reached:8} {told}", flush=True)


def main(sizes: list[int], names: list[str]) -> None:
    """Print the table."""
    print(
        "\nA judgement: MiB of the reference's output, processor seconds, their share of what they may be, MiB beside\n"
    )
    for size in sizes:
        most, room = (limits.get(size, limits[100]) for limits in (MAX_SEARCH_SECONDS, MAX_BESIDE))
        print(f"at most {most} s and {room} MiB")
        for name in ROWS:
            if not names or any(part in name for part in names):
                measure(name, size)


if __name__ == "__main__":
    main(
        [int(each) for each in sys.argv[1:] if each.isdigit()] or list(MAX_SEARCH_SECONDS),
        [each for each in sys.argv[1:] if not each.isdigit()],
    )
