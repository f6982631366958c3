"""Projects of Node.js: which tests `npm test` and its like run, and by which command their report is read here."""

import json
import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile

_TOOLS = ("jest", "mocha", "vitest", "node")
_SCRIPT = re.compile(
    r"(?:npm|yarn|pnpm)\s+(?:(?:run|run-script)\s+(?P<named>[\w:.-]+)|(?P<plain>test|tst|t)(?=\s|$))(?P<rest>.*)"
)
_TEST_FILE = re.compile(r"(?:^|/)(?:(?:__tests__|tests?)/.*|[^/]+\.(?:test|spec)|test(?:-[^/]*)?)\.[cm]?js$")
_HARMLESS = re.compile(
    r"--(?:ci|verbose|coverage|silent|colors?|passWithNoTests|runInBand|exit|watchAll=false|coverage=\w+|run)|-[iw]"
)
_IMPORTED = re.compile(r"""(?:\brequire\(|\bfrom\s|\bimport\(|\bimport\s)\s*['"](\.{1,2}/[^'"\n]+)['"]""")
_SETTINGS = re.compile(r"(?:package\.json|(?:jest|vitest|babel)\.config\.[cm]?js|\.babelrc|\.mocharc\.\w+)")
_ENVIRONMENT = {"NODE_PATH": "/usr/lib/node_modules"}


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTestRun:
    """A run of tests whose report is read."""

    command: str
    report: str
    env: Mapping[str, str]
    beside: Sequence[str]
    """the tests, and the settings of the course"""
    required: Sequence[str]
    """what the tests import: what students hand in"""
    package: str
    """what has to be installed; empty for nothing"""


def node_test_run(line: str, files: Iterable[str], sources: Mapping[str, bytes]) -> NodeTestRun | str | None:
    """Read a line that runs tests with Node.js; a text says why it cannot be carried over. None when it runs none.

    Raises ValueError for a quote that is not closed.
    """
    words = shlex.split(line)
    if (found := _SCRIPT.fullmatch(line.strip())) and not re.search(r"[|&;<>$`]", found["rest"]):
        script = _script(sources.get("package.json", b""), found["named"] or "test")
        if script is None:
            without = "its package.json is not there: import the course's whole repository"
            return None if "package.json" in sources else without
        added = [word for word in shlex.split(found["rest"]) if word not in ("--", "--silent", "-s")]
        line = shlex.join([*shlex.split(script), *added]) if added else script
        words = shlex.split(line)
    words = list(dropwhile(lambda word: word in ("npx", "cross-env") or re.fullmatch(r"NODE_\w+=[\w-]+", word), words))
    if not words or words[0] not in _TOOLS or (words[0] == "node" and "--test" not in words):
        return None
    if re.search(r"[|&;<>$`]", re.sub(r"'[^']*'", "", line)):
        return f"it runs tests within a longer line for the shell: {line}"
    rest = [word for word in words[1:] if not _HARMLESS.fullmatch(word) and word not in ("run", "--test")]
    if odd := next((word for word in rest if word.startswith("-")), ""):
        return f"the option `{odd}` of {words[0]} has no counterpart"
    tests = _tests(rest, list(files), has_patterns=words[0] in ("jest", "vitest"))
    if not tests:
        return "its test files are not there: import the course's whole repository"
    return _reported(words[0], tests, list(files), sources)


def _script(package: bytes, name: str) -> str | None:
    try:
        script = json.loads(package)["scripts"][name]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return script if isinstance(script, str) else None


def _tests(named: Sequence[str], files: Sequence[str], *, has_patterns: bool) -> list[str]:
    every = [one for one in files if _TEST_FILE.search(one) and "node_modules/" not in one]
    if has_patterns and named:  # of these tools a word is looked for anywhere in a path
        return [one for one in every if any(name.removeprefix("./") in one for name in named)]
    plain = [posixpath.normpath(name.partition("*")[0]) for name in named]
    return [one for one in every if not plain or any(one == name or one.startswith(f"{name}/") for name in plain)]


def _reported(tool: str, tests: Sequence[str], files: Sequence[str], sources: Mapping[str, bytes]) -> NodeTestRun:
    names = shlex.join(tests)
    command, report, package = {
        "jest": (f"jest {names} --ci --reporters=jest-junit", "junit", "jest jest-junit"),
        "mocha": (f"mocha --reporter xunit {names}", "junit", "mocha"),
        "vitest": (f"vitest run --reporter=junit {names}", "junit", "vitest"),
        "node": (f"node --test --test-reporter=tap {names}", "tap", ""),
    }[tool]
    env = {"JEST_JUNIT_OUTPUT_FILE": "{report}"} if tool == "jest" else {}
    return NodeTestRun(
        command=command,
        report=report,
        env=env if tool == "node" else {**env, **_ENVIRONMENT},
        beside=[*tests, *(one for one in files if _SETTINGS.fullmatch(one))],
        required=list(dict.fromkeys(name for test in tests for name in _imported(test, set(files), sources))),
        package=package,
    )


def _imported(test: str, files: set[str], sources: Mapping[str, bytes]) -> Iterator[str]:
    for found in _IMPORTED.findall(sources[test].decode("utf-8", "replace")):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(test), found))
        for name in (path, *(f"{path}{ending}" for ending in (".js", ".mjs", ".cjs", "/index.js"))):
            if name in files and not _TEST_FILE.search(name):
                yield name
                break
