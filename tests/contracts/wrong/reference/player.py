import sys

sys.stdout.write("a\n")
