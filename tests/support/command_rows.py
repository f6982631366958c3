"""Commands at a small course, as rows: what is laid out, what is called in order, and what each command says."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess

import msgspec

from tests.support.courses import ECHO, SPEC, course, submission
from tests.support.packages import lay


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command, and what it says: texts in the order in which they stand."""

    call: str
    code: int | None = None
    out: Sequence[str] = ()
    err: Sequence[str] = ()
    lacks: Sequence[str] = ()  # what stands in neither
    whole: Sequence[str] = ()  # `out` or `err`, where nothing else stands
    silent: Sequence[str] = ()  # those where nothing stands


class AtCourse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The course of `tests.support.courses` with changes, and commands in its folder."""

    commands: Sequence[Command]
    spec: Mapping[str, str] = {}  # a text of it -> what stands there instead
    reference: str = ECHO
    submissions: Mapping[str, str | None] = {}  # name -> program; null: the right one
    files: Mapping[str, str] = {}
    written: Mapping[str, Sequence[str]] = {}  # path -> what stands there afterwards
    folders: Mapping[str, set[str]] = {}  # path -> the names in it
    absent: Sequence[str] = ()


def check_commands(given: AtCourse, folder: Path, call: Callable[..., CompletedProcess[str]]) -> None:
    """Lay out what is given, call the commands and compare what they did with what is stated."""
    spec = SPEC
    for old, new in given.spec.items():
        assert old in spec, old
        spec = spec.replace(old, new)
    course(folder, spec, given.reference)
    for name, program in given.submissions.items():
        submission(folder, name, ECHO if program is None else program)
    lay(folder, given.files)
    for command in given.commands:
        done = call(*shlex.split(command.call))
        streams = {"out": done.stdout, "err": done.stderr}
        assert command.code in {None, done.returncode}, (command.call, streams)
        for name, texts in (("out", command.out), ("err", command.err)):
            rest = streams[name]
            for text in texts:
                assert text in rest, (command.call, text, streams)
                rest = rest.partition(text)[2]
            assert name not in command.whole or streams[name] == "".join(texts), (command.call, streams)
        assert [text for text in command.lacks if text in done.stdout + done.stderr] == []
        assert [name for name in command.silent if streams[name]] == [], streams
    for path, texts in given.written.items():
        assert [text for text in texts if text not in (folder / path).read_text()] == []
    for path, names in given.folders.items():
        assert {one.name for one in (folder / path).iterdir()} == names
    assert [path for path in given.absent if (folder / path).exists()] == []
