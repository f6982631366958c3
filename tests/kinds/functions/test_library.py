"""Functions of C and C++ from the spec to the report: a library is made once, and each call is a process of its own."""

import functools
from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import Course, grade, prepare

TOP = "spec: 1\nid: x\ntitle: T\nlimits: {time: 1 s}\nprogram: ./none\n"
C = f"""\
{TOP}language: c
files: {{required: [calc.c]}}
reference: python3 reference.py
tests:
  - name: add
    functions:
      in: calc.c
      declare: int add(int a, int b)
      calls: [{{args: [2, -3], expect: {{returns: reference}}}}]
  - name: mean
    functions:
      in: calc.c
      declare: double mean(const int *values, int n)
      calls: [{{args: [[1, 2], 2], expect: {{returns: 1.5}}}}]
  - name: reverse
    functions:
      in: calc.c
      declare: char *reverse(char text[])
      calls: [{{args: ["abc"], expect: {{returns: "cba", args: {{0: "cba"}}, stdout: "abc\\n"}}}}]
  - name: fill
    functions:
      in: calc.c
      declare: ["void fill(float b[][2], size_t rows, float value)", int count(void)]
      calls:
        - steps:
            - fill: [[[0, 0], [0, 0]], 2, 0.1]
            - count: []
              expect: {{returns: 1}}
  - name: filled
    functions:
      in: calc.c
      declare: void fill(float b[][2], size_t rows, float value)
      calls: [{{args: [[[0, 0]], 1, 0.1], expect: {{args: {{0: [[0.1, 0.1]]}}}}}}]
"""
CALC = """\
#include <stdio.h>
#include <string.h>
static int calls;
int other(void);
int add(int a, int b) { return a + b + other(); }
double mean(const int *v, int n) { double s = 0; for (int i = 0; i < n; i++) s += v[i]; return s / n; }
char *reverse(char *t) {
    puts(t);
    for (size_t i = 0, n = strlen(t); i < n / 2; i++) { char c = t[i]; t[i] = t[n - 1 - i]; t[n - 1 - i] = c; }
    return t;
}
void fill(float b[][2], size_t rows, float value) {
    calls++;
    for (size_t i = 0; i < rows; i++) b[i][0] = b[i][1] = value;
}
int count(void) { return calls; }
int main(void) { return add(1, 2); }
"""
OTHER = "int other(void) { return 0; }\nint main(void) { return 1; }\n"
CHANGED: dict[str, tuple[list[tuple[str, str]], dict[str, str]]] = {
    "right": ([], {}),
    "lacking": (
        [
            ("int add(", "int plus("),
            ("return add", "return plus"),
            ("double mean(const int *v", "float mean(int *v"),
            ("return calls", "_Exit(3)"),
            ("<stdio.h>", "<stdlib.h>\n#include <stdio.h>"),
        ],
        {
            "add": "`calc.c` has no `add`",
            "mean": "`calc.c` has `float mean(int *, int)`; the assignment asks for",
            "fill": "`count` ended the whole program, with status 3.",
        },
    ),
    "undefined": (
        [
            (
                "int other(void);",
                "int other(void);\nint count(void);\nvoid show(int);\ndouble half(double);\nextern int n;",
            ),
            ("return s / n", "return half(s) / n"),
            ("int count(void) { return calls; }\n", ""),
            ("return add(1, 2)", "show(count() + n); return add(1, 2)"),
        ],
        {"mean": "`mean` calls `half`, which nothing in your files defines.", "fill": "`calc.c` has no `count`"},
    ),
    "breaking": (
        [("double s = 0", "double s = *(int *) 0"), ("return a + b", "for (;;)")],
        {"mean": "segmentation fault", "add": "the limit is 1 s"},
    ),
    "unfinished": (
        [("int other", "int another"), ("other();", "other(;")],
        dict.fromkeys(("add", "mean", "reverse", "fill", "filled"), "ended with `CompilationError`"),
    ),
}
CPP = f"""\
{TOP}language: cpp
files: {{required: [words.cpp]}}
tests:
  - name: join
    functions:
      in: words.cpp
      declare: std::string join(const std::vector<int>& values, std::string by)
      calls: [{{args: [[1, 2], ", "], expect: {{returns: "1, 2"}}}}]
  - name: mean
    functions:
      in: words.cpp
      declare: double mean(double a, int b)
      calls: [{{args: [1, 2], expect: {{returns: 1.5}}}}]
  - name: isLong
    functions:
      in: words.cpp
      declare: bool isLong(const std::string &word, int than)
      calls: [{{args: ["abc", 2], expect: {{returns: true}}}}]
  - name: none
    functions: {{in: words.cpp, declare: "int none()", calls: [{{expect: {{returns: 1}}}}]}}
"""
WORDS = """\
#include <string>
#include <vector>
using namespace std;
string join(const vector<int>& values, string by) {
    string s;
    for (int v : values) s += (s.empty() ? "" : by) + to_string(v);
    return s;
}
float mean(double a, int b) { return (a + b) / 2; }
bool isLong(const string& word, long than) { return (long) word.size() > than; }
int none() { throw 3; }
int undefined(string text);
int main() { return undefined("x"); }
"""


IN_LIST = (
    "in: list.c",
    'structures: ["struct node { int value; struct node *next; }", "struct point { double x; char name[9]; }"]',
)
LIST = f"""\
{TOP}language: c
files: {{required: [list.c]}}
reference: python3 reference.py
tests:
  - name: push
    functions:
      {IN_LIST[0]}
      {IN_LIST[1]}
      declare: struct node *push(struct node *head, int value)
      calls:
        - {{args: [null, 5], expect: {{returns: [5]}}}}
        - {{args: [[2, 1], 3], expect: {{returns: reference}}}}
        - {{args: [[2, 1], 3], then: [{{declare: "int length(const struct node *h)", args: [{{argument: 0}}]}}],
            expect: {{args: {{0: [2, 1]}}}}}}
  - name: length
    functions: {{{", ".join(IN_LIST)}, declare: int length(const struct node *head),
      calls: [{{args: [[]], expect: {{returns: 0}}}}, {{args: [[1, 2, 3]], expect: {{returns: 3}}}}]}}
  - name: remove
    functions: {{{", ".join(IN_LIST)}, declare: "void removed(struct node **head, int value)",
      calls: [
        {{args: [[1, 2, 3], 1], expect: {{args: {{0: [2, 3]}}}}}},
        {{args: [[1], 1], expect: {{args: {{0: []}}}}}}]}}
  - name: freed
    functions: {{{", ".join(IN_LIST)}, declare: int freed(struct node *head),
      calls: [{{args: [[1, 2]], expect: {{returns: 2}}}}]}}
  - name: moved
    functions: {{{", ".join(IN_LIST)}, declare: "struct point *moved(struct point *p, double by)",
      calls: [{{args: [{{map: {{x: 1.5, name: A}}}}, 2], expect: {{returns: {{map: {{x: 3.5, name: A}}}}}}}}]}}
"""
NODES = """\
#include <stdlib.h>
struct node { struct node *next; char used; int value; };
struct point { char name[20]; double x; };
struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = head;
    return n;
}
int length(const struct node *head) { int n = 0; for (; head; head = head->next) n++; return n; }
void removed(struct node **head, int value) {
    while (*head)
        if ((*head)->value == value) { struct node *old = *head; *head = old->next; free(old); }
        else head = &(*head)->next;
}
int freed(struct node *head) {
    int n = 0;
    while (head) { struct node *next = head->next; free(head); head = next; n++; }
    return n;
}
struct point *moved(struct point *p, double by) { p->x += by; return p; }
int main(void) { return 0; }
"""
NODES_CHANGED: dict[str, tuple[list[tuple[str, str]], dict[str, str]]] = {
    "right": ([], {}),
    "wrong": (
        [("n->next = head", "n->next = NULL"), ("int n = 0; for", "int n = 1; for"), ("p->x += by", "p->x = by")],
        {
            "push": "`push([2, 1], 3)` returned `[3]`; `[3, 2, 1]` is expected",
            "length": "`length([])` returned 1; 0 is expected",
            "moved": "is 2.0; 3.5 is expected",
        },
    ),
    "endless": ([("n->next = head", "n->next = n")], {"push": "returned a list that has over 20,000 elements"}),
    "endless after the call": (
        [("else head = &(*head)->next;", "else { (*head)->next = *head; return; }")],
        {"remove": "`head` is something of the type `StructureError`, not plain data, or too much of it"},
    ),
    "other fields": (
        [("double x", "double y"), ("->x", "->y")],
        {"moved": "`moved` cannot be called: your source has no `struct point` with these fields"},
    ),
    "no structure": (
        [("struct point { char name[20]; double x; };", "struct point;"), ("p->x += by; ", "")],
        {"moved": "`moved` cannot be called"},
    ),
    "missing": ([("struct node *push", "struct node *add")], {"push": "`list.c` has no `push`"}),
}

SQUARE = f"""\
{TOP.replace("./none", "./sq")}language: LANGUAGE
files: {{optional: [FILE, "*"]}}
build: {{run: COMPILER -o sq FILE, produces: [sq]}}
tests:
  - name: square
    functions:
      in: [sq.c, 6-sq.c, sq.cpp]
      declare: int square(int n)
      calls: [{{args: [3], expect: {{returns: 9}}}}]
  - name: rule
    source: {{forbid: [{{call: system}}]}}
  - name: files
    command: ls -A
    expect: {{stdout: {{not: {{contains: grader}}}}}}
"""
SQ = "int square(int n) { return n * n; }\nint main(void) { return square(3) != 9; }\n"
BAD = SQ.replace("n * n", "n + n")
CALLS = "#include <stdlib.h>\n" + SQ.replace("return n", 'system(":"); return n')
FORGED = "def square(n):\n    return n * n\n"
OURS: dict[str, tuple[dict[str, str], list[str]]] = {
    "right": ({"FILE": SQ}, []),
    "breaks the rule": ({"FILE": CALLS}, ["rule"]),
    "wrong": ({"FILE": BAD}, ["square"]),
    "a module of ours": ({"FILE": BAD, ".grader-FILE.py": FORGED, ".grader-sq.c.py": FORGED}, ["square", "files"]),
    "a library of ours": ({"FILE": SQ, ".grader-FILE.so": "\x7fELF"}, ["files"]),
    "a folder of that name": ({"FILE": SQ, ".grader-FILE.py/x": ""}, ["files"]),
    "a library that is loaded": ({"FILE": SQ + "void *dlopen();", ".grader-FILE.so": "\x7fELF"}, ["rule", "files"]),
    "a library that is named": ({"FILE": '#pragma x ".own.so"\n' + SQ, ".own.so": "\x7fELF"}, ["rule"]),
    "a hidden file": ({"FILE": SQ, ".own.so": "\x7fELF"}, []),
}
"""files beside those that we make -> the tests that are lost"""


def graded(spec: str, files: dict[str, str], folder: Path, course: Course | None = None) -> Report:
    work = folder / "work"
    work.mkdir()
    for name, text in files.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text(text)
    if course is None:
        (folder / "x.yaml").write_text(spec)
    path = course.spec.root / "x.yaml" if course else folder / "x.yaml"
    return grade(Job(spec=path, submission=Submission(id="x", path=work), sandbox="full"), course)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder = tmp_path_factory.mktemp("calc")
    (folder / "reference.py").write_text("def add(a, b):\n    return a + b\n")
    (folder / "x.yaml").write_text(C)
    return prepare(folder / "x.yaml", sandbox="full")


@pytest.mark.parametrize("name", CHANGED)
def test_functions_of_c(name: str, course: Course, tmp_path: Path) -> None:
    changes, wrong = CHANGED[name]
    source = CALC
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    report = graded(C, {"calc.c": source, "other.c": OTHER, "broken.c": "int"}, tmp_path, course)
    told = {test.name: test.cases[0].message.replace("\n", " ") for test in report.tests if test.cases[0].message}
    assert told.keys() == wrong.keys()
    assert {test: message for test, message in wrong.items() if message not in told[test]} == {}
    assert report.tests[2].cases[0].command == 'reverse("abc")'


def test_functions_of_cpp(tmp_path: Path) -> None:
    report = graded(CPP, {"words.cpp": WORDS}, tmp_path)
    join, mean, is_long, none = (test.cases[0].message for test in report.tests)
    assert join == ""
    assert mean == "`words.cpp` has `float mean(double, int)`; the assignment asks for `double mean(double a, int b)`."
    assert is_long.startswith("`words.cpp` has `isLong(std::string const&, long)`; the assignment asks for ")
    assert "the exception `int` was not caught (SIGABRT)" in none


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder = tmp_path_factory.mktemp("list")
    (folder / "reference.py").write_text("def push(head, value):\n    return [value, *(head or [])]\n")
    (folder / "x.yaml").write_text(LIST)
    return prepare(folder / "x.yaml", sandbox="full")


@pytest.mark.parametrize("name", NODES_CHANGED)
def test_pointers_to_structures(name: str, nodes: Course, tmp_path: Path) -> None:
    changes, wrong = NODES_CHANGED[name]
    text = NODES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    report = graded("", {"list.c": text}, tmp_path, nodes)
    found = {test.name: " ".join(case.message for case in test.cases if case.message) for test in report.tests}
    assert {name for name, message in found.items() if message} == wrong.keys(), found
    for name_of_test, message in wrong.items():
        assert message in found[name_of_test]


@pytest.fixture(
    scope="module", params=[("c", "gcc", "sq.c"), ("c", "gcc", "6-sq.c"), ("cpp", "g++", "sq.cpp")], ids="-".join
)
def square(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, str]:
    language, compiler, file = request.param
    path = tmp_path_factory.mktemp("square") / "x.yaml"
    names = {"LANGUAGE": language, "COMPILER": compiler, "FILE": file}
    path.write_text(functools.reduce(lambda text, name: text.replace(name, names[name]), names, SQUARE))
    return prepare(path, sandbox="full"), file


@pytest.mark.parametrize("name", OURS)
def test_what_we_make_is_known_by_what_we_wrote(name: str, square: tuple[Course, str], tmp_path: Path) -> None:
    course, file = square
    files, lost = OURS[name]
    own = {path.replace("FILE", file): text.replace("FILE", file) for path, text in files.items()}
    report = graded("", own, tmp_path, course)
    assert [test.name for test in report.tests if test.verdict != "passed"] == lost, report


RENAMED = f"""\
{TOP.replace("./none", "./sq")}language: c
files: {{required: [sq.c]}}
build: {{run: gcc -o sq sq.c, produces: [sq]}}
repairs:
  - {{name: other-name, about: Another name., when: {{missing: [sq.c]}}, costs: 1, run: 'sh -c "gcc -o sq *.c"'}}
tests:
  - name: square
    functions: {{in: sq.c, declare: int square(int n), calls: [{{args: [3], expect: {{returns: 9}}}}]}}
"""


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"square.c": SQ}, ""),
        ({"square.c": BAD}, "`square(3)` returned 6; 9 is expected."),
        ({"square.c": SQ, "other.c": "int other;\n"}, "There is no file `sq.c`"),
    ],
)
def test_the_only_source_is_that_with_the_charged_name(files: dict[str, str], message: str, tmp_path: Path) -> None:
    (case,) = graded(RENAMED, files, tmp_path).tests[0].cases
    assert case.message.startswith(message)
    assert (case.message == "") is (message == "")
