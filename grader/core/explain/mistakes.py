"""Mistakes of beginners in the sources of a program that failed, which a student reads behind the facts of a case."""

import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct

from grader.core.cache import Cache
from grader.core.explain.mistake_queries import MISTAKES_FILE, SUFFIXES
from grader.core.explain.reasons import ANY_WORD, sources_in
from grader.core.helper_process import Helper, ask_once
from grader.core.model.layout import size_of, unread
from grader.core.model.spec import Case
from grader.core.reader.spec_cache import read_data_cached
from grader.core.text import quote

_MAX_NAME_LENGTH, _MAX_SHOWN, _NEAR = 32, 60, 5  # characters of a name and a line; lines to what shows a mistake
_IS_READ = r"(?![^\0]*`(?:Syntax|Indentation|Tab)Error)"  # else, that its source cannot be read is all that matters
_READER = Helper(
    task="look for mistakes in sources",
    code="import json, sys\nfrom grader.core.explain.mistake_queries import find_in_files\n"
    "json.dump(find_in_files(**json.load(sys.stdin)), sys.stdout)",
    packages=("grader", "grader.core", "grader.core.explain"),
    with_libraries=True,
    seconds=5,
    memory=2**29,
)


class Mistake(Struct, frozen=True):
    """A mistake of beginners in a source, and where it is."""

    file: str
    line: int
    source: str  # the line itself
    says: str
    always: bool  # whether it matters wherever a program fails
    needs: str  # what matters: `stdin`, an input by a pipe; `output`, that it prints; `all`, the other cases
    shows: str  # the pattern of what a case says that shows it, wherever the case is; "" where it is known by its place
    functions: Sequence[str]  # those that it is in, without the `_` around their names
    is_used: bool

    def is_about(self, case: Case, text: str, places: Collection[tuple[str, int]], *, prints: bool) -> bool:
        """Whether it may be the cause of what is said of a case: no place in a source is known, or one that is near.

        Where a case does not print, the course calls functions: it is near, or in one that is said to be called.
        """
        lacks = {"stdin": case.terminal or not size_of(unread(case, "stdin")), "output": not prints, "all": True}
        if lacks.get(self.needs) or not (re.search(self.shows, text) and re.match(_IS_READ, text)):
            return False
        near = any(file == self.file and abs(line - self.line) <= _NEAR for file, line in places)
        words = f"{text}\0{case.id}"  # a test that was stopped says nothing of what it calls, but for its name
        called = any(re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", words) for name in self.functions if name)
        return self.always or (self.is_used and (near or bool(self.shows) or not places) if prints else near or called)

    @property
    def sentence(self) -> str:
        """What a student reads."""
        file, source = quote(self.file, most=_MAX_NAME_LENGTH), quote(self.source, most=_MAX_SHOWN)
        return f"{f'Line {self.line} of {file}, {source},' if self.source else file} {self.says}."


def find_mistakes(
    folder: Path, language: str, argv: Sequence[str], own: Collection[str], store: Cache
) -> Sequence[Mistake]:
    """Return the mistakes in the sources that `argv` started, but for the course's `own`, the plainest first."""
    language = {"notebook": "python"}.get(language, language)
    sources = {name: lines for name, lines in sources_in(folder, SUFFIXES.get(language, ())) if name not in own}
    reached = [name for name in sources if name.partition(".")[0] in ANY_WORD.findall(" ".join(argv))] or list(sources)
    for name in reached:
        words = set(ANY_WORD.findall("\n".join(sources[name])))
        reached += [it for it in sources if it not in reached and any(sources[it]) and it.partition(".")[0] in words]
    files = {name: "\n".join(sources[name]).encode("utf-8", "replace").decode("latin-1") for name in reached}
    rows = [
        {"says": it["says"], **it[language]} for it in read_data_cached(MISTAKES_FILE, store).values() if language in it
    ]
    request = {"language": language, "rows": rows, "files": files}
    mistakes = json.loads(ask_once(_READER, json.dumps(request).encode()).output or b"[]") if reached else ()
    return [Mistake(name, line, (sources[name] or [""])[line - 1].strip(), *facts) for name, line, *facts in mistakes]
