"""Rules that count: loops of each form and depth, tokens, calls, functions, blocks, comments."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.model.spec import Case
from grader.kinds.source_rules.author import describe_case
from grader.kinds.source_rules.judge import judge_rule
from grader.kinds.source_rules.model import SourceRule
from grader.kinds.source_rules.run import examine_source

SORT_C = r"""#include <string.h>
#define EACH(i, n) for (int i = 0; i < n; i++)
#define repeat while
/* for (;;) while (1) goto end; */
static const char *text = "for (;;) goto end; while (1)";
void sort(int *a, int n) {
    for (int i = 0; i < n; i++)
        for (int for_ = 0; for_ < n - 1; for_++)
            if (a[for_] > a[for_ + 1]) swap(a, for_);
}
int count(const char *s) {
    int n = strlen(s) + strlen(s);
    do { n--; } while (n > strlen(s));
#if 0
    while (n) { goto end; }
#else
    while_: n++;
#endif
    return n;
}
#if 0
void unused(void) { for (;;) ; }
#endif
"""
PYTHON = '''"""A for in the text of a module: while True."""
def squares(xs):
    """Say what it does: for x in xs."""
    return [x * x for x in xs for y in x], {f"{[z for z in x]}" for x in xs}
# for the next
# while it lasts
def find(xs):
    if False:
        while xs: xs.pop()
    for_ = "for x in xs"  # a text
    for x in xs:
        for y in x:
            if y is not None:
                if x: return y
                elif y: return x
    else:
        return for_
def bare(x): return x if x else 0
'''
JAVA = """class Sums {
    // while (true) for
    /** Adds. */
    @Override
    int sum(List<List<Integer>> all) {
        int s = 0;
        for (List<Integer> one : all) for (int i : one) { while (i > 0) { s++; i--; } }
        all.stream().map(x -> x.size()).forEach(x -> { do { y(); } while (z()); });
        for_: if (s > 1) { } else if (s > 2) { } else if (s > 3) { }
        return s >> 1;
    }
    int none() { String s = "while (true)"; return 0; }
}
"""
LOOP_ONLY_HIDDEN_IN_RAW_TEXT = r"""
const char *a = R"(
#if 0
)"; void f() { system("x"); } const char *b = R"(
#endif
)";
"""
SOURCES = {"c": ("sort.c", SORT_C), "python": ("work.py", PYTHON), "java": ("Sums.java", JAVA)}
ASKED: tuple[tuple[str, dict[str, Any], list[int]], ...] = (
    ("c", {"what": "loop"}, [2, 3, 7, 8, 13]),
    ("c", {"what": "loop", "forms": ("for",)}, [2, 7, 8]),
    ("c", {"what": "loop", "forms": ("while",)}, [3]),
    ("c", {"what": "loop", "forms": ("do",)}, [13]),
    ("c", {"what": "loop", "depth": 2}, [8]),
    ("c", {"what": "loop", "within": "sort"}, [7, 8]),
    ("c", {"what": "loop", "forms": ("while",), "within": "count"}, []),
    ("c", {"what": "token", "name": "goto"}, []),
    ("c", {"what": "token", "name": "while"}, [3, 13]),
    ("c", {"what": "token", "name": "++", "within": "count"}, [17]),
    ("c", {"what": "token", "name": "{"}, [6, 11, 13]),
    ("c", {"what": "call", "name": "strlen"}, [12, 12, 13]),
    ("c", {"what": "function"}, [6, 11]),
    ("python", {"what": "loop"}, [9, 11, 12]),
    ("python", {"what": "loop", "forms": ("comprehension",)}, [4, 4, 4]),
    ("python", {"what": "loop", "forms": ("comprehension",), "depth": 2}, [4]),
    ("python", {"what": "loop", "forms": ("for", "comprehension")}, [4, 4, 4, 11, 12]),
    ("python", {"what": "loop", "within": "find", "depth": 2}, [12]),
    ("python", {"what": "token", "name": "not"}, [13]),
    ("python", {"what": "token", "name": "if", "within": "find"}, [8, 13, 14]),
    ("python", {"what": "token", "name": "for"}, [4, 4, 4, 4, 11, 12]),
    ("java", {"what": "loop"}, [7, 7, 7, 8]),
    ("java", {"what": "loop", "depth": 3}, [7]),
    ("java", {"what": "loop", "forms": ("for", "do")}, [7, 7, 8]),
    ("java", {"what": "call", "name": "forEach"}, [8]),
    ("java", {"what": "token", "name": ">>"}, [10]),
    ("java", {"what": "loop", "within": "none"}, []),
)


def _examine(folder: Path, language: str, rules: list[dict[str, Any]]) -> list[tuple[SourceRule, Any]]:
    name, text = SOURCES[language]
    (folder / name).write_text(text)
    made = [SourceRule(**{"demand": "require", **rule}, language=language) for rule in rules]
    return list(zip(made, examine_source(folder, made), strict=True))


@pytest.mark.parametrize("language", SOURCES)
def test_what_counts_and_what_only_looks_like_it(language: str, tmp_path: Path) -> None:
    asked = [(rule, lines) for one, rule, lines in ASKED if one == language]
    found = _examine(tmp_path, language, [rule for rule, _ in asked])
    assert [
        (rule, sorted(spot.line for spot in one.spots)) for (rule, _), (_, one) in zip(asked, found, strict=True)
    ] == asked


SENTENCES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("c", {"what": "loop", "within": "sort", "least": 2}, ""),
    (
        "c",
        {"what": "loop", "within": "count", "least": 2},
        "The function `count` has one loop (sort.c:13); the assignment asks for at least 2.",
    ),
    (
        "c",
        {"what": "loop", "forms": ("for",), "least": 4},
        "`sort.c` has 3 `for` loops (lines 2, 7 and 8); the assignment asks for at least 4.",
    ),
    ("c", {"what": "call", "name": "strlen", "most": 3}, ""),
    (
        "c",
        {"what": "call", "name": "strlen", "most": 2},
        "`sort.c` has 3 calls of `strlen` (lines 12 and 13); the assignment allows at most 2.",
    ),
    ("c", {"what": "call", "name": "printf", "most": 2}, ""),
    ("c", {"what": "token", "name": "goto"}, "`sort.c` has no token `goto`; the assignment requires it."),
    ("c", {"what": "loop", "depth": 3}, "`sort.c` has no loop within 2 others; the assignment requires one."),
    (
        "c",
        {"what": "function", "least": 3},
        "`sort.c` has 2 functions (lines 6 and 11); the assignment asks for at least 3.",
    ),
    (
        "c",
        {"what": "loop", "within": "main", "most": 1},
        "`sort.c` has no function `main`; the assignment requires a loop in it.",
    ),
    ("c", {"demand": "most", "what": "depth-of-blocks", "most": 3}, ""),
    (
        "c",
        {"demand": "most", "what": "depth-of-blocks", "most": 2},
        "sort.c:9: the function `sort` has 3 blocks within one another; 2 are allowed.",
    ),
    (
        "c",
        {"demand": "forbid", "what": "loop", "forms": ("do",)},
        "sort.c:13 has a `do` loop, which the assignment forbids: `do { n--; } while (n > strlen(s));`.",
    ),
    (
        "python",
        {"demand": "most", "what": "depth-of-blocks", "most": 3},
        "work.py:14: the function `find` has 4 blocks within one another; 3 are allowed.",
    ),
    (
        "python",
        {"demand": "least", "what": "comments-of-function", "least": 1},
        "work.py:18: the function `bare` has no comment; the assignment asks for one.",
    ),
    (
        "python",
        {"demand": "least", "what": "comments-of-function", "least": 2},
        "work.py:2: the function `squares` has 1 comment; the assignment asks for at least 2; the same in work.py:18.",
    ),
    (
        "python",
        {"what": "recursion", "least": 2},
        "Neither `*` nor a function that it calls calls itself; the assignment requires recursion.",
    ),
    ("java", {"demand": "most", "what": "depth-of-blocks", "most": 3}, ""),
    (
        "java",
        {"demand": "least", "what": "comments-of-function", "least": 1},
        "Sums.java:12: the function `none` has no comment; the assignment asks for one.",
    ),
)


@pytest.mark.parametrize("language", SOURCES)
def test_each_count_has_its_sentence(language: str, tmp_path: Path) -> None:
    asked = [(rule, sentence) for one, rule, sentence in SENTENCES if one == language]
    for (_, sentence), (rule, found) in zip(
        asked, _examine(tmp_path, language, [rule for rule, _ in asked]), strict=True
    ):
        result = judge_rule(Case(id="x", kind="source", payload=rule), found)
        assert (rule.text, result.message.text) == (rule.text, sentence)
        assert result.credit == Fraction(not sentence)


def test_nothing_forbidden_hides_behind_what_only_looks_like_if_0(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(LOOP_ONLY_HIDDEN_IN_RAW_TEXT)
    (tmp_path / "b.c").write_text(
        'void g() {\n#if (0)\n system("y");\n#elif 1\n system("z");\n#else\n system("w");\n#endif\n}\n'
    )
    forbid = SourceRule(demand="forbid", what="call", name="system", language="c")
    limit = SourceRule(demand="require", what="call", name="system", most=1, language="c")
    (found, limited) = examine_source(tmp_path, [forbid, limit])
    assert [(spot.file, spot.line) for spot in found.spots] == [("a.c", 4), ("b.c", 5)]
    assert limited.total == 2


def test_what_if_0_takes_out_hides_nothing_around_it(tmp_path: Path) -> None:
    inside = "int main(void) {\n#if 0\n for (;;) exit(1);\n#endif\n system(1);\n}\n"
    beside = "#if 0\nint f(void) { return 1; }\n#endif\n#ifdef X\nint g(void) { return 1; }\n#elif 0\n#endif\n"
    (tmp_path / "a.c").write_text(inside + beside)
    rule = SourceRule(demand="forbid", what="call", name="system", within="main", language="c")
    found = examine_source(tmp_path, [rule, replace(rule, demand="require")])
    assert [(one.defines, [spot.line for spot in one.spots]) for one in found] == [(True, [5])] * 2


def test_what_a_macro_has_is_in_no_function(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f() { g(); }\n#define AGAIN do { g(); } while (0)\n#define repeat for\n" * 2)
    asked: list[dict[str, Any]] = [{"what": "loop"}, {"what": "call", "name": "g"}, {"what": "token", "name": "do"}]
    rules = [SourceRule(demand="require", language="c", **one) for one in asked]
    within = [SourceRule(demand="require", language="c", within="f", **one) for one in asked]
    found = [one.total for one in examine_source(tmp_path, [*rules, *within])]
    assert found == [4, 4, 2, 0, 2, 0]


def test_many_functions_of_one_name_are_read_in_time(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f(){for(;;);}\n" * 20_000)
    (found,) = examine_source(tmp_path, [SourceRule(demand="require", what="loop", within="f", language="c")])
    assert found.total == 20_000


def test_many_comments_are_read_in_time(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("/* a */\nvoid f(){}\n" * 20_000)
    rule = SourceRule(demand="least", what="comments-of-function", least=1, language="c")
    (found,) = examine_source(tmp_path, [rule])
    assert (found.total, found.refused) == (0, "")


def test_a_loop_in_another_file_is_none_of_this_one(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f() { for (;;) ; }\n")
    (tmp_path / "b.c").write_text("void g() { for (;;) ; }\n")
    whole = SourceRule(demand="require", what="loop", least=2, language="c")
    (found,) = examine_source(tmp_path, [whole])
    assert found.total == 2
    (found,) = examine_source(
        tmp_path, [SourceRule(demand="require", what="loop", least=2, files=("a.c",), language="c")]
    )
    assert found.total == 1


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"what": "loop", "forms": ("for",), "least": 2}, "There have to be at least 2 `for` loops."),
        ({"what": "loop", "depth": 2}, "There has to be a loop within another."),
        (
            {"what": "loop", "within": "main", "least": 2, "most": 4},
            "There have to be 2 to 4 loops in the function `main`.",
        ),
        ({"what": "call", "name": "strlen", "most": 3}, "There may be at most 3 calls of `strlen`."),
        ({"what": "function", "least": 3}, "There have to be at least 3 functions."),
        ({"what": "loop", "forms": ("comprehension",)}, "There has to be a comprehension."),
        ({"demand": "forbid", "what": "token", "name": "goto"}, "There must not be a `goto`."),
        (
            {"demand": "most", "what": "depth-of-blocks", "most": 3},
            "A function has 3 blocks within one another at most.",
        ),
    ],
)
def test_a_handout_says_how_many(asked: dict[str, Any], sentence: str) -> None:
    rule = SourceRule(**{"demand": "require", **asked}, language="python")
    spec: Any = None
    assert describe_case(Case(id="x", kind="source", payload=rule), spec) == sentence
