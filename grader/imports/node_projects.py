"""Projects of Node.js: which tests `npm test` and its like run, and by which command their report is read here."""

import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import NamedTuple

_ENVIRONMENT = {"NODE_PATH": "/usr/lib/node_modules"}
_TOOLS: Mapping[str, tuple[str, str, str, Mapping[str, str]]] = {
    "jest": (
        *("jest {} --ci --reporters=jest-junit", "junit", "jest jest-junit"),
        {"JEST_JUNIT_OUTPUT_FILE": "{report}", **_ENVIRONMENT},
    ),
    "mocha": ("mocha --reporter xunit {}", "junit", "mocha", _ENVIRONMENT),
    "vitest": ("vitest run --reporter=junit {}", "junit", "vitest", _ENVIRONMENT),
    "node": ("node --test --test-reporter=tap {}", "tap", "", {}),
}
"""what runs tests -> the command here, its report, what has to be installed, and its environment"""
_SCRIPT = re.compile(
    r"(?:npm|yarn|pnpm)\s+(?:(?:run|run-script)\s+(?P<named>[\w:.-]+)|(?P<plain>test|tst|t)(?=\s|$))(?P<rest>.*)"
)
_TEST_FILE = re.compile(r"(?:^|/)(?:(?:__tests__|tests?)/.*|[^/]+\.(?:test|spec)|test(?:-[^/]*)?)\.[cm]?js$")
_HARMLESS = re.compile(
    r"--(?:ci|verbose|coverage|silent|colors?|passWithNoTests|runInBand|exit|watchAll=false|coverage=\w+|run)|-[iw]"
)
_IMPORTED = re.compile(r"""(?:\brequire\(|\bfrom\s|\bimport\(|\bimport\s)\s*['"](\.{1,2}/[^'"\n]+)['"]""")
_SETTINGS = re.compile(r"(?:package\.json|(?:jest|vitest|babel)\.config\.[cm]?js|\.babelrc|\.mocharc\.\w+)")


class NodeTestRun(NamedTuple):
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


def node_test_run(line: str, files: Mapping[str, bytes]) -> NodeTestRun | str | None:
    """Read a line that runs tests with Node.js; a text says why it cannot be carried over. None when it runs none.

    Raises ValueError for a quote that is not closed.
    """
    if (found := _SCRIPT.fullmatch(line.strip())) and not re.search(r"[|&;<>$`]", found["rest"]):
        if "package.json" not in files:
            return "its package.json is not there: import the course's whole repository"
        if (script := _script(files["package.json"], found["named"] or "test")) is None:
            return None
        added = [word for word in shlex.split(found["rest"]) if word not in ("--", "--silent", "-s")]
        line = shlex.join([*shlex.split(script), *added]) if added else script
    words = dropwhile(lambda word: word in ("npx", "cross-env") or re.match(r"NODE_\w+=", word), shlex.split(line))
    tool, *rest = [*words] or [""]
    if tool not in _TOOLS or (tool == "node" and "--test" not in rest):
        return None
    return _read_run(tool, rest, line, files)


def _read_run(tool: str, words: Sequence[str], line: str, files: Mapping[str, bytes]) -> NodeTestRun | str:
    if re.search(r"[|&;<>$`]", re.sub(r"'[^']*'", "", line)):
        return f"it runs tests within a longer line for the shell: {line}"
    named = [word for word in words if not _HARMLESS.fullmatch(word) and word not in ("run", "--test")]
    if odd := next((word for word in named if word.startswith("-")), ""):
        return f"the option `{odd}` of {tool} has no counterpart"
    every = [one for one in files if _TEST_FILE.search(one) and "node_modules/" not in one]
    paths = [posixpath.normpath(name.partition("*")[0]) for name in named]
    is_part = tool in ("jest", "vitest")  # of these a word is looked for anywhere in a path
    fits = [[path in one if is_part else f"{one}/".startswith(f"{path}/") for path in paths] for one in every]
    tests = [one for one, each in zip(every, fits, strict=True) if any(each) or not paths]
    if not tests:
        return "its test files are not there: import the course's whole repository"
    command, report, package, env = _TOOLS[tool]
    beside = [*tests, *(one for one in files if _SETTINGS.fullmatch(one))]
    required = list(dict.fromkeys(name for test in tests for name in _imported(test, files)))
    return NodeTestRun(command.format(shlex.join(tests)), report, env, beside, required, package)


def _script(package: bytes, name: str) -> str | None:
    try:
        script = json.loads(package)["scripts"][name]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return script if isinstance(script, str) else None


def _imported(test: str, files: Mapping[str, bytes]) -> Iterator[str]:
    for found in _IMPORTED.findall(files[test].decode("utf-8", "replace")):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(test), found))
        names = (f"{path}{ending}" for ending in ("", ".js", ".mjs", ".cjs", "/index.js"))
        yield from [one for one in names if one in files and not _TEST_FILE.search(one)][:1]
