"""Text of hidden tests is found in what a program wrote, in simple codes too; what honest programs write is not."""

import base64
import codecs
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from grader.core.judge.hidden_text import WITHHELD, HiddenTextFinder
from grader.core.model.judgement import CaseResult, Contrast, Deviation, Verdict
from tests.support.growth import growth

HIDDEN = '''
import pytest
def test_overdrawn_account_keeps_its_balance():
    """A hidden remark about overdrawn accounts."""
    account = Account(limit=4711)
    with pytest.raises(ValueError, match="no more than 4711"):
        account.withdraw(4712)
    assert account.balance == 0
    assert f(7) == 13
    assertEquals("Balance: 100 dollars", account.text());
TABLE = [
    (104729, "the ten thousandth prime", 5),
]
'''
SHOWN = "import pytest\ndef test_deposit():\n    assert account.balance == 0\n"
SECRETS = (
    "account = Account(limit=4711)",
    "account.withdraw(4712)",
    'with pytest.raises(ValueError, match="no more than 4711"):',
    "assert f(7) == 13",
    'assertEquals("Balance: 100 dollars", account.text());',
    "def test_overdrawn_account_keeps_its_balance():",
)
LONG = 'assertEquals("Balance: 100 dollars", account.text());'
CODES: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "within others": lambda text: f"xyz {text} xyz",
    "with blanks": " ".join,
    "a letter a line": "\n".join,
    "without blanks": lambda text: text.replace(" ", ""),
    "as repr has it": lambda text: repr(repr(f"a\t'{text}\n")),
    "backwards": lambda text: text[::-1],
    "in base 64": lambda text: base64.b64encode(f"x{text}".encode()).decode(),
    "in base 64 for addresses, on lines": lambda text: "\n".join(base64.urlsafe_b64encode(text.encode()).decode()),
    "in hexadecimal": lambda text: text.encode().hex(),
    "in hexadecimal with colons": lambda text: text.encode().hex(":"),
    "as bytes are dumped": lambda text: " ".join(f"0x{ord(one):02x}" for one in text),
    "in numbers": lambda text: str(list(text.encode())),
    "in escapes": lambda text: "".join(f"\\x{ord(one):02x}" for one in text),
    "in Unicode escapes": lambda text: "".join(f"\\u{ord(one):04x}" for one in text),
    "in octal": lambda text: "".join(f"\\{ord(one):03o}" for one in text),
    "as an address has it": lambda text: "".join(f"%{ord(one):02X}" for one in text),
    "as a page has it": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "in rot 13": lambda text: codecs.encode(text, "rot13"),
}
HONEST = {
    "what it is asked to print": "Balance: 100 dollars\nno more than 4711\nthe ten thousandth prime",
    "a table of values": "[(104729, 'the ten thousandth prime', 5), (104743, 'the next', 6)]",
    "a sentence of the same words": "Test: overdrawn account keeps its balance. A hidden remark.",
    "what visible tests say": "    assert account.balance == 0\nE   AssertionError",
    "another assertion": "assert f(8) == 13",
    "a traceback": 'Traceback:\n  File "bank.py", line 3, in withdraw\nValueError: no more than 4711',
    "an import": "import pytest",
    "nothing": "",
    "short": "assert",
}


@pytest.fixture
def finder(tmp_path: Path) -> HiddenTextFinder:
    return HiddenTextFinder(HIDDEN, SHOWN, tmp_path)


@pytest.mark.parametrize("code", CODES)
def test_hidden_lines_are_found_in_each_code(code: str, finder: HiddenTextFinder) -> None:
    assert [text for text in SECRETS if not finder.is_in(f"12 lines\n{CODES[code](text)}\n")] == []


def test_a_part_of_a_long_line_is_found(finder: HiddenTextFinder) -> None:
    assert finder.is_in(LONG[8:])
    assert not finder.is_in(LONG[:24])


@pytest.mark.parametrize("name", HONEST)
def test_honest_texts_are_shown(name: str, finder: HiddenTextFinder) -> None:
    assert not finder.is_in(HONEST[name])
    assert not finder.is_in(HONEST[name] * 50)


def test_what_the_student_wrote_is_their_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def test():\n    assert  f(7) == 13\n")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    finder = HiddenTextFinder(HIDDEN, SHOWN, tmp_path)
    assert not finder.is_in(">   assert f(7) == 13")
    assert finder.is_in(">   assert f(7) == 13\n account.withdraw(4712)")


def test_all_texts_of_a_result_are_withheld_together(finder: HiddenTextFinder) -> None:
    texts = [
        {"message": SECRETS[0]},
        {"deviations": (Deviation(kind="wrong", stream="stdout", message="x", drawing=SECRETS[1]),)},
        {"contrasts": (Contrast(name="returned value", expected="1", actual=SECRETS[3]),)},
        {"message": "assert f(7)", "contrasts": (Contrast(name="x", expected="1", actual="== 13"),)},
    ]
    for fields in texts[:3]:
        case = CaseResult(id="a", verdict=Verdict.PARTIAL, credit=Fraction(1, 2), command="run", **fields)  # type: ignore[arg-type]
        outer = CaseResult(id="a", verdict=Verdict.PASSED, credit=Fraction(1), command="run", runs=(case,))
        for found in (finder.withhold(case), finder.withhold(outer).runs[0]):
            assert (found.verdict, found.credit, found.contrasts) == (case.verdict, case.credit, ())
            assert all(secret not in repr(found) for secret in SECRETS)
            assert WITHHELD in repr(found) or case.contrasts
    honest = CaseResult(
        id="a", verdict=Verdict.FAILED, credit=Fraction(0), command="run", message=HONEST["a traceback"]
    )
    assert finder.withhold(honest) == honest
    assert HiddenTextFinder("", SHOWN, None).withhold(case) is case


HOSTILE: dict[str, Callable[[int], str]] = {
    "beginnings": lambda size: "assertEqual" * (size // 11),
    "one letter": lambda size: "a" * size,
    "numbers": lambda size: "97, " * (size // 4),
    "percent signs": lambda size: "%" * size,
    "ampersands": lambda size: "&#" * (size // 2),
    "backslashes": lambda size: "\\u{" * (size // 3),
    "digits": lambda size: "a5" * (size // 2),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_search_grows_with_the_text_and_no_faster(name: str) -> None:
    hidden = "\n".join(f"    assertEqual(account{n}.balance, {n} + {n})  # {'x' * 40}()()" for n in range(300))
    finder = HiddenTextFinder(hidden, "", None)
    finder.is_in("warm")
    assert growth(lambda size: finder.is_in(HOSTILE[name](size)), 10_000) < 40
