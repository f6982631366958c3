"""Prints two lines."""

import sys

sys.stdout.write("first\nsecond\n")
