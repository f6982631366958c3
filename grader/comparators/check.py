"""`check`: a function of the instructor decides, FILE.py:FUNCTION, whose sentence is the deviation's."""

import keyword

from msgspec.structs import replace

from grader.comparators.base import Beside, Comparator, Wanted, text_node
from grader.errors import HostError, Wrong
from grader.model import Deviation, Expected
from grader.text import capital
from grader.yaml.kinds import strict_text
from grader.yaml.value import Key, Value, named_function, text, unwanted
from grader.yaml.writing import table


def _read_check(value: Value, beside: Beside) -> Expected:
    """Read the function; all keys beside it are the options that it is called with."""
    options = {}
    for name, (key, entry) in beside.items():
        if not name.isidentifier() or keyword.iskeyword(name):
            unwanted(key, "the name of an option of the function, one word such as n")
        options[name] = text(entry)
    return Expected(how="check", want=(), function=named_function(value), options=options)


def _compare_check(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    if wanted.check is None:
        raise HostError("a check is asked for, but nobody has made it ready")
    try:
        wanted.check(output)
    except Wrong as wrong:
        sentence, _, drawing = str(wrong).strip("\n").partition("\n")
        told = sentence or f"{capital(wanted.where)} is not what is asked for."
        return (replace(wanted.deviation("wrong", told), drawing=drawing.strip("\n")),)
    return ()


CHECK = Comparator(
    name="check",
    key=Key(
        about="A function of the instructor decides, FILE.py:FUNCTION; further keys are its options, as texts.",
        kind="function",
        examples=("reference/checks.py:boards",),
        alternative=True,
        others="text",
    ),
    kinds={"function": strict_text(r"\.py:[^:]+$")},
    example="{check: 'reference/checks.py:boards', n: 8}",
    read=_read_check,
    compare=_compare_check,
    asks=lambda _expected: True,
    words=lambda _expected, _shown: "judged by a program, since many answers are right",
    write=lambda expected: table(
        {"check": text_node(expected.function), **{name: text_node(v) for name, v in expected.options.items()}}
    ),
)
