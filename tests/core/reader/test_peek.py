"""What is read of a spec before it is chosen: whether it brings code of its author."""

from pathlib import Path

import pytest

from grader.core.reader.peek import brings_code

SPEC = "spec: 1\nid: x\ntitle: T\nprogram: ./x\n"
PLAIN = 'tests: [{name: t, args: [a], expect: {stdout: "check\\n", exit: 0}}]\n'
CODE = {
    "reference": f"reference: python3 r.py\n{PLAIN}",
    "references": f"references: {{x: r.c}}\n{PLAIN}",
    "check": 'tests: [{name: t, expect: {stdout: {check: "checks\\x2epy:ours"}}}]\n',
    "validator": "tests: [{name: t, expect: {stdout: {validator: v.py}}}]\n",
    "validator of a file": "tests: [{name: t, expect: {files: {a.txt: {validator: v.py}}}}]\n",
    "interactor": "tests: [{name: t, interactor: i.py}]\n",
    "interactor of a case": "tests: [{name: t, cases: [{interactor: {program: i.py}}]}]\n",
    "scoring": "tests: [{name: t, scoring: {program: s.py, max: 10}, cases: [{args: [a]}]}]\n",
    "drawn arguments": "tests: [{name: t, args: {generate: m.py}, expect: {exit: 0}}]\n",
    "drawn values": 'tests: [{name: t, functions: {calls: [{call: f, generate: "m.py:g"}]}}]\n',
    "a function of the course in a text": 'tests: [{name: t, expect: {stdout: {any: [{check: "c.py:f"}]}}}]\n',
    "a key that is in no table": "tests: [{name: t, new: checks.py:f}]\n",
    "no YAML": "tests: [\n",
}


@pytest.mark.parametrize("name", CODE)
def test_whatever_brings_code_is_found(name: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(SPEC + CODE[name])
    assert brings_code(tmp_path / "x.yaml")


@pytest.mark.parametrize("tests", [PLAIN, "tests: [{name: t, args: [{random: 1..9}], expect: {exit: 0}}]\n"])
def test_what_is_compared_alone_brings_none(tests: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(SPEC + tests)
    assert not brings_code(tmp_path / "x.yaml")
