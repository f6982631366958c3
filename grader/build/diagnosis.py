"""The sentence behind a failed build: the first error in its log, as a student would look for it.

Patterns are data, in two ranks: what a compiler says about a line of the program comes before what make, a shell or a
file tool says about the commands, since those mostly complain about what the compiler left undone. Each pattern's
groups are the words to quote. All of them stay within a line or a few, so a hostile log costs no more than its length.
"""

import re

LONGEST = 300

COMPILER = (
    rb"(?m)^(.*\.java:\d+: error: .*)(?:\n.*\n.*\n  symbol: +(.*))?",
    rb"(?m)^(\S.*: (?:fatal )?error: .*)",
    rb"(?m)^(error: .*)",
    rb'(File "[^"\n]*", line \d+).*\n(?:.*\n){0,3}?((?:Syntax|Indentation|Tab)Error: .*)',
    rb"(?m)^(.*: undefined reference to .*|.*: multiple definition of .*)",
    rb"(?m)^(ERROR: .*)",
)
"""javac, gcc and clang, javac about its arguments, Python, the linker, SWI-Prolog."""

COMMANDS = (
    rb"(?m)^(make(?:\[\d+\])?: \*\*\* (?!\[).*)",
    rb"(?m)^(make(?:\[\d+\])?: (?!\*\*\*).*: (?:No such file or directory|Permission denied|.*ommand not found))$",
    rb"(?m)^(\S+:\d+: \*\*\* .*)",
    rb"(?m)^(\S*sh: (?:line )?\d+: .*)",
    rb"(?m)^((?:rm|cp|mv|cat|chmod|mkdir|ln|touch|jar|java|tar): .*)(?!\n.*\(ignored\))$",
    rb"(?m)^(Usage: (?:jar|javac|java) .*)",
    rb"(?m)^(\S+ : no such file or directory)$",
    rb"(?m)^(java\.\S+(?:Exception|Error): .*|Exception in thread .*|Error: .*)",
)
"""make about its rules and about programs that are not there, the shell, file tools, usage messages, jar, a JVM."""

_RANKS = tuple(tuple(re.compile(pattern) for pattern in rank) for rank in (COMPILER, COMMANDS))


def first_error(log: bytes) -> str:
    """Quote the first error in a build's log; without one its last line, and "" when it says nothing."""
    for rank in _RANKS:
        found = [match for pattern in rank if (match := pattern.search(log))]
        if found:
            first = min(found, key=lambda match: match.start(1))
            return shown(b": ".join(group for group in first.groups() if group))
    return shown(log.rstrip().rpartition(b"\n")[2])


def shown(text: bytes) -> str:
    """Decode a line of a log, cut to a length that a sentence bears."""
    line = text.decode(errors="backslashreplace").strip()
    return line if len(line) <= LONGEST else line[:LONGEST] + "…"
