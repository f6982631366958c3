"""What the source of a wrong program shows of the reason."""

from pathlib import Path
from time import process_time

import pytest
from msgspec.structs import replace

from grader.core.explain.sources import hint_in_source
from grader.core.model.execution import Execution
from grader.core.model.spec import Case

SILENT = Execution(status=0)
WROTE = Execution(status=0, stdout=b"nothing like it\n")
READS = Case(id="t", args=("spring.txt",), files={"spring.txt": b"1\n"})
PLAIN = Case(id="t")
VERBOSE = Case(id="t", args=("-v",))
QUITS = Case(id="t", stdin=b"add 1\nquit\n")


@pytest.mark.parametrize(
    ("name", "text", "case", "execution", "told"),
    [
        (
            "a.py",
            "import sys\n\ndef main():\n    print(1)\n",
            PLAIN,
            SILENT,
            "`a.py` defines `main` and never calls it.",
        ),
        (
            "a.py",
            "def f():\n    pass\n",
            PLAIN,
            SILENT,
            "`a.py` only defines functions, such as `f`, and calls none.",
        ),
        ("a.py", "\n  \n", PLAIN, SILENT, "`a.py` is empty."),
        ("a.py", "def main():\n    pass\n\nmain()\n", PLAIN, SILENT, ""),
        ("a.py", "def main():\n    pass\n\nif True:\n    main()\n", PLAIN, SILENT, ""),
        ("a.py", "def main():\n    print(1)\n", PLAIN, WROTE, ""),
        ("a.py", "def main():\n    exit(1)\n", PLAIN, Execution(status=1), ""),
        (
            "A.java",
            '\nif (word == "quit") {\n',
            QUITS,
            WROTE,
            (
                'Line 2 of `A.java`, `if (word == "quit") {`, compares texts by `==`, which asks for the same object; '
                "use `equals`."
            ),
        ),
        ("A.java", '\nif (word == "quit") {\n', PLAIN, WROTE, ""),  # it differs from what is there in any case
        ("A.java", 'if (word.equals("quit")) {\n// word == "quit"\nif (n == 3) { x = "quit"; }\n', QUITS, WROTE, ""),
        ("A.java", 'out.print("a ==" + n + "quit ==");\nif (c == "quit".charAt(0)) {\n', QUITS, WROTE, ""),
        ("A.java", 'if ("quit" == null || c == \'"\' && !"quit".equals(a)) {\n', QUITS, WROTE, ""),
        ("a.c", 'if (word == "quit") {\n', PLAIN, WROTE, ""),
        (
            "A.java",
            "// new Scanner(System.in)\na = new Scanner(System.in).nextInt();\nb = new Scanner(System.in).nextInt();\n",
            QUITS,
            WROTE,
            (
                "Line 3 of `A.java` makes another `Scanner` of `System.in`, of which the first has read ahead; "
                "make one for all."
            ),
        ),
        ("A.java", "new Scanner(System.in);\nnew BufferedReader(new FileReader(name));\n", QUITS, WROTE, ""),
    ],
)
def test_a_hint(tmp_path: Path, *, name: str, text: str, case: Case, execution: Execution, told: str) -> None:
    (tmp_path / name).write_text(text)
    hint = hint_in_source(case, tmp_path, execution)
    assert "".join(hint) == told


BY_IDENTITY = 'class {} {{ boolean f(String a) {{ return "-v" != a; }} }}\n'
ONLY = "def f():\n    pass\n"
REACHED: tuple[tuple[dict[str, str], tuple[str, ...], Case, Execution, str], ...] = (
    (
        {"A.java": "new B();", "B.java": BY_IDENTITY, "C.java": BY_IDENTITY},
        ("java", "A", "-v"),
        VERBOSE,
        WROTE,
        "B.java",
    ),
    ({"A.java": "new C();", "B.java": BY_IDENTITY, "C.java": "int b;"}, ("java", "A", "-v"), VERBOSE, WROTE, ""),
    ({"A.java": "new B();", "B.java": BY_IDENTITY}, ("java", "A", "4"), Case(id="t", args=("4",)), WROTE, ""),
    ({"B.java": BY_IDENTITY}, ("sh", "run"), VERBOSE, WROTE, "B.java"),
    ({"main.py": "import b\nb.f()\n", "b.py": ONLY}, ("python3", "main.py"), PLAIN, SILENT, ""),
    ({"main.py": ONLY, "b.py": "print()"}, ("python3", "main.py"), PLAIN, SILENT, "main.py"),
)


@pytest.mark.parametrize("row", REACHED)
def test_a_hint_is_of_what_was_run(
    row: tuple[dict[str, str], tuple[str, ...], Case, Execution, str], tmp_path: Path
) -> None:
    files, argv, case, execution, told = row
    for name, text in files.items():
        (tmp_path / name).write_text(text.format(name[0]) if text is BY_IDENTITY else text)
    hint = hint_in_source(case, tmp_path, execution, argv)
    assert (f"`{told}`" in "".join(hint)) if told else not "".join(hint)


def test_a_second_reader_is_right_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("a = new Scanner(System.in);\n" * 2)
    assert "another `Scanner`" in "".join(hint_in_source(QUITS, tmp_path, WROTE))
    assert not "".join(hint_in_source(replace(QUITS, terminal=True), tmp_path, WROTE))


@pytest.mark.parametrize("text", ["new Scanner(", '\\"', "aaaa", " "])
def test_a_long_line_takes_no_quadratic_time(tmp_path: Path, text: str) -> None:
    (tmp_path / "A.java").write_text(f'"{text * (2**17 // len(text))}"x"')
    before = process_time()
    assert not "".join(hint_in_source(QUITS, tmp_path, WROTE))
    assert process_time() - before < 4  # seconds; it took minutes


def test_no_link_is_followed_and_nothing_strange_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("def main():\n    pass\n")
    (tmp_path / "a.py").symlink_to(tmp_path / "secret")
    (tmp_path / "b.py").mkdir()
    (tmp_path / "c.py").write_bytes(b"\xff\x00(((" * 1000)
    hint = hint_in_source(READS, tmp_path, SILENT)
    assert not "".join(hint)
    assert not any(hint_in_source(READS, None, SILENT))
