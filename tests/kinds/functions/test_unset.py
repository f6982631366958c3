"""Variables that `main` alone sets: the sentence about what a function without them returned."""

import pytest

from grader.kinds.functions.model import FunctionCall, FunctionCase, Signature
from grader.kinds.functions.unset import describe_unset

JAVA = """\
class Queens {
    static int n, size;
    private static final int MOST = 15;
    static int count = 0;
    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        size = n;
    }
    static int solve(int[][] B, int i) {
        int n2 = 0, other = n;
        if (n == i) { return count; }
        return solve(B, i + 1);
    }
}
"""
HELPED = """\
class Queens {
    static int n;
    int solve(int i) { return rest(i); }
    int rest(int i) {
        return n - 1;
    }
    public static void main(String[] args) { n = 4; }
    void set(Map<String, Integer> all) { System.out.println(n); }
}
"""
C = """\
#include <stdio.h>
int n;
static int board[20];
int solve(int row) {
    board[row] = 1;
    return n == row;
}
int main(void) {
    n = 8;
    return solve(0);
}
"""
TOLD = " `main` has not run, which alone sets {}: each function is called on its own."
ROWS = [
    ("Queens", JAVA, (), TOLD.format("`n`")),
    ("Queens", JAVA, ("n",), ""),
    ("Queens", JAVA.replace("other = n", "other = size"), (), TOLD.format("`n` and `size`")),
    ("Queens", JAVA.replace("other = n", "other = size"), ("n",), TOLD.format("`size`")),
    ("Queens", JAVA.replace("int n2 = 0", "n = size = 3; int n2 = 0"), (), ""),
    # Their own variables and parameters of that name are others, and so is what nobody uses that is called.
    ("Queens", JAVA.replace("int n2 = 0", "int n = 3; int size = 4"), (), ""),
    ("Queens", JAVA.replace("int i)", "int n)").replace("n == i", "n == 1"), (), ""),
    ("Queens", JAVA.replace("int i)", "final int\n    n)").replace("n == i", "n == 1"), (), ""),
    ("Queens", JAVA.replace("n == i", "i == 3").replace("other = n", "other = i"), (), ""),
    # What is called may use it through others, and another method may set it, however they are declared.
    ("Queens", HELPED, (), TOLD.format("`n`")),
    ("Queens", HELPED.replace("int rest(", "static long[] rest("), (), TOLD.format("`n`")),
    ("Queens", HELPED.replace("return n - 1", "n = 5; return n - 1"), (), ""),
    ("Queens", HELPED.replace("rest(i)", "none(i)"), (), ""),
    ("Queens", HELPED.replace("rest(i)", "set(i)"), (), TOLD.format("`n`")),
    ("Queens", HELPED.replace("return n - 1", "main(null); return n - 1"), (), ""),
    ("Queens", HELPED.replace("void set", "static { n = 3; }\n    void set"), (), ""),
    ("Queens", HELPED.replace("solve(", "main("), (), ""),
    ("Queens", JAVA.replace("int n, size;", "int n = 8, size = 8;"), (), ""),
    ("Queens", "", (), ""),
    ("queens.c", C, (), TOLD.format("`n`")),
    ("queens.c", C.replace("int n;", "int n = 4;"), (), ""),
    ("queens.c", C.replace("solve(int row)", "solve(int row, int n)"), (), ""),
    ("queens.c", C.replace("n == row", "1"), (), ""),
    ("queens.c", C.replace("int n;", "int n;\nint used(int row);").replace("n ==", "used(row) =="), (), ""),
    ("queens.c", C.replace("n == row", "used()") + "int used(void) { return n; }\n", (), TOLD.format("`n`")),
]


@pytest.mark.parametrize(("within", "source", "given", "told"), ROWS)
def test_what_main_alone_sets(within: str, source: str, given: tuple[str, ...], told: str) -> None:
    lines = source.splitlines()
    before = tuple(FunctionCall(signature=Signature(text=name, name=name), sets=True) for name in given)
    call = FunctionCall(signature=Signature(text="int solve()", name="solve"))
    case = FunctionCase(within=("Missing", within), call=call, before=before)

    def read_line(file: str, number: int) -> str:
        is_there = file in (within, f"{within}.java") and number <= len(lines)
        return lines[number - 1] if is_there else ""

    assert describe_unset(case, read_line) == told
