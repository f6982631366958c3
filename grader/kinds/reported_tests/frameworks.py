"""The programs that run tests and come in a Debian package: for `grader doctor`, and for what a machine needs."""

from collections.abc import Iterator, Mapping

from grader.core.errors import HostError
from grader.core.kind import Requirement, RunnerShowing
from grader.core.model.execution import Launch
from grader.core.model.spec import Case
from grader.kinds.reported_tests.model import reported_test_of

RUNNERS: Mapping[str, str] = {
    "node": "nodejs",
    "bats": "bats",
    "busted": "lua-busted",
    "rspec": "ruby-rspec ruby-rspec-junit-formatter",
    "go": "golang-go",
    "cargo": "cargo",
    "ctest": "cmake",
}
"""a program that runs tests -> its Debian packages"""


def runner_packages(case: Case) -> tuple[str, ...]:
    """Return the Debian packages of the programs that the commands of a case start, as far as they are known."""
    test = reported_test_of(case)
    words = (words[0] for words in test.commands) if test else ()
    return tuple(package for word in words if word in RUNNERS for package in RUNNERS[word].split())


def find_runners(runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield which programs that run tests there are in the sandbox; they are all asked in one."""
    script = "; ".join(f"command -v {name} >/dev/null && echo {name}" for name in RUNNERS)
    found: set[str] = set()
    if runner_showing:
        try:
            found = set(runner_showing(())(Launch(argv=("sh", "-c", f"{script}; true"))).stdout.decode().split())
        except HostError as error:
            yield Requirement(name="test reports", state="missing", found=str(error))
            return
    absent = [name for name in RUNNERS if name not in found]
    there = ", ".join(name for name in RUNNERS if name in found)
    lacking = f"; not there: {', '.join(absent)}" if absent else ""
    yield Requirement(
        name="test reports",
        state="ok" if there else "missing",
        found=f"tests run by {there}{lacking}" if there else "none" if runner_showing else "not tried",
        remedy="" if there or not runner_showing else f"apt-get install {' '.join(RUNNERS[name] for name in absent)}",
    )
