"""Says on standard error that it is done."""

import sys

sys.stdout.write(" ".join(sys.argv[1:]) + "\n")
sys.stderr.write("done\n")
