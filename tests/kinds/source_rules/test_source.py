from pathlib import Path

from grader.core.reader.files import needs, nodes_by_path
from grader.core.reader.spec import load
from grader.core.yaml.nodes import Scalar
from tests.support.rows import read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]


def test_every_case_and_key_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "draws.py").write_text("")
    path = tmp_path / "x.yaml"
    path.write_text(SPEC)
    spec = load(path)
    found = nodes_by_path(spec.source_text, "x.yaml")
    cases = {case.id: case.path for test in spec.tests for case in test.cases}
    assert cases == DATA["PLACES"]
    written = found["tests[1].cases[1].args[1]"]
    assert written == Scalar(text="b", plain=True, line=15, column=23, span=written.span)
    assert (found["tests[2]"].line, found["tests[2]"].column) == (17, 5)
    assert set(cases.values()) <= set(found)


def test_needs_are_told_of_specs_with_mistakes_too() -> None:
    assert needs(SPEC.replace("spec: 1", "spec: 2").encode(), "x")["mixed"] == {
        "one": "tests[3].needs[0]",
        "calls": "tests[3].needs[1]",
    }
    assert needs(b"tests: [{needs: a}, [b], {name: c, needs: [[d], e]}]", "x") == {"c": {"e": "tests[2].needs[1]"}}
