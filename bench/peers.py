"""Other graders at the same work: the same submission, the same cases, the same answers expected.

They live in an environment of their own, `.setup/peers`, which `bench/requirements.txt` fills; when one is
missing there, all are left out, and that is said. None of them has a sandbox that keeps anything in bounds.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from processes import run_to_end

ROOT = Path(__file__).parent.parent
PEERS = ROOT / ".setup" / "peers" / "bin"
HOW_TO_INSTALL = "python3 -m venv .setup/peers && .setup/peers/bin/pip install -r bench/requirements.txt"

_GRADESCOPE = """\
import subprocess, unittest
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

class Cases(unittest.TestCase):
    pass

def case(words, right):
    def test(self):
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
        self.assertEqual((done.stdout, done.stderr), right)
    return test

for number, (words, right) in enumerate({cases!r}):
    setattr(Cases, f"test_{{number}}", case(words, right))
{build}with open("results.json", "w") as file:
    JSONTestRunner(stream=file).run(unittest.defaultTestLoader.loadTestsFromTestCase(Cases))
"""
_CHECK50 = """\
import subprocess
import check50

@check50.check()
def built():
    "builds"
    {build}
"""
_CHECK50_CASE = """
@check50.check(built)
def case_{number}():
    "case {number}"
    check50.run({command!r}).stdout({right!r}, regex=False)
"""
_PEXPECT = """\
import pexpect, subprocess

{build}for words, (out, errors) in {cases!r}:
    found, status = pexpect.run(words, withexitstatus=True, timeout=30)
    if found.replace(b"\\r\\n", b"\\n") != out + errors:
        raise SystemExit(words + " differs")
"""
"""a script of twenty lines, as many a course has"""
_KATTIS_YAML = "problem_format_version: legacy\nname: Bench\nlicense: unknown\nrights_owner: Nobody\n"
_KATTIS_MAIN = """\
import runpy, sys
sys.argv[1:] = input().split()
try:
    runpy.run_path({program!r}, run_name="__main__")
except SystemExit:
    pass  # a status other than 0 is a crash to it
"""

_KATTIS_LANGUAGES = """\
python3:
  compile: '/usr/bin/python3 -m py_compile {files}'
  run: '/usr/bin/python3 "{mainfile}"'
java:
  compile: '/usr/bin/javac -encoding UTF-8 -sourcepath {path} -d {path} {files}'
  run: '/usr/bin/java -XX:+UseSerialGC -Xss64m -Xms{memlim}m -Xmx{memlim}m -cp "{path}" {mainclass}'
"""
"""the same Python and Java as everybody's: neither PyPy nor the newest Java"""
_KATTIS_JAVA_MAIN = """\
public class Main {{
    public static void main(String[] args) throws Exception {{
        System.setSecurityManager(new SecurityManager() {{
            @Override public void checkPermission(java.security.Permission asked) {{}}
            @Override public void checkExit(int status) {{ throw new SecurityException(); }}
        }});
        String line = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine();
        try {{
            {program}.main(line.isEmpty() ? new String[0] : line.split(" "));
        }} catch (SecurityException end) {{
        }}
    }}
}}
"""
"""a status other than 0 is a crash to it"""

Answer = tuple[bytes, bytes]


def answers(cases: Sequence[str]) -> list[Answer]:
    """Return what the reference writes to each stream in each case."""
    command = ["/usr/bin/python3", str(ROOT / "reference" / "cmps12b_pa2.py")]
    found = [subprocess.run([*command, *case.split()], capture_output=True, check=False, timeout=60) for case in cases]
    return [(done.stdout, done.stderr) for done in found]


def missing() -> list[str]:
    """Return the commands of peers that are not installed."""
    return [name for name in ("check50", "verifyproblem", "python") if not (PEERS / name).exists()]


def peers(
    program: str, build: str, cases: Sequence[str], submission: Path, folder: Path
) -> Mapping[str, Callable[[], None]]:
    """Return those that are installed, ready to grade the submission; each works in a folder of its own below."""
    if missing():
        return {}
    right = answers(cases)
    places = {name: folder / name for name in ("gradescope", "check50", "pexpect", "kattis")}
    for place in places.values():
        shutil.copytree(submission, place / "work")
    _write_gradescope(places["gradescope"] / "work", program, build, cases, right)
    _write_pexpect(places["pexpect"] / "work", program, build, cases, right)
    problem = folder / "problem"
    _write_check50(problem, program, build, cases, right)
    found = {
        "gradescope-utils": _in(places["gradescope"], "work", [PEERS / "python", "grade.py"]),
        "pexpect alone": _in(places["pexpect"], "work", [PEERS / "python", "grade.py"]),
        "check50": _in(places["check50"], "work", [PEERS / "check50", "--dev", "-o", "json", "--", problem]),
    }
    if program.startswith(("java", "/usr/bin/python3")):  # of which a main method can be called with the arguments
        _write_kattis(places["kattis"] / "bench", program, cases, right, submission)
        found["verifyproblem"] = _in(places["kattis"], ".", [PEERS / "verifyproblem", "bench", "-p", "submissions"])
    return found


def _in(folder: Path, within: str, command: Sequence[str | Path]) -> Callable[[], None]:
    """Return what runs a command in a fresh copy of a folder: whoever finds what he built before has an advantage."""

    def grade() -> None:
        with tempfile.TemporaryDirectory() as temporary:
            fresh = Path(temporary) / "fresh"
            shutil.copytree(folder, fresh)
            environment = {**os.environ, "PATH": f"{PEERS}:{os.environ['PATH']}", "XDG_CONFIG_HOME": str(fresh)}
            with (Path(temporary) / "out").open("w+b") as out:
                if run_to_end(command, cwd=fresh / within, env=environment, seconds=300, out=out):
                    out.seek(0)
                    raise RuntimeError(f"{command[0]}: {out.read().decode(errors='replace')[-2000:]}")

    return grade


def _write_gradescope(folder: Path, program: str, build: str, cases: Sequence[str], right: Sequence[Answer]) -> None:
    pairs = [([*program.split(), *case.split()], answer) for case, answer in zip(cases, right, strict=True)]
    built = f"subprocess.run({build.split()!r}, check=True, stdout=subprocess.DEVNULL)\n" if build else ""
    (folder / "grade.py").write_text(_GRADESCOPE.format(cases=pairs, build=built))


def _write_pexpect(folder: Path, program: str, build: str, cases: Sequence[str], right: Sequence[Answer]) -> None:
    pairs = [(f"{program} {case}".strip(), answer) for case, answer in zip(cases, right, strict=True)]
    built = f"subprocess.run({build.split()!r}, check=True, stdout=subprocess.DEVNULL)\n" if build else ""
    (folder / "grade.py").write_text(_PEXPECT.format(cases=pairs, build=built))


def _write_check50(folder: Path, program: str, build: str, cases: Sequence[str], right: Sequence[Answer]) -> None:
    folder.mkdir()
    text = _CHECK50.format(build=f"subprocess.run({build.split()!r}, check=True)" if build else "pass")
    for number, (case, answer) in enumerate(zip(cases, right, strict=True)):
        told = b"".join(answer).decode()  # it runs a program on a terminal, where both are one
        text += _CHECK50_CASE.format(number=number, command=f"{program} {case}".strip(), right=told)
    (folder / "__init__.py").write_text(text)
    (folder / ".cs50.yaml").write_text("check50:\n  files:\n    - !include '*'\n")


def _write_kattis(folder: Path, program: str, cases: Sequence[str], right: Sequence[Answer], submission: Path) -> None:
    """Write a problem package, in which the arguments are the input: a package of this format knows no others."""
    data, work = folder / "data" / "secret", folder / "submissions" / "accepted" / "alice"
    data.mkdir(parents=True)
    shutil.copytree(submission, work)
    settings = folder.parent / "problemtools"
    settings.mkdir()
    (settings / "languages.yaml").write_text(_KATTIS_LANGUAGES)
    (folder / "problem.yaml").write_text(_KATTIS_YAML)
    last = program.rsplit(maxsplit=1)[-1]
    if program.startswith("java"):  # it builds by its own rules
        (work / "Makefile").unlink()
        (work / "Main.java").write_text(_KATTIS_JAVA_MAIN.format(program=last))
    else:
        (work / "main.py").write_text(_KATTIS_MAIN.format(program=last))
    for number, (case, answer) in enumerate(zip(cases, right, strict=True)):
        (data / f"{number:02}.in").write_text(f"{case}\n")
        (data / f"{number:02}.ans").write_bytes(answer[0])
