"""Small problem packages and tests of other graders, laid out for tests of the import. All of it is made up here."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SUM = "print(sum(map(int, input().split())))\n"
PAIRS: Mapping[str, str] = {
    "problem.yaml": "name: Pair Sums\nsource: Invented Open\nlicense: cc by-sa\nrights_owner: Nobody\n",
    "problem_statement/problem.en.tex": "\\problemname{Pair Sums} Add.",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/big.in": "40 2\n",
    "data/secret/big.ans": "42\n",
    "data/secret/word.in": "0 0\n",
    "data/secret/word.ans": "0\n",
    "submissions/accepted/ann.py": SUM,
    "submissions/accepted/cecil.cpp": "int main() {}\n",
    "submissions/wrong_answer/three.py": "input()\nprint(3)\n",
    "submissions/run_time_error/small.py": "raise ValueError\n",
    "submissions/time_limit_exceeded/asleep.py": "import time\ntime.sleep(99)\n",
    "submissions/rejected/who_knows.py": "print()\n",
}
SCORED: Mapping[str, str] = {
    "problem.yaml": "name: {sv: Summor, en: Sums}\ntype: scoring\n",
    "data/sample/1.in": "1 1\n",
    "data/sample/1.ans": "2\n",
    "data/testdata.yaml": "grader_flags: ignore_sample\n",
    "data/secret/testdata.yaml": "on_reject: continue\nrange: 0 100\ngrader_flags: accept_if_any_accepted\n",
    "data/secret/first/testdata.yaml": "accept_score: 30\nrange: 0 30\ngrader_flags: min\n",
    "data/secret/first/a.in": "1 2\n",
    "data/secret/first/a.ans": "3\n",
    "data/secret/second/testdata.yaml": "accept_score: 35\n",
    "data/secret/second/b.in": "2 2\n",
    "data/secret/second/b.ans": "4\n",
    "data/secret/second/c.in": "2 3\n",
    "data/secret/second/c.ans": "5\n",
    "submissions/accepted/ann.py": SUM,
    "submissions/partially_accepted/pat.py": "print(3)\n",
    "submissions/wrong_answer/none.py": "print()\n",
}
NEWER: Mapping[str, str] = {
    "problem.yaml": "problem_format_version: 2025-09\nname: Greeting\nuuid: '1'\ntype: [scoring]\n"
    "limits: {time_limit: 2.5, memory: 128, code: 8}\n",
    "data/sample/1.in": "",
    "data/sample/1.ans": "Hello, world\n",
    "data/sample/1.yaml": "args: [world]\n",
    "data/secret/one/test_group.yaml": "max_score: 40\nrequire_pass: sample\nargs: ['{you}']\n"
    "output_validator_args: [case_sensitive, space_change_sensitive]\n",
    "data/secret/one/x.in": "",
    "data/secret/one/x.ans": "Hello, {you}\n",
    "data/secret/one/x.files/names.txt": "you\n",
    "data/secret/two/test_group.yaml": "max_score: 60\nscore_aggregation: sum\nrequire_pass: [secret/one]\n",
    "data/secret/two/y.in": "",
    "data/secret/two/y.ans": "Hello, \n",
    "data/secret/two/y.yaml": "args: ['']\n",
    "submissions/accepted/greet/main.py": "import greeting\ngreeting.say()\n",
    "submissions/accepted/greet/greeting.py": "import sys\n\n\ndef say():\n    print('Hello,', sys.argv[1])\n",
}
IO: Mapping[str, Any] = {
    "schema": "classroom50/tests/v1",
    "defaults": {"failure-details": "full"},
    "tests": [
        {"name": "compiles", "type": "run", "run": "gcc -o hello hello.c", "points": 2},
        {
            "name": "says {it}",
            "type": "io",
            "run": "./hello",
            "input": "{Bob}\n",
            "expected": "hello, {Bob}",
            "comparison": "exact",
            "points": 3,
        },
        {
            "name": "piped",
            "type": "io",
            "run": "./hello | tail -n 1",
            "expected": "^hello, \\w*$",
            "comparison": "regex",
            "points": 1,
            "timeout": 3,
        },
        {
            "name": "from a file",
            "type": "io",
            "run": "./hello -q",
            "input-file": "in.txt",
            "expected": "hello",
            "comparison": "included",
            "points": 1,
            "failure-details": "none",
        },
        {"name": "suite", "type": "python", "run": "pytest", "points": 5},
    ],
}


def lay(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files into a folder; return the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def io_tests(folder: Path, content: Any = IO) -> Path:
    """Write a `tests.json` with a file beside it; return its path."""
    lay(folder, {"tests.json": json.dumps(content), "in.txt": "Al\n"})
    return folder / "tests.json"


CLASSROOM = {
    "tests": [
        {
            "name": "adds",
            "run": "python add.py",
            "input": "2 40\r\n",
            "output": "42",
            "comparison": "exact",
            "points": 2,
        },
        {"name": "units", "setup": "sudo -H pip3 install pytest", "run": "pytest -v", "timeout": 2, "points": 3},
    ]
}
GRADESCOPE: Mapping[str, str] = {
    "setup.sh": "apt-get install -y python3\n",
    "run_autograder": "cp /autograder/submission/calc.py /autograder/source/calc.py\n"
    "cd /autograder/source\npython3 run_tests.py\n",
    "run_tests.py": "JSONTestRunner(visibility='visible').run(suite)\n",
    "table.txt": "3\n",
    "solution/calc.py": "def add(*values):\n    return sum(values)\n",
    "tests/test_calc.py": """\
import unittest

from calc import add
from gradescope_utils.autograder_utils.decorators import leaderboard, number, partial_credit, visibility, weight


class TestCalc(unittest.TestCase):
    @weight(1)
    @number("3")
    @visibility("after_published")
    def test_table(self):
        \"\"\"Needs the table\"\"\"
        with open("table.txt") as file:
            self.assertEqual(add(1, 2), int(file.read()))

    @weight(2)
    @number("1")
    def test_two(self):
        \"\"\"Adds two numbers\"\"\"
        self.assertEqual(add(1, 2), 3)

    @partial_credit(4)
    @number("2")
    @visibility("after_due_date")
    def test_many(self, set_score=None):
        \"\"\"Adds as many as it can\"\"\"
        set_score(4 if add(1, 2, 3) == 6 else 1)

    @leaderboard("fastest")
    def test_speed(self, set_leaderboard_value=None):
        set_leaderboard_value(1)
""",
}


GRADESCOPE_JAVA: Mapping[str, str] = {
    "setup.sh": "apt-get install -y openjdk-17-jdk\n",
    "run_autograder": "cp /autograder/submission/Shelf.java /autograder/source/src/shop/Shelf.java\n"
    "cd /autograder/source\nbash ./run.sh\n",
    "run.sh": "java -cp classes:lib/* shop.tests.RunTests > /autograder/results/results.json\n",
    "prices.txt": "3\n",
    "solution/Shelf.java": """\
package shop;

import java.util.ArrayList;
import java.util.List;

public class Shelf extends Rack {
    private final List<Integer> prices = new ArrayList<>();

    public void add(int price) {
        if (price < 0) {
            throw new IllegalArgumentException("less than nothing");
        }
        prices.add(price);
    }

    public int total() {
        return prices.stream().mapToInt(Integer::intValue).sum();
    }
}
""",
    "src/shop/Rack.java": "package shop;\n\npublic abstract class Rack {\n    public abstract int total();\n}\n",
    "src/shop/tests/RunTests.java": """\
package shop.tests;

import com.gradescope.jh61b.grader.GradedTestListenerJSON;
import org.junit.runner.JUnitCore;
import org.junit.runner.RunWith;
import org.junit.runners.Suite;

@RunWith(Suite.class)
@Suite.SuiteClasses({ShelfTest.class})
public class RunTests {
    public static void main(String[] args) {
        JUnitCore core = new JUnitCore();
        core.addListener(new GradedTestListenerJSON());
        core.run(RunTests.class);
    }
}
""",
    "src/shop/tests/Prices.java": """\
package shop.tests;

class Prices {
    static int first() throws Exception {
        return Integer.parseInt(java.nio.file.Files.readString(java.nio.file.Path.of("prices.txt")).strip());
    }
}
""",
    "src/shop/tests/OldTest.java": """\
package shop.tests;

import com.gradescope.jh61b.grader.GradedTest;
import org.junit.Test;

public class OldTest {
    @Test
    @GradedTest(max_score = 9)
    public void never() { }
}
""",
    "src/shop/tests/ShelfTest.java": """\
package shop.tests;

import static org.junit.Assert.assertEquals;

import com.gradescope.jh61b.grader.GradedTest;
import org.junit.Test;
import shop.Shelf;

public class ShelfTest {
    private final Shelf shelf = new Shelf();

    @Test
    @GradedTest(name = "Adds (two) prices", number = "2", max_score = 2.5)
    public void adds() {
        shelf.add(1);
        shelf.add(2);
        assertEquals(3, shelf.total());
    }

    @Test(expected = IllegalArgumentException.class)
    @GradedTest(name = "Refuses \\"less\\"", number = "1", max_score = 4, visibility = "after_due_date")
    public void refuses() {
        shelf.add(-1);
    }

    @Test
    @GradedTest(number = "3")
    public void prices() throws Exception {
        shelf.add(Prices.first());
        assertEquals(3, shelf.total());
    }

    @Test
    public void counts() { }
}
""",
}


def classroom_repository(folder: Path) -> Path:
    """Lay out a repository of GitHub Classroom with an `autograding.json` and a test file."""
    files = {
        ".github/classroom/autograding.json": json.dumps(CLASSROOM),
        "add.py": "# to be written\n",
        "test_add.py": "from add import add\n\n\ndef test_one():\n    assert add(1, 0) == 1\n\n\n"
        "def test_two():\n    assert add(1, 1) == 2\n",
    }
    return lay(folder, files)
