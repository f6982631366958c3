import os
import sys

sys.stdout.write(os.getcwd() + "\n")  # noqa: PTH109 - as a student writes it
