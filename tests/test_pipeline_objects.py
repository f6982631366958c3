"""Objects from the spec to the report: constructors, methods in order, exceptions, values of all kinds."""

from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, ReportedCase
from grader.core.pipeline import Course, grade, prepare

SPEC = """\
spec: 1
id: bank
title: A bank account
language: python
files: {required: [bank.py]}
program: python3 bank.py
reference: python3 reference/bank.py
limits: {time: 1 s}
tests:
  - name: account
    functions:
      in: bank
      new: BankAccount(owner, initial=0)
      declare:
        - def deposit(self, amount)
        - def withdraw(self, amount)
        - def balance(self)
        - def transfer(self, to, amount)
        - def history(self)
        - def owners(self)
      calls:
        - new: ["Ann", 10]
          steps:
            - deposit: [5]
            - balance: []
              expect: {returns: 15}
            - withdraw: [100]
              expect: {raises: {type: ValueError, message: "only 15 there"}}
            - transfer: [{new: [Ben]}, 5.5]
              expect: {returns: {text: "Ben: 5.5"}}
            - balance: []
              expect: {returns: reference}
            - history: []
              expect: {returns: {map: {"in": [5], out: [5.5]}}}
            - owners: []
              expect: {returns: {set: [Ann, null]}}
          expect: {stdout: reference}
        - new: [""]
          expect: {raises: {message: {contains: owner}}}
"""
BANK = """\
class BankAccount:
    def __init__(self, owner, initial=0):
        if not owner:
            raise ValueError("an owner has a name")
        self.owner = owner
        self.money = initial
        self.moved = {"out": [], "in": []}

    def deposit(self, amount):
        self.money += amount
        self.moved["in"].append(amount)

    def withdraw(self, amount):
        if amount > self.money:
            raise ValueError(f"only {self.money} there")
        self.money -= amount
        self.moved["out"].append(amount)

    def balance(self):
        print("balance", self.money)
        return self.money

    def transfer(self, to, amount):
        self.withdraw(amount)
        to.deposit(amount)
        return to

    def history(self):
        return self.moved

    def owners(self):
        return {self.owner, None}

    def __str__(self):
        return f"{self.owner}: {self.money}"
"""
HOSTILE = """\
import os, sys
class Evil(type(Exception)):
    pass
class Liar:
    __class__ = property(lambda self: dict)
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __str__(self): sys.exit(0)
"""
CHANGED: dict[str, tuple[str, str, str]] = {
    "wrong": ("self.money += amount", "self.money = amount", "The first `balance` returned 5; 15 is expected."),
    "later": ("self.money -= amount", "self.money -= 1", "The second `balance` returned 14; 9.5 is expected."),
    "message": (
        "only {",
        "just {",
        "Line 1 of the message of the exception of `withdraw` is `just 15 there`, expected `only 15 there`.",
    ),
    "no-exception": (
        "raise ValueError(f",
        "return (f",
        "`withdraw(100)` returned `'only 15 there'`; `ValueError` is expected.",
    ),
    "other-exception": (
        "raise ValueError(f",
        "raise KeyError(f",
        "`withdraw(100)` ended with `KeyError` at bank.py:23: `'only 15 there'`; `ValueError` is expected.",
    ),
    "crash": ("return self.money", "return self.cash", "The first `balance` ended with `AttributeError`"),
    "text": ("{self.owner}: ", "{self.owner} ", "Line 1 of what `transfer` returned is `Ben 5.5`, expected `Ben: 5.5`"),
    "no-text": ("def __str__", "def shown", "`transfer` returned something of the type `BankAccount`"),
    "map": (
        '{"out": [],',
        '{"OUT": [], "out": [],',
        "`history` returned a map with the key `'OUT'`; one without it is expected.",
    ),
    "in-map": (
        '["out"].append(amount)',
        '["out"].append(2)',
        """`history` returned a map in which `["out"][0]` is 2; 5.5 is expected.""",
    ),
    "set": ("{self.owner, None}", "{self.owner, 1}", "`owners` returned a set without None; one with it is expected"),
    "printed": ('"balance", self', '"Balance", self', "Letter case differs: line 1 of standard output"),
    "missing": (
        "def history",
        "def histories",
        "`bank` has no `history`, but `def histories(self)`; the assignment asks for",
    ),
    "signature": (
        "def withdraw(self, amount)",
        "def withdraw(self)",
        "`bank` has `def withdraw(self)`; the assignment asks for `def withdraw(self, amount)`.",
    ),
    "constructor": (
        "owner, initial=0)",
        "owner)",
        "`bank` has `class BankAccount(owner)`; the assignment asks for `class BankAccount(owner, initial=0)`.",
    ),
    "no-class": ("class BankAccount", "class Account", "no `BankAccount`, but `class Account(owner, initial=...)`;"),
    "loop": ("return self.moved", "while True: pass", "It was running `history`."),
    "raises-in-constructor": ("self.owner = owner", "self.owner = own", "`BankAccount` ended with `NameError`"),
    "liar": ("return to", "return Liar()", "`transfer` returned something of the type `Liar`"),
    "exit": ("return self.moved", "import os; os._exit(0)", "`history` ended the whole program, with status 0."),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder = tmp_path_factory.mktemp("bank")
    (folder / "reference").mkdir()
    (folder / "reference" / "bank.py").write_text(BANK.replace("def balance", "def Balance"))
    (folder / "bank.yaml").write_text(SPEC)
    return prepare(folder / "bank.yaml", sandbox="full")


def cases(course: Course, source: str, folder: Path) -> tuple[ReportedCase, ...]:
    (folder / "bank.py").write_text(HOSTILE + source)
    job = Job(spec=course.spec.root / "bank.yaml", submission=Submission(id="x", path=folder), sandbox="full")
    (test,) = grade(job, course).tests
    return test.cases


def test_objects_that_are_right(course: Course, tmp_path: Path) -> None:
    first, second = cases(course, BANK, tmp_path)
    assert (first.message, second.message) == ("", "")
    assert first.command.startswith(
        "a = BankAccount('Ann', 10); a.deposit(5); a.balance(); a.withdraw(100); a.transfer("
    )
    assert second.command == "BankAccount('')"


@pytest.mark.parametrize("name", CHANGED)
def test_objects_that_are_not(name: str, course: Course, tmp_path: Path) -> None:
    old, new, message = CHANGED[name]
    assert old in BANK
    first, _ = cases(course, BANK.replace(old, new), tmp_path)
    assert message in first.message.replace("\n", " ")
