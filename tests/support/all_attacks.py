"""`make attacks`: every class of attackers at both levels, as root and as a plain user.

Root runs all of it and then, as `nobody` with a readable copy of the checkout, once more; a plain user runs its own
part. A line says for each class, as it ends, whether it held, what did not, and what was not run and why; the last line
counts them. The exit code is 0 when all was held, 1 when something was not, 2 for a wrong usage.
"""

import argparse
import json
import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.support.attack_room import an_attack_room
from tests.support.attackers import (
    LEVELS,
    ROOT,
    AttackClass,
    GradedClass,
    attack_classes,
    changes,
    faults,
    grade_classes,
    promises,
)
from tests.support.busy import busy_machine

PLAIN_USER = "nobody"
_REFUSED = "which only root can"
"""of the message with which a plain user is refused level `container`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one class at one level, or of what surrounds them all."""

    user: str
    level: str
    name: str
    submissions: int = 0
    seconds: float = 0
    not_held: tuple[str, ...] = ()
    not_run: str = ""
    """why it was not run; empty if it was"""
    is_missing: bool = False
    """whether it had to run, and could not"""

    def text(self) -> str:
        """Return its line of the summary."""
        where = f"{self.user}, {self.level}, {self.name}"
        if self.not_run:
            return f"{where}: not run: {self.not_run}"
        if self.not_held:
            return "\n    ".join([f"{where}: NOT HELD, {self.seconds:.0f} s", *self.not_held])
        return f"{where}: held, {self.submissions} submissions, {self.seconds:.0f} s"


def run_level(classes: Sequence[AttackClass], level: str) -> Iterator[Outcome]:
    """Grade the classes at a level as whoever we are."""
    user = pwd.getpwuid(os.geteuid()).pw_name
    for each in classes:
        if level in each.levels and each.missing():
            yield Outcome(
                user=user,
                level=level,
                name=each.name,
                not_run=f"needs {', '.join(each.missing())}",
                is_missing=not each.may_skip(),
            )
    names = [each.name for each in classes if level in each.levels and not each.missing()]
    with an_attack_room(names) as room:
        before = room.state()
        for name, _, done in grade_classes(room, [(name, level) for name in names]):
            if isinstance(done, GradedClass):
                yield Outcome(
                    user=user,
                    level=level,
                    name=name,
                    submissions=len(promises(name)),
                    seconds=done.seconds,
                    not_held=tuple(faults(done)),
                )
            elif _REFUSED in done:
                yield Outcome(user=user, level=level, name=name, not_run=f"level {level} is refused to a plain user")
            else:
                yield Outcome(user=user, level=level, name=name, not_held=(done,))
        found = tuple(changes(before, room.state()))
    yield Outcome(user=user, level=level, name="what is around them", not_held=found)


def run_as_plain_user(names: Sequence[str], levels: Sequence[str]) -> Iterator[Outcome]:
    """Run the same as a plain user, with a copy of the checkout that it may read."""
    python = readable_python()
    if python is None:
        why = f"no Python {sys.version_info[0]}.{sys.version_info[1]} in /usr/bin for a plain user"
        yield Outcome(user=PLAIN_USER, level="both", name="all", not_run=why, is_missing=True)
        return
    user = pwd.getpwnam(PLAIN_USER)
    with readable_checkout() as (checkout, packages):
        command = [python, "-P", "-m", "tests.support.all_attacks", "--as-is", "--json", *names]
        for level in levels:
            command += ["--level", level]
        environment = {
            **{name: os.environ[name] for name in ("CI", "PATH", "LANG") if name in os.environ},
            "PYTHONPATH": os.pathsep.join([str(checkout), str(packages)]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": "/nonexistent",
        }
        with subprocess.Popen(
            command,
            cwd=checkout,
            env=environment,
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdout
            for line in process.stdout:
                found = json.loads(line)
                yield Outcome(**{**found, "not_held": tuple(found["not_held"])})
    if process.returncode not in (0, 1):
        failed = f"ended with {process.returncode} before all was run"
        yield Outcome(user=PLAIN_USER, level="both", name="all", not_held=(failed,))


def readable_python() -> str | None:
    """Return an interpreter that everybody may run and that takes our packages; None if there is none."""
    path = shutil.which(f"python{sys.version_info[0]}.{sys.version_info[1]}", path="/usr/local/bin:/usr/bin")
    return path if path and not os.path.realpath(path).startswith("/root/") else None


@contextmanager
def readable_checkout() -> Iterator[tuple[Path, Path]]:
    """Copy the checkout and the installed packages to where everybody may read them."""
    with tempfile.TemporaryDirectory(prefix="grader-attacks-", dir="/var/tmp") as name:
        checkout, packages = Path(name) / "checkout", Path(name) / "packages"
        Path(name).chmod(0o755)
        # At the top alone: a start-up file that an attacker hands in has such a name as well.
        tools = [path.name for path in ROOT.iterdir() if path.name.startswith(".") or path.name in ("site", "reports")]
        shutil.copytree(
            ROOT,
            checkout,
            ignore=lambda folder, names: tools if Path(folder) == ROOT else {"__pycache__"} & {*names},
            symlinks=True,
        )
        shutil.copytree(sysconfig.get_path("purelib"), packages, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run(["/usr/bin/chmod", "-R", "a+rX", name], check=True)
        yield checkout, packages


def summarize(outcomes: Sequence[Outcome]) -> str:
    """Count what came of everything."""
    held = [outcome for outcome in outcomes if not outcome.not_run and not outcome.not_held]
    lost, skipped = sum(map(is_lost, outcomes)), sum(outcome.not_run != "" for outcome in outcomes)
    total = sum(outcome.submissions for outcome in held)
    return f"Held: {len(held)}, with {total} submissions. Not held: {lost}. Not run: {skipped}."


def is_lost(outcome: Outcome) -> bool:
    """Whether something was not held, or had to be run and could not."""
    return bool(outcome.not_held) or outcome.is_missing


def run_all(classes: Sequence[AttackClass], options: argparse.Namespace) -> Iterator[Outcome]:
    """Run the classes at the levels and as the users that are asked for."""
    levels = options.level or LEVELS
    for level in levels:
        yield from run_level(classes, level)
    if os.geteuid() == 0 and not options.as_is:
        yield from run_as_plain_user(options.names, levels)


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="classes; without one all")
    parser.add_argument("--level", action="append", choices=LEVELS, help="a level; without one both")
    parser.add_argument("--busy", action="store_true", help="on a machine that much else keeps busy")
    parser.add_argument("--as-is", action="store_true", help="as this user alone")
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON")
    options = parser.parse_args()
    classes = attack_classes()
    if unknown := set(options.names) - {each.name for each in classes}:
        parser.error(f"there is no class {', '.join(sorted(unknown))}")
    chosen = [each for each in classes if not options.names or each.name in options.names]
    outcomes = []
    with busy_machine() if options.busy else nullcontext():
        for outcome in run_all(chosen, options):
            sys.stdout.write(f"{json.dumps(asdict(outcome)) if options.json else outcome.text()}\n")
            sys.stdout.flush()
            outcomes.append(outcome)
    if not options.json:
        sys.stdout.write(f"\n{summarize(outcomes)}\n")
    return 1 if any(map(is_lost, outcomes)) else 0


if __name__ == "__main__":
    sys.exit(main())
