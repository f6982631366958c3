"""Each method that plain pytest or unittest runs is a case with the same verdict, however it comes to be there.

A wrong program, which passes a part of each suite, is enough for most; `make soak` has both, and both frameworks for
the suites that both can run.
"""

import functools
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.core.model.execution import Launch
from grader.core.pipeline import Course, prepare
from tests.support.courses import grade_files
from tests.support.packages import lay
from tests.support.rows import read_yaml

pytestmark = pytest.mark.slow
DATA: Mapping[str, Any] = read_yaml(Path(__file__).with_name("suites.yaml"))
RIGHT, HELPERS, SUITES = DATA["right"], DATA["helpers"], DATA["suites"]
WRONG = functools.reduce(lambda text, change: text.replace(*change), DATA["wrong"].items(), RIGHT)


def _plain(course: Course, framework: str, names: list[str], solution: str) -> dict[str, set[str]]:
    """Return suite and method -> the verdicts of its runs, as the framework alone has them."""
    files = {**HELPERS, "bank.py": solution, "run.py": DATA["unittest"]}
    files |= {f"test_{name}.py": SUITES[name]["test"] for name in names}
    if framework == "unittest":
        argv = ("python3", "run.py", *(f"test_{name}" for name in names))
    else:
        argv = ("python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=out.xml")
        argv += tuple(f"test_{name}.py" for name in names)
    contents = {name: text.encode() for name, text in files.items()}
    found = course.execute(Launch(argv=argv, files=contents, collect=("out.xml",)))
    verdicts: dict[str, set[str]] = {}
    if framework == "unittest":
        assert found.status == 0, found.stderr.decode()
        for key, several in json.loads(found.stdout).items():
            verdicts.setdefault(key, set()).update(several)
        return {key: several for key, several in verdicts.items() if ": setUpClass" not in key}
    for one in ET.fromstring(found.files["out.xml"]).iter("testcase"):  # noqa: S314 - our own run
        suite, _, owner = one.attrib["classname"].partition(".")
        name = f"{owner}." if owner else ""
        key = f"{suite}: {name}{one.attrib['name'].partition('[')[0]}"
        kinds = {child.tag for child in one} & {"failure", "error", "skipped"}
        verdicts.setdefault(key, set()).update(kinds or {"passed"})
    return verdicts


def _ours(course: Course, path: Path, solution: str) -> dict[str, dict[str, str]]:
    report = grade_files(path, path.parents[1] / "handed-in", {"bank.py": solution}, course)
    found: dict[str, dict[str, str]] = {"pytest": {}, "unittest": {}}
    for test, prepared in zip(report.tests, course.spec.tests, strict=True):
        suite, _, framework = test.name.rpartition("-")
        for case, asked in zip(test.cases, prepared.cases, strict=True):
            found[framework][f"test_{suite}: {asked.payload.method}"] = str(case.verdict)  # type: ignore[union-attr]
    return found


@pytest.mark.timeout(300)
@pytest.mark.parametrize("framework", ["pytest", "unittest"])
@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_each_method_has_the_verdict_of_its_framework(tmp_path: Path, framework: str, *, is_whole: bool) -> None:
    frameworks = {name: suite["frameworks"] for name, suite in SUITES.items()}
    names = [name for name, all_of in frameworks.items() if framework in (all_of if is_whole else all_of[-1:])]
    written = {f"tests/{name}": text for name, text in HELPERS.items()}
    written |= {f"tests/test_{name}.py": suite["test"] for name, suite in SUITES.items()}
    written["reference/bank.py"] = RIGHT
    written["specs/bank.yaml"] = DATA["head"] + "".join(
        DATA["test"] % (re.sub("_", "-", name), framework, framework, name) for name in names
    )
    lay(tmp_path, written)
    path = tmp_path / "specs/bank.yaml"
    course = prepare(path)
    differing, compared = [], 0
    for solution in (RIGHT, WRONG) if is_whole else (WRONG,):
        ours = _ours(course, path, solution)
        right, plain = (_plain(course, framework, names, text) for text in (RIGHT, solution))
        cases = {key for key, verdicts in right.items() if verdicts != {"skipped"}}
        got = {key.replace("-", "_"): verdict for key, verdict in ours[framework].items()}
        for key in sorted(cases | set(got)):
            compared += 1
            passes = not plain[key] & {"failure", "error", "failed"}
            if key not in cases or got.get(key, "ungraded") == "ungraded" or (got[key] == "passed") != passes:
                differing.append((framework, key, got.get(key), plain.get(key)))
    assert not differing, "\n".join(map(str, differing))
    assert compared >= 20
