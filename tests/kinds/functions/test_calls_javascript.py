"""The JavaScript probe in the sandbox: functions and classes at the top of a file, exported or not."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.model.values import MapValue, PlainValue, SetValue
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.core.run.runner import command_text
from grader.kinds.functions.model import write_value
from tests.support.languages import is_here

pytestmark = pytest.mark.skipif(not is_here("javascript"), reason="node is not on this machine")

SPEC = """\
spec: 1
id: bank
title: Bank
language: javascript
files: {required: [bank.js]}
program: node bank.js
tests:
  - name: mean
    functions:
      in: bank
      declare: function mean(values)
      calls:
        - {args: [[1, 2, 6]], expect: {returns: 3, args: {0: [1, 2, 6]}}}
        - {args: [[]], expect: {raises: RangeError}}
  - name: counted
    functions:
      in: bank
      declare: counted(words, known)
      calls:
        - {args: [[a, b, a], {map: {b: 5}}], expect: {returns: {map: {a: 2, b: 6}}, stdout: "3\\n"}}
  - name: account
    functions:
      in: bank
      new: Account(owner)
      declare: [deposit(amount), balance()]
      calls:
        - new: [Ann]
          steps:
            - {deposit: [5], expect: {returns: null}}
            - {deposit: [-1], expect: {raises: Refused}}
            - {balance: [], expect: {returns: 5}}
  - name: toString
    functions: {in: bank, declare: toString(value), calls: [{args: [5], expect: {returns: "<5>"}}]}
  - name: valueOf
    functions:
      in: bank
      declare: valueOf(text)
      before: [{declare: toString(value), args: [5]}]
      calls: [{args: ["<5>"], expect: {returns: 5}}]
"""
BODY = """\
{e}class Refused extends Error {{}}
{e}class Account {{
  #sum = 0;
  constructor(owner) {{ this.owner = owner; }}
  deposit(amount) {{
    if (amount < 0) throw new Refused("no");
    this.#sum += amount;
  }}
  balance() {{ return this.#sum; }}
}}
{e}const mean = (values) => {{
  if (values.length === 0) throw new RangeError("nothing");
  return values.reduce((a, b) => a + b, 0) / values.length;
}};
{e}async function counted(words, known = {{}}) {{
  const found = new Map(Object.entries(known));
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  console.log(words.length);
  return found;
}}
{e}function toString(value) {{ return `<${{value}}>`; }}
{e}const valueOf = (text) => Number(text.slice(1, -1));
"""
WORKS = {
    "script": BODY.format(e="") + "if (require.main === module) process.exit(1);\n",
    "module": BODY.format(e="export "),
    "exits": BODY.format(e="") + "process.exit(3);\n",
    "wrong": "function mean(values) {\n  return values.x.y;\n}\nconst counted = () => 2n ** 70n;\nclass Acount {}\n",
    # Beginners forget to return what they have computed: that is no null, and they wrote none.
    "undefined": BODY.format(e="").replace("return values", "values").replace("return this.#sum", "this.#sum"),
    "counted undefined": BODY.format(e="").replace("?? 0) + 1", "?? 0) + 1), found.set('b', undefined"),
    "broken": "const mean = (;\n",
    "keeping": BODY.format(e="").replace(
        "=> Number(text.slice(1, -1));", "=> { try { for (;;) open(); } catch { return 5; } };"
    )
    + 'const open = () => require("fs").openSync("bank.js", "r");',  # all that it may
    "forging": "JSON.stringify = () => '{}';\nconst mean = (require('fs').writeSync = () => process.reallyExit(0));\n",
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Grade each of the works once; return its cases by id."""
    root = tmp_path_factory.mktemp("course")
    (root / "specs").mkdir()
    (root / "specs/bank.yaml").write_text(SPEC)
    course = prepare(root / "specs/bank.yaml")
    found = {}
    for name, text in WORKS.items():
        (root / name).mkdir()
        (root / name / "bank.js").write_text(text)
        job = Job(spec=root / "specs/bank.yaml", submission=Submission(id=name, path=root / name))
        found[name] = {case.id: case for test in grade(job, course).tests for case in test.cases}
    shutil.rmtree(root)
    return found


@pytest.mark.parametrize("name", ["script", "module", "exits", "keeping"])
def test_what_is_defined_at_the_top_is_called(name: str, cases: Any) -> None:
    assert {case: (str(one.verdict), one.message) for case, one in cases[name].items() if one.credit != 1} == {}


@pytest.mark.parametrize(
    ("name", "case", "message"),
    [
        ("wrong", "mean[1]", "Cannot read properties of undefined (reading 'y')` in line 2 of `bank.js`"),
        ("wrong", "mean[2]", "`RangeError` is expected"),
        ("wrong", "counted", '`counted(["a", "b", "a"], {"b": 5})` returned 1,180,591,620,717,411,303,424'),
        ("wrong", "account", "has no `Account`, but `class Acount()`"),
        ("undefined", "mean[1]", "`mean([1, 2, 6])` returned undefined; 3 is expected."),
        ("undefined", "account", "`balance` returned undefined; 5 is expected."),
        (
            "counted undefined",
            "counted",
            '`counted(["a", "b", "a"], {"b": 5})` returned a map in which `["b"]` is undefined; 6 is expected.',
        ),
        ("wrong", "valueOf", "`bank` has no `valueOf`"),
        ("broken", "mean[1]", "SyntaxError"),
    ],
)
def test_what_is_wrong_is_told(name: str, case: str, message: str, cases: Any) -> None:
    found = next(one for key, one in cases[name].items() if key.startswith(case))
    assert message.replace(",", "") in found.message.replace(",", "")


def test_whoever_replaces_what_the_probe_uses_gets_nothing_for_it(cases: Any) -> None:
    assert {one.credit for one in cases["forging"].values()} == {0}
    assert "ungraded" not in {str(one.verdict) for one in cases["forging"].values()}


def test_calls_are_written_as_in_javascript(tmp_path: Path) -> None:
    (tmp_path / "bank.yaml").write_text(SPEC)
    spec = load(tmp_path / "bank.yaml")
    assert [command_text(case, spec) for test in spec.tests for case in test.cases][2:] == [
        'counted(["a", "b", "a"], {"b": 5})',
        'a = new Account("Ann"); a.deposit(5); a.deposit(-1); a.balance()',
        "toString(5)",
        'toString(5); valueOf("<5>")',
    ]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (SetValue(items=(2, 1)), "new Set([2, 1])"),
        (SetValue(items=()), "new Set([])"),
        (MapValue(items=((1, "a"), ("x", (None, True)))), 'new Map([[1, "a"], ["x", [null, true]]])'),
        ((MapValue(items=(("x", SetValue(items=(3,))),)),), '[{"x": new Set([3])}]'),
    ],
)
def test_sets_and_maps_are_written_so_that_javascript_makes_them(value: PlainValue, written: str) -> None:
    assert write_value(value, "", "javascript") == written
