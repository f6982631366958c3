"""What the checks of check50 call, written anew: checks that are run as they are find this under the name `check50`.

It stands on its own in the sandbox of a unit test. The files of the problem lie beside it in `files`, the checks of
others in `others`; all are taken into memory and deleted before any of the student's code is started.
"""

import codecs
import fcntl
import hashlib
import inspect
import os
import py_compile
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import types
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

_MAX_BYTES, _EOF_BYTE = 8 * 2**20, b"\x04"
_SECONDS_AT_END = 0.5  # in which a program that closed its terminal may still end


class EOF(Exception):  # noqa: N818
    """The end of what a program writes, and of what it is sent."""


class Failure(Exception):  # noqa: N818 - its name in the checks
    """Why a check fails, maybe with what helps."""

    def __init__(self, rationale: str, help: str | None = None) -> None:  # noqa: A002
        super().__init__(rationale)
        self.payload = {"rationale": rationale, "help": help}

    def __str__(self) -> str:
        return str(self.payload["rationale"])


class Missing(Failure):
    def __init__(self, missing_item: Any, collection: Any, help: str | None = None) -> None:  # noqa: A002
        super().__init__(f"{_short(missing_item)} is not in {_short(collection)}", help)


class Mismatch(Failure):
    def __init__(self, expected: Any, actual: Any, help: str | None = None) -> None:  # noqa: A002
        super().__init__(f"{_short(actual)} instead of {_short(expected)}", help)


def _short(value: Any) -> str:
    text = "EOF" if value is EOF else "\n".join(map(str, value)) if isinstance(value, list) else str(value)
    return repr(text if len(text) <= 200 else f"{text[:200]}...")  # noqa: PLR2004


def _take_files(name: str) -> dict[str, tuple[bytes, int]]:
    folder = Path(__file__).resolve().parent / name
    every = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    found = {path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mode) for path in every}
    shutil.rmtree(folder, ignore_errors=True)
    return found


_FILES, _OTHERS = _take_files("files"), _take_files("others")
_AT_END: list[Callable[[], None]] = []
_RUNS: "list[run]" = []


def _marked(name: str, value: Any) -> Callable[[Any], Any]:
    def mark(function: Any) -> Any:
        setattr(function, name, value)
        return function

    return mark


def check(dependency: Any = None, **_words: Any) -> Callable[[Any], Any]:
    """Mark a function as a check that needs another one."""
    return _marked("check50_needs", dependency)


def import_checks(path: str) -> types.ModuleType:
    """Load the checks of another problem, as a module that can be imported."""
    name = os.path.basename(path.rstrip("/"))
    module = _module(name)
    exec(compile(_OTHERS[f"{name}.py"][0], f"{name}.py", "exec"), vars(module))  # noqa: S102 - checks of the course
    return module


def hidden(failure_rationale: str) -> Callable[[Any], Any]:
    """Say nothing but this when the check fails."""
    return _marked("check50_rationale", failure_rationale)


def problem_of(function: Any) -> str:
    """Run a check after those that it needs, in one folder; return why it fails, and nothing when it passes."""
    try:
        _perform(function)
    except Failure as failure:
        rationale = getattr(function, "check50_rationale", "")
        helps = "" if rationale else failure.payload["help"]
        return f"{rationale or failure}{f' ({helps})' if helps else ''}"
    finally:
        for one in _RUNS:
            one.kill()
        _RUNS.clear()
    return ""


def _perform(function: Any) -> Any:
    needs, before = getattr(function, "check50_needs", None), None
    if needs is not None:
        try:
            before = _perform(needs)
        except Failure as failure:
            raise Failure(f"what it needs fails: {failure}") from failure
    try:
        found = function(before) if inspect.signature(function).parameters else function()
        for act in _AT_END:
            act()
    finally:
        _AT_END.clear()
    return found


def log(*_lines: Any, **_words: Any) -> None:
    """Do nothing: there is no log, and nowhere to put data."""


data = log


def exists(*paths: str) -> None:
    for path in paths:
        if not os.path.exists(path):
            raise Failure(f"there is no {path}")


def include(*paths: str) -> None:
    """Copy files of the problem into the folder in which the check runs."""
    for path in paths:
        name = os.path.normpath(path)
        chosen = [one for one in _FILES if name == "." or f"{one}/".startswith(f"{name}/")]
        if not chosen:
            raise FileNotFoundError(f"the problem has no file {path}")
        for one in chosen:
            content, mode = _FILES[one]
            target = Path(os.path.relpath(one, os.path.dirname(name) or "."))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(mode | 0o200)


def hash(file: str) -> str:  # noqa: A001
    exists(file)
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


class run:  # noqa: N801
    def __init__(self, command: str, env: dict[str, str] | None = None) -> None:
        ours, theirs = os.openpty()
        settings = termios.tcgetattr(theirs)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, settings)
        self.exitcode: int | None = None
        self.before, self._buffer, self._size = "", "", 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._terminal = ours
        self._process = subprocess.Popen(
            [shutil.which("bash") or "sh", "-c", command],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **(env or {})},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - no thread runs here
        )
        os.close(theirs)
        _RUNS.append(self)

    def stdin(self, line: Any, str_line: Any = None, prompt: bool = True, timeout: float = 3) -> "run":  # noqa: ARG002
        if prompt:
            try:
                self._expect(re.compile(".+", re.DOTALL), timeout)
            except (EOF, TimeoutError):
                raise Failure("the program asks for no input") from None
            with suppress(EOF, TimeoutError):
                for _ in range(int(timeout * 10)):
                    self._expect(re.compile(".+", re.DOTALL), 0.1)
        with suppress(OSError):
            os.write(self._terminal, _EOF_BYTE if line is EOF else f"{line}\n".encode())
        return self

    def stdout(
        self,
        output: Any = None,
        str_output: Any = None,
        regex: bool = True,
        timeout: float = 3,
        show_timeout: bool = False,  # noqa: ARG002
    ) -> Any:
        """Wait for a text, a pattern, a number or the end; without any, return all that comes."""
        if output is None:
            self._wait(timeout)
            return self.before.replace("\r\n", "\n").lstrip("\n")
        output = output.read() if hasattr(output, "read") else output
        told = str(output) if str_output is None else str_output
        if output is EOF:
            self._await_end(timeout)
            if self.before:
                raise Mismatch(EOF, self.before.replace("\r\n", "\n"))
            return self
        if isinstance(output, int | float):
            output, regex = decimal(output), True
        text = str(output).replace("\n", "\r\n")
        try:
            pattern = re.compile(text if regex else re.escape(text), re.DOTALL)
        except re.error:
            raise Failure("its pattern is none") from None
        try:
            self._expect(pattern, timeout)
        except EOF:
            raise Mismatch(told, self.before.replace("\r\n", "\n")) from None
        except TimeoutError:
            raise Missing(told, self.before) from None
        return self

    def reject(self, timeout: float = 1) -> "run":
        try:
            self._await_end(timeout)
        except Failure:
            return self
        self.kill()
        self._fail_after_crash()
        raise Failure("the program ended instead of asking again")

    def exit(self, code: int | None = None, timeout: float = 5) -> Any:
        self._wait(timeout)
        if code is None:
            return self.exitcode
        if self.exitcode != code:
            raise Failure(f"the program ended with status {self.exitcode} instead of {code}")
        return self

    def kill(self) -> "run":
        if self._terminal < 0:
            return self
        os.close(self._terminal)
        self._terminal = -1
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        self.exitcode = code if code >= 0 else None
        return self

    def _wait(self, timeout: float) -> None:
        self._await_end(timeout)
        self.kill()
        self._fail_after_crash()

    def _fail_after_crash(self) -> None:
        if self._process.returncode == -signal.SIGSEGV:
            raise Failure("the program crashed: segmentation fault")

    def _await_end(self, timeout: float) -> None:
        try:
            self._expect(None, timeout)
        except EOF:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_SECONDS_AT_END)
        except TimeoutError:
            raise Failure(f"the program did not end within {timeout:g} s") from None

    def _expect(self, pattern: re.Pattern[str] | None, timeout: float) -> None:
        """Read until a pattern is found; raises EOF at the end, and TimeoutError when the time is over."""
        until = time.monotonic() + timeout
        while True:
            if pattern and (match := pattern.search(self._buffer)):
                self.before, self._buffer = self._buffer[: match.start()], self._buffer[match.end() :]
                return
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._terminal], [], [], left)[0]:
                self.before = self._buffer
                raise TimeoutError
            try:
                piece = os.read(self._terminal, 65536)
            except OSError:
                piece = b""
            self._size += len(piece)
            if self._size > _MAX_BYTES:
                raise Failure("the program writes too much")
            if not piece:
                self.before, self._buffer = self._buffer, ""
                raise EOF
            try:
                self._buffer += self._decoder.decode(piece)
            except UnicodeDecodeError:
                raise Failure("the program writes something that is not UTF-8") from None


def decimal(number: float) -> str:
    """Return a pattern for a number that is not a part of a longer one."""
    before = r"(?<![\d\-])" if number >= 0 else ""
    return rf"{before}{re.escape(str(number))}(?!(\.?\d))"


def _compile_c(*files: str, exe_name: str | None = None, cc: str = "clang", **flags: Any) -> None:
    flags.pop("max_log_lines", None)
    cc = cc if shutil.which(cc) else "gcc"
    product = exe_name or (Path(files[0]).stem if files[0].endswith(".c") else None)
    chosen = {"std": "c11", "ggdb": True, "lm": True, **flags}
    words = [f"-{key}{'' if one is True else f'={one}'}".replace("_", "-") for key, one in chosen.items() if one]
    process = run(shlex.join([cc, *files, *(["-o", product] if product else []), *words]))
    process.stdout(timeout=30)
    if process.exitcode != 0:
        raise Failure("the program does not compile")


def _valgrind(command: str, env: dict[str, str] | None = None) -> run:
    """Start a program in valgrind; the check fails in the end where that found something."""
    place = tempfile.mkdtemp()
    _AT_END.append(lambda: _fail_for_memory(f"{place}/report.xml"))
    return run(f"valgrind --show-leak-kinds=all --xml=yes --xml-file={place}/report.xml -- {command}", env)


def _fail_for_memory(report: str) -> None:
    errors = ET.parse(report).iter("error")  # noqa: S314 - within the sandbox
    found = [str(error.findtext("what") or error.findtext("xwhat/text")) for error in errors]
    if found:
        raise Failure(f"valgrind found: {found[0]}")


def _import(path: str) -> types.ModuleType:
    """Load a module by its file, each time anew."""
    exists(path)
    try:
        module = types.ModuleType(Path(path).stem)
        module.__file__ = path
        exec(compile(Path(path).read_bytes(), path, "exec"), vars(module))  # noqa: S102 - within the sandbox
    except Exception as error:
        raise Failure(f"{type(error).__name__}: {error}") from error
    return module


def _compile_python(file: str) -> None:
    try:
        py_compile.compile(file, doraise=True)
    except py_compile.PyCompileError as error:
        raise Failure(f"{file} does not compile: {error.exc_type_name}") from error


def _module(name: str, **content: Any) -> types.ModuleType:
    """Make a module that can be imported as a part of this one."""
    module = types.ModuleType(name)
    vars(module).update(content)
    sys.modules[name] = module
    return module


c = _module("check50.c", compile=_compile_c, valgrind=_valgrind, CC="clang")
py, regex = _module("check50.py", compile=_compile_python, import_=_import), _module("check50.regex", decimal=decimal)
_module("pexpect", EOF=EOF)
