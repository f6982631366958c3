"""Leaves a trace of its author on standard error."""

import sys

sys.stderr.write("DEBUG: started\n")
sys.stdout.write(" ".join(sys.argv[1:]) + "\n")
