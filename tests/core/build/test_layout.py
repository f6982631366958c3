import msgspec
import pytest

from grader.core.build import layout
from grader.core.build.layout import Layout, arrange, covering, matches
from grader.core.build.tree import FileTree, TreeFile
from grader.core.model.layout import FileRules
from tests.support.required import required

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


def findings(arranged: Layout) -> list[tuple[str, str]]:
    return [(finding.kind, finding.message) for finding in arranged.findings]


def test_a_right_submission_is_left_alone() -> None:
    given = tree("Makefile", "Queens.java", "notes/README", "empty/")
    assert arrange(given, RULES) == Layout(tree=given, findings=(), problem=None)


@pytest.mark.parametrize(
    ("names", "left", "expected"),
    [
        (
            ["pa2/Makefile", "pa2/Queens.java", "pa2/doc/a"],
            ["Makefile", "Queens.java", "doc/a"],
            [(layout.EXTRA_FOLDER, "the work was found in the folder pa2")],
        ),
        (
            ["a/b/c/Makefile", "a/b/c/Queens.java"],
            ["Makefile", "Queens.java"],
            [(layout.EXTRA_FOLDER, "the work was found in the folder a/b/c")],
        ),
        (
            ["pa2/makefile", "pa2/queens.java", "README"],
            ["Makefile", "Queens.java"],
            [
                (
                    layout.EXTRA_FOLDER,
                    "the work was found in the folder pa2; files outside it were left out: README",
                ),
                (layout.NAME_CASE, "makefile was taken as Makefile"),
                (layout.NAME_CASE, "queens.java was taken as Queens.java"),
            ],
        ),
        (
            ["Queens/Makefile", "Queens/Queens.java", "Queens/Queens"],
            ["Makefile", "Queens.java"],
            [
                (layout.EXTRA_FOLDER, "the work was found in the folder Queens"),
                (layout.DISCARDED, "handed-in build products were removed before the build: Queens"),
            ],
        ),
        (
            ["Makefile", "Queens.java", "Queens", "a/A.class", "build/lib/x", "build/lib/y", "build/z"],
            ["Makefile", "Queens.java", "build/z"],
            [
                (
                    layout.DISCARDED,
                    "handed-in build products were removed before the build: Queens, a/A.class, build/lib",
                )
            ],
        ),
        (
            ["Makefile", "Queens.java", "Queens (1).java", "Copy of Queens.java", "Queens.java~", "#Queens.java#"],
            ["Makefile", "Queens.java"],
            [
                (
                    layout.BACKUP,
                    "backup copies were left out: #Queens.java#, Copy of Queens.java, Queens (1).java, Queens.java~",
                )
            ],
        ),
        (
            [
                "Makefile",
                "Queens.java",
                ".Queens.java.swp",
                "Queens - Copy.java",
                "makefile~",
                "Copy of Makefile",
            ],
            ["Makefile", "Queens.java"],
            [
                (
                    layout.BACKUP,
                    "backup copies were left out: .Queens.java.swp, Copy of Makefile, Queens - Copy.java, makefile~",
                ),
            ],
        ),
        (  # without the original there is nothing of which they are copies
            ["Makefile", "Queens.java", "Board (1).java", "old/Queens (1).java", "notes.bak", " copy.java", "~"],
            [" copy.java", "Board (1).java", "Makefile", "Queens.java", "notes.bak", "old/Queens (1).java", "~"],
            [],
        ),
    ],
)
def test_puts_right_and_tells(names: list[str], left: list[str], expected: list[tuple[str, str]]) -> None:
    arranged = arrange(tree(*names), RULES)
    assert sorted(arranged.tree.files) == left
    assert findings(arranged) == expected
    assert arranged.problem is None


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ([], "the submission is empty: Makefile and Queens.java are missing"),
        (["Queens.java"], "Makefile is missing"),
        (["pa2/Queens.java"], "Makefile is missing"),
        (["Makefile", "queen.java"], "Queens.java is missing, but there is queen.java"),
        (["Makefile", "Queens (1).java"], "Queens.java is missing, but there is Queens (1).java"),
        (["Makefile", "src/Queens.java"], "Queens.java is missing, but there is src/Queens.java"),
        (["Makefile", "queens.java", "QUEENS.java"], "Queens.java is missing, but there is QUEENS.java"),
        (["Queens.java/", "Makefile"], "Queens.java is missing"),
        (
            ["a/b/c/d/Makefile", "a/b/c/d/Queens.java"],  # too deep to guess
            "Makefile and Queens.java are missing, but there is a/b/c/d/Makefile and a/b/c/d/Queens.java",
        ),
    ],
)
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


ELF, CLASS = b"\x7fELF", b"\xca\xfe\xba\xbe"
MADE = FileRules(required=required("main.c", "*.py"), optional=("lib/*", "tool", "*"), forbidden=("*.exe",))


@pytest.mark.parametrize(
    ("made", "name", "content", "is_dropped"),
    [
        (("queens",), "queens", ELF, True),
        (("queens",), "queens", b"#!/bin/sh\n", True),
        (("queens",), "queens", b"a text", True),
        (("queens",), "src/queens", ELF, False),
        (("*/queens",), "src/queens", ELF, True),
        (("*.class",), "src/A.class", b"", True),
        (("**/*.class",), "A.class", CLASS, True),
        (("tool",), "tool", ELF, False),
        (("lib/*.a", "*.py"), "lib/q.a", b"!<arch>\n", False),
        (("*.py",), "helper.py", b"", False),
        (("run.exe",), "run.exe", b"MZ", False),
        # what a glob matches that covers sources too is a product where it is compiled
        (("*",), "queens", ELF, True),
        (("*",), "mac", b"\xcf\xfa\xed\xfe", True),
        (("src/*",), "src/a.so", ELF, True),
        (("main*",), "main.out", ELF, True),
        (("main*",), "main.h", b"int x;", False),
        (("*",), "helper.c", b"int x;", False),
        (("*",), "run", b"#!/bin/sh\n", False),
        (("*",), "run.sh", b"#!/bin/sh\n", False),
        (("*",), "words.zip", b"PK\x03\x04", False),
        # what lies beside its source
        ((), "main.o", ELF, True),
        ((), "src/b.o", ELF, False),
        ((), "A.class", CLASS, True),
        ((), "A$B.class", CLASS, True),
        ((), "Other.class", CLASS, False),
        ((), "x.h.gch", b"gpch", True),
        ((), "$.class", CLASS, False),
        (None, "main.o", ELF, False),
        (None, "queens", ELF, False),
    ],
)
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


@pytest.mark.parametrize(
    ("name", "pattern", "expected"),
    [
        ("A.java", "*.java", True),
        ("src/A.java", "*.java", False),
        ("src/A.java", "src/*.java", True),
        ("queens.java", "Queens.java", False),
        ("a\nb.java", "*.java", True),
        ("in\udcffvalid", "in*", True),
    ],
)
def test_matches(name: str, pattern: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    assert matches(name, pattern) is expected


def test_covering_names_the_folder_that_matched() -> None:
    assert covering("a/target/classes/A.class", ("target", "*.class")) == "a/target"
    assert covering("a/b", ("c",)) is None


def test_long_lists_are_cut() -> None:
    many = FileTree(files=tree("Makefile", "Queens.java").files, left_out=tuple(str(number) for number in range(8)))
    (finding,) = arrange(many, RULES).findings
    assert finding.message == "links, pipes, sockets and devices were left out: 0, 1, 2, 3, 4 and 3 more"


IN_FOLDER = FileRules(required=required("solution/menus.py", "solution/email.py"), optional=("README",))
OPTIONAL_IN_FOLDER = FileRules(optional=("solution/menus.py", "solution/email.py"))
PUT_IN = (layout.MISSING_FOLDER, "the work was put into the folder solution, where the assignment expects it")


@pytest.mark.parametrize(
    ("rules", "names", "left", "expected"),
    [
        (
            IN_FOLDER,
            ["menus.py", "email.py", "more/help.py", "README"],
            ["README", "solution/email.py", "solution/menus.py", "solution/more/help.py"],
            [PUT_IN],
        ),
        (
            IN_FOLDER,
            ["hw/Menus.py", "hw/email.py"],
            ["solution/email.py", "solution/menus.py"],
            [
                (layout.EXTRA_FOLDER, "the work was found in the folder hw"),
                PUT_IN,
                (layout.NAME_CASE, "solution/Menus.py was taken as solution/menus.py"),
            ],
        ),
        (IN_FOLDER, ["solution/menus.py", "solution/email.py"], ["solution/email.py", "solution/menus.py"], []),
        (
            IN_FOLDER,
            ["hw/solution/menus.py", "hw/solution/email.py"],
            ["solution/email.py", "solution/menus.py"],
            [(layout.EXTRA_FOLDER, "the work was found in the folder hw")],
        ),
        (OPTIONAL_IN_FOLDER, ["menus.py"], ["solution/menus.py"], [PUT_IN]),
        (OPTIONAL_IN_FOLDER, ["solution/menus.py", "email.py"], ["email.py", "solution/menus.py"], []),
        (
            OPTIONAL_IN_FOLDER,
            ["Solution/Menus.py"],
            ["solution/menus.py"],
            [(layout.NAME_CASE, "Solution/Menus.py was taken as solution/menus.py")],
        ),
        (OPTIONAL_IN_FOLDER, ["other.py"], ["other.py"], []),
        (
            FileRules(required=required("src/Main.java", "Makefile")),
            ["w/src/Main.java", "w/Makefile"],
            ["Makefile", "src/Main.java"],
            [(layout.EXTRA_FOLDER, "the work was found in the folder w")],
        ),
    ],
)
def test_puts_work_into_the_folder_in_which_it_is_expected(
    rules: FileRules, names: list[str], left: list[str], expected: list[tuple[str, str]]
) -> None:
    arranged = arrange(tree(*names), rules)
    assert sorted(arranged.tree.files) == left
    assert findings(arranged) == expected
    assert arranged.problem is None


@pytest.mark.parametrize(
    ("rules", "names", "problem"),
    [
        (IN_FOLDER, ["menus.py"], "solution/email.py is missing"),
        (IN_FOLDER, ["solution/menus.py", "email.py"], "solution/email.py is missing, but there is email.py"),
        (IN_FOLDER, ["other.py"], "solution/menus.py and solution/email.py are missing"),
        (
            FileRules(required=required("src/Main.java", "Makefile")),
            ["Main.java", "Makefile"],
            "src/Main.java is missing, but there is Main.java",
        ),
    ],
)
def test_a_folder_makes_up_for_no_missing_file(rules: FileRules, names: list[str], problem: str) -> None:
    assert arrange(tree(*names), rules).problem == problem
