"""A real browser for the tests of pages: Chromium without a window, driven over its debugging pipe.

    with open_page(path, width=360, dark=True) as page:
        assert page.evaluate("document.title") == "Results"

Messages are JSON, each ended by a NUL: commands go in at the browser's descriptor 3, answers and events come out at 4.
One browser is started when the first page is opened, and serves until the tests end; each page has a tab of its own.
"""

import atexit
import base64
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fcntl import F_DUPFD_CLOEXEC, fcntl
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.support.rows import read_data

PATIENCE = 60
"""seconds for one answer; a machine with much else to do is slow to start a browser"""

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

_DATA = read_data(__file__)
FLAGS: Sequence[str] = _DATA["FLAGS"]

Message = dict[str, Any]
Key = Literal["Tab", "Enter", "Escape", "ArrowDown", "ArrowUp", "Home", "End"]
_KEYS: Mapping[Key, Message] = _DATA["KEYS"]
_SHIFT = 8

_FAINT: str = _DATA["FAINT"]


_BARRIERS = "axe.run().then(found => found.violations.map(one => `${one.id}: ${one.nodes[0].html}`))"


@dataclass(slots=True)
class Browser:
    """A running Chromium: `call` sends a command and waits for its answer."""

    process: int
    commands: int
    answers: int
    home: Path
    events: list[Message] = field(default_factory=list)
    _pending: bytes = b""
    _count: int = 0

    def call(self, method: str, session: str | None = None, /, **parameters: Any) -> Message:
        """Send one command and return its result. Raises AssertionError for what the browser refuses."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data) :]
        while (answer := self.receive()).get("id") != self._count:
            self.events.append(answer)
        assert "error" not in answer, f"{method}: {answer['error']}"
        result: Message = answer["result"]
        return result

    def receive(self) -> Message:
        """Wait for the next message. Raises AssertionError for a dialog, which no page of ours opens."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._pending:
            ready, _, _ = select.select([self.answers], [], [], max(end - time.monotonic(), 0))
            data = os.read(self.answers, 2**16) if ready else b""
            assert data, "Chromium does not answer" if not ready else "Chromium has ended"
            self._pending += data
        line, _, self._pending = self._pending.partition(b"\0")
        message: Message = json.loads(line)
        dialog = message.get("method") == "Page.javascriptDialogOpening"
        assert not dialog, f"the page opened a dialog: {message['params']['message']}"
        return message

    def close(self) -> None:
        """End the browser with all of its processes."""
        for descriptor in (self.commands, self.answers):
            os.close(descriptor)
        with suppress(ProcessLookupError):
            os.killpg(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        shutil.rmtree(self.home, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Page:
    """A tab that shows a file."""

    browser: Browser
    session: str

    def call(self, method: str, **parameters: Any) -> Message:
        """Send a command of the DevTools protocol to this tab."""
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, expression: str) -> Any:
        """Evaluate JavaScript, whatever the page's policy is, and return its value as JSON has it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def go_to(self, address: str) -> None:
        """Open an address, and wait until it is loaded."""
        self.forget_loads()
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def replace_by(self, path: Path) -> None:
        """Show a file in the frame of the page that is open, which takes a quarter of what opening it takes."""
        self.forget_loads()
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        text = path.read_text(encoding="utf-8")
        html = text.replace("<head>", f'<head><base href="{path.as_uri()}">', 1)
        self.call("Page.setDocumentContent", frameId=frame, html=html)
        self.wait("Page.loadEventFired")

    def forget_loads(self) -> None:
        """Forget the pages that were loaded, so that `wait` waits for the next one."""
        loads = [event for event in self._events() if event["method"] == "Page.loadEventFired"]
        self.browser.events[:] = [event for event in self.browser.events if event not in loads]

    def strike(self, letter: str) -> None:
        """Press the key of a character."""
        parts = {"key": letter, "text": letter, "unmodifiedText": letter}
        self.call("Input.dispatchKeyEvent", type="keyDown", **parts)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def resize(self, width: int, height: int = 800) -> None:
        """Give the tab so many pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def press(self, key: Key, *, shift: bool = False) -> None:
        """Press a key and let it go."""
        parts = {"key": key, "code": key, "modifiers": _SHIFT if shift else 0, **_KEYS[key]}
        self.call("Input.dispatchKeyEvent", type="keyDown", **parts)
        self.call("Input.dispatchKeyEvent", type="keyUp", **{name: parts[name] for name in parts if name != "text"})

    def type(self, text: str) -> None:
        """Type text where the focus is."""
        self.call("Input.insertText", text=text)

    def barriers(self) -> list[str]:
        """Return what axe-core finds that keeps people from using the page: the rule and the first place.

        Skips the test where axe-core is not installed, but not in CI.
        """
        found = find_spec("axe_core_python")
        if found is None or found.origin is None:
            assert "CI" not in os.environ, "axe-core-python is missing: pip install -e .[test]"
            pytest.skip("axe-core-python is not installed")
        self.evaluate(Path(found.origin).with_name("axe.min.js").read_text())
        told: list[str] = self.evaluate(_BARRIERS)
        return told

    def screenshot(self, path: Path) -> None:
        """Keep a picture of the whole page, as PNG."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(answer["data"]))

    def pdf(self) -> bytes:
        """Print the page, on A4."""
        answer = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=False)
        return base64.b64decode(answer["data"])

    def messages(self) -> list[str]:
        """Return what came to the console: errors, warnings, violations of the policy, the script's own words."""
        self.evaluate("0")  # what was said before this has arrived with its answer
        told = []
        for event in self._events():
            if event["method"] == "Log.entryAdded":
                told.append(event["params"]["entry"]["text"])
            elif event["method"] == "Runtime.exceptionThrown":
                told.append(event["params"]["exceptionDetails"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                told.extend(str(value.get("value")) for value in event["params"]["args"])
        return told

    def requests(self) -> list[str]:
        """Return the addresses that the page asked for and its policy let pass, its own first."""
        self.evaluate("0")
        events = list(self._events())
        refused = {
            event["params"]["requestId"]
            for event in events
            if event["method"] == "Network.loadingFailed" and event["params"].get("blockedReason") == "csp"
        }
        sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
        return [request["request"]["url"] for request in sent if request["requestId"] not in refused]

    def faint(self, least: float = 4.5) -> list[str]:
        """Return the texts, each with its colours, that have less contrast than `least` with what is behind them."""
        found: list[str] = self.evaluate(f"({_FAINT})({least})")
        return found

    def wait(self, method: str, *, times: int = 1) -> None:
        """Wait until an event of this tab has come so many times."""
        while sum(event["method"] == method for event in self._events()) < times:
            self.browser.events.append(self.browser.receive())

    def _events(self) -> Iterator[Message]:
        return (event for event in self.browser.events if event.get("sessionId") == self.session)


CUT_TABLES = """[...document.querySelectorAll('body *')].filter(one =>
  one.querySelector('table') && one.scrollWidth > one.clientWidth + 1).map(one => one.className)"""
"""evaluates to the parts of a page in which a table is cut off, or to be scrolled sideways"""


@contextmanager
def open_page(
    path: Path | str, *, width: int = 1200, height: int = 800, dark: bool = False, media: Literal["", "print"] = ""
) -> Iterator[Page]:
    """Open a file or an address in a tab of this size. Skips the test where there is no Chromium, but not in CI."""
    browser = _browser()
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    page = Page(browser, session)
    try:
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.resize(width, height)
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        page.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        page.go_to(path if isinstance(path, str) else path.resolve().as_uri())
        yield page
    finally:
        browser.call("Target.closeTarget", targetId=target)
        browser.events.clear()


@cache
def _browser() -> Browser:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        assert "CI" not in os.environ, "there is no Chromium, and CI has to have one"
        pytest.skip("there is no Chromium")
    home = Path(tempfile.mkdtemp(prefix="chromium-"))
    inward, commands = _pipe()
    answers, outward = _pipe()
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    actions = [(os.POSIX_SPAWN_DUP2, nothing, number) for number in (0, 1, 2)]
    actions += [(os.POSIX_SPAWN_DUP2, inward, 3), (os.POSIX_SPAWN_DUP2, outward, 4)]
    arguments = [program, *FLAGS, f"--user-data-dir={home}", "about:blank"]
    process = os.posix_spawn(program, arguments, {**os.environ, "HOME": str(home)}, file_actions=actions, setpgroup=0)
    for descriptor in (inward, outward, nothing):
        os.close(descriptor)
    browser = Browser(process, commands, answers, home)
    atexit.register(browser.close)
    return browser


def _pipe() -> tuple[int, int]:
    """Make a pipe whose ends are well above 4, so that neither is in the way when they are put in place."""
    ends = os.pipe()
    high = [fcntl(end, F_DUPFD_CLOEXEC, 20) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]
