"""Prints its arguments on one line, or a usage message when there are none."""

import sys

if len(sys.argv) > 1:
    sys.stdout.write(" ".join(sys.argv[1:]) + "\n")
else:
    sys.stderr.write("usage: echo word ...\n")
    sys.exit(2)
