from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from grader.core.build import layout
from grader.core.build.layout import covering, matches
from grader.core.build.tree import FileTree, TreeFile
from grader.core.model.layout import FileRules, Finding, RequiredFile, Staged
from tests.support.required import required
from tests.support.rows import each_row

RULES = FileRules(required=required("Makefile", "Queens.java"), discard=("Queens", "*.class", "build/lib"))


def tree(*names: str, **contents: bytes) -> FileTree:
    """A tree of files, and of folders where a name ends with a slash."""
    files = {name: TreeFile(content=name.encode()) for name in names if not name.endswith("/")}
    files |= {name: TreeFile(content=content) for name, content in contents.items()}
    folders = {name.rstrip("/") for name in names if name.endswith("/")}
    for name in (*names, *folders):
        parts = name.rstrip("/").split("/")
        folders |= {"/".join(parts[:count]) for count in range(1, len(parts))}
    return FileTree(files=files, folders=frozenset(folders))


class Layout(NamedTuple):
    tree: FileTree
    findings: tuple[Finding, ...] = ()
    problem: str | None = None
    missing: tuple[RequiredFile, ...] = ()


def arrange(given: FileTree, rules: FileRules) -> Layout:
    arranged, staged = layout.arrange(given, rules, Staged(folder=Path(), digest=""))
    return Layout(arranged, staged.findings, staged.problem, staged.missing)


def findings(arranged: Layout) -> list[tuple[str, str]]:
    return [(finding.kind, finding.message) for finding in arranged.findings]


def test_a_right_submission_is_left_alone() -> None:
    given = tree("Makefile", "Queens.java", "notes/README", "empty/")
    assert arrange(given, RULES) == Layout(given)


@each_row
def test_problems(names: list[str], problem: str) -> None:
    assert arrange(tree(*names), RULES).problem == problem


def test_an_old_version_in_a_folder_never_takes_the_place_of_the_work() -> None:
    arranged = arrange(tree("Queens.java", "old/Makefile", "old/Queens.java"), RULES)
    assert arranged.problem == "Makefile is missing, but there is old/Makefile"
    assert "Queens.java" in arranged.tree.files


def test_a_name_in_another_case_stays_when_something_relies_on_it() -> None:
    given = tree(**{"Makefile": b"all:\n\tjavac queens.java\n", "queens.java": b"// queens.java\nclass queens {}"})
    assert sorted(arrange(given, RULES).tree.files) == ["Makefile", "Queens.java", "queens.java"]
    given = tree(**{"Makefile": b"all:\n\tjavac *.java\n", "queens.java": b"// queens.java\nclass Queens {}"})
    assert sorted(arrange(given, RULES).tree.files) == ["Makefile", "Queens.java"]


def test_a_folder_in_another_case() -> None:
    arranged = arrange(tree("SRC/a.py", "b"), FileRules(required=required("src/A.py")))
    assert "src/A.py" in arranged.tree.files
    assert "src" in arranged.tree.folders
    assert arranged.problem is None


def test_a_file_where_a_folder_should_be_is_no_accident_of_ours() -> None:
    arranged = arrange(tree("SRC/a.py", "src"), FileRules(required=required("src/A.py")))
    assert arranged.problem is not None
    assert "src/A.py" not in arranged.tree.files


def test_required_files_are_never_discarded_nor_taken_for_copies() -> None:
    rules = FileRules(required=required("Queens (1).java", "*.bak"), discard=("Queens*",))
    arranged = arrange(tree("Queens (1).java", "only.bak", "Queens.class"), rules)
    assert sorted(arranged.tree.files) == ["Queens (1).java", "only.bak"]
    assert arranged.problem is None


def test_optional_files_are_no_copies() -> None:
    arranged = arrange(tree("a", "data", "data.orig"), FileRules(optional=("data.orig",)))
    assert sorted(arranged.tree.files) == ["a", "data", "data.orig"]


MADE = FileRules(required=required("main.c", "*.py"), optional=("lib/*", "tool", "*"), forbidden=("*.exe",))


@each_row
def test_what_the_build_makes_is_never_taken(
    made: tuple[str, ...] | None,
    name: str,
    content: bytes,
    is_dropped: bool,  # noqa: FBT001 - a column of the table
) -> None:
    given = tree("main.c", "a.py", "A.java", "x.h", **{name: content})
    arranged = arrange(given, msgspec.structs.replace(MADE, made=made))
    told = [(layout.DISCARDED, f"handed-in build products were removed before the build: {name}")]
    assert (name not in arranged.tree.files, findings(arranged)) == (is_dropped, told if is_dropped else [])
    assert {"main.c", "a.py", "A.java", "x.h"} <= arranged.tree.files.keys()


@pytest.mark.parametrize(("name", "is_dropped"), [("run", True), ("run.sh", False), ("a.txt", True)])
def test_a_script_among_whatever_is_made_is_a_product_where_rules_look_at_the_source(
    name: str,
    is_dropped: bool,  # noqa: FBT001 - a column of the table
) -> None:
    rules = FileRules(made=("*",), is_inspected=True)
    arranged = arrange(tree("main.c", **{name: b"#!/bin/sh\n"}), rules)
    assert (name not in arranged.tree.files) is is_dropped


def test_required_folders_stay_where_they_are() -> None:
    arranged = arrange(tree("src/Main.java"), FileRules(required=required("src/*.java")))
    assert list(arranged.tree.files) == ["src/Main.java"]
    assert arranged.findings == ()


def test_optional_files_in_folders_tell_where_the_work_begins() -> None:
    for given in ("src/main.py", "ann/src/main.py", "ann/hw1/src/main.py"):
        assert list(arrange(tree(given), FileRules(optional=("src/*", "lib/*"))).tree.files) == ["src/main.py"]
    assert list(arrange(tree("ann/main.py"), FileRules(optional=("src/*", "main.py"))).tree.files) == ["main.py"]


def test_forbidden_files_are_a_problem() -> None:
    arranged = arrange(tree("a.py", "lib/evil.so"), FileRules(required=required("a.py"), forbidden=("*.so",)))
    assert arranged.problem == "the submission has files that are not allowed: lib/evil.so"


def test_three_missing_files_read_as_a_sentence() -> None:
    assert arrange(tree("x"), FileRules(required=required("a", "b", "c"))).problem == "a, b and c are missing"


@each_row
def test_matches(name: str, pattern: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    assert matches(name, pattern) is expected


def test_covering_names_the_folder_that_matched() -> None:
    assert covering("a/target/classes/A.class", ("target", "*.class")) == "a/target"
    assert covering("a/b", ("c",)) is None


def test_long_lists_are_cut() -> None:
    many = FileTree(files=tree("Makefile", "Queens.java").files, left_out=tuple(str(number) for number in range(8)))
    (finding,) = arrange(many, RULES).findings
    assert finding.message == "links, pipes, sockets and devices were left out: 0, 1, 2, 3, 4 and 3 more"


@each_row
def test_puts_right_and_tells(
    rules: FileRules, names: list[str], left: list[str], expected: list[tuple[str, str]]
) -> None:
    arranged = arrange(tree(*names), rules)
    assert sorted(arranged.tree.files) == left
    assert findings(arranged) == expected
    assert arranged.problem is None


@each_row
def test_a_folder_makes_up_for_no_missing_file(rules: FileRules, names: list[str], problem: str) -> None:
    assert arrange(tree(*names), rules).problem == problem
