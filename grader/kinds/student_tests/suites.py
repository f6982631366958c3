"""How suites of the usual frameworks are run, so that a spec names only the file with the tests."""

import hashlib
import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath

from grader.kinds.unit_tests.junit_jars import JAVA_LIBRARIES, JUNIT_4_JARS, JUNIT_JARS

FRAMEWORKS: Mapping[str, str] = {"pytest": "python", "unittest": "python", "junit": "java"}
"""a framework -> the language of its tests"""
TYPED_STARTS: Mapping[str, str] = {
    "pytest": "pytest",
    "unittest": "python3 -m unittest",
    "junit": "java org.junit.platform.console.ConsoleLauncher --select-class",
}
"""what a student types in front of the file with the tests"""
SUITE_PACKAGES: Mapping[str, str] = {"pytest": "python3-pytest", "junit": "junit5"}
"""the Debian package of a framework, where it does not come with its language"""
_CONSOLE = (
    *("junit-platform-console", "junit-platform-reporting"),
    *("opentest4j-reporting-events", "opentest4j-reporting-schema", "picocli"),
)
CONSOLE_JARS = (*JUNIT_JARS, *JUNIT_4_JARS, *(str(JAVA_LIBRARIES / f"{name}.jar") for name in _CONSOLE))
"""what runs tests in Java from the command line"""
_UNITTEST = """\
import sys, unittest
results = {}
class Result(unittest.TextTestResult):
    def startTest(self, test):
        results.setdefault(test.id(), True)
        super().startTest(test)
    def addSubTest(self, test, subtest, error):
        results[test.id()] = results[test.id()] and error is None
        super().addSubTest(test, subtest, error)
    def addError(self, test, error):
        results[test.id()] = False
        super().addError(test, error)
    addFailure = addError
    addUnexpectedSuccess = lambda self, test: results.update({test.id(): False})
    addSkip = lambda self, test, reason: results.update({test.id(): None})
sys.path.insert(0, "")
suite = unittest.defaultTestLoader.loadTestsFromName(sys.argv[2])
good = unittest.TextTestRunner(resultclass=Result).run(suite).wasSuccessful()
with open(sys.argv[1], "w") as report:
    words = {True: "ok - {}", False: "not ok - {}", None: "ok - {} # SKIP"}
    lines = [words[good].format(name) for name, good in results.items()]
    print(f"1..{len(lines)}", *lines, sep="\\n", file=report)
sys.exit(not good)
"""
"""runs a file of tests and reports them in TAP"""
_COMMENTS: Mapping[str, tuple[str, ...]] = {
    "#": (".py", ".sh", ".rb", ".r", ".R", ".jl"),
    "//": (".c", ".h", ".cpp", ".cc", ".hpp", ".java", ".js", ".ts", ".mjs", ".go", ".rs", ".cs", ".kt"),
    "--": (".hs", ".lua", ".sql"),
}
"""how a comment to the end of the line begins -> the files in which it does"""


def commands_for(framework: str, file: str) -> tuple[tuple[str, ...], ...]:
    """Return the commands that run the tests in a file."""
    if framework == "pytest":
        return (("python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml={report}", file),)
    if framework == "unittest":
        return (("python3", "-c", _UNITTEST, "{report}", ".".join(PurePosixPath(file.removesuffix(".py")).parts)),)
    path, out = ":".join(CONSOLE_JARS), ".tests/classes"
    name = PurePosixPath(file).stem
    listing = "find . -name '*.java' -not -path './.tests/*' > .tests/files"
    compiled = f"{listing} && javac -nowarn -d {out} -cp {path} @.tests/files"
    chosen = ("--scan-classpath", out, "--include-classname", rf"^(.*\.)?{name}$")
    console = ("org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--details=none")
    return (
        ("sh", "-c", f"mkdir -p {out} && {compiled}"),
        ("java", "-cp", f"{out}:{path}", *console, *chosen, "--reports-dir", ".tests"),
    )


def disguised(files: Mapping[str, bytes], secret: str) -> dict[str, bytes]:
    """Return the program with a comment added to each file, which depends on the secret and changes nothing it does."""
    changed = dict(files)
    for name in files:
        if mark := next((mark for mark, endings in _COMMENTS.items() if name.endswith(endings)), ""):
            digest = hashlib.sha256(f"{secret}\0{name}".encode()).hexdigest()
            changed[name] += f"\n{mark} {digest[: 8 + int(digest[-1], 16)]}\n".encode()
    return changed


def script_of(commands: tuple[tuple[str, ...], ...]) -> str:
    """Return the commands as one for a shell."""
    *before, last = map(shlex.join, commands)
    return " && ".join((*before, f"exec {last}"))
