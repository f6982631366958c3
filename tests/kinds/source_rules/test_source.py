from pathlib import Path

from grader.core.reader.files import needs, nodes_by_path
from grader.core.reader.spec import load
from grader.core.yaml.nodes import Scalar
from tests.support.rows import read_data

SPEC = read_data(__file__)["SPEC"]


def test_every_case_and_key_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "draws.py").write_text("")
    path = tmp_path / "x.yaml"
    path.write_text(SPEC)
    spec = load(path)
    found = nodes_by_path(spec.source_text, "x.yaml")
    cases = {case.id: case.path for test in spec.tests for case in test.cases}
    assert cases == {
        "one": "tests[0]",
        "each[n=1][1]": "tests[1].cases[0]",
        "each[n=1][2]": "tests[1].cases[1]",
        "each[n=2][1]": "tests[1].cases[0]",
        "each[n=2][2]": "tests[1].cases[1]",
        "calls[1]": "tests[2].functions.calls[0]",
        "calls[2]": "tests[2].functions.calls[1]",
        "calls[3]": "tests[2].functions.calls[1]",
        "calls[4]": "tests[2].functions.calls[2]",
        "mixed[1][1]": "tests[3].functions.calls[0]",
        "mixed[2][1]": "tests[3].cases[1].functions.calls[0]",
    }
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
