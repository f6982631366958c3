"""A validator that cannot be compiled is told before anybody is graded. `scenarios/checks/` has what validators say."""

from pathlib import Path

from grader.check.runner import asking, examine
from tests.support.courses import SPEC, course


def test_what_cannot_be_compiled_is_told_before_anybody_is_graded(tmp_path: Path) -> None:
    tests = "tests:\n  - name: c\n    expect: {stdout: {check: {validator: reference/number.c}}}\n"
    path = course(tmp_path, SPEC[: SPEC.index("tests:")] + tests)
    (tmp_path / "reference" / "number.c").write_text("int main(void) { return x; }\n")
    remarks = [str(remark) for remark in examine(path, asking("auto", 1)).remarks]
    assert any("reference/number.c of the course cannot be built: " in one for one in remarks)
