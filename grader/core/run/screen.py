"""What there is to see of what a terminal shows."""

import termios

from grader.core.lazy import lazy_regex
from grader.core.run.channels import END_OF_FILE

_CONTROL_CHARACTERS = lazy_regex(rb"[\x00-\x08\x0b-\x1f\x7f]")


class Screen:
    """What is read from a terminal, with LF for CR LF and without the echo of what we typed, which comes at once."""

    def __init__(self, descriptor: int) -> None:
        """Watch the terminal whose our end is `descriptor`."""
        self._descriptor = descriptor
        self._echo = self._kept = b""

    def typed(self, data: bytes) -> None:
        """Take note of what is about to be typed."""
        modes = termios.tcgetattr(self._descriptor)[3]
        if modes & termios.ECHO and modes & termios.ECHOCTL:  # as `^C`; the end of the input is not shown
            data = data.replace(END_OF_FILE, b"")
            data = _CONTROL_CHARACTERS.sub(lambda one: b"^" + bytes([one[0][0] ^ 0x40]), data)
        self._echo += data if modes & termios.ECHO else b""

    def seen(self, data: bytes, *, last: bool = False) -> bytes:
        """Return what there is to see of the `data` that was read; a part may come later, with the `last` all does."""
        data, self._kept = (self._kept + data).replace(b"\r\n", b"\n"), b""
        if data.endswith(b"\r") and not last:
            data, self._kept = data[:-1], b"\r"
        if data != self._echo and self._echo.startswith(data) and not last:
            self._kept = data + self._kept
            return b""
        data, self._echo = data.removeprefix(self._echo), b""
        return data
