"""The facts that a check of the course may request besides the text that it judges, and how it gives a share."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec import Struct, field

from grader.core.errors import Wrong
from grader.core.model.spec import CheckOptions
from grader.core.model.values import PlainValue

SHARE, OUTPUT = "share", "output"  # the deviation of a check that gives a share itself; the text that one judges


class Facts(Struct, frozen=True, kw_only=True):
    """What there is to know of a case, the expected from its reference: a check gets what its parameters name."""

    args: tuple[PlainValue, ...] = ()
    input: bytes = b""
    stdout: bytes = b""
    stderr: bytes = b""
    status: int | None = None  # none of a program that was killed
    files: Mapping[str, bytes] = field(default_factory=dict)
    returned: PlainValue = None  # by the call, where functions are called
    expected: bytes = b""  # in the place of what is judged
    expected_stdout: bytes = b""
    expected_stderr: bytes = b""
    expected_files: Mapping[str, bytes] = field(default_factory=dict)


Check = Callable[[bytes], None]  # judges a text: raises `Wrong` when it is wrong, `HostError` for a fault of its own
Checks = Callable[[CheckOptions, Facts], Check]  # makes one ready for a case; `HostError` where there is none


class PartlyRight(Wrong):
    """What a check raises on a text of which it gives a share: more than nothing, and not all."""

    def __init__(self, message: str, share: Fraction) -> None:
        """Say what is missing, and which share of the credit remains."""
        super().__init__(message)
        self.share = share
