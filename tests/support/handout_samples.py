"""A small assignment with something of everything, and the same with hidden tests that nobody may see."""

REFERENCE = """\
import sys

if len(sys.argv) < 2:
    print("usage: echo `word` ...", file=sys.stderr)
    sys.exit(2)
print(*sys.argv[1:])
"""
SPEC = """\
spec: 1
id: echo
title: Echo *all* of it
course: A course
source: Sheet 3
about: Prints its words.
language: python
files: {required: [echo.py], optional: ["*.txt"], forbidden: [x.sh], discard: [y]}
program: python3 echo.py
reference: python3 reference/echo.py
limits: {time: 5 s, memory: 64 MiB, output: 1 MiB, processes: 16}
tolerate: {final-newline: 100%, wrong-stream: 50%}
tests:
  - name: usage
    about: Without words it prints the usage message.
    points: 2.5
    expect: {stdout: "", stderr: "usage: echo `word` ...\\n", exit: [1, 2]}
  - name: words
    points: 3
    needs: [usage]
    all_or_nothing: true
    limits: {time: 9 s}
    tolerate: {letter-case: 70%}
    each: {n: 1..20}
    args: ["word {n}"]
    expect: reference
  - name: other
    points: 2
    bonus: true
    cases:
      - {args: [a b], stdin: "in\\n", expect: {stdout: {tokens: a b}}}
      - {args: [c], env: {HOW: much}, files: {f.txt: x}, expect: {stdout: {contains: [c]}, files: {absent: [f]}}}
      - {args: [d], expect: {stdout: {lines: [d], order: any}, stderr: any}}
"""
MARKER = SPEC.replace(
    "  - name: words\n",
    """\
  # MARKER-comment
  - name: MARKER-name
    about: MARKER-about
    hint: MARKER-hint
    points: 4
    visibility: hidden
    limits: {time: 59 s}
    cases: [{args: [MARKER-arg], stdin: MARKER-in, env: {MARKER: x}, expect: {stdout: "MARKER-arg\\n"}}]
  - name: MARKER-later
    about: MARKER-about
    points: 3
    visibility: after-due
    args: [MARKER-due]
    expect: reference
  - name: words
""",
).replace("needs: [usage]", "needs: [usage, MARKER-name]")
