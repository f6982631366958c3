"""Has its usage message from a word processor."""

import sys

sys.stderr.write("usage: echo [\N{EN DASH}n] word ...\n")
sys.exit(2)
