"""What a case asks of a style tool, and the tools of installed packages among those of a spec."""

from pathlib import Path

from msgspec.structs import replace

from grader.core.model.spec import Case, Spec, Test
from grader.core.reader.spec import load
from grader.core.run.runner import command_text
from grader.kinds.style.model import STYLE_TOOLS, StyleCheck
from tests.support.functions import function
from tests.support.rows import read_data

SPEC = read_data(__file__)["SPEC"]


def spec_of(folder: Path) -> Spec:
    (folder / "x.yaml").write_text(SPEC)
    return load(folder / "x.yaml")


def check_in(spec: Spec) -> StyleCheck:
    check = StyleCheck.of(spec.tests[0].cases[0])
    assert check
    return check


def test_a_case_of_another_kind_asks_no_tool(tmp_path: Path) -> None:
    spec = spec_of(tmp_path)
    assert check_in(spec).tool == STYLE_TOOLS["pycodestyle"]
    assert command_text(spec.tests[0].cases[0], spec) == check_in(spec).text
    assert "pycodestyle" in check_in(spec).text
    for case in (spec.tests[1].cases[0], Case(id="a", kind="functions", payload=function("def f(b)", 1))):
        assert StyleCheck.of(case) is None


def test_only_a_tool_of_a_package_is_named_as_such(tmp_path: Path) -> None:
    spec = spec_of(tmp_path)
    assert spec.packaged == []
    tool = replace(check_in(spec).tool, package="grader-lint 1.0")

    def with_package(test: Test) -> Test:
        cases = [
            replace(case, payload=replace(check, tool=tool)) for case in test.cases if (check := StyleCheck.of(case))
        ]
        return replace(test, cases=tuple(cases) or test.cases)

    assert replace(spec, tests=tuple(map(with_package, spec.tests))).packaged == [tool]
